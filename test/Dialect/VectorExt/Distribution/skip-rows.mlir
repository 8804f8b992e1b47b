// DEFINE: %{stage} = --vector-ext-pipeline-products='steps=stage-tiles slots=3' --cse
// DEFINE: %{rotate} = --vector-ext-pipeline-products='steps=persist-workgroups,assign-roles,rotate-loops' --canonicalize --cse
// RUN: linalg-ext-opt %s --split-input-file %{stage} %{rotate} | FileCheck %s
// RUN: sed 's/threads = 384/threads = 256/; s/%c384 = arith.constant 384/%c384 = arith.constant 256/; s/subgroups = .3, 1./subgroups = [2, 1]/; s/192/128/g' %s | linalg-ext-opt --split-input-file %{stage} %{rotate} | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/, %%mask {in_bounds/ {in_bounds/' %s | linalg-ext-opt --split-input-file %{stage} %{rotate} | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/1000x60xf16/1000x64xf16/' %s | linalg-ext-opt --split-input-file %{stage} %{rotate} | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/vector.transfer_write %%result/vector.transfer_write %%result, %%o[%%m, %%c0], %%mask {in_bounds = [true, true]} : vector<192x64xf16>, memref<1000x60xf16>\nvector.transfer_write %%result/' %s | linalg-ext-opt --split-input-file %{stage} %{rotate} | FileCheck %s --check-prefix=NEGATIVE

// The last tile of 1000 rows has 40. Each of three groups of threads has 64 rows, so
// the last two have none of that tile. They wait for keys and values, free them and
// take turns, in the same order as the others, and compute the first product of the
// next tile.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [3, 1]>

// CHECK-LABEL: func.func @attention
// CHECK: %[[QUERIES:.+]] = vector_ext.ring.create : <slots = 2,
// CHECK: vector_ext.role first(0) threads(384)
// CHECK: scf.for %[[TILE:[a-z0-9]+]] = {{.*}} iter_args(%[[BASE:[a-z0-9]+]] = %c0, %[[SCORES:[a-z0-9]+]] = %{{.+}}) ->
// CHECK: %[[ROWS:.+]] = affine.min
// CHECK-NOT: vector_ext.ring
// CHECK: %[[THREAD:.+]] = gpu.thread_id x
// CHECK: %[[GROUP:.+]] = arith.divui %[[THREAD]], %c128
// CHECK: %[[LANE:.+]] = arith.index_cast %[[GROUP]]
// CHECK: %[[ALL:[a-zA-Z0-9_]+]], %{{.+}} = gpu.shuffle idx %[[LANE]], %c0_i32, %c32_i32
// CHECK: %[[UNIFORM:.+]] = arith.index_cast %[[ALL]]
// CHECK: %[[START:.+]] = arith.muli %[[UNIFORM]], %c64
// CHECK: %[[IS_IDLE:.+]] = arith.cmpi sge, %[[START]], %[[ROWS]]
// CHECK: %[[RESULTS:.+]]:2 = scf.if %[[IS_IDLE]] -> (index, vector<192x64xf32>) {

// CHECK-NOT: math.exp2
// CHECK-NOT: vector.contract
// CHECK: vector_ext.ring.get %[[QUERIES]][%[[TILE]]] if %false
// CHECK-COUNT-2: vector_ext.ring.release
// CHECK: scf.for
// CHECK-NEXT: arith.divui
// CHECK-NEXT: %[[POSITION:.+]] = arith.addi
// CHECK-NEXT: vector_ext.ring.get %[[KEYS:.+]][%[[POSITION]]]
// CHECK-NEXT: vector_ext.turn.take groups(3)
// CHECK-NEXT: vector_ext.ring.get %[[VALUES:[a-z0-9]+]][
// CHECK-NEXT: vector_ext.turn.pass groups(3)
// CHECK-NEXT: vector_ext.ring.release %[[KEYS]][%[[POSITION]]]
// CHECK-NEXT: vector_ext.ring.release %[[VALUES]][
// CHECK-NEXT: scf.yield
// CHECK: vector_ext.ring.release %[[QUERIES]][%[[TILE]]]
// CHECK: vector_ext.ring.get %[[VALUES]][
// CHECK: %[[Q:.+]] = vector_ext.ring.get %[[QUERIES]][{{.*}}] if
// CHECK: %[[K:.+]] = vector_ext.ring.get %[[KEYS]][{{.*}}] if
// CHECK: %[[OPEN:.+]] = vector.contract {{.*}} %[[Q]], %[[K]],
// CHECK-NEXT: %[[NEXT:.+]] = vector_ext.await %[[OPEN]]
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield %{{.+}}, %[[NEXT]] : index, vector<192x64xf32>

// CHECK: } else {
// CHECK: vector.create_mask %[[ROWS]], %c60
// CHECK: math.exp2 %[[SCORES]]
// CHECK: vector_ext.turn.take groups(3)
// CHECK: vector_ext.turn.pass groups(3)
// CHECK: vector.transfer_write
// CHECK: scf.yield
// CHECK: } {vector_ext.skips_rows}
// CHECK-NEXT: scf.yield %[[RESULTS]]#0, %[[RESULTS]]#1

// Two groups, a store without a mask, one that goes through shared memory, and two
// stores: no group skips a tile.

// NEGATIVE-LABEL: func.func @attention
// NEGATIVE: vector_ext.turn.take
// NEGATIVE-NOT: vector_ext.skips_rows
// NEGATIVE: return
func.func @attention(%q: memref<1000x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1000x60xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c60 = arith.constant 60 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c384 = arith.constant 384 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<192x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c6, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 192)>(%x)
    %left = affine.min affine_map<(d0) -> (192, d0 * -192 + 1000)>(%x)
    %mask = vector.create_mask %left, %c60 : vector<192x64xi1>
    %rows = vector.transfer_read %q[%m, %c0], %pad {in_bounds = [true, true]} : memref<1000x64xf16>, vector<192x64xf16>
    %0 = scf.for %n = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<192x64xf32>) {
      %keys = vector.transfer_read %k[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %zero : vector<192x64xf16>, vector<64x64xf16> into vector<192x64xf32>
      %weights = math.exp2 %scores : vector<192x64xf32>
      %narrow = arith.truncf %weights : vector<192x64xf32> to vector<192x64xf16>
      %values = vector.transfer_read %v[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %narrow, %values, %sum : vector<192x64xf16>, vector<64x64xf16> into vector<192x64xf32>
      scf.yield %next : vector<192x64xf32>
    }
    %result = arith.truncf %0 : vector<192x64xf32> to vector<192x64xf16>
    vector.transfer_write %result, %o[%m, %c0], %mask {in_bounds = [true, true]} : vector<192x64xf16>, memref<1000x60xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}}
  return
}

// -----

// A loop whose bound follows from what a group without rows would not compute.

#nt = affine_map<(m, n, k) -> (n, k)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [3, 1]>

// CHECK-LABEL: func.func @negative_bound
// CHECK: vector_ext.ring.get {{.*}} if %false
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: vector_ext.skips_rows
// CHECK: return
func.func @negative_bound(%q: memref<1000x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<1000x60xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c60 = arith.constant 60 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c384 = arith.constant 384 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<192x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c6, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 192)>(%x)
    %left = affine.min affine_map<(d0) -> (192, d0 * -192 + 1000)>(%x)
    %mask = vector.create_mask %left, %c60 : vector<192x64xi1>
    %rows = vector.transfer_read %q[%m, %c0], %pad {in_bounds = [true, true]} : memref<1000x64xf16>, vector<192x64xf16>
    %0 = scf.for %n = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<192x64xf32>) {
      %keys = vector.transfer_read %k[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %scores = vector.contract {indexing_maps = [#lhs, #nt, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %rows, %keys, %zero : vector<192x64xf16>, vector<64x64xf16> into vector<192x64xf32>
      %weights = math.exp2 %scores : vector<192x64xf32>
      %narrow = arith.truncf %weights : vector<192x64xf32> to vector<192x64xf16>
      %values = vector.transfer_read %v[%n, %c0], %pad {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %narrow, %values, %sum : vector<192x64xf16>, vector<64x64xf16> into vector<192x64xf32>
      scf.yield %next : vector<192x64xf32>
    }
    %integers = arith.fptosi %0 : vector<192x64xf32> to vector<192x64xi32>
    %indices = arith.index_cast %integers : vector<192x64xi32> to vector<192x64xindex>
    %bound = vector.extract %indices[0, 0] : index from vector<192x64xindex>
    %sums = scf.for %i = %c0 to %bound step %c1 iter_args(%sum = %0) -> (vector<192x64xf32>) {
      %more = arith.addf %sum, %sum : vector<192x64xf32>
      scf.yield %more : vector<192x64xf32>
    }
    %result = arith.truncf %sums : vector<192x64xf32> to vector<192x64xf16>
    vector.transfer_write %result, %o[%m, %c0], %mask {in_bounds = [true, true]} : vector<192x64xf16>, memref<1000x60xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}}
  return
}
