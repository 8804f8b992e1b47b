// How attention.mlir is tiled and fused, as a transform script. The dimensions of the
// root are heads, queries, columns and keys. tune.py tries the numbers in the comments.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %rows = transform.param.constant 64 : i64 -> !transform.param<i64>  // try 8 16 32 64 128
    %keys = transform.param.constant 128 : i64 -> !transform.param<i64> // try 32 64 128 256 512
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.normalize %func : !transform.any_op
    %root = transform.structured.match ops{["linalg.batch_matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    // A loop over heads and blocks of queries; in it one over blocks of keys, which cuts
    // the softmax: it carries maximum and sum, and repairs the result.
    %tile, %outer, %inner = transform.linalg_ext.tile_and_fuse %root
        levels = [forall(1, %rows), for(0, 0, 0, %keys)]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
       -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
