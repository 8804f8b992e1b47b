// RUN: linalg-ext-opt %s -split-input-file \
// RUN:   --linalg-ext-normalize=patterns=split-sums | FileCheck %s

// Two softmaxes, the second one scaled, in f16: rounded as the sum was.

// CHECK-LABEL: func.func @difference
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x4xf16>
// CHECK: %[[P:.*]]:4 = linalg_ext.softmax
// CHECK: %[[R:.*]]:4 = linalg_ext.softmax
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[P]]#0 : tensor<6x?xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f16):
// CHECK-NEXT: %[[XH:.*]] = arith.truncf %[[X]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[XH]]
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[R]]#0, %{{.*}} : tensor<6x?xf32>, tensor<6xf32>)
// CHECK: %[[Y:.*]] = arith.mulf
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[Y]] : f32
// CHECK-NEXT: %[[NH:.*]] = arith.truncf %[[N]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[NH]]
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[O:.*]] = linalg.matmul ins(%[[A]], %[[V]] : {{.*}}) outs(%arg{{[0-9]+}} :
// CHECK: %[[U:.*]] = linalg.matmul ins(%[[B]], %[[V]] : {{.*}}) outs(%[[ZERO]] :
// CHECK: linalg.generic {{.*}} ins(%[[O]], %[[U]] :
// CHECK: arith.addf
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @difference(%a: tensor<6x?xf32>, %b: tensor<6x?xf32>, %v: tensor<?x4xf16>,
                      %l: tensor<6xf32>, %e: tensor<6x?xf32>, %eh: tensor<6x?xf16>,
                      %m: tensor<6xf32>, %init: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%a : tensor<6x?xf32>)
      outs(%e, %m, %m, %m : tensor<6x?xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
      -> tensor<6x?xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %r:4 = linalg_ext.softmax dimension(1) ins(%b : tensor<6x?xf32>)
      outs(%e, %m, %m, %m : tensor<6x?xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
      -> tensor<6x?xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p#0, %r#0, %l : tensor<6x?xf32>, tensor<6x?xf32>, tensor<6xf32>)
      outs(%eh : tensor<6x?xf16>) {
  ^bb0(%x: f32, %y: f32, %lambda: f32, %out: f16):
    %scaled = arith.mulf %y, %lambda : f32
    %z = arith.subf %x, %scaled : f32
    %h = arith.truncf %z : f32 to f16
    linalg.yield %h : f16
  } -> tensor<6x?xf16>
  %o = linalg.matmul ins(%d, %v : tensor<6x?xf16>, tensor<?x4xf16>)
      outs(%init : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %o : tensor<6x4xf32>
}

// -----

// Both terms have one softmax: it repairs their sum.

// CHECK-LABEL: func.func @negative_one_softmax
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT: linalg.matmul
// CHECK: return
#id = affine_map<(m, n) -> (m, n)>
func.func @negative_one_softmax(%a: tensor<6x9xf32>, %w: tensor<6x9xf32>,
                                %v: tensor<9x4xf32>, %e: tensor<6x9xf32>,
                                %m: tensor<6xf32>, %init: tensor<6x4xf32>)
    -> tensor<6x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%a : tensor<6x9xf32>)
      outs(%e, %m, %m, %m : tensor<6x9xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
      -> tensor<6x9xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p#0, %w : tensor<6x9xf32>, tensor<6x9xf32>) outs(%e : tensor<6x9xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %xy = arith.mulf %x, %y : f32
    %z = arith.addf %x, %xy : f32
    linalg.yield %z : f32
  } -> tensor<6x9xf32>
  %o = linalg.matmul ins(%d, %v : tensor<6x9xf32>, tensor<9x4xf32>)
      outs(%init : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %o : tensor<6x4xf32>
}
