// The cross entropy of a product of unknown sizes, whose last columns are padding
// and hidden: whole tiles of them are -inf. Logits are large.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4224 --max-kernels=2 \
// RUN:   --keys=16 --sizes=45x72,137x72,45
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4224 --max-kernels=2 \
// RUN:   --keys=16 --sizes=1x8,300x8,1
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4224 --max-kernels=2 \
// RUN:   --sizes=20x200,333x200,20 --targets=gpu

#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#nk = affine_map<(d0, d1, d2) -> (d1, d2)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>
func.func @linear_cross_entropy_dynamic(%a: tensor<?x?xf16> {check.draw = "uniform -12 12"},
                %b: tensor<?x?xf16>, 
                %at: tensor<?xi32> {check.draw = "uniform 0 36"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf16>
  %v = tensor.dim %b, %c0 : tensor<?x?xf16>
  %e = tensor.empty(%n, %v) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%l: f16, %r: f16, %acc: f32):
    %lw = arith.extf %l : f16 to f32
    %rw = arith.extf %r : f16 to f32
    %p = arith.mulf %lw, %rw : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  %limit = arith.constant 37 : index
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %j, %limit : index
    %t = arith.select %c, %x, %low : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<?x?xf32>) outs(%f1 : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.maximumf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %max: f32, %o: f32):
    %t = arith.subf %x, %max : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<?x?xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<?x?xf32>) outs(%f2 : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %loss = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%at, %m, %l : tensor<?xi32>, tensor<?xf32>, tensor<?xf32>) outs(%e1 : tensor<?xf32>) {
  ^bb0(%to: i32, %max: f32, %sum: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i32 to index
    %t = tensor.extract %h[%i, %j] : tensor<?x?xf32>
    %u = math.log %sum : f32
    %v2 = arith.addf %u, %max : f32
    %w = arith.subf %v2, %t : f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  return %loss : tensor<?xf32>
}
