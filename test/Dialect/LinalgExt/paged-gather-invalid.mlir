// RUN: linalg-ext-opt %s -split-input-file -verify-diagnostics

// C1, C2, ... are the constraints in the documentation of the op.

func.func @negative_c1_mixed(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: memref<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected all operands to be tensors or all to be buffers, got 'tensor<9x4xf32>', 'tensor<2x3xi32>', 'memref<2x12xf32>'}}
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : memref<2x12xf32>)
  return
}

// -----

func.func @negative_c1_results(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 1 results, got 0}}
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>)
  return
}

// -----

func.func @negative_c1_element_type(%pool: tensor<9x4xcomplex<f32>>, %table: tensor<2x3xi32>, %e: tensor<2x12xcomplex<f32>>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected an init of signless integers, floats or indices, got 'complex<f32>'}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xcomplex<f32>>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
  return
}

// -----

func.func @negative_c2_sequence(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'sequence' in [0, 2), got 2}}
  %0 = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c3_range(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected dimensions in [0, 2) in 'batch', got -1}}
  %0 = linalg_ext.paged_gather sequence(1) batch [-1] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c3_twice(%pool: tensor<9x4xf32>, %table: tensor<2x2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected distinct dimensions in 'batch', got 0 twice}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0, 0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c3_sequence(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'batch' without the dimension 'sequence', got 1}}
  %0 = linalg_ext.paged_gather sequence(1) batch [1] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c4_rank(%pool: tensor<9x4x8xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x8xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'pool_dims' to have 3 entries, the rank of the pool, got 2}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4x8xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return
}

// -----

func.func @negative_c4_no_pages(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x9xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected -1 in 'pool_dims' once, since there is a table, got it 0 times}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [2, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x9xf32>) -> tensor<2x12x9xf32>
  return
}

// -----

func.func @negative_c4_packed_pages(%pool: tensor<9x4xf32>, %starts: tensor<2xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected -1 in 'pool_dims' never, since there is no table, got it 1 times}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) starts(%starts : tensor<2xi32>) lengths(%starts : tensor<2xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c4_no_rows(%pool: tensor<9x8xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x8xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 1, the dimension 'sequence', in 'pool_dims' once, got it 0 times}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 2] pool(%pool : tensor<9x8xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return
}

// -----

func.func @negative_c4_range(%pool: tensor<9x4x8xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x8xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected dimensions in [0, 3) in 'pool_dims', got 3}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 3] pool(%pool : tensor<9x4x8xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return
}

// -----

func.func @negative_c4_twice(%pool: tensor<9x4x8x8xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x8xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected distinct dimensions in 'pool_dims', got 2 twice}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2, 2] pool(%pool : tensor<9x4x8x8xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return
}

// -----

func.func @negative_c5_packed(%pool: tensor<9xf32>, %starts: tensor<2xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'starts' and 'lengths' without a table, got only 'starts'}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [1] pool(%pool : tensor<9xf32>) starts(%starts : tensor<2xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c6_lengths(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %lengths: tensor<3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'lengths' to have shape [2], got [3]}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) lengths(%lengths : tensor<3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c6_starts(%pool: tensor<9x4xf32>, %table: tensor<?xi32>, %starts: tensor<2x1xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected 'starts' to have shape [2], got [2, 1]}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<?xi32>) starts(%starts : tensor<2x1xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c6_table(%pool: tensor<9x4xf32>, %table: tensor<6xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected the table to have shape [2, ?], got [6]}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<6xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c6_flat_table(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %starts: tensor<2xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected the table to have shape [?], got [2, 3]}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) starts(%starts : tensor<2xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c7_element_type(%pool: tensor<9x4xf16>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected the pool to have element type 'f32', got 'f16'}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf16>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @negative_c7_shape(%pool: tensor<9x4x8xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12x7xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected the pool to have shape [?, ?, 7], got [9, 4, 8]}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%pool : tensor<9x4x8xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12x7xf32>) -> tensor<2x12x7xf32>
  return
}

// -----

func.func @negative_c8_page_size(%pool: tensor<9x0xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op expected pages of at least 1 row, got 0}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x0xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

// Entries of a table are integers.

func.func @negative_table_of_floats(%pool: tensor<9x4xf32>, %table: tensor<2x3xf32>, %e: tensor<2x12xf32>) {
  // expected-error @below {{'linalg_ext.paged_gather' op operand #1 must be ranked tensor or memref of i32, i64 or index values, but got 'tensor<2x3xf32>'}}
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xf32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}
