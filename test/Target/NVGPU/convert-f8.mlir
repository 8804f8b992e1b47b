// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s

// unittests/Codegen/Common/ExpandF8Test.cpp has the numbers.

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Two at a time, to f16.
  // CHECK-LABEL: gpu.func @extend
  // CHECK: vector.bitcast %{{.*}} : vector<4xi8> to vector<2xi16>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.*}}) : (i16) -> vector<2xf16>
  // CHECK: arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
  gpu.func @extend(%x: vector<4xf8E4M3FN>, %out: memref<vector<4xf32>>) kernel {
    %r = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
    memref.store %r, %out[] : memref<vector<4xf32>>
    gpu.return
  }

  // Pairs of different words are put together as bytes before.
  // CHECK-LABEL: gpu.func @shuffled
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5] : vector<4xi8>, vector<4xi8>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 6, 3, 7] : vector<4xi8>, vector<4xi8>
  // CHECK-NOT: vector.shuffle {{.*}}f16>
  // CHECK: gpu.return
  gpu.func @shuffled(%x: vector<8xf8E4M3FN>, %out: memref<2xvector<4xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.extf %x : vector<8xf8E4M3FN> to vector<8xf16>
    %1 = vector.shuffle %0, %0 [0, 4, 1, 5] : vector<8xf16>, vector<8xf16>
    %2 = vector.shuffle %0, %0 [2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
    memref.store %1, %out[%c0] : memref<2xvector<4xf16>>
    memref.store %2, %out[%c1] : memref<2xvector<4xf16>>
    gpu.return
  }

  // What is used twice is converted once.
  // CHECK-LABEL: gpu.func @negative_shuffled_twice
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
  gpu.func @negative_shuffled_twice(%x: vector<8xi8>, %out: memref<2xvector<8xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.sitofp %x : vector<8xi8> to vector<8xf16>
    %1 = vector.shuffle %0, %0 [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
    %2 = vector.shuffle %0, %0 [2, 6, 3, 7, 0, 4, 1, 5] : vector<8xf16>, vector<8xf16>
    memref.store %1, %out[%c0] : memref<2xvector<8xf16>>
    memref.store %2, %out[%c1] : memref<2xvector<8xf16>>
    gpu.return
  }

  // What is too large gets the next code.
  // CHECK-LABEL: gpu.func @truncate
  // CHECK-COUNT-2: nvvm.convert.f32x2.to.f8x2 %{{.*}}, %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E5M2)
  // CHECK: arith.cmpf oge
  // CHECK: arith.addi %{{.*}}, %{{.*}} : vector<4xi8>
  gpu.func @truncate(%x: vector<4xf16>, %out: memref<vector<4xf8E5M2>>) kernel {
    %r = arith.truncf %x : vector<4xf16> to vector<4xf8E5M2>
    memref.store %r, %out[] : memref<vector<4xf8E5M2>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @truncate_clamped
  // CHECK: nvvm.convert.f32x2.to.f8x2
  // CHECK-NOT: arith.cmpf
  // CHECK: gpu.return
  gpu.func @truncate_clamped(%x: f32, %out: memref<f8E4M3FN>) kernel {
    %low = arith.constant -448.0 : f32
    %high = arith.constant 448.0 : f32
    %0 = arith.maxnumf %x, %low : f32
    %1 = arith.minnumf %0, %high : f32
    %r = arith.truncf %1 : f32 to f8E4M3FN
    memref.store %r, %out[] : memref<f8E4M3FN>
    gpu.return
  }

  // The instruction rounds to the nearest even number.
  // CHECK-LABEL: gpu.func @negative_toward_zero
  // CHECK-NOT: nvvm.convert
  // CHECK: arith.truncf %{{.*}} toward_zero : vector<4xf32> to vector<4xf8E4M3FN>
  gpu.func @negative_toward_zero(%x: vector<4xf32>, %out: memref<vector<4xf8E4M3FN>>) kernel {
    %r = arith.truncf %x toward_zero : vector<4xf32> to vector<4xf8E4M3FN>
    memref.store %r, %out[] : memref<vector<4xf8E4M3FN>>
    gpu.return
  }

  // Formats of AMD have no instructions.
  // CHECK-LABEL: gpu.func @expand
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: gpu.return
  gpu.func @expand(%x: f8E4M3FNUZ, %out: memref<f16>) kernel {
    %r = arith.extf %x : f8E4M3FNUZ to f16
    memref.store %r, %out[] : memref<f16>
    gpu.return
  }
}

// Older chips have none.
gpu.module @old [#nvvm.target<chip = "sm_86">] {
  // CHECK-LABEL: gpu.func @extend_old
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: gpu.return
  gpu.func @extend_old(%x: vector<4xf8E4M3FN>, %out: memref<vector<4xf32>>) kernel {
    %r = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
    memref.store %r, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}

// Integers of 8 bits become f16 by their bytes: 1024 + 128 + x, signed, has the byte 0x64
// beside x + 128.
gpu.module @integers [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @signed
  // CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<-128> : vector<4xi8>
  // CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<100> : vector<4xi8>
  // CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<1.152000e+03> : vector<4xf16>
  // CHECK: %[[X:.*]] = arith.xori %{{.*}}, %[[SIGN]] : vector<4xi8>
  // CHECK: %[[WORDS:.*]] = vector.shuffle %[[X]], %[[HIGH]] [0, 4, 1, 5, 2, 6, 3, 7]
  // CHECK: %[[SUM:.*]] = vector.bitcast %[[WORDS]] : vector<8xi8> to vector<4xf16>
  // CHECK: arith.subf %[[SUM]], %[[OFFSET]] : vector<4xf16>
  gpu.func @signed(%x: vector<4xi8>, %out: memref<vector<4xf16>>) kernel {
    %r = arith.sitofp %x : vector<4xi8> to vector<4xf16>
    memref.store %r, %out[] : memref<vector<4xf16>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @unsigned
  // CHECK-DAG: arith.constant dense<1.024000e+03> : vector<4xf16>
  // CHECK-NOT: arith.xori
  // CHECK: vector.shuffle
  // CHECK: gpu.return
  gpu.func @unsigned(%x: vector<2x2xi8>, %out: memref<vector<2x2xf16>>) kernel {
    %r = arith.uitofp %x : vector<2x2xi8> to vector<2x2xf16>
    memref.store %r, %out[] : memref<vector<2x2xf16>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_f32
  // CHECK: arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf32>
  gpu.func @negative_f32(%x: vector<4xi8>, %out: memref<vector<4xf32>>) kernel {
    %r = arith.sitofp %x : vector<4xi8> to vector<4xf32>
    memref.store %r, %out[] : memref<vector<4xf32>>
    gpu.return
  }
}
