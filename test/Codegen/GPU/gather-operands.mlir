// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups --split-input-file | FileCheck %s

// A convolution is a product of the patches that its workgroups gather.

// CHECK-LABEL: func @convolution
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<?x?x?x16xf32>
// CHECK:       scf.forall
// CHECK:         scf.for
// CHECK:           %[[PATCHES:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
// CHECK:             tensor.extract %[[X]]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[PATCHES]],
// CHECK-NOT:   linalg.conv
func.func @convolution(%x: tensor<?x?x?x16xf32>, %w: tensor<3x3x16x24xf32>, %o: tensor<?x?x?x24xf32>) -> tensor<?x?x?x24xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<?x?x?x16xf32>, tensor<3x3x16x24xf32>) outs(%o : tensor<?x?x?x24xf32>) -> tensor<?x?x?x24xf32>
  return %0 : tensor<?x?x?x24xf32>
}

// -----

// An elementwise op extracts what it reads at a sum of loops, and reads the rest as tiles.

#shifted = affine_map<(i, j) -> (i + j)>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @diagonals
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK:       scf.forall
// CHECK:         %[[TILE:.*]] = tensor.extract_slice %[[Y]]
// CHECK:         linalg.generic {{.*}} ins(%[[TILE]] :
// CHECK-DAG:       %[[I:.*]] = linalg.index 0
// CHECK-DAG:       %[[J:.*]] = linalg.index 1
// CHECK:           %[[E:.*]] = tensor.extract %[[X]][%{{.*}}]
// CHECK:           arith.addf %[[E]],
func.func @diagonals(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#shifted, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Operands that are read at loops and at 0 stay as they are.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (0, j)>
// CHECK-LABEL: func @negative_tiles
// CHECK-NOT:   tensor.extract %
// CHECK:       return
func.func @negative_tiles(%x: tensor<1x?xf32>, %y: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What is written at a sum of loops is in no workgroup.

#id = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i + j)>
// CHECK-LABEL: func @negative_written
// CHECK-NOT:   scf.forall
// CHECK:       return
func.func @negative_written(%x: tensor<4x8xf32>, %o: tensor<11xf32>) -> tensor<11xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%o : tensor<11xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<11xf32>
  return %0 : tensor<11xf32>
}

// -----

// In a workgroup, an op at a sum of loops has only its tile of the operand.

// CHECK-LABEL: func @negative_in_workgroup
// CHECK:       scf.forall
// CHECK-NOT:     tensor.extract %
// CHECK:       return
func.func @negative_in_workgroup(%x: tensor<10xf32>, %w: tensor<3xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%out = %o) -> tensor<4x8xf32> {
    %tile = tensor.extract_slice %out[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %1 = linalg.conv_1d ins(%x, %w : tensor<10xf32>, tensor<3xf32>) outs(%tile : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %out[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// Where channels are in front, as in torch, they are summed last: tiles have 64 of them, and one element of
// the window. The weights are permuted in front.

// CHECK-LABEL: func @channels_in_front
// CHECK:       scf.forall
// CHECK:         %[[W:.*]] = linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK:       scf.forall
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK:         scf.for {{.*}} = %{{.*}} to %[[C3]]
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} step %{{.*}}
// CHECK:               linalg.generic
// CHECK-NOT:           linalg.transpose
// CHECK:               linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
func.func @channels_in_front(%x: tensor<1x256x16x16xf16>, %w: tensor<256x256x3x3xf16>, %f: tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x256x16x16xf16>, tensor<256x256x3x3xf16>) outs(%f : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  return %r : tensor<1x256x14x14xf32>
}

// -----

// The channels are the longest loop along which a convolution reduces. They become the last one:
// a workgroup sums 32 of them at once.

#x = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#w = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#o = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
// CHECK-LABEL: func @sum_of_channels
// CHECK:       linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK:       scf.forall
// CHECK:         tensor.empty() : tensor<1x1x7x1x1x32xf32>
func.func @sum_of_channels(%x: tensor<1x32x9x9xf32>, %w: tensor<24x32x3x3xf32>, %o: tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x9x9xf32>, tensor<24x32x3x3xf32>) outs(%o : tensor<1x24x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x24x7x7xf32>
  return %0 : tensor<1x24x7x7xf32>
}

// -----

// The result of 0.5 c + a b depends on the order, which stays.

#x = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#w = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#o = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
// CHECK-LABEL: func @negative_order_matters
// CHECK-NOT:   linalg.transpose
// CHECK:       tensor.empty() : tensor<1x1x7x32x3x3xf32>
// CHECK:       } -> tensor<1x1x1x7xf32>
// CHECK-NOT:   linalg.transpose
// CHECK:       return
func.func @negative_order_matters(%x: tensor<1x32x9x9xf32>, %w: tensor<24x32x3x3xf32>, %o: tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32> {
  %half = arith.constant 5.000000e-01 : f32
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x9x9xf32>, tensor<24x32x3x3xf32>) outs(%o : tensor<1x24x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %d = arith.mulf %c, %half : f32
    %s = arith.addf %d, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x24x7x7xf32>
  return %0 : tensor<1x24x7x7xf32>
}
