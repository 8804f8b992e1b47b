// A linear layer with weights of 4 bits whose columns were ordered by activation before they
// were quantized (GPTQ, MatMulNBits with g_idx): a table says the group of each sum.

// One kernel or loop nest reads the scales and zero points that the table names where it unpacks. With
// many rows, a CPU stores tiles of the weights.
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0
// RUN: sed 's/3x256/1x256/g; s/3x80/1x80/g' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=0
// RUN: sed 's/3x256/37x256/g; s/3x80/37x80/g; s/x80x/x83x/g' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=90000
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/3x256/37x256/g; s/3x80/37x80/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1

#mnk_x = affine_map<(m, n, k) -> (m, k)>
#mnk_w = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#kn = affine_map<(k, n) -> (k, n)>
#k = affine_map<(k, n) -> (k)>
func.func @act_order(%x: tensor<3x256xf32>, %w: tensor<32x80xi32> {check.draw = "uniform -2147483648 2147483647"},
                     %z: tensor<4x80xi8> {check.draw = "uniform 5 9"}, %scale: tensor<4x80xf32> {check.draw = "uniform 0.01 0.02"},
                     %group: tensor<256xi64> {check.draw = "uniform 0 3"}) -> tensor<3x80xf32> {
  %c15 = arith.constant 15 : i32
  %cst = arith.constant 0.0 : f32
  %shift = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %e3 = tensor.empty() : tensor<32x8x80xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, p, n) -> (a, n)>, affine_map<(a, p, n) -> (p)>, affine_map<(a, p, n) -> (a, p, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %shift : tensor<32x80xi32>, tensor<8xi32>) outs(%e3 : tensor<32x8x80xi32>) {
  ^bb0(%in: i32, %s: i32, %out: i32):
    %a = arith.shrui %in, %s : i32
    %b = arith.andi %a, %c15 : i32
    linalg.yield %b : i32
  } -> tensor<32x8x80xi32>
  %codes = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<32x8x80xi32> into tensor<256x80xi32>
  %e = tensor.empty() : tensor<256x80xf32>
  %scales = linalg.generic {indexing_maps = [#k, #kn], iterator_types = ["parallel", "parallel"]} ins(%group : tensor<256xi64>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%g: i64, %out: f32):
    %i = arith.index_cast %g : i64 to index
    %n = linalg.index 1 : index
    %v = tensor.extract %scale[%i, %n] : tensor<4x80xf32>
    linalg.yield %v : f32
  } -> tensor<256x80xf32>
  %ez = tensor.empty() : tensor<256x80xi8>
  %zeros = linalg.generic {indexing_maps = [#k, #kn], iterator_types = ["parallel", "parallel"]} ins(%group : tensor<256xi64>) outs(%ez : tensor<256x80xi8>) {
  ^bb0(%g: i64, %out: i8):
    %i = arith.index_cast %g : i64 to index
    %n = linalg.index 1 : index
    %v = tensor.extract %z[%i, %n] : tensor<4x80xi8>
    linalg.yield %v : i8
  } -> tensor<256x80xi8>
  %wide = linalg.generic {indexing_maps = [#kn, #kn, #kn, #kn], iterator_types = ["parallel", "parallel"]}
      ins(%codes, %zeros, %scales : tensor<256x80xi32>, tensor<256x80xi8>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%c: i32, %zp: i8, %s: f32, %out: f32):
    %a = arith.extui %zp : i8 to i32
    %b = arith.subi %c, %a : i32
    %d = arith.sitofp %b : i32 to f32
    %f = arith.mulf %d, %s : f32
    linalg.yield %f : f32
  } -> tensor<256x80xf32>
  %ey = tensor.empty() : tensor<3x80xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%ey : tensor<3x80xf32>) -> tensor<3x80xf32>
  %y = linalg.matmul ins(%x, %wide : tensor<3x256xf32>, tensor<256x80xf32>) outs(%fill : tensor<3x80xf32>) -> tensor<3x80xf32>
  return %y : tensor<3x80xf32>
}
