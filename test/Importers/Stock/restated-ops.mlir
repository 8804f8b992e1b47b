// Ops that say in another way what loops fuse: a mask by tensor.generate, poolings, packed
// operands, a concatenation with nothing.

// RUN: linalg-ext-check-program %s --entry=generate_mask --max-buffer-bytes=4995 --max-kernels=1 \
// RUN:   --keys=16
// RUN: linalg-ext-check-program %s --entry=pooled_queries --max-buffer-bytes=3072 --max-kernels=1 \
// RUN:   --keys=16
// RUN: linalg-ext-check-program %s --entry=packed_product --max-kernels=4 --max-buffer-bytes=12352
// RUN: linalg-ext-check-program %s --entry=no_more_rows --max-kernels=1 --max-buffer-bytes=0

func.func @generate_mask(%q: tensor<3x37x16xf32>, %k: tensor<3x45x16xf32>, %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %m = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c = arith.cmpi sge, %i, %j : index
    %x = arith.select %c, %zero, %ninf : f32
    tensor.yield %x : f32
  } : tensor<37x45xf32>
  %kt0 = tensor.empty() : tensor<3x16x45xf32>
  %kt = linalg.transpose ins(%k : tensor<3x45x16xf32>) outs(%kt0 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %s0 = tensor.empty() : tensor<3x37x45xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s2 = linalg.batch_matmul ins(%q, %kt : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%s1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %mb = linalg.broadcast ins(%m : tensor<37x45xf32>) outs(%s0 : tensor<3x37x45xf32>) dimensions = [0]
  %s3 = linalg.add ins(%s2, %mb : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %p = linalg.softmax dimension(2) ins(%s3 : tensor<3x37x45xf32>) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %o0 = tensor.empty() : tensor<3x37x16xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%o1 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %y : tensor<3x37x16xf32>
}

// Queries are the maxima of windows of 2 x 2, which do not overlap (Hiera).
func.func @pooled_queries(%q: tensor<3x8x8x16xf32>, %k: tensor<3x64x16xf32>, %v: tensor<3x64x16xf32>) -> tensor<3x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %m0 = tensor.empty() : tensor<3x4x4x16xf32>
  %m1 = linalg.fill ins(%ninf : f32) outs(%m0 : tensor<3x4x4x16xf32>) -> tensor<3x4x4x16xf32>
  %m2 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%q, %w : tensor<3x8x8x16xf32>, tensor<2x2xf32>) outs(%m1 : tensor<3x4x4x16xf32>) -> tensor<3x4x4x16xf32>
  %m = tensor.collapse_shape %m2 [[0], [1, 2], [3]] : tensor<3x4x4x16xf32> into tensor<3x16x16xf32>
  %kt0 = tensor.empty() : tensor<3x16x64xf32>
  %kt = linalg.transpose ins(%k : tensor<3x64x16xf32>) outs(%kt0 : tensor<3x16x64xf32>) permutation = [0, 2, 1]
  %s0 = tensor.empty() : tensor<3x16x64xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x16x64xf32>) -> tensor<3x16x64xf32>
  %s2 = linalg.batch_matmul ins(%m, %kt : tensor<3x16x16xf32>, tensor<3x16x64xf32>) outs(%s1 : tensor<3x16x64xf32>) -> tensor<3x16x64xf32>
  %p = linalg.softmax dimension(2) ins(%s2 : tensor<3x16x64xf32>) outs(%s0 : tensor<3x16x64xf32>) -> tensor<3x16x64xf32>
  %o0 = tensor.empty() : tensor<3x16x16xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<3x16x64xf32>, tensor<3x64x16xf32>) outs(%o1 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  return %y : tensor<3x16x16xf32>
}

func.func @packed_product(%a: tensor<40x24xf32>, %b: tensor<24x33xf32>) -> tensor<40x33xf32> {
  %zero = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<5x3x8x8xf32>
  %ap = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %ae : tensor<40x24xf32> -> tensor<5x3x8x8xf32>
  %be = tensor.empty() : tensor<3x3x8x16xf32>
  %bp = linalg.pack %b padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %be : tensor<24x33xf32> -> tensor<3x3x8x16xf32>
  %ce = tensor.empty() : tensor<5x3x8x16xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<5x3x8x16xf32>) -> tensor<5x3x8x16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j, k, a, b, c) -> (i, k, a, c)>, affine_map<(i, j, k, a, b, c) -> (k, j, c, b)>, affine_map<(i, j, k, a, b, c) -> (i, j, a, b)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ap, %bp : tensor<5x3x8x8xf32>, tensor<3x3x8x16xf32>) outs(%cf : tensor<5x3x8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.mulf %x, %y : f32
    %w = arith.addf %o, %z : f32
    linalg.yield %w : f32
  } -> tensor<5x3x8x16xf32>
  %oe = tensor.empty() : tensor<40x33xf32>
  %o = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %oe : tensor<5x3x8x16xf32> -> tensor<40x33xf32>
  return %o : tensor<40x33xf32>
}

func.func @no_more_rows(%a: tensor<3x8xf32>, %none: tensor<0x8xf32>, %w: tensor<8x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.concat dim(0) %a, %none : (tensor<3x8xf32>, tensor<0x8xf32>) -> tensor<3x8xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.matmul ins(%rows, %w : tensor<3x8xf32>, tensor<8x5xf32>) outs(%f : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
