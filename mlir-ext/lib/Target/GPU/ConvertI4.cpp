//===- ConvertI4.cpp - Unpacked integers of 4 bits to f16 -----------------===//
//
// A thread unpacks bytes as a vector of i8: each byte twice, shifted by 0 and
// by 4, and masked. As bytes, each integer would take several instructions. In
// words of 4 bytes, two integers take three: a permutation of the bytes of the
// word and of the word shifted by 4 puts them into the low bits of two halves,
// a mask and a constant make each the fraction of 1024 (of bf16, 128) + x, and
// a subtraction of two numbers at a time is exact.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/ConvertI4.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// ((nibbles of `bytes`, low ones first) ^ `flip`) - `offset`.
struct Nibbles {
  Value bytes;
  uint64_t flip = 0;
  int64_t offset = 0;
};
} // namespace

/// The number that all elements of `value` are.
static std::optional<APInt> getSplat(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number;
}

static std::optional<Nibbles> matchNibbles(Value value) {
  Nibbles nibbles;
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.isScalable() || type.getRank() != 1 ||
      !type.getElementType().isInteger(8))
    return std::nullopt;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<APInt> number = getSplat(sub.getRhs());
    // Neither operand nor result wraps.
    if (!number || number->sgt(64) || number->slt(-64))
      return std::nullopt;
    nibbles.offset = number->getSExtValue();
    value = sub.getLhs();
  }
  if (auto flip = value.getDefiningOp<arith::XOrIOp>()) {
    std::optional<APInt> number = getSplat(flip.getRhs());
    if (!number || number->ugt(15))
      return std::nullopt;
    nibbles.flip = number->getZExtValue();
    value = flip.getLhs();
  }
  auto mask = value.getDefiningOp<arith::AndIOp>();
  std::optional<APInt> low =
      mask ? getSplat(mask.getRhs()) : std::optional<APInt>();
  auto shift =
      mask ? mask.getLhs().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  DenseIntElementsAttr amounts;
  if (!low || *low != 15 || !shift ||
      !matchPattern(shift.getRhs(), m_Constant(&amounts)))
    return std::nullopt;
  auto twice = shift.getLhs().getDefiningOp<vector::ShuffleOp>();
  if (!twice || twice.getV1VectorType().getRank() != 1)
    return std::nullopt;
  int64_t count = type.getNumElements();
  ArrayRef<int64_t> order = twice.getMask();
  if (count % 8 != 0 || twice.getV1VectorType().getNumElements() < count / 2)
    return std::nullopt;
  for (auto [i, amount] : llvm::enumerate(amounts.getValues<APInt>()))
    if (order[i] != static_cast<int64_t>(i / 2) || amount != 4 * (i % 2))
      return std::nullopt;
  nibbles.bytes = twice.getV1();
  return nibbles;
}

namespace {
template <typename OpTy>
struct ConvertNibbles : public OpRewritePattern<OpTy> {
  ConvertNibbles(MLIRContext *context, bool hasBF16)
      : OpRewritePattern<OpTy>(context, /*benefit=*/2), hasBF16(hasBF16) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto to = dyn_cast<VectorType>(op.getType());
    if (!to || !(to.getElementType().isF16() ||
                 (hasBF16 && to.getElementType().isBF16())))
      return rewriter.notifyMatchFailure(op, "no vector of f16");
    std::optional<Nibbles> nibbles = matchNibbles(op.getIn());
    // What is below 0 would be large.
    if (!nibbles ||
        (std::is_same_v<OpTy, arith::UIToFPOp> && nibbles->offset > 0))
      return rewriter.notifyMatchFailure(op, "no unpacked integers of 4 bits");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto element = cast<FloatType>(to.getElementType());
    auto bytes = VectorType::get({4}, b.getI8Type());
    auto word = VectorType::get({1}, b.getI32Type());
    auto pair = VectorType::get({2}, element);
    auto splat = [&](uint64_t value) -> Value {
      return createScalarOrSplatConstant(b, b.getLoc(), word, APInt(32, value));
    };
    // 1024, or 128, and the offset.
    uint64_t one = element.isF16() ? 0x64006400 : 0x43004300;
    APFloat offset((element.isF16() ? 1024.0 : 128.0) +
                   static_cast<double>(nibbles->offset));
    bool losesInfo = false;
    offset.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    if (losesInfo)
      return rewriter.notifyMatchFailure(op, "the offset is not exact");
    Value subtracted = createScalarOrSplatConstant(b, b.getLoc(), pair, offset);
    int64_t count = to.getNumElements();
    Value result = arith::ConstantOp::create(b, b.getZeroAttr(to));
    for (int64_t at = 0; at < count / 2; at += 4) {
      Value part =
          vector::ExtractStridedSliceOp::create(b, nibbles->bytes, at, 4, 1);
      Value low = vector::BitCastOp::create(b, word, part);
      if (nibbles->flip)
        low = arith::XOrIOp::create(b, low, splat(0x11111111 * nibbles->flip));
      Value high = arith::ShRUIOp::create(b, low, splat(4));
      low = vector::BitCastOp::create(b, bytes, low);
      high = vector::BitCastOp::create(b, bytes, high);
      for (int64_t k = 0; k < 4; ++k) {
        Value halves = vector::ShuffleOp::create(
            b, low, high, ArrayRef<int64_t>{k, k, 4 + k, 4 + k});
        halves = vector::BitCastOp::create(b, word, halves);
        halves = arith::AndIOp::create(b, halves, splat(0x000f000f));
        halves = arith::OrIOp::create(b, halves, splat(one));
        Value sum = vector::BitCastOp::create(b, pair, halves);
        sum = arith::SubFOp::create(b, sum, subtracted);
        result = vector::InsertStridedSliceOp::create(b, sum, result,
                                                      2 * (at + k), 1);
      }
    }
    rewriter.replaceOp(op, result);
    return success();
  }

  bool hasBF16;
};

/// Positions in a word are constants.
struct FoldShortSteps : public OpRewritePattern<vector::StepOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::StepOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(op.getType());
    constexpr int64_t kMost = 8;
    if (type.isScalable() || type.getNumElements() > kMost)
      return rewriter.notifyMatchFailure(op, "counts further");
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(rewriter.getIndexAttr(i));
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, numbers));
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateConvertI4Patterns(RewritePatternSet &patterns,
                                                 bool hasBF16) {
  MLIRContext *context = patterns.getContext();
  patterns
      .add<ConvertNibbles<arith::SIToFPOp>, ConvertNibbles<arith::UIToFPOp>>(
          context, hasBF16);
  patterns.add<FoldShortSteps>(context);
}
