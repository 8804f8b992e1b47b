//===- Quotients.cpp - Comparisons of quotients of positions --------------===//
//
// Keys of the same chunk as a row are those with n / c = m / c, rounded down.
// That is n >= s and n < s + c, where s = c (m / c) is where the chunk of the
// row begins. These two comparisons are linear in the position of the key:
// loops over tiles visit what they leave, and threads divide once for each row.
// The second one is left out where n <= m, as with a diagonal.
//
// Importers write a quotient that is rounded down
//   - as arith.floordivsi, arith.divsi, arith.divui, or as a shift;
//   - by a conversion to f64, a division and math.floor: torch-mlir;
//   - by arith.divsi, less 1 where the signs differ and something remains: JAX.
//
//===----------------------------------------------------------------------===//

#include "Quotients.h"

#include "mlir-ext/Support/Comparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

using Predicate = arith::CmpIPredicate;

/// The largest divisor. Sums of positions and multiples of it do not overflow.
static constexpr int64_t kMostDivisor = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static bool isInPayload(Operation *op) {
  return isa_and_nonnull<linalg::LinalgOp>(op->getParentOp());
}

/// Returns the value of `value`, a constant that is a divisor, or 0.
static int64_t getPositiveConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      !constant.isSignedIntN(32))
    return 0;
  int64_t number = constant.getSExtValue();
  return number <= kMostDivisor ? std::max<int64_t>(number, 0) : 0;
}

namespace {
/// A sum of indices of the op, of other values, and of a constant. Keys are the
/// numbers of dimensions, or values.
struct Sum {
  int64_t constant = 0;
  llvm::SmallMapVector<int64_t, int64_t, 4> indices;
  llvm::SmallMapVector<Value, int64_t, 4> others;

  void add(const Sum &other, int64_t factor) {
    constant += factor * other.constant;
    for (auto [dim, count] : other.indices)
      if ((indices[dim] += factor * count) == 0)
        indices.erase(dim);
    for (auto [value, count] : other.others)
      if ((others[value] += factor * count) == 0)
        others.erase(value);
  }
  bool isZero() const {
    return constant == 0 && indices.empty() && others.empty();
  }
};
} // namespace

/// The most operations that are read between a sum and its terms.
static constexpr unsigned kMostDepth = 8;

/// Reads `value`, an integer of a payload. Positions and what is computed from
/// them are taken not to overflow, as in docs/Rationale/Masks.md.
static Sum readSum(Value value, unsigned depth = kMostDepth) {
  Sum sum;
  APInt constant;
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&constant))) {
    sum.constant = constant.getSExtValue();
  } else if (auto index = dyn_cast_if_present<linalg::IndexOp>(op)) {
    sum.indices[index.getDim()] = 1;
  } else if (depth == 0) {
    sum.others[value] = 1;
  } else if (isa_and_present<arith::AddIOp, arith::SubIOp>(op)) {
    sum = readSum(op->getOperand(0), depth - 1);
    sum.add(readSum(op->getOperand(1), depth - 1),
            isa<arith::AddIOp>(op) ? 1 : -1);
  } else if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(op)) {
    // A narrowing cast keeps a position, but not any other value.
    Sum inner = readSum(op->getOperand(0), depth - 1);
    if (inner.others.empty() || isa<arith::ExtSIOp>(op) ||
        value.getType().isInteger(64) || value.getType().isIndex())
      return inner;
    sum.others[value] = 1;
  } else {
    sum.others[value] = 1;
  }
  return sum;
}

static bool isOfPosition(const Sum &sum) { return !sum.indices.empty(); }

/// Returns whether `value` is a sum that has a position as a term, which other
/// ops than that of the payload may compute.
static bool hasPosition(Value value, unsigned depth = kMostDepth) {
  Sum sum = readSum(value);
  if (isOfPosition(sum))
    return true;
  return depth != 0 && llvm::any_of(sum.others, [&](auto term) {
           auto arg = dyn_cast<BlockArgument>(term.first);
           auto op = arg ? dyn_cast<linalg::LinalgOp>(
                               arg.getOwner()->getParentOp())
                         : linalg::LinalgOp();
           if (!op || arg.getArgNumber() >= op.getNumDpsInputs())
             return false;
           Value tensor = op.getDpsInputs()[arg.getArgNumber()];
           while (isa_and_present<tensor::ExpandShapeOp,
                                  tensor::CollapseShapeOp>(
               tensor.getDefiningOp()))
             tensor = tensor.getDefiningOp()->getOperand(0);
           auto result = dyn_cast<OpResult>(tensor);
           auto producer = tensor.getDefiningOp<linalg::LinalgOp>();
           return producer && producer.getNumReductionLoops() == 0 &&
                  hasPosition(producer.getBlock()->getTerminator()->getOperand(
                                  result.getResultNumber()),
                              depth - 1);
         });
}

/// Returns whether `value` is a sum of positions and of a constant that is not
/// negative.
static bool isNonNegative(Value value) {
  Sum sum = readSum(value);
  return sum.constant >= 0 && sum.others.empty() &&
         llvm::all_of(sum.indices, [](auto term) { return term.second > 0; });
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

namespace {
/// `dividend` / `divisor`, rounded down, plus `more`.
struct Quotient {
  Value dividend;
  int64_t divisor;
  int64_t more = 0;
};
} // namespace

/// Returns `value` as a quotient, without a summand.
static std::optional<Quotient> getOnlyQuotient(Value value) {
  Operation *op = value.getDefiningOp();
  // Casts keep quotients of positions.
  while (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (!op)
    return std::nullopt;
  bool isShift = isa<arith::ShRSIOp, arith::ShRUIOp>(op);
  if (!isShift &&
      !isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return std::nullopt;
  int64_t divisor = getPositiveConstant(op->getOperand(1));
  if (isShift)
    divisor = divisor > 0 && divisor < 30 ? int64_t(1) << divisor : 0;
  if (divisor == 0)
    return std::nullopt;
  Value dividend = op->getOperand(0);
  // The others round to zero, or take negative numbers for large ones.
  if (!isa<arith::FloorDivSIOp, arith::ShRSIOp>(op) && !isNonNegative(dividend))
    return std::nullopt;
  return Quotient{dividend, divisor};
}

/// Returns `value` as a quotient and a constant.
static std::optional<Quotient> getQuotient(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op)) {
    APInt constant;
    if (matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
        constant.abs().ult(1 << 20)) {
      std::optional<Quotient> quotient = getQuotient(op->getOperand(0));
      if (quotient)
        quotient->more += isa<arith::AddIOp>(op) ? constant.getSExtValue()
                                                 : -constant.getSExtValue();
      return quotient;
    }
    return std::nullopt;
  }
  return getOnlyQuotient(value);
}

/// Returns the largest number of a dimension in `sum`.
static int64_t getLastDim(const Sum &sum) {
  int64_t last = -1;
  for (auto [dim, count] : sum.indices)
    last = std::max(last, dim);
  return last;
}

/// Casts `value`, which depends on positions, to `type`.
static Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex() || type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

/// Returns the wider one of two types of integers. An index has 64 bits.
static Type getWider(Type lhs, Type rhs) {
  auto getBits = [](Type type) {
    return type.isIndex() ? 64u : type.getIntOrFloatBitWidth();
  };
  return getBits(lhs) >= getBits(rhs) ? lhs : rhs;
}

namespace {
/// n / c = m / c + more is n - c (m / c) in [c more, c more + c). Orders are
/// one of these two comparisons.
struct CompareQuotients : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    Predicate predicate = op.getPredicate();
    if (!isInPayload(op) || !op.getLhs().getType().isIntOrIndex() ||
        makeSigned(predicate) != predicate)
      return rewriter.notifyMatchFailure(
          op, "no equality or signed order of scalars in a payload");
    Value values[2] = {op.getLhs(), op.getRhs()};
    int64_t more = 0;
    // q - r is compared with a constant, as q with r and it.
    APInt constant;
    if (auto difference = values[0].getDefiningOp<arith::SubIOp>();
        difference && matchPattern(values[1], m_ConstantInt(&constant)) &&
        constant.abs().ult(1 << 20)) {
      more = constant.getSExtValue();
      values[0] = difference.getLhs();
      values[1] = difference.getRhs();
    }
    std::optional<Quotient> n = getQuotient(values[0]);
    std::optional<Quotient> m = n ? getQuotient(values[1]) : std::nullopt;
    if (!m || n->divisor != m->divisor)
      return rewriter.notifyMatchFailure(op, "no quotients by one number");
    Sum ofN = readSum(n->dividend), ofM = readSum(m->dividend);
    if (!isOfPosition(ofN) || !isOfPosition(ofM) ||
        getLastDim(ofN) == getLastDim(ofM))
      return rewriter.notifyMatchFailure(op, "no quotients of two positions");
    more += m->more - n->more;
    Type type = getWider(n->dividend.getType(), m->dividend.getType());
    if (!type.isIndex() && type.getIntOrFloatBitWidth() < 32)
      return rewriter.notifyMatchFailure(
          op, "the end of a chunk may not fit narrow integers");
    if ((std::abs(more) + 1) * m->divisor > kMostDivisor)
      return rewriter.notifyMatchFailure(op, "chunks that are too far away");
    // The quotient of the row stays, that of the last dimension goes.
    if (getLastDim(ofN) < getLastDim(ofM)) {
      std::swap(n, m);
      predicate = swapOperands(predicate);
      more = -more;
    }
    compareWithStart(rewriter, op, predicate, *n, *m, more);
    return success();
  }

private:
  static void compareWithStart(PatternRewriter &rewriter, arith::CmpIOp op,
                               Predicate predicate, const Quotient &n,
                               const Quotient &m, int64_t more) {
    Location loc = op.getLoc();
    Type type = getWider(n.dividend.getType(), m.dividend.getType());
    Value position = castTo(rewriter, loc, n.dividend, type);
    Value row = castTo(rewriter, loc, m.dividend, type);
    auto getConstant = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getIntegerAttr(type, number));
    };
    Value divisor = getConstant(m.divisor);
    Value quotient =
        isNonNegative(m.dividend)
            ? arith::DivSIOp::create(rewriter, loc, row, divisor).getResult()
            : arith::FloorDivSIOp::create(rewriter, loc, row, divisor)
                  .getResult();
    Value start = arith::MulIOp::create(rewriter, loc, quotient, divisor);
    auto compare = [&](Predicate with, int64_t chunks) -> Value {
      Value bound = start;
      if (int64_t offset = chunks * m.divisor)
        bound = arith::AddIOp::create(rewriter, loc, start,
                                      getConstant(offset));
      return arith::CmpIOp::create(rewriter, loc, with, position, bound);
    };
    auto isFrom = [&](int64_t chunks) {
      return compare(Predicate::sge, chunks);
    };
    auto isBefore = [&](int64_t chunks) {
      return compare(Predicate::slt, chunks);
    };
    switch (predicate) {
    case Predicate::eq:
      rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isFrom(more),
                                                 isBefore(more + 1));
      return;
    case Predicate::ne:
      rewriter.replaceOpWithNewOp<arith::OrIOp>(op, isBefore(more),
                                                isFrom(more + 1));
      return;
    case Predicate::sge:
      return rewriter.replaceOp(op, isFrom(more));
    case Predicate::sgt:
      return rewriter.replaceOp(op, isFrom(more + 1));
    case Predicate::slt:
      return rewriter.replaceOp(op, isBefore(more));
    default:
      return rewriter.replaceOp(op, isBefore(more + 1));
    }
  }
};

/// Returns the n and m of n < c (m / c) + more, if `value` is that with a
/// `more` of at least c. It holds wherever n <= m.
static std::optional<std::pair<Sum, Sum>> getBeforeEnd(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != Predicate::slt)
    return std::nullopt;
  auto end = compare.getRhs().getDefiningOp<arith::AddIOp>();
  auto start = end ? end.getLhs().getDefiningOp<arith::MulIOp>()
                   : arith::MulIOp();
  std::optional<Quotient> quotient =
      start ? getOnlyQuotient(start.getLhs()) : std::nullopt;
  if (!quotient || getPositiveConstant(start.getRhs()) != quotient->divisor ||
      getPositiveConstant(end.getRhs()) < quotient->divisor)
    return std::nullopt;
  return std::pair(readSum(compare.getLhs()), readSum(quotient->dividend));
}

/// Returns n - m, if `value` says that it is at most 0.
static std::optional<Sum> getPast(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  Sum lhs = readSum(compare.getLhs()), rhs = readSum(compare.getRhs());
  Predicate predicate = compare.getPredicate();
  bool isUnsigned =
      predicate == Predicate::ule || predicate == Predicate::uge;
  if (isUnsigned &&
      !(isNonNegative(compare.getLhs()) && isNonNegative(compare.getRhs())))
    return std::nullopt;
  if (predicate == Predicate::sge || predicate == Predicate::uge)
    std::swap(lhs, rhs);
  else if (predicate != Predicate::sle && predicate != Predicate::ule)
    return std::nullopt;
  lhs.add(rhs, -1);
  return lhs;
}

/// n <= m is in front of the end of the chunk of m.
struct DropEndsOfChunks : public OpRewritePattern<arith::AndIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AndIOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInPayload(op) || !op.getType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "no condition in a payload");
    // All that must hold where `op` does, and the conjunctions of it that only
    // `op` uses. Another user may have other conditions.
    llvm::SetVector<Value> values;
    llvm::SetVector<Operation *> parts;
    values.insert(op.getResult());
    parts.insert(op);
    for (unsigned i = 0; i < values.size(); ++i) {
      auto both = values[i].getDefiningOp<arith::AndIOp>();
      if (!both)
        continue;
      values.insert_range(both->getOperands());
      if (both->hasOneUse() && parts.contains(*both->user_begin()))
        parts.insert(both);
    }
    for (Operation *both : parts) {
      for (OpOperand &operand : both->getOpOperands()) {
        std::optional<std::pair<Sum, Sum>> end = getBeforeEnd(operand.get());
        if (!end)
          continue;
        Sum distance = end->first;
        distance.add(end->second, -1);
        if (llvm::none_of(values, [&](Value other) {
              std::optional<Sum> past = getPast(other);
              if (past)
                past->add(distance, -1);
              return past && past->isZero();
            }))
          continue;
        rewriter.replaceOp(both,
                           both->getOperand(1 - operand.getOperandNumber()));
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no end of a chunk, or no diagonal");
  }
};

//===----------------------------------------------------------------------===//
// Spellings
//===----------------------------------------------------------------------===//

/// floor(x / c) of an integer x in f64 is exact below 2^53. Positions, and what
/// is counted from them, are taken to be.
struct DivideAsIntegers : public OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op,
                                PatternRewriter &rewriter) const override {
    auto floor = op.getIn().getDefiningOp<math::FloorOp>();
    auto quotient = floor ? floor.getOperand().getDefiningOp<arith::DivFOp>()
                          : arith::DivFOp();
    auto dividend = quotient
                        ? quotient.getLhs().getDefiningOp<arith::SIToFPOp>()
                        : arith::SIToFPOp();
    FloatAttr constant;
    if (!dividend || !quotient.getType().isF64() ||
        !matchPattern(quotient.getRhs(), m_Constant(&constant)))
      return rewriter.notifyMatchFailure(
          op, "no rounded quotient of an integer by a constant in f64");
    double number = constant.getValueAsDouble();
    if (!(number >= 1) || number > double(kMostDivisor) ||
        number != std::floor(number))
      return rewriter.notifyMatchFailure(op, "divided by no positive integer");
    Value value = dividend.getIn();
    Type type = value.getType();
    if (!type.isSignlessInteger() || type != op.getType())
      return rewriter.notifyMatchFailure(op, "of two types of integers");
    if (type.getIntOrFloatBitWidth() > 32 && !hasPosition(value))
      return rewriter.notifyMatchFailure(op, "dividend may be above 2^53");
    if (type.getIntOrFloatBitWidth() < 32 &&
        number >= std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1))
      return rewriter.notifyMatchFailure(op,
                                         "divisor is too large for its type");
    Value divisor = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        rewriter.getIntegerAttr(type, static_cast<int64_t>(number)));
    if (isNonNegative(value))
      rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, value, divisor);
    else
      rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, value, divisor);
    return success();
  }
};

/// The sign of a position is 0: x >> 31 is.
struct DropSign : public OpRewritePattern<arith::ShRSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ShRSIOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInPayload(op) || !op.getType().isIntOrIndex() ||
        op.getType().isIndex() ||
        getPositiveConstant(op.getRhs()) !=
            static_cast<int64_t>(op.getType().getIntOrFloatBitWidth()) - 1 ||
        !isOfPosition(readSum(op.getLhs())) || !isNonNegative(op.getLhs()))
      return rewriter.notifyMatchFailure(op, "no sign of a position");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getZeroAttr(op.getType()));
    return success();
  }
};

/// Comparing a selection of two constants with a third one is its condition, or
/// the negated one, or constant.
struct CompareSelection : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    bool isEqual = op.getPredicate() == Predicate::eq;
    if (!isInPayload(op) || (!isEqual && op.getPredicate() != Predicate::ne))
      return rewriter.notifyMatchFailure(op, "no equality in a payload");
    APInt with, ifTrue, ifFalse;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&with)))
      return rewriter.notifyMatchFailure(op, "compared with no constant");
    Value condition;
    unsigned bits = with.getBitWidth();
    if (bits == 1) {
      condition = op.getLhs();
      ifTrue = APInt(1, 1);
      ifFalse = APInt(1, 0);
    } else if (auto select = op.getLhs().getDefiningOp<arith::SelectOp>()) {
      if (!matchPattern(select.getTrueValue(), m_ConstantInt(&ifTrue)) ||
          !matchPattern(select.getFalseValue(), m_ConstantInt(&ifFalse)))
        return rewriter.notifyMatchFailure(op, "selects no constants");
      condition = select.getCondition();
    } else if (auto extend = op.getLhs().getDefiningOp<arith::ExtUIOp>();
               extend && extend.getIn().getType().isInteger(1)) {
      condition = extend.getIn();
      ifTrue = APInt(bits, 1);
      ifFalse = APInt(bits, 0);
    } else {
      return rewriter.notifyMatchFailure(op, "compares no selection");
    }
    bool whenTrue = (ifTrue == with) == isEqual;
    bool whenFalse = (ifFalse == with) == isEqual;
    if (whenTrue && !whenFalse) {
      rewriter.replaceOp(op, condition);
      return success();
    }
    Value constant = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getBoolAttr(whenTrue));
    if (whenTrue == whenFalse)
      rewriter.replaceOp(op, constant);
    else
      rewriter.replaceOpWithNewOp<arith::XOrIOp>(
          op, condition,
          arith::ConstantOp::create(rewriter, op.getLoc(),
                                    rewriter.getBoolAttr(true)));
    return success();
  }
};

/// Returns x, if `value` is x = 0.
static Value getZero(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == Predicate::eq &&
                 matchPattern(compare.getRhs(), m_Zero())
             ? compare.getLhs()
             : Value();
}

/// Returns x, if `value` is a remainder of x that is not 0.
static Value getUndivided(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != Predicate::ne ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return {};
  Operation *op = compare.getLhs().getDefiningOp();
  return isa_and_present<arith::RemSIOp, arith::RemUIOp>(op) ? op->getOperand(0)
                                                             : Value();
}

/// What remains of a position is not negative.
struct DropSignOfRemainder : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    Operation *rest = op.getLhs().getDefiningOp();
    if (op.getPredicate() != Predicate::slt ||
        !matchPattern(op.getRhs(), m_Zero()) ||
        !isa_and_present<arith::RemSIOp>(rest) || !isInPayload(rest) ||
        getPositiveConstant(rest->getOperand(1)) == 0 ||
        !isNonNegative(rest->getOperand(0)))
      return rewriter.notifyMatchFailure(op, "not the sign of what remains");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getBoolAttr(false));
    return success();
  }
};

/// Nothing remains of 0.
struct DivideZero : public OpRewritePattern<arith::AndIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AndIOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned side : {0, 1}) {
      Value zero = getZero(op->getOperand(side));
      Value dividend = getUndivided(op->getOperand(1 - side));
      if (!zero || !dividend)
        continue;
      Sum difference = readSum(zero);
      difference.add(readSum(dividend), -1);
      if (!difference.isZero())
        continue;
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, rewriter.getBoolAttr(false));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not of 0 and its remainder");
  }
};
} // namespace

void mlir::linalg_ext::populateQuotientPatterns(RewritePatternSet &patterns) {
  patterns.add<CompareQuotients, DropEndsOfChunks, DivideAsIntegers, DropSign,
               CompareSelection, DropSignOfRemainder, DivideZero>(
      patterns.getContext());
}
