//===- FuseForCPU.cpp - Tile and fuse for a CPU ---------------------------===//
//
// See FuseRoots.h and SelectLevels.h.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "FusionReport.h"
#include "mlir-ext/Codegen/CPU/FuseRows.h"
#include "mlir-ext/Codegen/CPU/TileProducts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::fuseForCPU(Operation *scope, FuseRootsSpelling spelling,
                             const CPUTarget &core, const CPUTileOptions &tiles,
                             const std::optional<FusionProfitOptions> &profit) {
  // A reduction of rows that stay in a cache is left to the loops over rows.
  // These need no repairs.
  spelling.isLeft = reducesRowsInMemory;
  llvm::SmallPtrSet<Operation *, 8> loops;
  scope->walk([&](LoopLikeOpInterface loop) { loops.insert(loop); });
  // Roundings of results, and additions to others, are computed while the
  // results are in a cache.
  TileAndFuseOptions options;
  options.fuseConsumers = true;
  if (failed(fuseRoots(
          scope, options, spelling,
          [&](Operation *root, Operation *chained) {
            return selectCPULevels(root, core, tiles, chained);
          },
          profit)))
    return failure();

  // The contractions that are in no loop of a root.
  llvm::SetVector<Operation *> products;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
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
  IRRewriter rewriter(scope->getContext(), &pending);
  SmallVector<linalg::LinalgOp> parts;
  for (Operation *product : llvm::to_vector(products))
    if (products.contains(product))
      (void)splitRows(rewriter, cast<linalg::LinalgOp>(product), core, parts);
  products.insert(parts.begin(), parts.end());
  while (!products.empty())
    (void)tileProduct(rewriter, cast<linalg::LinalgOp>(products.pop_back_val()),
                      core, tiles);
  return success();
}

LogicalResult mlir::linalg_ext::fuseRowsForCPU(
    Operation *scope, const FuseRootsSpelling &spelling, const CPUTarget &core,
    const CPUTileOptions &tiles) {
  FailureOr<FusionReport> report = FusionReport::create(
      scope->getLoc(), spelling.report, /*requireFusion=*/false);
  if (failed(report))
    return failure();
  std::string error;
  FailureOr<Exactness> exactness = parseExactness(spelling.exactness, error);
  if (failed(exactness))
    return emitError(scope->getLoc())
           << "invalid option 'exactness': " << error;
  IRRewriter rewriter(scope->getContext());
  fuseAllRows(rewriter, scope, core, tiles, *exactness,
              [&](linalg::LinalgOp root, const Refusal &refusal) {
                if (refusal.kind != RefusalKind::Intended)
                  report->note(root.getLoc(),
                               "no loop over rows: " + refusal.text);
              });
  return success();
}
