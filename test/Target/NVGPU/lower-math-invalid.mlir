// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @f64(%x: f64, %out: memref<f64>) kernel {
    // expected-error @+1 {{'math.erf' op has no lowering without a library: expected f16, bf16 or f32, got 'f64'}}
    %r = math.erf %x : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @ipowi_of_index(%x: index, %n: index, %out: memref<index>) kernel {
    // expected-error @+1 {{'math.ipowi' op has no lowering without a library: expected an integer with a width, got 'index'}}
    %r = math.ipowi %x, %n : index
    memref.store %r, %out[] : memref<index>
    gpu.return
  }
}
