// The largest element of a row of matrices, and where it is: an arg-max along two dimensions, as
// torch-mlir's max.dim is after a dimension was unflattened.

// RUN: linalg-ext-check-program %s --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=1

func.func @largest_of_two_dimensions(%x: tensor<37x5x21xf32>) -> (tensor<37xf32>, tensor<37xi64>, tensor<37xi64>) {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %e = tensor.empty() : tensor<37xf32>
  %i = tensor.empty() : tensor<37xi64>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %g = linalg.fill ins(%z : i64) outs(%i : tensor<37xi64>) -> tensor<37xi64>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<37x5x21xf32>) outs(%f, %g, %g : tensor<37xf32>, tensor<37xi64>, tensor<37xi64>) {
  ^bb0(%v: f32, %m: f32, %p: i64, %q: i64):
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %bi = arith.index_cast %b : index to i64
    %ci = arith.index_cast %c : index to i64
    %mx = arith.maximumf %v, %m : f32
    %gt = arith.cmpf ogt, %v, %m : f32
    %np = arith.select %gt, %bi, %p : i64
    %nq = arith.select %gt, %ci, %q : i64
    linalg.yield %mx, %np, %nq : f32, i64, i64
  } -> (tensor<37xf32>, tensor<37xi64>, tensor<37xi64>)
  return %r#0, %r#1, %r#2 : tensor<37xf32>, tensor<37xi64>, tensor<37xi64>
}
