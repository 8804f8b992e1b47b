//===- StorePatches.cpp - Convolutions as products of matrices ------------===//
//
// A workgroup that multiplies patches gathers those of its tiles element by
// element (GatherOperands.cpp), so its products are synchronous, and its tile
// has rows of one dimension of the image. Asynchronous products read matrices:
//
//   patches(n, c kh kw, h w) = x(n, c, h + kh, w + kw)       a kernel in front
//   y(n, o, h w) = sum over c kh kw of w(o, c kh kw) patches(n, c kh kw, h w)
//
// 1. Sort the loops into those of patches, of weights and of sums.
// 2. Merge the loops of patches that are adjacent in the result, and those of
//    sums, which are adjacent in the weights.
// 3. Gather patches, reshape operands and result, and multiply.
//
// Patches are read and written once, which takes less time if there are many
// output channels for each of their elements. If the image is padded, patches
// are gathered from what is padded, with a condition on the position: neither a
// fill nor a copy writes a padded image.
//
//===----------------------------------------------------------------------===//

#include "StorePatches.h"
#include "GatherOperands.h"

#include "mlir-ext/Codegen/Common/ExtractElements.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Multiplications of a cycle of all processors of an H200, with patches that
/// threads gather, and that asynchronous instructions read
/// (docs/Decisions/0193).
static constexpr double kGatheredPerCycle = 32000, kReadPerCycle = 140000;

/// Patches of more bytes are not stored.
static constexpr double kMostBytes = 1 << 28;

namespace {
/// The operands and the loops of a convolution.
struct ConvolutionLoops {
  OpOperand *image = nullptr, *weights = nullptr;
  /// Loops of a result that the image has (pixels), that the weights have
  /// (channels), and loops of the sum in the order of the weights.
  SmallVector<unsigned> pixels, channels, sums;
};

/// Loops that become one.
using Group = SmallVector<unsigned, 3>;
} // namespace

/// Sorts the loops of `op`. Returns std::nullopt if it is no convolution whose
/// sums have all loops that the image and the weights share.
static std::optional<ConvolutionLoops> sortLoops(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      op->getParentOfType<scf::ForallOp>())
    return std::nullopt;
  std::optional<CombinedReduction> reduction = getReduction(op, 0);
  Operation *product = reduction ? reduction->term.getDefiningOp() : nullptr;
  if (!reduction || !isa<arith::AddFOp, arith::AddIOp>(reduction->combiner) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return std::nullopt;
  ConvolutionLoops loops;
  for (OpOperand *operand : op.getDpsInputOperands())
    (op.getMatchingIndexingMap(operand).isProjectedPermutation()
         ? loops.weights
         : loops.image) = operand;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!loops.image || !loops.weights || !result.isProjectedPermutation())
    return std::nullopt;
  // Both factors come from one operand each.
  auto readsOnly = [&](Value factor, OpOperand *operand) {
    Operation *cast = factor.getDefiningOp();
    return (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(cast)
                ? cast->getOperand(0)
                : factor) == op.getMatchingBlockArgument(operand);
  };
  Value lhs = product->getOperand(0), rhs = product->getOperand(1);
  if (!(readsOnly(lhs, loops.image) && readsOnly(rhs, loops.weights)) &&
      !(readsOnly(rhs, loops.image) && readsOnly(lhs, loops.weights)))
    return std::nullopt;
  AffineMap image = op.getMatchingIndexingMap(loops.image),
            weights = op.getMatchingIndexingMap(loops.weights);
  for (AffineExpr expr : result.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool isInImage = image.isFunctionOfDim(loop);
    if (isInImage == weights.isFunctionOfDim(loop))
      return std::nullopt;
    (isInImage ? loops.pixels : loops.channels).push_back(loop);
  }
  for (AffineExpr expr : weights.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (result.isFunctionOfDim(loop))
      continue;
    if (!image.isFunctionOfDim(loop))
      return std::nullopt;
    loops.sums.push_back(loop);
  }
  if (loops.pixels.size() + loops.channels.size() + loops.sums.size() !=
          op.getNumLoops() ||
      loops.channels.empty() || loops.sums.empty() || loops.pixels.empty())
    return std::nullopt;
  return loops;
}

/// Returns whether asynchronous products of stored patches of `op` are faster,
/// or no other products are allowed.
static bool pays(linalg::GenericOp op, const ConvolutionLoops &loops,
                 const TileToWorkgroupsOptions &options) {
  // Bytes would have to be transposed as well.
  Type element = getElementTypeOrSelf(loops.image->get());
  if (element != getElementTypeOrSelf(loops.weights->get()) ||
      !(element.isF16() || element.isBF16()))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  double patches = 1, channels = 1;
  for (ArrayRef<unsigned> group :
       {ArrayRef(loops.pixels), ArrayRef(loops.sums)})
    for (unsigned loop : group)
      patches *= ranges[loop];
  for (unsigned loop : loops.channels)
    channels *= ranges[loop];
  double bytes = patches * element.getIntOrFloatBitWidth() / 8;
  double saved =
      patches * channels * (1 / kGatheredPerCycle - 1 / kReadPerCycle);
  double stored = options.target.launchCycles +
                  2 * bytes / options.target.convertedBytesPerCycle;
  return bytes <= kMostBytes && (!options.ways.sync || saved > stored);
}

/// Divides the results of `map` into groups: adjacent ones of `merged` are one
/// group, others have one of their own.
static SmallVector<Group> groupResults(AffineMap map,
                                       ArrayRef<unsigned> merged) {
  SmallVector<Group> groups;
  bool mayGrow = false;
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool isMerged = llvm::is_contained(merged, loop);
    if (isMerged && mayGrow)
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
    mayGrow = isMerged;
  }
  return groups;
}

/// Returns the groups of dimensions that `tensor`, whose dimensions are the
/// loops of `groups`, is collapsed by.
static SmallVector<ReassociationIndices>
getReassociation(ArrayRef<Group> groups) {
  SmallVector<ReassociationIndices> dims;
  int64_t next = 0;
  for (const Group &group : groups) {
    dims.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      dims.back().push_back(next++);
  }
  return dims;
}

/// Merges the dimensions of `tensor`, the loops of `groups`.
static Value collapse(OpBuilder &b, Location loc, Value tensor,
                      ArrayRef<Group> groups) {
  return llvm::all_of(groups, [](const Group &g) { return g.size() == 1; })
             ? tensor
             : tensor::CollapseShapeOp::create(b, loc, tensor,
                                               getReassociation(groups))
                   .getResult();
}

/// Returns what is written into a tensor that is filled with one number, an
/// image with padding, as such a padding. Returns null if `image` is something
/// else, or if something else reads it, too.
static tensor::PadOp getPadding(RewriterBase &b, Value image) {
  auto insert = image.getDefiningOp<tensor::InsertSliceOp>();
  auto fill = insert ? insert.getDest().getDefiningOp<linalg::FillOp>()
                     : linalg::FillOp();
  if (!fill || !image.hasOneUse() || !insert.hasUnitStride() ||
      insert.getSourceType().getRank() != insert.getType().getRank() ||
      !insert.getSourceType().hasStaticShape() ||
      insert.getSourceType().getNumElements() == 0 ||
      ShapedType::isDynamicShape(insert.getStaticOffsets()))
    return {};
  SmallVector<OpFoldResult> low = insert.getMixedOffsets(), high;
  for (auto [offset, size, whole] : llvm::zip_equal(
           insert.getStaticOffsets(), insert.getSourceType().getShape(),
           insert.getType().getShape()))
    high.push_back(b.getIndexAttr(whole - offset - size));
  // The source need not be written into the image any more. A copy may convert
  // elements, and an op may leave elements as they were.
  Value source = insert.getSource();
  if (auto copy = source.getDefiningOp<linalg::CopyOp>();
      copy && copy.getInputs().front().getType() == source.getType())
    source = copy.getInputs().front();
  else if (auto op = source.getDefiningOp<LinalgOp>();
           op && source.hasOneUse() && op->getNumResults() == 1 &&
           op.getNumReductionLoops() == 0 &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
           !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0))) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    Value empty = tensor::EmptyOp::create(
        b, op.getLoc(), insert.getSourceType().getShape(),
        insert.getSourceType().getElementType());
    b.modifyOpInPlace(op, [&] { op.getDpsInitOperand(0)->set(empty); });
  }
  return tensor::PadOp::create(b, insert.getLoc(), insert.getType(), source,
                               low, high, fill.value());
}

/// Lets `op` read what `pad` pads, of which it extracts elements.
static void readPadded(RewriterBase &b, linalg::GenericOp op,
                       tensor::PadOp pad) {
  RewritePatternSet patterns(op.getContext());
  populateExtractFromPaddedPatterns(patterns);
  SmallVector<Operation *> extracts;
  op->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  GreedyRewriteConfig config;
  config.setListener(
      dyn_cast_if_present<RewriterBase::Listener>(b.getListener()));
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily(extracts, std::move(patterns), config);
  if (pad->use_empty())
    b.eraseOp(pad);
}

/// Gathers patches as a tensor whose dimensions are the loops in `groups`.
static linalg::GenericOp gatherPatches(RewriterBase &b, linalg::GenericOp op,
                                       OpOperand *image,
                                       ArrayRef<Group> groups) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), shape;
  SmallVector<AffineExpr> dims(op.getNumLoops(),
                               getAffineConstantExpr(0, context));
  for (const Group &group : groups)
    for (unsigned loop : group) {
      dims[loop] = getAffineDimExpr(shape.size(), context);
      shape.push_back(ranges[loop]);
    }
  unsigned rank = shape.size();
  Value empty = tensor::EmptyOp::create(b, loc, shape,
                                        getElementTypeOrSelf(image->get()));
  SmallVector<AffineMap> maps{
      op.getMatchingIndexingMap(image).replaceDimsAndSymbols(dims, {}, rank, 0),
      b.getMultiDimIdentityMap(rank)};
  tensor::PadOp pad = getPadding(b, image->get());
  auto gathered = linalg::GenericOp::create(
      b, loc, empty.getType(), pad ? pad.getResult() : image->get(), empty,
      maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.front());
      });
  gathered = extractElements(b, gathered);
  if (pad)
    readPadded(b, gathered, pad);
  return gathered;
}

/// Multiplies patches of `op`. Returns how dimensions of the result are merged,
/// or std::nullopt, and does nothing, if the sums are not adjacent in the
/// weights, or asynchronous products cannot read the operands.
static std::optional<SmallVector<ReassociationIndices>>
multiplyPatches(RewriterBase &rewriter, linalg::GenericOp op,
                const ConvolutionLoops &loops,
                SmallVectorImpl<Operation *> &stored) {
  // 1. What becomes of the loops. The sum is last in patches if the image has
  //    it last, so that neighbouring threads read neighbouring elements.
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap image = op.getMatchingIndexingMap(loops.image);
  SmallVector<Group> ofResult =
      groupResults(op.getMatchingIndexingMap(init), loops.pixels);
  SmallVector<Group> ofWeights =
      groupResults(op.getMatchingIndexingMap(loops.weights), loops.sums);
  SmallVector<Group> merged, ofPatches;
  for (const Group &group : ofResult)
    merged.push_back(group);
  Group sums(loops.sums.begin(), loops.sums.end());
  if (!llvm::is_contained(ofWeights, sums))
    return std::nullopt;
  merged.push_back(sums);
  for (const Group &group : ofResult)
    if (llvm::is_contained(loops.pixels, group.front()))
      ofPatches.push_back(group);
  // Rows of other lengths cannot be copied asynchronously.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Type element = getElementTypeOrSelf(loops.image->get());
  auto hasAlignedRows = [&](const Group &last) {
    constexpr int64_t kBits = 128;
    int64_t bits = element.getIntOrFloatBitWidth();
    for (unsigned loop : last)
      bits *= ranges[loop];
    return bits % kBits == 0;
  };
  bool isSumLast = !hasAlignedRows(ofPatches.back()) ||
                   llvm::none_of(loops.pixels, [&](unsigned loop) {
                     return image.getResults().back().isFunctionOfDim(loop);
                   });
  if (!hasAlignedRows(ofWeights.back()) || (isSumLast && !hasAlignedRows(sums)))
    return std::nullopt;
  ofPatches.insert(isSumLast ? ofPatches.end() : ofPatches.end() - 1, sums);

  // 2. Operands, and the product.
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto getMap = [&](ArrayRef<Group> groups) {
    SmallVector<AffineExpr> exprs;
    for (const Group &group : groups)
      exprs.push_back(rewriter.getAffineDimExpr(llvm::find(merged, group) -
                                                merged.begin()));
    return AffineMap::get(merged.size(), 0, exprs, op.getContext());
  };
  linalg::GenericOp gathered =
      gatherPatches(rewriter, op, loops.image, ofPatches);
  stored.push_back(gathered);
  Value patches = collapse(rewriter, loc, gathered.getResult(0), ofPatches);
  Value weights = collapse(rewriter, loc, loops.weights->get(), ofWeights);
  Value start = collapse(rewriter, loc, init->get(), ofResult);
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(3);
  inputs[loops.image->getOperandNumber()] = patches;
  maps[loops.image->getOperandNumber()] = getMap(ofPatches);
  inputs[loops.weights->getOperandNumber()] = weights;
  maps[loops.weights->getOperandNumber()] = getMap(ofWeights);
  maps.back() = getMap(ofResult);
  SmallVector<utils::IteratorType> iterators(merged.size(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto product = linalg::GenericOp::create(
      rewriter, loc, start.getType(), inputs, start, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments(), args);
        for (Operation &scalar : *op.getBody())
          b.clone(scalar, mapping);
      },
      linalg::getPrunedAttributeList(op));

  // 3. The result as it was.
  if (product.getResult(0).getType() == op.getResult(0).getType()) {
    rewriter.replaceOp(op, product);
  } else {
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op.getResult(0).getType(), product.getResult(0),
        getReassociation(ofResult));
  }
  return getReassociation(ofResult);
}

/// Lets elementwise ops before and behind the products have merged dimensions,
/// too: those that `merged` lists, of a result.
static void moveReshapes(RewriterBase &rewriter, Operation *scope,
                         ArrayRef<SmallVector<ReassociationIndices>> merged) {
  RewritePatternSet patterns(scope->getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [&](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        // 1. A reshape behind a product.
        if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(producer))
          return linalg::isElementwise(cast<LinalgOp>(operand->getOwner())) &&
                 expand.getSrc().getDefiningOp<LinalgOp>() &&
                 llvm::is_contained(merged, expand.getReassociationIndices());
        // 2. One before it.
        auto collapse = dyn_cast<tensor::CollapseShapeOp>(operand->getOwner());
        auto op = dyn_cast_if_present<LinalgOp>(producer);
        return collapse && op && op->hasOneUse() && linalg::isElementwise(op) &&
               readsElements(op) &&
               llvm::is_contained(merged, collapse.getReassociationIndices());
      });
  linalg::FillOp::getCanonicalizationPatterns(patterns, scope->getContext());
  GreedyRewriteConfig config;
  config.setListener(
      dyn_cast_if_present<RewriterBase::Listener>(rewriter.getListener()));
  (void)applyPatternsGreedily(scope, std::move(patterns), config);
}

void mlir::linalg_ext::storePatches(RewriterBase &rewriter, Operation *scope,
                                    TileToWorkgroupsOptions &options) {
  SmallVector<LinalgOp> ops;
  scope->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && !readsElements(op) &&
        op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  SmallVector<SmallVector<ReassociationIndices>> merged;
  for (linalg::LinalgOp op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> built =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(built))
        continue;
      generic = *built;
    }
    std::optional<ConvolutionLoops> loops = sortLoops(generic);
    if (!loops || !pays(generic, *loops, options))
      continue;
    if (auto dims = multiplyPatches(rewriter, generic, *loops, options.patches))
      merged.push_back(std::move(*dims));
  }
  if (!merged.empty())
    moveReshapes(rewriter, scope, merged);
}
