// A dot_general of uniformly quantized operands, after StableHLO has legalized it to math and
// linalg: i8 times i8 in i32, sums of the operands by `reduce` of converted elements, which
// zero points multiply, and a requantization in f32.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx942
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s

// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @main(%arg0: tensor<45x96xi8> {check.draw = "uniform -128 127"}, %arg1: tensor<96x70xi8> {check.draw = "uniform -128 127"}) -> tensor<45x70xi8> {
    %cst = arith.constant dense<3> : tensor<i32>
    %cst_0 = arith.constant dense<-5> : tensor<i32>
    %cst_1 = arith.constant dense<1440> : tensor<i32>
    %cst_2 = arith.constant dense<4.88281250E-4> : tensor<f32>
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<45x70xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<45x70xi32>) -> tensor<45x70xi32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<45x96xi8>, tensor<96x70xi8>) outs(%1 : tensor<45x70xi32>) -> tensor<45x70xi32>
    %3 = tensor.empty() : tensor<45x96xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<45x96xi8>) outs(%3 : tensor<45x96xi32>) {
    ^bb0(%in: i8, %out: i32):
      %30 = arith.extsi %in : i8 to i32
      linalg.yield %30 : i32
    } -> tensor<45x96xi32>
    %5 = tensor.empty() : tensor<45xi32>
    %6 = linalg.fill ins(%c0_i32 : i32) outs(%5 : tensor<45xi32>) -> tensor<45xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<45x96xi32>) outs(%6 : tensor<45xi32>) {
    ^bb0(%in: i32, %out: i32):
      %30 = arith.addi %out, %in : i32
      linalg.yield %30 : i32
    } -> tensor<45xi32>
    %8 = tensor.empty() : tensor<96x70xi32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<96x70xi8>) outs(%8 : tensor<96x70xi32>) {
    ^bb0(%in: i8, %out: i32):
      %30 = arith.extsi %in : i8 to i32
      linalg.yield %30 : i32
    } -> tensor<96x70xi32>
    %10 = tensor.empty() : tensor<70xi32>
    %11 = linalg.fill ins(%c0_i32 : i32) outs(%10 : tensor<70xi32>) -> tensor<70xi32>
    %12 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<96x70xi32>) outs(%11 : tensor<70xi32>) {
    ^bb0(%in: i32, %out: i32):
      %30 = arith.addi %out, %in : i32
      linalg.yield %30 : i32
    } -> tensor<70xi32>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %cst : tensor<45xi32>, tensor<i32>) outs(%0 : tensor<45x70xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %30 = arith.muli %in, %in_3 : i32
      linalg.yield %30 : i32
    } -> tensor<45x70xi32>
    %14 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %cst_0 : tensor<70xi32>, tensor<i32>) outs(%0 : tensor<45x70xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %30 = arith.muli %in, %in_3 : i32
      linalg.yield %30 : i32
    } -> tensor<45x70xi32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<45x70xi32>, tensor<45x70xi32>) outs(%0 : tensor<45x70xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %30 = arith.addi %in, %in_3 : i32
      linalg.yield %30 : i32
    } -> tensor<45x70xi32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_1 : tensor<45x70xi32>, tensor<i32>) outs(%0 : tensor<45x70xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %30 = arith.subi %in, %in_3 : i32
      linalg.yield %30 : i32
    } -> tensor<45x70xi32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %16 : tensor<45x70xi32>, tensor<45x70xi32>) outs(%0 : tensor<45x70xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %30 = arith.subi %in, %in_3 : i32
      linalg.yield %30 : i32
    } -> tensor<45x70xi32>
    %18 = tensor.empty() : tensor<45x70xi8>
    %19 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %cst_2 : tensor<45x70xi32>, tensor<f32>) outs(%18 : tensor<45x70xi8>) {
    ^bb0(%in: i32, %in_3: f32, %out: i8):
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %30 = arith.sitofp %in : i32 to f32
      %31 = arith.mulf %30, %in_3 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.maximumf %32, %low : f32
      %34 = arith.minimumf %33, %high : f32
      %35 = arith.fptosi %34 : f32 to i8
      linalg.yield %35 : i8
    } -> tensor<45x70xi8>
    return %19 : tensor<45x70xi8>
  }
}
