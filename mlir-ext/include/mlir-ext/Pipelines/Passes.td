//===- Passes.td - Passes that choose and finish -----------*- tablegen -*-===//
//
// What the pipelines need between the transformations: choices of a
// configuration, and calling conventions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PASSES
#define MLIR_EXT_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtFuseForCPUPass : Pass<"linalg-ext-fuse-for-cpu"> {
  let summary = "Tile and fuse every root with levels chosen for a CPU";
  let description = [{
    Runs tile-and-fuse on every root with the levels that suit a CPU (see
    `selectCPULevels`), or with `levels` where that is given: a `scf.forall` over
    blocks of rows, and in it a loop over what is reduced online, of sizes that
    follow from those of the caches and of vectors. With `split`, elements of it
    that an iteration treats, and a loop over the rows that merges what those of a
    row have accumulated, in the loop over rows: `linalg-ext-fission-forall` makes
    two loops of that. A root that cannot be fused is left as it is, with a remark
    that says why; where `levels` is given, that is an error.

    Rows that are reduced otherwise (norms in front of a product, the loss of a
    classifier; such a root must be marked with `linalg_ext.root`) are reduced whole,
    a block of them at a time, where they stay in a cache, and online where not. A
    fusion that adds operations must save bytes for it (docs/Rationale/Fusion.md),
    unless `force` is given.

    Contractions that are in the loops of no root are tiled: a `scf.forall` over
    batches, columns of the result and (with `shared`) rows, with the elementwise ops
    that are computed from the result alone, and in it a `scf.for` over the sum. What
    a cache holds as a whole stays whole.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"0",
           "Rows of an iteration of the outer loop; 0 chooses">,
    Option<"keys", "keys", "int64_t", /*default=*/"0",
           "Elements of the dimension that is reduced online, in each iteration "
           "of the inner loop; 0 chooses">,
    Option<"split", "split", "int64_t", /*default=*/"-1",
           "Elements of it that an iteration of the outer loop treats: those of a "
           "row are shared by several; 0 chooses, -1 is all">,
    Option<"shared", "shared", "bool", /*default=*/"true",
           "Threads share rows: in front of a large matrix, blocks are smaller then">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Width of the vector registers">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"49152",
           "Size of the L1 data cache of a core">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"1048576",
           "Size of the L2 cache of a core">,
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile every root with, as in linalg-ext-tile-and-fuse">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When results are normalised: eager (in every tile) or delayed">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "The least exact of fusions to accept: exact, reassociated or "
           "rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Leave accumulators alone while no term grows by more than "
           "e^threshold; empty rescales in every tile">,
    Option<"flopsPerByte", "flops-per-byte", "double", /*default=*/"8",
           "Operations that a fusion may add for each byte that it does not move "
           "any more">,
    Option<"force", "force", "bool", /*default=*/"false",
           "Fuse whether it pays or not">,
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "What to say, a remark each: none, missed (what is stored though a "
           "reduction and what depends on it could be one loop) or all (what is fused, "
           "too)">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Make what was missed an error">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::linalg_ext::LinalgExtDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtFuseForGPUPass : Pass<"linalg-ext-fuse-for-gpu"> {
  let summary = "Tile and fuse every root with levels chosen for a GPU";
  let description = [{
    Runs tile-and-fuse on every root, and the elementwise ops that follow it, with
    the levels that suit a GPU (see `selectGPULevels`), or with `levels` where
    that is given: a `scf.forall` over workgroups, mapped to
    `#gpu.block<linear_dim_i>`, of `rows` rows each, and in it a loop over what is
    reduced online by `keys`. With `split` elements of it a workgroup, and a loop
    over the rows that merges what the workgroups of a row have accumulated, in the
    loop over workgroups: `linalg-ext-fission-forall` makes two kernels of that.
    A `forall` that is the first of given `levels` is over workgroups, too. Products
    that accumulate in f16 or bf16 accumulate in f32 before that, and are rounded once
    (`populateWidenAccumulatorPatterns`). A root
    that cannot be fused is left as it is, with a remark that says why; where
    `levels` is given, that is an error.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"64",
           "Rows of a workgroup; 0 chooses by the columns of the root">,
    Option<"keys", "keys", "int64_t", /*default=*/"64",
           "Elements of the dimension that is reduced online, in each iteration; 0 "
           "chooses likewise">,
    Option<"split", "split", "int64_t", /*default=*/"-1",
           "Elements of it that a workgroup treats: those of a row are shared by "
           "several; 0 chooses, -1 is all">,
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile every root with, as in linalg-ext-tile-and-fuse">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When results are normalised: eager (in every tile) or delayed">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "The least exact of fusions to accept: exact, reassociated or "
           "rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Leave accumulators alone, each element by itself, while no term grows by "
           "more than e^threshold; empty rescales in every tile">,
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "What to say, a remark each: none, missed (what is stored though a "
           "reduction and what depends on it could be one loop) or all (what is fused, "
           "too)">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Make what was missed an error">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::linalg_ext::LinalgExtDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtReportUnfusedPass : Pass<"linalg-ext-report-unfused"> {
  let summary = "Say what is stored though one loop would do";
  let description = [{
    Says, at each accumulation that depends on a reduction along the dimension that
    it runs along, which tensor is stored between the two although loops over tiles
    of that dimension would carry both (`mlir-ext/Transforms/UnfusedChains.h`): the
    scores of attention, or the logits of a loss. A tensor is not reported that
    somebody else needs, that is no larger than the results of the accumulations, or
    that hardly counts beside what the ops read anyway; one that is computed
    elementwise from something in memory only if a maximum or minimum is in front of
    it, or with `report=all`. The IR is not changed.

    `linalg-ext-fuse-for-cpu` and `linalg-ext-fuse-for-gpu` do this themselves, and
    know the reasons. For

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
  }];
  let options = [
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "What to say, a remark each: none, missed (what is stored though a "
           "reduction and what depends on it could be one loop) or all (what is fused, "
           "too)">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Make what was missed an error">,
    Option<"reason", "reason", "std::string",
           /*default=*/"\"it is compiled op by op\"", "Why">,
  ];
}

def LinalgExtCheckVectorsPass : Pass<"linalg-ext-check-vectors"> {
  let summary = "Refuse vectors of too many elements";
  let description = [{
    Fails, with an error at the first of them, if there are vectors of more than
    `max-elements`: to lower them takes time and code for each row; or if the size
    of a dimension is asked for that a tensor or buffer does not have. Pipelines to
    LLVM and NVVM begin with it.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"65536",
           "Elements that a vector has at most">,
  ];
}

def LinalgExtForallToThreadsPass : Pass<"linalg-ext-forall-to-threads"> {
  let summary = "Make loops on buffers such that threads share them";
  let description = [{
    Makes each `scf.forall` on buffers an `scf.parallel`, as upstream's
    `scf-forall-to-parallel` does, but loops (`scf.for`) if it is in another one:
    the iterations of the outermost one are what threads share. What it is mapped
    to is dropped.

    Before:

    ```mlir
    scf.forall (%i) in (8) {
      scf.forall (%j) in (4) {
        "test.op"(%i, %j) : (index, index) -> ()
      }
    }
    ```

    After:

    ```mlir
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      scf.for %j = %c0 to %c4 step %c1 {
        "test.op"(%i, %j) : (index, index) -> ()
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtFinishOpenMPPass : Pass<"linalg-ext-finish-openmp"> {
  let summary = "Give threads buffers of their own, and say who does what";
  let description = [{
    Finishes what `convert-scf-to-openmp` makes of loops. Buffers of known size
    that an iteration allocates are allocated once for each thread, in front of
    the loop; those of a `memref.alloca` of unknown size come from the heap. Loops
    that have no schedule get `schedule`; none waits for the others at its end,
    where the region ends anyway; and a loop of one iteration starts no threads.

    Before:

    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          memref.alloca_scope {
            %tile = memref.alloc() : memref<64x128xf32>
            ..
            memref.dealloc %tile : memref<64x128xf32>
          }
          omp.yield
        }
      }
      omp.terminator
    }
    ```

    After:

    ```mlir
    %several = arith.cmpi slt, %c1, %n : index
    omp.parallel if(%several) {
      %tile = memref.alloc() : memref<64x128xf32>
      omp.wsloop nowait schedule(dynamic) {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          ..
          omp.yield
        }
      }
      memref.dealloc %tile : memref<64x128xf32>
      omp.terminator
    }
    ```
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"dynamic\"",
           "How iterations are handed out: static, dynamic, guided, auto or "
           "runtime">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::omp::OpenMPDialect"
  ];
}

def LinalgExtDropAliasedResultsPass
    : Pass<"linalg-ext-drop-aliased-results", "::mlir::ModuleOp"> {
  let summary = "Drop function results that are a buffer argument";
  let description = [{
    Removes results of functions, public ones too, that are always one of the
    arguments: a destination that was written in place. Calls use the argument
    instead. (Upstream's `drop-equivalent-buffer-results` leaves public functions
    alone, and the deallocation pipeline would then copy the buffer.) With
    `private-only` the type of a function that other modules can call stays. A
    buffer that is returned twice is copied, so that each result has one of its
    own. A result that is a reshape of what the function allocates is allocated in
    the shape of the result, so that it may become an argument.

    Before:

    ```mlir
    func.func @f(%out: memref<4xf32>) -> memref<4xf32> {
      return %out : memref<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%out: memref<4xf32>) {
      return
    }
    ```
  }];
  let options = [
    Option<"privateOnly", "private-only", "bool", /*default=*/"false",
           "Leave the results of public functions">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtAttachProcessorPass
    : Pass<"linalg-ext-attach-processor", "::mlir::ModuleOp"> {
  let summary = "Say in each function which processor it is for";
  let description = [{
    Gives every `llvm.func` that has a body and names no processor the attributes
    `target_cpu` and `target_features` of `cpu`, so that LLVM has the instructions
    that its code was made of, whatever tool goes on with it. `generic` gives none.

    Before:

    ```mlir
    llvm.func @f() {
      llvm.return
    }
    ```

    After, with `cpu=neoverse-n1`:

    ```mlir
    llvm.func @f() attributes {target_cpu = "neoverse-n1",
                               target_features = #llvm.target_features<["+neon"]>} {
      llvm.return
    }
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"generic\"",
           "The processor: generic, host, or what LLVM calls it">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LinalgExtCheckLoweredPass : Pass<"linalg-ext-check-lowered"> {
  let summary = "Refuse ops that are left behind the last pass of a pipeline";
  let description = [{
    Fails, with an error at the first of them, if there are ops of other dialects
    than `dialects` (and modules). A `builtin.unrealized_conversion_cast` is only
    named where there is nothing else: it stands between what was converted and
    what was not.
  }];
  let options = [
    ListOption<"dialects", "dialects", "std::string",
               "The dialects whose ops may be there">,
  ];
}

def LinalgExtCopiesToLinalgPass : Pass<"linalg-ext-copies-to-linalg"> {
  let summary = "Make copies of buffers that are not dense structured ops";
  let description = [{
    A `memref.copy` between ranked buffers, not both of which are one block of
    memory, becomes a `linalg.generic`: else its lowering calls a function of
    MLIR's runtime library.

    Before:

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    ```

    After:

    ```mlir
    linalg.generic {indexing_maps = [#id, #id],
                    iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%b : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LinalgExtCallLibmPass
    : Pass<"linalg-ext-call-libm", "::mlir::ModuleOp"> {
  let summary = "Make math functions that LLVM has not calls of libm";
  let description = [{
    acosh, asinh, atanh, cbrt, erf, erfc, expm1 and log1p become calls of the math
    library, one for each element of a vector, by upstream's patterns. `math.fpowi`
    becomes products where its exponent is a constant from -1 to 4, else pow of
    f64; `math.isinf`, `math.isnormal` and `math.clampf` become comparisons.
    Functions of f16 and bf16 are computed in f32, and f64 becomes bf16 by way of
    f32, rounded to odd. docs/Math.md has the errors.

    Before:

    ```mlir
    %0 = math.cbrt %x : f32
    %1 = math.fpowi %v, %two : vector<8xf32>, vector<8xi32>
    ```

    After:

    ```mlir
    %0 = call @cbrtf(%x) : (f32) -> f32
    %1 = arith.mulf %v, %v : vector<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtRequestCInterfacePass
    : Pass<"linalg-ext-request-c-interface", "::mlir::func::FuncOp"> {
  let summary = "Request the C interface of public functions with a body";
  let description = [{
    Sets `llvm.emit_c_interface` on functions that are public and have a body.
    (Upstream's `llvm-request-c-wrappers` also sets it on declarations, whose
    callee would then have to have one.)
  }];
}

def LinalgExtStoreBF16AsBitsPass
    : Pass<"linalg-ext-store-bf16-as-bits", "::mlir::ModuleOp"> {
  let summary = "Make bf16 in the LLVM dialect integers of 16 bits";
  let description = [{
    For targets without instructions for bf16, after `arith-expand` has left
    nothing to do with its values but to move them: LLVM would convert each to
    f32 and back where it is selected, carried by a loop, or stored under a mask.
    Does nothing if an op computes with bf16.

    Precondition: the LLVM dialect.
  }];
}

def LinalgExtPrintLayoutPass
    : Pass<"linalg-ext-print-layout", "::mlir::ModuleOp"> {
  let summary = "Print a layout of a tile in registers, for people";
  let description = [{
    Prints to stderr which register of which thread holds each element of the
    tile that `layout` describes, as a table or an SVG picture. The module is
    left alone, and may be empty:

    ```
    echo | linalg-ext-opt -o /dev/null --linalg-ext-print-layout='layout="[register 2:2, lane 8:4] x [lane 4:1, register 2:1]" format=svg' 2> mma-c.svg
    ```

    See `docs/Rationale/Layouts.md` for what the text means.
  }];
  let options = [
    Option<"layout", "layout", "std::string", /*default=*/"",
           "The digits of each dimension, slowest first, as in "
           "[register 2:2, lane 8:4] x [lane 4:1, register 2:1]">,
    Option<"lanes", "lanes", "int64_t", /*default=*/"32",
           "The number of lanes of a subgroup">,
    Option<"subgroups", "subgroups", "int64_t", /*default=*/"1",
           "The number of subgroups">,
    Option<"format", "format", "std::string", /*default=*/"\"table\"",
           "How to print: table or svg">,
  ];
}

def LinalgExtFirstOfPass : Pass<"linalg-ext-first-of", "::mlir::ModuleOp"> {
  let summary = "Run the first of several pipelines that succeeds";
  let description = [{
    Runs the first of `pipelines`, which are for modules, on a copy of each
    function; if it fails the next one, and so on. What the one that succeeds
    says is said; the errors of those that fail become a remark. If all fail so
    does the pass, with the errors of the last one, and the function stays as it
    was. Functions that refer to symbols, or that others refer to, are done all
    together.
  }];
  let options = [
    ListOption<"pipelines", "pipelines", "OpPassManager",
               "The pipelines, the most wanted first">,
    Option<"report", "report", "bool", /*default=*/"true",
           "Make a remark of the errors of those that fail">,
  ];
}

def LinalgExtSelectConfigPass : Pass<"linalg-ext-select-config"> {
  let summary = "Choose the instruction for each contraction";
  let description = [{
    Gives every `vector.contract` in a `gpu.launch` that has no
    `vector_ext.config` one: the instruction of the longest sum that is for its
    types and whose shape, by the subgroups, divides the tile. As many subgroups as
    possible do something of their own, those that are left the same as others;
    rows are shared between as many of them as possible, columns between the rest.
    Contractions that are all that their loop computes are shared such that least is
    loaded from shared memory, once where several read the same. Operands
    read from memory in the contraction's loop are promoted. The product of a
    vector and a matrix becomes that of two matrices first, one of which has equal
    rows, if that lets an instruction perform it. A contraction that
    no instruction fits stays as it is, with a remark, and is distributed one
    product at a time.

    Products of f32 are done by threads (`fma` intrinsics, of which each thread has rows and
    columns), whose operands are promoted unless contractions of the same loop compute
    them. `f32-products` asks for tensor cores instead: `tf32` takes 10 bits of each
    operand's fraction, `tf32x3` has nearly the bits of f32, in three instructions.

    Before that, a launch whose contractions' results, together, would give a
    thread more than `registers` words of 32 bits gets twice the threads, up to
    `max-threads`, as long as every subgroup still has rows of an instruction. So does one
    where all but 16 of `registers` would be taken by these and the largest vector that
    is read beside operands in a loop, as masks are. With 192 `registers`, ptxas has 63
    for what rows carry along, fragments of operands and addresses; attention of 16 to
    96 columns spills nothing then in bench/gpu/attention, but for one group of heads.
    Operands that come from outside of the loop are promoted, to be loaded again
    in each iteration, if with them fewer than 16 of these registers are left and
    a subgroup uses what it loads for enough products (at most five loads of 16 x
    16 for eight of 16 x 8 x 16). A launch that contracts nothing
    gets, up to `row-threads`, as many as leave each eight elements of what its
    loops read, if that is one row or is not reduced there, and 32 of the rows
    that it reads in no loop and reduces.

    With `max-buffers` a launch also gets a `vector_ext.buffers` (`buffers` says how
    many): two; one, if with
    two fewer workgroups would fit into `max-shared-bytes` than there are registers
    for, or if loops have several contractions and a thread more than 96 words of a
    result; and for contractions that are all that their loop computes more if they are too
    short for the copies of the next iteration to arrive in time, as long as
    there are at most 48 KiB on the way, or `processors` are known to have at most
    two workgroups each.

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
    Option<"lanes", "lanes", "int64_t", /*default=*/"32",
           "The number of lanes of a subgroup">,
    Option<"registers", "registers", "int64_t", /*default=*/"0",
           "Words of the results of contractions that a thread has at most; 0 "
           "leaves the block size as it is">,
    Option<"maxThreads", "max-threads", "int64_t", /*default=*/"256",
           "Threads that a block is given for that">,
    Option<"rowThreads", "row-threads", "int64_t", /*default=*/"512",
           "Threads that a block that contracts nothing is given">,
    Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"0",
           "Buffers of a tile at most; 0 chooses none">,
    Option<"buffers", "buffers", "int64_t", /*default=*/"0",
           "Buffers of each tile, which leaves nothing to choose">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"fma\"",
           "What multiplies f32: fma (threads), tf32, or tf32x3 (tensor cores)">,
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", /*default=*/"0",
           "Shared memory of the workgroups beside each other, which more than "
           "one buffer should fit into; 0 sets no bound">,
    Option<"processors", "processors", "int64_t", /*default=*/"0",
           "Processors of the device; 0 if that is not known">,
  ];
  let dependentDialects = ["::mlir::vector_ext::VectorExtDialect"];
}

#endif // MLIR_EXT_PIPELINES_PASSES
