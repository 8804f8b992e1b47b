// jax.vjp of softmax attention: the output, and the gradients of queries, keys and
// values from the weights, causal; contractions in BTNH order.
// The weights are computed again from the state of their rows, where a gradient keeps
// the keys or needs a sum of rows first: nothing of the size of the scores is stored on
// GPUs. On CPUs that pays only if it is forced.

// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=1000 --keys=16 --cpu-options=force-fusion
// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=1000 --keys=16 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --keys=16 --targets=cpu

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d2)>

func.func @attention_vjp(%q: tensor<1x37x2x16xf32>,
    %k: tensor<1x45x2x16xf32>,
    %v: tensor<1x45x2x16xf32>,
    %do: tensor<1x37x2x16xf32>) -> (tensor<1x37x2x16xf32>, tensor<1x37x2x16xf32>, tensor<1x45x2x16xf32>, tensor<1x45x2x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant -1.70141173E+38 : f32
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x2x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x37x45xf32>) -> tensor<1x2x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x37x2x16xf32>, tensor<1x45x2x16xf32>) outs(%1 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x2x37x45xf32>
  %5 = tensor.empty() : tensor<1x2x37x45xf32>
  %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x37x45xf32>) outs(%5 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.mulf %in, %cst_1 : f32
    linalg.yield %7 : f32
  } -> tensor<1x2x37x45xf32>
  %8 = tensor.empty() : tensor<37xi64>
  %9 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%8 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %10 = linalg.index 0 : index
    %11 = arith.index_cast %10 : index to i64
    linalg.yield %11 : i64
  } -> tensor<37xi64>
  %12 = tensor.expand_shape %9 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %13 = tensor.empty() : tensor<45xi64>
  %14 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%13 : tensor<45xi64>) {
  ^bb0(%out: i64):
    %15 = linalg.index 0 : index
    %16 = arith.index_cast %15 : index to i64
    linalg.yield %16 : i64
  } -> tensor<45xi64>
  %17 = tensor.expand_shape %14 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %18 = tensor.empty() : tensor<37x45xi1>
  %19 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%12, %17 : tensor<37x1xi64>, tensor<1x45xi64>) outs(%18 : tensor<37x45xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %20 = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %20 : i1
  } -> tensor<37x45xi1>
  %21 = tensor.empty() : tensor<1x2x37x45xf32>
  %22 = linalg.generic {indexing_maps = [#map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %6 : tensor<37x45xi1>, tensor<1x2x37x45xf32>) outs(%21 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %23 = arith.select %in, %in_1, %cst_2 : f32
    linalg.yield %23 : f32
  } -> tensor<1x2x37x45xf32>
  %24 = tensor.empty() : tensor<1x2x37xf32>
  %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x37x45xf32>) outs(%25 : tensor<1x2x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.maximumf %out, %in : f32
    linalg.yield %27 : f32
  } -> tensor<1x2x37xf32>
  %28 = tensor.expand_shape %26 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %29 = tensor.empty() : tensor<1x2x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %28 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%29 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.subf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x2x37x45xf32>
  %32 = tensor.empty() : tensor<1x2x37x45xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x37x45xf32>) outs(%32 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = math.exp %in : f32
    linalg.yield %34 : f32
  } -> tensor<1x2x37x45xf32>
  %35 = tensor.empty() : tensor<1x2x37xf32>
  %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %37 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x37x45xf32>) outs(%36 : tensor<1x2x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %out : f32
    linalg.yield %38 : f32
  } -> tensor<1x2x37xf32>
  %39 = tensor.expand_shape %37 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %40 = tensor.empty() : tensor<1x2x37x45xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %39 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%40 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %42 = arith.divf %in, %in_1 : f32
    linalg.yield %42 : f32
  } -> tensor<1x2x37x45xf32>
  %43 = tensor.empty() : tensor<1x37x2x16xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<1x37x2x16xf32>) -> tensor<1x37x2x16xf32>
  %45 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41, %v : tensor<1x2x37x45xf32>, tensor<1x45x2x16xf32>) outs(%44 : tensor<1x37x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.mulf %in, %in_1 : f32
    %47 = arith.addf %out, %46 : f32
    linalg.yield %47 : f32
  } -> tensor<1x37x2x16xf32>
  %48 = tensor.empty() : tensor<1x45x2x16xf32>
  %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x45x2x16xf32>) -> tensor<1x45x2x16xf32>
  %50 = linalg.generic {indexing_maps = [#map14, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%41, %do : tensor<1x2x37x45xf32>, tensor<1x37x2x16xf32>) outs(%49 : tensor<1x45x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %51 = arith.mulf %in, %in_1 : f32
    %52 = arith.addf %out, %51 : f32
    linalg.yield %52 : f32
  } -> tensor<1x45x2x16xf32>
  %53 = tensor.empty() : tensor<1x2x37x45xf32>
  %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<1x2x37x45xf32>) -> tensor<1x2x37x45xf32>
  %55 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%do, %v : tensor<1x37x2x16xf32>, tensor<1x45x2x16xf32>) outs(%54 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %56 = arith.mulf %in, %in_1 : f32
    %57 = arith.addf %out, %56 : f32
    linalg.yield %57 : f32
  } -> tensor<1x2x37x45xf32>
  %58 = tensor.empty() : tensor<1x2x37x45xf32>
  %59 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %41 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%58 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %60 = arith.mulf %in, %in_1 : f32
    linalg.yield %60 : f32
  } -> tensor<1x2x37x45xf32>
  %61 = tensor.empty() : tensor<1x2x37xf32>
  %62 = linalg.fill ins(%cst : f32) outs(%61 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %63 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x2x37x45xf32>) outs(%62 : tensor<1x2x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %64 = arith.addf %in, %out : f32
    linalg.yield %64 : f32
  } -> tensor<1x2x37xf32>
  %65 = tensor.expand_shape %63 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %66 = tensor.empty() : tensor<1x2x37x45xf32>
  %67 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %65 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%66 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %68 = arith.subf %in, %in_1 : f32
    linalg.yield %68 : f32
  } -> tensor<1x2x37x45xf32>
  %69 = tensor.empty() : tensor<1x2x37x45xf32>
  %70 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %67 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%69 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %71 = arith.mulf %in, %in_1 : f32
    linalg.yield %71 : f32
  } -> tensor<1x2x37x45xf32>
  %72 = tensor.empty() : tensor<1x2x37x45xf32>
  %73 = linalg.generic {indexing_maps = [#map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %70 : tensor<37x45xi1>, tensor<1x2x37x45xf32>) outs(%72 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %74 = arith.select %in, %in_1, %cst : f32
    linalg.yield %74 : f32
  } -> tensor<1x2x37x45xf32>
  %75 = tensor.empty() : tensor<1x2x37x45xf32>
  %76 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x2x37x45xf32>) outs(%75 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %77 = arith.mulf %in, %cst_1 : f32
    linalg.yield %77 : f32
  } -> tensor<1x2x37x45xf32>
  %78 = tensor.empty() : tensor<1x37x2x16xf32>
  %79 = linalg.fill ins(%cst : f32) outs(%78 : tensor<1x37x2x16xf32>) -> tensor<1x37x2x16xf32>
  %80 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%76, %k : tensor<1x2x37x45xf32>, tensor<1x45x2x16xf32>) outs(%79 : tensor<1x37x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %81 = arith.mulf %in, %in_1 : f32
    %82 = arith.addf %out, %81 : f32
    linalg.yield %82 : f32
  } -> tensor<1x37x2x16xf32>
  %83 = tensor.empty() : tensor<1x45x2x16xf32>
  %84 = linalg.fill ins(%cst : f32) outs(%83 : tensor<1x45x2x16xf32>) -> tensor<1x45x2x16xf32>
  %85 = linalg.generic {indexing_maps = [#map14, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%76, %q : tensor<1x2x37x45xf32>, tensor<1x37x2x16xf32>) outs(%84 : tensor<1x45x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %86 = arith.mulf %in, %in_1 : f32
    %87 = arith.addf %out, %86 : f32
    linalg.yield %87 : f32
  } -> tensor<1x45x2x16xf32>
  return %45, %80, %85, %50 : tensor<1x37x2x16xf32>, tensor<1x37x2x16xf32>, tensor<1x45x2x16xf32>, tensor<1x45x2x16xf32>
}
