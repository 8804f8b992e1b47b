// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=gfx942},gpu.module(linalg-ext-gpu-lower-math))' --verify-diagnostics

gpu.module @kernels {
  gpu.func @f64(%x: f64, %out: memref<f64>) kernel {
    // expected-error @+1 {{'math.erf' op has no lowering without a library: expected f16, bf16 or f32, got 'f64'}}
    %r = math.erf %x : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }
}
