//===- TileToWorkgroups.cpp - Tiling of all other ops ---------------------===//
//
// Tiles the ops that tile-and-fuse has no root for (plain products, norms,
// reductions, elementwise ops), so that every op is part of a GPU kernel.
// Visits the ops from last to first. Each op that belongs to no workgroup yet
// becomes a root. The root is fused with producers that have no other user, or
// only users behind the root, and that are computed only once:
//   - elementwise ops and fills;
//   - one contraction, if the root is its epilogue, or several contractions
//     with a common operand (SwiGLU), which one loop computes;
//   - reductions of rows that fit into one tile.
// The workgroups are tiles of the root's parallel dimensions. Within a
// workgroup, a loop reduces a contraction, or a row that is too long for one
// tile.
//
// The parts, in the order in which they run:
//   - PrepareRoots, MergeLoops, GatherOperands, MergeRoots: ops before they are
//     roots.
//   - StoreOperands: operands that a kernel in front converts or copies.
//   - WorkgroupGroup: the ops that a root is fused with, and the tile sizes.
//   - WorkgroupProducts: how the contractions of a group are computed.
//   - WorkgroupVersions: versions of a group, of which a launch chooses one.
//   - VersionConditions: the conditions under which each version runs.
//   - TileVersions: the loops over workgroups.
//   - TileReductions: the loops within a workgroup.
//
//===----------------------------------------------------------------------===//

#include "GatherOperands.h"
#include "MergeLoops.h"
#include "MergeRoots.h"
#include "PrepareRoots.h"
#include "StoreOperands.h"
#include "TileReductions.h"
#include "TileVersions.h"

#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Selection/SmallTiles.h"
#include "mlir-ext/Support/CreatedOps.h"
#include "mlir-ext/Support/StructuredOps.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTILETOWORKGROUPSPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns whether `producer`, of an operand of an op in `block`, can be
/// computed in the workgroup of that op: it has no parallel dimension and no
/// other user, and starts from fills.
static bool goesAlong(LinalgOp producer, Block *block) {
  return producer && producer->getBlock() == block &&
         producer.hasPureTensorSemantics() && producer->hasOneUse() &&
         readsElements(producer) && producer.getNumParallelLoops() == 0 &&
         !isEmpty(producer) &&
         llvm::all_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return cast<ShapedType>(init.get().getType()).hasStaticShape() &&
                  (init.get().getDefiningOp<linalg::FillOp>() ||
                   !producer.payloadUsesValueFromOperand(&init));
         });
}

/// Puts `root`, which has no parallel dimension, into one workgroup, together
/// with the producers that only it uses.
static LogicalResult putIntoOneWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         Refusal &refusal) {
  Location loc = root.getLoc();
  // 1. Find the ops, users first. Each has one user, so the walk visits it
  //    once.
  SmallVector<LinalgOp> ops{root};
  for (unsigned i = 0; i < ops.size(); ++i)
    for (Value input : SmallVector<Value>(ops[i].getDpsInputs()))
      if (auto producer = input.getDefiningOp<LinalgOp>();
          goesAlong(producer, root->getBlock()))
        ops.push_back(producer);

  // 2. Build the workgroup.
  rewriter.setInsertionPoint(root);
  SmallVector<Value> outputs;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value output : root.getDpsInits()) {
    sizes.push_back(tensor::getMixedSizes(rewriter, loc, output));
    auto fill = output.getDefiningOp<linalg::FillOp>();
    outputs.push_back(fill ? fill.getDpsInits().front() : output);
  }
  auto forall = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)}, outputs,
      rewriter.getArrayAttr(getWorkgroupMapping(rewriter.getContext(), 1)));

  // 3. Copy the ops into it, with the fills that they start from.
  rewriter.setInsertionPointToStart(forall.getBody());
  IRMapping mapping;
  SmallVector<LinalgOp> copies;
  for (LinalgOp op : llvm::reverse(ops)) {
    SmallVector<Value> inits;
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      auto type = cast<RankedTensorType>(init.getType());
      Value &place = inits.emplace_back();
      if (op == root)
        place = forall.getRegionIterArgs()[number];
      else
        place = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
      if (auto fill = init.getDefiningOp<linalg::FillOp>())
        place = linalg::FillOp::create(rewriter, loc, fill.value(), place)
                    .getResult(0);
    }
    auto copy = cast<LinalgOp>(rewriter.clone(*op, mapping));
    rewriter.modifyOpInPlace(copy,
                             [&] { copy.getDpsInitsMutable().assign(inits); });
    copies.push_back(copy);
  }
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [result, arg, sizes] : llvm::zip_equal(
           copies.back()->getResults(), forall.getRegionIterArgs(), sizes)) {
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
        strides(sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, arg, offsets,
                                          sizes, strides);
  }
  rewriter.replaceOp(root, forall.getResults());
  for (LinalgOp op : copies)
    if (op.getNumReductionLoops() > 0 &&
        failed(tileReduction(rewriter, op, options, refusal)))
      return failure();
  return success();
}

void TileToWorkgroupsOptions::setTile(int64_t givenRows, int64_t givenColumns,
                                      int64_t givenReduction) {
  auto choose = [](int64_t given, int64_t chosen) {
    return given == 0 ? chosen : given;
  };
  rows = choose(givenRows, kTile.rows);
  columns = choose(givenColumns, kTile.columns);
  narrowRows = choose(givenRows, kNarrowTile.rows);
  narrowColumns = choose(givenColumns, kNarrowTile.columns);
  useProcessors = givenRows == 0 && givenColumns == 0;
  reduction = narrowReduction = choose(givenReduction, kReduction);
  smallReduction = choose(givenReduction, kSmallReduction);
  asyncTile = {givenRows, givenColumns};
  asyncReduction = givenReduction;
}

void TileToWorkgroupsOptions::setSmallTile() {
  setTile(SmallTiles::kRows, SmallTiles::kColumns, SmallTiles::kReduction);
  rowElements = SmallTiles::kRowElements;
  ways = {};
}

LogicalResult
mlir::linalg_ext::tileToWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                  const TileToWorkgroupsOptions &options,
                                  Refusal &refusal) {
  if (isEmpty(root))
    return refusal.set(RefusalKind::Other, root, "no iteration");
  if (!root.hasPureTensorSemantics())
    return refusal.set(RefusalKind::RootOnBuffers, root,
                       "expected tensors, got buffers");
  if (!hasVectorElements(root))
    return refusal.set(RefusalKind::Other, root,
                       "expected elements that vectors have, got complex "
                       "numbers; pass their parts as two tensors");
  if (!readsElements(root))
    return refusal.set(RefusalKind::Other, root,
                       "expected operands that are read at loops, got a sum of "
                       "loops, as of a convolution; write it as a product of "
                       "patches");
  OpBuilder::InsertionGuard guard(rewriter);
  CreatedOps created(rewriter);
  WorkgroupGroup group(root, options);
  group.grow();
  LogicalResult result =
      group.cut.none()
          ? putIntoOneWorkgroup(rewriter, root, options, refusal)
          : tileVersions(rewriter, group, getVersions(group), refusal);
  if (failed(result))
    created.eraseUnused();
  return result;
}

namespace {
struct LinalgExtTileToWorkgroupsPass
    : public linalg_ext::impl::LinalgExtTileToWorkgroupsPassBase<
          LinalgExtTileToWorkgroupsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // Chunks of sums are stored with an op of this dialect.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    TileToWorkgroupsOptions options;
    options.setTile(rows, columns, reduction);
    options.target = *target;
    options.maxRow = maxRow;
    options.rowTile = rowTile;
    options.fuseLongRows = rowElements > 0;
    options.rowElements = rowElements;
    options.versionsByRowLength.assign(versionsByRowLength.begin(),
                                       versionsByRowLength.end());
    options.versionsByM.assign(versionsByM.begin(), versionsByM.end());
    std::string error;
    std::optional<vector_ext::ProductWays> parsed =
        vector_ext::ProductWays::parse(*ways, error);
    if (!parsed) {
      emitError(getOperation()->getLoc()) << "invalid option 'ways': " << error;
      return signalPassFailure();
    }
    options.ways = *parsed;
    options.asyncF8 = asyncF8;
    options.threads = threads;
    options.report = report;
    if (failed(checkOptions(options)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    fillInWorkgroups(rewriter, getOperation());
    // Ops that are in workgroups already may reduce more than a tile.
    SmallVector<Operation *> large;
    getOperation()->walk([&](LinalgOp op) {
      if (op->getParentOfType<scf::ForallOp>() &&
          needsReductionLoop(op, options))
        large.push_back(op);
    });
    PendingRoots pending(rewriter, large);
    while (Operation *next = pending.next()) {
      auto op = cast<LinalgOp>(next);
      Location loc = op.getLoc();
      Refusal refusal;
      if (failed(tileReduction(rewriter, op, getOptionsForRows(op, options),
                               refusal)))
        return fail(loc, refusal);
    }

    reduceWholeTensors(rewriter, getOperation());
    SmallVector<linalg::GenericOp> columns;
    getOperation()->walk([&](linalg::GenericOp op) { columns.push_back(op); });
    for (linalg::GenericOp op : columns)
      if (!options.target.asyncCopies ||
          failed(multiplyOnes(rewriter, op, options.target.matrixRows)))
        reduceColumnsInChunks(rewriter, op);
    mergeLoops(rewriter, getOperation());
    gatherOperands(rewriter, getOperation());
    computeScalarsAgain(rewriter, getOperation());
    sinkReshapes(rewriter, getOperation());
    mergeRoots(rewriter, getOperation(), options);
    llvm::SmallPtrSet<Operation *, 8> refused;
    while (LinalgOp root = findLast(refused)) {
      Refusal refusal;
      Location loc = root.getLoc();
      if (root.hasPureTensorSemantics())
        root = convertInFront(rewriter, transposeBytes(rewriter, root, options),
                              options);
      if (root.hasPureTensorSemantics())
        copyInFront(rewriter, root, options);
      if (root.hasPureTensorSemantics())
        storeFunctions(root, options);
      Operation *op = root;
      if (succeeded(tileToWorkgroup(rewriter, root, options, refusal)))
        continue;
      if (!refusal.op)
        return fail(loc, refusal);
      emitRemark(loc) << "in no workgroup: " << refusal.text;
      refused.insert(op);
    }
  }

private:
  LogicalResult checkOptions(const TileToWorkgroupsOptions &options) {
    for (auto [name, sizes] :
         {std::pair("versions-by-row-length", &options.versionsByRowLength),
          std::pair("versions-by-m", &options.versionsByM)})
      if (!llvm::is_sorted(*sizes) ||
          llvm::any_of(*sizes, [](int64_t size) { return size < 1; }))
        return emitError(getOperation()->getLoc())
               << "expected '" << name << "' to be positive and ascending";
    for (auto [name, value, least] :
         {std::tuple("rows", rows.getValue(), 0),
          std::tuple("columns", columns.getValue(), 0),
          std::tuple("reduction", reduction.getValue(), 0),
          std::tuple("max-row", options.maxRow, 1),
          std::tuple("row-tile", options.rowTile, 1),
          std::tuple("threads", options.threads, 1)})
      if (value < least)
        return emitError(getOperation()->getLoc())
               << "expected '" << name << "' to be at least " << least
               << ", got " << value;
    return success();
  }

  /// Makes the pass fail after a refusal that has changed the IR.
  void fail(Location loc, const Refusal &refusal) {
    emitError(loc) << "cannot be tiled to workgroups: " << refusal.text;
    signalPassFailure();
  }

  /// Returns the last op that is used and is in no workgroup.
  LinalgOp findLast(const llvm::SmallPtrSetImpl<Operation *> &refused) {
    LinalgOp last;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::ForallOp>(op))
        return WalkResult::skip();
      if (auto linalgOp = dyn_cast<LinalgOp>(op);
          linalgOp && !refused.contains(op) && !isOpTriviallyDead(op) &&
          linalgOp.hasPureTensorSemantics())
        last = linalgOp;
      return WalkResult::advance();
    });
    return last;
  }
};
} // namespace
