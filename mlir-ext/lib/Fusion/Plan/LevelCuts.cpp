//===- LevelCuts.cpp - How the loops of a level cut ops -------------------===//
//
// Computes, for each dimension of a result, an operand or a domain, the set of
// loops of the level that cut it. Sets go from results to domains and from
// there to operands (getDomain, getOperand), and through reshapes (getSource).
// For ops beside the root, they also go to domains from operands that fused ops
// read, too (inferSets, alignReduction, alignSibling).
//
//===----------------------------------------------------------------------===//

#include "LevelOps.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

/// Returns the cuts of the domain of `op`, given the cuts `result` of one of
/// its results.
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

/// Returns the cuts of the source of `op`, a reshape, and whether every tile of
/// its result is one slice of the source.
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

/// Returns the cuts of an operand of `op`, which is fused.
LevelAnalysis::DimSets LevelAnalysis::getOperand(Operation *op,
                                                 OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  const DimSets &domain = domains.find(op)->second;
  if (isReshapeOrSlice(op) && operand.getOperandNumber() == 0)
    return getSource(op, domain).first;
  // Without indexing maps, each dimension of the operand may be cut by any loop
  // that cuts the op.
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

/// Returns the cuts of the result of `op`, a reshape, given the cuts `source`
/// of its source.
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
    // A dimension that is cut is merged or split.
    result.reindexed = true;
    for (int64_t resultDim : getVaryingDims(op, static_cast<int64_t>(dim)))
      if (type.getDimSize(resultDim) != 1)
        result.sets[resultDim] |= set;
  }
  if (result.reindexed && merge(source.sets) != dims)
    return std::nullopt; // tiles of other loops may be the same
  return result;
}

/// Returns the cuts of `value`, as far as they follow from the values that
/// fused ops read. Looks through elementwise ops and reshapes that have not
/// been fused.
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

/// Returns the domain whose cuts agree with those of all `operands`. Returns
/// std::nullopt if they do not agree.
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

/// Returns the cuts of the domain of `op`, an accumulation, if the level cuts
/// what it reads along one dimension that `op` reduces, and nowhere else. `op`
/// then reads each tile once.
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
  // All operands with known cuts must agree, and exactly one dimension must be
  // cut.
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
  // Use reindexed operands only if no other operand determines the cuts.
  auto isReindexed = [](const auto &operand) {
    return operand.second.reindexed;
  };
  SmallBitVector told(dims.size());
  for (auto &[map, sets] : known)
    if (!sets.reindexed)
      told |= merge(sets.sets);
  if (told == dims)
    llvm::erase_if(known, isReindexed);
  std::optional<DimSets> domain = mergeOperands(known, resultMap.getNumDims());
  if (!domain)
    return refusal.set(
        RefusalKind::Other, op,
        "the loops cut what it reads along different dimensions");
  sibling.cutBy.assign(domain->begin(), domain->end());
  sibling.reindexed = llvm::any_of(known, isReindexed);

  auto rootIterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  auto iterators = cast<TilingInterface>(op).getLoopIteratorTypes();
  SmallBitVector seen(dims.size());
  for (auto [dim, set] : llvm::enumerate(*domain)) {
    if (set.none())
      continue;
    unsigned rootDim = set.find_first();
    // Several loops cut one dimension. This also happens for loops over
    // dimensions of size 1 that a reshape has removed.
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
    llvm::SmallPtrSet<Operation *, 16> visited;
    while (!worklist.empty() && !isReshaped) {
      Operation *source = worklist.pop_back_val().getDefiningOp();
      if (!source || !visited.insert(source).second)
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
