//===- Extend.h - The dialect of the example --------------------*- C++ -*-===//
//
// See README.md.
//
//===----------------------------------------------------------------------===//

#ifndef EXTEND_EXTEND_H
#define EXTEND_EXTEND_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ExtendDialect.h.inc"

#define GET_OP_CLASSES
#include "ExtendOps.h.inc"

namespace mlir::extend {
/// Registers the dialect. The interfaces are attached to its ops when it is
/// loaded.
void registerExtend(DialectRegistry &registry);

/// Registers `extend-lower`.
void registerExtendPasses();

/// Attach the interfaces that tile-and-fuse asks.
void attachLogSoftmaxInterfaces(MLIRContext *context);
void attachTopKInterfaces(MLIRContext *context);

/// Rewrite an op as ops of upstream.
void lower(RewriterBase &rewriter, LogSoftmaxOp op);
void lower(RewriterBase &rewriter, TopKOp op);
} // namespace mlir::extend

#endif // EXTEND_EXTEND_H
