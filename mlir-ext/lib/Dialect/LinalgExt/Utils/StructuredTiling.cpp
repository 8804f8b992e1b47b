//===- StructuredTiling.cpp - TilingInterface from indexing maps ----------===//
//
// What the tiling model asks about the tiles it is given.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

bool mlir::linalg_ext::isWholeRange(const Range &range, OpFoldResult offset,
                                    OpFoldResult size) {
  if (!isZeroInteger(offset))
    return false;
  if (isEqualConstantIntOrValue(size, range.size))
    return true;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      ValueBoundsConstraintSet::Variable(size),
      ValueBoundsConstraintSet::Variable(range.size));
  return succeeded(equal) && *equal;
}

bool mlir::linalg_ext::isOffsetOfForall(OpFoldResult offset) {
  auto value = dyn_cast<Value>(offset);
  if (!value)
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForallOp>(arg.getOwner()->getParentOp());
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  return apply && llvm::any_of(apply.getMapOperands(), [](Value operand) {
           return isOffsetOfForall(operand);
         });
}
