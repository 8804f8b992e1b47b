// Groups that a table says, and so few columns that one word has the zero points of all: parts of
// the sum gather single words of a column.

// RUN: linalg-ext-check-program %s --sizes=5x768,-,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --sizes=31x768,-,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80

func.func @one_word(%x: tensor<?x768xf16>, %w: tensor<96x8xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<6x8xf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<6x1xi32> {check.draw = "uniform -2147483648 2147483647"}, %g: tensor<768xi32> {check.draw = "uniform 0 5"}) -> tensor<?x8xf32> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i32
  %t3 = arith.constant 1 : i32
  %t4 = tensor.empty() : tensor<96x8x8xi32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(a,b,c) -> (a,c)>, affine_map<(a,b,c) -> (b)>, affine_map<(a,b,c) -> (a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %t1 : tensor<96x8xi32>, tensor<8xi32>) outs(%t4 : tensor<96x8x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    %m = arith.andi %r, %t2 : i32
    linalg.yield %m : i32
  } -> tensor<96x8x8xi32>
  %t6 = tensor.collapse_shape %t5 [[0, 1], [2]] : tensor<96x8x8xi32> into tensor<768x8xi32>
  %t7 = tensor.empty() : tensor<6x1x8xi32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a,b,c) -> (a,b)>, affine_map<(a,b,c) -> (c)>, affine_map<(a,b,c) -> (a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<6x1xi32>, tensor<8xi32>) outs(%t7 : tensor<6x1x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrui %a0, %a1 : i32
    %m = arith.andi %r, %t2 : i32
    linalg.yield %m : i32
  } -> tensor<6x1x8xi32>
  %t9 = tensor.collapse_shape %t8 [[0], [1, 2]] : tensor<6x1x8xi32> into tensor<6x8xi32>
  %t10 = arith.constant 8 : i32
  %t11 = tensor.empty() : tensor<768x8xf16>
  %t12 = linalg.generic {indexing_maps = [affine_map<(a,b) -> (a)>, affine_map<(a,b) -> (a,b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<768xi32>) outs(%t11 : tensor<768x8xf16>) {
  ^bb0(%a0: i32, %o: f16):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %s[%h, %q] : tensor<6x8xf16>
    linalg.yield %r : f16
  } -> tensor<768x8xf16>
  %t13 = tensor.empty() : tensor<768x8xi32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(a,b) -> (a)>, affine_map<(a,b) -> (a,b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<768xi32>) outs(%t13 : tensor<768x8xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %t9[%h, %q] : tensor<6x8xi32>
    linalg.yield %r : i32
  } -> tensor<768x8xi32>
  %t15 = tensor.empty() : tensor<768x8xf16>
  %t16 = linalg.generic {indexing_maps = [affine_map<(a,b) -> (a,b)>, affine_map<(a,b) -> (a,b)>, affine_map<(a,b) -> (a,b)>, affine_map<(a,b) -> (a,b)>], iterator_types = ["parallel", "parallel"]} ins(%t6, %t12, %t14 : tensor<768x8xi32>, tensor<768x8xf16>, tensor<768x8xi32>) outs(%t15 : tensor<768x8xf16>) {
  ^bb0(%a0: i32, %a1: f16, %a2: i32, %o: f16):
    %d = arith.subi %a0, %a2 : i32
    %f = arith.sitofp %d : i32 to f16
    %r = arith.mulf %a1, %f : f16
    linalg.yield %r : f16
  } -> tensor<768x8xf16>
  %t17 = arith.constant 0.0 : f32
  %t18 = arith.constant 0 : index
  %t19 = tensor.dim %x, %t18 : tensor<?x768xf16>
  %t20 = tensor.empty(%t19) : tensor<?x8xf32>
  %t21 = linalg.fill ins(%t17 : f32) outs(%t20 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %t22 = linalg.matmul ins(%x, %t16 : tensor<?x768xf16>, tensor<768x8xf16>) outs(%t21 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %t22 : tensor<?x8xf32>
}
