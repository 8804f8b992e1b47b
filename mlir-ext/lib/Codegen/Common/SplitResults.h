//===- SplitResults.h - Elements and their reductions as two ops *- C++ -*-===//
//
// A pattern of the first step of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Splits a `linalg.generic` with elementwise results and with reductions into
/// an elementwise op and an op that reduces. Applies if an operand is of rows
/// that have been reduced before, if only reductions read the elements (directly
/// or behind elementwise ops), and if the op reduces nothing that the elements
/// compute but the elements themselves, before they are rounded.
void populateSplitResultsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H
