//===- PlanForall.cpp - Plan one loop nest for a group of ops -------------===//
//
// See PlanForall.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/PlanForall.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult mlir::linalg_ext::planForall(
    Operation *root, llvm::SmallBitVector &cut, bool yieldProducers,
    function_ref<bool(const PlannedProducer &producer)> accept,
    Refusal &refusal) {
  llvm::SmallBitVector planned = cut;
  TileAndFuseOptions options;
  TilingLevel &level = options.levels.emplace_back();
  level.kind = LoopKind::Forall;
  for (unsigned loop = 0; loop < cut.size(); ++loop)
    level.tileSizes.push_back(cut.test(loop));
  options.fuseSiblings = false;
  options.yieldProducers = yieldProducers;
  options.mayFuse = [&](const PlannedProducer &producer) {
    return cut == planned && accept(producer);
  };
  return success(succeeded(planTileAndFuse(root, options, refusal)));
}
