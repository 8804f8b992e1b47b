//===- LevelAnalysis.cpp - Analysis of one level of tiling ----------------===//
//
// Visits producers in reverse program order, so that all consumers of an op are
// decided before it. `decide` merges how the consumers cut the op, then fuses
// it or keeps it outside with a reason. At the end, `dropIndependent` moves ops
// outside whose value is the same in all iterations. See LevelAnalysis.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Fusion/Plan/FollowRoot.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

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

SmallVector<unsigned> mlir::linalg_ext::getStateResults(Operation *op) {
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    return online.getStateResults();
  return llvm::to_vector(llvm::seq<unsigned>(0, op->getNumResults()));
}

/// The map of result `number`, for ops that have maps.
static AffineMap getResultMap(Operation *op, unsigned number) {
  return cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(number));
}

/// Returns whether the iterations of `op` read every element of `operand`, each
/// in the iterations that its map says.
static bool readsWhole(Operation *op, OpOperand &operand) {
  if (!hasMaps(op))
    return false;
  AffineMap map =
      cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
  // Upstream's isProjectedPermutation(/*allowZeroInResults=*/true) wants no
  // more results than dimensions.
  SmallBitVector seen(map.getNumDims());
  return map.getNumSymbols() == 0 &&
         llvm::all_of(map.getResults(), [&](AffineExpr expr) {
           if (auto constant = dyn_cast<AffineConstantExpr>(expr))
             return constant.getValue() == 0;
           auto dim = dyn_cast<AffineDimExpr>(expr);
           if (!dim || seen.test(dim.getPosition()))
             return false;
           seen.set(dim.getPosition());
           return true;
         });
}

static bool isParallel(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  return !tileable ||
         llvm::all_of(tileable.getLoopIteratorTypes(),
                      [](utils::IteratorType type) {
                        return type == utils::IteratorType::parallel;
                      });
}

//===----------------------------------------------------------------------===//
// Dimension sets
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

/// What cutting a result as in `result` means to the domain of `op`.
LevelAnalysis::DimSets LevelAnalysis::getDomain(Operation *op,
                                                unsigned resultNumber,
                                                const DimSets &result) {
  if (isReshapeOrSlice(op))
    return result; // its loops are its result
  if (!hasMaps(op))
    return {merge(result)};
  AffineMap map = getResultMap(op, resultNumber);
  DimSets domain(map.getNumDims(), SmallBitVector(dims.size()));
  for (auto [expr, set] : llvm::zip_equal(map.getResults(), result))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        domain[dim] |= set;
  return domain;
}

/// What the level does to the source of `op`, a reshape, and whether every tile
/// of its result is one slice of the source.
std::pair<LevelAnalysis::DimSets, bool>
LevelAnalysis::getSource(Operation *op, const DimSets &result) const {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  DimSets source(type.getRank(), SmallBitVector(dims.size()));
  bool areSlices = true;
  for (unsigned loop : dims.set_bits()) {
    SmallBitVector cut(result.size());
    for (auto [dim, set] : llvm::enumerate(result))
      if (set.test(loop))
        cut.set(dim);
    if (cut.none())
      continue;
    ReshapedDims reshaped = getSourceDims(op, cut);
    areSlices &= reshaped.tiles == ReshapedTiles::Slices;
    for (auto [set, by] : llvm::zip_equal(source, reshaped.cutBy))
      if (by.any())
        set.set(loop);
  }
  return {source, areSlices};
}

/// What the level does to an operand of `op`, which is fused.
LevelAnalysis::DimSets LevelAnalysis::getOperand(Operation *op,
                                                 OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  const DimSets &domain = domains.find(op)->second;
  if (isReshapeOrSlice(op) && operand.getOperandNumber() == 0)
    return getSource(op, domain).first;
  // Without maps nothing is known but that the operand is cut somewhere.
  if (!hasMaps(op))
    return DimSets(type.getRank(), merge(domain));
  AffineMap map =
      cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
  DimSets sets(type.getRank(), SmallBitVector(dims.size()));
  for (auto [expr, set] : llvm::zip_equal(map.getResults(), sets))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        set |= domain[dim];
  return sets;
}

/// What the level does to the result of `op`, a reshape of a value to which it
/// does `source`.
std::optional<LevelAnalysis::KnownSets>
LevelAnalysis::inferThroughReshape(Operation *op, const KnownSets &source) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  KnownSets result{DimSets(type.getRank(), SmallBitVector(dims.size())),
                   source.reindexed};
  for (auto [dim, set] : llvm::enumerate(source.sets)) {
    if (set.none())
      continue;
    FailureOr<SmallVector<int64_t>> mapped =
        mapDimsThroughReshape(op, static_cast<int64_t>(dim));
    if (succeeded(mapped)) {
      result.sets[mapped->front()] |= set;
      continue;
    }
    // What is cut is merged or split.
    result.reindexed = true;
    for (int64_t resultDim : getVaryingDims(op, static_cast<int64_t>(dim)))
      if (type.getDimSize(resultDim) != 1)
        result.sets[resultDim] |= set;
  }
  if (result.reindexed && merge(source.sets) != dims)
    return std::nullopt; // tiles of other loops may be the same
  return result;
}

/// What the level does to `value`, where the values that fused ops read tell,
/// through elementwise ops and reshapes that are not fused yet.
std::optional<LevelAnalysis::KnownSets>
LevelAnalysis::inferSets(Value value, unsigned depth) {
  if (readsDiffer.contains(value))
    return std::nullopt;
  if (auto it = reads.find(value); it != reads.end())
    return KnownSets{it->second};
  if (auto it = reindexedReads.find(value); it != reindexedReads.end())
    return KnownSets{it->second, /*reindexed=*/true};
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || domains.contains(op))
    return std::nullopt;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    std::optional<KnownSets> source = inferSets(op->getOperand(0), depth - 1);
    return source ? inferThroughReshape(op, *source) : std::nullopt;
  }
  if (!hasMaps(op) || !isParallel(op))
    return std::nullopt;
  auto maps = cast<IndexingMapOpInterface>(op);
  AffineMap resultMap =
      getResultMap(op, cast<OpResult>(value).getResultNumber());
  if (!resultMap.isProjectedPermutation())
    return std::nullopt;
  SmallVector<std::pair<AffineMap, KnownSets>> known;
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    AffineMap map = maps.getMatchingIndexingMap(input);
    if (!isa<RankedTensorType>(input->get().getType()) ||
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      continue;
    if (std::optional<KnownSets> sets = inferSets(input->get(), depth - 1))
      known.push_back({map, *sets});
  }
  if (known.empty())
    return std::nullopt;
  KnownSets result;
  result.reindexed = llvm::any_of(
      known, [](const auto &operand) { return operand.second.reindexed; });
  DimSets domain(resultMap.getNumDims(), SmallBitVector(dims.size()));
  for (auto &[map, sets] : known)
    for (auto [expr, set] : llvm::zip_equal(map.getResults(), sets.sets))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        domain[dim.getPosition()] |= set;
  if (result.reindexed && !mergeOperands(known, resultMap.getNumDims()))
    return std::nullopt;
  for (AffineExpr expr : resultMap.getResults())
    result.sets.push_back(domain[cast<AffineDimExpr>(expr).getPosition()]);
  return result;
}

/// Returns the inputs of `op` for which it is known how the level cuts them:
/// the indexing map of each, and the cuts. Sets `areProjected` to whether
/// projected permutations index all inputs.
SmallVector<std::pair<AffineMap, LevelAnalysis::KnownSets>>
LevelAnalysis::getKnownOperands(Operation *op, bool &areProjected) {
  SmallVector<std::pair<AffineMap, KnownSets>> known;
  areProjected = true;
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(input);
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    areProjected &= map.isProjectedPermutation(/*allowZeroInResults=*/true);
    if (std::optional<KnownSets> sets = inferSets(input->get(), /*depth=*/8))
      known.push_back({map, *sets});
  }
  return known;
}

/// The domain that is cut as all of `operands` are; none if they do not agree.
std::optional<LevelAnalysis::DimSets>
LevelAnalysis::mergeOperands(ArrayRef<std::pair<AffineMap, KnownSets>> operands,
                             unsigned numDims) {
  DimSets domain(numDims, SmallBitVector(dims.size()));
  for (auto &[map, known] : operands)
    for (auto [expr, set] : llvm::zip_equal(map.getResults(), known.sets))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        domain[dim.getPosition()] |= set;
  for (auto &[map, known] : operands)
    for (auto [expr, set] : llvm::zip_equal(map.getResults(), known.sets))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && set != domain[dim.getPosition()])
        return std::nullopt;
  return domain;
}

/// The domain of `op`, an accumulation, if what it reads is cut by the level
/// along a dimension that it reduces, and nowhere else: it then meets every
/// tile once.
std::optional<LevelAnalysis::DimSets>
LevelAnalysis::alignReduction(Operation *op) {
  auto accumulator = dyn_cast<RepairableOpInterface>(op);
  if (!accumulator || !hasMaps(op) || !isa<TilingInterface>(op))
    return std::nullopt;
  FailureOr<Accumulation> accumulation = accumulator.getAccumulation();
  if (failed(accumulation))
    return std::nullopt;
  bool areProjected = true;
  auto known = getKnownOperands(op, areProjected);
  if (!areProjected)
    return std::nullopt;
  llvm::erase_if(known,
                 [](const auto &operand) { return operand.second.reindexed; });
  // All that is known agrees, and one dimension is cut.
  std::optional<DimSets> domain = mergeOperands(
      known, getResultMap(op, accumulation->resultNumber).getNumDims());
  if (!domain)
    return std::nullopt;
  unsigned numCut = 0;
  for (auto [dim, set] : llvm::enumerate(*domain)) {
    if (set.none())
      continue;
    ++numCut;
    if (!llvm::is_contained(accumulation->dims, dim))
      return std::nullopt;
  }
  return numCut == 1 ? domain : std::nullopt;
}

LogicalResult LevelAnalysis::alignSibling(PlannedSibling &sibling,
                                          Refusal &refusal) {
  Operation *op = sibling.op;
  bool areProjected = true;
  auto known = getKnownOperands(op, areProjected);
  Accumulation accumulation =
      *cast<RepairableOpInterface>(op).getAccumulation();
  AffineMap resultMap = getResultMap(op, accumulation.resultNumber);
  if (!areProjected ||
      !resultMap.isProjectedPermutation(/*allowZeroInResults=*/true))
    return refusal.set(RefusalKind::Other, op,
                       "not all of its operands are read along its dimensions");
  // What is reindexed counts if nothing else tells.
  auto isDisplaced = [](const auto &operand) {
    return operand.second.reindexed;
  };
  SmallBitVector told(dims.size());
  for (auto &[map, sets] : known)
    if (!sets.reindexed)
      told |= merge(sets.sets);
  if (told == dims)
    llvm::erase_if(known, isDisplaced);
  std::optional<DimSets> domain = mergeOperands(known, resultMap.getNumDims());
  if (!domain)
    return refusal.set(
        RefusalKind::Other, op,
        "the loops cut what it reads along different dimensions");
  sibling.cutBy.assign(domain->begin(), domain->end());
  sibling.reindexed = llvm::any_of(known, isDisplaced);

  auto rootIterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  auto iterators = cast<TilingInterface>(op).getLoopIteratorTypes();
  SmallBitVector seen(dims.size());
  for (auto [dim, set] : llvm::enumerate(*domain)) {
    if (set.none())
      continue;
    unsigned rootDim = set.find_first();
    // Loops over dimensions of size 1 that a reshape has left out.
    sibling.reindexed |= set.count() > 1 || set.anyCommon(seen);
    seen |= set;
    bool isReduction = llvm::is_contained(accumulation.dims, dim);
    bool isReducedByRoot =
        rootIterators[rootDim] == utils::IteratorType::reduction;
    std::string ofIt = "dimension " + std::to_string(dim);
    std::string ofRoot =
        "dimension " + std::to_string(rootDim) + " of the root";
    if (isReduction && !isReducedByRoot)
      return refusal.set(
          RefusalKind::OtherReduction, op,
          "it reduces " + ofIt + ", which the loops cut as " + ofRoot +
              ", a parallel one: each of their tiles has states of its "
              "own, and no loop adds up what they leave");
    if (!isReduction && isReducedByRoot)
      return refusal.set(
          RefusalKind::OtherReduction, op,
          "it keeps " + ofIt + ", which the loops cut as " + ofRoot +
              ", a reduction: no later tile would meet again what is to "
              "be repaired");
    if (isReduction != (iterators[dim] == utils::IteratorType::reduction))
      return refusal.set(RefusalKind::Other, op,
                         "it does not accumulate along " + ofIt);
    if (isReduction && sibling.reindexed)
      return refusal.set(RefusalKind::Other, op,
                         "a reshape lies between " + ofIt +
                             ", which it reduces, "
                             "and " +
                             ofRoot);
  }
  if (seen != dims) {
    // Look through elementwise ops and reshapes, back to fused ops.
    bool isReshaped = false;
    SmallVector<Value> worklist(op->getOperands());
    while (!worklist.empty() && !isReshaped) {
      Operation *source = worklist.pop_back_val().getDefiningOp();
      if (!source)
        continue;
      isReshaped = reindexed.contains(source) ||
                   isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(source);
      if (!domains.contains(source) && isParallel(source))
        llvm::append_range(worklist, source->getOperands());
    }
    return refusal.set(
        RefusalKind::Other, op,
        "dimension " +
            Twine((dims & SmallBitVector(seen).flip()).find_first()) +
            " of the root, which the loops cut, is not known to be one "
            "of it" +
            (isReshaped ? ": a reshape lies between what both accumulate"
                        : ""));
  }
  return success();
}

/// Returns whether a reduction dimension of `op`, which has maps, is cut that
/// it does not reduce online. (Another result may have that dimension.)
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

/// Whether `user`, an op in front of the root, may be moved behind it. Few
/// plans ask, and the answer takes a look at every op in front of the root.
bool LevelAnalysis::mayFollowRoot(Operation *user) {
  if (!mayFollow)
    mayFollow = getOpsThatMayFollow(
        root,
        llvm::map_to_vector(context.siblings,
                            [](const PlannedSibling &s) { return s.op; }));
  return mayFollow->contains(user);
}

/// Whether `op` computes its elements from scalars and from where they are:
/// what fills a tensor, a mask of positions.
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
    // Every tile of it must be computed in one iteration only.
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
          isa<tensor::DimOp>(use.getOwner()))
        continue; // sizes are told without it
      if (context.enclosing && !context.scope->contains(&use) &&
          !(enclosing && llvm::is_contained(enclosing->yieldedResults,
                                            result.getResultNumber())))
        continue;
      // The loops replace the root; an earlier user that cannot be moved after
      // it keeps the original. Users in other blocks come later.
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

/// Remembers that `op` is fused along `uses`, the level cutting its domain as
/// in `domain`.
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
      (!isReshape || (getSource(op, domain).second && !displaces(operand)))) {
    auto [it, isNew] = reads.try_emplace(operand.get(), sets);
    if (!isNew && it->second != sets)
      readsDiffer.insert(operand.get());
    return;
  }
  // Tiles that differ along what is cut, if along nothing else, differ in what
  // is read of them.
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
bool LevelAnalysis::displaces(OpOperand &use) {
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

/// Returns whether `op` computes a value for each element of one dimension,
/// such as of a mask of keys: so few that each iteration may compute them
/// again, and none need be stored.
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

/// Decides about a producer that the loops do not index: it stays outside,
/// unless it accumulates the tiles that the loop makes or follows such a state,
/// or is little.
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
  // Until it is known whether it depends on a state.
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

PlannedProducer LevelAnalysis::decide(Operation *op) {
  PlannedProducer producer;
  producer.op = op;
  auto keep = [&](RefusalKind kind, StringRef text) {
    producer.refusal = {kind, op, text.str()};
    return producer;
  };
  for (const PlannedObstacle *obstacle : context.obstacles)
    if (obstacle->op == op) {
      producer.refusal = obstacle->refusal;
      return producer;
    }
  if (!isMemoryEffectFree(op))
    return keep(RefusalKind::NotTileable, "it cannot be tiled");
  bool isTileable = isa<TilingInterface>(op);
  // Upstream (22.1.8) crashes: the padding would have to be cloned too.
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding || pad.getRegion().isAncestor(padding.getParentRegion()))
      return keep(RefusalKind::PaddingInBody,
                  "its padding is computed in its body");
  }
  if (hasEmptyOperand(op))
    return keep(RefusalKind::Other, "an operand has a size of 0");

  // 1. The uses along which it would be fused.
  DimSets domain, followed;
  SmallVector<OpOperand *> uses, uncutUses, followingUses;
  bool agree = true, onlyInits = true, inScope = false, isExact = true;
  for (OpResult result : op->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (!domains.contains(user) ||
          (context.scope && !context.scope->contains(&use)))
        continue;
      inScope = true;
      auto dpsUser = dyn_cast<DestinationStyleOpInterface>(user);
      if (dpsUser && dpsUser.isDpsInit(&use) && cutsReduction(user))
        continue; // what has been accumulated so far
      onlyInits = false;
      DimSets operand = getOperand(user, use);
      if (merge(operand).none()) { // whole in every iteration
        uncutUses.push_back(&use);
        continue;
      }
      if (!isTileable)
        return keep(RefusalKind::NotTileable, "it cannot be tiled");
      DimSets sets = getDomain(op, result.getResultNumber(), operand);
      if (followers.contains(user)) {
        if (followed.empty())
          followed.assign(sets.size(), SmallBitVector(dims.size()));
        for (auto [set, other] : llvm::zip_equal(followed, sets))
          set |= other;
        followingUses.push_back(&use);
        continue;
      }
      isExact &= !approximate.contains(user) &&
                 (isReshapeOrSlice(user)
                      ? getSource(user, domains.find(user)->second).second
                      : readsWhole(user, use));
      agree &= domain.empty() || domain == sets;
      if (domain.empty())
        domain.assign(sets.size(), SmallBitVector(dims.size()));
      for (auto [set, other] : llvm::zip_equal(domain, sets))
        set |= other;
      uses.push_back(&use);
    }
  if (!inScope)
    return keep(RefusalKind::Other, "an enclosing level computes it");
  if (onlyInits)
    return keep(RefusalKind::Intended,
                "it initialises a reduction that the level cuts");
  // Reindexed siblings take the tile that is taken without them, if there is
  // one; where they put it is an upper bound.
  producer.shared = !domain.empty() && !followingUses.empty();
  if (domain.empty() && !followingUses.empty()) {
    domain = followed;
    producer.follows = true;
    followers.insert(op);
    approximate.insert(op);
  }
  if (domain.empty())
    return decideUncut(op, producer, uncutUses);
  if (!hasMaps(op) && !isParallel(op))
    return keep(RefusalKind::UnknownCut,
                "the level may cut any of its loops, and one of them reduces");
  if (hasMaps(op) && cutsReductionOf(op, domain))
    return keep(RefusalKind::NotRepairable,
                "the level cuts a reduction of it that has no state");

  // 2. What the loops of the level mean to it.
  if (!agree || !isExact)
    approximate.insert(op); // several tiles of it in one iteration
  if (llvm::any_of(uses, [&](OpOperand *use) {
        return reindexed.contains(use->getOwner()) || displaces(*use);
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
  llvm::append_range(uses, followingUses);
  producer.severalTiles = !uncutUses.empty();
  if (!tryToFuse(producer, domain, uses))
    return producer;

  // 3. What the loops yield of it.
  if (producer.partial || isCarried)
    producer.yieldedResults = getStateResults(op);
  else if (!producer.recomputed && hasMaps(op) && !approximate.contains(op))
    producer.yieldedResults = getNeededOutside(op);
  return producer;
}

/// What is computed whole in every iteration must follow a state; everything
/// else is computed once, outside.
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

/// Remembers that a sibling is fused, whose results the loops always leave.
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
  // A producer comes before its consumers in the block, so that all of them are
  // decided when it is reached.
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
