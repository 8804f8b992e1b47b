// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_80 --linalg-ext-gpu-lower-vector-ext=steps=mma --verify-diagnostics

// An instruction of another vendor.

func.func @mfma(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<16xf32>) -> vector<16xf32> {
  // expected-error @below {{'vector_ext.mma' op of 'mfma.m32n32k8.f32.f16' is not an instruction of this target}}
  %0 = vector_ext.mma "mfma.m32n32k8.f32.f16" %a, %b, %c : vector<4xf16>, vector<4xf16>, vector<16xf32>
  return %0 : vector<16xf32>
}
