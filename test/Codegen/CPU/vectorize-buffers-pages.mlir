// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers --canonicalize --cse --split-input-file | FileCheck %s

// What follows a page in memory is not what is read next. Its prefetches ask for
// the next four pages: the table is read for other iterations, of the next run of the
// loop at the end, and under the conditions under which these iterations read it. The
// rows of the four pages come in turn.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @next_page
//  CHECK-SAME:   %{{.*}}: memref<4x128xf32>, %[[POOL:.*]]: memref<?x16x128xf32>, %[[TABLE:.*]]: memref<?xi32>
//       CHECK:   scf.for %[[I:.*]] = %c0 to %{{.*}} step %c64
//       CHECK:     scf.for %[[J:.*]] = %c0 to %c64 step %c16
//       CHECK:       %[[DONE:.*]] = arith.divui %[[J]], %c16
//       CHECK:       %[[NUMBER:.*]] = arith.remui %[[DONE]], %c4
//       CHECK:       %[[DISTANCE:.*]] = arith.subi %c4, %[[NUMBER]]
//       CHECK:       %[[ROWS:.*]] = arith.muli %[[DISTANCE]], %c16
//       CHECK:       %[[J1:.*]] = arith.addi %[[J]], %[[ROWS]]
//       CHECK:       %[[INSIDE:.*]] = arith.cmpi slt, %[[J1]], %c64
//       CHECK:       %[[J2:.*]] = arith.subi %[[J1]], %c64
//       CHECK:       %[[I1:.*]] = arith.addi %[[I]], %c64
//       CHECK:       %[[HAS:.*]] = arith.cmpi slt, %[[I1]], %{{.*}}
//       CHECK:       %[[J3:.*]] = arith.select %[[HAS]], %[[J2]], %[[J]]
//       CHECK:       %[[JNEXT:.*]] = arith.select %[[INSIDE]], %[[J1]], %[[J3]]
//       CHECK:       %[[I3:.*]] = arith.select %[[HAS]], %[[I1]], %[[I]]
//       CHECK:       %[[INEXT:.*]] = arith.select %[[INSIDE]], %[[I]], %[[I3]]
//       CHECK:       %[[ENTRY:.*]] = affine.apply #{{.*}}(%[[INEXT]], %[[JNEXT]])
//       CHECK:       %[[LISTED:.*]] = arith.cmpi ult, %[[ENTRY]], %
//       CHECK:       %[[PAGE:.*]] = scf.if %[[LISTED]]
//       CHECK:         memref.load %[[TABLE]][%[[ENTRY]]]
//       CHECK:       %[[P0:.*]] = memref.subview %[[POOL]][%[[PAGE]], 0, 0]
//       CHECK:       arith.subi %c5, %[[NUMBER]]
//       CHECK:       %[[P1:.*]] = memref.subview %[[POOL]]
//       CHECK:       arith.subi %c6, %[[NUMBER]]
//       CHECK:       %[[P2:.*]] = memref.subview %[[POOL]]
//       CHECK:       arith.subi %c7, %[[NUMBER]]
//       CHECK:       %[[P3:.*]] = memref.subview %[[POOL]]
//       CHECK:       %[[WHICH:.*]] = arith.remui %[[ROW:.*]], %c4
//       CHECK:       %[[QUARTER:.*]] = arith.divui %[[ROW]], %c4
//       CHECK:       %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c4
//       CHECK:       %[[AT:.*]] = arith.addi %[[QUARTER]], %[[FIRST]]
//       CHECK:       %[[IS2:.*]] = arith.cmpi eq, %[[WHICH]], %c2
//       CHECK:       %[[S2:.*]] = arith.select %[[IS2]], %[[P2]], %[[P3]]
//       CHECK:       %[[IS1:.*]] = arith.cmpi eq, %[[WHICH]], %c1
//       CHECK:       %[[S1:.*]] = arith.select %[[IS1]], %[[P1]], %[[S2]]
//       CHECK:       %[[IS0:.*]] = arith.cmpi eq, %[[WHICH]], %c0
//       CHECK:       %[[S0:.*]] = arith.select %[[IS0]], %[[P0]], %[[S1]]
//       CHECK:       memref.prefetch %[[S0]][%[[AT]], %{{.*}}], read, locality<2>
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

// Of pages of 32 KiB the next two are read at a time, in two parts each. The loop
// around them has no outer loop: nothing follows its end.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @large_page
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c512 step %c64
//       CHECK:   %[[NUMBER:.*]] = arith.remui %{{.*}}, %c2
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %[[J1:.*]], %c512
//       CHECK:   arith.select %[[INSIDE]], %[[J1]], %[[J]]
//       CHECK:   %[[P0:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 128]
//       CHECK:   %[[P1:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 128]
//       CHECK:   %[[STREAM:.*]] = arith.remui %[[ROW:.*]], %c4
//       CHECK:   %[[QUARTER:.*]] = arith.divui %[[ROW]], %c4
//       CHECK:   %[[PART:.*]] = arith.divui %[[STREAM]], %c2
//       CHECK:   %[[FIRST:.*]] = arith.muli %[[PART]], %c32
//       CHECK:   %[[IN:.*]] = arith.addi %[[QUARTER]], %[[FIRST]]
//       CHECK:   %[[WHICH:.*]] = arith.remui %[[STREAM]], %c2
//       CHECK:   %[[BEFORE:.*]] = arith.muli %[[NUMBER]], %c16
//       CHECK:   %[[AT:.*]] = arith.addi %[[IN]], %[[BEFORE]]
//       CHECK:   %[[IS0:.*]] = arith.cmpi eq, %[[WHICH]], %c0
//       CHECK:   %[[PAGE:.*]] = arith.select %[[IS0]], %[[P0]], %[[P1]]
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

// Pages that are larger than all prefetches are far: the end of a page asks for the
// next one, for all rows of a step at once.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @huge_page
//       CHECK:   %[[THIS:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 256, 128]
//       CHECK:   %[[NEXT:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 256, 128]
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c256 step %c4
//       CHECK:   %[[ROW:.*]] = arith.addi %{{.*}}, %c16
//       CHECK:   %[[FIRST:.*]] = arith.addi %[[I]], %c16
//       CHECK:   %[[HERE:.*]] = arith.cmpi slt, %[[FIRST]], %c256
//       CHECK:   %[[BEFORE:.*]] = arith.select %[[HERE]], %c0, %c256
//       CHECK:   %[[PAGE:.*]] = arith.select %[[HERE]], %[[THIS]], %[[NEXT]]
//       CHECK:   %[[AT:.*]] = arith.subi %[[ROW]], %[[BEFORE]]
//       CHECK:   memref.prefetch %[[PAGE]][%[[AT]],
func.func @huge_page(%q: memref<4x128xf32>, %pool: memref<?x256x128xf32>, %table: memref<8xi32>, %s: memref<4x2048xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c2048 = arith.constant 2048 : index
  scf.for %j = %c0 to %c2048 step %c256 {
    %entry = affine.apply affine_map<(j) -> (j floordiv 256)>(%j)
    %named = memref.load %table[%entry] : memref<8xi32>
    %page = arith.index_cast %named : i32 to index
    %k = memref.subview %pool[%page, 0, 0] [1, 256, 128] [1, 1, 1] : memref<?x256x128xf32> to memref<256x128xf32, strided<[128, 1], offset: ?>>
    %tile = memref.subview %s[0, %j] [4, 256] [1, 1] : memref<4x2048xf32> to memref<4x256xf32, strided<[2048, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : memref<4x128xf32>, memref<256x128xf32, strided<[128, 1], offset: ?>>) outs(%tile : memref<4x256xf32, strided<[2048, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
  }
  return
}

// -----

// Rows that are copied one by one: each asks for one that is 8 KiB later, which the
// next run of the loop reads, or that of the loop around it.

// CHECK-LABEL: func @rows
//       CHECK:   scf.for %[[H:.*]] = %c0 to
//       CHECK:     scf.for %[[I:.*]] = %c0 to %c128 step %c32
//       CHECK:       scf.for %[[J:.*]] = %c0 to %c32 step %c1
//       CHECK:         scf.if
//       CHECK:           %[[J1:.*]] = arith.addi %[[J]], %c16
//       CHECK:           %[[JIN:.*]] = arith.cmpi slt, %[[J1]], %c32
//       CHECK:           %[[J2:.*]] = arith.addi %[[J]], %c-16
//       CHECK:           %[[I1:.*]] = arith.addi %[[I]], %c32
//       CHECK:           %[[IIN:.*]] = arith.cmpi slt, %[[I1]], %c128
//       CHECK:           %[[H1:.*]] = arith.addi %[[H]], %c1
//       CHECK:           %[[HIN:.*]] = arith.cmpi slt, %[[H1]], %
//       CHECK:           %[[ANY:.*]] = arith.ori %[[IIN]], %[[HIN]]
//       CHECK:           %[[JW:.*]] = arith.select %[[ANY]], %[[J2]], %[[J]]
//       CHECK:           %[[JN:.*]] = arith.select %[[JIN]], %[[J1]], %[[JW]]
//       CHECK:           memref.load
//       CHECK:           %[[ROW:.*]] = memref.subview
// CHECK-COUNT-8:         memref.prefetch %[[ROW]][%{{.*}}], read, locality<2>
//   CHECK-NOT:           memref.prefetch
//       CHECK:           vector.load
func.func @rows(%pool: memref<?x128xf32>, %table: memref<?x128xi32>, %pages: index, %heads: index, %out: memref<32x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %h = %c0 to %heads step %c1 {
    scf.for %i = %c0 to %c128 step %c32 {
      scf.for %j = %c0 to %c32 step %c1 {
        %entry = arith.addi %i, %j : index
        %named = memref.load %table[%h, %entry] : memref<?x128xi32>
        %page = arith.index_cast %named : i32 to index
        %exists = arith.cmpi ult, %page, %pages : index
        scf.if %exists {
          %row = memref.subview %pool[%page, 0] [1, 128] [1, 1] : memref<?x128xf32> to memref<128xf32, strided<[1], offset: ?>>
          %to = memref.subview %out[%j, 0] [1, 128] [1, 1] : memref<32x128xf32> to memref<128xf32, strided<[1], offset: ?>>
          memref.copy %row, %to : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32, strided<[1], offset: ?>>
        }
      }
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

// -----

// Rows that are copied before they are used are prefetched where they are used: the
// copy would wait for memory, which would have nothing to do afterwards. The table is
// read for the rows of the next run of the loop around both, which may have fewer.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @copied
//  CHECK-SAME:   %{{.*}}: memref<4x128xf32>, %[[POOL:.*]]: memref<?x128xf32>, %[[TABLE:.*]]: memref<?xi32>, %{{.*}}: index, %{{.*}}: memref<4x?xf32>, %[[KEYS:.*]]: index)
//       CHECK:   scf.for %[[I:.*]] = %c0 to %[[KEYS]] step %c16
//       CHECK:     scf.for
//   CHECK-NOT:       memref.prefetch
//       CHECK:     scf.for %[[J:.*]] = %c0 to %{{.*}} step %c4
//       CHECK:       %[[I1:.*]] = arith.addi %[[I]], %c16
//       CHECK:       %[[HAS:.*]] = arith.cmpi slt, %[[I1]], %[[KEYS]]
//       CHECK:       %[[NEXT:.*]] = arith.select %[[HAS]], %[[I1]], %[[I]]
//       CHECK:       %[[SIZE:.*]] = affine.min #{{.*}}(%[[NEXT]])[%[[KEYS]]]
//       CHECK:       %[[IN:.*]] = arith.cmpi slt, %[[J]], %[[SIZE]]
//       CHECK:       %[[LATER:.*]] = arith.select %[[IN]], %[[NEXT]], %[[I]]
//       CHECK:       %[[ENTRY:.*]] = arith.addi %[[LATER]], %[[J]]
//       CHECK:       memref.load %[[TABLE]][%[[ENTRY]]]
//       CHECK:       %[[ROW:.*]] = memref.subview %[[POOL]]
// CHECK-COUNT-8:       memref.prefetch %[[ROW]][%{{.*}}], read, locality<2>
//       CHECK:       %[[J1:.*]] = arith.addi %[[J]], %c1
//       CHECK:       memref.load %[[TABLE]]
func.func @copied(%q: memref<4x128xf32>, %pool: memref<?x128xf32>, %table: memref<?xi32>, %pages: index, %s: memref<4x?xf32>, %keys: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %buffer = memref.alloc() : memref<16x128xf32>
  scf.for %i = %c0 to %keys step %c16 {
    %size = affine.min affine_map<(i)[n] -> (16, n - i)>(%i)[%keys]
    %rows = memref.subview %buffer[0, 0] [%size, 128] [1, 1] : memref<16x128xf32> to memref<?x128xf32, strided<[128, 1]>>
    scf.for %j = %c0 to %size step %c1 {
      %entry = arith.addi %i, %j : index
      %named = memref.load %table[%entry] : memref<?xi32>
      %page = arith.index_cast %named : i32 to index
      %exists = arith.cmpi ult, %page, %pages : index
      %to = memref.subview %rows[%j, 0] [1, 128] [1, 1] : memref<?x128xf32, strided<[128, 1]>> to memref<128xf32, strided<[1], offset: ?>>
      scf.if %exists {
        %row = memref.subview %pool[%page, 0] [1, 128] [1, 1] : memref<?x128xf32> to memref<128xf32, strided<[1], offset: ?>>
        memref.copy %row, %to : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32, strided<[1], offset: ?>>
      }
    }
    %tile = memref.subview %s[0, %i] [4, %size] [1, 1] : memref<4x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %rows : memref<4x128xf32>, memref<?x128xf32, strided<[128, 1]>>) outs(%tile : memref<4x?xf32, strided<[?, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
  }
  memref.dealloc %buffer : memref<16x128xf32>
  return
}

// -----

// The heads of a page are inside of its rows. The next row of a tile is in the next row
// of the page, not the next head.

#q = affine_map<(h, m, n, d) -> (h, m, d)>
#k = affine_map<(h, m, n, d) -> (n, h, d)>
#s = affine_map<(h, m, n, d) -> (h, m, n)>

// CHECK-LABEL: func @heads_inside
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c64 step %c16
//       CHECK:     arith.remui %{{.*}}, %c4
//   CHECK-COUNT-4: memref.subview %{{.*}}[%{{.*}}, 0, %{{.*}}, 0] [1, 16, 1, 128]
//       CHECK:     scf.for %[[N:.*]] = %c0 to %c16 step %c4
//       CHECK:       arith.remui %{{.*}}, %c4
//       CHECK:       memref.prefetch
func.func @heads_inside(%q: memref<1x4x128xf32>, %pool: memref<?x16x8x128xf32>, %table: memref<4xi32>, %h: index, %s: memref<1x4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c16 {
    %entry = affine.apply affine_map<(j) -> (j floordiv 16)>(%j)
    %named = memref.load %table[%entry] : memref<4xi32>
    %page = arith.index_cast %named : i32 to index
    %k = memref.subview %pool[%page, 0, %h, 0] [1, 16, 1, 128] [1, 1, 1, 1] : memref<?x16x8x128xf32> to memref<16x1x128xf32, strided<[1024, 128, 1], offset: ?>>
    %tile = memref.subview %s[0, 0, %j] [1, 4, 16] [1, 1, 1] : memref<1x4x64xf32> to memref<1x4x16xf32, strided<[256, 64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%q, %k : memref<1x4x128xf32>, memref<16x1x128xf32, strided<[1024, 128, 1], offset: ?>>) outs(%tile : memref<1x4x16xf32, strided<[256, 64, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
  }
  return
}

// -----

// Rows that a list names: the list says where the rows ahead are. Behind its end are the
// first rows of the next head, by the same list. Four rows are on one side of the end.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @listed_rows
//  CHECK-SAME:   %{{.*}}: memref<8x4x128xf32>, %[[POOL:.*]]: memref<?x8x128xf32>, %[[LIST:.*]]: memref<64x1xindex>
//       CHECK:   scf.for %[[H:.*]] = %c0 to %c8 step %c1
//       CHECK:     %[[HEAD:.*]] = memref.subview %[[POOL]][0, %[[H]], 0]
//       CHECK:     %[[H1:.*]] = arith.addi %[[H]], %c1
//       CHECK:     %[[HAS:.*]] = arith.cmpi slt, %[[H1]], %c8
//       CHECK:     %[[HNEXT:.*]] = arith.select %[[HAS]], %[[H1]], %[[H]]
//       CHECK:     %[[NEXT:.*]] = memref.subview %[[POOL]][0, %[[HNEXT]], 0]
//       CHECK:     scf.for %[[I:.*]] = %c0 to %c64 step %c4
//       CHECK:       %[[AHEAD:.*]] = arith.addi %[[I]], %c16
//       CHECK:       %[[HERE:.*]] = arith.cmpi slt, %[[AHEAD]], %c64
//       CHECK:       %[[BEFORE:.*]] = arith.select %[[HERE]], %c0, %c64
//       CHECK:       %[[SOURCE:.*]] = arith.select %[[HERE]], %[[HEAD]], %[[NEXT]]
//       CHECK:       %[[V:.*]] = linalg_ext.view_rows %[[SOURCE]][%[[LIST]]] dims [0]
//       CHECK:       %[[AT:.*]] = arith.subi %{{.*}}, %[[BEFORE]]
//       CHECK:       memref.prefetch %[[V]][%[[AT]], %{{.*}}], read, locality<2>
func.func @listed_rows(%q: memref<8x4x128xf32>, %pool: memref<?x8x128xf32>, %list: memref<64x1xindex>, %s: memref<8x4x64xf32>, %pages: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %h = %c0 to %c8 step %c1 {
    %head = memref.subview %pool[0, %h, 0] [%pages, 1, 128] [1, 1, 1] : memref<?x8x128xf32> to memref<?x128xf32, strided<[1024, 1], offset: ?>>
    %k = linalg_ext.view_rows %head[%list] dims [0] : memref<?x128xf32, strided<[1024, 1], offset: ?>>, memref<64x1xindex>
    %qh = memref.subview %q[%h, 0, 0] [1, 4, 128] [1, 1, 1] : memref<8x4x128xf32> to memref<4x128xf32, strided<[128, 1], offset: ?>>
    %sh = memref.subview %s[%h, 0, 0] [1, 4, 64] [1, 1, 1] : memref<8x4x64xf32> to memref<4x64xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%qh, %k : memref<4x128xf32, strided<[128, 1], offset: ?>>, memref<64x128xf32, strided<[?, 1], offset: ?>>) outs(%sh : memref<4x64xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.mulf %a, %b : f32
      %y = arith.addf %c, %x : f32
      linalg.yield %y : f32
    }
  }
  return
}

// -----

// No loop has another view: behind the end of the list its first rows follow, and
// nothing behind it is read.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>

// CHECK-LABEL: func @one_list
//  CHECK-SAME:   %{{.*}}: memref<4x128xf32>, %[[POOL:.*]]: memref<?x128xf32>, %[[LIST:.*]]: memref<64x1xindex>
//       CHECK:   %[[V:.*]] = linalg_ext.view_rows %[[POOL]][%[[LIST]]]
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c64 step %c4
//       CHECK:       %[[BEFORE:.*]] = arith.select %{{.*}}, %c0, %c64
//       CHECK:       %[[AT:.*]] = arith.subi %{{.*}}, %[[BEFORE]]
//       CHECK:       memref.prefetch %[[V]][%[[AT]], %{{.*}}], read, locality<2>
func.func @one_list(%q: memref<4x128xf32>, %pool: memref<?x128xf32>, %list: memref<64x1xindex>, %s: memref<4x64xf32>) {
  %k = linalg_ext.view_rows %pool[%list] dims [0] : memref<?x128xf32>, memref<64x1xindex>
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<4x128xf32>, memref<64x128xf32, strided<[?, 1], offset: ?>>) outs(%s : memref<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32
  }
  return
}
