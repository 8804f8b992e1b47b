// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --vector-ext-distribute="buffer-loads transpose-loads lane-copies" --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --vector-ext-distribute="buffer-loads transpose-loads" --canonicalize --cse | FileCheck %s --check-prefix=LOADS
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --vector-ext-distribute="buffer-loads lane-copies" --canonicalize --cse | FileCheck %s --check-prefix=COPIES
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --vector-ext-distribute=lane-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: warning: 'lane-copies' has no effect: expected 'buffer-loads', and a target that has registered copies from buffers

gpu.module @kernels {
  // The right operand lies in memory row by row. Each lane copies 16 bytes, whose place
  // in the tile its number says; rows that do not exist are beyond the buffer. A lane
  // reads the addresses of rows, and gets columns.
  // CHECK-LABEL: gpu.func @product
  //       CHECK:   gpu.barrier
  //       CHECK:   %[[B:.+]] = amdgpu.fat_raw_buffer_cast %{{.+}} validBytes(%{{.+}}) resetOffset
  // CHECK-COUNT-4: amdgpu.gather_to_lds %[[B]][%{{.+}}], %[[LDS:.+]][%{{.+}}] : vector<8xf16>, memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>, memref<2048xf16, #gpu.address_space<workgroup>>
  //   CHECK-NOT:   vector.store {{.*}}workgroup
  //       CHECK:   amdgpu.memory_counter_wait load(0)
  //  CHECK-NEXT:   gpu.barrier
  // CHECK-COUNT-8: amdgpu.transpose_load %[[LDS]][%{{.+}}] : memref<2048xf16, #gpu.address_space<workgroup>> -> vector<4xf16>
  //   CHECK-NOT:   amdgpu.transpose_load

  // LOADS-LABEL:   gpu.func @product
  //   LOADS-NOT:   amdgpu.gather_to_lds
  // LOADS-COUNT-4: vector.store %{{.+}}, %{{.+}}[%{{.+}}] {alignment = 16 : i64} : memref<2048xf16, #gpu.address_space<workgroup>>, vector<8xf16>
  // LOADS-COUNT-8: amdgpu.transpose_load

  // What would have to be read element by element is not copied.
  // COPIES-LABEL:  gpu.func @product
  //   COPIES-NOT:  amdgpu.gather_to_lds
  //   COPIES-NOT:  amdgpu.transpose_load
  // COPIES-COUNT-8: vector.load %{{.+}} : memref<{{.+}}xf16, #gpu.address_space<workgroup>>, vector<4xf16>
  gpu.func @product(%a: memref<16x32xf16>, %b: memref<?x64xf16>, %d: memref<16x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %acc = arith.constant dense<0.0> : vector<16x64xf32>
    %0 = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %1 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [false, true]} : memref<?x64xf16>, vector<32x64xf16>
    %2 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m16n16k32.f32.f16.interleaved.transposed", subgroups = [1, 1], promote = [false, true]>}
      %0, %1, %acc : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
    vector.transfer_write %2, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.return
  }

  // Padding that is not zero, and f32: none of both.
  // CHECK-LABEL: gpu.func @negative
  //   CHECK-NOT:   amdgpu.gather_to_lds
  //   CHECK-NOT:   amdgpu.transpose_load
  //       CHECK:   gpu.return
  gpu.func @negative(%a: memref<16x16xf32>, %b: memref<?x64xf32>, %d: memref<16x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %acc = arith.constant dense<0.0> : vector<16x64xf32>
    %0 = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %1 = vector.transfer_read %b[%c0, %c0], %one {in_bounds = [false, true]} : memref<?x64xf32>, vector<16x64xf32>
    %2 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m16n16k16.f32.f32.transposed", subgroups = [1, 1], promote = [false, true]>}
      %0, %1, %acc : vector<16x16xf32>, vector<16x64xf32> into vector<16x64xf32>
    vector.transfer_write %2, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.return
  }
}
