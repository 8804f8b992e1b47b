//===- FuseForCPU.cpp - Tile and fuse with levels for a CPU
//----------------===//
//
// Compilation never fails because something cannot be fused: it stays unfused,
// and a remark says why.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/SelectLevels.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/Threading.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTFUSEFORCPUPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Finds the roots; what is ambiguous is a remark, and has none.
static SmallVector<Operation *> findRootsOrNone(Operation *scope) {
  SmallVector<std::pair<Location, std::string>> errors;
  SmallVector<Operation *> roots;
  {
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(scope->getContext(), [&](Diagnostic &diag) {
      if (llvm::get_threadid() != thread)
        return failure();
      errors.emplace_back(diag.getLocation(), diag.str());
      return success();
    });
    FailureOr<SmallVector<Operation *>> found =
        findFusionRoots(scope, LinalgExtDialect::getRootAttrName());
    if (succeeded(found))
      roots = std::move(*found);
  }
  for (auto &[loc, text] : errors)
    emitRemark(loc) << "not fused: " << text;
  return roots;
}

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
    Operation *scope = getOperation();
    TileAndFuseOptions options;
    options.rootAttrName = LinalgExtDialect::getRootAttrName();
    std::string error;
    if (failed(parseTilingLevels(levels, options.levels, error))) {
      emitError(scope->getLoc()) << "invalid option 'levels': " << error;
      return signalPassFailure();
    }
    FailureOr<NormalizationForm> form =
        parseNormalizationForm(normalization, error);
    if (failed(form)) {
      emitError(scope->getLoc()) << "invalid option 'normalization': " << error;
      return signalPassFailure();
    }
    options.normalization = *form;
    FailureOr<std::optional<double>> threshold =
        parseRescaleThreshold(rescaleThreshold, error);
    if (failed(threshold)) {
      emitError(scope->getLoc())
          << "invalid option 'rescale-threshold': " << error;
      return signalPassFailure();
    }
    options.rescaleThreshold = *threshold;
    FailureOr<Exactness> parsed = parseExactness(exactness, error);
    if (failed(parsed)) {
      emitError(scope->getLoc()) << "invalid option 'exactness': " << error;
      return signalPassFailure();
    }
    options.exactness = *parsed;

    IRRewriter rewriter(&getContext());
    if (!options.levels.empty()) {
      if (failed(tileAndFuseRoots(rewriter, scope, options)))
        signalPassFailure();
      return;
    }
    for (Operation *root : findRootsOrNone(scope)) {
      Location loc = root->getLoc();
      FailureOr<std::vector<TilingLevel>> selected = selectCPULevels(root);
      if (failed(selected)) {
        emitRemark(loc) << "not fused: no levels are known for this root";
        continue;
      }
      options.levels = std::move(*selected);
      std::string reason;
      FailureOr<FusionPlan> plan = planTileAndFuse(root, options, reason);
      if (failed(plan) || failed(applyFusionPlan(rewriter, *plan, reason)))
        emitRemark(loc) << "not fused: " << reason;
    }
  }
};
} // namespace
