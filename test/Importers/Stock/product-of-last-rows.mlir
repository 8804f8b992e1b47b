// A product gives the last rows of a result that has others in front of them: fewer
// than a tile has. The tile does not begin earlier, in front of these.

// RUN: linalg-ext-check-program %s --sizes=60x256,-,60x256 --targets=gpu --gpu-options="chip=sm_90a async-products=true" --max-buffer-bytes=0 --max-kernels=2
// RUN: linalg-ext-check-program %s --sizes=100x256,-,100x256 --targets=gpu --gpu-options="chip=sm_90a async-products=true" --max-buffer-bytes=0 --max-kernels=2

#id = affine_map<(i, j) -> (i, j)>
func.func @last_rows(%a: tensor<?x256xf16>, %b: tensor<256x256xf16> {check.draw = "uniform -0.01 0.01"}, %c: tensor<?x256xf16>) -> tensor<?x256xf16> {
  %z = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %d = tensor.dim %a, %c0 : tensor<?x256xf16>
  %n = arith.subi %d, %c20 : index
  %as = tensor.extract_slice %a[20, 0] [%n, 256] [1, 1] : tensor<?x256xf16> to tensor<?x256xf16>
  %dc = tensor.dim %c, %c0 : tensor<?x256xf16>
  %ec = tensor.empty(%dc) : tensor<?x256xf16>
  %cc = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<?x256xf16>) outs(%ec : tensor<?x256xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = arith.addf %x, %x : f16
    linalg.yield %y : f16
  } -> tensor<?x256xf16>
  %e = tensor.empty(%n) : tensor<?x256xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<?x256xf16>) -> tensor<?x256xf16>
  %m = linalg.matmul ins(%as, %b : tensor<?x256xf16>, tensor<256x256xf16>) outs(%f : tensor<?x256xf16>) -> tensor<?x256xf16>
  %r = tensor.insert_slice %m into %cc[20, 0] [%n, 256] [1, 1] : tensor<?x256xf16> into tensor<?x256xf16>
  return %r : tensor<?x256xf16>
}
