//===- RefineReshapes.cpp - Reshapes of fewer dimensions ------------------===//
//
// StableHLO and others lower a reshape as one dimension that has all elements,
// and its expansion. Where that begins with the same sizes as before, or ends
// with them, only the dimensions between are merged and split: a batch stays a
// batch, and a slice need not be copied to be merged.
//
//===----------------------------------------------------------------------===//

#include "RefineReshapes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A number of dimensions in front, and how many elements they have.
struct Prefix {
  size_t dims;
  int64_t elements;
};

struct RefineExpandOfCollapse : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The prefixes of `shape` that have a known number of elements, but for none
/// and all dimensions.
static SmallVector<Prefix> getPrefixes(ArrayRef<int64_t> shape) {
  SmallVector<Prefix> prefixes;
  int64_t elements = 1;
  for (size_t dims = 1; dims < shape.size(); ++dims) {
    int64_t size = shape[dims - 1];
    if (ShapedType::isDynamic(size) || size == 0)
      break;
    elements *= size;
    prefixes.push_back({dims, elements});
  }
  return prefixes;
}

/// Where both `from` and `to`, shapes of the same elements, may be cut: after
/// so many dimensions of each.
static SmallVector<std::pair<size_t, size_t>> getCuts(ArrayRef<int64_t> from,
                                                      ArrayRef<int64_t> to) {
  SmallVector<std::pair<size_t, size_t>> cuts;
  auto add = [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to, bool isReverse) {
    SmallVector<Prefix> others = getPrefixes(to);
    size_t next = 0;
    for (Prefix prefix : getPrefixes(from)) {
      while (next < others.size() && others[next].elements < prefix.elements)
        ++next;
      if (next == others.size())
        return;
      if (others[next].elements != prefix.elements)
        continue;
      std::pair cut(prefix.dims, others[next++].dims);
      if (isReverse)
        cut = {from.size() - cut.first, to.size() - cut.second};
      cuts.push_back(cut);
    }
  };
  add(from, to, /*isReverse=*/false);
  // From the end, if what is in front is not known.
  if (ShapedType::isDynamicShape(from) || ShapedType::isDynamicShape(to))
    add(llvm::to_vector(llvm::reverse(from)),
        llvm::to_vector(llvm::reverse(to)),
        /*isReverse=*/true);
  // In order, each side of a cut with dimensions of its own.
  llvm::sort(cuts);
  SmallVector<std::pair<size_t, size_t>> result;
  for (auto cut : cuts)
    if (result.empty() ||
        (cut.first > result.back().first && cut.second > result.back().second))
      result.push_back(cut);
  return result;
}

LogicalResult
RefineExpandOfCollapse::matchAndRewrite(tensor::ExpandShapeOp op,
                                        PatternRewriter &rewriter) const {
  auto collapse = op.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return rewriter.notifyMatchFailure(op, "expands what is not collapsed");
  ArrayRef<int64_t> from = collapse.getSrcType().getShape(),
                    to = op.getResultType().getShape();
  SmallVector<ReassociationIndices> merged, split;
  for (auto group : llvm::zip_equal(collapse.getReassociationIndices(),
                                    op.getReassociationIndices())) {
    const ReassociationIndices &sources = std::get<0>(group),
                               &results = std::get<1>(group);
    size_t source = 0, result = 0;
    auto takeUntil = [&](size_t sourceEnd, size_t resultEnd) {
      merged.emplace_back(sources.begin() + source,
                          sources.begin() + sourceEnd);
      split.emplace_back(results.begin() + result, results.begin() + resultEnd);
      source = sourceEnd;
      result = resultEnd;
    };
    if (sources.size() > 1 && results.size() > 1)
      for (std::pair<size_t, size_t> cut :
           getCuts(from.slice(sources.front(), sources.size()),
                   to.slice(results.front(), results.size())))
        takeUntil(cut.first, cut.second);
    takeUntil(sources.size(), results.size());
  }
  if (merged.size() == collapse.getReassociationIndices().size())
    return rewriter.notifyMatchFailure(op, "no dimensions are kept");
  Value source = collapse.getSrc();
  auto isKept = [](const ReassociationIndices &group) {
    return group.size() == 1;
  };
  if (!llvm::all_of(merged, isKept))
    source = tensor::CollapseShapeOp::create(rewriter, collapse.getLoc(),
                                             source, merged);
  if (llvm::all_of(split, isKept)) {
    if (source.getType() != op.getType())
      source =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), source);
    rewriter.replaceOp(op, source);
    return success();
  }
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, op.getResultType(), source, split, op.getMixedOutputShape());
  return success();
}

void mlir::linalg_ext::populateRefineReshapesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<RefineExpandOfCollapse>(patterns.getContext());
}
