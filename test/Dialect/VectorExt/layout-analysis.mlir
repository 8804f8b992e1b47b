// RUN: linalg-ext-opt %s --vector-ext-distribute=remarks --verify-diagnostics -o /dev/null

// Where the layout of a value changes, how, and at what cost.
#rows = #vector_ext.layout<[lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 1>

gpu.module @kernels {
  // Nothing changes: no remark.
  gpu.func @identity(%in: memref<8x8xf32>, %out: memref<8x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %1 = vector_ext.to_layout %0 to #rows : vector<8x8xf32>
    %2 = vector_ext.to_layout %1 to #rows : vector<8x8xf32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }

  // The accumulator of one mma.sync is the left operand of the next.
  gpu.func @registers(%in: memref<16x16xf16>, %out: memref<16x16xf16>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %1 = vector_ext.to_layout %0 to <[register 2:2, lane 8:4] x [register 2:4, lane 4:1, register 2:1], lanes = 32, subgroups = 1> : vector<16x16xf16>
    // expected-remark @+1 {{layout of 'vector<16x16xf16>' changes by registers, cost 0: from [register 2:2, lane 8:4] x [register 2:4, lane 4:1, register 2:1] to [register 2:4, lane 8:4] x [register 2:2, lane 4:1, register 2:1]}}
    %2 = vector_ext.to_layout %1 to <[register 2:4, lane 8:4] x [register 2:2, lane 4:1, register 2:1], lanes = 32, subgroups = 1> : vector<16x16xf16>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<16x16xf16>
    gpu.return
  }

  // Two shuffles of a word.
  gpu.func @lanes(%in: memref<8x8xf32>, %out: memref<8x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %1 = vector_ext.to_layout %0 to #rows : vector<8x8xf32>
    // expected-remark @+1 {{changes by lanes, cost 4: from [lane 8:4] x [lane 4:1, register 2:1] to [lane 8:1] x [lane 4:8, register 2:1]}}
    %2 = vector_ext.to_layout %1 to <[lane 8:1] x [lane 4:8, register 2:1], lanes = 32, subgroups = 1> : vector<8x8xf32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }

  // Threads have what they need, in registers that differ between them: no
  // shuffle, three selects.
  gpu.func @selects(%in: memref<4xf32>, %out: memref<4xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    %1 = vector_ext.to_layout %0 to <[register 4:1], lanes = 32, subgroups = 1> : vector<4xf32>
    // expected-remark @+1 {{changes by lanes, cost 3: from [register 4:1] to [lane 4:1]}}
    %2 = vector_ext.to_layout %1 to <[lane 4:1], lanes = 32, subgroups = 1> : vector<4xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    gpu.return
  }

  // A row that is repeated in two layouts: the row is converted, and repeated again.
  gpu.func @repeated(%in: memref<32xf32>, %tile: memref<64x32xf32>, %out: memref<64x32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    // expected-remark @+1 {{layout of 'vector<32xf32>' changes by lanes}}
    %row = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %repeated = vector.broadcast %row : vector<32xf32> to vector<64x32xf32>
    %0 = vector.transfer_read %tile[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
    // expected-remark @+1 {{layout of 'vector<64x32xf32>' changes by}}
    %1 = vector_ext.to_layout %0 to <[register 64:1] x [lane 32:1], lanes = 32, subgroups = 1> : vector<64x32xf32>
    %2 = vector_ext.to_layout %0 to <[register 64:4] x [register 4:1, lane 8:1], lanes = 32, subgroups = 1> : vector<64x32xf32>
    %3 = arith.addf %repeated, %1 : vector<64x32xf32>
    %4 = arith.mulf %repeated, %2 : vector<64x32xf32>
    vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    vector.transfer_write %4, %tile[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.return
  }

  // From one subgroup to another.
  gpu.func @shared_memory(%in: memref<64xf32>, %out: memref<64xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %1 = vector_ext.to_layout %0 to <[subgroup 2:1, lane 32:1], lanes = 32, subgroups = 2> : vector<64xf32>
    // expected-remark @+1 {{changes by shared memory, cost 40: from [subgroup 2:1, lane 32:1] to [lane 32:1, subgroup 2:1]}}
    %2 = vector_ext.to_layout %1 to <[lane 32:1, subgroup 2:1], lanes = 32, subgroups = 2> : vector<64xf32>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // Asked for, though it need not.
  gpu.func @promoted(%in: memref<8x8xf32>, %out: memref<8x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %1 = vector_ext.to_layout %0 to #rows : vector<8x8xf32>
    // expected-remark @+1 {{changes by shared memory}}
    %2 = vector_ext.to_layout %1 to <[lane 8:1] x [lane 4:8, register 2:1], lanes = 32, subgroups = 1> shared_memory : vector<8x8xf32>
    vector.transfer_write %2, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }

  // Layouts are asked for once and flow through everything else: the operands
  // of a sum, a row statistic and what it is broadcast to, what a loop carries.
  gpu.func @flow(%in: memref<8x8xf32>, %out: memref<8x8xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %low = arith.constant dense<0xFF800000> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8x8xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %1 = vector_ext.to_layout %0 to #rows : vector<8x8xf32>
    %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %m = %low) -> (vector<8x8xf32>, vector<8xf32>) {
      %new = vector.multi_reduction <maximumf>, %1, %m [1] : vector<8x8xf32> to vector<8xf32>
      %b = vector.broadcast %new : vector<8xf32> to vector<8x8xf32>
      %t = vector.transpose %b, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
      %d = arith.subf %1, %t : vector<8x8xf32>
      %x = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
      %e = arith.addf %d, %x : vector<8x8xf32>
      %next = arith.addf %acc, %e : vector<8x8xf32>
      scf.yield %next, %new : vector<8x8xf32>, vector<8xf32>
    }
    vector.transfer_write %sum, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }

  // What costs nothing to compute anew is not converted: each of the two uses
  // has its own step.
  gpu.func @rematerialized(%a: memref<32xindex>, %b: memref<32xindex>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = vector.step : vector<32xindex>
    %x = vector.transfer_read %a[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
    %0 = vector_ext.to_layout %x to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xindex>
    %1 = arith.addi %0, %step : vector<32xindex>
    vector.transfer_write %1, %a[%c0] {in_bounds = [true]} : vector<32xindex>, memref<32xindex>
    %y = vector.transfer_read %b[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
    %2 = vector_ext.to_layout %y to <[lane 16:2, register 2:1], lanes = 32, subgroups = 1> : vector<32xindex>
    %3 = arith.muli %2, %step : vector<32xindex>
    vector.transfer_write %3, %b[%c0] {in_bounds = [true]} : vector<32xindex>, memref<32xindex>
    gpu.return
  }

  // Of two operands that disagree, the one that is cheaper to convert is: the
  // narrower.
  gpu.func @cheapest(%in: memref<32xf64>, %narrow: memref<32xf16>, %bits: memref<32xi1>, %out: memref<32xf64>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f64
    %false = arith.constant false
    %b = vector.transfer_read %bits[%c0], %false {in_bounds = [true]} : memref<32xi1>, vector<32xi1>
    // expected-remark @+1 {{layout of 'vector<32xi1>' changes by lanes, cost 2: from [lane 8:1, lane 4:8] to [lane 32:1]}}
    %cond = vector_ext.to_layout %b to <[lane 8:1, lane 4:8], lanes = 32, subgroups = 1> : vector<32xi1>
    %x = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf64>, vector<32xf64>
    %0 = vector_ext.to_layout %x to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf64>
    %1 = arith.negf %0 : vector<32xf64>
    %2 = arith.select %cond, %0, %1 : vector<32xi1>, vector<32xf64>
    vector.transfer_write %2, %out[%c0] {in_bounds = [true]} : vector<32xf64>, memref<32xf64>
    gpu.return
  }
}
