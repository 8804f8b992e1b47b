// RUN: linalg-ext-opt %s --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: sed 's/"shuffle_bits" = 256/"shuffle_bits" = 128/' %s | linalg-ext-opt --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s --check-prefix=PARTS

// SVE interleaves whole vectors. Two rows of a block are interleaved, 3 times; without
// it, twice within 128 bits, before parts of 128 bits are swapped.

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"vector_bits" = 256, "vector_registers" = 16, "shuffle_bits" = 256>>} {

// CHECK-LABEL: func @matmul_transposed
// PARTS-LABEL: func @matmul_transposed
func.func @matmul_transposed(%a: memref<8x64xf32>, %b: memref<16x64xf32>, %c: memref<8x16xf32>) {
  // CHECK-COUNT-8: vector.load %{{.*}} : memref<16x64xf32>, vector<8xf32>
  // CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
  // CHECK: vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
  // CHECK-COUNT-22: vector.shuffle {{.*}} [{{0, 8, 1, 9, 2, 10, 3, 11|4, 12, 5, 13, 6, 14, 7, 15}}]
  // CHECK-NOT: vector.shuffle
  // PARTS-COUNT-16: vector.shuffle {{.*}} [{{0, 8, 1, 9, 4, 12, 5, 13|2, 10, 3, 11, 6, 14, 7, 15}}]
  // PARTS-COUNT-8: vector.shuffle {{.*}} [{{0, 1, 2, 3, 8, 9, 10, 11|4, 5, 6, 7, 12, 13, 14, 15}}]
  // PARTS-NOT: vector.shuffle
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<8x64xf32>, memref<16x64xf32>) outs(%c : memref<8x16xf32>)
  return
}

}

// -----

// Lanes of several sums: every other lane of two vectors is taken, and the results of a
// row are side by side without more.

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"vector_bits" = 256, "vector_registers" = 16, "shuffle_bits" = 256>>} {

// CHECK-LABEL: func @few_rows_transposed
// PARTS-LABEL: func @few_rows_transposed
func.func @few_rows_transposed(%a: memref<4x64xf32>, %b: memref<256x64xf32>, %c: memref<4x256xf32>) {
  // CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
  // CHECK: vector.shuffle {{.*}} [1, 3, 5, 7, 9, 11, 13, 15]
  // CHECK-NOT: vector.shuffle {{.*}} [0, 1
  // CHECK: vector.store {{.*}} : memref<4x256xf32>, vector<{{2|4}}xf32>
  // PARTS: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
  // PARTS: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
  // PARTS: vector.shuffle {{.*}} [0, 2, 8, 10, 4, 6, 12, 14]
  // PARTS: vector.shuffle {{.*}} [1, 3, 9, 11, 5, 7, 13, 15]
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<4x64xf32>, memref<256x64xf32>) outs(%c : memref<4x256xf32>)
  return
}

}
