//===- LoopPrefetches.cpp - Prefetches of loops over register tiles -------===//
//
// The part of the LoopEmitter that prefetches the operand that a loop streams
// through: some steps ahead, in the order of memory.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "ViewAhead.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The upper limit of what is prefetched of several pages at a time, as a
/// multiple of the distance of other prefetches. The lines wait in the second
/// cache.
static constexpr int64_t kMostAhead = 8;

/// Returns whether `view` is of a buffer that this function has just written
/// and that stays in the first cache. Prefetches would only go past its end.
static bool isSmallBuffer(Value view) {
  view = getViewedBuffer(view);
  auto type = dyn_cast<MemRefType>(view.getType());
  if (!view.getDefiningOp<memref::AllocOp>() &&
      !view.getDefiningOp<memref::AllocaOp>())
    return false;
  return type.hasStaticShape() && type.getElementType().isIntOrFloat() &&
         type.getNumElements() * type.getElementTypeBitWidth() <=
             8 * CPUTarget::kBytesAhead;
}

/// In a sum, one of so many steps prefetches lines of the next tile.
static constexpr int64_t kStepsApart = 16;
/// The most lines that such a step prefetches. With more, memory would have to
/// be faster than the products are.
static constexpr int64_t kMostAtOnce = 16;
/// The size that is assumed for unknown dimensions.
static constexpr int64_t kUnknown = 128;

/// Marks a copy whose rows the op behind its loop prefetches.
static constexpr StringLiteral kIsPrefetched = "is_prefetched";

/// Returns the number of cache lines of a row of `rowType` along each
/// dimension. Returns none if it is unknown, or if there are too many lines to
/// prefetch at a time.
static std::optional<SmallVector<int64_t>> getLines(Type rowType) {
  auto type = dyn_cast<MemRefType>(rowType);
  if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
      !type.isLastDimUnitStride() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t bits = type.getElementType().getIntOrFloatBitWidth(),
          bytes = llvm::divideCeil(type.getNumElements() * bits, 8);
  if (bytes == 0 || bytes > CPUTarget::kBytesAhead)
    return std::nullopt;
  SmallVector<int64_t> lines(type.getShape());
  lines.back() =
      llvm::divideCeil(lines.back() * bits, 8 * CPUTarget::kLineBytes);
  return lines;
}

/// Returns the number of rows of `type` that are as far ahead as prefetches go.
static int64_t getRowsAhead(MemRefType type) {
  int64_t bits =
      type.getNumElements() * type.getElementType().getIntOrFloatBitWidth();
  return CPUTarget::kBytesAhead / llvm::divideCeil(bits, 8);
}

/// Returns the op in the loop before `op` that copies `operand` row by row,
/// where rows run along dimension `dim` of `op`. Returns null if there is none.
static linalg::GenericOp findCopyOfRows(linalg::LinalgOp op, OpOperand &operand,
                                        unsigned dim) {
  std::optional<unsigned> position =
      op.getMatchingIndexingMap(&operand).getResultPosition(
          getAffineDimExpr(dim, op.getContext()));
  if (!position)
    return {};
  for (Operation *user : operand.get().getUsers()) {
    auto row = dyn_cast<memref::SubViewOp>(user);
    auto loop = row ? row->getParentOfType<scf::ForOp>() : scf::ForOp();
    if (!loop || loop->getBlock() != op->getBlock() ||
        !loop->isBeforeInBlock(op) ||
        row.getMixedOffsets()[*position] !=
            OpFoldResult(loop.getInductionVar()) ||
        !isConstantIntValue(row.getMixedSizes()[*position], 1))
      continue;
    for (Operation *writer : row->getUsers()) {
      auto copy = dyn_cast<linalg::GenericOp>(writer);
      if (copy && copy.getNumDpsInputs() == 1 && copy.getNumDpsInits() == 1 &&
          copy.getNumReductionLoops() == 0 &&
          copy.getDpsInits().front() == row.getResult() &&
          copy->getParentOfType<scf::ForOp>() == loop)
        return copy;
    }
  }
  return {};
}

/// Finds the views that follow the streamed operand, if these are not what lies
/// behind it in memory: the next pages. Small pages are prefetched several at a
/// time, and larger ones in several parts at a time.
void LoopEmitter::findViewsAhead() {
  if (!plan.streamed)
    return;
  isInCache = isSmallBuffer(plan.streamed->get());
  if (isInCache && plan.transposed.empty()) {
    linalg::GenericOp copy = findCopyOfRows(op, *plan.streamed, plan.streamDim);
    Value row = copy ? copy.getDpsInputs().front() : Value();
    auto loop = copy ? copy->getParentOfType<scf::ForOp>() : scf::ForOp();
    // This first try shows whether later rows can be found.
    if (row && getLines(row.getType()) &&
        buildViewsAhead(b, row, getRowsAhead(cast<MemRefType>(row.getType())),
                        /*group=*/1, loop, getIndex(0))) {
      copiedRow = row;
      copyLoop = loop;
      copy->setAttr(kIsPrefetched, b.getUnitAttr());
    }
  }
  std::optional<int64_t> size = getConstantIntValue(sizes[plan.streamDim]);
  if (!size || *size <= 0)
    return;
  viewSize = *size;
  // A list says where the rows ahead are, and nothing follows its end. The next
  // view often has the same list, because it is that of another head.
  Value streamed = plan.streamed->get();
  if (streamed.getDefiningOp<ViewRowsOp>()) {
    viewsAhead = buildViewsAhead(b, streamed, /*iterations=*/1, /*group=*/1);
    if (!viewsAhead)
      viewsAhead.views = {streamed};
    return;
  }
  int64_t most = kMostAhead * plan.ahead,
          streams = std::gcd(CPUTarget::kStreams, *size), group = streams;
  while (group > 1 && group * *size > most)
    group /= 2;
  // Take the first page that is at least half as far ahead as other prefetches
  // go.
  int64_t views = llvm::divideCeil(plan.ahead, 2 * *size);
  viewsAhead = buildViewsAhead(b, plan.streamed->get(), views, group);
  if (viewsAhead && *size <= most)
    viewsAhead.numStreams = streams;
}

/// Prefetches `count` lines of `row` from line `first` on. If `shift` is not
/// null, the lines are `shift` elements further along the last dimension.
static void prefetchLinesOf(OpBuilder &b, Location loc, Value row,
                            ArrayRef<int64_t> lines, int64_t first,
                            int64_t count, Value shift = {}) {
  int64_t bits = cast<MemRefType>(row.getType())
                     .getElementType()
                     .getIntOrFloatBitWidth(),
          line = std::max<int64_t>(8 * CPUTarget::kLineBytes / bits, 1);
  SmallVector<int64_t> strides = computeStrides(lines);
  for (int64_t number = first; number < first + count; ++number) {
    SmallVector<int64_t> at = delinearize(number, strides);
    at.back() *= line;
    SmallVector<Value> indices =
        llvm::map_to_vector(at, [&](int64_t index) -> Value {
          return arith::ConstantIndexOp::create(b, loc, index);
        });
    if (shift)
      indices.back() = arith::AddIOp::create(b, loc, indices.back(), shift);
    memref::PrefetchOp::create(b, loc, row, indices, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
  }
}

/// Returns what the op before `op` copies to `operand` or computes it from.
/// This is the tile of weights that the op transposes or dequantizes; scales
/// are a small part of it. Returns null if there is no such op.
static Value getCopied(linalg::LinalgOp op, Value operand) {
  for (Operation *user : operand.getUsers()) {
    auto copy = dyn_cast<linalg::LinalgOp>(user);
    if (!copy || copy->getBlock() != op->getBlock() ||
        !copy->isBeforeInBlock(op) || copy.getNumDpsInits() != 1 ||
        copy.getNumReductionLoops() != 0 ||
        copy.getDpsInits().front() != operand)
      continue;
    OpOperand *largest = nullptr;
    auto getRank = [&](OpOperand *input) {
      return copy.getMatchingIndexingMap(input).getNumResults();
    };
    for (OpOperand *input : copy.getDpsInputOperands())
      if (isa<MemRefType>(input->get().getType()) &&
          (!largest || getRank(input) > getRank(largest)))
        largest = input;
    if (largest)
      return largest->get();
  }
  return {};
}

/// Returns an upper bound of the lines of `buffer` along each dimension.
/// Returns none if there is no bound, or if rows have no lines.
static std::optional<SmallVector<int64_t>> getMostLines(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 0 || !type.isLastDimUnitStride() ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  SmallVector<int64_t> lines;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    FailureOr<int64_t> most = size;
    if (ShapedType::isDynamic(size))
      most = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, {buffer, int64_t(dim)},
          /*stopCondition=*/nullptr, kClosedUpperBound);
    if (failed(most) || *most <= 0)
      return std::nullopt;
    lines.push_back(*most);
  }
  lines.back() = llvm::divideCeil(lines.back() * type.getElementTypeBitWidth(),
                                  8 * CPUTarget::kLineBytes);
  return lines;
}

/// Finds the next tile of what is copied to the operand that many rows share. A
/// copy waits for memory, which is idle while the copy is used.
void LoopEmitter::findNextTile() {
  if (plan.reducesLanes || plan.streamed || !plan.transposed.empty() ||
      !plan.shape.rowDim || !linalg::isaContractionOpInterface(op))
    return;
  Value source;
  for (OpOperand *input : op.getDpsInputOperands())
    if (getLaneAccess(op, *input, plan.shape.laneDim) == LaneAccess::Contiguous)
      source = getCopied(op, input->get());
  std::optional<SmallVector<int64_t>> lines;
  if (source)
    lines = getMostLines(source);
  if (!lines)
    return;
  nextLines = *lines;
  auto count = [&](unsigned dim, int64_t by) {
    return llvm::divideCeil(getConstantIntValue(sizes[dim]).value_or(kUnknown),
                            by);
  };
  int64_t turns = count(plan.shape.laneDim, plan.vectors * plan.shape.lanes) *
                  count(*plan.shape.rowDim, plan.rows);
  for (unsigned dim : plan.outerDims)
    turns *= count(dim, 1);
  for (unsigned dim : plan.reductionDims)
    turns *= count(dim, dim == plan.reductionDims.back() ? kStepsApart : 1);
  linesAtOnce = llvm::divideCeil(ShapedType::getNumElements(nextLines),
                                 std::max<int64_t>(turns, 1));
  if (linesAtOnce <= kMostAtOnce)
    nextTile = buildNextView(b, source);
}

/// Returns the number of the first line that the register tile at `ivs`
/// prefetches. All register tiles share the lines of the next tile.
Value LoopEmitter::getFirstLine() {
  Value number = getIndex(0);
  auto append = [&](unsigned dim, int64_t by, bool isWhole) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]), iv;
    Value step = getIndex(by);
    size = arith::CeilDivUIOp::create(b, loc, size, step);
    number = arith::MulIOp::create(b, loc, number, size);
    if (isWhole)
      return;
    iv = arith::DivUIOp::create(b, loc, ivs[dim], step);
    number = arith::AddIOp::create(b, loc, number, iv);
  };
  for (unsigned dim : plan.outerDims)
    append(dim, 1, false);
  append(plan.shape.laneDim, plan.vectors * plan.shape.lanes, false);
  append(*plan.shape.rowDim, plan.rows, false);
  for (unsigned dim : plan.reductionDims)
    append(dim, dim == plan.reductionDims.back() ? kStepsApart : 1, true);
  return arith::MulIOp::create(b, loc, number, getIndex(linesAtOnce));
}

/// Prefetches a share of the next tile in the current step of the reduction.
/// `first` is the first line of this register tile.
void LoopEmitter::prefetchNextTile(Value first) {
  unsigned inner = plan.reductionDims.back();
  Value number = getIndex(0);
  for (unsigned dim : plan.reductionDims) {
    Value step = getIndex(dim == inner ? kStepsApart : 1);
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
    number = arith::AddIOp::create(
        b, loc,
        arith::MulIOp::create(b, loc, number,
                              arith::CeilDivUIOp::create(b, loc, size, step)),
        arith::DivUIOp::create(b, loc, ivs[dim], step));
  }
  Value line = arith::AddIOp::create(
      b, loc, first,
      arith::MulIOp::create(b, loc, number, getIndex(linesAtOnce)));
  Value isTurn = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      arith::RemUIOp::create(b, loc, ivs[inner], getIndex(kStepsApart)),
      getIndex(0));
  Value isLine =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, line,
                            getIndex(ShapedType::getNumElements(nextLines)));
  auto branch = scf::IfOp::create(
      b, loc, arith::AndIOp::create(b, loc, isTurn, isLine), false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  auto type = cast<MemRefType>(nextTile.getType());
  int64_t width = std::max<int64_t>(
      8 * CPUTarget::kLineBytes / type.getElementTypeBitWidth(), 1);
  for (int64_t i = 0; i < linesAtOnce; ++i) {
    Values indices(nextLines.size());
    Value rest = arith::AddIOp::create(b, loc, line, getIndex(i));
    for (size_t dim = nextLines.size(); dim-- > 0;) {
      Value size = getIndex(nextLines[dim]);
      indices[dim] =
          dim > 0 ? arith::RemUIOp::create(b, loc, rest, size) : rest;
      rest = arith::DivUIOp::create(b, loc, rest, size);
    }
    indices.back() =
        arith::MulIOp::create(b, loc, indices.back(), getIndex(width));
    memref::PrefetchOp::create(b, loc, nextTile, indices, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
  }
}

/// Prefetches what a later iteration of the loop around an elementwise op reads
/// of its inputs, if the input is looked up, such as the rows of a gather. All
/// lines of the input are prefetched before the op.
void LoopEmitter::prefetchInputs() {
  if (op->hasAttr(kIsPrefetched))
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<SmallVector<int64_t>> lines =
        getLines(input->get().getType());
    if (!lines)
      continue;
    auto type = cast<MemRefType>(input->get().getType());
    if (ViewsAhead ahead =
            buildViewsAhead(b, input->get(), getRowsAhead(type), 1))
      prefetchLinesOf(b, loc, ahead.views.front(), *lines, 0,
                      ShapedType::getNumElements(*lines));
  }
}

/// Prefetches what will be copied to those rows of the streamed operand that
/// the current `steps` steps read. The copies would wait for memory, which
/// would be idle while the copies are used. Strips of rows share the lines.
void LoopEmitter::prefetchCopied(int64_t steps) {
  SmallVector<int64_t> lines = *getLines(copiedRow.getType());
  auto type = cast<MemRefType>(copiedRow.getType());
  int64_t count = ShapedType::getNumElements(lines);
  unsigned laneDim = plan.shape.laneDim;
  bool isStrip = !plan.reducesLanes && plan.strips > 1;
  // A strip is a part of the last dimension, and prefetches a part of its
  // lines.
  bool sharesLines =
      isStrip && count == lines.back() && count % plan.strips == 0 &&
      getConstantIntValue(sizes[laneDim]) == type.getShape().back();
  auto prefetchRows = [&](OpBuilder &b, Location) {
    for (int64_t step = 0; step < steps; ++step) {
      Value row = ivs[plan.streamDim];
      if (step > 0)
        row = arith::AddIOp::create(b, loc, row, getIndex(step));
      ViewsAhead ahead = buildViewsAhead(b, copiedRow, getRowsAhead(type),
                                         /*group=*/1, copyLoop, row);
      prefetchLinesOf(b, loc, ahead.views.front(), lines, 0,
                      sharesLines ? count / plan.strips : count,
                      sharesLines ? ivs[laneDim] : Value());
    }
  };
  keepApart();
  // If several iterations read the same rows, only the first one prefetches.
  std::optional<unsigned> repeated;
  if (isStrip && !sharesLines)
    repeated = laneDim;
  else if (plan.reducesLanes && plan.rowsTogether < plan.rows)
    repeated = plan.shape.rowDim;
  if (!repeated)
    return prefetchRows(b, loc);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        ivs[*repeated], getIndex(0));
  scf::IfOp::create(b, loc, isFirst, [&](OpBuilder &inner, Location loc) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(inner.getInsertionBlock());
    prefetchRows(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

/// Returns the first row of the current block of the streamed operand. Returns
/// null if the rows `distance` ahead of the block may be in more than one view.
Value LoopEmitter::getFirstOfBlock(int64_t distance) {
  int64_t rows = plan.streamBlock;
  if (!streamBlock) {
    bool isStepped = plan.reducesLanes || plan.shape.stepDim == plan.streamDim;
    rows = isStepped ? plan.steps : 1;
    if (!plan.transposed.empty())
      rows = std::lcm(rows, plan.shape.lanes);
  }
  if (rows == 0 || viewSize % rows != 0 || distance % rows != 0)
    return {};
  return streamBlock ? streamBlock->first : ivs[plan.streamDim];
}

/// Returns whether the rows of `operand` that follow each other along `dim` are
/// so far apart that `rows` of them do not fit in the sets of the first cache
/// that they share.
static bool exceedsFirstCache(linalg::LinalgOp op, OpOperand &operand,
                              unsigned dim, int64_t rows) {
  // Half of the lines of a set, of which other data takes some.
  constexpr int64_t kMostLines = 6;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = cast<MemRefType>(operand.get().getType());
  std::optional<unsigned> position =
      map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!position || failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[*position]))
    return false;
  int64_t bytes = strides[*position] * getElementBits(operand.get()) / 8;
  return bytes >= CPUTarget::kLineBytes &&
         rows * std::gcd(bytes, CPUTarget::kWayBytes) >
             kMostLines * CPUTarget::kWayBytes;
}

/// Prefetches what `tile` will read of the streamed operand at `point`, `ahead`
/// steps later.
void LoopEmitter::prefetch(RegisterTile &tile, TilePoint point) {
  if (isInCache)
    return;
  int64_t distance = viewsAhead ? std::min(plan.ahead, viewSize) : plan.ahead;
  bool isFar = !plan.reducesLanes && !viewsAhead && plan.streamBlock == 0 &&
               exceedsFirstCache(op, *plan.streamed, plan.streamDim, distance);
  // The panel of rows goes through the first cache for each block of steps.
  isFar |= rowPanel != nullptr;
  tile.prefetch(*plan.streamed, point, plan.streamDim, distance, viewsAhead,
                viewSize, viewsAhead ? getFirstOfBlock(distance) : Value(),
                isFar);
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

/// Returns the number of bits of a lane of the streamed operand.
int64_t LoopEmitter::getStreamedBits() {
  return getPartOfWord(op, *plan.streamed, plan.shape.laneDim)
             ? kWordBits
             : getElementBits(plan.streamed->get());
}

/// Prefetches for a block of strips. The loop computes a strip row by row. The
/// prefetches take one row after another, in as many parts as there are strips.
void LoopEmitter::prefetchStream(RegisterTile &tile, int64_t vectors,
                                 int64_t steps) {
  // A line holds several vectors of a narrow type.
  int64_t bits = getStreamedBits();
  int64_t perLine = std::max<int64_t>(
      8 * CPUTarget::kLineBytes / (bits * plan.shape.lanes), 1);
  auto prefetchVectors = [&](RegisterTile &at, int64_t step) {
    for (int64_t vector = 0; vector < vectors; vector += perLine)
      prefetch(at, {0, vector, step});
  };
  if (copyLoop)
    return prefetchCopied(steps);
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

/// Prefetches what the current steps will need of the streamed operand `ahead`
/// steps later, in the order of memory. If there are several tiles of rows,
/// each one prefetches a share, in proportion to its `rows` of the plan's rows.
/// Returns false if rows do not share the prefetches. This is so if the tile
/// has all rows, or if the size of the lane dimension is unknown.
bool LoopEmitter::prefetchShare(int64_t rows) {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  // Loops along sums are inside.
  if (!size || !plan.dotRow || rows == plan.rows ||
      llvm::is_contained(plan.reductionDims, plan.streamDim))
    return false;
  int64_t bits = getStreamedBits(),
          width = std::max<int64_t>(8 * CPUTarget::kLineBytes / bits, 1),
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

/// Prefetches a share of what the current steps will need of the streamed
/// operand `ahead` steps later, in the order of memory: the iterations of all
/// blocks of `rows` rows have as many lines each. An iteration takes `lanes`
/// lanes. Returns false if the number of lanes is unknown or no multiple of
/// `lanes`.
bool LoopEmitter::prefetchSpread(int64_t rows, int64_t lanes) {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (!size || *size % lanes != 0)
    return false;
  keepApart();
  int64_t width = std::max<int64_t>(
              8 * CPUTarget::kLineBytes / getStreamedBits(), 1),
          iterations = *size / lanes,
          blocks = llvm::divideCeil(plan.rows, rows),
          parts = llvm::divideCeil(*size, width),
          each = llvm::divideCeil(parts * blockSteps, iterations * blocks);
  Value number = arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(b, loc,
                            arith::DivUIOp::create(b, loc,
                                                   ivs[*plan.shape.rowDim],
                                                   getIndex(rows)),
                            getIndex(iterations)),
      arith::DivUIOp::create(b, loc, ivs[laneDim], getIndex(lanes)));
  Value first = arith::MulIOp::create(b, loc, number, getIndex(each));
  for (int64_t i = 0; i < each; ++i) {
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
  // A line holds several vectors of narrow elements. A vector of bytes is a
  // line of each step.
  bool isApart = plan.shape.stepsApart > 1 && blockSteps > 1;
  int64_t bits = getStreamedBits();
  int64_t perLine =
      plan.digits
          ? 1
          : std::max<int64_t>(8 * CPUTarget::kLineBytes / (bits * lanes), 1);
  if (!size || *size % lanes != 0 || plan.digits || (isApart && perLine == 1)) {
    for (int64_t step = 0; step < blockSteps; ++step)
      prefetch(tile, {0, 0, step});
    return;
  }
  if (isApart) {
    // Each vector of a line prefetches those of some steps.
    int64_t count = llvm::divideCeil(blockSteps, perLine);
    unsigned stepDim = *plan.shape.stepDim;
    Value vector =
              arith::DivUIOp::create(b, loc, ivs[laneDim], getIndex(lanes)),
          turn = arith::RemUIOp::create(b, loc, vector, getIndex(perLine)),
          first = arith::MulIOp::create(
              b, loc, turn, getIndex(count * plan.shape.stepsApart));
    Values at(ivs);
    at[stepDim] = arith::AddIOp::create(b, loc, ivs[stepDim], first);
    RegisterTile ofTurn(b, op, plan.shape, at);
    for (int64_t step = 0; step < count; ++step)
      prefetch(ofTurn, {0, 0, step});
    return;
  }
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

/// Prefetches the lines that the lanes of the current steps will need of the
/// streamed operand. This is for steps that follow the results; if the steps
/// follow the operand's vectors in memory, it returns false. It also returns
/// false if the number of lanes is unknown.
bool LoopEmitter::prefetchLines() {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (!size || !plan.shape.stepDim || plan.shape.stepDim == plan.streamDim)
    return false;
  keepApart();
  int64_t bits = getStreamedBits();
  int64_t width = std::max<int64_t>(8 * CPUTarget::kLineBytes / bits, 1);
  for (int64_t step = 0; step < blockSteps; ++step)
    for (int64_t lane = 0; lane < *size; lane += width) {
      Values at(ivs);
      at[laneDim] = getIndex(lane);
      RegisterTile line(b, op, plan.shape, at);
      prefetch(line, {0, 0, step});
    }
  prefetchScales();
  return true;
}

/// Prefetches what the next steps will read of the operands that have an
/// element for several of all lanes, such as the scales of groups.
void LoopEmitter::prefetchRepeated() {
  unsigned laneDim = plan.shape.laneDim;
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  if (isInCache || viewsAhead || !size || !plan.shape.stepDim)
    return;
  keepApart();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    std::optional<int64_t> times = getRepetitions(op, *operand, laneDim);
    if (!times || !op.getMatchingIndexingMap(operand).isFunctionOfDim(
                      *plan.shape.stepDim))
      continue;
    int64_t line =
        *times * (8 * CPUTarget::kLineBytes / getElementBits(operand->get()));
    for (int64_t step = 0; step < blockSteps; ++step)
      for (int64_t lane = 0; lane < *size; lane += line) {
        Values at(ivs);
        at[laneDim] = getIndex(lane);
        RegisterTile(b, op, plan.shape, at)
            .prefetch(*operand, {0, 0, step}, *plan.shape.stepDim,
                      getStepsAhead());
      }
  }
}

/// Prefetches a share of what the next steps will read of an operand that has
/// one element for all lanes or for several of them, such as the scales of
/// groups. These are rows that follow each other, with as many elements for
/// each iteration of the loop along the stream.
void LoopEmitter::prefetchScales() {
  unsigned step = *plan.shape.stepDim;
  std::optional<int64_t> run = getConstantIntValue(sizes[plan.streamDim]);
  if (isInCache || viewsAhead || !run || *run < 2)
    return;
  AffineExpr ofStep = b.getAffineDimExpr(step),
             ofStream = b.getAffineDimExpr(plan.streamDim);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<int64_t> times =
        getRepetitions(op, *operand, plan.shape.laneDim);
    ArrayRef<AffineExpr> dims = map.getResults().drop_back(times ? 1 : 0);
    if (dims.size() < 2 || dims.back() != ofStream ||
        dims.drop_back().back() != ofStep)
      continue;
    // Each iteration prefetches as many elements of the next rows as it reads
    // of the current ones.
    Value number = arith::MulIOp::create(b, loc, ivs[plan.streamDim],
                                         getIndex(blockSteps));
    // One element may be that of more lanes than a vector has.
    int64_t each = times ? std::max<int64_t>(plan.shape.lanes / *times, 1) : 1,
            bits = each * getElementBits(operand->get());
    int64_t perLine = std::max<int64_t>(8 * CPUTarget::kLineBytes / bits, 1);
    for (int64_t first = 0; first < blockSteps; first += perLine) {
      Value share = number;
      if (first > 0)
        share = arith::AddIOp::create(b, loc, number, getIndex(first));
      Values at(ivs);
      at[plan.streamDim] =
          arith::RemUIOp::create(b, loc, share, getIndex(*run));
      Value row = arith::DivUIOp::create(b, loc, share, getIndex(*run));
      if (plan.shape.stepsApart > 1)
        row =
            arith::MulIOp::create(b, loc, row, getIndex(plan.shape.stepsApart));
      at[step] = arith::AddIOp::create(b, loc, ivs[step], row);
      RegisterTile(b, op, plan.shape, at)
          .prefetch(*operand, {}, step, getStepsAhead());
    }
  }
}

/// LLVM moves loads and prefetches across each other, until dozens of
/// prefetches are in a row. Memory then has more requests than it can take, and
/// none afterwards. This fence is no instruction for the processor, but keeps
/// LLVM from moving them.
void LoopEmitter::keepApart() {
  LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "singlethread");
}
