//===- GroupOffsets.cpp - Zero points beside products of digits -----------===//
//
// SplitOffsets.cpp makes two products of one that has zero points z and scales
// s of groups, of which the first has a term for each group:
//
//   y = sum_g z[g] s[g] r[g]     r[g]: the sum of the row over group g
//   y += sum_k q[k] s[g(k)] x[k]
//
// Digits multiply the integers q by units u of groups, and add what starts of
// sums lack, rest[g], times u[g] s[g] (DigitProduct.cpp). If each group has one
// unit, the first product is one of the same factors:
//
//   z[g] s[g] r[g] = (u[g] s[g]) (z[g] (r[g] / u[g]))
//
// So it takes one multiply-add, and reads and multiplies no scales. r / u is
// computed once for all columns. Units are powers of two, often times a
// constant, and r is at most as large as what shares the unit.
//
//===----------------------------------------------------------------------===//

#include "GroupOffsets.h"

#include "DigitProduct.h"
#include "LoopEmitter.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr int64_t kLanes = 16;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

static bool isAllocated(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      root.getDefiningOp());
}

/// Whether `root` is memory of its own, or comes from outside of the function:
/// it is no other allocated buffer.
static bool isKnown(Value root) {
  if (auto arg = dyn_cast<BlockArgument>(root))
    return isa<FunctionOpInterface>(arg.getOwner()->getParentOp());
  return isAllocated(root) || root.getDefiningOp<memref::GetGlobalOp>();
}

/// Whether `op` reads and writes allocated buffers only, neither `output` nor
/// what `sum` reads, so that `sum` may be computed behind it.
static bool isIndependent(linalg::LinalgOp op, linalg::LinalgOp sum,
                          Value output) {
  if (!llvm::all_of(sum->getOperands(), [](Value operand) {
        return !isa<MemRefType>(operand.getType()) ||
               isKnown(getViewedBuffer(operand));
      }))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    Value root = getViewedBuffer(operand.get());
    if (!isAllocated(root) || root == getViewedBuffer(output) ||
        (op.isDpsInit(&operand) &&
         llvm::any_of(sum->getOperands(), [&](Value read) {
           return getViewedBuffer(read) == root;
         })))
      return false;
  }
  return llvm::all_of(*op.getBlock(),
                      [](Operation &inner) { return isPure(&inner); });
}

/// Returns the sum that stores to `output` in front of `op`. Only what prepares
/// other operands lies between them.
static linalg::LinalgOp getSumBefore(linalg::LinalgOp op, Value output) {
  SmallVector<linalg::LinalgOp> between;
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode()) {
    if (isMemoryEffectFree(previous) ||
        isa<memref::AllocOp, memref::AllocaOp>(previous))
      continue;
    auto sum = dyn_cast<linalg::LinalgOp>(previous);
    if (!sum)
      return nullptr;
    if (sum.getNumDpsInits() != 1 || sum.getDpsInits().front() != output) {
      between.push_back(sum);
      continue;
    }
    return sum.getNumReductionLoops() == 1 &&
                   llvm::all_of(between,
                                [&](linalg::LinalgOp other) {
                                  return isIndependent(other, sum, output);
                                })
               ? sum
               : nullptr;
  }
  return nullptr;
}

/// Returns the number, in the order of memory, of the element that `operand` of
/// `op` is at, and what it is a reshape of. Returns a null expression if sizes
/// are unknown.
static AffineExpr getPlace(linalg::LinalgOp op, OpOperand &operand,
                           Value &source) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || type.getRank() == 0)
    return nullptr;
  AffineExpr place = map.getResult(0);
  for (int64_t dim = 1; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim))
      return nullptr;
    place = place * type.getDimSize(dim) + map.getResult(dim);
  }
  source = operand.get();
  while (Operation *def = source.getDefiningOp()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(def))
      break;
    source = def->getOperand(0);
  }
  return place;
}

namespace {
/// Compares payloads of a sum over groups and of a product of digits.
struct Comparison {
  linalg::LinalgOp sum, op;
  /// The dimensions of `sum`, as expressions of those of `op`.
  SmallVector<AffineExpr> dims;

  bool isSame(Value ofSum, Value ofProduct);
};
} // namespace

bool Comparison::isSame(Value ofSum, Value ofProduct) {
  if (ofSum == ofProduct)
    return true;
  auto first = dyn_cast<BlockArgument>(ofSum),
       second = dyn_cast<BlockArgument>(ofProduct);
  if (first && second) {
    if (first.getOwner() != sum.getBlock() ||
        second.getOwner() != op.getBlock() ||
        first.getType() != second.getType())
      return false;
    Value source, other;
    AffineExpr place = getPlace(sum, sum->getOpOperand(first.getArgNumber()),
                                source),
               same =
                   getPlace(op, op->getOpOperand(second.getArgNumber()), other);
    if (!place || !same || source != other)
      return false;
    unsigned count = op.getNumLoops();
    return simplifyAffineExpr(place.replaceDims(dims) - same, count, 0) ==
           getAffineConstantExpr(0, op.getContext());
  }
  Operation *left = ofSum.getDefiningOp(), *right = ofProduct.getDefiningOp();
  if (!left || !right || left->getName() != right->getName() ||
      left->getAttrDictionary() != right->getAttrDictionary() ||
      left->getResultTypes() != right->getResultTypes() ||
      left->getNumOperands() != right->getNumOperands() ||
      left->getNumRegions() > 0 || isa<linalg::IndexOp>(left) || !isPure(left))
    return false;
  return llvm::all_of(
      llvm::zip_equal(left->getOperands(), right->getOperands()),
      [&](auto operands) {
        return isSame(std::get<0>(operands), std::get<1>(operands));
      });
}

/// Sets the dimensions of `op` that those of `offsets.op` are, and `dims` to
/// the same as expressions. Returns false if the results differ in their
/// dimensions.
static bool findDims(linalg::LinalgOp op, const DigitProduct &product,
                     unsigned laneDim, GroupOffsets &offsets,
                     SmallVector<AffineExpr> &dims) {
  linalg::LinalgOp sum = offsets.op;
  AffineMap ofSum = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0)),
            ofProduct = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!ofSum.isProjectedPermutation() || !ofProduct.isProjectedPermutation() ||
      ofSum.getNumResults() + 1 != sum.getNumLoops())
    return false;
  dims.assign(sum.getNumLoops(), AffineExpr());
  offsets.dims.assign(sum.getNumLoops(), 0);
  for (auto [from, to] :
       llvm::zip_equal(ofSum.getResults(), ofProduct.getResults())) {
    unsigned dim = cast<AffineDimExpr>(from).getPosition();
    dims[dim] = to;
    offsets.dims[dim] = cast<AffineDimExpr>(to).getPosition();
  }
  for (unsigned dim = 0; dim < sum.getNumLoops(); ++dim)
    if (!dims[dim])
      offsets.groupDim = dim;
  // The unit at an iteration of the product.
  int64_t perUnit = product.width / product.getUnits(),
          lanes = op.getStaticLoopRanges()[laneDim];
  AffineExpr group = getAffineConstantExpr(0, op.getContext());
  if (lanes > perUnit)
    group = getAffineDimExpr(laneDim, op.getContext()).floorDiv(perUnit);
  if (product.loopDim)
    group = group + getAffineDimExpr(*product.loopDim, op.getContext()) *
                        (lanes / perUnit);
  dims[offsets.groupDim] = group;
  return sum.getStaticLoopRanges()[offsets.groupDim] ==
         product.vectors * product.getUnits();
}

/// Whether RegisterTile loads what the numbers are computed of as vectors.
static bool loadsVectors(const GroupOffsets &offsets) {
  linalg::LinalgOp sum = offsets.op;
  for (Value number : offsets.numbers)
    for (Value value : getPayloadSlice(sum, number)) {
      auto arg = dyn_cast<BlockArgument>(value);
      if (Operation *inner = value.getDefiningOp();
          inner && inner->getBlock() == sum.getBlock() && !isPure(inner))
        return false;
      if (!arg || arg.getOwner() != sum.getBlock())
        continue;
      OpOperand &operand = sum->getOpOperand(arg.getArgNumber());
      if (!sum.isDpsInput(&operand) ||
          getLaneAccess(sum, operand, offsets.groupDim) == LaneAccess::Strided)
        return false;
    }
  return true;
}

std::optional<GroupOffsets> mlir::linalg_ext::findGroupOffsets(
    linalg::LinalgOp op, const DigitProduct &product, unsigned laneDim) {
  GroupOffsets result;
  result.op = getSumBefore(op, op.getDpsInits().front());
  Refusal refusal;
  if (!result.op ||
      !getElementTypeOrSelf(result.op.getDpsInits().front()).isF32() ||
      failed(verifyPayloadIsElementwise(result.op, refusal)))
    return std::nullopt;
  std::optional<SmallVector<Value>> leaves = getFactorsOfSum(result.op);
  Comparison comparison{result.op, op, {}};
  if (!leaves || !findDims(op, product, laneDim, result, comparison.dims))
    return std::nullopt;
  SmallVector<Value> factors(product.factors);
  for (Value leaf : *leaves) {
    auto *same = llvm::find_if(
        factors, [&](Value factor) { return comparison.isSame(leaf, factor); });
    if (same != factors.end()) {
      factors.erase(same);
      continue;
    }
    // The sums of the row: the same for all columns.
    OpOperand *operand = getOperandOfFactor(result.op, leaf);
    bool isOfRow = false;
    if (operand && !result.sums && result.op.isDpsInput(operand) &&
        getElementTypeOrSelf(operand->get()).isF32() &&
        getLaneAccess(result.op, *operand, result.groupDim) ==
            LaneAccess::Contiguous) {
      AffineMap map = result.op.getMatchingIndexingMap(operand);
      SmallVector<int64_t> ranges = result.op.getStaticLoopRanges();
      isOfRow = true;
      for (unsigned dim = 0; dim < result.op.getNumLoops(); ++dim)
        isOfRow &= dim == result.groupDim || ranges[dim] == 1 ||
                   !map.isFunctionOfDim(dim);
    }
    if (isOfRow)
      result.sums = operand;
    else
      result.numbers.push_back(leaf);
  }
  if (!factors.empty() || !result.sums || result.numbers.empty() ||
      !loadsVectors(result))
    return std::nullopt;
  // The sums are complete where the row is prepared.
  Operation *ofRow = getPlaceOfCopy(op, product.row->get()),
            *ofSums = getPlaceOfCopy(result.op, result.sums->get());
  if (ofRow == op ? ofSums != result.op : ofSums != ofRow)
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

RegisterTile LoopEmitter::getTileOfOffsets(Value unit, Value mask) {
  const GroupOffsets &offsets = *plan.digits->offsets;
  RegisterTileShape shape = plan.shape;
  shape.laneDim = offsets.groupDim;
  shape.lanes = kLanes;
  shape.rowDim.reset();
  shape.stepDim.reset();
  linalg::LinalgOp sum = offsets.op;
  Values at(sum.getNumLoops());
  for (unsigned dim = 0; dim < at.size(); ++dim) {
    if (dim == offsets.groupDim) {
      at[dim] = unit;
      continue;
    }
    // Dimensions of one iteration have no loop.
    Value iv = ivs[offsets.dims[dim]];
    at[dim] = iv ? iv : getIndex(0);
    if (offsets.dims[dim] == plan.shape.stepDim)
      shape.stepDim = dim;
  }
  int64_t count = plan.digits->vectors * plan.digits->getUnits();
  return RegisterTile(b, offsets.op, shape, at, mask,
                      mask ? getIndex(count) : Value());
}

void LoopEmitter::prepareOffsets() {
  const DigitProduct &product = *plan.digits;
  int64_t count = product.vectors * product.getUnits();
  OpBuilder::InsertionGuard guard(b);
  Operation *place = getPlaceOfCopy(op, product.row->get());
  b.setInsertionPoint(place);
  rowSumsOfUnits = allocateUntil(place, {count}, b.getF32Type());
  emitVectorsOfUnits({}, [&](Value unit, Value mask, ValueRange) {
    Value sums = getTileOfOffsets(unit, mask).load(*product.offsets->sums, {});
    Value quotients =
        arith::DivFOp::create(b, loc, sums, loadUnits(rowUnits, unit, mask));
    if (mask)
      vector::MaskedStoreOp::create(b, loc, rowSumsOfUnits, unit, mask,
                                    quotients);
    else
      vector::StoreOp::create(b, loc, quotients, rowSumsOfUnits, unit);
    return Values();
  });
}

Value LoopEmitter::getOffset(RegisterTile &tile, TilePoint point, Value sums,
                             Value rest) {
  const GroupOffsets &offsets = *plan.digits->offsets;
  Value number;
  for (Value factor : offsets.numbers) {
    Value next = tile.toVector(tile.evaluateTerm({0, 0, point.step}, factor));
    number =
        number ? arith::MulFOp::create(b, loc, number, next).getResult() : next;
  }
  return rest ? vector::FMAOp::create(b, loc, number, sums, rest).getResult()
              : arith::MulFOp::create(b, loc, number, sums).getResult();
}

void LoopEmitter::prefetchOffsets() {
  const GroupOffsets &offsets = *plan.digits->offsets;
  if (isInCache || viewsAhead || !plan.shape.stepDim)
    return;
  linalg::LinalgOp sum = offsets.op;
  int64_t count = plan.digits->vectors * plan.digits->getUnits();
  llvm::SetVector<Value> slice;
  for (Value number : offsets.numbers)
    slice.insert_range(getPayloadSlice(sum, number));
  for (unsigned dim = 0; dim < sum.getNumLoops(); ++dim) {
    if (dim == offsets.groupDim || offsets.dims[dim] != plan.shape.stepDim)
      continue;
    for (OpOperand *operand : sum.getDpsInputOperands()) {
      if (!slice.contains(sum.getMatchingBlockArgument(operand)) ||
          !isa<MemRefType>(operand->get().getType()) ||
          !sum.getMatchingIndexingMap(operand).isFunctionOfDim(dim))
        continue;
      int64_t times =
                  getRepetitions(sum, *operand, offsets.groupDim).value_or(1),
              line = times * (8 * CPUTarget::kLineBytes /
                              getElementBits(operand->get()));
      for (int64_t step = 0; step < blockSteps; ++step)
        for (int64_t unit = 0; unit < count; unit += line)
          getTileOfOffsets(getIndex(unit), {})
              .prefetch(*operand, {0, 0, step}, dim, getStepsAhead());
    }
  }
}
