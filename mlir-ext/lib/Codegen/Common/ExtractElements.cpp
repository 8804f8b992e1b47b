//===- ExtractElements.cpp - Single elements of results -------------------===//
//
// A loss reads one element of each row of a log-softmax, by a tensor.extract in
// a payload. Computing the whole log-softmax first would store as many elements
// as there are scores. If few elements of an elementwise result are read, this
// file computes them where they are read, from elements of the operands. If an
// element is read at the position of the iteration, its tensor becomes an
// operand.
//
// An element of a contraction whose result is also reduced becomes a sum along
// the reduced dimension, of the element and zeros. The loop that computes and
// reduces the contraction then computes this sum as well, and the contraction
// is not stored.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExtractElements.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `reader` is known to read at most 1 / `fewer` of the
/// elements that `producer` computes. `reader` reads one element of a result of
/// `producer` in each iteration.
static bool readsFew(linalg::LinalgOp reader, linalg::LinalgOp producer,
                     int64_t fewer) {
  int64_t reads = fewer, elements = 1;
  for (int64_t range : reader.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return reader.getNumLoops() < producer.getNumLoops();
    reads *= range;
  }
  for (int64_t range : producer.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return reader.getNumLoops() < producer.getNumLoops();
    elements *= range;
  }
  return reads <= elements;
}

/// Returns whether all users of `producer` read single elements, so that no
/// other op needs its result.
static bool isOnlyExtracted(linalg::LinalgOp producer) {
  return llvm::all_of(producer->getUsers(), [](Operation *user) {
    return isa<tensor::ExtractOp, tensor::DimOp>(user);
  });
}

/// Returns whether `producer` computes a table of integers in each workgroup
/// that reads it, such as entries that count from the end if they are negative.
/// `producer` must be in the same loop over workgroups as `reader`, and must
/// take few instructions.
static bool isTableOfWorkgroup(linalg::LinalgOp reader,
                               linalg::LinalgOp producer, Value table) {
  constexpr int64_t kMostOps = 8;
  auto forall = producer->getParentOfType<scf::ForallOp>();
  return forall && forall->isProperAncestor(reader) &&
         getElementTypeOrSelf(table.getType()).isIntOrIndex() &&
         static_cast<int64_t>(producer.getBlock()->getOperations().size()) <=
             kMostOps &&
         llvm::none_of(*producer.getBlock(), llvm::IsaPred<tensor::ExtractOp>);
}

/// Returns whether `producer` shifts or masks each of its elements, as ops do
/// that unpack words, and does little else. Then it takes less to unpack an
/// element again than to store it, and nothing else needs it.
static bool unpacksElements(linalg::LinalgOp producer) {
  return isOnlyExtracted(producer) && isCheap(producer, ElementReads::Any) &&
         llvm::any_of(
             *producer.getBlock(),
             llvm::IsaPred<arith::ShRUIOp, arith::ShRSIOp, arith::AndIOp>);
}

namespace {
/// When an element of a result is computed where it is read.
enum class ExtractedKind {
  /// Few elements are read.
  Few,
  /// The result is a table that each workgroup would compute.
  Table,
  /// The result is unpacked from words.
  Unpacked
};

/// Computes an element of an elementwise result from elements of its operands.
class ComputeExtracted : public OpRewritePattern<tensor::ExtractOp> {
public:
  explicit ComputeExtracted(MLIRContext *context,
                            ExtractedKind kind = ExtractedKind::Few)
      : OpRewritePattern(context), kind(kind) {}

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getTensor().getDefiningOp<linalg::LinalgOp>();
    // An entry of a table is read in a branch, only if it exists.
    auto reader = kind == ExtractedKind::Table
                      ? op->getParentOfType<linalg::LinalgOp>()
                      : dyn_cast<linalg::LinalgOp>(op->getParentOp());
    if (!producer || !reader || !producer.hasPureTensorSemantics() ||
        !producer.isAllParallelLoops() || producer->getNumRegions() != 1 ||
        isa<linalg::FillOp>(producer))
      return rewriter.notifyMatchFailure(op, "is of no elementwise result");
    auto result = cast<OpResult>(op.getTensor());
    AffineMap map = producer.getIndexingMapMatchingResult(result);
    if (!map.isPermutation())
      return rewriter.notifyMatchFailure(op, "its place is not one iteration");
    if (!mayCompute(reader, producer, op.getTensor()))
      return rewriter.notifyMatchFailure(op, "too many elements are read");

    // 1. Map the iteration, and the arguments of the payload.
    Location loc = op.getLoc();
    SmallVector<Value> iteration = applyPermutationMap<Value>(
        inversePermutation(map), llvm::to_vector_of<Value>(op.getIndices()));
    IRMapping mapping;
    for (OpOperand &operand : producer->getOpOperands()) {
      BlockArgument arg = producer.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      Value value = operand.get();
      if (isa<RankedTensorType>(value.getType())) {
        AffineMap map = producer.getMatchingIndexingMap(&operand);
        SmallVector<Value> indices;
        for (AffineExpr expr : map.getResults()) {
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            indices.push_back(iteration[dim.getPosition()]);
          else
            indices.push_back(affine::AffineApplyOp::create(
                rewriter, loc, AffineMap::get(map.getNumDims(), 0, expr),
                iteration));
        }
        value = tensor::ExtractOp::create(rewriter, loc, value, indices);
      }
      mapping.map(arg, value);
    }

    // 2. Clone the payload.
    for (Operation &scalar : producer.getBlock()->without_terminator())
      if (auto index = dyn_cast<linalg::IndexOp>(scalar))
        mapping.map(index.getResult(), iteration[index.getDim()]);
      else
        rewriter.clone(scalar, mapping);
    Value yielded = producer.getBlock()->getTerminator()->getOperand(
        result.getResultNumber());
    rewriter.replaceOp(op, mapping.lookupOrDefault(yielded));
    return success();
  }

private:
  /// Returns whether elements of `table`, which `producer` computes, may be
  /// computed where `reader` reads them.
  bool mayCompute(linalg::LinalgOp reader, linalg::LinalgOp producer,
                  Value table) const {
    switch (kind) {
    case ExtractedKind::Few:
      return readsFew(reader, producer, isOnlyExtracted(producer) ? 1 : 2);
    case ExtractedKind::Table:
      return isTableOfWorkgroup(reader, producer, table);
    case ExtractedKind::Unpacked:
      return unpacksElements(producer);
    }
    llvm_unreachable("an unknown kind");
  }

  ExtractedKind kind;
};
} // namespace

bool mlir::linalg_ext::isAsLong(Value table, int64_t dim, linalg::LinalgOp op,
                                unsigned loop) {
  int64_t size = cast<RankedTensorType>(table.getType()).getDimSize(dim);
  int64_t range = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(size) || !ShapedType::isDynamic(range))
    return size == range;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [position, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (expr != getAffineDimExpr(loop, op->getContext()))
        continue;
      FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
          {table, dim}, {operand.get(), static_cast<int64_t>(position)});
      if (succeeded(equal) && *equal)
        return true;
    }
  }
  return false;
}

AffineExpr mlir::linalg_ext::getExprOfOne(linalg::LinalgOp op,
                                          tensor::ExtractOp extract,
                                          int64_t dim) {
  // The dimensions of size 1 are read at the loops of size 1, in their order.
  int64_t skipped =
      llvm::count_if(extract.getIndices().take_front(dim), [](Value index) {
        return getConstantIntValue(index).has_value();
      });
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    bool isRead = llvm::any_of(extract.getIndices(), [loop](Value value) {
      auto index = value.getDefiningOp<linalg::IndexOp>();
      return index && index.getDim() == loop;
    });
    if (ranges[loop] == 1 && !isRead && skipped-- == 0)
      return getAffineDimExpr(loop, context);
  }
  return getAffineConstantExpr(0, context);
}

namespace {
/// If an element is at the position of the iteration, makes its tensor an
/// operand.
struct ReadExtracted : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto reader = dyn_cast<linalg::GenericOp>(op->getParentOp());
    if (!reader || !reader.hasPureTensorSemantics() ||
        op.getTensor().getParentRegion() == op->getParentRegion())
      return rewriter.notifyMatchFailure(op, "is in no generic op on tensors");
    SmallVector<AffineExpr> exprs;
    for (auto [dim, value] : llvm::enumerate(op.getIndices())) {
      // The position in a loop of size 1 is 0.
      if (getConstantIntValue(value) == 0 &&
          cast<RankedTensorType>(op.getTensor().getType()).getDimSize(dim) ==
              1) {
        exprs.push_back(getExprOfOne(reader, op, dim));
        continue;
      }
      auto index = value.getDefiningOp<linalg::IndexOp>();
      if (!index || index->getParentOp() != reader.getOperation())
        return rewriter.notifyMatchFailure(op, "is not read by position");
      AffineExpr expr = rewriter.getAffineDimExpr(index.getDim());
      if (llvm::is_contained(exprs, expr) ||
          !isAsLong(op.getTensor(), dim, reader, index.getDim()))
        return rewriter.notifyMatchFailure(op, "reads a part only");
      exprs.push_back(expr);
    }
    unsigned number = reader.getNumDpsInputs();
    SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
    maps.insert(
        maps.begin() + number,
        AffineMap::get(reader.getNumLoops(), 0, exprs, rewriter.getContext()));
    rewriter.modifyOpInPlace(reader, [&] {
      reader.getInputsMutable().append(op.getTensor());
      reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      reader.getBody()->insertArgument(number, op.getType(), op.getLoc());
    });
    rewriter.replaceOp(op, reader.getBody()->getArgument(number));
    return success();
  }
};
} // namespace

/// Returns whether each element of the result of `op` is computed from the
/// element of `value`, one of its operands, at the same position.
static bool isElementwiseIn(linalg::LinalgOp op, Value value) {
  if (!op.isAllParallelLoops() || op->getNumRegions() != 1)
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == value && !op.getMatchingIndexingMap(input).isIdentity())
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return init.get() != value && op.getMatchingIndexingMap(&init).isIdentity();
  });
}

/// Returns whether `op` reduces dimension `dim` of `value`, and no other.
static bool reducesOnly(linalg::LinalgOp op, Value value, int64_t dim) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (operand.get() != value)
      return true;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand) || !map.isProjectedPermutation())
      return false;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      bool isReduced =
          op.getIteratorTypesArray()[cast<AffineDimExpr>(expr).getPosition()] ==
          utils::IteratorType::reduction;
      if (isReduced != (static_cast<int64_t>(position) == dim))
        return false;
    }
    return true;
  });
}

/// Returns whether `value` is reduced along `dim`, possibly after elementwise
/// ops, and is used in no other way, except for single elements.
static bool isOnlyReduced(Value value, int64_t dim) {
  SetVector<Value> values;
  values.insert(value);
  bool isReduced = false;
  for (unsigned i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<tensor::ExtractOp, tensor::DimOp>(user))
        continue;
      auto op = dyn_cast<linalg::LinalgOp>(user);
      if (!op || !op.hasPureTensorSemantics())
        return false;
      if (isElementwiseIn(op, values[i]))
        values.insert_range(op->getResults());
      else if (op.getNumReductionLoops() > 0 && reducesOnly(op, values[i], dim))
        isReduced = true;
      else
        return false;
    }
  return isReduced;
}

/// Adds the ops of the payload of `reader` that compute `value` to `slice`, in
/// order. Returns false if some of them are not scalar arithmetic.
static bool collectScalars(linalg::GenericOp reader, Value value,
                           SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != reader.getBody())
    return !isa<BlockArgument>(value) ||
           value.getParentRegion() != &reader.getRegion() ||
           cast<BlockArgument>(value).getArgNumber() < reader.getNumDpsInputs();
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!collectScalars(reader, operand, slice))
      return false;
  slice.insert(op);
  return true;
}

namespace {
/// Rewrites an element of a contraction that is reduced along one dimension as
/// a sum along that dimension. Its index along the other dimensions must be the
/// position of the iteration.
struct SumExtracted : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto reader = dyn_cast<linalg::GenericOp>(op->getParentOp());
    auto source = op.getTensor().getDefiningOp<linalg::LinalgOp>();
    if (!reader || !reader.hasPureTensorSemantics() ||
        !reader.isAllParallelLoops() || !source ||
        !source.hasPureTensorSemantics() ||
        !linalg::isaContractionOpInterface(source) ||
        !isa<FloatType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "is of no contraction");
    // 1. Find the position of the element: it is that of an iteration, except
    //    along one dimension.
    unsigned numLoops = reader.getNumLoops();
    SmallVector<AffineExpr> exprs;
    std::optional<int64_t> chosen;
    for (auto [dim, value] : llvm::enumerate(op.getIndices())) {
      auto index = value.getDefiningOp<linalg::IndexOp>();
      if (index && index->getParentOp() == reader.getOperation() &&
          isAsLong(op.getTensor(), dim, reader, index.getDim()) &&
          !llvm::is_contained(exprs,
                              rewriter.getAffineDimExpr(index.getDim()))) {
        exprs.push_back(rewriter.getAffineDimExpr(index.getDim()));
        continue;
      }
      if (chosen)
        return rewriter.notifyMatchFailure(op, "chosen along two dimensions");
      chosen = dim;
      exprs.push_back(rewriter.getAffineDimExpr(numLoops));
    }
    if (!chosen || exprs.size() != numLoops + 1)
      return rewriter.notifyMatchFailure(op, "not one element an iteration");
    if (!isOnlyReduced(op.getTensor(), *chosen))
      return rewriter.notifyMatchFailure(op,
                                         "the contraction is stored anyway");
    SetVector<Operation *> slice;
    if (!collectScalars(reader, op.getIndices()[*chosen], slice))
      return rewriter.notifyMatchFailure(op, "its index is not arithmetic");

    // 2. Build the sum.
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(reader);
    MLIRContext *context = rewriter.getContext();
    SmallVector<Value> inputs{op.getTensor()};
    SmallVector<AffineMap> maps{
        AffineMap::get(numLoops + 1, 0, exprs, context)};
    for (OpOperand *input : reader.getDpsInputOperands()) {
      inputs.push_back(input->get());
      maps.push_back(AffineMap::get(
          numLoops + 1, 0, reader.getMatchingIndexingMap(input).getResults(),
          context));
    }
    SmallVector<OpFoldResult> sizes;
    for (unsigned loop = 0; loop < numLoops; ++loop) {
      auto position =
          llvm::find(exprs, rewriter.getAffineDimExpr(loop)) - exprs.begin();
      sizes.push_back(
          tensor::getMixedSize(rewriter, loc, op.getTensor(), position));
    }
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, op.getType());
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getZeroAttr(op.getType()));
    Value init =
        linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    maps.push_back(AffineMap::getMultiDimIdentityMap(numLoops + 1, context)
                       .getMajorSubMap(numLoops));
    SmallVector<utils::IteratorType> iterators(numLoops,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    auto sum = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), inputs, init, maps, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(reader.getBody()->getArguments().take_front(
                          reader.getNumDpsInputs()),
                      args.drop_front().drop_back());
          for (Operation *scalar : slice)
            b.clone(*scalar, mapping);
          Value here = linalg::IndexOp::create(b, loc, numLoops);
          Value isHere = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq, here,
              mapping.lookupOrDefault(op.getIndices()[*chosen]));
          Value term = arith::SelectOp::create(b, loc, isHere, args[0], zero);
          Value next = arith::AddFOp::create(b, loc, term, args.back());
          linalg::YieldOp::create(b, loc, next);
        });

    // 3. Make it an operand of the reader.
    unsigned number = reader.getNumDpsInputs();
    SmallVector<AffineMap> readerMaps = reader.getIndexingMapsArray();
    readerMaps.insert(readerMaps.begin() + number,
                      rewriter.getMultiDimIdentityMap(numLoops));
    rewriter.modifyOpInPlace(reader, [&] {
      reader.getInputsMutable().append(sum.getResult(0));
      reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(readerMaps));
      reader.getBody()->insertArgument(number, op.getType(), op.getLoc());
    });
    rewriter.replaceOp(op, reader.getBody()->getArgument(number));
    return success();
  }
};
} // namespace

namespace {
/// Reads the source of an expansion by dimensions of size 1.
struct ExtractFromExpanded : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getTensor().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand)
      return rewriter.notifyMatchFailure(op, "is of nothing that is expanded");
    SmallVector<Value> indices;
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      SmallVector<int64_t> dims =
          llvm::filter_to_vector(group, [&](int64_t dim) {
            return expand.getType().getDimSize(dim) != 1;
          });
      if (dims.size() > 1)
        return rewriter.notifyMatchFailure(op, "a dimension is split");
      indices.push_back(op.getIndices()[dims.empty() ? group[0] : dims[0]]);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, expand.getSrc(),
                                                   indices);
    return success();
  }
};
} // namespace

namespace {
/// Reads the source of a padding: an element is the padding, or one of the
/// source.
struct ExtractFromPadded : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getTensor().getDefiningOp<tensor::PadOp>();
    auto reader = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    Value padding = pad ? pad.getConstantPaddingValue() : Value();
    if (!reader || !padding ||
        pad.getRegion().isAncestor(padding.getParentRegion()))
      return rewriter.notifyMatchFailure(op, "is of nothing that is padded");
    // 1. An element of the source is read in place of the padding, so the
    //    source must not be empty.
    SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                              high = pad.getMixedHighPad();
    RankedTensorType type = pad.getSourceType();
    SmallVector<int64_t> padded;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      std::optional<int64_t> before = getConstantIntValue(low[dim]),
                             behind = getConstantIntValue(high[dim]);
      if (before == 0 && behind == 0)
        continue;
      if (!before || !behind || *before < 0 || *behind < 0 ||
          type.isDynamicDim(dim) || type.getDimSize(dim) == 0)
        return rewriter.notifyMatchFailure(op, "may be of no elements");
      padded.push_back(dim);
    }
    // 2. Compute whether the element exists, and its position.
    Location loc = op.getLoc();
    SmallVector<Value> indices = llvm::to_vector_of<Value>(op.getIndices());
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value inside;
    for (int64_t dim : padded) {
      Value before = getValueOrCreateConstantIndexOp(rewriter, loc, low[dim]);
      Value size =
          arith::ConstantIndexOp::create(rewriter, loc, type.getDimSize(dim));
      Value at = arith::SubIOp::create(rewriter, loc, indices[dim], before);
      for (auto [predicate, bound] :
           {std::pair(arith::CmpIPredicate::sge, zero),
            std::pair(arith::CmpIPredicate::slt, size)}) {
        Value holds =
            arith::CmpIOp::create(rewriter, loc, predicate, at, bound);
        inside = inside ? arith::AndIOp::create(rewriter, loc, inside, holds)
                        : holds;
      }
      indices[dim] = at;
    }
    if (inside)
      for (int64_t dim : padded)
        indices[dim] =
            arith::SelectOp::create(rewriter, loc, inside, indices[dim], zero);
    Value element =
        tensor::ExtractOp::create(rewriter, loc, pad.getSource(), indices);
    if (inside)
      element =
          arith::SelectOp::create(rewriter, loc, inside, element, padding);
    rewriter.replaceOp(op, element);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateExtractElementsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ComputeExtracted, ReadExtracted, SumExtracted,
               ExtractFromExpanded, ExtractFromPadded>(patterns.getContext());
}

void mlir::linalg_ext::populateComputeTablesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ComputeExtracted>(patterns.getContext(), ExtractedKind::Table);
}

void mlir::linalg_ext::populateUnpackExtractedPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ComputeExtracted>(patterns.getContext(),
                                 ExtractedKind::Unpacked);
}

void mlir::linalg_ext::populateExtractFromPaddedPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExtractFromPadded>(patterns.getContext());
}
