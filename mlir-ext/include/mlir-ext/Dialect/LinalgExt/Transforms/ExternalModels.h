//===- ExternalModels.h - Interfaces of LinalgExt ops -----------*- C++ -*-===//
//
// Registers the interface implementations that the LinalgExt dialect promises,
// and the implementations of this project's interfaces for upstream ops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_EXTERNALMODELS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_EXTERNALMODELS_H

namespace mlir {
class DialectRegistry;

namespace linalg_ext {
/// TilingInterface and PartialReductionOpInterface of LinalgExt ops.
void registerTilingInterfaceExternalModels(DialectRegistry &registry);
/// TilingInterface of linalg_ext.paged_gather.
void registerPagedGatherTilingInterfaceExternalModels(
    DialectRegistry &registry);
/// TilingInterface of tensor.expand_shape and tensor.collapse_shape.
void registerReshapeTilingInterfaceExternalModels(DialectRegistry &registry);
/// BufferizableOpInterface of LinalgExt ops.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);
/// OnlineReductionOpInterface and AggregatedOpInterface of LinalgExt ops.
void registerOnlineReductionExternalModels(DialectRegistry &registry);
/// RepairableOpInterface of LinalgExt ops and of every upstream LinalgOp.
void registerRepairableOpInterfaceExternalModels(DialectRegistry &registry);

/// All of the above.
void registerAllExternalModels(DialectRegistry &registry);
} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_EXTERNALMODELS_H
