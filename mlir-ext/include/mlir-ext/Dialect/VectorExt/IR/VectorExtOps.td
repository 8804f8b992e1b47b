//===- VectorExtOps.td - VectorExt dialect, attributes, ops *- tablegen -*-===//
//
// The dialect `vector_ext`: layouts on the values of a workgroup's program.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS
#define MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def VectorExt_Dialect : Dialect {
  let name = "vector_ext";
  let cppNamespace = "::mlir::vector_ext";
  let summary = "Layouts of vectors, and the instructions that ask for them.";
  let description = [{
    A workgroup's program computes with vectors of whole tiles. Before it becomes
    the program of one thread, every vector has a *layout*: which register of
    which lane of which subgroup holds each element. The dialect has the layout
    as an attribute, the explicit change of layout as an op, and the contraction
    that one instruction of tensor cores performs as another. Vector types carry
    no layout, so that every transformation of vectors keeps working.

    The discardable attribute `vector_ext.config` (`#vector_ext.contract_config`)
    on a contraction says which instruction performs it, and how the subgroups
    share it. `vector_ext.buffers` (a positive `i64`) on a kernel says how many
    buffers in shared memory a tile has that is copied there in a loop.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The discardable attribute that configures a contraction.
    /// Of a kernel: how many buffers a tile has that is copied in a loop.
    static constexpr ::llvm::StringLiteral getBuffersAttrName() {
      return "vector_ext.buffers";
    }
    static constexpr ::llvm::StringLiteral getConfigAttrName() {
      return "vector_ext.config";
    }

    /// Makes an instruction known by its name. Targets do this from extensions
    /// of the dialect. A name that is known already is replaced.
    void addIntrinsic(MmaIntrinsic intrinsic);

    /// Looks an instruction up; null if its name is not known.
    const MmaIntrinsic *lookupIntrinsic(::llvm::StringRef name) const;

    /// The known names, sorted.
    ::llvm::SmallVector<::llvm::StringRef> getIntrinsicNames() const;

  private:
    ::llvm::StringMap<MmaIntrinsic> intrinsics;
  public:
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class VectorExt_Attr<string name, string attrMnemonic>
    : AttrDef<VectorExt_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def VectorExt_LayoutAttr : VectorExt_Attr<"Layout", "layout"> {
  let summary = "which register of which thread holds each element";
  let description = [{
    For each dimension the digits of its coordinate, slowest first, as
    `axis size:stride`: the digit `(index / stride) % size` of the index of the
    register, of the lane in its subgroup, or of the subgroup. The number of
    lanes and of subgroups follow; those whose index no digit reads hold copies.
    See `mlir-ext/Layout/Layout.h` for the rules (L1 to L4) and an example.

    ```mlir
    // The accumulator of mma.sync.m16n8k16, in each of four subgroups.
    #c = #vector_ext.layout<[subgroup 4:1, register 2:2, lane 8:4]
                          x [lane 4:1, register 2:1], lanes = 32, subgroups = 4>
    ```
  }];
  let parameters = (ins "::mlir::layout::Layout":$layout);
  let builders = [AttrBuilder<(ins "const ::mlir::layout::Layout &":$layout), [{
    return $_get($_ctxt, layout);
  }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
}

def VectorExt_ContractConfigAttr
    : VectorExt_Attr<"ContractConfig", "contract_config"> {
  let summary = "how a workgroup performs a contraction";
  let description = [{
    - `intrinsic`: the name of the instruction, as the target has it;
    - `subgroups`: over how many subgroups the rows (M) and the columns (N) of
      the result are shared;
    - `promote`: whether each of the two operands is read by the workgroup
      together and goes through shared memory, rather than being read by each
      thread as the instruction wants it. Optional; false by default.

    ```mlir
    #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16",
                                subgroups = [4, 1], promote = [false, true]>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$intrinsic,
    ArrayRefParameter<"int64_t">:$subgroups,
    OptionalArrayRefParameter<"bool">:$promote
  );
  let assemblyFormat = [{
    `<` `intrinsic` `=` $intrinsic `,` `subgroups` `=` `[` $subgroups `]`
        (`,` `promote` `=` `[` $promote^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def VectorExt_MatrixDescriptorAttr
    : VectorExt_Attr<"MatrixDescriptor", "matrix_descriptor"> {
  let summary = "where in shared memory an instruction finds an operand";
  let description = [{
    What a descriptor of `wgmma` says, all in bytes (see
    `mlir-ext/Layout/SharedDescriptor.h`): where the first element is in its
    buffer, before the swizzle; the leading and the stride byte offset; how wide
    the rows are that are swizzled (16 for no swizzle, 32, 64 or 128); and
    whether K is contiguous, rather than N.

    ```mlir
    #vector_ext.matrix_descriptor<start = 32, leading = 16, stride = 1024,
                                  swizzle = 128, k_major = true>
    ```
  }];
  let parameters = (ins "int64_t":$start, "int64_t":$leading,
                        "int64_t":$stride, "int64_t":$swizzle, "bool":$kMajor);
  let assemblyFormat = [{
    `<` `start` `=` $start `,` `leading` `=` $leading `,` `stride` `=` $stride
        `,` `swizzle` `=` $swizzle `,` `k_major` `=` $kMajor `>`
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class VectorExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<VectorExt_Dialect, mnemonic, traits>;

def VectorExt_ToLayoutOp : VectorExt_Op<"to_layout", [
    Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "the same vector in a given layout";
  let description = [{
    The value of `input`, of whatever layout, in `layout`. Before the analysis it
    is an anchor: the layout is asked for here. After it, every place where a
    layout changes is one of these, and the distribution makes of it a renumbering
    of registers, shuffles in a subgroup, or a way through shared memory.

    With `shared_memory` it goes through shared memory even where it need not:
    the threads of a workgroup then read an operand once, together.

    (C1) The shape of the layout is the shape of the vector.

    ```mlir
    %1 = vector_ext.to_layout %0 to #layout : vector<64x64xf32>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$input,
                       VectorExt_LayoutAttr:$layout,
                       UnitAttr:$shared_memory);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $input `to` $layout (`shared_memory` $shared_memory^)? attr-dict
        `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def VectorExt_MmaOp : VectorExt_Op<"mma", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "one instruction of the tensor cores, by one thread";
  let description = [{
    `result = lhs * rhs + acc`, performed by the threads of the instruction
    together; each passes the registers that it holds of the operands, in the
    layouts that the instruction documents. A `rhs` in shared memory is a memref,
    of which all threads pass the same, and a descriptor says where it is there.
    The op waits for the instruction; that what other threads stored can be seen
    by it is the business of who lowers it.

    (C1) The instruction is known. (C2) Vectors have as many elements as the
    instruction has registers, of its element types. (C3) An instruction that
    reads `rhs` from shared memory takes a memref of one dimension in the
    workgroup's memory, of its element type, and a descriptor; others take no
    descriptor.

    ```mlir
    %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c
       : vector<8xf16>, vector<4xf16>, vector<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$intrinsic, AnyVectorOfNonZeroRank:$lhs,
                       AnyTypeOf<[AnyVectorOfNonZeroRank, AnyMemRef]>:$rhs,
                       AnyVectorOfNonZeroRank:$acc,
                       OptionalAttr<VectorExt_MatrixDescriptorAttr>:$descriptor);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $intrinsic $lhs `,` $rhs (`at` $descriptor^)? `,` $acc attr-dict
        `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def VectorExt_LoadMatrixOp : VectorExt_Op<"load_matrix", [
    MemoryEffects<[MemRead]>]> {
  let summary = "matrices of 8 rows from shared memory, by a subgroup";
  let description = [{
    Loads 1, 2 or 4 matrices of 8 rows of 16 bytes; every lane of a subgroup
    passes the start of one row: lane `8 * m + i` that of row i of matrix m.
    Lane l receives, of each matrix, the word `l % 4` of row `l / 4`; with
    `transpose`, of elements of 16 bits, column `l / 4` of rows `2 * (l % 4)` and
    the next. (PTX ISA, ldmatrix.)

    (C1) `base` has one dimension and is in the workgroup's memory. (C2) The
    result has the element type of `base`, and 1, 2 or 4 words of 32 bits.

    ```mlir
    %0 = vector_ext.load_matrix %tile[%row] transpose
       : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
    ```
  }];
  let arguments = (ins AnyStaticShapeMemRef:$base, Index:$index,
                       UnitAttr:$transpose);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $base `[` $index `]` (`transpose` $transpose^)? attr-dict
        `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS
