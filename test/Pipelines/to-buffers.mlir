// Where the buffers are: Q, K and V are only viewed; what the key loop needs is
// allocated in front of all loops; nothing is copied but Q, which is transposed.

// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{cpu=x86-64-v4})' | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{cpu=x86-64-v4})' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{fuse=false})' | FileCheck %s --check-prefix=UNFUSED
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{cpu=x86-64-v4 out-params=true})' | FileCheck %s --check-prefix=PARAMS
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{levels="for(0,0,0,32)" max-stack-bytes=0})' | FileCheck %s --check-prefix=LEVELS
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-buffers{cpu=x86-64-v4 return-log-sum-exp=true})' | FileCheck %s --check-prefix=LSE

// CHECK-LABEL: func @attention(
// CHECK-SAME:    %[[Q:.*]]: memref<2x?x64xf32>, %[[K:.*]]: memref<2x?x64xf32>, %[[V:.*]]: memref<2x?x64xf32>) -> memref<2x?x64xf32>
// CHECK:         %[[OUT:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<2x?x64xf32>
// CHECK-DAG:     %[[SCORES:.*]] = memref.alloc() {{.*}} : memref<1x128x64xf32>
// CHECK-DAG:     %[[QT:.*]] = memref.alloc() {{.*}} : memref<1x64x64xf32>
// CHECK-DAG:     memref.alloca() {{.*}} : memref<1x64xf32>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     copy
// CHECK:           scf.for
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       copy
// CHECK:             %[[QTILE:.*]] = memref.subview %[[Q]]
// CHECK:             %[[KHEAD:.*]] = memref.subview %[[K]]
// CHECK:             %[[VHEAD:.*]] = memref.subview %[[V]]
// CHECK:             %[[OTILE:.*]] = memref.subview %[[OUT]]
// CHECK:             %[[QTTILE:.*]] = memref.subview %[[QT]]
// CHECK:             linalg.transpose ins(%[[QTILE]] : {{.*}} outs(%[[QTTILE]]
// CHECK:             scf.for
// CHECK-NOT:           memref.alloc
// CHECK-NOT:           copy
// CHECK:               %[[KTILE:.*]] = memref.subview %[[KHEAD]]
// CHECK:               %[[STILE:.*]] = memref.subview %[[SCORES]]
// CHECK:               linalg.generic {{.*}} ins(%[[QTTILE]], %[[KTILE]] : {{.*}} outs(%[[STILE]]
// CHECK:               %[[VTILE:.*]] = memref.subview %[[VHEAD]]
// CHECK:               linalg.generic {{.*}} ins(%[[STILE]], %[[VTILE]] : {{.*}} outs(%[[OTILE]]
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     copy
// CHECK-DAG:     memref.dealloc %[[SCORES]]
// CHECK-DAG:     memref.dealloc %[[QT]]
// CHECK:         return %[[OUT]]

// Computed behind the loops, from the state that they leave.
// LSE-LABEL: func @attention({{.*}} -> (memref<2x?x64xf32>, memref<2x?xf32>)
// LSE:           scf.for
// LSE-NOT:     math.log
// LSE:         {{^    [}]}}
// LSE:         math.log
// LSE:         return

// UNFUSED-LABEL: func @attention(
// UNFUSED:         memref.alloc(%{{.*}}, %{{.*}}) {{.*}} : memref<2x?x?xf32>
// UNFUSED-NOT:     scf.for

// PARAMS-LABEL: func @attention(
// PARAMS-SAME:    memref<2x?x64xf32>, %{{.*}}: memref<2x?x64xf32>, %{{.*}}: memref<2x?x64xf32>, %[[OUT:[a-z0-9]*]]: memref<2x?x64xf32>) {
// PARAMS-NOT:     memref.alloc(%

// LEVELS-LABEL: func @attention(
// LEVELS-NOT:     alloca
// LEVELS:         scf.for {{.*}} step %c32
func.func @attention(%q: tensor<2x?x64xf32>, %k: tensor<2x?x64xf32>, %v: tensor<2x?x64xf32>) -> tensor<2x?x64xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %q, %c1 : tensor<2x?x64xf32>
  %m = tensor.dim %k, %c1 : tensor<2x?x64xf32>
  %empty = tensor.empty(%n, %m) : tensor<2x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %kt_empty = tensor.empty(%m) : tensor<2x64x?xf32>
  %kt = linalg.transpose ins(%k : tensor<2x?x64xf32>) outs(%kt_empty : tensor<2x64x?xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x?x64xf32>, tensor<2x64x?xf32>)
      outs(%zeros : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x?x?xf32>)
      outs(%empty : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %out_empty = tensor.empty(%n) : tensor<2x?x64xf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x64xf32>)
      outs(%out : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  return %r : tensor<2x?x64xf32>
}
