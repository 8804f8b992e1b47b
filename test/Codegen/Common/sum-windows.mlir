// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=sum-windows --split-input-file | FileCheck %s

#window = affine_map<(n, c, i, k) -> (n, c, i + k * 2)>
#filter = affine_map<(n, c, i, k) -> (c, k)>
#result = affine_map<(n, c, i, k) -> (n, c, i)>

// A window of three elements is three slices, and the sum begins with what fills the result.

// CHECK-LABEL: func @depthwise(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x24x41xf32>, %[[W:[a-z0-9]+]]: tensor<24x3xf32>
// CHECK-DAG:     %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [2, 24, 37]
// CHECK-DAG:     %[[X1:.*]] = tensor.extract_slice %[[X]][0, 0, 2] [2, 24, 37]
// CHECK-DAG:     %[[X2:.*]] = tensor.extract_slice %[[X]][0, 0, 4] [2, 24, 37]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[X0]], %{{.*}}, %[[X1]], %{{.*}}, %[[X2]], %{{.*}} :
// CHECK-COUNT-3:   arith.mulf
// CHECK-NOT:     "reduction"
func.func @depthwise(%x: tensor<2x24x41xf32>, %w: tensor<24x3xf32>) -> tensor<2x24x37xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x37xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x37xf32>) -> tensor<2x24x37xf32>
  %r = linalg.generic {indexing_maps = [#window, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x24x41xf32>, tensor<24x3xf32>) outs(%f : tensor<2x24x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x24x37xf32>
  return %r : tensor<2x24x37xf32>
}

// -----

// The last element of a causal window is what is padded. A bias that the sum begins with is read.

#window = affine_map<(n, c, i, k) -> (n, c, i + k)>
#filter = affine_map<(n, c, i, k) -> (c, k)>
#result = affine_map<(n, c, i, k) -> (n, c, i)>

// CHECK-LABEL: func @causal(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x24x37xf32>, %[[W:[a-z0-9]+]]: tensor<24x2xf32>, %[[B:[a-z0-9]+]]: tensor<2x24x37xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]]
// CHECK:         %[[X0:.*]] = tensor.extract_slice %[[P]][0, 0, 0] [2, 24, 37]
// CHECK:         linalg.generic {{.*}} ins(%[[X0]], %{{.*}}, %[[X]], %{{.*}}, %[[B]] :
func.func @causal(%x: tensor<2x24x37xf32>, %w: tensor<24x2xf32>, %bias: tensor<2x24x37xf32>) -> tensor<2x24x37xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<2x24x37xf32> to tensor<2x24x38xf32>
  %r = linalg.generic {indexing_maps = [#window, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<2x24x38xf32>, tensor<24x2xf32>) outs(%bias : tensor<2x24x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x24x37xf32>
  return %r : tensor<2x24x37xf32>
}

// -----

// Unknown sizes are those of the result.

#window = affine_map<(i, k) -> (i + k)>
#result = affine_map<(i, k) -> (i)>

// CHECK-LABEL: func @maximum_dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf32>, %{{[a-z0-9]+}}: tensor<2xf32>, %[[O:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[O]]
// CHECK-DAG:     %[[X0:.*]] = tensor.extract_slice %[[X]][0] [%[[N]]]
// CHECK-DAG:     %[[X1:.*]] = tensor.extract_slice %[[X]][1] [%[[N]]]
// CHECK:         linalg.generic {{.*}} ins(%[[X0]], %[[X1]], %[[O]] :
func.func @maximum_dynamic(%x: tensor<?xf32>, %w: tensor<2xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#window, affine_map<(i, k) -> (k)>, #result], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.maximumf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Each window is multiplied for several columns: a product of matrices.

// CHECK-LABEL: func @negative_columns
// CHECK:         "reduction"
func.func @negative_columns(%x: tensor<39xf32>, %w: tensor<8x3xf32>, %f: tensor<8x37xf32>) -> tensor<8x37xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(c, i, k) -> (i + k)>, affine_map<(c, i, k) -> (c, k)>, affine_map<(c, i, k) -> (c, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<39xf32>, tensor<8x3xf32>) outs(%f : tensor<8x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x37xf32>
  return %r : tensor<8x37xf32>
}

// Windows that begin at every second element are no slices, and there are too many elements in the other one.

// CHECK-LABEL: func @negative_strided
// CHECK:         "reduction"
func.func @negative_strided(%w: tensor<2xf32>, %x: tensor<75xf32>, %f: tensor<37xf32>) -> tensor<37xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i * 2 + k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%w, %x : tensor<2xf32>, tensor<75xf32>) outs(%f : tensor<37xf32>) {
  ^bb0(%b: f32, %a: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  return %r : tensor<37xf32>
}

// CHECK-LABEL: func @negative_long
// CHECK:         "reduction"
func.func @negative_long(%w: tensor<10xf32>, %x: tensor<46xf32>, %f: tensor<37xf32>) -> tensor<37xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%w, %x : tensor<10xf32>, tensor<46xf32>) outs(%f : tensor<37xf32>) {
  ^bb0(%b: f32, %a: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<37xf32>
  return %r : tensor<37xf32>
}
