//===- NarrowIntegers.cpp - 64-bit integers in 32 bits --------------------===//
//
// Integers that are computed from thread ids fit into 32 bits. This pass
// applies upstream's patterns (arith-int-range-narrowing). In LLVM 22 these
// patterns also narrow ops that compute something else in 32 bits:
//
//   - a shift by 32 bits or more, for example one that extracts the upper half
//     of a 64-bit number (fixed in llvm/llvm-project#218495);
//   - a signed op or comparison of numbers from 2^31 to 2^32, which are
//     negative in 32 bits (#189676), or an op with the nsw flag;
//   - an unsigned division of a negative number, which is about 2^64 as an
//     unsigned number, or 2^32 in 32 bits.
//
// The pass excludes these ops. It also narrows the comparison of an integer of
// 32 bits that was extended with its sign, such as an entry of a table, with a
// number from 0 to 2^31 - 1: as unsigned numbers, negative ones are larger.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "RangeAnalysis.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUNARROWINTEGERSPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The width of a narrow integer.
constexpr static unsigned narrowWidth = 32;

/// Returns whether the sign of an operand matters to `op`.
static bool isSigned(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compare.getPredicate();
    return predicate >= arith::CmpIPredicate::slt &&
           predicate <= arith::CmpIPredicate::sge;
  }
  return isa<arith::CeilDivSIOp, arith::DivSIOp, arith::FloorDivSIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MulSIExtendedOp,
             arith::RemSIOp, arith::ShRSIOp>(op);
}

/// Returns whether the bits of an operand above those that are kept matter to
/// `op`.
static bool isUnsigned(Operation *op) {
  return isa<arith::CeilDivUIOp, arith::DivUIOp, arith::MulUIExtendedOp,
             arith::RemUIOp, arith::ShRUIOp>(op);
}

/// Returns whether `op` states that its result does not wrap as a signed
/// number.
static bool isWithoutSignedWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// Returns whether `op` computes the same in 32 bits. Its operands and results
/// must fit.
static bool mayNarrow(Operation *op, DataFlowSolver &solver) {
  auto getRange = [&](Value value) -> std::optional<ConstantIntRanges> {
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!state || state->getValue().isUninitialized())
      return std::nullopt;
    return state->getValue().getValue();
  };
  auto isSignedNarrow = [&](Value value) {
    std::optional<ConstantIntRanges> range = getRange(value);
    return range && range->smin().isSignedIntN(narrowWidth) &&
           range->smax().isSignedIntN(narrowWidth);
  };
  auto isUnsignedNarrow = [&](Value value) {
    std::optional<ConstantIntRanges> range = getRange(value);
    return range && range->umax().isIntN(narrowWidth);
  };
  bool isWithoutWrap = isWithoutSignedWrap(op);
  if ((isSigned(op) || isWithoutWrap) &&
      !llvm::all_of(op->getOperands(), isSignedNarrow))
    return false;
  if (isWithoutWrap && !llvm::all_of(op->getResults(), isSignedNarrow))
    return false;
  if (isUnsigned(op) && !llvm::all_of(op->getOperands(), isUnsignedNarrow))
    return false;
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
    std::optional<ConstantIntRanges> amount = getRange(op->getOperand(1));
    return amount && amount->umax().ult(narrowWidth);
  }
  return true;
}

namespace {
/// Replaces ult(extend(x), n) by ult(x, n) in 32 bits, for n from 0 to 2^31 -
/// 1. The same holds for ule, uge and ugt.
class NarrowExtendedCompare : public OpRewritePattern<arith::CmpIOp> {
public:
  NarrowExtendedCompare(MLIRContext *context, DataFlowSolver &solver)
      : OpRewritePattern(context), solver(solver) {}

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    switch (op.getPredicate()) {
    case arith::CmpIPredicate::ult:
    case arith::CmpIPredicate::ule:
    case arith::CmpIPredicate::ugt:
    case arith::CmpIPredicate::uge:
      break;
    default:
      return failure();
    }
    Operation *extend = op.getLhs().getDefiningOp();
    if (!isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(extend) ||
        !extend->getOperand(0).getType().isInteger(narrowWidth))
      return failure();
    auto *state =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(op.getRhs());
    if (!state || state->getValue().isUninitialized() ||
        !state->getValue().getValue().smin().isNonNegative() ||
        !state->getValue().getValue().smax().isSignedIntN(narrowWidth))
      return failure();
    Type narrow = rewriter.getIntegerType(narrowWidth);
    Location loc = op.getLoc();
    Value number =
        op.getRhs().getType().isIndex()
            ? arith::IndexCastOp::create(rewriter, loc, narrow, op.getRhs())
                  .getResult()
            : arith::TruncIOp::create(rewriter, loc, narrow, op.getRhs())
                  .getResult();
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                               extend->getOperand(0), number);
    return success();
  }

private:
  DataFlowSolver &solver;
};

/// Forgets the ranges of erased ops. Upstream's pass has such a listener, but
/// does not export it.
class ForgetErased : public RewriterBase::Listener {
public:
  explicit ForgetErased(DataFlowSolver &solver) : solver(solver) {}

  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }

private:
  DataFlowSolver &solver;
};
} // namespace

static LogicalResult narrowValues(Operation *scope) {
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<RangeAnalysis>();
  if (failed(solver.initializeAndRun(scope)))
    return failure();
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (op != scope && mayNarrow(op, solver))
      ops.push_back(op);
  });
  RewritePatternSet patterns(scope->getContext());
  arith::populateIntRangeNarrowingPatterns(patterns, solver, {narrowWidth});
  patterns.add<NarrowExtendedCompare>(scope->getContext(), solver);
  ForgetErased listener(solver);
  GreedyRewriteConfig config;
  config.setListener(&listener).setStrictness(
      GreedyRewriteStrictness::ExistingAndNewOps);
  // Users come first, because comparisons ask for the ranges of their original
  // operands.
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

namespace {
struct LinalgExtGPUNarrowIntegersPass
    : public linalg_ext::impl::LinalgExtGPUNarrowIntegersPassBase<
          LinalgExtGPUNarrowIntegersPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"block-ids",
         [&] {
           narrowBlockIds(rewriter, scope);
           return success();
         }},
        {"loops", [&] { return narrowLoops(rewriter, scope); }},
        {"floats", [&] { return addFloats(rewriter, scope); }},
        {"values", [&] { return narrowValues(scope); }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
