// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-vectorize-tiles=multiple-of=16 | FileCheck %s

// Where operands are exchanged, a tile has the rows that its kernel has, and what is
// summed is padded as elsewhere. Known rows are not filled up to those of an instruction.

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @exchanged
//       CHECK: vector.contract {{.*}} : vector<104x48xf16>, vector<128x48xf16> into vector<104x128xf32>
func.func @exchanged(%a: tensor<100x40xf16>, %b: tensor<128x40xf16>, %c: tensor<100x128xf32>) -> tensor<100x128xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %c) -> tensor<100x128xf32> {
    %p = linalg.matmul indexing_maps = [#rows, #columns, #result]
      ins(%a, %b : tensor<100x40xf16>, tensor<128x40xf16>) outs(%o : tensor<100x128xf32>) -> tensor<100x128xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [100, 128] [1, 1] : tensor<100x128xf32> into tensor<100x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = {exchange = 104 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return %0 : tensor<100x128xf32>
}

// Columns are rows of instructions then, and are filled up to these.

// CHECK-LABEL: func @few_columns
//       CHECK: vector.contract {{.*}} : vector<104x48xf16>, vector<128x48xf16> into vector<104x128xf32>
func.func @few_columns(%a: tensor<104x40xf16>, %b: tensor<72x40xf16>, %c: tensor<104x72xf32>) -> tensor<104x72xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %c) -> tensor<104x72xf32> {
    %p = linalg.matmul indexing_maps = [#rows, #columns, #result]
      ins(%a, %b : tensor<104x40xf16>, tensor<72x40xf16>) outs(%o : tensor<104x72xf32>) -> tensor<104x72xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [104, 72] [1, 1] : tensor<104x72xf32> into tensor<104x72xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = {exchange = 104 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return %0 : tensor<104x72xf32>
}

// CHECK-LABEL: func @negative_not_exchanged
//       CHECK: vector.contract {{.*}} : vector<128x48xf16>, vector<128x48xf16> into vector<128x128xf32>
func.func @negative_not_exchanged(%a: tensor<100x40xf16>, %b: tensor<128x40xf16>, %c: tensor<100x128xf32>) -> tensor<100x128xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %c) -> tensor<100x128xf32> {
    %p = linalg.matmul indexing_maps = [#rows, #columns, #result]
      ins(%a, %b : tensor<100x40xf16>, tensor<128x40xf16>) outs(%o : tensor<100x128xf32>) -> tensor<100x128xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [100, 128] [1, 1] : tensor<100x128xf32> into tensor<100x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return %0 : tensor<100x128xf32>
}
