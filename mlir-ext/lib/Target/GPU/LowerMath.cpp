//===- LowerMath.cpp - Math ops without a library -------------------------===//
//
// GPUs compute exp2, log2, rsqrt and sqrt of f32 with one instruction each. All
// other functions become these instructions or polynomials (MathFunctions.h),
// so that kernels call no library.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/LowerMath.h"
#include "ApproximateTanh.h"
#include "KeepReferences.h"
#include "MathFunctions.h"
#include "MathInstructions.h"
#include "mlir-ext/Codegen/Common/ExpandMath.h"
#include "mlir-ext/Support/FloatBounds.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// Returns `type` with elements of type `element`.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// Functions by instructions on f32
//===----------------------------------------------------------------------===//

/// A function that builds a math function of an operand.
using Lowering = std::function<Value(ImplicitLocOpBuilder &, Value)>;

/// Returns a lowering to `factor` times the intrinsic `name` of the operand.
static Lowering applied(StringRef name, double factor = 1) {
  return [=](ImplicitLocOpBuilder &b, Value x) {
    Value result = applyIntrinsic(b, name, x);
    return factor == 1 ? result : scaled(b, result, factor);
  };
}

/// Builds 1 / sqrt(x). If the instruction treats subnormal numbers as 0, they
/// are scaled by 2^24, and the result by 2^12.
static Value lowerRsqrt(ImplicitLocOpBuilder &b, Value x,
                        const MathInstructions &instructions) {
  if (!instructions.rsqrtFlushes)
    return applyIntrinsic(b, instructions.rsqrt, x);
  Value isSmall =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                            constant(b, x.getType(), std::ldexp(1, -126)));
  Value large = scaled(b, x, std::ldexp(1, 24));
  Value result =
      applyIntrinsic(b, instructions.rsqrt,
                     arith::SelectOp::create(b, isSmall, large, x).getResult());
  Value larger = scaled(b, result, std::ldexp(1, 12));
  return arith::SelectOp::create(b, isSmall, larger, result);
}

/// Builds tanh(x) as 1 - 2 / (e^2t + 1) with t = |x|. Where this would cancel,
/// an odd polynomial is used. The result gets the sign of x.
static Value lowerTanh(ImplicitLocOpBuilder &b, Value x,
                       const MathInstructions &instructions) {
  Type type = x.getType();
  auto c = [&](double value) { return constant(b, type, value); };
  Value t = math::AbsFOp::create(b, x);
  Value power = applyIntrinsic(b, instructions.exp2, scaled(b, t, 2 * log2e));
  Value divisor = arith::AddFOp::create(b, power, c(1));
  Value reciprocal = applyIntrinsic(b, instructions.reciprocal, divisor);
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
// Patterns
//===----------------------------------------------------------------------===//

/// Converts the elements of `value` to type `element`. Goes by way of f32
/// between f64 and narrower types.
static Value convertTo(ImplicitLocOpBuilder &b, Value value,
                       FloatType element) {
  auto from = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  if (from == element)
    return value;
  if (from.isF64() && element.getWidth() < 32)
    value = convertTo(b, value, b.getF32Type());
  Type type = withElement(value.getType(), element);
  if (from.getWidth() < element.getWidth())
    return arith::ExtFOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

/// True if `type` is a float of at most 32 bits, or has such elements.
static bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() <= 32;
}

/// Returns whether `op` has the fast-math flag that allows approximations.
template <typename OpTy>
static bool allowsApproximation(OpTy op) {
  return bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
}

namespace {
/// Computes `OpTy` of f64 with `lower`.
template <typename OpTy>
struct LowerFunctionOfF64 : public OpRewritePattern<OpTy> {
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

/// Computes `OpTy` of f32, f16 and bf16 with `lower`, in f32 or f64. Uses
/// `approximate`, if it is given, for f16 and bf16, for which it is exact
/// enough, and for ops that allow approximations.
template <typename OpTy>
struct LowerFunction : public OpRewritePattern<OpTy> {
  LowerFunction(MLIRContext *context, Lowering lower,
                Lowering approximate = nullptr, bool inF64 = false)
      : OpRewritePattern<OpTy>(context, /*benefit=*/10), lower(lower),
        approximate(approximate), inF64(inF64) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!isNarrow(element))
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = convertTo(b, op.getOperand(),
                        inF64 ? FloatType(b.getF64Type()) : b.getF32Type());
    bool isExact = element.isF32() && !allowsApproximation(op);
    Value result = (isExact || !approximate ? lower : approximate)(b, x);
    rewriter.replaceOp(op, convertTo(b, result, element));
    return success();
  }

  Lowering lower, approximate;
  bool inF64;
};

/// Computes remainders of bf16 in f32, which is exact, since LLVM's AMDGPU
/// backend has no remainder of bf16. The bits are moved by integer ops: from
/// extensions LLVM would make a remainder of bf16 again.
struct WidenRemainder : public OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!element.isBF16())
      return rewriter.notifyMatchFailure(op, "not bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto getType = [&](Type scalar) -> Type {
      auto type = dyn_cast<VectorType>(op.getType());
      return type ? Type(type.clone(scalar)) : scalar;
    };
    auto extend = [&](Value value) -> Value {
      Type wide = getType(b.getI32Type());
      Value bits = arith::ExtUIOp::create(
          b, wide, arith::BitcastOp::create(b, getType(b.getI16Type()), value));
      TypedAttr half = b.getI32IntegerAttr(16);
      if (auto shaped = dyn_cast<VectorType>(wide))
        half = DenseElementsAttr::get(shaped, Attribute(half));
      bits = arith::ShLIOp::create(b, bits, arith::ConstantOp::create(b, half));
      return arith::BitcastOp::create(b, getType(b.getF32Type()), bits);
    };
    Value wide = arith::RemFOp::create(b, extend(op.getLhs()),
                                       extend(op.getRhs()), op.getFastmath());
    rewriter.replaceOp(op, convertTo(b, wide, element));
    return success();
  }
};

/// Computes tanh of f32 with the flag `afn`, and what is computed from it.
struct ApproximateTanh : public OpRewritePattern<math::TanhOp> {
  ApproximateTanh(MLIRContext *context, const MathInstructions &instructions)
      : OpRewritePattern(context, /*benefit=*/20), instructions(instructions) {}

  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() || !allowsApproximation(op))
      return rewriter.notifyMatchFailure(op, "expected f32 and afn");
    lowerApproximateTanh(rewriter, op, instructions);
    return success();
  }

  const MathInstructions &instructions;
};

/// Computes powers of f32, f16 and bf16 in f64. The exponent may be an integer.
template <typename OpTy>
struct LowerPower : public OpRewritePattern<OpTy> {
  LowerPower(MLIRContext *context)
      : OpRewritePattern<OpTy>(context, /*benefit=*/5) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!isNarrow(element))
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = convertTo(b, op.getLhs(), b.getF64Type()), y = op.getRhs();
    y = isa<FloatType>(getElementTypeOrSelf(y.getType()))
            ? convertTo(b, y, b.getF64Type())
            : arith::SIToFPOp::create(b, x.getType(), y).getResult();
    rewriter.replaceOp(op, convertTo(b, MathF64::pow(b, x, y), element));
    return success();
  }
};

/// Computes atan2 of f32, f16 and bf16 in f64.
struct LowerAtan2 : public OpRewritePattern<math::Atan2Op> {
  LowerAtan2(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(math::Atan2Op op,
                                PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!isNarrow(element))
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value y = convertTo(b, op.getLhs(), b.getF64Type()),
          x = convertTo(b, op.getRhs(), b.getF64Type());
    rewriter.replaceOp(op, convertTo(b, MathF64::atan2(b, y, x), element));
    return success();
  }
};

/// Computes powers of integers as products of squares, without a branch. The
/// products wrap. With a negative exponent, the power is rounded towards 0; for
/// base 0 it is unspecified.
struct LowerIntegerPower : public OpRewritePattern<math::IPowIOp> {
  LowerIntegerPower(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getType()));
    if (!element)
      return rewriter.notifyMatchFailure(op, "not of integers");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    Value x = op.getLhs(), exponent = op.getRhs();
    unsigned width = element.getWidth();
    auto integer = [&](const APInt &number) -> Value {
      return createScalarOrSplatConstant(b, b.getLoc(), type, number);
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                       const APInt &rhs) -> Value {
      return arith::CmpIOp::create(b, predicate, lhs, integer(rhs));
    };
    auto hasBit = [&](unsigned bit) {
      return compare(arith::CmpIPredicate::ne,
                     arith::AndIOp::create(
                         b, exponent, integer(APInt::getOneBitSet(width, bit))),
                     APInt::getZero(width));
    };
    Value one = integer(APInt(width, 1));
    // This is the power of 1 or of -1, which depends only on the lowest bit of
    // the exponent.
    Value unit = arith::SelectOp::create(b, hasBit(0), x, one);
    Value power = unit, square = x;
    for (unsigned bit = 1; bit + 1 < width; ++bit) {
      square = arith::MulIOp::create(b, square, square);
      Value product = arith::MulIOp::create(b, power, square);
      power = arith::SelectOp::create(b, hasBit(bit), product, power);
    }
    Value isUnit = arith::OrIOp::create(
        b, compare(arith::CmpIPredicate::eq, x, APInt(width, 1)),
        compare(arith::CmpIPredicate::eq, x, APInt::getAllOnes(width)));
    Value inverse = arith::SelectOp::create(b, isUnit, unit,
                                            integer(APInt::getZero(width)));
    Value isNegative =
        compare(arith::CmpIPredicate::slt, exponent, APInt::getZero(width));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, inverse,
                                                 power);
    return success();
  }
};

/// Splits `math.sincos` into two ops.
struct SplitSincos : public OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Value sine = math::SinOp::create(rewriter, op.getLoc(), x);
    Value cosine = math::CosOp::create(rewriter, op.getLoc(), x);
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};

/// Lowers divisions to an instruction on f32.
struct LowerDivision : public OpRewritePattern<arith::DivFOp> {
  LowerDivision(MLIRContext *context, StringRef instruction)
      : OpRewritePattern(context), instruction(instruction) {}

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!isNarrow(element))
      return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value operands[] = {convertTo(b, op.getLhs(), b.getF32Type()),
                        convertTo(b, op.getRhs(), b.getF32Type())};
    Value result = applyIntrinsic(b, instruction, operands);
    rewriter.replaceOp(op, convertTo(b, result, element));
    return success();
  }

  StringRef instruction;
};

/// Lowers sqrt. It is exact unless the op allows approximations.
struct LowerSqrt : public LowerFunction<math::SqrtOp> {
  using LowerFunction::LowerFunction;

  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!allowsApproximation(op))
      return rewriter.notifyMatchFailure(op, "no approximation allowed");
    return LowerFunction::matchAndRewrite(op, rewriter);
  }
};
} // namespace

/// Returns whether LLVM has instructions for `op`, or expands it without a
/// library.
static bool isNative(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsNaNOp, math::RoundOp, math::RoundEvenOp, math::SqrtOp,
             math::TruncOp>(op);
}

/// Adds patterns for functions that are expanded to other functions (erfc), and
/// for functions that need no polynomial.
static void populateExpansions(RewritePatternSet &patterns) {
  populateExpandMathPatterns(patterns);
  auto isExpanded = [](StringRef name) {
    return name == math::ErfcOp::getOperationName();
  };
  populateMathF32ExpansionPatterns(patterns, isExpanded);
  populateMathPolynomialApproximationPatterns(patterns, isExpanded);
  // These replace powers that are a few products or roots.
  populateMathAlgebraicSimplificationPatterns(patterns);
}

static void populateFunctions(RewritePatternSet &patterns,
                              const MathInstructions &instructions) {
  MLIRContext *context = patterns.getContext();
  Lowering exp = [&](ImplicitLocOpBuilder &b, Value x) {
    return applyIntrinsic(b, instructions.exp2, scaled(b, x, log2e));
  };
  Lowering tanh = [&](ImplicitLocOpBuilder &b, Value x) {
    return lowerTanh(b, x, instructions);
  };
  StringRef log2 = instructions.log2;
  patterns.add<LowerFunction<math::Exp2Op>>(context,
                                            applied(instructions.exp2));
  patterns.add<LowerFunction<math::ExpOp>>(context, MathF32::exp, exp);
  patterns.add<LowerFunction<math::ExpM1Op>>(context, MathF32::expm1);
  patterns.add<LowerFunction<math::Log2Op>>(context, MathF32::log2,
                                            applied(log2));
  patterns.add<LowerFunction<math::LogOp>>(context, MathF32::log,
                                           applied(log2, 0.6931471805599453));
  patterns.add<LowerFunction<math::Log10Op>>(context, MathF32::log10,
                                             applied(log2, 0.3010299956639812));
  patterns.add<LowerFunction<math::Log1pOp>>(context, MathF32::log1p);
  patterns.add<LowerFunction<math::SinOp>>(context, MathF32::sin);
  patterns.add<LowerFunction<math::CosOp>>(context, MathF32::cos);
  patterns.add<LowerFunction<math::TanOp>>(context, MathF32::tan);
  Lowering rsqrt = [&](ImplicitLocOpBuilder &b, Value x) {
    return lowerRsqrt(b, x, instructions);
  };
  patterns.add<LowerFunction<math::RsqrtOp>>(context, rsqrt);
  patterns.add<LowerFunction<math::TanhOp>>(context, tanh);
  patterns.add<LowerFunction<math::ErfOp>>(context, MathF32::erf);
  patterns.add<LowerSqrt>(context, applied(instructions.sqrt));
  patterns.add<SplitSincos, LowerIntegerPower, WidenRemainder>(context);
}

/// Adds patterns for functions of f64, and for rarely used functions of
/// narrower types.
static void populateFunctionsInF64(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerFunctionOfF64<math::Exp2Op>>(context, MathF64::exp2);
  patterns.add<LowerFunctionOfF64<math::ExpOp>>(context, MathF64::exp);
  patterns.add<LowerFunctionOfF64<math::ExpM1Op>>(context, MathF64::expm1);
  patterns.add<LowerFunctionOfF64<math::LogOp>>(context, MathF64::log);
  patterns.add<LowerFunctionOfF64<math::Log2Op>>(context, MathF64::log2);
  patterns.add<LowerFunctionOfF64<math::Log10Op>>(context, MathF64::log10);
  patterns.add<LowerFunctionOfF64<math::Log1pOp>>(context, MathF64::log1p);
  patterns.add<LowerFunctionOfF64<math::RsqrtOp>>(context, MathF64::rsqrt);
  patterns.add<LowerFunctionOfF64<math::TanhOp>>(context, MathF64::tanh);
  auto addNarrow = [&](auto op, Lowering lowering) {
    patterns.add<LowerFunction<decltype(op)>>(context, lowering,
                                              /*approximate=*/nullptr,
                                              /*inF64=*/true);
  };
  auto addBoth = [&](auto op, Lowering lowering) {
    patterns.add<LowerFunctionOfF64<decltype(op)>>(context, lowering);
    addNarrow(op, lowering);
  };
  addBoth(math::SinhOp(), MathF64::sinh);
  addBoth(math::CoshOp(), MathF64::cosh);
  addBoth(math::AsinhOp(), MathF64::asinh);
  addBoth(math::AcoshOp(), MathF64::acosh);
  addBoth(math::AtanhOp(), MathF64::atanh);
  addBoth(math::CbrtOp(), MathF64::cbrt);
  addNarrow(math::AsinOp(), MathF64::asin);
  addNarrow(math::AcosOp(), MathF64::acos);
  addNarrow(math::AtanOp(), MathF64::atan);
  patterns.add<LowerPower<math::PowFOp>, LowerPower<math::FPowIOp>, LowerAtan2>(
      context);
}

/// Fuses `op`, an addition or subtraction, with an operand that is a product
/// without other users. LLVM would do so as well, if it had not moved the
/// product into a select before.
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

/// Lets LLVM fuse additions of products.
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

/// Operands of a division are multiplied by this where it becomes a product with
/// a reciprocal: those of the largest numbers are then not subnormal.
static constexpr double kReciprocalScale = 0.25;

/// Lowers `op`, whose divisor is no small number, to a product with a
/// reciprocal. The instruction for divisions also knows divisors whose
/// reciprocals are subnormal, in eight instructions. Here, both operands are
/// divided by 4 instead, so that no reciprocal is.
static void lowerToReciprocal(RewriterBase &rewriter, arith::DivFOp op,
                              const MathInstructions &instructions) {
  auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  b.setInsertionPoint(op);
  Value dividend =
      scaled(b, convertTo(b, op.getLhs(), b.getF32Type()), kReciprocalScale);
  Value divisor;
  APFloat term(0.0f);
  auto sum = op.getRhs().getDefiningOp<arith::AddFOp>();
  if (sum && element.isF32())
    for (unsigned i : {0, 1})
      if (!divisor && matchPattern(sum->getOperand(i), m_ConstantFloat(&term)))
        divisor = math::FmaOp::create(
            b, sum->getOperand(1 - i),
            constant(b, op.getType(), kReciprocalScale),
            constant(b, op.getType(),
                     kReciprocalScale * term.convertToDouble()));
  if (!divisor)
    divisor =
        scaled(b, convertTo(b, op.getRhs(), b.getF32Type()), kReciprocalScale);
  Value result = arith::MulFOp::create(
      b, dividend, applyIntrinsic(b, instructions.reciprocal, divisor));
  rewriter.replaceOp(op, convertTo(b, result, element));
}

LogicalResult mlir::linalg_ext::lowerMath(gpu::GPUModuleOp module,
                                          const MathInstructions &instructions,
                                          bool contract, bool exactDivision) {
  PatternRewriter rewriter(module.getContext());
  keepReferences(rewriter, module, instructions);
  // While functions of them are ops still. Those of many elements are first:
  // what is computed from their maxima may be one of these functions.
  SmallVector<math::TanhOp> ofMany;
  module.walk([&](math::TanhOp op) {
    auto vector = dyn_cast<VectorType>(op.getType());
    if (vector && vector.getElementType().isF32() && allowsApproximation(op) &&
        vector.getNumElements() >= kBranchElements)
      ofMany.push_back(op);
  });
  for (math::TanhOp op : ofMany) {
    rewriter.setInsertionPoint(op);
    lowerApproximateTanh(rewriter, op, instructions);
  }
  SmallVector<arith::DivFOp> ofLarge;
  module.walk([&](arith::DivFOp op) {
    if (!exactDivision && isNarrow(op.getType()) && isLarge(op.getRhs()) &&
        !matchPattern(op.getRhs(), m_Constant()))
      ofLarge.push_back(op);
  });
  for (arith::DivFOp op : ofLarge)
    lowerToReciprocal(rewriter, op, instructions);
  RewritePatternSet first(module.getContext());
  first.add<ApproximateTanh>(module.getContext(), instructions);
  FrozenRewritePatternSet frozenFirst(std::move(first));
  if (hasRoots(module, frozenFirst) &&
      failed(applyPatternsGreedily(module, frozenFirst,
                                   getStructuredRewriteConfig())))
    return failure();
  RewritePatternSet patterns(module.getContext());
  populateFunctions(patterns, instructions);
  populateFunctionsInF64(patterns);
  populateExpansions(patterns);
  if (!exactDivision)
    patterns.add<LowerDivision>(module.getContext(), instructions.divide);
  FrozenRewritePatternSet frozen(std::move(patterns));
  if (hasRoots(module, frozen) &&
      failed(
          applyPatternsGreedily(module, frozen, getStructuredRewriteConfig())))
    return failure();
  if (contract)
    allowContraction(module);
  WalkResult walked = module.walk([](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) || isNative(op))
      return WalkResult::advance();
    op->emitOpError("has no lowering without a library: expected ")
        << (isa<math::IPowIOp>(op) ? "an integer with a width"
                                   : "f16, bf16 or f32")
        << ", got " << op->getOperand(0).getType();
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}
