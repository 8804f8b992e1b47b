// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4,5)for(0,0,4)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,4)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=REDUCTION
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4,5)for(0,0,4)" fuse-consumers explain=json' -o %t 2>&1 | FileCheck %s --check-prefix=JSON

// What follows the root and stays behind its loops says why.
// CHECK: follow 'linalg.add' into level 1
// CHECK: leave 'linalg.generic': tiles of what it follows belong to different tiles of it
// CHECK: follow 'linalg.reduce' into level 0, not further: it reduces a dimension that the loops cut
// CHECK: leave 'linalg.reduce': it reduces, and does not start from a filled tensor
// CHECK: leave 'linalg.matmul': it reduces more than what it follows
// CHECK: leave 'linalg.sub': it needs 'linalg.matmul', which waits for the loops
// CHECK: leave 'tensor.extract_slice': it is neither elementwise nor a reshape
// CHECK: leave 'linalg.exp': it writes over what it follows
// CHECK: leave 'tensor.collapse_shape': nothing that is fused follows it

// REDUCTION: leave 'linalg.add': the outermost level cuts a reduction: its tiles are not final

// JSON: "consumers":[{"levels":2,"location":"{{[^"]*}}","op":"linalg.add"},{"levels":0,{{.*}}"op":"linalg.generic","reason":"tiles of what it follows belong to different tiles of it"}

func.func @stay(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<8x8xf32>, %y: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.add ins(%o, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%o, %o : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %unused: f32):
    %lr = arith.mulf %l, %r : f32
    linalg.yield %lr : f32 } -> tensor<8x8xf32>
  %v = tensor.empty() : tensor<8xf32>
  %vf = linalg.fill ins(%zero : f32) outs(%v : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce {arith.addf} ins(%o : tensor<8x8xf32>) outs(%vf : tensor<8xf32>) dimensions = [1]
  %more = linalg.reduce {arith.addf} ins(%o : tensor<8x8xf32>) outs(%y : tensor<8xf32>) dimensions = [1]
  %n = linalg.matmul ins(%x, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.sub ins(%o, %n : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %o[0, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %w = linalg.exp ins(%x : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %p, %t, %sum, %more, %d, %s, %w, %c : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<64xf32>
}
