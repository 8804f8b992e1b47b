//===- CHeader.h - C declarations of compiled functions ---------*- C++ -*-===//
//
// Writes what a C program must include to call the C interface of the public
// functions of a module.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CHEADER_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CHEADER_H

#include "KernelFiles.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::linalg_ext {

/// Writes the header for the public functions of `module`, which are on
/// buffers, to `os`. The comment of a function says which `sizes` must be
/// equal. `input` is named in the first comment, which says what to link if the
/// functions run on threads of OpenMP. A type that C cannot name is an error,
/// emitted at its function.
LogicalResult writeCHeader(ModuleOp module,
                           const llvm::StringMap<FunctionSizes> &sizes,
                           llvm::StringRef input, bool usesOpenMP,
                           llvm::raw_ostream &os);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CHEADER_H
