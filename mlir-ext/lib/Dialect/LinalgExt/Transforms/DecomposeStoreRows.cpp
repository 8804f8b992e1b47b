//===- DecomposeStoreRows.cpp - Rows to pages and packed sequences --------===//
//
// Lists say where the rows of a sequence are stored. The rows of one sequence
// in a packed pool are one slice of the pool, and so is one row in a page. If
// nothing is stored, the size of the slice along the rows is 0, so no branch is
// needed.
//
//   1. If an scf.forall computes the rows in tiles that are such slices,
//      possibly followed by elementwise ops, the loop itself inserts them into
//      the pool. For tiles of which nothing is stored, the loops in its body
//      run no iteration.
//   2. Otherwise an scf.forall inserts one row, or a part of a long row, in
//      each iteration.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

static Value toValue(OpBuilder &b, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

static Value getSize(OpBuilder &b, Location loc, Value tensor, int64_t dim) {
  return toValue(b, loc, tensor::getMixedSize(b, loc, tensor, dim));
}

static OpFoldResults getUnitStrides(OpBuilder &b, size_t rank) {
  return OpFoldResults(rank, b.getIndexAttr(1));
}

//===----------------------------------------------------------------------===//
// Where rows go
//===----------------------------------------------------------------------===//

namespace {
/// The place in the pool for a tile of rows of one sequence. Only the first
/// `count` rows are stored; `count` may be 0.
struct StoredRows {
  Value page, row, count;
};

/// Computes places in the pool. The constructor builds the sizes.
class RowLocator {
public:
  RowLocator(StoreRowsOp op, OpBuilder &b) : op(op), loc(op.getLoc()) {
    Value pool = op.getPool();
    numListed = getSize(b, loc, pool,
                        op.getPoolPageDim().value_or(op.getPoolRowDim()));
    if (!op.isPaged())
      return;
    Value table = op.getTable();
    numEntries = getSize(b, loc, table,
                         cast<ShapedType>(table.getType()).getRank() - 1);
    pageSize = getSize(b, loc, pool, op.getPoolRowDim());
    if (getConstantIntValue(pageSize))
      return;
    // At least 1, so that nothing divides by 0.
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value isEmpty =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, pageSize, zero);
    numListed = arith::SelectOp::create(b, loc, isEmpty, zero, numListed);
    pageSize = arith::MaxUIOp::create(b, loc, pageSize, one);
  }

  /// Returns the place of the tile at `offsets`, which has `size` rows of one
  /// sequence. If the pool has pages, `size` must be 1.
  StoredRows locate(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                    OpFoldResult size);

private:
  Value readList(OpBuilder &b, Value list, ArrayRef<OpFoldResult> offsets);
  Value compare(OpBuilder &b, arith::CmpIPredicate predicate, Value lhs,
                Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  StoredRows locateInPage(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                          Value position, Value start, Value isStored);
  StoredRows locatePacked(OpBuilder &b, Value position, Value start,
                          OpFoldResult size, Value length, Value isStored);

  StoreRowsOp op;
  Location loc;
  /// The number of pages, or of rows in a packed pool.
  Value numListed;
  /// The number of entries of the table. For a table with a row for each
  /// sequence, the number of entries of a row.
  Value numEntries;
  Value pageSize;
};
} // namespace

/// Reads the element of `list` for the sequence of the tile at `offsets`.
Value RowLocator::readList(OpBuilder &b, Value list,
                           ArrayRef<OpFoldResult> offsets) {
  SmallVector<Value> indices;
  for (int64_t dim : op.getBatchDims())
    indices.push_back(toValue(b, loc, offsets[dim]));
  Value element = tensor::ExtractOp::create(b, loc, list, indices);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), element);
}

StoredRows RowLocator::locate(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                              OpFoldResult size) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isStored = arith::ConstantIntOp::create(b, loc, 1, /*width=*/1);
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    isStored = b.createOrFold<arith::AndIOp>(loc, isStored,
                                             compare(b, predicate, lhs, rhs));
  };
  Value position = toValue(b, loc, offsets[op.getSequenceDim()]);
  if (op.getOffsets()) {
    Value offset = readList(b, op.getOffsets(), offsets);
    require(arith::CmpIPredicate::sge, offset, zero);
    position = b.createOrFold<arith::AddIOp>(loc, position, offset);
  }
  Value start, length;
  if (op.getStarts()) {
    start = readList(b, op.getStarts(), offsets);
    require(arith::CmpIPredicate::sge, start, zero);
  }
  if (op.getLengths()) {
    length = readList(b, op.getLengths(), offsets);
    require(arith::CmpIPredicate::slt, position, length);
  }
  return op.isPaged()
             ? locateInPage(b, offsets, position, start, isStored)
             : locatePacked(b, position, start, size, length, isStored);
}

StoredRows RowLocator::locateInPage(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    Value position, Value start,
                                    Value isStored) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  AffineExpr d0, s0;
  bindDims(b.getContext(), d0);
  bindSymbols(b.getContext(), s0);
  OpFoldResult size = getAsOpFoldResult(pageSize);
  auto apply = [&](AffineExpr expr) {
    return toValue(b, loc,
                   affine::makeComposedFoldedAffineApply(
                       b, loc, AffineMap::get(1, 1, expr), {position, size}));
  };
  Value entry = apply(d0.floorDiv(s0)), row = apply(d0 % s0);
  if (start)
    entry = arith::AddIOp::create(b, loc, entry, start);
  isStored = b.createOrFold<arith::AndIOp>(
      loc, isStored, compare(b, arith::CmpIPredicate::ult, entry, numEntries));
  auto branch = scf::IfOp::create(
      b, loc, isStored,
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> indices;
        if (!op.hasFlatTable())
          for (int64_t dim : op.getBatchDims())
            indices.push_back(toValue(b, loc, offsets[dim]));
        indices.push_back(entry);
        Value page = b.createOrFold<arith::IndexCastOp>(
            loc, b.getIndexType(),
            tensor::ExtractOp::create(b, loc, op.getTable(), indices));
        Value exists = compare(b, arith::CmpIPredicate::ult, page, numListed);
        Value there = arith::SelectOp::create(b, loc, exists, page, zero);
        Value count = arith::SelectOp::create(b, loc, exists, one, zero);
        scf::YieldOp::create(b, loc, {there, count});
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, {zero, zero});
      });
  return {branch.getResult(0), row, branch.getResult(1)};
}

StoredRows RowLocator::locatePacked(OpBuilder &b, Value position, Value start,
                                    OpFoldResult size, Value length,
                                    Value isStored) {
  Value row = arith::AddIOp::create(b, loc, position, start);
  isStored = b.createOrFold<arith::AndIOp>(
      loc, isStored, compare(b, arith::CmpIPredicate::slt, row, numListed));
  // A slice of no rows must lie inside the pool, too.
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  row = arith::SelectOp::create(b, loc, isStored, row, zero);
  Value end = arith::SelectOp::create(b, loc, isStored, length, position);
  AffineExpr d0, d1, d2, d3;
  bindDims(b.getContext(), d0, d1, d2, d3);
  // An affine.min makes its bounds known to later passes.
  SmallVector<AffineExpr> sizes = {d0 - d1, d2 - d3};
  SmallVector<OpFoldResult> operands = {end, position, numListed, row};
  if (std::optional<int64_t> constant = getConstantIntValue(size)) {
    sizes.push_back(b.getAffineConstantExpr(*constant));
  } else {
    sizes.push_back(b.getAffineDimExpr(4));
    operands.push_back(size);
  }
  OpFoldResult count = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(operands.size(), 0, sizes, b.getContext()),
      operands);
  return {Value(), row, toValue(b, loc, count)};
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

/// Stores those rows of `tile` that `stored` selects in `pool`, at the end of
/// the iteration of `forall`. The tile has the given offsets and sizes in the
/// rows, and belongs to one sequence.
static void storeTile(OpBuilder &b, StoreRowsOp op, scf::ForallOp forall,
                      Value tile, Value pool, ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes, const StoredRows &stored) {
  Location loc = op.getLoc();
  auto tileType = cast<RankedTensorType>(tile.getType());
  int64_t sequence = op.getSequenceDim();

  // 1. Slice the rows to store, without the batch dimensions.
  SmallVector<int64_t> position(tileType.getRank(), -1);
  SmallVector<int64_t> shape;
  OpFoldResults partSizes(sizes);
  partSizes[sequence] = stored.count;
  for (int64_t dim = 0; dim < tileType.getRank(); ++dim) {
    if (llvm::is_contained(op.getBatchDims(), dim))
      continue;
    position[dim] = shape.size();
    shape.push_back(
        getConstantIntValue(partSizes[dim]).value_or(ShapedType::kDynamic));
  }
  Type elementType = tileType.getElementType();
  Value part = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, elementType), tile,
      OpFoldResults(sizes.size(), b.getIndexAttr(0)), partSizes,
      getUnitStrides(b, sizes.size()));

  // 2. Insert them at their place, without the dimension of pages.
  OpFoldResults poolOffsets, poolSizes;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> poolShape;
  for (int64_t dim : op.getPoolDims()) {
    if (dim == StoreRowsOp::kPageDim) {
      poolOffsets.push_back(stored.page);
      poolSizes.push_back(b.getIndexAttr(1));
      continue;
    }
    poolOffsets.push_back(dim == sequence ? OpFoldResult(stored.row)
                                          : offsets[dim]);
    poolSizes.push_back(partSizes[dim]);
    poolShape.push_back(shape[position[dim]]);
    exprs.push_back(b.getAffineDimExpr(position[dim]));
  }
  OpFoldResults strides = getUnitStrides(b, poolSizes.size());
  AffineMap toPool = AffineMap::get(exprs.size(), 0, exprs, b.getContext());
  if (!toPool.isIdentity()) {
    Value to = tensor::ExtractSliceOp::create(
        b, loc, RankedTensorType::get(poolShape, elementType), pool,
        poolOffsets, poolSizes, strides);
    SmallVector<utils::IteratorType> iterators(exprs.size(),
                                               utils::IteratorType::parallel);
    part = linalg::GenericOp::create(
               b, loc, to.getType(), part, to,
               {b.getMultiDimIdentityMap(exprs.size()), toPool}, iterators,
               [](OpBuilder &b, Location loc, ValueRange args) {
                 linalg::YieldOp::create(b, loc, args[0]);
               })
               .getResult(0);
  }
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, part, pool, poolOffsets,
                                        poolSizes, strides);
}

/// The most elements of a row that an iteration stores, so that a workgroup
/// holds them in registers.
static constexpr int64_t kMaxElements = 1024;

/// Returns the sizes of the part of one row that an iteration stores. 0 means
/// all of the row.
static SmallVector<int64_t> chooseTile(StoreRowsOp op) {
  auto type = cast<RankedTensorType>(op.getRows().getType());
  SmallVector<int64_t> tile(type.getRank(), 1);
  int64_t rest = kMaxElements;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    if (dim == static_cast<int64_t>(op.getSequenceDim()) ||
        llvm::is_contained(op.getBatchDims(), dim))
      continue;
    int64_t size = type.getDimSize(dim);
    bool isWhole = !ShapedType::isDynamic(size) && size <= rest;
    tile[dim] = isWhole ? 0 : rest;
    rest = isWhole ? rest / std::max<int64_t>(size, 1) : 1;
  }
  return tile;
}

/// Builds a loop whose iterations store one row each, or a part of a long row.
static scf::ForallOp storeRowByRow(RewriterBase &rewriter, StoreRowsOp op) {
  Location loc = op.getLoc();
  RowLocator locator(op, rewriter);
  Value rows = op.getRows();
  OpFoldResults sizes = tensor::getMixedSizes(rewriter, loc, rows);
  SmallVector<int64_t> tile = chooseTile(op), loops;
  OpFoldResults begins, ends, steps;
  for (auto [dim, size] : llvm::enumerate(tile)) {
    if (size == 0)
      continue;
    loops.push_back(dim);
    begins.push_back(rewriter.getIndexAttr(0));
    ends.push_back(sizes[dim]);
    steps.push_back(rewriter.getIndexAttr(size));
  }
  auto forall = scf::ForallOp::create(rewriter, loc, begins, ends, steps,
                                      op.getPool(), /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forall.getBody());
  OpFoldResults offsets(sizes.size(), rewriter.getIndexAttr(0));
  AffineExpr d0, s0;
  bindDims(rewriter.getContext(), d0);
  bindSymbols(rewriter.getContext(), s0);
  for (auto [dim, iv] : llvm::zip_equal(loops, forall.getInductionVars())) {
    offsets[dim] = iv;
    AffineExpr step = rewriter.getAffineConstantExpr(tile[dim]);
    sizes[dim] = tile[dim] == 1
                     ? OpFoldResult(rewriter.getIndexAttr(1))
                     : affine::makeComposedFoldedAffineMin(
                           rewriter, loc,
                           AffineMap::get(1, 1, {step, s0 - d0},
                                          rewriter.getContext()),
                           {iv, sizes[dim]});
  }
  StoredRows stored =
      locator.locate(rewriter, offsets, rewriter.getIndexAttr(1));
  Value row = tensor::ExtractSliceOp::create(
      rewriter, loc, rows, offsets, sizes,
      getUnitStrides(rewriter, sizes.size()));
  storeTile(rewriter, op, forall, row, forall.getRegionIterArgs().front(),
            offsets, sizes, stored);
  return forall;
}

//===----------------------------------------------------------------------===//
// Rows that a loop computes
//===----------------------------------------------------------------------===//

namespace {
/// A loop that computes the rows, and the insertion of a tile of them.
/// Elementwise ops may follow the loop; the list has the last one first.
struct ComputedRows {
  scf::ForallOp forall;
  unsigned result;
  tensor::ParallelInsertSliceOp insert;
  SmallVector<linalg::LinalgOp> elementwise;
};
} // namespace

/// Returns whether `user` alone reads the elements of `value`.
static bool isOnlyReader(Operation *user, Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *other) {
    return other == user || isa<tensor::DimOp>(other);
  });
}

/// Returns the op that computes each element of `rows` from the same element of
/// its only input, such as a conversion. Null if there is none.
static linalg::LinalgOp getElementwise(Value rows) {
  auto op = rows.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1 || op.getNumDpsInputs() != 1 ||
      op.getNumReductionLoops() != 0 || op.hasIndexSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return nullptr;
  return op;
}

/// Matches an scf.forall that computes the rows of `op` and may store them
/// itself. On failure, reports why.
static FailureOr<ComputedRows> matchComputedRows(StoreRowsOp op,
                                                 PatternRewriter &rewriter) {
  auto refuse = [&](const char *why) -> FailureOr<ComputedRows> {
    return rewriter.notifyMatchFailure(op, why);
  };
  SmallVector<linalg::LinalgOp> elementwise;
  Value rows = op.getRows();
  Operation *reader = op;
  while (linalg::LinalgOp computing = getElementwise(rows)) {
    if (!isOnlyReader(reader, rows))
      return refuse("others read the rows");
    elementwise.push_back(computing);
    reader = computing;
    rows = computing.getDpsInputs().front();
  }
  auto result = dyn_cast<OpResult>(rows);
  auto forall = result ? dyn_cast<scf::ForallOp>(result.getOwner()) : nullptr;
  if (!forall || forall->getBlock() != op->getBlock())
    return refuse("no scf.forall computes the rows");
  unsigned number = result.getResultNumber();
  if (!forall.getOutputs()[number].getDefiningOp<tensor::EmptyOp>())
    return refuse("the loop that computes the rows starts from others");
  if (!isOnlyReader(reader, result))
    return refuse("others read the rows");
  BlockArgument arg = forall.getRegionIterArgs()[number];
  SmallVector<Operation *> inserts = forall.getCombiningOps(arg);
  auto insert = inserts.size() == 1
                    ? dyn_cast<tensor::ParallelInsertSliceOp>(inserts.front())
                    : nullptr;
  if (!insert || insert.getSource() == arg ||
      insert.getSourceType().getRank() != insert.getDestType().getRank() ||
      !llvm::all_of(insert.getMixedStrides(), isOneInteger))
    return refuse("the loop inserts no tile of the rows");
  for (Operation *user : arg.getUsers())
    if (user != insert && !isa<tensor::ExtractSliceOp, tensor::DimOp>(user))
      return refuse("the loop reads the rows");
  OpFoldResults sizes = insert.getMixedSizes();
  for (int64_t dim : op.getBatchDims())
    if (!isOneInteger(sizes[dim]))
      return refuse("a tile has rows of several sequences");
  if (op.isPaged() && !isOneInteger(sizes[op.getSequenceDim()]))
    return refuse("a tile may have rows of several pages");
  // The loop moves to the op, behind the ops that compute the pool and the
  // lists.
  for (Operation *user : forall->getUsers())
    if (user != reader && !isa<tensor::DimOp>(user) &&
        (user->getBlock() != op->getBlock() || user->isBeforeInBlock(op)))
      return refuse("other results of the loop are used in front of the op");
  return ComputedRows{forall, number, insert, elementwise};
}

/// Replaces the uses of `tensor`, an uninitialised tensor with sizes `sizes`
/// that is being removed, by new uninitialised tensors.
static void replaceUninitialized(RewriterBase &rewriter, Value tensor,
                                 ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(rewriter);
  Type elementType = getElementTypeOrSelf(tensor);
  for (Operation *user : llvm::make_early_inc_range(tensor.getUsers())) {
    rewriter.setInsertionPoint(user);
    if (auto dim = dyn_cast<tensor::DimOp>(user)) {
      std::optional<int64_t> index = dim.getConstantIndex();
      Value size;
      if (index && *index < static_cast<int64_t>(sizes.size()))
        size = toValue(rewriter, dim.getLoc(), sizes[*index]);
      else
        size = tensor::DimOp::create(
            rewriter, dim.getLoc(),
            tensor::EmptyOp::create(rewriter, dim.getLoc(), sizes, elementType),
            dim.getIndex());
      rewriter.replaceOp(dim, size);
      continue;
    }
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      continue;
    OpFoldResults kept;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(dim))
        kept.push_back(size);
    Value empty =
        tensor::EmptyOp::create(rewriter, slice.getLoc(), kept, elementType);
    if (empty.getType() != slice.getType())
      empty = tensor::CastOp::create(rewriter, slice.getLoc(), slice.getType(),
                                     empty);
    rewriter.replaceOp(slice, empty);
  }
}

/// Makes the loops in `forall` run no iteration if `count`, the number of rows
/// of the tile, is 0.
static void skipLoops(RewriterBase &rewriter, scf::ForallOp forall,
                      Value count) {
  OpBuilder::InsertionGuard guard(rewriter);
  Value isStored;
  for (auto loop : forall.getBody()->getOps<scf::ForOp>()) {
    Operation *counting = count.getDefiningOp();
    if (!counting || counting->getBlock() != loop->getBlock() ||
        !counting->isBeforeInBlock(loop))
      continue;
    if (!isStored) {
      rewriter.setInsertionPointAfter(counting);
      Value zero =
          arith::ConstantIndexOp::create(rewriter, loop.getLoc(), 0);
      isStored = arith::CmpIOp::create(rewriter, loop.getLoc(),
                                       arith::CmpIPredicate::sgt, count, zero);
    }
    rewriter.setInsertionPoint(loop);
    Value end =
        arith::SelectOp::create(rewriter, loop.getLoc(), isStored,
                                loop.getUpperBound(), loop.getLowerBound());
    rewriter.modifyOpInPlace(loop, [&] { loop.setUpperBound(end); });
  }
}

/// Sets the insertion point to the first place in the body of `forall` where
/// `values` are defined.
static void setInsertionPointAfter(RewriterBase &rewriter, scf::ForallOp forall,
                                   ArrayRef<OpFoldResult> values) {
  Operation *last = nullptr;
  for (OpFoldResult value : values) {
    auto known = dyn_cast<Value>(value);
    Operation *def = known ? known.getDefiningOp() : nullptr;
    if (def && def->getBlock() == forall.getBody() &&
        (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  if (last)
    rewriter.setInsertionPointAfter(last);
  else
    rewriter.setInsertionPointToStart(forall.getBody());
}

/// Lets the loop that computes the rows store them.
static void storeComputedRows(RewriterBase &rewriter, StoreRowsOp op,
                              const ComputedRows &rows) {
  scf::ForallOp forall = rows.forall;
  OpFoldResults rowsSizes = forall.getOutputs()[rows.result]
                                .getDefiningOp<tensor::EmptyOp>()
                                .getMixedSizes();

  // 1. Rebuild the loop with the pool in place of the rows.
  rewriter.setInsertionPoint(op);
  RowLocator locator(op, rewriter);
  auto outputs = llvm::to_vector_of<Value>(forall.getOutputs());
  outputs[rows.result] = op.getPool();
  auto stores = scf::ForallOp::create(
      rewriter, forall.getLoc(), forall.getMixedLowerBound(),
      forall.getMixedUpperBound(), forall.getMixedStep(), outputs,
      forall.getMapping());
  rewriter.eraseOp(stores.getTerminator());
  BlockArgument pool = stores.getRegionIterArgs()[rows.result];
  BlockArgument old = forall.getRegionIterArgs()[rows.result];
  replaceUninitialized(rewriter, old, rowsSizes);
  rewriter.mergeBlocks(forall.getBody(), stores.getBody(),
                       stores.getBody()->getArguments());

  // 2. Store the selected rows of each tile instead of inserting the tile.
  tensor::ParallelInsertSliceOp insert = rows.insert;
  OpFoldResults offsets = insert.getMixedOffsets(),
                sizes = insert.getMixedSizes(), known = offsets;
  Value tile = insert.getSource();
  llvm::append_range(known, sizes);
  setInsertionPointAfter(rewriter, stores, known);
  StoredRows stored =
      locator.locate(rewriter, offsets, sizes[op.getSequenceDim()]);
  rewriter.eraseOp(insert);
  rewriter.setInsertionPoint(stores.getTerminator());
  for (linalg::LinalgOp computing : llvm::reverse(rows.elementwise)) {
    Type type = getElementTypeOrSelf(computing->getResultTypes().front());
    Value empty = tensor::EmptyOp::create(
        rewriter, computing.getLoc(),
        tensor::getMixedSizes(rewriter, computing.getLoc(), tile), type);
    auto tileType = cast<RankedTensorType>(tile.getType()).clone(type);
    if (empty.getType() != tileType)
      empty = tensor::CastOp::create(rewriter, computing.getLoc(), tileType,
                                     empty);
    tile = mlir::clone(rewriter, computing.getOperation(), {tileType},
                       {tile, empty})
               ->getResult(0);
  }
  storeTile(rewriter, op, stores, tile, pool, offsets, sizes, stored);
  // If the loop has other results, they are computed for all rows, so its inner
  // loops must not be skipped.
  bool isForRows = llvm::all_of(forall->getResults(), [&](OpResult result) {
    return result.getResultNumber() == rows.result || result.use_empty();
  });
  if (isForRows)
    skipLoops(rewriter, stores, stored.count);

  // 3. Take sizes of the rows from the initial value of the old loop.
  rewriter.replaceOp(op, stores->getResult(rows.result));
  for (linalg::LinalgOp computing : rows.elementwise) {
    replaceUninitialized(rewriter, computing->getResult(0), rowsSizes);
    rewriter.eraseOp(computing);
  }
  replaceUninitialized(rewriter, forall->getResult(rows.result), rowsSizes);
  rewriter.replaceOp(forall, stores->getResults());
}

namespace {
struct DecomposeStoreRows : public OpRewritePattern<StoreRowsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreRowsOp op,
                                PatternRewriter &rewriter) const override {
    if (!cast<DestinationStyleOpInterface>(op.getOperation())
             .hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expected tensors, got buffers");
    FailureOr<ComputedRows> rows = matchComputedRows(op, rewriter);
    if (succeeded(rows)) {
      storeComputedRows(rewriter, op, *rows);
      return success();
    }
    rewriter.replaceOp(op, storeRowByRow(rewriter, op));
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateDecomposeStoreRowsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeStoreRows>(patterns.getContext());
}
