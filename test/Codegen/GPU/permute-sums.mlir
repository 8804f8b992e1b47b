// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=steps=permute-sums --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-prepare-launches{steps=permute-sums})' --split-input-file | FileCheck %s

// Values are stored with the keys last, in the order in which a thread has weights. The
// last tile of keys has a mask of whole blocks.

#config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @values
// CHECK: gpu.launch
// CHECK:   %[[V:.+]] = vector.transfer_read %{{.+}} : memref<?x96x64xf8E4M3FN>, vector<32x64xf8E4M3FN>
// CHECK:   %[[V5:.+]] = vector.shape_cast %[[V]] : vector<32x64xf8E4M3FN> to vector<2x2x4x2x64xf8E4M3FN>
// CHECK:   %[[VT:.+]] = vector.transpose %[[V5]], [0, 2, 1, 3, 4]
// CHECK:   %[[VP:.+]] = vector.shape_cast %[[VT]] : vector<2x4x2x2x64xf8E4M3FN> to vector<32x64xf8E4M3FN>
// CHECK:   vector.transfer_write %[[VP]]
// CHECK: gpu.launch
// CHECK:   %[[S:.+]] = vector.contract
// CHECK:   %[[P:.+]] = arith.truncf
// CHECK:   %[[P5:.+]] = vector.shape_cast %[[P]] : vector<16x64xf8E4M3FN> to vector<16x4x2x4x2xf8E4M3FN>
// CHECK:   %[[PT:.+]] = vector.transpose %[[P5]], [0, 1, 3, 2, 4]
// CHECK:   %[[PP:.+]] = vector.shape_cast %[[PT]] : vector<16x4x4x2x2xf8E4M3FN> to vector<16x64xf8E4M3FN>
// CHECK:   vector.contract {{.*}} %[[PP]], %
func.func @values(%v: memref<?x96x64xf8E4M3FN>, %q: vector<16x32xf8E4M3FN>, %k: vector<64x32xf8E4M3FN>, %out: memref<?x16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %pad = arith.constant 0.0 : f8E4M3FN
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %batches = memref.dim %v, %c0 : memref<?x96x64xf8E4M3FN>
  %alloc = memref.alloc(%batches) : memref<?x64x96xf8E4M3FN>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %batches)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %0 = vector.transfer_read %v[%bz, %at, %c0], %pad {in_bounds = [true, true]} : memref<?x96x64xf8E4M3FN>, vector<32x64xf8E4M3FN>
    %view = memref.subview %alloc[%bz, 0, %at] [1, 64, 32] [1, 1, 1] : memref<?x64x96xf8E4M3FN> to memref<1x64x32xf8E4M3FN, strided<[6144, 96, 1], offset: ?>>
    vector.transfer_write %0, %view[%c0, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : vector<32x64xf8E4M3FN>, memref<1x64x32xf8E4M3FN, strided<[6144, 96, 1], offset: ?>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %batches)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r = scf.for %i = %c0 to %c96 step %c64 iter_args(%sum = %zero) -> (vector<16x64xf32>) {
      %s = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<16x32xf8E4M3FN>, vector<64x32xf8E4M3FN> into vector<16x64xf32>
      %p = arith.truncf %s : vector<16x64xf32> to vector<16x64xf8E4M3FN>
      %left = affine.min affine_map<(d0) -> (-d0 + 96, 64)>(%i)
      %mask = vector.create_mask %c64, %left : vector<64x64xi1>
      %1 = vector.transfer_read %alloc[%bz, %c0, %i], %pad, %mask {in_bounds = [true, true]} : memref<?x64x96xf8E4M3FN>, vector<64x64xf8E4M3FN>
      %o = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %1, %sum : vector<16x64xf8E4M3FN>, vector<64x64xf8E4M3FN> into vector<16x64xf32>
      scf.yield %o : vector<16x64xf32>
    }
    vector.transfer_write %r, %out[%bz, %c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<?x16x64xf32>
    gpu.terminator
  }
  memref.dealloc %alloc : memref<?x64x96xf8E4M3FN>
  return
}

// -----

// Blocks are not read whole: a tile begins at any key. Something else reads what is
// stored. What is multiplied with it is no result of an instruction.

#config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @negative
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @negative(%v: vector<32x64xf8E4M3FN>, %q: vector<16x32xf8E4M3FN>, %k: vector<64x32xf8E4M3FN>, %out: memref<16x32xf32>, %other: memref<32x64xf8E4M3FN>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f8E4M3FN
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %zeros = arith.constant dense<0.0> : vector<16x32xf32>
  %anywhere = memref.alloc() : memref<32x128xf8E4M3FN>
  %read = memref.alloc() : memref<32x64xf8E4M3FN>
  %given = memref.alloc() : memref<32x32xf8E4M3FN>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    vector.transfer_write %v, %anywhere[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf8E4M3FN>, memref<32x128xf8E4M3FN>
    vector.transfer_write %v, %read[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf8E4M3FN>, memref<32x64xf8E4M3FN>
    %half = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [32, 32], strides = [1, 1]} : vector<32x64xf8E4M3FN> to vector<32x32xf8E4M3FN>
    vector.transfer_write %half, %given[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf8E4M3FN>, memref<32x32xf8E4M3FN>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %s = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<16x32xf8E4M3FN>, vector<64x32xf8E4M3FN> into vector<16x64xf32>
    %p = arith.truncf %s : vector<16x64xf32> to vector<16x64xf8E4M3FN>
    %0 = vector.transfer_read %anywhere[%c0, %n], %pad {in_bounds = [true, true]} : memref<32x128xf8E4M3FN>, vector<32x64xf8E4M3FN>
    %1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %0, %zeros : vector<16x64xf8E4M3FN>, vector<32x64xf8E4M3FN> into vector<16x32xf32>
    %2 = vector.transfer_read %read[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf8E4M3FN>, vector<32x64xf8E4M3FN>
    vector.transfer_write %2, %other[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf8E4M3FN>, memref<32x64xf8E4M3FN>
    %3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %2, %1 : vector<16x64xf8E4M3FN>, vector<32x64xf8E4M3FN> into vector<16x32xf32>
    %4 = vector.transfer_read %given[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf8E4M3FN>, vector<32x32xf8E4M3FN>
    %5 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %4, %3 : vector<16x32xf8E4M3FN>, vector<32x32xf8E4M3FN> into vector<16x32xf32>
    vector.transfer_write %5, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<16x32xf32>
    gpu.terminator
  }
  memref.dealloc %anywhere : memref<32x128xf8E4M3FN>
  memref.dealloc %read : memref<32x64xf8E4M3FN>
  memref.dealloc %given : memref<32x32xf8E4M3FN>
  return
}

// -----

#config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// A view ends in the middle of a block. A read beyond its end would have other elements of
// that block. One that ends in front of it has whole blocks.

// CHECK-LABEL: func @beyond_view
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @beyond_view(%v: vector<96x64xf8E4M3FN>, %q: vector<16x32xf8E4M3FN>, %k: vector<32x32xf8E4M3FN>, %out: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f8E4M3FN
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %zeros = arith.constant dense<0.0> : vector<16x32xf32>
  %alloc = memref.alloc() : memref<64x96xf8E4M3FN>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    vector.transfer_write %v, %alloc[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<96x64xf8E4M3FN>, memref<64x96xf8E4M3FN>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %s = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zeros : vector<16x32xf8E4M3FN>, vector<32x32xf8E4M3FN> into vector<16x32xf32>
    %p = arith.truncf %s : vector<16x32xf32> to vector<16x32xf8E4M3FN>
    %view = memref.subview %alloc[0, 0] [64, 24] [1, 1] : memref<64x96xf8E4M3FN> to memref<64x24xf8E4M3FN, strided<[96, 1]>>
    %1 = vector.transfer_read %view[%c0, %c0], %pad {in_bounds = [true, false]} : memref<64x24xf8E4M3FN, strided<[96, 1]>>, vector<64x32xf8E4M3FN>
    %o = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %1, %zero : vector<16x32xf8E4M3FN>, vector<64x32xf8E4M3FN> into vector<16x64xf32>
    vector.transfer_write %o, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  }
  memref.dealloc %alloc : memref<64x96xf8E4M3FN>
  return
}

// CHECK-LABEL: func @inside_view
// CHECK-COUNT-2: vector.transpose
func.func @inside_view(%v: vector<96x64xf8E4M3FN>, %q: vector<16x32xf8E4M3FN>, %k: vector<32x32xf8E4M3FN>, %out: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f8E4M3FN
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %zeros = arith.constant dense<0.0> : vector<16x32xf32>
  %alloc = memref.alloc() : memref<64x96xf8E4M3FN>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    vector.transfer_write %v, %alloc[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<96x64xf8E4M3FN>, memref<64x96xf8E4M3FN>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %s = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zeros : vector<16x32xf8E4M3FN>, vector<32x32xf8E4M3FN> into vector<16x32xf32>
    %p = arith.truncf %s : vector<16x32xf32> to vector<16x32xf8E4M3FN>
    %view = memref.subview %alloc[0, 0] [64, 40] [1, 1] : memref<64x96xf8E4M3FN> to memref<64x40xf8E4M3FN, strided<[96, 1]>>
    %1 = vector.transfer_read %view[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x40xf8E4M3FN, strided<[96, 1]>>, vector<64x32xf8E4M3FN>
    %o = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %1, %zero : vector<16x32xf8E4M3FN>, vector<64x32xf8E4M3FN> into vector<16x64xf32>
    vector.transfer_write %o, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  }
  memref.dealloc %alloc : memref<64x96xf8E4M3FN>
  return
}

// -----

// Positions are no weights.

// CHECK-LABEL: func @negative_index
// CHECK: memref.alloc() : memref<16xindex>
// CHECK-NOT: vector.transpose
func.func @negative_index(%values: vector<16xindex>) -> vector<16xindex> {
  %c0 = arith.constant 0 : index
  %memory = memref.alloc() : memref<16xindex>
  vector.transfer_write %values, %memory[%c0] {in_bounds = [true]} : vector<16xindex>, memref<16xindex>
  %read = vector.transfer_read %memory[%c0], %c0 {in_bounds = [true]} : memref<16xindex>, vector<16xindex>
  return %read : vector<16xindex>
}
