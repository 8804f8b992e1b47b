// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async' --split-input-file | FileCheck %s

// A kernel stores the patches of an image in channels, rows and columns. The product has merged
// dimensions, and so has what is in front of it and behind it.

// CHECK-LABEL: func @channels_in_front(
// CHECK-SAME:    %[[X:.*]]: tensor<4x640x34x34xf16>, %[[W:.*]]: tensor<320x640x3x3xf16>
// CHECK:         %[[P:.*]] = scf.forall {{.*}} -> (tensor<4x640x3x3x32x32xf16>)
// CHECK:           tensor.extract %[[X]]
// CHECK:         %[[K:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1, 2, 3]]
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[P]] {{\[}}[0], [1, 2, 3], [4, 5]]
// CHECK:         %[[Y:.*]] = scf.forall {{.*}} -> (tensor<4x320x1024xf16>)
// CHECK-DAG:       tensor.extract_slice %[[M]]
// CHECK-DAG:       tensor.extract_slice %[[K]]
// CHECK:           arith.mulf
// CHECK:           arith.truncf
// CHECK:         tensor.expand_shape %[[Y]] {{\[}}[0], [1], [2, 3]]
func.func @channels_in_front(%x: tensor<4x640x34x34xf16>, %w: tensor<320x640x3x3xf16>, %b: tensor<320xf32>) -> tensor<4x320x32x32xf16> {
  %e = tensor.empty() : tensor<4x320x32x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, o, h, v) -> (o)>, affine_map<(n, o, h, v) -> (n, o, h, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b : tensor<320xf32>) outs(%e : tensor<4x320x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x320x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<4x640x34x34xf16>, tensor<320x640x3x3xf16>) outs(%s : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  %f = tensor.empty() : tensor<4x320x32x32xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, o, h, v) -> (n, o, h, v)>, affine_map<(n, o, h, v) -> (n, o, h, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<4x320x32x32xf32>) outs(%f : tensor<4x320x32x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<4x320x32x32xf16>
  return %r : tensor<4x320x32x32xf16>
}

// -----

// Few output channels for each element of a patch: the workgroups of the product gather patches.

// CHECK-LABEL: func @negative_few_channels(
// CHECK-NOT:     tensor.collapse_shape
// CHECK-NOT:     -> (tensor<4x640x3x3x32x32xf16>)
// CHECK:         return
func.func @negative_few_channels(%x: tensor<4x640x34x34xf16>, %w: tensor<32x640x3x3xf16>) -> tensor<4x32x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x32x32xf32>) -> tensor<4x32x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<4x640x34x34xf16>, tensor<32x640x3x3xf16>) outs(%s : tensor<4x32x32x32xf32>) -> tensor<4x32x32x32xf32>
  return %y : tensor<4x32x32x32xf32>
}

// -----

// Neither pixels nor sums have rows of 16 bytes.

// CHECK-LABEL: func @negative_unaligned(
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         return
func.func @negative_unaligned(%x: tensor<4x639x33x33xf16>, %w: tensor<320x639x3x3xf16>) -> tensor<4x320x31x31xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x320x31x31xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x320x31x31xf32>) -> tensor<4x320x31x31xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<4x639x33x33xf16>, tensor<320x639x3x3xf16>) outs(%s : tensor<4x320x31x31xf32>) -> tensor<4x320x31x31xf32>
  return %y : tensor<4x320x31x31xf32>
}

// -----

// Groups are a loop of the image, the weights and the result.

// CHECK-LABEL: func @negative_groups(
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         return
func.func @negative_groups(%x: tensor<4x2x320x34x34xf16>, %w: tensor<2x320x320x3x3xf16>) -> tensor<4x2x320x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2x320x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2x320x32x32xf32>) -> tensor<4x2x320x32x32xf32>
  %y = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<4x2x320x34x34xf16>, tensor<2x320x320x3x3xf16>) outs(%s : tensor<4x2x320x32x32xf32>) -> tensor<4x2x320x32x32xf32>
  return %y : tensor<4x2x320x32x32xf32>
}

// -----

// A padded image is neither filled nor copied: patches are gathered from what is padded, with a
// condition. An op in front writes what it computes into a tensor of its own.

// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x640x32x32xf16>
// CHECK-NOT:     linalg.fill ins({{.*}}f16
// CHECK:         %[[S:.*]] = scf.forall {{.*}} -> (tensor<4x640x32x32xf16>)
// CHECK:         scf.forall {{.*}} -> (tensor<4x640x3x3x32x32xf16>)
// CHECK:           arith.cmpi
// CHECK:           tensor.extract %[[S]]
// CHECK:           arith.select
// CHECK-NOT:     tensor.insert_slice {{.*}} into tensor<4x640x34x34xf16>
// CHECK:         return
func.func @padded(%x: tensor<4x640x32x32xf16>, %w: tensor<320x640x3x3xf16>) -> tensor<4x320x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %p = tensor.empty() : tensor<4x640x34x34xf16>
  %filled = linalg.fill ins(%none : f16) outs(%p : tensor<4x640x34x34xf16>) -> tensor<4x640x34x34xf16>
  %inner = tensor.extract_slice %filled[0, 0, 1, 1] [4, 640, 32, 32] [1, 1, 1, 1] : tensor<4x640x34x34xf16> to tensor<4x640x32x32xf16>
  %sig = linalg.tanh ins(%x : tensor<4x640x32x32xf16>) outs(%inner : tensor<4x640x32x32xf16>) -> tensor<4x640x32x32xf16>
  %padded = tensor.insert_slice %sig into %filled[0, 0, 1, 1] [4, 640, 32, 32] [1, 1, 1, 1] : tensor<4x640x32x32xf16> into tensor<4x640x34x34xf16>
  %e = tensor.empty() : tensor<4x320x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<4x640x34x34xf16>, tensor<320x640x3x3xf16>) outs(%s : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  return %y : tensor<4x320x32x32xf32>
}

// -----

// Elements that an op in front does not write are those of the filled image: it still writes there.

// CHECK-LABEL: func @writes_one_column(
// CHECK:         %[[FILLED:.*]] = scf.forall {{.*}} -> (tensor<4x640x34x34xf16>)
// CHECK:         %[[INNER:.*]] = tensor.extract_slice %[[FILLED]]
// CHECK:         %[[S:.*]] = linalg.generic
// CHECK-SAME:      outs(%[[INNER]] :
// CHECK:         scf.forall {{.*}} -> (tensor<4x640x3x3x32x32xf16>)
// CHECK:           tensor.extract %[[S]]
// CHECK:         return
func.func @writes_one_column(%x: tensor<4x640x32xf16>, %w: tensor<320x640x3x3xf16>) -> tensor<4x320x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f16
  %p = tensor.empty() : tensor<4x640x34x34xf16>
  %filled = linalg.fill ins(%one : f16) outs(%p : tensor<4x640x34x34xf16>) -> tensor<4x640x34x34xf16>
  %inner = tensor.extract_slice %filled[0, 0, 1, 1] [4, 640, 32, 32] [1, 1, 1, 1] : tensor<4x640x34x34xf16> to tensor<4x640x32x32xf16>
  %column = linalg.generic {indexing_maps = [affine_map<(n, c, h) -> (n, c, h)>, affine_map<(n, c, h) -> (n, c, h, 4)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x640x32xf16>) outs(%inner : tensor<4x640x32x32xf16>) {
  ^bb0(%a: f16, %out: f16):
    %b = arith.addf %a, %a : f16
    linalg.yield %b : f16
  } -> tensor<4x640x32x32xf16>
  %padded = tensor.insert_slice %column into %filled[0, 0, 1, 1] [4, 640, 32, 32] [1, 1, 1, 1] : tensor<4x640x32x32xf16> into tensor<4x640x34x34xf16>
  %e = tensor.empty() : tensor<4x320x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<4x640x34x34xf16>, tensor<320x640x3x3xf16>) outs(%s : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  return %y : tensor<4x320x32x32xf32>
}

// -----

// A copy that rounds is not left out: patches are gathered from its result.

// CHECK-LABEL: func @copies_in_f32(
// CHECK:         %[[C:.*]] = scf.forall {{.*}} -> (tensor<4x640x32x32xf16>)
// CHECK:         tensor.extract %[[C]]
// CHECK:         return
func.func @copies_in_f32(%x: tensor<4x640x32x32xf32>, %w: tensor<320x640x3x3xf16>) -> tensor<4x320x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %p = tensor.empty() : tensor<4x640x34x34xf16>
  %filled = linalg.fill ins(%none : f16) outs(%p : tensor<4x640x34x34xf16>) -> tensor<4x640x34x34xf16>
  %inner = tensor.empty() : tensor<4x640x32x32xf16>
  %rounded = linalg.copy ins(%x : tensor<4x640x32x32xf32>) outs(%inner : tensor<4x640x32x32xf16>) -> tensor<4x640x32x32xf16>
  %padded = tensor.insert_slice %rounded into %filled[0, 0, 1, 1] [4, 640, 32, 32] [1, 1, 1, 1] : tensor<4x640x32x32xf16> into tensor<4x640x34x34xf16>
  %e = tensor.empty() : tensor<4x320x32x32xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<4x640x34x34xf16>, tensor<320x640x3x3xf16>) outs(%s : tensor<4x320x32x32xf32>) -> tensor<4x320x32x32xf32>
  return %y : tensor<4x320x32x32xf32>
}
