// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-vector-ext=steps=mma | FileCheck %s

// Registers of 32 bits are rows of the operands.
// CHECK-LABEL: @f16(
// CHECK-SAME: %[[A:[^:]*]]: vector<8xf16>, %[[B:[^:]*]]: vector<4xf16>, %[[C:[^:]*]]: vector<4xf32>
// CHECK-DAG: %[[A2:.*]] = vector.shape_cast %[[A]] : vector<8xf16> to vector<4x2xf16>
// CHECK-DAG: %[[B2:.*]] = vector.shape_cast %[[B]] : vector<4xf16> to vector<2x2xf16>
// CHECK-DAG: %[[C2:.*]] = vector.shape_cast %[[C]] : vector<4xf32> to vector<2x2xf32>
// CHECK: %[[D2:.*]] = nvgpu.mma.sync(%[[A2]], %[[B2]], %[[C2]]) {mmaShape = [16, 8, 16]}
// CHECK: %[[D:.*]] = vector.shape_cast %[[D2]] : vector<2x2xf32> to vector<4xf32>
// CHECK: return %[[D]]
func.func @f16(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return %d : vector<4xf32>
}
