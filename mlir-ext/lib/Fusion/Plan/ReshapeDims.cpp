//===- ReshapeDims.cpp - Dimensions across reshapes and slices ------------===//
//
// A reshape is a list of groups. Each group relates one flat dimension to the
// dimensions that it is split into. An expand_shape has the flat dimension in
// its source, a collapse_shape in its result. `flatten` and `split` map tiles
// in the two directions. See ReshapeDims.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

namespace {
/// An expand_shape or a collapse_shape, described in the same way.
struct Reshape {
  RankedTensorType flat, split;
  SmallVector<ReassociationIndices> groups;
  bool isExpand;
};
} // namespace

static Reshape getReshape(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return {expand.getSrcType(), expand.getResultType(),
            expand.getReassociationIndices(), true};
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  return {collapse.getResultType(), collapse.getSrcType(),
          collapse.getReassociationIndices(), false};
}

bool mlir::linalg_ext::isReshapeOrSlice(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp>(op);
}

/// Returns the dimensions of a side of rank `rank` of which none is cut.
static ReshapedDims getUncut(int64_t rank, int64_t otherRank) {
  ReshapedDims dims;
  dims.cutBy.assign(rank, SmallBitVector(otherRank));
  dims.tileSizes.assign(rank, 0);
  return dims;
}

static int64_t getTileSize(ArrayRef<int64_t> tileSizes, int64_t dim) {
  return tileSizes.empty() ? 0 : tileSizes[dim];
}

/// Returns the dimensions of a group that do not have static size 1, outermost
/// first.
static SmallVector<int64_t> getLargeDims(RankedTensorType split,
                                         ReassociationIndicesRef group) {
  SmallVector<int64_t> large;
  llvm::copy_if(group, std::back_inserter(large),
                [&](int64_t dim) { return split.getDimSize(dim) != 1; });
  return large;
}

/// Returns the product of two sizes, or 0 if one of them is not known.
static int64_t multiply(int64_t lhs, int64_t rhs) {
  return ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) ? 0
                                                                  : lhs * rhs;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Returns whether tiles of sizes `tileSizes` are parts of tiles that are whole
/// along all of `dims` but the first, at a cost that is known and acceptable.
static bool isCovered(RankedTensorType split, ArrayRef<int64_t> dims,
                      const SmallBitVector &cut, ArrayRef<int64_t> tileSizes) {
  int64_t covering = 1, wanted = 1;
  for (int64_t dim : dims.drop_front()) {
    if (!cut.test(dim))
      continue; // is whole
    covering = multiply(covering, split.getDimSize(dim));
    wanted = multiply(wanted, getTileSize(tileSizes, dim));
  }
  return covering != 0 && wanted != 0 && isCoverAffordable(covering, wanted);
}

/// Returns the tiles of the flat side that belong to tiles of the split side.
/// They are slices if the tile has, from the outermost dimension on: size 1 in
/// some dimensions, any size in one dimension, and whole dimensions.
static ReshapedDims flatten(const Reshape &reshape, const SmallBitVector &cut,
                            ArrayRef<int64_t> tileSizes, bool allowCovering) {
  ReshapedDims dims = getUncut(reshape.flat.getRank(), reshape.split.getRank());
  for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
    for (int64_t dim : group)
      if (cut.test(dim))
        dims.cutBy[flat].set(dim);
    // 1. Whole dimensions, the innermost ones.
    SmallVector<int64_t> large = getLargeDims(reshape.split, group);
    int64_t size = 1;
    auto isWhole = [&](int64_t dim) {
      return !cut.test(dim) ||
             getTileSize(tileSizes, dim) == reshape.split.getDimSize(dim);
    };
    while (!large.empty() && isWhole(large.back()))
      size = multiply(size, reshape.split.getDimSize(large.pop_back_val()));
    if (dims.cutBy[flat].none())
      continue;
    // 2. One dimension of any size. If there are dimensions outside of it, the
    //    size must divide it. Otherwise later tiles would not start at
    //    multiples of the tile size.
    if (!large.empty()) {
      int64_t dim = large.pop_back_val();
      int64_t tileSize = getTileSize(tileSizes, dim);
      int64_t extent = reshape.split.getDimSize(dim);
      bool divides =
          tileSize == 1 || (tileSize != 0 && !ShapedType::isDynamic(extent) &&
                            extent % tileSize == 0);
      size = multiply(size, large.empty() || divides ? tileSize : 0);
    }
    dims.tileSizes[flat] = size;
    // 3. Dimensions of size 1.
    auto isOne = [&](int64_t dim) {
      return cut.test(dim) && getTileSize(tileSizes, dim) == 1;
    };
    if (llvm::all_of(large, isOne))
      continue;
    dims.tileSizes[flat] = 0;
    // 4. Otherwise, a tile that is whole inside the first dimension with more
    //    than one index.
    SmallVector<int64_t> all = getLargeDims(reshape.split, group);
    ArrayRef<int64_t> inside = ArrayRef<int64_t>(all).drop_until(
        [&](int64_t dim) { return !isOne(dim); });
    if (!allowCovering || !isCovered(reshape.split, inside, cut, tileSizes)) {
      dims.tiles = ReshapedTiles::Unknown;
      continue;
    }
    for (int64_t dim : inside.drop_front())
      dims.cutBy[flat].reset(dim);
    if (dims.tiles == ReshapedTiles::Slices)
      dims.tiles = ReshapedTiles::Covering;
  }
  return dims;
}

/// Returns the tiles of the split side that belong to tiles of the flat side.
static ReshapedDims split(const Reshape &reshape, const SmallBitVector &cut,
                          ArrayRef<int64_t> tileSizes, bool allowCovering) {
  ReshapedDims dims = getUncut(reshape.split.getRank(), reshape.flat.getRank());
  for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
    if (!cut.test(flat))
      continue;
    int64_t size = getTileSize(tileSizes, flat);
    SmallVector<int64_t> large = getLargeDims(reshape.split, group);
    if (large.empty())
      large.push_back(group.back());

    // The outermost dimension of which tiles can be a slice. Otherwise the
    // dimension whose rows cover a tile most closely.
    std::optional<unsigned> sliced, covered;
    SmallVector<int64_t> inner(large.size(), 1);
    for (unsigned i = large.size(); i-- > 1;)
      inner[i - 1] = multiply(inner[i], reshape.split.getDimSize(large[i]));
    for (unsigned i = large.size(); i-- > 0;) {
      int64_t row = inner[i];
      bool knowsRow = row > 0 && size > 0;
      // Whether tiles stay within one index of the dimensions outside.
      bool stays =
          i == 0 || (knowsRow && inner[i - 1] > 0 && inner[i - 1] % size == 0);
      bool wholeRows = row == 1 || (knowsRow && size % row == 0);
      if (wholeRows && (stays || (row > 0 && size == row)))
        sliced = i;
      int64_t extent = reshape.split.getDimSize(large[i]);
      if (covered || !stays || !knowsRow)
        continue;
      int64_t numRows = countTouchedRows(size, row);
      if (!ShapedType::isDynamic(extent))
        numRows = std::min(numRows, extent);
      if (isCoverAffordable(numRows * row, size))
        covered = i;
    }
    if (!sliced && !(allowCovering && covered)) {
      // The smallest tile that covers a range may be a part of any dimension.
      for (int64_t dim : large)
        dims.cutBy[dim].set(flat);
      if (!allowCovering)
        dims.tiles = ReshapedTiles::Unknown;
      else if (dims.tiles == ReshapedTiles::Slices)
        dims.tiles = ReshapedTiles::Covering;
      continue;
    }
    unsigned last = sliced ? *sliced : *covered;
    for (unsigned i = 0; i <= last; ++i) {
      dims.cutBy[large[i]].set(flat);
      dims.tileSizes[large[i]] = i < last ? 1 : sliced ? size / inner[i] : 0;
    }
    if (!sliced && dims.tiles == ReshapedTiles::Slices)
      dims.tiles = ReshapedTiles::Covering;
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Returns, for each dimension of the source, the dimension of the result, or
/// -1.
static SmallVector<int64_t> getResultDimOfSource(tensor::ExtractSliceOp slice) {
  SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> resultDims;
  int64_t next = 0;
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim)
    resultDims.push_back(dropped.test(dim) ? -1 : next++);
  return resultDims;
}

/// Returns whether `slice` takes all of dimension `dim` of its source.
static bool isWhole(tensor::ExtractSliceOp slice, int64_t dim) {
  if (!isZeroInteger(slice.getMixedOffsets()[dim]) ||
      !isOneInteger(slice.getMixedStrides()[dim]))
    return false;
  OpFoldResult size = slice.getMixedSizes()[dim];
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant == slice.getSourceType().getDimSize(dim);
  auto dimOp = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  return dimOp && dimOp.getSource() == slice.getSource() &&
         dimOp.getConstantIndex() == dim;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

ReshapedDims mlir::linalg_ext::getSourceDims(Operation *op,
                                             const SmallBitVector &cut,
                                             ArrayRef<int64_t> tileSizes) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice) {
    Reshape reshape = getReshape(op);
    return reshape.isExpand
               ? flatten(reshape, cut, tileSizes, /*allowCovering=*/true)
               : split(reshape, cut, tileSizes, /*allowCovering=*/true);
  }
  ReshapedDims dims =
      getUncut(slice.getSourceType().getRank(), slice.getType().getRank());
  for (auto [dim, resultDim] : llvm::enumerate(getResultDimOfSource(slice))) {
    if (resultDim == -1 || !cut.test(resultDim))
      continue;
    dims.cutBy[dim].set(resultDim);
    dims.tileSizes[dim] = getTileSize(tileSizes, resultDim);
    if (!isOneInteger(slice.getMixedStrides()[dim]))
      dims.tiles = ReshapedTiles::Unknown;
  }
  return dims;
}

ReshapedDims mlir::linalg_ext::getResultDims(Operation *op,
                                             const SmallBitVector &cut,
                                             ArrayRef<int64_t> tileSizes) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice) {
    Reshape reshape = getReshape(op);
    return reshape.isExpand
               ? split(reshape, cut, tileSizes, /*allowCovering=*/false)
               : flatten(reshape, cut, tileSizes, /*allowCovering=*/false);
  }
  ReshapedDims dims =
      getUncut(slice.getType().getRank(), slice.getSourceType().getRank());
  for (auto [dim, resultDim] : llvm::enumerate(getResultDimOfSource(slice))) {
    if (!cut.test(dim))
      continue;
    // A tile of the source may be outside of the slice.
    if (!isWhole(slice, dim))
      dims.tiles = ReshapedTiles::Unknown;
    if (resultDim == -1)
      continue;
    dims.cutBy[resultDim].set(dim);
    if (isWhole(slice, dim))
      dims.tileSizes[resultDim] = getTileSize(tileSizes, dim);
  }
  return dims;
}

static std::string describe(ArrayRef<int64_t> sizes) {
  std::string text = "(";
  llvm::interleave(
      sizes,
      [&](int64_t size) {
        text += ShapedType::isDynamic(size) ? "?" : std::to_string(size);
      },
      [&] { text += ", "; });
  return text + ")";
}

std::string mlir::linalg_ext::explainRefusedTiles(Operation *op,
                                                  ArrayRef<int64_t> tileSizes) {
  Reshape reshape = getReshape(op);
  if (!reshape.isExpand)
    return ""; // merged dimensions have a tile that covers any
  for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
    auto extents = llvm::map_to_vector(
        group, [&](int64_t dim) { return reshape.split.getDimSize(dim); });
    auto sizes =
        llvm::map_to_vector(group, [&](int64_t dim) { return tileSizes[dim]; });
    // The elements of a tile, and the fewest elements of a range that covers
    // it.
    int64_t wanted = 1, covering = 1;
    auto outer = llvm::find_if(sizes, [](int64_t size) { return size != 1; });
    size_t first = std::distance(sizes.begin(), outer);
    for (size_t i = first + 1; i < sizes.size(); ++i) {
      if (sizes[i] == extents[i])
        continue;
      wanted = multiply(wanted, sizes[i]);
      covering = multiply(covering, extents[i]);
    }
    if (wanted == covering && wanted != 0)
      continue;
    std::string what = "tiles of " + describe(sizes) + " of the dimensions " +
                       describe(extents) + " that dimension " +
                       std::to_string(flat) +
                       " is split into are not contiguous";
    if (wanted == 0 || covering == 0)
      return what + ", and how large a tile would cover one is not known";
    if (!isCoverAffordable(covering, wanted))
      return what + ", and a tile that covers one computes up to " +
             std::to_string(covering) + " elements for each " +
             std::to_string(wanted);
  }
  return "";
}

FailureOr<SmallVector<int64_t>>
mlir::linalg_ext::mapDimsThroughReshape(Operation *op,
                                        ArrayRef<int64_t> operandDims) {
  SmallVector<int64_t> resultDims;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<int64_t> resultDimOfSource = getResultDimOfSource(slice);
    for (int64_t dim : operandDims) {
      if (resultDimOfSource[dim] == -1 || !isWhole(slice, dim))
        return failure();
      resultDims.push_back(resultDimOfSource[dim]);
    }
    return resultDims;
  }
  if (!isReshapeOrSlice(op))
    return failure();
  Reshape reshape = getReshape(op);
  for (int64_t operandDim : operandDims) {
    std::optional<int64_t> resultDim;
    for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
      if (reshape.isExpand ? int64_t(flat) != operandDim
                           : !llvm::is_contained(group, operandDim))
        continue;
      SmallVector<int64_t> large = getLargeDims(reshape.split, group);
      int64_t alone = group.size() == 1   ? group.front()
                      : large.size() == 1 ? large.front()
                                          : -1;
      if (reshape.isExpand && alone != -1)
        resultDim = alone;
      else if (!reshape.isExpand && alone == operandDim)
        resultDim = flat;
    }
    if (!resultDim)
      return failure();
    resultDims.push_back(*resultDim);
  }
  return resultDims;
}

SmallVector<int64_t>
mlir::linalg_ext::getVaryingDims(Operation *op, ArrayRef<int64_t> operandDims) {
  Reshape reshape = getReshape(op);
  SmallVector<int64_t> dims;
  for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
    auto varies = [&](int64_t dim) {
      return llvm::is_contained(operandDims, dim);
    };
    if (reshape.isExpand && varies(flat))
      dims.append(group.begin(), group.end());
    else if (!reshape.isExpand && llvm::any_of(group, varies))
      dims.push_back(flat);
  }
  return dims;
}

LogicalResult mlir::linalg_ext::mapRowsThroughReshape(Operation *op,
                                                      RowGroups &rows,
                                                      Refusal &refusal) {
  Reshape reshape = getReshape(op);
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = source.getRank();
  renameDims(rows, [&](int64_t dim) {
    return source.getDimSize(dim) == 1 ? -1 : dim;
  });
  // Dimensions of the result are numbered from `rank` on until all of the
  // source are gone.
  for (auto [flat, group] : llvm::enumerate(reshape.groups)) {
    SmallVector<int64_t> large = getLargeDims(reshape.split, group);
    if (reshape.isExpand) {
      for (int64_t &dim : large)
        dim += rank;
      splitDim(rows, flat, large);
    } else if (failed(mergeDims(rows, large, rank + flat, refusal))) {
      refusal.op = op;
      return failure();
    }
  }
  renameDims(rows, [&](int64_t dim) { return dim - rank; });
  simplify(rows, result.getShape());
  return success();
}
