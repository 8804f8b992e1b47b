//===- AssumeBranches.cpp - What branches around a launch imply -----------===//
//
// A kernel for rows of at least n elements is launched in a branch. Its body
// can therefore assume n elements, and distribution can drop the bounds check
// of these elements.
//
//   1. Collect the ranges that follow from the conditions of the branches
//      around the launch.
//   2. In the body, replace each value with a range by a vector_ext.assume.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The bounds of a value, where they are known.
struct KnownRange {
  std::optional<int64_t> least, most;
};
using Ranges = llvm::MapVector<Value, KnownRange>;
} // namespace

/// Adds to `ranges` the bounds that follow if `cmp` is true, or false.
static void addComparison(arith::CmpIOp cmp, bool isTrue, Ranges &ranges) {
  using arith::CmpIPredicate;
  CmpIPredicate predicate = cmp.getPredicate();
  if (!isTrue)
    predicate = arith::invertPredicate(predicate);
  // Put the value on the left and the bound on the right.
  Value value = cmp.getLhs();
  std::optional<int64_t> bound = getConstantIntValue(cmp.getRhs());
  if (!bound || !value.getType().isIndex())
    return;
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min(),
                    largest = std::numeric_limits<int64_t>::max();
  std::optional<int64_t> least, most;
  if (predicate == CmpIPredicate::eq)
    least = most = *bound;
  else if (predicate == CmpIPredicate::sge)
    least = *bound;
  else if (predicate == CmpIPredicate::sgt && *bound < largest)
    least = *bound + 1;
  else if (predicate == CmpIPredicate::sle)
    most = *bound;
  else if (predicate == CmpIPredicate::slt && *bound > lowest)
    most = *bound - 1;
  // An unsigned number is below the bound, and the bound is positive as a
  // signed number.
  else if (predicate == CmpIPredicate::ule && *bound >= 0)
    std::tie(least, most) = std::pair(0, *bound);
  else if (predicate == CmpIPredicate::ult && *bound > 0)
    std::tie(least, most) = std::pair(0, *bound - 1);
  if (!least && !most)
    return;
  KnownRange &range = ranges[value];
  if (least)
    range.least = std::max(range.least.value_or(*least), *least);
  if (most)
    range.most = std::min(range.most.value_or(*most), *most);
}

/// Adds to `ranges` the bounds that follow if `condition` is true, or false.
static void addCondition(Value condition, bool isTrue, Ranges &ranges) {
  Operation *op = condition.getDefiningOp();
  if (auto cmp = dyn_cast_if_present<arith::CmpIOp>(op))
    return addComparison(cmp, isTrue, ranges);
  bool isBoth = isTrue ? isa_and_present<arith::AndIOp>(op)
                       : isa_and_present<arith::OrIOp>(op);
  if (isBoth)
    for (Value operand : op->getOperands())
      addCondition(operand, isTrue, ranges);
  if (isa_and_present<arith::XOrIOp>(op) &&
      matchPattern(op->getOperand(1), m_One()))
    addCondition(op->getOperand(0), !isTrue, ranges);
}

bool mlir::linalg_ext::assumeBranches(RewriterBase &rewriter,
                                      gpu::LaunchOp launch) {
  Ranges ranges;
  for (Operation *op = launch; auto branch = op->getParentOfType<scf::IfOp>();
       op = branch)
    addCondition(branch.getCondition(),
                 branch.getThenRegion().isAncestor(op->getParentRegion()),
                 ranges);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  auto isInBody = [&](OpOperand &use) {
    return launch.getBody().isAncestor(use.getOwner()->getParentRegion());
  };
  bool changed = false;
  for (auto [value, range] : ranges) {
    if (llvm::none_of(value.getUses(), isInBody) ||
        (range.least && range.most && *range.least > *range.most))
      continue;
    Value assumed = vector_ext::AssumeOp::create(
        rewriter, launch.getLoc(), value, range.least, range.most);
    rewriter.replaceUsesWithIf(value, assumed, [&](OpOperand &use) {
      return use.getOwner() != assumed.getDefiningOp() && isInBody(use);
    });
    changed = true;
  }
  return changed;
}
