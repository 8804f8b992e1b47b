// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=16 keys=16' -o %t 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=16 keys=16 report=none' -o %t 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty

// A layer norm of all heads behind attention, whose workgroups have a head each. The
// first of its reductions is reported.

// CHECK: remark: not fused behind 'linalg.generic': it reduces a dimension that the loops cut; 1x3x37x16xf32 (6.9 KiB) of 'linalg.generic' stays in memory; reduce what tiles have whole, such as the columns of a head
// CHECK-NOT: remark
// NONE-NOT: remark

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @norm_behind(%q: tensor<1x3x37x16xf32>,
    %k: tensor<1x3x37x16xf32>,
    %v: tensor<1x3x37x16xf32>) -> (tensor<1x37x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 0 : i64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 4.800000e+01 : f64
  %c4 = arith.constant 1.000000e-05 : f64
  %0 = tensor.empty() : tensor<1x3x16x37xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x37x16xf32>) outs(%0 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %4 = tensor.empty() : tensor<3x37x37xf32>
  %5 = linalg.fill ins(%c0 : f32) outs(%4 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%5 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %8 = tensor.empty() : tensor<1x3x37xi64>
  %9 = linalg.fill ins(%c1 : i64) outs(%8 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %10 = tensor.empty() : tensor<1x3x37xf32>
  %11 = linalg.fill ins(%c2 : f32) outs(%10 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %12:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<1x3x37x37xf32>) outs(%11, %9 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %13 = tensor.expand_shape %12#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %14 = tensor.empty() : tensor<1x3x37x37xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %13 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%14 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %16 = tensor.empty() : tensor<1x3x37x37xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x37x37xf32>) outs(%16 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %18 = tensor.empty() : tensor<1x3x37x1xf32>
  %19 = linalg.fill ins(%c0 : f32) outs(%18 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<1x3x37x37xf32>) outs(%19 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x1xf32>
  %21 = tensor.empty() : tensor<1x3x37x37xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%21 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %23 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %24 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %25 = tensor.empty() : tensor<3x37x16xf32>
  %26 = linalg.fill ins(%c0 : f32) outs(%25 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %27 = linalg.batch_matmul ins(%23, %24 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%26 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %28 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %29 = tensor.empty() : tensor<1x37x3x16xf32>
  %30 = linalg.transpose ins(%28 : tensor<1x3x37x16xf32>) outs(%29 : tensor<1x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %31 = tensor.collapse_shape %30 [[0], [1], [2, 3]] : tensor<1x37x3x16xf32> into tensor<1x37x48xf32>
  %32 = tensor.empty() : tensor<1x37x1xf32>
  %33 = linalg.fill ins(%c0 : f32) outs(%32 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31 : tensor<1x37x48xf32>) outs(%33 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %35 = tensor.empty() : tensor<1x37x1xf32>
  %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<1x37x1xf32>) outs(%35 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c3 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %37 = tensor.empty() : tensor<1x37x48xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %36 : tensor<1x37x48xf32>, tensor<1x37x1xf32>) outs(%37 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %39 = tensor.empty() : tensor<1x37x48xf32>
  %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %38 : tensor<1x37x48xf32>, tensor<1x37x48xf32>) outs(%39 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %41 = tensor.empty() : tensor<1x37x1xf32>
  %42 = linalg.fill ins(%c0 : f32) outs(%41 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %43 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<1x37x48xf32>) outs(%42 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %44 = tensor.empty() : tensor<1x37x1xf32>
  %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x37x1xf32>) outs(%44 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c3 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %46 = tensor.empty() : tensor<1x37x1xf32>
  %47 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x37x1xf32>) outs(%46 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c4 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %48 = tensor.empty() : tensor<1x37x1xf32>
  %49 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<1x37x1xf32>) outs(%48 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %50 = tensor.empty() : tensor<1x37x48xf32>
  %51 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %49 : tensor<1x37x48xf32>, tensor<1x37x1xf32>) outs(%50 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  return %51 : tensor<1x37x48xf32>
}
