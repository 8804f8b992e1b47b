//===- StreamGathers.cpp - Rings in place of gathered tensors -------------===//
//
// Reductions over a dimension that has been gathered need not wait for all of
// it, nor hold it. With part p of the tensors at hand, each process computes
// what it can, while the next part travels around a ring of the processes:
//
//   for step in 0 .. P - 1
//     start to send part (i - step) mod P, and to receive the next one
//     s', o' = reduce(part (i - step) mod P, from the identity)
//     s, o   = combine(s, s'), rho(s -> s) o + rho(s' -> s) o'
//     wait
//
// (s and o are what is accumulated: states of online reductions, and
// accumulations of their partial results or of anything else. The steps are
// unrolled.) Accumulators are in memory between two steps: a step must have
// read a part before the next part overwrites it.
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
/// A value with a dimension of which a step has a part.
struct Streamed {
  int64_t dim = 0;
  /// Set if the value depends on the state of an online reduction.
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// What the steps accumulate.
struct Accumulator {
  OpResult result;
  /// Whether it is a state of an online reduction. If not, a repair for it if
  /// `reduction` is set.
  bool isState = false;
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// Gathers that one loop over their parts replaces.
class Ring {
public:
  Ring(RuntimeCalls &calls, ArrayRef<AllGatherOp> gathers)
      : calls(calls), gathers(gathers) {}

  /// Finds what the steps compute. Emits an error if parts do not suffice.
  LogicalResult plan();
  /// Replaces the gathers. Emits an error if states cannot be combined.
  LogicalResult build();

private:
  LogicalResult planOp(Operation *op);
  LogicalResult planStructured(Operation *op, int64_t loop);
  LogicalResult planReshape(Operation *op);
  LogicalResult planSlice(tensor::ExtractSliceOp op);
  LogicalResult planConcat(tensor::ConcatOp op);
  FailureOr<int64_t> getLoop(Operation *op);

  SmallVector<OpFoldResult> getPartSizes(ImplicitLocOpBuilder &b, Value value,
                                         int64_t dim);
  Value getPart(ImplicitLocOpBuilder &b, Value value, int64_t dim);
  void cloneOp(ImplicitLocOpBuilder &b, Operation *op);
  Value cloneReshape(ImplicitLocOpBuilder &b, Operation *op);
  Value cloneSlice(ImplicitLocOpBuilder &b, tensor::ExtractSliceOp op);
  Value cloneConcat(ImplicitLocOpBuilder &b, tensor::ConcatOp op);
  FailureOr<SmallVector<Value>> combine(ImplicitLocOpBuilder &b,
                                        ValueRange accumulated);
  bool isNeutral(const Accumulator &accumulator);
  TypedAttr getNeutral(const Accumulator &accumulator);

  RuntimeCalls &calls;
  SmallVector<AllGatherOp> gathers;
  /// In order.
  SmallVector<Operation *> ops;
  llvm::DenseMap<Value, Streamed> streamed;
  SmallVector<Accumulator> accumulators;
  /// What depends on an accumulator, and has to move behind the ring.
  llvm::SetVector<Operation *> after;
  /// The number of processes, and of elements of a part in its dimension.
  int64_t count = 0;
  OpFoldResult partSize;
  bool isStriped = false;
  /// Of the step at hand: values of the whole to values of the part, and the
  /// position of the first element of the part.
  IRMapping local;
  Value partStart;
};
} // namespace

/// Element types that hold what several steps accumulate.
static Type getWideType(Type type) {
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext())
                                       : type;
}

bool mlir::linalg_ext::isStripedAxis(GridOp grid, ArrayRef<GridAxis> axes) {
  auto striped = grid->getAttrOfType<DenseI16ArrayAttr>(kStripedAttrName);
  return striped && llvm::any_of(axes, [&](GridAxis axis) {
           return llvm::is_contained(striped.asArrayRef(), axis);
         });
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

LogicalResult Ring::plan() {
  AllGatherOp first = gathers.front();
  GridOp grid = calls.getGrid(first.getGridAttr());
  count = collectiveProcessGroupSize(first.getGridAxes(), grid.getShape());
  isStriped = isStripedAxis(grid, first.getGridAxes());
  for (AllGatherOp gather : gathers) {
    int64_t dim = gather.getGatherAxis().getSExtValue();
    streamed[gather.getResult()].dim = dim;
  }
  Block *block = first->getBlock();
  for (Operation &op : *block)
    if (failed(planOp(&op)))
      return failure();
  // Dead code is gone, and a gathered tensor has no users but structured ops.
  assert(!accumulators.empty() && "expected a reduction of what travels");
  return success();
}

LogicalResult Ring::planOp(Operation *op) {
  bool readsParts = false, readsResults = false;
  auto addOperand = [&](Value operand) {
    readsParts |= streamed.contains(operand);
    Operation *source = operand.getDefiningOp();
    readsResults |= source && after.contains(source);
    if (auto result = dyn_cast<OpResult>(operand))
      readsResults |= llvm::any_of(accumulators, [&](const Accumulator &a) {
        return a.result == result;
      });
  };
  op->walk([&](Operation *nested) {
    llvm::for_each(nested->getOperands(), addOperand);
  });
  if (readsParts && readsResults)
    return op->emitOpError()
           << "expected either parts that travel or what is reduced over all "
              "of them, got both: the parts would have to travel twice";
  if (readsResults && !op->hasTrait<OpTrait::IsTerminator>())
    after.insert(op);
  if (!readsParts)
    return success();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return planReshape(op);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return planSlice(slice);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return planConcat(concat);
  FailureOr<int64_t> loop = getLoop(op);
  if (failed(loop))
    return failure();
  ops.push_back(op);
  return planStructured(op, *loop);
}

/// The loop of `op` that iterates over parts.
FailureOr<int64_t> Ring::getLoop(Operation *op) {
  auto mapsOp = dyn_cast<IndexingMapOpInterface>(op);
  if (!mapsOp || !isa<DestinationStyleOpInterface>(op))
    return op->emitOpError() << "expected structured ops on parts that travel";
  std::optional<int64_t> loop;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = streamed.find(operand.get());
    if (it == streamed.end())
      continue;
    AffineMap map = mapsOp.getMatchingIndexingMap(&operand);
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(it->second.dim));
    if (!dim || (loop && *loop != dim.getPosition()))
      return op->emitOpError()
             << "expected one loop over the parts that travel, got operand "
             << operand.getOperandNumber() << " with the map "
             << AffineMapAttr::get(map);
    loop = dim.getPosition();
  }
  for (AffineMap map : mapsOp.getIndexingMapsArray())
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return op->emitOpError() << "expected projected permutations on parts "
                                  "that travel, got "
                               << AffineMapAttr::get(map);
  if (!loop)
    return op->emitOpError() << "expected a payload that reads operands alone "
                                "where parts travel";
  return *loop;
}

/// Whether a repair of each group can be brought into the dimensions of the
/// value by reshapes: state dimensions of a group are neighbours, in order.
static bool areSimple(const RowGroups &groups) {
  return llvm::all_of(groups, [](const RowGroup &group) {
    for (auto [i, dim] : llvm::enumerate(group.stateDims))
      if (dim == kRepeated ||
          dim != group.stateDims.front() + static_cast<int64_t>(i))
        return false;
    return true;
  });
}

/// A reshape that leaves the dimension that travels alone, beside ones of
/// size 1.
LogicalResult Ring::planReshape(Operation *op) {
  const Streamed source = streamed.lookup(op->getOperand(0));
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices()
               : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  auto longer = cast<RankedTensorType>(collapse ? op->getOperand(0).getType()
                                                : op->getResult(0).getType());
  std::optional<int64_t> dim;
  for (auto [number, group] : llvm::enumerate(groups)) {
    int64_t shortDim = number;
    bool isTravelling = collapse ? llvm::is_contained(group, source.dim)
                                 : shortDim == source.dim;
    if (!isTravelling)
      continue;
    SmallVector<int64_t> large = llvm::filter_to_vector(
        group, [&](int64_t d) { return longer.getDimSize(d) != 1; });
    if (large.size() == 1)
      dim = collapse ? shortDim : large.front();
  }
  if (!dim)
    return op->emitOpError()
           << "expected the dimension along which parts travel alone in its "
              "group, beside dimensions of size 1";
  Streamed result = {*dim, source.reduction, {}};
  if (source.reduction) {
    Refusal refusal;
    FailureOr<StateDependentValue> value =
        cast<RepairableOpInterface>(op).propagateRepair({{0, source.state}},
                                                        refusal);
    if (failed(value))
      return op->emitOpError() << "expected what can be repaired where parts "
                                  "travel; "
                               << refusal.text;
    result.state = *value;
  }
  streamed[op->getResult(0)] = result;
  ops.push_back(op);
  return success();
}

/// A slice of other dimensions.
LogicalResult Ring::planSlice(tensor::ExtractSliceOp op) {
  const Streamed source = streamed.lookup(op.getSource());
  using Variable = ValueBoundsConstraintSet::Variable;
  OpFoldResult size = op.getMixedSizes()[source.dim];
  FailureOr<bool> isWhole = ValueBoundsConstraintSet::areEqual(
      Variable(size), Variable(op.getSource(), source.dim));
  llvm::SmallBitVector dropped = op.getDroppedDims();
  if (source.reduction ||
      !isConstantIntValue(op.getMixedOffsets()[source.dim], 0) ||
      !isConstantIntValue(op.getMixedStrides()[source.dim], 1) ||
      failed(isWhole) || !*isWhole || dropped[source.dim])
    return op->emitOpError() << "expected a slice of what depends on no online "
                                "reduction, with all "
                                "of the dimension along which parts travel";
  int64_t dim = source.dim;
  for (int64_t before = 0; before < source.dim; ++before)
    dim -= dropped[before];
  streamed[op.getResult()] = {dim, nullptr, {}};
  ops.push_back(op);
  return success();
}

/// A concatenation along another dimension.
LogicalResult Ring::planConcat(tensor::ConcatOp op) {
  std::optional<int64_t> dim;
  bool isPlain = true;
  for (Value operand : op.getInputs()) {
    auto it = streamed.find(operand);
    if (it == streamed.end())
      continue;
    isPlain &= !it->second.reduction && (!dim || *dim == it->second.dim);
    dim = it->second.dim;
  }
  if (!isPlain || *dim == static_cast<int64_t>(op.getDim()))
    return op->emitOpError()
           << "expected a concatenation of what depends on no online "
              "reduction, "
              "along another dimension than that along which parts travel";
  streamed[op.getResult()] = {*dim, nullptr, {}};
  ops.push_back(op);
  return success();
}

LogicalResult Ring::planStructured(Operation *op, int64_t loop) {
  auto mapsOp = cast<IndexingMapOpInterface>(op);
  auto dpsOp = cast<DestinationStyleOpInterface>(op);

  // What depends on the state of one reduction.
  SmallVector<StateDependentOperand> dependent;
  Operation *reduction = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = streamed.find(operand.get());
    if (it == streamed.end() || !it->second.reduction)
      continue;
    if (reduction && reduction != it->second.reduction)
      return op->emitOpError() << "expected operands that depend on one online "
                                  "reduction over parts that travel, got two";
    reduction = it->second.reduction;
    dependent.push_back({operand.getOperandNumber(), it->second.state});
  }

  SmallVector<std::optional<int64_t>> dims;
  for (OpOperand &init : dpsOp.getDpsInitsMutable()) {
    AffineMap map = mapsOp.getMatchingIndexingMap(&init);
    std::optional<unsigned> dim =
        map.getResultPosition(getAffineDimExpr(loop, op->getContext()));
    dims.push_back(dim ? std::optional<int64_t>(*dim) : std::nullopt);
  }

  if (auto online = dyn_cast<OnlineReductionOpInterface>(op);
      online && llvm::is_contained(online.getOnlineDims(), loop)) {
    if (reduction)
      return op->emitOpError()
             << "expected no online reduction of what depends "
                "on another one where parts travel";
    SmallVector<unsigned> states = online.getStateResults(),
                          partials = online.getPartialResults();
    for (OpResult result : op->getResults()) {
      unsigned number = result.getResultNumber();
      if (llvm::is_contained(states, number)) {
        accumulators.push_back({result, true, op, {}});
      } else if (llvm::is_contained(partials, number) && dims[number]) {
        Streamed value{*dims[number], op, {}};
        value.state.degree = {online.getRepairKind(), 1.0};
        value.state.rows =
            makeRowGroups(online.getRepairDims(number),
                          cast<RankedTensorType>(result.getType()).getShape());
        streamed[result] = value;
      } else if (!result.use_empty()) {
        return op->emitOpError()
               << "expected no users of result " << number
               << " where parts travel: it belongs to the state of one part";
      }
    }
    return success();
  }

  // One result that depends on the state, or none does.
  StateDependentValue state;
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  FailureOr<Accumulation> accumulation = failure();
  if (repairable)
    accumulation = repairable.getAccumulation();
  if (reduction) {
    Refusal refusal;
    if (!repairable)
      return op->emitOpError() << "expected a repairable op on what depends on "
                                  "an online reduction where parts travel";
    if (succeeded(accumulation)) {
      FailureOr<AccumulatorRepair> repair =
          repairable.getAccumulatorRepair(dependent, refusal);
      if (succeeded(repair))
        state = repair->value;
    } else {
      FailureOr<StateDependentValue> value =
          repairable.propagateRepair(dependent, refusal);
      if (succeeded(value))
        state = *value;
    }
    if (refusal.isSet())
      return op->emitOpError() << "expected what can be repaired where parts "
                                  "travel; "
                               << refusal.text;
    bool isSimple = llvm::is_contained({RepairKind::Scale, RepairKind::Add},
                                       state.degree.kind) &&
                    llvm::is_contained({0.0, 1.0}, state.degree.coefficient) &&
                    areSimple(state.rows);
    if (!isSimple)
      return op->emitOpError()
             << "expected a factor or a term for each row of the state where "
                "parts travel, got a repair of kind '"
             << stringify(state.degree.kind) << "' of degree "
             << state.degree.coefficient;
    if (state.degree.isInvariant())
      reduction = nullptr;
  }
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    if (dims[number]) {
      streamed[result] = {*dims[number], reduction, state};
      continue;
    }
    if (failed(accumulation))
      return op->emitOpError() << "expected a sum, a maximum or a minimum over "
                                  "parts that travel";
    assert(op->getNumResults() == 1 && "expected one accumulated result");
    accumulators.push_back({result, false, reduction, state});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> Ring::getPartSizes(ImplicitLocOpBuilder &b,
                                             Value value, int64_t dim) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), value);
  sizes[dim] = partSize;
  return sizes;
}

/// The part of `value`, of which this process has the whole, that belongs to
/// the part that is at hand.
Value Ring::getPart(ImplicitLocOpBuilder &b, Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = getPartSizes(b, value, dim);
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, sizes, type.getElementType());
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType());
    return linalg::FillOp::create(b, fill.value(), empty).getResult(0);
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1));
  offsets[dim] = partStart;
  if (isStriped)
    strides[dim] = b.getIndexAttr(count);
  return tensor::ExtractSliceOp::create(b, value, offsets, sizes, strides);
}

Value mlir::linalg_ext::repairRows(ImplicitLocOpBuilder &b, Value value,
                                   Value repair, RepairKind kind,
                                   ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  SmallVector<AffineExpr> rows;
  for (int64_t dim : dims)
    rows.push_back(b.getAffineDimExpr(dim));
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  AffineMap rowMap = AffineMap::get(rank, 0, rows, b.getContext());
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), value), type.getElementType());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, type, ValueRange{value, repair}, empty,
      ArrayRef<AffineMap>{identity, rowMap, identity}, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        Type from = args[0].getType(), wide = args[1].getType();
        Value element = args[0];
        if (from.getIntOrFloatBitWidth() < wide.getIntOrFloatBitWidth())
          element = arith::ExtFOp::create(builder, loc, wide, element);
        Value repaired =
            kind == RepairKind::Scale
                ? arith::MulFOp::create(builder, loc, element, args[1])
                      .getResult()
                : arith::AddFOp::create(builder, loc, element, args[1]);
        if (repaired.getType() != from)
          repaired = arith::TruncFOp::create(builder, loc, from, repaired);
        linalg::YieldOp::create(builder, loc, repaired);
      });
  return generic.getResult(0);
}

static Value getInit(OpResult result) {
  return cast<DestinationStyleOpInterface>(result.getOwner())
      .getTiedOpOperand(result)
      ->get();
}

/// The neutral element, in the element type of the op.
TypedAttr Ring::getNeutral(const Accumulator &accumulator) {
  Operation *op = accumulator.result.getOwner();
  if (accumulator.isState)
    return cast<OnlineReductionOpInterface>(op).getStateIdentity(
        accumulator.result.getResultNumber());
  return cast<RepairableOpInterface>(op).getAccumulation()->neutral;
}

/// Whether the op accumulates from the neutral element.
bool Ring::isNeutral(const Accumulator &accumulator) {
  auto fill = getInit(accumulator.result).getDefiningOp<linalg::FillOp>();
  Attribute value;
  return fill && matchPattern(fill.value(), m_Constant(&value)) &&
         value == getNeutral(accumulator);
}

/// A tensor of elements `neutral`, of the size of `like`.
static Value buildFilled(ImplicitLocOpBuilder &b, TypedAttr neutral,
                         Value like) {
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), like), neutral.getType());
  return linalg::FillOp::create(
             b, arith::ConstantOp::create(b, neutral).getResult(), empty)
      .getResult(0);
}

/// Converts the elements.
static Value convert(ImplicitLocOpBuilder &b, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), value), element);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, type.clone(element), value, empty,
             ArrayRef<AffineMap>{map, map}, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   builder, loc,
                   convertScalarToDtype(builder, loc, args[0], element,
                                        /*isUnsignedCast=*/false));
             })
      .getResult(0);
}

/// The repair `rho` in dimensions of `value`, which it returns in `dims`. Each
/// group becomes one dimension, and then those that the value has.
static Value reshapeRepair(ImplicitLocOpBuilder &b, Value rho, Value value,
                           const RowGroups &groups,
                           SmallVectorImpl<int64_t> &dims) {
  auto type = cast<RankedTensorType>(rho.getType());
  SmallVector<ReassociationIndices> collapsed, expanded;
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> valueSizes =
      tensor::getMixedSizes(b, b.getLoc(), value);
  int64_t begin = 0;
  for (const RowGroup &group : groups) {
    // With the dimensions of size 1 in front.
    ReassociationIndices from, to;
    for (; begin <= group.stateDims.back(); ++begin)
      from.push_back(begin);
    for (int64_t dim : group.valueDims) {
      to.push_back(dims.size());
      dims.push_back(dim);
      sizes.push_back(valueSizes[dim]);
    }
    collapsed.push_back(from);
    expanded.push_back(to);
  }
  for (; begin < type.getRank() && !collapsed.empty(); ++begin)
    collapsed.back().push_back(begin);
  if (static_cast<int64_t>(collapsed.size()) != type.getRank())
    rho = tensor::CollapseShapeOp::create(b, rho, collapsed);
  if (dims.size() != groups.size()) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
    rho = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, type.getElementType()), rho, expanded,
        sizes);
  }
  return rho;
}

Value Ring::cloneReshape(ImplicitLocOpBuilder &b, Operation *op) {
  Value source = local.lookup(op->getOperand(0));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return tensor::CollapseShapeOp::create(b, source,
                                           collapse.getReassociationIndices());
  auto expand = cast<tensor::ExpandShapeOp>(op);
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  sizes[streamed.lookup(op->getResult(0)).dim] = partSize;
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return tensor::ExpandShapeOp::create(b, expand.getResultType().clone(shape),
                                       source, expand.getReassociationIndices(),
                                       sizes);
}

Value Ring::cloneSlice(ImplicitLocOpBuilder &b, tensor::ExtractSliceOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  sizes[streamed.lookup(op.getSource()).dim] = partSize;
  SmallVector<int64_t> shape(op.getType().getShape());
  shape[streamed.lookup(op.getResult()).dim] =
      getConstantIntValue(partSize).value_or(ShapedType::kDynamic);
  return tensor::ExtractSliceOp::create(
      b, op.getType().clone(shape), local.lookup(op.getSource()),
      op.getMixedOffsets(), sizes, op.getMixedStrides());
}

Value Ring::cloneConcat(ImplicitLocOpBuilder &b, tensor::ConcatOp op) {
  int64_t dim = streamed.lookup(op.getResult()).dim;
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(streamed.contains(input) ? local.lookup(input)
                                              : getPart(b, input, dim));
  return tensor::ConcatOp::create(b, op.getDim(), inputs);
}

/// The op on the part that is at hand, from neutral accumulators.
void Ring::cloneOp(ImplicitLocOpBuilder &b, Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return local.map(op->getResult(0), cloneReshape(b, op));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return local.map(slice.getResult(), cloneSlice(b, slice));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return local.map(concat.getResult(), cloneConcat(b, concat));
  auto mapsOp = cast<IndexingMapOpInterface>(op);
  auto dpsOp = cast<DestinationStyleOpInterface>(op);
  int64_t loop = *getLoop(op);
  SmallVector<Value> values;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = local.lookupOrDefault(operand.get());
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !streamed.contains(operand.get())) {
      std::optional<unsigned> dim =
          mapsOp.getMatchingIndexingMap(&operand).getResultPosition(
              b.getAffineDimExpr(loop));
      if (dim)
        value = getPart(b, operand.get(), *dim);
    }
    values.push_back(value);
  }
  const Accumulator *sum = nullptr;
  for (const Accumulator &accumulator : accumulators) {
    if (accumulator.result.getOwner() != op)
      continue;
    unsigned number =
        dpsOp.getTiedOpOperand(accumulator.result)->getOperandNumber();
    values[number] =
        buildFilled(b, getNeutral(accumulator), getInit(accumulator.result));
    if (!accumulator.isState)
      sum = &accumulator;
  }
  Operation *part = b.clone(*op);
  part->setOperands(values);
  for (OpResult result : part->getResults())
    result.setType(cast<DestinationStyleOpInterface>(part)
                       .getTiedOpOperand(result)
                       ->get()
                       .getType());
  // The position in the whole.
  part->walk([&](linalg::IndexOp index) {
    if (static_cast<int64_t>(index.getDim()) != loop)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(index);
    // A sum with what does not depend on the tile: bounds of loops may follow
    // from it.
    Value scaled = index;
    if (isStriped)
      scaled = affine::AffineApplyOp::create(
          b, AffineMap::get(1, 0, b.getAffineDimExpr(0) * count), scaled);
    Value whole = arith::AddIOp::create(b, scaled, partStart);
    index.getResult().replaceUsesWithIf(whole, [&](OpOperand &use) {
      return use.getOwner() != whole.getDefiningOp() &&
             use.getOwner() != scaled.getDefiningOp();
    });
  });
  // Sums of several steps are wide, and so are those of one.
  if (sum) {
    Type narrow = getElementTypeOrSelf(sum->result.getType());
    if (getWideType(narrow) != narrow) {
      auto neutral = cast<FloatAttr>(getNeutral(*sum));
      Value init = buildFilled(
          b, b.getFloatAttr(getWideType(narrow), neutral.getValueAsDouble()),
          getInit(sum->result));
      Operation *wide =
          cast<RepairableOpInterface>(part).accumulateInto(b, b.getLoc(), init);
      part->erase();
      part = wide;
    }
  }
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), part->getResults()))
    local.map(result, value);
}

/// What has been accumulated so far, combined with what the step at hand has.
FailureOr<SmallVector<Value>> Ring::combine(ImplicitLocOpBuilder &b,
                                            ValueRange accumulated) {
  llvm::DenseMap<Value, Value> before, combined;
  for (auto [accumulator, value] : llvm::zip_equal(accumulators, accumulated))
    before[accumulator.result] = value;
  auto getStates = [&](Operation *op, auto lookup) {
    SmallVector<Value> states;
    for (unsigned number :
         cast<OnlineReductionOpInterface>(op).getStateResults())
      states.push_back(lookup(op->getResult(number)));
    return states;
  };
  auto ofBefore = [&](Value value) { return before.lookup(value); };
  auto ofStep = [&](Value value) { return local.lookup(value); };
  auto ofBoth = [&](Value value) { return combined.lookup(value); };
  for (const Accumulator &accumulator : accumulators) {
    Operation *op = accumulator.result.getOwner();
    if (!accumulator.isState || combined.contains(accumulator.result))
      continue;
    auto online = cast<OnlineReductionOpInterface>(op);
    FailureOr<SmallVector<Value>> states = online.buildCombine(
        b, b.getLoc(), getStates(op, ofBefore), getStates(op, ofStep));
    if (failed(states))
      return op->emitOpError() << "expected states that can be combined "
                                  "(buildCombine) where parts travel";
    for (auto [number, value] :
         llvm::zip_equal(online.getStateResults(), *states))
      combined[op->getResult(number)] = value;
  }
  SmallVector<Value> results;
  for (const Accumulator &accumulator : accumulators) {
    Value result = accumulator.result;
    if (accumulator.isState) {
      results.push_back(combined.lookup(result));
      continue;
    }
    auto op = cast<RepairableOpInterface>(accumulator.result.getOwner());
    Value sides[] = {before.lookup(result), local.lookup(result)};
    if (accumulator.reduction) {
      auto online = cast<OnlineReductionOpInterface>(accumulator.reduction);
      SmallVector<Value> newState = getStates(online, ofBoth);
      SmallVector<Value> oldStates[] = {getStates(online, ofBefore),
                                        getStates(online, ofStep)};
      for (auto [side, oldState] : llvm::zip_equal(sides, oldStates)) {
        FailureOr<Value> rho =
            online.buildStateRepair(b, b.getLoc(), oldState, newState);
        if (failed(rho))
          return online.emitOpError()
                 << "expected a repair for two states (buildStateRepair) where "
                    "parts travel";
        SmallVector<int64_t> dims;
        Value repair =
            reshapeRepair(b, *rho, side, accumulator.state.rows, dims);
        RepairKind kind = accumulator.state.degree.kind;
        // The op may multiply by a matrix, which loops over tiles turn into
        // factors, and nothing else.
        bool isProduct = kind == RepairKind::Scale &&
                         op.getAccumulation()->kind == AccumulationKind::Sum;
        side = isProduct
                   ? repairRows(b, side, repair, kind, dims)
                   : op.applyRepair(b, b.getLoc(), kind, side, repair, dims);
      }
    }
    llvm::append_range(
        results, op.combineAccumulators(b, b.getLoc(), sides[0], sides[1]));
  }
  return results;
}

LogicalResult Ring::build() {
  AllGatherOp first = gathers.front();
  GridOp grid = calls.getGrid(first.getGridAttr());
  ImplicitLocOpBuilder b(first.getLoc(), first->getContext());
  b.setInsertionPointAfter(ops.back());
  // What is computed from the results comes after them.
  Operation *last = ops.back();
  for (Operation *op : after)
    if (op->isBeforeInBlock(last)) {
      op->moveAfter(last);
      last = op;
    }
  b.setInsertionPointAfter(ops.back());

  Value index = MLIR_EXT_CREATE_PROCESS_LINEAR_INDEX(b, grid.getSymName(),
                                                     first.getGridAxes());
  // Three buffers of parts: that of this process, which is an argument and
  // which nobody writes to, and two that take turns.
  SmallVector<Value> own;
  SmallVector<std::array<Value, 2>> turns;
  for (AllGatherOp gather : gathers) {
    Value input = gather.getInput();
    auto type = cast<RankedTensorType>(input.getType());
    own.push_back(bufferization::ToBufferOp::create(
        b, MemRefType::get(type.getShape(), type.getElementType()), input,
        /*read_only=*/true));
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), input);
    partSize = sizes[gather.getGatherAxis().getSExtValue()];
    turns.push_back({calls.allocate(b, type, sizes),
                     count > 2 ? calls.allocate(b, type, sizes) : Value()});
  }
  // Accumulators, which take turns, too: a step reads one and writes the other.
  SmallVector<std::array<Value, 2>> buffers(accumulators.size());
  SmallVector<Value> accumulated;
  for (int64_t step = 0; step < count; ++step) {
    SmallVector<Value> parts, nextParts;
    for (auto [mine, buffer] : llvm::zip_equal(own, turns)) {
      parts.push_back(step == 0 ? mine : buffer[(step - 1) % 2]);
      nextParts.push_back(buffer[step % 2]);
    }
    bool isLast = step + 1 == count;
    auto pass = [&](StringRef name) {
      if (!isLast)
        for (auto [from, to] : llvm::zip_equal(parts, nextParts))
          calls.callCollective(b, name, {from, to}, first.getGridAttr(),
                               first.getGridAxes());
    };
    pass("pass_start");

    AffineExpr d0 = b.getAffineDimExpr(0);
    Value partNumber = affine::AffineApplyOp::create(
        b, AffineMap::get(1, 0, (d0 + (count - step)) % count), index);
    partStart = partNumber;
    if (!isStriped)
      partStart = getValueOrCreateConstantIndexOp(
          b, b.getLoc(),
          affine::makeComposedFoldedAffineApply(
              b, b.getLoc(), d0 * b.getAffineSymbolExpr(0),
              {OpFoldResult(partNumber), partSize}));
    local.clear();
    for (auto [gather, part] : llvm::zip_equal(gathers, parts))
      local.map(gather.getResult(),
                step == 0
                    ? gather.getInput()
                    : calls.toTensor(b, gather.getInput().getType(), part));
    for (Operation *op : ops)
      cloneOp(b, op);
    SmallVector<Value> results;
    if (step == 0) {
      for (const Accumulator &accumulator : accumulators)
        results.push_back(local.lookup(accumulator.result));
    } else {
      FailureOr<SmallVector<Value>> combined = combine(b, accumulated);
      if (failed(combined))
        return failure();
      results = *combined;
    }
    // Nothing overwrites what the last step reads.
    if (isLast) {
      accumulated = results;
      break;
    }
    accumulated.clear();
    for (auto [number, value] : llvm::enumerate(results)) {
      Value &buffer = buffers[number][step % 2];
      if (!buffer)
        buffer = calls.materialize(b, value);
      else
        calls.materialize(b, value, buffer);
      accumulated.push_back(calls.toTensor(b, value.getType(), buffer));
    }
    pass("pass_wait");
  }

  // What the op has accumulated before.
  if (!llvm::all_of(accumulators, [&](auto &a) { return isNeutral(a); })) {
    SmallVector<Value> initial;
    for (auto [accumulator, value] :
         llvm::zip_equal(accumulators, accumulated)) {
      local.map(accumulator.result, value);
      initial.push_back(convert(b, getInit(accumulator.result),
                                getElementTypeOrSelf(value.getType())));
    }
    FailureOr<SmallVector<Value>> combined = combine(b, initial);
    if (failed(combined))
      return failure();
    accumulated = *combined;
  }
  for (auto [accumulator, value] : llvm::zip_equal(accumulators, accumulated)) {
    Value result = accumulator.result;
    result.replaceAllUsesWith(
        convert(b, value, getElementTypeOrSelf(result.getType())));
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  for (AllGatherOp gather : gathers)
    gather.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Rings of a function
//===----------------------------------------------------------------------===//

/// Puts gathers into one set if an op reads parts of both.
static void joinGathers(Block &block,
                        llvm::EquivalenceClasses<Operation *> &classes) {
  llvm::DenseMap<Value, Operation *> gatherOf;
  for (Operation &op : block) {
    if (classes.contains(&op)) {
      gatherOf[op.getResult(0)] = &op;
      continue;
    }
    Operation *first = nullptr;
    for (Value operand : op.getOperands())
      if (Operation *gather = gatherOf.lookup(operand)) {
        if (first)
          classes.unionSets(first, gather);
        first = gather;
      }
    if (first)
      for (Value result : op.getResults())
        gatherOf[result] = first;
  }
}

LogicalResult mlir::linalg_ext::streamGathers(FunctionOpInterface function,
                                              RuntimeCalls &calls) {
  for (Block &block : function.getFunctionBody()) {
    llvm::EquivalenceClasses<Operation *> classes;
    for (auto gather : block.getOps<AllGatherOp>()) {
      auto argument = dyn_cast<BlockArgument>(gather.getInput());
      if (argument && argument.getOwner()->isEntryBlock() &&
          function.getArgAttr(argument.getArgNumber(), kRingAttrName))
        classes.insert(gather);
    }
    joinGathers(block, classes);
    SmallVector<SmallVector<AllGatherOp>> rings;
    for (const auto *each : classes) {
      if (!each->isLeader())
        continue;
      auto &ring = rings.emplace_back();
      for (Operation *gather : classes.members(*each))
        ring.push_back(cast<AllGatherOp>(gather));
      // In the order of the program, not in that of addresses.
      llvm::sort(ring, [](Operation *lhs, Operation *rhs) {
        return lhs->isBeforeInBlock(rhs);
      });
      for (AllGatherOp gather : ring)
        if (gather.getGridAxes() != ring.front().getGridAxes())
          return gather.emitOpError()
                 << "expected parts that travel along the same axes where they "
                    "are read together";
    }
    llvm::sort(rings, [](const auto &lhs, const auto &rhs) {
      AllGatherOp left = lhs.front(), right = rhs.front();
      return left->isBeforeInBlock(right);
    });
    for (ArrayRef<AllGatherOp> gathers : rings) {
      Ring ring(calls, gathers);
      if (failed(ring.plan()) || failed(ring.build()))
        return failure();
    }
  }
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    function.removeArgAttr(number, kRingAttrName);
  return success();
}
