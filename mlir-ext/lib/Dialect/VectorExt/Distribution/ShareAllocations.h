//===- ShareAllocations.h - Temporaries of a workgroup are shared -*- C++ -*-=//
//
// Moves buffers in the body of a workgroup to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREALLOCATIONS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREALLOCATIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Moves the buffers that `scope`, the body of a workgroup on vectors,
/// allocates to shared memory, with barriers around what is written. Leaves
/// those whose size is not bounded, and those that are used by other ops than
/// reads and writes of vectors.
void shareAllocations(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREALLOCATIONS_H
