//===- ExternalModels.h - Interfaces of ops ---------------------*- C++ -*-===//
//
// Registers the implementations of `LayoutOpInterface`, for upstream's ops and
// for those of VectorExt. Each family of ops has a file, with the relation of
// their layouts and their distribution. Also registers the bufferization of
// VectorExt's ops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_EXTERNALMODELS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_EXTERNALMODELS_H

namespace mlir {
class DialectRegistry;

namespace vector_ext {
/// Transfers and gathers between memory and registers, and scalar stores.
void registerMemoryLayoutModels(DialectRegistry &registry);
/// Constants, masks, positions, broadcasts, transposes and reshapes.
void registerShapeLayoutModels(DialectRegistry &registry);
/// Elementwise ops with one result, of any dialect that has no model of its own
/// for them.
void registerElementwiseLayoutModels(DialectRegistry &registry);
/// Reductions: in a thread, over lanes by shuffles, and over subgroups through
/// shared memory.
void registerReductionLayoutModels(DialectRegistry &registry);
/// Contractions, by instructions or one product at a time.
void registerContractLayoutModels(DialectRegistry &registry);
/// `vector_ext.to_layout`, with all four kinds of conversion.
void registerConversionLayoutModels(DialectRegistry &registry);
/// Loops and branches.
void registerControlFlowLayoutModels(DialectRegistry &registry);

/// All of the above.
void registerLayoutOpInterfaceExternalModels(DialectRegistry &registry);

/// The bufferization of `vector_ext.transfer_gather`.
void registerBufferizableOpInterfaceModels(DialectRegistry &registry);
} // namespace vector_ext
} // namespace mlir

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_EXTERNALMODELS_H
