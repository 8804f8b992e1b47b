//===- FuseForGPU.cpp - Tile and fuse for a GPU ---------------------------===//
//
// See FuseRoots.h and SelectLevels.h. Before the fusion it widens accumulators
// to f32, puts batches in front of operands, and gives each use of a fill its
// own fill.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "mlir-ext/Codegen/Common/BatchOrder.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/RecomputeWeights.h"
#include "mlir-ext/Dialect/VectorExt/IR/HeldOperands.h"
#include "mlir-ext/Selection/KeyChunks.h"
#include "mlir-ext/Selection/SmallTiles.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/LaunchNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `chain` becomes one kernel anyway. Rows that are reduced and
/// read again are one kernel (tile-to-workgroups), together with a product
/// before them if a tile contains whole rows of it. A product after them has
/// its own kernel.
static bool isRowKernel(const UnfusedChain &chain) {
  constexpr int64_t kMaxColumns = 128;
  auto type = cast<RankedTensorType>(chain.stored.getType());
  bool anyProduct = llvm::any_of(chain.accumulations, [&](Operation *op) {
    return static_cast<int64_t>(
               cast<TilingInterface>(op).getLoopIteratorTypes().size()) >
           type.getRank();
  });
  int64_t columns = type.getDimSize(chain.dim);
  return !anyProduct &&
         (!chain.isContracted ||
          (!ShapedType::isDynamic(columns) && columns <= kMaxColumns));
}

/// CSE merges fills with the same value, whatever ops start from them. This
/// gives each use its own fill, which is then computed in the workgroups that
/// need it and not in a separate kernel.
static void separateFills(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](linalg::FillOp fill) {
    if (!fill.hasPureTensorSemantics() || fill->use_empty())
      return;
    rewriter.setInsertionPointAfter(fill);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(fill->getUses()))) {
      Operation *clone = rewriter.clone(*fill);
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(clone->getResult(0)); });
    }
  });
}

/// Computes the chunks of keys of `levels`, before `root`. The levels are one
/// of workgroups, one of chunks and one of iterations.
static void computeKeyChunk(RewriterBase &rewriter, Operation *root,
                            const GPUTarget &target,
                            std::vector<TilingLevel> &levels) {
  auto chunks = llvm::find_if(levels, [](const TilingLevel &level) {
    return level.kind == LoopKind::Split &&
           llvm::is_contained(level.tileSizes, ShapedType::kDynamic);
  });
  if (chunks == levels.end())
    return;
  rewriter.setInsertionPoint(root);
  LaunchNumbers n{ImplicitLocOpBuilder(root->getLoc(), rewriter)};
  SmallVector<Range> domain =
      cast<TilingInterface>(root).getIterationDomain(rewriter);
  auto getSize = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(rewriter, root->getLoc(),
                                           domain[dim].size);
  };
  Value tiles = n.constant(1);
  for (auto [dim, size] : llvm::enumerate(levels.front().tileSizes))
    if (size != 0)
      tiles = n.mul(tiles, n.ceilDiv(getSize(dim), n.constant(size)));
  auto keys = llvm::find(chunks->tileSizes, ShapedType::kDynamic) -
              chunks->tileSizes.begin();
  const TilingLevel &inner = levels.back();
  int64_t unit = inner.tileSizes[keys] * inner.parts;
  chunks->dynamicSizes = {
      chooseKeyChunk(n, getSize(keys), tiles, unit,
                     getKeyReads(root, inner.parts, unit, target), target)};
}

/// The most weights of a row that a kernel holds in registers until their sum
/// is known. For 64 rows, these take 128 registers of each thread.
static constexpr int64_t kMostHeldWeights = 256;

namespace {
/// Selects the loop levels of one root after the other, and marks the loops
/// with the way in which their kernels multiply.
class RootSelector {
public:
  RootSelector(Operation *scope, const GPUTileSizes &sizes,
               const GPUTarget &target)
      : scope(scope), sizes(sizes), target(target) {}

  /// Sets the functions of `spelling` that ask what was selected. `spelling`
  /// must not outlive this object.
  void addTo(FuseRootsSpelling &spelling);
  FailureOr<std::vector<TilingLevel>> select(Operation *root,
                                             Operation *chained);

private:
  using Levels = FuseRootsSpelling::Levels;

  GPUTileSizes start(Operation *root);
  void keepNumber(const GPUTileSizes &ofKernel);
  FailureOr<std::vector<TilingLevel>> selectSum(Operation *root);
  std::string explain() const;
  void mark(Operation *loop, const OnlineKernel &kernel) const;
  void finishLoop(Operation *loop, Levels levels);

  Operation *scope;
  const GPUTileSizes &sizes;
  const GPUTarget &target;
  // The way in which the kernel multiplies for whose root levels were selected
  // last.
  int64_t number = 0;
  std::optional<OnlineKernel> kernel;
  std::optional<FewKeys> few;
  std::optional<ConvertingLevels> converting;
  SmallVector<Operation *> stored;
  // The last root, and the root for which a launch cannot choose.
  Operation *last = nullptr, *withoutChoice = nullptr;
};
} // namespace

/// Forgets the way of the previous root. Returns the sizes of the next one.
GPUTileSizes RootSelector::start(Operation *root) {
  GPUTileSizes ofKernel = sizes;
  ofKernel.mayChooseStored = root != withoutChoice;
  last = root;
  kernel.reset();
  few.reset();
  converting.reset();
  stored.clear();
  bool marksAll = vector_ext::marksAllKernels(scope);
  if (!sizes.ways.anyAsync() && !marksAll)
    return ofKernel;
  number = vector_ext::getNextKernelNumber(scope);
  ofKernel.ways = vector_ext::getRemainingWays(sizes.ways, scope, number);
  if (vector_ext::needsSmallTiles(scope, number)) {
    ofKernel.ways = {};
    ofKernel.rows = SmallTiles::kRows;
    ofKernel.keys = SmallTiles::kKeys;
    ofKernel.split = -1;
    ofKernel.keySubgroups = 1;
  }
  return ofKernel;
}

/// A kernel that is refused in all ways keeps its number, and so does each one
/// if all are marked.
void RootSelector::keepNumber(const GPUTileSizes &ofKernel) {
  bool isRefused = sizes.ways.anyAsync() && !ofKernel.ways.anyAsync();
  if (!isRefused && (kernel || !vector_ext::marksAllKernels(scope)))
    return;
  kernel.emplace();
  kernel->threads = sizes.threads;
  kernel->reason = vector_ext::needsSmallTiles(scope, number)
                       ? "sync: small tiles, others were refused"
                   : isRefused ? "sync: all other ways were refused"
                               : "sync";
}

FailureOr<std::vector<TilingLevel>> RootSelector::select(Operation *root,
                                                         Operation *chained) {
  GPUTileSizes ofKernel = start(root);
  FailureOr<std::vector<TilingLevel>> levels = selectGPULevels(
      root, ofKernel, target, chained, &kernel, &few, &converting, &stored);
  keepNumber(ofKernel);
  return levels;
}

FailureOr<std::vector<TilingLevel>> RootSelector::selectSum(Operation *root) {
  GPUTileSizes ofKernel = start(root);
  auto levels = selectGPULevelsOfSum(root, ofKernel, target, &kernel);
  if (succeeded(levels))
    keepNumber(ofKernel);
  return levels;
}

std::string RootSelector::explain() const {
  std::string text;
  if (kernel)
    text = "kernel " + std::to_string(number) + ": " + kernel->reason;
  if (few)
    text += "; " + few->few.kernel.reason;
  if (converting)
    text += "; " + converting->version.kernel.reason;
  return text;
}

void RootSelector::mark(Operation *loop, const OnlineKernel &kernel) const {
  int64_t slots =
      vector_ext::getMostSlots(scope, number, kernel.way, kernel.persist != 0);
  if (kernel.slots != 0 && (slots == 0 || slots > kernel.slots))
    slots = kernel.slots;
  vector_ext::setKernelMark(loop,
                            {number, kernel.way, kernel.threads, kernel.rotate,
                             slots, kernel.persist, kernel.copied});
  if (kernel.holdsRows)
    loop->setDiscardableAttr(vector_ext::getHoldsLeftAttrName(),
                             UnitAttr::get(loop->getContext()));
}

/// Marks a loop of the last root. All loops of a root have one number, so what
/// is refused for one of them is refused for the others.
void RootSelector::finishLoop(Operation *loop, Levels levels) {
  if (levels == Levels::ForFewKeys)
    mark(loop, few->few.kernel);
  else if (levels == Levels::Converting)
    mark(loop, converting->version.kernel);
  else if (kernel)
    mark(loop, *kernel);
  // The root has been erased, and another op may get its address.
  withoutChoice = nullptr;
}

void RootSelector::addTo(FuseRootsSpelling &spelling) {
  spelling.explainLevels = [this] { return explain(); };
  spelling.selectSum = [this](Operation *root) { return selectSum(root); };
  spelling.getFewKeys = [this] { return few; };
  spelling.getConverting = [this] { return converting; };
  spelling.refuseConverting = [this] { withoutChoice = last; };
  spelling.isStored = [this](Operation *op) {
    return llvm::is_contained(stored, op);
  };
  spelling.finishLoop = [this](Operation *loop, Levels levels) {
    finishLoop(loop, levels);
  };
  spelling.computeTileSizes = [this](RewriterBase &rewriter, Operation *root,
                                     std::vector<TilingLevel> &levels) {
    computeKeyChunk(rewriter, root, target, levels);
  };
}

LogicalResult mlir::linalg_ext::fuseForGPU(Operation *scope,
                                           FuseRootsSpelling spelling,
                                           const GPUTileSizes &sizes,
                                           bool opByOp) {
  FailureOr<GPUTarget> target = getGPUTarget(scope);
  if (failed(target))
    return failure();
  // Sums are stored between tiles in f32, the type in which instructions
  // compute them. Batches are not adjacent in operands.
  RewritePatternSet patterns(scope->getContext());
  populateWidenAccumulatorPatterns(patterns);
  populateBatchOrderPatterns(patterns);
  walkAndApplyPatterns(scope, std::move(patterns));
  IRRewriter rewriter(scope->getContext());
  if (!opByOp)
    recomputeReturnedWeights(rewriter, scope, kMostHeldWeights);
  separateFills(rewriter, scope);

  TileAndFuseOptions options;
  options.fuseConsumers = true;
  options.rescaleElements = !spelling.rescaleThreshold.empty();
  spelling.mapToWorkgroups = true;
  spelling.multipliesF8 = sizes.asyncF8;
  spelling.roundsWeights = sizes.asyncF8 && sizes.roundWeights;
  // Only NVIDIA GPUs were measured. With a threshold, weights may be too large.
  spelling.weightsInF16 &=
      target->asyncCopies != 0 && spelling.rescaleThreshold.empty();
  spelling.isFusedLater = isRowKernel;
  spelling.isLeft = reducesRowsInMemory;
  if (opByOp)
    return fuseRoots(
        scope, options, spelling,
        [](Operation *, Operation *) -> FailureOr<std::vector<TilingLevel>> {
          return failure();
        });
  RootSelector selector(scope, sizes, *target);
  selector.addTo(spelling);
  return fuseRoots(scope, options, spelling,
                   [&](Operation *root, Operation *chained) {
                     return selector.select(root, chained);
                   });
}
