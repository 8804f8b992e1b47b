// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels --linalg-ext-gpu-kernel-abi --split-input-file --verify-diagnostics

func.func @layout(%a: memref<8xf32, strided<[2]>>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected buffers with the identity layout as kernel arguments, got 'memref<8xf32, strided<[2]>>'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<8xf32, strided<[2]>>
    memref.store %v, %a[%tx] : memref<8xf32, strided<[2]>>
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

func.func @scalar(%a: memref<8xi1>, %b: i1) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected buffers, index, floats and integers of 8, 16, 32 or 64 bits as kernel arguments, got 'i1'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %b, %a[%tx] : memref<8xi1>
    gpu.terminator
  }
  return
}
