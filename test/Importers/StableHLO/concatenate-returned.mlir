// A cache that is returned and read by a product: one kernel stores it, one reads it.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=0

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @returned_cache(%a: tensor<31x16xf32>, %b: tensor<2x16xf32>, %q: tensor<24x16xf32>) -> (tensor<24x33xf32>, tensor<33x16xf32>) {
  %c31 = arith.constant 31 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x16xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<33x16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %i, %c31 : index
    %r = scf.if %c -> f32 {
      %v = tensor.extract %a[%i, %j] : tensor<31x16xf32>
      scf.yield %v : f32
    } else {
      %k = arith.subi %i, %c31 : index
      %v = tensor.extract %b[%k, %j] : tensor<2x16xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<33x16xf32>
  %em = tensor.empty() : tensor<24x33xf32>
  %f = linalg.fill ins(%z : f32) outs(%em : tensor<24x33xf32>) -> tensor<24x33xf32>
  %m = linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%q, %0 : tensor<24x16xf32>, tensor<33x16xf32>) outs(%f : tensor<24x33xf32>) -> tensor<24x33xf32>
  return %m, %0 : tensor<24x33xf32>, tensor<33x16xf32>
}
