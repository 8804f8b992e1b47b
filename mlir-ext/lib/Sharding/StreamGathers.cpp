//===- StreamGathers.cpp - Rings in place of gathered tensors -------------===//
//
// A reduction over a gathered dimension need not wait for the whole tensor, nor
// hold it. With part p of the tensors at hand, each process computes what it
// can, while the next part travels around a ring of the processes:
//
//   for step in 0 .. P - 1
//     start to send part (i - step) mod P, and to receive the next one
//     s', o' = reduce(part (i - step) mod P, from the identity)
//     s, o   = combine(s, s'), rho(s -> s) o + rho(s' -> s) o'
//     wait
//
// Here s and o are the accumulators: states of online reductions, and
// accumulations of their partial results or of other values. The steps are
// unrolled. Accumulators are in memory between two steps, because a step must
// have read a part before the next part overwrites it. PlanGatherRing.cpp finds
// what the steps compute, and this file builds them.
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"
#include "GatherRing.h"

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

/// Returns the element type in which the values of several steps are
/// accumulated.
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
// Building
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> GatherRing::getPartSizes(ImplicitLocOpBuilder &b,
                                                   Value value, int64_t dim) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), value);
  sizes[dim] = partSize;
  return sizes;
}

/// Returns the slice of `value` that belongs to the current part. This process
/// has the whole of `value`.
Value GatherRing::getPart(ImplicitLocOpBuilder &b, Value value, int64_t dim) {
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

/// Returns the neutral element, in the element type of the op.
TypedAttr GatherRing::getNeutral(const RingAccumulator &accumulator) {
  Operation *op = accumulator.result.getOwner();
  if (accumulator.isState)
    return cast<OnlineReductionOpInterface>(op).getStateIdentity(
        accumulator.result.getResultNumber());
  return cast<RepairableOpInterface>(op).getAccumulation()->neutral;
}

/// Returns whether the op accumulates from the neutral element.
bool GatherRing::isNeutral(const RingAccumulator &accumulator) {
  auto fill = getInit(accumulator.result).getDefiningOp<linalg::FillOp>();
  Attribute value;
  return fill && matchPattern(fill.value(), m_Constant(&value)) &&
         value == getNeutral(accumulator);
}

/// Builds a tensor of the size of `like` whose elements are `neutral`.
static Value buildFilled(ImplicitLocOpBuilder &b, TypedAttr neutral,
                         Value like) {
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), like), neutral.getType());
  return linalg::FillOp::create(
             b, arith::ConstantOp::create(b, neutral).getResult(), empty)
      .getResult(0);
}

/// Converts the elements of `value` to type `element`.
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

/// Reshapes the repair `rho` to dimensions of `value`, and returns these in
/// `dims`. Each group becomes one dimension, and then the dimensions that the
/// value has.
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
    // The reassociation includes dimensions of size 1 in front.
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

Value GatherRing::cloneReshape(ImplicitLocOpBuilder &b, Operation *op) {
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

Value GatherRing::cloneSlice(ImplicitLocOpBuilder &b,
                             tensor::ExtractSliceOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  sizes[streamed.lookup(op.getSource()).dim] = partSize;
  SmallVector<int64_t> shape(op.getType().getShape());
  shape[streamed.lookup(op.getResult()).dim] =
      getConstantIntValue(partSize).value_or(ShapedType::kDynamic);
  return tensor::ExtractSliceOp::create(
      b, op.getType().clone(shape), local.lookup(op.getSource()),
      op.getMixedOffsets(), sizes, op.getMixedStrides());
}

Value GatherRing::cloneConcat(ImplicitLocOpBuilder &b, tensor::ConcatOp op) {
  int64_t dim = streamed.lookup(op.getResult()).dim;
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(streamed.contains(input) ? local.lookup(input)
                                              : getPart(b, input, dim));
  return tensor::ConcatOp::create(b, op.getDim(), inputs);
}

/// Clones the op for the current part, accumulating from neutral elements.
void GatherRing::cloneOp(ImplicitLocOpBuilder &b, Operation *op) {
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
  const RingAccumulator *sum = nullptr;
  for (const RingAccumulator &accumulator : accumulators) {
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
  // Build the position in the whole tensor.
  part->walk([&](linalg::IndexOp index) {
    if (static_cast<int64_t>(index.getDim()) != loop)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(index);
    // The position is a sum with a number that does not depend on the tile,
    // because loop bounds may be derived from it.
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
  // Sums of several steps are wide, so the sum of one step is wide as well.
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

/// Combines the values accumulated so far with those of the current step.
FailureOr<SmallVector<Value>> GatherRing::combine(ImplicitLocOpBuilder &b,
                                                  ValueRange accumulated,
                                                  bool areInitial) {
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
  for (const RingAccumulator &accumulator : accumulators) {
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
  for (const RingAccumulator &accumulator : accumulators) {
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
        // The initial value is what the program adds to the final result.
        if (areInitial && &side == &sides[0])
          continue;
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
        // The op may only multiply by a matrix, which loops over tiles turn
        // into factors.
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

/// Maps the gathered tensors to the parts in `parts`, which step `step` has,
/// and clones the ops that are computed from them.
void GatherRing::cloneStep(ImplicitLocOpBuilder &b, int64_t step, Value index,
                           ValueRange parts) {
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
              step == 0 ? gather.getInput()
                        : calls.toTensor(b, gather.getInput().getType(), part));
  for (Operation *op : ops)
    cloneOp(b, op);
}

/// Adds the initial values of the ops to the accumulated values of the steps.
FailureOr<SmallVector<Value>>
GatherRing::addInitial(ImplicitLocOpBuilder &b,
                       SmallVector<Value> accumulated) {
  if (llvm::all_of(accumulators, [&](auto &a) { return isNeutral(a); }))
    return accumulated;
  SmallVector<Value> initial;
  for (auto [accumulator, value] : llvm::zip_equal(accumulators, accumulated)) {
    local.map(accumulator.result, value);
    initial.push_back(convert(b, getInit(accumulator.result),
                              getElementTypeOrSelf(value.getType())));
  }
  return combine(b, initial, /*areInitial=*/true);
}

/// Builds the steps, and returns the accumulated values.
FailureOr<SmallVector<Value>> GatherRing::buildSteps(ImplicitLocOpBuilder &b) {
  AllGatherOp first = gathers.front();
  GridOp grid = calls.getGrid(first.getGridAttr());
  Value index = MLIR_EXT_CREATE_PROCESS_LINEAR_INDEX(b, grid.getSymName(),
                                                     first.getGridAxes());
  // There are three buffers of parts: that of this process, which is an
  // argument and is never written to, and two that take turns.
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
  // Accumulators take turns, too: a step reads one and writes the other.
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
    cloneStep(b, step, index, parts);
    SmallVector<Value> results;
    if (step == 0) {
      for (const RingAccumulator &accumulator : accumulators)
        results.push_back(local.lookup(accumulator.result));
    } else {
      FailureOr<SmallVector<Value>> combined = combine(b, accumulated);
      if (failed(combined))
        return failure();
      results = *combined;
    }
    // Nothing overwrites what the last step reads, so it needs no buffer.
    if (isLast)
      return results;
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
  return accumulated;
}

LogicalResult GatherRing::build() {
  AllGatherOp first = gathers.front();
  ImplicitLocOpBuilder b(first.getLoc(), first->getContext());
  // Ops that depend on the results come after them.
  Operation *last = ops.back();
  for (Operation *op : after)
    if (op->isBeforeInBlock(last)) {
      op->moveAfter(last);
      last = op;
    }
  b.setInsertionPointAfter(ops.back());
  FailureOr<SmallVector<Value>> accumulated = buildSteps(b);
  if (succeeded(accumulated))
    accumulated = addInitial(b, *accumulated);
  if (failed(accumulated))
    return failure();
  for (auto [accumulator, value] :
       llvm::zip_equal(accumulators, *accumulated)) {
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

/// Returns the dimension of `result` along which it has parts, if those of an
/// operand are along dimension `dim`. A reduction over the parts has none.
static std::optional<int64_t> getPartsDim(OpOperand &operand, int64_t dim,
                                          OpResult result) {
  Operation *op = operand.getOwner();
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type)
    return std::nullopt;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [number, group] :
         llvm::enumerate(collapse.getReassociationIndices()))
      if (llvm::is_contained(group, dim))
        return number;
    return std::nullopt;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    ReassociationIndices group = expand.getReassociationIndices()[dim];
    const int64_t *first = llvm::find_if(group, [&](int64_t each) {
      return expand.getResultType().getDimSize(each) != 1;
    });
    return first == group.end() ? group.front() : *first;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t before = llvm::count_if(llvm::seq<int64_t>(0, dim),
                                    [&](int64_t d) { return dropped[d]; });
    return dropped[dim] ? std::nullopt : std::optional(dim - before);
  }
  auto mapsOp = dyn_cast<IndexingMapOpInterface>(op);
  auto dpsOp = dyn_cast<DestinationStyleOpInterface>(op);
  if (!mapsOp || !dpsOp)
    return dim < type.getRank() ? std::optional(dim) : std::nullopt;
  AffineExpr loop = mapsOp.getMatchingIndexingMap(&operand).getResult(dim);
  std::optional<unsigned> position =
      mapsOp.getMatchingIndexingMap(dpsOp.getTiedOpOperand(result))
          .getResultPosition(loop);
  return position ? std::optional<int64_t>(*position) : std::nullopt;
}

/// Puts two gathers into one set if an op reads parts of both.
static void joinGathers(Block &block,
                        llvm::EquivalenceClasses<Operation *> &classes) {
  // The gather of which a value has parts, and the dimension.
  llvm::DenseMap<Value, std::pair<Operation *, int64_t>> partsOf;
  for (Operation &op : block) {
    if (classes.contains(&op)) {
      auto gather = cast<AllGatherOp>(op);
      partsOf[gather.getResult()] = {&op,
                                     gather.getGatherAxis().getSExtValue()};
      continue;
    }
    Operation *first = nullptr;
    for (OpOperand &operand : op.getOpOperands()) {
      auto it = partsOf.find(operand.get());
      if (it == partsOf.end())
        continue;
      auto [gather, dim] = it->second;
      if (first)
        classes.unionSets(first, gather);
      first = gather;
      for (OpResult result : op.getResults())
        if (std::optional<int64_t> partsDim = getPartsDim(operand, dim, result))
          partsOf[result] = {gather, *partsDim};
    }
  }
}

/// Builds the rings. One that reads the results of another one is built after
/// it, because the ops that depend on a ring move behind it.
static LogicalResult buildRings(ArrayRef<SmallVector<AllGatherOp>> gathers,
                                RuntimeCalls &calls) {
  SmallVector<std::unique_ptr<GatherRing>> rings;
  for (ArrayRef<AllGatherOp> each : gathers) {
    rings.push_back(std::make_unique<GatherRing>(calls, each));
    if (failed(rings.back()->plan()))
      return failure();
  }
  while (!rings.empty()) {
    auto *next = llvm::find_if(rings, [&](const auto &ring) {
      return llvm::none_of(rings, [&](const auto &other) {
        return ring != other && ring->readsResultsOf(*other);
      });
    });
    if (next == rings.end())
      return rings.front()->emitOpError()
             << "expected rings of which one reads the results of the other, "
                "got two that read those of each other: the parts would have "
                "to travel twice";
    if (failed((*next)->build()))
      return failure();
    rings.erase(next);
  }
  return success();
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
      // Sort by program order instead of by address.
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
    if (failed(buildRings(rings, calls)))
      return failure();
  }
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    function.removeArgAttr(number, kRingAttrName);
  return success();
}
