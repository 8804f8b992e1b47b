//===- ReadWords.cpp - Unpacked bytes are read as words -------------------===//
//
// Integers of 4 bits that a contraction of few rows unpacks from bytes are
// looked up, 16 at a time, by an instruction that ignores the bits above them
// (TabulateFunctions.cpp). So bytes need not be extended one to a lane: words
// of 4 bytes do, and a vector of whole words is one load. A byte of each word
// is one of the steps of the sum, and the other operand is transposed to that
// order.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Bytes of a word.
static constexpr int64_t kWordBytes = 4;

/// The most rows. The products of more rows take longer than what is saved, and
/// the eight parts of a word need more registers at a time than there are.
static constexpr int64_t kMostRows = 4;

/// The fewest columns for which the copy of the other operand pays.
static constexpr int64_t kLeastColumns = 64;

/// The most parts of a byte. The parts of a word are computed together. More
/// than eight parts would become a loop, which loads and looks up its words
/// again.
static constexpr int64_t kMostParts = 2;

/// Returns the dimension that is the last result of a projected permutation.
static std::optional<unsigned> getLastDim(AffineMap map) {
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

/// Returns whether the payload of `op` uses only bits of `bytes` that it masks
/// or shifts. If it computes anything of a whole byte, the byte is extended in
/// any case.
static bool isUnpacked(linalg::LinalgOp op, OpOperand &bytes) {
  BlockArgument arg = op.getMatchingBlockArgument(&bytes);
  return !arg.use_empty() && llvm::all_of(arg.getUsers(), [](Operation *user) {
    return isa<arith::AndIOp, arith::ShRUIOp>(user);
  });
}

/// Finds the bytes that `op` unpacks: contiguous along a sum, of which `lanes`
/// words divide it, while another dimension that is reduced says which part of
/// a byte it takes.
static OpOperand *findBytes(linalg::LinalgOp op, int64_t lanes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> last = getLastDim(map);
    if (!last || !getElementTypeOrSelf(operand->get()).isSignlessInteger(8) ||
        !linalg::isReductionIterator(iterators[*last]) ||
        ShapedType::isDynamic(ranges[*last]) || ranges[*last] == 0 ||
        ranges[*last] % (lanes * kWordBytes) != 0 ||
        !meetsFewRows(op, map, ranges, kMostRows) || !isUnpacked(op, *operand))
      continue;
    int64_t columns = 1, parts = 1;
    bool hasParts = false;
    for (auto [dim, iterator] : llvm::enumerate(iterators)) {
      bool isParallel = linalg::isParallelIterator(iterator);
      if (isParallel && map.isFunctionOfDim(dim))
        columns =
            ShapedType::isDynamic(ranges[dim])
                ? std::max(columns, kLeastColumns)
                : llvm::SaturatingMultiply<uint64_t>(columns, ranges[dim]);
      if (isParallel || map.isFunctionOfDim(dim))
        continue;
      hasParts = true;
      parts = ShapedType::isDynamic(ranges[dim])
                  ? kMostParts + 1
                  : llvm::SaturatingMultiply<uint64_t>(parts, ranges[dim]);
    }
    if (columns >= kLeastColumns && hasParts && parts <= kMostParts)
      return operand;
  }
  return nullptr;
}

/// `value` with words and the bytes of each in place of its last dimension.
static Value splitLast(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank);
  shape.back() /= kWordBytes;
  shape.push_back(kWordBytes);
  sizes.back() = b.getIndexAttr(shape[rank - 1]);
  sizes.push_back(b.getIndexAttr(kWordBytes));
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value, groups,
                                       sizes);
}

/// Exchanges the last two dimensions of `value`.
static Value transposeLast(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  applyPermutationToVector(sizes, order);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return linalg::TransposeOp::create(b, loc, value, empty, order)->getResult(0);
}

LogicalResult mlir::linalg_ext::readWords(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t lanes) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
  OpOperand *bytes = findBytes(op, lanes);
  if (!bytes)
    return rewriter.notifyMatchFailure(op, "few rows unpack no bytes");
  unsigned dim = *getLastDim(op.getMatchingIndexingMap(bytes));
  for (linalg::IndexOp index : op.getBlock()->getOps<linalg::IndexOp>())
    if (index.getDim() == dim)
      return rewriter.notifyMatchFailure(op, "uses the position of a byte");
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.isFunctionOfDim(dim) && getLastDim(map) != dim)
      return rewriter.notifyMatchFailure(
          op, "another operand is not contiguous along the bytes");
    // The size may be known of one operand only.
    if (map.isFunctionOfDim(dim) &&
        cast<RankedTensorType>(operand->get().getType())
            .isDynamicDim(map.getNumResults() - 1))
      return rewriter.notifyMatchFailure(
          op, "the number of bytes is not in the type of each operand");
  }

  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op.getLoc();
  unsigned part = op.getNumLoops();
  AffineExpr ofPart = rewriter.getAffineDimExpr(part);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> results(map.getResults());
    Value value = operand.get();
    if (map.isFunctionOfDim(dim)) {
      // Outside of the loops in which it does not change.
      Operation *place = op;
      for (auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
           loop && loop.isDefinedOutsideOfLoop(value);
           loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
        place = loop;
      rewriter.setInsertionPoint(place);
      value = splitLast(rewriter, loc, value);
      if (&operand != bytes)
        value = transposeLast(rewriter, loc, value);
      results.insert(&operand == bytes ? results.end() : results.end() - 1,
                     ofPart);
    }
    if (op.isDpsInput(&operand))
      inputs.push_back(value);
    maps.push_back(AffineMap::get(part + 1, 0, results, rewriter.getContext()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.push_back(utils::IteratorType::reduction);
  rewriter.setInsertionPoint(op);
  auto built =
      linalg::GenericOp::create(rewriter, loc, op->getResultTypes(), inputs,
                                op.getDpsInits(), maps, iterators);
  rewriter.cloneRegionBefore(generic.getRegion(), built.getRegion(),
                             built.getRegion().begin());
  built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, built);
  return success();
}
