// The largest magnitude and the sum of all elements of a tensor, as quantisation of a tensor
// and losses have them. On a GPU, workgroups reduce rows, and one reduces what they leave.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=4 --max-buffer-bytes=280
// RUN: linalg-ext-check-program %s --targets=cpu

func.func @largest(%x: tensor<70x1000xf32> {check.draw = "uniform -2 2"}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<70x1000xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = math.absf %in : f32
    %1 = arith.maximumf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %max : tensor<f32>
}

func.func @sum(%x: tensor<20x4100xf16> {check.draw = "uniform 0.5 2"}, %start: tensor<f32>) -> tensor<f32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<20x4100xf16>) outs(%start : tensor<f32>) {
  ^bb0(%in: f16, %acc: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
