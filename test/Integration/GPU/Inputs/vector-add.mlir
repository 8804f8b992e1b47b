// Sums of two buffers of any size: one element per thread, 256 threads.
func.func @vector_add(%a: memref<?xf32>, %b: memref<?xf32>,
                      %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %out, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
