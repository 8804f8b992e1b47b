//===- ReportUnfused.cpp - Report of missed fusions -----------------------===//
//
// Reports each tensor that is stored although one loop could compute and use
// it, for programs that are compiled op by op (linalg-ext-fuse{target=none}). The
// other targets report the roots that they leave, with their own reasons.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "FusionReport.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::reportUnfused(Operation *scope,
                                const FuseRootsSpelling &spelling) {
  FailureOr<FusionReport> made = FusionReport::create(
      scope->getLoc(), spelling.report, spelling.requireFusion);
  if (failed(made))
    return failure();
  for (Block *block : getBlocksOfTensorOps(scope))
    for (const UnfusedChain &chain : findUnfusedChains(*block)) {
      if (!chain.reduction) // two contractions, faster one after the other
        continue;
      Location loc = chain.accumulations.front()->getLoc();
      Refusal refusal{RefusalKind::Other, chain.accumulations.front(),
                      "it is compiled op by op"};
      std::string text = "not fused: " + describeMiss(refusal, chain.stored);
      if (spelling.marksReported)
        setReported(chain.accumulations.front(), chain.stored);
      if (chain.isContracted || chain.isOnline)
        made->missed(loc, text);
      else
        made->note(loc, text);
    }
  return made->finish();
}
