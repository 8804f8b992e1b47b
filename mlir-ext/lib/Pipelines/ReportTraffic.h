//===- ReportTraffic.h - Report of what is moved more than once -*- C++ -*-===//
//
// Private to Pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_REPORTTRAFFIC_H
#define MLIR_EXT_LIB_PIPELINES_REPORTTRAFFIC_H

#include "FuseRoots.h"

namespace mlir::linalg_ext {

/// Emits remarks for each function below `scope` that moves at least 1.1 times
/// the bytes of its arguments and results. They name the tensors that are the
/// cause and were not reported before: tensors that one kernel (on CPUs, a loop
/// nest) stores for another, and tensors that several of them read. The loops
/// of the function must be final.
///
/// Fails, with an error, if `spelling.report` has an invalid value.
LogicalResult reportTraffic(Operation *scope, bool isOnCPU,
                            const FuseRootsSpelling &spelling);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_REPORTTRAFFIC_H
