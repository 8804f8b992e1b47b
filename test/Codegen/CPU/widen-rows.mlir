// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands=steps=widen | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands='steps=widen excess-precision=false' | FileCheck %s --check-prefix=ROUNDED
// RUN: mlir-opt --load-pass-plugin=%plugin %s --split-input-file --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx512}, linalg-ext-prepare-operands{steps=widen})' | FileCheck %s
// Pairs of bf16 are multiplied as they are, bytes are not.
// RUN: sed 's/f16/bf16/g' %s | linalg-ext-opt --split-input-file --linalg-ext-attach-target=chip=avx512bf16 --linalg-ext-prepare-operands=steps=widen | FileCheck %s --check-prefix=DOT

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>

// Queries are converted in front of the loop over keys.

// CHECK-LABEL: func @queries(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<4x64xf16>
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<4x64xf16>) outs(%{{.*}} : tensor<4x64xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f16, %{{.*}}: f32):
// CHECK-NEXT:      %[[EXT:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT:      linalg.yield %[[EXT]]
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} ins(%[[WIDE]], %{{.*}} : tensor<4x64xf32>, tensor<128x64xf16>)
// CHECK-NEXT:      ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f16, %{{.*}}: f32):
// CHECK-NEXT:        %[[BF:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK-NEXT:        arith.mulf %[[A]], %[[BF]] : f32
// DOT-LABEL:   func @queries(
// DOT-NOT:       tensor<4x64xf32>
// DOT:           return
func.func @queries(%q: tensor<4x64xf16>, %k: tensor<?x64xf16>, %s: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %s) -> tensor<4x?xf32> {
    %kt = tensor.extract_slice %k[%i, 0] [128, 64] [1, 1] : tensor<?x64xf16> to tensor<128x64xf16>
    %st = tensor.extract_slice %acc[0, %i] [4, 128] [1, 1] : tensor<4x?xf32> to tensor<4x128xf32>
    %t = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %kt : tensor<4x64xf16>, tensor<128x64xf16>) outs(%st : tensor<4x128xf32>) {
    ^bb0(%a: f16, %b: f16, %o: f32):
      %0 = arith.extf %a : f16 to f32
      %1 = arith.extf %b : f16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %o, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<4x128xf32>
    %in = tensor.insert_slice %t into %acc[0, %i] [4, 128] [1, 1] : tensor<4x128xf32> into tensor<4x?xf32>
    scf.yield %in : tensor<4x?xf32>
  }
  return %r : tensor<4x?xf32>
}

// -----

// Weights of the softmax are rounded to f16, and extended by the op that rounds them; values
// are bytes.

// CHECK-LABEL: func @weights(
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x?xf32>) outs(%{{.*}} : tensor<4x?xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[NARROW:.*]] = arith.truncf %[[IN]] : f32 to f16
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[NARROW]] : f16 to f32
// CHECK-NEXT:      linalg.yield %[[WIDE]]
// CHECK-NOT:     xf16>
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<4x?xf32>, tensor<?x64xi8>)
// DOT-LABEL:   func @weights(
// DOT:           linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x?xf32>, tensor<?x64xi8>)
func.func @weights(%p: tensor<4x?xf32>, %v: tensor<?x64xi8>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %p, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<4x?xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4x?xf32>) outs(%e : tensor<4x?xf16>) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x?xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, d, n) -> (m, n)>, affine_map<(m, d, n) -> (n, d)>, affine_map<(m, d, n) -> (m, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %v : tensor<4x?xf16>, tensor<?x64xi8>) outs(%y : tensor<4x64xf32>) {
  ^bb0(%a: f16, %b: i8, %o: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>

// Many rows have panels; of few columns, each element is used a few times; a row that is
// used as it is, too.

// CHECK-LABEL: func @negative_rows(
// CHECK-NOT:     outs({{.*}}x64xf32>)
func.func @negative_rows(%q: tensor<9x64xf16>, %k: tensor<128x64xf16>, %s: tensor<9x128xf32>) -> tensor<9x128xf32> {
  %r = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<9x64xf16>, tensor<128x64xf16>) outs(%s : tensor<9x128xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<9x128xf32>
  return %r : tensor<9x128xf32>
}

// CHECK-LABEL: func @negative_columns(
// CHECK-NOT:     outs({{.*}}x64xf32>)
func.func @negative_columns(%q: tensor<4x64xf16>, %k: tensor<15x64xf16>, %s: tensor<4x15xf32>) -> tensor<4x15xf32> {
  %r = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x64xf16>, tensor<15x64xf16>) outs(%s : tensor<4x15xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x15xf32>
  return %r : tensor<4x15xf32>
}

// CHECK-LABEL: func @negative_used_narrow(
// CHECK-NOT:     outs({{.*}}x64xf32>)
// CHECK:         return
func.func @negative_used_narrow(%q: tensor<4x64xf16>, %k: tensor<128x64xf16>, %s: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %r = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x64xf16>, tensor<128x64xf16>) outs(%s : tensor<4x128xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.mulf %a, %b : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x128xf32>
  return %r : tensor<4x128xf32>
}

// -----

// What is dequantized in f16 is computed in f32, without roundings; a rounding of other numbers stays.

// CHECK-LABEL: func @dequantized(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[Q:.*]]: i8, %[[S:.*]]: f16, %[[F:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-DAG:       %[[SF:.*]] = arith.extf %[[S]] : f16 to f32
// CHECK-DAG:       %[[QF:.*]] = arith.sitofp %[[Q]] : i8 to f32
// CHECK-DAG:       %[[P:.*]] = arith.mulf %[[QF]], %[[SF]] : f32
// CHECK-DAG:       %[[FT:.*]] = arith.truncf %[[F]] : f32 to f16
// CHECK-DAG:       %[[FE:.*]] = arith.extf %[[FT]] : f16 to f32
// CHECK:           arith.mulf %[[P]], %[[FE]] : f32

// ROUNDED-LABEL: func @dequantized(
// ROUNDED:         arith.sitofp %{{.*}} : i8 to f16
// ROUNDED-NEXT:    arith.mulf %{{.*}} : f16
// ROUNDED-NEXT:    arith.extf
func.func @dequantized(%x: tensor<2x64xf32>, %w: tensor<32x64xi8>, %s: tensor<32xf16>, %f: tensor<64xf32>, %y: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s, %f : tensor<2x64xf32>, tensor<32x64xi8>, tensor<32xf16>, tensor<64xf32>) outs(%y : tensor<2x32xf32>) {
  ^bb0(%a: f32, %q: i8, %c: f16, %d: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f16
    %1 = arith.mulf %0, %c : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.truncf %d : f32 to f16
    %4 = arith.extf %3 : f16 to f32
    %5 = arith.mulf %2, %4 : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x32xf32>
  return %r : tensor<2x32xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// A quotient in f16, which a comparison reads as well, stays.

// CHECK-LABEL: func @negative_quotient(
// CHECK:         %[[D:.*]] = arith.divf %{{.*}}, %{{.*}} : f16
// CHECK:         %[[W:.*]] = arith.select %{{.*}}, %[[D]], %{{.*}} : f16
// CHECK:         arith.extf %[[W]] : f16 to f32
func.func @negative_quotient(%x: tensor<2x64xf32>, %w: tensor<32x64xi8>, %y: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x64xf32>, tensor<32x64xi8>) outs(%y : tensor<2x32xf32>) {
  ^bb0(%a: f32, %q: i8, %o: f32):
    %seven = arith.constant 7.0 : f16
    %zero = arith.constant 0.0 : f16
    %0 = arith.sitofp %q : i8 to f16
    %1 = arith.divf %0, %seven : f16
    %2 = arith.cmpf ogt, %1, %zero : f16
    %3 = arith.select %2, %1, %zero : f16
    %4 = arith.extf %3 : f16 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %o, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<2x32xf32>
  return %r : tensor<2x32xf32>
}
