// Pages of a cache of all layers: a page has keys and values of three layers, and
// aten.index_select takes part 6 p + 2 + {0, 1} of the pool, the second layer of page p.
// On a GPU, three small kernels compute the parts: two of them could be one.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=320 --max-kernels=4 --keys=16

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#rows4 = affine_map<(d0, d1, d2, d3) -> (d0)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @paged(%q: tensor<2x6x16xf16>, %cache: tensor<24x3x2x4x3x16xf16>,
                 %table: tensor<2x5xi64> {check.draw = "uniform 0 23"},
                 %lengths: tensor<2xi32> {check.draw = "uniform 1 20"}) -> tensor<2x6x16xf32> {
  %pool = tensor.collapse_shape %cache [[0, 1, 2], [3], [4], [5]] : tensor<24x3x2x4x3x16xf16> into tensor<144x4x3x16xf16>
  %six = arith.constant 6 : i64
  %ids_empty = tensor.empty() : tensor<2x5xi64>
  %ids = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%ids_empty : tensor<2x5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %y = arith.muli %in, %six : i64
    linalg.yield %y : i64
  } -> tensor<2x5xi64>
  %k_part = arith.constant 2 : i64
  %k_ids = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%ids_empty : tensor<2x5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %y = arith.addi %in, %k_part : i64
    linalg.yield %y : i64
  } -> tensor<2x5xi64>
  %k_flat = tensor.collapse_shape %k_ids [[0, 1]] : tensor<2x5xi64> into tensor<10xi64>
  %k_empty = tensor.empty() : tensor<10x4x3x16xf16>
  %k_pages = linalg.generic {indexing_maps = [#rows4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_flat : tensor<10xi64>) outs(%k_empty : tensor<10x4x3x16xf16>) {
  ^bb0(%at: i64, %out: f16):
    %i = arith.index_cast %at : i64 to index
    %r = linalg.index 1 : index
    %h = linalg.index 2 : index
    %d = linalg.index 3 : index
    %x = tensor.extract %pool[%i, %r, %h, %d] : tensor<144x4x3x16xf16>
    linalg.yield %x : f16
  } -> tensor<10x4x3x16xf16>
  %k_split = tensor.expand_shape %k_pages [[0, 1], [2], [3], [4]] output_shape [2, 5, 4, 3, 16] : tensor<10x4x3x16xf16> into tensor<2x5x4x3x16xf16>
  %k_rows = tensor.collapse_shape %k_split [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xf16> into tensor<2x20x3x16xf16>
  %k_turned = tensor.empty() : tensor<2x3x20x16xf16>
  %k = linalg.transpose ins(%k_rows : tensor<2x20x3x16xf16>) outs(%k_turned : tensor<2x3x20x16xf16>) permutation = [0, 2, 1, 3]
  %v_part = arith.constant 3 : i64
  %v_ids = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2x5xi64>) outs(%ids_empty : tensor<2x5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %y = arith.addi %in, %v_part : i64
    linalg.yield %y : i64
  } -> tensor<2x5xi64>
  %v_flat = tensor.collapse_shape %v_ids [[0, 1]] : tensor<2x5xi64> into tensor<10xi64>
  %v_empty = tensor.empty() : tensor<10x4x3x16xf16>
  %v_pages = linalg.generic {indexing_maps = [#rows4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_flat : tensor<10xi64>) outs(%v_empty : tensor<10x4x3x16xf16>) {
  ^bb0(%at: i64, %out: f16):
    %i = arith.index_cast %at : i64 to index
    %r = linalg.index 1 : index
    %h = linalg.index 2 : index
    %d = linalg.index 3 : index
    %x = tensor.extract %pool[%i, %r, %h, %d] : tensor<144x4x3x16xf16>
    linalg.yield %x : f16
  } -> tensor<10x4x3x16xf16>
  %v_split = tensor.expand_shape %v_pages [[0, 1], [2], [3], [4]] output_shape [2, 5, 4, 3, 16] : tensor<10x4x3x16xf16> into tensor<2x5x4x3x16xf16>
  %v_rows = tensor.collapse_shape %v_split [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xf16> into tensor<2x20x3x16xf16>
  %v_turned = tensor.empty() : tensor<2x3x20x16xf16>
  %v = linalg.transpose ins(%v_rows : tensor<2x20x3x16xf16>) outs(%v_turned : tensor<2x3x20x16xf16>) permutation = [0, 2, 1, 3]
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
  %minus = arith.constant 0xFF800000 : f32
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
