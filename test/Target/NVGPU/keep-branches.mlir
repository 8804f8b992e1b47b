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

  // A loop with 144 words of a thread has registers for functions in branches, and one with 152 has
  // none: 128 of sums, and 24 of weights.

  // CHECK-LABEL: gpu.func @carried
  // CHECK: scf.for {{.*}} -> (vector<120xf32>, vector<48xf16>)
  // CHECK-COUNT-2: llvm.inline_asm
  // CHECK: scf.for {{.*}} -> (vector<128xf32>, vector<48xf16>)
  // CHECK-NOT: llvm.inline_asm
  // CHECK: gpu.return
  gpu.func @carried(%p: i1, %x: f32, %n: index, %a: vector<120xf32>, %b: vector<128xf32>, %w: vector<48xf16>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %few:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %a, %rest = %w) -> (vector<120xf32>, vector<48xf16>) {
      %r = scf.if %p -> (f32) {
        %y = arith.mulf %x, %x : f32
        %f = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%y) : (f32) -> f32
        scf.yield %f : f32
      } else {
        %f = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
        scf.yield %f : f32
      }
      memref.store %r, %out[%i] : memref<?xf32>
      scf.yield %sum, %rest : vector<120xf32>, vector<48xf16>
    }
    %many:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %b, %rest = %w) -> (vector<128xf32>, vector<48xf16>) {
      %r = scf.if %p -> (f32) {
        %y = arith.mulf %x, %x : f32
        %f = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%y) : (f32) -> f32
        scf.yield %f : f32
      } else {
        %f = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
        scf.yield %f : f32
      }
      memref.store %r, %out[%i] : memref<?xf32>
      scf.yield %sum, %rest : vector<128xf32>, vector<48xf16>
    }
    gpu.return
  }
}
