// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(0,0,4)"' -split-input-file -verify-diagnostics

// On buffers there is nothing to fuse along.

func.func @negative_root_on_buffers(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @below {{cannot tile and fuse: 'linalg.matmul' cannot be a root: expected tensors, got buffers}}
  linalg.matmul {linalg_ext.root} ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// Upstream's tiling crashes on them.

func.func @negative_root_of_size_0(%a: tensor<4x0xf32>, %b: tensor<0x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{cannot tile and fuse: 'linalg.matmul' cannot be a root: expected operands that are not empty, got a size of 0}}
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<4x0xf32>, tensor<0x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Verifiers accept this, as another size is dynamic.

func.func @negative_root_of_different_sizes(%q: tensor<?x32xf32>, %k: tensor<?x16xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{cannot tile and fuse: 'linalg.generic' cannot be a root: expected one size of each dimension, got operands of different ones}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"], linalg_ext.root}
      ins(%q, %k : tensor<?x32xf32>, tensor<?x16xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// An online reduction on buffers has no root, which is no error.

func.func @softmax_on_buffers(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %m: memref<4xf32>, %l: memref<4xf32>, %s: memref<4xf32>) {
  linalg_ext.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y, %m, %l, %s : memref<4x8xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
  return
}

// -----

// Upstream's analysis of bounds crashes on dimensions that there are not.

func.func @negative_dimension(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %cm1 = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.dim' op expected a dimension of 'tensor<?x8xf32>' that is at least 0 and less than 2, got -1}}
  %m = tensor.dim %a, %cm1 : tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
