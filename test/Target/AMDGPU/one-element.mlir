// Vectors of one element are loaded as numbers: LLVM's AMDGPU backend (22.1.8) cannot select a
// `<1 x bfloat>` from a buffer resource that a shuffle widens.

// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s --check-prefix=KERNEL
// RUN: linalg-ext-compile %S/Inputs/few-columns.mlir --target=gfx950 --emit=isa --report=none --options='rows=16 columns=64 reduction=16 threads=64' | FileCheck %s --check-prefix=ISA
// ISA: v_mfma_f32_16x16x16_bf16

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // KERNEL-LABEL: llvm.func @one
  // KERNEL: %[[X:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> bf16
  // KERNEL: llvm.insertelement %[[X]], %{{.*}} : vector<1xbf16>
  gpu.func @one(%in: memref<8xbf16>, %i: index, %out: memref<vector<1xbf16>>) kernel {
    %x = vector.load %in[%i] {alignment = 2 : i64} : memref<8xbf16>, vector<1xbf16>
    memref.store %x, %out[] : memref<vector<1xbf16>>
    gpu.return
  }

  // The size of a row may be 1, too.
  // KERNEL-LABEL: llvm.func @one_row
  // KERNEL: llvm.load %{{.*}} : !llvm.ptr -> f16
  gpu.func @one_row(%in: memref<8x8xf16>, %i: index, %out: memref<f16>) kernel {
    %x = vector.load %in[%i, %i] : memref<8x8xf16>, vector<1x1xf16>
    %y = vector.extract %x[0, 0] : f16 from vector<1x1xf16>
    memref.store %y, %out[] : memref<f16>
    gpu.return
  }

  // KERNEL-LABEL: llvm.func @negative_two
  // KERNEL: llvm.load %{{.*}} : !llvm.ptr -> vector<2xbf16>
  gpu.func @negative_two(%in: memref<8xbf16>, %i: index, %out: memref<vector<2xbf16>>) kernel {
    %x = vector.load %in[%i] : memref<8xbf16>, vector<2xbf16>
    memref.store %x, %out[] : memref<vector<2xbf16>>
    gpu.return
  }

  // Memory of vectors is loaded as it is.
  // KERNEL-LABEL: llvm.func @negative_memory_of_vectors
  // KERNEL: llvm.load %{{.*}} : !llvm.ptr -> vector<1xbf16>
  gpu.func @negative_memory_of_vectors(%in: memref<8xvector<1xbf16>>, %i: index, %out: memref<vector<1xbf16>>) kernel {
    %x = vector.load %in[%i] : memref<8xvector<1xbf16>>, vector<1xbf16>
    memref.store %x, %out[] : memref<vector<1xbf16>>
    gpu.return
  }
}
