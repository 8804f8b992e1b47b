//===- DropKeptDims.cpp - Reductions without kept dimensions --------------===//
//
// Importers keep a dimension of size 1 for a reduced dimension ("keepdim"), so
// that the result broadcasts against the row. If neighbouring ops were expanded
// by this dimension, the scores would get an additional dimension. Instead,
// this pattern drops the dimension:
//
//   1. Find the loops that remain.
//   2. Drop the dimensions from operands that other ops compute.
//   3. Rebuild the op.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the dimensions of size 1 of an operand of type `type` that `map`
/// reads at 0.
static llvm::SmallBitVector getDimsReadAtZero(AffineMap map,
                                              RankedTensorType type) {
  llvm::SmallBitVector dims(type.getRank());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0 && type.getDimSize(dim) == 1)
      dims.set(dim);
  }
  return dims;
}

/// Returns `values` without the entries marked in `dropped`.
template <typename T>
static SmallVector<T> drop(ArrayRef<T> values,
                           const llvm::SmallBitVector &dropped) {
  SmallVector<T> rest;
  for (auto [i, value] : llvm::enumerate(values))
    if (!dropped[i])
      rest.push_back(value);
  return rest;
}

/// Returns the reassociation that collapses the dimensions `dropped`.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    pending.push_back(dim);
    if (dropped[dim])
      continue;
    groups.push_back(std::move(pending));
    pending.clear();
  }
  if (!groups.empty())
    llvm::append_range(groups.back(), pending);
  return groups;
}

/// Returns whether an op computes `value`. Other values, such as function
/// arguments, keep their dimensions.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<tensor::ExpandShapeOp, tensor::EmptyOp>(op) ||
                isa<tensor::CollapseShapeOp, DestinationStyleOpInterface>(op));
}

/// Values that were built without some of their dimensions. What is read twice
/// is built once.
using BuiltValues =
    llvm::DenseMap<std::pair<Value, llvm::SmallBitVector>, Value>;

static Value buildWithoutDims(RewriterBase &rewriter, Value value,
                              const llvm::SmallBitVector &dropped,
                              BuiltValues &builtValues);

/// Whether loops of `op` can be dropped: it is elementwise, with one result.
static bool canDropLoops(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 || op->getNumRegions() != 1)
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getMatchingIndexingMap(init).isPermutation() &&
         !op.payloadUsesValueFromOperand(init);
}

/// Builds the elementwise op `op` without the loops along the dimensions
/// `dropped` of its result, which have size 1. Returns null if `op` is not of
/// this kind.
static Value buildElementwiseWithoutDims(RewriterBase &rewriter,
                                         linalg::LinalgOp op,
                                         const llvm::SmallBitVector &dropped,
                                         BuiltValues &builtValues) {
  if (!canDropLoops(op))
    return Value();
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap output = op.getMatchingIndexingMap(init);
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();

  // 1. Find the loops that remain.
  llvm::SmallBitVector droppedLoops(op.getNumLoops());
  for (unsigned dim : dropped.set_bits())
    droppedLoops.set(output.getDimPosition(dim));
  unsigned numLoops = 0;
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(droppedLoops[loop] ? getAffineConstantExpr(0, context)
                                       : getAffineDimExpr(numLoops++, context));

  // 2. Drop the dimensions of operands that ops compute, and those of packed
  // weights: reshapes do not move across an op that reads a dimension at 0, so
  // what is unpacked would be stored.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
        loops, {}, numLoops, 0);
    Value value = operand->get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && (isComputed(value) || isUnpackedFrom(op, *operand))) {
      llvm::SmallBitVector zeros = getDimsReadAtZero(map, type);
      if (zeros.any()) {
        value = buildWithoutDims(rewriter, value, zeros, builtValues);
        map =
            AffineMap::get(numLoops, 0, drop(map.getResults(), zeros), context);
      }
    }
    inputs.push_back(value);
    maps.push_back(map);
  }

  // 3. Build the op.
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, init->get());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, drop<OpFoldResult>(sizes, dropped),
                              getElementTypeOrSelf(init->get()));
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : drop(output.getResults(), dropped))
    results.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
  maps.push_back(AffineMap::get(numLoops, 0, results, context));
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(rewriter, loc, empty.getType(),
                                           inputs, empty, maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto index : llvm::make_early_inc_range(
           generic.getBody()->getOps<linalg::IndexOp>())) {
    rewriter.setInsertionPoint(index);
    if (auto loop = dyn_cast<AffineDimExpr>(loops[index.getDim()]))
      rewriter.replaceOpWithNewOp<linalg::IndexOp>(index, loop.getPosition());
    else
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(index, 0);
  }
  return generic.getResult(0);
}

/// Builds the result of `expand` without the dimensions `dropped`, if its
/// source has them as well: bytes that are a column of a matrix. Returns null
/// if not.
static Value buildExpansionWithoutDims(RewriterBase &rewriter,
                                       tensor::ExpandShapeOp expand,
                                       const llvm::SmallBitVector &dropped) {
  llvm::SmallBitVector ofSource(expand.getSrcType().getRank());
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    bool isDropped =
        llvm::any_of(group, [&](int64_t inner) { return dropped[inner]; });
    if (isDropped && group.size() > 1)
      return Value();
    ofSource[dim] = isDropped;
    if (isDropped)
      continue;
    ReassociationIndices &kept = groups.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      kept.push_back(next++);
  }
  if (groups.empty())
    return Value();
  RankedTensorType from = expand.getSrcType(), to = expand.getResultType();
  SmallVector<OpFoldResult> sizes =
      getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(),
                     rewriter.getContext());
  Value source = tensor::CollapseShapeOp::create(
      rewriter, expand.getLoc(),
      RankedTensorType::get(drop(from.getShape(), ofSource),
                            from.getElementType()),
      expand.getSrc(), getGroups(ofSource));
  return tensor::ExpandShapeOp::create(
      rewriter, expand.getLoc(),
      RankedTensorType::get(drop(to.getShape(), dropped), to.getElementType()),
      source, groups, drop<OpFoldResult>(sizes, dropped));
}

/// Builds `value` without the dimensions `dropped`, which have size 1.
static Value buildWithoutDims(RewriterBase &rewriter, Value value,
                              const llvm::SmallBitVector &dropped,
                              BuiltValues &builtValues) {
  if (Value built = builtValues.lookup({value, dropped}))
    return built;
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *op = value.getDefiningOp();
  if (op)
    rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(value.getType());
  if (isa_and_nonnull<linalg::LinalgOp>(op))
    if (Value built = buildElementwiseWithoutDims(
            rewriter, cast<linalg::LinalgOp>(op), dropped, builtValues))
      return builtValues[{value, dropped}] = built;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    if (Value built = buildExpansionWithoutDims(rewriter, expand, dropped))
      return builtValues[{value, dropped}] = built;
  // This reshape folds with an expansion that added exactly these dimensions.
  if (op)
    rewriter.setInsertionPointAfter(op);
  return builtValues[{value, dropped}] = tensor::CollapseShapeOp::create(
             rewriter, value.getLoc(),
             RankedTensorType::get(drop(type.getShape(), dropped),
                                   type.getElementType()),
             value, getGroups(dropped));
}

namespace {
/// If an op reads an operand at index 0 along dimensions of size 1, drops these
/// dimensions from the operand and from the op that computes it.
struct DropDimsReadAtZero : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands(op->getOperands());
    SmallVector<llvm::SmallBitVector> dropped(operands.size());
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      // The indexing maps of a contraction must be projections.
      bool isFactor = op.getNumReductionLoops() > 0 &&
                      op.getNumDpsInputs() > 1 && op.isDpsInput(&operand);
      if (!type || (!isFactor && !isComputed(operand.get())))
        continue;
      dropped[number] = getDimsReadAtZero(maps[number], type);
      if (dropped[number].none())
        continue;
      maps[number] = AffineMap::get(
          maps[number].getNumDims(), 0,
          drop(maps[number].getResults(), dropped[number]), op.getContext());
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "reads nothing at 0");
    BuiltValues builtValues;
    for (auto [operand, dims] : llvm::zip_equal(operands, dropped))
      if (dims.any())
        operand = buildWithoutDims(rewriter, operand, dims, builtValues);

    unsigned numInputs = op.getNumDpsInputs();
    ValueRange inputs = ValueRange(operands).take_front(numInputs);
    ValueRange inits = ValueRange(operands).drop_front(numInputs);
    auto generic = linalg::GenericOp::create(rewriter, op.getLoc(),
                                             inits.getTypes(), inputs, inits,
                                             maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), generic.getRegion(),
                                generic.getRegion().begin());
    generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<Value> results(generic.getResults());
    for (auto [number, result] : llvm::enumerate(results)) {
      const llvm::SmallBitVector &dims = dropped[numInputs + number];
      if (!dims.any())
        continue;
      Value init = op.getDpsInits()[number];
      result = tensor::ExpandShapeOp::create(
          rewriter, op.getLoc(), op->getResultTypes()[number], result,
          getGroups(dims), tensor::getMixedSizes(rewriter, op.getLoc(), init));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

/// Returns the loops of size 1 along which `op` reads a dimension that an
/// expansion made. Batches of a contraction are excluded: every operand has
/// such a dimension, for example the one head of keys that all heads of queries
/// share.
static llvm::SmallBitVector getExpandedLoops(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  llvm::SmallBitVector loops(op.getNumLoops());
  auto isBatch = [&](unsigned loop) {
    return op.getNumDpsInputs() > 1 &&
           llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
             return map.isFunctionOfDim(loop);
           });
  };
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !isUnitReshape(expand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      // In each group, one dimension existed before the expansion.
      const auto *kept = llvm::find_if(group, [&](int64_t dim) {
        return expand.getResultType().getDimSize(dim) != 1;
      });
      if (kept == group.end())
        kept = group.begin();
      for (int64_t dim : group)
        if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
            loop && dim != *kept && sizes[loop.getPosition()] == 1 &&
            !isBatch(loop.getPosition()))
          loops.set(loop.getPosition());
    }
  }
  return loops;
}

namespace {
/// Drops loops of size 1 from a reduction whose operand was expanded by these
/// dimensions. Upstream's elementwise fusion makes such reductions, when it
/// moves a reshape of the result before the reduction. Other operands are then
/// read at 0.
struct DropExpandedLoops : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(op, "is not a reduction on tensors");
    llvm::SmallBitVector dropped = getExpandedLoops(op);
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "reads no expanded dimension");
    SmallVector<utils::IteratorType> kept =
        drop<utils::IteratorType>(iterators, dropped);
    if (!llvm::is_contained(kept, utils::IteratorType::reduction))
      return rewriter.notifyMatchFailure(op, "would reduce nothing");
    MLIRContext *context = op.getContext();
    unsigned numLoops = 0;
    SmallVector<AffineExpr> loops;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      loops.push_back(dropped[loop] ? getAffineConstantExpr(0, context)
                                    : getAffineDimExpr(numLoops++, context));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (AffineMap &map : maps)
      map = map.replaceDimsAndSymbols(loops, {}, numLoops, 0);
    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), op.getDpsInputs(),
        op.getDpsInits(), maps, kept);
    rewriter.inlineRegionBefore(op.getRegion(), generic.getRegion(),
                                generic.getRegion().begin());
    generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto index : llvm::make_early_inc_range(
             generic.getBody()->getOps<linalg::IndexOp>())) {
      rewriter.setInsertionPoint(index);
      if (auto loop = dyn_cast<AffineDimExpr>(loops[index.getDim()]))
        rewriter.replaceOpWithNewOp<linalg::IndexOp>(index, loop.getPosition());
      else
        rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(index, 0);
    }
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }
};
} // namespace

bool mlir::linalg_ext::isReducedRow(Value value) {
  llvm::SetVector<Operation *> reached;
  auto reach = [&](Value value) {
    if (auto op = value.getDefiningOp<linalg::LinalgOp>();
        op && op.hasPureTensorSemantics())
      reached.insert(op);
  };
  reach(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto op = cast<linalg::LinalgOp>(reached[i]);
    if (op.getNumReductionLoops() > 0) {
      if (!linalg::isaContractionOpInterface(op))
        return true;
      continue;
    }
    for (OpOperand *input : op.getDpsInputOperands())
      if (op.getMatchingIndexingMap(input).getNumResults() == op.getNumLoops())
        reach(input->get());
  }
  return false;
}

/// Returns whether a contraction from which elementwise ops compute the result
/// of `op` reads merged dimensions, such as heads. They will be its own, and so
/// will a dimension of size 1 that is merged with them.
static bool readsMergedDims(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (unsigned i = 0; i < ops.size(); ++i) {
    auto reached = cast<linalg::LinalgOp>(ops[i]);
    bool isContraction = linalg::isaContractionOpInterface(reached);
    for (Value input : reached.getDpsInputs()) {
      while (auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>()) {
        if (isContraction && !isUnitReshape(collapse))
          return true;
        input = collapse.getSrc();
      }
      if (auto source = input.getDefiningOp<linalg::LinalgOp>();
          source && !isContraction && reached.isAllParallelLoops())
        ops.insert(source);
    }
  }
  return false;
}

/// Returns whether an elementwise op without the dimensions that `expand` adds
/// is one of those that FoldReshapes leaves next to a contraction.
static bool isOfContraction(tensor::ExpandShapeOp expand) {
  constexpr unsigned kMostOps = 7; // FoldReshapes counts one more.
  auto op = expand.getSrc().getDefiningOp<linalg::LinalgOp>();
  return op && op.hasPureTensorSemantics() &&
         isOfUnsplitContraction(op, expand.getReassociationIndices(),
                                kMostOps) &&
         !readsMergedDims(op);
}

/// Returns whether elementwise ops compute an operand of `op` from what another
/// op, such as a product of a batch of one, computes with dimensions of size 1.
/// FoldReshapes would give `op` these dimensions again.
static bool readsOtherUnitDims(linalg::LinalgOp op) {
  // Enough for what lies between products.
  constexpr size_t kMostOps = 64;
  llvm::SetVector<Operation *> elementwise;
  elementwise.insert(op);
  for (size_t i = 0; i < elementwise.size(); ++i) {
    for (Value input : cast<linalg::LinalgOp>(elementwise[i]).getDpsInputs()) {
      while (auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>())
        input = collapse.getSrc();
      auto source = input.getDefiningOp<DestinationStyleOpInterface>();
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (!source || isa<linalg::FillOp>(source) || !type ||
          !llvm::is_contained(type.getShape(), 1))
        continue;
      auto producer = dyn_cast<linalg::LinalgOp>(source.getOperation());
      if (!producer || !producer.isAllParallelLoops() ||
          elementwise.size() == kMostOps)
        return true;
      elementwise.insert(producer);
    }
  }
  return false;
}

namespace {
/// Computes elementwise functions of reduced rows (a logarithm of a sum, for
/// example) before an expansion adds the reduced dimension with size 1, and
/// those of a product before one adds a batch of one. The op is then next to
/// the reduction, or the product.
struct DropExpandedRowDims : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto type = cast<RankedTensorType>(op->getResultTypes().front());
    llvm::SmallBitVector dropped(type.getRank());
    // Reshapes of the result merge the dimension as those of the operand do.
    SmallVector<ReassociationIndices> groups;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!expand || !isUnitReshape(expand) ||
          !(isReducedRow(expand.getSrc()) ||
            (map == output && isOfContraction(expand) &&
             !readsOtherUnitDims(op))))
        continue;
      if (map == output && map.isIdentity())
        groups = expand.getReassociationIndices();
      for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
        const auto *kept = llvm::find_if(group, [&](int64_t dim) {
          return expand.getResultType().getDimSize(dim) != 1;
        });
        if (kept == group.end())
          kept = group.begin();
        for (int64_t dim : group)
          if (std::optional<unsigned> place =
                  output.getResultPosition(map.getResult(dim));
              place && dim != *kept && type.getDimSize(*place) == 1)
            dropped.set(*place);
      }
    }
    if (dropped.none() || dropped.all())
      return rewriter.notifyMatchFailure(op, "reads no expanded row");
    BuiltValues builtValues;
    Value built =
        buildElementwiseWithoutDims(rewriter, op, dropped, builtValues);
    if (!built)
      return rewriter.notifyMatchFailure(op, "has a map or an init in the way");
    if (static_cast<int64_t>(groups.size()) !=
        cast<RankedTensorType>(built.getType()).getRank())
      groups = getGroups(dropped);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, type, built, groups,
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getDpsInits().front()));
    return success();
  }
};
} // namespace

namespace {
/// If an elementwise op reads reduced rows, or the result of an elementwise op,
/// without a dimension of size 1 (a batch of one, for example), and has a loop
/// of size 1 at this place, lets it read them with that dimension. Otherwise a
/// reshape would separate the rows from their elements, and FoldReshapes would
/// give the op one more such loop, again and again if it reads that result with
/// the dimension as well.
struct ReadRowsByUnitLoops : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse || !isUnitReshape(collapse))
        continue;
      auto source = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
      bool isElementwise = source && source.isAllParallelLoops() &&
                           source.hasPureTensorSemantics() &&
                           !isa<linalg::FillOp>(source);
      if (!isElementwise && !isReducedRow(collapse.getSrc()))
        continue;
      FailureOr<AffineMap> map = getMapWithUnitLoops(op, operand, collapse);
      if (failed(map))
        continue;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand->getOperandNumber()] = *map;
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(collapse.getSrc());
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no rows without unit loops");
  }

private:
  /// Returns the map of `op` to the source of `collapse`, which computes
  /// `operand`. Each dimension that `collapse` drops is read by an unused loop
  /// of size 1, in order between the loops of the neighbouring dimensions.
  /// Fails if there is no such loop.
  static FailureOr<AffineMap>
  getMapWithUnitLoops(linalg::GenericOp op, OpOperand *operand,
                      tensor::CollapseShapeOp collapse) {
    SmallVector<int64_t> loopSizes = op.getStaticLoopRanges();
    AffineMap map = op.getMatchingIndexingMap(operand);
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<int64_t> positions;
    for (AffineExpr expr : map.getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        return failure();
      positions.push_back(loop.getPosition());
    }
    positions.push_back(op.getNumLoops());
    SmallVector<AffineExpr> exprs;
    int64_t next = 0;
    // Reads `count` dimensions by unused loops of size 1 in front of `end`.
    auto readByUnitLoops = [&](size_t count, int64_t end) {
      for (; count > 0 && next < end; ++next)
        if (loopSizes[next] == 1 && !map.isFunctionOfDim(next)) {
          exprs.push_back(getAffineDimExpr(next, op.getContext()));
          --count;
        }
      return count;
    };
    if (map.getNumResults() == 0 && readByUnitLoops(shape.size(), positions[0]))
      return failure();
    for (auto [index, dims] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      const ReassociationIndices &group = dims;
      const auto *kept =
          llvm::find_if(group, [&](int64_t dim) { return shape[dim] != 1; });
      // Where all dimensions have size 1, any may be the kept one: as many as
      // possible are in front of it.
      size_t front = kept == group.end() ? group.size() - 1
                                         : std::distance(group.begin(), kept);
      size_t missing = readByUnitLoops(front, positions[index]);
      if (missing > 0 && kept != group.end())
        return failure();
      exprs.push_back(map.getResult(index));
      next = positions[index] + 1;
      size_t behind = group.size() - 1 - (front - missing);
      if (readByUnitLoops(behind, positions[index + 1]) > 0)
        return failure();
    }
    return AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
  }
};
} // namespace

/// Returns whether all users of `value` sum along its dimension `dim`, maybe of
/// what elementwise ops compute from it, at most `depth` ops one after another.
static bool isSummedAlong(Value value, int64_t dim, unsigned depth = 4) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [&](OpOperand &use) {
           auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
           if (!op || !op.isDpsInput(&use) || op->getNumResults() != 1)
             return false;
           auto loop = dyn_cast<AffineDimExpr>(
               op.getMatchingIndexingMap(&use).getResult(dim));
           if (!loop)
             return false;
           if (op.getNumReductionLoops() > 0)
             return linalg::isReductionIterator(
                 op.getIteratorTypesArray()[loop.getPosition()]);
           std::optional<unsigned> next =
               op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                   .getResultPosition(loop);
           return next && depth > 0 &&
                  isSummedAlong(op->getResult(0), *next, depth - 1);
         });
}

/// Lets `op` read `operand` through reshapes without its dimensions that loops
/// along the dimensions `dropped` of the result read, and back. What drops
/// these loops then reads the first reshape.
static void expandCollapsed(RewriterBase &rewriter, linalg::LinalgOp op,
                            OpOperand &operand,
                            const llvm::SmallBitVector &dropped) {
  AffineMap map = op.getMatchingIndexingMap(&operand),
            output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = cast<RankedTensorType>(operand.get().getType());
  llvm::SmallBitVector ofOperand(type.getRank());
  for (unsigned dim : dropped.set_bits())
    ofOperand.set(*map.getResultPosition(output.getResult(dim)));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<ReassociationIndices> groups = getGroups(ofOperand);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, operand.get());
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, loc,
      RankedTensorType::get(drop(type.getShape(), ofOperand),
                            type.getElementType()),
      operand.get(), groups);
  Value expanded = tensor::ExpandShapeOp::create(rewriter, loc, type, collapsed,
                                                 groups, sizes);
  rewriter.modifyOpInPlace(op, [&] { operand.set(expanded); });
}

namespace {
/// Computes weights that are stored narrower without the dimensions of size 1
/// that a reshape merges with a dimension that is summed: one group for a whole
/// column, or bytes in a column of a matrix. The reshape would stay between the
/// weights and their product, or the vectors of the product would have one
/// lane.
struct DropDimsOfWeights : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = collapse.getSrcType();
    llvm::SmallBitVector dropped(type.getRank());
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      if (group.size() == 1 || !isSummedAlong(collapse.getResult(), dim))
        continue;
      for (int64_t inner : group)
        if (type.getDimSize(inner) == 1)
          dropped.set(inner);
      // One dimension stays of each group.
      if (llvm::all_of(group, [&](int64_t inner) { return dropped[inner]; }))
        dropped.reset(group.front());
    }
    auto op = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
    SmallVector<linalg::LinalgOp> steps = getDequantization(collapse.getSrc());
    if (dropped.none() || !op || steps.empty())
      return rewriter.notifyMatchFailure(
          collapse, "merges no dimension of size 1 of narrow weights");
    // To upstream, an op is not elementwise if an operand has more dimensions
    // than it has loops. The weights themselves lose those dimensions.
    SmallVector<std::pair<linalg::LinalgOp, OpOperand *>> whole;
    for (linalg::LinalgOp step : steps)
      for (OpOperand *operand : step.getDpsInputOperands()) {
        AffineMap map = step.getMatchingIndexingMap(operand);
        if (isComputed(operand->get()) ||
            map.getNumResults() + dropped.count() <= step.getNumLoops())
          continue;
        if (step != op || !map.isPermutation() ||
            !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
          return rewriter.notifyMatchFailure(
              collapse, "reads an operand with as many dimensions");
        whole.push_back({step, operand});
      }
    if (!canDropLoops(op))
      return rewriter.notifyMatchFailure(op, "has a map or an init in the way");
    for (auto [step, operand] : whole)
      expandCollapsed(rewriter, step, *operand, dropped);
    rewriter.setInsertionPoint(op);
    BuiltValues builtValues;
    Value built =
        buildElementwiseWithoutDims(rewriter, op, dropped, builtValues);
    rewriter.setInsertionPoint(collapse);
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
      ReassociationIndices &kept = groups.emplace_back();
      for (int64_t inner : group)
        if (!dropped[inner])
          kept.push_back(next++);
    }
    if (next == static_cast<int64_t>(groups.size()))
      rewriter.replaceOp(collapse, built);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          collapse, collapse.getResultType(), built, groups);
    return success();
  }
};
} // namespace

/// Returns whether a reshape with `groups` from `expanded` only drops
/// dimensions of size 1.
static bool dropsOnlyUnits(RankedTensorType expanded,
                           ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return expanded.getDimSize(dim) != 1;
           }) <= 1;
  });
}

bool mlir::linalg_ext::isUnitReshape(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return dropsOnlyUnits(expand.getResultType(),
                          expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return dropsOnlyUnits(collapse.getSrcType(),
                          collapse.getReassociationIndices());
  return false;
}

void mlir::linalg_ext::populateReadByUnitLoopsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReadRowsByUnitLoops>(patterns.getContext(), /*benefit=*/2);
}

void mlir::linalg_ext::populateDropKeptDimsPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropDimsReadAtZero, DropExpandedLoops, DropExpandedRowDims,
               DropDimsOfWeights>(context);
  populateReadByUnitLoopsPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  linalg_ext::populateFoldTensorEmptyPatterns(patterns);
}
