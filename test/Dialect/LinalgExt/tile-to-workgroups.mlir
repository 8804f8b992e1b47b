// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 columns=32 reduction=8 max-row=64' --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-tile-to-workgroups{rows=16 columns=32 reduction=8 max-row=64},canonicalize,cse)' --split-input-file --verify-diagnostics | FileCheck %s

// A contraction is computed with what follows it, and reduced in a loop; its
// prologue is in that loop, and what it accumulates on in front of it.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @matmul
// CHECK:         scf.forall {{.*}} to (50, 70) step (16, 32)
// CHECK:           %[[ZEROS:.*]] = linalg.fill
// CHECK:           %[[C:.*]] = scf.for {{.*}} step %c8 iter_args(%[[ACC:.*]] = %[[ZEROS]])
// CHECK:             linalg.exp
// CHECK:             tensor.extract_slice %[[ACC]]
// CHECK:             linalg.matmul
// CHECK:           linalg.generic {{.*}} ins(%[[C]]
// CHECK:         } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
// CHECK-NOT:     linalg
func.func @matmul(%a: tensor<50x30xf32>, %b: tensor<30x70xf32>, %bias: tensor<70xf32>) -> tensor<50x70xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<50x30xf32>
  %e = tensor.empty() : tensor<50x70xf32>
  %x = linalg.exp ins(%a : tensor<50x30xf32>) outs(%ea : tensor<50x30xf32>) -> tensor<50x30xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %c = linalg.matmul ins(%x, %b : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<50x70xf32>, tensor<70xf32>) outs(%e : tensor<50x70xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<50x70xf32>
  return %r : tensor<50x70xf32>
}

// -----

// Rows that fit into a tile are reduced and used again within it.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @short_rows
// CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT:     scf.forall (

// Longer ones are not: a loop sums them, and they are read once more.

// CHECK-LABEL: func @long_rows
// CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
// CHECK:           scf.for {{.*}} step %c64
// CHECK:             linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         scf.forall {{.*}} to (50, 100) step (16, 32)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
func.func @short_rows(%x: tensor<50x60xf32>, %init: tensor<50xf32>) -> tensor<50x60xf32> {
  %e = tensor.empty() : tensor<50x60xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<50x60xf32>) outs(%init : tensor<50xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<50xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<50x60xf32>, tensor<50xf32>) outs(%e : tensor<50x60xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %d = arith.divf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<50x60xf32>
  return %y : tensor<50x60xf32>
}
func.func @long_rows(%x: tensor<50x100xf32>, %init: tensor<50xf32>) -> tensor<50x100xf32> {
  %e = tensor.empty() : tensor<50x100xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<50x100xf32>) outs(%init : tensor<50xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<50xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<50x100xf32>, tensor<50xf32>) outs(%e : tensor<50x100xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %d = arith.divf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<50x100xf32>
  return %y : tensor<50x100xf32>
}

// -----

// A contraction that another one reads is a kernel of its own.

// CHECK-LABEL: func @chain
// CHECK-COUNT-2: scf.forall (
// CHECK-NOT:     scf.forall (
func.func @chain(%a: tensor<50x30xf32>, %b: tensor<30x20xf32>, %c: tensor<20x40xf32>) -> tensor<50x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<50x20xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<50x20xf32>) -> tensor<50x20xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<50x30xf32>, tensor<30x20xf32>) outs(%z0 : tensor<50x20xf32>) -> tensor<50x20xf32>
  %e1 = tensor.empty() : tensor<50x40xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<50x40xf32>) -> tensor<50x40xf32>
  %r = linalg.matmul ins(%ab, %c : tensor<50x20xf32>, tensor<20x40xf32>) outs(%z1 : tensor<50x40xf32>) -> tensor<50x40xf32>
  return %r : tensor<50x40xf32>
}

// -----

// What has no parallel dimension has one workgroup.

// CHECK-LABEL: func @scalar
// CHECK:         scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] = %arg1)
// CHECK:           %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[O]]
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:             linalg.reduce
func.func @scalar(%x: tensor<100xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<100xf32>) outs(%zeros : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
