//===- Fuse.cpp - Tile and fuse all roots for a target --------------------===//
//
// The pass linalg-ext-fuse: reads and checks the options, and calls the
// function of the target. See FuseRoots.h.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "FusionReport.h"
#include "ReportTraffic.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTFUSEPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtFusePass
    : public linalg_ext::impl::LinalgExtFusePassBase<LinalgExtFusePass> {
  using Base::Base;

  // The external models come with a dialect plugin, but not with a pass plugin
  // alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // States are stored with an op of this dialect.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (failed(checkTarget()) || failed(checkSizes()))
      return signalPassFailure();
    if (Operation *op = findEncodedTensor(getOperation())) {
      op->emitOpError("expected tensors without encodings, which fusion does "
                      "not keep");
      return signalPassFailure();
    }
    SmallVector<std::string> named(steps.begin(), steps.end());
    if (named.empty())
      named.push_back("roots");
    if (failed(runNamedSteps(getOperation(), "steps",
                             {{"roots", [&] { return runOnRoots(); }},
                              {"rows", [&] { return runOnRows(); }},
                              {"traffic",
                               [&] {
                                 return reportTraffic(getOperation(),
                                                      target == "cpu",
                                                      getSpelling());
                               }}},
                             named)))
      signalPassFailure();
  }

private:
  FuseRootsSpelling getSpelling() {
    FuseRootsSpelling spelling{levels, normalization, exactness,
                               rescaleThreshold};
    spelling.report = report;
    spelling.requireFusion = requireFusion;
    spelling.marksReported = markReported;
    spelling.reportData = reportData;
    return spelling;
  }

  LogicalResult runOnRoots() {
    FuseRootsSpelling spelling = getSpelling();
    if (target != "none") {
      FailureOr<FusionReport> facts = FusionReport::create(
          getOperation()->getLoc(), report, /*requireFusion=*/false);
      FailureOr<GPUTarget> gpu = getGPUTarget(getOperation());
      if (failed(facts) || failed(gpu))
        return failure();
      reportGathers(getOperation(), target == "gpu" ? &*gpu : nullptr, *facts);
      reportCalls(getOperation(), *facts);
    }
    return target == "none"  ? reportUnfused(getOperation(), spelling)
           : target == "gpu" ? runForGPU(std::move(spelling))
                             : runForCPU(spelling);
  }

  LogicalResult runOnRows() {
    FailureOr<CPUTarget> core = getCPUTarget(getOperation());
    if (failed(core))
      return failure();
    return fuseRowsForCPU(getOperation(), getSpelling(), *core, getCPUTiles());
  }

  InFlightDiagnostic error() { return emitError(getOperation()->getLoc()); }

  /// Checks `target`, and that the options of other targets have their default
  /// values.
  LogicalResult checkTarget() {
    if (!llvm::is_contained({"cpu", "gpu", "none"}, target))
      return error()
             << "invalid option 'target': expected cpu, gpu or none, got '"
             << target << "'";
    auto checkDefaults = [&](StringRef other, const auto &...options) {
      LogicalResult result = success();
      auto check = [&](const auto &option) {
        if (succeeded(result) &&
            option.getValue() != option.getDefault().getValue())
          result = error() << "expected '" << option.ArgStr
                           << "' only with target=" << other
                           << ", got target=" << target;
      };
      (check(options), ...);
      return result;
    };
    if (target != "gpu" &&
        failed(checkDefaults("gpu", keySubgroups, recompute, threads,
                             rotateLoops, opByOp, f8Products,
                             weightsInF16)))
      return failure();
    if (target != "cpu" && llvm::is_contained(steps, "rows"))
      return error() << "expected 'rows' in 'steps' only with target=cpu, got "
                        "target="
                     << target;
    if (target == "cpu")
      return success();
    return checkDefaults("cpu", shared, force);
  }

  LogicalResult checkSizes() {
    if (rows < 0 || keys < 0 || split < -1)
      return error() << "expected 'rows' and 'keys' not to be negative, and "
                        "'split' to be -1, 0 or positive, got "
                     << Twine(rows.getValue()) << ", " << Twine(keys.getValue())
                     << " and " << Twine(split.getValue());
    std::string text;
    if (!vector_ext::ProductWays::parse(*ways, text))
      return error() << "invalid option 'ways': " << text;
    if (!llvm::is_contained({"auto", "true", "false"}, rotateLoops.getValue()))
      return error()
             << "expected 'rotate-loops' to be auto, true or false, got "
             << rotateLoops.getValue();
    if (threads < 1)
      return error() << "expected 'threads' to be positive, got "
                     << Twine(threads.getValue());
    if (target != "gpu" && !ways.empty())
      return error() << "expected 'ways' only with target=gpu, got target="
                     << target;
    FailureOr<GPUTarget> gpu = getGPUTarget(getOperation());
    if (failed(gpu))
      return failure();
    int64_t subgroups = gpu->maxThreads / gpu->lanes;
    if (keySubgroups < 0 || keySubgroups > subgroups)
      return error() << "expected 'key-subgroups' to be from 0 to " << subgroups
                     << ", got " << Twine(keySubgroups.getValue());
    if (failed(
            checkOneOf("f8-products", f8Products, getF8ProductKinds(), text)))
      return error() << text;
    return success();
  }

  LogicalResult runForGPU(FuseRootsSpelling spelling) {
    spelling.recompute = recompute;
    GPUTileSizes sizes;
    sizes.rows = rows;
    sizes.keys = keys;
    sizes.split = split;
    sizes.keySubgroups = keySubgroups;
    std::string text;
    sizes.ways = *vector_ext::ProductWays::parse(*ways, text);
    sizes.asyncF8 = f8Products != "f16";
    sizes.roundWeights = f8Products == "rounded";
    spelling.weightsInF16 = weightsInF16;
    sizes.threads = threads;
    if (rotateLoops != "auto")
      sizes.rotate = rotateLoops == "true";
    return fuseForGPU(getOperation(), std::move(spelling), sizes, opByOp);
  }

  LogicalResult runForCPU(const FuseRootsSpelling &spelling) {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return failure();
    std::optional<FusionProfitOptions> profit;
    if (!force) {
      profit.emplace();
      profit->cacheBytes = target->l2Bytes;
    }
    return fuseForCPU(getOperation(), spelling, *target, getCPUTiles(), profit);
  }

  CPUTileOptions getCPUTiles() {
    CPUTileOptions tiles;
    tiles.rows = rows;
    tiles.keys = keys;
    tiles.split = split;
    tiles.shared = shared;
    return tiles;
  }
};
} // namespace
