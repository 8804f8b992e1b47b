// RUN: linalg-ext-opt %s --linalg-ext-raise=return-log-sum-exp --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-raise{return-log-sum-exp})' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-raise=return-log-sum-exp --linalg-ext-tile-and-fuse='levels="forall(1)for(0,0,4)"' --split-input-file -o /dev/null

// CHECK-LABEL: func @attention
//  CHECK-SAME: -> (tensor<?x8xf32>, tensor<?xf32>)
//       CHECK: %[[P:.*]]:4 = linalg_ext.softmax
//       CHECK: %[[LSE:.*]] = linalg.generic {{.*}} ins(%[[P]]#1, %[[P]]#2 :
//       CHECK:   math.log
//       CHECK: %[[O:.*]] = linalg.matmul
//       CHECK: return %[[O]], %[[LSE]]
func.func @attention(%x: tensor<?x16xf16>, %v: tensor<16x8xf16>, %y: tensor<?x16xf16>,
                     %m: tensor<?xf32>, %l: tensor<?xf32>, %s: tensor<?xf32>,
                     %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x16xf16>)
      outs(%y, %m, %l, %s : tensor<?x16xf16>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      -> tensor<?x16xf16>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %r = linalg.matmul ins(%p#0, %v : tensor<?x16xf16>, tensor<16x8xf16>) outs(%o : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// A function without one stays as it is but for its calls.

// CHECK-LABEL: func @caller
//  CHECK-SAME: -> tensor<?x8xf32> {
//       CHECK: %[[R:.*]]:2 = call @attention({{.*}}) {note} : {{.*}} -> (tensor<?x8xf32>, tensor<?xf32>)
//       CHECK: return %[[R]]#0
func.func @caller(%x: tensor<?x16xf16>, %v: tensor<16x8xf16>, %y: tensor<?x16xf16>,
                  %m: tensor<?xf32>, %l: tensor<?xf32>, %s: tensor<?xf32>,
                  %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = call @attention(%x, %v, %y, %m, %l, %s, %o) {note}
      : (tensor<?x16xf16>, tensor<16x8xf16>, tensor<?x16xf16>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

//       CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// -----

// Of several, in program order.

// CHECK-LABEL: func @two
//  CHECK-SAME: -> (tensor<3x4xf32>, tensor<3xf32>, tensor<4xf32>)
//       CHECK: %[[P:.*]]:4 = linalg_ext.softmax dimension(1)
//       CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[P]]#1, %[[P]]#2 :
//       CHECK: %[[Q:.*]]:4 = linalg_ext.softmax dimension(0)
//       CHECK: %[[SECOND:.*]] = linalg.generic {{.*}} ins(%[[Q]]#1, %[[Q]]#2 :
//       CHECK: return %[[Q]]#0, %[[FIRST]], %[[SECOND]]
func.func @two(%x: tensor<3x4xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  %q:4 = linalg_ext.softmax dimension(0) ins(%p#0 : tensor<3x4xf32>)
      outs(%x, %b, %b, %b : tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %q#0 : tensor<3x4xf32>
}
