// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-vector-ext=steps=mma | FileCheck %s

// CHECK-LABEL: @mfma(
// CHECK-SAME: %[[A:[^:]*]]: vector<4xf16>, %[[B:[^:]*]]: vector<4xf16>, %[[C:[^:]*]]: vector<4xf32>
// CHECK: amdgpu.mfma 16x16x16 %[[A]] * %[[B]] + %[[C]] blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
func.func @mfma(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = vector_ext.mma "mfma.m16n16k16.f32.f16" %a, %b, %c : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return %d : vector<4xf32>
}

// The transpose of a product is that of the transposes, in reverse.
// CHECK-LABEL: @transposed(
// CHECK-SAME: %[[A:[^:]*]]: vector<8xbf16>, %[[B:[^:]*]]: vector<8xbf16>, %[[C:[^:]*]]: vector<16xf32>
// CHECK: amdgpu.mfma 32x32x16 %[[B]] * %[[A]] + %[[C]] blgp = none
func.func @transposed(%a: vector<8xbf16>, %b: vector<8xbf16>, %c: vector<16xf32>) -> vector<16xf32> {
  %d = vector_ext.mma "mfma.m32n32k16.f32.bf16.interleaved.transposed" %a, %b, %c : vector<8xbf16>, vector<8xbf16>, vector<16xf32>
  return %d : vector<16xf32>
}

// Four instructions, which sum up one after the other.
// CHECK-LABEL: @f32(
// CHECK-SAME: %[[A:[^:]*]]: vector<4xf32>, %[[B:[^:]*]]: vector<4xf32>, %[[C:[^:]*]]: vector<4xf32>
// CHECK: %[[A0:.*]] = vector.extract %[[A]][0]
// CHECK: %[[B0:.*]] = vector.extract %[[B]][0]
// CHECK: %[[D0:.*]] = amdgpu.mfma 16x16x4 %[[A0]] * %[[B0]] + %[[C]] blgp = none : f32, f32, vector<4xf32>
// CHECK: amdgpu.mfma 16x16x4 %{{.*}} * %{{.*}} + %[[D0]]
// CHECK-COUNT-2: amdgpu.mfma 16x16x4
// CHECK-NOT: amdgpu.mfma
func.func @f32(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = vector_ext.mma "mfma.m16n16k16.f32.f32" %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: @wmma(
// CHECK-SAME: %[[A:[^:]*]]: vector<16xf16>, %[[B:[^:]*]]: vector<16xf16>
// CHECK: amdgpu.wmma 16x16x16 %[[B]] * %[[A]] + %{{.*}} : vector<16xf16>, vector<16xf16>, vector<8xf32>
func.func @wmma(%a: vector<16xf16>, %b: vector<16xf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = vector_ext.mma "wmma.m16n16k16.f32.f16.transposed" %a, %b, %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: @wmma_gfx12(
// CHECK: amdgpu.wmma 16x16x16 {{.*}} : vector<8xbf16>, vector<8xbf16>, vector<8xf32>
func.func @wmma_gfx12(%a: vector<8xbf16>, %b: vector<8xbf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = vector_ext.mma "wmma.gfx12.m16n16k16.f32.bf16" %a, %b, %c : vector<8xbf16>, vector<8xbf16>, vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: @fma(
// CHECK-COUNT-4: math.fma
func.func @fma(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<1xf32>) -> vector<1xf32> {
  %d = vector_ext.mma "fma.m4n8k4.f32" %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<1xf32>
  return %d : vector<1xf32>
}
