// A convolution of an image whose size is known at run time, with a bias and a ReLU behind it, of
// f16: one kernel. (On a CPU, the epilogue is a loop nest of its own.)

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=1x13x17x16,-,-
// RUN: linalg-ext-check-program %s --targets=cpu --sizes=1x13x17x16,-,-

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#bias = affine_map<(n, h, w, c) -> (c)>
func.func @convolution(%x: tensor<1x?x?x16xf16>, %w: tensor<3x3x16x24xf16>, %b: tensor<24xf16>) -> tensor<1x?x?x24xf16> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %x, %c1 : tensor<1x?x?x16xf16>
  %v = tensor.dim %x, %c2 : tensor<1x?x?x16xf16>
  %rows = arith.subi %h, %c2 : index
  %columns = arith.subi %v, %c2 : index
  %e = tensor.empty(%rows, %columns) : tensor<1x?x?x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x?x?x24xf32>) -> tensor<1x?x?x24xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x?x?x16xf16>, tensor<3x3x16x24xf16>) outs(%f : tensor<1x?x?x24xf32>) -> tensor<1x?x?x24xf32>
  %o = tensor.empty(%rows, %columns) : tensor<1x?x?x24xf16>
  %1 = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<1x?x?x24xf32>, tensor<24xf16>) outs(%o : tensor<1x?x?x24xf16>) {
  ^bb0(%a: f32, %add: f16, %out: f16):
    %wide = arith.extf %add : f16 to f32
    %sum = arith.addf %a, %wide : f32
    %r = arith.maximumf %sum, %zero : f32
    %n = arith.truncf %r : f32 to f16
    linalg.yield %n : f16
  } -> tensor<1x?x?x24xf16>
  return %1 : tensor<1x?x?x24xf16>
}
