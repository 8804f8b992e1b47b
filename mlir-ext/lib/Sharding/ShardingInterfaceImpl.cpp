//===- ShardingInterfaceImpl.cpp - Ops cut among processes ----------------===//
//
// shard::ShardingInterface for LinalgExt ops, and for reshapes, slices and
// concatenations of tensors.
//
// An online reduction over a dimension that the processes share becomes
//
//   local, s = reduce(part of the process, from the identity state)
//   states   = all_gather(s)
//   s'       = combine(incoming state, states[0], states[1], ...)
//   result   = rho(s -> s') local
//
// The states are small: they lack the dimension that is reduced. rho acts on
// the rows of the result, so it can move behind a contraction that reads the
// result
// (`linalg-ext-normalize{patterns=scale-after-contraction}`). The contraction
// is then fused with the local reduction, and upstream's model sums the
// products of all processes.
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Sharding/Sharding.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/ShardingInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/ShardingExtensions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/ShardingInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Extensions/ShardingExtensions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

//===----------------------------------------------------------------------===//
// Online reductions
//===----------------------------------------------------------------------===//

/// Returns a tensor of type `type` whose elements are `element`. Dynamic sizes
/// are those of `like`.
static Value createFilled(ImplicitLocOpBuilder &b, RankedTensorType type,
                          TypedAttr element, Value like) {
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), like), type.getElementType());
  Value constant = arith::ConstantOp::create(b, element);
  return linalg::FillOp::create(b, constant, empty).getResult(0);
}

/// Gathers the states that the processes along `axes` have computed. Each value
/// gets a new outermost dimension of size `count`.
static Value gatherStates(ImplicitLocOpBuilder &b, Value state, GridOp grid,
                          ArrayRef<GridAxis> axes, int64_t count) {
  auto type = cast<RankedTensorType>(state.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), 1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), state);
  sizes.insert(sizes.begin(), b.getIndexAttr(1));
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    reassociation.push_back({dim + 1});
  if (!reassociation.empty())
    reassociation.front().insert(reassociation.front().begin(), 0);
  Value expanded = tensor::ExpandShapeOp::create(b, type.clone(shape), state,
                                                 reassociation, sizes);
  shape.front() = count;
  return AllGatherOp::create(b, type.clone(shape),
                             FlatSymbolRefAttr::get(grid.getSymNameAttr()),
                             DenseI16ArrayAttr::get(b.getContext(), axes),
                             expanded, b.getIndexAttr(0));
}

/// The slice of gathered states that belongs to `process`.
struct StateSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  StateSlice(ImplicitLocOpBuilder &b, Value states, OpFoldResult process)
      : sizes(tensor::getMixedSizes(b, b.getLoc(), states)) {
    offsets.assign(sizes.size(), b.getIndexAttr(0));
    strides.assign(sizes.size(), b.getIndexAttr(1));
    offsets.front() = process;
    sizes.front() = b.getIndexAttr(1);
  }
};

static SmallVector<Value> extractStates(ImplicitLocOpBuilder &b,
                                        ValueRange gathered,
                                        OpFoldResult process, TypeRange types) {
  SmallVector<Value> states;
  for (auto [values, type] : llvm::zip_equal(gathered, types)) {
    StateSlice slice(b, values, process);
    states.push_back(tensor::ExtractSliceOp::create(
        b, cast<RankedTensorType>(type), values, slice.offsets, slice.sizes,
        slice.strides));
  }
  return states;
}

/// Replaces states[process] by the combination of `lhs` and states[process].
static FailureOr<SmallVector<Value>>
combineInto(ImplicitLocOpBuilder &b, OnlineReductionOpInterface op,
            ValueRange lhs, ValueRange gathered, OpFoldResult process) {
  SmallVector<Value> rhs =
      extractStates(b, gathered, process, ValueRange(lhs).getTypes());
  FailureOr<SmallVector<Value>> combined =
      op.buildCombine(b, b.getLoc(), lhs, rhs);
  if (failed(combined))
    return failure();
  SmallVector<Value> results;
  for (auto [value, values] : llvm::zip_equal(*combined, gathered)) {
    StateSlice slice(b, values, process);
    results.push_back(tensor::InsertSliceOp::create(
        b, value, values, slice.offsets, slice.sizes, slice.strides));
  }
  return results;
}

/// Combines `initial` with the states of all processes. The combined states of
/// processes 0 to i overwrite the state of process i, so that the loop needs no
/// further memory.
static FailureOr<SmallVector<Value>>
combineStates(ImplicitLocOpBuilder &b, OnlineReductionOpInterface op,
              ArrayRef<Value> initial, ArrayRef<Value> gathered,
              int64_t count) {
  TypeRange types = ValueRange(initial).getTypes();
  FailureOr<SmallVector<Value>> first =
      combineInto(b, op, initial, gathered, b.getIndexAttr(0));
  if (failed(first))
    return failure();
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value end = arith::ConstantIndexOp::create(b, count);
  auto loop = scf::ForOp::create(
      b, one, end, one, *first,
      [&](OpBuilder &builder, Location loc, Value process, ValueRange states) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value before = arith::SubIOp::create(inner, process, one);
        SmallVector<Value> lhs = extractStates(inner, states, before, types);
        // The same op has been combined above, so this cannot fail.
        scf::YieldOp::create(inner,
                             *combineInto(inner, op, lhs, states, process));
      });
  return extractStates(b, loop.getResults(), b.getIndexAttr(count - 1), types);
}

/// Clones a destination-style op with the operands of `local`. The results have
/// the types of the inits. (Upstream's partitionTriviallyShardableOperation
/// takes the types from annotations, which unused results do not have.)
static Operation *clonePart(OpBuilder &b, Operation &op, IRMapping &local) {
  Operation *part = b.clone(op, local);
  auto dpsOp = cast<DestinationStyleOpInterface>(part);
  for (auto [result, init] :
       llvm::zip_equal(part->getResults(), dpsOp.getDpsInits()))
    result.setType(init.getType());
  return part;
}

/// Partitions `op` among the processes along `axes`, which share a dimension
/// that it reduces online.
static LogicalResult
partitionOnlineReduction(Operation *op, ArrayRef<Value> partitionedOperands,
                         GridOp grid, ArrayRef<GridAxis> axes,
                         IRMapping &partitionMap, OpBuilder &builder) {
  auto reduction = cast<OnlineReductionOpInterface>(op);
  auto dpsOp = cast<DestinationStyleOpInterface>(op);
  SmallVector<unsigned> states = reduction.getStateResults();
  SmallVector<unsigned> partials = reduction.getPartialResults();
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    if (!result.use_empty() && !llvm::is_contained(states, number) &&
        !llvm::is_contained(partials, number))
      return op->emitOpError()
             << "expected no users of result " << number
             << " where processes share a reduced dimension: it belongs to the "
                "state of one process";
  }
  int64_t count = collectiveProcessGroupSize(axes, grid.getShape());
  if (ShapedType::isDynamic(count))
    return op->emitOpError() << "expected a static number of processes along "
                                "the axes of '"
                             << grid.getSymName() << "', got a dynamic one";

  // Reduce the part of this process, starting from the identity.
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  IRMapping local;
  for (auto [operand, partitioned] :
       llvm::zip_equal(op->getOperands(), partitionedOperands))
    local.map(operand, partitioned);
  SmallVector<Value> initial;
  for (unsigned state : states) {
    Value init = local.lookup(dpsOp.getDpsInits()[state]);
    initial.push_back(init);
    local.map(dpsOp.getDpsInits()[state],
              createFilled(b, cast<RankedTensorType>(init.getType()),
                           reduction.getStateIdentity(state), init));
  }
  Operation *part = clonePart(b, *op, local);
  auto localReduction = cast<OnlineReductionOpInterface>(part);

  // Combine the states of all processes.
  SmallVector<Value> localState, gathered;
  for (unsigned state : states) {
    localState.push_back(part->getResult(state));
    gathered.push_back(
        gatherStates(b, part->getResult(state), grid, axes, count));
  }
  FailureOr<SmallVector<Value>> finalState =
      combineStates(b, localReduction, initial, gathered, count);
  if (failed(finalState))
    return op->emitOpError()
           << "expected states that can be combined (buildCombine) where "
              "processes share a reduced dimension";
  FailureOr<Value> repair =
      localReduction.buildStateRepair(b, b.getLoc(), localState, *finalState);
  if (failed(repair))
    return op->emitOpError()
           << "expected a repair for two states (buildStateRepair) where "
              "processes share a reduced dimension";

  for (OpResult result : op->getResults())
    partitionMap.map(result, part->getResult(result.getResultNumber()));
  for (auto [number, value] : llvm::zip_equal(states, *finalState))
    partitionMap.map(op->getResult(number), value);
  for (unsigned number : partials)
    if (!op->getResult(number).use_empty())
      partitionMap.map(op->getResult(number),
                       repairRows(b, part->getResult(number), *repair,
                                  localReduction.getRepairKind(),
                                  localReduction.getRepairDims(number)));
  return success();
}

//===----------------------------------------------------------------------===//
// LinalgExt ops
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct StructuredOpSharding
    : public ShardingInterface::ExternalModel<StructuredOpSharding<OpTy>,
                                              OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return cast<OpTy>(op).getIteratorTypesArray();
  }

  SmallVector<ReductionKind>
  getReductionLoopIteratorKinds(Operation *op) const {
    ReductionKind kind = isa<OnlineReductionOpInterface>(op)
                             ? ReductionKind::Generic
                             : ReductionKind::Sum;
    return SmallVector<ReductionKind>(
        llvm::count(getLoopIteratorTypes(op), utils::IteratorType::reduction),
        kind);
  }

  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    SmallVector<AffineMap> maps =
        cast<IndexingMapOpInterface>(op).getIndexingMapsArray();
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    for (OpOperand &init : dpsOp.getDpsInitsMutable())
      maps.push_back(maps[init.getOperandNumber()]);
    return maps;
  }

  LogicalResult partition(Operation *op, ArrayRef<Value> partitionedOperands,
                          ArrayRef<Sharding> operandShardings,
                          ArrayRef<Sharding> resultShardings,
                          IRMapping &partitionMap,
                          SymbolTableCollection &symbolTable,
                          OpBuilder &builder) const {
    SmallVector<utils::IteratorType> iterators = getLoopIteratorTypes(op);
    ShardingArray assignment = getGridAxisAssignmentForLoopIterators(
        operandShardings, resultShardings, iterators, getIndexingMaps(op));
    SmallVector<GridAxis> axes = getReductionGridAxes(iterators, assignment);
    if (!axes.empty()) {
      if (!isa<OnlineReductionOpInterface>(op))
        return op->emitOpError()
               << "expected no sharded reduction; convert the op to "
                  "linalg.generic, which can be cut along it";
      const Sharding *sharding = llvm::find_if(
          operandShardings, [](const Sharding &s) { return bool(s); });
      return partitionOnlineReduction(
          op, partitionedOperands,
          getGrid(op, sharding->getGridAttr(), symbolTable), axes, partitionMap,
          builder);
    }
    clonePart(builder, *op, partitionMap);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ops with sizes
//===----------------------------------------------------------------------===//

/// Annotates the tensor operands and results of `op`. (Upstream's function
/// would annotate numbers as well, such as dynamic sizes.)
static LogicalResult annotateTensors(ShardingInterface op, OpBuilder &b,
                                     const ShardingOption &option) {
  SmallVector<AffineMap> maps = op.getIndexingMaps();
  auto getTensorSharding = [&](AffineMap map) {
    SmallVector<GridAxesAttr> axes;
    for (AffineExpr expr : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      ArrayRef<GridAxis> ofLoop;
      if (loop < option.shardingArray.size())
        ofLoop = option.shardingArray[loop];
      axes.push_back(GridAxesAttr::get(b.getContext(), ofLoop));
    }
    return Sharding::get(option.grid, axes);
  };
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      maybeInsertTargetShardingAnnotation(
          getTensorSharding(
              maps[op->getNumOperands() + result.getResultNumber()]),
          result, b);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      maybeInsertSourceShardingAnnotation(
          getTensorSharding(maps[operand.getOperandNumber()]), operand, b);
  return success();
}

/// Returns the first dimension that `sharding` splits and for which `isWanted`
/// is true, given the axes that split it.
static std::optional<unsigned> findSplitDim(
    const Sharding &sharding,
    function_ref<bool(unsigned dim, ArrayRef<GridAxis> axes)> isWanted) {
  if (sharding)
    for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes()))
      if (!axes.empty() && isWanted(dim, axes.asArrayRef()))
        return dim;
  return std::nullopt;
}

/// Returns the size of a part along `axes`, if the whole has `size` elements.
static OpFoldResult getPartSize(OpBuilder &b, Location loc, OpFoldResult size,
                                ArrayRef<GridAxis> axes, GridOp grid) {
  if (axes.empty())
    return size;
  int64_t count = collectiveProcessGroupSize(axes, grid.getShape());
  return affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).floorDiv(count), {size});
}

/// Returns the type of a part of a tensor of type `type`. Returns `type` if the
/// tensor is not sharded.
static RankedTensorType getPartType(Operation *op, RankedTensorType type,
                                    const Sharding &sharding,
                                    SymbolTableCollection &symbolTable) {
  if (!sharding)
    return type;
  return cast<RankedTensorType>(shardType(
      type, getGrid(op, sharding.getGridAttr(), symbolTable), sharding));
}

namespace {
/// The common part of models of ops that have a parallel loop for each
/// dimension, and operands that are no tensors.
template <typename Model, typename OpTy>
struct ParallelOpSharding
    : public ShardingInterface::ExternalModel<Model, OpTy> {
  SmallVector<ReductionKind> getReductionLoopIteratorKinds(Operation *) const {
    return {};
  }
  LogicalResult addShardingAnnotations(Operation *op, OpBuilder &b,
                                       const ShardingOption &option) const {
    return annotateTensors(cast<ShardingInterface>(op), b, option);
  }
};

/// The model of uninitialised tensors with dynamic sizes. Upstream's model of
/// tensor.empty supports only static sizes, so annotateSharding replaces the
/// others by this op.
struct AllocTensorSharding
    : public ParallelOpSharding<AllocTensorSharding,
                                bufferization::AllocTensorOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return SmallVector<utils::IteratorType>(type.getRank(),
                                            utils::IteratorType::parallel);
  }
  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<AffineMap> maps(op->getNumOperands(),
                                AffineMap::get(op->getContext()));
    maps.push_back(
        AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext()));
    return maps;
  }
  LogicalResult partition(Operation *op, ArrayRef<Value> partitionedOperands,
                          ArrayRef<Sharding>,
                          ArrayRef<Sharding> resultShardings,
                          IRMapping &partitionMap,
                          SymbolTableCollection &symbolTable,
                          OpBuilder &builder) const {
    auto alloc = cast<bufferization::AllocTensorOp>(op);
    RankedTensorType type = alloc.getType();
    const Sharding &sharding = resultShardings.front();
    SmallVector<OpFoldResult> sizes;
    unsigned operand = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      OpFoldResult size =
          type.isDynamicDim(dim)
              ? OpFoldResult(partitionedOperands[operand++])
              : OpFoldResult(builder.getIndexAttr(type.getDimSize(dim)));
      if (sharding &&
          dim < static_cast<int64_t>(sharding.getSplitAxes().size()))
        size = getPartSize(builder, op->getLoc(), size,
                           sharding.getSplitAxes()[dim].asArrayRef(),
                           getGrid(op, sharding.getGridAttr(), symbolTable));
      sizes.push_back(size);
    }
    Value part = tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                         type.getElementType());
    RankedTensorType localType = getPartType(op, type, sharding, symbolTable);
    if (part.getType() != localType)
      part = tensor::CastOp::create(builder, op->getLoc(), localType, part);
    partitionMap.map(op->getResult(0), part);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// For each dimension of the expanded tensor, returns the dimension of the
/// collapsed one if both may be sharded together. This holds for the first
/// dimension of the group that is not 1: a part of the collapsed dimension is
/// then a part of this one.
template <typename OpTy>
SmallVector<std::optional<unsigned>> getOuterDims(OpTy op, bool expands) {
  auto type = cast<RankedTensorType>(expands ? op->getResult(0).getType()
                                             : op->getOperand(0).getType());
  SmallVector<std::optional<unsigned>> outer(type.getRank());
  for (auto [collapsed, group] :
       llvm::enumerate(op.getReassociationIndices())) {
    for (int64_t dim : group) {
      if (type.getDimSize(dim) == 1 && dim != group.back())
        continue;
      outer[dim] = collapsed;
      break;
    }
  }
  return outer;
}

/// Returns whether the other dimensions in the group of `dim`, a dimension of
/// the expanded tensor, have size 1.
template <typename OpTy>
bool isAlone(OpTy op, int64_t dim, bool expands) {
  auto type = cast<RankedTensorType>(expands ? op->getResult(0).getType()
                                             : op->getOperand(0).getType());
  for (ArrayRef<int64_t> group : op.getReassociationIndices())
    if (llvm::is_contained(group, dim))
      return llvm::all_of(group, [&](int64_t other) {
        return other == dim || type.getDimSize(other) == 1;
      });
  return false;
}

/// The model of reshapes. It has a loop for each dimension of the expanded
/// tensor. The outermost loop of each group indexes the collapsed tensor.
template <typename OpTy, bool expands>
struct ReshapeSharding
    : public ParallelOpSharding<ReshapeSharding<OpTy, expands>, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(
        getOuterDims(cast<OpTy>(op), expands).size(),
        utils::IteratorType::parallel);
  }

  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    MLIRContext *context = op->getContext();
    SmallVector<std::optional<unsigned>> outer =
        getOuterDims(cast<OpTy>(op), expands);
    auto collapsedType = cast<RankedTensorType>(
        expands ? op->getOperand(0).getType() : op->getResult(0).getType());
    SmallVector<AffineExpr> exprs(collapsedType.getRank());
    for (auto [dim, collapsed] : llvm::enumerate(outer))
      if (collapsed)
        exprs[*collapsed] = getAffineDimExpr(dim, context);
    AffineMap collapsed = AffineMap::get(outer.size(), 0, exprs, context);
    AffineMap expanded =
        AffineMap::getMultiDimIdentityMap(outer.size(), context);
    SmallVector<AffineMap> maps = {expands ? collapsed : expanded};
    // These operands are the dynamic sizes of the result of expand_shape.
    maps.append(op->getNumOperands() - 1, AffineMap::get(context));
    maps.push_back(expands ? expanded : collapsed);
    return maps;
  }

  LogicalResult partition(Operation *op, ArrayRef<Value> partitionedOperands,
                          ArrayRef<Sharding> operandShardings,
                          ArrayRef<Sharding> resultShardings,
                          IRMapping &partitionMap,
                          SymbolTableCollection &symbolTable,
                          OpBuilder &builder) const {
    auto reshape = cast<OpTy>(op);
    // Only the outermost dimension of each group may be sharded.
    SmallVector<std::optional<unsigned>> outer = getOuterDims(reshape, expands);
    const Sharding &expanded =
        expands ? resultShardings.front() : operandShardings.front();
    auto isInner = [&](unsigned dim, ArrayRef<GridAxis> axes) {
      return !outer[dim] ||
             // Stripes of the outer dimension are not stripes of the product.
             (isStripedAxis(getGrid(op, expanded.getGridAttr(), symbolTable),
                            axes) &&
              !isAlone(reshape, dim, expands));
    };
    if (std::optional<unsigned> dim = findSplitDim(expanded, isInner))
      return op->emitOpError()
             << "expected only the outermost dimension of a group to be "
                "sharded, got dimension "
             << *dim << " of the expanded tensor";
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    RankedTensorType localType =
        getPartType(op, type, resultShardings.front(), symbolTable);
    Value source = partitionedOperands.front();
    SmallVector<ReassociationIndices> groups =
        reshape.getReassociationIndices();
    Value local;
    if constexpr (expands) {
      SmallVector<OpFoldResult> sizes = reshape.getMixedOutputShape();
      for (auto [dim, size] : llvm::enumerate(sizes)) {
        if (auto value = dyn_cast<Value>(size))
          size = partitionMap.lookup(value);
        if (expanded && dim < expanded.getSplitAxes().size())
          size = getPartSize(builder, op->getLoc(), size,
                             expanded.getSplitAxes()[dim].asArrayRef(),
                             getGrid(op, expanded.getGridAttr(), symbolTable));
      }
      local = tensor::ExpandShapeOp::create(builder, op->getLoc(), localType,
                                            source, groups, sizes);
    } else {
      local = tensor::CollapseShapeOp::create(builder, op->getLoc(), localType,
                                              source, groups);
    }
    partitionMap.map(op->getResult(0), local);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Slices and concatenations
//===----------------------------------------------------------------------===//

namespace {
/// The model of ops with one loop for each dimension, which may be sharded if
/// each process needs only its own part. This holds for dimensions that a slice
/// takes as a whole, and for those along which nothing is concatenated. The
/// loops of other dimensions are in no map.
template <typename OpTy>
struct PartsSharding : public ParallelOpSharding<PartsSharding<OpTy>, OpTy> {
  static bool isWhole(tensor::ExtractSliceOp op, int64_t dim) {
    return !op.getDroppedDims().test(dim) &&
           isZeroInteger(op.getMixedOffsets()[dim]) &&
           isOneInteger(op.getMixedStrides()[dim]) &&
           op.getStaticSizes()[dim] == op.getSourceType().getDimSize(dim) &&
           !op.getSourceType().isDynamicDim(dim);
  }
  static bool isWhole(tensor::ConcatOp op, int64_t dim) {
    return static_cast<int64_t>(op.getDim()) != dim;
  }

  static int64_t getRank(Operation *op) {
    return cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  }

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    // There are two loops for each dimension. The second one is for dimensions
    // whose sizes differ in the result.
    return SmallVector<utils::IteratorType>(2 * getRank(op),
                                            utils::IteratorType::parallel);
  }

  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    MLIRContext *context = op->getContext();
    int64_t rank = getRank(op);
    SmallVector<AffineExpr> source, result;
    for (int64_t dim = 0; dim < rank; ++dim) {
      AffineExpr expr = getAffineDimExpr(dim, context);
      source.push_back(expr);
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        if (slice.getDroppedDims().test(dim))
          continue;
      result.push_back(isWhole(cast<OpTy>(op), dim)
                           ? expr
                           : getAffineDimExpr(rank + dim, context));
    }
    SmallVector<AffineMap> maps;
    for (Value operand : op->getOperands())
      maps.push_back(isa<RankedTensorType>(operand.getType())
                         ? AffineMap::get(2 * rank, 0, source, context)
                         : AffineMap::get(context));
    maps.push_back(AffineMap::get(2 * rank, 0, result, context));
    return maps;
  }

  LogicalResult partition(Operation *op, ArrayRef<Value> partitionedOperands,
                          ArrayRef<Sharding> operandShardings,
                          ArrayRef<Sharding> resultShardings,
                          IRMapping &partitionMap, SymbolTableCollection &,
                          OpBuilder &builder) const {
    auto typedOp = cast<OpTy>(op);
    int64_t rank = getRank(op);
    for (auto [operand, sharding] :
         llvm::zip_equal(op->getOperands(), operandShardings)) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      auto isPart = [&](unsigned dim, ArrayRef<GridAxis>) {
        return !isWhole(typedOp, dim);
      };
      if (std::optional<unsigned> dim = findSplitDim(sharding, isPart))
        return op->emitOpError()
               << "expected no sharding of dimension " << *dim
               << ", of which the op takes a part; another process may have it";
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      Value source = partitionedOperands.front();
      auto sourceType = cast<RankedTensorType>(source.getType());
      SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
      SmallVector<int64_t> shape;
      for (int64_t dim = 0; dim < rank; ++dim) {
        if (isWhole(typedOp, dim))
          sizes[dim] = builder.getIndexAttr(sourceType.getDimSize(dim));
        if (!slice.getDroppedDims().test(dim))
          shape.push_back(
              getConstantIntValue(sizes[dim]).value_or(ShapedType::kDynamic));
      }
      auto remap = [&](SmallVector<OpFoldResult> values) {
        for (OpFoldResult &value : values)
          if (auto dynamic = dyn_cast<Value>(value))
            value = partitionMap.lookup(dynamic);
        return values;
      };
      partitionMap.map(slice.getResult(),
                       tensor::ExtractSliceOp::create(
                           builder, op->getLoc(), sourceType.clone(shape),
                           source, remap(slice.getMixedOffsets()), remap(sizes),
                           remap(slice.getMixedStrides()))
                           .getResult());
      return success();
    }
    partitionMap.map(op->getResult(0), tensor::ConcatOp::create(
                                           builder, op->getLoc(),
                                           cast<tensor::ConcatOp>(op).getDim(),
                                           partitionedOperands)
                                           .getResult());
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// The model of tensor.dim. The size is that of the whole tensor, in all
/// processes.
struct DimSharding
    : public ShardingInterface::ExternalModel<DimSharding, tensor::DimOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    return SmallVector<utils::IteratorType>(type.getRank(),
                                            utils::IteratorType::parallel);
  }
  SmallVector<ReductionKind> getReductionLoopIteratorKinds(Operation *) const {
    return {};
  }
  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    AffineMap scalar = AffineMap::get(type.getRank(), 0, op->getContext());
    return {AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext()),
            scalar, scalar};
  }
  // Upstream's implementation assumes that results are tensors. Here nothing
  // can be annotated.
  FailureOr<ShardingOption> getShardingOption(Operation *, ArrayRef<Sharding>,
                                              ArrayRef<Sharding>) const {
    return ShardingOption::makeEmpty();
  }
  LogicalResult partition(Operation *op, ArrayRef<Value> partitionedOperands,
                          ArrayRef<Sharding> operandShardings,
                          ArrayRef<Sharding>, IRMapping &partitionMap,
                          SymbolTableCollection &symbolTable,
                          OpBuilder &builder) const {
    std::optional<int64_t> dim = cast<tensor::DimOp>(op).getConstantIndex();
    if (!dim)
      return op->emitOpError() << "expected a constant dimension";
    Value size = tensor::DimOp::create(
        builder, op->getLoc(), partitionedOperands[0], partitionedOperands[1]);
    const Sharding &sharding = operandShardings[0];
    if (sharding &&
        *dim < static_cast<int64_t>(sharding.getSplitAxes().size())) {
      int64_t count = collectiveProcessGroupSize(
          sharding.getSplitAxes()[*dim].asArrayRef(),
          getGrid(op, sharding.getGridAttr(), symbolTable).getShape());
      if (count != 1)
        size = affine::AffineApplyOp::create(
            builder, op->getLoc(),
            AffineMap::get(0, 1, builder.getAffineSymbolExpr(0) * count), size);
    }
    partitionMap.map(op->getResult(0), size);
    return success();
  }
};

/// The model of ops on numbers, which are the same in all processes.
template <typename OpTy>
struct ScalarSharding
    : public ShardingInterface::ExternalModel<ScalarSharding<OpTy>, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *) const {
    return {};
  }
  SmallVector<ReductionKind> getReductionLoopIteratorKinds(Operation *) const {
    return {};
  }
  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    return SmallVector<AffineMap>(op->getNumOperands() + op->getNumResults(),
                                  AffineMap::get(op->getContext()));
  }
  // Upstream's implementation assumes that results are tensors. Here nothing
  // can be annotated.
  FailureOr<ShardingOption> getShardingOption(Operation *, ArrayRef<Sharding>,
                                              ArrayRef<Sharding>) const {
    return ShardingOption::makeEmpty();
  }
  LogicalResult partition(Operation *op, ArrayRef<Value>, ArrayRef<Sharding>,
                          ArrayRef<Sharding>, IRMapping &partitionMap,
                          SymbolTableCollection &, OpBuilder &builder) const {
    builder.clone(*op, partitionMap);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::registerShardingExternalModels(
    DialectRegistry &registry) {
  func::registerShardingInterfaceExternalModels(registry);
  linalg::registerShardingInterfaceExternalModels(registry);
  arith::registerShardingInterfaceExternalModels(registry);
  tensor::registerShardingInterfaceExternalModels(registry);
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    // The models build ops of these dialects.
    context->loadDialect<scf::SCFDialect, ShardDialect>();
    context->loadDialect<affine::AffineDialect>();
    SoftmaxOp::attachInterface<StructuredOpSharding<SoftmaxOp>>(*context);
    BatchMatmulOp::attachInterface<StructuredOpSharding<BatchMatmulOp>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    affine::AffineApplyOp::attachInterface<
        ScalarSharding<affine::AffineApplyOp>>(*context);
    affine::AffineMinOp::attachInterface<ScalarSharding<affine::AffineMinOp>>(
        *context);
    affine::AffineMaxOp::attachInterface<ScalarSharding<affine::AffineMaxOp>>(
        *context);
  });
  registry.addExtension(
      +[](MLIRContext *context, bufferization::BufferizationDialect *) {
        bufferization::AllocTensorOp::attachInterface<AllocTensorSharding>(
            *context);
      });
  registry.addExtension(+[](MLIRContext *context, cf::ControlFlowDialect *) {
    cf::AssertOp::attachInterface<ScalarSharding<cf::AssertOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    context->loadDialect<affine::AffineDialect>();
    tensor::DimOp::attachInterface<DimSharding>(*context);
    tensor::ExpandShapeOp::attachInterface<
        ReshapeSharding<tensor::ExpandShapeOp, true>>(*context);
    tensor::CollapseShapeOp::attachInterface<
        ReshapeSharding<tensor::CollapseShapeOp, false>>(*context);
    tensor::ExtractSliceOp::attachInterface<
        PartsSharding<tensor::ExtractSliceOp>>(*context);
    tensor::ConcatOp::attachInterface<PartsSharding<tensor::ConcatOp>>(
        *context);
  });
}
