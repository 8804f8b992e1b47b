// RUN: linalg-ext-opt %s --vector-ext-distribute=wide-writes --canonicalize --cse | FileCheck %s

// What is read in rows of one dimension and written in rows of another one is exchanged in
// shared memory: threads read and write runs of 16 bytes.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @transposes
  // CHECK-COUNT-2: vector.load %{{.+}} : memref<64x64xf8E4M3FN>, vector<16xf8E4M3FN>
  // CHECK: gpu.barrier
  // CHECK-COUNT-2: vector.store %{{.+}} : memref<64x64xf8E4M3FN>, vector<16xf8E4M3FN>
  // CHECK-NOT: store
  // CHECK: gpu.return
  gpu.func @transposes(%a: memref<64x64xf8E4M3FN>, %b: memref<64x64xf8E4M3FN>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f8E4M3FN
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf8E4M3FN>, vector<64x64xf8E4M3FN>
    vector.transfer_write %0, %b[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<64x64xf8E4M3FN>, memref<64x64xf8E4M3FN>
    gpu.return
  }
}
