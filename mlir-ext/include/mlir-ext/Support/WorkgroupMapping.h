//===- WorkgroupMapping.h - Mapping of loops to workgroups ------*- C++ -*-===//
//
// The mapping attribute of an `scf.forall` whose iterations are workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H
#define MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::linalg_ext {

/// Returns the mapping of an `scf.forall` of `numLoops` loops to workgroups.
/// The mapping linearises the loops, and the innermost loop varies fastest.
/// Returns an empty mapping if `numLoops` exceeds the number of
/// `#gpu.block<linear_dim_i>` attributes.
SmallVector<Attribute> getWorkgroupMapping(MLIRContext *context,
                                           unsigned numLoops);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_WORKGROUPMAPPING_H
