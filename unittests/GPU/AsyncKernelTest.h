//===- AsyncKernelTest.h - Tests of asynchronous kernels --------*- C++ -*-===//
//
// What tests of kernels with asynchronous products share: options, and what
// tells from a kernel how it multiplies.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_GPU_ASYNCKERNELTEST_H
#define LINALG_EXT_UNITTESTS_GPU_ASYNCKERNELTEST_H

#include "GPUTest.h"

#include <string>

namespace linalg_ext_test {

/// The orders in which the interpreter runs copies and threads.
inline constexpr mlir::linalg_ext::simt::Options::Order orders[] = {
    mlir::linalg_ext::simt::Options::Order::CopiesFirst,
    mlir::linalg_ext::simt::Options::Order::CopiesLast,
    mlir::linalg_ext::simt::Options::Order::Seeded};

class AsyncKernelTest : public GPUTest {
protected:
  /// Options for tiles of rows x columns x reduction.
  static GPUOptions makeOptions(int64_t rows, int64_t columns,
                                int64_t reduction, int64_t threads = 128) {
    GPUOptions options;
    options.rows = rows;
    options.columns = columns;
    options.reduction = reduction;
    options.threads = threads;
    options.chip = "sm_90a";
    options.asyncProducts = "true";
    options.roles = "false";
    return options;
  }

  static bool hasRoles(const GPUOutcome &outcome) {
    return isAsynchronous(outcome) &&
           outcome.kernels.find("nvvm.setmaxregister") != std::string::npos;
  }

  /// Whether workgroups of clusters share tiles.
  static bool hasClusters(const GPUOutcome &outcome) {
    return outcome.kernels.find("vector_ext.cluster_arrive") !=
               std::string::npos &&
           outcome.kernels.find("multicast_mask") != std::string::npos;
  }

  /// Whether groups of threads have tiles of their own.
  static bool takesTurns(const GPUOutcome &outcome) {
    return outcome.kernels.find("nvvm.barrier.arrive") != std::string::npos;
  }

  static bool isAsynchronous(const GPUOutcome &outcome) {
    return outcome.kernels.find("vector_ext.async_mma") != std::string::npos &&
           outcome.kernels.find("nvgpu.tma.async.load") != std::string::npos;
  }
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_GPU_ASYNCKERNELTEST_H
