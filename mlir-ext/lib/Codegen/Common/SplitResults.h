//===- SplitResults.h - Elements and their reductions as two ops *- C++ -*-===//
//
// A pattern of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds a pattern that splits a `linalg.generic` with elementwise results and
/// reductions into an elementwise op and an op that reduces. It applies if an
/// operand depends on reduced rows, if only reductions read the elements
/// (directly or through elementwise ops), and if the reductions use no values
/// of the elementwise part other than the elements themselves, before rounding.
void populateSplitResultsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SPLITRESULTS_H
