// RUN: linalg-ext-opt %s --linalg-ext-fuse=target=gpu | FileCheck %s

// Channels are batches. They are adjacent in both operands: one is computed, and written with the
// channels in front, the other is copied.

// CHECK-DAG:   #[[ID:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[BACK:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: func @triangle(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<40x48x32xf16>, %[[B:[a-z0-9]+]]: tensor<24x48x32xf16>
// CHECK-DAG:     linalg.generic {indexing_maps = [#[[BACK]], #[[ID]]], {{.+}} ins(%[[B]] : tensor<24x48x32xf16>) outs(%{{.+}} : tensor<32x24x48xf16>)
// CHECK-DAG:     linalg.generic {indexing_maps = [#[[BACK]], #[[ID]]], {{.+}} ins(%[[A]] : tensor<40x48x32xf16>) outs(%{{.+}} : tensor<32x40x48xf16>)
// CHECK:         linalg.{{.*}} tensor<32x40x48xf16>, tensor<32x24x48xf16>
func.func @triangle(%a: tensor<40x48x32xf16>, %b: tensor<24x48x32xf16>) -> tensor<40x24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<40x48x32xf16>
  %x = linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k, c)>, affine_map<(i, k, c) -> (i, k, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<40x48x32xf16>) outs(%ea : tensor<40x48x32xf16>) {
  ^bb0(%p: f16, %o: f16):
    %r = math.exp %p : f16
    linalg.yield %r : f16
  } -> tensor<40x48x32xf16>
  %e = tensor.empty() : tensor<40x24x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24x32xf32>) -> tensor<40x24x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, c, k) -> (i, k, c)>, affine_map<(i, j, c, k) -> (j, k, c)>, affine_map<(i, j, c, k) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %b : tensor<40x48x32xf16>, tensor<24x48x32xf16>) outs(%f : tensor<40x24x32xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %pe = arith.extf %p : f16 to f32
    %qe = arith.extf %q : f16 to f32
    %m = arith.mulf %pe, %qe : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40x24x32xf32>
  return %y : tensor<40x24x32xf32>
}

// A projection that makes an operand: its rows and columns change places, so that neighbouring
// lanes store what is adjacent.

// CHECK-LABEL: func @projection(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<40x48x1024xf16>, %[[W:[a-z0-9]+]]: tensor<32x1024xf16>, %[[B:[a-z0-9]+]]: tensor<32x24x48xf16>
// CHECK:         %[[P:.+]] = linalg.generic {{.+}} ["parallel", "parallel", "parallel", "reduction"]} ins(%[[W]], %[[X]] : {{.+}}) outs(%{{.+}} : tensor<32x40x48xf32>)
// CHECK:         ^bb0(%[[L:.+]]: f16, %[[R:.+]]: f16, %{{.+}}: f32):
// CHECK:           arith.mulf
// CHECK:         %[[T:.+]] = linalg.generic {{.+}} ins(%[[P]] : tensor<32x40x48xf32>) outs(%{{.+}} : tensor<32x40x48xf16>)
// CHECK:         linalg.{{.*}} ins(%[[T]], %[[B]] :
func.func @projection(%x: tensor<40x48x1024xf16>, %w: tensor<32x1024xf16>, %b: tensor<32x24x48xf16>) -> tensor<40x24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<40x48x32xf32>
  %fp = linalg.fill ins(%zero : f32) outs(%ep : tensor<40x48x32xf32>) -> tensor<40x48x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, k, c, d) -> (i, k, d)>, affine_map<(i, k, c, d) -> (c, d)>, affine_map<(i, k, c, d) -> (i, k, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<40x48x1024xf16>, tensor<32x1024xf16>) outs(%fp : tensor<40x48x32xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %le = arith.extf %l : f16 to f32
    %re = arith.extf %r : f16 to f32
    %m = arith.mulf %le, %re : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40x48x32xf32>
  %et = tensor.empty() : tensor<40x48x32xf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k, c)>, affine_map<(i, k, c) -> (i, k, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<40x48x32xf32>) outs(%et : tensor<40x48x32xf16>) {
  ^bb0(%l: f32, %o: f16):
    %r = arith.truncf %l : f32 to f16
    linalg.yield %r : f16
  } -> tensor<40x48x32xf16>
  %e = tensor.empty() : tensor<40x24x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24x32xf32>) -> tensor<40x24x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, c, k) -> (i, k, c)>, affine_map<(i, j, c, k) -> (c, j, k)>, affine_map<(i, j, c, k) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t, %b : tensor<40x48x32xf16>, tensor<32x24x48xf16>) outs(%f : tensor<40x24x32xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %le = arith.extf %l : f16 to f32
    %re = arith.extf %r : f16 to f32
    %m = arith.mulf %le, %re : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40x24x32xf32>
  return %y : tensor<40x24x32xf32>
}

// Few rows: each element is read once or twice.

// CHECK-LABEL: func @negative_few_rows(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<4x48x32xf16>, %[[B:[a-z0-9]+]]: tensor<24x48x32xf16>
// CHECK:         ins(%[[A]], %[[B]] :
func.func @negative_few_rows(%a: tensor<4x48x32xf16>, %b: tensor<24x48x32xf16>) -> tensor<4x24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x24x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x24x32xf32>) -> tensor<4x24x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, c, k) -> (i, k, c)>, affine_map<(i, j, c, k) -> (j, k, c)>, affine_map<(i, j, c, k) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x48x32xf16>, tensor<24x48x32xf16>) outs(%f : tensor<4x24x32xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %pe = arith.extf %p : f16 to f32
    %qe = arith.extf %q : f16 to f32
    %m = arith.mulf %pe, %qe : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x24x32xf32>
  return %y : tensor<4x24x32xf32>
}
