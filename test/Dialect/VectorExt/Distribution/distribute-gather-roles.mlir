// RUN: linalg-ext-opt %s --vector-ext-distribute=async-copies=true --canonicalize --cse | FileCheck %s

// Threads that only copy gathered rows share the look-ups: eight threads copy each row
// of 256 bytes, two pieces of 16 bytes each, and each of them looks up one of the eight
// rows that it copies a part of. The others get it by a shuffle of 32 bits, which also
// tells whether the row exists: where it does not, the number is -1.

#rows = affine_map<(i, j)[p] -> (p, 0, j)>
#row = affine_map<(i, j) -> (i)>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @entries
// CHECK-SAME:    %[[POOL:[^:]+]]: memref<?x8x128xf16>, %[[TABLE:[^:]+]]: memref<?xi32>
// CHECK:         gpu.launch
// CHECK:           memref.load %[[TABLE]]
// CHECK-NOT:       memref.load %[[TABLE]]
// CHECK:           %[[WORDS:.+]] = arith.select %{{.+}}, %{{.+}}, %cst{{.*}} : vector<1xi1>, vector<1xi32>
// CHECK:           %[[WORD:.+]] = vector.extract %[[WORDS]][0] : i32
// CHECK-COUNT-8:  gpu.shuffle idx %[[WORD]], %{{.+}}, %{{.+}} : i32
// CHECK-NOT:       gpu.shuffle
// CHECK-COUNT-16:  nvgpu.device_async_copy %[[POOL]]
// CHECK-NOT:       nvgpu.device_async_copy
// CHECK:           gpu.terminator
func.func @entries(%pool: memref<?x8x128xf16>, %table: memref<?xi32>, %first: index,
                   %m: memref<16384xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %size = memref.dim %pool, %c0 : memref<?x8x128xf16>
  %count = memref.dim %table, %c0 : memref<?xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !barriers
    %step = vector.step : vector<128xindex>
    %firsts = vector.broadcast %first : index to vector<128xindex>
    %place = arith.addi %step, %firsts : vector<128xindex>
    %counts = vector.broadcast %count : index to vector<128xindex>
    %listed = arith.cmpi ult, %place, %counts : vector<128xindex>
    %none = arith.constant dense<0> : vector<128xi32>
    %entry = vector.gather %table[%c0] [%place], %listed, %none : memref<?xi32>, vector<128xindex>, vector<128xi1>, vector<128xi32> into vector<128xi32>
    %page = arith.index_cast %entry : vector<128xi32> to vector<128xindex>
    %sizes = vector.broadcast %size : index to vector<128xindex>
    %below = arith.cmpi ult, %page, %sizes : vector<128xindex>
    %exists = arith.andi %listed, %below : vector<128xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0] indices(%page : vector<128xindex>) mask(%exists : vector<128xi1>)
           {indexing_maps = [#rows, #row, #row]} : memref<?x8x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %0, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    gpu.terminator
  }
  return
}

// Rows in pages of 3: the row in a page is one more word. Nothing is compared with
// the size of the pool, so the mask is a word as well.

// CHECK-LABEL: func.func @rows_of_pages
// CHECK:         gpu.launch
// CHECK-COUNT-24:  gpu.shuffle idx %{{.+}} : i32
// CHECK-NOT:       gpu.shuffle
// CHECK-COUNT-16:  nvgpu.device_async_copy
// CHECK:           gpu.terminator
func.func @rows_of_pages(%pool: memref<?x3x128xf16>, %table: memref<?xi32>, %first: index,
                         %m: memref<16384xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %count = memref.dim %table, %c0 : memref<?xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !barriers
    %step = vector.step : vector<128xindex>
    %firsts = vector.broadcast %first : index to vector<128xindex>
    %position = arith.addi %step, %firsts : vector<128xindex>
    %three = arith.constant dense<3> : vector<128xindex>
    %place = arith.floordivsi %position, %three : vector<128xindex>
    %before = arith.muli %place, %three : vector<128xindex>
    %row = arith.subi %position, %before : vector<128xindex>
    %counts = vector.broadcast %count : index to vector<128xindex>
    %listed = arith.cmpi ult, %place, %counts : vector<128xindex>
    %none = arith.constant dense<0> : vector<128xi32>
    %entry = vector.gather %table[%c0] [%place], %listed, %none : memref<?xi32>, vector<128xindex>, vector<128xi1>, vector<128xi32> into vector<128xi32>
    %page = arith.index_cast %entry : vector<128xi32> to vector<128xindex>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0] indices(%page, %row : vector<128xindex>, vector<128xindex>) mask(%listed : vector<128xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, #row, #row, #row]} : memref<?x3x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %0, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    gpu.terminator
  }
  return
}

// Rows in pages of 3 of a pool whose size the mask tests: the number of a row among
// those of all pages is one word, which also tells whether the row exists. The
// function tests that such numbers have 32 bits.

// CHECK-LABEL: func.func @places
// CHECK-SAME:    %[[POOL:[^:]+]]: memref<?x3x8x128xf16>
// CHECK:         %[[PAGES:.+]] = memref.dim %[[POOL]], %c0
// CHECK:         %[[ALL:.+]] = arith.muli %[[PAGES]], %c3
// CHECK:         %[[FITS:.+]] = arith.cmpi ule, %[[ALL]], %c2147483648
// CHECK:         cf.assert %[[FITS]], "expected at most 2147483648 rows in dimensions 0 to 1 of argument 0"
// CHECK-NOT:     cf.assert
// CHECK:         gpu.launch
// CHECK:           %[[FIRST:.+]] = arith.muli %{{.+}}, %{{.+}} : vector<1xi32>
// CHECK:           %[[PLACE:.+]] = arith.addi %[[FIRST]], %{{.+}} : vector<1xi32>
// CHECK:           %[[WORDS:.+]] = arith.select %{{.+}}, %[[PLACE]], %cst{{.*}} : vector<1xi1>, vector<1xi32>
// CHECK:           %[[WORD:.+]] = vector.extract %[[WORDS]][0] : i32
// CHECK-COUNT-8:  gpu.shuffle idx %[[WORD]], %{{.+}}, %{{.+}} : i32
// CHECK-NOT:       gpu.shuffle
// CHECK-COUNT-16:  nvgpu.device_async_copy %collapse_shape{{.*}} : memref<?x8x128xf16>
// CHECK:           gpu.terminator

// Nothing tests the row in a page: it may be any.
// CHECK-LABEL: func.func @negative_any_row
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @places(%pool: memref<?x3x8x128xf16>, %table: memref<?xi32>, %first: index,
                  %m: memref<16384xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %size = memref.dim %pool, %c0 : memref<?x3x8x128xf16>
  %count = memref.dim %table, %c0 : memref<?xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !barriers
    %step = vector.step : vector<128xindex>
    %firsts = vector.broadcast %first : index to vector<128xindex>
    %position = arith.addi %step, %firsts : vector<128xindex>
    %three = arith.constant dense<3> : vector<128xindex>
    %place = arith.floordivsi %position, %three : vector<128xindex>
    %before = arith.muli %place, %three : vector<128xindex>
    %row = arith.subi %position, %before : vector<128xindex>
    %counts = vector.broadcast %count : index to vector<128xindex>
    %listed = arith.cmpi ult, %place, %counts : vector<128xindex>
    %none = arith.constant dense<0> : vector<128xi32>
    %entry = vector.gather %table[%c0] [%place], %listed, %none : memref<?xi32>, vector<128xindex>, vector<128xi1>, vector<128xi32> into vector<128xi32>
    %page = arith.index_cast %entry : vector<128xi32> to vector<128xindex>
    %sizes = vector.broadcast %size : index to vector<128xindex>
    %below = arith.cmpi ult, %page, %sizes : vector<128xindex>
    %exists = arith.andi %listed, %below : vector<128xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0, %c0] indices(%page, %row : vector<128xindex>, vector<128xindex>) mask(%exists : vector<128xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, #row, #row, #row]} : memref<?x3x8x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %0, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    gpu.terminator
  }
  return
}

func.func @negative_any_row(%pool: memref<?x3x8x128xf16>, %table: memref<?xi32>, %first: index,
                  %m: memref<16384xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %size = memref.dim %pool, %c0 : memref<?x3x8x128xf16>
  %count = memref.dim %table, %c0 : memref<?xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !barriers
    %step = vector.step : vector<128xindex>
    %firsts = vector.broadcast %first : index to vector<128xindex>
    %position = arith.addi %step, %firsts : vector<128xindex>
    %three = arith.constant dense<3> : vector<128xindex>
    %place = arith.floordivsi %position, %three : vector<128xindex>
    %before = arith.muli %place, %three : vector<128xindex>
    %row = arith.floordivsi %before, %three : vector<128xindex>
    %counts = vector.broadcast %count : index to vector<128xindex>
    %listed = arith.cmpi ult, %place, %counts : vector<128xindex>
    %none = arith.constant dense<0> : vector<128xi32>
    %entry = vector.gather %table[%c0] [%place], %listed, %none : memref<?xi32>, vector<128xindex>, vector<128xi1>, vector<128xi32> into vector<128xi32>
    %page = arith.index_cast %entry : vector<128xi32> to vector<128xindex>
    %sizes = vector.broadcast %size : index to vector<128xindex>
    %below = arith.cmpi ult, %page, %sizes : vector<128xindex>
    %exists = arith.andi %listed, %below : vector<128xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0, %c0] indices(%page, %row : vector<128xindex>, vector<128xindex>) mask(%exists : vector<128xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, #row, #row, #row]} : memref<?x3x8x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %0, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    gpu.terminator
  }
  return
}

// Of another gather, the rows are those of a page of 24: it takes a test of its own.

// CHECK-LABEL: func.func @places_of_both
// CHECK-DAG:     cf.assert %{{.+}}, "expected at most 2147483648 rows in dimensions 0 to 1 of argument 0"
// CHECK-DAG:     cf.assert %{{.+}}, "expected at most 2147483648 rows in dimensions 0 to 2 of argument 0"
// CHECK:         gpu.launch
func.func @places_of_both(%pool: memref<?x3x8x128xf16>, %table: memref<?xi32>, %first: index,
                         %m: memref<16384xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %size = memref.dim %pool, %c0 : memref<?x3x8x128xf16>
  %count = memref.dim %table, %c0 : memref<?xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !barriers
    %step = vector.step : vector<128xindex>
    %firsts = vector.broadcast %first : index to vector<128xindex>
    %position = arith.addi %step, %firsts : vector<128xindex>
    %three = arith.constant dense<3> : vector<128xindex>
    %place = arith.floordivsi %position, %three : vector<128xindex>
    %before = arith.muli %place, %three : vector<128xindex>
    %row = arith.subi %position, %before : vector<128xindex>
    %counts = vector.broadcast %count : index to vector<128xindex>
    %listed = arith.cmpi ult, %place, %counts : vector<128xindex>
    %none = arith.constant dense<0> : vector<128xi32>
    %entry = vector.gather %table[%c0] [%place], %listed, %none : memref<?xi32>, vector<128xindex>, vector<128xi1>, vector<128xi32> into vector<128xi32>
    %page = arith.index_cast %entry : vector<128xi32> to vector<128xindex>
    %sizes = vector.broadcast %size : index to vector<128xindex>
    %below = arith.cmpi ult, %page, %sizes : vector<128xindex>
    %exists = arith.andi %listed, %below : vector<128xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0, %c0] indices(%page, %row : vector<128xindex>, vector<128xindex>) mask(%exists : vector<128xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, #row, #row, #row]} : memref<?x3x8x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %0, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    %1 = vector_ext.transfer_gather %pool[%c0, %c0, %c0, %c0] indices(%page, %row : vector<128xindex>, vector<128xindex>) mask(%exists : vector<128xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, 0, r, j)>, #row, #row, #row]} : memref<?x3x8x128xf16>, vector<128x128xf16>
    vector_ext.write_tile %1, %m in <[128, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0]
      : vector<128x128xf16>, memref<16384xf16, #gpu.address_space<workgroup>>, !barriers
    gpu.terminator
  }
  return
}
