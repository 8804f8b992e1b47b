//===- WriteIntoDestinations.cpp - Results made of parts ------------------===//
//
// A concatenation, a padded tensor and the result of a branch consist of parts.
// These patterns rewrite them as one destination, into which each part is
// inserted. Bufferization can then let the op that computes a part write
// directly to its place in the destination. A part that already exists is
// copied.
//
//===----------------------------------------------------------------------===//

#include "SlicePadding.h"
#include "TiedDestination.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Splats
//===----------------------------------------------------------------------===//

namespace {
/// A constant of equal numbers is computed where it is needed.
struct FillSplats : public OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!splat || !type)
      return rewriter.notifyMatchFailure(op, "is no tensor of equal elements");
    // Shapes are not computed on a device.
    if (type.getElementType().isIndex())
      return rewriter.notifyMatchFailure(op, "is a shape");
    auto element = dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
    if (!element)
      return rewriter.notifyMatchFailure(op, "is of complex numbers");
    Location loc = op.getLoc();
    // Build one for each use. Its user can then compute it in its own kernel. A
    // use in a payload would compute it for each element, so there it is built
    // outside.
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      for (Operation *around = user->getParentOp(); around;
           around = around->getParentOp())
        if (isa<scf::ForallOp, linalg::LinalgOp>(around))
          user = around;
      rewriter.setInsertionPoint(user);
      Value empty =
          tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                  type.getElementType(), type.getEncoding());
      Value scalar = arith::ConstantOp::create(rewriter, loc, element);
      Value fill =
          linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
      rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(fill); });
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Returns whether one op alone reads the elements of `value`.
static bool hasOneReader(Value value) {
  return llvm::count_if(value.getUsers(), [](Operation *user) {
           return !isa<tensor::DimOp>(user);
         }) == 1;
}

/// Returns whether an op computes `value` for one user, so that it can write to
/// the destination of the user.
static bool isComputedOnce(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    if (!hasOneReader(value))
      return false;
    value = cast.getSource();
  }
  Operation *op = value.getDefiningOp();
  return isa_and_present<DestinationStyleOpInterface, LoopLikeOpInterface,
                         scf::IfOp>(op) &&
         hasOneReader(value);
}

/// Copies `source` to `destination`.
static Value createCopy(OpBuilder &builder, Location loc, Value source,
                        Value destination) {
  if (source.getType() != destination.getType())
    source =
        tensor::CastOp::create(builder, loc, destination.getType(), source);
  return linalg::CopyOp::create(builder, loc, source, destination).getResult(0);
}

namespace {
/// Inserts a copy if the source of an insertion must stay where it is. The copy
/// is an op like others.
struct CopyIntoSlice : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (isComputedOnce(op.getSource()) ||
        op.getSource().getDefiningOp<linalg::CopyOp>())
      return rewriter.notifyMatchFailure(op, "its source is computed for it");
    if (op.getSource().getDefiningOp<tensor::EmptyOp>())
      return rewriter.notifyMatchFailure(op, "its source is not written");
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), op.getSourceType(), op.getDest(),
        op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
    Value copy = createCopy(rewriter, op.getLoc(), op.getSource(), slice);
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(copy); });
    return success();
  }
};
} // namespace

/// Returns whether `value` must not be written to.
static bool isReadOnly(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || !arg.getOwner()->isEntryBlock())
    return false;
  auto function = dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
  if (!function)
    return false;
  auto writable = function.getArgAttrOfType<BoolAttr>(
      arg.getArgNumber(),
      bufferization::BufferizationDialect::kWritableAttrName);
  return writable && !writable.getValue();
}

namespace {
/// Replaces an insertion into a read-only tensor by one op that computes the
/// result. Each element comes from the source or from the tensor.
struct CopyWithSlice : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isReadOnly(op.getDest()))
      return rewriter.notifyMatchFailure(op, "may be written in place");
    if (!op.hasUnitStride())
      return rewriter.notifyMatchFailure(op, "has strides");
    // Where there is nothing to insert there is nothing to read.
    if (llvm::any_of(op.getSourceType().getShape(),
                     [](int64_t size) { return size < 1; }))
      return rewriter.notifyMatchFailure(op, "may insert nothing");
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getDest()),
        type.getElementType(), type.getEncoding());
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    SmallVector<Value> starts;
    for (OpFoldResult offset : offsets)
      starts.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, offset));
    SmallVector<AffineMap> maps(
        2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    llvm::SmallBitVector dropped = op.getDroppedDims();
    auto build = [&](OpBuilder &b, Location loc, ValueRange args) {
      Value isInside;
      SmallVector<Value> indices;
      ArrayRef<int64_t> sizes = op.getSourceType().getShape();
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        // The source may lack dimensions of size 1.
        bool isDropped = dropped.test(dim);
        int64_t size = isDropped ? 1 : sizes[indices.size()];
        Value index = linalg::IndexOp::create(b, loc, dim);
        if (size == type.getDimSize(dim)) {
          if (!isDropped)
            indices.push_back(index);
          continue;
        }
        // Before the slice, this is negative, so a large unsigned number.
        Value at = arith::SubIOp::create(b, loc, index, starts[dim]);
        Value isHere =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                                  arith::ConstantIndexOp::create(b, loc, size));
        isInside =
            isInside ? arith::AndIOp::create(b, loc, isInside, isHere) : isHere;
        if (!isDropped)
          indices.push_back(arith::MinUIOp::create(
              b, loc, at, arith::ConstantIndexOp::create(b, loc, size - 1)));
      }
      Value value = tensor::ExtractOp::create(b, loc, op.getSource(), indices);
      if (isInside)
        value = arith::SelectOp::create(b, loc, isInside, value, args[0]);
      linalg::YieldOp::create(b, loc, value);
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, op.getDest(), empty, maps, iterators, build);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Whether `value` is computed in `branch`.
static bool isInside(Value value, scf::IfOp branch) {
  return branch->isAncestor(value.getParentRegion()->getParentOp());
}

/// Returns the tensor from before `branch` that is overwritten by the ops that
/// compute `value` in it, if there is one. Bufferization can give both the same
/// buffer.
static Value getOverwritten(Value value, scf::IfOp branch) {
  while (isInside(value, branch)) {
    Operation *op = value.getDefiningOp();
    if (auto dps = dyn_cast_if_present<DestinationStyleOpInterface>(op))
      value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto cast = dyn_cast_if_present<tensor::CastOp>(op))
      value = cast.getSource();
    else
      return {};
  }
  return value.getDefiningOp<tensor::EmptyOp>() ? Value() : value;
}

/// Whether nothing computes the elements of `value`.
static bool isLeftOpen(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

namespace {
/// A size, computed from values from before a branch.
struct SizeInFront {
  AffineMap map;
  ValueDimList operands;
};
} // namespace

/// Returns the size of dimension `dim` of `value`, which `branch` yields.
static FailureOr<SizeInFront> getSizeInFront(Value value, int64_t dim,
                                             scf::IfOp branch) {
  SizeInFront size;
  if (failed(ValueBoundsConstraintSet::computeBound(
          size.map, size.operands, presburger::BoundType::EQ,
          ValueBoundsConstraintSet::Variable(value, dim),
          [&](Value operand, std::optional<int64_t>,
              ValueBoundsConstraintSet &) {
            return !isInside(operand, branch);
          })))
    return failure();
  return size;
}

/// Builds an uninitialised tensor before `op`, with the sizes of a result of
/// `type` whose branches yield `values`. Fails if the sizes are not known
/// there. It does not build a tensor.empty, because several of them may be
/// merged into one.
static FailureOr<Value> makeDestination(RewriterBase &rewriter, scf::IfOp op,
                                        RankedTensorType type,
                                        ArrayRef<Value> values) {
  SmallVector<SizeInFront> both[2];
  for (auto [value, sizes] : llvm::zip_equal(values, both))
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      FailureOr<SizeInFront> size = getSizeInFront(value, dim, op);
      if (failed(size))
        return failure();
      sizes.push_back(*size);
    }
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes;
  for (auto [a, b] : llvm::zip_equal(both[0], both[1])) {
    OpFoldResult taken = affine::materializeComputedBound(rewriter, loc, a.map,
                                                          a.operands),
                 other = affine::materializeComputedBound(rewriter, loc, b.map,
                                                          b.operands);
    Value size = getValueOrCreateConstantIndexOp(rewriter, loc, taken);
    if (!isEqualConstantIntOrValue(taken, other))
      size = arith::SelectOp::create(
          rewriter, loc, op.getCondition(), size,
          getValueOrCreateConstantIndexOp(rewriter, loc, other));
    sizes.push_back(size);
  }
  return bufferization::AllocTensorOp::create(rewriter, loc, type, sizes)
      .getResult();
}

/// If `result` of `branch` is only written to a destination after the branch,
/// and the destination is there before it, returns the destination.
static Value getLaterDestination(OpResult result, scf::IfOp branch) {
  if (!hasOneReader(result))
    return {};
  for (Operation *user : result.getUsers())
    if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
        write && write.getSource() == result &&
        write.getDest().getType() == result.getType())
      if (DominanceInfo().properlyDominates(write.getDest(), branch))
        return write.getDest();
  return {};
}

/// Makes both branches of `op` write their results to one tensor before
/// it.
static void joinBranches(RewriterBase &rewriter, scf::IfOp op) {
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    scf::YieldOp yields[2] = {op.thenYield(), op.elseYield()};
    Value values[2] = {yields[0].getOperand(result.getResultNumber()),
                       yields[1].getOperand(result.getResultNumber())};
    Value over = getOverwritten(values[0], op);
    if (over && over == getOverwritten(values[1], op))
      continue;
    // Loops of versions. They get a tensor of their own
    // (privatizeDestinations).
    SmallVector<OpOperand *> starts;
    if (getStartOfBranch(op, result.getResultNumber(), starts))
      continue;
    Value destination = getLaterDestination(result, op);
    if (!destination) {
      FailureOr<Value> made = makeDestination(rewriter, op, type, values);
      if (failed(made))
        continue;
      destination = *made;
    }
    for (auto [yield, value] : llvm::zip_equal(yields, values)) {
      rewriter.setInsertionPoint(yield);
      Value written;
      // Nothing is written where the elements are left open.
      if (isLeftOpen(value) && destination.getType() == type)
        written = destination;
      else if (isInside(value, op) && isComputedOnce(value))
        written = bufferization::MaterializeInDestinationOp::create(
                      rewriter, yield.getLoc(), type, value, destination)
                      .getResult();
      else
        written = createCopy(rewriter, yield.getLoc(), value, destination);
      rewriter.modifyOpInPlace(yield, [&, yield = yield] {
        yield->setOperand(result.getResultNumber(), written);
      });
    }
  }
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
/// Fills a tensor, and inserts the source. Upstream's pattern (22.1.8) inserts
/// the whole source where padding is negative, so what is cut off is sliced off
/// first.
struct DecomposePadding : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getSourceType().getEncoding() || op.getResultType().getEncoding())
      return rewriter.notifyMatchFailure(op, "it would lose an encoding");
    op = clipPadding(rewriter, op);
    rewriter.setInsertionPoint(op);
    // The fill comes first. Then the op that computes the source for this op
    // alone can write to its place.
    Value padding = op.getConstantPaddingValue();
    Operation *source = op.getSource().getDefiningOp();
    if (!padding || op.getRegion().isAncestor(padding.getParentRegion()) ||
        !op.getResultType().hasStaticShape() || !source ||
        source->getBlock() != op->getBlock() || !source->hasOneUse() ||
        !DominanceInfo().properlyDominates(padding, source))
      return linalg::DecomposePadOpPattern(getContext())
          .matchAndRewrite(op, rewriter);
    rewriter.setInsertionPoint(source);
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(),
                                          op.getResultType().getShape(),
                                          op.getResultType().getElementType());
    Value filled = linalg::FillOp::create(rewriter, op.getLoc(), padding, empty)
                       .getResult(0);
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> strides(op.getResultType().getRank(),
                                      rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, op.getSource(), filled, op.getMixedLowPad(),
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getSource()), strides);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void mlir::linalg_ext::populateWriteIntoDestinationsPatterns(
    RewritePatternSet &patterns) {
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  patterns.add<CopyWithSlice>(patterns.getContext(), /*benefit=*/2);
  patterns.add<CopyIntoSlice, DecomposePadding, FillSplats>(
      patterns.getContext());
}

LogicalResult mlir::linalg_ext::writeIntoDestinations(Operation *scope,
                                                      bool keepsParts) {
  // Tiles of workgroups are vectors.
  SmallVector<Operation *> ops;
  SmallVector<scf::IfOp> branches;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp>(op))
      return WalkResult::skip();
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp,
            arith::ConstantOp>(op) &&
        !(keepsParts && isReadInParts(op)))
      ops.push_back(op);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      branches.push_back(branch);
    return WalkResult::advance();
  });
  RewritePatternSet patterns(scope->getContext());
  populateWriteIntoDestinationsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
    return failure();
  // Outer ones first, whose destinations are those of the inner ones.
  IRRewriter rewriter(scope->getContext());
  for (scf::IfOp branch : branches)
    joinBranches(rewriter, branch);
  return success();
}
