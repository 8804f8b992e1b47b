//===- ResultTiling.h - Tiling of ops that loop over their result -*- C++ -*-===//
//
// Base of the models of TilingInterface for ops with one result, whose iteration
// domain is that of the result. So a tile of the domain is a tile of the result.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_RESULTTILING_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_RESULTTILING_H

#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::linalg_ext {

/// A base class of the model `Model` of `OpTy`, which implements
/// `getTiledImplementation`.
template <typename Model, typename OpTy>
struct ResultTiling : public TilingInterface::ExternalModel<Model, OpTy> {
  // LLVM 23 overloads it. What is defined below must not hide that.
  using TilingInterface::ExternalModel<Model, OpTy>::generateResultTileValue;

  LogicalResult
  getResultTilePosition(Operation *, OpBuilder &, unsigned,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &b, unsigned,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    return static_cast<const Model *>(this)->getTiledImplementation(
        op, b, offsets, sizes);
  }

  bool isOpFusableWithConsumerSlice(Operation *, unsigned,
                                    ArrayRef<OpFoldResult>,
                                    ArrayRef<OpFoldResult>) const {
    return true;
  }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_RESULTTILING_H
