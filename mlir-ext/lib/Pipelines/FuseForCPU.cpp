//===- FuseForCPU.cpp - Tile and fuse for a CPU ---------------------------===//
//
// See FuseRoots.h and SelectLevels.h.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Selection/SelectLevels.h"
#include "mlir-ext/Codegen/CPU/TileProducts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTFUSEFORCPUPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtFuseForCPUPass
    : public linalg_ext::impl::LinalgExtFuseForCPUPassBase<
          LinalgExtFuseForCPUPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // States are stored with an op of it.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (rows < 0 || keys < 0 || split < -1) {
      emitError(getOperation()->getLoc())
          << "expected 'rows' and 'keys' not to be negative, and 'split' to be "
             "-1, 0 or positive, got "
          << Twine(rows.getValue()) << ", " << Twine(keys.getValue()) << " and "
          << Twine(split.getValue());
      return signalPassFailure();
    }
    if (vectorBits < 64 || l1Bytes < 1024 || l2Bytes < l1Bytes) {
      emitError(getOperation()->getLoc())
          << "expected 'vector-bits' to be at least 64, 'l1-bytes' at least "
             "1024 and 'l2-bytes' no less than that, got "
          << Twine(vectorBits.getValue()) << ", " << Twine(l1Bytes.getValue())
          << " and " << Twine(l2Bytes.getValue());
      return signalPassFailure();
    }
    CPUCoreModel core;
    core.vectorBits = vectorBits;
    core.l1Bytes = l1Bytes;
    core.l2Bytes = l2Bytes;
    CPUTileOptions tiles;
    tiles.rows = rows;
    tiles.keys = keys;
    tiles.split = split;
    tiles.shared = shared;
    if (!(flopsPerByte >= 0)) {
      emitError(getOperation()->getLoc())
          << "expected 'flops-per-byte' not to be negative, got "
          << std::to_string(flopsPerByte);
      return signalPassFailure();
    }
    std::optional<FusionProfitOptions> profit;
    if (!force) {
      profit.emplace();
      profit->flopsPerByte = flopsPerByte;
      profit->cacheBytes = l2Bytes;
    }
    FuseRootsSpelling spelling{levels, normalization, exactness,
                               rescaleThreshold};
    spelling.report = report;
    spelling.requireFusion = requireFusion;
    llvm::SmallPtrSet<Operation *, 8> loops = findLoops();
    if (failed(fuseRoots(
            getOperation(), TileAndFuseOptions(), spelling,
            [&](Operation *root) { return selectCPULevels(root, core, tiles); },
            profit)))
      return signalPassFailure();

    // What is in no loop of a root.
    llvm::SetVector<Operation *> products;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LoopLikeOpInterface>(op) && !loops.contains(op))
        return WalkResult::skip();
      if (auto product = dyn_cast<linalg::LinalgOp>(op))
        products.insert(product);
      return WalkResult::advance();
    });
    struct Pending : public RewriterBase::Listener {
      explicit Pending(llvm::SetVector<Operation *> &ops) : ops(ops) {}
      void notifyOperationErased(Operation *op) override { ops.remove(op); }
      llvm::SetVector<Operation *> &ops;
    } pending(products);
    IRRewriter rewriter(&getContext(), &pending);
    while (!products.empty())
      (void)tileProduct(rewriter,
                        cast<linalg::LinalgOp>(products.pop_back_val()), core,
                        tiles);
  }

private:
  llvm::SmallPtrSet<Operation *, 8> findLoops() {
    llvm::SmallPtrSet<Operation *, 8> loops;
    getOperation()->walk([&](LoopLikeOpInterface loop) { loops.insert(loop); });
    return loops;
  }
};
} // namespace
