// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s

// Words of 4 bytes: two integers are the fractions of numbers around 1024 at a time.

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @zero_point
  //   CHECK-DAG: %[[HALVES:.*]] = arith.constant dense<983055> : vector<1xi32>
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1677747200> : vector<1xi32>
  //   CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<1.032000e+03> : vector<2xf16>
  //       CHECK: %[[LOW:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
  //       CHECK: %[[HIGH:.*]] = arith.shrui %[[LOW]], %{{.*}} : vector<1xi32>
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 4, 4] : vector<4xi8>, vector<4xi8>
  //       CHECK: arith.andi %{{.*}}, %[[HALVES]] : vector<1xi32>
  //       CHECK: arith.ori %{{.*}}, %[[ONE]] : vector<1xi32>
  //       CHECK: arith.subf %{{.*}}, %[[OFFSET]] : vector<2xf16>
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [3, 3, 7, 7] : vector<4xi8>, vector<4xi8>
  //   CHECK-NOT: arith.sitofp
  gpu.func @zero_point(%x: vector<4xi8>, %out: memref<vector<8xf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.subi %2, %c8 : vector<8xi8>
    %4 = arith.sitofp %3 : vector<8xi8> to vector<8xf16>
    memref.store %4, %out[] : memref<vector<8xf16>>
    gpu.return
  }

  // Signed integers: the sign is flipped in all of a word. bf16 has fewer bits.

  // CHECK-LABEL: gpu.func @signed_bf16
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1124090624> : vector<1xi32>
  //   CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-2004318072> : vector<1xi32>
  //   CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<1.360000e+02> : vector<2xbf16>
  //       CHECK: arith.xori %{{.*}}, %[[SIGNS]] : vector<1xi32>
  //       CHECK: arith.ori %{{.*}}, %[[ONE]] : vector<1xi32>
  //       CHECK: arith.subf %{{.*}}, %[[OFFSET]] : vector<2xbf16>
  gpu.func @signed_bf16(%x: vector<4xi8>, %out: memref<vector<8xbf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.xori %2, %c8 : vector<8xi8>
    %4 = arith.subi %3, %c8 : vector<8xi8>
    %5 = arith.sitofp %4 : vector<8xi8> to vector<8xbf16>
    memref.store %5, %out[] : memref<vector<8xbf16>>
    gpu.return
  }

  // High halves first, and what is below 0 as an unsigned integer.

  // CHECK-LABEL: gpu.func @negative_other_orders
  //   CHECK-NOT: arith.andi %{{.*}} : vector<1xi32>
  gpu.func @negative_other_orders(%x: vector<4xi8>, %out: memref<vector<8xf16>>) kernel {
    %high = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0]> : vector<8xi8>
    %low = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %high : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xf16>
    memref.store %3, %out[] : memref<vector<8xf16>>
    %4 = arith.shrui %0, %low : vector<8xi8>
    %5 = arith.andi %4, %c15 : vector<8xi8>
    %6 = arith.subi %5, %c8 : vector<8xi8>
    %7 = arith.uitofp %6 : vector<8xi8> to vector<8xf16>
    memref.store %7, %out[] : memref<vector<8xf16>>
    gpu.return
  }
}
