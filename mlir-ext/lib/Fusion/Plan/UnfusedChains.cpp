//===- UnfusedChains.cpp - Tensors that fusion need not store -------------===//
//
// 1. Unite dimensions that are the same dimension through elementwise ops,
//    reshapes and slices into classes.
// 2. Find candidates: tensors that are contracted, or that depend on a
//    reduction along the class of one of their dimensions.
// 3. Follow each candidate through elementwise ops to all its users. It need
//    not be stored if all of them reduce that dimension.
// 4. Drop candidates that save little (isWorthLoops).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/UnfusedChains.h"

#include "ChainedContractions.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

uint64_t mlir::linalg_ext::countElements(ShapedType type, int64_t dynamicSize) {
  uint64_t count = 1;
  for (int64_t size : type.getShape())
    count = llvm::SaturatingMultiply<uint64_t>(
        count, ShapedType::isDynamic(size) ? dynamicSize : size);
  return count;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns whether `op` has loops, and an indexing map for each operand.
static bool isStructured(Operation *op) {
  return hasMaps(op) && isa<TilingInterface>(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics();
}

static bool isReductionLoop(Operation *op, unsigned loop) {
  return cast<TilingInterface>(op).getLoopIteratorTypes()[loop] ==
         utils::IteratorType::reduction;
}

static bool hasReductionLoops(Operation *op) {
  return llvm::is_contained(cast<TilingInterface>(op).getLoopIteratorTypes(),
                            utils::IteratorType::reduction);
}

/// Returns whether `op` copies elements without changing the order of
/// dimensions.
static bool isPositional(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
             tensor::ConcatOp, tensor::CastOp>(op);
}

/// Returns the tensors from which `op` computes its results. An init is
/// included if it is not uninitialised.
static SmallVector<OpOperand *> getReadTensors(Operation *op) {
  SmallVector<OpOperand *> read;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    if (dps && dps.isDpsInit(&operand)) {
      Operation *source = operand.get().getDefiningOp();
      auto filler = dyn_cast_or_null<DestinationStyleOpInterface>(source);
      if (isa_and_nonnull<tensor::EmptyOp>(source) ||
          (filler && llvm::none_of(filler.getDpsInputs(), [](Value input) {
             return isa<ShapedType>(input.getType());
           })))
        continue;
    }
    read.push_back(&operand);
  }
  return read;
}

/// Returns the results of `op` that have the dimensions of its operands:
/// results of elementwise ops, and partial results of online reductions.
static SmallVector<OpResult> getElementwiseResults(Operation *op) {
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    return llvm::map_to_vector(
        online.getPartialResults(),
        [&](unsigned number) { return op->getResult(number); });
  if (isPositional(op) || isReshapeOrSlice(op) ||
      (isStructured(op) && !hasReductionLoops(op)))
    return llvm::to_vector(op->getResults());
  return {};
}

/// Returns whether `op` is an online reduction, or accumulates a maximum or
/// minimum.
static bool isOnline(Operation *op) {
  if (isa<OnlineReductionOpInterface>(op))
    return true;
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  FailureOr<Accumulation> accumulation =
      repairable ? repairable.getAccumulation()
                 : FailureOr<Accumulation>(failure());
  return succeeded(accumulation) && accumulation->kind != AccumulationKind::Sum;
}

/// Returns whether `op` sums the elements of one input.
static bool isSumOfOne(Operation *op) {
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  FailureOr<Accumulation> accumulation =
      repairable ? repairable.getAccumulation()
                 : FailureOr<Accumulation>(failure());
  return succeeded(accumulation) &&
         accumulation->kind == AccumulationKind::Sum &&
         cast<DestinationStyleOpInterface>(op).getNumDpsInputs() == 1;
}

/// Returns whether only one operand of the contraction that computes `result`
/// has the dimension `dim` of the result, so that it is not a batch dimension.
static bool isOfOneOperand(OpResult result, unsigned dim) {
  Operation *op = result.getOwner();
  if (!isContraction(op))
    return false;
  auto maps = cast<IndexingMapOpInterface>(op);
  auto dps = cast<DestinationStyleOpInterface>(op);
  auto loop = dyn_cast<AffineDimExpr>(
      maps.getMatchingIndexingMap(
              dps.getDpsInitOperand(result.getResultNumber()))
          .getResult(dim));
  return loop && llvm::count_if(dps.getDpsInputOperands(), [&](auto *operand) {
                   return maps.getMatchingIndexingMap(operand).isFunctionOfDim(
                       loop.getPosition());
                 }) == 1;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

namespace {
/// Dimension `second` of tensor `first`.
using Dim = std::pair<Value, unsigned>;

/// Classes of dimensions that are the same, for the tensors in a block.
class DimClasses {
public:
  explicit DimClasses(Block &block) {
    for (Operation &op : block)
      add(&op);
  }

  bool isSame(Dim lhs, Dim rhs) const {
    return lhs == rhs || classes.isEquivalent(key(lhs), key(rhs));
  }
  /// Returns the dimension of `value` that is the same as `dim`, or -1.
  int64_t find(Value value, Dim dim) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t other = 0; type && other < type.getRank(); ++other)
      if (isSame({value, other}, dim))
        return other;
    return -1;
  }
  /// Returns whether `op` reduces `dim` of one of its operands.
  bool isReducedBy(Operation *op, Dim dim) const;

private:
  using Key = std::pair<void *, unsigned>;
  static Key key(Dim dim) {
    return {dim.first.getAsOpaquePointer(), dim.second};
  }
  void unite(Dim lhs, Dim rhs) { classes.unionSets(key(lhs), key(rhs)); }
  void add(Operation *op);

  llvm::EquivalenceClasses<Key> classes;
};
} // namespace

void DimClasses::add(Operation *op) {
  SmallVector<OpResult> results = getElementwiseResults(op);
  auto hasEqualRanks = [&] {
    return llvm::all_equal(llvm::map_range(
               getReadTensors(op),
               [](auto *use) {
                 return cast<RankedTensorType>(use->get().getType()).getRank();
               })) &&
           cast<RankedTensorType>(op->getOperand(0).getType()).getRank() ==
               cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  };
  if (isReshapeOrSlice(op) && (!isPositional(op) || !hasEqualRanks())) {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (FailureOr<SmallVector<int64_t>> mapped =
              mapDimsThroughReshape(op, {dim});
          succeeded(mapped) && mapped->size() == 1)
        unite({op->getOperand(0), dim}, {results[0], mapped->front()});
    return;
  }
  if (isPositional(op)) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type) // a cast may forget the rank
      return;
    for (OpOperand *operand : getReadTensors(op)) {
      auto other = cast<RankedTensorType>(operand->get().getType());
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (other.getRank() == type.getRank() &&
            (other.getDimSize(dim) != 1 || type.getDimSize(dim) == 1))
          unite({operand->get(), dim}, {op->getResult(0), dim});
    }
    return;
  }
  if (!isStructured(op))
    return;
  // An accumulation is elementwise in its init.
  auto maps = cast<IndexingMapOpInterface>(op);
  auto dps = cast<DestinationStyleOpInterface>(op);
  SmallVector<OpOperand *> operands = getReadTensors(op);
  if (results.empty()) {
    llvm::erase_if(operands,
                   [&](OpOperand *operand) { return !dps.isDpsInit(operand); });
    results = llvm::to_vector(op->getResults());
  }
  for (OpResult result : results) {
    AffineMap map = maps.getMatchingIndexingMap(
        dps.getDpsInitOperand(result.getResultNumber()));
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      for (OpOperand *operand : operands)
        for (auto [other, otherExpr] :
             llvm::enumerate(maps.getMatchingIndexingMap(operand).getResults()))
          if (isa<AffineDimExpr>(expr) && expr == otherExpr)
            unite({result, dim}, {operand->get(), other});
  }
}

bool DimClasses::isReducedBy(Operation *op, Dim dim) const {
  if (!isStructured(op))
    return false;
  auto maps = cast<IndexingMapOpInterface>(op);
  SmallVector<unsigned> online;
  if (auto reduction = dyn_cast<OnlineReductionOpInterface>(op))
    online = reduction.getOnlineDims();
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    for (auto [number, expr] :
         llvm::enumerate(maps.getMatchingIndexingMap(operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (loop && isSame({operand->get(), number}, dim) &&
          (online.empty() ? isReductionLoop(op, loop.getPosition())
                          : llvm::is_contained(online, loop.getPosition())))
        return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

namespace {
/// The users of a tensor, through elementwise ops.
struct Users {
  /// The tensor, and the tensors that are computed from it and have the
  /// dimension.
  llvm::SetVector<Value> values;
  /// Ops that reduce the dimension.
  llvm::SetVector<Operation *> reductions;
  /// Some op needs one of the tensors as a whole.
  bool escapes = false;
};
} // namespace

static Users followUsers(Dim stored, const DimClasses &classes) {
  Users users;
  users.values.insert(stored.first);
  Block *block = stored.first.getParentBlock();
  for (unsigned i = 0; i < users.values.size(); ++i)
    for (OpOperand &use : users.values[i].getUses()) {
      Operation *op = use.getOwner();
      // A loop in the block is an op that has been tiled already.
      if (op->getBlock() != block || isa<tensor::DimOp>(op))
        continue;
      if (classes.isReducedBy(op, stored))
        users.reductions.insert(op);
      else if (!isStructured(op) && !isPositional(op) && !isReshapeOrSlice(op))
        users.escapes = true;
      // The result of an accumulation into it is as large, so it is not
      // avoided.
      else if (isStructured(op) && hasReductionLoops(op) &&
               cast<DestinationStyleOpInterface>(op).isDpsInit(&use) &&
               llvm::is_contained(getReadTensors(op), &use))
        users.escapes = true;
      for (OpResult result : getElementwiseResults(op)) {
        if (classes.find(result, stored) >= 0)
          users.values.insert(result);
        else if (!classes.isReducedBy(op, stored))
          users.escapes = true;
      }
    }
  return users;
}

/// For each op of a block, the ops of the block that it depends on.
namespace {
class Dependences {
public:
  bool depends(Operation *op, Operation *other) {
    return op != other && getAll(op).contains(other);
  }

private:
  using Set = llvm::SmallPtrSet<Operation *, 16>;
  const Set &getAll(Operation *op) {
    auto [it, isNew] = known.try_emplace(op);
    if (!isNew)
      return *it->second;
    auto set = std::make_unique<Set>();
    SmallVector<Operation *> worklist{op};
    while (!worklist.empty())
      worklist.pop_back_val()->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands()) {
          Operation *source = operand.getDefiningOp();
          if (source && source->getBlock() == op->getBlock() && source != op &&
              set->insert(source).second)
            worklist.push_back(source);
        }
      });
    return *(known[op] = std::move(set));
  }

  DenseMap<Operation *, std::unique_ptr<Set>> known;
};
} // namespace

uint64_t mlir::linalg_ext::countBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return 0;
  return llvm::SaturatingMultiply<uint64_t>(
      countElements(type), llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

/// The traffic of a stored tensor (one write and one read) counts if it is at
/// least 1 / kMinPart of the traffic of the operands and results of the chain.
static constexpr uint64_t kMinPart = 10;

/// Returns whether the stored tensor of `chain` is larger than the results that
/// loops would carry, and its traffic counts compared with that of the operands
/// and results.
static bool isWorthLoops(const UnfusedChain &chain) {
  uint64_t numStored =
      countElements(cast<RankedTensorType>(chain.stored.getType()));
  uint64_t numCarried = 0, traffic = 0;
  llvm::SmallPtrSet<Value, 8> seen{chain.stored};
  auto addOnce = [&](Value value) {
    if (seen.insert(value).second)
      traffic += countBytes(value);
  };
  for (Operation *op : chain.accumulations) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
        numCarried += countElements(type);
        addOnce(result);
      }
    // An operand of the same size that is in memory anyway.
    for (OpOperand *operand : getReadTensors(op))
      if (countElements(cast<RankedTensorType>(operand->get().getType())) <
          numStored)
        addOnce(operand->get());
  }
  for (OpOperand *operand : getReadTensors(chain.stored.getDefiningOp()))
    addOnce(operand->get());
  return numStored > numCarried &&
         2 * countBytes(chain.stored) >= traffic / kMinPart;
}

namespace {
/// Looks for chains in a block.
class ChainFinder {
public:
  explicit ChainFinder(Block &block) : classes(block) {
    for (Operation &op : block)
      if (isStructured(&op) && hasReductionLoops(&op))
        reductions.push_back(&op);
  }

  SmallVector<UnfusedChain> find(Block &block);

private:
  /// Appends the chain that stores `stored` for reductions along `dim` of it,
  /// if there is one.
  void examine(OpResult stored, unsigned dim);
  /// Returns the reductions of the chain along `key` that come before an
  /// accumulation.
  llvm::SetVector<Operation *> getFirst(Dim key, const UnfusedChain &chain,
                                        const Users &users);
  /// Sets the accumulations of `chain`. Sets its reduction if that is the only
  /// accumulation.
  void setAccumulations(UnfusedChain &chain, const Users &users,
                        const llvm::SetVector<Operation *> &first);

  DimClasses classes;
  Dependences dependences;
  SmallVector<Operation *> reductions;
  SmallVector<UnfusedChain> chains;
  /// The tensors that the chains found so far store.
  llvm::SmallDenseSet<Value> covered;
};
} // namespace

llvm::SetVector<Operation *>
ChainFinder::getFirst(Dim key, const UnfusedChain &chain, const Users &users) {
  if (chain.isContracted)
    return users.reductions;
  llvm::SetVector<Operation *> first;
  Operation *stored = chain.stored.getDefiningOp();
  for (Operation *op : reductions)
    if ((op == stored || dependences.depends(stored, op)) &&
        classes.isReducedBy(op, key))
      first.insert(op);
  return first;
}

void ChainFinder::setAccumulations(UnfusedChain &chain, const Users &users,
                                   const llvm::SetVector<Operation *> &first) {
  // 1. The last accumulations. A chain that only reduces an elementwise
  //    function of a tensor in memory stores nothing.
  auto isAccumulation = [&](Operation *op) {
    return (chain.isContracted ||
            cast<DestinationStyleOpInterface>(op).getNumDpsInputs() > 1) &&
           llvm::any_of(first, [&](Operation *reduction) {
             return dependences.depends(op, reduction);
           });
  };
  for (Operation *op : users.reductions)
    if (isAccumulation(op) &&
        llvm::none_of(users.reductions, [&](Operation *other) {
          return dependences.depends(other, op) && isAccumulation(other);
        }))
      chain.accumulations.push_back(op);
  if (!chain.accumulations.empty() || !chain.isContracted)
    return;
  // 2. Two contractions with only elementwise ops between them. Beside the
  //    second one, rows may be summed.
  SmallVector<Operation *> contractions = llvm::filter_to_vector(
      users.reductions, [](Operation *op) { return isContraction(op); });
  if (contractions.size() == 1 && isContraction(chain.stored.getDefiningOp()) &&
      llvm::all_of(users.reductions, [&](Operation *op) {
        return op == contractions.front() ||
               (isSumOfOne(op) &&
                !dependences.depends(op, contractions.front()));
      })) {
    chain.accumulations.push_back(contractions.front());
    return;
  }
  if (users.reductions.size() != 1)
    return;
  Operation *reduction = users.reductions.front();
  // 3. A maximum or minimum of a contraction, or the sum of a function of it.
  bool isExtremum =
      isOnline(reduction) && !isa<OnlineReductionOpInterface>(reduction);
  if (isExtremum || (isSumOfOne(reduction) &&
                     isOfOneOperand(cast<OpResult>(chain.stored), chain.dim))) {
    chain.accumulations.push_back(reduction);
    chain.reduction = reduction;
    chain.isOnline = isExtremum;
    chain.isReducedProduct = true;
  }
}

void ChainFinder::examine(OpResult stored, unsigned dim) {
  Dim key(stored, dim);
  Users users = followUsers(key, classes);
  if (users.escapes || users.reductions.empty())
    return;
  UnfusedChain chain;
  chain.stored = stored;
  chain.dim = dim;
  chain.isContracted = getElementwiseResults(stored.getOwner()).empty();
  llvm::SetVector<Operation *> first = getFirst(key, chain, users);
  setAccumulations(chain, users, first);
  if (chain.accumulations.empty())
    return;
  auto countLoops = [](Operation *op) {
    return cast<TilingInterface>(op).getLoopIteratorTypes().size();
  };
  llvm::sort(chain.accumulations, [&](Operation *lhs, Operation *rhs) {
    size_t left = countLoops(lhs), right = countLoops(rhs);
    return left != right ? left > right
                         : lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : first) {
    if (llvm::none_of(chain.accumulations, [&](Operation *other) {
          return dependences.depends(other, op);
        }))
      continue;
    if (!chain.reduction || op->isBeforeInBlock(chain.reduction))
      chain.reduction = op;
    chain.isOnline |= isOnline(op);
  }
  if (!isWorthLoops(chain))
    return;
  covered.insert(users.values.begin(), users.values.end());
  chains.push_back(std::move(chain));
}

SmallVector<UnfusedChain> ChainFinder::find(Block &block) {
  for (Operation &op : block) {
    if (!isStructured(&op))
      continue;
    SmallVector<OpResult> results = getElementwiseResults(&op);
    if (results.empty())
      results = llvm::to_vector(op.getResults());
    for (OpResult result : results) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      for (int64_t dim = 0;
           type && dim < type.getRank() && !covered.contains(result); ++dim)
        if (type.getDimSize(dim) != 1)
          examine(result, dim);
    }
  }
  return std::move(chains);
}

SmallVector<UnfusedChain> mlir::linalg_ext::findUnfusedChains(Block &block) {
  bool hasReductions = llvm::any_of(block, [](Operation &op) {
    return isStructured(&op) && hasReductionLoops(&op);
  });
  return hasReductions ? ChainFinder(block).find(block)
                       : SmallVector<UnfusedChain>();
}
