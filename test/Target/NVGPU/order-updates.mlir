// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=order-updates min-carried=6 min-terms=2}))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=order-updates min-carried=7 min-terms=2}))' | FileCheck %s --check-prefix=FEW
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=order-updates min-carried=0 min-terms=2}))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=order-updates min-carried=6 min-terms=3}))' | FileCheck %s --check-prefix=CONTINUED

gpu.module @kernels {
  // FEW-NOT: inline_asm
  // CONTINUED-LABEL: gpu.func @f
  // CONTINUED-NOT: inline_asm
  // CHECK-LABEL: gpu.func @f
  // CHECK: %[[ZERO:.*]] = llvm.inline_asm {{.*}}%nctaid.x
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}})
  // CHECK: %[[FACTOR:.*]] = vector.load
  // CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[FACTOR]]
  // CHECK: %[[F:.*]] = vector.extract %[[FACTOR]][0]
  // CHECK: %[[FBITS:.*]] = arith.bitcast %[[F]] : f32 to i32
  // CHECK: %[[S:.*]] = vector.extract %[[SUM]][0]
  // CHECK: %[[SBITS:.*]] = arith.bitcast %[[S]] : f32 to i32
  // CHECK: llvm.inline_asm {{.*}}"lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[SBITS]], %[[ZERO]], %[[FBITS]]
  // CHECK: %[[ORDERED:.*]] = vector.from_elements
  // CHECK: %[[FACTORS:.*]] = vector.shuffle %[[ORDERED]], %[[ORDERED]] [0, 0, 1, 1]
  // CHECK: arith.mulf %[[ACC]], %[[FACTORS]]
  gpu.func @f(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:2 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero) -> (vector<4xf32>, vector<2xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<4xf32>
      %sum = arith.addf %old, %factor : vector<2xf32>
      scf.yield %next, %sum : vector<4xf32>, vector<2xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<4xf32>
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
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:2 = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zeros, %old = %zero) -> (vector<4xf32>, vector<2xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<4xf32>
      %sum = vector.extract_strided_slice %next {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
      scf.yield %next, %sum : vector<4xf32>, vector<2xf32>
    }
    vector.store %results#0, %out[%c0] : memref<?xf32>, vector<4xf32>
    vector.store %results#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // Few terms, but the second loop has a remainder only.
  // CHECK-LABEL: gpu.func @continued
  // CHECK-COUNT-4: lop3
  // CONTINUED-LABEL: gpu.func @continued
  // CONTINUED: scf.for
  // CONTINUED-NOT: lop3
  // CONTINUED: scf.yield
  // CONTINUED: scf.for
  // CONTINUED: lop3
  gpu.func @continued(%n: index, %m: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %results:2 = scf.for %i = %c0 to %m step %c2 iter_args(%acc = %zeros, %old = %zero) -> (vector<4xf32>, vector<2xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<4xf32>
      %sum = arith.addf %old, %factor : vector<2xf32>
      scf.yield %next, %sum : vector<4xf32>, vector<2xf32>
    }
    %rest:2 = scf.for %i = %m to %n step %c2 iter_args(%acc = %results#0, %old = %results#1) -> (vector<4xf32>, vector<2xf32>) {
      %factor = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
      %factors = vector.shuffle %factor, %factor [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
      %next = arith.mulf %acc, %factors : vector<4xf32>
      %sum = arith.addf %old, %factor : vector<2xf32>
      scf.yield %next, %sum : vector<4xf32>, vector<2xf32>
    }
    vector.store %rest#0, %out[%c0] : memref<?xf32>, vector<4xf32>
    vector.store %rest#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}
