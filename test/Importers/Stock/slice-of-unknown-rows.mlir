// Rows of unknown images and tokens that are a slice of the columns of a tensor, as the parts of a
// product of queries, keys and values are, or a slice of images: one kernel, and no copy.

// RUN: linalg-ext-check-program %s --sizes=3x43x384,-,-,3x43,3x43x576 --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %s --sizes=13x5x384,-,-,13x5,13x5x576 --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=gfx942
// RUN: sed "s/\[0, 0, 128\]/[2, 0, 128]/; s/dim .xx, .c0 : tensor<?x?x384xf16>/dim %%scales, %%c0 : tensor<?x?xf32>/" %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --sizes=5x43x384,-,-,3x43,3x43x576 --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (f, k)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
#id = affine_map<(b, n, f) -> (b, n, f)>
#bias = affine_map<(b, n, f) -> (f)>
#row = affine_map<(b, n, f) -> (b, n)>
func.func @f(%xx: tensor<?x?x384xf16>, %w: tensor<576x128xf16>, %bias: tensor<576xf32>, %scales: tensor<?x?xf32>, %r: tensor<?x?x576xf16>) -> tensor<?x?x576xf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %xx, %c0 : tensor<?x?x384xf16>
  %n = tensor.dim %xx, %c1 : tensor<?x?x384xf16>
  %x = tensor.extract_slice %xx[0, 0, 128] [%b, %n, 128] [1, 1, 1] : tensor<?x?x384xf16> to tensor<?x?x128xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x576xf32>
  %h = tensor.empty(%b, %n) : tensor<?x?x576xf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x576xf32>) -> tensor<?x?x576xf32>
  %p = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x128xf16>, tensor<576x128xf16>) outs(%f : tensor<?x?x576xf32>) {
  ^bb0(%a: f16, %c: f16, %d: f32):
    %l = arith.extf %a : f16 to f32
    %rr = arith.extf %c : f16 to f32
    %m = arith.mulf %l, %rr : f32
    %t = arith.addf %d, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?x576xf32>
  %q = linalg.generic {indexing_maps = [#id, #bias, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %bias, %scales, %r : tensor<?x?x576xf32>, tensor<576xf32>, tensor<?x?xf32>, tensor<?x?x576xf16>) outs(%h : tensor<?x?x576xf16>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %g: f16, %o: f16):
    %0 = arith.mulf %a, %d : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.extf %g : f16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x?x576xf16>
  return %q : tensor<?x?x576xf16>
}
