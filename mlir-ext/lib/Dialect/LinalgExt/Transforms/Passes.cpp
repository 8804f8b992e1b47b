//===- Passes.cpp - Passes over the entry points --------------------------===//
//
// Wraps the transformations that have no file of their own for a pass.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTDECOMPOSEPASS
#define GEN_PASS_DEF_LINALGEXTTILEANDFUSEPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtDecomposePass
    : public linalg_ext::impl::LinalgExtDecomposePassBase<
          LinalgExtDecomposePass> {
  using Base = LinalgExtDecomposePassBase;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (failed(decomposeLinalgExtOps(getOperation())))
      signalPassFailure();
  }
};

struct LinalgExtTileAndFusePass
    : public linalg_ext::impl::LinalgExtTileAndFusePassBase<
          LinalgExtTileAndFusePass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    TileAndFuseOptions options;
    std::string error;
    if (failed(parseTilingLevels(levels, options.levels, error))) {
      emitError(UnknownLoc::get(&getContext()))
          << "invalid option 'levels': " << error;
      return signalPassFailure();
    }
    FailureOr<NormalizationForm> form =
        parseNormalizationForm(normalization, error);
    if (failed(form)) {
      emitError(UnknownLoc::get(&getContext()))
          << "invalid option 'normalization': " << error;
      return signalPassFailure();
    }
    options.normalization = *form;
    FailureOr<Exactness> parsed = parseExactness(exactness, error);
    if (failed(parsed)) {
      emitError(UnknownLoc::get(&getContext()))
          << "invalid option 'exactness': " << error;
      return signalPassFailure();
    }
    options.exactness = *parsed;
    options.fuseConsumers = fuseConsumers;
    options.rootAttrName = LinalgExtDialect::getRootAttrName();
    IRRewriter rewriter(&getContext());
    if (failed(tileAndFuseRoots(rewriter, getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

FusionCostOptions mlir::linalg_ext::getFusionCostOptions() {
  FusionCostOptions options;
  options.countWithoutPayload =
      [](Operation *op, NormalizationForm form) -> std::optional<uint64_t> {
    // Max, subtract, exp, add and, unless that is left to the end, divide.
    if (isa<SoftmaxOp, linalg::SoftmaxOp>(op))
      return form == NormalizationForm::Delayed ? 4 : 5;
    if (isa<DiagOp>(op))
      return 0;
    return std::nullopt;
  };
  return options;
}
