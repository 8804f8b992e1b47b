// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --canonicalize --cse --split-input-file | FileCheck %s

// Branches of a payload: both are evaluated, and the condition masks what they
// read.

#id = affine_map<(i) -> (i)>

// What is masked is 0 already: nothing is selected.

// CHECK-LABEL: func @guarded_read
//  CHECK-SAME:   %{{.*}}: tensor<64xi32>, %[[TABLE:.*]]: tensor<?xf32>
//       CHECK:   %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
//       CHECK:   scf.forall
//       CHECK:     %[[ROW:.*]] = arith.index_cast %{{.*}} : vector<16xi32> to vector<16xindex>
//       CHECK:     %[[EXISTS:.*]] = arith.cmpi ult, %[[ROW]], %{{.*}} : vector<16xindex>
//   CHECK-NOT:     arith.minui
//       CHECK:     %[[READ:.*]] = vector.gather %[[TABLE]][%c0] [%[[ROW]]], %[[EXISTS]], %[[ZEROS]]
//   CHECK-NOT:     arith.select
//       CHECK:     vector.transfer_write %[[READ]]
func.func @guarded_read(%rows: tensor<64xi32>, %table: tensor<?xf32>, %size: index) -> tensor<64xf32> {
  %init = tensor.empty() : tensor<64xf32>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %rows[%i] [16] [1] : tensor<64xi32> to tensor<16xi32>
    %b = tensor.extract_slice %o[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<16xi32>) outs(%b : tensor<16xf32>) {
    ^bb0(%v: i32, %w: f32):
      %zero = arith.constant 0.0 : f32
      %row = arith.index_cast %v : i32 to index
      %exists = arith.cmpi ult, %row, %size : index
      %r = scf.if %exists -> f32 {
        %d = tensor.extract %table[%row] : tensor<?xf32>
        scf.yield %d : f32
      } else {
        scf.yield %zero : f32
      }
      linalg.yield %r : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Reads in both branches, the inner one under both conditions.

// CHECK-LABEL: func @two_reads
//   CHECK-DAG:     %[[C:.*]] = arith.cmpi slt
//   CHECK-DAG:     %[[INNER:.*]] = arith.cmpi sgt
//       CHECK:     %[[BOTH:.*]] = arith.andi %[[C]], %[[INNER]] : vector<16xi1>
//       CHECK:     %[[X:.*]] = vector.gather %{{.*}}, %[[BOTH]], %{{.*}}
//       CHECK:     %[[NOT:.*]] = arith.xori %[[C]], %{{.*}} : vector<16xi1>
//       CHECK:     %[[Y:.*]] = vector.gather %{{.*}}, %[[NOT]], %{{.*}}
//       CHECK:     arith.select %[[C]], %[[X]], %[[Y]] : vector<16xi1>, vector<16xf32>
func.func @two_reads(%rows: tensor<64xindex>, %x: tensor<?xf32>, %y: tensor<?xf32>, %size: index) -> tensor<64xf32> {
  %init = tensor.empty() : tensor<64xf32>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %rows[%i] [16] [1] : tensor<64xindex> to tensor<16xindex>
    %b = tensor.extract_slice %o[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<16xindex>) outs(%b : tensor<16xf32>) {
    ^bb0(%row: index, %w: f32):
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %first = arith.cmpi slt, %row, %size : index
      %inner = arith.cmpi sgt, %row, %c0 : index
      %r = scf.if %first -> f32 {
        %s = scf.if %inner -> f32 {
          %d = tensor.extract %x[%row] : tensor<?xf32>
          scf.yield %d : f32
        } else {
          scf.yield %zero : f32
        }
        scf.yield %s : f32
      } else {
        %d = tensor.extract %y[%row] : tensor<?xf32>
        scf.yield %d : f32
      }
      linalg.yield %r : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// What all elements share is read once, in a branch.

// CHECK-LABEL: func @uniform_read
//  CHECK-SAME:   %{{.*}}: tensor<64xf32>, %[[TABLE:.*]]: tensor<?xf32>, %[[AT:.*]]: index, %[[C:.*]]: i1
//       CHECK:     %[[ONE:.*]] = scf.if %[[C]] -> (f32) {
//       CHECK:       tensor.extract %[[TABLE]][%[[AT]]]
//       CHECK:     vector.broadcast %[[ONE]] : f32 to vector<16xf32>
func.func @uniform_read(%x: tensor<64xf32>, %table: tensor<?xf32>, %at: index, %exists: i1) -> tensor<64xf32> {
  %init = tensor.empty() : tensor<64xf32>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %x[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %b = tensor.extract_slice %o[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<16xf32>) outs(%b : tensor<16xf32>) {
    ^bb0(%v: f32, %w: f32):
      %zero = arith.constant 0.0 : f32
      %r = scf.if %exists -> f32 {
        %d = tensor.extract %table[%at] : tensor<?xf32>
        scf.yield %d : f32
      } else {
        scf.yield %zero : f32
      }
      %s = arith.addf %r, %v : f32
      linalg.yield %s : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}
