//===- Passes.td - From tiles to vectors and threads of CPUs -*- tablegen -*--===//
//
// From tiles to vectors and threads of CPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_PASSES
#define MLIR_EXT_CODEGEN_CPU_PASSES

include "mlir-ext/Support/PassBase.td"

def LinalgExtPrepareOperandsPass
    : LinalgExt_Pass<"linalg-ext-prepare-operands"> {
  let summary = "Let contractions of tiles read their operands as vectors";
  let description = [{
    Rewrites the operands of contractions so that `linalg-ext-vectorize-buffers` can
    read them as vectors: in the order of lanes, and where they lie. Precondition:
    tensors, after tiling. The module describes the vectors (Support/CPUTarget.h).
    Runs the steps that `steps` names, or all, in this order. With `excess-precision=false`, `weights`
    does nothing, `widen` converts rows only, and `offsets` leaves zero points where they are, so that
    each number is rounded as the program says.

    ### `weights`

    If a contraction in f32 extends an operand that an elementwise op dequantizes to f16 or bf16 for
    it alone, that op computes f32 instead, without the roundings between, as `widen` does within a
    contraction. The other operand is extended in front. The step runs before tiling, too: tiles of
    f32 are written in the order of the lanes. Products of two operands of
    bf16 with one sum stay where an instruction multiplies pairs.

    Before:

    ```mlir
    %d = linalg.generic ... ins(%w, %s : tensor<75x3x32xi8>, tensor<75x3xf16>)
        outs(%e : tensor<75x3x32xf16>) ...
    %r = linalg.generic ... ins(%x, %d : tensor<?x3x32xf16>, tensor<75x3x32xf16>) ...
    ```

    After:

    ```mlir
    %d = linalg.generic ... ins(%w, %s : tensor<75x3x32xi8>, tensor<75x3xf16>)
        outs(%e : tensor<75x3x32xf32>) ...
    %rows = linalg.generic ... ins(%x : tensor<?x3x32xf16>) ...
    %r = linalg.generic ... ins(%rows, %d : tensor<?x3x32xf32>, tensor<75x3x32xf32>) ...
    ```

    ### `transpose`

    Transposes an operand of a contraction, so that vectorisation needs no
    shuffles between lanes. The lanes of a contraction lie along the last
    dimension of its result. If the right operand is contiguous along the
    reduction instead, as the keys are in Q K^T, each step would have to
    transpose a block of it. The step has two ways to avoid this:

    - *Transpose the left operand.* This applies to a contraction in an
      `scf.for` that does not change the left operand. The step transposes the
      left operand once, before the loop, and swaps the dimensions of the
      result. It also swaps the dimensions of elementwise results that depend on
      the result. Ops that reduce it read it through another indexing map. This
      way does not apply if anything other than a linalg op of the same block
      uses such a tile. Nor does it apply if an elementwise op reads another
      tensor, such as a mask, that is contiguous along the rows.
    - *Transpose the right operand*, otherwise. The step does so before the
      contraction, or before the outermost loop that does not change the
      operand. This applies if the left operand has enough rows for two vectors,
      and if the elements of the right operand have the type of the result.

      It applies in the same way to an op that sums products of more than two
      operands, such as weights with a scale for each group. The scales are
      transposed if the weights are contiguous along the last dimension of the
      result, and if a group has enough elements for two vectors.

      An operand that an elementwise op computes for this contraction alone, such as
      dequantized weights, needs no transpose: the elementwise op writes its result
      in the other order. This takes more than 8 rows of the left operand.

    The step leaves other contractions alone.

    Before:

    ```mlir
    #q = affine_map<(m, n, k) -> (m, k)>
    #k = affine_map<(m, n, k) -> (n, k)>
    #s = affine_map<(m, n, k) -> (m, n)>
    scf.for %i = %c0 to %c256 step %c32 ... {
      %s = linalg.generic {indexing_maps = [#q, #k, #s], ...}
          ins(%q, %tile : tensor<16x8xf32>, tensor<32x8xf32>)
          outs(%z : tensor<16x32xf32>)
    ```

    After:

    ```mlir
    #q = affine_map<(m, n, k) -> (k, m)>
    #k = affine_map<(m, n, k) -> (n, k)>
    #s = affine_map<(m, n, k) -> (n, m)>
    %qt = linalg.transpose ins(%q : tensor<16x8xf32>)
        outs(%e : tensor<8x16xf32>) permutation = [1, 0]
    scf.for %i = %c0 to %c256 step %c32 ... {
      %s = linalg.generic {indexing_maps = [#q, #k, #s], ...}
          ins(%qt, %tile : tensor<8x16xf32>, tensor<32x8xf32>)
          outs(%z : tensor<32x16xf32>)
    ```

    ### `pack`

    Copies the right operand of a contraction into a contiguous buffer, if it is a tile
    of a tensor with longer rows, such as weights. If the distance of its rows is a
    multiple of 512 bytes, they share a few sets of a cache. The rows of the copy are
    next to each other. The step copies a tile if

    - the distance of its rows is a multiple of 512 bytes, or not known;
    - the tile is larger than the L1 cache, and the tensor is larger than the L2 cache
      (a size that is not known counts as large enough);
    - the left operand has enough rows for two vectors;
    - the elements of the tile have the type of the result.

    The step does not change a contraction in an `scf.for` that computes the left
    operand, as the loop of attention does.

    Before:

    ```mlir
    %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1]
        : tensor<512x3072xf32> to tensor<512x128xf32>
    %r = linalg.matmul ins(%x, %tile : tensor<64x512xf32>, tensor<512x128xf32>)
        outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
    ```

    After:

    ```mlir
    %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1]
        : tensor<512x3072xf32> to tensor<512x128xf32>
    %e = tensor.empty() : tensor<512x128xf32>
    %c = linalg.copy ins(%tile : tensor<512x128xf32>) outs(%e : tensor<512x128xf32>)
        -> tensor<512x128xf32>
    %r = linalg.matmul ins(%x, %c : tensor<64x512xf32>, tensor<512x128xf32>)
        outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
    ```

    ### `pages`

    Tiles each contraction that reads the result of a `linalg_ext.paged_gather`
    along the sequence. If all rows of a tile exist and are in one page, the
    tile reads them in the pool: nothing is gathered. Otherwise the tile gathers
    its rows, into a buffer that all tiles share. So rows are copied only at the
    end of a sequence, and where the table names no page.

    The number of rows of a tile is the largest one that divides both the rows of
    a page and those of the operand. A packed pool has no pages: all rows of the
    operand are then one tile. If pages have less than 4 rows in common with the
    operand, or an unknown number of rows, tiles have 8 KiB of rows, and each tile
    gathers its rows.

    The step gathers nothing under two conditions: pages and operand have fewer than 8
    rows in common, and each gathered row is multiplied with at most V / 4 rows of the
    other operand, where V is the number of vector registers. A loop then lists the
    places of the rows, and `linalg_ext.view_rows` is a view of the rows in the list.
    The list is made outside of all loops that it does not depend on, such as one over
    heads. If one of the rows does not exist, all rows of the operand are gathered.

    Gathers that are left then become loops over their rows. Each row is looked up
    once, and copied as one slice of the pool, or filled with zeros where it does
    not exist.

    The step does not change contractions

    - that read the rows of several sequences;
    - whose rows have no constant size, or whose number of rows has no bound;
    - if a tile would have less than 4 rows.

    It does not change gathers whose rows are empty, or not contiguous in the pool
    and in the result.

    Postcondition: a gather that only such contractions have read has no users.

    Before:

    ```mlir
    %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
        pool(%pool : tensor<?x16x64xf32>) table(%t : tensor<1x?xi32>)
        lengths(%n : tensor<1xi32>) offset(%i) outs(%e : tensor<1x128x64xf32>)
        -> tensor<1x128x64xf32>
    %s = linalg.generic ... ins(%k, %q : tensor<1x128x64xf32>, tensor<64x8xf32>)
        outs(%z : tensor<128x8xf32>)
    ```

    After:

    ```mlir
    %s = scf.for %j = %c0 to %c128 step %c16 iter_args(%acc = %z) {
      ...
      %1 = scf.if %exist {
        %rows = tensor.extract_slice %pool[%page, %row, 0] [1, 16, 64] [1, 1, 1]
            : tensor<?x16x64xf32> to tensor<16x64xf32>
        %a = tensor.extract_slice %acc[%j, 0] [16, 8] [1, 1]
        %2 = linalg.generic ... ins(%rows, %q) outs(%a : tensor<16x8xf32>)
        %3 = tensor.insert_slice %2 into %acc[%j, 0] [16, 8] [1, 1]
        ...
      } else {
        %rows = scf.for %i = %c0 to %c16 step %c1 iter_args(%m = %memory) {
          ...
          %3 = scf.if %there {
            %row = tensor.extract_slice %pool[%page, %at, 0] [1, 1, 64] [1, 1, 1]
            %4 = tensor.insert_slice %row into %m[0, %i, 0] [1, 1, 64] [1, 1, 1]
            ...
          } else {
            linalg.fill ...
          }
        }
        ...
      }
      ...
    }
    ```

    ### `widen`

    Converts rows of floats of less than 32 bits to f32 in front of a contraction in f32 that
    extends them again for each of many columns: queries for every few keys, or weights of a
    softmax one by one. This applies to few rows, at most a quarter of the vector registers,
    and at least 16 columns. It is done outside of the loops in which the rows do not change,
    or by the op that rounds them if nothing else reads its result. Products of two operands
    of bf16 stay where an instruction multiplies pairs.

    What a sum of f32 dequantizes in f16 or bf16, from integers or floats of at most 8 bits, it
    then computes in f32, without the roundings between. The scale of a group can then multiply
    the sum of its products.

    Before:

    ```mlir
    %p = linalg.generic ... outs(%e : tensor<4x?xf16>) {
    ^bb0(%a: f32, %o: f16):
      %0 = arith.truncf %a : f32 to f16
    ...
    %r = linalg.generic ... ins(%p, %v : tensor<4x?xf16>, tensor<?x64xi8>) ... {
    ^bb0(%a: f16, %b: i8, %o: f32):
      %1 = arith.extf %a : f16 to f32
    ```

    After:

    ```mlir
    %p = linalg.generic ... outs(%e : tensor<4x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.truncf %a : f32 to f16
      %1 = arith.extf %0 : f16 to f32
    ...
    %r = linalg.generic ... ins(%p, %v : tensor<4x?xf32>, tensor<?x64xi8>) ...
    ```

    ### `offsets`

    Lets a contraction of at most 8 rows multiply the zero points of groups, or what else is added
    to the numbers of a group, by the sums of the rows over the group. These are computed once, outside
    of the loops in which the rows do not change, for at least 64 columns. A second op adds the
    products to the destination: a term for each group. This applies if a group has at least 16
    numbers, computed of integers from -256 to 256: of larger numbers, the difference may be tiny, and
    both products huge. An integer difference must not wrap around. Where an instruction looks up 16
    values (AVX-512), integers of up to 4 bits are centered at 0. If a row has an infinite element,
    the result may be NaN instead of infinite.

    Columns are tiled, so that scales are in the first cache when they are read again. What unpacks
    zero points for the second op alone becomes a part of it. Before, an op that unpacks integers to
    a small dimension, which a reshape merges with that of the words, computes the merged dimension.

    Before:

    ```mlir
    %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], ...} ins(%x, %w, %s, %z) outs(%y) {
    ^bb0(%a: f32, %b: i8, %c: f32, %d: f32, %o: f32):
      %0 = arith.sitofp %b : i8 to f32
      %1 = arith.subf %0, %d : f32
      %2 = arith.mulf %1, %c : f32
      ...
    ```

    After:

    ```mlir
    %sums = linalg.generic ... ins(%x : tensor<2x3x32xf32>) outs(%zero : tensor<2x3xf32>) ...
    %offsets = linalg.generic ... ins(%s, %z, %sums) outs(%y) {
    ^bb0(%c: f32, %d: f32, %a: f32, %o: f32):
      %0 = arith.negf %d : f32
      %1 = arith.mulf %0, %c : f32
      ...
    %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], ...} ins(%x, %w, %s) outs(%offsets) {
    ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
      %0 = arith.sitofp %b : i8 to f32
      %2 = arith.mulf %0, %c : f32
      ...
    ```

    ### `words`

    Lets a contraction of at most 4 rows, or 8 with AVX-512-VNNI, that unpacks up to 2 integers of each byte read
    words of 4 bytes, where instructions look up 16 values (AVX-512). The bytes of a word become a
    dimension that is reduced, and what is multiplied with them is transposed to that order,
    outside of the loops in which it does not change. This applies if the bytes are
    contiguous along a sum, if 16 words divide those that follow each other, such as the 64
    bytes of a group of 128, and if there are 64 columns or more. The payload may use only
    bits of a byte, and must not use its position.

    If 16 words have several groups, such as four of 16 bytes, they are a dimension in place
    of what is summed in a group. What differs from group to group must be a factor of the
    products, or floats beside one: its map divides a word's number by the words of a group.
    `linalg-ext-vectorize-buffers` multiplies the sum of a word's integers by the factor.

    Before, zero points that are subtracted from unpacked integers of up to 4 bits are subtracted
    from their floats, if both are exact and the difference does not wrap around: an instruction
    looks up the float of each integer.

    Before:

    ```mlir
    #x = affine_map<(m, n, k, p) -> (m, p, k)>
    #w = affine_map<(m, n, k, p) -> (n, k)>
    %r = linalg.generic {indexing_maps = [#x, #w, #y], ...}
        ins(%x, %w : tensor<1x2x64xf32>, tensor<128x64xi8>) ...
    ```

    After:

    ```mlir
    #x = affine_map<(m, n, k, p, q) -> (m, p, q, k)>
    #w = affine_map<(m, n, k, p, q) -> (n, k, q)>
    %split = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [1, 2, 16, 4] ...
    %ordered = linalg.transpose ins(%split : tensor<1x2x16x4xf32>)
        outs(%e : tensor<1x2x4x16xf32>) permutation = [0, 1, 3, 2]
    %words = tensor.expand_shape %w [[0], [1, 2]] output_shape [128, 16, 4] ...
    %r = linalg.generic {indexing_maps = [#x, #w, #y], ...}
        ins(%ordered, %words : tensor<1x2x4x16xf32>, tensor<128x16x4xi8>) ...
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: weights, transpose, pack, pages, widen, offsets, words; empty runs all">,
    Option<"excessPrecision", "excess-precision", "bool", /*default=*/"true",
           "Compute weights that are dequantized to f16 or bf16 in f32, and let zero "
           "points leave sums; false keeps every rounding of the program">,
  ];
}

def LinalgExtVectorizeBuffersPass
    : LinalgExt_Pass<"linalg-ext-vectorize-buffers"> {
  let summary = "Vectorise linalg ops on buffers as loops over 1-D vectors";
  let description = [{
    Rewrites linalg ops on buffers, and `memref.copy`, as `scf.for` loops over
    register tiles of one-dimensional vectors. Sizes may be dynamic: the pass
    masks the last, partial vector. Run it after bufferization, for CPUs.

    The lanes of a vector lie along a parallel dimension in which the outputs
    are contiguous, or along a reduction. In the second case the loops combine
    the lanes at the end. The pass reassociates contractions and sums, and fuses
    a product with its addition to the accumulator (`math.fma`).

    A contraction of f16 or bf16 that accumulates in f32 converts its operands
    only once for a block of rows or columns, into buffers on the stack. This
    requires a reduction short enough for buffers of at most 64 KiB. If the CPU has
    `dot_bf16` (x86's vdpbf16ps), one instruction multiplies pairs of bf16 without
    conversion. It treats subnormal inputs and results (magnitudes below 2^-126) as
    0.

    The module describes the vectors of the CPU (Support/CPUTarget.h,
    `linalg-ext-attach-target`): their width, their number, and the part of a vector
    in which one instruction interleaves two vectors. With `broadcasts_f16`, as on x86,
    the pass broadcasts an f16 that all lanes share before it extends it.

    One row of floats, or a few of them for words of columns, is multiplied with integers of 4 and 8
    bits by instructions on bytes, or in parts of converted words, if the module describes a CPU that
    has them (docs/Quantization.md): elements of the row are rounded to 22 bits of the largest of those
    around them, or a sum has a rounding of another element. With `excess-precision=false`, the
    integers become floats, and each is multiplied by its element of the row.

    The pass leaves an op alone if its payload is not elementwise, or if no
    dimension is suitable for lanes. `convert-linalg-to-loops` can lower such
    ops.

    Before:

    ```mlir
    linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
    ```

    After, with 256-bit vectors:

    ```mlir
    scf.for %i = %c0 to %c32 step %c8 {
      %0 = vector.load %a[%i] : memref<32xf32>, vector<8xf32>
      %1 = math.exp %0 : vector<8xf32>
      vector.store %1, %b[%i] : memref<32xf32>, vector<8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::linalg_ext::X86Dialect"
  ];
  let options = [
    Option<"excessPrecision", "excess-precision", "bool", /*default=*/"true",
           "Multiply integers of 4 and 8 bits by digits of a row, or in parts of words; "
           "false converts each to a float">,
  ];
}

def LinalgExtLowerMathPass
    : Pass<"linalg-ext-lower-math", "::mlir::ModuleOp"> {
  let summary = "Lower math functions to arithmetic and libm calls";
  let description = [{
    Lowers the functions of the `math` dialect that LLVM lacks, or computes
    badly, for a CPU, and arithmetic on types that it lacks. Runs the steps that
    `steps` names, or all four, in this order.

    ### `approximate`

    Replaces `math.exp`, `math.tanh` and `math.erf` on scalars and vectors by
    polynomials. Vectors then need arithmetic only, instead of one call for each
    element. The pass computes these functions of f16 and bf16 in f32. It leaves
    other functions to the math library, and does not change ops on tensors.

    Errors in f32, with and without fused multiply-adds, are

    - within 1 ulp for exp, subnormal results included;
    - within 2 ulp for tanh and erf;
    - larger for exp of an `arith.subf`, which takes fewer instructions. With x
      the difference, the error is within 1 + 0.25 |x| ulp of exp(x), and
      results below the smallest normal number are 0. On `vector<16xf32>`, if the
      module describes a CPU with `avx512` (Support/CPUTarget.h), it is within
      1 + 1.25 |x| ulp, and subnormal results are kept. Rounding x has already changed
      exp(x) by about as much.

    ### `libm`

    Converts math functions that LLVM does not have, or computes badly, to calls
    of the math library (libm) and to arithmetic. docs/Math.md has the errors.

    - `acosh`, `asinh`, `atanh`, `cbrt`, `erf`, `erfc`, `expm1` and `log1p`
      become libm calls, one for each element of a vector, by upstream's
      patterns.
    - `math.fpowi` with a constant exponent from 0 to 4 becomes products, and
      with -1 a division. With any other exponent it becomes `math.powf` in f64.
    - `math.isinf`, `math.isnormal` and `math.clampf` become comparisons, minima
      and maxima.
    - Functions of f16, bf16 and floats of 8 bits are computed in f32.
    - A truncation from f64 to bf16 goes through f32, rounded to odd, so that
      the result is rounded only once.

    A math op on a vector of more than 16384 elements is an error.

    Before:

    ```mlir
    %0 = math.cbrt %x : f32
    %1 = math.fpowi %v, %two : vector<8xf32>, vector<8xi32>
    ```

    After:

    ```mlir
    %0 = call @cbrtf(%x) : (f32) -> f32
    %1 = arith.mulf %v, %v : vector<8xf32>
    ```

    ### `expand-f8`

    Computes `arith` ops on floats of 8, 6 and 4 bits in f32, and replaces their
    conversions by ops on integers and on wider floats. What is left only moves
    bits: LLVM has integers there.

    - `arith.extf` is exact. If the CPU converts f16 (`converts_f16` of its
      description), it goes by way of f16 where that is exact, too.
    - `arith.truncf` rounds to the nearest number, ties to even. Numbers that are
      too large become infinity, or NaN in types without infinity, or the largest
      number in types without both.
    - f8E8M0FNU has powers of two only. `arith.truncf` rounds ties up, and takes the
      absolute value of a negative number.

    Before:

    ```mlir
    %0 = arith.extf %x : f8E5M2 to f32
    ```

    After, on a CPU that converts f16:

    ```mlir
    %0 = arith.bitcast %x : f8E5M2 to i8
    %1 = arith.extui %0 : i8 to i16
    %2 = arith.shli %1, %c8_i16 : i16
    %3 = arith.bitcast %2 : i16 to f16
    %4 = arith.extf %3 : f16 to f32
    ```

    ### `tabulate`

    Replaces elementwise functions of integers of 4 bits by lookups in a table of 16
    values, if the module describes a CPU with `avx512`. The integers are the lowest 4
    bits of a `vector<16xiN>`, selected by one mask or by a mask for each bit. All
    other operands must be the same in all lanes, and the result must be f32 or i32.
    The table is a vector. The step computes it in front of the loops in which those
    operands do not change. Results have the same bits.

    Before, with %offset and %scale broadcast from scalars in front of the loop:

    ```mlir
    scf.for %i = %c0 to %n step %c16 {
      %0 = vector.load %codes[%i] : memref<?xi8>, vector<16xi8>
      %1 = arith.andi %0, %c15 : vector<16xi8>
      %2 = arith.subi %1, %offset : vector<16xi8>
      %3 = arith.sitofp %2 : vector<16xi8> to vector<16xf32>
      %4 = arith.mulf %3, %scale : vector<16xf32>
      vector.store %4, %to[%i] : memref<?xf32>, vector<16xf32>
    }
    ```

    After:

    ```mlir
    %0 = arith.subi %numbers, %offset : vector<16xi8> // of dense<[0, 1, ..., 15]>
    %1 = arith.sitofp %0 : vector<16xi8> to vector<16xf32>
    %table = arith.mulf %1, %scale : vector<16xf32>
    scf.for %i = %c0 to %n step %c16 {
      %2 = vector.load %codes[%i] : memref<?xi8>, vector<16xi8>
      %3 = arith.extui %2 : vector<16xi8> to vector<16xi32>
      %4 = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%table, %3) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
      vector.store %4, %to[%i] : memref<?xf32>, vector<16xf32>
    }
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: approximate, libm, expand-f8, tabulate; empty runs all">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtShareAmongThreadsPass
    : Pass<"linalg-ext-share-among-threads"> {
  let summary = "Let threads of OpenMP share what is computed on buffers";
  let description = [{
    Lets threads of a CPU share linalg ops and `scf.forall` loops on buffers. Runs the
    steps that `steps` names, or all four, in this order.

    ### `tile`

    Tiles linalg ops on buffers that are in no loop into an `scf.forall` over
    tiles of their parallel dimensions. CPU threads can then share the pieces.
    Typical ops are those that `linalg-ext-tile-and-fuse` leaves: plain
    products, reductions of rows and elementwise ops. The step also rewrites
    `memref.copy` as a linalg op and tiles it. It runs after bufferization, so
    that tiling causes no allocations or copies.

    A piece of a contraction has 128 x 128 elements of the result and the whole
    reduction. If that is less than 131072 iterations, it also spans the other
    parallel dimensions as far as needed. A piece of another op spans as many
    inner dimensions as needed for 16384 iterations. The step leaves an op alone if it
    would be a single piece. If a `linalg.fill` initialises the output of a reduction,
    each piece fills its part. The pieces, and so the results, do not depend on the
    number of threads.

    Before:

    ```mlir
    linalg.fill ins(%zero : f32) outs(%c : memref<512x256xf32>)
    linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x256xf32>)
        outs(%c : memref<512x256xf32>)
    ```

    After:

    ```mlir
    scf.forall (%i, %j) = (0, 0) to (512, 256) step (128, 128) {
      %a0 = memref.subview %a[%i, 0] [128, 64] [1, 1] ..
      %b0 = memref.subview %b[0, %j] [64, 128] [1, 1] ..
      %c0 = memref.subview %c[%i, %j] [128, 128] [1, 1] ..
      linalg.fill ins(%zero : f32) outs(%c0 : ..)
      linalg.matmul ins(%a0, %b0 : .., ..) outs(%c0 : ..)
    }
    ```

    ### `parallel`

    Converts each outermost `scf.forall` on buffers to `scf.parallel`, as
    upstream's `scf-forall-to-parallel` does. Threads share the iterations of
    these loops. An `scf.forall` inside another parallel loop becomes `scf.for`
    loops. The step drops the mapping attributes of the loops. A loop that
    returns tensors is an error.

    Run it after bufferization.

    Before:

    ```mlir
    scf.forall (%i) in (8) {
      scf.forall (%j) in (4) {
        "test.op"(%i, %j) : (index, index) -> ()
      }
    }
    ```

    After:

    ```mlir
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      scf.for %j = %c0 to %c4 step %c1 {
        "test.op"(%i, %j) : (index, index) -> ()
      }
    }
    ```

    ### `convert`

    Runs upstream's `convert-scf-to-openmp`, on a module.

    ### `finish`

    Improves the OpenMP loops that `convert-scf-to-openmp` creates:

    - A buffer of static size that each iteration allocates is allocated once
      for each thread, before the loop.
    - A `memref.alloca` of dynamic size becomes a `memref.alloc`, on the heap.
    - A loop without a schedule gets a dynamic one: iterations take different times.
    - A loop that is alone in its parallel region gets `nowait`: the region ends
      with a barrier anyway.
    - A region whose loop has a single iteration starts no threads.

    Before:

    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          memref.alloca_scope {
            %tile = memref.alloc() : memref<64x128xf32>
            ..
            memref.dealloc %tile : memref<64x128xf32>
          }
          omp.yield
        }
      }
      omp.terminator
    }
    ```

    After:

    ```mlir
    %several = arith.cmpi slt, %c1, %n : index
    omp.parallel if(%several) {
      %tile = memref.alloc() : memref<64x128xf32>
      omp.wsloop nowait schedule(dynamic) {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          ..
          omp.yield
        }
      }
      memref.dealloc %tile : memref<64x128xf32>
      omp.terminator
    }
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: tile, parallel, convert, finish; empty runs all">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::omp::OpenMPDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtShareTemporariesPass : Pass<"linalg-ext-share-temporaries"> {
  let summary = "Place the temporary buffers of a function in one allocation";
  let description = [{
    Replaces allocations in the body of a function by views of one allocation,
    which is freed at the end of the body. Each view starts at a multiple of
    64 bytes. Two buffers share memory if the last op of the body that
    accesses one of them comes before the first op that accesses the other. A
    loop accesses a buffer if an op in it does.

    A call then needs less memory, and less time. When a C library frees several
    large buffers, it returns their pages to the system, and the next call has a
    page fault for each page. glibc keeps a single buffer of up to 32 MiB.

    Buffers of static size are packed. The sizes of dynamic buffers cannot be
    compared at compile time. Dynamic buffers that are not used at the same time
    share a part of the allocation, which is as large as the largest of them.

    An allocation does not change

    - in a loop or a branch, or if the function has several blocks;
    - if it, or a view of it, is returned, passed to a call, carried by a loop or
      used by an op whose memory effects are not known;
    - if its size cannot be computed before the first allocation;
    - if its layout is not the identity, if it has a memory space, or if it needs
      a larger alignment;
    - if it would be the only one.

    Run it on buffers, after deallocations have been inserted.

    Before:

    ```mlir
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    %c = memref.alloc() : memref<64xf32>
    linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
    linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
    ```

    After:

    ```mlir
    %block = memref.alloc() {alignment = 64 : i64} : memref<512xi8>
    %a = memref.view %block[%c0][] : memref<512xi8> to memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    %b = memref.view %block[%c256][] : memref<512xi8> to memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    %c = memref.view %block[%c0][] : memref<512xi8> to memref<64xf32>
    linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
    linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
    memref.dealloc %block : memref<512xi8>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // MLIR_EXT_CODEGEN_CPU_PASSES
