//===- TileCondition.cpp - Iterations in which a mask holds ---------------===//
//
// See TileCondition.h for the steps: read, project, build.
//
//===----------------------------------------------------------------------===//

#include "TileCondition.h"

#include "mlir-ext/Codegen/Common/Divisor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Forms and conditions
//===----------------------------------------------------------------------===//

/// Returns whether `lhs` and `rhs` are the same form.
static bool isEqual(const LinearForm &lhs, const LinearForm &rhs) {
  LinearForm difference = lhs;
  difference.add(rhs, -1);
  return difference.isConstant() && difference.constant == 0;
}

void LinearForm::add(const LinearForm &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [value, coefficient] : other.terms) {
    auto *it = llvm::find_if(terms, [value = value](const auto &term) {
      return term.first == value;
    });
    if (it == terms.end())
      terms.emplace_back(value, factor * coefficient);
    else if ((it->second += factor * coefficient) == 0)
      terms.erase(it);
  }
  for (const RoundedQuotient &quotient : other.quotients) {
    auto it = llvm::find_if(quotients, [&](const RoundedQuotient &known) {
      return known.divisor == quotient.divisor &&
             isEqual(known.dividend, quotient.dividend);
    });
    int64_t coefficient = factor * quotient.coefficient;
    if (it == quotients.end())
      quotients.push_back({quotient.dividend, quotient.divisor, coefficient});
    else if ((it->coefficient += coefficient) == 0)
      quotients.erase(it);
  }
}

LinearForm LinearForm::divide(LinearForm dividend, int64_t divisor) {
  // Of what is less than a common divisor, nothing remains: tiles of 64 rows
  // are in one chunk of 128 from their first to their last row.
  int64_t common = divisor;
  for (auto [value, coefficient] : dividend.terms)
    common = std::gcd(common, coefficient * getDivisor(value));
  for (const RoundedQuotient &quotient : dividend.quotients)
    common = std::gcd(common, quotient.coefficient);
  dividend.constant -= llvm::mod(dividend.constant, common);
  LinearForm result(llvm::divideFloorSigned(dividend.constant, divisor));
  dividend.constant -= divisor * result.constant;
  if (!dividend.isConstant())
    result.quotients.push_back({std::move(dividend), divisor, 1});
  return result;
}

bool LinearForm::dependsOn(Value value) const {
  return getCoefficient(value) != 0 ||
         llvm::any_of(quotients, [&](const RoundedQuotient &quotient) {
           return quotient.dividend.dependsOn(value);
         });
}

std::optional<int> LinearForm::getDirection(Value value) const {
  auto getSign = [](int64_t number) { return (number > 0) - (number < 0); };
  int direction = getSign(getCoefficient(value));
  for (const RoundedQuotient &quotient : quotients) {
    std::optional<int> other = quotient.dividend.getDirection(value);
    if (!other)
      return std::nullopt;
    int sign = *other * getSign(quotient.coefficient);
    if (sign != 0 && direction == -sign)
      return std::nullopt;
    direction = sign != 0 ? sign : direction;
  }
  return direction;
}

void LinearForm::forEachValue(function_ref<void(Value)> callback) const {
  for (auto [value, coefficient] : terms)
    callback(value);
  for (const RoundedQuotient &quotient : quotients)
    quotient.dividend.forEachValue(callback);
}

LinearForm LinearForm::replace(Value value, const LinearForm &bound) const {
  LinearForm result(constant);
  for (auto [term, coefficient] : terms)
    result.add(term == value ? bound : LinearForm(term), coefficient);
  for (const RoundedQuotient &quotient : quotients)
    result.add(
        divide(quotient.dividend.replace(value, bound), quotient.divisor),
        quotient.coefficient);
  return result;
}

int64_t LinearForm::getCoefficient(Value value) const {
  for (auto [term, coefficient] : terms)
    if (term == value)
      return coefficient;
  return 0;
}

TileCondition TileCondition::atMostZero(LinearForm form) {
  TileCondition condition;
  condition.kind = Kind::AtMostZero;
  condition.form = std::move(form);
  return condition;
}

TileCondition TileCondition::constant(bool value) {
  return atMostZero(LinearForm(value ? 0 : 1));
}

std::optional<bool> TileCondition::getConstant() const {
  if (kind == Kind::AtMostZero && form.isConstant())
    return form.constant <= 0;
  return std::nullopt;
}

bool TileCondition::dependsOn(Value value) const {
  return form.dependsOn(value) ||
         llvm::any_of(operands, [&](const TileCondition &operand) {
           return operand.dependsOn(value);
         });
}

/// The most forms of a condition. A condition is a tree, in which a part that
/// is used twice is there twice. Masks of programs have few; one with more is
/// unknown.
static constexpr unsigned kMostForms = 64;

unsigned TileCondition::getNumForms() const {
  unsigned sum = operands.empty() ? 1 : 0;
  for (const TileCondition &operand : operands)
    sum += operand.getNumForms();
  return sum;
}

TileCondition TileCondition::combine(Kind kind,
                                     ArrayRef<TileCondition> operands) {
  // In a conjunction, true changes nothing and false decides. In a disjunction
  // it is the other way round.
  bool neutral = kind == Kind::And;
  TileCondition result;
  result.kind = kind;
  for (const TileCondition &operand : operands) {
    if (std::optional<bool> value = operand.getConstant()) {
      if (*value != neutral)
        return constant(!neutral);
      continue;
    }
    result.operands.push_back(operand);
  }
  if (result.operands.empty())
    return constant(neutral);
  if (llvm::all_of(result.operands,
                   [](const TileCondition &c) { return c.isUnknown(); }))
    return {};
  if (result.operands.size() == 1) {
    TileCondition only = result.operands.front();
    return only;
  }
  if (result.getNumForms() > kMostForms)
    return {};
  return result;
}

TileCondition TileCondition::negate() const {
  switch (kind) {
  case Kind::Unknown:
    return {};
  case Kind::AtMostZero: {
    // not (f <= 0) is f >= 1.
    LinearForm negated(1);
    negated.add(form, -1);
    return atMostZero(std::move(negated));
  }
  case Kind::And:
  case Kind::Or: {
    SmallVector<TileCondition> negated;
    for (const TileCondition &operand : operands)
      negated.push_back(operand.negate());
    return combine(kind == Kind::And ? Kind::Or : Kind::And, negated);
  }
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

bool TileConditionReader::isInLoop(Value value) const {
  return loop.getRegion().isAncestor(value.getParentRegion());
}

/// If `arg` is the element of an input in the payload of a structured op,
/// returns the op and the input.
static std::pair<linalg::LinalgOp, OpOperand *>
getPayloadInput(BlockArgument arg) {
  auto op = dyn_cast<linalg::LinalgOp>(arg.getOwner()->getParentOp());
  if (!op || arg.getOwner() != op.getBlock() ||
      arg.getArgNumber() >= op.getNumDpsInputs())
    return {nullptr, nullptr};
  return {op, op.getDpsInputOperand(arg.getArgNumber())};
}

/// Returns whether all points of the tile read the same element of `operand`,
/// at coordinates that are all 0.
static bool isSingleElement(linalg::LinalgOp op, OpOperand *operand) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return llvm::all_of(op.getMatchingIndexingMap(operand).getResults(),
                      [&](AffineExpr expr) {
                        if (auto dim = dyn_cast<AffineDimExpr>(expr))
                          return ranges[dim.getPosition()] == 1;
                        auto constant = dyn_cast<AffineConstantExpr>(expr);
                        return constant && constant.getValue() == 0;
                      });
}

/// Returns whether `op` is the coordinate along a dimension of size 1.
static bool isUnitIndex(linalg::IndexOp op) {
  auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
  return parent && parent.getStaticLoopRanges()[op.getDim()] == 1;
}

/// Returns whether `value` is in the payload of a structured op.
static bool isInPayload(Value value) {
  return isa_and_present<linalg::LinalgOp>(
      value.getParentBlock()->getParentOp());
}

bool TileConditionReader::isHoistable(Value value) const {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Value current = values[i];
    if (!isInLoop(current) && !isInPayload(current))
      continue;
    if (auto arg = dyn_cast<BlockArgument>(current)) {
      auto [op, operand] = getPayloadInput(arg);
      if (!op || !isSingleElement(op, operand))
        return false;
      values.insert(operand->get());
      continue;
    }
    Operation *op = current.getDefiningOp();
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      if (!isUnitIndex(index))
        return false;
      continue;
    }
    if (op->getNumRegions() != 0 || !isPure(op))
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

Value TileConditionReader::hoist(OpBuilder &b, Value value,
                                 IRMapping &done) const {
  if (!isInLoop(value) && !isInPayload(value))
    return value;
  if (Value known = done.lookupOrNull(value))
    return known;
  Location loc = value.getLoc();
  Value result;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Value operand = hoist(b, getPayloadInput(arg).second->get(), done);
    result = operand;
    if (auto type = dyn_cast<RankedTensorType>(operand.getType())) {
      SmallVector<Value> zeros(
          type.getRank(),
          arith::ConstantIndexOp::create(b, loc, 0).getResult());
      result = tensor::ExtractOp::create(b, loc, operand, zeros);
    }
  } else if (isa<linalg::IndexOp>(value.getDefiningOp())) {
    result = arith::ConstantIndexOp::create(b, loc, 0);
  } else {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      done.map(operand, hoist(b, operand, done));
    b.clone(*op, done);
    return done.lookup(value);
  }
  done.map(value, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// How a structured op reads a tensor: a slice of it, or all of it if `slice`
/// is null, by an indexing map.
struct Read {
  tensor::ExtractSliceOp slice;
  AffineMap map;
};
} // namespace

/// Appends how structured ops read `tensor`, or `slice` of it. Those in front
/// of a loop count, too: the loop may read what they compute.
static void collectReads(Value tensor, tensor::ExtractSliceOp slice,
                         SmallVectorImpl<Read> &reads) {
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    if (auto next = dyn_cast<tensor::ExtractSliceOp>(user))
      collectReads(next.getResult(), next, reads);
    else if (auto op = dyn_cast<linalg::LinalgOp>(user))
      reads.push_back({slice, op.getMatchingIndexingMap(&use)});
  }
}

/// Returns whether all ops read the same element of what `producer` computes,
/// at the same point. Otherwise, its coordinates are not the same in all of
/// them: one may read it along rows, and another one along columns.
static bool isReadAtOnePoint(linalg::LinalgOp producer) {
  SmallVector<Read> reads;
  for (Value result : producer->getResults())
    collectReads(result, nullptr, reads);
  return llvm::all_of(reads, [&](const Read &read) {
    const Read &first = reads.front();
    bool isSameSlice =
        read.slice == first.slice ||
        (read.slice && first.slice &&
         OperationEquivalence::isEquivalentTo(
             read.slice, first.slice, OperationEquivalence::IgnoreLocations));
    return isSameSlice && read.map == first.map;
  });
}

/// If `arg` is the element of an operand that another structured op computes,
/// or of a slice of what it computes, and no op reads another element of it at
/// the same point, returns the value that the payload of that op yields.
static Value getYieldedByProducer(BlockArgument arg) {
  auto [op, operand] = getPayloadInput(arg);
  if (!op)
    return nullptr;
  Value tensor = operand->get();
  while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = slice.getSource();
  auto result = dyn_cast<OpResult>(tensor);
  auto producer =
      result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
  if (!producer || producer.getNumReductionLoops() != 0 ||
      !isReadAtOnePoint(producer))
    return nullptr;
  return producer.getBlock()->getTerminator()->getOperand(
      result.getResultNumber());
}

/// Returns whether `value` is known not to be negative, as coordinates and
/// sizes are.
static bool isNonNegative(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast_if_present<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> ivs =
        loop ? loop.getLoopInductionVars() : std::nullopt;
    std::optional<SmallVector<OpFoldResult>> lowers =
        loop ? loop.getLoopLowerBounds() : std::nullopt;
    if (!ivs || !lowers)
      return false;
    for (auto [iv, lower] : llvm::zip_equal(*ivs, *lowers))
      if (iv == value) {
        std::optional<int64_t> constant = getConstantIntValue(lower);
        return constant ? *constant >= 0 : isNonNegative(cast<Value>(lower));
      }
    return false;
  }
  Operation *op = value.getDefiningOp();
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return llvm::any_of(max.getAffineMap().getResults(), [](AffineExpr expr) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      return constant && constant.getValue() >= 0;
    });
  // Remainders, and values computed from them.
  if (isa<affine::AffineApplyOp>(op))
    return ValueBoundsConstraintSet::compare(
        ValueBoundsConstraintSet::Variable(value), ValueBoundsConstraintSet::GE,
        ValueBoundsConstraintSet::Variable(
            OpFoldResult(IntegerAttr::get(value.getType(), 0))));
  return isa<linalg::IndexOp, tensor::DimOp>(op);
}

static bool isNonNegative(const LinearForm &form) {
  return form.constant >= 0 &&
         llvm::all_of(form.terms,
                      [](auto term) {
                        return term.second > 0 && isNonNegative(term.first);
                      }) &&
         llvm::all_of(form.quotients, [](const RoundedQuotient &quotient) {
           return quotient.coefficient > 0 && isNonNegative(quotient.dividend);
         });
}

//===----------------------------------------------------------------------===//
// Wrapping
//===----------------------------------------------------------------------===//

static unsigned getNumBits(Type type) {
  return type.isIndex() ? 64 : std::min(type.getIntOrFloatBitWidth(), 64u);
}

/// Returns the largest magnitude of `value`, a term of a form of `bits` bits.
/// Unknown values are assumed to be less than 2^19 in 32 bits, so that factors
/// up to 2^12 do not overflow, and less than 2^31 in 64 bits.
static uint64_t getLargest(Value value, unsigned bits) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    auto op = dyn_cast<linalg::LinalgOp>(index->getParentOp());
    int64_t size =
        op ? op.getStaticLoopRanges()[index.getDim()] : ShapedType::kDynamic;
    if (!ShapedType::isDynamic(size))
      return std::max<int64_t>(size, 1);
  } else if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast_if_present<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> ivs =
        loop ? loop.getLoopInductionVars() : std::nullopt;
    std::optional<SmallVector<OpFoldResult>> lowers, uppers;
    if (ivs) {
      lowers = loop.getLoopLowerBounds();
      uppers = loop.getLoopUpperBounds();
    }
    if (lowers && uppers)
      for (auto [iv, lower, upper] : llvm::zip_equal(*ivs, *lowers, *uppers)) {
        std::optional<int64_t> from = getConstantIntValue(lower),
                               to = getConstantIntValue(upper);
        if (iv == value && from && to && *from >= 0)
          return std::max<int64_t>(*to, 1);
      }
  }
  if (bits < 32)
    return uint64_t(1) << (bits - 1);
  return uint64_t(1) << std::min(bits - 13, 31u);
}

/// Returns the largest magnitude of `form`, in `bits` bits.
static uint64_t getLargest(const LinearForm &form, unsigned bits) {
  auto abs = [](int64_t value) {
    return value < 0 ? -static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(value);
  };
  uint64_t sum = abs(form.constant);
  for (auto [value, coefficient] : form.terms)
    sum = llvm::SaturatingAdd(
        sum,
        llvm::SaturatingMultiply(abs(coefficient), getLargest(value, bits)));
  // Rounded down, a negative quotient is larger by at most 1.
  for (const RoundedQuotient &quotient : form.quotients)
    sum = llvm::SaturatingAdd(
        sum, llvm::SaturatingMultiply(
                 abs(quotient.coefficient),
                 getLargest(quotient.dividend, bits) / quotient.divisor + 1));
  return sum;
}

/// Returns whether signed integers of `bits` bits can represent this magnitude.
static bool fits(uint64_t magnitude, unsigned bits) {
  return magnitude < uint64_t(1) << (bits - 1);
}

/// Returns lhs + factor * rhs, if it fits `bits` bits.
static std::optional<LinearForm> addForms(const LinearForm &lhs,
                                          const LinearForm &rhs, int64_t factor,
                                          unsigned bits) {
  uint64_t product = llvm::SaturatingMultiply(
      getLargest(rhs, bits), getLargest(LinearForm(factor), bits));
  if (!fits(llvm::SaturatingAdd(getLargest(lhs, bits), product), bits))
    return std::nullopt;
  LinearForm sum = lhs;
  sum.add(rhs, factor);
  return sum;
}

/// Returns the divisor of `op`, a quotient or a remainder of integers by a
/// positive constant, or 0.
static int64_t getConstantDivisor(Operation *op) {
  APInt constant;
  if (!isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
           arith::RemUIOp, arith::ShRSIOp, arith::ShRUIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      !constant.isStrictlyPositive() || !constant.isSignedIntN(32))
    return 0;
  int64_t number = constant.getSExtValue();
  if (!isa<arith::ShRSIOp, arith::ShRUIOp>(op))
    return number;
  return number < 31 ? int64_t(1) << number : 0;
}

/// Returns the number of bits that the result of `op`, a sum, difference or
/// product, must fit so that it has not wrapped around. `op` may have a flag
/// that it never wraps.
static unsigned getNumBitsOf(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap()
             ? 64
             : getNumBits(op->getResult(0).getType());
}

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

std::optional<LinearForm> TileConditionReader::readAffine(AffineExpr expr,
                                                          unsigned numDims,
                                                          ValueRange operands,
                                                          Forms &known) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearForm(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return readLinear(operands[dim.getPosition()], known);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return readLinear(operands[numDims + symbol.getPosition()], known);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<LinearForm> lhs =
      readAffine(binary.getLHS(), numDims, operands, known);
  std::optional<LinearForm> rhs =
      readAffine(binary.getRHS(), numDims, operands, known);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return addForms(*lhs, *rhs, 1, /*bits=*/64);
  if (expr.getKind() == AffineExprKind::Mul && rhs->isConstant())
    return addForms(LinearForm(), *lhs, rhs->constant, /*bits=*/64);
  return std::nullopt;
}

/// Returns whether `arg` is the induction variable of a loop.
static bool isInductionVar(BlockArgument arg) {
  Operation *op = arg.getOwner()->getParentOp();
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return arg.getArgNumber() < forall.getRank();
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && arg == loop.getInductionVar();
}

std::optional<LinearForm>
TileConditionReader::readArgument(BlockArgument arg, Forms &known) const {
  // The induction variable of an inner loop, which has a range.
  if (isInductionVar(arg) && isInLoop(arg))
    return LinearForm(arg);
  // An element that another op computes, in the loop or in front of it. Its
  // coordinates there cover the same tile, or more.
  if (!isHoistable(arg))
    if (Value yielded = getYieldedByProducer(arg))
      return readLinear(yielded, known);
  return std::nullopt;
}

/// Reads the result of `op` from its operands.
std::optional<LinearForm> TileConditionReader::readResult(Operation *op,
                                                          Forms &known) const {
  auto readBoth = [&](int64_t factor) -> std::optional<LinearForm> {
    std::optional<LinearForm> lhs = readLinear(op->getOperand(0), known);
    std::optional<LinearForm> rhs = readLinear(op->getOperand(1), known);
    if (!lhs || !rhs)
      return std::nullopt;
    return addForms(*lhs, *rhs, factor, getNumBitsOf(op));
  };
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    if (isUnitIndex(index))
      return LinearForm(0);
    // Use the first op for this coordinate, so that all uses have the same
    // value.
    for (auto other : op->getBlock()->getOps<linalg::IndexOp>())
      if (other.getDim() == index.getDim())
        return LinearForm(other.getResult());
  }
  if (isa<arith::AddIOp>(op))
    return readBoth(1);
  if (isa<arith::SubIOp>(op))
    return readBoth(-1);
  if (isa<arith::MulIOp>(op)) {
    APInt constant;
    for (unsigned side : {0, 1})
      if (matchPattern(op->getOperand(side), m_ConstantInt(&constant)))
        if (auto other = readLinear(op->getOperand(1 - side), known))
          return addForms(LinearForm(), *other, constant.getSExtValue(),
                          getNumBitsOf(op));
    return std::nullopt;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp,
          arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    bool isUnsigned = isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
    // These ops may change a symbol. Coordinates are small enough to be
    // unchanged.
    if ((isUnsigned || isa<arith::TruncIOp>(op)) &&
        (isHoistable(op->getResult(0)) ||
         op->getOperand(0).getType().isInteger(1)))
      return std::nullopt;
    std::optional<LinearForm> form = readLinear(op->getOperand(0), known);
    unsigned bits = getNumBits(op->getResult(0).getType());
    if (!form || (isUnsigned && !isNonNegative(*form)) ||
        (bits < getNumBits(op->getOperand(0).getType()) &&
         !fits(getLargest(*form, bits), bits)))
      return std::nullopt;
    return form;
  }
  // Quotients that do not change in the loop are symbols.
  if (int64_t divisor = getConstantDivisor(op);
      divisor != 0 && !isHoistable(op->getResult(0))) {
    std::optional<LinearForm> dividend = readLinear(op->getOperand(0), known);
    // Only these two round down, whatever the sign.
    if (!dividend || (!isa<arith::FloorDivSIOp, arith::ShRSIOp>(op) &&
                      !isNonNegative(*dividend)))
      return std::nullopt;
    LinearForm quotient = LinearForm::divide(*dividend, divisor);
    if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
      return quotient;
    dividend->add(quotient, -divisor);
    return dividend;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return readAffine(map.getResult(0), map.getNumDims(),
                      apply.getMapOperands(), known);
  }
  return std::nullopt;
}

std::optional<LinearForm> TileConditionReader::readLinear(Value value,
                                                          Forms &known) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return LinearForm(constant.getSExtValue());
  if (value == loop.getInductionVar())
    return LinearForm(value);
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<LinearForm> form;
  if (auto arg = dyn_cast<BlockArgument>(value))
    form = readArgument(arg, known);
  else if (auto index = value.getDefiningOp<linalg::IndexOp>();
           index && !isa<linalg::LinalgOp>(index->getParentOp()))
    return std::nullopt;
  else
    form = readResult(value.getDefiningOp(), known);
  if (!form && value.getType().isIntOrIndex() && isHoistable(value))
    form = LinearForm(value);
  known[value] = form;
  return form;
}

/// Returns a form that is at most 0 where `form` is, in which no quotient
/// depends on `value` if one did: n / c <= r is n <= c r + c - 1, and
/// n / c >= r is n >= c r.
static LinearForm takeFromQuotient(const LinearForm &form, Value value) {
  auto it = llvm::find_if(form.quotients, [&](const RoundedQuotient &q) {
    return q.dividend.dependsOn(value);
  });
  if (it == form.quotients.end())
    return form;
  auto [dividend, divisor, coefficient] = *it;
  LinearForm rest = form;
  rest.quotients.erase(rest.quotients.begin() + (it - form.quotients.begin()));
  LinearForm bound, result;
  if (coefficient > 0) {
    // The quotient is at most -rest / coefficient.
    bound.add(rest, -1);
    result = LinearForm(1 - divisor);
    result.add(dividend);
    result.add(LinearForm::divide(std::move(bound), coefficient), -divisor);
    return result;
  }
  // It is at least rest / -coefficient, rounded up.
  bound = LinearForm(-coefficient - 1);
  bound.add(rest);
  result.add(LinearForm::divide(std::move(bound), -coefficient), divisor);
  result.add(dividend, -1);
  return result;
}

TileCondition TileConditionReader::readCompare(arith::CmpIOp op) const {
  using Kind = TileCondition::Kind;
  using Predicate = arith::CmpIPredicate;
  std::optional<LinearForm> lhs = readLinear(op.getLhs());
  std::optional<LinearForm> rhs = readLinear(op.getRhs());
  if (!lhs || !rhs)
    return {};
  // lhs + offset <= rhs
  auto lessEqual = [&](const LinearForm &lhs, const LinearForm &rhs,
                       int64_t offset) {
    LinearForm difference(offset);
    difference.add(lhs);
    difference.add(rhs, -1);
    return TileCondition::atMostZero(
        takeFromQuotient(difference, loop.getInductionVar()));
  };
  auto both = [](TileCondition a, TileCondition b) {
    return TileCondition::combine(Kind::And, {a, b});
  };
  auto either = [](TileCondition a, TileCondition b) {
    return TileCondition::combine(Kind::Or, {a, b});
  };
  // As unsigned numbers, negative numbers are larger than all others.
  auto unsignedLessEqual = [&](const LinearForm &lhs, const LinearForm &rhs,
                               int64_t offset) {
    auto isNegative = [&](const LinearForm &form) {
      return isNonNegative(form) ? TileCondition::constant(false)
                                 : lessEqual(form, LinearForm(-1), 0);
    };
    TileCondition lhsNegative = isNegative(lhs), rhsNegative = isNegative(rhs);
    TileCondition less = lessEqual(lhs, rhs, offset);
    return either(both(lhsNegative.negate(), either(rhsNegative, less)),
                  both(both(lhsNegative, rhsNegative), less));
  };
  switch (op.getPredicate()) {
  case Predicate::sle:
    return lessEqual(*lhs, *rhs, 0);
  case Predicate::slt:
    return lessEqual(*lhs, *rhs, 1);
  case Predicate::sge:
    return lessEqual(*rhs, *lhs, 0);
  case Predicate::sgt:
    return lessEqual(*rhs, *lhs, 1);
  case Predicate::eq:
    return both(lessEqual(*lhs, *rhs, 0), lessEqual(*rhs, *lhs, 0));
  case Predicate::ne:
    return either(lessEqual(*lhs, *rhs, 1), lessEqual(*rhs, *lhs, 1));
  case Predicate::ule:
    return unsignedLessEqual(*lhs, *rhs, 0);
  case Predicate::ult:
    return unsignedLessEqual(*lhs, *rhs, 1);
  case Predicate::uge:
    return unsignedLessEqual(*rhs, *lhs, 0);
  case Predicate::ugt:
    return unsignedLessEqual(*rhs, *lhs, 1);
  }
  llvm_unreachable("unknown predicate");
}

TileCondition TileConditionReader::read(Value value, Conditions &known) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  TileCondition condition = readNew(value, known);
  known[value] = condition;
  return condition;
}

TileCondition TileConditionReader::readNew(Value value,
                                           Conditions &known) const {
  using Kind = TileCondition::Kind;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return TileCondition::constant(!constant.isZero());
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Value yielded = getYieldedByProducer(arg);
    return yielded ? read(yielded, known) : TileCondition();
  }
  Operation *op = value.getDefiningOp();
  auto readOperand = [&](unsigned number) {
    return read(op->getOperand(number), known);
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (!compare.getLhs().getType().isInteger(1))
      return readCompare(compare);
    return {};
  }
  if (isa<arith::AndIOp>(op))
    return TileCondition::combine(Kind::And, {readOperand(0), readOperand(1)});
  if (isa<arith::OrIOp>(op))
    return TileCondition::combine(Kind::Or, {readOperand(0), readOperand(1)});
  if (isa<arith::XOrIOp>(op)) {
    // An exclusive or with true is a negation.
    for (unsigned side : {0, 1})
      if (matchPattern(op->getOperand(side), m_ConstantInt(&constant)))
        return constant.isZero() ? readOperand(1 - side)
                                 : readOperand(1 - side).negate();
    return {};
  }
  if (isa<arith::SelectOp>(op)) {
    TileCondition condition = readOperand(0);
    return TileCondition::combine(
        Kind::Or,
        {TileCondition::combine(Kind::And, {condition, readOperand(1)}),
         TileCondition::combine(Kind::And,
                                {condition.negate(), readOperand(2)})});
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Projection
//===----------------------------------------------------------------------===//

/// Returns the size of dimension `dim` of `tensor`, if some op gives it.
static OpFoldResult getDimSize(Value tensor, int64_t dim) {
  while (true) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type)
      return {};
    if (!type.isDynamicDim(dim))
      return Builder(type.getContext()).getIndexAttr(type.getDimSize(dim));
    if (auto arg = dyn_cast<BlockArgument>(tensor)) {
      auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
      OpOperand *init = loop ? loop.getTiedLoopInit(arg) : nullptr;
      if (!init)
        return {};
      tensor = init->get();
      continue;
    }
    Operation *op = tensor.getDefiningOp();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (auto [number, size] : llvm::enumerate(slice.getMixedSizes()))
        if (!dropped[number] && dim-- == 0)
          return size;
      return {};
    }
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return empty.getMixedSizes()[dim];
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      tensor = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      tensor = cast.getSource();
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      tensor = insert.getDest();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      tensor = loop.getTiedLoopInit(::cast<OpResult>(tensor))->get();
    } else {
      return {};
    }
  }
}

SmallVector<LinearForm>
TileConditionReader::readUpperBounds(Value value) const {
  SmallVector<LinearForm> bounds;
  if (auto min = value.getDefiningOp<affine::AffineMinOp>()) {
    if (isInLoop(value)) {
      AffineMap map = min.getAffineMap();
      Forms known;
      for (AffineExpr expr : map.getResults())
        if (std::optional<LinearForm> form =
                readAffine(expr, map.getNumDims(), min.getOperands(), known))
          bounds.push_back(*form);
      return bounds;
    }
  } else if (auto min = value.getDefiningOp<arith::MinSIOp>()) {
    if (isInLoop(value)) {
      bounds = readUpperBounds(min.getLhs());
      llvm::append_range(bounds, readUpperBounds(min.getRhs()));
      return bounds;
    }
  }
  if (std::optional<LinearForm> form = readLinear(value))
    bounds.push_back(*form);
  return bounds;
}

TileCondition TileConditionReader::readEnd(Value offset, Value tile,
                                           int64_t dim, Value length) const {
  std::optional<LinearForm> begin = offset ? readLinear(offset) : LinearForm(0);
  std::optional<LinearForm> end = readLinear(length);
  OpFoldResult size = getDimSize(tile, dim);
  if (!begin || !end || !size)
    return {};
  SmallVector<LinearForm> sizes;
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    sizes.push_back(LinearForm(*constant));
  else
    sizes = readUpperBounds(cast<Value>(size));
  if (sizes.empty())
    return {};
  SmallVector<TileCondition> conditions;
  for (const LinearForm &rows : sizes) {
    LinearForm form = *begin;
    form.add(rows);
    form.add(*end, -1);
    conditions.push_back(TileCondition::atMostZero(form));
  }
  return TileCondition::combine(TileCondition::Kind::Or, conditions);
}

TileConditionReader::Range TileConditionReader::getRange(Value variable) const {
  Range range;
  if (auto arg = dyn_cast<BlockArgument>(variable)) {
    Operation *op = arg.getOwner()->getParentOp();
    OpFoldResult lower, upper;
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      lower = forall.getMixedLowerBound()[arg.getArgNumber()];
      upper = forall.getMixedUpperBound()[arg.getArgNumber()];
    } else {
      auto nested = cast<scf::ForOp>(op);
      lower = nested.getLowerBound();
      upper = nested.getUpperBound();
    }
    if (std::optional<int64_t> constant = getConstantIntValue(lower))
      range.lower = LinearForm(*constant);
    else
      range.lower = readLinear(cast<Value>(lower));
    if (std::optional<int64_t> constant = getConstantIntValue(upper))
      range.uppers.push_back(LinearForm(*constant));
    else
      range.uppers = readUpperBounds(cast<Value>(upper));
  } else {
    auto index = variable.getDefiningOp<linalg::IndexOp>();
    auto op = cast<linalg::LinalgOp>(index->getParentOp());
    unsigned dim = index.getDim();
    range.lower = LinearForm(0);
    int64_t size = op.getStaticLoopRanges()[dim];
    if (!ShapedType::isDynamic(size)) {
      range.uppers.push_back(LinearForm(size));
    } else {
      for (OpOperand &operand : op->getOpOperands()) {
        std::optional<unsigned> position =
            op.getMatchingIndexingMap(&operand).getResultPosition(
                getAffineDimExpr(dim, op->getContext()));
        if (!position)
          continue;
        OpFoldResult found = getDimSize(operand.get(), *position);
        if (std::optional<int64_t> constant = getConstantIntValue(found))
          range.uppers.push_back(LinearForm(*constant));
        else if (auto value = dyn_cast_if_present<Value>(found))
          range.uppers = readUpperBounds(value);
        if (!range.uppers.empty())
          break;
      }
    }
  }
  for (LinearForm &upper : range.uppers)
    upper.constant -= 1;
  return range;
}

TileCondition TileConditionReader::projectForm(const LinearForm &form,
                                               Quantifier quantifier) const {
  using Kind = TileCondition::Kind;
  // Eliminate the innermost variable first, because its range may depend on
  // others.
  Value variable;
  int64_t depth = -1;
  form.forEachValue([&](Value value) {
    bool isIndex = bool(value.getDefiningOp<linalg::IndexOp>());
    bool isNestedIV = false;
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      isNestedIV = isInductionVar(arg) && value != loop.getInductionVar() &&
                   isInLoop(value);
    }
    if (!isIndex && !isNestedIV)
      return;
    int64_t valueDepth = 0;
    for (Operation *op = value.getParentBlock()->getParentOp();
         isInLoop(value) && op != loop; op = op->getParentOp())
      ++valueDepth;
    if (valueDepth > depth) {
      variable = value;
      depth = valueDepth;
    }
  });
  if (!variable) {
    // A range of iterations follows from what is linear in their number.
    if (llvm::any_of(form.quotients, [&](const RoundedQuotient &quotient) {
          return quotient.dividend.dependsOn(loop.getInductionVar());
        }))
      return {};
    return TileCondition::atMostZero(form);
  }
  std::optional<int> direction = form.getDirection(variable);
  if (!direction)
    return {};

  auto substitute = [&](const LinearForm &bound) {
    return projectForm(form.replace(variable, bound), quantifier);
  };
  // form <= 0 holds for some value of the variable if it holds for the smallest
  // form. It holds for all values if it holds for the largest form.
  Range range = getRange(variable);
  bool atLower = (*direction > 0) == (quantifier == Quantifier::Some);
  if (atLower)
    return range.lower ? substitute(*range.lower) : TileCondition();
  if (range.uppers.empty())
    return {};
  // The variable is at its upper end, which is the smallest of several upper
  // bounds. With a negative coefficient (`Some`), the form there is the largest
  // of the forms for the bounds. With a positive one (`All`), it is the
  // smallest of them.
  SmallVector<TileCondition> conditions;
  for (const LinearForm &upper : range.uppers)
    conditions.push_back(substitute(upper));
  return TileCondition::combine(
      quantifier == Quantifier::Some ? Kind::And : Kind::Or, conditions);
}

TileCondition TileConditionReader::project(const TileCondition &condition,
                                           Quantifier quantifier) const {
  using Kind = TileCondition::Kind;
  TileCondition unknown =
      TileCondition::constant(quantifier == Quantifier::Some);
  switch (condition.kind) {
  case Kind::Unknown:
    return unknown;
  case Kind::AtMostZero: {
    TileCondition result = projectForm(condition.form, quantifier);
    return result.isUnknown() ? unknown : result;
  }
  case Kind::And:
  case Kind::Or: {
    SmallVector<TileCondition> operands;
    for (const TileCondition &operand : condition.operands)
      operands.push_back(project(operand, quantifier));
    TileCondition result = TileCondition::combine(condition.kind, operands);
    return result.isUnknown() ? unknown : result;
  }
  }
  llvm_unreachable("unknown kind");
}
