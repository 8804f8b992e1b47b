// RUN: linalg-ext-opt %s --linalg-ext-schedule-forall=steps=fission --split-input-file --verify-diagnostics | FileCheck %s

// What is refused stays as it was.

// CHECK-LABEL: func @negative_bounds
// CHECK:         scf.forall (%[[I:.*]]) in (8)
// CHECK:           scf.forall (%{{.*}}) in (%[[I]])
func.func @negative_bounds(%init: tensor<8x8xf32>, %one: f32) -> tensor<8x8xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x8xf32>) {
    %e = bufferization.alloc_tensor() : tensor<8xf32>
    // expected-remark @below {{stays in its workgroup: the bounds of the inner loop depend on the outer one}}
    %row = scf.forall (%c) in (%i) shared_outs(%arg = %e) -> (tensor<8xf32>) {
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<8xf32> to tensor<1xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
    }
  }
  return %0 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func @negative_contents
// CHECK:           scf.forall (%{{.*}}) in (4)
func.func @negative_contents(%init: tensor<8x4xf32>, %x: tensor<4xf32>, %one: f32) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    // expected-remark @below {{stays in its workgroup: expected outputs of the inner loop that are allocated in front of it}}
    %row = scf.forall (%c) in (4) shared_outs(%arg = %x) -> (tensor<4xf32>) {
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %f = linalg.exp ins(%slot : tensor<1xf32>) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @negative_sizes
// CHECK:           scf.forall (%{{.*}}) in (4)
func.func @negative_sizes(%init: tensor<8xf32>, %sizes: tensor<8xindex>, %one: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
    %size = tensor.extract %sizes[%i] : tensor<8xindex>
    %e = bufferization.alloc_tensor(%size) : tensor<4x?xf32>
    // expected-remark @below {{stays in its workgroup: dimension 1 of an output of the inner loop has no constant bound}}
    %row = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4x?xf32>) {
      %slot = tensor.extract_slice %arg[%c, 0] [1, %size] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<?xf32>) -> tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c, 0] [1, %size] [1, 1] : tensor<?xf32> into tensor<4x?xf32>
      }
    }
    %v = tensor.extract_slice %row[0, 0] [1, 1] [1, 1] : tensor<4x?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @negative_effects
// CHECK:           scf.forall (%{{.*}}) in (4)
func.func private @get(index) -> f32
func.func @negative_effects(%init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %one = func.call @get(%i) : (index) -> f32
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    // expected-remark @below {{stays in its workgroup: 'func.call', which the inner loop uses, has effects}}
    %row = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @negative_uses
// CHECK:           scf.forall (%{{.*}}) in (4)
func.func @negative_uses(%init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    // expected-remark @below {{stays in its workgroup: expected an output of the inner loop to be used by slices only}}
    %row = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
      %v = tensor.extract %arg[%c] : tensor<4xf32>
      %f = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @negative_not_directly
// CHECK:           scf.for
// CHECK:             scf.forall (%{{.*}}) in (4)
func.func @negative_not_directly(%init: tensor<8x4xf32>, %one: f32) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    %rows = scf.for %j = %c0 to %c2 step %c1 iter_args(%before = %e) -> (tensor<4xf32>) {
      // expected-remark @below {{stays in its workgroup: expected a loop directly in an scf.forall}}
      %row = scf.forall (%c) in (4) shared_outs(%arg = %before) -> (tensor<4xf32>) {
        %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
        }
      }
      scf.yield %row : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %rows into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}
