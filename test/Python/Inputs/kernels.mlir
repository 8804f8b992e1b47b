// For gpu.py: attention of f16 of any size, and a softmax with a temporary and a number.

#qd = affine_map<(b, m, n, d) -> (b, m, d)>
#kd = affine_map<(b, m, n, d) -> (b, n, d)>
#mn = affine_map<(b, m, n, d) -> (b, m, n)>
#mx = affine_map<(b, m, n) -> (b, m, n)>
func.func @attention(%q: tensor<?x?x64xf16>, %k: tensor<?x?x64xf16>,
                     %v: tensor<?x?x64xf16>, %scale: f32) -> tensor<?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf16>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %h = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#qd, #kd, #mn],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf16>, tensor<?x?x64xf16>) outs(%z : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %p = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %t = linalg.generic {indexing_maps = [#mx, #mx],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = arith.mulf %x, %scale : f32
    linalg.yield %p : f32
  } -> tensor<?x?x?xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %n16 = linalg.generic {indexing_maps = [#mx, #mx],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<?x?x?xf32>) outs(%h : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %p = arith.truncf %x : f32 to f16
    linalg.yield %p : f16
  } -> tensor<?x?x?xf16>
  %fe = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%fe : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %o = linalg.batch_matmul ins(%n16, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>)
      outs(%fz : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %oe = tensor.empty(%b, %m) : tensor<?x?x64xf16>
  %r = linalg.generic {indexing_maps = [#mx, #mx],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<?x?x64xf32>) outs(%oe : tensor<?x?x64xf16>) {
  ^bb0(%x: f32, %u: f16):
    %p = arith.truncf %x : f32 to f16
    linalg.yield %p : f16
  } -> tensor<?x?x64xf16>
  return %r : tensor<?x?x64xf16>
}

// Both products of a network, one after the other: a temporary buffer.
func.func @two_products(%x: tensor<?x256xf16>, %a: tensor<256x512xf16>, %c: tensor<512x128xf16>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x256xf16>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = linalg.matmul ins(%x, %a : tensor<?x256xf16>, tensor<256x512xf16>) outs(%z : tensor<?x512xf32>) -> tensor<?x512xf32>
  %h = arith.truncf %y : tensor<?x512xf32> to tensor<?x512xf16>
  %oe = tensor.empty(%m) : tensor<?x128xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x128xf32>) -> tensor<?x128xf32>
  %o = linalg.matmul ins(%h, %c : tensor<?x512xf16>, tensor<512x128xf16>) outs(%oz : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %o : tensor<?x128xf32>
}
