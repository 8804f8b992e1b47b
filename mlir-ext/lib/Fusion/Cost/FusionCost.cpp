//===- FusionCost.cpp - The cost of a fusion plan -------------------------===//
//
// 1. Find how deep in the nest each op is computed, and which results are also
//    needed farther out (NestTiles.h).
// 2. Record charges. A charge is the cost of an op in one iteration of the
//    loops down to some depth, as a function of the tile sizes there.
// 3. Sum the charges over all iterations. A loop has at most two tile sizes for
//    each size that it divides, so it visits kinds of iterations instead of
//    single ones.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Cost/FusionCost.h"

#include "NestTiles.h"

#include "mlir-ext/Fusion/Apply/DryRunCopy.h"
#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

Cost &Cost::operator+=(const Cost &other) {
  flops = llvm::SaturatingAdd(flops, other.flops);
  bytesRead = llvm::SaturatingAdd(bytesRead, other.bytesRead);
  bytesWritten = llvm::SaturatingAdd(bytesWritten, other.bytesWritten);
  return *this;
}

Cost Cost::operator*(uint64_t times) const {
  return {llvm::SaturatingMultiply(flops, times),
          llvm::SaturatingMultiply(bytesRead, times),
          llvm::SaturatingMultiply(bytesWritten, times)};
}

uint64_t Cost::getBytes() const {
  return llvm::SaturatingAdd(bytesRead, bytesWritten);
}

Cost FusionCost::getBefore() const {
  Cost sum;
  for (const OpCost &op : ops)
    sum += op.before;
  return sum;
}

Cost FusionCost::getAfter() const {
  Cost sum = repairs;
  sum += derivatives;
  for (const OpCost &op : ops)
    sum += op.after;
  return sum;
}

//===----------------------------------------------------------------------===//
// What ops are like
//===----------------------------------------------------------------------===//

/// Returns whether the result of `op` has the elements of its operand, without
/// a copy.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::EmptyOp>(op);
}

/// Returns whether `op` reads the elements of `operand`, and not only its
/// shape.
static bool readsElements(OpOperand &operand) {
  if (!isa<RankedTensorType>(operand.get().getType()) ||
      operand.get().getDefiningOp<tensor::EmptyOp>())
    return false;
  Operation *op = operand.getOwner();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || !dps.isDpsInit(&operand))
    return true;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.payloadUsesValueFromOperand(&operand);
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    return llvm::is_contained(online.getStateResults(),
                              dps.getTiedOpResult(&operand).getResultNumber());
  return true;
}

//===----------------------------------------------------------------------===//
// The estimate
//===----------------------------------------------------------------------===//

namespace {
/// A cost that is incurred once in every iteration of the loops above `depth`.
struct Charge {
  unsigned depth;
  Cost *to;
  std::function<Cost(const Tiles &)> getCost;
};

class Estimator {
public:
  Estimator(const FusionPlan &plan, const FusionCostOptions &options)
      : plan(plan), options(options), nest(plan, options.dynamicSize) {}

  FusionCost run();

private:
  void findCopies(unsigned level);
  uint64_t getScalarOps(Operation *op, NormalizationForm form);
  Cost getWholeCost(Operation *op);
  void chargeFused(Operation *op, unsigned depth, Cost &to);
  void chargeOperand(OpOperand &operand, const Tile &tile, unsigned depth,
                     Cost &to);
  void chargeResult(OpResult result, const Tile &domain, Cost &to);
  void chargeConsumer(Operation *op, Cost &to);
  void chargeRepair(const PlannedRepair &repair, Cost &to);
  void sumCharges(unsigned depth);

  const FusionPlan &plan;
  const FusionCostOptions &options;
  NestTiles nest;
  FusionCost cost;
  /// The sizes of the iteration domain of the root.
  SmallVector<int64_t> rootSizes;
  /// For each level, the ops in its loops that are also computed before the
  /// loops.
  std::vector<llvm::DenseSet<Operation *>> copies;
  std::vector<Charge> charges;
};
} // namespace

/// Finds the fused producers that are also computed before the loops of
/// `level`, because some of their users are not in the loops and cannot use
/// what these yield.
void Estimator::findCopies(unsigned level) {
  Tiles tiles = nest.getTiles(level + 1, rootSizes);
  Tiles around = nest.getTiles(level, rootSizes);
  // Consumers come before their producers.
  for (const PlannedProducer &producer : plan.levels[level].producers) {
    if (!producer.fused)
      continue;
    bool stays = false;
    for (OpResult result : producer.op->getResults()) {
      unsigned number = result.getResultNumber();
      bool yields = llvm::is_contained(producer.yieldedResults, number);
      // Users of a final state run after the loops.
      if (yields && plan.lookupState(producer.op) && level >= plan.firstLevel)
        continue;
      for (OpOperand &use : result.getUses()) {
        Operation *user = use.getOwner();
        if (isa<tensor::DimOp>(user))
          continue;
        if (nest.isInternal(use, level, tiles)) {
          stays |= copies[level].contains(user);
          continue;
        }
        // Users outside of the enclosing level use what that level yields.
        if (level > 0 && !nest.isInternal(use, level - 1, around))
          continue;
        Operation *later = plan.root->getBlock()->findAncestorOpInBlock(*user);
        stays |= !yields || (later && !plan.root->isBeforeInBlock(later));
      }
      stays |= level > 0 && !yields &&
               llvm::is_contained(
                   plan.levels[level - 1].lookup(producer.op)->yieldedResults,
                   number);
    }
    if (stays)
      copies[level].insert(producer.op);
  }
}

uint64_t Estimator::getScalarOps(Operation *op, NormalizationForm form) {
  std::optional<uint64_t> count = countScalarOps(op);
  if (!count && options.countWithoutPayload)
    count = options.countWithoutPayload(op, form);
  if (!count && !llvm::is_contained(cost.uncounted, op))
    cost.uncounted.push_back(op);
  return count.value_or(0);
}

/// Returns the cost of computing all of `op` on its own.
Cost Estimator::getWholeCost(Operation *op) {
  Cost whole;
  if (isView(op))
    return whole;
  Tile domain = nest.getWholeDomain(op);
  whole.flops = llvm::SaturatingMultiply(
      countElements(domain), getScalarOps(op, NormalizationForm::Eager));
  auto count = [&](Type type, const Tile &tile) {
    return countBytes(tile, type);
  };
  for (OpOperand &operand : op->getOpOperands())
    if (readsElements(operand))
      whole.bytesRead = llvm::SaturatingAdd(
          whole.bytesRead,
          count(operand.get().getType(), nest.getOperandTile(operand, domain)));
  for (OpResult result : op->getResults())
    whole.bytesWritten = llvm::SaturatingAdd(
        whole.bytesWritten,
        count(result.getType(), nest.getResultTile(result, domain)));
  return whole;
}

/// Charges for reading and writing `result` of a fused op, and the init it is
/// tied to, if any.
void Estimator::chargeResult(OpResult result, const Tile &domain, Cost &to) {
  Operation *op = result.getOwner();
  unsigned depth = nest.getDepth(op);
  Tile tile = nest.getResultTile(result, domain);
  std::optional<unsigned> cut = nest.getInnermostCut(depth, tile, false);

  // 1. If loops carry it without keeping its tile, it is read and written in
  //    every iteration. The first iteration reads the init, the last one writes
  //    the result.
  if (nest.goesThroughMemory(result, domain)) {
    charges.push_back({cut ? *cut + 1 : depth, &to, [=](const Tiles &tiles) {
                         uint64_t bytes = countBytes(
                             nest.getResultTile(result, tiles.find(op)->second),
                             result.getType());
                         return Cost{0, bytes, bytes};
                       }});
    return;
  }

  // 2. It is written once by the nest, unless only consumers in the nest read
  //    it.
  bool leaves =
      op == plan.root
          ? result.use_empty() ||
                !llvm::all_of(result.getUsers(),
                              [&](auto u) { return nest.isConsumer(u); })
          : llvm::is_contained(plan.levels.front().lookup(op)->yieldedResults,
                               result.getResultNumber());
  if (leaves)
    charges.push_back({cut ? *cut + 1 : 0, &to, [=](const Tiles &tiles) {
                         uint64_t bytes = countBytes(
                             nest.getResultTile(result, tiles.find(op)->second),
                             result.getType());
                         return Cost{0, 0, bytes};
                       }});
}

/// Charges for `op`, or a copy of it, in the loops above `depth`.
void Estimator::chargeFused(Operation *op, unsigned depth, Cost &to) {
  bool isCopy = depth < nest.getDepth(op);
  Tiles tiles = nest.getTiles(depth, rootSizes);
  Tiles outermost = nest.getTiles(1, rootSizes);
  const Tile &domain = tiles.find(op)->second;

  // 1. Arithmetic.
  auto form = NormalizationForm::Eager;
  if (const PlannedState *state = isCopy ? nullptr : plan.lookupState(op))
    form = state->normalization;
  uint64_t scalarOps = getScalarOps(op, form);
  charges.push_back(
      {depth, &to, [=](const Tiles &tiles) {
         return Cost{llvm::SaturatingMultiply(
                         countElements(tiles.find(op)->second), scalarOps),
                     0, 0};
       }});

  // 2. Operands from outside of the nest.
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!readsElements(operand) || nest.isInternal(operand, 0, outermost))
      continue;
    Tile tile = nest.getOperandTile(operand, domain);
    if (dps && dps.isDpsInit(&operand) && !isCopy) {
      // Carried operands are charged with the result.
      if (nest.goesThroughMemory(dps.getTiedOpResult(&operand), domain))
        continue;
    }
    chargeOperand(operand, tile, depth, to);
  }

  // 3. Results that the nest yields or carries. They are charged once, not for
  //    each copy.
  if (isCopy)
    return;
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()) && !isView(op))
      chargeResult(result, domain, to);
}

/// Charges for reading `operand` of an op at `depth` from outside of the nest:
/// `tile` of it, in each iteration of the loops that cut the tile.
void Estimator::chargeOperand(OpOperand &operand, const Tile &tile,
                              unsigned depth, Cost &to) {
  unsigned at = depth;
  if (nest.getInnermostCut(depth, tile, /*orForall=*/false))
    at = *nest.getInnermostCut(depth, tile, /*orForall=*/true) + 1;
  charges.push_back({at, &to, [this, &operand](const Tiles &tiles) {
                       const Tile &domain =
                           tiles.find(operand.getOwner())->second;
                       return Cost{
                           0,
                           countBytes(nest.getOperandTile(operand, domain),
                                      operand.get().getType()),
                           0};
                     }});
}

/// Charges for the consumer `op`: its cost in one iteration of the loops in
/// which it is computed.
void Estimator::chargeConsumer(Operation *op, Cost &to) {
  uint64_t scalarOps = getScalarOps(op, NormalizationForm::Eager);
  const Tile rootDomain =
      nest.getTiles(plan.levels.size(), rootSizes).find(plan.root)->second;
  unsigned depth = plan.lookupConsumer(op)->depth;
  Tiles innermost = nest.getTiles(depth, rootSizes);
  const Tile &domain = innermost.find(op)->second;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *source = operand.get().getDefiningOp();
    bool isThere =
        source &&
        (nest.isConsumer(source) || nest.isLeft(operand.get()) ||
         (source == plan.root &&
          !nest.goesThroughMemory(cast<OpResult>(operand.get()), rootDomain)));
    if (!readsElements(operand) || isThere)
      continue;
    chargeOperand(operand, nest.getOperandTile(operand, domain), depth, to);
  }
  SmallVector<OpResult> written;
  for (OpResult result : op->getResults())
    if (result.use_empty() || !llvm::all_of(result.getUsers(), [&](auto user) {
          return nest.isConsumer(user);
        }))
      written.push_back(result);
  charges.push_back({depth, &to, [=](const Tiles &tiles) {
                       const Tile &domain = tiles.find(op)->second;
                       Cost cost;
                       cost += Cost{countElements(domain), 0, 0} * scalarOps;
                       for (OpResult result : written)
                         cost += Cost{
                             0, 0,
                             countBytes(nest.getResultTile(result, domain),
                                        result.getType())};
                       return cost;
                     }});
}

/// Returns the operations that applying `factor` takes for each element of an
/// accumulator. A polynomial is evaluated by Horner's rule.
static uint64_t countOpsOfFactor(const PlannedFactor &factor) {
  if (factor.value.degree.kind != RepairKind::Polynomial)
    return 1;
  uint64_t degree = factor.derivatives.empty()
                        ? static_cast<uint64_t>(factor.value.degree.coefficient)
                        : factor.derivatives.size();
  return 2 * degree;
}

/// Charges for `repair`. Each factor is applied in the loops to every element
/// of the accumulator, unless it is deferred. After the loops, deferred factors
/// and delayed normalisations are applied once, and the constant part of an
/// affine accumulator is added once.
void Estimator::chargeRepair(const PlannedRepair &repair, Cost &to) {
  OpResult accumulator = repair.accumulator->getResult(repair.resultNumber);
  auto getCost = [this, accumulator](const Tiles &tiles) {
    return Cost{countElements(nest.getResultTile(
                    accumulator, tiles.find(accumulator.getOwner())->second)),
                0, 0};
  };
  for (const PlannedFactor &factor : repair.factors) {
    uint64_t times = countOpsOfFactor(factor);
    if (!factor.deferred)
      charges.push_back({plan.lastLevel + 1, &to, [=](const Tiles &tiles) {
                           return getCost(tiles) * times;
                         }});
    if (factor.unscaled)
      charges.push_back({plan.firstLevel, &to, getCost});
    bool isDelayed = factor.measure == Measure::Given &&
                     plan.lookupState(factor.source)->normalization ==
                         NormalizationForm::Delayed;
    if (factor.deferred || isDelayed)
      charges.push_back({plan.firstLevel, &to, getCost});
  }
}

void Estimator::sumCharges(unsigned depth) {
  // 1. For each dimension of the root, find the sizes of its tiles, and how
  //    many tiles have each size.
  SmallVector<SmallVector<std::pair<int64_t, uint64_t>>> kinds;
  for (auto [dim, whole] : llvm::enumerate(rootSizes)) {
    std::map<int64_t, uint64_t> counts = {{whole, 1}};
    for (const PlannedLevel &level : ArrayRef(plan.levels).take_front(depth)) {
      int64_t tile = level.level.tileSizes[dim];
      if (tile == 0 || ShapedType::isDynamic(tile))
        continue; // what is not known is not cut
      std::map<int64_t, uint64_t> smaller;
      for (auto [size, count] : counts) {
        if (size >= tile)
          smaller[tile] += count * (size / tile);
        if (size % tile != 0)
          smaller[size % tile] += count;
      }
      counts = std::move(smaller);
    }
    kinds.emplace_back(counts.begin(), counts.end());
  }

  // 2. Visit every combination of sizes.
  SmallVector<int64_t> sizes;
  std::function<void(uint64_t)> visit = [&](uint64_t count) {
    if (sizes.size() < kinds.size()) {
      for (auto [size, times] : kinds[sizes.size()]) {
        sizes.push_back(size);
        visit(llvm::SaturatingMultiply(count, times));
        sizes.pop_back();
      }
      return;
    }
    Tiles tiles = nest.getTiles(depth, sizes);
    for (const Charge &charge : charges)
      if (charge.depth == depth)
        *charge.to += charge.getCost(tiles) * count;
  };
  visit(1);
}

FusionCost Estimator::run() {
  for (const TileDim &dim : nest.getWholeDomain(plan.root))
    rootSizes.push_back(dim.size);
  copies.resize(plan.levels.size());
  for (unsigned level = 0; level < plan.levels.size(); ++level)
    findCopies(level);

  cost.ops.push_back({plan.root, {}, {}});
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (producer.fused || isa<TilingInterface>(producer.op))
      cost.ops.push_back({producer.op, {}, {}});
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      cost.ops.push_back({consumer.op, {}, {}});
  for (OpCost &entry : cost.ops) {
    entry.before = getWholeCost(entry.op);
    if (nest.isConsumer(entry.op)) {
      chargeConsumer(entry.op, entry.after);
      continue;
    }
    unsigned depth = nest.getDepth(entry.op);
    if (depth == 0 || copies.front().contains(entry.op))
      entry.after = entry.before;
    for (unsigned level = 1; level < depth; ++level)
      if (copies[level].contains(entry.op))
        chargeFused(entry.op, level, entry.after);
    if (depth > 0)
      chargeFused(entry.op, depth, entry.after);
  }
  for (const PlannedRepair &repair : plan.repairs)
    chargeRepair(repair, cost.repairs);
  for (unsigned depth = 0; depth <= plan.levels.size(); ++depth)
    sumCharges(depth);
  cost.assumesSizes = nest.assumesSizes();
  return cost;
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// Returns the cost after fusion, without repairs.
static Cost getAfterOfOps(const FusionCost &cost) {
  Cost sum;
  for (const OpCost &op : cost.ops)
    sum += op.after;
  return sum;
}

/// Adds the cost of derivatives that `plan` lacks: the difference between a
/// plan on a copy with derivatives and one without. (Users of the results of
/// the loops are not copied, so their cost is in neither.)
static void addDerivatives(const FusionPlan &plan,
                           const FusionCostOptions &options, FusionCost &cost) {
  if (!plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  DryRun dryRun = makeDryRun(plan);
  Cost without = getAfterOfOps(Estimator(dryRun.plan, options).run());
  IRRewriter rewriter(plan.root->getContext());
  Refusal refusal;
  FailureOr<CompletePlan> complete =
      buildDerivatives(rewriter, dryRun.plan, refusal);
  if (failed(complete))
    return;
  FusionCost completeCost = Estimator(complete->plan, options).run();
  Cost with = getAfterOfOps(completeCost);
  auto subtract = [](uint64_t lhs, uint64_t rhs) {
    return lhs > rhs ? lhs - rhs : 0;
  };
  cost.derivatives = {subtract(with.flops, without.flops),
                      subtract(with.bytesRead, without.bytesRead),
                      subtract(with.bytesWritten, without.bytesWritten)};
  cost.repairs = completeCost.repairs;
}

FusionCost
mlir::linalg_ext::estimateFusionCost(const FusionPlan &plan,
                                     const FusionCostOptions &options) {
  FusionCost cost = Estimator(plan, options).run();
  if (plan.needsDerivatives)
    addDerivatives(plan, options, cost);
  return cost;
}
