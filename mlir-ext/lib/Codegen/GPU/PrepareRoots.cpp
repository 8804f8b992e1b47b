//===- PrepareRoots.cpp - Ops before their workgroups ---------------------===//
//
// See PrepareRoots.h.
//
//===----------------------------------------------------------------------===//

#include "PrepareRoots.h"

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

void mlir::linalg_ext::fillInWorkgroups(RewriterBase &rewriter,
                                        Operation *scope) {
  SmallVector<linalg::FillOp> fills;
  scope->walk([&](linalg::FillOp fill) {
    if (!fill->getParentOfType<scf::ForallOp>() &&
        fill.hasPureTensorSemantics() &&
        fill.getDpsInits().front().getDefiningOp<tensor::EmptyOp>())
      fills.push_back(fill);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  for (linalg::FillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto forall = use.getOwner()->getParentOfType<scf::ForallOp>();
      if (!forall || isa<scf::ForallOp>(use.getOwner()))
        continue;
      rewriter.setInsertionPoint(
          forall.getBody()->findAncestorOpInBlock(*use.getOwner()));
      IRMapping mapping;
      rewriter.clone(*fill.getDpsInits().front().getDefiningOp(), mapping);
      Operation *own = rewriter.clone(*fill, mapping);
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(own->getResult(0)); });
    }
}

void mlir::linalg_ext::computeScalarsAgain(RewriterBase &rewriter,
                                           Operation *scope) {
  constexpr size_t kMostUsers = 4;
  SmallVector<LinalgOp> scalars;
  scope->walk([&](LinalgOp op) {
    if (op.getNumLoops() == 0 && op->getNumResults() == 1 &&
        op.hasPureTensorSemantics() && !isFill(op) &&
        !op->getParentOfType<scf::ForallOp>())
      scalars.push_back(op);
  });
  // An op on which others depend comes last, with all of its users.
  for (LinalgOp op : llvm::reverse(scalars)) {
    SetVector<Operation *> users;
    bool isKept = false;
    for (Operation *user : op->getUsers()) {
      if (isa<LinalgOp>(user) && user->getBlock() == op->getBlock())
        users.insert(user);
      else
        isKept = true;
    }
    if (users.size() + isKept < 2 || users.size() > kMostUsers)
      continue;
    // One of the users keeps the original op.
    for (Operation *user : ArrayRef(users.getArrayRef()).drop_back(!isKept)) {
      rewriter.setInsertionPoint(user);
      IRMapping mapping;
      for (Value init : op.getDpsInits())
        if (auto empty = init.getDefiningOp<tensor::EmptyOp>())
          rewriter.clone(*empty, mapping);
      Operation *own = rewriter.clone(*op, mapping);
      rewriter.modifyOpInPlace(user, [&] {
        user->replaceUsesOfWith(op->getResult(0), own->getResult(0));
      });
    }
  }
}

void mlir::linalg_ext::sinkReshapes(RewriterBase &rewriter, Operation *scope) {
  SmallVector<Operation *> reshapes;
  scope->walk([&](Operation *op) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
        op->getOperand(0).getDefiningOp<LinalgOp>())
      reshapes.push_back(op);
  });
  for (Operation *op : reshapes) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *other = op->getBlock()->findAncestorOpInBlock(*user);
      if (other && (!first || other->isBeforeInBlock(first)))
        first = other;
    }
    if (first && op->getNextNode() != first)
      rewriter.moveOpBefore(op, first);
  }
}

/// What combines the elements that `op` reduces, and what changes none of them.
static std::optional<std::pair<Operation *, TypedAttr>>
getCombiner(linalg::GenericOp op) {
  SmallVector<Operation *, 4> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return std::nullopt;
  Operation *combiner = combiners.front();
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral || combiner->getNumOperands() != 2 ||
      combiner->getNumResults() != 1)
    return std::nullopt;
  return std::pair(combiner, *neutral);
}

/// The payload that combines two results of parts.
static void buildCombination(OpBuilder &b, Location loc, Operation *combiner,
                             ValueRange args) {
  Operation *copy = b.clone(*combiner);
  copy->setOperands({args[0], args[1]});
  linalg::YieldOp::create(b, loc, copy->getResult(0));
}

/// Reduces rows in front of `op`, if it is large. Returns what reduces the rows
/// and what reduces these results, or null.
static std::pair<linalg::GenericOp, linalg::GenericOp>
reduceRowsFirst(RewriterBase &rewriter, linalg::GenericOp op) {
  constexpr int64_t kLarge = 1 << 16, kLargeRows = 1 << 12;
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumLoops() < 2 || op.getNumReductionLoops() != op.getNumLoops() ||
      op.hasIndexSemantics())
    return {};
  int64_t elements = 1;
  bool isDynamic = false;
  for (int64_t range : op.getStaticLoopRanges()) {
    isDynamic |= ShapedType::isDynamic(range);
    elements *= ShapedType::isDynamic(range) ? 1 : range;
  }
  if (elements < (isDynamic ? kLargeRows : kLarge) ||
      op.getStaticLoopRanges().front() == 1)
    return {};
  // 1. Find the op that combines elements, and the neutral element.
  std::optional<std::pair<Operation *, TypedAttr>> combining = getCombiner(op);
  if (!combining)
    return {};
  auto [combiner, neutral] = *combining;
  // 2. Reduce the rows.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  Type element = getElementTypeOrSelf(op->getResult(0));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, {domain.front().size}, element);
  Value start = arith::ConstantOp::create(rewriter, loc, neutral);
  Value starts =
      linalg::FillOp::create(rewriter, loc, start, empty).getResult(0);
  IRMapping mapping;
  auto rows = cast<linalg::GenericOp>(rewriter.clone(*op, mapping));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Read element 0 along each dimension, if there is one.
  AffineMap place = maps.back();
  maps.back() =
      AffineMap::get(op.getNumLoops(), 0, rewriter.getAffineDimExpr(0));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.front() = utils::IteratorType::parallel;
  rewriter.modifyOpInPlace(rows, [&] {
    rows.getDpsInitsMutable().assign(starts);
    rows.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    rows.setIteratorTypesAttr(rewriter.getArrayAttr(llvm::map_to_vector(
        iterators, [&](utils::IteratorType iterator) -> Attribute {
          return linalg::IteratorTypeAttr::get(rewriter.getContext(), iterator);
        })));
    rows->getResult(0).setType(cast<RankedTensorType>(starts.getType()));
  });
  // 3. Reduce their results.
  SmallVector<AffineMap> ofRows{
      rewriter.getMultiDimIdentityMap(1),
      AffineMap::get(1, 0, place.getResults(), rewriter.getContext())};
  auto all = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), rows->getResult(0), op.getDpsInits(),
      ofRows, utils::IteratorType::reduction,
      [combiner = combiner](OpBuilder &b, Location loc, ValueRange args) {
        buildCombination(b, loc, combiner, args);
      });
  rewriter.replaceOp(op, all);
  return {rows, all};
}

/// Whether `a` and `b` read an input by the same map, which reads each of its
/// elements once.
static bool readAllAlike(LinalgOp a, LinalgOp b) {
  return llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = a.getMatchingIndexingMap(input);
    return map.isPermutation() &&
           llvm::any_of(b.getDpsInputOperands(), [&](OpOperand *other) {
             return input->get() == other->get() &&
                    map == b.getMatchingIndexingMap(other);
           });
  });
}

/// Returns whether a value in `values`, or an op that computes it, is computed
/// by one of `ops`, which are in one block.
static bool dependOn(ValueRange values, ArrayRef<LinalgOp> ops) {
  Block *block = ops.front()->getBlock();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    Operation *inBlock = block->findAncestorOpInBlock(*op);
    return inBlock && !inBlock->isBeforeInBlock(ops.front());
  };
  SetVector<Operation *> slice;
  for (Value value : values)
    if (failed(getBackwardSlice(value, &slice, options)))
      return true;
  return llvm::any_of(ops, [&](LinalgOp op) { return slice.contains(op); });
}

/// Moves `op` to the place behind the last of `ops`, and what it uses in front
/// of the first, which is in front of the others. Fails if `op` needs one of
/// them.
static LogicalResult moveBehind(RewriterBase &rewriter, LinalgOp op,
                                ArrayRef<LinalgOp> ops) {
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  if (dependOn(used.getArrayRef(), ops) ||
      failed(moveValueDefinitions(rewriter, used.getArrayRef(), ops.front())))
    return failure();
  rewriter.moveOpAfter(op, ops.back());
  return success();
}

/// Has one op yield the results of `ops`, which follow each other and have
/// results of the same shape: it is the root of one kernel that computes all.
static void joinResults(RewriterBase &rewriter, ArrayRef<LinalgOp> ops) {
  LinalgOp last = ops.back();
  rewriter.setInsertionPointAfter(last);
  Location loc = last.getLoc();
  SmallVector<Value> results, inits;
  for (LinalgOp op : ops) {
    Value result = results.emplace_back(op->getResult(0));
    inits.push_back(tensor::EmptyOp::create(
        rewriter, loc,
        tensor::getMixedSizes(rewriter, loc, op.getDpsInits()[0]),
        getElementTypeOrSelf(result)));
  }
  int64_t rank = cast<RankedTensorType>(results.front().getType()).getRank();
  SmallVector<AffineMap> maps(2 * ops.size(),
                              rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto joined = linalg::GenericOp::create(
      rewriter, loc, TypeRange(ValueRange(inits)), results, inits, maps,
      iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.take_front(results.size()));
      });
  for (auto [from, to] : llvm::zip_equal(results, joined->getResults()))
    rewriter.replaceAllUsesExcept(from, to, joined);
}

/// Returns whether `a` and `b` have results of the same shape.
static bool haveResultsAlike(LinalgOp a, LinalgOp b) {
  return cast<RankedTensorType>(a->getResult(0).getType()).getShape() ==
         cast<RankedTensorType>(b->getResult(0).getType()).getShape();
}

/// Whether one structured op reads the results of `a` and `b`, and no other op:
/// both are in its kernel.
static bool haveOneUser(Operation *a, Operation *b) {
  llvm::SmallPtrSet<Operation *, 4> users;
  users.insert_range(a->getUsers());
  users.insert_range(b->getUsers());
  return users.size() == 1 && isa<LinalgOp>(*users.begin());
}

void mlir::linalg_ext::reduceWholeTensors(RewriterBase &rewriter,
                                          Operation *scope) {
  SmallVector<linalg::GenericOp> whole;
  scope->walk([&](linalg::GenericOp op) {
    if (!op->getParentOfType<scf::ForallOp>() && op.getNumParallelLoops() == 0)
      whole.push_back(op);
  });
  while (!whole.empty()) {
    // 1. Those that read the same tensor as the first follow it.
    SmallVector<LinalgOp> alike{whole.front()};
    whole.erase(whole.begin());
    LinalgOp first = alike.front();
    auto isAlike = [&](linalg::GenericOp op) {
      return op.getNumReductionLoops() > 0 && op->getNumResults() == 1 &&
             first->getNumResults() == 1 && op.hasPureTensorSemantics() &&
             op->getBlock() == first->getBlock() &&
             op.getStaticLoopRanges() == first.getStaticLoopRanges() &&
             haveResultsAlike(first, op) && readAllAlike(first, op) &&
             !haveOneUser(first, op) &&
             succeeded(moveBehind(rewriter, op, alike));
    };
    llvm::erase_if(whole, [&](linalg::GenericOp op) {
      if (!isAlike(op))
        return false;
      alike.push_back(op);
      return true;
    });
    // 2. Rows first, and then one kernel of each.
    SmallVector<LinalgOp> rows, all;
    for (LinalgOp op : alike) {
      auto [ofRows, ofResults] =
          reduceRowsFirst(rewriter, cast<linalg::GenericOp>(*op));
      if (ofRows)
        rows.push_back(ofRows);
      all.push_back(ofResults ? LinalgOp(ofResults) : op);
    }
    if (all.size() < 2)
      continue;
    for (size_t i = 1; i < rows.size(); ++i)
      if (failed(moveBehind(rewriter, rows[i], ArrayRef(rows).take_front(i))))
        rows.clear();
    for (ArrayRef<LinalgOp> ops : {ArrayRef(rows), ArrayRef(all)})
      if (ops.size() > 1)
        joinResults(rewriter, ops);
  }
}

/// The dimension of the only input of `op` that `op` reduces, if the input is
/// contiguous along another one, and large, and chunks of `chunk` elements
/// divide it.
static std::optional<unsigned> getDimInChunks(linalg::GenericOp op,
                                              int64_t chunk) {
  constexpr int64_t kLarge = 1 << 20, kLeastChunks = 4;
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != 1 || op.getNumReductionLoops() != 1 ||
      op.hasIndexSemantics() || op->getParentOfType<scf::ForallOp>())
    return std::nullopt;
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap map = op.getMatchingIndexingMap(input),
            written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = dyn_cast<RankedTensorType>(input->get().getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() < kLarge ||
      !map.isPermutation() || !written.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  unsigned dim = *map.getResultPosition(
      getAffineDimExpr(reduced.front(), op.getContext()));
  int64_t size = type.getDimSize(dim);
  if (int64_t(dim) + 1 == type.getRank() || size % chunk != 0 ||
      size < kLeastChunks * chunk)
    return std::nullopt;
  return dim;
}

/// Returns whether an op that reads the input of `op` needs the result of `op`,
/// too, such as the sum of a softmax: one kernel can compute both.
static bool isInputReadBehind(linalg::GenericOp op) {
  SetVector<Operation *> behind;
  getForwardSlice(op->getResult(0), &behind);
  return llvm::any_of(op.getDpsInputs().front().getUsers(),
                      [&](Operation *user) { return behind.contains(user); });
}

void mlir::linalg_ext::reduceColumnsInChunks(RewriterBase &rewriter,
                                             linalg::GenericOp op) {
  constexpr int64_t kChunk = 256;
  std::optional<unsigned> dim = getDimInChunks(op, kChunk);
  std::optional<std::pair<Operation *, TypedAttr>> combining;
  if (dim && !isInputReadBehind(op))
    combining = getCombiner(op);
  if (!combining)
    return;
  auto [combiner, neutral] = *combining;
  // 1. The chunks, as a dimension in front of the one that is reduced.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value input = op.getDpsInputs().front();
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[*dim] /= kChunk;
  int64_t chunks = shape[*dim];
  shape.insert(shape.begin() + *dim + 1, kChunk);
  SmallVector<ReassociationIndices> groups;
  for (int64_t group = 0, next = 0; group < type.getRank(); ++group) {
    groups.push_back({next++});
    if (group == int64_t(*dim))
      groups.back().push_back(next++);
  }
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, type.clone(shape), input, groups);
  // 2. Their results.
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> ofChunks(resultType.getShape());
  ofChunks.insert(ofChunks.begin(), chunks);
  Value empty = tensor::EmptyOp::create(rewriter, loc, ofChunks,
                                        resultType.getElementType());
  Value start = arith::ConstantOp::create(rewriter, loc, neutral);
  Value starts =
      linalg::FillOp::create(rewriter, loc, start, empty).getResult(0);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
            written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineExpr> read(map.getResults()), results(written.getResults());
  AffineExpr inner = rewriter.getAffineDimExpr(op.getNumLoops());
  results.insert(results.begin(), read[*dim]);
  unsigned outer = map.getDimPosition(*dim);
  read.insert(read.begin() + *dim + 1, inner);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators[outer] = utils::IteratorType::parallel;
  iterators.push_back(utils::IteratorType::reduction);
  auto parts = linalg::GenericOp::create(
      rewriter, loc, starts.getType(), expanded, starts,
      AffineMap::inferFromExprList({read, results}, rewriter.getContext()),
      iterators);
  rewriter.cloneRegionBefore(op.getRegion(), parts.getRegion(),
                             parts.getRegion().begin());
  // 3. Their sum.
  unsigned rank = ofChunks.size();
  SmallVector<AffineMap> maps{
      rewriter.getMultiDimIdentityMap(rank),
      rewriter.getMultiDimIdentityMap(rank).getMinorSubMap(rank - 1)};
  SmallVector<utils::IteratorType> all(rank, utils::IteratorType::parallel);
  all.front() = utils::IteratorType::reduction;
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), parts->getResult(0), op.getDpsInits(), maps,
      all, [combiner = combiner](OpBuilder &b, Location loc, ValueRange args) {
        buildCombination(b, loc, combiner, args);
      });
}
