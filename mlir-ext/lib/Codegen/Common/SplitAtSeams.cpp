//===- SplitAtSeams.cpp - Loops over tiles of a concatenation -------------===//
//
// A loop may take slices of a concatenation that move from one part to the
// next. The seam is the end of the first part. The loop is split into three:
// for the tiles in the first part, for the tiles at the seam, and for those
// behind it. The last loop takes slices of the other parts, and may be split
// again.
//
// If the seam is known and there are many tiles, the last tile of the first
// part ends at the seam instead, and no tile crosses it.
//
//===----------------------------------------------------------------------===//

#include "ReadParts.h"

#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-split-at-seams"

using namespace mlir;
using namespace mlir::linalg_ext;

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

/// Lets `moved`, slices in `loop`, read what their concatenations have behind
/// the first part. Builds each of these in front of the loop, once.
static void readRests(RewriterBase &rewriter, scf::ForOp loop,
                      ArrayRef<MovedSlice> moved) {
  DenseMap<Value, Concatenation> rests;
  for (const MovedSlice &one : moved) {
    rewriter.setInsertionPoint(loop);
    OpFoldResult seam = tensor::getMixedSize(rewriter, loop.getLoc(),
                                             one.concatenation.parts.front(),
                                             one.concatenation.dim);
    auto [it, isNew] = rests.try_emplace(one.concatenation.result);
    if (isNew)
      it->second = dropFirst(rewriter, one.concatenation);
    retarget(rewriter, one.slice, it->second.result, one.concatenation.dim,
             seam);
  }
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
  readRests(rewriter, loop, moved);
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
      buildExpr(rewriter, loc, s0 + (s1 - s0).floorDiv(step) * step,
                {lower, buildMin(rewriter, loc, seams)});
  first =
      buildMin(rewriter, loc, {buildMax(rewriter, loc, {first, lower}), upper});
  OpFoldResult last =
      buildExpr(rewriter, loc, s0 + (s1 - s0).ceilDiv(step) * step,
                {lower, buildMax(rewriter, loc, seams)});
  last = buildMax(rewriter, loc, {last, first});
  OpFoldResult end = buildMin(rewriter, loc, {last, upper});

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
  readRests(rewriter, loop, moved);
}

void mlir::linalg_ext::splitLoopsAtSeams(RewriterBase &rewriter,
                                         Operation *scope) {
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
