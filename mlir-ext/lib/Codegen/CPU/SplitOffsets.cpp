//===- SplitOffsets.cpp - Zero points of groups leave the sum -------------===//
//
// Weights are often dequantized as (q - z) s, with a scale s and a zero point z
// for each group of a sum, or as q s + z. A product of few rows x then spends
// instructions on z for each vector of weights, and z keeps the scale from
// multiplying a whole sum. But what is added to each number of a group is a
// product of two small tensors:
//
//   sum_k x_k (q_k - z) s  =  sum_k x_k q_k s  -  z s (sum_k x_k)
//
// The sums of the rows are computed once for all columns. Small unsigned
// integers are centered, so that both parts are as large as the result. Other
// numbers than integers of about 8 bits stay as they are: a difference of theirs
// may be tiny, as those of a tensor and its means.
//
//===----------------------------------------------------------------------===//

#include "OffsetSplitter.h"
#include "RegisterTile.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most rows. The dequantization of more rows is shared by many products.
static constexpr int64_t kMostRows = 8;

/// The fewest columns for which the sums of the rows pay.
static constexpr int64_t kLeastColumns = 64;

/// The fewest elements of a group: the second product has as many times fewer
/// terms.
static constexpr int64_t kLeastGroup = 16;

/// Tiles of columns are a multiple of it.
static constexpr int64_t kLeastTile = 16;

namespace {
/// A sum of products, of which one factor is a row and another one has an
/// offset for each group.
struct OffsetProduct {
  OpOperand *row = nullptr;
  /// The factors, as f32.
  Value ofRow, dequantized;
  SmallVector<Value> others;
};
} // namespace

/// Returns the factors of `value`: products that nothing else uses are factors
/// of factors.
static SmallVector<Value> getFactors(linalg::LinalgOp op, Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != op.getBlock() || !product->hasOneUse())
    return {value};
  SmallVector<Value> factors = getFactors(op, product.getLhs());
  llvm::append_range(factors, getFactors(op, product.getRhs()));
  return factors;
}

/// Returns the operand that `value` is an element of, maybe extended to f32, if
/// it has all dimensions that `op` reduces, and many columns share it.
static OpOperand *getRow(linalg::LinalgOp op, Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner() != op.getBlock() ||
      !isa<FloatType>(arg.getType()) ||
      arg.getType().getIntOrFloatBitWidth() < 16)
    return nullptr;
  OpOperand *operand = &op->getOpOperand(arg.getArgNumber());
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!op.isDpsInput(operand) || !map.isProjectedPermutation())
    return nullptr;
  int64_t columns = 1;
  for (auto [dim, iterator, range] :
       llvm::enumerate(op.getIteratorTypesArray(), op.getStaticLoopRanges())) {
    if (map.isFunctionOfDim(dim))
      continue;
    if (linalg::isReductionIterator(iterator))
      return nullptr;
    columns = ShapedType::isDynamic(range)
                  ? std::max(columns, kLeastColumns)
                  : llvm::SaturatingMultiply<uint64_t>(columns, range);
  }
  return columns >= kLeastColumns ? operand : nullptr;
}

/// Returns whether few rows multiply what `value`, of the payload, is computed
/// of.
static bool hasFewRows(linalg::LinalgOp op, Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto arg = dyn_cast<BlockArgument>(reached[i]);
    if (arg && arg.getOwner() == op.getBlock()) {
      OpOperand *operand = &op->getOpOperand(arg.getArgNumber());
      if (meetsFewRows(op, op.getMatchingIndexingMap(operand),
                       op.getStaticLoopRanges(), kMostRows))
        return true;
    } else if (Operation *inner = reached[i].getDefiningOp();
               inner && inner->getBlock() == op.getBlock()) {
      reached.insert_range(inner->getOperands());
    }
  }
  return false;
}

static bool isLargeGroup(linalg::LinalgOp op,
                         const llvm::SmallBitVector &dims) {
  int64_t size = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned dim : dims.set_bits())
    size = ShapedType::isDynamic(ranges[dim])
               ? std::max(size, kLeastGroup)
               : llvm::SaturatingMultiply<uint64_t>(size, ranges[dim]);
  return size >= kLeastGroup;
}

static std::optional<OffsetProduct> findOffset(linalg::LinalgOp op, Value term,
                                               OffsetSplitter &splitter) {
  SmallVector<Value> factors = getFactors(op, term);
  for (auto [number, factor] : llvm::enumerate(factors)) {
    if (getRow(op, factor) || !splitter.findGroup(factor) ||
        !isLargeGroup(op, splitter.getGroupDims()) || !hasFewRows(op, factor) ||
        !splitter.hasOffset(factor) || !splitter.isOfSmallIntegers(factor))
      continue;
    OffsetProduct product;
    product.dequantized = factor;
    for (auto [at, other] : llvm::enumerate(factors)) {
      if (at == number)
        continue;
      if (OpOperand *row = getRow(op, other); row && !product.row) {
        product.row = row;
        product.ofRow = other;
      } else {
        product.others.push_back(other);
      }
    }
    if (product.row && llvm::all_of(product.others, [&](Value other) {
          return splitter.isInvariant(other);
        }))
      return product;
  }
  return std::nullopt;
}

/// `map` on the loops of `dims` only.
static AffineMap restrictMap(AffineMap map, ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> replacements(
      map.getNumDims(), getAffineConstantExpr(0, map.getContext()));
  for (auto [number, dim] : llvm::enumerate(dims))
    replacements[dim] = getAffineDimExpr(number, map.getContext());
  return map.replaceDimsAndSymbols(replacements, {}, dims.size(), 0);
}

/// Builds the sums of the rows over groups, outside of the loops in which the
/// rows do not change. `map` becomes that of the sums.
static Value buildSums(RewriterBase &rewriter, linalg::LinalgOp op,
                       OpOperand &row, const llvm::SmallBitVector &groupDims,
                       AffineMap &map) {
  Value value = row.get();
  Operation *place = op;
  for (auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp());
       loop && loop.isDefinedOutsideOfLoop(value);
       loop = dyn_cast<LoopLikeOpInterface>(loop->getParentOp()))
    place = loop;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(place);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> all = tensor::getMixedSizes(rewriter, loc, value),
                            sizes;
  SmallVector<AffineExpr> kept, results;
  SmallVector<utils::IteratorType> iterators;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    bool isSummed = groupDims.test(cast<AffineDimExpr>(expr).getPosition());
    iterators.push_back(isSummed ? utils::IteratorType::reduction
                                 : utils::IteratorType::parallel);
    if (isSummed)
      continue;
    sizes.push_back(all[position]);
    kept.push_back(rewriter.getAffineDimExpr(position));
    results.push_back(expr);
  }
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0.0f));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, rewriter.getF32Type());
  Value start = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  AffineMap same = rewriter.getMultiDimIdentityMap(map.getNumResults()),
            ofSum = AffineMap::get(map.getNumResults(), 0, kept,
                                   rewriter.getContext());
  map = AffineMap::get(map.getNumDims(), 0, results, rewriter.getContext());
  return linalg::GenericOp::create(
             rewriter, loc, TypeRange{start.getType()}, ValueRange{value},
             ValueRange{start}, ArrayRef{same, ofSum}, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value term = args[0];
               if (!term.getType().isF32())
                 term = arith::ExtFOp::create(b, loc, b.getF32Type(), term);
               linalg::YieldOp::create(
                   b, loc,
                   arith::AddFOp::create(b, loc, args[1], term).getResult());
             })
      .getResult(0);
}

/// Builds the product of `sums` and `offset`, a value of the payload of `op`,
/// which is added to the destination of `op`.
static linalg::GenericOp buildOffsets(RewriterBase &rewriter,
                                      linalg::LinalgOp op, Value offset,
                                      Value sums, AffineMap ofSums,
                                      const llvm::SmallBitVector &groupDims) {
  llvm::SetVector<Value> needed;
  needed.insert(offset);
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *inner = needed[i].getDefiningOp();
        inner && inner->getBlock() == op.getBlock())
      needed.insert_range(inner->getOperands());
  SmallVector<unsigned> dims;
  SmallVector<utils::IteratorType> iterators;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!groupDims.test(dim)) {
      dims.push_back(dim);
      iterators.push_back(iterator);
    }
  SmallVector<Value> inputs;
  SmallVector<BlockArgument> read;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(operand);
    if (!needed.contains(arg))
      continue;
    inputs.push_back(operand->get());
    read.push_back(arg);
    maps.push_back(restrictMap(op.getMatchingIndexingMap(operand), dims));
  }
  inputs.push_back(sums);
  maps.push_back(restrictMap(ofSums, dims));
  OpOperand *init = op.getDpsInitOperand(0);
  maps.push_back(restrictMap(op.getMatchingIndexingMap(init), dims));
  return linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), inputs,
      ValueRange{init->get()}, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        for (auto [number, arg] : llvm::enumerate(read))
          mapping.map(arg, args[number]);
        for (Operation &inner : op.getBlock()->without_terminator())
          if (needed.contains(inner.getResult(0)))
            b.clone(inner, mapping);
        Value product = arith::MulFOp::create(b, loc, args[inputs.size() - 1],
                                              mapping.lookupOrDefault(offset));
        linalg::YieldOp::create(
            b, loc,
            arith::AddFOp::create(b, loc, args.back(), product).getResult());
      });
}

/// Fuses what unpacks zero points for `op` alone into `op`.
static linalg::GenericOp fuseUnpacking(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  for (unsigned number = 0; number < op.getNumDpsInputs(); ++number) {
    OpOperand *input = op.getDpsInputOperand(number);
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || !producer->hasOneUse() ||
        producer->getBlock() != op->getBlock() ||
        producer.getNumDpsInputs() == 0 || !producer.isAllParallelLoops() ||
        !linalg::areElementwiseOpsFusable(input))
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, input);
    if (failed(fused))
      continue;
    rewriter.replaceOp(op, fused->replacements.lookup(op.getResult(0)));
    rewriter.eraseOp(producer);
    op = cast<linalg::GenericOp>(fused->fusedOp);
  }
  return op;
}

/// Tiles the columns of `op`, and computes the offsets in the loop, so that the
/// scales that `offsets` has read are in a cache of `bytes` when `op` reads
/// them again.
static void tileColumns(RewriterBase &rewriter, linalg::GenericOp op,
                        linalg::GenericOp offsets, int64_t bytes) {
  // The column: of what `offsets` reads without the sums of rows.
  AffineMap ofSums = offsets.getMatchingIndexingMap(
                offsets.getDpsInputOperand(offsets.getNumDpsInputs() - 1)),
            init = offsets.getMatchingIndexingMap(offsets.getDpsInitOperand(0));
  // A dimension of one element may have no loop.
  if (!init.isProjectedPermutation())
    return;
  SmallVector<int64_t> ranges = offsets.getStaticLoopRanges();
  std::optional<unsigned> position;
  for (unsigned i = 0; i < init.getNumResults(); ++i)
    if (!ofSums.isFunctionOfDim(init.getDimPosition(i)) &&
        ranges[init.getDimPosition(i)] != 1)
      position = position.value_or(i);
  if (!position)
    return;
  unsigned column = init.getDimPosition(*position);
  int64_t range = ranges[column], ofColumn = 0;
  SmallVector<OpOperand *> inputs = offsets.getDpsInputOperands();
  for (OpOperand *input : ArrayRef(inputs).drop_back()) {
    auto type = cast<RankedTensorType>(input->get().getType());
    if (!type.hasStaticShape() || ShapedType::isDynamic(range))
      return;
    ofColumn += type.getNumElements() *
                llvm::divideCeil(type.getElementTypeBitWidth(), 8) / range;
  }
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned ofProduct = result.getDimPosition(*position);
  int64_t multiple = std::lcm(
      kLeastTile, std::lcm(getTileMultiple(offsets, column),
                           getTileMultiple(op, ofProduct)));
  int64_t most = bytes / std::max<int64_t>(ofColumn, 1), size = 0;
  for (int64_t tile = multiple; tile <= most && tile < range; tile += multiple)
    if (range % tile == 0)
      size = tile;
  if (size == 0 || range <= most)
    return;
  SmallVector<int64_t> sizes(op.getNumLoops(), 0);
  sizes[ofProduct] = size;
  // What is stored by rows of columns is read in the order of memory, over all
  // columns.
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() > 0 &&
        map.getResults().back() == rewriter.getAffineDimExpr(ofProduct))
      return;
  }
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), sizes));
  scf::SCFTileAndFuseOptions fusion;
  fusion.setTilingOptions(tiling);
  fusion.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (producer.getOwner() != offsets &&
            !isa<linalg::FillOp>(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> loops =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fusion);
  if (failed(loops))
    return;
  rewriter.replaceOp(op, loops->replacements.lookup(op->getResult(0)));
  // What does not change in the loop is no slice, so that it is prepared
  // outside.
  for (LoopLikeOpInterface loop : loops->loops)
    loop->walk([&](tensor::ExtractSliceOp slice) {
      if (slice.getType() == slice.getSourceType() &&
          llvm::all_of(slice.getMixedOffsets(), [](OpFoldResult offset) {
            return isConstantIntValue(offset, 0);
          }))
        rewriter.replaceOp(slice, slice.getSource());
    });
  Operation *fill = offsets.getDpsInits().front().getDefiningOp();
  if (offsets->use_empty())
    rewriter.eraseOp(offsets);
  if (isa_and_nonnull<linalg::FillOp>(fill) && fill->use_empty())
    rewriter.eraseOp(fill);
}

/// Replaces `op` by the same op without inputs that its payload does not use,
/// and with the destination `init`.
static linalg::GenericOp rebuild(RewriterBase &rewriter, linalg::GenericOp op,
                                 Value init) {
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody()->without_terminator())
    ops.push_back(&inner);
  for (Operation *inner : llvm::reverse(ops))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector unused(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInput(&operand) &&
        op.getMatchingBlockArgument(&operand).use_empty()) {
      unused.set(operand.getOperandNumber());
      continue;
    }
    if (op.isDpsInput(&operand))
      inputs.push_back(operand.get());
    maps.push_back(op.getMatchingIndexingMap(&operand));
  }
  auto built = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), inputs, ValueRange{init},
      maps, op.getIteratorTypesArray());
  op.getBody()->eraseArguments(unused);
  rewriter.inlineRegionBefore(op.getRegion(), built.getRegion(),
                              built.getRegion().begin());
  built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, built);
  return built;
}

LogicalResult
mlir::linalg_ext::splitOffsets(RewriterBase &rewriter, linalg::LinalgOp op,
                               const SplitOffsetsOptions &options) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !getElementTypeOrSelf(op->getResultTypes().front()).isF32())
    return rewriter.notifyMatchFailure(op, "is no sum of f32 on tensors");
  std::optional<CombinedReduction> reduction = getReduction(op, 0);
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner) ||
      !reduction->term.hasOneUse())
    return rewriter.notifyMatchFailure(op, "does not sum terms");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(reduction->combiner);
  OffsetSplitter splitter(rewriter, op, options.centers);
  std::optional<OffsetProduct> found =
      findOffset(op, reduction->term, splitter);
  if (!found)
    return rewriter.notifyMatchFailure(
        op, "no few rows multiply numbers with an offset for each group");
  Parts parts = splitter.split(found->dequantized);
  Location loc = op.getLoc();
  Value varying = parts.varying, offset = parts.offset;
  for (Value other : found->others)
    for (Value *part : {&varying, &offset})
      *part = arith::MulFOp::create(rewriter, loc, *part, other);
  // A factor of the sum leaves one product, which is added as it is rounded.
  Value term = arith::MulFOp::create(rewriter, loc, found->ofRow, varying);
  rewriter.setInsertionPoint(op);
  AffineMap ofSums = op.getMatchingIndexingMap(found->row);
  const llvm::SmallBitVector &groupDims = splitter.getGroupDims();
  Value sums = buildSums(rewriter, op, *found->row, groupDims, ofSums);
  linalg::GenericOp offsets =
      buildOffsets(rewriter, op, offset, sums, ofSums, groupDims);
  rewriter.replaceAllUsesWith(reduction->term, term);
  linalg::GenericOp product = rebuild(rewriter, generic, offsets.getResult(0));
  offsets = fuseUnpacking(rewriter, offsets);
  tileColumns(rewriter, product, offsets, options.cacheBytes);
  return success();
}
