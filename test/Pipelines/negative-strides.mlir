// RUN: linalg-ext-opt %s --linalg-ext-finish-llvm | FileCheck %s

// An index times a negative stride is a large unsigned number.

// CHECK-LABEL: llvm.func @down(
// CHECK:         %[[DOWN:.*]] = llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK:         %[[UP:.*]] = llvm.mul %{{.*}}, %{{.*}} overflow<nsw, nuw> : i64
// CHECK:         %[[AT:.*]] = llvm.add %[[DOWN]], %[[UP]] overflow<nsw> : i64
// CHECK:         llvm.getelementptr inbounds %{{.*}}[%[[AT]]]
// CHECK:         llvm.getelementptr inbounds|nuw %{{.*}}[%[[UP]]]
llvm.func @down(%p: !llvm.ptr, %i: i64, %j: i64) -> f32 {
  %0 = llvm.mlir.constant(-10 : index) : i64
  %1 = llvm.mlir.constant(40 : index) : i64
  %2 = llvm.mul %i, %0 overflow<nsw, nuw> : i64
  %3 = llvm.mul %j, %1 overflow<nsw, nuw> : i64
  %4 = llvm.add %2, %3 overflow<nsw, nuw> : i64
  %5 = llvm.getelementptr inbounds|nuw %p[%4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %6 = llvm.load %5 : !llvm.ptr -> f32
  %7 = llvm.getelementptr inbounds|nuw %p[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %8 = llvm.load %7 : !llvm.ptr -> f32
  %9 = llvm.fadd %6, %8 : f32
  llvm.return %9 : f32
}
