// RUN: linalg-ext-opt %s --linalg-ext-gpu-narrow-integers=steps=block-ids --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @two
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index,
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[NARROW:.*]] = arith.index_castui %[[ID]] : index to i32
// CHECK: %[[MOST:.*]] = arith.constant 2147483647 : index
// CHECK: %[[COUNT:.*]] = arith.minui %[[M]], %[[MOST]] : index
// CHECK: %[[DIVISOR:.*]] = arith.index_castui %[[COUNT]] : index to i32
// CHECK: %[[J:.*]] = arith.remui %[[NARROW]], %[[DIVISOR]] : i32
// CHECK: %[[I:.*]] = arith.divui %[[NARROW]], %[[DIVISOR]] : i32
// CHECK: %[[COLUMN:.*]] = arith.index_castui %[[J]] : i32 to index
// CHECK: %[[ROW:.*]] = arith.index_castui %[[I]] : i32 to index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]]
gpu.module @kernels {
  gpu.func @two(%n: index, %m: index, %a: memref<?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %id = gpu.block_id x
    %at:2 = affine.delinearize_index %id into (%n, %m) : index, index
    memref.store %zero, %a[%at#0, %at#1] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Without a bound of the first coordinate, and with one that is known.
// CHECK-LABEL: gpu.func @no_bound
// CHECK-COUNT-2: arith.divui %{{.*}} : i32
// CHECK-NOT: affine.delinearize_index
gpu.module @kernels {
  gpu.func @no_bound(%m: index, %a: memref<?x?x8xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %id = gpu.block_id y
    %at:3 = affine.delinearize_index %id into (%m, 8) : index, index, index
    memref.store %zero, %a[%at#0, %at#1, %at#2] : memref<?x?x8xf32>
    gpu.return
  }
}

// -----

// Of what may be any index.
// CHECK-LABEL: gpu.func @negative_index
// CHECK: affine.delinearize_index
gpu.module @kernels {
  gpu.func @negative_index(%i: index, %m: index, %a: memref<?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %at:2 = affine.delinearize_index %i into (%m) : index, index
    memref.store %zero, %a[%at#0, %at#1] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// A coordinate of a number that is bounded is bounded, too.
// CHECK-LABEL: gpu.func @bounded
// CHECK: vector_ext.assume
// CHECK-COUNT-2: arith.divui %{{.*}} : i32
// CHECK-NOT: affine.delinearize_index
gpu.module @kernels {
  gpu.func @bounded(%i: index, %n: index, %m: index, %a: memref<?x?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %tile = vector_ext.assume %i at_least 0 at_most 2147483647
    %at:2 = affine.delinearize_index %tile into (%n) : index, index
    %in:2 = affine.delinearize_index %at#1 into (%m) : index, index
    memref.store %zero, %a[%at#0, %in#0, %in#1] : memref<?x?x?xf32>
    gpu.return
  }
}

// -----

// One that may be negative, or too large, is left.
// CHECK-LABEL: gpu.func @not_enough
// CHECK-COUNT-2: affine.delinearize_index
gpu.module @kernels {
  gpu.func @not_enough(%i: index, %j: index, %n: index, %a: memref<?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %small = vector_ext.assume %i at_most 2147483647
    %large = vector_ext.assume %j at_least 0 at_most 2147483648
    %at:2 = affine.delinearize_index %small into (%n) : index, index
    %in:2 = affine.delinearize_index %large into (%n) : index, index
    memref.store %zero, %a[%at#0, %in#1] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Of many coordinates.
// CHECK-LABEL: gpu.func @many
// CHECK-COUNT-9: arith.remui %{{.*}} : i32
// CHECK-NOT: affine.delinearize_index
gpu.module @kernels {
  gpu.func @many(%m: index, %a: memref<?x?x?x?x?x?x?x?x?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %id = gpu.block_id x
    %at:10 = affine.delinearize_index %id into (%m, 2, %m, 3, %m, 4, %m, 5, %m)
        : index, index, index, index, index, index, index, index, index, index
    memref.store %zero, %a[%at#0, %at#1, %at#2, %at#3, %at#4, %at#5, %at#6, %at#7, %at#8, %at#9]
        : memref<?x?x?x?x?x?x?x?x?x?xf32>
    gpu.return
  }
}
