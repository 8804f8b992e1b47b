//===- LayoutOpInterface.cpp ----------------------------------------------===//
//
// The default implementations of the interface. See LayoutOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

bool mlir::vector_ext::hasVectors(Operation *op) {
  return llvm::any_of(op->getOperands(), isVector) ||
         llvm::any_of(op->getResults(), isVector);
}

Value vector_ext::detail::getDefaultDecidingValue(Operation *op) {
  if (op->getNumRegions() != 0)
    return {};
  for (Value result : op->getResults())
    if (isVector(result))
      return result;
  for (Value operand : op->getOperands())
    if (isVector(operand))
      return operand;
  return {};
}

std::optional<Layout>
vector_ext::detail::getDefaultResultLayout(Operation *op, OpResult result,
                                           const Layout &deciding) {
  if (cast<LayoutOpInterface>(op).getDecidingValue() == result)
    return deciding;
  return std::nullopt;
}

#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.cpp.inc"
