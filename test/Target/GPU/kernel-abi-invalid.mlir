// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --split-input-file --verify-diagnostics

#odd = affine_map<(i) -> (i floordiv 2)>
func.func @layout(%a: memref<8xf32, #odd>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected buffers with strides as kernel arguments, got 'memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<8xf32, #odd>
    memref.store %v, %a[%tx] : memref<8xf32, #odd>
    gpu.terminator
  }
  return
}

// -----

func.func @space(%a: memref<8xf32, #gpu.address_space<workgroup>>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected buffers in global memory as kernel arguments, got 'memref<8xf32, #gpu.address_space<workgroup>>'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %v, %a[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @scalar(%a: memref<8xi4>, %b: i4) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected buffers, index, floats and integers of 1, 8, 16, 32 or 64 bits as kernel arguments, got 'i4'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %b, %a[%tx] : memref<8xi4>
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @kernel() attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @not_a_gpu_func() {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'gpu.launch_func' op expected a gpu.func as its kernel, got @kernels::@kernel}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
