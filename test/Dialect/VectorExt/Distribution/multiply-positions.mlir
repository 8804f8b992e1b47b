// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=multiply-positions --canonicalize --cse --split-input-file | FileCheck %s

// 1. The distance of keys and rows times a slope. The right operand is written once:
// key j has j in the words 0 and 4 of its row, and two ones of bf16 in the others. The slope
// and its products with rows are computed in front of the loop, and only that with
// the first distance of the tile in it.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1], promote = [false, true]>

// CHECK-LABEL: func @distances
// CHECK-SAME: %[[SLOPE:[a-z0-9]+]]: f32
// CHECK-DAG: %[[ONES:.+]] = arith.constant 1065369472 : i32
// CHECK: %[[MEMORY:.+]] = memref.alloc() {alignment = {{[0-9]+}} : i64} : memref<1024xi8, #gpu.address_space<workgroup>>
// CHECK: %[[WORDS:.+]] = memref.view %[[MEMORY]]{{.*}} to memref<256xi32
// CHECK: scf.for %[[WORD:.+]] = %{{.+}} to %c256 step %c256
// CHECK: %[[KEY:.+]] = arith.divui %[[WORD]], %c8
// CHECK: arith.sitofp
// CHECK: %[[VALUE:.+]] = arith.select %{{.+}}, %{{.+}}, %[[ONES]]
// CHECK: memref.store %[[VALUE]], %[[WORDS]][%[[WORD]]]
// CHECK: nvvm.fence.proxy
// CHECK: %[[TABLE:.+]] = memref.view %[[MEMORY]]{{.*}} to memref<512xbf16
// CHECK: gpu.barrier
// CHECK: vector_ext.role first(0)
// CHECK: %[[RIGHT:.+]] = vector_ext.shared_tile %[[TABLE]] in <[32, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
// CHECK: %[[SLOPES:.+]] = vector.broadcast %[[SLOPE]] : f32 to vector<64x16xf32>
// CHECK: arith.mulf %{{.+}}, %[[SLOPES]] : vector<64x16xf32>
// CHECK: scf.for %[[I:.+]] =
// CHECK: %[[START:.+]] = arith.subi %[[I]], %[[ROW:.+]] : index
// CHECK: %[[WORD32:.+]] = arith.index_cast %[[START]] : index to i32
// CHECK: %[[FLOAT:.+]] = arith.sitofp %[[WORD32]] : i32 to f32
// CHECK: arith.mulf %[[FLOAT]], %[[SLOPE]] : f32
// CHECK: %[[LEFT:.+]] = arith.bitcast %{{.+}} : vector<64x16xi16> to vector<64x16xbf16>
// CHECK: %[[BIAS:.+]] = vector.contract {{.*}} %[[LEFT]], %[[RIGHT]], %{{.+}} {vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.bf16", subgroups = [1, 1]>}
// CHECK: vector.contract {{.*}} %[[BIAS]] {{{.*}}vector_ext.continues}
func.func @distances(%slope: f32, %q: vector<64x64xf16>, %k: vector<32x64xf16>, %row: index, %n: index, %out: memref<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    vector_ext.role first(0) threads(128) {
      scf.for %i = %c0 to %n step %c32 {
        %keys = vector.step : vector<32xindex>
        %first = vector.broadcast %i : index to vector<32xindex>
        %0 = arith.addi %first, %keys : vector<32xindex>
        %1 = vector.broadcast %0 : vector<32xindex> to vector<64x32xindex>
        %rows = vector.step : vector<64xindex>
        %firstRow = vector.broadcast %row : index to vector<64xindex>
        %2 = arith.addi %firstRow, %rows : vector<64xindex>
        %3 = vector.broadcast %2 : vector<64xindex> to vector<32x64xindex>
        %4 = vector.transpose %3, [1, 0] : vector<32x64xindex> to vector<64x32xindex>
        %5 = arith.subi %1, %4 : vector<64x32xindex>
        %6 = arith.index_cast %5 : vector<64x32xindex> to vector<64x32xi32>
        %7 = arith.sitofp %6 : vector<64x32xi32> to vector<64x32xf32>
        %8 = vector.broadcast %slope : f32 to vector<64x32xf32>
        %bias = arith.mulf %7, %8 fastmath<reassoc> : vector<64x32xf32>
        %sum = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %bias {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
        vector.transfer_write %sum, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<?x32xf32>
      }
    }
    gpu.terminator
  }
  return
}

// -----

// 2. Twice the position of a key and a constant: the first position is the same in
// all rows, and the number of a row takes no part in it.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.bf16", subgroups = [1, 1], promote = [false, true]>

// CHECK-LABEL: func @keys
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32
// CHECK: arith.muli %{{.+}}, %c2_i32
// CHECK: memref.store
// CHECK: vector_ext.role
// CHECK: %[[TWICE:.+]] = arith.muli %[[FIRST]], %c2_i32 : i32
// CHECK: %[[FLOAT:.+]] = arith.sitofp %[[TWICE]] : i32 to f32
// CHECK: arith.mulf %[[FLOAT]], %cst{{.*}} : f32
// CHECK: %[[BIAS:.+]] = vector.contract
// CHECK: vector.contract {{.*}} %[[BIAS]] {{{.*}}vector_ext.continues}
func.func @keys(%first: i32, %q: vector<64x64xbf16>, %k: vector<32x64xbf16>, %out: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    vector_ext.role first(0) threads(128) {
      %steps = vector.step : vector<32xindex>
      %keys = arith.index_cast %steps : vector<32xindex> to vector<32xi32>
      %firsts = vector.broadcast %first : i32 to vector<32xi32>
      %0 = arith.addi %firsts, %keys : vector<32xi32>
      %two = arith.constant dense<2> : vector<32xi32>
      %1 = arith.muli %0, %two : vector<32xi32>
      %2 = vector.broadcast %1 : vector<32xi32> to vector<64x32xi32>
      %3 = arith.sitofp %2 : vector<64x32xi32> to vector<64x32xf32>
      %slope = arith.constant dense<0.3> : vector<64x32xf32>
      %bias = arith.mulf %slope, %3 fastmath<reassoc> : vector<64x32xf32>
      %sum = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %bias {vector_ext.config = #config} : vector<64x64xbf16>, vector<32x64xbf16> into vector<64x32xf32>
      vector.transfer_write %sum, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// 3. Left alone: magnitudes of distances; distances of more than 8 bits in a tile; a
// factor for each row; products that may not be reassociated; a loop that is not
// rotated; and a workgroup without room for the operand.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1], promote = [false, true]>
!large = !vector_ext.ring<slots = 29, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func @negative
// CHECK-NOT: memref.alloc
// CHECK-NOT: vector_ext.continues
// CHECK-LABEL: func @negative_not_rotated
// CHECK-NOT: memref.alloc
// CHECK-LABEL: func @negative_room
// CHECK-NOT: memref.alloc
func.func @negative(%slope: f32, %slopes: vector<32x64xf32>, %q: vector<64x64xf16>, %k: vector<32x64xf16>, %row: index, %out: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    vector_ext.role first(0) threads(128) {
      %steps = vector.step : vector<32xindex>
      %keys = arith.index_cast %steps : vector<32xindex> to vector<32xi32>
      %0 = vector.broadcast %keys : vector<32xi32> to vector<64x32xi32>
      %firstRow = vector.broadcast %row : index to vector<64x32xindex>
      %1 = arith.index_cast %firstRow : vector<64x32xindex> to vector<64x32xi32>
      %2 = arith.subi %0, %1 : vector<64x32xi32>
      %s = vector.broadcast %slope : f32 to vector<64x32xf32>
      %zero = arith.constant dense<0> : vector<64x32xi32>
      %3 = arith.subi %zero, %2 : vector<64x32xi32>
      %magnitude = arith.maxsi %2, %3 : vector<64x32xi32>
      %4 = arith.sitofp %magnitude : vector<64x32xi32> to vector<64x32xf32>
      %5 = arith.mulf %4, %s fastmath<reassoc> : vector<64x32xf32>
      %6 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %5 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %6, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
      %nine = arith.constant dense<9> : vector<64x32xi32>
      %7 = arith.muli %2, %nine : vector<64x32xi32>
      %8 = arith.sitofp %7 : vector<64x32xi32> to vector<64x32xf32>
      %9 = arith.mulf %8, %s fastmath<reassoc> : vector<64x32xf32>
      %10 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %9 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %10, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
      %11 = vector.transpose %slopes, [1, 0] : vector<32x64xf32> to vector<64x32xf32>
      %12 = arith.sitofp %2 : vector<64x32xi32> to vector<64x32xf32>
      %13 = arith.mulf %12, %11 fastmath<reassoc> : vector<64x32xf32>
      %14 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %13 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %14, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
      %15 = arith.mulf %12, %s : vector<64x32xf32>
      %16 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %15 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %16, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    }
    gpu.terminator
  }
  return
}

func.func @negative_not_rotated(%slope: f32, %q: vector<64x64xf16>, %k: vector<32x64xf16>, %out: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    vector_ext.role first(0) threads(128) {
      %steps = vector.step : vector<32xindex>
      %keys = arith.index_cast %steps : vector<32xindex> to vector<32xi32>
      %0 = vector.broadcast %keys : vector<32xi32> to vector<64x32xi32>
      %s = vector.broadcast %slope : f32 to vector<64x32xf32>
      %1 = arith.sitofp %0 : vector<64x32xi32> to vector<64x32xf32>
      %2 = arith.mulf %1, %s fastmath<reassoc> : vector<64x32xf32>
      %3 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %2 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    }
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @negative_room(%slope: f32, %q: vector<64x64xf16>, %k: vector<32x64xf16>, %out: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    %ring = vector_ext.ring.create : !large
    vector_ext.role first(0) threads(128) {
      %steps = vector.step : vector<32xindex>
      %keys = arith.index_cast %steps : vector<32xindex> to vector<32xi32>
      %0 = vector.broadcast %keys : vector<32xi32> to vector<64x32xi32>
      %s = vector.broadcast %slope : f32 to vector<64x32xf32>
      %1 = arith.sitofp %0 : vector<64x32xi32> to vector<64x32xf32>
      %2 = arith.mulf %1, %s fastmath<reassoc> : vector<64x32xf32>
      %3 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %2 {vector_ext.config = #config} : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    }
    gpu.terminator
  }
  return
}
