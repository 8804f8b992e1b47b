//===- LoopPrefetches.cpp - Prefetches of loops over register tiles -------===//
//
// The part of the LoopEmitter that prefetches the operand that a loop streams
// through: some steps ahead, in the order of memory.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "ViewAhead.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Pages, or parts of a page, that are prefetched at a time. Each is a stream
/// of memory of its own, which the processor runs ahead of: with four, pages of
/// 4 KiB are as fast as dense memory (docs/Decisions/0062).
static constexpr int64_t kStreams = 4;
/// The most that several pages at a time may have, in units of the distance of
/// other prefetches. They wait in the second cache.
static constexpr int64_t kMostAhead = 8;

/// Whether `view` is of a buffer that this function has just written, and that
/// stays in the first cache: prefetches would go behind its end.
static bool isSmallBuffer(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  auto type = dyn_cast<MemRefType>(view.getType());
  if (!view.getDefiningOp<memref::AllocOp>() &&
      !view.getDefiningOp<memref::AllocaOp>())
    return false;
  return type.hasStaticShape() && type.getElementType().isIntOrFloat() &&
         type.getNumElements() * type.getElementTypeBitWidth() <=
             8 * kBytesAhead;
}

/// Finds what follows the streamed operand, if that is not what lies behind it:
/// the next pages. Small pages are prefetched several at a time, larger ones in
/// several parts at a time.
void LoopEmitter::findViewsAhead() {
  if (!plan.streamed)
    return;
  isInCache = isSmallBuffer(plan.streamed->get());
  std::optional<int64_t> size = getConstantIntValue(sizes[plan.streamDim]);
  if (!size || *size <= 0)
    return;
  int64_t most = kMostAhead * plan.ahead, streams = std::gcd(kStreams, *size),
          group = streams;
  while (group > 1 && group * *size > most)
    group /= 2;
  // The first page that is half as far away as other prefetches go.
  int64_t views = llvm::divideCeil(plan.ahead, 2 * *size);
  viewsAhead = buildViewsAhead(b, plan.streamed->get(), views, group);
  viewSize = *size;
  if (viewsAhead && *size <= most)
    viewsAhead.numStreams = streams;
}

/// Prefetches what a later iteration of the loop around an elementwise op reads
/// of its inputs, if that is looked up: the rows of a gather. All lines of it,
/// before the op.
void LoopEmitter::prefetchInputs() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    if (!type || !type.hasStaticShape() || !type.isLastDimUnitStride() ||
        !type.getElementType().isIntOrFloat())
      continue;
    int64_t bytes = llvm::divideCeil(
        type.getNumElements() * type.getElementType().getIntOrFloatBitWidth(),
        8);
    if (bytes == 0 || bytes > kBytesAhead)
      continue;
    ViewsAhead ahead = buildViewsAhead(b, input->get(), kBytesAhead / bytes, 1);
    if (!ahead)
      continue;
    int64_t line = std::max<int64_t>(
        8 * kLineBytes / type.getElementType().getIntOrFloatBitWidth(), 1);
    SmallVector<int64_t> lines(type.getShape());
    lines.back() = llvm::divideCeil(lines.back(), line);
    int64_t count = ShapedType::getNumElements(lines);
    SmallVector<int64_t> strides = computeStrides(lines);
    for (int64_t number = 0; number < count; ++number) {
      SmallVector<int64_t> at = delinearize(number, strides);
      at.back() *= line;
      Values indices = llvm::map_to_vector(
          at, [&](int64_t index) { return getIndex(index); });
      memref::PrefetchOp::create(b, loc, ahead.views.front(), indices,
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
  }
}

/// Prefetches what `tile` reads of the streamed operand at `point`, `ahead`
/// steps later.
void LoopEmitter::prefetch(RegisterTile &tile, TilePoint point) {
  if (isInCache)
    return;
  int64_t distance = viewsAhead ? std::min(plan.ahead, viewSize) : plan.ahead;
  tile.prefetch(*plan.streamed, point, plan.streamDim, distance, viewsAhead,
                viewSize);
}

/// Emits the prefetches of number `i` of the iterations that transpose a block
/// of W rows. There are as many iterations as a row has parts. Each one
/// prefetches W parts, in the order of memory.
void LoopEmitter::prefetchTransposed(int64_t i) {
  keepApart();
  unsigned stepDim = *plan.shape.stepDim;
  Value first = arith::MulIOp::create(
      b, loc,
      arith::DivUIOp::create(b, loc, ivs[stepDim], getIndex(plan.steps)),
      getIndex(plan.shape.lanes));
  RegisterTile part = getPart(ivs[plan.streamDim],
                              arith::AddIOp::create(b, loc, first, getIndex(i)),
                              stepDim, plan.strips, plan.steps);
  prefetch(part, {});
}

/// Prefetches for a block of strips. The loop computes a strip row by row. The
/// prefetches take one row after another, in as many parts as there are strips.
void LoopEmitter::prefetchStream(RegisterTile &tile, int64_t vectors,
                                 int64_t steps) {
  // Several vectors of a narrow type are in a line.
  int64_t bits = getElementBits(plan.streamed->get());
  int64_t perLine =
      std::max<int64_t>(8 * kLineBytes / (bits * plan.shape.lanes), 1);
  auto prefetchVectors = [&](RegisterTile &at, int64_t step) {
    for (int64_t vector = 0; vector < vectors; vector += perLine)
      prefetch(at, {0, vector, step});
  };
  keepApart();
  if (!streamBlock) {
    for (int64_t step = 0; step < steps; ++step)
      prefetchVectors(tile, step);
    return;
  }
  unsigned laneDim = plan.shape.laneDim;
  int64_t width = plan.vectors * plan.shape.lanes;
  Value rows =
      arith::SubIOp::create(b, loc, streamBlock->second, streamBlock->first);
  Value first = arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(
          b, loc, arith::DivUIOp::create(b, loc, ivs[laneDim], getIndex(width)),
          rows),
      arith::SubIOp::create(b, loc, ivs[plan.streamDim], streamBlock->first));
  for (int64_t step = 0; step < steps; ++step) {
    Value part = arith::AddIOp::create(b, loc, first, getIndex(step));
    RegisterTile ahead =
        getPart(streamBlock->first, part, laneDim, plan.strips, width);
    prefetchVectors(ahead, 0);
  }
}

/// Prefetches what the current steps need of the streamed operand `ahead` steps
/// later, in the order of memory. If there are several tiles of rows, each one
/// prefetches a share: this call the share of `rows` of the plan's rows.
/// Returns false if rows do not share the prefetches: these are all rows, or
/// the size of the lane dimension is unknown.
bool LoopEmitter::prefetchShare(int64_t rows) {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (!size || !plan.dotRow || rows == plan.rows)
    return false;
  int64_t bits = getElementBits(plan.streamed->get()),
          width = std::max<int64_t>(8 * kLineBytes / bits, 1),
          parts = llvm::divideCeil(*size, width),
          share = llvm::divideCeil(parts * blockSteps, plan.rows);
  Value first =
      arith::MulIOp::create(b, loc, ivs[*plan.shape.rowDim], getIndex(share));
  for (int64_t i = 0; i < rows * share; ++i) {
    RegisterTile part = getPart(
        ivs[plan.streamDim], arith::AddIOp::create(b, loc, first, getIndex(i)),
        laneDim, parts, width);
    prefetch(part, {});
  }
  return true;
}

/// Prefetches what the current steps need of the streamed operand `ahead` steps
/// later. `tile` moves along the lanes, `lanes` at a time. The prefetches
/// follow the order of memory if a row is a known number of tiles long.
void LoopEmitter::prefetchSteps(RegisterTile &tile, int64_t lanes) {
  keepApart();
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (!size || *size % lanes != 0) {
    for (int64_t step = 0; step < blockSteps; ++step)
      prefetch(tile, {0, 0, step});
    return;
  }
  // Of vectors of bytes, several are in a line.
  int64_t bits = getElementBits(plan.streamed->get());
  int64_t perLine = std::max<int64_t>(8 * kLineBytes / (bits * lanes), 1);
  int64_t count = llvm::divideCeil(blockSteps, perLine),
          width = lanes * blockSteps / count;
  if (width * count != lanes * blockSteps || *size % width != 0) {
    count = blockSteps;
    width = lanes;
  }
  Value part = arith::MulIOp::create(
      b, loc, arith::DivUIOp::create(b, loc, ivs[laneDim], getIndex(lanes)),
      getIndex(count));
  for (int64_t i = 0; i < count; ++i) {
    RegisterTile ahead = getPart(
        ivs[plan.streamDim], arith::AddIOp::create(b, loc, part, getIndex(i)),
        laneDim, *size / width, width);
    prefetch(ahead, {});
  }
}

/// Prefetches what the lanes of the current steps need of the streamed operand,
/// line by line, if the steps are those of results and not of the operand's
/// next vectors. Returns false if they are, or if the number of lanes is
/// unknown.
bool LoopEmitter::prefetchLines() {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (!size || !plan.shape.stepDim || plan.shape.stepDim == plan.streamDim)
    return false;
  keepApart();
  int64_t bits = getElementBits(plan.streamed->get());
  int64_t width = std::max<int64_t>(8 * kLineBytes / bits, 1);
  for (int64_t step = 0; step < blockSteps; ++step)
    for (int64_t lane = 0; lane < *size; lane += width) {
      Values at(ivs);
      at[laneDim] = getIndex(lane);
      RegisterTile line(b, op, plan.shape, at);
      prefetch(line, {0, 0, step});
    }
  return true;
}

/// LLVM moves loads and prefetches across each other, until dozens of
/// prefetches are in a row. Memory then has more requests than it can take, and
/// none afterwards. This fence is no instruction for the processor, but keeps
/// LLVM from moving them.
void LoopEmitter::keepApart() {
  LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "singlethread");
}
