//===- TabulateInLanes.cpp - Functions of 4 bits in lanes -----------------===//
//
// A number of a table of 16, such as a weight of NF4, is a function of an
// integer of 4 bits: 15 selects. The lanes of a subgroup can hold the table
// instead, a number each. Then a lane takes a shift and a shuffle, which reads
// the number of the lane that the last five bits say: two lanes hold each
// number, so that the fifth bit does not matter.
//
//   1. Find selects that depend on integers of 4 bits, unpacked from bytes, and
//      on constants only, the same ones for all elements.
//   2. Fold them for 0, 1, ..., 15.
//   3. At the start of the kernel, each lane selects its number. Where the
//      selects are, lanes exchange them.
//
// A processor exchanges one number in two cycles for each lane. So the numbers
// of f4E2M1FN, as in MXFP4, are no table: their codes are bits of floats, and
// take shifts and masks.
//
// All lanes take part in a shuffle. So the block has another op of all lanes of
// a subgroup, such as a matrix product, or is the first one of a kernel.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/GPU/ConvertI4.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The entries of a table, one for each integer of 4 bits. This is half of the
/// number of lanes.
static constexpr int64_t kEntries = 16, kLanes = 32;

/// The fewest ops of a function for which a shuffle takes less time, and the
/// most ops.
static constexpr size_t kLeastOps = 8, kMostOps = 64;

namespace {
/// An elementwise function of `of`, a vector of integers of 4 bits, with the
/// ops between it and the result in their order.
struct SmallFunction {
  Value of;
  llvm::SetVector<Operation *> ops;
};
} // namespace

/// Adds the ops that compute `value` to `function`. The first vector of
/// integers of 4 bits on the way becomes `function.of`. Fails if `value`
/// depends on anything else.
static LogicalResult collect(Value value, SmallFunction &function) {
  if (value == function.of)
    return success();
  // The lanes have one table for all elements of a vector, so only splat
  // constants are allowed.
  if (Attribute attr; matchPattern(value, m_Constant(&attr)))
    return success(!isa<ElementsAttr>(attr) || isa<SplatElementsAttr>(attr));
  if (!function.of) {
    std::optional<Nibbles> nibbles = matchNibbles(value);
    if (nibbles && nibbles->flip == 0 && nibbles->offset == 0) {
      function.of = value;
      return success();
    }
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !OpTrait::hasElementwiseMappableTraits(op) || !isPure(op) ||
      function.ops.size() == kMostOps)
    return failure();
  if (function.ops.contains(op))
    return success();
  for (Value operand : op->getOperands())
    if (failed(collect(operand, function)))
      return failure();
  function.ops.insert(op);
  return success();
}

/// Returns what `op` folds to if its operands have the `known` values or are
/// constants.
static Attribute foldOp(Operation *op,
                        const llvm::DenseMap<Value, Attribute> &known) {
  auto getKnown = [&](Value value) {
    Attribute attr = known.lookup(value);
    if (!attr)
      matchPattern(value, m_Constant(&attr));
    return attr;
  };
  // The op is cloned, because folding may change it in place.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  LogicalResult folded =
      copy->fold(llvm::map_to_vector(op->getOperands(), getKnown), results);
  copy->destroy();
  if (failed(folded) || results.size() != 1)
    return nullptr;
  if (auto value = dyn_cast<Value>(results[0]))
    return getKnown(value);
  return cast<Attribute>(results[0]);
}

/// Returns the bits of `result`, which `function` computes, for 0, 1, ..., 15.
static FailureOr<SmallVector<APInt>> fold(const SmallFunction &function,
                                          Value result) {
  auto type = cast<VectorType>(function.of.getType());
  int64_t count = type.getNumElements();
  SmallVector<APInt> table;
  while (static_cast<int64_t>(table.size()) < kEntries) {
    SmallVector<APInt> codes;
    for (int64_t i = 0; i < count; ++i)
      codes.emplace_back(8, (table.size() + i) % kEntries);
    llvm::DenseMap<Value, Attribute> known;
    known[function.of] = DenseElementsAttr::get(type, codes);
    for (Operation *op : function.ops) {
      Attribute folded = foldOp(op, known);
      if (!folded)
        return failure();
      known[op->getResult(0)] = folded;
    }
    auto numbers = dyn_cast<DenseFPElementsAttr>(known.lookup(result));
    if (!numbers)
      return failure();
    for (const APFloat &number : numbers) {
      if (static_cast<int64_t>(table.size()) == kEntries)
        break;
      table.push_back(number.bitcastToAPInt().zext(32));
    }
  }
  return table;
}

/// Builds the entry of `table` that each lane holds, as an i32. Lanes l and l +
/// 16 hold entry l.
static Value buildNumber(ImplicitLocOpBuilder &b, ArrayRef<APInt> table) {
  Value lane = arith::IndexCastOp::create(
      b, b.getI32Type(), gpu::LaneIdOp::create(b, /*upper_bound=*/nullptr));
  SmallVector<Value> numbers =
      llvm::map_to_vector(table, [&](const APInt &bits) -> Value {
        return arith::ConstantIntOp::create(b, b.getI32Type(),
                                            bits.getSExtValue());
      });
  for (int64_t bit = 1; bit < kEntries; bit *= 2) {
    Value isSet = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, lane,
                              arith::ConstantIntOp::create(b, bit, 32)),
        arith::ConstantIntOp::create(b, 0, 32));
    for (size_t i = 0; i < numbers.size() / 2; ++i)
      numbers[i] =
          arith::SelectOp::create(b, isSet, numbers[2 * i + 1], numbers[2 * i]);
    numbers.resize(numbers.size() / 2);
  }
  return numbers.front();
}

/// Returns whether all lanes of a subgroup execute `op` together.
static bool isOfAllLanes(Operation &op) {
  APInt width;
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return matchPattern(shuffle.getWidth(), m_ConstantInt(&width)) &&
           width == kLanes;
  return isa<vector_ext::AsyncMmaOp>(op) || nvgpu_ext::isMmaSync(&op);
}

/// Returns whether all lanes of each subgroup of `kernel` execute the ops of
/// `block`, judging by another op in it. All threads execute the first block.
static bool hasAllLanes(Block &block, gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> threads = kernel.getKnownBlockSize();
  return (&block == &kernel.getBody().front() && threads &&
          llvm::product_of(*threads) % kLanes == 0) ||
         llvm::any_of(block, isOfAllLanes);
}

/// Returns what 1 is as bits of f4E2M1FN in a float of `type`, f16 or bf16: the
/// least number with an exponent.
static double getOneOfF4(FloatType type) {
  return type.isF16() ? 0x1p-14 : 0x1p-126;
}

/// Returns c, a power of two, if `table` has the bits of the numbers of
/// f4E2M1FN times c, as elements of `type`, and the factor that makes them of
/// codes is such a number, too.
static std::optional<double> getFactorOfF4(ArrayRef<APInt> table,
                                           FloatType type) {
  if (type.getWidth() != 16)
    return std::nullopt;
  auto decode = [](const llvm::fltSemantics &semantics, const APInt &bits) {
    return APFloat(semantics, bits).convertToDouble();
  };
  auto getNumber = [&](size_t code) {
    return decode(type.getFloatSemantics(), table[code].trunc(16));
  };
  // The code of 1.
  double factor = getNumber(2);
  for (size_t code = 0; code < table.size(); ++code) {
    double number = factor * decode(APFloat::Float4E2M1FN(), APInt(4, code));
    if (getNumber(code) != number ||
        std::signbit(getNumber(code)) != std::signbit(number))
      return std::nullopt;
  }
  if (APFloat(factor).getExactLog2() == INT_MIN)
    return std::nullopt;
  APFloat scale(factor / getOneOfF4(type));
  bool losesInfo = false;
  scale.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return losesInfo ? std::nullopt : std::optional(factor);
}

/// Builds numbers of f4E2M1FN times `factor`, whose codes are `nibbles`. Their
/// bits are the last ones of an exponent and the first ones of a fraction, so
/// that numbers are small, and one without an exponent is subnormal.
static Value buildF4(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                     VectorType type, double factor) {
  auto element = cast<FloatType>(type.getElementType());
  bool isF16 = element.isF16();
  // The last bit of a code, in f16 and in bf16.
  int64_t last = isF16 ? 9 : 6;
  auto word = VectorType::get({1}, b.getI32Type());
  auto pair = VectorType::get({2}, element);
  auto place = [&](Value halves, int64_t left, int64_t mask) -> Value {
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(word, b.getI32IntegerAttr(value)));
    };
    Value moved = halves;
    if (left > 0)
      moved = arith::ShLIOp::create(b, halves, constant(left));
    else if (left < 0)
      moved = arith::ShRUIOp::create(b, halves, constant(-left));
    return arith::AndIOp::create(b, moved, constant(mask * 0x00010001));
  };
  Value scale = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             pair, b.getFloatAttr(element, factor / getOneOfF4(element))));
  Value result = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t at = 0; at < type.getNumElements(); at += 2) {
    int64_t from = 0;
    Value halves = nibbles.buildHalves(b, at, from);
    Value bits =
        arith::OrIOp::create(b, place(halves, last - from, int64_t(7) << last),
                             place(halves, 12 - from, 0x8000));
    Value numbers = arith::MulFOp::create(
        b, vector::BitCastOp::create(b, pair, bits), scale);
    result = vector::InsertStridedSliceOp::create(b, numbers, result, at, 1);
  }
  return result;
}

/// Builds the numbers of `table` whose codes are `nibbles`. Each lane holds
/// `number`.
static Value buildReads(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                        VectorType type, Value number) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  llvm::SmallDenseMap<int64_t, Value> words;
  SmallVector<Value> numbers;
  for (auto [byte, amount] : llvm::zip_equal(nibbles.order, nibbles.amounts)) {
    Value &known = words[byte / 4];
    if (!known)
      known = vector::ExtractOp::create(
          b,
          vector::BitCastOp::create(b, VectorType::get({1}, b.getI32Type()),
                                    nibbles.buildWord(b, b.getLoc(), byte)),
          0);
    Value word = known;
    if (int64_t shift = byte % 4 * 8 + amount)
      word = arith::ShRUIOp::create(b, word, constant(shift));
    Value code = arith::AndIOp::create(b, word, constant(kLanes - 1));
    numbers.push_back(gpu::ShuffleOp::create(b, number, code, constant(32),
                                             gpu::ShuffleMode::IDX)
                          .getShuffleResult());
  }
  Value result =
      vector::FromElementsOp::create(b, type.clone(b.getI32Type()), numbers);
  if (type.getElementTypeBitWidth() == 16)
    result = arith::TruncIOp::create(b, type.clone(b.getI16Type()), result);
  return arith::BitcastOp::create(b, type, result);
}

/// Replaces `op`, which is `select` or the shuffle of it that `order` says, by
/// reads of a table, or by the bits of codes.
static LogicalResult tabulate(PatternRewriter &rewriter, Operation *op,
                              arith::SelectOp select,
                              std::optional<ArrayRef<int64_t>> order) {
  auto type = dyn_cast<VectorType>(select.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !isa<FloatType>(type.getElementType()) ||
      !llvm::is_contained({16u, 32u}, type.getElementTypeBitWidth()))
    return rewriter.notifyMatchFailure(op, "no vector of floats");
  if (llvm::any_of(select->getUsers(),
                   [](Operation *user) { return isa<arith::SelectOp>(user); }))
    return rewriter.notifyMatchFailure(op, "is part of another function");
  SmallFunction function;
  if (failed(collect(select.getResult(), function)) || !function.of ||
      function.ops.size() < kLeastOps)
    return rewriter.notifyMatchFailure(op, "no long function of 4 bits");
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  if (!kernel)
    return rewriter.notifyMatchFailure(op, "is in no kernel");
  FailureOr<SmallVector<APInt>> table = fold(function, select.getResult());
  if (failed(table))
    return rewriter.notifyMatchFailure(op, "does not fold");
  Nibbles nibbles = *matchNibbles(function.of);
  if (order) {
    Nibbles natural = nibbles;
    nibbles.order.clear();
    nibbles.amounts.clear();
    for (int64_t at : *order) {
      nibbles.order.push_back(natural.order[at]);
      nibbles.amounts.push_back(natural.amounts[at]);
    }
  }

  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  type = cast<VectorType>(op->getResult(0).getType());
  std::optional<double> factor =
      getFactorOfF4(*table, cast<FloatType>(type.getElementType()));
  if (factor && type.getNumElements() % 2 == 0) {
    rewriter.replaceOp(op, buildF4(b, nibbles, type, *factor));
    return success();
  }
  if (!hasAllLanes(*op->getBlock(), kernel))
    return rewriter.notifyMatchFailure(op, "lanes may not be together");
  Value number;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&kernel.getBody().front());
    ImplicitLocOpBuilder start(op->getLoc(), rewriter);
    number = buildNumber(start, *table);
  }
  rewriter.replaceOp(op, buildReads(b, nibbles, type, number));
  return success();
}

namespace {
struct TabulateInLanes : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (splitsPairs(op))
      return rewriter.notifyMatchFailure(op, "is read in another order");
    return tabulate(rewriter, op, op, std::nullopt);
  }
};

/// The same for numbers that are put in another order. They are packed in
/// pairs: pairs of others would be packed twice.
struct TabulateShuffled : public OpRewritePattern<vector::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    auto select = op.getV1().getDefiningOp<arith::SelectOp>();
    if (!select || !splitsPairs(select))
      return rewriter.notifyMatchFailure(op, "splits no pairs of a table");
    return tabulate(rewriter, op, select, op.getMask());
  }
};
} // namespace

void mlir::nvgpu_ext::populateTabulateInLanesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<TabulateInLanes, TabulateShuffled>(patterns.getContext());
}
