//===- InlinePrivate.h - Calls of private functions -------------*- C++ -*-===//
//
// No op is fused across a call. Importers write parts of a model, such as a
// softmax, as private functions. Upstream's pass would also inline public
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_INLINEPRIVATE_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_INLINEPRIVATE_H

#include "mlir/Transforms/Inliner.h"

namespace mlir::linalg_ext {

/// Inlines `calls` of private functions in `module`, and erases functions that
/// nothing calls any more. `runPipeline` runs a pipeline in `pass`.
LogicalResult inlinePrivate(Operation *module, CallGraph &calls, Pass &pass,
                            AnalysisManager analyses,
                            Inliner::RunPipelineHelperTy runPipeline);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_INLINEPRIVATE_H
