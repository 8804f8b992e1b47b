// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=persist-workgroups --split-input-file | FileCheck %s
// RUN: sed 's/persist = 1 /persist = 2 /' %s | linalg-ext-opt --vector-ext-pipeline-products=steps=persist-workgroups --split-input-file | FileCheck %s --check-prefix=BOTH
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=persist-workgroups})' --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
!rows = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Two rings that are used alike have one count of positions. That of the rows,
// one a tile, is the number of the tile.

// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[TILES:[a-z0-9]+]]: index, %[[SIZE:[a-z0-9]+]]: index)
// CHECK: %[[FEW:.*]] = arith.minsi %[[TILES]], %c132{{.*}} : index
// More tiles than a grid may have workgroups are refused at launch.
// CHECK: %[[TOO_MANY:.*]] = arith.cmpi sgt, %[[TILES]], %c2147483647{{.*}} : index
// CHECK: %[[GRID:.*]] = arith.select %[[TOO_MANY]], %[[TILES]], %[[FEW]] : index
// CHECK: gpu.launch blocks(%[[ID:.*]], %{{.*}}, %{{.*}}) in (%[[ALL:.*]] = %[[GRID]],
// CHECK-COUNT-3: vector_ext.ring.create
// CHECK-NOT: vector_ext.ring.create
// CHECK: %[[KNOWN:.*]] = vector_ext.assume %[[TILES]] at_least 0 at_most 2147483647
// CHECK: affine.delinearize_index %[[KNOWN]] into (%[[ALL]]) : index, index
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[COUNT:.*]] = vector_ext.assume %[[SUM]] at_least 0 at_most 2147483647
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[COUNT]] step %{{.*}} iter_args(%[[USED:.*]] = %{{.*}}) -> (index) {
// CHECK: %[[DONE:.*]] = vector_ext.assume %[[USED]] at_least 0 at_most 1073741823
// CHECK: %[[BEFORE:.*]] = arith.muli %[[I]], %[[ALL]]
// CHECK: %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[ID]]
// CHECK: %[[TILE:.*]] = vector_ext.assume %[[NUMBER]] at_least 0 at_most 2147483647
// CHECK: arith.muli %[[TILE]], %c64
// CHECK: vector_ext.ring.put %{{.*}}[%[[I]]]
// CHECK: scf.for %[[K:.*]] =
// CHECK: %[[N:.*]] = arith.divui %[[K]], %c64
// CHECK: %[[P:.*]] = arith.addi %[[DONE]], %[[N]]
// CHECK: vector_ext.ring.put %{{.*}}[%[[P]]]
// CHECK: vector_ext.ring.get
// CHECK: vector_ext.ring.release
// CHECK: vector_ext.ring.put
// CHECK: scf.for
// CHECK: vector_ext.ring.release %{{.*}}[%[[I]]]
// CHECK: %[[OF_FIRST:.*]] = arith.divui
// CHECK: %[[FIRST:.*]] = arith.addi %[[DONE]], %[[OF_FIRST]] : index
// CHECK: %[[OF_SECOND:.*]] = arith.divui
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[OF_SECOND]] : index
// CHECK: %[[WRAPPED:.*]] = arith.remui %[[NEXT]], %c1073741824
// CHECK: scf.yield %[[WRAPPED]] : index

// In two directions: pairs of tiles, of which there are ceil(tiles / 2). If these do not
// fill all rounds, the tiles of the last two rounds, or all tiles of at most three
// rounds, are dealt one by one. Every second round of these goes from the last workgroup
// to the first.
// BOTH-LABEL: func.func @loops
// BOTH-SAME: %[[TILES:[a-z0-9]+]]: index, %[[SIZE:[a-z0-9]+]]: index)
// BOTH: %[[PAIRS:.*]] = arith.ceildivui %[[TILES]], %c2
// BOTH: %[[ROUNDS:.*]] = arith.ceildivui %[[PAIRS]], %c132
// BOTH-DAG: %[[FULL:.*]] = arith.subi %[[ROUNDS]], %c2
// BOTH-DAG: %[[WHOLE:.*]] = arith.muli %[[FULL]], %c264
// BOTH-DAG: %[[ALL_TIME:.*]] = arith.muli %[[ROUNDS]], %c2112
// BOTH-DAG: %[[USED_TIME:.*]] = arith.muli %[[PAIRS]], %c17
// BOTH-DAG: %[[FEW_UNEVEN:.*]] = arith.cmpi ugt, %[[ALL_TIME]], %[[USED_TIME]]
// BOTH-DAG: %[[MORE_TIME:.*]] = arith.muli %[[ROUNDS]], %c8448
// BOTH-DAG: %[[MORE_USED:.*]] = arith.muli %[[PAIRS]], %c65
// BOTH-DAG: %[[MANY_UNEVEN:.*]] = arith.cmpi ugt, %[[MORE_TIME]], %[[MORE_USED]]
// BOTH-DAG: %[[ARE_SIX:.*]] = arith.cmpi ule, %[[ROUNDS]], %c6
// BOTH-DAG: %[[UNEVEN:.*]] = arith.select %[[ARE_SIX]], %[[FEW_UNEVEN]], %[[MANY_UNEVEN]]
// BOTH-DAG: %[[ARE_FEW:.*]] = arith.cmpi ule, %[[ROUNDS]], %c3
// BOTH: %[[SOME:.*]] = arith.select %[[ARE_FEW]], %c0{{.*}}, %[[WHOLE]]
// BOTH: %[[IN_PAIRS:.*]] = arith.select %[[UNEVEN]], %[[SOME]], %[[TILES]]
// BOTH: %[[NONE:.*]] = arith.cmpi eq, %[[IN_PAIRS]], %c0
// BOTH: %[[HALF:.*]] = arith.ceildivui %[[TILES]], %c2
// BOTH: %[[GROUPS:.*]] = arith.select %[[NONE]], %[[TILES]], %[[HALF]]
// BOTH: %[[FEW:.*]] = arith.minsi %[[GROUPS]], %c132{{.*}} : index
// BOTH: %[[GRID:.*]] = arith.select %{{.*}}, %[[TILES]], %[[FEW]] : index
// The rounds of tiles in pairs, two for each pair.
// BOTH: %[[TWICE:.*]] = arith.muli %[[GRID]], %c2
// BOTH: %[[OF_ROUND:.*]] = arith.maxsi %[[TWICE]], %c2
// BOTH: %[[TWO_ROUNDS:.*]] = arith.ceildivui %[[IN_PAIRS]], %[[OF_ROUND]]
// BOTH: %[[ROUNDS_IN_PAIRS:.*]] = arith.muli %[[TWO_ROUNDS]], %c2
// BOTH: gpu.launch blocks(%[[ID:[a-z0-9]+]], %{{.*}}, %{{.*}}) in (%[[ALL:[a-z0-9]+]] = %[[GRID]],
// BOTH: %[[KNOWN:.*]] = vector_ext.assume %[[IN_PAIRS]]
// BOTH: affine.delinearize_index %[[KNOWN]] into (%{{.*}}) : index, index
// BOTH: %[[OTHERS:.*]] = arith.subi %[[TILES]], %[[IN_PAIRS]]
// The last round by length may be a backward one, too.
// BOTH: %[[KNOWN_OTHERS:.*]] = vector_ext.assume %[[OTHERS]]
// BOTH: %[[WHOLE_ROUNDS:.*]]:2 = affine.delinearize_index %[[KNOWN_OTHERS]] into (%[[ALL]]) : index, index
// BOTH: %[[ODD:.*]] = arith.remui %[[WHOLE_ROUNDS]]#0, %c2
// BOTH: %[[BACK:.*]] = arith.cmpi ne, %[[ODD]], %c0
// BOTH: %[[PLACE:.*]] = arith.select %[[BACK]], %{{.*}}, %[[ID]]
// BOTH: arith.subi %[[WHOLE_ROUNDS]]#1, %[[PLACE]]
// BOTH: scf.for %[[I:[a-z0-9]+]] =
// Both orders begin a round at the same tile.
// BOTH: %[[IS_IN_PAIRS:.*]] = arith.cmpi slt, %[[I]], %[[ROUNDS_IN_PAIRS]]
// BOTH: %[[ODD_I:.*]] = arith.remui %[[I]], %c2
// BOTH: %[[EVEN_I:.*]] = arith.subi %[[I]], %[[ODD_I]]
// BOTH: %[[ROUND:.*]] = arith.select %[[IS_IN_PAIRS]], %[[EVEN_I]], %[[I]]
// BOTH: %[[FIRST:.*]] = arith.muli %[[ID]], %c2
// BOTH: %[[OF_PAIR:.*]] = arith.addi %[[FIRST]], %[[ODD_I]]
// BOTH: %[[LAST:.*]] = arith.subi %[[ALL]], %c1
// BOTH: %[[BACK_I:.*]] = arith.cmpi ne, %{{.*}}, %c0
// BOTH: %[[BACKWARD:.*]] = arith.subi %[[LAST]], %[[ID]]
// BOTH: %[[OTHER_I:.*]] = vector_ext.assume %[[BACKWARD]] at_least 0
// BOTH: %[[OF_LENGTH:.*]] = arith.select %[[BACK_I]], %[[OTHER_I]], %[[ID]]
// BOTH: %[[PLACE_I:.*]] = arith.select %[[IS_IN_PAIRS]], %[[OF_PAIR]], %[[OF_LENGTH]]
// BOTH: %[[BEFORE:.*]] = arith.muli %[[ROUND]], %[[ALL]]
// BOTH: arith.addi %[[BEFORE]], %[[PLACE_I]]
func.func @loops(%q: memref<?x64xf16>, %k: memref<?x64xf16>, %tiles: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = arith.muli %x, %c64 : index
    %rows = vector_ext.ring.create : !rows
    %keys = vector_ext.ring.create : !rows
    %values = vector_ext.ring.create : !rows
    vector_ext.ring.put %rows[%c0], %q at (%m, %c0) {maps = [#id]} : !rows, memref<?x64xf16>
    %a = vector_ext.ring.get %rows[%c0] : !rows
    %middle = arith.divui %size, %c64 : index
    scf.for %n = %c0 to %middle step %c64 {
      %p = arith.divui %n, %c64 : index
      vector_ext.ring.put %keys[%p], %k at (%n, %c0) {maps = [#id]} : !rows, memref<?x64xf16>
      %b = vector_ext.ring.get %keys[%p] : !rows
      vector_ext.ring.release %keys[%p] : !rows
      vector_ext.ring.put %values[%p], %k at (%n, %c0) {maps = [#id]} : !rows, memref<?x64xf16>
    }
    scf.for %n = %middle to %size step %c64 {
      vector_ext.ring.put %keys[%n], %k at (%n, %c0) {maps = [#id]} : !rows, memref<?x64xf16>
      vector_ext.ring.put %values[%n], %k at (%n, %c0) {maps = [#id]} : !rows, memref<?x64xf16>
    }
    vector_ext.ring.release %rows[%c0] : !rows
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// A kernel that is marked as it is, and one without rings.

// CHECK-LABEL: func.func @others
// CHECK-NOT: minsi
// CHECK-NOT: scf.for
// CHECK: return
func.func @others(%q: memref<?x64xf16>, %tiles: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %rows = vector_ext.ring.create : <slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// Two directions, without a loop in the kernel.

// CHECK-LABEL: func.func @marked
// CHECK: arith.ceildivui %{{.*}}, %c2
// CHECK: scf.for
func.func @marked(%q: memref<?x64xf16>, %tiles: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %rows = vector_ext.ring.create : <slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 2 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// Pairs of a long part of a sum and of the rest of it: of 132 workgroups, 112 have the
// long ones, and 20 the rests, every 20th of them. Three tiles are written to each position of
// a ring: an iteration has one position.

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64xf16>, vector<64xf16>, vector<64xf16>],
  layouts = [<[64], order = [0], bits = 16, panel = 64, padding = 0, swizzle = [0, 0, 0]>,
             <[64], order = [0], bits = 16, panel = 64, padding = 0, swizzle = [0, 0, 0]>,
             <[64], order = [0], bits = 16, panel = 64, padding = 0, swizzle = [0, 0, 0]>]>

// CHECK-LABEL: func.func @pairs
// CHECK: gpu.launch blocks(%[[ID:.*]], %{{.*}}, %{{.*}}) in (%[[ALL:.*]] = %c132{{.*}},
// CHECK: %[[PAIRS:.*]] = arith.constant 112 : index
// CHECK: %[[OTHERS:.*]] = arith.subi %[[ALL]], %[[PAIRS]]
// CHECK: %[[PLACE:.*]] = arith.subi %[[ID]], %[[PAIRS]]
// CHECK: %[[PARTS:.*]]:2 = affine.delinearize_index %{{.*}} into (%[[OTHERS]])
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[PLACE]], %[[PARTS]]#1
// CHECK: %[[ONE:.*]] = arith.select %[[MORE]]
// CHECK: %[[RESTS:.*]] = arith.addi %[[PARTS]]#0, %[[ONE]]
// CHECK: %[[IS_LONG:.*]] = arith.cmpi ult, %[[ID]], %[[PAIRS]]
// CHECK: arith.select %[[IS_LONG]], %{{.*}}, %[[RESTS]]
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[USED:.*]] =
// CHECK: %[[BEFORE:.*]] = arith.muli %[[I]],
// CHECK: %[[REST:.*]] = arith.addi %[[BEFORE]], %[[ID]]
// CHECK: arith.select %{{.*}}, %[[ID]], %[[REST]]
// CHECK-COUNT-3: vector_ext.ring.write
// CHECK: %[[COUNT:.*]] = arith.divui
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[COUNT]]
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.remui %[[NEXT]],
func.func @pairs(%size: index, %tile: vector<64xf16>, %out: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c224 = arith.constant 224 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c224, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    scf.for %k = %c0 to %size step %c64 {
      %p = arith.divui %k, %c64 : index
      vector_ext.ring.write %tile, %ring[%p] : !ring, vector<64xf16>
      vector_ext.ring.write %tile, %ring[%p] {number = 1 : i64} : !ring, vector<64xf16>
      vector_ext.ring.write %tile, %ring[%p] {number = 2 : i64} : !ring, vector<64xf16>
      %t:3 = vector_ext.ring.get %ring[%p] : !ring
      vector_ext.ring.release %ring[%p] : !ring
    }
    %at = arith.muli %x, %c64 : index
    vector.transfer_write %tile, %out[%at] {in_bounds = [true]} : vector<64xf16>, memref<?xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 3 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
