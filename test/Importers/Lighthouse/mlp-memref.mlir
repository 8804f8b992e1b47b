// Two products and a ReLU by linalg.elementwise, from memref to memref.

// RUN: linalg-ext-check-program %s

func.func @mlp(%x: memref<37x24xf32>, %w1: memref<24x40xf32>, %w2: memref<40x24xf32>, %out: memref<37x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<37x24xf32> to tensor<37x24xf32>
  %a = bufferization.to_tensor %w1 restrict : memref<24x40xf32> to tensor<24x40xf32>
  %b = bufferization.to_tensor %w2 restrict : memref<40x24xf32> to tensor<40x24xf32>
  %e = tensor.empty() : tensor<37x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<37x40xf32>) -> tensor<37x40xf32>
  %h = linalg.matmul ins(%xt, %a : tensor<37x24xf32>, tensor<24x40xf32>) outs(%f : tensor<37x40xf32>) -> tensor<37x40xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
      ins(%h, %f : tensor<37x40xf32>, tensor<37x40xf32>) outs(%e : tensor<37x40xf32>) -> tensor<37x40xf32>
  %e2 = tensor.empty() : tensor<37x24xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %o = linalg.matmul ins(%r, %b : tensor<37x40xf32>, tensor<40x24xf32>) outs(%f2 : tensor<37x24xf32>) -> tensor<37x24xf32>
  bufferization.materialize_in_destination %o in restrict writable %out : (tensor<37x24xf32>, memref<37x24xf32>) -> ()
  return
}
