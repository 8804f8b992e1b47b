// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline --linalg-ext-gpu-place-memory=steps=pool-workgroup-memory --split-input-file --verify-diagnostics

func.func @too_much(%out: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected at most 232448 bytes of workgroup memory, got 232576}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<1xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<58112xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @dynamic(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{expected workgroup memory of static shape with the identity layout, got 'memref<?xf32, #gpu.address_space<workgroup>>'}}
    %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @number() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{expected workgroup memory to be #gpu.address_space<workgroup>, got 'memref<4xf32, 3>'}}
    %a = memref.alloc() : memref<4xf32, 3>
    gpu.terminator
  }
  return
}

// -----

func.func @alignment() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{expected workgroup memory aligned to at most 1024 bytes, got 2048}}
    %a = memref.alloc() {alignment = 2048 : i64} : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @overlap() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
    // expected-error @+1 {{expected no other dynamic workgroup memory in a kernel with static allocations, which would overlap}}
    %b = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
