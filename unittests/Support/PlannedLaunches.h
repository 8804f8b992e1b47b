//===- PlannedLaunches.h - A call as a launcher makes it --------*- C++ -*-===//
//
// Puts what a launcher would do in the place of a host function, so that the
// SIMT interpreter runs what the manifest says: its expressions, its temporary
// buffers, and its loops, which a launcher unrolls.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_PLANNEDLAUNCHES_H
#define LINALG_EXT_UNITTESTS_SUPPORT_PLANNEDLAUNCHES_H

#include "Oracle.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace linalg_ext_test {

/// Replaces the body of `function`, whose kernels are outlined and have the
/// arguments that launchers pass, by the launches that the manifest plans for
/// `arguments`. Returns an error, or an empty text.
std::string launchAsPlanned(mlir::func::FuncOp function,
                            llvm::ArrayRef<oracle::Tensor> arguments);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_PLANNEDLAUNCHES_H
