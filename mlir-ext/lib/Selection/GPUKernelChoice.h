//===- GPUKernelChoice.h - The kernel of a root on a GPU --------*- C++ -*-===//
//
// See GPUKernelChoice.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SELECTION_GPUKERNELCHOICE_H
#define MLIR_EXT_LIB_SELECTION_GPUKERNELCHOICE_H

#include "RootDims.h"
#include "mlir-ext/Selection/SelectLevels.h"

#include <optional>

namespace mlir::linalg_ext {

/// The sizes of a workgroup's tile, and how the kernel multiplies. `kernel` is
/// unset if asynchronous products were not asked for. `few` is set if the
/// number of keys is unknown and another kernel is faster for few keys.
/// `converting` is set if the number of rows is unknown and another kernel,
/// which converts the operands of `stored` as it reads them, may be faster.
struct GPUKernelChoice {
  GPUTileSizes sizes;
  std::optional<OnlineKernel> kernel;
  std::optional<OnlineVersion> few, many, converting;
  /// The ops whose results are stored before the loops.
  SmallVector<Operation *> stored;
};

/// Chooses the sizes that `given` leaves open. `isReduced` says that a tile of
/// the root is one of the product that it reduces (`isReducedProduct`).
GPUKernelChoice chooseGPUKernel(Operation *root, const RootDims &dims,
                                bool isReduced, const GPUTileSizes &given,
                                const GPUTarget &target);

/// Returns how many keys a workgroup has if several workgroups share the keys
/// of rows, of which each has a tile of `tileSizes`. 0 stands for all keys.
/// kDynamic stands for the value that `chooseKeyChunk` computes for the sizes
/// of a launch.
int64_t chooseSplit(const RootDims &dims, const GPUTileSizes &sizes,
                    ArrayRef<int64_t> tileSizes, bool isReduced,
                    const GPUTarget &target);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SELECTION_GPUKERNELCHOICE_H
