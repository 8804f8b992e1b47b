// Layers in a loop to a size: tiles of their weights are copied by tensor maps, at the position that
// the loop counts.

// RUN: linalg-ext-check-program %s --sizes=-,2x128x128,2x128x128 --targets=gpu --gpu-options="chip=sm_90a async-products=true" --max-kernels=5
// RUN: linalg-ext-check-program %s --sizes=-,1x128x128,1x128x128 --cpu-options=cpu=host --max-kernels=3

func.func @layers(%x: tensor<1x256x128xf16>, %ws: tensor<?x128x128xf16> {check.draw = "uniform -0.01 0.01"}, %wp: tensor<?x128x128xf16> {check.draw = "uniform -0.01 0.01"}) -> tensor<1x256x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : f16
  %n = tensor.dim %ws, %c0 : tensor<?x128x128xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<1x256x128xf16>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<?x128x128xf16> to tensor<1x128x128xf16>
    %w2 = tensor.extract_slice %wp[%i, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<?x128x128xf16> to tensor<1x128x128xf16>
    %e = tensor.empty() : tensor<1x256x128xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256x128xf32>) -> tensor<1x256x128xf32>
    %q32 = linalg.batch_matmul ins(%h, %w : tensor<1x256x128xf16>, tensor<1x128x128xf16>) outs(%z : tensor<1x256x128xf32>) -> tensor<1x256x128xf32>
    %eh = tensor.empty() : tensor<1x256x128xf16>
    %q = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%q32 : tensor<1x256x128xf32>) outs(%eh : tensor<1x256x128xf16>) {
    ^bb0(%a: f32, %o: f16):
      %t = arith.truncf %a : f32 to f16
      linalg.yield %t : f16
    } -> tensor<1x256x128xf16>
    %y32 = linalg.batch_matmul ins(%q, %w2 : tensor<1x256x128xf16>, tensor<1x128x128xf16>) outs(%z : tensor<1x256x128xf32>) -> tensor<1x256x128xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%y32 : tensor<1x256x128xf32>) outs(%eh : tensor<1x256x128xf16>) {
    ^bb0(%a: f32, %o: f16):
      %t = arith.truncf %a : f32 to f16
      linalg.yield %t : f16
    } -> tensor<1x256x128xf16>
    scf.yield %y : tensor<1x256x128xf16>
  }
  return %r : tensor<1x256x128xf16>
}
