// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// Sizes that one operand of an op knows, and others do not.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (0, d1)>

// Upstream leaves an op that reads at a constant position.

// CHECK-LABEL: @from_other_operand
// CHECK-SAME:    %[[MASK:arg1]]: tensor<1x?xf32>
// CHECK-DAG:     %[[CAST:.*]] = tensor.cast %[[MASK]] : tensor<1x?xf32> to tensor<1x41xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<5x41xf32>)
// CHECK:         tensor.cast %{{.*}} : tensor<5x41xf32> to tensor<5x?xf32>
func.func @from_other_operand(%x: tensor<5x41xf32>, %mask: tensor<1x?xf32>) -> tensor<5x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %mask, %c1 : tensor<1x?xf32>
  %init = tensor.empty(%n) : tensor<5x?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mask : tensor<5x41xf32>, tensor<1x?xf32>) outs(%init : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<5x?xf32>
  return %y : tensor<5x?xf32>
}

// -----

// CHECK-LABEL: @softmax
// CHECK:         linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<5x41xf32>) outs(%{{.*}} : tensor<5x41xf32>,
func.func @softmax(%x: tensor<5x41xf32>, %n: index) -> tensor<5x?xf32> {
  %init = tensor.empty(%n) : tensor<5x?xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<5x41xf32>) outs(%init : tensor<5x?xf32>) -> tensor<5x?xf32>
  return %y : tensor<5x?xf32>
}

// -----

// CHECK-LABEL: @softmax_of_dynamic
// CHECK:         linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<5x41xf32>) outs(%{{.*}} : tensor<5x41xf32>,
func.func @softmax_of_dynamic(%x: tensor<5x?xf32>) -> tensor<5x41xf32> {
  %init = tensor.empty() : tensor<5x41xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<5x?xf32>) outs(%init : tensor<5x41xf32>) -> tensor<5x41xf32>
  return %y : tensor<5x41xf32>
}

// -----

// A cast that forgets a size between two reshapes: they are seen as one.

// CHECK-LABEL: @expand_of_cast
// CHECK-SAME:    %[[X:arg0]]: tensor<6x?x53xf32>, %[[M:arg1]]: index
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2], [3]] output_shape [2, 3, %[[M]], 53] : tensor<6x?x53xf32> into tensor<2x3x?x53xf32>
// CHECK:         tensor.cast %[[E]] : tensor<2x3x?x53xf32> to tensor<2x3x?x?xf32>
func.func @expand_of_cast(%x: tensor<6x?x53xf32>, %m: index, %n: index) -> tensor<2x3x?x?xf32> {
  %cast = tensor.cast %x : tensor<6x?x53xf32> to tensor<6x?x?xf32>
  %y = tensor.expand_shape %cast [[0, 1], [2], [3]] output_shape [2, 3, %m, %n] : tensor<6x?x?xf32> into tensor<2x3x?x?xf32>
  return %y : tensor<2x3x?x?xf32>
}

// -----

// What the parts of 12 are is not known.

// CHECK-LABEL: @negative_two_parts
// CHECK:         %[[CAST:.*]] = tensor.cast
// CHECK:         tensor.expand_shape %[[CAST]]
func.func @negative_two_parts(%x: tensor<12xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %cast = tensor.cast %x : tensor<12xf32> to tensor<?xf32>
  %y = tensor.expand_shape %cast [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// A part that does not divide it: not a program that may be run, nor one to
// change.

// CHECK-LABEL: @negative_not_divided
// CHECK:         %[[CAST:.*]] = tensor.cast
// CHECK:         tensor.expand_shape %[[CAST]]
func.func @negative_not_divided(%x: tensor<13xf32>, %m: index) -> tensor<?x4xf32> {
  %cast = tensor.cast %x : tensor<13xf32> to tensor<?xf32>
  %y = tensor.expand_shape %cast [[0, 1]] output_shape [%m, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Upstream's elementwise fusion moves the reshape of a row's maximum in front
// of the reduction: the scores have no dimension of size 1.

#scores = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#max = affine_map<(d0, d1, d2) -> (d0, d1)>
#keep = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: @reduction_of_expanded
// CHECK-SAME:    %[[X:.*]]: tensor<?x41xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-SAME:      ins(%[[X]] : tensor<?x41xf32>) outs(%{{.*}} : tensor<?xf32>)
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @reduction_of_expanded(%x: tensor<?x41xf32>, %m: index) -> tensor<?x41xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%m, 1, 41] : tensor<?x41xf32> into tensor<?x1x41xf32>
  %init = tensor.empty(%m) : tensor<?x1xf32>
  %fill = linalg.fill ins(%low : f32) outs(%init : tensor<?x1xf32>) -> tensor<?x1xf32>
  %top = linalg.generic {indexing_maps = [#scores, #max], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<?x1x41xf32>) outs(%fill : tensor<?x1xf32>) {
  ^bb0(%a: f32, %old: f32):
    %larger = arith.maximumf %a, %old : f32
    linalg.yield %larger : f32
  } -> tensor<?x1xf32>
  %out = tensor.empty(%m) : tensor<?x41xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, #keep, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %top : tensor<?x41xf32>, tensor<?x1xf32>) outs(%out : tensor<?x41xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %rest = arith.subf %a, %b : f32
    linalg.yield %rest : f32
  } -> tensor<?x41xf32>
  return %y : tensor<?x41xf32>
}

// -----

// The position along such a loop is 0; other loops are renumbered.

// CHECK-LABEL: @reduction_of_expanded_with_position
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.index 1
// CHECK-NOT:       linalg.index
func.func @reduction_of_expanded_with_position(%x: tensor<?x41xf32>, %m: index) -> tensor<?x1xf32> {
  %low = arith.constant 0.0 : f32
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%m, 1, 41] : tensor<?x41xf32> into tensor<?x1x41xf32>
  %init = tensor.empty(%m) : tensor<?x1xf32>
  %fill = linalg.fill ins(%low : f32) outs(%init : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<?x1x41xf32>) outs(%fill : tensor<?x1xf32>) {
  ^bb0(%a: f32, %old: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %at = arith.addi %i, %j : index
    %n = arith.index_cast %at : index to i32
    %f = arith.sitofp %n : i32 to f32
    %b = arith.mulf %a, %f : f32
    %next = arith.addf %b, %old : f32
    linalg.yield %next : f32
  } -> tensor<?x1xf32>
  return %sum : tensor<?x1xf32>
}

// -----

// What the list of sizes says, the type says, too: upstream's pattern for the
// cast in front would look for values of them.

// CHECK-LABEL: @expand_to_known_sizes
// CHECK-SAME:    %[[X:arg0]]: tensor<12xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
// CHECK:         tensor.cast %[[E]] : tensor<3x4xf32> to tensor<?x?xf32>
func.func @expand_to_known_sizes(%x: tensor<12xf32>) -> tensor<?x?xf32> {
  %cast = tensor.cast %x : tensor<12xf32> to tensor<?xf32>
  %y = tensor.expand_shape %cast [[0, 1]] output_shape [3, 4] : tensor<?xf32> into tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @expand_to_one_known_size
// CHECK-SAME:    %[[X:arg0]]: tensor<?xf32>, %[[N:arg1]]: index
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [3, %[[N]]] : tensor<?xf32> into tensor<3x?xf32>
// CHECK:         tensor.cast %[[E]] : tensor<3x?xf32> to tensor<?x?xf32>
func.func @expand_to_one_known_size(%x: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [3, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// What the type says, the list says, too.

// CHECK-LABEL: @expand_to_type
// CHECK-SAME:    %[[X:arg0]]: tensor<?xf32>, %{{.*}}: index, %[[N:arg2]]: index
// CHECK-NOT:     tensor.cast
// CHECK:         tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [3, %[[N]]] : tensor<?xf32> into tensor<3x?xf32>
// CHECK-NOT:     tensor.cast
func.func @expand_to_type(%x: tensor<?xf32>, %m: index, %n: index) -> tensor<3x?xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// -----

// Upstream verifies no such list: a program that is undefined is compiled.

// CHECK-LABEL: @expand_to_other_sizes
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
func.func @expand_to_other_sizes(%x: tensor<?xf32>) -> tensor<3x?xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [5, 4] : tensor<?xf32> into tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// -----

// CHECK-LABEL: @negative_expand_to_negative_size
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [-3, 4] : tensor<?xf32> into tensor<?x?xf32>
func.func @negative_expand_to_negative_size(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [-3, 4] : tensor<?xf32> into tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @negative_expand_by_values
// CHECK-NOT:     tensor.cast
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [%{{.*}}, 4] : tensor<?xf32> into tensor<?x4xf32>
// CHECK-NOT:     tensor.cast
func.func @negative_expand_by_values(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// Once CSE has merged both casts, the padding has the size.

// CHECK-LABEL: @padded
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         : tensor<5x?xf32> to tensor<8x8xf32>
// CHECK-NOT:     tensor.cast
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[P]] : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @padded(%x: tensor<5x?xf32>) -> tensor<8x?xf32> {
  %one = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[0, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<5x?xf32> to tensor<8x?xf32>
  %n = tensor.dim %p, %c1 : tensor<8x?xf32>
  %init = tensor.empty(%n) : tensor<8x?xf32>
  %y = linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %p : tensor<8x?xf32>, tensor<8x?xf32>) outs(%init : tensor<8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %q = arith.mulf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// -----

// Sizes that turn out to be one are added once.

// CHECK:       #[[TWICE:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: @twice
// CHECK:         affine.apply #[[TWICE]]()
func.func @twice(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %y = arith.negf %x : tensor<4x?xf32>
  %c = tensor.concat dim(1) %y, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %n = tensor.dim %c, %c1 : tensor<4x?xf32>
  return %c, %n : tensor<4x?xf32>, index
}
