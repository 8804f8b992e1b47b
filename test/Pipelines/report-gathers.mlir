// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu report=all' --split-input-file 2>&1 -o /dev/null | FileCheck %s --check-prefix=GPU
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-fuse='target=gpu report=all' --split-input-file 2>&1 -o /dev/null | FileCheck %s --check-prefix=AMD
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=cpu report=all' --split-input-file 2>&1 -o /dev/null | FileCheck %s --check-prefix=CPU
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu report=missed' --split-input-file 2>&1 -o /dev/null | FileCheck %s --check-prefix=NONE --allow-empty --implicit-check-not=remark:

// What makes gathers of pages slow is noted where all is reported.
// NONE-NOT: remark:

// GPU: :[[@LINE+5]]:{{.*}}remark: the table is read for each row: pages have a dynamic number of rows
// GPU-NOT: remark: loads may
// CPU: :[[@LINE+3]]:{{.*}}remark: rows are copied: pages have a dynamic number of rows, expected at least 8
func.func @dynamic_pages(%pool: tensor<?x?x64xf16>, %table: tensor<4xi32>, %n: index) -> tensor<?x64xf16> {
  %e = tensor.empty(%n) : tensor<?x64xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x?x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// -----

// GPU-NOT: remark: the table
// GPU: :[[@LINE+4]]:{{.*}}remark: loads may have less than 16 bytes: rows have 72 bytes, expected a multiple of 16
// CPU: :[[@LINE+3]]:{{.*}}remark: rows are copied: pages have 4 rows, expected at least 8
func.func @narrow_rows(%pool: tensor<?x4x36xf16>, %table: tensor<4xi32>) -> tensor<16x36xf16> {
  %e = tensor.empty() : tensor<16x36xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x4x36xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<16x36xf16>) -> tensor<16x36xf16>
  return %0 : tensor<16x36xf16>
}

// -----

// Pages of 16 rows of 128 bytes need nothing of a GPU.

// GPU-NOT: remark: {{the table|loads may}}
// AMD-NOT: remark: not all pages
// CPU: :[[@LINE+3]]:{{.*}}remark: rows are read in place, but for the last ones of a sequence whose end is in a tile: they are copied
func.func @negative_pages(%pool: tensor<?x16x64xf16>, %table: tensor<4xi32>) -> tensor<64x64xf16> {
  %e = tensor.empty() : tensor<64x64xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x16x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

// Where pages are buffers, all lanes that read at a time are in one page. 16 rows are
// transposed at a time; an instruction of 64 lanes reads 32 rows of 32 bytes.

// GPU-NOT: remark: not all pages
// AMD: :[[@LINE+3]]:{{.*}}remark: not all pages are read through buffers: lanes may read several pages at a time, of 8 rows; expected a power of two from 16 on
func.func @small_pages(%pool: tensor<?x8x64xf16>, %table: tensor<4xi32>) -> tensor<32x64xf16> {
  %e = tensor.empty() : tensor<32x64xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x8x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<32x64xf16>) -> tensor<32x64xf16>
  return %0 : tensor<32x64xf16>
}

// -----

// AMD: :[[@LINE+3]]:{{.*}}remark: not all pages are read through buffers: lanes may read several pages at a time, of 16 rows; expected a power of two from 32 on
func.func @short_rows(%pool: tensor<?x16x16xf16>, %table: tensor<4xi32>) -> tensor<64x16xf16> {
  %e = tensor.empty() : tensor<64x16xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x16x16xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<64x16xf16>) -> tensor<64x16xf16>
  return %0 : tensor<64x16xf16>
}

// -----

// AMD: :[[@LINE+3]]:{{.*}}remark: not all pages are read through buffers: lanes may read several pages at a time, of 48 rows; expected a power of two from 16 on
func.func @odd_pages(%pool: tensor<?x48x64xf16>, %table: tensor<4xi32>) -> tensor<96x64xf16> {
  %e = tensor.empty() : tensor<96x64xf16>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x48x64xf16>) table(%table : tensor<4xi32>) outs(%e : tensor<96x64xf16>) -> tensor<96x64xf16>
  return %0 : tensor<96x64xf16>
}
