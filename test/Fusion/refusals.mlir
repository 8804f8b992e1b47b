// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-tile-and-fuse='levels="for(0,0,3)"' -o %t

// Fusions along dimension 2 of the root that would be wrong.

// A softmax as root has nobody to repair.
func.func @root_is_online(%x: tensor<2x3x8xf32>, %y: tensor<2x3x8xf32>, %m: tensor<2x3xf32>) -> tensor<2x3x8xf32> {
  // expected-error @+1 {{cannot tile and fuse: 'linalg_ext.softmax' cannot be cut along dimension 2 as a root: its results of earlier tiles would be out of date}}
  %0:4 = linalg_ext.softmax dimension(2) {linalg_ext.root} ins(%x : tensor<2x3x8xf32>) outs(%y, %m, %m, %m : tensor<2x3x8xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x8xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  return %0#0 : tensor<2x3x8xf32>
}

// -----

func.func @root_without_maps(%x: tensor<2x3x8xf32>, %y: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  // expected-error @+1 {{cannot tile and fuse: 'linalg.softmax' cannot be a root: expected an op with indexing maps that implements TilingInterface}}
  %0 = linalg.softmax {linalg_ext.root} dimension(2) ins(%x : tensor<2x3x8xf32>) outs(%y : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// -----

// A sum of a state-dependent value and its square scales by nothing.
func.func @two_uses(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{the accumulated term is not a multiple or a shift of what the repair makes of it}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p#0, %p#0, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %aba = arith.addf %ab, %a : f32
    %abc = arith.mulf %aba, %c : f32
    %sum = arith.addf %acc, %abc : f32
    linalg.yield %sum : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @op_in_between(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %e = linalg.exp ins(%p#0 : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{cannot tile and fuse: 'linalg.exp' between 'linalg_ext.softmax' and the root does not commute with the repair: the result is not a multiple or a shift of what the repair makes of it}}
  %0 = linalg.matmul {linalg_ext.root} ins(%e, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @not_linear(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{the accumulated term is not a multiple or a shift of what the repair makes of it}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p#0, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.maximumf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Rows that are summed up have lost the row the repair belongs to.
func.func @repaired_dim_contracted(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{dimension 0 of the operand, along which the repair acts, is contracted}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%p#0, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A product accumulates nothing that a sum could repair.
func.func @product_accumulation(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected the accumulation to be a sum, a max or a min}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%o : tensor<4x2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %acc: f32):
    %product = arith.mulf %acc, %a : f32
    linalg.yield %product : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
