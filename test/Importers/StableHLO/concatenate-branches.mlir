// stablehlo.concatenate is an op without operands, whose payload branches on the position:
// rotations of half of the columns, and a sink for each head.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=0 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @rotary_sinks(%arg0: tensor<1x4x37x16xf32>, %arg1: tensor<1x2x37x16xf32>, %arg2: tensor<1x2x37x16xf32>, %arg3: tensor<4xf32>, %arg4: tensor<37x8xf32>, %arg5: tensor<37x8xf32>) -> tensor<1x4x37x16xf32> {
  %cst = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %cst_2 = arith.constant -3.40282347E+38 : f32
  %cst_3 = arith.constant dense<2.500000e-01> : tensor<f32>
  %cst_4 = arith.constant 0.000000e+00 : f32
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 4, 37, 8] [1, 1, 1, 1] : tensor<1x4x37x16xf32> to tensor<1x4x37x8xf32>
  %extracted_slice_5 = tensor.extract_slice %extracted_slice[0, 0, 0, 0] [1, 4, 37, 4] [1, 1, 1, 1] : tensor<1x4x37x8xf32> to tensor<1x4x37x4xf32>
  %extracted_slice_6 = tensor.extract_slice %extracted_slice[0, 0, 0, 4] [1, 4, 37, 4] [1, 1, 1, 1] : tensor<1x4x37x8xf32> to tensor<1x4x37x4xf32>
  %0 = tensor.empty() : tensor<1x4x37x8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<37x8xf32>) outs(%0 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x8xf32>
  %2 = tensor.empty() : tensor<1x4x37x8xf32>
  %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %1 : tensor<1x4x37x8xf32>, tensor<1x4x37x8xf32>) outs(%2 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x8xf32>
  %4 = tensor.empty() : tensor<1x4x37x4xf32>
  %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_6 : tensor<1x4x37x4xf32>) outs(%4 : tensor<1x4x37x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = arith.negf %in : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x4xf32>
  %6 = tensor.empty() : tensor<1x4x37x8xf32>
  %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%6 : tensor<1x4x37x8xf32>) {
  ^bb0(%out: f32):
    %90 = linalg.index 0 : index
    %91 = linalg.index 1 : index
    %92 = linalg.index 2 : index
    %93 = linalg.index 3 : index
    %94 = linalg.index 3 : index
    %dim = tensor.dim %5, %c3 : tensor<1x4x37x4xf32>
    %95 = arith.addi %c0, %dim : index
    %96 = arith.cmpi ult, %94, %95 : index
    %97 = scf.if %96 -> (f32) {
      %98 = arith.subi %94, %c0 : index
      %extracted = tensor.extract %5[%90, %91, %92, %98] : tensor<1x4x37x4xf32>
      scf.yield %extracted : f32
    } else {
      %98 = arith.subi %94, %95 : index
      %extracted = tensor.extract %extracted_slice_5[%90, %91, %92, %98] : tensor<1x4x37x4xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %97 : f32
  } -> tensor<1x4x37x8xf32>
  %8 = tensor.empty() : tensor<1x4x37x8xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<37x8xf32>) outs(%8 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x8xf32>
  %10 = tensor.empty() : tensor<1x4x37x8xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<1x4x37x8xf32>, tensor<1x4x37x8xf32>) outs(%10 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x8xf32>
  %12 = tensor.empty() : tensor<1x4x37x8xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %11 : tensor<1x4x37x8xf32>, tensor<1x4x37x8xf32>) outs(%12 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.addf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x8xf32>
  %extracted_slice_7 = tensor.extract_slice %arg0[0, 0, 0, 8] [1, 4, 37, 8] [1, 1, 1, 1] : tensor<1x4x37x16xf32> to tensor<1x4x37x8xf32>
  %14 = tensor.empty() : tensor<1x4x37x16xf32>
  %15 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%14 : tensor<1x4x37x16xf32>) {
  ^bb0(%out: f32):
    %90 = linalg.index 0 : index
    %91 = linalg.index 1 : index
    %92 = linalg.index 2 : index
    %93 = linalg.index 3 : index
    %94 = linalg.index 3 : index
    %dim = tensor.dim %13, %c3 : tensor<1x4x37x8xf32>
    %95 = arith.addi %c0, %dim : index
    %96 = arith.cmpi ult, %94, %95 : index
    %97 = scf.if %96 -> (f32) {
      %98 = arith.subi %94, %c0 : index
      %extracted = tensor.extract %13[%90, %91, %92, %98] : tensor<1x4x37x8xf32>
      scf.yield %extracted : f32
    } else {
      %98 = arith.subi %94, %95 : index
      %extracted = tensor.extract %extracted_slice_7[%90, %91, %92, %98] : tensor<1x4x37x8xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %97 : f32
  } -> tensor<1x4x37x16xf32>
  %extracted_slice_8 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, 2, 37, 8] [1, 1, 1, 1] : tensor<1x2x37x16xf32> to tensor<1x2x37x8xf32>
  %extracted_slice_9 = tensor.extract_slice %extracted_slice_8[0, 0, 0, 0] [1, 2, 37, 4] [1, 1, 1, 1] : tensor<1x2x37x8xf32> to tensor<1x2x37x4xf32>
  %extracted_slice_10 = tensor.extract_slice %extracted_slice_8[0, 0, 0, 4] [1, 2, 37, 4] [1, 1, 1, 1] : tensor<1x2x37x8xf32> to tensor<1x2x37x4xf32>
  %16 = tensor.empty() : tensor<1x2x37x8xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<37x8xf32>) outs(%16 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x37x8xf32>
  %18 = tensor.empty() : tensor<1x2x37x8xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8, %17 : tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) outs(%18 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x2x37x8xf32>
  %20 = tensor.empty() : tensor<1x2x37x4xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10 : tensor<1x2x37x4xf32>) outs(%20 : tensor<1x2x37x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = arith.negf %in : f32
    linalg.yield %90 : f32
  } -> tensor<1x2x37x4xf32>
  %22 = tensor.empty() : tensor<1x2x37x8xf32>
  %23 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%22 : tensor<1x2x37x8xf32>) {
  ^bb0(%out: f32):
    %90 = linalg.index 0 : index
    %91 = linalg.index 1 : index
    %92 = linalg.index 2 : index
    %93 = linalg.index 3 : index
    %94 = linalg.index 3 : index
    %dim = tensor.dim %21, %c3 : tensor<1x2x37x4xf32>
    %95 = arith.addi %c0, %dim : index
    %96 = arith.cmpi ult, %94, %95 : index
    %97 = scf.if %96 -> (f32) {
      %98 = arith.subi %94, %c0 : index
      %extracted = tensor.extract %21[%90, %91, %92, %98] : tensor<1x2x37x4xf32>
      scf.yield %extracted : f32
    } else {
      %98 = arith.subi %94, %95 : index
      %extracted = tensor.extract %extracted_slice_9[%90, %91, %92, %98] : tensor<1x2x37x4xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %97 : f32
  } -> tensor<1x2x37x8xf32>
  %24 = tensor.empty() : tensor<1x2x37x8xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<37x8xf32>) outs(%24 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x37x8xf32>
  %26 = tensor.empty() : tensor<1x2x37x8xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) outs(%26 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x2x37x8xf32>
  %28 = tensor.empty() : tensor<1x2x37x8xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) outs(%28 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.addf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x2x37x8xf32>
  %extracted_slice_11 = tensor.extract_slice %arg1[0, 0, 0, 8] [1, 2, 37, 8] [1, 1, 1, 1] : tensor<1x2x37x16xf32> to tensor<1x2x37x8xf32>
  %30 = tensor.empty() : tensor<1x2x37x16xf32>
  %31 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%30 : tensor<1x2x37x16xf32>) {
  ^bb0(%out: f32):
    %90 = linalg.index 0 : index
    %91 = linalg.index 1 : index
    %92 = linalg.index 2 : index
    %93 = linalg.index 3 : index
    %94 = linalg.index 3 : index
    %dim = tensor.dim %29, %c3 : tensor<1x2x37x8xf32>
    %95 = arith.addi %c0, %dim : index
    %96 = arith.cmpi ult, %94, %95 : index
    %97 = scf.if %96 -> (f32) {
      %98 = arith.subi %94, %c0 : index
      %extracted = tensor.extract %29[%90, %91, %92, %98] : tensor<1x2x37x8xf32>
      scf.yield %extracted : f32
    } else {
      %98 = arith.subi %94, %95 : index
      %extracted = tensor.extract %extracted_slice_11[%90, %91, %92, %98] : tensor<1x2x37x8xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %97 : f32
  } -> tensor<1x2x37x16xf32>
  %expanded = tensor.expand_shape %31 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %32 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %33 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x1x37x16xf32>) outs(%32 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %collapsed = tensor.collapse_shape %33 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %34 = tensor.empty() : tensor<1x4x37x37xf32>
  %35 = linalg.fill ins(%cst_4 : f32) outs(%34 : tensor<1x4x37x37xf32>) -> tensor<1x4x37x37xf32>
  %36 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15, %collapsed : tensor<1x4x37x16xf32>, tensor<1x4x37x16xf32>) outs(%35 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    %91 = arith.addf %out, %90 : f32
    linalg.yield %91 : f32
  } -> tensor<1x4x37x37xf32>
  %37 = tensor.empty() : tensor<1x4x37x37xf32>
  %38 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%37 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x37xf32>
  %39 = tensor.empty() : tensor<1x4x37x37xf32>
  %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %38 : tensor<1x4x37x37xf32>, tensor<1x4x37x37xf32>) outs(%39 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x37xf32>
  %41 = tensor.empty() : tensor<37xi64>
  %42 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%41 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %90 = linalg.index 0 : index
    %91 = arith.index_cast %90 : index to i64
    linalg.yield %91 : i64
  } -> tensor<37xi64>
  %expanded_12 = tensor.expand_shape %42 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %43 = tensor.empty() : tensor<37xi64>
  %44 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%43 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %90 = linalg.index 0 : index
    %91 = arith.index_cast %90 : index to i64
    linalg.yield %91 : i64
  } -> tensor<37xi64>
  %expanded_13 = tensor.expand_shape %44 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %45 = tensor.empty() : tensor<37x37xi64>
  %46 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%expanded_13 : tensor<1x37xi64>) outs(%45 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %47 = tensor.empty() : tensor<37x37xi64>
  %48 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["parallel", "parallel"]} ins(%expanded_12 : tensor<37x1xi64>) outs(%47 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<37x37xi64>
  %49 = tensor.empty() : tensor<37x37xi1>
  %50 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%46, %48 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%49 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_18: i64, %out: i1):
    %90 = arith.cmpi sle, %in, %in_18 : i64
    linalg.yield %90 : i1
  } -> tensor<37x37xi1>
  %51 = tensor.empty() : tensor<1x4x37x37xi1>
  %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<37x37xi1>) outs(%51 : tensor<1x4x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x4x37x37xi1>
  %53 = tensor.empty() : tensor<1x4x37x37xf32>
  %54 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%53 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x37xf32>
  %55 = tensor.empty() : tensor<1x4x37x37xf32>
  %56 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %40, %54 : tensor<1x4x37x37xi1>, tensor<1x4x37x37xf32>, tensor<1x4x37x37xf32>) outs(%55 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
    %90 = arith.select %in, %in_18, %in_19 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x37xf32>
  %expanded_14 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
  %57 = tensor.empty() : tensor<1x4x37x1xf32>
  %58 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x4x1x1xf32>) outs(%57 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %59 = tensor.empty() : tensor<1x4x37x38xf32>
  %60 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%59 : tensor<1x4x37x38xf32>) {
  ^bb0(%out: f32):
    %90 = linalg.index 0 : index
    %91 = linalg.index 1 : index
    %92 = linalg.index 2 : index
    %93 = linalg.index 3 : index
    %94 = linalg.index 3 : index
    %dim = tensor.dim %56, %c3 : tensor<1x4x37x37xf32>
    %95 = arith.addi %c0, %dim : index
    %96 = arith.cmpi ult, %94, %95 : index
    %97 = scf.if %96 -> (f32) {
      %98 = arith.subi %94, %c0 : index
      %extracted = tensor.extract %56[%90, %91, %92, %98] : tensor<1x4x37x37xf32>
      scf.yield %extracted : f32
    } else {
      %98 = arith.subi %94, %95 : index
      %extracted = tensor.extract %58[%90, %91, %92, %98] : tensor<1x4x37x1xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %97 : f32
  } -> tensor<1x4x37x38xf32>
  %61 = tensor.empty() : tensor<1x4x37xf32>
  %62 = linalg.fill ins(%cst_0 : f32) outs(%61 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %63 = linalg.generic {indexing_maps = [#map1, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x4x37x38xf32>) outs(%62 : tensor<1x4x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = arith.maximumf %in, %out : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37xf32>
  %64 = tensor.empty() : tensor<1x4x37x1xf32>
  %65 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x4x37xf32>) outs(%64 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %66 = tensor.empty() : tensor<1x4x37x1xf32>
  %67 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%66 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %68 = tensor.empty() : tensor<1x4x37x1xf32>
  %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<1x4x37x1xf32>, tensor<1x4x37x1xf32>) outs(%68 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.maximumf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x1xf32>
  %70 = tensor.empty() : tensor<1x4x37x38xf32>
  %71 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x4x37x1xf32>) outs(%70 : tensor<1x4x37x38xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x38xf32>
  %72 = tensor.empty() : tensor<1x4x37x38xf32>
  %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %71 : tensor<1x4x37x38xf32>, tensor<1x4x37x38xf32>) outs(%72 : tensor<1x4x37x38xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.subf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x38xf32>
  %74 = tensor.empty() : tensor<1x4x37x38xf32>
  %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x4x37x38xf32>) outs(%74 : tensor<1x4x37x38xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = math.exp %in : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x38xf32>
  %76 = tensor.empty() : tensor<1x4x37xf32>
  %77 = linalg.fill ins(%cst_4 : f32) outs(%76 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %78 = linalg.generic {indexing_maps = [#map1, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<1x4x37x38xf32>) outs(%77 : tensor<1x4x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = arith.addf %in, %out : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37xf32>
  %79 = tensor.empty() : tensor<1x4x37x1xf32>
  %80 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x4x37xf32>) outs(%79 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %81 = tensor.empty() : tensor<1x4x37x38xf32>
  %82 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x4x37x1xf32>) outs(%81 : tensor<1x4x37x38xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x38xf32>
  %83 = tensor.empty() : tensor<1x4x37x38xf32>
  %84 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %82 : tensor<1x4x37x38xf32>, tensor<1x4x37x38xf32>) outs(%83 : tensor<1x4x37x38xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.divf %in, %in_18 : f32
    linalg.yield %90 : f32
  } -> tensor<1x4x37x38xf32>
  %extracted_slice_15 = tensor.extract_slice %84[0, 0, 0, 0] [1, 4, 37, 37] [1, 1, 1, 1] : tensor<1x4x37x38xf32> to tensor<1x4x37x37xf32>
  %expanded_16 = tensor.expand_shape %arg2 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %85 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %86 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x2x1x37x16xf32>) outs(%85 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %collapsed_17 = tensor.collapse_shape %86 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %87 = tensor.empty() : tensor<1x4x37x16xf32>
  %88 = linalg.fill ins(%cst_4 : f32) outs(%87 : tensor<1x4x37x16xf32>) -> tensor<1x4x37x16xf32>
  %89 = linalg.generic {indexing_maps = [#map4, #map15, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%extracted_slice_15, %collapsed_17 : tensor<1x4x37x37xf32>, tensor<1x4x37x16xf32>) outs(%88 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_18: f32, %out: f32):
    %90 = arith.mulf %in, %in_18 : f32
    %91 = arith.addf %out, %90 : f32
    linalg.yield %91 : f32
  } -> tensor<1x4x37x16xf32>
  return %89 : tensor<1x4x37x16xf32>
}
