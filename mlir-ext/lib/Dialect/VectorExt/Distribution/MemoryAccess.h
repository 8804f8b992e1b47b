//===- MemoryAccess.h - What transfers and gathers share --------*- C++ -*-===//
//
// The parts of an access of a tile (`TileAccess`) that both transfers and
// gathers have.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_MEMORYACCESS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_MEMORYACCESS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

namespace mlir {
class DialectRegistry;

namespace vector_ext {

/// What each register of a tile of `layout` takes from `registers`, a vector of
/// `vectorLayout`, which runs along the dimensions `dims` of the tile.
RegisterLookup getLookup(Value registers, const layout::Layout &vectorLayout,
                         ArrayRef<unsigned> dims, const layout::Layout &layout);

/// Adds `mask`, which runs along the dimensions `dims` of the tile.
void addMask(ImplicitLocOpBuilder &b, Distributor &distributor, Value mask,
             ArrayRef<unsigned> dims, TileAccess &access);

/// The layout for reads of `alignment` bytes: of what a lane has next to each
/// other, all can be one access.
layout::Layout getLayoutOfAccesses(VectorType type, int64_t alignment,
                                   const Workgroup &workgroup);

/// The access that `gather` is, of a vector of `layout`.
TileAccess getGatherAccess(ImplicitLocOpBuilder &b, Distributor &distributor,
                           TransferGatherOp gather,
                           const layout::Layout &layout);

/// Registers the models of gathers; a part of `registerMemoryLayoutModels`.
void registerGatherLayoutModels(DialectRegistry &registry);

} // namespace vector_ext
} // namespace mlir

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_MEMORYACCESS_H
