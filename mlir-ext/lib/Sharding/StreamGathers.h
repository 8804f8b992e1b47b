//===- StreamGathers.h - Rings in place of gathered tensors -----*- C++ -*-===//
//
// See StreamGathers.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SHARDING_STREAMGATHERS_H
#define MLIR_EXT_LIB_SHARDING_STREAMGATHERS_H

#include "RuntimeCalls.h"
#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::linalg_ext {

/// The unit attribute of an argument whose parts travel around a ring.
inline constexpr StringRef kRingAttrName = "shard.ring";
/// The attribute of a shard.grid with the axes along which parts are stripes.
inline constexpr StringRef kStripedAttrName = "striped";

/// The attribute of a shard.grid with the axes of each argument of the public
/// functions. Annotations of arguments that nothing uses do not survive.
inline constexpr StringRef kArgumentAxesAttrName = "arguments";

/// The attribute of an argument whose parts have dynamic sizes: pairs of a
/// dimension, and the axes along which it is cut as bits.
inline constexpr StringRef kDynamicPartsAttrName = "shard.dynamic_parts";

/// The attribute of a function that computes with the whole size of what is cut
/// into parts of dynamic size: the name of the grid.
inline constexpr StringRef kReadsSizesAttrName = "shard.reads_sizes";

/// Returns whether parts along `axes` are stripes: process p of P has elements
/// p, p + P, p + 2 P, ...
bool isStripedAxis(shard::GridOp grid, ArrayRef<shard::GridAxis> axes);

/// Applies a repair: dimension i of `repair` acts along dimension dims[i] of
/// `value`.
Value repairRows(ImplicitLocOpBuilder &b, Value value, Value repair,
                 RepairKind kind, ArrayRef<int64_t> dims);

/// Replaces the gathers of arguments with `kRingAttrName`, and the reductions
/// over the dimension that they gather. `function` is the function of one
/// process. Emits an error if a step would need more than a part; the function
/// may have changed then.
LogicalResult streamGathers(FunctionOpInterface function, RuntimeCalls &calls);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SHARDING_STREAMGATHERS_H
