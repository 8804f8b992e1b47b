// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // Rows of pages: a thread has one position for each row that it touches, the number
  // of the row among those of all pages, and loads 16 bytes at a time. The mask is a
  // bound of the rows: no bits are made.
  // CHECK-LABEL: gpu.func @paged_rows
  // CHECK-SAME:    %[[POOL:.+]]: memref<?x16x64xf16>, %[[PAGES:.+]]: memref<32xi32>, %{{.+}}: memref<32x64xf16>, %[[N:.+]]: index)
  // CHECK-NOT:     gpu.barrier
  // CHECK-NOT:     gpu.shuffle
  // CHECK-COUNT-8: memref.load %[[PAGES]]
  // CHECK-NOT:     memref.load
  // CHECK:         %[[PAGE:.+]] = arith.index_cast %{{.+}} : vector<8xi32> to vector<8xindex>
  // CHECK:         %[[FIRST:.+]] = arith.muli %[[PAGE]], %cst
  // CHECK:         %[[PLACES:.+]] = arith.addi %[[FIRST]], %{{.+}} : vector<8xindex>
  // CHECK:         %[[ALL:.+]] = memref.collapse_shape %[[POOL]] {{\[\[}}0, 1], [2]]
  // CHECK:         scf.if %{{.+}} -> (vector<8xf16>) {
  // CHECK:           %[[PLACE:.+]] = vector.extract %[[PLACES]][0]
  // CHECK:           %[[ROWS:.+]] = vector.load %[[ALL]][%[[PLACE]], %{{.+}}] {alignment = 16 : i64} : memref<?x64xf16>, vector<8xf16>
  // CHECK:           scf.yield %[[ROWS]]
  // CHECK:         } else {
  // CHECK:           scf.yield %cst
  gpu.func @paged_rows(%pool: memref<?x16x64xf16>, %pages: memref<32xi32>, %out: memref<32x64xf16>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : i32
    %page = vector.transfer_read %pages[%c0], %pad {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
    %step = vector.step : vector<32xindex>
    %size = arith.constant dense<16> : vector<32xindex>
    %row = arith.remui %step, %size : vector<32xindex>
    %mask = vector.create_mask %n : vector<32xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%page, %row : vector<32xi32>, vector<32xindex>) mask(%mask : vector<32xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
         : memref<?x16x64xf16>, vector<32x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }
}
