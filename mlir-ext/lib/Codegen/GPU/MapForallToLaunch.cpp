//===- MapForallToLaunch.cpp - scf.forall to gpu.launch -------------------===//
//
// Upstream's transform.gpu.map_forall_to_blocks requires constant trip counts.
// Here the host computes them:
//
//   1. Compute the grid size, the product of the trip counts, in one dimension.
//   2. Delinearize the block id to the induction variables.
//   3. Move the body into the launch.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ResolveExpandShape.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether neighbouring iterations share what they read in each of the
/// last two loops of `forall`: one read depends only on the one loop, and
/// another read only on the other.
static bool isReusedBothWays(scf::ForallOp forall) {
  unsigned rank = forall.getRank();
  if (rank < 2)
    return false;
  Value outer = forall.getInductionVars()[rank - 2],
        inner = forall.getInductionVars()[rank - 1];
  bool alone[2] = {false, false};
  forall.getBody()->walk([&](vector::TransferReadOp read) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    options.filter = [&](Operation *op) {
      return forall->isProperAncestor(op);
    };
    bool dependsOn[2] = {false, false};
    for (Value operand : read->getOperands()) {
      if (isa<VectorType>(operand.getType()))
        continue;
      dependsOn[0] |= operand == outer;
      dependsOn[1] |= operand == inner;
      if (operand.getDefiningOp())
        (void)getBackwardSlice(operand.getDefiningOp(), &slice, options);
    }
    for (Operation *op : slice)
      for (Value operand : op->getOperands()) {
        dependsOn[0] |= operand == outer;
        dependsOn[1] |= operand == inner;
      }
    if (dependsOn[0] != dependsOn[1])
      alone[dependsOn[1]] = true;
  });
  return alone[0] && alone[1];
}

/// Splits the number `id` of a workgroup into its row and column in a grid of
/// `rows` x `columns`. Workgroups are numbered in bands of `band` rows; in a
/// band, the row changes fastest.
static std::array<Value, 2>
takeApartByBands(RewriterBase &rewriter, Location loc, Value id,
                 OpFoldResult rows, OpFoldResult columns, int64_t band) {
  AffineExpr d0 = rewriter.getAffineDimExpr(0),
             s0 = rewriter.getAffineSymbolExpr(0);
  std::optional<int64_t> numRows = getConstantIntValue(rows);
  if (numRows && *numRows <= band) {
    auto at = affine::AffineDelinearizeIndexOp::create(
        rewriter, loc, id, ArrayRef<OpFoldResult>{columns, rows});
    return {at.getResult(1), at.getResult(0)};
  }
  OpFoldResult size = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(0, 1, s0 * band), {columns});
  auto inBand = affine::AffineDelinearizeIndexOp::create(
      rewriter, loc, id, ArrayRef<OpFoldResult>{size},
      /*hasOuterBound=*/false);
  OpFoldResult first = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(1, 0, d0 * band), {inBand.getResult(0)});
  AffineMap leftMap =
      AffineMap::get(1, 1, {rewriter.getAffineConstantExpr(band), s0 - d0},
                     rewriter.getContext());
  OpFoldResult height = rewriter.getIndexAttr(band);
  if (!numRows || *numRows % band != 0)
    height = affine::makeComposedFoldedAffineMin(rewriter, loc, leftMap,
                                                 {first, rows});
  auto at = affine::AffineDelinearizeIndexOp::create(
      rewriter, loc, inBand.getResult(1), ArrayRef<OpFoldResult>{height},
      /*hasOuterBound=*/false);
  Value row = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc,
          AffineMap::get(2, 0, d0 + rewriter.getAffineDimExpr(1)),
          {first, at.getResult(1)}));
  return {row, at.getResult(0)};
}

/// Returns the number of rows of a band, for a grid in which later columns have
/// less work. The longest workgroups of many rows then start first, and only
/// short ones are left at the end. A band has no more rows than run at a time,
/// since workgroups of one row read the same memory. It is a power of two,
/// because numbers of heads are multiples of one.
static int64_t getBandByWork(OpFoldResult columns, int64_t band,
                             const GPUTarget &target) {
  uint64_t workgroups = llvm::bit_floor<uint64_t>(target.memoryWorkgroups);
  std::optional<int64_t> count = getConstantIntValue(columns);
  if (!count || *count < 1)
    return band;
  return llvm::bit_ceil(llvm::divideCeil(workgroups, uint64_t(*count)));
}

/// Returns the column of tile `number`, which is tile `column` of `columns` of
/// its row. The work of tiles decreases with the column. Tiles 2 n and 2 n + 1
/// have about the same work together, for any n: the order in a row is the
/// first tile, the last, the second, the last but one, and so on. A row with an
/// odd number of tiles ends with its middle one, and the next row begins with
/// its middle one.
static Value alternateByWork(RewriterBase &rewriter, Location loc, Value number,
                             Value column, OpFoldResult columns) {
  AffineExpr d0 = rewriter.getAffineDimExpr(0),
             s0 = rewriter.getAffineSymbolExpr(0);
  auto build = [&](AffineExpr expr, Value of) {
    return getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(1, 1, expr), {of, columns}));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value value) -> Value {
    return arith::CmpIOp::create(
        rewriter, loc, predicate, value,
        arith::ConstantIndexOp::create(rewriter, loc, 0));
  };
  Value isShort = compare(arith::CmpIPredicate::ne, build(d0 % 2, number));
  Value shortOne = build(s0 - (d0 + 1).floorDiv(2), column);
  std::optional<int64_t> count = getConstantIntValue(columns);
  if (!count || *count % 2 != 0)
    shortOne = arith::SelectOp::create(
        rewriter, loc, compare(arith::CmpIPredicate::eq, column),
        build((s0 - 1).floorDiv(2), column), shortOne);
  return arith::SelectOp::create(rewriter, loc, isShort, shortOne,
                                 build(d0.floorDiv(2), column));
}

namespace {
/// The order of the tiles of a persistent kernel, in a grid of rows x columns
/// in which later columns have less work (DealtTiles.h). What the host
/// computes.
struct OrderByWork {
  OpFoldResult columns;
  /// The tiles that are dealt in pairs, of which the first ones are in whole
  /// rows: these rows, and their tiles.
  Value inPairs, wholeRows, inRows;
  /// The rows behind these, their last tile, and the number of pairs that have
  /// been dealt of them: its longest and its shortest tiles.
  Value otherRows, last, otherPairs;
};
} // namespace

/// Builds the order of `tiles`, a grid of `rows` x `columns`.
static OrderByWork buildOrderByWork(RewriterBase &rewriter, Location loc,
                                    Value tiles, OpFoldResult rows,
                                    OpFoldResult columns,
                                    const GPUTarget &target) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto sub = [&](Value a, Value b) {
    return rewriter.createOrFold<arith::SubIOp>(loc, a, b);
  };
  OrderByWork order;
  order.columns = columns;
  order.inPairs =
      vector_ext::buildTilesInPairs(rewriter, loc, tiles, target.processors);
  Value numColumns = rewriter.createOrFold<arith::MaxSIOp>(
      loc, getValueOrCreateConstantIndexOp(rewriter, loc, columns),
      constant(1));
  order.wholeRows = rewriter.createOrFold<arith::DivUIOp>(loc, order.inPairs,
                                                          numColumns);
  // A pair is in one row, or in two rows of an odd number of tiles.
  Value isOdd = rewriter.createOrFold<arith::RemUIOp>(loc, numColumns,
                                                      constant(2));
  order.wholeRows = sub(
      order.wholeRows,
      rewriter.createOrFold<arith::MulIOp>(
          loc, isOdd,
          rewriter.createOrFold<arith::RemUIOp>(loc, order.wholeRows,
                                                constant(2))));
  order.inRows = rewriter.createOrFold<arith::MulIOp>(loc, order.wholeRows,
                                                      numColumns);
  order.otherRows = rewriter.createOrFold<arith::MaxSIOp>(
      loc,
      sub(getValueOrCreateConstantIndexOp(rewriter, loc, rows),
          order.wholeRows),
      constant(1));
  order.last = sub(sub(tiles, order.inRows), constant(1));
  order.otherPairs = rewriter.createOrFold<arith::DivUIOp>(
      loc, sub(order.inPairs, order.inRows), constant(2));
  return order;
}

/// Splits the number `id` of a tile of a persistent kernel into its row and
/// column. Tiles in whole rows have the order of `alternateByWork`. Those of
/// the other rows are ordered by length, through all of these rows: first the
/// pairs of a longest and a shortest one, then those that are left.
static std::array<Value, 2> takeApartByWork(RewriterBase &rewriter,
                                            Location loc, Value id,
                                            const OrderByWork &order) {
  auto select = [&](Value condition, Value a, Value b) {
    return rewriter.createOrFold<arith::SelectOp>(loc, condition, a, b);
  };
  auto isLess = [&](Value a, Value b) {
    return rewriter.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, a, b);
  };
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(0, operands.size(), expr), operands));
  };
  // States that `value` fits 32 bits.
  auto assume = [&](Value value) -> Value {
    return vector_ext::AssumeOp::create(rewriter, loc, value, /*atLeast=*/0,
                                        std::numeric_limits<int32_t>::max());
  };
  AffineExpr number = rewriter.getAffineSymbolExpr(0),
             a = rewriter.getAffineSymbolExpr(1),
             b = rewriter.getAffineSymbolExpr(2);
  // 1. The place of a tile of other rows, by length.
  Value pair = apply((number - a).floorDiv(2), {id, order.inRows});
  Value isShort = rewriter.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, apply(number % 2, {OpFoldResult(id)}),
      arith::ConstantIndexOp::create(rewriter, loc, 0));
  Value ofPair =
      select(isShort, apply(a - number, {pair, order.last}), pair);
  Value single =
      apply(number - a + b, {id, order.inPairs, order.otherPairs});
  Value place = select(isLess(id, order.inPairs), ofPair, single);
  // 2. Its row and column.
  Value isInRows = isLess(id, order.inRows);
  Value divisor = select(
      isInRows, getValueOrCreateConstantIndexOp(rewriter, loc, order.columns),
      order.otherRows);
  auto at = affine::AffineDelinearizeIndexOp::create(
      rewriter, loc, assume(select(isInRows, id, place)),
      ArrayRef<OpFoldResult>{OpFoldResult(divisor)}, /*hasOuterBound=*/false);
  Value column =
      alternateByWork(rewriter, loc, id, at.getResult(1), order.columns);
  Value row = apply(number + a, {at.getResult(1), order.wholeRows});
  return {assume(select(isInRows, at.getResult(0), row)),
          assume(select(isInRows, column, at.getResult(0)))};
}

/// Builds a number that the host can compute and that is at least `bound`. If
/// `bound` is at most 0, the number may be so, too. Returns null if there is no
/// such number.
static Value buildMost(RewriterBase &rewriter, Location loc, Value bound) {
  if (!isOfMemory(bound))
    return bound;
  if (auto select = bound.getDefiningOp<arith::SelectOp>()) {
    Value one = buildMost(rewriter, loc, select.getTrueValue()),
          other = buildMost(rewriter, loc, select.getFalseValue());
    if (!one || !other)
      return nullptr;
    auto isNone = [](Value value) {
      std::optional<int64_t> constant = getConstantIntValue(value);
      return constant && *constant <= 0;
    };
    return isNone(one)     ? other
           : isNone(other) ? one
                           : arith::MaxSIOp::create(rewriter, loc, one, other);
  }
  auto min = bound.getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return nullptr;
  AffineMap map = min.getMap();
  SmallVector<AffineExpr> known;
  for (AffineExpr expr : map.getResults()) {
    bool isKnown = true;
    for (auto [number, operand] : llvm::enumerate(min.getOperands()))
      isKnown &= !isOfMemory(operand) ||
                 !(number < map.getNumDims()
                       ? expr.isFunctionOfDim(number)
                       : expr.isFunctionOfSymbol(number - map.getNumDims()));
    if (isKnown)
      known.push_back(expr);
  }
  if (known.empty())
    return nullptr;
  AffineMap ofKnown = AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                     known, rewriter.getContext());
  SmallVector<Value> operands(min.getOperands());
  affine::canonicalizeMapAndOperands(&ofKnown, &operands);
  return getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineMin(rewriter, loc, ofKnown,
                                          getAsOpFoldResult(operands)));
}

/// Replaces bounds of `forall` that the host cannot compute, because they
/// depend on a number in memory of the device (how many rows of a page are
/// stored, for example). The new bounds are at least as large. Iterations
/// beyond the old bound do nothing.
static void boundByHost(RewriterBase &rewriter, scf::ForallOp forall) {
  Location loc = forall.getLoc();
  SmallVector<OpFoldResult> bounds = forall.getMixedUpperBound();
  SmallVector<std::pair<Value, Value>> tests;
  for (auto [bound, lower, iv] : llvm::zip_equal(
           bounds, forall.getMixedLowerBound(), forall.getInductionVars())) {
    auto old = dyn_cast<Value>(bound);
    if (!old || !isOfMemory(old) || getConstantIntValue(lower) != 0)
      continue;
    Value most = buildMost(rewriter, loc, old);
    if (!most)
      continue;
    bound = getAsOpFoldResult(most);
    tests.emplace_back(iv, old);
  }
  if (tests.empty())
    return;
  SmallVector<Value> dynamicBounds;
  SmallVector<int64_t> staticBounds;
  dispatchIndexOpFoldResults(bounds, dynamicBounds, staticBounds);
  rewriter.modifyOpInPlace(forall, [&] {
    forall.getDynamicUpperBoundMutable().assign(dynamicBounds);
    forall.setStaticUpperBound(staticBounds);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forall.getBody());
  Value exists;
  for (auto [iv, bound] : tests) {
    Value isBelow = arith::CmpIOp::create(rewriter, loc,
                                          arith::CmpIPredicate::slt, iv, bound);
    exists = exists ? arith::AndIOp::create(rewriter, loc, exists, isBelow)
                    : isBelow;
  }
  auto branch =
      scf::IfOp::create(rewriter, loc, exists, /*withElseRegion=*/false);
  Block *body = forall.getBody();
  branch.thenBlock()->getOperations().splice(
      branch.thenBlock()->begin(), body->getOperations(),
      std::next(branch->getIterator()), std::prev(body->end()));
}

namespace {
/// The order in which workgroups execute the iterations of a loop. If no field
/// is set, the last induction variable changes fastest.
struct WorkgroupOrder {
  /// `inBands`: in bands of rows. `byWork`: the rows are those of all loops but
  /// the last one, and the longest workgroups start first.
  bool inBands, byWork;
  /// The order of `takeApartByWork`.
  bool alternates;
  /// The last induction variable changes slowest: of pairs of tiles, all long
  /// ones are first.
  bool inPairs;
  /// Each band begins at another column. The last tile of a row is shorter than
  /// the others, and a persistent workgroup gets tiles at equal distances: it
  /// would get all short ones of some bands, or none.
  bool rotates;
};

/// The trip count of each loop, and the product of all.
struct TripCounts {
  SmallVector<OpFoldResult> counts;
  OpFoldResult total;
};
} // namespace

/// With booleans, groups of so many threads skip tiles of which they have no
/// rows: three of them (docs/Decisions/0186).
static constexpr int64_t kThreadsThatSkip = 384;

/// Returns whether tiles of `forall` have booleans of rows and columns.
static bool readsBooleans(scf::ForallOp forall) {
  return forall
      .walk([](vector::TransferReadOp read) {
        return read.getVectorType().getRank() > 1 &&
                       read.getVectorType().getElementType().isInteger(1)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static WorkgroupOrder getOrder(scf::ForallOp forall, int64_t band) {
  bool byWork = band > 1 && forall.getRank() > 1 && isLongestFirst(forall);
  // Workgroups of a persistent kernel get tiles of different lengths.
  std::optional<vector_ext::KernelMark> mark =
      vector_ext::getKernelMark(forall);
  if (mark && mark->persist == vector_ext::kDealtInPairs)
    return {/*inBands=*/false, /*byWork=*/false, /*alternates=*/false,
            /*inPairs=*/true, /*rotates=*/false};
  bool alternates =
      byWork && mark && mark->persist == vector_ext::kDealtInTwoDirections;
  if (alternates)
    byWork = false;
  bool inBands =
      byWork || (!alternates && band > 1 && isReusedBothWays(forall));
  bool rotates = mark && mark->persist == vector_ext::kDealtInOrder &&
                 mark->rotate && mark->threads >= kThreadsThatSkip &&
                 readsBooleans(forall);
  return {inBands, byWork, alternates, /*inPairs=*/false, rotates};
}

static OpFoldResult multiply(RewriterBase &rewriter, Location loc,
                             OpFoldResult a, OpFoldResult b) {
  AffineMap map = AffineMap::get(
      0, 2, rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1));
  return affine::makeComposedFoldedAffineApply(rewriter, loc, map, {a, b});
}

/// Builds the product of `counts`, which must not be empty.
static OpFoldResult multiplyAll(RewriterBase &rewriter, Location loc,
                                ArrayRef<OpFoldResult> counts) {
  OpFoldResult product = counts.front();
  for (OpFoldResult count : counts.drop_front())
    product = multiply(rewriter, loc, product, count);
  return product;
}

static TripCounts buildTripCounts(RewriterBase &rewriter,
                                  scf::ForallOp forall) {
  Location loc = forall.getLoc();
  AffineExpr lower = rewriter.getAffineSymbolExpr(0),
             upper = rewriter.getAffineSymbolExpr(1),
             step = rewriter.getAffineSymbolExpr(2);
  AffineMap map = AffineMap::get(0, 3, (upper - lower).ceilDiv(step));
  TripCounts result;
  result.total = rewriter.getIndexAttr(1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    result.counts.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, map, {lower, upper, step}));
    result.total = multiply(rewriter, loc, result.total, result.counts.back());
  }
  // The basis must not be zero. If it would be, nothing is launched, so any
  // number is right.
  for (OpFoldResult &count : result.counts)
    if (getConstantIntValue(count) == 0)
      count = rewriter.getIndexAttr(1);
  return result;
}

/// Delinearizes `id` by `counts`, the last one fastest, and appends the results
/// to `ids`.
static void appendIds(RewriterBase &rewriter, Location loc, Value id,
                      ArrayRef<OpFoldResult> counts,
                      SmallVectorImpl<Value> &ids) {
  if (counts.size() == 1)
    ids.push_back(id);
  else
    llvm::append_range(
        ids, affine::AffineDelinearizeIndexOp::create(rewriter, loc, id, counts)
                 .getResults());
}

/// Returns the column that workgroup (`row`, `column`) of a grid gets if each
/// band of `band` rows begins at another column. `outer`, if it is not null, is
/// the number of grids in front of this one.
static Value rotateColumn(RewriterBase &rewriter, Location loc, Value row,
                          Value column, OpFoldResult rows, OpFoldResult columns,
                          Value outer, int64_t band) {
  AffineExpr d0 = rewriter.getAffineDimExpr(0),
             d1 = rewriter.getAffineDimExpr(1),
             s0 = rewriter.getAffineSymbolExpr(0);
  OpFoldResult number = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(1, 0, d0.floorDiv(band)),
      {OpFoldResult(row)});
  if (outer)
    number = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(2, 1, d0 + d1 * s0.ceilDiv(band)),
        {number, OpFoldResult(outer), rows});
  Value sum = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(2, 0, d0 + d1), {column, number}));
  // A grid has at most as many workgroups, so 32 bits are enough.
  sum = vector_ext::AssumeOp::create(rewriter, loc, sum, /*atLeast=*/0,
                                     std::numeric_limits<int32_t>::max());
  return affine::AffineDelinearizeIndexOp::create(
             rewriter, loc, sum, ArrayRef<OpFoldResult>{columns},
             /*hasOuterBound=*/false)
      .getResult(1);
}

/// Returns the indices of workgroup `id`, in bands of `band` rows, or of so many
/// columns if only these are a multiple of the workgroups of a `cluster`.
static SmallVector<Value> getIdsInBands(RewriterBase &rewriter, Location loc,
                                        Value id,
                                        SmallVector<OpFoldResult> counts,
                                        const WorkgroupOrder &order,
                                        int64_t band, int64_t cluster,
                                        const GPUTarget &target) {
  SmallVector<Value> ids;
  OpFoldResult columns = counts.pop_back_val();
  SmallVector<OpFoldResult> rowCounts;
  if (order.byWork) {
    std::swap(counts, rowCounts);
    band = getBandByWork(columns, band, target);
  } else {
    rowCounts.push_back(counts.pop_back_val());
  }
  OpFoldResult rows = multiplyAll(rewriter, loc, rowCounts);
  Value outer;
  if (!counts.empty()) {
    if (order.rotates)
      outer = affine::AffineDelinearizeIndexOp::create(
                  rewriter, loc, id,
                  ArrayRef<OpFoldResult>{multiply(rewriter, loc, rows, columns)},
                  /*hasOuterBound=*/false)
                  .getResult(0);
    counts.push_back(multiply(rewriter, loc, rows, columns));
    appendIds(rewriter, loc, id, counts, ids);
    id = ids.pop_back_val();
  }
  bool byColumns = getConstantIntValue(rows).value_or(0) % cluster != 0;
  if (byColumns)
    std::swap(rows, columns);
  auto [row, column] = takeApartByBands(rewriter, loc, id, rows, columns, band);
  if (byColumns)
    std::swap(row, column);
  else if (order.rotates)
    column = rotateColumn(rewriter, loc, row, column, rows, columns, outer, band);
  appendIds(rewriter, loc, row, rowCounts, ids);
  ids.push_back(column);
  return ids;
}

/// Returns the induction variables of `forall` for the indices `ids`.
static SmallVector<Value> getInductionVars(RewriterBase &rewriter,
                                           scf::ForallOp forall,
                                           ArrayRef<Value> ids) {
  Location loc = forall.getLoc();
  AffineExpr lower = rewriter.getAffineSymbolExpr(0),
             id = rewriter.getAffineSymbolExpr(1),
             step = rewriter.getAffineSymbolExpr(2);
  AffineMap map = AffineMap::get(0, 3, lower + id * step);
  SmallVector<Value> ivs;
  for (auto [id, lower, step] :
       llvm::zip_equal(ids, forall.getMixedLowerBound(), forall.getMixedStep()))
    ivs.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, map, {lower, OpFoldResult(id), step})));
  return ivs;
}

FailureOr<gpu::LaunchOp> mlir::linalg_ext::mapForallToLaunch(
    RewriterBase &rewriter, scf::ForallOp forall, int64_t numThreads,
    Refusal &refusal, int64_t band, const GPUTarget &target) {
  if (forall->getNumResults() != 0)
    return refusal.set(RefusalKind::Other, forall,
                       "expected a loop on buffers, got one with results");
  if (!isMemoryEffectFree(forall.getTerminator()) ||
      !forall.getTerminator().getBody()->empty())
    return refusal.set(RefusalKind::Other, forall,
                       "expected an empty terminator");
  if (llvm::any_of(forall.getMixedStep(), [](OpFoldResult step) {
        return getConstantIntValue(step) == 0;
      }))
    return refusal.set(RefusalKind::Other, forall,
                       "expected steps other than 0");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall);
  boundByHost(rewriter, forall);
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();

  WorkgroupOrder order = getOrder(forall, band);

  // 1. The grid.
  auto [counts, total] = buildTripCounts(rewriter, forall);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value threads = arith::ConstantIndexOp::create(rewriter, loc, numThreads);
  Value grid = getValueOrCreateConstantIndexOp(rewriter, loc, total);
  OrderByWork byWork;
  if (order.alternates) {
    OpFoldResult columns = counts.pop_back_val();
    byWork = buildOrderByWork(rewriter, loc, grid,
                              multiplyAll(rewriter, loc, counts), columns,
                              target);
  }
  auto launch =
      gpu::LaunchOp::create(rewriter, loc, grid, one, one, threads, one, one);
  launch->setDiscardableAttrs(forall->getDiscardableAttrDictionary());

  // 2. The induction variables, the last one fastest.
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value id = launch.getBlockIds().x;
  SmallVector<Value> ids;
  if (order.alternates) {
    auto [row, column] = takeApartByWork(rewriter, loc, id, byWork);
    appendIds(rewriter, loc, row, counts, ids);
    ids.push_back(column);
  } else if (order.inPairs) {
    // Rotated, the last count is in front.
    std::rotate(counts.begin(), std::prev(counts.end()), counts.end());
    appendIds(rewriter, loc, id, counts, ids);
    std::rotate(ids.begin(), std::next(ids.begin()), ids.end());
  } else if (order.inBands) {
    std::optional<vector_ext::KernelMark> mark =
        vector_ext::getKernelMark(launch);
    ids = getIdsInBands(rewriter, loc, id, counts, order, band,
                        mark ? mark->cluster : 1, target);
  } else {
    appendIds(rewriter, loc, id, counts, ids);
  }
  SmallVector<Value> ivs = getInductionVars(rewriter, forall, ids);

  // 3. The body.
  auto terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.eraseOp(forall.getTerminator());
  rewriter.inlineBlockBefore(forall.getBody(), terminator, ivs);
  rewriter.eraseOp(forall);
  return launch;
}

/// Returns whether one of `dims` is a dimension that `expand` has split off,
/// other than the last one of its group. If the expansion were folded into the
/// transfer, indices would give the start of a vector along it, but not its
/// later elements.
static bool reachesAcross(ArrayRef<int64_t> dims,
                          memref::ExpandShapeOp expand) {
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  return llvm::any_of(dims, [&](int64_t dim) {
    return llvm::any_of(groups, [&](ArrayRef<int64_t> group) {
      return llvm::is_contained(group.drop_back(), dim) &&
             llvm::any_of(group, [&](int64_t other) {
               return other > dim &&
                      expand.getResultType().getDimSize(other) != 1;
             });
    });
  });
}

/// Prevents a wrong fold. Upstream's memref-fold-memref-alias-ops (22.1.8)
/// folds memref.expand_shape ops into transfers that cross the split
/// dimensions, which then read other elements. It folds a view of a view step
/// by step, so each view of the source of `transfer` is checked for the
/// dimensions that the vector then has. A view that is crossed becomes a
/// memref.reinterpret_cast, which upstream does not fold.
static void keepShape(RewriterBase &rewriter,
                      VectorTransferOpInterface transfer) {
  SmallVector<int64_t> dims;
  for (AffineExpr expr : transfer.getPermutationMap().getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      dims.push_back(dim.getPosition());
  Value view = transfer.getBase();
  while (Operation *def = view.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(def)) {
      llvm::SmallBitVector dropped = subview.getDroppedDims();
      SmallVector<int64_t> kept;
      for (int64_t dim = 0, end = dropped.size(); dim < end; ++dim)
        if (!dropped.test(dim))
          kept.push_back(dim);
      for (int64_t &dim : dims)
        dim = kept[dim];
      view = subview.getSource();
      continue;
    }
    auto expand = dyn_cast<memref::ExpandShapeOp>(def);
    if (!expand)
      return;
    if (reachesAcross(dims, expand))
      return resolveExpandShape(rewriter, expand);
    // A write stays a write to the view.
    if (isa<vector::TransferWriteOp>(transfer))
      return;
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    for (int64_t &dim : dims)
      dim = llvm::find_if(groups,
                          [&](ArrayRef<int64_t> group) {
                            return llvm::is_contained(group, dim);
                          }) -
            groups.begin();
    view = expand.getSrc();
  }
}

void mlir::linalg_ext::mapForallsToLaunches(RewriterBase &rewriter,
                                            Operation *scope,
                                            int64_t numThreads, int64_t band,
                                            const GPUTarget &target) {
  SmallVector<scf::ForallOp> foralls;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall)
      return WalkResult::advance();
    foralls.push_back(forall);
    return WalkResult::skip();
  });
  SmallVector<VectorTransferOpInterface> transfers;
  scope->walk([&](VectorTransferOpInterface op) { transfers.push_back(op); });
  for (VectorTransferOpInterface transfer : transfers)
    keepShape(rewriter, transfer);
  for (scf::ForallOp forall : foralls) {
    // A loop with a mapping must be mapped to workgroups.
    std::optional<ArrayAttr> mapping = forall.getMapping();
    if (mapping && llvm::any_of(*mapping, [](Attribute attr) {
          return !isa<gpu::GPUBlockMappingAttr>(attr);
        }))
      continue;
    Refusal refusal;
    if (failed(mapForallToLaunch(rewriter, forall, numThreads, refusal, band,
                                 target)))
      forall.emitRemark() << "no kernel: " << refusal.text;
  }
}
