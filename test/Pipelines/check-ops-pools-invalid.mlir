// RUN: linalg-ext-opt %s --linalg-ext-check-ops=index-bitwidth=32 --split-input-file --verify-diagnostics
// RUN: not linalg-ext-opt %s --linalg-ext-to-nvvm='chip=sm_80 index-bitwidth=32' --split-input-file 2>&1 | FileCheck %s

// Offsets in a pool of unknown size may not fit into 32 bits.

// CHECK: error: expected a pool of less than 2147483648 bytes with indices of 32 bits, got 'tensor<?x16x64xf16>'
func.func @dynamic(%pool: tensor<?x16x64xf16>, %table: tensor<4xi32>, %e: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @below {{expected a pool of less than 2147483648 bytes with indices of 32 bits, got 'tensor<?x16x64xf16>'; make its size static, or choose index-bitwidth=64}}
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x16x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

// CHECK: error: expected a pool of less than 2147483648 bytes
func.func @large(%pool: tensor<1048576x16x64xf16>, %rows: tensor<1x1x64xf16>, %table: tensor<1x4xi32>) -> tensor<1048576x16x64xf16> {
  // expected-error @below {{expected a pool of less than 2147483648 bytes with indices of 32 bits, got 'tensor<1048576x16x64xf16>'; make its size static, or choose index-bitwidth=64}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2]
      rows(%rows : tensor<1x1x64xf16>) table(%table : tensor<1x4xi32>) outs(%pool : tensor<1048576x16x64xf16>) -> tensor<1048576x16x64xf16>
  return %0 : tensor<1048576x16x64xf16>
}

// -----

// CHECK-NOT: error: expected a pool
func.func @small(%pool: tensor<1000x16x64xf16>, %table: tensor<4xi32>, %e: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<1000x16x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
