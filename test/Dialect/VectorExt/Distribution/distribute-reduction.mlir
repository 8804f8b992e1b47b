// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // Registers of one thread: no other is asked.
  // CHECK-LABEL: gpu.func @registers
  // CHECK: %[[X:.+]] = vector.load %{{.*}} : memref<32x2xf32>, vector<2xf32>
  // CHECK-DAG: %[[A:.+]] = vector.extract %[[X]][0]
  // CHECK-DAG: %[[B:.+]] = vector.extract %[[X]][1]
  // CHECK: %[[SUM:.+]] = arith.addf %[[A]], %[[B]]
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[ACC:.+]] = arith.addf %{{.*}}, %[[SUM]]
  // CHECK: memref.store %[[ACC]]
  gpu.func @registers(%in: memref<32x2xf32>, %init: memref<32xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x2xf32>, vector<32x2xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1] x [register 2:1], lanes = 32, subgroups = 1> : vector<32x2xf32>
    %acc = vector.transfer_read %init[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<32x2xf32> to vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // Lanes: a butterfly over those that have the row.
  // CHECK-LABEL: gpu.func @lanes
  // CHECK: %[[X:.+]] = memref.load
  // CHECK: %[[NEAR:.+]], %{{.+}} = gpu.shuffle xor %[[X]], %c1_i32, %c32_i32
  // CHECK: %[[Y:.+]] = arith.maximumf %[[X]], %[[NEAR]]
  // CHECK: %[[FAR:.+]], %{{.+}} = gpu.shuffle xor %[[Y]], %c2_i32, %c32_i32
  // CHECK: arith.maximumf %[[Y]], %[[FAR]]
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @lanes(%in: memref<8x4xf32>, %out: memref<8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %low = arith.constant dense<0xFF800000> : vector<8xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %2 = vector.multi_reduction <maximumf>, %1, %low [1] : vector<8x4xf32> to vector<8xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  // Of sixteen subgroups each lane loads one part, and they are combined as lanes
  // are.
  // CHECK-LABEL: gpu.func @many_subgroups
  // CHECK: %[[BUFFER:.+]] = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
  // CHECK: gpu.barrier
  // CHECK: memref.store %{{.+}}, %[[BUFFER]]
  // CHECK: gpu.barrier
  // CHECK: %[[PART:.+]] = memref.load %[[BUFFER]][%[[LANE:.+]]]
  // CHECK: %[[NEAR:.+]], %{{.+}} = gpu.shuffle xor %[[PART]], %c1_i32, %c32_i32
  // CHECK: %[[X:.+]] = arith.addf %[[PART]], %[[NEAR]]
  // CHECK: gpu.shuffle xor %[[X]], %c2_i32
  // CHECK: gpu.shuffle xor %{{.+}}, %c4_i32
  // CHECK: gpu.shuffle xor %{{.+}}, %c8_i32
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: memref.load %[[BUFFER]]
  // CHECK: gpu.return
  gpu.func @many_subgroups(%in: memref<512xf32>, %out: memref<1xf32>)
      kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %zero = arith.constant 0.0 : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<512xf32>, vector<512xf32>
    %1 = vector_ext.to_layout %0 to <[subgroup 16:1, lane 32:1], lanes = 32, subgroups = 16> : vector<512xf32>
    %2 = vector.multi_reduction <add>, %1, %zero [0] : vector<512xf32> to f32
    memref.store %2, %out[%c0] : memref<1xf32>
    gpu.return
  }

  // Subgroups: through shared memory, a row for each.
  // CHECK-LABEL: gpu.func @subgroups
  // CHECK: %[[BUFFER:.+]] = memref.alloc() : memref<2x32xf32, #gpu.address_space<workgroup>>
  // CHECK: %[[X:.+]] = memref.load
  // CHECK: gpu.barrier
  // CHECK: memref.store %[[X]], %[[BUFFER]][%[[SUBGROUP:.+]], %[[LANE:.+]]]
  // CHECK: gpu.barrier
  // CHECK: %[[A:.+]] = memref.load %[[BUFFER]][%c0, %[[LANE]]]
  // CHECK: %[[B:.+]] = memref.load %[[BUFFER]][%c1, %[[LANE]]]
  // CHECK: arith.addf %[[A]], %[[B]]
  gpu.func @subgroups(%in: memref<2x32xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x32xf32>, vector<2x32xf32>
    %1 = vector_ext.to_layout %0 to <[subgroup 2:1] x [lane 32:1], lanes = 32, subgroups = 2> : vector<2x32xf32>
    %2 = vector.multi_reduction <add>, %1, %zero [0] : vector<2x32xf32> to vector<32xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // To a scalar, which every thread then has.
  // CHECK-LABEL: gpu.func @scalar
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK: memref.store
  gpu.func @scalar(%in: memref<32xi32>, %out: memref<i32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %0 = vector.transfer_read %in[%c0], %zero {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xi32>
    %2 = vector.reduction <add>, %1 : vector<32xi32> into i32
    memref.store %2, %out[] : memref<i32>
    gpu.return
  }

  // A sum that the next iteration scales and adds to: what lanes have of it is
  // combined behind the loop.
  // CHECK-LABEL: gpu.func @deferred
  // CHECK: %[[PARTS:.+]] = scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.*}}) -> (vector<1xf32>)
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[SCALED:.+]] = arith.mulf %[[ACC]], %{{.*}} : vector<1xf32>
  // CHECK: scf.yield
  // CHECK: %[[PART:.+]] = vector.extract %[[PARTS]][0]
  // CHECK: gpu.shuffle xor %[[PART]], %c1_i32
  // CHECK: gpu.shuffle xor %{{.*}}, %c2_i32
  gpu.func @deferred(%in: memref<8x4xf32>, %out: memref<8xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %half = arith.constant dense<0.5> : vector<8xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<8xf32> {
      %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
      %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
      %scaled = arith.mulf %acc, %half : vector<8xf32>
      %2 = vector.multi_reduction <add>, %1, %scaled [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    vector.transfer_write %r, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  // The same of all of a vector, a scalar.
  // CHECK-LABEL: gpu.func @deferred_scalar
  // CHECK: %[[PARTS:.+]] = scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.*}}) -> (f32)
  // CHECK-NOT: gpu.shuffle
  // CHECK: scf.yield
  // CHECK: gpu.shuffle xor %[[PARTS]], %c1_i32
  // CHECK: %[[ALL:.+]] = arith.maximumf
  // CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
  gpu.func @deferred_scalar(%in: memref<32xf32>, %out: memref<f32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %low = arith.constant 0xFF800000 : f32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %low) -> f32 {
      %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
      %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
      %2 = vector.multi_reduction <maximumf>, %1, %acc [0] : vector<32xf32> to f32
      scf.yield %2 : f32
    }
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // A loop goes on where another one ends, which goes on with one of two sums:
  // lanes are combined behind the last loop only.
  // CHECK-LABEL: gpu.func @deferred_on
  // CHECK-NOT: gpu.shuffle
  // CHECK: scf.if
  // CHECK-NOT: gpu.shuffle
  // CHECK: scf.for
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[PARTS:.+]] = scf.for {{.*}} -> (vector<1xf32>)
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[PART:.+]] = vector.extract %[[PARTS]][0]
  // CHECK: gpu.shuffle xor %[[PART]], %c1_i32
  // CHECK: gpu.shuffle xor %{{.*}}, %c2_i32
  // CHECK-NOT: gpu.shuffle
  // CHECK: gpu.return
  gpu.func @deferred_on(%in: memref<8x4xf32>, %out: memref<8xf32>, %n: index, %condition: i1)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %half = arith.constant dense<0.5> : vector<8xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %first = scf.if %condition -> vector<8xf32> {
      %none = arith.mulf %zero, %half : vector<8xf32>
      %2 = vector.multi_reduction <add>, %1, %none [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    } else {
      %3 = arith.mulf %1, %1 : vector<8x4xf32>
      %2 = vector.multi_reduction <add>, %3, %zero [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> vector<8xf32> {
      %scaled = arith.mulf %acc, %half : vector<8xf32>
      %2 = vector.multi_reduction <add>, %1, %scaled [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> vector<8xf32> {
      %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    vector.transfer_write %b, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  // Not if it starts with something, or is looked at: each lane would have it.
  // CHECK-LABEL: gpu.func @not_deferred
  // CHECK: scf.for
  // CHECK: gpu.shuffle
  // CHECK: scf.yield
  // CHECK: scf.for
  // CHECK: gpu.shuffle
  // CHECK: scf.yield
  gpu.func @not_deferred(%in: memref<8x4xf32>, %out: memref<8xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %one = arith.constant dense<1.0> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> vector<8xf32> {
      %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<8x4xf32> to vector<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<8xf32> {
      %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<8x4xf32> to vector<8xf32>
      vector.transfer_write %acc, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
      scf.yield %2 : vector<8xf32>
    }
    %c = arith.addf %a, %b : vector<8xf32>
    vector.transfer_write %c, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  // Where two groups take turns, a thread combines few terms in two chains.
  // CHECK-LABEL: gpu.func @turns_of_two
  // CHECK: %[[A:.+]] = vector.extract %[[X:.+]][0]
  // CHECK: %[[B:.+]] = vector.extract %[[X]][1]
  // CHECK: %[[C:.+]] = vector.extract %[[X]][2]
  // CHECK: arith.maximumf %[[A]], %[[C]]
  // CHECK: %[[D:.+]] = vector.extract %[[X]][3]
  // CHECK: arith.maximumf %[[B]], %[[D]]
  // CHECK: arith.addf %[[A]], %[[C]]
  // CHECK: arith.addf %[[B]], %[[D]]
  gpu.func @turns_of_two(%in: memref<256x8xf32>, %out: memref<256xf32>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    vector_ext.role first(0) threads(256) {
      %c0 = arith.constant 0 : index
      %pad = ub.poison : f32
      %low = arith.constant dense<0xFF800000> : vector<256xf32>
      %zero = arith.constant dense<0.0> : vector<256xf32>
      vector_ext.turn.take groups(2)
      vector_ext.turn.pass groups(2)
      %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<256x8xf32>, vector<256x8xf32>
      %1 = vector_ext.to_layout %0 to <[subgroup 8:1, lane 32:1] x [register 8:1], lanes = 32, subgroups = 8> : vector<256x8xf32>
      %2 = vector.multi_reduction <maximumf>, %1, %low [1] : vector<256x8xf32> to vector<256xf32>
      %3 = vector.multi_reduction <add>, %1, %zero [1] : vector<256x8xf32> to vector<256xf32>
      %4 = arith.addf %2, %3 : vector<256xf32>
      vector.transfer_write %4, %out[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    }
    gpu.return
  }

  // Many terms: four chains of maxima, and one of a sum.
  // CHECK-LABEL: gpu.func @many_terms
  // CHECK: %[[X:.+]] = vector.load
  // CHECK: %[[Y:.+]] = vector.load
  // CHECK: %[[A:.+]] = vector.extract %[[X]][0]
  // CHECK: %[[B:.+]] = vector.extract %[[X]][1]
  // CHECK: %[[E:.+]] = vector.extract %[[Y]][0]
  // CHECK: arith.maximumf %[[A]], %[[E]]
  // CHECK: arith.addf %[[A]], %[[B]]
  gpu.func @many_terms(%in: memref<256x32xf32>, %out: memref<256xf32>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    vector_ext.role first(0) threads(256) {
      %c0 = arith.constant 0 : index
      %pad = ub.poison : f32
      %low = arith.constant dense<0xFF800000> : vector<256xf32>
      %zero = arith.constant dense<0.0> : vector<256xf32>
      vector_ext.turn.take groups(2)
      vector_ext.turn.pass groups(2)
      %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<256x32xf32>, vector<256x32xf32>
      %1 = vector_ext.to_layout %0 to <[subgroup 8:1, lane 32:1] x [register 32:1], lanes = 32, subgroups = 8> : vector<256x32xf32>
      %2 = vector.multi_reduction <maximumf>, %1, %low [1] : vector<256x32xf32> to vector<256xf32>
      %3 = vector.multi_reduction <add>, %1, %zero [1] : vector<256x32xf32> to vector<256xf32>
      %4 = arith.addf %2, %3 : vector<256xf32>
      vector.transfer_write %4, %out[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    }
    gpu.return
  }

  // Many maxima of three groups have four chains, too.
  // CHECK-LABEL: gpu.func @turns_of_three
  // CHECK: %[[X:.+]] = vector.load
  // CHECK: %[[Y:.+]] = vector.load
  // CHECK: %[[A:.+]] = vector.extract %[[X]][0]
  // CHECK: %[[E:.+]] = vector.extract %[[Y]][0]
  // CHECK: arith.maximumf %[[A]], %[[E]]
  gpu.func @turns_of_three(%in: memref<384x32xf32>, %out: memref<384xf32>)
      kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    vector_ext.role first(0) threads(384) {
      %c0 = arith.constant 0 : index
      %pad = ub.poison : f32
      %low = arith.constant dense<0xFF800000> : vector<384xf32>
      vector_ext.turn.take groups(3)
      vector_ext.turn.pass groups(3)
      %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<384x32xf32>, vector<384x32xf32>
      %1 = vector_ext.to_layout %0 to <[subgroup 12:1, lane 32:1] x [register 32:1], lanes = 32, subgroups = 12> : vector<384x32xf32>
      %2 = vector.multi_reduction <maximumf>, %1, %low [1] : vector<384x32xf32> to vector<384xf32>
      vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<384xf32>, memref<384xf32>
    }
    gpu.return
  }
}
