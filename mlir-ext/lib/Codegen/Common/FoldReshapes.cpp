//===- FoldReshapes.cpp - Reshapes next to ops ----------------------------===//
//
// Importers merge dimensions (batch and heads) to use a matrix multiplication
// of a fixed rank, and split them again after it. The dimension that a repair
// needs is then no dimension of the merged tensor. These patterns fold the
// reshapes into contractions and elementwise ops, which then have the original
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether an operand of `op` has just been collapsed or its result is
/// about to be expanded.
static bool isBetweenReshapes(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(),
                      [](Value input) {
                        return input.getDefiningOp<tensor::CollapseShapeOp>() !=
                               nullptr;
                      }) ||
         llvm::any_of(op->getUsers(), llvm::IsaPred<tensor::ExpandShapeOp>);
}

namespace {
/// Upstream's expansion knows generic ops.
struct GeneralizeBetweenReshapes
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op) ||
        !op.hasPureTensorSemantics() || !isBetweenReshapes(op))
      return rewriter.notifyMatchFailure(op, "is not between reshapes");
    if (!linalg::isaContractionOpInterface(op) && !op.isAllParallelLoops() &&
        !isa<linalg::ReduceOp>(op))
      return rewriter.notifyMatchFailure(op, "is no contraction or reduction");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

namespace {
/// An elementwise op that reads merged integers that are unpacked reads other
/// operands, such as scales, without the dimensions of size 1 that it reads at
/// 0: upstream's expansion knows projected permutations.
struct DropUnitDimsOfScales : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    bool isBeside = llvm::any_of(op.getDpsInputs(), [](Value input) {
      auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>();
      return collapse && isUnpacked(collapse.getSrc());
    });
    if (!isBeside)
      return rewriter.notifyMatchFailure(op, "reads nothing unpacked");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      // A slice of no elements is out of bounds.
      if (!type || map.isProjectedPermutation() ||
          llvm::is_contained(type.getShape(), 0))
        continue;
      SmallVector<int64_t> shape;
      llvm::SmallBitVector dropped(map.getNumResults());
      bool isAtZero = true;
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto at = dyn_cast<AffineConstantExpr>(expr);
        if (at && at.getValue() == 0 && type.getDimSize(dim) == 1) {
          dropped.set(dim);
          continue;
        }
        isAtZero &= isa<AffineDimExpr>(expr);
        shape.push_back(type.getDimSize(dim));
      }
      if (!isAtZero)
        continue;
      // A collapse would be folded into the op again.
      Value collapsed = tensor::createCanonicalRankReducingExtractSliceOp(
          rewriter, op.getLoc(), operand->get(),
          RankedTensorType::get(shape, type.getElementType()));
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand->getOperandNumber()] = map.dropResults(dropped);
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(collapsed);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no dimension at 0");
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Online reductions
//===----------------------------------------------------------------------===//

/// Returns `groups` without the group of `dimension`, for a tensor that has all
/// dimensions but this one.
static SmallVector<ReassociationIndices>
dropGroup(ArrayRef<ReassociationIndices> groups, int64_t dimension) {
  SmallVector<ReassociationIndices> rest;
  for (auto [position, group] : llvm::enumerate(groups)) {
    if (static_cast<int64_t>(position) == dimension)
      continue;
    ReassociationIndices &moved = rest.emplace_back(group);
    if (static_cast<int64_t>(position) > dimension)
      for (int64_t &dim : moved)
        --dim;
  }
  return rest;
}

/// Builds `op` on `input`. `input` has the dimensions `groups[d]` in place of
/// dimension `d` of the operand of `op`. The new results have the same groups
/// of dimensions. Fails if the reduced dimension would be split.
static FailureOr<SoftmaxOp>
expandSoftmax(PatternRewriter &rewriter, SoftmaxOp op, Value input,
              ArrayRef<ReassociationIndices> groups) {
  int64_t dimension = op.getDimension();
  if (groups[dimension].size() != 1)
    return failure();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input);
  SmallVector<OpFoldResult> stateSizes(sizes);
  stateSizes.erase(stateSizes.begin() + groups[dimension].front());
  SmallVector<ReassociationIndices> stateGroups = dropGroup(groups, dimension);
  auto getShape = [](ArrayRef<OpFoldResult> mixed) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(mixed, dynamic, shape);
    return shape;
  };
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    bool isState = number != 0;
    ArrayRef<OpFoldResult> mixed = isState ? stateSizes : sizes;
    inits.push_back(tensor::ExpandShapeOp::create(
        rewriter, loc,
        RankedTensorType::get(getShape(mixed), getElementTypeOrSelf(init)),
        init, isState ? stateGroups : SmallVector<ReassociationIndices>(groups),
        mixed));
  }
  auto expanded =
      SoftmaxOp::create(rewriter, loc, input, inits, groups[dimension].front());
  expanded->setAttrs(op->getAttrs());
  expanded.setDimension(groups[dimension].front());
  return expanded;
}

/// The results of `expanded`, made by expandSoftmax, in the shapes of `op`'s.
static SmallVector<Value>
collapseResults(PatternRewriter &rewriter, SoftmaxOp op, SoftmaxOp expanded,
                ArrayRef<ReassociationIndices> groups) {
  SmallVector<Value> results;
  for (auto [number, result] : llvm::enumerate(expanded->getResults()))
    results.push_back(tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), op->getResultTypes()[number], result,
        number == 0 ? SmallVector<ReassociationIndices>(groups)
                    : dropGroup(groups, op.getDimension())));
  return results;
}

namespace {
/// softmax(collapse(x)) = collapse(softmax(x)), where the dimension that is
/// reduced is not merged.
struct SoftmaxOfCollapsed : public OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || op->getNumResults() == 0 || isUnitReshape(collapse))
      return rewriter.notifyMatchFailure(op, "is not of a collapsed tensor");
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    FailureOr<SoftmaxOp> expanded =
        expandSoftmax(rewriter, op, collapse.getSrc(), groups);
    if (failed(expanded))
      return rewriter.notifyMatchFailure(op, "the reduced dimension is merged");
    rewriter.replaceOp(op, collapseResults(rewriter, op, *expanded, groups));
    return success();
  }
};

/// expand(softmax(x)) = softmax(expand(x)), likewise.
struct ExpandedSoftmax : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto op = expand.getSrc().getDefiningOp<SoftmaxOp>();
    if (!op || expand.getSrc() != op->getResult(0) || isUnitReshape(expand))
      return rewriter.notifyMatchFailure(expand, "is not of a softmax");
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    if (groups[op.getDimension()].size() != 1)
      return rewriter.notifyMatchFailure(op, "the reduced dimension is split");
    // Its sizes must be known before the op.
    SmallVector<OpFoldResult> sizes = getOutputShape(expand);
    DominanceInfo dominance;
    if (llvm::any_of(sizes, [&](OpFoldResult size) {
          auto value = dyn_cast<Value>(size);
          return value && !dominance.properlyDominates(value, op);
        }))
      return rewriter.notifyMatchFailure(op, "a size is not known in front");
    rewriter.setInsertionPoint(op);
    Value input = tensor::ExpandShapeOp::create(
        rewriter, expand.getLoc(),
        RankedTensorType::get(expand.getResultType().getShape(),
                              getElementTypeOrSelf(op.getInput())),
        op.getInput(), groups, sizes);
    FailureOr<SoftmaxOp> expanded = expandSoftmax(rewriter, op, input, groups);
    rewriter.replaceOp(op, collapseResults(rewriter, op, *expanded, groups));
    return success();
  }
};
} // namespace

/// Splits `lhs` and `rhs`, of one product, into the same sizes: (64, 2) and
/// (4, 32) into (4, 16, 2). Appends them to `sizes`, and the number of those
/// that each size is split into to `ofLhs` and `ofRhs`. Fails if there are
/// none.
static LogicalResult refine(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
                            SmallVectorImpl<int64_t> &sizes,
                            SmallVectorImpl<int64_t> &ofLhs,
                            SmallVectorImpl<int64_t> &ofRhs) {
  if (lhs.size() == 1 && rhs.size() == 1) {
    sizes.push_back(lhs.front());
    ofLhs.push_back(1);
    ofRhs.push_back(1);
    return success();
  }
  if (llvm::any_of(llvm::concat<const int64_t>(lhs, rhs), [](int64_t size) {
        return ShapedType::isDynamic(size) || size < 1;
      }))
    return failure();
  size_t i = 0, j = 0;
  int64_t left = lhs[0], right = rhs[0], numLeft = 0, numRight = 0;
  while (i < lhs.size() && j < rhs.size()) {
    int64_t size = std::min(left, right);
    if (left % size != 0 || right % size != 0)
      return failure();
    sizes.push_back(size);
    left /= size;
    right /= size;
    ++numLeft;
    ++numRight;
    // Sizes of 1 belong to what is in front.
    bool endsLeft = left == 1, endsRight = right == 1;
    if (endsLeft) {
      ofLhs.push_back(std::exchange(numLeft, 0));
      left = ++i < lhs.size() ? lhs[i] : 1;
    }
    if (endsRight) {
      ofRhs.push_back(std::exchange(numRight, 0));
      right = ++j < rhs.size() ? rhs[j] : 1;
    }
  }
  return success(i == lhs.size() && j == rhs.size());
}

static SmallVector<ReassociationIndices> makeGroups(ArrayRef<int64_t> counts) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t count : counts) {
    groups.emplace_back();
    for (int64_t i = 0; i < count; ++i)
      groups.back().push_back(next++);
  }
  return groups;
}

namespace {
/// Integers that are unpacked and merged, and then split in another way, such
/// as into groups with one scale, are split further first, and then merged.
/// Upstream does this if one way of splitting refines the other.
struct SplitInAnotherWay : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto collapse = expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !isUnpacked(collapse.getSrc()))
      return rewriter.notifyMatchFailure(
          expand, "is not of a collapse of what is unpacked");
    SmallVector<int64_t> sizes, ofSource, ofResult;
    for (auto [from, to] : llvm::zip_equal(collapse.getReassociationIndices(),
                                           expand.getReassociationIndices())) {
      auto lhs = collapse.getSrcType().getShape().slice(from[0], from.size());
      auto rhs = expand.getResultType().getShape().slice(to[0], to.size());
      if (failed(refine(lhs, rhs, sizes, ofSource, ofResult)))
        return rewriter.notifyMatchFailure(expand, "the sizes do not match");
    }
    auto splits = [](ArrayRef<int64_t> counts) {
      return llvm::any_of(counts, [](int64_t count) { return count > 1; });
    };
    if (!splits(ofSource) || !splits(ofResult))
      return rewriter.notifyMatchFailure(expand, "one refines the other");
    Location loc = expand.getLoc();
    SmallVector<OpFoldResult> shape;
    SmallVector<OpFoldResult> known =
        tensor::getMixedSizes(rewriter, loc, collapse.getSrc());
    for (auto [dim, group] : llvm::enumerate(makeGroups(ofSource)))
      for (int64_t at : group)
        shape.push_back(group.size() == 1
                            ? known[dim]
                            : OpFoldResult(rewriter.getIndexAttr(sizes[at])));
    auto type = expand.getResultType().clone(sizes);
    Value split = tensor::ExpandShapeOp::create(
        rewriter, loc, type, collapse.getSrc(), makeGroups(ofSource), shape);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        expand, expand.getResultType(), split, makeGroups(ofResult));
    return success();
  }
};
} // namespace

namespace {
/// slice(collapse(x)) = collapse(slice(x)), where the slice takes whole parts
/// of what is merged: a half of a rotated head whose pairs were transposed.
struct SliceOfCollapsed : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto collapse = slice.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || isUnitReshape(collapse) ||
        !collapse.getSrcType().hasStaticShape() ||
        slice.getResultType().getRank() != slice.getSourceType().getRank())
      return rewriter.notifyMatchFailure(slice, "is not of merged dimensions");
    // Upstream's getExpandedExtractSliceInfo takes only the first part.
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
    bool isOfMerged = false;
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      int64_t offset = slice.getStaticOffset(dim),
              size = slice.getStaticSize(dim);
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
          slice.getStaticStride(dim) != 1)
        return rewriter.notifyMatchFailure(slice, "is not known");
      isOfMerged |=
          group.size() > 1 && size != slice.getSourceType().getDimSize(dim);
      if (failed(takeParts(group, shape, offset, size, offsets, sizes)))
        return rewriter.notifyMatchFailure(slice, "takes no whole parts");
    }
    // A slice of other dimensions is not in the way of the reshape.
    if (!isOfMerged)
      return rewriter.notifyMatchFailure(slice, "cuts no merged dimension");
    Value part = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), collapse.getSrc(),
        getAsIndexOpFoldResult(getContext(), offsets),
        getAsIndexOpFoldResult(getContext(), sizes),
        SmallVector<OpFoldResult>(shape.size(), rewriter.getIndexAttr(1)));
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        slice, slice.getResultType(), part, collapse.getReassociationIndices());
    return success();
  }

private:
  /// Splits `size` elements from `offset` on of the merged dimensions `group`
  /// into whole elements of an outer dimension.
  static LogicalResult takeParts(ArrayRef<int64_t> group,
                                 ArrayRef<int64_t> shape, int64_t offset,
                                 int64_t size, MutableArrayRef<int64_t> offsets,
                                 MutableArrayRef<int64_t> sizes) {
    int64_t inner = 1;
    for (int64_t dim : group)
      inner *= shape[dim];
    for (int64_t dim : group) {
      if (size == inner)
        return success(); // all of what is left
      inner /= shape[dim];
      offsets[dim] = offset / inner;
      if (offset % inner == 0 && size % inner == 0) {
        sizes[dim] = size / inner;
        return success();
      }
      if (offset / inner != (offset + size - 1) / inner)
        return failure();
      sizes[dim] = 1;
      offset %= inner;
    }
    return success();
  }
};

/// Whether the types of all parts of `concat` say of each other dimension what
/// that of the result says: a part may know a size that the result does not,
/// and a reshape of it then has another type.
static bool knowTheSameSizes(tensor::ConcatOp concat) {
  return llvm::all_of(concat.getInputs(), [&](Value part) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(part.getType()).getShape());
    shape[concat.getDim()] = concat.getResultType().getDimSize(concat.getDim());
    return ArrayRef(shape) == concat.getResultType().getShape();
  });
}

/// expand(concat(x, y)) = concat(expand(x), expand(y)), where each part has
/// whole rows of what the dimension of the concatenation is split into.
struct ExpandedConcatenation : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto concat = expand.getSrc().getDefiningOp<tensor::ConcatOp>();
    RankedTensorType type = expand.getResultType();
    if (!concat || isUnitReshape(expand))
      return rewriter.notifyMatchFailure(expand, "is not of a concatenation");
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    ArrayRef<int64_t> group = groups[concat.getDim()];
    if (group.size() == 1)
      return splitParts(rewriter, expand, concat, group.front());
    // The first dimension that is not 1 counts the rows.
    auto outer = llvm::find_if(
        group, [&](int64_t dim) { return type.getDimSize(dim) != 1; });
    if (!type.hasStaticShape() || outer == group.end())
      return rewriter.notifyMatchFailure(expand, "the rows are not known");
    int64_t row = 1;
    for (const int64_t *dim = outer + 1; dim != group.end(); ++dim)
      row *= type.getDimSize(*dim);
    if (row == 0)
      return rewriter.notifyMatchFailure(expand, "a row is empty");
    SmallVector<RankedTensorType> types;
    for (Value part : concat.getInputs()) {
      auto partType = cast<RankedTensorType>(part.getType());
      int64_t size = partType.getDimSize(concat.getDim());
      if (!partType.hasStaticShape() || size % row != 0)
        return rewriter.notifyMatchFailure(expand, "a part has half a row");
      SmallVector<int64_t> shape(type.getShape());
      shape[*outer] = size / row;
      types.push_back(type.clone(shape));
    }
    SmallVector<Value> parts;
    for (auto [part, partType] : llvm::zip_equal(concat.getInputs(), types))
      parts.push_back(tensor::ExpandShapeOp::create(rewriter, expand.getLoc(),
                                                    partType, part, groups));
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(expand, type, *outer, parts);
    return success();
  }

private:
  /// Splits other dimensions of the parts, which then lie along `dim`.
  static LogicalResult splitParts(PatternRewriter &rewriter,
                                  tensor::ExpandShapeOp expand,
                                  tensor::ConcatOp concat, int64_t dim) {
    // Others may have the concatenation in memory.
    if (!concat->hasOneUse())
      return rewriter.notifyMatchFailure(expand, "others need it as it is");
    if (!knowTheSameSizes(concat))
      return rewriter.notifyMatchFailure(expand, "a part has another type");
    RankedTensorType type = expand.getResultType();
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      SmallVector<OpFoldResult> sizes = getOutputShape(expand);
      sizes[dim] = tensor::getMixedSize(rewriter, expand.getLoc(), part,
                                        concat.getDim());
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] =
          cast<RankedTensorType>(part.getType()).getDimSize(concat.getDim());
      parts.push_back(tensor::ExpandShapeOp::create(
          rewriter, expand.getLoc(), type.clone(shape), part,
          expand.getReassociationIndices(), sizes));
    }
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(expand, type, dim, parts);
    return success();
  }
};

/// reshape(concat(x, y)) = concat(reshape(x), reshape(y)), where other
/// dimensions are merged and split again: heads of sequences and heads are
/// counted together, behind a row that all sequences have.
struct ReshapedConcatenation : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto collapse = expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    auto concat = collapse ? collapse.getSrc().getDefiningOp<tensor::ConcatOp>()
                           : tensor::ConcatOp();
    if (!concat)
      return rewriter.notifyMatchFailure(expand, "is not of a concatenation");
    if (!collapse->hasOneUse() || !concat->hasOneUse())
      return rewriter.notifyMatchFailure(expand, "others need it as it is");
    if (!knowTheSameSizes(concat))
      return rewriter.notifyMatchFailure(expand, "a part has another type");
    SmallVector<ReassociationIndices> merged =
        collapse.getReassociationIndices();
    SmallVector<ReassociationIndices> split = expand.getReassociationIndices();
    // A tensor without dimensions has no groups.
    size_t at =
        llvm::find_if(merged,
                      [&](ArrayRef<int64_t> group) {
                        return llvm::is_contained(group, concat.getDim());
                      }) -
        merged.begin();
    if (at == merged.size() || merged[at].size() != 1 || split[at].size() != 1)
      return rewriter.notifyMatchFailure(expand,
                                         "reshapes what is put together");
    int64_t dim = split[at].front();
    RankedTensorType type = expand.getResultType();
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      SmallVector<OpFoldResult> sizes = getOutputShape(expand);
      sizes[dim] = tensor::getMixedSize(rewriter, expand.getLoc(), part,
                                        concat.getDim());
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] =
          cast<RankedTensorType>(part.getType()).getDimSize(concat.getDim());
      Value row = tensor::CollapseShapeOp::create(rewriter, collapse.getLoc(),
                                                  part, merged);
      parts.push_back(tensor::ExpandShapeOp::create(
          rewriter, expand.getLoc(), type.clone(shape), row, split, sizes));
    }
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(expand, type, dim, parts);
    return success();
  }
};

/// concat(concat(x, y), z) = concat(x, y, z): a row behind a cache and new
/// keys.
struct NestedConcatenation : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value part : op.getInputs()) {
      auto inner = part.getDefiningOp<tensor::ConcatOp>();
      // Others may have the inner one in memory.
      if (inner && inner.getDim() == op.getDim() && inner->hasOneUse())
        llvm::append_range(parts, inner.getInputs());
      else
        parts.push_back(part);
    }
    if (parts.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no part is one of its own");
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getResultType(),
                                                  op.getDim(), parts);
    return success();
  }
};
} // namespace

namespace {
/// collapse(broadcast(x)) = broadcast(collapse(x)), where the collapse drops
/// dimensions of size 1: keys that were repeated for heads and then merged with
/// such a dimension. The broadcast can then be folded into its user.
struct CollapsedBroadcast : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    auto op = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
    if (!op || !op->hasOneUse() || !op.hasPureTensorSemantics() ||
        !getMovement(op) || !isUnitReshape(collapse))
      return rewriter.notifyMatchFailure(collapse, "is not of a broadcast");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<ReassociationIndices> groups;
    for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
      ReassociationIndices &loops = groups.emplace_back();
      for (int64_t dim : group)
        loops.push_back(maps.back().getDimPosition(dim));
    }
    if (!maps.front().isProjectedPermutation() ||
        !linalg::areDimSequencesPreserved(maps, groups))
      return rewriter.notifyMatchFailure(op, "reads a part of what is merged");
    FailureOr<linalg::CollapseResult> collapsed =
        linalg::collapseOpIterationDims(op, groups, rewriter);
    if (failed(collapsed))
      return rewriter.notifyMatchFailure(op, "its loops do not collapse");
    rewriter.replaceOp(op, collapsed->results);
    return success();
  }
};
} // namespace

namespace {
/// collapse(slice(expand(x))) = slice(x), where the slice takes whole rows of
/// what the expansion splits and the collapse merges: scores that are shifted
/// row by row. Rows of dynamic length that are cut off would be a copy.
struct SliceOfRowsInOne : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    auto expand = slice
                      ? slice.getSource().getDefiningOp<tensor::ExpandShapeOp>()
                      : tensor::ExpandShapeOp();
    if (!expand || op.getResultType().getEncoding() ||
        expand.getSrcType().getEncoding() || !slice.hasUnitStride() ||
        slice.getDroppedDims().any() ||
        expand.getReassociationIndices() != op.getReassociationIndices())
      return rewriter.notifyMatchFailure(op, "is of no slice of rows");
    SmallVector<OpFoldResult> offsets, sizes;
    SmallVector<OpFoldResult> lengths = expand.getMixedOutputShape(),
                              from = slice.getMixedOffsets(),
                              taken = slice.getMixedSizes();
    Location loc = op.getLoc();
    for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
      AffineExpr offset = rewriter.getAffineSymbolExpr(0),
                 size = rewriter.getAffineSymbolExpr(1);
      SmallVector<OpFoldResult> symbols{from[group.front()],
                                        taken[group.front()]};
      for (int64_t dim : group.drop_front()) {
        if (!isZeroInteger(from[dim]) ||
            !isEqualConstantIntOrValue(taken[dim], lengths[dim]))
          return rewriter.notifyMatchFailure(op, "rows are cut");
        AffineExpr length = rewriter.getAffineSymbolExpr(symbols.size());
        offset = offset * length;
        size = size * length;
        symbols.push_back(lengths[dim]);
      }
      offsets.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, symbols.size(), offset), symbols));
      sizes.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, symbols.size(), size), symbols));
    }
    SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
    Value result = tensor::ExtractSliceOp::create(
        rewriter, loc, expand.getSrc(), offsets, sizes, strides);
    if (result.getType() != op.getType())
      result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

namespace {
/// slice(expand(gather)) = expand(slice(gather)), where the expansion only adds
/// dimensions of one element: values that are the first columns of latent keys,
/// of which all heads have the same.
struct SliceOfExpandedGather : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto expand = slice.getSource().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !isUnitReshape(expand) ||
        !expand.getSrc().getDefiningOp<PagedGatherOp>() ||
        !slice.hasUnitStride() || slice.getDroppedDims().any())
      return rewriter.notifyMatchFailure(slice, "is of no expanded gather");
    SmallVector<OpFoldResult> offsets, sizes, strides;
    if (failed(tensor::getCollapsedExtractSliceInfo(
            rewriter, slice, expand.getReassociationIndices(), offsets, sizes,
            strides)))
      return rewriter.notifyMatchFailure(slice, "cuts added dimensions");
    SmallVector<OpFoldResult> shape = slice.getMixedSizes();
    Value part = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), expand.getSrc(), offsets, sizes, strides);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        slice, slice.getResultType(), part, expand.getReassociationIndices(),
        shape);
    return success();
  }
};
} // namespace

/// Returns whether `groups` splits only batch dimensions of the contraction
/// `op`: dimensions that all operands have.
static bool splitsBatches(linalg::LinalgOp op, OpOperand *operand,
                          ArrayRef<ReassociationIndices> groups) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [position, group] : llvm::enumerate(groups)) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(position));
    if (group.size() > 1 &&
        (!dim || llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap other) {
          return !other.isFunctionOfDim(dim.getPosition());
        })))
      return false;
  }
  return true;
}

/// Returns whether `groups` splits only dimensions that the broadcast `op`
/// adds.
static bool splitsAddedDims(linalg::LinalgOp op,
                            ArrayRef<ReassociationIndices> groups) {
  std::optional<AffineMap> source = getMovement(op);
  return source && llvm::all_of(llvm::enumerate(groups), [&](auto group) {
           return group.value().size() == 1 ||
                  !source->isFunctionOfDim(group.index());
         });
}

/// Returns whether `operand` of `op` is computed from what another structured
/// op computes for another operand of `op`, as the rows of a norm are from its
/// elements. If `op` gets a dimension of size 1 from `operand`, so do that
/// other operand, what is computed from it, and then `operand`, without an end.
static bool dependsOnOtherOperand(linalg::LinalgOp op, OpOperand *operand) {
  // Enough for what lies between elements and their rows.
  constexpr size_t kMostOps = 64;
  llvm::SmallPtrSet<Operation *, 4> others;
  for (OpOperand *other : op.getDpsInputOperands())
    if (auto producer = other->get().getDefiningOp<linalg::LinalgOp>();
        producer && other != operand && !isReducedRow(other->get()))
      others.insert(producer);
  if (others.empty())
    return false;
  SetVector<Operation *> reached;
  auto reach = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->getBlock() == op->getBlock())
      reached.insert(producer);
  };
  reach(operand->get());
  for (size_t i = 0; i < reached.size() && i < kMostOps; ++i) {
    if (others.contains(reached[i]))
      return true;
    llvm::for_each(reached[i]->getOperands(), reach);
  }
  return false;
}

/// Whether `op` may get the loops of size 1 that a reshape with `groups`, which
/// only adds or drops dimensions of size 1, has for it. An op that reads what
/// another one computes along two ways, with such dimensions in other places,
/// gets them from one way and gives them to the other one. Nothing else ends
/// this if all sizes are 1.
static bool mayHaveMoreUnitLoops(linalg::LinalgOp op,
                                 ArrayRef<ReassociationIndices> groups) {
  // Batches, heads, groups of heads, queries and keys, and some more.
  constexpr int64_t kMostUnitLoops = 8;
  int64_t count = llvm::count(op.getStaticLoopRanges(), 1);
  for (ArrayRef<int64_t> group : groups)
    count += std::max<int64_t>(group.size(), 1) - 1;
  return count <= kMostUnitLoops;
}

/// Whether all operands of `op` know as much of the loops that are split, those
/// of the dimensions of `map` in `groups`, as `expanded` does. Upstream's
/// patterns (22.1.8) build ops before they find that one does not, and fail, so
/// that the driver never ends.
static bool agreeOnSizes(linalg::LinalgOp op, AffineMap map,
                         ArrayRef<ReassociationIndices> groups,
                         RankedTensorType expanded) {
  for (auto [expr, group] : llvm::zip_equal(map.getResults(), groups)) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || group.size() == 1)
      continue;
    bool isDynamic = llvm::any_of(
        group, [&](int64_t dim) { return expanded.isDynamicDim(dim); });
    for (OpOperand &other : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(other.get().getType());
      std::optional<unsigned> position =
          op.getMatchingIndexingMap(&other).getResultPosition(loop);
      if (type && position && type.isDynamicDim(*position) != isDynamic)
        return false;
    }
  }
  return true;
}

bool mlir::linalg_ext::isOfUnsplitContraction(
    linalg::LinalgOp op, ArrayRef<ReassociationIndices> groups,
    unsigned depth) {
  // The ops, nearest first, each once, and how many may come before each.
  SetVector<Operation *> ops;
  SmallVector<unsigned> depths{depth};
  ops.insert(op);
  for (unsigned i = 0; i < ops.size(); ++i) {
    auto reached = cast<linalg::LinalgOp>(ops[i]);
    if (linalg::isaContractionOpInterface(reached)) {
      if (!splitsBatches(reached, reached.getDpsInitOperand(0), groups))
        return true;
      continue;
    }
    if (!reached.isAllParallelLoops() || depths[i] == 0)
      continue;
    AffineMap result =
        reached.getMatchingIndexingMap(reached.getDpsInitOperand(0));
    for (OpOperand *input : reached.getDpsInputOperands())
      if (auto source = input->get().getDefiningOp<linalg::LinalgOp>();
          source && reached.getMatchingIndexingMap(input) == result &&
          ops.insert(source))
        depths.push_back(depths[i] - 1);
  }
  return false;
}

/// Returns whether `expand` gives the result of the elementwise op `op` batches
/// of one, dimensions of size 1 in front of all others, and adds no others.
/// Scalars and biases have no batch.
static bool addsBatchesOfOne(linalg::LinalgOp op,
                             tensor::ExpandShapeOp expand) {
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  return op.isAllParallelLoops() && !groups.empty() &&
         expand.getResultType().getDimSize(0) == 1 &&
         expand.getSrcType().getDimSize(0) != 1 &&
         llvm::all_of(
             ArrayRef(groups).drop_front(),
             [](ReassociationIndicesRef group) { return group.size() == 1; }) &&
         expand.getResultType().getDimSize(groups.front().back()) ==
             expand.getSrcType().getDimSize(0);
}

/// Returns whether the reshape between producer and consumer is folded into one
/// of them. A reshape that splits or merges dimensions is folded. One that only
/// adds or drops dimensions of size 1 is folded only together with a batch.
/// Elsewhere it would put a dimension between those of the scores, for example
/// a dimension that is kept for a reduced row. The result of an elementwise op
/// is folded, because the op is fused with its user. It is not folded into a
/// contraction, where it would split the keys. Nor is it folded into a
/// broadcast or a transpose, which are folded into their users themselves.
static bool isFoldable(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp(),
            *consumer = operand->getOwner();
  if (auto op = dyn_cast_or_null<linalg::LinalgOp>(producer))
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(consumer);
        expand &&
        !agreeOnSizes(op,
                      op.getMatchingIndexingMap(op.getDpsInitOperand(
                          cast<OpResult>(operand->get()).getResultNumber())),
                      expand.getReassociationIndices(), expand.getResultType()))
      return false;
  if (auto op = dyn_cast_or_null<linalg::LinalgOp>(producer);
      op && isUnitReshape(consumer)) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(consumer);
    if (!expand)
      return true;
    if (isReducedRow(operand->get()) ||
        !mayHaveMoreUnitLoops(op, expand.getReassociationIndices()))
      return false;
    if (isOfUnsplitContraction(op, expand.getReassociationIndices()))
      return false;
    unsigned number = cast<OpResult>(operand->get()).getResultNumber();
    return splitsBatches(op, op.getDpsInitOperand(number),
                         expand.getReassociationIndices()) ||
           splitsAddedDims(op, expand.getReassociationIndices()) ||
           addsBatchesOfOne(op, expand);
  }
  auto op = dyn_cast<linalg::LinalgOp>(consumer);
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(producer);
  if (op && collapse &&
      !agreeOnSizes(op, op.getMatchingIndexingMap(operand),
                    collapse.getReassociationIndices(), collapse.getSrcType()))
    return false;
  // The position in a word, or in a group, is no dimension of a contraction,
  // nor of an op that reads unpacked zero points for many elements each.
  if (op && collapse &&
      (linalg::isaContractionOpInterface(op) ||
       (op.isAllParallelLoops() &&
        !op.getMatchingIndexingMap(operand).isPermutation())) &&
      mergesParts(collapse))
    return false;
  if (!op || !collapse || !isUnitReshape(collapse))
    return true;
  if (getMovement(op) ||
      !mayHaveMoreUnitLoops(op, collapse.getReassociationIndices()))
    return false;
  auto source = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
  if (source && source.isAllParallelLoops() && !isa<linalg::FillOp>(source) &&
      !linalg::isaContractionOpInterface(op) &&
      op.getMatchingIndexingMap(operand).getNumResults() > 1)
    return true;
  return splitsBatches(op, operand, collapse.getReassociationIndices()) &&
         !dependsOnOtherOperand(op, operand);
}

void mlir::linalg_ext::populateFoldReshapesPatterns(
    RewritePatternSet &patterns) {
  patterns
      .add<GeneralizeBetweenReshapes, SoftmaxOfCollapsed, ExpandedSoftmax,
           SplitInAnotherWay, DropUnitDimsOfScales, SliceOfCollapsed,
           ExpandedConcatenation, ReshapedConcatenation, NestedConcatenation,
           CollapsedBroadcast, SliceOfRowsInOne, SliceOfExpandedGather>(
          patterns.getContext());
  // Before a reshape gives an op a second loop of size 1.
  populateReadByUnitLoopsPatterns(patterns);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isFoldable);
  // An expansion that a reshape of other dimensions separates from an op, such
  // as keys that were repeated for heads, is moved to that op.
  tensor::populateBubbleUpExpandShapePatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       patterns.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     patterns.getContext());
  linalg::FillOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  linalg_ext::populateFoldTensorEmptyPatterns(patterns);
}
