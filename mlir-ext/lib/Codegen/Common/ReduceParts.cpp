//===- ReduceParts.cpp - Reductions over concatenations -------------------===//
//
// A reduction over a concatenation is the combination of reductions over its
// parts. An accumulation starts from the result of the previous part. So does
// an online reduction, if only the last part is used for more than its state.
// Which part is the last one does not matter, because states can be combined in
// any order.
//
// Where only slices of the weights are used, each slice gets a reduction of its
// own.
//
//   1. Find the parts whose results are used.
//   2. Build the reductions of the other parts first, and then theirs. Each one
//      starts from the state of the one before it.
//   3. Replace the users of the results and of the state.
//   4. Repeat with the parts: a head may be rotated in part, by pairs that are
//      concatenated along a dimension that is merged then. The normal form
//      restores it.
//
// A reduction of a part takes slices of its operands. They become slices of the
// parts if the operands are concatenations, or elementwise results of them
// (SliceProducers.cpp).
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CreatedOps.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-reduce-parts"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// What a dimension comes from
//===----------------------------------------------------------------------===//

namespace {
/// The ops that compute the operands of an op along one of its dimensions, if
/// these ops have no other users.
struct Cone {
  /// Each op, with the dimension of its result that corresponds to the
  /// dimension of the cone. Users come before the ops that they use.
  llvm::MapVector<Operation *, int64_t> ops;
  /// The values that the cone reads: those with the dimension, and those
  /// without it.
  SmallVector<Value> leaves, uniform;
  std::optional<Concatenation> concatenation;
  /// Whether an op repeats elements along the dimension, and these differ along
  /// the dimension before it. The two dimensions can then not be merged.
  bool repeats = false;
};
} // namespace

/// Returns whether `operand` of `op` has the dimension that is outside of
/// dimension `at` in the result, ignoring dimensions of size 1. Values that are
/// unpacked from integers are merged in other ways.
static bool repeatsAlong(Operation *op, OpOperand &operand, int64_t at) {
  if (!isa<FloatType>(getElementTypeOrSelf(operand.get())))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  while (at > 0 && type.getDimSize(at - 1) == 1)
    --at;
  if (at == 0)
    return false;
  FailureOr<int64_t> outer = getSourceDim(op, operand, at - 1);
  return succeeded(outer) && *outer != -1;
}

/// Returns the cone of dimension `dim` of the domain of `root`. Fails if an
/// operand reads it in another way than as a dimension.
static FailureOr<Cone> findCone(Operation *root, unsigned dim) {
  Cone cone;
  // For each value that is read, the dimension. (A value with two such
  // dimensions would be a leaf.)
  DenseMap<Value, int64_t> dims;
  auto read = [&](Value value, FailureOr<int64_t> at) {
    if (failed(at))
      return failure();
    if (*at == -1)
      cone.uniform.push_back(value);
    else
      dims.try_emplace(value, *at);
    return success();
  };
  for (OpOperand &operand : root->getOpOperands())
    if (!cast<DestinationStyleOpInterface>(root).isDpsInit(&operand) &&
        failed(read(
            operand.get(),
            getOperandDim(cast<IndexingMapOpInterface>(root), operand, dim))))
      return failure();

  for (Operation *op = root->getPrevNode(); op; op = op->getPrevNode()) {
    if (op->getNumResults() != 1 || !dims.contains(op->getResult(0)))
      continue;
    int64_t at = dims.lookup(op->getResult(0));
    bool isInside = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<tensor::DimOp>(user))
        return true;
      if (user != root && !cone.ops.contains(user))
        return false;
      FailureOr<int64_t> used =
          user == root
              ? getOperandDim(cast<IndexingMapOpInterface>(user), use, dim)
              : getSourceDim(user, use, cone.ops.lookup(user));
      return succeeded(used) && *used == at;
    });
    if (!isInside)
      continue;
    std::optional<Concatenation> parts = getConcatenation(op->getResult(0));
    // Reading filled parts of a padded tensor costs less than separate sums.
    if (parts && parts->dim == at && llvm::none_of(parts->parts, getFilling)) {
      cone.ops[op] = at;
      if (!cone.concatenation)
        cone.concatenation = parts;
      continue;
    }
    if (!computesSlices(op))
      continue;
    // Either all operands must qualify, or none is followed.
    SmallVector<std::pair<Value, int64_t>> operands;
    bool isKnown = true, repeats = false;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()) ||
          (dps && dps.isDpsInit(&operand)))
        continue;
      FailureOr<int64_t> source = getSourceDim(op, operand, at);
      isKnown &= succeeded(source);
      if (isKnown)
        operands.emplace_back(operand.get(), *source);
      repeats |= isKnown && *source == -1 && repeatsAlong(op, operand, at);
    }
    if (!isKnown)
      continue;
    cone.ops[op] = at;
    cone.repeats |= repeats;
    for (auto [value, source] : operands)
      (void)read(value, source);
  }
  for (auto [value, at] : dims)
    if (!value.getDefiningOp() || !cone.ops.contains(value.getDefiningOp()))
      cone.leaves.push_back(value);
  return cone;
}

/// Returns whether a tile of the cone depends on the whole cone: on an online
/// reduction, or on a reduction of a value that the cone reads.
static bool dependsOnReduction(const Cone &cone) {
  llvm::SmallPtrSet<Value, 8> inside(cone.leaves.begin(), cone.leaves.end());
  for (auto [op, at] : cone.ops)
    inside.insert(op->getResult(0));
  if (llvm::any_of(cone.leaves, isOfOnlineReduction))
    return true;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> worklist(cone.uniform);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (inside.contains(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || isa<tensor::DimOp>(op) || !seen.insert(op).second)
      continue;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Parts of a domain
//===----------------------------------------------------------------------===//

/// Builds the part [offset, offset + size) of dimension `dim` of the domain of
/// `op`, with `inits` instead of its own inits. Fails if the part is known to
/// be empty.
static FailureOr<TilingResult> buildPart(RewriterBase &rewriter, Operation *op,
                                         ValueRange inits, unsigned dim,
                                         OpFoldResult offset,
                                         OpFoldResult size) {
  Operation *copy = rewriter.clone(*op);
  auto dps = cast<DestinationStyleOpInterface>(copy);
  for (auto [number, init] : llvm::enumerate(inits))
    dps.setDpsInitOperand(number, init);
  auto online = dyn_cast<OnlineReductionOpInterface>(copy);
  if (online)
    online.setOnline(true);
  auto tileable = cast<TilingInterface>(copy);
  SmallVector<OpFoldResult> offsets, sizes;
  for (Range range : tileable.getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets[dim] = offset;
  sizes[dim] = size;
  // Upstream (22.1.8) refuses tiles of size zero.
  FailureOr<TilingResult> part = failure();
  if (llvm::none_of(sizes, isZeroInteger))
    part = tileable.getTiledImplementation(rewriter, offsets, sizes);
  if (succeeded(part) && part->tiledOps.size() == 1) {
    // The part is not a tile of a loop.
    if (online)
      cast<OnlineReductionOpInterface>(part->tiledOps.front())
          .setOnline(cast<OnlineReductionOpInterface>(op).isOnline());
    // A slice of a whole operand is the operand. An operand that lacks the
    // dimension is always whole, even if the program does not say that its
    // sizes equal those of other operands.
    Operation *tiled = part->tiledOps.front();
    auto maps = dyn_cast<IndexingMapOpInterface>(op);
    for (OpOperand &operand : tiled->getOpOperands()) {
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || slice.getType() != slice.getSourceType())
        continue;
      bool isWhole =
          maps && !maps.getMatchingIndexingMap(
                           &op->getOpOperand(operand.getOperandNumber()))
                       .isFunctionOfDim(dim);
      if (!isWhole && !isWholeSlice(slice))
        continue;
      rewriter.modifyOpInPlace(tiled, [&] { operand.set(slice.getSource()); });
      if (slice->use_empty())
        rewriter.eraseOp(slice);
    }
  }
  if (copy->use_empty())
    rewriter.eraseOp(copy);
  return part;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Returns whether `op` reduces few elements along `dim`, and in all operands
/// that have `dim`, the next outer dimension is reduced, too.
static bool isOfFew(linalg::LinalgOp op, unsigned dim) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ranges[dim] < 2 || ranges[dim] > 4)
    return false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> at =
        map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (!at)
      return !map.isFunctionOfDim(dim);
    // The next outer dimension, ignoring dimensions of size 1.
    for (AffineExpr expr : llvm::reverse(map.getResults().take_front(*at))) {
      auto outer = dyn_cast<AffineDimExpr>(expr);
      if (!outer || ranges[outer.getPosition()] != 1)
        return outer &&
               linalg::isReductionIterator(iterators[outer.getPosition()]);
    }
    return false;
  });
}

/// If `op` sums over a concatenation, adds up the contractions of its parts. A
/// short dimension that does not merge with others also has parts: a rotation
/// of pairs, as a product with 2 x 2 matrices, has two results.
static bool sumParts(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !isa<TilingInterface>(op.getOperation()))
    return false;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned dim : reductions) {
    FailureOr<Cone> cone = findCone(op, dim);
    if (failed(cone))
      continue;
    if (!cone->concatenation && !(cone->repeats && isOfFew(op, dim)))
      continue;
    int64_t numElements = op.getStaticLoopRanges()[dim];
    // A sum of one operand is left as it is: the op that it normalises reads
    // the whole operand, too.
    unsigned numOperands =
        llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
          return op.getMatchingIndexingMap(operand).isFunctionOfDim(dim);
        });
    if (numOperands < 2) {
      LDBG() << "expected a contraction: " << op;
      continue;
    }
    if (dependsOnReduction(*cone)) {
      LDBG() << "its operands depend on a reduction: " << op;
      continue;
    }
    CreatedOps created(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> seams;
    if (cone->concatenation)
      seams = cone->concatenation->getSeams(rewriter);
    else
      for (int64_t element : llvm::seq(numElements + 1))
        seams.push_back(rewriter.getIndexAttr(element));
    Value sum = op.getDpsInits().front();
    for (unsigned part = 0; part + 1 < seams.size(); ++part) {
      FailureOr<TilingResult> tiled = buildPart(
          rewriter, op, sum, dim, seams[part],
          subtract(rewriter, op.getLoc(), seams[part + 1], seams[part]));
      if (failed(tiled) ||
          tiled->tiledValues.front().getType() != op->getResult(0).getType()) {
        created.eraseUnused();
        return false;
      }
      sum = tiled->tiledValues.front();
    }
    rewriter.replaceOp(op, sum);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Online reductions
//===----------------------------------------------------------------------===//

/// Returns the slices that the users of `value` take, if all of them take the
/// same range of dimension `dim`.
static FailureOr<SmallVector<tensor::ExtractSliceOp>>
getSlicesAlong(Value value, int64_t dim) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !slice.hasUnitStride() || slice.getDroppedDims().test(dim))
      return failure();
    if (!slices.empty()) {
      tensor::ExtractSliceOp first = slices.front();
      IndexAnalysis analysis;
      if (!(analysis.get(first.getMixedOffsets()[dim]) ==
            analysis.get(slice.getMixedOffsets()[dim])) ||
          !(analysis.get(first.getMixedSizes()[dim]) ==
            analysis.get(slice.getMixedSizes()[dim])))
        return failure();
    }
    slices.push_back(slice);
  }
  if (slices.empty())
    return failure();
  return slices;
}

/// Returns the first and the last part if [offset, offset + size) consists of
/// whole parts.
static std::optional<std::pair<unsigned, unsigned>>
findParts(const Concatenation &concatenation, OpFoldResult offset,
          OpFoldResult size) {
  IndexAnalysis analysis;
  IndexPolynomial start, first = analysis.get(offset),
                         end = first + analysis.get(size);
  std::optional<unsigned> from, to;
  for (auto [number, part] : llvm::enumerate(concatenation.parts)) {
    if (start == first && !from)
      from = number;
    start = start + analysis.getSize(part, concatenation.dim);
    if (start == end)
      to = number;
  }
  if (!from || !to || *to < *from)
    return std::nullopt;
  return std::pair(*from, *to);
}

/// If only some parts of a concatenated result of `op` are used, lets `op`
/// start from the state after the other parts. Returns whether it did.
static bool startFromOtherParts(RewriterBase &rewriter,
                                OnlineReductionOpInterface op) {
  auto maps = dyn_cast<IndexingMapOpInterface>(op.getOperation());
  auto dps = dyn_cast<DestinationStyleOpInterface>(op.getOperation());
  SmallVector<unsigned> onlineDims = op.getOnlineDims(),
                        partial = op.getPartialResults(),
                        states = op.getStateResults();
  if (!maps || !dps || !dps.hasPureTensorSemantics() ||
      onlineDims.size() != 1 || partial.size() != 1)
    return false;
  unsigned dim = onlineDims.front();
  for (unsigned number = 0; number < op->getNumResults(); ++number)
    if (!llvm::is_contained(states, number) && number != partial.front() &&
        !op->getResult(number).use_empty())
      return false;

  // 1. Find the parts that are used.
  FailureOr<int64_t> resultDim =
      getOperandDim(maps, *dps.getDpsInitOperand(partial.front()), dim);
  if (failed(resultDim) || *resultDim == -1)
    return false;
  FailureOr<SmallVector<tensor::ExtractSliceOp>> slices =
      getSlicesAlong(op->getResult(partial.front()), *resultDim);
  if (failed(slices))
    return false;
  FailureOr<Cone> cone = findCone(op, dim);
  if (failed(cone) || !cone->concatenation)
    return false;
  tensor::ExtractSliceOp used = slices->front();
  std::optional<std::pair<unsigned, unsigned>> parts =
      findParts(*cone->concatenation, used.getMixedOffsets()[*resultDim],
                used.getMixedSizes()[*resultDim]);
  if (!parts)
    return false;
  unsigned numParts = cone->concatenation->parts.size();
  if (parts->second - parts->first + 1 == numParts)
    return false;

  // 2. Reduce the other parts first.
  CreatedOps created(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> seams = cone->concatenation->getSeams(rewriter);
  SmallVector<std::pair<unsigned, unsigned>> ranges;
  if (parts->first > 0)
    ranges.emplace_back(0, parts->first);
  if (parts->second + 1 < numParts)
    ranges.emplace_back(parts->second + 1, numParts);
  ranges.emplace_back(parts->first, parts->second + 1);
  SmallVector<Value> inits(dps.getDpsInits());
  Operation *last = nullptr;
  for (auto [from, to] : ranges) {
    FailureOr<TilingResult> part =
        buildPart(rewriter, op, inits, dim, seams[from],
                  subtract(rewriter, loc, seams[to], seams[from]));
    if (failed(part) || part->tiledOps.size() != 1) {
      created.eraseUnused();
      return false;
    }
    last = part->tiledOps.front();
    for (unsigned state : states)
      inits[state] = last->getResult(state);
  }

  // 3. Replace the users.
  for (unsigned state : states)
    rewriter.replaceAllUsesWith(op->getResult(state), last->getResult(state));
  Value result = last->getResult(partial.front());
  for (tensor::ExtractSliceOp slice : *slices) {
    rewriter.setInsertionPoint(slice);
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    offsets[*resultDim] = rewriter.getIndexAttr(0);
    auto taken = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), slice.getType(), result, offsets,
        slice.getMixedSizes(), slice.getMixedStrides());
    if (taken.getType() == result.getType() && isWholeSlice(taken))
      rewriter.replaceOp(taken, result);
    else
      result = taken;
    rewriter.replaceOp(slice, result);
    result = last->getResult(partial.front());
  }
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto dimOp = dyn_cast<tensor::DimOp>(user)) {
      rewriter.setInsertionPoint(dimOp);
      rewriter.replaceOpWithNewOp<tensor::DimOp>(
          dimOp, dps.getDpsInitOperand(partial.front())->get(),
          dimOp.getIndex());
    }
  rewriter.eraseOp(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Returns whether loops over tiles can read `op`: its users are elementwise
/// ops, reshapes, and structured ops that read it by its dimensions.
static bool isReadInLoops(tensor::PadOp op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user) || computesSlices(user))
      return true;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    return linalgOp && linalgOp.hasPureTensorSemantics() &&
           linalgOp.isDpsInput(&use) &&
           linalgOp.getMatchingIndexingMap(&use).isProjectedPermutation();
  });
}

/// Returns whether `op` merges dimensions of a concatenation.
static bool isMergedConcatenation(Operation *op) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  return collapse && collapse.getSrc().getDefiningOp<tensor::ConcatOp>();
}

static bool isContraction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaContractionOpInterface(linalgOp);
}

/// Adds to `found` the ops that compute the scores of `online`, the
/// contraction, and the ops on its rows, such as norms and rotations of
/// queries.
static void addScores(OnlineReductionOpInterface online,
                      llvm::SmallPtrSetImpl<Operation *> &found) {
  // The ops to visit, and whether each is behind the contraction.
  SmallVector<std::pair<Operation *, bool>> worklist{{online, true}};
  while (!worklist.empty()) {
    auto [op, isScore] = worklist.pop_back_val();
    if (!found.insert(op).second)
      continue;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != online->getBlock())
        continue;
      bool isProduct = isContraction(source);
      auto linalgOp = dyn_cast<linalg::LinalgOp>(source);
      // A product that sums over parts accumulates into the result of another
      // one.
      bool goesOn = isProduct && isContraction(op) &&
                    cast<linalg::LinalgOp>(op).getDpsInits().front() == operand;
      if (isProduct ? isScore || goesOn
                    : computesSlices(source) ||
                          (linalgOp && linalgOp.hasPureTensorSemantics()))
        worklist.emplace_back(source, isScore && !isProduct);
    }
  }
}

/// Returns the op that computes `value`, looking through ops for which
/// `computesSlices` is true.
static Operation *findSource(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && computesSlices(op)) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && linalgOp.getNumDpsInputs() != 1)
      break;
    op = op->getOperand(0).getDefiningOp();
  }
  return op;
}

/// Returns whether the scores of `online` are sums over parts of features, as
/// for rotated queries and keys. Rows in separate loops would then be rotated
/// part by part there, which took 2.8 times as long (docs/Decisions/0077).
static bool sumsParts(OnlineReductionOpInterface online) {
  for (Value operand : online->getOperands()) {
    Operation *product = findSource(operand);
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(product);
    if (!linalgOp || !isContraction(product))
      continue;
    // The product accumulates into another one, or will.
    Operation *start = findSource(linalgOp.getDpsInits().front());
    if (start && isContraction(start))
      return true;
    SmallVector<unsigned> reductions;
    linalgOp.getReductionDims(reductions);
    for (unsigned dim : reductions)
      if (FailureOr<Cone> cone = findCone(product, dim);
          succeeded(cone) && cone->concatenation)
        return true;
  }
  return false;
}

/// The most slices of a result that separate loops compute.
static constexpr size_t kMostSlices = 4;

/// If `product`, behind an online reduction, is used only by slices of its
/// result, and its rows may be divided among loops, adds the ops between
/// `product` and the slices to `found`, and returns the reduction.
///
/// A loop for each slice reads the operands that all rows share again. But it
/// neither stores and copies the whole result, nor the rows that a
/// concatenation combines (docs/Decisions/0077).
static OnlineReductionOpInterface
findSlicedRows(linalg::LinalgOp product,
               llvm::SmallPtrSetImpl<Operation *> &found) {
  if (!product.hasPureTensorSemantics() || product->getNumResults() != 1 ||
      !isContraction(product))
    return {};
  // 1. Find the reduction.
  OpOperand *weights = nullptr;
  OnlineReductionOpInterface online;
  for (OpOperand *operand : product.getDpsInputOperands())
    if (auto source = dyn_cast_or_null<OnlineReductionOpInterface>(
            findSource(operand->get()))) {
      weights = operand;
      online = source;
    }
  if (!online || online->getBlock() != product->getBlock())
    return {};
  // 2. Find the ops behind the product, and the slices.
  SmallVector<Operation *> chain{product};
  Operation *last = product;
  auto getOnlyUser = [](Operation *op) -> Operation * {
    Operation *only = nullptr;
    for (Operation *user : op->getUsers()) {
      if (isa<tensor::DimOp>(user))
        continue;
      if (only)
        return nullptr;
      only = user;
    }
    return only;
  };
  while (Operation *user = getOnlyUser(last)) {
    if (!computesSlices(user) || user->getNumResults() != 1)
      break;
    chain.push_back(last = user);
  }
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : last->getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      return {};
    slices.push_back(slice);
  }
  if (slices.empty() || slices.size() > kMostSlices ||
      (slices.size() > 1 && sumsParts(online)))
    return {};
  // 3. Each dimension that is cut must be one of the rows of the weights.
  AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  bool sharesOperands = false;
  for (tensor::ExtractSliceOp slice : slices)
    for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim) {
      if (takesWhole(slice, dim))
        continue;
      FailureOr<int64_t> cut = dim;
      for (size_t number = chain.size(); --number > 0 && succeeded(cut);) {
        FailureOr<int64_t> source = failure();
        for (OpOperand &operand : chain[number]->getOpOperands())
          if (operand.get() == chain[number - 1]->getResult(0))
            source = getSourceDim(chain[number], operand, *cut);
        cut = source;
      }
      if (failed(cut) || *cut == -1)
        return {};
      AffineExpr loop = result.getResult(*cut);
      if (!isa<AffineDimExpr>(loop))
        return {};
      unsigned position = cast<AffineDimExpr>(loop).getPosition();
      for (OpOperand *operand : product.getDpsInputOperands()) {
        bool isCut =
            product.getMatchingIndexingMap(operand).isFunctionOfDim(position);
        if (operand == weights && !isCut)
          return {};
        sharesOperands |= operand != weights && !isCut;
      }
    }
  // 4. Reading shared operands again must not cost more than it saves.
  if (sharesOperands) {
    auto count = [](Value value) -> int64_t {
      auto type = cast<RankedTensorType>(value.getType());
      return type.hasStaticShape() ? type.getNumElements() : 0;
    };
    int64_t shared = 0;
    for (OpOperand *operand : product.getDpsInputOperands())
      if (operand != weights)
        shared += count(operand->get());
    int64_t rows = count(product->getResult(0));
    if (shared > 0 && rows > 0 &&
        static_cast<int64_t>(slices.size() - 1) * shared > 2 * rows)
      return {};
  }
  found.insert(chain.begin(), chain.end());
  return online;
}

/// Returns the ops below `scope` to compute once for each slice of an online
/// reduction, or of a product behind one. In differential attention, one half
/// of the heads of a softmax is subtracted from the other half. If one
/// attention has the rows of two streams, they are separated behind it.
static llvm::SmallPtrSet<Operation *, 8> findSlicedScores(Operation *scope) {
  llvm::SmallPtrSet<Operation *, 8> found;
  scope->walk([&](Operation *op) {
    if (auto online = dyn_cast<OnlineReductionOpInterface>(op)) {
      SmallVector<Operation *> users(online->getUsers());
      if (!users.empty() &&
          llvm::all_of(users, llvm::IsaPred<tensor::ExtractSliceOp>))
        addScores(online, found);
    } else if (auto product = dyn_cast<linalg::LinalgOp>(op)) {
      llvm::SmallPtrSet<Operation *, 8> behind;
      if (OnlineReductionOpInterface online = findSlicedRows(product, behind)) {
        addScores(online, found);
        found.insert(behind.begin(), behind.end());
        for (OpOperand *operand : product.getDpsInputOperands())
          for (Operation *source = operand->get().getDefiningOp();
               source && computesSlices(source) && !found.contains(source);
               source = source->getOperand(0).getDefiningOp())
            found.insert(source);
      }
    }
  });
  return found;
}

unsigned mlir::linalg_ext::reduceParts(RewriterBase &rewriter,
                                       Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto has = [&](auto predicate) {
    return scope
        ->walk([&](Operation *op) {
          return predicate(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
        })
        .wasInterrupted();
  };
  unsigned numJoined = 0;
  if (has(llvm::IsaPred<OnlineReductionOpInterface>)) {
    viewPaddingAsParts(rewriter, scope, isReadInLoops);
    numJoined = joinParts(rewriter, scope);
  }
  llvm::SmallPtrSet<Operation *, 8> sliced = findSlicedScores(scope);
  unsigned numSplit =
      sliced.empty()
          ? numJoined
          : numJoined + sliceProducers(rewriter, scope, [&](Operation *op) {
              return sliced.contains(op);
            });
  auto reducesFew = [](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    SmallVector<unsigned> dims;
    if (linalgOp)
      linalgOp.getReductionDims(dims);
    return llvm::any_of(dims, [&](unsigned dim) {
      if (!isOfFew(linalgOp, dim))
        return false;
      FailureOr<Cone> cone = findCone(linalgOp, dim);
      return succeeded(cone) && cone->repeats;
    });
  };
  if (!has(llvm::IsaPred<tensor::ConcatOp, tensor::InsertSliceOp>) &&
      !has(reducesFew))
    return numSplit;
  while (true) {
    // Ops behind an online reduction are sliced first.
    sliceProducers(rewriter, scope, isElementwiseOnTensors);
    SmallVector<Operation *> candidates;
    scope->walk([&](Operation *op) {
      if (isa<OnlineReductionOpInterface, linalg::LinalgOp>(op))
        candidates.push_back(op);
    });
    unsigned numSplitHere = 0;
    for (Operation *op : candidates) {
      if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
        numSplitHere += startFromOtherParts(rewriter, online);
      else
        numSplitHere += sumParts(rewriter, cast<linalg::LinalgOp>(op));
    }
    if (numSplitHere == 0)
      return numSplit;
    numSplit += numSplitHere;
    sliceProducers(rewriter, scope, computesSlices);
    // A part may itself be a concatenation: the rotated half of a head, for
    // example. If its dimensions are merged, the normal form restores them.
    if (has(isMergedConcatenation) &&
        failed(
            normalizeProgram(scope, dyn_cast_if_present<RewriterBase::Listener>(
                                        rewriter.getListener()))))
      return numSplit;
  }
}
