//===- VectorExtBase.td - VectorExt dialect, attributes ----*- tablegen -*-===//
//
// The dialect `vector_ext`, its attributes, and the type of rings.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTBASE
#define MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTBASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def VectorExt_Dialect : Dialect {
  let name = "vector_ext";
  let cppNamespace = "::mlir::vector_ext";
  let summary = "Layouts of vectors, and matrix instructions that use them.";
  let description = [{
    Before distribution, a GPU kernel is the program of one workgroup: its
    vectors hold whole tiles. Distribution turns it into the program of one
    thread. For this, every vector needs a *layout*: it says which register of
    which lane of which subgroup holds each element. The dialect provides

    - the layout, as the attribute `layout`;
    - an explicit change of layout, as the op `to_layout`;
    - the work of one matrix instruction, as the op `mma`, and a load for its
      operands, as the op `load_matrix`;
    - an instruction that is started and waited for later, as the ops `async_mma`
      and `await`;
    - tiles in shared memory as vectors, as the ops `shared_tile` and `write_tile`;
    - a read of rows at positions from vectors, as the op `transfer_gather`;
    - a circular buffer of tiles in shared memory, as the type `ring` and the ops
      `ring.*`;
    - threads of a workgroup that run a program of their own (warp
      specialisation), as the op `role`, and turns that they take, as the ops
      `turn.*`;
    - a range or a divisor of an index, as the op `assume`.

    Vector types do not contain layouts, so existing transformations of vectors
    keep working.

    The dialect has five discardable attributes:

    - `vector_ext.config` (`#vector_ext.contract_config`) on a contraction names
      the instruction that performs it, and says how the subgroups share it.
    - `vector_ext.buffers` (a positive `i64`) on a kernel sets the number of
      shared memory buffers for a tile that a loop copies to shared memory. The
      iterations use the buffers in rotation, so that copies can overlap with
      computation. The default is 1. Distribution removes the attribute from the
      kernel, and sets it on the allocations of such buffers. An allocation with
      n buffers has n parts of equal size. If a loop copies into it, iteration i
      accesses only part i modulo n, counted from the first iteration.
    - `vector_ext.kernel` (a dictionary) on a kernel, or on the loop over its
      workgroups, says how the kernel multiplies. Passes set it
      (`mlir-ext/Dialect/VectorExt/IR/Kernels.h`).
    - `vector_ext.refused` (an array) on the op that the passes run on has the
      values of `vector_ext.kernel` of kernels that could not be compiled.
    - `vector_ext.ring_memory` (a unit attribute) on an allocation for the slots
      of a ring says that the role that reads the ring may reuse the memory after
      its last op on the ring.
    - `vector_ext.shares_lookups` (a unit attribute) on a gather says that its threads
      may share what they look up for its rows.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The discardable attribute of a kernel that sets the number of shared
    /// memory buffers for a tile that a loop copies, and of an allocation of
    /// such buffers.
    static constexpr ::llvm::StringLiteral getBuffersAttrName() {
      return "vector_ext.buffers";
    }
    /// The discardable attribute that configures a contraction.
    static constexpr ::llvm::StringLiteral getConfigAttrName() {
      return "vector_ext.config";
    }

    /// Registers an instruction under its name. Targets do this in extensions
    /// of the dialect. Replaces an instruction of the same name.
    void addIntrinsic(MmaIntrinsic intrinsic);

    /// Returns the instruction of this name, or null if there is none.
    const MmaIntrinsic *lookupIntrinsic(::llvm::StringRef name) const;

    /// Returns the names of all registered instructions, sorted.
    ::llvm::SmallVector<::llvm::StringRef> getIntrinsicNames() const;

    /// Registers how the target copies into the memory of a workgroup without
    /// going through registers.
    void setAsyncCopies(AsyncCopies copies) { asyncCopies = std::move(copies); }

    /// Returns the registered copies. Their functions are null if no target has
    /// registered any.
    const AsyncCopies &getAsyncCopies() const { return asyncCopies; }

    /// Registers how the target reads through descriptors of buffers.
    void setBufferLoads(BufferLoads loads) { bufferLoads = std::move(loads); }

    /// Returns the registered loads. Their functions are null if no target has
    /// registered any.
    const BufferLoads &getBufferLoads() const { return bufferLoads; }

    /// Registers how the target copies whole tiles.
    void setTileCopies(TileCopies copies) { tileCopies = std::move(copies); }

    /// Returns the registered copies of tiles. Their functions are null if no
    /// target has registered any.
    const TileCopies &getTileCopies() const { return tileCopies; }

  private:
    ::llvm::StringMap<MmaIntrinsic> intrinsics;
    AsyncCopies asyncCopies;
    BufferLoads bufferLoads;
    TileCopies tileCopies;
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
  let summary = "which register of which lane holds each element of a vector";
  let description = [{
    Says which register of which lane of which subgroup holds each element of a
    vector. The passes that assign layouts and distribute vectors use it.

    The attribute lists, for each dimension of the vector, the digits of the
    coordinate in a mixed radix, slowest digit first. `axis size:stride` is the
    digit `(index / stride) % size`. `axis` names the index: `register` (of a
    thread), `lane` (of a subgroup) or `subgroup` (of the workgroup). In the
    example, the row of an element in one subgroup is
    8 * (register / 2 % 2) + lane / 4 % 8.

    `lanes` is the number of lanes of a subgroup, and `subgroups` the number of
    subgroups of the workgroup. If no digit uses a part of the lane or subgroup
    index, threads that differ only in that part hold copies of the same
    elements. `mlir-ext/Layout/Layout.h` has the rules (L1 to L4) and a drawing.

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
  let summary = "instruction and subgroups that perform a contraction";
  let description = [{
    Configures how a workgroup performs a contraction. It is the value of
    `vector_ext.config`.

    - `intrinsic` is the name of an instruction that a target has registered.
    - `subgroups` has two positive numbers. The first is the number of subgroups
      that share the rows (M) of the result. The second is the number that
      share its columns (N). A contraction may also have a batch dimension of
      several elements. Then each element of the batch is computed by that many
      subgroups of its own.
    - `promote` has a boolean for each of the two operands. If it is true, the
      threads of the workgroup together copy the operand to shared memory, and
      read it from there. If it is false, each thread reads the elements that
      the instruction needs from it. Optional; the default is false for both.
    - `runs` is `"k"`, `"k4"`, `"k8"`, `"n"`, `"kn"` or `"k4n"`, for instructions whose
      operands are in registers. All elements that a thread has of the right operand
      along this dimension, or along both, are then consecutive, so that it loads them
      at once. The instructions
      use them in another order than that of the tile. This is right, because terms
      may be added, and columns computed, in any order. With `"k4"` and `"k4n"`, the two elements
      of a register are 4 apart: if a word has 8 integers of 4 bits, one mask leaves
      one of the two in each half of the word. Words of neighbouring columns whose integers
      are along the sums need runs of both: with `"k4n"`, runs along k have 8 elements,
      and neighbouring lanes have neighbouring runs. With `"k8"`, the same holds for runs
      of k alone, such as 16 bytes of f16. Optional; by default each instruction
      has consecutive elements of the tile.

    ```mlir
    #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16",
                                subgroups = [4, 1], promote = [false, true]>
    #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16",
                                subgroups = [1, 4], promote = [true, false],
                                runs = "k">
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$intrinsic,
    ArrayRefParameter<"int64_t">:$subgroups,
    OptionalArrayRefParameter<"bool">:$promote,
    OptionalParameter<"::mlir::StringAttr">:$runs
  );
  let assemblyFormat = [{
    `<` `intrinsic` `=` $intrinsic `,` `subgroups` `=` `[` $subgroups `]`
        (`,` `promote` `=` `[` $promote^ `]`)?
        (`,` `runs` `=` $runs^)? `>`
  }];
  let builders = [AttrBuilder<(ins
      "::mlir::StringAttr":$intrinsic, "::llvm::ArrayRef<int64_t>":$subgroups,
      "::llvm::ArrayRef<bool>":$promote), [{
    return $_get($_ctxt, intrinsic, subgroups, promote, ::mlir::StringAttr());
  }]>];
  let genVerifyDecl = 1;
}

def VectorExt_MatrixDescriptorAttr
    : VectorExt_Attr<"MatrixDescriptor", "matrix_descriptor"> {
  let summary = "position and arrangement of an operand in shared memory";
  let description = [{
    Tells `wgmma` where an operand is in shared memory, and how it is arranged,
    like the matrix descriptor in the PTX ISA. All numbers are in bytes. See
    `mlir-ext/Layout/SharedDescriptor.h` for the arrangements.

    - `start` is the offset of the first element in its buffer, before the
      swizzle.
    - `leading` and `stride` are the leading and the stride byte offset of PTX.
      `start`, `leading` and `stride` are not negative, and multiples of 16.
    - `swizzle` is the width of a swizzled row: 32, 64 or 128, or 16 for no
      swizzle.
    - `k_major` is true if elements along K are contiguous, and false if
      elements along N are.

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

def VectorExt_SharedAttr : VectorExt_Attr<"Shared", "shared"> {
  let summary = "layout of a tile in shared memory";
  let description = [{
    Maps the coordinate of each element of a tile to a byte offset in shared
    memory. `mlir-ext/Layout/SharedMemory.h` has the map (`SharedLayout`) and
    its rules (S1 to S4).

    - `order` lists the dimensions, slowest first. The last one is contiguous.
    - `bits` is the size of an element.
    - `panel` is the number of columns of a panel.
    - `padding` is the number of unused bytes after each row.
    - `swizzle` has the numbers `[bits, base, shift]`: `bits` bits of the offset,
      from bit `base + shift` on, are XORed into the bits from bit `base` on.
      `[0, 0, 0]` is no swizzle.

    ```mlir
    // 128 rows of 64 elements of f16, as TMA writes them with its swizzle of 128
    // bytes.
    #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64,
                       padding = 0, swizzle = [3, 4, 3]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    ArrayRefParameter<"unsigned">:$order,
    "int64_t":$bits,
    "int64_t":$panel,
    "int64_t":$padding,
    ArrayRefParameter<"int64_t">:$swizzle
  );
  let builders = [AttrBuilder<(ins "const ::mlir::layout::SharedLayout &":$layout)>];
  let assemblyFormat = [{
    `<` `[` $shape `]` `,` `order` `=` `[` $order `]` `,` `bits` `=` $bits
        `,` `panel` `=` $panel `,` `padding` `=` $padding
        `,` `swizzle` `=` `[` $swizzle `]` `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the map.
    ::mlir::layout::SharedLayout getLayout() const;
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def VectorExt_RingType : TypeDef<VectorExt_Dialect, "Ring"> {
  let mnemonic = "ring";
  let summary = "circular buffer of tiles in shared memory";
  let description = [{
    A ring has `slots` buffers in shared memory, its *slots*. Each slot has room
    for one tile of each type in `tiles`, with the layout of the same number in
    `layouts`. The tiles of a slot are copied together, and waited for together.

    (C1) There is at least one slot and one tile. (C2) There is a layout for each
    tile, of its shape and for elements of its size.

    ```mlir
    !vector_ext.ring<slots = 3, tiles = [vector<128x64xf16>, vector<64x128xf16>],
                     layouts = [<...>, <...>]>
    ```
  }];
  let parameters = (ins "int64_t":$slots,
                        ArrayRefParameter<"::mlir::VectorType">:$tiles,
                        ArrayRefParameter<"::mlir::vector_ext::SharedAttr">:$layouts);
  let assemblyFormat = [{
    `<` `slots` `=` $slots `,` `tiles` `=` `[` $tiles `]` `,`
        `layouts` `=` `[` $layouts `]` `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the bytes that tile `number` takes in a slot, with padding that
    /// aligns the same tile of the next slot.
    int64_t getSlotBytes(unsigned number) const;
    /// Returns the bytes of a slot.
    int64_t getSlotBytes() const;
  }];
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTBASE
