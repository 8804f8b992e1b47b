// Parts that the compiler chooses (key-subgroups=0), executed: two heads are few
// workgroups. Neither rows nor keys divide the sizes.

// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options='chip=sm_90a key-subgroups=0' \
// RUN:   --max-buffer-bytes=30000 --max-kernels=1
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=0 key-subgroups=0' | FileCheck %s

// CHECK-LABEL: func @full
// CHECK:         scf.forall ({{.*}}) in (4)
// CHECK:         gpu.warp<linear_dim_0>
// CHECK-LABEL: func @causal
// CHECK:         scf.forall ({{.*}}) in (2)
// CHECK:         gpu.warp<linear_dim_0>

#q = affine_map<(h, m, n, d) -> (h, m, d)>
#k = affine_map<(h, m, n, d) -> (h, n, d)>
#s = affine_map<(h, m, n, d) -> (h, m, n)>
#p = affine_map<(h, m, n) -> (h, m, n)>

func.func @full(%q: tensor<2x33x16xf16>, %k: tensor<2x520x16xf16>, %v: tensor<2x520x16xf16>) -> tensor<2x33x16xf16> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 2.500000000e-01 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x33x520xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x33x520xf32>) -> tensor<2x33x520xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x33x16xf16>, tensor<2x520x16xf16>) outs(%f : tensor<2x33x520xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.extf %b : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x33x520xf32>
  %t = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x33x520xf32>) outs(%e : tensor<2x33x520xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<2x33x520xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<2x33x520xf32>) outs(%e : tensor<2x33x520xf32>) -> tensor<2x33x520xf32>
  %eh = tensor.empty() : tensor<2x33x520xf16>
  %wh = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x33x520xf32>) outs(%eh : tensor<2x33x520xf16>) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x33x520xf16>
  %oe = tensor.empty() : tensor<2x33x16xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<2x33x16xf32>) -> tensor<2x33x16xf32>
  %r = linalg.batch_matmul ins(%wh, %v : tensor<2x33x520xf16>, tensor<2x520x16xf16>) outs(%of : tensor<2x33x16xf32>) -> tensor<2x33x16xf32>
  %rh = tensor.empty() : tensor<2x33x16xf16>
  %y = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x33x16xf32>) outs(%rh : tensor<2x33x16xf16>) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x33x16xf16>
  return %y : tensor<2x33x16xf16>
}

func.func @causal(%q: tensor<3x40x16xf16>, %k: tensor<3x300x16xf16>, %v: tensor<3x300x16xf16>) -> tensor<3x40x16xf16> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 2.500000000e-01 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3x40x300xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x40x300xf32>) -> tensor<3x40x300xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x40x16xf16>, tensor<3x300x16xf16>) outs(%f : tensor<3x40x300xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.extf %b : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3x40x300xf32>
  %t = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x40x300xf32>) outs(%e : tensor<3x40x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %c : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %g = arith.cmpi sge, %i, %j : index
    %2 = arith.select %g, %1, %ninf : f32
    linalg.yield %2 : f32
  } -> tensor<3x40x300xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<3x40x300xf32>) outs(%e : tensor<3x40x300xf32>) -> tensor<3x40x300xf32>
  %eh = tensor.empty() : tensor<3x40x300xf16>
  %wh = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x40x300xf32>) outs(%eh : tensor<3x40x300xf16>) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<3x40x300xf16>
  %oe = tensor.empty() : tensor<3x40x16xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %r = linalg.batch_matmul ins(%wh, %v : tensor<3x40x300xf16>, tensor<3x300x16xf16>) outs(%of : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %rh = tensor.empty() : tensor<3x40x16xf16>
  %y = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<3x40x16xf32>) outs(%rh : tensor<3x40x16xf16>) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<3x40x16xf16>
  return %y : tensor<3x40x16xf16>
}
