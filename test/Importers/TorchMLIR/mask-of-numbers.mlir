// Masks of numbers: what is hidden is 1 times the least number of f32, and what is not is 0
// times it. Asynchronous products that start from biases would divide it by the scale, to
// infinity.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=8000 --keys=64

func.func @hidden_by_triangle(%q: tensor<1x64x64xf16>, %k: tensor<1x128x64xf16>, %v: tensor<1x128x64xf16>) -> tensor<1x64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %min = arith.constant -3.40282347E+38 : f32
  %s_e = tensor.empty() : tensor<1x64x128xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %s = linalg.contract indexing_maps = [affine_map<(h, i, j, d) -> (h, i, d)>, affine_map<(h, i, j, d) -> (h, j, d)>, affine_map<(h, i, j, d) -> (h, i, j)>]
      ins(%q, %k : tensor<1x64x64xf16>, tensor<1x128x64xf16>) outs(%s_0 : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x64x128xf32>) outs(%s_e : tensor<1x64x128xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %r = arith.mulf %x0, %scale : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sgt, %j, %i : index
    %f = arith.uitofp %c : i1 to f32
    %b = arith.mulf %f, %min : f32
    %y = arith.addf %r, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x64x128xf32>
  %w = linalg.softmax dimension(2) ins(%m : tensor<1x64x128xf32>) outs(%s_e : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %wn_e = tensor.empty() : tensor<1x64x128xf16>
  %wn = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<1x64x128xf32>) outs(%wn_e : tensor<1x64x128xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x64x128xf16>
  %p_e = tensor.empty() : tensor<1x64x64xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %p = linalg.contract indexing_maps = [affine_map<(h, i, e, j) -> (h, i, j)>, affine_map<(h, i, e, j) -> (h, j, e)>, affine_map<(h, i, e, j) -> (h, i, e)>]
      ins(%wn, %v : tensor<1x64x128xf16>, tensor<1x128x64xf16>) outs(%p_0 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %out_e = tensor.empty() : tensor<1x64x64xf16>
  %out = linalg.generic {indexing_maps = [affine_map<(h, i, e) -> (h, i, e)>, affine_map<(h, i, e) -> (h, i, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<1x64x64xf32>) outs(%out_e : tensor<1x64x64xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x64x64xf16>
  return %out : tensor<1x64x64xf16>
}

func.func @hidden_by_integers(%q: tensor<1x64x64xf16>, %k: tensor<1x128x64xf16>, %v: tensor<1x128x64xf16>, %min: f32 {check.draw = "choose -3.4028234e+38"}, %h: tensor<64x128xi32> {check.draw = "choose 0 1"}) -> tensor<1x64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %s_e = tensor.empty() : tensor<1x64x128xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %s = linalg.contract indexing_maps = [affine_map<(h, i, j, d) -> (h, i, d)>, affine_map<(h, i, j, d) -> (h, j, d)>, affine_map<(h, i, j, d) -> (h, i, j)>]
      ins(%q, %k : tensor<1x64x64xf16>, tensor<1x128x64xf16>) outs(%s_0 : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %h : tensor<1x64x128xf32>, tensor<64x128xi32>) outs(%s_e : tensor<1x64x128xf32>) {
  ^bb0(%x0: f32, %hh: i32, %o: f32):
    %r = arith.mulf %x0, %scale : f32
    %f = arith.sitofp %hh : i32 to f32
    %b = arith.mulf %f, %min : f32
    %y = arith.addf %r, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x64x128xf32>
  %w = linalg.softmax dimension(2) ins(%m : tensor<1x64x128xf32>) outs(%s_e : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %wn_e = tensor.empty() : tensor<1x64x128xf16>
  %wn = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<1x64x128xf32>) outs(%wn_e : tensor<1x64x128xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x64x128xf16>
  %p_e = tensor.empty() : tensor<1x64x64xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %p = linalg.contract indexing_maps = [affine_map<(h, i, e, j) -> (h, i, j)>, affine_map<(h, i, e, j) -> (h, j, e)>, affine_map<(h, i, e, j) -> (h, i, e)>]
      ins(%wn, %v : tensor<1x64x128xf16>, tensor<1x128x64xf16>) outs(%p_0 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %out_e = tensor.empty() : tensor<1x64x64xf16>
  %out = linalg.generic {indexing_maps = [affine_map<(h, i, e) -> (h, i, e)>, affine_map<(h, i, e) -> (h, i, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<1x64x64xf32>) outs(%out_e : tensor<1x64x64xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x64x64xf16>
  return %out : tensor<1x64x64xf16>
}
