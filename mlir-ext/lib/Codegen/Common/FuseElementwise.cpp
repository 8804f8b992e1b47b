//===- FuseElementwise.cpp - Fusion of elementwise ops --------------------===//
//
// Scaling, masking and converting a tile one after another takes one pass over
// the tile for each op. Upstream's fusion of elementwise ops merges two such
// ops. This file applies it only if no element is computed more often than
// before. It does not use the other patterns of upstream's pattern set: one of
// them replaces a destination that is not read, such as an argument of the
// function, by an uninitialised tensor.
//
//===----------------------------------------------------------------------===//

#include "FuseOperand.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether fusing the producer of `operand` computes each of its
/// elements only once, as before. The producer must have no other user, and the
/// user must read each element in one iteration only.
static bool computesOnce(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return producer && consumer && producer->hasOneUse() &&
         producer->getBlock() == consumer->getBlock() &&
         consumer.getMatchingIndexingMap(operand).isPermutation();
}

/// Returns whether `op` computes one value for each row from reductions of
/// rows, which are at most `depth` ops before it.
static bool isOfReducedRows(linalg::LinalgOp op, unsigned depth = 8) {
  return op.isAllParallelLoops() &&
         llvm::any_of(op.getDpsInputs(), [&](Value input) {
           auto producer = input.getDefiningOp<linalg::LinalgOp>();
           return producer && depth > 0 &&
                  ((producer.getNumReductionLoops() > 0 &&
                    producer.getNumParallelLoops() == op.getNumLoops()) ||
                   (producer.getNumLoops() == op.getNumLoops() &&
                    isOfReducedRows(producer, depth - 1)));
         });
}

/// Returns whether the user of `operand` sums over all rows, and the producer
/// of `operand` computes one value for each row from reductions of rows. The
/// producer then stays with the rows.
static bool staysWithRows(OpOperand *operand) {
  auto consumer = cast<linalg::LinalgOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  return consumer.getNumLoops() > 0 && consumer.getNumParallelLoops() == 0 &&
         producer && isOfReducedRows(producer);
}

namespace {
struct FuseIntoOnlyUser : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!computesOnce(operand) || staysWithRows(operand) ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      return fuseOperand(rewriter, op, operand);
    }
    return rewriter.notifyMatchFailure(op, "no operand is used here only");
  }
};
} // namespace

/// Returns whether `op` only converts the elements of one tensor, to elements
/// that are no smaller.
static bool onlyWidens(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      !op.hasPureTensorSemantics() || !op.isAllParallelLoops())
    return false;
  Value element = op.getBody()->getTerminator()->getOperand(0);
  Type to = element.getType();
  while (Operation *cast = element.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
             arith::UIToFPOp>(cast))
      return false;
    element = cast->getOperand(0);
  }
  Type from = element.getType();
  return element == op.getBody()->getArgument(0) && from.isIntOrFloat() &&
         to.isIntOrFloat() && from != to &&
         from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
}

namespace {
/// If several ops read the result of a conversion, lets each of them convert.
/// They then read fewer bytes, and the result is not stored, which a loop would
/// do for the others.
struct FuseConversion : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.isAllParallelLoops())
      return rewriter.notifyMatchFailure(op, "is not elementwise");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || producer->hasOneUse() ||
          producer->getBlock() != op->getBlock() || !onlyWidens(producer) ||
          !op.getMatchingIndexingMap(operand).isPermutation() ||
          !linalg::areElementwiseOpsFusable(operand) ||
          llvm::count(op->getOperands(), operand->get()) > 1)
        continue;
      rewriter.setInsertionPoint(op);
      Operation *own = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(op, [&] { operand->set(own->getResult(0)); });
      return fuseOperand(rewriter, op, operand);
    }
    return rewriter.notifyMatchFailure(op, "reads no shared conversion");
  }
};
} // namespace

namespace {
/// Upstream's patterns match only `linalg.generic`. Fills and movements of data
/// keep their form, so that other patterns recognise them.
struct GeneralizeElementwise
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp,
            linalg::BroadcastOp, linalg::TransposeOp>(op))
      return rewriter.notifyMatchFailure(op, "is to stay as it is");
    if (!op.hasPureTensorSemantics() || !linalg::isElementwise(op))
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

namespace {
/// Drops a result without users from an op that reads the destination of this
/// result. The destination becomes an input. Such ops are left over from
/// fusion.
struct DropUnusedResults : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->use_empty() || llvm::none_of(op->getResults(), [](Value result) {
          return result.use_empty();
        }))
      return rewriter.notifyMatchFailure(op, "no result of several is unused");
    SmallVector<Value> inputs(op.getInputs()), outputs;
    SmallVector<AffineMap> maps, outputMaps;
    SmallVector<Value> used;
    // For each argument of the old body, the argument of the new one.
    SmallVector<BlockArgument> inputArgs, outputArgs;
    Block *body = op.getBody();
    for (OpOperand *input : op.getDpsInputOperands()) {
      maps.push_back(op.getMatchingIndexingMap(input));
      inputArgs.push_back(op.getMatchingBlockArgument(input));
    }
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      BlockArgument arg = op.getMatchingBlockArgument(&init);
      if (!op->getResult(i).use_empty()) {
        outputs.push_back(init.get());
        outputMaps.push_back(map);
        outputArgs.push_back(arg);
        used.push_back(op->getResult(i));
        continue;
      }
      inputs.push_back(init.get());
      maps.push_back(map);
      inputArgs.push_back(arg);
    }
    llvm::append_range(maps, outputMaps);
    auto fewer = linalg::GenericOp::create(
        rewriter, op.getLoc(), ValueRange(used).getTypes(), inputs, outputs,
        maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          for (auto [from, to] : llvm::zip(
                   llvm::concat<BlockArgument>(inputArgs, outputArgs), args))
            mapping.map(from, to);
          for (Operation &inner : body->without_terminator())
            b.clone(inner, mapping);
          SmallVector<Value> yielded;
          for (auto [result, value] : llvm::zip_equal(
                   op->getResults(), body->getTerminator()->getOperands()))
            if (!result.use_empty())
              yielded.push_back(mapping.lookupOrDefault(value));
          linalg::YieldOp::create(b, loc, yielded);
        },
        linalg::getPrunedAttributeList(op));
    for (auto [from, to] : llvm::zip_equal(used, fewer->getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFuseElementwisePatterns(
    RewritePatternSet &patterns) {
  patterns.add<GeneralizeElementwise, FuseIntoOnlyUser, FuseConversion,
               DropUnusedResults>(patterns.getContext());
  // If an uninitialised tensor is reshaped, a tensor of the new shape replaces
  // it. Its tiles can then be filled.
  linalg_ext::populateFoldTensorEmptyPatterns(patterns);
}
