// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s

// Words of 4 bytes: two integers are the fractions of numbers around 1024 at a time.

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @zero_point
  //   CHECK-DAG: %[[HALVES:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant 1677747200 : i32
  //   CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<1.032000e+03> : vector<2xf16>
  //       CHECK: %[[LOW:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
  //       CHECK: %[[HIGH:.*]] = arith.shrui %[[LOW]], %{{.*}} : vector<1xi32>
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 4, 4] : vector<4xi8>, vector<4xi8>
  // (word & %[[HALVES]]) | %[[ONE]]
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %{{.*}}, %[[HALVES]], %[[ONE]]
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

  // Signed integers: the constant flips the sign. bf16 has fewer bits.

  // CHECK-LABEL: gpu.func @signed_bf16
  //   CHECK-DAG: %[[HALVES:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant 1124614920 : i32
  //   CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<1.360000e+02> : vector<2xbf16>
  // (word & %[[HALVES]]) ^ %[[ONE]]
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %{{.*}}, %[[HALVES]], %[[ONE]]
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

  // Words of 32 bits are four bytes each: integers 4 apart take a mask, and no permutation. So
  // it is if they are truncated before the mask.

  // CHECK-LABEL: gpu.func @words
  //   CHECK-NOT: vector.shuffle
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0xEA;"
  //       CHECK: arith.subf
  //   CHECK-NOT: arith.sitofp
  //       CHECK: gpu.return
  gpu.func @words(%x: i32, %out: memref<vector<8xf16>>) kernel {
    %shift = arith.constant dense<[0, 16, 4, 20, 8, 24, 12, 28]> : vector<8xi32>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %0 = vector.from_elements %x, %x, %x, %x, %x, %x, %x, %x : vector<8xi32>
    %1 = arith.shrsi %0, %shift : vector<8xi32>
    %2 = arith.trunci %1 : vector<8xi32> to vector<8xi8>
    %3 = arith.andi %2, %c15 : vector<8xi8>
    %4 = arith.sitofp %3 : vector<8xi8> to vector<8xf16>
    memref.store %4, %out[] : memref<vector<8xf16>>
    gpu.return
  }

  // The same integers of two words take halves of both, for four pairs.

  // CHECK-LABEL: gpu.func @two_words
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi8>, vector<4xi8>
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7] : vector<4xi8>, vector<4xi8>
  //   CHECK-NOT: arith.uitofp
  //       CHECK: gpu.return
  gpu.func @two_words(%x: vector<2xi32>, %out: memref<vector<4xf16>>) kernel {
    %shift = arith.constant dense<[8, 8, 20, 20]> : vector<4xi32>
    %c15 = arith.constant dense<15> : vector<4xi32>
    %0 = vector.shuffle %x, %x [0, 1, 0, 1] : vector<2xi32>, vector<2xi32>
    %1 = arith.shrui %0, %shift : vector<4xi32>
    %2 = arith.andi %1, %c15 : vector<4xi32>
    %3 = arith.uitofp %2 : vector<4xi32> to vector<4xf16>
    memref.store %3, %out[] : memref<vector<4xf16>>
    gpu.return
  }

  // Shifts of 2 leave parts of two integers.

  // CHECK-LABEL: gpu.func @negative_other_shifts
  //       CHECK: arith.uitofp %{{.*}} : vector<4xi32> to vector<4xf16>
  gpu.func @negative_other_shifts(%x: vector<2xi32>, %out: memref<vector<4xf16>>) kernel {
    %shift = arith.constant dense<[2, 2, 20, 20]> : vector<4xi32>
    %c15 = arith.constant dense<15> : vector<4xi32>
    %0 = vector.shuffle %x, %x [0, 1, 0, 1] : vector<2xi32>, vector<2xi32>
    %1 = arith.shrui %0, %shift : vector<4xi32>
    %2 = arith.andi %1, %c15 : vector<4xi32>
    %3 = arith.uitofp %2 : vector<4xi32> to vector<4xf16>
    memref.store %3, %out[] : memref<vector<4xf16>>
    gpu.return
  }

  // Halves in another order, of two words.

  // CHECK-LABEL: gpu.func @other_orders
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi8>, vector<4xi8>
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi8>, vector<4xi8>
  //       CHECK: math.fma
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 1, 7, 7] : vector<4xi8>, vector<4xi8>
  //   CHECK-NOT: arith.uitofp
  gpu.func @other_orders(%x: vector<8xi8>, %out: memref<vector<6xf16>>) kernel {
    %shift = arith.constant dense<[0, 0, 4, 4, 4, 0]> : vector<6xi8>
    %c15 = arith.constant dense<15> : vector<6xi8>
    %0 = vector.shuffle %x, %x [0, 4, 0, 4, 1, 7] : vector<8xi8>, vector<8xi8>
    %1 = arith.shrui %0, %shift : vector<6xi8>
    %2 = arith.andi %1, %c15 : vector<6xi8>
    %3 = arith.uitofp %2 : vector<6xi8> to vector<6xf16>
    memref.store %3, %out[] : memref<vector<6xf16>>
    gpu.return
  }

  // Pairs of different words: halves of these are put side by side. The first pair is masked
  // where it is, the second one, too, as 16 times as much, and others are shifted.

  // CHECK-LABEL: gpu.func @shuffled
  //   CHECK-DAG: %[[LOW:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[HIGH:.*]] = arith.constant 15728880 : i32
  //   CHECK-NOT: arith.sitofp
  //       CHECK: %[[FIRST:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi8>, vector<4xi8>
  //       CHECK: %[[WORD:.*]] = vector.bitcast %[[FIRST]] : vector<4xi8> to vector<1xi32>
  //       CHECK: lop3{{.*}}%[[LOW]]
  //       CHECK: lop3{{.*}}%[[HIGH]]
  //       CHECK: arith.shrui
  //       CHECK: lop3{{.*}}%[[LOW]]
  //       CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7] : vector<4xi8>, vector<4xi8>
  //   CHECK-NOT: vector<16xf16>
  gpu.func @shuffled(%x: vector<8xi8>, %out: memref<2xvector<8xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4]> : vector<16xi8>
    %c15 = arith.constant dense<15> : vector<16xi8>
    %c8 = arith.constant dense<8> : vector<16xi8>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
    %1 = arith.shrui %0, %shift : vector<16xi8>
    %2 = arith.andi %1, %c15 : vector<16xi8>
    %3 = arith.subi %2, %c8 : vector<16xi8>
    %4 = arith.sitofp %3 : vector<16xi8> to vector<16xf16>
    %5 = vector.shuffle %4, %4 [0, 8, 1, 9, 2, 10, 3, 11] : vector<16xf16>, vector<16xf16>
    %6 = vector.shuffle %4, %4 [4, 12, 5, 13, 6, 14, 7, 15] : vector<16xf16>, vector<16xf16>
    memref.store %5, %out[%c0] : memref<2xvector<8xf16>>
    memref.store %6, %out[%c1] : memref<2xvector<8xf16>>
    gpu.return
  }

  // Integers four apart are in both halves of a word, without a permutation. The upper ones
  // of a byte are 16 times as much. A subtraction of halves is shuffled first.

  // CHECK-LABEL: gpu.func @four_apart
  //   CHECK-DAG: %[[LOW:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[HIGH:.*]] = arith.constant 15728880 : i32
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant 1677747200 : i32
  //   CHECK-DAG: %[[SIXTEENTH:.*]] = arith.constant dense<6.250000e-02> : vector<2xf16>
  //   CHECK-DAG: %[[MINUS64:.*]] = arith.constant dense<-6.400000e+01> : vector<2xf16>
  //   CHECK-NOT: vector.shuffle %{{.*}} : vector<4xi8>
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %{{.*}}, %[[LOW]], %[[ONE]]
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %{{.*}}, %[[HIGH]], %[[ONE]]
  //       CHECK: math.fma %{{.*}}, %[[SIXTEENTH]], %[[MINUS64]] : vector<2xf16>
  //       CHECK: arith.shrui %{{.*}} : vector<1xi32>
  //   CHECK-NOT: arith.uitofp
  //   CHECK-NOT: vector.shuffle {{.*}}f16
  gpu.func @four_apart(%x: vector<4xi8>, %z: f16, %out: memref<2xvector<4xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xf16>
    %4 = vector.from_elements %z, %z, %z, %z, %z, %z, %z, %z : vector<8xf16>
    %5 = arith.subf %3, %4 : vector<8xf16>
    %6 = vector.shuffle %5, %5 [0, 4, 1, 5] : vector<8xf16>, vector<8xf16>
    %7 = vector.shuffle %5, %5 [2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
    memref.store %6, %out[%c0] : memref<2xvector<4xf16>>
    memref.store %7, %out[%c1] : memref<2xvector<4xf16>>
    gpu.return
  }

  // Numbers times 2^-24 are the bits of the integers, and numbers of bf16 plus 128 the last
  // bits of 128. Each is a mask, in bf16 with the exponent; upper ones of a byte in f16 are
  // 16 times as much.

  // CHECK-LABEL: gpu.func @subnormal
  //   CHECK-DAG: %[[LOW:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[HIGH:.*]] = arith.constant 15728880 : i32
  //   CHECK-DAG: %[[FLIP:.*]] = arith.constant 524296 : i32
  //   CHECK-DAG: %[[FLIP_HIGH:.*]] = arith.constant 8388736 : i32
  //   CHECK-DAG: %[[SIXTEENTH:.*]] = arith.constant dense<6.250000e-02> : vector<2xf16>
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %{{.*}}, %[[LOW]], %[[FLIP]]
  //       CHECK: llvm.inline_asm {{.*}} "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %{{.*}}, %[[HIGH]], %[[FLIP_HIGH]]
  //       CHECK: %[[PAIR:.*]] = vector.bitcast %{{.*}} : vector<1xi32> to vector<2xf16>
  //       CHECK: arith.mulf %[[PAIR]], %[[SIXTEENTH]]
  //   CHECK-NOT: arith.subf
  //   CHECK-NOT: arith.uitofp
  gpu.func @subnormal(%x: vector<4xi8>, %out: memref<2xvector<4xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %small = arith.constant dense<5.960460e-08> : vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.xori %2, %c8 : vector<8xi8>
    %4 = arith.uitofp %3 : vector<8xi8> to vector<8xf16>
    %5 = arith.mulf %4, %small : vector<8xf16>
    %6 = vector.shuffle %5, %5 [0, 4, 1, 5] : vector<8xf16>, vector<8xf16>
    %7 = vector.shuffle %5, %5 [2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
    memref.store %6, %out[%c0] : memref<2xvector<4xf16>>
    memref.store %7, %out[%c1] : memref<2xvector<4xf16>>
    gpu.return
  }

  // Differences times 2^-9: one fma of the bits, which are numbers times 2^-24 or, of upper ones, 2^-20.

  // CHECK-LABEL: gpu.func @differences
  //  CHECK-SAME:   %{{.*}}: vector<4xi8>, %[[Z:.*]]: f16,
  //   CHECK-DAG: %[[LOW:.*]] = arith.constant dense<3.276800e+04> : vector<2xf16>
  //   CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<2.048000e+03> : vector<2xf16>
  //       CHECK: %[[PAIR:.*]] = vector.bitcast %{{.*}} : vector<1xi32> to vector<2xf16>
  //       CHECK: math.fma %[[PAIR]], %[[LOW]], %{{.*}} : vector<2xf16>
  //       CHECK: math.fma %{{.*}}, %[[HIGH]], %{{.*}} : vector<2xf16>
  //   CHECK-NOT: arith.subf
  //   CHECK-NOT: arith.uitofp
  //   CHECK-NOT: math.fma {{.*}} : vector<8xf16>
  //       CHECK: memref.store
  gpu.func @differences(%x: vector<4xi8>, %z: f16, %out: memref<2xvector<4xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %small = arith.constant dense<1.953125e-03> : vector<8xf16>
    %zero = vector.broadcast %z : f16 to vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xf16>
    %4 = math.fma %3, %small, %zero : vector<8xf16>
    %5 = vector.shuffle %4, %4 [0, 4, 1, 5] : vector<8xf16>, vector<8xf16>
    %6 = vector.shuffle %4, %4 [2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
    memref.store %5, %out[%c0] : memref<2xvector<4xf16>>
    memref.store %6, %out[%c1] : memref<2xvector<4xf16>>
    gpu.return
  }

  // Another factor is no number of f16 times 2^-24.

  // CHECK-LABEL: gpu.func @negative_factor
  //       CHECK: math.fma {{.*}} : vector<8xf16>
  gpu.func @negative_factor(%x: vector<4xi8>, %z: vector<8xf16>, %out: memref<vector<8xf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %half = arith.constant dense<0.5> : vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xf16>
    %4 = math.fma %3, %half, %z : vector<8xf16>
    memref.store %4, %out[] : memref<vector<8xf16>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rebased_bf16
  //   CHECK-DAG: %[[MASK:.*]] = arith.constant 983055 : i32
  //   CHECK-DAG: %[[ONE:.*]] = arith.constant 1124090624 : i32
  //       CHECK: lop3{{.*}}%[[MASK]], %[[ONE]]
  //   CHECK-NOT: arith.subf
  //   CHECK-NOT: arith.addf
  //       CHECK: memref.store
  gpu.func @rebased_bf16(%x: vector<4xi8>, %out: memref<vector<8xbf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %base = arith.constant dense<1.280000e+02> : vector<8xbf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xbf16>
    %4 = arith.addf %3, %base : vector<8xbf16>
    memref.store %4, %out[] : memref<vector<8xbf16>>
    gpu.return
  }

  // Integers in upper halves times 2^-20 are masked where they are. Where another pair is
  // shifted, it is multiplied by 16.

  // CHECK-LABEL: gpu.func @units
  //   CHECK-DAG: %[[LOW:.*]] = arith.constant dense<983055> : vector<1xi32>
  //   CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<15728880> : vector<1xi32>
  //   CHECK-NOT: {{arith.mulf|arith.shrui}}
  //       CHECK: arith.andi %{{.*}}, %[[LOW]]
  //       CHECK: arith.andi %{{.*}}, %[[HIGH]]
  //   CHECK-NOT: arith.mulf
  //       CHECK: gpu.return
  gpu.func @units(%x: vector<8xi8>, %out: memref<vector<4xf16>>) kernel {
    %shift = arith.constant dense<[0, 0, 4, 4]> : vector<4xi8>
    %c15 = arith.constant dense<15> : vector<4xi8>
    %units = arith.constant dense<[5.960460e-08, 5.960460e-08, 9.536740e-07, 9.536740e-07]> : vector<4xf16>
    %0 = vector.shuffle %x, %x [0, 4, 0, 4] : vector<8xi8>, vector<8xi8>
    %1 = arith.shrui %0, %shift : vector<4xi8>
    %2 = arith.andi %1, %c15 : vector<4xi8>
    %3 = arith.uitofp %2 : vector<4xi8> to vector<4xf16>
    %4 = arith.mulf %3, %units : vector<4xf16>
    memref.store %4, %out[] : memref<vector<4xf16>>
    gpu.return
  }

  // Pairs of one byte have both units: the upper one is shifted, and multiplied by 16.

  // CHECK-LABEL: gpu.func @mixed_units
  //       CHECK: %[[FACTORS:.*]] = arith.constant dense<[1.000000e+00, 1.600000e+01]> : vector<2xf16>
  //       CHECK: arith.mulf %{{.*}}, %[[FACTORS]] : vector<2xf16>
  //       CHECK: gpu.return
  gpu.func @mixed_units(%x: vector<4xi8>, %out: memref<vector<8xf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %units = arith.constant dense<[5.960460e-08, 9.536740e-07, 5.960460e-08, 9.536740e-07, 5.960460e-08, 9.536740e-07, 5.960460e-08, 9.536740e-07]> : vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.uitofp %2 : vector<8xi8> to vector<8xf16>
    %4 = arith.mulf %3, %units : vector<8xf16>
    memref.store %4, %out[] : memref<vector<8xf16>>
    gpu.return
  }

  // Integers with an offset, and numbers that are used as they are, too, are converted first.

  // CHECK-LABEL: gpu.func @negative_rebased
  //       CHECK: arith.subf
  //       CHECK: arith.mulf %{{.*}} : vector<8xf16>
  //       CHECK: arith.mulf %{{.*}} : vector<8xf16>
  gpu.func @negative_rebased(%x: vector<4xi8>, %y: vector<4xi8>, %out: memref<3xvector<8xf16>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %less = arith.constant dense<-8> : vector<8xi8>
    %small = arith.constant dense<5.960460e-08> : vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.subi %2, %less : vector<8xi8>
    %4 = arith.uitofp %3 : vector<8xi8> to vector<8xf16>
    %5 = arith.mulf %4, %small : vector<8xf16>
    memref.store %5, %out[%c0] : memref<3xvector<8xf16>>
    %6 = vector.shuffle %y, %y [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %7 = arith.shrui %6, %shift : vector<8xi8>
    %8 = arith.andi %7, %c15 : vector<8xi8>
    %9 = arith.uitofp %8 : vector<8xi8> to vector<8xf16>
    %10 = arith.mulf %9, %small : vector<8xf16>
    memref.store %9, %out[%c1] : memref<3xvector<8xf16>>
    memref.store %10, %out[%c2] : memref<3xvector<8xf16>>
    gpu.return
  }

  // Other amounts, and what is below 0 as an unsigned integer.

  // CHECK-LABEL: gpu.func @negative_amounts
  //   CHECK-NOT: lop3
  gpu.func @negative_amounts(%x: vector<4xi8>, %out: memref<vector<8xf16>>) kernel {
    %high = arith.constant dense<[2, 0, 2, 0, 2, 0, 2, 0]> : vector<8xi8>
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
