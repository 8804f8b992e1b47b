// Products of ROWS rows, as decoding has them, on top of what is there: along the
// reduction both factors are contiguous, or only the first one is. `sed` fills in TYPE.

func.func @scores(%q: tensor<ROWSxDIMxTYPE>, %k: tensor<?xDIMxTYPE>, %init: tensor<ROWSx?xf32>) -> tensor<ROWSx?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<ROWSxDIMxTYPE>, tensor<?xDIMxTYPE>) outs(%init : tensor<ROWSx?xf32>) {
  ^bb0(%x: TYPE, %y: TYPE, %z: f32):
    %a = arith.extf %x : TYPE to f32
    %b = arith.extf %y : TYPE to f32
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %z, %p : f32
    linalg.yield %r : f32
  } -> tensor<ROWSx?xf32>
  return %0 : tensor<ROWSx?xf32>
}

func.func @sums(%p: tensor<ROWSx?xTYPE>, %v: tensor<?xDIMxTYPE>, %init: tensor<ROWSxDIMxf32>) -> tensor<ROWSxDIMxf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<ROWSx?xTYPE>, tensor<?xDIMxTYPE>) outs(%init : tensor<ROWSxDIMxf32>) {
  ^bb0(%x: TYPE, %y: TYPE, %z: f32):
    %a = arith.extf %x : TYPE to f32
    %b = arith.extf %y : TYPE to f32
    %p0 = arith.mulf %a, %b : f32
    %r = arith.addf %z, %p0 : f32
    linalg.yield %r : f32
  } -> tensor<ROWSxDIMxf32>
  return %0 : tensor<ROWSxDIMxf32>
}
