// Functions for host.py: what linalg_ext.compile must know how to call.

// Attention of any size, with a mask of i1 and a scale.
#qd = affine_map<(b, m, n, d) -> (b, m, d)>
#kd = affine_map<(b, m, n, d) -> (b, n, d)>
#mn = affine_map<(b, m, n, d) -> (b, m, n)>
#mx = affine_map<(b, m, n) -> (b, m, n)>
func.func @attention(%q: tensor<?x?x32xf32>, %k: tensor<?x?x32xf32>,
                     %v: tensor<?x?x32xf32>, %mask: tensor<?x?x?xi1>,
                     %scale: f32) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x32xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x32xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x32xf32>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#qd, #kd, #mn],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x32xf32>, tensor<?x?x32xf32>) outs(%z : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %t = linalg.generic {indexing_maps = [#mx, #mx, #mx],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<?x?x?xf32>, tensor<?x?x?xi1>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %seen: i1, %o: f32):
    %p = arith.mulf %x, %scale : f32
    %r = arith.select %seen, %p, %hidden : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %oe = tensor.empty(%b, %m) : tensor<?x?x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<?x?x?xf32>, tensor<?x?x32xf32>)
      outs(%oz : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %o : tensor<?x?x32xf32>
}

// Two buffers and numbers, of several types.
#x = affine_map<(i) -> (i)>
func.func @several(%x: tensor<?xf16>, %n: i32, %yes: i1) -> (tensor<?xf16>, i32, f64, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf16>
  %e = tensor.empty(%size) : tensor<?xf16>
  %i = tensor.empty(%size) : tensor<?xi64>
  %a:2 = linalg.generic {indexing_maps = [#x, #x, #x], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf16>) outs(%e, %i : tensor<?xf16>, tensor<?xi64>) {
  ^bb0(%v: f16, %o: f16, %p: i64):
    %w = arith.addf %v, %v : f16
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i64
    linalg.yield %w, %k : f16, i64
  } -> (tensor<?xf16>, tensor<?xi64>)
  %c7 = arith.constant 7 : i32
  %m = arith.addi %n, %c7 : i32
  %half = arith.constant 0.5 : f64
  %two = arith.constant 2.0 : f64
  %f = arith.select %yes, %half, %two : f64
  return %a#0, %m, %f, %a#1 : tensor<?xf16>, i32, f64, tensor<?xi64>
}

// A number alone is returned in a register; arguments may have none.
func.func @answer() -> i64 {
  %c = arith.constant 42 : i64
  return %c : i64
}

// bf16, and a buffer without dimensions.
func.func @scale(%x: tensor<?x3xbf16>, %f: tensor<bf16>) -> tensor<?x3xbf16> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x3xbf16>
  %e = tensor.empty(%size) : tensor<?x3xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<?x3xbf16>, tensor<bf16>) outs(%e : tensor<?x3xbf16>) {
  ^bb0(%v: bf16, %g: bf16, %o: bf16):
    %w = arith.mulf %v, %g : bf16
    linalg.yield %w : bf16
  } -> tensor<?x3xbf16>
  return %r : tensor<?x3xbf16>
}

// Buffers: one is read with strides, the other written.
func.func @transpose(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?x?xf32>) {
  linalg.transpose ins(%x : memref<?x?xf32, strided<[?, ?], offset: ?>>)
      outs(%y : memref<?x?xf32>) permutation = [1, 0]
  return
}
