// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=compute-tables --canonicalize | FileCheck %s

// A table that each workgroup would compute is computed where an entry of it is read, also
// in a branch.

// CHECK-LABEL: func.func @entries
// CHECK:         scf.forall
// CHECK-NOT:       tensor<20xi64>) outs
// CHECK:           linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16xf16>)
// CHECK:             scf.if
// CHECK:               %[[E:.*]] = tensor.extract %arg0[%{{.*}}] : tensor<20xi64>
// CHECK:               %[[N:.*]] = arith.addi %[[E]], %c40_i64
// CHECK:               %[[W:.*]] = arith.select %{{.*}}, %[[N]], %[[E]]
// CHECK:               arith.index_cast %[[W]]
func.func @entries(%table: tensor<20xi64>, %pool: tensor<40x16xf16>) -> tensor<20x16xf16> {
  %out = tensor.empty() : tensor<20x16xf16>
  %r = scf.forall (%i) = (0) to (20) step (4) shared_outs(%o = %out) -> (tensor<20x16xf16>) {
    %c0 = arith.constant 0 : index
    %c40 = arith.constant 40 : index
    %c0_i64 = arith.constant 0 : i64
    %c40_i64 = arith.constant 40 : i64
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty() : tensor<20xi64>
    %wrapped = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%table : tensor<20xi64>) outs(%e : tensor<20xi64>) {
    ^bb0(%in: i64, %x: i64):
      %negative = arith.cmpi slt, %in, %c0_i64 : i64
      %sum = arith.addi %in, %c40_i64 : i64
      %entry = arith.select %negative, %sum, %in : i64
      linalg.yield %entry : i64
    } -> tensor<20xi64>
    %te = tensor.empty() : tensor<4x16xf16>
    %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        outs(%te : tensor<4x16xf16>) {
    ^bb0(%x: f16):
      %row = linalg.index 0 : index
      %d = linalg.index 1 : index
      %at = arith.addi %i, %row : index
      %in = arith.cmpi ult, %at, %c40 : index
      %y = scf.if %in -> (f16) {
        %entry = tensor.extract %wrapped[%at] : tensor<20xi64>
        %page = arith.index_cast %entry : i64 to index
        %z = tensor.extract %pool[%page, %d] : tensor<40x16xf16>
        scf.yield %z : f16
      } else {
        scf.yield %zero : f16
      }
      linalg.yield %y : f16
    } -> tensor<4x16xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [4, 16] [1, 1] : tensor<4x16xf16> into tensor<20x16xf16>
    }
  }
  return %r : tensor<20x16xf16>
}

// A table in front of the loop is stored once.

// CHECK-LABEL: func.func @negative_outside
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<20xi64>)
// CHECK:         scf.forall
// CHECK:           tensor.extract %[[T]]
func.func @negative_outside(%table: tensor<20xi64>) -> tensor<20xi64> {
  %e = tensor.empty() : tensor<20xi64>
  %two = arith.constant 2 : i64
  %twice = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%table : tensor<20xi64>) outs(%e : tensor<20xi64>) {
  ^bb0(%in: i64, %x: i64):
    %y = arith.muli %in, %two : i64
    linalg.yield %y : i64
  } -> tensor<20xi64>
  %r = scf.forall (%i) = (0) to (20) step (4) shared_outs(%o = %e) -> (tensor<20xi64>) {
    %te = tensor.empty() : tensor<4xi64>
    %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%te : tensor<4xi64>) {
    ^bb0(%x: i64):
      %row = linalg.index 0 : index
      %at = arith.addi %i, %row : index
      %y = tensor.extract %twice[%at] : tensor<20xi64>
      linalg.yield %y : i64
    } -> tensor<4xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [4] [1] : tensor<4xi64> into tensor<20xi64>
    }
  }
  return %r : tensor<20xi64>
}
