//===- DeferredReductions.h - Reductions after a loop -----------*- C++ -*-===//
//
// Reductions over several threads to which a loop only adds. Each thread keeps
// its part while the loop runs, and the parts are combined once, after the
// loop.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DEFERREDREDUCTIONS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DEFERREDREDUCTIONS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::vector_ext {

/// Finds the reductions over several threads in `region` that may be combined
/// after a loop, and records them in `distributor`. The result must have a
/// single use: the next iteration, or a loop that continues this one, uses it
/// as the accumulator of the reduction, or as a factor of the accumulator.
/// Until the last of these loops ends, each thread may hold a part of the
/// result.
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
