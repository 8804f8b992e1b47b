//===- ReportUnfused.cpp - Report of missed fusions -----------------------===//
//
// Reports each tensor that is stored although one loop could compute and use
// it, for programs that are compiled op by op. Passes that fuse roots report
// the roots that they leave, with their own reasons.
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Pipelines/Passes.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTREPORTUNFUSEDPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtReportUnfusedPass
    : public linalg_ext::impl::LinalgExtReportUnfusedPassBase<
          LinalgExtReportUnfusedPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    FailureOr<FusionReport> made =
        FusionReport::create(getOperation()->getLoc(), report, requireFusion);
    if (failed(made))
      return signalPassFailure();
    for (Block *block : getBlocksOfTensorOps(getOperation()))
      for (const UnfusedChain &chain : findUnfusedChains(*block)) {
        if (!chain.reduction) // two contractions, faster one after the other
          continue;
        Location loc = chain.accumulations.front()->getLoc();
        Refusal refusal{RefusalKind::Other, chain.accumulations.front(),
                        reason};
        std::string text = "not fused: " + describeMiss(refusal, chain.stored);
        if (chain.isContracted || chain.isOnline)
          made->missed(loc, text);
        else
          made->note(loc, text);
      }
    if (failed(made->finish()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
