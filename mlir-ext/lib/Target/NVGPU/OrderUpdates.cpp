//===- OrderUpdates.cpp - Early updates of small values -------------------===//
//
// Some loop-carried values are not used by the rest of the iteration, such as
// the sum of the weights in attention. The assembler schedules their updates
// last. The terms of the sum then stay in registers, in addition to the
// operands that are made from the same terms. If the loop scales its largest
// accumulator by a factor, this step makes the factor depend on these updates,
// by inline assembly that does not change its value. The updates then come
// first. If there were enough registers, this costs a little time.
//
//===----------------------------------------------------------------------===//

#include "CarriedWords.h"
#include "RegisterWorkarounds.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static Value createAssembly(OpBuilder &b, Location loc, ValueRange operands,
                            StringRef text, StringRef constraints) {
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  return LLVM::InlineAsmOp::create(b, loc, b.getI32Type(), operands, text,
                                   constraints, /*has_side_effects=*/false,
                                   /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, dialect,
                                   ArrayAttr())
      .getResult(0);
}

/// If `loop` scales the accumulators `number` by registers of a vector of f32,
/// returns the op that takes these registers.
static vector::ShuffleOp getFactor(scf::ForOp loop, unsigned number) {
  for (Operation *user : loop.getRegionIterArg(number).getUsers()) {
    auto scale = dyn_cast<arith::MulFOp>(user);
    if (!scale || scale->getBlock() != loop.getBody())
      continue;
    for (Value operand : scale->getOperands()) {
      auto factor = operand.getDefiningOp<vector::ShuffleOp>();
      if (factor && factor->getBlock() == loop.getBody() &&
          factor.getV1() == factor.getV2() && factor->hasOneUse() &&
          factor.getV1VectorType().getElementType().isF32() &&
          factor.getV1VectorType().getRank() == 1)
        return factor;
    }
  }
  return {};
}

/// Returns the ops after `factor` that `value` needs. Fails if `value` needs
/// the factor, or an op with side effects.
static FailureOr<llvm::SetVector<Operation *>> getNeeded(Value value,
                                                         Operation *factor) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != factor->getBlock())
    return failure();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == factor->getBlock() && !op->isBeforeInBlock(factor);
  };
  if (failed(getBackwardSlice(op, &slice, options)))
    return failure();
  for (Operation *needed : slice)
    if (needed == factor || !isPure(needed) || needed->getNumRegions() != 0)
      return failure();
  return slice;
}

/// Returns the number of terms in `block` whose sum is `value`, in words.
static int64_t countTerms(Value value, Block *block) {
  int64_t terms = 0;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getBlock() != block)
      continue;
    if (isa<arith::AddFOp>(op))
      terms += getWords(values[i].getType());
    if (isa<arith::AddFOp, vector::FromElementsOp, vector::ExtractOp>(op))
      values.insert_range(op->getOperands());
  }
  return terms;
}

/// Returns whether `loop` continues where another loop ended, as for a
/// remainder of few iterations.
static bool isContinuation(scf::ForOp loop) {
  return llvm::any_of(loop.getInitArgs(), [](Value init) {
    return isa_and_present<scf::ForOp>(init.getDefiningOp());
  });
}

/// Ordering pays in a loop that continues no other one if the small values are
/// sums of at least this many words.
static constexpr int64_t kManyTerms = 64;

/// Orders the updates of `loop`, which carries values.
static void orderUpdatesOf(RewriterBase &rewriter, scf::ForOp loop) {
  unsigned largest = 0;
  for (unsigned i = 1; i < loop.getNumResults(); ++i)
    if (getWords(loop.getResult(i).getType()) >
        getWords(loop.getResult(largest).getType()))
      largest = i;
  vector::ShuffleOp factor = getFactor(loop, largest);
  if (!factor)
    return;
  VectorType type = factor.getV1VectorType();
  // The factor's operands are computed before it in any case.
  llvm::SetVector<Operation *> before;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  if (failed(getBackwardSlice(factor.getOperation(), &before, options)))
    return;
  SmallVector<Value> others;
  SmallVector<Operation *> needed;
  int64_t terms = 0;
  for (auto [i, value] : llvm::enumerate(loop.getYieldedValues())) {
    if (i == largest || value.getType() != type ||
        before.contains(value.getDefiningOp()))
      continue;
    FailureOr<llvm::SetVector<Operation *>> ops = getNeeded(value, factor);
    if (failed(ops))
      continue;
    others.push_back(value);
    llvm::append_range(needed, *ops);
    terms += countTerms(value, loop.getBody());
  }
  if (others.empty() || (terms < kManyTerms && !isContinuation(loop)))
    return;
  for (Operation *op : needed)
    if (!op->isBeforeInBlock(factor))
      rewriter.moveOpBefore(op, factor);

  // This number is always 0, because a grid has fewer than 2^31 workgroups. The
  // assembler does not know that.
  rewriter.setInsertionPoint(loop);
  Location loc = factor.getLoc();
  Value zero = createAssembly(
      rewriter, loc, ValueRange(),
      "{ .reg .b32 n; mov.u32 n, %nctaid.x; shr.u32 $0, n, 31; }", "=r");
  rewriter.setInsertionPoint(factor);
  Type bits = rewriter.getI32Type(), element = type.getElementType();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    auto extract = [&](Value vector) {
      Value one = vector::ExtractOp::create(rewriter, loc, vector, i);
      return arith::BitcastOp::create(rewriter, loc, bits, one).getResult();
    };
    Value result = extract(factor.getV1());
    for (Value other : others)
      result = createAssembly(rewriter, loc, {extract(other), zero, result},
                              "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r");
    elements.push_back(
        arith::BitcastOp::create(rewriter, loc, element, result));
  }
  Value ordered = vector::FromElementsOp::create(rewriter, loc, type, elements);
  rewriter.modifyOpInPlace(factor, [&] {
    factor.getV1Mutable().assign(ordered);
    factor.getV2Mutable().assign(ordered);
  });
}

void mlir::linalg_ext::orderUpdates(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](scf::ForOp loop) {
    if (getCarriedWords(loop) >= kManyCarriedWords)
      orderUpdatesOf(rewriter, loop);
  });
}
