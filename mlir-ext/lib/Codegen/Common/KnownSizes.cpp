//===- KnownSizes.cpp - Makes sizes static that some op knows -------------===//
//
// See KnownSizes.h. If one op knows a size, the ops that share it get it, too.
//
//===----------------------------------------------------------------------===//

#include "KnownSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// After an assertion that two sizes are equal, replaces one by the other.
struct UseAssertedSizes : public OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(cf::AssertOp op,
                                PatternRewriter &rewriter) const override {
    auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
        !compare.getLhs().getType().isIndex())
      return rewriter.notifyMatchFailure(op, "does not compare sizes");
    Value kept = compare.getLhs(), dropped = compare.getRhs();
    if (kept == dropped)
      return rewriter.notifyMatchFailure(op, "compares a value with itself");
    // A constant is kept. Otherwise the value that is defined first is kept.
    DominanceInfo dominance;
    Operation *keptOp = kept.getDefiningOp(),
              *droppedOp = dropped.getDefiningOp();
    bool droppedIsFirst =
        keptOp &&
        (!droppedOp || dominance.properlyDominates(droppedOp, keptOp));
    if (matchPattern(dropped, m_Constant()) ||
        (droppedIsFirst && !matchPattern(kept, m_Constant())))
      std::swap(kept, dropped);
    bool changed = false;
    rewriter.replaceUsesWithIf(dropped, kept, [&](OpOperand &use) {
      bool isBehind = dominance.properlyDominates(op, use.getOwner());
      changed |= isBehind;
      return isBehind;
    });
    return success(changed);
  }
};
} // namespace

namespace {
/// If one operand has a static size along a loop, all operands get this size.
/// Upstream's pattern skips ops that read an operand at a constant position.
struct InferStaticSizes : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
    for (OpOperand &operand : op->getOpOperands())
      for (auto [expr, size] :
           llvm::zip(op.getMatchingIndexingMap(&operand).getResults(),
                     op.getShape(&operand)))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && ShapedType::isStatic(size))
          sizes[loop.getPosition()] = size;
    SmallVector<RankedTensorType> types;
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      types.push_back(type);
      if (!type)
        continue;
      SmallVector<int64_t> shape(type.getShape());
      for (auto [expr, size] :
           llvm::zip(op.getMatchingIndexingMap(&operand).getResults(), shape))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && ShapedType::isDynamic(size))
          size = sizes[loop.getPosition()];
      types.back() = type.clone(shape);
      changed |= types.back() != type;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no size is known from others");

    SmallVector<Value> operands(op->getOperands());
    for (auto [operand, type] : llvm::zip_equal(operands, types))
      if (type && type != operand.getType())
        operand = tensor::CastOp::create(rewriter, op.getLoc(), type, operand);
    SmallVector<Type> resultTypes;
    for (OpOperand &init : op.getDpsInitsMutable())
      resultTypes.push_back(types[init.getOperandNumber()]);
    Operation *built = clone(rewriter, op, resultTypes, operands);
    SmallVector<Value> results(built->getResults());
    for (auto [result, old] : llvm::zip_equal(results, op->getResultTypes()))
      if (result.getType() != old)
        result = tensor::CastOp::create(rewriter, op.getLoc(), old, result);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

namespace {
/// Does the same for a softmax. Its result has the shape of its input.
struct InferStaticSoftmax : public OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto output = dyn_cast<RankedTensorType>(op.getOutput().getType());
    if (!input || !output)
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<int64_t> shape(input.getShape());
    for (auto [size, other] : llvm::zip_equal(shape, output.getShape()))
      if (ShapedType::isDynamic(size))
        size = other;
    RankedTensorType newInput = input.clone(shape),
                     newOutput = output.clone(shape);
    if (newInput == input && newOutput == output)
      return rewriter.notifyMatchFailure(op, "no size is known from the other");
    auto cast = [&](Value value, Type type) -> Value {
      if (value.getType() == type)
        return value;
      return tensor::CastOp::create(rewriter, op.getLoc(), type, value);
    };
    Value source = cast(op.getInput(), newInput),
          init = cast(op.getOutput(), newOutput);
    auto built = linalg::SoftmaxOp::create(rewriter, op.getLoc(), newOutput,
                                           source, init, op.getDimension());
    rewriter.replaceOp(op, cast(built->getResult(0), output));
    return success();
  }
};
} // namespace

namespace {
/// Makes the result type of an expansion and its list of sizes agree. If only
/// one of them knows a size, the other one gets it. If they differ, the type is
/// right: upstream (22.1.8) does not verify this, and its pattern for a cast
/// before the expansion crashes.
struct ExpandToKnownSizes : public OpRewritePattern<tensor::ExpandShapeOp> {
  explicit ExpandToKnownSizes(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape(op.getResultType().getShape());
    bool changed = false;
    for (auto [known, said] : llvm::zip_equal(shape, op.getStaticOutputShape()))
      if (known != said) {
        changed = true;
        if (ShapedType::isDynamic(known))
          known = said;
      }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "both say the same");
    if (llvm::any_of(shape, [](int64_t size) {
          return size < 0 && !ShapedType::isDynamic(size);
        }))
      return rewriter.notifyMatchFailure(op, "a size is negative");
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    for (auto [size, known] : llvm::zip_equal(sizes, shape))
      if (ShapedType::isStatic(known))
        size = rewriter.getIndexAttr(known);

    RankedTensorType type = op.getResultType().clone(shape);
    RankedTensorType collapsed =
        op.getSrcType().clone(tensor::CollapseShapeOp::inferCollapsedType(
                                  type, op.getReassociationIndices())
                                  .getShape());
    Location loc = op.getLoc();
    Value source = op.getSrc();
    if (source.getType() != collapsed)
      source = tensor::CastOp::create(rewriter, loc, collapsed, source);
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, loc, type, source, op.getReassociationIndices(), sizes);
    if (type != op.getResultType())
      expanded =
          tensor::CastOp::create(rewriter, loc, op.getResultType(), expanded);
    rewriter.replaceOp(op, expanded);
    return success();
  }
};
} // namespace

namespace {
/// If the source of a cast has static sizes, an expansion of the result gets
/// them too. Upstream does this for collapses.
struct ExpandOfCast : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto castOp = op.getSrc().getDefiningOp<tensor::CastOp>();
    auto source = castOp
                      ? dyn_cast<RankedTensorType>(castOp.getSource().getType())
                      : RankedTensorType();
    if (!source)
      return rewriter.notifyMatchFailure(op, "is not of a cast");
    // The cast may only forget.
    SmallVector<int64_t> shape(op.getResultType().getShape());
    bool changed = false;
    for (auto [size, old, group] :
         llvm::zip_equal(source.getShape(), op.getSrcType().getShape(),
                         op.getReassociationIndices())) {
      if (size == old)
        continue;
      if (ShapedType::isDynamic(size))
        return rewriter.notifyMatchFailure(op, "the cast tells a size");
      int64_t others = 1, unknown = -1;
      for (int64_t dim : group) {
        if (ShapedType::isStatic(shape[dim]))
          others *= shape[dim];
        else if (unknown < 0)
          unknown = dim;
        else
          return rewriter.notifyMatchFailure(op, "two sizes are not known");
      }
      if (unknown < 0 || others == 0 || size % others != 0)
        return rewriter.notifyMatchFailure(op, "the sizes do not match");
      shape[unknown] = size / others;
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "the cast forgets no size");
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    for (auto [size, known] : llvm::zip_equal(sizes, shape))
      if (ShapedType::isStatic(known))
        size = rewriter.getIndexAttr(known);
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), op.getResultType().clone(shape),
        castOp.getSource(), op.getReassociationIndices(), sizes);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getResultType(),
                                                expanded);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateKnownSizesPatterns(RewritePatternSet &patterns) {
  patterns.add<UseAssertedSizes, InferStaticSizes, InferStaticSoftmax,
               ExpandToKnownSizes, ExpandOfCast>(patterns.getContext());
}
