//===- ApproximateMath.cpp - Math functions as arithmetic -----------------===//
//
// A call for each element would undo vectorisation. Upstream has polynomials
// for f32 in pattern sets. Its exp has 24 instructions and takes a fifth of the
// time of attention. Here the exp of a difference has 14 instructions (10 with
// AVX-512). The exp of another number, including subnormal results, has 23
// (14). Upstream's tanh and erf are off by 5 ulp, and by 6 without fused
// multiply-adds. Those here are off by less than 2, and erf has two thirds of
// the instructions.
//
// Each polynomial is a minimax approximation of the stated function. Its error
// is relative to the result of the math function, in units of 2^-24.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Builds constants of the shape of one operand: floats of 32 bits and integers
/// of 32 bits.
struct Constants {
  Constants(ImplicitLocOpBuilder &b, Type type)
      : b(b), vector(dyn_cast<VectorType>(type)) {}

  Value get(TypedAttr value) const {
    if (vector)
      value = DenseElementsAttr::get(vector.clone(value.getType()),
                                     ArrayRef<Attribute>(value));
    return arith::ConstantOp::create(b, value);
  }
  Value real(float value) const { return get(b.getF32FloatAttr(value)); }
  Value integer(int32_t value) const { return get(b.getI32IntegerAttr(value)); }
  Type integerType() const {
    return vector ? Type(vector.clone(b.getI32Type())) : b.getI32Type();
  }

  ImplicitLocOpBuilder &b;
  mutable VectorType vector;
};
} // namespace

/// Builds the polynomial c[0] r^n + ... + c[n], where n + 1 is the number of
/// coefficients.
static Value buildPolynomial(const Constants &constants, Value r,
                             ArrayRef<float> c) {
  Value p = constants.real(c.front());
  for (float next : c.drop_front())
    p = math::FmaOp::create(constants.b, p, r, constants.real(next));
  return p;
}

/// Builds 2^r for |r| <= 1/2. The polynomial is a minimax approximation with a
/// relative error of 6.1e-9.
static Value buildExp2(const Constants &constants, Value r) {
  return buildPolynomial(constants, r,
                         {0x1.47b58ep-13f, 0x1.5febaap-10f, 0x1.3b25d6p-7f,
                          0x1.c6ad58p-5f, 0x1.ebfbe4p-3f, 0x1.62e432p-1f,
                          1.0f});
}

static constexpr float log2e = 0x1.715476p0f;

/// Returns p 2^n, where n is in the lowest bits of `t`: adds n to the exponent
/// of p. Returns 0 or infinity if e^x = p 2^n is not a normal number. NaN
/// stays.
static Value buildScaled(const Constants &constants, Value x, Value p,
                         Value t) {
  ImplicitLocOpBuilder &b = constants.b;
  Type integer = constants.integerType();
  Value exponent = arith::ShLIOp::create(
      b, arith::BitcastOp::create(b, integer, t), constants.integer(23));
  Value bits = arith::AddIOp::create(b, arith::BitcastOp::create(b, integer, p),
                                     exponent);
  // The comparison is unordered, so that NaN does not become 0.
  Value isNormal = arith::CmpFOp::create(b, arith::CmpFPredicate::UGE, x,
                                         constants.real(-0x1.5d589ep6f));
  bits = arith::SelectOp::create(b, isNormal, bits, constants.integer(0));
  Value result = arith::BitcastOp::create(b, x.getType(), bits);
  Value overflows = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, x,
                                          constants.real(0x1.62e42ep6f));
  Value infinity = constants.real(std::numeric_limits<float>::infinity());
  return arith::SelectOp::create(b, overflows,
                                 arith::AddFOp::create(b, x, infinity), result);
}

/// Calls an AVX-512 intrinsic. It takes three more operands: the values of
/// lanes that are masked out, the mask (all lanes), and the rounding mode (the
/// current one).
static Value callAVX512(ImplicitLocOpBuilder &b, Value passThrough,
                        StringRef name, ArrayRef<Value> operands) {
  SmallVector<Value> all(operands);
  all.push_back(passThrough);
  all.push_back(
      arith::ConstantOp::create(b, b.getIntegerAttr(b.getI16Type(), -1)));
  all.push_back(arith::ConstantOp::create(b, b.getI32IntegerAttr(4)));
  return LLVM::CallIntrinsicOp::create(b, passThrough.getType(),
                                       b.getStringAttr(name), all)
      .getResult(0);
}

static bool isAVX512Vector(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isF32() && vector.getRank() == 1 &&
         vector.getDimSize(0) == 16 && !vector.isScalable();
}

/// Returns p 2^n for p in [1/2, 2] and n in [-160, 160], where n is the bits of
/// `t` less `offset`. Multiplies twice. The first product is exact. The second
/// one overflows, or is rounded once if it is subnormal. NaN stays.
static Value buildScaledInTwo(const Constants &constants, Value p, Value t,
                              int32_t offset) {
  ImplicitLocOpBuilder &b = constants.b;
  Type integer = constants.integerType();
  Value n = arith::SubIOp::create(b, arith::BitcastOp::create(b, integer, t),
                                  constants.integer(offset));
  Value half = arith::ShRSIOp::create(b, n, constants.integer(1));
  auto scale = [&](Value p, Value exponent) -> Value {
    Value biased = arith::AddIOp::create(b, exponent, constants.integer(127));
    Value power = arith::ShLIOp::create(b, biased, constants.integer(23));
    return arith::MulFOp::create(
        b, p, arith::BitcastOp::create(b, p.getType(), power));
  };
  return scale(scale(p, half), arith::SubIOp::create(b, n, half));
}

namespace {
/// e^x = 2^n e^r with n = round(x / ln 2), |r| <= ln(2) / 2.
///
///   x bounded by numbers whose e^x is 0 and infinity; NaN stays
///   t = x / ln 2 + 1.5 2^23    has n in its lowest bits
///   r = x - n ln 2             with ln 2 as the sum of two numbers
///   p = 1 + (r + q(r) r^2)     q of (e^r - 1 - r) / r^2, error 0.05
///   e^x = p 2^n
struct ApproximateExp : public OpRewritePattern<math::ExpOp> {
  ApproximateExp(MLIRContext *context, bool avx512)
      : OpRewritePattern(context, /*benefit=*/2), avx512(avx512) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Constants constants(b, type);
    Value x = op.getOperand();
    // These comparisons are false if x is NaN, so NaN stays.
    auto bound = [&](arith::CmpFPredicate beyond, float limit) {
      Value value = constants.real(limit);
      Value is = arith::CmpFOp::create(b, beyond, x, value);
      x = arith::SelectOp::create(b, is, value, x);
    };
    bound(arith::CmpFPredicate::OGT, 90.0f);
    bound(arith::CmpFPredicate::OLT, -105.0f);
    Value magic = constants.real(0x1.8p23f);
    Value t = math::FmaOp::create(b, x, constants.real(log2e), magic);
    Value n = arith::SubFOp::create(b, t, magic);
    Value r = math::FmaOp::create(b, n, constants.real(-0x1.62e4p-1f), x);
    r = math::FmaOp::create(b, n, constants.real(-0x1.7f7d1cp-20f), r);
    // The term r + q r^2 is small, so an error in it hardly changes the sum.
    Value q = buildPolynomial(constants, r,
                              {0x1.6a243ap-10f, 0x1.1239ep-7f, 0x1.5558f2p-5f,
                               0x1.555492p-3f, 0x1.fffffcp-2f});
    Value p = math::FmaOp::create(b, arith::MulFOp::create(b, r, r), q, r);
    p = arith::AddFOp::create(b, p, constants.real(1.0f));
    if (avx512 && isAVX512Vector(type))
      rewriter.replaceOp(
          op, callAVX512(b, x, "llvm.x86.avx512.mask.scalef.ps.512", {p, n}));
    else
      rewriter.replaceOp(op, buildScaledInTwo(constants, p, t, 0x4B400000));
    return success();
  }

  bool avx512;
};

/// If x is a difference, rounding x has already changed e^x by up to |x| 2^-24
/// of it. That log2(e) is one number changes it by 0.22 of that. The form for
/// AVX-512 also rounds the product with log2(e), which changes it by as much
/// again.
///
///   t = x log2(e) + 1.5 2^23   has n in its lowest bits
///   r = x log2(e) - n
///   e^x = 2^r 2^n
///
/// AVX-512 computes r and the last product in one instruction each, of all
/// numbers, infinities too.
struct ApproximateExpOfDifference : public OpRewritePattern<math::ExpOp> {
  ApproximateExpOfDifference(MLIRContext *context, bool avx512)
      : OpRewritePattern(context, /*benefit=*/3), avx512(avx512) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Value x = op.getOperand();
    if (!getElementTypeOrSelf(type).isF32() ||
        !x.getDefiningOp<arith::SubFOp>())
      return rewriter.notifyMatchFailure(op, "not of a difference of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Constants constants(b, type);
    Value factor = constants.real(log2e);
    if (avx512 && isAVX512Vector(type)) {
      Value y = arith::MulFOp::create(b, x, factor);
      Value nearest = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
      Value r =
          callAVX512(b, x, "llvm.x86.avx512.mask.reduce.ps.512", {y, nearest});
      Value n = arith::SubFOp::create(b, y, r);
      rewriter.replaceOp(op,
                         callAVX512(b, x, "llvm.x86.avx512.mask.scalef.ps.512",
                                    {buildExp2(constants, r), n}));
      return success();
    }
    Value magic = constants.real(0x1.8p23f);
    Value t = math::FmaOp::create(b, x, factor, magic);
    Value n = arith::SubFOp::create(b, t, magic);
    Value r = math::FmaOp::create(b, x, factor, arith::NegFOp::create(b, n));
    rewriter.replaceOp(op,
                       buildScaled(constants, x, buildExp2(constants, r), t));
    return success();
  }

  bool avx512;
};
} // namespace

/// Returns 2^y for y in [-126, 127] as p 2^n, with n = round(y): adds n to the
/// exponent of p.
static Value buildPowerOfTwo(const Constants &constants, Value r, Value t) {
  ImplicitLocOpBuilder &b = constants.b;
  Type integer = constants.integerType();
  Value p = buildExp2(constants, r);
  Value exponent = arith::ShLIOp::create(
      b, arith::BitcastOp::create(b, integer, t), constants.integer(23));
  Value bits = arith::AddIOp::create(b, arith::BitcastOp::create(b, integer, p),
                                     exponent);
  return arith::BitcastOp::create(b, r.getType(), bits);
}

/// An odd function f of f32 with values in [-1, 1], computed from |x|: one form
/// for |x| < `bound`, another up to `limit`, from where on f is 1.
template <typename OpT>
struct ApproximateOdd : public OpRewritePattern<OpT> {
  using Form = Value (*)(const Constants &constants, Value x);
  ApproximateOdd(MLIRContext *context, float bound, Form small, float limit,
                 Form large)
      : OpRewritePattern<OpT>(context, /*benefit=*/2), bound(bound),
        limit(limit), small(small), large(large) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Constants constants(b, op.getType());
    Value x = math::AbsFOp::create(b, op.getOperand());
    auto compare = [&](arith::CmpFPredicate predicate, float number) {
      return arith::CmpFOp::create(b, predicate, x, constants.real(number));
    };
    // NaN goes through the first form, in which it stays NaN.
    Value isSmall = compare(arith::CmpFPredicate::ULT, bound);
    Value isBeyond = compare(arith::CmpFPredicate::OGT, limit);
    Value bounded =
        arith::SelectOp::create(b, isBeyond, constants.real(limit), x);
    Value size = arith::SelectOp::create(b, isSmall, small(constants, x),
                                         large(constants, bounded));
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, size, op.getOperand());
    return success();
  }

  float bound, limit;
  Form small, large;
};

/// x + x q(x^2), with q of erf(x) / x - 1 for x in [0, 1], error 0.02.
static Value buildSmallErf(const Constants &constants, Value x) {
  ImplicitLocOpBuilder &b = constants.b;
  Value square = arith::MulFOp::create(b, x, x);
  Value q = buildPolynomial(constants, square,
                            {0x1.496a32p-14f, -0x1.a3f7p-11f, 0x1.5405b2p-8f,
                             -0x1.b7f90ep-6f, 0x1.ce2cf8p-4f, -0x1.81273ep-2f,
                             0x1.06eba8p-3f});
  return math::FmaOp::create(b, x, q, x);
}

/// 1 - 2^y, with y of log2(1 - erf(x)) for x in [1, 3.95], error 0.02.
static Value buildLargeErf(const Constants &constants, Value x) {
  ImplicitLocOpBuilder &b = constants.b;
  Value one = constants.real(1.0f), magic = constants.real(0x1.8p23f);
  Value y = buildPolynomial(constants, arith::SubFOp::create(b, x, one),
                            {0x1.19f32ap-12f, -0x1.59ee44p-9f, 0x1.d3ccep-7f,
                             -0x1.ea82fp-5f, -0x1.37637ap+0f, -0x1.e75322p+1f,
                             -0x1.558eaep+1f});
  Value t = arith::AddFOp::create(b, y, magic);
  Value n = arith::SubFOp::create(b, t, magic);
  Value r = arith::SubFOp::create(b, y, n);
  return arith::SubFOp::create(b, one, buildPowerOfTwo(constants, r, t));
}

/// x + x q(x^2) x^2, with q of (tanh(x) / x - 1) / x^2 for x in [0, 0.55],
/// error 0.02.
static Value buildSmallTanh(const Constants &constants, Value x) {
  ImplicitLocOpBuilder &b = constants.b;
  Value square = arith::MulFOp::create(b, x, x);
  Value q = buildPolynomial(constants, square,
                            {-0x1.9b3046p-8f, 0x1.593d08p-6f, -0x1.b9287ap-5f,
                             0x1.110d26p-3f, -0x1.55554ap-2f});
  return math::FmaOp::create(b, x, arith::MulFOp::create(b, q, square), x);
}

/// 1 - 2 / (e^(2x) + 1).
static Value buildLargeTanh(const Constants &constants, Value x) {
  ImplicitLocOpBuilder &b = constants.b;
  Value one = constants.real(1.0f), magic = constants.real(0x1.8p23f);
  Value twice = arith::AddFOp::create(b, x, x);
  Value factor = constants.real(log2e);
  Value t = math::FmaOp::create(b, twice, factor, magic);
  Value n = arith::SubFOp::create(b, t, magic);
  Value r =
      math::FmaOp::create(b, twice, factor, arith::NegFOp::create(b, n));
  Value power = buildPowerOfTwo(constants, r, t);
  Value quotient = arith::DivFOp::create(
      b, constants.real(2.0f), arith::AddFOp::create(b, power, one));
  return arith::SubFOp::create(b, one, quotient);
}

void mlir::linalg_ext::populateApproximateMathPatterns(
    RewritePatternSet &patterns, bool avx512) {
  // Measured against f64, also without fused multiply-adds: exp is within 1 ulp,
  // tanh and erf are within 2 ulp.
  auto isApproximated = [](StringRef name) {
    return llvm::is_contained({math::ExpOp::getOperationName(),
                               math::TanhOp::getOperationName(),
                               math::ErfOp::getOperationName()},
                              name);
  };
  populateMathF32ExpansionPatterns(patterns, isApproximated);
  patterns.add<ApproximateOdd<math::ErfOp>>(
      patterns.getContext(), 1.0f, buildSmallErf, 4.0f, buildLargeErf);
  patterns.add<ApproximateOdd<math::TanhOp>>(
      patterns.getContext(), 0.55f, buildSmallTanh, 10.0f, buildLargeTanh);
  patterns.add<ApproximateExp, ApproximateExpOfDifference>(
      patterns.getContext(), avx512);
}

LogicalResult mlir::linalg_ext::approximateMath(Operation *scope, bool avx512) {
  RewritePatternSet patterns(scope->getContext());
  populateApproximateMathPatterns(patterns, avx512);
  // Upstream's patterns take tensors for scalars.
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (isa_and_present<math::MathDialect>(op->getDialect()) &&
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}
