// The powers and remainders that kernels compute, interpreted before and after math is
// lowered.
//
// RUN: linalg-ext-simt-runner %s | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' -o %t
// RUN: not grep -E 'ipowi|remf .*bf16' %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s

// They wrap: 3^41 = 36472996377170786403, which is 2069870691 in 32 bits.
// CHECK:      [81, 1, -1, 1, 0, 0, 2069870691, 0]
// CHECK:      [-128, 27, 1, 0, -1, 1, 1, 64]
// CHECK:      [1, -1, 2, 1, 15, 14, 3, 0]
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @i32(%x: memref<8xi32>, %n: memref<8xi32>, %out: memref<8xi32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<8xi32>
    %b = memref.load %n[%i] : memref<8xi32>
    %r = math.ipowi %a, %b : i32
    memref.store %r, %out[%i] : memref<8xi32>
    gpu.return
  }
  gpu.func @rest(%x: memref<8xi32>, %n: memref<8xi32>, %out: memref<8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %a32 = vector.load %x[%c0] : memref<8xi32>, vector<8xi32>
    %b32 = vector.load %n[%c0] : memref<8xi32>, vector<8xi32>
    %a = arith.sitofp %a32 : vector<8xi32> to vector<8xbf16>
    %b = arith.sitofp %b32 : vector<8xi32> to vector<8xbf16>
    %r = arith.remf %a, %b : vector<8xbf16>
    %r32 = arith.fptosi %r : vector<8xbf16> to vector<8xi32>
    vector.store %r32, %out[%c0] : memref<8xi32>, vector<8xi32>
    gpu.return
  }
  gpu.func @i8(%x: memref<8xi32>, %n: memref<8xi32>, %out: memref<8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %a32 = vector.load %x[%c0] : memref<8xi32>, vector<8xi32>
    %b32 = vector.load %n[%c0] : memref<8xi32>, vector<8xi32>
    %a = arith.trunci %a32 : vector<8xi32> to vector<8xi8>
    %b = arith.trunci %b32 : vector<8xi32> to vector<8xi8>
    %r = math.ipowi %a, %b : vector<8xi8>
    %r32 = arith.extsi %r : vector<8xi8> to vector<8xi32>
    vector.store %r32, %out[%c0] : memref<8xi32>, vector<8xi32>
    gpu.return
  }
}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @rest(%x: vector<8xi32>, %n: vector<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %out = memref.alloc() : memref<8xi32>
  vector.store %x, %a[%c0] : memref<8xi32>, vector<8xi32>
  vector.store %n, %b[%c0] : memref<8xi32>, vector<8xi32>
  gpu.launch_func @kernels::@rest blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<8xi32>, %b : memref<8xi32>, %out : memref<8xi32>)
  %print = memref.cast %out : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  return
}
func.func private @run(%x: vector<8xi32>, %n: vector<8xi32>, %wide: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %out = memref.alloc() : memref<8xi32>
  vector.store %x, %a[%c0] : memref<8xi32>, vector<8xi32>
  vector.store %n, %b[%c0] : memref<8xi32>, vector<8xi32>
  scf.if %wide {
    gpu.launch_func @kernels::@i32 blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%a : memref<8xi32>, %b : memref<8xi32>, %out : memref<8xi32>)
  } else {
    gpu.launch_func @kernels::@i8 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<8xi32>, %b : memref<8xi32>, %out : memref<8xi32>)
  }
  %print = memref.cast %out : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %x0 = arith.constant dense<[-3, 0, -1, -1, 2, -2, 3, 2]> : vector<8xi32>
  %n0 = arith.constant dense<[4, 0, 7, -2147483648, -1, -3, 41, 32]> : vector<8xi32>
  call @run(%x0, %n0, %true) : (vector<8xi32>, vector<8xi32>, i1) -> ()
  %x1 = arith.constant dense<[-2, 3, -1, -5, -1, 1, -127, 8]> : vector<8xi32>
  %n1 = arith.constant dense<[7, 3, -128, -1, -3, -1, 2, 2]> : vector<8xi32>
  call @run(%x1, %n1, %false) : (vector<8xi32>, vector<8xi32>, i1) -> ()
  %x2 = arith.constant dense<[7, -7, 100, 1, 255, 254, 3, 8]> : vector<8xi32>
  %n2 = arith.constant dense<[3, 3, 7, 2, 16, -16, 5, 8]> : vector<8xi32>
  call @rest(%x2, %n2) : (vector<8xi32>, vector<8xi32>) -> ()
  return
}
}
