// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' --split-input-file --verify-diagnostics
// RUN: not linalg-ext-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels{index-bitwidth=16}))' 2>&1 | FileCheck %s
// CHECK: error: expected an index-bitwidth of 32 or 64, got 16

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @other(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
    // expected-error @+1 {{cannot be converted to ROCDL: 'linalg.copy'}}
    linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    gpu.return
  }
}

// -----

// expected-error-re @+1 {{unknown chip: expected one of gfx90a, {{.*}}, got 'gfx900'}}
gpu.module @unknown_chip [#rocdl.target<chip = "gfx900">] {
}

// -----

// gfx1100 has no MFMA.
gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  gpu.func @mfma(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>, %out: memref<vector<4xf32>>) kernel {
    // expected-error @+2 {{MFMA only supported on gfx908+}}
    // expected-error @+1 {{failed to legalize operation 'amdgpu.mfma'}}
    %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %d, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// -----

// A buffer that no pass has given a place: malloc on the GPU.
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @allocation(%out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected code that needs no library and allocates no memory, got a call of 'malloc'}}
    %t = memref.alloc() : memref<4xf32>
    %v = memref.load %t[%c0] : memref<4xf32>
    memref.store %v, %out[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @wide_float(%x: memref<4xf80>, %y: memref<4xf80>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected floats of at most 64 bits, got 'f80'}}
    %v = memref.load %x[%c0] : memref<4xf80>
    memref.store %v, %y[%c0] : memref<4xf80>
    gpu.return
  }
}
