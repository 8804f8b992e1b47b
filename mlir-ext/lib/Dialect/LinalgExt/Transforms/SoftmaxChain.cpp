//===- SoftmaxChain.cpp - Matches a softmax written as a chain ------------===//
//
// Matches from the end of the chain to its start: the mask of the result, the
// quotient (or the division in the exponent), the sum, the exponential and its
// difference, the maximum. See SoftmaxChain.h.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxChain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

#define DEBUG_TYPE "linalg-ext-raise-softmax-chain"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Reports why something that looked like softmax is not raised.
static std::nullopt_t miss(LinalgOp anchor, StringRef reason) {
  LDBG() << "not raised, " << reason << ": " << *anchor;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static std::optional<double> matchDouble(const Term &term) {
  std::optional<APFloat> constant = matchConstant(term);
  if (!constant)
    return std::nullopt;
  return toDouble(*constant);
}

namespace {
/// The product factor * term.
struct Scaled {
  Term term;
  double factor = 1.0;
};
} // namespace

/// Splits positive constant factors off `term`. Rounding is monotone, so such a
/// factor commutes with the maximum exactly.
static Scaled peelFactors(Term term) {
  Scaled result{term};
  auto peel = [&](const Term &rest, const Term &constant, bool divides) {
    std::optional<double> factor = matchDouble(constant);
    if (!factor || !std::isfinite(*factor) || *factor <= 0.0)
      return false;
    result.term = rest;
    result.factor *= divides ? 1.0 / *factor : *factor;
    return true;
  };
  for (;;) {
    if (auto mul = matchScalarOp<arith::MulFOp>(result.term)) {
      if (peel((*mul)[0], (*mul)[1], false) ||
          peel((*mul)[1], (*mul)[0], false))
        continue;
    } else if (auto div = matchScalarOp<arith::DivFOp>(result.term)) {
      if (peel((*div)[0], (*div)[1], true))
        continue;
    }
    return result;
  }
}

/// Returns whether `factor`, a product of constants of type `type`, is 1 up to
/// the rounding of one constant.
static bool isOne(double factor, FloatType type) {
  int precision = APFloat::semanticsPrecision(type.getFloatSemantics());
  return std::abs(factor - 1.0) < std::ldexp(1.0, 1 - precision);
}

/// Splits a - b, also written as a + (-b).
static std::optional<std::pair<Term, Term>> matchDifference(const Term &term) {
  if (auto sub = matchScalarOp<arith::SubFOp>(term))
    return std::make_pair((*sub)[0], (*sub)[1]);
  if (auto add = matchScalarOp<arith::AddFOp>(term))
    for (unsigned side : {1, 0})
      if (auto negated = matchScalarOp<arith::NegFOp>((*add)[side]))
        return std::make_pair((*add)[1 - side], (*negated)[0]);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The steps of the chain
//===----------------------------------------------------------------------===//

/// Splits b^t, with b = e or 2, as e^(log(b) * t).
static std::optional<Scaled> matchPower(const Term &term) {
  if (auto exp = matchScalarOp<math::ExpOp>(term))
    return Scaled{exp->front(), 1.0};
  if (auto exp2 = matchScalarOp<math::Exp2Op>(term))
    return Scaled{exp2->front(), llvm::numbers::ln2};
  return std::nullopt;
}

/// Splits b^t, with b = e or 2, as e^(factor * difference).
static std::optional<Scaled> matchExponential(const Term &term) {
  std::optional<Scaled> power = matchPower(term);
  if (!power)
    return std::nullopt;
  Scaled exponent = peelFactors(power->term);
  exponent.factor *= power->factor;
  return exponent;
}

/// Returns whether a maximum of `element` may start from `init`: a value that
/// the combiner drops, or one that is below every finite element.
static bool isNeutralForMax(Combiner combiner, const Term &init,
                            const Term &element) {
  std::optional<APFloat> value = matchConstant(init);
  if (!value)
    return false;
  if (value->isNaN())
    return combiner == Combiner::MaxNum;
  if (!value->isNegative())
    return false;
  if (value->isInfinity())
    return true;
  Type type = element.getType();
  if (auto extended = matchScalarOp<arith::ExtFOp>(element))
    type = extended->front().getType();
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return false;
  APFloat lowest = APFloat::getLargest(floatType.getFloatSemantics(),
                                       /*Negative=*/true);
  return toDouble(*value) <= toDouble(lowest);
}

//===----------------------------------------------------------------------===//
// Guards against fully masked rows
//===----------------------------------------------------------------------===//

namespace {
/// A select that compares `compared` with a constant. The result is `instead`
/// if they are equal, and `otherwise` if `compared` is larger.
struct Guard {
  Term compared, otherwise;
  double instead;
  /// Whether the result is not `instead` if `compared` is NaN.
  bool keepsNaN;
};
} // namespace

static std::optional<Guard> matchGuard(const Term &term, double at) {
  auto select = matchScalarOp<arith::SelectOp>(term);
  std::optional<ScalarOp> compare =
      select ? matchScalarOp(select->front()) : std::nullopt;
  auto op = compare ? dyn_cast<arith::CmpFOp>(compare->op) : arith::CmpFOp();
  if (!op)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    if (matchDouble(compare->operands[1 - side]) != at)
      continue;
    auto holdsFor = [&](double value) {
      APFloat lhs(value), rhs(at);
      if (side == 1)
        std::swap(lhs, rhs);
      return arith::applyCmpPredicate(op.getPredicate(), lhs, rhs);
    };
    bool holds = holdsFor(at), holdsAbove = holdsFor(1.0);
    std::optional<double> instead = matchDouble((*select)[holds ? 1 : 2]);
    if (holds == holdsAbove || !instead)
      return std::nullopt;
    double nan = std::numeric_limits<double>::quiet_NaN();
    return Guard{compare->operands[side], (*select)[holds ? 2 : 1], *instead,
                 holdsFor(nan) == holdsAbove};
  }
  return std::nullopt;
}

/// If `term` is max(.., bound) and `isBound` is true for the bound, returns the
/// other operand.
static std::optional<Term> peelBound(const Term &term,
                                     function_ref<bool(double)> isBound) {
  if (auto max = matchScalarOp<arith::MaximumFOp>(term))
    for (unsigned side : {0, 1})
      if (std::optional<double> bound = matchDouble((*max)[side]);
          bound && isBound(*bound))
        return (*max)[1 - side];
  return std::nullopt;
}

/// Returns whether `term` is the condition that `value` is NaN, or with `isNaN`
/// false that it is not.
static bool comparesWithItself(const Term &term, bool isNaN,
                               const Term &value) {
  std::optional<ScalarOp> compare = matchScalarOp(term);
  auto op = compare ? dyn_cast<arith::CmpFOp>(compare->op) : arith::CmpFOp();
  using Predicate = arith::CmpFPredicate;
  if (!op ||
      !llvm::is_contained(isNaN ? ArrayRef{Predicate::UNO, Predicate::UNE}
                                : ArrayRef{Predicate::ORD, Predicate::OEQ},
                          op.getPredicate()))
    return false;
  return areSameTerms(compare->operands[0], value) &&
         areSameTerms(compare->operands[1], value);
}

/// Removes guards from `term`, a maximum, that change it only where it is -inf.
/// There, the exponentials are 0 for all elements but -inf.
static Term peelMaxGuards(Term term) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  auto type = dyn_cast<FloatType>(term.getType());
  if (!type)
    return term;
  double lowest = toDouble(
      APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true));
  for (;;) {
    std::optional<Guard> guard = matchGuard(term, -inf);
    if (guard && !std::isnan(guard->instead) &&
        areSameTerms(guard->compared, guard->otherwise)) {
      term = guard->compared;
    } else if (std::optional<Term> bounded = peelBound(
                   term, [&](double bound) { return bound <= lowest; })) {
      term = *bounded;
    } else {
      return term;
    }
  }
}

/// Matches select(isnan(v), _, v) and returns v. Nothing else may be left out
/// of a maximum.
static std::optional<Term> matchNaNGuard(const Term &term) {
  auto select = matchScalarOp<arith::SelectOp>(term);
  if (!select)
    return std::nullopt;
  for (bool isNaN : {true, false})
    if (const Term &value = (*select)[isNaN ? 2 : 1];
        comparesWithItself((*select)[0], isNaN, value))
      return value;
  return std::nullopt;
}

/// Removes from `term`, a maximum, a replacement for rows whose elements are
/// all NaN. A NaN makes the sum of exponentials NaN, whatever the maximum is.
static Term peelNaNRows(const Term &term, ArrayRef<int64_t> domain) {
  auto select = matchScalarOp<arith::SelectOp>(term);
  std::optional<APFloat> instead =
      select ? matchConstant((*select)[1]) : std::nullopt;
  if (!instead || !instead->isNaN())
    return term;
  std::optional<Reduction> all = matchReduction((*select)[0], domain),
                           max = matchReduction((*select)[2], domain);
  if (!all || !max || all->combiner != Combiner::And || !isMax(max->combiner) ||
      all->dim != max->dim)
    return term;
  std::optional<Term> kept = matchNaNGuard(max->element);
  return comparesWithItself(all->element, /*isNaN=*/true,
                            kept ? *kept : max->element)
             ? (*select)[2]
             : term;
}

/// Removes guards from `term`, a sum, that change it only where it is 0.
/// Otherwise it is at least the exponential of the maximum, which is 1.
static Term peelSumGuards(Term term) {
  for (;;) {
    std::optional<Guard> guard = matchGuard(term, 0.0);
    if (guard && guard->instead > 0.0 && guard->keepsNaN &&
        areSameTerms(guard->compared, guard->otherwise)) {
      term = guard->compared;
    } else if (std::optional<Term> bounded = peelBound(term, [](double bound) {
                 return bound > 0.0 && bound < 1.0;
               })) {
      term = *bounded;
    } else {
      return term;
    }
  }
}

/// Returns the divisor of a reciprocal. The program may have any finite number
/// in place of the reciprocal of 0.
static std::optional<Term> matchReciprocal(const Term &term) {
  std::optional<Guard> guard = matchGuard(term, 0.0);
  auto div = matchScalarOp<arith::DivFOp>(guard ? guard->otherwise : term);
  if (!div || matchDouble((*div)[0]) != 1.0)
    return std::nullopt;
  if (guard && !(std::isfinite(guard->instead) && guard->keepsNaN &&
                 areSameTerms(guard->compared, (*div)[1])))
    return std::nullopt;
  return (*div)[1];
}

/// Matches n / s and n * (1 / s), and returns pairs (n, s).
static SmallVector<std::pair<Term, Term>> matchQuotients(const Term &term) {
  if (auto div = matchScalarOp<arith::DivFOp>(term))
    return {{(*div)[0], (*div)[1]}};
  SmallVector<std::pair<Term, Term>> quotients;
  if (auto mul = matchScalarOp<arith::MulFOp>(term))
    for (unsigned side : {0, 1})
      if (std::optional<Term> divisor = matchReciprocal((*mul)[side]))
        quotients.push_back({(*mul)[1 - side], *divisor});
  return quotients;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Matches select(mask, kept, constant), or the other order, with a constant
/// for which `isConstant` is true.
static std::optional<Masked>
matchMasked(const Term &term, function_ref<bool(double)> isConstant) {
  auto select = matchScalarOp<arith::SelectOp>(term);
  if (!select)
    return std::nullopt;
  for (unsigned side : {1, 2})
    if (std::optional<double> constant = matchDouble((*select)[side]);
        constant && isConstant(*constant))
      return Masked{(*select)[0], (*select)[3 - side], /*keepsIf=*/side == 2};
  return std::nullopt;
}

static bool haveSameMask(const Masked &lhs, const Masked &rhs) {
  return lhs.keepsIf == rhs.keepsIf && areSameTerms(lhs.mask, rhs.mask);
}

/// Removes negations from the condition `term`. Each one flips `isNegated`.
static Term peelNegations(Term term, bool &isNegated) {
  auto matchBool = [](const Term &constant) -> std::optional<bool> {
    Attribute attr;
    if (!matchPattern(unfold(constant).value, m_Constant(&attr)))
      return std::nullopt;
    if (auto splat = dyn_cast<SplatElementsAttr>(attr))
      attr = splat.getSplatValue<Attribute>();
    auto number = dyn_cast<IntegerAttr>(attr);
    if (!number || !number.getType().isInteger(1))
      return std::nullopt;
    return number.getValue().isOne();
  };
  for (;;) {
    std::optional<ScalarOp> scalar = matchScalarOp(term);
    if (!scalar || scalar->operands.size() != 2)
      return term;
    std::optional<bool> constant = matchBool(scalar->operands[1]);
    if (!constant)
      return term;
    auto compare = dyn_cast<arith::CmpIOp>(scalar->op);
    bool negates = *constant;
    if (compare && compare.getPredicate() == arith::CmpIPredicate::eq)
      negates = !*constant;
    else if (!isa<arith::XOrIOp>(scalar->op) &&
             !(compare && compare.getPredicate() == arith::CmpIPredicate::ne))
      return term;
    isNegated ^= negates;
    term = scalar->operands[0];
  }
}

/// Returns whether the condition `term` says that `value` is -inf, or with
/// `isNegated` that it is not.
static bool comparesWithMinusInfinity(Term term, bool isNegated,
                                      const Term &value) {
  term = peelNegations(term, isNegated);
  std::optional<ScalarOp> compare = matchScalarOp(term);
  auto op = compare ? dyn_cast<arith::CmpFOp>(compare->op) : arith::CmpFOp();
  if (!op)
    return false;
  constexpr double inf = std::numeric_limits<double>::infinity();
  using Predicate = arith::CmpFPredicate;
  // torch-mlir's comparison counts NaN as equal, so that a row of NaN becomes
  // NaN, as in PyTorch, and not 0.
  bool isEqual =
      llvm::is_contained({Predicate::OEQ, Predicate::UEQ}, op.getPredicate());
  if (!isEqual && op.getPredicate() != Predicate::UNE &&
      op.getPredicate() != Predicate::ONE)
    return false;
  if (isEqual == isNegated)
    return false;
  return llvm::any_of(ArrayRef<unsigned>{0, 1}, [&](unsigned side) {
    Term compared = compare->operands[side];
    if (matchDouble(compare->operands[1 - side]) != -inf)
      return false;
    if (areSameTerms(compared, value))
      return true;
    auto extended = matchScalarOp<arith::ExtFOp>(compared);
    return extended && areSameTerms(extended->front(), value);
  });
}

bool mlir::linalg_ext::isTrueForEmptyRows(const Term &condition,
                                          ArrayRef<int64_t> domain,
                                          const Term &scores, int64_t dim,
                                          bool &isNegated) {
  isNegated = false;
  Term row = peelNegations(condition, isNegated);
  std::optional<Reduction> reduction = matchReduction(row, domain);
  if (!reduction || reduction->dim != dim)
    return false;
  // all(x == -inf), or not any(x != -inf).
  bool isAll = reduction->combiner == Combiner::And;
  if (!isAll && reduction->combiner != Combiner::Or)
    return false;
  Attribute attr;
  if (!matchPattern(unfold(reduction->init).value, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  auto init = dyn_cast<IntegerAttr>(attr);
  if (!init || init.getValue().isOne() != isAll)
    return false;
  if (!comparesWithMinusInfinity(reduction->element, /*isNegated=*/!isAll,
                                 scores))
    return false;
  isNegated ^= !isAll;
  return true;
}

//===----------------------------------------------------------------------===//
// The chain
//===----------------------------------------------------------------------===//

/// Sets the input, its scale and the maximum of `chain` from its exponent,
/// whose difference is `a` - `b`. With constants p, q and r, these are a = p x,
/// b = q m and m = max(r x), where p = q r.
static std::optional<SoftmaxChain> matchScores(SoftmaxChain chain, Term a,
                                               Term b, double factor) {
  Scaled minuend = peelFactors(a), subtrahend = peelFactors(peelMaxGuards(b));
  subtrahend.term = peelMaxGuards(subtrahend.term);
  subtrahend.term = peelNaNRows(subtrahend.term, chain.domain);
  // The maximum includes the sink, or it does not. All subtractions must use
  // the same one.
  bool hasSink = false;
  if (auto both = matchScalarOp<arith::MaximumFOp>(subtrahend.term);
      both && chain.sink && subtrahend.factor == 1.0)
    for (unsigned side : {0, 1})
      if (!hasSink && areSameTerms((*both)[side], chain.sink->term)) {
        subtrahend.term = (*both)[1 - side];
        hasSink = true;
      }
  std::optional<Reduction> max = matchReduction(subtrahend.term, chain.domain);
  // The maximum before an extension, which is monotone and exact.
  auto extended = matchScalarOp<arith::ExtFOp>(subtrahend.term);
  if (!max && extended)
    max = matchReduction(peelMaxGuards(extended->front()), chain.domain);
  else
    extended = std::nullopt;
  if (!max || !isMax(max->combiner) || max->dim != chain.dim)
    return miss(chain.anchor, "what is subtracted is not a maximum along the "
                              "dimension that is summed");
  bool startsFromSink = chain.sink && subtrahend.factor == 1.0 && !extended &&
                        areSameTerms(max->init, chain.sink->term);
  if (!startsFromSink &&
      !isNeutralForMax(max->combiner, max->init, max->element))
    return miss(chain.anchor, "the maximum does not start from a value below "
                              "all others");
  chain.maxIsState = max->combiner == Combiner::Maximum && !extended;
  if (chain.sink) {
    chain.maxIsState &= startsFromSink && chain.sink->scale == 1.0;
    chain.sink->isInMax = startsFromSink || hasSink;
    chain.sumIsState &= chain.sink->isInMax;
  }
  // A NaN makes the sum NaN, even if the maximum leaves it out.
  if (std::optional<Term> kept = matchNaNGuard(max->element)) {
    max->element = *kept;
    chain.maxIsState = false;
  }
  chain.max = *max;
  chain.firstUser = (extended ? chain.sum : chain.max).result.getOwner();

  auto type = dyn_cast<FloatType>(a.getType());
  if (!type)
    return std::nullopt;
  Term element = max->element;
  if (chain.masked) {
    // Masked elements have the value of elements that do not exist.
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::optional<Masked> scores =
        matchMasked(element, [&](double value) { return value == -inf; });
    if (!scores || extended || !haveSameMask(*scores, *chain.masked) ||
        !areSameTerms(a, scores->kept) || !isOne(factor, type) ||
        subtrahend.factor != 1.0)
      return miss(chain.anchor, "the maximum is not that of what is kept");
    chain.inputs = {element};
    chain.scale = 1.0;
    return chain;
  }
  bool asWritten =
      subtrahend.factor == 1.0 && !extended && areSameTerms(a, element);
  if (asWritten && isOne(factor, type)) {
    chain.inputs = {element, a};
    chain.scale = 1.0;
    return chain;
  }
  Scaled reduced = peelFactors(element);
  Term shifted = minuend.term;
  if (extended) {
    auto narrow = matchScalarOp<arith::ExtFOp>(shifted);
    if (!narrow)
      return miss(chain.anchor, "the maximum is of another type");
    shifted = narrow->front();
  }
  if (minuend.factor != subtrahend.factor * reduced.factor ||
      !areSameTerms(shifted, reduced.term))
    return miss(chain.anchor, "the maximum is that of something else");
  chain.inputs = {minuend.term};
  if (!extended)
    chain.inputs.insert(chain.inputs.begin(), reduced.term);
  chain.scale = factor * minuend.factor;
  if (isOne(chain.scale, type))
    chain.scale = 1.0;
  chain.maxIsState &= chain.scale == 1.0 && reduced.factor == 1.0;
  return chain;
}

/// Removes the mask of `chain` from an exponent. Where the result is masked,
/// the exponent does not matter.
static Term peelMask(const SoftmaxChain &chain, const Term &term) {
  if (!chain.masked)
    return term;
  std::optional<Masked> masked = matchMasked(term, [](double) { return true; });
  return masked && haveSameMask(*masked, *chain.masked) ? masked->kept : term;
}

/// Returns whether `term` may depend on dimension `dim` of the domain. Also
/// returns true if it is nested too deeply to tell.
static bool dependsOn(const Term &term, int64_t dim, unsigned depth = 8) {
  Term read = unfold(term);
  if (depth == 0)
    return true;
  if (read.isTensorElement())
    return read.index.isFunctionOfDim(dim);
  std::optional<ScalarOp> scalar = matchScalarOp(read);
  if (!scalar)
    return read.index.isFunctionOfDim(dim);
  if (isa<linalg::IndexOp>(scalar->op))
    return read.index.isFunctionOfDim(dim);
  return llvm::any_of(scalar->operands, [&](const Term &operand) {
    return dependsOn(operand, dim, depth - 1);
  });
}

/// Matches e^(k (sink - m)).
static std::optional<Sink> matchSink(const Term &term) {
  std::optional<Scaled> exponent = matchExponential(term);
  if (!exponent)
    return std::nullopt;
  auto difference = matchDifference(exponent->term);
  if (!difference)
    return std::nullopt;
  return Sink{difference->first, difference->second, exponent->factor,
              /*isInMax=*/false};
}

/// Matches the sum `divisor`, and adds it to the chain. Sets `summed` to the
/// term that it sums.
static std::optional<SoftmaxChain> matchSum(SoftmaxChain chain,
                                            const Term &divisor, Term &summed) {
  Term all = peelSumGuards(divisor);
  std::optional<Reduction> sum = matchReduction(all, chain.domain);
  if (auto add = matchScalarOp<arith::AddFOp>(all))
    for (unsigned side = 0; side < 2 && !sum; ++side) {
      sum = matchReduction((*add)[side], chain.domain);
      chain.sink = matchSink((*add)[1 - side]);
      if (!chain.sink)
        sum.reset();
      chain.sumIsState = false;
    }
  if (!sum || sum->combiner != Combiner::Add)
    return miss(chain.anchor, "what divides is not a sum along one dimension");
  if (matchDouble(sum->init) != 0.0) {
    std::optional<Sink> sink = matchSink(sum->init);
    if (chain.sink || !sink)
      return miss(chain.anchor, "the sum does not start from 0");
    chain.sink = sink;
  }
  if (chain.sink && (dependsOn(chain.sink->term, sum->dim) || chain.masked))
    return miss(chain.anchor, "what is added to the sum is not of the row");
  summed = sum->element;
  if (chain.masked) {
    std::optional<Masked> kept =
        matchMasked(summed, [](double value) { return value == 0.0; });
    if (!kept || !haveSameMask(*kept, *chain.masked))
      return miss(chain.anchor, "the sum is not that of what is kept");
    summed = kept->kept;
  }
  chain.sum = *sum;
  chain.dim = sum->dim;
  return chain;
}

/// Sets the other parts of the chain from the summed term, an exponential of a
/// difference.
static std::optional<SoftmaxChain> matchSummed(const SoftmaxChain &chain,
                                               const Term &summed) {
  std::optional<Scaled> exponent = matchExponential(summed);
  std::optional<std::pair<Term, Term>> difference;
  if (exponent)
    difference = matchDifference(peelMask(chain, exponent->term));
  if (!difference)
    return miss(chain.anchor, "the exponent is not a difference");
  if (chain.sink && (chain.sink->scale != exponent->factor ||
                     !areSameTerms(chain.sink->max, difference->second)))
    return miss(chain.anchor, "what is added to the sum has another maximum");
  std::optional<SoftmaxChain> result = matchScores(
      chain, difference->first, difference->second, exponent->factor);
  if (result && !readsAlong(result->inputs.front(), chain.dim))
    return miss(chain.anchor, "the scores do not depend on the dimension");
  return result;
}

/// Matches numerator / denominator.
static std::optional<SoftmaxChain> matchNormalised(const SoftmaxChain &chain,
                                                   const Term &numerator,
                                                   const Term &denominator) {
  std::optional<Scaled> exponent = matchExponential(numerator);
  if (!exponent)
    return std::nullopt;
  if (!matchDifference(peelMask(chain, exponent->term)))
    return miss(chain.anchor, "the exponent is not a difference");
  Term summed;
  std::optional<SoftmaxChain> result = matchSum(chain, denominator, summed);
  if (!result)
    return std::nullopt;
  if (!areSameTerms(numerator, summed))
    return miss(chain.anchor, "the sum is that of something else");
  // Match the summed term first, because the sum is computed before the
  // quotient.
  return matchSummed(*result, summed);
}

//===----------------------------------------------------------------------===//
// Division in the exponent
//===----------------------------------------------------------------------===//

namespace {
/// A term that is added, or subtracted.
struct Addend {
  Term term;
  bool isNegative;
};
} // namespace

/// Splits `addend` at its outermost sum, difference or negation.
static SmallVector<Addend, 2> splitAddend(const Addend &addend) {
  if (auto add = matchScalarOp<arith::AddFOp>(addend.term))
    return {{(*add)[0], addend.isNegative}, {(*add)[1], addend.isNegative}};
  if (auto sub = matchScalarOp<arith::SubFOp>(addend.term))
    return {{(*sub)[0], addend.isNegative}, {(*sub)[1], !addend.isNegative}};
  if (auto negated = matchScalarOp<arith::NegFOp>(addend.term))
    return {{(*negated)[0], !addend.isNegative}};
  return {};
}

/// If `term` is a logarithm to base e or 2, returns its operand.
static std::optional<Term> matchLogarithm(const Term &term) {
  auto log = matchScalarOp<math::LogOp>(term);
  if (!log)
    log = matchScalarOp<math::Log2Op>(term);
  if (!log)
    return std::nullopt;
  return log->front();
}

/// The maximum nesting depth of sums. Importers nest no deeper.
static constexpr unsigned kMaxDepth = 4;

/// Returns the operand of a logarithm to base e^(1 / `factor`) that `exponent`
/// subtracts.
static std::optional<Term> findLogarithm(const Addend &exponent, double factor,
                                         unsigned depth = 0) {
  if (exponent.isNegative) {
    double logOfBase =
        matchScalarOp<math::Log2Op>(exponent.term) ? llvm::numbers::ln2 : 1.0;
    auto type = dyn_cast<FloatType>(exponent.term.getType());
    if (matchLogarithm(exponent.term) && type &&
        isOne(factor / logOfBase, type))
      return exponent.term;
  }
  if (depth < kMaxDepth)
    for (const Addend &addend : splitAddend(exponent))
      if (std::optional<Term> logarithm =
              findLogarithm(addend, factor, depth + 1))
        return logarithm;
  return std::nullopt;
}

/// Returns whether `exponent` is the sum of the terms `wanted`, in any order.
/// Removes the terms that it finds from `wanted`. Subtracted terms may differ
/// in guards of a maximum.
static bool isSumOf(const Addend &exponent, SmallVectorImpl<Addend> &wanted,
                    unsigned depth = 0) {
  auto *found = llvm::find_if(wanted, [&](const Addend &addend) {
    if (addend.isNegative != exponent.isNegative)
      return false;
    return areSameTerms(addend.term, exponent.term) ||
           (addend.isNegative && areSameTerms(peelMaxGuards(addend.term),
                                              peelMaxGuards(exponent.term)));
  });
  if (found != wanted.end()) {
    wanted.erase(found);
    return true;
  }
  SmallVector<Addend, 2> addends = splitAddend(exponent);
  return !addends.empty() && depth < kMaxDepth &&
         llvm::all_of(addends, [&](const Addend &addend) {
           return isSumOf(addend, wanted, depth + 1);
         });
}

/// Matches e^(x - (m + log l)), which is the quotient e^(x - m) / l, with its
/// sums in any order. It occurs with a log-sum-exp, and as the exponential of a
/// log-softmax.
static std::optional<SoftmaxChain> matchLogNormalised(const SoftmaxChain &chain,
                                                      const Term &term) {
  std::optional<Scaled> whole = matchExponential(term);
  if (!whole)
    return std::nullopt;
  Addend exponent{peelMask(chain, whole->term), /*isNegative=*/false};
  std::optional<Term> logarithm = findLogarithm(exponent, whole->factor);
  if (!logarithm)
    return std::nullopt;
  Term summed;
  std::optional<SoftmaxChain> result =
      matchSum(chain, *matchLogarithm(*logarithm), summed);
  if (!result)
    return std::nullopt;
  std::optional<Scaled> power = matchPower(summed);
  std::optional<Scaled> part = matchExponential(summed);
  auto type = dyn_cast<FloatType>(term.getType());
  std::optional<std::pair<Term, Term>> difference;
  if (part)
    difference = matchDifference(peelMask(chain, part->term));
  if (!difference || !type)
    return miss(chain.anchor, "the exponent is not a difference");
  // The summed term, either whole or with its difference split.
  SmallVector<Addend> asOne = {{peelMask(chain, power->term), false},
                               {*logarithm, true}},
                      asTwo = {{difference->first, false},
                               {difference->second, true},
                               {*logarithm, true}};
  auto isExponent = [&](SmallVectorImpl<Addend> &addends, double factor) {
    return isOne(factor / whole->factor, type) && isSumOf(exponent, addends) &&
           addends.empty();
  };
  if (!isExponent(asOne, power->factor) && !isExponent(asTwo, part->factor))
    return miss(chain.anchor, "the sum is that of something else");
  return matchSummed(*result, summed);
}

/// Returns whether `rounded` rounds as the op does, and is the only user of the
/// quotient.
static bool isLastStep(arith::TruncFOp rounded) {
  if (rounded.getRoundingmode().value_or(
          arith::RoundingMode::to_nearest_even) !=
      arith::RoundingMode::to_nearest_even)
    return false;
  auto owner = cast<LinalgOp>(rounded->getParentOp());
  Term term = getPayloadTerm(owner, rounded.getIn());
  for (;;) {
    if (!isa<BlockArgument>(term.value) && !term.value.hasOneUse())
      return false;
    std::optional<Term> next = unfoldOnce(term);
    if (!next)
      return true;
    term = *next;
  }
}

std::optional<SoftmaxChain> mlir::linalg_ext::matchSoftmaxChain(LinalgOp anchor,
                                                                Value value) {
  SoftmaxChain chain;
  chain.anchor = anchor;
  chain.root = getPayloadTerm(anchor, value);
  chain.domain = anchor.getStaticLoopRanges();

  auto rounded = value.getDefiningOp<arith::TruncFOp>();
  Term quotient =
      rounded ? getPayloadTerm(anchor, rounded.getIn()) : chain.root;
  // A softmax of the elements that a mask keeps, and 0 for the others.
  chain.masked = matchMasked(quotient, [](double v) { return v == 0.0; });
  if (chain.masked)
    quotient = chain.masked->kept;
  SmallVector<std::optional<SoftmaxChain>, 0> matches = {
      matchLogNormalised(chain, quotient)};
  for (auto [numerator, denominator] : matchQuotients(quotient))
    matches.push_back(matchNormalised(chain, numerator, denominator));
  for (std::optional<SoftmaxChain> &match : matches) {
    if (!match)
      continue;
    if (!rounded)
      return match;
    // The program extends f16 to f32 and rounds the result to f16. The op on
    // f16 does the same, because its state is f32.
    if (match->scale != 1.0 || !isLastStep(rounded))
      continue;
    for (Term &input : match->inputs) {
      auto extended = matchScalarOp<arith::ExtFOp>(input);
      if (!extended || extended->front().getType() != rounded.getType())
        return miss(anchor, "rounded to a type that the scores are not of");
      input = extended->front();
    }
    return match;
  }
  return std::nullopt;
}

std::optional<Term> mlir::linalg_ext::matchShiftByMax(const Term &term,
                                                      ArrayRef<int64_t> domain,
                                                      int64_t dim) {
  auto extended = matchScalarOp<arith::ExtFOp>(term);
  std::optional<std::pair<Term, Term>> difference =
      matchDifference(extended ? extended->front() : term);
  if (!difference)
    return std::nullopt;
  std::optional<Reduction> max =
      matchReduction(peelMaxGuards(difference->second), domain);
  if (!max || !isMax(max->combiner) || max->dim != dim ||
      !isNeutralForMax(max->combiner, max->init, max->element) ||
      !areSameTerms(difference->first, max->element))
    return std::nullopt;
  return difference->first;
}

/// Matches select(|m| == inf, 0, m), which PyTorch's logsumexp subtracts, and
/// returns m.
static std::optional<Term> matchInfinityGuard(const Term &term) {
  auto select = matchScalarOp<arith::SelectOp>(term);
  std::optional<ScalarOp> compare =
      select ? matchScalarOp(select->front()) : std::nullopt;
  auto op = compare ? dyn_cast<arith::CmpFOp>(compare->op) : arith::CmpFOp();
  if (!op || op.getPredicate() != arith::CmpFPredicate::OEQ ||
      matchDouble((*select)[1]) != 0.0)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    auto magnitude = matchScalarOp<math::AbsFOp>(compare->operands[side]);
    if (magnitude &&
        matchDouble(compare->operands[1 - side]) ==
            std::numeric_limits<double>::infinity() &&
        areSameTerms(magnitude->front(), (*select)[2]))
      return (*select)[2];
  }
  return std::nullopt;
}

std::optional<ShiftedSum>
mlir::linalg_ext::matchShiftedSum(const Reduction &sum, const Term &scores) {
  std::optional<APFloat> init = matchConstant(sum.init);
  if (sum.combiner != Combiner::Add || !init || !init->isZero())
    return std::nullopt;
  auto power = matchScalarOp<math::ExpOp>(sum.element);
  auto difference = power ? matchDifference(power->front()) : std::nullopt;
  if (!difference || !areSameTerms(difference->first, scores))
    return std::nullopt;
  if (std::optional<Term> max = matchInfinityGuard(difference->second))
    return ShiftedSum{*max, /*guardsInfinity=*/true};
  return ShiftedSum{peelMaxGuards(difference->second)};
}
