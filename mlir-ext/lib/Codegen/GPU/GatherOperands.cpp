//===- GatherOperands.cpp - Operands that are read at sums of loops -------===//
//
// An operand is vectorised as a tile of it. An operand that is read at sums or
// other functions of loops has no tiles. Examples are the input of a
// convolution, and that of an op that gathers patches for a product. Its
// elements are extracted one by one. If it is an operand of a product, the
// workgroups that compute the product gather the patches of their tiles, so
// that patches are not stored.
//
//===----------------------------------------------------------------------===//

#include "GatherOperands.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

static bool isReadAtLoops(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (expr == getAffineConstantExpr(0, map.getContext()))
      return true;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
    return true;
  });
}

bool mlir::linalg_ext::readsElements(LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return isReadAtLoops(map); });
}

bool mlir::linalg_ext::hasVectorElements(LinalgOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return VectorType::isValidElementType(getElementTypeOrSelf(type));
  });
}

/// Returns whether `op` writes each point of its loops once, so that it may
/// extract elements of its operands.
static bool mayExtract(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isPermutation();
         });
}

linalg::GenericOp mlir::linalg_ext::extractElements(RewriterBase &rewriter,
                                                    linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (AffineMap map = op.getMatchingIndexingMap(operand);
        isReadAtLoops(map)) {
      inputs.push_back(operand->get());
      maps.push_back(map);
    }
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  auto build = [&](OpBuilder &b, Location loc, ValueRange args) {
    IRMapping mapping;
    SmallVector<OpFoldResult> position;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      position.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
    auto next = args.begin();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (isReadAtLoops(map)) {
        mapping.map(argument, *next++);
        continue;
      }
      SmallVector<Value> indices;
      for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
        indices.push_back(affine::makeComposedAffineApply(
            b, loc, map.getSubMap({dim}), position));
      mapping.map(argument,
                  tensor::ExtractOp::create(b, loc, operand->get(), indices)
                      .getResult());
    }
    for (OpOperand &init : op.getDpsInitsMutable())
      mapping.map(op.getMatchingBlockArgument(&init), *next++);
    for (Operation &nested : op.getBody()->without_terminator())
      b.clone(nested, mapping);
    SmallVector<Value> yielded;
    for (Value value : op.getBody()->getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    linalg::YieldOp::create(b, loc, yielded);
  };
  return rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), inputs, op.getDpsInits(), maps,
      op.getIteratorTypesArray(), build, linalg::getPrunedAttributeList(op));
}

/// Lets `op`, which reduces, read a gathered tensor instead of `operand`. Its
/// dimensions are the loops that the map of `operand` uses. An elementwise op
/// gathers it.
static void gather(RewriterBase &rewriter, linalg::GenericOp op,
                   OpOperand *operand) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<Range> ranges =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> dims, loops;
  MLIRContext *context = op.getContext();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    dims.push_back(getAffineDimExpr(sizes.size(), context));
    if (!map.isFunctionOfDim(loop))
      continue;
    sizes.push_back(ranges[loop].size);
    loops.push_back(getAffineDimExpr(loop, context));
  }
  unsigned rank = sizes.size();
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(operand->get()));
  SmallVector<AffineMap> maps{map.replaceDimsAndSymbols(dims, {}, rank, 0),
                              rewriter.getMultiDimIdentityMap(rank)};
  auto gathered = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), operand->get(), empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.front());
      });
  SmallVector<AffineMap> all = op.getIndexingMapsArray();
  all[operand->getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, loops, context);
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(gathered.getResult(0));
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(all));
  });
  extractElements(rewriter, gathered);
}

/// Lets the operands of `op` that are read at loops, such as weights, have the
/// dimension of the innermost loop last, in memory.
static void storeLongestLast(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  unsigned last = op.getNumLoops() - 1;
  while (op.getIteratorTypesArray()[last] != utils::IteratorType::reduction)
    --last;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap &map = maps[operand->getOperandNumber()];
    if (!map.isProjectedPermutation() || !map.isFunctionOfDim(last) ||
        map.getResults().back().isFunctionOfDim(last))
      continue;
    Value moved = moveToEnd(rewriter, op.getLoc(), operand->get(), map, last);
    rewriter.modifyOpInPlace(op, [&] { operand->set(moved); });
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

/// Lets the longest loop along which `op` reduces be the last one: the channels
/// of a convolution whose images have them in front, rather than the elements
/// of a row of the window. Tiles are cut along the last one, and have one
/// iteration of the others. Sums have no order, but other bodies do, such as
/// 0.5 c + a b for an accumulator c.
static linalg::GenericOp sumLongestLast(RewriterBase &rewriter,
                                        linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() < 2)
    return op;
  for (int64_t number = 0; number < op.getNumDpsInits(); ++number)
    if (!getReduction(op, number))
      return op;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto isLonger = [&](unsigned loop, unsigned than) {
    return !ShapedType::isDynamic(ranges[than]) &&
           (ShapedType::isDynamic(ranges[loop]) || ranges[loop] > ranges[than]);
  };
  unsigned longest = reductions.back();
  for (unsigned loop : llvm::reverse(reductions))
    if (isLonger(loop, longest))
      longest = loop;
  if (longest == reductions.back())
    return op;
  SmallVector<unsigned> order =
      llvm::filter_to_vector(llvm::seq<unsigned>(0, op.getNumLoops()),
                             [&](unsigned loop) { return loop != longest; });
  order.insert(llvm::find(order, reductions.back()) + 1, longest);
  FailureOr<linalg::GenericOp> moved =
      linalg::interchangeGenericOp(rewriter, op, order);
  if (failed(moved))
    return op;
  storeLongestLast(rewriter, *moved);
  return *moved;
}

void mlir::linalg_ext::gatherOperands(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<LinalgOp> ops;
  scope->walk([&](LinalgOp op) {
    if (op.hasPureTensorSemantics() && !readsElements(op))
      ops.push_back(op);
  });
  for (LinalgOp op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> built =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(built))
        continue;
      generic = *built;
    }
    if (mayExtract(generic)) {
      extractElements(rewriter, generic);
      continue;
    }
    // A loop that cuts a window has only a tile of it.
    if (generic->getParentOfType<scf::ForallOp>())
      continue;
    generic = sumLongestLast(rewriter, generic);
    for (OpOperand *operand : generic.getDpsInputOperands())
      if (!isReadAtLoops(generic.getMatchingIndexingMap(operand)))
        gather(rewriter, generic, operand);
  }
}
