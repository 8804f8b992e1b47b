//===- RaisePagedGather.cpp - Gathers of rows that contractions read ------===//
//
// Importers write a gather as a structured op whose payload extracts an element
// of a pool, at a position that comes from a table. It becomes a
// linalg_ext.paged_gather of pages of one row. Reshapes and transposes after it
// then become part of the op. A reshape that merges the pages with a dimension
// inside them makes the pages longer; one that splits the sequence may make the
// rows of pages. Payloads that divide positions by the rows of a page are in
// PagesByPosition.cpp.
//
//===----------------------------------------------------------------------===//

#include "PagesByPosition.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/SliceOfGather.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// A structured op whose result is an element of `pool`. One dimension of the
/// pool is indexed by the scalar `page`, the others by dimensions of the
/// result. `page` depends on the dimensions `tableDims` of the result, which
/// are in ascending order.
struct RowGather {
  Value pool, page;
  /// For each dimension of the pool: the dimension of the result, or -1 for the
  /// page.
  SmallVector<int64_t> poolDims;
  SmallVector<int64_t> tableDims;
};
} // namespace

static bool isInPayload(LinalgOp op, Value value) {
  return op->getRegion(0).isAncestor(value.getParentRegion());
}

/// Returns the dimension of the iteration domain whose index is `index`.
static std::optional<int64_t> getLoopDim(Value index) {
  if (auto op = skipIndexCasts(index).getDefiningOp<linalg::IndexOp>())
    return op.getDim();
  return std::nullopt;
}

/// Returns whether elementwise ops compute `table` from positions and, with
/// `mayBroadcast`, from constants and tensors with fewer dimensions. Such a
/// table is larger than the values that it is computed from, so it is better
/// computed where it is read.
static bool isOfLess(Value table, bool mayBroadcast) {
  llvm::SetVector<Value> values;
  values.insert(table);
  for (unsigned i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (mayBroadcast && matchPattern(value, m_Constant()))
      continue;
    Operation *def = value.getDefiningOp();
    if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def)) {
      values.insert(def->getOperand(0));
      continue;
    }
    auto op = dyn_cast_or_null<LinalgOp>(def);
    if (!op || op.getNumParallelLoops() != op.getNumLoops())
      return false;
    for (OpOperand *input : op.getDpsInputOperands())
      if (!op.isScalar(input) &&
          !(mayBroadcast && !op.getMatchingIndexingMap(input).isPermutation()))
        values.insert(input->get());
  }
  return true;
}

/// Adds the dimensions on which `value`, in the payload of `op`, depends. Fails
/// unless it is computed by arithmetic from elements of tables. Also fails if
/// such a table is larger than the values that it is computed from
/// (`isOfLess`). `seen` has the values that were visited.
static LogicalResult addTableDims(LinalgOp op, Value value, bool mayBroadcast,
                                  llvm::SetVector<int64_t> &dims,
                                  llvm::SmallDenseSet<Value> &seen) {
  if (!isInPayload(op, value) || !seen.insert(value).second)
    return success();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    OpOperand *operand = op.getMatchingOpOperand(arg);
    if (op.isDpsInit(operand) || isOfLess(operand->get(), mayBroadcast))
      return failure();
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        dims.insert(dim.getPosition());
      else if (!isa<AffineConstantExpr>(expr))
        return failure();
    }
    return success();
  }
  Operation *def = value.getDefiningOp();
  if (auto extract = dyn_cast<tensor::ExtractOp>(def)) {
    if (isInPayload(op, extract.getTensor()))
      return failure();
    for (Value index : extract.getIndices()) {
      if (std::optional<int64_t> dim = getLoopDim(index))
        dims.insert(*dim);
      else if (failed(addTableDims(op, index, mayBroadcast, dims, seen)))
        return failure();
    }
    return success();
  }
  if (!isPure(def) || def->getNumRegions() > 0 || isa<linalg::IndexOp>(def))
    return failure();
  return success(llvm::all_of(def->getOperands(), [&](Value operand) {
    return succeeded(addTableDims(op, operand, mayBroadcast, dims, seen));
  }));
}

static LogicalResult addTableDims(LinalgOp op, Value value, bool mayBroadcast,
                                  llvm::SetVector<int64_t> &dims) {
  llvm::SmallDenseSet<Value> seen;
  return addTableDims(op, value, mayBroadcast, dims, seen);
}

static std::optional<RowGather> matchRowGather(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  auto extract = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  // The payload must have no other effects, such as an assertion.
  if (!extract || extract->getBlock() != op.getBlock() ||
      isInPayload(op, extract.getTensor()) ||
      !extract.getType().isSignlessIntOrIndexOrFloat() ||
      !llvm::all_of(*op.getBlock(), [](Operation &nested) {
        return isMemoryEffectFree(&nested);
      }))
    return std::nullopt;
  RowGather gather;
  gather.pool = extract.getTensor();
  ArrayRef<int64_t> poolShape = extract.getTensor().getType().getShape();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  llvm::SetVector<int64_t> seen;
  for (auto [poolDim, index] : llvm::enumerate(extract.getIndices())) {
    std::optional<int64_t> dim = getLoopDim(index);
    gather.poolDims.push_back(dim.value_or(PagedGatherOp::kPageDim));
    // Whole rows must be gathered.
    if (dim ? !seen.insert(*dim) || failed(verifyCompatibleDims(
                                        {shape[*dim], poolShape[poolDim]}))
            : gather.page != nullptr)
      return std::nullopt;
    if (!dim)
      gather.page = index;
  }
  // If single elements are gathered, not rows, the elements are no larger than
  // the table that says where they are.
  bool isElement = gather.poolDims.back() == PagedGatherOp::kPageDim;
  llvm::SetVector<int64_t> dims;
  if (!gather.page ||
      failed(addTableDims(op, gather.page, /*mayBroadcast=*/isElement, dims)) ||
      dims.empty() || dims.size() + seen.size() != op.getNumLoops() ||
      llvm::any_of(dims, [&](int64_t dim) { return seen.contains(dim); }))
    return std::nullopt;
  gather.tableDims = llvm::to_vector(dims);
  llvm::sort(gather.tableDims);
  return gather;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Clones the ops that compute `value` in the payload of `op` and are the same
/// for all elements, such as the size of a tensor, to a place where their
/// operands are defined. Returns whether these are all ops that `value` needs.
/// Adds the others to `others`.
static bool hoist(OpBuilder &b, LinalgOp op, Value value, IRMapping &mapping,
                  llvm::SmallDenseSet<Value> &others) {
  if (mapping.contains(value) || !isInPayload(op, value))
    return true;
  Operation *def = value.getDefiningOp();
  if (!def || isa<linalg::IndexOp>(def) || others.contains(value))
    return false;
  bool isSame = true;
  for (Value operand : def->getOperands())
    isSame &= hoist(b, op, operand, mapping, others);
  if (!isSame) {
    others.insert(value);
    return false;
  }
  OpBuilder::InsertionGuard guard(b);
  Operation *last = nullptr;
  for (Value operand : def->getOperands()) {
    Operation *known = mapping.lookupOrDefault(operand).getDefiningOp();
    if (known && known->getBlock() == op->getBlock() &&
        (!last || last->isBeforeInBlock(known)))
      last = known;
  }
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(op->getBlock());
  b.clone(*def, mapping);
  return true;
}

/// Clones the ops that compute `value` in the payload of `op` into another op,
/// whose loop i is the loop dims[i] of `op`.
static Value cloneScalar(OpBuilder &b, LinalgOp op, Value value,
                         ArrayRef<int64_t> dims, IRMapping &mapping) {
  if (mapping.contains(value) || !isInPayload(op, value))
    return mapping.lookupOrDefault(value);
  Operation *def = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    int64_t at = llvm::find(dims, int64_t(index.getDim())) - dims.begin();
    Value clone = linalg::IndexOp::create(b, index.getLoc(), at);
    mapping.map(value, clone);
    return clone;
  }
  for (Value operand : def->getOperands())
    (void)cloneScalar(b, op, operand, dims, mapping);
  b.clone(*def, mapping);
  return mapping.lookup(value);
}

/// Returns reassociation groups for `rank` dimensions, one group for each
/// dimension that is kept. A dropped dimension is in the group of the next one
/// that is kept.
static SmallVector<ReassociationIndices>
getGroupsWithDropped(int64_t rank,
                     llvm::function_ref<bool(int64_t)> isDropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  for (int64_t dim = 0; dim < rank; ++dim) {
    group.push_back(dim);
    if (!isDropped(dim))
      groups.push_back(std::exchange(group, {}));
  }
  if (!groups.empty())
    llvm::append_range(groups.back(), group);
  return groups;
}

/// Returns the slice that computes `value`, looking through reshapes that only
/// change dimensions of size 1.
static tensor::ExtractSliceOp getSlice(Value value) {
  auto getOthers = [](Type type) {
    SmallVector<int64_t> sizes(cast<RankedTensorType>(type).getShape());
    llvm::erase(sizes, 1);
    return sizes;
  };
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def) ||
        getOthers(def->getOperand(0).getType()) != getOthers(value.getType()))
      return dyn_cast<tensor::ExtractSliceOp>(def);
    value = def->getOperand(0);
  }
  return {};
}

/// Drops the dimensions of `value` for which `isDropped` is true. They must
/// have size 1, and at least one dimension must be kept. A slice is rebuilt to
/// drop the dimensions itself; a table that is a reshape of a slice would not
/// be a part of memory.
static Value dropUnitDims(OpBuilder &b, Location loc, Value value,
                          llvm::function_ref<bool(int64_t)> isDropped) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!isDropped(dim))
      shape.push_back(size);
  if (shape.size() == type.getShape().size())
    return value;
  type = type.clone(shape);
  tensor::ExtractSliceOp slice = getSlice(value);
  if (slice && isRankReducedType(RankedTensorType::get(slice.getStaticSizes(),
                                                       type.getElementType()),
                                 type) == SliceVerificationResult::Success)
    return tensor::ExtractSliceOp::create(
        b, loc, type, slice.getSource(), slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
  return tensor::CollapseShapeOp::create(
      b, loc, type, value,
      getGroupsWithDropped(cast<RankedTensorType>(value.getType()).getRank(),
                           isDropped));
}

/// Replaces dimension `dim` of `value` by dimensions with the sizes `sizes`.
/// Returns null if a slice takes only a part of that dimension.
static Value expandDim(OpBuilder &b, Location loc, Value value, int64_t dim,
                       ArrayRef<int64_t> sizes) {
  if (sizes.size() == 1)
    return value;
  auto expand = [&](SmallVector<int64_t> shape, int64_t dim) {
    shape.erase(shape.begin() + dim);
    shape.insert(shape.begin() + dim, sizes.begin(), sizes.end());
    return shape;
  };
  auto type = cast<RankedTensorType>(value.getType());
  auto newType = type.clone(expand(llvm::to_vector(type.getShape()), dim));
  if (tensor::ExtractSliceOp slice = getSlice(value)) {
    // The slice must take all of its last dimension.
    Value source = slice.getSource();
    int64_t last = slice.getSourceType().getRank() - 1;
    if (dim + 1 != type.getRank() || !slice.hasUnitStride() ||
        slice.getStaticOffset(last) != 0 ||
        slice.getStaticSize(last) != type.getDimSize(dim) ||
        slice.getSourceType().getDimSize(last) != type.getDimSize(dim))
      return {};
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                              extents = slice.getMixedSizes();
    extents.pop_back();
    for (int64_t size : sizes)
      extents.push_back(b.getIndexAttr(size));
    offsets.resize(extents.size(), b.getIndexAttr(0));
    SmallVector<int64_t> staticExtents =
        expand(llvm::to_vector(slice.getStaticSizes()), last);
    if (isRankReducedType(
            RankedTensorType::get(staticExtents, type.getElementType()),
            newType) != SliceVerificationResult::Success)
      return {};
    return tensor::ExtractSliceOp::create(
        b, loc, newType, expandDim(b, loc, source, last, sizes), offsets,
        extents, SmallVector<OpFoldResult>(extents.size(), b.getIndexAttr(1)));
  }
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    int64_t count = i == dim ? sizes.size() : 1;
    groups.push_back(
        llvm::to_vector<2>(llvm::seq<int64_t>(next, next + count)));
    next += count;
  }
  return tensor::ExpandShapeOp::create(b, loc, newType, value, groups);
}

/// Returns the map of `operand` over the loops `dims` of `op`.
static AffineMap getMapOfDims(LinalgOp op, OpOperand *operand,
                              ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    exprs.push_back(
        dim ? getAffineDimExpr(llvm::find(dims, int64_t(dim.getPosition())) -
                                   dims.begin(),
                               op->getContext())
            : expr);
  }
  return AffineMap::get(dims.size(), 0, exprs, op->getContext());
}

/// Builds a tensor with the dimensions `dims`. Its elements are the results of
/// `finish` for `value`, a scalar in the payload of `op` that depends on these
/// loops.
static Value
buildEntries(OpBuilder &b, LinalgOp op, ArrayRef<int64_t> dims, Value value,
             llvm::function_ref<Value(OpBuilder &, Location, Value)> finish) {
  Location loc = op.getLoc();
  SmallVector<Value> inputs, args;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(operand);
    bool isOfDims = llvm::all_of(
        op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
          auto dim = dyn_cast<AffineDimExpr>(expr);
          return dim ? llvm::is_contained(dims, int64_t(dim.getPosition()))
                     : isa<AffineConstantExpr>(expr);
        });
    if (!isOfDims || !isa<RankedTensorType>(operand->get().getType()))
      continue;
    inputs.push_back(operand->get());
    args.push_back(arg);
    maps.push_back(getMapOfDims(op, operand, dims));
  }
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : dims)
    sizes.push_back(
        tensor::getMixedSize(b, loc, op.getDpsInits().front(), dim));
  unsigned rank = sizes.size();
  maps.push_back(b.getMultiDimIdentityMap(rank));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, b.getI64Type());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  IRMapping mapping;
  llvm::SmallDenseSet<Value> others;
  (void)hoist(b, op, value, mapping, others);
  auto entries = linalg::GenericOp::create(
      b, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange newArgs) {
        mapping.map(ValueRange(args), newArgs.drop_back());
        Value entry = finish(b, loc, cloneScalar(b, op, value, dims, mapping));
        if (entry.getType().isIndex())
          entry = arith::IndexCastOp::create(b, loc, b.getI64Type(), entry);
        linalg::YieldOp::create(b, loc, entry);
      });
  return entries.getResult(0);
}

/// Returns the table of `gather`: an existing tensor, or a computed one.
static Value buildTable(OpBuilder &b, LinalgOp op, const RowGather &gather) {
  Value source = skipIndexCasts(gather.page);
  if (auto arg = dyn_cast<BlockArgument>(source);
      arg && isInPayload(op, arg) &&
      (source.getType().isIndex() || source.getType().isInteger(32) ||
       source.getType().isInteger(64))) {
    OpOperand *operand = op.getMatchingOpOperand(arg);
    // Without its dimensions of size 1, the tensor has one entry for each
    // position.
    AffineMap map = getMapOfDims(op, operand, gather.tableDims);
    auto type = cast<RankedTensorType>(operand->get().getType());
    auto isDropped = [&](int64_t dim) {
      return type.getDimSize(dim) == 1 &&
             isa<AffineConstantExpr>(map.getResult(dim));
    };
    SmallVector<AffineExpr> kept;
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (!isDropped(dim))
        kept.push_back(expr);
    if (AffineMap::get(map.getNumDims(), 0, kept, b.getContext()).isIdentity())
      return dropUnitDims(b, op.getLoc(), operand->get(), isDropped);
  }

  return buildEntries(b, op, gather.tableDims, gather.page,
                      [](OpBuilder &, Location, Value page) { return page; });
}

/// Adds a dimension of size 1 after that of the pages, so that pages have one
/// row.
static Value addRowDim(OpBuilder &b, Location loc, Value pool,
                       int64_t pageDim) {
  auto type = cast<RankedTensorType>(pool.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    groups.emplace_back(1, shape.size());
    shape.push_back(type.getDimSize(dim));
    sizes.push_back(tensor::getMixedSize(b, loc, pool, dim));
    if (dim != pageDim)
      continue;
    groups.back().push_back(shape.size());
    shape.push_back(1);
    sizes.push_back(b.getIndexAttr(1));
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), pool, groups,
      sizes);
}

/// If `page` of `op` is an entry of a matrix, at the loop `sequence` along a
/// row of it, returns the number of the row. It must depend only on other
/// loops. Returns null otherwise.
static Value getRowOfTable(LinalgOp op, Value page, int64_t sequence) {
  auto extract = skipIndexCasts(page).getDefiningOp<tensor::ExtractOp>();
  if (!extract || isInPayload(op, extract.getTensor()) ||
      extract.getIndices().size() != 2 ||
      getLoopDim(extract.getIndices()[1]) != sequence ||
      !(extract.getType().isIndex() || extract.getType().isInteger(32) ||
        extract.getType().isInteger(64)))
    return {};
  Value row = extract.getIndices().front();
  llvm::SetVector<int64_t> dims;
  if (getLoopDim(row) ||
      failed(addTableDims(op, row, /*mayBroadcast=*/true, dims)) ||
      dims.empty() || dims.contains(sequence))
    return {};
  return row;
}

static PagedGatherOp buildGather(RewriterBase &rewriter, LinalgOp op,
                                 const RowGather &gather) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  int64_t sequence = gather.tableDims.back();
  ArrayRef<int64_t> batch = ArrayRef(gather.tableDims).drop_back();
  Value table, starts;
  if (Value row = getRowOfTable(op, gather.page, sequence)) {
    // All rows form one table, in which each row has a start.
    auto extract =
        skipIndexCasts(gather.page).getDefiningOp<tensor::ExtractOp>();
    Value rows = extract.getTensor();
    Value size = getValueOrCreateConstantIndexOp(
        rewriter, loc, tensor::getMixedSize(rewriter, loc, rows, 1));
    starts = buildEntries(
        rewriter, op, batch, row, [&](OpBuilder &b, Location loc, Value row) {
          if (!row.getType().isIndex())
            row = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
          return arith::MulIOp::create(b, loc, row, size).getResult();
        });
    table = tensor::CollapseShapeOp::create(
        rewriter, loc, rows, SmallVector<ReassociationIndices>{{0, 1}});
  } else {
    table = buildTable(rewriter, op, gather);
  }
  int64_t pageDim = llvm::find(gather.poolDims, PagedGatherOp::kPageDim) -
                    gather.poolDims.begin();
  SmallVector<int64_t> poolDims = gather.poolDims;
  poolDims.insert(poolDims.begin() + pageDim + 1, sequence);
  return PagedGatherOp::create(
      rewriter, loc, op->getResultTypes(),
      addRowDim(rewriter, loc, gather.pool, pageDim), table, starts,
      /*lengths=*/Value(), /*offset=*/Value(), op.getDpsInits().front(),
      sequence, batch, poolDims);
}

//===----------------------------------------------------------------------===//
// Reshapes and transposes
//===----------------------------------------------------------------------===//

/// Returns the number of rows of a page, or std::nullopt if it is not known.
static std::optional<int64_t> getPageSize(PagedGatherOp op) {
  int64_t size = cast<RankedTensorType>(op.getPool().getType())
                     .getDimSize(op.getPoolRowDim());
  if (ShapedType::isDynamic(size))
    return std::nullopt;
  return size;
}

/// Returns whether whole pages are gathered, in the order of the table.
static bool gathersWholePages(PagedGatherOp op) {
  return op.isPaged() && !op.getStarts() && !op.getLengths() && !op.getOffset();
}

/// Builds a gather like `op` whose result has the sizes `sizes`.
static PagedGatherOp
rebuild(RewriterBase &rewriter, PagedGatherOp op, Value pool, Value table,
        ArrayRef<OpFoldResult> sizes, RankedTensorType type, int64_t sequence,
        ArrayRef<int64_t> batch, ArrayRef<int64_t> poolDims) {
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                        type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(rewriter, op.getLoc(), type, empty);
  return PagedGatherOp::create(
      rewriter, op.getLoc(), TypeRange(type), pool, table, op.getStarts(),
      op.getLengths(), op.getOffset(), empty, sequence, batch, poolDims);
}

/// Returns the permutation of `op`, if it only permutes its operand: dimension
/// i of the result is dimension permutation[i] of the operand.
static std::optional<SmallVector<int64_t>> getPermutation(Operation *op) {
  auto copy = dyn_cast<LinalgOp>(op);
  if (!copy || !copy.hasPureTensorSemantics() || copy.getNumDpsInputs() != 1 ||
      copy.getNumDpsInits() != 1 ||
      copy.getNumParallelLoops() != copy.getNumLoops() ||
      copy.getBlock()->getTerminator()->getOperand(0) !=
          copy.getBlock()->getArgument(0))
    return std::nullopt;
  AffineMap input = copy.getMatchingIndexingMap(copy.getDpsInputOperand(0)),
            output = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  if (!input.isPermutation() || !output.isPermutation() ||
      getElementTypeOrSelf(copy.getDpsInputs().front()) !=
          getElementTypeOrSelf(copy.getDpsInits().front()))
    return std::nullopt;
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : output.getResults())
    permutation.push_back(*input.getResultPosition(expr));
  return permutation;
}

static PagedGatherOp foldTranspose(RewriterBase &rewriter, PagedGatherOp op,
                                   Operation *transpose) {
  std::optional<SmallVector<int64_t>> permutation = getPermutation(transpose);
  if (!permutation)
    return {};
  auto getDim = [&](int64_t dim) -> int64_t {
    return dim == PagedGatherOp::kPageDim
               ? dim
               : llvm::find(*permutation, dim) - permutation->begin();
  };
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : *permutation)
    sizes.push_back(
        tensor::getMixedSize(rewriter, op.getLoc(), op.getOutput(), dim));
  return rebuild(rewriter, op, op.getPool(), op.getTable(), sizes,
                 cast<RankedTensorType>(transpose->getResult(0).getType()),
                 getDim(op.getSequenceDim()),
                 llvm::map_to_vector(op.getBatchDims(), getDim),
                 llvm::map_to_vector(op.getPoolDims(), getDim));
}

/// Folds `collapse` into the gather, if it merges the dimension of pages and
/// that of rows in a page. If it merges other dimensions as well, sets `rest`
/// to a reshape that does so.
static PagedGatherOp foldCollapse(RewriterBase &rewriter, PagedGatherOp op,
                                  tensor::CollapseShapeOp collapse,
                                  Value &rest) {
  int64_t sequence = op.getSequenceDim(), row = sequence + 1;
  if (!gathersWholePages(op) || getPageSize(op) != 1 ||
      op.getPoolRowDim() != *op.getPoolPageDim() + 1 ||
      !llvm::is_contained(op.getPoolDims(), row) ||
      !llvm::is_contained(collapse.getReassociationIndices(),
                          ReassociationIndices{sequence, row}))
    return {};
  int64_t rowDim = op.getPoolRowDim();
  Location loc = op.getLoc();
  auto getDim = [&](int64_t dim) { return dim > sequence ? dim - 1 : dim; };
  SmallVector<int64_t> poolDims;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, resultDim] : llvm::enumerate(op.getPoolDims())) {
    if (static_cast<int64_t>(dim) == rowDim) {
      groups.back().push_back(dim);
      continue;
    }
    groups.emplace_back(1, dim);
    poolDims.push_back(getDim(resultDim));
  }
  Value pool =
      rewriter.createOrFold<tensor::CollapseShapeOp>(loc, op.getPool(), groups);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getOutput());
  AffineExpr d0, d1;
  bindSymbols(rewriter.getContext(), d0, d1);
  sizes[sequence] = affine::makeComposedFoldedAffineApply(
      rewriter, loc, d0 * d1, {sizes[sequence], sizes[row]});
  sizes.erase(sizes.begin() + row);
  RankedTensorType type = collapse.getResultType();
  bool hasRest = type.getRank() + 1 < collapse.getSrcType().getRank();
  if (hasRest) {
    auto shape = llvm::to_vector(collapse.getSrcType().getShape());
    int64_t rows = shape[row];
    shape.erase(shape.begin() + row);
    shape[sequence] =
        ShapedType::isDynamic(rows) || ShapedType::isDynamic(shape[sequence])
            ? ShapedType::kDynamic
            : shape[sequence] * rows;
    type = RankedTensorType::get(shape, type.getElementType());
  }
  PagedGatherOp next =
      rebuild(rewriter, op, pool, op.getTable(), sizes, type, sequence,
              llvm::map_to_vector(op.getBatchDims(), getDim), poolDims);
  if (!hasRest)
    return next;
  SmallVector<ReassociationIndices> others;
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    others.emplace_back();
    for (int64_t dim : group)
      if (dim != row)
        others.back().push_back(getDim(dim));
  }
  rest = tensor::CollapseShapeOp::create(
      rewriter, loc, collapse.getResultType(), next->getResult(0), others);
  return next;
}

/// Folds `expand`, which splits the sequence into several dimensions. The
/// dimension in which a page ends becomes the sequence. Dimensions before it
/// count sequences, and dimensions after it become part of a row.
static PagedGatherOp foldExpand(RewriterBase &rewriter, PagedGatherOp op,
                                tensor::ExpandShapeOp expand) {
  int64_t sequence = op.getSequenceDim();
  std::optional<int64_t> pageSize = getPageSize(op);
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  if (!gathersWholePages(op) || !pageSize ||
      !llvm::all_of(llvm::enumerate(groups), [&](auto group) {
        return static_cast<int64_t>(group.index()) == sequence ||
               group.value().size() == 1;
      }))
    return {};
  RankedTensorType type = expand.getResultType();
  ArrayRef<int64_t> split =
      type.getShape().slice(sequence, groups[sequence].size());
  auto tableType = cast<RankedTensorType>(op.getTable().getType());
  if (ShapedType::isDynamicShape(split) || llvm::is_contained(split, 0))
    return {};
  int64_t at = split.size() - 1, rowSize = 1;
  while (at > 0 && rowSize * split[at] < *pageSize)
    rowSize *= split[at--];
  int64_t rows = *pageSize / rowSize;
  if (rows * rowSize != *pageSize || split[at] % rows != 0)
    return {};
  SmallVector<int64_t> tableSplit(split.take_front(at));
  tableSplit.push_back(split[at] / rows);
  if (tableType.getShape().back() != llvm::product_of(tableSplit))
    return {};

  Location loc = op.getLoc();
  SmallVector<int64_t> rowSplit{rows};
  llvm::append_range(rowSplit, split.drop_front(at + 1));
  Value table = expandDim(rewriter, loc, op.getTable(), tableType.getRank() - 1,
                          tableSplit);
  Value pool = table ? expandDim(rewriter, loc, op.getPool(),
                                 op.getPoolRowDim(), rowSplit)
                     : Value();
  if (!pool)
    return {};

  auto getDim = [&](int64_t dim) -> int64_t {
    return dim > sequence ? dim + split.size() - 1 : dim;
  };
  SmallVector<int64_t> batch = llvm::map_to_vector(op.getBatchDims(), getDim);
  llvm::append_range(batch, llvm::seq(sequence, sequence + at));
  SmallVector<int64_t> poolDims;
  for (int64_t dim : op.getPoolDims()) {
    if (dim == sequence)
      llvm::append_range(
          poolDims, llvm::seq<int64_t>(sequence + at, sequence + split.size()));
    else
      poolDims.push_back(getDim(dim));
  }
  return rebuild(rewriter, op, pool, table, getOutputShape(expand), type,
                 sequence + at, batch, poolDims);
}

Value mlir::linalg_ext::sliceOfGatheredRows(RewriterBase &rewriter,
                                            PagedGatherOp gather,
                                            tensor::ExtractSliceOp slice) {
  auto isInRow = [&](int64_t dim) {
    return dim != static_cast<int64_t>(gather.getSequenceDim()) &&
           llvm::is_contained(gather.getPoolDims(), dim);
  };
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim)
    if (!isInRow(dim) &&
        (slice.getStaticOffset(dim) != 0 || slice.getStaticStride(dim) != 1 ||
         slice.getSourceType().isDynamicDim(dim) ||
         slice.getStaticSize(dim) != slice.getSourceType().getDimSize(dim)))
      return {};
  // A strided slice must take one element of each part, from all parts.
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim) {
    int64_t stride = slice.getStaticStride(dim),
            offset = slice.getStaticOffset(dim);
    if (stride != 1 &&
        (stride < 1 || ShapedType::isDynamic(offset) || offset >= stride ||
         ShapedType::isDynamic(slice.getStaticSize(dim)) ||
         slice.getStaticSize(dim) * stride !=
             slice.getSourceType().getDimSize(dim)))
      return {};
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  Location loc = slice.getLoc();
  // Split a dimension with a stride into two dimensions: the parts, and the
  // elements of a part. The slice takes one element of the second. So it has no
  // strides.
  Value pool = gather.getPool();
  auto poolType = cast<RankedTensorType>(pool.getType());
  SmallVector<OpFoldResult> sizes, offsets,
      poolSizes = tensor::getMixedSizes(rewriter, loc, pool);
  SmallVector<OpFoldResult> expandedSizes;
  SmallVector<int64_t> expanded, kept;
  SmallVector<ReassociationIndices> groups;
  auto add = [&](int64_t group, int64_t extent, OpFoldResult extentValue,
                 OpFoldResult offset, OpFoldResult size) {
    groups.resize(group + 1);
    groups[group].push_back(expanded.size());
    expanded.push_back(extent);
    expandedSizes.push_back(extentValue);
    offsets.push_back(offset);
    sizes.push_back(size);
  };
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  for (auto [dim, resultDim] : llvm::enumerate(gather.getPoolDims())) {
    int64_t extent = poolType.getDimSize(dim);
    bool isTaken = resultDim != PagedGatherOp::kPageDim && isInRow(resultDim);
    int64_t stride = isTaken ? slice.getStaticStride(resultDim) : 1;
    if (!isTaken || stride == 1) {
      kept.push_back(isTaken ? slice.getType().getDimSize(resultDim) : extent);
      add(dim, extent, poolSizes[dim],
          isTaken ? slice.getMixedOffsets()[resultDim] : zero,
          isTaken ? slice.getMixedSizes()[resultDim] : poolSizes[dim]);
      continue;
    }
    OpFoldResult parts = rewriter.getIndexAttr(extent / stride);
    kept.push_back(extent / stride);
    add(dim, extent / stride, parts, zero, parts);
    add(dim, stride, rewriter.getIndexAttr(stride),
        slice.getMixedOffsets()[resultDim], one);
  }
  if (expanded.size() != kept.size())
    pool = tensor::ExpandShapeOp::create(
        rewriter, loc, poolType.clone(expanded), pool, groups, expandedSizes);
  SmallVector<OpFoldResult> strides(sizes.size(), one);
  auto part = cast<PagedGatherOp>(rewriter.clone(*gather));
  rewriter.setInsertionPoint(part);
  rewriter.modifyOpInPlace(part, [&] {
    part.getPoolMutable().assign(tensor::ExtractSliceOp::create(
        rewriter, loc, poolType.clone(kept), pool, offsets, sizes, strides));
    part.getOutputMutable().assign(
        tensor::EmptyOp::create(rewriter, loc, slice.getMixedSizes(),
                                slice.getType().getElementType()));
    part->getResult(0).setType(part.getOutput().getType());
  });
  return part->getResult(0);
}

/// Moves dimensions of size 1 that count sequences to reshapes of the result,
/// as dense keys have them.
static void dropUnitBatchDims(RewriterBase &rewriter, PagedGatherOp op) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  auto isUnit = [&](int64_t dim) { return type.getDimSize(dim) == 1; };
  if (!gathersWholePages(op) || llvm::none_of(op.getBatchDims(), isUnit))
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> batchDims(op.getBatchDims());
  Value table = dropUnitDims(rewriter, loc, op.getTable(), [&](int64_t dim) {
    return dim < static_cast<int64_t>(batchDims.size()) &&
           isUnit(batchDims[dim]);
  });
  auto isDropped = [&](int64_t dim) {
    return isUnit(dim) && llvm::is_contained(batchDims, dim);
  };
  SmallVector<int64_t> shape, newDims;
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    newDims.push_back(shape.size());
    if (isDropped(dim))
      continue;
    shape.push_back(type.getDimSize(dim));
    sizes.push_back(tensor::getMixedSize(rewriter, loc, op.getOutput(), dim));
  }
  auto getDim = [&](int64_t dim) {
    return dim == PagedGatherOp::kPageDim ? dim : newDims[dim];
  };
  SmallVector<int64_t> batch;
  for (int64_t dim : batchDims)
    if (!isDropped(dim))
      batch.push_back(getDim(dim));
  PagedGatherOp next =
      rebuild(rewriter, op, op.getPool(), table, sizes, type.clone(shape),
              getDim(op.getSequenceDim()), batch,
              llvm::map_to_vector(op.getPoolDims(), getDim));
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, type, next->getResult(0),
      getGroupsWithDropped(type.getRank(), isDropped),
      tensor::getMixedSizes(rewriter, loc, op.getOutput()));
}

/// Makes the last dimension of the pool the last dimension of the result, if a
/// transpose that was folded into `op` has moved it, like that of keys before a
/// product. A transpose behind the gather replaces the folded one. Contractions
/// can read keys in the order of memory, and whole rows can be copied or
/// listed.
static PagedGatherOp keepRowsWhole(RewriterBase &rewriter, PagedGatherOp op) {
  int64_t rank = cast<ShapedType>(op.getOutput().getType()).getRank(),
          last = op.getPoolDims().back();
  if (last == PagedGatherOp::kPageDim || last == rank - 1)
    return op;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + last);
  order.push_back(last);
  auto getDim = [&](int64_t dim) -> int64_t {
    return dim == PagedGatherOp::kPageDim
               ? dim
               : llvm::find(order, dim) - order.begin();
  };
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (int64_t dim : order) {
    sizes.push_back(tensor::getMixedSize(rewriter, loc, op.getOutput(), dim));
    shape.push_back(type.getDimSize(dim));
  }
  PagedGatherOp whole =
      rebuild(rewriter, op, op.getPool(), op.getTable(), sizes,
              RankedTensorType::get(shape, type.getElementType()),
              getDim(op.getSequenceDim()),
              llvm::map_to_vector(op.getBatchDims(), getDim),
              llvm::map_to_vector(op.getPoolDims(), getDim));
  SmallVector<int64_t> back =
      llvm::map_to_vector(llvm::seq<int64_t>(0, rank), getDim);
  rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, whole->getResult(0),
                                                   op.getOutput(), back);
  return whole;
}

/// Folds the only user of `op` into it, if that is a reshape, a transpose, or
/// slices that take all rows.
static void foldUsers(RewriterBase &rewriter, PagedGatherOp op) {
  while (op && op->hasOneUse()) {
    Operation *user = *op->user_begin();
    rewriter.setInsertionPoint(user);
    PagedGatherOp next;
    Value rest;
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      next = foldCollapse(rewriter, op, collapse, rest);
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      next = foldExpand(rewriter, op, expand);
    else
      next = foldTranspose(rewriter, op, user);
    if (!next) {
      rewriter.setInsertionPoint(op);
      return dropUnitBatchDims(rewriter, keepRowsWhole(rewriter, op));
    }
    rewriter.replaceOp(user, rest ? rest : next->getResult(0));
    rewriter.eraseOp(op);
    op = next;
  }
  // Keys and values may be in one pool.
  if (!op)
    return;
  if (!llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::ExtractSliceOp>)) {
    rewriter.setInsertionPoint(op);
    return dropUnitBatchDims(rewriter, keepRowsWhole(rewriter, op));
  }
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto slice = cast<tensor::ExtractSliceOp>(user);
    if (slice.getDroppedDims().any())
      continue;
    Value part = sliceOfGatheredRows(rewriter, op, slice);
    if (!part)
      continue;
    rewriter.replaceOp(slice, part);
    foldUsers(rewriter, part.getDefiningOp<PagedGatherOp>());
  }
  if (op->use_empty())
    rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

/// Returns whether a contraction reads `value`, directly or after reshapes,
/// slices, concatenations and elementwise ops. Other gathers fuse without being
/// raised.
static bool isContracted(Value value, SmallPtrSetImpl<Operation *> &seen) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (!seen.insert(user).second)
      return false;
    auto op = dyn_cast<LinalgOp>(user);
    if (op && op.getNumReductionLoops() > 0)
      return op.getNumDpsInputs() > 1;
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    bool isPart =
        insert ? insert.getSource() == value : isa<tensor::ConcatOp>(user);
    if (!op && !isPart &&
        !isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp>(user))
      return false;
    return llvm::any_of(user->getResults(), [&](Value result) {
      return isContracted(result, seen);
    });
  });
}

unsigned mlir::linalg_ext::raisePagedGathers(RewriterBase &rewriter,
                                             Operation *scope) {
  SmallVector<std::pair<LinalgOp, RowGather>> matches;
  SmallVector<std::pair<LinalgOp, PagesByPosition>, 0> byPosition;
  scope->walk([&](LinalgOp op) {
    std::optional<RowGather> gather = matchRowGather(op);
    std::optional<PagesByPosition> pages;
    if (!gather)
      pages = matchPagesByPosition(op);
    SmallPtrSet<Operation *, 16> seen;
    if ((!gather && !pages) || !isContracted(op->getResult(0), seen))
      return;
    if (gather)
      matches.emplace_back(op, *gather);
    else
      byPosition.emplace_back(op, *pages);
  });
  auto replace = [&](LinalgOp op, PagedGatherOp raised) {
    rewriter.replaceOp(op, raised);
    foldUsers(rewriter, raised);
  };
  for (auto &[op, gather] : matches)
    replace(op, buildGather(rewriter, op, gather));
  for (auto &[op, pages] : byPosition)
    replace(op, buildPagesByPosition(rewriter, op, pages));
  return matches.size() + byPosition.size();
}
