// The log-sum-exp is asked for before fusion: the loops hold a softmax of tiles.
//
// RUN: linalg-ext-opt %s --linalg-ext-raise=return-log-sum-exp --linalg-ext-tile-and-fuse='levels=for(0,0,4)' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels=for(0,0,4)' --linalg-ext-raise=return-log-sum-exp --verify-diagnostics -o /dev/null

// CHECK: func.func @attention({{.*}}) -> (tensor<6x5xf32>, tensor<6xf32>)
// expected-error @below {{cannot return the log-sum-exp: expected every softmax in the body of the function, got one in 'scf.for': ask for it before the softmax is fused}}
func.func @attention(%s: tensor<6x10xf32>, %v: tensor<10x5xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<6x10xf32>
  %re = tensor.empty() : tensor<6xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%re : tensor<6xf32>) -> tensor<6xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<6xf32>) -> tensor<6xf32>
  // expected-note @below {{it is this one}}
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<6x10xf32>)
      outs(%pe, %m0, %l0, %re : tensor<6x10xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
      -> tensor<6x10xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %oe = tensor.empty() : tensor<6x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x5xf32>) -> tensor<6x5xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<6x10xf32>, tensor<10x5xf32>) outs(%o0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %o : tensor<6x5xf32>
}
