//===- OrderOfParts.cpp - The order of the parts of words -----------------===//
//
// AWQ stores columns 0, 2, 4, 6, 1, 3, 5, 7 in a word. Importers unpack all
// words, merge the parts to columns, and take columns at the positions
//
//   0 4 1 5 2 6 3 7 8 12 9 13 ...
//
// which are a constant, or computed from their numbers. As a gather of columns
// it would store what is unpacked. Here it becomes a gather of parts of one
// word, before they are merged, so that nothing but the order of eight parts is
// looked up.
//
//===----------------------------------------------------------------------===//

#include "OrderOfParts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Values that are known
//===----------------------------------------------------------------------===//

/// Tensors and ops that are followed to find a value. Longer ones are no
/// positions.
static constexpr unsigned kMostSteps = 64;

/// Returns element `place` of `tensor`, of integers, if it follows from
/// constants and positions.
static std::optional<int64_t> evaluate(Value tensor, ArrayRef<int64_t> place,
                                       unsigned &steps);

/// Returns `value`, an integer in the payload of `op`, in iteration
/// `iteration`. `known` has values of the same iteration.
static std::optional<int64_t>
evaluateScalar(linalg::GenericOp op, Value value, ArrayRef<int64_t> iteration,
               llvm::SmallDenseMap<Value, int64_t> &known, unsigned &steps) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSignificantBits() <= 64
               ? std::optional(number.getSExtValue())
               : std::nullopt;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (steps++ >= kMostSteps)
    return std::nullopt;
  std::optional<int64_t> result;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() != op.getBody() ||
        arg.getArgNumber() >= op.getNumDpsInputs())
      return std::nullopt;
    OpOperand *operand = op.getDpsInputOperand(arg.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation() ||
        !isa<RankedTensorType>(operand->get().getType()))
      return std::nullopt;
    SmallVector<int64_t> place;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      place.push_back(iteration[map.getDimPosition(i)]);
    result = evaluate(operand->get(), place, steps);
  } else if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    result = iteration[index.getDim()];
  } else {
    Operation *def = value.getDefiningOp();
    if (def->getNumResults() != 1 || def->getNumRegions() != 0 ||
        def->getBlock() != op.getBody())
      return std::nullopt;
    auto extract = dyn_cast<tensor::ExtractOp>(def);
    SmallVector<int64_t> numbers;
    SmallVector<Attribute> constants;
    for (Value operand :
         extract ? extract.getIndices() : ValueRange(def->getOperands())) {
      std::optional<int64_t> each =
          operand.getType().isIntOrIndex()
              ? evaluateScalar(op, operand, iteration, known, steps)
              : std::nullopt;
      if (!each)
        return std::nullopt;
      numbers.push_back(*each);
      constants.push_back(IntegerAttr::get(operand.getType(), *each));
    }
    if (extract) {
      result = evaluate(extract.getTensor(), numbers, steps);
    } else {
      // The op is cloned, because folding may change it in place.
      SmallVector<OpFoldResult> folded;
      Operation *copy = def->clone();
      LogicalResult isFolded = copy->fold(constants, folded);
      copy->destroy();
      if (failed(isFolded) || folded.size() != 1)
        return std::nullopt;
      auto attr = dyn_cast_or_null<IntegerAttr>(
          llvm::dyn_cast_if_present<Attribute>(folded.front()));
      auto same = llvm::dyn_cast_if_present<Value>(folded.front());
      if (!attr && !same)
        return std::nullopt;
      result = attr ? std::optional(attr.getValue().getSExtValue())
                    : evaluateScalar(op, same, iteration, known, steps);
    }
  }
  if (result)
    known[value] = *result;
  return result;
}

static std::optional<int64_t> evaluate(Value tensor, ArrayRef<int64_t> place,
                                       unsigned &steps) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape() || steps++ >= kMostSteps ||
      !type.getElementType().isIntOrIndex())
    return std::nullopt;
  for (auto [each, size] : llvm::zip_equal(place, type.getShape()))
    if (each < 0 || each >= size)
      return std::nullopt;
  DenseIntElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)))
    return elements
        .getValues<APInt>()[linearize(place, computeStrides(type.getShape()))]
        .getSExtValue();
  Operation *def = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def)) {
    Value source = def->getOperand(0);
    auto from = cast<RankedTensorType>(source.getType());
    if (!from.hasStaticShape())
      return std::nullopt;
    return evaluate(
        source,
        delinearize(linearize(place, computeStrides(type.getShape())),
                    computeStrides(from.getShape())),
        steps);
  }
  auto op = dyn_cast_or_null<linalg::GenericOp>(def);
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !op.isAllParallelLoops())
    return std::nullopt;
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!written.isPermutation())
    return std::nullopt;
  SmallVector<int64_t> iteration(op.getNumLoops());
  for (auto [i, each] : llvm::enumerate(place))
    iteration[written.getDimPosition(i)] = each;
  llvm::SmallDenseMap<Value, int64_t> known;
  return evaluateScalar(op, op.getBody()->getTerminator()->getOperand(0),
                        iteration, known, steps);
}

//===----------------------------------------------------------------------===//
// The order of parts
//===----------------------------------------------------------------------===//

/// The only loop of `op` on which `value`, in its payload, depends. Nothing if
/// there is none, if there are several, or if `value` is the number of the
/// iteration itself.
static std::optional<unsigned> getOnlyLoop(linalg::GenericOp op, Value value) {
  if (value.getDefiningOp<linalg::IndexOp>())
    return std::nullopt;
  std::optional<unsigned> loop;
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    SmallVector<unsigned> loops;
    auto arg = dyn_cast<BlockArgument>(next);
    if (arg && arg.getOwner() == op.getBody()) {
      if (arg.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      AffineMap map =
          op.getMatchingIndexingMap(op.getDpsInputOperand(arg.getArgNumber()));
      for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
        if (map.isFunctionOfDim(dim))
          loops.push_back(dim);
    } else if (auto index = next.getDefiningOp<linalg::IndexOp>()) {
      loops.push_back(index.getDim());
    } else if (Operation *def = next.getDefiningOp();
               def && def->getBlock() == op.getBody()) {
      llvm::append_range(worklist, def->getOperands());
    }
    for (unsigned each : loops)
      if (loop.value_or(each) != each)
        return std::nullopt;
      else
        loop = each;
  }
  return loop;
}

/// Returns the order of the parts of each word, `parts` of them, if `index`, an
/// index of columns in the payload of `op`, permutes those of all words alike
/// in the iterations of `loop`.
static std::optional<SmallVector<int64_t>> getOrder(linalg::GenericOp op,
                                                    Value index, unsigned loop,
                                                    int64_t columns,
                                                    int64_t parts) {
  SmallVector<int64_t> order, iteration(op.getNumLoops(), 0);
  for (int64_t column = 0; column < columns; ++column) {
    iteration[loop] = column;
    llvm::SmallDenseMap<Value, int64_t> known;
    unsigned steps = 0;
    std::optional<int64_t> place =
        evaluateScalar(op, index, iteration, known, steps);
    if (!place)
      return std::nullopt;
    int64_t part = *place - column / parts * parts;
    if (part < 0 || part >= parts)
      return std::nullopt;
    if (column < parts)
      order.push_back(part);
    else if (order[column % parts] != part)
      return std::nullopt;
  }
  return order;
}

namespace {
/// d(a, c) = merged(x)(a, order(c)) as merged(d')(a, c), where d'(a, w, p) =
/// x(a, w, o(p)), if order(w * parts + p) = w * parts + o(p).
struct ReadPartsInOrder : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto op = dyn_cast<linalg::GenericOp>(extract->getParentOp());
    auto merge = extract.getTensor().getDefiningOp<tensor::CollapseShapeOp>();
    if (!op || !merge || !op.hasPureTensorSemantics() ||
        !op.isAllParallelLoops() || op->getNumResults() != 1 ||
        !merge.getSrcType().hasStaticShape())
      return rewriter.notifyMatchFailure(extract, "reads no merged dimension");
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!written.isPermutation() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return rewriter.notifyMatchFailure(extract, "is of no elementwise op");
    for (auto [dim, group] : llvm::enumerate(merge.getReassociationIndices())) {
      if (group.size() != 2)
        continue;
      Value index = extract.getIndices()[dim];
      int64_t parts = merge.getSrcType().getDimSize(group[1]),
              columns = merge.getResultType().getDimSize(dim);
      std::optional<unsigned> loop = getOnlyLoop(op, index);
      if (!loop || parts > kMostParts || !canSplit(op, *loop, columns))
        continue;
      if (auto order = getOrder(op, index, *loop, columns, parts)) {
        rewrite(rewriter, extract, op, merge, dim, *loop, *order);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(extract, "no order of parts is known");
  }

private:
  /// The bits of the largest words.
  static constexpr int64_t kMostParts = 64;

  /// Whether no operand but the result and one-dimensional ones, of which the
  /// index is computed, has `loop`, and all of these are known to have
  /// `columns` elements along it.
  static bool canSplit(linalg::GenericOp op, unsigned loop, int64_t columns) {
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!map.isFunctionOfDim(loop))
        return true;
      if (!map.isProjectedPermutation() ||
          (map.getNumResults() != 1 && op.isDpsInput(&operand)))
        return false;
      auto dim = map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
      return cast<ShapedType>(operand.get().getType()).getDimSize(*dim) ==
             columns;
    });
  }

  static void rewrite(PatternRewriter &rewriter, tensor::ExtractOp extract,
                      linalg::GenericOp op, tensor::CollapseShapeOp merge,
                      unsigned dim, unsigned loop, ArrayRef<int64_t> order);
};
} // namespace

/// Builds the indices of `extract` in the source of `merge`: that of dimension
/// `dim` is the number `word` and the part `part`, and others are in `mapping`.
static SmallVector<Value> buildIndices(OpBuilder &b, tensor::ExtractOp extract,
                                       tensor::CollapseShapeOp merge,
                                       unsigned dim, Value word, Value part,
                                       const IRMapping &mapping) {
  SmallVector<Value> indices;
  for (auto [i, group] : llvm::enumerate(merge.getReassociationIndices())) {
    if (i == dim) {
      indices.append({word, part});
      continue;
    }
    Value index = mapping.lookupOrDefault(extract.getIndices()[i]);
    if (group.size() == 1) {
      indices.push_back(index);
      continue;
    }
    auto apart = affine::AffineDelinearizeIndexOp::create(
        b, extract.getLoc(), index,
        llvm::map_to_vector(group, [&](int64_t each) {
          return OpFoldResult(
              b.getIndexAttr(merge.getSrcType().getDimSize(each)));
        }));
    llvm::append_range(indices, apart.getResults());
  }
  return indices;
}

/// Builds the payload of `op` with loop `loop` as two, of which the second one
/// has `parts` iterations. `extract` reads part `part` of each word.
static void buildPayload(OpBuilder &b, linalg::GenericOp op, unsigned loop,
                         int64_t parts, tensor::ExtractOp extract,
                         tensor::CollapseShapeOp merge, unsigned dim,
                         Value part, IRMapping mapping) {
  Location loc = op.getLoc();
  for (Operation &each : *op.getBody()) {
    if (auto index = dyn_cast<linalg::IndexOp>(each)) {
      Value value = linalg::IndexOp::create(
          b, loc, index.getDim() + (index.getDim() > loop ? 1 : 0));
      AffineExpr d0, d1;
      bindDims(b.getContext(), d0, d1);
      if (index.getDim() == loop)
        value = affine::AffineApplyOp::create(
            b, loc, d0 * parts + d1,
            ValueRange{value, linalg::IndexOp::create(b, loc, loop + 1)});
      mapping.map(index.getResult(), value);
    } else if (&each == extract.getOperation()) {
      Value word = linalg::IndexOp::create(b, loc, loop);
      Value place = arith::IndexCastOp::create(b, loc, b.getIndexType(), part);
      mapping.map(extract.getResult(),
                  tensor::ExtractOp::create(b, loc, merge.getSrc(),
                                            buildIndices(b, extract, merge, dim,
                                                         word, place, mapping))
                      .getResult());
    } else {
      b.clone(each, mapping);
    }
  }
}

void ReadPartsInOrder::rewrite(PatternRewriter &rewriter,
                               tensor::ExtractOp extract, linalg::GenericOp op,
                               tensor::CollapseShapeOp merge, unsigned dim,
                               unsigned loop, ArrayRef<int64_t> order) {
  Location loc = op.getLoc();
  MLIRContext *context = rewriter.getContext();
  rewriter.setInsertionPoint(op);
  int64_t parts = order.size(), rank = op.getNumLoops();
  // 1. Loop `loop` becomes two: the words, and the parts behind them.
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto splitMap = [&](AffineMap map) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : map.getResults()) {
      unsigned position = cast<AffineDimExpr>(expr).getPosition();
      exprs.push_back(
          rewriter.getAffineDimExpr(position + (position > loop ? 1 : 0)));
      if (position == loop)
        exprs.push_back(rewriter.getAffineDimExpr(loop + 1));
    }
    return AffineMap::get(rank + 1, 0, exprs, context);
  };
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<ReassociationIndices> groups;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(rewriter, loc, op.getDpsInits().front());
  int64_t next = 0;
  for (unsigned i = 0; i < written.getNumResults(); ++i) {
    groups.push_back({next++});
    if (written.getDimPosition(i) != loop) {
      sizes.push_back(all[i]);
      continue;
    }
    groups.back().push_back(next++);
    sizes.push_back(rewriter.getIndexAttr(result.getDimSize(i) / parts));
    sizes.push_back(rewriter.getIndexAttr(parts));
  }
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    Value input = operand->get();
    if (map.isFunctionOfDim(loop)) {
      auto type = cast<RankedTensorType>(input.getType());
      input = tensor::ExpandShapeOp::create(
          rewriter, loc,
          RankedTensorType::get({type.getDimSize(0) / parts, parts},
                                type.getElementType()),
          input, ArrayRef<ReassociationIndices>{{0, 1}});
    }
    inputs.push_back(input);
    maps.push_back(splitMap(map));
  }
  // 2. The order.
  auto type = RankedTensorType::get({parts}, rewriter.getI64Type());
  inputs.push_back(arith::ConstantOp::create(
      rewriter, loc, DenseIntElementsAttr::get(type, order)));
  maps.push_back(AffineMap::get(rank + 1, 0,
                                rewriter.getAffineDimExpr(loop + 1), context));
  maps.push_back(splitMap(written));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, result.getElementType());
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  auto split = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &b, Location, ValueRange args) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments().drop_back(),
                    args.drop_back(2));
        buildPayload(b, op, loop, parts, extract, merge, dim,
                     args[args.size() - 2], mapping);
      });
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, result, split.getResult(0), groups);
}

void mlir::linalg_ext::populateOrderOfPartsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReadPartsInOrder>(patterns.getContext());
}
