// Programs that amd-kernels.py compiles for each AMD chip.

func.func @matmul(%a: tensor<?x512xf16>, %b: tensor<512x1024xf16>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x512xf16>
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x512xf16>, tensor<512x1024xf16>)
    outs(%f : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}

func.func @softmax(%x: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x1024xf32>
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x1024xf32>)
    outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}

func.func @layer_norm(%x: tensor<?x768xf32>, %gain: tensor<768xf32>, %bias: tensor<768xf32>) -> tensor<?x768xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 768.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %m = tensor.dim %x, %c0 : tensor<?x768xf32>
  %rows = tensor.empty(%m) : tensor<?xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x768xf32>) outs(%sums : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %square = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<?x768xf32>, tensor<?xf32>) outs(%sums : tensor<?xf32>) {
  ^bb0(%a: f32, %total: f32, %o: f32):
    %mean = arith.divf %total, %width : f32
    %d = arith.subf %a, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %s = arith.addf %o, %dd : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %e = tensor.empty(%m) : tensor<?x768xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>,
                       affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %square, %gain, %bias : tensor<?x768xf32>, tensor<?xf32>, tensor<?xf32>, tensor<768xf32>, tensor<768xf32>)
      outs(%e : tensor<?x768xf32>) {
  ^bb0(%a: f32, %total: f32, %squares: f32, %g: f32, %b: f32, %o: f32):
    %mean = arith.divf %total, %width : f32
    %variance = arith.divf %squares, %width : f32
    %shifted = arith.addf %variance, %epsilon : f32
    %scale = math.rsqrt %shifted : f32
    %d = arith.subf %a, %mean : f32
    %n = arith.mulf %d, %scale : f32
    %t = arith.mulf %n, %g : f32
    %r = arith.addf %t, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x768xf32>
  return %y : tensor<?x768xf32>
}
