// The transpose of a buffer of any size, by tiles of 32x32 through shared
// memory, padded by a column against bank conflicts: 256 threads per tile.
func.func @transpose(%x: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %gm = arith.ceildivsi %m, %c32 : index
  %gn = arith.ceildivsi %n, %c32 : index
  %tiles = arith.muli %gm, %gn : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %tiles, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c8, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k8 = arith.constant 8 : index
    %k32 = arith.constant 32 : index
    %tile = memref.alloc() : memref<32x33xf32, #gpu.address_space<workgroup>>
    %bi = arith.divui %bx, %gn : index
    %bj = arith.remui %bx, %gn : index
    scf.for %r = %k0 to %k32 step %k8 {
      %li = arith.addi %ty, %r : index
      %i = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bi, %li)
      %j = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bj, %tx)
      %in0 = arith.cmpi slt, %i, %m : index
      %in1 = arith.cmpi slt, %j, %n : index
      %in = arith.andi %in0, %in1 : i1
      scf.if %in {
        %v = memref.load %x[%i, %j] : memref<?x?xf32>
        memref.store %v, %tile[%li, %tx]
          : memref<32x33xf32, #gpu.address_space<workgroup>>
      }
    }
    gpu.barrier
    scf.for %r = %k0 to %k32 step %k8 {
      %lj = arith.addi %ty, %r : index
      %j = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bj, %lj)
      %i = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bi, %tx)
      %in0 = arith.cmpi slt, %i, %m : index
      %in1 = arith.cmpi slt, %j, %n : index
      %in = arith.andi %in0, %in1 : i1
      scf.if %in {
        %v = memref.load %tile[%tx, %lj]
          : memref<32x33xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%j, %i] : memref<?x?xf32>
      }
    }
    gpu.terminator
  }
  return
}
