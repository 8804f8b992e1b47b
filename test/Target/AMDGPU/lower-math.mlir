// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=gfx942},gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=gfx942},gpu.module(linalg-ext-gpu-lower-math{contract=false exact-division=true}))' | FileCheck %s --check-prefix=EXACT
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=gfx942},gpu.module(linalg-ext-gpu-lower-math,convert-scf-to-cf,linalg-ext-gpu-convert-kernels))' | FileCheck %s --check-prefix=ROCDL

// Nothing calls a library.
// ROCDL:     llvm.func @exp(
// ROCDL-NOT: llvm.call @

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @exp
  // CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %[[LOG2E]] fastmath<contract> : f32
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.exp2.f32"(%[[X]]) : (f32) -> f32
  // EXACT-LABEL: gpu.func @exp
  // EXACT: arith.mulf %{{.*}}, %{{.*}} : f32
  gpu.func @exp(%x: f32, %out: memref<f32>) kernel {
    %r = math.exp %x fastmath<afn> : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // By a polynomial otherwise.
  // CHECK-LABEL: gpu.func @exact_exp
  // CHECK-NOT: exp2
  // CHECK-COUNT-2: arith.shli
  // CHECK: gpu.return
  gpu.func @exact_exp(%x: f32, %out: memref<f32>) kernel {
    %r = math.exp %x : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @instructions
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.exp2.f32"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.rsq.f32"
  // CHECK: llvm.call_intrinsic "llvm.log2.f32"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.sqrt.f32"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.fdiv.fast"
  // EXACT-LABEL: gpu.func @instructions
  // EXACT: arith.divf
  gpu.func @instructions(%x: f32, %y: bf16, %out: memref<f32>, %narrow: memref<bf16>) kernel {
    %a = math.exp2 %x : f32
    %b = math.rsqrt %a : f32
    %c = math.log2 %y : bf16
    %d = math.sqrt %b fastmath<afn> : f32
    %e = arith.divf %d, %x : f32
    memref.store %e, %out[] : memref<f32>
    memref.store %c, %narrow[] : memref<bf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @functions
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.rcp.f32"
  // CHECK-NOT: math.tanh
  // CHECK-NOT: math.erf
  // CHECK-NOT: math.sin
  // CHECK-NOT: math.powf
  // CHECK: gpu.return
  gpu.func @functions(%x: vector<2xf32>, %out: memref<vector<2xf32>>) kernel {
    %a = math.tanh %x : vector<2xf32>
    %b = math.erf %a : vector<2xf32>
    %c = math.sin %b : vector<2xf32>
    %d = math.powf %c, %x : vector<2xf32>
    %e = math.log1p %d : vector<2xf32>
    %f = math.atan2 %e, %x : vector<2xf32>
    memref.store %f, %out[] : memref<vector<2xf32>>
    gpu.return
  }

  // LLVM has no remainder of bf16. That of f32 is exact.
  // CHECK-LABEL: gpu.func @remainder
  // CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[Y:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[R:.*]] = arith.remf %[[X]], %[[Y]] : f32
  // CHECK: arith.truncf %[[R]] : f32 to bf16
  // CHECK: arith.remf %{{.*}}, %{{.*}} : f16
  gpu.func @remainder(%x: bf16, %y: bf16, %z: f16, %w: f16, %out: memref<bf16>, %half: memref<f16>) kernel {
    %0 = arith.remf %x, %y : bf16
    memref.store %0, %out[] : memref<bf16>
    %1 = arith.remf %z, %w : f16
    memref.store %1, %half[] : memref<f16>
    gpu.return
  }
}
