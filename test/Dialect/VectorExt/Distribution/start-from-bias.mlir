// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=start-from-bias --canonicalize | FileCheck %s

// 1. A bias of f16, which is divided by the scale of the scores, 0.25. Powers and the
// maximum are of what the product sums, scaled by 0.25 log2(e) and by 0.25.

// CHECK-LABEL: func @half
// CHECK-DAG: %[[FOURS:.+]] = arith.constant dense<4.000000e+00> : vector<64x16xf32>
// CHECK-DAG: %[[QUARTERS:.+]] = arith.constant dense<2.500000e-01> : vector<64xf32>
// CHECK-DAG: %[[FACTOR:.+]] = arith.constant dense<0.360673755> : vector<64x16xf32>
// CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : vector<64x16xf16> to vector<64x16xf32>
// CHECK: %[[FIRST:.+]] = arith.mulf %[[WIDE]], %[[FOURS]]
// CHECK: %[[SUM:.+]] = vector.contract {{.*}} %[[FIRST]] :
// CHECK-NOT: arith.addf
// CHECK: %[[MAX:.+]] = vector.multi_reduction <maximumf>, %[[SUM]]
// CHECK: arith.mulf %[[MAX]], %[[QUARTERS]]
// CHECK: %[[SCALED:.+]] = arith.mulf %[[SUM]], %[[FACTOR]]
// CHECK: arith.subf %[[SCALED]]
#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @half(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %bias: vector<64x16xf16>, %row: vector<64x16xf32>, %p: memref<?x16xf16>, %max: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %log2e = arith.constant dense<1.44269502> : vector<64x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<64xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %2 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    %4 = vector.multi_reduction <maximumf>, %3, %lowest [1] : vector<64x16xf32> to vector<64xf32>
    vector.transfer_write %4, %max[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    %5 = arith.mulf %3, %log2e : vector<64x16xf32>
    %6 = arith.subf %5, %row : vector<64x16xf32>
    %7 = math.exp2 %6 : vector<64x16xf32>
    %8 = arith.truncf %7 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %8, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<?x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// 2. Positions times a slope: the slope is divided, and bounded, as it may be the least
// number of f32. Rows have factors of their own, and scores behind a diagonal are hidden.

// CHECK-LABEL: func @slope
// CHECK-SAME: %[[SLOPE:[a-z0-9]+]]: f32
// CHECK-DAG: %[[TWO:.+]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[MOST:.+]] = arith.constant 7.92281625E+28 : f32
// CHECK-DAG: %[[LEAST:.+]] = arith.constant -7.92281625E+28 : f32
// CHECK-DAG: %[[HALVES:.+]] = arith.constant dense<5.000000e-01> : vector<64xf32>
// CHECK: %[[DOUBLE:.+]] = arith.mulf %[[SLOPE]], %[[TWO]] : f32
// CHECK: %[[BELOW:.+]] = arith.minimumf %[[DOUBLE]], %[[MOST]] : f32
// CHECK: %[[BOUNDED:.+]] = arith.maximumf %[[BELOW]], %[[LEAST]] : f32
// CHECK: %[[SLOPES:.+]] = vector.broadcast %[[BOUNDED]]
// CHECK: %[[FIRST:.+]] = arith.mulf %{{.+}}, %[[SLOPES]] fastmath<reassoc>
// CHECK: %[[SUM:.+]] = vector.contract {{.*}} %[[FIRST]] :
// CHECK: %[[HIDDEN:.+]] = arith.select %{{.+}}, %[[SUM]],
// CHECK: %[[MAX:.+]] = vector.multi_reduction <maximumf>, %[[HIDDEN]]
// CHECK: arith.mulf %[[MAX]], %[[HALVES]]
// CHECK: %[[ROWS:.+]] = arith.select {{.*}} : vector<64xi1>, vector<64xf32>
// CHECK: %[[FACTORS:.+]] = arith.mulf %[[ROWS]], %[[HALVES]]
// CHECK: vector.broadcast %[[FACTORS]]
// CHECK: %[[TRANSPOSED:.+]] = vector.transpose
// CHECK: arith.mulf %[[HIDDEN]], %[[TRANSPOSED]]
func.func @slope(%slope: f32, %q: vector<64x32xf16>, %k: vector<16x32xf16>, %distance: vector<64x16xi32>, %visible: vector<64x16xi1>, %huge: vector<64xi1>, %row: vector<64x16xf32>, %p: memref<64x16xf16>, %max: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.5> : vector<64x16xf32>
    %hidden = arith.constant dense<0xFF800000> : vector<64x16xf32>
    %ones = arith.constant dense<1.0> : vector<64xf32>
    %log2e = arith.constant dense<1.44269502> : vector<64xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<64xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %float = arith.sitofp %distance : vector<64x16xi32> to vector<64x16xf32>
    %slopes = vector.broadcast %slope : f32 to vector<64x16xf32>
    %2 = arith.mulf %float, %slopes fastmath<reassoc> : vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    %4 = arith.select %visible, %3, %hidden : vector<64x16xi1>, vector<64x16xf32>
    %5 = vector.multi_reduction <maximumf>, %4, %lowest [1] : vector<64x16xf32> to vector<64xf32>
    vector.transfer_write %5, %max[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    %rows = arith.select %huge, %ones, %log2e : vector<64xi1>, vector<64xf32>
    %6 = vector.broadcast %rows : vector<64xf32> to vector<16x64xf32>
    %7 = vector.transpose %6, [1, 0] : vector<16x64xf32> to vector<64x16xf32>
    %8 = arith.mulf %4, %7 : vector<64x16xf32>
    %9 = arith.subf %8, %row : vector<64x16xf32>
    %10 = math.exp2 %9 : vector<64x16xf32>
    %11 = arith.truncf %10 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %11, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// 3. Left alone: a bias of f32 or bf16, whose quotient may be infinite where it is
// not; the number of a mask, whose quotient is infinite; a product in front of a loop;
// the maximum of products; scores that are results themselves; products that threads
// wait for.

// CHECK-LABEL: func @negative
// CHECK-COUNT-2: arith.addf
// CHECK-LABEL: func @negative_mask
// CHECK: arith.mulf %{{.+}}, %{{.+}} fastmath<reassoc>
// CHECK: arith.addf
// CHECK-LABEL: func @negative_loop
// CHECK: vector.contract
// CHECK: scf.for
// CHECK-NOT: vector.contract
// CHECK: arith.addf
// CHECK: vector.contract
// CHECK: arith.addf
// CHECK-LABEL: func @negative_result
// CHECK: arith.addf
// CHECK-LABEL: func @negative_sync
// CHECK: arith.addf
func.func @negative(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %single: vector<64x16xf32>, %bias: vector<64x16xbf16>, %p: memref<64x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %2 = arith.addf %1, %single : vector<64x16xf32>
    %3 = math.exp2 %2 : vector<64x16xf32>
    %4 = arith.truncf %3 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %4, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    %5 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %6 = arith.mulf %5, %scale : vector<64x16xf32>
    %7 = arith.extf %bias : vector<64x16xbf16> to vector<64x16xf32>
    %8 = arith.addf %6, %7 : vector<64x16xf32>
    %9 = math.exp2 %8 : vector<64x16xf32>
    %10 = arith.truncf %9 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %10, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

func.func @negative_mask(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %hidden: vector<64x16xi1>, %p: memref<64x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %least = arith.constant dense<-3.40282347E+38> : vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %number = arith.uitofp %hidden : vector<64x16xi1> to vector<64x16xf32>
    %2 = arith.mulf %number, %least fastmath<reassoc> : vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    %4 = math.exp2 %3 : vector<64x16xf32>
    %5 = arith.truncf %4 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %5, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

func.func @negative_loop(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %bias: vector<64x16xf16>, %n: index, %p: memref<64x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    scf.for %i = %c0 to %n step %c1 {
      %2 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
      %3 = arith.addf %1, %2 : vector<64x16xf32>
      %4 = math.exp2 %3 : vector<64x16xf32>
      %5 = arith.truncf %4 : vector<64x16xf32> to vector<64x16xf16>
      vector.transfer_write %5, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    }
    %6 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %7 = arith.mulf %6, %scale : vector<64x16xf32>
    %8 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %9 = arith.addf %7, %8 : vector<64x16xf32>
    %10 = math.exp2 %9 : vector<64x16xf32>
    %11 = arith.truncf %10 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %11, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

func.func @negative_result(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %bias: vector<64x16xf16>, %p: memref<64x16xf16>, %scores: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %2 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    vector.transfer_write %3, %scores[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
    %4 = math.exp2 %3 : vector<64x16xf32>
    %5 = arith.truncf %4 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %5, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

func.func @negative_sync(%q: vector<64x32xf16>, %k: vector<16x32xf16>, %bias: vector<64x16xf16>, %p: memref<64x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %zeros = arith.constant dense<0.0> : vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %scale = arith.constant dense<0.25> : vector<64x16xf32>
    %1 = arith.mulf %0, %scale : vector<64x16xf32>
    %2 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    %4 = math.exp2 %3 : vector<64x16xf32>
    %5 = arith.truncf %4 : vector<64x16xf32> to vector<64x16xf16>
    vector.transfer_write %5, %p[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf16>, memref<64x16xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "sync"}}
  return
}
