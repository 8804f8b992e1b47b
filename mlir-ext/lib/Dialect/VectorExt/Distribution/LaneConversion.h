//===- LaneConversion.h - Changes of layout within subgroups ----*- C++ -*-===//
//
// Converts registers between layouts in which each subgroup holds the same
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LANECONVERSION_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LANECONVERSION_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

namespace mlir::vector_ext {

/// Builds the registers of a tile of layout `to` from `registers`, which have
/// layout `from`. Uses shuffles, or selects if threads have all elements that
/// they need. Asserts that elements move only within subgroups.
Value convertInSubgroups(ImplicitLocOpBuilder &builder,
                         Distributor &distributor, Value registers,
                         const layout::Layout &from, const layout::Layout &to);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LANECONVERSION_H
