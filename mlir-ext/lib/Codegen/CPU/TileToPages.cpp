//===- TileToPages.cpp - Contractions read pages in place -----------------===//
//
// A contraction that reads gathered rows is tiled by page. Where a tile is
// whole, its rows are one slice of the pool, which the contraction reads in
// place. Elsewhere (the end of a sequence, a page that does not exist) the rows
// are gathered, into memory of one page.
//
//===----------------------------------------------------------------------===//

#include "RowsInPool.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Which tiles
//===----------------------------------------------------------------------===//

namespace {
/// A contraction, and the gathered rows of a pool that it reads.
struct PagedContraction {
  linalg::LinalgOp op;
  OpOperand *operand = nullptr;
  PagedGatherOp gather;
  /// The iteration dimension of `op` that runs over the rows of the sequence.
  unsigned dim = 0;
  /// The number of rows of a tile. It divides both the rows of a page and those
  /// of the operand. If this number is small, pages are not read in place, and
  /// it only divides the rows of the operand.
  int64_t numRows = 0;
  bool isInPlace = true;
  /// The most rows that the operand may have. If a page has few rows, whether
  /// the places of the rows are put into a list.
  int64_t maxRows = 0;
  bool isListed = false;
};
} // namespace

/// With fewer rows the loop costs more than copying the rows.
static constexpr int64_t kMinRows = 4;
/// From this number of rows on, a loop over pages costs less than a list.
static constexpr int64_t kMinListedRows = 8;
/// The bytes of the rows that are copied for one tile. They stay in the first
/// cache.
static constexpr int64_t kCopiedBytes = 8192;

/// The most rows of a list. It stays in the first cache.
static constexpr int64_t kMostListed = 2048;

/// Returns the most rows that the gather may have, if it is known.
static std::optional<int64_t> getMaxRows(PagedGatherOp gather) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      {gather.getOutput(), static_cast<int64_t>(gather.getSequenceDim())},
      /*stopCondition=*/nullptr, kClosedUpperBound);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

/// Returns whether rows are contiguous both in the pool and in the result.
static bool hasContiguousRows(PagedGatherOp gather) {
  int64_t last = gather.getNumLoops() - 1;
  return gather.getPoolDims().back() == last &&
         static_cast<int64_t>(gather.getSequenceDim()) != last;
}

/// Returns how many of `maxRows` rows are copied at a time, or 0 if their size
/// is unknown.
static int64_t getNumCopied(PagedGatherOp gather, int64_t maxRows) {
  auto type = cast<RankedTensorType>(gather.getOutput().getType());
  if (!type.getElementType().isIntOrFloat())
    return 0;
  int64_t rowBits = type.getElementType().getIntOrFloatBitWidth();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != static_cast<int64_t>(gather.getSequenceDim()))
      rowBits *= type.getDimSize(dim);
  int64_t most = std::max<int64_t>(8 * kCopiedBytes / rowBits, 1);
  return std::gcd(maxRows, int64_t(llvm::bit_floor(uint64_t(most))));
}

/// Chooses the number of rows of a tile. Fails with the reason if no number is
/// good.
static LogicalResult chooseRows(PagedContraction &contraction, int64_t fewRows,
                                RewriterBase &rewriter) {
  PagedGatherOp gather = contraction.gather;
  auto refuse = [&](const char *reason) {
    return rewriter.notifyMatchFailure(contraction.op, reason);
  };
  auto type = cast<RankedTensorType>(gather.getOutput().getType());
  for (int64_t dim : gather.getBatchDims())
    if (type.getDimSize(dim) != 1)
      return refuse("the rows of several sequences are read");
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != static_cast<int64_t>(gather.getSequenceDim()) &&
        type.isDynamicDim(dim))
      return refuse("the size of a row is not known");
  if (llvm::is_contained(type.getShape(), 0))
    return refuse("the rows are empty");
  std::optional<int64_t> maxRows = getMaxRows(gather);
  if (!maxRows)
    return refuse("the number of rows has no bound");
  int64_t pageSize = cast<ShapedType>(gather.getPool().getType())
                         .getDimSize(gather.getPoolRowDim());
  contraction.numRows = contraction.maxRows = *maxRows;
  if (gather.isPaged())
    contraction.numRows =
        ShapedType::isDynamic(pageSize) ? 1 : std::gcd(pageSize, *maxRows);
  if (contraction.numRows >= kMinListedRows)
    return success();
  int64_t copied = getNumCopied(gather, *maxRows);
  bool isCopied = copied >= kMinRows && copied < *maxRows;
  AffineMap rowsMap =
      contraction.op.getMatchingIndexingMap(contraction.operand);
  contraction.isListed =
      isCopied && gather.isPaged() && *maxRows <= kMostListed &&
      // If more rows use them, they are worth a copy, which stays in the first
      // cache.
      meetsFewRows(contraction.op, rowsMap,
                   contraction.op.getStaticLoopRanges(), fewRows) &&
      hasContiguousRows(gather);
  if (!contraction.isListed && contraction.numRows >= kMinRows)
    return success();
  if (!isCopied)
    return refuse("tiles would have few rows");
  contraction.isInPlace = false;
  contraction.numRows = copied;
  return success();
}

/// Returns whether each iteration dimension that the operand has and the pool
/// lacks is also a dimension of another operand.
static bool hasAllDims(PagedContraction &contraction) {
  linalg::LinalgOp op = contraction.op;
  PagedGatherOp gather = contraction.gather;
  AffineMap map = op.getMatchingIndexingMap(contraction.operand);
  return llvm::all_of(
      llvm::enumerate(map.getResults()), [&](const auto &result) {
        if (llvm::is_contained(gather.getPoolDims(),
                               static_cast<int64_t>(result.index())))
          return true;
        unsigned dim = cast<AffineDimExpr>(result.value()).getPosition();
        return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
          return &operand != contraction.operand &&
                 op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim);
        });
      });
}

static FailureOr<PagedContraction>
matchPagedContraction(linalg::LinalgOp op, int64_t fewRows,
                      RewriterBase &rewriter) {
  PagedContraction contraction;
  contraction.op = op;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() || op.hasIndexSemantics())
    return rewriter.notifyMatchFailure(op, "no contraction of tensors");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps,
                   [](AffineMap map) { return !map.isProjectedPermutation(); }))
    return rewriter.notifyMatchFailure(op, "an operand is not read by slices");
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto gather = input->get().getDefiningOp<PagedGatherOp>();
    if (!gather || contraction.operand)
      continue;
    contraction.operand = input;
    contraction.gather = gather;
    contraction.dim = op.getMatchingIndexingMap(input).getDimPosition(
        gather.getSequenceDim());
  }
  if (!contraction.operand)
    return rewriter.notifyMatchFailure(op, "no operand is gathered");
  if (!hasAllDims(contraction))
    return rewriter.notifyMatchFailure(
        op, "only the operand that is gathered has a dimension of the batch");
  if (failed(chooseRows(contraction, fewRows, rewriter)))
    return failure();
  return contraction;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The offsets and sizes of the part of `tensor`, read with `map`, where
/// iteration dimension `dim` is [offset, offset + size).
static std::pair<OpFoldResults, OpFoldResults>
getSlice(OpBuilder &b, Location loc, Value tensor, AffineMap map, unsigned dim,
         OpFoldResult offset, OpFoldResult size) {
  OpFoldResults offsets(map.getNumResults(), b.getIndexAttr(0));
  OpFoldResults sizes = tensor::getMixedSizes(b, loc, tensor);
  if (std::optional<unsigned> position =
          map.getResultPosition(b.getAffineDimExpr(dim))) {
    offsets[*position] = offset;
    sizes[*position] = size;
  }
  return {offsets, sizes};
}

static OpFoldResults getUnitStrides(OpBuilder &b, ArrayRef<OpFoldResult> of) {
  return OpFoldResults(of.size(), b.getIndexAttr(1));
}

/// Returns the rows of a tile as a slice of the pool, without the dimension of
/// the pages, and the map with which the contraction reads it.
static std::pair<Value, AffineMap> sliceOfPool(OpBuilder &b,
                                               PagedContraction &contraction,
                                               const RowsInPool &located) {
  PagedGatherOp gather = contraction.gather;
  Location loc = gather.getLoc();
  AffineMap map = contraction.op.getMatchingIndexingMap(contraction.operand);
  OpFoldResults offsets, sizes;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  auto poolType = cast<RankedTensorType>(gather.getPool().getType());
  auto initType = cast<RankedTensorType>(gather.getOutput().getType());
  for (auto [dim, resultDim] : llvm::enumerate(gather.getPoolDims())) {
    if (resultDim == PagedGatherOp::kPageDim) {
      offsets.push_back(located.page);
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    bool isRow = static_cast<int64_t>(dim) == gather.getPoolRowDim();
    int64_t size = isRow ? contraction.numRows : initType.getDimSize(resultDim);
    offsets.push_back(isRow ? OpFoldResult(located.row)
                            : OpFoldResult(b.getIndexAttr(0)));
    sizes.push_back(b.getIndexAttr(size));
    shape.push_back(size);
    exprs.push_back(map.getResult(resultDim));
  }
  auto type = RankedTensorType::get(shape, poolType.getElementType());
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, type, gather.getPool(), offsets,
                                     sizes, getUnitStrides(b, offsets));
  return {slice, AffineMap::get(map.getNumDims(), 0, exprs, b.getContext())};
}

/// Gathers the rows from `iv` on into a part of `memory`, and updates `memory`
/// to the value after it.
static Value gatherRows(OpBuilder &b, PagedContraction &contraction,
                        Value &memory, Value iv, OpFoldResult size) {
  PagedGatherOp gather = contraction.gather;
  Location loc = gather.getLoc();
  auto type = cast<RankedTensorType>(memory.getType());
  OpFoldResults offsets(type.getRank(), b.getIndexAttr(0)), sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(b.getIndexAttr(extent));
  sizes[gather.getSequenceDim()] = size;
  OpFoldResults starts = offsets, strides = getUnitStrides(b, offsets);
  starts[gather.getSequenceDim()] = iv;
  FailureOr<TilingResult> tile = cast<TilingInterface>(gather.getOperation())
                                     .getTiledImplementation(b, starts, sizes);
  auto tiled = cast<PagedGatherOp>(tile->tiledOps.front());
  // The init is not read, so the tile may be put anywhere.
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(tiled);
    Value part =
        tensor::ExtractSliceOp::create(b, loc, memory, offsets, sizes, strides);
    tiled.getOutputMutable().assign(part);
    tiled->getResult(0).setType(cast<RankedTensorType>(part.getType()));
  }
  memory = tensor::InsertSliceOp::create(b, loc, tiled->getResult(0), memory,
                                         offsets, sizes, strides);
  return tiled->getResult(0);
}

/// Builds the contraction of `size` rows from `iv` on. `rows` are these rows,
/// and `rowsMap` reads them. Accumulates in the whole of `init`, and returns
/// the new value.
static Value contractTile(OpBuilder &b, PagedContraction &contraction,
                          Value init, Value iv, OpFoldResult size, Value rows,
                          AffineMap rowsMap) {
  linalg::LinalgOp op = contraction.op;
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto slice = [&](Value tensor, AffineMap map) {
    auto [offsets, sizes] =
        getSlice(b, loc, tensor, map, contraction.dim, iv, size);
    return b.createOrFold<tensor::ExtractSliceOp>(loc, tensor, offsets, sizes,
                                                  getUnitStrides(b, offsets));
  };
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input == contraction.operand) {
      maps[input->getOperandNumber()] = rowsMap;
      inputs.push_back(rows);
    } else {
      inputs.push_back(slice(input->get(), op.getMatchingIndexingMap(input)));
    }
  }
  AffineMap initMap = maps.back();
  bool isCut = initMap.isFunctionOfDim(contraction.dim);
  Value initTile = isCut ? slice(init, initMap) : init;
  auto tile =
      linalg::GenericOp::create(b, loc, initTile.getType(), inputs, initTile,
                                maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&tile.getRegion(), mapping);
  tile->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (!isCut)
    return tile.getResult(0);
  auto [offsets, sizes] =
      getSlice(b, loc, init, initMap, contraction.dim, iv, size);
  return tensor::InsertSliceOp::create(b, loc, tile.getResult(0), init, offsets,
                                       sizes, getUnitStrides(b, offsets));
}

/// Builds the tile of `size` rows from `iv` on. Returns the new values of
/// `init` and `memory`.
static SmallVector<Value> buildTile(OpBuilder &b, PagedContraction &contraction,
                                    Value iv, OpFoldResult size, Value init,
                                    Value memory) {
  auto gatherTile = [&](OpBuilder &b) -> SmallVector<Value> {
    Value after = memory;
    Value rows = gatherRows(b, contraction, after, iv, size);
    Value result = contractTile(
        b, contraction, init, iv, size, rows,
        contraction.op.getMatchingIndexingMap(contraction.operand));
    return {result, after};
  };
  if (!contraction.isInPlace)
    return gatherTile(b);
  PagedGatherOp gather = contraction.gather;
  Value zero = arith::ConstantIndexOp::create(b, gather.getLoc(), 0);
  SmallVector<Value> sequence(gather.getBatchDims().size(), zero);
  RowsInPool located =
      locateRows(b, gather, sequence, iv, size, contraction.numRows);
  auto branch = scf::IfOp::create(
      b, contraction.op.getLoc(), located.exist,
      [&](OpBuilder &b, Location loc) {
        auto [rows, map] = sliceOfPool(b, contraction, located);
        Value result =
            contractTile(b, contraction, init, iv,
                         b.getIndexAttr(contraction.numRows), rows, map);
        scf::YieldOp::create(b, loc, {result, memory});
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, gatherTile(b));
      });
  return branch.getResults();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {
/// A list of where the pool has the rows of a sequence that a contraction
/// reads.
struct RowList {
  /// The coordinates of each row: the page, if there are pages, and the row in
  /// it, if pages have several rows.
  Value places;
  /// The number of rows that the contraction may read by the list: all rows if
  /// the list has room for them and all of them exist, otherwise none.
  Value numRows;
};
} // namespace

/// Moves `op` and the ops that it needs out of the loops on which it does not
/// depend.
static void moveOutOfLoops(Operation *op) {
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    options.filter = [&](Operation *other) {
      return loop.getRegion().isAncestor(other->getParentRegion()) &&
             !op->isProperAncestor(other);
    };
    SetVector<Operation *> slice;
    if (failed(getBackwardSlice(op, &slice, options)))
      return;
    for (Operation *other : slice) {
      bool isInvariant =
          other == op || (isPure(other) && other->getNumRegions() == 0);
      other->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          isInvariant &= !isa<BlockArgument>(operand) ||
                         operand.getParentBlock() != loop.getBody();
      });
      if (!isInvariant || other->getBlock() != loop.getBody())
        return;
    }
    for (Operation *other : slice)
      other->moveBefore(loop);
  }
}

/// Builds the list of the rows of `contraction`. There are `total` rows.
static RowList buildList(OpBuilder &b, PagedContraction &contraction,
                         OpFoldResult total) {
  PagedGatherOp gather = contraction.gather;
  Location loc = gather.getLoc();
  auto getIndex = [&](OpBuilder &b, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  bool hasRows = cast<ShapedType>(gather.getPool().getType())
                     .getDimSize(gather.getPoolRowDim()) != 1;
  Value places = tensor::EmptyOp::create(
      b, loc, {contraction.maxRows, hasRows ? 2 : 1}, b.getIndexType());
  Value end = getValueOrCreateConstantIndexOp(b, loc, total);
  Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, end,
                                        getIndex(b, contraction.maxRows));
  auto loop = scf::ForOp::create(
      b, loc, getIndex(b, 0), end, getIndex(b, 1), {places, isWhole},
      [&](OpBuilder &b, Location loc, Value iv, ValueRange args) {
        Value zero = getIndex(b, 0);
        SmallVector<Value> sequence(gather.getBatchDims().size(), zero);
        RowsInPool located = locateRows(b, gather, sequence, iv,
                                        b.getIndexAttr(1), /*numRows=*/1);
        SmallVector<Value> place = {located.page};
        if (hasRows)
          place.push_back(located.row);
        Value list = args[0];
        for (auto [column, coordinate] : llvm::enumerate(place))
          list = tensor::InsertOp::create(b, loc, coordinate, list,
                                          ValueRange{iv, getIndex(b, column)});
        Value exist = arith::AndIOp::create(b, loc, args[1], located.exist);
        scf::YieldOp::create(b, loc, {list, exist});
      });
  moveOutOfLoops(loop);
  Value numRows =
      arith::SelectOp::create(b, loc, loop.getResult(1),
                              getIndex(b, contraction.maxRows), getIndex(b, 0));
  return {loop.getResult(0), numRows};
}

/// Returns a view of the rows in `list`, and the map with which the contraction
/// reads it.
static std::pair<Value, AffineMap> viewListedRows(OpBuilder &b,
                                                  PagedContraction &contraction,
                                                  const RowList &list) {
  PagedGatherOp gather = contraction.gather;
  Location loc = gather.getLoc();
  AffineMap map = contraction.op.getMatchingIndexingMap(contraction.operand);
  Value pool = gather.getPool();
  auto type = cast<RankedTensorType>(pool.getType());
  int64_t pageDim = *gather.getPoolPageDim(), rowDim = gather.getPoolRowDim();
  SmallVector<int64_t> dims = {pageDim};
  SmallVector<AffineExpr> exprs = {map.getResult(gather.getSequenceDim())};
  if (cast<ShapedType>(list.places.getType()).getDimSize(1) == 2)
    dims.push_back(rowDim);
  OpFoldResults offsets(type.getRank(), b.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(b, loc, pool);
  SmallVector<int64_t> shape;
  for (auto [dim, resultDim] : llvm::enumerate(gather.getPoolDims())) {
    bool isRow = static_cast<int64_t>(dim) == rowDim;
    if (isRow && dims.size() == 1) {
      // If a page has only one row, the slice has no dimension for it.
      if (rowDim < pageDim)
        --dims.front();
      continue;
    }
    bool isListed = isRow || resultDim == PagedGatherOp::kPageDim;
    shape.push_back(isListed ? type.getDimSize(dim)
                             : cast<ShapedType>(gather.getOutput().getType())
                                   .getDimSize(resultDim));
    if (isListed)
      continue;
    sizes[dim] = b.getIndexAttr(shape.back());
    exprs.push_back(map.getResult(resultDim));
  }
  Value source = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), pool,
      offsets, sizes, getUnitStrides(b, offsets));
  Value view = ViewRowsOp::create(b, loc, source, list.places, dims);
  return {view, AffineMap::get(map.getNumDims(), 0, exprs, b.getContext())};
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

/// Builds a loop that contracts the rows of `list`, if it has any. Accumulates
/// in `init`, and returns the new value.
static Value contractListed(OpBuilder &b, PagedContraction &contraction,
                            const RowList &list, Value init) {
  Location loc = contraction.op.getLoc();
  // The view is built outside of the loop, because it is the same in all
  // iterations.
  auto [rows, map] = viewListedRows(b, contraction, list);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, contraction.maxRows);
  auto loop =
      scf::ForOp::create(b, loc, zero, list.numRows, step, init,
                         [&, rows = rows, map = map](OpBuilder &b, Location loc,
                                                     Value, ValueRange args) {
                           Value result = contractTile(
                               b, contraction, args.front(), zero,
                               b.getIndexAttr(contraction.maxRows), rows, map);
                           scf::YieldOp::create(b, loc, result);
                         });
  return loop.getResult(0);
}

/// Builds a loop over tiles of the rows from `begin` on. Accumulates in `init`,
/// and returns the new value.
static Value buildLoop(OpBuilder &b, PagedContraction &contraction, Value init,
                       Value begin, OpFoldResult total, Value memory) {
  Location loc = contraction.op.getLoc();
  Value step = arith::ConstantIndexOp::create(b, loc, contraction.numRows);
  AffineExpr d0, s0;
  bindDims(b.getContext(), d0);
  bindSymbols(b.getContext(), s0);
  // The loop carries the memory for gathered rows, so that its allocation stays
  // before the loop.
  auto loop = scf::ForOp::create(
      b, loc, begin, getValueOrCreateConstantIndexOp(b, loc, total), step,
      {init, memory},
      [&](OpBuilder &b, Location loc, Value iv, ValueRange args) {
        AffineExpr limit =
            getAffineConstantExpr(contraction.numRows, b.getContext());
        OpFoldResult size = b.getIndexAttr(contraction.numRows);
        std::optional<int64_t> all = getConstantIntValue(total);
        if (!all || *all % contraction.numRows != 0)
          size = affine::makeComposedFoldedAffineMin(
              b, loc, AffineMap::get(1, 1, {limit, s0 - d0}, b.getContext()),
              {iv, total});
        scf::YieldOp::create(
            b, loc, buildTile(b, contraction, iv, size, args[0], args[1]));
      });
  return loop.getResult(0);
}

LogicalResult mlir::linalg_ext::tileToPages(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            int64_t fewRows) {
  FailureOr<PagedContraction> matched =
      matchPagedContraction(op, fewRows, rewriter);
  if (failed(matched))
    return failure();
  PagedContraction &contraction = *matched;
  PagedGatherOp gather = contraction.gather;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  int64_t sequence = gather.getSequenceDim();
  OpFoldResult total =
      tensor::getMixedSize(rewriter, loc, gather.getOutput(), sequence);
  SmallVector<int64_t> shape(
      cast<ShapedType>(gather.getOutput().getType()).getShape());
  shape[sequence] = contraction.numRows;
  Value memory = tensor::EmptyOp::create(
      rewriter, loc, shape, getElementTypeOrSelf(gather.getOutput()));
  Value init = op.getDpsInits().front(),
        begin = arith::ConstantIndexOp::create(rewriter, loc, 0);
  if (contraction.isListed) {
    RowList list = buildList(rewriter, contraction, total);
    init = contractListed(rewriter, contraction, list, init);
    begin = list.numRows;
  }
  rewriter.replaceOp(
      op, buildLoop(rewriter, contraction, init, begin, total, memory));
  return success();
}
