//===- PayloadBuilder.cpp - The vectors of a payload ----------------------===//
//
// Evaluates the payload of a structured op on TileValues. An elementwise op
// broadcasts its operands only to the dims that at least one of them has. A
// reduction becomes one vector.multi_reduction. If it sums a product, and each
// factor lacks dims of the other, it becomes one vector.contract, and the
// product is not built. An arg-max needs three reductions: the extreme, its
// first position, and the value there.
//
//===----------------------------------------------------------------------===//

#include "PayloadBuilder.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

TileValue PayloadBuilder::evaluateArgument(BlockArgument arg) {
  OpOperand &operand = *op.getMatchingOpOperand(arg);
  if (!isa<ShapedType>(operand.get().getType()))
    return {operand.get(), {}};
  TileValue vector = read(operand, getOperandBounds(op, operand, plan));
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (int64_t &dim : vector.dims)
    dim = map.getDimPosition(dim);
  return vector;
}

TileValue PayloadBuilder::evaluate(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  TileValue result;
  Operation *def = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value);
      arg && arg.getOwner() == op.getBlock()) {
    result = evaluateArgument(arg);
  } else if (!def || !isIn(def, op)) {
    result = {value, {}};
  } else if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    int64_t dim = index.getDim(), bound = plan.shape.bounds[dim];
    if (bound == 1)
      result = {arith::ConstantIndexOp::create(b, loc, 0), {}};
    else
      result = {vector::StepOp::create(
                    b, loc, VectorType::get({bound}, b.getIndexType())),
                {dim}};
  } else if (isa<arith::ConstantOp>(def)) {
    result = {b.clone(*def)->getResult(0), {}};
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(def)) {
    result = gather(extract);
  } else if (auto branch = dyn_cast<scf::IfOp>(def)) {
    result = evaluateBranch(branch, cast<OpResult>(value).getResultNumber());
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    SmallVector<TileValue> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(evaluate(operand));
    unsigned numDims = apply.getAffineMap().getNumDims();
    result = evaluateAffine(apply.getAffineMap().getResult(0),
                            ArrayRef(operands).take_front(numDims),
                            ArrayRef(operands).drop_front(numDims));
  } else {
    SmallVector<TileValue> operands;
    for (Value operand : def->getOperands())
      operands.push_back(evaluate(operand));
    SmallVector<TileValue> results =
        createElementwise(b, def, operands, plan.shape.bounds);
    for (auto [from, to] : llvm::zip_equal(def->getResults(), results))
      values[from] = to;
    return values[value];
  }
  values[value] = result;
  return result;
}

/// Returns the condition under which ops in `block` of the payload are executed,
/// or null if they always are.
std::optional<TileValue> PayloadBuilder::getGuard(Block *block) {
  if (block == op.getBlock())
    return std::nullopt;
  auto branch = cast<scf::IfOp>(block->getParentOp());
  TileValue condition = evaluate(branch.getCondition());
  if (block == branch.elseBlock()) {
    Value isTrue = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    condition = createIndexOp<arith::XOrIOp>(condition, {isTrue, {}});
  }
  std::optional<TileValue> outer = getGuard(branch->getBlock());
  return outer ? createIndexOp<arith::AndIOp>(*outer, condition) : condition;
}

/// Returns whether the vector of `value`, which `block` yields, is 0 where the
/// guard of `block` is false: it is the constant 0, or read in `block`.
static bool isZeroWithoutGuard(Value value, Block *block) {
  if (matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero()))
    return true;
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != block)
    return false;
  auto branch = dyn_cast<scf::IfOp>(def);
  if (!branch)
    return isa<tensor::ExtractOp>(def);
  unsigned number = cast<OpResult>(value).getResultNumber();
  return llvm::all_of(branch->getRegions(), [&](Region &region) {
    Block &nested = region.front();
    return isZeroWithoutGuard(nested.getTerminator()->getOperand(number),
                              &nested);
  });
}

/// Returns result `number` of `branch`.
TileValue PayloadBuilder::evaluateBranch(scf::IfOp branch, unsigned number) {
  Value then = branch.thenYield().getOperand(number);
  Value otherwise = branch.elseYield().getOperand(number);
  TileValue chosen = evaluate(then);
  // Values that a guard masks are 0 already.
  bool isZero = matchPattern(otherwise, m_PosZeroFloat()) ||
                matchPattern(otherwise, m_Zero());
  if (isZero && isZeroWithoutGuard(then, branch.thenBlock()))
    return chosen;
  TileValue condition = evaluate(branch.getCondition());
  TileValue other = evaluate(otherwise);
  SmallVector<int64_t> dims = getCommonDims({condition, chosen, other});
  auto broadcast = [&](const TileValue &vector) {
    return broadcastTo(b, loc, vector, dims, plan.shape.bounds);
  };
  return {arith::SelectOp::create(b, loc, broadcast(condition),
                                  broadcast(chosen), broadcast(other)),
          dims};
}

SmallVector<int64_t>
PayloadBuilder::getMaskedDims(ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> masked;
  for (int64_t dim : dims)
    if (plan.shape.isMasked(dim))
      masked.push_back(dim);
  return masked;
}

/// If `vector` is an extension, returns its operand. Null otherwise.
static Value getExtended(const TileValue &vector) {
  Operation *def = vector.value.getDefiningOp();
  return def && isa<arith::ExtFOp, arith::ExtSIOp>(def) ? def->getOperand(0)
                                                        : Value();
}

/// If `product` is a product whose factors have different dims, sums it along
/// `reduced`.
std::optional<TileValue> PayloadBuilder::contract(Operation *combiner,
                                                  Value product,
                                                  const TileValue &accumulator,
                                                  ArrayRef<int64_t> reduced) {
  Operation *mul = product.getDefiningOp();
  if (!isa<arith::AddFOp, arith::AddIOp>(combiner) || !mul ||
      mul->getBlock() != op.getBlock() ||
      !isa<arith::MulFOp, arith::MulIOp>(mul))
    return std::nullopt;
  TileValue factors[2] = {evaluate(mul->getOperand(0)),
                          evaluate(mul->getOperand(1))};
  SmallVector<int64_t> dims = accumulator.dims;
  unite(dims, factors[0].dims);
  unite(dims, factors[1].dims);
  bool haveReduced = llvm::all_of(reduced, [&](int64_t dim) {
    return llvm::is_contained(factors[0].dims, dim) &&
           llvm::is_contained(factors[1].dims, dim);
  });
  bool areElementwise = llvm::all_of(factors, [&](const TileValue &factor) {
    return factor.dims.size() == dims.size();
  });
  if (!haveReduced || areElementwise)
    return std::nullopt;

  Value left = getExtended(factors[0]), right = getExtended(factors[1]);
  if (left && right &&
      getElementTypeOrSelf(left) == getElementTypeOrSelf(right)) {
    factors[0].value = left;
    factors[1].value = right;
  }
  // Elements beyond the tile must be masked, because 0 times NaN is not 0.
  SmallVector<int64_t> masked = getMaskedDims(reduced);
  for (TileValue &factor : factors)
    if (!masked.empty() && !factor.isZeroPadded)
      factor = selectInside(
          b, loc, factor, plan.shape, masked,
          b.getZeroAttr(getElementTypeOrSelf(factor.value.getType())));

  // The result has the dims of the factors that are not reduced. Dims that only
  // the accumulator has are not part of a contraction.
  SmallVector<int64_t> contracted = factors[0].dims, kept;
  unite(contracted, factors[1].dims);
  llvm::sort(contracted);
  for (int64_t dim : contracted)
    if (!llvm::is_contained(reduced, dim))
      kept.push_back(dim);
  if (llvm::any_of(accumulator.dims,
                   [&](int64_t dim) { return !llvm::is_contained(kept, dim); }))
    return std::nullopt;
  SmallVector<AffineExpr> exprs[3];
  auto addExprs = [&](SmallVector<AffineExpr> &to, ArrayRef<int64_t> dims) {
    for (int64_t dim : dims)
      to.push_back(
          b.getAffineDimExpr(llvm::find(contracted, dim) - contracted.begin()));
  };
  addExprs(exprs[0], factors[0].dims);
  addExprs(exprs[1], factors[1].dims);
  addExprs(exprs[2], kept);
  SmallVector<Attribute> maps, iterators;
  for (ArrayRef<AffineExpr> results : exprs)
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(contracted.size(), 0, results, b.getContext())));
  for (int64_t dim : contracted)
    iterators.push_back(vector::IteratorTypeAttr::get(
        b.getContext(), llvm::is_contained(reduced, dim)
                            ? vector::IteratorType::reduction
                            : vector::IteratorType::parallel));
  auto result = vector::ContractionOp::create(
      b, loc, factors[0].value, factors[1].value,
      broadcastTo(b, loc, accumulator, kept, plan.shape.bounds),
      b.getArrayAttr(maps), b.getArrayAttr(iterators));
  // The vector contraction keeps the config of the op.
  StringRef name = vector_ext::VectorExtDialect::getConfigAttrName();
  if (Attribute config = op->getAttr(name))
    result->setAttr(name, config);
  return TileValue{result, kept};
}

TileValue PayloadBuilder::reduce(unsigned output) {
  Operation *combiner = plan.combiners[output];
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(output));
  SmallVector<int64_t> reduced;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (!map.isFunctionOfDim(dim) && plan.shape.bounds[dim] != 1)
      reduced.push_back(dim);
  TileValue accumulator = evaluate(op.getRegionOutputArgs()[output]);
  if (reduced.empty())
    return createElementwise(b, combiner,
                             {evaluate(plan.combined[output]), accumulator},
                             plan.shape.bounds)
        .front();
  if (std::optional<TileValue> result =
          contract(combiner, plan.combined[output], accumulator, reduced))
    return *result;

  TileValue vector = evaluate(plan.combined[output]);
  SmallVector<int64_t> dims = vector.dims;
  unite(dims, reduced);
  unite(dims, accumulator.dims);
  vector = {broadcastTo(b, loc, vector, dims, plan.shape.bounds), dims};
  if (SmallVector<int64_t> masked = getMaskedDims(reduced); !masked.empty())
    vector = selectInside(b, loc, vector, plan.shape, masked,
                          *arith::getNeutralElement(combiner));
  SmallVector<int64_t> kept;
  Value result = reduce(*linalg::getCombinerOpKind(combiner), vector.value,
                        accumulator, dims, reduced, kept);
  return {result, kept};
}

/// Reduces `vector`, whose dimensions are `dims`, along `reduced`, from
/// `accumulator` on. Sets `kept` to the dimensions of the result.
Value PayloadBuilder::reduce(vector::CombiningKind kind, Value vector,
                             const TileValue &accumulator,
                             ArrayRef<int64_t> dims, ArrayRef<int64_t> reduced,
                             SmallVector<int64_t> &kept) {
  kept.clear();
  SmallVector<bool> isReduced;
  for (int64_t dim : dims) {
    isReduced.push_back(llvm::is_contained(reduced, dim));
    if (!isReduced.back())
      kept.push_back(dim);
  }
  return vector::MultiDimReductionOp::create(
      b, loc, vector,
      broadcastTo(b, loc, accumulator, kept, plan.shape.bounds), isReduced,
      kind);
}

/// Builds whether `value`, a number or a vector, is NaN.
static Value buildIsNaN(OpBuilder &b, Location loc, Value value) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
}

/// If the extreme is NaN, lets the terms that are NaN be extremes
/// (`isExtreme`). Counts `positions`, of which there are `bound`, from the end
/// for them if the last one is chosen: then it is the first.
static void chooseNaN(OpBuilder &b, Location loc, NaNTerms nans, Value terms,
                      int64_t bound, Value &isExtreme, Value &positions) {
  Value isNaN = buildIsNaN(b, loc, terms);
  isExtreme = arith::OrIOp::create(b, loc, isExtreme, isNaN);
  if (nans != NaNTerms::Last)
    return;
  Value last = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<ShapedType>(positions.getType()),
                             b.getI32IntegerAttr(bound - 1)));
  Value fromEnd = arith::SubIOp::create(b, loc, last, positions);
  positions = arith::SelectOp::create(b, loc, isNaN, fromEnd, positions);
}

/// Builds whether `value` is a better extreme of kind `kind` than `old`.
static Value buildIsBetter(OpBuilder &b, Location loc,
                           vector::CombiningKind kind, Value value, Value old) {
  using Kind = vector::CombiningKind;
  auto compareFloats = [&](arith::CmpFPredicate predicate) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, value, old);
  };
  auto compareIntegers = [&](arith::CmpIPredicate predicate) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, value, old);
  };
  switch (kind) {
  case Kind::MAXSI:
    return compareIntegers(arith::CmpIPredicate::sgt);
  case Kind::MAXUI:
    return compareIntegers(arith::CmpIPredicate::ugt);
  case Kind::MINSI:
    return compareIntegers(arith::CmpIPredicate::slt);
  case Kind::MINUI:
    return compareIntegers(arith::CmpIPredicate::ult);
  case Kind::MAXIMUMF:
  case Kind::MAXNUMF:
    return compareFloats(arith::CmpFPredicate::OGT);
  default:
    return compareFloats(arith::CmpFPredicate::OLT);
  }
}

Value PayloadBuilder::buildPositions(ArrayRef<int64_t> chosen,
                                     ArrayRef<int64_t> dims, int64_t &number) {
  number = 1;
  Value positions;
  for (int64_t dim : llvm::reverse(chosen)) {
    int64_t bound = plan.shape.bounds[dim];
    auto type = VectorType::get({bound}, b.getI32Type());
    Value steps = arith::IndexCastOp::create(
        b, loc, type,
        vector::StepOp::create(b, loc,
                               VectorType::get({bound}, b.getIndexType())));
    if (number != 1)
      steps = arith::MulIOp::create(
          b, loc, steps,
          arith::ConstantOp::create(
              b, loc,
              DenseElementsAttr::get(type, b.getI32IntegerAttr(number))));
    steps = broadcastTo(b, loc, {steps, {dim}}, dims, plan.shape.bounds);
    positions =
        positions ? arith::AddIOp::create(b, loc, positions, steps) : steps;
    number *= bound;
  }
  return positions;
}

std::optional<TileValue> PayloadBuilder::evaluateAt(Value value, int64_t dim,
                                                    const TileValue &position) {
  Operation *def = value.getDefiningOp();
  if (!def || !isIn(def, op) || isa<arith::ConstantOp>(def)) {
    // An argument of the payload may differ along the dimension.
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == op.getBlock())
      return std::nullopt;
    return evaluate(value);
  }
  if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    if (static_cast<int64_t>(index.getDim()) != dim)
      return evaluate(value);
    Type type = b.getIndexType();
    if (auto vector = dyn_cast<VectorType>(position.value.getType()))
      type = vector.clone(type);
    return TileValue{arith::IndexCastOp::create(b, loc, type, position.value),
                     position.dims};
  }
  if (def->getNumRegions() != 0 || isa<tensor::ExtractOp>(def))
    return std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    SmallVector<TileValue> operands;
    for (Value operand : apply.getMapOperands()) {
      std::optional<TileValue> at = evaluateAt(operand, dim, position);
      if (!at)
        return std::nullopt;
      operands.push_back(*at);
    }
    unsigned numDims = apply.getAffineMap().getNumDims();
    return evaluateAffine(apply.getAffineMap().getResult(0),
                          ArrayRef(operands).take_front(numDims),
                          ArrayRef(operands).drop_front(numDims));
  }
  SmallVector<TileValue> operands;
  for (Value operand : def->getOperands()) {
    std::optional<TileValue> at = evaluateAt(operand, dim, position);
    if (!at)
      return std::nullopt;
    operands.push_back(*at);
  }
  return createElementwise(
      b, def, operands,
      plan.shape.bounds)[cast<OpResult>(value).getResultNumber()];
}

TileValue PayloadBuilder::sumWhere(Value condition, Value value,
                                   ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> reduced) {
  Value terms = broadcastTo(b, loc, evaluate(value), dims, plan.shape.bounds);
  Type element = getElementTypeOrSelf(terms.getType());
  Value zeros =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(terms.getType()));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  TileValue sum;
  sum.value = reduce(vector::CombiningKind::ADD,
                     arith::SelectOp::create(b, loc, condition, terms, zeros),
                     {zero, {}}, dims, reduced, sum.dims);
  return sum;
}

TileValue PayloadBuilder::findStop(const TileChoice &choice,
                                   ArrayRef<int64_t> dims, TileValue &term) {
  // 1. The first term with a flag, or the number of terms.
  int64_t bound = 1;
  Value positions = buildPositions(choice.dims, dims, bound);
  Value flags =
      broadcastTo(b, loc, evaluate(choice.stopTerm), dims, plan.shape.bounds);
  auto flagType = cast<VectorType>(flags.getType());
  TypedAttr zero = b.getZeroAttr(flagType.getElementType());
  if (SmallVector<int64_t> masked = getMaskedDims(choice.dims); !masked.empty())
    flags = selectInside(b, loc, {flags, SmallVector<int64_t>(dims)},
                         plan.shape, masked, zero)
                .value;
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(flagType));
  Value isSet =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, flags, zeros);
  Value none = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<ShapedType>(positions.getType()),
                             b.getI32IntegerAttr(bound)));
  Value noPosition =
      arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(bound));
  TileValue first;
  first.value = reduce(vector::CombiningKind::MINSI,
                       arith::SelectOp::create(b, loc, isSet, positions, none),
                       {noPosition, {}}, dims, choice.dims, first.dims);

  // 2. Terms from it on are not chosen.
  Value isBefore = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::slt, positions,
      broadcastTo(b, loc, first, dims, plan.shape.bounds));
  Value neutral = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<ShapedType>(term.value.getType()),
                             choice.neutral));
  term.value = arith::SelectOp::create(b, loc, isBefore, term.value, neutral);

  // 3. Whether there is one.
  Value isFound = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::ne, first.value,
      broadcastTo(b, loc, {noPosition, {}}, first.dims, plan.shape.bounds));
  return {isFound, first.dims};
}

TileValue PayloadBuilder::updateStop(const TileChoice &choice,
                                     const TileValue &isFound,
                                     ArrayRef<int64_t> kept, Value &isBetter) {
  TileValue carried = evaluate(op.getRegionOutputArgs()[*choice.stop]);
  Value flag = broadcastTo(b, loc, carried, kept, plan.shape.bounds);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(flag.getType()));
  Value goesOn =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, flag, zero);
  isBetter = arith::AndIOp::create(b, loc, isBetter, goesOn);
  Value found = arith::ExtUIOp::create(
      b, loc, flag.getType(),
      broadcastTo(b, loc, isFound, kept, plan.shape.bounds));
  return {arith::OrIOp::create(b, loc, flag, found),
          SmallVector<int64_t>(kept)};
}

SmallVector<TileValue> PayloadBuilder::choose(const TileChoice &choice) {
  // 1. The extreme of the tile and of the previous choice.
  TileValue accumulator =
      evaluate(op.getRegionOutputArgs()[choice.output]);
  TileValue term = evaluate(choice.term);
  SmallVector<int64_t> dims = term.dims, kept;
  unite(dims, choice.dims);
  unite(dims, accumulator.dims);
  term = {broadcastTo(b, loc, term, dims, plan.shape.bounds), dims};
  if (SmallVector<int64_t> masked = getMaskedDims(choice.dims); !masked.empty())
    term = selectInside(b, loc, term, plan.shape, masked, choice.neutral);
  TileValue stop;
  if (choice.stop)
    stop = findStop(choice, dims, term);
  TileValue extreme;
  extreme.value = reduce(choice.kind, term.value, accumulator, dims,
                         choice.dims, extreme.dims);
  kept = extreme.dims;

  // 2. Its first position, and whether it differs from the previous choice.
  Value all = broadcastTo(b, loc, extreme, dims, plan.shape.bounds);
  Value isExtreme =
      isa<FloatType>(getElementTypeOrSelf(all))
          ? arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, term.value,
                                  all)
                .getResult()
          : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, term.value,
                                  all);
  int64_t bound = 1;
  Value positions = buildPositions(choice.dims, dims, bound);
  if (choice.nans != NaNTerms::None)
    chooseNaN(b, loc, choice.nans, term.value, bound, isExtreme, positions);
  auto makeConstant = [&](Type like, Attribute value) -> Value {
    if (auto type = dyn_cast<VectorType>(like))
      return arith::ConstantOp::create(b, loc,
                                       DenseElementsAttr::get(type, value));
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(value));
  };
  Value none = makeConstant(positions.getType(), b.getI32IntegerAttr(bound));
  Value noPosition = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(bound));
  Value candidates =
      arith::SelectOp::create(b, loc, isExtreme, positions, none);
  TileValue first;
  first.value = reduce(vector::CombiningKind::MINSI, candidates,
                       {noPosition, {}}, dims, choice.dims, first.dims);
  Value isFirst = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      choice.nans == NaNTerms::Last ? candidates : positions,
      broadcastTo(b, loc, first, dims, plan.shape.bounds));
  Value before = broadcastTo(b, loc, accumulator, kept, plan.shape.bounds);
  Value isBetter = buildIsBetter(b, loc, choice.kind, extreme.value, before);
  if (choice.nans != NaNTerms::None) {
    // The previous choice may be the NaN.
    Value isNew;
    if (choice.nans == NaNTerms::First)
      isNew = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, before,
                                    before);
    else
      isNew = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::ne, first.value,
          makeConstant(first.value.getType(), b.getI32IntegerAttr(bound)));
    isNew =
        arith::AndIOp::create(b, loc, isNew, buildIsNaN(b, loc, extreme.value));
    isBetter = arith::OrIOp::create(b, loc, isBetter, isNew);
  }

  if (choice.stop)
    stop = updateStop(choice, stop, kept, isBetter);

  // 3. The value at this position, computed from it, or as a sum of the value
  //    and zeros.
  SmallVector<TileValue> results;
  for (auto [number, chosen] : llvm::enumerate(choice.chosen)) {
    if (number == choice.output || number == choice.stop) {
      results.push_back(number == choice.output ? extreme : stop);
      continue;
    }
    std::optional<TileValue> at;
    if (choice.dims.size() == 1 && choice.nans != NaNTerms::Last)
      at = evaluateAt(chosen, choice.dims.front(), first);
    if (!at)
      at = sumWhere(isFirst, chosen, dims, choice.dims);
    TileValue carried = evaluate(op.getRegionOutputArgs()[number]);
    results.push_back(
        {arith::SelectOp::create(
             b, loc, isBetter,
             broadcastTo(b, loc, *at, kept, plan.shape.bounds),
             broadcastTo(b, loc, carried, kept, plan.shape.bounds)),
         kept});
  }
  return results;
}

SmallVector<TileValue> mlir::linalg_ext::buildTilePayload(
    OpBuilder &b, linalg::LinalgOp op, const TilePayloadPlan &plan,
    function_ref<TileValue(OpOperand &, ArrayRef<int64_t> bounds)> read) {
  PayloadBuilder builder(b, op, plan, read);
  Operation *yield = op.getBlock()->getTerminator();
  SmallVector<TileValue> results, chosen;
  if (plan.choice && !plan.choice->dims.empty())
    chosen = builder.choose(*plan.choice);
  for (OpOperand &output : op.getDpsInitsMutable()) {
    unsigned number = results.size();
    TileValue result = !chosen.empty() ? chosen[number]
                       : plan.combiners[number]
                           ? builder.reduce(number)
                           : builder.evaluate(yield->getOperand(number));
    // The dims of the tensor.
    AffineMap map = op.getMatchingIndexingMap(&output);
    SmallVector<int64_t> dims;
    for (int64_t dim : result.dims)
      dims.push_back(*map.getResultPosition(b.getAffineDimExpr(dim)));
    result.dims = dims;
    results.push_back(result);
  }
  return results;
}
