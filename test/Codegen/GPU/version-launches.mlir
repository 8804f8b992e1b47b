// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=steps=version-launches --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches='steps=version-launches max-bytes=4096' --cse --split-input-file | FileCheck %s --check-prefix=MOST

// Of rows of f16 with a length that is not known: one kernel where it is a multiple
// of 8, with that written down in the sizes and strides of the buffer, one for others.

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[A:[^:]*]]: memref<?x?xf16>, %[[N:[^:]*]]: index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[LENGTH:.*]] = memref.dim %[[A]], %[[C1]]
// CHECK:         %[[REST:.*]] = arith.remui %[[LENGTH]], %[[C8]]
// CHECK:         %[[MULTIPLE:.*]] = arith.cmpi eq, %[[REST]], %{{.*}}
// CHECK:         scf.if %[[MULTIPLE]] {
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %[[N]],
// CHECK:           %[[L:.*]] = vector_ext.assume %{{.*}} multiple_of 8
// CHECK:           %[[ROWS:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%{{.*}}, %[[L]]], strides: [%[[L]], 1]
// CHECK:           vector.create_mask %[[L]]
// CHECK:           vector.transfer_read %[[ROWS]]
// CHECK:         } else {
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %[[N]],
// CHECK-NOT:       memref.reinterpret_cast
// CHECK:           vector.transfer_read %[[A]]
// MOST-LABEL:  func @rows(
// MOST-DAG:      %[[C2048:.*]] = arith.constant 2048 : index
// MOST:          %[[MULTIPLE:.*]] = arith.cmpi eq
// MOST:          %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %[[C2048]]
// MOST:          arith.andi %[[MULTIPLE]], %[[FITS]]
// MOST:          scf.if
// MOST:            vector_ext.assume %{{.*}} at_most 2048 multiple_of 8
func.func @rows(%a: memref<?x?xf16>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %length = memref.dim %a, %c1 : memref<?x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %mask = vector.create_mask %length : vector<64xi1>
    %x = vector.transfer_read %a[%bx, %c0], %zero, %mask {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
    vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// Rows of a known length say what they are; columns are no rows; elements of
// 16 bytes are aligned anyway.

// CHECK-LABEL: func @negative_known
// CHECK:         gpu.launch
// CHECK-NOT:     gpu.launch
func.func @negative_known(%a: memref<?x64xf16>, %b: memref<?x?xf16>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x64xf16>, vector<64xf16>
    %y = vector.transfer_read %b[%c0, %bx], %zero {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<?x?xf16>, vector<64xf16>
    %z = arith.addf %x, %y : vector<64xf16>
    vector.transfer_write %z, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// Of two buffers both have to be multiples, each of its own number: 8 and 4.

// CHECK-LABEL: func @two_buffers
// CHECK:         %[[REST:.*]] = arith.remui
// CHECK:         %[[IS_MULTIPLE:.*]] = arith.cmpi eq, %[[REST]],
// CHECK:         %[[REST2:.*]] = arith.remui
// CHECK:         %[[IS_MULTIPLE2:.*]] = arith.cmpi eq, %[[REST2]],
// CHECK:         %[[BOTH:.*]] = arith.andi %[[IS_MULTIPLE]], %[[IS_MULTIPLE2]]
// CHECK:         scf.if %[[BOTH]]
// CHECK:         gpu.launch
// CHECK-COUNT-2:   memref.reinterpret_cast
// CHECK:           vector.transfer_write %{{.*}}, %{{.*}} : vector<64xf32>, memref<?x?x?xf32
// CHECK:         gpu.launch
func.func @two_buffers(%a: memref<?x?xf16>, %out: memref<?x?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
    %y = arith.extf %x : vector<64xf16> to vector<64xf32>
    %row = memref.subview %out[%bx, 0, 0] [1, 1, 64] [1, 1, 1] : memref<?x?x?xf32> to memref<1x1x64xf32, strided<[?, ?, 1], offset: ?>>
    vector.transfer_write %y, %row[%c0, %c0, %c0] {in_bounds = [true]} : vector<64xf32>, memref<1x1x64xf32, strided<[?, ?, 1], offset: ?>>
    vector.transfer_write %y, %out[%bx, %c0, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x?x?xf32>
    gpu.terminator
  }
  return
}

// -----

// Of a buffer with dynamic strides, the strides and the offset are to be multiples, and
// rows contiguous; their length is a multiple anyway. A view has the new strides, too.

// CHECK-LABEL: func @strides(
// CHECK-SAME:      %[[A:[^:]*]]: memref<?x?x64xf16, strided<[?, ?, ?], offset: ?>>
// CHECK:         %[[C1:.*]] = arith.constant 1 : index
// CHECK:         %{{.*}}, %[[OFFSET:[^:]*]], %{{.*}}:3, %[[STRIDES:[^:]*]]:3 = memref.extract_strided_metadata %[[A]]
// CHECK:         arith.remui %[[OFFSET]], %[[C8:.*]] :
// CHECK:         arith.remui %[[STRIDES]]#0, %[[C8]]
// CHECK:         arith.remui %[[STRIDES]]#1, %[[C8]]
// CHECK:         arith.cmpi eq, %[[STRIDES]]#2, %[[C1]]
// CHECK:         scf.if
// CHECK:         gpu.launch
// CHECK-DAG:       %[[O8:.*]] = vector_ext.assume %[[OFFSET]] multiple_of 8
// CHECK-DAG:       %[[S0:.*]] = vector_ext.assume %[[STRIDES]]#0 multiple_of 8
// CHECK-DAG:       %[[S1:.*]] = vector_ext.assume %[[STRIDES]]#1 multiple_of 8
// CHECK:           %[[ROWS:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[O8]]], sizes: [%{{.*}}, %{{.*}}, 64], strides: [%[[S0]], %[[S1]], 1]
// CHECK-SAME:        to memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
// CHECK:           %[[ROW:.*]] = memref.subview %[[ROWS]]{{.*}} to memref<1x1x64xf16, strided<[?, ?, 1], offset: ?>>
// CHECK:           vector.transfer_read %[[ROW]]
// CHECK:         } else {
// CHECK:         gpu.launch
// CHECK-NOT:       memref.reinterpret_cast
// CHECK:           vector.transfer_read %{{.*}} : memref<1x1x64xf16, strided<[?, ?, ?], offset: ?>>
func.func @strides(%a: memref<?x?x64xf16, strided<[?, ?, ?], offset: ?>>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %row = memref.subview %a[%bx, 0, 0] [1, 1, 64] [1, 1, 1] : memref<?x?x64xf16, strided<[?, ?, ?], offset: ?>> to memref<1x1x64xf16, strided<[?, ?, ?], offset: ?>>
    %x = vector.transfer_read %row[%c0, %c0, %c0], %zero {in_bounds = [true]} : memref<1x1x64xf16, strided<[?, ?, ?], offset: ?>>, vector<64xf16>
    vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// Strides and offsets that are known, and those that leave no row aligned.

// CHECK-LABEL: func @negative_strides
// CHECK:         gpu.launch
// CHECK-NOT:     gpu.launch
func.func @negative_strides(%a: memref<?x64xf16, strided<[80, 1], offset: 8>>, %b: memref<?x64xf16, strided<[?, 2]>>,
                            %c: memref<?x64xf16, strided<[65, 1], offset: ?>>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x64xf16, strided<[80, 1], offset: 8>>, vector<64xf16>
    %y = vector.transfer_read %b[%bx, %c0], %zero {in_bounds = [true]} : memref<?x64xf16, strided<[?, 2]>>, vector<64xf16>
    %z = vector.transfer_read %c[%bx, %c0], %zero {in_bounds = [true]} : memref<?x64xf16, strided<[65, 1], offset: ?>>, vector<64xf16>
    %s = arith.addf %x, %y : vector<64xf16>
    %t = arith.addf %s, %z : vector<64xf16>
    vector.transfer_write %t, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// The number of rows in a page is not known: one kernel for multiples of 16, one for
// pages of one row, in whose pool a page has one row, and one for all others.

// CHECK-LABEL: func.func @pages
//  CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x?x64xf16>
//       CHECK: %[[ROWS:.*]] = memref.dim %[[POOL]], %c1
//       CHECK: arith.remui %[[ROWS]], %c16
//       CHECK: scf.if
//       CHECK:   gpu.launch
//       CHECK:     vector_ext.assume %{{.*}} at_least 16 multiple_of 16
//       CHECK:     vector_ext.transfer_gather %[[POOL]]
//       CHECK: } else {
//       CHECK:   %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %c1
//       CHECK:   scf.if %[[ONE]]
//       CHECK:     gpu.launch
//       CHECK:       %[[SAME:.*]] = memref.cast %[[POOL]] : memref<?x?x64xf16> to memref<?x1x64xf16>
//   CHECK-NOT:       memref.dim
//       CHECK:       arith.maxui %c1{{.*}}, %c1
//       CHECK:       vector_ext.transfer_gather %[[SAME]]
//       CHECK:   } else {
//       CHECK:     gpu.launch
//   CHECK-NOT:       memref.cast
//       CHECK:       vector_ext.transfer_gather %[[POOL]]
func.func @pages(%pool: memref<?x?x64xf16>, %table: memref<?xi32>, %out: memref<16x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.constant dense<true> : vector<16xi1>
  %none = arith.constant dense<0> : vector<16xi32>
  %rows = memref.dim %pool, %c1 : memref<?x?x64xf16>
  gpu.launch blocks(%b, %by, %bz) in (%g = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%n = %c1, %ny = %c1, %nz = %c1) {
    %least = arith.maxui %rows, %c1 : index
    %size = vector.broadcast %least : index to vector<16xindex>
    %s = vector.step : vector<16xindex>
    %entry = arith.floordivsi %s, %size : vector<16xindex>
    %first = arith.muli %entry, %size : vector<16xindex>
    %row = arith.subi %s, %first : vector<16xindex>
    %named = vector.gather %table[%c0] [%entry], %all, %none : memref<?xi32>, vector<16xindex>, vector<16xi1>, vector<16xi32> into vector<16xi32>
    %page = arith.index_cast %named : vector<16xi32> to vector<16xindex>
    %k = vector_ext.transfer_gather %pool[%c0, %c0, %c0] indices(%page, %row : vector<16xindex>, vector<16xindex>)
      {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x?x64xf16>, vector<16x64xf16>
    vector.transfer_write %k, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<16x64xf16>
    gpu.terminator
  }
  return
}

// -----

// The number of rows is known, but nothing has folded it.

// CHECK-LABEL: func.func @negative_pages_of_known_rows
//   CHECK-NOT:   memref.cast
//   CHECK-NOT:   scf.if
//       CHECK:   gpu.launch
func.func @negative_pages_of_known_rows(%pool: memref<?x3x64xf16>, %table: memref<?xi32>, %out: memref<16x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.constant dense<true> : vector<16xi1>
  %none = arith.constant dense<0> : vector<16xi32>
  %rows = memref.dim %pool, %c1 : memref<?x3x64xf16>
  gpu.launch blocks(%b, %by, %bz) in (%g = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%n = %c1, %ny = %c1, %nz = %c1) {
    %least = arith.maxui %rows, %c1 : index
    %size = vector.broadcast %least : index to vector<16xindex>
    %s = vector.step : vector<16xindex>
    %entry = arith.floordivsi %s, %size : vector<16xindex>
    %first = arith.muli %entry, %size : vector<16xindex>
    %row = arith.subi %s, %first : vector<16xindex>
    %named = vector.gather %table[%c0] [%entry], %all, %none : memref<?xi32>, vector<16xindex>, vector<16xi1>, vector<16xi32> into vector<16xi32>
    %page = arith.index_cast %named : vector<16xi32> to vector<16xindex>
    %k = vector_ext.transfer_gather %pool[%c0, %c0, %c0] indices(%page, %row : vector<16xindex>, vector<16xindex>)
      {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x3x64xf16>, vector<16x64xf16>
    vector.transfer_write %k, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<16x64xf16>
    gpu.terminator
  }
  return
}

// -----

// What the branch around a launch says needs no version. The other branch has none
// either: there, some length is no multiple.

// CHECK-LABEL: func @known_branch(
// CHECK-SAME:      %[[A:[^:]*]]: memref<?x?xf16>
// CHECK:         scf.if %{{.*}} {
// CHECK-NOT:     scf.if
// CHECK:           gpu.launch
// CHECK:             %[[L:.*]] = vector_ext.assume %{{.*}} multiple_of 8
// CHECK:             memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%{{.*}}, %[[L]]]
// CHECK:         scf.if %{{.*}} {
// CHECK-NOT:     scf.if
// CHECK:           gpu.launch
// CHECK-NOT:         memref.reinterpret_cast
// CHECK-NOT:       gpu.launch
// CHECK:         return
func.func @known_branch(%a: memref<?x?xf16>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f16
  %length = memref.dim %a, %c1 : memref<?x?xf16>
  %rest = arith.remui %length, %c8 : index
  %multiple = arith.cmpi eq, %rest, %c0 : index
  %large = arith.cmpi sgt, %n, %c8 : index
  %both = arith.andi %large, %multiple : i1
  %other = arith.xori %multiple, %true : i1
  scf.if %both {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  scf.if %other {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  return
}

// -----

// A branch that says less than what is needed, and one that does not say which of two
// lengths is no multiple.

// CHECK-LABEL: func @negative_branch(
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             gpu.launch
// CHECK:               memref.reinterpret_cast
// CHECK:           } else {
// CHECK:             gpu.launch
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             gpu.launch
// CHECK:               memref.reinterpret_cast
// CHECK:           } else {
// CHECK:             gpu.launch
func.func @negative_branch(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f16
  %length = memref.dim %a, %c1 : memref<?x?xf16>
  %rest4 = arith.remui %length, %c4 : index
  %multiple4 = arith.cmpi eq, %rest4, %c0 : index
  %rest = arith.remui %length, %c8 : index
  %multiple = arith.cmpi eq, %rest, %c0 : index
  %lengthb = memref.dim %b, %c1 : memref<?x?xf16>
  %restb = arith.remui %lengthb, %c8 : index
  %multipleb = arith.cmpi eq, %restb, %c0 : index
  %both = arith.andi %multiple, %multipleb : i1
  %other = arith.xori %both, %true : i1
  scf.if %multiple4 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  scf.if %other {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  return
}

// -----

// Temporaries whose rows are as long as those of an argument, or as a number of which
// the branch says it.

// CHECK-LABEL: func @known_temporary(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         scf.if %{{.*}} {
// CHECK-NOT:     scf.if
// CHECK:           gpu.launch
// CHECK-DAG:         memref.reinterpret_cast %[[A]] to
// CHECK-DAG:         memref.reinterpret_cast %[[B]] to
// CHECK:         scf.if %{{.*}} {
// CHECK-NOT:     scf.if
// CHECK:           gpu.launch
// CHECK-NOT:         memref.reinterpret_cast
// CHECK-NOT:       gpu.launch
// CHECK:         return
func.func @known_temporary(%source: memref<?x?xf16>, %n: index, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f16
  %length = memref.dim %source, %c1 : memref<?x?xf16>
  %longer = arith.addi %length, %n : index
  %a = memref.alloc(%n, %length) : memref<?x?xf16>
  %b = memref.alloc(%n, %longer) : memref<?x?xf16>
  %rest = arith.remui %length, %c8 : index
  %multiple = arith.cmpi eq, %rest, %c0 : index
  %restb = arith.remui %longer, %c8 : index
  %multipleb = arith.cmpi eq, %restb, %c0 : index
  %both = arith.andi %multiple, %multipleb : i1
  %other = arith.xori %both, %true : i1
  scf.if %both {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      %y = vector.transfer_read %b[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      %z = arith.addf %x, %y : vector<64xf16>
      vector.transfer_write %z, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  scf.if %other {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %x = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      %y = vector.transfer_read %b[%bx, %c0], %zero {in_bounds = [true]} : memref<?x?xf16>, vector<64xf16>
      %z = arith.addf %x, %y : vector<64xf16>
      vector.transfer_write %z, %out[%c0] {in_bounds = [true]} : vector<64xf16>, memref<64xf16>
      gpu.terminator
    }
  }
  return
}
