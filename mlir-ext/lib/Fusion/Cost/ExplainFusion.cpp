//===- ExplainFusion.cpp - Prints plans and their cost --------------------===//
//
// For each root: plans, estimates the cost, and prints both as text or JSON.
// Then applies the plan to a copy of the program, so that later roots see its
// effect.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Cost/ExplainFusion.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static StringRef nameOf(Operation *op) { return op->getName().getStringRef(); }

static StringRef getFunctionName(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : "";
}

static std::string printLocation(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto loc = dyn_cast<FileLineColLoc>(op->getLoc()))
    os << loc.getFilename().getValue() << ":" << loc.getLine() << ":"
       << loc.getColumn();
  else
    os << op->getLoc();
  return text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printChange(raw_ostream &os, uint64_t before, uint64_t after) {
  os << before << " -> " << after;
}

static void printRatio(raw_ostream &os, uint64_t before, uint64_t after) {
  printChange(os, before, after);
  if (before != 0)
    os << " (x" << llvm::format("%.3g", double(after) / double(before)) << ")";
}

static void printCost(raw_ostream &os, const FusionCost &cost,
                      const FusionCostOptions &options) {
  Cost before = cost.getBefore(), after = cost.getAfter();
  os << "cost, unfused -> fused\n  FLOPs ";
  printRatio(os, before.flops, after.flops);
  os << "\n  bytes moved ";
  printRatio(os, before.getBytes(), after.getBytes());
  os << "\n  bytes read ";
  printRatio(os, before.bytesRead, after.bytesRead);
  os << "\n  bytes written ";
  printRatio(os, before.bytesWritten, after.bytesWritten);
  os << "\n";
  for (const OpCost &op : cost.ops) {
    os << "  '" << nameOf(op.op) << "': FLOPs ";
    printChange(os, op.before.flops, op.after.flops);
    os << ", read ";
    printChange(os, op.before.bytesRead, op.after.bytesRead);
    os << ", written ";
    printChange(os, op.before.bytesWritten, op.after.bytesWritten);
    os << "\n";
  }
  if (cost.repairs.flops != 0)
    os << "  repairs: FLOPs 0 -> " << cost.repairs.flops << "\n";
  if (cost.derivatives.flops != 0 || cost.derivatives.getBytes() != 0)
    os << "  derivatives: FLOPs 0 -> " << cost.derivatives.flops
       << ", read 0 -> " << cost.derivatives.bytesRead << ", written 0 -> "
       << cost.derivatives.bytesWritten << "\n";
  if (cost.assumesSizes)
    os << "  assumed: each dynamic size is " << options.dynamicSize << "\n";
  for (Operation *op : cost.uncounted)
    os << "  not counted: the FLOPs of '" << nameOf(op) << "'\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename T>
static llvm::json::Array makeArray(ArrayRef<T> values) {
  llvm::json::Array array;
  for (T value : values)
    array.push_back(value);
  return array;
}

static llvm::json::Object makeJSON(const PlannedProducer &producer) {
  llvm::json::Object object{{"op", nameOf(producer.op)},
                            {"location", printLocation(producer.op)},
                            {"fused", producer.fused}};
  if (!producer.fused) {
    object["reason"] = producer.refusal.text;
    return object;
  }
  object["recomputed"] = producer.recomputed;
  object["partial"] = producer.partial;
  if (producer.partial && !isa<OnlineReductionOpInterface>(producer.op))
    object["cut_dim"] = producer.cutDim;
  object["whole"] = producer.whole;
  object["yields"] = makeArray(ArrayRef(producer.yieldedResults));
  return object;
}

static llvm::json::Object makeJSON(const PlannedConsumer &consumer) {
  llvm::json::Object object{{"op", nameOf(consumer.op)},
                            {"location", printLocation(consumer.op)},
                            {"levels", consumer.depth}};
  if (consumer.refusal.isSet())
    object["reason"] = consumer.refusal.text;
  return object;
}

static llvm::json::Object makeJSON(const PlannedSibling &sibling) {
  llvm::json::Object object{{"op", nameOf(sibling.op)},
                            {"location", printLocation(sibling.op)},
                            {"fused", sibling.isFused()}};
  if (!sibling.isFused()) {
    object["reason"] = sibling.refusal.text;
    return object;
  }
  llvm::json::Array dims;
  for (const llvm::SmallBitVector &set : sibling.cutBy)
    if (set.count() <= 1)
      dims.push_back(set.find_first());
    else
      dims.push_back(llvm::json::Array(set.set_bits()));
  object["dims"] = std::move(dims);
  return object;
}

static llvm::json::Object makeJSON(const PlannedLevel &level) {
  llvm::json::Array producers;
  for (const PlannedProducer &producer : level.producers)
    producers.push_back(makeJSON(producer));
  SmallVector<int64_t> tileSizes = level.level.tileSizes;
  for (int64_t &size : tileSizes)
    if (ShapedType::isDynamic(size))
      size = -1; // known at run time
  return llvm::json::Object{{"kind", stringify(level.level.kind)},
                            {"tile_sizes", makeArray(ArrayRef(tileSizes))},
                            {"producers", std::move(producers)}};
}

static llvm::json::Object makeJSON(const PlannedState &state) {
  llvm::json::Object object{{"op", nameOf(state.producer)},
                            {"location", printLocation(state.producer)}};
  if (isa<OnlineReductionOpInterface>(state.producer))
    object["normalization"] = stringify(state.normalization);
  if (state.rescaleThreshold)
    object["rescale_threshold"] = *state.rescaleThreshold;
  if (state.notLazy.isSet())
    object["not_rescaled_lazily"] = state.notLazy.text;
  return object;
}

static llvm::json::Object makeJSON(const PlannedFactor &factor) {
  SmallVector<int64_t> dims;
  llvm::json::Array rows;
  for (const RowGroup &group : factor.value.rows) {
    dims.append(group.valueDims);
    rows.push_back(llvm::json::Object{
        {"state", makeArray(ArrayRef<int64_t>(group.stateDims))},
        {"accumulator", makeArray(ArrayRef<int64_t>(group.valueDims))}});
  }
  llvm::json::Object object{{"source", nameOf(factor.source)},
                            {"location", printLocation(factor.source)},
                            {"result", factor.resultNumber},
                            {"measure", stringify(factor.measure)},
                            {"kind", stringify(factor.value.degree.kind)},
                            {"coefficient", factor.value.degree.coefficient},
                            {"dims", makeArray(ArrayRef<int64_t>(dims))},
                            {"deferred", factor.deferred}};
  if (!llvm::all_of(factor.value.rows,
                    [](const RowGroup &group) { return group.isPlain(); }))
    object["rows"] = std::move(rows);
  if (factor.conditional)
    object["conditional"] = true;
  return object;
}

static llvm::json::Object makeJSON(const PlannedRepair &repair) {
  llvm::json::Array factors;
  for (const PlannedFactor &factor : repair.factors)
    factors.push_back(makeJSON(factor));
  return llvm::json::Object{{"accumulator", nameOf(repair.accumulator)},
                            {"location", printLocation(repair.accumulator)},
                            {"result", repair.resultNumber},
                            {"factors", std::move(factors)}};
}

static llvm::json::Object makeJSON(const Cost &cost) {
  return llvm::json::Object{{"flops", cost.flops},
                            {"bytes_read", cost.bytesRead},
                            {"bytes_written", cost.bytesWritten}};
}

static llvm::json::Object makeJSON(const FusionCost &cost,
                                   const FusionCostOptions &options) {
  llvm::json::Array ops, uncounted;
  for (const OpCost &op : cost.ops)
    ops.push_back(llvm::json::Object{{"op", nameOf(op.op)},
                                     {"before", makeJSON(op.before)},
                                     {"after", makeJSON(op.after)}});
  for (Operation *op : cost.uncounted)
    uncounted.push_back(nameOf(op));
  llvm::json::Object object{{"before", makeJSON(cost.getBefore())},
                            {"after", makeJSON(cost.getAfter())},
                            {"repairs", makeJSON(cost.repairs)},
                            {"derivatives", makeJSON(cost.derivatives)},
                            {"ops", std::move(ops)},
                            {"uncounted", std::move(uncounted)}};
  if (cost.assumesSizes)
    object["assumed_dynamic_size"] = options.dynamicSize;
  return object;
}

/// Returns the loops of a root: the kind of each, and its size, or -1 if it is
/// not known.
static llvm::json::Array describeLoops(Operation *root) {
  auto tiled = dyn_cast<TilingInterface>(root);
  if (!tiled)
    return {};
  SmallVector<utils::IteratorType> types = tiled.getLoopIteratorTypes();
  SmallVector<int64_t> sizes(types.size(), ShapedType::kDynamic);
  if (auto maps = dyn_cast<IndexingMapOpInterface>(root))
    sizes = maps.getStaticLoopRanges();
  llvm::json::Array loops;
  for (auto [type, size] : llvm::zip_equal(types, sizes))
    loops.push_back(llvm::json::Object{
        {"kind", utils::stringifyIteratorType(type)},
        {"size", ShapedType::isDynamic(size) ? -1 : size}});
  return loops;
}

llvm::json::Object
mlir::linalg_ext::describeFusion(const FusionPlan &plan,
                                 const ExplainFusionOptions &options) {
  llvm::json::Object object{{"root", nameOf(plan.root)},
                            {"location", printLocation(plan.root)},
                            {"function", getFunctionName(plan.root)},
                            {"loops", describeLoops(plan.root)}};
  llvm::json::Array levels, siblings, states, repairs, consumers;
  for (const PlannedSibling &sibling : plan.siblings)
    siblings.push_back(makeJSON(sibling));
  object["siblings"] = std::move(siblings);
  for (const PlannedLevel &level : plan.levels)
    levels.push_back(makeJSON(level));
  for (const PlannedState &state : plan.states)
    states.push_back(makeJSON(state));
  for (const PlannedRepair &repair : plan.repairs)
    repairs.push_back(makeJSON(repair));
  if (!plan.states.empty()) {
    object["first_level"] = plan.firstLevel;
    object["last_level"] = plan.lastLevel;
  }
  object["exactness"] = stringify(plan.exactness);
  for (const PlannedConsumer &consumer : plan.consumers)
    consumers.push_back(makeJSON(consumer));
  object["consumers"] = std::move(consumers);
  object["levels"] = std::move(levels);
  object["states"] = std::move(states);
  object["repairs"] = std::move(repairs);
  FusionCost cost = estimateFusionCost(plan, options.cost);
  object["cost"] = makeJSON(cost, options.cost);
  FusionProfit profit = judgeFusion(plan, cost, options.profit);
  object["profitable"] = profit.isProfitable();
  if (!profit.isProfitable())
    object["loss"] = profit.loss.text;
  return object;
}

//===----------------------------------------------------------------------===//
// One root
//===----------------------------------------------------------------------===//

static void printPlan(raw_ostream &os, const FusionPlan &plan,
                      const ExplainFusionOptions &options) {
  std::string location = printLocation(plan.root);
  StringRef function = getFunctionName(plan.root);
  if (options.format == ExplanationFormat::JSON) {
    os << llvm::json::Value(describeFusion(plan, options)) << "\n";
    return;
  }
  os << location;
  if (!function.empty())
    os << " in @" << function;
  os << "\n";
  plan.print(os);
  FusionCost cost = estimateFusionCost(plan, options.cost);
  printCost(os, cost, options.cost);
  FusionProfit profit = judgeFusion(plan, cost, options.profit);
  if (!profit.isProfitable())
    os << "unprofitable: " << profit.loss.text << "\n";
}

static void printRefusal(raw_ostream &os, Operation *root,
                         const Refusal &refusal,
                         const ExplainFusionOptions &options) {
  std::string location = printLocation(root);
  StringRef function = getFunctionName(root);
  assert(refusal.isSet() && "failed without a refusal");
  std::string suggestion =
      getFusionSuggestion(refusal.kind, /*mayRaise=*/false);
  if (options.format == ExplanationFormat::JSON) {
    os << llvm::json::Value(llvm::json::Object{{"root", nameOf(root)},
                                               {"location", location},
                                               {"function", function},
                                               {"refused", refusal.text},
                                               {"suggestion", suggestion}})
       << "\n";
    return;
  }
  os << location;
  if (!function.empty())
    os << " in @" << function;
  os << "\nroot '" << nameOf(root) << "'\nrefused: " << refusal.text << "\n";
  if (!suggestion.empty())
    os << "suggestion: " << suggestion << "\n";
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

namespace {
/// Copies of the isolated ops around the roots. Roots are fused in the copies,
/// so that later roots see what earlier ones leave.
class Stage : public RewriterBase::Listener {
public:
  explicit Stage(MLIRContext *context) : rewriter(context, this) {}

  /// Returns the copy of `root`. Null if the fusion of an earlier root has
  /// erased it.
  Operation *getCopy(Operation *root) {
    Operation *scope = root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
    if (!scope)
      return root; // is refused
    IRMapping &mapping = mappings[scope];
    if (mapping.getOperationMap().empty()) {
      // Upstream's dominance analysis needs an op around it.
      copies.push_back(ModuleOp::create(scope->getLoc()));
      copies.back()->push_back(scope->clone(mapping));
      // New ops may have the addresses of erased ones.
      copies.back()->walk([&](Operation *op) { erased.erase(op); });
    }
    Operation *copy = mapping.lookup(root);
    return erased.contains(copy) ? nullptr : copy;
  }

  void notifyOperationErased(Operation *op) override { erased.insert(op); }

  IRRewriter rewriter;

private:
  DenseMap<Operation *, IRMapping> mappings;
  std::vector<OwningOpRef<ModuleOp>> copies;
  llvm::DenseSet<Operation *> erased;
};
} // namespace

static void explainRoot(raw_ostream &os, Stage &stage, Operation *original,
                        const ExplainFusionOptions &options) {
  Operation *root = stage.getCopy(original);
  Refusal refusal;
  std::string text;
  if (!root) {
    (void)refusal.set(RefusalKind::Other, original,
                      "it is fused into an earlier root");
    return printRefusal(os, original, refusal, options);
  }
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options.fusion, refusal);
  if (succeeded(plan))
    plan = dryRunFusionPlan(*plan, refusal);
  // Applying the plan erases the ops that it refers to, so it comes last.
  if (succeeded(plan)) {
    llvm::raw_string_ostream planText(text);
    printPlan(planText, *plan, options);
  }
  if (failed(plan) || failed(applyCheckedPlan(stage.rewriter, *plan, refusal)))
    printRefusal(os, original, refusal, options);
  else
    os << text;
}

void mlir::linalg_ext::explainFusion(raw_ostream &os,
                                     ArrayRef<Operation *> roots,
                                     const ExplainFusionOptions &options) {
  if (roots.empty())
    return;
  Stage stage(roots.front()->getContext());
  for (Operation *root : roots)
    explainRoot(os, stage, root, options);
}

void mlir::linalg_ext::explainFusionRoots(raw_ostream &os, Operation *scope,
                                          const ExplainFusionOptions &options) {
  SmallVector<Operation *> others;
  SmallVector<Operation *> roots =
      findFusionRoots(scope, options.fusion.rootAttrName, &others);
  if (roots.empty()) {
    emitNoRootRemark(scope);
    if (options.format == ExplanationFormat::Text)
      os << kNoRootReason << "\nsuggestion: " << kNoRootSuggestion << "\n";
    return;
  }
  Stage stage(roots.front()->getContext());
  for (Operation *root : roots)
    explainRoot(os, stage, root, options);
  // Accumulations without a copy are siblings in the plan of a root.
  for (Operation *root : others)
    if (stage.getCopy(root))
      explainRoot(os, stage, root, options);
}
