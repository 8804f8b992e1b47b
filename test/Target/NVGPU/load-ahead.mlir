// RUN: linalg-ext-opt %s --linalg-ext-gpu-pipeline-loops --canonicalize --cse \
// RUN:   --split-input-file | FileCheck %s

// Bytes that are converted are loaded an iteration ahead, those after the first product, too, if
// they are few; nothing is read for a loop without iterations, or behind the last one.

// CHECK-LABEL: @ahead
//  CHECK-SAME:   (%[[K:[^:]*]]: memref<?x32xi8>, %[[V:[^:]*]]: memref<?x32xi8>, %[[N:[^:]*]]: index
//   CHECK-DAG:   %[[ZEROS:.*]] = arith.constant dense<0> : vector<2xi32>
//   CHECK-DAG:   %[[C16:.*]] = arith.constant 16 : index
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//       CHECK:   %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %[[C0]]
//       CHECK:   %[[FIRST:.*]]:2 = scf.if %[[ANY]]
//       CHECK:     %[[L:.*]] = vector.load %[[K]][%[[C0]], %{{.*}}]
//       CHECK:     vector.bitcast %[[L]] : vector<8xi8> to vector<2xi32>
//       CHECK:     vector.load %[[V]][%[[C0]], %{{.*}}]
//       CHECK:   else
//       CHECK:     scf.yield %[[ZEROS]], %[[ZEROS]]
//       CHECK:   scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[WORDS:.*]] = %[[FIRST]]#0, %[[LATER:.*]] = %[[FIRST]]#1)
//   CHECK-DAG:     %[[NEXT:.*]] = arith.addi %[[I]], %[[C16]]
//   CHECK-DAG:     %[[EXISTS:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
//   CHECK-DAG:     %[[AT:.*]] = arith.select %[[EXISTS]], %[[NEXT]], %[[I]]
//   CHECK-DAG:     %[[LOADED:.*]] = vector.load %[[K]][%[[AT]], %{{.*}}]
//   CHECK-DAG:     %[[AHEAD:.*]] = vector.bitcast %[[LOADED]] : vector<8xi8> to vector<2xi32>
//   CHECK-DAG:     %[[NOW:.*]] = vector.bitcast %[[WORDS]] : vector<2xi32> to vector<8xi8>
//   CHECK-DAG:     %[[VALUES:.*]] = vector.bitcast %[[LATER]] : vector<2xi32> to vector<8xi8>
//   CHECK-DAG:     %[[THEN:.*]] = vector.load %[[V]][%[[AT]], %{{.*}}]
//   CHECK-DAG:     %[[AFTER:.*]] = vector.bitcast %[[THEN]] : vector<8xi8> to vector<2xi32>
//       CHECK:     arith.sitofp %[[NOW]]
//       CHECK:     nvgpu.mma.sync
//   CHECK-NOT:     vector.load
//       CHECK:     arith.sitofp %[[VALUES]]
//       CHECK:     scf.yield %{{.*}}, %[[AHEAD]], %[[AFTER]]
func.func @ahead(%k: memref<?x32xi8>, %v: memref<?x32xi8>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x32xi8>, vector<8xi8>
    %1 = arith.sitofp %0 : vector<8xi8> to vector<8xf16>
    %2 = vector.extract_strided_slice %1 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %3 = vector.shape_cast %2 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %5 = vector.load %v[%i, %x] : memref<?x32xi8>, vector<8xi8>
    %6 = arith.sitofp %5 : vector<8xi8> to vector<8xf16>
    %7 = vector.extract_strided_slice %6 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %8 = vector.shape_cast %7 : vector<4xf16> to vector<2x2xf16>
    %9 = nvgpu.mma.sync(%a, %8, %4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %9 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Of two iterations, the last one would load in vain: they become one after the other, behind
// all loads, also those of scales.

// CHECK-LABEL: @two_iterations
//  CHECK-SAME:   (%[[K:[^:]*]]: memref<?x32xi8>, %[[S:[^:]*]]: memref<?xf16>
//   CHECK-NOT:   scf.for
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C16:.*]] = arith.constant 16 : index
//       CHECK:   %[[K0:.*]] = vector.load %[[K]][%[[C0]], %[[C0]]]
//       CHECK:   %[[S0:.*]] = memref.load %[[S]][%[[C0]]]
//       CHECK:   %[[K1:.*]] = vector.load %[[K]][%[[C16]], %[[C0]]]
//       CHECK:   %[[S1:.*]] = memref.load %[[S]][%[[C16]]]
//       CHECK:   arith.sitofp %[[K0]]
//       CHECK:   vector.broadcast %[[S0]]
//       CHECK:   %[[SUM:.*]] = nvgpu.mma.sync
//       CHECK:   arith.sitofp %[[K1]]
//       CHECK:   vector.broadcast %[[S1]]
//       CHECK:   nvgpu.mma.sync(%{{.*}}, %{{.*}}, %[[SUM]])
func.func @two_iterations(%k: memref<?x32xi8>, %s: memref<?xf16>, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %c32 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %c0] : memref<?x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %scale = memref.load %s[%i] : memref<?xf16>
    %scales = vector.broadcast %scale : f16 to vector<4xf16>
    %scaled = arith.mulf %1, %scales : vector<4xf16>
    %2 = vector.shape_cast %scaled : vector<4xf16> to vector<2x2xf16>
    %3 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %3 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Elements of 16 bits, such as scales, are carried in pairs; one of 32 bits is loaded at the
// start.

// CHECK-LABEL: @scale
//  CHECK-SAME:   (%{{[^:]*}}: memref<?x32xi8>, %[[S:[^:]*]]: memref<?xf16>, %[[T:[^:]*]]: memref<?xf32>
//       CHECK:   %[[FIRST:.*]]:2 = scf.if
//       CHECK:     %[[S0:.*]] = memref.load %[[S]]
//       CHECK:     %[[PAIR:.*]] = vector.broadcast %[[S0]] : f16 to vector<2xf16>
//       CHECK:     vector.bitcast %[[PAIR]] : vector<2xf16> to vector<1xi32>
//       CHECK:   scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[FIRST]]#0, %[[WORDS:.*]] = %[[FIRST]]#1)
//   CHECK-DAG:     %[[CARRIED:.*]] = vector.bitcast %[[WORDS]] : vector<1xi32> to vector<2xf16>
//   CHECK-DAG:     vector.extract %[[CARRIED]][0]
//   CHECK-DAG:     %[[AT:.*]] = arith.select
//   CHECK-DAG:     memref.load %[[S]][%[[AT]]]
//   CHECK-DAG:     memref.load %[[T]][%[[I]]]
//       CHECK:     arith.sitofp
//       CHECK:     nvgpu.mma.sync
func.func @scale(%k: memref<?x32xi8>, %s: memref<?xf16>, %t: memref<?xf32>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %scale = memref.load %s[%i] : memref<?xf16>
    %scales = vector.broadcast %scale : f16 to vector<4xf16>
    %scaled = arith.mulf %1, %scales : vector<4xf16>
    %wide = memref.load %t[%i] : memref<?xf32>
    %factors = vector.broadcast %wide : f32 to vector<2x2xf32>
    %2 = vector.shape_cast %scaled : vector<4xf16> to vector<2x2xf16>
    %3 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %4 = arith.mulf %3, %factors : vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Of more bytes, those after the first product are loaded at the start.

// CHECK-LABEL: @many_bytes
//  CHECK-SAME:   (%{{[^:]*}}: memref<?x256xi8>, %[[V:[^:]*]]: memref<?x256xi8>
//       CHECK:   scf.for %[[I:[a-z0-9]*]] = {{.*}} -> (vector<2x2xf32>, vector<32xi32>)
//       CHECK:     vector.load %[[V]][%[[I]], %{{.*}}]
//       CHECK:     nvgpu.mma.sync
//   CHECK-NOT:     vector.load
func.func @many_bytes(%k: memref<?x256xi8>, %v: memref<?x256xi8>, %n: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %c0] : memref<?x256xi8>, vector<128xi8>
    %1 = arith.sitofp %0 : vector<128xi8> to vector<128xf16>
    %2 = vector.extract_strided_slice %1 {offsets = [4], sizes = [4], strides = [1]} : vector<128xf16> to vector<4xf16>
    %3 = vector.shape_cast %2 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %5 = vector.load %v[%i, %c0] : memref<?x256xi8>, vector<4xi8>
    %6 = arith.sitofp %5 : vector<4xi8> to vector<4xf16>
    %7 = vector.shape_cast %6 : vector<4xf16> to vector<2x2xf16>
    %8 = nvgpu.mma.sync(%a, %7, %4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %8 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Rows of f16, maybe in a branch, are loaded ahead with bytes. Two of four iterations become one:
// the second one has what the first one loads in registers of its own.

// CHECK-LABEL: @rows
//  CHECK-SAME:   (%[[K:[^:]*]]: memref<64x32xi8>, %[[X:[^:]*]]: memref<64x8xf16>, %{{[^:]*}}: index, %[[HAS:[^:]*]]: i1
//   CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
//       CHECK:   vector.load %[[K]]
//       CHECK:   scf.if %[[HAS]]
//       CHECK:     vector.load %[[X]]
//       CHECK:   scf.for {{.*}} step %[[C32]] iter_args(%{{.*}} = %{{.*}}, %[[WORDS:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<2x2xf32>, vector<1xi32>, vector<2xi32>)
//       CHECK:     %[[NOW:.*]] = vector.bitcast %[[WORDS]]
//       CHECK:     %[[THEN:.*]] = vector.load %[[K]]
//       CHECK:     scf.if %[[HAS]]
//       CHECK:       vector.load %[[X]]
//       CHECK:     arith.sitofp %[[NOW]]
//       CHECK:     nvgpu.mma.sync
//       CHECK:     %[[LAST:.*]] = vector.load %[[K]]
//       CHECK:     %[[NEXT:.*]] = vector.bitcast %[[LAST]]
//       CHECK:     scf.if %[[HAS]]
//       CHECK:       vector.load %[[X]]
//       CHECK:     arith.sitofp %[[THEN]]
//       CHECK:     nvgpu.mma.sync
//   CHECK-NOT:     vector.load
//       CHECK:     scf.yield %{{.*}}, %[[NEXT]], %{{.*}}
func.func @rows(%k: memref<64x32xi8>, %rows: memref<64x8xf16>, %x: index, %has: i1) -> vector<2x2xf32> {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : vector<4xf16>
  %zeros = arith.constant dense<0.0> : vector<4x2xf16>
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<64x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %2 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %3 = scf.if %has -> (vector<4xf16>) {
      %5 = vector.load %rows[%i, %c0] : memref<64x8xf16>, vector<4xf16>
      scf.yield %5 : vector<4xf16>
    } else {
      scf.yield %none : vector<4xf16>
    }
    %4 = vector.shape_cast %3 : vector<4xf16> to vector<2x2xf16>
    %a = vector.insert_strided_slice %4, %zeros {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf16> into vector<4x2xf16>
    %6 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %6 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// The first loads are in front of what is copied to workgroup memory, and of the barrier behind
// that. Of five iterations, the last one is behind the loop.

// CHECK-LABEL: @over_copies
//  CHECK-SAME:   (%[[K:[^:]*]]: memref<80x32xi8>, %[[S:[^:]*]]: memref<80xf16>
//       CHECK:   vector.load %[[K]]
//       CHECK:   %[[SCALE:.*]] = memref.load %[[S]]
//       CHECK:   memref.store %[[SCALE]], %{{.*}} : memref<80xf16, #gpu.address_space<workgroup>>
//       CHECK:   gpu.barrier
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
// CHECK-COUNT-2:   nvgpu.mma.sync
//       CHECK:   }
// CHECK-COUNT-1: nvgpu.mma.sync
//   CHECK-NOT:   nvgpu.mma.sync
//       CHECK:   return

// What is written to global memory may be what is loaded.

// CHECK-LABEL: @negative_over_writes
//       CHECK:   memref.store
//       CHECK:   gpu.barrier
//       CHECK:   vector.load
//       CHECK:   scf.for
func.func @over_copies(%k: memref<80x32xi8>, %s: memref<80xf16>, %x: index, %a: vector<4x2xf16>, %t: memref<80xf16, #gpu.address_space<workgroup>>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c80 = arith.constant 80 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %element = memref.load %s[%x] : memref<80xf16>
  memref.store %element, %t[%x] : memref<80xf16, #gpu.address_space<workgroup>>
  gpu.barrier
  %r = scf.for %i = %c0 to %c80 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %scale = memref.load %t[%i] : memref<80xf16, #gpu.address_space<workgroup>>
    %scales = vector.broadcast %scale : f16 to vector<4xf16>
    %0 = vector.load %k[%i, %x] : memref<80x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %2 = arith.mulf %1, %scales : vector<4xf16>
    %3 = vector.shape_cast %2 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}
func.func @negative_over_writes(%k: memref<64x32xi8>, %x: index, %a: vector<4x2xf16>, %byte: i8) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  memref.store %byte, %k[%x, %x] : memref<64x32xi8>
  gpu.barrier
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<64x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %3 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// What is loaded may depend on what other threads have written to workgroup memory.

// CHECK-LABEL: @negative_over_pages
//   CHECK-NOT:   vector.load
//       CHECK:   memref.store
//       CHECK:   gpu.barrier
//       CHECK:   %[[PAGE:.*]] = memref.load
//       CHECK:   vector.load %{{.*}}[%{{.*}}, %[[PAGE]]]
//       CHECK:   scf.for
func.func @negative_over_pages(%k: memref<80x32xi8>, %pages: memref<80xindex>, %x: index, %a: vector<4x2xf16>, %t: memref<80xindex, #gpu.address_space<workgroup>>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c80 = arith.constant 80 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %element = memref.load %pages[%x] : memref<80xindex>
  memref.store %element, %t[%x] : memref<80xindex, #gpu.address_space<workgroup>>
  gpu.barrier
  %page = memref.load %t[%c0] : memref<80xindex, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c80 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %page] : memref<80x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %2 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %3 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %3 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// A branch with an index that the loop carries stays.

// CHECK-LABEL: @negative_branch
//       CHECK:   scf.for {{.*}} -> (vector<2x2xf32>, index, vector<1xi32>)
//       CHECK:     scf.if
//       CHECK:       vector.load
func.func @negative_branch(%k: memref<?x32xi8>, %rows: memref<64x8xf16>, %n: index, %x: index, %has: i1) -> vector<2x2xf32> {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : vector<4xf16>
  %zeros = arith.constant dense<0.0> : vector<4x2xf16>
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r:2 = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z, %at = %c0) -> (vector<2x2xf32>, index) {
    %0 = vector.load %k[%i, %x] : memref<?x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    %2 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %3 = scf.if %has -> (vector<4xf16>) {
      %5 = vector.load %rows[%at, %c0] : memref<64x8xf16>, vector<4xf16>
      scf.yield %5 : vector<4xf16>
    } else {
      scf.yield %none : vector<4xf16>
    }
    %4 = vector.shape_cast %3 : vector<4xf16> to vector<2x2xf16>
    %a = vector.insert_strided_slice %4, %zeros {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf16> into vector<4x2xf16>
    %6 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %next = arith.addi %at, %c1 : index
    scf.yield %6, %next : vector<2x2xf32>, index
  }
  return %r#0 : vector<2x2xf32>
}

// -----

// A loop that writes global memory, and elements of 16 bits.

// CHECK-LABEL: @negative_writes
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
//       CHECK:     vector.store
func.func @negative_writes(%k: memref<?x32xi8>, %h: memref<?x32xf16>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x32xi8>, vector<4xi8>
    %1 = arith.sitofp %0 : vector<4xi8> to vector<4xf16>
    vector.store %1, %h[%i, %x] : memref<?x32xf16>, vector<4xf16>
    %3 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// CHECK-LABEL: @negative_halves
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
//       CHECK:     vector.load
func.func @negative_halves(%k: memref<?x32xf16>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %1 = vector.load %k[%i, %x] : memref<?x32xf16>, vector<4xf16>
    %3 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Threads that wait for each other in the loop.

// CHECK-LABEL: @negative_barrier
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
//       CHECK:     vector.load
func.func @negative_barrier(%k: memref<?x32xi8>, %n: index, %x: index, %a: vector<4x2xf16>,
                            %s: memref<256xf16, #gpu.address_space<workgroup>>) -> vector<2x2xf32> {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x32xi8>, vector<8xi8>
    %1 = arith.sitofp %0 : vector<8xi8> to vector<8xf16>
    gpu.barrier
    vector.store %1, %s[%x] : memref<256xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier
    %2 = vector.load %s[%c0] : memref<256xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %3 = vector.shape_cast %2 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Words of 32 bits that integers are unpacked from are loaded ahead, as bytes are, and with them a
// word of zero points.

// CHECK-LABEL: @words
//  CHECK-SAME:   (%[[W:[^:]*]]: memref<?x32xi32>, %[[Z:[^:]*]]: memref<?xi32>, %[[N:[^:]*]]: index
//       CHECK:   %[[FIRST:.*]]:2 = scf.if
//       CHECK:     vector.load %[[W]]
//       CHECK:     memref.load %[[Z]]
//       CHECK:   scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[WORDS:.*]] = %[[FIRST]]#0, %[[ZEROS:.*]] = %[[FIRST]]#1)
//   CHECK-DAG:     %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]]
//   CHECK-DAG:     %[[AHEAD:.*]] = vector.load %[[W]][%[[AT]], %{{.*}}]
//   CHECK-DAG:     %[[NEXT:.*]] = memref.load %[[Z]][%[[AT]]]
//       CHECK:     arith.shrsi
//       CHECK:     nvgpu.mma.sync
func.func @words(%w: memref<?x32xi32>, %zp: memref<?xi32>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %shift = arith.constant dense<[0, 16, 4, 20]> : vector<4xi32>
  %c15 = arith.constant dense<15> : vector<4xi32>
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %w[%i, %x] : memref<?x32xi32>, vector<4xi32>
    %1 = arith.shrsi %0, %shift : vector<4xi32>
    %2 = arith.andi %1, %c15 : vector<4xi32>
    %3 = memref.load %zp[%i] : memref<?xi32>
    %m = vector.broadcast %3 : i32 to vector<4xi32>
    %4 = arith.shrui %m, %shift : vector<4xi32>
    %5 = arith.subi %2, %4 : vector<4xi32>
    %6 = arith.sitofp %5 : vector<4xi32> to vector<4xf16>
    %7 = vector.shape_cast %6 : vector<4xf16> to vector<2x2xf16>
    %8 = nvgpu.mma.sync(%a, %7, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %8 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Numbers that are converted as they are, are no packed words.

// CHECK-LABEL: @negative_whole_words
//   CHECK-NOT:   scf.if
//       CHECK:   scf.for
func.func @negative_whole_words(%w: memref<?x32xi32>, %n: index, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %w[%i, %x] : memref<?x32xi32>, vector<4xi32>
    %1 = arith.sitofp %0 : vector<4xi32> to vector<4xf16>
    %2 = vector.shape_cast %1 : vector<4xf16> to vector<2x2xf16>
    %3 = nvgpu.mma.sync(%a, %2, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %3 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Operands of 16 bits that are loaded 16 bytes at a time are loaded an iteration ahead, too, and
// two iterations become one.

// CHECK-LABEL: @wide_operands
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<?x64xf16>
//       CHECK:   %[[FIRST:.*]] = vector.load %[[A]]
//       CHECK:   scf.for
//       CHECK:     vector.load %[[A]]
//       CHECK:     nvgpu.mma.sync
//       CHECK:     vector.load %[[A]]
//       CHECK:     nvgpu.mma.sync
//       CHECK:     scf.yield
func.func @wide_operands(%k: memref<?x64xf16>, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x64xf16>, vector<8xf16>
    %2 = vector.extract_strided_slice %0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %3 = vector.shape_cast %2 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// Narrower loads stay where they are.

// CHECK-LABEL: @negative_narrow_operands
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
//       CHECK:     vector.load
//       CHECK:     nvgpu.mma.sync
//   CHECK-NOT:     vector.load
//       CHECK:     scf.yield
func.func @negative_narrow_operands(%k: memref<?x64xf16>, %x: index, %a: vector<4x2xf16>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %z) -> vector<2x2xf32> {
    %0 = vector.load %k[%i, %x] : memref<?x64xf16>, vector<4xf16>
    %3 = vector.shape_cast %0 : vector<4xf16> to vector<2x2xf16>
    %4 = nvgpu.mma.sync(%a, %3, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %4 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}
