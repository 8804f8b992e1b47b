// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups --split-input-file | FileCheck %s

// SiLU of what is in memory is an operand of a product. Each workgroup for other columns would
// compute it again, so a kernel in front does.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(m, k) -> (m, k)>

// CHECK-LABEL: func @function_of_elements(
// CHECK:         scf.forall
// CHECK:           math.exp
// CHECK:         scf.forall.in_parallel
// CHECK:         scf.forall
// CHECK-NOT:       math.exp
// CHECK:           linalg.contract
// CHECK:         return
func.func @function_of_elements(%x: tensor<300x768xf16>, %w: tensor<768x768xf16>) -> tensor<300x768xf32> {
  %one = arith.constant 1.0 : f16
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<300x768xf16>
  %y = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<300x768xf16>) outs(%a : tensor<300x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.negf %in : f16
    %1 = math.exp %0 : f16
    %2 = arith.addf %1, %one : f16
    %3 = arith.divf %in, %2 : f16
    linalg.yield %3 : f16
  } -> tensor<300x768xf16>
  %b = tensor.empty() : tensor<300x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%b : tensor<300x768xf32>) -> tensor<300x768xf32>
  %r = linalg.contract indexing_maps = [#x, #w, #o] ins(%y, %w : tensor<300x768xf16>, tensor<768x768xf16>) outs(%z : tensor<300x768xf32>) -> tensor<300x768xf32>
  return %r : tensor<300x768xf32>
}

// -----

// One tile of columns computes each element once.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(m, k) -> (m, k)>

// CHECK-LABEL: func @negative_one_tile(
// CHECK:         scf.forall
// CHECK:           math.exp
// CHECK:           linalg.contract
// CHECK:         scf.forall.in_parallel
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_one_tile(%x: tensor<300x768xf16>, %w: tensor<16x768xf16>) -> tensor<300x16xf32> {
  %one = arith.constant 1.0 : f16
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<300x768xf16>
  %y = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<300x768xf16>) outs(%a : tensor<300x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.negf %in : f16
    %1 = math.exp %0 : f16
    %2 = arith.addf %1, %one : f16
    %3 = arith.divf %in, %2 : f16
    linalg.yield %3 : f16
  } -> tensor<300x768xf16>
  %b = tensor.empty() : tensor<300x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%b : tensor<300x16xf32>) -> tensor<300x16xf32>
  %r = linalg.contract indexing_maps = [#x, #w, #o] ins(%y, %w : tensor<300x768xf16>, tensor<16x768xf16>) outs(%z : tensor<300x16xf32>) -> tensor<300x16xf32>
  return %r : tensor<300x16xf32>
}

// -----

// The function is of a row, and only a product is of an element.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(m, k) -> (m, k)>
#s = affine_map<(m, k) -> (m)>

// CHECK-LABEL: func @negative_function_of_rows(
// CHECK:         scf.forall
// CHECK:           math.rsqrt
// CHECK:           linalg.contract
// CHECK:         scf.forall.in_parallel
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_function_of_rows(%x: tensor<300x768xf16>, %s: tensor<300xf16>, %w: tensor<768x768xf16>) -> tensor<300x768xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<300x768xf16>
  %y = linalg.generic {indexing_maps = [#e, #s, #e], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<300x768xf16>, tensor<300xf16>) outs(%a : tensor<300x768xf16>) {
  ^bb0(%in: f16, %sum: f16, %out: f16):
    %0 = math.rsqrt %sum : f16
    %1 = arith.mulf %in, %0 : f16
    linalg.yield %1 : f16
  } -> tensor<300x768xf16>
  %b = tensor.empty() : tensor<300x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%b : tensor<300x768xf32>) -> tensor<300x768xf32>
  %r = linalg.contract indexing_maps = [#x, #w, #o] ins(%y, %w : tensor<300x768xf16>, tensor<768x768xf16>) outs(%z : tensor<300x768xf32>) -> tensor<300x768xf32>
  return %r : tensor<300x768xf32>
}
