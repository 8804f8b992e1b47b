// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=privatize --split-input-file | FileCheck %s

// Each tile of the result is computed from the same tile of the tensor: the loop overwrites it.

#ij = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @tiles
// CHECK-SAME:  %[[X:[a-z0-9]+]]: memref<?x?xf32>
// CHECK:       %[[T:.*]] = bufferization.to_tensor %[[X]] restrict writable
// CHECK:       %[[R:.*]] = scf.forall (%[[I:.*]]) = {{.*}} shared_outs(%[[OUT:.*]] = %[[T]])
// CHECK:         %[[TILE:.*]] = tensor.extract_slice %[[OUT]][%[[I]], 0]
// CHECK:         linalg.exp ins(%[[TILE]]
// CHECK:       bufferization.materialize_in_destination %[[R]] in writable %[[X]]
func.func @tiles(%x: memref<?x?xf32>, %m: index, %n: index) {
  %t = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = scf.forall (%i) = (0) to (%m) step (4) shared_outs(%out = %e) -> tensor<?x?xf32> {
    %size = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 4)>(%i)[%m]
    %tile = tensor.extract_slice %t[%i, 0] [%size, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %new = tensor.empty(%size, %n) : tensor<?x?xf32>
    %y = linalg.exp ins(%tile : tensor<?x?xf32>) outs(%new : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i, 0] [%size, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    }
  }
  bufferization.materialize_in_destination %r in writable %x : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// -----

// The same with vectors. The columns are all there are.

// CHECK-LABEL: func @vectors
// CHECK:       %[[T:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK:       scf.forall (%[[I:.*]]) = {{.*}} shared_outs(%[[OUT:.*]] = %[[T]])
// CHECK:         vector.transfer_read %[[OUT]][%[[I]], %c0]
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable
func.func @vectors(%x: memref<37x13xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict writable : memref<37x13xf32> to tensor<37x13xf32>
  %e = tensor.empty() : tensor<37x13xf32>
  %r = scf.forall (%i) = (0) to (37) step (4) shared_outs(%out = %e) -> tensor<37x13xf32> {
    %size = affine.min affine_map<(d0) -> (-d0 + 37, 4)>(%i)
    %v = vector.transfer_read %t[%i, %c0], %z {in_bounds = [false, false]} : tensor<37x13xf32>, vector<4x16xf32>
    %y = math.exp %v : vector<4x16xf32>
    %slice = tensor.extract_slice %out[%i, 0] [%size, 13] [1, 1] : tensor<37x13xf32> to tensor<?x13xf32>
    %w = vector.transfer_write %y, %slice[%c0, %c0] {in_bounds = [false, false]} : vector<4x16xf32>, tensor<?x13xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %out[%i, 0] [%size, 13] [1, 1] : tensor<?x13xf32> into tensor<37x13xf32>
    }
  }
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<37x13xf32>, memref<37x13xf32>) -> ()
  return
}

// -----

// Rows of the next iteration are read: nothing is overwritten. The buffer has two tensors,
// whatever the op says.

// CHECK-LABEL: func @negative_next_rows
// CHECK:       %[[T:.*]] = bufferization.to_tensor %{{.*}} restrict :
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       scf.forall
// CHECK:         vector.transfer_read %[[T]]
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable
func.func @negative_next_rows(%x: memref<37x13xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<37x13xf32> to tensor<37x13xf32>
  %e = tensor.empty() : tensor<37x13xf32>
  %r = scf.forall (%i) = (0) to (37) step (4) shared_outs(%out = %e) -> tensor<37x13xf32> {
    %size = affine.min affine_map<(d0) -> (-d0 + 37, 4)>(%i)
    %v = vector.transfer_read %t[%i, %c0], %z {in_bounds = [false, false]} : tensor<37x13xf32>, vector<8x16xf32>
    %y = vector.extract_strided_slice %v {offsets = [4, 0], sizes = [4, 16], strides = [1, 1]} : vector<8x16xf32> to vector<4x16xf32>
    %slice = tensor.extract_slice %out[%i, 0] [%size, 13] [1, 1] : tensor<37x13xf32> to tensor<?x13xf32>
    %w = vector.transfer_write %y, %slice[%c0, %c0] {in_bounds = [false, false]} : vector<4x16xf32>, tensor<?x13xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %out[%i, 0] [%size, 13] [1, 1] : tensor<?x13xf32> into tensor<37x13xf32>
    }
  }
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<37x13xf32>, memref<37x13xf32>) -> ()
  return
}

// -----

// Another tile is read; and the tensor is read after the loop.

// CHECK-LABEL: func @negative_tiles
// CHECK:       %[[T:.*]] = bufferization.to_tensor
// CHECK:       scf.forall {{.*}} shared_outs(%{{.*}} = %{{[0-9]+}})
// CHECK:         tensor.extract_slice %[[T]][0, %{{.*}}]
func.func @negative_tiles(%x: memref<8x8xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%out = %e) -> tensor<8x8xf32> {
    %tile = tensor.extract_slice %t[0, %i] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
    %new = tensor.empty() : tensor<4x8xf32>
    %y = linalg.transpose ins(%tile : tensor<8x4xf32>) outs(%new : tensor<4x8xf32>) permutation = [1, 0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    }
  }
  bufferization.materialize_in_destination %r in writable %x : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// CHECK-LABEL: func @negative_read_later
// CHECK:       %[[T:.*]] = bufferization.to_tensor
// CHECK:       scf.forall {{.*}} shared_outs(%{{.*}} = %{{[0-9]+}})
// CHECK:         tensor.extract_slice %[[T]]
// CHECK:       return %[[T]]
func.func @negative_read_later(%x: memref<8x8xf32>) -> tensor<8x8xf32> {
  %t = bufferization.to_tensor %x restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%out = %e) -> tensor<8x8xf32> {
    %tile = tensor.extract_slice %t[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %new = tensor.empty() : tensor<4x8xf32>
    %y = linalg.exp ins(%tile : tensor<4x8xf32>) outs(%new : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    }
  }
  bufferization.materialize_in_destination %r in writable %x : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return %t : tensor<8x8xf32>
}

// What is written is taken as a tensor: it is the same tensor, and stays `restrict`.

// CHECK-LABEL: func @negative_taken_after_the_write
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK:       bufferization.to_tensor %{{.*}} restrict writable
func.func @negative_taken_after_the_write(%a: tensor<?x8xf32>, %x: memref<?x8xf32>) -> tensor<?x8xf32> {
  bufferization.materialize_in_destination %a in restrict writable %x : (tensor<?x8xf32>, memref<?x8xf32>) -> ()
  %t = bufferization.to_tensor %x restrict writable : memref<?x8xf32> to tensor<?x8xf32>
  return %t : tensor<?x8xf32>
}
