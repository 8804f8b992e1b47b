// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s --mlir-print-op-generic | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s --emit-bytecode | linalg-ext-opt | FileCheck %s

// Neighbouring digits that are one digit are printed as one, digits of size one
// not at all.

#c = #vector_ext.layout<[subgroup 4:1, register 2:2, lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 4>
#merged = #vector_ext.layout<[lane 4:8, lane 8:1, register 1:7], lanes = 32, subgroups = 1>
#replicated = #vector_ext.layout<[] x [register 10:1], lanes = 64, subgroups = 3>

// CHECK-LABEL: @to_layout
func.func @to_layout(%x: vector<64x8xf32>, %y: vector<32xf16>, %z: vector<1x10xi1>) {
  // CHECK: vector_ext.to_layout %{{.*}} to <[subgroup 4:1, register 2:2, lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 4> : vector<64x8xf32>
  %0 = vector_ext.to_layout %x to #c : vector<64x8xf32>
  // CHECK: vector_ext.to_layout %{{.*}} to <[lane 32:1], lanes = 32, subgroups = 1> shared_memory {note} : vector<32xf16>
  %1 = vector_ext.to_layout %y to #merged shared_memory {note} : vector<32xf16>
  // CHECK: vector_ext.to_layout %{{.*}} to <[] x [register 10:1], lanes = 64, subgroups = 3> : vector<1x10xi1>
  %2 = vector_ext.to_layout %z to #replicated : vector<1x10xi1>
  return
}

// CHECK-LABEL: @mma
func.func @mma(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK: vector_ext.mma "mma.sync.m16n8k16.f32.f16" %{{.*}}, %{{.*}}, %{{.*}} : vector<8xf16>, vector<4xf16>, vector<4xf32>
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: @mma_shared
func.func @mma_shared(%a: vector<8xf16>, %b: memref<512xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK: vector_ext.mma "wgmma.m64n8k16.f32.f16" %{{.*}}, %{{.*}} at <start = 32, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %{{.*}} : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 32, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: @load_matrix
func.func @load_matrix(%m: memref<4096xf16, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK: vector_ext.load_matrix %{{.*}}[%{{.*}}] : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  %0 = vector_ext.load_matrix %m[%i] : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  // CHECK: vector_ext.load_matrix %{{.*}}[%{{.*}}] transpose : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
  %1 = vector_ext.load_matrix %m[%i] transpose : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
  return
}

// CHECK-LABEL: @config
// CHECK-SAME: vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>
func.func @config() attributes {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>} {
  return
}

// CHECK-LABEL: @config_promote
// CHECK-SAME: vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 2], promote = [false, true]>
func.func @config_promote() attributes {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 2], promote = [false, true]>} {
  return
}

// CHECK-LABEL: @transfer_gather
func.func @transfer_gather(%pool: memref<?x16x64xf16>, %tensor: tensor<?x16x64xf16>, %pages: vector<32xi32>, %rows: vector<32xindex>, %mask: vector<32xi1>, %at: index) {
  // CHECK: vector_ext.transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] indices(%{{.*}}, %{{.*}} : vector<32xi32>, vector<32xindex>) mask(%{{.*}} : vector<32xi1>) {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}, #{{.*}}]} : memref<?x16x64xf16>, vector<32x64xf16>
  %0 = vector_ext.transfer_gather %pool[%at, %at, %at] indices(%pages, %rows : vector<32xi32>, vector<32xindex>) mask(%mask : vector<32xi1>)
       {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
       : memref<?x16x64xf16>, vector<32x64xf16>
  // CHECK: vector_ext.transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] {indexing_maps = [#{{.*}}]} : memref<?x16x64xf16>, vector<4x8xf16>
  %1 = vector_ext.transfer_gather %pool[%at, %at, %at] {indexing_maps = [affine_map<(i, j) -> (0, j, i)>]} : memref<?x16x64xf16>, vector<4x8xf16>
  // CHECK: vector_ext.transfer_gather {{.*}} : tensor<?x16x64xf16>, vector<4x8xf16>
  %2 = vector_ext.transfer_gather %tensor[%at, %at, %at] {indexing_maps = [affine_map<(i, j) -> (0, j, i)>]} : tensor<?x16x64xf16>, vector<4x8xf16>
  return
}
