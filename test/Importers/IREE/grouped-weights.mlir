// Weights of 8 bits in groups of 32 along what is summed, with a scale and a zero point for
// each group in f16: a product with two sums. Few rows, and many.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=1 --gpu-options=chip=gfx942

#all = affine_map<(n, g, s) -> (n, g, s)>
#group = affine_map<(n, g, s) -> (n, g)>
#x = affine_map<(m, n, g, s) -> (m, g, s)>
#w = affine_map<(m, n, g, s) -> (n, g, s)>
#o = affine_map<(m, n, g, s) -> (m, n)>

func.func @few_rows(%w: tensor<75x4x32xi8> {check.draw = "uniform -128 127"},
                    %scale: tensor<75x4xf32> {check.draw = "uniform 0.01 0.02"},
                    %zero: tensor<75x4xf32> {check.draw = "uniform 100 140"},
                    %x: tensor<5x4x32xf32>) -> tensor<5x75xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x4x32xf32>
  %1 = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %zero : tensor<75x4x32xi8>, tensor<75x4xf32>, tensor<75x4xf32>) outs(%0 : tensor<75x4x32xf32>) {
  ^bb0(%in: i8, %s: f32, %z: f32, %out: f32):
    %5 = arith.extui %in : i8 to i32
    %6 = arith.uitofp %5 : i32 to f32
    %7 = arith.subf %6, %z : f32
    %8 = arith.mulf %7, %s : f32
    linalg.yield %8 : f32
  } -> tensor<75x4x32xf32>
  %2 = tensor.empty() : tensor<5x75xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x75xf32>) -> tensor<5x75xf32>
  %4 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %1 : tensor<5x4x32xf32>, tensor<75x4x32xf32>) outs(%3 : tensor<5x75xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<5x75xf32>
  return %4 : tensor<5x75xf32>
}

func.func @many_rows(%w: tensor<75x4x32xi8> {check.draw = "uniform -128 127"},
                     %scale: tensor<75x4xf32> {check.draw = "uniform 0.01 0.02"},
                     %zero: tensor<75x4xf32> {check.draw = "uniform 100 140"},
                     %x: tensor<37x4x32xf32>) -> tensor<37x75xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x4x32xf32>
  %1 = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %zero : tensor<75x4x32xi8>, tensor<75x4xf32>, tensor<75x4xf32>) outs(%0 : tensor<75x4x32xf32>) {
  ^bb0(%in: i8, %s: f32, %z: f32, %out: f32):
    %5 = arith.extui %in : i8 to i32
    %6 = arith.uitofp %5 : i32 to f32
    %7 = arith.subf %6, %z : f32
    %8 = arith.mulf %7, %s : f32
    linalg.yield %8 : f32
  } -> tensor<75x4x32xf32>
  %2 = tensor.empty() : tensor<37x75xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<37x75xf32>) -> tensor<37x75xf32>
  %4 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %1 : tensor<37x4x32xf32>, tensor<75x4x32xf32>) outs(%3 : tensor<37x75xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<37x75xf32>
  return %4 : tensor<37x75xf32>
}
