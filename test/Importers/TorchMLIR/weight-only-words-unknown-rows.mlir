// The number of rows is not known. Launches of 17 to 64 rows have a kernel with tiles of 32, whose
// subgroups sum parts.

// RUN: linalg-ext-check-program %s --sizes=5x640,-,-,- --targets=cpu --max-buffer-bytes=32832
// RUN: linalg-ext-check-program %s --sizes=41x640,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --sizes=17x640,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --sizes=16x640,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --sizes=65x640,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=112640

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --input-file=%t.json

// CHECK: "block": [
// CHECK-NEXT: 160,
// CHECK: "ceildiv": [
// CHECK: {{^ *16$}}
// CHECK: "block": [
// CHECK-NEXT: 160,
// CHECK: "ceildiv": [
// CHECK-NOT: {{^ *(16|64)$}}
// CHECK: {{^ *32$}}
func.func @gptq_unknown_rows(%x: tensor<?x640xf16>, %w: tensor<80x88xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x11xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x88xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<?x88xf16> {
  %first = arith.constant 0 : index
  %rows = tensor.dim %x, %first : tensor<?x640xf16>
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i8
  %t3 = arith.constant 1 : i8
  %t4 = tensor.empty() : tensor<80x8x88xi32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %t1 : tensor<80x88xi32>, tensor<8xi32>) outs(%t4 : tensor<80x8x88xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<80x8x88xi32>
  %t6 = tensor.empty() : tensor<80x8x88xi8>
  %t7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t5 : tensor<80x8x88xi32>) outs(%t6 : tensor<80x8x88xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<80x8x88xi8>
  %t8 = tensor.empty() : tensor<80x8x88xi8>
  %t9 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<80x8x88xi8>) outs(%t8 : tensor<80x8x88xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<80x8x88xi8>
  %t10 = tensor.empty() : tensor<5x11x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<5x11xi32>, tensor<8xi32>) outs(%t10 : tensor<5x11x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<5x11x8xi32>
  %t12 = tensor.empty() : tensor<5x11x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<5x11x8xi32>) outs(%t12 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t14 = tensor.empty() : tensor<5x11x8xi8>
  %t15 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t13 : tensor<5x11x8xi8>) outs(%t14 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t16 = tensor.empty() : tensor<5x11x8xi8>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<5x11x8xi8>) outs(%t16 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.addi %a0, %t3 : i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t18 = tensor.collapse_shape %t17 [[0], [1, 2]] : tensor<5x11x8xi8> into tensor<5x88xi8>
  %t19 = tensor.collapse_shape %t9 [[0, 1], [2]] : tensor<80x8x88xi8> into tensor<640x88xi8>
  %t20 = tensor.expand_shape %t19 [[0, 1], [2]] output_shape [5, 128, 88] : tensor<640x88xi8> into tensor<5x128x88xi8>
  %t21 = tensor.empty() : tensor<5x128x88xi8>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t18 : tensor<5x128x88xi8>, tensor<5x88xi8>) outs(%t21 : tensor<5x128x88xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<5x128x88xi8>
  %t23 = tensor.empty() : tensor<5x128x88xf16>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22, %s : tensor<5x128x88xi8>, tensor<5x88xf16>) outs(%t23 : tensor<5x128x88xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %a1, %f : f16
    linalg.yield %r : f16
  } -> tensor<5x128x88xf16>
  %t25 = tensor.collapse_shape %t24 [[0, 1], [2]] : tensor<5x128x88xf16> into tensor<640x88xf16>
  %t26 = arith.constant 0.0 : f32
  %t27 = tensor.empty(%rows) : tensor<?x88xf32>
  %t28 = linalg.fill ins(%t26 : f32) outs(%t27 : tensor<?x88xf32>) -> tensor<?x88xf32>
  %t29 = linalg.matmul ins(%x, %t25 : tensor<?x640xf16>, tensor<640x88xf16>) outs(%t28 : tensor<?x88xf32>) -> tensor<?x88xf32>
  %t30 = tensor.empty(%rows) : tensor<?x88xf16>
  %t31 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t29 : tensor<?x88xf32>) outs(%t30 : tensor<?x88xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x88xf16>
  return %t31 : tensor<?x88xf16>
}
