//===- PlanForall.cpp - Plan one loop nest for a group of ops -------------===//
//
// See PlanForall.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/PlanForall.h"

using namespace mlir;
using namespace mlir::linalg_ext;

ForallGroup::ForallGroup(Operation *root,
                         ArrayRef<utils::IteratorType> iterators)
    : cut(iterators.size()), root(root) {
  for (auto [loop, iterator] : llvm::enumerate(iterators))
    cut[loop] = iterator == utils::IteratorType::parallel;
  clear();
}

void ForallGroup::clear() {
  loops.clear();
  llvm::append_range(loops[root], llvm::seq<int64_t>(0, cut.size()));
}

LogicalResult
ForallGroup::plan(bool yieldProducers,
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

void ForallGroup::planUntilStable(function_ref<void()> planOnce) {
  llvm::SmallBitVector planned;
  while (cut.any() && cut != planned) {
    planned = cut;
    planOnce();
  }
}

CutLoops::CutLoops(const PlannedProducer &producer, unsigned numLoopsOfRoot)
    : all(numLoopsOfRoot) {
  for (const llvm::SmallBitVector &by : producer.cutBy) {
    mapping.push_back(by.find_first());
    all |= by;
    isAmbiguous |= by.count() > 1;
  }
}
