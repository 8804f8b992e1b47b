// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

// The layouts differ in the order, or the cut, of dimensions: nothing moves.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @transpose
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%[[I:.+]], %[[J:.+]]]
  // CHECK: memref.store %[[X]], %{{.*}}[%[[J]], %[[I]]]
  gpu.func @transpose(%in: memref<8x4xf32>, %out: memref<4x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %2 = vector.transpose %1, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shape_cast
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<8x4xf32>
  // CHECK: memref.store %[[X]], %{{.*}}[%{{.*}}] : memref<32xf32>
  gpu.func @shape_cast(%in: memref<8x4xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %2 = vector.shape_cast %1 : vector<8x4xf32> to vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A row statistic is held by all lanes of its row.
  // CHECK-LABEL: gpu.func @broadcast_rows
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%{{.*}}] : memref<8xf32>
  // CHECK: %[[Y:.+]] = vector.broadcast %[[X]] : f32 to vector<2xf32>
  // CHECK: vector.store %[[Y]], {{.*}} : memref<8x8xf32>, vector<2xf32>
  gpu.func @broadcast_rows(%in: memref<8xf32>, %out: memref<8x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %1 = vector.broadcast %0 : vector<8xf32> to vector<8x8xf32>
    %2 = vector.transpose %1, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
    %3 = vector_ext.to_layout %2 to <[lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 1> : vector<8x8xf32>
    vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @broadcast_scalar
  // CHECK-SAME: %[[X:[^:]+]]: f32)
  // CHECK: memref.store %[[X]], %{{.*}}[%{{.*}}]
  gpu.func @broadcast_scalar(%out: memref<32xf32>, %x: f32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = vector.broadcast %x : f32 to vector<32xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @elementwise
  // CHECK: %[[X:.+]] = vector.load %{{.*}} : memref<64xf32>, vector<2xf32>
  // CHECK: %[[Y:.+]] = math.exp2 %[[X]] fastmath<nnan> : vector<2xf32>
  // CHECK: %[[B:.+]] = arith.cmpf ogt, %[[Y]], %cst : vector<2xf32>
  // CHECK: %[[Z:.+]] = arith.select %[[B]], %[[X]], %[[Y]] : vector<2xi1>, vector<2xf32>
  // CHECK: vector.store %[[Z]]
  gpu.func @elementwise(%in: memref<64xf32>, %out: memref<64xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %one = arith.constant dense<1.0> : vector<64xf32>
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
    %2 = math.exp2 %1 fastmath<nnan> : vector<64xf32>
    %3 = arith.cmpf ogt, %2, %one : vector<64xf32>
    %4 = arith.select %3, %1, %2 : vector<64xi1>, vector<64xf32>
    vector.transfer_write %4, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // A select of whole vectors by one bit.
  // CHECK-LABEL: gpu.func @select_by_scalar
  // CHECK-SAME: %[[BIT:[^:]+]]: i1)
  // CHECK: arith.select %[[BIT]], %{{.*}}, %cst : vector<2xf32>
  gpu.func @select_by_scalar(%in: memref<64xf32>, %out: memref<64xf32>, %bit: i1)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %one = arith.constant dense<1.0> : vector<64xf32>
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
    %2 = arith.select %bit, %1, %one : vector<64xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // Where the thread is, and a constant for each register.
  // CHECK-LABEL: gpu.func @step
  // CHECK: %[[OFFSETS:.+]] = arith.constant dense<[0, 1]> : vector<2xindex>
  // CHECK: %[[AT:.+]] = arith.muli %{{.*}}, %c2
  // CHECK: %[[ALL:.+]] = vector.broadcast %[[AT]] : index to vector<2xindex>
  // CHECK: arith.addi %[[ALL]], %[[OFFSETS]] : vector<2xindex>
  gpu.func @step(%out: memref<64xindex>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = vector.step : vector<64xindex>
    %1 = vector_ext.to_layout %0 to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xindex>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<64xindex>, memref<64xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @mask_value
  // CHECK-SAME: %[[N:[^:]+]]: index)
  // CHECK: %[[ATLEAST:.+]] = arith.maxsi %[[N]], %c0
  // CHECK: %[[CLAMPED:.+]] = arith.minsi %[[ATLEAST]], %c32
  // CHECK: %[[BOUND:.+]] = arith.index_cast %[[CLAMPED]] : index to i32
  // CHECK: %[[LEFT:.+]] = arith.subi %[[BOUND]], %{{.*}} : i32
  // CHECK: arith.cmpi sgt, %[[LEFT]], %c0_i32 : i32
  // CHECK: %[[X:.+]] = arith.uitofp %{{.*}} : vector<1xi1> to vector<1xf32>
  gpu.func @mask_value(%out: memref<32xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = vector.create_mask %n : vector<32xi1>
    %1 = arith.uitofp %0 : vector<32xi1> to vector<32xf32>
    %2 = vector_ext.to_layout %1 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @splat
  // CHECK: %[[X:.+]] = arith.constant dense<2.500000e+00> : vector<2xf32>
  // CHECK: vector.store %[[X]]
  gpu.func @splat(%out: memref<64xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = arith.constant dense<2.5> : vector<64xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // Other constants are selected by the coordinate of the thread.
  // CHECK-LABEL: gpu.func @constant
  // CHECK: %[[IS3:.+]] = arith.cmpi eq, %[[AT:.+]], %c3
  // CHECK: arith.select %[[IS3]], %cst{{.*}}, %{{.*}} : f32
  gpu.func @constant(%out: memref<4xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 4:1], lanes = 32, subgroups = 1> : vector<4xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    gpu.return
  }

  // The element of an extract is wanted by every thread.
  // CHECK-LABEL: gpu.func @extract_scalar
  // CHECK: %[[X:.+]] = vector.load %{{.*}}[%c0] {{.*}} : memref<4xf32>, vector<4xf32>
  // CHECK: %[[E:.+]] = vector.extract %[[X]][2]
  // CHECK: memref.store %[[E]]
  gpu.func @extract_scalar(%in: memref<4xf32>, %out: memref<1xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    %1 = vector_ext.to_layout %0 to <[register 4:1], lanes = 32, subgroups = 1> : vector<4xf32>
    %2 = vector.extract %1[2] : f32 from vector<4xf32>
    memref.store %2, %out[%c0] : memref<1xf32>
    gpu.return
  }

  // A row whose dimension is in registers is a choice of registers.
  // CHECK-LABEL: gpu.func @extract_row
  // CHECK: %[[R:.+]] = memref.load %{{.*}}[%c1, %[[LANE:.+]]]
  // CHECK: memref.store %[[R]], %{{.*}}[%[[LANE]]]
  gpu.func @extract_row(%in: memref<2x32xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x32xf32>, vector<2x32xf32>
    %1 = vector_ext.to_layout %0 to <[register 2:1] x [lane 32:1], lanes = 32, subgroups = 1> : vector<2x32xf32>
    %2 = vector.extract %1[1] : vector<32xf32> from vector<2x32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A thread whose element is at the position takes what is inserted.
  // CHECK-LABEL: gpu.func @insert
  // CHECK-SAME: %[[V:[^:]+]]: f32)
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%[[LANE:.+]]]
  // CHECK: %[[ISHERE:.+]] = arith.cmpi eq, %[[LANE]], %c7
  // CHECK: %[[Y:.+]] = arith.select %[[ISHERE]], %[[V]], %[[X]] : f32
  // CHECK: memref.store %[[Y]]
  gpu.func @insert(%in: memref<32xf32>, %out: memref<32xf32>, %v: f32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    %2 = vector.insert %v, %1 [7] : f32 into vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @from_elements
  // CHECK-SAME: %[[A:[^:]+]]: f32, %[[B:[^:]+]]: f32)
  // CHECK: %[[IS1:.+]] = arith.cmpi eq, %{{.*}}, %c1
  // CHECK: arith.select %[[IS1]], %[[B]], %[[A]] : f32
  gpu.func @from_elements(%out: memref<2xf32>, %a: f32, %b: f32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = vector.from_elements %a, %b : vector<2xf32>
    %1 = vector_ext.to_layout %0 to <[lane 2:1], lanes = 32, subgroups = 1> : vector<2xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32>
    gpu.return
  }

  // A thread has both elements of a pair, so it stores them together.
  // CHECK-LABEL: gpu.func @interleave
  // CHECK-DAG: %[[A:.+]] = memref.load %{{.*}}[%[[LANE:.+]]] : memref<32xf32>
  // CHECK-DAG: %[[B:.+]] = memref.load %{{.*}}[%[[LANE]]] : memref<32xf32>
  // CHECK: %[[PAIR:.+]] = vector.from_elements %[[A]], %[[B]] : vector<2xf32>
  // CHECK: vector.store %[[PAIR]]
  gpu.func @interleave(%a: memref<32xf32>, %b: memref<32xf32>, %out: memref<64xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %1 = vector.transfer_read %b[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %2 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    %3 = vector.interleave %2, %1 : vector<32xf32> -> vector<64xf32>
    vector.transfer_write %3, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // Lanes have the elements in turn, so a lane has both operands, and selects.
  // CHECK-LABEL: gpu.func @interleave_lanes
  // CHECK-SAME: %[[OUT:[^:]+]]: memref<32xf32>)
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[A:.+]] = memref.load %{{.*}}[%[[HALF:.+]]] : memref<16xf32>
  // CHECK: %[[AV:.+]] = vector.broadcast %[[A]]
  // CHECK: %[[B:.+]] = memref.load %{{.*}}[%[[HALF]]] : memref<16xf32>
  // CHECK: %[[BV:.+]] = vector.broadcast %[[B]]
  // CHECK: %[[XV:.+]] = arith.select %{{.*}}, %[[BV]], %[[AV]]
  // CHECK: %[[X:.+]] = vector.extract %[[XV]]
  // CHECK: memref.store %[[X]], %[[OUT]]
  gpu.func @interleave_lanes(%a: memref<16xf32>, %b: memref<16xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %1 = vector.transfer_read %b[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %2 = vector.interleave %0, %1 : vector<16xf32> -> vector<32xf32>
    %3 = vector_ext.to_layout %2 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %3, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @deinterleave
  // CHECK: %[[PAIR:.+]] = vector.load %{{.*}} : memref<64xf32>, vector<2xf32>
  // CHECK-DAG: %[[A:.+]] = vector.extract %[[PAIR]][0]
  // CHECK-DAG: %[[B:.+]] = vector.extract %[[PAIR]][1]
  // CHECK-DAG: memref.store %[[A]], %{{.*}}[%[[LANE:.+]]] : memref<32xf32>
  // CHECK-DAG: memref.store %[[B]], %{{.*}}[%[[LANE]]] : memref<32xf32>
  gpu.func @deinterleave(%in: memref<64xf32>, %a: memref<32xf32>, %b: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %1, %2 = vector.deinterleave %0 : vector<64xf32> -> vector<32xf32>
    %3 = vector_ext.to_layout %1 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %3, %a[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A thread has all parts of an element, so it stores them together.
  // CHECK-LABEL: gpu.func @bitcast_narrow
  // CHECK: %[[A:.+]] = memref.load %{{.*}} : memref<32xi32>
  // CHECK: %[[WIDE:.+]] = vector.broadcast %[[A]] : i32 to vector<1xi32>
  // CHECK: %[[PARTS:.+]] = vector.bitcast %[[WIDE]] : vector<1xi32> to vector<4xi8>
  // CHECK: vector.store %[[PARTS]], %{{.*}} : memref<128xi8>, vector<4xi8>
  gpu.func @bitcast_narrow(%in: memref<32xi32>, %out: memref<128xi8>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : i32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xi32>
    %2 = vector.bitcast %1 : vector<32xi32> to vector<128xi8>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<128xi8>, memref<128xi8>
    gpu.return
  }

  // Nothing moves in the other direction, either.
  // CHECK-LABEL: gpu.func @bitcast_wide
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[PARTS:.+]] = vector.load %{{.*}} : memref<64xf16>, vector<2xf16>
  // CHECK: vector.bitcast %[[PARTS]] : vector<2xf16> to vector<1xi32>
  gpu.func @bitcast_wide(%in: memref<64xf16>, %out: memref<32xi32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf16>, vector<64xf16>
    %1 = vector.bitcast %0 : vector<64xf16> to vector<32xi32>
    %2 = vector_ext.to_layout %1 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xi32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
    gpu.return
  }

  // Lanes have the parts in turn: they cannot make them of whole elements, so words
  // are exchanged, of which each lane takes its part.
  // CHECK-LABEL: gpu.func @negative_bitcast_parts_in_lanes
  // CHECK: {{gpu.shuffle|gpu.barrier}}
  // CHECK: vector.bitcast %{{.*}} : vector<1xi32> to vector<2xi16>
  gpu.func @negative_bitcast_parts_in_lanes(%in: memref<16xi32>, %out: memref<32xi16>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : i32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
    %1 = vector.bitcast %0 : vector<16xi32> to vector<32xi16>
    %2 = vector_ext.to_layout %1 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xi16>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xi16>, memref<32xi16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bitcast_same_width
  // CHECK: vector.bitcast %{{.*}} : vector<1xf32> to vector<1xi32>
  gpu.func @bitcast_same_width(%in: memref<4x8xf32>, %out: memref<4x8xi32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.bitcast %0 : vector<4x8xf32> to vector<4x8xi32>
    %2 = vector_ext.to_layout %1 to <[lane 4:8] x [lane 8:1], lanes = 32, subgroups = 1> : vector<4x8xi32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xi32>, memref<4x8xi32>
    gpu.return
  }

  // The slice is one of two halves. Each lane has an element of both.
  // CHECK-LABEL: gpu.func @slice_half
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[AT:.+]] = arith.addi %[[LANE:.+]], %c32
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%[[AT]]] : memref<64xf32>
  // CHECK: memref.store %[[X]], %{{.*}}[%[[LANE]]] : memref<32xf32>
  gpu.func @slice_half(%in: memref<64xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [32], sizes = [32], strides = [1]} : vector<64xf32> to vector<32xf32>
    %2 = vector_ext.to_layout %1 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // The layout of the source decides: its slowest registers are four parts.
  // CHECK-LABEL: gpu.func @slice_follows_source
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[X:.+]] = vector.load %{{.*}} : memref<4x64xf32>, vector<2xf32>
  // CHECK-NEXT: vector.store %[[X]], %{{.*}} : memref<4x16xf32>, vector<2xf32>
  gpu.func @slice_follows_source(%in: memref<4x64xf32>, %out: memref<4x16xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x64xf32>, vector<4x64xf32>
    %1 = vector_ext.to_layout %0 to <[lane 4:8] x [register 4:2, lane 8:1, register 2:1], lanes = 32, subgroups = 1> : vector<4x64xf32>
    %2 = vector.extract_strided_slice %1 {offsets = [0, 16], sizes = [4, 16], strides = [1, 1]} : vector<4x64xf32> to vector<4x16xf32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, memref<4x16xf32>
    gpu.return
  }

  // Two columns of five are no part of equal parts. Each lane has a row as a whole.
  // CHECK-LABEL: gpu.func @slice_between
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%[[ROW:.+]], %c1] : memref<32x5xf32>
  // CHECK: %[[Y:.+]] = memref.load %{{.*}}[%[[ROW]], %c2] : memref<32x5xf32>
  // CHECK: %[[PAIR:.+]] = vector.from_elements %[[X]], %[[Y]]
  // CHECK: vector.store %[[PAIR]], %{{.*}}[%[[ROW]], %c0]
  gpu.func @slice_between(%in: memref<32x5xf32>, %out: memref<32x2xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x5xf32>, vector<32x5xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [0, 1], sizes = [32, 2], strides = [1, 1]} : vector<32x5xf32> to vector<32x2xf32>
    vector.transfer_write %1, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x2xf32>, memref<32x2xf32>
    gpu.return
  }

  // Each lane has a column of both operands. The last row is poison, so it may be any.
  // CHECK-LABEL: gpu.func @shuffle_rows
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK-DAG: %[[X0:.+]] = memref.load %{{.*}}[%c0, %[[LANE:.+]]] : memref<2x32xf32>
  // CHECK-DAG: %[[X1:.+]] = memref.load %{{.*}}[%c1, %[[LANE]]] : memref<2x32xf32>
  // CHECK: %[[Y:.+]] = math.exp2 %{{.*}} : vector<2xf32>
  // CHECK: %[[Y1:.+]] = vector.extract %[[Y]][1]
  // CHECK: memref.store %[[Y1]], %{{.*}}[%c0, %[[LANE]]]
  // CHECK: memref.store %[[X0]], %{{.*}}[%c1, %[[LANE]]]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%c2, %[[LANE]]]
  gpu.func @shuffle_rows(%in: memref<2x32xf32>, %out: memref<3x32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x32xf32>, vector<2x32xf32>
    %1 = math.exp2 %0 : vector<2x32xf32>
    %2 = vector.shuffle %0, %1 [3, 0, -1] : vector<2x32xf32>, vector<2x32xf32>
    %3 = vector_ext.to_layout %2 to <[register 3:1] x [lane 32:1], lanes = 32, subgroups = 1> : vector<3x32xf32>
    vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<3x32xf32>, memref<3x32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shuffle_scalars
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[] : memref<f32>
  // CHECK: %[[EXP:.+]] = math.exp2
  // CHECK: %[[Y:.+]] = vector.extract %[[EXP]][0]
  // CHECK: vector.from_elements %[[Y]], %[[X]] : vector<2xf32>
  gpu.func @shuffle_scalars(%in: memref<f32>, %out: memref<2xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[], %pad : memref<f32>, vector<f32>
    %1 = math.exp2 %0 : vector<f32>
    %2 = vector.shuffle %0, %1 [1, 0] : vector<f32>, vector<f32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32>
    gpu.return
  }
}

// Vectors of the host that constants and scalars tell are computed in the kernel, each
// behind its operands.

// CHECK-LABEL: func @of_the_host
// CHECK-SAME: %[[X:[a-z0-9]+]]: index
// CHECK: gpu.launch
// CHECK: %[[B:.+]] = vector.broadcast %[[X]] : index to vector<2xindex>
// CHECK: %[[SUM:.+]] = arith.addi %[[B]], %{{.*}} : vector<2xindex>
// CHECK: %[[PRODUCT:.+]] = arith.muli %[[SUM]], %[[B]] : vector<2xindex>
// CHECK: vector.store %[[PRODUCT]]
func.func @of_the_host(%x: index, %out: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = vector.step : vector<64xindex>
  %1 = vector.broadcast %x : index to vector<64xindex>
  %2 = arith.addi %1, %0 : vector<64xindex>
  %3 = arith.muli %2, %1 : vector<64xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%lx = %c32, %ly = %c1, %lz = %c1) {
    vector.transfer_write %3, %out[%c0] {in_bounds = [true]} : vector<64xindex>, memref<64xindex>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @bits_of_indices
// CHECK: %[[X:.+]] = vector.load %{{.*}} : memref<64xindex>, vector<2xindex>
// CHECK: %[[Y:.+]] = vector.bitcast %[[X]] : vector<2xindex> to vector<2xi64>
// CHECK: vector.store %[[Y]]
func.func @bits_of_indices(%in: memref<64xindex>, %out: memref<64xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%lx = %c32, %ly = %c1, %lz = %c1) {
    %0 = vector.transfer_read %in[%c0], %c0 {in_bounds = [true]} : memref<64xindex>, vector<64xindex>
    %1 = vector.bitcast %0 : vector<64xindex> to vector<64xi64>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<64xi64>, memref<64xi64>
    gpu.terminator
  }
  return
}
