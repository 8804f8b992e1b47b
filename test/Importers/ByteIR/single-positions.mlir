// An op reads the first column for all columns, one of several channels, and adds a sum to a
// tensor of the caller that keeps the reduced dimension: single positions in maps, as fusions of
// ByteIR's and Hexagon's tests have them.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=148 --max-kernels=2

func.func @first_column(%x: tensor<37x21xf32>, %y: tensor<37x21xf32>) -> tensor<37x21xf32> {
  %e = tensor.empty() : tensor<37x21xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<37x21xf32>, tensor<37x21xf32>) outs(%e : tensor<37x21xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.mulf %in, %in_0 : f32
    linalg.yield %6 : f32
  } -> tensor<37x21xf32>
  return %5 : tensor<37x21xf32>
}

func.func @sum_into_argument(%arg0: tensor<150xf32>, %arg2: tensor<1xf32>) -> tensor<1xf32> {
  %1 = linalg.generic
    {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]}
    ins(%arg0 : tensor<150xf32>) outs(%arg2 : tensor<1xf32>)  {
  ^bb0(%arg3: f32, %arg4: f32):
    %2 = arith.addf %arg3, %arg4 : f32
    linalg.yield %2 : f32
  } -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

func.func @channel(%x: tensor<37x21xf32>, %y: tensor<37x3xf32>) -> tensor<37xf32> {
  %e = tensor.empty() : tensor<37xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 2)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<37x21xf32>, tensor<37x3xf32>) outs(%f : tensor<37xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.mulf %in, %in_0 : f32
    %7 = arith.addf %6, %out : f32
    linalg.yield %7 : f32
  } -> tensor<37xf32>
  return %5 : tensor<37xf32>
}

func.func @sums_of_rows_into_argument(%arg0: tensor<13x150xf32>, %arg2: tensor<13x1xf32>) -> tensor<13x1xf32> {
  %1 = linalg.generic
    {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]}
    ins(%arg0 : tensor<13x150xf32>) outs(%arg2 : tensor<13x1xf32>)  {
  ^bb0(%arg3: f32, %arg4: f32):
    %2 = arith.addf %arg3, %arg4 : f32
    linalg.yield %2 : f32
  } -> tensor<13x1xf32>
  return %1 : tensor<13x1xf32>
}
