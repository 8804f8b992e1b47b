// A branch chooses one of two tensors, each with a size of its own. Nothing is chosen element
// by element then.

// RUN: linalg-ext-check-program %s --sizes=7x8,3x8,- --seed=1
// RUN: linalg-ext-check-program %s --sizes=7x8,3x8,- --seed=3

func.func @choose(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %b: i1) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %s = scf.if %b -> tensor<?x8xf32> {
    scf.yield %x : tensor<?x8xf32>
  } else {
    scf.yield %y : tensor<?x8xf32>
  }
  %n = tensor.dim %s, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %r = linalg.exp ins(%s : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
