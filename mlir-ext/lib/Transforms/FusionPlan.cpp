//===- FusionPlan.cpp - What to fuse, and how
//------------------------------===//
//
// Computes a FusionPlan on the untiled IR:
//   1. split the levels the user asked for into single loops, so that the
//      order of loops is the order of levels;
//   2. for each level, follow the dimensions it tiles from the root to its
//      producers and decide what happens to each;
//   3. for each online producer that a level cuts, find how the root's
//      accumulator is repaired, or refuse.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

const PlannedProducer *PlannedLevel::lookup(Operation *op) const {
  auto it = llvm::find_if(producers,
                          [&](const PlannedProducer &p) { return p.op == op; });
  return it == producers.end() ? nullptr : &*it;
}

static LogicalResult refuse(std::string &reason, Twine text) {
  reason = text.str();
  return failure();
}

/// Upstream's tiling of ops on tensors of size 0 crashes (22.1.8); there is
/// nothing to compute.
static bool hasEmptyOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() &&
           llvm::is_contained(shaped.getShape(), 0);
  });
}

static std::string nameOf(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Checks one level and appends it to `levels`, an `scf.for` nest as one level
/// for each loop.
static LogicalResult splitLevel(const TilingLevel &level,
                                ArrayRef<utils::IteratorType> iterators,
                                std::vector<PlannedLevel> &levels,
                                std::string &reason) {
  size_t numDims = iterators.size();
  if (level.tileSizes.size() > numDims)
    return refuse(reason, llvm::formatv("expected at most {0} tile sizes, one "
                                        "for each dimension of the root, got "
                                        "{1}",
                                        numDims, level.tileSizes.size()));
  TilingLevel full = level;
  full.tileSizes.resize(numDims, 0);
  if (full.interchange.empty())
    full.interchange = llvm::to_vector(llvm::seq<int64_t>(0, numDims));
  if (full.interchange.size() != numDims ||
      !isPermutationVector(full.interchange))
    return refuse(reason,
                  llvm::formatv("expected interchange to be a permutation of "
                                "the {0} dimensions of the root, got [{1}]",
                                numDims,
                                llvm::make_range(level.interchange.begin(),
                                                 level.interchange.end())));
  SmallBitVector dims(numDims);
  for (auto [dim, size] : llvm::enumerate(full.tileSizes)) {
    if (size < 0)
      return refuse(reason, llvm::formatv("expected tile sizes that are not "
                                          "negative, got {0} for dimension {1}",
                                          size, dim));
    if (size == 0)
      continue;
    dims.set(dim);
    if (full.kind == LoopKind::Forall &&
        iterators[dim] == utils::IteratorType::reduction)
      return refuse(
          reason, llvm::formatv("expected 'forall' to tile parallel dimensions "
                                "only, got reduction dimension {0}, whose "
                                "tiles would race",
                                dim));
  }
  if (dims.none())
    return refuse(reason, "expected a level to tile at least one dimension, "
                          "got only tile sizes of 0");
  if (full.kind == LoopKind::Forall) {
    if (!full.mapping.empty() && full.mapping.size() != dims.count())
      return refuse(reason, llvm::formatv("expected {0} mapping attributes, "
                                          "one for each loop, got {1}",
                                          dims.count(), full.mapping.size()));
    levels.push_back(PlannedLevel{full, dims, {}});
    return success();
  }
  if (!full.mapping.empty())
    return refuse(reason, "a mapping belongs on a 'forall' level, got it on a "
                          "'for' level");
  for (int64_t dim : full.interchange) {
    if (!dims.test(dim))
      continue;
    PlannedLevel single;
    single.dims.resize(numDims);
    single.dims.set(dim);
    single.level.kind = LoopKind::For;
    single.level.tileSizes.assign(numDims, 0);
    single.level.tileSizes[dim] = full.tileSizes[dim];
    levels.push_back(single);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Following dimensions from consumers to producers
//===----------------------------------------------------------------------===//

namespace {
/// For each dimension of a tensor or an iteration domain, the dimensions of the
/// root whose tiling cuts it.
using DimSets = SmallVector<SmallBitVector>;

class LevelAnalysis {
public:
  /// `scope` holds the uses along which the enclosing level fused, null for no
  /// enclosing level.
  LevelAnalysis(Operation *root, const SmallBitVector &dims,
                const llvm::DenseSet<OpOperand *> *scope,
                const llvm::DenseSet<Operation *> &carried)
      : root(root), dims(dims), scope(scope), carried(carried) {}

  void run(PlannedLevel &level);

  /// The dimensions of the root that cut a dimension of a fused producer.
  SmallBitVector getCuts(Operation *op, unsigned dim) const {
    return domains.find(op)->second[dim];
  }

  /// The uses by which a fused producer is reached.
  ArrayRef<OpOperand *> getEdges(Operation *op) { return edges[op]; }

private:
  PlannedProducer decide(Operation *op);
  void follow(Operation *op);
  DimSets getDomain(Operation *op, unsigned resultNumber,
                    const DimSets &result);
  DimSets getOperand(Operation *op, OpOperand &operand);
  bool cutsReduction(Operation *op);
  SmallVector<unsigned> getNeededOutside(Operation *op);

  SmallBitVector merge(ArrayRef<SmallBitVector> sets) const {
    SmallBitVector all(dims.size());
    for (const SmallBitVector &set : sets)
      all |= set;
    return all;
  }

  Operation *root;
  const SmallBitVector &dims;
  const llvm::DenseSet<OpOperand *> *scope;
  const llvm::DenseSet<Operation *> &carried;
  /// What the level does to the domain of the root and of each fused producer.
  llvm::MapVector<Operation *, DimSets> domains;
  /// Producers that are not known to be computed exactly once as a whole by all
  /// tiles together: reached through an op without maps, whose cut dimensions
  /// are over-approximated, or through a map that skips elements.
  llvm::DenseSet<Operation *> approximate;
  DenseMap<Operation *, SmallVector<OpOperand *>> edges;
};
} // namespace

/// The map of result `number`, for ops that have maps.
static AffineMap getResultMap(Operation *op, unsigned number) {
  return cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(number));
}

static bool hasMaps(Operation *op) {
  return isa<IndexingMapOpInterface>(op) &&
         isa<DestinationStyleOpInterface>(op);
}

/// Returns whether the iterations of `op` read every element of `operand`, each
/// in the iterations that its map says.
static bool readsWhole(Operation *op, OpOperand &operand) {
  return hasMaps(op) && cast<IndexingMapOpInterface>(op)
                            .getMatchingIndexingMap(&operand)
                            .isProjectedPermutation();
}

DimSets LevelAnalysis::getDomain(Operation *op, unsigned resultNumber,
                                 const DimSets &result) {
  if (!hasMaps(op))
    return {merge(result)};
  AffineMap map = getResultMap(op, resultNumber);
  DimSets domain(map.getNumDims(), SmallBitVector(dims.size()));
  for (auto [expr, set] : llvm::zip_equal(map.getResults(), result))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        domain[dim] |= set;
  return domain;
}

DimSets LevelAnalysis::getOperand(Operation *op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  const DimSets &domain = domains.find(op)->second;
  // Without maps nothing is known but that the operand is cut somewhere.
  if (!hasMaps(op))
    return DimSets(type.getRank(), merge(domain));
  AffineMap map =
      cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
  DimSets sets(type.getRank(), SmallBitVector(dims.size()));
  for (auto [expr, set] : llvm::zip_equal(map.getResults(), sets))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        set |= domain[dim];
  return sets;
}

/// Returns whether a reduction dimension of `op` is cut that it does not reduce
/// online. (Another result may have that dimension.)
static bool cutsReductionOf(Operation *op, const DimSets &domain) {
  SmallVector<utils::IteratorType> iterators =
      cast<TilingInterface>(op).getLoopIteratorTypes();
  if (iterators.size() != domain.size())
    return false; // an op without maps: its loops are its result
  SmallVector<unsigned> onlineDims;
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    onlineDims = online.getOnlineDims();
  for (unsigned dim = 0; dim < domain.size(); ++dim)
    if (iterators[dim] == utils::IteratorType::reduction && domain[dim].any() &&
        !llvm::is_contained(onlineDims, dim))
      return true;
  return false;
}

bool LevelAnalysis::cutsReduction(Operation *op) {
  const DimSets &domain = domains.find(op)->second;
  SmallVector<utils::IteratorType> iterators =
      cast<TilingInterface>(op).getLoopIteratorTypes();
  if (iterators.size() != domain.size())
    return false; // an op without maps: its loops are its result
  return llvm::any_of(llvm::zip(iterators, domain), [](auto pair) {
    return std::get<0>(pair) == utils::IteratorType::reduction &&
           std::get<1>(pair).any();
  });
}

/// Results that somebody needs once the loops are done.
SmallVector<unsigned> LevelAnalysis::getNeededOutside(Operation *op) {
  SmallVector<unsigned> needed;
  const DimSets &domain = domains.find(op)->second;
  for (OpResult result : op->getResults()) {
    // Every tile of it must be computed in one iteration only.
    SmallBitVector seen(dims.size());
    AffineMap map = getResultMap(op, result.getResultNumber());
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (map.isFunctionOfDim(dim))
        seen |= domain[dim];
    if (seen != dims || !map.isProjectedPermutation())
      continue;
    for (OpOperand &use : result.getUses()) {
      Operation *user =
          root->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (user && domains.contains(user))
        continue;
      // The loops replace the root; an earlier user keeps the original. Users
      // in other blocks come later.
      if (!user || root->isBeforeInBlock(user)) {
        needed.push_back(result.getResultNumber());
        break;
      }
    }
  }
  return needed;
}

PlannedProducer LevelAnalysis::decide(Operation *op) {
  PlannedProducer producer;
  producer.op = op;
  auto keep = [&](Twine reason) {
    producer.reason = reason.str();
    return producer;
  };
  if (!isa<TilingInterface>(op) || !isMemoryEffectFree(op))
    return keep("it cannot be tiled");
  // Upstream (22.1.8) crashes: the padding would have to be cloned too.
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding || pad.getRegion().isAncestor(padding.getParentRegion()))
      return keep("its padding is computed in its body");
  }
  if (hasEmptyOperand(op))
    return keep("an operand has a size of 0");

  // 1. The uses along which it would be fused.
  DimSets domain;
  bool agree = true, onlyInits = true, inScope = false;
  for (OpResult result : op->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (!domains.contains(user) || (scope && !scope->contains(&use)))
        continue;
      inScope = true;
      auto dpsUser = dyn_cast<DestinationStyleOpInterface>(user);
      if (dpsUser && dpsUser.isDpsInit(&use) && cutsReduction(user))
        continue; // what has been accumulated so far
      onlyInits = false;
      DimSets sets =
          getDomain(op, result.getResultNumber(), getOperand(user, use));
      if (merge(sets).none())
        continue; // whole in every iteration
      if (!readsWhole(user, use) || approximate.contains(user))
        approximate.insert(op);
      agree &= domain.empty() || domain == sets;
      if (domain.empty())
        domain.assign(sets.size(), SmallBitVector(dims.size()));
      for (auto [set, other] : llvm::zip_equal(domain, sets))
        set |= other;
      edges[op].push_back(&use);
    }
  if (!inScope)
    return keep("an enclosing level computes it");
  if (onlyInits)
    return keep("it initialises a reduction that the level cuts");

  if (domain.empty())
    return keep("no loop of the level indexes it");

  if (cutsReductionOf(op, domain))
    return keep("the level cuts a reduction of it that has no state");

  // 2. What the loops of the level mean to it.
  if (!agree || edges[op].size() != 1)
    approximate.insert(op); // several tiles of it in one iteration
  producer.recomputed = merge(domain) != dims;
  if ((producer.recomputed || approximate.contains(op)) && carried.contains(op))
    return keep("its state would be updated more than once");
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  if (online)
    producer.partial = llvm::any_of(online.getOnlineDims(), [&](unsigned dim) {
      return domain[dim].any();
    });
  if (producer.partial && approximate.contains(op) && edges[op].size() == 1)
    return keep("what the loops cut of it is not known exactly");
  domains[op] = domain;

  // 3. What the loops yield of it.
  producer.fused = true;
  if (producer.partial || carried.contains(op))
    producer.yieldedResults = online.getStateResults();
  else if (!producer.recomputed && hasMaps(op) && !approximate.contains(op))
    producer.yieldedResults = getNeededOutside(op);
  return producer;
}

void LevelAnalysis::run(PlannedLevel &level) {
  // A producer comes before its consumers in the block, so that all of them are
  // decided when it is reached.
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  DimSets rootDomain(iterators.size(), SmallBitVector(dims.size()));
  for (unsigned dim : dims.set_bits())
    rootDomain[dim].set(dim);
  domains[root] = rootDomain;
  for (Operation *op = root->getPrevNode(); op; op = op->getPrevNode()) {
    bool feeds = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return domains.contains(user);
    });
    // Scalars and uninitialised tensors are nobody's producers.
    bool computesTensor =
        !isa<tensor::EmptyOp>(op) &&
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (feeds && computesTensor)
      level.producers.push_back(decide(op));
  }
}

//===----------------------------------------------------------------------===//
// Repairs
//===----------------------------------------------------------------------===//

/// Follows the stale values from the online producer of `repair` along fused
/// uses to the root, and finds how the root's accumulator is repaired.
static LogicalResult followToRoot(Operation *root, LevelAnalysis &analysis,
                                  PlannedRepair &repair, std::string &reason) {
  auto online = cast<OnlineReductionOpInterface>(repair.producer);
  std::string name = nameOf(online);
  Operation *op = online;
  SmallVector<int64_t> dims;
  while (true) {
    // 1. There is one way on.
    ArrayRef<OpOperand *> edges = analysis.getEdges(op);
    if (edges.size() != 1)
      return refuse(reason, llvm::formatv("expected one use of {0} inside the "
                                          "loops that cut the dimension {1} "
                                          "reduces, got {2}",
                                          nameOf(op), name, edges.size()));
    OpOperand *edge = edges.front();
    unsigned number = cast<OpResult>(edge->get()).getResultNumber();
    if (op == online) {
      if (!llvm::is_contained(online.getPartialResults(), number))
        return refuse(reason, llvm::formatv("expected a repairable result of "
                                            "{0} to be used inside the loops "
                                            "that cut the dimension it "
                                            "reduces, got result {1}, which "
                                            "is state",
                                            name, number));
      dims = online.getRepairDims(number);
    }

    // 2. Whoever is there must commute with the repair.
    Operation *user = edge->getOwner();
    auto repairable = dyn_cast<RepairableOpInterface>(user);
    if (!repairable)
      return refuse(reason, llvm::formatv("expected an op that commutes with "
                                          "the repair of {0}, got {1}",
                                          name, nameOf(user)));
    std::string why;
    if (user == root) {
      FailureOr<AccumulatorRepair> accumulator =
          repairable.getAccumulatorRepair(edge->getOperandNumber(), repair.kind,
                                          dims, why);
      if (failed(accumulator))
        return refuse(reason, "the accumulator of " + nameOf(root) +
                                  " cannot be repaired after " + name + ": " +
                                  why);
      repair.operandNumber = edge->getOperandNumber();
      repair.accumulator = *accumulator;
      return success();
    }
    FailureOr<SmallVector<int64_t>> next = repairable.propagateRepair(
        edge->getOperandNumber(), repair.kind, dims, why);
    if (failed(next))
      return refuse(reason, nameOf(user) + " between " + name +
                                " and the root does not commute with the "
                                "repair: " +
                                why);
    dims = *next;
    repair.path.push_back({user, edge->getOperandNumber()});
    op = user;
  }
}

/// Plans the repair of the root's accumulator after `online`, whose state level
/// `index` carries.
static LogicalResult planRepair(FusionPlan &plan, unsigned index,
                                OnlineReductionOpInterface online,
                                LevelAnalysis &analysis,
                                const TileAndFuseOptions &options,
                                std::string &reason) {
  for (PlannedRepair &repair : plan.repairs)
    if (repair.producer == online) {
      repair.lastLevel = index;
      return success();
    }
  std::string name = nameOf(online);
  if (!plan.repairs.empty() && plan.repairs.front().firstLevel != index)
    return refuse(
        reason, llvm::formatv("expected the states of all online producers to "
                              "be carried from one level on, got levels {0} "
                              "and {1}",
                              plan.repairs.front().firstLevel, index));
  if (online.isOnline())
    return refuse(reason, name + " is cut already: expected all levels of one "
                                 "root to be given together");

  // A tile of the root is final after its last iteration: results along a
  // parallel dimension would not be met again when the state moves on.
  auto rootIterators = cast<TilingInterface>(plan.root).getLoopIteratorTypes();
  for (unsigned onlineDim : online.getOnlineDims())
    for (unsigned dim : analysis.getCuts(online, onlineDim).set_bits())
      if (rootIterators[dim] != utils::IteratorType::reduction)
        return refuse(
            reason, llvm::formatv("expected the dimension that {0} reduces to "
                                  "be cut by a reduction of the root, got "
                                  "parallel dimension {1}",
                                  name, dim));

  PlannedRepair repair;
  repair.producer = online;
  repair.kind = online.getRepairKind();
  repair.firstLevel = repair.lastLevel = index;
  if (failed(followToRoot(plan.root, analysis, repair, reason)))
    return failure();
  repair.normalization = options.normalization;
  if (!online.supportsNormalization(repair.normalization)) {
    repair.normalization = options.normalization == NormalizationForm::Delayed
                               ? NormalizationForm::Eager
                               : NormalizationForm::Delayed;
    if (!online.supportsNormalization(repair.normalization))
      return refuse(reason, name + " supports no form of normalisation");
  }
  plan.repairs.push_back(repair);
  return success();
}

/// Stale values may not leave the loops: whoever needs the final ones outside
/// keeps the original ops.
static void keepStaleValuesInside(FusionPlan &plan) {
  for (const PlannedRepair &repair : plan.repairs)
    for (unsigned index = repair.firstLevel; index < plan.levels.size();
         ++index)
      for (PlannedProducer &producer : plan.levels[index].producers)
        if (llvm::is_contained(llvm::make_first_range(repair.path),
                               producer.op))
          producer.yieldedResults.clear();
}

FailureOr<FusionPlan> mlir::linalg_ext::planTileAndFuse(
    Operation *root, const TileAndFuseOptions &options, std::string &reason) {
  auto dpsRoot = dyn_cast<DestinationStyleOpInterface>(root);
  if (!isa<TilingInterface>(root) || !hasMaps(root))
    return refuse(reason, nameOf(root) +
                              " cannot be a root: expected an op with indexing "
                              "maps that implements TilingInterface");
  if (!dpsRoot.hasPureTensorSemantics())
    return refuse(reason, nameOf(root) +
                              " cannot be a root: expected tensors, got "
                              "buffers");
  if (hasEmptyOperand(root))
    return refuse(reason, nameOf(root) +
                              " cannot be a root: expected operands that are "
                              "not empty, got a size of 0");
  FusionPlan plan;
  plan.root = root;

  // 1. Levels.
  SmallVector<utils::IteratorType> iterators =
      cast<TilingInterface>(root).getLoopIteratorTypes();
  if (options.levels.empty())
    return refuse(reason, "expected at least one level of tiling, got none");
  for (const TilingLevel &level : options.levels)
    if (failed(splitLevel(level, iterators, plan.levels, reason)))
      return failure();
  if (auto online = dyn_cast<OnlineReductionOpInterface>(root))
    for (const PlannedLevel &level : plan.levels)
      for (unsigned dim : online.getOnlineDims())
        if (level.dims.test(dim))
          return refuse(reason,
                        llvm::formatv("{0} cannot be cut along dimension {1} "
                                      "as a root: its results of earlier tiles "
                                      "would be stale",
                                      nameOf(root), dim));

  // 2. and 3.
  llvm::DenseSet<OpOperand *> scope;
  llvm::DenseSet<Operation *> carried;
  for (auto [index, level] : llvm::enumerate(plan.levels)) {
    LevelAnalysis analysis(root, level.dims, index == 0 ? nullptr : &scope,
                           carried);
    analysis.run(level);
    llvm::DenseSet<OpOperand *> fused;
    for (const PlannedProducer &producer : level.producers) {
      if (!producer.fused)
        continue;
      fused.insert_range(analysis.getEdges(producer.op));
      auto online = dyn_cast<OnlineReductionOpInterface>(producer.op);
      if (online && (producer.partial || carried.contains(producer.op))) {
        if (failed(planRepair(plan, index, online, analysis, options, reason)))
          return failure();
        carried.insert(producer.op);
      }
    }
    scope = std::move(fused);
  }
  keepStaleValuesInside(plan);
  return plan;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void FusionPlan::print(raw_ostream &os) const {
  os << "root " << nameOf(root) << "\n";
  for (auto [index, level] : llvm::enumerate(levels)) {
    os << "level " << index << ": "
       << (level.level.kind == LoopKind::For ? "for" : "forall") << " tiles [";
    llvm::interleaveComma(level.level.tileSizes, os);
    os << "]\n";
    for (const PlannedProducer &producer : level.producers) {
      if (!producer.fused) {
        os << "  keep " << nameOf(producer.op) << ": " << producer.reason
           << "\n";
        continue;
      }
      os << "  fuse " << nameOf(producer.op);
      if (producer.partial)
        os << ", partial";
      if (producer.recomputed)
        os << ", recomputed";
      if (!producer.yieldedResults.empty()) {
        os << ", yields [";
        llvm::interleaveComma(producer.yieldedResults, os);
        os << "]";
      }
      os << "\n";
    }
  }
  for (const PlannedRepair &repair : repairs) {
    os << "repair " << stringify(repair.kind) << " after "
       << nameOf(repair.producer);
    for (Operation *op : llvm::make_first_range(repair.path))
      os << ", " << nameOf(op);
    os << " through operand " << repair.operandNumber << ", dims [";
    llvm::interleaveComma(repair.accumulator.accDims, os);
    os << "], state carried from level " << repair.firstLevel << " to "
       << repair.lastLevel << ", " << stringify(repair.normalization)
       << " normalisation\n";
  }
}
