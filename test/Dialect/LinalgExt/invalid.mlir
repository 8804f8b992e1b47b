// RUN: linalg-ext-opt %s -split-input-file -verify-diagnostics

// C1, C2, ... are the constraints in the documentation of each op.

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

// C1: four inits.

func.func @negative_softmax_c1_inits(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected 4 inits (result, max, sum, scale), got 3}}
  %0:3 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c1_no_inits(%x: tensor<4x8xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected 4 inits (result, max, sum, scale), got 0}}
  "linalg_ext.softmax"(%x) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> ()
  return
}

// -----

// C1: on tensors four results.

func.func @negative_softmax_c1_results(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected 4 results, got 1}}
  %0 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

// C1: the results have the types of the inits.

func.func @negative_softmax_c1_result_types(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected type of operand #2 ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// C1: on buffers no results.

func.func @negative_softmax_c1_results_on_buffers(%x: memref<4x8xf32>, %s: memref<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected 0 results, got 1}}
  %0 = linalg_ext.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%x, %s, %s, %s : memref<4x8xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @negative_softmax_c1_mixed(%x: memref<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected all operands to be tensors or all to be buffers, got 'memref<4x8xf32>', 'tensor<4x8xf32>', 'tensor<4xf32>', 'tensor<4xf32>', 'tensor<4xf32>'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// C2: the dimension.

func.func @negative_softmax_c2_too_large(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected dimension in [0, 2), got 2}}
  %0:4 = linalg_ext.softmax dimension(2) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c2_negative(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected dimension in [0, 2), got -1}}
  %0:4 = linalg_ext.softmax dimension(-1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c2_rank_0(%x: tensor<f32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected dimension in [0, 0), got 0}}
  %0:4 = linalg_ext.softmax dimension(0) ins(%x : tensor<f32>) outs(%x, %x, %x, %x : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return
}

// -----

// C3: the result.

func.func @negative_softmax_c3_shape(%x: tensor<4x?xf32>, %y: tensor<5x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the result to have shape [4, ?], got [5, 8]}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%y, %s, %s, %s : tensor<5x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<5x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c3_element_type(%x: tensor<4x8xf16>, %y: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the result to have element type 'f16', got 'f32'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%y, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// C4: the state.

func.func @negative_softmax_c4_max_shape(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the max to have shape [4], got [8]}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %m, %s, %s : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c4_sum_rank(%x: tensor<4x8xf32>, %l: tensor<4x1xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the sum to have shape [4], got [4, 1]}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4x1xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4x1xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c4_scale_element_type(%x: tensor<4x8xf32>, %s: tensor<4xf32>, %c: tensor<4xf64>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the scale to have element type 'f32', got 'f64'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %c : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
  return
}

// -----

func.func @negative_softmax_c4_narrow_state(%x: tensor<4x8xf16>, %s: tensor<4xf16>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the max to have element type 'f32', got 'f16'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%x, %s, %s, %s : tensor<4x8xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<4x8xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
  return
}

// -----

// The inits agree with each other where the input is dynamic.

func.func @negative_softmax_c4_result_and_max(%x: tensor<?x?xf32>, %y: tensor<4x8xf32>, %m: tensor<5xf32>, %s: tensor<?xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the max to have shape [4], got [5]}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%y, %m, %s, %s : tensor<4x8xf32>, tensor<5xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<4x8xf32>, tensor<5xf32>, tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @negative_softmax_c4_max_and_sum(%x: tensor<?x?xf32>, %m: tensor<4xf32>, %l: tensor<5xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected the sum to have shape [4], got [5]}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%x, %m, %l, %m : tensor<?x?xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<?x?xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>
  return
}

// -----

// Operand types.

func.func @negative_softmax_integers(%x: tensor<4x8xi32>, %s: tensor<4xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor or memref of f16, bf16, f32 or f64 values, but got 'tensor<4x8xi32>'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xi32>) outs(%x, %s, %s, %s : tensor<4x8xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_unranked(%x: tensor<*xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor or memref of f16, bf16, f32 or f64 values, but got 'tensor<*xf32>'}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<*xf32>) outs(%x, %s, %s, %s : tensor<*xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// C5: the threshold.

func.func @negative_softmax_c5_negative(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected a rescale threshold that is finite and not negative, got -1.000000e+00}}
  %0:4 = linalg_ext.softmax dimension(1) online rescale_threshold(-1.0) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c5_infinite(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected a rescale threshold that is finite and not negative, got INF}}
  %0:4 = linalg_ext.softmax dimension(1) online rescale_threshold(0x7F800000) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @negative_softmax_c5_offline(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected 'online' with a rescale threshold, got 8.000000e+00 without it}}
  %0:4 = linalg_ext.softmax dimension(1) delayed rescale_threshold(8.0) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// diag
//===----------------------------------------------------------------------===//

// C1: the rank of the input.

func.func @negative_diag_c1_rank_0(%v: tensor<f32>, %d: tensor<f32>) {
  // expected-error @below {{'linalg_ext.diag' op expected the input to have rank at least 1, got 0}}
  %0 = linalg_ext.diag ins(%v : tensor<f32>) outs(%d : tensor<f32>) -> tensor<f32>
  return
}

// -----

// C2: the init.

func.func @negative_diag_c2_shape(%v: tensor<2x4xf32>, %d: tensor<2x4x5xf32>) {
  // expected-error @below {{'linalg_ext.diag' op expected the init to have shape [2, 4, 4], got [2, 4, 5]}}
  %0 = linalg_ext.diag ins(%v : tensor<2x4xf32>) outs(%d : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @negative_diag_c2_not_square(%v: tensor<?xf32>, %d: tensor<4x5xf32>) {
  // expected-error @below {{'linalg_ext.diag' op expected the init to have shape [4, 4], got [4, 5]}}
  %0 = linalg_ext.diag ins(%v : tensor<?xf32>) outs(%d : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @negative_diag_c2_rank(%v: tensor<4xf32>, %d: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.diag' op expected the init to have shape [4, 4], got [4]}}
  %0 = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_diag_c2_element_type(%v: memref<4xf32>, %d: memref<4x4xf16>) {
  // expected-error @below {{'linalg_ext.diag' op expected the init to have element type 'f32', got 'f16'}}
  linalg_ext.diag ins(%v : memref<4xf32>) outs(%d : memref<4x4xf16>)
  return
}

// -----

func.func @negative_diag_c2_mixed(%v: tensor<4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{'linalg_ext.diag' op expected all operands to be tensors or all to be buffers, got 'tensor<4xf32>', 'memref<4x4xf32>'}}
  linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @negative_diag_c2_results(%v: tensor<4xf32>, %d: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.diag' op expected 1 results, got 0}}
  linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4x4xf32>)
  return
}

// -----

func.func @negative_diag_c2_result_type(%v: tensor<4xf32>, %d: tensor<4x4xf32>) {
  // expected-error @below {{expected type of operand #1 ('tensor<4x4xf32>') to match type of corresponding result ('tensor<4x?xf32>')}}
  %0 = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x?xf32>
  return
}

// -----

// C3: the element type. Off the diagonal there are constants.

func.func @negative_diag_c3_complex(%v: tensor<4xcomplex<f32>>, %d: tensor<4x4xcomplex<f32>>) {
  // expected-error @below {{'linalg_ext.diag' op expected an input of signless integers, floats or indices, got 'complex<f32>'}}
  %0 = linalg_ext.diag ins(%v : tensor<4xcomplex<f32>>) outs(%d : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return
}

// -----

func.func @negative_diag_c3_unsigned(%v: memref<4xui8>, %d: memref<4x4xui8>) {
  // expected-error @below {{'linalg_ext.diag' op expected an input of signless integers, floats or indices, got 'ui8'}}
  linalg_ext.diag ins(%v : memref<4xui8>) outs(%d : memref<4x4xui8>)
  return
}

// -----

//===----------------------------------------------------------------------===//
// batch_matmul
//===----------------------------------------------------------------------===//

// C1: two inputs and one init.

func.func @negative_batch_matmul_c1_one_input(%a: tensor<3x4xf32>) {
  // expected-error @below {{expected 2 inputs and 1 init, got 1 and 1}}
  %0 = linalg_ext.batch_matmul ins(%a : tensor<3x4xf32>) outs(%a : tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c1_two_inits(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected 2 inputs and 1 init, got 2 and 2}}
  %0:2 = linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// -----

#map = affine_map<(d0) -> (d0)>
func.func @negative_batch_matmul_c1_generic_form(%a: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected 2 inputs and 1 init, got 1 and 1}}
  %0 = "linalg_ext.batch_matmul"(%a, %a) <{indexing_maps = [#map, #map], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %z: f32):
    linalg.yield %z : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c1_result_type(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected type of operand #2 ('tensor<4x4xf32>') to match type of corresponding result ('tensor<4x?xf32>')}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @negative_batch_matmul_c1_no_result(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)
  return
}

// -----

func.func @negative_batch_matmul_c1_result_on_buffers(%a: memref<4x4xf32>) {
  // expected-error @below {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// C2: the indexing maps.

func.func @negative_batch_matmul_c2_number(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected 3 indexing maps, got 2}}
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_floordiv(%q: tensor<8x4x4xf32>, %k: tensor<2x4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected indexing map #1 to be a projected permutation, got affine_map<(d0, d1, d2, d3) -> (d0 floordiv 4, d3, d2)>}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h floordiv 4, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>]
      ins(%q, %k : tensor<8x4x4xf32>, tensor<2x4x4xf32>) outs(%q : tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_constant(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected indexing map #0 to be a projected permutation, got affine_map<(d0, d1, d2) -> (0, d2)>}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (0, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_symbol(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected indexing map #2 to be a projected permutation, got affine_map<(d0, d1, d2)[s0] -> (d0, d1)>}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k)[s] -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_domains(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected indexing map #1 to have 3 dimensions, got 4}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k, l) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_rank(%a: tensor<4x4xf32>, %c: tensor<4x4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected indexing map #2 to have 3 results, the rank of its operand, got 2}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_default_ranks(%a: tensor<2x4x4xf32>, %b: tensor<4x4xf32>) {
  // expected-error @below {{expected operands of one rank of at least 2 when 'indexing_maps' is absent, got 'tensor<2x4x4xf32>', 'tensor<4x4xf32>' and 'tensor<2x4x4xf32>'}}
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_default_rank_1(%a: tensor<4xf32>) {
  // expected-error @below {{expected operands of one rank of at least 2 when 'indexing_maps' is absent, got 'tensor<4xf32>', 'tensor<4xf32>' and 'tensor<4xf32>'}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c2_not_maps(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected 'indexing_maps' to hold affine maps, got 1}}
  %0 = linalg_ext.batch_matmul indexing_maps = [1, 2, 3] ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// C3: dimensions of the init index an input, contracted ones both, and there are
// some.

func.func @negative_batch_matmul_c3_output_only(%a: tensor<4x4xf32>, %c: tensor<2x4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected iteration dimension 0 of the init to index an input, got none}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c3_unused(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected contracted iteration dimension 3 to index both inputs, got 0}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k, u) -> (m, k)>, affine_map<(m, n, k, u) -> (k, n)>, affine_map<(m, n, k, u) -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c3_one_input(%a: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected contracted iteration dimension 2 to index both inputs, got 1}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k, l) -> (m, l)>, affine_map<(m, n, k, l) -> (k, n)>, affine_map<(m, n, k, l) -> (m, n)>]
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @negative_batch_matmul_c3_nothing_contracted(%a: tensor<4xf32>, %c: tensor<4x4xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected at least 1 contracted dimension, got 0}}
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>]
      ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// C4: the sizes.

func.func @negative_batch_matmul_c4_contracted(%a: tensor<3x4xf32>, %b: tensor<5x6xf32>, %c: tensor<3x6xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected operand #1 to have size 4 along iteration dimension 2, got 5}}
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<3x4xf32>, tensor<5x6xf32>) outs(%c : tensor<3x6xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @negative_batch_matmul_c4_batch(%a: tensor<2x3x4xf32>, %b: tensor<7x4x6xf32>, %c: tensor<2x3x6xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected operand #1 to have size 2 along iteration dimension 0, got 7}}
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<7x4x6xf32>) outs(%c : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @negative_batch_matmul_c4_dynamic(%a: tensor<?x3x4xf32>, %b: tensor<2x4x6xf32>, %c: tensor<7x3x6xf32>) {
  // expected-error @below {{'linalg_ext.batch_matmul' op expected operand #2 to have size 2 along iteration dimension 0, got 7}}
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<?x3x4xf32>, tensor<2x4x6xf32>) outs(%c : tensor<7x3x6xf32>) -> tensor<7x3x6xf32>
  return
}

// -----

func.func @negative_batch_matmul_mixed(%a: tensor<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @below {{expected to have pure tensor or buffer semantics}}
  linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// Operand types.

func.func @negative_batch_matmul_complex(%a: tensor<4x4xcomplex<f32>>) {
  // expected-error @below {{expected ranked tensors or memrefs of signless integers or floats, got 'tensor<4x4xcomplex<f32>>'}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%a : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return
}

// -----

func.func @negative_batch_matmul_unsigned(%a: tensor<4x4xui8>) {
  // expected-error @below {{expected ranked tensors or memrefs of signless integers or floats, got 'tensor<4x4xui8>'}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : tensor<4x4xui8>, tensor<4x4xui8>) outs(%a : tensor<4x4xui8>) -> tensor<4x4xui8>
  return
}

// -----

func.func @negative_batch_matmul_unranked(%a: tensor<*xf32>, %c: tensor<4x4xf32>) {
  // expected-error @below {{expected ranked tensors or memrefs of signless integers or floats, got 'tensor<*xf32>'}}
  %0 = linalg_ext.batch_matmul ins(%a, %a : tensor<*xf32>, tensor<*xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

func.func @negative_unknown_attribute(%a: tensor<4xf32>) {
  // expected-error @below {{unknown discardable attribute 'linalg_ext.rot' of dialect 'linalg_ext', expected 'linalg_ext.root'}}
  %0 = linalg.exp {linalg_ext.rot} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_root_with_value(%a: tensor<4xf32>) {
  // expected-error @below {{expected 'linalg_ext.root' to be a unit attribute, got 1}}
  %0 = linalg.exp {linalg_ext.root = 1} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}
