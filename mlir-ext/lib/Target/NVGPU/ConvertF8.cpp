//===- ConvertF8.cpp - Conversions of numbers of 8 bits -------------------===//
//
// Floats: the instructions of sm_89 and later convert two numbers at a time:
// from f8E4M3FN and f8E5M2 to f16, and from f32 to these. NVVM has no op for
// the former (22.1.8), so they are calls of intrinsics.
//
// Integers to f16: a conversion of one takes as long as four other
// instructions. But 1024 + x has the bits of x, from 0 to 1023, in its
// fraction.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Target/GPU/ConvertI4.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool hasInstructions(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

/// Builds `value`, a scalar or a vector of any rank, as a vector of one
/// dimension with an even number of elements. A missing element is 0.
static Value toPairs(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  Type element = getElementTypeOrSelf(value.getType());
  int64_t count = type ? type.getNumElements() : 1;
  auto flat = VectorType::get({count}, element);
  if (!type)
    value = vector::BroadcastOp::create(b, flat, value);
  else if (type != flat)
    value = vector::ShapeCastOp::create(b, flat, value);
  if (count % 2 == 0)
    return value;
  auto even = VectorType::get({count + 1}, element);
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(even));
  return vector::InsertStridedSliceOp::create(b, value, zeros, 0, 1);
}

/// Builds a value of `type` from the first elements of `pairs`.
static Value fromPairs(ImplicitLocOpBuilder &b, Value pairs, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return vector::ExtractOp::create(b, pairs, 0);
  int64_t count = vector.getNumElements();
  if (count != cast<VectorType>(pairs.getType()).getNumElements())
    pairs = vector::ExtractStridedSliceOp::create(b, pairs, 0, count, 1);
  return pairs.getType() == type
             ? pairs
             : vector::ShapeCastOp::create(b, vector, pairs).getResult();
}

/// Converts the elements of `value` to type `element`, by way of f32 if
/// necessary.
static Value convertFloats(ImplicitLocOpBuilder &b, Value value,
                           FloatType element) {
  auto type = cast<VectorType>(value.getType());
  auto from = cast<FloatType>(type.getElementType());
  if (from == element)
    return value;
  if (from.getWidth() < element.getWidth())
    return arith::ExtFOp::create(b, type.clone(element), value);
  if (from.getWidth() == element.getWidth())
    value = arith::ExtFOp::create(b, type.clone(b.getF32Type()), value);
  return arith::TruncFOp::create(b, type.clone(element), value);
}

namespace {
/// If a shuffle of converted 8-bit elements makes pairs of elements from
/// different words, shuffles the bytes before the conversion, four at a time.
template <typename OpTy>
struct ShuffleBytes : public OpRewritePattern<vector::ShuffleOp> {
  ShuffleBytes(MLIRContext *context)
      : OpRewritePattern<vector::ShuffleOp>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    auto convert = op.getV1().getDefiningOp<OpTy>();
    auto from = convert ? dyn_cast<VectorType>(convert.getIn().getType())
                        : VectorType();
    if (!from || from.getElementTypeBitWidth() != 8 ||
        (isa<FloatType>(from.getElementType())
             ? !hasInstructions(from)
             : getElementTypeOrSelf(op.getType()).isF32()) ||
        !splitsPairs(convert))
      return rewriter.notifyMatchFailure(op, "splits no pairs of bytes");
    ArrayRef<int64_t> mask = op.getMask();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bytes = convert.getIn();
    Type element = from.getElementType();
    if (!element.isInteger(8))
      bytes = arith::BitcastOp::create(b, from.clone(b.getI8Type()), bytes);
    int64_t count = static_cast<int64_t>(mask.size());
    auto type = VectorType::get({count}, b.getI8Type());
    Value shuffled = arith::ConstantOp::create(b, b.getZeroAttr(type));
    for (int64_t i = 0; i < count; i += 4) {
      ArrayRef<int64_t> four = mask.slice(i, 4);
      auto isOf = [&](int64_t at, int64_t other) { return at / 4 == other / 4; };
      Value word;
      if (from.getNumElements() % 4 == 0 && llvm::all_of(four, [&](int64_t at) {
            return isOf(at, four[0]) || isOf(at, four[1]);
          })) {
        auto getWord = [&](int64_t at) {
          return vector::ExtractStridedSliceOp::create(b, bytes, at / 4 * 4, 4,
                                                       1);
        };
        auto places = llvm::map_to_vector(four, [&](int64_t at) {
          return isOf(at, four[0]) ? at % 4 : 4 + at % 4;
        });
        word = vector::ShuffleOp::create(b, getWord(four[0]), getWord(four[1]),
                                         places);
      } else {
        word = vector::ShuffleOp::create(b, bytes, bytes, four);
      }
      shuffled = vector::InsertStridedSliceOp::create(b, word, shuffled, i, 1);
    }
    if (!element.isInteger(8))
      shuffled = arith::BitcastOp::create(b, type.clone(element), shuffled);
    rewriter.replaceOpWithNewOp<OpTy>(op, op.getResultVectorType(), shuffled);
    return success();
  }
};

struct ConvertExtF : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getIn().getType();
    if ((isa<ShapedType>(type) && !isa<VectorType>(type)) ||
        !hasInstructions(type) || splitsPairs(op))
      return rewriter.notifyMatchFailure(op, "no instruction converts it");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isE4M3 = isa<Float8E4M3FNType>(getElementTypeOrSelf(type));
    StringAttr name = b.getStringAttr(isE4M3 ? "llvm.nvvm.e4m3x2.to.f16x2.rn"
                                             : "llvm.nvvm.e5m2x2.to.f16x2.rn");
    Value codes = toPairs(b, op.getIn());
    int64_t count = cast<VectorType>(codes.getType()).getNumElements();
    codes = arith::BitcastOp::create(b, VectorType::get({count}, b.getI8Type()),
                                     codes);
    codes = vector::BitCastOp::create(
        b, VectorType::get({count / 2}, b.getI16Type()), codes);
    auto pairType = VectorType::get({2}, b.getF16Type());
    auto halfType = VectorType::get({count}, b.getF16Type());
    Value halves = arith::ConstantOp::create(b, b.getZeroAttr(halfType));
    for (int64_t i = 0; i < count / 2; ++i) {
      Value code = vector::ExtractOp::create(b, codes, i);
      Value pair =
          LLVM::CallIntrinsicOp::create(b, pairType, name, code).getResult(0);
      halves = vector::InsertStridedSliceOp::create(b, pair, halves, 2 * i, 1);
    }
    auto element = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    rewriter.replaceOp(
        op, fromPairs(b, convertFloats(b, halves, element), op.getType()));
    return success();
  }
};

/// If `value` clamps another value to the largest finite numbers of `type`,
/// returns the other value; otherwise returns `value`. NaN stays NaN in both.
static Value stripClamp(Value value, FloatType type) {
  for (bool isUpper : {false, true}) {
    Operation *op = value.getDefiningOp();
    if (!op ||
        !(isUpper ? isa<arith::MinimumFOp>(op) : isa<arith::MaximumFOp>(op)))
      return value;
    APFloat limit = APFloat::getLargest(type.getFloatSemantics(), !isUpper);
    bool isInexact;
    limit.convert(cast<FloatType>(getElementTypeOrSelf(value.getType()))
                      .getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &isInexact);
    FloatAttr number;
    SplatElementsAttr splat;
    Attribute attr;
    if (!matchPattern(op->getOperand(1), m_Constant(&attr)))
      return value;
    if ((number = dyn_cast<FloatAttr>(attr)) ||
        ((splat = dyn_cast<SplatElementsAttr>(attr)) &&
         (number = dyn_cast<FloatAttr>(splat.getSplatValue<Attribute>())))) {
      if (number.getValue().compare(limit) != APFloat::cmpEqual)
        return value;
    } else {
      return value;
    }
    value = op->getOperand(0);
  }
  return value;
}

struct ConvertTruncF : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), from = getElementTypeOrSelf(op.getIn().getType());
    if ((isa<ShapedType>(type) && !isa<VectorType>(type)) ||
        !hasInstructions(type) ||
        !(from.isF16() || from.isBF16() || from.isF32()))
      return rewriter.notifyMatchFailure(op, "no instruction converts it");
    if (op.getRoundingmode() &&
        op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "does not round to nearest even");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    // The instruction itself clamps to finite numbers.
    bool isClamped = isClampedTo(op.getIn(), element);
    Value in = isClamped ? stripClamp(op.getIn(), element) : op.getIn();
    Value x = convertFloats(b, toPairs(b, in), b.getF32Type());
    auto wide = cast<VectorType>(x.getType());
    int64_t count = wide.getNumElements();
    auto words = VectorType::get({count / 2}, b.getI16Type());
    Value codes = arith::ConstantOp::create(b, b.getZeroAttr(words));
    for (int64_t i = 0; i < count / 2; ++i) {
      // The first operand of the instruction becomes the upper byte.
      Value high = vector::ExtractOp::create(b, x, 2 * i + 1);
      Value low = vector::ExtractOp::create(b, x, 2 * i);
      Value word = NVVM::ConvertF32x2ToF8x2Op::create(
          b, b.getI16Type(), high, low, NVVM::FPRoundingMode::RN,
          NVVM::SaturationMode::SATFINITE, /*relu=*/false, element);
      codes = vector::InsertOp::create(b, word, codes, i);
    }
    auto bytes = VectorType::get({count}, b.getI8Type());
    codes = vector::BitCastOp::create(b, bytes, codes);
    if (!isClamped) {
      // The code after that of the largest number is infinity or NaN. Halfway
      // between these two codes, a tie goes to the even code: f8E5M2 rounds up
      // to infinity, and f8E4M3FN rounds down to the largest number.
      bool isE4M3 = isa<Float8E4M3FNType>(element);
      Value limit = createScalarOrSplatConstant(
          b, b.getLoc(), wide, APFloat(isE4M3 ? 464.0f : 61440.0f));
      Value isTooLarge = arith::CmpFOp::create(
          b, isE4M3 ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OGE,
          math::AbsFOp::create(b, x), limit);
      codes = arith::AddIOp::create(
          b, codes, arith::ExtUIOp::create(b, bytes, isTooLarge));
    }
    codes =
        arith::BitcastOp::create(b, VectorType::get({count}, element), codes);
    rewriter.replaceOp(op, fromPairs(b, codes, type));
    return success();
  }
};
} // namespace

namespace {
/// Converts bytes of integers. A byte with 0x64 in the byte above it is the f16
/// number 1024 + x. For signed integers, x is the integer plus 128. Numbers of
/// bf16 have 7 bits below 0x43 in the byte above: the lower 7 bits x of the
/// integer give the number 128 + x. The upper bit alone gives 128 or 256, which
/// is subtracted to get the signed integer. All of this is exact.
template <typename OpTy>
struct ConvertBytes : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    auto to = dyn_cast<VectorType>(op.getType());
    if (!from || from.isScalable() || !from.getElementType().isInteger(8) ||
        !(to.getElementType().isF16() || to.getElementType().isBF16()) ||
        from.getNumElements() < 2 || splitsPairs(op))
      return rewriter.notifyMatchFailure(op, "no vector of i8 to f16 or bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t count = from.getNumElements();
    auto bytes = VectorType::get({count}, b.getI8Type());
    auto splat = [&](int64_t value) -> Value {
      return createScalarOrSplatConstant(
          b, b.getLoc(), bytes,
          APInt(8, value, /*isSigned=*/false, /*implicitTrunc=*/true));
    };
    Value x = op.getIn();
    if (from != bytes)
      x = vector::ShapeCastOp::create(b, bytes, x);
    bool isSigned = std::is_same_v<OpTy, arith::SIToFPOp>;
    bool isF16 = to.getElementType().isF16();
    if (isSigned == isF16)
      x = arith::XOrIOp::create(b, x, splat(0x80));
    SmallVector<int64_t> order;
    for (int64_t i = 0; i < count; ++i)
      order.append({i, count + i});
    auto halves = VectorType::get({count}, to.getElementType());
    // Builds the numbers whose upper byte is `upper` and whose lower bytes are
    // `lower`.
    auto join = [&](Value lower, int64_t upper) -> Value {
      return vector::BitCastOp::create(
          b, halves, vector::ShuffleOp::create(b, lower, splat(upper), order));
    };
    auto number = [&](double value) -> Value {
      APFloat constant(value);
      bool losesInfo;
      constant.convert(cast<FloatType>(to.getElementType()).getFloatSemantics(),
                       APFloat::rmNearestTiesToEven, &losesInfo);
      return createScalarOrSplatConstant(b, b.getLoc(), halves, constant);
    };
    Value result;
    if (isF16) {
      result = arith::SubFOp::create(b, join(x, 0x64),
                                     number(isSigned ? 1024 + 128 : 1024));
    } else {
      Value low = arith::AndIOp::create(b, x, splat(0x7f));
      Value high = arith::AndIOp::create(b, x, splat(0x80));
      result = arith::SubFOp::create(b, join(low, 0x43), join(high, 0x43));
      if (!isSigned)
        result = arith::AddFOp::create(b, result, number(128));
    }
    rewriter.replaceOp(
        op, to == halves
                ? result
                : vector::ShapeCastOp::create(b, to, result).getResult());
    return success();
  }
};
} // namespace

namespace {
/// Merges (x & c) | d, or (x & c) ^ d, of a word, for which ptxas uses two
/// instructions.
template <typename OpTy>
struct MergeLogic : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto mask = op.getLhs().template getDefiningOp<arith::AndIOp>();
    APInt kept, other;
    if (!type || type.isScalable() || type.getNumElements() != 1 ||
        !type.getElementType().isInteger(32) || !mask || !mask->hasOneUse() ||
        !matchPattern(mask.getRhs(), m_ConstantInt(&kept)) ||
        !matchPattern(op.getRhs(), m_ConstantInt(&other)))
      return rewriter.notifyMatchFailure(op, "no masked word and a constant");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto getWord = [&](Value value) {
      return vector::ExtractOp::create(b, value,
                                       SmallVector<int64_t>(type.getRank(), 0))
          .getResult();
    };
    bool isOr = std::is_same_v<OpTy, arith::OrIOp>;
    Value word =
        LLVM::InlineAsmOp::create(
            b, b.getI32Type(),
            ValueRange{getWord(mask.getLhs()), getWord(mask.getRhs()),
                       getWord(op.getRhs())},
            isOr ? "lop3.b32 $0, $1, $2, $3, 0xEA;"
                 : "lop3.b32 $0, $1, $2, $3, 0x6A;",
            "=r,r,r,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
            LLVM::TailCallKind::None,
            LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
            ArrayAttr())
            .getResult(0);
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type, word);
    return success();
  }
};
} // namespace

void mlir::nvgpu_ext::populateConvertI8Patterns(RewritePatternSet &patterns) {
  patterns.add<ConvertBytes<arith::SIToFPOp>, ConvertBytes<arith::UIToFPOp>,
               ShuffleBytes<arith::SIToFPOp>, ShuffleBytes<arith::UIToFPOp>,
               MergeLogic<arith::OrIOp>, MergeLogic<arith::XOrIOp>>(
      patterns.getContext());
}

void mlir::nvgpu_ext::populateConvertF8Patterns(RewritePatternSet &patterns) {
  patterns.add<ConvertExtF, ConvertTruncF, ShuffleBytes<arith::ExtFOp>>(
      patterns.getContext());
}
