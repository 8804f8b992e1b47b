// A constant, a strided argument, and a branch of which one is launched.
func.func @memory(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>, %out: memref<?x4xf32>, %twice: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %table = memref.get_global @table : memref<4xf32>
  %m = memref.dim %a, %c0 : memref<?x4xf32, strided<[?, 1], offset: ?>>
  scf.if %twice {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %x = memref.load %a[%bx, %tx] : memref<?x4xf32, strided<[?, 1], offset: ?>>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%bx, %tx] : memref<?x4xf32>
      gpu.terminator
    }
  } else {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %x = memref.load %a[%bx, %tx] : memref<?x4xf32, strided<[?, 1], offset: ?>>
      %w = memref.load %table[%tx] : memref<4xf32>
      %y = arith.mulf %x, %w : f32
      memref.store %y, %out[%bx, %tx] : memref<?x4xf32>
      gpu.terminator
    }
  }
  return
}
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, -2.0, 0.5, 3.0]>
