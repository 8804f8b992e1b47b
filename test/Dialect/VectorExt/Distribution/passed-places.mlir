// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s
// RUN: sed 's/persist = 2/persist = 1/' %s | linalg-ext-opt --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s --check-prefix=ORDER
// RUN: sed 's/to %c256 step/to %m step/' %s | linalg-ext-opt --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s --check-prefix=BOTH

// Where a tile is that is dealt in two directions takes long to compute. Threads compute
// the places of the first 64 tiles in front of the roles. The thread that copies looks them
// up, and stores them in front of the put of the queries, in a slot that the tile before the
// last one does not read. The other role loads them behind the get.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @attention
// CHECK: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 2, tiles = [vector<128x64xf16>]
// CHECK: %[[PASSED:.+]] = memref.alloc() : memref<4x1xi32, #gpu.address_space<workgroup>>
// CHECK: %[[TABLE:.+]] = memref.alloc() : memref<64x1xi32, #gpu.address_space<workgroup>>
// CHECK: %[[THREAD:.+]] = gpu.thread_id x
// CHECK: %[[TILES:.+]] = vector_ext.assume
// CHECK: %[[COUNT:.+]] = arith.minsi %[[TILES]], %c64
// CHECK: %[[HAS_TILE:.+]] = arith.cmpi slt, %[[THREAD]], %[[COUNT]]
// CHECK: scf.if %[[HAS_TILE]] {
// CHECK: %[[OF_THREAD:.+]] = vector_ext.assume %{{.+}} at_least 0 at_most 2147483647
// CHECK: %[[TABULATED:.+]] = arith.index_cast %[[OF_THREAD]] : index to i32
// CHECK: memref.store %[[TABULATED]], %[[TABLE]][%[[THREAD]], %c0]
// CHECK: vector_ext.role first(0)
// CHECK: vector_ext.ring.get %[[QUERIES]][%c0] :
// CHECK: %[[WORD:.+]] = memref.load %[[PASSED]][%c0, %c0]
// CHECK: %[[SAME:.+]], %{{.+}} = gpu.shuffle idx %[[WORD]], %c0_i32, %c32_i32
// CHECK: %[[INDEX:.+]] = arith.index_cast %[[SAME]]
// CHECK: %[[FIRST:.+]] = vector_ext.assume %[[INDEX]] at_least 0 at_most 2147483647
// CHECK: %[[FIRST_ROW:.+]] = affine.apply #{{.+}}(%[[FIRST]])
// CHECK: scf.for %[[TILE:[a-z0-9]+]] = %c0 to %[[TILES]] {{.*}}, %[[ROW:[a-z0-9]+]] = %[[FIRST_ROW]]) ->
// CHECK-NOT: divui %[[TILE]]
// CHECK: %[[NUMBER:.+]] = arith.select %[[IS_THERE:.+]], %{{.+}}, %[[TILE]]
// CHECK: vector_ext.ring.get %[[QUERIES]][%[[NUMBER]]] if %[[IS_THERE]]
// CHECK: %[[SLOT:.+]] = arith.remui %[[NUMBER]], %c4
// CHECK: memref.load %[[PASSED]][%[[SLOT]], %c0]
// CHECK: %[[NEXT_PLACE:.+]] = vector_ext.assume
// CHECK: %[[NEXT:.+]] = affine.apply #{{.+}}(%[[NEXT_PLACE]])
// CHECK: vector_ext.store_tile %{{.+}}, %{{.+}}[%[[ROW]], %c0]
// CHECK: scf.yield {{.*}}, %[[NEXT]] :
// CHECK: vector_ext.role first(256) threads(128) single
// CHECK: scf.for %[[COPIED:.+]] = %c0 to %[[TILES]]
// CHECK: %[[IS_IN:.+]] = arith.cmpi slt, %[[COPIED]], %c64
// CHECK: %[[FOUND:.+]] = scf.if %[[IS_IN]] -> (index) {
// CHECK: memref.load %[[TABLE]][%[[COPIED]], %c0]
// CHECK: } else {
// CHECK: arith.divui %[[COPIED]], %c2
// CHECK: }
// CHECK: %[[KNOWN:.+]] = vector_ext.assume %[[FOUND]] at_least 0 at_most 2147483647
// CHECK: %[[COPIED_SLOT:.+]] = arith.remui %[[COPIED]], %c4
// CHECK: %[[STORED:.+]] = arith.index_cast %[[KNOWN]] : index to i32
// CHECK: memref.store %[[STORED]], %[[PASSED]][%[[COPIED_SLOT]], %c0]
// CHECK-NEXT: vector_ext.ring.put %[[QUERIES]][%[[COPIED]]]

// Where tiles do not begin early, both roles look the places up.

// BOTH-LABEL: func.func @attention
// BOTH-NOT: memref<4x1xi32
// BOTH: %[[TABLE:.+]] = memref.alloc() : memref<64x1xi32, #gpu.address_space<workgroup>>
// BOTH: memref.store %{{.+}}, %[[TABLE]]
// BOTH: vector_ext.role first(0)
// BOTH: scf.for %[[TILE:[a-z0-9]+]] = %c0
// BOTH: %[[IS_IN:.+]] = arith.cmpi slt, %[[TILE]], %c64
// BOTH: %[[FOUND:.+]] = scf.if %[[IS_IN]] -> (index) {
// BOTH: %[[WORD:.+]] = memref.load %[[TABLE]][%[[TILE]], %c0]
// BOTH: gpu.shuffle idx %[[WORD]]
// BOTH: } else {
// BOTH: %[[PLACE:.+]] = vector_ext.assume %[[FOUND]] at_least 0 at_most 2147483647
// BOTH: vector_ext.ring.get
// BOTH: vector_ext.role first(256) threads(128) single
// BOTH: memref.load %[[TABLE]]
// BOTH-NOT: gpu.shuffle
// BOTH: vector_ext.ring.put

// In one direction, a multiplication and an addition say where a tile is.

// ORDER-LABEL: func.func @attention
// ORDER-NOT: memref.alloc
// ORDER: return
func.func @attention(%q: memref<1024x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1024x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %rows = vector.transfer_read %q[%m, %c0], %pad {in_bounds = [true, true]} : memref<1024x64xf16>, vector<128x64xf16>
    %0 = scf.for %n = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x64xf32>) {
      %keys = vector.transfer_read %k[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      %weights = math.exp2 %scores : vector<128x64xf32>
      %narrow = arith.truncf %weights : vector<128x64xf32> to vector<128x64xf16>
      %values = vector.transfer_read %v[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %narrow, %values, %sum : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      scf.yield %next : vector<128x64xf32>
    }
    %result = arith.truncf %0 : vector<128x64xf32> to vector<128x64xf16>
    vector.transfer_write %result, %o[%m, %c0] {in_bounds = [true, true]} : vector<128x64xf16>, memref<1024x64xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
