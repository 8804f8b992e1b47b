//===- TileVector.h - A tile of a tensor in one vector ----------*- C++ -*-===//
//
// Private to VectorizeTiles: values of a tile, the payload of a structured op
// on them, and how they come from and go to memory.
//
// A TileVector has *dims*: numbers of dimensions of an iteration domain, or of
// a tensor. Its value is a vector with one dimension for each of them, in their
// order; along all others it is the same. So a scalar has no dims, a maximum of
// rows has one until it meets the scores, and nothing is broadcast before it
// must be. Dimensions of size 1 never are among them.
//
//   value                    dims      in the domain (b, m, n), b of size 1
//   scalar                   {}        the same everywhere
//   vector<16xf32>           {1}       one for each m
//   vector<16x8xf32>         {1, 2}    one for each m and n
//   vector<8x16xf32>         {2, 1}    the same, transposed
//
// Vectors have the size that a tile has at most (its *bound*). Elements beyond
// the size that it has are unspecified, except where `isZeroPadded`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTOR_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

struct TileVector {
  Value value;
  SmallVector<int64_t> dims;
  bool isZeroPadded = false;
};

/// The extent of a tile in each dimension: `sizes` are what it has, `bounds`
/// what it has at most.
struct TileShape {
  SmallVector<int64_t> bounds;
  SmallVector<OpFoldResult> sizes;

  /// Whether elements of a vector along `dim` lie outside.
  bool isMasked(int64_t dim) const {
    return getConstantIntValue(sizes[dim]) != bounds[dim];
  }
  /// The dimensions that a vector of the whole tile has.
  SmallVector<int64_t> getVectorDims() const;
};

/// The type of a value with `dims`.
Type getTileVectorType(ArrayRef<int64_t> dims, ArrayRef<int64_t> bounds,
                       Type elementType);

/// `vector` with the dims `dims`, which are a superset of those it has.
Value broadcastTo(OpBuilder &b, Location loc, const TileVector &vector,
                  ArrayRef<int64_t> dims, ArrayRef<int64_t> bounds);

/// Adds to `dims` those of `more` that it lacks.
void unite(SmallVector<int64_t> &dims, ArrayRef<int64_t> more);

/// The dims that an elementwise op has of `vectors`: in the order of one that
/// has them all, if possible the domain's.
SmallVector<int64_t> getCommonDims(ArrayRef<TileVector> vectors);

/// Creates the elementwise op `like` on `operands`.
SmallVector<TileVector> createElementwise(OpBuilder &b, Operation *like,
                                          ArrayRef<TileVector> operands,
                                          ArrayRef<int64_t> bounds);

/// The mask, over `dims`, of what lies inside `shape` along `maskedDims`.
Value createTileMask(OpBuilder &b, Location loc, ArrayRef<int64_t> dims,
                     const TileShape &shape, ArrayRef<int64_t> maskedDims);

/// `vector` with elements replaced by the constant `outside` that lie beyond
/// the size of `shape` along `maskedDims`. Dims that are masked are added.
TileVector selectInside(OpBuilder &b, Location loc, const TileVector &vector,
                        const TileShape &shape, ArrayRef<int64_t> maskedDims,
                        TypedAttr outside);

/// `vector` with the bounds `to` instead of `from`: cut, or filled with zeros.
TileVector resize(OpBuilder &b, Location loc, const TileVector &vector,
                  ArrayRef<int64_t> from, ArrayRef<int64_t> to);

/// Where a tensor lies in another: its dimension i is dimension dims[i] of
/// `source`, from `offsets` (one for each of those) on.
struct TensorView {
  Value source;
  SmallVector<OpFoldResult> offsets;
  SmallVector<int64_t> dims;
};

/// Looks through casts, and slices of stride 1, as long as `isMemory` holds of
/// what they are of.
TensorView getTensorView(OpBuilder &b, Location loc, Value tensor,
                         function_ref<bool(Value)> isMemory);

/// Reads a tile. What lies outside `shape` is not accessed, and 0.
TileVector readTile(OpBuilder &b, Location loc, const TensorView &view,
                    const TileShape &shape);

/// Writes `vector` to `tensor`, which has the sizes of `shape`, and returns
/// what that becomes.
Value writeTile(OpBuilder &b, Location loc, const TileVector &vector,
                Value tensor, const TileShape &shape);

/// Returns whether `op` computes each element of its results from the elements
/// of its operands at the same place.
bool isElementwisePayload(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTOR_H
