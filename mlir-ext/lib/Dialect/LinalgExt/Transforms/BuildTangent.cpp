//===- BuildTangent.cpp - Derivatives of linalg ops -----------------------===//
//
// Forward-mode differentiation of a payload, in three steps:
//
//  1. The degrees of the payload (PayloadAnalysis) say which of its values do
//     not move and which move by a constant. The others are sums, products,
//     quotients by what does not move, powers, choices and casts; ops that
//     compute their derivatives are collected in a block of their own.
//  2. What the derivative reads decides which operands and which iteration
//     dimensions are kept.
//  3. A linalg.generic of those is built, whose payload is the part of the
//     original one and of the block that the derivative needs.
//
// Only the last step touches the program.
//
//===----------------------------------------------------------------------===//

#include "BuildTangent.h"

#include "PayloadAnalysis.h"

#include "mlir-ext/Transforms/ReshapeDims.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The derivative of a payload
//===----------------------------------------------------------------------===//

namespace {
/// The derivative of a scalar: `value` or, if that is null, `constant`.
struct Derivative {
  double constant = 0.0;
  Value value;

  bool isZero() const { return !value && constant == 0.0; }
};

/// Differentiates the payload of `op`, or finds its constant term, what is left
/// of it where the state is 0. What that takes is built in a block that belongs
/// to no op and dies with this object.
class PayloadDerivative {
public:
  PayloadDerivative(LinalgOp op, Operation *combiner, TaylorTerm term,
                    ArrayRef<OperandTangent> operands);

  Degree getDegree(Value value) const { return analysis.get(value); }
  Derivative get(Value value);

  /// The argument of the block that stands for operand `i` of `operands`, null
  /// if its derivative is a constant.
  Value getArgument(size_t i) const { return arguments[i]; }
  Block &getBlock() { return block; }

  /// The derivative as a scalar of `type`.
  Value materialize(Derivative derivative, Type type);

private:
  static PayloadAnalysis analyze(LinalgOp op, Operation *combiner,
                                 TaylorTerm term,
                                 ArrayRef<OperandTangent> operands);
  Derivative compute(Operation *op);
  Derivative computeProduct(Operation *op);
  Derivative add(Derivative lhs, Derivative rhs, double sign);
  Derivative multiply(Derivative lhs, Value rhs);
  Derivative multiply(Derivative lhs, double rhs);
  Derivative power(Value base, int64_t exponent);

  PayloadAnalysis analysis;
  TaylorTerm term;
  Location loc;
  Block block;
  OpBuilder b;
  SmallVector<Value> arguments;
  DenseMap<Value, Derivative> derivatives;
};
} // namespace

static double getConstantOf(const Tangent &tangent) {
  return cast<FloatAttr>(tangent.constant).getValueAsDouble();
}

PayloadAnalysis PayloadDerivative::analyze(LinalgOp op, Operation *combiner,
                                           TaylorTerm term,
                                           ArrayRef<OperandTangent> operands) {
  SmallVector<StaleOperand> stale;
  for (const OperandTangent &operand : operands) {
    RepairDegree degree{RepairKind::Polynomial, 1.0};
    if (operand.tangent.constant && term == TaylorTerm::Derivative)
      degree = {RepairKind::Add, getConstantOf(operand.tangent)};
    stale.push_back({operand.number, {degree, {}}});
  }
  return PayloadAnalysis(op, stale, combiner);
}

PayloadDerivative::PayloadDerivative(LinalgOp op, Operation *combiner,
                                     TaylorTerm term,
                                     ArrayRef<OperandTangent> operands)
    : analysis(analyze(op, combiner, term, operands)), term(term),
      loc(op.getLoc()), b(op.getContext()) {
  b.setInsertionPointToEnd(&block);
  for (const OperandTangent &operand : operands) {
    BlockArgument of = op.getBlock()->getArgument(operand.number);
    if (operand.tangent.constant) {
      arguments.push_back({});
      // Of derivatives the analysis knows it.
      if (term == TaylorTerm::Constant)
        derivatives[of] = {getConstantOf(operand.tangent), {}};
      continue;
    }
    Value argument =
        block.addArgument(getElementTypeOrSelf(operand.tangent.value), loc);
    arguments.push_back(argument);
    derivatives[of] = {0.0, convertScalarToDtype(b, loc, argument, of.getType(),
                                                 /*isUnsignedCast=*/false)};
  }
}

Value PayloadDerivative::materialize(Derivative derivative, Type type) {
  if (derivative.value)
    return derivative.value;
  return arith::ConstantOp::create(b, loc,
                                   b.getFloatAttr(type, derivative.constant));
}

/// Requires that the degree of `value` is known.
Derivative PayloadDerivative::get(Value value) {
  Degree degree = analysis.get(value);
  assert(degree.form != Degree::Other && !degree.isScale());
  if (!degree.isPolynomial() && term == TaylorTerm::Constant)
    return {0.0, value};
  if (!degree.isPolynomial())
    return {degree.getCoefficient(), {}};
  auto it = derivatives.find(value);
  if (it != derivatives.end())
    return it->second;
  Derivative derivative = compute(value.getDefiningOp());
  derivatives[value] = derivative;
  return derivative;
}

Derivative PayloadDerivative::add(Derivative lhs, Derivative rhs, double sign) {
  if (rhs.isZero())
    return lhs;
  if (lhs.isZero())
    return multiply(rhs, sign);
  if (!lhs.value && !rhs.value)
    return {lhs.constant + sign * rhs.constant, {}};
  Type type = (lhs.value ? lhs : rhs).value.getType();
  Value left = materialize(lhs, type), right = materialize(rhs, type);
  if (sign > 0)
    return {0.0, arith::AddFOp::create(b, loc, left, right)};
  return {0.0, arith::SubFOp::create(b, loc, left, right)};
}

Derivative PayloadDerivative::multiply(Derivative lhs, double rhs) {
  if (!lhs.value)
    return {lhs.constant * rhs, {}};
  return multiply(Derivative{rhs, {}}, lhs.value);
}

Derivative PayloadDerivative::multiply(Derivative lhs, Value rhs) {
  if (lhs.isZero())
    return lhs;
  if (!lhs.value && lhs.constant == 1.0)
    return {0.0, rhs};
  if (!lhs.value && lhs.constant == -1.0)
    return {0.0, arith::NegFOp::create(b, loc, rhs)};
  Value factor = materialize(lhs, rhs.getType());
  return {0.0, arith::MulFOp::create(b, loc, factor, rhs)};
}

/// n x' x^(n - 1).
Derivative PayloadDerivative::power(Value base, int64_t exponent) {
  Value rest = base;
  for (int64_t i = 2; i < exponent; ++i)
    rest = arith::MulFOp::create(b, loc, rest, base);
  return multiply(multiply(get(base), static_cast<double>(exponent)), rest);
}

/// The constant term of a product or quotient.
Derivative PayloadDerivative::computeProduct(Operation *op) {
  Derivative lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (lhs.isZero() || (rhs.isZero() && isa<arith::MulFOp>(op)))
    return {};
  Type type = op->getResult(0).getType();
  Operation *copy = b.clone(*op);
  copy->setOperands({materialize(lhs, type), materialize(rhs, type)});
  return {0.0, copy->getResult(0)};
}

/// Of an op whose result is a polynomial.
Derivative PayloadDerivative::compute(Operation *op) {
  auto operand = [&](unsigned number) { return op->getOperand(number); };
  auto cast = [&](auto create) -> Derivative {
    Derivative derivative = get(operand(0));
    if (derivative.value)
      derivative.value = create(derivative.value);
    return derivative;
  };
  Type type = op->getResult(0).getType();
  if (term == TaylorTerm::Constant && isa<arith::MulFOp, arith::DivFOp>(op))
    return computeProduct(op);
  // Its derivatives are none of the constant term.
  if (term == TaylorTerm::Constant && isa<math::PowFOp, math::FPowIOp>(op)) {
    Derivative base = get(operand(0));
    if (base.isZero())
      return {};
    Operation *copy = b.clone(*op);
    copy->setOperand(0, materialize(base, type));
    return {0.0, copy->getResult(0)};
  }
  return TypeSwitch<Operation *, Derivative>(op)
      .Case<arith::AddFOp>(
          [&](Operation *) { return add(get(operand(0)), get(operand(1)), 1); })
      .Case<arith::SubFOp>([&](Operation *) {
        return add(get(operand(0)), get(operand(1)), -1);
      })
      .Case<arith::NegFOp>(
          [&](Operation *) { return multiply(get(operand(0)), -1.0); })
      .Case<arith::MulFOp>([&](Operation *) {
        if (operand(0) == operand(1))
          return power(operand(0), 2);
        return add(multiply(get(operand(0)), operand(1)),
                   multiply(get(operand(1)), operand(0)), 1);
      })
      .Case<arith::DivFOp>([&](Operation *) -> Derivative {
        Value numerator = materialize(get(operand(0)), type);
        return {0.0, arith::DivFOp::create(b, loc, numerator, operand(1))};
      })
      .Case<math::PowFOp>([&](Operation *) {
        return power(operand(0),
                     static_cast<int64_t>(*getConstant(operand(1))));
      })
      .Case<math::FPowIOp>([&](Operation *) {
        APInt exponent;
        matchPattern(operand(1), m_ConstantInt(&exponent));
        return power(operand(0), exponent.getSExtValue());
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) -> Derivative {
        Value ifTrue = materialize(get(select.getTrueValue()), type);
        Value ifFalse = materialize(get(select.getFalseValue()), type);
        return {0.0, arith::SelectOp::create(b, loc, select.getCondition(),
                                             ifTrue, ifFalse)};
      })
      .Case<arith::ExtFOp>([&](Operation *) {
        return cast([&](Value value) -> Value {
          return arith::ExtFOp::create(b, loc, type, value);
        });
      })
      .Case<arith::TruncFOp>([&](Operation *) {
        return cast([&](Value value) -> Value {
          return arith::TruncFOp::create(b, loc, type, value);
        });
      })
      .Default([](Operation *) -> Derivative {
        llvm_unreachable("not a polynomial");
      });
}

//===----------------------------------------------------------------------===//
// The op that computes it
//===----------------------------------------------------------------------===//

namespace {
/// An operand of the op to build: `scalar` of the payload is its element.
struct Read {
  Value value;
  AffineMap map;
  Value scalar;
};

/// What is kept of the op.
struct Kept {
  SmallVector<Read> reads;
  llvm::SmallBitVector dims;

  void add(const Read &read) {
    reads.push_back(read);
    for (unsigned dim = 0; dim < dims.size(); ++dim)
      if (read.map.isFunctionOfDim(dim))
        dims.set(dim);
  }
};
} // namespace

/// The ops of the payload and of `block` that `value` takes, in order.
static SmallVector<Operation *> getPayloadSlice(LinalgOp op, Block &block,
                                                Value value) {
  if (isa<BlockArgument>(value))
    return {};
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *nested) {
    return nested->getBlock() == op.getBlock() || nested->getBlock() == &block;
  };
  (void)getBackwardSlice(value, &slice, options);
  SmallVector<Operation *> ops;
  for (Block *part : {op.getBlock(), &block})
    for (Operation &nested : *part)
      if (slice.contains(&nested))
        ops.push_back(&nested);
  return ops;
}

/// The input that runs along iteration dimension `dim`, tells its size and
/// brings the fewest other dimensions along. Null if there is none.
static OpOperand *findShapeOf(LinalgOp op, unsigned dim, const Kept &kept) {
  OpOperand *best = nullptr;
  unsigned fewest = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.getResultPosition(getAffineDimExpr(dim, op.getContext())))
      continue;
    Kept with = kept;
    with.add({{}, map, {}});
    if (!best || with.dims.count() < fewest) {
      best = input;
      fewest = with.dims.count();
    }
  }
  return best;
}

/// Decides what is kept for `ops`, which compute the derivative.
static FailureOr<Kept> findKept(LinalgOp op, bool isElementwise,
                                ArrayRef<Operation *> ops, Value yielded,
                                PayloadDerivative &derivative,
                                ArrayRef<OperandTangent> operands,
                                std::string &reason) {
  llvm::SmallDenseSet<Value> used{yielded};
  Kept kept{{}, llvm::SmallBitVector(op.getNumLoops())};
  for (Operation *part : ops)
    part->walk([&](Operation *nested) {
      used.insert(nested->operand_begin(), nested->operand_end());
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        kept.dims.set(index.getDim());
    });
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument scalar = op.getMatchingBlockArgument(&operand);
    if (used.contains(scalar))
      kept.add({operand.get(), op.getMatchingIndexingMap(&operand), scalar});
  }
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value scalar = derivative.getArgument(i);
    if (!scalar || !used.contains(scalar))
      continue;
    AffineMap map =
        op.getMatchingIndexingMap(&op->getOpOperand(operand.number));
    SmallVector<unsigned> dims(operand.tangent.dims.begin(),
                               operand.tangent.dims.end());
    kept.add({operand.tangent.value, map.getSubMap(dims), scalar});
  }
  if (isElementwise)
    return kept;

  SmallVector<unsigned> reductionDims;
  op.getReductionDims(reductionDims);
  for (unsigned dim : reductionDims) {
    kept.dims.set(dim);
    AffineExpr expr = getAffineDimExpr(dim, op.getContext());
    if (llvm::any_of(kept.reads, [&](const Read &read) {
          return read.map.getResultPosition(expr).has_value();
        }))
      continue;
    OpOperand *input = findShapeOf(op, dim, kept);
    if (!input) {
      reason += "no input runs along reduction dimension " +
                std::to_string(dim) + " alone";
      return failure();
    }
    kept.add({input->get(), op.getMatchingIndexingMap(input),
              op.getMatchingBlockArgument(input)});
  }
  return kept;
}

/// The size of iteration dimension `dim`, dimension `resultDim` of the result.
static OpFoldResult buildSize(OpBuilder &b, Location loc, LinalgOp op,
                              unsigned dim, int64_t resultDim,
                              const Kept &kept) {
  Value init = op.getDpsInitOperand(0)->get();
  auto type = cast<RankedTensorType>(init.getType());
  if (!type.isDynamicDim(resultDim))
    return b.getIndexAttr(type.getDimSize(resultDim));
  AffineExpr expr = b.getAffineDimExpr(dim);
  for (const Read &read : kept.reads)
    if (std::optional<unsigned> position = read.map.getResultPosition(expr))
      return tensor::DimOp::create(b, loc, read.value, *position).getResult();
  return tensor::DimOp::create(b, loc, init, resultDim).getResult();
}

/// Builds the op whose payload is `ops`, of which `yielded` is the derivative.
static Tangent buildOp(LinalgOp op, Operation *combiner, OpBuilder &b,
                       Location loc, ArrayRef<Operation *> ops, Value yielded,
                       const Kept &kept) {
  // Iteration dimensions of `op` as those that are left of them.
  SmallVector<AffineExpr> left(op.getNumLoops(), b.getAffineConstantExpr(0));
  SmallVector<unsigned> numberOf(op.getNumLoops());
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim : kept.dims.set_bits()) {
    numberOf[dim] = iterators.size();
    left[dim] = b.getAffineDimExpr(iterators.size());
    iterators.push_back(op.getIteratorTypesArray()[dim]);
  }
  unsigned rank = iterators.size();
  auto restrict = [&](AffineMap map) {
    return map.replaceDimsAndSymbols(left, {}, rank, 0);
  };

  Tangent tangent;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Read &read : kept.reads) {
    inputs.push_back(read.value);
    maps.push_back(restrict(read.map));
  }
  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> sizes;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [resultDim, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !kept.dims.test(dim.getPosition()))
      continue;
    tangent.dims.push_back(resultDim);
    exprs.push_back(left[dim.getPosition()]);
    sizes.push_back(buildSize(b, loc, op, dim.getPosition(), resultDim, kept));
  }
  maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));

  Type type = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  Value init = tensor::EmptyOp::create(b, loc, sizes, type);
  if (combiner) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
  }
  tangent.value =
      linalg::GenericOp::create(
          b, loc, init.getType(), inputs, init, maps, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            IRMapping mapping;
            for (auto [read, arg] : llvm::zip(kept.reads, args))
              mapping.map(read.scalar, arg);
            for (Operation *part : ops)
              b.clone(*part, mapping)->walk([&](linalg::IndexOp index) {
                index.setDim(numberOf[index.getDim()]);
              });
            Value result = mapping.lookupOrDefault(yielded);
            if (combiner)
              result = arith::AddFOp::create(
                  b, loc, args.back(), result,
                  cast<arith::AddFOp>(combiner).getFastmath());
            linalg::YieldOp::create(b, loc, result);
          })
          .getResult(0);
  return tangent;
}

FailureOr<std::optional<Tangent>> mlir::linalg_ext::buildLinalgTangent(
    LinalgOp op, Operation *combiner, bool isSum, TaylorTerm taylorTerm,
    OpBuilder &b, Location loc, ArrayRef<OperandTangent> operands,
    std::string &reason) {
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(init);
  auto type = dyn_cast<RankedTensorType>(init->get().getType());
  if (!type || !isa<FloatType>(type.getElementType()) ||
      !map.isProjectedPermutation(/*allowZeroInResults=*/true)) {
    reason += "expected a result of floating-point numbers whose indexing map "
              "is a projected permutation";
    return failure();
  }
  if (combiner && llvm::any_of(operands, [&](const OperandTangent &operand) {
        return operand.number == init->getOperandNumber();
      })) {
    reason += "the stale value is the accumulator's own initial value";
    return failure();
  }
  Value term = op.getBlock()->getTerminator()->getOperand(0);
  if (combiner) {
    BlockArgument acc = op.getMatchingBlockArgument(init);
    term = combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0);
  }
  PayloadDerivative payload(op, combiner, taylorTerm, operands);
  Degree degree = payload.getDegree(term);
  if (degree.form == Degree::Other || degree.isScale()) {
    reason += "expected a polynomial in the state" + degree.explain();
    return failure();
  }
  if (combiner && !isSum && degree.isPolynomial()) {
    reason += "expected a sum of polynomials in the state, got another "
              "accumulation";
    return failure();
  }

  Derivative derivative = payload.get(term);
  if (derivative.isZero())
    return std::optional<Tangent>();
  // An extreme of what moves by a constant moves by it too.
  if (!derivative.value && (!combiner || !isSum))
    return std::optional<Tangent>(
        {b.getFloatAttr(type.getElementType(), derivative.constant), {}, {}});
  Value yielded = payload.materialize(derivative, term.getType());
  SmallVector<Operation *> ops =
      getPayloadSlice(op, payload.getBlock(), yielded);
  FailureOr<Kept> kept = findKept(op, /*isElementwise=*/!combiner, ops, yielded,
                                  payload, operands, reason);
  if (failed(kept))
    return failure();
  return std::optional<Tangent>(
      buildOp(op, combiner, b, loc, ops, yielded, *kept));
}

FailureOr<std::optional<Tangent>>
mlir::linalg_ext::buildReshapeTangent(Operation *op, OpBuilder &b, Location loc,
                                      ArrayRef<OperandTangent> operands,
                                      std::string &reason) {
  if (operands.empty())
    return std::optional<Tangent>();
  Tangent tangent = operands.front().tangent;
  if (tangent.constant)
    return std::optional<Tangent>(tangent);
  FailureOr<SmallVector<int64_t>> dims =
      mapDimsThroughReshape(op, tangent.dims);
  if (succeeded(dims)) {
    tangent.dims = *dims;
    return std::optional<Tangent>(tangent);
  }
  auto rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (tangent.value.getType() != op->getOperand(0).getType() ||
      tangent.dims != llvm::to_vector(llvm::seq<int64_t>(0, rank))) {
    reason += "a dimension along which the derivative varies is merged or "
              "split with others";
    return failure();
  }
  Operation *reshaped = b.clone(*op);
  reshaped->setLoc(loc);
  reshaped->setOperand(0, tangent.value);
  tangent.value = reshaped->getResult(0);
  auto resultType = cast<RankedTensorType>(tangent.value.getType());
  tangent.dims = llvm::to_vector(llvm::seq<int64_t>(0, resultType.getRank()));
  return std::optional<Tangent>(tangent);
}
