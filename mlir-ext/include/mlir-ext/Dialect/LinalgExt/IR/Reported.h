//===- Reported.h - The mark of reported tensors ----------------*- C++ -*-===//
//
// The report of linalg-ext-fuse notes on a function what it reported, for a later
// step not to report it again.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_IR_REPORTED_H
#define MLIR_EXT_DIALECT_LINALGEXT_IR_REPORTED_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::linalg_ext {

/// A discardable attribute of a function: an array of the types of tensors.
inline constexpr llvm::StringLiteral kReportedAttrName = "linalg_ext.reported";

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_IR_REPORTED_H
