//===- ConvertI4.cpp - Unpacked integers of 4 bits to f16 -----------------===//
//
// A thread unpacks bytes as a vector of i8: each byte twice, shifted by 0 and
// by 4, and masked. Words of 32 bits are shifted by more: they are bytes, too.
// As bytes, each integer would take several instructions. In words of 4 bytes,
// two integers take three:
//
//   1. A permutation puts the bytes of both into the halves of a word: of the
//      word itself, or shifted by 4. Where both are at the same position of two
//      words, it puts halves of these side by side, for four pairs.
//   2. A mask and a constant make each integer x the fraction of 1024 (of bf16,
//      128) + x.
//   3. A subtraction of two numbers at a time is exact.
//
// Integers 4 apart are in both halves of a word: these take no permutation. In
// f16, the upper ones of a byte are masked where they are, which is 16 times as
// much, and multiplied by 1/16 by the instruction that subtracts.
//
// If the numbers are then multiplied by 2^-24 in f16, the mask is enough: each
// integer is a subnormal number. If an fma multiplies them by 2^-9, the mask is
// enough, too, and the fma multiplies its result by 2^15 or 2^11. If 128 is
// added in bf16, the sum of 2. is the result.
//
// What is computed from numbers before these are put together in another order
// is computed in that order.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/ConvertI4.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::splitsPairs(Operation *conversion) {
  auto type = dyn_cast<VectorType>(conversion->getResult(0).getType());
  if (!type || type.getRank() != 1 || type.isScalable())
    return false;
  int64_t count = type.getNumElements(), used = 0;
  bool splits = false;
  llvm::SmallPtrSet<Operation *, 16> users;
  for (Operation *user : conversion->getUsers()) {
    auto shuffle = dyn_cast<vector::ShuffleOp>(user);
    if (!shuffle || shuffle.getV1() != shuffle.getV2() ||
        shuffle.getMask().size() % 4 != 0)
      return false;
    if (!users.insert(user).second)
      continue;
    ArrayRef<int64_t> mask = shuffle.getMask();
    used += static_cast<int64_t>(mask.size());
    for (size_t i = 0; i < mask.size(); i += 2) {
      if (mask[i] < 0 || mask[i] >= count || mask[i + 1] < 0 ||
          mask[i + 1] >= count)
        return false;
      splits |= mask[i] % 2 != 0 || mask[i + 1] != mask[i] + 1;
    }
  }
  return splits && used <= count;
}

/// Returns the integer that all elements of `value` are, if it is a constant
/// splat.
static std::optional<APInt> getSplat(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number;
}

/// Returns the bytes of `source`: a vector of bytes or words, or one word.
static int64_t countBytes(Value source) {
  auto type = dyn_cast<VectorType>(source.getType());
  return (type ? type.getNumElements() : 1) *
         getElementTypeOrSelf(source).getIntOrFloatBitWidth() / 8;
}

/// Adds `source` to the bytes of `nibbles`, unless it is there already. Returns
/// the number of its first byte. Fails if it is no whole number of words.
static FailureOr<int64_t> addBytes(Value source, Nibbles &nibbles) {
  int64_t first = 0;
  for (Value known : nibbles.bytes) {
    if (known == source)
      return first;
    first += countBytes(known);
  }
  auto type = dyn_cast<VectorType>(source.getType());
  if ((type && (type.getRank() != 1 || type.isScalable())) ||
      countBytes(source) % 4 != 0)
    return failure();
  nibbles.bytes.push_back(source);
  return first;
}

/// Records which bytes the elements of `value` start at. `value` is a shuffle,
/// a vector of elements that are extracted or loaded one by one, or read as it
/// is.
static LogicalResult findBytes(Value value, Nibbles &nibbles) {
  int64_t size = getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8;
  if (auto repeated = value.getDefiningOp<vector::ShuffleOp>()) {
    FailureOr<int64_t> first = addBytes(repeated.getV1(), nibbles);
    if (failed(first))
      return failure();
    int64_t count = repeated.getV1VectorType().getNumElements();
    for (int64_t element : repeated.getMask()) {
      if (element < 0 || element >= count)
        return failure();
      nibbles.order.push_back(*first + element * size);
    }
    return success();
  }
  auto elements = value.getDefiningOp<vector::FromElementsOp>();
  if (!elements) {
    // Bytes are repeated: with as many elements, some would not be read.
    int64_t count = cast<VectorType>(value.getType()).getNumElements();
    FailureOr<int64_t> first = failure();
    if (size == 4)
      first = addBytes(value, nibbles);
    if (failed(first))
      return failure();
    for (int64_t element = 0; element < count; ++element)
      nibbles.order.push_back(*first + element * size);
    return success();
  }
  for (Value element : elements.getElements()) {
    auto extract = element.getDefiningOp<vector::ExtractOp>();
    bool isOfVector = extract && !extract.hasDynamicPosition() &&
                      extract.getNumIndices() == 1;
    if (!isOfVector && size != 4)
      return failure();
    FailureOr<int64_t> first =
        addBytes(isOfVector ? extract.getSource() : element, nibbles);
    if (failed(first))
      return failure();
    nibbles.order.push_back(
        *first + (isOfVector ? extract.getStaticPosition().front() * size : 0));
  }
  return success();
}

Value Nibbles::buildWord(OpBuilder &b, Location loc, int64_t byte) const {
  for (Value source : bytes) {
    int64_t count = countBytes(source);
    if (byte >= count) {
      byte -= count;
      continue;
    }
    if (getElementTypeOrSelf(source).isInteger(8))
      return vector::ExtractStridedSliceOp::create(b, loc, source, byte / 4 * 4,
                                                   4, 1);
    auto word = VectorType::get({1}, b.getI32Type());
    Value part =
        isa<VectorType>(source.getType())
            ? vector::ExtractStridedSliceOp::create(b, loc, source, byte / 4, 1,
                                                    1)
                  .getResult()
            : vector::BroadcastOp::create(b, loc, word, source).getResult();
    return vector::BitCastOp::create(b, loc,
                                     VectorType::get({4}, b.getI8Type()), part);
  }
  llvm_unreachable("a byte of none of the vectors");
}

std::optional<Nibbles> mlir::linalg_ext::matchNibbles(Value value) {
  Nibbles nibbles;
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.isScalable() || type.getRank() != 1 ||
      !(type.getElementType().isInteger(8) ||
        type.getElementType().isInteger(32)))
    return std::nullopt;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<APInt> number = getSplat(sub.getRhs());
    // In this range neither the operand nor the result wraps.
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
  Value masked = mask ? mask.getLhs() : Value();
  // Of a word, the mask leaves none of the bits that a truncation drops.
  if (auto narrow =
          masked ? masked.getDefiningOp<arith::TruncIOp>() : arith::TruncIOp())
    masked = narrow.getIn();
  Operation *shift = masked ? masked.getDefiningOp() : nullptr;
  if (!low || *low != 15 ||
      !isa_and_nonnull<arith::ShRUIOp, arith::ShRSIOp>(shift))
    return std::nullopt;
  int64_t bits = getElementTypeOrSelf(masked).getIntOrFloatBitWidth();
  DenseIntElementsAttr amounts;
  if ((bits != 8 && bits != 32) || (bits == 8 && isa<arith::ShRSIOp>(shift)) ||
      !matchPattern(shift->getOperand(1), m_Constant(&amounts)) ||
      type.getNumElements() % 2 != 0 ||
      failed(findBytes(shift->getOperand(0), nibbles)))
    return std::nullopt;
  for (auto [number, amount] : llvm::enumerate(amounts.getValues<APInt>())) {
    // No integer starts in the last bits, or between two halves of bytes.
    if (amount.urem(4) != 0 || amount.uge(bits))
      return std::nullopt;
    nibbles.order[number] += amount.getZExtValue() / 8;
    nibbles.amounts.push_back(amount.getZExtValue() % 8);
  }
  return nibbles;
}

/// Returns the constant that all elements of `value` are, if it is a splat.
static std::optional<double> getFloatSplat(Value value) {
  FloatAttr number;
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APFloat>().convertToDouble();
  return std::nullopt;
}

/// A factor of an fma that is 2^-24, the last bit of f16, times a number of
/// f16.
static constexpr double kOfFma = 0x1p-9;

/// Returns by how much larger than 2^-24 each number of `value`, a vector of
/// f16, is, if it is a constant: 1 or 16, as integers in either half of a byte.
static std::optional<SmallVector<int64_t>> getUnits(Value value) {
  DenseFPElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  SmallVector<int64_t> units;
  for (const APFloat &element : elements.getValues<APFloat>()) {
    double unit = element.convertToDouble() * 0x1p24;
    if (unit != 1 && unit != 16)
      return std::nullopt;
    units.push_back(static_cast<int64_t>(unit));
  }
  return units;
}

/// Returns the operand of `op` that it gives another exponent, so that the
/// result is a few bits: a number of f16 times 2^-24 or 2^-20, or of bf16 plus
/// 128; or that an fma multiplies by `kOfFma`. Returns null if `op` does
/// something else.
static Value getRebased(Operation *op) {
  if (auto fma = dyn_cast<math::FmaOp>(op)) {
    return getElementTypeOrSelf(fma.getType()).isF16() &&
                   getFloatSplat(fma.getB()) == kOfFma
               ? fma.getA()
               : Value();
  }
  if (!isa<arith::MulFOp, arith::AddFOp>(op))
    return nullptr;
  bool isF16 = getElementTypeOrSelf(op->getResult(0)).isF16(),
       isBF16 = getElementTypeOrSelf(op->getResult(0)).isBF16();
  bool rebases = isa<arith::MulFOp>(op)
                     ? isF16 && getUnits(op->getOperand(1))
                     : isBF16 && getFloatSplat(op->getOperand(1)) == 128.0;
  return rebases ? op->getOperand(0) : Value();
}

/// Returns whether all users of `op` are those of `getRebased`.
static bool isRebased(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    return getRebased(user) == op->getResult(0);
  });
}

/// Builds the word of `nibbles` that contains `byte`, shifted by 4 if
/// `isShifted`, as four bytes.
static Value buildBytes(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                        int64_t byte, bool isShifted) {
  Value part = nibbles.buildWord(b, b.getLoc(), byte);
  if (!isShifted)
    return part;
  auto word = VectorType::get({1}, b.getI32Type());
  Value shifted = arith::ShRUIOp::create(
      b, vector::BitCastOp::create(b, word, part),
      createScalarOrSplatConstant(b, b.getLoc(), word, APInt(32, 4)));
  return vector::BitCastOp::create(b, VectorType::get({4}, b.getI8Type()),
                                   shifted);
}

/// Builds `pair`, two integers at `bit` of halves as subnormal numbers, times
/// `units`: their places multiply them, perhaps by as much.
static Value multiplyByUnits(ImplicitLocOpBuilder &b, Value pair,
                             ArrayRef<int64_t> units, int64_t bit) {
  auto type = cast<VectorType>(pair.getType());
  SmallVector<Attribute> factors;
  for (int64_t unit : units)
    factors.push_back(b.getFloatAttr(type.getElementType(),
                                     static_cast<double>(unit) / (1 << bit)));
  if (llvm::all_of(units, [&](int64_t unit) { return unit == 1 << bit; }))
    return pair;
  return arith::MulFOp::create(
      b, pair,
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, factors)));
}

/// Builds `nibbles` as numbers, a vector of type `to`, or, if they are
/// `rebased`, as their product with 2^-24 (in bf16, the sum with 128). These
/// are then multiplied and added as `rebased` says if it is an fma. Returns
/// null if the offset is not exact.
static Value buildNumbers(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                          VectorType to, Operation *rebased) {
  auto element = cast<FloatType>(to.getElementType());
  auto word = VectorType::get({1}, b.getI32Type());
  auto pair = VectorType::get({2}, element);
  auto splat = [&](uint64_t value) -> Value {
    return createScalarOrSplatConstant(b, b.getLoc(), word, APInt(32, value));
  };
  bool losesInfo = false;
  // This number makes the integer the fraction of a float.
  double one = element.isF16() ? 1024 : 128;
  auto number = [&](double value) {
    APFloat result(value);
    bool loses = false;
    result.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
    losesInfo |= loses;
    return result;
  };
  auto constant = [&](const APFloat &value) {
    return createScalarOrSplatConstant(b, b.getLoc(), pair, value);
  };
  APFloat offset = number(one + static_cast<double>(nibbles.offset)),
          offsetOf16 = number(one / 16 + static_cast<double>(nibbles.offset));
  if (losesInfo || (rebased && nibbles.offset != 0))
    return nullptr;
  Value subtracted = constant(offset);
  auto getWord = [&](int64_t byte, bool isShifted) {
    return buildBytes(b, nibbles, byte, isShifted);
  };
  bool isSubnormal = rebased && element.isF16();
  uint64_t exponent =
      isSubnormal ? 0 : number(one).bitcastToAPInt().getZExtValue();
  auto fma = dyn_cast_or_null<math::FmaOp>(rebased);
  std::optional<SmallVector<int64_t>> units;
  if (isa_and_nonnull<arith::MulFOp>(rebased))
    units = getUnits(rebased->getOperand(1));
  // Converts `halves`, for the pair of numbers `at`. Both halves of the word
  // have an integer at `bit`.
  auto convert = [&](Value halves, int64_t bit, int64_t at) -> Value {
    uint64_t mask = uint64_t(0x000f000f) << bit,
             added = (exponent | nibbles.flip << bit) * 0x00010001;
    halves = arith::AndIOp::create(b, halves, splat(mask));
    if (nibbles.flip != 0)
      halves = arith::XOrIOp::create(b, halves, splat(added));
    else if (added != 0)
      halves = arith::OrIOp::create(b, halves, splat(added));
    Value sum = vector::BitCastOp::create(b, pair, halves);
    if (fma) {
      double factor = kOfFma * 0x1p24 / (1 << bit);
      Value added = vector::ExtractStridedSliceOp::create(b, fma.getC(), at, 2,
                                                          /*strides=*/1);
      return math::FmaOp::create(b, sum, constant(number(factor)), added);
    }
    if (units)
      return multiplyByUnits(b, sum, ArrayRef(*units).slice(at, 2), bit);
    if (rebased)
      return sum;
    if (bit == 0)
      return arith::SubFOp::create(b, sum, subtracted);
    return math::FmaOp::create(b, sum, constant(number(1.0 / 16)),
                               constant(neg(offsetOf16)));
  };
  auto shift = [&](Value halves, int64_t amount) -> Value {
    return amount == 0 ? halves
                       : arith::ShRUIOp::create(b, halves, splat(amount));
  };
  int64_t count = to.getNumElements();
  Value result = arith::ConstantOp::create(b, b.getZeroAttr(to));
  for (int64_t i = 0; i < count; i += 2) {
    int64_t first = nibbles.order[i], second = nibbles.order[i + 1];
    int64_t amount = nibbles.amounts[i];
    bool areAlike = amount == nibbles.amounts[i + 1];
    int64_t bit = areAlike && element.isF16() ? amount : 0, by = amount - bit;
    Value halves;
    if (areAlike && first % 4 < 2 && second == first + 2) {
      halves = getWord(first, false);
      by += 8 * (first % 4);
    } else if (areAlike && first % 4 == second % 4) {
      // The halves of two words contain four such pairs.
      int64_t half = first % 4 / 2 * 2;
      halves = vector::ShuffleOp::create(
          b, getWord(first, false), getWord(second, false),
          ArrayRef<int64_t>{half, half + 1, half + 4, half + 5});
      by += 8 * (first % 2);
    } else {
      halves = vector::ShuffleOp::create(
          b, getWord(first, amount != 0),
          getWord(second, nibbles.amounts[i + 1] != 0),
          ArrayRef<int64_t>{first % 4, first % 4, 4 + second % 4,
                            4 + second % 4});
      bit = by = 0;
    }
    halves = vector::BitCastOp::create(b, word, halves);
    result = vector::InsertStridedSliceOp::create(
        b, convert(shift(halves, by), bit, i), result, i, 1);
  }
  return result;
}

/// Matches the integers of 4 bits that `op` converts to f16, or to bf16 if
/// `hasBF16`.
template <typename OpTy>
static std::optional<Nibbles> matchConversion(OpTy op, bool hasBF16) {
  auto to = dyn_cast<VectorType>(op.getType());
  if (!to || !(to.getElementType().isF16() ||
               (hasBF16 && to.getElementType().isBF16())))
    return std::nullopt;
  std::optional<Nibbles> nibbles = matchNibbles(op.getIn());
  // A number below 0 would become a large one.
  if (nibbles && std::is_same_v<OpTy, arith::UIToFPOp> && nibbles->offset > 0)
    return std::nullopt;
  return nibbles;
}

namespace {
template <typename OpTy>
struct ConvertNibbles : public OpRewritePattern<OpTy> {
  ConvertNibbles(MLIRContext *context, bool hasBF16)
      : OpRewritePattern<OpTy>(context, /*benefit=*/2), hasBF16(hasBF16) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    std::optional<Nibbles> nibbles = matchConversion(op, hasBF16);
    if (!nibbles || splitsPairs(op) || (nibbles->offset == 0 && isRebased(op)))
      return rewriter.notifyMatchFailure(op, "no unpacked integers of 4 bits");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result = buildNumbers(b, *nibbles, cast<VectorType>(op.getType()),
                                /*rebased=*/nullptr);
    if (!result)
      return rewriter.notifyMatchFailure(op, "the offset is not exact");
    rewriter.replaceOp(op, result);
    return success();
  }

  bool hasBF16;
};

/// Returns the integers of 4 bits that `op`, a shuffle of a conversion,
/// converts and puts in another order.
template <typename OpTy>
static std::optional<Nibbles> matchShuffledConversion(vector::ShuffleOp op,
                                                      bool hasBF16) {
  auto convert = op.getV1().getDefiningOp<OpTy>();
  if (!convert || !splitsPairs(convert))
    return std::nullopt;
  std::optional<Nibbles> all = matchConversion(convert, hasBF16);
  if (!all)
    return std::nullopt;
  Nibbles nibbles = *all;
  nibbles.order.clear();
  nibbles.amounts.clear();
  for (int64_t at : op.getMask()) {
    nibbles.order.push_back(all->order[at]);
    nibbles.amounts.push_back(all->amounts[at]);
  }
  return nibbles;
}

/// Puts pairs of numbers from different words together as bytes.
template <typename OpTy>
struct ConvertShuffledNibbles : public OpRewritePattern<vector::ShuffleOp> {
  ConvertShuffledNibbles(MLIRContext *context, bool hasBF16)
      : OpRewritePattern(context, /*benefit=*/3), hasBF16(hasBF16) {}

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Nibbles> nibbles = matchShuffledConversion<OpTy>(op, hasBF16);
    if (!nibbles || (nibbles->offset == 0 && isRebased(op)))
      return rewriter.notifyMatchFailure(
          op, "splits no pairs of unpacked integers of 4 bits");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result =
        buildNumbers(b, *nibbles, cast<VectorType>(op.getResultVectorType()),
                     /*rebased=*/nullptr);
    if (!result)
      return rewriter.notifyMatchFailure(op, "the offset is not exact");
    rewriter.replaceOp(op, result);
    return success();
  }

  bool hasBF16;
};

/// Masks numbers that are given another exponent (`getRebased`).
template <typename OpTy>
struct RebaseNibbles : public OpRewritePattern<OpTy> {
  RebaseNibbles(MLIRContext *context, bool hasBF16)
      : OpRewritePattern<OpTy>(context, /*benefit=*/3), hasBF16(hasBF16) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value numbers = getRebased(op);
    Operation *def = numbers ? numbers.getDefiningOp() : nullptr;
    std::optional<Nibbles> nibbles;
    if (auto convert = dyn_cast_or_null<arith::UIToFPOp>(def))
      nibbles = matchConversion(convert, hasBF16);
    else if (auto shuffle = dyn_cast_or_null<vector::ShuffleOp>(def))
      nibbles = matchShuffledConversion<arith::UIToFPOp>(shuffle, hasBF16);
    if (!nibbles || !isRebased(def))
      return rewriter.notifyMatchFailure(op, "no unpacked integers of 4 bits");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result = buildNumbers(b, *nibbles, cast<VectorType>(op.getType()),
                                /*rebased=*/op);
    if (!result)
      return rewriter.notifyMatchFailure(op, "integers have an offset");
    rewriter.replaceOp(op, result);
    return success();
  }

  bool hasBF16;
};

/// Moves a shuffle that splits pairs before the elementwise op that computes
/// its operands.
struct ShuffleOperands : public OpRewritePattern<vector::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Operation *def = op.getV1().getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                         math::FmaOp>(def) ||
        !splitsPairs(def))
      return rewriter.notifyMatchFailure(op, "splits no pairs of arithmetic");
    SmallVector<Value> operands;
    for (Value operand : def->getOperands()) {
      auto elements = operand.getDefiningOp<vector::FromElementsOp>();
      if (!elements) {
        operands.push_back(vector::ShuffleOp::create(
            rewriter, op.getLoc(), operand, operand, op.getMask()));
        continue;
      }
      SmallVector<Value> shuffled = llvm::map_to_vector(
          op.getMask(), [&](int64_t at) { return elements.getElements()[at]; });
      operands.push_back(vector::FromElementsOp::create(
          rewriter, op.getLoc(), op.getResultVectorType(), shuffled));
    }
    OperationState state(op.getLoc(), def->getName(), operands,
                         TypeRange{op.getResultVectorType()}, def->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

/// Folds short steps to constants, because positions in a word are constants.
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

void mlir::linalg_ext::populateShuffleOperandsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ShuffleOperands>(patterns.getContext());
}

void mlir::linalg_ext::populateConvertI4Patterns(RewritePatternSet &patterns,
                                                 bool hasBF16) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertNibbles<arith::SIToFPOp>, ConvertNibbles<arith::UIToFPOp>,
               ConvertShuffledNibbles<arith::SIToFPOp>,
               ConvertShuffledNibbles<arith::UIToFPOp>,
               RebaseNibbles<arith::MulFOp>, RebaseNibbles<arith::AddFOp>,
               RebaseNibbles<math::FmaOp>>(context, hasBF16);
  patterns.add<FoldShortSteps>(context);
}
