// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling --split-input-file | FileCheck %s --check-prefixes=CHECK,SPELLING
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-reshapes --split-input-file | FileCheck %s --check-prefixes=CHECK,RESHAPES
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-transpose --split-input-file | FileCheck %s --check-prefixes=CHECK,TRANSPOSE

// Concatenations whose parts are reshaped, moved or computed.

// Other dimensions are merged and split again, behind a concatenation of rows.

// CHECK-LABEL: func @reshaped
// CHECK-SAME:    %[[K:[a-z0-9]*]]: tensor<?x2x12xf32>, %[[ROW:[a-z0-9]*]]: tensor<1x2x12xf32>
// RESHAPES-DAG:  %[[N:.*]] = tensor.dim %[[K]]
// RESHAPES-DAG:  %[[KC:.*]] = tensor.collapse_shape %[[K]] {{\[\[}}0], [1, 2]]
// RESHAPES:      %[[KE:.*]] = tensor.expand_shape %[[KC]] {{\[\[}}0], [1, 2]] output_shape [%[[N]], 6, 4]
// RESHAPES:      %[[RC:.*]] = tensor.collapse_shape %[[ROW]] {{\[\[}}0], [1, 2]]
// RESHAPES:      %[[RE:.*]] = tensor.expand_shape %[[RC]] {{\[\[}}0], [1, 2]] output_shape [1, 6, 4]
// RESHAPES:      %[[R:.*]] = tensor.concat dim(0) %[[KE]], %[[RE]] : (tensor<?x6x4xf32>, tensor<1x6x4xf32>)
// RESHAPES:      return %[[R]]
func.func @reshaped(%k: tensor<?x2x12xf32>, %row: tensor<1x2x12xf32>, %n: index) -> tensor<?x6x4xf32> {
  %0 = tensor.concat dim(0) %k, %row : (tensor<?x2x12xf32>, tensor<1x2x12xf32>) -> tensor<?x2x12xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x2x12xf32> into tensor<?x24xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [%n, 6, 4] : tensor<?x24xf32> into tensor<?x6x4xf32>
  return %2 : tensor<?x6x4xf32>
}

// -----

// Rows of the concatenation are cut in another way.

// CHECK-LABEL: func @negative_rows_of_parts
// RESHAPES:      tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<2x8xf32>, tensor<2x4xf32>)
// RESHAPES:      tensor.collapse_shape
// RESHAPES:      tensor.expand_shape
func.func @negative_rows_of_parts(%x: tensor<2x8xf32>, %y: tensor<2x4xf32>) -> tensor<6x4xf32> {
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x8xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x12xf32> into tensor<24xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}

// -----

// A part knows a size that the result does not, or the other way round: its reshape would have
// another type.

// CHECK-LABEL: func @negative_sizes_of_parts
// RESHAPES:      tensor.concat dim(2) %{{.*}}, %{{.*}} : (tensor<?x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x16xf32>
// RESHAPES:      tensor.collapse_shape
// RESHAPES:      tensor.expand_shape
// RESHAPES:      tensor.concat dim(2) %{{.*}}, %{{.*}} : (tensor<?x3x8xf32>, tensor<2x3x8xf32>) -> tensor<?x3x16xf32>
// RESHAPES:      tensor.collapse_shape
// RESHAPES:      tensor.expand_shape
// RESHAPES:      tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<?x8xf32>, tensor<6x8xf32>) -> tensor<6x16xf32>
// RESHAPES:      tensor.expand_shape
func.func @negative_sizes_of_parts(%x: tensor<?x3x8xf32>, %y: tensor<2x3x8xf32>, %n: index, %z: tensor<?x8xf32>, %w: tensor<6x8xf32>) -> (tensor<3x2x16xf32>, tensor<3x?x16xf32>, tensor<3x2x16xf32>) {
  %0 = tensor.concat dim(2) %x, %y : (tensor<?x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x16xf32> into tensor<6x16xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [3, 2, 16] : tensor<6x16xf32> into tensor<3x2x16xf32>
  %3 = tensor.concat dim(2) %x, %y : (tensor<?x3x8xf32>, tensor<2x3x8xf32>) -> tensor<?x3x16xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<?x3x16xf32> into tensor<?x16xf32>
  %5 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [3, %n, 16] : tensor<?x16xf32> into tensor<3x?x16xf32>
  %6 = tensor.concat dim(1) %z, %w : (tensor<?x8xf32>, tensor<6x8xf32>) -> tensor<6x16xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [3, 2, 16] : tensor<6x16xf32> into tensor<3x2x16xf32>
  return %2, %5, %7 : tensor<3x2x16xf32>, tensor<3x?x16xf32>, tensor<3x2x16xf32>
}

// -----

// CHECK-LABEL: func @nested
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x4xf32>, %[[Z:.*]]: tensor<1x4xf32>)
// RESHAPES-NEXT: %[[R:.*]] = tensor.concat dim(0) %[[X]], %[[Y]], %[[Z]]
// RESHAPES-NEXT: return %[[R]]
func.func @nested(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.concat dim(0) %0, %z : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// Along another dimension, and where others have the inner one.

// CHECK-LABEL: func @negative_nested
// RESHAPES:      tensor.concat dim(1)
// RESHAPES:      tensor.concat dim(0)
// RESHAPES:      tensor.concat dim(0)
// RESHAPES:      tensor.concat dim(0)
func.func @negative_nested(%x: tensor<1x2xf32>, %z: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>) {
  %0 = tensor.concat dim(1) %x, %x : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %1 = tensor.concat dim(0) %0, %z : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %2 = tensor.concat dim(0) %z, %z : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %3 = tensor.concat dim(0) %2, %z : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  return %1, %2, %3 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>
}

// -----

// A row of zeros is behind keys that are transposed.

// CHECK-LABEL: func @filled_part
// CHECK-SAME:    (%[[K:.*]]: tensor<?x6x4xf32>,
// TRANSPOSE:     %[[Z:.*]] = linalg.fill {{.*}} -> tensor<1x6x4xf32>
// TRANSPOSE:     %[[KEYS:.*]] = tensor.concat dim(0) %[[K]], %[[Z]] : (tensor<?x6x4xf32>, tensor<1x6x4xf32>)
// TRANSPOSE:     linalg.generic {{.*}} ins(%[[KEYS]] : tensor<?x6x4xf32>)
func.func @filled_part(%k: tensor<?x6x4xf32>, %e: tensor<6x?x4xf32>) -> tensor<6x?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %t = linalg.transpose ins(%k : tensor<?x6x4xf32>) outs(%e : tensor<6x?x4xf32>) permutation = [1, 0, 2]
  %ze = tensor.empty() : tensor<6x1x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<6x1x4xf32>) -> tensor<6x1x4xf32>
  %0 = tensor.concat dim(1) %t, %z : (tensor<6x?x4xf32>, tensor<6x1x4xf32>) -> tensor<6x?x4xf32>
  return %0 : tensor<6x?x4xf32>
}

// -----

// What is repeated has another row for each: a filled part has not.

#pair = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_filled_part
// TRANSPOSE:     tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<2x8xf32>, tensor<2x1xf32>)
func.func @negative_filled_part(%x: tensor<8xf32>) -> tensor<2x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %b = linalg.generic {indexing_maps = [#pair, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x8xf32>
  %ze = tensor.empty() : tensor<2x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x1xf32>) -> tensor<2x1xf32>
  %0 = tensor.concat dim(1) %b, %z : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}

// -----

// Parts of what is extended are extended parts, also of every second element, and
// where a dimension is dropped. What is rounded is not: it would be computed twice.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @extended
// CHECK-SAME:    (%[[X:.*]]: tensor<?x8xbf16>
// SPELLING:      %[[A:.*]] = tensor.extract_slice %[[X]][0, 1] [%{{.*}}, 4] [1, 2] : tensor<?x8xbf16> to tensor<?x4xbf16>
// SPELLING:      linalg.generic {{.*}} ins(%[[A]] : tensor<?x4xbf16>)
// SPELLING:        arith.extf
// SPELLING:      %[[B:.*]] = tensor.extract_slice %[[X]][0, 2] [%{{.*}}, 1] [1, 1] : tensor<?x8xbf16> to tensor<?xbf16>
// SPELLING:      linalg.generic {{.*}} ins(%[[B]] : tensor<?xbf16>)
// SPELLING:        arith.extf
func.func @extended(%x: tensor<?x8xbf16>, %e: tensor<?x8xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xbf16>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?x8xf32>
  %1 = tensor.extract_slice %0[0, 1] [%n, 4] [1, 2] : tensor<?x8xf32> to tensor<?x4xf32>
  %2 = tensor.extract_slice %0[0, 2] [%n, 1] [1, 1] : tensor<?x8xf32> to tensor<?xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @negative_rounded
// SPELLING:      arith.truncf
// SPELLING:      tensor.extract_slice
func.func @negative_rounded(%x: tensor<4x8xf32>, %e: tensor<4x8xbf16>) -> tensor<4x4xbf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %w = arith.truncf %a : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<4x8xbf16>
  %1 = tensor.extract_slice %0[0, 4] [4, 4] [1, 1] : tensor<4x8xbf16> to tensor<4x4xbf16>
  return %1 : tensor<4x4xbf16>
}

// -----

// Masks of positions, put together, are one function of positions.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @masks
// CHECK-SAME:    %[[M:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index
// SPELLING-NOT:  tensor.concat
// SPELLING:      linalg.generic {indexing_maps = [#{{.*}}], iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<?x?xi1>)
// SPELLING-DAG:    %[[J:.*]] = linalg.index 1
// SPELLING-DAG:    %[[I:.*]] = linalg.index 0
// SPELLING-DAG:    %[[AT:.*]] = arith.subi %[[J]], %[[N]]
// SPELLING-DAG:    %[[SECOND:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// SPELLING-DAG:    %[[FIRST:.*]] = arith.cmpi ule, %[[J]], %{{.*}}
// SPELLING-DAG:    %[[IS:.*]] = arith.cmpi ult, %[[J]], %[[N]]
// SPELLING:        arith.select %[[IS]], %[[FIRST]], %[[SECOND]] : i1
func.func @masks(%m: index, %n: index, %k: index) -> tensor<?x?xi1> {
  %e0 = tensor.empty(%m, %n) : tensor<?x?xi1>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e0 : tensor<?x?xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    linalg.yield %c : i1
  } -> tensor<?x?xi1>
  %e1 = tensor.empty(%m, %k) : tensor<?x?xi1>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e1 : tensor<?x?xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %b = arith.divui %i, %c8 : index
    %c = arith.cmpi ult, %j, %b : index
    linalg.yield %c : i1
  } -> tensor<?x?xi1>
  %2 = tensor.concat dim(1) %0, %1 : (tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  return %2 : tensor<?x?xi1>
}

// -----

// A mask that is read is no function of positions.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_mask
// SPELLING:      tensor.concat dim(1)
func.func @negative_mask(%x: tensor<8x32xi1>) -> tensor<8x64xi1> {
  %e = tensor.empty() : tensor<8x32xi1>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    linalg.yield %c : i1
  } -> tensor<8x32xi1>
  %1 = tensor.concat dim(1) %0, %x : (tensor<8x32xi1>, tensor<8x32xi1>) -> tensor<8x64xi1>
  return %1 : tensor<8x64xi1>
}

// -----

// At the positions of the second part, the first may divide by 0: it may have no element.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @negative_remainder
// SPELLING:      tensor.concat dim(0)
func.func @negative_remainder(%n: index, %k: index) -> tensor<?xindex> {
  %e0 = tensor.empty(%n) : tensor<?xindex>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e0 : tensor<?xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %r = arith.remui %i, %n : index
    linalg.yield %r : index
  } -> tensor<?xindex>
  %e1 = tensor.empty(%k) : tensor<?xindex>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<?xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<?xindex>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  return %2 : tensor<?xindex>
}
