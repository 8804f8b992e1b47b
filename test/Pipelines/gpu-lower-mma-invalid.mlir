// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-mma --verify-diagnostics

// Without a target the instructions of all vendors are lowered. Distribution makes other
// ops of this one.
func.func @wgmma(%a: vector<8xf16>, %b: vector<1x128xf16>, %c: vector<4xf32>, %n: index) -> vector<4xf32> {
  // expected-error @below {{'vector_ext.mma' op of 'wgmma.m64n8k16.f32.f16' is not an instruction of this target}}
  %0 = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<1x128xf16>, vector<4xf32>
  return %0 : vector<4xf32>
}
