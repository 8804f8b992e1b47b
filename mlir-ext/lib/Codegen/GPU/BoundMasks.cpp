//===- BoundMasks.cpp - Mask bounds from the grid size --------------------===//
//
// A kernel for rows of at least n elements has an empty grid if the rows are
// shorter. Its body can therefore assume n elements, and distribution can drop
// the bounds check of these elements.
//
//   1. Collect the minima that follow from a grid size that is not 0.
//   2. Replace each mask size by max(size, minimum).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The least that values are known to be.
using Minima = llvm::DenseMap<Value, int64_t>;

/// Adds what is known if `value`, which is not negative, is not 0. Factors are
/// then not 0 either, nor is what something not negative is subtracted from.
static void collectMinima(Value value, Minima &minima) {
  int64_t &known = minima.try_emplace(value, 1).first->second;
  known = std::max<int64_t>(known, 1);
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isa<arith::MulIOp, arith::MinUIOp>(op)) {
    for (Value operand : op->getOperands())
      collectMinima(operand, minima);
  } else if (auto difference = dyn_cast<arith::SubIOp>(op)) {
    if (isa_and_present<arith::MinUIOp>(difference.getRhs().getDefiningOp()))
      collectMinima(difference.getLhs(), minima);
  } else if (auto quotient = dyn_cast<arith::DivUIOp>(op)) {
    std::optional<int64_t> divisor = getConstantIntValue(quotient.getRhs());
    if (divisor && *divisor > 0) {
      collectMinima(quotient.getLhs(), minima);
      int64_t &least = minima[quotient.getLhs()];
      least = std::max(least, *divisor);
    }
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    // A number of tiles of one of its operands.
    auto quotient =
        dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
    if (quotient && quotient.getKind() == AffineExprKind::CeilDiv &&
        isa<AffineDimExpr, AffineSymbolExpr>(quotient.getLHS()) &&
        isa<AffineConstantExpr>(quotient.getRHS()) &&
        apply.getMapOperands().size() == 1)
      collectMinima(apply.getMapOperands().front(), minima);
  }
}

static std::optional<int64_t> getMinimum(Value value, const Minima &minima);

/// The least that `expr` of `operands` is known to be.
static std::optional<int64_t> getMinimum(AffineExpr expr, ValueRange operands,
                                         unsigned numDims,
                                         const Minima &minima) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getMinimum(operands[dim.getPosition()], minima);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getMinimum(operands[numDims + symbol.getPosition()], minima);
  return std::nullopt;
}

/// The least that `value` is known to be, if anything is.
static std::optional<int64_t> getMinimum(Value value, const Minima &minima) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto it = minima.find(value); it != minima.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast_if_present<arith::MulIOp>(op)) {
    std::optional<int64_t> lhs = getMinimum(product.getLhs(), minima),
                           rhs = getMinimum(product.getRhs(), minima);
    if (lhs && rhs && *lhs >= 0 && *rhs >= 0)
      return *lhs * *rhs;
  }
  if (auto quotient = dyn_cast_if_present<arith::DivUIOp>(op)) {
    std::optional<int64_t> lhs = getMinimum(quotient.getLhs(), minima),
                           rhs = getConstantIntValue(quotient.getRhs());
    if (lhs && rhs && *lhs >= 0 && *rhs > 0)
      return *lhs / *rhs;
  }
  if (auto min = dyn_cast_if_present<affine::AffineMinOp>(op)) {
    std::optional<int64_t> least;
    for (AffineExpr expr : min.getAffineMap().getResults()) {
      std::optional<int64_t> here = getMinimum(
          expr, min.getOperands(), min.getAffineMap().getNumDims(), minima);
      if (!here)
        return std::nullopt;
      least = least ? std::min(*least, *here) : *here;
    }
    return least;
  }
  return std::nullopt;
}

bool mlir::linalg_ext::boundMasks(RewriterBase &rewriter,
                                  gpu::LaunchOp launch) {
  Minima minima;
  for (Value size :
       {launch.getGridSizeX(), launch.getGridSizeY(), launch.getGridSizeZ()})
    collectMinima(size, minima);
  OpBuilder::InsertionGuard guard(rewriter);
  bool changed = false;
  launch.getBody().walk([&](vector::CreateMaskOp mask) {
    rewriter.setInsertionPoint(mask);
    for (OpOperand &size : mask->getOpOperands()) {
      std::optional<int64_t> least = getMinimum(size.get(), minima);
      if (!least || *least < 2 || getConstantIntValue(size.get()))
        continue;
      // What the size is a multiple of is known afterwards, too.
      int64_t divisor = vector_ext::getKnownDivisor(size.get());
      Value bound = arith::MaxSIOp::create(
          rewriter, mask.getLoc(), size.get(),
          arith::ConstantIndexOp::create(
              rewriter, mask.getLoc(),
              llvm::alignTo(*least, std::max<int64_t>(divisor, 1))));
      rewriter.modifyOpInPlace(mask, [&] { size.set(bound); });
      changed = true;
    }
  });
  return changed;
}
