// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-gpu-lower-vector-ext=steps=mma --verify-diagnostics

func.func @other_vendor(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+1 {{'vector_ext.mma' op of 'mma.sync.m16n8k16.f32.f16' is not an instruction of this target}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return %d : vector<4xf32>
}
