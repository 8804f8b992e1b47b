// Vectors whose sizes are a slip, on the way to LLVM, would take forever.
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm --split-input-file --verify-diagnostics
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm --split-input-file --verify-diagnostics

func.func @result(%x: f32) -> f32 {
  // expected-error @+1 {{expected vectors of at most 65536 elements, got 'vector<9223372036854775807x9223372036854775807xf32>'}}
  %v = vector.broadcast %x : f32 to vector<9223372036854775807x9223372036854775807xf32>
  %r = vector.extract %v[0, 0] : f32 from vector<9223372036854775807x9223372036854775807xf32>
  return %r : f32
}

// -----

// expected-error @+1 {{expected vectors of at most 65536 elements, got 'vector<65537xf32>'}}
func.func @argument(%x: vector<65537xf32>) -> f32 {
  %r = vector.extract %x[0] : f32 from vector<65537xf32>
  return %r : f32
}

// -----

func.func @in_block(%c: i1, %x: f32) -> f32 {
  %r = scf.if %c -> (f32) {
    // expected-error @+1 {{expected vectors of at most 65536 elements, got 'vector<512x129xf32>'}}
    %v = vector.broadcast %x : f32 to vector<512x129xf32>
    %e = vector.extract %v[0, 0] : f32 from vector<512x129xf32>
    scf.yield %e : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}

// -----

func.func @dimension(%x: tensor<?x4xf32>) -> index {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'tensor.dim' op expected a dimension of 'tensor<?x4xf32>' that is at least 0 and less than 2, got -1}}
  %r = tensor.dim %x, %c : tensor<?x4xf32>
  return %r : index
}

// -----

func.func @dimension_of_buffer(%x: memref<?x4xf32>) -> index {
  %c = arith.constant 2 : index
  // expected-error @+1 {{'memref.dim' op expected a dimension of 'memref<?x4xf32>' that is at least 0 and less than 2, got 2}}
  %r = memref.dim %x, %c : memref<?x4xf32>
  return %r : index
}
