//===- AddFloats.cpp - Positions as floats --------------------------------===//
//
// The position of an element is the sum of a scalar and a constant. Some
// kernels convert all positions of a thread to floats, for example for a bias
// that grows with the distance. This step converts the scalar, and adds the
// constants in f32. If products of the positions may be reassociated, the
// products are split as well: fma(constant, slope, scalar * slope). It is the
// step `floats` of linalg-ext-gpu-narrow-integers.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "RangeAnalysis.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

/// kLower selects the lower part of a scalar, and kExponent makes it the
/// mantissa of 2^23.
constexpr static int64_t kLower = 0xFFFF, kExponent = 0x4B000000;
constexpr static int64_t kOffset = int64_t(1) << 23;
/// Up to this constant, the sum of the lower part and a constant is exact in
/// f32.
constexpr static int64_t kMostConstant = int64_t(1) << 22;
/// From this number on, the conversions take longer than converting the upper
/// part and two additions for each of them.
constexpr static size_t kFewest = 4;

namespace {
/// The conversion of the sums of `scalar` and each of `constants`.
struct Conversion {
  arith::SIToFPOp op;
  Value scalar;
  SmallVector<int64_t> constants;
};
} // namespace

static std::optional<Conversion> match(arith::SIToFPOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || type.isScalable() || !type.getElementType().isF32() ||
      !getElementTypeOrSelf(op.getIn()).isInteger(32))
    return std::nullopt;
  auto sum = op.getIn().getDefiningOp<arith::AddIOp>();
  DenseIntElementsAttr constants;
  if (!sum || !matchPattern(sum.getRhs(), m_Constant(&constants)))
    return std::nullopt;
  auto broadcast = sum.getLhs().getDefiningOp<vector::BroadcastOp>();
  if (!broadcast || isa<VectorType>(broadcast.getSourceType()))
    return std::nullopt;
  Conversion found{op, broadcast.getSource(), {}};
  llvm::SmallDenseSet<int64_t, 64> different;
  for (const APInt &constant : constants.getValues<APInt>()) {
    found.constants.push_back(constant.getSExtValue());
    different.insert(found.constants.back());
    if (std::abs(found.constants.back()) >= kMostConstant)
      return std::nullopt;
  }
  return different.size() >= kFewest ? std::optional(found) : std::nullopt;
}

static void rewrite(RewriterBase &rewriter, const Conversion &conversion) {
  arith::SIToFPOp op = conversion.op;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getType());
  Type narrow = rewriter.getI32Type(), element = type.getElementType();
  auto keepBits = [&](int64_t bits) -> Value {
    return arith::AndIOp::create(
        rewriter, loc, conversion.scalar,
        arith::ConstantIntOp::create(rewriter, loc, narrow, bits));
  };
  Value high =
      arith::SIToFPOp::create(rewriter, loc, element, keepBits(~kLower));
  // LLVM would turn the sum of a converted lower part and a constant back into
  // a conversion of each sum.
  Value mantissa = arith::OrIOp::create(
      rewriter, loc, keepBits(kLower),
      arith::ConstantIntOp::create(rewriter, loc, narrow, kExponent));
  Value low = arith::BitcastOp::create(rewriter, loc, element, mantissa);
  SmallVector<float> constants;
  for (int64_t constant : conversion.constants)
    constants.push_back(static_cast<float>(constant - kOffset));
  Value small = arith::AddFOp::create(
      rewriter, loc, vector::BroadcastOp::create(rewriter, loc, type, low),
      arith::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(type, ArrayRef<float>(constants))));
  rewriter.replaceOpWithNewOp<arith::AddFOp>(
      op, vector::BroadcastOp::create(rewriter, loc, type, high), small);
}

/// Returns the other factor of `product`, a product of `positions`, if all
/// positions have the same factor and the product may be distributed over the
/// sum. Returns null otherwise.
static Value getSharedFactor(RewriterBase &rewriter, arith::MulFOp product,
                             Value positions) {
  if (!product ||
      !bitEnumContainsAll(product.getFastmath(), arith::FastMathFlags::reassoc))
    return {};
  Value by =
      product.getLhs() == positions ? product.getRhs() : product.getLhs();
  rewriter.setInsertionPoint(product);
  if (APFloat constant(0.0f); matchPattern(by, m_ConstantFloat(&constant)))
    return arith::ConstantOp::create(
        rewriter, product.getLoc(),
        rewriter.getFloatAttr(getElementTypeOrSelf(by.getType()), constant));
  auto factor = by.getDefiningOp<vector::BroadcastOp>();
  return factor && !isa<VectorType>(factor.getSourceType()) ? factor.getSource()
                                                            : Value();
}

/// Distributes the products of `conversion` that may be reassociated over the
/// sums.
static void distributeProducts(RewriterBase &rewriter,
                               const Conversion &conversion) {
  arith::SIToFPOp op = conversion.op;
  auto type = cast<VectorType>(op.getType());
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto product = dyn_cast<arith::MulFOp>(user);
    Value factor = getSharedFactor(rewriter, product, op);
    if (!factor)
      continue;
    rewriter.setInsertionPoint(product);
    Location loc = product.getLoc();
    Value first = arith::MulFOp::create(
        rewriter, loc,
        arith::SIToFPOp::create(rewriter, loc, type.getElementType(),
                                conversion.scalar),
        factor);
    SmallVector<float> constants(conversion.constants.begin(),
                                 conversion.constants.end());
    auto broadcast = [&](Value value) -> Value {
      return vector::BroadcastOp::create(rewriter, loc, type, value);
    };
    rewriter.replaceOpWithNewOp<math::FmaOp>(
        product,
        arith::ConstantOp::create(
            rewriter, loc,
            DenseElementsAttr::get(type, ArrayRef<float>(constants))),
        broadcast(factor), broadcast(first));
  }
}

LogicalResult mlir::linalg_ext::addFloats(RewriterBase &rewriter,
                                          Operation *scope) {
  SmallVector<Conversion> conversions;
  scope->walk([&](arith::SIToFPOp op) {
    if (std::optional<Conversion> conversion = match(op))
      conversions.push_back(*conversion);
  });
  if (conversions.empty())
    return success();
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<RangeAnalysis>();
  if (failed(solver.initializeAndRun(scope)))
    return failure();
  for (const Conversion &conversion : conversions) {
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(
        conversion.scalar);
    if (!state || state->getValue().isUninitialized())
      continue;
    const ConstantIntRanges &range = state->getValue().getValue();
    int64_t least =
        range.smin().getSExtValue() + *llvm::min_element(conversion.constants);
    int64_t most =
        range.smax().getSExtValue() + *llvm::max_element(conversion.constants);
    if (least >= std::numeric_limits<int32_t>::min() &&
        most <= std::numeric_limits<int32_t>::max()) {
      distributeProducts(rewriter, conversion);
      if (conversion.op->use_empty())
        rewriter.eraseOp(conversion.op);
      else
        rewrite(rewriter, conversion);
    }
  }
  return success();
}
