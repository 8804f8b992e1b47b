// RUN: not linalg-ext-opt %s --vector-ext-distribute=max-products=4 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: linalg-ext-opt %s --vector-ext-distribute=max-products=4096 -o /dev/null

// Limits of a thread.

// PRODUCTS: error: 'vector.contract' op gives a thread its {{[1-9][0-9]*}}th product without an instruction of several threads, expected at most 4

gpu.module @kernels {
  gpu.func @product(%in: memref<16x16xf32>, %out: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %0, %0, %zero : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
