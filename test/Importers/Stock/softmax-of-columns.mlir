// A softmax along columns of unknown length is one kernel: they are not known to be too long for
// a tile of several.

// RUN: linalg-ext-check-program %s --sizes=37x50 --entry=unknown --max-buffer-bytes=0 --max-kernels=1 --targets=gpu
// RUN: linalg-ext-check-program %s --sizes=8x100x64 --entry=batches --max-buffer-bytes=0 --max-kernels=1 --targets=gpu
// RUN: linalg-ext-check-program %s --sizes=37x50 --entry=unknown --max-buffer-bytes=0 --max-kernels=1 --targets=gpu --gpu-options=chip=gfx942

func.func @unknown(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.softmax dimension(0) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @batches(%x: tensor<8x?x64xf16>) -> tensor<8x?x64xf16> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<8x?x64xf16>
  %e = tensor.empty(%n) : tensor<8x?x64xf16>
  %s = linalg.softmax dimension(1) ins(%x : tensor<8x?x64xf16>) outs(%e : tensor<8x?x64xf16>) -> tensor<8x?x64xf16>
  return %s : tensor<8x?x64xf16>
}
