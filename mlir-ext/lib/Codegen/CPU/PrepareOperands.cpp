//===- PrepareOperands.cpp - Operands of contractions as vectors ----------===//
//
// The pass linalg-ext-prepare-operands. Its steps are in TransposeTiles.cpp,
// PackTiles.cpp, TileToPages.cpp, GatherByRows.cpp, WidenRows.cpp,
// MergeParts.cpp, SplitOffsets.cpp and ReadWords.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPREPAREOPERANDSPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtPrepareOperandsPass
    : public linalg_ext::impl::LinalgExtPrepareOperandsPassBase<
          LinalgExtPrepareOperandsPass> {
  using Base::Base;

  void runOnOperation() override {
    const NamedStep known[] = {{"weights", [&] { return widenWeights(); }},
                               {"transpose", [&] { return transpose(); }},
                               {"pack", [&] { return pack(); }},
                               {"pages", [&] { return readPages(); }},
                               {"widen", [&] { return widen(); }},
                               {"offsets", [&] { return splitOff(); }},
                               {"words", [&] { return readUnpacked(); }}};
    if (failed(runNamedSteps(getOperation(), "steps", known, *steps)))
      signalPassFailure();
  }

private:
  LogicalResult transpose() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    RewritePatternSet patterns(&getContext());
    populateTransposeTilesPatterns(patterns, target->getLanes(32));
    return applyPatternsGreedily(getOperation(), std::move(patterns),
                                 getStructuredRewriteConfig());
  }

  LogicalResult pack() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    PackTilesOptions options;
    options.minRows = 2 * target->getLanes(32);
    options.minBytes = target->l1Bytes + 1;
    options.minWholeBytes = target->l2Bytes + 1;
    RewritePatternSet patterns(&getContext());
    populatePackTilesPatterns(patterns, options);
    return applyPatternsGreedily(getOperation(), std::move(patterns),
                                 getStructuredRewriteConfig());
  }

  SmallVector<linalg::LinalgOp> collectReductions() {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() > 0)
        ops.push_back(op);
    });
    return ops;
  }

  LogicalResult widenWeights() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    if (!excessPrecision)
      return success();
    SmallVector<linalg::LinalgOp> ops = collectReductions();
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      (void)widenDequantized(rewriter, op, target->dotBF16 != 0);
    return success();
  }

  LogicalResult widen() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    SmallVector<linalg::LinalgOp> ops = collectReductions();
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (excessPrecision)
        (void)widenTerms(rewriter, op);
      rewriter.setInsertionPoint(op);
      (void)widenRows(rewriter, op, getMostFewRows(target->vectorRegisters),
                      target->dotBF16 != 0);
    }
    return success();
  }

  LogicalResult splitOff() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    SmallVector<linalg::LinalgOp> ops = collectReductions();
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::CollapseShapeOp> reshapes;
    getOperation()->walk(
        [&](tensor::CollapseShapeOp op) { reshapes.push_back(op); });
    for (tensor::CollapseShapeOp op : reshapes)
      (void)mergeParts(rewriter, op);
    if (!excessPrecision)
      return success();
    SplitOffsetsOptions options;
    options.centers = target->looksUp();
    options.cacheBytes = target->l1Bytes;
    for (linalg::LinalgOp op : ops)
      (void)splitOffsets(rewriter, op, options);
    return success();
  }

  LogicalResult readUnpacked() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    if (!target->looksUp())
      return success();
    // The products of more rows take longer than what is saved, and the eight
    // parts of a word need more registers at a time than there are. Digits of
    // rows (RowsOfDigits.cpp) need whole words.
    bool hasDigits =
        excessPrecision &&
        static_cast<ByteProducts>(target->byteDot) == ByteProducts::Fours &&
        target->getLanes(32) == 16;
    int64_t mostRows = hasDigits ? 8 : 4;
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      (void)subtractFloats(rewriter, op);
      rewriter.setInsertionPoint(op);
      (void)readWords(rewriter, op, target->getLanes(32), mostRows);
    }
    return success();
  }

  LogicalResult readPages() {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    // Contractions of gathered rows that are tiled here are not tiled again.
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      (void)tileToPages(rewriter, op, getMostFewRows(target->vectorRegisters));
    // Gathers that no contraction reads in place are copied row by row.
    SmallVector<PagedGatherOp> gathers;
    getOperation()->walk([&](PagedGatherOp op) {
      if (!op->use_empty())
        gathers.push_back(op);
    });
    for (PagedGatherOp gather : gathers) {
      rewriter.setInsertionPoint(gather);
      (void)gatherByRows(rewriter, gather);
    }
    return success();
  }
};
} // namespace
