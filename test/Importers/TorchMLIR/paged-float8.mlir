// Pages of a cache in f8, with a scale of all keys and one of all values; queries of f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=320 --max-kernels=3 \
// RUN:   --keys=16 --sizes=2x3x5x16,24x4x3x16,24x4x3x16,2x5,2
// RUN: sed 's/f8E4M3FN/f8E5M2FNUZ/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=320 --max-kernels=3 \
// RUN:   --keys=16 --sizes=2x3x5x16,24x4x3x16,24x4x3x16,2x5,2 --gpu-options=chip=gfx942

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#keep = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#pages5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#id5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

func.func @paged_float8(%q: tensor<2x3x5x16xf16>,
                 %k_pool: tensor<?x4x3x16xf8E4M3FN> {check.draw = "uniform -2 2"},
                 %v_pool: tensor<?x4x3x16xf8E4M3FN> {check.draw = "uniform -2 2"},
                 %table: tensor<2x5xi64> {check.draw = "uniform -24 23"},
                 %scales: tensor<2xf16> {check.draw = "uniform 0.25 0.5"}) -> tensor<2x3x5x16xf32> {
  %c0 = arith.constant 0 : index
  %first_page = arith.constant 0 : i64
  %k_pages = tensor.empty() : tensor<2x5x4x3x16xf8E4M3FN>
  %k_rows = linalg.generic {indexing_maps = [#pages5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%k_pages : tensor<2x5x4x3x16xf8E4M3FN>) {
  ^bb0(%at: i64, %out: f8E4M3FN):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %dim = tensor.dim %k_pool, %c0 : tensor<?x4x3x16xf8E4M3FN>
    %size = arith.index_cast %dim : index to i64
    %negative = arith.cmpi slt, %at, %first_page : i64
    %wrapped = arith.addi %at, %size : i64
    %page = arith.select %negative, %wrapped, %at : i64
    %i = arith.index_cast %page : i64 to index
    %x = tensor.extract %k_pool[%i, %r, %h, %d] : tensor<?x4x3x16xf8E4M3FN>
    linalg.yield %x : f8E4M3FN
  } -> tensor<2x5x4x3x16xf8E4M3FN>
  %k_sequence = tensor.collapse_shape %k_rows [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xf8E4M3FN> into tensor<2x20x3x16xf8E4M3FN>
  %k_empty = tensor.empty() : tensor<2x3x20x16xf8E4M3FN>
  %k8 = linalg.transpose ins(%k_sequence : tensor<2x20x3x16xf8E4M3FN>) outs(%k_empty : tensor<2x3x20x16xf8E4M3FN>) permutation = [0, 2, 1, 3]
  %v_pages = tensor.empty() : tensor<2x5x4x3x16xf8E4M3FN>
  %v_rows = linalg.generic {indexing_maps = [#pages5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%v_pages : tensor<2x5x4x3x16xf8E4M3FN>) {
  ^bb0(%at: i64, %out: f8E4M3FN):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %dim = tensor.dim %v_pool, %c0 : tensor<?x4x3x16xf8E4M3FN>
    %size = arith.index_cast %dim : index to i64
    %negative = arith.cmpi slt, %at, %first_page : i64
    %wrapped = arith.addi %at, %size : i64
    %page = arith.select %negative, %wrapped, %at : i64
    %i = arith.index_cast %page : i64 to index
    %x = tensor.extract %v_pool[%i, %r, %h, %d] : tensor<?x4x3x16xf8E4M3FN>
    linalg.yield %x : f8E4M3FN
  } -> tensor<2x5x4x3x16xf8E4M3FN>
  %v_sequence = tensor.collapse_shape %v_rows [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xf8E4M3FN> into tensor<2x20x3x16xf8E4M3FN>
  %v_empty = tensor.empty() : tensor<2x3x20x16xf8E4M3FN>
  %v8 = linalg.transpose ins(%v_sequence : tensor<2x20x3x16xf8E4M3FN>) outs(%v_empty : tensor<2x3x20x16xf8E4M3FN>) permutation = [0, 2, 1, 3]
  %wide_empty = tensor.empty() : tensor<2x3x20x16xf16>
  %at_k = arith.constant 0 : index
  %k = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k8 : tensor<2x3x20x16xf8E4M3FN>) outs(%wide_empty : tensor<2x3x20x16xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %scale_k = tensor.extract %scales[%at_k] : tensor<2xf16>
    %x = arith.extf %in : f8E4M3FN to f16
    %y = arith.mulf %x, %scale_k : f16
    linalg.yield %y : f16
  } -> tensor<2x3x20x16xf16>
  %at_v = arith.constant 1 : index
  %v = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<2x3x20x16xf8E4M3FN>) outs(%wide_empty : tensor<2x3x20x16xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %scale_v = tensor.extract %scales[%at_v] : tensor<2xf16>
    %x = arith.extf %in : f8E4M3FN to f16
    %y = arith.mulf %x, %scale_v : f16
    linalg.yield %y : f16
  } -> tensor<2x3x20x16xf16>
  %kt_empty = tensor.empty() : tensor<2x3x16x20xf16>
  %k0 = linalg.transpose ins(%k : tensor<2x3x20x16xf16>) outs(%kt_empty : tensor<2x3x16x20xf16>) permutation = [0, 1, 3, 2]
  %q1 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x16xf16> into tensor<6x5x16xf16>
  %k1 = tensor.collapse_shape %k0 [[0, 1], [2], [3]] : tensor<2x3x16x20xf16> into tensor<6x16x20xf16>
  %v1 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x20x16xf16> into tensor<6x20x16xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %scale = arith.constant 0.25 : f64
  %s_empty = tensor.empty() : tensor<6x5x20xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<6x5x20xf32>) -> tensor<6x5x20xf32>
  %s0 = linalg.batch_matmul ins(%q1, %k1 : tensor<6x5x16xf16>, tensor<6x16x20xf16>) outs(%s_zero : tensor<6x5x20xf32>) -> tensor<6x5x20xf32>
  %s1 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0 : tensor<6x5x20xf32>) outs(%s_empty : tensor<6x5x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %f = arith.truncf %scale : f64 to f32
    %y = arith.mulf %in, %f : f32
    linalg.yield %y : f32
  } -> tensor<6x5x20xf32>
  %m_empty = tensor.empty() : tensor<6x5xf32>
  %m_low = linalg.fill ins(%low : f32) outs(%m_empty : tensor<6x5xf32>) -> tensor<6x5xf32>
  %a_empty = tensor.empty() : tensor<6x5xi64>
  %a_first = linalg.fill ins(%first : i64) outs(%a_empty : tensor<6x5xi64>) -> tensor<6x5xi64>
  %m:2 = linalg.generic {indexing_maps = [#id3, #row, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s1 : tensor<6x5x20xf32>) outs(%m_low, %a_first : tensor<6x5xf32>, tensor<6x5xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %j = linalg.index 2 : index
    %i = arith.index_cast %j : index to i64
    %max = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %arg = arith.select %gt, %i, %at : i64
    linalg.yield %max, %arg : f32, i64
  } -> (tensor<6x5xf32>, tensor<6x5xi64>)
  %m1 = tensor.expand_shape %m#0 [[0], [1, 2]] output_shape [6, 5, 1] : tensor<6x5xf32> into tensor<6x5x1xf32>
  %e0 = linalg.generic {indexing_maps = [#id3, #keep, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s1, %m1 : tensor<6x5x20xf32>, tensor<6x5x1xf32>) outs(%s_empty : tensor<6x5x20xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %y = arith.subf %in, %max : f32
    linalg.yield %y : f32
  } -> tensor<6x5x20xf32>
  %e1 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e0 : tensor<6x5x20xf32>) outs(%s_empty : tensor<6x5x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<6x5x20xf32>
  %l_empty = tensor.empty() : tensor<6x5x1xf32>
  %l_zero = linalg.fill ins(%zero : f32) outs(%l_empty : tensor<6x5x1xf32>) -> tensor<6x5x1xf32>
  %l = linalg.generic {indexing_maps = [#id3, #keep], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e1 : tensor<6x5x20xf32>) outs(%l_zero : tensor<6x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<6x5x1xf32>
  %p_empty = tensor.empty() : tensor<6x5x20xf16>
  %p = linalg.generic {indexing_maps = [#id3, #keep, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e1, %l : tensor<6x5x20xf32>, tensor<6x5x1xf32>) outs(%p_empty : tensor<6x5x20xf16>) {
  ^bb0(%in: f32, %sum: f32, %out: f16):
    %y = arith.divf %in, %sum : f32
    %h = arith.truncf %y : f32 to f16
    linalg.yield %h : f16
  } -> tensor<6x5x20xf16>
  %o_empty = tensor.empty() : tensor<6x5x16xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<6x5x16xf32>) -> tensor<6x5x16xf32>
  %o = linalg.batch_matmul ins(%p, %v1 : tensor<6x5x20xf16>, tensor<6x20x16xf16>) outs(%o_zero : tensor<6x5x16xf32>) -> tensor<6x5x16xf32>
  %r = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 5, 16] : tensor<6x5x16xf32> into tensor<2x3x5x16xf32>
  return %r : tensor<2x3x5x16xf32>
}
