// RUN: linalg-ext-opt %s --vector-ext-distribute --split-input-file --verify-diagnostics -o /dev/null

// The sums of asynchronous instructions are in registers of a thread until the
// instructions end. Here, 128 threads have two tiles of 64 x 256 sums.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  gpu.func @too_many_sums(%a: memref<128x64xf16>, %b: memref<256x64xf16>, %c: memref<128x256xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<128x256xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<128x64xf16>, vector<128x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<256x64xf16>
    // expected-error @+1 {{gives a thread a result of asynchronous instructions in 256 registers, expected at most 255}}
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n256k16.f32.f16", subgroups = [1, 1]>
    } %lhs, %rhs, %zero : vector<128x64xf16>, vector<256x64xf16> into vector<128x256xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x256xf32>, memref<128x256xf32>
    gpu.return
  }
}
