// A linear layer of f32 whose rows are quantized as they come: the largest absolute value of a
// row is 127, the rest is rounded and clamped, and the product is one of integers, which is
// scaled for each row and each column.

// One kernel quantizes, and writes the scales of rows, too. The other one multiplies and scales.
// On a CPU these are two loop nests; a product of one tile, which this is with caches as they
// are, stores its sums.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=12288 --max-kernels=2
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=4864 --cpu-options='l1-bytes=1024 l2-bytes=8192'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=2 --gpu-options=chip=gfx942
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=2

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @dynamic(%x: tensor<37x96xf32>, %w: tensor<96x75xi8> {check.draw = "uniform -127 127"}, %ws: tensor<75xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<37x75xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %m0 = tensor.empty() : tensor<37xf32>
  %m1 = linalg.fill ins(%zero : f32) outs(%m0 : tensor<37xf32>) -> tensor<37xf32>
  %max = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x96xf32>) outs(%m1 : tensor<37xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = math.absf %a : f32
    %1 = arith.maximumf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%max : tensor<37xf32>) outs(%m0 : tensor<37xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c127 = arith.constant 127.0 : f32
    %eps = arith.constant 1.0e-10 : f32
    %0 = arith.divf %a, %c127 : f32
    %1 = arith.maximumf %0, %eps : f32
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  %q0 = tensor.empty() : tensor<37x96xi8>
  %q = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %scale : tensor<37x96xf32>, tensor<37xf32>) outs(%q0 : tensor<37x96xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %lo = arith.constant -127.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %lo : f32
    %3 = arith.minimumf %2, %hi : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<37x96xi8>
  %p0 = tensor.empty() : tensor<37x75xi32>
  %p1 = linalg.fill ins(%c0 : i32) outs(%p0 : tensor<37x75xi32>) -> tensor<37x75xi32>
  %p = linalg.matmul ins(%q, %w : tensor<37x96xi8>, tensor<96x75xi8>) outs(%p1 : tensor<37x75xi32>) -> tensor<37x75xi32>
  %r0 = tensor.empty() : tensor<37x75xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row, #col, #id2], iterator_types = ["parallel", "parallel"]} ins(%p, %scale, %ws : tensor<37x75xi32>, tensor<37xf32>, tensor<75xf32>) outs(%r0 : tensor<37x75xf32>) {
  ^bb0(%a: i32, %s: f32, %t: f32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<37x75xf32>
  return %r : tensor<37x75xf32>
}
