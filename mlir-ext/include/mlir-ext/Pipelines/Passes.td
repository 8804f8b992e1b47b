//===- Passes.td - Passes that choose and finish -----------*- tablegen -*-===//
//
// What the pipelines need between the transformations: choices of a
// configuration, and calling conventions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PASSES
#define MLIR_EXT_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtFusePass : Pass<"linalg-ext-fuse"> {
  let summary = "Tile and fuse every root with tile sizes for a target";
  let description = [{
    ### `roots`

    Runs tile-and-fuse on every root. A root is an op into whose loops its
    producers are fused, such as the last product of attention. The tensors
    between them, such as the scores, are then not stored as a whole.

    The pass chooses the levels (loops and tile sizes) for the `target` (see
    `selectCPULevels` and `selectGPULevels`), or takes the given `levels`. A root
    that cannot be fused does not change, and a remark says why. If `levels` is
    given, such a root is an error.

    **Gradients of attention.** Contractions that keep the dimension which a softmax
    reduces, such as the gradients of keys and values, cannot be repaired. The pass
    lets them compute the weights again, from the scores and from the final max and
    sum of each row, in loops over rows. Those that need a sum of weighted rows
    first, such as the gradient of queries, follow. The state is reduced in a loop of
    its own. So no tensor of the size of the scores is stored, if all of them are
    fused. It applies if the weights are more elements than what each contraction
    reads beside them and returns, if nothing else needs the weights in memory, and
    if it pays (see `force`). `levels` must be empty.

    **CPUs.** A root becomes an `scf.forall` over blocks of rows. An `scf.for`
    inside runs over the dimension that is reduced online, for example the keys
    of attention. The tile sizes follow from the sizes of caches and vector
    registers.

    With `split`, several iterations of a parallel loop share a row. Each
    reduces one chunk of it, and a loop merges the results. Both loops are
    nested in the loop over rows. `linalg-ext-schedule-forall` splits this nest
    into two loops.

    Some roots depend on a reduction of rows that is not online: a product that
    follows a norm, or the loss of a classifier. Such a root must be marked with
    `linalg_ext.root`. Its rows are reduced as a whole, one block of rows at a
    time, if they stay in a cache. Otherwise they are reduced online.

    A fusion that adds operations must save enough memory traffic in return
    (docs/Rationale/Fusion.md). `force` skips this check.

    The pass also tiles each contraction that is not in the loops of a root. Such
    a contraction becomes an `scf.forall` over batches, columns and (with
    `shared`) rows of the result. Elementwise ops that use only the result are
    fused into this loop. An `scf.for` inside runs over the sum. A contraction
    whose operands and result fit into half of the L2 cache is not tiled.

    **GPUs.** A root, with the elementwise ops that follow it, becomes an
    `scf.forall` over workgroups, mapped to `#gpu.block<linear_dim_i>`, with
    `rows` rows each. An `scf.for` inside runs over the dimension that is
    reduced online, in steps of `keys`. If the first of the given `levels` is a
    `forall`, it is mapped to workgroups, too.

    With `split`, several workgroups share a row, as iterations do on a CPU.
    `linalg-ext-schedule-forall` splits the nest into two kernels.

    With `key-subgroups`, an iteration takes the keys of several parts, in an
    `scf.forall` that is mapped to `#gpu.warp<linear_dim_0>`. Each part reduces
    its own keys, and the results are merged once, after the loop. A loop of one
    part adds the remaining keys, fewer than all parts take in an iteration.
    `key-subgroups=0` chooses parts, rows, keys and split together, by the
    estimate of `Selection/KeySharing.h`. It applies to products of 16 bits whose
    sizes are all known, if `rows` and `keys` are 0 and `split` is 0 or -1, for
    workgroups of 128 threads.

    `ways` says how kernels may multiply. With `async` or `roles`, each root whose
    operands asynchronous products can read gets the way, rows and keys that
    `Selection/OnlineKernels.h` estimates to be fastest; with `report=all`, a remark
    says which, and why. The loop over workgroups is then marked with
    `vector_ext.kernel`. Kernels in `vector_ext.refused` of the module get another
    way.

    Operands that such kernels cannot read, but that are converted from elements of 8
    bits, are converted and stored in front. Unless `f8-products` is `f16`, scores of
    two operands in one format of f8 are products of f8.

    Before tiling, the pass rewrites products that accumulate in f16 or bf16: they
    accumulate in f32, and their sums are rounded once
    (`populateWidenAccumulatorPatterns`).

    Keys may be the result of elementwise ops, such as a rotation. If many
    workgroups would compute the same keys again, they are computed once and
    stored first (`recompute`, docs/Rationale/Fusion.md).

    An option that is for CPUs only, or for GPUs only, is an error with the
    other target.

    Before:

    ```mlir
    %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<256x64xf32>)
        outs(%p0, %m0, %l0, %r0 : ..) -> ..
    %o = linalg.matmul ins(%p#0, %v : tensor<256x64xf32>, tensor<64x64xf32>)
        outs(%zero : tensor<256x64xf32>) -> tensor<256x64xf32>
    ```

    After, for `target=gpu rows=64 keys=32`:

    ```mlir
    %o = scf.forall (%row) = (0) to (256) step (64)
        shared_outs(%all = %zero) -> .. {
      %acc:3 = scf.for %key = %c0 to %c64 step %c32
          iter_args(%a = .., %m = .., %l = ..) -> .. {
        %p:4 = linalg_ext.softmax dimension(1) online delayed
            ins(%tile : tensor<64x32xf32>) ..
        ...
      }
      ...
    } {mapping = [#gpu.block<linear_dim_0>]}
    ```

    **No target.** With `target=none` the pass fuses nothing, for programs that are
    compiled op by op. It emits a remark for each tensor that is stored between a
    reduction and an accumulation along the same dimension that depends on the
    reduction. Loops over tiles of this dimension could carry both, and would not
    store the tensor (`mlir-ext/Fusion/Plan/UnfusedChains.h`). Examples are the
    scores of attention and the logits of a loss. The remark is at the
    accumulation. The IR does not change.

    The pass does not report a tensor that

    - other ops need anyway;
    - is no larger than the results of the accumulations;
    - is small compared with the other operands of the ops;
    - is computed elementwise from something in memory, unless a maximum or
      minimum comes before it, or with `report=all`.

    With `target=cpu` and `target=gpu`, the pass reports what it does not fuse,
    with the reason. For

    ```mlir
    %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) ...
    %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x200xf32>) ...
    %p = linalg.generic ... ins(%s, %m : tensor<64x200xf32>, tensor<64xf32>) ...
    %o = linalg.matmul ins(%p, %v : tensor<64x200xf32>, tensor<200x16xf32>) ...
    ```

    it says at `%o`

    ```
    not fused: it is compiled op by op; 64x200xf32 (50.0 KiB) of 'linalg.matmul' stays in memory
    ```

    With `report-data` the pass also says what it fuses, to programs. At each root
    that it fuses, it emits a remark `data: {"plan": {...}}`. The plan is the object
    that `linalg-ext-tile-and-fuse{explain=json}` prints, with the levels that were
    chosen. `levels_reason` says why, if there is a reason (docs/Explain.md).

    ### `rows`

    CPUs only. Puts what is in no loop yet into loops over blocks of rows: reductions of
    rows, and elementwise ops before, between and after them, such as a softmax of rows
    or the gradient of a norm. An iteration reads its rows from memory once, if they fit
    into half of the L2 cache, and then from the cache. A row has the innermost
    dimension of its tensors. Online reductions must have been decomposed before.

    A row that does not fit is reduced online, in pieces, if one reduction depends on
    another one. An op is left alone if a loop would move nearly as many bytes as the
    ops on their own.

    Before:

    ```mlir
    %m = linalg.generic ... ins(%x : tensor<512x4096xf32>) outs(..) { arith.maximumf }
    %l = linalg.generic ... ins(%x, %m : tensor<512x4096xf32>, tensor<512xf32>)
        outs(..) { math.exp .. arith.addf }
    ```

    After:

    ```mlir
    %l = scf.forall (%row) = (0) to (512) step (8) shared_outs(..) -> .. {
      %tile = tensor.extract_slice %x[%row, 0] [8, 4096] [1, 1] : ..
      %m = linalg.generic ... ins(%tile : tensor<8x4096xf32>) outs(..) ..
      %l = linalg.generic ... ins(%tile, %m : tensor<8x4096xf32>, tensor<8xf32>) ..
      ...
    }
    ```

    ### `traffic`

    For programs whose loops are final. Changes nothing. If a function moves at least
    1.1 times the bytes of its arguments and results, the step reports the tensors that
    are the cause: those that one loop nest (a kernel on GPUs) stores for another, and
    those that several read. It does not report again what the step `roots` has
    reported. These are remarks, also with `require-fusion`: whether one loop could do
    it, or should, is not known here. For

    ```mlir
    %l = linalg.reduce { arith.addf } ins(%x : tensor<64x4096xf32>) ...
    %r = scf.forall (%row) in (64) ... {
      %tile = tensor.extract_slice %x[%row, 0] [1, 4096] [1, 1] : ..
    ```

    it says at the sum

    ```
    read more than once: 64x4096xf32 (1.0 MiB) by 2 loop nests: 'linalg.reduce' is not tiled, so it is a loop nest of its own; ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What to choose loops and tile sizes for: cpu, gpu, or none to fuse "
           "nothing and report it">,
    ListOption<"steps", "steps", "std::string",
               "The steps to run: roots, rows, traffic; roots if none is given">,
    Option<"markReported", "mark-reported", "bool", /*default=*/"false",
           "Keep the types of reported tensors in an attribute of the function, until "
           "the step traffic has run: it does not report them again">,
    Option<"opByOp", "op-by-op", "bool", /*default=*/"false",
           "GPUs only: leave every root unfused, and report it: tiles of fused roots "
           "have been refused">,
    Option<"rows", "rows", "int64_t", /*default=*/"0",
           "Rows of each iteration of the outer loop, or of each workgroup; 0 "
           "chooses">,
    Option<"keys", "keys", "int64_t", /*default=*/"0",
           "Elements of the dimension that is reduced online in each iteration "
           "of the inner loop; 0 chooses">,
    Option<"split", "split", "int64_t", /*default=*/"-1",
           "Elements of the dimension that is reduced online in each chunk; "
           "several iterations of the outer loop then share a row; 0 chooses, "
           "-1 does not split">,
    Option<"keySubgroups", "key-subgroups", "int64_t", /*default=*/"1",
           "GPUs only: number of parts into which the subgroups of a workgroup "
           "are divided; each part reduces its own keys of a row, and the results "
           "are merged after the loop; 0 chooses, with rows, keys and split">,
    ListOption<"ways", "ways", "std::string",
               "GPUs only: how kernels may multiply: sync, async, roles, persistent "
               "(roles, and workgroups compute several tiles); sync if none is "
               "given">,
    Option<"f8Products", "f8-products", "std::string", /*default=*/"\"f16\"",
           "GPUs only: what multiplies f8 in asynchronous products: f16, f8, or "
           "rounded (f8, and weights of a softmax are rounded to f8, times 2^8, "
           "for products with values of f8)">,
    Option<"threads", "threads", "int64_t", /*default=*/"128",
           "GPUs only: threads of a workgroup; with asynchronous products the "
           "least number of threads that compute">,
    Option<"rotateLoops", "rotate-loops", "std::string", /*default=*/"\"auto\"",
           "GPUs only: whether loops with roles order their products across "
           "iterations: auto (in kernels that are faster so), true or false">,
    Option<"shared", "shared", "bool", /*default=*/"true",
           "CPUs only: threads share the rows: contractions are also tiled along "
           "rows, and blocks of rows before a large matrix are smaller">,
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Tiling levels for every root, as in linalg-ext-tile-and-fuse; "
           "empty chooses them">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When to normalise results: eager (in every tile) or delayed (once, "
           "after the loops)">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "Least exact fusion to accept: exact (repairs nothing), "
           "reassociated (equal in exact arithmetic) or rounding (may also "
           "repair values that were rounded)">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Rescale accumulators only in tiles (on a GPU, elements) where a "
           "term would grow by more than e^threshold; empty rescales in every "
           "tile">,
    Option<"recompute", "recompute", "std::string", /*default=*/"\"cheap\"",
           "GPUs only: elementwise operands of contractions that each workgroup "
           "may compute again: all, cheap (those that cost less to compute again "
           "than to store) or none">,
    Option<"force", "force", "bool", /*default=*/"false",
           "CPUs only: fuse even if it does not pay">,
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "Remarks to emit: none, missed (tensors that stay in memory "
           "although one loop could compute and use them) or all (also what is "
           "fused)">,
    Option<"reportData", "report-data", "bool", /*default=*/"false",
           "Also emit a remark for programs, the plan of each fusion as JSON">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Make each missed fusion an error">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::linalg_ext::LinalgExtDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtCheckOpsPass : Pass<"linalg-ext-check-ops"> {
  let summary = "Reject ops that a pipeline does not support or convert";
  let description = [{
    Changes nothing, and fails with an error at the first op that

    - has a vector of more than `max-elements` elements. Lowering such a vector
      takes time and code for each of its rows. The pipelines to LLVM, NVVM and
      ROCDL start with this check;
    - asks for the size of a dimension that its tensor or buffer does not have
      (with the check of `max-elements`);
    - takes the size of a loop from dimensions whose sizes are known to differ, if
      other sizes of it are dynamic (with the check of `max-elements`);
    - reads or writes a pool (`linalg_ext.paged_gather`, `linalg_ext.store_rows`)
      of unknown size, or of too many bytes for `index-bitwidth` bits, if indices
      have less than 64 bits;
    - is of none of the `dialects`, and is not a module. Run this check last in a
      pipeline: partial conversions leave ops unconverted without an error. There
      are `builtin.unrealized_conversion_cast` ops between converted and
      unconverted ops. The error names a cast only if there is no other such op.
      Without `dialects`, ops of any dialect may remain.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"65536",
           "Number of elements of the largest vector to accept; 0 does not "
           "check">,
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "Bits of an index: 32 or 64">,
    ListOption<"dialects", "dialects", "std::string",
               "Dialects whose ops may remain; empty does not check">,
  ];
}

def LinalgExtFinishLLVMPass
    : Pass<"linalg-ext-finish-llvm", "::mlir::ModuleOp"> {
  let summary = "Adapt a module of the LLVM dialect to a processor";
  let description = [{
    Does three things after the conversion to the LLVM dialect, for the CPU that the
    module describes (Support/CPUTarget.h, `linalg-ext-attach-target`). Then removes
    this description: passes behind it do not need it.

    **bf16 as bits.** Replaces the type bf16 by i16, if the CPU has no bf16
    instructions. After `arith-expand`, the code for such a processor only moves
    bf16 values.

    Without this step, LLVM converts a bf16 value to f32 and back wherever the
    value is selected, carried by a loop, or stored under a mask. The step does
    nothing if an op still computes with bf16.

    **Negative strides.** Drops `nuw` from the addresses of elements in dimensions of
    negative stride: upstream's conversion says that they do not wrap as unsigned
    numbers.

    **The processor.** Sets the attributes `target_cpu` and `target_features` on
    every `llvm.func` that has a body and no target processor yet. LLVM then uses
    the instructions of this processor, whatever tool compiles the code. A
    description without a `name`, such as that of `generic`, sets nothing.

    Before:

    ```mlir
    llvm.func @f() {
      llvm.return
    }
    ```

    With SVE registers of more than 128 bits, functions also promise their
    width (`vscale_range`). After, for neoverse-n1:

    ```mlir
    llvm.func @f() attributes {target_cpu = "neoverse-n1",
                               target_features = #llvm.target_features<["+neon"]>} {
      llvm.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::DLTIDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def LinalgExtTryPipelinesPass
    : Pass<"linalg-ext-try-pipelines", "::mlir::ModuleOp"> {
  let summary = "Run the first of several pipelines that succeeds";
  let description = [{
    Runs `pipelines` on copies of each function, one after another, until one
    succeeds. The function becomes the result of that pipeline. Use it to fall
    back from a pipeline that does not accept every program to one that does.

    A pipeline that fails may have recorded kernels on its module that it cannot
    compile as it chose (`vector_ext.refused`). It then runs again, on a new copy
    with this record, and so chooses differently for these kernels alone.

    The pass emits the diagnostics of the pipeline that succeeds. A remark says
    "falls back", with the first error of the first pipeline, if that is not the one;
    other errors are debug output. If it is, but multiplies in another way in a kernel
    than it chose first, a remark says so, with the reason. If all
    pipelines fail, the pass fails with the errors of the last one, and the
    function stays as it was.

    Each pipeline runs on a module with one function. Functions that refer to
    symbols, or that others refer to, are compiled together.
  }];
  let options = [
    ListOption<"pipelines", "pipelines", "OpPassManager",
               "Pipelines to try on modules, in this order">,
    Option<"report", "report", "bool", /*default=*/"true",
           "Emit remarks on pipelines and kernels that fail">,
  ];
}

def LinalgExtSelectConfigPass : Pass<"linalg-ext-select-config"> {
  let summary = "Choose the instruction for each contraction";
  let description = [{
    Gives every `vector.contract` in a `gpu.launch` a `vector_ext.config`,
    unless it has one. The config names an instruction, how subgroups (warps)
    share the tile, and which operands are promoted. A promoted operand goes
    through shared memory. Run this pass before `vector-ext-distribute`, which
    reads the configs.

    **Target.** Lanes, registers, shared memory, processors and instructions are
    those of the module's target (`dlti.target_system_spec`, whose keys
    Support/GPUTarget.h describes). Without a target they are those of an H200,
    and every instruction with a lowering may be chosen.

    **Instruction.** The instruction must take the types of the contraction, and
    its shape must divide the part of the tile that each subgroup computes. If
    several instructions fit, the pass takes the one with the longest sum (k).
    Before that, a product of a vector and a matrix becomes a product of two
    matrices, one of which has equal rows, if an instruction can then perform it.
    A contraction that fits no instruction gets no config, and a remark says so.
    `vector-ext-distribute` computes it one product at a time.

    `first` lists instructions that the pass prefers to those of the target with
    the same k. This is for instructions whose operands another pass prepares,
    such as `wgmma` (`vector-ext-pipeline-products`). They are for
    launches whose `vector_ext.kernel` says `async` or `roles`. Such a launch gets
    the number of threads that it says, with `choose-threads`.

    **Subgroups.** As many subgroups as possible get work of their own; the
    others repeat that work. As many of them as possible share the rows, and the
    rest share the columns. If the loop computes nothing but contractions, the
    shares are chosen so that the least data is loaded from shared memory. An
    operand that several of the contractions read is loaded once.

    **Operands.** An operand that is read from memory is promoted if the read is
    in the contraction's loop, or if several subgroups need the same elements.
    An operand that the loop computes from what it reads is promoted if
    subgroups share it.

    **Products of f32.** Threads compute these with `fma` intrinsics; each
    thread has rows and columns of the product. Their operands are promoted,
    unless a contraction of the same loop computes them. `f32-products` selects
    tensor cores instead. `tf32` uses 10 bits of each operand's fraction.
    `tf32x3` uses three instructions, and has nearly the bits of f32.

    **Products of f8.** Unless `f8-products` is `f16`, instructions for the formats of both
    operands multiply them as they are. Otherwise, and if there is no such
    instruction, operands are extended to f16 or bf16, which is exact.
    Some instructions lose bits of their sums. Contractions with them are
    marked by the unit attribute `vector_ext.short_sums`: `vector-ext-distribute`
    starts from zero, and lets threads add the results to the
    accumulator. What is lost is then relative to the products of a tile.

    **Threads.** With `choose-threads`, the pass first fits the launch to the
    registers of a thread. The target says how many of them results of contractions
    may have (192 by default).

    - It doubles the threads, as long as each may have all registers that a thread can
      have, while the results of the contractions take more of them.
      A contraction that accumulates onto the result of another counts once.
      Every subgroup must still have 16 rows, those of an instruction.
    - A loop may also read vectors that are no operands of its contractions,
      such as masks. The pass then also doubles the threads while the results
      and the largest such vector leave fewer than 16 of these registers free.
    - An operand from outside of the loop is promoted, and loaded again in each
      iteration, if holding it would leave fewer than 16 of these registers free.
      The subgroup must use what it loads for enough products: at most five
      loads of 16 x 16 for eight products of 16 x 8 x 16.
    - It doubles the threads of a launch without contractions, up to the most of the
      target, while each thread still gets 8 elements of the largest
      vector that a loop reads, or while a thread has more than 32 elements of
      the rows that are read outside of loops. If some of these rows are
      reduced, only they count. The launch keeps its threads if a loop reads
      several rows at a time and a loop reduces.

    With 192 registers for results, 63 are left for the statistics of rows, fragments of
    operands, and addresses. Attention of 16 to 96 columns then spills nothing in
    bench/gpu/attention, except for one group of heads.

    **Buffers.** With `buffers` or `max-buffers`, the launch gets a
    `vector_ext.buffers`: the number of shared-memory buffers for each tile.
    `buffers` gives this number. Otherwise the pass chooses it by the following
    rules. If they give different numbers for the contractions of a launch, it
    takes the smallest:

    - two in general;
    - one, if no contraction with a config is in a loop;
    - one, if two would let fewer workgroups fit into shared memory than there
      are registers for;
    - one, if every loop has several contractions and a thread has more than 96
      words of a result;
    - more than two, if the loop computes nothing but one contraction, and an
      iteration is too short for the copies of the next one to arrive in time.
      The copies that are in progress then take at most the target's `copy_bytes`
      (48 KiB by default), unless its processors are known to have at most two
      workgroups each.

    Before:

    ```mlir
    %d = vector.contract {...} %a, %b, %c
       : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
    ```

    After, with 128 threads:

    ```mlir
    %d = vector.contract {..., vector_ext.config = #vector_ext.contract_config<
           intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1],
           promote = [true, true]>} %a, %b, %c
       : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
    ```
  }];
  let options = [
    Option<"chooseThreads", "choose-threads", "bool", /*default=*/"false",
           "Choose the number of threads of a block; false keeps it">,
    Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"0",
           "Largest number of buffers of each tile to choose; 0 chooses no "
           "number">,
    Option<"buffers", "buffers", "int64_t", /*default=*/"0",
           "Number of buffers of each tile; 0 lets max-buffers decide">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"fma\"",
           "What multiplies f32: fma (threads), tf32 or tf32x3 (tensor cores)">,
    Option<"f8Products", "f8-products", "std::string", /*default=*/"\"f8\"",
           "What multiplies f8: f8 (its own instructions), f16 (those of f16, "
           "after an exact conversion) or rounded (as f8, and what is rounded to "
           "f8 for a left operand is clamped to finite numbers)">,
    ListOption<"first", "first", "std::string",
               "Instructions to try before those of the target, best first, in "
               "launches that are marked for asynchronous products">,
  ];
  let dependentDialects = ["::mlir::vector_ext::VectorExtDialect"];
}

def LinalgExtAttachTargetPass
    : Pass<"linalg-ext-attach-target", "::mlir::ModuleOp"> {
  let summary = "Describe the chip that other passes compile for";
  let description = [{
    Sets `dlti.target_system_spec` of the module: the description of the chip that
    other passes read. A GPU is its device "GPU" (Support/GPUTarget.h), a CPU its
    device "CPU" (Support/CPUTarget.h). Without a description, passes assume an H200,
    and a CPU with vectors of 512 bits.

    For a GPU the pass also attaches `#nvvm.target` or `#rocdl.target` to every
    `gpu.module`. That target names the chip and optimisation level 3, and for NVIDIA
    the PTX version for this chip. For a CPU, `linalg-ext-finish-llvm` sets its name
    on functions, and removes the description.

    Upstream's `nvvm-attach-target` and `rocdl-attach-target` accept any chip
    name, and LLVM later ignores unknown names with a warning. In this pass an
    unknown chip is an error.

    Before:

    ```mlir
    module {
      gpu.module @kernels { .. }
    }
    ```

    After, for `chip=sm_90a`:

    ```mlir
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "GPU" = #dlti.target_device_spec<"lanes" = 32 : i64, ..>>} {
      gpu.module @kernels
          [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] { .. }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "Chip to compile for. GPUs: sm_80, ..., sm_90a, ..., gfx90a, gfx942, ...; "
           "CPUs: generic, host, avx2, avx512, avx512vnni, avx512bf16, or a name that LLVM knows "
           "(x86-64-v3, neoverse-n1, ...)">,
    Option<"processors", "processors", "int64_t", /*default=*/"0",
           "Processors (SMs, CUs) of the GPU; 0 takes those of the largest one with "
           "the chip">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"0",
           "Bytes of the L1 data cache of a core of the CPU; 0 takes those of the "
           "chip">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"0",
           "Bytes of the L2 cache of a core of the CPU; 0 takes those of the chip">,
  ];
  let dependentDialects = [
    "::mlir::DLTIDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtGPULowerVectorExtPass : Pass<"linalg-ext-gpu-lower-vector-ext"> {
  let summary = "Lower VectorExt ops of threads to instructions of the chip";
  let description = [{
    Lowers ops of VectorExt in the code of one thread, for which chips have
    instructions. Run it after `vector-ext-distribute`, which creates that code.
    Runs the steps that `steps` names, or both, in this order.

    ### `mma`

    Lowers matrix ops to ops of `nvgpu`, `amdgpu` and `math`.

    - A `vector_ext.mma` of an `mma.sync` instruction becomes the
      `nvgpu.mma.sync` of its shape. Operands of TF32 are rounded to TF32 first.
      With `tf32x3`, three `nvgpu.mma.sync` compute the product. Each operand is
      split into the bits that TF32 has and the bits that come next.
    - A `vector_ext.mma` of an `mfma` or `wmma` instruction becomes the
      `amdgpu.mfma` or `amdgpu.wmma` of its shape. If the name of the instruction
      ends in `.transposed`, A and B are swapped. One of
      `mfma.m16n16k16.f32.f32` becomes four `amdgpu.mfma` with k = 4.
    - A `vector_ext.mma` of `fma` becomes one `math.fma` for each of its
      products.
    - `vector_ext.load_matrix` becomes `nvgpu.ldmatrix`.

    A `vector_ext.mma` of any other instruction is an error, and so is one that
    the chip that the module describes does not have.

    Before:

    ```mlir
    %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c
       : vector<8xf16>, vector<4xf16>, vector<4xf32>
    %e = vector_ext.mma "mfma.m16n16k16.f32.f16.transposed" %f, %g, %h
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```

    After (the operands of `nvgpu.mma.sync` are also reshaped to pairs):

    ```mlir
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}
       : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = amdgpu.mfma 16x16x16 %g * %f + %h blgp = none
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```

    ### `roles`

    Processes every `gpu.launch`. A `vector_ext.role` becomes a branch that whole
    warps take. If the role has `registers`, its threads first set the number of
    their registers (`nvvm.setmaxregister`). The barrier of the n-th role of a
    launch is the named barrier n. Only NVIDIA GPUs have roles.

    Fails if a role is not directly in the body of a launch, if its threads are
    not whole warpgroups (128 threads), or if it has a `gpu.barrier`.

    Before:

    ```mlir
    vector_ext.role first(0) threads(256) registers(240) {
      vector_ext.role_barrier
    }
    ```

    After, with `%warp` the number of the warp:

    ```mlir
    %0 = arith.cmpi ult, %warp, %c8 : index
    scf.if %0 {
      nvvm.setmaxregister increase 240
      nvvm.barrier id = %c1 number_of_threads = %c256
    }
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: mma, roles; empty runs both">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtGPUPipelineLoopsPass : Pass<"linalg-ext-gpu-pipeline-loops"> {
  let summary = "Read the tiles of a loop while it computes";
  let description = [{
    Lets loops read the tiles of later iterations while they compute. The module
    describes the GPU (Support/GPUTarget.h). If it has asynchronous copies to
    shared memory, the pass moves these. Otherwise, it moves the loads of tiles.

    ### Asynchronous copies

    Pipelines each `scf.for` that copies tiles asynchronously to shared memory.
    The loop issues copies early, so that they run while the threads compute.
    There are two schemes.

    *Several buffers.* If the loop uses several buffers for each tile in rotation
    (`vector_ext.buffers` of their allocations), it issues the copies of a later
    iteration. With two buffers, this is the next iteration; with n buffers, it
    is n - 1 iterations later. The copies for the first iterations are issued
    before the loop. Each iteration has one barrier for the copies. After it, the
    tiles of this iteration have arrived. Also, all threads have finished reading
    the tiles of the previous iteration, so the next copies can overwrite them.

    Before:

    ```mlir
    scf.for %i = ... {
      nvgpu.device_async_copy ...     // tile i
      %group = nvgpu.device_async_create_group ...
      nvgpu.device_async_wait %group
      gpu.barrier
      ...                             // computes with tile i
    }
    ```

    After, with two buffers:

    ```mlir
    nvgpu.device_async_copy ...       // the first tile
    scf.for %i = ... {
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i + 1
      ...                             // computes with tile i
    }
    ```

    If the loop only sums products of tiles, in several steps of an iteration,
    the pass also loads the operands of the first step ahead: in the previous
    iteration, after its last barrier and before its last step. Then no product
    waits for them.

    ```mlir
    ...
    %a = nvgpu.ldmatrix ...           // of the first step
    scf.for %i = ... iter_args(%first = %a) {
      ...                             // products of all steps but the last
      nvgpu.device_async_wait ...
      gpu.barrier
      %next = nvgpu.ldmatrix ...
      nvgpu.device_async_copy ...
      ...                             // products of the last step
    }
    ```

    *One buffer for each tile.* If the loop copies several tiles, each into one
    buffer of its own, and reads one after the other, their copies alternate.
    When a tile has arrived, all threads have finished reading the tile before
    it. The loop then issues the next copies of that earlier tile. With K and V
    of attention:

    ```mlir
    nvgpu.device_async_copy ...       // the first tile of K
    scf.for %i = ... {
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i of V
      ...                             // computes with tile i of K
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i + 1 of K
      ...                             // computes with tile i of V
    }
    ```

    The addresses of copies may be read from global memory, such as entries of a
    table of pages, also in a branch. If the loop does not write global memory,
    these reads are issued even earlier than the copies: in the first scheme by
    one more iteration, in the second one before the wait for the other tile.

    In a role that copies tiles to slots (`vector_ext.role`), each loop that waits for
    a free slot (`nvgpu.mbarrier.try_wait.parity`) reads the entries of the next
    iteration at its start, and carries them. Threads that start many copies have no
    time to wait for entries. Roles of single threads start few, and stay as they are.

    A loop that fits neither scheme does not change. Outside of loops, the pass
    moves a wait after later copies if these write to buffers that were not
    used before. All these copies can then overlap.

    Elements of 8 bits, and bytes of several integers, are converted by threads,
    which load them. In a loop that multiplies (`nvgpu.mma.sync`), has no barrier
    and does not write global memory, the pass moves `vector.load`s of such
    elements: those before the first product to the start of the previous iteration,
    and those after it to the start of their own. The loop carries the former in
    registers, with single elements of 16 bits, such as scales. If all loads of
    vectors, also of rows of other types and in branches that only load, take at most
    an eighth of the registers of a thread, the loop carries all of them. The last
    iteration loads its own tile again. Loops that are known to have at most two
    iterations become these, behind all of their loads. Loads of more bytes than a
    quarter of the registers of a thread stay.

    ### Loads

    Moves loads of tiles earlier, in each `scf.for` whose body has matrix products
    and barriers. The loads are `vector.load`s of buffers from
    `amdgpu.fat_raw_buffer_cast`, as `vector-ext-distribute` creates them with
    `buffer-loads`. The loop must not write to global memory.

    - *Late tiles* are stored to workgroup memory after the first products of the
      iteration. They are loaded at the start of the iteration.
    - *Early tiles* are stored there, or used, before the first products. They are
      loaded in the previous iteration, after the last barrier before the
      products, and the loop carries them in registers. In the last iteration,
      the buffer is empty, so that nothing is read.
    - *Copied tiles* go to workgroup memory without registers
      (`amdgpu.gather_to_lds`). If each of them has two buffers
      (`vector_ext.buffers` of the allocation), they are copied in the previous
      iteration, after the reads of workgroup memory that precede the first
      product. One wait (`amdgpu.memory_counter_wait`) and one barrier at the start
      of the iteration are for all of them.

    Entries of page tables are read together with the loads that they address.

    If workgroup memory is used before the loop, the loop gets a barrier before
    it, so that its tiles may reuse this memory.

    Loads whose addresses depend on values that the loop carries do not move. A
    thread loads at most three of 16 of its registers ahead (`thread_registers` of
    the target). If the loads of all tiles need more, late tiles do not move. If
    those of early tiles alone need more, no tile moves.

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %buffer = amdgpu.fat_raw_buffer_cast %rows validBytes(%bytes) resetOffset
         : memref<?xf16, strided<[1], offset: ?>> to memref<?xf16, #fat>
      %tile = vector.load %buffer[%thread] : memref<?xf16, #fat>, vector<8xf16>
      gpu.barrier
      vector.store %tile, %shared[%at] : memref<64xf16, #workgroup>, vector<8xf16>
      gpu.barrier
      %a = vector.load %shared[%from] : memref<64xf16, #workgroup>, vector<4xf16>
      %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none
         : vector<4xf16>, vector<4xf16>, vector<4xf32>
      ..
    }
    ```

    After (`%next` is the tile of the next iteration):

    ```mlir
    %first = vector.load %buffer0[%thread] : memref<?xf16, #fat>, vector<8xf16>
    scf.for %i = %c0 to %n step %c64 iter_args(%tile = %first) -> (vector<8xf16>) {
      gpu.barrier
      vector.store %tile, %shared[%at] : memref<64xf16, #workgroup>, vector<8xf16>
      gpu.barrier
      %exists = arith.cmpi slt, %i, %last : index
      %bytes1 = arith.select %exists, %bytes, %c0_i64 : i64
      %buffer1 = amdgpu.fat_raw_buffer_cast %rows1 validBytes(%bytes1) resetOffset
         : memref<?xf16, strided<[1], offset: ?>> to memref<?xf16, #fat>
      %next = vector.load %buffer1[%thread] : memref<?xf16, #fat>, vector<8xf16>
      %a = vector.load %shared[%from] : memref<64xf16, #workgroup>, vector<4xf16>
      %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none
         : vector<4xf16>, vector<4xf16>, vector<4xf32>
      ..
      scf.yield %next : vector<8xf16>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtGPULowerMathPass
    : Pass<"linalg-ext-gpu-lower-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math ops of kernels without a library";
  let description = [{
    Lowers `math` ops and divisions of floats in a `gpu.module` to instructions
    and arithmetic. Upstream's conversions call libdevice, or ROCm's device
    library, instead. These have to be linked, and handle special cases
    (subnormal numbers) with extra instructions.

    The instructions are those of the target of the `gpu.module`: of
    `#rocdl.target`, or else NVIDIA's.

    - `exp2` and `rsqrt` of f32 become approximate instructions of the special
      function unit. `tanh` of f32 uses such instructions, and a polynomial near
      0, unless the op has the fastmath flag `afn`. With it, vectors of at least 16
      elements have a branch: the polynomial alone, if all of them are below 0.5 in
      all threads of a subgroup, where the target has a vote for that.
    - `exp`, `log2`, `log` and `log10` use such instructions for f16 and bf16,
      and for f32 with the fastmath flag `afn`.
    - Most other functions are polynomials in f32 that are as accurate as a
      library's, also far from 0.
    - Rare functions of f32, f16 and bf16 are computed in f64: `powf`, `fpowi`,
      `atan2`, `cbrt`, hyperbolic functions other than `tanh`, and the inverses
      of hyperbolic functions and of `sin`, `cos` and `tan`.
    - `erf` and `erfc` become upstream's polynomials, in f32.
    - `ipowi` becomes products of squares.
    - `arith.remf` of bf16 is computed in f32, which is exact: LLVM's backend for
      AMD GPUs has none of bf16.
    - Exponential functions, logarithms, `rsqrt`, `cbrt`, and the hyperbolic
      functions and their inverses are also lowered for f64. The pass fails at
      other functions of f64, such as `erf`, `powf` and `sin`.

    Unless stated otherwise, f16 and bf16 are computed in f32. docs/Math.md has
    the largest error of each function. Errors of NVIDIA's instructions:

    | function | error |
    |---|---|
    | `exp2` | 2^-22 relative; subnormal results are 0 |
    | `rsqrt` | 2^-22.9 relative |
    | `tanh` | a few ulp; with the fastmath flag `afn`, 2^-21 absolute |
    | `sqrt` | correctly rounded; with the fastmath flag `afn`, 2^-23 relative |
    | `arith.divf` of f32, f16, bf16 | 2 ulp of f32, for divisors up to 2^126 |

    AMD's `v_exp_f32`, `v_log_f32`, `v_rsq_f32`, `v_sqrt_f32` and `v_rcp_f32` have
    an error of at most 1 ulp each. `v_exp_f32` and `v_rsq_f32` treat subnormal
    numbers as 0, and return 0 for subnormal results. Quotients of f32 have an
    error of 2.5 ulp; a subnormal divisor counts as 0.

    `exact-division=true` leaves divisions alone. LLVM then divides f32 with
    more instructions, and rounds correctly.

    `arith` ops on floats of 8 bits are computed in f32. Conversions of these
    types are instructions where the target has them: f8E4M3FN and f8E5M2 on
    sm_89 and later, gfx950 and gfx12; f8E4M3FNUZ and f8E5M2FNUZ on gfx942.
    Others become ops on integers, f16 and f32, as in the step `expand-f8` of
    `linalg-ext-lower-math`. For NVIDIA's, vectors of i8 become f16 by moves of
    bytes.

    `contract=true` allows fused multiply-adds, as CUDA's compilers do. Sums,
    differences and products of floats get the fastmath flag `contract`. A
    product in f32 that only one sum or difference uses becomes a `math.fma`
    with it.

    Before:

    ```mlir
    %1 = math.exp %0 fastmath<afn> : f32
    ```

    After:

    ```mlir
    %cst = arith.constant 1.44269502 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%1) : (f32) -> f32
    ```
  }];
  let options = [
    Option<"contract", "contract", "bool", /*default=*/"true",
           "Allow fused multiply-adds">,
    Option<"exactDivision", "exact-division", "bool", /*default=*/"false",
           "Round divisions correctly instead of to within 2.5 ulp">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtGPUConvertKernelsPass
    : Pass<"linalg-ext-gpu-convert-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the code of one thread to NVVM or ROCDL, and LLVM";
  let description = [{
    Converts the kernels of a `gpu.module` to the LLVM dialect and that of the
    vendor: ROCDL if the module has a `#rocdl.target` (`linalg-ext-attach-target`),
    or else NVVM. One conversion with one type converter handles gpu, nvgpu or
    amdgpu, vector, arith, math (what `linalg-ext-gpu-lower-math` leaves), memref,
    index, cf and ub. Buffers are bare pointers. Those of AMD without a memory space
    are in global memory.

    The pass adds to upstream's conversions:

    - `gpu.shuffle` of values of any size, in words of 32 bits;
    - `gpu.dynamic_shared_memory` as one external block.

    For NVIDIA:

    - `nvgpu.mma.sync` on bf16;
    - `memref.prefetch`, as a prefetch into the L2 cache;
    - the block of dynamic shared memory is aligned to 1024 bytes. (Upstream aligns
      it to 16 bytes, and uses a symbol for each type.)

    For AMD:

    - `gpu.grid_dim` and `gpu.block_dim` are read from the arguments that the
      runtime adds to those of a kernel. (Upstream calls functions of ROCm's
      device library.)
    - a `gpu.shuffle` by xor with a constant below 32 becomes `ds_swizzle_b32`, which
      needs no address; on RDNA, one by xor with 16 becomes `v_permlanex16_b32`;
    - `memref.prefetch` is dropped: only gfx12 has such an instruction;
    - `gpu.barrier` waits only for LDS (`amdgpu.lds_barrier`) if the kernel reads
      no global memory that it writes. No op is scheduled across it;
    - quotients of numbers that are the same in all threads go to scalar registers
      (`rocdl.readfirstlane`), since descriptors of buffers depend on them.

    The pass fails if an op is left unconverted, or if a kernel calls an external
    function, such as one of libdevice.

    Before:

    ```mlir
    gpu.func @f(%x: f32, %out: memref<f32>) kernel {
      %r, %p = gpu.shuffle xor %x, %one, %width : f32
      memref.store %r, %out[] : memref<f32>
      gpu.return
    }
    ```

    After, for NVIDIA:

    ```mlir
    llvm.func @f(%x: f32, %out: !llvm.ptr) attributes {nvvm.kernel, ..} {
      %r = nvvm.shfl.sync bfly %all, %x, %one, %clamp : f32 -> f32
      llvm.store %r, %out : f32, !llvm.ptr
      llvm.return
    }
    ```

    After, for AMD:

    ```mlir
    llvm.func @f(%x: f32, %out: !llvm.ptr) attributes {rocdl.kernel, ..} {
      %0 = llvm.bitcast %x : f32 to i32
      %1 = rocdl.ds_swizzle %0, %pattern : (i32, i32) -> i32
      %r = llvm.bitcast %1 : i32 to f32
      llvm.store %r, %out : f32, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "Width of index in bits: 64, or 32 if all offsets in buffers fit">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtInlinePrivatePass : Pass<"linalg-ext-inline-private", "::mlir::ModuleOp"> {
  let summary = "Inline calls of private functions";
  let description = [{
    Nothing is fused across a call. Importers write parts of a model, such as a
    softmax, as private functions. The pass inlines them, and erases those that
    nothing calls any more, as upstream's `inline` does. Unlike it, calls of public
    functions stay: these are compiled anyway. Calls of external and of recursive
    functions stay, too, and calls with `no_inline`, or of functions with it. Nothing
    else changes.

    Before:

    ```mlir
    func.func @f(%x: f32) -> f32 {
      %r = call @g(%x) : (f32) -> f32
      return %r : f32
    }
    func.func private @g(%x: f32) -> f32 {
      %r = math.exp %x : f32
      return %r : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%x: f32) -> f32 {
      %r = math.exp %x : f32
      return %r : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

#endif // MLIR_EXT_PIPELINES_PASSES
