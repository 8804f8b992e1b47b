// max(x + bias, 0) in two kernels with a temporary buffer between them. The bias
// is that of a column.
func.func @bias_relu(%x: memref<?x?xf32>, %bias: memref<?xf32>,
                     %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %sum = memref.alloc(%m, %n) : memref<?x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %m, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %j = affine.apply affine_map<(b, t) -> (b * 128 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %j, %n : index
    scf.if %inside {
      %v = memref.load %x[%by, %j] : memref<?x?xf32>
      %b = memref.load %bias[%j] : memref<?xf32>
      %s = arith.addf %v, %b : f32
      memref.store %s, %sum[%by, %j] : memref<?x?xf32>
    }
    gpu.terminator
  }
  %total = arith.muli %m, %n : index
  %flat = memref.collapse_shape %sum [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %flatOut = memref.collapse_shape %out [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %flatBlocks = arith.ceildivui %total, %c128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %flatBlocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %i = affine.apply affine_map<(b, t) -> (b * 128 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %total : index
    scf.if %inside {
      %v = memref.load %flat[%i] : memref<?xf32>
      %r = arith.maximumf %v, %zero : f32
      memref.store %r, %flatOut[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  memref.dealloc %sum : memref<?x?xf32>
  return
}
