// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-vector-ext=steps=mma --verify-diagnostics

// Without a target the instructions of all vendors are lowered. Distribution makes other
// ops of this one.
func.func @wgmma(%a: vector<8xf16>, %b: memref<512xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error @below {{'vector_ext.mma' op of 'wgmma.m64n8k16.f32.f16' is not an instruction of this target}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 32, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return %d : vector<4xf32>
}
