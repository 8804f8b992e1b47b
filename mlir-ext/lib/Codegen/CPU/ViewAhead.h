//===- ViewAhead.h - What a later iteration reads ---------------*- C++ -*-===//
//
// Private to VectorizeBuffers. Prefetches ask for what comes a fixed number of
// bytes later. Where a loop looks up its view in memory, as pages are looked up
// in a table, that is not what the next iteration reads.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H
#define MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H

#include "mlir/IR/Builders.h"

namespace mlir::linalg_ext {

/// Returns the buffer that `view` is `iterations` iterations later, in the
/// innermost loop around the insertion point of `b` on which it depends. Behind
/// the end of this loop its next run follows, if the loop around it has another
/// iteration. Returns `view` if nothing follows, and null if nothing that the
/// loop reads from memory changes `view`, or if that cannot be read earlier.
Value buildViewAhead(OpBuilder &b, Value view, int64_t iterations);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H
