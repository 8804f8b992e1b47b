//===- MergeLoops.cpp - Loops over contiguous dimensions ------------------===//
//
// A workgroup has a tile of one dimension of the rows of a product, and of one
// dimension of its columns. The normal form has no reshapes around products, so
// the rows of a layer have two dimensions, such as images and tokens, and those
// of a convolution of 1 x 1 the two dimensions of an image. Tiles of 128 rows
// are then cut at the end of each image of 197 tokens, or of each line of 14
// pixels.
//
// If both dimensions are contiguous in all operands and results, they are one:
//
//   1. Take two loops of a product that are both rows, columns or sums, and
//      next to each other in its operands.
//   2. Find the ops that compute its operands and read its results, and merge
//      the same dimensions: epilogues, norms, and other products. If one of
//      them cannot, because it reads one of the dimensions alone or in another
//      order, nothing is merged.
//   3. Values that are in memory are reshaped: arguments, and what is returned
//      or read by loops over workgroups.
//
//===----------------------------------------------------------------------===//

#include "MergeLoops.h"
#include "GatherOperands.h"
#include "WorkgroupGroup.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::GenericOp;
using linalg::LinalgOp;

/// Loops of which the inner one is a multiple of this have whole tiles.
static constexpr int64_t kWholeTile = 128;

namespace {
/// Two loops that become one.
struct LoopPair {
  unsigned outer, inner;

  bool operator==(const LoopPair &other) const {
    return outer == other.outer && inner == other.inner;
  }
};

/// The ops that merge two loops each.
class MergedLoops {
public:
  /// Adds `op`, and all ops that have to merge dimensions with it. Returns
  /// false if one of them cannot.
  bool add(GenericOp op, LoopPair loops);
  void apply(RewriterBase &rewriter);

private:
  bool addIfPossible(GenericOp op, std::optional<LoopPair> loops);
  bool addProducer(OpOperand &use, int64_t dim, bool isSummed);
  bool addInMemory(Value value, int64_t dim);
  bool addUser(OpOperand &use, int64_t dim);

  llvm::MapVector<Operation *, LoopPair> ops;
};
} // namespace

static bool isInWorkgroup(Operation *op) {
  return op->getParentOfType<scf::ForallOp>() != nullptr;
}

/// Returns at which dimension of an operand or result with `map` the two loops
/// begin; none if it has neither of them.
static std::optional<int64_t> getDim(AffineMap map, LoopPair loops) {
  AffineExpr outer = getAffineDimExpr(loops.outer, map.getContext());
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (expr == outer)
      return dim;
  return std::nullopt;
}

/// Returns the loops along dimensions `dim` and `dim` + 1 of `map`.
static std::optional<LoopPair> getLoops(AffineMap map, int64_t dim) {
  auto outer = dyn_cast<AffineDimExpr>(map.getResult(dim)),
       inner = dyn_cast<AffineDimExpr>(map.getResult(dim + 1));
  if (!outer || !inner)
    return std::nullopt;
  return LoopPair{outer.getPosition(), inner.getPosition()};
}

/// Returns whether `op` may merge `loops`. Sums of unknown size stay: what
/// unpacks weights in groups counts the elements of one.
static bool mayMerge(GenericOp op, LoopPair loops) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool isKnown = !ShapedType::isDynamic(ranges[loops.outer]) &&
                 !ShapedType::isDynamic(ranges[loops.inner]);
  if (!op.hasPureTensorSemantics() || isInWorkgroup(op) || isEmpty(op) ||
      iterators[loops.outer] != iterators[loops.inner] ||
      (!isKnown && linalg::isReductionIterator(iterators[loops.inner])))
    return false;
  int64_t pair[] = {loops.outer, loops.inner};
  return llvm::all_of(op.getIndexingMapsArray(),
                      [&](AffineMap map) {
                        return map.isProjectedPermutation() &&
                               linalg::isDimSequencePreserved(map, pair);
                      }) &&
         // Positions would be divided.
         llvm::none_of(op.getBody()->getOps<linalg::IndexOp>(),
                       [&](linalg::IndexOp index) {
                         return index.getDim() == loops.outer ||
                                index.getDim() == loops.inner;
                       });
}

bool MergedLoops::add(GenericOp op, LoopPair loops) {
  auto [known, isNew] = ops.try_emplace(op, loops);
  if (!isNew)
    return known->second == loops;
  if (!mayMerge(op, loops))
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (std::optional<int64_t> dim =
            getDim(op.getMatchingIndexingMap(input), loops))
      if (!addProducer(*input, *dim,
                       linalg::isReductionIterator(
                           op.getIteratorTypesArray()[loops.inner])))
        return false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    std::optional<int64_t> dim =
        getDim(op.getMatchingIndexingMap(&init), loops);
    if (!dim)
      continue;
    if (!addProducer(init, *dim, /*isSummed=*/false))
      return false;
    for (OpOperand &use : op.getTiedOpResult(&init).getUses())
      if (!addUser(use, *dim))
        return false;
  }
  return true;
}

/// Adds `op`. Leaves out what it adds if it cannot.
bool MergedLoops::addIfPossible(GenericOp op, std::optional<LoopPair> loops) {
  llvm::MapVector<Operation *, LoopPair> before = ops;
  if (loops && add(op, *loops))
    return true;
  ops = std::move(before);
  return false;
}

/// Returns whether `value`, a result of a product or of its epilogue, is stored
/// for the owner of `use`, its user: a product computes only an epilogue with
/// it that nothing else reads.
static bool isStoredFor(OpOperand &use) {
  constexpr unsigned kMostOps = 16;
  // 1. It is of a product.
  SetVector<Operation *> ops;
  ops.insert(use.get().getDefiningOp());
  bool isOfProduct = false;
  for (unsigned i = 0; i < ops.size() && i < kMostOps && !isOfProduct; ++i) {
    auto op = dyn_cast_or_null<GenericOp>(ops[i]);
    if (!op)
      continue;
    isOfProduct = isContraction(op);
    if (op.getNumReductionLoops() == 0)
      for (Value input : op.getDpsInputs())
        ops.insert(input.getDefiningOp());
  }
  // 2. Other ops read it, or this one is no epilogue.
  auto user = dyn_cast<LinalgOp>(use.getOwner());
  bool isShared = llvm::any_of(use.get().getUsers(), [&](Operation *other) {
    return other != use.getOwner() && !isa<tensor::DimOp>(other);
  });
  return isOfProduct && (isShared || (user && user.getNumReductionLoops() > 0));
}

/// Returns whether `value` is a reshape of what an elementwise op computes and
/// does not store: weights that are unpacked in groups, for example.
static bool isComputedBehindReshape(Value value) {
  bool isReshaped = false;
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      auto generic = dyn_cast<GenericOp>(op);
      return isReshaped && generic && generic.isAllParallelLoops();
    }
    isReshaped = true;
    value = op->getOperand(0);
  }
  return false;
}

/// Adds the op that computes what `use` reads, or returns whether dimensions
/// `dim` and `dim` + 1 of it are contiguous in memory. If they are summed,
/// tiles of what is computed for the sum must not be cut elsewhere.
bool MergedLoops::addProducer(OpOperand &use, int64_t dim, bool isSummed) {
  auto generic = use.get().getDefiningOp<GenericOp>();
  if (!generic)
    return !(isSummed && isComputedBehindReshape(use.get())) &&
           addInMemory(use.get(), dim);
  AffineMap map =
      generic.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
  return addIfPossible(generic, getLoops(map, dim)) || isStoredFor(use);
}

/// Returns whether `slice` has all of its source along `dim`.
static bool isWhole(tensor::ExtractSliceOp slice, int64_t dim) {
  int64_t size = slice.getType().getDimSize(dim);
  if (!ShapedType::isDynamic(size))
    return slice.getSourceType().getDimSize(dim) == size;
  FailureOr<bool> isEqual = ValueBoundsConstraintSet::areEqual(
      {slice.getSource(), dim}, {slice.getResult(), dim});
  return succeeded(isEqual) && *isEqual;
}

bool MergedLoops::addInMemory(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
  if (isa<linalg::FillOp, tensor::EmptyOp, arith::ConstantOp, scf::ForallOp>(
          op))
    return true;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    RankedTensorType type = slice.getType(), source = slice.getSourceType();
    return slice.hasUnitStride() && type.getRank() == source.getRank() &&
           isWhole(slice, dim + 1) && addInMemory(slice.getSource(), dim);
  }
  // What is reshaped is contiguous, except slices.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Value source = op->getOperand(0);
    return isa<BlockArgument>(source) ||
           isa<GenericOp, linalg::FillOp, tensor::EmptyOp, scf::ForallOp,
               arith::ConstantOp>(source.getDefiningOp());
  }
  return false;
}

/// Adds the op that reads dimensions `dim` and `dim` + 1 of a result, or
/// returns whether it may read a reshape of it.
bool MergedLoops::addUser(OpOperand &use, int64_t dim) {
  Operation *user = use.getOwner();
  if (isInWorkgroup(user) ||
      isa<tensor::DimOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::PadOp, tensor::ExtractOp,
          bufferization::MaterializeInDestinationOp>(user))
    return true;
  if (auto forall = dyn_cast<scf::ForallOp>(user))
    return !llvm::is_contained(forall.getOutputs(), use.get());
  if (isa<func::ReturnOp>(user))
    return true;
  auto op = dyn_cast<LinalgOp>(user);
  if (!op || op.isDpsInit(&use))
    return false;
  // Patches are gathered.
  if (!readsElements(op))
    return true;
  auto generic = dyn_cast<GenericOp>(user);
  std::optional<LoopPair> loops =
      getLoops(op.getMatchingIndexingMap(&use), dim);
  return (generic && addIfPossible(generic, loops)) || isStoredFor(use);
}

/// Returns what `value`, a collapse of some dimensions, is without the
/// collapse: what was expanded to its source, or a fill or an empty tensor with
/// fewer dimensions. Returns `value` if it is of memory.
static Value dropCollapse(RewriterBase &rewriter, Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return value;
  Operation *source = collapse.getSrc().getDefiningOp();
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(source))
    return expand.getSrcType() == collapse.getType() &&
                   expand.getReassociationIndices() ==
                       collapse.getReassociationIndices()
               ? expand.getSrc()
               : value;
  auto fill = dyn_cast_or_null<linalg::FillOp>(source);
  auto whole = dyn_cast_or_null<tensor::EmptyOp>(
      fill ? fill.getOutputs().front().getDefiningOp() : source);
  if (!whole)
    return value;
  Location loc = collapse.getLoc();
  rewriter.setInsertionPoint(collapse);
  SmallVector<OpFoldResult> sizes, all = whole.getMixedSizes();
  AffineExpr product =
      rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
    OpFoldResult size = all[group.front()];
    for (int64_t dim : group.drop_front())
      size = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                   {size, all[dim]});
    sizes.push_back(size);
  }
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        collapse.getType().getElementType());
  return fill ? linalg::FillOp::create(rewriter, loc, fill.value(), empty)
                    .getResult(0)
              : empty;
}

void MergedLoops::apply(RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Operation *> merged;
  for (auto [op, loops] : ops) {
    auto generic = cast<GenericOp>(op);
    rewriter.setInsertionPoint(op);
    ReassociationIndices pair{loops.outer, loops.inner};
    FailureOr<linalg::CollapseResult> collapsed =
        linalg::collapseOpIterationDims(generic, pair, rewriter);
    if (failed(collapsed))
      continue;
    rewriter.replaceOp(op, collapsed->results);
    merged.push_back(collapsed->collapsedOp);
  }
  for (Operation *op : merged)
    for (OpOperand &operand : op->getOpOperands())
      if (Value value = dropCollapse(rewriter, operand.get());
          value != operand.get())
        rewriter.modifyOpInPlace(op, [&] { operand.set(value); });
}

/// Returns loops of `op`, a product, whose tiles would be cut at the end of the
/// inner one.
static SmallVector<LoopPair> findPairs(GenericOp op) {
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<LoopPair> pairs;
  for (ArrayRef<unsigned> group :
       {ArrayRef<unsigned>(dims.m), ArrayRef<unsigned>(dims.n),
        ArrayRef<unsigned>(dims.k)})
    for (unsigned outer : group)
      for (unsigned inner : group)
        if (outer != inner &&
            (ShapedType::isDynamic(ranges[inner]) ||
             ranges[inner] % kWholeTile != 0) &&
            mayMerge(op, {outer, inner}))
          pairs.push_back({outer, inner});
  return pairs;
}

/// Merges two loops of a product in `scope`, if there are such.
static bool mergeOne(RewriterBase &rewriter, Operation *scope) {
  SmallVector<GenericOp> products;
  scope->walk([&](GenericOp op) {
    if (op.hasPureTensorSemantics() && !isInWorkgroup(op) &&
        linalg::isaContractionOpInterface(op) && isContraction(op))
      products.push_back(op);
  });
  for (GenericOp op : products)
    for (LoopPair pair : findPairs(op)) {
      MergedLoops merged;
      if (!merged.add(op, pair))
        continue;
      merged.apply(rewriter);
      return true;
    }
  return false;
}

/// Cancels reshapes between the ops of `scope`, and gives fills their shape.
static void foldReshapes(Operation *scope) {
  MLIRContext *context = scope->getContext();
  RewritePatternSet patterns(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  // Who asks for the size of a fill or of a reshape does not need it.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  SmallVector<Operation *> reshapes;
  scope->walk([&](Operation *op) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::DimOp>(
            op) &&
        !isInWorkgroup(op))
      reshapes.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(reshapes, std::move(patterns), config);
}

/// Lets products that share an operand read the same reshape of it. Operands
/// that are not the same value are no reason to compute them together.
static void shareReshapes(RewriterBase &rewriter, Operation *scope) {
  SmallVector<tensor::CollapseShapeOp> reshapes;
  scope->walk([&](tensor::CollapseShapeOp op) {
    if (isInWorkgroup(op))
      return;
    for (tensor::CollapseShapeOp other : reshapes)
      if (other->getBlock() == op->getBlock() &&
          other.getSrc() == op.getSrc() && other.getType() == op.getType() &&
          other.getReassociationIndices() == op.getReassociationIndices()) {
        rewriter.replaceAllUsesWith(op, other.getResult());
        return;
      }
    reshapes.push_back(op);
  });
}

/// Returns `collapse`, whose source is `slice`, as a slice of a collapse if the
/// inner dimensions are whole, or null.
static tensor::ExtractSliceOp sliceCollapsed(RewriterBase &rewriter,
                                             tensor::CollapseShapeOp collapse,
                                             tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return nullptr;
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices())
    for (int64_t dim : group.drop_front())
      if (!isWhole(slice, dim))
        return nullptr;
  Location loc = collapse.getLoc();
  rewriter.setInsertionPoint(collapse);
  AffineExpr product =
      rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
  SmallVector<OpFoldResult> offsets, sizes;
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
    OpFoldResult offset = slice.getMixedOffsets()[group.front()],
                 size = slice.getMixedSizes()[group.front()];
    for (int64_t dim : group.drop_front())
      for (OpFoldResult *value : {&offset, &size})
        *value = affine::makeComposedFoldedAffineApply(
            rewriter, loc, product, {*value, slice.getMixedSizes()[dim]});
    offsets.push_back(offset);
    sizes.push_back(size);
  }
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  Value source = tensor::CollapseShapeOp::create(
      rewriter, loc, slice.getSource(), collapse.getReassociationIndices());
  return tensor::ExtractSliceOp::create(rewriter, loc, source, offsets, sizes,
                                        strides);
}

/// Lets slices with dimensions of unknown size be collapsed in front of the
/// slice. Bufferization copies a slice that is collapsed if it cannot tell from
/// the strides that its dimensions are contiguous.
static void collapseBeforeSlices(RewriterBase &rewriter, Operation *scope) {
  SmallVector<tensor::CollapseShapeOp> reshapes;
  scope->walk([&](tensor::CollapseShapeOp op) {
    if (!isInWorkgroup(op))
      reshapes.push_back(op);
  });
  while (!reshapes.empty()) {
    tensor::CollapseShapeOp op = reshapes.pop_back_val();
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getType().hasStaticShape())
      continue;
    tensor::ExtractSliceOp result = sliceCollapsed(rewriter, op, slice);
    if (!result)
      continue;
    reshapes.push_back(
        result.getSource().getDefiningOp<tensor::CollapseShapeOp>());
    // A size may have been folded.
    Value value = result;
    if (value.getType() != op.getType())
      value =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
  }
}

void mlir::linalg_ext::mergeLoops(RewriterBase &rewriter, Operation *scope) {
  bool isChanged = false;
  while (mergeOne(rewriter, scope)) {
    foldReshapes(scope);
    isChanged = true;
  }
  if (!isChanged)
    return;
  shareReshapes(rewriter, scope);
  collapseBeforeSlices(rewriter, scope);
}
