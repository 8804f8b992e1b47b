// Shifted windows of Swin: a norm, rolls by 3 along two dimensions, windows of 7 x 7 and a
// product. The product reads rows at positions that wrap around.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d4, d5)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

func.func @rolled_windows(%arg0: tensor<2x14x14x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<48x16xf32>) -> tensor<8x49x48xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %cst = arith.constant dense<9.99999974E-6> : tensor<f32>
  %cst_0 = arith.constant dense<1.600000e+01> : tensor<f32>
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x14x14xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x14x14xf32>) -> tensor<2x14x14xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x14x14x16xf32>) outs(%1 : tensor<2x14x14xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %out : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14xf32>
  %3 = tensor.empty() : tensor<2x14x14x1xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x14x14xf32>) outs(%3 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x1xf32>
  %5 = tensor.empty() : tensor<2x14x14x1xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x1xf32>
  %7 = tensor.empty() : tensor<2x14x14x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<2x14x14x1xf32>, tensor<2x14x14x1xf32>) outs(%7 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.divf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %9 = tensor.empty() : tensor<2x14x14x16xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x14x14x1xf32>) outs(%9 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x16xf32>
  %11 = tensor.empty() : tensor<2x14x14x16xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%11 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.subf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %13 = tensor.empty() : tensor<2x14x14x16xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%13 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.mulf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %15 = tensor.empty() : tensor<2x14x14xf32>
  %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<2x14x14xf32>) -> tensor<2x14x14xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x14x14x16xf32>) outs(%16 : tensor<2x14x14xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %out : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14xf32>
  %18 = tensor.empty() : tensor<2x14x14x1xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x14x14xf32>) outs(%18 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x1xf32>
  %20 = tensor.empty() : tensor<2x14x14x1xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%20 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x1xf32>
  %22 = tensor.empty() : tensor<2x14x14x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<2x14x14x1xf32>, tensor<2x14x14x1xf32>) outs(%22 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.divf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %24 = tensor.empty() : tensor<2x14x14x1xf32>
  %25 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%24 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x1xf32>
  %26 = tensor.empty() : tensor<2x14x14x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<2x14x14x1xf32>, tensor<2x14x14x1xf32>) outs(%26 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.addf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %28 = tensor.empty() : tensor<2x14x14x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x14x14x1xf32>) outs(%28 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = math.rsqrt %in : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %30 = tensor.empty() : tensor<2x14x14x16xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x14x14x1xf32>) outs(%30 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x16xf32>
  %32 = tensor.empty() : tensor<2x14x14x16xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %31 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%32 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.mulf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %34 = tensor.empty() : tensor<2x14x14x16xf32>
  %35 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<16xf32>) outs(%34 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x16xf32>
  %36 = tensor.empty() : tensor<2x14x14x16xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%36 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.mulf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %38 = tensor.empty() : tensor<2x14x14x16xf32>
  %39 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<16xf32>) outs(%38 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x14x14x16xf32>
  %40 = tensor.empty() : tensor<2x14x14x16xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%40 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.addf %in, %in_5 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %extracted_slice = tensor.extract_slice %41[0, 3, 0, 0] [2, 11, 14, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x11x14x16xf32>
  %extracted_slice_2 = tensor.extract_slice %41[0, 0, 0, 0] [2, 3, 14, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x3x14x16xf32>
  %42 = tensor.empty() : tensor<2x14x14x16xf32>
  %43 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%42 : tensor<2x14x14x16xf32>) {
  ^bb0(%out: f32):
    %51 = linalg.index 0 : index
    %52 = linalg.index 1 : index
    %53 = linalg.index 2 : index
    %54 = linalg.index 3 : index
    %55 = linalg.index 1 : index
    %dim = tensor.dim %extracted_slice, %c1 : tensor<2x11x14x16xf32>
    %56 = arith.addi %c0, %dim : index
    %57 = arith.cmpi ult, %55, %56 : index
    %58 = scf.if %57 -> (f32) {
      %59 = arith.subi %55, %c0 : index
      %extracted = tensor.extract %extracted_slice[%51, %59, %53, %54] : tensor<2x11x14x16xf32>
      scf.yield %extracted : f32
    } else {
      %59 = arith.subi %55, %56 : index
      %extracted = tensor.extract %extracted_slice_2[%51, %59, %53, %54] : tensor<2x3x14x16xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %58 : f32
  } -> tensor<2x14x14x16xf32>
  %extracted_slice_3 = tensor.extract_slice %43[0, 0, 3, 0] [2, 14, 11, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x14x11x16xf32>
  %extracted_slice_4 = tensor.extract_slice %43[0, 0, 0, 0] [2, 14, 3, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x14x3x16xf32>
  %44 = tensor.empty() : tensor<2x14x14x16xf32>
  %45 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%44 : tensor<2x14x14x16xf32>) {
  ^bb0(%out: f32):
    %51 = linalg.index 0 : index
    %52 = linalg.index 1 : index
    %53 = linalg.index 2 : index
    %54 = linalg.index 3 : index
    %55 = linalg.index 2 : index
    %dim = tensor.dim %extracted_slice_3, %c2 : tensor<2x14x11x16xf32>
    %56 = arith.addi %c0, %dim : index
    %57 = arith.cmpi ult, %55, %56 : index
    %58 = scf.if %57 -> (f32) {
      %59 = arith.subi %55, %c0 : index
      %extracted = tensor.extract %extracted_slice_3[%51, %52, %59, %54] : tensor<2x14x11x16xf32>
      scf.yield %extracted : f32
    } else {
      %59 = arith.subi %55, %56 : index
      %extracted = tensor.extract %extracted_slice_4[%51, %52, %59, %54] : tensor<2x14x3x16xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %58 : f32
  } -> tensor<2x14x14x16xf32>
  %expanded = tensor.expand_shape %45 [[0], [1, 2], [3, 4], [5]] output_shape [2, 2, 7, 2, 7, 16] : tensor<2x14x14x16xf32> into tensor<2x2x7x2x7x16xf32>
  %46 = tensor.empty() : tensor<2x2x2x7x7x16xf32>
  %47 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x2x7x2x7x16xf32>) outs(%46 : tensor<2x2x2x7x7x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x2x7x7x16xf32>
  %collapsed = tensor.collapse_shape %47 [[0, 1, 2], [3, 4], [5]] : tensor<2x2x2x7x7x16xf32> into tensor<8x49x16xf32>
  %48 = tensor.empty() : tensor<8x49x48xf32>
  %49 = linalg.fill ins(%cst_1 : f32) outs(%48 : tensor<8x49x48xf32>) -> tensor<8x49x48xf32>
  %50 = linalg.generic {indexing_maps = [#map7, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg3 : tensor<8x49x16xf32>, tensor<48x16xf32>) outs(%49 : tensor<8x49x48xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %51 = arith.mulf %in, %in_5 : f32
    %52 = arith.addf %out, %51 : f32
    linalg.yield %52 : f32
  } -> tensor<8x49x48xf32>
  return %50 : tensor<8x49x48xf32>
}
