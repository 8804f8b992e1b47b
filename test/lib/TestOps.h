//===- TestOps.h - Test-only ops --------------------------------*- C++ -*-===//
//
// The op that exists only for tests. See TestOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_TESTOPS_H
#define LINALG_EXT_TEST_LIB_TESTOPS_H

#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TestOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "TestOps.h.inc"

namespace mlir::linalg_ext::test {
/// Registers the test dialect, the dialect of examples/extend, and the passes of
/// tests.
void registerTestLib(DialectRegistry &registry);
} // namespace mlir::linalg_ext::test

#endif // LINALG_EXT_TEST_LIB_TESTOPS_H
