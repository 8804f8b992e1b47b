// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s

// unittests/Codegen/Common/ExpandF8Test.cpp has the numbers.

// gfx942 converts its own formats, gfx950 those of OCP, gfx1100 none.
gpu.module @gfx942 [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @convert_942
  // CHECK: amdgpu.ext_packed_fp8
  // CHECK: amdgpu.packed_trunc_2xfp8
  // CHECK: arith.shli
  // CHECK-NOT: amdgpu.ext_packed_fp8
  // CHECK: gpu.return
  gpu.func @convert_942(%x: f8E4M3FNUZ, %y: f32, %z: f8E4M3FN, %a: memref<f32>, %b: memref<f8E5M2FNUZ>) kernel {
    %0 = arith.extf %x : f8E4M3FNUZ to f32
    memref.store %0, %a[] : memref<f32>
    %1 = arith.truncf %y : f32 to f8E5M2FNUZ
    memref.store %1, %b[] : memref<f8E5M2FNUZ>
    %2 = arith.extf %z : f8E4M3FN to f32
    memref.store %2, %a[] : memref<f32>
    gpu.return
  }
}
gpu.module @gfx950 [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @extend_950
  // CHECK: amdgpu.ext_packed_fp8
  gpu.func @extend_950(%x: f8E4M3FN, %a: memref<f32>) kernel {
    %0 = arith.extf %x : f8E4M3FN to f32
    memref.store %0, %a[] : memref<f32>
    gpu.return
  }
}
gpu.module @gfx1100 [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: gpu.func @extend_1100
  // CHECK-NOT: amdgpu.ext_packed_fp8
  // CHECK: gpu.return
  gpu.func @extend_1100(%x: f8E4M3FN, %a: memref<f32>) kernel {
    %0 = arith.extf %x : f8E4M3FN to f32
    memref.store %0, %a[] : memref<f32>
    gpu.return
  }
}
