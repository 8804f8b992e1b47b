//===- DeferredReductions.h - Reductions after a loop -----------*- C++ -*-===//
//
// Reductions over several threads that a loop only adds to. Each thread keeps
// its part while the loop runs, and the parts are combined once, after the
// loop.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DEFERREDREDUCTIONS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DEFERREDREDUCTIONS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::vector_ext {

/// Finds the reductions in `region` over several threads that may be combined
/// after a loop, and records them in `distributor`. Only the next iteration, or
/// a loop that goes on where this one ends, uses the result, once: as the
/// accumulator of the reduction, or as a factor of it. Until the last of these
/// loops ends, each thread may hold a part of it.
void findDeferredReductions(Region &region, Distributor &distributor);

/// Combines the parts `registers` of all threads after the loop. `registers`
/// are the results of a reduction with `kind` over the dimensions `reduced` of
/// a vector of layout `layout`, in each thread. Every thread gets the result.
Value buildDeferredReduction(ImplicitLocOpBuilder &b, Distributor &distributor,
                             const layout::Layout &layout,
                             ArrayRef<bool> reduced, vector::CombiningKind kind,
                             Value registers);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DEFERREDREDUCTIONS_H
