// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=split-positions --canonicalize | FileCheck %s

// Rows and columns of a thread: each of its four elements is compared with a constant.
// CHECK-LABEL: func @compare
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0, -1, 8, 7]> : vector<4xi32>
// CHECK-DAG: %[[DIFFERENCE:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[DIFFERENCE]] : i32 to vector<4xi32>
// CHECK: %[[RESULT:.*]] = arith.cmpi sle, %[[ALL]], %[[CONSTANTS]]
// CHECK: return %[[RESULT]]
func.func @compare(%a: i32, %b: i32) -> vector<4xi1> {
  %c31 = arith.constant 31 : i32
  %rows = arith.constant dense<[0, 8]> : vector<2xi32>
  %columns = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %rows : vector<2xi32>
  %2 = vector.shuffle %1, %1 [0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %3 = vector.broadcast %column : i32 to vector<4xi32>
  %4 = arith.addi %3, %columns : vector<4xi32>
  %5 = arith.cmpi sge, %2, %4 : vector<4xi32>
  return %5 : vector<4xi1>
}

// What may overflow is compared as it is; equality is exact anyway.
// CHECK-LABEL: func @negative_overflow
// CHECK-SAME: %[[A:[a-z0-9]+]]: i32
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<[0, 1]> : vector<2xi32>
// CHECK-DAG: %[[SPLAT:.*]] = vector.broadcast %[[A]]
// CHECK-DAG: %[[SUM:.*]] = arith.addi %[[SPLAT]], %[[OFFSETS]]
// CHECK-DAG: arith.cmpi slt, %[[SUM]], %{{.*}}
// CHECK-DAG: arith.cmpi eq, %{{.*}}, %[[OFFSETS]]
func.func @negative_overflow(%a: i32, %b: i32) -> (vector<2xi1>, vector<2xi1>) {
  %offsets = arith.constant dense<[0, 1]> : vector<2xi32>
  %0 = vector.broadcast %a : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = vector.broadcast %b : i32 to vector<2xi32>
  %3 = arith.cmpi slt, %1, %2 : vector<2xi32>
  %4 = arith.cmpi eq, %1, %2 : vector<2xi32>
  return %3, %4 : vector<2xi1>, vector<2xi1>
}

// Unsigned comparisons stay.
// CHECK-LABEL: func @negative_unsigned
// CHECK: arith.addi %{{.*}} : vector<2xi32>
// CHECK: arith.cmpi ult
func.func @negative_unsigned(%a: i32, %b: i32) -> vector<2xi1> {
  %c31 = arith.constant 31 : i32
  %offsets = arith.constant dense<[0, 1]> : vector<2xi32>
  %row = arith.andi %a, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = vector.broadcast %b : i32 to vector<2xi32>
  %3 = arith.cmpi ult, %1, %2 : vector<2xi32>
  return %3 : vector<2xi1>
}

// A distance in 64 bits that is needed in 32: one scalar is truncated.
// CHECK-LABEL: func @truncate
// CHECK-SAME: %[[A:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<[0, 1, 8]> : vector<3xi32>
// CHECK-DAG: %[[DISTANCE:.*]] = arith.subi %[[A]], %[[B]] : index
// CHECK: %[[LOW:.*]] = arith.index_cast %[[DISTANCE]] : index to i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[LOW]] : i32 to vector<3xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[ALL]], %[[OFFSETS]]
// CHECK: return %[[SUM]]
func.func @truncate(%a: index, %b: index) -> vector<3xi32> {
  %offsets = arith.constant dense<[0, 1, 8]> : vector<3xindex>
  %0 = vector.broadcast %a : index to vector<3xindex>
  %1 = arith.addi %0, %offsets : vector<3xindex>
  %2 = vector.broadcast %b : index to vector<3xindex>
  %3 = arith.subi %1, %2 : vector<3xindex>
  %4 = arith.index_cast %3 : vector<3xindex> to vector<3xi32>
  return %4 : vector<3xi32>
}

// Positions of importers are of i64: those of the same width are compared with
// constants, too.
// CHECK-LABEL: func @compare_cast
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0, -1, 8, 7]> : vector<4xi64>
// CHECK-DAG: %[[DIFFERENCE:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK: %[[ALL:.*]] = vector.broadcast %[[DIFFERENCE]] : i64 to vector<4xi64>
// CHECK: %[[RESULT:.*]] = arith.cmpi sle, %[[ALL]], %[[CONSTANTS]]
// CHECK: return %[[RESULT]]
func.func @compare_cast(%a: index, %b: index) -> vector<4xi1> {
  %c31 = arith.constant 31 : index
  %rows = arith.constant dense<[0, 8]> : vector<2xindex>
  %columns = arith.constant dense<[0, 1, 0, 1]> : vector<4xindex>
  %row = arith.andi %a, %c31 : index
  %column = arith.andi %b, %c31 : index
  %0 = vector.broadcast %row : index to vector<2xindex>
  %1 = arith.addi %0, %rows : vector<2xindex>
  %2 = arith.index_cast %1 : vector<2xindex> to vector<2xi64>
  %3 = vector.shuffle %2, %2 [0, 0, 1, 1] : vector<2xi64>, vector<2xi64>
  %4 = vector.broadcast %column : index to vector<4xindex>
  %5 = arith.addi %4, %columns : vector<4xindex>
  %6 = arith.index_castui %5 : vector<4xindex> to vector<4xi64>
  %7 = arith.cmpi sge, %3, %6 : vector<4xi64>
  return %7 : vector<4xi1>
}

// A cast to more bits stays.
// CHECK-LABEL: func @negative_extend
// CHECK: arith.index_cast %{{.*}} : vector<2xi32> to vector<2xindex>
func.func @negative_extend(%a: i32) -> vector<2xindex> {
  %offsets = arith.constant dense<[0, 1]> : vector<2xi32>
  %0 = vector.broadcast %a : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = arith.index_cast %1 : vector<2xi32> to vector<2xindex>
  return %2 : vector<2xindex>
}

// Those that are extended are compared as they were before, if they are not negative.
// CHECK-LABEL: func @compare_extended
// CHECK-SAME: %[[A:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0, -1, 8, 7]> : vector<4xi32>
// CHECK-DAG: %[[DIFFERENCE:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[DIFFERENCE]] : i32 to vector<4xi32>
// CHECK: %[[RESULT:.*]] = arith.cmpi sle, %[[ALL]], %[[CONSTANTS]] : vector<4xi32>
// CHECK: return %[[RESULT]]
func.func @compare_extended(%a: i32, %b: i32) -> vector<4xi1> {
  %c31 = arith.constant 31 : i32
  %rows = arith.constant dense<[0, 8]> : vector<2xi32>
  %columns = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %rows : vector<2xi32>
  %2 = arith.extui %1 : vector<2xi32> to vector<2xi64>
  %3 = vector.shuffle %2, %2 [0, 0, 1, 1] : vector<2xi64>, vector<2xi64>
  %4 = vector.broadcast %column : i32 to vector<4xi32>
  %5 = arith.addi %4, %columns : vector<4xi32>
  %6 = arith.extui %5 : vector<4xi32> to vector<4xi64>
  %7 = arith.cmpi sge, %3, %6 : vector<4xi64>
  return %7 : vector<4xi1>
}

// -1 is large if it is extended without its sign.
// CHECK-LABEL: func @negative_extended
// CHECK: arith.extui %{{.*}} : vector<2xi32> to vector<2xi64>
// CHECK: arith.cmpi slt, %{{.*}} : vector<2xi64>
func.func @negative_extended(%a: i32, %b: i32) -> vector<2xi1> {
  %c31 = arith.constant 31 : i32
  %offsets = arith.constant dense<[-1, 0]> : vector<2xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = arith.extui %1 : vector<2xi32> to vector<2xi64>
  %3 = vector.broadcast %column : i32 to vector<2xi32>
  %4 = arith.extui %3 : vector<2xi32> to vector<2xi64>
  %5 = arith.cmpi slt, %2, %4 : vector<2xi64>
  return %5 : vector<2xi1>
}

// With its sign, it is not.
// CHECK-LABEL: func @compare_signed
// CHECK: arith.cmpi sgt, %{{.*}} : vector<2xi32>
func.func @compare_signed(%a: i32, %b: i32) -> vector<2xi1> {
  %c31 = arith.constant 31 : i32
  %offsets = arith.constant dense<[-1, 0]> : vector<2xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = arith.extsi %1 : vector<2xi32> to vector<2xi64>
  %3 = vector.broadcast %column : i32 to vector<2xi32>
  %4 = arith.extsi %3 : vector<2xi32> to vector<2xi64>
  %5 = arith.cmpi slt, %2, %4 : vector<2xi64>
  return %5 : vector<2xi1>
}

// The range of the index of a loop follows from its bounds, whatever computes them.
// CHECK-LABEL: func @compare_in_loop
// CHECK: scf.for
// CHECK: arith.cmpi sge, %{{.*}}, %{{cst.*}} : vector<2xi64>
func.func @compare_in_loop(%n: i64, %end: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4096 = arith.constant 4096 : index
  %c31 = arith.constant 31 : i64
  %offsets = arith.constant dense<[0, 8]> : vector<2xi64>
  %row = arith.andi %n, %c31 : i64
  %rows = vector.broadcast %row : i64 to vector<2xi64>
  %begin = arith.maxsi %end, %c0 : index
  %most = arith.minsi %end, %c4096 : index
  scf.for %i = %begin to %most step %c8 {
    %0 = arith.index_cast %i : index to i64
    %1 = vector.broadcast %0 : i64 to vector<2xi64>
    %2 = arith.addi %1, %offsets : vector<2xi64>
    %3 = arith.cmpi sle, %2, %rows : vector<2xi64>
    vector.print %3 : vector<2xi1>
  }
  return
}

// CHECK-LABEL: func @negative_in_loop
// CHECK: arith.cmpi sle, %{{.*}} : vector<2xi64>
func.func @negative_in_loop(%n: i64, %begin: index, %end: index) {
  %c8 = arith.constant 8 : index
  %c31 = arith.constant 31 : i64
  %offsets = arith.constant dense<[0, 8]> : vector<2xi64>
  %row = arith.andi %n, %c31 : i64
  %rows = vector.broadcast %row : i64 to vector<2xi64>
  scf.for %i = %begin to %end step %c8 {
    %0 = arith.index_cast %i : index to i64
    %1 = vector.broadcast %0 : i64 to vector<2xi64>
    %2 = arith.addi %1, %offsets : vector<2xi64>
    %3 = arith.cmpi sle, %2, %rows : vector<2xi64>
    vector.print %3 : vector<2xi1>
  }
  return
}

// Pages of 4 rows, and rows in them: one of each for all registers, whose distances
// are multiples of 8. What is added to %i is less than 64, which divides it.

// CHECK-LABEL: func @divide
// CHECK-DAG: %[[PAGES:.*]] = arith.constant dense<[0, 2, 4]> : vector<3xindex>
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %[[I]] : index
// CHECK: %[[PAGE:.*]] = arith.shrsi %[[S]], %c2 : index
// CHECK: %[[ALL:.*]] = vector.broadcast %[[PAGE]] : index to vector<3xindex>
// CHECK: arith.addi %[[ALL]], %[[PAGES]] : vector<3xindex>
// CHECK: %[[ROW:.*]] = arith.andi %{{.*}}, %c3 : index
// CHECK: vector.broadcast %[[ROW]] : index to vector<3xindex>
func.func @divide(%thread: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant dense<2> : vector<3xindex>
  %three = arith.constant dense<3> : vector<3xindex>
  %offsets = arith.constant dense<[0, 8, 16]> : vector<3xindex>
  %row = arith.andi %thread, %c7 : index
  %rows = vector.broadcast %row : index to vector<3xindex>
  %own = arith.addi %rows, %offsets : vector<3xindex>
  scf.for %i = %c0 to %end step %c64 {
    %from = vector.broadcast %i : index to vector<3xindex>
    %s = arith.addi %own, %from : vector<3xindex>
    %page = arith.shrsi %s, %two : vector<3xindex>
    %in = arith.andi %s, %three : vector<3xindex>
    vector.print %page : vector<3xindex>
    vector.print %in : vector<3xindex>
  }
  return
}

// 4 does not divide the distances; or the sum may be more than 64 from %i on.

// CHECK-LABEL: func @negative_divide
// CHECK: arith.shrsi %{{.*}} : vector<2xindex>
// CHECK: arith.andi %{{.*}} : vector<2xindex>
// CHECK: arith.shrsi %{{.*}} : vector<2xindex>
func.func @negative_divide(%thread: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant dense<2> : vector<2xindex>
  %three = arith.constant dense<3> : vector<2xindex>
  %odd = arith.constant dense<[0, 2]> : vector<2xindex>
  %even = arith.constant dense<[0, 8]> : vector<2xindex>
  %row = arith.andi %thread, %c63 : index
  %rows = vector.broadcast %row : index to vector<2xindex>
  scf.for %i = %c0 to %end step %c64 {
    %from = vector.broadcast %i : index to vector<2xindex>
    %s = arith.addi %rows, %from : vector<2xindex>
    %0 = arith.addi %s, %odd : vector<2xindex>
    %page = arith.shrsi %0, %two : vector<2xindex>
    %in = arith.andi %0, %three : vector<2xindex>
    %1 = arith.addi %s, %even : vector<2xindex>
    %other = arith.shrsi %1, %two : vector<2xindex>
    vector.print %page : vector<2xindex>
    vector.print %in : vector<2xindex>
    vector.print %other : vector<2xindex>
  }
  return
}

// Entries of a table for the pages of positions: what is left of the table, up to the
// largest constant, has 32 bits.

// CHECK-LABEL: func @compare_entries
//  CHECK-SAME:   %[[TABLE:[a-z0-9]*]]: memref<?xi32>, %[[LENGTH:[a-z0-9]*]]: index
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<[0, 4, 8, 12]> : vector<4xi32>
//       CHECK:   %[[ENTRIES:.*]] = memref.dim %[[TABLE]]
//       CHECK:   scf.for
//       CHECK:     %[[FIRST:.*]] = arith.shrsi
//       CHECK:     %[[LEFT:.*]] = arith.subi %[[ENTRIES]], %[[FIRST]]
//       CHECK:     %[[MOST:.*]] = arith.minsi %[[LEFT]], %c13
//       CHECK:     %[[LEAST:.*]] = arith.maxsi %[[MOST]], %c-1
//       CHECK:     %[[I:.*]] = arith.index_cast %[[LEAST]] : index to i32
//       CHECK:     %[[V:.*]] = vector.broadcast %[[I]] : i32 to vector<4xi32>
//       CHECK:     arith.cmpi sgt, %[[V]], %[[C]]
//       CHECK:     %[[END:.*]] = arith.maxsi %[[LENGTH]], %c-1
//       CHECK:     arith.subi %[[END]], %[[FIRST]]
//       CHECK:     arith.cmpi sgt, %{{.*}}, %[[C]]
func.func @compare_entries(%table: memref<?xi32>, %length: index, %out: memref<2x4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c7 = arith.constant 7 : index
  %rows = arith.constant dense<[0, 4, 8, 12]> : vector<4xindex>
  %entries = memref.dim %table, %c0 : memref<?xi32>
  %thread = gpu.thread_id x upper_bound 128
  %row = arith.andi %thread, %c7 : index
  scf.for %i = %c0 to %length step %c128 {
    %at = arith.addi %row, %i : index
    %half = arith.shrsi %at, %c1 : index
    %first = vector.broadcast %half : index to vector<4xindex>
    %entry = arith.addi %first, %rows : vector<4xindex>
    %all = vector.broadcast %entries : index to vector<4xindex>
    %listed = arith.cmpi ult, %entry, %all : vector<4xindex>
    vector.store %listed, %out[%c0, %c0] : memref<2x4xi1>, vector<4xi1>
    %end = vector.broadcast %length : index to vector<4xindex>
    %inside = arith.cmpi slt, %entry, %end : vector<4xindex>
    vector.store %inside, %out[%c1, %c0] : memref<2x4xi1>, vector<4xi1>
  }
  return
}

// The first entry, the end of an unsigned comparison or a constant may be negative.

// CHECK-LABEL: func @negative_entries
// CHECK-COUNT-3: arith.cmpi {{.*}} : vector<4xindex>
func.func @negative_entries(%table: memref<?xi32>, %some: index, %out: memref<3x4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %rows = arith.constant dense<[0, 4, 8, 12]> : vector<4xindex>
  %below = arith.constant dense<[-4, 0, 4, 8]> : vector<4xindex>
  %entries = memref.dim %table, %c0 : memref<?xi32>
  %all = vector.broadcast %entries : index to vector<4xindex>
  %any = vector.broadcast %some : index to vector<4xindex>
  %thread = gpu.thread_id x upper_bound 128
  %row = arith.andi %thread, %c7 : index
  %first = vector.broadcast %row : index to vector<4xindex>
  %0 = arith.addi %any, %rows : vector<4xindex>
  %1 = arith.cmpi ult, %0, %all : vector<4xindex>
  vector.store %1, %out[%c0, %c0] : memref<3x4xi1>, vector<4xi1>
  %2 = arith.addi %first, %rows : vector<4xindex>
  %3 = arith.cmpi ult, %2, %any : vector<4xindex>
  vector.store %3, %out[%c1, %c0] : memref<3x4xi1>, vector<4xi1>
  %4 = arith.addi %first, %below : vector<4xindex>
  %5 = arith.cmpi ult, %4, %all : vector<4xindex>
  vector.store %5, %out[%c2, %c0] : memref<3x4xi1>, vector<4xi1>
  return
}

// Pages of 16 rows: the tile begins at a multiple of 64, and a thread has the rows 16 s
// + t + 0, 2, 14 with t = 0 or 1. They are of one page, and their rows in it are known.
// CHECK-LABEL: func @page_of_thread
// CHECK-SAME:    %[[TILE:[a-z0-9]+]]: index
// CHECK-DAG:     %[[ROWS:.+]] = arith.constant dense<[0, 2, 14]> : vector<3xindex>
// CHECK-DAG:     %[[T:.+]] = arith.andi %{{.+}}, %c1 : index
// CHECK-DAG:     %[[PAGE:.+]] = arith.shrsi %{{.+}}, %c4 : index
// CHECK-DAG:     %[[PAGES:.+]] = vector.broadcast %[[PAGE]] : index to vector<3xindex>
// CHECK-DAG:     %[[TS:.+]] = vector.broadcast %[[T]] : index to vector<3xindex>
// CHECK-DAG:     %[[IN:.+]] = arith.addi %[[TS]], %[[ROWS]]
// CHECK:         return %[[PAGES]], %[[IN]]
func.func @page_of_thread(%tile: index, %thread: index) -> (vector<3xindex>, vector<3xindex>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant dense<[0, 2, 14]> : vector<3xindex>
  %four = arith.constant dense<4> : vector<3xindex>
  %low = arith.constant dense<15> : vector<3xindex>
  %start = arith.muli %tile, %c64 : index
  %subgroup = arith.andi %thread, %c3 : index
  %first = arith.muli %subgroup, %c16 : index
  %t = arith.andi %thread, %c1 : index
  %of = arith.addi %first, %t : index
  %0 = vector.broadcast %of : index to vector<3xindex>
  %1 = arith.addi %0, %rows : vector<3xindex>
  %2 = vector.broadcast %start : index to vector<3xindex>
  %3 = arith.addi %1, %2 : vector<3xindex>
  %4 = arith.shrsi %3, %four : vector<3xindex>
  %5 = arith.andi %3, %low : vector<3xindex>
  return %4, %5 : vector<3xindex>, vector<3xindex>
}

// t is at most 3: the last row may be in the next page.
// CHECK-LABEL: func @negative_next_page
// CHECK:         arith.shrsi %{{.+}}, %{{.+}} : vector<2xindex>
// CHECK:         arith.andi %{{.+}}, %{{.+}} : vector<2xindex>
func.func @negative_next_page(%tile: index, %thread: index) -> (vector<2xindex>, vector<2xindex>) {
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant dense<[0, 14]> : vector<2xindex>
  %four = arith.constant dense<4> : vector<2xindex>
  %low = arith.constant dense<15> : vector<2xindex>
  %start = arith.muli %tile, %c64 : index
  %t = arith.andi %thread, %c3 : index
  %0 = vector.broadcast %t : index to vector<2xindex>
  %1 = arith.addi %0, %rows : vector<2xindex>
  %2 = vector.broadcast %start : index to vector<2xindex>
  %3 = arith.addi %1, %2 : vector<2xindex>
  %4 = arith.shrsi %3, %four : vector<2xindex>
  %5 = arith.andi %3, %low : vector<2xindex>
  return %4, %5 : vector<2xindex>, vector<2xindex>
}

// Rows of several pages: what a page and a row add up to is one sum, and constants.
// CHECK-LABEL: func @rows_of_pages
// CHECK-SAME:    %[[PAGES:[a-z0-9]+]]: vector<4xindex>, %[[T:[a-z0-9]+]]: index
// CHECK:         %[[PAGE:.+]] = vector.extract %[[PAGES]][3]
// CHECK:         %[[SUM:.+]] = arith.addi %[[T]], %[[PAGE]] : index
// CHECK:         %[[LAST:.+]] = arith.addi %[[SUM]], %c2 : index
// CHECK:         return %[[LAST]]
func.func @rows_of_pages(%pages: vector<4xindex>, %t: index) -> index {
  %rows = arith.constant dense<[0, 2, 0, 2]> : vector<4xindex>
  %0 = vector.broadcast %t : index to vector<4xindex>
  %1 = arith.addi %0, %rows : vector<4xindex>
  %2 = arith.addi %pages, %1 : vector<4xindex>
  %3 = vector.extract %2[3] : index from vector<4xindex>
  return %3 : index
}

// Bytes wrap around though they are small: 100 + 100 is less than 0, and (112 + 16) / 16
// is -8.

// CHECK-LABEL: func @negative_bytes
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : vector<2xi8>
// CHECK: arith.cmpi slt, %[[SUM]], %{{.*}} : vector<2xi8>
// CHECK: %[[OTHER:.*]] = arith.addi %{{.*}} : vector<2xi8>
// CHECK: arith.shrsi %[[OTHER]], %{{.*}} : vector<2xi8>
func.func @negative_bytes(%s: i8, %t: i8) -> (vector<2xi1>, vector<2xi8>) {
  %c = arith.constant dense<[0, 100]> : vector<2xi8>
  %a = vector.broadcast %s : i8 to vector<2xi8>
  %b = arith.addi %a, %c : vector<2xi8>
  %d = vector.broadcast %t : i8 to vector<2xi8>
  %r = arith.cmpi slt, %b, %d : vector<2xi8>
  %by = arith.constant dense<4> : vector<2xi8>
  %most = arith.constant 127 : i8
  %p = arith.andi %s, %most : i8
  %e = arith.constant dense<[0, 112]> : vector<2xi8>
  %f = vector.broadcast %p : i8 to vector<2xi8>
  %g = arith.addi %f, %e : vector<2xi8>
  %q = arith.shrsi %g, %by : vector<2xi8>
  return %r, %q : vector<2xi1>, vector<2xi8>
}

// Each sum is twice the one before: too long, which is known at once.

// CHECK-LABEL: func @negative_long_sum
// CHECK-COUNT-40: arith.addi %{{.*}} : vector<2xi32>
// CHECK: arith.cmpi slt
func.func @negative_long_sum(%s: i32) -> vector<2xi1> {
  %0 = vector.broadcast %s : i32 to vector<2xi32>
  %1 = arith.addi %0, %0 : vector<2xi32>
  %2 = arith.addi %1, %1 : vector<2xi32>
  %3 = arith.addi %2, %2 : vector<2xi32>
  %4 = arith.addi %3, %3 : vector<2xi32>
  %5 = arith.addi %4, %4 : vector<2xi32>
  %6 = arith.addi %5, %5 : vector<2xi32>
  %7 = arith.addi %6, %6 : vector<2xi32>
  %8 = arith.addi %7, %7 : vector<2xi32>
  %9 = arith.addi %8, %8 : vector<2xi32>
  %10 = arith.addi %9, %9 : vector<2xi32>
  %11 = arith.addi %10, %10 : vector<2xi32>
  %12 = arith.addi %11, %11 : vector<2xi32>
  %13 = arith.addi %12, %12 : vector<2xi32>
  %14 = arith.addi %13, %13 : vector<2xi32>
  %15 = arith.addi %14, %14 : vector<2xi32>
  %16 = arith.addi %15, %15 : vector<2xi32>
  %17 = arith.addi %16, %16 : vector<2xi32>
  %18 = arith.addi %17, %17 : vector<2xi32>
  %19 = arith.addi %18, %18 : vector<2xi32>
  %20 = arith.addi %19, %19 : vector<2xi32>
  %21 = arith.addi %20, %20 : vector<2xi32>
  %22 = arith.addi %21, %21 : vector<2xi32>
  %23 = arith.addi %22, %22 : vector<2xi32>
  %24 = arith.addi %23, %23 : vector<2xi32>
  %25 = arith.addi %24, %24 : vector<2xi32>
  %26 = arith.addi %25, %25 : vector<2xi32>
  %27 = arith.addi %26, %26 : vector<2xi32>
  %28 = arith.addi %27, %27 : vector<2xi32>
  %29 = arith.addi %28, %28 : vector<2xi32>
  %30 = arith.addi %29, %29 : vector<2xi32>
  %31 = arith.addi %30, %30 : vector<2xi32>
  %32 = arith.addi %31, %31 : vector<2xi32>
  %33 = arith.addi %32, %32 : vector<2xi32>
  %34 = arith.addi %33, %33 : vector<2xi32>
  %35 = arith.addi %34, %34 : vector<2xi32>
  %36 = arith.addi %35, %35 : vector<2xi32>
  %37 = arith.addi %36, %36 : vector<2xi32>
  %38 = arith.addi %37, %37 : vector<2xi32>
  %39 = arith.addi %38, %38 : vector<2xi32>
  %40 = arith.addi %39, %39 : vector<2xi32>
  %c = arith.cmpi slt, %40, %0 : vector<2xi32>
  return %c : vector<2xi1>
}

// A positive number divides rows that begin at a multiple of 16: what they have more is
// left out. By a negative number, the quotient is rounded down there, and at most 0: of
// 2 by -16, it is -1.

// CHECK-LABEL: func @rows_by_number
// CHECK-SAME:    %[[TILE:[a-z0-9]+]]: index
// CHECK-DAG:     %[[START:.+]] = arith.muli %[[TILE]], %c64
// CHECK-DAG:     %[[SIZE:.+]] = arith.muli %{{.+}}, %c16
// CHECK:         arith.floordivsi %[[START]], %[[SIZE]] : index

// CHECK-LABEL: func @negative_any_sign
// CHECK:         arith.floordivsi %{{.+}}, %{{.+}} : vector<2xindex>
func.func @rows_by_number(%tile: index, %thread: index, %n: index) -> vector<2xindex> {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 1023 : index
  %rows = arith.constant dense<[0, 2]> : vector<2xindex>
  %start = arith.muli %tile, %c64 : index
  %t = arith.andi %thread, %c1 : index
  %number = arith.andi %n, %low : index
  %size = arith.muli %number, %c16 : index
  %0 = vector.broadcast %t : index to vector<2xindex>
  %1 = arith.addi %0, %rows : vector<2xindex>
  %2 = vector.broadcast %start : index to vector<2xindex>
  %3 = arith.addi %1, %2 : vector<2xindex>
  %4 = vector.broadcast %size : index to vector<2xindex>
  %5 = arith.floordivsi %3, %4 : vector<2xindex>
  return %5 : vector<2xindex>
}

func.func @negative_any_sign(%tile: index, %thread: index, %n: index) -> vector<2xindex> {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant dense<[0, 2]> : vector<2xindex>
  %start = arith.muli %tile, %c64 : index
  %t = arith.andi %thread, %c1 : index
  %size = arith.muli %n, %c16 : index
  %0 = vector.broadcast %t : index to vector<2xindex>
  %1 = arith.addi %0, %rows : vector<2xindex>
  %2 = vector.broadcast %start : index to vector<2xindex>
  %3 = arith.addi %1, %2 : vector<2xindex>
  %4 = vector.broadcast %size : index to vector<2xindex>
  %5 = arith.floordivsi %3, %4 : vector<2xindex>
  return %5 : vector<2xindex>
}

// The bounds of two rows are minima, which are no sums. The column is subtracted from
// these two, and not added to each of four constants.
// CHECK-LABEL: func @compare_repeated
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0, 0, 8, 8]> : vector<4xi32>
// CHECK: %[[BOUND:.*]] = arith.minsi %{{.*}} : vector<2xi32>
// CHECK: %[[COLUMN:.*]] = vector.broadcast %{{.*}} : i32 to vector<2xi32>
// CHECK: %[[LEFT:.*]] = arith.subi %[[BOUND]], %[[COLUMN]] : vector<2xi32>
// CHECK: %[[EACH:.*]] = vector.shuffle %[[LEFT]], %[[LEFT]] [0, 1, 0, 1]
// CHECK: arith.cmpi sge, %[[EACH]], %[[CONSTANTS]]

// What may overflow stays.
// CHECK-LABEL: func @negative_repeated
// CHECK: %[[ALL:.*]] = vector.shuffle
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : vector<4xi32>
// CHECK: arith.cmpi sle, %[[SUM]], %[[ALL]]
func.func @compare_repeated(%a: i32, %b: i32, %c: i32) -> vector<4xi1> {
  %c31 = arith.constant 31 : i32
  %rows = arith.constant dense<[0, 8]> : vector<2xi32>
  %columns = arith.constant dense<[0, 0, 8, 8]> : vector<4xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %count = arith.andi %c, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %rows : vector<2xi32>
  %2 = vector.broadcast %count : i32 to vector<2xi32>
  %3 = arith.minsi %1, %2 : vector<2xi32>
  %4 = vector.shuffle %3, %3 [0, 1, 0, 1] : vector<2xi32>, vector<2xi32>
  %5 = vector.broadcast %column : i32 to vector<4xi32>
  %6 = arith.addi %5, %columns : vector<4xi32>
  %7 = arith.cmpi sle, %6, %4 : vector<4xi32>
  return %7 : vector<4xi1>
}

func.func @negative_repeated(%a: i32, %b: i32, %c: i32) -> vector<4xi1> {
  %c31 = arith.constant 31 : i32
  %rows = arith.constant dense<[0, 8]> : vector<2xi32>
  %columns = arith.constant dense<[0, 0, 8, 8]> : vector<4xi32>
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %a : i32 to vector<2xi32>
  %1 = arith.addi %0, %rows : vector<2xi32>
  %2 = vector.broadcast %c : i32 to vector<2xi32>
  %3 = arith.minsi %1, %2 : vector<2xi32>
  %4 = vector.shuffle %3, %3 [0, 1, 0, 1] : vector<2xi32>, vector<2xi32>
  %5 = vector.broadcast %column : i32 to vector<4xi32>
  %6 = arith.addi %5, %columns : vector<4xi32>
  %7 = arith.cmpi sle, %6, %4 : vector<4xi32>
  return %7 : vector<4xi1>
}
