//===- ScalarOps.cpp - Counts scalar operations of a payload --------------===//
//
// Walks the payload of an op and counts the ops of arith and math. See
// ScalarOps.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/ScalarOps.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

std::optional<uint64_t> mlir::linalg_ext::countScalarOps(Operation *op) {
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return 0; // moves elements
  if (!hasMaps(op) || op->getNumRegions() == 0)
    return std::nullopt;
  uint64_t count = 0;
  op->walk([&](Operation *nested) {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            nested->getDialect()) ||
        nested->getNumResults() != 1 ||
        nested->hasTrait<OpTrait::ConstantLike>() ||
        isa<CastOpInterface, arith::CmpIOp, arith::CmpFOp, arith::SelectOp>(
            nested))
      return;
    Type type = nested->getResult(0).getType();
    if (isa<FloatType, IntegerType, ComplexType>(type) &&
        !type.isSignlessInteger(1))
      count += isa<math::FmaOp>(nested) ? 2 : 1;
  });
  return count;
}
