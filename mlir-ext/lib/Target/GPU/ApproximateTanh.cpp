//===- ApproximateTanh.cpp - tanh within 2^-21 ----------------------------===//
//
// tanh of f32 with the flag `afn` is 1 - 2 / (e^2x + 1); or, if all elements of
// the threads of a subgroup are small, an odd polynomial, which leaves the unit
// for functions to others. What is computed from it then, such as powers, is
// part of each branch, so that the unit is busy beside the polynomial.
//
// In an online softmax, the maximum of the row, bent as the elements are, is
// subtracted from exponents. Where it is not negative and the factor is large,
// the power of a negative element below the bounds of a polynomial is so small
// that no error of the polynomial matters: 2^-27 at most for a cap of 30. So
// only maxima are compared with the bounds, and these may be those of signed
// integers, which GPUs compare three at a time: floats that are not negative
// are ordered as their bits. If all elements of a thread are negative, so is
// the maximum of integers, and less than that of floats. It counts only where
// the maximum of the row is negative; there, floats are compared.
//
//===----------------------------------------------------------------------===//

#include "ApproximateTanh.h"
#include "MathInstructions.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Splits `x` into a value and a constant factor. Divisions and products by
/// constants, such as the cap of a score, can thus join the constants of a
/// function.
static std::pair<Value, double> splitFactor(Value x) {
  double factor = 1;
  while (Operation *op = x.getDefiningOp()) {
    APFloat known(0.0f);
    bool isQuotient = isa<arith::DivFOp>(op);
    if ((!isQuotient && !isa<arith::MulFOp>(op)) ||
        !matchPattern(op->getOperand(1), m_ConstantFloat(&known)) ||
        &known.getSemantics() != &APFloat::IEEEsingle() ||
        !known.isFiniteNonZero())
      break;
    double constant = known.convertToFloat();
    double product = isQuotient ? factor / constant : factor * constant;
    // Within these bounds, products of the factor and constants are normal
    // numbers.
    if (std::abs(product) < 0x1p-16 || std::abs(product) > 0x1p16)
      break;
    factor = product;
    x = op->getOperand(0);
  }
  return {x, factor};
}

/// Combines the elements of `x`, a vector of one dimension, into one.
static Value
combineElements(ImplicitLocOpBuilder &b, Value x,
                function_ref<Value(Value lhs, Value rhs)> combine) {
  // Several chains do not wait for each other.
  constexpr int64_t kChains = 4;
  SmallVector<Value> chains;
  for (int64_t i = 0; i < cast<VectorType>(x.getType()).getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(b, x, i);
    if (i < kChains)
      chains.push_back(element);
    else
      chains[i % kChains] = combine(chains[i % kChains], element);
  }
  Value all = chains.front();
  for (Value chain : llvm::drop_begin(chains))
    all = combine(all, chain);
  return all;
}

/// Builds the largest magnitude of the elements of `x`, a vector of one
/// dimension.
static Value getLargestMagnitude(ImplicitLocOpBuilder &b, Value x) {
  return combineElements(b, math::AbsFOp::create(b, x),
                         [&](Value lhs, Value rhs) -> Value {
                           return arith::MaximumFOp::create(b, lhs, rhs);
                         });
}

/// Returns the maxima that the block of `x` computes of its elements, if
/// together they cover all of them. Returns none otherwise. Moves them before
/// `before`.
static SmallVector<Value> shareMaxima(RewriterBase &rewriter, Value x,
                                      Operation *before) {
  llvm::SetVector<Operation *> maxima;
  int64_t count = cast<VectorType>(x.getType()).getNumElements();
  llvm::SmallBitVector found(count);
  llvm::SetVector<Operation *> extracts;
  for (Operation *user : x.getUsers()) {
    auto extract = dyn_cast<vector::ExtractOp>(user);
    if (!extract || extract.getStaticPosition().size() != 1 ||
        extract.hasDynamicPosition() ||
        extract->getBlock() != before->getBlock())
      continue;
    for (Operation *max : extract->getUsers())
      if (isa<arith::MaximumFOp>(max) &&
          max->getBlock() == before->getBlock()) {
        extracts.insert(extract);
        maxima.insert(max);
        found.set(extract.getStaticPosition().front());
      }
  }
  auto isOfThem = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && (extracts.contains(op) || maxima.contains(op));
  };
  if (!found.all() || !llvm::all_of(maxima, [&](Operation *max) {
        return llvm::all_of(max->getOperands(), isOfThem);
      }))
    return {};
  // Maxima of maxima alone, such as those of several chains.
  for (size_t i = 0; i < maxima.size(); ++i)
    for (Operation *user : maxima[i]->getUsers())
      if (isa<arith::MaximumFOp>(user) &&
          user->getBlock() == before->getBlock() &&
          llvm::all_of(user->getOperands(), isOfThem))
        maxima.insert(user);
  SmallVector<Value> last;
  for (Operation *max : maxima)
    if (llvm::none_of(max->getUsers(),
                      [&](Operation *user) { return maxima.contains(user); }))
      last.push_back(max->getResult(0));
  SmallVector<Operation *> moved = llvm::to_vector(extracts);
  llvm::append_range(moved, maxima);
  llvm::sort(moved, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : moved)
    if (before->isBeforeInBlock(op))
      rewriter.moveOpBefore(op, before);
  return last;
}

/// A number that is less than a positive bound only if all elements of `x`, a
/// vector of one dimension, are less in magnitude. NaN if one of them is.
/// `maxima` are of all its elements, if there are any.
static Value getBoundOfMagnitudes(ImplicitLocOpBuilder &b, Value x,
                                  ValueRange maxima) {
  if (maxima.empty())
    return getLargestMagnitude(b, x);
  // Where there are negative elements, the largest bits are those of the least
  // one. Without its sign, it is its magnitude.
  auto type = cast<VectorType>(x.getType());
  Value bits = arith::BitcastOp::create(b, type.clone(b.getI32Type()), x);
  Value most = combineElements(b, bits, [&](Value lhs, Value rhs) -> Value {
    return arith::MaxUIOp::create(b, lhs, rhs);
  });
  most = math::AbsFOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), most));
  for (Value max : maxima)
    most = arith::MaximumFOp::create(b, most, max);
  return most;
}

namespace {
/// The maxima of elements of a thread, and what is computed from them up to the
/// maximum of a row, from which exponents are subtracted.
struct RowMaxima {
  /// Of elements of a thread.
  SmallVector<Value> ofThread;
  /// What computes these, and what computes `ofRows` from them, in order.
  SmallVector<Operation *> inThread, behind;
  /// A vector, or a number.
  Value ofRows;

  static std::optional<RowMaxima> get(ArrayRef<Value> maxima);

  /// Builds the maxima of a thread from the bits of `x` as signed integers,
  /// which are those of floats where these are not negative, and negative
  /// elsewhere.
  SmallVector<Value> getOfIntegers(ImplicitLocOpBuilder &b, Value x) const;

  /// Builds whether no maximum of a row is negative.
  Value isNotNegative(ImplicitLocOpBuilder &b) const;
};
} // namespace

/// Returns whether `op` does not fall as operands that `isOf` it rise, is not
/// negative if the largest one is not, and negative if all are, but for what
/// else it is a maximum of.
static bool keepsOrder(Operation *op, function_ref<bool(Value)> isOf) {
  APFloat factor(0.0f);
  if (isa<arith::MulFOp, arith::DivFOp>(op))
    return isOf(op->getOperand(0)) &&
           matchPattern(op->getOperand(1), m_ConstantFloat(&factor)) &&
           factor.isFiniteNonZero() && !factor.isNegative();
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return shuffle.getValid().use_empty();
  if (isa<vector::FromElementsOp>(op))
    return llvm::all_of(op->getOperands(), isOf);
  return isa<arith::MaximumFOp, math::TanhOp>(op);
}

std::optional<RowMaxima> RowMaxima::get(ArrayRef<Value> maxima) {
  RowMaxima rows;
  if (maxima.empty())
    return std::nullopt;
  llvm::append_range(rows.ofThread, maxima);
  Block *block = rows.ofThread.front().getParentBlock();
  auto isBefore = [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  };
  llvm::SetVector<Operation *> chain;
  SmallVector<Value> open(maxima);
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!chain.insert(op) || isa<vector::ExtractOp>(op))
      continue;
    llvm::append_range(open, op->getOperands());
  }
  rows.inThread = llvm::to_vector(chain);
  llvm::sort(rows.inThread, isBefore);

  // All users of a value belong to it, or it is the last one.
  llvm::SetVector<Value> values(maxima.begin(), maxima.end());
  auto isOf = [&](Value value) { return values.contains(value); };
  llvm::SetVector<Operation *> behind;
  Operation *last = rows.inThread.front();
  for (Operation &op : llvm::make_range(last->getIterator(), block->end()))
    if (llvm::any_of(op.getOperands(), isOf) && keepsOrder(&op, isOf) &&
        op.getNumResults() > 0) {
      behind.insert(&op);
      values.insert(op.getResult(0));
    }
  // An op with another user is the last one: what comes behind it is dropped.
  for (size_t i = 0; i < behind.size(); ++i) {
    if (llvm::all_of(behind[i]->getUsers(),
                     [&](Operation *user) { return behind.contains(user); }))
      continue;
    rows.behind.assign(behind.begin(), behind.begin() + i + 1);
    rows.ofRows = behind[i]->getResult(0);
    break;
  }
  if (!rows.ofRows)
    return std::nullopt;
  // The last one is computed from all of them, which have no other users.
  auto isInside = [&](Operation *user) {
    return llvm::is_contained(rows.behind, user) || chain.contains(user);
  };
  for (Operation *op : llvm::concat<Operation *>(rows.inThread, rows.behind))
    if (op != rows.behind.back() && !llvm::all_of(op->getUsers(), isInside))
      return std::nullopt;
  return rows;
}

SmallVector<Value> RowMaxima::getOfIntegers(ImplicitLocOpBuilder &b,
                                            Value x) const {
  auto type = cast<VectorType>(x.getType());
  Value bits = arith::BitcastOp::create(b, type.clone(b.getI32Type()), x);
  return llvm::map_to_vector(ofThread, [&](Value max) -> Value {
    llvm::SetVector<int64_t> elements;
    SmallVector<Value> open{max};
    while (!open.empty()) {
      Operation *op = open.pop_back_val().getDefiningOp();
      if (auto extract = dyn_cast<vector::ExtractOp>(op))
        elements.insert(extract.getStaticPosition().front());
      else
        llvm::append_range(open, op->getOperands());
    }
    SmallVector<int64_t> order = elements.takeVector();
    llvm::sort(order);
    // Two chains do not wait for each other.
    constexpr size_t kChains = 2;
    SmallVector<Value> chains;
    for (auto [i, position] : llvm::enumerate(order)) {
      Value element = vector::ExtractOp::create(b, bits, position);
      if (i < kChains)
        chains.push_back(element);
      else
        chains[i % kChains] =
            arith::MaxSIOp::create(b, chains[i % kChains], element);
    }
    Value most = chains.front();
    for (Value chain : llvm::drop_begin(chains))
      most = arith::MaxSIOp::create(b, most, chain);
    return arith::BitcastOp::create(b, b.getF32Type(), most);
  });
}

Value RowMaxima::isNotNegative(ImplicitLocOpBuilder &b) const {
  Value all;
  auto add = [&](Value max) {
    Value holds = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, max,
                                        constant(b, max.getType(), 0));
    all = all ? arith::AndIOp::create(b, all, holds).getResult() : holds;
  };
  auto vector = dyn_cast<VectorType>(ofRows.getType());
  if (!vector)
    add(ofRows);
  for (int64_t i = 0; vector && i < vector.getNumElements(); ++i)
    add(vector::ExtractOp::create(b, ofRows, i));
  return all;
}

namespace {
/// What is computed from the results of ops in their block, up to the first op
/// with effects.
struct Dependents {
  /// They can be computed where the first of them is, but for `front`.
  SmallVector<Operation *> ops;
  /// What they need besides, and comes behind the first of them.
  llvm::SetVector<Operation *> front;
  /// Results of the roots and of `ops` that others use.
  SmallVector<Value> results;

  static Dependents get(ArrayRef<Operation *> roots, Operation *first);
};
} // namespace

Dependents Dependents::get(ArrayRef<Operation *> roots, Operation *first) {
  Dependents dependents;
  llvm::SmallPtrSet<Operation *, 16> of(roots.begin(), roots.end());
  // Ops behind `first` of which nothing is known to come before it.
  llvm::SmallPtrSet<Operation *, 16> behind;
  auto isOf = [&](Value value) { return of.contains(value.getDefiningOp()); };
  auto isBehind = [&](Value value) {
    return behind.contains(value.getDefiningOp());
  };
  llvm::SetVector<Operation *> others;
  std::function<void(Operation *)> need = [&](Operation *other) {
    if (!others.contains(other) || dependents.front.contains(other))
      return;
    for (Value operand : other->getOperands())
      if (Operation *def = operand.getDefiningOp())
        need(def);
    dependents.front.insert(other);
  };
  for (Operation &next :
       llvm::make_range(first->getIterator(), first->getBlock()->end())) {
    if (!isMemoryEffectFree(&next) || next.hasTrait<OpTrait::IsTerminator>())
      break;
    // Threads of a subgroup may branch apart: others exchange nothing.
    bool isSimple = next.getNumRegions() == 0 &&
                    isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                                    vector::VectorDialect>(next.getDialect()) &&
                    llvm::none_of(next.getOperands(), isBehind);
    bool depends = llvm::any_of(next.getOperands(), isOf);
    if (!isSimple) {
      behind.insert(&next);
    } else if (depends) {
      of.insert(&next);
      dependents.ops.push_back(&next);
    } else {
      others.insert(&next);
    }
  }
  for (Operation *next : dependents.ops)
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        need(def);
  for (Operation *next :
       llvm::concat<Operation *const>(roots, ArrayRef(dependents.ops)))
    for (Value result : next->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !of.contains(user); }))
        dependents.results.push_back(result);
  return dependents;
}

/// The largest error of powers that is left out of account: half of the
/// rounding of the least f16.
static constexpr double kErrorOfPowers = 0x1p-26;

namespace {
/// tanh(t) / t, interpolated in t^2 at the Chebyshev nodes of [0, bound^2].
struct TanhPolynomial {
  double bound;
  SmallVector<double, 4> coefficients;
};
} // namespace

/// Polynomials for tanh within 2^-21.
static ArrayRef<TanhPolynomial> getTanhPolynomials() {
  static const TanhPolynomial polynomials[] = {
      {0.3125, {0.12576611868408508, -0.333059674387603, 0.9999985185621261}},
      {0.75,
       {0.012916651762590315, -0.050041608590004, 0.13258462094395965,
        -0.33328192121271677, 0.9999994242387924}},
      {1.125,
       {0.0007824583961548806, -0.0053966971114376575, 0.019347876125426672,
        -0.05295136079786369, 0.13312987404613794, -0.3333176602372822,
        0.9999997986430768}}};
  return polynomials;
}

/// Builds `by` times tanh(factor * x) by `polynomial`. The powers of the factor
/// join the coefficients, if these are normal numbers then.
static Value evaluate(ImplicitLocOpBuilder &b, const TanhPolynomial &polynomial,
                      Value x, double factor, double by) {
  double power =
      by * std::pow(factor, 2 * int(polynomial.coefficients.size()) - 1);
  if (std::abs(power) < 0x1p-112 || std::abs(power) > 0x1p112) {
    x = scaled(b, x, factor);
    factor = 1;
    power = by;
  }
  Value square = arith::MulFOp::create(b, x, x);
  Value sum;
  for (double coefficient : polynomial.coefficients) {
    Value term = constant(b, x.getType(), coefficient * power);
    sum = sum ? math::FmaOp::create(b, sum, square, term).getResult() : term;
    power /= factor * factor;
  }
  return arith::MulFOp::create(b, x, sum);
}

/// The factor by which all users of `op`, which are of `ops`, multiply it; none
/// if there is no such constant.
static std::optional<double> getFactorOfUsers(Operation *op,
                                              ArrayRef<Operation *> ops) {
  std::optional<double> factor;
  for (Operation *user : op->getUsers()) {
    APFloat known(0.0f);
    if (!isa<arith::MulFOp>(user) || !llvm::is_contained(ops, user) ||
        !matchPattern(user->getOperand(1), m_ConstantFloat(&known)) ||
        &known.getSemantics() != &APFloat::IEEEsingle() || !known.isFinite())
      return std::nullopt;
    double constant = known.convertToFloat();
    if (std::abs(constant) < 0x1p-16 || std::abs(constant) > 0x1p16 ||
        (factor && *factor != constant))
      return std::nullopt;
    factor = constant;
  }
  return factor;
}

/// The largest error of 2^(by * polynomial(x)) for x below the bounds of the
/// polynomial. There it is far from tanh, but the power is small.
static double getErrorOfPowers(const TanhPolynomial &polynomial, double by) {
  constexpr double kStep = 0x1p-9, kLeast = -8;
  double error = 0, before = 0;
  for (double x = -polynomial.bound; x >= kLeast; x -= kStep) {
    double sum = 0;
    for (double coefficient : polynomial.coefficients)
      sum = sum * x * x + coefficient;
    // Where it rises again, powers are large.
    if (x * sum > before)
      return HUGE_VAL;
    before = x * sum;
    error = std::max(
        error, std::abs(std::exp2(by * before) - std::exp2(by * std::tanh(x))));
  }
  return polynomial.coefficients.front() > 0 ? error : HUGE_VAL;
}

/// Returns whether all that is computed from `tanh` are powers of two of `by`
/// times it, less a number that is not negative if `ofRows` is not.
static bool isForPowersBelow(math::TanhOp tanh, Value ofRows) {
  auto isOfRows = [&](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (value == ofRows)
        return true;
      APFloat factor(0.0f);
      auto shuffle = dyn_cast<vector::ShuffleOp>(op);
      if (shuffle && shuffle.getV1() == shuffle.getV2())
        value = shuffle.getV1();
      else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
        value = broadcast.getSource();
      else if (auto select = dyn_cast<arith::SelectOp>(op);
               select && matchPattern(select.getTrueValue(), m_AnyZeroFloat()))
        value = select.getFalseValue();
      else if (isa<arith::MulFOp>(op) &&
               matchPattern(op->getOperand(1), m_ConstantFloat(&factor)) &&
               !factor.isNegative())
        value = op->getOperand(0);
      else
        return false;
    }
    return value == ofRows;
  };
  return llvm::all_of(tanh->getUsers(), [&](Operation *product) {
    return isa<arith::MulFOp>(product) &&
           llvm::all_of(product->getUsers(), [&](Operation *user) {
             auto exponent = dyn_cast<arith::SubFOp>(user);
             return exponent && exponent.getLhs() == product->getResult(0) &&
                    isOfRows(exponent.getRhs()) &&
                    llvm::all_of(exponent->getUsers(), [](Operation *power) {
                      return isa<math::Exp2Op>(power);
                    });
           });
  });
}

namespace {
/// tanh of many elements of a thread.
class TanhOfMany {
public:
  TanhOfMany(RewriterBase &rewriter, math::TanhOp op,
             const MathInstructions &instructions)
      : rewriter(rewriter), op(op), instructions(instructions),
        b(op->getLoc(), rewriter), block(op->getBlock()) {
    std::tie(x, factor) = splitFactor(op.getOperand());
  }

  void lower();

private:
  Value buildByPower(double by);
  Operation *getFirstUser(ValueRange values, Operation *first) const;
  void findDependents();
  void yield(Value tanh);
  void branch(Value condition, const TanhPolynomial &polynomial);
  Value isBelow(Value value, const TanhPolynomial &polynomial);
  Value branchByRows();
  void replace();

  RewriterBase &rewriter;
  math::TanhOp op;
  const MathInstructions &instructions;
  ImplicitLocOpBuilder b;
  Block *block;
  /// It is tanh of `factor` times x.
  Value x;
  double factor = 1;
  /// The factor of all of its users, if there is one.
  std::optional<double> by;
  Operation *first = nullptr;
  Dependents dependents;
  SmallVector<Value> maxima;
  std::optional<RowMaxima> rows;
  scf::IfOp outermost;
  /// What is known in the branches that are built.
  IRMapping mapping;
};
} // namespace

/// Builds `by` times tanh by functions.
Value TanhOfMany::buildByPower(double by) {
  auto c = [&](double value) { return constant(b, x.getType(), value); };
  Value power =
      applyIntrinsic(b, instructions.exp2, scaled(b, x, 2 * log2e * factor));
  Value divisor = arith::AddFOp::create(b, power, c(1));
  Value reciprocal = applyIntrinsic(b, instructions.reciprocal, divisor);
  return math::FmaOp::create(b, reciprocal, c(-2 * by), c(by));
}

/// The op of the block that uses one of `values` first, or `first` if that
/// comes before it.
Operation *TanhOfMany::getFirstUser(ValueRange values, Operation *first) const {
  for (Value value : values)
    for (Operation *user : value.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
  return first;
}

/// Finds what is computed from it, and the maxima of rows.
void TanhOfMany::findDependents() {
  // Where the first of its users is, more of what they need is known.
  first = getFirstUser(op->getResults(), nullptr);
  dependents = Dependents::get(op.getOperation(), first);
  bool hasFunction = llvm::any_of(dependents.ops, [](Operation *next) {
    return isa_and_nonnull<math::MathDialect>(next->getDialect());
  });
  if (!hasFunction) {
    dependents = Dependents();
    dependents.results.push_back(op.getResult());
  }
  by = getFactorOfUsers(op, dependents.ops);
  if (instructions.hasMaxOfThreeIntegers)
    maxima = shareMaxima(rewriter, x, first);

  bool areTailsSmall =
      by && factor > 0 &&
      llvm::all_of(getTanhPolynomials(), [&](const TanhPolynomial &polynomial) {
        return getErrorOfPowers(polynomial, *by) <= kErrorOfPowers;
      });
  if (areTailsSmall && instructions.all && hasRegistersForBranches(op))
    rows = RowMaxima::get(maxima);
  if (rows && (!isForPowersBelow(op, rows->ofRows) ||
               first->isBeforeInBlock(rows->behind.back())))
    rows.reset();
  if (rows) {
    first = getFirstUser(rows->ofRows, first);
    dependents = Dependents::get({op, rows->behind.back()}, first);
  }
}

/// Ends a branch with what is computed from `tanh`.
void TanhOfMany::yield(Value tanh) {
  IRMapping here = mapping;
  here.map(op.getResult(), tanh);
  for (Operation *next : dependents.ops)
    if (by && llvm::is_contained(op->getUsers(), next))
      here.map(next->getResult(0), tanh);
    else if (!here.contains(next->getResult(0)))
      b.clone(*next, here);
  scf::YieldOp::create(
      b, llvm::map_to_vector(dependents.results, [&](Value value) {
        return here.lookupOrDefault(value);
      }));
}

/// Builds a branch with a polynomial. Continues where the condition does not
/// hold for all threads.
void TanhOfMany::branch(Value condition, const TanhPolynomial &polynomial) {
  // Threads that branch apart would compute both.
  if (instructions.all)
    condition = instructions.all(b, b.getLoc(), condition);
  SmallVector<Type> types = llvm::map_to_vector(
      dependents.results, [](Value value) { return value.getType(); });
  auto next = scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
  if (outermost)
    scf::YieldOp::create(b, next.getResults());
  else
    outermost = next;
  b.setInsertionPointToStart(next.thenBlock());
  yield(evaluate(b, polynomial, x, factor, by.value_or(1)));
  b.setInsertionPointToStart(next.elseBlock());
}

Value TanhOfMany::isBelow(Value value, const TanhPolynomial &polynomial) {
  return arith::CmpFOp::create(
      b, arith::CmpFPredicate::OLT, value,
      constant(b, value.getType(), polynomial.bound / std::abs(factor)));
}

/// Builds the branch of the smallest scores in rows whose maxima are not
/// negative, and starts the other one with maxima of floats, if these are
/// needed. Returns a bound of the elements: of their magnitudes if a maximum of
/// a row is negative.
Value TanhOfMany::branchByRows() {
  b.setInsertionPoint(rows->behind.front());
  SmallVector<Value> integers = rows->getOfIntegers(b, x);
  b.setInsertionPoint(first);
  Value most = integers.front();
  for (Value other : llvm::drop_begin(integers))
    most = arith::MaximumFOp::create(b, most, other);
  Value isNotNegative = rows->isNotNegative(b);
  const TanhPolynomial &least = getTanhPolynomials().front();
  branch(arith::AndIOp::create(b, isNotNegative, isBelow(most, least)), least);

  auto compare = scf::IfOp::create(
      b, TypeRange{rows->ofRows.getType(), most.getType()},
      instructions.all(b, b.getLoc(), isNotNegative), /*withElseRegion=*/true);
  b.setInsertionPointToStart(compare.thenBlock());
  scf::YieldOp::create(b, ValueRange{rows->ofRows, most});
  b.setInsertionPointToStart(compare.elseBlock());
  IRMapping floats;
  for (Operation *next : llvm::concat<Operation *const>(
           ArrayRef(rows->inThread), ArrayRef(rows->behind)))
    b.clone(*next, floats);
  SmallVector<Value> ofThread = llvm::map_to_vector(
      maxima, [&](Value max) { return floats.lookup(max); });
  scf::YieldOp::create(b, ValueRange{floats.lookup(rows->ofRows),
                                     getBoundOfMagnitudes(b, x, ofThread)});
  b.setInsertionPointAfter(compare);
  mapping.map(rows->ofRows, compare.getResult(0));
  for (auto [max, ofIntegers] : llvm::zip_equal(maxima, integers))
    rewriter.replaceUsesWithIf(max, ofIntegers, [&](OpOperand &use) {
      return llvm::is_contained(rows->behind, use.getOwner());
    });
  // What depends on nothing else is the same in all further branches.
  llvm::SmallPtrSet<Operation *, 16> ofOthers{op};
  for (Operation *next : dependents.ops)
    if (llvm::any_of(next->getOperands(), [&](Value value) {
          return ofOthers.contains(value.getDefiningOp());
        }))
      ofOthers.insert(next);
    else
      b.clone(*next, mapping);
  return compare.getResult(1);
}

/// Replaces what others use by the results of the branches.
void TanhOfMany::replace() {
  for (auto [value, result] :
       llvm::zip_equal(dependents.results, outermost.getResults()))
    rewriter.replaceUsesWithIf(value, result, [&](OpOperand &use) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      return outermost->isBeforeInBlock(user) &&
             !llvm::is_contained(dependents.ops, user);
    });
  for (Operation *next : llvm::reverse(dependents.ops))
    rewriter.eraseOp(next);
  rewriter.eraseOp(op);
}

void TanhOfMany::lower() {
  auto vector = dyn_cast<VectorType>(x.getType());
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      vector.getNumElements() < kBranchElements || op->use_empty())
    return rewriter.replaceOp(op, buildByPower(1));
  findDependents();
  for (Operation *other : dependents.front)
    rewriter.moveOpBefore(other, first);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(first);
  Value magnitude = rows ? branchByRows() : getBoundOfMagnitudes(b, x, maxima);
  for (const TanhPolynomial &polynomial : getTanhPolynomials())
    branch(isBelow(magnitude, polynomial), polynomial);
  yield(buildByPower(by.value_or(1)));
  replace();
}

void mlir::linalg_ext::lowerApproximateTanh(
    RewriterBase &rewriter, math::TanhOp op,
    const MathInstructions &instructions) {
  TanhOfMany(rewriter, op, instructions).lower();
}

bool mlir::linalg_ext::hasRegistersForBranches(Operation *op) {
  // ptxas spills nothing of 144, but 80 to 92 bytes of 152 (D = 256 with 80
  // keys, docs/Decisions/0131, 0144).
  constexpr int64_t kMostCarried = 144;
  auto loop = op->getParentOfType<scf::ForOp>();
  int64_t words = 0;
  for (Type type : loop ? TypeRange(loop.getResultTypes()) : TypeRange())
    if (auto vector = dyn_cast<VectorType>(type))
      words += llvm::divideCeil(
          vector.getNumElements() * getElementBits(vector), 32);
  return words <= kMostCarried;
}
