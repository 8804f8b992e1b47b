//===- Mutations.h - Changes of kernels that tests must find ----*- C++ -*-===//
//
// Removes or changes each op of a kernel with roles that synchronises: waits,
// arrivals, barriers, turns, copies, awaits of products and fences. The interpreter
// has to find each of these: as an error, or as a wrong result, in one of the
// orders in which it runs copies and threads.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_GPU_MUTATIONS_H
#define LINALG_EXT_UNITTESTS_GPU_MUTATIONS_H

#include "Support/Simulate.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace linalg_ext_test {

/// Mutates `device`, kernels for a device, in all ways, and runs @main of each
/// on `inputs` and a result, `want`. A failure of the test names each change
/// after which no element of the result differs by more than `bound`. Returns
/// the number of changes. Changes ops for which `isMutated` holds: all that are
/// not in a tile that is skipped, unless it is given.
int64_t checkMutations(mlir::ModuleOp device,
                       const std::vector<oracle::Tensor> &inputs,
                       const oracle::Tensor &want, double bound,
                       llvm::function_ref<bool(mlir::Operation *)> isMutated =
                           nullptr);

/// Runs @main of `device` in three orders. Returns whether that fails, with
/// `error` set, or elements of the result differ by more than `bound`.
bool isWrong(mlir::ModuleOp device, const std::vector<oracle::Tensor> &inputs,
             const oracle::Tensor &want, double bound, std::string &error);

/// Returns whether only groups of threads without rows of a tile execute `op`.
bool isOfSkippedTile(mlir::Operation *op);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_GPU_MUTATIONS_H
