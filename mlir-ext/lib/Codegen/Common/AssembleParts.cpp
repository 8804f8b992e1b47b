//===- AssembleParts.cpp - Tiles across the seam of a concatenation -------===//
//
// Builds a slice of a concatenation from a slice of each part, which may be
// empty. A part may itself be a slice of a concatenation: blocks and their
// neighbours are slices of one padded tensor.
//
//===----------------------------------------------------------------------===//

#include "ReadParts.h"

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A slice of `source`: [offsets, offsets + sizes).
struct Taken {
  Value source;
  SmallVector<OpFoldResult> offsets, sizes;

  /// Returns the concatenation that it is a slice of, directly or through other
  /// slices. It then becomes a slice of its result.
  std::optional<Concatenation> resolve(RewriterBase &rewriter, Location loc) {
    std::optional<Concatenation> concatenation = getConcatenation(source);
    if (concatenation && isOnlySliced(source))
      return concatenation;
    auto outer = source.getDefiningOp<tensor::ExtractSliceOp>();
    if (!outer || !outer.hasUnitStride() || outer.getDroppedDims().any())
      return std::nullopt;
    Taken composed{outer.getSource(), {}, sizes};
    AffineExpr sum =
        rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    for (auto [offset, more] :
         llvm::zip_equal(offsets, outer.getMixedOffsets()))
      composed.offsets.push_back(buildExpr(rewriter, loc, sum, {offset, more}));
    concatenation = composed.resolve(rewriter, loc);
    if (concatenation)
      *this = std::move(composed);
    return concatenation;
  }
};

/// Puts a tile together from slices of parts.
class PartAssembler {
public:
  PartAssembler(RewriterBase &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  Value run(tensor::ExtractSliceOp slice, const Concatenation &concatenation);

private:
  Value findFilling(const Concatenation &concatenation);
  void takeParts(const Taken &taken, const Concatenation &concatenation,
                 SmallVector<OpFoldResult> places);
  void take(Taken taken, SmallVector<OpFoldResult> places);

  /// A part of the tile.
  struct Piece {
    Value value;
    SmallVector<OpFoldResult> places, sizes;
  };

  RewriterBase &rewriter;
  Location loc;
  SmallVector<Piece> pieces;
  /// What the tile is filled with, or null.
  Value filling;
};
} // namespace

/// Returns what a part of `concatenation` is filled with, or a part of a
/// concatenation that a part is a slice of; null if there is none.
Value PartAssembler::findFilling(const Concatenation &concatenation) {
  for (Value part : concatenation.parts) {
    if (Value value = getFilling(part))
      return value;
    while (auto slice = part.getDefiningOp<tensor::ExtractSliceOp>())
      part = slice.getSource();
    if (std::optional<Concatenation> inner = getConcatenation(part))
      if (Value value = findFilling(*inner))
        return value;
  }
  return {};
}

/// Takes `taken`, which may be empty, for `places` of the tile.
void PartAssembler::take(Taken taken, SmallVector<OpFoldResult> places) {
  if (filling && getFilling(taken.source) == filling)
    return;
  if (std::optional<Concatenation> inner = taken.resolve(rewriter, loc))
    return takeParts(taken, *inner, std::move(places));
  SmallVector<int64_t> shape;
  for (OpFoldResult size : taken.sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  Value part = takeSlice(
      rewriter, loc,
      RankedTensorType::get(shape, getElementTypeOrSelf(taken.source)),
      taken.source, taken.offsets, taken.sizes);
  pieces.push_back({part, std::move(places), std::move(taken.sizes)});
}

/// Takes what `taken`, a slice of `concatenation`, has of each part.
void PartAssembler::takeParts(const Taken &taken,
                              const Concatenation &concatenation,
                              SmallVector<OpFoldResult> places) {
  int64_t dim = concatenation.dim;
  OpFoldResult offset = taken.offsets[dim], size = taken.sizes[dim],
               place = places[dim], zero = rewriter.getIndexAttr(0);
  AffineExpr d0, d1, d2, s0, s1, s2;
  bindDims(rewriter.getContext(), d0, d1, d2);
  bindSymbols(rewriter.getContext(), s0, s1, s2);
  SmallVector<OpFoldResult> seams = concatenation.getSeams(rewriter);
  IndexAnalysis analysis;
  bool isWhole = analysis.get(size) == analysis.get(seams.back());
  for (auto [number, part] : llvm::enumerate(concatenation.parts)) {
    OpFoldResult extent = tensor::getMixedSize(rewriter, loc, part, dim);
    OpFoldResult from = zero, length = extent, start = seams[number];
    if (!isWhole) {
      // From max(offset, start) to min(offset + size, end), or nothing.
      auto clamp = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands,
                       OpFoldResult end) {
        OpFoldResult value = buildExpr(rewriter, loc, expr, operands);
        return buildMin(rewriter, loc,
                        {buildMax(rewriter, loc, {value, zero}), end});
      };
      from = clamp(s0 - s1, {offset, seams[number]}, extent);
      OpFoldResult to =
          clamp(s0 + s1 - s2, {offset, size, seams[number]}, extent);
      // At most the size of the tile and of the part. The minimum makes this
      // bound visible.
      length = affine::makeComposedFoldedAffineMin(
          rewriter, loc,
          AffineMap::get(3, 0, {d0 - d1, d2}, rewriter.getContext()),
          {to, from, size});
      if (getConstantIntValue(extent))
        length = buildMin(rewriter, loc, {length, extent});
      start = clamp(s0 - s1, {seams[number], offset}, size);
    }
    Taken ofPart{part, taken.offsets, taken.sizes};
    ofPart.offsets[dim] = from;
    ofPart.sizes[dim] = length;
    places[dim] = buildExpr(rewriter, loc, s0 + s1, {place, start});
    take(std::move(ofPart), places);
  }
}

Value PartAssembler::run(tensor::ExtractSliceOp slice,
                         const Concatenation &concatenation) {
  rewriter.setInsertionPoint(slice);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  SmallVector<OpFoldResult> places(sizes.size(), rewriter.getIndexAttr(0));
  filling = findFilling(concatenation);
  takeParts({concatenation.result, slice.getMixedOffsets(), sizes},
            concatenation, places);
  Value tile = tensor::EmptyOp::create(
      rewriter, loc, sizes, getElementTypeOrSelf(concatenation.result));
  // If a part is filled with a value, fill the whole tile with it first.
  if (filling)
    tile = linalg::FillOp::create(rewriter, loc, filling, tile).getResult(0);
  SmallVector<OpFoldResult> strides = slice.getMixedStrides();
  for (const Piece &piece : pieces)
    tile = tensor::InsertSliceOp::create(rewriter, loc, piece.value, tile,
                                         piece.places, piece.sizes, strides);
  if (tile.getType() == slice.getType())
    return tile;
  return tensor::ExtractSliceOp::create(rewriter, loc, slice.getType(), tile,
                                        places, sizes, slice.getMixedStrides());
}

Value mlir::linalg_ext::assembleParts(RewriterBase &rewriter,
                                      tensor::ExtractSliceOp slice,
                                      const Concatenation &concatenation) {
  return PartAssembler(rewriter, slice.getLoc()).run(slice, concatenation);
}
