// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async,roles,persistent,exchange' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async,roles,persistent' --split-input-file | FileCheck %s --check-prefix=NEVER
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=async,exchange-always rows=40 columns=64 reduction=32' --split-input-file | FileCheck %s --check-prefix=ALWAYS

// 300 rows are three tiles of 104, not five of 64, if they are columns of instructions.

// CHECK-LABEL: func @rows
//       CHECK: scf.forall {{.*}} step (104, 128)
//       CHECK: vector_ext.kernel = {exchange = 104 : i64, groups = 2 : i64, {{.*}}way = "roles"}
// NEVER-LABEL: func @rows
//   NEVER-NOT: exchange
// ALWAYS-LABEL: func @rows
//       ALWAYS: scf.forall {{.*}} step (40, 64)
//       ALWAYS: vector_ext.kernel = {exchange = 40 : i64, {{.*}}way = "async"}
func.func @rows(%a: tensor<300x5120xf16>, %b: tensor<5120x5120xf16>, %c: tensor<300x5120xf32>) -> tensor<300x5120xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<300x5120xf16>, tensor<5120x5120xf16>) outs(%c : tensor<300x5120xf32>) -> tensor<300x5120xf32>
  return %0 : tensor<300x5120xf32>
}

// -----

// Boxes of a left operand that is contiguous along its rows have 64 of them.

// CHECK-LABEL: func @negative_along_rows
//   CHECK-NOT: exchange
//       CHECK: return
// ALWAYS-LABEL: func @negative_along_rows
//   ALWAYS-NOT: exchange
//       ALWAYS: way = "sync"
func.func @negative_along_rows(%a: tensor<5120x300xf16>, %b: tensor<5120x5120xf16>, %c: tensor<300x5120xf32>) -> tensor<300x5120xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<5120x300xf16>, tensor<5120x5120xf16>) outs(%c : tensor<300x5120xf32>) -> tensor<300x5120xf32>
  return %0 : tensor<300x5120xf32>
}

// -----

// Bytes keep their order.

// CHECK-LABEL: func @negative_bytes
//   CHECK-NOT: exchange
//       CHECK: return
// ALWAYS-LABEL: func @negative_bytes
//   ALWAYS-NOT: exchange
//       ALWAYS: return
func.func @negative_bytes(%a: tensor<300x5120xi8>, %b: tensor<5120x5120xi8>, %c: tensor<300x5120xi32>) -> tensor<300x5120xi32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<300x5120xi8>, tensor<5120x5120xi8>) outs(%c : tensor<300x5120xi32>) -> tensor<300x5120xi32>
  return %0 : tensor<300x5120xi32>
}

// -----

// Columns of which there are fewer than a tile has would be filled up. Other tiles have as few as the product.

// CHECK-LABEL: func @negative_few_columns
//   CHECK-NOT: exchange
//       CHECK: alone = true{{.*}}way = "roles"
// ALWAYS-LABEL: func @negative_few_columns
//       ALWAYS: vector_ext.kernel = {exchange = 40 : i64, {{.*}}way = "async"}
func.func @negative_few_columns(%a: tensor<13464x2048xf16>, %b: tensor<104x2048xf16>, %c: tensor<13464x104xf32>) -> tensor<13464x104xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<13464x2048xf16>, tensor<104x2048xf16>) outs(%c : tensor<13464x104xf32>) -> tensor<13464x104xf32>
  return %0 : tensor<13464x104xf32>
}
