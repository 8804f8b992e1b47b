// Functions of one number, each element by a thread, in f32 and f16.
func.func @exp_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.exp %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @exp_f16(%x: memref<?xf16>, %out: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf16>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf16>
      %r = math.exp %v : f16
      memref.store %r, %out[%i] : memref<?xf16>
    }
    gpu.terminator
  }
  return
}
func.func @exp2_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.exp2 %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @log_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.log %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @log_f16(%x: memref<?xf16>, %out: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf16>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf16>
      %r = math.log %v : f16
      memref.store %r, %out[%i] : memref<?xf16>
    }
    gpu.terminator
  }
  return
}
func.func @log2_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.log2 %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @rsqrt_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.rsqrt %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @sqrt_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.sqrt %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @tanh_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.tanh %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @tanh_f16(%x: memref<?xf16>, %out: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf16>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf16>
      %r = math.tanh %v : f16
      memref.store %r, %out[%i] : memref<?xf16>
    }
    gpu.terminator
  }
  return
}
func.func @erf_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.erf %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @sin_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.sin %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
func.func @cos_f32(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%bx, %tx)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = math.cos %v : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
