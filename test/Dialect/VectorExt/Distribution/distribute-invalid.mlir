// RUN: linalg-ext-opt %s --vector-ext-distribute --split-input-file --verify-diagnostics
// RUN: not linalg-ext-opt %s --vector-ext-distribute --split-input-file --mlir-print-ir-after-failure 2>&1 | FileCheck %s

// What cannot be distributed is an error at the op, and leaves the kernel as it
// was: with its vectors, and without anything new.

// CHECK:     IR Dump After VectorExtDistributePass Failed
// CHECK-NOT: gpu.thread_id
// CHECK-NOT: memref.alloc()

gpu.module @kernels {
  // expected-error @+1 {{'gpu.func' op expected a constant block size of one dimension to distribute vectors}}
  gpu.func @no_block_size(%out: memref<32xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected a constant block size of one dimension to distribute vectors}}
  gpu.func @two_dimensions(%out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    gpu.return
  }
}

// -----

func.func @dynamic_block_size(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch' op expected a constant block size of one dimension to distribute vectors}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected a block of a multiple of 32 threads, got 48}}
  gpu.func @block_size(%out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @scalable(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{'vector.broadcast' op has a scalable vector, 'vector<[4]xf32>', which cannot be distributed}}
    %0 = vector.broadcast %x : f32 to vector<[4]xf32>
    %1 = arith.addf %0, %0 : vector<[4]xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @element_type(%out: memref<32xi128>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'arith.constant' op has a vector of elements that are no numbers of up to 64 bits, 'vector<32xi128>', which cannot be distributed}}
    %0 = arith.constant dense<0> : vector<32xi128>
    vector.transfer_write %0, %out[%c0] : vector<32xi128>, memref<32xi128>
    gpu.return
  }
}

// -----

func.func @from_outside(%in: memref<32xf32>, %out: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f32
  %x = vector.transfer_read %in[%c0], %pad : memref<32xf32>, vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{'vector.transfer_write' op takes a vector, 'vector<32xf32>', that is computed outside of its workgroup}}
    vector.transfer_write %x, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @from_an_argument(%x: vector<32xf32>, %out: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{takes a vector, 'vector<32xf32>', that is computed outside of its workgroup}}
    vector.transfer_write %x, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{'gpu.func' op has an argument that is a vector, 'vector<32xf32>', which cannot be distributed}}
  gpu.func @argument(%x: vector<32xf32>, %out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    vector.transfer_write %x, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown_op(%in: memref<32xf32>, %out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %in[%c0], %pad : memref<32xf32>, vector<32xf32>
    %mask = vector.constant_mask [4] : vector<32xi1>
    // expected-error @+1 {{'vector.compressstore' op on vectors cannot be distributed to the threads of a workgroup: it does not implement LayoutOpInterface}}
    vector.compressstore %out[%c0], %mask, %0 : memref<32xf32>, vector<32xi1>, vector<32xf32>
    gpu.return
  }
}

// -----

// A vector that a region takes in other ways than scf.for and scf.if do.
gpu.module @kernels {
  gpu.func @while(%in: memref<32xf32>, %bit: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant dense<0.0> : vector<32xf32>
    // expected-error @+1 {{'scf.while' op on vectors cannot be distributed to the threads of a workgroup}}
    %0 = scf.while (%x = %zero) : (vector<32xf32>) -> vector<32xf32> {
      scf.condition(%bit) %x : vector<32xf32>
    } do {
    ^bb0(%y: vector<32xf32>):
      scf.yield %y : vector<32xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @memory_of_vectors(%in: memref<4xvector<4xf32>>, %out: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'memref.load' op on vectors cannot be distributed to the threads of a workgroup}}
    %0 = memref.load %in[%c0] : memref<4xvector<4xf32>>
    vector.transfer_write %0, %out[%c0] : vector<4xf32>, memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @subgroups(%in: memref<32xf32>, %out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %in[%c0], %pad : memref<32xf32>, vector<32xf32>
    // expected-error @+1 {{'vector_ext.to_layout' op expected a layout for 2 subgroups of 32 lanes, got 1 of 32}}
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %1, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown_instruction(%in: memref<16x16xf16>, %out: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
    // expected-error-re @+1 {{expected the name of a known instruction in 'vector_ext.config' ({{.*}}mma.sync.m16n8k16.f32.f16{{.*}}), got 'mma.sink'}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sink", subgroups = [1, 1]>
    } %0, %0, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @element_types(%in: memref<16x16xf32>, %out: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
    // expected-error @+1 {{does not fit its config: the instruction is for other element types}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 1]>
    } %0, %0, %zero : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @tile(%in: memref<16x16xf16>, %out: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
    // expected-error @+1 {{does not fit its config: a tile of 16 x 16 x 16 is not a multiple of 32 x 8 x 16, the instruction by the subgroups}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [2, 1]>
    } %0, %0, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @too_many_subgroups(%in: memref<16x16xf16>, %out: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
    // expected-error @+1 {{does not fit its config: 1 x 2 x 1 subgroups do not divide the 1 of the workgroup}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 2]>
    } %0, %0, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @batch(%in: memref<2x16x16xf16>, %out: memref<2x16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<2x16x16xf32>
    %0 = vector.transfer_read %in[%c0, %c0, %c0], %pad : memref<2x16x16xf16>, vector<2x16x16xf16>
    // expected-error @+1 {{does not fit its config: 2 parts of 1 x 1 x 1 subgroups do not divide the 1 of the workgroup}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 1]>
    } %0, %0, %zero : vector<2x16x16xf16>, vector<2x16x16xf16> into vector<2x16x16xf32>
    vector.transfer_write %1, %out[%c0, %c0, %c0] : vector<2x16x16xf32>, memref<2x16x16xf32>
    gpu.return
  }
}

// -----

// An operand in shared memory is that of all columns.
gpu.module @kernels {
  gpu.func @columns(%in: memref<64x64xf16>, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{does not fit its config: the columns of an operand in shared memory cannot be shared by 2 subgroups}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 2]>
    } %0, %0, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @lanes(%in: memref<32x32xf16>, %out: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<32x32xf16>, vector<32x32xf16>
    // expected-error @+1 {{does not fit its config: expected 64 lanes in a subgroup, got 32}}
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m32n32k8.f32.f16", subgroups = [1, 1]>
    } %0, %0, %zero : vector<32x32xf16>, vector<32x32xf16> into vector<32x32xf32>
    vector.transfer_write %1, %out[%c0, %c0] : vector<32x32xf32>, memref<32x32xf32>
    gpu.return
  }
}

// -----

// Written by one thread, it would be read by another one that never wrote it.

gpu.module @kernels {
  gpu.func @buffer_of_a_thread(%n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<1.0> : vector<32xf32>
    // expected-error @+1 {{'memref.alloc' op would give every thread a buffer of its own, expected one in shared memory, got 'memref<?xf32>'}}
    %m = memref.alloc(%n) : memref<?xf32>
    vector.transfer_write %v, %m[%c0] : vector<32xf32>, memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @scalar_product(%in: memref<32xf32>, %out: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %in[%c0], %pad : memref<32xf32>, vector<32xf32>
    // expected-error @+1 {{'vector.contract' op to a scalar cannot be distributed}}
    %1 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                          iterator_types = ["reduction"], kind = #vector.kind<add>}
        %0, %0, %pad : vector<32xf32>, vector<32xf32> into f32
    memref.store %1, %out[] : memref<f32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @transfer_of_vectors(%in: memref<8xvector<4xf32>>, %out: memref<8x4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @+1 {{'vector.transfer_read' op expected a memref of scalars to distribute, got 'memref<8xvector<4xf32>>'}}
    %0 = vector.transfer_read %in[%c0], %pad : memref<8xvector<4xf32>>, vector<8x4xf32>
    vector.transfer_write %0, %out[%c0, %c0] : vector<8x4xf32>, memref<8x4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @gather_from_tensor(%in: tensor<64xf32>, %out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %where = arith.constant dense<3> : vector<32xindex>
    %mask = arith.constant dense<true> : vector<32xi1>
    %pass = arith.constant dense<0.0> : vector<32xf32>
    // expected-error @+1 {{'vector.gather' op expected a memref to distribute, got 'tensor<64xf32>'}}
    %0 = vector.gather %in[%c0] [%where], %mask, %pass : tensor<64xf32>, vector<32xindex>, vector<32xi1>, vector<32xf32> into vector<32xf32>
    vector.transfer_write %0, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @resource(%out: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'arith.constant' op expected dense elements to distribute}}
    %0 = arith.constant dense_resource<four> : vector<4xf32>
    vector.transfer_write %0, %out[%c0] : vector<4xf32>, memref<4xf32>
    gpu.return
  }
}

{-#
  dialect_resources: {
    builtin: { four: "0x040000000000803F000000400000404000008040" }
  }
#-}

// -----

gpu.module @kernels {
  gpu.func @unknown_position(%in: memref<4x32xf32>, %n: index, %out: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad : memref<4x32xf32>, vector<4x32xf32>
    // expected-error @+1 {{'vector.extract' op at a position that is not known cannot be distributed}}
    %1 = vector.extract %0[%n] : vector<32xf32> from vector<4x32xf32>
    vector.transfer_write %1, %out[%c0] : vector<32xf32>, memref<32xf32>
    gpu.return
  }
}

// -----

#s = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// Threads have nothing of a tile that an instruction reads in place.
gpu.module @kernels {
  gpu.func @shared_tile_in_registers(%out: memref<64x64xf16>) workgroup(%m : memref<4096xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{expected asynchronous contractions, with a right operand in shared memory, as users}}
    %0 = vector_ext.shared_tile %m in #s : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
    } %0, %0, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %2 = arith.truncf %1 : vector<64x64xf32> to vector<64x64xf16>
    // expected-note @+1 {{got this one}}
    %3 = arith.addf %2, %0 : vector<64x64xf16>
    vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.return
  }
}

// -----

#s = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#s3 = #vector_ext.shared<[64, 64, 1], order = [0, 1, 2], bits = 16, panel = 1, padding = 0, swizzle = [0, 0, 0]>

gpu.module @kernels {
  gpu.func @shared_tile_rank(%out: memref<64x64x1xf32>) workgroup(%m : memref<4096xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<64x64x1xf32>
    // expected-error @+1 {{expected a matrix as the operand of an instruction, got 'vector<64x64x1xf16>'}}
    %a = vector_ext.shared_tile %m in #s3 : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64x1xf16>
    %b = vector_ext.shared_tile %m in #s : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %0 = vector.contract {
      indexing_maps = [affine_map<(u, m, n, k) -> (m, k, u)>, affine_map<(u, m, n, k) -> (k, n)>, affine_map<(u, m, n, k) -> (m, n, u)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
    } %a, %b, %zero : vector<64x64x1xf16>, vector<64x64xf16> into vector<64x64x1xf32>
    vector.transfer_write %0, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<64x64x1xf32>, memref<64x64x1xf32>
    gpu.return
  }
}

// -----

// The instruction reads its right operand from registers that threads store: it
// is not waited for apart.

gpu.module @kernels {
  gpu.func @awaited(%a: memref<64x16xf16>, %b: memref<16x8xf16>, %c: memref<64x8xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<64x8xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
            vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n8k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %zero : vector<64x16xf16>, vector<16x8xf16> into vector<64x8xf32>
    // expected-error @+1 {{expected to be the only user of a contraction whose instruction is asynchronous and reads its right operand from shared memory}}
    %1 = vector_ext.await %0 : vector<64x8xf32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x8xf32>, memref<64x8xf32>
    gpu.return
  }
}

// -----

// The second subgroup has the rows of the first one, too.
func.func @write_parts(%a: memref<64x64xf16>, %m: memref<4096xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %t = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{expected each of 2 subgroups to hold the part of the tile with its number}}
    vector_ext.write_tile %t, %m in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> : vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// Three subgroups have no such bits.
gpu.module @kernels {
  gpu.func @load_tile(%out: memref<96x64xf16>) workgroup(%m : memref<6144xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected addresses that are sums or XORs of bits of the number of a thread}}
    %0 = vector_ext.shared_tile %m in <[96, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> : memref<6144xf16, #gpu.address_space<workgroup>>, vector<96x64xf16>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<96x64xf16>, memref<96x64xf16>
    gpu.return
  }
}

// -----

// Three subgroups have no such bits.
func.func @write_tile(%a: memref<96x64xf16>, %m: memref<6144xf16, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c96, %sy = %c1, %sz = %c1) {
    %barriers = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    %t = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<96x64xf16>, vector<96x64xf16>
    // expected-error @+1 {{expected addresses that are sums or XORs of bits of the number of a thread}}
    vector_ext.write_tile %t, %m in <[96, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%c0] : vector<96x64xf16>, memref<6144xf16, #gpu.address_space<workgroup>>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// A buffer that roles share, outside of them.

gpu.module @kernels {
  gpu.func @buffer_of_roles(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    // expected-error @+1 {{'memref.alloca' op would give every thread a buffer of its own, expected one in shared memory, got 'memref<64xf32>'}}
    %a = memref.alloca() : memref<64xf32>
    vector_ext.role first(0) threads(128) {
      %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    }
    vector_ext.role first(128) threads(128) {
      %v = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    }
    gpu.return
  }
}
