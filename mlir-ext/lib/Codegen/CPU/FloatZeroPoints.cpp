//===- FloatZeroPoints.cpp - Zero points are subtracted from floats -------===//
//
// A contraction of few rows may unpack integers of 4 bits, subtract a zero
// point from each, and convert the difference to f32. The integers alone,
// converted, are numbers of a constant table, which one instruction looks up
// and which ignores bits above them (TabulateFunctions.cpp). So both are
// converted, and then subtracted. This is exact if both are small, and if the
// difference of the integers does not wrap around.
//
//===----------------------------------------------------------------------===//

#include "IntegerRange.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The bits of an unpacked integer: as many as a table has entries for.
static constexpr int64_t kMostUnpacked = 15;

/// Integers up to this one are exact in f32.
static constexpr int64_t kMostExact = int64_t(1) << 24;

/// How many ops one after another are followed to find the range of a value.
static constexpr unsigned kMostDepth = 16;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getBitWidth() <= 32)
    return constant.getSExtValue();
  return std::nullopt;
}

static std::optional<SignedRange> getRange(linalg::LinalgOp op, Value value,
                                           unsigned depth);

/// Returns the range of the elements of `tensor`, if an elementwise op computes
/// it. Reshapes and slices may follow.
static std::optional<SignedRange> getRangeOfElements(Value tensor,
                                                     unsigned depth) {
  Operation *def = tensor.getDefiningOp();
  if (!def || depth == 0)
    return std::nullopt;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(def))
    return getRangeOfElements(def->getOperand(0), depth - 1);
  auto op = dyn_cast<linalg::GenericOp>(def);
  if (!op || op.getNumReductionLoops() > 0 || op->getNumResults() != 1)
    return std::nullopt;
  return getRange(cast<linalg::LinalgOp>(def),
                  op.getBody()->getTerminator()->getOperand(0), depth - 1);
}

/// Returns the range of `value`, an integer of at most 32 bits in the payload
/// of `op`.
static std::optional<SignedRange> getRange(linalg::LinalgOp op, Value value,
                                           unsigned depth) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() > 32 || depth == 0)
    return std::nullopt;
  int64_t half = int64_t(1) << (type.getWidth() - 1);
  SignedRange all{-half, half - 1};
  if (std::optional<int64_t> constant = getConstant(value))
    return SignedRange{*constant, *constant};
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() != op.getBlock())
      return all;
    OpOperand &operand = op->getOpOperand(arg.getArgNumber());
    if (!op.isDpsInput(&operand))
      return all;
    return getRangeOfElements(operand.get(), depth).value_or(all);
  }
  Operation *def = value.getDefiningOp();
  auto of = [&](unsigned number) {
    return getRange(op, def->getOperand(number), depth - 1);
  };
  if (isa<arith::AndIOp>(def)) {
    for (Value side : def->getOperands())
      if (std::optional<int64_t> mask = getConstant(side); mask && *mask >= 0)
        return SignedRange{0, *mask};
    return all;
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(def)) {
    std::optional<SignedRange> source = of(0);
    if (!source)
      return all;
    if (isa<arith::ExtSIOp>(def) || source->least >= 0)
      return source;
    unsigned width = def->getOperand(0).getType().getIntOrFloatBitWidth();
    return SignedRange{0, (int64_t(1) << width) - 1};
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(def))
    return all;
  std::optional<SignedRange> a = of(0), b = of(1);
  if (!a || !b)
    return all;
  SignedRange result =
      isa<arith::AddIOp>(def)
          ? SignedRange{a->least + b->least, a->most + b->most}
          : SignedRange{a->least - b->most, a->most - b->least};
  return result.least < all.least || result.most > all.most ? all : result;
}

std::optional<SignedRange> mlir::linalg_ext::getSignedRange(linalg::LinalgOp op,
                                                            Value value) {
  return getRange(op, value, kMostDepth);
}

bool mlir::linalg_ext::isExactDifference(linalg::LinalgOp op,
                                         arith::SubIOp difference) {
  std::optional<SignedRange> left = getSignedRange(op, difference.getLhs()),
                             right = getSignedRange(op, difference.getRhs());
  auto isExact = [](std::optional<SignedRange> range) {
    return range && range->least >= -kMostExact && range->most <= kMostExact;
  };
  if (!isExact(left) || !isExact(right))
    return false;
  int64_t half = int64_t(1)
                 << (difference.getType().getIntOrFloatBitWidth() - 1);
  return left->most - right->least < half && left->least - right->most >= -half;
}

/// Returns whether `value` is an unpacked integer, maybe extended.
static bool isUnpackedInteger(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isa<arith::AndIOp>(def))
      return llvm::any_of(def->getOperands(), [](Value side) {
        std::optional<int64_t> mask = getConstant(side);
        return mask && *mask >= 0 && *mask <= kMostUnpacked;
      });
    if (!isa<arith::ExtSIOp, arith::ExtUIOp>(def))
      return false;
    value = def->getOperand(0);
  }
  return false;
}

LogicalResult mlir::linalg_ext::subtractFloats(RewriterBase &rewriter,
                                               linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "is no contraction");
  bool changed = false;
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto convert :
       llvm::make_early_inc_range(op.getBlock()->getOps<arith::SIToFPOp>())) {
    auto difference = convert.getIn().getDefiningOp<arith::SubIOp>();
    if (!convert.getType().isF32() || !difference ||
        difference->getBlock() != op.getBlock() ||
        !isUnpackedInteger(difference.getLhs()) ||
        getConstant(difference.getRhs()) || !isExactDifference(op, difference))
      continue;
    rewriter.setInsertionPoint(convert);
    auto toFloat = [&](Value value) {
      return arith::SIToFPOp::create(rewriter, convert.getLoc(),
                                     convert.getType(), value);
    };
    Value unpacked = toFloat(difference.getLhs()),
          zero = toFloat(difference.getRhs());
    rewriter.replaceOpWithNewOp<arith::SubFOp>(convert, unpacked, zero);
    if (difference->use_empty())
      rewriter.eraseOp(difference);
    changed = true;
  }
  return success(changed);
}
