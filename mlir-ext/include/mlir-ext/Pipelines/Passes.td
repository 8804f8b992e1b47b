//===- Passes.td - Passes that choose and finish -----------*- tablegen -*-===//
//
// What the pipelines need between the transformations: choices of a
// configuration, and calling conventions. Passes that finish kernels are in
// GPUPasses.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PASSES
#define MLIR_EXT_PIPELINES_PASSES

include "mlir-ext/Pipelines/GPUPasses.td"
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

    **Gradients of attention.** Some contractions keep the dimension that a softmax
    reduces: the gradients of keys and values, for example. They cannot be repaired.
    The pass fuses them in three kinds of loops:

    1. A loop computes the final state of the softmax: the maximum and the sum of each
       row.
    2. Loops over rows compute the weights again, from the scores and this state, and
       multiply them.
    3. Contractions that first need a sum of weighted rows, such as the gradient of
       queries, follow in loops of their own.

    If all contractions are fused, no tensor of the size of the scores is stored. The
    pass does this if `levels` is empty, if each contraction's other operands and result
    have fewer elements than the weights, if nothing else needs the weights in memory,
    and if it pays (see `force`).

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
    whose operands and result fit into half of the L2 cache is not tiled. If
    elementwise ops dequantize the weights, and the number of rows is not known,
    an `scf.if` computes few rows in loops over tiles of constant sizes. With
    instructions that multiply fours of bytes, 9 to 32 known rows have such
    loops, too.

    **GPUs.** A root, with the elementwise ops that follow it, becomes an
    `scf.forall` over workgroups, mapped to `#gpu.block<linear_dim_i>`, with
    `rows` rows each. An `scf.for` inside runs over the dimension that is
    reduced online, in steps of `keys`. If the first of the given `levels` is a
    `forall`, it is mapped to workgroups, too.

    With `split`, several workgroups share a row, as iterations do on a CPU.
    `linalg-ext-schedule-forall` splits the nest into two kernels.

    With `key-subgroups=n`, the subgroups of a workgroup are divided into n parts. An
    iteration takes keys for each part, in an `scf.forall` that is mapped to
    `#gpu.warp<linear_dim_0>`. Each part reduces its own keys, and the results are merged
    once, after the loop. If the keys that are left are too few for all parts, a loop of
    one part adds them. `key-subgroups=0` chooses parts, rows, keys and split together,
    by the estimate of `Selection/KeySharing.h`. It applies to products of 16 bits whose
    sizes are all known, if `rows` and `keys` are 0 and `split` is 0 or -1, for
    workgroups of 128 threads.

    `ways` says how kernels may multiply. With `async` or `roles`, each root whose
    operands asynchronous products can read gets the way, rows and keys that
    `Selection/OnlineKernels.h` estimates to be fastest; with `report=all`, a remark
    says which, and why. The loop over workgroups is then marked with
    `vector_ext.kernel`. Kernels in `vector_ext.refused` of the module get another
    way.

    If such a kernel cannot read an operand that is converted from elements of 8 bits,
    the operand is converted and stored before the kernel. Unless `f8-products` is
    `f16`, scores of two operands in one format of f8 are products of f8.

    With `weights-in-f16`, weights of a softmax that the program rounds to bf16 are
    multiplied in f16, if there are few rows and the values are converted from few bits:
    their conversion to f16 takes fewer instructions (docs/Decisions/0159). It applies to
    GPUs that copy asynchronously, and not with `rescale-threshold`, where weights may
    be larger than 1.

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
    - is computed elementwise from a tensor in memory. (With `report=all`, or if a
      maximum or minimum is computed first, the pass reports such a tensor, too.)

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

    CPUs only. Fuses ops that are in no loop yet into loops over blocks of rows:
    reductions of rows, and elementwise ops before, between and after them. Examples are
    a softmax of rows and the gradient of a norm. A row is the innermost dimension of its
    tensors. If the rows of an iteration fit into half of the L2 cache, the iteration
    reads them from memory once, and then from the cache. `linalg-ext-decompose` must run
    before.

    A row that does not fit is reduced online, in pieces, if one reduction depends on
    another one. The step leaves ops alone if a loop would move nearly as many bytes as
    the ops on their own.

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

    Reports memory traffic, and changes nothing. Run it on programs whose loops are final.
    If a function moves at least 1.1 times the bytes of its arguments and results, the
    step reports the tensors that are the cause: those that one loop nest (a kernel on
    GPUs) stores for another, and those that several loop nests read. It does not repeat
    what the step `roots` has reported. It emits remarks, even with `require-fusion`: it
    does not know whether one loop could, or should, do the work of both. For

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
               "(roles, and workgroups compute several tiles), clusters (roles, "
               "and two workgroups share tiles); exchange (rows may be columns "
               "of instructions) or exchange-always; sync if none is given">,
    Option<"f8Products", "f8-products", "std::string", /*default=*/"\"f16\"",
           "GPUs only: what multiplies f8 in asynchronous products: f16, f8, or "
           "rounded (f8, and weights of a softmax are rounded to f8, times 2^8, "
           "for products with values of f8)">,
    Option<"weightsInF16", "weights-in-f16", "bool", /*default=*/"false",
           "GPUs only: round weights of a softmax that the program rounds to bf16 "
           "to f16, times 2^12, for products of at most 16 rows with values that "
           "are converted from f8 or integers of at most 8 bits">,
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
    Changes nothing. Without `dialects`, it checks a program before it is compiled,
    and fails with an error at the first op that

    - has a vector of more than 65536 elements. Lowering such a vector takes time
      and code for each of its rows. The pipelines to LLVM, NVVM and ROCDL start
      with this check;
    - asks for the size of a dimension that its tensor or buffer does not have;
    - has a loop whose size comes from several dimensions, of which some are dynamic and
      two are known to differ;
    - reads or writes a pool (`linalg_ext.paged_gather`, `linalg_ext.store_rows`)
      of unknown size, or of too many bytes for `index-bitwidth` bits, if indices
      have less than 64 bits.

    With `dialects`, it checks a program after it was compiled, and fails with an
    error at the first op, other than a module, that is of none of these dialects.
    Partial conversions leave ops unconverted without an error. They leave
    `builtin.unrealized_conversion_cast` ops next to these. The error names a cast
    only if there is no other such op.
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "Bits of an index: 32 or 64">,
    ListOption<"dialects", "dialects", "std::string",
               "Dialects whose ops may remain; empty checks a program before it is "
               "compiled">,
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

    **Negative strides.** Drops `nuw` from addresses of elements along a dimension of
    negative stride. Upstream's conversion sets it there, although such an address does
    wrap as an unsigned number.

    **The processor.** Sets the attributes `target_cpu` and `target_features` on
    every `llvm.func` that has a body and no target processor yet. LLVM then uses
    the instructions of this processor, whatever tool compiles the code. A
    description without a `name`, such as that of `generic`, sets nothing. If the
    processor has SVE registers of more than 128 bits, functions also promise their
    width (`vscale_range`).

    Before:

    ```mlir
    llvm.func @f() {
      llvm.return
    }
    ```

    After, for neoverse-n1:

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

    A pipeline that fails may leave a record of kernels that it cannot compile in
    the way that it chose: `vector_ext.refused`, on its module. It then runs again,
    on a new copy with this record, and chooses another way, or small tiles, for
    these kernels.

    The pass emits the diagnostics of the pipeline that succeeds, and at most one
    remark:

    - if the first pipeline failed, "falls back", with its first error;
    - if the first pipeline succeeded, but only with small tiles in some kernel,
      "falls back to small tiles in one kernel or more", with the reason;
    - if the first pipeline succeeded, but only after it chose another way for some
      kernel, that it did so, with the reason.

    All other errors are debug output. If all pipelines fail, the pass fails with
    the errors of the last one, and the function stays as it was.

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

    Threads of a kernel with roles may convert one operand from bytes. What is
    summed then has another order. For more rows than one tile of few rows, the
    pass builds a launch in front of the kernel, which stores the rows of the
    other operand in that order.

    `first` lists instructions that the pass prefers to those of the target with
    the same k. This is for instructions whose operands another pass prepares,
    such as `wgmma` (`vector-ext-pipeline-products`). They are for
    launches whose `vector_ext.kernel` says `async` or `roles`. Such a launch gets
    the number of threads that it says.

    **Subgroups.** As many subgroups as possible get work of their own; the
    others repeat that work. As many of them as possible share the rows, and the
    rest share the columns. If the loop computes nothing but contractions, the
    shares are chosen so that the least data is loaded from shared memory. An
    operand that several of the contractions read is loaded once.

    **Operands.** An operand that is read from memory is promoted if the read is
    in the contraction's loop, or if several subgroups need the same elements.
    An operand that the loop computes from what it reads is promoted if
    subgroups share it.

    **Operands that threads convert.** A launch whose `vector_ext.kernel` says `roles`
    may multiply rows that it reads by what threads compute from bytes, such as
    weights in groups with scales. Instructions read such an operand from registers,
    which only the left one can be. So the pass exchanges the operands: columns of the
    product are rows of the instruction. It transposes both operands along what is
    summed, into the order in which each thread has consecutive elements, so that
    threads load bytes in words. Of integers of 4 bits, it first makes one iteration of
    the loop of two, since copies of rows of 64 bytes take as long as of 128. If rows of
    the product stay apart until they are stored, the pass marks their read by
    `vector_ext.unused_behind`: those behind the end of the memory may be anything.

    **Products of f32.** Threads compute these with `fma` intrinsics; each
    thread has rows and columns of the product. Their operands are promoted,
    unless a contraction of the same loop computes them. `f32-products` selects
    tensor cores instead. `tf32` uses 10 bits of each operand's fraction.
    `tf32x3` uses three instructions, and has nearly the bits of f32.

    **Products of f8.** Unless `f8-products` is `f16`, the pass takes an instruction that
    multiplies the formats of both operands as they are. If there is none, or with `f16`,
    operands are extended to f16 or bf16, which is exact. Some instructions lose low bits
    of their sums. The pass marks contractions with such an instruction by the unit
    attribute `vector_ext.short_sums`. `vector-ext-distribute` then lets the instruction
    start from zero, and threads add its results to the accumulator. The error is then
    relative to the products of one tile, and not to the whole sum.

    **Threads.** The pass first fits the launch to the registers of a thread. The
    target says how many of them results of contractions may have (192 by default).

    - It doubles the threads while the results of the contractions need more registers
      than that, and while each thread can still have the largest number of registers of
      a thread. Contractions that accumulate onto each other's result count once. Every
      subgroup must keep at least 16 rows, the rows of an instruction.
    - A loop may also read vectors that are no operands of its contractions,
      such as masks. The pass then also doubles the threads while the results
      and the largest such vector leave fewer than 16 of these registers free.
    - An operand from outside of the loop is promoted, and loaded again in each
      iteration, if holding it would leave fewer than 16 of these registers free.
      The subgroup must use what it loads for enough products: at most five
      loads of 16 x 16 for eight products of 16 x 8 x 16.
    - In a launch without contractions, it doubles the threads, up to the largest number
      of the target, in two cases: while each thread still gets 8 elements of the largest
      vector that a loop reads; and while a thread has more than 32 elements of the rows
      that are read outside of loops. If some of these rows are reduced, only they count.
      The launch keeps its threads if a loop reads several rows at a time and a loop
      reduces.

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
      iteration is too short for the copies of the next one to arrive in time. The
      copies in progress may then take at most the target's `copy_bytes` (48 KiB by
      default). This limit does not apply if a processor is known to have at most two
      workgroups.

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
    Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"0",
           "If buffers is 0: the pass chooses the number of buffers of each "
           "tile, at most this; with 0 it chooses none">,
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

#endif // MLIR_EXT_PIPELINES_PASSES
