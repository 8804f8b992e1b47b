// RUN: linalg-ext-opt %s -split-input-file -verify-diagnostics

// C1, C2, ... are the constraints in the documentation of the op.

func.func @negative_c1_mixed(%a: tensor<9x4xf32>, %list: memref<3x1xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected a source and a list that are both tensors or both buffers, got 'tensor<9x4xf32>' and 'memref<3x1xindex>'}}
  %0 = linalg_ext.view_rows %a[%list] dims [0] : tensor<9x4xf32>, memref<3x1xindex>
  return
}

// -----

func.func @negative_c2_rank(%a: tensor<9x4xf32>, %list: tensor<3xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected a list of rank 2, got 'tensor<3xindex>'}}
  %0 = linalg_ext.view_rows %a[%list] dims [0] : tensor<9x4xf32>, tensor<3xindex>
  return
}

// -----

func.func @negative_c2_coordinates(%a: tensor<9x4xf32>, %list: tensor<3x2xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected as many entries in 'dims' as a row of the list has, 2, got 1}}
  %0 = linalg_ext.view_rows %a[%list] dims [0] : tensor<9x4xf32>, tensor<3x2xindex>
  return
}

// -----

func.func @negative_c3_none(%a: tensor<9x4xf32>, %list: tensor<3x0xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected at least one dimension in 'dims', got none}}
  %0 = linalg_ext.view_rows %a[%list] dims [] : tensor<9x4xf32>, tensor<3x0xindex>
  return
}

// -----

func.func @negative_c3_range(%a: tensor<9x4xf32>, %list: tensor<3x1xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected dimensions in [0, 2) in 'dims', got 2}}
  %0 = linalg_ext.view_rows %a[%list] dims [2] : tensor<9x4xf32>, tensor<3x1xindex>
  return
}

// -----

func.func @negative_c3_distinct(%a: tensor<9x4xf32>, %list: tensor<3x2xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected distinct dimensions in 'dims', got 0 twice}}
  %0 = linalg_ext.view_rows %a[%list] dims [0, 0] : tensor<9x4xf32>, tensor<3x2xindex>
  return
}

// -----

#tiled = affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>

func.func @negative_c4_layout(%a: memref<9x4xf32, #tiled>, %list: memref<3x1xindex>) {
  // expected-error @below {{'linalg_ext.view_rows' op expected a source whose layout has strides, got 'memref<9x4xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>>'}}
  %0 = linalg_ext.view_rows %a[%list] dims [0] : memref<9x4xf32, #tiled>, memref<3x1xindex>
  return
}
