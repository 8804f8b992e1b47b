//===- RestateOps.cpp - Ops as structured ops and reshapes ----------------===//
//
// Some ops of programs say in another way what the normal form has forms for,
// which loops fuse:
//
//   - `tensor.generate` computes elements from their positions;
//   - `linalg.pack` and `linalg.unpack` are padding, reshapes and transposes;
//   - windows of a pooling that do not overlap are dimensions of a reshape, and
//     the operand that only gives their sizes is not needed.
//
//===----------------------------------------------------------------------===//

#include "RestateOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct GenerateToGeneric : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GenerateOp op,
                                PatternRewriter &rewriter) const override;
};

struct ReshapePack : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "on buffers");
    return linalg::lowerPack(rewriter, op,
                             /*lowerPadLikeWithInsertSlice=*/false);
  }
};

struct ReshapeUnpack : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "on buffers");
    return linalg::lowerUnPack(rewriter, op,
                               /*lowerUnpadLikeWithExtractSlice=*/false);
  }
};

struct ReshapeWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

/// A dimension of an operand: `outer` * size + `inner`, two loops, the inner of
/// which has this size.
struct Windows {
  unsigned outer, inner;
  int64_t size;
};
} // namespace

LogicalResult
GenerateToGeneric::matchAndRewrite(tensor::GenerateOp op,
                                   PatternRewriter &rewriter) const {
  auto type = cast<RankedTensorType>(op.getType());
  if (!llvm::hasSingleElement(op.getBody()) ||
      !llvm::all_of(op.getBody().front().without_terminator(),
                    [](Operation &nested) { return isPure(&nested); }))
    return rewriter.notifyMatchFailure(op, "its body is not pure");
  Location loc = op.getLoc();
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                              type.getElementType(), op.getDynamicExtents());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, ValueRange(), empty,
      rewriter.getMultiDimIdentityMap(type.getRank()), iterators,
      [&](OpBuilder &b, Location loc, ValueRange) {
        Block &body = op.getBody().front();
        IRMapping mapping;
        for (BlockArgument position : body.getArguments())
          mapping.map(position,
                      linalg::IndexOp::create(b, loc, position.getArgNumber()));
        for (Operation &nested : body.without_terminator())
          b.clone(nested, mapping);
        Value element = cast<tensor::YieldOp>(body.getTerminator()).getValue();
        linalg::YieldOp::create(b, loc, mapping.lookupOrDefault(element));
      });
  rewriter.replaceOp(op, generic);
  return success();
}

/// The windows that `expr`, of an operand of `op`, reads one after the other.
static std::optional<Windows> getWindows(AffineExpr expr, linalg::LinalgOp op) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto product = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
  auto inner = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!product || !inner || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto outer = dyn_cast<AffineDimExpr>(product.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(product.getRHS());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!outer || !size || ranges[inner.getPosition()] != size.getValue() ||
      ShapedType::isDynamic(ranges[outer.getPosition()]))
    return std::nullopt;
  return Windows{outer.getPosition(), inner.getPosition(), size.getValue()};
}

LogicalResult ReshapeWindows::matchAndRewrite(linalg::LinalgOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op->getNumResults() != 1)
    return rewriter.notifyMatchFailure(op, "is no pooling");
  OpOperand *image = op.getDpsInputOperand(0),
            *sizes = op.getDpsInputOperand(1);
  auto type = dyn_cast<RankedTensorType>(image->get().getType());
  if (!type || !type.hasStaticShape() ||
      !op.getMatchingBlockArgument(sizes).use_empty())
    return rewriter.notifyMatchFailure(op, "is no pooling of known sizes");

  // 1. The dimensions of the reshape, and who reads them.
  SmallVector<int64_t> used, split;
  SmallVector<AffineExpr> exprs;
  SmallVector<ReassociationIndices> groups;
  bool hasWindows = false;
  MLIRContext *context = op.getContext();
  for (auto [dim, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(image).getResults())) {
    ReassociationIndices &group = groups.emplace_back();
    auto add = [&](unsigned loop, int64_t size) {
      group.push_back(split.size());
      split.push_back(size);
      exprs.push_back(getAffineDimExpr(loop, context));
    };
    if (std::optional<Windows> windows = getWindows(expr, op)) {
      int64_t count = op.getStaticLoopRanges()[windows->outer];
      used.push_back(count * windows->size);
      add(windows->outer, count);
      add(windows->inner, windows->size);
      hasWindows = true;
    } else if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      used.push_back(type.getDimSize(dim));
      add(loop.getPosition(), type.getDimSize(dim));
    } else {
      return rewriter.notifyMatchFailure(op, "windows overlap");
    }
    if (used.back() > type.getDimSize(dim) || used.back() == 0)
      return rewriter.notifyMatchFailure(op, "reads too much, or nothing");
  }
  if (!hasWindows)
    return rewriter.notifyMatchFailure(op, "has no windows");
  SmallVector<AffineMap> maps{
      AffineMap::get(op.getNumLoops(), 0, exprs, context),
      op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  if (!inversePermutation(concatAffineMaps(maps, context)))
    return rewriter.notifyMatchFailure(op, "repeats what it reads");

  // 2. The op.
  Location loc = op.getLoc();
  Value source = image->get();
  if (ArrayRef<int64_t>(used) != type.getShape()) {
    SmallVector<OpFoldResult> zeros(used.size(), rewriter.getIndexAttr(0)),
        ones(used.size(), rewriter.getIndexAttr(1));
    source = tensor::ExtractSliceOp::create(
        rewriter, loc, source, zeros, getAsIndexOpFoldResult(context, used),
        ones);
  }
  source = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(split, type.getElementType()),
      source, groups);
  auto generic = linalg::GenericOp::create(rewriter, loc, op->getResultTypes(),
                                           source, op.getDpsInits(), maps,
                                           op.getIteratorTypesArray());
  Block *from = op.getBlock();
  Block *body = rewriter.createBlock(&generic.getRegion());
  IRMapping mapping;
  for (BlockArgument argument : from->getArguments())
    if (argument != op.getMatchingBlockArgument(sizes))
      mapping.map(argument, body->addArgument(argument.getType(), loc));
  for (Operation &nested : *from)
    rewriter.clone(nested, mapping);
  rewriter.replaceOp(op, generic);
  return success();
}

void mlir::linalg_ext::populateRestateOpsPatterns(RewritePatternSet &patterns) {
  patterns.add<GenerateToGeneric, ReshapePack, ReshapeUnpack, ReshapeWindows>(
      patterns.getContext());
}
