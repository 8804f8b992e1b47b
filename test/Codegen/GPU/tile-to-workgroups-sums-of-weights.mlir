// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='versions-by-m=16,64' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-tile-to-workgroups='versions-by-m=16,64' --split-input-file | FileCheck %s --check-prefix=AMD

// The sums of the weights, which a zero point multiplies, are a second product in the workgroups of the first.

// CHECK-LABEL: func @few_rows
// CHECK-COUNT-1: scf.forall {{.*}} -> (tensor<5x64xi32>)
// CHECK-NOT:     tensor<64xi32>
// CHECK:         return
// AMD-LABEL:   func @few_rows
// AMD:           scf.forall {{.*}} -> (tensor<64xi32>)
// AMD:           scf.forall {{.*}} -> (tensor<5x64xi32>)
func.func @few_rows(%q: tensor<5x640xi8>, %w: tensor<640x64xi8>, %z: tensor<i32>) -> tensor<5x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x64xi32>) -> tensor<5x64xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<5x640xi8>, tensor<640x64xi8>) outs(%f : tensor<5x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x64xi32>
  %es = tensor.empty() : tensor<64xi32>
  %fs = linalg.fill ins(%zero : i32) outs(%es : tensor<64xi32>) -> tensor<64xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<640x64xi8>) outs(%fs : tensor<64xi32>) {
  ^bb0(%b: i8, %o: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.addi %o, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%p, %s, %z : tensor<5x64xi32>, tensor<64xi32>, tensor<i32>) outs(%e : tensor<5x64xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.muli %b, %c : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<5x64xi32>
  return %r : tensor<5x64xi32>
}

// -----

// With more rows, products take most of the time.

// CHECK-LABEL: func @negative_more_rows
// CHECK:         scf.forall {{.*}} -> (tensor<64xi32>)
// CHECK:         scf.forall {{.*}} -> (tensor<17x64xi32>)
func.func @negative_more_rows(%q: tensor<17x640xi8>, %w: tensor<640x64xi8>, %z: tensor<i32>) -> tensor<17x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<17x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<17x64xi32>) -> tensor<17x64xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<17x640xi8>, tensor<640x64xi8>) outs(%f : tensor<17x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<17x64xi32>
  %es = tensor.empty() : tensor<64xi32>
  %fs = linalg.fill ins(%zero : i32) outs(%es : tensor<64xi32>) -> tensor<64xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<640x64xi8>) outs(%fs : tensor<64xi32>) {
  ^bb0(%b: i8, %o: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.addi %o, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%p, %s, %z : tensor<17x64xi32>, tensor<64xi32>, tensor<i32>) outs(%e : tensor<17x64xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.muli %b, %c : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<17x64xi32>
  return %r : tensor<17x64xi32>
}

// -----

// The sums are a result, too.

// CHECK-LABEL: func @negative_returned
// CHECK:         scf.forall {{.*}} -> (tensor<64xi32>)
// CHECK:         scf.forall {{.*}} -> (tensor<5x64xi32>)
func.func @negative_returned(%q: tensor<5x640xi8>, %w: tensor<640x64xi8>, %z: tensor<i32>) -> (tensor<5x64xi32>, tensor<64xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x64xi32>) -> tensor<5x64xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<5x640xi8>, tensor<640x64xi8>) outs(%f : tensor<5x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x64xi32>
  %es = tensor.empty() : tensor<64xi32>
  %fs = linalg.fill ins(%zero : i32) outs(%es : tensor<64xi32>) -> tensor<64xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<640x64xi8>) outs(%fs : tensor<64xi32>) {
  ^bb0(%b: i8, %o: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.addi %o, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%p, %s, %z : tensor<5x64xi32>, tensor<64xi32>, tensor<i32>) outs(%e : tensor<5x64xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.muli %b, %c : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<5x64xi32>
  return %r, %s : tensor<5x64xi32>, tensor<64xi32>
}
