//===- FuseForGPU.cpp - Tile and fuse for a GPU ---------------------------===//
//
// See FuseRoots.h and SelectLevels.h. Before the fusion it widens accumulators
// to f32, and gives each use of a fill its own fill.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Selection/SelectLevels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTFUSEFORGPUPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Rows that are reduced and read again are one kernel (tile-to-workgroups),
/// and so is a product in front of them whose rows are one tile. A product
/// behind them has one of its own.
static bool isRowKernel(const UnfusedChain &chain) {
  constexpr int64_t kMaxColumns = 128;
  auto type = cast<RankedTensorType>(chain.stored.getType());
  bool anyProduct = llvm::any_of(chain.accumulations, [&](Operation *op) {
    return static_cast<int64_t>(
               cast<TilingInterface>(op).getLoopIteratorTypes().size()) >
           type.getRank();
  });
  int64_t columns = type.getDimSize(chain.dim);
  return !anyProduct &&
         (!chain.isContracted ||
          (!ShapedType::isDynamic(columns) && columns <= kMaxColumns));
}

/// CSE merges fills with one value, whatever starts from them. Gives each use
/// its own, which is then computed in the workgroups that need it, and not in a
/// kernel in front of all.
static void separateFills(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](linalg::FillOp fill) {
    if (!fill.hasPureTensorSemantics() || fill->use_empty())
      return;
    rewriter.setInsertionPointAfter(fill);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(fill->getUses()))) {
      Operation *clone = rewriter.clone(*fill);
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(clone->getResult(0)); });
    }
  });
}

namespace {
struct LinalgExtFuseForGPUPass
    : public linalg_ext::impl::LinalgExtFuseForGPUPassBase<
          LinalgExtFuseForGPUPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // States are stored with an op of it.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (rows < 0 || keys < 0) {
      emitError(getOperation()->getLoc())
          << "expected 'rows' and 'keys' not to be negative, got "
          << Twine(rows.getValue()) << " and " << Twine(keys.getValue());
      return signalPassFailure();
    }
    if (split < -1) {
      emitError(getOperation()->getLoc())
          << "expected 'split' to be -1, 0 or positive, got "
          << Twine(split.getValue());
      return signalPassFailure();
    }
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    int64_t subgroups = target->maxThreads / target->lanes;
    if (keySubgroups < 1 || keySubgroups > subgroups) {
      emitError(getOperation()->getLoc())
          << "expected 'key-subgroups' to be from 1 to " << subgroups
          << ", got " << Twine(keySubgroups.getValue());
      return signalPassFailure();
    }
    // Sums are stored between tiles: in f32, as instructions have them.
    RewritePatternSet patterns(&getContext());
    populateWidenAccumulatorPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    IRRewriter rewriter(&getContext());
    separateFills(rewriter, getOperation());

    GPUTileSizes sizes;
    sizes.rows = rows;
    sizes.keys = keys;
    sizes.split = split;
    sizes.keySubgroups = keySubgroups;
    TileAndFuseOptions options;
    options.fuseConsumers = true;
    options.rescaleElements = !rescaleThreshold.empty();
    FuseRootsSpelling spelling{levels, normalization, exactness,
                               rescaleThreshold, /*mapToWorkgroups=*/true};
    spelling.recompute = recompute;
    spelling.report = report;
    spelling.requireFusion = requireFusion;
    spelling.isFusedLater = isRowKernel;
    if (failed(
            fuseRoots(getOperation(), options, spelling, [&](Operation *root) {
              return selectGPULevels(root, sizes, *target);
            })))
      signalPassFailure();
  }
};
} // namespace
