//===- PromoteToF64.h - A program in f64 ------------------------*- C++ -*-===//
//
// Rewrites a program such that it does not round to narrow formats: every
// floating-point type becomes f64, conversions between such types disappear,
// and constants keep their values.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H
#define LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace linalg_ext_test {

/// Whether `op` uses the bits of a value: arith.bitcast, and what rounds to a
/// power of two, f8E8M0FNU, such as scaling ops their scale of another type.
bool isComputedFromBits(mlir::Operation *op);

/// Returns a copy of `module` in f64. Returns null, with an error, if an op
/// uses the bits of a value or if a constant is opaque.
mlir::OwningOpRef<mlir::ModuleOp> promoteToF64(mlir::ModuleOp module);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_PROMOTETOF64_H
