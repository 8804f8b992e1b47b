//===- DropKeptDims.cpp - Rows without a dimension of size 1 --------------===//
//
// Importers keep a dimension of size 1 where a row was reduced ("keepdim"), so
// that the result broadcasts against the row. Expanding neighbours by it would
// give scores a dimension that they do not have. Ops read and compute rows
// without it instead.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The dimensions of a tensor that stay, and the groups that collapsing the
/// others takes.
struct KeptDims {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  SmallVector<ReassociationIndices> groups;
};
} // namespace

/// Splits the dimensions of an operand of type `type`, read by `map`: those of
/// size 1 that `map` reads at 0 go.
static std::optional<KeptDims> dropZeros(AffineMap map, RankedTensorType type) {
  KeptDims kept;
  ReassociationIndices pending;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    pending.push_back(dim);
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0 && type.getDimSize(dim) == 1)
      continue;
    kept.shape.push_back(type.getDimSize(dim));
    kept.exprs.push_back(expr);
    kept.groups.push_back(std::move(pending));
    pending.clear();
  }
  if (kept.shape.size() == map.getNumResults())
    return std::nullopt;
  if (!kept.groups.empty())
    llvm::append_range(kept.groups.back(), pending);
  return kept;
}

/// Whether a collapsed `value` is what an op computes, or may: a function
/// argument stays as it is.
static bool isComputed(Value value) {
  return value.getDefiningOp<tensor::ExpandShapeOp>() ||
         value.getDefiningOp<linalg::LinalgOp>() ||
         value.getDefiningOp<tensor::EmptyOp>();
}

namespace {
/// An operand that is read at 0 along dimensions of size 1 is read without
/// them.
struct DropDimsReadAtZero : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands(op->getOperands());
    SmallVector<std::optional<KeptDims>> dropped(operands.size());
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !isComputed(operand.get()))
        continue;
      dropped[number] = dropZeros(maps[number], type);
      if (!dropped[number])
        continue;
      maps[number] = AffineMap::get(maps[number].getNumDims(), 0,
                                    dropped[number]->exprs, op.getContext());
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "reads nothing at 0");

    Location loc = op.getLoc();
    for (auto [operand, kept] : llvm::zip_equal(operands, dropped))
      if (kept)
        operand = tensor::CollapseShapeOp::create(
            rewriter, loc,
            RankedTensorType::get(kept->shape, getElementTypeOrSelf(operand)),
            operand, kept->groups);
    unsigned numInputs = op.getNumDpsInputs();
    ValueRange inputs = ValueRange(operands).take_front(numInputs);
    ValueRange inits = ValueRange(operands).drop_front(numInputs);
    auto generic =
        linalg::GenericOp::create(rewriter, loc, inits.getTypes(), inputs,
                                  inits, maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), generic.getRegion(),
                                generic.getRegion().begin());
    generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<Value> results(generic.getResults());
    for (auto [number, result] : llvm::enumerate(results)) {
      if (!dropped[numInputs + number])
        continue;
      Value init = op.getDpsInits()[number];
      result = tensor::ExpandShapeOp::create(
          rewriter, loc, op->getResultTypes()[number], result,
          dropped[numInputs + number]->groups,
          tensor::getMixedSizes(rewriter, loc, init));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

/// Whether `expanded` to `collapsed` only drops dimensions of size 1.
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

namespace {
/// An elementwise op whose result loses dimensions of size 1 computes it
/// without them.
struct DropDimsOfElementwise
    : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    auto op = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
    if (!op || !op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumResults() != 1 || isa<linalg::FillOp>(op) ||
        !isUnitReshape(collapse))
      return rewriter.notifyMatchFailure(
          collapse, "does not drop dimensions of an elementwise result");
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!map.isPermutation())
      return rewriter.notifyMatchFailure(op, "result is no permutation");
    // In a group of dimensions that are all of size 1 one stays.
    SmallVector<unsigned> loops;
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      unsigned stays = 1;
      for (int64_t dim : group)
        if (collapse.getSrcType().getDimSize(dim) != 1)
          stays = 0;
      for (int64_t dim : group)
        if (collapse.getSrcType().getDimSize(dim) == 1) {
          if (stays > 0) {
            --stays;
            continue;
          }
          loops.push_back(map.getDimPosition(dim));
        }
    }
    if (loops.empty())
      return rewriter.notifyMatchFailure(op, "drops none");
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(*op);
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        return rewriter.notifyMatchFailure(op, "cannot be a linalg.generic");
      generic = *generalized;
      rewriter.setInsertionPoint(generic);
    }
    linalg::ControlDropUnitDims options;
    options.controlFn = [&](Operation *) { return loops; };
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, generic, options);
    if (failed(dropped))
      return rewriter.notifyMatchFailure(op, "upstream keeps the dimension");
    rewriter.replaceOp(generic, dropped->replacements);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateDropKeptDimsPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropDimsReadAtZero, DropDimsOfElementwise>(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
}
