//===- WidenAccumulators.cpp - Accumulation in f32 ------------------------===//
//
// Importers give a product the element type of its operands. Instructions
// accumulate in f32, but a sum that is stored in f16 between tiles would be
// rounded after each tile. These patterns give a contraction, or another sum, a
// result of f32, and round it once, as PyTorch does.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/WidenAccumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

linalg::GenericOp mlir::linalg_ext::convertElements(OpBuilder &b, Location loc,
                                                    Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  bool isWider =
      element.getIntOrFloatBitWidth() > type.getElementTypeBitWidth();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), element);
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, empty.getType(), value, empty, ArrayRef<AffineMap>{map, map},
      iterators, [&](OpBuilder &nested, Location loc, ValueRange args) {
        Value result =
            isWider ? arith::ExtFOp::create(nested, loc, element, args[0])
                          .getResult()
                    : arith::TruncFOp::create(nested, loc, element, args[0])
                          .getResult();
        linalg::YieldOp::create(nested, loc, result);
      });
}

/// `init` in f32.
static Value widenInit(OpBuilder &b, Location loc, Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return convertElements(b, loc, init, b.getF32Type()).getResult(0);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, init), b.getF32Type());
  Value value =
      b.createOrFold<arith::ExtFOp>(loc, b.getF32Type(), fill.value());
  return linalg::FillOp::create(b, loc, value, empty).getResult(0);
}

/// Returns whether a linalg.contract can replace the contraction `op`. Its
/// payload must not convert or negate, although upstream's definition of
/// contractions allows that, and both operands must have each reduction loop.
static bool isContract(linalg::LinalgOp op) {
  if (!llvm::hasNItems(*op.getBlock(), 3))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction
            ? !maps[0].isFunctionOfDim(loop) || !maps[1].isFunctionOfDim(loop)
            : !maps[2].isFunctionOfDim(loop))
      return false;
  return true;
}

namespace {
struct WidenAccumulator : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        !linalg::isaContractionOpInterface(op) || !isContract(op))
      return rewriter.notifyMatchFailure(op, "no contraction of tensors");
    Value init = op.getDpsInits()[0];
    Type sum = getElementTypeOrSelf(init.getType());
    if (!sum.isF16() && !sum.isBF16())
      return rewriter.notifyMatchFailure(op, "accumulates in other types");
    // The operands must have the type to which the op would round them.
    if (llvm::any_of(op.getDpsInputs(), [&](Value input) {
          return getElementTypeOrSelf(input.getType()) != sum;
        }))
      return rewriter.notifyMatchFailure(op, "operands of other types");
    Location loc = op.getLoc();
    Value wide = widenInit(rewriter, loc, init);
    auto contract = linalg::ContractOp::create(rewriter, loc, wide.getType(),
                                               op.getDpsInputs(), wide,
                                               op.getIndexingMaps());
    // Attributes of linalg, such as memoized maps, belong to the named op.
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
        contract->setDiscardableAttr(attr.getName(), attr.getValue());
    rewriter.replaceOp(
        op, convertElements(rewriter, loc, contract.getResult(0), sum));
    return success();
  }
};

/// A sum of other terms. Its factors are multiplied in f32, too, if it is a sum
/// of products.
struct WidenSum : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(op, "no reduction of tensors");
    Value init = op.getDpsInits()[0];
    Type sum = getElementTypeOrSelf(init.getType());
    if (!sum.isF16() && !sum.isBF16())
      return rewriter.notifyMatchFailure(op, "accumulates in other types");
    BlockArgument acc = op.getRegionOutputArgs()[0];
    auto add = op.getBody()
                   ->getTerminator()
                   ->getOperand(0)
                   .getDefiningOp<arith::AddFOp>();
    if (!add || !acc.hasOneUse() || *acc.user_begin() != add ||
        !add->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is no sum");
    Value term = add.getLhs() == acc ? add.getRhs() : add.getLhs();
    Location loc = op.getLoc();
    Value wide = widenInit(rewriter, loc, init);
    auto widened = linalg::GenericOp::create(
        rewriter, loc, wide.getType(), op.getDpsInputs(), wide,
        op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          buildPayload(b, loc, op, add, term, args);
        });
    rewriter.replaceOp(
        op, convertElements(rewriter, loc, widened.getResult(0), sum));
    return success();
  }

private:
  /// Builds the payload of `op`, whose sum is `add` of `term`, with arguments
  /// `args`, the last of which is the sum in f32.
  static void buildPayload(OpBuilder &b, Location loc, linalg::GenericOp op,
                           arith::AddFOp add, Value term, ValueRange args) {
    auto product = term.getDefiningOp<arith::MulFOp>();
    if (product &&
        (product->getBlock() != op.getBody() || !product->hasOneUse()))
      product = nullptr;
    IRMapping mapping;
    mapping.map(op.getBody()->getArguments().drop_back(), args.drop_back());
    for (Operation &nested : op.getBody()->without_terminator())
      if (&nested != add && &nested != product)
        b.clone(nested, mapping);
    Type type = args.back().getType();
    auto widen = [&](Value value) -> Value {
      return arith::ExtFOp::create(b, loc, type,
                                   mapping.lookupOrDefault(value));
    };
    Value wide = product
                     ? arith::MulFOp::create(b, loc, widen(product.getLhs()),
                                             widen(product.getRhs()))
                           .getResult()
                     : widen(term);
    linalg::YieldOp::create(
        b, loc, arith::AddFOp::create(b, loc, wide, args.back()).getResult());
  }
};
} // namespace

void mlir::linalg_ext::populateWidenAccumulatorPatterns(
    RewritePatternSet &patterns) {
  patterns.add<WidenAccumulator>(patterns.getContext(), /*benefit=*/2);
  patterns.add<WidenSum>(patterns.getContext());
}
