// Elements of other tiles are read, too: the buffer must not be overwritten while it is read,
// although the program says that nothing else is a tensor of it.

// RUN: linalg-ext-check-program %s

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

func.func @symmetric(%x: memref<133x133xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<133x133xf32> to tensor<133x133xf32>
  %e = tensor.empty() : tensor<133x133xf32>
  %p = linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %t : tensor<133x133xf32>, tensor<133x133xf32>) outs(%e : tensor<133x133xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<133x133xf32>
  bufferization.materialize_in_destination %p in restrict writable %x : (tensor<133x133xf32>, memref<133x133xf32>) -> ()
  return
}
