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

/// Returns what each register of a tile of `layout` takes from `registers`.
/// These hold a vector of `vectorLayout` along the dimensions `dims` of the
/// tile.
RegisterLookup getLookup(Value registers, const layout::Layout &vectorLayout,
                         ArrayRef<unsigned> dims, const layout::Layout &layout);

/// Adds `mask`, which runs along the dimensions `dims` of the tile.
void addMask(ImplicitLocOpBuilder &b, Distributor &distributor, Value mask,
             ArrayRef<unsigned> dims, TileAccess &access);

/// Returns the layout for reads with an alignment of `alignment` bytes. All
/// adjacent elements of a lane can then be one access.
layout::Layout getLayoutOfAccesses(VectorType type, int64_t alignment,
                                   const Workgroup &workgroup);

/// Returns the access of `gather`, for a vector of `layout`.
TileAccess getGatherAccess(ImplicitLocOpBuilder &b, Distributor &distributor,
                           TransferGatherOp gather,
                           const layout::Layout &layout);

/// Returns whether `memref` is global memory, rather than memory of a workgroup
/// or of a thread.
bool isInGlobalMemory(Value memref);

/// The bits of the widest access of a thread.
constexpr int64_t kAccessBits = 128;

/// Whether `write` stores what elementwise ops unpack: several neighbours from
/// each element that they read. Layouts of what is read have no neighbours
/// then.
bool storesUnpacked(vector::TransferWriteOp write);

/// Registers the models of gathers. This is a part of
/// `registerMemoryLayoutModels`.
void registerGatherLayoutModels(DialectRegistry &registry);

} // namespace vector_ext
} // namespace mlir

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_MEMORYACCESS_H
