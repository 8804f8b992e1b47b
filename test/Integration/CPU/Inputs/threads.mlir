// What threads share: fused attention of groups of heads, causal and with a length for
// each batch; norms in front of products; and what no fusion takes: a product, an
// elementwise op, reductions of rows and of everything. All sizes are dynamic but the
// head dimension and the group.

#q = affine_map<(b, h, g, i, j, d) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d) -> (b, h, j, d)>
#s6 = affine_map<(b, h, g, i, j, d) -> (b, h, g, i, j)>
#s = affine_map<(b, h, g, i, j) -> (b, h, g, i, j)>
#length = affine_map<(b, h, g, i, j) -> (b)>
#p6 = affine_map<(b, h, g, i, d, j) -> (b, h, g, i, j)>
#v6 = affine_map<(b, h, g, i, d, j) -> (b, h, j, d)>
#o6 = affine_map<(b, h, g, i, d, j) -> (b, h, g, i, d)>

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

func.func @attention(%q: tensor<?x?x3x?x40xf32>, %k: tensor<?x?x?x40xf32>,
                     %v: tensor<?x?x?x40xf32>, %lengths: tensor<?xi32>)
    -> tensor<?x?x3x?x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x3x?x40xf32>
  %h = tensor.dim %q, %c1 : tensor<?x?x3x?x40xf32>
  %n = tensor.dim %q, %c3 : tensor<?x?x3x?x40xf32>
  %m = tensor.dim %k, %c2 : tensor<?x?x?x40xf32>
  %e = tensor.empty(%b, %h, %n, %m) : tensor<?x?x3x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x3x?x?xf32>) -> tensor<?x?x3x?x?xf32>
  %qk = linalg.generic {indexing_maps = [#q, #k, #s6], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x3x?x40xf32>, tensor<?x?x?x40xf32>)
      outs(%f : tensor<?x?x3x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x3x?x?xf32>
  %masked = linalg.generic {indexing_maps = [#s, #length, #s], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %lengths : tensor<?x?x3x?x?xf32>, tensor<?xi32>)
      outs(%e : tensor<?x?x3x?x?xf32>) {
  ^bb0(%x: f32, %length: i32, %o: f32):
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %end = arith.index_cast %length : i32 to index
    %before = arith.cmpi sle, %j, %i : index
    %within = arith.cmpi slt, %j, %end : index
    %visible = arith.andi %before, %within : i1
    %0 = arith.mulf %x, %scale : f32
    %1 = arith.select %visible, %0, %hidden : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x3x?x?xf32>
  %p = linalg.softmax dimension(4) ins(%masked : tensor<?x?x3x?x?xf32>)
      outs(%e : tensor<?x?x3x?x?xf32>) -> tensor<?x?x3x?x?xf32>
  %oe = tensor.empty(%b, %h, %n) : tensor<?x?x3x?x40xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x3x?x40xf32>) -> tensor<?x?x3x?x40xf32>
  %pv = linalg.generic {indexing_maps = [#p6, #v6, #o6], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<?x?x3x?x?xf32>, tensor<?x?x?x40xf32>)
      outs(%of : tensor<?x?x3x?x40xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x3x?x40xf32>
  return %pv : tensor<?x?x3x?x40xf32>
}

// A group of heads on many keys, with sizes that are known: decoding.
func.func @decode(%q: tensor<2x2x3x1x40xf32>, %k: tensor<2x2x5003x40xf32>,
                  %v: tensor<2x2x5003x40xf32>, %lengths: tensor<2xi32>)
    -> tensor<2x2x3x1x40xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x2x3x1x5003xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x1x5003xf32>) -> tensor<2x2x3x1x5003xf32>
  %qk = linalg.generic {indexing_maps = [#q, #k, #s6], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x2x3x1x40xf32>, tensor<2x2x5003x40xf32>)
      outs(%f : tensor<2x2x3x1x5003xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x2x3x1x5003xf32>
  %masked = linalg.generic {indexing_maps = [#s, #length, #s], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %lengths : tensor<2x2x3x1x5003xf32>, tensor<2xi32>)
      outs(%e : tensor<2x2x3x1x5003xf32>) {
  ^bb0(%x: f32, %length: i32, %o: f32):
    %j = linalg.index 4 : index
    %end = arith.index_cast %length : i32 to index
    %visible = arith.cmpi slt, %j, %end : index
    %0 = arith.mulf %x, %scale : f32
    %1 = arith.select %visible, %0, %hidden : f32
    linalg.yield %1 : f32
  } -> tensor<2x2x3x1x5003xf32>
  %p = linalg.softmax dimension(4) ins(%masked : tensor<2x2x3x1x5003xf32>)
      outs(%e : tensor<2x2x3x1x5003xf32>) -> tensor<2x2x3x1x5003xf32>
  %oe = tensor.empty() : tensor<2x2x3x1x40xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2x3x1x40xf32>) -> tensor<2x2x3x1x40xf32>
  %pv = linalg.generic {indexing_maps = [#p6, #v6, #o6], iterator_types =
      ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x2x3x1x5003xf32>, tensor<2x2x5003x40xf32>)
      outs(%of : tensor<2x2x3x1x40xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x2x3x1x40xf32>
  return %pv : tensor<2x2x3x1x40xf32>
}

// x / sqrt(mean(x^2) + eps) * gamma, times w.
func.func @norm_matmul(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>, %w: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %se = tensor.empty(%m) : tensor<?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%sf : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %ye = tensor.empty(%m, %k) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %gamma : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%ye : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %g: f32, %o: f32):
    %0 = arith.divf %s, %kf : f32
    %1 = arith.addf %0, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.mulf %3, %g : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  %re = tensor.empty(%m, %n) : tensor<?x?xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%rf : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// max(x w + bias, 0), and then the sum of each row, and the largest of all.
func.func @dense(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %bias: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %xw = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%xw, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %se = tensor.empty(%m) : tensor<?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.reduce ins(%r : tensor<?x?xf32>) outs(%sf : tensor<?xf32>) dimensions = [1]
      (%a: f32, %acc: f32) {
        %0 = arith.addf %acc, %a : f32
        linalg.yield %0 : f32
      }
  %le = tensor.empty() : tensor<f32>
  %lf = linalg.fill ins(%zero : f32) outs(%le : tensor<f32>) -> tensor<f32>
  %largest = linalg.reduce ins(%r : tensor<?x?xf32>) outs(%lf : tensor<f32>) dimensions = [0, 1]
      (%a: f32, %acc: f32) {
        %0 = arith.maximumf %acc, %a : f32
        linalg.yield %0 : f32
      }
  return %r, %sums, %largest : tensor<?x?xf32>, tensor<?xf32>, tensor<f32>
}
