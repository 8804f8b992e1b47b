//===- ReadWords.cpp - Unpacked bytes are read as words -------------------===//
//
// A contraction of few rows may unpack integers of 4 bits from bytes. They are
// then looked up in a table, 16 at a time, by an instruction that ignores the
// bits above them (TabulateFunctions.cpp). So the bytes need not be extended to
// one for each lane. Each lane takes a word of 4 bytes instead, and a vector of
// whole words is one load. The byte in the word becomes one of the steps of the
// sum, and the other operand is transposed to that order.
//
// If a group has fewer bytes than a vector, the words of several groups are the
// lanes of one vector. Their scales become a vector, too, which multiplies the
// sum of all steps (VectorizeBuffers.cpp).
//
//===----------------------------------------------------------------------===//

#include "InvariantFactor.h"

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

namespace {
/// Bytes that an op unpacks: contiguous along `dim`, which is reduced.
struct UnpackedBytes {
  OpOperand *operand = nullptr;
  unsigned dim = 0;
  /// If a vector of words has the bytes of several iterations of `groupDim`,
  /// which is reduced, too: of how many.
  unsigned groupDim = 0;
  int64_t groups = 1;

  /// Whether vectors have the bytes of several groups, and `map` is a function
  /// of these.
  bool isOfGroups(AffineMap map) const {
    return groups > 1 && map.isFunctionOfDim(groupDim);
  }
};
} // namespace

/// Returns whether the payload uses `value`, an argument, as floats of 32 bits
/// only. A vector of these for the lanes is then computed once for all parts.
static bool isUsedAsFloat(Value value) {
  if (value.getType().isF32())
    return true;
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtFOp>(user))
             return user->getResult(0).getType().isF32();
           return isa<arith::ExtSIOp, arith::ExtUIOp>(user) &&
                  isUsedAsFloat(user->getResult(0));
         });
}

/// Lets vectors of `vectorBytes` bytes have those of several groups, if `bytes`
/// has fewer in one. What differs from group to group must be floats. A factor
/// is multiplied once for all parts.
static bool joinGroups(linalg::LinalgOp op, UnpackedBytes &bytes,
                       ArrayRef<int64_t> ranges, int64_t vectorBytes) {
  AffineMap map = op.getMatchingIndexingMap(bytes.operand);
  int64_t size = ranges[bytes.dim];
  if (size % kWordBytes != 0 || vectorBytes % size != 0 ||
      map.getNumResults() < 2)
    return false;
  bytes.groups = vectorBytes / size;
  bytes.groupDim = map.getDimPosition(map.getNumResults() - 2);
  if (!linalg::isReductionIterator(
          op.getIteratorTypesArray()[bytes.groupDim]) ||
      ShapedType::isDynamic(ranges[bytes.groupDim]) ||
      ranges[bytes.groupDim] % bytes.groups != 0)
    return false;
  // Of the dimensions that are reduced, all but the groups.
  SmallVector<unsigned> parts;
  op.getReductionDims(parts);
  llvm::erase(parts, bytes.groupDim);
  auto isOfGroup = [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return map.isFunctionOfDim(bytes.groupDim) &&
           !map.isFunctionOfDim(bytes.dim);
  };
  std::optional<CombinedReduction> reduction = getReduction(op, 0);
  if (!reduction)
    return false;
  Value factor = getInvariantFactor(op, 0, parts, isOfGroup);
  SmallVector<Value> others{reduction->term};
  llvm::SmallPtrSet<Value, 16> seen{factor};
  while (!others.empty()) {
    Value value = others.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *inner = value.getDefiningOp();
    if (inner && inner->getBlock() == op.getBlock())
      llvm::append_range(others, inner->getOperands());
    auto arg = dyn_cast<BlockArgument>(value);
    if (arg && arg.getOwner() == op.getBlock() &&
        isOfGroup(op->getOpOperand(arg.getArgNumber())) &&
        !(factor && isUsedAsFloat(arg)))
      return false;
  }
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return !isOfGroup(*operand) ||
           getLastDim(op.getMatchingIndexingMap(operand)) == bytes.groupDim;
  });
}

/// Finds the operand with the bytes that `op` unpacks. The bytes are contiguous
/// along a reduction dimension, and another reduction dimension says which part
/// of a byte is used. Vectors of `lanes` words have the bytes of one group or
/// of several whole ones.
static std::optional<UnpackedBytes> findBytes(linalg::LinalgOp op,
                                              int64_t lanes, int64_t mostRows) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> last = getLastDim(map);
    if (!last || !getElementTypeOrSelf(operand->get()).isSignlessInteger(8) ||
        !linalg::isReductionIterator(iterators[*last]) ||
        ShapedType::isDynamic(ranges[*last]) || ranges[*last] == 0 ||
        !meetsFewRows(op, map, ranges, mostRows) || !isUnpacked(op, *operand))
      continue;
    UnpackedBytes bytes{operand, *last};
    if (ranges[*last] % (lanes * kWordBytes) != 0 &&
        !joinGroups(op, bytes, ranges, lanes * kWordBytes))
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
      return bytes;
  }
  return std::nullopt;
}

/// Dimensions of a tensor, which reshapes split and merge.
namespace {
class Reshaper {
public:
  Reshaper(OpBuilder &b, Location loc, Value value)
      : b(b), loc(loc), value(value) {}

  /// Makes two dimensions of `dim`, of which the second has `size` elements.
  void split(int64_t dim, int64_t size) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
    shape[dim] /= size;
    shape.insert(shape.begin() + dim + 1, size);
    sizes[dim] = b.getIndexAttr(shape[dim]);
    sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(size));
    value =
        tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value,
                                      getGroups(type.getRank(), dim), sizes);
  }

  /// Merges `dim` and the dimension behind it.
  void merge(int64_t dim) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    value = tensor::CollapseShapeOp::create(b, loc, value,
                                            getGroups(rank - 1, dim));
  }

  /// Makes `dims` the last dimensions, in their order.
  void makeLast(ArrayRef<int64_t> dims) {
    auto type = cast<RankedTensorType>(value.getType());
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    llvm::erase_if(order,
                   [&](int64_t dim) { return llvm::is_contained(dims, dim); });
    llvm::append_range(order, dims);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
    applyPermutationToVector(sizes, order);
    Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
    value =
        linalg::TransposeOp::create(b, loc, value, empty, order)->getResult(0);
  }

  Value get() const { return value; }

private:
  /// Groups of one dimension, but `dim` has two.
  static SmallVector<ReassociationIndices> getGroups(int64_t count,
                                                     int64_t dim) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t group = 0, next = 0; group < count; ++group) {
      groups.push_back({next++});
      if (group == dim)
        groups.back().push_back(next++);
    }
    return groups;
  }

  OpBuilder &b;
  Location loc;
  Value value;
};
} // namespace

/// `operand` of `op` with the words, and the bytes of each, in place of its
/// last dimension, those of several groups as one. Bytes of other operands are
/// in front of words.
static Value splitOperand(OpBuilder &b, linalg::LinalgOp op, OpOperand &operand,
                          const UnpackedBytes &bytes) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Reshaper value(b, op.getLoc(), operand.get());
  int64_t last = map.getNumResults() - 1;
  if (&operand == bytes.operand) {
    if (bytes.groups > 1) {
      value.merge(last - 1);
      value.split(last - 1, bytes.groups * op.getStaticLoopRanges()[bytes.dim]);
    }
    value.split(last, kWordBytes);
    return value.get();
  }
  if (!map.isFunctionOfDim(bytes.dim)) {
    value.split(last, bytes.groups);
    return value.get();
  }
  value.split(last, kWordBytes);
  if (!bytes.isOfGroups(map)) {
    value.makeLast({last + 1, last});
    return value.get();
  }
  int64_t group = *map.getResultPosition(
      getAffineDimExpr(bytes.groupDim, map.getContext()));
  value.split(group, bytes.groups);
  value.makeLast({last + 2, group + 1, last + 1});
  value.merge(last + 1);
  return value.get();
}

LogicalResult mlir::linalg_ext::readWords(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t lanes,
                                          int64_t mostRows) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
  std::optional<UnpackedBytes> bytes = findBytes(op, lanes, mostRows);
  if (!bytes)
    return rewriter.notifyMatchFailure(op, "few rows unpack no bytes");
  unsigned dim = bytes->dim;
  for (linalg::IndexOp index : op.getBlock()->getOps<linalg::IndexOp>())
    if (index.getDim() == dim ||
        (bytes->groups > 1 && index.getDim() == bytes->groupDim))
      return rewriter.notifyMatchFailure(op, "uses the position of a byte");
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.isFunctionOfDim(dim) && getLastDim(map) != dim)
      return rewriter.notifyMatchFailure(
          op, "another operand is not contiguous along the bytes");
    if (bytes->groups > 1 && map.isFunctionOfDim(dim) &&
        !map.isFunctionOfDim(bytes->groupDim))
      return rewriter.notifyMatchFailure(
          op, "another operand is the same in all groups");
    // The size may be known from one operand only.
    auto isUnknown = [&](unsigned dim) {
      std::optional<unsigned> position =
          map.getResultPosition(rewriter.getAffineDimExpr(dim));
      return position && cast<RankedTensorType>(operand->get().getType())
                             .isDynamicDim(*position);
    };
    if (isUnknown(dim) || (bytes->groups > 1 && isUnknown(bytes->groupDim)))
      return rewriter.notifyMatchFailure(
          op, "the number of bytes is not in the type of each operand");
  }

  OpBuilder::InsertionGuard guard(rewriter);
  unsigned part = op.getNumLoops();
  AffineExpr ofPart = rewriter.getAffineDimExpr(part),
             ofWord = rewriter.getAffineDimExpr(dim);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> results(map.getResults());
    Value value = operand.get();
    if (map.isFunctionOfDim(dim) || bytes->isOfGroups(map)) {
      // Build the copy outside of the loops in which the operand does not
      // change.
      Operation *place = op;
      for (auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
           loop && loop.isDefinedOutsideOfLoop(value);
           loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
        place = loop;
      rewriter.setInsertionPoint(place);
      value = splitOperand(rewriter, op, operand, *bytes);
      if (!map.isFunctionOfDim(dim))
        results.push_back(ofWord.floorDiv(lanes / bytes->groups));
      else
        results.insert(&operand == bytes->operand ? results.end()
                                                  : results.end() - 1,
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
      linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                inputs, op.getDpsInits(), maps, iterators);
  rewriter.cloneRegionBefore(generic.getRegion(), built.getRegion(),
                             built.getRegion().begin());
  built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, built);
  return success();
}
