// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Parts of the chain that have other users.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#keep = affine_map<(d0, d1) -> (d0, 0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swapped = affine_map<(d0, d1, d2) -> (d1, d0)>

// CHECK-LABEL: func @max_and_sum_used(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0, %[[Y]]#1, %[[Y]]#2
// The state of the op serves the users of maximum and sum.
func.func @max_and_sum_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
  return %y, %m, %l : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func @keepdim_max_and_sum_used(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-DAG: %[[M:.+]] = tensor.expand_shape %[[Y]]#1
// CHECK-DAG: %[[L:.+]] = tensor.expand_shape %[[Y]]#2
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0, %[[M]], %[[L]]
func.func @keepdim_max_and_sum_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x1xf32>, tensor<3x1xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3x1xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %m = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y, %m, %l : tensor<3x4xf32>, tensor<3x1xf32>, tensor<3x1xf32>
}

// CHECK-LABEL: func @max_used_before_sum(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>,
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: tensor.insert_slice %[[Y]]#1
func.func @max_used_before_sum(%x: tensor<3x4xf32>, %other: tensor<9xf32>) -> (tensor<3x4xf32>, tensor<9xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %lse = tensor.insert_slice %m into %other[0] [3] [1] : tensor<3xf32> into tensor<9xf32>
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
  return %y, %lse : tensor<3x4xf32>, tensor<9xf32>
}

// CHECK-LABEL: func @maxnum_used(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: %[[M:.+]] = linalg.generic
// CHECK: arith.maxnumf
// CHECK-NOT: exp
// CHECK: return %[[Y]]#0, %[[M]]
// maxnumf drops NaN and the op's maximum does not: the old one stays.
func.func @maxnum_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maxnumf %v, %acc : f32
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
  return %y, %m : tensor<3x4xf32>, tensor<3xf32>
}

// CHECK-LABEL: func @f16_max_used(
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1)
// CHECK: %[[M:.+]] = linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: exp
// CHECK: return %[[Y]]#0, %[[M]]
// The op's state is f32.
func.func @f16_max_used(%x: tensor<3x4xf16>) -> (tensor<3x4xf16>, tensor<3xf16>) {
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
    %t = math.exp %s : f16
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
  return %y, %m : tensor<3x4xf16>, tensor<3xf16>
}

// CHECK-LABEL: func @scaled_max_used(
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1)
// CHECK: %[[M:.+]] = linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: exp
// CHECK: return %[[Y]]#0, %[[M]], %[[Y]]#2
// The op's maximum is that of the scaled scores.
func.func @scaled_max_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
    %t = math.exp2 %s : f32
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
  return %y, %m, %l : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func @exp_used(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: %[[E:.+]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]]#1 :
// CHECK: math.exp
// CHECK: return %[[Y]]#0, %[[E]]
// The exponentials have another user and stay; they take the maximum from the
// op.
func.func @exp_used(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
  return %y, %e : tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func @transposed_max_used(
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(2)
// CHECK: %[[M:.+]] = linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: exp
// CHECK: return %[[Y]]#0, %[[M]]
// Of the type of the state, but transposed.
func.func @transposed_max_used(%x: tensor<3x3x4xf32>) -> (tensor<3x3x4xf32>, tensor<3x3xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3x3xf32>
  %full = tensor.empty() : tensor<3x3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3x3xf32>) -> tensor<3x3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3x3xf32>) -> tensor<3x3xf32>
  %m = linalg.generic {indexing_maps = [#id3, #swapped],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x3x4xf32>) outs(%m0 : tensor<3x3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  %e = linalg.generic {indexing_maps = [#id3, #swapped, #id3],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<3x3x4xf32>, tensor<3x3xf32>) outs(%full : tensor<3x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x3x4xf32>
  %l = linalg.generic {indexing_maps = [#id3, #swapped],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<3x3x4xf32>) outs(%l0 : tensor<3x3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  %y = linalg.generic {indexing_maps = [#id3, #swapped, #id3],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %l : tensor<3x3x4xf32>, tensor<3x3xf32>) outs(%full : tensor<3x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x3x4xf32>
  return %y, %m : tensor<3x3x4xf32>, tensor<3x3xf32>
}
