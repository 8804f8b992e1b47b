//===- MBarrier.h - The mbarriers of nvgpu ----------------------*- C++ -*-===//
//
// What the ops that use mbarriers share.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_MBARRIER_H
#define LINALG_EXT_TEST_LIB_SIMT_MBARRIER_H

#include "SIMT/Concurrency.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace mlir::linalg_ext::simt {

/// Returns barrier `index` of the group `barriers`. Fails, with an error, if
/// there is none.
FailureOr<MBarrier *> getMBarrier(Operation *op, Machine &machine, int thread,
                                  Value barriers, Value index);

/// Whether the predicate is null or true for the thread.
bool isPredicated(Machine &machine, Value predicate, int thread);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_MBARRIER_H
