//===- IndexPolynomial.cpp - Index arithmetic as polynomials --------------===//
//
// See IndexPolynomial.h. IndexAnalysis walks from a value to its operands
// through affine, arith and tensor ops. Where it finds no rule, it creates a
// symbol, or reuses an earlier symbol that ValueBoundsOpInterface proves equal.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// IndexPolynomial
//===----------------------------------------------------------------------===//

IndexPolynomial::IndexPolynomial(int64_t constant) { addTerm({}, constant); }

IndexPolynomial IndexPolynomial::symbol(unsigned number) {
  IndexPolynomial result;
  result.addTerm({number}, 1);
  return result;
}

void IndexPolynomial::addTerm(std::vector<unsigned> symbols,
                              int64_t coefficient) {
  int64_t &sum = terms[symbols];
  sum += coefficient;
  if (sum == 0)
    terms.erase(symbols);
}

IndexPolynomial IndexPolynomial::operator+(const IndexPolynomial &other) const {
  IndexPolynomial result = *this;
  for (const auto &[symbols, coefficient] : other.terms)
    result.addTerm(symbols, coefficient);
  return result;
}

IndexPolynomial IndexPolynomial::operator-(const IndexPolynomial &other) const {
  return *this + other * IndexPolynomial(-1);
}

IndexPolynomial IndexPolynomial::operator*(const IndexPolynomial &other) const {
  IndexPolynomial result;
  for (const auto &[lhs, lhsCoefficient] : terms)
    for (const auto &[rhs, rhsCoefficient] : other.terms) {
      std::vector<unsigned> symbols = lhs;
      symbols.insert(symbols.end(), rhs.begin(), rhs.end());
      llvm::sort(symbols);
      result.addTerm(symbols, lhsCoefficient * rhsCoefficient);
    }
  return result;
}

std::optional<int64_t> IndexPolynomial::getConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

int64_t IndexPolynomial::getConstantTerm() const {
  auto it = terms.find({});
  return it == terms.end() ? 0 : it->second;
}

std::pair<IndexPolynomial, IndexPolynomial>
IndexPolynomial::divideTerms(const IndexPolynomial &divisor) const {
  IndexPolynomial quotient, rest;
  if (divisor.terms.size() != 1)
    return {quotient, *this};
  const auto &[factors, factor] = *divisor.terms.begin();
  for (const auto &[symbols, coefficient] : terms) {
    if (coefficient % factor != 0 ||
        !std::includes(symbols.begin(), symbols.end(), factors.begin(),
                       factors.end())) {
      rest.addTerm(symbols, coefficient);
      continue;
    }
    std::vector<unsigned> left;
    std::set_difference(symbols.begin(), symbols.end(), factors.begin(),
                        factors.end(), std::back_inserter(left));
    quotient.addTerm(left, coefficient / factor);
  }
  return {quotient, rest};
}

bool IndexPolynomial::isMultipleOf(const IndexPolynomial &divisor) const {
  return divideTerms(divisor).second.terms.empty();
}

int64_t IndexPolynomial::getGCD(int64_t start, bool withConstant) const {
  int64_t gcd = start;
  for (const auto &[symbols, coefficient] : terms)
    if (withConstant || !symbols.empty())
      gcd = std::gcd(gcd, coefficient);
  return gcd;
}

//===----------------------------------------------------------------------===//
// IndexAnalysis
//===----------------------------------------------------------------------===//

using Variable = ValueBoundsConstraintSet::Variable;

static Variable getVariable(Value value, std::optional<int64_t> dim) {
  return dim ? Variable(value, *dim) : Variable(value);
}

IndexPolynomial IndexAnalysis::makeSymbol(Symbol symbol) {
  symbols.push_back(symbol);
  return IndexPolynomial::symbol(symbols.size() - 1);
}

/// Returns a symbol for a value, or for a size of a tensor, for which there is
/// no rule. If bounds prove that it equals a constant or an earlier symbol,
/// returns that instead.
IndexPolynomial IndexAnalysis::getSymbol(Value value,
                                         std::optional<int64_t> dim) {
  auto getKnown = [&](unsigned number) {
    return symbols[number].known ? *symbols[number].known
                                 : IndexPolynomial::symbol(number);
  };
  for (auto [number, symbol] : llvm::enumerate(symbols))
    if (symbol.value == value && symbol.dim == dim && !symbol.isIteration)
      return getKnown(number);
  if (!dim && !value.getType().isIndex()) { // bounds are of indices
    Symbol symbol;
    symbol.value = value;
    symbol.nonNegative = false;
    return makeSymbol(symbol);
  }
  Variable variable = getVariable(value, dim);
  FailureOr<int64_t> constant = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, variable);
  if (succeeded(constant))
    return *constant;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (!symbol.value || symbol.isIteration ||
        (!symbol.dim && !symbol.value.getType().isIndex()))
      continue;
    FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
        variable, getVariable(symbol.value, symbol.dim));
    if (succeeded(equal) && *equal)
      return getKnown(number);
  }
  Symbol symbol;
  symbol.value = value;
  symbol.dim = dim;
  if (dim)
    symbol.nonNegative = true;
  return makeSymbol(symbol);
}

IndexPolynomial IndexAnalysis::getExpr(AffineExpr expr, unsigned numDims,
                                       ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getValue(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getValue(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexPolynomial lhs = getExpr(binary.getLHS(), numDims, operands);
  IndexPolynomial rhs = getExpr(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    if (lhs.isMultipleOf(rhs))
      return lhs.divideTerms(rhs).first;
    break;
  default:
    if (lhs.isMultipleOf(rhs))
      return 0;
  }
  // If neither operand is negative, neither is the quotient or remainder.
  Symbol symbol;
  symbol.nonNegative = isNonNegative(lhs) && isNonNegative(rhs);
  return makeSymbol(symbol);
}

IndexPolynomial IndexAnalysis::getInductionVariable(BlockArgument arg) {
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
  if (!loop)
    return getSymbol(arg, std::nullopt);
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> bounds = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  auto *it = ivs ? llvm::find(*ivs, arg) : nullptr;
  if (!ivs || it == ivs->end() || !bounds || !steps)
    return getSymbol(arg, std::nullopt);
  size_t number = it - ivs->begin();
  Symbol iteration;
  iteration.value = arg;
  iteration.isIteration = true;
  iteration.nonNegative = true;
  return get((*bounds)[number]) + makeSymbol(iteration) * get((*steps)[number]);
}

/// Returns whether `op` is the size of a dimension that a ranked tensor has. An
/// op whose index is out of bounds is valid.
static bool isSizeOfDim(tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<int64_t> dim = op.getConstantIndex();
  return type && dim && *dim >= 0 && *dim < type.getRank();
}

IndexPolynomial IndexAnalysis::getValue(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  if (auto it = cache.find(value); it != cache.end())
    return it->second;
  IndexPolynomial result;
  Operation *op = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    result = getInductionVariable(arg);
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    result = getExpr(map.getResult(0), map.getNumDims(), apply.getOperands());
  } else if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
    // A number that divides all operands of the minimum divides the result.
    int64_t gcd = 0;
    for (const IndexPolynomial &operand : getMinimumOf(value))
      gcd = operand.getGCD(gcd);
    if (gcd <= 1) {
      result = getSymbol(value, std::nullopt);
    } else {
      Symbol symbol;
      symbol.nonNegative = ValueBoundsConstraintSet::compare(
          Variable(value), ValueBoundsConstraintSet::GE,
          Variable(OpFoldResult(IntegerAttr::get(value.getType(), 0))));
      result = makeSymbol(symbol) * IndexPolynomial(gcd);
    }
  } else if (isa<arith::AddIOp>(op)) {
    result = getValue(op->getOperand(0)) + getValue(op->getOperand(1));
  } else if (isa<arith::SubIOp>(op)) {
    result = getValue(op->getOperand(0)) - getValue(op->getOperand(1));
  } else if (isa<arith::MulIOp>(op)) {
    result = getValue(op->getOperand(0)) * getValue(op->getOperand(1));
  } else if (isa<arith::IndexCastOp>(op) &&
             (op->getResult(0).getType().isInteger(64) ||
              op->getOperand(0).getType().isInteger(64))) {
    result = getValue(op->getOperand(0));
  } else if (auto dim = dyn_cast<tensor::DimOp>(op); dim && isSizeOfDim(dim)) {
    result = getSize(dim.getSource(), *dim.getConstantIndex());
  } else {
    result = getSymbol(value, std::nullopt);
  }
  cache[value] = result;
  return result;
}

IndexPolynomial IndexAnalysis::get(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attr).getInt();
  return getValue(cast<Value>(value));
}

IndexPolynomial IndexAnalysis::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  Operation *op = tensor.getDefiningOp();
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[dim]);
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    IndexPolynomial product(1);
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    for (int64_t source : group)
      product = product * getSize(collapse.getSrc(), source);
    return product;
  }
  if (auto reshape = dyn_cast_or_null<tensor::ReshapeOp>(op))
    if (auto sizes = reshape.getShape().getDefiningOp<tensor::FromElementsOp>())
      return get(sizes.getElements()[dim]);
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    for (auto [source, size] : llvm::enumerate(sizes))
      if (!dropped.test(source) && dim-- == 0)
        return get(size);
  }
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return get(empty.getMixedSizes()[dim]);
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op))
    return getSize(insert.getDest(), dim);
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op)) {
    if (dim != static_cast<int64_t>(concat.getDim()))
      return getSize(concat.getInputs().front(), dim);
    IndexPolynomial sum;
    for (Value input : concat.getInputs())
      sum = sum + getSize(input, dim);
    return sum;
  }
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    return getSize(cast.getSource(), dim);
  if (auto dpsOp = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    if (OpOperand *init = dpsOp.getTiedOpOperand(mlir::cast<OpResult>(tensor)))
      return getSize(init->get(), dim);
  return getSymbol(tensor, dim);
}

void IndexAnalysis::setSize(Value tensor, int64_t dim,
                            const IndexPolynomial &size) {
  IndexPolynomial old = getSize(tensor, dim);
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (!(old == IndexPolynomial::symbol(number)) || old == size)
      continue;
    symbol.known = size;
    cache.clear(); // may have it
    return;
  }
}

/// If `value` is a positive multiple of another one, returns both.
static std::optional<std::pair<Value, int64_t>>
getMultiple(OpFoldResult value) {
  auto multiple =
      dyn_cast<Value>(value)
          ? cast<Value>(value).getDefiningOp<affine::AffineApplyOp>()
          : affine::AffineApplyOp();
  if (!multiple)
    return std::nullopt;
  AffineMap map = multiple.getAffineMap();
  auto product = dyn_cast<AffineBinaryOpExpr>(map.getResult(0));
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!factor || factor.getValue() <= 0)
    return std::nullopt;
  for (auto [index, operand] : llvm::enumerate(multiple.getMapOperands())) {
    AffineExpr expr =
        index < map.getNumDims()
            ? getAffineDimExpr(index, map.getContext())
            : getAffineSymbolExpr(index - map.getNumDims(), map.getContext());
    if (expr == product.getLHS())
      return std::pair(operand, factor.getValue());
  }
  return std::nullopt;
}

std::vector<IndexPolynomial> IndexAnalysis::getMinimumOf(OpFoldResult value) {
  if (auto multiple = getMultiple(value)) {
    std::vector<IndexPolynomial> operands = getMinimumOf(multiple->first);
    for (IndexPolynomial &operand : operands)
      operand = operand * IndexPolynomial(multiple->second);
    return operands;
  }
  auto min = dyn_cast<Value>(value)
                 ? cast<Value>(value).getDefiningOp<affine::AffineMinOp>()
                 : affine::AffineMinOp();
  if (!min)
    return {get(value)};
  AffineMap map = min.getAffineMap();
  std::vector<IndexPolynomial> operands;
  for (AffineExpr expr : map.getResults())
    operands.push_back(getExpr(expr, map.getNumDims(), min.getOperands()));
  return operands;
}

bool IndexAnalysis::isNonNegative(const IndexPolynomial &polynomial) {
  for (const auto &[product, coefficient] : polynomial.getTerms()) {
    if (coefficient < 0)
      return false;
    for (unsigned number : product) {
      Symbol &symbol = symbols[number];
      if (!symbol.nonNegative)
        symbol.nonNegative = ValueBoundsConstraintSet::compare(
            getVariable(symbol.value, symbol.dim), ValueBoundsConstraintSet::GE,
            Variable(OpFoldResult(IntegerAttr::get(
                IndexType::get(symbol.value.getContext()), 0))));
      if (!*symbol.nonNegative)
        return false;
    }
  }
  return true;
}

OpFoldResult IndexAnalysis::find(Builder &b,
                                 const IndexPolynomial &polynomial) const {
  if (std::optional<int64_t> constant = polynomial.getConstant())
    return b.getIndexAttr(*constant);
  for (const auto &[value, other] : cache)
    if (other == polynomial && value.getType().isIndex())
      return value;
  return OpFoldResult();
}
