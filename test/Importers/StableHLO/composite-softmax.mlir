// A composite of StableHLO, such as a softmax, is a call of a private function with its decomposition.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=1 --max-buffer-bytes=1600

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @attention(%q: tensor<37x16xf32>, %k: tensor<45x16xf32>, %v: tensor<45x16xf32>) -> tensor<37x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x45xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37x45xf32>) -> tensor<37x45xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<37x16xf32>, tensor<45x16xf32>) outs(%f : tensor<37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<37x45xf32>
  %p = func.call @softmax.impl(%s) : (tensor<37x45xf32>) -> tensor<37x45xf32>
  %e2 = tensor.empty() : tensor<37x16xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<37x16xf32>) -> tensor<37x16xf32>
  %r = linalg.matmul ins(%p, %v : tensor<37x45xf32>, tensor<45x16xf32>) outs(%f2 : tensor<37x16xf32>) -> tensor<37x16xf32>
  return %r : tensor<37x16xf32>
}
func.func private @softmax.impl(%x: tensor<37x45xf32>) -> tensor<37x45xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<37xf32>
  %mi = linalg.fill ins(%ninf : f32) outs(%e0 : tensor<37xf32>) -> tensor<37xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<37x45xf32>) outs(%mi : tensor<37xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<37x45xf32>
  %d = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<37x45xf32>, tensor<37xf32>) outs(%e : tensor<37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %v = math.exp %s : f32
    linalg.yield %v : f32
  } -> tensor<37x45xf32>
  %si = linalg.fill ins(%z : f32) outs(%e0 : tensor<37xf32>) -> tensor<37xf32>
  %l = linalg.reduce { arith.addf } ins(%d : tensor<37x45xf32>) outs(%si : tensor<37xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%d, %l : tensor<37x45xf32>, tensor<37xf32>) outs(%e : tensor<37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.divf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<37x45xf32>
  return %p : tensor<37x45xf32>
}
