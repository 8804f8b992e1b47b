//===- KeepReferences.h - Votes about references of rows --------*- C++ -*-===//
//
// Lets subgroups skip what moves the references of rows, where none moves.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_KEEPREFERENCES_H
#define MLIR_EXT_LIB_TARGET_GPU_KEEPREFERENCES_H

#include "mlir-ext/Target/GPU/LowerMath.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Lets the lanes of a subgroup vote in the loops of `module` with a
/// `rescale-threshold`. Does nothing without a vote.
void keepReferences(RewriterBase &rewriter, gpu::GPUModuleOp module,
                    const MathInstructions &instructions);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_KEEPREFERENCES_H
