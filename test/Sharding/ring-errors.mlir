// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-complete-sharding=steps=lower

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

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @two_reductions(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %q:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %l, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected operands that depend on one online reduction over parts that travel, got two}}
  %r = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p#0, %q#0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.mulf %a, %b : f32
    %u = arith.addf %c, %t : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @nested(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected no online reduction of what depends on another one where parts travel}}
  %q:4 = linalg_ext.softmax dimension(1) ins(%p#0 : tensor<4x8xf32>)
      outs(%e, %l, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %q#1 : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @scale_used(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  // expected-error @+1 {{expected no users of result 3 where parts travel: it belongs to the state of one part}}
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %p#3 : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @exponential(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected what can be repaired where parts travel; the accumulated term is not a multiple or a shift of what the repair makes of it}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p#0 : tensor<4x8xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %t = math.exp %a : f32
    %u = arith.addf %c, %t : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @square(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected a factor or a term for each row of the state where parts travel, got a repair of kind 'scale' of degree 2.000000e+00}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p#0 : tensor<4x8xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %t = arith.mulf %a, %a : f32
    %u = arith.addf %c, %t : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
shard.grid @grid(shape = 2)

func.func @other_dimension(%x: tensor<4x4xf32> {shard.ring}, %e: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>, %c: tensor<8xf32>) -> tensor<4x8xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%g : tensor<4x8xf32>)
      outs(%e, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected a repairable op on what depends on an online reduction where parts travel}}
  %q:4 = linalg_ext.softmax dimension(0) ins(%p#0 : tensor<4x8xf32>)
      outs(%e, %c, %c, %c : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      -> tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %q#0 : tensor<4x8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @merged(%x: tensor<3x4xf32> {shard.ring}, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<3x4xf32> -> tensor<3x8xf32>
  // expected-error @+1 {{expected the dimension along which parts travel alone in its group, beside dimensions of size 1}}
  %c = tensor.collapse_shape %g [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<24xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @split(%x: tensor<4xf32> {shard.ring}, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected the dimension along which parts travel alone in its group, beside dimensions of size 1}}
  %c = tensor.expand_shape %g [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<4x2xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  return %s : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @half(%x: tensor<4xf32> {shard.ring}, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected a slice of what depends on no online reduction, with all of the dimension along which parts travel}}
  %c = tensor.extract_slice %g[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<6xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @longer(%x: tensor<4xf32> {shard.ring}, %y: tensor<3xf32>, %init: tensor<f32>) -> tensor<f32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected a concatenation of what depends on no online reduction, along another dimension than that along which parts travel}}
  %c = tensor.concat dim(0) %g, %y : (tensor<8xf32>, tensor<3xf32>) -> tensor<11xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<11xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)

func.func @in_payload(%x: tensor<4xf32> {shard.ring}, %i: tensor<3xindex>, %e: tensor<3xf32>) -> tensor<3xf32> {
  %g = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{expected a payload that reads operands alone where parts travel}}
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%i : tensor<3xindex>) outs(%e : tensor<3xf32>) {
  ^bb0(%p: index, %c: f32):
    %r = tensor.extract %g[%p] : tensor<8xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

shard.grid @grid(shape = 2)

#part = affine_map<(i) -> (i)>
#number = affine_map<(i) -> ()>
#reduction = {indexing_maps = [#part, #number, #number], iterator_types = ["reduction"]}

// The sum over x that reads the sum over z, and the other way around.
func.func @each_other(%x: tensor<4xf32> {shard.ring}, %z: tensor<3xf32> {shard.ring}, %init: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // expected-error @+1 {{expected rings of which one reads the results of the other, got two that read those of each other: the parts would have to travel twice}}
  %gx = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %gz = shard.all_gather %z on @grid grid_axes = [0] gather_axis = 0 : tensor<3xf32> -> tensor<6xf32>
  %sx = linalg.generic #reduction ins(%gx, %init : tensor<8xf32>, tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %sz = linalg.generic #reduction ins(%gz, %init : tensor<6xf32>, tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %xz = linalg.generic #reduction ins(%gx, %sz : tensor<8xf32>, tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %zx = linalg.generic #reduction ins(%gz, %sx : tensor<6xf32>, tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %xz, %zx : tensor<f32>, tensor<f32>
}
