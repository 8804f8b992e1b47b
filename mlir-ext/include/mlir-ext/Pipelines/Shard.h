//===- Shard.h - The pipeline for several processes -------------*- C++ -*-===//
//
// From an annotated program to the program of one process, on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_SHARD_H
#define MLIR_EXT_PIPELINES_SHARD_H

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir {
class OpPassManager;

namespace linalg_ext {
struct ShardPipelineOptions : PassPipelineOptions<ShardPipelineOptions> {
  PassOptions::Option<std::string> sharding{
      *this, "sharding",
      llvm::cl::desc("The grid, and the axes for arguments and results, as "
                     "linalg-ext-complete-sharding takes them; without it, the "
                     "program must have annotations")};
};

/// Appends the passes that turn a function whose arguments have `shard.shard`
/// annotations into the program of one process of the grid. The program is on
/// tensors, and calls the runtime library where processes communicate. Every
/// pipeline takes it from there.
void buildShardPipeline(OpPassManager &pm,
                        const ShardPipelineOptions &options);

/// Registers it as `linalg-ext-shard`.
void registerShardPipelines();
} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_PIPELINES_SHARD_H
