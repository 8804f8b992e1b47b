// A product of tokens in several dimensions, as IREE's tests of encodings write it: the loop of
// the sum is called parallel, and one of the rows a reduction. What they are follows from the
// maps. Taken by their names, threads of several workgroups would add to one element.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-scalar-kernels=0 --max-buffer-bytes=33000
// RUN: linalg-ext-check-program %s --max-kernels=2 --max-scalar-kernels=0 --max-buffer-bytes=33000 --targets=gpu --gpu-options=chip=gfx1201

func.func @tokens(%x: tensor<37x4x32xf32>, %w: tensor<32x29xf32>, %y: tensor<37x4x29xf32>) -> tensor<37x4x29xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, n, k, b) -> (a, b, k)>, affine_map<(a, n, k, b) -> (k, n)>, affine_map<(a, n, k, b) -> (a, b, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<37x4x32xf32>, tensor<32x29xf32>) outs(%y : tensor<37x4x29xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %1 = arith.mulf %in, %weight : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<37x4x29xf32>
  return %0 : tensor<37x4x29xf32>
}
