// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=prefetch-rows --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=prefetch-rows})' --split-input-file | FileCheck %s
// RUN: sed 's/"prefetch_rows" = 10/"prefetch_rows" = 4000/' %s | linalg-ext-opt --linalg-ext-gpu-optimize-threads=steps=prefetch-rows --split-input-file | FileCheck %s --check-prefix=NONE

// Each thread prefetches the same place, ten rows further or in the last row; 4000
// rows would not stay in a cache.

// NONE-NOT:    memref.prefetch

// CHECK-LABEL: func @long_row
// CHECK-SAME:      %[[A:[^:]*]]: memref<?x?xf16>
// CHECK:         gpu.launch blocks(%[[B:[^,]*]],
// CHECK:           %[[I:.*]] = arith.muli
// CHECK:           %[[ROWS:.*]] = memref.dim %[[A]]
// CHECK:           %[[LAST:.*]] = arith.subi %[[ROWS]], %{{.*}}
// CHECK:           %[[TEN:.*]] = arith.constant 10 : index
// CHECK:           %[[FURTHER:.*]] = arith.addi %[[B]], %[[TEN]]
// CHECK:           %[[NEXT:.*]] = arith.minui %[[LAST]], %[[FURTHER]]
// CHECK:           vector.load %[[A]][%[[B]], %[[I]]]
// CHECK-NEXT:      memref.prefetch %[[A]][%[[NEXT]], %[[I]]], read, locality<2>, data
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"long_row" = 2048 : i64, "prefetch_rows" = 10 : i64>>} {
func.func @long_row(%a: memref<?x?xf16>, %out: memref<?x2048xf16>, %n: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %x = vector.load %a[%bx, %i] : memref<?x?xf16>, vector<8xf16>
    vector.store %x, %out[%bx, %i] : memref<?x2048xf16>, vector<8xf16>
    gpu.terminator
  }
  return
}
}

// -----

// Nothing of shorter rows, of rows of another number, in loops, or element by
// element.

// CHECK-LABEL: func @negative
// CHECK-NOT:     memref.prefetch
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"long_row" = 2048 : i64, "prefetch_rows" = 10 : i64>>} {
func.func @negative(%a: memref<?x?xf16>, %out: memref<?x2048xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %x = vector.load %a[%bx, %i] : memref<?x?xf16>, vector<8xf16>
    vector.store %x, %out[%bx, %i] : memref<?x2048xf16>, vector<8xf16>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %x = vector.load %a[%t, %i] : memref<?x?xf16>, vector<8xf16>
    %y = memref.load %a[%bx, %i] : memref<?x?xf16>
    vector.store %x, %out[%bx, %i] : memref<?x2048xf16>, vector<8xf16>
    memref.store %y, %out[%bx, %i] : memref<?x2048xf16>
    scf.for %j = %c0 to %n step %c1 {
      %z = vector.load %a[%bx, %j] : memref<?x?xf16>, vector<8xf16>
      vector.store %z, %out[%bx, %i] : memref<?x2048xf16>, vector<8xf16>
    }
    gpu.terminator
  }
  return
}
}
