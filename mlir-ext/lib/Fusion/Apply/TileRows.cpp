//===- TileRows.cpp - Rows of a state in a tile ---------------------------===//
//
// Finds one path of uses from the source to the accumulator, and maps the rows
// of the state along it. Any path will do, because all of them map to the same
// rows. See TileRows.h.
//
//===----------------------------------------------------------------------===//

#include "TileRows.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Finds a chain of uses by which `op` depends on `source`. The use of `source`
/// comes last.
static bool findWay(Operation *op, Value source,
                    function_ref<bool(OpOperand &)> follows,
                    SmallVectorImpl<OpOperand *> &way,
                    llvm::DenseSet<Operation *> &seen) {
  if (!seen.insert(op).second)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer || producer->getBlock() != op->getBlock() ||
        !follows(operand))
      continue;
    way.push_back(&operand);
    if (operand.get() == source ||
        findWay(producer, source, follows, way, seen))
      return true;
    way.pop_back();
  }
  return false;
}

/// Maps `rows` from `operand` to `result` of its owner.
static LogicalResult mapRows(RowGroups &rows, OpOperand &operand,
                             OpResult result) {
  Operation *op = operand.getOwner();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Refusal refusal;
    return mapRowsThroughReshape(op, rows, refusal);
  }
  if (isa<tensor::CastOp>(op))
    return success();
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!maps || !dps)
    return failure();
  AffineMap from = maps.getMatchingIndexingMap(&operand);
  AffineMap to = maps.getMatchingIndexingMap(
      dps.getDpsInitOperand(result.getResultNumber()));
  bool isKnown = true;
  renameDims(rows, [&](int64_t dim) -> int64_t {
    auto expr = dyn_cast<AffineDimExpr>(from.getResult(dim));
    std::optional<unsigned> position =
        expr ? to.getResultPosition(expr) : std::nullopt;
    isKnown &= position.has_value();
    return position ? static_cast<int64_t>(*position) : -1;
  });
  simplify(rows, shape);
  return success(isKnown);
}

FailureOr<TileFactor> mlir::linalg_ext::getTileFactor(
    const PlannedFactor &planned, Operation *accumulator, unsigned resultNumber,
    Value source, function_ref<bool(OpOperand &)> follows,
    function_ref<bool(Operation *)> isPart) {
  TileFactor factor(planned);
  // 1. Find a chain of uses.
  SmallVector<OpOperand *> way;
  llvm::DenseSet<Operation *> seen;
  OpResult result = accumulator->getResult(resultNumber);
  if (!findWay(accumulator, source, follows, way, seen))
    return failure();
  if (llvm::none_of(way, [&](OpOperand *use) {
        return isa<tensor::ExtractSliceOp>(use->getOwner()) &&
               isPart(use->getOwner());
      }))
    return factor; // as planned

  // 2. Map the rows along it.
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  RowGroups rows = makeRowGroups(shape);
  if (planned.measure == Measure::Given) {
    auto online = cast<OnlineReductionOpInterface>(source.getDefiningOp());
    rows = makeRowGroups(
        online.getRepairDims(cast<OpResult>(source).getResultNumber()), shape);
  }
  SmallVector<RowGroups> groups;
  for (unsigned i = way.size(); i-- > 0;) {
    OpOperand &use = *way[i];
    Operation *op = use.getOwner();
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    if (!slice) {
      OpResult next = i == 0 ? result : cast<OpResult>(way[i - 1]->get());
      if (failed(mapRows(rows, use, next)))
        return failure();
      continue;
    }
    if (!isPart(slice))
      return failure();
    groups.push_back(rows);
    factor.parts.push_back({slice.getSource(), slice.getMixedOffsets(),
                            slice.getMixedSizes(), RowGroups()});
    SmallVector<int64_t> dims;
    for (const RowGroup &group : rows)
      dims.append(group.valueDims);
    rows = makeRowGroups(dims, slice.getType().getShape());
  }
  groups.push_back(rows);
  factor.value.rows = groups.front();
  for (auto [part, next] :
       llvm::zip_equal(factor.parts, ArrayRef(groups).drop_front()))
    part.rows = next;
  return factor;
}
