//===- RefineReshapes.cpp - Reshapes of fewer dimensions ------------------===//
//
// StableHLO and others lower a reshape to a collapse to one dimension, and its
// expansion. If the shapes before and after begin or end with the same sizes,
// only the dimensions in between need be merged and split. Then a batch stays a
// batch, and a slice need not be copied to be merged. torch-mlir writes views
// of unknown sizes as `tensor.reshape`, which becomes such a pair.
//
//===----------------------------------------------------------------------===//

#include "RefineReshapes.h"

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Rewrites a reshape to sizes that are elements of a tensor as a collapse to
/// one dimension and its expansion.
struct ReshapeThroughOne : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override;
};

struct RefineExpandOfCollapse : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// Returns where both lists of sizes, of the same elements, may be cut: after
/// so many dimensions of each. The dimensions before a cut have the same number
/// of elements in both lists. If that is not known, those behind it have.
static SmallVector<std::pair<size_t, size_t>>
getCuts(ArrayRef<IndexPolynomial> from, ArrayRef<IndexPolynomial> to) {
  SmallVector<std::pair<size_t, size_t>> cuts;
  // Visits the pairs of proper prefixes with the same number of elements.
  auto add = [](auto from, auto to, auto visit) {
    SmallVector<IndexPolynomial> others;
    IndexPolynomial elements(1);
    for (const IndexPolynomial &size : to)
      others.push_back(elements = elements * size);
    elements = 1;
    size_t next = 0, dims = 0, numDims = llvm::range_size(from);
    for (const IndexPolynomial &size : from) {
      elements = elements * size;
      if (++dims == numDims || elements == IndexPolynomial(0))
        return;
      for (size_t other = next; other + 1 < others.size(); ++other)
        if (others[other] == elements) {
          visit(dims, other + 1);
          next = other + 1;
          break;
        }
    }
  };
  add(from, to,
      [&](size_t source, size_t result) { cuts.emplace_back(source, result); });
  std::pair<size_t, size_t> last =
      cuts.empty() ? std::pair<size_t, size_t>() : cuts.back();
  SmallVector<std::pair<size_t, size_t>> ends;
  add(llvm::reverse(from.drop_front(last.first)),
      llvm::reverse(to.drop_front(last.second)),
      [&](size_t source, size_t result) {
        ends.emplace_back(from.size() - source, to.size() - result);
      });
  llvm::append_range(cuts, llvm::reverse(ends));
  return cuts;
}

LogicalResult
ReshapeThroughOne::matchAndRewrite(tensor::ReshapeOp op,
                                   PatternRewriter &rewriter) const {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return rewriter.notifyMatchFailure(op, "without a number of dimensions");
  Location loc = op.getLoc();
  // A tensor of rank 0 has one element, so the other shape has only sizes of 1.
  if (from.getRank() == 0 || to.getRank() == 0) {
    for (RankedTensorType type : {from, to})
      if (llvm::any_of(type.getShape(), [](int64_t size) {
            return !ShapedType::isDynamic(size) && size != 1;
          }))
        return rewriter.notifyMatchFailure(op, "another number of elements");
    Value one = op.getSource();
    auto cast = [&](RankedTensorType type) {
      if (one.getType() != type)
        one = tensor::CastOp::create(rewriter, loc, type, one);
    };
    auto getOnes = [](RankedTensorType type) {
      return type.clone(SmallVector<int64_t>(type.getRank(), 1));
    };
    ArrayRef<ReassociationIndices> none;
    cast(getOnes(from));
    if (from.getRank() > 0)
      one = tensor::CollapseShapeOp::create(rewriter, loc, one, none);
    else if (to.getRank() > 0)
      one =
          tensor::ExpandShapeOp::create(rewriter, loc, getOnes(to), one, none);
    cast(to);
    rewriter.replaceOp(op, one);
    return success();
  }
  auto fromElements = op.getShape().getDefiningOp<tensor::FromElementsOp>();
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(to.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(rewriter.getIndexAttr(size));
      continue;
    }
    Value value;
    if (fromElements) {
      value = fromElements.getElements()[dim];
    } else {
      Value index = arith::ConstantIndexOp::create(rewriter, loc, dim);
      value = tensor::ExtractOp::create(rewriter, loc, op.getShape(), index);
    }
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                         value);
    sizes.push_back(value);
  }
  auto getFlatType = [&](RankedTensorType type) {
    int64_t elements =
        type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
    return RankedTensorType::get(elements, type.getElementType());
  };
  auto getGroup = [](RankedTensorType type) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))};
  };
  Value flat = op.getSource();
  if (from.getRank() > 1)
    flat = tensor::CollapseShapeOp::create(rewriter, loc, flat, getGroup(from));
  if (flat.getType() != getFlatType(to))
    flat = tensor::CastOp::create(rewriter, loc, getFlatType(to), flat);
  if (to.getRank() > 1)
    flat = tensor::ExpandShapeOp::create(rewriter, loc, to, flat, getGroup(to),
                                         sizes);
  rewriter.replaceOp(op, flat);
  return success();
}

/// Returns `type` with the dimensions of each of `groups` merged.
static RankedTensorType getMergedType(RankedTensorType type,
                                      ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : groups) {
    int64_t &merged = shape.emplace_back(1);
    for (int64_t dim : group) {
      int64_t size = type.getDimSize(dim);
      merged = ShapedType::isDynamic(merged) || ShapedType::isDynamic(size)
                   ? ShapedType::kDynamic
                   : merged * size;
    }
  }
  return type.clone(shape);
}

LogicalResult
RefineExpandOfCollapse::matchAndRewrite(tensor::ExpandShapeOp op,
                                        PatternRewriter &rewriter) const {
  auto collapse = op.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return rewriter.notifyMatchFailure(op, "expands what is not collapsed");
  IndexAnalysis analysis;
  SmallVector<IndexPolynomial> from, to;
  for (int64_t dim : llvm::seq(collapse.getSrcType().getRank()))
    from.push_back(analysis.getSize(collapse.getSrc(), dim));
  for (OpFoldResult size : op.getMixedOutputShape())
    to.push_back(analysis.get(size));
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
           getCuts(ArrayRef(from).slice(sources.front(), sources.size()),
                   ArrayRef(to).slice(results.front(), results.size())))
        takeUntil(cut.first, cut.second);
    takeUntil(sources.size(), results.size());
  }
  if (merged.size() == collapse.getReassociationIndices().size())
    return rewriter.notifyMatchFailure(op, "no dimensions are kept");
  // The types may have static sizes that the other side does not have. If they
  // contradict each other, there are no elements: 3 x 4 is 5 x 7 for 0 rows.
  RankedTensorType mergedType = getMergedType(collapse.getSrcType(), merged),
                   splitType = getMergedType(op.getResultType(), split);
  if (!tensor::CastOp::areCastCompatible(mergedType, splitType))
    return rewriter.notifyMatchFailure(op, "there are no elements");
  Value source = collapse.getSrc();
  auto isKept = [](const ReassociationIndices &group) {
    return group.size() == 1;
  };
  if (!llvm::all_of(merged, isKept))
    source = tensor::CollapseShapeOp::create(rewriter, collapse.getLoc(),
                                             mergedType, source, merged);
  if (source.getType() != splitType)
    source = tensor::CastOp::create(rewriter, op.getLoc(), splitType, source);
  if (llvm::all_of(split, isKept)) {
    rewriter.replaceOp(op, source);
    return success();
  }
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, op.getResultType(), source, split, op.getMixedOutputShape());
  return success();
}

void mlir::linalg_ext::populateRefineReshapesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReshapeThroughOne, RefineExpandOfCollapse>(
      patterns.getContext());
}
