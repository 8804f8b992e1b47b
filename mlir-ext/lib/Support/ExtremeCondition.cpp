//===- ExtremeCondition.cpp - When a term replaces an extreme -------------===//
//
// A condition on two numbers is a set of orders in which they may be. There are
// six: less, equal, greater, and three with NaN. Comparisons are such sets, and
// `and`, `or` and `xor` of conditions are those of the sets.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/ExtremeCondition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The orders of a term and an extreme, as bits. Integers have the first three.
enum Order : unsigned {
  Less = 1,
  Equal = 2,
  Greater = 4,
  TermIsNaN = 8,
  ExtremeIsNaN = 16,
  BothAreNaN = 32,
  All = 63
};

/// Finds the set of orders of a condition.
struct OrderFinder {
  explicit OrderFinder(Value acc) : acc(acc) {}

  std::optional<unsigned> find(Value value);

  Value acc;
  ExtremeCondition found;
  std::optional<bool> isUnsigned;

private:
  /// A comparison of `lhs` and `rhs`, which holds if they are in an order of
  /// `outcomes`: less, equal, greater, or neither (bit TermIsNaN).
  std::optional<unsigned> findOfComparison(Operation *op, Value lhs, Value rhs,
                                           unsigned outcomes);

  /// Conditions are short. One that shares its parts may have many paths.
  static constexpr unsigned kMostParts = 32;
  unsigned parts = 0;
};
} // namespace

/// Returns the outcomes with which `predicate` holds: Less, Equal, Greater, and
/// TermIsNaN for numbers that are not ordered.
static unsigned getOutcomes(arith::CmpFPredicate predicate) {
  using Predicate = arith::CmpFPredicate;
  switch (predicate) {
  case Predicate::AlwaysFalse:
    return 0;
  case Predicate::OEQ:
    return Equal;
  case Predicate::OGT:
    return Greater;
  case Predicate::OGE:
    return Greater | Equal;
  case Predicate::OLT:
    return Less;
  case Predicate::OLE:
    return Less | Equal;
  case Predicate::ONE:
    return Less | Greater;
  case Predicate::ORD:
    return Less | Equal | Greater;
  case Predicate::UEQ:
    return Equal | TermIsNaN;
  case Predicate::UGT:
    return Greater | TermIsNaN;
  case Predicate::UGE:
    return Greater | Equal | TermIsNaN;
  case Predicate::ULT:
    return Less | TermIsNaN;
  case Predicate::ULE:
    return Less | Equal | TermIsNaN;
  case Predicate::UNE:
    return Less | Greater | TermIsNaN;
  case Predicate::UNO:
    return TermIsNaN;
  case Predicate::AlwaysTrue:
    return Less | Equal | Greater | TermIsNaN;
  }
  llvm_unreachable("unknown predicate");
}

/// The same for integers. Sets `isUnsigned` if the predicate orders them.
static unsigned getOutcomes(arith::CmpIPredicate predicate,
                            std::optional<bool> &isUnsigned) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return Equal;
  case Predicate::ne:
    return Less | Greater;
  case Predicate::slt:
  case Predicate::ult:
    isUnsigned = predicate == Predicate::ult;
    return Less;
  case Predicate::sle:
  case Predicate::ule:
    isUnsigned = predicate == Predicate::ule;
    return Less | Equal;
  case Predicate::sgt:
  case Predicate::ugt:
    isUnsigned = predicate == Predicate::ugt;
    return Greater;
  case Predicate::sge:
  case Predicate::uge:
    isUnsigned = predicate == Predicate::uge;
    return Greater | Equal;
  }
  llvm_unreachable("unknown predicate");
}

std::optional<unsigned> OrderFinder::findOfComparison(Operation *op, Value lhs,
                                                      Value rhs,
                                                      unsigned outcomes) {
  Value term = lhs == acc ? rhs : lhs;
  if (term != acc) {
    if ((rhs != acc && rhs != term) || (found.term && found.term != term))
      return std::nullopt;
    found.term = term;
  }
  found.comparisons.push_back(op);
  constexpr Order kOrders[] = {Less,      Equal,        Greater,
                               TermIsNaN, ExtremeIsNaN, BothAreNaN};
  unsigned orders = 0;
  for (Order order : kOrders) {
    unsigned outcome = order;
    if (lhs == rhs) {
      unsigned nans = (lhs == acc ? ExtremeIsNaN : TermIsNaN) | BothAreNaN;
      outcome = (order & nans) ? TermIsNaN : Equal;
    } else if (order > Greater) {
      outcome = TermIsNaN;
    } else if (lhs == acc && order != Equal) {
      outcome = order == Less ? Greater : Less;
    }
    orders |= (outcome & outcomes) ? order : 0;
  }
  return orders;
}

std::optional<unsigned> OrderFinder::find(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || ++parts > kMostParts)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return findOfComparison(op, compare.getLhs(), compare.getRhs(),
                            getOutcomes(compare.getPredicate()));
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    std::optional<bool> orders;
    unsigned outcomes = getOutcomes(compare.getPredicate(), orders);
    if (orders && isUnsigned && *orders != *isUnsigned)
      return std::nullopt;
    isUnsigned = orders ? orders : isUnsigned;
    return findOfComparison(op, compare.getLhs(), compare.getRhs(), outcomes);
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isZero() ? 0u : unsigned(All);
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<unsigned> lhs = find(op->getOperand(0)),
                          rhs = lhs ? find(op->getOperand(1)) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  if (isa<arith::AndIOp>(op))
    return *lhs & *rhs;
  return isa<arith::OrIOp>(op) ? *lhs | *rhs : *lhs ^ *rhs;
}

/// If `condition` is `other` and that an integer which the block of `acc` gets
/// is 0, returns the comparison, and sets `condition` to `other`.
static arith::CmpIOp takeComparisonOfStop(Value &condition, Value acc) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  for (unsigned i = 0; both && i < 2; ++i) {
    auto compare = both->getOperand(i).getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
        !matchPattern(compare.getRhs(), m_Zero()))
      continue;
    auto stop = dyn_cast<BlockArgument>(compare.getLhs());
    if (!stop || stop == acc || stop.getOwner() != acc.getParentBlock())
      continue;
    condition = both->getOperand(1 - i);
    return compare;
  }
  return {};
}

std::optional<ExtremeCondition>
mlir::linalg_ext::matchExtremeCondition(Value condition, Value acc) {
  OrderFinder finder(acc);
  if (arith::CmpIOp compare = takeComparisonOfStop(condition, acc)) {
    finder.found.stop = cast<BlockArgument>(compare.getLhs());
    finder.found.comparisons.push_back(compare);
  }
  std::optional<unsigned> orders = finder.find(condition);
  if (!orders || !finder.found.term)
    return std::nullopt;
  ExtremeCondition &found = finder.found;
  bool isFloat = isa<FloatType>(acc.getType());
  unsigned ordered = *orders & (Less | Equal | Greater);
  unsigned nans = isFloat ? *orders & ~(Less | Equal | Greater) : 0;
  if (ordered != Less && ordered != Greater)
    return std::nullopt;
  found.isMax = ordered == Greater;
  found.isUnsigned = !isFloat && finder.isUnsigned.value_or(false);
  if (nans == TermIsNaN)
    found.nans = NaNTerms::First;
  else if (nans == (TermIsNaN | BothAreNaN))
    found.nans = NaNTerms::Last;
  else if (nans != 0)
    return std::nullopt;
  return found;
}

Value mlir::linalg_ext::buildExtremeCondition(OpBuilder &b, Location loc,
                                              const ExtremeCondition &condition,
                                              Value term, Value acc,
                                              Value stop) {
  if (condition.stop) {
    assert(stop && "expected the flag of the condition");
    ExtremeCondition rest = condition;
    rest.stop = {};
    Value isBetter = buildExtremeCondition(b, loc, rest, term, acc, Value());
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(stop.getType()));
    Value goesOn =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, stop, zero);
    return arith::AndIOp::create(b, loc, isBetter, goesOn);
  }
  if (!isa<FloatType>(getElementTypeOrSelf(acc.getType()))) {
    using Predicate = arith::CmpIPredicate;
    Predicate predicate =
        condition.isUnsigned
            ? (condition.isMax ? Predicate::ugt : Predicate::ult)
            : (condition.isMax ? Predicate::sgt : Predicate::slt);
    return arith::CmpIOp::create(b, loc, predicate, term, acc);
  }
  using Predicate = arith::CmpFPredicate;
  Value isBetter = arith::CmpFOp::create(
      b, loc, condition.isMax ? Predicate::OGT : Predicate::OLT, term, acc);
  if (condition.nans == NaNTerms::None)
    return isBetter;
  Value isNaN = arith::CmpFOp::create(b, loc, Predicate::UNO, term, term);
  if (condition.nans == NaNTerms::First) {
    Value isNumber = arith::CmpFOp::create(b, loc, Predicate::ORD, acc, acc);
    isNaN = arith::AndIOp::create(b, loc, isNaN, isNumber);
  }
  return arith::OrIOp::create(b, loc, isBetter, isNaN);
}
