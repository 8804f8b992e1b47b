// The product of a matrix and its transpose, of few rows: the left operand is copied as many rows as
// there are, and the right one, of the same buffer, as whole boxes.

// RUN: linalg-ext-check-program %s --targets=gpu --sizes=20x256 --max-kernels=1 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=gpu --sizes=70x256 --max-kernels=1 --gpu-options="chip=sm_90a rows=128 columns=128 async-products=true roles=true"

func.func @gram(%a: tensor<?x256xf16>) -> tensor<?x?xf32> {
  %i0 = arith.constant 0 : index
  %m = tensor.dim %a, %i0 : tensor<?x256xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %m) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %a : tensor<?x256xf16>, tensor<?x256xf16>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %p = arith.mulf %xf, %yf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
