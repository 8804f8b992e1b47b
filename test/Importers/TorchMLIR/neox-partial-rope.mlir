// GPT-NeoX, Phi and StableLM: a part of each head is rotated, by halves; causal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5476 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @neox_partial_rope(%q: tensor<1x37x4x16xf32>,
    %k: tensor<1x37x4x16xf32>,
    %v: tensor<1x37x4x16xf32>,
    %cos: tensor<1x37x1x8xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<1x37x1x8xf32> {check.draw = "uniform -1 1"}) -> (tensor<1x37x64xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %0 = tensor.extract_slice %q[0, 0, 0, 0] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0] [1, 37, 4, 4] [1, 1, 1, 1] : tensor<1x37x4x8xf32> to tensor<1x37x4x4xf32>
  %2 = tensor.extract_slice %0[0, 0, 0, 4] [1, 37, 4, 4] [1, 1, 1, 1] : tensor<1x37x4x8xf32> to tensor<1x37x4x4xf32>
  %3 = tensor.empty() : tensor<1x37x4x4xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x37x4x4xf32>) outs(%3 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.negf %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %5 = tensor.empty() : tensor<1x37x4x8xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %cos : tensor<1x37x4x8xf32>, tensor<1x37x1x8xf32>) outs(%5 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %7 = tensor.concat dim(3) %4, %1 : (tensor<1x37x4x4xf32>, tensor<1x37x4x4xf32>) -> tensor<1x37x4x8xf32>
  %8 = tensor.empty() : tensor<1x37x4x8xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %sin : tensor<1x37x4x8xf32>, tensor<1x37x1x8xf32>) outs(%8 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %10 = tensor.empty() : tensor<1x37x4x8xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %9 : tensor<1x37x4x8xf32>, tensor<1x37x4x8xf32>) outs(%10 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %12 = tensor.extract_slice %q[0, 0, 0, 8] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %13 = tensor.concat dim(3) %11, %12 : (tensor<1x37x4x8xf32>, tensor<1x37x4x8xf32>) -> tensor<1x37x4x16xf32>
  %14 = tensor.empty() : tensor<1x4x37x16xf32>
  %15 = linalg.transpose ins(%13 : tensor<1x37x4x16xf32>) outs(%14 : tensor<1x4x37x16xf32>) permutation = [0, 2, 1, 3]
  %16 = tensor.extract_slice %k[0, 0, 0, 0] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %17 = tensor.extract_slice %16[0, 0, 0, 0] [1, 37, 4, 4] [1, 1, 1, 1] : tensor<1x37x4x8xf32> to tensor<1x37x4x4xf32>
  %18 = tensor.extract_slice %16[0, 0, 0, 4] [1, 37, 4, 4] [1, 1, 1, 1] : tensor<1x37x4x8xf32> to tensor<1x37x4x4xf32>
  %19 = tensor.empty() : tensor<1x37x4x4xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x37x4x4xf32>) outs(%19 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.negf %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %21 = tensor.empty() : tensor<1x37x4x8xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %cos : tensor<1x37x4x8xf32>, tensor<1x37x1x8xf32>) outs(%21 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %23 = tensor.concat dim(3) %20, %17 : (tensor<1x37x4x4xf32>, tensor<1x37x4x4xf32>) -> tensor<1x37x4x8xf32>
  %24 = tensor.empty() : tensor<1x37x4x8xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %sin : tensor<1x37x4x8xf32>, tensor<1x37x1x8xf32>) outs(%24 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %26 = tensor.empty() : tensor<1x37x4x8xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<1x37x4x8xf32>, tensor<1x37x4x8xf32>) outs(%26 : tensor<1x37x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x8xf32>
  %28 = tensor.extract_slice %k[0, 0, 0, 8] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %29 = tensor.concat dim(3) %27, %28 : (tensor<1x37x4x8xf32>, tensor<1x37x4x8xf32>) -> tensor<1x37x4x16xf32>
  %30 = tensor.empty() : tensor<1x4x37x16xf32>
  %31 = linalg.transpose ins(%29 : tensor<1x37x4x16xf32>) outs(%30 : tensor<1x4x37x16xf32>) permutation = [0, 2, 1, 3]
  %32 = tensor.empty() : tensor<1x4x37x16xf32>
  %33 = linalg.transpose ins(%v : tensor<1x37x4x16xf32>) outs(%32 : tensor<1x4x37x16xf32>) permutation = [0, 2, 1, 3]
  %34 = tensor.empty() : tensor<37xi64>
  %35 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%34 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %36 = tensor.empty() : tensor<37xi64>
  %37 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%36 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %38 = tensor.expand_shape %35 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %39 = tensor.empty() : tensor<37x37xi1>
  %40 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%37, %38 : tensor<37xi64>, tensor<37x1xi64>) outs(%39 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<37x37xi1>
  %41 = tensor.empty() : tensor<1x4x16x37xf32>
  %42 = linalg.transpose ins(%31 : tensor<1x4x37x16xf32>) outs(%41 : tensor<1x4x16x37xf32>) permutation = [0, 1, 3, 2]
  %43 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %44 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x4x16x37xf32> into tensor<4x16x37xf32>
  %45 = tensor.empty() : tensor<4x37x37xf32>
  %46 = linalg.fill ins(%c0 : f32) outs(%45 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %47 = linalg.batch_matmul ins(%43, %44 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%46 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %48 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 4, 37, 37] : tensor<4x37x37xf32> into tensor<1x4x37x37xf32>
  %49 = tensor.empty() : tensor<1x4x37x37xf32>
  %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x4x37x37xf32>) outs(%49 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %51 = tensor.empty() : tensor<1x4x37x37xf32>
  %52 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %50 : tensor<37x37xi1>, tensor<1x4x37x37xf32>) outs(%51 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %53 = tensor.empty() : tensor<1x4x37xi64>
  %54 = linalg.fill ins(%c3 : i64) outs(%53 : tensor<1x4x37xi64>) -> tensor<1x4x37xi64>
  %55 = tensor.empty() : tensor<1x4x37xf32>
  %56 = linalg.fill ins(%c2 : f32) outs(%55 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %57:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x4x37x37xf32>) outs(%56, %54 : tensor<1x4x37xf32>, tensor<1x4x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x37xf32>, tensor<1x4x37xi64>)
  %58 = tensor.expand_shape %57#0 [[0], [1], [2, 3]] output_shape [1, 4, 37, 1] : tensor<1x4x37xf32> into tensor<1x4x37x1xf32>
  %59 = tensor.empty() : tensor<1x4x37x37xf32>
  %60 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %58 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%59 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %61 = tensor.empty() : tensor<1x4x37x37xf32>
  %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x4x37x37xf32>) outs(%61 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %63 = tensor.empty() : tensor<1x4x37x1xf32>
  %64 = linalg.fill ins(%c0 : f32) outs(%63 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x4x37x37xf32>) outs(%64 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x1xf32>
  %66 = tensor.empty() : tensor<1x4x37x37xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%66 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %68 = tensor.collapse_shape %67 [[0, 1], [2], [3]] : tensor<1x4x37x37xf32> into tensor<4x37x37xf32>
  %69 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %70 = tensor.empty() : tensor<4x37x16xf32>
  %71 = linalg.fill ins(%c0 : f32) outs(%70 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %72 = linalg.batch_matmul ins(%68, %69 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%71 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %73 = tensor.expand_shape %72 [[0, 1], [2], [3]] output_shape [1, 4, 37, 16] : tensor<4x37x16xf32> into tensor<1x4x37x16xf32>
  %74 = tensor.empty() : tensor<1x37x4x16xf32>
  %75 = linalg.transpose ins(%73 : tensor<1x4x37x16xf32>) outs(%74 : tensor<1x37x4x16xf32>) permutation = [0, 2, 1, 3]
  %76 = tensor.collapse_shape %75 [[0], [1], [2, 3]] : tensor<1x37x4x16xf32> into tensor<1x37x64xf32>
  return %76 : tensor<1x37x64xf32>
}
