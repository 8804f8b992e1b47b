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

// Exchanged operands: the instruction computes the transposed product.
// CHECK-LABEL: @transposed(
// CHECK-SAME: %[[A:[^:]*]]: vector<4xf16>, %[[B:[^:]*]]: vector<8xf16>, %[[C:[^:]*]]: vector<4xf32>
// CHECK-DAG: %[[A2:.*]] = vector.shape_cast %[[A]] : vector<4xf16> to vector<2x2xf16>
// CHECK-DAG: %[[B2:.*]] = vector.shape_cast %[[B]] : vector<8xf16> to vector<4x2xf16>
// CHECK: nvgpu.mma.sync(%[[B2]], %[[A2]], %{{.*}}) {mmaShape = [16, 8, 16]}
func.func @transposed(%a: vector<4xf16>, %b: vector<8xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16.transposed" %a, %b, %c : vector<4xf16>, vector<8xf16>, vector<4xf32>
  return %d : vector<4xf32>
}

// Operands of 8 bits: words of four elements.
// CHECK-LABEL: @e4m3(
// CHECK-SAME: %[[A:[^:]*]]: vector<16xf8E4M3FN>, %[[B:[^:]*]]: vector<8xf8E4M3FN>, %[[C:[^:]*]]: vector<4xf32>
// CHECK-DAG: vector.bitcast %[[A]] : vector<16xf8E4M3FN> to vector<4xi32>
// CHECK-DAG: vector.bitcast %[[B]] : vector<8xf8E4M3FN> to vector<2xi32>
// CHECK: %[[D:.*]] = llvm.inline_asm has_side_effects {{.*}} "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};"
// CHECK: llvm.extractvalue %[[D]][3]
func.func @e4m3(%a: vector<16xf8E4M3FN>, %b: vector<8xf8E4M3FN>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %a, %b, %c : vector<16xf8E4M3FN>, vector<8xf8E4M3FN>, vector<4xf32>
  return %d : vector<4xf32>
}
