//===- FuseRoots.cpp - Tile and fuse with levels for a target -------------===//
//
// Compilation never fails because something cannot be fused: it stays unfused,
// and a remark says why.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Transforms/FusionRemarks.h"
#include "mlir-ext/Transforms/PendingRoots.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

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

LogicalResult mlir::linalg_ext::fuseRoots(
    Operation *scope, TileAndFuseOptions options,
    const FuseRootsSpelling &spelling,
    function_ref<FailureOr<std::vector<TilingLevel>>(Operation *)> select,
    const std::optional<FusionProfitOptions> &profit) {
  options.rootAttrName = LinalgExtDialect::getRootAttrName();
  std::string error;
  auto refuse = [&](StringRef option) {
    return emitError(scope->getLoc())
           << "invalid option '" << option << "': " << error;
  };
  if (failed(parseTilingLevels(spelling.levels, options.levels, error)))
    return refuse("levels");
  if (spelling.mapToWorkgroups && !options.levels.empty()) {
    TilingLevel &first = options.levels.front();
    auto numLoops =
        llvm::count_if(first.tileSizes, [](int64_t size) { return size != 0; });
    if (first.kind == LoopKind::Forall)
      first.mapping = getWorkgroupMapping(scope->getContext(), numLoops);
  }
  FailureOr<NormalizationForm> form =
      parseNormalizationForm(spelling.normalization, error);
  if (failed(form))
    return refuse("normalization");
  options.normalization = *form;
  FailureOr<std::optional<double>> threshold =
      parseRescaleThreshold(spelling.rescaleThreshold, error);
  if (failed(threshold))
    return refuse("rescale-threshold");
  options.rescaleThreshold = *threshold;
  FailureOr<Exactness> exactness = parseExactness(spelling.exactness, error);
  if (failed(exactness))
    return refuse("exactness");
  options.exactness = *exactness;

  IRRewriter rewriter(scope->getContext());
  if (!options.levels.empty())
    return tileAndFuseRoots(rewriter, scope, options);
  PendingRoots pending(rewriter, findRootsOrNone(scope));
  while (Operation *root = pending.next()) {
    Location loc = root->getLoc();
    FailureOr<std::vector<TilingLevel>> selected = select(root);
    if (failed(selected)) {
      emitRemark(loc) << "not fused: no levels are known for this root";
      continue;
    }
    options.levels = std::move(*selected);
    options.fuseChainedContractions = false;
    std::string reason;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, reason);
    if (succeeded(plan) && profit)
      reason =
          judgeFusion(*plan, estimateFusionCost(*plan, getFusionCostOptions()),
                      *profit)
              .loss;
    if (!reason.empty())
      emitRefusalRemark(root, reason);
    if (!reason.empty() || failed(applyFusionPlan(rewriter, *plan, reason)))
      emitRemark(loc) << "not fused: " << reason;
  }
  return success();
}
