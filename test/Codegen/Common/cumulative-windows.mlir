// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// A cumulative sum. The element at j is in the windows from j on.

// CHECK-LABEL: func @sums(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x32xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      ins(%[[X]] : tensor<4x32xf32>)
// CHECK-DAG:       %[[I:.+]] = linalg.index 1
// CHECK-DAG:       %[[J:.+]] = linalg.index 2
// CHECK:           arith.cmpi {{sle|sge}}, {{%[0-9]+, %[0-9]+}} : index
// CHECK:           arith.select
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @sums(%x: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 31] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x32xf32> to tensor<4x63xf32>
  %window = tensor.empty() : tensor<1x32xf32>
  %empty = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, v, w) -> (i + v, j + w)>, affine_map<(i, j, v, w) -> (v, w)>, affine_map<(i, j, v, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%padded, %window : tensor<4x63xf32>, tensor<1x32xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %out, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// Windows that begin two elements in front of their position end five behind it: two bounds.

// CHECK-LABEL: func @between(
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic
// CHECK-COUNT-2:   arith.cmpi
// CHECK:           arith.maximumf
func.func @between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 2] high[0, 5] {
  ^bb0(%i: index, %j: index):
    tensor.yield %least : f32
  } : tensor<4x8xf32> to tensor<4x15xf32>
  %window = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, w + j)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %window : tensor<4x15xf32>, tensor<8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.maximumf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A longer window has more padding than a row without it has elements, and padding counts in this sum.

// CHECK-LABEL: func @negative_longer(
// CHECK:         tensor.pad
func.func @negative_longer(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 7] high[0, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x8xf32> to tensor<4x22xf32>
  %window = tensor.empty() : tensor<15xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%one : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %window : tensor<4x22xf32>, tensor<15xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A moving average is no sum up to a position.

// CHECK-LABEL: func @negative_shorter(
// CHECK:         tensor.pad
func.func @negative_shorter(%x: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 10] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x32xf32> to tensor<4x42xf32>
  %window = tensor.empty() : tensor<11xf32>
  %empty = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %window : tensor<4x42xf32>, tensor<11xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// The order of these terms matters.

// CHECK-LABEL: func @negative_order(
// CHECK:         tensor.pad
func.func @negative_order(%x: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %padded = tensor.pad %x low[0, 31] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x32xf32> to tensor<4x63xf32>
  %window = tensor.empty() : tensor<32xf32>
  %empty = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %window : tensor<4x63xf32>, tensor<32xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.mulf %out, %half : f32
    %s = arith.addf %d, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// Weights of the windows are read, too: a long convolution.

// CHECK-LABEL: func @negative_weights(
// CHECK:         tensor.pad
func.func @negative_weights(%x: tensor<4x32xf32>, %weights: tensor<32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 31] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x32xf32> to tensor<4x63xf32>
  %empty = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %weights : tensor<4x63xf32>, tensor<32xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// Another dimension is read at the position in the window, too.

// CHECK-LABEL: func @negative_diagonals(
// CHECK:         tensor.pad
func.func @negative_diagonals(%x: tensor<4x8x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 7, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<4x8x8xf32> to tensor<4x15x8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w, w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded : tensor<4x15x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %out, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// High words of products depend on the order.

// CHECK-LABEL: func @negative_high_words(
// CHECK:         tensor.pad
func.func @negative_high_words(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %most = arith.constant 127 : i8
  %padded = tensor.pad %x low[0, 7] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %most : i8
  } : tensor<4x8xi8> to tensor<4x15xi8>
  %empty = tensor.empty() : tensor<4x8xi8>
  %init = linalg.fill ins(%most : i8) outs(%empty : tensor<4x8xi8>) -> tensor<4x8xi8>
  %window = tensor.empty() : tensor<8xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %window : tensor<4x15xi8>, tensor<8xi8>) outs(%init : tensor<4x8xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %low, %high = arith.mulsi_extended %a, %out : i8
    linalg.yield %high : i8
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}
