// RUN: linalg-ext-opt %s --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops,lower-rings' --canonicalize --cse | FileCheck %s --check-prefix=LOWER
// RUN: sed 's/persist = 1/persist = 2/' %s | linalg-ext-opt --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' | FileCheck %s --check-prefix=PAIRS
// RUN: sed 's/vector_ext.kernel =/vector_ext.holds_left, vector_ext.kernel =/' %s | linalg-ext-opt --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s --check-prefix=HELD
// RUN: sed 's/persist = 1/persist = 2/' %s | linalg-ext-opt --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=2' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse | FileCheck %s --check-prefix=DELAYED
// RUN: sed 's/to %c256 step/to %m step/' %s | linalg-ext-opt --split-input-file --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse \
// RUN:   --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' | FileCheck %s --check-prefix=NEGATIVE

// At the end of a tile, the first product of the next one is started behind the last
// product, and in front of what the end computes. Behind the last tile, nothing is
// waited for, and the product reads what is there.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @attention
// CHECK-DAG: %[[KEYS:.+]] = vector_ext.ring.create : <slots = 3, tiles = [vector<64x64xf16>]
// CHECK-DAG: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 2, tiles = [vector<128x64xf16>]
// CHECK: vector_ext.role first(0)
// CHECK: scf.if
// CHECK: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES]][%c0] :
// CHECK-NEXT: %[[K:.+]] = vector_ext.ring.get %[[FIRST:.+]][%c0] :
// CHECK-NEXT: %[[OPEN:.+]] = vector.contract {{.*}} %[[Q]], %[[K]], %[[ZERO:.+]] {
// CHECK-NEXT: %[[SCORES:.+]] = vector_ext.await %[[OPEN]]
// CHECK: scf.for %[[TILE:.+]] = %c0 to %[[TILES:.+]] step %c1 iter_args(%[[BASE:[a-z0-9]+]] = %c0, %[[S:[a-z0-9]+]] = %[[SCORES]]) ->
// CHECK: vector_ext.ring.get %[[QUERIES]][%[[TILE]]] if %false
// CHECK-NEXT: vector_ext.ring.release %[[FIRST]]
// CHECK: math.exp2 %[[S]]
// CHECK: scf.for
// CHECK: vector_ext.turn.take
// CHECK: vector_ext.ring.release %[[QUERIES]][%[[TILE]]]
// CHECK: %[[LAST:.+]] = vector.contract
// CHECK: %[[NEXT:.+]] = arith.addi %[[TILE]], %c1
// CHECK: %[[NEXT_BASE:.+]] = arith.remui
// CHECK: %[[IS_THERE:.+]] = arith.cmpi slt, %[[NEXT]], %[[TILES]]
// CHECK: %[[PLACE:.+]] = arith.select %[[IS_THERE]], %[[NEXT]], %[[TILE]]
// CHECK-NEXT: %[[POSITION:.+]] = arith.select %[[IS_THERE]], %{{.+}}, %c0
// CHECK: %[[Q1:.+]] = vector_ext.ring.get %[[QUERIES]][%[[PLACE]]] if %[[IS_THERE]]
// CHECK: %[[K1:.+]] = vector_ext.ring.get %[[FIRST]][%[[POSITION]]] if %[[IS_THERE]]
// CHECK: %[[NEXT_OPEN:.+]] = vector.contract {{.*}} %[[Q1]], %[[K1]], %[[ZERO]] {
// CHECK: vector_ext.await %[[LAST]]
// CHECK: vector_ext.store_tile
// CHECK: %[[NEXT_SCORES:.+]] = vector_ext.await %[[NEXT_OPEN]]
// CHECK: scf.yield %{{.+}}, %[[NEXT_SCORES]] : index, vector<128x64xf32>

// LOWER-LABEL: func.func @attention
// LOWER: vector_ext.role first(0)
// LOWER: scf.for
// LOWER: scf.for
// LOWER: vector_ext.turn.pass
// LOWER: scf.yield
// LOWER: %[[LAST:.+]] = vector.contract
// LOWER: scf.if %[[IS_THERE:.+]] {
// LOWER-NEXT: nvgpu.mbarrier.try_wait.parity
// LOWER-NEXT: }
// LOWER: scf.if %[[IS_THERE]] {
// LOWER-NEXT: nvgpu.mbarrier.try_wait.parity
// LOWER-NEXT: }
// LOWER: vector.contract
// LOWER: vector_ext.await %[[LAST]]

// So do tiles in pairs. Where the next one is has been passed (passed-places.mlir). What
// follows from it is carried, if threads have registers for it.

// PAIRS-LABEL: func.func @attention
// PAIRS: %[[SCORES:.+]] = vector_ext.await
// PAIRS: scf.for %[[TILE:[a-z0-9]+]] = {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9_]+}}, %{{[a-z0-9]+}} = %[[SCORES]], {{.*}}) -> (index, vector<128x64xf32>, index,
// PAIRS: scf.for
// PAIRS: vector_ext.turn.take
// PAIRS: vector_ext.ring.get {{.*}} if
// PAIRS: vector.contract
// PAIRS: memref.load
// PAIRS: %[[NEXT:.+]] = affine.apply
// PAIRS: vector_ext.store_tile
// PAIRS: scf.yield {{.*}} %[[NEXT]]

// Threads may hold the queries: they load them in front of the first product, and the
// loop carries them. Its products have no left operand in shared memory.

// HELD-LABEL: func.func @attention
// HELD: vector_ext.role first(0)
// HELD: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES:.+]][%c0] :
// HELD: %[[REGISTERS:.+]] = vector_ext.to_layout %[[Q]] to
// HELD: vector.contract {{.*}} %[[REGISTERS]],
// HELD: %[[SCORES:.+]] = vector_ext.await
// HELD: scf.for %[[TILE:.+]] = %c0 to %{{.+}} step %c1 iter_args(%{{.+}} = %c0, %{{.+}} = %[[SCORES]], %[[HELD:[a-z0-9]+]] = %[[REGISTERS]]) ->
// HELD: scf.for
// HELD: vector.contract {{.*}} %[[HELD]],
// HELD: vector_ext.ring.release %[[QUERIES]][%[[TILE]]]
// HELD: %[[Q1:.+]] = vector_ext.ring.get %[[QUERIES]][%{{.+}}] if
// HELD: %[[NEXT:.+]] = vector_ext.to_layout %[[Q1]] to
// HELD: vector.contract {{.*}} %[[NEXT]],
// HELD: scf.yield %{{.+}}, %{{.+}}, %[[NEXT]] :

// In pairs, the thread that copies puts the values of an iteration behind the keys of the
// next one, and of the next tile. Loops carry the number of the put that is left, its
// position and its row.

// DELAYED-LABEL: func.func @attention
// DELAYED: vector_ext.role first(256) {{.*}}single
// DELAYED: %[[LEFT:[a-z0-9_]+]]:4 = scf.for {{.*}} iter_args(%{{.+}} = %c0, %[[WHICH:[a-z0-9]+]] = %c0, %[[AT:[a-z0-9]+]] = %c0, %[[ROW:[a-z0-9]+]] = %c0)
// DELAYED: vector_ext.ring.put %[[QUERIES:[a-z0-9]+]][
// DELAYED: %[[OF_TILE:[a-z0-9_]+]]:3 = scf.for %[[N:[a-z0-9]+]] = {{.*}} iter_args(%[[WHICH1:[a-z0-9]+]] = %[[WHICH]], %[[AT1:[a-z0-9]+]] = %[[AT]], %[[ROW1:[a-z0-9]+]] = %[[ROW]])
// DELAYED: vector_ext.ring.put %[[KEYS:[a-z0-9]+]][%[[POSITION:[a-z0-9]+]]], {{.+}}
// DELAYED-NEXT: %[[IS_LEFT:[a-z0-9]+]] = arith.cmpi eq, %[[WHICH1]], %c1
// DELAYED-NEXT: scf.if %[[IS_LEFT]] {
// DELAYED-NEXT: vector_ext.ring.put %[[VALUES:[a-z0-9]+]][%[[AT1]]], %{{.+}} at (%[[ROW1]], %c0) {{.+}}
// DELAYED-NEXT: }
// DELAYED-NEXT: scf.yield %c1, %[[POSITION]], %[[N]]
// DELAYED: scf.yield %{{.+}}, %[[OF_TILE]]#0, %[[OF_TILE]]#1, %[[OF_TILE]]#2
// DELAYED: %[[IS_LAST:.+]] = arith.cmpi eq, %[[LEFT]]#1, %c1
// DELAYED-NEXT: scf.if %[[IS_LAST]] {
// DELAYED-NEXT: vector_ext.ring.put %[[VALUES]][%[[LEFT]]#2], %{{.+}} at (%[[LEFT]]#3, %c0)

// Whether a tile has products must not depend on it.

// NEGATIVE-LABEL: func.func @attention
// NEGATIVE: vector_ext.turn.take
// NEGATIVE-NOT: vector_ext.ring.get {{.*}} if
// NEGATIVE: return
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
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// A product that starts from a bias: the tile of the bias is loaded and converted in
// front of the product, and is freed in the next tile.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @bias
// CHECK-DAG: %[[BIASES:.+]] = vector_ext.ring.create : <slots = 3, tiles = [vector<128x64xf16>]
// CHECK-DAG: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 2, tiles = [vector<128x64xf16>]
// CHECK: vector_ext.role first(0)
// CHECK: scf.if
// CHECK: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES]][%c0] :
// CHECK: %[[K:.+]] = vector_ext.ring.get %[[FIRST:.+]][%c0] :
// CHECK: %[[BIAS:.+]] = vector_ext.ring.get %[[BIASES]][%c0] :
// CHECK: %[[WIDE:.+]] = arith.extf %[[BIAS]]
// CHECK: %[[INIT:.+]] = arith.mulf %[[WIDE]], %[[WIDE]]
// CHECK: %[[OPEN:.+]] = vector.contract {{.*}} %[[Q]], %[[K]], %[[INIT]] {
// CHECK-NEXT: %[[SCORES:.+]] = vector_ext.await %[[OPEN]]
// CHECK: scf.for %[[TILE:.+]] = %c0 to %[[TILES:.+]] step %c1 iter_args(%{{[a-z0-9]+}} = %c0, %[[S:[a-z0-9]+]] = %[[SCORES]]) ->
// CHECK-NOT: vector_ext.ring.get %[[BIASES]]
// CHECK: vector_ext.ring.release %[[BIASES]]
// CHECK: math.exp2 %[[S]]
// CHECK: scf.for
// CHECK: vector_ext.ring.get %[[BIASES]][%{{.+}}] :
// CHECK: vector_ext.ring.release %[[BIASES]]
// CHECK: %[[LAST:.+]] = vector.contract
// CHECK: %[[IS_THERE:.+]] = arith.cmpi slt, %{{.+}}, %[[TILES]]
// CHECK: %[[BIAS1:.+]] = vector_ext.ring.get %[[BIASES]][%{{.+}}] if %[[IS_THERE]]
// CHECK: %[[WIDE1:.+]] = arith.extf %[[BIAS1]]
// CHECK: %[[INIT1:.+]] = arith.mulf %[[WIDE1]], %[[WIDE1]]
// CHECK: %[[NEXT:.+]] = vector.contract {{.*}}, %[[INIT1]] {
// CHECK: vector_ext.await %[[LAST]]
// CHECK: vector_ext.await %[[NEXT]]
// CHECK: scf.yield
func.func @bias(%q: memref<1024x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1024x64xf16>, %b: memref<1024x256xf16>) {
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
      %bias = vector.transfer_read %b[%m, %n], %pad {in_bounds = [true, true]} : memref<1024x256xf16>, vector<128x64xf16>
      %wide = arith.extf %bias : vector<128x64xf16> to vector<128x64xf32>
      %init = arith.mulf %wide, %wide : vector<128x64xf32>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %init : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
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
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// A bias that depends on more than one tile is left alone.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @negative_two_biases
// CHECK: vector_ext.turn.take
// CHECK-NOT: vector_ext.ring.get {{.*}} if
// CHECK: return
func.func @negative_two_biases(%q: memref<1024x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1024x64xf16>, %b: memref<1024x256xf16>, %c: memref<1024x256xf16>) {
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
      %bias = vector.transfer_read %b[%m, %n], %pad {in_bounds = [true, true]} : memref<1024x256xf16>, vector<128x64xf16>
      %wide = arith.extf %bias : vector<128x64xf16> to vector<128x64xf32>
      %other = vector.transfer_read %c[%m, %n], %pad {in_bounds = [true, true]} : memref<1024x256xf16>, vector<128x64xf16>
      %otherWide = arith.extf %other : vector<128x64xf16> to vector<128x64xf32>
      %init = arith.mulf %wide, %otherWide : vector<128x64xf32>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %init : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
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
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// Each op between the bias and the product uses a value twice. Each is looked at once.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @bias_power
// CHECK: vector_ext.ring.get {{.*}} if
// CHECK: return
func.func @bias_power(%q: memref<1024x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1024x64xf16>, %b: memref<1024x256xf16>) {
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
      %bias = vector.transfer_read %b[%m, %n], %pad {in_bounds = [true, true]} : memref<1024x256xf16>, vector<128x64xf16>
      %wide = arith.extf %bias : vector<128x64xf16> to vector<128x64xf32>
      %p0 = arith.mulf %wide, %wide : vector<128x64xf32>
      %p1 = arith.mulf %p0, %p0 : vector<128x64xf32>
      %p2 = arith.mulf %p1, %p1 : vector<128x64xf32>
      %p3 = arith.mulf %p2, %p2 : vector<128x64xf32>
      %p4 = arith.mulf %p3, %p3 : vector<128x64xf32>
      %p5 = arith.mulf %p4, %p4 : vector<128x64xf32>
      %p6 = arith.mulf %p5, %p5 : vector<128x64xf32>
      %p7 = arith.mulf %p6, %p6 : vector<128x64xf32>
      %p8 = arith.mulf %p7, %p7 : vector<128x64xf32>
      %p9 = arith.mulf %p8, %p8 : vector<128x64xf32>
      %p10 = arith.mulf %p9, %p9 : vector<128x64xf32>
      %p11 = arith.mulf %p10, %p10 : vector<128x64xf32>
      %p12 = arith.mulf %p11, %p11 : vector<128x64xf32>
      %p13 = arith.mulf %p12, %p12 : vector<128x64xf32>
      %p14 = arith.mulf %p13, %p13 : vector<128x64xf32>
      %p15 = arith.mulf %p14, %p14 : vector<128x64xf32>
      %p16 = arith.mulf %p15, %p15 : vector<128x64xf32>
      %p17 = arith.mulf %p16, %p16 : vector<128x64xf32>
      %p18 = arith.mulf %p17, %p17 : vector<128x64xf32>
      %p19 = arith.mulf %p18, %p18 : vector<128x64xf32>
      %p20 = arith.mulf %p19, %p19 : vector<128x64xf32>
      %p21 = arith.mulf %p20, %p20 : vector<128x64xf32>
      %p22 = arith.mulf %p21, %p21 : vector<128x64xf32>
      %p23 = arith.mulf %p22, %p22 : vector<128x64xf32>
      %p24 = arith.mulf %p23, %p23 : vector<128x64xf32>
      %p25 = arith.mulf %p24, %p24 : vector<128x64xf32>
      %p26 = arith.mulf %p25, %p25 : vector<128x64xf32>
      %p27 = arith.mulf %p26, %p26 : vector<128x64xf32>
      %p28 = arith.mulf %p27, %p27 : vector<128x64xf32>
      %p29 = arith.mulf %p28, %p28 : vector<128x64xf32>
      %p30 = arith.mulf %p29, %p29 : vector<128x64xf32>
      %p31 = arith.mulf %p30, %p30 : vector<128x64xf32>
      %p32 = arith.mulf %p31, %p31 : vector<128x64xf32>
      %p33 = arith.mulf %p32, %p32 : vector<128x64xf32>
      %p34 = arith.mulf %p33, %p33 : vector<128x64xf32>
      %p35 = arith.mulf %p34, %p34 : vector<128x64xf32>
      %p36 = arith.mulf %p35, %p35 : vector<128x64xf32>
      %p37 = arith.mulf %p36, %p36 : vector<128x64xf32>
      %p38 = arith.mulf %p37, %p37 : vector<128x64xf32>
      %p39 = arith.mulf %p38, %p38 : vector<128x64xf32>
      %p40 = arith.mulf %p39, %p39 : vector<128x64xf32>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %p40 : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
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
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
