// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --canonicalize --cse --split-input-file | FileCheck %s

// A tile of at most one row, which may have none: nothing is read or written then.

// CHECK-LABEL: func @store_row
//  CHECK-SAME:   %{{.*}}: tensor<4x32xf32>, %{{.*}}: tensor<?x32xf32>, %{{.*}}: tensor<4xindex>
//       CHECK:   scf.forall
//       CHECK:     %[[COUNT:.*]] = arith.select %{{.*}}, %c1, %c0 : index
//       CHECK:     %[[THERE:.*]] = arith.cmpi sgt, %[[COUNT]], %c0
//       CHECK:     %[[COLUMNS:.*]] = arith.select %[[THERE]], %c32, %c0
//       CHECK:     %[[MASK:.*]] = vector.create_mask %[[COLUMNS]] : vector<32xi1>
//       CHECK:     %[[ROW:.*]] = vector.transfer_read %{{.*}}, %[[MASK]]
//       CHECK:     vector.transfer_write %[[ROW]], %{{.*}}, %[[MASK]]
func.func @store_row(%rows: tensor<4x32xf32>, %pool: tensor<?x32xf32>, %at: tensor<4xindex>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %pool, %c0 : tensor<?x32xf32>
  %0 = scf.forall (%b) in (4) shared_outs(%out = %pool) -> (tensor<?x32xf32>) {
    %row = tensor.extract %at[%b] : tensor<4xindex>
    %exists = arith.cmpi ult, %row, %size : index
    %there = arith.select %exists, %row, %c0 : index
    %count = arith.select %exists, %c1, %c0 : index
    %new = tensor.extract_slice %rows[%b, 0] [%count, 32] [1, 1] : tensor<4x32xf32> to tensor<?x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %out[%there, 0] [%count, 32] [1, 1] : tensor<?x32xf32> into tensor<?x32xf32>
    }
  }
  return %0 : tensor<?x32xf32>
}

// -----

// The same of one element.

// CHECK-LABEL: func @store_element
//       CHECK:   %[[COUNT:.*]] = arith.select %{{.*}}, %c1, %c0 : index
//       CHECK:   %[[THERE:.*]] = arith.cmpi sgt, %[[COUNT]], %c0
//       CHECK:   %[[ELEMENT:.*]] = scf.if %[[THERE]] -> (f32)
//       CHECK:     tensor.extract
//       CHECK:   scf.if %[[THERE]] -> (tensor<?xf32>)
//       CHECK:     tensor.insert %[[ELEMENT]]
func.func @store_element(%rows: tensor<4xf32>, %pool: tensor<?xf32>, %at: tensor<4xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %pool, %c0 : tensor<?xf32>
  %0 = scf.forall (%b) in (4) shared_outs(%out = %pool) -> (tensor<?xf32>) {
    %row = tensor.extract %at[%b] : tensor<4xindex>
    %exists = arith.cmpi ult, %row, %size : index
    %there = arith.select %exists, %row, %c0 : index
    %count = arith.select %exists, %c1, %c0 : index
    %new = tensor.extract_slice %rows[%b] [%count] [1] : tensor<4xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %out[%there] [%count] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
