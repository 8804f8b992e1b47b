// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s

// Elements by their positions.

// CHECK-LABEL: @generate(
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index
//       CHECK:   %[[E:.*]] = tensor.empty(%[[N]]) : tensor<3x?xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[E]] : tensor<3x?xf32>)
//       CHECK:     linalg.index 0
//       CHECK:     linalg.index 1
//       CHECK:     arith.select
func.func @generate(%n: index, %x: f32, %y: f32) -> tensor<3x?xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %c = arith.cmpi sge, %i, %j : index
    %r = arith.select %c, %x, %y : f32
    tensor.yield %r : f32
  } : tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// CHECK-LABEL: @negative_generate(
//       CHECK:   tensor.generate
func.func @negative_generate(%m: memref<3xf32>) -> tensor<3xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %r = memref.load %m[%i] : memref<3xf32>
    tensor.yield %r : f32
  } : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @pack(
//   CHECK-NOT:   linalg.pack
//       CHECK:   tensor.pad %{{.*}} low[0, 0] high[0, 15]
//       CHECK:   tensor.expand_shape {{.*}} : tensor<24x48xf32> into tensor<3x8x3x16xf32>
//       CHECK:   linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
func.func @pack(%x: tensor<24x33xf32>, %zero: f32) -> tensor<3x3x8x16xf32> {
  %e = tensor.empty() : tensor<3x3x8x16xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e : tensor<24x33xf32> -> tensor<3x3x8x16xf32>
  return %0 : tensor<3x3x8x16xf32>
}

// CHECK-LABEL: @unpack(
//   CHECK-NOT:   linalg.unpack
//       CHECK:   linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
//       CHECK:   tensor.collapse_shape {{.*}} : tensor<3x8x3x16xf32> into tensor<24x48xf32>
//       CHECK:   tensor.extract_slice {{.*}}[0, 0] [24, 33] [1, 1]
func.func @unpack(%x: tensor<3x3x8x16xf32>) -> tensor<24x33xf32> {
  %e = tensor.empty() : tensor<24x33xf32>
  %0 = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e : tensor<3x3x8x16xf32> -> tensor<24x33xf32>
  return %0 : tensor<24x33xf32>
}

// Windows that follow each other; the last row and column are in none.

// CHECK-LABEL: @pooling(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<2x5x7x9xf32>
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [2, 5, 6, 8] [1, 1, 1, 1]
//       CHECK:   %[[E:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0], [1], [2, 3], [4, 5]] output_shape [2, 5, 3, 2, 4, 2]
//       CHECK:   linalg.generic {{.*}} ins(%[[E]] : tensor<2x5x3x2x4x2xf32>) outs(%{{.*}} : tensor<2x5x3x4xf32>)
//       CHECK:     arith.maximumf
func.func @pooling(%x: tensor<2x5x7x9xf32>, %init: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x7x9xf32>, tensor<2x2xf32>) outs(%init : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  return %0 : tensor<2x5x3x4xf32>
}

// CHECK-LABEL: @negative_windows_overlap(
//       CHECK:   linalg.pooling_nchw_max
func.func @negative_windows_overlap(%x: tensor<2x5x7x9xf32>, %init: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x7x9xf32>, tensor<3x3xf32>) outs(%init : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  return %0 : tensor<2x5x3x4xf32>
}

// Windows of stride 1 are no dimension of a reshape.

// CHECK-LABEL: @negative_windows_of_stride_1(
//       CHECK:   linalg.pooling_nchw_max
func.func @negative_windows_of_stride_1(%x: tensor<2x5x7x9xf32>, %init: tensor<2x5x6x8xf32>) -> tensor<2x5x6x8xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x7x9xf32>, tensor<2x2xf32>) outs(%init : tensor<2x5x6x8xf32>) -> tensor<2x5x6x8xf32>
  return %0 : tensor<2x5x6x8xf32>
}

// Another loop that only the sizes have adds the same elements again.

// CHECK-LABEL: @negative_windows_repeat(
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<2x3xf32>)
func.func @negative_windows_repeat(%x: tensor<8xf32>, %sizes: tensor<2x3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 * 2 + d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x, %sizes : tensor<8xf32>, tensor<2x3xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The window is the whole image.

// CHECK-LABEL: @whole_windows(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<2x40x3x3xf16>, %[[W:[a-z0-9]+]]: tensor<24x40x3x3xf16>
//       CHECK:   linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<2x40x3x3xf16>, tensor<24x40x3x3xf16>) outs(%{{.*}} : tensor<2x24x1x1xf32>)
//   CHECK-NOT:   memoized
//       CHECK:     arith.extf
func.func @whole_windows(%x: tensor<2x40x3x3xf16>, %w: tensor<24x40x3x3xf16>, %init: tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x40x3x3xf16>, tensor<24x40x3x3xf16>) outs(%init : tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32>
  return %0 : tensor<2x24x1x1xf32>
}

// With strides, there may be more rows and columns, which no window has.

// CHECK-LABEL: @whole_windows_of_a_part(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<?x?x6x5xf32>
//       CHECK:   %[[N:.*]] = tensor.dim %[[X]], %c0
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [%[[N]], 5, 4, 5] [1, 1, 1, 1] : tensor<?x?x6x5xf32> to tensor<?x5x4x5xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[S]], %{{.*}} : tensor<?x5x4x5xf32>, tensor<5x4x5x7xf32>) outs(%{{.*}} : tensor<?x1x1x7xf32>)
func.func @whole_windows_of_a_part(%x: tensor<?x?x6x5xf32>, %w: tensor<5x4x5x7xf32>, %init: tensor<?x1x1x7xf32>) -> tensor<?x1x1x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[1, 3]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x6x5xf32>, tensor<5x4x5x7xf32>) outs(%init : tensor<?x1x1x7xf32>) -> tensor<?x1x1x7xf32>
  return %0 : tensor<?x1x1x7xf32>
}

// CHECK-LABEL: @negative_windows_in_two_places(
//       CHECK:   linalg.conv_2d_nchw_fchw
func.func @negative_windows_in_two_places(%x: tensor<2x40x3x4xf16>, %w: tensor<24x40x3x3xf16>, %init: tensor<2x24x1x2xf32>) -> tensor<2x24x1x2xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x40x3x4xf16>, tensor<24x40x3x3xf16>) outs(%init : tensor<2x24x1x2xf32>) -> tensor<2x24x1x2xf32>
  return %0 : tensor<2x24x1x2xf32>
}

// A dilated window reads every second element.

// CHECK-LABEL: @negative_windows_with_gaps(
//       CHECK:   linalg.conv_2d_nchw_fchw
func.func @negative_windows_with_gaps(%x: tensor<2x40x5x5xf16>, %w: tensor<24x40x3x3xf16>, %init: tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x40x5x5xf16>, tensor<24x40x3x3xf16>) outs(%init : tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32>
  return %0 : tensor<2x24x1x1xf32>
}

// An image that has more than its windows, or may have, stays.

#image = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#window = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#result = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>

// CHECK-LABEL: @negative_unit_windows_of_a_part(
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<1x32x9x9xf32>, tensor<24x32x1x1xf32>)
func.func @negative_unit_windows_of_a_part(%x: tensor<1x32x9x9xf32>, %w: tensor<24x32x1x1xf32>, %init: tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #window, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x32x9x9xf32>, tensor<24x32x1x1xf32>) outs(%init : tensor<1x24x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x24x7x7xf32>
  return %0 : tensor<1x24x7x7xf32>
}

// CHECK-LABEL: @negative_unit_windows_of_unknown_sizes(
//       CHECK:   linalg.conv_2d_nchw_fchw
func.func @negative_unit_windows_of_unknown_sizes(%x: tensor<1x32x?x?xf32>, %w: tensor<24x32x1x1xf32>, %init: tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x?x?xf32>, tensor<24x32x1x1xf32>) outs(%init : tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32>
  return %0 : tensor<1x24x?x?xf32>
}

// What a reduction leaves out is a neutral element that it combines.

// CHECK-LABEL: @leaves_out_nans(
//   CHECK-DAG:   %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
//       CHECK:   ^bb0(%[[X:.*]]: f32, %[[M:.*]]: f32):
//   CHECK-DAG:     %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
//       CHECK:     %[[E:.*]] = arith.select %[[NAN]], %[[LEAST]], %[[X]] : f32
//       CHECK:     %[[R:.*]] = arith.maximumf %[[E]], %[[M]] : f32
//       CHECK:     linalg.yield %[[R]]
func.func @leaves_out_nans(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %m: f32):
    %max = arith.maximumf %a, %m : f32
    %nan = arith.cmpf uno, %a, %a : f32
    %r = arith.select %nan, %m, %max : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The sum of what a mask keeps. 0 would change a sum of -0.

// CHECK-LABEL: @masked_sum(
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK:   ^bb0(%[[X:.*]]: f32, %[[KEEP:.*]]: i1, %[[S:.*]]: f32):
//       CHECK:     %[[E:.*]] = arith.select %[[KEEP]], %[[X]], %[[ZERO]] : f32
//       CHECK:     arith.addf %[[S]], %[[E]] : f32
func.func @masked_sum(%x: tensor<4x8xf32>, %keep: tensor<4x8xi1>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %keep : tensor<4x8xf32>, tensor<4x8xi1>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: i1, %s: f32):
    %sum = arith.addf %s, %a : f32
    %r = arith.select %b, %sum, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// With the flag, there are no infinities to combine.

// CHECK-LABEL: @negative_no_infinities(
//       CHECK:     %[[MAX:.*]] = arith.maximumf %{{.*}}, %[[M:.*]] fastmath<ninf> : f32
//       CHECK:     arith.select %{{.*}}, %[[MAX]], %[[M]] : f32
func.func @negative_no_infinities(%x: tensor<4x8xf32>, %keep: tensor<4x8xi1>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %keep : tensor<4x8xf32>, tensor<4x8xi1>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: i1, %m: f32):
    %max = arith.maximumf %a, %m fastmath<ninf> : f32
    %r = arith.select %b, %max, %m : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Elements that are vectors have no neutral one here.

// CHECK-LABEL: @negative_vectors(
//       CHECK:     %[[SUM:.*]] = arith.addf %{{.*}}, %[[S:.*]] : vector<4xf32>
//       CHECK:     arith.select %{{.*}}, %[[SUM]], %[[S]] : vector<4xf32>
func.func @negative_vectors(%x: tensor<4x8xvector<4xf32>>, %keep: tensor<4x8xi1>, %init: tensor<4xvector<4xf32>>) -> tensor<4xvector<4xf32>> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %keep : tensor<4x8xvector<4xf32>>, tensor<4x8xi1>) outs(%init : tensor<4xvector<4xf32>>) {
  ^bb0(%a: vector<4xf32>, %b: i1, %s: vector<4xf32>):
    %sum = arith.addf %a, %s : vector<4xf32>
    %r = arith.select %b, %sum, %s : vector<4xf32>
    linalg.yield %r : vector<4xf32>
  } -> tensor<4xvector<4xf32>>
  return %0 : tensor<4xvector<4xf32>>
}

// -----

// The maximum of all scores of a head is that of the maxima of its rows.

func.func @of_maxima(%x: tensor<4x?x8xf32>, %rows: tensor<4x?xf32>, %init: tensor<4xf32>) -> (tensor<4x?xf32>, tensor<4xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %r0 = linalg.fill ins(%ninf : f32) outs(%rows : tensor<4x?xf32>) -> tensor<4x?xf32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<4x?x8xf32>) outs(%r0 : tensor<4x?xf32>) dimensions = [2]
  %m = linalg.generic {indexing_maps = [affine_map<(n, h, m) -> (h, m, n)>, affine_map<(n, h, m) -> (h)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<4x?x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r, %m : tensor<4x?xf32>, tensor<4xf32>
}
// CHECK-LABEL: @of_maxima(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x?x8xf32>, %{{[a-z0-9]+}}: tensor<4x?xf32>, %[[INIT:[a-z0-9]+]]: tensor<4xf32>
//       CHECK:   %[[ROWS:.+]] = linalg.reduce {{.*}} ins(%[[X]] :
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[ROWS]] : tensor<4x?xf32>) outs(%[[INIT]] :

// -----

// Rows that start from a number, maxima of columns, minima, and sums are left.

func.func @others(%x: tensor<4x6x8xf32>, %rows: tensor<4x6xf32>, %columns: tensor<6x8xf32>, %init: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<6x8xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %r0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<4x6x8xf32>) outs(%r0 : tensor<4x6xf32>) dimensions = [2]
  %c0 = linalg.fill ins(%ninf : f32) outs(%columns : tensor<6x8xf32>) -> tensor<6x8xf32>
  %c = linalg.reduce { arith.maximumf } ins(%x : tensor<4x6x8xf32>) outs(%c0 : tensor<6x8xf32>) dimensions = [0]
  %n0 = linalg.fill ins(%inf : f32) outs(%rows : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.reduce { arith.minimumf } ins(%x : tensor<4x6x8xf32>) outs(%n0 : tensor<4x6xf32>) dimensions = [2]
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x6x8xf32>) outs(%r0 : tensor<4x6xf32>) dimensions = [2]
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x6x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1, 2]
  return %r, %c, %n, %s, %m : tensor<4x6xf32>, tensor<6x8xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>
}
// CHECK-LABEL: @others(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x6x8xf32>
// CHECK-COUNT-5: ins(%[[X]] : tensor<4x6x8xf32>)

// -----

// Parts of size 0 are left out of a concatenation, wherever they are. One of no elements
// is its first part.

func.func @empty_parts(%none: tensor<0x4xf32>, %a: tensor<3x4xf32>, %b: tensor<?x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<?x4xf32>, tensor<0x4xf32>, tensor<?x4xf32>) {
  %front = tensor.concat dim(0) %none, %a : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %back = tensor.concat dim(0) %a, %none : (tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
  %between = tensor.concat dim(0) %b, %none, %a : (tensor<?x4xf32>, tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %all = tensor.concat dim(0) %none, %none : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<0x4xf32>
  %known = tensor.concat dim(0) %none, %a : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %front, %back, %between, %all, %known : tensor<3x4xf32>, tensor<3x4xf32>, tensor<?x4xf32>, tensor<0x4xf32>, tensor<?x4xf32>
}
// CHECK-LABEL: @empty_parts(
//  CHECK-SAME:   %[[NONE:[a-z0-9]+]]: tensor<0x4xf32>, %[[A:[a-z0-9]+]]: tensor<3x4xf32>, %[[B:[a-z0-9]+]]: tensor<?x4xf32>
//   CHECK-DAG:   %[[BETWEEN:.+]] = tensor.concat dim(0) %[[B]], %[[A]] :
//   CHECK-DAG:   %[[KNOWN:.+]] = tensor.cast %[[A]] : tensor<3x4xf32> to tensor<?x4xf32>
//       CHECK:   return %[[A]], %[[A]], %[[BETWEEN]], %[[NONE]], %[[KNOWN]]

// -----

// Parts of another size 0, or whose size is not known, are left.

func.func @negative_parts(%a: tensor<3x0xf32>, %b: tensor<?x4xf32>) -> (tensor<6x0xf32>, tensor<?x4xf32>) {
  %empty = tensor.concat dim(0) %a, %a : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<6x0xf32>
  %unknown = tensor.concat dim(0) %b, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %empty, %unknown : tensor<6x0xf32>, tensor<?x4xf32>
}
// CHECK-LABEL: @negative_parts(
// CHECK-COUNT-2: tensor.concat


// A product with one term in each sum, such as that of a column and a row, is elementwise, and in the type of
// the sums. 0 is added: it makes -0 a 0.

// CHECK-LABEL: func @outer_product(
// CHECK-NOT:     linalg.batch_matmul
// CHECK-NOT:     "reduction"
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK:           %[[A:.*]] = arith.extf
// CHECK:           %[[B:.*]] = arith.extf
// CHECK:           %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK:           %[[S:.*]] = arith.addf %[[P]], %{{.*}} : f32
// CHECK:           linalg.yield %[[S]]
func.func @outer_product(%k: tensor<6x16x1xf16>, %v: tensor<6x1x24xf16>) -> tensor<6x16x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  %r = linalg.batch_matmul ins(%k, %v : tensor<6x16x1xf16>, tensor<6x1x24xf16>) outs(%f : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  return %r : tensor<6x16x24xf32>
}

// CHECK-LABEL: func @negative_two_terms(
// CHECK:         linalg.batch_matmul
func.func @negative_two_terms(%k: tensor<6x16x2xf32>, %v: tensor<6x2x24xf32>) -> tensor<6x16x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  %r = linalg.batch_matmul ins(%k, %v : tensor<6x16x2xf32>, tensor<6x2x24xf32>) outs(%f : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  return %r : tensor<6x16x24xf32>
}

// CHECK-LABEL: func @negative_accumulated(
// CHECK:         linalg.batch_matmul
func.func @negative_accumulated(%k: tensor<6x16x1xf32>, %v: tensor<6x1x24xf32>, %s: tensor<6x16x24xf32>) -> tensor<6x16x24xf32> {
  %r = linalg.batch_matmul ins(%k, %v : tensor<6x16x1xf32>, tensor<6x1x24xf32>) outs(%s : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  return %r : tensor<6x16x24xf32>
}

// -----

// A loop over elements of no result is a reduction, and one over elements of the result is parallel, whatever
// the op calls them.

// CHECK-LABEL: func @iterators_changed_places(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
func.func @iterators_changed_places(%a: tensor<6x4x9xf32>, %b: tensor<9x5xf32>, %c: tensor<6x4x5xf32>) -> tensor<6x4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<6x4x9xf32>, tensor<9x5xf32>) outs(%c : tensor<6x4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<6x4x5xf32>
  return %r : tensor<6x4x5xf32>
}

// -----

// A loop over elements of one of two results keeps its name.

// CHECK-LABEL: func @negative_one_of_two_results(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @negative_one_of_two_results(%a: tensor<6x9xf32>, %c: tensor<6x9xf32>, %d: tensor<6xf32>) -> (tensor<6x9xf32>, tensor<6xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<6x9xf32>) outs(%c, %d : tensor<6x9xf32>, tensor<6xf32>) {
  ^bb0(%x: f32, %o: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    %e = math.exp %x : f32
    linalg.yield %e, %t : f32, f32
  } -> (tensor<6x9xf32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6x9xf32>, tensor<6xf32>
}

// -----

// An op without outputs has no map that says what its loops are.

#id = affine_map<(a) -> (a)>
// CHECK-LABEL: func @negative_stores_in_its_body
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel"]
func.func @negative_stores_in_its_body(%x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) {
  ^bb0(%v: f32):
    %i = linalg.index 0 : index
    memref.store %v, %y[%i] : memref<8xf32>
    linalg.yield
  }
  return
}

// -----

// The first column, read by all columns, is a slice.

// CHECK-LABEL: func @first_column(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x4xf32>, %[[Y:[a-z0-9]+]]: tensor<?x1x3xf32>
// CHECK-DAG:     %[[A:.+]] = tensor.extract_slice %[[X]][0, 0] [%{{.+}}, 1] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
// CHECK-DAG:     %[[B:.+]] = tensor.extract_slice %[[Y]][0, 0, 2] {{.*}} to tensor<?x1xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]], %[[A]], %{{.+}} :
func.func @first_column(%x: tensor<?x4xf32>, %y: tensor<?x1x3xf32>, %init: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, 0, 2)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x, %y : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1x3xf32>) outs(%init : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %s = arith.subf %a, %b : f32
    %p = arith.mulf %s, %c : f32
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

// A sum is added to what an argument has, in a dimension of size 1.

// CHECK-LABEL: func @kept_dimension_of_argument(
// CHECK-SAME:    %{{.+}}: tensor<6x10xf32>, %[[INIT:[a-z0-9]+]]: tensor<6x1xf32>
// CHECK:         %[[ROWS:.+]] = tensor.collapse_shape %[[INIT]] {{\[\[}}0, 1]] : tensor<6x1xf32> into tensor<6xf32>
// CHECK:         %[[SUM:.+]] = linalg.generic
// CHECK-SAME:      outs(%[[ROWS]] : tensor<6xf32>)
// CHECK:         tensor.expand_shape %[[SUM]]
func.func @kept_dimension_of_argument(%x: tensor<6x10xf32>, %init: tensor<6x1xf32>) -> tensor<6x1xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x10xf32>) outs(%init : tensor<6x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<6x1xf32>
  return %y : tensor<6x1xf32>
}

// -----

// A dimension without elements has no slice, and no loop reads it.

// CHECK-LABEL: func @negative_no_elements(
// CHECK-NOT:     tensor.extract_slice
func.func @negative_no_elements(%x: tensor<0x0xf32>, %init: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<0x0xf32>) outs(%init : tensor<0x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<0x4xf32>
  return %y : tensor<0x4xf32>
}

// -----

// There is no such position, and the loops may have no iteration.

// CHECK-LABEL: func @negative_out_of_bounds(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         return
func.func @negative_out_of_bounds(%x: tensor<?x4xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 5)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?x4xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
