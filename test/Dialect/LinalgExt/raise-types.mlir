// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Element types: softmax in f32 of narrower scores, with near misses.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @f16_through_f32(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf16>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf16>)
// CHECK-SAME: tensor<3x4xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NOT: extf
// CHECK-NOT: truncf
// f16 in, f32 inside, f16 out: the op keeps an f32 state itself.
func.func @f16_through_f32(%h: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %x = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x4xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %s = arith.extf %a : f16 to f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}

// CHECK-LABEL: func @f16_through_f32_to_bf16(
// CHECK: %[[UP:.+]] = linalg.generic
// CHECK: arith.extf
// CHECK: linalg_ext.softmax dimension(1) ins(%[[UP]] : tensor<3x4xf32>)
// CHECK: arith.truncf
// CHECK-NOT: exp
// Another type at the end: the softmax is the f32 part.
func.func @f16_through_f32_to_bf16(%h: tensor<3x4xf16>) -> tensor<3x4xbf16> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xbf16>
  %x = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x4xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %s = arith.extf %a : f16 to f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %s = arith.truncf %a : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<3x4xbf16>
  return %z : tensor<3x4xbf16>
}

// CHECK-LABEL: func @f16_extended_only(
// CHECK: %[[UP:.+]] = linalg.generic
// CHECK: arith.extf
// CHECK: linalg_ext.softmax dimension(1) ins(%[[UP]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @f16_extended_only(%h: tensor<3x4xf16>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %x = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x4xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %s = arith.extf %a : f16 to f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @f16_rounded_only(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK: arith.truncf
// CHECK-NOT: exp
func.func @f16_rounded_only(%x: tensor<3x4xf32>) -> tensor<3x4xf16> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}

// CHECK-LABEL: func @f16_rounded_and_used(
// CHECK: linalg_ext.softmax dimension(1) ins(%{{.+}} : tensor<3x4xf32>)
// CHECK: arith.truncf
// CHECK-NOT: linalg_ext.softmax
// The f32 result has another user.
func.func @f16_rounded_and_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf16>, tensor<3x4xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %z, %y : tensor<3x4xf16>, tensor<3x4xf32>
}

// CHECK-LABEL: func @f16_casts_fused(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf16>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf16>)
// CHECK-SAME: tensor<3x4xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NOT: extf
// CHECK-NOT: truncf
func.func @f16_casts_fused(%h: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<3x4xf16>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f16, %acc: f32):
    %w = arith.extf %v : f16 to f32
    %s = arith.maximumf %w, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h, %m : tensor<3x4xf16>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %b: f32, %o: f32):
    %w = arith.extf %a : f16 to f32
    %s = arith.subf %w, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %s = arith.divf %a, %b : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}

// CHECK-LABEL: func @f16_extensions_fused(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf16>)
// CHECK: %[[UP:.+]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: arith.extf
// CHECK: linalg_ext.softmax dimension(1) ins(%[[UP]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// No tensor holds the f32 scores: one is computed.
func.func @f16_extensions_fused(%h: tensor<3x4xf16>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<3x4xf16>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f16, %acc: f32):
    %w = arith.extf %v : f16 to f32
    %s = arith.maximumf %w, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h, %m : tensor<3x4xf16>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %b: f32, %o: f32):
    %w = arith.extf %a : f16 to f32
    %s = arith.subf %w, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @f16_max_before_extension(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf16>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf16>)
// CHECK-SAME: tensor<3x4xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NOT: extf
// CHECK-NOT: truncf
// The maximum is taken in f16.
func.func @f16_max_before_extension(%h: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %ninf16 = arith.constant 0xFC00 : f16
  %row16 = tensor.empty() : tensor<3xf16>
  %m016 = linalg.fill ins(%ninf16 : f16) outs(%row16 : tensor<3xf16>) -> tensor<3xf16>
  %m = linalg.reduce { arith.maximumf } ins(%h : tensor<3x4xf16>) outs(%m016 : tensor<3xf16>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h, %m : tensor<3x4xf16>, tensor<3xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    %v = arith.extf %b : f16 to f32
    %s = arith.subf %w, %v : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %s = arith.divf %a, %b : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}

// CHECK-LABEL: func @negative_f16_max_of_rounded(
// CHECK-NOT: linalg_ext.softmax
// The maximum is that of rounded scores.
func.func @negative_f16_max_of_rounded(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %h = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  %ninf16 = arith.constant 0xFC00 : f16
  %row16 = tensor.empty() : tensor<3xf16>
  %m016 = linalg.fill ins(%ninf16 : f16) outs(%row16 : tensor<3xf16>) -> tensor<3xf16>
  %m = linalg.reduce { arith.maximumf } ins(%h : tensor<3x4xf16>) outs(%m016 : tensor<3xf16>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %v = arith.extf %b : f16 to f32
    %s = arith.subf %a, %v : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @f16_exp2(
// CHECK: arith.extf
// CHECK: arith.mulf %{{.+}} : f32
// CHECK: linalg_ext.softmax dimension(1) ins(%{{.+}} : tensor<3x4xf32>)
// CHECK: arith.truncf
// CHECK-NOT: exp
// Scaled by ln(2) in f32, where it rounds least.
func.func @f16_exp2(%x: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %ninf = arith.constant 0xFC00 : f16
  %zero = arith.constant 0.000000e+00 : f16
  %row = tensor.empty() : tensor<3xf16>
  %full = tensor.empty() : tensor<3x4xf16>
  %m0 = linalg.fill ins(%ninf : f16) outs(%row : tensor<3xf16>) -> tensor<3xf16>
  %l0 = linalg.fill ins(%zero : f16) outs(%row : tensor<3xf16>) -> tensor<3xf16>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf16>) outs(%m0 : tensor<3xf16>) {
  ^bb0(%v: f16, %acc: f16):
    %s = arith.maximumf %v, %acc : f16
    linalg.yield %s : f16
  } -> tensor<3xf16>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf16>, tensor<3xf16>) outs(%full : tensor<3x4xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.subf %a, %b : f16
    %t = math.exp2 %s : f16
    linalg.yield %t : f16
  } -> tensor<3x4xf16>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf16>) outs(%l0 : tensor<3xf16>) {
  ^bb0(%v: f16, %acc: f16):
    %s = arith.addf %v, %acc : f16
    linalg.yield %s : f16
  } -> tensor<3xf16>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf16>, tensor<3xf16>) outs(%full : tensor<3x4xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.divf %a, %b : f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %y : tensor<3x4xf16>
}

// CHECK-LABEL: func @f16_through_f32_from_lowest_f16(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf16>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf16>)
// CHECK-SAME: tensor<3x4xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NOT: extf
// CHECK-NOT: truncf
// No f16 is below -65504.
func.func @f16_through_f32_from_lowest_f16(%h: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %low = arith.constant -6.550400e+04 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %x = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x4xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %s = arith.extf %a : f16 to f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}

// CHECK-LABEL: func @negative_f32_from_lowest_f16(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_f32_from_lowest_f16(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %low = arith.constant -6.550400e+04 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @f16_rounded_down(
// CHECK: arith.extf
// CHECK: linalg_ext.softmax dimension(1) ins(%{{.+}} : tensor<3x4xf32>)
// CHECK: arith.truncf %{{.+}} downward
// CHECK-NOT: exp
// The op rounds to nearest: the softmax is the f32 part.
func.func @f16_rounded_down(%h: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %narrow = tensor.empty() : tensor<3x4xf16>
  %x = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x4xf16>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %s = arith.extf %a : f16 to f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xf32>) outs(%narrow : tensor<3x4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a downward : f32 to f16
    linalg.yield %s : f16
  } -> tensor<3x4xf16>
  return %z : tensor<3x4xf16>
}
