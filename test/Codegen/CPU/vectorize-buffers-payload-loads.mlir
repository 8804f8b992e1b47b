// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s

// A payload that loads rows of scales at the entries of a table: lanes load adjacent elements.
// Columns that fill no vector have a mask.

// CHECK-LABEL: func @rows(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x64xf32>, %[[W:[a-z0-9]+]]: memref<64x20xf32>, %[[T:[a-z0-9]+]]: memref<64xindex>, %[[S:[a-z0-9]+]]: memref<4x20xf32>
//       CHECK:   scf.for {{.*}} to %c64
//       CHECK:     %[[ENTRY:.*]] = memref.load %[[T]]
//       CHECK:     %[[ISROW:.*]] = arith.cmpi ult, %[[ENTRY]]
//       CHECK:     %[[ROW:.*]] = vector.load %[[S]][%[[ENTRY]], %{{.*}}] : memref<4x20xf32>, vector<8xf32>
//       CHECK:     arith.select %[[ISROW]], %[[ROW]], %{{.*}} : vector<8xf32>
//       CHECK:     vector.fma
//       CHECK:   vector.maskedload %[[S]][%{{.*}}, %c16{{.*}}]
func.func @rows(%x: memref<1x64xf32>, %w: memref<64x20xf32>, %t: memref<64xindex>, %s: memref<4x20xf32>, %y: memref<1x20xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %t : memref<1x64xf32>, memref<64x20xf32>, memref<64xindex>) outs(%y : memref<1x20xf32>) {
  ^bb0(%a: f32, %b: f32, %entry: index, %sum: f32):
    %zero = arith.constant 0.0 : f32
    %c4 = arith.constant 4 : index
    %n = linalg.index 1 : index
    %is_row = arith.cmpi ult, %entry, %c4 : index
    %0 = memref.load %s[%entry, %n] : memref<4x20xf32>
    %1 = arith.select %is_row, %0, %zero : f32
    %2 = arith.mulf %b, %1 : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  }
  return
}

// -----

// Lanes along the sum would read elements of several rows. Those along the columns read adjacent
// ones, and that of the row in all lanes.

// CHECK-LABEL: func @elements(
//       CHECK:   %[[ELEMENT:.*]] = memref.load %{{.*}} : memref<64x4xf32>
//       CHECK:   vector.broadcast %[[ELEMENT]] : f32 to vector<8xf32>
//       CHECK:   vector.store
func.func @elements(%x: memref<64x32xf32>, %s: memref<64x4xf32>, %y: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x32xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %c1 = arith.constant 1 : index
    %m = linalg.index 0 : index
    %0 = memref.load %s[%m, %c1] : memref<64x4xf32>
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Neighbours read elements that depend on their own numbers.

// CHECK-LABEL: func @negative_gather(
//       CHECK:   linalg.generic
func.func @negative_gather(%x: memref<64xindex>, %s: memref<16xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xindex>) outs(%y : memref<64xf32>) {
  ^bb0(%a: index, %out: f32):
    %0 = memref.load %s[%a] : memref<16xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// Neighbours read elements of a column.

// CHECK-LABEL: func @negative_columns(
//       CHECK:   linalg.generic
func.func @negative_columns(%x: memref<64xf32>, %s: memref<64x4xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %c1 = arith.constant 1 : index
    %n = linalg.index 0 : index
    %0 = memref.load %s[%n, %c1] : memref<64x4xf32>
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
