// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers --canonicalize --cse --split-input-file | FileCheck %s

// What follows a page in memory is not what is read next. Its prefetches ask for
// the next page: the table is read for another iteration, of the next run of the
// loop at the end, and under the conditions under which that iteration reads it.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @next_page
//  CHECK-SAME:   %{{.*}}: memref<4x128xf32>, %[[POOL:.*]]: memref<?x16x128xf32>, %[[TABLE:.*]]: memref<?xi32>
//       CHECK:   scf.for %[[I:.*]] = %c0 to %{{.*}} step %c64
//       CHECK:     scf.for %[[J:.*]] = %c0 to %c64 step %c16
//       CHECK:       %[[J1:.*]] = arith.addi %[[J]], %c16
//       CHECK:       %[[INSIDE:.*]] = arith.cmpi slt, %[[J1]], %c64
//       CHECK:       %[[I1:.*]] = arith.addi %[[I]], %c64
//       CHECK:       %[[HAS:.*]] = arith.cmpi slt, %[[I1]], %{{.*}}
//       CHECK:       %[[J2:.*]] = arith.addi %[[J]], %c-48
//       CHECK:       %[[J3:.*]] = arith.select %[[HAS]], %[[J2]], %[[J]]
//       CHECK:       %[[JNEXT:.*]] = arith.select %[[INSIDE]], %[[J1]], %[[J3]]
//       CHECK:       %[[I3:.*]] = arith.select %[[HAS]], %[[I1]], %[[I]]
//       CHECK:       %[[INEXT:.*]] = arith.select %[[INSIDE]], %[[I]], %[[I3]]
//       CHECK:       %[[ENTRY:.*]] = affine.apply #{{.*}}(%[[INEXT]], %[[JNEXT]])
//       CHECK:       %[[LISTED:.*]] = arith.cmpi ult, %[[ENTRY]], %
//       CHECK:       %[[PAGE:.*]] = scf.if %[[LISTED]]
//       CHECK:         memref.load %[[TABLE]][%[[ENTRY]]]
//       CHECK:       %[[NEXT:.*]] = memref.subview %[[POOL]][%[[PAGE]], 0, 0]
//       CHECK:       memref.prefetch
//  CHECK-SAME:       %[[NEXT]][
func.func @next_page(%q: memref<4x128xf32>, %pool: memref<?x16x128xf32>, %table: memref<?xi32>, %s: memref<4x64xf32>, %end: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant -1 : index
  %entries = memref.dim %table, %c0 : memref<?xi32>
  scf.for %i = %c0 to %end step %c64 {
    scf.for %j = %c0 to %c64 step %c16 {
      %entry = affine.apply affine_map<(i, j) -> ((i + j) floordiv 16)>(%i, %j)
      %listed = arith.cmpi ult, %entry, %entries : index
      %page = scf.if %listed -> index {
        %named = memref.load %table[%entry] : memref<?xi32>
        %index = arith.index_cast %named : i32 to index
        scf.yield %index : index
      } else {
        scf.yield %none : index
      }
      %k = memref.subview %pool[%page, 0, 0] [1, 16, 128] [1, 1, 1] : memref<?x16x128xf32> to memref<16x128xf32, strided<[128, 1], offset: ?>>
      %tile = memref.subview %s[0, %j] [4, 16] [1, 1] : memref<4x64xf32> to memref<4x16xf32, strided<[64, 1], offset: ?>>
      linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%q, %k : memref<4x128xf32>, memref<16x128xf32, strided<[128, 1], offset: ?>>) outs(%tile : memref<4x16xf32, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %x = arith.mulf %a, %b : f32
        %y = arith.addf %c, %x : f32
        linalg.yield %y : f32
      }
    }
  }
  return
}

// -----

// Pages that are larger than prefetches are far: the end of a page asks for the
// next one.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @large_page
//       CHECK:   %[[THIS:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 128]
//       CHECK:   %[[NEXT:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 128]
//       CHECK:   %[[ROW:.*]] = arith.addi %{{.*}}, %c16
//       CHECK:   %[[HERE:.*]] = arith.cmpi slt, %[[ROW]], %c64
//       CHECK:   %[[BEHIND:.*]] = arith.addi %{{.*}}, %c-48
//       CHECK:   %[[PAGE:.*]] = arith.select %[[HERE]], %[[THIS]], %[[NEXT]]
//       CHECK:   %[[AT:.*]] = arith.select %[[HERE]], %[[ROW]], %[[BEHIND]]
//       CHECK:   memref.prefetch %[[PAGE]][%[[AT]],
func.func @large_page(%q: memref<4x128xf32>, %pool: memref<?x64x128xf32>, %table: memref<8xi32>, %s: memref<4x512xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  scf.for %j = %c0 to %c512 step %c64 {
    %entry = affine.apply affine_map<(j) -> (j floordiv 64)>(%j)
    %named = memref.load %table[%entry] : memref<8xi32>
    %page = arith.index_cast %named : i32 to index
    %k = memref.subview %pool[%page, 0, 0] [1, 64, 128] [1, 1, 1] : memref<?x64x128xf32> to memref<64x128xf32, strided<[128, 1], offset: ?>>
    %tile = memref.subview %s[0, %j] [4, 64] [1, 1] : memref<4x512xf32> to memref<4x64xf32, strided<[512, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : memref<4x128xf32>, memref<64x128xf32, strided<[128, 1], offset: ?>>) outs(%tile : memref<4x64xf32, strided<[512, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
  }
  return
}

// -----

// The place of the rows is carried from iteration to iteration: no other one can be
// read earlier.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @negative_list
//       CHECK:   scf.for
//       CHECK:     %[[K:.*]] = memref.subview
//   CHECK-NOT:     memref.load
//       CHECK:     memref.prefetch %[[K]]
//       CHECK:     memref.load
func.func @negative_list(%q: memref<4x128xf32>, %pool: memref<?x16x128xf32>, %next: memref<?xindex>, %s: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %last = scf.for %j = %c0 to %c64 step %c16 iter_args(%page = %c0) -> index {
    %k = memref.subview %pool[%page, 0, 0] [1, 16, 128] [1, 1, 1] : memref<?x16x128xf32> to memref<16x128xf32, strided<[128, 1], offset: ?>>
    %tile = memref.subview %s[0, %j] [4, 16] [1, 1] : memref<4x64xf32> to memref<4x16xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : memref<4x128xf32>, memref<16x128xf32, strided<[128, 1], offset: ?>>) outs(%tile : memref<4x16xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
    %after = memref.load %next[%page] : memref<?xindex>
    scf.yield %after : index
  }
  return
}
