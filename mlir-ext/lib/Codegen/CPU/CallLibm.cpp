//===- CallLibm.cpp - Math functions as libm calls ------------------------===//
//
// The conversion of math ops to the LLVM dialect computes expm1 and log1p as
// exp(x) - 1 and log(1 + x), which have no correct digits near 0. It has no
// lowering for some other ops. Upstream's conversion to libm calls would also
// call functions for square roots and rounding, which are instructions. This
// step creates calls only for the ops that need them, one call for each
// element. It computes functions of f16 and bf16 in f32.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/ExpandMath.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static Type withElementType(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// Returns whether `op` is on scalars or vectors of known size. An op on
/// tensors is not bufferised yet.
static bool isOfScalarsOrVectors(Operation *op) {
  auto isIt = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? !vector.isScalable() : !isa<ShapedType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), isIt) &&
         llvm::all_of(op->getResultTypes(), isIt);
}

/// Each element becomes one call. A longer vector would become too much code.
static constexpr int64_t kMaxElements = 1 << 14;

namespace {
/// Computes functions of f16, bf16 and floats of 8 bits in f32. LLVM would
/// convert the operands by calls of functions that few libraries have. Most
/// subnormal halves are normal in f32.
struct WidenHalves : public RewritePattern {
  WidenHalves(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto isHalf = [](Type type) {
      auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
      return element && element.getWidth() <= 16;
    };
    if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
        !isOfScalarsOrVectors(op) || isa<math::IsNormalOp>(op) ||
        (llvm::none_of(op->getOperandTypes(), isHalf) &&
         llvm::none_of(op->getResultTypes(), isHalf)))
      return rewriter.notifyMatchFailure(op, "no function of f16 or less");
    Location loc = op->getLoc();
    auto widen = [&](Type type) {
      return isHalf(type) ? withElementType(type, rewriter.getF32Type()) : type;
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isHalf(operand.getType())
                             ? arith::ExtFOp::create(rewriter, loc,
                                                     widen(operand.getType()),
                                                     operand)
                             : operand);
    SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), widen);
    Operation *wide = rewriter.create(loc, op->getName().getIdentifier(),
                                      operands, types, op->getAttrs());
    SmallVector<Value> results;
    for (auto [type, result] :
         llvm::zip_equal(op->getResultTypes(), wide->getResults()))
      results.push_back(
          isHalf(type) ? arith::TruncFOp::create(rewriter, loc, type, result)
                       : Value(result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Converts f64 to bf16 by way of f32. For the direct conversion, LLVM would
/// call a function that few libraries have.
struct TruncateInTwo : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getIn();
    Type type = x.getType();
    if (!isOfScalarsOrVectors(op) || !getElementTypeOrSelf(type).isF64() ||
        !getElementTypeOrSelf(op.getType()).isBF16() || op.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "not of f64 to bf16");
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 roundToOddF32(b, x));
    return success();
  }
};

/// Computes x^n as products if n is a constant from 0 to 4 (at most two
/// roundings, and no overflow but that of the result), and as 1 / x if n is -1.
/// Otherwise uses pow of f64, whose range and digits are enough for all n of 32
/// bits.
struct LowerFPowI : public OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    if (!isOfScalarsOrVectors(op) || (!element.isF32() && !element.isF64()))
      return rewriter.notifyMatchFailure(op, "neither f32 nor f64");
    const llvm::fltSemantics &semantics =
        cast<FloatType>(element).getFloatSemantics();
    Value x = op.getLhs();
    APInt exponent;
    if (matchPattern(op.getRhs(), m_ConstantInt(&exponent)) &&
        exponent.sge(-1) && exponent.sle(4)) {
      int64_t n = exponent.getSExtValue();
      Value result =
          n > 0 ? x
                : createScalarOrSplatConstant(b, b.getLoc(), type,
                                              APFloat::getOne(semantics));
      if (n == -1)
        result = arith::DivFOp::create(b, result, x);
      if (n >= 2)
        result = arith::MulFOp::create(b, x, x);
      if (n == 3)
        result = arith::MulFOp::create(b, result, x);
      if (n == 4)
        result = arith::MulFOp::create(b, result, result);
      rewriter.replaceOp(op, result);
      return success();
    }
    Type f64 = withElementType(type, b.getF64Type());
    Value n = arith::SIToFPOp::create(b, f64, op.getRhs());
    if (type != f64)
      x = arith::ExtFOp::create(b, f64, x);
    Value result = math::PowFOp::create(b, x, n);
    if (type != f64)
      result = arith::TruncFOp::create(b, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

LogicalResult mlir::linalg_ext::callLibm(Operation *scope) {
  MLIRContext *context = scope->getContext();
  WalkResult checked = scope->walk([](Operation *op) {
    if (!isa_and_present<math::MathDialect>(op->getDialect()))
      return WalkResult::advance();
    for (Type type : op->getOperandTypes())
      if (auto vector = dyn_cast<VectorType>(type);
          vector && vector.getNumElements() > kMaxElements) {
        op->emitError() << "expected vectors of at most " << kMaxElements
                        << " elements, got " << vector;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  RewritePatternSet expansions(context);
  expansions.add<WidenHalves, TruncateInTwo, LowerFPowI>(context);
  populateExpandMathPatterns(expansions);
  if (failed(applyPatternsGreedily(scope, std::move(expansions),
                                   getStructuredRewriteConfig())))
    return failure();

  // Applies upstream's patterns to those ops alone that need them.
  RewritePatternSet calls(context);
  populateMathToLibmConversionPatterns(calls);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target
      .addIllegalOp<math::AcoshOp, math::AsinhOp, math::AtanhOp, math::CbrtOp,
                    math::ErfOp, math::ErfcOp, math::ExpM1Op, math::Log1pOp>();
  return applyPartialConversion(scope, target, std::move(calls));
}
