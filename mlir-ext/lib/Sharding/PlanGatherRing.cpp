//===- PlanGatherRing.cpp - What each step of a ring computes -------------===//
//
// Finds the ops that a ring of parts computes part by part. These are the ops
// between the gathers and the reductions over the gathered dimension, together
// with the values that the steps accumulate. An op that needs more than one
// part at a time is an error.
//
//===----------------------------------------------------------------------===//

#include "GatherRing.h"
#include "StreamGathers.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

LogicalResult GatherRing::plan() {
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
  // Dead code has been removed, and only structured ops use a gathered tensor.
  assert(!accumulators.empty() && "expected a reduction of what travels");
  return success();
}

LogicalResult GatherRing::planOp(Operation *op) {
  bool readsParts = false, readsResults = false;
  auto addOperand = [&](Value operand) {
    readsParts |= streamed.contains(operand);
    Operation *source = operand.getDefiningOp();
    readsResults |= source && after.contains(source);
    if (auto result = dyn_cast<OpResult>(operand))
      readsResults |= llvm::any_of(accumulators, [&](const RingAccumulator &a) {
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

/// Returns the loop of `op` that iterates over parts.
FailureOr<int64_t> GatherRing::getLoop(Operation *op) {
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

/// Returns whether reshapes can bring a repair of each group into the
/// dimensions of the value: the state dimensions of a group are adjacent and in
/// order.
static bool areSimple(const RowGroups &groups) {
  return llvm::all_of(groups, [](const RowGroup &group) {
    for (auto [i, dim] : llvm::enumerate(group.stateDims))
      if (dim == kRepeated ||
          dim != group.stateDims.front() + static_cast<int64_t>(i))
        return false;
    return true;
  });
}

/// Plans a reshape. It may only combine the travelling dimension with
/// dimensions of size 1.
LogicalResult GatherRing::planReshape(Operation *op) {
  const StreamedValue source = streamed.lookup(op->getOperand(0));
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
  StreamedValue result = {*dim, source.reduction, {}};
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

/// Plans a slice of other dimensions.
LogicalResult GatherRing::planSlice(tensor::ExtractSliceOp op) {
  const StreamedValue source = streamed.lookup(op.getSource());
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

/// Plans a concatenation along another dimension.
LogicalResult GatherRing::planConcat(tensor::ConcatOp op) {
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

/// Plans an online reduction over parts. Its states are accumulated. Other ops
/// read its partial results, which have the dimension of the parts. For each
/// result, `dims` has this dimension.
LogicalResult GatherRing::planOnline(OnlineReductionOpInterface online,
                                     ArrayRef<std::optional<int64_t>> dims) {
  Operation *op = online;
  SmallVector<unsigned> states = online.getStateResults(),
                        partials = online.getPartialResults();
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    if (llvm::is_contained(states, number)) {
      accumulators.push_back({result, true, op, {}});
    } else if (llvm::is_contained(partials, number) && dims[number]) {
      StreamedValue value{*dims[number], op, {}};
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

/// Describes how the result of `op` depends on the state on which its operands
/// `dependent` depend: by a factor or a term for each row.
static FailureOr<StateDependentValue>
getState(Operation *op, ArrayRef<StateDependentOperand> dependent) {
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  if (!repairable)
    return op->emitOpError() << "expected a repairable op on what depends on "
                                "an online reduction where parts travel";
  StateDependentValue state;
  Refusal refusal;
  if (succeeded(repairable.getAccumulation())) {
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
  return state;
}

LogicalResult GatherRing::planStructured(Operation *op, int64_t loop) {
  auto mapsOp = cast<IndexingMapOpInterface>(op);
  auto dpsOp = cast<DestinationStyleOpInterface>(op);

  // Collect the operands that depend on the state of one reduction.
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
    return planOnline(online, dims);
  }

  // At most one result may depend on the state.
  StateDependentValue state;
  if (reduction) {
    FailureOr<StateDependentValue> value = getState(op, dependent);
    if (failed(value))
      return failure();
    state = *value;
    if (state.degree.isInvariant())
      reduction = nullptr;
  }
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  bool isAccumulated = repairable && succeeded(repairable.getAccumulation());
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    if (dims[number]) {
      streamed[result] = {*dims[number], reduction, state};
      continue;
    }
    if (!isAccumulated)
      return op->emitOpError() << "expected a sum, a maximum or a minimum over "
                                  "parts that travel";
    assert(op->getNumResults() == 1 && "expected one accumulated result");
    accumulators.push_back({result, false, reduction, state});
  }
  return success();
}
