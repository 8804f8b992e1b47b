//===- TileValue.h - A tile of a tensor in one vector -----------*- C++ -*-===//
//
// Private to VectorizeTiles. Represents a tile of a tensor as a vector, and
// provides elementwise ops, masks, reads and writes on such vectors.
//
// A TileValue has *dims*: a list of dimensions of an iteration domain or of a
// tensor. Its value is a vector with one dimension for each of them, in this
// order. Along the other dimensions the value is constant. A scalar, for
// example, has no dims, and the maximum of each row has one. A value is
// broadcast only when it meets an operand with more dims. A dimension of size 1
// is never one of the dims.
//
//   value                    dims      in the domain (b, m, n), b of size 1
//   scalar                   {}        the same everywhere
//   vector<16xf32>           {1}       one for each m
//   vector<16x8xf32>         {1, 2}    one for each m and n
//   vector<8x16xf32>         {2, 1}    the same, transposed
//
// A vector has the largest size that the tile can have (its *bound*). Elements
// beyond the actual size of the tile are unspecified, or 0 if `isZeroPadded`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEVALUE_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEVALUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// A tile in a vector; see above.
struct TileValue {
  Value value;
  SmallVector<int64_t> dims;
  bool isZeroPadded = false;
};

/// The extent of a tile in each dimension: the actual `sizes`, and their upper
/// `bounds`.
struct TileShape {
  SmallVector<int64_t> bounds;
  SmallVector<OpFoldResult> sizes;

  /// Returns whether the tile may be smaller than its vector along `dim`.
  bool isMasked(int64_t dim) const {
    return getConstantIntValue(sizes[dim]) != bounds[dim];
  }
  /// Returns the dims of a vector that holds the whole tile: the dimensions
  /// whose bound is not 1.
  SmallVector<int64_t> getVectorDims() const;
};

/// Returns the type of a value with `dims`: a vector, or `elementType` if there
/// are none. `bounds` are those of all dimensions.
Type getTileValueType(ArrayRef<int64_t> dims, ArrayRef<int64_t> bounds,
                      Type elementType);

/// Broadcasts and transposes `vector` to `dims`, a superset of its dims.
Value broadcastTo(OpBuilder &b, Location loc, const TileValue &vector,
                  ArrayRef<int64_t> dims, ArrayRef<int64_t> bounds);

/// Appends to `dims` the elements of `more` that it lacks.
void unite(SmallVector<int64_t> &dims, ArrayRef<int64_t> more);

/// Returns the dims of the result of an elementwise op on `vectors`: the union
/// of their dims. The order is ascending, unless only operands in another order
/// have all of them.
SmallVector<int64_t> getCommonDims(ArrayRef<TileValue> vectors);

/// Creates an op with the name and attributes of `like`, an elementwise op on
/// scalars, on `operands`. Broadcasts the operands to their common dims.
SmallVector<TileValue> createElementwise(OpBuilder &b, Operation *like,
                                         ArrayRef<TileValue> operands,
                                         ArrayRef<int64_t> bounds);

/// Creates a mask over `dims` that is true inside of the sizes of `shape` along
/// `maskedDims`.
Value createTileMask(OpBuilder &b, Location loc, ArrayRef<int64_t> dims,
                     const TileShape &shape, ArrayRef<int64_t> maskedDims);

/// Replaces the elements of `vector` beyond the sizes of `shape` along
/// `maskedDims` by the constant `outside`. The result also has the dims
/// `maskedDims`.
TileValue selectInside(OpBuilder &b, Location loc, const TileValue &vector,
                       const TileShape &shape, ArrayRef<int64_t> maskedDims,
                       TypedAttr outside);

/// Changes the bounds of `vector` from `from` to `to`. Drops elements, or
/// appends zeros.
TileValue resize(OpBuilder &b, Location loc, const TileValue &vector,
                 ArrayRef<int64_t> from, ArrayRef<int64_t> to);

/// The position of a tensor in `source`: dimension i of the tensor is dimension
/// dims[i] of `source`. `offsets` has one entry for each dimension of `source`.
struct TensorView {
  Value source;
  SmallVector<OpFoldResult> offsets;
  SmallVector<int64_t> dims;
};

/// Finds the tensor in memory that `tensor` is a view of. Looks through casts,
/// slices of stride 1, and reshapes that add or drop dimensions of size 1, as
/// long as `isMemory` is true for their source.
TensorView getTensorView(OpBuilder &b, Location loc, Value tensor,
                         function_ref<bool(Value)> isMemory);

/// Builds the condition that a tile of `shape` is not empty along the
/// dimensions that have at most one element. Returns null if this is known.
Value hasSingleElements(OpBuilder &b, Location loc, const TileShape &shape);

/// Returns `shape` if `condition` is true or null, and otherwise a shape that
/// is empty along `dim`.
TileShape emptyUnless(OpBuilder &b, Location loc, Value condition,
                      TileShape shape, int64_t dim);

/// Reads a tile. Elements outside of `shape` are not accessed and become 0.
TileValue readTile(OpBuilder &b, Location loc, const TensorView &view,
                   const TileShape &shape);

/// Writes `vector` to `tensor`, which has the sizes of `shape`. Returns the
/// updated tensor.
Value writeTile(OpBuilder &b, Location loc, const TileValue &vector,
                Value tensor, const TileShape &shape);

/// Returns whether `op` has the elementwise-mappable traits and no region, so
/// that it can also be created on vectors.
bool isElementwisePayload(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEVALUE_H
