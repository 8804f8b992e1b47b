// RUN: linalg-ext-opt %s -split-input-file -verify-diagnostics

// C1, C2, ... are the constraints in the documentation of the op.

func.func @negative_c1_mixed(%rows: memref<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected all operands to be tensors or all to be buffers, got 'memref<2x12xf32>', 'tensor<2x3xi32>', 'tensor<9x4xf32>'}}
  linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : memref<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>)
  return
}

// -----

func.func @negative_c1_results(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 1 results, got 0}}
  linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>)
  return
}

// -----

func.func @negative_c1_element_type(%rows: tensor<2x12xcomplex<f32>>, %table: tensor<2x3xi32>, %pool: tensor<9x4xcomplex<f32>>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'rows' of signless integers, floats or indices, got 'complex<f32>'}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xcomplex<f32>>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xcomplex<f32>>) -> tensor<9x4xcomplex<f32>>
  return
}

// -----

func.func @negative_c2_sequence(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'sequence' in [0, 2), got 2}}
  %0 = linalg_ext.store_rows sequence(2) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c3_range(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected dimensions in [0, 2) in 'batch', got -1}}
  %0 = linalg_ext.store_rows sequence(1) batch [-1] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c3_twice(%rows: tensor<2x12xf32>, %table: tensor<2x2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected distinct dimensions in 'batch', got 0 twice}}
  %0 = linalg_ext.store_rows sequence(1) batch [0, 0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c3_sequence(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'batch' without the dimension 'sequence', got 1}}
  %0 = linalg_ext.store_rows sequence(1) batch [1] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c4_rank(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'pool_dims' to have 2 entries, the rank of the pool, got 1}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c4_page(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected -1 in 'pool_dims' once, since there is a table, got it 0 times}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_c4_page_without_table(%rows: tensor<2x12xf32>, %s: tensor<2xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected -1 in 'pool_dims' never, since there is no table, got it 1 times}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) starts(%s : tensor<2xi32>) lengths(%s : tensor<2xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c4_row(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 1, the dimension 'sequence', in 'pool_dims' once, got it 0 times}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 0] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c5_starts(%rows: tensor<2x12xf32>, %s: tensor<2xi32>, %pool: tensor<40xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'starts' and 'lengths' without a table, got only 'starts'}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1] rows(%rows : tensor<2x12xf32>) starts(%s : tensor<2xi32>) outs(%pool : tensor<40xf32>) -> tensor<40xf32>
  return
}

// -----

func.func @negative_c6_lengths(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %n: tensor<3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'lengths' to have shape [2], got [3]}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) lengths(%n : tensor<3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c6_offsets(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %n: tensor<3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected 'offsets' to have shape [2], got [3]}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) offsets(%n : tensor<3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c6_table(%rows: tensor<2x12xf32>, %table: tensor<3x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected the table to have shape [2, ?], got [3, 3]}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<3x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c7_element_type(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf16>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected the pool to have element type 'f32', got 'f16'}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf16>) -> tensor<9x4xf16>
  return
}

// -----

func.func @negative_c7_shape(%rows: tensor<2x12x8xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4x7xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected the pool to have shape [?, ?, 8], got [9, 4, 7]}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2] rows(%rows : tensor<2x12x8xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4x7xf32>) -> tensor<9x4x7xf32>
  return
}

// -----

func.func @negative_c8_no_rows(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x0xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected pages of at least 1 row, got 0}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x0xf32>) -> tensor<9x0xf32>
  return
}

// -----

func.func @negative_c9_neither(%rows: tensor<2x12x8xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected each dimension of 'rows' either in 'batch' or in 'pool_dims', got 2 in neither}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1] rows(%rows : tensor<2x12x8xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @negative_c9_both(%rows: tensor<2x12xf32>, %table: tensor<2x3xi32>, %pool: tensor<9x4x2xf32>) {
  // expected-error @below {{'linalg_ext.store_rows' op expected each dimension of 'rows' either in 'batch' or in 'pool_dims', got 0 in both}}
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 0] rows(%rows : tensor<2x12xf32>) table(%table : tensor<2x3xi32>) outs(%pool : tensor<9x4x2xf32>) -> tensor<9x4x2xf32>
  return
}
