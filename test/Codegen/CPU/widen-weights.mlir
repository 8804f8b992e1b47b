// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands=steps=weights | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --split-input-file --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx512}, linalg-ext-prepare-operands{steps=weights})' | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=sapphirerapids --linalg-ext-prepare-operands=steps=weights | FileCheck %s --check-prefix=DOT
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands='steps=weights excess-precision=false' > %t
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 | diff - %t

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#y = affine_map<(m, n, g, k) -> (m, n)>
#all = affine_map<(n, g, k) -> (n, g, k)>
#of = affine_map<(n, g, k) -> (n, g)>

// Weights in groups: dequantized to f32 without a rounding. The rows are extended in front.

// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x3x32xf16>
// CHECK:         %[[D:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<75x3x32xf32>)
// CHECK-NEXT:    ^bb0(%[[Q:.*]]: i8, %[[S:.*]]: f16, %{{.*}}: f32):
// CHECK-DAG:       %[[F:.*]] = arith.sitofp %[[Q]] : i8 to f32
// CHECK-DAG:       %[[SCALE:.*]] = arith.extf %[[S]] : f16 to f32
// CHECK:           %[[P:.*]] = arith.mulf %[[F]], %[[SCALE]] : f32
// CHECK-NEXT:      linalg.yield %[[P]]
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK:           arith.extf
// CHECK:         linalg.generic {{.*}} ins(%[[ROWS]], %[[D]] : tensor<?x3x32xf32>, tensor<75x3x32xf32>)
// CHECK-NOT:       arith.extf
// CHECK:         return
// DOT-LABEL:   func @groups(
// DOT:           outs(%{{.*}} : tensor<75x3x32xf32>)
func.func @groups(%x: tensor<?x3x32xf16>, %w: tensor<75x3x32xi8>, %s: tensor<75x3xf16>, %y: tensor<?x75xf32>) -> tensor<?x75xf32> {
  %e = tensor.empty() : tensor<75x3x32xf16>
  %d = linalg.generic {indexing_maps = [#all, #of, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %s : tensor<75x3x32xi8>, tensor<75x3xf16>) outs(%e : tensor<75x3x32xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<75x3x32xf16>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %d : tensor<?x3x32xf16>, tensor<75x3x32xf16>) outs(%y : tensor<?x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x75xf32>
  return %r : tensor<?x75xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(n, k) -> (n, k)>

// Pairs of bf16 along one sum are multiplied as they are, where an instruction does.

// CHECK-LABEL: func @one_sum(
// CHECK:         outs(%{{.*}} : tensor<75x64xf32>)
// DOT-LABEL:   func @one_sum(
// DOT-NOT:       xf32>) {
// DOT:           outs(%{{.*}} : tensor<75x64xbf16>)
func.func @one_sum(%x: tensor<16x64xbf16>, %w: tensor<75x64xi8>, %y: tensor<16x75xf32>) -> tensor<16x75xf32> {
  %e = tensor.empty() : tensor<75x64xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<75x64xi8>) outs(%e : tensor<75x64xbf16>) {
  ^bb0(%a: i8, %o: bf16):
    %0 = arith.sitofp %a : i8 to bf16
    linalg.yield %0 : bf16
  } -> tensor<75x64xbf16>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %d : tensor<16x64xbf16>, tensor<75x64xbf16>) outs(%y : tensor<16x75xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x75xf32>
  return %r : tensor<16x75xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(n, k) -> (n, k)>

// Weights that another op reads, too, and numbers of 16 bits that are not dequantized.

// CHECK-LABEL: func @negative(
// CHECK-NOT:     -> tensor<75x64xf32>
// CHECK:         return
func.func @negative(%x: tensor<16x64xf16>, %w: tensor<75x64xi8>, %h: tensor<75x64xf16>, %y: tensor<16x75xf32>) -> (tensor<16x75xf32>, tensor<16x75xf32>, tensor<75x64xf16>) {
  %e = tensor.empty() : tensor<75x64xf16>
  %d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<75x64xi8>) outs(%e : tensor<75x64xf16>) {
  ^bb0(%a: i8, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    linalg.yield %0 : f16
  } -> tensor<75x64xf16>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<75x64xf16>) outs(%e : tensor<75x64xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = arith.addf %a, %a : f16
    linalg.yield %0 : f16
  } -> tensor<75x64xf16>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %d : tensor<16x64xf16>, tensor<75x64xf16>) outs(%y : tensor<16x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x75xf32>
  %r1 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %n : tensor<16x64xf16>, tensor<75x64xf16>) outs(%y : tensor<16x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x75xf32>
  return %r, %r1, %d : tensor<16x75xf32>, tensor<16x75xf32>, tensor<75x64xf16>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(n, k) -> (n, k)>

// Wide weights have the encoding of those before.

// CHECK-LABEL: func @encoding(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<75x64xf32, "e">
// CHECK:         linalg.generic {{.*}} outs(%[[E]] : tensor<75x64xf32, "e">)
func.func @encoding(%x: tensor<16x64xf16>, %w: tensor<75x64xi8>, %y: tensor<16x75xf32>) -> tensor<16x75xf32> {
  %e = tensor.empty() : tensor<75x64xf16, "e">
  %d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<75x64xi8>) outs(%e : tensor<75x64xf16, "e">) {
  ^bb0(%a: i8, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    linalg.yield %0 : f16
  } -> tensor<75x64xf16, "e">
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %d : tensor<16x64xf16>, tensor<75x64xf16, "e">) outs(%y : tensor<16x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x75xf32>
  return %r : tensor<16x75xf32>
}
