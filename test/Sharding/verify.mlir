// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-complete-sharding{steps=verify})'

shard.grid @grid(shape = 2)

func.func @not_annotated(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<4x6xf32>
  // expected-error @+1 {{expected a shard.shard for result 0, got none; annotate more, or run sharding-propagation}}
  %y = math.exp %a : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

shard.grid @grid(shape = 2)

// The position would be computed from a size, from outside of the payload.
func.func @dynamic(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<?xf32>
  // expected-error @+1 {{expected a static size where a payload reads its position in a dimension that processes share, and they share what is reduced}}
  %y = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%a : tensor<?xf32>) outs(%init : tensor<f32>) {
  ^bb0(%e: f32, %acc: f32):
    %k = linalg.index 0 : index
    %i = arith.index_cast %k : index to i64
    %f = arith.sitofp %i : i64 to f32
    %p = arith.mulf %e, %f : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// -----

shard.grid @grid(shape = 0)

func.func @empty_grid(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{expected at least 1 process to share dimension 0 of 'tensor<4x6xf32>', got 0}}
  %a = shard.shard %x to %s : tensor<4x6xf32>
  return %a : tensor<4x6xf32>
}

// -----

shard.grid @grid(shape = ?)

func.func @dynamic_grid(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{expected a static number of processes where they share dimension 0 of 'tensor<4x6xf32>', got a dynamic one}}
  %a = shard.shard %x to %s : tensor<4x6xf32>
  return %a : tensor<4x6xf32>
}

// -----

shard.grid @grid(shape = 2)

// Upstream's model would sum.
func.func @and(%x: tensor<4xi32>, %init: tensor<i32>) -> tensor<i32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<4xi32>
  // expected-error @+1 {{expected a sum, a product, a minimum or a maximum of signed numbers where processes share a reduced dimension, got 'arith.andi'}}
  %y = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%a : tensor<4xi32>) outs(%init : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.andi %in, %out : i32
    linalg.yield %0 : i32
  } -> tensor<i32>
  return %y : tensor<i32>
}

// -----

shard.grid @grid(shape = 2)

func.func @unknown_reduction(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<4xf32>
  // expected-error @+1 {{expected a sum, a product, a minimum or a maximum where processes share a reduced dimension, got a reduction of kind 'generic'}}
  %y = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.subf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @two_results(%x: tensor<4xf32>, %i: tensor<f32>, %j: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<4xf32>
  // expected-error @+1 {{expected one result where processes share a reduced dimension, got 2}}
  %y:2 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%i, %j : tensor<f32>, tensor<f32>) {
  ^bb0(%in: f32, %out0: f32, %out1: f32):
    %0 = arith.addf %in, %out0 : f32
    %1 = arith.maximumf %in, %out1 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %y#0, %y#1 : tensor<f32>, tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @halo(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  // expected-error @+1 {{expected a sharding without halos, got one with}}
  %a = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @offsets(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, 3, 8] : !shard.sharding
  // expected-error @+1 {{expected parts of the same size, got sharded_dims_offsets}}
  %a = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)
shard.grid @other(shape = 2)

func.func @grids(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %o = shard.sharding @other split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  // expected-error @+1 {{expected the grid of the sharding in front, @grid, got @other}}
  %b = shard.shard %a to %o annotate_for_users : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// Stripes of stripes, or parts of stripes, have no position of their own.
shard.grid @grid(shape = 2x2) {striped = array<i16: 0>}

func.func @stripes_along_two_axes(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0, 1]] : !shard.sharding
  // expected-error @+1 {{expected one axis for a dimension that is cut into stripes, got 2 for dimension 0 of 'tensor<8xf32>'}}
  %a = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// Upstream's model of constants refuses them without a message.
shard.grid @grid(shape = 2)

func.func @constant() -> tensor<2xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{expected a constant whose elements are equal, got other elements of type 'tensor<2xf32>'; make it an argument}}
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = shard.shard %c to %s annotate_for_users : tensor<2xf32>
  return %a : tensor<2xf32>
}

// -----

// It leaves a resource as it is, so that each process would have all of it.
shard.grid @grid(shape = 2)

func.func @resource() -> tensor<2xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{expected a constant whose elements are equal, got other elements of type 'tensor<2xf32>'; make it an argument}}
  %c = arith.constant dense_resource<table> : tensor<2xf32>
  %a = shard.shard %c to %s annotate_for_users : tensor<2xf32>
  return %a : tensor<2xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @whole_resource() -> tensor<2xf32> {
  %s = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %c = arith.constant dense_resource<table> : tensor<2xf32>
  %a = shard.shard %c to %s annotate_for_users : tensor<2xf32>
  return %a : tensor<2xf32>
}

{-#
  dialect_resources: { builtin: { table: "0x040000000000803F00000040" } }
#-}
