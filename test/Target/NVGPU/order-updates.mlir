// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=order-updates}))' | FileCheck %s

gpu.module @kernels {
  // The loop carries 96 words, and the sums have 64 terms.
  // CHECK-LABEL: gpu.func @f
  // CHECK: %[[ZERO:.*]] = llvm.inline_asm {{.*}}%nctaid.x
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
  // CHECK: %[[FACTOR:.*]] = vector.load {{.*}}vector<2xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}}
  // CHECK: %[[F:.*]] = vector.extract %[[FACTOR]][0]
  // CHECK: %[[FBITS:.*]] = arith.bitcast %[[F]] : f32 to i32
  // CHECK: %[[S:.*]] = vector.extract %[[SUM]][0]
  // CHECK: %[[SBITS:.*]] = arith.bitcast %[[S]] : f32 to i32
  // CHECK: llvm.inline_asm {{.*}}"lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[SBITS]], %[[ZERO]], %[[FBITS]]
  // CHECK: %[[ORDERED:.*]] = vector.from_elements
  // CHECK: %[[FACTORS:.*]] = vector.shuffle %[[ORDERED]], %[[ORDERED]] [0, 0,
  // CHECK: arith.mulf %[[ACC]], %[[FACTORS]]
  gpu.func @f(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<47xf32>
    %others = arith.constant dense<0.0> : vector<47xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:3 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero, %more = %others) -> (vector<47xf32>, vector<2xf32>, vector<47xf32>) {
      %v = vector.load %a[%i] : memref<?xf32>, vector<62xf32>
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %added = arith.addf %v, %v : vector<62xf32>
      %e0 = vector.extract %added[0] : f32 from vector<62xf32>
      %e1 = vector.extract %added[1] : f32 from vector<62xf32>
      %terms = vector.from_elements %e0, %e1 : vector<2xf32>
      %sum = arith.addf %old, %terms : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<47xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<47xf32>
    vector.store %results#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // 95 words are carried.
  // CHECK-LABEL: gpu.func @negative_few_words
  // CHECK-NOT: inline_asm
  gpu.func @negative_few_words(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<47xf32>
    %others = arith.constant dense<0.0> : vector<46xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:3 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero, %more = %others) -> (vector<47xf32>, vector<2xf32>, vector<46xf32>) {
      %v = vector.load %a[%i] : memref<?xf32>, vector<62xf32>
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %added = arith.addf %v, %v : vector<62xf32>
      %e0 = vector.extract %added[0] : f32 from vector<62xf32>
      %e1 = vector.extract %added[1] : f32 from vector<62xf32>
      %terms = vector.from_elements %e0, %e1 : vector<2xf32>
      %sum = arith.addf %old, %terms : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<46xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<47xf32>
    vector.store %results#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // The sums have 63 terms.
  // CHECK-LABEL: gpu.func @negative_few_terms
  // CHECK-NOT: inline_asm
  gpu.func @negative_few_terms(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<47xf32>
    %others = arith.constant dense<0.0> : vector<47xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:3 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero, %more = %others) -> (vector<47xf32>, vector<2xf32>, vector<47xf32>) {
      %v = vector.load %a[%i] : memref<?xf32>, vector<61xf32>
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %added = arith.addf %v, %v : vector<61xf32>
      %e0 = vector.extract %added[0] : f32 from vector<61xf32>
      %e1 = vector.extract %added[1] : f32 from vector<61xf32>
      %terms = vector.from_elements %e0, %e1 : vector<2xf32>
      %sum = arith.addf %old, %terms : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<47xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<47xf32>
    vector.store %results#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // Nothing is carried.
  // CHECK-LABEL: gpu.func @negative_nothing
  // CHECK-NOT: inline_asm
  gpu.func @negative_nothing(%n: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %out[%i] : memref<?xf32>
    }
    gpu.return
  }

  // What is carried needs the product.
  // CHECK-LABEL: gpu.func @negative_needs_product
  // CHECK-NOT: inline_asm
  gpu.func @negative_needs_product(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<47xf32>
    %others = arith.constant dense<0.0> : vector<47xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:3 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero, %more = %others) -> (vector<47xf32>, vector<2xf32>, vector<47xf32>) {
      %v = vector.load %a[%i] : memref<?xf32>, vector<62xf32>
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %part = vector.shuffle %next, %next [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : vector<47xf32>, vector<47xf32>
      %added = arith.addf %v, %part : vector<62xf32>
      %e0 = vector.extract %added[0] : f32 from vector<62xf32>
      %e1 = vector.extract %added[1] : f32 from vector<62xf32>
      %terms = vector.from_elements %e0, %e1 : vector<2xf32>
      %sum = arith.addf %old, %terms : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<47xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<47xf32>
    vector.store %results#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // Few terms, but the second loop has a remainder only.
  // CHECK-LABEL: gpu.func @continued
  // CHECK: scf.for
  // CHECK-NOT: lop3
  // CHECK: scf.yield
  // CHECK: scf.for
  // CHECK-COUNT-2: lop3
  gpu.func @continued(%n: index, %m: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<47xf32>
    %others = arith.constant dense<0.0> : vector<47xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:3 = scf.for %i = %c0 to %m step %c2 iter_args(%acc = %zeros, %old = %zero, %more = %others) -> (vector<47xf32>, vector<2xf32>, vector<47xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %sum = arith.addf %old, %factor : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<47xf32>
    }
    %rest:3 = scf.for %i = %m to %n step %c2 iter_args(%acc = %results#0, %old = %results#1, %more = %results#2) -> (vector<47xf32>, vector<2xf32>, vector<47xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<47xf32>
      %sum = arith.addf %old, %factor : vector<2xf32>
      scf.yield %next, %sum, %more : vector<47xf32>, vector<2xf32>, vector<47xf32>
    }
    vector.store %rest#0, %out[%c0] : memref<?xf32>, vector<47xf32>
    vector.store %rest#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}
