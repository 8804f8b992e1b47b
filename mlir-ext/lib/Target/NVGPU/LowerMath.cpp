//===- LowerMath.cpp - Math without a library -----------------------------===//
//
// The special function unit computes ex2, lg2, rsqrt and sqrt of f32 in one
// instruction each; the rest is made of these, or of polynomials.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPULOWERMATHPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// `type` with elements of type `element`.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

static Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  FloatAttr number = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, number));
  return arith::ConstantOp::create(b, number);
}

/// Applies an intrinsic on f32 to `operands`, or to each of their elements.
static Value applyIntrinsic(ImplicitLocOpBuilder &b, StringRef name,
                            ValueRange operands) {
  Type resultType = operands.front().getType();
  auto call = [&](ValueRange scalars) -> Value {
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr(name), scalars)
        .getResult(0);
  };
  auto extract = [&](ArrayRef<int64_t> position) {
    SmallVector<Value> elements;
    for (Value operand : operands)
      elements.push_back(vector::ExtractOp::create(b, operand, position));
    return elements;
  };
  auto type = dyn_cast<VectorType>(resultType);
  if (!type)
    return call(operands);
  if (type.getRank() == 0)
    return vector::BroadcastOp::create(b, type, call(extract({})));
  Value result =
      arith::ConstantOp::create(b, type, cast<TypedAttr>(b.getZeroAttr(type)));
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<int64_t> position = delinearize(i, strides);
    result =
        vector::InsertOp::create(b, call(extract(position)), result, position);
  }
  return result;
}

static Value ex2(ImplicitLocOpBuilder &b, Value x) {
  return applyIntrinsic(b, "llvm.nvvm.ex2.approx.ftz.f", x);
}

static Value lg2(ImplicitLocOpBuilder &b, Value x) {
  return applyIntrinsic(b, "llvm.nvvm.lg2.approx.ftz.f", x);
}

static Value scaled(ImplicitLocOpBuilder &b, Value x, double factor) {
  return arith::MulFOp::create(b, x, constant(b, x.getType(), factor));
}

//===----------------------------------------------------------------------===//
// Functions of f32
//===----------------------------------------------------------------------===//

static constexpr double log2e = 1.4426950408889634;

static Value lowerExp2(ImplicitLocOpBuilder &b, Value x) { return ex2(b, x); }

static Value lowerExp(ImplicitLocOpBuilder &b, Value x) {
  return ex2(b, scaled(b, x, log2e));
}

static Value lowerLog2(ImplicitLocOpBuilder &b, Value x) { return lg2(b, x); }

static Value lowerLog(ImplicitLocOpBuilder &b, Value x) {
  return scaled(b, lg2(b, x), 0.6931471805599453);
}

static Value lowerLog10(ImplicitLocOpBuilder &b, Value x) {
  return scaled(b, lg2(b, x), 0.3010299956639812);
}

static Value lowerRsqrt(ImplicitLocOpBuilder &b, Value x) {
  return applyIntrinsic(b, "llvm.nvvm.rsqrt.approx.ftz.f", x);
}

static Value lowerApproximateSqrt(ImplicitLocOpBuilder &b, Value x) {
  return applyIntrinsic(b, "llvm.nvvm.sqrt.approx.ftz.f", x);
}

/// With t = |x|: 1 - 2 / (e^2t + 1), and where that would cancel, an odd
/// polynomial; the sign of x.
static Value lowerTanh(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  auto c = [&](double value) { return constant(b, type, value); };
  Value t = math::AbsFOp::create(b, x);
  Value power = ex2(b, scaled(b, t, 2 * log2e));
  Value divisor = arith::AddFOp::create(b, power, c(1));
  Value reciprocal = applyIntrinsic(b, "llvm.nvvm.rcp.approx.ftz.f", divisor);
  Value large = math::FmaOp::create(b, reciprocal, c(-2), c(1));
  // (tanh(t)/t - 1)/t^2, interpolated in t^2 at the Chebyshev nodes of [0,
  // 0.55^2].
  const double coefficients[] = {-0.0066102278422582724, 0.02130938867337777,
                                 -0.05390942882994257, 0.13333113729047089,
                                 -0.3333333200797764};
  Value square = arith::MulFOp::create(b, t, t);
  Value sum = c(coefficients[0]);
  for (double coefficient : ArrayRef(coefficients).drop_front())
    sum = math::FmaOp::create(b, sum, square, c(coefficient));
  Value cubic = arith::MulFOp::create(b, square, t);
  Value small = math::FmaOp::create(b, sum, cubic, t);
  Value isSmall =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, t, c(0.55));
  Value magnitude = arith::SelectOp::create(b, isSmall, small, large);
  return math::CopySignOp::create(b, magnitude, x);
}

//===----------------------------------------------------------------------===//
// Functions of f64
//===----------------------------------------------------------------------===//

/// 2^n of integers n in f64, of exponents that are those of normal numbers.
static Value powerOfTwo(ImplicitLocOpBuilder &b, Value n) {
  Type integers = withElement(n.getType(), b.getI64Type());
  auto integer = [&](int64_t value) -> Value {
    IntegerAttr number = b.getI64IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(integers))
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(vector, Attribute(number)));
    return arith::ConstantOp::create(b, number);
  };
  Value exponent = arith::AddIOp::create(
      b, arith::FPToSIOp::create(b, integers, n), integer(1023));
  return arith::BitcastOp::create(
      b, n.getType(), arith::ShLIOp::create(b, exponent, integer(52)));
}

/// e^r 2^n = sum of r^k / k! up to k = 13 (an error of 4e-18 for |r| <=
/// ln(2)/2), n in two factors for subnormal results. x, which r + n ln(2) is,
/// decides about NaN.
static Value buildExp(ImplicitLocOpBuilder &b, Value x, Value r, Value n) {
  Type type = r.getType();
  double factorial = 6227020800.0; // 13!
  Value sum = constant(b, type, 1 / factorial);
  for (int64_t k = 13; k > 0; --k) {
    factorial /= k;
    sum = math::FmaOp::create(b, sum, r, constant(b, type, 1 / factorial));
  }
  Value half = math::FloorOp::create(b, scaled(b, n, 0.5));
  Value rest = arith::SubFOp::create(b, n, half);
  sum = arith::MulFOp::create(b, sum, powerOfTwo(b, half));
  sum = arith::MulFOp::create(b, sum, powerOfTwo(b, rest));
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, isNaN, x, sum);
}

/// `x` between where results are 0 and infinite.
static Value clampTo(ImplicitLocOpBuilder &b, Value x, double low,
                     double high) {
  x = arith::MaxNumFOp::create(b, x, constant(b, x.getType(), low));
  return arith::MinNumFOp::create(b, x, constant(b, x.getType(), high));
}

static Value lowerExpF64(ImplicitLocOpBuilder &b, Value x) {
  Value near = clampTo(b, x, -750, 720);
  Value n = math::RoundEvenOp::create(b, scaled(b, near, log2e));
  // ln(2) in two parts: n times the first one is exact.
  Value r = math::FmaOp::create(
      b, n, constant(b, x.getType(), -0x1.62e42fefa0000p-1), near);
  r = math::FmaOp::create(b, n,
                          constant(b, x.getType(), -0x1.cf79abc9e3b3ap-40), r);
  return buildExp(b, x, r, n);
}

static Value lowerExp2F64(ImplicitLocOpBuilder &b, Value x) {
  Value near = clampTo(b, x, -1080, 1030);
  Value n = math::RoundEvenOp::create(b, near);
  Value r = scaled(b, arith::SubFOp::create(b, near, n), 0.6931471805599453);
  return buildExp(b, x, r, n);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// Computes `OpTy` in f64 with `lower`.
template <typename OpTy>
struct LowerFunctionOfF64 : public OpRewritePattern<OpTy> {
  using Lowering = Value (*)(ImplicitLocOpBuilder &, Value);

  LowerFunctionOfF64(MLIRContext *context, Lowering lower)
      : OpRewritePattern<OpTy>(context, /*benefit=*/10), lower(lower) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not f64");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, lower(b, op.getOperand()));
    return success();
  }

  Lowering lower;
};

/// Computes `OpTy` in f32 with `lower`; f16 and bf16 are converted.
template <typename OpTy>
struct LowerFunction : public OpRewritePattern<OpTy> {
  using Lowering = Value (*)(ImplicitLocOpBuilder &, Value);

  LowerFunction(MLIRContext *context, Lowering lower)
      : OpRewritePattern<OpTy>(context, /*benefit=*/10), lower(lower) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value operand = op.getOperand();
    Type type = operand.getType(), element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isF16() && !element.isBF16())
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (element.isF32()) {
      rewriter.replaceOp(op, lower(b, operand));
      return success();
    }
    Type wide = withElement(type, b.getF32Type());
    Value result = lower(b, arith::ExtFOp::create(b, wide, operand));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, result);
    return success();
  }

  Lowering lower;
};

/// Quotients by an instruction on f32, with 2 ulp.
struct LowerDivision : public OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isF16() && !element.isBF16())
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value operands[] = {op.getLhs(), op.getRhs()};
    if (!element.isF32())
      for (Value &operand : operands)
        operand = arith::ExtFOp::create(b, withElement(type, b.getF32Type()),
                                        operand);
    Value result = applyIntrinsic(b, "llvm.nvvm.div.full", operands);
    if (!element.isF32())
      result = arith::TruncFOp::create(b, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// sqrt is exact unless the op allows approximations.
struct LowerSqrt : public LowerFunction<math::SqrtOp> {
  using LowerFunction::LowerFunction;

  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "no approximation allowed");
    return LowerFunction::matchAndRewrite(op, rewriter);
  }
};
} // namespace

/// Whether NVPTX has instructions for `op`, or expands it without a library.
static bool isNative(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundOp,
             math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
}

/// Functions that are polynomials of others: erf and the like.
static void populateExpansions(RewritePatternSet &patterns) {
  auto isExpanded = [](StringRef name) {
    return llvm::is_contained(
        {math::AcosOp::getOperationName(), math::AsinOp::getOperationName(),
         math::AtanOp::getOperationName(), math::Atan2Op::getOperationName(),
         math::CbrtOp::getOperationName(), math::CosOp::getOperationName(),
         math::ErfOp::getOperationName(), math::ErfcOp::getOperationName(),
         math::ExpM1Op::getOperationName(), math::Log1pOp::getOperationName(),
         math::SinOp::getOperationName()},
        name);
  };
  populateMathF32ExpansionPatterns(patterns, isExpanded);
  populateMathPolynomialApproximationPatterns(patterns, isExpanded);
  math::populateExpansionPatterns(patterns,
                                  {"acosh", "asinh", "atanh", "clampf", "cosh",
                                   "fpowi", "powf", "sinh", "tan", "tanh"});
}

static void populateFunctions(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerFunction<math::Exp2Op>>(context, lowerExp2);
  patterns.add<LowerFunction<math::ExpOp>>(context, lowerExp);
  patterns.add<LowerFunctionOfF64<math::Exp2Op>>(context, lowerExp2F64);
  patterns.add<LowerFunctionOfF64<math::ExpOp>>(context, lowerExpF64);
  patterns.add<LowerFunction<math::Log2Op>>(context, lowerLog2);
  patterns.add<LowerFunction<math::LogOp>>(context, lowerLog);
  patterns.add<LowerFunction<math::Log10Op>>(context, lowerLog10);
  patterns.add<LowerFunction<math::RsqrtOp>>(context, lowerRsqrt);
  patterns.add<LowerFunction<math::TanhOp>>(context, lowerTanh);
  patterns.add<LowerSqrt>(context, lowerApproximateSqrt);
}

/// Fuses `op`, a sum or a difference, with an operand that is a product for it
/// alone. LLVM would too, had it not moved the product into a select before.
static void fuseProduct(RewriterBase &rewriter, Operation *op) {
  if (getElementTypeOrSelf(op->getResult(0).getType()) != rewriter.getF32Type())
    return;
  for (unsigned i : {0, 1}) {
    auto product = op->getOperand(i).getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    rewriter.setInsertionPoint(op);
    Value lhs = product.getLhs(), other = op->getOperand(1 - i);
    auto negate = [&](Value value) -> Value {
      return arith::NegFOp::create(rewriter, op->getLoc(), value);
    };
    if (isa<arith::SubFOp>(op))
      (i == 0 ? other : lhs) = negate(i == 0 ? other : lhs);
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, lhs, product.getRhs(), other);
    rewriter.eraseOp(product);
    return;
  }
}

/// Lets sums of products be fused.
static void allowContraction(gpu::GPUModuleOp module) {
  SmallVector<Operation *> sums;
  module.walk([&](Operation *op) {
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      sums.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : sums)
    fuseProduct(rewriter, op);
  module.walk([](arith::ArithFastMathInterface op) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
      return;
    arith::FastMathFlags flags =
        op.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op.getContext(), flags));
  });
}

namespace {
struct LinalgExtNVGPULowerMathPass
    : public linalg_ext::impl::LinalgExtNVGPULowerMathPassBase<
          LinalgExtNVGPULowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    RewritePatternSet patterns(&getContext());
    populateFunctions(patterns);
    populateExpansions(patterns);
    if (!exactDivision)
      patterns.add<LowerDivision>(&getContext());
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      return signalPassFailure();
    if (contract)
      allowContraction(module);
    WalkResult walked = module.walk([](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) || isNative(op))
        return WalkResult::advance();
      op->emitOpError("has no lowering without a library: expected f16, bf16 "
                      "or f32, got ")
          << op->getOperand(0).getType();
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
  }
};
} // namespace
