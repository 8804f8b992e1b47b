// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 'register', 'lane' or 'subgroup', got 'warp'}}
#layout = #vector_ext.layout<[warp 4:1], lanes = 32, subgroups = 4>

// -----

// (L1)
// expected-error @+1 {{expected a positive size and stride, got 'lane 8:0'}}
#layout = #vector_ext.layout<[lane 8:0], lanes = 32, subgroups = 1>

// -----

// (L2)
// expected-error @+1 {{'lane 4:4' overlaps the faster digits of its axis, which end at 8}}
#layout = #vector_ext.layout<[lane 8:1] x [lane 4:4], lanes = 32, subgroups = 1>

// -----

// (L3)
// expected-error @+1 {{the digits of the lanes end at 64, which does not divide their number, 32}}
#layout = #vector_ext.layout<[lane 64:1], lanes = 32, subgroups = 1>

// -----

// (L4)
// expected-error @+1 {{'register 2:2' leaves a gap: expected stride 1}}
#layout = #vector_ext.layout<[register 2:2], lanes = 32, subgroups = 1>

// -----

func.func @config_subgroups() {
  // expected-error @+1 {{expected two positive numbers of subgroups, got [4, 0]}}
  gpu.barrier {vector_ext.config = #vector_ext.contract_config<intrinsic = "a", subgroups = [4, 0]>}
  return
}

// -----

func.func @config_subgroups_number() {
  // expected-error @+1 {{expected two positive numbers of subgroups, got [4]}}
  gpu.barrier {vector_ext.config = #vector_ext.contract_config<intrinsic = "a", subgroups = [4]>}
  return
}

// -----

func.func @config_runs() {
  // expected-error @+1 {{expected 'runs' to be "k", "k4", "k8", "n", "kn" or "k4n", got "m"}}
  gpu.barrier {vector_ext.config = #vector_ext.contract_config<intrinsic = "a", subgroups = [4, 1], promote = [false, false], runs = "m">}
  return
}

// -----

func.func @config_promote() {
  // expected-error @+1 {{expected 'promote' of two operands, got 1}}
  gpu.barrier {vector_ext.config = #vector_ext.contract_config<intrinsic = "a", subgroups = [4, 1], promote = [true]>}
  return
}

// -----

// expected-error @+1 {{unknown attribute 'vector_ext.confg' of the dialect 'vector_ext', expected 'vector_ext.config' or 'vector_ext.buffers'}}
func.func @unknown_attribute() attributes {vector_ext.confg} {
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.holds_left' to have no value, got true}}
func.func @holds_left() attributes {vector_ext.holds_left = true} {
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.kernel' to have the integers 'number', 'slots' and 'threads', the boolean 'rotate' and the string 'way' (sync, async or roles), and at most the integers 'persist' and 'groups' besides, got {way = "late"}}}
func.func @kernel() attributes {vector_ext.kernel = {way = "late"}} {
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.refused' to be an array of values of 'vector_ext.kernel', got [{}]}}
module attributes {vector_ext.refused = [{}]} {
}

// -----

// expected-error @+1 {{expected 'vector_ext.config' to be a #vector_ext.contract_config, got 4 : i64}}
func.func @config_kind() attributes {vector_ext.config = 4} {
  return
}

// -----

// (C1)
func.func @to_layout_shape(%x: vector<32x2xf32>) {
  // expected-error @+1 {{'vector_ext.to_layout' op expected a layout of the vector's shape [32, 2], got [32]}}
  %0 = vector_ext.to_layout %x to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32x2xf32>
  return
}

// -----

// (C1)
func.func @mma_name(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{'vector_ext.mma' op expected the name of a known instruction (}}
  %d = vector_ext.mma "mma.sink" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

// (C2)
func.func @mma_lhs(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'lhs' to be 'vector<8xf16>', got 'vector<4xf16>'}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

func.func @mma_rhs(%a: vector<8xf16>, %b: vector<4xbf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'rhs' to be 'vector<4xf16>', got 'vector<4xbf16>'}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xbf16>, vector<4xf32>
  return
}

// -----

func.func @mma_rhs_memref(%a: vector<8xf16>, %b: memref<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'rhs' to be 'vector<4xf16>', got 'memref<4xf16>'}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, memref<4xf16>, vector<4xf32>
  return
}

// -----

func.func @mma_acc(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf16>) {
  // expected-error @+1 {{expected 'acc' to be 'vector<4xf32>', got 'vector<4xf16>'}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf16>
  return
}

// -----

// (C1)
func.func @load_matrix_rank(%m: memref<64x64xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 'base' of one dimension, got 'memref<64x64xf16, #gpu.address_space<workgroup>>'}}
  %0 = vector_ext.load_matrix %m[%i] : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  return
}

// -----

// (C1)
func.func @load_matrix_space(%m: memref<64xf16>, %i: index) {
  // expected-error @+1 {{expected 'base' in the workgroup's memory, got 'memref<64xf16>'}}
  %0 = vector_ext.load_matrix %m[%i] : memref<64xf16> -> vector<2xf16>
  return
}

// -----

// (C2)
func.func @load_matrix_type(%m: memref<64xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected elements of type 'f16', got 'vector<2xbf16>'}}
  %0 = vector_ext.load_matrix %m[%i] : memref<64xf16, #gpu.address_space<workgroup>> -> vector<2xbf16>
  return
}

// -----

func.func @load_matrix_index(%m: memref<64xindex, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected elements that are numbers, got 'vector<2xindex>'}}
  %0 = vector_ext.load_matrix %m[%i] : memref<64xindex, #gpu.address_space<workgroup>> -> vector<2xindex>
  return
}

// -----

// (C2)
func.func @load_matrix_words(%m: memref<64xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 1, 2 or 4 words of 32 bits, got 96 bits}}
  %0 = vector_ext.load_matrix %m[%i] : memref<64xf16, #gpu.address_space<workgroup>> -> vector<6xf16>
  return
}

// -----

// (C3)
func.func @mma_shared_vector(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'rhs' to be a memref of one dimension of 'f16' in the workgroup's memory, got 'vector<4xf16>'}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

// (C3)
func.func @mma_shared_space(%a: vector<8xf16>, %b: memref<512xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{in the workgroup's memory, got 'memref<512xf16>'}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<512xf16>, vector<4xf32>
  return
}

// -----

// (C3)
func.func @mma_shared_type(%a: vector<8xf16>, %b: memref<512xbf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
  // expected-error @+1 {{memref of one dimension of 'f16' in the workgroup's memory, got 'memref<512xbf16, #gpu.address_space<workgroup>>'}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<512xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

// (C3)
func.func @mma_shared_rank(%a: vector<8xf16>, %b: memref<8x64xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
  // expected-error @+1 {{memref of one dimension of 'f16' in the workgroup's memory, got 'memref<8x64xf16, #gpu.address_space<workgroup>>'}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<8x64xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

// (C3)
func.func @mma_no_descriptor(%a: vector<8xf16>, %b: memref<512xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected a descriptor of 'rhs', got none}}
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b, %c : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

// (C3)
func.func @mma_descriptor(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected no descriptor of an operand in registers, got #vector_ext.matrix_descriptor<start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>}}
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

// expected-error @+1 {{expected 'swizzle' to be 16, 32, 64 or 128, got 0}}
#descriptor = #vector_ext.matrix_descriptor<start = 0, leading = 16, stride = 1024, swizzle = 0, k_major = true>

// -----

// expected-error @+1 {{expected 'stride' to be a multiple of 16 bytes, got 1000}}
#descriptor = #vector_ext.matrix_descriptor<start = 0, leading = 16, stride = 1000, swizzle = 128, k_major = true>

// -----

// (C1)
func.func @transfer_gather_element(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected a result with elements of type 'f16', got 'vector<32x64xf32>'}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf32>
  return
}

// -----

// (C2)
func.func @transfer_gather_offsets(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected 2 offsets, got 1}}
  %0 = vector_ext.transfer_gather %pool[%at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C3)
func.func @transfer_gather_maps(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected 2 indexing maps, got 1}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C3)
func.func @transfer_gather_rank(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected maps of 2 dimensions, got affine_map<(d0) -> (d0)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C4)
func.func @transfer_gather_base_rank(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected the first map to have 2 results and 1 symbols, got affine_map<(d0, d1)[s0] -> (s0)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C4)
func.func @transfer_gather_sum(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected different dimensions, different symbols and 0 in the first map, got affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r + i, j)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C4)
func.func @transfer_gather_twice(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected different dimensions, different symbols and 0 in the first map, got affine_map<(d0, d1)[s0] -> (s0, s0)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, r)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C4)
func.func @transfer_gather_unused(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected the first map to use each symbol, got affine_map<(d0, d1)[s0] -> (d0, d1)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (i, j)>, affine_map<(i, j) -> (i)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C5)
func.func @transfer_gather_vector_map(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected the map of 'vector<32xi32>' to have different dimensions as results, got affine_map<(d0, d1) -> (d0 + d1)>}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i + j)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C5)
func.func @transfer_gather_shape(%pool: memref<8x64xf16>, %rows: vector<32xi32>, %mask: vector<32xi1>, %at: index) {
  // expected-error @+1 {{expected a vector of the shape [64] for affine_map<(d0, d1) -> (d1)>, got 'vector<32xi1>'}}
  %0 = vector_ext.transfer_gather %pool[%at, %at] indices(%rows : vector<32xi32>) mask(%mask : vector<32xi1>) {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>]} : memref<8x64xf16>, vector<32x64xf16>
  return
}

// -----

// (C1)
func.func @assume_nothing(%n: index) {
  // expected-error @+1 {{expected 'at_least', 'at_most' or 'multiple_of', got none of them}}
  %0 = vector_ext.assume %n
  return
}

// -----

// (C2)
func.func @assume_multiple_of_none(%n: index) {
  // expected-error @+1 {{expected 'multiple_of' to be positive, got 0}}
  %0 = vector_ext.assume %n multiple_of 0
  return
}

// -----

// (C3)
func.func @assume_empty_range(%n: index) {
  // expected-error @+1 {{expected 'at_least' to be no greater than 'at_most', got 5 and 4}}
  %0 = vector_ext.assume %n at_least 5 at_most 4
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @async_mma_name(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected the name of a known instruction (}}
  %d = vector_ext.async_mma "wgmma.huge" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @async_mma_waits(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected an asynchronous instruction, got 'mma.sync.m16n8k16.f32.f16'}}
  %d = vector_ext.async_mma "mma.sync.m16n8k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C2)
func.func @async_mma_acc(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<32xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'acc' to be 'vector<64xf32>', got 'vector<32xf32>'}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<32xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C2)
func.func @async_mma_lhs(%a: vector<4xf16>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'lhs' to be 'vector<8xf16>', got 'vector<4xf16>'}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a, %b[%z, %z] in #b, %c : vector<4xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C3)
func.func @async_mma_rhs_space(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'rhs' to be a contiguous memref of one dimension of 'f16' in the workgroup's memory, got 'memref<8192xf16>'}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C3)
func.func @async_mma_lhs_type(%a: memref<8192xbf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'lhs' to be a contiguous memref of one dimension of 'f16' in the workgroup's memory, got 'memref<8192xbf16}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xbf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C3)
func.func @async_mma_lhs_strided(%a: memref<8192xf16, strided<[2]>, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'lhs' to be a contiguous memref}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, strided<[2]>, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C4)
func.func @async_mma_indices(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 2 indices and a layout of 2 dimensions for 'rhs', got 1 and 2}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C4)
func.func @async_mma_bits(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected a layout of elements of 16 bits for 'lhs', got 32}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in <[128, 64], order = [0, 1], bits = 32, panel = 64, padding = 0, swizzle = [0, 0, 0]>, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C5)
func.func @async_mma_tile(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected the tile of 'rhs' to be a multiple of [16, 128], got [64, 64]}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %z] in #a, %b[%z, %z] in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [0, 0, 0]>, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C5)
func.func @async_mma_index(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  %k = arith.constant 8 : index
  // expected-error @+1 {{expected an index of 'lhs' that is a multiple of 16 and less than 64, got 8}}
  %d = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%z, %k] in #a, %b[%z, %z] in #b, %c : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @await_none(%c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected at least one input, got none}}
  "vector_ext.await"() : () -> ()
  return
}

// -----

// (C1)
func.func @await_earlier_none() {
  // expected-error @+1 {{expected at least one input, got none}}
  "vector_ext.await_earlier"() : () -> ()
  return
}

// -----

// (C1)
func.func @await_earlier_argument(%c: vector<64xf32>) {
  // expected-error @+1 {{expected results of 'vector_ext.async_mma', or of contractions with a config, in its block, got one of a block}}
  vector_ext.await_earlier %c : vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @await_argument(%c: vector<64xf32>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected the results of 'vector_ext.async_mma', or of contractions with a config, got one of a block}}
  %d = vector_ext.await %c : vector<64xf32>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @shared_tile_room(%m: memref<4096xf16, #gpu.address_space<workgroup>>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected memory for 8192 elements, got 'memref<4096xf16}}
  %d = vector_ext.shared_tile %m in #a : memref<4096xf16, #gpu.address_space<workgroup>>, vector<128x64xf16>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C1)
func.func @shared_tile_memory(%m: memref<8192xf16>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected 'memory' to be a contiguous memref of one dimension of 'f16'}}
  %d = vector_ext.shared_tile %m in #a : memref<8192xf16>, vector<128x64xf16>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C2)
func.func @shared_tile_shape(%m: memref<8192xf16, #gpu.address_space<workgroup>>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected a layout of the vector's shape [64, 128], got [128, 64]}}
  %d = vector_ext.shared_tile %m in #a : memref<8192xf16, #gpu.address_space<workgroup>>, vector<64x128xf16>
  return
}

// -----

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// (C2)
func.func @shared_tile_bits(%m: memref<8192xf32, #gpu.address_space<workgroup>>, %i: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{expected elements of 16 bits, got 'f32'}}
  %d = vector_ext.shared_tile %m in #a : memref<8192xf32, #gpu.address_space<workgroup>>, vector<128x64xf32>
  return
}

// -----

// (C1)
// expected-error @+1 {{expected at least one slot and one tile, got 0 and 1}}
func.func private @ring_slots(!vector_ext.ring<slots = 0, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>)

// -----

// (C2)
// expected-error @+1 {{expected a layout for each of 2 tiles, got 1}}
func.func private @ring_layouts(!vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>, vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>)

// -----

// (C2)
// expected-error @+1 {{expected a layout of the shape and the elements of 'vector<64x64xf32>', got #vector_ext.shared<}}
func.func private @ring_bits(!vector_ext.ring<slots = 1, tiles = [vector<64x64xf32>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>)

// -----

// (C1)
func.func @put_sources(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<128x64xf16>, %i: index) {
  // expected-error @+1 {{expected a source and a map for each of 1 tiles, and indices for each of 1 parts, got 2, 2 and 2}}
  vector_ext.ring.put %r[%i], %m, %m at (%i, %i), (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<128x64xf16>, memref<128x64xf16>
  return
}

// -----

// (C1)
func.func @put_elements(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<128x64xbf16>, %i: index) {
  // expected-error @+1 {{expected a source with the elements of 'vector<64x64xf16>', got 'memref<128x64xbf16>'}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<128x64xbf16>
  return
}

// -----

// (C1)
func.func @put_indices(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<128x64xf16>, %i: index) {
  // expected-error @+1 {{expected 2 indices for 'memref<128x64xf16>', got 1}}
  vector_ext.ring.put %r[%i], %m at (%i) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<128x64xf16>
  return
}

// -----

// (C2)
func.func @put_map(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<128x64xf16>, %i: index) {
  // expected-error @+1 {{expected a map from dimensions of 'memref<128x64xf16>' to those of 'vector<64x64xf16>', got affine_map<(d0, d1) -> (d0)>}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<128x64xf16>
  return
}

// -----

// (C1)
func.func @put_parts(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a number of parts that divides 64, got 3}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i), (%i, %i, %i), (%i, %i, %i) {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 3>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// (C1)
func.func @put_number_of_parts(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a number of parts for each of 1 tiles, got 2}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i), (%i, %i, %i) {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 1, 1>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// (C1)
func.func @put_indices_of_parts(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a source and a map for each of 1 tiles, and indices for each of 2 parts, got 1, 1 and 1}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i) {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// (C1)
func.func @get_ends(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %i: index) {
  // expected-error @+1 {{expected no ends or 1, got 2}}
  %t = vector_ext.ring.get %r[%i] ends(%i, %i) : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  return
}

// -----

// (C1)
func.func @role_threads() {
  // expected-error @+1 {{expected a positive number of threads from one on that is not negative, got 0 from 128}}
  vector_ext.role first(128) threads(0) {
  }
  return
}

// -----

// (C2)
func.func @role_registers() {
  // expected-error @+1 {{expected registers that are a multiple of 8 from 24 to 256, got 20}}
  vector_ext.role first(0) threads(128) registers(20) {
  }
  return
}

// -----

// (C1)
func.func @role_barrier_outside() {
  // expected-error @+1 {{expected to be in a role of several threads, got no role}}
  vector_ext.role_barrier
  return
}

// -----

// (C1)
func.func @role_barrier_single() {
  vector_ext.role first(0) threads(128) single {
    // expected-error @+1 {{expected to be in a role of several threads, got a single one}}
    vector_ext.role_barrier
  }
  return
}

// -----

// (C1)
func.func @turn_outside() {
  // expected-error @+1 {{expected to be in a role of several threads, got no role}}
  vector_ext.turn.take groups(2)
  return
}

// -----

// (C1)
func.func @turn_single() {
  vector_ext.role first(0) threads(128) single {
    // expected-error @+1 {{expected to be in a role of several threads, got a single one}}
    vector_ext.turn.pass groups(2)
  }
  return
}

// -----

// (C2)
func.func @turn_of_one() {
  vector_ext.role first(0) threads(128) {
    // expected-error @+1 {{expected at least 2 groups that divide the 128 threads of the role, got 1}}
    vector_ext.turn.take groups(1)
  }
  return
}

// -----

// (C2)
func.func @turn_does_not_divide() {
  vector_ext.role first(0) threads(128) {
    // expected-error @+1 {{expected at least 2 groups that divide the 128 threads of the role, got 3}}
    vector_ext.turn.pass groups(3)
  }
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.ring_memory' to be a unit attribute, got 1 : i64}}
func.func private @ring_memory() attributes {vector_ext.ring_memory = 1 : i64}

// -----

// expected-error @+1 {{expected 'vector_ext.shares_lookups' to be a unit attribute, got 1 : i64}}
func.func private @shares_lookups() attributes {vector_ext.shares_lookups = 1 : i64}

// -----

func.func @unused_behind(%m: memref<?x8xf16>, %i: index, %z: f16) -> vector<4x8xf16> {
  // expected-error @+1 {{expected 'vector_ext.unused_behind' to be a dimension (i64) of the vector of a 'vector.transfer_read', got 2 : i64}}
  %v = vector.transfer_read %m[%i, %i], %z {in_bounds = [false, true], vector_ext.unused_behind = 2 : i64} : memref<?x8xf16>, vector<4x8xf16>
  return %v : vector<4x8xf16>
}

// -----

// C3
func.func @put_copiers(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a number of copiers that divides 2 parts, got 3}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i) {copiers = 3, maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// C4
func.func @put_cut_of_all(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %i: index) {
  // expected-error @+1 {{expected a dimension or -1 in 'cut' for each of 1 tiles, got 2}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {cut = array<i64: 0, -1>, maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  return
}

// -----

// C4
func.func @put_cut_of_parts(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %i: index) {
  // expected-error @+1 {{expected a dimension of 'vector<64x64xf16>', in one part, or -1 in 'cut', got 2}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {cut = array<i64: 2>, maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  return
}

// -----

// C1
func.func @put_indices_of_copiers(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a source and a map for each of 1 tiles, and indices for each of 1 parts, got 1, 1 and 2}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i), (%i, %i, %i) {copiers = 2, maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// C1
func.func @write_ring(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %t: vector<64x32xf16>, %i: index) {
  // expected-error @+1 {{expected a ring whose tile 0 has the type 'vector<64x32xf16>', got '!vector_ext.ring<}}
  vector_ext.ring.write %t, %r[%i] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, vector<64x32xf16>
  return
}

// -----

// C2
func.func @get_ends_condition(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %i: index, %c: i1) {
  // expected-error @+1 {{expected no ends with a condition, got 1}}
  %0 = vector_ext.ring.get %r[%i] ends(%i) if %c : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  return
}

// -----

// C3
func.func @write_tile_index(%t: vector<64x64xf16>, %m: memref<4096xf16, #gpu.address_space<workgroup>>, %b: i32) {
  // expected-error @+1 {{expected barriers and an index, or neither, got barriers}}
  "vector_ext.write_tile"(%t, %m, %b) <{layout = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>, i32) -> ()
  return
}

// -----

// C1
func.func @store_tile_indices(%t: vector<64x64xf16>, %c: memref<512x384xf16>, %i: index) {
  // expected-error @+1 {{expected an index for each dimension of 'memref<512x384xf16>', got 1}}
  vector_ext.store_tile %t, %c[%i] through <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> {map = affine_map<(d0, d1) -> (d0, d1)>, parts = 4} : vector<64x64xf16>, memref<512x384xf16>
  return
}

// -----

// C2
func.func @store_tile_map(%t: vector<64x64xf16>, %c: memref<512x384xf16>, %i: index) {
  // expected-error @+1 {{expected a projected permutation from the 2 dimensions of the memory to the 2 of the tile, got affine_map<(d0) -> (d0)>}}
  vector_ext.store_tile %t, %c[%i, %i] through <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> {map = affine_map<(d0) -> (d0)>, parts = 4} : vector<64x64xf16>, memref<512x384xf16>
  return
}

// -----

// C3
func.func @store_tile_elements(%t: vector<64x64xf16>, %c: memref<512x384xf32>, %i: index) {
  // expected-error @+1 {{expected a vector with the elements of 'memref<512x384xf32>' and the shape of the layout, got 'vector<64x64xf16>'}}
  vector_ext.store_tile %t, %c[%i, %i] through <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> {map = affine_map<(d0, d1) -> (d0, d1)>, parts = 4} : vector<64x64xf16>, memref<512x384xf32>
  return
}

// -----

// C4
func.func @store_tile_parts(%t: vector<64x64xf16>, %c: memref<512x384xf16>, %i: index) {
  // expected-error @+1 {{expected a positive number of parts that divides 64, got 3}}
  vector_ext.store_tile %t, %c[%i, %i] through <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> {map = affine_map<(d0, d1) -> (d0, d1)>, parts = 3} : vector<64x64xf16>, memref<512x384xf16>
  return
}

// -----

// C1
func.func @write_tile_memory(%t: vector<64x64xf16>, %m: memref<2048xf16, #gpu.address_space<workgroup>>, %b: i32, %i: index) {
  // expected-error @+1 {{expected memory for 4096 elements, got 'memref<2048xf16, #gpu.address_space<workgroup>>'}}
  vector_ext.write_tile %t, %m in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %b[%i] : vector<64x64xf16>, memref<2048xf16, #gpu.address_space<workgroup>>, i32
  return
}

// -----

// C2
func.func @write_tile_shape(%t: vector<32x64xf16>, %m: memref<4096xf16, #gpu.address_space<workgroup>>, %b: i32, %i: index) {
  // expected-error @+1 {{expected a layout of the vector's shape [32, 64], got [64, 64]}}
  vector_ext.write_tile %t, %m in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %b[%i] : vector<32x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>, i32
  return
}

// -----

// C3
func.func @role_groups() {
  // expected-error @+1 {{expected a positive number of groups that divides 128 threads, got 3}}
  vector_ext.role first(0) threads(128) single groups(3) {
  }
  return
}

// -----

// C3
func.func @role_groups_of_all() {
  // expected-error @+1 {{expected a positive number of groups that divides 128 threads, got 0}}
  vector_ext.role first(0) threads(128) groups(0) {
  }
  return
}

// -----

// C1
func.func @role_group_outside() {
  vector_ext.role first(0) threads(128) {
    // expected-error @+1 {{expected to be in a role of groups of threads, got one without groups}}
    %g = vector_ext.role_group
  }
  return
}

// -----

// C1
func.func @role_group_single() {
  vector_ext.role first(0) threads(128) single groups(2) {
    // expected-error @+1 {{expected to be in a role of groups of threads, got a single one}}
    %g = vector_ext.role_group
  }
  return
}

// -----

// C2
func.func @turn_of_other_groups() {
  vector_ext.role first(0) threads(256) groups(2) {
    // expected-error @+1 {{expected as many groups as the role has, 2, got 4}}
    vector_ext.turn.take groups(4)
  }
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.unsigned' to be two booleans, got array<i1: true>}}
func.func @unsigned() attributes {vector_ext.unsigned = array<i1: true>} {
  return
}

// -----

// expected-error @+1 {{expected 'vector_ext.formats' to be two types of floats of 8 bits, got [f8E5M2, f16]}}
func.func @formats() attributes {vector_ext.formats = [f8E5M2, f16]} {
  return
}

// -----

// C5
func.func @put_shared_of_none(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %i: index) {
  // expected-error @+1 {{expected distinct numbers of 1 tiles in 'shared', got 1}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>], shared = array<i64: 1>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  return
}

// -----

// C5
func.func @put_shared_twice(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %i: index) {
  // expected-error @+1 {{expected distinct numbers of 1 tiles in 'shared', got 0}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>], shared = array<i64: 0, 0>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  return
}

// -----

// C5
func.func @put_shared_parts(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x32x64xf16>, %i: index) {
  // expected-error @+1 {{expected a shared tile in one part that is not cut, got tile 0 of 2 parts}}
  vector_ext.ring.put %r[%i], %m at (%i, %i, %i), (%i, %i, %i) {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>, shared = array<i64: 0>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  return
}

// -----

// C5
func.func @put_shared_cut(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %i: index) {
  // expected-error @+1 {{expected a shared tile in one part that is not cut, got tile 0 of 1 parts, cut}}
  vector_ext.ring.put %r[%i], %m at (%i, %i) {cut = array<i64: 0>, maps = [affine_map<(d0, d1) -> (d0, d1)>], shared = array<i64: 0>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  return
}
