//===- RestateOps.cpp - Ops as structured ops and reshapes ----------------===//
//
// Some ops have a form in the normal form that loops can fuse:
//
//   - `tensor.generate` computes elements from their positions;
//   - `linalg.pack` and `linalg.unpack` are padding, reshapes and transposes;
//   - windows of one element are none: a convolution with windows of 1 x 1 is a
//     product;
//   - windows of a pooling that do not overlap are dimensions of a reshape, and
//     the operand that only gives their sizes is not needed;
//   - a reduction that skips some elements (NaN in a maximum, or masked
//     elements) combines the neutral element instead;
//   - a maximum of a tensor, of which the program also computes the maxima of
//     rows, is the maximum of these;
//   - a concatenation with empty parts is one of the other parts;
//   - a product whose sums have one term each, such as an outer product of keys
//     and values, is elementwise;
//   - a loop over elements of no result is a reduction, and one over elements
//     of all results is parallel, whatever the op calls it: no verifier
//     compares iterator types with maps;
//   - one position of a longer dimension, such as the first column, is read
//     from a slice, and a dimension of size 1 that a reduction writes at 0 is
//     none.
//
//===----------------------------------------------------------------------===//

#include "RestateOps.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct GenerateToGeneric : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GenerateOp op,
                                PatternRewriter &rewriter) const override;
};

struct DropEmptyParts : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override;
};

struct SliceAtConstants : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

struct MultiplyOneTerm : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

struct NameIterators : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;
};

struct ReshapePack : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "on buffers");
    return linalg::lowerPack(rewriter, op,
                             /*lowerPadLikeWithInsertSlice=*/false);
  }
};

struct ReshapeUnpack : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "on buffers");
    return linalg::lowerUnPack(rewriter, op,
                               /*lowerUnpadLikeWithExtractSlice=*/false);
  }
};

struct ReshapeWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

struct DropUnitWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

/// A convolution with one position of its windows, which are as large as the
/// image, is a product.
struct ReadWholeWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

/// select(c, acc, combine(x, acc)) is combine(select(c, neutral, x), acc).
struct CombineNeutral : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override;
};

/// Computes the maximum over all elements from the maxima of rows, if the
/// program computes these.
struct ReduceFurther : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};

/// A dimension of an operand that two loops read as `outer` * size + `inner`.
/// The inner loop has this size.
struct Windows {
  unsigned outer, inner;
  int64_t size;
};
} // namespace

LogicalResult
GenerateToGeneric::matchAndRewrite(tensor::GenerateOp op,
                                   PatternRewriter &rewriter) const {
  auto type = cast<RankedTensorType>(op.getType());
  if (!llvm::hasSingleElement(op.getBody()) ||
      !llvm::all_of(op.getBody().front().without_terminator(),
                    [](Operation &nested) { return isPure(&nested); }))
    return rewriter.notifyMatchFailure(op, "its body is not pure");
  Location loc = op.getLoc();
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                              type.getElementType(), op.getDynamicExtents());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, ValueRange(), empty,
      rewriter.getMultiDimIdentityMap(type.getRank()), iterators,
      [&](OpBuilder &b, Location loc, ValueRange) {
        Block &body = op.getBody().front();
        IRMapping mapping;
        for (BlockArgument position : body.getArguments())
          mapping.map(position,
                      linalg::IndexOp::create(b, loc, position.getArgNumber()));
        for (Operation &nested : body.without_terminator())
          b.clone(nested, mapping);
        Value element = cast<tensor::YieldOp>(body.getTerminator()).getValue();
        linalg::YieldOp::create(b, loc, mapping.lookupOrDefault(element));
      });
  rewriter.replaceOp(op, generic);
  return success();
}

/// Returns the adjacent windows that `expr`, of an operand of `op`, reads.
static std::optional<Windows> getWindows(AffineExpr expr, linalg::LinalgOp op) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto product = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
  auto inner = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!product || !inner || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto outer = dyn_cast<AffineDimExpr>(product.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(product.getRHS());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!outer || !size || ranges[inner.getPosition()] != size.getValue() ||
      ShapedType::isDynamic(ranges[outer.getPosition()]))
    return std::nullopt;
  return Windows{outer.getPosition(), inner.getPosition(), size.getValue()};
}

LogicalResult ReshapeWindows::matchAndRewrite(linalg::LinalgOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op->getNumResults() != 1)
    return rewriter.notifyMatchFailure(op, "is no pooling");
  OpOperand *image = op.getDpsInputOperand(0),
            *sizes = op.getDpsInputOperand(1);
  auto type = dyn_cast<RankedTensorType>(image->get().getType());
  if (!type || !type.hasStaticShape() ||
      !op.getMatchingBlockArgument(sizes).use_empty())
    return rewriter.notifyMatchFailure(op, "is no pooling of known sizes");

  // 1. Find the dimensions of the reshape, and the loops that read them.
  SmallVector<int64_t> used, split;
  SmallVector<AffineExpr> exprs;
  SmallVector<ReassociationIndices> groups;
  bool hasWindows = false;
  MLIRContext *context = op.getContext();
  for (auto [dim, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(image).getResults())) {
    ReassociationIndices &group = groups.emplace_back();
    auto add = [&](unsigned loop, int64_t size) {
      group.push_back(split.size());
      split.push_back(size);
      exprs.push_back(getAffineDimExpr(loop, context));
    };
    if (std::optional<Windows> windows = getWindows(expr, op)) {
      int64_t count = op.getStaticLoopRanges()[windows->outer];
      used.push_back(count * windows->size);
      add(windows->outer, count);
      add(windows->inner, windows->size);
      hasWindows = true;
    } else if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      used.push_back(type.getDimSize(dim));
      add(loop.getPosition(), type.getDimSize(dim));
    } else {
      return rewriter.notifyMatchFailure(op, "windows overlap");
    }
    if (used.back() > type.getDimSize(dim) || used.back() == 0)
      return rewriter.notifyMatchFailure(op, "reads too much, or nothing");
  }
  if (!hasWindows)
    return rewriter.notifyMatchFailure(op, "has no windows");
  SmallVector<AffineMap> maps{
      AffineMap::get(op.getNumLoops(), 0, exprs, context),
      op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  if (!inversePermutation(concatAffineMaps(maps, context)))
    return rewriter.notifyMatchFailure(op, "repeats what it reads");

  // 2. Build the op.
  Location loc = op.getLoc();
  Value source = image->get();
  if (ArrayRef<int64_t>(used) != type.getShape()) {
    SmallVector<OpFoldResult> zeros(used.size(), rewriter.getIndexAttr(0)),
        ones(used.size(), rewriter.getIndexAttr(1));
    source = tensor::ExtractSliceOp::create(
        rewriter, loc, source, zeros, getAsIndexOpFoldResult(context, used),
        ones);
  }
  source = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(split, type.getElementType()),
      source, groups);
  auto generic = linalg::GenericOp::create(rewriter, loc, op->getResultTypes(),
                                           source, op.getDpsInits(), maps,
                                           op.getIteratorTypesArray());
  Block *from = op.getBlock();
  Block *body = rewriter.createBlock(&generic.getRegion());
  IRMapping mapping;
  for (BlockArgument argument : from->getArguments())
    if (argument != op.getMatchingBlockArgument(sizes))
      mapping.map(argument, body->addArgument(argument.getType(), loc));
  for (Operation &nested : *from)
    rewriter.clone(nested, mapping);
  rewriter.replaceOp(op, generic);
  return success();
}

/// Returns whether an operand of `op` is larger than what is left of its
/// windows without `loops`, whose only iteration is 0, or may be: an image may
/// have more than its windows, but a dimension that one loop reads may not.
static bool mayExceedWindows(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<AffineExpr> exprs;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    exprs.push_back(llvm::is_contained(loops, loop)
                        ? getAffineConstantExpr(0, op.getContext())
                        : getAffineDimExpr(loop, op.getContext()));
  for (OpOperand &operand : op->getOpOperands())
    for (auto [size, expr] :
         llvm::zip_equal(op.getShape(&operand),
                         op.getMatchingIndexingMap(&operand).getResults())) {
      if (isa<AffineDimExpr>(expr))
        continue;
      auto loop = dyn_cast<AffineDimExpr>(simplifyAffineExpr(
          expr.replaceDimsAndSymbols(exprs, {}), op.getNumLoops(), 0));
      if (loop &&
          (ShapedType::isDynamic(size) || size != ranges[loop.getPosition()]))
        return true;
    }
  return false;
}

LogicalResult
DropUnitWindows::matchAndRewrite(linalg::LinalgOp op,
                                 PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "on buffers");
  // A loop of a window that adds only 0 to the position of the window.
  SmallVector<unsigned> loops;
  for (auto [loop, range, iterator] :
       llvm::enumerate(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (range == 1 && linalg::isReductionIterator(iterator) &&
        llvm::any_of(op.getIndexingMapsArray(), [loop = loop](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
            return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(loop);
          });
        }))
      loops.push_back(loop);
  if (loops.empty())
    return rewriter.notifyMatchFailure(op, "has no windows of one element");
  if (mayExceedWindows(op, loops))
    return rewriter.notifyMatchFailure(op, "may read a part of its operand");
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return linalg::generalizeNamedOp(rewriter, op);
  linalg::ControlDropUnitDims options;
  options.controlFn = [&](Operation *) { return loops; };
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, generic, options);
  if (failed(dropped))
    return rewriter.notifyMatchFailure(op, "a dimension cannot be dropped");
  rewriter.replaceOp(op, dropped->replacements);
  return success();
}

LogicalResult
ReadWholeWindows::matchAndRewrite(linalg::LinalgOp op,
                                  PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return rewriter.notifyMatchFailure(op, "reduces nothing");
  // 1. The only iteration of a parallel loop is 0.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<AffineExpr> loops;
  unsigned numLoops = op.getNumLoops();
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    loops.push_back(linalg::isParallelIterator(iterator) && ranges[loop] == 1
                        ? rewriter.getAffineConstantExpr(0)
                        : rewriter.getAffineDimExpr(loop));
  // 2. What is left of a sum may be one loop, which reads the first elements.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool hasWindows = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    SmallVector<AffineExpr> exprs(map.getResults());
    for (AffineExpr &expr : exprs) {
      if (!isa<AffineBinaryOpExpr>(expr))
        continue;
      auto loop = dyn_cast<AffineDimExpr>(simplifyAffineExpr(
          expr.replaceDimsAndSymbols(loops, {}), numLoops, 0));
      if (!loop || ShapedType::isDynamic(ranges[loop.getPosition()]))
        return rewriter.notifyMatchFailure(op, "windows have many positions");
      expr = loop;
      hasWindows = true;
    }
    map = AffineMap::get(numLoops, 0, exprs, op.getContext());
  }
  if (!hasWindows ||
      !inversePermutation(concatAffineMaps(maps, op.getContext())))
    return rewriter.notifyMatchFailure(op, "has no windows");
  // 3. Build the op. An image may have more than its windows.
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = maps[input->getOperandNumber()];
    Value value = input->get();
    if (map == op.getMatchingIndexingMap(input)) {
      inputs.push_back(value);
      continue;
    }
    SmallVector<OpFoldResult> sizes =
                                  tensor::getMixedSizes(rewriter, loc, value),
                              zeros(sizes.size(), rewriter.getIndexAttr(0)),
                              ones(sizes.size(), rewriter.getIndexAttr(1));
    bool isWhole = true;
    for (auto [size, expr, before] :
         llvm::zip_equal(sizes, map.getResults(),
                         op.getMatchingIndexingMap(input).getResults()))
      if (expr != before) {
        int64_t window = ranges[cast<AffineDimExpr>(expr).getPosition()];
        isWhole &= getConstantIntValue(size) == window;
        size = rewriter.getIndexAttr(window);
      }
    inputs.push_back(isWhole ? value
                             : tensor::ExtractSliceOp::create(
                                   rewriter, loc, value, zeros, sizes, ones)
                                   .getResult());
  }
  auto product = linalg::GenericOp::create(rewriter, loc, op->getResultTypes(),
                                           inputs, op.getDpsInits(), maps,
                                           op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), product.getRegion(),
                             product.getRegion().begin());
  rewriter.replaceOp(op, product);
  return success();
}

/// Returns the neutral element of `combine`. Returns null if it is not known,
/// or if the op may not have it as an operand.
static TypedAttr getNeutral(Operation *combine) {
  Type type = combine->getResult(0).getType();
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type, IntegerType>(
          type))
    return {};
  auto flags = dyn_cast<arith::ArithFastMathInterface>(combine);
  if (flags &&
      flags.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
    return {};
  // The neutral element is -0, because -0 + +0 is +0.
  if (isa<arith::AddFOp>(combine))
    return FloatAttr::get(
        type, APFloat::getZero(cast<FloatType>(type).getFloatSemantics(),
                               /*Negative=*/true));
  return arith::getNeutralElement(combine).value_or(TypedAttr());
}

LogicalResult CombineNeutral::matchAndRewrite(arith::SelectOp op,
                                              PatternRewriter &rewriter) const {
  auto reduction = dyn_cast<linalg::LinalgOp>(op->getParentOp());
  if (!reduction || reduction.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "in no reduction");
  for (bool keepsIfTrue : {true, false}) {
    auto kept = dyn_cast<BlockArgument>(keepsIfTrue ? op.getTrueValue()
                                                    : op.getFalseValue());
    Operation *combine =
        (keepsIfTrue ? op.getFalseValue() : op.getTrueValue()).getDefiningOp();
    if (!kept || kept.getOwner() != reduction.getBlock() ||
        kept.getArgNumber() < reduction.getNumDpsInputs() || !combine ||
        !combine->hasOneUse() || combine->getNumOperands() != 2)
      continue;
    unsigned side = combine->getOperand(0) == kept ? 1 : 0;
    if (combine->getOperand(1 - side) != kept)
      continue;
    TypedAttr neutral = getNeutral(combine);
    if (!neutral)
      continue;
    Location loc = op.getLoc();
    Value nothing = arith::ConstantOp::create(rewriter, loc, neutral),
          element = combine->getOperand(side);
    Value chosen = arith::SelectOp::create(rewriter, loc, op.getCondition(),
                                           keepsIfTrue ? nothing : element,
                                           keepsIfTrue ? element : nothing);
    Operation *copy = rewriter.clone(*combine);
    copy->setOperand(side, chosen);
    rewriter.replaceOp(op, copy->getResult(0));
    return success();
  }
  return rewriter.notifyMatchFailure(op, "keeps no accumulator");
}

namespace {
/// A reduction of all elements of one tensor in which elements may be repeated
/// without changing the result.
struct Extremum {
  Operation *combine;
  TypedAttr neutral;
  /// The loop along each dimension of the tensor.
  AffineMap input;
};
} // namespace

static std::optional<Extremum> matchExtremum(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Block *body = op.getBlock();
  Operation *combine = &body->front();
  if (!input.isPermutation() || !output.isProjectedPermutation() ||
      combine->getNextNode() != body->getTerminator() ||
      body->getTerminator()->getOperand(0).getDefiningOp() != combine ||
      !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MaxUIOp,
           arith::MinSIOp, arith::MinUIOp>(combine))
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(combine->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(combine->getOperand(1));
  if (!lhs || !rhs || lhs == rhs || lhs.getOwner() != body ||
      rhs.getOwner() != body)
    return std::nullopt;
  TypedAttr neutral = getNeutral(combine);
  if (!neutral)
    return std::nullopt;
  return Extremum{combine, neutral, input};
}

LogicalResult ReduceFurther::matchAndRewrite(linalg::LinalgOp op,
                                             PatternRewriter &rewriter) const {
  std::optional<Extremum> all = matchExtremum(op);
  if (!all)
    return rewriter.notifyMatchFailure(op, "no maximum of a tensor");
  auto isReduced = [](linalg::LinalgOp op, AffineMap input, unsigned dim) {
    return op.getIteratorTypesArray()[input.getDimPosition(dim)] ==
           utils::IteratorType::reduction;
  };
  for (Operation *user : op.getDpsInputs().front().getUsers()) {
    auto rows = dyn_cast<linalg::LinalgOp>(user);
    std::optional<Extremum> ofRows =
        rows && rows != op ? matchExtremum(rows) : std::nullopt;
    if (!ofRows || rows->getBlock() != op->getBlock() ||
        !rows->isBeforeInBlock(op) ||
        ofRows->combine->getName() != all->combine->getName() ||
        rows.getNumReductionLoops() >= op.getNumReductionLoops())
      continue;
    Attribute start;
    auto fill = rows.getDpsInits().front().getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.value(), m_Constant(&start)) ||
        start != all->neutral)
      continue;
    // The loops are the dimensions of the reduced rows.
    unsigned rank = all->input.getNumDims();
    AffineMap result = rows.getMatchingIndexingMap(rows.getDpsInitOperand(0));
    SmallVector<utils::IteratorType> iterators;
    SmallVector<AffineExpr> loopOf(rank);
    for (unsigned i = 0; i < result.getNumResults(); ++i) {
      unsigned dim = *ofRows->input.getResultPosition(result.getResult(i));
      iterators.push_back(isReduced(op, all->input, dim)
                              ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
      loopOf[dim] = rewriter.getAffineDimExpr(i);
    }
    SmallVector<AffineExpr> kept;
    for (AffineExpr expr :
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
      kept.push_back(loopOf[*all->input.getResultPosition(expr)]);
    if (llvm::is_contained(kept, AffineExpr()))
      continue; // reduced along another dimension
    SmallVector<AffineMap> maps{
        rewriter.getMultiDimIdentityMap(iterators.size()),
        AffineMap::get(iterators.size(), 0, kept, rewriter.getContext())};
    auto further = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), rows->getResults(),
        op.getDpsInits(), maps, iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), further.getRegion(),
                               further.getRegion().begin());
    rewriter.replaceOp(op, further);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no maximum of its rows");
}

LogicalResult DropEmptyParts::matchAndRewrite(tensor::ConcatOp op,
                                              PatternRewriter &rewriter) const {
  SmallVector<Value> parts =
      llvm::filter_to_vector(op.getInputs(), [&](Value part) {
        return cast<RankedTensorType>(part.getType()).getDimSize(op.getDim()) !=
               0;
      });
  // If all parts are empty, keep one of them.
  if (parts.empty())
    parts.push_back(op.getInputs().front());
  if (parts.size() == op.getInputs().size())
    return rewriter.notifyMatchFailure(op, "has no part of size 0");
  Value result =
      parts.size() == 1
          ? parts.front()
          : tensor::ConcatOp::create(rewriter, op.getLoc(), op.getDim(), parts)
                .getResult();
  if (result.getType() != op.getType())
    result =
        tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

/// Returns whether elementwise ops compute `value` from a reduction of rows
/// that have one element each, such as a softmax over one key.
static bool followsRowsOfOne(Value value) {
  constexpr size_t kMostOps = 32;
  llvm::SetVector<Operation *> reached;
  auto reach = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp())
      reached.insert(op);
  };
  reach(value);
  for (size_t i = 0; i < reached.size() && i < kMostOps; ++i) {
    Operation *op = reached[i];
    std::optional<int64_t> keys;
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
      keys = softmax.getInputOperandType().getDimSize(softmax.getDimension());
    else if (auto softmax = dyn_cast<SoftmaxOp>(op))
      keys = cast<ShapedType>(softmax.getInput().getType())
                 .getDimSize(softmax.getDimension());
    if (keys == 1)
      return true;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      reach(op->getOperand(0));
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalg::isaContractionOpInterface(linalgOp))
      continue;
    SmallVector<unsigned> reductions;
    linalgOp.getReductionDims(reductions);
    SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    if (!reductions.empty() && llvm::all_of(reductions, [&](unsigned loop) {
          return ranges[loop] == 1;
        }))
      return true;
    if (reductions.empty())
      llvm::for_each(linalgOp.getDpsInputs(), reach);
  }
  return false;
}

/// Returns whether `expr` reads one of several positions of a dimension of size
/// `size`. An unknown size may be 1: broadcasts of unknown sizes are branches
/// of which one reads the other operand at 0 (BroadcastBranches.cpp). A
/// position out of bounds has no slice: loops of unknown sizes may have no
/// iteration.
static bool readsOneOfMany(AffineExpr expr, int64_t size) {
  auto position = dyn_cast<AffineConstantExpr>(expr);
  return position && !ShapedType::isDynamic(size) && size > 1 &&
         position.getValue() >= 0 && position.getValue() < size;
}

/// Returns the slice of `value` at the constants of `map` along dimensions that
/// have other elements, without these dimensions. Sets `map` to how the slice
/// is read. Returns null if `map` has no such constants.
static Value sliceAtConstants(RewriterBase &rewriter, Location loc, Value value,
                              AffineMap &map) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getEncoding())
    return {};
  SmallVector<AffineExpr> rest;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> offsets;
  for (auto [size, expr] : llvm::zip_equal(type.getShape(), map.getResults())) {
    bool isSliced = readsOneOfMany(expr, size);
    offsets.push_back(rewriter.getIndexAttr(
        isSliced ? cast<AffineConstantExpr>(expr).getValue() : 0));
    if (isSliced)
      continue;
    rest.push_back(expr);
    shape.push_back(size);
  }
  if (rest.size() == map.getNumResults())
    return {};
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value),
                            ones(sizes.size(), rewriter.getIndexAttr(1));
  for (auto [size, dim, expr] :
       llvm::zip_equal(sizes, type.getShape(), map.getResults()))
    if (readsOneOfMany(expr, dim))
      size = rewriter.getIndexAttr(1);
  map = AffineMap::get(map.getNumDims(), 0, rest, map.getContext());
  return tensor::ExtractSliceOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()), value,
      offsets, sizes, ones);
}

/// Returns the reassociation that drops the dimensions of size 1 that `op`, a
/// reduction, writes at 0. Returns none if there are none. A filled result is
/// rebuilt with its users (DropKeptDims.cpp).
static std::optional<SmallVector<ReassociationIndices>>
getKeptDims(linalg::LinalgOp op, AffineMap &map) {
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  if (op.getNumReductionLoops() == 0 ||
      init->get().getDefiningOp<linalg::FillOp>() || type.getEncoding())
    return std::nullopt;
  SmallVector<AffineExpr> rest;
  SmallVector<int64_t> shape;
  for (auto [size, expr] : llvm::zip_equal(type.getShape(), map.getResults())) {
    if (size == 1 && isa<AffineConstantExpr>(expr))
      continue;
    rest.push_back(expr);
    shape.push_back(size);
  }
  if (rest.size() == map.getNumResults())
    return std::nullopt;
  map = AffineMap::get(map.getNumDims(), 0, rest, map.getContext());
  return getReassociationIndicesForCollapse(type.getShape(), shape);
}

LogicalResult
SliceAtConstants::matchAndRewrite(linalg::LinalgOp op,
                                  PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !isa<linalg::GenericOp>(op))
    return rewriter.notifyMatchFailure(op, "is no generic with one result");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  std::optional<SmallVector<ReassociationIndices>> groups =
      getKeptDims(op, maps.back());
  Location loc = op.getLoc();
  SmallVector<Value> operands(op->getOperands());
  bool isSliced = false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (Value slice = sliceAtConstants(rewriter, loc, input->get(),
                                       maps[input->getOperandNumber()])) {
      operands[input->getOperandNumber()] = slice;
      isSliced = true;
    }
  if (!isSliced && !groups)
    return rewriter.notifyMatchFailure(op, "reads nothing at constants");
  if (groups)
    operands.back() = tensor::CollapseShapeOp::create(rewriter, loc,
                                                      operands.back(), *groups);
  else
    maps.back() = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, operands.back().getType(), ArrayRef(operands).drop_back(),
      operands.back(), maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  if (groups)
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op->getResultTypes()[0], generic.getResult(0), *groups);
  else
    rewriter.replaceOp(op, generic);
  return success();
}

LogicalResult
MultiplyOneTerm::matchAndRewrite(linalg::LinalgOp op,
                                 PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op))
    return rewriter.notifyMatchFailure(op, "is no product");
  auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  if (!fill)
    return rewriter.notifyMatchFailure(op, "adds to what is not a number");
  // Attention is fused from its last product on.
  if (llvm::any_of(op.getDpsInputs(), followsRowsOfOne))
    return rewriter.notifyMatchFailure(op, "sums what is reduced along it");
  // 1. There are loops along the dimensions of the result. Operands are read at
  //    0 along the others.
  SmallVector<AffineExpr> loops;
  unsigned numLoops = 0;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    bool isReduced = linalg::isReductionIterator(iterator);
    if (isReduced && range != 1)
      return rewriter.notifyMatchFailure(op, "sums more than one term");
    loops.push_back(isReduced ? rewriter.getAffineConstantExpr(0)
                              : rewriter.getAffineDimExpr(numLoops++));
  }
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(map.replaceDimsAndSymbols(loops, {}, numLoops, 0));
  // 2. Each element is the sum of the number and the term.
  Block *body = op.getBlock();
  auto product = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), op.getDpsInputs(),
      fill.getOutputs(), maps,
      SmallVector<utils::IteratorType>(numLoops, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        IRMapping mapping;
        mapping.map(body->getArguments(), args);
        mapping.map(op.getMatchingBlockArgument(op.getDpsInitOperand(0)),
                    fill.value());
        for (Operation &nested : body->without_terminator())
          b.clone(nested, mapping);
        linalg::YieldOp::create(
            b, loc,
            mapping.lookupOrDefault(body->getTerminator()->getOperand(0)));
      });
  rewriter.replaceOp(op, product);
  return success();
}

LogicalResult NameIterators::matchAndRewrite(linalg::GenericOp op,
                                             PatternRewriter &rewriter) const {
  if (op.getNumDpsInits() == 0)
    return rewriter.notifyMatchFailure(op, "no map says what its loops are");
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<utils::IteratorType> named(iterators);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, iterator] : llvm::enumerate(named)) {
    if (ranges[loop] == 1)
      continue;
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    bool isInNone = true, isInAll = true;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      isInNone &= !map.isFunctionOfDim(loop);
      isInAll &= llvm::is_contained(map.getResults(), dim);
    }
    if (isInNone)
      iterator = utils::IteratorType::reduction;
    else if (isInAll)
      iterator = utils::IteratorType::parallel;
  }
  if (named == iterators)
    return rewriter.notifyMatchFailure(op, "its loops are what it calls them");
  SmallVector<Attribute> attributes;
  for (utils::IteratorType iterator : named)
    attributes.push_back(
        linalg::IteratorTypeAttr::get(op.getContext(), iterator));
  rewriter.modifyOpInPlace(
      op, [&] { op.setIteratorTypesAttr(rewriter.getArrayAttr(attributes)); });
  return success();
}

void mlir::linalg_ext::populateRestateOpsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<GenerateToGeneric, DropEmptyParts, MultiplyOneTerm, NameIterators,
           ReshapePack, ReshapeUnpack, ReshapeWindows, DropUnitWindows,
           ReadWholeWindows, CombineNeutral, ReduceFurther, SliceAtConstants>(
          patterns.getContext());
}
