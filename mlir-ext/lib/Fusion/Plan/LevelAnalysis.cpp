//===- LevelAnalysis.cpp - Analysis of one level of tiling ----------------===//
//
// Visits producers in reverse program order, so that all consumers of an op are
// decided before it. `decide` merges how the consumers cut the op
// (LevelCuts.cpp), then fuses it or keeps it outside with a reason. At the end,
// `dropIndependent` moves ops outside whose value is the same in all
// iterations. See LevelAnalysis.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "LevelOps.h"

#include "mlir-ext/Fusion/Plan/FollowRoot.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Support/AffineMaps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::string mlir::linalg_ext::nameOf(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

bool mlir::linalg_ext::hasMaps(Operation *op) {
  return isa<IndexingMapOpInterface>(op) &&
         isa<DestinationStyleOpInterface>(op);
}

bool mlir::linalg_ext::hasEmptyOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() &&
           llvm::is_contained(shaped.getShape(), 0);
  });
}

bool mlir::linalg_ext::hasDifferentSizes(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || !hasMaps(op))
    return false;
  llvm::SmallDenseMap<AffineExpr, int64_t> ranges;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
    if (!type || !type.hasRank() || type.getRank() != map.getNumResults())
      continue;
    for (auto [size, expr] : llvm::zip_equal(type.getShape(), map.getResults()))
      if (isa<AffineDimExpr>(expr) && !ShapedType::isDynamic(size) &&
          ranges.try_emplace(expr, size).first->second != size)
        return true;
  }
  return false;
}

SmallVector<unsigned> mlir::linalg_ext::getStateResults(Operation *op) {
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    return online.getStateResults();
  return llvm::to_vector(llvm::seq<unsigned>(0, op->getNumResults()));
}

AffineMap mlir::linalg_ext::getResultMap(Operation *op, unsigned number) {
  return cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(number));
}

/// Returns whether the iterations of `op` read every element of `operand`, each
/// in the iterations that its map says.
static bool readsWhole(Operation *op, OpOperand &operand) {
  if (!hasMaps(op))
    return false;
  return isProjection(
      cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand));
}

bool mlir::linalg_ext::isParallel(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  return !tileable ||
         llvm::all_of(tileable.getLoopIteratorTypes(),
                      [](utils::IteratorType type) {
                        return type == utils::IteratorType::parallel;
                      });
}

//===----------------------------------------------------------------------===//
// What is cut, and needed
//===----------------------------------------------------------------------===//

LevelAnalysis::LevelAnalysis(const Context &context, PlannedLevel &level)
    : context(context), level(level), root(context.root), dims(level.dims) {
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  mayCarry = level.level.kind != LoopKind::Forall &&
             llvm::all_of(dims.set_bits(), [&](unsigned dim) {
               return iterators[dim] == utils::IteratorType::reduction;
             });
}

SmallBitVector LevelAnalysis::merge(ArrayRef<SmallBitVector> sets) const {
  SmallBitVector all(dims.size());
  for (const SmallBitVector &set : sets)
    all |= set;
  return all;
}

/// Returns whether the level cuts a reduction dimension of `op` that `op` does
/// not reduce online. `op` must have indexing maps. (A result other than the
/// online one may have that dimension.)
static bool cutsReductionOf(Operation *op, ArrayRef<SmallBitVector> domain) {
  SmallVector<utils::IteratorType> iterators =
      cast<TilingInterface>(op).getLoopIteratorTypes();
  SmallVector<unsigned> onlineDims;
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    onlineDims = online.getOnlineDims();
  for (unsigned dim = 0; dim < domain.size(); ++dim)
    if (iterators[dim] == utils::IteratorType::reduction && domain[dim].any() &&
        !llvm::is_contained(onlineDims, dim))
      return true;
  return false;
}

bool LevelAnalysis::cutsReduction(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  if (!tileable)
    return false;
  const DimSets &domain = domains.find(op)->second;
  SmallVector<utils::IteratorType> iterators = tileable.getLoopIteratorTypes();
  if (iterators.size() != domain.size())
    return false; // an op without maps, which reduces nothing
  return llvm::any_of(llvm::zip(iterators, domain), [](auto pair) {
    return std::get<0>(pair) == utils::IteratorType::reduction &&
           std::get<1>(pair).any();
  });
}

/// Returns whether `user`, an op before the root, may be moved behind it.
/// Computed on demand: it visits every op before the root, and few plans need
/// it.
bool LevelAnalysis::mayFollowRoot(Operation *user) {
  if (!mayFollow)
    mayFollow = getOpsThatMayFollow(
        root,
        llvm::map_to_vector(context.siblings,
                            [](const PlannedSibling &s) { return s.op; }));
  return mayFollow->contains(user);
}

/// Returns whether `op` computes its elements from scalars and positions only,
/// as a fill or a mask of positions does.
static bool readsNoElements(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()) &&
        structured.payloadUsesValueFromOperand(&operand))
      return false;
  return !op->walk([&](Operation *nested) {
              return nested != op && llvm::any_of(nested->getOperandTypes(),
                                                  llvm::IsaPred<ShapedType>)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

/// Returns whether nothing reads elements that `op` computes. Perhaps its sizes
/// are read, or those of tensors that are computed from it: a rewrite that left
/// it behind may have replaced everything else. A number that is computed from
/// it may be a size itself.
static bool isReadForSizesOnly(Operation *op, unsigned depth = 8) {
  return isa<tensor::DimOp>(op) ||
         (depth > 0 && isMemoryEffectFree(op) &&
          !op->hasTrait<OpTrait::IsTerminator>() &&
          llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
          llvm::all_of(op->getUsers(), [&](Operation *user) {
            return isReadForSizesOnly(user, depth - 1);
          }));
}

/// Returns the results of `op` that ops outside of the loops need. With an
/// enclosing level, these are ops in its loops and ops that use what its loops
/// yield. All others use the original op. If `op` reads no elements, nothing
/// outside needs it: to compute it again (a fill that layers share, for
/// example) is cheaper than to store and read it.
SmallVector<unsigned> LevelAnalysis::getNeededOutside(Operation *op) {
  SmallVector<unsigned> needed;
  if (!context.yieldsProducers || readsNoElements(op))
    return needed;
  const DimSets &domain = domains.find(op)->second;
  const PlannedProducer *enclosing =
      context.enclosing ? context.enclosing->lookup(op) : nullptr;
  for (OpResult result : op->getResults()) {
    // Requires that each tile of the result is computed in one iteration only.
    SmallBitVector seen(dims.size());
    AffineMap map = getResultMap(op, result.getResultNumber());
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (map.isFunctionOfDim(dim))
        seen |= domain[dim];
    if (seen != dims || !map.isProjectedPermutation())
      continue;
    for (OpOperand &use : result.getUses()) {
      Operation *user =
          root->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if ((user && domains.contains(user)) ||
          isReadForSizesOnly(use.getOwner()))
        continue; // sizes are told without it
      if (context.enclosing && !context.scope->contains(&use) &&
          !(enclosing && llvm::is_contained(enclosing->yieldedResults,
                                            result.getResultNumber())))
        continue;
      // Users after the root, and users that can be moved there, use what the
      // loops yield. (Users in other blocks come later.) Other users keep the
      // original op.
      if (!user || root->isBeforeInBlock(user) || mayFollowRoot(user)) {
        needed.push_back(result.getResultNumber());
        break;
      }
    }
  }
  return needed;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Records that `op` is fused along `uses`, and that the level cuts its domain
/// as `domain` says.
void LevelAnalysis::fuse(Operation *op, const DimSets &domain,
                         ArrayRef<OpOperand *> uses) {
  domains[op] = domain;
  edges[op].assign(uses.begin(), uses.end());
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    // Scalars and uninitialised tensors need no producer in the loops.
    if (producer && producer->getBlock() == root->getBlock() &&
        !isa<tensor::EmptyOp>(producer) &&
        llvm::any_of(producer->getResultTypes(),
                     llvm::IsaPred<RankedTensorType>))
      undecided.insert(producer);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      recordRead(operand, domain);
}

/// Fuses `producer` along `uses`, unless the options keep it outside. Returns
/// whether it is fused.
bool LevelAnalysis::tryToFuse(PlannedProducer &producer, const DimSets &domain,
                              ArrayRef<OpOperand *> uses) {
  producer.cutBy = domain;
  producer.severalTiles |= approximate.contains(producer.op);
  producer.fused =
      !context.mayFuse || isAuxiliary(producer.op) || context.mayFuse(producer);
  if (producer.fused) {
    fuse(producer.op, domain, uses);
    return true;
  }
  producer.partial = producer.whole = false;
  producer.refusal = {RefusalKind::Intended, producer.op,
                      "the options keep it outside of the loops"};
  return false;
}

/// Records how the level cuts `operand` of a fused op. `domain` says how the
/// level cuts the iteration domain of that op.
void LevelAnalysis::recordRead(OpOperand &operand, const DimSets &domain) {
  Operation *op = operand.getOwner();
  bool isReshape = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
  DimSets sets = getOperand(op, operand);
  if (followers.contains(op) || merge(sets).none() ||
      (!isReshape && !readsWhole(op, operand)))
    return;
  if (!approximate.contains(op) && !reindexed.contains(op) &&
      (!isReshape || (getSource(op, domain).second && !reindexes(operand)))) {
    auto [it, isNew] = reads.try_emplace(operand.get(), sets);
    if (!isNew && it->second != sets)
      readsDiffer.insert(operand.get());
    return;
  }
  // If the uses do not cut all dimensions of the level, iterations that differ
  // in another dimension read the same tile.
  bool keepsCuts = merge(sets) == dims;
  if (!isReshape) {
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
    for (auto [dim, set] : llvm::enumerate(domain))
      keepsCuts &= set.none() || map.isFunctionOfDim(dim);
  }
  if (keepsCuts)
    reindexedReads.try_emplace(operand.get(), sets);
}

/// Returns whether the tile that `use` reads may be elsewhere than the tile of
/// the loop, because its user merges or splits a dimension that is cut.
bool LevelAnalysis::reindexes(OpOperand &use) {
  Operation *user = use.getOwner();
  if (hasMaps(user))
    return false;
  if (!isReshapeOrSlice(user))
    return true;
  for (auto [dim, set] : llvm::enumerate(getOperand(user, use)))
    if (set.any() &&
        failed(mapDimsThroughReshape(user, static_cast<int64_t>(dim))))
      return true;
  return false;
}

/// Returns whether `op` computes one value for each element of one dimension,
/// such as a mask of keys. These are so few that each iteration may recompute
/// them, and none is stored.
static bool isLine(Operation *op) {
  if (!hasMaps(op) || !isParallel(op) || op->getNumResults() != 1 ||
      op->getNumRegions() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResultTypes()[0]);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  bool readsTensors = dps && llvm::any_of(dps.getDpsInputs(), [](Value input) {
                        return isa<RankedTensorType>(input.getType());
                      });
  return type && readsTensors &&
         llvm::count_if(type.getShape(),
                        [](int64_t size) { return size != 1; }) <= 1;
}

/// Decides about a producer that the loops do not index. It stays outside, with
/// three exceptions: it accumulates tiles that the loop computes, it depends on
/// such an accumulation, or it is small.
PlannedProducer LevelAnalysis::decideUncut(Operation *op,
                                           PlannedProducer producer,
                                           ArrayRef<OpOperand *> uses) {
  producer.refusal = {RefusalKind::NotIndexed, op,
                      "no loop of the level indexes it"};
  if (!mayCarry && !isAuxiliary(op) && !isLine(op))
    return producer;
  if (!mayCarry) {
    unsigned numDims = getResultMap(op, 0).getNumDims();
    producer.whole = true;
    (void)tryToFuse(producer, DimSets(numDims, SmallBitVector(dims.size())),
                    uses);
    return producer;
  }
  if (std::optional<DimSets> domain = alignReduction(op)) {
    if (!context.cutsAccumulations) {
      producer.refusal = context.whyNot;
      return producer;
    }
    producer.partial = true;
    if (!tryToFuse(producer, *domain, uses))
      return producer;
    producer.cutDim = std::distance(
        domain->begin(), llvm::find_if(*domain, [](const SmallBitVector &set) {
          return set.any();
        }));
    producer.yieldedResults = getStateResults(op);
    return producer;
  }
  // Keep it for now; `dropIndependent` removes it if it does not depend on a
  // state.
  if (isParallel(op) && op->getNumRegions() <= 1) {
    unsigned numDims = 1;
    if (isReshapeOrSlice(op))
      numDims = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
    else if (hasMaps(op))
      numDims = getResultMap(op, 0).getNumDims();
    producer.whole = true;
    (void)tryToFuse(producer, DimSets(numDims, SmallBitVector(dims.size())),
                    uses);
  }
  return producer;
}

/// Returns why no level can fuse `op`, whatever its uses are. Not set if a
/// level may fuse it.
Refusal LevelAnalysis::findObstacle(Operation *op) const {
  for (const PlannedObstacle *obstacle : context.obstacles)
    if (obstacle->op == op)
      return obstacle->refusal;
  auto refuse = [&](RefusalKind kind, StringRef text) {
    return Refusal{kind, op, text.str()};
  };
  if (!isMemoryEffectFree(op))
    return refuse(RefusalKind::NotTileable, "it cannot be tiled");
  // Upstream (22.1.8) crashes, because the op inside that computes the padding
  // would have to be cloned.
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding || pad.getRegion().isAncestor(padding.getParentRegion()))
      return refuse(RefusalKind::PaddingInBody,
                    "its padding is computed in its body");
  }
  if (hasEmptyOperand(op))
    return refuse(RefusalKind::Other, "an operand has a size of 0");
  if (hasDifferentSizes(op))
    return refuse(RefusalKind::Other,
                  "its operands say different sizes of a dimension");
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getEncoding())
      return refuse(RefusalKind::Other,
                    "tiles do not keep the encoding of a tensor");
    if (!VectorType::isValidElementType(getElementTypeOrSelf(type)))
      return refuse(RefusalKind::Other, "vectors have no elements of its type");
  }
  return {};
}

/// Adds `sets` to `domain`. If `domain` is empty, initialises it with `numDims`
/// dimensions.
static void addSets(SmallVector<SmallBitVector> &domain,
                    ArrayRef<SmallBitVector> sets, size_t numDims) {
  if (domain.empty())
    domain.assign(sets.size(), SmallBitVector(numDims));
  for (auto [set, other] : llvm::zip_equal(domain, sets))
    set |= other;
}

/// Collects the uses of `op` along which the level would fuse it.
LevelAnalysis::UsesOfLevel LevelAnalysis::collectUses(Operation *op) {
  UsesOfLevel uses;
  bool isTileable = isa<TilingInterface>(op);
  for (OpResult result : op->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (!domains.contains(user) ||
          (context.scope && !context.scope->contains(&use)))
        continue;
      uses.inScope = true;
      auto dpsUser = dyn_cast<DestinationStyleOpInterface>(user);
      if (dpsUser && dpsUser.isDpsInit(&use) && cutsReduction(user))
        continue; // what has been accumulated so far
      uses.onlyInits = false;
      DimSets operand = getOperand(user, use);
      if (merge(operand).none()) { // whole in every iteration
        uses.uncut.push_back(&use);
        continue;
      }
      if (!isTileable) {
        uses.needsTiles = true;
        return uses;
      }
      DimSets sets = getDomain(op, result.getResultNumber(), operand);
      if (followers.contains(user)) {
        addSets(uses.followed, sets, dims.size());
        uses.following.push_back(&use);
        continue;
      }
      uses.isExact &= !approximate.contains(user) &&
                      (isReshapeOrSlice(user)
                           ? getSource(user, domains.find(user)->second).second
                           : readsWhole(user, use));
      uses.agree &= uses.domain.empty() || uses.domain == sets;
      addSets(uses.domain, sets, dims.size());
      uses.cut.push_back(&use);
    }
  return uses;
}

PlannedProducer LevelAnalysis::decide(Operation *op) {
  PlannedProducer producer;
  producer.op = op;
  producer.refusal = findObstacle(op);
  if (producer.refusal.isSet())
    return producer;
  auto keep = [&](RefusalKind kind, StringRef text) {
    producer.refusal = {kind, op, text.str()};
    return producer;
  };

  // 1. Find the uses along which the level would fuse it.
  UsesOfLevel uses = collectUses(op);
  if (uses.needsTiles)
    return keep(RefusalKind::NotTileable, "it cannot be tiled");
  if (!uses.inScope)
    return keep(RefusalKind::Other, "an enclosing level computes it");
  if (uses.onlyInits)
    return keep(RefusalKind::Intended,
                "it initialises a reduction that the level cuts");
  // Reindexed siblings read the same tile as the other uses, if there are any.
  // Otherwise the cuts are known only as an upper bound.
  DimSets &domain = uses.domain;
  producer.shared = !domain.empty() && !uses.following.empty();
  if (domain.empty() && !uses.following.empty()) {
    domain = uses.followed;
    producer.follows = true;
    followers.insert(op);
    approximate.insert(op);
  }
  if (domain.empty())
    return decideUncut(op, producer, uses.uncut);
  if (!hasMaps(op) && !isParallel(op))
    return keep(RefusalKind::UnknownCut,
                "the level may cut any of its loops, and one of them reduces");
  if (hasMaps(op) && cutsReductionOf(op, domain))
    return keep(RefusalKind::NotRepairable,
                "the level cuts a reduction of it that has no state");

  // 2. Find what the loops of the level do with it.
  if (!uses.agree || !uses.isExact)
    approximate.insert(op); // several tiles of it in one iteration
  if (llvm::any_of(uses.cut, [&](OpOperand *use) {
        return reindexed.contains(use->getOwner()) || reindexes(*use);
      }))
    reindexed.insert(op);
  bool isCarried = context.carried.contains(op);
  producer.recomputed = merge(domain) != dims;
  if ((producer.recomputed || approximate.contains(op)) && isCarried)
    return keep(RefusalKind::Other,
                "its state would be updated more than once");
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  if (online)
    producer.partial = llvm::any_of(online.getOnlineDims(), [&](unsigned dim) {
      return domain[dim].any();
    });
  if (producer.partial && approximate.contains(op))
    return keep(RefusalKind::InexactCut,
                "what the loops cut of it is not known exactly");
  llvm::append_range(uses.cut, uses.following);
  producer.severalTiles = !uses.uncut.empty();
  if (!tryToFuse(producer, domain, uses.cut))
    return producer;

  // 3. Find the results that the loops yield.
  if (producer.partial || isCarried)
    producer.yieldedResults = getStateResults(op);
  else if (!producer.recomputed && hasMaps(op) && !approximate.contains(op))
    producer.yieldedResults = getNeededOutside(op);
  return producer;
}

/// An op that is whole in every iteration stays in the loops only if it depends
/// on a state. Otherwise it is computed once, outside.
void LevelAnalysis::dropIndependent() {
  llvm::DenseSet<Operation *> follows;
  for (PlannedProducer &producer : llvm::reverse(level.producers)) {
    if (!producer.fused)
      continue;
    bool depends = producer.partial || context.carried.contains(producer.op);
    for (OpOperand &operand : producer.op->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      depends |= source && follows.contains(source) && isEdge(operand);
    }
    if (depends) {
      follows.insert(producer.op);
    } else if (producer.whole && !isAuxiliary(producer.op) &&
               (mayCarry || !isLine(producer.op))) {
      producer.fused = producer.whole = false;
      domains.erase(producer.op);
      edges.erase(producer.op);
    } else {
      continue;
    }
    if (producer.fused)
      producer.refusal.clear();
  }
}

/// Records that a sibling is fused. The loops always yield its results.
void LevelAnalysis::fuseSibling(const PlannedSibling &sibling) {
  auto iterators = cast<TilingInterface>(sibling.op).getLoopIteratorTypes();
  DimSets domain(iterators.size(), SmallBitVector(dims.size()));
  PlannedProducer producer;
  producer.op = sibling.op;
  producer.fused = true;
  producer.yieldedResults = getStateResults(sibling.op);
  producer.follows = sibling.reindexed && !mayCarry;
  if (producer.follows)
    followers.insert(sibling.op);
  for (auto [dim, set] : llvm::enumerate(sibling.cutBy)) {
    domain[dim] = set;
    domain[dim] &= dims;
    if (domain[dim].none())
      continue;
    if (iterators[dim] != utils::IteratorType::reduction)
      continue;
    producer.partial = true;
    producer.cutDim = dim;
  }
  fuse(sibling.op, domain, {});
  level.producers.push_back(producer);
}

void LevelAnalysis::run() {
  // Visit the block backwards, so that all users of a producer have been
  // decided before the producer.
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  DimSets rootDomain(iterators.size(), SmallBitVector(dims.size()));
  for (unsigned dim : dims.set_bits())
    rootDomain[dim].set(dim);
  fuse(root, rootDomain, {});
  Operation *last = root;
  for (const PlannedSibling &sibling : llvm::reverse(context.siblings)) {
    fuseSibling(sibling);
    if (last->isBeforeInBlock(sibling.op))
      last = sibling.op;
  }
  for (Operation *op = last->getPrevNode(); op && !undecided.empty();
       op = op->getPrevNode())
    if (undecided.erase(op))
      level.producers.push_back(decide(op));
  dropIndependent();
}
