// The summary counts what a kernel reads and writes of a buffer, not all of it.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=mlir -o /dev/null 2>&1 | FileCheck %s

// CHECK: @halves: 2 kernels, no temporary, 1.0 MiB moved, 1.00 times the least possible
func.func @halves(%x: tensor<4x1024x64xf16>) -> tensor<4x1024x64xf16> {
  %a = tensor.extract_slice %x[0, 0, 0] [4, 1024, 32] [1, 1, 1] : tensor<4x1024x64xf16> to tensor<4x1024x32xf16>
  %b = tensor.extract_slice %x[0, 0, 32] [4, 1024, 32] [1, 1, 1] : tensor<4x1024x64xf16> to tensor<4x1024x32xf16>
  %c = tensor.concat dim(2) %b, %a : (tensor<4x1024x32xf16>, tensor<4x1024x32xf16>) -> tensor<4x1024x64xf16>
  return %c : tensor<4x1024x64xf16>
}

// Only the last quarter of the rows is read.

// CHECK: @last_rows: 1 kernel, no temporary, 64.0 KiB moved, 0.40 times the least possible
func.func @last_rows(%x: tensor<256x128xf32>) -> tensor<64x128xf32> {
  %a = tensor.extract_slice %x[192, 0] [64, 128] [1, 1] : tensor<256x128xf32> to tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x128xf32>
  %y = linalg.exp ins(%a : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// Of a number of rows that is not known, all count.

// CHECK: @dynamic: 1 kernel, no temporary, 1.0 MiB moved, 1.00 times the least possible (unknown sizes count as 1024)
func.func @dynamic(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %y = linalg.exp ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}
