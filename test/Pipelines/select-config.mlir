// RUN: linalg-ext-opt %s --linalg-ext-select-config --split-input-file --verify-diagnostics | FileCheck %s

// With four subgroups: rows are shared as far as they go, then columns.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @rows
// CHECK:         vector.contract {{.*}} subgroups = [4, 1]
// CHECK:         vector.contract {{.*}} subgroups = [2, 2]
// CHECK:         vector.contract {{.*}} subgroups = [1, 4]
func.func @rows(%a: memref<64x16xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %zero2 = arith.constant dense<0.0> : vector<32x64xf32>
    %zero1 = arith.constant dense<0.0> : vector<16x64xf32>
    %b = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<64x16xf16>, vector<16x64xf16>
    %x4 = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %x2 = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16>, vector<32x16xf16>
    %x1 = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16>, vector<16x16xf16>
    %d4 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x4, %b, %zero : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
    %d2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x2, %b, %zero2 : vector<32x16xf16>, vector<16x64xf16> into vector<32x64xf32>
    %d1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x1, %b, %zero1 : vector<16x16xf16>, vector<16x64xf16> into vector<16x64xf32>
    vector.transfer_write %d4, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    vector.transfer_write %d2, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<64x64xf32>
    vector.transfer_write %d1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// 80 columns are 10 of an instruction: two subgroups share them, the others do
// the same.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @few_columns
// CHECK:         vector.contract {{.*}} subgroups = [1, 2]
func.func @few_columns(%a: memref<16x16xf16>, %b: memref<16x80xf16>, %c: memref<16x80xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x80xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x80xf16>, vector<16x80xf16>
    %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<16x16xf16>, vector<16x80xf16> into vector<16x80xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x80xf32>, memref<16x80xf32>
    gpu.terminator
  }
  return
}

// -----

// A vector is a matrix of equal rows, or columns; of the result one is taken.

// CHECK-LABEL: func @vectors
// CHECK:         %[[A:.*]] = vector.broadcast %{{.*}} : vector<16xf16> to vector<16x16xf16>
// CHECK:         %[[R:.*]] = vector.contract {{.*}} %[[A]], %{{.*}} : vector<16x16xf16>, vector<32x16xf16> into vector<16x32xf32>
// CHECK:         vector.multi_reduction <maximumf>, %[[R]], %{{.*}} [0] : vector<16x32xf32> to vector<32xf32>
// CHECK:         %[[B:.*]] = vector.broadcast %{{.*}} : vector<16xf16> to vector<8x16xf16>
// CHECK:         %[[R:.*]] = vector.contract {{.*}} %{{.*}}, %[[B]], %{{.*}} : vector<32x16xf16>, vector<8x16xf16> into vector<8x32xf32>
// CHECK:         vector.multi_reduction <maximumf>, %[[R]], %{{.*}} [0] : vector<8x32xf32> to vector<32xf32>
func.func @vectors(%a: memref<16xf16>, %b: memref<32x16xf16>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %x = vector.transfer_read %a[%c0], %h {in_bounds = [true]} : memref<16xf16>, vector<16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %d = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<16xf16>, vector<32x16xf16> into vector<32xf32>
    %e = vector.contract {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %y, %x, %d : vector<32x16xf16>, vector<16xf16> into vector<32xf32>
    vector.transfer_write %e, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Of f32 threads do the products; each has columns next to each other where these
// are next to each other in memory. What a contraction has computed stays in
// registers. Tensor cores are there for whoever asks.
// RUN: linalg-ext-opt %s --linalg-ext-select-config=f32-products=tf32x3 --split-input-file | FileCheck %s --check-prefix=TF32
// RUN: not linalg-ext-opt %s --linalg-ext-select-config=f32-products=bf16 --split-input-file 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: invalid option 'f32-products': expected fma, tf32 or tf32x3, got 'bf16'

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @f32
// CHECK:         vector.contract {{.*}}intrinsic = "fma.m4n8k4.f32", subgroups = [4, 1], promote = [true, true]
// CHECK:         vector.contract {{.*}}intrinsic = "fma.m4n32k4.f32", subgroups = [4, 1], promote = [false, true]
// TF32-LABEL: func @f32
// TF32-COUNT-2:  vector.contract {{.*}}intrinsic = "mma.sync.m16n8k8.f32.tf32x3"
func.func @f32(%a: memref<64x32xf32>, %c: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %f = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %zero2 = arith.constant dense<0.0> : vector<64x32xf32>
    %x = vector.transfer_read %a[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
    %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zero : vector<64x32xf32>, vector<64x32xf32> into vector<64x64xf32>
    %e = math.exp2 %d : vector<64x64xf32>
    %r = vector.contract {indexing_maps = [#lhs, #kn, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %e, %x, %zero2 : vector<64x64xf32>, vector<64x32xf32> into vector<64x32xf32>
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// What is only extended is an operand as it was.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @extended
// CHECK:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"{{.*}} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
func.func @extended(%a: memref<64x32xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %f = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    %y = arith.extf %x : vector<64x32xf16> to vector<64x32xf32>
    %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %y, %y, %zero : vector<64x32xf32>, vector<64x32xf32> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Where no matrix instruction takes the types, threads multiply rows of four.

// CHECK-LABEL: func @vectors_f32
// CHECK:         vector.contract {{.*}}intrinsic = "fma.m4n8k4.f32"{{.*}} : vector<4x16xf32>, vector<32x16xf32> into vector<4x32xf32>
// CHECK:         vector.multi_reduction <maximumf>, {{.*}} [0] : vector<4x32xf32> to vector<32xf32>
func.func @vectors_f32(%a: memref<16xf32>, %b: memref<32x16xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %x = vector.transfer_read %a[%c0], %h {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
    %d = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<16xf32>, vector<32x16xf32> into vector<32xf32>
    vector.transfer_write %d, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Of sizes that no instruction divides it stays one.

// CHECK-LABEL: func @negative_vectors
// CHECK-NOT:     vector.broadcast
// CHECK:         vector.contract {{.*}} : vector<18xf32>, vector<32x18xf32> into vector<32xf32>
func.func @negative_vectors(%a: memref<18xf32>, %b: memref<32x18xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %x = vector.transfer_read %a[%c0], %h {in_bounds = [true]} : memref<18xf32>, vector<18xf32>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x18xf32>, vector<32x18xf32>
    // expected-remark @below {{is done one product at a time}}
    %d = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<18xf32>, vector<32x18xf32> into vector<32xf32>
    vector.transfer_write %d, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// A thread of this chip has 48 registers for results, of which it uses 32 or 16.
// The operand from outside of the loop would take 32 or 16 more. It is promoted
// if a subgroup uses each load for enough products: 32 rows and 32 columns, or 16
// and 64, but not 16 and 32.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @invariant
// CHECK: constant 128 : index
// CHECK: vector.contract {{.*}}promote = [true, true]
// CHECK: vector.contract {{.*}}promote = [true, true]
// CHECK: vector.contract {{.*}}promote = [false, true]
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"thread_registers" = 111>>} {
func.func @invariant(%q: memref<128x64xf16>, %k: memref<?x64xf16>, %q2: memref<64x128xf16>, %k2: memref<?x128xf16>, %out: memref<128x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %k, %c0 : memref<?x64xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<128x32xf32>
    %x = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<128x64xf16>, vector<128x64xf16>
    %r = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %y = vector.transfer_read %k[%i, %c0], %h {in_bounds = [true, true]} : memref<?x64xf16>, vector<32x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      scf.yield %s : vector<128x32xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<128x32xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<128x64xf16>, vector<64x64xf16>
    %r = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %y = vector.transfer_read %k[%i, %c0], %h {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %s : vector<64x64xf32>
    }
    %narrow = vector.extract %r[0] : vector<64xf32> from vector<64x64xf32>
    %wide = vector.shape_cast %narrow : vector<64xf32> to vector<2x32xf32>
    vector.transfer_write %wide, %out[%c0, %c0] {in_bounds = [true, true]} : vector<2x32xf32>, memref<128x32xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x32xf32>
    %x = vector.transfer_read %q2[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x128xf16>, vector<64x128xf16>
    %r = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %y = vector.transfer_read %k2[%i, %c0], %h {in_bounds = [true, true]} : memref<?x128xf16>, vector<32x128xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<64x128xf16>, vector<32x128xf16> into vector<64x32xf32>
      scf.yield %s : vector<64x32xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<128x32xf32>
    gpu.terminator
  }
  return
}
}

// -----

// A product that is all of its loop: subgroups share it such that least is loaded,
// and it has buffers for the copies of later iterations (of 512 cycles each).

// RUN: linalg-ext-opt %s --linalg-ext-select-config='max-buffers=4' --split-input-file | FileCheck %s --check-prefix=BUFFERS
// RUN: linalg-ext-opt %s --linalg-ext-select-config='max-buffers=4 buffers=3' --split-input-file | FileCheck %s --check-prefix=GIVEN

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @alone
// CHECK:         vector.contract {{.*}} subgroups = [2, 2]
// CHECK-NOT:     vector_ext.buffers
// BUFFERS-LABEL: func @alone
// BUFFERS:         vector_ext.buffers = 4 : i64
// GIVEN-LABEL: func @alone
// GIVEN:         vector_ext.buffers = 3 : i64
func.func @alone(%a: memref<128x?xf16>, %b: memref<?x128xf16>, %c: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c1 : memref<128x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<128x128xf32>
    %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (vector<128x128xf32>) {
      %x = vector.transfer_read %a[%c0, %k], %h {in_bounds = [true, true]} : memref<128x?xf16>, vector<128x32xf16>
      %y = vector.transfer_read %b[%k, %c0], %h {in_bounds = [true, true]} : memref<?x128xf16>, vector<32x128xf16>
      %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<128x32xf16>, vector<32x128xf16> into vector<128x128xf32>
      scf.yield %d : vector<128x128xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<128x128xf32>
    gpu.terminator
  }
  return
}

// -----

// Two products of the same rows, which are all of their loop, are shared and
// buffered as one of twice the columns is.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @same_rows
// CHECK:         vector.contract {{.*}} subgroups = [2, 2]
// CHECK:         vector.contract {{.*}} subgroups = [2, 2]
// BUFFERS-LABEL: func @same_rows
// BUFFERS:         vector_ext.buffers = 4 : i64
func.func @same_rows(%a: memref<128x?xf16>, %b: memref<?x64xf16>, %b2: memref<?x64xf16>, %c: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c1 : memref<128x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<128x64xf32>
    %sum:2 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %t = %zero) -> (vector<128x64xf32>, vector<128x64xf32>) {
      %x = vector.transfer_read %a[%c0, %k], %h {in_bounds = [true, true]} : memref<128x?xf16>, vector<128x32xf16>
      %y = vector.transfer_read %b[%k, %c0], %h {in_bounds = [true, true]} : memref<?x64xf16>, vector<32x64xf16>
      %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<128x32xf16>, vector<32x64xf16> into vector<128x64xf32>
      %y2 = vector.transfer_read %b2[%k, %c0], %h {in_bounds = [true, true]} : memref<?x64xf16>, vector<32x64xf16>
      %d2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y2, %t : vector<128x32xf16>, vector<32x64xf16> into vector<128x64xf32>
      scf.yield %d, %d2 : vector<128x64xf32>, vector<128x64xf32>
    }
    %product = arith.mulf %sum#0, %sum#1 : vector<128x64xf32>
    vector.transfer_write %product, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x64xf32>, memref<128x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Of 64 rows each copy has 24 KiB: 48 KiB of two iterations are enough to wait for,
// if there may be more than two workgroups for each processor.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// BUFFERS-LABEL: func @few_rows
// BUFFERS:         vector_ext.buffers = 3 : i64
func.func @few_rows(%a: memref<64x?xf16>, %b: memref<?x128xf16>, %c: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c1 : memref<64x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x128xf32>
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> (vector<64x128xf32>) {
      %x = vector.transfer_read %a[%c0, %k], %h {in_bounds = [true, true]} : memref<64x?xf16>, vector<64x64xf16>
      %y = vector.transfer_read %b[%k, %c0], %h {in_bounds = [true, true]} : memref<?x128xf16>, vector<64x128xf16>
      %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %d : vector<64x128xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  }
  return
}

// -----

// One row in pieces: eight elements a thread.

// CHECK-LABEL: func @row
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256
func.func @row(%a: memref<?xf32>, %c: memref<2048xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c2048 = arith.constant 2048 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<2048xf32>
    %sum = scf.for %k = %c0 to %n step %c2048 iter_args(%s = %zeros) -> (vector<2048xf32>) {
      %x = vector.transfer_read %a[%k], %zero {in_bounds = [true]} : memref<?xf32>, vector<2048xf32>
      %y = arith.addf %x, %s : vector<2048xf32>
      scf.yield %y : vector<2048xf32>
    }
    vector.transfer_write %sum, %c[%c0] {in_bounds = [true]} : vector<2048xf32>, memref<2048xf32>
    gpu.terminator
  }
  return
}

// -----

// Two workgroups of 128 threads have the registers of a processor. With two
// buffers for tiles of 96 x 192 only one would fit into its shared memory, with
// one they do: the tiles take turns.

#qd = affine_map<(m, n, d) -> (m, d)>
#nd = affine_map<(m, n, d) -> (n, d)>
#mn = affine_map<(m, n, d) -> (m, n)>

// BUFFERS-LABEL: func @chain
// BUFFERS:         vector_ext.buffers = 1 : i64
func.func @chain(%q: memref<64x192xf16>, %k: memref<?x192xf16>, %v: memref<?x192xf16>, %c: memref<64x192xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %k, %c0 : memref<?x192xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %none = arith.constant dense<0.0> : vector<64x96xf32>
    %zero = arith.constant dense<0.0> : vector<64x192xf32>
    %rows = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x192xf16>, vector<64x192xf16>
    %sum = scf.for %j = %c0 to %n step %step iter_args(%s = %zero) -> (vector<64x192xf32>) {
      %keys = vector.transfer_read %k[%j, %c0], %h {in_bounds = [true, true]} : memref<?x192xf16>, vector<96x192xf16>
      %values = vector.transfer_read %v[%j, %c0], %h {in_bounds = [true, true]} : memref<?x192xf16>, vector<96x192xf16>
      %p = vector.contract {indexing_maps = [#qd, #nd, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %rows, %keys, %none : vector<64x192xf16>, vector<96x192xf16> into vector<64x96xf32>
      %w = arith.truncf %p : vector<64x96xf32> to vector<64x96xf16>
      %t = vector.contract {indexing_maps = [#mn, #nd, #qd], iterator_types = ["parallel", "reduction", "parallel"], kind = #vector.kind<add>} %w, %values, %s : vector<64x96xf16>, vector<96x192xf16> into vector<64x192xf32>
      scf.yield %t : vector<64x192xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x192xf32>, memref<64x192xf32>
    gpu.terminator
  }
  return
}

// -----

// A thread has 128 words of the result: one buffer for the tile of each of the two
// contractions, though two would fit.

#qd = affine_map<(m, n, d) -> (m, d)>
#nd = affine_map<(m, n, d) -> (n, d)>
#mn = affine_map<(m, n, d) -> (m, n)>

// BUFFERS-LABEL: func @large_result
// BUFFERS:         vector_ext.buffers = 1 : i64
func.func @large_result(%q: memref<128x128xf16>, %k: memref<?x128xf16>, %v: memref<?x128xf16>, %c: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %k, %c0 : memref<?x128xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %none = arith.constant dense<0.0> : vector<128x32xf32>
    %zero = arith.constant dense<0.0> : vector<128x128xf32>
    %rows = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<128x128xf16>, vector<128x128xf16>
    %sum = scf.for %j = %c0 to %n step %step iter_args(%s = %zero) -> (vector<128x128xf32>) {
      %keys = vector.transfer_read %k[%j, %c0], %h {in_bounds = [true, true]} : memref<?x128xf16>, vector<32x128xf16>
      %values = vector.transfer_read %v[%j, %c0], %h {in_bounds = [true, true]} : memref<?x128xf16>, vector<32x128xf16>
      %p = vector.contract {indexing_maps = [#qd, #nd, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %rows, %keys, %none : vector<128x128xf16>, vector<32x128xf16> into vector<128x32xf32>
      %w = arith.truncf %p : vector<128x32xf32> to vector<128x32xf16>
      %t = vector.contract {indexing_maps = [#mn, #nd, #qd], iterator_types = ["parallel", "reduction", "parallel"], kind = #vector.kind<add>} %w, %values, %s : vector<128x32xf16>, vector<32x128xf16> into vector<128x128xf32>
      scf.yield %t : vector<128x128xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<128x128xf32>
    gpu.terminator
  }
  return
}

// -----

// Here it has 96.

#qd = affine_map<(m, n, d) -> (m, d)>
#nd = affine_map<(m, n, d) -> (n, d)>
#mn = affine_map<(m, n, d) -> (m, n)>

// BUFFERS-LABEL: func @negative_large_result
// BUFFERS:         vector_ext.buffers = 2 : i64
func.func @negative_large_result(%q: memref<128x96xf16>, %k: memref<?x96xf16>, %v: memref<?x96xf16>, %c: memref<128x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %k, %c0 : memref<?x96xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %none = arith.constant dense<0.0> : vector<128x64xf32>
    %zero = arith.constant dense<0.0> : vector<128x96xf32>
    %rows = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<128x96xf16>, vector<128x96xf16>
    %sum = scf.for %j = %c0 to %n step %step iter_args(%s = %zero) -> (vector<128x96xf32>) {
      %keys = vector.transfer_read %k[%j, %c0], %h {in_bounds = [true, true]} : memref<?x96xf16>, vector<64x96xf16>
      %values = vector.transfer_read %v[%j, %c0], %h {in_bounds = [true, true]} : memref<?x96xf16>, vector<64x96xf16>
      %p = vector.contract {indexing_maps = [#qd, #nd, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %rows, %keys, %none : vector<128x96xf16>, vector<64x96xf16> into vector<128x64xf32>
      %w = arith.truncf %p : vector<128x64xf32> to vector<128x64xf16>
      %t = vector.contract {indexing_maps = [#mn, #nd, #qd], iterator_types = ["parallel", "reduction", "parallel"], kind = #vector.kind<add>} %w, %values, %s : vector<128x64xf16>, vector<64x96xf16> into vector<128x96xf32>
      scf.yield %t : vector<128x96xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x96xf32>, memref<128x96xf32>
    gpu.terminator
  }
  return
}

// -----

// So is a piece of rows that are added up, ...

// CHECK-LABEL: func @rows_merged
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256
func.func @rows_merged(%a: memref<?x16x128xf32>, %c: memref<16x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?x16x128xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<16x128xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zeros) -> (vector<16x128xf32>) {
      %x = vector.transfer_read %a[%k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<?x16x128xf32>, vector<16x128xf32>
      %y = arith.addf %x, %s : vector<16x128xf32>
      scf.yield %y : vector<16x128xf32>
    }
    vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x128xf32>, memref<16x128xf32>
    gpu.terminator
  }
  return
}

// -----

// ... but not one whose rows are reduced.

// CHECK-LABEL: func @negative_rows_reduced
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c128
func.func @negative_rows_reduced(%a: memref<?x16x128xf32>, %c: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?x16x128xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<16xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %x = vector.transfer_read %a[%k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<?x16x128xf32>, vector<16x128xf32>
      %y = vector.multi_reduction <add>, %x, %s [1] : vector<16x128xf32> to vector<16xf32>
      scf.yield %y : vector<16xf32>
    }
    vector.transfer_write %sum, %c[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    gpu.terminator
  }
  return
}

// -----

// A row that is read once is held: 32 elements a thread. If it is reduced, others
// are read afterwards.

// CHECK-LABEL: func @row_held
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256
func.func @row_held(%a: memref<8192xf32>, %c: memref<8192xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %x = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<8192xf32>, vector<8192xf32>
    %y = math.absf %x : vector<8192xf32>
    vector.transfer_write %y, %c[%c0] {in_bounds = [true]} : vector<8192xf32>, memref<8192xf32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @row_reduced
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256
func.func @row_reduced(%a: memref<8192xf32>, %b: memref<8192xf32>, %c: memref<8192xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %x = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<8192xf32>, vector<8192xf32>
    %square = arith.mulf %x, %x : vector<8192xf32>
    %sum = vector.reduction <add>, %square : vector<8192xf32> into f32
    %weight = vector.transfer_read %b[%c0], %zero {in_bounds = [true]} : memref<8192xf32>, vector<8192xf32>
    %scale = vector.broadcast %sum : f32 to vector<8192xf32>
    %scaled = arith.mulf %x, %scale : vector<8192xf32>
    %y = arith.mulf %scaled, %weight : vector<8192xf32>
    vector.transfer_write %y, %c[%c0] {in_bounds = [true]} : vector<8192xf32>, memref<8192xf32>
    gpu.terminator
  }
  return
}

// -----

// A right operand that is computed in the loop, and that subgroups share, goes
// through shared memory: each thread computes a part. One that is moved only does
// not, nor does one that nobody shares.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @computed_in_loop
// CHECK:         vector.contract {{.*}} subgroups = [4, 1], promote = [false, true]
// CHECK:         vector.contract {{.*}} subgroups = [4, 1], promote = [false, false]
// CHECK:         vector.contract {{.*}} subgroups = [1, 4], promote = [true, false]
func.func @computed_in_loop(%a: memref<?x16x64xf16>, %b: memref<?x16x64xf16>, %r: memref<?x64xf16>, %q: memref<64x16xf16>, %c: memref<64x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %zero1 = arith.constant dense<0.0> : vector<16x64xf32>
    %x = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %x1 = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x16xf16>, vector<16x16xf16>
    %d:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero, %u = %zero1) -> (vector<64x64xf32>, vector<64x64xf32>, vector<16x64xf32>) {
      %y = vector.transfer_read %a[%i, %c0, %c0], %h {in_bounds = [true, true]} : memref<?x16x64xf16>, vector<16x64xf16>
      %z = vector.transfer_read %b[%i, %c0, %c0], %h {in_bounds = [true, true]} : memref<?x16x64xf16>, vector<16x64xf16>
      %w = vector.transfer_read %r[%i, %c0], %h {in_bounds = [true]} : memref<?x64xf16>, vector<64xf16>
      %yz = arith.mulf %y, %z : vector<16x64xf16>
      %wide = vector.broadcast %w : vector<64xf16> to vector<16x64xf16>
      %s1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %yz, %s : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
      %t1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %wide, %t : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
      %u1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x1, %yz, %u : vector<16x16xf16>, vector<16x64xf16> into vector<16x64xf32>
      scf.yield %s1, %t1, %u1 : vector<64x64xf32>, vector<64x64xf32>, vector<16x64xf32>
    }
    vector.transfer_write %d#0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    vector.transfer_write %d#1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    vector.transfer_write %d#2, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// What goes on from a result has its registers.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @goes_on
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c128
func.func @goes_on(%a: memref<128x16xf16>, %b: memref<16x32xf16>, %c: memref<128x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<128x32xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<128x16xf16>, vector<128x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<128x16xf16>, vector<16x32xf16> into vector<128x32xf32>
    %e = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %d : vector<128x16xf16>, vector<16x32xf16> into vector<128x32xf32>
    vector.transfer_write %e, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<128x32xf32>
    gpu.terminator
  }
  return
}
