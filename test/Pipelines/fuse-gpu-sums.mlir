// RUN: linalg-ext-opt %s --linalg-ext-fuse=target=gpu | FileCheck %s
// RUN: linalg-ext-check-program %s --sizes=53x37,- --targets=gpu --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --sizes=53x37,- --max-kernels=1 --gpu-options=chip=gfx942

// Sums of f16 and bf16 are computed in f32, and rounded once. Factors are multiplied in f32.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @squares
// CHECK:       linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK:         ^bb0(%[[A:.+]]: f16, %[[O:.+]]: f32):
// CHECK-DAG:     %[[X:.+]] = arith.extf %[[A]] : f16 to f32
// CHECK:         %[[P:.+]] = arith.mulf %{{.+}}, %{{.+}} : f32
// CHECK:         arith.addf %[[P]], %[[O]] : f32
// CHECK:       arith.truncf %{{.+}} : f32 to f16
func.func @squares(%x: tensor<37x301xf16>) -> tensor<37xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<37xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<37xf16>) -> tensor<37xf16>
  %y = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x301xf16>) outs(%f : tensor<37xf16>) {
  ^bb0(%a: f16, %o: f16):
    %p = arith.mulf %a, %a : f16
    %s = arith.addf %p, %o : f16
    linalg.yield %s : f16
  } -> tensor<37xf16>
  return %y : tensor<37xf16>
}

// CHECK-LABEL: func @columns
// CHECK:       linalg.generic {{.*}}"reduction"
// CHECK:         ^bb0(%[[A:.+]]: bf16, %[[O:.+]]: f32):
// CHECK:         %[[X:.+]] = arith.extf %{{.+}} : bf16 to f32
// CHECK:         arith.addf %[[X]], %[[O]] : f32
// CHECK:       arith.truncf %{{.+}} : f32 to bf16
func.func @columns(%x: tensor<?x37xbf16>, %init: tensor<37xbf16>) -> tensor<37xbf16> {
  %y = linalg.generic {indexing_maps = [#m, affine_map<(a, b) -> (b)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<?x37xbf16>) outs(%init : tensor<37xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %p = math.absf %a : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<37xbf16>
  return %y : tensor<37xbf16>
}

// A maximum is not rounded.

// CHECK-LABEL: func @negative_maximum
// CHECK-NOT:   f32
// CHECK:       return
func.func @negative_maximum(%x: tensor<37x301xf16>) -> tensor<37xf16> {
  %low = arith.constant 0xFC00 : f16
  %e = tensor.empty() : tensor<37xf16>
  %f = linalg.fill ins(%low : f16) outs(%e : tensor<37xf16>) -> tensor<37xf16>
  %y = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x301xf16>) outs(%f : tensor<37xf16>) {
  ^bb0(%a: f16, %o: f16):
    %s = arith.maximumf %a, %o : f16
    linalg.yield %s : f16
  } -> tensor<37xf16>
  return %y : tensor<37xf16>
}
