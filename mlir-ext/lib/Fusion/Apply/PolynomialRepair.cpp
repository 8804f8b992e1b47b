//===- PolynomialRepair.cpp - Builds what polynomial repairs read ---------===//
//
// Works in rounds, and plans again after each round. If the root is affine in a
// source, the round splits the root into its parts. The scaled part becomes the
// root. It takes the constant term as an operand that it does not read, so that
// the loops carry this term. Otherwise, for each source of a polynomial:
// 1. replace the source in tiles by a better reference than a partial sum
//    (buildReference);
// 2. build the derivatives of the accumulator, by the chain rule along the ops
//    from the source to it (Series);
// 3. let the accumulator take them as operands that it does not read.
//
// A round may show that the derivatives follow other sources. The next one
// builds the derivatives for these.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"

#include "BuildRepair.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// One round separates the parts of the root. Each further round adds the
/// derivatives of derivatives in one more source.
static constexpr unsigned kMaxRounds = 5;

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// Returns the sum that `source` is proportional to, as far as the untiled ops
/// between them show it, and these ops in program order.
static std::pair<LinalgOp, SmallVector<Operation *>>
findProportionalSum(const FusionPlan &plan, Value source) {
  for (const PlannedState &state : plan.states) {
    auto sum = dyn_cast<LinalgOp>(state.producer);
    auto accumulator = dyn_cast<RepairableOpInterface>(state.producer);
    if (!sum || !accumulator)
      continue;
    FailureOr<Accumulation> accumulation = accumulator.getAccumulation();
    if (failed(accumulation) || accumulation->kind != AccumulationKind::Sum)
      continue;
    Value result = sum->getResult(accumulation->resultNumber);
    DenseMap<Value, StateDependentValue> values;
    values[result] = {
        {RepairKind::Scale, 1.0},
        makeRowGroups(cast<RankedTensorType>(result.getType()).getShape())};
    SmallVector<Operation *> between;
    for (Operation *op : plan.stateDependent) {
      auto repairable = dyn_cast<RepairableOpInterface>(op);
      if (!plan.isWhole(op) || !repairable)
        continue;
      // A value that depends on other states, too, is not proportional to the
      // sum. A quotient of two sums, for example, is already the mean of the
      // terms seen so far.
      SmallVector<StateDependentOperand> operands;
      bool followsOthers = false;
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (auto it = values.find(operand.get()); it != values.end())
          operands.push_back({operand.getOperandNumber(), it->second});
        else
          followsOthers |= producer && plan.isStateDependent(producer);
      }
      if (followsOthers)
        continue;
      Refusal ignored;
      FailureOr<StateDependentValue> value = failure();
      if (!operands.empty())
        value = repairable.propagateRepair(operands, ignored);
      if (failed(value))
        continue;
      values[op->getResult(0)] = *value;
      between.push_back(op);
    }
    auto it = values.find(source);
    if (it != values.end() && it->second.degree.kind == RepairKind::Scale &&
        it->second.degree.coefficient == 1.0)
      return {sum, between};
  }
  return {};
}

/// Builds the value that tiles take as the reference, from the source. A sum of
/// n of N terms is too small by n / N, and sum / N is then far from the mean of
/// these terms. Any reference gives the right result, but x - mean loses digits
/// if the mean is far from x. So tiles take the sum times N / n, which is the
/// sum itself in the end (Chan's update of a variance). An accumulation of its
/// own counts n.
static Value buildReference(RewriterBase &rewriter, const FusionPlan &plan,
                            Value source) {
  auto [sum, between] = findProportionalSum(plan, source);
  if (!sum)
    return source;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(sum);
  Location loc = sum.getLoc();
  OpOperand *init = sum.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  // f32 represents integers exactly up to 2^24.
  auto tileable = cast<TilingInterface>(sum.getOperation());
  uint64_t numTerms = 1;
  for (auto [size, iterator] : llvm::zip_equal(sum.getStaticLoopRanges(),
                                               tileable.getLoopIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      numTerms = llvm::SaturatingMultiply<uint64_t>(
          numTerms, ShapedType::isDynamic(size)
                        ? std::numeric_limits<uint64_t>::max()
                        : size);
  FloatType countType = cast<FloatType>(type.getElementType());
  if (numTerms > uint64_t(1) << 24)
    countType = rewriter.getF64Type();
  else if (countType.getWidth() < 32)
    countType = rewriter.getF32Type();
  auto constant = [&](OpBuilder &b, double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(countType, value));
  };

  // 1. Count n.
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, init->get());
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, countType);
  Value zeros =
      linalg::FillOp::create(rewriter, loc, constant(rewriter, 0.0), empty)
          .getResult(0);
  SmallVector<Value> inputs = sum.getDpsInputs();
  Value count = linalg::GenericOp::create(
                    rewriter, loc, zeros.getType(), inputs, zeros,
                    sum.getIndexingMapsArray(), sum.getIteratorTypesArray(),
                    [&](OpBuilder &b, Location loc, ValueRange args) {
                      Value next = arith::AddFOp::create(b, loc, args.back(),
                                                         constant(b, 1.0));
                      linalg::YieldOp::create(b, loc, next);
                    })
                    .getResult(0);

  // 2. Build the sum times N / n.
  Value total = arith::ConstantIndexOp::create(rewriter, loc, 1);
  for (auto [range, iterator] :
       llvm::zip_equal(tileable.getIterationDomain(rewriter),
                       tileable.getLoopIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      total = rewriter.createOrFold<arith::MulIOp>(
          loc, total,
          getValueOrCreateConstantIndexOp(rewriter, loc, range.size));
  total =
      arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), total);
  total = arith::SIToFPOp::create(rewriter, loc, countType, total);
  rewriter.setInsertionPointAfter(total.getDefiningOp());
  Value result = sum->getResult(0);
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value scaled =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  scaled =
      linalg::GenericOp::create(
          rewriter, loc, type, ValueRange{result, count}, scaled,
          ArrayRef<AffineMap>{map, map, map}, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value seen =
                arith::MaximumFOp::create(b, loc, args[1], constant(b, 1.0));
            Value factor = arith::DivFOp::create(b, loc, total, seen);
            Value value = arith::MulFOp::create(
                b, loc, convertScalarToDtype(b, loc, args[0], countType, false),
                factor);
            linalg::YieldOp::create(b, loc,
                                    convertScalarToDtype(b, loc, value,
                                                         type.getElementType(),
                                                         false));
          })
          .getResult(0);

  // 3. Rebuild the source from it.
  IRMapping mapping;
  mapping.map(result, scaled);
  for (Operation *op : between) {
    rewriter.setInsertionPointAfter(op);
    rewriter.clone(*op, mapping);
  }
  return mapping.lookup(source);
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// Moves `op` to the first place where its operands are defined. Planning
/// visits ops from the root backwards, so an op must come before its users.
static void hoist(RewriterBase &rewriter, Operation *op) {
  Operation *latest = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != op->getBlock())
      continue;
    if (source->hasTrait<OpTrait::ConstantLike>() ||
        isa<tensor::EmptyOp, tensor::DimOp, linalg::FillOp>(source))
      hoist(rewriter, source);
    if (!latest || latest->isBeforeInBlock(source))
      latest = source;
  }
  if (latest)
    rewriter.moveOpAfter(op, latest);
  else
    rewriter.moveOpBefore(op, &op->getBlock()->front());
}

/// Erases `op` if it has no uses. Does the same for the ops that computed its
/// operands.
static void eraseDead(RewriterBase &rewriter, Operation *op) {
  if (!isOpTriviallyDead(op))
    return;
  SetVector<Operation *> sources;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      sources.insert(source);
  rewriter.eraseOp(op);
  for (Operation *source : sources)
    eraseDead(rewriter, source);
}

namespace {
/// Builds the derivatives, with respect to one source, of the values that tiles
/// are computed from. Sources in `leftOut` count as 1.
class Series {
public:
  Series(RewriterBase &rewriter, const FusionPlan &plan, Value source,
         ArrayRef<Value> leftOut)
      : rewriter(rewriter), plan(plan), source(source), leftOut(leftOut) {}
  ~Series() {
    for (Operation *op : llvm::reverse(scaffold))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

  /// Builds the derivative of the result of `op`, before `before` if that
  /// is given and after `op` if not.
  FailureOr<std::optional<Tangent>> build(Operation *op, Operation *before,
                                          Refusal &refusal);

private:
  FailureOr<std::optional<Tangent>> get(Value value, Refusal &refusal);
  Operation *leaveOut(Operation *op);
  bool dependsOnSource(Value value);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  Value source;
  ArrayRef<Value> leftOut;
  DenseMap<Value, bool> depends;
  DenseMap<Value, std::optional<Tangent>> known;
  /// The ops that were built.
  DenseSet<Operation *> built;
  /// Ops among `built` that are not needed in the end.
  SmallVector<Operation *> scaffold;
};
} // namespace

/// Replaces deferred sources in `op` by 1, as the loops do, since they leave
/// these out. The derivatives then lack the dimensions along which such a
/// source varies. Returns `op`, or a copy that reads 1.
Operation *Series::leaveOut(Operation *op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp || built.contains(op))
    return op;
  SmallVector<Value> inputs = linalgOp.getDpsInputs();
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  for (auto [input, map] : llvm::zip(inputs, maps)) {
    if (!llvm::is_contained(leftOut, input))
      continue;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(input);
    auto one = arith::ConstantOp::create(
        rewriter, op->getLoc(),
        rewriter.getFloatAttr(getElementTypeOrSelf(input), 1.0));
    input = one;
    map = AffineMap::get(map.getNumDims(), 0, rewriter.getContext());
    scaffold.push_back(one);
  }
  if (inputs == linalgOp.getDpsInputs())
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto copy = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      linalgOp.getDpsInits(), maps, linalgOp.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), copy.getRegion(),
                             copy.getRegion().begin());
  built.insert(copy);
  scaffold.push_back(copy);
  return copy;
}

/// Returns whether tiles of `value` are computed from the source.
bool Series::dependsOnSource(Value value) {
  if (value == source)
    return true;
  auto [it, isNew] = depends.try_emplace(value, false);
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  // States, and values that are computed from states alone, are other sources.
  if (!op ||
      (!built.contains(op) && (!plan.isStateDependent(op) ||
                               plan.lookupState(op) || plan.isWhole(op))))
    return false;
  bool result = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return (built.contains(op) ||
            plan.isStateDependentOperand(op, operand.getOperandNumber())) &&
           dependsOnSource(operand.get());
  });
  return depends[value] = result;
}

FailureOr<std::optional<Tangent>> Series::get(Value value, Refusal &refusal) {
  if (value == source) {
    Tangent tangent;
    tangent.constant =
        rewriter.getFloatAttr(getElementTypeOrSelf(value.getType()), 1.0);
    return std::optional<Tangent>(tangent);
  }
  if (auto it = known.find(value); it != known.end())
    return it->second;
  FailureOr<std::optional<Tangent>> tangent =
      build(value.getDefiningOp(), nullptr, refusal);
  if (failed(tangent))
    return failure();
  return known[value] = *tangent;
}

FailureOr<std::optional<Tangent>>
Series::build(Operation *op, Operation *before, Refusal &refusal) {
  op = leaveOut(op);
  SmallVector<OperandTangent> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!built.contains(op) &&
        !plan.isStateDependentOperand(op, operand.getOperandNumber()))
      continue;
    if (!dependsOnSource(operand.get()))
      continue;
    FailureOr<std::optional<Tangent>> tangent = get(operand.get(), refusal);
    if (failed(tangent))
      return failure();
    if (*tangent)
      operands.push_back({operand.getOperandNumber(), **tangent});
  }
  if (operands.empty())
    return std::optional<Tangent>();
  OpBuilder::InsertionGuard guard(rewriter);
  if (before)
    rewriter.setInsertionPoint(before);
  else
    rewriter.setInsertionPointAfter(op);
  auto repairable = cast<RepairableOpInterface>(op);
  FailureOr<std::optional<Tangent>> tangent =
      repairable.buildTangent(rewriter, op->getLoc(), operands, refusal);
  if (failed(tangent))
    return refusal.addContext(op, "the derivative of " + nameOf(op) +
                                      " cannot be built: ");
  if (*tangent && (*tangent)->value) {
    Operation *result = (*tangent)->value.getDefiningOp();
    hoist(rewriter, result);
    built.insert(result);
  }
  return tangent;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// Builds the scaled and the constant parts of values in tiles that are affine
/// in a source.
class Parts {
public:
  Parts(RewriterBase &rewriter, const FusionPlan &plan,
        const FollowedSource &followed)
      : rewriter(rewriter), plan(plan), followed(followed) {}

  /// Builds a part of the result of `op`, before the root.
  FailureOr<std::optional<Tangent>> build(Operation *op, AffinePart part,
                                          Refusal &refusal);
  /// Erases the ops that were built and have no users.
  void discard() {
    for (Operation *op : llvm::reverse(built))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

private:
  RewriterBase &rewriter;
  const FusionPlan &plan;
  const FollowedSource &followed;
  DenseMap<std::pair<Operation *, AffinePart>, std::optional<Tangent>> known;
  SmallVector<Operation *> built;
};
} // namespace

FailureOr<std::optional<Tangent>> Parts::build(Operation *op, AffinePart part,
                                               Refusal &refusal) {
  if (auto it = known.find({op, part}); it != known.end())
    return it->second;
  SmallVector<OperandPart> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = followed.values.find(operand.get());
    unsigned number = operand.getOperandNumber();
    if (it == followed.values.end() ||
        !plan.isStateDependentOperand(op, number))
      continue;
    operands.push_back({{number, it->second}, std::nullopt});
    if (it->second.degree.kind != RepairKind::Affine)
      continue;
    FailureOr<std::optional<Tangent>> ofOperand =
        build(operand.get().getDefiningOp(), part, refusal);
    if (failed(ofOperand))
      return failure();
    operands.back().part = *ofOperand;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(plan.root);
  FailureOr<std::optional<Tangent>> result =
      cast<RepairableOpInterface>(op).buildAffinePart(rewriter, op->getLoc(),
                                                      part, operands, refusal);
  if (failed(result))
    return refusal.addContext(op, "the parts of " + nameOf(op) +
                                      " cannot be built: ");
  Operation *newOp =
      *result && (*result)->value ? (*result)->value.getDefiningOp() : nullptr;
  // The new op may be an operand of the root.
  if (newOp && newOp->getNextNode() == plan.root) {
    if (op != plan.root || part == AffinePart::Constant)
      hoist(rewriter, newOp);
    built.push_back(newOp);
  }
  return known[{op, part}] = *result;
}

//===----------------------------------------------------------------------===//
// Carrying them
//===----------------------------------------------------------------------===//

/// Rebuilds `op` with `values` as additional operands, from number `first` on.
/// `op` does not read them.
static FailureOr<linalg::GenericOp>
addUnreadOperands(RewriterBase &rewriter, Operation *op,
                  ArrayRef<PlannedTerm> values, unsigned &first) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1)
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  AffineMap resultMap =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  SmallVector<Value> inputs = linalgOp.getDpsInputs();
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  maps.pop_back();
  first = inputs.size();
  for (const PlannedTerm &value : values) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : value.dims)
      exprs.push_back(resultMap.getResult(dim));
    maps.push_back(AffineMap::get(resultMap.getNumDims(), 0, exprs,
                                  rewriter.getContext()));
    inputs.push_back(value.op->getResult(value.resultNumber));
  }
  maps.push_back(resultMap);
  auto generic = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      linalgOp.getDpsInits(), maps, linalgOp.getIteratorTypesArray());
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  for (unsigned number = first; number < inputs.size(); ++number)
    generic.getBody()->insertArgument(
        number, getElementTypeOrSelf(inputs[number].getType()), op->getLoc());
  return generic;
}

Operation *mlir::linalg_ext::eraseUnreadOperands(RewriterBase &rewriter,
                                                 Operation *op,
                                                 ArrayRef<unsigned> numbers) {
  auto generic = cast<linalg::GenericOp>(op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector erased(generic.getBody()->getNumArguments());
  for (unsigned number : numbers)
    erased.set(number);
  for (auto [number, operand] : llvm::enumerate(generic->getOperands())) {
    if (erased.test(number))
      continue;
    maps.push_back(generic.getMatchingIndexingMap(&op->getOpOperand(number)));
    if (generic.isDpsInput(&op->getOpOperand(number)))
      inputs.push_back(operand);
  }
  auto slim = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      generic.getDpsInits(), maps, generic.getIteratorTypesArray());
  slim->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(generic.getRegion(), slim.getRegion(),
                              slim.getRegion().begin());
  slim.getBody()->eraseArguments(erased);
  rewriter.replaceOp(op, slim);
  return slim;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

namespace {
/// One round: builds what `plan` lacks.
class Round {
public:
  Round(RewriterBase &rewriter, const FusionPlan &plan,
        AuxiliaryAccumulators &auxiliaries)
      : rewriter(rewriter), plan(plan), auxiliaries(auxiliaries),
        root(plan.root) {}

  LogicalResult run(Refusal &refusal);

  /// Returns the root after this round.
  Operation *getRoot() const { return root; }

private:
  Value takeReference(Value source);
  LogicalResult separate(const PlannedFactor &factor, Refusal &refusal);
  LogicalResult buildPolynomials(Refusal &refusal);
  LogicalResult differentiate(const PlannedRepair &repair,
                              const PlannedFactor &factor, Value source,
                              Series &series, Refusal &refusal);
  LogicalResult attach(Operation *accumulator, Refusal &refusal);
  void rename(Operation *from, Operation *to);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  AuxiliaryAccumulators &auxiliaries;
  Operation *root;
  /// For each accumulator, the terms that it will take as operands.
  llvm::MapVector<Operation *, SmallVector<PlannedTerm>> toTake;
};
} // namespace

/// Builds the reference of `source`, and lets tiles read it. Returns it.
Value Round::takeReference(Value source) {
  // The source may be a reference already.
  if (llvm::any_of(auxiliaries.terms, [&](const BuiltTerms &built) {
        return built.source == source;
      }))
    return source;
  Value reference = buildReference(rewriter, plan, source);
  if (reference != source)
    for (auto [op, number] : plan.stateDependentOperands)
      if (op->getOperand(number) == source && !plan.isWhole(op))
        rewriter.modifyOpInPlace(op, [op = op, number = number, reference] {
          op->setOperand(number, reference);
        });
  return reference;
}

/// The root is affine in the source of `factor`: A(r) = r S + C. It becomes S,
/// which starts from the init of the root and takes C as an operand.
LogicalResult Round::separate(const PlannedFactor &factor, Refusal &refusal) {
  auto source = cast<OpResult>(factor.source->getResult(factor.resultNumber));
  FailureOr<FollowedSource> followed =
      followSource(plan, source, factor.measure, refusal);
  if (failed(followed))
    return failure();
  Parts parts(rewriter, plan, *followed);
  FailureOr<std::optional<Tangent>> constant =
      parts.build(root, AffinePart::Constant, refusal);
  FailureOr<std::optional<Tangent>> scaled = failure();
  if (succeeded(constant))
    scaled = parts.build(root, AffinePart::Scaled, refusal);
  if (failed(scaled)) {
    parts.discard();
    return failure();
  }
  Operation *whole = root;
  Operation *scaledOp = (*scaled)->value.getDefiningOp();
  scaledOp->setDiscardableAttrs(whole->getDiscardableAttrDictionary());
  BuiltTerms terms{whole, source, {}, std::nullopt};
  if (*constant) {
    auto result = cast<OpResult>((*constant)->value);
    terms.constant = PlannedTerm{result.getOwner(), result.getResultNumber(),
                                 (*constant)->dims};
    toTake[scaledOp].push_back(*terms.constant);
    auxiliaries.ops.insert(result.getOwner());
  }
  auxiliaries.terms.push_back(terms);
  rename(whole, scaledOp);
  SmallVector<Value> operands(whole->getOperands());
  rewriter.replaceOp(whole, scaledOp);
  for (Value operand : operands)
    if (Operation *op = operand.getDefiningOp())
      eraseDead(rewriter, op);
  return toTake.empty() ? success() : attach(scaledOp, refusal);
}

LogicalResult Round::differentiate(const PlannedRepair &repair,
                                   const PlannedFactor &factor, Value source,
                                   Series &series, Refusal &refusal) {
  // Each derivative is the derivative of the previous one. Its dimensions refer
  // to those of the previous one.
  SmallVector<PlannedTerm> derivatives;
  Operation *op = repair.accumulator;
  for (unsigned i = 0; i < factor.value.degree.coefficient; ++i) {
    FailureOr<std::optional<Tangent>> tangent =
        series.build(op, repair.accumulator, refusal);
    if (failed(tangent))
      return failure();
    if (!*tangent)
      break;
    auto result = dyn_cast_or_null<OpResult>((*tangent)->value);
    if (!result)
      return refusal.set(RefusalKind::Other, op,
                         "expected the derivative of " + nameOf(op) +
                             " to be accumulated");
    PlannedTerm derivative{result.getOwner(), result.getResultNumber(), {}};
    for (int64_t dim : (*tangent)->dims)
      derivative.dims.push_back(
          derivatives.empty() ? dim : derivatives.back().dims[dim]);
    derivatives.push_back(derivative);
    op = result.getOwner();
  }
  toTake[repair.accumulator].append(derivatives);

  // The derivatives of the first derivative are the higher ones, and so on.
  auxiliaries.terms.push_back(
      {repair.accumulator, source, derivatives, std::nullopt});
  for (unsigned i = 0; i + 1 < derivatives.size(); ++i) {
    SmallVector<PlannedTerm> higher(ArrayRef(derivatives).drop_front(i + 1));
    for (PlannedTerm &derivative : higher)
      for (int64_t &dim : derivative.dims)
        dim = std::distance(derivatives[i].dims.begin(),
                            llvm::find(derivatives[i].dims, dim));
    auxiliaries.terms.push_back(
        {derivatives[i].op, source, higher, std::nullopt});
    toTake[derivatives[i].op].append(higher);
  }
  for (const PlannedTerm &derivative : derivatives)
    auxiliaries.ops.insert(derivative.op);
  return success();
}

/// Updates all records of `from`, which was replaced by `to`.
void Round::rename(Operation *from, Operation *to) {
  if (root == from)
    root = to;
  for (BuiltTerms &built : auxiliaries.terms) {
    if (built.accumulator == from)
      built.accumulator = to;
    for (PlannedTerm &derivative : built.derivatives)
      if (derivative.op == from)
        derivative.op = to;
    if (built.constant && built.constant->op == from)
      built.constant->op = to;
  }
  for (auto &[accumulator, derivatives] : toTake)
    for (PlannedTerm &derivative : derivatives)
      if (derivative.op == from)
        derivative.op = to;
  if (auxiliaries.ops.erase(from))
    auxiliaries.ops.insert(to);
  // The additional operands come after those that `accumulator` takes already.
  SmallVector<unsigned> numbers;
  for (auto [op, number] : auxiliaries.operands)
    if (op == from)
      numbers.push_back(number);
  for (unsigned number : numbers) {
    auxiliaries.operands.remove({from, number});
    auxiliaries.operands.insert({to, number});
  }
}

/// Lets `accumulator` take its derivatives as operands.
LogicalResult Round::attach(Operation *accumulator, Refusal &refusal) {
  unsigned first = 0;
  FailureOr<linalg::GenericOp> taking =
      addUnreadOperands(rewriter, accumulator, toTake[accumulator], first);
  if (failed(taking))
    return refusal.set(RefusalKind::Other, accumulator,
                       "expected a structured op with one result to follow a "
                       "polynomial, got " +
                           nameOf(accumulator));
  for (unsigned i = 0; i < toTake[accumulator].size(); ++i)
    auxiliaries.operands.insert({*taking, first + i});
  // A source is a result of an op that may be replaced.
  for (BuiltTerms &built : auxiliaries.terms)
    if (auto result = dyn_cast<OpResult>(built.source);
        result && result.getOwner() == accumulator)
      built.source = (*taking)->getResult(result.getResultNumber());
  rename(accumulator, *taking);
  rewriter.replaceOp(accumulator, *taking);
  return success();
}

LogicalResult Round::run(Refusal &refusal) {
  // Start with the last factor: its source is computed from the others, and
  // usually the last that is applied to the accumulator.
  if (const PlannedRepair *repair = plan.lookupRepair(plan.root))
    for (const PlannedFactor &factor : llvm::reverse(repair->factors)) {
      if (factor.value.degree.kind != RepairKind::Affine)
        continue;
      Refusal whyNot; // planning says that it is one of the inseparable
      if (failed(separate(factor, whyNot)))
        auxiliaries.inseparable.insert(
            factor.source->getResult(factor.resultNumber));
      return success();
    }
  return buildPolynomials(refusal);
}

LogicalResult Round::buildPolynomials(Refusal &refusal) {
  llvm::MapVector<
      Value,
      SmallVector<std::pair<const PlannedRepair *, const PlannedFactor *>>>
      lacking;
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      if (factor.value.degree.kind == RepairKind::Polynomial &&
          factor.derivatives.empty())
        lacking[factor.source->getResult(factor.resultNumber)].push_back(
            {&repair, &factor});
  // 1. Find the deferred sources.
  SmallVector<Value> leftOut;
  if (const PlannedRepair *repair = plan.lookupRepair(plan.root))
    for (const PlannedFactor &factor : repair->factors)
      if (factor.deferred)
        leftOut.push_back(factor.source->getResult(factor.resultNumber));

  // 2. Build references and derivatives.
  for (auto &[source, factors] : lacking) {
    Value reference = takeReference(source);
    Series series(rewriter, plan, reference, leftOut);
    for (auto [repair, factor] : factors)
      if (failed(differentiate(*repair, *factor, reference, series, refusal)))
        return failure();
  }

  // 3. Let the accumulators take the derivatives. This replaces ops that the
  //    plan refers to, so it comes last.
  SmallVector<Operation *> accumulators;
  for (auto &[accumulator, derivatives] : toTake)
    accumulators.push_back(accumulator);
  for (Operation *accumulator : accumulators)
    if (failed(attach(accumulator, refusal)))
      return failure();
  return success();
}

/// Adds the ops that compute the values of `worklist` to `reached`, then the
/// ops that compute their operands, and so on. Stops at ops for which `isEnd`
/// is true, and skips the operands in `skipped`.
static void
addProducers(SetVector<Operation *> &reached, ArrayRef<Value> worklist,
             function_ref<bool(Operation *)> isEnd,
             const SetVector<std::pair<Operation *, unsigned>> &skipped) {
  SmallVector<Value> values(worklist);
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || isEnd(op) || !reached.insert(op))
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (!skipped.contains({op, operand.getOperandNumber()}))
        values.push_back(operand.get());
  }
}

/// Fails if a derivative is computed from values outside of the loops of `plan`
/// that depend on the final states. A repair needs the derivative at the
/// current states. (The root may read such a value: it is constant with respect
/// to the derivative.)
static LogicalResult checkDerivatives(const FusionPlan &plan,
                                      const AuxiliaryAccumulators &auxiliaries,
                                      Refusal &refusal) {
  SetVector<Operation *> ofProgram, ofDerivatives;
  SmallVector<Value> derivatives;
  for (auto [op, number] : auxiliaries.operands)
    derivatives.push_back(op->getOperand(number));
  addProducers(
      ofProgram, plan.root->getResult(0), [](Operation *) { return false; },
      auxiliaries.operands);
  auto isOfLoops = [&](Operation *op) {
    const PlannedProducer *producer = plan.levels[plan.firstLevel].lookup(op);
    return producer && producer->fused;
  };
  addProducers(ofDerivatives, derivatives,
               [&](Operation *op) { return ofProgram.contains(op); }, {});
  for (Operation *op : ofDerivatives)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          !isOfLoops(op) && !isa<tensor::DimOp>(op) && // a size has no state
          producer && plan.isStateDependent(producer))
        return refusal.set(RefusalKind::NotRepairable, op,
                           "a derivative reads " + nameOf(op) +
                               " outside of the loops, where it follows the "
                               "final value of " +
                               nameOf(producer));
  return success();
}

FailureOr<CompletePlan>
mlir::linalg_ext::buildDerivatives(RewriterBase &rewriter,
                                   const FusionPlan &plan, Refusal &refusal) {
  CompletePlan complete{plan, {}};
  for (unsigned round = 0; complete.plan.needsDerivatives; ++round) {
    if (round == kMaxRounds)
      return refusal.set(
          RefusalKind::Other, plan.root,
          "derivatives of derivatives depend on more and more states");
    Round current(rewriter, complete.plan, complete.auxiliaries);
    if (failed(current.run(refusal)))
      return failure();
    FailureOr<FusionPlan> next = planWithAuxiliaries(
        current.getRoot(), plan.options, complete.auxiliaries,
        /*whyNot=*/Refusal(), refusal);
    if (failed(next))
      return failure();
    complete.plan = *next;
    if (failed(checkDerivatives(complete.plan, complete.auxiliaries, refusal)))
      return failure();
  }
  // A root with only one of its parts would compute a different result.
  for (const BuiltTerms &built : complete.auxiliaries.terms) {
    if (!built.constant)
      continue;
    const PlannedRepair *ofRoot =
        complete.plan.lookupRepair(complete.plan.root);
    if (!ofRoot || !getFinalFactors(complete.plan, *ofRoot).unscaled)
      return refusal.set(RefusalKind::Other, complete.plan.root,
                         "the loops do not carry the parts of " +
                             nameOf(complete.plan.root));
  }
  return complete;
}
