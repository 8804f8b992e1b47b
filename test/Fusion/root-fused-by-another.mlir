// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)"' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" fuse-consumers' | FileCheck %s

// The first root is a producer of the second, which the first fusion leaves, and
// the other way round: a root that is gone is not fused again.

// CHECK-LABEL: func @first_feeds_second
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matmul
//       CHECK:   return
func.func @first_feeds_second(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<6x5xf32>, %x: tensor<8x6xf32>, %y: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%x : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.matmul {linalg_ext.root} ins(%0, %c : tensor<8x6xf32>, tensor<6x5xf32>) outs(%y : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

// CHECK-LABEL: func @consumer_is_a_root
//       CHECK:   linalg.matmul
//       CHECK:   linalg.exp
//       CHECK:   return
func.func @consumer_is_a_root(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %x: tensor<8x6xf32>, %y: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%x : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.exp {linalg_ext.root} ins(%0 : tensor<8x6xf32>) outs(%y : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
