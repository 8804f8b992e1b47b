// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=excess-precision | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(vector-ext-simplify{patterns=excess-precision})' | FileCheck %s

// Scores of f16, scaled, masked and extended: all of it in f32.

// CHECK-LABEL: func @scores(
// CHECK-SAME:    %[[S:[a-z0-9]+]]: vector<8xf32>, %[[C:[a-z0-9]+]]: vector<8xi1>
// CHECK-NOT:     truncf
// CHECK:         %[[T:.*]] = arith.mulf %[[S]], %{{.*}} fastmath<contract> : vector<8xf32>
// CHECK:         %[[M:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK:         %[[X:.*]] = arith.addf %[[T]], %[[M]] : vector<8xf32>
// CHECK:         return %[[X]]
func.func @scores(%s: vector<8xf32>, %c: vector<8xi1>) -> vector<8xf32> {
  %scale = arith.constant dense<0.125> : vector<8xf16>
  %zero = arith.constant dense<0.0> : vector<8xf16>
  %low = arith.constant dense<0xFC00> : vector<8xf16>
  %h = arith.truncf %s : vector<8xf32> to vector<8xf16>
  %t = arith.mulf %h, %scale fastmath<contract> : vector<8xf16>
  %m = arith.select %c, %zero, %low : vector<8xi1>, vector<8xf16>
  %u = arith.addf %t, %m : vector<8xf16>
  %x = arith.extf %u : vector<8xf16> to vector<8xf32>
  return %x : vector<8xf32>
}

// What is stored is rounded once; a vector that is read is extended.

// CHECK-LABEL: func @result(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: vector<8xf32>, %[[B:[a-z0-9]+]]: vector<8xbf16>
// CHECK:         %[[WIDE:.*]] = arith.extf %[[B]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[A]], %[[WIDE]] : vector<8xf32>
// CHECK:         %[[TANH:.*]] = math.tanh %[[SUM]] : vector<8xf32>
// CHECK:         %[[R:.*]] = arith.truncf %[[TANH]]
// CHECK:         return %[[R]]
func.func @result(%a: vector<8xf32>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %h = arith.truncf %a : vector<8xf32> to vector<8xbf16>
  %s = arith.addf %h, %b : vector<8xbf16>
  %t = math.tanh %s : vector<8xbf16>
  return %t : vector<8xbf16>
}

// CHECK-LABEL: func @comparison(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: vector<8xf32>
// CHECK:         arith.cmpf oeq, %[[A]], %{{.*}} : vector<8xf32>
func.func @comparison(%a: vector<8xf32>) -> vector<8xi1> {
  %low = arith.constant dense<0xFC00> : vector<8xf16>
  %h = arith.truncf %a : vector<8xf32> to vector<8xf16>
  %c = arith.cmpf oeq, %h, %low : vector<8xf16>
  return %c : vector<8xi1>
}

// A contraction reads what is rounded; scalars, other types and halves that
// nobody rounded stay.

// CHECK-LABEL: func @negative(
// CHECK:         %[[P:.*]] = arith.truncf %{{.*}} : vector<8x8xf32> to vector<8x8xf16>
// CHECK:         vector.contract {{.*}} %[[P]]
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f16
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<8xf16>
// CHECK:         %[[D:.*]] = arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         arith.mulf %[[D]], %[[D]] : vector<8xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @negative(%p: vector<8x8xf32>, %v: vector<8x8xf16>, %acc: vector<8x8xf32>, %s: f32, %h: vector<8xf16>,
                    %d: vector<8xf64>) -> (vector<8x8xf32>, f16, vector<8xf16>, vector<8xf32>) {
  %ph = arith.truncf %p : vector<8x8xf32> to vector<8x8xf16>
  %o = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>} %ph, %v, %acc : vector<8x8xf16>, vector<8x8xf16> into vector<8x8xf32>
  %sh = arith.truncf %s : f32 to f16
  %ss = arith.mulf %sh, %sh : f16
  %hh = arith.mulf %h, %h : vector<8xf16>
  %dh = arith.truncf %d : vector<8xf64> to vector<8xf32>
  %dd = arith.mulf %dh, %dh : vector<8xf32>
  return %o, %ss, %hh, %dd : vector<8x8xf32>, f16, vector<8xf16>, vector<8xf32>
}

// CHECK-LABEL: func @negative_rounding_mode(
// CHECK:         %[[T:.*]] = arith.truncf %{{.*}} toward_zero
// CHECK:         %[[W:.*]] = arith.extf %[[T]]
// CHECK:         return %[[W]]
func.func @negative_rounding_mode(%x: vector<8xf32>) -> vector<8xf32> {
  %t = arith.truncf %x toward_zero : vector<8xf32> to vector<8xf16>
  %w = arith.extf %t : vector<8xf16> to vector<8xf32>
  return %w : vector<8xf32>
}

// A contraction keeps the rounding: its operand is what instructions of halves take.
// Other ops read what has not been rounded.

// CHECK-LABEL: func @contraction
// CHECK-SAME:    (%[[X:.*]]: vector<4x8xf32>, %[[B:.*]]: vector<8x8xf32>, %[[C:.*]]: vector<4x8xf32>)
// CHECK:         %[[HALF:.*]] = arith.truncf %[[X]] : vector<4x8xf32> to vector<4x8xf16>
// CHECK:         %[[WIDE:.*]] = arith.extf %[[HALF]] : vector<4x8xf16> to vector<4x8xf32>
// CHECK:         vector.contract {{.*}} %[[WIDE]], %[[B]], %[[C]]
// CHECK:         arith.addf %{{.*}}, %[[X]]
func.func @contraction(%x: vector<4x8xf32>, %b: vector<8x8xf32>, %c: vector<4x8xf32>) -> vector<4x8xf32> {
  %half = arith.truncf %x : vector<4x8xf32> to vector<4x8xf16>
  %wide = arith.extf %half : vector<4x8xf16> to vector<4x8xf32>
  %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %wide, %b, %c : vector<4x8xf32>, vector<8x8xf32> into vector<4x8xf32>
  %s = arith.addf %p, %wide : vector<4x8xf32>
  return %s : vector<4x8xf32>
}

// The largest number of a row is found by comparing with it: both are rounded. So are
// numbers that the program extends first.

// CHECK-LABEL: func @negative_maximum(
// CHECK:         %[[H:.*]] = arith.truncf %{{.*}} : vector<4x4xf32> to vector<4x4xf16>
// CHECK:         arith.cmpf oeq, %[[H]], %{{.*}} : vector<4x4xf16>
// CHECK:         %[[W:.*]] = arith.extf %[[H]]
// CHECK:         arith.cmpf oeq, %[[W]], %{{.*}} : vector<4x4xf32>
func.func @negative_maximum(%x: vector<4x4xf32>) -> (vector<4x4xi1>, vector<4x4xi1>) {
  %low = arith.constant dense<0xFC00> : vector<4xf16>
  %h = arith.truncf %x : vector<4x4xf32> to vector<4x4xf16>
  %m = vector.multi_reduction <maximumf>, %h, %low [1] : vector<4x4xf16> to vector<4xf16>
  %b = vector.broadcast %m : vector<4xf16> to vector<4x4xf16>
  %t = vector.transpose %b, [1, 0] : vector<4x4xf16> to vector<4x4xf16>
  %c = arith.cmpf oeq, %h, %t : vector<4x4xf16>
  %hw = arith.extf %h : vector<4x4xf16> to vector<4x4xf32>
  %tw = arith.extf %t : vector<4x4xf16> to vector<4x4xf32>
  %cw = arith.cmpf oeq, %hw, %tw : vector<4x4xf32>
  return %c, %cw : vector<4x4xi1>, vector<4x4xi1>
}
