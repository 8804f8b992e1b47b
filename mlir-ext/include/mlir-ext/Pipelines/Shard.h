//===- Shard.h - The pipeline for several processes -------------*- C++ -*-===//
//
// From an annotated program to the program of one process, on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_SHARD_H
#define MLIR_EXT_PIPELINES_SHARD_H

namespace mlir {
class OpPassManager;

namespace linalg_ext {
/// Appends the passes that turn a function whose arguments have `shard.shard`
/// annotations into the program of one process of the grid. The program is on
/// tensors, and calls the runtime library where processes communicate. Every
/// pipeline takes it from there.
void buildShardPipeline(OpPassManager &pm);

/// Registers it as `linalg-ext-shard`.
void registerShardPipelines();
} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_PIPELINES_SHARD_H
