//===- RotateLoops.cpp - Order of asynchronous products -------------------===//
//
// While an asynchronous product runs, the threads that issued it can compute
// other values. This pass orders the ops of loops so that the two overlap.
//
//   1. Find chains: loops with asynchronous products, each of which continues
//      from the values that the previous one carries.
//   2. Describe each body as a graph (RotatedLoop.cpp): dependences, the time
//      of each op, registers.
//   3. Choose a schedule (LoopSchedule.cpp). The loops of a chain have one in
//      common if what they leave to the next iteration (stage 1) is alike.
//      Otherwise each loop gets a schedule of its own, and finishes all before
//      the next one starts.
//   4. Expand (ExpandLoops.cpp): the first iteration of the chain performs
//      stage 0 alone, in front of the loops; the last one, stage 1 behind them.
//   5. In a loop over tiles, start the first product of the next tile in front
//      of the end of each tile (StartNextTile.cpp).
//   6. Let groups of threads skip tiles of which they have no rows
//      (SkipRows.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/RotateLoops.h"
#include "LoopSchedule.h"
#include "RotatedLoop.h"
#include "SkipRows.h"
#include "StartNextTile.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::GPUTarget;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

using Chain = SmallVector<RotatedLoop, 0>;

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Returns whether `loop` takes exactly the values that `previous`, the last
/// loop of `chain`, carries, and all ops in between can be done before
/// `previous`.
static bool continues(scf::ForOp loop, const Chain &chain) {
  scf::ForOp previous = chain.back().op;
  if (previous->getBlock() != loop->getBlock() ||
      !llvm::equal(previous.getResults(), loop.getInitArgs()) ||
      previous.getUnsignedCmp() != loop.getUnsignedCmp())
    return false;
  auto isCarried = [&](Value value) {
    return llvm::any_of(chain, [&](const RotatedLoop &earlier) {
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
    if (!isPure(op) || llvm::any_of(getAllOperands(op), isCarried))
      return false;
  // An init is not used as a bound.
  return llvm::none_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(),
                                  loop.getStep()},
                       isCarried) &&
         llvm::none_of(getAllOperands(loop), [&](Value value) {
           return isCarried(value) &&
                  !llvm::is_contained(loop.getInitArgs(), value);
         });
}

/// Returns the chains of loops with asynchronous products in `scope`.
static SmallVector<Chain> getChains(Operation *scope) {
  SmallVector<Chain> chains;
  scope->walk([&](Block *block) {
    Chain *chain = nullptr;
    for (auto loop : block->getOps<scf::ForOp>()) {
      if (llvm::none_of(*loop.getBody(),
                        [](Operation &op) { return isAsyncProduct(&op); }))
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
// Choice
//===----------------------------------------------------------------------===//

/// Returns whether the products of `loop` are issued in the order of its body,
/// without a second stage, and no other op must follow their awaits.
static bool isAsWritten(const RotatedLoop &loop, const LoopSchedule &schedule) {
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

static void explain(ArrayRef<RotatedLoop> chain,
                    ArrayRef<LoopSchedule> schedules) {
  SmallVector<unsigned> products = chain.front().graph.getProducts();
  auto getName = [&](unsigned op) {
    return "product " +
           std::to_string(llvm::find(products, op) - products.begin());
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

/// Rewrites the loops of `chain`. Returns how many it rewrote.
static int64_t rotateChain(RewriterBase &rewriter,
                           MutableArrayRef<RotatedLoop> chain, double registers,
                           bool prefersRotated, const RotateOptions &options,
                           Refusal &refusal) {
  SmallVector<LoopGraph> graphs = llvm::map_to_vector(
      chain, [](const RotatedLoop &loop) { return loop.graph; });
  SmallVector<CarriedState> states;
  // Checks that stages 1 of all loops are alike.
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
      count += rotateChain(rewriter, chain.slice(i, 1), registers,
                           prefersRotated, options, refusal);
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
  // Groups of a role are not synchronised with other threads.
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
  expandChain(rewriter, chain, schedules, states);
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
  llvm::SetVector<RoleOp> roles;
  for (Chain &chain : getChains(scope)) {
    auto launch = chain.front().op->getParentOfType<gpu::LaunchOp>();
    std::optional<KernelMark> mark;
    if (launch)
      mark = getKernelMark(launch);
    if (mark && !mark->rotate)
      continue;
    bool isComplete = true;
    llvm::erase_if(chain, [&](RotatedLoop &loop) {
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
    // Without one of its loops, a chain is not complete.
    unsigned length = isComplete ? chain.size() : 1;
    for (MutableArrayRef<RotatedLoop> rest = chain; !rest.empty();
         rest = rest.drop_front(length))
      count +=
          rotateChain(rewriter, rest.take_front(length), registers,
                      /*prefersRotated=*/mark.has_value(), options, refusal);
    if (mark && mark->persist != 0 && mark->persist != kDealtInPairs &&
        mark->groups == 1 && role && !role.getSingle())
      roles.insert(role);
  }
  for (RoleOp role : roles)
    if (role.walk([](TurnTakeOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      for (auto loop : llvm::to_vector(role.getBody().getOps<scf::ForOp>()))
        (void)startNextTile(rewriter, loop);
  for (RoleOp role : roles) {
    SmallVector<scf::ForOp> loops;
    role.walk([&](vector::TransferWriteOp write) {
      if (auto loop = dyn_cast<scf::ForOp>(write->getParentOp()))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      (void)skipRows(rewriter, loop);
  }
  // Tiles of other loops begin when the ones before have ended.
  scope->walk([&](RoleOp role) {
    if (!role.getSingle())
      for (auto loop : llvm::to_vector(role.getBody().getOps<scf::ForOp>()))
        (void)tabulatePlaces(rewriter, loop);
  });
  return count;
}
