//===- MultiplyF8.cpp - Contractions of f8 --------------------------------===//
//
// Programs widen both operands of a product of f8 first, to f16 or f32. Targets
// with instructions for f8 read them as they are. A contraction extends its
// operands to the type of its sums itself, which is exact. As an op of its own,
// the extension might be stored.
//
//===----------------------------------------------------------------------===//

#include "FloatContraction.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The operand of `value` that it only widens from f8, element by element, with
/// `map`, the indices of `value`, made those of the operand. Null if there is
/// none.
static Value getWidened(Value value, AffineMap &map) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() || !op.hasPureTensorSemantics())
    return nullptr;
  auto extend = op.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::ExtFOp>();
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap read = op.getMatchingIndexingMap(input);
  if (!extend || extend.getIn() != op.getBlock()->getArgument(0) ||
      !isF8(extend.getIn().getType()) || !written.isPermutation() ||
      !read.isProjectedPermutation())
    return nullptr;
  map = read.compose(inversePermutation(written)).compose(map);
  return input->get();
}

namespace {
struct MultiplyF8 : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchFloatContraction(rewriter, op);
    if (failed(type))
      return failure();
    // The payload may extend its operands, but must not round them.
    if (!type->getElementType().isF32() || op.getNumDpsInputs() != 2 ||
        llvm::any_of(*op.getBlock(), [](Operation &nested) {
          return !isa<arith::ExtFOp, arith::MulFOp, arith::AddFOp,
                      linalg::YieldOp>(nested);
        }))
      return rewriter.notifyMatchFailure(op, "no sum of products in f32");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands;
    for (unsigned i : {0, 1}) {
      Value operand = getWidened(op.getDpsInputs()[i], maps[i]);
      if (!operand)
        return rewriter.notifyMatchFailure(op, "an operand is no widened f8");
      operands.push_back(operand);
    }
    if (getElementTypeOrSelf(operands[0]) != getElementTypeOrSelf(operands[1]))
      return rewriter.notifyMatchFailure(op, "operands of two formats");
    // A contraction needs all of its loops.
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction &&
          (!maps[0].isFunctionOfDim(loop) || !maps[1].isFunctionOfDim(loop)))
        return rewriter.notifyMatchFailure(op, "an operand is broadcast");
    auto contract = linalg::ContractOp::create(
        rewriter, op.getLoc(), *type, operands, op.getDpsInits().front(),
        rewriter.getAffineMapArrayAttr(maps));
    // Attributes of linalg, such as memoized maps, belong to the named op.
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
        contract->setDiscardableAttr(attr.getName(), attr.getValue());
    rewriter.replaceOp(op, contract);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateMultiplyF8Patterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyF8>(patterns.getContext());
}
