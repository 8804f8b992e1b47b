//===- OffsetSplitter.cpp - Numbers with an offset for each group ---------===//
//
// See OffsetSplitter.h.
//
//===----------------------------------------------------------------------===//

#include "OffsetSplitter.h"
#include "IntegerRange.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most values of an integer that an instruction looks up, so that it is
/// centered for nothing.
static constexpr int64_t kMostValues = 16;

/// The largest magnitude of small integers: that of bytes, and of what they are
/// if one is added.
static constexpr int64_t kMostSmall = 256;

llvm::SmallBitVector OffsetSplitter::getDims(Value value) {
  auto [entry, isNew] =
      known.try_emplace(value, llvm::SmallBitVector(op.getNumLoops() + 1));
  if (!isNew)
    return entry->second;
  llvm::SmallBitVector dims(op.getNumLoops() + 1);
  Operation *inner = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value);
      arg && arg.getOwner() == op.getBlock()) {
    OpOperand &operand = op->getOpOperand(arg.getArgNumber());
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
      if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim))
        dims.set(dim);
    if (!op.isDpsInput(&operand))
      dims.set(op.getNumLoops());
  } else if (auto index = dyn_cast_or_null<linalg::IndexOp>(inner)) {
    // Its loops have other numbers in other ops.
    dims.set(index.getDim());
    dims.set(op.getNumLoops());
  } else if (inner && inner->getBlock() == op.getBlock()) {
    if (!isPure(inner) || inner->getNumRegions() != 0)
      dims.set(op.getNumLoops());
    for (Value operand : inner->getOperands())
      dims |= getDims(operand);
  }
  known[value] = dims;
  return dims;
}

/// Returns what `known` has for `value`, or else what `compute` returns for it.
template <typename T, typename Compute>
static T lookupOrCompute(llvm::DenseMap<Value, T> &known, Value value,
                         Compute compute) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  T result = compute();
  known.try_emplace(value, result);
  return result;
}

bool OffsetSplitter::readsOperand(Value value) {
  return lookupOrCompute(reading, value,
                         [&] { return computeReadsOperand(value); });
}

bool OffsetSplitter::computeReadsOperand(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg.getOwner() == op.getBlock();
  Operation *inner = value.getDefiningOp();
  return inner->getBlock() == op.getBlock() &&
         llvm::any_of(inner->getOperands(),
                      [&](Value operand) { return readsOperand(operand); });
}

std::optional<OffsetSplitter::Addition>
OffsetSplitter::getAddition(Value value) {
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock())
    return std::nullopt;
  if (isa<arith::AddFOp, arith::SubFOp>(inner))
    return Addition{inner->getOperand(0), inner->getOperand(1),
                    isa<arith::SubFOp>(inner), /*converts=*/false};
  if (!isa<arith::SIToFPOp>(inner) || !value.getType().isF32())
    return std::nullopt;
  auto difference = inner->getOperand(0).getDefiningOp<arith::SubIOp>();
  if (!difference || difference->getBlock() != op.getBlock() ||
      !isExactDifference(op, difference))
    return std::nullopt;
  return Addition{difference.getLhs(), difference.getRhs(), /*subtracts=*/true,
                  /*converts=*/true};
}

bool OffsetSplitter::findGroup(Value value) {
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock() ||
      withoutGroup.contains(value))
    return false;
  if (std::optional<Addition> addition = getAddition(value)) {
    for (auto [side, other] : {std::pair(addition->right, addition->left),
                               std::pair(addition->left, addition->right)}) {
      llvm::SmallBitVector ofSide = getDims(side), ofOther = getDims(other);
      if (ofSide.test(op.getNumLoops()) || !readsOperand(side))
        continue;
      groupDims.reset();
      small.clear();
      withOffset.clear();
      parts.clear();
      for (unsigned dim : reductions)
        if (ofOther.test(dim) && !ofSide.test(dim))
          groupDims.set(dim);
      if (groupDims.any())
        return true;
    }
    if (addition->converts)
      return false;
  }
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(inner) &&
      llvm::any_of(inner->getOperands(),
                   [&](Value operand) { return findGroup(operand); }))
    return true;
  withoutGroup.insert(value);
  return false;
}

bool OffsetSplitter::isOfSmallIntegers(Value value) {
  return lookupOrCompute(small, value,
                         [&] { return computeIsOfSmallIntegers(value); });
}

bool OffsetSplitter::computeIsOfSmallIntegers(Value value) {
  if (isInvariant(value))
    return true;
  auto isSmall = [&](Value integer) {
    std::optional<SignedRange> range = getSignedRange(op, integer);
    return range && range->least >= -kMostSmall && range->most <= kMostSmall;
  };
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock())
    return false;
  if (std::optional<Addition> addition = getAddition(value);
      addition && addition->converts)
    return llvm::all_of(ArrayRef{addition->left, addition->right},
                        [&](Value side) {
                          return isInvariant(side) || isSmall(side);
                        });
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(inner)) {
    Value integer = inner->getOperand(0);
    // An unsigned integer of more bits may be large where it is negative.
    std::optional<SignedRange> range = getSignedRange(op, integer);
    return isSmall(integer) &&
           (isa<arith::SIToFPOp>(inner) || range->least >= 0 ||
            integer.getType().getIntOrFloatBitWidth() <= 8);
  }
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(
             inner) &&
         llvm::all_of(inner->getOperands(), [&](Value operand) {
           return isOfSmallIntegers(operand);
         });
}

bool OffsetSplitter::hasOffset(Value value) {
  return lookupOrCompute(withOffset, value,
                         [&] { return computeHasOffset(value); });
}

bool OffsetSplitter::computeHasOffset(Value value) {
  if (isInvariant(value))
    return readsOperand(value);
  if (std::optional<Addition> addition = getAddition(value)) {
    // An integer itself is not split.
    auto has = [&](Value side) {
      return addition->converts ? isInvariant(side) && readsOperand(side)
                                : hasOffset(side);
    };
    return has(addition->left) || has(addition->right);
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock())
    return false;
  if (isa<arith::NegFOp>(inner))
    return hasOffset(inner->getOperand(0));
  if (!isa<arith::MulFOp>(inner))
    return false;
  for (unsigned side : {0, 1})
    if (isInvariant(inner->getOperand(side)))
      return hasOffset(inner->getOperand(1 - side));
  return false;
}

int64_t OffsetSplitter::getCenter(Value value) {
  Operation *convert = value ? value.getDefiningOp() : nullptr;
  if (!centers || !isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(convert))
    return 0;
  std::optional<SignedRange> range = getSignedRange(op, convert->getOperand(0));
  return range && range->least == 0 && range->most > 0 &&
                 range->most < kMostValues
             ? (range->most + 1) / 2
             : 0;
}

Value OffsetSplitter::add(Value a, Value c, bool subtracts) {
  if (!c)
    return a;
  if (!a)
    return subtracts ? arith::NegFOp::create(b, c.getLoc(), c).getResult() : c;
  if (subtracts)
    return arith::SubFOp::create(b, c.getLoc(), a, c);
  return arith::AddFOp::create(b, c.getLoc(), a, c);
}

Parts OffsetSplitter::split(Value value) {
  return lookupOrCompute(parts, value, [&] { return computeSplit(value); });
}

Parts OffsetSplitter::computeSplit(Value value) {
  if (!hasOffset(value))
    return {value, {}};
  if (isInvariant(value))
    return {{}, value};
  if (std::optional<Addition> addition = getAddition(value)) {
    auto of = [&](Value side) -> Parts {
      if (!addition->converts)
        return split(side);
      Value real = toFloat(side);
      return isInvariant(side) && readsOperand(side) ? Parts{{}, real}
                                                     : Parts{real, {}};
    };
    Parts left = of(addition->left), right = of(addition->right);
    Parts result{add(left.varying, right.varying, addition->subtracts), {}};
    if (int64_t center = getCenter(result.varying)) {
      Value number = arith::ConstantOp::create(
          b, value.getLoc(), b.getF32FloatAttr(static_cast<float>(center)));
      result.varying = add(result.varying, number, /*subtracts=*/true);
      left.offset = add(number, left.offset, /*subtracts=*/false);
    }
    result.offset = add(left.offset, right.offset, addition->subtracts);
    return result;
  }
  Operation *inner = value.getDefiningOp();
  if (isa<arith::NegFOp>(inner)) {
    Parts parts = split(inner->getOperand(0));
    return {add({}, parts.varying, true), add({}, parts.offset, true)};
  }
  unsigned side = isInvariant(inner->getOperand(0)) ? 0 : 1;
  Value factor = inner->getOperand(side);
  Parts parts = split(inner->getOperand(1 - side));
  for (Value *part : {&parts.varying, &parts.offset})
    if (*part)
      *part = arith::MulFOp::create(b, value.getLoc(), *part, factor);
  return parts;
}
