// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx2 --linalg-ext-prepare-operands=steps=offsets | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --split-input-file --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx2}, linalg-ext-prepare-operands{steps=offsets})' | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands=steps=offsets | FileCheck %s --check-prefix=AVX512
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands='steps=offsets excess-precision=false' | FileCheck %s --check-prefix=ROUNDED

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>

// A zero point for each group: it multiplies the sum of the row over the group. Integers
// that are looked up are centered.

// CHECK-DAG:   #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[GROUPS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG:   #[[OF:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG:   #[[SUMS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func @zero_points(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x3x32xf32>, %[[W:[a-z0-9]+]]: tensor<75x3x32xi8>, %[[S:[a-z0-9]+]]: tensor<75x3xf32>, %[[Z:[a-z0-9]+]]: tensor<75x3xi8>, %[[Y:[a-z0-9]+]]: tensor<2x75xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[GROUPS]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]]
// CHECK:           arith.addf
// CHECK:         %[[OFFSETS:.*]] = linalg.generic {indexing_maps = [#[[OF]], #[[OF]], #[[SUMS]], #[[GROUPS]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME:        ins(%[[S]], %[[Z]], %[[SUM]] : tensor<75x3xf32>, tensor<75x3xi8>, tensor<2x3xf32>) outs(%[[Y]]
// CHECK:             arith.negf
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[W]], %[[S]] : {{.*}}) outs(%[[OFFSETS]]
// CHECK-NOT:       arith.sub
// CHECK:           %[[Q:.*]] = arith.sitofp
// CHECK:           %[[D:.*]] = arith.mulf %[[Q]],
// CHECK:           arith.mulf %{{.*}}, %[[D]]
// AVX512-LABEL: func @zero_points(
// AVX512:         %[[EIGHT:.*]] = arith.constant 8.0
// AVX512:         arith.subf %[[EIGHT]],
// AVX512:         %[[EIGHT:.*]] = arith.constant 8.0
// AVX512:         arith.subf %{{.*}}, %[[EIGHT]]
// ROUNDED-LABEL: func @zero_points(
// ROUNDED-NOT:    arith.negf
// ROUNDED:        arith.subi
// ROUNDED-NOT:    arith.negf
// ROUNDED:        return
func.func @zero_points(%x: tensor<2x3x32xf32>, %w: tensor<75x3x32xi8>, %s: tensor<75x3xf32>, %z: tensor<75x3xi8>, %y: tensor<2x75xf32>) -> tensor<2x75xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s, %z : tensor<2x3x32xf32>, tensor<75x3x32xi8>, tensor<75x3xf32>, tensor<75x3xi8>) outs(%y : tensor<2x75xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: i8, %o: f32):
    %c15 = arith.constant 15 : i8
    %0 = arith.andi %b, %c15 : i8
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.extsi %d : i8 to i32
    %3 = arith.subi %1, %2 : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x75xf32>
  return %r : tensor<2x75xf32>
}

// -----

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>

// An offset that is added to scaled integers, in a loop that does not change the rows: their sums
// are in front of it. Sizes of columns are dynamic.

// CHECK-LABEL: func @float_offsets(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x3x32xf16>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK:           arith.extf
// CHECK:         scf.for
// CHECK:           %[[OFFSETS:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : tensor<?x3xf32>, tensor<1x3xf32>)
// CHECK:           linalg.generic {{.*}} outs(%[[OFFSETS]]
// CHECK:             %[[Q:.*]] = arith.sitofp
// CHECK-NEXT:        %[[D:.*]] = arith.mulf %[[Q]],
// CHECK-NEXT:        arith.mulf %{{.*}}, %[[D]]
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf
// CHECK-NEXT:        linalg.yield %[[SUM]]
func.func @float_offsets(%x: tensor<1x3x32xf16>, %w: tensor<?x3x32xi8>, %s: tensor<?x3xf32>, %z: tensor<?x3xf32>, %y: tensor<1x?xf32>, %n: index) -> tensor<1x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %y) -> tensor<1x?xf32> {
    %t = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
        ins(%x, %w, %s, %z : tensor<1x3x32xf16>, tensor<?x3x32xi8>, tensor<?x3xf32>, tensor<?x3xf32>) outs(%acc : tensor<1x?xf32>) {
    ^bb0(%a: f16, %b: i8, %c: f32, %d: f32, %o: f32):
      %0 = arith.extf %a : f16 to f32
      %1 = arith.sitofp %b : i8 to f32
      %2 = arith.mulf %1, %c : f32
      %3 = arith.addf %d, %2 : f32
      %4 = arith.mulf %3, %0 : f32
      %5 = arith.addf %4, %o : f32
      linalg.yield %5 : f32
    } -> tensor<1x?xf32>
    scf.yield %t : tensor<1x?xf32>
  }
  return %r : tensor<1x?xf32>
}

// -----

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>
#half = affine_map<(n, g, p) -> (n, g)>
#both = affine_map<(n, g, p) -> (n, g, p)>

// Columns are tiled: what one tile reads for its offsets stays in the first cache (32 KiB). Zero
// points are unpacked there.

// CHECK-LABEL: func @packed(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x128x32xf32>, %[[W:[a-z0-9]+]]: tensor<4096x128x32xi8>, %[[S:[a-z0-9]+]]: tensor<4096x128xf32>, %[[Z:[a-z0-9]+]]: tensor<4096x64xi8>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK:         scf.for
// CHECK:           %[[TILE:.*]] = tensor.extract_slice %[[Z]][%{{.*}}, 0] [32, 64]
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[TILE]], %{{.*}} : tensor<32x128xf32>, tensor<32x64xi8>, tensor<1x128xf32>)
// CHECK:             %[[NARROW:.*]] = arith.index_cast %{{.*}} : index to i8
// CHECK:             arith.andi %[[NARROW]], %{{.*}} : i8
// CHECK:           linalg.generic
func.func @packed(%x: tensor<1x128x32xf32>, %w: tensor<4096x128x32xi8>, %s: tensor<4096x128xf32>, %z: tensor<4096x64xi8>, %y: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %e = tensor.empty() : tensor<4096x64x2xi8>
  %u = linalg.generic {indexing_maps = [#half, #both], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : tensor<4096x64xi8>) outs(%e : tensor<4096x64x2xi8>) {
  ^bb0(%b: i8, %o: i8):
    %i = linalg.index 2 : index
    %0 = arith.index_cast %i : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    linalg.yield %3 : i8
  } -> tensor<4096x64x2xi8>
  %zeros = tensor.collapse_shape %u [[0], [1, 2]] : tensor<4096x64x2xi8> into tensor<4096x128xi8>
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s, %zeros : tensor<1x128x32xf32>, tensor<4096x128x32xi8>, tensor<4096x128xf32>, tensor<4096x128xi8>) outs(%y : tensor<1x4096xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: i8, %o: f32):
    %0 = arith.andi %b, %c15 : i8
    %3 = arith.subi %0, %d : i8
    %4 = arith.sitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x4096xf32>
  return %r : tensor<1x4096xf32>
}

// -----

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>

// The difference of bytes may wrap around.

// CHECK-LABEL: func @negative_wraps(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @negative_wraps(%x: tensor<2x3x32xf32>, %w: tensor<75x3x32xi8>, %s: tensor<75x3xf32>, %z: tensor<75x3xi8>, %y: tensor<2x75xf32>) -> tensor<2x75xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s, %z : tensor<2x3x32xf32>, tensor<75x3x32xi8>, tensor<75x3xf32>, tensor<75x3xi8>) outs(%y : tensor<2x75xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: i8, %o: f32):
    %3 = arith.subi %b, %d : i8
    %4 = arith.sitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x75xf32>
  return %r : tensor<2x75xf32>
}

// -----

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>

// More than 8 rows, groups of less than 16, and few columns.

// CHECK-LABEL: func @negative_sizes(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @negative_sizes(%x: tensor<9x3x32xf32>, %w: tensor<75x3x32xi8>, %s: tensor<75x3xf32>, %z: tensor<75x3xf32>, %y: tensor<9x75xf32>,
    %x1: tensor<1x3x8xf32>, %w1: tensor<75x3x8xi8>, %y1: tensor<1x75xf32>,
    %w2: tensor<63x3x32xi8>, %x2: tensor<1x3x32xf32>, %s2: tensor<63x3xf32>, %y2: tensor<1x63xf32>) -> (tensor<9x75xf32>, tensor<1x75xf32>, tensor<1x63xf32>) {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s, %z : tensor<9x3x32xf32>, tensor<75x3x32xi8>, tensor<75x3xf32>, tensor<75x3xf32>) outs(%y : tensor<9x75xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: f32, %o: f32):
    %4 = arith.sitofp %b : i8 to f32
    %3 = arith.subf %4, %d : f32
    %5 = arith.mulf %3, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<9x75xf32>
  %r1 = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x1, %w1, %s, %z : tensor<1x3x8xf32>, tensor<75x3x8xi8>, tensor<75x3xf32>, tensor<75x3xf32>) outs(%y1 : tensor<1x75xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: f32, %o: f32):
    %4 = arith.sitofp %b : i8 to f32
    %3 = arith.subf %4, %d : f32
    %5 = arith.mulf %3, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x75xf32>
  %r2 = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x2, %w2, %s2, %s2 : tensor<1x3x32xf32>, tensor<63x3x32xi8>, tensor<63x3xf32>, tensor<63x3xf32>) outs(%y2 : tensor<1x63xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: f32, %o: f32):
    %4 = arith.sitofp %b : i8 to f32
    %3 = arith.subf %4, %d : f32
    %5 = arith.mulf %3, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x63xf32>
  return %r, %r1, %r2 : tensor<9x75xf32>, tensor<1x75xf32>, tensor<1x63xf32>
}

// -----

#x = affine_map<(n, k) -> (k)>
#w = affine_map<(n, k) -> (n, k)>
#y = affine_map<(n, k) -> (n)>

// A tensor less its means, and integers of 16 bits: the differences may be tiny.

// CHECK-LABEL: func @negative_large_numbers(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @negative_large_numbers(%x: tensor<256xf32>, %w: tensor<64x256xf32>, %m: tensor<64xf32>, %y: tensor<64xf32>,
    %w1: tensor<64x256xi16>) -> (tensor<64xf32>, tensor<64xf32>) {
  %r = linalg.generic {indexing_maps = [#x, #w, #y, #y], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w, %m : tensor<256xf32>, tensor<64x256xf32>, tensor<64xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.subf %b, %c : f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %r1 = linalg.generic {indexing_maps = [#x, #w, #y, #y], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w1, %m : tensor<256xf32>, tensor<64x256xi16>, tensor<64xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %b: i16, %c: f32, %o: f32):
    %3 = arith.sitofp %b : i16 to f32
    %0 = arith.subf %3, %c : f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %r, %r1 : tensor<64xf32>, tensor<64xf32>
}

// -----

#x = affine_map<(n, g, k) -> (g, k)>
#w = affine_map<(n, g, k) -> (n, g, k)>
#s = affine_map<(n, g, k) -> (n, g)>
#p = affine_map<(n, g, k) -> (g, n)>
#y = affine_map<(n, g, k) -> (n)>
#z = affine_map<(g, n, p) -> (g, n)>
#id = affine_map<(g, n, p) -> (g, n, p)>

// Zero points of 1 bit. 112 columns fill the first cache, but do not have whole words.

// CHECK-LABEL: func @tiles_of_words(
// CHECK-DAG:     %[[TILE:.*]] = arith.constant 32 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[TILE]] iter_args
func.func @tiles_of_words(%x: tensor<90x16xf32>, %w: tensor<224x90x16xi8>, %s: tensor<224x90xf32>, %z: tensor<90x7xi32>, %y: tensor<224xf32>) -> tensor<224xf32> {
  %e = tensor.empty() : tensor<90x7x32xi32>
  %u = linalg.generic {indexing_maps = [#z, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z : tensor<90x7xi32>) outs(%e : tensor<90x7x32xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %c1 = arith.constant 1 : i32
    %0 = arith.shrui %a, %j : i32
    %1 = arith.andi %0, %c1 : i32
    linalg.yield %1 : i32
  } -> tensor<90x7x32xi32>
  %p = tensor.collapse_shape %u [[0], [1, 2]] : tensor<90x7x32xi32> into tensor<90x224xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #p, #y], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w, %s, %p : tensor<90x16xf32>, tensor<224x90x16xi8>, tensor<224x90xf32>, tensor<90x224xi32>) outs(%y : tensor<224xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: i32, %o: f32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.subi %0, %d : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<224xf32>
  return %r : tensor<224xf32>
}

// -----

// A value that each of 40 ops uses twice has no offset: each op is looked at once.

#x = affine_map<(n, k) -> (k)>
#w = affine_map<(n, k) -> (n, k)>
#y = affine_map<(n, k) -> (n)>

// CHECK-LABEL: func @negative_powers(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @negative_powers(%x: tensor<96xf32>, %w: tensor<75x96xi8>, %y: tensor<75xf32>) -> tensor<75xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<96xf32>, tensor<75x96xi8>) outs(%y : tensor<75xf32>) {
  ^bb0(%a: f32, %q: i8, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.mulf %6, %6 : f32
    %8 = arith.mulf %7, %7 : f32
    %9 = arith.mulf %8, %8 : f32
    %10 = arith.mulf %9, %9 : f32
    %11 = arith.mulf %10, %10 : f32
    %12 = arith.mulf %11, %11 : f32
    %13 = arith.mulf %12, %12 : f32
    %14 = arith.mulf %13, %13 : f32
    %15 = arith.mulf %14, %14 : f32
    %16 = arith.mulf %15, %15 : f32
    %17 = arith.mulf %16, %16 : f32
    %18 = arith.mulf %17, %17 : f32
    %19 = arith.mulf %18, %18 : f32
    %20 = arith.mulf %19, %19 : f32
    %21 = arith.mulf %20, %20 : f32
    %22 = arith.mulf %21, %21 : f32
    %23 = arith.mulf %22, %22 : f32
    %24 = arith.mulf %23, %23 : f32
    %25 = arith.mulf %24, %24 : f32
    %26 = arith.mulf %25, %25 : f32
    %27 = arith.mulf %26, %26 : f32
    %28 = arith.mulf %27, %27 : f32
    %29 = arith.mulf %28, %28 : f32
    %30 = arith.mulf %29, %29 : f32
    %31 = arith.mulf %30, %30 : f32
    %32 = arith.mulf %31, %31 : f32
    %33 = arith.mulf %32, %32 : f32
    %34 = arith.mulf %33, %33 : f32
    %35 = arith.mulf %34, %34 : f32
    %36 = arith.mulf %35, %35 : f32
    %37 = arith.mulf %36, %36 : f32
    %38 = arith.mulf %37, %37 : f32
    %39 = arith.mulf %38, %38 : f32
    %40 = arith.mulf %39, %39 : f32
    %term = arith.mulf %a, %40 : f32
    %sum = arith.addf %o, %term : f32
    linalg.yield %sum : f32
  } -> tensor<75xf32>
  return %r : tensor<75xf32>
}
