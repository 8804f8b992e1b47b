//===- VectorExt.h - VectorExt dialect, attributes, ops ---------*- C++ -*-===//
//
// See VectorExtOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXT_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXT_H

#include "mlir-ext/Dialect/VectorExt/IR/AsyncCopies.h"
#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Layout/SharedMemory.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/StringMap.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtAttrs.h.inc"

namespace mlir::vector_ext {
/// The resource that the ops of rings read and write.
struct RingResource : SideEffects::Resource::Base<RingResource> {
  StringRef getName() MLIR_EXT_RESOURCE_NAME_CONST final { return "<Ring>"; }
};
} // namespace mlir::vector_ext

#define GET_TYPEDEF_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtTypes.h.inc"

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtOps.h.inc"

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXT_H
