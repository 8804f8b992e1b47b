// Transposes of 160x160: one block each, through 100 KiB of shared memory, more
// than a block has statically. The second allocation must not overlap the first.
func.func @transpose_160(%x: memref<?x160x160xf32>, %out: memref<?x160x160xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c160 = arith.constant 160 : index
  %n = memref.dim %x, %c0 : memref<?x160x160xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c160, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k160 = arith.constant 160 : index
    %tile = memref.alloc() : memref<160x160xf32, #gpu.address_space<workgroup>>
    %row = memref.alloc() : memref<160xf32, #gpu.address_space<workgroup>>
    scf.for %i = %k0 to %k160 step %k1 {
      %v = memref.load %x[%bx, %i, %tx] : memref<?x160x160xf32>
      memref.store %v, %tile[%i, %tx] : memref<160x160xf32, #gpu.address_space<workgroup>>
    }
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %row[%tx] : memref<160xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.for %i = %k0 to %k160 step %k1 {
      %v = memref.load %tile[%tx, %i] : memref<160x160xf32, #gpu.address_space<workgroup>>
      %z = memref.load %row[%i] : memref<160xf32, #gpu.address_space<workgroup>>
      %s = arith.addf %v, %z : f32
      memref.store %s, %out[%bx, %i, %tx] : memref<?x160x160xf32>
    }
    memref.dealloc %tile : memref<160x160xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
