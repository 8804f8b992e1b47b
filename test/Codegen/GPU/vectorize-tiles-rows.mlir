// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --canonicalize --cse --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// Elements of rows that are next to each other are one read for each row; the
// first dimension of the tile is looked up, the second one counts.

// CHECK-DAG:   #[[BASE:.*]] = affine_map<(d0, d1)[s0] -> (s0, d1)>
// CHECK-DAG:   #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @rows
//  CHECK-SAME:   %{{.*}}: tensor<64xi32>, %[[TABLE:.*]]: tensor<?x32xf16>, %[[SIZE:.*]]: index
//       CHECK:   scf.forall
//       CHECK:     %[[ROWS:.*]] = arith.index_cast %{{.*}} : vector<16xi32> to vector<16xindex>
//       CHECK:     %[[EXISTS:.*]] = arith.cmpi ult, %[[ROWS]], %{{.*}} : vector<16xindex>
//       CHECK:     %[[READ:.*]] = vector_ext.transfer_gather %[[TABLE]][%c0, %c0] indices(%[[ROWS]] : vector<16xindex>) mask(%[[EXISTS]] : vector<16xi1>)
//  CHECK-SAME:       indexing_maps = [#[[BASE]], #[[ROW]], #[[ROW]]]{{.*}} : tensor<?x32xf16>, vector<16x32xf16>
//   CHECK-NOT:     arith.select
//       CHECK:     vector.transfer_write %[[READ]]
func.func @rows(%rows: tensor<64xi32>, %table: tensor<?x32xf16>, %size: index) -> tensor<64x32xf16> {
  %init = tensor.empty() : tensor<64x32xf16>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64x32xf16>) {
    %a = tensor.extract_slice %rows[%i] [16] [1] : tensor<64xi32> to tensor<16xi32>
    %b = tensor.extract_slice %o[%i, 0] [16, 32] [1, 1] : tensor<64x32xf16> to tensor<16x32xf16>
    %c = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<16xi32>) outs(%b : tensor<16x32xf16>) {
    ^bb0(%v: i32, %w: f16):
      %zero = arith.constant 0.0 : f16
      %row = arith.index_cast %v : i32 to index
      %j = linalg.index 1 : index
      %exists = arith.cmpi ult, %row, %size : index
      %r = scf.if %exists -> f16 {
        %d = tensor.extract %table[%row, %j] : tensor<?x32xf16>
        scf.yield %d : f16
      } else {
        scf.yield %zero : f16
      }
      linalg.yield %r : f16
    } -> tensor<16x32xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [16, 32] [1, 1] : tensor<16x32xf16> into tensor<64x32xf16>
    }
  }
  return %0 : tensor<64x32xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Positions from a scalar are an offset; quotients and remainders by powers of
// two are shifts and masks. What is beyond the tile is not read.

// CHECK-LABEL: func @pages
//  CHECK-SAME:   %[[POOL:.*]]: tensor<?x4x40xf16>, %[[AT:.*]]: index
//       CHECK:   scf.forall (%[[I:.*]]) =
//   CHECK-DAG:     %[[PAGE:.*]] = arith.shrsi %[[S:.*]], %{{.*}} : vector<16xindex>
//   CHECK-DAG:     %[[ROW:.*]] = arith.andi %[[S]], %{{.*}} : vector<16xindex>
//   CHECK-DAG:     %[[INSIDE:.*]] = vector.create_mask %{{.*}} : vector<16xi1>
//       CHECK:     vector_ext.transfer_gather %[[POOL]][%c0, %c0, %[[AT]]] indices(%[[PAGE]], %[[ROW]] : vector<16xindex>, vector<16xindex>) mask(%[[INSIDE]] : vector<16xi1>)
//  CHECK-SAME:       : tensor<?x4x40xf16>, vector<16x32xf16>
func.func @pages(%pool: tensor<?x4x40xf16>, %at: index) -> tensor<60x32xf16> {
  %init = tensor.empty() : tensor<60x32xf16>
  %0 = scf.forall (%i) = (0) to (60) step (16) shared_outs(%o = %init) -> (tensor<60x32xf16>) {
    %n = affine.min affine_map<(i) -> (60 - i, 16)>(%i)
    %b = tensor.extract_slice %o[%i, 0] [%n, 32] [1, 1] : tensor<60x32xf16> to tensor<?x32xf16>
    %c = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%b : tensor<?x32xf16>) {
    ^bb0(%w: f16):
      %k = linalg.index 0 : index
      %j = linalg.index 1 : index
      %s = arith.addi %i, %k : index
      %page = affine.apply affine_map<(s) -> (s floordiv 4)>(%s)
      %row = affine.apply affine_map<(s) -> (s mod 4)>(%s)
      %column = arith.addi %j, %at : index
      %d = tensor.extract %pool[%page, %row, %column] : tensor<?x4x40xf16>
      linalg.yield %d : f16
    } -> tensor<?x32xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [%n, 32] [1, 1] : tensor<?x32xf16> into tensor<60x32xf16>
    }
  }
  return %0 : tensor<60x32xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A tile that lies in one page: the page is a scalar, and the rows in it count, so
// that nothing is looked up: it is a tile of the pool.

// CHECK-LABEL: func @one_page
//  CHECK-SAME:   %[[POOL:.*]]: tensor<?x64x32xf16>
//       CHECK:   scf.forall (%[[I:.*]]) =
//   CHECK-DAG:     %[[PAGE:.*]] = arith.shrsi %[[I]], %{{.*}} : index
//   CHECK-DAG:     %[[ROW:.*]] = arith.andi %[[I]], %{{.*}} : index
//       CHECK:     vector.transfer_read %[[POOL]][%[[PAGE]], %[[ROW]], %c0], %{{.*}} {in_bounds = [true, true]} : tensor<?x64x32xf16>, vector<16x32xf16>
func.func @one_page(%pool: tensor<?x64x32xf16>) -> tensor<160x32xf16> {
  %init = tensor.empty() : tensor<160x32xf16>
  %0 = scf.forall (%i) = (0) to (160) step (16) shared_outs(%o = %init) -> (tensor<160x32xf16>) {
    %b = tensor.extract_slice %o[%i, 0] [16, 32] [1, 1] : tensor<160x32xf16> to tensor<16x32xf16>
    %c = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%b : tensor<16x32xf16>) {
    ^bb0(%w: f16):
      %k = linalg.index 0 : index
      %j = linalg.index 1 : index
      %s = arith.addi %i, %k : index
      %page = affine.apply affine_map<(s) -> (s floordiv 64)>(%s)
      %row = affine.apply affine_map<(s) -> (s mod 64)>(%s)
      %d = tensor.extract %pool[%page, %row, %j] : tensor<?x64x32xf16>
      linalg.yield %d : f16
    } -> tensor<16x32xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [16, 32] [1, 1] : tensor<16x32xf16> into tensor<160x32xf16>
    }
  }
  return %0 : tensor<160x32xf16>
}

// -----

// An arg-max in a tile: the extreme, and the first position of it. What was
// chosen before stays unless the extreme is another.

// CHECK-LABEL: func.func @arg_max
//       CHECK: %[[X:.*]] = vector.transfer_read
//       CHECK: %[[M:.*]] = vector.multi_reduction <maximumf>, %[[X]], %[[OLD:.*]] [1] : vector<4x8xf32> to vector<4xf32>
//       CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[X]],
//       CHECK: %[[AT:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : vector<4x8xi1>, vector<4x8xi32>
//       CHECK: %[[FIRST:.*]] = vector.multi_reduction <minsi>, %[[AT]], %{{.*}} [1] : vector<4x8xi32> to vector<4xi32>
//   CHECK-NOT: vector.multi_reduction
//   CHECK-DAG: %[[INDEX:.*]] = arith.index_cast %[[FIRST]] : vector<4xi32> to vector<4xindex>
//   CHECK-DAG: %[[THERE:.*]] = arith.index_cast %[[INDEX]] : vector<4xindex> to vector<4xi64>
//   CHECK-DAG: %[[BETTER:.*]] = arith.cmpf ogt, %[[M]], %[[OLD]]
//       CHECK: arith.select %[[BETTER]], %[[THERE]], %{{.*}} : vector<4xi1>, vector<4xi64>
func.func @arg_max(%x: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<8xi64>
  %r:2 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e, %oi = %ei) -> (tensor<8xf32>, tensor<8xi64>) {
    %t = tensor.extract_slice %x[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %d = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %di = tensor.extract_slice %oi[%i] [4] [1] : tensor<8xi64> to tensor<4xi64>
    %f = linalg.fill ins(%low : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    %fi = linalg.fill ins(%none : i64) outs(%di : tensor<4xi64>) -> tensor<4xi64>
    %m:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                           iterator_types = ["parallel", "reduction"]}
        ins(%t : tensor<4x8xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %at: i64):
      %j = linalg.index 1 : index
      %p = arith.index_cast %j : index to i64
      %max = arith.maximumf %in, %out : f32
      %better = arith.cmpf ogt, %in, %out : f32
      %q = arith.select %better, %p, %at : i64
      linalg.yield %max, %q : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m#0 into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %m#1 into %oi[%i] [4] [1] : tensor<4xi64> into tensor<8xi64>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}

// -----

// Of what is no position, the element there: a sum of it and of zeros.

// CHECK-LABEL: func.func @arg_max_of_pairs
//       CHECK: %[[M:.*]] = vector.multi_reduction <maximumf>, %{{.*}}, %[[OLD:.*]] [1] : vector<4x8xf32> to vector<4xf32>
//       CHECK: vector.multi_reduction <minsi>
//       CHECK: arith.cmpi eq
//   CHECK-DAG: %[[THERE:.*]] = vector.multi_reduction <add>, {{.*}} [1] : vector<4x8xi64> to vector<4xi64>
//   CHECK-DAG: %[[BETTER:.*]] = arith.cmpf ogt, %[[M]], %[[OLD]]
//       CHECK: arith.select %[[BETTER]], %[[THERE]], %{{.*}} : vector<4xi1>, vector<4xi64>
func.func @arg_max_of_pairs(%x: tensor<8x8xf32>, %w: tensor<8x8xi64>) -> (tensor<8xf32>, tensor<8xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<8xi64>
  %r:2 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e, %oi = %ei) -> (tensor<8xf32>, tensor<8xi64>) {
    %t = tensor.extract_slice %x[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %u = tensor.extract_slice %w[%i, 0] [4, 8] [1, 1] : tensor<8x8xi64> to tensor<4x8xi64>
    %d = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %di = tensor.extract_slice %oi[%i] [4] [1] : tensor<8xi64> to tensor<4xi64>
    %f = linalg.fill ins(%low : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    %fi = linalg.fill ins(%none : i64) outs(%di : tensor<4xi64>) -> tensor<4xi64>
    %m:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                           iterator_types = ["parallel", "reduction"]}
        ins(%t, %u : tensor<4x8xf32>, tensor<4x8xi64>) outs(%f, %fi : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %p: i64, %out: f32, %at: i64):
      %max = arith.maximumf %in, %out : f32
      %better = arith.cmpf ogt, %in, %out : f32
      %q = arith.select %better, %p, %at : i64
      linalg.yield %max, %q : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m#0 into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %m#1 into %oi[%i] [4] [1] : tensor<4xi64> into tensor<8xi64>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}

// -----

// No term is chosen from the first one with a flag on: there, the tile has the neutral element.

// CHECK-LABEL: func.func @arg_max_until_flag
//       CHECK: %[[X:.*]] = vector.transfer_read
//       CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
//       CHECK: %[[AT:.*]] = arith.select %[[NAN]], %[[P:.*]], %{{.*}} : vector<4x8xi1>, vector<4x8xi32>
//       CHECK: %[[STOP:.*]] = vector.multi_reduction <minsi>, %[[AT]], %{{.*}} [1] : vector<4x8xi32> to vector<4xi32>
//       CHECK: %[[BEFORE:.*]] = arith.cmpi slt, %[[P]], %{{.*}} : vector<4x8xi32>
//       CHECK: %[[TERMS:.*]] = arith.select %[[BEFORE]], %[[X]], %{{.*}} : vector<4x8xi1>, vector<4x8xf32>
//       CHECK: arith.cmpi ne, %[[STOP]],
//       CHECK: vector.multi_reduction <maxnumf>, %[[TERMS]], %{{.*}} [1] : vector<4x8xf32> to vector<4xf32>
//       CHECK: arith.extui %{{.*}} : vector<4xi1> to vector<4xi32>
func.func @arg_max_until_flag(%x: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xi64>, tensor<8xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<8xi64>
  %eg = tensor.empty() : tensor<8xi32>
  %unset = arith.constant 0 : i32
  %r:3 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e, %oi = %ei, %og = %eg) -> (tensor<8xf32>, tensor<8xi64>, tensor<8xi32>) {
    %t = tensor.extract_slice %x[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %d = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %di = tensor.extract_slice %oi[%i] [4] [1] : tensor<8xi64> to tensor<4xi64>
    %dg = tensor.extract_slice %og[%i] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %fg = linalg.fill ins(%unset : i32) outs(%dg : tensor<4xi32>) -> tensor<4xi32>
    %f = linalg.fill ins(%low : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    %fi = linalg.fill ins(%none : i64) outs(%di : tensor<4xi64>) -> tensor<4xi64>
    %m:3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                           iterator_types = ["parallel", "reduction"]}
        ins(%t : tensor<4x8xf32>) outs(%f, %fi, %fg : tensor<4xf32>, tensor<4xi64>, tensor<4xi32>) {
    ^bb0(%in: f32, %out: f32, %at: i64, %flag: i32):
      %j = linalg.index 1 : index
      %p = arith.index_cast %j : index to i64
      %nan = arith.cmpf uno, %in, %in : f32
      %bit = arith.extui %nan : i1 to i32
      %goes = arith.cmpi eq, %flag, %unset : i32
      %greater = arith.cmpf ogt, %in, %out : f32
      %better = arith.andi %greater, %goes : i1
      %max = arith.select %better, %in, %out : f32
      %set = arith.ori %flag, %bit : i32
      %q = arith.select %better, %p, %at : i64
      linalg.yield %max, %q, %set : f32, i64, i32
    } -> (tensor<4xf32>, tensor<4xi64>, tensor<4xi32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m#0 into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %m#2 into %og[%i] [4] [1] : tensor<4xi32> into tensor<8xi32>
      tensor.parallel_insert_slice %m#1 into %oi[%i] [4] [1] : tensor<4xi64> into tensor<8xi64>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xi64>, tensor<8xi32>
}
