//===- Passes.td - Programs on several processes -----------*- tablegen -*-===//
//
// What upstream's passes of the shard dialect need before and after them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SHARDING_PASSES
#define MLIR_EXT_SHARDING_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtCompleteShardingPass
    : Pass<"linalg-ext-complete-sharding", "::mlir::ModuleOp"> {
  let summary = "Annotate, verify and lower what upstream's shard passes do not";
  let description = [{
    Runs the steps that `steps` names. Upstream's passes run between them:
    `annotate`, `sharding-propagation`, `verify`, `shard-partition`, `lower`. The
    pipeline `linalg-ext-shard` has them all in order. docs/Sharding.md has the whole.

    ### `annotate`

    Adds a `shard.grid` to the module, and a `shard.shard` for each argument and
    result of its public functions. `sharding` has the shape of the grid and, for
    each argument and each result, the axes along which each dimension is cut:

    ```
    sharding ::= grid ':' tensor (',' tensor)* '->' tensor (',' tensor)*
    grid     ::= size 'striped'? ('x' size 'striped'?)*
    tensor   ::= '[' axes (',' axes)* ']' | '[]'
    axes     ::= 'ring'? '[' (axis (',' axis)*)? ']'
    ```

    Dimensions at the end may be left out: they are not cut. Arguments that are
    no tensors have `[]`. The axes of arguments are also the attribute `arguments` of
    the `shard.grid`: `verify` reads it where nothing uses an
    argument. With `2x4: [[0]], [[0], [1]], [[0], [1]] -> [[0]]`, eight
    processes compute an attention: axis 0 of the grid cuts the heads, which are
    dimension 0 of all tensors, and axis 1 the keys, dimension 1 of K and V.

    `ring` is for arguments. Each process reads the whole dimension, but the parts travel
    around a ring of the processes (see `lower`). With `striped`, process p of P has the
    elements p, p + P, p + 2 P, and so on along this axis, instead of a block of
    neighbours. Under a causal mask, all processes then have the same work. An example is
    `4 striped: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]`.

    Sizes may be dynamic. Upstream's `sharding-propagation` accepts only tensors as
    operands. If `sharding` is empty, the step only prepares the program for that pass:
    it replaces `tensor.empty` ops with dynamic sizes by `bufferization.alloc_tensor`,
    and moves constants and other scalars that payloads read into the payloads. A
    structured op on buffers is then an error.

    Before:

    ```mlir
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = math.exp %x : tensor<4x6xf32>
      return %y : tensor<4x6xf32>
    }
    ```

    After, with `2: [[0]] -> [[0]]`:

    ```mlir
    shard.grid @grid(shape = 2) {arguments = [[array<i16: 0>]]}
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %s = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
      %a = shard.shard %x to %s annotate_for_users : tensor<4x6xf32>
      %y = math.exp %a : tensor<4x6xf32>
      %t = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
      %r = shard.shard %y to %t : tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
    ```

    ### `verify`

    *Checks that an annotated function can be cut among processes.*
    Runs between upstream's `sharding-propagation` and `shard-partition`.
    `shard-partition` does not check its input: it crashes on a function that is
    annotated in part, and it cuts 4 heads among 3 processes into wrong code.
    This step annotates arguments that nothing uses, as the attribute `arguments` of
    the grid says, or as whole tensors. It emits an error at the first op where

    - an operand or a result that is a ranked tensor of rank 1 or more has no
      `shard.shard`;
    - a sharding names an axis that the grid does not have, or one axis for two
      dimensions; it has halos or offsets, or follows one of another grid;
    - several axes cut one dimension, and one of them is striped;
    - a constant tensor has elements that differ;
    - the number of processes does not divide the size of a dimension, or is
      dynamic. (Dynamic sizes are checked at run time, where processes
      communicate);
    - a payload reads elements of a sharded tensor that is not an operand
      (`tensor.extract`);
    - a sharded dimension is reduced, and the op has several results, or does
      something else than a sum, a product, a minimum or a maximum. (Ops that
      implement `OnlineReductionOpInterface` combine their states, so they may);
    - a sharded dimension is contracted to scores, which an online reduction
      reads. The processes would then exchange the scores, which are much larger
      than all inputs. Sharding the head dimension of an attention does that.

    Then it prepares the function in three ways:

    - A change of a sharding in several axes becomes a chain of changes of one axis.
      `shard-partition` would do only the first one.
    - `linalg.index` of a sharded dimension counts from the start of the whole tensor,
      as a causal mask needs: the step adds the position of the process.
      `shard-partition` alone would let each process count from 0.
    - If a sharded dimension is reduced, constants move into the payload.
      `shard-partition` would lose them.

    Before, in an op whose 8 rows are cut among 2 processes:

    ```mlir
    %i = linalg.index 0 : index
    ```

    After:

    ```mlir
    %own = linalg.index 0 : index
    %p = shard.process_multi_index on @grid axes = [0] : index
    %first = affine.apply affine_map<(d0) -> (d0 * 4)>(%p)
    %i = arith.addi %own, %first : index
    ```

    ### `lower`

    *Prepares the program of one process for fusion and lowering.*
    Runs after upstream's `shard-partition`, on tensors.

    - If an argument has `shard.ring`, its parts travel around a ring in place of the
      `shard.all_gather`. There are P steps, which are unrolled. In each step, a process
      sends the part that it has to the next process
      (`linalg_ext_mpi_pass_start_TYPE`, `.._pass_wait_TYPE`), and meanwhile computes
      with it: all ops that depend on the gathered dimension, up to the reductions over
      it. The results of the steps are combined: `buildCombine` merges states of online
      reductions, and `buildStateRepair` repairs what depends on them.
    - Ops that depend on what other processes send move behind those that do not,
      so that one loop can compute all that depends on the same tiles.
    - `shard.all_slice` and `shard.process_multi_index` become arithmetic on the
      index of the process, by upstream's patterns.
    - A `shard.all_gather` of a filled or uninitialised tensor becomes a larger one
      of these.
    - `shard.process_linear_index` becomes a call of `linalg_ext_mpi_process_index`,
      and the `shard.grid` ops become constants with their shapes.
    - `shard.all_reduce`, `shard.all_gather` and `shard.all_to_all` become calls of
      `linalg_ext_mpi_all_reduce_TYPE`, `linalg_ext_mpi_all_gather_TYPE` and
      `linalg_ext_mpi_all_to_all_TYPE` on buffers, which the rest of the program reads
      as tensors.

    If parts of arguments have dynamic sizes, and processes communicate, use their
    position or compute with a whole size, `linalg_ext_mpi_check_size` checks at run time that the parts have the same
    size. Element types are f16, bf16, f32, f64, i32 and i64. Other integers can be
    gathered and exchanged, but not reduced. Any other op of the shard dialect is an
    error at its location.

    Before:

    ```mlir
    %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
    ```

    After:

    ```mlir
    %b = memref.alloc() : memref<4xf32>
    bufferization.materialize_in_destination %x in restrict writable %b
        : (tensor<4xf32>, memref<4xf32>) -> ()
    call @linalg_ext_mpi_all_reduce_f32(%cast, %shape, %axes, %kind) : ..
    %0 = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: annotate, verify, lower">,
    Option<"sharding", "sharding", "std::string", "",
           "annotate: the grid, and the axes for arguments and results; without it, "
           "only prepare for sharding-propagation">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // MLIR_EXT_SHARDING_PASSES
