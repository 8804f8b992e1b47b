// RUN: linalg-ext-opt %s --linalg-ext-gpu-place-memory=steps=check-workgroup-memory --split-input-file --verify-diagnostics

// Without a target, a workgroup may have 227 KiB. One behind a barrier behind the other: they share memory.

func.func @shared(%out: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<58112xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<58112xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%c0] : memref<58112xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %x, %b[%c0] : memref<58112xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @too_much(%out: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected at most 232448 bytes of workgroup memory, got 464896}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<58112xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<58112xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%c0] : memref<58112xf32, #gpu.address_space<workgroup>>
    memref.store %x, %b[%c0] : memref<58112xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.terminator
  }
  return
}
