//===- Passes.cpp - Passes without a file of their own --------------------===//
//
// The passes that decompose, and that tile and fuse. Each
// parses its options and calls a C++ function. The other passes are in the
// files of their transformations.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Cost/ExplainFusion.h"
#include "mlir-ext/Support/CPUTarget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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

/// Parses the options for tile-and-fuse. Fails with an error.
static LogicalResult parseOptions(Operation *scope, StringRef levels,
                                  StringRef normalization,
                                  StringRef rescaleThreshold,
                                  bool rescaleElements, StringRef exactness,
                                  StringRef recompute,
                                  TileAndFuseOptions &options) {
  Location loc = scope->getLoc();
  std::string error;
  if (failed(parseTilingLevels(levels, options.levels, error)))
    return emitError(loc) << "invalid option 'levels': " << error;
  FailureOr<NormalizationForm> form =
      parseNormalizationForm(normalization, error);
  if (failed(form))
    return emitError(loc) << "invalid option 'normalization': " << error;
  options.normalization = *form;
  FailureOr<std::optional<double>> threshold =
      parseRescaleThreshold(rescaleThreshold, error);
  if (failed(threshold))
    return emitError(loc) << "invalid option 'rescale-threshold': " << error;
  options.rescaleThreshold = *threshold;
  if (rescaleElements && !*threshold)
    return emitError(loc) << "invalid option 'rescale-elements': expected a "
                             "'rescale-threshold' with it, got none";
  options.rescaleElements = rescaleElements;
  FailureOr<Exactness> parsed = parseExactness(exactness, error);
  if (failed(parsed))
    return emitError(loc) << "invalid option 'exactness': " << error;
  options.exactness = *parsed;
  FailureOr<Recompute> extent = parseRecompute(recompute, error);
  if (failed(extent))
    return emitError(loc) << "invalid option 'recompute': " << error;
  options.recompute = *extent;
  options.rootAttrName = LinalgExtDialect::getRootAttrName();
  return success();
}

namespace {
struct LinalgExtDecomposePass
    : public linalg_ext::impl::LinalgExtDecomposePassBase<
          LinalgExtDecomposePass> {
  using Base = LinalgExtDecomposePassBase;
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (failed(decomposeLinalgExtOps(getOperation(), /*listener=*/nullptr,
                                     keepGathers)))
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
    // States are stored with an op of this dialect.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    TileAndFuseOptions options;
    if (failed(parseOptions(getOperation(), levels, normalization,
                            rescaleThreshold, rescaleElements, exactness, recompute,
                            options)))
      return signalPassFailure();
    options.fuseConsumers = fuseConsumers;
    if (explain != "none") {
      if (failed(explainTo(llvm::errs(), std::move(options))))
        signalPassFailure();
      return;
    }
    IRRewriter rewriter(&getContext());
    if (failed(tileAndFuseRoots(rewriter, getOperation(), options)))
      signalPassFailure();
  }

private:
  /// Prints what would be fused.
  LogicalResult explainTo(raw_ostream &os, TileAndFuseOptions fusion) {
    markAllAnalysesPreserved();
    Location loc = UnknownLoc::get(&getContext());
    if (explain != "text" && explain != "json")
      return emitError(loc) << "invalid option 'explain': expected none, text or "
                               "json, got '"
                            << explain << "'";
    if (dynamicSize <= 0)
      return emitError(loc) << "invalid option 'dynamic-size': expected a "
                               "positive number, got "
                            << dynamicSize.getValue();
    FailureOr<CPUTarget> core = getCPUTarget(getOperation());
    if (failed(core))
      return failure();
    ExplainFusionOptions options;
    options.fusion = std::move(fusion);
    options.cost = getFusionCostOptions();
    options.cost.dynamicSize = dynamicSize;
    options.profit.cacheBytes = core->l2Bytes;
    options.profit.dynamicSize = dynamicSize;
    if (explain == "json")
      options.format = ExplanationFormat::JSON;
    // Print the text at once, because passes may run in parallel.
    std::string text;
    llvm::raw_string_ostream stream(text);
    explainFusionRoots(stream, getOperation(), options);
    os << text;
    return success();
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
    // Maximum, subtraction, exponential and sum; and the division, unless it is
    // delayed.
    if (isa<SoftmaxOp, linalg::SoftmaxOp>(op))
      return form == NormalizationForm::Delayed ? 4 : 5;
    if (isa<DiagOp>(op))
      return 0;
    return std::nullopt;
  };
  return options;
}
