//===- ReshapeTilingInterfaceImpl.cpp - Fusing through reshapes -----------===//
//
// TilingInterface of tensor.expand_shape and tensor.collapse_shape, so that
// fusion reaches the producers behind them. A tile is accepted where it is one
// slice of the source; every other tile is refused.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static OpFoldResult multiply(OpBuilder &b, Location loc, OpFoldResult lhs,
                             OpFoldResult rhs) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  return affine::makeComposedFoldedAffineApply(b, loc, s0 * s1, {lhs, rhs});
}

namespace {
/// What both reshapes share: their iteration domain is their result.
template <typename Model, typename OpTy>
struct ReshapeTiling : public TilingInterface::ExternalModel<Model, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(
        cast<OpTy>(op).getResultType().getRank(),
        utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    ReifiedRankedShapedTypeDims shapes;
    SmallVector<Range> domain;
    if (failed(reifyResultShapes(b, op, shapes)))
      return domain;
    for (OpFoldResult size : shapes.front())
      domain.push_back(Range{b.getIndexAttr(0), size, b.getIndexAttr(1)});
    return domain;
  }

  LogicalResult getResultTilePosition(Operation *, OpBuilder &, unsigned,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      SmallVector<OpFoldResult> &resultOffsets,
                                      SmallVector<OpFoldResult> &resultSizes)
      const {
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

struct ExpandShapeTiling
    : public ReshapeTiling<ExpandShapeTiling, tensor::ExpandShapeOp> {
  /// In a group of result dimensions [1.., cut, whole...] the tile is the
  /// slice [offset * inner, size * inner) of the source, inner being the
  /// product of the whole sizes. Dimensions before the cut one must have a
  /// tile of size 1.
  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    Location loc = op->getLoc();
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<OpFoldResult> sourceOffsets, sourceSizes;
    for (ReassociationIndicesRef group : expand.getReassociationIndices()) {
      OpFoldResult offset = b.getIndexAttr(0), size = b.getIndexAttr(1);
      OpFoldResult stride = b.getIndexAttr(1);
      bool inner = true; // every dimension so far is whole
      for (int64_t dim : llvm::reverse(group)) {
        if (!inner && !isOneInteger(sizes[dim]) &&
            !isOneInteger(domain[dim].size))
          return failure();
        OpFoldResult scaled = multiply(b, loc, offsets[dim], stride);
        AffineExpr s0, s1;
        bindSymbols(b.getContext(), s0, s1);
        offset = affine::makeComposedFoldedAffineApply(b, loc, s0 + s1,
                                                       {offset, scaled});
        size = multiply(b, loc, size, sizes[dim]);
        if (!isWholeRange(domain[dim], offsets[dim], sizes[dim]))
          inner = false;
        stride = multiply(b, loc, stride, domain[dim].size);
      }
      sourceOffsets.push_back(offset);
      sourceSizes.push_back(size);
    }
    SmallVector<OpFoldResult> strides(sourceOffsets.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        b, loc, expand.getSrc(), sourceOffsets, sourceSizes, strides);
    SmallVector<int64_t> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    auto type = RankedTensorType::get(
        shape, expand.getResultType().getElementType());
    auto tiled = tensor::ExpandShapeOp::create(
        b, loc, type, slice, expand.getReassociationIndices(),
        llvm::to_vector(sizes));
    return TilingResult{{tiled}, {tiled.getResult()}, {slice}};
  }
};

struct CollapseShapeTiling
    : public ReshapeTiling<CollapseShapeTiling, tensor::CollapseShapeOp> {
  /// A result dimension of several source dimensions must be whole, or all but
  /// one of the source dimensions must have size 1.
  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    Location loc = op->getLoc();
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<OpFoldResult> source =
        tensor::getMixedSizes(b, loc, collapse.getSrc());
    SmallVector<OpFoldResult> sourceOffsets(source.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> sourceSizes(source);
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      if (isWholeRange(domain[dim], offsets[dim], sizes[dim]))
        continue;
      SmallVector<int64_t> large;
      for (int64_t sourceDim : group)
        if (!isOneInteger(source[sourceDim]))
          large.push_back(sourceDim);
      if (large.size() != 1)
        return failure();
      sourceOffsets[large.front()] = offsets[dim];
      sourceSizes[large.front()] = sizes[dim];
    }
    SmallVector<OpFoldResult> strides(source.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        b, loc, collapse.getSrc(), sourceOffsets, sourceSizes, strides);
    auto tiled = tensor::CollapseShapeOp::create(
        b, loc, slice, collapse.getReassociationIndices());
    return TilingResult{{tiled}, {tiled.getResult()}, {slice}};
  }
};
} // namespace

void mlir::linalg_ext::registerReshapeTilingInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExpandShapeOp::attachInterface<ExpandShapeTiling>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseShapeTiling>(*context);
  });
}

void mlir::linalg_ext::registerAllExternalModels(DialectRegistry &registry) {
  registerTilingInterfaceExternalModels(registry);
  registerReshapeTilingInterfaceExternalModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerOnlineReductionExternalModels(registry);
  registerRepairableOpInterfaceExternalModels(registry);
}
