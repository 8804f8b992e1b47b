//===- ProductCandidates.h - Kernels that products may have -----*- C++ -*-===//
//
// See ProductTiles.cpp. Its choice of a kernel and that of the kernels of a
// launch (LaunchedKernels.cpp) have the same candidates.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SELECTION_PRODUCTCANDIDATES_H
#define MLIR_EXT_LIB_SELECTION_PRODUCTCANDIDATES_H

#include "mlir-ext/Selection/ProductTiles.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns the way and the tile of `kernel` as text.
std::string describe(const ProductKernel &kernel);

/// Returns whether `kernel` has a wide tile of two groups of rows. These were
/// only timed where they divide the columns, and where rows are whole lines;
/// without a loop over tiles, where they are in one round
/// (docs/Decisions/0165).
bool isWideTile(const ProductKernel &kernel, const ProductLimits &limits,
                const GPUTarget &target);

/// Returns the kernels with asynchronous products that may be chosen. Columns
/// are those of one of `products` products. `allRows` is the number of rows, if
/// it is known.
SmallVector<ProductKernel> getCandidates(std::optional<int64_t> allRows,
                                         int64_t products,
                                         const ProductLimits &limits,
                                         const GPUTarget &target);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SELECTION_PRODUCTCANDIDATES_H
