//===- CollapseSources.h - Fewer coordinates of copies ----------*- C++ -*-===//
//
// Private to LowerRings. Merges dimensions of the sources of puts.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_COLLAPSESOURCES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_COLLAPSESOURCES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Merges dimensions of the sources of `put`, in `launch`, that are adjacent in
/// memory, if every part stays inside of the inner dimension. Returns `put`, or
/// the op that replaces it.
RingPutOp collapseSources(RewriterBase &rewriter, gpu::LaunchOp launch,
                          RingPutOp put);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_COLLAPSESOURCES_H
