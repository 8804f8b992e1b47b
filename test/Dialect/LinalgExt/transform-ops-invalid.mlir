// RUN: linalg-ext-opt %s -transform-interpreter -split-input-file -verify-diagnostics

// What a refusal says; the IR it leaves is checked in transform-ops.mlir.

func.func @negative_forall_over_reduction(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{root}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tile and fuse: expected 'forall' to tile parallel dimensions only, got reduction dimension 2, whose tiles would race}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(0, 0, 4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_too_many_tile_sizes(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{root}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tile and fuse: expected at most 3 tile sizes, one for each dimension of the root, got 4}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(0, 0, 0, 4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// expected-note @below {{root}}
func.func @negative_not_a_root() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tile and fuse: 'func.func' cannot be a root: expected an op with indexing maps that implements TilingInterface}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The root handle is consumed.

func.func @negative_use_after_consumption(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note @below {{handle to invalidated ops}}
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{invalidated by this transform op that consumes its operand #0}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{op uses a handle invalidated by a previously executed transform op}}
    transform.annotate %root "after" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_no_level(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected at least one level of tiling, got none}}
    %t = transform.linalg_ext.tile_and_fuse %root levels = [] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_loop_handles(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected 3 loop handles, one for each loop of the levels, got 1}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(4, 4), for(2, 0, 4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_kind(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected 'for', 'forall' or 'split'}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [while(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_tile_size(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 1 to have tile sizes that are not negative, got -4}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4), for(-4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_nothing_tiled(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to tile at least one dimension, got only tile sizes of 0}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(0, 0)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_interchange(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have an interchange that is a permutation, got [0, 2]}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4) interchange(0, 2)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_mapping(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have a mapping that is an array of device mappings, got [1]}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(4) mapping [1]]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_normalization(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{invalid 'normalization': expected 'eager' or 'delayed', got 'lazy'}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)] {normalization = "lazy"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_recompute(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{invalid 'recompute': expected 'all', 'cheap' or 'none', got 'some'}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)] {recompute = "some"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_rescale_elements(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected 'rescale_threshold' with 'rescale_elements', got none}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)] {rescale_elements}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_not_a_dictionary(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to be a dictionary, got 4}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) <{levels = [4]}>
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_entry(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have the entries 'kind', 'tile_sizes', 'interchange', 'parts' and 'mapping' only, got 'size'}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) <{levels = [{kind = "for", size = array<i64: 4>}]}>
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_kind(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have the kind "for", "forall" or "split", got "while"}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) <{levels = [{kind = "while", tile_sizes = array<i64: 4>}]}>
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_parts(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have parts from 1 to 32 of type i64, got 33 : i64}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4) parts(33)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_tile_sizes(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have tile sizes of type array<i64>, got [4]}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) <{levels = [{kind = "for", tile_sizes = [4]}]}>
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_level_interchange(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected level 0 to have an interchange of type array<i64>, got [0]}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) <{levels = [{kind = "for", tile_sizes = array<i64: 4>, interchange = [0]}]}>
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected a payload op that does not contain this transform op}}
    transform.linalg_ext.raise %m : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected a payload op that does not contain this transform op}}
    transform.linalg_ext.reduce_parts %m : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected a payload op that does not contain this transform op}}
    transform.linalg_ext.read_parts %m : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected a payload op that does not contain this transform op}}
    transform.linalg_ext.decompose %m : !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_decompose_not_isolated(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a payload op that is isolated from above}}
    transform.linalg_ext.decompose %matmul : !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_normalize_encoding(%a: tensor<8xf32, "e">) -> tensor<8xf32, "e"> {
  // expected-note @below {{payload op}}
  %0 = math.exp %a : tensor<8xf32, "e">
  return %0 : tensor<8xf32, "e">
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected tensors without encodings}}
    transform.linalg_ext.normalize %func : !transform.any_op
    transform.yield
  }
}

// -----

// To raise it would erase the op that is being rewritten.

func.func @negative_normalize_not_isolated(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{payload op}}
  %0 = linalg.softmax dimension(1) ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a payload op that is isolated from above}}
    transform.linalg_ext.normalize %softmax : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
func.func @negative_log_sum_exp_of_nothing(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  return %x : tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot return the log-sum-exp: expected a 'linalg_ext.softmax' in the function, got none}}
    %lse = transform.linalg_ext.return_log_sum_exp %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Nothing contracts these weights.

func.func @negative_recompute_weights(%x: tensor<3x4xf32>, %a: tensor<3xf32>) -> tensor<3x4xf32> {
  // expected-note @below {{payload op}}
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return %p#0 : tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a contraction of the weights that keeps the dimension which the softmax reduces, scores that a contraction computes, and no other user that needs the weights in memory}}
    %gradients = transform.linalg_ext.recompute_weights %softmax : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_recompute_weights_of_an_op(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-note @below {{payload op}}
  return %x : tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ret = transform.structured.match ops{["func.return"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'linalg_ext.softmax', got 'func.return'}}
    %gradients = transform.linalg_ext.recompute_weights %ret : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_log_sum_exp_of_an_op(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-note @below {{payload op}}
  return %x : tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ret = transform.structured.match ops{["func.return"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'func.func', got 'func.return'}}
    %lse = transform.linalg_ext.return_log_sum_exp %ret : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{invalid 'exactness': }}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)] {exactness = "roughly"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a positive dynamic_size, got 0}}
    transform.linalg_ext.explain_fusion %root levels = [for(4)] {dynamic_size = 0 : i64} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected format "text" or "json", got "xml"}}
    transform.linalg_ext.explain_fusion %root levels = [for(4)] {format = "xml"} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_decompose_on_buffers(%x: memref<2x4xf32>, %y: memref<2x4xf32>, %m: memref<2xf32>, %s: memref<2xf32>, %r: memref<2xf32>) {
  // expected-error @below {{'linalg_ext.softmax' op expected tensors to decompose, got buffers}}
  // expected-note @below {{when applied to this op}}
  linalg_ext.softmax dimension(1) ins(%x : memref<2x4xf32>) outs(%y, %m, %s, %r : memref<2x4xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{failed to apply}}
    %parts = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_share_temporaries(%a: memref<8xf32>) {
  // expected-note @below {{payload op}}
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{has no temporaries: expected a 'func.func', got 'linalg.exp'}}
    transform.linalg_ext.share_temporaries %exp : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{attribute 'alignment' failed to satisfy constraint}}
    transform.linalg_ext.share_temporaries %root alignment = 3 : !transform.any_op
    transform.yield
  }
}
