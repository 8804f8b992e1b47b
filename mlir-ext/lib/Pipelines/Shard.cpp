//===- Shard.cpp - The pipeline for several processes ---------------------===//
//
// See Shard.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Shard.h"
#include "CleanUp.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Sharding/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Shard/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::buildShardPipeline(OpPassManager &pm,
                                          const ShardPipelineOptions &options) {
  if (!options.sharding.empty()) {
    LinalgExtCompleteShardingPassOptions annotate;
    annotate.steps = {"annotate"};
    annotate.sharding = options.sharding;
    pm.addPass(createLinalgExtCompleteShardingPass(annotate));
  }
  pm.addPass(createLinalgExtNormalizePass());
  // Express the sizes of results by the sizes of arguments.
  pm.addPass(memref::createResolveShapedTypeResultDimsPass());
  // sharding-propagation refuses indexing maps with constants. A broadcast
  // dimension of size 1 has such a map.
  pm.addPass(createLinalgFoldUnitExtentDimsPass());
  addCanonicalizer(pm);
  LinalgExtCompleteShardingPassOptions prepare, verify, lower;
  prepare.steps = {"annotate"};
  verify.steps = {"verify"};
  lower.steps = {"lower"};
  pm.addPass(createLinalgExtCompleteShardingPass(prepare));
  // Arguments first. If a replicated result came first, it would replicate what
  // it is computed from, and all arguments would be gathered.
  shard::ShardingPropagationOptions propagation;
  propagation.traversal = shard::TraversalOrder::ForwardBackward;
  pm.addNestedPass<func::FuncOp>(shard::createShardingPropagation(propagation));
  pm.addPass(createLinalgExtCompleteShardingPass(verify));
  pm.addNestedPass<func::FuncOp>(shard::createPartition());
  // One process starts a sum from the initial value, the others start from
  // zero. After CSE, both are one value where the initial value is zero.
  addCleanUp(pm);
  addCanonicalizer(pm);
  LinalgExtNormalizePassOptions repairs;
  repairs.patterns = {"fuse-elementwise", "scale-after-contraction"};
  pm.addPass(createLinalgExtNormalizePass(repairs));
  pm.addPass(createLinalgExtCompleteShardingPass(lower));
  addCleanUp(pm);
}

void mlir::linalg_ext::registerShardPipelines() {
  PassPipelineRegistration<ShardPipelineOptions>(
      "linalg-ext-shard",
      "Cut an annotated program among the processes of a shard.grid",
      buildShardPipeline);
}
