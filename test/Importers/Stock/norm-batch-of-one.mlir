// A norm of a batch of one, whose rows keep their last dimension and are read at 0 of the
// batch: elements and their sum are read by the same op. The sums are read by the loop of
// the batch instead, so that no reshape is between them and the elements.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5320 --max-kernels=1

#id = affine_map<(b,i,j) -> (b,i,j)>
#kept = affine_map<(b,i,j) -> (b,i,0)>
#first = affine_map<(b,i,j) -> (0,i,0)>
func.func @norm_batch_of_one(%x: tensor<1x133x40xf32>, %g: tensor<1x133x40xf32>) -> tensor<1x133x40xf32> {
  %small = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<1x133x1xf32>
  %full = tensor.empty() : tensor<1x133x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<1x133x1xf32>) -> tensor<1x133x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %g : tensor<1x133x40xf32>, tensor<1x133x40xf32>) outs(%full : tensor<1x133x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = math.absf %m : f32
    linalg.yield %r : f32
  } -> tensor<1x133x40xf32>
  %sum = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<1x133x40xf32>) outs(%zeros : tensor<1x133x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x133x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<1x133x40xf32>, tensor<1x133x1xf32>) outs(%full : tensor<1x133x40xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %p = arith.addf %s, %small : f32
    %r = arith.divf %a, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x133x40xf32>
  return %y : tensor<1x133x40xf32>
}
