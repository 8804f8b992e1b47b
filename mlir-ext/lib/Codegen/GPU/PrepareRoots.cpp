//===- PrepareRoots.cpp - Ops before their workgroups ---------------------===//
//
// See PrepareRoots.h.
//
//===----------------------------------------------------------------------===//

#include "PrepareRoots.h"

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
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

void mlir::linalg_ext::reduceRowsFirst(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  constexpr int64_t kLarge = 1 << 16, kLargeRows = 1 << 12;
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumLoops() < 2 || op.getNumReductionLoops() != op.getNumLoops() ||
      op.hasIndexSemantics())
    return;
  int64_t elements = 1;
  bool isDynamic = false;
  for (int64_t range : op.getStaticLoopRanges()) {
    isDynamic |= ShapedType::isDynamic(range);
    elements *= ShapedType::isDynamic(range) ? 1 : range;
  }
  if (elements < (isDynamic ? kLargeRows : kLarge) ||
      op.getStaticLoopRanges().front() == 1)
    return;
  // 1. Find the ops that combine elements, and the neutral elements.
  SmallVector<Operation *, 4> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return;
  Operation *combiner = combiners.front();
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral || combiner->getNumOperands() != 2 ||
      combiner->getNumResults() != 1)
    return;
  // 2. Reduce the rows.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  Type element = getElementTypeOrSelf(op->getResult(0));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, {domain.front().size}, element);
  Value start = arith::ConstantOp::create(rewriter, loc, *neutral);
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
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Operation *copy = b.clone(*combiner);
        copy->setOperands({args[0], args[1]});
        linalg::YieldOp::create(b, loc, copy->getResult(0));
      });
  rewriter.replaceOp(op, all);
}
