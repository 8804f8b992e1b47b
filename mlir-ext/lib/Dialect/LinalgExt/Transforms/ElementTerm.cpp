//===- ElementTerm.cpp - Tensor computations element by element -----------===//
//
// Unfolds, compares and recomputes terms. ElementTerm.h explains terms.
//
//===----------------------------------------------------------------------===//

#include "ElementTerm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Making terms
//===----------------------------------------------------------------------===//

/// Returns `index` with 0 for the results that index dimensions of static size
/// 1.
static AffineMap indexUnitsByZero(AffineMap index, ArrayRef<int64_t> sizes) {
  SmallVector<AffineExpr> results;
  for (auto [expr, size] : llvm::zip_equal(index.getResults(), sizes))
    results.push_back(size == 1 ? getAffineConstantExpr(0, index.getContext())
                                : expr);
  return simplifyAffineMap(
      AffineMap::get(index.getNumDims(), 0, results, index.getContext()));
}

/// Returns the term of `value` in the payload of `op`, in the iteration
/// `loops`.
static Term getPayloadTerm(LinalgOp op, Value value, AffineMap loops) {
  if (value.getParentBlock() != op.getBlock())
    return {value, AffineMap::get(loops.getNumDims(), 0, loops.getContext())};
  return {value, indexUnitsByZero(loops, op.getStaticLoopRanges())};
}

Term mlir::linalg_ext::getPayloadTerm(LinalgOp op, Value value) {
  return ::getPayloadTerm(
      op, value,
      AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op->getContext()));
}

Term mlir::linalg_ext::getTensorTerm(Value tensor, AffineMap index) {
  return {tensor,
          indexUnitsByZero(
              index, cast<RankedTensorType>(tensor.getType()).getShape())};
}

int64_t Term::findDim(int64_t dim) const {
  for (auto [position, expr] : llvm::enumerate(index.getResults()))
    if (auto dimExpr = dyn_cast<AffineDimExpr>(expr))
      if (dimExpr.getPosition() == dim)
        return position;
  return -1;
}

/// Returns the linalg op on tensors whose payload defines `value`.
static LinalgOp getPayloadOwner(Value value) {
  auto op = dyn_cast_or_null<LinalgOp>(value.getParentBlock()->getParentOp());
  return op && op.hasPureTensorSemantics() ? op : LinalgOp();
}

//===----------------------------------------------------------------------===//
// Unfolding
//===----------------------------------------------------------------------===//

/// Returns the term of the operand that the payload argument `argument` stands
/// for. The accumulator of a reduction has none.
static std::optional<Term> unfoldArgument(BlockArgument argument,
                                          AffineMap loops) {
  LinalgOp op = getPayloadOwner(argument);
  if (!op)
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (op.isDpsInit(operand) && !op.isAllParallelLoops())
    return std::nullopt;
  Value value = operand->get();
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (isa<RankedTensorType>(value.getType()))
    return getTensorTerm(value, map.compose(loops));
  if (isa<ShapedType>(value.getType()))
    return std::nullopt;
  return Term{value, AffineMap::get(loops.getNumDims(), 0, loops.getContext())};
}

/// Returns the iteration of `op` that writes the element `index` of its result
/// `resultNumber`. Loops that the result does not determine are null. Fails
/// unless there is exactly one such iteration.
static FailureOr<SmallVector<AffineExpr>>
getWritingIteration(LinalgOp op, unsigned resultNumber, AffineMap index) {
  OpOperand *init = op.getDpsInitOperand(resultNumber);
  AffineMap map = op.getMatchingIndexingMap(init);
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [written, wanted] :
       llvm::zip_equal(map.getResults(), index.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(written)) {
      if (loops[dim.getPosition()])
        return failure();
      loops[dim.getPosition()] = wanted;
    } else if (written != wanted) {
      return failure();
    }
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::zip_equal(loops, ranges))
    if (!loop && range == 1)
      loop = getAffineConstantExpr(0, index.getContext());
  return loops;
}

/// Returns the term that an elementwise op yields for an element of its result.
static std::optional<Term> unfoldElementwise(LinalgOp op, OpResult result,
                                             AffineMap index) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
    return std::nullopt;
  FailureOr<SmallVector<AffineExpr>> loops =
      getWritingIteration(op, result.getResultNumber(), index);
  if (failed(loops) || !llvm::all_of(*loops, [](AffineExpr e) { return !!e; }))
    return std::nullopt;
  Value yielded =
      op.getMatchingYieldValue(op.getDpsInitOperand(result.getResultNumber()))
          ->get();
  return ::getPayloadTerm(
      op, yielded,
      AffineMap::get(index.getNumDims(), 0, *loops, index.getContext()));
}

/// Returns the term of the source element of a reshape that only adds
/// (`expands`) or removes dimensions of size 1.
static std::optional<Term>
unfoldReshape(Value source, RankedTensorType expandedType,
              ArrayRef<ReassociationIndices> reassociation, bool expands,
              AffineMap index) {
  AffineExpr zero = getAffineConstantExpr(0, index.getContext());
  SmallVector<AffineExpr> results;
  if (!expands)
    results.assign(expandedType.getRank(), zero);
  for (auto [position, group] : llvm::enumerate(reassociation)) {
    auto isUnit = [&](int64_t dim) {
      return expandedType.getDimSize(dim) == 1;
    };
    SmallVector<int64_t> others =
        llvm::to_vector(llvm::make_filter_range(group, std::not_fn(isUnit)));
    if (others.size() > 1)
      return std::nullopt;
    if (expands)
      results.push_back(others.empty() ? zero
                                       : index.getResult(others.front()));
    else if (!others.empty())
      results[others.front()] = index.getResult(position);
  }
  return getTensorTerm(source, AffineMap::get(index.getNumDims(), 0, results,
                                              index.getContext()));
}

std::optional<Term> mlir::linalg_ext::unfoldOnce(const Term &term) {
  if (auto argument = dyn_cast<BlockArgument>(term.value))
    return ::unfoldArgument(argument, term.index);
  if (!term.isTensorElement())
    return std::nullopt;
  Operation *op = term.value.getDefiningOp();
  if (auto linalgOp = dyn_cast<LinalgOp>(op))
    return unfoldElementwise(linalgOp, cast<OpResult>(term.value), term.index);
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      return std::nullopt;
    return getTensorTerm(cast.getSource(), term.index);
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return unfoldReshape(expand.getSrc(), expand.getResultType(),
                         expand.getReassociationIndices(), /*expands=*/true,
                         term.index);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return unfoldReshape(collapse.getSrc(), collapse.getSrcType(),
                         collapse.getReassociationIndices(),
                         /*expands=*/false, term.index);
  return std::nullopt;
}

Term mlir::linalg_ext::unfoldArgument(const Term &term) {
  if (auto argument = dyn_cast<BlockArgument>(term.value))
    return ::unfoldArgument(argument, term.index).value_or(term);
  return term;
}

Term mlir::linalg_ext::unfold(Term term) {
  while (std::optional<Term> next = unfoldOnce(term))
    term = *next;
  return term;
}

std::optional<ScalarOp> mlir::linalg_ext::matchScalarOp(const Term &term) {
  Term scalar = unfold(term);
  Operation *op = scalar.value.getDefiningOp();
  auto isShaped = [](Value v) { return isa<ShapedType>(v.getType()); };
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isShaped(scalar.value) || llvm::any_of(op->getOperands(), isShaped) ||
      !isMemoryEffectFree(op))
    return std::nullopt;
  ScalarOp result{op, {}};
  LinalgOp owner = getPayloadOwner(scalar.value);
  for (Value operand : op->getOperands())
    result.operands.push_back(
        owner ? ::getPayloadTerm(owner, operand, scalar.index)
              : Term{operand, scalar.index});
  return result;
}

std::optional<APFloat> mlir::linalg_ext::matchConstant(const Term &term) {
  Attribute attr;
  if (!matchPattern(unfold(term).value, m_Constant(&attr)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// The most steps of a comparison. Terms share subterms, so a comparison could
/// take exponential time.
static constexpr unsigned kMaxComparisons = 512;

static bool areSameTerms(Term lhs, Term rhs, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  if (unfoldArgument(lhs) == unfoldArgument(rhs))
    return true;
  lhs = unfold(lhs);
  rhs = unfold(rhs);
  if (lhs == rhs)
    return true;
  if (lhs.value.getType() != rhs.value.getType())
    return false;
  std::optional<APFloat> lhsConstant = matchConstant(lhs),
                         rhsConstant = matchConstant(rhs);
  if (lhsConstant && rhsConstant)
    return lhsConstant->bitwiseIsEqual(*rhsConstant);

  std::optional<ScalarOp> left = matchScalarOp(lhs), right = matchScalarOp(rhs);
  if (!left || !right || left->op->getName() != right->op->getName())
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(left->op))
    return lhs.index.getResult(index.getDim()) ==
           rhs.index.getResult(cast<linalg::IndexOp>(right->op).getDim());
  if (left->op->getAttrDictionary() != right->op->getAttrDictionary() ||
      left->operands.size() != right->operands.size())
    return false;
  auto sameOperands = [&](ArrayRef<Term> a, ArrayRef<Term> b) {
    return llvm::all_of(llvm::zip_equal(a, b), [&](auto pair) {
      return areSameTerms(std::get<0>(pair), std::get<1>(pair), budget);
    });
  };
  if (left->operands.empty())
    return left->op->hasTrait<OpTrait::ConstantLike>();
  if (sameOperands(left->operands, right->operands))
    return true;
  if (left->operands.size() != 2 ||
      !left->op->hasTrait<OpTrait::IsCommutative>())
    return false;
  std::swap(right->operands[0], right->operands[1]);
  return sameOperands(left->operands, right->operands);
}

bool mlir::linalg_ext::areSameTerms(const Term &lhs, const Term &rhs) {
  unsigned budget = kMaxComparisons;
  return ::areSameTerms(lhs, rhs, budget);
}

static bool readsAlong(const Term &term, int64_t dim, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  if (std::optional<ScalarOp> scalar = matchScalarOp(term))
    return llvm::any_of(scalar->operands, [&](const Term &operand) {
      return readsAlong(operand, dim, budget);
    });
  Term leaf = unfold(term);
  return leaf.isTensorElement() && leaf.findDim(dim) >= 0;
}

bool mlir::linalg_ext::readsAlong(const Term &term, int64_t dim) {
  unsigned budget = kMaxComparisons;
  return ::readsAlong(term, dim, budget);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// If `select` computes a maximum by comparing its two values, returns these.
static std::optional<std::pair<Value, Value>>
matchMaxBySelect(arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return std::nullopt;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  Value larger = select.getTrueValue(), smaller = select.getFalseValue();
  using Predicate = arith::CmpFPredicate;
  switch (compare.getPredicate()) {
  case Predicate::OGT:
  case Predicate::OGE:
  case Predicate::UGT:
  case Predicate::UGE:
    break;
  case Predicate::OLT:
  case Predicate::OLE:
  case Predicate::ULT:
  case Predicate::ULE:
    std::swap(lhs, rhs);
    break;
  default:
    return std::nullopt;
  }
  if (larger != lhs || smaller != rhs)
    return std::nullopt;
  return std::make_pair(lhs, rhs);
}

/// Splits `combined` = combiner(accumulator, element).
static std::optional<std::pair<Combiner, Value>>
matchCombiner(Value combined, BlockArgument accumulator) {
  Operation *op = combined.getDefiningOp();
  if (!op)
    return std::nullopt;
  Combiner combiner;
  std::pair<Value, Value> sides;
  if (isa<arith::AddFOp>(op)) {
    combiner = Combiner::Add;
  } else if (isa<arith::MaximumFOp>(op)) {
    combiner = Combiner::Maximum;
  } else if (isa<arith::MaxNumFOp>(op)) {
    combiner = Combiner::MaxNum;
  } else if (isa<arith::AndIOp>(op) && combined.getType().isInteger(1)) {
    combiner = Combiner::And;
  } else if (isa<arith::OrIOp>(op) && combined.getType().isInteger(1)) {
    combiner = Combiner::Or;
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    combiner = Combiner::MaxBySelect;
    std::optional<std::pair<Value, Value>> max = matchMaxBySelect(select);
    if (!max)
      return std::nullopt;
    sides = *max;
  } else {
    return std::nullopt;
  }
  if (combiner != Combiner::MaxBySelect)
    sides = {op->getOperand(0), op->getOperand(1)};
  if (sides.second == accumulator)
    std::swap(sides.first, sides.second);
  if (sides.first != accumulator || sides.second == accumulator)
    return std::nullopt;
  return std::make_pair(combiner, sides.second);
}

/// Returns the only dimension of the domain with a size other than 1 that
/// `index` does not use. Returns -1 if there is not exactly one, or if `index`
/// is not a projection.
static int64_t findMissingDim(AffineMap index, ArrayRef<int64_t> domain) {
  SmallVector<bool> used(domain.size(), false);
  for (AffineExpr expr : index.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && !used[dim.getPosition()])
      used[dim.getPosition()] = true;
    else if (!isa<AffineConstantExpr>(expr))
      return -1;
  }
  int64_t missing = -1;
  for (auto [dim, size] : llvm::enumerate(domain)) {
    if (used[dim] || size == 1)
      continue;
    if (missing >= 0)
      return -1;
    missing = dim;
  }
  return missing;
}

std::optional<Reduction>
mlir::linalg_ext::matchReduction(const Term &term, ArrayRef<int64_t> domain) {
  Term reduced = unfold(term);
  auto result = dyn_cast<OpResult>(reduced.value);
  auto op = result ? dyn_cast<LinalgOp>(result.getOwner()) : LinalgOp();
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
    return std::nullopt;
  int64_t dim = findMissingDim(reduced.index, domain);
  FailureOr<SmallVector<AffineExpr>> loops =
      getWritingIteration(op, result.getResultNumber(), reduced.index);
  if (dim < 0 || failed(loops))
    return std::nullopt;

  bool reduces = false;
  for (auto [loop, kind] :
       llvm::zip_equal(*loops, op.getIteratorTypesArray())) {
    if (loop)
      continue;
    if (reduces || kind != utils::IteratorType::reduction)
      return std::nullopt;
    reduces = true;
    loop = getAffineDimExpr(dim, op->getContext());
  }
  if (!reduces)
    return std::nullopt;

  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  std::optional<std::pair<Combiner, Value>> combined = matchCombiner(
      op.getMatchingYieldValue(init)->get(), op.getMatchingBlockArgument(init));
  if (!combined)
    return std::nullopt;
  auto iteration = AffineMap::get(domain.size(), 0, *loops, op->getContext());
  return Reduction{result,
                   reduced.index,
                   combined->first,
                   dim,
                   ::getPayloadTerm(op, combined->second, iteration),
                   getTensorTerm(init->get(), reduced.index)};
}

//===----------------------------------------------------------------------===//
// Computing terms
//===----------------------------------------------------------------------===//

LogicalResult TermBuilder::add(const Term &term) {
  terms.push_back(term);
  return collect(term);
}

LogicalResult TermBuilder::collect(const Term &term) {
  if (replaced && term == replaced->first)
    return collect(replaced->second);
  Term read = unfoldArgument(term);
  if (read.isTensorElement()) {
    if (!llvm::is_contained(inputs, read))
      inputs.push_back(read);
    return success();
  }
  if (!getPayloadOwner(read.value))
    return success(!isa<ShapedType>(read.value.getType()));
  if (!emitted.try_emplace({read.value, read.index}, Value()).second)
    return success();
  std::optional<ScalarOp> scalar = matchScalarOp(read);
  if (!scalar)
    return failure();
  if (auto index = dyn_cast<linalg::IndexOp>(scalar->op))
    return success(isa<AffineDimExpr, AffineConstantExpr>(
        read.index.getResult(index.getDim())));
  for (const Term &operand : scalar->operands)
    if (failed(collect(operand)))
      return failure();
  return success();
}

/// Returns a registered term from which the size of dimension `dim` of the
/// domain is known.
const Term *TermBuilder::findExtent(int64_t dim) const {
  const Term *input = llvm::find_if(
      inputs, [&](const Term &term) { return term.findDim(dim) >= 0; });
  return input == inputs.end() ? nullptr : input;
}

bool TermBuilder::knowsSizes() const {
  return llvm::all_of(llvm::seq<int64_t>(0, domain.size()), [&](int64_t dim) {
    return !ShapedType::isDynamic(domain[dim]) || findExtent(dim);
  });
}

SmallVector<OpFoldResult> TermBuilder::getSizes(OpBuilder &b,
                                                Location loc) const {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(domain)) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(b.getIndexAttr(size));
      continue;
    }
    const Term *input = findExtent(dim);
    sizes.push_back(
        tensor::getMixedSize(b, loc, input->value, input->findDim(dim)));
  }
  return sizes;
}

/// Returns the indexing map for `input`. If both the tensor and the domain have
/// size 1, it uses the dimension instead of 0, as upstream's patterns prefer.
AffineMap TermBuilder::getOperandMap(const Term &input) const {
  if (input.index.getNumResults() != domain.size())
    return input.index;
  SmallVector<AffineExpr> results(input.index.getResults());
  auto type = cast<RankedTensorType>(input.value.getType());
  for (auto [position, expr] : llvm::enumerate(results))
    if (domain[position] == 1 && type.getDimSize(position) == 1)
      expr = getAffineDimExpr(position, expr.getContext());
  return AffineMap::get(domain.size(), 0, results, input.index.getContext());
}

Value TermBuilder::emit(OpBuilder &b, Location loc, const Term &term,
                        ValueRange args) {
  if (replaced && term == replaced->first)
    return convertScalarToDtype(b, loc, emit(b, loc, replaced->second, args),
                                term.getType(), /*isUnsignedCast=*/false);
  Term read = unfoldArgument(term);
  if (read.isTensorElement())
    return args[std::distance(inputs.begin(), llvm::find(inputs, read))];
  if (!getPayloadOwner(read.value))
    return read.value;
  if (Value known = emitted.lookup({read.value, read.index}))
    return known;
  ScalarOp scalar = *matchScalarOp(read);
  Value result;
  if (auto index = dyn_cast<linalg::IndexOp>(scalar.op)) {
    AffineExpr loop = read.index.getResult(index.getDim());
    if (auto dim = dyn_cast<AffineDimExpr>(loop))
      result = linalg::IndexOp::create(b, loc, dim.getPosition());
    else
      result = arith::ConstantIndexOp::create(
          b, loc, cast<AffineConstantExpr>(loop).getValue());
  } else {
    SmallVector<Value> operands;
    for (const Term &operand : scalar.operands)
      operands.push_back(emit(b, loc, operand, args));
    Operation *copy = b.clone(*scalar.op);
    copy->setOperands(operands);
    result = copy->getResult(0);
  }
  return emitted[{read.value, read.index}] = result;
}

linalg::GenericOp TermBuilder::build(
    OpBuilder &b, Location loc, ValueRange inits, ArrayRef<AffineMap> initMaps,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ArrayRef<Value>)>
        body) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Term &input : inputs) {
    operands.push_back(input.value);
    maps.push_back(getOperandMap(input));
  }
  llvm::append_range(maps, initMaps);
  SmallVector<utils::IteratorType> iterators(domain.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, inits.getTypes(), operands, inits, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        SmallVector<Value> values;
        for (const Term &term : terms)
          values.push_back(emit(nested, loc, term, args));
        linalg::YieldOp::create(nested, loc, body(nested, loc, values));
      });
}
