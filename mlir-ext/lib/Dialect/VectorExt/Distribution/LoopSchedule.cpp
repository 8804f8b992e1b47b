//===- LoopSchedule.cpp - Orders of asynchronous products -----------------===//
//
// Enumerates the orders in which a loop can issue its asynchronous products,
// and simulates each:
//
//   1. A candidate gives each product a stage, and an order of issue.
//   2. Every other op is in the first stage in which its operands are
//      available. Ops that depend on no vector of the loop are in the stage of
//      their users.
//   3. Products are issued in that order, as early as possible. Then follow all
//      ops that do not depend on an open product (one that has not been waited
//      for), then a wait for the oldest product, and so on. So independent ops
//      run during a product, and waits are as late as possible.
//   4. The registers that an open product reads are written only after its
//      wait. Branches are at points at which no product is open. A product that
//      continues the sums of another one is issued behind it without a wait,
//      and a wait for either is one for both.
//
// The simulation has several groups of threads, which compute parts of the
// result and share a processor. While one group waits for its product, another
// one computes. So if threads take longer than products, one stage keeps them
// busy, and two stages only make groups wait at the same time.
//
// The simulation serves the products of one group after those of another one. In
// a rotated loop, in which groups wait for the same tiles, they issue them at the
// same time. The device then gives each a part of the time, all finish together,
// and all groups compute while no product runs. So they issue them in turn.
//
//===----------------------------------------------------------------------===//

#include "LoopSchedule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>
#include <cmath>

using namespace mlir;
using namespace mlir::vector_ext;

/// The most products of a loop for which all orders are tried: 5! x 2^5
/// candidates.
static constexpr unsigned maxProducts = 5;
static constexpr unsigned numIterations = 8;
/// Times that differ by less than this factor count as equal.
static constexpr double accuracy = 0.02;

SmallVector<unsigned> LoopGraph::getProducts() const {
  SmallVector<unsigned> products;
  for (auto [i, op] : llvm::enumerate(ops))
    if (op.isProduct)
      products.push_back(i);
  return products;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Calls `fn(user, operand)` for each operand of the graph.
static void
forEachOperand(const LoopGraph &graph,
               llvm::function_ref<void(unsigned, const ScheduleOp::Operand &)>
                   fn) {
  for (auto [user, op] : llvm::enumerate(graph.ops))
    for (const ScheduleOp::Operand &operand : op.operands)
      fn(user, operand);
}

/// Returns the stage of each op, if products have the stages `ofProducts`.
static std::optional<SmallVector<unsigned>>
getStages(const LoopGraph &graph, ArrayRef<unsigned> ofProducts) {
  SmallVector<unsigned> stages(graph.ops.size(), 0);
  unsigned product = 0;
  for (auto [i, op] : llvm::enumerate(graph.ops)) {
    for (const ScheduleOp::Operand &operand : op.operands)
      if (operand.distance == 0)
        stages[i] = std::max(stages[i], stages[operand.op]);
    if (!op.isProduct)
      continue;
    unsigned wanted = ofProducts[product++];
    if (wanted < stages[i])
      return std::nullopt;
    stages[i] = wanted;
  }
  // From the last op on: an op moves to stage 1 if all of its users are there.
  SmallVector<bool> isNeeded(graph.ops.size(), false), hasUser(isNeeded);
  for (unsigned i = graph.ops.size(); i-- > 0;) {
    const ScheduleOp &op = graph.ops[i];
    if (op.followsUsers && hasUser[i] && !isNeeded[i])
      stages[i] = 1;
    for (const ScheduleOp::Operand &operand : op.operands) {
      hasUser[operand.op] = true;
      isNeeded[operand.op] =
          isNeeded[operand.op] || stages[i] == 0 || operand.distance != 0;
    }
  }
  // Rotating gains nothing if stage 0 has no work.
  bool hasWork = false;
  for (auto [op, stage] : llvm::zip_equal(graph.ops, stages))
    hasWork |= stage == 0 && (op.isProduct || op.issue > 0 || op.special > 0);
  bool isCarriedInPlace = false;
  forEachOperand(graph, [&](unsigned user, const ScheduleOp::Operand &operand) {
    isCarriedInPlace |=
        graph.ops[operand.op].isInPlace && !operand.isOrder &&
        operand.distance + stages[user] != stages[operand.op];
  });
  if (!hasWork || isCarriedInPlace)
    return std::nullopt;
  return stages;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {
/// Builds the steps of a rotated iteration.
class StepBuilder {
public:
  StepBuilder(const LoopGraph &graph, LoopSchedule &schedule)
      : graph(graph), schedule(schedule), before(graph.ops.size()),
        awaited(graph.ops.size()), isDone(graph.ops.size()),
        isAwaited(graph.ops.size()), isBusy(graph.ops.size()) {}

  bool run(ArrayRef<unsigned> order);

private:
  int getDistance(unsigned user, const ScheduleOp::Operand &operand) const {
    return static_cast<int>(operand.distance) +
           static_cast<int>(schedule.stages[user]) -
           static_cast<int>(schedule.stages[operand.op]);
  }
  bool addEdges();
  unsigned getEnd(unsigned product) const;
  void writeBehind(unsigned op, unsigned product);
  bool emit(unsigned op);
  bool needsProduct(unsigned op) const;
  bool isReady(unsigned op) const;
  void await(unsigned product);

  const LoopGraph &graph;
  LoopSchedule &schedule;
  /// For each op: the ops of the same rotated iteration that must be done
  /// before, and the products that must be awaited before.
  std::vector<SmallVector<unsigned, 4>> before, awaited;
  std::vector<bool> isDone, isAwaited, isBusy;
};
} // namespace

/// Returns whether the product `user` continues the sums of `operand` without a
/// wait.
static bool continues(const LoopSchedule &schedule, unsigned user,
                      const ScheduleOp::Operand &operand) {
  return operand.isContinued && operand.distance == 0 &&
         schedule.stages[user] == schedule.stages[operand.op];
}

/// Returns the last of the products that continue the sums of `product`. A wait
/// for it is a wait for all of them.
static unsigned getLastOfChain(const LoopGraph &graph,
                               const LoopSchedule &schedule, unsigned product) {
  for (unsigned user = product + 1; user < graph.ops.size(); ++user)
    for (const ScheduleOp::Operand &operand : graph.ops[user].operands)
      if (operand.op == product && continues(schedule, user, operand))
        product = user;
  return product;
}

unsigned StepBuilder::getEnd(unsigned product) const {
  return getLastOfChain(graph, schedule, product);
}

/// Records that `op` writes registers that `product` reads, so `product` must
/// be awaited before.
void StepBuilder::writeBehind(unsigned op, unsigned product) {
  awaited[op].push_back(getEnd(product));
  if (graph.ops[op].isView)
    for (const ScheduleOp::Operand &operand : graph.ops[op].operands)
      if (getDistance(op, operand) == 0 && !operand.isOrder &&
          !graph.ops[operand.op].isProduct)
        writeBehind(operand.op, product);
}

bool StepBuilder::addEdges() {
  bool isPossible = true;
  forEachOperand(graph, [&](unsigned user, const ScheduleOp::Operand &operand) {
    int distance = getDistance(user, operand);
    isPossible &= distance >= 0;
    bool isProduct = graph.ops[operand.op].isProduct;
    if (distance == 0 && isProduct && !continues(schedule, user, operand))
      awaited[user].push_back(getEnd(operand.op));
    else if (distance == 0)
      before[user].push_back(operand.op);
    else if (operand.isInRegisters && !isProduct)
      writeBehind(operand.op, user);
  });
  return isPossible;
}

/// Adds a wait for `product`, and then the eager ops that are ready.
void StepBuilder::await(unsigned product) {
  if (isAwaited[product])
    return;
  isAwaited[product] = true;
  schedule.steps.push_back({/*isAwait=*/true, product});
  for (unsigned op = 0; op < graph.ops.size(); ++op)
    if (graph.ops[op].isEager && !isDone[op] && isReady(op))
      emit(op);
}

/// Adds the steps of `op`, and of all ops that it needs. Returns false if it
/// needs a product that is not issued.
bool StepBuilder::emit(unsigned op) {
  if (isDone[op])
    return true;
  if (isBusy[op])
    return false;
  isBusy[op] = true;
  for (unsigned other : before[op])
    if (!emit(other))
      return false;
  for (unsigned product : awaited[op]) {
    if (!isDone[product])
      return false;
    await(product);
  }
  isBusy[op] = false;
  for (unsigned other = 0; graph.ops[op].mayBranch && other < graph.ops.size();
       ++other)
    if (graph.ops[other].isProduct && isDone[other] &&
        !isAwaited[getEnd(other)])
      return false;
  isDone[op] = true;
  schedule.steps.push_back({/*isAwait=*/false, op});
  return true;
}

/// Returns whether all ops that `op` needs are done, and all products that it
/// needs are awaited.
bool StepBuilder::isReady(unsigned op) const {
  return llvm::all_of(before[op], [&](unsigned i) { return isDone[i]; }) &&
         llvm::all_of(awaited[op], [&](unsigned i) { return isAwaited[i]; });
}

/// Returns whether `op` depends on a product of the same rotated iteration.
bool StepBuilder::needsProduct(unsigned op) const {
  return !awaited[op].empty() || llvm::any_of(before[op], [&](unsigned other) {
    return graph.ops[other].isProduct || needsProduct(other);
  });
}

bool StepBuilder::run(ArrayRef<unsigned> order) {
  if (!addEdges())
    return false;
  for (unsigned op = 0; op < graph.ops.size(); ++op)
    if (graph.ops[op].mayBranch && !needsProduct(op) && !emit(op))
      return false;
  for (unsigned product : order)
    if (!emit(product))
      return false;
  auto emitReady = [&] {
    // Operands come before their users, except for operands from other
    // iterations.
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned op = 0; op < graph.ops.size(); ++op)
        if (!isDone[op] && isReady(op))
          changed |= emit(op);
    }
  };
  emitReady();
  for (unsigned product : order) {
    await(getEnd(product));
    emitReady();
  }
  return llvm::all_of(isDone, [](bool done) { return done; });
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Returns the cycles of an iteration. Each part performs its steps in order.
/// The parts share one queue of products and one unit for all other
/// instructions. Both serve the parts in the order of their requests.
static double simulate(const LoopGraph &graph, const LoopSchedule &schedule) {
  struct Part {
    double time = 0;
    unsigned step = 0, iteration = 0;
    SmallVector<double> finished;
  };
  SmallVector<Part> parts(graph.numParts);
  for (Part &part : parts)
    part.finished.resize(graph.ops.size(), 0);
  double queue = 0, unit = 0, share = graph.numParts;
  while (true) {
    // This is the part whose step comes next.
    Part *next = nullptr;
    for (Part &part : parts)
      if (part.iteration < numIterations && (!next || part.time < next->time))
        next = &part;
    if (!next)
      break;
    const ScheduleStep &step = schedule.steps[next->step];
    const ScheduleOp &op = graph.ops[step.op];
    double &time = next->time;
    if (step.isAwait) {
      time = std::max(time, next->finished[step.op]) + graph.awaitLatency;
    } else if (op.isProduct) {
      queue = std::max(queue, time + graph.productLatency) + op.product / share;
      next->finished[step.op] = queue;
    } else if (op.issue > 0 || op.special > 0) {
      unit = std::max(unit, time) + (op.issue + op.special) / share;
      time = unit + op.latency;
    }
    if (++next->step == schedule.steps.size()) {
      next->step = 0;
      ++next->iteration;
    }
  }
  double end = 0;
  for (const Part &part : parts)
    end = std::max(end, part.time);
  return end / numIterations;
}

/// Returns the largest number of registers that are live at a time.
static double countRegisters(const LoopGraph &graph,
                             const LoopSchedule &schedule) {
  unsigned size = schedule.steps.size();
  SmallVector<unsigned> issued(graph.ops.size(), 0), awaited(issued);
  for (auto [i, step] : llvm::enumerate(schedule.steps))
    (step.isAwait ? awaited : issued)[step.op] = i;
  for (unsigned product : graph.getProducts())
    awaited[product] = awaited[getLastOfChain(graph, schedule, product)];
  // The position of the last use of each value, counted from the first step of
  // an iteration. Users come after their operands, or one iteration later.
  SmallVector<unsigned> last(graph.ops.size(), 0);
  for (unsigned i = 0; i < graph.ops.size(); ++i)
    last[i] = issued[i];
  for (unsigned user = graph.ops.size(); user-- > 0;)
    for (const ScheduleOp::Operand &operand : graph.ops[user].operands) {
      if (operand.isOrder)
        continue;
      unsigned distance = operand.distance + schedule.stages[user] -
                          schedule.stages[operand.op];
      unsigned end = graph.ops[user].isProduct && operand.isInRegisters
                         ? awaited[user]
                         : issued[user];
      // The operands of a view live as long as the view.
      if (graph.ops[user].isView)
        end = std::max(end, last[user]);
      last[operand.op] = std::max(last[operand.op], distance * size + end);
    }
  double most = 0;
  for (unsigned at = 0; at < size; ++at) {
    double live = 0;
    for (auto [i, op] : llvm::enumerate(graph.ops))
      for (unsigned time = at; time < last[i]; time += size)
        if (time >= issued[i])
          live += op.registers;
    most = std::max(most, live);
  }
  return most + graph.otherRegisters;
}

std::optional<LoopSchedule>
mlir::vector_ext::buildSchedule(const LoopGraph &graph,
                                ArrayRef<unsigned> stages,
                                ArrayRef<unsigned> order) {
  std::optional<SmallVector<unsigned>> ofOps = getStages(graph, stages);
  if (!ofOps)
    return std::nullopt;
  LoopSchedule schedule;
  schedule.stages = std::move(*ofOps);
  SmallVector<unsigned> products = graph.getProducts();
  SmallVector<unsigned> ops = llvm::map_to_vector(
      order, [&](unsigned product) { return products[product]; });
  if (!StepBuilder(graph, schedule).run(ops))
    return std::nullopt;
  schedule.cycles = simulate(graph, schedule);
  schedule.registers = countRegisters(graph, schedule);
  return schedule;
}

bool mlir::vector_ext::mayTakeTurns(const LoopGraph &graph,
                                    const LoopSchedule &schedule) {
  if (graph.numParts < 2 || !schedule.isRotated())
    return false;
  bool isInTurn = false, isBehindOther = false;
  for (const ScheduleStep &step : schedule.steps) {
    const ScheduleOp &op = graph.ops[step.op];
    bool isIssue = !step.isAwait && op.isProduct;
    if (isIssue && isBehindOther)
      return false;
    isInTurn |= isIssue;
    isBehindOther |= isInTurn && !isIssue && !op.isInPlace &&
                     (step.isAwait || op.issue + op.special + op.registers > 0);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {
struct Candidate {
  SmallVector<LoopSchedule> schedules;
  double cycles = 0, registers = 0;
  unsigned numStages = 1;
  /// The number of products that are issued after a wait, and of pairs of
  /// products in which the one of stage 1 is issued before the one of stage 0.
  unsigned numLate = 0, numInverted = 0;

  /// The order of candidates with equal times. Registers are allocated by
  /// eights.
  auto getRank() const {
    return std::make_tuple(std::lround(registers / 8), numStages, numLate,
                           numInverted, cycles);
  }
};
} // namespace

/// Computes the properties by which orders of equal time are compared.
static void rank(const LoopGraph &graph, const LoopSchedule &schedule,
                 Candidate &candidate) {
  bool isBehindAwait = false;
  unsigned numOfStage1 = 0;
  for (const ScheduleStep &step : schedule.steps) {
    isBehindAwait |= step.isAwait;
    if (step.isAwait || !graph.ops[step.op].isProduct)
      continue;
    candidate.numLate += isBehindAwait;
    if (schedule.stages[step.op] == 1)
      ++numOfStage1;
    else
      candidate.numInverted += numOfStage1;
  }
}

SmallVector<LoopSchedule> mlir::vector_ext::chooseSchedules(
    ArrayRef<LoopGraph> chain, double registers, bool prefersRotated,
    llvm::function_ref<bool(ArrayRef<LoopSchedule>)> isPossible) {
  unsigned numProducts = chain.front().getProducts().size();
  if (numProducts > maxProducts ||
      llvm::any_of(chain, [&](const LoopGraph &graph) {
        return graph.getProducts().size() != numProducts;
      }))
    return {};
  std::vector<Candidate> candidates;
  for (unsigned bits = 0; bits < 1u << numProducts; ++bits) {
    SmallVector<unsigned> stages, order;
    for (unsigned i = 0; i < numProducts; ++i) {
      stages.push_back(bits >> i & 1);
      order.push_back(i);
    }
    do {
      Candidate candidate;
      for (const LoopGraph &graph : chain) {
        std::optional<LoopSchedule> schedule =
            buildSchedule(graph, stages, order);
        if (!schedule)
          break;
        candidate.cycles += schedule->cycles;
        candidate.registers =
            std::max(candidate.registers, schedule->registers);
        candidate.numStages = schedule->isRotated() ? 2 : 1;
        rank(graph, *schedule, candidate);
        candidate.schedules.push_back(std::move(*schedule));
      }
      if (candidate.schedules.size() == chain.size() &&
          candidate.registers <= registers &&
          isPossible(candidate.schedules))
        candidates.push_back(std::move(candidate));
    } while (std::next_permutation(order.begin(), order.end()));
  }
  if (candidates.empty())
    return {};
  auto isRotated = [](const Candidate &candidate) {
    return candidate.numStages > 1;
  };
  if (prefersRotated && llvm::any_of(candidates, isRotated))
    llvm::erase_if(candidates, std::not_fn(isRotated));
  double least = llvm::min_element(candidates, [](const auto &a, const auto &b) {
                   return a.cycles < b.cycles;
                 })->cycles;
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return candidate.cycles > least * (1 + accuracy);
  });
  auto best = llvm::min_element(candidates, [](const auto &a, const auto &b) {
    return a.getRank() < b.getRank();
  });
  return std::move(best->schedules);
}

//===----------------------------------------------------------------------===//
// Print
//===----------------------------------------------------------------------===//

std::string LoopSchedule::str(
    const LoopGraph &graph,
    llvm::function_ref<std::string(unsigned)> getName) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The ops in between are counted by stage.
  unsigned counts[2] = {0, 0};
  bool isFirst = true;
  auto add = [&](const std::string &part) {
    os << (isFirst ? "" : "; ") << part;
    isFirst = false;
  };
  auto getIteration = [&](unsigned op) -> std::string {
    return isRotated() && stages[op] == 0 ? " of n + 1" : " of n";
  };
  auto flush = [&] {
    for (unsigned stage : {1, 0})
      if (unsigned count = std::exchange(counts[stage], 0))
        add(std::to_string(count) + (count == 1 ? " op" : " ops") +
            (isRotated() && stage == 0 ? " of n + 1" : " of n"));
  };
  unsigned left = takesTurns ? graph.getProducts().size() : 0;
  bool isTaken = false;
  for (const ScheduleStep &step : steps) {
    const ScheduleOp &op = graph.ops[step.op];
    if (!step.isAwait && !op.isProduct) {
      // Only ops that take time count.
      if (op.issue > 0 || op.special > 0)
        ++counts[stages[step.op]];
      continue;
    }
    flush();
    if (left > 0 && !std::exchange(isTaken, true))
      add("take the turn");
    add((step.isAwait ? "await " : "issue ") + getName(step.op) +
        getIteration(step.op));
    if (left > 0 && --left == 0)
      add("pass the turn");
  }
  flush();
  return text;
}
