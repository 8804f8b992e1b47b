//===- Diagnostics.h - Diagnostics for people or programs -------*- C++ -*-===//
//
// What this program says: as text, or with --diagnostics=json as one JSON object
// a line, which docs/Tools.md describes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_DIAGNOSTICS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::linalg_ext {

/// Whether all that follows is printed as JSON.
void setDiagnosticsAsJSON(bool isJSON);

/// Prints an error that has no location.
void printError(const llvm::Twine &message);

/// Prints what is said at the end of a compilation, if it is not empty.
void printSummary(llvm::StringRef text);

/// Prints the diagnostics of a context as JSON while it lives.
class JSONDiagnosticHandler : public ScopedDiagnosticHandler {
public:
  explicit JSONDiagnosticHandler(MLIRContext *context);
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_DIAGNOSTICS_H
