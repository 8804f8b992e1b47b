// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=fetch-lines}))' | FileCheck %s

// Iterations read along rows of bytes: the load in front of the loop, too.

// CHECK-LABEL: gpu.func @rows
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64, fetch} : memref<64x4096xi8>
//         CHECK: vector.load %{{.*}} : memref<64x4096xi8>, vector<4xi8>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%w: memref<64x4096xi8> {llvm.noalias, llvm.readonly}, %column: index, %x: vector<4x2xf16>, %y: vector<2x2xf16>, %z: vector<2x2xf32>, %out: memref<?xi8> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %first = vector.load %w[%column, %c0] {alignment = 16 : i64} : memref<64x4096xi8>, vector<16xi8>
    vector.store %first, %out[%c0] : memref<?xi8>, vector<16xi8>
    %sum = scf.for %i = %c0 to %c4096 step %c64 iter_args(%a = %z) -> (vector<2x2xf32>) {
      %0 = vector.load %w[%column, %i] {alignment = 16 : i64} : memref<64x4096xi8>, vector<16xi8>
      %1 = vector.load %w[%column, %i] {alignment = 4 : i64} : memref<64x4096xi8>, vector<4xi8>
      vector.store %0, %out[%i] : memref<?xi8>, vector<16xi8>
      vector.store %1, %out[%i] : memref<?xi8>, vector<4xi8>
      %2 = nvgpu.mma.sync(%x, %y, %a) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      scf.yield %2 : vector<2x2xf32>
    }
    %3 = vector.extract %sum[0, 0] : f32 from vector<2x2xf32>
    %4 = arith.fptosi %3 : f32 to i8
    memref.store %4, %out[%c0] : memref<?xi8>
    gpu.return
  }

  // Iterations read other rows, as those of a cache.

  // CHECK-LABEL: gpu.func @negative_tokens
  //   CHECK-NOT: fetch
  gpu.func @negative_tokens(%w: memref<?x4096xi8> {llvm.noalias, llvm.readonly}, %at: index, %x: vector<4x2xf16>, %y: vector<2x2xf16>, %z: vector<2x2xf32>, %out: memref<?xi8> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %sum = scf.for %i = %c0 to %c4096 step %c64 iter_args(%a = %z) -> (vector<2x2xf32>) {
      %0 = vector.load %w[%i, %at] {alignment = 16 : i64} : memref<?x4096xi8>, vector<16xi8>
      vector.store %0, %out[%i] : memref<?xi8>, vector<16xi8>
      %2 = nvgpu.mma.sync(%x, %y, %a) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      scf.yield %2 : vector<2x2xf32>
    }
    %3 = vector.extract %sum[0, 0] : f32 from vector<2x2xf32>
    %4 = arith.fptosi %3 : f32 to i8
    memref.store %4, %out[%c0] : memref<?xi8>
    gpu.return
  }

  // Memory that may be written, rows whose runs are in other rows, too, of an unknown
  // distance, and a loop that does not multiply.

  // CHECK-LABEL: gpu.func @negative_memory
  //   CHECK-NOT: fetch
  gpu.func @negative_memory(%w: memref<64x4096xi8> {llvm.noalias}, %short: memref<64x4000xi8> {llvm.noalias, llvm.readonly}, %unknown: memref<64x?xi8> {llvm.noalias, llvm.readonly}, %other: memref<64x4096xi8> {llvm.noalias, llvm.readonly}, %column: index, %x: vector<4x2xf16>, %y: vector<2x2xf16>, %z: vector<2x2xf32>, %out: memref<?xi8> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %sum = scf.for %i = %c0 to %c4096 step %c64 iter_args(%a = %z) -> (vector<2x2xf32>) {
      %0 = vector.load %w[%column, %i] {alignment = 16 : i64} : memref<64x4096xi8>, vector<16xi8>
      vector.store %0, %out[%i] : memref<?xi8>, vector<16xi8>
      %5 = vector.load %short[%column, %i] {alignment = 16 : i64} : memref<64x4000xi8>, vector<16xi8>
      vector.store %5, %out[%i] : memref<?xi8>, vector<16xi8>
      %6 = vector.load %unknown[%column, %i] {alignment = 16 : i64} : memref<64x?xi8>, vector<16xi8>
      vector.store %6, %out[%i] : memref<?xi8>, vector<16xi8>
      %2 = nvgpu.mma.sync(%x, %y, %a) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      scf.yield %2 : vector<2x2xf32>
    }
    scf.for %i = %c0 to %c4096 step %c64 {
      %0 = vector.load %other[%column, %i] {alignment = 16 : i64} : memref<64x4096xi8>, vector<16xi8>
      vector.store %0, %out[%i] : memref<?xi8>, vector<16xi8>
    }
    %3 = vector.extract %sum[0, 0] : f32 from vector<2x2xf32>
    %4 = arith.fptosi %3 : f32 to i8
    memref.store %4, %out[%c0] : memref<?xi8>
    gpu.return
  }
}
