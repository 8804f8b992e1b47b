//===- PeelRemainders.cpp - Peeling of partial tiles ----------------------===//
//
// Applies upstream's peeling of scf.for, but only to loops in which it makes
// tile sizes constant. If all tiles of a loop are whole, as those of a chunk of
// several are, there is nothing to peel: then their sizes are only simplified.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Divisor.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/AffineCanonicalizationUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether a tile size in the body is the minimum of the step and the
/// rest of the range. A constant upper bound is part of the map of the
/// affine.min, and not an operand. In this case, any affine.min of the
/// induction variable counts.
static bool boundsTiles(scf::ForOp loop) {
  bool isStatic = getConstantIntValue(loop.getUpperBound()).has_value();
  return loop
      .walk([&](affine::AffineMinOp op) {
        return llvm::is_contained(op.getOperands(), loop.getInductionVar()) &&
                       (isStatic || llvm::is_contained(op.getOperands(),
                                                       loop.getUpperBound()))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `value` has elements of more than 16 bits. The result of an
/// elementwise op does not count if the op only reads elements of at most 16
/// bits, and extends them.
static bool isWide(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() <= 16)
    return false;
  // A product with a diagonal matrix only scales rows.
  if (value.getDefiningOp<linalg_ext::DiagOp>())
    return false;
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || !linalg::isElementwise(producer))
    return true;
  return producer.getNumDpsInputs() == 0 ||
         llvm::any_of(producer.getDpsInputs(), isWide);
}

bool mlir::linalg_ext::multipliesWideElements(scf::ForOp loop) {
  return loop
      .walk([](linalg::LinalgOp op) {
        return linalg::isaContractionOpInterface(op) &&
                       llvm::all_of(op.getDpsInputs(), isWide)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether the last iteration of `loop` is as fast as the others,
/// because it only sums asynchronous products of slices. The copies of slices
/// write zeros where nothing exists. A separate loop for this iteration would
/// have to wait for its first tiles.
static bool sumsAsyncProducts(scf::ForOp loop) {
  Operation *kernel = loop;
  while (kernel && !vector_ext::getKernelMark(kernel))
    kernel = kernel->getParentOp();
  if (!kernel || !vector_ext::isMarkedAsync(kernel))
    return false;
  return !loop.walk([](linalg::LinalgOp op) {
                return linalg::isaContractionOpInterface(op) &&
                               llvm::all_of(op.getDpsInputs(),
                                            [](Value input) {
                                              return input.getDefiningOp<
                                                  tensor::ExtractSliceOp>();
                                            })
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

int64_t mlir::linalg_ext::getDivisor(OpFoldResult folded, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(folded))
    return std::abs(*constant);
  auto value = dyn_cast<Value>(folded);
  if (!value || depth == 0)
    return 1;
  // What a loop counts.
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> ids;
    std::optional<SmallVector<OpFoldResult>> lower, steps;
    if (loop) {
      ids = loop.getLoopInductionVars();
      lower = loop.getLoopLowerBounds();
      steps = loop.getLoopSteps();
    }
    if (!ids || !lower || !steps)
      return 1;
    for (auto [id, lb, step] : llvm::zip(*ids, *lower, *steps))
      if (id == arg)
        return std::gcd(getDivisor(lb, depth - 1), getDivisor(step, depth - 1));
    return 1;
  }
  // What is computed of multiples.
  Operation *op = value.getDefiningOp();
  AffineMap map;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getAffineMap();
  else
    return 1;
  SmallVector<AffineExpr> dims, symbols;
  for (auto [position, operand] : llvm::enumerate(op->getOperands())) {
    bool isDim = position < map.getNumDims();
    AffineExpr expr = isDim ? getAffineDimExpr(position, op->getContext())
                            : getAffineSymbolExpr(position - map.getNumDims(),
                                                  op->getContext());
    (isDim ? dims : symbols).push_back(expr * getDivisor(operand, depth - 1));
  }
  int64_t divisor = 0;
  for (AffineExpr expr : map.getResults())
    divisor = std::gcd(
        divisor,
        expr.replaceDimsAndSymbols(dims, symbols).getLargestKnownDivisor());
  return divisor;
}

/// Whether all tiles of `loop` are known to be whole.
static bool hasWholeTiles(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return step && *step > 0 && getDivisor(loop.getLowerBound()) % *step == 0 &&
         getDivisor(loop.getUpperBound()) % *step == 0;
}

/// Returns whether the last, partial tile of `loop` has groups of elements, of
/// values that are unpacked or scaled, which are merged to a part of a matrix
/// instruction. A vector of it would have to be filled behind the merge. As a
/// tile of the loop, it has fewer groups than the vector.
static bool endsInsideInstruction(scf::ForOp loop) {
  constexpr int64_t kInstruction = 16;
  std::optional<int64_t> lb = getConstantIntValue(loop.getLowerBound()),
                         ub = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lb || !ub || !step || *step <= 0 ||
      (*ub - *lb) % *step % kInstruction == 0)
    return false;
  return loop
      .walk([](tensor::CollapseShapeOp op) {
        return mergesParts(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

void mlir::linalg_ext::peelRemainders(RewriterBase &rewriter, Operation *scope,
                                      bool wideProducts) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) {
    if (boundsTiles(loop) && !sumsAsyncProducts(loop) &&
        !endsInsideInstruction(loop) &&
        (wideProducts || !multipliesWideElements(loop)))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    if (hasWholeTiles(loop)) {
      SmallVector<affine::AffineMinOp> sizes;
      loop.walk([&](affine::AffineMinOp op) { sizes.push_back(op); });
      for (affine::AffineMinOp op : sizes)
        (void)scf::rewritePeeledMinMaxOp(rewriter, op, loop.getInductionVar(),
                                         loop.getUpperBound(), loop.getStep(),
                                         /*insideLoop=*/true);
      continue;
    }
    scf::ForOp remainder;
    (void)scf::peelForLoopAndSimplifyBounds(rewriter, loop, remainder);
  }
}
