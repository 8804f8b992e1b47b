// An integer product (MatMulInteger) of activations that are quantized as they come
// (DynamicQuantizeLinear): one scale and one zero point for the whole tensor, from its maximum
// and its minimum, of which 0 is always between. The product subtracts the zero point, and is
// scaled in f32.

// The zero point leaves the product, whose operands are bytes then, also of few rows. One kernel has
// the maximum and the minimum, one quantizes, and one sums the weights.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=11264 --max-kernels=4
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=3584 --max-kernels=4 --gpu-options=chip=gfx942
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=512 --max-kernels=4

// Up to 16 known rows: the product sums the weights, too, as the rows of a second one are ones. The rest is a
// kernel for the maximum and the minimum, and one that quantizes. Sums of 600 and columns of 75 are no multiples.
// On AMD's chips the sums of the weights are a kernel, and workgroups sum parts.

// RUN: sed 's/37x/5x/g; s/96/600/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=5 --min-informative=0 --gpu-options=chip=gfx942
// RUN: sed 's/37x/1x/g; s/96/1280/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=1280 --max-kernels=3 --min-informative=0
// RUN: sed 's/37x/5x/g; s/96/600/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=3000 --max-kernels=3 --min-informative=0
// RUN: sed 's/37x/5x/g; s/96/640/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=3200 --max-kernels=3 --min-informative=0 --gpu-options=chip=sm_80
// RUN: sed 's/37x/16x/g; s/96/1280/g; s/extsi %b/extui %b/' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=20480 --max-kernels=3 --min-informative=0

// An unknown number of rows: 5 and 1.
// RUN: sed 's/37x/?x/g; s/tensor.empty() : tensor<?x/tensor.empty(%rows) : tensor<?x/; s/^  %c0 = arith.constant 0 : i32/&\n  %i0 = arith.constant 0 : index\n  %rows = tensor.dim %x, %i0 : tensor<?x96xf32>/' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --sizes=5x96,-,- --max-buffer-bytes=11264 --max-kernels=4
// RUN: linalg-ext-check-program %t.mlir --sizes=1x96,-,- --targets=gpu --max-buffer-bytes=512 --max-kernels=4

// A larger tensor: a kernel reduces rows in front. Chunks of the weights are summed in front, too. On
// AMD GPUs, another kernel adds the parts of the product.
// RUN: sed 's/37x/5x/g; s/96/16384/g; s/75/80/g; s/-127 127/-1 1/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=82000 --max-kernels=7 --min-informative=0

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1) -> ()>
#s = affine_map<() -> ()>

func.func @dynamic_quantize(%x: tensor<37x96xf32>, %w: tensor<96x75xi8> {check.draw = "uniform -127 127"}, %w_scale: tensor<f32> {check.draw = "uniform 0.01 0.02"}) -> tensor<37x75xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#id2, #all], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<37x96xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %min = linalg.generic {indexing_maps = [#id2, #all], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<37x96xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.minimumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %scale = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%max, %min : tensor<f32>, tensor<f32>) outs(%e0 : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c255 = arith.constant 255.0 : f32
    %0 = arith.subf %a, %b : f32
    %1 = arith.divf %0, %c255 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %z0 = tensor.empty() : tensor<i8>
  %zp = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%min, %scale : tensor<f32>, tensor<f32>) outs(%z0 : tensor<i8>) {
  ^bb0(%a: f32, %b: f32, %o: i8):
    %hi = arith.constant 255.0 : f32
    %0 = arith.negf %a : f32
    %1 = arith.divf %0, %b : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<i8>
  %q0 = tensor.empty() : tensor<37x96xi8>
  %q = linalg.generic {indexing_maps = [#id2, #all, #all, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %scale, %zp : tensor<37x96xf32>, tensor<f32>, tensor<i8>) outs(%q0 : tensor<37x96xi8>) {
  ^bb0(%a: f32, %s: f32, %z: i8, %o: i8):
    %hi = arith.constant 255.0 : f32
    %0 = arith.divf %a, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.uitofp %z : i8 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<37x96xi8>
  %p0 = tensor.empty() : tensor<37x75xi32>
  %p1 = linalg.fill ins(%c0 : i32) outs(%p0 : tensor<37x75xi32>) -> tensor<37x75xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> ()>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w, %zp : tensor<37x96xi8>, tensor<96x75xi8>, tensor<i8>) outs(%p1 : tensor<37x75xi32>) {
  ^bb0(%a: i8, %b: i8, %z: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<37x75xi32>
  %r0 = tensor.empty() : tensor<37x75xf32>
  %r = linalg.generic {indexing_maps = [#id2, #all, #all, #id2], iterator_types = ["parallel", "parallel"]} ins(%p, %scale, %w_scale : tensor<37x75xi32>, tensor<f32>, tensor<f32>) outs(%r0 : tensor<37x75xf32>) {
  ^bb0(%a: i32, %s: f32, %t: f32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %s, %t : f32
    %2 = arith.mulf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<37x75xf32>
  return %r : tensor<37x75xf32>
}
