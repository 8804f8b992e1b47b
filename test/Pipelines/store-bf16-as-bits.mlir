// RUN: linalg-ext-opt %s --linalg-ext-finish-llvm --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-finish-llvm)' --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @move
// CHECK-NOT: bf16
// CHECK: llvm.mlir.constant(dense<[16256, 16384]> : vector<2xi16>) : vector<2xi16>
// CHECK: llvm.mlir.constant(16256 : i16) : i16
// CHECK: llvm.select %{{.*}} : i1, vector<2xi16>
// CHECK-NOT: bf16
llvm.func @move(%p: !llvm.ptr, %c: i1) -> bf16 {
  %0 = llvm.mlir.constant(dense<[1.0, 2.0]> : vector<2xbf16>) : vector<2xbf16>
  %1 = llvm.mlir.constant(1.0 : bf16) : bf16
  %2 = llvm.load %p : !llvm.ptr -> vector<2xbf16>
  %3 = llvm.select %c, %0, %2 : i1, vector<2xbf16>
  llvm.store %3, %p : vector<2xbf16>, !llvm.ptr
  llvm.return %1 : bf16
}

// -----

// CHECK-LABEL: llvm.func @negative_add
// CHECK: llvm.fadd {{.*}} : bf16
llvm.func @negative_add(%a: bf16, %b: bf16) -> bf16 {
  %0 = llvm.fadd %a, %b : bf16
  llvm.return %0 : bf16
}

// -----

// CHECK-LABEL: func @negative_complex
// CHECK: dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<bf16>>
func.func @negative_complex() -> tensor<4xcomplex<bf16>> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<bf16>>
  return %0 : tensor<4xcomplex<bf16>>
}
