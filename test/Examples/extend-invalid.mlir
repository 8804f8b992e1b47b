// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics

// C1

func.func @log_softmax_dimension(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'extend.log_softmax' op expected dimension to be in [0, 2), got 2}}
  %r:2 = extend.log_softmax dimension(2) ins(%x : tensor<4x8xf32>) outs(%x, %s : tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @log_softmax_integers(%x: tensor<4x8xi32>, %s: tensor<4xi32>) {
  // expected-error @below {{'extend.log_softmax' op expected an input of floats, got 'tensor<4x8xi32>'}}
  %r:2 = extend.log_softmax dimension(1) ins(%x : tensor<4x8xi32>) outs(%x, %s : tensor<4x8xi32>, tensor<4xi32>) -> tensor<4x8xi32>, tensor<4xi32>
  return
}

// -----

// C2

func.func @log_softmax_outputs(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @below {{'extend.log_softmax' op expected outputs of types 'tensor<4x8xf32>', 'tensor<4xf32>', got 'tensor<4x8xf32>', 'tensor<8xf32>'}}
  %r:2 = extend.log_softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s : tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @log_softmax_dynamic(%x: tensor<4x8xf32>, %y: tensor<?x8xf32>, %s: tensor<?xf32>) {
  %r:2 = extend.log_softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %s : tensor<?x8xf32>, tensor<?xf32>) -> tensor<?x8xf32>, tensor<?xf32>
  return
}

// -----

// C1

func.func @topk_dimension(%x: tensor<4x8xf32>, %p: tensor<8xi64>, %v: tensor<4x2xf32>, %i: tensor<4x2xi64>) {
  // expected-error @below {{'extend.topk' op expected dimension to be in [0, 2), got -1}}
  %r:2 = extend.topk dimension(-1) ins(%x, %p : tensor<4x8xf32>, tensor<8xi64>) outs(%v, %i : tensor<4x2xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>, tensor<4x2xi64>
  return
}

// -----

func.func @topk_integers(%x: tensor<4x8xi32>, %p: tensor<8xi64>, %v: tensor<4x2xi32>, %i: tensor<4x2xi64>) {
  // expected-error @below {{'extend.topk' op expected an input of floats, got 'tensor<4x8xi32>'}}
  %r:2 = extend.topk dimension(1) ins(%x, %p : tensor<4x8xi32>, tensor<8xi64>) outs(%v, %i : tensor<4x2xi32>, tensor<4x2xi64>) -> tensor<4x2xi32>, tensor<4x2xi64>
  return
}

// -----

// C2

func.func @topk_positions(%x: tensor<4x8x3xf32>, %p: tensor<4x8xi64>, %v: tensor<4x3x2xf32>, %i: tensor<4x3x2xi64>) {
  // expected-error @below {{'extend.topk' op expected positions of rank 3 or 1, got 'tensor<4x8xi64>'}}
  %r:2 = extend.topk dimension(1) ins(%x, %p : tensor<4x8x3xf32>, tensor<4x8xi64>) outs(%v, %i : tensor<4x3x2xf32>, tensor<4x3x2xi64>) -> tensor<4x3x2xf32>, tensor<4x3x2xi64>
  return
}

// -----

// C3

func.func @topk_outputs(%x: tensor<4x8xf32>, %p: tensor<8xi64>, %v: tensor<4x2xf32>, %i: tensor<4xi64>) {
  // expected-error @below {{'extend.topk' op expected two outputs of rank 2, got 'tensor<4x2xf32>', 'tensor<4xi64>'}}
  %r:2 = extend.topk dimension(1) ins(%x, %p : tensor<4x8xf32>, tensor<8xi64>) outs(%v, %i : tensor<4x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>, tensor<4xi64>
  return
}
