// RUN: linalg-ext-opt %s --linalg-ext-raise=return-log-sum-exp --split-input-file --verify-diagnostics -o /dev/null

// expected-error @below {{cannot return the log-sum-exp: expected only calls of the function, got 'func.constant'}}
func.func @referred_to(%x: tensor<3x4xf32>, %a: tensor<3xf32>) -> tensor<3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return %p#0 : tensor<3x4xf32>
}
func.func @refers() -> ((tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>) {
  %f = constant @referred_to : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return %f : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
}

// -----

// expected-error @below {{cannot return the log-sum-exp: expected every softmax in the body of the function, got one in 'scf.if'}}
func.func @nested(%x: tensor<3x4xf32>, %a: tensor<3xf32>, %c: i1) -> tensor<3x4xf32> {
  %r = scf.if %c -> tensor<3x4xf32> {
    // expected-note @below {{it is this one}}
    %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
        outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
        -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    scf.yield %p#0 : tensor<3x4xf32>
  } else {
    scf.yield %x : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}

// -----

// expected-error @below {{cannot return the log-sum-exp: expected every softmax on tensors, got one on buffers}}
func.func @buffers(%x: memref<3x4xf32>, %a: memref<3xf32>, %b: memref<3xf32>, %c: memref<3xf32>) {
  // expected-note @below {{it is this one}}
  linalg_ext.softmax dimension(1) ins(%x : memref<3x4xf32>)
      outs(%x, %a, %b, %c : memref<3x4xf32>, memref<3xf32>, memref<3xf32>, memref<3xf32>)
  return
}

// -----

// expected-error @below {{cannot return the log-sum-exp: expected a body of one block, got 2}}
func.func @blocks(%x: tensor<3x4xf32>, %a: tensor<3xf32>) -> tensor<3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  cf.br ^bb1
^bb1:
  return %p#0 : tensor<3x4xf32>
}

// -----

// Of a tile: what it has seen is not the row.
// expected-error @below {{cannot return the log-sum-exp: expected every softmax to be of whole rows, got one that goes on from a state: ask for it before the softmax is fused}}
func.func @online(%x: tensor<3x4xf32>, %a: tensor<3xf32>) -> tensor<3x4xf32> {
  // expected-note @below {{it is this one}}
  %p:4 = linalg_ext.softmax dimension(1) online delayed ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return %p#0 : tensor<3x4xf32>
}

// -----

// expected-error @below {{cannot return the log-sum-exp: expected a 'linalg_ext.softmax' in the module, got none: chains are to be raised before, and the softmax not to be fused or decomposed yet}}
module {
  func.func @none(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
    return %x : tensor<3x4xf32>
  }
}
