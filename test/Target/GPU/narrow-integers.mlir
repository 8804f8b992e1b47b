// RUN: linalg-ext-opt %s --linalg-ext-gpu-narrow-integers=steps=values --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @thread
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[NARROW:.*]] = arith.index_castui %[[THREAD]] : index to i32
// CHECK: %[[ROW:.*]] = arith.divui %[[NARROW]], %{{.*}} : i32
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[ROW]], %{{.*}} : i32
// CHECK: %[[AT:.*]] = arith.index_castui %[[SHIFTED]] : i32 to index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[AT]]]
gpu.module @kernels {
  gpu.func @thread(%a: memref<?xf32>) kernel {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %thread = gpu.thread_id x
    %row = arith.divui %thread, %c4 : index
    %at = arith.shrui %row, %c2 : index
    memref.store %zero, %a[%at] : memref<?xf32>
    gpu.return
  }
}

// -----

// A number below 7 has no high half. By 32 there is no shift of 32 bits.
// CHECK-LABEL: gpu.func @high_half
// CHECK: arith.minui %{{.*}} : i32
// CHECK: arith.shrui %{{.*}}, %{{.*}} : i64
// CHECK-NOT: arith.shrui %{{.*}} : i32
gpu.module @kernels {
  gpu.func @high_half(%entry: i32, %a: memref<2xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : i64
    %wide = arith.index_cast %entry : i32 to index
    %row = arith.minui %wide, %c6 : index
    %number = arith.index_cast %row : index to i64
    %low = arith.trunci %number : i64 to i32
    %shifted = arith.shrui %number, %c32 : i64
    %high = arith.trunci %shifted : i64 to i32
    memref.store %low, %a[%c0] : memref<2xi32>
    memref.store %high, %a[%c1] : memref<2xi32>
    gpu.return
  }
}

// -----

// Shifts by numbers that may be 32.
// CHECK-LABEL: gpu.func @negative_amounts
// CHECK-SAME: (%[[AMOUNT:.*]]: i64,
// CHECK: %[[BY:.*]] = arith.andi %[[AMOUNT]], %{{.*}} : i64
// CHECK: arith.shrsi %{{.*}}, %[[BY]] : i64
// CHECK: arith.shrui %{{.*}}, %[[BY]] : i64
gpu.module @kernels {
  gpu.func @negative_amounts(%amount: i64, %a: memref<2xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : i64
    %c63 = arith.constant 63 : i64
    %by = arith.andi %amount, %c63 : i64
    %x = arith.shrsi %c4, %by : i64
    %y = arith.shrui %c4, %by : i64
    memref.store %x, %a[%c0] : memref<2xi64>
    memref.store %y, %a[%c1] : memref<2xi64>
    gpu.return
  }
}

// -----

// Numbers up to 2^32 - 1 are negative in 32 bits: that matters to what is
// signed, and not to what is unsigned.
// CHECK-LABEL: gpu.func @signs
// CHECK-SAME: (%[[X:.*]]: i32,
// CHECK: arith.cmpi slt, %{{.*}} : i64
// CHECK: arith.maxsi %{{.*}} : i64
// CHECK: arith.divsi %{{.*}} : i64
// CHECK: arith.cmpi ult, %[[X]], %{{.*}} : i32
// CHECK: arith.maxui %[[X]], %{{.*}} : i32
gpu.module @kernels {
  gpu.func @signs(%x: i32, %a: memref<3xi64>, %b: memref<2xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c100 = arith.constant 100 : i64
    %wide = arith.extui %x : i32 to i64
    %less = arith.cmpi slt, %wide, %c100 : i64
    %most = arith.maxsi %wide, %c100 : i64
    %part = arith.divsi %wide, %c100 : i64
    %below = arith.cmpi ult, %wide, %c100 : i64
    %larger = arith.maxui %wide, %c100 : i64
    memref.store %less, %b[%c0] : memref<2xi1>
    memref.store %below, %b[%c1] : memref<2xi1>
    memref.store %most, %a[%c0] : memref<3xi64>
    memref.store %part, %a[%c1] : memref<3xi64>
    memref.store %larger, %a[%c2] : memref<3xi64>
    gpu.return
  }
}

// -----

// Products up to 2^32 that say that they do not wrap as signed numbers: in 32
// bits some would. What does not say so is narrow.
// CHECK-LABEL: gpu.func @negative_no_wrap
// CHECK: arith.muli %{{.*}} overflow<nsw> : i64
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.muli %{{.*}} overflow<nsw> : i32
gpu.module @kernels {
  gpu.func @negative_no_wrap(%x: i16, %a: memref<3xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i64
    %c65536 = arith.constant 65536 : i64
    %wide = arith.extui %x : i16 to i64
    %large = arith.muli %wide, %c65536 overflow<nsw> : i64
    %wrapping = arith.muli %wide, %c65536 : i64
    %small = arith.muli %wide, %c4 overflow<nsw> : i64
    memref.store %large, %a[%c0] : memref<3xi64>
    memref.store %wrapping, %a[%c1] : memref<3xi64>
    memref.store %small, %a[%c2] : memref<3xi64>
    gpu.return
  }
}

// -----

// -5 is 2^64 - 5 here: its remainder by 7 is 4, and that of 2^32 - 5 is 6.
// CHECK-LABEL: gpu.func @negative_remainder
// CHECK: arith.remui %{{.*}} : i64
gpu.module @kernels {
  gpu.func @negative_remainder(%x: i32, %a: memref<1xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : i64
    %wide = arith.extsi %x : i32 to i64
    %rest = arith.remui %wide, %c7 : i64
    memref.store %rest, %a[%c0] : memref<1xi64>
    gpu.return
  }
}

// -----

// An entry of 32 bits is compared with a number of pages below 2^31: as an unsigned number, a
// negative one is larger in 32 bits, too.
// CHECK-LABEL: gpu.func @entry
// CHECK-SAME: (%[[ENTRY:.*]]: i32, %[[SIZE:.*]]: index,
// CHECK: %[[PAGES:.*]] = vector_ext.assume %[[SIZE]]
// CHECK: %[[N:.*]] = arith.index_cast{{.*}} %[[PAGES]] : index to i32
// CHECK: arith.cmpi ult, %[[ENTRY]], %[[N]] : i32
gpu.module @kernels {
  gpu.func @entry(%entry: i32, %size: index, %a: memref<2xi1>) kernel {
    %c0 = arith.constant 0 : index
    %pages = vector_ext.assume %size at_least 0 at_most 2147418112
    %page = arith.index_cast %entry : i32 to index
    %exists = arith.cmpi ult, %page, %pages : index
    memref.store %exists, %a[%c0] : memref<2xi1>
    gpu.return
  }
}

// -----

// Not so as a signed number of more pages, or of an unknown number.
// CHECK-LABEL: gpu.func @negative_entry
// CHECK: arith.cmpi ult, %{{.*}} : index
// CHECK: arith.cmpi ult, %{{.*}} : index
gpu.module @kernels {
  gpu.func @negative_entry(%entry: i32, %size: index, %other: index, %a: memref<2xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pages = vector_ext.assume %size at_least 0 at_most 4294967296
    %page = arith.index_cast %entry : i32 to index
    %exists = arith.cmpi ult, %page, %pages : index
    memref.store %exists, %a[%c0] : memref<2xi1>
    %is = arith.cmpi ult, %page, %other : index
    memref.store %is, %a[%c1] : memref<2xi1>
    gpu.return
  }
}
