//===- RowPlaces.cpp - Gathered rows as one number ------------------------===//

#include "RowPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// The most rows that are numbered in 32 bits.
static constexpr int64_t maxRows = int64_t(1) << 31;

//===----------------------------------------------------------------------===//
// Positions in bounds
//===----------------------------------------------------------------------===//

static Value stripCasts(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  return memory;
}

/// Returns whether `lhs` and `rhs` are one value, or are computed in the same
/// way. If threads need a value in several layouts, it is computed for each.
static bool areSame(Value lhs, Value rhs, unsigned depth = 6) {
  while (auto copy = lhs.getDefiningOp<ToLayoutOp>())
    lhs = copy.getOperand();
  while (auto copy = rhs.getDefiningOp<ToLayoutOp>())
    rhs = copy.getOperand();
  if (lhs == rhs)
    return true;
  Operation *left = lhs.getDefiningOp(), *right = rhs.getDefiningOp();
  return left && right && depth != 0 && left->getName() == right->getName() &&
         left->getAttrDictionary() == right->getAttrDictionary() &&
         left->getResultTypes() == right->getResultTypes() &&
         left->getNumRegions() == 0 && isPure(left) &&
         cast<OpResult>(lhs).getResultNumber() ==
             cast<OpResult>(rhs).getResultNumber() &&
         left->getNumOperands() == right->getNumOperands() &&
         llvm::all_of_zip(left->getOperands(), right->getOperands(),
                          [&](Value one, Value other) {
                            return areSame(one, other, depth - 1);
                          });
}

/// Returns the scalar or constant that all elements of `vector` are equal to.
static OpFoldResult getScalar(Value vector) {
  APInt constant;
  if (matchPattern(vector, m_ConstantInt(&constant)))
    return IntegerAttr::get(IndexType::get(vector.getContext()),
                            constant.sextOrTrunc(64));
  if (auto broadcast = vector.getDefiningOp<vector::BroadcastOp>())
    if (!isa<VectorType>(broadcast.getSourceType()))
      return broadcast.getSource();
  return {};
}

/// Returns whether `size` is at most dimension `dim` of `memory`, and not
/// negative.
static bool isAtMostSize(OpFoldResult size, Value memory, int64_t dim) {
  if (!size)
    return false;
  auto type = cast<MemRefType>(memory.getType());
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant == 0 || (*constant > 0 && !type.isDynamicDim(dim) &&
                              *constant <= type.getDimSize(dim));
  auto value = cast<Value>(size);
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return isAtMostSize(select.getTrueValue(), memory, dim) &&
           isAtMostSize(select.getFalseValue(), memory, dim);
  auto of = value.getDefiningOp<memref::DimOp>();
  return of && of.getConstantIndex() == dim &&
         stripCasts(of.getSource()) == stripCasts(memory);
}

/// Returns whether `mask` implies that `index` is at least 0 and less than
/// dimension `dim` of `memory`.
static bool isTested(Value mask, Value index, Value memory, int64_t dim) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return isTested(both.getLhs(), index, memory, dim) ||
           isTested(both.getRhs(), index, memory, dim);
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::ult &&
         areSame(compare.getLhs(), index) &&
         isAtMostSize(getScalar(compare.getRhs()), memory, dim);
}

/// Returns whether `index` is x - (x floordiv c) * c, where c is at most
/// dimension `dim` of `memory`, or is 1 if that is 0.
static bool isRemainder(Value index, Value memory, int64_t dim) {
  auto difference = index.getDefiningOp<arith::SubIOp>();
  auto product = difference ? difference.getRhs().getDefiningOp<arith::MulIOp>()
                            : arith::MulIOp();
  if (!product)
    return false;
  for (unsigned i : {0, 1}) {
    auto quotient = product->getOperand(i).getDefiningOp<arith::FloorDivSIOp>();
    if (!quotient || !areSame(quotient.getLhs(), difference.getLhs()) ||
        !areSame(quotient.getRhs(), product->getOperand(1 - i)))
      continue;
    OpFoldResult divisor = getScalar(quotient.getRhs());
    if (auto value = dyn_cast_if_present<Value>(divisor))
      if (auto max = value.getDefiningOp<arith::MaxUIOp>();
          max && isConstantIntValue(max.getRhs(), 1))
        divisor = max.getLhs();
    return isAtMostSize(divisor, memory, dim);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Tests of sizes
//===----------------------------------------------------------------------===//

/// Returns whether the block of `memory` asserts `message`, about sizes of
/// `memory`.
static bool isAsserted(BlockArgument memory, StringRef message) {
  SmallVector<Operation *> users;
  for (Operation *user : memory.getUsers())
    if (isa<memref::DimOp>(user) && user->getBlock() == memory.getOwner())
      users.push_back(user);
  while (!users.empty())
    for (Operation *next : users.pop_back_val()->getUsers()) {
      auto assertion = dyn_cast<cf::AssertOp>(next);
      if (assertion && assertion.getMsg() == message)
        return true;
      if (isa<arith::MulIOp, arith::CmpIOp>(next))
        users.push_back(next);
    }
  return false;
}

//===----------------------------------------------------------------------===//
// RowPlaces
//===----------------------------------------------------------------------===//

std::optional<RowPlaces> RowPlaces::get(const TileAccess &access) {
  if (access.lookups.size() < 2)
    return std::nullopt;
  RowPlaces places;
  places.memory = access.memref;
  for (const auto &lookup : access.lookups)
    places.dims.push_back(lookup.first);
  if (!llvm::is_sorted(places.dims))
    return std::nullopt;
  places.first = places.dims.front();
  places.last = places.dims.back();
  auto type = cast<MemRefType>(access.memref.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim > places.first && dim <= places.last)
      places.groups.back().push_back(dim);
    else
      places.groups.push_back({dim});
  }
  bool isOfTile = llvm::any_of(access.dims, [&](int64_t dim) {
    return dim >= places.first && dim <= places.last;
  });
  if (isOfTile ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(type, places.groups))
    return std::nullopt;
  return places;
}

Value RowPlaces::build(ImplicitLocOpBuilder &b, ValueRange positions) const {
  Value place = positions.front();
  auto type = cast<VectorType>(place.getType());
  positions = positions.drop_front();
  for (int64_t dim = first + 1; dim <= last; ++dim) {
    Value size = b.createOrFold<memref::DimOp>(memory, dim);
    if (!type.getElementType().isIndex())
      size = b.createOrFold<arith::IndexCastOp>(type.getElementType(), size);
    place = b.createOrFold<arith::MulIOp>(
        place, b.createOrFold<vector::BroadcastOp>(type, size));
    if (!llvm::is_contained(dims, dim))
      continue;
    place = b.createOrFold<arith::AddIOp>(place, positions.front());
    positions = positions.drop_front();
  }
  return place;
}

void RowPlaces::apply(ImplicitLocOpBuilder &b, TileAccess &access,
                      Value registers) const {
  Value start = access.indices[first];
  for (int64_t dim = first + 1; dim <= last; ++dim)
    start = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(
            start, b.createOrFold<memref::DimOp>(memory, dim)),
        access.indices[dim]);
  access.memref =
      memref::CollapseShapeOp::create(b, memory, groups).getResult();
  access.indices.erase(access.indices.begin() + first + 1,
                       access.indices.begin() + last + 1);
  access.indices[first] = start;
  access.lookups.truncate(1);
  access.lookups.front().second.registers = registers;
  for (int64_t &dim : access.dims)
    if (dim > last)
      dim -= last - first;
}

bool RowPlaces::makeNarrow(ImplicitLocOpBuilder &b,
                           TransferGatherOp gather) const {
  if (!gather.getMask())
    return false;
  AffineMap map = gather.getBaseMap();
  for (int64_t dim : dims) {
    Value index = gather.getIndices()[cast<AffineSymbolExpr>(map.getResult(dim))
                                          .getPosition()];
    if (!isTested(gather.getMask(), index, memory, dim) &&
        !isRemainder(index, memory, dim))
      return false;
  }
  // The offsets of a gather are added to the looked-up positions.
  if (llvm::any_of(dims, [&](int64_t dim) {
        return !isConstantIntValue(gather.getOffsets()[dim], 0);
      }))
    return false;
  // The function that launches the kernel tests this.
  auto argument = dyn_cast<BlockArgument>(stripCasts(memory));
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return false;
  // Gathers may look up other dimensions of the same argument.
  std::string message = "expected at most " + std::to_string(maxRows) +
                        " rows in dimensions " + std::to_string(first) +
                        " to " + std::to_string(last) + " of argument " +
                        std::to_string(argument.getArgNumber());
  if (isAsserted(argument, message))
    return true;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(argument.getOwner());
  Value rows;
  for (int64_t dim = first; dim <= last; ++dim) {
    Value size = b.createOrFold<memref::DimOp>(argument, dim);
    rows = rows ? b.createOrFold<arith::MulIOp>(rows, size) : size;
  }
  if (std::optional<int64_t> known = getConstantIntValue(rows))
    return *known <= maxRows;
  Value most = arith::ConstantIndexOp::create(b, maxRows);
  cf::AssertOp::create(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::ule, rows, most),
      message);
  return true;
}
