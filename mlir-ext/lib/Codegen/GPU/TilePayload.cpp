//===- TilePayload.cpp - Vector form of a structured op -------------------===//
//
// Decides whether the payload of a structured op can be evaluated on vectors,
// and what shape these have. PayloadBuilder.cpp builds them.
//
//===----------------------------------------------------------------------===//

#include "TilePayload.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
mlir::linalg_ext::getOperandBounds(linalg::LinalgOp op, OpOperand &operand,
                                   const TilePayloadPlan &plan) {
  SmallVector<int64_t> bounds;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bounds.push_back(dim ? plan.shape.bounds[dim.getPosition()] : 1);
  }
  return bounds;
}

/// Returns whether `slice`, such as one matrix of several, is contiguous in the
/// memory of its source.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride())
    return false;
  bool isWhole = true;
  for (auto [size, ofSource] : llvm::reverse(llvm::zip_equal(
           slice.getStaticSizes(), slice.getSourceType().getShape()))) {
    // In front of a part of a dimension, one element is contiguous.
    if (!isWhole && size != 1)
      return false;
    isWhole &= size == ofSource && ShapedType::isStatic(size);
  }
  return true;
}

/// Returns an op of `payload` that cannot be evaluated on vectors. Null if all
/// ops can be.
static Operation *findScalarOp(Region &payload, Block &block);

/// Returns whether `op`, in the payload of a structured op, can be evaluated on
/// vectors.
static bool isVectorizable(Operation *op, Region &payload) {
  if (isa<linalg::YieldOp, scf::YieldOp, linalg::IndexOp, affine::AffineApplyOp,
          arith::ConstantOp>(op) ||
      isElementwisePayload(op))
    return true;
  // Both branches are evaluated. Their reads are masked.
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branch.getNumResults() > 0 &&
           llvm::all_of(branch->getRegions(), [&](Region &region) {
             return !findScalarOp(payload, region.front()) &&
                    llvm::all_of(region.front().without_terminator(),
                                 [](Operation &nested) {
                                   return isa<scf::IfOp, tensor::ExtractOp>(
                                              nested) ||
                                          isSpeculatable(&nested);
                                 });
           });
  // A table in memory. One index cannot gather from a view with strides, so a
  // reshape must be of contiguous memory.
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract || payload.isAncestor(extract.getTensor().getParentRegion()))
    return false;
  Value table = extract.getTensor();
  bool isReshaped = false;
  while (Operation *def = table.getDefiningOp()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(def);
    bool isReshape = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def);
    if (slice && (isReshaped ? !isContiguous(slice) : !slice.hasUnitStride()))
      return false;
    if (!slice && !isReshape && !isa<tensor::CastOp>(def))
      break;
    isReshaped |= isReshape;
    table = def->getOperand(0);
  }
  return isa<RankedTensorType>(table.getType());
}

static Operation *findScalarOp(Region &payload, Block &block) {
  for (Operation &op : block)
    if (!isVectorizable(&op, payload))
      return &op;
  return nullptr;
}

/// Returns whether the results of `map` are different dimensions or, with
/// `allowZeros`, 0. (AffineMap::isProjectedPermutation also requires that there
/// are no more results than dimensions.)
static bool picksDims(AffineMap map, bool allowZeros) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (allowZeros && expr == getAffineConstantExpr(0, map.getContext()))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// Computes the extent of the iteration domain from the extents of the
/// operands.
static LogicalResult computeDomain(linalg::LinalgOp op,
                                   ArrayRef<TileShape> shapes,
                                   TileShape &domain, Refusal &refusal) {
  unsigned numLoops = op.getNumLoops();
  domain.bounds.assign(numLoops, ShapedType::kDynamic);
  domain.sizes.assign(numLoops, OpFoldResult());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!picksDims(map, /*allowZeros=*/!op.isDpsInit(&operand)))
      return refusal.set(RefusalKind::Other, op,
                         "an indexing map is no projected permutation");
    const TileShape &shape = shapes[operand.getOperandNumber()];
    for (auto [number, expr] : llvm::enumerate(map.getResults())) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      if (!dimExpr) {
        if (shape.bounds[number] == 1)
          continue;
        return refusal.set(RefusalKind::Other, op,
                           "an indexing map picks an element of a dimension");
      }
      unsigned dim = dimExpr.getPosition();
      int64_t &bound = domain.bounds[dim];
      if (ShapedType::isDynamic(bound) || shape.bounds[number] < bound)
        bound = shape.bounds[number];
      OpFoldResult &size = domain.sizes[dim];
      if (!size || (!getConstantIntValue(size) &&
                    getConstantIntValue(shape.sizes[number])))
        size = shape.sizes[number];
    }
  }
  if (llvm::is_contained(domain.bounds, ShapedType::kDynamic))
    return refusal.set(RefusalKind::Other, op,
                       "an iteration dimension belongs to no operand");
  return success();
}

/// Returns the combiner that finds the extreme of a selection by `condition`.
static vector::CombiningKind getKind(const ExtremeCondition &condition,
                                     bool isFloat) {
  using Kind = vector::CombiningKind;
  bool isMax = condition.isMax;
  if (isFloat && condition.nans != NaNTerms::None)
    return isMax ? Kind::MAXIMUMF : Kind::MINIMUMF;
  if (isFloat) // a NaN is not better
    return isMax ? Kind::MAXNUMF : Kind::MINNUMF;
  if (condition.isUnsigned)
    return isMax ? Kind::MAXUI : Kind::MINUI;
  return isMax ? Kind::MAXSI : Kind::MINSI;
}

/// Matches how `op` chooses among terms. Returns std::nullopt if it has another
/// form. `bounds` are those of its loops.
static std::optional<TileChoice> matchChoice(linalg::LinalgOp op,
                                             ArrayRef<int64_t> bounds) {
  auto repairable = dyn_cast<RepairableOpInterface>(op.getOperation());
  if (!repairable || op.getNumDpsInits() < 2)
    return std::nullopt;
  FailureOr<Accumulation> accumulation = repairable.getAccumulation();
  if (failed(accumulation) || accumulation->carried.empty())
    return std::nullopt;
  TileChoice choice;
  choice.output = accumulation->resultNumber;
  choice.neutral = accumulation->neutral;
  for (int64_t dim : accumulation->dims)
    if (bounds[dim] != 1)
      choice.dims.push_back(dim);
  llvm::sort(choice.dims);
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  Value acc = op.getRegionOutputArgs()[choice.output];
  std::optional<ExtremeCondition> condition;
  for (auto [number, value] : llvm::enumerate(yielded)) {
    choice.chosen.push_back({});
    if (number == choice.output)
      continue;
    BlockArgument carried = op.getRegionOutputArgs()[number];
    if (auto either = value.getDefiningOp<arith::OrIOp>()) {
      choice.stop = number;
      choice.stopTerm =
          either.getLhs() == carried ? either.getRhs() : either.getLhs();
      continue;
    }
    auto select = value.getDefiningOp<arith::SelectOp>();
    std::optional<ExtremeCondition> found =
        select ? matchExtremeCondition(select.getCondition(), acc)
               : std::nullopt;
    if (!found)
      return std::nullopt;
    condition = std::move(found);
    choice.chosen.back() = select.getTrueValue();
    choice.term = condition->term;
    choice.nans = condition->nans;
  }
  Operation *extreme = yielded[choice.output].getDefiningOp();
  if (isa_and_nonnull<arith::SelectOp>(extreme))
    choice.kind = getKind(*condition, isa<FloatType>(acc.getType()));
  else if (std::optional<vector::CombiningKind> kind =
               extreme ? linalg::getCombinerOpKind(extreme) : std::nullopt)
    choice.kind = *kind;
  else
    return std::nullopt;
  return choice;
}

FailureOr<TilePayloadPlan>
mlir::linalg_ext::planTilePayload(linalg::LinalgOp op,
                                  ArrayRef<TileShape> shapes,
                                  int64_t maxElements, Refusal &refusal) {
  TilePayloadPlan plan;
  if (failed(computeDomain(op, shapes, plan.shape, refusal)))
    return failure();
  if (Operation *nested = findScalarOp(op->getRegion(0), *op.getBlock()))
    return refusal.set(RefusalKind::Other, nested,
                       "the payload has '" + nested->getName().getStringRef() +
                           "', which has no vector form");
  for (Type type : op.getBlock()->getArgumentTypes())
    if (!type.isIntOrIndexOrFloat())
      return refusal.set(RefusalKind::Other, op,
                         "the element type has no vectors");

  plan.choice = matchChoice(op, plan.shape.bounds);
  for (OpOperand &output : op.getDpsInitsMutable()) {
    int64_t numElements = 1;
    for (int64_t bound : getOperandBounds(op, output, plan))
      numElements *= bound;
    if (numElements > maxElements)
      return refusal.set(RefusalKind::Other, op,
                         "a tile of " + Twine(numElements) +
                             " elements is larger than " + Twine(maxElements));
    AffineMap map = op.getMatchingIndexingMap(&output);
    if (map.getNumResults() == op.getNumLoops() || plan.choice) {
      plan.combiners.push_back(nullptr);
      plan.combined.push_back(nullptr);
      continue;
    }
    std::optional<CombinedReduction> reduction =
        getReduction(op, plan.combiners.size());
    if (!reduction)
      return refusal.set(
          RefusalKind::Other, op,
          "an output is not reduced by one op with a neutral element");
    // Unless it is a contraction, the product is a vector of the whole domain.
    Operation *product = reduction->term.getDefiningOp();
    int64_t numTerms = 1;
    for (int64_t bound : plan.shape.bounds)
      numTerms *= bound;
    if (numTerms > maxElements &&
        !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
      return refusal.set(RefusalKind::Other, op,
                         "a reduction of " + Twine(numTerms) +
                             " elements is larger than " + Twine(maxElements));
    plan.combiners.push_back(reduction->combiner);
    plan.combined.push_back(reduction->term);
  }
  return plan;
}
