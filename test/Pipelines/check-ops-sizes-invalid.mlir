// RUN: linalg-ext-opt %s --linalg-ext-check-ops --split-input-file --verify-diagnostics

// Upstream's verifier does not compare the sizes of an op of which one is dynamic.

func.func @heads(%q: tensor<?x32xf32>, %k: tensor<?x16xf32>,
                 %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'linalg.generic' op expected equal sizes of dimension 1 of operand 0 and dimension 1 of operand 1, which loop 2 has, got 32 and 16}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>,
                       affine_map<(m, n, d) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x32xf32>, tensor<?x16xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Sizes are known through casts, tensor.empty, reshapes and other ops.

// expected-note @below {{the size 16 is from here}}
func.func @chain(%x: tensor<?x24xf32>, %y: tensor<?x16xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %known = tensor.cast %y : tensor<?x16xf32> to tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x24xf32>
  %columns = tensor.dim %known, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  // expected-error @below {{'linalg.exp' op expected equal sizes of dimension 1 of operand 0 and dimension 1 of operand 1, which loop 1 has, got 24 and 16}}
  %0 = linalg.exp ins(%x : tensor<?x24xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @reshape(%x: tensor<?x6x1xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-note @below {{the size 6 is from here}}
  %0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<?x6x1xf32> into tensor<?x6xf32>
  %1 = tensor.cast %0 : tensor<?x6xf32> to tensor<?x?xf32>
  // expected-error @below {{'linalg.add' op expected equal sizes of dimension 1 of operand 0 and dimension 1 of operand 1, which loop 1 has, got 6 and 8}}
  %2 = linalg.add ins(%1, %y : tensor<?x?xf32>, tensor<?x8xf32>) outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

// In buffers, too.

func.func @buffers(%x: memref<?x4xf32>, %y: memref<?x5xf32>) {
  // expected-error @below {{'linalg.exp' op expected equal sizes of dimension 1 of operand 0 and dimension 1 of operand 1, which loop 1 has, got 4 and 5}}
  linalg.exp ins(%x : memref<?x4xf32>) outs(%y : memref<?x5xf32>)
  return
}

// -----

// What may not run may be wrong; sizes that are not known are compared in a call.

func.func @fine(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>, %yes: i1) -> tensor<?x?xf32> {
  %0 = scf.if %yes -> tensor<?x?xf32> {
    %1 = tensor.cast %y : tensor<?x?xf32> to tensor<?x5xf32>
    %2 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%1 : tensor<?x5xf32>) -> tensor<?x5xf32>
    %3 = tensor.cast %2 : tensor<?x5xf32> to tensor<?x?xf32>
    scf.yield %3 : tensor<?x?xf32>
  } else {
    scf.yield %y : tensor<?x?xf32>
  }
  %4 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}
