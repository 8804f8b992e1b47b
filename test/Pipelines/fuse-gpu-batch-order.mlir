// RUN: linalg-ext-opt %s --linalg-ext-fuse=target=gpu | FileCheck %s

// Channels are batches. They are adjacent in both operands: one is computed, and written with the
// channels in front, the other is copied.

// CHECK-DAG:   #[[IN:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[FRONT:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-LABEL: func @triangle(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<40x48x32xf16>, %[[B:[a-z0-9]+]]: tensor<24x48x32xf16>
// CHECK-DAG:     linalg.generic {indexing_maps = [#{{.+}}, #[[IN]]], {{.+}} ins(%[[B]] : tensor<24x48x32xf16>) outs(%{{.+}} : tensor<32x24x48xf16>)
// CHECK-DAG:     linalg.generic {indexing_maps = [#[[IN]], #[[FRONT]]], {{.+}} ins(%[[A]] : tensor<40x48x32xf16>) outs(%{{.+}} : tensor<32x40x48xf16>)
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
