//===- StructuredTiling.cpp - TilingInterface from indexing maps ----------===//
//
// Questions about tiles that StructuredTiling asks: whether a tile is whole,
// runs concurrently, or is complete only after a loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

using Variable = ValueBoundsConstraintSet::Variable;

static bool areProvablyEqual(const Variable &lhs, const Variable &rhs) {
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(lhs, rhs);
  return succeeded(equal) && *equal;
}

bool mlir::linalg_ext::isWholeRange(const Range &range, OpFoldResult offset,
                                    OpFoldResult size) {
  if (!isZeroInteger(offset))
    return false;
  return isEqualConstantIntOrValue(size, range.size) ||
         areProvablyEqual(Variable(size), Variable(range.size));
}

bool mlir::linalg_ext::isWholeRange(Operation *op, unsigned dim,
                                    const Range &range, OpFoldResult offset,
                                    OpFoldResult size) {
  if (isWholeRange(range, offset, size))
    return true;
  if (!isZeroInteger(offset))
    return false;
  auto mapOp = cast<IndexingMapOpInterface>(op);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = mapOp.getMatchingIndexingMap(&operand);
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(dim, op->getContext()));
    return position &&
           areProvablyEqual(Variable(size), Variable(operand.get(), *position));
  });
}

bool mlir::linalg_ext::isOffsetOfForall(OpFoldResult offset) {
  auto value = dyn_cast<Value>(offset);
  if (!value)
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForallOp>(arg.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op && isPure(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           return isOffsetOfForall(operand);
         });
}

/// Returns whether `value` is computed from `source` by ops without effects.
static bool dependsOn(Value value, Value source) {
  if (value == source)
    return true;
  Operation *op = value.getDefiningOp();
  return op && isPure(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, source);
         });
}

/// Returns whether the tile at `offsets` moves with every induction variable of
/// `loop` that takes more than one value.
static bool movesWith(ArrayRef<OpFoldResult> offsets,
                      LoopLikeOpInterface loop) {
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  if (!ivs)
    return false;
  if (std::optional<APInt> tripCount = loop.getStaticTripCount();
      tripCount && tripCount->ule(1))
    return true;
  return llvm::all_of(*ivs, [&](Value iv) {
    return llvm::any_of(offsets, [&](OpFoldResult offset) {
      auto value = dyn_cast<Value>(offset);
      return value && dependsOn(value, iv);
    });
  });
}

bool mlir::linalg_ext::isCompleteOnlyAfterLoop(const OpOperand &operand,
                                               ArrayRef<OpFoldResult> offsets) {
  auto insert = operand.get().getDefiningOp<tensor::InsertSliceOp>();
  Value dest = insert ? insert.getDest() : Value();
  while (auto arg = dyn_cast_or_null<BlockArgument>(dest)) {
    auto loop = dyn_cast<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(arg) : nullptr;
    if (!init)
      return false;
    if (!movesWith(offsets, loop))
      return true;
    dest = init->get();
  }
  return false;
}
