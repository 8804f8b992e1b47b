// Queries, keys and values are parts of one projection of any number of rows;
// there are fewer than a tile of keys has.

// RUN: linalg-ext-check-program %s --sizes=1x22x27 --max-buffer-bytes=2903 \
// RUN:   --max-kernels=1 --keys=32

func.func @packed_few_keys(%qkv: tensor<1x?x27xf32>) -> tensor<1x3x?x5xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %qkv, %c1 : tensor<1x?x27xf32>
  %qs = tensor.extract_slice %qkv[0, 0, 0] [1, %n, 6] [1, 1, 1] : tensor<1x?x27xf32> to tensor<1x?x6xf32>
  %ks = tensor.extract_slice %qkv[0, 0, 6] [1, %n, 6] [1, 1, 1] : tensor<1x?x27xf32> to tensor<1x?x6xf32>
  %vs = tensor.extract_slice %qkv[0, 0, 12] [1, %n, 15] [1, 1, 1] : tensor<1x?x27xf32> to tensor<1x?x15xf32>
  %qh = tensor.expand_shape %qs [[0], [1], [2, 3]] output_shape [1, %n, 3, 2] : tensor<1x?x6xf32> into tensor<1x?x3x2xf32>
  %kh = tensor.expand_shape %ks [[0], [1], [2, 3]] output_shape [1, %n, 3, 2] : tensor<1x?x6xf32> into tensor<1x?x3x2xf32>
  %vh = tensor.expand_shape %vs [[0], [1], [2, 3]] output_shape [1, %n, 3, 5] : tensor<1x?x15xf32> into tensor<1x?x3x5xf32>
  %qe = tensor.empty(%n) : tensor<1x3x?x2xf32>
  %q = linalg.transpose ins(%qh : tensor<1x?x3x2xf32>) outs(%qe : tensor<1x3x?x2xf32>) permutation = [0, 2, 1, 3]
  %ke = tensor.empty(%n) : tensor<1x3x2x?xf32>
  %k = linalg.transpose ins(%kh : tensor<1x?x3x2xf32>) outs(%ke : tensor<1x3x2x?xf32>) permutation = [0, 2, 3, 1]
  %ve = tensor.empty(%n) : tensor<1x3x?x5xf32>
  %v = linalg.transpose ins(%vh : tensor<1x?x3x5xf32>) outs(%ve : tensor<1x3x?x5xf32>) permutation = [0, 2, 1, 3]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x?x2xf32> into tensor<3x?x2xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<1x3x2x?xf32> into tensor<3x2x?xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x?x5xf32> into tensor<3x?x5xf32>
  %se = tensor.empty(%n, %n) : tensor<3x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %s = linalg.batch_matmul ins(%q3, %k3 : tensor<3x?x2xf32>, tensor<3x2x?xf32>) outs(%sf : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %pe = tensor.empty(%n, %n) : tensor<3x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x?x?xf32>) outs(%pe : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %oe = tensor.empty(%n) : tensor<3x?x5xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x?x5xf32>) -> tensor<3x?x5xf32>
  %o = linalg.batch_matmul ins(%p, %v3 : tensor<3x?x?xf32>, tensor<3x?x5xf32>) outs(%of : tensor<3x?x5xf32>) -> tensor<3x?x5xf32>
  %r = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [1, 3, %n, 5] : tensor<3x?x5xf32> into tensor<1x3x?x5xf32>
  return %r : tensor<1x3x?x5xf32>
}
