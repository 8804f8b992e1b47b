// Keys and values are padded to a multiple of 16, and hidden.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @padded(%q: tensor<3x37x16xf32>,
                  %k: tensor<3x45x16xf32>,
                  %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c45 = arith.constant 45 : index
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.pad %k low[0, 0, 0] high[0, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %cst : f32
  } : tensor<3x45x16xf32> to tensor<3x48x16xf32>
  %1 = tensor.pad %v low[0, 0, 0] high[0, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %cst : f32
  } : tensor<3x45x16xf32> to tensor<3x48x16xf32>
  %2 = tensor.empty() : tensor<3x37x48xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x37x48xf32>) -> tensor<3x37x48xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %0 : tensor<3x37x16xf32>, tensor<3x48x16xf32>) outs(%3 : tensor<3x37x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %5 = arith.mulf %in, %in_1 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<3x37x48xf32>
  %7 = tensor.empty() : tensor<3x37x48xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<3x37x48xf32>) outs(%7 : tensor<3x37x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = linalg.index 2 : index
    %10 = arith.cmpi ult, %9, %c45 : index
    %11 = arith.select %10, %in, %cst_1 : f32
    linalg.yield %11 : f32
  } -> tensor<3x37x48xf32>
  %12 = tensor.empty() : tensor<3x37x48xf32>
  %13 = linalg.softmax dimension(2) ins(%8 : tensor<3x37x48xf32>) outs(%12 : tensor<3x37x48xf32>) -> tensor<3x37x48xf32>
  %14 = tensor.empty() : tensor<3x37x16xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %16 = linalg.batch_matmul ins(%13, %1 : tensor<3x37x48xf32>, tensor<3x48x16xf32>) outs(%15 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %16 : tensor<3x37x16xf32>
}
