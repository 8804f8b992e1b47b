//===- LinalgExt.h - LinalgExt dialect and ops ------------------*- C++ -*-===//
//
// See LinalgExtOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXT_H
#define MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExtOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExtOps.h.inc"

#endif // MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXT_H
