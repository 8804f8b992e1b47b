// The rows of lanes 2i and 2i + 1 change places, by shuffles of every width: less
// than a word, one, several, and such as leave bits over.
func.func @swap_f16(%x: memref<32x1xf16>, %out: memref<32x1xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%tx, %k0] : memref<32x1xf16>
    %r, %valid = gpu.shuffle xor %v, %one, %width : f16
    memref.store %r, %out[%tx, %k0] : memref<32x1xf16>
    gpu.terminator
  }
  return
}
func.func @swap_2xf16(%x: memref<32x2xf16>, %out: memref<32x2xf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = vector.load %x[%tx, %k0] : memref<32x2xf16>, vector<2xf16>
    %r, %valid = gpu.shuffle xor %v, %one, %width : vector<2xf16>
    vector.store %r, %out[%tx, %k0] : memref<32x2xf16>, vector<2xf16>
    gpu.terminator
  }
  return
}
func.func @swap_3xbf16(%x: memref<32x3xbf16>, %out: memref<32x3xbf16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = vector.load %x[%tx, %k0] : memref<32x3xbf16>, vector<3xbf16>
    %r, %valid = gpu.shuffle xor %v, %one, %width : vector<3xbf16>
    vector.store %r, %out[%tx, %k0] : memref<32x3xbf16>, vector<3xbf16>
    gpu.terminator
  }
  return
}
func.func @swap_4xf32(%x: memref<32x4xf32>, %out: memref<32x4xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = vector.load %x[%tx, %k0] : memref<32x4xf32>, vector<4xf32>
    %r, %valid = gpu.shuffle xor %v, %one, %width : vector<4xf32>
    vector.store %r, %out[%tx, %k0] : memref<32x4xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}
func.func @swap_f64(%x: memref<32x1xf64>, %out: memref<32x1xf64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%tx, %k0] : memref<32x1xf64>
    %r, %valid = gpu.shuffle xor %v, %one, %width : f64
    memref.store %r, %out[%tx, %k0] : memref<32x1xf64>
    gpu.terminator
  }
  return
}
func.func @swap_i8(%x: memref<32x1xi8>, %out: memref<32x1xi8>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%tx, %k0] : memref<32x1xi8>
    %r, %valid = gpu.shuffle xor %v, %one, %width : i8
    memref.store %r, %out[%tx, %k0] : memref<32x1xi8>
    gpu.terminator
  }
  return
}
func.func @swap_i64(%x: memref<32x1xi64>, %out: memref<32x1xi64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%tx, %k0] : memref<32x1xi64>
    %r, %valid = gpu.shuffle xor %v, %one, %width : i64
    memref.store %r, %out[%tx, %k0] : memref<32x1xi64>
    gpu.terminator
  }
  return
}
func.func @swap_16xi8(%x: memref<32x16xi8>, %out: memref<32x16xi8>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = vector.load %x[%tx, %k0] : memref<32x16xi8>, vector<16xi8>
    %r, %valid = gpu.shuffle xor %v, %one, %width : vector<16xi8>
    vector.store %r, %out[%tx, %k0] : memref<32x16xi8>, vector<16xi8>
    gpu.terminator
  }
  return
}
