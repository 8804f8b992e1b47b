//===- PromoteToF64.h - The same program in f64 -----------------*- C++ -*-===//
//
// What a program would compute if it did not round: every floating-point type
// of it becomes f64, conversions between them disappear, and constants keep
// their values.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H
#define LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace linalg_ext_test {

/// A copy of `module` in f64. Null, with an error, where a value's bits matter
/// (arith.bitcast) or a constant is opaque.
mlir::OwningOpRef<mlir::ModuleOp> promoteToF64(mlir::ModuleOp module);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H
