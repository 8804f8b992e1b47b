// RUN: linalg-ext-opt %s --linalg-ext-gpu-narrow-integers=steps=loops --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-narrow-integers{steps=loops,values},vector-ext-simplify{patterns=drop-assumes},convert-scf-to-cf,linalg-ext-gpu-convert-kernels))' \
// RUN:   | FileCheck %s --check-prefix=LLVM

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x64xf16, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// The loop and what it carries have 32 bits. A position that wraps has them because
// it is assumed to, and a remainder. The address of a row has 64 bits: the buffer has
// 64 GiB.

// CHECK-LABEL: gpu.func @kernel
// CHECK: %[[N:.*]] = vector_ext.assume %{{.*}} at_least 0 at_most 2147418112
// CHECK: %[[END:.*]] = arith.index_castui %[[N]] : index to i32
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %c0_i32{{.*}} to %[[END]] step %c64_i32{{.*}} iter_args(%[[P:.*]] = %c0_i32{{.*}}) -> (i32) : i32 {
// CHECK-DAG: %[[ROW:.*]] = arith.index_castui %[[I]] : i32 to index
// CHECK-DAG: %[[POSITION:.*]] = arith.index_castui %[[P]] : i32 to index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK: %[[NEXT:.*]] = arith.remui
// CHECK: %[[NARROW:.*]] = arith.index_castui %[[NEXT]] : index to i32
// CHECK: scf.yield %[[NARROW]] : i32
// CHECK: arith.index_castui %[[LOOP]] : i32 to index

// LLVM-LABEL: llvm.func @kernel
// LLVM: llvm.icmp "slt" %[[I:.*]], %{{.*}} : i32
// LLVM: %[[WIDE:.*]] = llvm.zext %[[I]] : i32 to i64
// LLVM: llvm.mul %[[WIDE]], %{{.*}} : i64
// LLVM: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f16
gpu.module @kernels {
  gpu.func @kernel(%map: !map, %out: memref<4194304x8192xf16>, %counts: memref<1xindex>, %size: i64, %value: f16) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %index = arith.index_cast %size : i64 to index
    %n = vector_ext.assume %index at_least 0 at_most 2147418112
    %last = scf.for %i = %c0 to %n step %c64 iter_args(%p = %c0) -> (index) {
      %position = vector_ext.assume %p at_least 0 at_most 1023
      memref.store %value, %out[%i, %position] : memref<4194304x8192xf16>
      %more = arith.addi %position, %c1 : index
      %next = arith.remui %more, %c1024 : index
      scf.yield %next : index
    }
    memref.store %last, %counts[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x64xf16, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// A negative size has no iteration: the comparison is known. A size that is not
// known, one that is too large for a step behind it, and one of a kernel without
// tensor maps stay.

// CHECK-LABEL: gpu.func @others
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %{{[a-z0-9_]+}} step %c64{{[a-z0-9_]*}} {
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %{{[a-z0-9_]+}} step %c64{{[a-z0-9_]*}} {
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: arith.select %[[FALSE]]
// CHECK-LABEL: gpu.func @no_maps
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %{{[a-z0-9_]+}} step %c64{{[a-z0-9_]*}} {
gpu.module @kernels {
  gpu.func @others(%map: !map, %out: memref<4294967296xf16>, %size: i64, %value: f16, %x: f16) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %index = arith.index_cast %size : i64 to index
    scf.for %i = %c0 to %index step %c64 {
      memref.store %value, %out[%i] : memref<4294967296xf16>
    }
    %n = vector_ext.assume %index at_least 0 at_most 2147483647
    scf.for %i = %c0 to %n step %c64 {
      memref.store %value, %out[%i] : memref<4294967296xf16>
    }
    %isNegative = arith.cmpi slt, %n, %c0 : index
    %other = arith.select %isNegative, %value, %x : f16
    memref.store %other, %out[%c0] : memref<4294967296xf16>
    gpu.return
  }
  gpu.func @no_maps(%out: memref<4294967296xf16>, %size: i64, %value: f16) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %index = arith.index_cast %size : i64 to index
    %n = vector_ext.assume %index at_least 0 at_most 1000
    scf.for %i = %c0 to %n step %c64 {
      memref.store %value, %out[%i] : memref<4294967296xf16>
    }
    gpu.return
  }
}
