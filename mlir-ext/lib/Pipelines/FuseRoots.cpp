//===- FuseRoots.cpp - Tile and fuse all roots ----------------------------===//
//
// See FuseRoots.h. With chosen levels, a root that cannot be fused stays
// unfused, and a remark states the reason. It is an error only with
// `requireFusion`.
//
//   1. Parse the options. Split sums of values of different online reductions.
//   2. For each root: choose levels, plan, check that the plan pays, apply it.
//   3. Do the same for contractions that are chained without a reduction, for
//      sums that depend on a maximum of a contraction, and for sums of products
//      of blocks.
//   4. Report the chains of ops that remain unfused.
//
//===----------------------------------------------------------------------===//

#include "FuseRoots.h"
#include "FuseFromStates.h"
#include "FusionReport.h"
#include "OtherLoops.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Cost/ExplainFusion.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"
#include "mlir-ext/Support/CreatedOps.h"
#include "mlir-ext/Support/RewriteConfig.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static std::string quote(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

namespace {
/// The roots that stay unfused, unless another root fuses them later.
struct Refusals : public RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { refused.erase(op); }

  llvm::MapVector<Operation *, Refusal> refused;
};
} // namespace

/// Returns whether `op` updates a tensor that the caller gets, such as a cache.
static bool updatesResult(Operation *op) {
  return isa<tensor::InsertSliceOp>(op) &&
         llvm::any_of(op->getUsers(), [](Operation *user) {
           return user->hasTrait<OpTrait::ReturnLike>() || updatesResult(user);
         });
}

/// Reports computed tensors that stay outside of the loops of `plan`, if they
/// are larger than its results. Some are left out: elements of a buffer are in
/// memory already; a slice is a view of an existing tensor; rows, and values
/// that the caller gets, are stored into an existing tensor; the loops will
/// read the parts of a concatenation (ReadParts.cpp); and what the options keep
/// outside has its own loops.
static void reportProducers(const FusionPlan &plan, FusionReport &report) {
  auto countResults = [](Operation *op) {
    uint64_t most = 0;
    for (Type type : op->getResultTypes())
      if (auto shaped = dyn_cast<ShapedType>(type))
        most = std::max(most, countElements(shaped));
    return most;
  };
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (!producer.fused && !mustStayOutside(producer) &&
        (!plan.options.mayFuse || plan.options.mayFuse(producer)) &&
        !isa<bufferization::ToTensorOp, tensor::ExtractSliceOp,
             tensor::ConcatOp, StoreRowsOp>(producer.op) &&
        !updatesResult(producer.op) &&
        countResults(producer.op) > countResults(plan.root))
      report.missed(producer.op->getLoc(),
                    "not fused: " + describeMiss(producer.refusal,
                                                 producer.op->getResult(0)));
}

/// The most elements of a row that a tile contains, such that the loops that
/// compute the row could reduce it, too.
static constexpr uint64_t kMaxRowOfTile = 256;

/// Reports the ops after the loops that reduce rows of a result of `plan`. By
/// default, does so only if a tile could contain a whole row.
static void reportConsumers(const FusionPlan &plan, FusionReport &report) {
  for (const PlannedConsumer &consumer : plan.consumers) {
    auto reduction = dyn_cast<linalg::LinalgOp>(consumer.op);
    if (consumer.depth > 0 || !reduction ||
        reduction.getNumReductionLoops() == 0 ||
        linalg::isaContractionOpInterface(reduction))
      continue;
    uint64_t reduced = 1;
    for (auto [size, type] : llvm::zip_equal(reduction.getStaticLoopRanges(),
                                             reduction.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction)
        reduced = llvm::SaturatingMultiply<uint64_t>(
            reduced, ShapedType::isDynamic(size) ? kMaxRowOfTile + 1 : size);
    std::string text = "not fused behind " + quote(plan.root) + ": " +
                       describeMiss(consumer.refusal, plan.root->getResult(0)) +
                       "; reduce what tiles have whole, such as the columns of "
                       "a head";
    if (reduced <= kMaxRowOfTile)
      report.left(consumer.op->getLoc(), text);
    else
      report.note(consumer.op->getLoc(), text);
    return; // what follows has the same reason
  }
}

static void reportFused(const FusionPlan &plan, FusionReport &report) {
  size_t producers = 0, siblings = 0, loops = plan.levels.size();
  for (const PlannedProducer &producer : plan.levels.front().producers)
    producers += producer.fused;
  for (const PlannedSibling &sibling : plan.siblings)
    siblings += sibling.isFused();
  std::string text = "fused: " + quote(plan.root) + " with " +
                     std::to_string(producers - siblings) + " producers";
  if (siblings > 0)
    text += " and " + std::to_string(siblings) + " siblings";
  report.note(plan.root->getLoc(), text + " in " + std::to_string(loops) +
                                       (loops == 1 ? " level" : " levels"));
}

/// Returns the options for the costs of a plan in the reports for programs.
static ExplainFusionOptions
getExplainOptions(const TileAndFuseOptions &fusion,
                  const std::optional<FusionProfitOptions> &profit) {
  ExplainFusionOptions options;
  options.fusion = fusion;
  options.cost = getFusionCostOptions();
  if (profit)
    options.profit = *profit;
  options.format = ExplanationFormat::JSON;
  return options;
}

/// Reports `plan`, for programs. Its levels were selected last.
static void reportPlan(const FusionPlan &plan,
                       const FuseRootsSpelling &spelling,
                       const std::optional<FusionProfitOptions> &profit) {
  llvm::json::Object object =
      describeFusion(plan, getExplainOptions(plan.options, profit));
  if (spelling.explainLevels)
    if (std::string why = spelling.explainLevels(); !why.empty())
      object["levels_reason"] = why;
  FusionReport::data(plan.root->getLoc(), "plan", std::move(object));
}

/// Reports the plan of each root below `scope` with the levels in `options`.
static void reportPlans(Operation *scope, const TileAndFuseOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  explainFusionRoots(os, scope, getExplainOptions(options, std::nullopt));
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    assert(value && "printed what cannot be parsed");
    llvm::json::Object object = std::move(*value->getAsObject());
    if (!object.get("refused"))
      FusionReport::data(scope->getLoc(), "plan", std::move(object));
  }
}

/// If nothing in `chain` is reduced online in between, returns the contraction
/// whose result its only accumulation contracts. Returns null for other chains.
static Operation *getChainedContraction(const UnfusedChain &chain) {
  auto root = dyn_cast<linalg::LinalgOp>(chain.accumulations.front());
  auto contraction = chain.stored.getDefiningOp<linalg::LinalgOp>();
  bool isChained = chain.isContracted && !chain.isOnline &&
                   chain.accumulations.size() == 1 && root && contraction &&
                   linalg::isaContractionOpInterface(root) &&
                   linalg::isaContractionOpInterface(contraction);
  return isChained ? contraction.getOperation() : nullptr;
}

/// Explains why nothing has fused `chain`.
static Refusal explainChain(const UnfusedChain &chain,
                            TileAndFuseOptions options, SelectLevels select) {
  Operation *root = chain.accumulations.front();
  options.chainedContraction = getChainedContraction(chain);
  FailureOr<std::vector<TilingLevel>> levels =
      select(root, options.chainedContraction);
  if (failed(levels))
    return {RefusalKind::UnknownLevels, root,
            "no levels are known for " + quote(root) + " as a root"};
  options.levels = std::move(*levels);
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  if (failed(plan))
    return refusal;
  for (const PlannedLevel &level : plan->levels)
    for (const PlannedProducer &producer : level.producers)
      if (!producer.fused && (producer.op == chain.reduction ||
                              producer.op == chain.stored.getDefiningOp()))
        return producer.refusal;
  return {RefusalKind::Other, root,
          quote(root) + " is no root; mark it with '" +
              LinalgExtDialect::getRootAttrName().str() + "'"};
}

/// Sets `options` according to `spelling`.
static LogicalResult parseSpelling(Operation *scope,
                                   const FuseRootsSpelling &spelling,
                                   TileAndFuseOptions &options) {
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
  FailureOr<Recompute> recompute = parseRecompute(spelling.recompute, error);
  if (failed(recompute))
    return refuse("recompute");
  options.recompute = *recompute;
  return success();
}

namespace {
/// Fuses roots with the levels that a function selects for them.
class SelectedFusion {
public:
  SelectedFusion(RewriterBase &rewriter, Operation *scope,
                 TileAndFuseOptions options, SelectLevels select,
                 const std::optional<FusionProfitOptions> &profit,
                 const FuseRootsSpelling &spelling, FusionReport &report,
                 Refusals &refusals)
      : rewriter(rewriter), scope(scope), options(std::move(options)),
        select(select), profit(profit), spelling(spelling), report(report),
        refusals(refusals), blocks(getBlocksOfTensorOps(scope)) {}

  /// Fuses the roots of the scope, and the remaining accumulations beside them.
  void fuseRoots();
  /// Fuses contractions of the results of other contractions. Also fuses
  /// reductions of such results that no later contraction reads, such as the
  /// log-sum-exp of a product.
  void fuseChains();
  /// Fuses sums over blocks with the contraction whose results they sum.
  void fuseSums();
  /// Returns the blocks that may contain unfused ops. Blocks of the new loops
  /// do not.
  ArrayRef<Block *> getBlocks() const { return blocks; }

private:
  /// Fuses `root`, or records the reason why not.
  LogicalResult fuse(Operation *root, Operation *chained = nullptr);
  /// Selects the levels of `root`. Builds sizes that are known only at launch
  /// before it.
  FailureOr<std::vector<TilingLevel>> selectLevels(Operation *root,
                                                   Operation *chained);
  /// Explains why `plan` does not pay. The result is unset if it pays.
  Refusal judge(const FusionPlan &plan) const;
  /// Applies `plan`, which a dry run has checked.
  LogicalResult apply(const FusionPlan &plan);
  /// Fuses contractions from the final states of softmaxes (FuseFromStates.h).
  void fuseFromStates(bool isMarked);

  RewriterBase &rewriter;
  Operation *scope;
  TileAndFuseOptions options;
  SelectLevels select;
  const std::optional<FusionProfitOptions> &profit;
  const FuseRootsSpelling &spelling;
  FusionReport &report;
  Refusals &refusals;
  SmallVector<Block *> blocks;
  /// Whether a plan has failed after its dry run, so that all ops are new.
  bool isRestored = false;
};
} // namespace

/// Returns whether fusing `chained` pays although rows that are reduced before
/// it (a norm) then need a separate kernel. Otherwise they would be one kernel
/// with the first contraction. If two sizes of what is stored are unknown, it
/// pays: what is stored grows with their product, and a kernel costs the same
/// for all sizes.
static bool isWorthKernel(const FusionPlan &plan, Operation *chained) {
  bool isRowsInFront =
      llvm::any_of(plan.obstacles, [](const PlannedObstacle &obstacle) {
        auto op = dyn_cast<linalg::LinalgOp>(obstacle.op);
        return op && !linalg::isaContractionOpInterface(op);
      });
  const RecomputeCosts &costs = plan.options.recomputeCosts;
  auto stored = cast<ShapedType>(chained->getResultTypes().front());
  double bytes = 2.0 * countElements(stored, costs.dynamicSize) *
                 llvm::divideCeil(stored.getElementTypeBitWidth(), 8);
  return !isRowsInFront ||
         llvm::count_if(stored.getShape(), ShapedType::isDynamic) > 1 ||
         bytes * costs.flopsPerByte > costs.flopsPerKernel;
}

/// Returns whether `op` merges dimensions of an argument such that a range of
/// the result may span several rows of unknown size. Nothing is computed for an
/// argument: its elements are read in place, and their order stays.
static bool isViewOfArgument(Operation *op) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  auto arg = collapse ? dyn_cast<BlockArgument>(collapse.getSrc()) : nullptr;
  return arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
         llvm::any_of(collapse.getReassociationIndices(), [&](auto &group) {
           return llvm::any_of(llvm::drop_begin(group), [&](int64_t dim) {
             return collapse.getSrcType().isDynamicDim(dim);
           });
         });
}

/// Returns whether `root` reduces rows, and each element that it reads counts
/// once.
static bool reducesRows(Operation *root) {
  auto op = dyn_cast<linalg::LinalgOp>(root);
  return op && llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).isPermutation();
         });
}

Refusal SelectedFusion::judge(const FusionPlan &plan) const {
  if (!profit)
    return Refusal();
  return judgeFusion(plan, estimateFusionCost(plan, getFusionCostOptions()),
                     *profit)
      .loss;
}

FailureOr<std::vector<TilingLevel>>
SelectedFusion::selectLevels(Operation *root, Operation *chained) {
  FailureOr<std::vector<TilingLevel>> levels = select(root, chained);
  if (succeeded(levels) && spelling.computeTileSizes)
    spelling.computeTileSizes(rewriter, root, *levels);
  return levels;
}

void SelectedFusion::fuseFromStates(bool isMarked) {
  SmallVector<SoftmaxOp> softmaxes;
  for (Block *block : blocks)
    llvm::append_range(softmaxes, block->getOps<SoftmaxOp>());
  auto selectLevels = [&](Operation *root, Operation *chained) {
    return this->selectLevels(root, chained);
  };
  auto judge = [&](const FusionPlan &plan) { return this->judge(plan); };
  auto refuse = [&](Operation *root, const Refusal &why) {
    refusals.refused[root] = why;
  };
  auto apply = [&](const FusionPlan &plan) { return this->apply(plan); };
  // If `apply` fails, it sets `isRestored`.
  FusionSteps steps{selectLevels, judge, refuse, apply};
  if (profit) {
    steps.cacheBytes = profit->cacheBytes;
    steps.dynamicSize = profit->dynamicSize;
  }
  (void)linalg_ext::fuseFromStates(rewriter, softmaxes, options, isMarked,
                                   steps);
}

LogicalResult SelectedFusion::fuse(Operation *root, Operation *chained) {
  if (spelling.isLeft && !root->hasAttr(options.rootAttrName) &&
      spelling.isLeft(root))
    return failure();
  CreatedOps created(rewriter);
  llvm::scope_exit eraseSizes([&] { created.eraseUnused(); });
  FailureOr<std::vector<TilingLevel>> selected = selectLevels(root, chained);
  if (failed(selected)) {
    refusals.refused[root] = {RefusalKind::UnknownLevels, root,
                              "no levels are known for this root"};
    return failure();
  }
  options.levels = std::move(*selected);
  options.chainedContraction = chained;
  options.mayFuse = [this](const PlannedProducer &producer) {
    return !isViewOfArgument(producer.op) &&
           !(spelling.isStored && spelling.isStored(producer.op));
  };
  Refusal refusal, loss;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  // Rows whose reduction cannot be repaired may be reduced as a whole, if that
  // pays.
  if (failed(plan) && profit && reducesRows(root) &&
      options.levels.size() > 1 &&
      options.levels.front().kind == LoopKind::Forall) {
    options.levels.resize(1);
    Refusal ofRows;
    plan = planTileAndFuse(root, options, ofRows);
    if (succeeded(plan) && judge(*plan).isSet())
      plan = failure();
  }
  if (succeeded(plan))
    loss = judge(*plan);
  if (succeeded(plan) && chained && !isWorthKernel(*plan, chained))
    return failure();
  if (succeeded(plan) && !loss.isSet())
    plan = dryRunFusionPlan(*plan, refusal);
  if (failed(plan) || loss.isSet()) {
    const Refusal &why = loss.isSet() ? loss : refusal;
    if (why.kind == RefusalKind::CutAlready)
      return failure(); // and nothing is missed
    emitRefusalRemark(root, why);
    // A reason why a possible fusion does not pay says more.
    Refusal &known = refusals.refused[root];
    if (known.kind != RefusalKind::DoesNotPay ||
        why.kind != RefusalKind::NotAccumulated)
      known = why;
    return failure();
  }
  eraseSizes.release();
  return apply(*plan);
}

LogicalResult SelectedFusion::apply(const FusionPlan &plan) {
  Operation *root = plan.root;
  Location loc = root->getLoc();
  Refusal refusal;
  auto restored = [&] {
    report.missed(loc, "not fused: " + refusal.text);
    blocks = getBlocksOfTensorOps(scope); // others, in their places
    isRestored = true;
    return failure();
  };
  // Other loops of the root, in the order in which they run.
  using Levels = FuseRootsSpelling::Levels;
  std::optional<FewKeys> few =
      spelling.getFewKeys ? spelling.getFewKeys() : std::nullopt;
  std::optional<ConvertingLevels> converting =
      spelling.getConverting ? spelling.getConverting() : std::nullopt;
  std::optional<OtherLoops> convertingLoops, loopsForFew;
  if (converting) {
    FailureOr<bool> isBuilt =
        convertingLoops.emplace(rewriter, plan, *converting, few).build();
    if (failed(isBuilt))
      return restored();
    if (!*isBuilt) {
      spelling.refuseConverting();
      return fuse(root, options.chainedContraction);
    }
  }
  if (few) {
    FailureOr<bool> isBuilt = loopsForFew.emplace(rewriter, plan, *few).build();
    if (failed(isBuilt))
      return restored();
    if (!*isBuilt)
      loopsForFew.reset();
  }
  reportProducers(plan, report);
  reportConsumers(plan, report);
  reportFused(plan, report);
  if (spelling.explainLevels)
    if (std::string why = spelling.explainLevels(); !why.empty())
      report.note(root->getLoc(), why);
  if (spelling.reportData)
    reportPlan(plan, spelling, profit);
  FailureOr<TileAndFuseResult> result =
      applyCheckedPlan(rewriter, plan, refusal);
  if (failed(result))
    return restored();
  Operation *loop = result->loops.front(), *ofPlan = loop;
  auto connect = [&](std::optional<OtherLoops> &others, Levels levels) {
    Operation *other = others ? others->connect(ofPlan) : nullptr;
    if (other && spelling.finishLoop)
      spelling.finishLoop(other, levels);
  };
  connect(loopsForFew, Levels::ForFewKeys);
  connect(convertingLoops, Levels::Converting);
  if (spelling.finishLoop)
    spelling.finishLoop(loop, Levels::Selected);
  return success();
}

void SelectedFusion::fuseRoots() {
  auto find = [&] {
    SmallVector<Operation *> others;
    SmallVector<Operation *> roots =
        findFusionRoots(scope, options.rootAttrName, &others);
    llvm::append_range(roots, others);
    return roots;
  };
  SmallVector<Operation *> roots = find();
  bool isMarked = llvm::any_of(roots, [&](Operation *root) {
    return root->hasAttr(options.rootAttrName);
  });
  // Ops that have been fused from a final state are no roots any more, and
  // other ops have become roots.
  if (!isMarked) {
    fuseFromStates(isMarked);
    roots = find();
  }
  PendingRoots pending(rewriter, roots);
  if (isMarked)
    fuseFromStates(isMarked);
  while (Operation *root = pending.next())
    (void)fuse(root);
}

void SelectedFusion::fuseChains() {
  // Each fusion replaces ops, so chains are searched again.
  auto fuseOne = [&] {
    for (Block *block : blocks)
      for (const UnfusedChain &chain : findUnfusedChains(*block)) {
        Operation *root = chain.accumulations.front();
        Operation *chained = getChainedContraction(chain);
        bool isReduced =
            chain.isReducedProduct || (chain.isContracted && chain.isOnline);
        // Two large products whose levels are unknown are no missed fusion.
        if ((!chained && !isReduced) || refusals.refused.contains(root) ||
            failed(select(root, chained)))
          continue;
        if (succeeded(fuse(root, chained)) || isRestored)
          return true;
      }
    return false;
  };
  while (!isRestored && fuseOne())
    ;
}

void SelectedFusion::fuseSums() {
  if (!spelling.selectSum)
    return;
  options.chainedContraction = nullptr;
  options.mayFuse = nullptr;
  llvm::SmallPtrSet<Operation *, 4> refused;
  // Each fusion replaces ops, so sums are searched again. A sum that is refused
  // is a kernel after its products, as before.
  auto fuseOne = [&] {
    for (Block *block : blocks)
      for (Operation &root : *block) {
        if (refused.contains(&root))
          continue;
        FailureOr<std::vector<TilingLevel>> levels = spelling.selectSum(&root);
        if (failed(levels))
          continue;
        options.levels = std::move(*levels);
        Refusal refusal;
        FailureOr<FusionPlan> plan = planTileAndFuse(&root, options, refusal);
        if (succeeded(plan))
          plan = dryRunFusionPlan(*plan, refusal);
        if (succeeded(plan) && succeeded(apply(*plan)))
          return true;
        if (failed(plan))
          emitRefusalRemark(&root, refusal);
        if (isRestored)
          return false;
        refused.insert(&root);
      }
    return false;
  };
  while (fuseOne())
    ;
}

/// Reports the rest of `blocks`: one line for each op that could be the root,
/// with the reason if it was refused. If `marksReported` is set, functions
/// record which tensors were reported.
static void
reportLeft(ArrayRef<Block *> blocks, const TileAndFuseOptions &options,
           SelectLevels select,
           const std::function<bool(const UnfusedChain &)> &isFusedLater,
           const Refusals &refusals, bool marksReported, FusionReport &report) {
  llvm::MapVector<Operation *, SmallVector<UnfusedChain>> chains;
  for (Block *block : blocks)
    for (UnfusedChain &chain : findUnfusedChains(*block)) {
      if (isFusedLater && isFusedLater(chain))
        continue;
      Operation *root = chain.accumulations.front();
      // Two large contractions are faster one after the other.
      if (!chain.reduction && !refusals.refused.contains(root))
        continue;
      for (Operation *op : chain.accumulations)
        if (refusals.refused.contains(op)) {
          root = op;
          break;
        }
      chains[root].push_back(std::move(chain));
    }
  llvm::SmallPtrSet<Operation *, 4> told;
  for (auto &[root, ofRoot] : chains) {
    auto refusal = refusals.refused.find(root);
    bool isKnown = refusal != refusals.refused.end();
    bool isLoss = isKnown && refusal->second.kind == RefusalKind::DoesNotPay,
         isMiss = isKnown;
    for (const UnfusedChain &chain : ofRoot) {
      isMiss |= chain.isContracted || chain.isOnline;
      told.insert(chain.accumulations.begin(), chain.accumulations.end());
    }
    auto largest = llvm::max_element(
        ofRoot, [](const UnfusedChain &lhs, const UnfusedChain &rhs) {
          return countElements(cast<ShapedType>(lhs.stored.getType())) <
                 countElements(cast<ShapedType>(rhs.stored.getType()));
        });
    Refusal why =
        isKnown ? refusal->second : explainChain(*largest, options, select);
    // A transform script has fused it, so no fusion is missed.
    if (why.kind == RefusalKind::CutAlready)
      continue;
    std::string text = "not fused: " + describeMiss(why, largest->stored);
    if (marksReported)
      setReported(root,
                  llvm::map_to_vector(ofRoot, [](const UnfusedChain &chain) {
                    return chain.stored;
                  }));
    if (ofRoot.size() > 1)
      text += ", and " + std::to_string(ofRoot.size() - 1) + " more";
    if (isLoss)
      report.left(root->getLoc(), text);
    else if (isMiss)
      report.missed(root->getLoc(), text);
    else
      report.note(root->getLoc(), text);
  }
  for (auto &[root, refusal] : refusals.refused) {
    if (told.contains(root))
      continue;
    std::string text =
        "not fused: " + describeMiss(refusal, /*stored=*/nullptr);
    if (refusal.kind == RefusalKind::DoesNotPay)
      report.left(root->getLoc(), text);
    else
      report.missed(root->getLoc(), text);
  }
}

LogicalResult
mlir::linalg_ext::fuseRoots(Operation *scope, TileAndFuseOptions options,
                            const FuseRootsSpelling &spelling,
                            SelectLevels select,
                            const std::optional<FusionProfitOptions> &profit) {
  if (failed(parseSpelling(scope, spelling, options)))
    return failure();
  FailureOr<FusionReport> report = FusionReport::create(
      scope->getLoc(), spelling.report, spelling.requireFusion);
  if (failed(report))
    return failure();

  if (options.exactness != Exactness::Exact) {
    RewritePatternSet patterns(scope->getContext());
    populateSplitSumsPatterns(patterns);
    populateScaleAfterDequantizationPatterns(patterns, spelling.roundsWeights);
    GreedyRewriteConfig config = getStructuredRewriteConfig();
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(scope, std::move(patterns), config)))
      return failure();
  }
  // Scales have been moved.
  if (spelling.weightsInF16) {
    RewritePatternSet patterns(scope->getContext());
    populateWeightsInF16Patterns(patterns);
    walkAndApplyPatterns(scope, std::move(patterns));
  }
  if (spelling.multipliesF8) {
    if (spelling.roundsWeights) {
      RewritePatternSet patterns(scope->getContext());
      populateRoundWeightsPatterns(patterns);
      walkAndApplyPatterns(scope, std::move(patterns));
    }
    RewritePatternSet patterns(scope->getContext());
    populateMultiplyF8Patterns(patterns);
    walkAndApplyPatterns(scope, std::move(patterns));
  }
  Refusals refusals;
  IRRewriter rewriter(scope->getContext(), &refusals);
  computeForEachUse(rewriter, scope);
  SmallVector<Block *> blocks;
  if (options.levels.empty()) {
    options.fuseChainedContractions = false;
    SelectedFusion fusion(rewriter, scope, options, select, profit, spelling,
                          *report, refusals);
    fusion.fuseRoots();
    fusion.fuseChains();
    fusion.fuseSums();
    blocks.assign(fusion.getBlocks().begin(), fusion.getBlocks().end());
  } else {
    blocks = getBlocksOfTensorOps(scope);
    if (spelling.reportData)
      reportPlans(scope, options);
    if (failed(tileAndFuseRoots(rewriter, scope, options)))
      return failure();
  }
  reportLeft(blocks, options, select, spelling.isFusedLater, refusals,
             spelling.marksReported, *report);
  return report->finish();
}
