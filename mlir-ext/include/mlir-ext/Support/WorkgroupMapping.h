//===- WorkgroupMapping.h - Mapping of loops to workgroups ------*- C++ -*-===//
//
// How an `scf.forall` says that its iterations are workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H
#define MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::linalg_ext {

/// Returns the mapping of a nest of `numLoops` loops to workgroups: one linear
/// number, in which the innermost loop varies fastest. Returns an empty mapping
/// if there are more loops than `#gpu.block<linear_dim_i>` attributes.
SmallVector<Attribute> getWorkgroupMapping(MLIRContext *context,
                                           unsigned numLoops);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H
