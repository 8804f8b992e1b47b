//===- ReadGatheredRows.h - Rows that a table names -------------*- C++ -*-===//
//
// Private to Codegen/Common: a part of the pattern set `merge-words`, and the
// set `read-gathered-rows`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_READGATHEREDROWS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_READGATHEREDROWS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Lets ops that unpack integers read the rows of a small tensor that a table
/// names, such as the scales of groups, where they use them. Otherwise the rows
/// are gathered, and stored, first.
void populateReadGatheredRowsPatterns(RewritePatternSet &patterns);

/// The same for rows whose elements neighbouring iterations of the innermost
/// loop read, so that vectors can load them.
void populateReadContiguousRowsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_READGATHEREDROWS_H
