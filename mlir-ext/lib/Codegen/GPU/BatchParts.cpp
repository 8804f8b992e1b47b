//===- BatchParts.cpp - The vectors of all parts in one -------------------===//
//
// Rewrites each op of a part as one op on all parts, with an additional leading
// parallel dimension. If the parts read adjacent tiles, they become one read,
// which is reshaped.
//
//===----------------------------------------------------------------------===//

#include "BatchParts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static SmallVector<int64_t> getShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? SmallVector<int64_t>(vector.getShape())
                : SmallVector<int64_t>();
}

static SmallVector<int64_t> addFront(int64_t first, ArrayRef<int64_t> rest) {
  SmallVector<int64_t> result{first};
  llvm::append_range(result, rest);
  return result;
}

bool PartBatcher::dependsOnPart(Value value) {
  if (value == part)
    return true;
  auto [it, isNew] = dependent.try_emplace(value, false);
  Operation *op = value.getDefiningOp();
  if (!isNew || !op)
    return it->second;
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  bool depends =
      llvm::any_of(used, [&](Value operand) { return dependsOnPart(operand); });
  return dependent[value] = depends;
}

/// Returns the expression that `index` is of the symbols `operands`, to which
/// it appends: sums, products with constants and shifts by constants.
static AffineExpr buildExpr(Value index, SmallVectorImpl<Value> &operands) {
  MLIRContext *context = index.getContext();
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> parts;
    for (Value operand : apply.getMapOperands())
      parts.push_back(buildExpr(operand, operands));
    return map.getResult(0).replaceDimsAndSymbols(
        ArrayRef(parts).take_front(map.getNumDims()),
        ArrayRef(parts).drop_front(map.getNumDims()));
  }
  if (isa_and_nonnull<arith::AddIOp>(op)) {
    AffineExpr lhs = buildExpr(op->getOperand(0), operands);
    return lhs + buildExpr(op->getOperand(1), operands);
  }
  std::optional<int64_t> constant;
  if (isa_and_nonnull<arith::MulIOp, arith::ShRSIOp>(op))
    constant = getConstantIntValue(op->getOperand(1));
  if (constant && isa<arith::MulIOp>(op))
    return buildExpr(op->getOperand(0), operands) * *constant;
  if (constant && *constant >= 0 && *constant < 32)
    return buildExpr(op->getOperand(0), operands)
        .floorDiv(int64_t(1) << *constant);
  operands.push_back(index);
  return getAffineSymbolExpr(operands.size() - 1, context);
}

FailureOr<PartBatcher::Linear> PartBatcher::getLinear(Value index) {
  if (!dependsOnPart(index))
    return Linear{index, 0};
  Location loc = index.getLoc();
  SmallVector<Value> operands;
  AffineExpr whole = buildExpr(index, operands);
  AffineMap map = AffineMap::get(0, operands.size(), whole);
  affine::canonicalizeMapAndOperands(&map, &operands);
  // The values for the first parts. An expression with floordiv or mod may be
  // linear only for these.
  SmallVector<AffineExpr> at;
  for (int64_t number = 0; number < std::max<int64_t>(numParts, 2); ++number) {
    AffineExpr expr = map.getResult(0);
    for (auto [position, operand] : llvm::enumerate(operands)) {
      if (operand != part) {
        if (dependsOnPart(operand))
          return failure();
        continue;
      }
      AffineExpr variable =
          position < map.getNumDims()
              ? b.getAffineDimExpr(position)
              : b.getAffineSymbolExpr(position - map.getNumDims());
      expr = expr.replace(variable, b.getAffineConstantExpr(number));
    }
    at.push_back(
        simplifyAffineExpr(expr, map.getNumDims(), map.getNumSymbols()));
  }
  auto getDifference = [&](unsigned number) {
    return dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        at[number + 1] - at[number], map.getNumDims(), map.getNumSymbols()));
  };
  AffineConstantExpr first = getDifference(0);
  if (!first || !map.getResult(0).isPureAffine())
    return failure();
  for (unsigned number = 1; number + 1 < at.size(); ++number)
    if (first != getDifference(number))
      return failure();
  SmallVector<OpFoldResult> base;
  for (Value operand : operands)
    base.push_back(operand == part ? OpFoldResult(b.getIndexAttr(0))
                                   : OpFoldResult(operand));
  OpFoldResult result = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(map.getNumDims(), map.getNumSymbols(), at[0]),
      base);
  return Linear{getValueOrCreateConstantIndexOp(b, loc, result),
                first.getValue()};
}

/// Reads the tiles of all parts at once. They are adjacent in memory.
FailureOr<Value> PartBatcher::buildRead(vector::TransferReadOp read,
                                        Refusal &refusal) {
  Location loc = read.getLoc();
  std::optional<unsigned> cutDim;
  int64_t coefficient = 0;
  SmallVector<Value> indices;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    FailureOr<Linear> linear = getLinear(index);
    if (failed(linear) || (linear->coefficient != 0 && cutDim))
      return refusal.set(
          RefusalKind::Other, read,
          "where a tile is read is not linear in the number of the part");
    if (linear->coefficient != 0) {
      cutDim = dim;
      coefficient = linear->coefficient;
    }
    indices.push_back(linear->base);
  }
  AffineMap map = read.getPermutationMap();
  std::optional<unsigned> position;
  if (cutDim)
    position = map.getResultPosition(b.getAffineDimExpr(*cutDim));
  SmallVector<int64_t> shape(read.getVectorType().getShape());
  // A tile of one element along this dimension does not have the dimension.
  bool isAdded = cutDim && !position && coefficient == 1;
  if (!(isAdded || (position && shape[*position] == coefficient)) ||
      dependsOnPart(read.getBase()))
    return refusal.set(RefusalKind::Other, read,
                       "what parts read does not lie next to each other");
  SmallVector<Attribute> inBounds(read.getInBounds().getValue());
  if (isAdded) {
    position = 0;
    shape.insert(shape.begin(), 1);
    inBounds.insert(inBounds.begin(), b.getBoolAttr(true));
    map = AffineMap::get(
        map.getNumDims(), 0,
        llvm::to_vector(llvm::concat<const AffineExpr>(
            ArrayRef<AffineExpr>{b.getAffineDimExpr(*cutDim)},
            map.getResults())),
        b.getContext());
  }
  SmallVector<int64_t> whole = shape, cut = shape;
  whole[*position] *= numParts;
  if (!isAdded)
    cut.insert(cut.begin() + *position, numParts);

  // A mask of the other dimensions, in the order of memory.
  Value mask = read.getMask();
  if (mask) {
    auto create = mask.getDefiningOp<vector::CreateMaskOp>();
    int64_t number = llvm::count_if(map.getResults(), [&](AffineExpr expr) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      return dim && dim.getPosition() < *cutDim;
    });
    if (!create || dependsOnPart(mask) ||
        (!isAdded &&
         getConstantIntValue(create.getOperand(number)).value_or(0) <
             shape[*position]))
      return refusal.set(RefusalKind::Other, read,
                         "a tile is read under a mask that cuts parts");
    SmallVector<Value> bounds(create.getOperands());
    SmallVector<int64_t> maskShape(create.getVectorType().getShape());
    if (isAdded) {
      maskShape.insert(maskShape.begin() + number, 1);
      bounds.insert(bounds.begin() + number, Value());
    }
    maskShape[number] *= numParts;
    bounds[number] = arith::ConstantIndexOp::create(b, loc, whole[*position]);
    mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get(maskShape, b.getI1Type()), bounds);
  }
  Type element = read.getVectorType().getElementType();
  auto all = vector::TransferReadOp::create(
      b, loc, VectorType::get(whole, element), read.getBase(), indices,
      read.getPadding(), AffineMapAttr::get(map), b.getArrayAttr(inBounds));
  if (mask)
    all.getMaskMutable().assign(mask);
  // The dimension of parts is the first one already.
  if (isAdded)
    return all.getResult();
  Value parts = vector::ShapeCastOp::create(
      b, loc, VectorType::get(cut, element), all.getResult());
  SmallVector<int64_t> permutation{*position};
  for (int64_t dim = 0; dim < int64_t(cut.size()); ++dim)
    if (dim != int64_t(*position))
      permutation.push_back(dim);
  return b.createOrFold<vector::TransposeOp>(loc, parts, permutation);
}

/// Gathers the tiles of all parts at once: each has positions of its own.
FailureOr<Value> PartBatcher::buildGather(vector_ext::TransferGatherOp op,
                                          Refusal &refusal) {
  Location loc = op.getLoc();
  if (dependsOnPart(op.getBase()))
    return refuse(op, refusal);
  VectorType result = getTypeOfAll(op.getType());
  unsigned rank = result.getRank();
  auto getMap = [&](ArrayRef<AffineExpr> exprs, unsigned numSymbols = 0) {
    return AffineMap::get(rank, numSymbols, exprs, b.getContext());
  };
  AffineExpr ofParts = b.getAffineDimExpr(0);
  // Adds the dimension of parts to `value`, a vector, if it depends on the
  // part.
  auto addParts = [&](Value &value, AffineMap &map) -> LogicalResult {
    SmallVector<AffineExpr> exprs(map.shiftDims(1).getResults());
    if (dependsOnPart(value)) {
      FailureOr<Value> all = getOfAll(value, refusal);
      if (failed(all))
        return failure();
      value = *all;
      exprs.insert(exprs.begin(), ofParts);
    }
    map = getMap(exprs);
    return success();
  };

  // 1. The positions that are vectors already.
  SmallVector<Value> indices(op.getIndices());
  SmallVector<AffineMap> maps;
  for (auto [number, index] : llvm::enumerate(indices))
    if (failed(addParts(index, maps.emplace_back(op.getIndexMap(number)))))
      return failure();

  // 2. Offsets that depend on the part become such positions.
  SmallVector<Value> offsets;
  SmallVector<AffineExpr> places(op.getBaseMap().shiftDims(1).getResults());
  for (auto [place, offset] : llvm::zip_equal(places, op.getOffsets())) {
    FailureOr<Linear> linear = getLinear(offset);
    if (failed(linear))
      return refusal.set(
          RefusalKind::Other, op,
          "where rows are gathered is not linear in the number of the part");
    offsets.push_back(linear->base);
    if (linear->coefficient == 0)
      continue;
    Value steps = buildIndex(
        loc, {arith::ConstantIndexOp::create(b, loc, 0), linear->coefficient});
    SmallVector<AffineExpr> dims{ofParts};
    auto symbol = dyn_cast<AffineSymbolExpr>(place);
    Value positions;
    if (symbol) {
      positions = indices[symbol.getPosition()];
      dims = llvm::to_vector(maps[symbol.getPosition()].getResults());
    } else if (isa<AffineDimExpr>(place)) {
      unsigned dim = cast<AffineDimExpr>(place).getPosition();
      positions = vector::StepOp::create(
          b, loc, VectorType::get({result.getDimSize(dim)}, b.getIndexType()));
      dims = {place};
    }
    if (positions) {
      auto type = cast<VectorType>(positions.getType());
      if (!type.getElementType().isIndex()) {
        type = VectorType::get(type.getShape(), b.getIndexType());
        positions = arith::IndexCastOp::create(b, loc, type, positions);
      }
      // Positions of one part get the dimension of parts.
      if (dims.front() != ofParts) {
        dims.insert(dims.begin(), ofParts);
        type = getTypeOfAll(type);
        positions = vector::BroadcastOp::create(b, loc, type, positions);
      }
      SmallVector<int64_t> ones(type.getRank(), 1);
      ones.front() = numParts;
      steps = vector::BroadcastOp::create(
          b, loc, type,
          vector::ShapeCastOp::create(
              b, loc, VectorType::get(ones, b.getIndexType()), steps));
      steps = arith::AddIOp::create(b, loc, positions, steps);
    }
    if (symbol) {
      indices[symbol.getPosition()] = steps;
      maps[symbol.getPosition()] = getMap(dims);
      continue;
    }
    place = b.getAffineSymbolExpr(indices.size());
    indices.push_back(steps);
    maps.push_back(getMap(dims));
  }

  // 3. The mask, and the gather.
  maps.insert(maps.begin(), getMap(places, indices.size()));
  Value mask = op.getMask();
  if (mask && failed(addParts(mask, maps.emplace_back(op.getMaskMap()))))
    return failure();
  return vector_ext::TransferGatherOp::create(b, loc, result, op.getBase(),
                                              offsets, indices, mask,
                                              b.getAffineMapArrayAttr(maps))
      .getResult();
}

/// Gathers the elements that all parts extract.
FailureOr<Value> PartBatcher::buildExtract(tensor::ExtractOp op,
                                           Refusal &refusal) {
  Location loc = op.getLoc();
  if (dependsOnPart(op.getTensor()))
    return refuse(op, refusal);
  SmallVector<Value> offsets(op.getIndices()), indices;
  SmallVector<AffineExpr> places(offsets.size(), b.getAffineConstantExpr(0));
  for (auto [place, offset] : llvm::zip_equal(places, offsets)) {
    if (!dependsOnPart(offset))
      continue;
    FailureOr<Value> all = getOfAll(offset, refusal);
    if (failed(all))
      return failure();
    place = b.getAffineSymbolExpr(indices.size());
    indices.push_back(*all);
    offset = arith::ConstantIndexOp::create(b, loc, 0);
  }
  SmallVector<AffineMap> maps(indices.size() + 1, b.getMultiDimIdentityMap(1));
  maps.front() = AffineMap::get(1, indices.size(), places, b.getContext());
  return vector_ext::TransferGatherOp::create(
             b, loc, getTypeOfAll(op.getType()), op.getTensor(), offsets,
             indices, /*mask=*/Value(), b.getAffineMapArrayAttr(maps))
      .getResult();
}

/// Gathers the elements of all parts from one memory, at the same offsets.
FailureOr<Value> PartBatcher::buildElementGather(vector::GatherOp op,
                                                 Refusal &refusal) {
  if (dependsOnPart(op.getBase()) ||
      llvm::any_of(op.getOffsets(),
                   [&](Value offset) { return dependsOnPart(offset); }))
    return refuse(op, refusal);
  SmallVector<Value> vectors;
  for (Value vector : {op.getIndices(), op.getMask(), op.getPassThru()}) {
    FailureOr<Value> all = getOfAll(vector, refusal);
    if (failed(all))
      return failure();
    vectors.push_back(*all);
  }
  return vector::GatherOp::create(b, op.getLoc(), getTypeOfAll(op.getType()),
                                  op.getBase(), op.getOffsets(), vectors[0],
                                  vectors[1], vectors[2])
      .getResult();
}

VectorType PartBatcher::getTypeOfAll(Type type) const {
  return VectorType::get(addFront(numParts, ::getShape(type)),
                         getElementTypeOrSelf(type));
}

Value PartBatcher::buildIndex(Location loc, const Linear &linear) {
  VectorType type = getTypeOfAll(b.getIndexType());
  Value numbers = vector::StepOp::create(b, loc, type);
  Value scale = vector::BroadcastOp::create(
      b, loc, type, arith::ConstantIndexOp::create(b, loc, linear.coefficient));
  Value base = vector::BroadcastOp::create(b, loc, type, linear.base);
  return arith::AddIOp::create(b, loc, base,
                               arith::MulIOp::create(b, loc, numbers, scale));
}

FailureOr<Value> PartBatcher::buildBroadcast(vector::BroadcastOp op,
                                             Refusal &refusal) {
  FailureOr<Value> source = getOfAll(op.getSource(), refusal);
  if (failed(source))
    return failure();
  SmallVector<int64_t> from = ::getShape(op.getSourceType());
  ArrayRef<int64_t> to = op.getResultVectorType().getShape();
  if (ArrayRef<int64_t>(from) != to.take_back(from.size()))
    return refuse(op, refusal);
  // Reduce along the dimensions before the parts, and then move the parts to
  // the front.
  int64_t added = to.size() - from.size();
  SmallVector<int64_t> wide(to.take_front(added));
  wide.push_back(numParts);
  llvm::append_range(wide, from);
  SmallVector<int64_t> permutation{added};
  for (int64_t dim = 0; dim < int64_t(wide.size()); ++dim)
    if (dim != added)
      permutation.push_back(dim);
  Type element = op.getResultVectorType().getElementType();
  Value value = b.createOrFold<vector::BroadcastOp>(
      op.getLoc(), VectorType::get(wide, element), *source);
  return b.createOrFold<vector::TransposeOp>(op.getLoc(), value, permutation);
}

FailureOr<Value> PartBatcher::buildTranspose(vector::TransposeOp op,
                                             Refusal &refusal) {
  FailureOr<Value> source = getOfAll(op.getVector(), refusal);
  if (failed(source))
    return failure();
  SmallVector<int64_t> permutation{0};
  for (int64_t dim : op.getPermutation())
    permutation.push_back(dim + 1);
  return b.createOrFold<vector::TransposeOp>(op.getLoc(), *source, permutation);
}

FailureOr<Value> PartBatcher::buildReduction(vector::MultiDimReductionOp op,
                                             Refusal &refusal) {
  FailureOr<Value> source = getOfAll(op.getSource(), refusal),
                   acc = getOfAll(op.getAcc(), refusal);
  if (failed(source) || failed(acc))
    return failure();
  SmallVector<bool> mask{false};
  llvm::append_range(mask, op.getReductionMask());
  return vector::MultiDimReductionOp::create(b, op.getLoc(), *source, *acc,
                                             mask, op.getKind())
      .getResult();
}

FailureOr<Value> PartBatcher::buildContraction(vector::ContractionOp op,
                                               Refusal &refusal) {
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (auto [map, operand] :
       llvm::zip(op.getIndexingMapsArray(), op->getOperands())) {
    bool isAcc = operands.size() == 2;
    SmallVector<AffineExpr> exprs(map.shiftDims(1).getResults());
    if (isAcc || dependsOnPart(operand)) {
      FailureOr<Value> all = getOfAll(operand, refusal);
      if (failed(all))
        return failure();
      operands.push_back(*all);
      exprs.insert(exprs.begin(), b.getAffineDimExpr(0));
    } else {
      operands.push_back(operand);
    }
    maps.push_back(
        AffineMap::get(map.getNumDims() + 1, 0, exprs, b.getContext()));
  }
  SmallVector<Attribute> iterators{vector::IteratorTypeAttr::get(
      b.getContext(), vector::IteratorType::parallel)};
  llvm::append_range(iterators, op.getIteratorTypes());
  auto all = vector::ContractionOp::create(
      b, op.getLoc(), operands[0], operands[1], operands[2],
      b.getAffineMapArrayAttr(maps), b.getArrayAttr(iterators), op.getKind());
  all->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return all.getResult();
}

FailureOr<Value> PartBatcher::buildElementwise(Operation *op,
                                               Refusal &refusal) {
  VectorType type = getTypeOfAll(op->getResult(0).getType());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    // The condition may be the same for all elements.
    bool isUniform =
        int64_t(::getShape(operand.getType()).size()) + 1 < type.getRank();
    if (isUniform && !dependsOnPart(operand)) {
      operands.push_back(operand);
      continue;
    }
    if (isUniform)
      return refusal.set(RefusalKind::Other, op,
                         "a condition is not the same for all parts");
    FailureOr<Value> all = getOfAll(operand, refusal);
    if (failed(all))
      return failure();
    operands.push_back(*all);
  }
  return b
      .create(op->getLoc(), op->getName().getIdentifier(), operands,
              TypeRange(type), op->getAttrs())
      ->getResult(0);
}

LogicalResult PartBatcher::refuse(Operation *op, Refusal &refusal) {
  return refusal.set(RefusalKind::Other, op,
                     "'" + op->getName().getStringRef() +
                         "' has no form for all parts");
}

FailureOr<Value> PartBatcher::build(Operation *op, Refusal &refusal) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return buildRead(read, refusal);
  Type result = op->getResult(0).getType();
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    // Extract the element of this part from a vector with one element for each
    // part.
    SmallVector<OpFoldResult> position = extract.getMixedPosition();
    if (position.size() == 1 && position.front() == OpFoldResult(part) &&
        !dependsOnPart(extract.getSource()))
      return extract.getSource();
  } else if (op->getNumRegions() == 0 && isa<IndexType>(result)) {
    if (FailureOr<Linear> linear = getLinear(op->getResult(0));
        succeeded(linear))
      return buildIndex(op->getLoc(), *linear);
  }
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](vector_ext::TransferGatherOp op) {
        return buildGather(op, refusal);
      })
      .Case(
          [&](vector::GatherOp op) { return buildElementGather(op, refusal); })
      .Case([&](tensor::ExtractOp op) { return buildExtract(op, refusal); })
      .Case([&](vector::BroadcastOp op) { return buildBroadcast(op, refusal); })
      .Case([&](vector::TransposeOp op) { return buildTranspose(op, refusal); })
      .Case([&](vector::ShapeCastOp op) -> FailureOr<Value> {
        FailureOr<Value> source = getOfAll(op.getSource(), refusal);
        if (failed(source))
          return failure();
        return vector::ShapeCastOp::create(b, op.getLoc(),
                                           getTypeOfAll(op.getType()), *source)
            .getResult();
      })
      .Case([&](vector::MultiDimReductionOp op) {
        return buildReduction(op, refusal);
      })
      .Case([&](vector::ContractionOp op) {
        return buildContraction(op, refusal);
      })
      .Default([&](Operation *op) -> FailureOr<Value> {
        if (OpTrait::hasElementwiseMappableTraits(op) &&
            op->getNumResults() == 1)
          return buildElementwise(op, refusal);
        return refuse(op, refusal);
      });
}

FailureOr<Value> PartBatcher::getOfAll(Value value, Refusal &refusal) {
  if (Value known = batched.lookup(value))
    return known;
  FailureOr<Value> result = failure();
  VectorType type = getTypeOfAll(value.getType());
  if (!dependsOnPart(value))
    result = b.createOrFold<vector::BroadcastOp>(value.getLoc(), type, value);
  else if (value == part)
    result = vector::StepOp::create(b, value.getLoc(), type).getResult();
  else
    result = build(value.getDefiningOp(), refusal);
  if (succeeded(result))
    batched[value] = *result;
  return result;
}
