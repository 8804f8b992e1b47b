//===- Passes.td - Passes of the VectorExt dialect ---------*- tablegen -*-===//
//
// From the program of a workgroup to that of a thread.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PASSES
#define MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def VectorExtDistributePass : Pass<"vector-ext-distribute"> {
  let summary = "Distribute the vectors of workgroups to threads";
  let description = [{
    Every `gpu.launch`, and every `gpu.func` that is a kernel with a known block
    size, is taken as the program of a workgroup whose vectors are whole tiles,
    and becomes the program of one thread whose vectors are what it has of them
    in registers. The number of subgroups is the size of the block, which must
    be constant and of one dimension, by `lanes`.

    Contractions with a `vector_ext.config` are done by its instruction
    (`vector_ext.mma`), others one product at a time. Where the layouts of two
    ops differ, registers are renumbered, lanes shuffle, or data goes through
    shared memory. An op on vectors that has no distribution is an error, and
    leaves the kernel as it was.

    From (two warps):

    ```mlir
    %x = vector.transfer_read %in[%row, %c0], %zero {in_bounds = [true, true]}
       : memref<?x64xf32>, vector<16x64xf32>
    %m = vector.multi_reduction <maximumf>, %x, %low [1]
       : vector<16x64xf32> to vector<16xf32>
    ```

    to: each thread loads four times four elements of its rows, takes their
    maximum, and that of its neighbours by `gpu.shuffle xor`.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", /*default=*/"32",
           "The number of lanes of a subgroup">,
    Option<"matrixLoads", "matrix-loads", "bool", /*default=*/"false",
           "Load operands from shared memory by vector_ext.load_matrix">,
    Option<"wideWrites", "wide-writes", "bool", /*default=*/"false",
           "Large results of instructions go through shared memory to be written 16 "
           "bytes at a time">,
    Option<"asyncCopies", "async-copies", "bool", /*default=*/"false",
           "Copy tiles from memory to shared memory by nvgpu.device_async_copy">,
    Option<"buffers", "buffers", "int64_t", /*default=*/"1",
           "Buffers in shared memory that tiles copied so in a loop take in turn">,
    Option<"maxRegisters", "max-registers", "int64_t", /*default=*/"0",
           "Registers of 32 bits that a thread has of a vector at most; 0 sets no "
           "bound">,
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", /*default=*/"0",
           "Bytes of shared memory that a workgroup has at most; 0 sets no "
           "bound">,
    Option<"maxProducts", "max-products", "int64_t", /*default=*/"0",
           "Products of contractions without an instruction, each of which is "
           "code of its own, in a kernel at most; 0 sets no bound">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say where the layout of a value changes, how, and at what cost">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def VectorExtFactorOutOfMaxPass : Pass<"vector-ext-factor-out-of-max"> {
  let summary = "A maximum of multiples as a multiple of a maximum";
  let description = [{
    The `maximumf` or `minimumf` of c x_i, c a positive constant, becomes c times
    that of the x_i: one product for many. So do those of a `select` of c x_i and an
    infinity, also where no maximum is taken: the product may then be contracted with
    what follows. What a maximum is taken of, and is x + 0, becomes x: a mask that
    hides nothing of a tile adds zeros. Results are the same bits, since rounding is monotonic, except that
    a zero may have the other sign.

    Before:

    ```mlir
    %s = arith.mulf %x, %scale : vector<64x64xf32>
    %m = vector.multi_reduction <maximumf>, %s, %acc [1]
       : vector<64x64xf32> to vector<64xf32>
    ```

    After:

    ```mlir
    %r = vector.multi_reduction <maximumf>, %x, %low [1]
       : vector<64x64xf32> to vector<64xf32>
    %s = arith.mulf %r, %scale : vector<64xf32>
    %m = arith.maximumf %acc, %s : vector<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorExtExcessPrecisionPass : Pass<"vector-ext-excess-precision"> {
  let summary = "Leave out roundings to f16 and bf16 between elementwise ops";
  let description = [{
    An elementwise op that reads a vector that was rounded from f32 to f16 or bf16
    computes in f32, and its result is rounded instead. `arith.extf` of `arith.truncf`
    disappears. What is stored, and what a contraction reads, has been rounded as
    before, once.

    Values differ from those of the program by the roundings that are left out, and by
    overflows: 70000 between two ops is infinity in f16, and is itself here.

    Before:

    ```mlir
    %h = arith.truncf %s : vector<64x64xf32> to vector<64x64xf16>
    %t = arith.mulf %h, %scale : vector<64x64xf16>
    %x = arith.extf %t : vector<64x64xf16> to vector<64x64xf32>
    ```

    After:

    ```mlir
    %x = arith.mulf %s, %wide : vector<64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VectorExtFoldExp2Pass : Pass<"vector-ext-fold-exp2"> {
  let summary = "Powers of e of f32 as powers of two";
  let description = [{
    `exp(a - b)` becomes `exp2(a * log2(e) - b * log2(e))`, with the factors
    folded into constants that are factors already, and applied in front of
    broadcasts: of a softmax, one product a row is left, and one multiply-add an
    element. Other powers of e become `exp2(a * log2(e))`.

    The products are rounded (half an ulp of the exponents). In a softmax the
    error of the row's factor cancels; that of an element is what its own
    exponent's rounding makes it.

    Before:

    ```mlir
    %s = arith.mulf %x, %scale : vector<64x64xf32>
    %m = vector.broadcast %max : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %m : vector<64x64xf32>
    %p = math.exp %d : vector<64x64xf32>
    ```

    After:

    ```mlir
    %s = arith.mulf %x, %scaled : vector<64x64xf32>   // by scale * log2(e)
    %k = arith.mulf %max, %log2e : vector<64x1xf32>
    %m = vector.broadcast %k : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %m : vector<64x64xf32>
    %p = math.exp2 %d : vector<64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorExtNarrowComparisonsPass : Pass<"vector-ext-narrow-comparisons"> {
  let summary = "Comparisons of positions in a tile in 32 bits";
  let description = [{
    Masks compare positions (`vector<...xindex>`): scalars, which are the same for
    all elements, plus `vector.step`s. `l + a < r + b` with scalars l and r
    becomes `a < (r - l) + b`, in `i32`: r - l is clamped to where it makes a
    difference. In the code of a thread a and b are constants but for where the
    thread is.

    The scalars have to be sizes of memrefs, ids and indices of loops, integers of
    at most 32 bits, or what `affine` ops, sums, differences and extrema compute
    from these, which no difference overflows. Unsigned comparisons also have to
    be of what is not negative. Others are left as they are.

    Before:

    ```mlir
    %0 = vector.broadcast %i : index to vector<64xindex>
    %1 = arith.addi %0, %step : vector<64xindex>
    %2 = vector.broadcast %n : index to vector<64xindex>
    %3 = arith.cmpi slt, %1, %2 : vector<64xindex>
    ```

    After (`%d` is `%n - %i` between -65 and 65):

    ```mlir
    %0 = arith.index_cast %step : vector<64xindex> to vector<64xi32>
    %1 = vector.broadcast %d : i32 to vector<64xi32>
    %2 = arith.cmpi slt, %0, %1 : vector<64xi32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorExtSplitPositionsPass : Pass<"vector-ext-split-positions"> {
  let summary = "Positions of a thread as a scalar and constants";
  let description = [{
    In the code of a thread the vectors of positions are a scalar plus a constant
    for each register. `s + a < t + b`, with scalars s and t and constants a and b,
    becomes `t - s > a - b`: a comparison with a constant for each register, where
    a difference for each would be computed, and kept over a loop in which it does
    not change. What is truncated is truncated as a scalar.

    Signed comparisons have to be of what cannot overflow, by the ops that compute the
    scalars; others, and unsigned ones, are left as they are.

    Before:

    ```mlir
    %0 = vector.broadcast %row : i32 to vector<4xi32>
    %1 = arith.addi %0, %rows : vector<4xi32>       // dense<[0, 0, 8, 8]>
    %2 = vector.broadcast %column : i32 to vector<4xi32>
    %3 = arith.addi %2, %columns : vector<4xi32>    // dense<[0, 1, 0, 1]>
    %4 = arith.cmpi sge, %1, %3 : vector<4xi32>
    ```

    After:

    ```mlir
    %0 = arith.subi %column, %row : i32
    %1 = vector.broadcast %0 : i32 to vector<4xi32>
    %2 = arith.cmpi sle, %1, %constants : vector<4xi32>  // dense<[0, -1, 8, 7]>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PASSES
