// RUN: linalg-ext-opt %s --vector-ext-distribute --split-input-file --verify-diagnostics -o /dev/null

// The limits of a thread: 12288 products that no matrix instruction computes, and
// 512 registers for a vector. Here, each of 32 threads computes 2048 products of
// each contraction.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  gpu.func @products(%in: memref<64x16xf32>, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %a = vector.transfer_read %in[%c0, %c0], %pad : memref<64x16xf32>, vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %zero : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %0 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %1 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %2 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %4 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %3 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %4 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    vector.transfer_write %5, %out[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  gpu.func @too_many_products(%in: memref<64x16xf32>, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %a = vector.transfer_read %in[%c0, %c0], %pad : memref<64x16xf32>, vector<64x16xf32>
    %0 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %zero : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %1 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %0 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %1 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %2 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %4 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %3 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %4 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    // expected-error @+1 {{gives a thread its 14336th product without an instruction of several threads, expected at most 12288}}
    %6 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %5 : vector<64x16xf32>, vector<64x16xf32> into vector<64x64xf32>
    vector.transfer_write %6, %out[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @too_many_registers(%in: memref<256x128xf32>, %out: memref<256x128xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    // expected-error @+1 {{gives a thread 'vector<256x128xf32>' in 1024 registers, expected at most 512}}
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<256x128xf32>, vector<256x128xf32>
    vector.transfer_write %0, %out[%c0, %c0] : vector<256x128xf32>, memref<256x128xf32>
    gpu.return
  }
}
