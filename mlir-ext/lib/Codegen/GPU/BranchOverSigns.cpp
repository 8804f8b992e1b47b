//===- BranchOverSigns.cpp - Maxima of multiples without products ---------===//
//
// Scores of f8 have the scales of two tensors as a factor, one number u for all
// of them whose sign is not known. A thread would multiply all of its scores to
// find the maximum of a row, and again in the exponents. In the code of a
// thread, this step takes the maximum, or the minimum, of what is multiplied:
//
//   max of u x_i   ->   u (u >= 0 ? max of x_i : min of x_i)
//
// This has the same bits, as rounding is monotonic, and NaN where an x_i or u
// is NaN. Only a product of 0 and infinity that is not the maximum is lost: an
// infinite x_i where u is 0, or an x_i of 0 where u is infinite. The weight of
// such a score is NaN anyway, so the row is. All threads take the same side of
// the branch.
//
// Kernels with synchronous products keep theirs: those that decode spilled with
// the branch (docs/Decisions/0175).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Maxima of elements of the product of a vector and a number.
struct MaximaOfMultiples {
  Value vector, number;
  SmallVector<vector::ExtractOp> elements;
  /// The ops that combine the elements, in order.
  SmallVector<arith::MaximumFOp> maxima;
  /// The maxima that other ops read.
  SmallVector<arith::MaximumFOp> results;
};
} // namespace

/// Matches `product`, of which nothing but maxima is needed.
static std::optional<MaximaOfMultiples> matchMaxima(arith::MulFOp product,
                                                    int64_t minElements) {
  auto type = dyn_cast<VectorType>(product.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getNumElements() < minElements || !type.getElementType().isF32())
    return std::nullopt;
  MaximaOfMultiples result;
  for (unsigned side : {1, 0})
    if (auto broadcast =
            product->getOperand(side).getDefiningOp<vector::BroadcastOp>();
        broadcast && broadcast.getSourceType().isF32() &&
        !matchPattern(broadcast.getSource(), m_Constant())) {
      result.number = broadcast.getSource();
      result.vector = product->getOperand(1 - side);
    }
  if (!result.number)
    return std::nullopt;
  llvm::SmallPtrSet<Operation *, 32> known;
  for (Operation *user : product->getUsers()) {
    auto element = dyn_cast<vector::ExtractOp>(user);
    if (!element || !element.getType().isF32() ||
        !element.getDynamicPosition().empty() ||
        element->getBlock() != product->getBlock())
      return std::nullopt;
    result.elements.push_back(element);
    known.insert(element);
  }
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode()) {
    auto maximum = dyn_cast<arith::MaximumFOp>(op);
    if (!maximum || !llvm::all_of(op->getOperands(), [&](Value operand) {
          return known.contains(operand.getDefiningOp());
        }))
      continue;
    known.insert(op);
    result.maxima.push_back(maximum);
  }
  auto isInside = [&](Operation *op) { return known.contains(op); };
  for (arith::MaximumFOp maximum : result.maxima)
    if (!llvm::all_of(maximum->getUsers(), isInside))
      result.results.push_back(maximum);
  // Nothing else needs an element, and all maxima are there before one is read.
  bool areCombined =
      llvm::all_of(result.elements, [&](vector::ExtractOp element) {
        return llvm::all_of(element->getUsers(), isInside);
      });
  if (!areCombined || result.results.empty())
    return std::nullopt;
  for (arith::MaximumFOp maximum : result.results)
    for (Operation *user : maximum->getUsers()) {
      Operation *ancestor = product->getBlock()->findAncestorOpInBlock(*user);
      if (isInside(user) || !ancestor ||
          !result.maxima.back()->isBeforeInBlock(ancestor))
        return std::nullopt;
    }
  return result;
}

/// Builds the maxima, or minima, of elements of the vector, and yields them.
static void buildSide(OpBuilder &b, Location loc,
                      const MaximaOfMultiples &multiples, bool isMax) {
  IRMapping mapping;
  for (vector::ExtractOp element : multiples.elements)
    mapping.map(element.getResult(),
                vector::ExtractOp::create(b, loc, multiples.vector,
                                          element.getMixedPosition())
                    .getResult());
  for (arith::MaximumFOp maximum : multiples.maxima) {
    Value lhs = mapping.lookup(maximum.getLhs()),
          rhs = mapping.lookup(maximum.getRhs());
    mapping.map(maximum.getResult(),
                isMax ? arith::MaximumFOp::create(b, loc, lhs, rhs).getResult()
                      : arith::MinimumFOp::create(b, loc, lhs, rhs));
  }
  SmallVector<Value> results;
  for (arith::MaximumFOp maximum : multiples.results)
    results.push_back(mapping.lookup(maximum.getResult()));
  scf::YieldOp::create(b, loc, results);
}

void mlir::linalg_ext::branchOverSigns(RewriterBase &rewriter, Operation *scope,
                                       int64_t minElements) {
  SmallVector<arith::MulFOp> products;
  llvm::SmallDenseMap<Operation *, bool> isAsync;
  scope->walk([&](arith::MulFOp product) {
    auto launch = product->getParentOfType<gpu::LaunchOp>();
    auto [it, isNew] = isAsync.try_emplace(launch, true);
    if (isNew && launch)
      it->second = launch
                       .walk([](vector_ext::AsyncMmaOp) {
                         return WalkResult::interrupt();
                       })
                       .wasInterrupted();
    if (it->second)
      products.push_back(product);
  });
  for (arith::MulFOp product : products) {
    std::optional<MaximaOfMultiples> multiples =
        matchMaxima(product, minElements);
    if (!multiples)
      continue;
    Location loc = product.getLoc();
    rewriter.setInsertionPointAfter(multiples->maxima.back());
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
    Value isPositive = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGE, multiples->number, zero);
    auto branch = scf::IfOp::create(
        rewriter, loc, isPositive,
        [&](OpBuilder &b, Location loc) {
          buildSide(b, loc, *multiples, /*isMax=*/true);
        },
        [&](OpBuilder &b, Location loc) {
          buildSide(b, loc, *multiples, /*isMax=*/false);
        });
    for (auto [maximum, value] :
         llvm::zip_equal(multiples->results, branch.getResults())) {
      Value scaled =
          arith::MulFOp::create(rewriter, loc, value, multiples->number);
      rewriter.replaceAllUsesWith(maximum.getResult(), scaled);
    }
    for (arith::MaximumFOp maximum : llvm::reverse(multiples->maxima))
      rewriter.eraseOp(maximum);
    for (vector::ExtractOp element : multiples->elements)
      rewriter.eraseOp(element);
    rewriter.eraseOp(product);
  }
}
