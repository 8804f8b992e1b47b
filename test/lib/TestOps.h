//===- TestOps.h - Test-only dialect ----------------------------*- C++ -*-===//
//
// What exists for tests only. See TestOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTOPS_H
#define TEST_LIB_TESTOPS_H

#include "mlir/IR/Dialect.h"

#include "TestOpsDialect.h.inc"

namespace mlir::linalg_ext::test {
/// Registers the test dialect, the dialect of examples/extend, and the passes
/// of both.
void registerTestLib(DialectRegistry &registry);
} // namespace mlir::linalg_ext::test

#endif // TEST_LIB_TESTOPS_H
