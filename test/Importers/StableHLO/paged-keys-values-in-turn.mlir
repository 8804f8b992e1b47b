// Pages of a cache that has keys and values in turn, as heads 2 h and 2 h + 1 of a row:
// one gather, and two slices of it.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=320 --max-kernels=3 --keys=16

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @paged(%q: tensor<2x6x16xf16>, %kv_pool: tensor<24x4x6x16xf16>,
                 %table: tensor<2x5xi32> {check.draw = "uniform -3 27"},
                 %lengths: tensor<2xi32> {check.draw = "uniform 1 20"}) -> tensor<2x6x16xf32> {
  %c0 = arith.constant 0 : index
  %last = arith.constant 23 : index
  %kv_empty = tensor.empty() : tensor<2x5x4x6x16xf16>
  %kv_pages = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%kv_empty : tensor<2x5x4x6x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %at = tensor.extract %table[%b, %p] : tensor<2x5xi32>
    %start = arith.index_cast %at : i32 to index
    %above = arith.maxsi %start, %c0 : index
    %page = arith.minsi %above, %last : index
    %x = tensor.extract %kv_pool[%page, %r, %h, %d] : tensor<24x4x6x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x5x4x6x16xf16>
  %kv_rows = tensor.collapse_shape %kv_pages [[0], [1, 2], [3], [4]] : tensor<2x5x4x6x16xf16> into tensor<2x20x6x16xf16>
  %k_heads = tensor.extract_slice %kv_rows[0, 0, 0, 0] [2, 20, 3, 16] [1, 1, 2, 1] : tensor<2x20x6x16xf16> to tensor<2x20x3x16xf16>
  %k_turned = tensor.empty() : tensor<2x3x20x16xf16>
  %k = linalg.transpose ins(%k_heads : tensor<2x20x3x16xf16>) outs(%k_turned : tensor<2x3x20x16xf16>) permutation = [0, 2, 1, 3]
  %v_heads = tensor.extract_slice %kv_rows[0, 0, 1, 0] [2, 20, 3, 16] [1, 1, 2, 1] : tensor<2x20x6x16xf16> to tensor<2x20x3x16xf16>
  %v_turned = tensor.empty() : tensor<2x3x20x16xf16>
  %v = linalg.transpose ins(%v_heads : tensor<2x20x3x16xf16>) outs(%v_turned : tensor<2x3x20x16xf16>) permutation = [0, 2, 1, 3]
  %q0 = tensor.expand_shape %q [[0], [1, 2], [3]] output_shape [2, 3, 2, 16] : tensor<2x6x16xf16> into tensor<2x3x2x16xf16>
  %q1 = tensor.collapse_shape %q0 [[0, 1], [2], [3]] : tensor<2x3x2x16xf16> into tensor<6x2x16xf16>
  %kt_empty = tensor.empty() : tensor<2x3x16x20xf16>
  %kt = linalg.transpose ins(%k : tensor<2x3x20x16xf16>) outs(%kt_empty : tensor<2x3x16x20xf16>) permutation = [0, 1, 3, 2]
  %k1 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x16x20xf16> into tensor<6x16x20xf16>
  %v1 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x20x16xf16> into tensor<6x20x16xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %s_empty = tensor.empty() : tensor<6x2x20xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<6x2x20xf32>) -> tensor<6x2x20xf32>
  %s0 = linalg.batch_matmul ins(%q1, %k1 : tensor<6x2x16xf16>, tensor<6x16x20xf16>) outs(%s_zero : tensor<6x2x20xf32>) -> tensor<6x2x20xf32>
  %s1 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0 : tensor<6x2x20xf32>) outs(%s_empty : tensor<6x2x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %scale : f32
    linalg.yield %y : f32
  } -> tensor<6x2x20xf32>
  %minus = arith.constant -2.38197633E+38 : f32
  %s2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s1 : tensor<6x2x20xf32>) outs(%s_empty : tensor<6x2x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = linalg.index 0 : index
    %j = linalg.index 2 : index
    %heads = arith.constant 3 : index
    %b = arith.divui %n, %heads : index
    %length = tensor.extract %lengths[%b] : tensor<2xi32>
    %j32 = arith.index_cast %j : index to i32
    %inside = arith.cmpi slt, %j32, %length : i32
    %y = arith.select %inside, %in, %minus : f32
    linalg.yield %y : f32
  } -> tensor<6x2x20xf32>
  %m_empty = tensor.empty() : tensor<6x2xf32>
  %m_low = linalg.fill ins(%low : f32) outs(%m_empty : tensor<6x2xf32>) -> tensor<6x2xf32>
  %m = linalg.generic {indexing_maps = [#id3, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s2 : tensor<6x2x20xf32>) outs(%m_low : tensor<6x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %out, %in : f32
    linalg.yield %y : f32
  } -> tensor<6x2xf32>
  %e = linalg.generic {indexing_maps = [#id3, #row, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s2, %m : tensor<6x2x20xf32>, tensor<6x2xf32>) outs(%s_empty : tensor<6x2x20xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %y = arith.subf %in, %max : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32
  } -> tensor<6x2x20xf32>
  %l_zero = linalg.fill ins(%zero : f32) outs(%m_empty : tensor<6x2xf32>) -> tensor<6x2xf32>
  %l = linalg.generic {indexing_maps = [#id3, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<6x2x20xf32>) outs(%l_zero : tensor<6x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %out, %in : f32
    linalg.yield %y : f32
  } -> tensor<6x2xf32>
  %p_empty = tensor.empty() : tensor<6x2x20xf16>
  %p = linalg.generic {indexing_maps = [#id3, #row, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<6x2x20xf32>, tensor<6x2xf32>) outs(%p_empty : tensor<6x2x20xf16>) {
  ^bb0(%in: f32, %sum: f32, %out: f16):
    %y = arith.divf %in, %sum : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<6x2x20xf16>
  %o_empty = tensor.empty() : tensor<6x2x16xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %o = linalg.batch_matmul ins(%p, %v1 : tensor<6x2x20xf16>, tensor<6x20x16xf16>) outs(%o_zero : tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %o1 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 2, 16] : tensor<6x2x16xf32> into tensor<2x3x2x16xf32>
  %r = tensor.collapse_shape %o1 [[0], [1, 2], [3]] : tensor<2x3x2x16xf32> into tensor<2x6x16xf32>
  return %r : tensor<2x6x16xf32>
}
