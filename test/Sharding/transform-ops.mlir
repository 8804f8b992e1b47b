// RUN: linalg-ext-opt %s -transform-interpreter -split-input-file -verify-diagnostics | FileCheck %s

// The steps of linalg-ext-shard in a script: eight rows on two processes, then the
// sum of all rows, of which each process has four.

// CHECK-LABEL: module attributes {transform.target_tag = "program"}
// CHECK-NOT:     shard.
// CHECK:         func.func @row_sums(%{{.*}}: tensor<4x5xf32>) -> tensor<5xf32>
// CHECK:           linalg.reduce {{.*}} ins(%{{.*}} : tensor<4x5xf32>)
// CHECK:           call @linalg_ext_mpi_all_reduce_f32(
// CHECK-NOT:     shard.

module attributes {transform.with_named_sequence} {
  // expected-remark @below {{lowered}}
  module attributes {transform.target_tag = "program"} {
    func.func @row_sums(%x: tensor<8x5xf32>) -> tensor<5xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<5xf32>
      %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
      %sum = linalg.reduce { arith.addf }
          ins(%x : tensor<8x5xf32>) outs(%init : tensor<5xf32>) dimensions = [0]
      return %sum : tensor<5xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.annotate_sharding %program sharding = "2: [[0]] -> []" : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %program : (!transform.any_op) -> !transform.any_op
    %annotated = transform.apply_registered_pass "sharding-propagation" with options = { "traversal" = "forward-backward" } to %f : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.verify_sharding %annotated : !transform.any_op
    %part = transform.apply_registered_pass "shard-partition" to %annotated : (!transform.any_op) -> !transform.any_op
    %lowered = transform.linalg_ext.lower_sharded %program : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %lowered, "lowered" : !transform.any_op
    transform.yield
  }
}

// -----

// Refusals leave the program as it was, so another script may go on.

// CHECK-LABEL: func.func @negative_not_annotated(
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    return
module attributes {transform.with_named_sequence} {
  module attributes {transform.target_tag = "program"} {
    func.func @negative_not_annotated(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    transform.sequence %program : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      transform.linalg_ext.annotate_sharding %arg sharding = "2: [[0]], [[0]] -> [[0]]" : !transform.any_op
    }
    transform.sequence %program : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %arg : (!transform.any_op) -> !transform.any_op
      transform.linalg_ext.verify_sharding %f : !transform.any_op
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{invalid sharding: expected the shape of a grid, such as '2x4', before ':', got '2y4'}}
  module attributes {transform.target_tag = "program"} {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.annotate_sharding %program sharding = "2y4: [[0]] -> [[0]]" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  module attributes {transform.target_tag = "program"} {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      // expected-error @below {{expected a shard.shard for operand 0, got none; annotate more, or run sharding-propagation}}
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %program : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.verify_sharding %f : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  module attributes {transform.target_tag = "program"} {
    // expected-note @below {{payload op}}
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %program : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a module, got 'func.func'}}
    transform.linalg_ext.annotate_sharding %f sharding = "2: [[0]] -> [[0]]" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  module attributes {transform.target_tag = "program"} {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a function, got 'builtin.module'}}
    transform.linalg_ext.verify_sharding %program : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  module attributes {transform.target_tag = "program"} {
    // expected-note @below {{payload op}}
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %program : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a module, got 'func.func'}}
    %g = transform.linalg_ext.lower_sharded %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected a payload op that does not contain this transform op}}
    %g = transform.linalg_ext.lower_sharded %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  module attributes {transform.target_tag = "program"} {
    shard.grid @grid(shape = 2)
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      // expected-error @below {{got 'shard.broadcast', which the runtime library lacks}}
      %y = shard.broadcast %x on @grid grid_axes = [0] root = [0] : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %program = transform.structured.match attributes{transform.target_tag = "program"} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.linalg_ext.lower_sharded %program : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
