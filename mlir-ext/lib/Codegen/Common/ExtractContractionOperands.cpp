//===- ExtractContractionOperands.cpp - Operands of contractions ----------===//
//
// Elementwise fusion moves computation of an operand into the payload of a
// contraction: the division of a softmax, for example. But passes recognise,
// tile and map to matrix instructions only contractions whose payload
// multiplies two operands. This pattern moves the computation into an op before
// the contraction. Tile-and-fuse then fuses it into the loops.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A factor of the product that an op sums, and the ops that compute it.
struct Factor {
  /// The narrowest value that determines the factor. Casts that only widen it
  /// stay in the contraction.
  Value value;
  /// The payload ops that compute `value`, in program order, and the operands
  /// that they read.
  SetVector<Operation *> ops;
  SmallVector<OpOperand *> operands;
  /// The loops on which `value` depends, in the order of the op's loops.
  SmallVector<unsigned> loops;
};
} // namespace

/// Returns the product that `op` sums, if `op` computes nothing else.
static Operation *matchSummedProduct(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || linalg::isaContractionOpInterface(op))
    return nullptr;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  Operation *sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) || !acc.hasOneUse())
    return nullptr;
  unsigned side = sum->getOperand(0) == acc ? 1 : 0;
  if (sum->getOperand(1 - side) != acc)
    return nullptr;
  Operation *product = sum->getOperand(side).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      product->getBlock() != op.getBody() ||
      product->getOperand(0) == product->getOperand(1))
    return nullptr;
  return product;
}

/// Returns whether `op` converts to a wider type without changing the value.
static bool isWidening(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// Describes the factor `value` of the product that `op` sums. If no op
/// computes the factor, it is an operand of `op`. Fails, and notifies
/// `rewriter`, if it cannot be computed before `op`.
static FailureOr<Factor> readFactor(linalg::GenericOp op, Value value,
                                    PatternRewriter &rewriter) {
  Factor factor;
  while (Operation *cast = value.getDefiningOp()) {
    if (!isWidening(cast) || cast->getBlock() != op.getBody())
      break;
    value = cast->getOperand(0);
  }
  factor.value = value;
  llvm::SmallBitVector loops(op.getNumLoops());
  SmallVector<Value> worklist{value};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() != op.getBody())
        continue;
      OpOperand *operand = op.getMatchingOpOperand(argument);
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!op.isDpsInput(operand) || !map.isProjectedPermutation(true))
        return rewriter.notifyMatchFailure(
            op, "a factor reads the accumulator or no projection");
      factor.operands.push_back(operand);
      for (AffineExpr expr : map.getResults())
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          loops.set(dim.getPosition());
      continue;
    }
    Operation *producer = next.getDefiningOp();
    if (producer->getBlock() != op.getBody())
      continue;
    if (!isMemoryEffectFree(producer) || producer->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(op, "a factor has effects or regions");
    if (auto index = dyn_cast<linalg::IndexOp>(producer))
      loops.set(index.getDim());
    factor.ops.insert(producer);
    llvm::append_range(worklist, producer->getOperands());
  }
  llvm::sort(factor.operands, [](OpOperand *lhs, OpOperand *rhs) {
    return lhs->getOperandNumber() < rhs->getOperandNumber();
  });
  for (unsigned loop : loops.set_bits())
    factor.loops.push_back(loop);
  // The factor must not be larger than an existing tensor.
  auto covers = [&](OpOperand *operand) {
    return llvm::all_of(factor.loops, [&](unsigned loop) {
      return op.getMatchingIndexingMap(operand).isFunctionOfDim(loop);
    });
  };
  if (!factor.ops.empty() && llvm::none_of(factor.operands, covers))
    return rewriter.notifyMatchFailure(
        op, "a factor is larger than each tensor that it is computed from");
  factor.ops = topologicalSort(factor.ops);
  return factor;
}

/// Computes `factor` before `op`, as a tensor of its loops.
static Value buildFactor(RewriterBase &rewriter, linalg::GenericOp op,
                         const Factor &factor) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  unsigned rank = factor.loops.size();
  // The loops of `op` as loops of the new op. Loops that the new op lacks are
  // not used.
  SmallVector<AffineExpr> dims(op.getNumLoops(),
                               getAffineConstantExpr(0, context));
  for (auto [position, loop] : llvm::enumerate(factor.loops))
    dims[loop] = getAffineDimExpr(position, context);

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // Take static sizes first, then sizes of the destination, then those of
  // operands. Later ops use the sizes of the destination, and often the program
  // does not show that the sizes of operands are equal to these.
  SmallVector<OpFoldResult> sizes(rank);
  auto readSizes = [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto *loop = dim ? llvm::find(factor.loops, dim.getPosition())
                       : factor.loops.end();
      if (loop == factor.loops.end())
        continue;
      OpFoldResult &size = sizes[loop - factor.loops.begin()];
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (!size || (isa<Value>(size) && !type.isDynamicDim(position)))
        size = tensor::getMixedSize(rewriter, loc, operand->get(), position);
    }
  };
  readSizes(op.getDpsInitOperand(0));
  for (OpOperand *operand : factor.operands) {
    readSizes(operand);
    inputs.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
        dims, {}, rank, 0));
  }
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, factor.value.getType());
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               IRMapping mapping;
               for (auto [operand, arg] : llvm::zip(factor.operands, args))
                 mapping.map(op.getMatchingBlockArgument(operand), arg);
               for (Operation *payload : factor.ops) {
                 if (auto index = dyn_cast<linalg::IndexOp>(payload)) {
                   auto dim = cast<AffineDimExpr>(dims[index.getDim()]);
                   mapping.map(index.getResult(), linalg::IndexOp::create(
                                                      b, loc, dim.getPosition())
                                                      .getResult());
                   continue;
                 }
                 b.clone(*payload, mapping);
               }
               linalg::YieldOp::create(b, loc,
                                       mapping.lookupOrDefault(factor.value));
             })
      .getResult(0);
}

namespace {
struct ExtractContractionOperands : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Operation *product = matchSummedProduct(op);
    if (!product)
      return rewriter.notifyMatchFailure(op, "does not sum a product");
    SmallVector<Factor> factors;
    for (Value value : product->getOperands()) {
      FailureOr<Factor> factor = readFactor(op, value, rewriter);
      if (failed(factor))
        return failure();
      factors.push_back(std::move(*factor));
    }
    if (llvm::all_of(factors, [](const Factor &f) { return f.ops.empty(); }))
      return rewriter.notifyMatchFailure(op, "factors are operands already");
    // If both factors have the same dimensions, the op is a reduction of rows.
    if (factors[0].loops == factors[1].loops)
      return rewriter.notifyMatchFailure(op, "is no contraction");

    // Each factor is an operand of the new op.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    MLIRContext *context = op.getContext();
    for (const Factor &factor : factors) {
      if (factor.ops.empty() && factor.operands.size() == 1) {
        inputs.push_back(factor.operands.front()->get());
        maps.push_back(op.getMatchingIndexingMap(factor.operands.front()));
        continue;
      }
      if (factor.ops.empty())
        return rewriter.notifyMatchFailure(op, "a factor is a scalar");
      SmallVector<AffineExpr> exprs;
      for (unsigned loop : factor.loops)
        exprs.push_back(getAffineDimExpr(loop, context));
      inputs.push_back(Value());
      maps.push_back(AffineMap::get(op.getNumLoops(), 0, exprs, context));
    }
    OpOperand *init = op.getDpsInitOperand(0);
    maps.push_back(op.getMatchingIndexingMap(init));
    if (!inversePermutation(concatAffineMaps(maps, context)))
      return rewriter.notifyMatchFailure(op, "a dimension would have no size");
    for (auto [input, factor] : llvm::zip_equal(
             MutableArrayRef(inputs).take_front(factors.size()), factors))
      if (!input)
        input = buildFactor(rewriter, op, factor);

    // The remaining ops: casts that widen the factors, the product and the sum.
    SetVector<Operation *> rest;
    SmallVector<Value> worklist{op.getBody()->getTerminator()->getOperand(0)};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      Operation *payload = value.getDefiningOp();
      if (!payload || payload->getBlock() != op.getBody() ||
          llvm::any_of(factors, [&](const Factor &factor) {
            return factor.value == value;
          }))
        continue;
      if (rest.insert(payload))
        llvm::append_range(worklist, payload->getOperands());
    }
    rest = topologicalSort(rest);

    auto contraction = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs,
        ValueRange{init->get()}, maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getMatchingBlockArgument(init), args.back());
          for (auto [factor, arg] : llvm::zip(factors, args))
            mapping.map(factor.value, arg);
          for (Operation *payload : rest)
            b.clone(*payload, mapping);
          linalg::YieldOp::create(
              b, loc,
              mapping.lookup(op.getBody()->getTerminator()->getOperand(0)));
        });
    contraction->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, contraction);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateExtractContractionOperandsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExtractContractionOperands>(patterns.getContext());
}
