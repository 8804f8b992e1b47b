// A quantized linear layer as ONNX writes it in Q and DQ: activations of u8 with a zero point
// for the tensor, weights of i8 with a scale for each column, a bias, and a result of u8.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=60000 --max-kernels=1
// RUN: sed 's/37x/3x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1


#row = affine_map<(m, n) -> (n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @qdq(%x: tensor<37x96xi8> {check.draw = "uniform -128 127"}, %w: tensor<96x80xi8> {check.draw = "uniform -127 127"},
               %scale: tensor<80xf32> {check.draw = "uniform 0.001 0.002"}, %bias: tensor<80xf32>) -> tensor<37x80xi8> {
  %cst = arith.constant 0.0 : f32
  %sx = arith.constant 0.02 : f32
  %sy = arith.constant 0.05 : f32
  %zx = arith.constant 121 : i32
  %zy = arith.constant 131.0 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %ex = tensor.empty() : tensor<37x96xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<37x96xi8>) outs(%ex : tensor<37x96xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.extui %in : i8 to i32
    %b = arith.subi %a, %zx : i32
    %c = arith.sitofp %b : i32 to f32
    %d = arith.mulf %c, %sx : f32
    linalg.yield %d : f32
  } -> tensor<37x96xf32>
  %ew = tensor.empty() : tensor<96x80xf32>
  %wd = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %scale : tensor<96x80xi8>, tensor<80xf32>) outs(%ew : tensor<96x80xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    %b = arith.mulf %a, %s : f32
    linalg.yield %b : f32
  } -> tensor<96x80xf32>
  %ey = tensor.empty() : tensor<37x80xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%ey : tensor<37x80xf32>) -> tensor<37x80xf32>
  %y = linalg.matmul ins(%xd, %wd : tensor<37x96xf32>, tensor<96x80xf32>) outs(%fill : tensor<37x80xf32>) -> tensor<37x80xf32>
  %eq = tensor.empty() : tensor<37x80xi8>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %bias : tensor<37x80xf32>, tensor<80xf32>) outs(%eq : tensor<37x80xi8>) {
  ^bb0(%in: f32, %b: f32, %out: i8):
    %0 = arith.addf %in, %b : f32
    %1 = arith.divf %0, %sy : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zy : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<37x80xi8>
  return %q : tensor<37x80xi8>
}
