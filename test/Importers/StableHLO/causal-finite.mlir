// jnp.where(causal, scores, jnp.finfo(dtype).min): tiles that are hidden are left out, since each row
// sees a key. Rows that see none (strict, short) have equal weights.

// RUN: linalg-ext-check-program %s --keys=16 --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %s --keys=16 --max-buffer-bytes=0 --max-kernels=1 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --keys=16 --max-buffer-bytes=0 --max-kernels=1 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --keys=16 --max-buffer-bytes=0 --max-kernels=1 --targets=gpu --gpu-options=chip=gfx1201

#map0 = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map13 = affine_map<(d0, d1) -> ()>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>

func.func @causal(%arg0: tensor<2x3x37x16xf32>, %arg1: tensor<2x3x37x16xf32>, %arg2: tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %50 = linalg.index 0 : index
    %51 = arith.index_cast %50 : index to i64
    linalg.yield %51 : i64
  } -> tensor<37xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %50 = linalg.index 0 : index
    %51 = arith.index_cast %50 : index to i64
    linalg.yield %51 : i64
  } -> tensor<37xi64>
  %expanded_4 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<37x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%4 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %6 = tensor.empty() : tensor<37x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_4 : tensor<1x37xi64>) outs(%6 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %8 = tensor.empty() : tensor<37x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%8 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_5: i64, %out: i1):
    %50 = arith.cmpi sge, %in, %in_5 : i64
    linalg.yield %50 : i1
  } -> tensor<37x37xi1>
  %10 = tensor.empty() : tensor<2x3x37x37xf32>
  %11 = linalg.fill ins(%cst_3 : f32) outs(%10 : tensor<2x3x37x37xf32>) -> tensor<2x3x37x37xf32>
  %12 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x37x16xf32>, tensor<2x3x37x16xf32>) outs(%11 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    %51 = arith.addf %out, %50 : f32
    linalg.yield %51 : f32
  } -> tensor<2x3x37x37xf32>
  %13 = tensor.empty() : tensor<2x3x37x37xf32>
  %14 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%13 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %15 = tensor.empty() : tensor<2x3x37x37xf32>
  %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%15 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %17 = tensor.empty() : tensor<2x3x37x37xi1>
  %18 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<37x37xi1>) outs(%17 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %19 = tensor.empty() : tensor<2x3x37x37xf32>
  %20 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%19 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %21 = tensor.empty() : tensor<2x3x37x37xf32>
  %22 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %16, %20 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%21 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
    %50 = arith.select %in, %in_5, %in_6 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %23 = tensor.empty() : tensor<2x3x37xf32>
  %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %25 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<2x3x37x37xf32>) outs(%24 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.maximumf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37xf32>
  %26 = tensor.empty() : tensor<2x3x37x1xf32>
  %27 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x37xf32>) outs(%26 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %28 = tensor.empty() : tensor<2x3x37x1xf32>
  %29 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%28 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %30 = tensor.empty() : tensor<2x3x37x1xf32>
  %31 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<2x3x37x1xf32>, tensor<2x3x37x1xf32>) outs(%30 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.maximumf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x1xf32>
  %32 = tensor.empty() : tensor<2x3x37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x3x37x1xf32>) outs(%32 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %34 = tensor.empty() : tensor<2x3x37x37xf32>
  %35 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %33 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%34 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.subf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %36 = tensor.empty() : tensor<2x3x37x37xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x3x37x37xf32>) outs(%36 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = math.exp %in : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %38 = tensor.empty() : tensor<2x3x37xf32>
  %39 = linalg.fill ins(%cst_3 : f32) outs(%38 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %40 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<2x3x37x37xf32>) outs(%39 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.addf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37xf32>
  %41 = tensor.empty() : tensor<2x3x37x1xf32>
  %42 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x3x37xf32>) outs(%41 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %43 = tensor.empty() : tensor<2x3x37x37xf32>
  %44 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x3x37x1xf32>) outs(%43 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %45 = tensor.empty() : tensor<2x3x37x37xf32>
  %46 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %44 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%45 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.divf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %47 = tensor.empty() : tensor<2x3x37x16xf32>
  %48 = linalg.fill ins(%cst_3 : f32) outs(%47 : tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32>
  %49 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%46, %arg2 : tensor<2x3x37x37xf32>, tensor<2x3x37x16xf32>) outs(%48 : tensor<2x3x37x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    %51 = arith.addf %out, %50 : f32
    linalg.yield %51 : f32
  } -> tensor<2x3x37x16xf32>
  return %49 : tensor<2x3x37x16xf32>
}

func.func @strict(%arg0: tensor<2x3x37x16xf32>, %arg1: tensor<2x3x37x16xf32>, %arg2: tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %50 = linalg.index 0 : index
    %51 = arith.index_cast %50 : index to i64
    linalg.yield %51 : i64
  } -> tensor<37xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %50 = linalg.index 0 : index
    %51 = arith.index_cast %50 : index to i64
    linalg.yield %51 : i64
  } -> tensor<37xi64>
  %expanded_4 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<37x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%4 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %6 = tensor.empty() : tensor<37x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_4 : tensor<1x37xi64>) outs(%6 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %8 = tensor.empty() : tensor<37x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%8 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_5: i64, %out: i1):
    %50 = arith.cmpi sgt, %in, %in_5 : i64
    linalg.yield %50 : i1
  } -> tensor<37x37xi1>
  %10 = tensor.empty() : tensor<2x3x37x37xf32>
  %11 = linalg.fill ins(%cst_3 : f32) outs(%10 : tensor<2x3x37x37xf32>) -> tensor<2x3x37x37xf32>
  %12 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x37x16xf32>, tensor<2x3x37x16xf32>) outs(%11 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    %51 = arith.addf %out, %50 : f32
    linalg.yield %51 : f32
  } -> tensor<2x3x37x37xf32>
  %13 = tensor.empty() : tensor<2x3x37x37xf32>
  %14 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%13 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %15 = tensor.empty() : tensor<2x3x37x37xf32>
  %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%15 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %17 = tensor.empty() : tensor<2x3x37x37xi1>
  %18 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<37x37xi1>) outs(%17 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %19 = tensor.empty() : tensor<2x3x37x37xf32>
  %20 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%19 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %21 = tensor.empty() : tensor<2x3x37x37xf32>
  %22 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %16, %20 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%21 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
    %50 = arith.select %in, %in_5, %in_6 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %23 = tensor.empty() : tensor<2x3x37xf32>
  %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %25 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<2x3x37x37xf32>) outs(%24 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.maximumf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37xf32>
  %26 = tensor.empty() : tensor<2x3x37x1xf32>
  %27 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x37xf32>) outs(%26 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %28 = tensor.empty() : tensor<2x3x37x1xf32>
  %29 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%28 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %30 = tensor.empty() : tensor<2x3x37x1xf32>
  %31 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<2x3x37x1xf32>, tensor<2x3x37x1xf32>) outs(%30 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.maximumf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x1xf32>
  %32 = tensor.empty() : tensor<2x3x37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x3x37x1xf32>) outs(%32 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %34 = tensor.empty() : tensor<2x3x37x37xf32>
  %35 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %33 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%34 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.subf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %36 = tensor.empty() : tensor<2x3x37x37xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x3x37x37xf32>) outs(%36 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = math.exp %in : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %38 = tensor.empty() : tensor<2x3x37xf32>
  %39 = linalg.fill ins(%cst_3 : f32) outs(%38 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %40 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<2x3x37x37xf32>) outs(%39 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.addf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37xf32>
  %41 = tensor.empty() : tensor<2x3x37x1xf32>
  %42 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x3x37xf32>) outs(%41 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %43 = tensor.empty() : tensor<2x3x37x37xf32>
  %44 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x3x37x1xf32>) outs(%43 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %45 = tensor.empty() : tensor<2x3x37x37xf32>
  %46 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %44 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%45 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.divf %in, %in_5 : f32
    linalg.yield %50 : f32
  } -> tensor<2x3x37x37xf32>
  %47 = tensor.empty() : tensor<2x3x37x16xf32>
  %48 = linalg.fill ins(%cst_3 : f32) outs(%47 : tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32>
  %49 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%46, %arg2 : tensor<2x3x37x37xf32>, tensor<2x3x37x16xf32>) outs(%48 : tensor<2x3x37x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %50 = arith.mulf %in, %in_5 : f32
    %51 = arith.addf %out, %50 : f32
    linalg.yield %51 : f32
  } -> tensor<2x3x37x16xf32>
  return %49 : tensor<2x3x37x16xf32>
}

func.func @window(%arg0: tensor<2x3x37x16xf32>, %arg1: tensor<2x3x37x16xf32>, %arg2: tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %cst_4 = arith.constant dense<9> : tensor<i64>
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %62 = linalg.index 0 : index
    %63 = arith.index_cast %62 : index to i64
    linalg.yield %63 : i64
  } -> tensor<37xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %62 = linalg.index 0 : index
    %63 = arith.index_cast %62 : index to i64
    linalg.yield %63 : i64
  } -> tensor<37xi64>
  %expanded_5 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<37x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%4 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %6 = tensor.empty() : tensor<37x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x37xi64>) outs(%6 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %8 = tensor.empty() : tensor<37x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%8 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_6: i64, %out: i1):
    %62 = arith.cmpi sge, %in, %in_6 : i64
    linalg.yield %62 : i1
  } -> tensor<37x37xi1>
  %10 = tensor.empty() : tensor<37x37xi64>
  %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%10 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %12 = tensor.empty() : tensor<37x37xi64>
  %13 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x37xi64>) outs(%12 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %14 = tensor.empty() : tensor<37x37xi64>
  %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%14 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %in_6: i64, %out: i64):
    %62 = arith.subi %in, %in_6 : i64
    linalg.yield %62 : i64
  } -> tensor<37x37xi64>
  %16 = tensor.empty() : tensor<37x37xi64>
  %17 = linalg.generic {indexing_maps = [#map13, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i64>) outs(%16 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %18 = tensor.empty() : tensor<37x37xi1>
  %19 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%18 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_6: i64, %out: i1):
    %62 = arith.cmpi slt, %in, %in_6 : i64
    linalg.yield %62 : i1
  } -> tensor<37x37xi1>
  %20 = tensor.empty() : tensor<37x37xi1>
  %21 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%9, %19 : tensor<37x37xi1>, tensor<37x37xi1>) outs(%20 : tensor<37x37xi1>) {
  ^bb0(%in: i1, %in_6: i1, %out: i1):
    %62 = arith.andi %in, %in_6 : i1
    linalg.yield %62 : i1
  } -> tensor<37x37xi1>
  %22 = tensor.empty() : tensor<2x3x37x37xf32>
  %23 = linalg.fill ins(%cst_3 : f32) outs(%22 : tensor<2x3x37x37xf32>) -> tensor<2x3x37x37xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x37x16xf32>, tensor<2x3x37x16xf32>) outs(%23 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    %63 = arith.addf %out, %62 : f32
    linalg.yield %63 : f32
  } -> tensor<2x3x37x37xf32>
  %25 = tensor.empty() : tensor<2x3x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%25 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %27 = tensor.empty() : tensor<2x3x37x37xf32>
  %28 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%27 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x37xf32>
  %29 = tensor.empty() : tensor<2x3x37x37xi1>
  %30 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<37x37xi1>) outs(%29 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %31 = tensor.empty() : tensor<2x3x37x37xf32>
  %32 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%31 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %33 = tensor.empty() : tensor<2x3x37x37xf32>
  %34 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %28, %32 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%33 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
    %62 = arith.select %in, %in_6, %in_7 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x37xf32>
  %35 = tensor.empty() : tensor<2x3x37xf32>
  %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x3x37x37xf32>) outs(%36 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.maximumf %in, %out : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37xf32>
  %38 = tensor.empty() : tensor<2x3x37x1xf32>
  %39 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x37xf32>) outs(%38 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %40 = tensor.empty() : tensor<2x3x37x1xf32>
  %41 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%40 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %42 = tensor.empty() : tensor<2x3x37x1xf32>
  %43 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<2x3x37x1xf32>, tensor<2x3x37x1xf32>) outs(%42 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.maximumf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x1xf32>
  %44 = tensor.empty() : tensor<2x3x37x37xf32>
  %45 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x3x37x1xf32>) outs(%44 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %46 = tensor.empty() : tensor<2x3x37x37xf32>
  %47 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %45 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%46 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.subf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x37xf32>
  %48 = tensor.empty() : tensor<2x3x37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<2x3x37x37xf32>) outs(%48 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = math.exp %in : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x37xf32>
  %50 = tensor.empty() : tensor<2x3x37xf32>
  %51 = linalg.fill ins(%cst_3 : f32) outs(%50 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %52 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<2x3x37x37xf32>) outs(%51 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %in, %out : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37xf32>
  %53 = tensor.empty() : tensor<2x3x37x1xf32>
  %54 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x3x37xf32>) outs(%53 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %55 = tensor.empty() : tensor<2x3x37x37xf32>
  %56 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x3x37x1xf32>) outs(%55 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %57 = tensor.empty() : tensor<2x3x37x37xf32>
  %58 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %56 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%57 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.divf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x37x37xf32>
  %59 = tensor.empty() : tensor<2x3x37x16xf32>
  %60 = linalg.fill ins(%cst_3 : f32) outs(%59 : tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32>
  %61 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%58, %arg2 : tensor<2x3x37x37xf32>, tensor<2x3x37x16xf32>) outs(%60 : tensor<2x3x37x16xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    %63 = arith.addf %out, %62 : f32
    linalg.yield %63 : f32
  } -> tensor<2x3x37x16xf32>
  return %61 : tensor<2x3x37x16xf32>
}

func.func @short_window(%arg0: tensor<2x3x45x16xf32>, %arg1: tensor<2x3x37x16xf32>, %arg2: tensor<2x3x37x16xf32>) -> tensor<2x3x45x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %cst_4 = arith.constant dense<5> : tensor<i64>
  %0 = tensor.empty() : tensor<45xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<45xi64>) {
  ^bb0(%out: i64):
    %62 = linalg.index 0 : index
    %63 = arith.index_cast %62 : index to i64
    linalg.yield %63 : i64
  } -> tensor<45xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [45, 1] : tensor<45xi64> into tensor<45x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %62 = linalg.index 0 : index
    %63 = arith.index_cast %62 : index to i64
    linalg.yield %63 : i64
  } -> tensor<37xi64>
  %expanded_5 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<45x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<45x1xi64>) outs(%4 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<45x37xi64>
  %6 = tensor.empty() : tensor<45x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x37xi64>) outs(%6 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<45x37xi64>
  %8 = tensor.empty() : tensor<45x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<45x37xi64>, tensor<45x37xi64>) outs(%8 : tensor<45x37xi1>) {
  ^bb0(%in: i64, %in_6: i64, %out: i1):
    %62 = arith.cmpi sge, %in, %in_6 : i64
    linalg.yield %62 : i1
  } -> tensor<45x37xi1>
  %10 = tensor.empty() : tensor<45x37xi64>
  %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<45x1xi64>) outs(%10 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<45x37xi64>
  %12 = tensor.empty() : tensor<45x37xi64>
  %13 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x37xi64>) outs(%12 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<45x37xi64>
  %14 = tensor.empty() : tensor<45x37xi64>
  %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<45x37xi64>, tensor<45x37xi64>) outs(%14 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %in_6: i64, %out: i64):
    %62 = arith.subi %in, %in_6 : i64
    linalg.yield %62 : i64
  } -> tensor<45x37xi64>
  %16 = tensor.empty() : tensor<45x37xi64>
  %17 = linalg.generic {indexing_maps = [#map13, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i64>) outs(%16 : tensor<45x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<45x37xi64>
  %18 = tensor.empty() : tensor<45x37xi1>
  %19 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<45x37xi64>, tensor<45x37xi64>) outs(%18 : tensor<45x37xi1>) {
  ^bb0(%in: i64, %in_6: i64, %out: i1):
    %62 = arith.cmpi slt, %in, %in_6 : i64
    linalg.yield %62 : i1
  } -> tensor<45x37xi1>
  %20 = tensor.empty() : tensor<45x37xi1>
  %21 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%9, %19 : tensor<45x37xi1>, tensor<45x37xi1>) outs(%20 : tensor<45x37xi1>) {
  ^bb0(%in: i1, %in_6: i1, %out: i1):
    %62 = arith.andi %in, %in_6 : i1
    linalg.yield %62 : i1
  } -> tensor<45x37xi1>
  %22 = tensor.empty() : tensor<2x3x45x37xf32>
  %23 = linalg.fill ins(%cst_3 : f32) outs(%22 : tensor<2x3x45x37xf32>) -> tensor<2x3x45x37xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x45x16xf32>, tensor<2x3x37x16xf32>) outs(%23 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    %63 = arith.addf %out, %62 : f32
    linalg.yield %63 : f32
  } -> tensor<2x3x45x37xf32>
  %25 = tensor.empty() : tensor<2x3x45x37xf32>
  %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%25 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x37xf32>
  %27 = tensor.empty() : tensor<2x3x45x37xf32>
  %28 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<2x3x45x37xf32>, tensor<2x3x45x37xf32>) outs(%27 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x37xf32>
  %29 = tensor.empty() : tensor<2x3x45x37xi1>
  %30 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<45x37xi1>) outs(%29 : tensor<2x3x45x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x45x37xi1>
  %31 = tensor.empty() : tensor<2x3x45x37xf32>
  %32 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%31 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x37xf32>
  %33 = tensor.empty() : tensor<2x3x45x37xf32>
  %34 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %28, %32 : tensor<2x3x45x37xi1>, tensor<2x3x45x37xf32>, tensor<2x3x45x37xf32>) outs(%33 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
    %62 = arith.select %in, %in_6, %in_7 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x37xf32>
  %35 = tensor.empty() : tensor<2x3x45xf32>
  %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x3x45xf32>) -> tensor<2x3x45xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x3x45x37xf32>) outs(%36 : tensor<2x3x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.maximumf %in, %out : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45xf32>
  %38 = tensor.empty() : tensor<2x3x45x1xf32>
  %39 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x45xf32>) outs(%38 : tensor<2x3x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x1xf32>
  %40 = tensor.empty() : tensor<2x3x45x1xf32>
  %41 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%40 : tensor<2x3x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x1xf32>
  %42 = tensor.empty() : tensor<2x3x45x1xf32>
  %43 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<2x3x45x1xf32>, tensor<2x3x45x1xf32>) outs(%42 : tensor<2x3x45x1xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.maximumf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x1xf32>
  %44 = tensor.empty() : tensor<2x3x45x37xf32>
  %45 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x3x45x1xf32>) outs(%44 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x37xf32>
  %46 = tensor.empty() : tensor<2x3x45x37xf32>
  %47 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %45 : tensor<2x3x45x37xf32>, tensor<2x3x45x37xf32>) outs(%46 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.subf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x37xf32>
  %48 = tensor.empty() : tensor<2x3x45x37xf32>
  %49 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<2x3x45x37xf32>) outs(%48 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = math.exp %in : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x37xf32>
  %50 = tensor.empty() : tensor<2x3x45xf32>
  %51 = linalg.fill ins(%cst_3 : f32) outs(%50 : tensor<2x3x45xf32>) -> tensor<2x3x45xf32>
  %52 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<2x3x45x37xf32>) outs(%51 : tensor<2x3x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %in, %out : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45xf32>
  %53 = tensor.empty() : tensor<2x3x45x1xf32>
  %54 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x3x45xf32>) outs(%53 : tensor<2x3x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x1xf32>
  %55 = tensor.empty() : tensor<2x3x45x37xf32>
  %56 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x3x45x1xf32>) outs(%55 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x45x37xf32>
  %57 = tensor.empty() : tensor<2x3x45x37xf32>
  %58 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %56 : tensor<2x3x45x37xf32>, tensor<2x3x45x37xf32>) outs(%57 : tensor<2x3x45x37xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.divf %in, %in_6 : f32
    linalg.yield %62 : f32
  } -> tensor<2x3x45x37xf32>
  %59 = tensor.empty() : tensor<2x3x45x16xf32>
  %60 = linalg.fill ins(%cst_3 : f32) outs(%59 : tensor<2x3x45x16xf32>) -> tensor<2x3x45x16xf32>
  %61 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%58, %arg2 : tensor<2x3x45x37xf32>, tensor<2x3x37x16xf32>) outs(%60 : tensor<2x3x45x16xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %62 = arith.mulf %in, %in_6 : f32
    %63 = arith.addf %out, %62 : f32
    linalg.yield %63 : f32
  } -> tensor<2x3x45x16xf32>
  return %61 : tensor<2x3x45x16xf32>
}

func.func @causal_f16(%arg0: tensor<2x3x37x16xf16>, %arg1: tensor<2x3x37x16xf16>, %arg2: tensor<2x3x37x16xf16>) -> tensor<2x3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_0 = arith.constant dense<0xFC00> : tensor<f16>
  %cst_1 = arith.constant 0xFC00 : f16
  %cst_2 = arith.constant dense<-6.550400e+04> : tensor<f16>
  %cst_3 = arith.constant dense<2.500000e-01> : tensor<f16>
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %54 = linalg.index 0 : index
    %55 = arith.index_cast %54 : index to i64
    linalg.yield %55 : i64
  } -> tensor<37xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %54 = linalg.index 0 : index
    %55 = arith.index_cast %54 : index to i64
    linalg.yield %55 : i64
  } -> tensor<37xi64>
  %expanded_5 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<37x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%4 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %6 = tensor.empty() : tensor<37x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x37xi64>) outs(%6 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %8 = tensor.empty() : tensor<37x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%8 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_6: i64, %out: i1):
    %54 = arith.cmpi sge, %in, %in_6 : i64
    linalg.yield %54 : i1
  } -> tensor<37x37xi1>
  %10 = tensor.empty() : tensor<2x3x37x37xf32>
  %11 = linalg.fill ins(%cst_4 : f32) outs(%10 : tensor<2x3x37x37xf32>) -> tensor<2x3x37x37xf32>
  %12 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x37x16xf16>, tensor<2x3x37x16xf16>) outs(%11 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f16, %in_6: f16, %out: f32):
    %54 = arith.extf %in : f16 to f32
    %55 = arith.extf %in_6 : f16 to f32
    %56 = arith.mulf %54, %55 : f32
    %57 = arith.addf %out, %56 : f32
    linalg.yield %57 : f32
  } -> tensor<2x3x37x37xf32>
  %13 = tensor.empty() : tensor<2x3x37x37xf16>
  %14 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x3x37x37xf32>) outs(%13 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %54 = arith.truncf %in : f32 to f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %15 = tensor.empty() : tensor<2x3x37x37xf16>
  %16 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f16>) outs(%15 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x37xf16>
  %17 = tensor.empty() : tensor<2x3x37x37xf16>
  %18 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %16 : tensor<2x3x37x37xf16>, tensor<2x3x37x37xf16>) outs(%17 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %in_6: f16, %out: f16):
    %54 = arith.mulf %in, %in_6 : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %19 = tensor.empty() : tensor<2x3x37x37xi1>
  %20 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<37x37xi1>) outs(%19 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %21 = tensor.empty() : tensor<2x3x37x37xf16>
  %22 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f16>) outs(%21 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x37xf16>
  %23 = tensor.empty() : tensor<2x3x37x37xf16>
  %24 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %18, %22 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf16>, tensor<2x3x37x37xf16>) outs(%23 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: i1, %in_6: f16, %in_7: f16, %out: f16):
    %54 = arith.select %in, %in_6, %in_7 : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %25 = tensor.empty() : tensor<2x3x37xf16>
  %26 = linalg.fill ins(%cst_1 : f16) outs(%25 : tensor<2x3x37xf16>) -> tensor<2x3x37xf16>
  %27 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x3x37x37xf16>) outs(%26 : tensor<2x3x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %54 = arith.maximumf %in, %out : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37xf16>
  %28 = tensor.empty() : tensor<2x3x37x1xf16>
  %29 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x3x37xf16>) outs(%28 : tensor<2x3x37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x1xf16>
  %30 = tensor.empty() : tensor<2x3x37x1xf16>
  %31 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f16>) outs(%30 : tensor<2x3x37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x1xf16>
  %32 = tensor.empty() : tensor<2x3x37x1xf16>
  %33 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<2x3x37x1xf16>, tensor<2x3x37x1xf16>) outs(%32 : tensor<2x3x37x1xf16>) {
  ^bb0(%in: f16, %in_6: f16, %out: f16):
    %54 = arith.maximumf %in, %in_6 : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x1xf16>
  %34 = tensor.empty() : tensor<2x3x37x37xf16>
  %35 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x3x37x1xf16>) outs(%34 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x37xf16>
  %36 = tensor.empty() : tensor<2x3x37x37xf16>
  %37 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %35 : tensor<2x3x37x37xf16>, tensor<2x3x37x37xf16>) outs(%36 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %in_6: f16, %out: f16):
    %54 = arith.subf %in, %in_6 : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %38 = tensor.empty() : tensor<2x3x37x37xf16>
  %39 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x37x37xf16>) outs(%38 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %54 = math.exp %in : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %40 = tensor.empty() : tensor<2x3x37xf16>
  %41 = linalg.fill ins(%cst : f16) outs(%40 : tensor<2x3x37xf16>) -> tensor<2x3x37xf16>
  %42 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x3x37x37xf16>) outs(%41 : tensor<2x3x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %54 = arith.addf %in, %out : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37xf16>
  %43 = tensor.empty() : tensor<2x3x37x1xf16>
  %44 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x3x37xf16>) outs(%43 : tensor<2x3x37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x1xf16>
  %45 = tensor.empty() : tensor<2x3x37x37xf16>
  %46 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x3x37x1xf16>) outs(%45 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x37x37xf16>
  %47 = tensor.empty() : tensor<2x3x37x37xf16>
  %48 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %46 : tensor<2x3x37x37xf16>, tensor<2x3x37x37xf16>) outs(%47 : tensor<2x3x37x37xf16>) {
  ^bb0(%in: f16, %in_6: f16, %out: f16):
    %54 = arith.divf %in, %in_6 : f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x37xf16>
  %49 = tensor.empty() : tensor<2x3x37x16xf32>
  %50 = linalg.fill ins(%cst_4 : f32) outs(%49 : tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32>
  %51 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%48, %arg2 : tensor<2x3x37x37xf16>, tensor<2x3x37x16xf16>) outs(%50 : tensor<2x3x37x16xf32>) {
  ^bb0(%in: f16, %in_6: f16, %out: f32):
    %54 = arith.extf %in : f16 to f32
    %55 = arith.extf %in_6 : f16 to f32
    %56 = arith.mulf %54, %55 : f32
    %57 = arith.addf %out, %56 : f32
    linalg.yield %57 : f32
  } -> tensor<2x3x37x16xf32>
  %52 = tensor.empty() : tensor<2x3x37x16xf16>
  %53 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<2x3x37x16xf32>) outs(%52 : tensor<2x3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %54 = arith.truncf %in : f32 to f16
    linalg.yield %54 : f16
  } -> tensor<2x3x37x16xf16>
  return %53 : tensor<2x3x37x16xf16>
}

func.func @causal_and_padding(%arg0: tensor<2x3x37x16xf32>, %arg1: tensor<2x3x37x16xf32>, %arg2: tensor<2x3x37x16xf32>, %arg3: tensor<2x1x1x37xi1>) -> tensor<2x3x37x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %56 = linalg.index 0 : index
    %57 = arith.index_cast %56 : index to i64
    linalg.yield %57 : i64
  } -> tensor<37xi64>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %56 = linalg.index 0 : index
    %57 = arith.index_cast %56 : index to i64
    linalg.yield %57 : i64
  } -> tensor<37xi64>
  %expanded_4 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %4 = tensor.empty() : tensor<37x37xi64>
  %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<37x1xi64>) outs(%4 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %6 = tensor.empty() : tensor<37x37xi64>
  %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_4 : tensor<1x37xi64>) outs(%6 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %8 = tensor.empty() : tensor<37x37xi1>
  %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%8 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_5: i64, %out: i1):
    %56 = arith.cmpi sge, %in, %in_5 : i64
    linalg.yield %56 : i1
  } -> tensor<37x37xi1>
  %10 = tensor.empty() : tensor<2x3x37x37xf32>
  %11 = linalg.fill ins(%cst_3 : f32) outs(%10 : tensor<2x3x37x37xf32>) -> tensor<2x3x37x37xf32>
  %12 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x37x16xf32>, tensor<2x3x37x16xf32>) outs(%11 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.mulf %in, %in_5 : f32
    %57 = arith.addf %out, %56 : f32
    linalg.yield %57 : f32
  } -> tensor<2x3x37x37xf32>
  %13 = tensor.empty() : tensor<2x3x37x37xf32>
  %14 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%13 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %15 = tensor.empty() : tensor<2x3x37x37xf32>
  %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%15 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.mulf %in, %in_5 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %17 = tensor.empty() : tensor<2x3x37x37xi1>
  %18 = linalg.generic {indexing_maps = [#map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x1x1x37xi1>) outs(%17 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %19 = tensor.empty() : tensor<2x3x37x37xf32>
  %20 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%19 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %21 = tensor.empty() : tensor<2x3x37x37xf32>
  %22 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %16, %20 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%21 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
    %56 = arith.select %in, %in_5, %in_6 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %23 = tensor.empty() : tensor<2x3x37x37xi1>
  %24 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<37x37xi1>) outs(%23 : tensor<2x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x3x37x37xi1>
  %25 = tensor.empty() : tensor<2x3x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%25 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %27 = tensor.empty() : tensor<2x3x37x37xf32>
  %28 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %22, %26 : tensor<2x3x37x37xi1>, tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%27 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
    %56 = arith.select %in, %in_5, %in_6 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %29 = tensor.empty() : tensor<2x3x37xf32>
  %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %31 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x3x37x37xf32>) outs(%30 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %56 = arith.maximumf %in, %out : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37xf32>
  %32 = tensor.empty() : tensor<2x3x37x1xf32>
  %33 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x3x37xf32>) outs(%32 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %34 = tensor.empty() : tensor<2x3x37x1xf32>
  %35 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%34 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %36 = tensor.empty() : tensor<2x3x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<2x3x37x1xf32>, tensor<2x3x37x1xf32>) outs(%36 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.maximumf %in, %in_5 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x1xf32>
  %38 = tensor.empty() : tensor<2x3x37x37xf32>
  %39 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x37x1xf32>) outs(%38 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %40 = tensor.empty() : tensor<2x3x37x37xf32>
  %41 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %39 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%40 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.subf %in, %in_5 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %42 = tensor.empty() : tensor<2x3x37x37xf32>
  %43 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x3x37x37xf32>) outs(%42 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %56 = math.exp %in : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %44 = tensor.empty() : tensor<2x3x37xf32>
  %45 = linalg.fill ins(%cst_3 : f32) outs(%44 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %46 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<2x3x37x37xf32>) outs(%45 : tensor<2x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %56 = arith.addf %in, %out : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37xf32>
  %47 = tensor.empty() : tensor<2x3x37x1xf32>
  %48 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x3x37xf32>) outs(%47 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x1xf32>
  %49 = tensor.empty() : tensor<2x3x37x37xf32>
  %50 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x3x37x1xf32>) outs(%49 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x37x37xf32>
  %51 = tensor.empty() : tensor<2x3x37x37xf32>
  %52 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %50 : tensor<2x3x37x37xf32>, tensor<2x3x37x37xf32>) outs(%51 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.divf %in, %in_5 : f32
    linalg.yield %56 : f32
  } -> tensor<2x3x37x37xf32>
  %53 = tensor.empty() : tensor<2x3x37x16xf32>
  %54 = linalg.fill ins(%cst_3 : f32) outs(%53 : tensor<2x3x37x16xf32>) -> tensor<2x3x37x16xf32>
  %55 = linalg.generic {indexing_maps = [#map4, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%52, %arg2 : tensor<2x3x37x37xf32>, tensor<2x3x37x16xf32>) outs(%54 : tensor<2x3x37x16xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %56 = arith.mulf %in, %in_5 : f32
    %57 = arith.addf %out, %56 : f32
    linalg.yield %57 : f32
  } -> tensor<2x3x37x16xf32>
  return %55 : tensor<2x3x37x16xf32>
}
