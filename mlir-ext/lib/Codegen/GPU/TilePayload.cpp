//===- TilePayload.cpp - Vector form of a structured op -------------------===//
//
// Evaluates the payload of a structured op on TileValues. An elementwise op
// broadcasts its operands only to the dims that at least one of them has. A
// reduction becomes one vector.multi_reduction. If it sums a product whose
// factors lack dimensions of each other, it becomes one vector.contract
// instead, and the product is not built. An arg-max reduces three times: to the
// extreme, to the first position of the extreme, and to what is there.
//
//===----------------------------------------------------------------------===//

#include "TilePayload.h"

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
mlir::linalg_ext::getOperandBounds(linalg::LinalgOp op, OpOperand &operand,
                                   const TilePayloadPlan &plan) {
  SmallVector<int64_t> bounds;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bounds.push_back(dim ? plan.shape.bounds[dim.getPosition()] : 1);
  }
  return bounds;
}

/// Returns an op of `payload` that cannot be evaluated on vectors; null if all
/// can be.
static Operation *findScalarOp(Region &payload, Block &block);

/// Whether `op`, of the payload of a structured op, can be evaluated on
/// vectors.
static bool isVectorizable(Operation *op, Region &payload) {
  if (isa<linalg::YieldOp, scf::YieldOp, linalg::IndexOp, affine::AffineApplyOp,
          arith::ConstantOp>(op) ||
      isElementwisePayload(op))
    return true;
  // Both branches are evaluated, and what they read is masked.
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branch.getNumResults() > 0 &&
           llvm::all_of(branch->getRegions(), [&](Region &region) {
             return !findScalarOp(payload, region.front()) &&
                    llvm::all_of(region.front().without_terminator(),
                                 [](Operation &nested) {
                                   return isa<scf::IfOp, tensor::ExtractOp>(
                                              nested) ||
                                          isSpeculatable(&nested);
                                 });
           });
  // A table in memory. From a view with strides nothing can be gathered by one
  // index, so a reshape has to be of whole memory.
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract || payload.isAncestor(extract.getTensor().getParentRegion()))
    return false;
  Value table = extract.getTensor();
  bool isReshaped = false;
  while (Operation *def = table.getDefiningOp()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(def);
    bool isReshape = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def);
    if (slice && (isReshaped || !slice.hasUnitStride()))
      return false;
    if (!slice && !isReshape && !isa<tensor::CastOp>(def))
      break;
    isReshaped |= isReshape;
    table = def->getOperand(0);
  }
  return isa<RankedTensorType>(table.getType());
}

static Operation *findScalarOp(Region &payload, Block &block) {
  for (Operation &op : block)
    if (!isVectorizable(&op, payload))
      return &op;
  return nullptr;
}

/// Whether the results of `map` are different dimensions or, if that is
/// allowed, 0 (AffineMap::isProjectedPermutation wants no more results than
/// dimensions).
static bool picksDims(AffineMap map, bool allowZeros) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (allowZeros && expr == getAffineConstantExpr(0, map.getContext()))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// The extent of the iteration domain, from those of the operands.
static LogicalResult computeDomain(linalg::LinalgOp op,
                                   ArrayRef<TileShape> shapes,
                                   TileShape &domain, Refusal &refusal) {
  unsigned numLoops = op.getNumLoops();
  domain.bounds.assign(numLoops, ShapedType::kDynamic);
  domain.sizes.assign(numLoops, OpFoldResult());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!picksDims(map, /*allowZeros=*/!op.isDpsInit(&operand)))
      return refusal.set(RefusalKind::Other, op,
                         "an indexing map is no projected permutation");
    const TileShape &shape = shapes[operand.getOperandNumber()];
    for (auto [number, expr] : llvm::enumerate(map.getResults())) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      if (!dimExpr) {
        if (shape.bounds[number] == 1)
          continue;
        return refusal.set(RefusalKind::Other, op,
                           "an indexing map picks an element of a dimension");
      }
      unsigned dim = dimExpr.getPosition();
      int64_t &bound = domain.bounds[dim];
      if (ShapedType::isDynamic(bound) || shape.bounds[number] < bound)
        bound = shape.bounds[number];
      OpFoldResult &size = domain.sizes[dim];
      if (!size || (!getConstantIntValue(size) &&
                    getConstantIntValue(shape.sizes[number])))
        size = shape.sizes[number];
    }
  }
  if (llvm::is_contained(domain.bounds, ShapedType::kDynamic))
    return refusal.set(RefusalKind::Other, op,
                       "an iteration dimension belongs to no operand");
  return success();
}

/// How `op` chooses among terms. None if it has another form, or chooses along
/// several dimensions.
static std::optional<TileChoice> matchChoice(linalg::LinalgOp op) {
  auto repairable = dyn_cast<RepairableOpInterface>(op.getOperation());
  if (!repairable || op.getNumDpsInits() < 2)
    return std::nullopt;
  FailureOr<Accumulation> accumulation = repairable.getAccumulation();
  if (failed(accumulation) || accumulation->carried.empty() ||
      accumulation->dims.size() != 1)
    return std::nullopt;
  bool isMax = accumulation->kind == AccumulationKind::Max;
  TileChoice choice;
  choice.output = accumulation->resultNumber;
  choice.neutral = accumulation->neutral;
  choice.dim = accumulation->dims.front();
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  Value acc = op.getRegionOutputArgs()[choice.output];
  Operation *extreme = yielded[choice.output].getDefiningOp();
  if (isa_and_nonnull<arith::SelectOp>(extreme)) // a NaN is not better
    choice.kind =
        isMax ? vector::CombiningKind::MAXNUMF : vector::CombiningKind::MINNUMF;
  else if (std::optional<vector::CombiningKind> kind =
               extreme ? linalg::getCombinerOpKind(extreme) : std::nullopt)
    choice.kind = *kind;
  else
    return std::nullopt;
  for (auto [number, value] : llvm::enumerate(yielded)) {
    choice.chosen.push_back({});
    if (number == choice.output)
      continue;
    auto select = value.getDefiningOp<arith::SelectOp>();
    auto comparison =
        select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
    if (!comparison)
      return std::nullopt;
    choice.chosen.back() = select.getTrueValue();
    choice.term = comparison.getLhs() == acc ? comparison.getRhs()
                                             : comparison.getLhs();
  }
  return choice;
}

FailureOr<TilePayloadPlan>
mlir::linalg_ext::planTilePayload(linalg::LinalgOp op,
                                  ArrayRef<TileShape> shapes,
                                  int64_t maxElements, Refusal &refusal) {
  TilePayloadPlan plan;
  if (failed(computeDomain(op, shapes, plan.shape, refusal)))
    return failure();
  if (Operation *nested = findScalarOp(op->getRegion(0), *op.getBlock()))
    return refusal.set(RefusalKind::Other, nested,
                       "the payload has '" + nested->getName().getStringRef() +
                           "', which has no vector form");
  for (Type type : op.getBlock()->getArgumentTypes())
    if (!type.isIntOrIndexOrFloat())
      return refusal.set(RefusalKind::Other, op,
                         "the element type has no vectors");

  plan.choice = matchChoice(op);
  for (OpOperand &output : op.getDpsInitsMutable()) {
    int64_t numElements = 1;
    for (int64_t bound : getOperandBounds(op, output, plan))
      numElements *= bound;
    if (numElements > maxElements)
      return refusal.set(RefusalKind::Other, op,
                         "a tile of " + Twine(numElements) +
                             " elements is larger than " + Twine(maxElements));
    AffineMap map = op.getMatchingIndexingMap(&output);
    if (map.getNumResults() == op.getNumLoops() || plan.choice) {
      plan.combiners.push_back(nullptr);
      plan.combined.push_back(nullptr);
      continue;
    }
    SmallVector<Operation *> combiners;
    Value combined = matchReduction(op.getRegionOutputArgs(),
                                    plan.combiners.size(), combiners);
    if (!combined || combiners.size() != 1 ||
        !linalg::getCombinerOpKind(combiners.front()) ||
        !arith::getNeutralElement(combiners.front()))
      return refusal.set(
          RefusalKind::Other, op,
          "an output is not reduced by one op with a neutral element");
    // What is no contraction is a vector of the whole domain.
    Operation *product = combined.getDefiningOp();
    int64_t numTerms = 1;
    for (int64_t bound : plan.shape.bounds)
      numTerms *= bound;
    if (numTerms > maxElements &&
        !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
      return refusal.set(RefusalKind::Other, op,
                         "a reduction of " + Twine(numTerms) +
                             " elements is larger than " + Twine(maxElements));
    plan.combiners.push_back(combiners.front());
    plan.combined.push_back(combined);
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Build
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates the payload of `op`. What nobody needs is not built. Both branches
/// of an `scf.if` are evaluated, for all elements: only what a branch reads is
/// masked by the condition of the branch, its guard.
class PayloadBuilder {
public:
  PayloadBuilder(OpBuilder &b, linalg::LinalgOp op, const TilePayloadPlan &plan,
                 function_ref<TileValue(OpOperand &, ArrayRef<int64_t>)> read)
      : b(b), op(op), loc(op.getLoc()), plan(plan), read(read) {}

  TileValue evaluate(Value value);
  TileValue reduce(unsigned output);
  SmallVector<TileValue> choose(const TileChoice &choice);

private:
  Value reduce(vector::CombiningKind kind, Value vector,
               const TileValue &accumulator, ArrayRef<int64_t> dims,
               ArrayRef<int64_t> reduced, SmallVector<int64_t> &kept);
  TileValue evaluateArgument(BlockArgument arg);
  TileValue evaluateAffine(AffineExpr expr, ArrayRef<TileValue> dims,
                            ArrayRef<TileValue> symbols);
  std::optional<TileValue> evaluateByBits(AffineBinaryOpExpr expr,
                                          const TileValue &lhs);
  TileValue evaluateBranch(scf::IfOp branch, unsigned number);
  std::optional<TileValue> getGuard(Block *block);
  TileValue gather(tensor::ExtractOp op);
  TileValue gatherRows(Value table, SmallVector<Value> offsets,
                       ArrayRef<TileValue> indices,
                       std::optional<TileValue> guard);
  TileValue readGuarded(tensor::ExtractOp extract, Value table,
                         ValueRange indices, Value guard);
  TileValue evaluateTableIndex(tensor::ExtractOp extract, unsigned number,
                                Value index);
  template <typename OpTy>
  TileValue createIndexOp(const TileValue &lhs, const TileValue &rhs);
  SmallVector<int64_t> getMaskedDims(ArrayRef<int64_t> dims) const;
  std::optional<TileValue> contract(Operation *combiner, Value product,
                                    const TileValue &accumulator,
                                    ArrayRef<int64_t> reduced);

  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  const TilePayloadPlan &plan;
  function_ref<TileValue(OpOperand &, ArrayRef<int64_t>)> read;
  DenseMap<Value, TileValue> values;
};
} // namespace

/// Whether `def` is in the payload of `op`.
static bool isIn(Operation *def, linalg::LinalgOp op) {
  return op->getRegion(0).isAncestor(def->getParentRegion());
}

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

template <typename OpTy>
TileValue PayloadBuilder::createIndexOp(const TileValue &lhs,
                                        const TileValue &rhs) {
  SmallVector<int64_t> dims = getCommonDims({lhs, rhs});
  Value left = broadcastTo(b, loc, lhs, dims, plan.shape.bounds);
  Value right = broadcastTo(b, loc, rhs, dims, plan.shape.bounds);
  return {b.createOrFold<OpTy>(loc, left, right), dims};
}

/// Whether `index` counts along its only dim. If so, sets `from` to the scalar
/// that it starts from, or to null for 0.
static bool isCount(const TileValue &index, Value &from) {
  from = Value();
  if (index.value.getDefiningOp<vector::StepOp>())
    return true;
  auto add = index.value.getDefiningOp<arith::AddIOp>();
  for (unsigned i : {0, 1}) {
    if (!add || !add->getOperand(i).getDefiningOp<vector::StepOp>())
      continue;
    auto start = add->getOperand(1 - i).getDefiningOp<vector::BroadcastOp>();
    if (start && !isa<VectorType>(start.getSourceType())) {
      from = start.getSource();
      return true;
    }
  }
  return false;
}

/// A quotient or remainder by a power of two: floors shift and mask negative
/// numbers like others. If all of a tile has one quotient, that is a scalar,
/// and the remainders count, too.
std::optional<TileValue> PayloadBuilder::evaluateByBits(AffineBinaryOpExpr expr,
                                                        const TileValue &lhs) {
  auto divisor = dyn_cast<AffineConstantExpr>(expr.getRHS());
  if (!divisor || divisor.getValue() <= 0 ||
      !llvm::isPowerOf2_64(divisor.getValue()))
    return std::nullopt;
  auto getConstant = [&](int64_t value) -> TileValue {
    return {arith::ConstantIndexOp::create(b, loc, value), {}};
  };
  TileValue bits = getConstant(llvm::Log2_64(divisor.getValue())),
            low = getConstant(divisor.getValue() - 1);
  Value from;
  int64_t size = lhs.dims.size() == 1 ? plan.shape.bounds[lhs.dims[0]] : 0;
  bool isOne = size > 0 && isCount(lhs, from) &&
               divisor.getValue() % size == 0 &&
               (!from || vector_ext::getKnownDivisor(from) % size == 0);
  TileValue start = from ? TileValue{from, {}} : getConstant(0);
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return createIndexOp<arith::ShRSIOp>(isOne ? start : lhs, bits);
  case AffineExprKind::Mod: {
    if (!isOne)
      return createIndexOp<arith::AndIOp>(lhs, low);
    Value step = vector::StepOp::create(
        b, loc, VectorType::get({size}, b.getIndexType()));
    if (!from)
      return TileValue{step, lhs.dims};
    return createIndexOp<arith::AddIOp>(
        {step, lhs.dims}, createIndexOp<arith::AndIOp>(start, low));
  }
  default:
    return std::nullopt;
  }
}

TileValue PayloadBuilder::evaluateAffine(AffineExpr expr,
                                         ArrayRef<TileValue> dims,
                                         ArrayRef<TileValue> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {arith::ConstantIndexOp::create(b, loc, constant.getValue()), {}};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  TileValue lhs = evaluateAffine(binary.getLHS(), dims, symbols);
  TileValue rhs = evaluateAffine(binary.getRHS(), dims, symbols);
  if (std::optional<TileValue> bits = evaluateByBits(binary, lhs))
    return *bits;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return createIndexOp<arith::AddIOp>(lhs, rhs);
  case AffineExprKind::Mul:
    return createIndexOp<arith::MulIOp>(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return createIndexOp<arith::FloorDivSIOp>(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return createIndexOp<arith::CeilDivSIOp>(lhs, rhs);
  default: {
    // The remainder has the sign of the divisor, which is positive.
    TileValue quotient = createIndexOp<arith::FloorDivSIOp>(lhs, rhs);
    return createIndexOp<arith::SubIOp>(
        lhs, createIndexOp<arith::MulIOp>(quotient, rhs));
  }
  }
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

/// Whether `value`, in the payload of `op`, depends on elements of tensors.
static bool isOfElements(Value value, linalg::LinalgOp op) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (auto arg = dyn_cast<BlockArgument>(values[i])) {
      if (arg.getOwner() == op.getBlock() &&
          isa<ShapedType>(op.getMatchingOpOperand(arg)->get().getType()))
        return true;
      continue;
    }
    Operation *def = values[i].getDefiningOp();
    if (!isIn(def, op))
      continue;
    if (isa<tensor::ExtractOp>(def))
      return true;
    values.insert_range(def->getOperands());
    for (Region &region : def->getRegions())
      values.insert_range(region.front().getTerminator()->getOperands());
  }
  return false;
}

/// The condition under which ops in `block` of the payload are executed; none
/// if they always are.
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

/// Whether the vector of `value`, which `block` yields, is 0 where the guard of
/// `block` does not hold: it is 0, or read in `block`.
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

/// Result `number` of `branch`.
TileValue PayloadBuilder::evaluateBranch(scf::IfOp branch, unsigned number) {
  Value then = branch.thenYield().getOperand(number);
  Value otherwise = branch.elseYield().getOperand(number);
  TileValue chosen = evaluate(then);
  // What a guard masks is 0 already.
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

/// Index `number` of `extract` into its table. One that is read from memory
/// stays in the table: what a mask takes away afterwards, as entries of a table
/// of pages behind the last one, may be anything. A guard masks the read.
TileValue PayloadBuilder::evaluateTableIndex(tensor::ExtractOp extract,
                                              unsigned number, Value index) {
  TileValue result = evaluate(index);
  if (extract->getBlock() != op.getBlock() || !isOfElements(index, op))
    return result;
  Value size = getValueOrCreateConstantIndexOp(
      b, loc, tensor::getMixedSize(b, loc, extract.getTensor(), number));
  Value last = b.createOrFold<arith::SubIOp>(
      loc, size, arith::ConstantIndexOp::create(b, loc, 1));
  return createIndexOp<arith::MinUIOp>(result, {last, {}});
}

/// The element of `table` at `indices` if `guard` holds, else 0.
TileValue PayloadBuilder::readGuarded(tensor::ExtractOp extract, Value table,
                                       ValueRange indices, Value guard) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(extract.getType()));
  auto type = cast<RankedTensorType>(table.getType());
  if (type.hasStaticShape() && type.getNumElements() > 0) {
    // No branch: an element that is there is read instead.
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> guarded;
    for (Value index : indices)
      guarded.push_back(arith::SelectOp::create(b, loc, guard, index, first));
    Value element = tensor::ExtractOp::create(b, loc, table, guarded);
    return {arith::SelectOp::create(b, loc, guard, element, zero), {}};
  }
  auto branch = scf::IfOp::create(
      b, loc, guard,
      [&](OpBuilder &b, Location loc) {
        Value element = tensor::ExtractOp::create(b, loc, table, indices);
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, zero); });
  return {branch.getResult(0), {}};
}

/// The elements of `table` at `offsets` plus `indices`. An index that counts
/// needs no vector.
TileValue PayloadBuilder::gatherRows(Value table, SmallVector<Value> offsets,
                                     ArrayRef<TileValue> indices,
                                     std::optional<TileValue> guard) {
  SmallVector<int64_t> dims;
  for (const TileValue &index : indices)
    unite(dims, index.dims);
  if (guard)
    unite(dims, guard->dims);
  llvm::sort(dims);
  MLIRContext *context = b.getContext();
  auto getExprs = [&](ArrayRef<int64_t> some) {
    return llvm::map_to_vector(some, [&](int64_t dim) {
      return getAffineDimExpr(llvm::find(dims, dim) - dims.begin(), context);
    });
  };
  // A dim counts along one dimension of the table, the innermost one.
  SmallVector<AffineExpr> position(indices.size(),
                                   getAffineConstantExpr(0, context));
  llvm::SmallDenseSet<int64_t> counted;
  for (int64_t dim = indices.size() - 1; dim >= 0; --dim) {
    const TileValue &index = indices[dim];
    Value from;
    if (index.dims.empty() || !isCount(index, from) ||
        !counted.insert(index.dims.front()).second)
      continue;
    position[dim] = getExprs(index.dims).front();
    if (from)
      offsets[dim] = b.createOrFold<arith::AddIOp>(loc, offsets[dim], from);
  }
  SmallVector<Value> vectors;
  SmallVector<AffineMap> maps(1);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (index.dims.empty() || isa<AffineDimExpr>(position[dim]))
      continue;
    position[dim] = getAffineSymbolExpr(vectors.size(), context);
    vectors.push_back(index.value);
    maps.push_back(
        AffineMap::get(dims.size(), 0, getExprs(index.dims), context));
  }
  maps.front() = AffineMap::get(dims.size(), vectors.size(), position, context);

  // What is beyond the tile is not read.
  std::optional<TileValue> mask = guard;
  if (SmallVector<int64_t> masked = getMaskedDims(dims); !masked.empty()) {
    mask = {createTileMask(b, loc, masked, plan.shape, masked), masked};
    if (guard)
      mask = createIndexOp<arith::AndIOp>(*mask, *guard);
  }
  Value bits;
  if (mask) {
    if (mask->dims.empty())
      mask = {broadcastTo(b, loc, *mask, dims.front(), plan.shape.bounds),
              {dims.front()}};
    bits = mask->value;
    maps.push_back(
        AffineMap::get(dims.size(), 0, getExprs(mask->dims), context));
  }
  Type type = getTileValueType(dims, plan.shape.bounds,
                               getElementTypeOrSelf(table.getType()));
  return {vector_ext::TransferGatherOp::create(b, loc, type, table, offsets,
                                               vectors, bits,
                                               b.getAffineMapArrayAttr(maps)),
          dims, /*isZeroPadded=*/true};
}

/// The elements of a table at indices that may differ from element to element.
TileValue PayloadBuilder::gather(tensor::ExtractOp op) {
  TensorView view =
      getTensorView(b, loc, op.getTensor(), [](Value) { return true; });
  Value table = view.source;
  // 1. Indices into what the table is a part of.
  SmallVector<Value> offsets =
      getValueOrCreateConstantIndexOp(b, loc, view.offsets);
  SmallVector<TileValue> varying(offsets.size());
  for (auto [number, index] : llvm::enumerate(op.getIndices())) {
    TileValue part = evaluateTableIndex(op, number, index);
    int64_t dim = view.dims[number];
    if (part.dims.empty())
      offsets[dim] =
          b.createOrFold<arith::AddIOp>(loc, offsets[dim], part.value);
    else
      varying[dim] = part;
  }
  std::optional<TileValue> guard = getGuard(op->getBlock());
  bool isUniform = (!guard || guard->dims.empty()) &&
                   llvm::all_of(varying, [](const TileValue &index) {
                     return index.dims.empty();
                   });
  if (isUniform) {
    if (guard)
      return readGuarded(op, table, offsets, guard->value);
    return {tensor::ExtractOp::create(b, loc, table, offsets), {}};
  }

  // 2. Elements of rows are next to each other.
  Value from;
  if (!varying.empty() && !varying.back().dims.empty() &&
      isCount(varying.back(), from))
    return gatherRows(table, offsets, varying, guard);

  // 3. One index in row-major order, into the table as a row.
  TileValue linear;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    TileValue index = {offset, {}};
    if (!varying[dim].dims.empty())
      index = createIndexOp<arith::AddIOp>(index, varying[dim]);
    if (dim == 0) {
      linear = index;
      continue;
    }
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, table, dim));
    linear = createIndexOp<arith::AddIOp>(
        createIndexOp<arith::MulIOp>(linear, {size, {}}), index);
  }
  if (guard) {
    SmallVector<int64_t> dims = getCommonDims({linear, *guard});
    linear = {broadcastTo(b, loc, linear, dims, plan.shape.bounds), dims};
  }
  Type elementType = op.getType();
  auto type = cast<VectorType>(
      getTileValueType(linear.dims, plan.shape.bounds, elementType));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  // What is beyond the tile has no index.
  Value mask = createTileMask(b, loc, linear.dims, plan.shape,
                              getMaskedDims(linear.dims));
  if (guard)
    mask = b.createOrFold<arith::AndIOp>(
        loc, mask, broadcastTo(b, loc, *guard, linear.dims, plan.shape.bounds));
  Value others = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  if (offsets.size() > 1) {
    SmallVector<ReassociationIndices> all(1);
    llvm::append_range(all[0], llvm::seq<int64_t>(offsets.size()));
    table = tensor::CollapseShapeOp::create(b, loc, table, all);
  }
  return {vector::GatherOp::create(b, loc, type, table, zero, linear.value,
                                   mask, others),
          linear.dims};
}

SmallVector<int64_t>
PayloadBuilder::getMaskedDims(ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> masked;
  for (int64_t dim : dims)
    if (plan.shape.isMasked(dim))
      masked.push_back(dim);
  return masked;
}

/// The vector that `vector` is an extension of; null if it is none.
static Value getExtended(const TileValue &vector) {
  Operation *def = vector.value.getDefiningOp();
  return def && isa<arith::ExtFOp, arith::ExtSIOp>(def) ? def->getOperand(0)
                                                        : Value();
}

/// Sums `product` along `reduced` if it is one whose factors differ in their
/// dims.
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
  // What is beyond the tile must not count: 0 times NaN is not 0.
  SmallVector<int64_t> masked = getMaskedDims(reduced);
  for (TileValue &factor : factors)
    if (!masked.empty() && !factor.isZeroPadded)
      factor = selectInside(
          b, loc, factor, plan.shape, masked,
          b.getZeroAttr(getElementTypeOrSelf(factor.value.getType())));

  // The result has the dims of the factors that are not reduced; those only the
  // accumulator has are not part of a contraction.
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
  // The vector form of a contraction keeps its config.
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

SmallVector<TileValue> PayloadBuilder::choose(const TileChoice &choice) {
  // 1. The extreme of the tile and of what has been chosen.
  int64_t bound = plan.shape.bounds[choice.dim];
  TileValue accumulator =
      evaluate(op.getRegionOutputArgs()[choice.output]);
  TileValue term = evaluate(choice.term);
  SmallVector<int64_t> dims = term.dims, kept;
  unite(dims, {choice.dim});
  unite(dims, accumulator.dims);
  term = {broadcastTo(b, loc, term, dims, plan.shape.bounds), dims};
  if (SmallVector<int64_t> masked = getMaskedDims({choice.dim});
      !masked.empty())
    term = selectInside(b, loc, term, plan.shape, masked, choice.neutral);
  TileValue extreme;
  extreme.value = reduce(choice.kind, term.value, accumulator, dims,
                         {choice.dim}, extreme.dims);
  kept = extreme.dims;

  // 2. Its first position; and whether it is another than before.
  Type i32 = b.getI32Type();
  Value steps = arith::IndexCastOp::create(
      b, loc, VectorType::get({bound}, i32),
      vector::StepOp::create(b, loc,
                             VectorType::get({bound}, b.getIndexType())));
  Value all = broadcastTo(b, loc, extreme, dims, plan.shape.bounds);
  Value isExtreme = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                          term.value, all);
  Value positions = broadcastTo(b, loc, {steps, {choice.dim}}, dims,
                                plan.shape.bounds);
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
                       {noPosition, {}}, dims, {choice.dim}, first.dims);
  Value isFirst = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq, positions,
      broadcastTo(b, loc, first, dims, plan.shape.bounds));
  bool isMax = choice.kind == vector::CombiningKind::MAXIMUMF ||
               choice.kind == vector::CombiningKind::MAXNUMF;
  Value isBetter = arith::CmpFOp::create(
      b, loc, isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
      extreme.value,
      broadcastTo(b, loc, accumulator, kept, plan.shape.bounds));

  // 3. What goes with it: the sum of that one and of zeros.
  SmallVector<TileValue> results;
  for (auto [number, chosen] : llvm::enumerate(choice.chosen)) {
    if (number == choice.output) {
      results.push_back(extreme);
      continue;
    }
    Value terms =
        broadcastTo(b, loc, evaluate(chosen), dims, plan.shape.bounds);
    Type element = getElementTypeOrSelf(terms.getType());
    Value zeros = makeConstant(terms.getType(), b.getZeroAttr(element));
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    Value masked = arith::SelectOp::create(b, loc, isFirst, terms, zeros);
    SmallVector<int64_t> same;
    Value sum = reduce(vector::CombiningKind::ADD, masked, {zero, {}}, dims,
                       {choice.dim}, same);
    TileValue before = evaluate(op.getRegionOutputArgs()[number]);
    results.push_back(
        {arith::SelectOp::create(
             b, loc, isBetter, sum,
             broadcastTo(b, loc, before, kept, plan.shape.bounds)),
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
  if (plan.choice && plan.shape.bounds[plan.choice->dim] != 1)
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
