// RUN: linalg-ext-opt %s --vector-ext-distribute=matrix-loads --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s --check-prefix=NONE

// Lanes load four neighbouring booleans of a row, pack them, and exchange halves of
// words for those of an accumulator.

#s = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#bytes = #vector_ext.shared<[64, 64], order = [0, 1], bits = 8, panel = 64, padding = 0, swizzle = [2, 4, 3]>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @booleans
  //  CHECK-SAME: workgroup(%[[B:.+]] : memref<4096xf16, #gpu.address_space<workgroup>>, %[[MASK:.+]] : memref<4096xi8, #gpu.address_space<workgroup>>)
  //       CHECK: %[[L0:.+]] = vector_ext.load_matrix %[[MASK]][%{{.+}}] : memref<4096xi8, #gpu.address_space<workgroup>> -> vector<16xi8>
  //       CHECK: %[[P0:.+]] = vector.extract_strided_slice %[[L0]] {offsets = [0], sizes = [4], strides = [1]}
  //       CHECK: vector.bitcast %[[P0]] : vector<4xi8> to vector<1xi32>
  //       CHECK: %[[L1:.+]] = vector_ext.load_matrix %[[MASK]]
  //   CHECK-NOT: vector_ext.load_matrix
  //       CHECK: %[[HALF:.+]] = arith.shli %{{.+}}, %c4_i32
  //  CHECK-NEXT: %[[PACKED:.+]] = arith.addi %{{.+}}, %[[HALF]]
  //  CHECK-NEXT: %[[LOW:.+]], %{{.+}} = gpu.shuffle{{ +}}idx %[[PACKED]]
  //       CHECK: %[[HIGH:.+]], %{{.+}} = gpu.shuffle{{ +}}idx %[[PACKED]]
  //       CHECK: %[[WORD:.+]] = arith.ori
  //       CHECK: %[[ALL:.+]] = vector.broadcast %[[WORD]] : i32 to vector<32xi32>
  //       CHECK: %[[BITS:.+]] = arith.shrui %[[ALL]]
  //       CHECK: arith.trunci %{{.+}} : vector<32xi32> to vector<32xi1>
  //   CHECK-NOT: vector.load %[[MASK]]
  //       CHECK: gpu.return

  // Without instructions for matrices, and without a promise that bytes are 0 or 1, threads load
  // what they have.
  //  NONE-LABEL: gpu.func @booleans
  //    NONE-NOT: vector_ext.load_matrix
  //        NONE: vector.load %{{.+}} : memref<4096xi8, #gpu.address_space<workgroup>>, vector<2xi8>
  gpu.func @booleans(%a: memref<64x64xf16>, %c: memref<64x64xf32>)
      workgroup(%b : memref<4096xf16, #gpu.address_space<workgroup>>, %m : memref<4096xi8, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %hidden = arith.constant dense<0xFF800000> : vector<64x64xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector_ext.shared_tile %b in #s : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %tile = vector_ext.shared_tile %m in #bytes : memref<4096xi8, #gpu.address_space<workgroup>>, vector<64x64xi8>
    %scores = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %bits = arith.trunci %tile overflow<nuw> : vector<64x64xi8> to vector<64x64xi1>
    %visible = arith.select %bits, %scores, %hidden : vector<64x64xi1>, vector<64x64xf32>
    vector.transfer_write %visible, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }

  // Bytes may have other bits, which would be added to those of neighbours.
  // CHECK-LABEL: gpu.func @negative_bytes
  //   CHECK-NOT: vector_ext.load_matrix
  //       CHECK: vector.load %{{.+}} : memref<4096xi8, #gpu.address_space<workgroup>>, vector<2xi8>
  //   CHECK-NOT: vector_ext.load_matrix
  //       CHECK: gpu.return
  gpu.func @negative_bytes(%a: memref<64x64xf16>, %c: memref<64x64xf32>)
      workgroup(%b : memref<4096xf16, #gpu.address_space<workgroup>>, %m : memref<4096xi8, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %hidden = arith.constant dense<0xFF800000> : vector<64x64xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector_ext.shared_tile %b in #s : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %tile = vector_ext.shared_tile %m in #bytes : memref<4096xi8, #gpu.address_space<workgroup>>, vector<64x64xi8>
    %scores = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %bits = arith.trunci %tile : vector<64x64xi8> to vector<64x64xi1>
    %visible = arith.select %bits, %scores, %hidden : vector<64x64xi1>, vector<64x64xf32>
    vector.transfer_write %visible, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
