//===- SplitSums.cpp - (a + b) v as a v + b v -----------------------------===//
//
// Differential attention subtracts the weights of one softmax from those of
// another and multiplies the difference with the values. No state repairs such
// a difference, so it would be stored. The two products can be fused one by
// one.
//
//===----------------------------------------------------------------------===//

#include "FloatContraction.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// An elementwise op whose payload yields `lhs` + `rhs`, or their difference.
struct Sum {
  linalg::GenericOp op;
  Operation *add = nullptr;
  /// Reshapes between the contraction and the op, the last one first.
  SmallVector<Operation *> reshapes;

  bool isDifference() const { return isa<arith::SubFOp>(add); }
  Value getTerm(bool isLhs) const { return add->getOperand(isLhs ? 0 : 1); }
};
} // namespace

/// Matches an op that computes a sum, possibly rounded, for its only user, or
/// for reshapes before that user.
static std::optional<Sum> matchSum(Value value) {
  SmallVector<Operation *> reshapes;
  while (Operation *reshape = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape) ||
        !reshape->hasOneUse())
      break;
    reshapes.push_back(reshape);
    value = reshape->getOperand(0);
  }
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !op->hasOneUse() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (auto round = dyn_cast_or_null<arith::TruncFOp>(add))
    add = round.getIn().getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp>(add) ||
      add->getBlock() != op.getBlock())
    return std::nullopt;
  return Sum{op, add, std::move(reshapes)};
}

/// Adds the nearest online reductions on which `value` depends to `found`.
static void collectOnlineReductions(Value value,
                                    llvm::SetVector<Operation *> &found) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<OnlineReductionOpInterface>(op)) {
      found.insert(op);
      continue;
    }
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        worklist.push_back(operand);
  }
}

/// Returns the online reductions on which the operands depend from which the
/// payload of `op` computes `term`.
static llvm::SetVector<Operation *> getOnlineReductions(linalg::GenericOp op,
                                                        Value term) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> worklist{term};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (arg.getOwner() == op.getBlock())
        collectOnlineReductions(op.getMatchingOpOperand(arg)->get(), found);
      continue;
    }
    Operation *source = value.getDefiningOp();
    if (source && op->isProperAncestor(source) && seen.insert(source).second)
      llvm::append_range(worklist, source->getOperands());
  }
  return found;
}

/// Builds the op that computes one term of `sum`, from the operands that the
/// term needs.
static Value buildTerm(RewriterBase &b, const Sum &sum, bool isLhs) {
  linalg::GenericOp op = sum.op;
  Block *body = op.getBlock();
  // 1. Find the payload ops for the term, and the operands that they read.
  llvm::SetVector<Operation *> ops;
  llvm::SmallPtrSet<Value, 4> args;
  SmallVector<Value> worklist{sum.getTerm(isLhs)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *source = value.getDefiningOp();
    if (isa<BlockArgument>(value))
      args.insert(value);
    else if (source->getBlock() == body && ops.insert(source))
      llvm::append_range(worklist, source->getOperands());
  }
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> read;
  for (OpOperand *input : op.getDpsInputOperands())
    if (BlockArgument arg = op.getMatchingBlockArgument(input);
        args.contains(arg)) {
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
      read.push_back(arg);
    }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  // 2. Build an op with these. It negates and rounds as the sum does.
  auto build = [&](OpBuilder &b, Location loc, ValueRange newArgs) {
    IRMapping mapping;
    mapping.map(ValueRange(read), newArgs.take_front(read.size()));
    for (Operation &payload : body->without_terminator())
      if (ops.contains(&payload))
        b.clone(payload, mapping);
    Value term = mapping.lookupOrDefault(sum.getTerm(isLhs));
    if (!isLhs && sum.isDifference())
      term = arith::NegFOp::create(b, loc, term);
    Value yielded = body->getTerminator()->getOperand(0);
    if (auto round = yielded.getDefiningOp<arith::TruncFOp>()) {
      mapping.map(round.getIn(), term);
      term = b.clone(*round, mapping)->getResult(0);
    }
    linalg::YieldOp::create(b, loc, term);
  };
  return linalg::GenericOp::create(b, op.getLoc(), op->getResultTypes(), inputs,
                                   op.getDpsInits(), maps,
                                   op.getIteratorTypesArray(), build)
      .getResult(0);
}

namespace {
struct SplitSum : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchFloatContraction(rewriter, op);
    if (failed(type))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<Sum> sum = matchSum(input->get());
      if (!sum)
        continue;
      llvm::SetVector<Operation *> lhs = getOnlineReductions(
                                       sum->op, sum->getTerm(true)),
                                   rhs = getOnlineReductions(
                                       sum->op, sum->getTerm(false));
      if (lhs.empty() || rhs.empty() ||
          llvm::any_of(lhs,
                       [&](Operation *other) { return rhs.contains(other); }))
        continue;
      rewrite(rewriter, op, *type, *input, *sum);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is a sum of values of two online reductions");
  }

private:
  static void rewrite(PatternRewriter &rewriter, linalg::LinalgOp op,
                      RankedTensorType type, OpOperand &input, const Sum &sum) {
    unsigned number = input.getOperandNumber();
    rewriter.setInsertionPoint(sum.op);
    Value terms[] = {buildTerm(rewriter, sum, /*isLhs=*/true),
                     buildTerm(rewriter, sum, /*isLhs=*/false)};
    for (Operation *reshape : llvm::reverse(sum.reshapes)) {
      rewriter.setInsertionPoint(reshape);
      for (Value &term : terms) {
        IRMapping mapping;
        mapping.map(reshape->getOperand(0), term);
        term = rewriter.clone(*reshape, mapping)->getResult(0);
      }
    }
    rewriter.setInsertionPoint(op);
    ZeroContraction second = cloneOntoZero(rewriter, op);
    rewriter.setInsertionPoint(second.op);
    Operation *first = rewriter.clone(*op);
    rewriter.setInsertionPoint(op);
    first->setOperand(number, terms[0]);
    second.op->setOperand(number, terms[1]);
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange(type),
        ValueRange{first->getResult(0), second.op->getResult(0)},
        ValueRange(second.empty), ArrayRef<AffineMap>{map, map, map}, iterators,
        [](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(
              b, loc,
              arith::AddFOp::create(b, loc, args[0], args[1]).getResult());
        });
  }
};
} // namespace

void mlir::linalg_ext::populateSplitSumsPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitSum>(patterns.getContext());
}
