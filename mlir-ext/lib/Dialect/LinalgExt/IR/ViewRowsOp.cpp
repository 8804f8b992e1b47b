//===- ViewRowsOp.cpp - Views of rows that a list names -------------------===//
//
// The type of linalg_ext.view_rows, and its other interfaces.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static SmallVector<int64_t> getOtherDims(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return others;
}

SmallVector<int64_t> ViewRowsOp::getDimsOfRow() {
  return getOtherDims(cast<ShapedType>(getSource().getType()).getRank(),
                      getDims());
}

FailureOr<StridedLayoutAttr> ViewRowsOp::getLayout(MemRefType source,
                                                   ArrayRef<int64_t> dims) {
  SmallVector<int64_t> all, strides = {ShapedType::kDynamic};
  int64_t offset = 0;
  if (failed(source.getStridesAndOffset(all, offset)))
    return failure();
  for (int64_t dim : getOtherDims(source.getRank(), dims))
    strides.push_back(all[dim]);
  return StridedLayoutAttr::get(source.getContext(), ShapedType::kDynamic,
                                strides);
}

/// C1 to C4.
static LogicalResult verifyOperands(std::optional<Location> loc,
                                    ShapedType source, ShapedType list,
                                    ArrayRef<int64_t> dims) {
  if (isa<MemRefType>(source) != isa<MemRefType>(list)) // C1
    return emitOptionalError(loc,
                             "'linalg_ext.view_rows' op expected a source and "
                             "a list that are both tensors or both buffers, "
                             "got ",
                             source, " and ", list);
  if (list.getRank() != 2) // C2
    return emitOptionalError(loc,
                             "'linalg_ext.view_rows' op expected a list of "
                             "rank 2, got ",
                             list);
  if (list.getDimSize(1) != static_cast<int64_t>(dims.size())) // C2
    return emitOptionalError(loc,
                             "'linalg_ext.view_rows' op expected as many "
                             "entries in 'dims' as a row of the list has, ",
                             list.getDimSize(1), ", got ", dims.size());
  if (dims.empty()) // C3
    return emitOptionalError(loc,
                             "'linalg_ext.view_rows' op expected at least one "
                             "dimension in 'dims', got none");
  llvm::SmallBitVector seen(source.getRank());
  for (int64_t dim : dims) { // C3
    if (dim < 0 || dim >= source.getRank())
      return emitOptionalError(loc,
                               "'linalg_ext.view_rows' op expected dimensions "
                               "in [0, ",
                               source.getRank(), ") in 'dims', got ", dim);
    if (seen.test(dim))
      return emitOptionalError(loc,
                               "'linalg_ext.view_rows' op expected distinct "
                               "dimensions in 'dims', got ",
                               dim, " twice");
    seen.set(dim);
  }
  auto buffer = dyn_cast<MemRefType>(source);
  if (buffer && failed(ViewRowsOp::getLayout(buffer, dims))) // C4
    return emitOptionalError(loc,
                             "'linalg_ext.view_rows' op expected a source "
                             "whose layout has strides, got ",
                             buffer);
  return success();
}

LogicalResult ViewRowsOp::verify() {
  return verifyOperands(getLoc(), cast<ShapedType>(getSource().getType()),
                        cast<ShapedType>(getList().getType()), getDims());
}

LogicalResult
ViewRowsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                             Adaptor adaptor,
                             SmallVectorImpl<Type> &inferredReturnTypes) {
  auto source = cast<ShapedType>(adaptor.getSource().getType());
  auto list = cast<ShapedType>(adaptor.getList().getType());
  if (failed(verifyOperands(loc, source, list, adaptor.getDims())))
    return failure();
  SmallVector<int64_t> others =
      getOtherDims(source.getRank(), adaptor.getDims());
  SmallVector<int64_t> shape = {list.getDimSize(0)};
  for (int64_t dim : others)
    shape.push_back(source.getDimSize(dim));
  auto buffer = dyn_cast<MemRefType>(source);
  if (!buffer) {
    inferredReturnTypes.push_back(
        RankedTensorType::get(shape, source.getElementType()));
    return success();
  }
  inferredReturnTypes.push_back(MemRefType::get(
      shape, source.getElementType(), *getLayout(buffer, adaptor.getDims()),
      buffer.getMemorySpace()));
  return success();
}

LogicalResult
ViewRowsOp::reifyResultShapes(OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reifiedShapes) {
  auto getSize = [&](Value value, int64_t dim) {
    return isa<MemRefType>(value.getType())
               ? memref::getMixedSize(b, getLoc(), value, dim)
               : tensor::getMixedSize(b, getLoc(), value, dim);
  };
  SmallVector<OpFoldResult> sizes = {getSize(getList(), 0)};
  for (int64_t dim : getDimsOfRow())
    sizes.push_back(getSize(getSource(), dim));
  reifiedShapes.push_back(std::move(sizes));
  return success();
}

/// The rows are those of the source. Code that only follows this value must not
/// move or reuse the list.
Value ViewRowsOp::getViewSource() { return getSource(); }
