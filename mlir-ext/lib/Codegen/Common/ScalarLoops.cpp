//===- ScalarLoops.cpp - Loops that count in scalars ----------------------===//
//
// `lax.scan` and `fori_loop` of JAX are loops whose counter is a tensor without
// dimensions. No pass sees how often such a loop runs.
//
//   1. Hand on the scalar. The tensor is built where it is used.
//   2. Read of an element of a tensor without dimensions: compute the element.
//   3. A loop that counts up is an scf.for: upstream's pattern, where that is
//      right.
//
// A GPU has no form for a loop around kernels. Loops over layers are unrolled.
//
//===----------------------------------------------------------------------===//

#include "ScalarLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The type of the element, if `type` is a tensor without dimensions, whose
/// elements are numbers.
static Type getOnlyElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && !tensor.getEncoding() &&
                 tensor.getElementType().isIntOrIndexOrFloat()
             ? tensor.getElementType()
             : Type();
}

/// `type`, or its element.
static Type getScalarType(Type type) {
  Type element = getOnlyElement(type);
  return element ? element : type;
}

/// `value`, or its element.
static Value getScalar(OpBuilder &b, Value value) {
  if (!getOnlyElement(value.getType()))
    return value;
  return tensor::ExtractOp::create(b, value.getLoc(), value, ValueRange());
}

/// `value`, as a tensor if `type` is one.
static Value getAs(OpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::FromElementsOp::create(b, value.getLoc(),
                                        cast<RankedTensorType>(type), value);
}

namespace {
struct HandOnScalars : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op,
                                PatternRewriter &rewriter) const override {
    if (llvm::none_of(op->getOperandTypes(), getOnlyElement) &&
        llvm::none_of(op->getResultTypes(), getOnlyElement))
      return rewriter.notifyMatchFailure(op, "hands on no such tensor");
    Location loc = op.getLoc();
    SmallVector<Value> inits;
    for (Value init : op.getInits())
      inits.push_back(getScalar(rewriter, init));
    SmallVector<Type> types =
        llvm::map_to_vector(op->getResultTypes(), getScalarType);
    auto loop = scf::WhileOp::create(rewriter, loc, types, inits,
                                     /*beforeBuilder=*/nullptr,
                                     /*afterBuilder=*/nullptr);
    // The bodies, whose arguments are scalars now.
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), loop->getRegions())) {
      Block *before = &from.front(), *after = &to.front();
      rewriter.setInsertionPointToStart(after);
      SmallVector<Value> arguments;
      for (auto [argument, scalar] :
           llvm::zip_equal(before->getArguments(), after->getArguments()))
        arguments.push_back(getAs(rewriter, scalar, argument.getType()));
      rewriter.mergeBlocks(before, after, arguments);
      Operation *terminator = after->getTerminator();
      rewriter.setInsertionPoint(terminator);
      rewriter.modifyOpInPlace(terminator, [&] {
        for (OpOperand &operand : terminator->getOpOperands())
          operand.set(getScalar(rewriter, operand.get()));
      });
    }
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip_equal(loop.getResults(), op->getResultTypes()))
      results.push_back(getAs(rewriter, result, type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ComputeOnlyElement : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getTensor());
    auto source = result ? dyn_cast<linalg::LinalgOp>(result.getOwner())
                         : linalg::LinalgOp();
    if (!source || source.getNumLoops() != 0 ||
        !source.hasPureTensorSemantics() ||
        source->getBlock() != op->getBlock() ||
        !getOnlyElement(result.getType()))
      return rewriter.notifyMatchFailure(op, "is of no op without loops");
    IRMapping mapping;
    Block *payload = source.getBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(payload->getArguments(), source->getOperands())) {
      if (argument.use_empty())
        continue;
      if (isa<TensorType>(operand.getType()) &&
          !getOnlyElement(operand.getType()))
        return rewriter.notifyMatchFailure(op, "reads an element of a row");
      mapping.map(argument, getScalar(rewriter, operand));
    }
    for (Operation &nested : payload->without_terminator())
      rewriter.clone(nested, mapping);
    rewriter.replaceOp(
        op, mapping.lookupOrDefault(payload->getTerminator()->getOperand(
                result.getResultNumber())));
    return success();
  }
};
} // namespace

/// Whether a loop that adds `step` while the counter is less than `end` counts
/// up to there. A counter that overflows would go on below.
static bool countsUp(Value end, Value step) {
  APInt number, bound;
  if (!matchPattern(step, m_ConstantInt(&number)) ||
      !number.isStrictlyPositive())
    return false;
  if (number.isOne() || isa<IndexType>(end.getType()))
    return true;
  bool overflows = true;
  if (matchPattern(end, m_ConstantInt(&bound)))
    (void)bound.sadd_ov(number - 1, overflows);
  return !overflows;
}

/// The counter behind a loop from `begin` to `end`.
static Value getCounterAtEnd(OpBuilder &b, Location loc, Value begin, Value end,
                             Value step) {
  Value one =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(end.getType(), 1));
  // In numbers without sign, the distance does not overflow.
  Value ahead = arith::SubIOp::create(
      b, loc, arith::SubIOp::create(b, loc, end, begin), one);
  Value last = arith::AddIOp::create(
      b, loc, begin,
      arith::MulIOp::create(b, loc, arith::DivUIOp::create(b, loc, ahead, step),
                            step));
  Value isEntered =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, begin, end);
  return arith::SelectOp::create(
      b, loc, isEntered, arith::AddIOp::create(b, loc, last, step), begin);
}

namespace {
/// Upstream's pattern (22.1.8) takes any step, and its result for the counter
/// is that of the last iteration.
struct CountUp : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op,
                                PatternRewriter &rewriter) const override {
    scf::ConditionOp condition = op.getConditionOp();
    auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return rewriter.notifyMatchFailure(op, "compares no integers");
    Value less = compare.getLhs(), end = compare.getRhs();
    if (compare.getPredicate() == arith::CmpIPredicate::sgt)
      std::swap(less, end);
    auto counter = dyn_cast<BlockArgument>(less);
    if (!counter || counter.getOwner() != op.getBeforeBody())
      return rewriter.notifyMatchFailure(op, "compares no counter");
    unsigned number = counter.getArgNumber();
    auto add =
        op.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
    if (!add)
      return rewriter.notifyMatchFailure(op, "adds nothing to the counter");
    Value step =
        matchPattern(add.getRhs(), m_Constant()) ? add.getRhs() : add.getLhs();
    if (!countsUp(end, step))
      return rewriter.notifyMatchFailure(op, "may not count up");
    Value begin = op.getInits()[number];
    SmallVector<OpOperand *> uses;
    for (auto [result, handedOn] :
         llvm::zip_equal(op.getResults(), condition.getArgs()))
      if (handedOn == counter)
        for (OpOperand &use : result.getUses())
          uses.push_back(&use);

    FailureOr<scf::ForOp> loop = scf::upliftWhileToForLoop(rewriter, op);
    if (failed(loop) || uses.empty())
      return loop;
    rewriter.setInsertionPointAfter(*loop);
    Value counted = getCounterAtEnd(rewriter, loop->getLoc(), begin, end, step);
    for (OpOperand *use : uses)
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(counted); });
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateScalarLoopsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<HandOnScalars, ComputeOnlyElement, CountUp>(
      patterns.getContext());
}

unsigned mlir::linalg_ext::unrollTensorLoops(Operation *scope, int64_t most) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) {
    if (!loop->getParentOfType<scf::ForallOp>() &&
        llvm::any_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      loops.push_back(loop);
  });
  unsigned number = 0;
  for (scf::ForOp loop : loops) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->getActiveBits() > 32 ||
        trips->getZExtValue() > static_cast<uint64_t>(most))
      continue;
    int64_t numOps = 0;
    loop->walk([&](Operation *) { ++numOps; });
    if (numOps * static_cast<int64_t>(trips->getZExtValue()) > kMostUnrolledOps)
      continue;
    number += succeeded(loopUnrollFull(loop));
  }
  return number;
}
