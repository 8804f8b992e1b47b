// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=narrow-comparisons --canonicalize --split-input-file | FileCheck %s

// A causal mask: the rows have the clamped difference, one addition each.

// CHECK-LABEL: func @causal
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -129 : index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 65 : index
// CHECK: %[[D:.*]] = arith.subi
// CHECK: %[[LOW:.*]] = arith.minsi %[[D]], %[[MOST]]
// CHECK: %[[CLAMPED:.*]] = arith.maxsi %[[LOW]], %[[LEAST]]
// CHECK: %[[NARROW:.*]] = arith.index_cast %[[CLAMPED]] : index to i32
// CHECK: %[[OF_ROWS:.*]] = vector.broadcast %[[NARROW]] : i32 to vector<128xi32>
// CHECK: arith.addi %{{.*}}, %[[OF_ROWS]] : vector<128xi32>
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : vector<128x64xi32>
func.func @causal(%memory: memref<?x?xf32>) -> vector<128x64xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.dim %memory, %c0 : memref<?x?xf32>
  %j = memref.dim %memory, %c1 : memref<?x?xf32>
  %columns = vector.step : vector<64xindex>
  %rows = vector.step : vector<128xindex>
  %0 = vector.broadcast %j : index to vector<64xindex>
  %1 = arith.addi %0, %columns : vector<64xindex>
  %2 = vector.broadcast %i : index to vector<128xindex>
  %3 = arith.addi %2, %rows : vector<128xindex>
  %4 = vector.broadcast %1 : vector<64xindex> to vector<128x64xindex>
  %5 = vector.broadcast %3 : vector<128xindex> to vector<64x128xindex>
  %6 = vector.transpose %5, [1, 0] : vector<64x128xindex> to vector<128x64xindex>
  %7 = arith.cmpi ule, %4, %6 : vector<128x64xindex>
  return %7 : vector<128x64xi1>
}

// -----

// A length of 32 bits may be negative: signed comparisons only.

// CHECK-LABEL: func @length
// CHECK: arith.cmpi slt, {{.*}} : vector<64xi32>
// CHECK: arith.cmpi ult, {{.*}} : vector<64xindex>
func.func @length(%length: i32) -> (vector<64xi1>, vector<64xi1>) {
  %0 = arith.index_cast %length : i32 to index
  %1 = vector.broadcast %0 : index to vector<64xindex>
  %2 = vector.step : vector<64xindex>
  %3 = arith.cmpi slt, %2, %1 : vector<64xindex>
  %4 = arith.cmpi ult, %2, %1 : vector<64xindex>
  return %3, %4 : vector<64xi1>, vector<64xi1>
}

// -----

// What is known of nothing may overflow.

// CHECK-LABEL: func @unknown
// CHECK: arith.cmpi slt, {{.*}} : vector<64xindex>
// CHECK: arith.cmpi slt, {{.*}} : vector<64xindex>
func.func @unknown(%n: index, %length: i64) -> (vector<64xi1>, vector<64xi1>) {
  %0 = vector.broadcast %n : index to vector<64xindex>
  %1 = vector.step : vector<64xindex>
  %2 = arith.cmpi slt, %1, %0 : vector<64xindex>
  %3 = arith.index_cast %length : i64 to index
  %4 = vector.broadcast %3 : index to vector<64xindex>
  %5 = arith.cmpi slt, %1, %4 : vector<64xindex>
  return %2, %5 : vector<64xi1>, vector<64xi1>
}

// -----

// A difference of two sizes may be negative: signed comparisons only.

// CHECK-LABEL: func @difference
// CHECK: arith.cmpi slt, {{.*}} : vector<64xi32>
// CHECK: arith.cmpi ult, {{.*}} : vector<64xindex>
func.func @difference(%memory: memref<?x?xf32>) -> (vector<64xi1>, vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %memory, %c0 : memref<?x?xf32>
  %m = memref.dim %memory, %c1 : memref<?x?xf32>
  %rest = arith.subi %n, %m : index
  %0 = vector.broadcast %rest : index to vector<64xindex>
  %1 = vector.step : vector<64xindex>
  %2 = arith.cmpi slt, %1, %0 : vector<64xindex>
  %3 = arith.cmpi ult, %1, %0 : vector<64xindex>
  return %2, %3 : vector<64xi1>, vector<64xi1>
}

// -----

// A window: a difference may be negative, and what is subtracted varies.

// CHECK-LABEL: func @window
// CHECK: arith.cmpi sle, {{.*}} : vector<16x16xi32>
// CHECK: arith.cmpi ule, {{.*}} : vector<16x16xindex>
func.func @window() -> (vector<16x16xi1>, vector<16x16xi1>) {
  %width = arith.constant dense<5> : vector<16x16xindex>
  %0 = vector.step : vector<16xindex>
  %1 = vector.broadcast %0 : vector<16xindex> to vector<16x16xindex>
  %2 = vector.transpose %1, [1, 0] : vector<16x16xindex> to vector<16x16xindex>
  %3 = arith.subi %1, %2 : vector<16x16xindex>
  %4 = arith.cmpi sge, %width, %3 : vector<16x16xindex>
  %5 = arith.cmpi uge, %width, %3 : vector<16x16xindex>
  return %4, %5 : vector<16x16xi1>, vector<16x16xi1>
}

// -----

// Each sum is twice the one before: too long, which is known at once.

// CHECK-LABEL: func @negative_long_sum
// CHECK-COUNT-40: arith.addi %{{.*}} : vector<4xindex>
// CHECK: arith.cmpi slt, {{.*}} : vector<4xindex>
func.func @negative_long_sum(%m: memref<?xf32>) -> vector<4xi1> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %0 = vector.broadcast %n : index to vector<4xindex>
  %1 = arith.addi %0, %0 : vector<4xindex>
  %2 = arith.addi %1, %1 : vector<4xindex>
  %3 = arith.addi %2, %2 : vector<4xindex>
  %4 = arith.addi %3, %3 : vector<4xindex>
  %5 = arith.addi %4, %4 : vector<4xindex>
  %6 = arith.addi %5, %5 : vector<4xindex>
  %7 = arith.addi %6, %6 : vector<4xindex>
  %8 = arith.addi %7, %7 : vector<4xindex>
  %9 = arith.addi %8, %8 : vector<4xindex>
  %10 = arith.addi %9, %9 : vector<4xindex>
  %11 = arith.addi %10, %10 : vector<4xindex>
  %12 = arith.addi %11, %11 : vector<4xindex>
  %13 = arith.addi %12, %12 : vector<4xindex>
  %14 = arith.addi %13, %13 : vector<4xindex>
  %15 = arith.addi %14, %14 : vector<4xindex>
  %16 = arith.addi %15, %15 : vector<4xindex>
  %17 = arith.addi %16, %16 : vector<4xindex>
  %18 = arith.addi %17, %17 : vector<4xindex>
  %19 = arith.addi %18, %18 : vector<4xindex>
  %20 = arith.addi %19, %19 : vector<4xindex>
  %21 = arith.addi %20, %20 : vector<4xindex>
  %22 = arith.addi %21, %21 : vector<4xindex>
  %23 = arith.addi %22, %22 : vector<4xindex>
  %24 = arith.addi %23, %23 : vector<4xindex>
  %25 = arith.addi %24, %24 : vector<4xindex>
  %26 = arith.addi %25, %25 : vector<4xindex>
  %27 = arith.addi %26, %26 : vector<4xindex>
  %28 = arith.addi %27, %27 : vector<4xindex>
  %29 = arith.addi %28, %28 : vector<4xindex>
  %30 = arith.addi %29, %29 : vector<4xindex>
  %31 = arith.addi %30, %30 : vector<4xindex>
  %32 = arith.addi %31, %31 : vector<4xindex>
  %33 = arith.addi %32, %32 : vector<4xindex>
  %34 = arith.addi %33, %33 : vector<4xindex>
  %35 = arith.addi %34, %34 : vector<4xindex>
  %36 = arith.addi %35, %35 : vector<4xindex>
  %37 = arith.addi %36, %36 : vector<4xindex>
  %38 = arith.addi %37, %37 : vector<4xindex>
  %39 = arith.addi %38, %38 : vector<4xindex>
  %40 = arith.addi %39, %39 : vector<4xindex>
  %c = arith.cmpi slt, %40, %0 : vector<4xindex>
  return %c : vector<4xi1>
}

// What is assumed of a number is known, however it is computed.

// CHECK-LABEL: func @assumed
// CHECK: arith.cmpi slt, %{{.*}} : vector<4xi32>

// CHECK-LABEL: func @negative_assumed
// CHECK: arith.cmpi slt, %{{.*}} : vector<4xindex>
func.func @assumed(%a: index, %b: index) -> vector<4xi1> {
  %product = arith.muli %a, %b : index
  %known = vector_ext.assume %product at_least 0 at_most 1000
  %step = vector.step : vector<4xindex>
  %start = vector.broadcast %known : index to vector<4xindex>
  %positions = arith.addi %step, %start : vector<4xindex>
  %end = arith.constant dense<70> : vector<4xindex>
  %c = arith.cmpi slt, %positions, %end : vector<4xindex>
  return %c : vector<4xi1>
}

func.func @negative_assumed(%a: index, %b: index) -> vector<4xi1> {
  %product = arith.muli %a, %b : index
  %known = vector_ext.assume %product at_least 0
  %step = vector.step : vector<4xindex>
  %start = vector.broadcast %known : index to vector<4xindex>
  %positions = arith.addi %step, %start : vector<4xindex>
  %end = arith.constant dense<70> : vector<4xindex>
  %c = arith.cmpi slt, %positions, %end : vector<4xindex>
  return %c : vector<4xi1>
}

// -----

// The end of the last tile, of which there is more than nothing: as an unsigned number it is
// the same, since (n + 64) floordiv 64 is not negative, nor is the end of a tile of
// min(64, n - 64 w) rows.

// CHECK-LABEL: func @ends
// CHECK-COUNT-2: arith.cmpi slt, {{.*}} : vector<64xi32>
// CHECK-NOT: arith.cmpi
func.func @ends(%memory: memref<?xf32>) -> (vector<64xi1>, vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %memory, %c0 : memref<?xf32>
  %w = gpu.block_id x
  %rows = affine.min affine_map<()[s0, s1] -> (64, s0 - s1 * 64)>()[%n, %w]
  %end = affine.apply affine_map<()[s0, s1] -> (((s0 * 64 + s1 - 1) floordiv 64) * 64 + 64)>()[%w, %rows]
  %other = affine.apply affine_map<()[s0] -> ((s0 - 1) floordiv 64 + 1)>()[%n]
  %step = vector.step : vector<64xindex>
  %0 = vector.broadcast %end : index to vector<64xindex>
  %1 = vector.broadcast %other : index to vector<64xindex>
  %2 = arith.cmpi ult, %step, %0 : vector<64xindex>
  %3 = arith.cmpi ult, %step, %1 : vector<64xindex>
  return %2, %3 : vector<64xi1>, vector<64xi1>
}

// -----

// Quotients and differences that may be negative.

// CHECK-LABEL: func @negative_ends
// CHECK-COUNT-3: arith.cmpi ult, {{.*}} : vector<64xindex>
func.func @negative_ends(%memory: memref<?xf32>) -> (vector<64xi1>, vector<64xi1>, vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %memory, %c0 : memref<?xf32>
  %w = gpu.block_id x
  %rows = affine.min affine_map<()[s0, s1] -> (64, s0 - s1 * 64)>()[%n, %w]
  %before = affine.apply affine_map<()[s0, s1] -> ((s0 * 64 + s1 - 1) floordiv 64)>()[%w, %rows]
  %other = affine.apply affine_map<()[s0] -> ((s0 - 65) floordiv 64 + 1)>()[%n]
  %step = vector.step : vector<64xindex>
  %0 = vector.broadcast %before : index to vector<64xindex>
  %1 = vector.broadcast %other : index to vector<64xindex>
  %2 = vector.broadcast %rows : index to vector<64xindex>
  %3 = arith.cmpi ult, %step, %0 : vector<64xindex>
  %4 = arith.cmpi ult, %step, %1 : vector<64xindex>
  %5 = arith.cmpi ult, %step, %2 : vector<64xindex>
  return %3, %4, %5 : vector<64xi1>, vector<64xi1>, vector<64xi1>
}

// -----

// A chain of minima that may be negative is given up, and soon: what takes the place of each
// minimum is not looked through without end.

// CHECK-LABEL: func @chain_of_minima
// CHECK: arith.cmpi ult, {{.*}} : vector<64xindex>
func.func @chain_of_minima(%m: memref<?xf32>, %out: memref<64xi1>) {
  %c0 = arith.constant 0 : index
  %x0 = memref.dim %m, %c0 : memref<?xf32>
  %x1 = affine.min affine_map<(d0) -> (d0 - 3, d0 floordiv 2 + 0 - 9)>(%x0)
  %x2 = affine.min affine_map<(d0) -> (d0 - 4, d0 floordiv 2 + 1 - 9)>(%x1)
  %x3 = affine.min affine_map<(d0) -> (d0 - 5, d0 floordiv 2 + 2 - 9)>(%x2)
  %x4 = affine.min affine_map<(d0) -> (d0 - 6, d0 floordiv 2 + 3 - 9)>(%x3)
  %x5 = affine.min affine_map<(d0) -> (d0 - 7, d0 floordiv 2 + 4 - 9)>(%x4)
  %x6 = affine.min affine_map<(d0) -> (d0 - 8, d0 floordiv 2 + 5 - 9)>(%x5)
  %x7 = affine.min affine_map<(d0) -> (d0 - 9, d0 floordiv 2 + 6 - 9)>(%x6)
  %x8 = affine.min affine_map<(d0) -> (d0 - 10, d0 floordiv 2 + 7 - 9)>(%x7)
  %x9 = affine.min affine_map<(d0) -> (d0 - 11, d0 floordiv 2 + 8 - 9)>(%x8)
  %x10 = affine.min affine_map<(d0) -> (d0 - 12, d0 floordiv 2 + 9 - 9)>(%x9)
  %x11 = affine.min affine_map<(d0) -> (d0 - 13, d0 floordiv 2 + 10 - 9)>(%x10)
  %x12 = affine.min affine_map<(d0) -> (d0 - 14, d0 floordiv 2 + 11 - 9)>(%x11)
  %x13 = affine.min affine_map<(d0) -> (d0 - 15, d0 floordiv 2 + 12 - 9)>(%x12)
  %x14 = affine.min affine_map<(d0) -> (d0 - 16, d0 floordiv 2 + 13 - 9)>(%x13)
  %x15 = affine.min affine_map<(d0) -> (d0 - 17, d0 floordiv 2 + 14 - 9)>(%x14)
  %x16 = affine.min affine_map<(d0) -> (d0 - 18, d0 floordiv 2 + 15 - 9)>(%x15)
  %x17 = affine.min affine_map<(d0) -> (d0 - 19, d0 floordiv 2 + 16 - 9)>(%x16)
  %x18 = affine.min affine_map<(d0) -> (d0 - 20, d0 floordiv 2 + 17 - 9)>(%x17)
  %x19 = affine.min affine_map<(d0) -> (d0 - 21, d0 floordiv 2 + 18 - 9)>(%x18)
  %x20 = affine.min affine_map<(d0) -> (d0 - 22, d0 floordiv 2 + 19 - 9)>(%x19)
  %s = vector.step : vector<64xindex>
  %b = vector.broadcast %x20 : index to vector<64xindex>
  %c = arith.cmpi ult, %s, %b : vector<64xindex>
  vector.transfer_write %c, %out[%c0] {in_bounds = [true]} : vector<64xi1>, memref<64xi1>
  return
}

// -----

// Positions that importers cast to i64 or i32 are compared as indices are.

// CHECK-LABEL: func @cast
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -129 : index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 65 : index
// CHECK: arith.minsi %{{.*}}, %[[MOST]]
// CHECK: arith.maxsi %{{.*}}, %[[LEAST]]
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : vector<128x64xi32>
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<128x64xi32>
// CHECK-NOT: i64
func.func @cast(%memory: memref<?x?xf32>) -> (vector<128x64xi1>, vector<128x64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.dim %memory, %c0 : memref<?x?xf32>
  %j = memref.dim %memory, %c1 : memref<?x?xf32>
  %columns = vector.step : vector<64xindex>
  %rows = vector.step : vector<128xindex>
  %0 = vector.broadcast %j : index to vector<64xindex>
  %1 = arith.addi %0, %columns : vector<64xindex>
  %2 = vector.broadcast %i : index to vector<128xindex>
  %3 = arith.addi %2, %rows : vector<128xindex>
  %4 = vector.broadcast %1 : vector<64xindex> to vector<128x64xindex>
  %5 = vector.broadcast %3 : vector<128xindex> to vector<64x128xindex>
  %6 = vector.transpose %5, [1, 0] : vector<64x128xindex> to vector<128x64xindex>
  %wide_columns = arith.index_cast %4 : vector<128x64xindex> to vector<128x64xi64>
  %wide_rows = arith.index_cast %6 : vector<128x64xindex> to vector<128x64xi64>
  %7 = arith.cmpi sle, %wide_columns, %wide_rows : vector<128x64xi64>
  %narrow_columns = arith.index_cast %4 : vector<128x64xindex> to vector<128x64xi32>
  %narrow_rows = arith.index_cast %6 : vector<128x64xindex> to vector<128x64xi32>
  %width = arith.constant dense<100> : vector<128x64xi32>
  %distance = arith.subi %narrow_rows, %narrow_columns : vector<128x64xi32>
  %8 = arith.cmpi slt, %distance, %width : vector<128x64xi32>
  return %7, %8 : vector<128x64xi1>, vector<128x64xi1>
}

// -----

// A sum with a number that is loaded may wrap around in 32 bits, and one of 64 bits may be large.

// CHECK-LABEL: func @negative_cast
// CHECK-NOT: arith.minsi
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<64xi32>
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<64xi64>
func.func @negative_cast(%memory: memref<?xf32>, %narrow: i32, %wide: i64) -> (vector<64xi1>, vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %j = memref.dim %memory, %c0 : memref<?xf32>
  %columns = vector.step : vector<64xindex>
  %0 = vector.broadcast %j : index to vector<64xindex>
  %1 = arith.addi %0, %columns : vector<64xindex>
  %2 = arith.index_cast %1 : vector<64xindex> to vector<64xi32>
  %3 = vector.broadcast %narrow : i32 to vector<64xi32>
  %4 = arith.addi %2, %3 : vector<64xi32>
  %c5 = arith.constant dense<5> : vector<64xi32>
  %5 = arith.cmpi slt, %4, %c5 : vector<64xi32>
  %6 = arith.index_cast %1 : vector<64xindex> to vector<64xi64>
  %7 = vector.broadcast %wide : i64 to vector<64xi64>
  %8 = arith.cmpi slt, %6, %7 : vector<64xi64>
  return %5, %8 : vector<64xi1>, vector<64xi1>
}
