// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --test-linalg-ext-plan='levels="forall(1,1,4)for(0,0,0,0,8)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// Attention that merges batch and heads for linalg.batch_matmul.

// CHECK-LABEL: func @main
// CHECK-NOT: _shape
// CHECK: linalg.generic
// CHECK: linalg_ext.softmax
// CHECK: linalg.generic
// CHECK-NOT: _shape

// The repair finds its rows: batch, head and query.
// PLAN: repair root 'linalg.generic': scale by the repair of 'linalg_ext.softmax'#0 along dims [0, 1, 2]
func.func @main(%q: tensor<2x3x10x8xf32>, %k: tensor<2x3x37x8xf32>, %v: tensor<2x3x37x8xf32>) -> tensor<2x3x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.35 : f32
  %kte = tensor.empty() : tensor<2x3x8x37xf32>
  %kt = linalg.transpose ins(%k : tensor<2x3x37x8xf32>) outs(%kte : tensor<2x3x8x37xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x10x8xf32> into tensor<6x10x8xf32>
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x8x37xf32> into tensor<6x8x37xf32>
  %se = tensor.empty() : tensor<6x10x37xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<6x10x37xf32>) -> tensor<6x10x37xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<6x10x8xf32>, tensor<6x8x37xf32>) outs(%sf : tensor<6x10x37xf32>) -> tensor<6x10x37xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 3, 10, 37] : tensor<6x10x37xf32> into tensor<2x3x10x37xf32>
  %e4 = tensor.empty() : tensor<2x3x10x37xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%s4 : tensor<2x3x10x37xf32>) outs(%e4 : tensor<2x3x10x37xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<2x3x10x37xf32>
  %p = linalg.softmax dimension(3) ins(%sc : tensor<2x3x10x37xf32>) outs(%e4 : tensor<2x3x10x37xf32>) -> tensor<2x3x10x37xf32>
  %pc = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x10x37xf32> into tensor<6x10x37xf32>
  %vc = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x37x8xf32> into tensor<6x37x8xf32>
  %oe = tensor.empty() : tensor<6x10x8xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x10x8xf32>) -> tensor<6x10x8xf32>
  %o = linalg.batch_matmul ins(%pc, %vc : tensor<6x10x37xf32>, tensor<6x37x8xf32>) outs(%of : tensor<6x10x8xf32>) -> tensor<6x10x8xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 10, 8] : tensor<6x10x8xf32> into tensor<2x3x10x8xf32>
  return %o4 : tensor<2x3x10x8xf32>
}

// A function of a reduced row is computed next to the reduction, not with the reduced
// dimension that the result keeps with size 1; dynamic rows.

// CHECK-LABEL: func @log_of_kept_row
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         %[[LOG:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[SUM]] : tensor<?xf32>)
// CHECK:           math.log
// CHECK:         tensor.expand_shape %[[LOG]] {{\[\[}}0, 1]]
func.func @log_of_kept_row(%x: tensor<?x64xf32>, %z: tensor<?xf32>, %n: index) -> tensor<?x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a)>], iterator_types = ["parallel","reduction"]} ins(%x : tensor<?x64xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %k = tensor.expand_shape %s [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %e2 = tensor.empty(%n) : tensor<?x1xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel","parallel"]} ins(%k : tensor<?x1xf32>) outs(%e2 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.log %a : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  return %l : tensor<?x1xf32>
}

// The result of a product keeps a dimension of size 1, a single query or a batch of one. What is
// computed from it comes before the dimension is added, next to the product.

// CHECK-LABEL: func @product_row
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[L:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<2x8xf32>)
// CHECK:           math.log
// CHECK:         tensor.expand_shape %[[L]] {{\[\[}}0, 1], [2]] output_shape [2, 1, 8]
func.func @product_row(%x: tensor<2x64xf32>, %y: tensor<64x8xf32>) -> tensor<2x1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = linalg.matmul ins(%x, %y : tensor<2x64xf32>, tensor<64x8xf32>) outs(%f : tensor<2x8xf32>) -> tensor<2x8xf32>
  %k = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 1, 8] : tensor<2x8xf32> into tensor<2x1x8xf32>
  %e2 = tensor.empty() : tensor<2x1x8xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(a,b,c)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%k : tensor<2x1x8xf32>) outs(%e2 : tensor<2x1x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.log %a : f32
    linalg.yield %r : f32
  } -> tensor<2x1x8xf32>
  return %l : tensor<2x1x8xf32>
}

// A transpose of it keeps the dimension.

// CHECK-LABEL: func @negative_transposed_product
// CHECK:         tensor.expand_shape
// CHECK:         math.log
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @negative_transposed_product(%x: tensor<2x64xf32>, %y: tensor<64x8xf32>) -> tensor<2x8x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = linalg.matmul ins(%x, %y : tensor<2x64xf32>, tensor<64x8xf32>) outs(%f : tensor<2x8xf32>) -> tensor<2x8xf32>
  %k = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 1, 8] : tensor<2x8xf32> into tensor<2x1x8xf32>
  %e2 = tensor.empty() : tensor<2x8x1xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(a,c,b)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%k : tensor<2x1x8xf32>) outs(%e2 : tensor<2x8x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.log %a : f32
    linalg.yield %r : f32
  } -> tensor<2x8x1xf32>
  return %l : tensor<2x8x1xf32>
}

// Between keys that were repeated for heads and the op that scales them, heads are merged
// and the batch is split. The scale is computed before the keys are repeated: dynamic sizes.

// CHECK-LABEL: func @scale_of_repeated
// CHECK-SAME:    %[[K:[a-z0-9]+]]: tensor<?x1x?x4xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[K]]
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<?x1x1x?x4xf32>)
// CHECK:           arith.mulf
// CHECK:         linalg.{{generic|broadcast}} {{.*}}ins(%[[S]] : tensor<?x1x1x?x4xf32>)
func.func @scale_of_repeated(%k: tensor<?x1x?x4xf32>, %b: index, %n: index) -> tensor<?x1x9x?x4xf32> {
  %half = arith.constant 0.35 : f32
  %re = tensor.empty(%b, %n) : tensor<?x1x9x?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b,h,g,n,d)->(b,h,n,d)>, affine_map<(b,h,g,n,d)->(b,h,g,n,d)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%k : tensor<?x1x?x4xf32>) outs(%re : tensor<?x1x9x?x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<?x1x9x?x4xf32>
  %heads = tensor.collapse_shape %r [[0], [1, 2], [3], [4]] : tensor<?x1x9x?x4xf32> into tensor<?x9x?x4xf32>
  %split = tensor.expand_shape %heads [[0, 1], [2], [3], [4]] output_shape [%b, 1, 9, %n, 4] : tensor<?x9x?x4xf32> into tensor<?x1x9x?x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b,u,g,n,d)->(b,u,g,n,d)>, affine_map<(b,u,g,n,d)->(b,u,g,n,d)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%split : tensor<?x1x9x?x4xf32>) outs(%re : tensor<?x1x9x?x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %half : f32
    linalg.yield %y : f32
  } -> tensor<?x1x9x?x4xf32>
  return %s : tensor<?x1x9x?x4xf32>
}

// Keys that were repeated for heads with a dimension of size 1 in between. The heads are
// split and the scale follows; the scale is computed first, and the dimension of size 1 is
// dropped before the keys are repeated.

// CHECK-LABEL: func @scale_of_repeated_with_kept_dim
// CHECK-SAME:    %[[K:[a-z0-9]+]]: tensor<?x1x?x4xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[K]] : tensor<?x1x?x4xf32>)
// CHECK:           arith.mulf
// CHECK:         %[[C:.*]] = tensor.collapse_shape {{.*}} into tensor<?x1x?x4xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<?x1x?x4xf32>)
// CHECK:         return %[[R]] : tensor<?x1x9x?x4xf32>
func.func @scale_of_repeated_with_kept_dim(%k: tensor<?x1x?x4xf32>, %b: index, %n: index) -> tensor<?x1x9x?x4xf32> {
  %scale = arith.constant 0.7 : f32
  %re = tensor.empty(%b, %n) : tensor<?x9x1x?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, d) -> (b, m, n, d)>, affine_map<(b, h, m, n, d) -> (b, h, m, n, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<?x1x?x4xf32>) outs(%re : tensor<?x9x1x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x9x1x?x4xf32>
  %e = tensor.expand_shape %r [[0], [1, 2], [3], [4], [5]] output_shape [%b, 1, 9, 1, %n, 4] : tensor<?x9x1x?x4xf32> into tensor<?x1x9x1x?x4xf32>
  %se = tensor.empty(%b, %n) : tensor<?x1x9x1x?x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, g, h, m, n, d) -> (b, g, h, m, n, d)>, affine_map<(b, g, h, m, n, d) -> (b, g, h, m, n, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%e : tensor<?x1x9x1x?x4xf32>) outs(%se : tensor<?x1x9x1x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %scale : f32
    linalg.yield %y : f32
  } -> tensor<?x1x9x1x?x4xf32>
  %m = tensor.collapse_shape %s [[0], [1], [2], [3, 4], [5]] : tensor<?x1x9x1x?x4xf32> into tensor<?x1x9x?x4xf32>
  return %m : tensor<?x1x9x?x4xf32>
}

// The dimension that is merged with another one is added by the broadcast, the other one is
// not: the broadcast stays in front of the reshape.

// CHECK-LABEL: func @negative_collapse_of_added_and_read_dim
// CHECK:         %[[B:.*]] = linalg.{{generic|broadcast}} {{.*}}outs({{.*}} : tensor<?x1x8xf32>)
// CHECK:         tensor.collapse_shape %[[B]]
func.func @negative_collapse_of_added_and_read_dim(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %e = tensor.empty(%n) : tensor<?x1x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x1x8xf32>
  %m = tensor.collapse_shape %r [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// A projection of rows that a view without their batch of one reads: what rounds the product
// follows it, and the batch is added behind.

// CHECK-LABEL: func @rounded_product(
//       CHECK:   %[[P:.+]] = linalg.{{generic|matmul}} {{.*}}outs(%{{.*}} : tensor<5x6xf32>)
//       CHECK:   %[[R:.+]] = linalg.generic {{.*}} ins(%[[P]] : tensor<5x6xf32>) outs(%{{.*}} : tensor<5x6xbf16>)
//       CHECK:   tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [1, 5, 6]
func.func @rounded_product(%x: tensor<1x5x8xbf16>, %w: tensor<8x6xbf16>) -> tensor<1x5x6xbf16> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x5x8xbf16> into tensor<5x8xbf16>
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<5x8xbf16>, tensor<8x6xbf16>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %eh = tensor.empty() : tensor<5x6xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x6xf32>) outs(%eh : tensor<5x6xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<5x6xbf16>
  %y = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 5, 6] : tensor<5x6xbf16> into tensor<1x5x6xbf16>
  return %y : tensor<1x5x6xbf16>
}
