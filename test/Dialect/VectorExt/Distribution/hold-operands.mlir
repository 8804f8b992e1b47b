// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse --vector-ext-pipeline-products=steps=persist-workgroups,assign-roles \
// RUN:   | sed 's/slots = 2/slots = 1/' > %t
// RUN: linalg-ext-opt %t --vector-ext-pipeline-products=steps=hold-operands | FileCheck %s
// RUN: linalg-ext-opt %t --vector-ext-pipeline-products=steps=hold-operands,rotate-loops --canonicalize --cse | FileCheck %s --check-prefix=NEXT
// RUN: sed 's/slots = 1/slots = 2/' %t | linalg-ext-opt --vector-ext-pipeline-products=steps=hold-operands | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/rotate = true/rotate = false/' %t | linalg-ext-opt --vector-ext-pipeline-products=steps=hold-operands | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/persist = 1/persist = 2/' %t | linalg-ext-opt --vector-ext-pipeline-products=steps=hold-operands | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/registers(2[0-9]*)/registers(104)/' %t | linalg-ext-opt --vector-ext-pipeline-products=steps=hold-operands | FileCheck %s --check-prefix=NEGATIVE

// Memory has room for the queries of one tile. Threads load them once, in the layout of
// the product, free their slot in front of the loop, and store them nowhere.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1], promote = [true, true]>
#second = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1], promote = [false, true]>

// CHECK-LABEL: func.func @attention
// CHECK: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 1, tiles = [vector<128x64xf16>]
// CHECK: vector_ext.role first(0)
// CHECK: scf.for
// CHECK: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES]][%[[TILE:.+]]] :
// CHECK-NEXT: %[[HELD:.+]] = vector_ext.to_layout %[[Q]] to <[subgroup 8:1, register 2:2, lane 8:4] x [register 8:4, lane 4:1, register 2:1], lanes = 32, subgroups = 8>
// CHECK-NEXT: vector_ext.ring.release %[[QUERIES]][%[[TILE]]] :
// CHECK: scf.for
// CHECK: vector.contract {{.*}} %[[HELD]], {{.*}}promote = [false, true]>} :
// CHECK-NOT: vector_ext.ring.release %[[QUERIES]]

// The queries of the next tile are loaded behind the last product, and passed on. Their
// slot is only freed if they are there.

// NEXT-LABEL: func.func @attention
// NEXT-DAG: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 1, tiles = [vector<128x64xf16>]
// NEXT: vector_ext.role first(0)
// NEXT: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES]][%c0] :
// NEXT-NEXT: %[[FIRST:.+]] = vector_ext.to_layout %[[Q]]
// NEXT-NEXT: vector_ext.ring.release %[[QUERIES]][%c0] :
// NEXT: vector.contract {{.*}} %[[FIRST]],
// NEXT: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %c0, %{{[a-z0-9]+}} = %{{.+}}, %[[HELD:[a-z0-9]+]] = %[[FIRST]]) ->
// NEXT-NOT: vector_ext.ring.get %[[QUERIES]]
// NEXT-NOT: vector_ext.ring.release %[[QUERIES]]
// NEXT: scf.for
// NEXT: vector.contract {{.*}} %[[HELD]],
// NEXT: scf.yield
// NEXT: %[[LAST:.+]] = vector.contract
// NEXT: %[[IS_THERE:.+]] = arith.cmpi slt
// NEXT: %[[Q1:.+]] = vector_ext.ring.get %[[QUERIES]][%[[PLACE:.+]]] if %[[IS_THERE]]
// NEXT-NEXT: %[[NEXT:.+]] = vector_ext.to_layout %[[Q1]]
// NEXT-NEXT: vector_ext.ring.release %[[QUERIES]][%[[PLACE]]] if %[[IS_THERE]]
// NEXT: vector.contract {{.*}} %[[NEXT]],
// NEXT: vector_ext.await %[[LAST]]
// NEXT: scf.yield %{{.+}}, %{{.+}}, %[[NEXT]] : index, vector<128x64xf32>, vector<128x64xf16>

// NEGATIVE-LABEL: func.func @attention
// NEGATIVE: vector_ext.role first(0)
// NEGATIVE: vector_ext.ring.get
// NEGATIVE-NOT: vector_ext.to_layout
// NEGATIVE: vector.contract
// NEGATIVE: vector_ext.role first(256)
func.func @attention(%q: memref<?x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<?x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %rows = vector.transfer_read %q[%m, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<128x64xf16>
    %0 = scf.for %n = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x64xf32>) {
      %keys = vector.transfer_read %k[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      %weights = math.exp2 %scores : vector<128x64xf32>
      %narrow = arith.truncf %weights : vector<128x64xf32> to vector<128x64xf16>
      %values = vector.transfer_read %v[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #second}
              %narrow, %values, %sum : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      scf.yield %next : vector<128x64xf32>
    }
    %result = arith.truncf %0 : vector<128x64xf32> to vector<128x64xf16>
    vector.transfer_write %result, %o[%m, %c0] {in_bounds = [true, true]} : vector<128x64xf16>, memref<?x64xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
