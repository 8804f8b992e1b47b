// A linear layer with weights in f8E4M3FN, and a scale for each row of them that follows
// the product; bf16 else. The weights are converted, transposed, and multiplied.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8192 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/3x7x/1x1x/g; s/<3x128x/<1x128x/g' %s | linalg-ext-check-program - --max-buffer-bytes=8192 --max-kernels=1
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %s | linalg-ext-check-program - --max-buffer-bytes=8192 --max-kernels=1 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'

// With many rows, weights are converted in front of wgmma, where that takes less time in all.
// RUN: sed 's/3x7x/3x70x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=20480 --max-kernels=2 --gpu-options="chip=sm_90a async-products=true"

#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>

func.func @linear(%x: tensor<3x7x128xbf16>, %w: tensor<80x128xf8E4M3FN> {check.draw = "uniform -400 400"},
                  %scale: tensor<80xbf16> {check.draw = "uniform 0.001 0.002"}) -> tensor<3x7x80xbf16> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<80x128xbf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<80x128xf8E4M3FN>) outs(%0 : tensor<80x128xbf16>) {
  ^bb0(%in: f8E4M3FN, %out: bf16):
    %12 = arith.extf %in : f8E4M3FN to bf16
    linalg.yield %12 : bf16
  } -> tensor<80x128xbf16>
  %2 = tensor.empty() : tensor<128x80xbf16>
  %3 = linalg.transpose ins(%1 : tensor<80x128xbf16>) outs(%2 : tensor<128x80xbf16>) permutation = [1, 0]
  %4 = tensor.empty() : tensor<3x128x80xbf16>
  %5 = linalg.broadcast ins(%3 : tensor<128x80xbf16>) outs(%4 : tensor<3x128x80xbf16>) dimensions = [0]
  %6 = tensor.empty() : tensor<3x7x80xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<3x7x80xf32>) -> tensor<3x7x80xf32>
  %8 = linalg.batch_matmul ins(%x, %5 : tensor<3x7x128xbf16>, tensor<3x128x80xbf16>) outs(%7 : tensor<3x7x80xf32>) -> tensor<3x7x80xf32>
  %9 = tensor.empty() : tensor<3x7x80xbf16>
  %10 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%8 : tensor<3x7x80xf32>) outs(%9 : tensor<3x7x80xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %12 = arith.truncf %in : f32 to bf16
    linalg.yield %12 : bf16
  } -> tensor<3x7x80xbf16>
  %11 = linalg.generic {indexing_maps = [#id3, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%10, %scale : tensor<3x7x80xbf16>, tensor<80xbf16>) outs(%9 : tensor<3x7x80xbf16>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
    %12 = arith.mulf %in, %in_0 : bf16
    linalg.yield %12 : bf16
  } -> tensor<3x7x80xbf16>
  return %11 : tensor<3x7x80xbf16>
}
