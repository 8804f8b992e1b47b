// Gemma in JAX: rotary positions from angles, sin and cos in the program.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --keys=16
// The same with rotated keys stored: in one kernel, beside that of attention.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --keys=16 \
// RUN:   --targets=gpu --gpu-options='chip=sm_90a recompute=none' --max-kernels=2

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>

func.func @rope_gqa_half(%q: tensor<1x37x3x16xf16>,
                         %k: tensor<1x37x3x16xf16>,
                         %v: tensor<1x37x3x16xf16>,
                         %angles: tensor<37x8xf32> {check.draw = "uniform 0 36"}) -> tensor<1x37x3x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.extract_slice %q[0, 0, 0, 0] [1, 37, 3, 8] [1, 1, 1, 1] : tensor<1x37x3x16xf16> to tensor<1x37x3x8xf16>
  %1 = tensor.extract_slice %q[0, 0, 0, 8] [1, 37, 3, 8] [1, 1, 1, 1] : tensor<1x37x3x16xf16> to tensor<1x37x3x8xf16>
  %2 = tensor.empty() : tensor<1x37x3x8xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x37x3x8xf16>) outs(%2 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %4 = arith.extf %in : f16 to f32
    linalg.yield %4 : f32
  } -> tensor<1x37x3x8xf32>
  %5 = tensor.empty() : tensor<1x37x3x8xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x37x3x8xf16>) outs(%5 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %7 = arith.extf %in : f16 to f32
    linalg.yield %7 : f32
  } -> tensor<1x37x3x8xf32>
  %8 = tensor.empty() : tensor<37x8xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%angles : tensor<37x8xf32>) outs(%8 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = math.sin %in : f32
    linalg.yield %10 : f32
  } -> tensor<37x8xf32>
  %11 = tensor.empty() : tensor<1x37x3x8xf32>
  %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<37x8xf32>) outs(%11 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x37x3x8xf32>
  %13 = tensor.empty() : tensor<37x8xf32>
  %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%angles : tensor<37x8xf32>) outs(%13 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = math.cos %in : f32
    linalg.yield %15 : f32
  } -> tensor<37x8xf32>
  %16 = tensor.empty() : tensor<1x37x3x8xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<37x8xf32>) outs(%16 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x37x3x8xf32>
  %18 = tensor.empty() : tensor<1x37x3x8xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %17 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%18 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %20 = arith.mulf %in, %in_1 : f32
    linalg.yield %20 : f32
  } -> tensor<1x37x3x8xf32>
  %21 = tensor.empty() : tensor<1x37x3x8xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%21 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.mulf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<1x37x3x8xf32>
  %24 = tensor.empty() : tensor<1x37x3x8xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%24 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.subf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<1x37x3x8xf32>
  %27 = tensor.empty() : tensor<1x37x3x8xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%27 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %29 = arith.mulf %in, %in_1 : f32
    linalg.yield %29 : f32
  } -> tensor<1x37x3x8xf32>
  %30 = tensor.empty() : tensor<1x37x3x8xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %12 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%30 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %32 = arith.mulf %in, %in_1 : f32
    linalg.yield %32 : f32
  } -> tensor<1x37x3x8xf32>
  %33 = tensor.empty() : tensor<1x37x3x8xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%33 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.addf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x37x3x8xf32>
  %36 = tensor.concat dim(3) %25, %34 : (tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) -> tensor<1x37x3x16xf32>
  %37 = tensor.empty() : tensor<1x37x3x16xf16>
  %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x37x3x16xf32>) outs(%37 : tensor<1x37x3x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %39 = arith.truncf %in : f32 to f16
    linalg.yield %39 : f16
  } -> tensor<1x37x3x16xf16>
  %40 = tensor.extract_slice %k[0, 0, 0, 0] [1, 37, 3, 8] [1, 1, 1, 1] : tensor<1x37x3x16xf16> to tensor<1x37x3x8xf16>
  %41 = tensor.extract_slice %k[0, 0, 0, 8] [1, 37, 3, 8] [1, 1, 1, 1] : tensor<1x37x3x16xf16> to tensor<1x37x3x8xf16>
  %42 = tensor.empty() : tensor<1x37x3x8xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x37x3x8xf16>) outs(%42 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %44 = arith.extf %in : f16 to f32
    linalg.yield %44 : f32
  } -> tensor<1x37x3x8xf32>
  %45 = tensor.empty() : tensor<1x37x3x8xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x37x3x8xf16>) outs(%45 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %47 = arith.extf %in : f16 to f32
    linalg.yield %47 : f32
  } -> tensor<1x37x3x8xf32>
  %48 = tensor.empty() : tensor<37x8xf32>
  %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%angles : tensor<37x8xf32>) outs(%48 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = math.sin %in : f32
    linalg.yield %50 : f32
  } -> tensor<37x8xf32>
  %51 = tensor.empty() : tensor<1x37x3x8xf32>
  %52 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<37x8xf32>) outs(%51 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x37x3x8xf32>
  %53 = tensor.empty() : tensor<37x8xf32>
  %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%angles : tensor<37x8xf32>) outs(%53 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %55 = math.cos %in : f32
    linalg.yield %55 : f32
  } -> tensor<37x8xf32>
  %56 = tensor.empty() : tensor<1x37x3x8xf32>
  %57 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<37x8xf32>) outs(%56 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x37x3x8xf32>
  %58 = tensor.empty() : tensor<1x37x3x8xf32>
  %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %57 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%58 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %60 = arith.mulf %in, %in_1 : f32
    linalg.yield %60 : f32
  } -> tensor<1x37x3x8xf32>
  %61 = tensor.empty() : tensor<1x37x3x8xf32>
  %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %52 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%61 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %63 = arith.mulf %in, %in_1 : f32
    linalg.yield %63 : f32
  } -> tensor<1x37x3x8xf32>
  %64 = tensor.empty() : tensor<1x37x3x8xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%64 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %66 = arith.subf %in, %in_1 : f32
    linalg.yield %66 : f32
  } -> tensor<1x37x3x8xf32>
  %67 = tensor.empty() : tensor<1x37x3x8xf32>
  %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %57 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%67 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %69 = arith.mulf %in, %in_1 : f32
    linalg.yield %69 : f32
  } -> tensor<1x37x3x8xf32>
  %70 = tensor.empty() : tensor<1x37x3x8xf32>
  %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %52 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%70 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %72 = arith.mulf %in, %in_1 : f32
    linalg.yield %72 : f32
  } -> tensor<1x37x3x8xf32>
  %73 = tensor.empty() : tensor<1x37x3x8xf32>
  %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %71 : tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) outs(%73 : tensor<1x37x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %75 = arith.addf %in, %in_1 : f32
    linalg.yield %75 : f32
  } -> tensor<1x37x3x8xf32>
  %76 = tensor.concat dim(3) %65, %74 : (tensor<1x37x3x8xf32>, tensor<1x37x3x8xf32>) -> tensor<1x37x3x16xf32>
  %77 = tensor.empty() : tensor<1x37x3x16xf16>
  %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<1x37x3x16xf32>) outs(%77 : tensor<1x37x3x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %79 = arith.truncf %in : f32 to f16
    linalg.yield %79 : f16
  } -> tensor<1x37x3x16xf16>
  %80 = tensor.empty() : tensor<1x3x37x37xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<1x3x37x37xf32>) -> tensor<1x3x37x37xf32>
  %82 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%38, %78 : tensor<1x37x3x16xf16>, tensor<1x37x3x16xf16>) outs(%81 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %83 = arith.extf %in : f16 to f32
    %84 = arith.extf %in_1 : f16 to f32
    %85 = arith.mulf %83, %84 : f32
    %86 = arith.addf %out, %85 : f32
    linalg.yield %86 : f32
  } -> tensor<1x3x37x37xf32>
  %87 = arith.constant dense<2.500000e-01> : tensor<1x3x37x37xf32>
  %88 = tensor.empty() : tensor<1x3x37x37xf32>
  %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %87 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%88 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %90 = arith.mulf %in, %in_1 : f32
    linalg.yield %90 : f32
  } -> tensor<1x3x37x37xf32>
  %91 = tensor.empty() : tensor<1x3x37xf32>
  %92 = linalg.fill ins(%cst_1 : f32) outs(%91 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %93 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%89 : tensor<1x3x37x37xf32>) outs(%92 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %94 = arith.maximumf %out, %in : f32
    linalg.yield %94 : f32
  } -> tensor<1x3x37xf32>
  %95 = arith.constant dense<0xFF800000> : tensor<1x3x37xf32>
  %96 = tensor.empty() : tensor<1x3x37xf32>
  %97 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %93 : tensor<1x3x37xf32>, tensor<1x3x37xf32>) outs(%96 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %98 = arith.maximumf %in, %in_1 : f32
    linalg.yield %98 : f32
  } -> tensor<1x3x37xf32>
  %99 = tensor.empty() : tensor<1x3x37x1xf32>
  %100 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x3x37xf32>) outs(%99 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %101 = tensor.empty() : tensor<1x3x37x37xf32>
  %102 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100 : tensor<1x3x37x1xf32>) outs(%101 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x37xf32>
  %103 = tensor.empty() : tensor<1x3x37x37xf32>
  %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %102 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%103 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %105 = arith.subf %in, %in_1 : f32
    linalg.yield %105 : f32
  } -> tensor<1x3x37x37xf32>
  %106 = tensor.empty() : tensor<1x3x37x37xf32>
  %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104 : tensor<1x3x37x37xf32>) outs(%106 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %108 = math.exp %in : f32
    linalg.yield %108 : f32
  } -> tensor<1x3x37x37xf32>
  %109 = tensor.empty() : tensor<1x3x37xf32>
  %110 = linalg.fill ins(%cst_2 : f32) outs(%109 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %111 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%107 : tensor<1x3x37x37xf32>) outs(%110 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %112 = arith.addf %out, %in : f32
    linalg.yield %112 : f32
  } -> tensor<1x3x37xf32>
  %113 = tensor.empty() : tensor<1x3x37x1xf32>
  %114 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<1x3x37xf32>) outs(%113 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %115 = tensor.empty() : tensor<1x3x37x37xf32>
  %116 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114 : tensor<1x3x37x1xf32>) outs(%115 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x37xf32>
  %117 = tensor.empty() : tensor<1x3x37x37xf32>
  %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %116 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%117 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %119 = arith.divf %in, %in_1 : f32
    linalg.yield %119 : f32
  } -> tensor<1x3x37x37xf32>
  %120 = tensor.empty() : tensor<1x3x37x37xf16>
  %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<1x3x37x37xf32>) outs(%120 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %122 = arith.truncf %in : f32 to f16
    linalg.yield %122 : f16
  } -> tensor<1x3x37x37xf16>
  %123 = tensor.empty() : tensor<1x3x16x37xf32>
  %124 = linalg.fill ins(%cst : f32) outs(%123 : tensor<1x3x16x37xf32>) -> tensor<1x3x16x37xf32>
  %125 = linalg.generic {indexing_maps = [#map9, #map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %121 : tensor<1x37x3x16xf16>, tensor<1x3x37x37xf16>) outs(%124 : tensor<1x3x16x37xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %126 = arith.extf %in : f16 to f32
    %127 = arith.extf %in_1 : f16 to f32
    %128 = arith.mulf %126, %127 : f32
    %129 = arith.addf %out, %128 : f32
    linalg.yield %129 : f32
  } -> tensor<1x3x16x37xf32>
  %130 = tensor.empty() : tensor<1x3x16x37xf16>
  %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<1x3x16x37xf32>) outs(%130 : tensor<1x3x16x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %132 = arith.truncf %in : f32 to f16
    linalg.yield %132 : f16
  } -> tensor<1x3x16x37xf16>
  %133 = tensor.empty() : tensor<1x37x3x16xf16>
  %134 = linalg.transpose ins(%131 : tensor<1x3x16x37xf16>) outs(%133 : tensor<1x37x3x16xf16>) permutation = [0, 3, 1, 2]
  return %134 : tensor<1x37x3x16xf16>
}
