// Pages of a cache in int8 with a scale of each row of a head, in pages, too; queries of f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=320 --max-kernels=3 \
// RUN:   --keys=16 --sizes=2x3x5x16,24x4x3x16,24x4x3x16,2x5,24x4x3,24x4x3
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=320 --max-kernels=3 \
// RUN:   --keys=16 --sizes=2x3x5x16,24x4x3x16,24x4x3x16,2x5,24x4x3,24x4x3 --gpu-options=chip=gfx942
// RUN: sed 's/x5x16x/x1x16x/g; s/x5x20x/x1x20x/g; s/6x5x/6x1x/g; s/\[6, 5, /[6, 1, /; s/\[2, 3, 5, /[2, 3, 1, /' %s | linalg-ext-check-program - \
// RUN:   --max-buffer-bytes=320 --max-kernels=3 --keys=16 --sizes=2x3x1x16,24x4x3x16,24x4x3x16,2x5,24x4x3,24x4x3

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#keep = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#pages5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#id5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#pages4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#row4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @paged_int8(%q: tensor<2x3x5x16xf16>,
                 %k_pool: tensor<?x4x3x16xi8> {check.draw = "uniform -127 127"},
                 %v_pool: tensor<?x4x3x16xi8> {check.draw = "uniform -127 127"},
                 %table: tensor<2x5xi64> {check.draw = "uniform 0 23"},
                 %k_scales: tensor<?x4x3xf16> {check.draw = "uniform 0.01 0.02"},
                 %v_scales: tensor<?x4x3xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<2x3x5x16xf32> {
  %wide_empty = tensor.empty() : tensor<2x3x20x16xf16>
  %k_pages = tensor.empty() : tensor<2x5x4x3x16xi8>
  %k_rows = linalg.generic {indexing_maps = [#pages5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%k_pages : tensor<2x5x4x3x16xi8>) {
  ^bb0(%at: i64, %out: i8):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %i = arith.index_cast %at : i64 to index
    %x = tensor.extract %k_pool[%i, %r, %h, %d] : tensor<?x4x3x16xi8>
    linalg.yield %x : i8
  } -> tensor<2x5x4x3x16xi8>
  %k_sequence = tensor.collapse_shape %k_rows [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xi8> into tensor<2x20x3x16xi8>
  %k_empty = tensor.empty() : tensor<2x3x20x16xi8>
  %k_stored = linalg.transpose ins(%k_sequence : tensor<2x20x3x16xi8>) outs(%k_empty : tensor<2x3x20x16xi8>) permutation = [0, 2, 1, 3]
  %k_scale_pages = tensor.empty() : tensor<2x5x4x3xf16>
  %k_scale_rows = linalg.generic {indexing_maps = [#pages4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%k_scale_pages : tensor<2x5x4x3xf16>) {
  ^bb0(%at: i64, %out: f16):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %i = arith.index_cast %at : i64 to index
    %x = tensor.extract %k_scales[%i, %r, %h] : tensor<?x4x3xf16>
    linalg.yield %x : f16
  } -> tensor<2x5x4x3xf16>
  %k_scale_sequence = tensor.collapse_shape %k_scale_rows [[0], [1, 2], [3]] : tensor<2x5x4x3xf16> into tensor<2x20x3xf16>
  %k_scale_empty = tensor.empty() : tensor<2x3x20xf16>
  %k_scale = linalg.transpose ins(%k_scale_sequence : tensor<2x20x3xf16>) outs(%k_scale_empty : tensor<2x3x20xf16>) permutation = [0, 2, 1]
  %k = linalg.generic {indexing_maps = [#id4, #row4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_stored, %k_scale : tensor<2x3x20x16xi8>, tensor<2x3x20xf16>) outs(%wide_empty : tensor<2x3x20x16xf16>) {
  ^bb0(%in: i8, %scale: f16, %out: f16):
    %x = arith.sitofp %in : i8 to f16
    %y = arith.mulf %x, %scale : f16
    linalg.yield %y : f16
  } -> tensor<2x3x20x16xf16>
  %v_pages = tensor.empty() : tensor<2x5x4x3x16xi8>
  %v_rows = linalg.generic {indexing_maps = [#pages5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%v_pages : tensor<2x5x4x3x16xi8>) {
  ^bb0(%at: i64, %out: i8):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %i = arith.index_cast %at : i64 to index
    %x = tensor.extract %v_pool[%i, %r, %h, %d] : tensor<?x4x3x16xi8>
    linalg.yield %x : i8
  } -> tensor<2x5x4x3x16xi8>
  %v_sequence = tensor.collapse_shape %v_rows [[0], [1, 2], [3], [4]] : tensor<2x5x4x3x16xi8> into tensor<2x20x3x16xi8>
  %v_empty = tensor.empty() : tensor<2x3x20x16xi8>
  %v_stored = linalg.transpose ins(%v_sequence : tensor<2x20x3x16xi8>) outs(%v_empty : tensor<2x3x20x16xi8>) permutation = [0, 2, 1, 3]
  %v_scale_pages = tensor.empty() : tensor<2x5x4x3xf16>
  %v_scale_rows = linalg.generic {indexing_maps = [#pages4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<2x5xi64>) outs(%v_scale_pages : tensor<2x5x4x3xf16>) {
  ^bb0(%at: i64, %out: f16):
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %i = arith.index_cast %at : i64 to index
    %x = tensor.extract %v_scales[%i, %r, %h] : tensor<?x4x3xf16>
    linalg.yield %x : f16
  } -> tensor<2x5x4x3xf16>
  %v_scale_sequence = tensor.collapse_shape %v_scale_rows [[0], [1, 2], [3]] : tensor<2x5x4x3xf16> into tensor<2x20x3xf16>
  %v_scale_empty = tensor.empty() : tensor<2x3x20xf16>
  %v_scale = linalg.transpose ins(%v_scale_sequence : tensor<2x20x3xf16>) outs(%v_scale_empty : tensor<2x3x20xf16>) permutation = [0, 2, 1]
  %v = linalg.generic {indexing_maps = [#id4, #row4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_stored, %v_scale : tensor<2x3x20x16xi8>, tensor<2x3x20xf16>) outs(%wide_empty : tensor<2x3x20x16xf16>) {
  ^bb0(%in: i8, %scale: f16, %out: f16):
    %x = arith.sitofp %in : i8 to f16
    %y = arith.mulf %x, %scale : f16
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
