//===- MemoryAccess.cpp - How tiles lie in memory -------------------------===//
//
// Derives divisors, bounds and strides of addresses from the computation of
// sizes, strides and offsets.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/ElementBits.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;

static int64_t getKnownDivisor(AffineExpr expr, ArrayRef<int64_t> operands,
                               unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = getKnownDivisor(binary.getLHS(), operands, numDims);
  int64_t rhs = getKnownDivisor(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul:
    return lhs * rhs;
  default: {
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (divisor && divisor.getValue() > 0 && lhs % divisor.getValue() == 0)
      return lhs / divisor.getValue();
    return 1;
  }
  }
}

static int64_t getKnownDivisor(Value index, unsigned depth);

/// If `index` is a value x rounded down to a multiple of a constant c, returns
/// x and c.
static std::optional<std::pair<Value, int64_t>> getRounded(Value index) {
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || apply.getMapOperands().size() != 1)
    return std::nullopt;
  auto mul = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  auto div = mul && mul.getKind() == AffineExprKind::Mul
                 ? dyn_cast<AffineBinaryOpExpr>(mul.getLHS())
                 : nullptr;
  if (!div || div.getKind() != AffineExprKind::FloorDiv ||
      div.getRHS() != mul.getRHS() ||
      !isa<AffineDimExpr, AffineSymbolExpr>(div.getLHS()))
    return std::nullopt;
  auto by = dyn_cast<AffineConstantExpr>(mul.getRHS());
  if (!by || by.getValue() <= 0)
    return std::nullopt;
  return std::make_pair(Value(apply.getMapOperands().front()), by.getValue());
}

/// Returns a known divisor of `index`, which is at most `rounded`. If `index`
/// is the value that is rounded, it is a multiple already.
static int64_t getDivisorBelow(Value index, std::pair<Value, int64_t> rounded,
                               unsigned depth) {
  if (index == rounded.first)
    return rounded.second;
  Operation *op = index.getDefiningOp();
  if (depth == 0 || !isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op))
    return getKnownDivisor(index, depth);
  return std::gcd(getDivisorBelow(op->getOperand(0), rounded, depth - 1),
                  getDivisorBelow(op->getOperand(1), rounded, depth - 1));
}

static int64_t getKnownDivisor(Value index, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::abs(*constant);
  if (depth == 0)
    return 1;
  auto ofOperand = [&](Value operand) {
    return getKnownDivisor(operand, depth - 1);
  };
  if (auto arg = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg == loop.getInductionVar())
      return std::gcd(ofOperand(loop.getLowerBound()),
                      ofOperand(loop.getStep()));
    if (auto forall = dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp());
        forall && arg.getArgNumber() < forall.getRank()) {
      auto ofBound = [&](OpFoldResult bound) {
        if (std::optional<int64_t> constant = getConstantIntValue(bound))
          return std::abs(*constant);
        return ofOperand(cast<Value>(bound));
      };
      unsigned dim = arg.getArgNumber();
      return std::gcd(ofBound(forall.getMixedLowerBound()[dim]),
                      ofBound(forall.getMixedStep()[dim]));
    }
    return 1;
  }
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<int64_t> operands =
        llvm::map_to_vector(apply.getMapOperands(), ofOperand);
    return getKnownDivisor(apply.getAffineMap().getResult(0), operands,
                           apply.getAffineMap().getNumDims());
  }
  if (isa<arith::MinSIOp>(op))
    for (unsigned i : {0, 1})
      if (auto rounded = getRounded(op->getOperand(i)))
        return std::gcd(
            ofOperand(op->getOperand(i)),
            getDivisorBelow(op->getOperand(1 - i), *rounded, depth - 1));
  if (isa<arith::MulIOp>(op))
    return ofOperand(op->getOperand(0)) * ofOperand(op->getOperand(1));
  // A constant lower bound does not matter if the other operand is never
  // smaller.
  if (isa<arith::MaxUIOp, arith::MaxSIOp>(op))
    if (std::optional<int64_t> least = getConstantIntValue(op->getOperand(1)))
      if (*least >= 0 && getKnownMinimum(op->getOperand(0)).value_or(-1) >= *least)
        return ofOperand(op->getOperand(0));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return std::gcd(ofOperand(op->getOperand(0)), ofOperand(op->getOperand(1)));
  if (isa<arith::SelectOp>(op))
    return std::gcd(ofOperand(op->getOperand(1)), ofOperand(op->getOperand(2)));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return ofOperand(op->getOperand(0));
  if (auto assume = dyn_cast<AssumeOp>(op))
    return std::lcm(ofOperand(assume.getValue()),
                    int64_t(assume.getMultipleOf().value_or(1)));
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = isa<affine::AffineMinOp>(op)
                        ? cast<affine::AffineMinOp>(op).getAffineMap()
                        : cast<affine::AffineMaxOp>(op).getAffineMap();
    SmallVector<int64_t> operands =
        llvm::map_to_vector(op->getOperands(), ofOperand);
    int64_t divisor = 0;
    for (AffineExpr expr : map.getResults())
      divisor =
          std::gcd(divisor, getKnownDivisor(expr, operands, map.getNumDims()));
    return divisor;
  }
  return 1;
}

int64_t mlir::vector_ext::getKnownDivisor(Value index) {
  return ::getKnownDivisor(index, /*depth=*/12);
}

std::optional<int64_t> mlir::vector_ext::getKnownMinimum(Value index) {
  using Variable = ValueBoundsConstraintSet::Variable;
  auto ofVariable = [](const Variable &variable) -> std::optional<int64_t> {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::LB, variable);
    return succeeded(bound) ? std::optional(*bound) : std::nullopt;
  };
  // Bounds of values are conjunctions, so they give no lower bound of a
  // minimum.
  auto min = index.getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return ofVariable(index);
  std::optional<int64_t> least;
  for (unsigned i = 0; i < min.getMap().getNumResults(); ++i) {
    std::optional<int64_t> term =
        ofVariable({min.getMap().getSubMap({i}), min.getOperands()});
    if (!term)
      return std::nullopt;
    least = std::min(least.value_or(*term), *term);
  }
  return least;
}

/// Returns the product of two numbers, or none if it needs more than 62 bits.
static std::optional<int64_t> multiply(std::optional<int64_t> lhs,
                                       std::optional<int64_t> rhs) {
  int64_t product;
  if (!lhs || !rhs || *lhs < 0 || *rhs < 0 ||
      llvm::MulOverflow(*lhs, *rhs, product) || product >> 62 != 0)
    return std::nullopt;
  return product;
}

std::optional<int64_t> mlir::vector_ext::getKnownMaximum(Value index) {
  if (auto product = index.getDefiningOp<arith::MulIOp>())
    if (std::optional<int64_t> known =
            multiply(getKnownMaximum(product.getLhs()),
                     getKnownMaximum(product.getRhs())))
      return known;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, index, /*stopCondition=*/nullptr,
      linalg_ext::kClosedUpperBound);
  return succeeded(bound) ? std::optional(*bound) : std::nullopt;
}

/// Returns an upper bound of size `dim` of `memref`.
static std::optional<int64_t> getMaximumSize(Value memref, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>())
    if (auto size = dyn_cast<Value>(cast.getMixedSizes()[dim]))
      return getKnownMaximum(size);
  return std::nullopt;
}

std::optional<int64_t>
mlir::vector_ext::getKnownMaximumStride(Value memref, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  if (!ShapedType::isDynamic(strides[dim]))
    return strides[dim] >= 0 ? std::optional(strides[dim]) : std::nullopt;
  // Without gaps, the stride is the product of the inner sizes.
  if (type.getLayout().isIdentity()) {
    std::optional<int64_t> stride = 1;
    for (int64_t inner = dim + 1; inner < type.getRank(); ++inner)
      stride = multiply(stride, getMaximumSize(memref, inner));
    return stride;
  }
  if (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    llvm::SmallBitVector dropped = view.getDroppedDims();
    int64_t kept = -1;
    for (int64_t source = 0; source < view.getSourceType().getRank(); ++source)
      if (!dropped.test(source) && ++kept == dim)
        return multiply(getKnownMaximumStride(view.getSource(), source),
                        getConstantIntValue(view.getMixedStrides()[source]));
  }
  return std::nullopt;
}

/// Returns the largest known divisor of the stride of dimension `dim` of
/// `memref`.
static int64_t getStrideDivisor(Value memref, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 1;
  if (!ShapedType::isDynamic(strides[dim]))
    return strides[dim];
  // Without gaps, each inner size is a divisor.
  int64_t divisor = 1;
  if (type.getLayout().isIdentity())
    for (int64_t size : type.getShape().drop_front(dim + 1))
      divisor *= ShapedType::isDynamic(size) ? 1 : size;
  // Follow how the stride is computed.
  int64_t computed = 1;
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    OpFoldResult stride = cast.getMixedStrides()[dim];
    if (auto value = dyn_cast<Value>(stride))
      computed = getKnownDivisor(value);
  } else if (auto view = memref.getDefiningOp<memref::SubViewOp>();
             view && view.getDroppedDims().none()) {
    computed = getStrideDivisor(view.getSource(), dim);
    if (auto step = getConstantIntValue(view.getMixedStrides()[dim]))
      computed *= *step;
  }
  return std::max<int64_t>(std::lcm(divisor, computed), 1);
}

/// Returns the largest known divisor of the offset of `memref`, or 0 if the
/// offset is 0.
static int64_t getOffsetDivisor(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(memref.getType())
                 .getStridesAndOffset(strides, offset)))
    return 1;
  if (!ShapedType::isDynamic(offset))
    return offset;
  auto ofNumber = [](OpFoldResult number) {
    if (std::optional<int64_t> constant = getConstantIntValue(number))
      return std::abs(*constant);
    return getKnownDivisor(cast<Value>(number));
  };
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>())
    return ofNumber(cast.getMixedOffsets().front());
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  if (!view)
    return 1;
  int64_t divisor = getOffsetDivisor(view.getSource());
  for (auto [dim, index] : llvm::enumerate(view.getMixedOffsets()))
    divisor = std::gcd(divisor,
                       getStrideDivisor(view.getSource(), dim) * ofNumber(index));
  return divisor;
}

int64_t mlir::vector_ext::getAccessAlignment(const TileAccess &access,
                                             int64_t width) {
  auto type = cast<MemRefType>(access.memref.getType());
  int64_t bytes = linalg_ext::getElementBits(type) / 8;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return bytes;
  int64_t divisor = 0;
  auto add = [&](int64_t elements) { divisor = std::gcd(divisor, elements); };
  add(getOffsetDivisor(access.memref));
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    int64_t stride = getStrideDivisor(access.memref, dim);
    int64_t index = getKnownDivisor(access.indices[dim]);
    for (auto [i, at] : llvm::enumerate(access.dims))
      if (at == dim)
        index = std::gcd(index, dim == type.getRank() - 1 ? width : 1);
    for (const auto &lookup : access.lookups)
      if (lookup.first == dim)
        index = 1;
    add(stride * index);
  }
  int64_t known = divisor == 0 ? 16 : std::gcd<int64_t>(divisor * bytes, 16);
  return std::max(known & -known, bytes);
}

int64_t mlir::vector_ext::getReadAlignment(vector::TransferReadOp read) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  if (!type || !type.getElementType().isIntOrIndexOrFloat())
    return 16;
  TileAccess access;
  access.memref = read.getBase();
  access.indices.assign(read.getIndices().begin(), read.getIndices().end());
  for (AffineExpr expr : read.getPermutationMap().getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    access.dims.push_back(dim ? int64_t(dim.getPosition()) : -1);
  }
  int64_t bytes =
      std::max<int64_t>(linalg_ext::getElementBits(type) / 8, 1);
  return getAccessAlignment(access, std::max<int64_t>(16 / bytes, 1));
}
