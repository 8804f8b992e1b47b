//===- MaxByIntegers.cpp - The maximum of three numbers at a time ---------===//
//
// Online reductions take the maximum of the scores that a thread has in a tile,
// and of those before. A GPU may have an instruction for the maximum of three
// integers, but none for three floats. Floats that are not negative are ordered
// as the integers of the same bits, and those of negative ones are smaller. So
// where the maximum before is not negative, that of integers is the same number:
//
//   %max = maximumf %before, %scores     // a chain for each row
//
//   %max = if all threads of the subgroup have no sign in %before
//     maxsi of the bits of the scores
//   else
//     maximumf of the scores
//
// A score that is NaN with a sign is not seen by integers. But its power is no
// number, either, nor is what is computed from it: this is done only for scores
// of which powers are taken.
//
//===----------------------------------------------------------------------===//

#include "MaxByIntegers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// So many scores of a row are worth a branch.
static constexpr size_t kBranchElements = 16;
/// The most rows of which a thread has scores.
static constexpr int64_t kMostRows = 4;

namespace {
/// A chain of maxima: what it is of, and its last one.
struct MaxChain {
  SmallVector<Value> leaves;
  Operation *last = nullptr;
};
} // namespace

/// Whether powers are computed of `value`, a score of a thread or a vector of
/// them.
static bool hasPower(Value value, unsigned depth = 6) {
  return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (isa<math::ExpOp, math::Exp2Op>(user))
             return true;
           return isa<arith::MulFOp, arith::SubFOp, arith::AddFOp,
                      arith::SelectOp>(user) &&
                  hasPower(user->getResult(0), depth - 1);
         });
}

/// What other threads of the row have is left out of `value`.
static Value dropShuffles(Value value) {
  while (auto max = value.getDefiningOp<arith::MaximumFOp>()) {
    auto shuffle = max.getRhs().getDefiningOp<gpu::ShuffleOp>();
    if (!shuffle || shuffle.getValue() != max.getLhs())
      break;
    value = max.getLhs();
  }
  return value;
}

/// The chain of which `value` is the last maximum; none if it is short, or if
/// nobody computes powers of its scores.
static std::optional<MaxChain> getChain(Value value) {
  MaxChain chain;
  chain.last = value.getDefiningOp<arith::MaximumFOp>();
  while (auto max = value.getDefiningOp<arith::MaximumFOp>()) {
    if (max != chain.last && !max->hasOneUse())
      return std::nullopt;
    chain.leaves.push_back(max.getRhs());
    value = max.getLhs();
  }
  chain.leaves.push_back(value);
  bool isPowered = llvm::all_of(chain.leaves, [](Value leaf) {
    auto extract = leaf.getDefiningOp<vector::ExtractOp>();
    return extract && hasPower(extract.getSource());
  });
  if (!chain.last || chain.leaves.size() < kBranchElements || !isPowered)
    return std::nullopt;
  std::reverse(chain.leaves.begin(), chain.leaves.end());
  return chain;
}

/// The chains of the rows of `scores`, a factor of the maximum that follows.
static SmallVector<MaxChain> getChains(Value scores) {
  if (auto product = scores.getDefiningOp<arith::MulFOp>()) {
    APFloat factor(0.0f);
    if (!matchPattern(product.getRhs(), m_ConstantFloat(&factor)) ||
        factor.isNegative())
      return {};
    scores = product.getLhs();
  }
  auto rows = scores.getDefiningOp<vector::FromElementsOp>();
  if (!rows)
    return {};
  SmallVector<MaxChain> chains;
  for (Value row : rows.getElements()) {
    std::optional<MaxChain> chain = getChain(dropShuffles(row));
    if (!chain || (!chains.empty() && chains.front().last->getBlock() !=
                                          chain->last->getBlock()))
      return {};
    chains.push_back(std::move(*chain));
  }
  return chains;
}

/// Builds the maximum of `leaves` with `build`.
static Value buildChain(ArrayRef<Value> leaves,
                        function_ref<Value(Value, Value)> build) {
  Value max = leaves.front();
  for (Value leaf : leaves.drop_front())
    max = build(max, leaf);
  return max;
}

static void rewrite(RewriterBase &rewriter, Value before,
                    ArrayRef<MaxChain> chains, VoteAll all) {
  Operation *last = chains.front().last;
  for (const MaxChain &chain : chains)
    if (last->isBeforeInBlock(chain.last))
      last = chain.last;
  rewriter.setInsertionPointAfter(last);
  ImplicitLocOpBuilder b(last->getLoc(), rewriter);
  auto type = cast<VectorType>(before.getType());
  Type integer = b.getI32Type(), number = b.getF32Type();
  Value bits =
      arith::BitcastOp::create(b, type.clone(integer), before).getResult();
  Value signs;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(b, bits, i);
    signs = signs ? arith::OrIOp::create(b, signs, element).getResult()
                  : element;
  }
  Value isPositive =
      all(b, b.getLoc(),
          arith::CmpIOp::create(b, arith::CmpIPredicate::sge, signs,
                                arith::ConstantIntOp::create(b, integer, 0)));
  SmallVector<Type> types(chains.size(), number);
  auto branch =
      scf::IfOp::create(b, types, isPositive, /*withElseRegion=*/true);
  auto build = [&](Block *block, function_ref<Value(ArrayRef<Value>)> of) {
    b.setInsertionPointToStart(block);
    SmallVector<Value> results;
    for (const MaxChain &chain : chains)
      results.push_back(of(chain.leaves));
    scf::YieldOp::create(b, results);
  };
  build(branch.thenBlock(), [&](ArrayRef<Value> leaves) -> Value {
    SmallVector<Value> integers;
    for (Value leaf : leaves)
      integers.push_back(arith::BitcastOp::create(b, integer, leaf));
    Value max = buildChain(integers, [&](Value lhs, Value rhs) -> Value {
      return arith::MaxSIOp::create(b, lhs, rhs);
    });
    return arith::BitcastOp::create(b, number, max);
  });
  build(branch.elseBlock(), [&](ArrayRef<Value> leaves) {
    return buildChain(leaves, [&](Value lhs, Value rhs) -> Value {
      return arith::MaximumFOp::create(b, lhs, rhs);
    });
  });
  for (auto [chain, result] : llvm::zip_equal(chains, branch.getResults())) {
    rewriter.replaceAllUsesWith(chain.last->getResult(0), result);
    for (Operation *op = chain.last; op && op->use_empty();) {
      Operation *previous =
          op->getOperand(0).getDefiningOp<arith::MaximumFOp>();
      rewriter.eraseOp(op);
      op = previous;
    }
  }
}

void mlir::linalg_ext::maxByIntegers(Operation *scope, VoteAll all) {
  SmallVector<std::pair<Value, SmallVector<MaxChain>>> found;
  scope->walk([&](arith::MaximumFOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || type.isScalable() ||
        type.getNumElements() > kMostRows || !type.getElementType().isF32())
      return;
    for (unsigned i : {0, 1}) {
      SmallVector<MaxChain> chains = getChains(op->getOperand(i));
      Value before = op->getOperand(1 - i);
      if (chains.empty() || !isa<BlockArgument>(before))
        continue;
      found.emplace_back(before, std::move(chains));
      break;
    }
  });
  IRRewriter rewriter(scope->getContext());
  for (auto &[before, chains] : found)
    rewrite(rewriter, before, chains, all);
}
