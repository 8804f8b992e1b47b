//===- BatchOrder.h - Operands whose batches are adjacent -------*- C++ -*-===//
//
// Lets products read operands that are contiguous along rows or columns.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_BATCHORDER_H
#define MLIR_EXT_CODEGEN_COMMON_BATCHORDER_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern for contractions of batches. An operand whose elements of
/// different batches are adjacent is stored with the batches in front:
///
///   ikc, jkc -> cij    becomes    cik, cjk -> cij
///
/// The op that computes the operand writes it so, if nothing else reads it.
/// Otherwise it is copied.
void populateBatchOrderPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_BATCHORDER_H
