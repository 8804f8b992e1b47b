//===- Registration.h - Registration of linalg-ext --------------*- C++ -*-===//
//
// Registers all of linalg-ext. The opt tool, the plugin, the compiler and the
// tests call these functions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_REGISTRATION_H
#define MLIR_EXT_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;

namespace linalg_ext {
/// Registers the dialects, interface models and transform ops of linalg-ext.
void registerAll(DialectRegistry &registry);

/// Registers the matrix instructions of all GPU vendors with the dialect
/// `vector_ext`.
void registerIntrinsics(DialectRegistry &registry);

/// Registers the passes and pipelines of linalg-ext.
void registerAllPassesAndPipelines();
} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_PIPELINES_REGISTRATION_H
