//===- PlanConsumers.cpp - Plans the fusion of consumers ------------------===//
//
// Follows the users of the root, of its siblings and of what the loops leave of
// producers, such as the state of a softmax, in program order. A consumer may
// be fused into the levels before the first that cuts a reduction of the root,
// where tiles of the root are final. One that reduces needs tiles that are
// whole along what it reduces. See PlanConsumers.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/PlanConsumers.h"

#include "LevelOps.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::isRenaming(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

void mlir::linalg_ext::forEachUsedValue(Operation *op,
                                        function_ref<void(Value)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        visit(operand);
  });
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Returns the number of levels before the first one that cuts a reduction of
/// the root. In their loops, tiles of the root are final.
static unsigned getNumFinalLevels(const FusionPlan &plan) {
  auto iterators = cast<TilingInterface>(plan.root).getLoopIteratorTypes();
  auto it = llvm::find_if(plan.levels, [&](const PlannedLevel &level) {
    return llvm::any_of(level.dims.set_bits(), [&](unsigned dim) {
      return iterators[dim] != utils::IteratorType::parallel;
    });
  });
  return it - plan.levels.begin();
}

namespace {
class ConsumerPlanner {
public:
  explicit ConsumerPlanner(FusionPlan &plan) : plan(plan), root(plan.root) {
    computed.insert(root);
    for (const PlannedSibling &sibling : plan.siblings)
      if (sibling.isFused())
        computed.insert(sibling.op);
    for (const PlannedProducer &producer : plan.levels.front().producers)
      if (!producer.yieldedResults.empty())
        yielding.insert(producer.op);
  }

  void run();

private:
  LogicalResult check(Operation *op, Refusal &refusal);
  LogicalResult checkUses(Operation *op, Refusal &refusal);
  LogicalResult checkOperand(Operation *consumer, Value operand,
                             Refusal &refusal);
  bool isStoredInside(OpResult result) const;
  SmallPtrSet<Operation *, 16> findNeeded() const;
  bool followsOnlyStates(Operation *op) const;
  llvm::SmallBitVector findIndexedByTiles(Operation *op) const;
  bool isWiderThanRoot(Operation *op) const;
  bool isWholeBehindParts(Operation *op) const;

  FusionPlan &plan;
  Operation *root;
  /// Ops whose results the loops compute and that may have fused consumers.
  SmallPtrSet<Operation *, 4> computed;
  /// Producers whose results the loops of the outermost level yield.
  SmallPtrSet<Operation *, 4> yielding;
  /// Ops among `computed` that depend neither on the root nor on a sibling.
  SmallPtrSet<Operation *, 4> ofStates;
};
} // namespace

/// Fails if `operand` of `consumer`, which is not computed in the loops, cannot
/// be computed before the loops.
LogicalResult ConsumerPlanner::checkOperand(Operation *consumer, Value operand,
                                            Refusal &refusal) {
  SmallVector<Value> worklist{operand};
  SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != root->getBlock() || !seen.insert(op).second)
      continue;
    // The size of a result is that of its destination.
    if (auto dim = dyn_cast<tensor::DimOp>(op);
        dim && computed.contains(dim.getSource().getDefiningOp())) {
      worklist.push_back(dim.getIndex());
      continue;
    }
    if (computed.contains(op) || yielding.contains(op))
      return refusal.set(RefusalKind::Other, consumer,
                         "it needs " + nameOf(operand.getDefiningOp()) +
                             ", which waits for the loops");
    if (root->isBeforeInBlock(op) && !isMemoryEffectFree(op))
      return refusal.set(RefusalKind::Other, consumer,
                         "it needs " + nameOf(op) +
                             ", which has to stay behind the root");
    forEachUsedValue(op, [&](Value value) { worklist.push_back(value); });
  }
  return success();
}

/// Returns whether inner loops, inside those where tiles of the root are final,
/// yield `result`, of a producer, piece by piece. The pieces then form one
/// tensor, and a loop that is mapped to processors has no memory for it.
bool ConsumerPlanner::isStoredInside(OpResult result) const {
  unsigned numFinal = getNumFinalLevels(plan);
  if (numFinal == 0 || plan.levels.front().level.mapping.empty())
    return false;
  for (const PlannedLevel &level : ArrayRef(plan.levels).drop_front(numFinal)) {
    const PlannedProducer *producer = level.lookup(result.getOwner());
    if (producer && producer->fused && !producer->partial &&
        llvm::is_contained(producer->yieldedResults, result.getResultNumber()))
      return true;
  }
  return false;
}

/// Fails if the tiles of the ops that `op` reads do not determine a tile of
/// `op` that the loops can write.
LogicalResult ConsumerPlanner::checkUses(Operation *op, Refusal &refusal) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &use : op->getOpOperands()) {
    Operation *source = use.get().getDefiningOp();
    auto result = dyn_cast<OpResult>(use.get());
    bool isComputed =
        source &&
        (computed.contains(source) ||
         (yielding.contains(source) &&
          llvm::is_contained(plan.levels.front().lookup(source)->yieldedResults,
                             result.getResultNumber())));
    if (!isComputed) {
      if (failed(checkOperand(op, use.get(), refusal)))
        return failure();
      continue;
    }
    if (yielding.contains(source) && isStoredInside(result))
      return refusal.set(RefusalKind::Other, op,
                         "it reads " + nameOf(source) +
                             ", which inner loops yield piece by piece");
    if (!dps)
      continue;
    if (dps.isDpsInit(&use))
      return refusal.set(RefusalKind::Other, op,
                         "it writes over what it follows");
    if (!cast<IndexingMapOpInterface>(op)
             .getMatchingIndexingMap(&use)
             .isProjectedPermutation())
      return refusal.set(RefusalKind::Other, op,
                         "it reads " + nameOf(source) +
                             " other than element by element");
  }
  return success();
}

/// Returns whether `op` depends on results of producers, and neither on the
/// root nor on a sibling.
bool ConsumerPlanner::followsOnlyStates(Operation *op) const {
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return computed.contains(source) && !ofStates.contains(source);
  });
}

/// Returns the loops of `op` that index an operand which the loops of the plan
/// compute.
llvm::SmallBitVector ConsumerPlanner::findIndexedByTiles(Operation *op) const {
  llvm::SmallBitVector indexed(
      cast<TilingInterface>(op).getLoopIteratorTypes().size());
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    Operation *source = input->get().getDefiningOp();
    if (!source || !(computed.contains(source) || yielding.contains(source)))
      continue;
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(input);
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        indexed.set(dim.getPosition());
  }
  return indexed;
}

/// Returns the number of iterations of the parallel loops of `op` other than
/// `loops`, if it is known.
static std::optional<int64_t> countOther(Operation *op,
                                         const llvm::SmallBitVector &loops) {
  int64_t count = 1;
  for (auto [dim, size, type] :
       llvm::enumerate(cast<IndexingMapOpInterface>(op).getStaticLoopRanges(),
                       cast<TilingInterface>(op).getLoopIteratorTypes())) {
    if (loops.test(dim) || type != utils::IteratorType::parallel)
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    count *= size;
  }
  return count;
}

/// Returns whether a tile of `op` has more elements for each row than a tile of
/// the root. This happens if `op` reads a state, which has one element for each
/// row, and broadcasts it to all columns.
bool ConsumerPlanner::isWiderThanRoot(Operation *op) const {
  llvm::SmallBitVector cut(
      cast<TilingInterface>(root).getLoopIteratorTypes().size());
  for (const PlannedLevel &level :
       ArrayRef(plan.levels).take_front(getNumFinalLevels(plan)))
    cut |= level.dims;
  std::optional<int64_t> own = countOther(op, findIndexedByTiles(op));
  std::optional<int64_t> columns = countOther(root, cut);
  return !own || *own > columns.value_or(1);
}

/// The most elements of a consumer for each element of the root, if the root is
/// reduced in parts.
static constexpr int64_t kMaxForEach = 256;

/// Returns whether the root is reduced in parts, and a workgroup would compute
/// more than kMaxForEach elements of `op`, or an unknown number, for each
/// element of the root: no loop cuts some dimensions of `op`.
bool ConsumerPlanner::isWholeBehindParts(Operation *op) const {
  if (plan.levels.front().level.mapping.empty() ||
      getNumFinalLevels(plan) == plan.levels.size())
    return false;
  std::optional<int64_t> own = countOther(op, findIndexedByTiles(op));
  return !own || *own > kMaxForEach;
}

/// Fails if `op`, which uses results of `computed` ops, cannot be computed in
/// the same loops.
LogicalResult ConsumerPlanner::check(Operation *op, Refusal &refusal) {
  auto refuse = [&](StringRef text) {
    return refusal.set(RefusalKind::Other, op, text);
  };
  auto tileable = dyn_cast<TilingInterface>(op);
  if (!isMemoryEffectFree(op))
    return refuse("it has effects");
  if (!tileable || (!isRenaming(op) && !hasMaps(op)))
    return refuse("it is neither elementwise nor a reshape");
  if (hasEmptyOperand(op))
    return refuse("it is empty");
  if (isRenaming(op))
    return checkUses(op, refusal);
  auto dps = cast<DestinationStyleOpInterface>(op);
  if (!dps.hasPureTensorSemantics())
    return refuse("it writes to buffers");
  if (!isParallel(op)) {
    // That its tiles are whole along the reduction can be checked only when the
    // first tile is built. But a product is refused here: for each tile it
    // would compute columns that the loops do not have.
    if (llvm::any_of(dps.getDpsInits(), [](Value init) {
          return !init.getDefiningOp<linalg::FillOp>();
        }))
      return refuse("it reduces, and does not start from a filled tensor");
    if (!findIndexedByTiles(op).all())
      return refuse("it reduces more than what it follows");
    return checkUses(op, refusal);
  }
  for (OpOperand &init : dps.getDpsInitsMutable())
    if (!cast<IndexingMapOpInterface>(op)
             .getMatchingIndexingMap(&init)
             .isPermutation())
      return refuse("its iterations write to the same elements");
  if (followsOnlyStates(op) && isWiderThanRoot(op))
    return refuse("it has more columns than the root, and reads states only");
  if (isWholeBehindParts(op))
    return refuse("it has many elements for each of the root");
  return checkUses(op, refusal);
}

/// Limits the depth of each consumer to that of the consumers whose results it
/// reads, and the depth of each reshape to that of its deepest user.
static void adaptDepths(FusionPlan &plan) {
  for (PlannedConsumer &consumer : plan.consumers)
    for (Value operand : consumer.op->getOperands())
      for (const PlannedConsumer &source : plan.consumers) {
        if (source.op != operand.getDefiningOp() ||
            source.depth >= consumer.depth)
          continue;
        consumer.depth = source.depth;
        consumer.refusal = {RefusalKind::Other, source.op,
                            "it follows " + nameOf(source.op)};
      }
  for (PlannedConsumer &consumer : llvm::reverse(plan.consumers)) {
    if (!isRenaming(consumer.op))
      continue;
    unsigned depth = 0;
    for (const PlannedConsumer &user : plan.consumers)
      if (llvm::is_contained(consumer.op->getUsers(), user.op))
        depth = std::max(depth, user.depth);
    if (depth >= consumer.depth)
      continue;
    consumer.depth = depth;
    consumer.refusal = {RefusalKind::Other, consumer.op,
                        "nothing that is fused follows it"};
  }
}

/// Returns the root, its siblings, and the ops that compute their operands.
SmallPtrSet<Operation *, 16> ConsumerPlanner::findNeeded() const {
  SmallVector<Operation *> worklist{root};
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      worklist.push_back(sibling.op);
  SmallPtrSet<Operation *, 16> needed(worklist.begin(), worklist.end());
  while (!worklist.empty())
    forEachUsedValue(worklist.pop_back_val(), [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (op && op->getBlock() == root->getBlock() && needed.insert(op).second)
        worklist.push_back(op);
    });
  return needed;
}

void ConsumerPlanner::run() {
  unsigned numLevels = getNumFinalLevels(plan);
  // Visit users in program order, so that a consumer comes after the consumers
  // whose results it reads.
  SmallPtrSet<Operation *, 16> seen = findNeeded();
  SmallVector<Operation *> worklist;
  auto addUsers = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if (user->getBlock() == root->getBlock() && seen.insert(user).second &&
          !user->hasTrait<OpTrait::IsTerminator>() && !isa<tensor::DimOp>(user))
        worklist.push_back(user);
    llvm::sort(worklist, [](Operation *lhs, Operation *rhs) {
      return lhs != rhs && rhs->isBeforeInBlock(lhs);
    });
  };
  addUsers(root);
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      addUsers(sibling.op);
  for (Operation *producer : yielding)
    addUsers(producer);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    Refusal refusal;
    LogicalResult mayFollow = check(op, refusal);
    if (succeeded(mayFollow) && numLevels == 0)
      mayFollow = refusal.set(RefusalKind::NotFinal, root,
                              "the outermost level cuts a reduction: its tiles "
                              "are not final");
    plan.consumers.push_back(
        {op, succeeded(mayFollow) ? numLevels : 0, refusal});
    if (failed(mayFollow))
      continue;
    if (followsOnlyStates(op))
      ofStates.insert(op);
    computed.insert(op);
    addUsers(op);
  }
  adaptDepths(plan);
}

void mlir::linalg_ext::planConsumers(FusionPlan &plan) {
  ConsumerPlanner(plan).run();
}

void mlir::linalg_ext::restrictConsumers(FusionPlan &plan,
                                         const RefusedConsumer &refused) {
  PlannedConsumer &consumer = plan.consumers[refused.index];
  consumer.depth = refused.level;
  consumer.refusal = refused.refusal;
  consumer.refusal.op = consumer.op; // and not a copy
  adaptDepths(plan);
}

bool mlir::linalg_ext::leaveConsumers(FusionPlan &plan,
                                      const Refusal &refusal) {
  bool any = false;
  for (PlannedConsumer &consumer : plan.consumers) {
    if (consumer.depth == 0)
      continue;
    any = true;
    consumer.depth = 0;
    consumer.refusal = refusal;
  }
  return any;
}
