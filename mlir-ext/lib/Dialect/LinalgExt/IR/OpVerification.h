//===- OpVerification.h - What the ops of the dialect share -----*- C++ -*-===//
//
// Parts of the verifiers and interface implementations that all
// destination-style ops of the dialect share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_IR_OPVERIFICATION_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_IR_OPVERIFICATION_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include <string>

namespace mlir::linalg_ext {

/// Prints "[2, ?, 8]".
std::string shapeToString(ArrayRef<int64_t> shape);

/// Adds the reads and writes of buffer operands. An op on tensors has none.
void getBufferEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// An op on tensors may be executed speculatively, one on buffers may not.
Speculation::Speculatability
getTensorSpeculatability(DestinationStyleOpInterface op);

/// Returns the sizes of each init as the sizes of the result.
LogicalResult reifyInitShapes(DestinationStyleOpInterface op, OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reifiedReturnShapes);

/// Verifies that the op is on tensors or on buffers, not on both, and that on
/// tensors each result has the type of its init.
LogicalResult verifyDestinationStyle(DestinationStyleOpInterface op);

/// Verifies that `actual`, the type of `what`, has the given shape (up to
/// dynamic sizes) and element type.
LogicalResult verifyShapeAndElementType(Operation *op, Twine what, Type actual,
                                        ArrayRef<int64_t> shape,
                                        Type elementType);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_IR_OPVERIFICATION_H
