//===- CheckDims.cpp - Rejects dimensions out of range --------------------===//
//
// Walks all ops with ShapedDimOpInterface. See CheckDims.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/CheckDims.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;

LogicalResult mlir::linalg_ext::checkDims(Operation *scope) {
  WalkResult result = scope->walk([&](ShapedDimOpInterface op) {
    auto type = dyn_cast<ShapedType>(op.getShapedValue().getType());
    std::optional<int64_t> dim = getConstantIntValue(op.getDimension());
    if (!type || !type.hasRank() || !dim ||
        (*dim >= 0 && *dim < type.getRank()))
      return WalkResult::advance();
    op->emitOpError("expected a dimension of ")
        << Type(type) << " that is at least 0 and less than " << type.getRank()
        << ", got " << *dim;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
