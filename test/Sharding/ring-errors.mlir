// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-lower-sharded

shard.grid @grid(shape = 2)

func.func @twice(%x: tensor<4xf32> {shard.ring}, %init: tensor<f32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%g : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %c, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  // expected-error @+1 {{expected either parts that travel or what is reduced over all of them, got both: the parts would have to travel twice}}
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%g, %s : tensor<8xf32>, tensor<f32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @two_loops(%x: tensor<4xf32> {shard.ring}, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected one loop over the parts that travel, got operand 1 with the map affine_map<(d0, d1) -> (d1)>}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%g, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @map(%x: tensor<4xf32> {shard.ring}, %w: tensor<15xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected projected permutations on parts that travel, got affine_map<(d0) -> (d0 * 2)>}}
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%g, %w : tensor<8xf32>, tensor<15xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @difference(%x: tensor<4xf32> {shard.ring}, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected a sum, a maximum or a minimum over parts that travel}}
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%g : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.divf %c, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

shard.grid @grid(shape = 2x2)

func.func @axes(%x: tensor<4xf32> {shard.ring}, %z: tensor<4xf32> {shard.ring}, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected parts that travel along the same axes where they are read together}}
  %h = shard.all_gather %z on @grid grid_axes = [1] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %s = linalg.dot ins(%g, %h : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
