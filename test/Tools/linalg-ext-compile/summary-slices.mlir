// The summary counts what a kernel reads and writes of a buffer, not all of it.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=mlir -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark

// CHECK: @halves: 2 kernels, no temporary, 1.0 MiB moved, 1.00 times the least possible
func.func @halves(%x: tensor<4x1024x64xf16>) -> tensor<4x1024x64xf16> {
  %a = tensor.extract_slice %x[0, 0, 0] [4, 1024, 32] [1, 1, 1] : tensor<4x1024x64xf16> to tensor<4x1024x32xf16>
  %b = tensor.extract_slice %x[0, 0, 32] [4, 1024, 32] [1, 1, 1] : tensor<4x1024x64xf16> to tensor<4x1024x32xf16>
  %c = tensor.concat dim(2) %b, %a : (tensor<4x1024x32xf16>, tensor<4x1024x32xf16>) -> tensor<4x1024x64xf16>
  return %c : tensor<4x1024x64xf16>
}

// Only the last quarter of the rows is read: the least possible is no more of them.

// CHECK: @last_rows: 1 kernel, no temporary, 64.0 KiB moved, 1.00 times the least possible
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

// What nothing reads does not count: three of four arguments.

// CHECK: @unread: 1 {{kernel|loop nest}}, no temporary, 16.0 KiB moved, 1.00 times the least possible
// RUN: linalg-ext-compile %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: @unread: 1 loop nest, no temporary, 16.0 KiB moved, 1.00 times the least possible
func.func @unread(%x: tensor<32x64xf32>, %y: tensor<32x64xf32>, %z: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// Of the versions of a product whose sizes are not known, one runs. It may read operands through
// several views. Parts of sums are not the program's.

// CHECK: @product: 1 kernel, no temporary, 6.0 MiB moved, 1.00 times the least possible (unknown sizes count as 1024)
func.func @product(%x: tensor<?x?xf16>, %y: tensor<?x?xf16>, %m: index, %n: index) -> tensor<?x?xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%x, %y : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf16>) {
  ^bb0(%a: f32, %b: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
