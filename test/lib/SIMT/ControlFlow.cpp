//===- ControlFlow.cpp - Loops, branches and calls of all threads ---------===//
//
// A structured op runs its regions with the threads that take them, and merges
// what they yield.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Concurrency.h"
#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

namespace {
/// Restores the active threads at the end of a scope.
class ActiveScope {
public:
  explicit ActiveScope(Machine &machine)
      : machine(machine), saved(machine.active()) {}
  ~ActiveScope() { machine.setActive(saved); }
  const SmallVector<int> &entry() const { return saved; }

private:
  Machine &machine;
  SmallVector<int> saved;
};
} // namespace

static void setAll(Machine &machine, ValueRange values,
                   ArrayRef<RegisterRef> refs) {
  for (auto [value, ref] : llvm::zip_equal(values, refs))
    machine.set(value, ref);
}

/// `carried` gets `newer` for the threads of `set`, of those of `entry`.
static void mergeAll(Machine &machine, MutableArrayRef<RegisterRef> carried,
                     ArrayRef<RegisterRef> newer, ArrayRef<int> set,
                     ArrayRef<int> entry) {
  for (auto [older, value] : llvm::zip_equal(carried, newer))
    older = set.size() == entry.size() || !older
                ? value
                : machine.merge(older, value, set);
}

static SmallVector<RegisterRef> getRefs(Machine &machine, ValueRange values) {
  return llvm::map_to_vector(values,
                             [&](Value v) { return machine.getRef(v); });
}

/// Runs the block of a loop with the threads `inRange` finds, until there are
/// none, adding `step` to the induction variable of `bits` bits.
static LogicalResult runLoop(Operation *op, Machine &machine, Block &body,
                             RegisterRef iv, const Register &step,
                             unsigned bits,
                             llvm::function_ref<bool(int, uint64_t)> inRange,
                             SmallVector<RegisterRef> &carried) {
  ActiveScope scope(machine);
  for (int thread : scope.entry())
    if (signExtend(*step.at(thread), bits) <= 0)
      return machine.error(op, thread) << "expected a positive step, got "
                                       << signExtend(*step.at(thread), bits);
  SmallVector<RegisterRef> yielded;
  while (true) {
    SmallVector<int> set;
    for (int thread : machine.active())
      if (inRange(thread, *iv->at(thread)))
        set.push_back(thread);
    if (set.empty())
      return success();
    machine.setActive(set);
    machine.set(body.getArgument(0), iv);
    setAll(machine, body.getArguments().drop_front(), carried);
    if (++machine.program.numOps > machine.program.options.maxOps)
      return op->emitError() << "more than " << machine.program.options.maxOps
                             << " ops were executed";
    if (failed(machine.runBody(body, yielded)))
      return failure();
    mergeAll(machine, carried, yielded, set, scope.entry());
    auto next = machine.make(1, iv->uniform && step.uniform);
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (next->uniform)
      next->words[0] = (iv->words[0] + step.words[0]) & mask;
    else
      for (int thread : set)
        *next->at(thread) = (*iv->at(thread) + *step.at(thread)) & mask;
    iv = next;
  }
}

static LogicalResult runFor(scf::ForOp op, Machine &machine) {
  SmallVector<RegisterRef> carried = getRefs(machine, op.getInitArgs());
  RegisterRef upper = machine.getRef(op.getUpperBound());
  RegisterRef step = machine.getRef(op.getStep());
  unsigned bits = getScalarFormat(op.getInductionVar().getType())->bits;
  bool isUnsigned = op.getUnsignedCmp();
  auto inRange = [&](int thread, uint64_t iv) {
    uint64_t bound = *upper->at(thread);
    return isUnsigned ? iv < bound
                      : signExtend(iv, bits) < signExtend(bound, bits);
  };
  if (failed(runLoop(op, machine, *op.getBody(),
                     machine.getRef(op.getLowerBound()), *step, bits, inRange,
                     carried)))
    return failure();
  setAll(machine, op.getResults(), carried);
  return success();
}

/// Whether the threads of at least two sets have to wait for each other in
/// their regions, and can: no subgroup is in two sets.
static bool splitsStrand(Machine &machine, ArrayRef<Region *> regions,
                         ArrayRef<SmallVector<int>> sets) {
  if (!machine.isStrand())
    return false;
  llvm::SmallDenseSet<int> subgroups;
  int numTaken = 0;
  for (auto [region, set] : llvm::zip_equal(regions, sets)) {
    llvm::SmallDenseSet<int> own;
    for (int thread : set)
      own.insert(thread / machine.subgroupSize());
    for (int subgroup : own)
      if (!subgroups.insert(subgroup).second)
        return false;
    numTaken += !set.empty() && !region->empty();
  }
  return numTaken > 1 && llvm::any_of(regions, [&](Region *region) {
           return hasConcurrentOps(*region, machine.program.symbols,
                                   /*withBarriers=*/true);
         });
}

/// Runs the regions as strands of their own, and waits for them.
static LogicalResult
runSplit(Operation *op, Machine &machine, ArrayRef<Region *> regions,
         ArrayRef<SmallVector<int>> sets,
         SmallVectorImpl<SmallVector<RegisterRef>> &yielded) {
  Scheduler &scheduler = machine.concurrency().scheduler;
  std::vector<std::unique_ptr<Machine>> parts;
  SmallVector<unsigned> strands;
  yielded.resize(regions.size());
  for (auto [region, set, results] : llvm::zip_equal(regions, sets, yielded)) {
    if (set.empty() || region->empty())
      continue;
    parts.push_back(std::make_unique<Machine>(machine, machine.firstThread(),
                                              machine.numValues(), set));
    strands.push_back(scheduler.addStrand(
        [part = parts.back().get(), region = region, &results = results] {
          return part->runRegion(*region, {}, results);
        }));
  }
  return scheduler.wait(
      op,
      [&] {
        return llvm::all_of(strands, [&](unsigned strand) {
          return scheduler.hasEnded(strand);
        });
      },
      [] { return std::string(); });
}

/// Runs `regions[i]` with the threads that `choose` gives i, and merges what
/// they yield to the results. An empty region yields nothing.
static LogicalResult runChoice(Operation *op, Machine &machine,
                               ArrayRef<Region *> regions,
                               llvm::function_ref<size_t(int)> choose) {
  ActiveScope scope(machine);
  SmallVector<SmallVector<int>> sets(regions.size());
  for (int thread : scope.entry())
    sets[choose(thread)].push_back(thread);
  SmallVector<RegisterRef> merged(op->getNumResults()), yielded;
  SmallVector<SmallVector<RegisterRef>> split;
  if (splitsStrand(machine, regions, sets) &&
      failed(runSplit(op, machine, regions, sets, split)))
    return failure();
  for (auto [i, region, set] : llvm::enumerate(regions, sets)) {
    if (set.empty() || region->empty())
      continue;
    machine.setActive(set);
    if (!split.empty())
      yielded = split[i];
    else if (failed(machine.runRegion(*region, {}, yielded)))
      return failure();
    mergeAll(machine, merged, yielded, set, scope.entry());
  }
  setAll(machine, op->getResults(), merged);
  return success();
}

static LogicalResult runIf(scf::IfOp op, Machine &machine) {
  RegisterRef condition = machine.getRef(op.getCondition());
  return runChoice(op, machine, {&op.getThenRegion(), &op.getElseRegion()},
                   [&](int thread) { return *condition->at(thread) ? 0 : 1; });
}

static LogicalResult runAffineIf(affine::AffineIfOp op, Machine &machine) {
  IntegerSet set = op.getIntegerSet();
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op.getContext());
  SmallVector<RegisterRef> operands = getRefs(machine, op.getOperands());
  return runChoice(
      op, machine, {&op.getThenRegion(), &op.getElseRegion()}, [&](int thread) {
        SmallVector<int64_t> values = llvm::map_to_vector(
            operands, [&](RegisterRef reg) { return reg->signedAt(thread); });
        for (auto [value, isEquality] :
             llvm::zip_equal(evaluate(map, values), set.getEqFlags()))
          if (isEquality ? value != 0 : value < 0)
            return 1;
        return 0;
      });
}

static LogicalResult runIndexSwitch(scf::IndexSwitchOp op, Machine &machine) {
  RegisterRef selector = machine.getRef(op.getArg());
  SmallVector<Region *> regions;
  for (Region &region : op.getCaseRegions())
    regions.push_back(&region);
  regions.push_back(&op.getDefaultRegion());
  ArrayRef<int64_t> cases = op.getCases();
  return runChoice(op, machine, regions, [&](int thread) -> size_t {
    return llvm::find(cases, selector->signedAt(thread)) - cases.begin();
  });
}

static LogicalResult runWhile(scf::WhileOp op, Machine &machine) {
  ActiveScope scope(machine);
  SmallVector<RegisterRef> arguments = getRefs(machine, op.getInits());
  SmallVector<RegisterRef> results(op.getNumResults()), passed;
  while (true) {
    if (++machine.program.numOps > machine.program.options.maxOps)
      return op->emitError() << "more than " << machine.program.options.maxOps
                             << " ops were executed";
    if (failed(machine.runRegion(op.getBefore(), arguments, passed)))
      return failure();
    RegisterRef condition = passed.front();
    passed.erase(passed.begin());
    SmallVector<int> leave, stay;
    for (int thread : machine.active())
      (*condition->at(thread) ? stay : leave).push_back(thread);
    mergeAll(machine, results, passed, leave, scope.entry());
    if (stay.empty())
      break;
    machine.setActive(stay);
    if (failed(machine.runRegion(op.getAfter(), passed, arguments)))
      return failure();
  }
  setAll(machine, op.getResults(), results);
  return success();
}

/// An op whose only region is run once.
template <typename OpT>
static LogicalResult runOnce(OpT op, Machine &machine) {
  SmallVector<RegisterRef> results;
  if (failed(machine.runRegion(op->getRegion(0), {}, results)))
    return failure();
  setAll(machine, op->getResults(), results);
  return success();
}

static LogicalResult runAssert(cf::AssertOp op, Machine &machine) {
  const Register &condition = machine.get(op.getArg());
  for (int thread : machine.active())
    if (!*condition.at(thread))
      return machine.error(op, thread) << "assertion failed: " << op.getMsg();
  return success();
}

static LogicalResult runCall(func::CallOp op, Machine &machine) {
  auto callee = machine.program.symbols.lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return callExternal(op, machine);
  SmallVector<RegisterRef> results;
  if (failed(machine.call(op, callee.getBody(),
                          getRefs(machine, op.getOperands()), results)))
    return failure();
  setAll(machine, op.getResults(), results);
  return success();
}

/// The value of a bound of affine.for.
static int64_t evaluateBound(Machine &machine, AffineMap map,
                             ValueRange operands, int thread, bool isLower) {
  SmallVector<int64_t> values;
  for (Value operand : operands)
    values.push_back(machine.get(operand).signedAt(thread));
  SmallVector<int64_t> results = evaluate(map, values);
  return isLower ? *llvm::max_element(results) : *llvm::min_element(results);
}

static LogicalResult runAffineFor(affine::AffineForOp op, Machine &machine) {
  SmallVector<RegisterRef> carried = getRefs(machine, op.getInits());
  auto bounds = [&](AffineMap map, ValueRange operands, bool isLower) {
    bool uniform =
        llvm::all_of(operands, [&](Value v) { return machine.get(v).uniform; });
    auto reg = machine.make(1, uniform);
    for (int thread : machine.active())
      *reg->at(thread) = evaluateBound(machine, map, operands, thread, isLower);
    return reg;
  };
  RegisterRef lower =
      bounds(op.getLowerBoundMap(), op.getLowerBoundOperands(), true);
  RegisterRef upper =
      bounds(op.getUpperBoundMap(), op.getUpperBoundOperands(), false);
  RegisterRef step =
      machine.constant({static_cast<uint64_t>(op.getStepAsInt())});
  auto inRange = [&](int thread, uint64_t iv) {
    return static_cast<int64_t>(iv) < upper->signedAt(thread);
  };
  if (failed(runLoop(op, machine, *op.getBody(), lower, *step, 64, inRange,
                     carried)))
    return failure();
  setAll(machine, op.getResults(), carried);
  return success();
}

void simt::populateControlFlow(Handlers &handlers) {
  handlers.add<scf::ForOp>(runFor);
  handlers.add<scf::IfOp>(runIf);
  handlers.add<scf::IndexSwitchOp>(runIndexSwitch);
  handlers.add<scf::WhileOp>(runWhile);
  handlers.add<scf::ExecuteRegionOp>(runOnce<scf::ExecuteRegionOp>);
  handlers.add<memref::AllocaScopeOp>(runOnce<memref::AllocaScopeOp>);
  handlers.add<func::CallOp>(runCall);
  handlers.add<cf::AssertOp>(runAssert);
  handlers.add<affine::AffineForOp>(runAffineFor);
  handlers.add<affine::AffineIfOp>(runAffineIf);
}
