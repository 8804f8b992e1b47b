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
  // sharding-propagation rejects indexing maps with constants, which broadcast
  // dimensions of size 1 have.
  pm.addPass(createLinalgFoldUnitExtentDimsPass());
  addCanonicalizer(pm);
  LinalgExtCompleteShardingPassOptions prepare, verify, lower;
  prepare.steps = {"annotate"};
  verify.steps = {"verify"};
  lower.steps = {"lower"};
  pm.addPass(createLinalgExtCompleteShardingPass(prepare));
  // Start with the arguments. If propagation started with a replicated result,
  // it would replicate everything that the result is computed from, and all
  // arguments would be gathered.
  shard::ShardingPropagationOptions propagation;
  propagation.traversal = shard::TraversalOrder::ForwardBackward;
  pm.addNestedPass<func::FuncOp>(shard::createShardingPropagation(propagation));
  pm.addPass(createLinalgExtCompleteShardingPass(verify));
  pm.addNestedPass<func::FuncOp>(shard::createPartition());
  // One process starts a sum from the initial value, and the others start from
  // zero. If the initial value is zero, CSE makes both one value.
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
