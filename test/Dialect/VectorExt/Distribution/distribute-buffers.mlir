// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --vector-ext-distribute=buffer-loads --canonicalize --cse --split-input-file | FileCheck %s

// Rows that do not exist are beyond the buffer: no branch, and no comparison. The place
// of a thread in the tile does not depend on where the tile starts.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @rows
  // CHECK-SAME:    %[[X:.+]]: memref<?x64xf16>, %{{.+}}: memref<32x64xf16>, %[[I:.+]]: index)
  // CHECK-DAG:     %[[N:.+]] = memref.dim %[[X]], %c0
  // CHECK-DAG:     %[[LEFT:.+]] = arith.subi %[[N]], %[[I]]
  // CHECK-DAG:     %[[START:.+]] = arith.muli %[[I]], %c64
  // CHECK-DAG:     %[[ROWS:.+]] = arith.minsi %[[LEFT]], %c32
  // CHECK:         %[[COUNT:.+]] = arith.muli %[[ROWS]], %c64
  // CHECK:         %[[END:.+]] = arith.maxsi %[[COUNT]], %c0
  // CHECK:         %[[TILE:.+]] = memref.reinterpret_cast %[[X]] to offset: [%[[START]]], sizes: [%[[END]]], strides: [1]
  // CHECK:         %[[BYTES:.+]] = arith.muli %[[END]], %c2
  // CHECK:         %[[BYTES64:.+]] = arith.index_cast %[[BYTES]] : index to i64
  // CHECK:         %[[BUFFER:.+]] = amdgpu.fat_raw_buffer_cast %[[TILE]] validBytes(%[[BYTES64]]) resetOffset
  // CHECK-NOT:     scf.if
  // CHECK-NOT:     arith.cmpi
  // CHECK-COUNT-4: vector.load %[[BUFFER]][%{{.+}}] {alignment = 16 : i64} : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>, vector<8xf16>
  // CHECK-NOT:     vector.load
  gpu.func @rows(%x: memref<?x64xf16>, %out: memref<32x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %0 = vector.transfer_read %x[%i, %c0], %zero {in_bounds = [false, true]} : memref<?x64xf16>, vector<32x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // Columns that do not exist have an offset beyond all buffers.
  // CHECK-LABEL: gpu.func @columns
  // CHECK-DAG:     %[[EXISTS:.+]] = arith.cmpi sgt
  // CHECK-DAG:     %[[BUFFER:.+]] = amdgpu.fat_raw_buffer_cast
  // CHECK-DAG:     %[[AT:.+]] = arith.select %[[EXISTS]], %{{.+}}, %c1073741824 : index
  // CHECK:         vector.load %[[BUFFER]][%[[AT]]] {alignment = 16 : i64} : {{.+}}, vector<8xf16>
  // CHECK-NOT:     scf.if
  gpu.func @columns(%x: memref<32x48xf16>, %out: memref<32x64xf16>, %j: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %c8 = arith.constant 8 : index
    %j8 = arith.muli %j, %c8 : index
    %0 = vector.transfer_read %x[%c0, %j8], %zero {in_bounds = [true, false]} : memref<32x48xf16>, vector<32x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // A stride that is not known, of which it is known that a tile spans less than 2^31
  // bytes. The buffer ends with the last row; columns that do not exist have an offset
  // beyond all buffers.
  // CHECK-LABEL: gpu.func @dynamic_rows
  // CHECK:         %[[ROWS:.+]] = memref.reinterpret_cast %{{.+}} to offset: [0]
  // CHECK:         %[[STRIDE:.+]] = memref.dim %[[ROWS]], %c1
  // CHECK:         arith.minsi %{{.+}}, %c32
  // CHECK:         %[[BUFFER:.+]] = amdgpu.fat_raw_buffer_cast
  // CHECK:         arith.muli %{{.+}}, %[[STRIDE]]
  // CHECK:         vector.load %[[BUFFER]][%{{.+}}] {alignment = 16 : i64} : {{.+}}, vector<8xf16>
  // CHECK-NOT:     scf.if
  // CHECK:         gpu.return
  gpu.func @dynamic_rows(%y: memref<?x?xf16>, %out: memref<32x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %y, %c0 : memref<?x?xf16>
    %n = memref.dim %y, %c1 : memref<?x?xf16>
    %l = vector_ext.assume %n at_most 2097152 multiple_of 8
    %rows = memref.reinterpret_cast %y to offset: [0], sizes: [%m, %l], strides: [%l, 1]
      : memref<?x?xf16> to memref<?x?xf16>
    %left = arith.subi %m, %i : index
    %mask = vector.create_mask %left, %l : vector<32x64xi1>
    %0 = vector.transfer_read %rows[%i, %c0], %zero, %mask {in_bounds = [true, true]} : memref<?x?xf16>, vector<32x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // Rows that may be so long that a tile has 2^31 bytes.
  // CHECK-LABEL: gpu.func @negative_long_rows
  // CHECK-NOT:     amdgpu.fat_raw_buffer_cast
  // CHECK:         gpu.return
  gpu.func @negative_long_rows(%y: memref<?x?xf16>, %out: memref<32x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %y, %c0 : memref<?x?xf16>
    %n = memref.dim %y, %c1 : memref<?x?xf16>
    %l = vector_ext.assume %n at_most 67108864 multiple_of 8
    %rows = memref.reinterpret_cast %y to offset: [0], sizes: [%m, %l], strides: [%l, 1]
      : memref<?x?xf16> to memref<?x?xf16>
    %0 = vector.transfer_read %rows[%i, %c0], %zero {in_bounds = [false, false]} : memref<?x?xf16>, vector<32x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // Padding that is not zero, a stride that is not known, and memory of the workgroup.
  // CHECK-LABEL: gpu.func @negative
  // CHECK-NOT:     amdgpu.fat_raw_buffer_cast
  gpu.func @negative(%x: memref<?x64xf16>, %y: memref<?x?xf16>, %out: memref<32x64xf16>, %i: index)
      workgroup(%s: memref<32x64xf16, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %0 = vector.transfer_read %x[%i, %c0], %one {in_bounds = [false, true]} : memref<?x64xf16>, vector<32x64xf16>
    %1 = vector.transfer_read %y[%i, %c0], %zero {in_bounds = [false, false]} : memref<?x?xf16>, vector<32x64xf16>
    %2 = vector.transfer_read %s[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<32x64xf16>
    %3 = arith.addf %0, %1 : vector<32x64xf16>
    %4 = arith.addf %3, %2 : vector<32x64xf16>
    vector.transfer_write %4, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // A tile that starts in front of the memory.
  // CHECK-LABEL: gpu.func @negative_start
  // CHECK-NOT:     amdgpu.fat_raw_buffer_cast
  gpu.func @negative_start(%x: memref<8x64xf16>, %m: memref<32xi1>, %out: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %front = arith.constant -24 : index
    %zero = arith.constant 0.0 : f16
    %rows = vector.step : vector<32xindex>
    %first = arith.constant dense<24> : vector<32xindex>
    %exists = arith.cmpi sge, %rows, %first : vector<32xindex>
    %0 = vector.broadcast %exists : vector<32xi1> to vector<64x32xi1>
    %mask = vector.transpose %0, [1, 0] : vector<64x32xi1> to vector<32x64xi1>
    %1 = vector.transfer_read %x[%front, %c0], %zero, %mask {in_bounds = [true, true]} : memref<8x64xf16>, vector<32x64xf16>
    vector.transfer_write %1, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // A page of 16 rows is a buffer: 64 lanes read 8 rows of it at once. Its entry is
  // computed from the number of the subgroup. A page that does not exist has no bytes.
  // CHECK-LABEL: gpu.func @pages
  // CHECK-SAME:    %[[POOL:.+]]: memref<?x16x64xf16>, %[[TABLE:.+]]: memref<64xi32>,
  // CHECK:         rocdl.readfirstlane %{{.+}} : i32
  // CHECK-NOT:     rocdl.readfirstlane
  // CHECK:         %[[ENTRY:.+]] = memref.load %[[TABLE]]
  // CHECK:         %[[PAGE:.+]] = arith.index_cast %[[ENTRY]] : i32 to index
  // CHECK:         %[[PAGES:.+]] = memref.dim %[[POOL]], %c0
  // CHECK:         %[[EXISTS:.+]] = arith.cmpi ult, %[[PAGE]], %[[PAGES]]
  // CHECK:         %[[SAFE:.+]] = arith.select %[[EXISTS]], %[[PAGE]], %c0
  // CHECK:         %[[START:.+]] = arith.muli %[[SAFE]], %c1024
  // CHECK:         memref.reinterpret_cast %[[POOL]] to offset: [%[[START]]]
  // CHECK-NOT:     scf.if
  // CHECK-COUNT-2: vector.load %{{.+}}[%{{.+}}] {alignment = 16 : i64} : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>, vector<8xf16>
  gpu.func @pages(%pool: memref<?x16x64xf16>, %table: memref<64xi32>, %out: memref<64x64xf16>, %n: index)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = vector.step : vector<64xindex>
    %four = arith.constant dense<4> : vector<64xindex>
    %low = arith.constant dense<15> : vector<64xindex>
    %all = arith.constant dense<true> : vector<64xi1>
    %none = arith.constant dense<0> : vector<64xi32>
    %number = arith.shrsi %step, %four : vector<64xindex>
    %entry = vector.gather %table[%c0][%number], %all, %none : memref<64xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
    %row = arith.andi %step, %low : vector<64xindex>
    %mask = vector.create_mask %n : vector<64xi1>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%entry, %row : vector<64xi32>, vector<64xindex>) mask(%mask : vector<64xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
         : memref<?x16x64xf16>, vector<64x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.return
  }

  // Entries of keys that the tile does not have are not read. So an entry is right for
  // all rows of its page if it is that of the first row. Rows that are not there have an
  // offset beyond the buffer.
  // CHECK-LABEL: gpu.func @last_pages
  // CHECK-SAME:    %[[N:[^ ]+]]: index)
  // CHECK:         %[[FIRST:.+]] = arith.cmpi slt, %{{.+}}, %[[N]] : index
  // CHECK:         %[[ENTRY:.+]] = memref.load
  // CHECK:         arith.select %[[FIRST]], %[[ENTRY]], %{{.+}} : i32
  // CHECK:         amdgpu.fat_raw_buffer_cast
  // CHECK-NOT:     scf.if
  // CHECK-COUNT-2: vector.load %{{.+}}[%{{.+}}] {alignment = 16 : i64} : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>, vector<8xf16>
  // CHECK:         gpu.return
  gpu.func @last_pages(%pool: memref<?x16x64xf16>, %table: memref<64xi32>, %out: memref<64x64xf16>, %n: index)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = vector.step : vector<64xindex>
    %four = arith.constant dense<4> : vector<64xindex>
    %low = arith.constant dense<15> : vector<64xindex>
    %none = arith.constant dense<0> : vector<64xi32>
    %number = arith.shrsi %step, %four : vector<64xindex>
    %mask = vector.create_mask %n : vector<64xi1>
    %entry = vector.gather %table[%c0][%number], %mask, %none : memref<64xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
    %row = arith.andi %step, %low : vector<64xindex>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%entry, %row : vector<64xi32>, vector<64xindex>) mask(%mask : vector<64xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
         : memref<?x16x64xf16>, vector<64x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.return
  }

  // Rows whose entries have a mask that they do not have themselves: another entry may
  // be that of the first row. And pages of 4 GiB.
  // CHECK-LABEL: gpu.func @negative_entries
  // CHECK-NOT:     amdgpu.fat_raw_buffer_cast
  // CHECK:         gpu.return
  gpu.func @negative_entries(%pool: memref<?x16x64xf16>, %large: memref<?x16x134217728xf16>, %table: memref<64xi32>,
                             %out: memref<64x64xf16>, %n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = vector.step : vector<64xindex>
    %four = arith.constant dense<4> : vector<64xindex>
    %low = arith.constant dense<15> : vector<64xindex>
    %all = arith.constant dense<true> : vector<64xi1>
    %none = arith.constant dense<0> : vector<64xi32>
    %number = arith.shrsi %step, %four : vector<64xindex>
    %mask = vector.create_mask %n : vector<64xi1>
    %some = vector.gather %table[%c0][%number], %mask, %none : memref<64xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
    %entry = vector.gather %table[%c0][%number], %all, %none : memref<64xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
    %row = arith.andi %step, %low : vector<64xindex>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%some, %row : vector<64xi32>, vector<64xindex>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>]}
         : memref<?x16x64xf16>, vector<64x64xf16>
    %1 = vector_ext.transfer_gather %large[%c0, %c0, %c0]
           indices(%entry, %row : vector<64xi32>, vector<64xindex>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>]}
         : memref<?x16x134217728xf16>, vector<64x64xf16>
    %2 = arith.addf %0, %1 : vector<64x64xf16>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.return
  }
}
