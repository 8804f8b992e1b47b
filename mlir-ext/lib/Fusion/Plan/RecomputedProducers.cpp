//===- RecomputedProducers.cpp - Producers that are better stored ---------===//
//
// Keys may be rotated, scaled or converted before a contraction reads them. All
// blocks of queries, and all heads of a group, need the same keys, so loops
// over these repeat the work. Copying a stored tile does not. An operand is
// therefore computed once and stored if this is cheaper: recomputing it must
// cost more than writing it, reading it and launching a kernel. It needs no
// kernel of its own if it reads a contraction outside of the loops. Ops that
// only move elements (reshapes, broadcasts, transposes) are fused, and the
// search continues with their operands.
//
// A reduction that no inner loop cuts, such as that of a mask to the rows that
// see nothing, is computed in front of the inner loops. If several iterations
// need it, its result is stored by the same rule. So is a projection that a
// contraction and other ops need, or scores of other rows: a bias of pairs.
//
//===----------------------------------------------------------------------===//

#include "RecomputedProducers.h"

#include "ChainedContractions.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Fusion/Plan/ScalarOps.h"
#include "mlir-ext/Fusion/Plan/UnfusedChains.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

static bool reduces(Operation *op) {
  auto tiling = dyn_cast<TilingInterface>(op);
  return tiling && llvm::is_contained(tiling.getLoopIteratorTypes(),
                                      utils::IteratorType::reduction);
}

/// Returns whether each iteration of `op` computes one element of its only
/// result.
static bool isElementwise(Operation *op) {
  return hasMaps(op) && op->getNumResults() == 1 && !reduces(op) &&
         cast<IndexingMapOpInterface>(op)
             .getMatchingIndexingMap(
                 cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0))
             .isPermutation();
}

/// Returns whether `op` only moves elements of an operand.
static bool movesElements(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return true;
  return hasMaps(op) && op->getNumRegions() == 1 &&
         op->getRegion(0).hasOneBlock() &&
         op->getRegion(0).front().without_terminator().empty();
}

static double countBytes(Type type, const RecomputeCosts &costs) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  return static_cast<double>(countElements(tensor, costs.dynamicSize)) *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

namespace {
class Search {
public:
  explicit Search(const FusionPlan &plan)
      : plan(plan), costs(plan.options.recomputeCosts),
        level(plan.levels.front()), analysis(getContext(), level) {}

  std::vector<PlannedObstacle> run();

private:
  const LevelAnalysis::Context &getContext() {
    context.root = plan.root;
    context.mayFuse = plan.options.mayFuse;
    for (const PlannedObstacle &obstacle : plan.obstacles)
      if (obstacle.level == 0)
        context.obstacles.push_back(&obstacle);
    return context;
  }
  bool feedsContractionsOnly(Operation *op);
  bool feedsContraction(Operation *op);
  double countIterations(const SmallBitVector &cuts) const;
  Operation *findReduction(Operation *op) const;
  bool isSoonerStored(Operation *op, double times);
  void findReductions(std::vector<PlannedObstacle> &found);

  const FusionPlan &plan;
  const RecomputeCosts &costs;
  LevelAnalysis::Context context;
  PlannedLevel level;
  LevelAnalysis analysis;
  /// Fused ops that only move elements and that contractions read.
  llvm::SmallPtrSet<Operation *, 8> views;
};
} // namespace

/// Returns whether only contractions read `op` in the loops, directly or
/// through views.
bool Search::feedsContractionsOnly(Operation *op) {
  ArrayRef<OpOperand *> uses = analysis.getEdges(op);
  return !uses.empty() && llvm::all_of(uses, [&](OpOperand *use) {
    Operation *user = use->getOwner();
    auto dps = dyn_cast<DestinationStyleOpInterface>(user);
    return views.contains(user) || (isContraction(user) && dps.isDpsInput(use));
  });
}

/// Returns whether a contraction reads `op` in the loops, directly or through
/// ops that do not reduce.
bool Search::feedsContraction(Operation *op) {
  SmallVector<Operation *> worklist{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty())
    for (OpOperand *use : analysis.getEdges(worklist.pop_back_val())) {
      Operation *user = use->getOwner();
      if (isContraction(user) &&
          cast<DestinationStyleOpInterface>(user).isDpsInput(use))
        return true;
      if (!reduces(user) && seen.insert(user).second)
        worklist.push_back(user);
    }
  return false;
}

/// Returns the number of iterations of the level that need the same tile of a
/// value. `cuts` are the dimensions of the root that cut the value.
double Search::countIterations(const SmallBitVector &cuts) const {
  SmallVector<int64_t> ranges =
      cast<IndexingMapOpInterface>(plan.root).getStaticLoopRanges();
  double times = 1;
  for (unsigned dim : level.dims.set_bits()) {
    if (cuts.test(dim))
      continue;
    auto orAssumed = [&](int64_t size) {
      return ShapedType::isDynamic(size) ? costs.dynamicSize : size;
    };
    times *= llvm::divideCeil(orAssumed(ranges[dim]),
                              orAssumed(level.level.tileSizes[dim]));
  }
  return times;
}

/// Returns the reduction outside of the level whose result only `op` uses,
/// through elementwise ops. `op` can then be computed with it and needs no
/// kernel of its own. Null if there is none.
Operation *Search::findReduction(Operation *op) const {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    const PlannedProducer *planned =
        producer ? level.lookup(producer) : nullptr;
    if (!planned || !producer->hasOneUse())
      continue;
    if (!planned->fused && reduces(producer))
      return producer;
    if (planned->fused && isElementwise(producer))
      if (Operation *found = findReduction(producer))
        return found;
  }
  return nullptr;
}

/// Returns whether storing the result of `op` costs less than computing it in
/// each of the `times` iterations that need it.
bool Search::isSoonerStored(Operation *op, double times) {
  double fused = 0, once = 0;
  Operation *reduction = findReduction(op);
  // All ops that are computed for `op`.
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (unsigned i = 0; i < ops.size(); ++i) {
    Operation *source = ops[i];
    std::optional<uint64_t> scalarOps = countScalarOps(source);
    if (!scalarOps)
      return false; // not known
    if (hasMaps(source) && *scalarOps > 0) {
      double flops = *scalarOps;
      for (int64_t range :
           cast<IndexingMapOpInterface>(source).getStaticLoopRanges())
        flops *= ShapedType::isDynamic(range) ? costs.dynamicSize : range;
      once += flops;
      fused +=
          flops *
          (source == op ? times : countIterations(analysis.getCuts(source)));
    }
    auto dps = dyn_cast<DestinationStyleOpInterface>(source);
    for (OpOperand &operand : source->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      const PlannedProducer *planned =
          producer ? level.lookup(producer) : nullptr;
      if (planned && planned->fused) {
        ops.insert(producer);
        continue;
      }
      if (dps && dps.isDpsInit(&operand))
        continue;
      double bytes =
          costs.flopsPerByte * countBytes(operand.get().getType(), costs);
      double fusedBytes = bytes * countIterations(analysis.getCuts(operand));
      fused += fusedBytes;
      // Either the result of the reduction is stored, or that of `op` instead.
      // Even if the source is computed once, some iterations read the operand
      // again: those of other tiles of a contraction, or of other parts to
      // which it is broadcast.
      if (producer && producer == reduction)
        fused += bytes;
      else
        once += std::max(bytes, fusedBytes /
                                    countIterations(analysis.getCuts(source)));
    }
  }
  Type result = op->getResultTypes()[0];
  fused += costs.flopsPerElement * times *
           countElements(cast<ShapedType>(result), costs.dynamicSize);
  once += costs.flopsPerByte * countBytes(result, costs) * (1 + times);
  if (!reduction)
    once += costs.flopsPerKernel;
  return once < fused;
}

/// Adds reductions to `found` that are computed whole, before the inner loops.
void Search::findReductions(std::vector<PlannedObstacle> &found) {
  if (plan.levels.size() < 2 || plan.options.recompute == Recompute::None)
    return;
  PlannedLevel inner = plan.levels.back();
  LevelAnalysis ofInner(context, inner);
  ofInner.run();
  SmallBitVector online(level.dims.size());
  for (const PlannedProducer &producer : level.producers)
    if (producer.fused && isa<OnlineReductionOpInterface>(producer.op))
      online |= analysis.getCuts(producer.op);
  for (const PlannedProducer &producer : level.producers) {
    Operation *op = producer.op;
    const PlannedProducer *inside = inner.lookup(op);
    if (!producer.fused || !hasMaps(op) || op->getNumResults() != 1 ||
        !reduces(op) || op == plan.options.chainedContraction)
      continue;
    // Inner loops would compute a projection again for each block of rows, or
    // for other rows that share it. Scores are not shared: blocks of columns
    // compute them again. A sum whose addends are not all read by a
    // contraction, too, is like a projection: that of features of a pair, with
    // a vector.
    bool isOperand = feedsContraction(op);
    bool isProjection = isContraction(op) || !isOperand;
    if (!isProjection && inside && inside->fused)
      continue;
    double times = 0;
    for (OpOperand *use : analysis.getEdges(op)) {
      SmallBitVector cuts = analysis.getCuts(*use);
      if (isProjection && !isOperand)
        for (unsigned dim : level.dims.set_bits())
          if (!online.test(dim))
            cuts.set(dim);
      times = std::max(times, countIterations(cuts));
    }
    if (times > 1 && isSoonerStored(op, times))
      found.push_back(
          {op,
           /*level=*/0,
           {RefusalKind::Intended, op,
            llvm::formatv("{0} iterations of the loops reduce the same: it is "
                          "sooner reduced once and stored",
                          static_cast<uint64_t>(times))
                .str()}});
  }
}

std::vector<PlannedObstacle> Search::run() {
  analysis.run();
  std::vector<PlannedObstacle> found;
  findReductions(found);
  // Users come before producers.
  for (const PlannedProducer &producer : level.producers) {
    Operation *op = producer.op;
    if (!producer.fused || !feedsContractionsOnly(op))
      continue;
    if (movesElements(op)) {
      views.insert(op);
      continue;
    }
    double times = countIterations(analysis.getCuts(op));
    bool mayStay = plan.options.recompute == Recompute::None
                       ? times <= 1
                       : !isSoonerStored(op, times);
    if (mayStay || !isElementwise(op))
      continue;
    found.push_back(
        {op,
         /*level=*/0,
         {RefusalKind::Intended, op,
          times > 1
              ? llvm::formatv(
                    "{0} iterations of the loops need the same of it: "
                    "it is sooner computed once and stored",
                    static_cast<uint64_t>(times))
                    .str()
              : "it is sooner computed once, by what reduces its operand"}});
  }
  return found;
}

std::vector<PlannedObstacle>
mlir::linalg_ext::findStoredProducers(const FusionPlan &plan) {
  return Search(plan).run();
}
