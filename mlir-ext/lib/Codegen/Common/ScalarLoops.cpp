//===- ScalarLoops.cpp - Loops that count in scalars ----------------------===//
//
// `lax.scan` and `fori_loop` of JAX become loops whose counter is a tensor
// without dimensions. No pass can tell how often such a loop runs.
//
//   1. Carry the scalar instead of the tensor, if it is an integer that is
//      computed from integers alone. The tensor is built where it is used. A
//      launcher computes such integers; others are in memory of the device.
//      Integers that wrap around, such as random numbers, are left in memory,
//      unless the condition of the loop depends on them.
//   2. If an element of a tensor without dimensions is read, compute the
//      element.
//   3. Rewrite a loop that counts up as an scf.for, by upstream's pattern,
//      where that is correct.
//
// On a GPU, short loops over layers are unrolled. Others become loops of the
// manifest.
//
//===----------------------------------------------------------------------===//

#include "ScalarLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the element type if `type` is a tensor of numbers without
/// dimensions.
static Type getOnlyElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && !tensor.getEncoding() &&
                 tensor.getElementType().isIntOrIndexOrFloat()
             ? tensor.getElementType()
             : Type();
}

/// Returns `value` as `type`: itself, or its element.
static Value getScalar(OpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::ExtractOp::create(b, value.getLoc(), value, ValueRange());
}

/// Returns `value`, as a tensor if `type` is one.
static Value getAs(OpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::FromElementsOp::create(b, value.getLoc(),
                                        cast<RankedTensorType>(type), value);
}

namespace {
/// The tensors without dimensions that a loop may carry as integers.
class CountedTensors {
public:
  explicit CountedTensors(scf::WhileOp op);
  /// Returns the type of `value`, or of its element.
  Type getType(Value value) const {
    Type element = getOnlyElement(value.getType());
    return element && counted.contains(value) ? element : value.getType();
  }
  bool empty() const { return counted.empty(); }

private:
  void find();
  bool isComputed(Value value) const {
    llvm::SmallDenseSet<Value> seen;
    return isComputed(value, seen);
  }
  bool isComputed(Value value, llvm::SmallDenseSet<Value> &seen) const;

  scf::WhileOp op;
  /// Count all integers, also those that kernels should compute.
  bool countsAll = false;
  /// The counted arguments of bodies and results of loops.
  llvm::DenseSet<Value> counted;
};
} // namespace

CountedTensors::CountedTensors(scf::WhileOp op) : op(op) {
  find();
  if (isComputed(op.getConditionOp().getCondition()))
    return;
  countsAll = true;
  find();
}

/// Finds the counted values.
void CountedTensors::find() {
  auto add = [&](ValueRange values) {
    for (Value value : values) {
      Type element = getOnlyElement(value.getType());
      if (element && element.isIntOrIndex())
        counted.insert(value);
    }
  };
  add(op.getBeforeArguments());
  add(op.getAfterArguments());
  add(op.getResults());
  // Remove values that are computed in another way, until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [argument, init, next] :
         llvm::zip_equal(op.getBeforeArguments(), op.getInits(),
                         op.getYieldOp().getOperands()))
      if (counted.contains(argument) && !(isComputed(init) && isComputed(next)))
        changed |= counted.erase(argument);
    for (auto [argument, result, value] :
         llvm::zip_equal(op.getAfterArguments(), op.getResults(),
                         op.getConditionOp().getArgs()))
      if (counted.contains(argument) && !isComputed(value)) {
        changed |= counted.erase(argument);
        counted.erase(result);
      }
  }
}

/// Returns whether a launcher can compute `op` on integers. Its expressions do
/// not work on bits; see docs/Manifest.md. Products of products soon exceed 64
/// bits, which is an error there, so kernels compute these, unless `countsAll`.
static bool isForLauncher(Operation *op, bool countsAll) {
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  return !isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::FPToSIOp,
              arith::FPToUIOp, arith::BitcastOp>(op) &&
         !isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         (countsAll || !isa<arith::MulIOp>(op));
}

/// Returns whether `value`, a number or a tensor without dimensions, is
/// computed only from integers: constants, sizes, arguments of functions, and
/// counted values. If so, `seen` has more values for which this is true.
bool CountedTensors::isComputed(Value value,
                                llvm::SmallDenseSet<Value> &seen) const {
  if (!seen.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    bool isTensor = isa<TensorType>(value.getType());
    return parent == op
               ? !isTensor || counted.contains(value)
               : !isTensor || (isa<FunctionOpInterface>(parent) &&
                               getElementTypeOrSelf(value).isIntOrIndex());
  }
  Operation *source = value.getDefiningOp();
  if (isa<tensor::DimOp, arith::ConstantOp>(source))
    return true;
  if (auto extract = dyn_cast<tensor::ExtractOp>(source))
    return getOnlyElement(extract.getTensor().getType()) &&
           isComputed(extract.getTensor(), seen);
  bool isScalar = llvm::none_of(source->getOperandTypes(), [](Type type) {
    return isa<ShapedType>(type) && !getOnlyElement(type);
  });
  auto structured = dyn_cast<linalg::LinalgOp>(source);
  if (structured) {
    bool isOther = structured.getBlock()
                       ->walk([&](Operation *nested) {
                         return isa<tensor::ExtractOp>(nested) ||
                                        !isForLauncher(nested, countsAll)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
    return isScalar && structured.getNumLoops() == 0 && !isOther &&
           llvm::all_of(structured.getDpsInputs(), [&](Value operand) {
             return isComputed(operand, seen);
           });
  }
  return isScalar && isPure(source) && source->getNumRegions() == 0 &&
         isForLauncher(source, countsAll) &&
         llvm::all_of(source->getOperands(),
                      [&](Value operand) { return isComputed(operand, seen); });
}

namespace {
struct HandOnScalars : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op,
                                PatternRewriter &rewriter) const override {
    CountedTensors counted(op);
    if (counted.empty())
      return rewriter.notifyMatchFailure(op, "hands on no such tensor");
    Location loc = op.getLoc();
    auto getTypes = [&](ValueRange values) {
      return llvm::map_to_vector(
          values, [&](Value value) { return counted.getType(value); });
    };
    SmallVector<Type> before = getTypes(op.getBeforeArguments()),
                      after = getTypes(op.getResults());
    auto getScalars = [&](ValueRange values, ArrayRef<Type> types) {
      SmallVector<Value> scalars;
      for (auto [value, type] : llvm::zip_equal(values, types))
        scalars.push_back(getScalar(rewriter, value, type));
      return scalars;
    };
    auto loop = scf::WhileOp::create(rewriter, loc, after,
                                     getScalars(op.getInits(), before),
                                     /*beforeBuilder=*/nullptr,
                                     /*afterBuilder=*/nullptr);
    // Move the bodies, whose arguments are now scalars.
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), loop->getRegions())) {
      Block *old = &from.front(), *body = &to.front();
      rewriter.setInsertionPointToStart(body);
      SmallVector<Value> arguments;
      for (auto [argument, scalar] :
           llvm::zip_equal(old->getArguments(), body->getArguments()))
        arguments.push_back(getAs(rewriter, scalar, argument.getType()));
      rewriter.mergeBlocks(old, body, arguments);
    }
    scf::ConditionOp condition = loop.getConditionOp();
    rewriter.setInsertionPoint(condition);
    SmallVector<Value> handedOn = getScalars(condition.getArgs(), after);
    rewriter.modifyOpInPlace(
        condition, [&] { condition.getArgsMutable().assign(handedOn); });
    scf::YieldOp yield = loop.getYieldOp();
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> next = getScalars(yield.getOperands(), before);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getResultsMutable().assign(next); });
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
      Type element = getOnlyElement(operand.getType());
      mapping.map(argument, getScalar(rewriter, operand,
                                      element ? element : operand.getType()));
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

/// Returns whether a loop that adds `step` to a counter while it is less than
/// `end` reaches `end`. A counter that overflows would continue below zero.
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

/// Builds the counter after a loop from `begin` to `end`.
static Value getCounterAtEnd(OpBuilder &b, Location loc, Value begin, Value end,
                             Value step) {
  Value one =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(end.getType(), 1));
  // As unsigned numbers, the distance does not overflow.
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
/// Upstream's pattern (22.1.8) accepts any step, and returns the counter of the
/// last iteration instead of its final value.
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
