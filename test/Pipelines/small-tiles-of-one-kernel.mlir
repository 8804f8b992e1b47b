// A kernel whose tiles threads cannot hold gets small tiles.
// Other kernels of the function keep theirs: 512 x 256 are 64 tiles of 64 x 32 on
// sm_80, 512 small ones.

// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 -o %t.sm_80 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAYS
// RUN: grep "gpu.launch_func " %t.sm_80 | FileCheck %s --check-prefix=SM80
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a -o %t.sm_90a 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAYS
// RUN: grep "gpu.launch_func " %t.sm_90a | FileCheck %s --check-prefix=SM90A

// SAYS: remark: falls back to small tiles in one kernel or more: {{.*}} expected {{.*}}

// SM80: blocks in (%c6, %c1, %c1)
// SM80: blocks in (%c64, %c1, %c1)
// SM90A: blocks in (%c6, %c1, %c1)
// SM90A: blocks in (%c128, %c1, %c1)

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @attention_of_a_graph_and_product(%arg0: tensor<37x16xf16>, %arg1: tensor<37x37xi1>, %arg2: tensor<64x16xf16>, %arg3: tensor<64x16xf16>, %arg4: tensor<2x32xf16>, %arg5: tensor<512x256xf16>, %arg6: tensor<256x256xf16>) -> (tensor<37x64xf16>, tensor<512x256xf16>) {
  %cst = arith.constant 0xFC00 : f16
  %cst_0 = arith.constant dense<-1.000000e+04> : tensor<f16>
  %cst_1 = arith.constant 1.999510e-01 : f16
  %cst_2 = arith.constant 0.000000e+00 : f16
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x64xf16>
  %transposed = linalg.transpose ins(%arg2 : tensor<64x16xf16>) outs(%0 : tensor<16x64xf16>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<37x64xf32>
  %2 = linalg.fill ins(%cst_3 : f32) outs(%1 : tensor<37x64xf32>) -> tensor<37x64xf32>
  %3 = linalg.matmul ins(%arg0, %transposed : tensor<37x16xf16>, tensor<16x64xf16>) outs(%2 : tensor<37x64xf32>) -> tensor<37x64xf32>
  %4 = tensor.empty() : tensor<37x64xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<37x64xf32>) outs(%4 : tensor<37x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<37x64xf16>
  %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [37, 2, 32] : tensor<37x64xf16> into tensor<37x2x32xf16>
  %6 = tensor.empty() : tensor<16x64xf16>
  %transposed_4 = linalg.transpose ins(%arg3 : tensor<64x16xf16>) outs(%6 : tensor<16x64xf16>) permutation = [1, 0] 
  %7 = tensor.empty() : tensor<37x64xf32>
  %8 = linalg.fill ins(%cst_3 : f32) outs(%7 : tensor<37x64xf32>) -> tensor<37x64xf32>
  %9 = linalg.matmul ins(%arg0, %transposed_4 : tensor<37x16xf16>, tensor<16x64xf16>) outs(%8 : tensor<37x64xf32>) -> tensor<37x64xf32>
  %10 = tensor.empty() : tensor<37x64xf16>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<37x64xf32>) outs(%10 : tensor<37x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<37x64xf16>
  %expanded_5 = tensor.expand_shape %11 [[0], [1, 2]] output_shape [37, 2, 32] : tensor<37x64xf16> into tensor<37x2x32xf16>
  %expanded_6 = tensor.expand_shape %expanded [[0], [1, 2], [3]] output_shape [37, 1, 2, 32] : tensor<37x2x32xf16> into tensor<37x1x2x32xf16>
  %expanded_7 = tensor.expand_shape %expanded_5 [[0, 1], [2], [3]] output_shape [1, 37, 2, 32] : tensor<37x2x32xf16> into tensor<1x37x2x32xf16>
  %12 = tensor.empty() : tensor<37x37x2x32xf16>
  %13 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %expanded_7 : tensor<37x1x2x32xf16>, tensor<1x37x2x32xf16>) outs(%12 : tensor<37x37x2x32xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %49 = arith.addf %in, %in_13 : f16
    linalg.yield %49 : f16
  } -> tensor<37x37x2x32xf16>
  %14 = tensor.empty() : tensor<37x37x2x32xf16>
  %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<37x37x2x32xf16>) outs(%14 : tensor<37x37x2x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    %49 = arith.cmpf ogt, %in, %cst_2 : f16
    %50 = arith.mulf %in, %cst_1 : f16
    %51 = arith.select %49, %in, %50 : f16
    linalg.yield %51 : f16
  } -> tensor<37x37x2x32xf16>
  %16 = tensor.empty() : tensor<37x37x2x32xf16>
  %17 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %arg4 : tensor<37x37x2x32xf16>, tensor<2x32xf16>) outs(%16 : tensor<37x37x2x32xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %49 = arith.mulf %in, %in_13 : f16
    linalg.yield %49 : f16
  } -> tensor<37x37x2x32xf16>
  %18 = tensor.empty() : tensor<37x37x2xf16>
  %19 = linalg.fill ins(%cst_2 : f16) outs(%18 : tensor<37x37x2xf16>) -> tensor<37x37x2xf16>
  %20 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<37x37x2x32xf16>) outs(%19 : tensor<37x37x2xf16>) {
  ^bb0(%in: f16, %out: f16):
    %49 = arith.addf %in, %out : f16
    linalg.yield %49 : f16
  } -> tensor<37x37x2xf16>
  %21 = tensor.empty() : tensor<2x37x37xf16>
  %transposed_8 = linalg.transpose ins(%20 : tensor<37x37x2xf16>) outs(%21 : tensor<2x37x37xf16>) permutation = [2, 0, 1] 
  %22 = tensor.empty() : tensor<2x37x37xf16>
  %23 = linalg.generic {indexing_maps = [#map6, #map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %transposed_8, %cst_0 : tensor<37x37xi1>, tensor<2x37x37xf16>, tensor<f16>) outs(%22 : tensor<2x37x37xf16>) {
  ^bb0(%in: i1, %in_13: f16, %in_14: f16, %out: f16):
    %49 = arith.select %in, %in_13, %in_14 : f16
    linalg.yield %49 : f16
  } -> tensor<2x37x37xf16>
  %24 = tensor.empty() : tensor<2x37xf16>
  %25 = linalg.fill ins(%cst : f16) outs(%24 : tensor<2x37xf16>) -> tensor<2x37xf16>
  %26 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<2x37x37xf16>) outs(%25 : tensor<2x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %49 = arith.maximumf %in, %out : f16
    linalg.yield %49 : f16
  } -> tensor<2x37xf16>
  %expanded_9 = tensor.expand_shape %26 [[0], [1, 2]] output_shape [2, 37, 1] : tensor<2x37xf16> into tensor<2x37x1xf16>
  %27 = tensor.empty() : tensor<2x37x37xf16>
  %28 = linalg.generic {indexing_maps = [#map7, #map10, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %expanded_9 : tensor<2x37x37xf16>, tensor<2x37x1xf16>) outs(%27 : tensor<2x37x37xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %49 = arith.subf %in, %in_13 : f16
    linalg.yield %49 : f16
  } -> tensor<2x37x37xf16>
  %29 = tensor.empty() : tensor<2x37x37xf16>
  %30 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x37x37xf16>) outs(%29 : tensor<2x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %49 = math.exp %in : f16
    linalg.yield %49 : f16
  } -> tensor<2x37x37xf16>
  %31 = tensor.empty() : tensor<2x37x1xf16>
  %32 = linalg.fill ins(%cst_2 : f16) outs(%31 : tensor<2x37x1xf16>) -> tensor<2x37x1xf16>
  %33 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30 : tensor<2x37x37xf16>) outs(%32 : tensor<2x37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %49 = arith.addf %in, %out : f16
    linalg.yield %49 : f16
  } -> tensor<2x37x1xf16>
  %34 = tensor.empty() : tensor<2x37x37xf16>
  %35 = linalg.generic {indexing_maps = [#map7, #map10, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x37x37xf16>, tensor<2x37x1xf16>) outs(%34 : tensor<2x37x37xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %49 = arith.divf %in, %in_13 : f16
    linalg.yield %49 : f16
  } -> tensor<2x37x37xf16>
  %36 = tensor.empty() : tensor<2x37x32xf16>
  %transposed_10 = linalg.transpose ins(%expanded_5 : tensor<37x2x32xf16>) outs(%36 : tensor<2x37x32xf16>) permutation = [1, 0, 2] 
  %37 = tensor.empty() : tensor<2x37x32xf32>
  %38 = linalg.fill ins(%cst_3 : f32) outs(%37 : tensor<2x37x32xf32>) -> tensor<2x37x32xf32>
  %39 = linalg.batch_matmul ins(%35, %transposed_10 : tensor<2x37x37xf16>, tensor<2x37x32xf16>) outs(%38 : tensor<2x37x32xf32>) -> tensor<2x37x32xf32>
  %40 = tensor.empty() : tensor<2x37x32xf16>
  %41 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<2x37x32xf32>) outs(%40 : tensor<2x37x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<2x37x32xf16>
  %42 = tensor.empty() : tensor<37x2x32xf16>
  %transposed_11 = linalg.transpose ins(%41 : tensor<2x37x32xf16>) outs(%42 : tensor<37x2x32xf16>) permutation = [1, 0, 2] 
  %collapsed = tensor.collapse_shape %transposed_11 [[0], [1, 2]] : tensor<37x2x32xf16> into tensor<37x64xf16>
  %43 = tensor.empty() : tensor<256x256xf16>
  %transposed_12 = linalg.transpose ins(%arg6 : tensor<256x256xf16>) outs(%43 : tensor<256x256xf16>) permutation = [1, 0] 
  %44 = tensor.empty() : tensor<512x256xf32>
  %45 = linalg.fill ins(%cst_3 : f32) outs(%44 : tensor<512x256xf32>) -> tensor<512x256xf32>
  %46 = linalg.matmul ins(%arg5, %transposed_12 : tensor<512x256xf16>, tensor<256x256xf16>) outs(%45 : tensor<512x256xf32>) -> tensor<512x256xf32>
  %47 = tensor.empty() : tensor<512x256xf16>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<512x256xf32>) outs(%47 : tensor<512x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<512x256xf16>
  return %collapsed, %48 : tensor<37x64xf16>, tensor<512x256xf16>
}
