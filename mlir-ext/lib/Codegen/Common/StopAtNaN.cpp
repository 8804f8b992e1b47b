//===- StopAtNaN.cpp - The first NaN ends a choice ------------------------===//
//
// torch-mlir's arg-max takes the maximum of both, and the position if the term
// is greater:
//
//   %best = arith.maximumf %term, %acc
//   %greater = arith.cmpf ogt, %term, %acc
//   %position = arith.select %greater, %i, %carried
//
// Once the maximum is NaN, no term is greater. So the position is that of the
// greatest term in front of the first NaN, and PyTorch's is that of the NaN:
// this is what the op says, not what it was made from. The state of a chunk
// that has a NaN is no longer the number with which later terms, or other
// chunks, are compared. A flag keeps both:
//
//   %goesOn = arith.cmpi eq, %flag, 0
//   %greater = arith.cmpf ogt, %term, %acc
//   %isBetter = arith.andi %greater, %goesOn
//   yield select(%isBetter, %term, %acc), select(%isBetter, %i, %carried),
//         %flag | isNaN(%term)
//
// The maximum is NaN where the flag is set.
//
//===----------------------------------------------------------------------===//

#include "StopAtNaN.h"

#include "mlir-ext/Support/ExtremeCondition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the number of the result of `op` that is the maximum (or minimum) of
/// its term and keeps a NaN, while a condition that never holds for NaN selects
/// all others. Returns std::nullopt if there is none.
static std::optional<unsigned> findExtreme(linalg::GenericOp op) {
  Operation *yield = op.getBody()->getTerminator();
  for (unsigned number = 0, e = op.getNumDpsInits(); number < e; ++number) {
    BlockArgument acc = op.getRegionOutputArgs()[number];
    Operation *extreme = yield->getOperand(number).getDefiningOp();
    if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(extreme) ||
        !llvm::is_contained(extreme->getOperands(), acc))
      continue;
    auto type = dyn_cast<FloatType>(acc.getType());
    if (!type || !APFloat::semanticsHasNaN(type.getFloatSemantics()))
      continue;
    SmallVector<Operation *> users{extreme};
    bool isChoice = true;
    for (auto [other, value] : llvm::enumerate(yield->getOperands())) {
      if (other == number)
        continue;
      auto select = value.getDefiningOp<arith::SelectOp>();
      std::optional<ExtremeCondition> condition =
          select ? matchExtremeCondition(select.getCondition(), acc)
                 : std::nullopt;
      isChoice &= condition && condition->nans == NaNTerms::None &&
                  !condition->stop &&
                  condition->isMax == isa<arith::MaximumFOp>(extreme) &&
                  llvm::is_contained(extreme->getOperands(), condition->term) &&
                  select.getFalseValue() == op.getRegionOutputArgs()[other];
      if (!isChoice)
        break;
      llvm::append_range(users, condition->comparisons);
    }
    if (isChoice && llvm::all_of(acc.getUsers(), [&](Operation *user) {
          return llvm::is_contained(users, user);
        }))
      return number;
  }
  return std::nullopt;
}

/// Returns a tensor of 32 bits, which is 1 where `init` is NaN, and 0
/// elsewhere.
static Value buildFlags(OpBuilder &b, Location loc, Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, init), b.getI32Type());
  APFloat start(0.0f);
  if (auto fill = init.getDefiningOp<linalg::FillOp>();
      fill && matchPattern(fill.value(), m_ConstantFloat(&start)) &&
      !start.isNaN()) {
    Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  }
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), init, empty, maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value isNaN = arith::CmpFOp::create(
                   b, loc, arith::CmpFPredicate::UNO, args[0], args[0]);
               linalg::YieldOp::create(
                   b, loc,
                   arith::ExtUIOp::create(b, loc, b.getI32Type(), isNaN)
                       .getResult());
             })
      .getResult(0);
}

/// Selects `extreme`, or NaN where `flags` are set.
static Value restoreNaN(OpBuilder &b, Location loc, Value extreme,
                        Value flags) {
  auto type = cast<RankedTensorType>(extreme.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, extreme), type.getElementType());
  SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, ValueRange{extreme, flags}, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               auto element = cast<FloatType>(type.getElementType());
               Value nan = arith::ConstantOp::create(
                   b, loc,
                   b.getFloatAttr(
                       element, APFloat::getQNaN(element.getFloatSemantics())));
               Value zero =
                   arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
               Value isNumber = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::eq, args[1], zero);
               linalg::YieldOp::create(
                   b, loc,
                   arith::SelectOp::create(b, loc, isNumber, args[0], nan)
                       .getResult());
             })
      .getResult(0);
}

namespace {
struct StopAtNaN : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op.getNumDpsInits() < 2)
      return rewriter.notifyMatchFailure(op, "carries nothing");
    std::optional<unsigned> number = findExtreme(op);
    if (!number)
      return rewriter.notifyMatchFailure(op, "chooses no extreme that is NaN");
    if (llvm::all_of(op.getResults(), [&](OpResult result) {
          return result.getResultNumber() == *number || result.use_empty();
        }))
      return rewriter.notifyMatchFailure(op, "nobody uses what it carries");

    // 1. The same op with the flag as its last result.
    Location loc = op.getLoc();
    SmallVector<Value> inits(op.getDpsInits());
    inits.push_back(buildFlags(rewriter, loc, inits[*number]));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(*number)));
    auto stopping = linalg::GenericOp::create(
        rewriter, loc, TypeRange(ValueRange(inits)), op.getDpsInputs(), inits,
        maps, op.getIteratorTypesArray());
    stopping->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), stopping.getRegion(),
                                stopping.getRegion().end());
    Block *body = stopping.getBody();
    body->addArgument(rewriter.getI32Type(), loc);
    buildPayload(stopping, *number, rewriter);

    // 2. Its results, with NaN in the extreme.
    rewriter.setInsertionPointAfter(stopping);
    SmallVector<Value> results(stopping->getResults().drop_back());
    if (!op->getResult(*number).use_empty())
      results[*number] = restoreNaN(rewriter, loc, results[*number],
                                    stopping->getResults().back());
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Rewrites the payload of `op`, whose last argument is the flag.
  static void buildPayload(linalg::GenericOp op, unsigned number,
                           PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Operation *yield = op.getBody()->getTerminator();
    Value flag = op.getRegionOutputArgs().back();
    Value acc = op.getRegionOutputArgs()[number];
    Operation *extreme = yield->getOperand(number).getDefiningOp();
    Value term = extreme->getOperand(extreme->getOperand(0) == acc ? 1 : 0);
    rewriter.setInsertionPoint(yield);
    using Predicate = arith::CmpFPredicate;
    Value isNaN =
        arith::CmpFOp::create(rewriter, loc, Predicate::UNO, term, term);
    Value bit =
        arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), isNaN);
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    Value goesOn = arith::CmpIOp::create(rewriter, loc,
                                         arith::CmpIPredicate::eq, flag, zero);
    Value isGreater = arith::CmpFOp::create(
        rewriter, loc,
        isa<arith::MaximumFOp>(extreme) ? Predicate::OGT : Predicate::OLT, term,
        acc);
    Value isBetter = arith::AndIOp::create(rewriter, loc, isGreater, goesOn);
    SmallVector<Value> values;
    for (auto [other, value] : llvm::enumerate(yield->getOperands())) {
      Value chosen =
          other == number
              ? term
              : value.getDefiningOp<arith::SelectOp>().getTrueValue();
      values.push_back(arith::SelectOp::create(
          rewriter, loc, isBetter, chosen, op.getRegionOutputArgs()[other]));
    }
    values.push_back(arith::OrIOp::create(rewriter, loc, flag, bit));
    rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, values);
  }
};
} // namespace

void mlir::linalg_ext::populateStopAtNaNPatterns(RewritePatternSet &patterns) {
  patterns.add<StopAtNaN>(patterns.getContext());
}
