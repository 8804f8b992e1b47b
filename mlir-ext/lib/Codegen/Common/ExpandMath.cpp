//===- ExpandMath.cpp - Math ops without a lowering -----------------------===//
//
// See ExpandMath.h. Upstream's conversion to LLVM lowers math.isfinite and
// math.isnan, but not math.isinf and math.isnormal.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExpandMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using arith::CmpFPredicate;

namespace {
struct ExpandClampF : public OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value atLeast = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, atLeast, op.getMax(),
                                                   op.getFastmath());
    return success();
  }
};

/// isinf is |x| = infinity; isnormal is smallest normal number <= |x| <
/// infinity.
template <typename OpTy>
struct ExpandClass : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getOperand().getType();
    auto vector = dyn_cast<VectorType>(type);
    if (isa<ShapedType>(type) && !vector)
      return rewriter.notifyMatchFailure(op, "not of scalars or vectors");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    Value magnitude = op.getOperand();
    if (element.getWidth() < 32) {
      type = vector ? Type(vector.clone(b.getF32Type())) : b.getF32Type();
      magnitude = arith::ExtFOp::create(b, type, magnitude);
    }
    magnitude = math::AbsFOp::create(b, magnitude);
    const llvm::fltSemantics &format =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    auto compare = [&](CmpFPredicate predicate, APFloat number) -> Value {
      bool isInexact;
      number.convert(format, APFloat::rmNearestTiesToEven, &isInexact);
      return arith::CmpFOp::create(
          b, predicate, magnitude,
          createScalarOrSplatConstant(b, b.getLoc(), type, number));
    };
    APFloat infinity = APFloat::getInf(format);
    if constexpr (std::is_same_v<OpTy, math::IsInfOp>) {
      rewriter.replaceOp(op, compare(CmpFPredicate::OEQ, infinity));
    } else {
      APFloat least =
          APFloat::getSmallestNormalized(element.getFloatSemantics());
      Value isLarge = compare(CmpFPredicate::OGE, least);
      Value isFinite = compare(CmpFPredicate::OLT, infinity);
      rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    }
    return success();
  }
};
} // namespace

Value mlir::linalg_ext::roundToOddF32(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  auto vector = dyn_cast<VectorType>(type);
  auto withElement = [&](Type element) {
    return vector ? Type(vector.clone(element)) : element;
  };
  Type f32 = withElement(b.getF32Type());
  Type i32 = withElement(b.getI32Type());
  auto integer = [&](int32_t value) {
    return createScalarOrSplatConstant(b, b.getLoc(), i32,
                                       APInt(32, value, /*isSigned=*/true));
  };
  Value nearest = arith::TruncFOp::create(b, f32, x);
  Value back = arith::ExtFOp::create(b, type, nearest);
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  // The comparison is also true for NaN, which is kept.
  Value isExact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, back, x);
  Value isOdd = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ne, arith::AndIOp::create(b, bits, integer(1)),
      integer(0));
  Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                         math::AbsFOp::create(b, back),
                                         math::AbsFOp::create(b, x));
  Value other = arith::AddIOp::create(
      b, bits, arith::SelectOp::create(b, isLarger, integer(-1), integer(1)));
  Value odd = arith::SelectOp::create(
      b, arith::OrIOp::create(b, isExact, isOdd), bits, other);
  return arith::BitcastOp::create(b, f32, odd);
}

void mlir::linalg_ext::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandClampF, ExpandClass<math::IsInfOp>,
               ExpandClass<math::IsNormalOp>>(patterns.getContext());
}
