//===- ReadParts.cpp - Slices of concatenations ---------------------------===//
//
// Tile-and-fuse leaves a concatenation outside of its loops, and the loops take
// slices of it. This pass replaces them by slices of the parts:
//   0. If loops take slices of what an elementwise op or a reshape computes
//      from a concatenation, compute it part by part.
//   1. Fold a slice of a slice into one slice.
//   2. Replace a slice that provably lies in one part by a slice of this part.
//   3. Split a loop whose slices move across a seam into three: for the tiles
//      in the first part, for those at the seam, and for those after it. Repeat
//      this for the last loop. If the seam is known and there are many tiles,
//      the last tile of the first part ends at the seam, and no tile lies at
//      it.
//   4. Build each remaining slice from a slice of each part, which may be
//      empty. A part may be a slice of a concatenation itself: blocks beside
//      their neighbours are slices of one padded tensor.
//   5. Gather a slice of a part that is a gather where it is read, and
//      dequantize it there. To gather it again costs no more than to read it.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-read-parts"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

static OpFoldResult apply(OpBuilder &b, Location loc, AffineExpr expr,
                          ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, operands.size(), expr), operands);
}

static OpFoldResult getMin(OpBuilder &b, Location loc,
                           ArrayRef<OpFoldResult> values) {
  if (values.size() == 1)
    return values.front();
  return affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::getMultiDimIdentityMap(values.size(), b.getContext()),
      values);
}

static OpFoldResult getMax(OpBuilder &b, Location loc,
                           ArrayRef<OpFoldResult> values) {
  if (values.size() == 1)
    return values.front();
  return affine::makeComposedFoldedAffineMax(
      b, loc, AffineMap::getMultiDimIdentityMap(values.size(), b.getContext()),
      values);
}

/// Whether lhs <= rhs is known of constants.
static bool isAtMost(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs),
                         right = getConstantIntValue(rhs);
  return lhs == rhs || (left && right && *left <= *right);
}

/// `values` without those that are provably the same as one of the others.
static SmallVector<OpFoldResult> dropSame(ArrayRef<OpFoldResult> values) {
  IndexAnalysis analysis;
  SmallVector<OpFoldResult> result;
  for (OpFoldResult value : values)
    if (llvm::none_of(result, [&](OpFoldResult other) {
          return analysis.get(other) == analysis.get(value);
        }))
      result.push_back(value);
  return result;
}

/// Returns whether only slices of `value` are used.
static bool isOnlySliced(Value value) {
  return llvm::all_of(value.getUsers(),
                      llvm::IsaPred<tensor::ExtractSliceOp, tensor::DimOp>);
}

//===----------------------------------------------------------------------===//
// 0. Elementwise ops and reshapes of concatenations
//===----------------------------------------------------------------------===//

/// Returns whether a loop takes slices of `value`, or of slices of it, and
/// nothing else of it is used.
static bool isSlicedInLoops(Value value) {
  return isOnlySliced(value) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
           return slice && (user->getParentRegion() != value.getParentRegion() ||
                            isSlicedInLoops(slice.getResult()));
         });
}

/// Returns the dimension of the result of `op` that reads dimension `dim` of
/// `operand`, as a whole and one to one. `op` must compute slices of its result
/// from slices of its operands, and compute nothing twice.
static std::optional<unsigned> getResultDim(Operation *op, OpOperand &operand,
                                            int64_t dim) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    FailureOr<SmallVector<int64_t>> dims = mapDimsThroughReshape(op, {dim});
    return succeeded(dims) ? std::optional<unsigned>(dims->front())
                           : std::nullopt;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      !linalgOp.isAllParallelLoops() || op->getNumResults() != 1 ||
      !linalgOp.isDpsInput(&operand))
    return std::nullopt;
  AffineExpr loop = linalgOp.getMatchingIndexingMap(&operand).getResult(dim);
  return isa<AffineDimExpr>(loop)
             ? linalgOp.getIndexingMapMatchingResult(op->getResult(0))
                   .getResultPosition(loop)
             : std::nullopt;
}

/// Returns a concatenation that only `op` reads, which may be elementwise or a
/// reshape, and the dimension of the result along its parts.
static std::optional<std::pair<Concatenation, unsigned>>
getComputedParts(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Concatenation> parts = getConcatenation(operand.get());
    if (!parts || llvm::any_of(parts->parts, getFilling) ||
        llvm::any_of(operand.get().getUsers(), [&](Operation *user) {
          return user != op && !isa<tensor::DimOp>(user);
        }))
      continue;
    if (std::optional<unsigned> dim = getResultDim(op, operand, parts->dim))
      return std::pair(*parts, *dim);
  }
  return std::nullopt;
}

/// Computes `op` part by part of a concatenation that it reads.
/// The loops then take slices of the concatenation of the results, which need
/// not be stored.
static void computeParts(RewriterBase &rewriter, Operation *op) {
  auto found = getComputedParts(op);
  Value result = op->getResult(0);
  if (!found || !isSlicedInLoops(result))
    return;
  auto [parts, dim] = *found;
  Location loc = op->getLoc();
  rewriter.setInsertionPointAfter(op);
  SmallVector<OpFoldResult> seams = parts.getSeams(rewriter);
  SmallVector<OpFoldResult> offsets(
      cast<RankedTensorType>(result.getType()).getRank(),
      rewriter.getIndexAttr(0)),
      strides(offsets.size(), rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, loc, result);
  SmallVector<Value> slices;
  for (unsigned part = 0; part + 1 < seams.size(); ++part) {
    offsets[dim] = seams[part];
    sizes[dim] = subtract(rewriter, loc, seams[part + 1], seams[part]);
    slices.push_back(tensor::ExtractSliceOp::create(rewriter, loc, result,
                                                    offsets, sizes, strides));
  }
  auto whole = tensor::ConcatOp::create(rewriter, loc, dim, slices);
  if (whole.getType() == result.getType()) {
    rewriter.replaceUsesWithIf(result, whole, [&](OpOperand &use) {
      return isa<tensor::ExtractSliceOp>(use.getOwner()) &&
             !llvm::is_contained(slices, use.getOwner()->getResult(0));
    });
    auto isThis = [&](Operation *other) { return other == op; };
    if (sliceProducers(rewriter, op->getParentOp(), isThis) > 0)
      return;
  }
  LDBG() << "not computed part by part: " << *op;
  // The concatenation may be gone, if slices of it are slices of one part.
  for (Operation *user : llvm::make_early_inc_range(slices.front().getUsers()))
    if (isa<tensor::ConcatOp>(user))
      rewriter.replaceOp(user, result);
  for (Value slice : slices)
    if (slice.use_empty())
      rewriter.eraseOp(slice.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// 1. and 2. Slices
//===----------------------------------------------------------------------===//

/// Replaces a slice of slices by one slice of their source.
static tensor::ExtractSliceOp composeSlice(RewriterBase &rewriter,
                                           tensor::ExtractSliceOp slice) {
  while (auto source =
             slice.getSource().getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.hasUnitStride() || !source.hasUnitStride())
      break;
    rewriter.setInsertionPoint(slice);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    if (failed(affine::mergeOffsetsSizesAndStrides(
            rewriter, slice.getLoc(), source, slice, source.getDroppedDims(),
            offsets, sizes, strides)))
      break;
    auto composed = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), slice.getType(), source.getSource(), offsets,
        sizes, strides);
    rewriter.replaceOp(slice, composed);
    slice = composed;
  }
  return slice;
}

/// Returns the concatenation that `slice` is a slice of, directly or through
/// other slices.
static std::optional<Concatenation> getSliced(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (auto outer = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = outer.getSource();
  std::optional<Concatenation> concatenation = getConcatenation(source);
  if (!concatenation || !isOnlySliced(concatenation->result))
    return std::nullopt;
  return concatenation;
}

/// Returns the slices of concatenations below `scope`, except for slices of a
/// slice that is in a loop around them.
static SmallVector<tensor::ExtractSliceOp> findSlices(RewriterBase &rewriter,
                                                      Operation *scope) {
  SmallVector<tensor::ExtractSliceOp> found, slices;
  scope->walk([&](tensor::ExtractSliceOp slice) {
    if (getSliced(slice))
      found.push_back(slice);
  });
  for (tensor::ExtractSliceOp slice : llvm::reverse(found)) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
      continue;
    }
    // Inner ones were composed before.
    slices.push_back(composeSlice(rewriter, slice));
  }
  return slices;
}

//===----------------------------------------------------------------------===//
// 3. Loops
//===----------------------------------------------------------------------===//

namespace {
/// A slice that an `scf.for` moves along a concatenation.
struct MovedSlice {
  tensor::ExtractSliceOp slice;
  Concatenation concatenation;
  /// Where the first part ends, in terms of the induction variable.
  OpFoldResult seam;
};
} // namespace

/// Returns `expr` plus `factor` times the induction variable of `loop`, built
/// before `loop`. The first `numDims` of `operands` are dimensions. Returns
/// null if `expr` does not depend on the induction variable, or if the sum
/// does.
static OpFoldResult cancelInductionVar(RewriterBase &rewriter, scf::ForOp loop,
                                       AffineExpr expr, unsigned numDims,
                                       ValueRange operands, int64_t factor) {
  AffineMap map = AffineMap::get(numDims, operands.size() - numDims, expr);
  SmallVector<Value> all(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &all);
  affine::canonicalizeMapAndOperands(&map, &all);
  MLIRContext *context = loop.getContext();
  AffineExpr iv;
  SmallVector<OpFoldResult> values;
  for (auto [number, operand] : llvm::enumerate(all)) {
    if (operand != loop.getInductionVar()) {
      if (!loop.isDefinedOutsideOfLoop(operand))
        return {};
      values.push_back(operand);
      continue;
    }
    // It may still be both a dimension and a symbol.
    if (iv)
      return {};
    iv = number < map.getNumDims()
             ? getAffineDimExpr(number, context)
             : getAffineSymbolExpr(number - map.getNumDims(), context);
    values.push_back(rewriter.getIndexAttr(0));
  }
  if (!iv)
    return {};
  AffineExpr sum = simplifyAffineExpr(map.getResult(0) + iv * factor,
                                      map.getNumDims(), map.getNumSymbols());
  bool depends = false;
  sum.walk([&](AffineExpr part) { depends |= part == iv; });
  if (depends)
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loop.getLoc(),
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), sum), values);
}

/// Returns where the first part ends for the tiles of `slice`, in terms of the
/// induction variable. `loop` must move the slice by its step, and the slice
/// must not be longer than the step.
static std::optional<OpFoldResult> buildSeam(RewriterBase &rewriter,
                                             tensor::ExtractSliceOp slice,
                                             const Concatenation &concatenation,
                                             scf::ForOp loop, int64_t step) {
  int64_t dim = concatenation.dim;
  OpFoldResult size = slice.getMixedSizes()[dim];
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
      kClosedUpperBound);
  if (failed(bound) || *bound > step)
    return std::nullopt;
  auto offset = dyn_cast<Value>(slice.getMixedOffsets()[dim]);
  if (!offset || llvm::any_of(concatenation.parts, [&](Value part) {
        return !loop.isDefinedOutsideOfLoop(part);
      }))
    return std::nullopt;
  OpFoldResult start =
      cancelInductionVar(rewriter, loop, rewriter.getAffineDimExpr(0),
                         /*numDims=*/1, offset, /*factor=*/-1);
  if (!start)
    return std::nullopt;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  OpFoldResult end = tensor::getMixedSize(
      rewriter, loc, concatenation.parts.front(), concatenation.dim);
  return subtract(rewriter, loc, end, start);
}

/// Replaces tile sizes in `loop` by `step`. All tiles of the loop lie before a
/// seam, and so before the end of the original loop: they are whole. `ends` are
/// values that are known to lie behind the tiles.
static void useWholeTiles(RewriterBase &rewriter, scf::ForOp loop, int64_t step,
                          ArrayRef<OpFoldResult> ends) {
  SmallVector<affine::AffineMinOp> sizes;
  loop.walk([&](affine::AffineMinOp op) { sizes.push_back(op); });
  for (affine::AffineMinOp op : sizes) {
    AffineMap map = op.getAffineMap();
    bool isWhole = llvm::all_of(map.getResults(), [&](AffineExpr expr) {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        return constant.getValue() >= step;
      // end - iv for an end that lies no further in front than a seam.
      OpFoldResult whole =
          cancelInductionVar(rewriter, loop, expr, map.getNumDims(),
                             op.getOperands(), /*factor=*/1);
      return whole && llvm::any_of(ends, [&](OpFoldResult seam) {
               IndexAnalysis analysis;
               return analysis.isNonNegative(analysis.get(whole) -
                                             analysis.get(seam));
             });
    });
    bool hasStep = llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      return constant && constant.getValue() == step;
    });
    if (!isWhole || !hasStep)
      continue;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, step);
  }
}

/// The concatenation of all parts but the first; the only one that is left.
static Concatenation dropFirst(RewriterBase &rewriter,
                               const Concatenation &concatenation) {
  Concatenation rest = concatenation;
  rest.parts.erase(rest.parts.begin());
  rest.result = rest.parts.front();
  if (rest.parts.size() == 1)
    return rest;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(concatenation.result);
  rest.result = tensor::ConcatOp::create(
      rewriter, concatenation.result.getLoc(), rest.dim, rest.parts);
  return rest;
}

/// Makes `slice` a slice of `source`, which begins at `start` of the old
/// source.
static void retarget(RewriterBase &rewriter, tensor::ExtractSliceOp slice,
                     Value source, int64_t dim, OpFoldResult start) {
  rewriter.setInsertionPoint(slice);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  offsets[dim] = subtract(rewriter, slice.getLoc(), offsets[dim], start);
  rewriter.replaceOp(slice, takeSlice(rewriter, slice.getLoc(), slice.getType(),
                                      source, offsets, slice.getMixedSizes()));
}

/// Builds a copy of `loop` in front of it, from `lower` to `upper`, and lets
/// `loop` go on where it ends.
static scf::ForOp buildPart(RewriterBase &rewriter, scf::ForOp loop,
                            OpFoldResult lower, OpFoldResult upper,
                            IRMapping &mapping) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value from = getValueOrCreateConstantIndexOp(rewriter, loc, lower);
  Value to = getValueOrCreateConstantIndexOp(rewriter, loc, upper);
  auto part = cast<scf::ForOp>(rewriter.clone(*loop, mapping));
  rewriter.modifyOpInPlace(part, [&] {
    part.setLowerBound(from);
    part.setUpperBound(to);
  });
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(to);
    loop.getInitArgsMutable().assign(part.getResults());
  });
  return part;
}

/// Returns the sizes of the tiles of `loop`, all of the form min(step, end -
/// iv), if every minimum there that depends on the induction variable has it
/// and each of `moved` has one of them as its size: then they alone say where
/// the last tile ends. Returns none otherwise.
static SmallVector<affine::AffineMinOp>
getTileSizes(RewriterBase &rewriter, scf::ForOp loop, int64_t step, int64_t end,
             ArrayRef<MovedSlice> moved) {
  SmallVector<affine::AffineMinOp> sizes;
  bool areAll = true;
  loop.walk([&](affine::AffineMinOp op) {
    if (!llvm::is_contained(op.getOperands(), loop.getInductionVar())) {
      // What follows from the induction variable in another way is not known.
      areAll &= llvm::all_of(op.getOperands(), [&](Value operand) {
        return loop.isDefinedOutsideOfLoop(operand);
      });
      return;
    }
    AffineMap map = op.getAffineMap();
    bool hasStep = false, hasEnd = false;
    for (AffineExpr expr : map.getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        hasStep |= constant.getValue() == step;
      else if (OpFoldResult whole =
                   cancelInductionVar(rewriter, loop, expr, map.getNumDims(),
                                      op.getOperands(), /*factor=*/1))
        hasEnd |= getConstantIntValue(whole) == end;
    areAll &= hasStep && hasEnd && map.getNumResults() == 2;
    sizes.push_back(op);
  });
  areAll &= llvm::all_of(moved, [&](const MovedSlice &one) {
    auto size = dyn_cast<Value>(tensor::ExtractSliceOp(one.slice)
                                    .getMixedSizes()[one.concatenation.dim]);
    return size && llvm::is_contained(sizes, size.getDefiningOp());
  });
  return areAll ? sizes : SmallVector<affine::AffineMinOp>();
}

/// Splits `loop` at a seam that is known: the last tile of the first part ends
/// there, and the first one of the others begins there, so that no tile is put
/// together of both. Returns false, and does nothing, if a tile more costs
/// much, or if sizes or ends are not known.
static bool cutAtSeam(RewriterBase &rewriter, scf::ForOp loop, int64_t step,
                      ArrayRef<MovedSlice> moved) {
  constexpr int64_t kFewTiles = 8;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         seam = getConstantIntValue(moved.front().seam);
  if (!lower || !upper || !seam || *seam <= *lower || *seam >= *upper ||
      (*seam - *lower) % step == 0 || *upper - *lower < kFewTiles * step ||
      llvm::any_of(moved, [&](const MovedSlice &one) {
        return getConstantIntValue(one.seam) != seam;
      }))
    return false;
  if (getTileSizes(rewriter, loop, step, *upper, moved).empty())
    return false;
  Location loc = loop.getLoc();
  int64_t first = *lower + (*seam - *lower) / step * step;
  auto add = [&](int64_t from, int64_t to) {
    IRMapping mapping;
    scf::ForOp part = buildPart(rewriter, loop, rewriter.getIndexAttr(from),
                                rewriter.getIndexAttr(to), mapping);
    SmallVector<MovedSlice> slices;
    for (const MovedSlice &one : moved)
      slices.push_back(
          {cast<tensor::ExtractSliceOp>(
               mapping.lookup(one.slice->getResult(0)).getDefiningOp()),
           one.concatenation, one.seam});
    for (affine::AffineMinOp size :
         getTileSizes(rewriter, part, step, *upper, slices)) {
      rewriter.setInsertionPoint(size);
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(
          size, std::min(step, to - from));
    }
    for (const MovedSlice &one : slices)
      retarget(rewriter, one.slice, one.concatenation.parts.front(),
               one.concatenation.dim, rewriter.getIndexAttr(0));
  };
  // 1. Whole tiles of the first part, and what is left of it.
  if (first > *lower)
    add(*lower, first);
  add(first, *seam);
  // 2. The others.
  DenseMap<Value, Concatenation> rests;
  for (const MovedSlice &one : moved) {
    rewriter.setInsertionPoint(loop);
    OpFoldResult end = tensor::getMixedSize(
        rewriter, loc, one.concatenation.parts.front(), one.concatenation.dim);
    auto [it, isNew] = rests.try_emplace(one.concatenation.result);
    if (isNew)
      it->second = dropFirst(rewriter, one.concatenation);
    retarget(rewriter, one.slice, it->second.result, one.concatenation.dim,
             end);
  }
  return true;
}

/// Splits `loop` at the seams: the ends of the first parts of the
/// concatenations that `moved` slices.
static void splitLoop(RewriterBase &rewriter, scf::ForOp loop, int64_t step,
                      ArrayRef<MovedSlice> moved) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  SmallVector<OpFoldResult> seams;
  for (const MovedSlice &one : moved)
    seams.push_back(one.seam);
  seams = dropSame(seams);
  AffineExpr s0, s1;
  bindSymbols(rewriter.getContext(), s0, s1);
  OpFoldResult lower = getAsOpFoldResult(loop.getLowerBound());
  OpFoldResult upper = getAsOpFoldResult(loop.getUpperBound());
  OpFoldResult first =
      apply(rewriter, loc, s0 + (s1 - s0).floorDiv(step) * step,
            {lower, getMin(rewriter, loc, seams)});
  first = getMin(rewriter, loc, {getMax(rewriter, loc, {first, lower}), upper});
  OpFoldResult last = apply(rewriter, loc, s0 + (s1 - s0).ceilDiv(step) * step,
                            {lower, getMax(rewriter, loc, seams)});
  last = getMax(rewriter, loc, {last, first});
  OpFoldResult end = getMin(rewriter, loc, {last, upper});

  // 1. In the first part.
  if (!isAtMost(first, lower)) {
    IRMapping mapping;
    scf::ForOp part = buildPart(rewriter, loop, lower, first, mapping);
    for (const MovedSlice &one : moved)
      retarget(rewriter,
               cast<tensor::ExtractSliceOp>(
                   mapping.lookup(one.slice->getResult(0)).getDefiningOp()),
               one.concatenation.parts.front(), one.concatenation.dim,
               rewriter.getIndexAttr(0));
    useWholeTiles(rewriter, part, step, seams);
  }
  // 2. At the seams. What is left here is put together.
  if (!isAtMost(end, first)) {
    IRMapping mapping;
    buildPart(rewriter, loop, first, end, mapping);
  }
  // 3. Behind them.
  if (isAtMost(upper, last)) {
    rewriter.replaceOp(loop, loop.getInitArgs());
    return;
  }
  rewriter.setInsertionPoint(loop);
  // The new start is at most the end of the original loop: peeling relies on
  // this.
  Value start = getValueOrCreateConstantIndexOp(rewriter, loc, end);
  rewriter.modifyOpInPlace(loop, [&] { loop.setLowerBound(start); });
  DenseMap<Value, Concatenation> rests;
  for (const MovedSlice &one : moved) {
    rewriter.setInsertionPoint(loop);
    OpFoldResult seam = tensor::getMixedSize(
        rewriter, loc, one.concatenation.parts.front(), one.concatenation.dim);
    auto [it, isNew] = rests.try_emplace(one.concatenation.result);
    if (isNew)
      it->second = dropFirst(rewriter, one.concatenation);
    retarget(rewriter, one.slice, it->second.result, one.concatenation.dim,
             seam);
  }
}

/// Splits the loops below `scope` that move slices across a seam.
static void splitLoops(RewriterBase &rewriter, Operation *scope) {
  // Each copy of a loop has its own slices. Loops that read the tiles at a seam
  // are done.
  llvm::SmallPtrSet<Operation *, 8> done;
  bool changed = true;
  while (changed) {
    changed = false;
    llvm::MapVector<Operation *, SmallVector<MovedSlice>> loops;
    for (tensor::ExtractSliceOp slice : findSlices(rewriter, scope)) {
      std::optional<Concatenation> concatenation =
          getConcatenation(slice.getSource());
      if (!concatenation || !slice.hasUnitStride())
        continue;
      if (findPart(*concatenation, slice.getMixedOffsets()[concatenation->dim],
                   slice.getMixedSizes()[concatenation->dim])) {
        rewriter.replaceOp(slice, resolveSlice(rewriter, slice));
        continue;
      }
      for (auto loop = slice->getParentOfType<scf::ForOp>();
           loop && scope->isAncestor(loop);
           loop = loop->getParentOfType<scf::ForOp>()) {
        std::optional<int64_t> step = getConstantIntValue(loop.getStep());
        if (!step || *step < 1 || done.contains(loop) ||
            !loop.getInductionVar().getType().isIndex() ||
            !isMemoryEffectFree(loop))
          continue;
        if (std::optional<OpFoldResult> seam =
                buildSeam(rewriter, slice, *concatenation, loop, *step)) {
          loops[loop].push_back({slice, *concatenation, *seam});
          break;
        }
      }
    }
    for (auto &[op, moved] : loops) {
      auto loop = cast<scf::ForOp>(op);
      LDBG() << "split at a seam: " << moved.size() << " slices";
      Operation *before = loop->getPrevNode();
      Operation *after = loop->getNextNode();
      Block *block = loop->getBlock();
      int64_t step = *getConstantIntValue(loop.getStep());
      if (!cutAtSeam(rewriter, loop, step, moved))
        splitLoop(rewriter, loop, step, moved);
      // All but the loop behind the seams is done.
      for (Operation *part = before ? before->getNextNode() : &block->front();
           part && part != after; part = part->getNextNode())
        if (isa<scf::ForOp>(part) && part != op)
          done.insert(part);
      changed = true;
      break; // others may lie in it
    }
  }
}

//===----------------------------------------------------------------------===//
// 4. Seams
//===----------------------------------------------------------------------===//

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
      composed.offsets.push_back(apply(rewriter, loc, sum, {offset, more}));
    concatenation = composed.resolve(rewriter, loc);
    if (concatenation)
      *this = std::move(composed);
    return concatenation;
  }
};

/// Puts a tile together from slices of parts.
class PartGatherer {
public:
  PartGatherer(RewriterBase &rewriter, Location loc)
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
Value PartGatherer::findFilling(const Concatenation &concatenation) {
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
void PartGatherer::take(Taken taken, SmallVector<OpFoldResult> places) {
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
void PartGatherer::takeParts(const Taken &taken,
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
        OpFoldResult value = apply(rewriter, loc, expr, operands);
        return getMin(rewriter, loc,
                      {getMax(rewriter, loc, {value, zero}), end});
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
        length = getMin(rewriter, loc, {length, extent});
      start = clamp(s0 - s1, {seams[number], offset}, size);
    }
    Taken ofPart{part, taken.offsets, taken.sizes};
    ofPart.offsets[dim] = from;
    ofPart.sizes[dim] = length;
    places[dim] = apply(rewriter, loc, s0 + s1, {place, start});
    take(std::move(ofPart), places);
  }
}

Value PartGatherer::run(tensor::ExtractSliceOp slice,
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

//===----------------------------------------------------------------------===//
// 5. Gathers
//===----------------------------------------------------------------------===//

/// Whether `op` is elementwise, and `isAllowed` of each op of its payload.
static bool isElementwiseOf(Operation *op,
                            function_ref<bool(Operation &)> isAllowed) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.isAllParallelLoops() && generic->getNumResults() == 1 &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
             .isPermutation() &&
         llvm::all_of(generic.getBody()->without_terminator(),
                      [&](Operation &nested) {
                        return isMemoryEffectFree(&nested) &&
                               nested.getNumRegions() == 0 && isAllowed(nested);
                      });
}

/// Whether `op`, of a payload, takes an instruction or few.
static bool isCheap(Operation &op) {
  return !isa<math::MathDialect>(op.getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp>(op);
}

/// Whether all that `op` computes are integers, such as where rows of sequences
/// start.
static bool computesIntegers(Operation *op) {
  return isElementwiseOf(op, [](Operation &nested) {
    return llvm::all_of(nested.getResultTypes(),
                        [](Type type) { return type.isIntOrIndex(); });
  });
}

/// Whether `op` extracts elements of a tensor, and computes little with them.
static bool isGather(Operation *op) {
  if (isa_and_nonnull<PagedGatherOp>(op))
    return true;
  bool extracts = false;
  return isElementwiseOf(op,
                         [&](Operation &nested) {
                           extracts |= isa<tensor::ExtractOp>(nested);
                           return isCheap(nested);
                         }) &&
         extracts;
}

/// Whether `op` gathers elements, or computes little with gathered ones, as a
/// dequantization does: to do so again costs no more than to read the result.
static bool isGathered(Operation *op) {
  return isGather(op) ||
         (isElementwiseOf(op, isCheap) &&
          llvm::any_of(
              cast<linalg::GenericOp>(op).getDpsInputs(),
              [](Value input) { return isGather(input.getDefiningOp()); }));
}

/// Is set on gathered parts while loops are split: copies of loops may have
/// copies of them.
static constexpr llvm::StringLiteral kGatheredPart("__gathered_part__");

/// Marks the gathers that are parts of concatenations of which loops below
/// `scope` take slices.
static void markGatheredParts(Operation *scope) {
  scope->walk([&](tensor::ExtractSliceOp slice) {
    std::optional<Concatenation> concatenation = getSliced(slice);
    if (!concatenation || !slice->getParentOfType<LoopLikeOpInterface>())
      return;
    for (Value part : concatenation->parts)
      if (isGathered(part.getDefiningOp()))
        part.getDefiningOp()->setAttr(kGatheredPart,
                                      UnitAttr::get(scope->getContext()));
  });
}

/// Returns the ops that are marked below `scope`, without the mark.
static SetVector<Operation *> takeGatheredParts(Operation *scope) {
  SetVector<Operation *> gathers;
  scope->walk([&](Operation *op) {
    if (op->removeAttr(kGatheredPart))
      gathers.insert(op);
  });
  return gathers;
}

/// Computes the slices of `op` where they are taken, if nothing else of it is
/// used, and all of them are in loops. Adds ops to `gathers` of which slices
/// are taken then, and erases `op`, which `gathers` must not have.
static void computeSlices(RewriterBase &rewriter, Operation *op,
                          SetVector<Operation *> &gathers) {
  Value result = op->getResult(0);
  if (!isOnlySliced(result) ||
      llvm::any_of(result.getUsers(), [&](Operation *user) {
        auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
        return slice && (!slice.hasUnitStride() ||
                         slice->getParentRegion() == op->getParentRegion());
      }))
    return;
  LDBG() << "computed where it is read: " << *op;
  for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      continue;
    rewriter.setInsertionPoint(slice);
    FailureOr<TilingResult> tile = tensor::replaceExtractSliceWithTiledProducer(
        rewriter, slice, cast<OpResult>(result));
    if (failed(tile))
      return;
    Value value = tile->tiledValues.front();
    if (value.getType() != slice.getType())
      value = tensor::CastOp::create(rewriter, slice.getLoc(), slice.getType(),
                                     value);
    rewriter.replaceOp(slice, value);
  }
  foldSizes(rewriter, op);
  // What the tiles have slices of, too. A gather has all of its table.
  if (auto gather = dyn_cast<PagedGatherOp>(op)) {
    for (Value value : {gather.getStarts(), gather.getLengths()})
      if (value && computesIntegers(value.getDefiningOp()))
        gathers.insert(value.getDefiningOp());
  } else {
    for (Value input : cast<linalg::GenericOp>(op).getDpsInputs())
      if (isGather(input.getDefiningOp()))
        gathers.insert(input.getDefiningOp());
  }
  if (op->use_empty())
    rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

unsigned mlir::linalg_ext::readParts(RewriterBase &rewriter, Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  viewPaddingAsParts(rewriter, scope, [](tensor::PadOp op) {
    return isSlicedInLoops(op.getResult());
  });
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (getComputedParts(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    computeParts(rewriter, op);
  auto count = [&] {
    unsigned number = 0;
    scope->walk([&](tensor::ExtractSliceOp slice) {
      number += getSliced(slice).has_value();
    });
    return number;
  };
  unsigned numSlices = count();
  if (numSlices == 0) {
    restorePadding(rewriter, scope);
    return 0;
  }
  markGatheredParts(scope);
  splitLoops(rewriter, scope);
  for (tensor::ExtractSliceOp slice : findSlices(rewriter, scope)) {
    std::optional<Concatenation> concatenation =
        getConcatenation(slice.getSource());
    if (concatenation && slice.hasUnitStride() &&
        slice->getParentOfType<LoopLikeOpInterface>())
      rewriter.replaceOp(
          slice,
          PartGatherer(rewriter, slice.getLoc()).run(slice, *concatenation));
  }
  // Those that only their sizes are asked for are gone, too.
  SmallVector<Operation *> sources;
  scope->walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp>(op))
      sources.push_back(op);
  });
  for (Operation *op : llvm::reverse(sources)) {
    if (!llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::DimOp>))
      continue;
    foldSizes(rewriter, op);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }
  SetVector<Operation *> gathers = takeGatheredParts(scope);
  while (!gathers.empty())
    computeSlices(rewriter, gathers.pop_back_val(), gathers);
  (void)runRegionDCE(rewriter, scope->getRegions());
  restorePadding(rewriter, scope);
  return numSlices - count();
}
