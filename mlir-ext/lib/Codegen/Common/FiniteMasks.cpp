//===- FiniteMasks.cpp - Masks of large negative numbers ------------------===//
//
// JAX and TOSA, and many models, hide scores by the least number of a type
// rather than by -inf. The weight of such a score is 0 too, unless the whole
// row is hidden: then all weights are equal. So a loop cannot leave out tiles
// that are hidden (docs/Rationale/Masks.md). With a causal mask each row has a
// score that is not hidden, and -inf in place of the number gives the same
// weights:
//
//   1. Collect the masks between a product and the softmax of its rows. All of
//      them must be conditions on positions.
//   2. Prove that one element of each row is visible in all masks: the first or
//      the last one, or that on the diagonal.
//   3. Hide by -inf.
//
// Scores are taken to be much greater than the number that hides.
//
//===----------------------------------------------------------------------===//

#include "FiniteMasks.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `value` is a constant that hides a score, and is finite. In
/// f16 that is about the least number, otherwise a number that no score is
/// near.
static bool hides(Value value) {
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)) || !number.isFinite())
    return false;
  double most = value.getType().isF16() ? -6e4 : -5e8;
  bool isInexact = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
  return number.convertToDouble() <= most;
}

//===----------------------------------------------------------------------===//
// 1. Masks
//===----------------------------------------------------------------------===//

namespace {
/// An operand of a selection that hides a score where `condition` is not
/// `visible`.
struct FiniteMask {
  OpOperand *number;
  Value condition;
  bool visible;
};

/// Collects the masks of a score, from its softmax to its product.
class MaskCollector {
public:
  /// Returns false if something else than masks may hide scores of `tensor`.
  bool collectTensor(Value tensor);

  SmallVector<FiniteMask> masks;

private:
  bool collect(linalg::GenericOp op, Value value);
  /// The same for `value` if nothing up to here has changed what masks select.
  bool collectSelect(linalg::GenericOp op, arith::SelectOp select);

  bool mayMask = true;
};
} // namespace

/// Returns whether `product` adds nothing that may hide a score: it starts from
/// a constant.
static bool startsFromScores(linalg::LinalgOp product) {
  Value init = product.getDpsInits()[0];
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value number = fill ? fill.value() : init;
  return matchPattern(number, m_AnyZeroFloat()) ||
         (fill && matchPattern(number, m_Constant()) && !hides(number));
}

bool MaskCollector::collectTensor(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def)) {
    mayMask = false; // loops would differ
    return collectTensor(def->getOperand(0));
  }
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(def);
  if (linalgOp && linalgOp.getNumReductionLoops() > 0)
    return linalg::isaContractionOpInterface(linalgOp) &&
           startsFromScores(linalgOp);
  auto op = dyn_cast_if_present<linalg::GenericOp>(def);
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  mayMask &= tensor.hasOneUse();
  return collect(op, op.getBody()->getTerminator()->getOperand(0));
}

bool MaskCollector::collectSelect(linalg::GenericOp op,
                                  arith::SelectOp select) {
  for (unsigned hidden : {1, 2})
    if (mayMask && hides(select->getOperand(hidden))) {
      masks.push_back({&select->getOpOperand(hidden), select.getCondition(),
                       /*visible=*/hidden == 2});
      return collect(op, select->getOperand(3 - hidden));
    }
  return false;
}

bool MaskCollector::collect(linalg::GenericOp op, Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() != op.getBody() ||
        arg.getArgNumber() >= op.getNumDpsInputs())
      return false;
    OpOperand *operand = op.getDpsInputOperand(arg.getArgNumber());
    mayMask &= op.getMatchingIndexingMap(operand).isIdentity();
    return collectTensor(operand->get());
  }
  return TypeSwitch<Operation *, bool>(value.getDefiningOp())
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *cast) { return collect(op, cast->getOperand(0)); })
      .Case([&](arith::SelectOp select) { return collectSelect(op, select); })
      .Case([&](arith::AddFOp add) {
        // The score, and 0 or the number that hides.
        for (unsigned side : {0, 1})
          if (auto mask =
                  add->getOperand(side).getDefiningOp<arith::SelectOp>())
            for (unsigned hidden : {1, 2})
              if (mayMask && hides(mask->getOperand(hidden)) &&
                  matchPattern(mask->getOperand(3 - hidden),
                               m_AnyZeroFloat())) {
                masks.push_back({&mask->getOpOperand(hidden),
                                 mask.getCondition(), hidden == 2});
                return collect(op, add->getOperand(1 - side));
              }
        return false;
      })
      .Case<arith::MulFOp, arith::DivFOp>([&](Operation *scaled) {
        // By a constant.
        mayMask = false;
        for (unsigned side : {0, 1})
          if (matchPattern(scaled->getOperand(side), m_Constant()))
            return collect(op, scaled->getOperand(1 - side));
        return false;
      })
      .Case<math::TanhOp, arith::NegFOp>([&](Operation *unary) {
        mayMask = false;
        return collect(op, unary->getOperand(0));
      })
      .Default([](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// 2. A visible element of each row
//===----------------------------------------------------------------------===//

namespace {
/// constant + sum of factors[d] * (position along loop d), less at most `below`
/// and more by at most `above`. All factors of `VisibleElement` are of the
/// loops of one op.
struct PositionForm {
  int64_t constant = 0, below = 0, above = 0;
  SmallVector<int64_t> factors;

  void add(const PositionForm &other, int64_t factor) {
    constant += factor * other.constant;
    below += factor > 0 ? factor * other.below : -factor * other.above;
    above += factor > 0 ? factor * other.above : -factor * other.below;
    for (auto [sum, term] : llvm::zip_equal(factors, other.factors))
      sum += factor * term;
  }
};

/// An element of each row along loop `keys`, at a position that is linear in
/// those of the other loops.
class VisibleElement {
public:
  VisibleElement(ArrayRef<int64_t> sizes, unsigned keys, PositionForm key)
      : sizes(sizes), keys(keys), key(std::move(key)) {}

  /// Whether `condition` has `value` at the element, for all rows.
  bool holds(Value condition, bool value);

private:
  bool holdsComparison(arith::CmpIOp compare, bool value);
  std::optional<PositionForm> read(Value value);
  /// The same if `op` rounds a position to a multiple of a number, as the start
  /// of a chunk, or is what remains.
  std::optional<PositionForm> readRounded(Operation *op);
  /// Whether `form` may be less than 0 at the element.
  bool mayBeNegative(const PositionForm &form) const;
  /// The greatest value of `form`, at the element. None if it has no bound.
  std::optional<int64_t> getMost(PositionForm form) const;

  ArrayRef<int64_t> sizes;
  unsigned keys;
  PositionForm key;

  /// Conditions are short. One that shares its parts may have many paths.
  static constexpr unsigned kMostParts = 128;
  unsigned parts = 0;
};
} // namespace

/// Returns whether integers of `type` may not hold positions, or sums of a few
/// of them.
static bool isNarrow(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() < 32;
}

/// Returns whether integers of 32 bits may not hold `form`. They hold the
/// positions of buffers.
static bool mayWrap(const PositionForm &form) {
  constexpr int64_t kMostConstant = 1 << 30, kMostFactor = 1 << 8;
  auto isAbove = [](int64_t number, int64_t most) {
    return number > most || number < -most;
  };
  return isAbove(form.constant, kMostConstant) ||
         llvm::any_of(form.factors, [&](int64_t factor) {
           return isAbove(factor, kMostFactor);
         });
}

std::optional<PositionForm> VisibleElement::read(Value value) {
  PositionForm form;
  form.factors.assign(sizes.size(), 0);
  if (++parts > kMostParts)
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 48)
      return std::nullopt;
    form.constant = constant.getSExtValue();
    return form;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    form.factors[index.getDim()] = 1;
    return form;
  }
  if (isNarrow(value.getType()))
    return std::nullopt;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op)) {
    std::optional<PositionForm> source = read(op->getOperand(0));
    if (source && isa<arith::IndexCastUIOp>(op) && mayBeNegative(*source))
      return std::nullopt;
    return source;
  }
  if (isa<arith::MulIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return readRounded(op);
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<PositionForm> lhs = read(op->getOperand(0)),
                              rhs = read(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  lhs->add(*rhs, isa<arith::AddIOp>(op) ? 1 : -1);
  return mayWrap(*lhs) ? std::nullopt : lhs;
}

std::optional<PositionForm> VisibleElement::readRounded(Operation *op) {
  bool isProduct = isa<arith::MulIOp>(op);
  Operation *quotient = isProduct ? op->getOperand(0).getDefiningOp() : op;
  APInt divisor, factor;
  if (!quotient || quotient->getNumOperands() != 2 ||
      !matchPattern(quotient->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive() || divisor.getSignificantBits() > 31)
    return std::nullopt;
  if (isProduct &&
      (!isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(quotient) ||
       !matchPattern(op->getOperand(1), m_ConstantInt(&factor)) ||
       factor != divisor))
    return std::nullopt;
  std::optional<PositionForm> form = read(quotient->getOperand(0));
  if (!form || (!isa<arith::FloorDivSIOp>(quotient) && mayBeNegative(*form)))
    return std::nullopt;
  int64_t rest = divisor.getSExtValue() - 1;
  if (isProduct) {
    form->below += rest;
    return form;
  }
  PositionForm remains;
  remains.above = rest;
  remains.factors.assign(sizes.size(), 0);
  return remains;
}

std::optional<int64_t> VisibleElement::getMost(PositionForm form) const {
  int64_t factor = std::exchange(form.factors[keys], 0);
  form.add(key, factor);
  int64_t most = form.constant + form.above;
  for (auto [size, term] : llvm::zip_equal(sizes, form.factors)) {
    if (term <= 0)
      continue;
    if (ShapedType::isDynamic(size) ||
        term > std::numeric_limits<int32_t>::max() ||
        size > std::numeric_limits<int32_t>::max())
      return std::nullopt;
    most += term * (size - 1);
  }
  return most;
}

bool VisibleElement::mayBeNegative(const PositionForm &form) const {
  PositionForm negated;
  negated.factors.assign(sizes.size(), 0);
  negated.add(form, -1);
  std::optional<int64_t> most = getMost(negated);
  return !most || *most > 0;
}

bool VisibleElement::holdsComparison(arith::CmpIOp compare, bool value) {
  using Predicate = arith::CmpIPredicate;
  std::optional<PositionForm> lhs = read(compare.getLhs()),
                              rhs = read(compare.getRhs());
  if (!lhs || !rhs)
    return false;
  Predicate predicate = value ? compare.getPredicate()
                              : arith::invertPredicate(compare.getPredicate());
  // Numbers that are not negative have one order.
  bool isUnsigned = predicate == Predicate::ult ||
                    predicate == Predicate::ule ||
                    predicate == Predicate::ugt || predicate == Predicate::uge;
  if (isUnsigned && (mayBeNegative(*lhs) || mayBeNegative(*rhs)))
    return false;
  // lhs - rhs <= 0, with 1 more for a strict order.
  auto isAtMost = [&](PositionForm left, const PositionForm &right,
                      int64_t more) {
    left.add(right, -1);
    std::optional<int64_t> most = getMost(left);
    return most && *most + more <= 0;
  };
  switch (predicate) {
  case Predicate::sle:
  case Predicate::ule:
    return isAtMost(*lhs, *rhs, 0);
  case Predicate::slt:
  case Predicate::ult:
    return isAtMost(*lhs, *rhs, 1);
  case Predicate::sge:
  case Predicate::uge:
    return isAtMost(*rhs, *lhs, 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return isAtMost(*rhs, *lhs, 1);
  case Predicate::eq:
    return isAtMost(*lhs, *rhs, 0) && isAtMost(*rhs, *lhs, 0);
  case Predicate::ne:
    return isAtMost(*lhs, *rhs, 1) || isAtMost(*rhs, *lhs, 1);
  }
  llvm_unreachable("unknown predicate");
}

bool VisibleElement::holds(Value condition, bool value) {
  APInt constant;
  if (++parts > kMostParts)
    return false;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return constant.isZero() != value;
  Operation *op = condition.getDefiningOp();
  if (!op)
    return false;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return holdsComparison(compare, value);
  if (isa<arith::XOrIOp>(op))
    for (unsigned side : {0, 1})
      if (matchPattern(op->getOperand(side), m_One()))
        return holds(op->getOperand(1 - side), !value);
  if (!isa<arith::AndIOp, arith::OrIOp>(op))
    return false;
  bool first = holds(op->getOperand(0), value);
  bool needsBoth = isa<arith::AndIOp>(op) == value;
  return first == needsBoth ? holds(op->getOperand(1), value) : first;
}

/// Returns the elements of a row that are looked at: the first, the last, and
/// those on diagonals.
static SmallVector<PositionForm> getCandidates(ArrayRef<int64_t> sizes,
                                               unsigned keys) {
  PositionForm first;
  first.factors.assign(sizes.size(), 0);
  SmallVector<PositionForm> candidates{first};
  if (ShapedType::isDynamic(sizes[keys]))
    return candidates;
  PositionForm last = first;
  last.constant = sizes[keys] - 1;
  candidates.push_back(last);
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (loop != keys && !ShapedType::isDynamic(size) && size <= sizes[keys]) {
      candidates.push_back(first);
      candidates.back().factors[loop] = 1;
    }
  return candidates;
}

//===----------------------------------------------------------------------===//
// 3. The pattern
//===----------------------------------------------------------------------===//

namespace {
struct HideByInfinity : public OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    MaskCollector collector;
    if (!type || !collector.collectTensor(input) || collector.masks.empty())
      return rewriter.notifyMatchFailure(
          op, "no product with masks of a finite number alone");
    ArrayRef<int64_t> sizes = type.getShape();
    unsigned keys = op.getDimension();
    auto isVisible = [&](const PositionForm &key) {
      VisibleElement element(sizes, keys, key);
      return llvm::all_of(collector.masks, [&](const FiniteMask &mask) {
        return element.holds(mask.condition, mask.visible);
      });
    };
    if (llvm::none_of(getCandidates(sizes, keys), isVisible))
      return rewriter.notifyMatchFailure(
          op, "a row may be hidden: then its weights are equal");
    for (const FiniteMask &mask : collector.masks) {
      Operation *select = mask.number->getOwner();
      auto element = cast<FloatType>(mask.number->get().getType());
      rewriter.setInsertionPoint(select->getParentOfType<linalg::GenericOp>());
      Value infinity = arith::ConstantOp::create(
          rewriter, select->getLoc(),
          FloatAttr::get(element, APFloat::getInf(element.getFloatSemantics(),
                                                  /*Negative=*/true)));
      rewriter.modifyOpInPlace(select, [&] { mask.number->set(infinity); });
    }
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFiniteMasksPatterns(
    RewritePatternSet &patterns) {
  patterns.add<HideByInfinity>(patterns.getContext());
}
