//===- CleanUp.h - Canonicalisation between passes --------------*- C++ -*-===//
//
// What the pipelines run between their passes, while control flow is structured.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_CLEANUP_H
#define MLIR_EXT_LIB_PIPELINES_CLEANUP_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds upstream's canonicalisation without its simplification of blocks
/// (RewriteConfig.h says why). After convert-scf-to-cf, use upstream's pass
/// itself.
void addCanonicalizer(OpPassManager &pm);

/// Adds the same canonicalisation, and CSE.
void addCleanUp(OpPassManager &pm);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_CLEANUP_H
