//===- ToLLVM.h - From linalg to the LLVM dialect ---------------*- C++ -*-===//
//
// The CPU pipeline linalg-ext-to-llvm, and its first part,
// linalg-ext-to-buffers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TOLLVM_H
#define MLIR_EXT_PIPELINES_TOLLVM_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

enum class ThreadsKind { None, OpenMP };

struct ToLLVMPipelineOptions
    : public PassPipelineOptions<ToLLVMPipelineOptions>,
      public FusionPipelineOptions {
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Tile the roots and fuse their producers; "
                                   "false compiles each op by itself"),
                    llvm::cl::init(true)};
  Option<bool> forceFusion{*this, "force-fusion",
                           llvm::cl::desc("Fuse even if it does not pay"),
                           llvm::cl::init(false)};
  Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc("Rows of a tile; 0 chooses by the caches of the target"),
      llvm::cl::init(0)};
  Option<int64_t> keys{*this, "keys",
                       llvm::cl::desc("Elements of a tile in the dimension "
                                      "that is reduced online; 0 chooses"),
                       llvm::cl::init(0)};
  Option<int64_t> split{
      *this, "split",
      llvm::cl::desc("Elements of the dimension that is reduced online in each "
                     "chunk, where rows are few; threads then share a row; 0 "
                     "chooses (no split without threads), -1 does not split"),
      llvm::cl::init(0)};
  Option<int64_t> l1Bytes{
      *this, "l1-bytes",
      llvm::cl::desc("Size of the L1 data cache of a core in bytes; 0 takes a "
                     "common size for the instructions of 'cpu'"),
      llvm::cl::init(0)};
  Option<int64_t> l2Bytes{
      *this, "l2-bytes",
      llvm::cl::desc("Size of the L2 cache of a core in bytes; 0 takes a "
                     "common size for the instructions of 'cpu'"),
      llvm::cl::init(0)};
  Option<bool> returnLogSumExp{
      *this, "return-log-sum-exp",
      llvm::cl::desc("Append the log-sum-exp of every softmax to the results "
                     "of its function"),
      llvm::cl::init(false)};
  Option<bool> tighten{
      *this, "tighten",
      llvm::cl::desc(
          "Skip tiles that a mask hides completely; false computes all tiles"),
      llvm::cl::init(true)};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc(
          "Processor to generate code for: generic (any with 128-bit vectors), "
          "a name that LLVM has for an x86-64 or AArch64 processor (x86-64-v3, "
          "neoverse-n1, ...), host (that of this machine), or avx2, avx512, "
          "avx512vnni or avx512bf16 (the least processor with these "
          "instructions); except "
          "for host, the code is the same on every machine"),
      llvm::cl::init("generic")};
  Option<ThreadsKind> threads{
      *this, "threads",
      llvm::cl::desc("Which threads share the work; results do not depend on "
                     "their number"),
      llvm::cl::init(ThreadsKind::None),
      llvm::cl::values(
          clEnumValN(ThreadsKind::None, "none",
                     "The thread that calls the function"),
          clEnumValN(ThreadsKind::OpenMP, "openmp",
                     "The threads of LLVM's OpenMP runtime (libomp), which "
                     "must be linked; OMP_NUM_THREADS sets their number"))};
  Option<bool> vectorize{
      *this, "vectorize",
      llvm::cl::desc("Generate vector code; false generates scalar loops"),
      llvm::cl::init(true)};
  Option<bool> excessPrecision{
      *this, "excess-precision",
      llvm::cl::desc("Compute weights that are dequantized to f16 or bf16 in "
                     "f32, let zero points of groups leave sums, and multiply "
                     "integers of 4 and 8 bits by digits of a row, or in parts "
                     "of words; false keeps every rounding of the program"),
      llvm::cl::init(true)};
  Option<bool> dropAliasedResults{
      *this, "drop-aliased-results",
      llvm::cl::desc("Drop results of public functions that are always one of "
                     "the buffer arguments; false keeps the type that "
                     "bufferization makes, and such a result is a copy"),
      llvm::cl::init(false)};
  Option<bool> outParams{
      *this, "out-params",
      llvm::cl::desc(
          "Pass buffers for results as additional arguments, after the others, "
          "instead of returning allocated buffers; results that are an "
          "argument need none (not for functions that are called in the module "
          "and have results of dynamic size)"),
      llvm::cl::init(false)};
  Option<bool> shareTemporaries{
      *this, "share-temporaries",
      llvm::cl::desc("Place the temporary buffers of a function in one "
                     "allocation, in which those that are not used at the same "
                     "time share memory; false allocates each by itself"),
      llvm::cl::init(true)};
  Option<int64_t> maxStackBytes{
      *this, "max-stack-bytes",
      llvm::cl::desc(
          "Size in bytes of the largest temporary buffer on the stack"),
      llvm::cl::init(4096)};
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToLLVMPipelineOptions &options,
                           std::string &error);

/// The part of the pipeline up to loops over tiles: recognises online
/// reductions, tiles and fuses, and rewrites LinalgExt ops as upstream ops.
void buildFusionPipeline(OpPassManager &pm,
                         const ToLLVMPipelineOptions &options);

/// linalg-ext-to-buffers: the pipeline up to structured ops on buffers. The
/// functions have their final arguments and results.
void buildToBuffersPipeline(OpPassManager &pm,
                            const ToLLVMPipelineOptions &options);

/// The rest of the pipeline, from functions on buffers to the LLVM dialect.
void buildBuffersToLLVMPipeline(OpPassManager &pm,
                                const ToLLVMPipelineOptions &options);

/// linalg-ext-to-llvm: lowers functions on tensors, with upstream and LinalgExt
/// ops, to the LLVM dialect.
void buildToLLVMPipeline(OpPassManager &pm,
                         const ToLLVMPipelineOptions &options);

void registerToLLVMPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TOLLVM_H
