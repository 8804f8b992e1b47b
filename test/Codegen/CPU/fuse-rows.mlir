// Ops that read the same rows become one loop over blocks of rows.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse=steps=rows | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="steps=rows report=all" \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: mlir-opt --load-dialect-plugin=%plugin %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-fuse{steps=rows})' | FileCheck %s
// RUN: not linalg-ext-opt %s -split-input-file --linalg-ext-fuse="steps=rows target=gpu" \
// RUN:   2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not linalg-ext-opt %s -split-input-file --linalg-ext-fuse=steps=columns \
// RUN:   2>&1 | FileCheck %s --check-prefix=NAMES

// TARGET: error: expected 'rows' in 'steps' only with target=cpu, got target=gpu
// NAMES: error: {{.*}}'steps'{{.*}}columns

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#k = affine_map<(m, k) -> (k)>

// The log-sum-exp of rows: one loop, 32 rows of 4 KiB at a time; no tensor of all
// exponentials.

// CHECK-LABEL: func @log_sum_exp
// CHECK:         scf.forall (%[[ROW:.*]]) = (0) to (512) step ([[STEP:[0-9]+]])
// CHECK:           tensor.extract_slice %{{.*}}[%[[ROW]], 0] {{\[}}[[STEP]], 1024] [1, 1]
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK:           math.log
// CHECK:           tensor.parallel_insert_slice
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @log_sum_exp(%x: tensor<512x1024xf32>) -> tensor<512xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %m = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<512x1024xf32>) outs(%m0 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %d = arith.maximumf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<512xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %l = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<512x1024xf32>, tensor<512xf32>) outs(%l0 : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    %p = math.exp %s : f32
    %d = arith.addf %p, %c : f32
    linalg.yield %d : f32
  } -> tensor<512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%l, %m : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %g = math.log %a : f32
    %d = arith.addf %g, %b : f32
    linalg.yield %d : f32
  } -> tensor<512xf32>
  return %r : tensor<512xf32>
}

// -----

// The loop yields what others need: the norms of dynamic rows.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// CHECK-LABEL: func @yields_dynamic
// CHECK:         %[[R:.*]]:2 = scf.forall
// CHECK:           linalg.generic
// CHECK:           linalg.generic
// CHECK:           tensor.parallel_insert_slice
// CHECK:           tensor.parallel_insert_slice
// CHECK:         return %[[R]]#{{[01]}}, %[[R]]#{{[01]}}
func.func @yields_dynamic(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %re: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %l = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %b = arith.mulf %a, %a : f32
    %d = arith.addf %b, %c : f32
    linalg.yield %d : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %l : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<?x?xf32>
  return %y, %l : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// A row of 4 MiB is in no cache: a loop over pieces carries the maximum and the sum.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// CHECK-LABEL: func @long_rows
// CHECK:         scf.forall (%{{.*}}) in (8)
// CHECK:           scf.for
// CHECK:             arith.maximumf
// CHECK:             math.exp
// CHECK:             scf.yield
// CHECK-NOT:     scf.for %
// CHECK:         return
func.func @long_rows(%x: tensor<8x1048576xf32>) -> tensor<8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x1048576xf32>) outs(%m0 : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %d = arith.maximumf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<8x1048576xf32>, tensor<8xf32>) outs(%l0 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    %p = math.exp %s : f32
    %d = arith.addf %p, %c : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %l : tensor<8xf32>
}

// -----

// The columns of a matrix are not next to each other.

#mk = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// SAID: remark: no loop over rows: the elements of a row are not next to each other
// CHECK-LABEL: func @negative_columns
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_columns(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1024xf32>
  %re = tensor.empty() : tensor<1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<1024xf32>) -> tensor<1024xf32>
  %l = linalg.generic {indexing_maps = [#mk, #k], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<512x1024xf32>) outs(%z : tensor<1024xf32>) {
  ^bb0(%a: f32, %c: f32):
    %d = arith.addf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#mk, #k, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %l : tensor<512x1024xf32>, tensor<1024xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x1024xf32>
  return %y : tensor<512x1024xf32>
}

// -----

// A sum and a function of it: one loop would move as many bytes.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// SAID: remark: no loop over rows: one loop over rows would move {{[0-9]+}} bytes, the ops move {{[0-9]+}}
// CHECK-LABEL: func @negative_sum
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_sum(%x: tensor<512x1024xf32>) -> tensor<512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %l = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<512x1024xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %d = arith.addf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<512xf32>
  %y = linalg.sqrt ins(%l : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}
