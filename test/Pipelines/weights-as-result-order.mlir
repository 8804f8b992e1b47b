// Weights that are a result are multiplied by a mask that is computed behind the softmax, and
// reduced before the product: their copies are computed where the mask is. Else the kernels of
// the function fell back.

// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=report=all -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="falls back"

// CHECK: remark: fused

#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%q: tensor<8x64xf32>, %k: tensor<64x300xf32>, %vv: tensor<300x1040xf32>, %dr: tensor<4x300xf32>) -> (tensor<8x1040xf32>, tensor<8x300xf32>, tensor<8xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<8xf32>
  %ew = tensor.empty() : tensor<8x300xf32>
  %eo = tensor.empty() : tensor<8x1040xf32>
  %xf = linalg.fill ins(%zero : f32) outs(%ew : tensor<8x300xf32>) -> tensor<8x300xf32>
  %x = linalg.matmul ins(%q, %k : tensor<8x64xf32>, tensor<64x300xf32>) outs(%xf : tensor<8x300xf32>) -> tensor<8x300xf32>
  %maxf = linalg.fill ins(%ninf : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#id, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x300xf32>) outs(%maxf : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %h = arith.maximumf %v, %o : f32
    linalg.yield %h : f32
  } -> tensor<8xf32>
  %sumf = linalg.fill ins(%zero : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %max : tensor<8x300xf32>, tensor<8xf32>) outs(%sumf : tensor<8xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %s = arith.subf %v, %m : f32
    %e = math.exp %s : f32
    %h = arith.addf %e, %o : f32
    linalg.yield %h : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #i, #i, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max, %sum : tensor<8x300xf32>, tensor<8xf32>, tensor<8xf32>) outs(%ew : tensor<8x300xf32>) {
  ^bb0(%v: f32, %m: f32, %l: f32, %o: f32):
    %s = arith.subf %v, %m : f32
    %e = math.exp %s : f32
    %d = arith.divf %e, %l : f32
    linalg.yield %d : f32
  } -> tensor<8x300xf32>
  %dd = tensor.concat dim(0) %dr, %dr : (tensor<4x300xf32>, tensor<4x300xf32>) -> tensor<8x300xf32>
  %of = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x1040xf32>) -> tensor<8x1040xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %dd : tensor<8x300xf32>, tensor<8x300xf32>) outs(%ew : tensor<8x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x300xf32>
  %wmf = linalg.fill ins(%ninf : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %wm = linalg.generic {indexing_maps = [#id, #i], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<8x300xf32>) outs(%wmf : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %h = arith.maximumf %v, %o : f32
    linalg.yield %h : f32
  } -> tensor<8xf32>
  %o = linalg.matmul ins(%w, %vv : tensor<8x300xf32>, tensor<300x1040xf32>) outs(%of : tensor<8x1040xf32>) -> tensor<8x1040xf32>
  return %o, %w, %wm : tensor<8x1040xf32>, tensor<8x300xf32>, tensor<8xf32>
}
