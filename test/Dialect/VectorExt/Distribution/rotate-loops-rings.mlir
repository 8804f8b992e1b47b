// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=rotate-loops explain-schedule' --split-input-file 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=EXPLAIN < %t

// Tiles of rings: a get is where the product is that reads the tile, and a release
// behind the await of that. Positions are carried with what stage 1 needs. The
// role has 240 registers. Its two groups take turns in the rotated loop, but not in
// the first and the last iteration.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>
#t = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [#t]>

// EXPLAIN: remark: schedule: take the turn; issue product 0 of n + 1; issue product 1 of n; pass the turn; await product 0 of n + 1; 1 op of n + 1; await product 1 of n; 1 op of n + 1 (830 cycles instead of 1093

// CHECK-LABEL: func.func @rings
// CHECK: %[[RK:.*]] = vector_ext.ring.create
// CHECK: %[[RV:.*]] = vector_ext.ring.create
// CHECK: vector_ext.ring.get %[[RK]]
// CHECK: vector_ext.await
// CHECK: vector_ext.ring.release %[[RK]]
// CHECK-NOT: vector_ext.ring.get
// CHECK-NOT: vector_ext.turn
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args({{.*}}, %[[J:[a-z0-9]*]] = %{{[a-z0-9]*}}) ->
// CHECK: %[[N:.*]] = arith.divui %[[I]]
// CHECK: %[[K:.*]] = vector_ext.ring.get %[[RK]][%[[N]]]
// CHECK: vector_ext.turn.take groups(2)
// CHECK-NEXT: %[[S:.*]] = vector.contract {{.*}} %[[K]],
// CHECK: %[[V:.*]] = vector_ext.ring.get %[[RV]][%[[LAST:.*]]]
// CHECK: %[[O:.*]] = vector.contract {{.*}} %[[V]],
// CHECK-NEXT: vector_ext.turn.pass groups(2)
// CHECK: vector_ext.await %[[S]]
// CHECK-NEXT: vector_ext.ring.release %[[RK]][%[[N]]]
// CHECK: math.exp2
// CHECK: vector_ext.await %[[O]]
// CHECK: vector_ext.ring.release %[[RV]][%[[LAST]]]
// CHECK: scf.yield
// CHECK-NOT: vector_ext.turn
// CHECK: vector_ext.ring.get %[[RV]]
// CHECK: vector_ext.await
// CHECK: vector_ext.ring.release %[[RV]]
func.func @rings(%q: vector<128x64xf16>, %n: index, %out: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %rk = vector_ext.ring.create : !ring
  %rv = vector_ext.ring.create : !ring
  vector_ext.role first(0) threads(256) registers(240) {
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
      %at = arith.divui %i, %c64 : index
      %k = vector_ext.ring.get %rk[%at] : !ring
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rk[%at] : !ring
      %e = math.exp2 %s : vector<128x64xf32>
      %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
      %v = vector_ext.ring.get %rv[%at] : !ring
      %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rv[%at] : !ring
      scf.yield %o : vector<128x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<128x64xf32>, memref<128x64xf32>
  }
  return
}

// -----

// The queries of a loop over tiles: only stage 0 reads them. They are free in front
// of the last stage 1, and where there is no iteration. A tile that is read behind
// the loop is not (%rx).

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>
#t = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#u = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [#t]>
!rows = !vector_ext.ring<slots = 1, tiles = [vector<128x64xf16>], layouts = [#u]>

// CHECK-LABEL: func.func @queries
// CHECK: %[[RQ:.*]] = vector_ext.ring.create
// CHECK: %[[RX:.*]] = vector_ext.ring.create
// CHECK: vector_ext.ring.create
// CHECK: %[[RV:.*]] = vector_ext.ring.create
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} {
// CHECK: vector_ext.ring.get %[[RQ]][%[[TILE]]]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.yield
// CHECK-NOT: vector_ext.ring.get
// CHECK: vector_ext.ring.release %[[RQ]][%[[TILE]]]
// CHECK-NOT: vector_ext.ring.release
// CHECK: vector_ext.ring.get %[[RV]]
// CHECK: vector_ext.await
// CHECK: vector_ext.ring.release %[[RV]]
// CHECK: } else {
// CHECK-NEXT: vector_ext.ring.release %[[RQ]][%[[TILE]]]
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: vector_ext.ring.release %[[RX]][%[[TILE]]]
// CHECK-NEXT: }
func.func @queries(%m: index, %n: index, %out: memref<128x64xf32>, %copy: memref<128x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %rq = vector_ext.ring.create : !rows
  %rx = vector_ext.ring.create : !rows
  %rk = vector_ext.ring.create : !ring
  %rv = vector_ext.ring.create : !ring
  vector_ext.role first(0) threads(256) registers(240) {
    scf.for %tile = %c0 to %m step %c1 {
      %q = vector_ext.ring.get %rq[%tile] : !rows
      %x = vector_ext.ring.get %rx[%tile] : !rows
      %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
        %at = arith.divui %i, %c64 : index
        %k = vector_ext.ring.get %rk[%at] : !ring
        %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
        vector_ext.ring.release %rk[%at] : !ring
        %e = math.exp2 %s : vector<128x64xf32>
        %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
        %v = vector_ext.ring.get %rv[%at] : !ring
        %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
        vector_ext.ring.release %rv[%at] : !ring
        scf.yield %o : vector<128x64xf32>
      }
      vector_ext.ring.release %rq[%tile] : !rows
      vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<128x64xf32>, memref<128x64xf32>
      vector.transfer_write %x, %copy[%c0, %c0] {in_bounds = [true, true]} : vector<128x64xf16>, memref<128x64xf16>
      vector_ext.ring.release %rx[%tile] : !rows
    }
  }
  return
}

// -----

// One stage: an explicit await, in front of the release.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#t = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>, vector<64x64xf16>], layouts = [#t, #t]>

// EXPLAIN: remark: schedule: issue product 0 of n; await product 0 of n (
// CHECK-LABEL: func.func @product
// CHECK: scf.for
// CHECK: %[[T:.*]]:2 = vector_ext.ring.get
// CHECK: %[[OPEN:.*]] = vector.contract {{.*}} %[[T]]#0, %[[T]]#1
// CHECK: %[[D:.*]] = vector_ext.await %[[OPEN]]
// CHECK: vector_ext.ring.release
// CHECK: scf.yield %[[D]]
func.func @product(%n: index) -> vector<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %ring = vector_ext.ring.create : !ring
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x, %y = vector_ext.ring.get %ring[%i] : !ring
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector_ext.ring.release %ring[%i] : !ring
    scf.yield %o : vector<64x64xf32>
  }
  return %r : vector<64x64xf32>
}

// -----

// A loop that copies for itself: a put goes with its get.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>
#t = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [#t]>

// EXPLAIN: remark: schedule: issue product 0 of n; 3 ops of n + 1; await product 0 of n; 1 op of n + 1 (
// CHECK-LABEL: func.func @puts
// CHECK: scf.for
// CHECK: vector_ext.ring.put %[[RING:.*]][%[[N:.*]]], %{{.*}} at (%[[N]], %{{.*}})
// CHECK-NEXT: %[[Y:.*]] = vector_ext.ring.get %[[RING]][%[[N]]]
// CHECK-NEXT: %[[OPEN:.*]] = vector.contract {{.*}} %[[Y]],
// CHECK: arith.sitofp
// CHECK: vector_ext.await %[[OPEN]]
// CHECK: vector_ext.ring.release %[[RING]][%[[N]]]
// CHECK: scf.yield
func.func @puts(%a: memref<128x?xi8>, %scale: vector<128x64xf32>, %b: memref<?x64xf16>, %n: index) -> vector<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad8 = arith.constant 0 : i8
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %ring = vector_ext.ring.create : !ring
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %q = vector.transfer_read %a[%c0, %i], %pad8 {in_bounds = [true, true]} : memref<128x?xi8>, vector<128x64xi8>
    %w = arith.sitofp %q : vector<128x64xi8> to vector<128x64xf32>
    %s = arith.mulf %w, %scale : vector<128x64xf32>
    %x = arith.truncf %s : vector<128x64xf32> to vector<128x64xf16>
    vector_ext.ring.put %ring[%i], %b at (%i, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !ring, memref<?x64xf16>
    %y = vector_ext.ring.get %ring[%i] : !ring
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    vector_ext.ring.release %ring[%i] : !ring
    scf.yield %o : vector<128x64xf32>
  }
  return %r : vector<128x64xf32>
}

// -----

// Two loops of one chain: tiles of the first one are whole, which is a bound of their
// ends. So is what the first rotated loop carries, but not what the second one does,
// which may be that of its own first tile. A tile that is known to be whole is waited
// for between the products, one that may end in front of them.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>
#t = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [#t]>

// CHECK-LABEL: func.func @ends
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[END:[a-z0-9]*]] = %{{[0-9]*}}#2, %{{[a-z0-9]*}} = %{{[0-9]*}}#3) ->
// CHECK:   %[[WHOLE:.*]] = arith.maxsi %[[END]], %c64
// CHECK:   %[[NEXT:.*]] = arith.maxsi %{{.*}}, %c64
// CHECK:   vector_ext.ring.get %{{.*}} ends(%[[NEXT]])
// CHECK:   vector.contract
// CHECK:   vector_ext.ring.get %{{.*}} ends(%[[WHOLE]])
// CHECK:   vector.contract
// CHECK:   scf.yield %{{.*}}, %{{.*}}, %[[NEXT]], %{{.*}} :
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[END:[a-z0-9]*]] = %{{[0-9]*}}#2, %{{[a-z0-9]*}} = %{{[0-9]*}}#3) ->
// CHECK-NOT: arith.maxsi
// CHECK:   %[[NEXT:.*]] = arith.subi
// CHECK:   vector_ext.ring.get %{{.*}} ends(%[[NEXT]])
// CHECK-NOT: vector.contract
// CHECK:   vector_ext.ring.get %{{.*}} ends(%[[END]])
func.func @ends(%q: vector<128x64xf16>, %whole: index, %n: index, %out: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %rk = vector_ext.ring.create : !ring
  %rv = vector_ext.ring.create : !ring
  vector_ext.role first(0) threads(256) registers(240) {
    %r = scf.for %i = %c0 to %whole step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
      %at = arith.divui %i, %c64 : index
      %end = arith.maxsi %i, %c64 : index
      %k = vector_ext.ring.get %rk[%at] ends(%end) : !ring
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rk[%at] : !ring
      %e = math.exp2 %s : vector<128x64xf32>
      %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
      %v = vector_ext.ring.get %rv[%at] ends(%end) : !ring
      %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rv[%at] : !ring
      scf.yield %o : vector<128x64xf32>
    }
    %l = scf.for %i = %whole to %n step %c64 iter_args(%acc = %r) -> (vector<128x64xf32>) {
      %at = arith.divui %i, %c64 : index
      %end = arith.subi %n, %i : index
      %k = vector_ext.ring.get %rk[%at] ends(%end) : !ring
      %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rk[%at] : !ring
      %e = math.exp2 %s : vector<128x64xf32>
      %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
      %v = vector_ext.ring.get %rv[%at] ends(%end) : !ring
      %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
      vector_ext.ring.release %rv[%at] : !ring
      scf.yield %o : vector<128x64xf32>
    }
    vector.transfer_write %l, %out[%c0, %c0] {in_bounds = [true, true]} : vector<128x64xf32>, memref<128x64xf32>
  }
  return
}
