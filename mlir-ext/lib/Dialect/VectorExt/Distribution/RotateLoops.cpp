//===- RotateLoops.cpp - Order of asynchronous products -------------------===//
//
// While an asynchronous product runs, the threads that issued it can compute
// other values. This pass orders the ops of loops so that the two overlap.
//
//   1. Find chains: loops with asynchronous products, each of which continues
//      from the values that the previous one carries.
//   2. Describe each body as a graph (LoopSchedule.h): dependences, the time of
//      each op, registers.
//   3. Choose a schedule. The loops of a chain have one in common if what they
//      leave to the next iteration (stage 1) is alike. Otherwise each loop gets
//      a schedule of its own, and finishes all before the next one starts.
//   4. Expand: the first iteration of the chain performs stage 0 alone, in
//      front of the loops; the last one, stage 1 behind them.
//
// The expansion, for loops over i and j of which each may have no iteration:
//
//        if (there is an iteration)
//          carried = the first one is of i ? stage 0 of i : stage 0 of j
//          for i, without the first one:
//            carried = stage 0 of i, stage 1 of what is carried
//          for j, without the first one if that is here:
//            carried = stage 0 of j, stage 1 of what is carried
//          results = stage 1 of what is carried
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/RotateLoops.h"
#include "LoopSchedule.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::GPUTarget;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// A loop, and the ops of its body by number.
struct Loop {
  /// (Accessors of ops are not const.)
  mutable scf::ForOp op;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> numbers;
  LoopGraph graph;
  /// The threads that compute the products.
  int64_t numThreads = 1;

  /// Counts the threads that compute `contract`, and their parts.
  void addThreads(vector::ContractionOp contract);

  /// The op of the body that computes `value`, or is around what does.
  std::optional<unsigned> lookup(Value value) const {
    Operation *producer = value.getDefiningOp();
    producer = producer ? op.getBody()->findAncestorOpInBlock(*producer)
                        : nullptr;
    if (!producer)
      return std::nullopt;
    auto it = numbers.find(producer);
    return it == numbers.end() ? std::nullopt
                               : std::optional<unsigned>(it->second);
  }
  /// The number of `value` among what the loop carries.
  std::optional<unsigned> getCarried(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBody() ||
        argument == op.getInductionVar())
      return std::nullopt;
    return argument.getArgNumber() - op.getNumInductionVars();
  }
};
using Chain = SmallVector<Loop, 0>;
} // namespace

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

/// The values that `op`, and the ops in its regions, take from outside of it.
static SmallVector<Value> getOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  operands.append(used.begin(), used.end());
  return operands;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static double getNumElements(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? static_cast<double>(type.getNumElements()) : 0;
}

static double getNumWords(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  return static_cast<double>(type.getNumElements()) * bits / 32;
}

static double getNumProducts(vector::ContractionOp contract) {
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  double product = 1;
  for (int64_t bound : bounds)
    product *= static_cast<double>(bound);
  return product;
}

/// The results are the operands in another arrangement, which threads have or
/// compute where they use it.
static bool isView(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (OpTrait::hasElementwiseMappableTraits(op) || !isMemoryEffectFree(op))
    return false;
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  return (layoutOp && layoutOp.isRematerializable()) ||
         (isa_and_present<vector::VectorDialect>(op->getDialect()) &&
          !isa<vector::ContractionOp, vector::MultiDimReductionOp,
               vector::ReductionOp, vector::OuterProductOp, vector::ScanOp,
               vector::FMAOp>(op));
}

/// Each element of the result is computed where the only user takes it.
static bool isStreamed(Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || !op->hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  return user->getBlock() == op->getBlock() &&
         (OpTrait::hasElementwiseMappableTraits(user) ||
          isa<vector::MultiDimReductionOp, vector::ReductionOp>(user));
}

/// Sets the times of `op`, which is no asynchronous product.
static void addCosts(Operation *op, const GPUTarget &target,
                     ScheduleOp &result) {
  if (op->getNumRegions() != 0) {
    op->walk([&](Operation *nested) {
      if (nested->getNumRegions() == 0)
        addCosts(nested, target, result);
    });
    return;
  }
  double lanes = static_cast<double>(target.threadProducts);
  double in = 0, out = 0;
  for (Value operand : op->getOperands())
    in = std::max(in, getNumElements(operand));
  for (Value value : op->getResults())
    out = std::max(out, getNumElements(value));
  if (isView(op))
    return;
  if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    result.issue += getNumProducts(contract) / lanes;
    return;
  }
  result.issue += std::max(in, out) / lanes;
  if (isa_and_present<math::MathDialect>(op->getDialect()) &&
      !isa<math::FmaOp, math::AbsFOp, math::CopySignOp>(op))
    result.special += out / static_cast<double>(target.specialResults);
  if (in > out)
    result.latency += static_cast<double>(target.reductionLatency);
}

void Loop::addThreads(vector::ContractionOp contract) {
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  const layout::Layout &acc = getAsyncIntrinsic(contract)->acc;
  int64_t parts = config.getSubgroups()[0] * config.getSubgroups()[1];
  graph.numParts = std::max<unsigned>(graph.numParts, parts);
  numThreads = std::max(numThreads,
                        parts * acc.getNumSubgroups() * acc.getNumLanes());
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static bool isAsyncProduct(Operation *op) {
  return getAsyncIntrinsic(op) != nullptr;
}

/// True if `contract` may continue the sums of the contraction that computes
/// its accumulator: both are of one instruction, for the same threads, and
/// nothing else uses these sums.
static bool mayContinue(vector::ContractionOp contract) {
  auto before = contract.getAcc().getDefiningOp<vector::ContractionOp>();
  if (!before || !before->hasOneUse() ||
      before->getBlock() != contract->getBlock())
    return false;
  auto getConfig = [](vector::ContractionOp op) {
    return op->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
  };
  auto isSummedByThreads = [](vector::ContractionOp op) {
    return op->hasAttr(getShortSumsAttrName());
  };
  ContractConfigAttr config = getConfig(contract), ofBefore = getConfig(before);
  return config.getIntrinsic() == ofBefore.getIntrinsic() &&
         config.getSubgroups() == ofBefore.getSubgroups() &&
         config.getRuns() == ofBefore.getRuns() &&
         contract.getIndexingMapsArray()[2] ==
             before.getIndexingMapsArray()[2] &&
         !isSummedByThreads(contract) && !isSummedByThreads(before);
}

/// True if the results are tiles that products read where they lie.
static bool isReadInPlace(Operation *op) {
  return llvm::any_of(op->getResults(), isVector) &&
         llvm::none_of(op->getOperands(), isVector) &&
         !isMemoryEffectFree(op) && llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
           return contract && isAsyncProduct(contract) &&
                  &use != &contract.getAccMutable();
         });
}

/// True if threads that do not read all that `op` reads branch, or if it has
/// branches itself, or writes zeros behind the end of a tile.
static bool mayBranch(Operation *op, bool isInPlace) {
  if (op->getNumRegions() != 0)
    return true;
  if (auto get = dyn_cast<RingGetOp>(op); get && get.mayEnd())
    return true;
  if (isInPlace)
    return false;
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (read)
    return read.getMask() || read.hasOutOfBoundsDim();
  return llvm::any_of(op->getResults(), isVector) && !isMemoryEffectFree(op);
}

/// Refuses `op` if it does more than compute, read, wait for products or
/// rotate.
static LogicalResult checkOp(Operation *op, Refusal &refusal) {
  if (op->getNumRegions() != 0 &&
      op->walk([](Operation *nested) {
          return isAsyncProduct(nested) ? WalkResult::interrupt()
                                        : WalkResult::advance();
        }).wasInterrupted())
    return refusal.set(RefusalKind::Other, op,
                       "an asynchronous product is in a branch or an inner "
                       "loop");
  if (isa<AwaitOp>(op))
    return refusal.set(RefusalKind::Other, op,
                       "the loop has waits for products already");
  if (isMemoryEffectFree(op) || isa<RingPutOp, RingGetOp, RingReleaseOp>(op))
    return success();
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects || llvm::any_of(*effects, [](const auto &effect) {
        return !isa<MemoryEffects::Read>(effect.getEffect());
      }))
    return refusal.set(RefusalKind::Other, op,
                       "an op in the loop does more than to compute and read");
  return success();
}

/// Calls `fn` for the ops of `loop` behind which `op` has to be, as tiles of a
/// ring are put, got, read, and released.
static void forEachBeforeInRing(const Loop &loop, Operation *op,
                                llvm::function_ref<void(unsigned)> fn) {
  auto get = dyn_cast<RingGetOp>(op);
  auto release = dyn_cast<RingReleaseOp>(op);
  Block *body = loop.op.getBody();
  if (get)
    for (auto put : body->getOps<RingPutOp>())
      if (put.getRing() == get.getRing() &&
          put.getPosition() == get.getPosition())
        fn(loop.numbers.lookup(put));
  if (release)
    for (auto get : body->getOps<RingGetOp>()) {
      if (get.getRing() != release.getRing() ||
          get.getPosition() != release.getPosition())
        continue;
      fn(loop.numbers.lookup(get));
      for (Operation *user : get->getUsers())
        fn(loop.numbers.lookup(body->findAncestorOpInBlock(*user)));
    }
}

/// Builds the graph of `loop`.
static LogicalResult buildGraph(Loop &loop, const GPUTarget &target,
                                Refusal &refusal) {
  scf::ForOp op = loop.op;
  loop.graph.otherRegisters = static_cast<double>(target.asyncOtherRegisters);
  loop.graph.productLatency = static_cast<double>(target.productLatency);
  loop.graph.awaitLatency = static_cast<double>(target.awaitLatency);
  for (Value yielded : op.getYieldedValues())
    if (yielded.getParentBlock() != op.getBody() || !yielded.getDefiningOp())
      return refusal.set(RefusalKind::Other, op,
                         "the loop hands on a value that its body does not "
                         "compute");
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (failed(checkOp(&nested, refusal)))
      return failure();
    loop.numbers[&nested] = loop.ops.size();
    loop.ops.push_back(&nested);
    if (isAsyncProduct(&nested))
      loop.addThreads(cast<vector::ContractionOp>(nested));
  }
  // Whether an op follows from a vector of the loop.
  SmallVector<bool> followsVector;
  for (Operation *nested : loop.ops) {
    ScheduleOp result;
    auto contract = dyn_cast<vector::ContractionOp>(nested);
    result.isProduct = isAsyncProduct(nested);
    bool follows = false;
    for (Value operand : getOperands(nested)) {
      ScheduleOp::Operand edge;
      if (std::optional<unsigned> producer = loop.lookup(operand)) {
        edge.op = *producer;
        follows |= isVector(operand) || followsVector[*producer];
      } else if (std::optional<unsigned> carried = loop.getCarried(operand)) {
        edge.op = *loop.lookup(op.getYieldedValues()[*carried]);
        edge.distance = 1;
        follows = true;
      } else {
        continue;
      }
      edge.isInRegisters =
          result.isProduct && isVector(operand) &&
          operand != contract.getAcc() &&
          !(operand.getDefiningOp() && isReadInPlace(operand.getDefiningOp()));
      edge.isContinued = result.isProduct && edge.distance == 0 &&
                         operand == contract.getAcc() &&
                         isAsyncProduct(operand.getDefiningOp()) &&
                         mayContinue(contract);
      result.operands.push_back(edge);
    }
    forEachBeforeInRing(loop, nested, [&](unsigned before) {
      ScheduleOp::Operand edge;
      edge.op = before;
      edge.isOrder = true;
      result.operands.push_back(edge);
    });
    followsVector.push_back(follows);
    result.isInPlace = isReadInPlace(nested);
    result.followsUsers =
        !follows && (isa<RingPutOp>(nested) ||
                     llvm::any_of(nested->getResults(), isVector));
    result.isView = isView(nested) || isStreamed(nested);
    result.isEager = isa<RingReleaseOp>(nested);
    result.mayBranch = mayBranch(nested, result.isInPlace);
    if (!result.isView && !result.isInPlace)
      for (Value value : nested->getResults())
        result.registers += getNumWords(value) / static_cast<double>(loop.numThreads);
    if (result.isProduct)
      result.product = getNumProducts(contract) /
                       static_cast<double>(target.asyncProducts);
    else if (!result.isInPlace)
      addCosts(nested, target, result);
    loop.graph.ops.push_back(std::move(result));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// True if `loop` takes exactly what `previous` carries, and all in between can
/// be done in front of `previous`, which `chain` ends with.
static bool continues(scf::ForOp loop, const Chain &chain) {
  scf::ForOp previous = chain.back().op;
  if (previous->getBlock() != loop->getBlock() ||
      !llvm::equal(previous.getResults(), loop.getInitArgs()) ||
      previous.getUnsignedCmp() != loop.getUnsignedCmp())
    return false;
  auto isCarried = [&](Value value) {
    return llvm::any_of(chain, [&](const Loop &earlier) {
      return value.getDefiningOp() == earlier.op;
    });
  };
  if (!llvm::all_of(previous.getResults(), [&](Value result) {
        return llvm::all_of(result.getUsers(),
                            [&](Operation *user) { return user == loop; });
      }))
    return false;
  for (Operation *op = previous->getNextNode(); op != loop;
       op = op->getNextNode())
    if (!isPure(op) || llvm::any_of(getOperands(op), isCarried))
      return false;
  // An init is no bound.
  return llvm::none_of(
             ValueRange{loop.getLowerBound(), loop.getUpperBound(),
                        loop.getStep()},
             isCarried) &&
         llvm::none_of(getOperands(loop), [&](Value value) {
           return isCarried(value) &&
                  !llvm::is_contained(loop.getInitArgs(), value);
         });
}

/// The chains of loops with asynchronous products in `scope`.
static SmallVector<Chain> getChains(Operation *scope) {
  SmallVector<Chain> chains;
  scope->walk([&](Block *block) {
    Chain *chain = nullptr;
    for (auto loop : block->getOps<scf::ForOp>()) {
      if (llvm::none_of(*loop.getBody(), [](Operation &op) {
            return isAsyncProduct(&op);
          }))
        continue;
      if (!chain || !continues(loop, *chain)) {
        chains.emplace_back();
        chain = &chains.back();
      }
      chain->emplace_back();
      chain->back().op = loop;
    }
  });
  return chains;
}

//===----------------------------------------------------------------------===//
// What stage 1 takes from stage 0
//===----------------------------------------------------------------------===//

namespace {
/// What the rotated form of a loop carries.
struct CarriedState {
  /// Results of the loop that stage 0 computes, and those that stage 1
  /// computes and needs again.
  SmallVector<unsigned> early, late;
  /// Values of the original iteration that stage 0 has and stage 1 needs.
  SmallVector<Value> values;

  size_t size() const { return early.size() + late.size() + values.size(); }
};
} // namespace

static unsigned getYieldStage(const Loop &loop, const LoopSchedule &schedule,
                              unsigned carried) {
  return schedule.stages[*loop.lookup(loop.op.getYieldedValues()[carried])];
}

/// True if stage 1 has to be given `value`: stage 0 computes it, or it is that
/// of the iteration.
static bool isFromStage0(const Loop &loop, const LoopSchedule &schedule,
                         Value value) {
  if (value == loop.op.getInductionVar())
    return true;
  if (std::optional<unsigned> carried = loop.getCarried(value))
    return getYieldStage(loop, schedule, *carried) == 0;
  std::optional<unsigned> producer = loop.lookup(value);
  return producer && schedule.stages[*producer] == 0;
}

static SmallVector<Operation *> getStage1(const Loop &loop,
                                          const LoopSchedule &schedule) {
  SmallVector<Operation *> ops;
  for (auto [op, stage] : llvm::zip_equal(loop.ops, schedule.stages))
    if (stage == 1)
      ops.push_back(op);
  return ops;
}

static CarriedState getCarriedState(Loop &loop, const LoopSchedule &schedule) {
  CarriedState state;
  llvm::SetVector<Value> values;
  llvm::DenseSet<unsigned> late;
  for (Operation *op : getStage1(loop, schedule))
    for (Value operand : getOperands(op)) {
      if (isFromStage0(loop, schedule, operand))
        values.insert(operand);
      else if (std::optional<unsigned> carried = loop.getCarried(operand))
        late.insert(*carried);
    }
  for (unsigned i = 0; i < loop.op.getNumRegionIterArgs(); ++i)
    if (getYieldStage(loop, schedule, i) == 0)
      state.early.push_back(i);
    else if (late.contains(i))
      state.late.push_back(i);
  state.values = values.takeVector();
  return state;
}

/// Returns what `loop` carries, in the order in which `first` does, whose state
/// is `state`. Fails if their stages 1 are not alike.
static FailureOr<CarriedState>
matchCarriedState(Loop &first, const LoopSchedule &ofFirst,
                  const CarriedState &state, Loop &loop,
                  const LoopSchedule &schedule) {
  IRMapping matched;
  auto isAlike = [&](Value a, Value b) {
    if (Value known = matched.lookupOrNull(a))
      return known == b;
    if (a.getType() != b.getType())
      return false;
    bool isFromStage0A = isFromStage0(first, ofFirst, a),
         isFromStage0B = isFromStage0(loop, schedule, b);
    if (isFromStage0A || isFromStage0B) {
      matched.map(a, b);
      return isFromStage0A && isFromStage0B;
    }
    std::optional<unsigned> carriedA = first.getCarried(a),
                            carriedB = loop.getCarried(b);
    if (carriedA || carriedB)
      return carriedA == carriedB;
    return a == b;
  };
  SmallVector<Operation *> opsOfFirst = getStage1(first, ofFirst),
                           ops = getStage1(loop, schedule);
  if (opsOfFirst.size() != ops.size())
    return failure();
  for (auto [a, b] : llvm::zip_equal(opsOfFirst, ops))
    if (!OperationEquivalence::isEquivalentTo(
            a, b, [&](Value x, Value y) { return success(isAlike(x, y)); },
            [&](Value x, Value y) { matched.map(x, y); },
            OperationEquivalence::Flags::IgnoreLocations))
      return failure();
  for (auto [i, yields] :
       llvm::enumerate(llvm::zip_equal(first.op.getYieldedValues(),
                                       loop.op.getYieldedValues()))) {
    auto [a, b] = yields;
    unsigned stage = getYieldStage(first, ofFirst, i);
    if (stage != getYieldStage(loop, schedule, i) ||
        (stage == 1 && matched.lookupOrNull(a) != b))
      return failure();
  }
  CarriedState result = state;
  for (Value &value : result.values)
    value = matched.lookup(value);
  return result;
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {
/// Builds the rotated form of a chain.
class Expander {
public:
  Expander(RewriterBase &b, MutableArrayRef<Loop> chain,
           ArrayRef<LoopSchedule> schedules, ArrayRef<CarriedState> states)
      : b(b), chain(chain), schedules(schedules), states(states),
        loc(chain.front().op.getLoc()) {}

  /// Replaces the loops.
  void run();

private:
  void addSteps(unsigned number, ArrayRef<unsigned> stages, IRMapping &stage0,
                IRMapping &stage1);
  SmallVector<Value> getState(unsigned number, const IRMapping &stage0,
                              const IRMapping &stage1);
  SmallVector<Value> buildFirst(unsigned number);
  SmallVector<Value> buildFirsts(unsigned number);
  SmallVector<Value> buildLoop(unsigned number, Value from,
                               ArrayRef<Value> state);
  SmallVector<Value> buildLast(ArrayRef<Value> state);
  SmallVector<Value> buildAll();
  Value buildHasIterations(unsigned number);

  RewriterBase &b;
  MutableArrayRef<Loop> chain;
  ArrayRef<LoopSchedule> schedules;
  ArrayRef<CarriedState> states;
  Location loc;
  SmallVector<Value> hasIterations;
};
} // namespace

/// Marks `op`, a copy of op `number`, if it continues the sums of a product
/// that is not awaited.
static void markContinuing(const Loop &loop, const LoopSchedule &schedule,
                           unsigned number, Operation *op) {
  for (const ScheduleOp::Operand &operand : loop.graph.ops[number].operands)
    if (operand.isContinued && operand.distance == 0 &&
        schedule.stages[operand.op] == schedule.stages[number])
      op->setDiscardableAttr(getContinuesAttrName(),
                             UnitAttr::get(op->getContext()));
}

/// Clones the ops of `stages`, in the order of the schedule. The maps have the
/// values of the iterations that are in stages 0 and 1.
void Expander::addSteps(unsigned number, ArrayRef<unsigned> stages,
                        IRMapping &stage0, IRMapping &stage1) {
  Loop &loop = chain[number];
  const LoopSchedule &schedule = schedules[number];
  // Turns are for iterations that issue all products.
  unsigned numOpen = schedule.takesTurns && stages.size() == 2
                         ? loop.graph.getProducts().size()
                         : 0;
  bool isTaken = false;
  for (const ScheduleStep &step : schedule.steps) {
    unsigned stage = schedule.stages[step.op];
    if (!llvm::is_contained(stages, stage))
      continue;
    IRMapping &values = stage == 0 ? stage0 : stage1;
    Operation *op = loop.ops[step.op];
    bool isIssue = numOpen > 0 && loop.graph.ops[step.op].isProduct;
    if (isIssue && !std::exchange(isTaken, true))
      TurnTakeOp::create(b, op->getLoc(), loop.graph.numParts);
    if (step.isAwait) {
      Value open = op->getResult(0);
      values.map(open, AwaitOp::create(b, op->getLoc(), values.lookup(open))
                           .getResult(0));
    } else {
      markContinuing(loop, schedule, step.op, b.clone(*op, values));
    }
    if (isIssue && --numOpen == 0)
      TurnPassOp::create(b, op->getLoc(), loop.graph.numParts);
    // What stage 1 of an iteration computes, stage 0 of the next one has.
    if (stage == 1)
      for (auto [yielded, carried] : llvm::zip_equal(
               loop.op.getYieldedValues(), loop.op.getRegionIterArgs()))
        if (yielded.getDefiningOp() == op)
          stage0.map(carried, values.lookup(yielded));
  }
}

/// The state behind stage 0 of one iteration and stage 1 of the one before.
SmallVector<Value> Expander::getState(unsigned number, const IRMapping &stage0,
                                      const IRMapping &stage1) {
  const CarriedState &state = states[number];
  SmallVector<Value> yielded(chain[number].op.getYieldedValues());
  SmallVector<Value> values;
  for (unsigned i : state.early)
    values.push_back(stage0.lookupOrDefault(yielded[i]));
  for (unsigned i : state.late)
    values.push_back(stage1.lookupOrDefault(yielded[i]));
  for (Value value : state.values)
    values.push_back(stage0.lookupOrDefault(value));
  return values;
}

/// Stage 0 of the first iteration, which is one of loop `number`.
SmallVector<Value> Expander::buildFirst(unsigned number) {
  Loop &loop = chain[number];
  IRMapping stage0, stage1;
  stage0.map(loop.op.getInductionVar(), loop.op.getLowerBound());
  stage0.map(loop.op.getRegionIterArgs(), chain.front().op.getInitArgs());
  addSteps(number, {0}, stage0, stage1);
  // Nothing is in stage 1 yet.
  for (auto [yielded, init] : llvm::zip_equal(loop.op.getYieldedValues(),
                                              chain.front().op.getInitArgs()))
    if (std::optional<unsigned> op = loop.lookup(yielded);
        schedules[number].stages[*op] == 1)
      stage1.map(yielded, init);
  return getState(number, stage0, stage1);
}

/// Stage 0 of the first iteration, which is of loop `number` or a later one.
SmallVector<Value> Expander::buildFirsts(unsigned number) {
  if (number + 1 == chain.size())
    return buildFirst(number);
  SmallVector<Value> state;
  auto branch = scf::IfOp::create(
      b, loc, hasIterations[number],
      [&](OpBuilder &, Location) {
        OpBuilder::InsertionGuard guard(b);
        scf::YieldOp::create(b, loc, buildFirst(number));
      },
      [&](OpBuilder &, Location) {
        OpBuilder::InsertionGuard guard(b);
        scf::YieldOp::create(b, loc, buildFirsts(number + 1));
      });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns `carried`, which an earlier iteration of its loop computed as
/// `value`. What is at least a constant stays so: a tile without an end needs
/// no test.
static Value keepBound(RewriterBase &b, Value value, Value carried) {
  auto max = value.getDefiningOp<arith::MaxSIOp>();
  std::optional<int64_t> bound = max && max.getType().isIndex()
                                     ? getConstantIntValue(max.getRhs())
                                     : std::nullopt;
  if (!bound)
    return carried;
  Location loc = max.getLoc();
  return arith::MaxSIOp::create(b, loc, carried,
                                arith::ConstantIndexOp::create(b, loc, *bound));
}

/// Loop `number` from `from` on. Returns the state behind it.
SmallVector<Value> Expander::buildLoop(unsigned number, Value from,
                                       ArrayRef<Value> state) {
  Loop &loop = chain[number];
  auto rotated = scf::ForOp::create(
      b, loop.op.getLoc(), from, loop.op.getUpperBound(), loop.op.getStep(),
      state, /*bodyBuilder=*/{}, loop.op.getUnsignedCmp());
  rotated->setDiscardableAttrs(loop.op->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(b);
  if (rotated.getNumRegionIterArgs() == 0)
    b.eraseOp(rotated.getBody()->getTerminator());
  b.setInsertionPointToStart(rotated.getBody());
  IRMapping stage0, stage1;
  stage0.map(loop.op.getInductionVar(), rotated.getInductionVar());
  const CarriedState &carried = states[number];
  ArrayRef<BlockArgument> args = rotated.getRegionIterArgs();
  for (unsigned i : carried.early)
    stage0.map(loop.op.getRegionIterArg(i), args.consume_front());
  for (unsigned i : carried.late)
    stage1.map(loop.op.getRegionIterArg(i), args.consume_front());
  // An iteration of the first loop is behind another one of it.
  for (Value value : carried.values) {
    Value ofEarlier = args.consume_front();
    stage1.map(value, number == 0 ? keepBound(b, value, ofEarlier) : ofEarlier);
  }
  addSteps(number, {0, 1}, stage0, stage1);
  scf::YieldOp::create(b, loc, getState(number, stage0, stage1));
  return llvm::to_vector_of<Value>(rotated.getResults());
}

/// Stage 1 of the last iteration. Returns the results of the chain.
SmallVector<Value> Expander::buildLast(ArrayRef<Value> state) {
  Loop &loop = chain.back();
  const CarriedState &carried = states.back();
  IRMapping stage0, stage1;
  SmallVector<Value> results(loop.op.getNumResults());
  for (unsigned i : carried.early)
    results[i] = state.consume_front();
  for (unsigned i : carried.late)
    stage1.map(loop.op.getRegionIterArg(i), state.consume_front());
  for (Value value : carried.values)
    stage1.map(value, state.consume_front());
  addSteps(chain.size() - 1, {1}, stage0, stage1);
  for (auto [result, yielded] :
       llvm::zip_equal(results, loop.op.getYieldedValues()))
    if (!result)
      result = stage1.lookup(yielded);
  return results;
}

Value Expander::buildHasIterations(unsigned number) {
  scf::ForOp loop = chain[number].op;
  return b.createOrFold<arith::CmpIOp>(
      loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                            : arith::CmpIPredicate::slt,
      loop.getLowerBound(), loop.getUpperBound());
}

/// The whole chain, which has an iteration. Returns its results.
SmallVector<Value> Expander::buildAll() {
  SmallVector<Value> state = buildFirsts(0);
  // Whether the first iteration is that of an earlier loop.
  Value isBehind;
  for (unsigned i = 0; i < chain.size(); ++i) {
    scf::ForOp loop = chain[i].op;
    Value second = b.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(),
                                                 loop.getStep());
    Value from = isBehind
                     ? b.createOrFold<arith::SelectOp>(
                           loc, isBehind, loop.getLowerBound(), second)
                     : second;
    isBehind = isBehind ? b.createOrFold<arith::OrIOp>(loc, isBehind,
                                                       hasIterations[i])
                        : hasIterations[i];
    state = buildLoop(i, from, state);
  }
  return buildLast(state);
}

void Expander::run() {
  scf::ForOp first = chain.front().op, last = chain.back().op;
  // What later bounds follow from does not follow from these loops.
  for (Operation *op = first->getNextNode(); op != last && first != last;) {
    Operation *next = op->getNextNode();
    if (llvm::none_of(chain, [&](Loop &loop) { return loop.op == op; }))
      b.moveOpBefore(op, first);
    op = next;
  }
  b.setInsertionPoint(first);
  Value hasAny;
  for (unsigned i = 0; i < chain.size(); ++i) {
    hasIterations.push_back(buildHasIterations(i));
    hasAny = hasAny ? b.createOrFold<arith::OrIOp>(loc, hasAny,
                                                   hasIterations.back())
                    : hasIterations.back();
  }
  SmallVector<Value> results;
  if (getConstantIntValue(hasAny).value_or(0) != 0) {
    results = buildAll();
  } else {
    auto branch = scf::IfOp::create(
        b, loc, hasAny,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, buildAll());
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, first.getInitArgs());
        });
    results = llvm::to_vector_of<Value>(branch.getResults());
  }
  b.replaceAllUsesWith(last.getResults(), results);
  for (Loop &loop : llvm::reverse(chain))
    b.eraseOp(loop.op);
}

/// Orders the body of a loop whose ops are all in one stage.
static void reorder(RewriterBase &b, Loop &loop, const LoopSchedule &schedule) {
  Operation *terminator = loop.op.getBody()->getTerminator();
  for (const ScheduleStep &step : schedule.steps) {
    Operation *op = loop.ops[step.op];
    if (!step.isAwait) {
      b.moveOpBefore(op, terminator);
      b.modifyOpInPlace(op,
                        [&] { markContinuing(loop, schedule, step.op, op); });
      continue;
    }
    b.setInsertionPoint(terminator);
    auto await = AwaitOp::create(b, op->getLoc(), op->getResult(0));
    b.replaceAllUsesExcept(op->getResult(0), await.getResult(0), await);
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// True if the products of `loop` are issued in the order of its body, without
/// a second stage, and nothing else has to be behind their awaits.
static bool isAsWritten(const Loop &loop, const LoopSchedule &schedule) {
  if (schedule.isRotated() || llvm::any_of(loop.ops, [](Operation *op) {
        return isa<RingReleaseOp>(op);
      }))
    return false;
  SmallVector<unsigned> issued;
  bool isContinued = false;
  for (const ScheduleStep &step : schedule.steps)
    if (!step.isAwait && loop.graph.ops[step.op].isProduct) {
      issued.push_back(step.op);
      isContinued |= llvm::any_of(loop.graph.ops[step.op].operands,
                                  [](const ScheduleOp::Operand &operand) {
                                    return operand.isContinued;
                                  });
    }
  return llvm::is_sorted(issued) && !isContinued;
}

static void explain(ArrayRef<Loop> chain, ArrayRef<LoopSchedule> schedules) {
  SmallVector<unsigned> products = chain.front().graph.getProducts();
  auto getName = [&](unsigned op) {
    return "product " + std::to_string(llvm::find(products, op) -
                                       products.begin());
  };
  for (auto [loop, schedule] : llvm::zip_equal(chain, schedules)) {
    SmallVector<unsigned> numbers;
    for (unsigned i = 0; i < products.size(); ++i)
      numbers.push_back(i);
    std::optional<LoopSchedule> asWritten = buildSchedule(
        loop.graph, SmallVector<unsigned>(products.size(), 0), numbers);
    products = loop.graph.getProducts();
    InFlightDiagnostic remark = emitRemark(loop.op.getLoc());
    remark << "schedule: " << schedule.str(loop.graph, getName) << " ("
           << llvm::formatv("{0:F0} cycles", schedule.cycles).str();
    if (asWritten)
      remark << llvm::formatv(" instead of {0:F0}", asWritten->cycles).str();
    remark << llvm::formatv(", {0:F0} registers)", schedule.registers).str();
  }
}

/// Returns how many of the loops of `chain` it rewrote.
static int64_t rotateChain(RewriterBase &rewriter, MutableArrayRef<Loop> chain,
                           double registers, bool prefersRotated,
                           const RotateOptions &options, Refusal &refusal) {
  SmallVector<LoopGraph> graphs = llvm::map_to_vector(
      chain, [](const Loop &loop) { return loop.graph; });
  SmallVector<CarriedState> states;
  // Stages 1 of all loops are alike.
  auto match = [&](ArrayRef<LoopSchedule> schedules) {
    states.assign({getCarriedState(chain[0], schedules[0])});
    for (unsigned i = 1; i < chain.size(); ++i) {
      FailureOr<CarriedState> state = matchCarriedState(
          chain[0], schedules[0], states[0], chain[i], schedules[i]);
      if (failed(state))
        return false;
      states.push_back(*state);
    }
    return true;
  };
  SmallVector<LoopSchedule> schedules =
      chooseSchedules(graphs, registers, prefersRotated, match);
  if (chain.size() > 1 &&
      (schedules.empty() || !schedules.front().isRotated())) {
    int64_t count = 0;
    for (unsigned i = 0; i < chain.size(); ++i)
      count +=
          rotateChain(rewriter, chain.slice(i, 1), registers, prefersRotated,
                      options, refusal);
    return count;
  }
  if (schedules.empty()) {
    (void)refusal.set(
        RefusalKind::Other, chain.front().op,
        llvm::formatv("no order of its products needs at most {0:F0} registers",
                      registers)
            .str());
    if (options.explainSchedule)
      emitRemark(chain.front().op.getLoc()) << "no schedule: " << refusal.text;
    return 0;
  }
  // Groups of a role are synchronised with nobody else.
  auto role = chain.front().op->getParentOfType<RoleOp>();
  bool takesTurns =
      role && !role.getSingle() &&
      llvm::all_of(llvm::zip_equal(chain, schedules), [&](auto pair) {
        auto &[loop, schedule] = pair;
        return loop.numThreads == static_cast<int64_t>(role.getThreads()) &&
               mayTakeTurns(loop.graph, schedule);
      });
  for (LoopSchedule &schedule : schedules)
    schedule.takesTurns = takesTurns && schedule.isRotated();
  if (options.explainSchedule)
    explain(chain, schedules);
  if (isAsWritten(chain.front(), schedules.front()))
    return 0;
  if (!schedules.front().isRotated()) {
    reorder(rewriter, chain.front(), schedules.front());
    return 1;
  }
  match(schedules);
  Expander(rewriter, chain, schedules, states).run();
  return chain.size();
}

FailureOr<int64_t> mlir::vector_ext::rotateLoops(RewriterBase &rewriter,
                                                 Operation *scope,
                                                 const RotateOptions &options,
                                                 Refusal &refusal) {
  FailureOr<GPUTarget> target = linalg_ext::getGPUTarget(scope);
  if (failed(target))
    return failure();
  int64_t count = 0;
  for (Chain &chain : getChains(scope)) {
    auto launch = chain.front().op->getParentOfType<gpu::LaunchOp>();
    std::optional<KernelMark> mark;
    if (launch)
      mark = getKernelMark(launch);
    if (mark && !mark->rotate)
      continue;
    bool isComplete = true;
    llvm::erase_if(chain, [&](Loop &loop) {
      if (succeeded(buildGraph(loop, *target, refusal)))
        return false;
      if (options.explainSchedule)
        emitRemark(refusal.op->getLoc()) << "no schedule: " << refusal.text;
      isComplete = false;
      return true;
    });
    if (chain.empty())
      continue;
    auto role = chain.front().op->getParentOfType<RoleOp>();
    double registers = static_cast<double>(
        options.registers != 0 ? options.registers
        : role && role.getRegisters()
            ? static_cast<int64_t>(*role.getRegisters())
            : std::min(target->threadRegisters,
                       target->processorRegisters / chain.front().numThreads));
    // Without one of its loops, it is none.
    unsigned length = isComplete ? chain.size() : 1;
    for (MutableArrayRef<Loop> rest = chain; !rest.empty();
         rest = rest.drop_front(length))
      count += rotateChain(rewriter, rest.take_front(length), registers,
                           /*prefersRotated=*/mark.has_value(), options,
                           refusal);
  }
  return count;
}
