// RUN: linalg-ext-opt %s --linalg-ext-nvgpu-register-workarounds=workarounds=keep-branches | FileCheck %s

gpu.module @kernels {
  // Both regions call functions: LLVM leaves the calls where they are.

  // CHECK-LABEL: gpu.func @both
  // CHECK: scf.if
  // CHECK: llvm.call_intrinsic
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", ""
  // CHECK-NEXT: scf.yield
  // CHECK: else
  // CHECK: llvm.call_intrinsic
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", ""
  // CHECK-NEXT: scf.yield
  gpu.func @both(%p: i1, %x: f32, %i: index, %out: memref<?xf32>) kernel {
    %r = scf.if %p -> (f32) {
      %y = arith.mulf %x, %x : f32
      %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%y) : (f32) -> f32
      scf.yield %a : f32
    } else {
      %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
      scf.yield %a : f32
    }
    memref.store %r, %out[%i] : memref<?xf32>
    gpu.return
  }

  // One region does, or nothing is yielded.

  // CHECK-LABEL: gpu.func @negative
  // CHECK-NOT: llvm.inline_asm
  // CHECK: gpu.return
  gpu.func @negative(%p: i1, %x: f32, %out: memref<f32>) kernel {
    %r = scf.if %p -> (f32) {
      %y = arith.mulf %x, %x : f32
      scf.yield %y : f32
    } else {
      %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
      scf.yield %a : f32
    }
    scf.if %p {
      %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%r) : (f32) -> f32
      memref.store %a, %out[] : memref<f32>
    } else {
      %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
      memref.store %a, %out[] : memref<f32>
    }
    gpu.return
  }
}
