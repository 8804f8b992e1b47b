//===- Concurrency.cpp - Workgroups of several strands --------------------===//
//
// See Concurrency.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Concurrency.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

static constexpr int kWarpgroup = 128;
/// The registers of a multiprocessor, and the most that a thread can have.
static constexpr int64_t kRegisters = 65536, kMaxRegisters = 256;

//===----------------------------------------------------------------------===//
// Which kernels have strands
//===----------------------------------------------------------------------===//

static bool isConcurrent(Operation *op) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return barrier.getBarrierId() || barrier.getNumberOfThreads();
  return isa<nvgpu::MBarrierCreateOp, nvgpu::MBarrierGetOp,
             nvgpu::MBarrierInitOp, nvgpu::MBarrierTestWaitOp,
             nvgpu::MBarrierArriveOp, nvgpu::MBarrierArriveNoCompleteOp,
             nvgpu::MBarrierArriveExpectTxOp, nvgpu::MBarrierTryWaitParityOp,
             NVVM::CpAsyncMBarrierArriveOp, nvgpu::TmaAsyncLoadOp,
             nvgpu::TmaAsyncStoreOp, NVVM::CpAsyncBulkCommitGroupOp,
             NVVM::CpAsyncBulkWaitGroupOp, NVVM::BarrierArriveOp,
             NVVM::SetMaxRegisterOp, NVVM::FenceProxyOp,
             NVVM::FenceMbarrierInitOp, NVVM::WgmmaFenceAlignedOp,
             NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp,
             NVVM::WgmmaMmaAsyncOp, vector_ext::AsyncMmaOp, vector_ext::AwaitOp,
             vector_ext::AwaitEarlierOp, vector_ext::ClusterBarrierOp,
             vector_ext::ClusterArriveOp>(op);
}

static bool hasConcurrentOps(Region &region, SymbolTableCollection &symbols,
                             bool withBarriers,
                             llvm::SmallPtrSetImpl<Region *> &visited) {
  if (!visited.insert(&region).second)
    return false;
  WalkResult result = region.walk([&](Operation *op) {
    if (isConcurrent(op) ||
        (withBarriers &&
         isa<gpu::BarrierOp, NVVM::Barrier0Op, NVVM::BarrierOp>(op)))
      return WalkResult::interrupt();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return WalkResult::advance();
    auto callee =
        symbols.lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    bool found = callee && hasConcurrentOps(callee.getBody(), symbols,
                                            withBarriers, visited);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool simt::hasConcurrentOps(Region &region, SymbolTableCollection &symbols,
                            bool withBarriers) {
  llvm::SmallPtrSet<Region *, 4> visited;
  return ::hasConcurrentOps(region, symbols, withBarriers, visited);
}

//===----------------------------------------------------------------------===//
// Strands
//===----------------------------------------------------------------------===//

Concurrency::Concurrency(Program &program, Workgroup &workgroup,
                         Cluster &cluster)
    : workgroup(workgroup), cluster(cluster),
      clocks(cluster.clocks, static_cast<int>(workgroup.member *
                                              workgroup.geometry.numThreads())),
      scheduler(cluster.scheduler) {
  int64_t numThreads = workgroup.geometry.numThreads();
  int64_t numSubgroups = static_cast<int64_t>(workgroup.subgroupTimes.size());
  int64_t size = program.options.subgroupSize;
  int64_t each =
      std::min(kMaxRegisters, kRegisters / (numSubgroups * size) / 8 * 8);
  registers.assign(numSubgroups, {each, false});
  products.resize(llvm::divideCeil(numThreads, kWarpgroup));
  for (auto [i, queue] : llvm::enumerate(products))
    queue.agent = clocks.addAgent("the products of warpgroup " +
                                  std::to_string(i) + workgroup.describe());
  bulk.resize(numThreads);
}

Accessor Concurrency::accessor(int thread) const {
  Accessor by;
  by.group = workgroup.number;
  by.thread = thread;
  by.agent = clocks.getAgent(thread);
  by.clocks = &clocks.getAll();
  by.past = &clocks.of(thread);
  by.time = clocks.now(thread);
  by.isEarly = workgroup.isThreadEarly(thread);
  return by;
}

/// Adds the strands of the workgroup of `root` to `machines`.
static void addStrands(Machine &root, Region &body,
                       ArrayRef<RegisterRef> arguments, Scheduler &scheduler,
                       std::vector<std::unique_ptr<Machine>> &machines) {
  for (int first = 0; first < root.numThreads(); first += kWarpgroup) {
    int count = std::min(kWarpgroup, root.numThreads() - first);
    SmallVector<int> active(count);
    std::iota(active.begin(), active.end(), first);
    machines.push_back(std::make_unique<Machine>(root, first, count, active));
    scheduler.addStrand([machine = machines.back().get(), &body, arguments] {
      SmallVector<RegisterRef> results;
      return machine->runRegion(body, arguments, results);
    });
  }
}

LogicalResult simt::runStrands(Operation *op,
                               ArrayRef<std::unique_ptr<Machine>> roots,
                               Region &body,
                               ArrayRef<SmallVector<RegisterRef>> arguments) {
  std::vector<std::unique_ptr<Machine>> machines;
  LogicalResult result = success();
  {
    std::vector<std::unique_ptr<Concurrency>> workgroups;
    Machine &first = *roots.front();
    Cluster cluster(first.program, first.geometry,
                    static_cast<int64_t>(roots.size()));
    for (const std::unique_ptr<Machine> &root : roots) {
      workgroups.push_back(std::make_unique<Concurrency>(
          root->program, *root->workgroup, cluster));
      root->workgroup->concurrency = workgroups.back().get();
      cluster.workgroups.push_back(workgroups.back().get());
    }
    for (auto [root, each] : llvm::zip_equal(roots, arguments))
      addStrands(*root, body, each, cluster.scheduler, machines);
    result = cluster.scheduler.run();
    for (auto [root, each] : llvm::zip_equal(roots, workgroups))
      if (succeeded(result))
        result = each->checkEnd(op, *root);
    if (succeeded(result))
      result = cluster.checkEnd();
  }
  for (const std::unique_ptr<Machine> &root : roots)
    root->workgroup->concurrency = nullptr;
  return result;
}

std::string simt::describeThreads(ArrayRef<int> threads,
                                  const std::string &where) {
  if (threads.size() == 1)
    return "thread " + std::to_string(threads.front()) + where + " waits";
  return "threads " + std::to_string(threads.front()) + " to " +
         std::to_string(threads.back()) + where + " wait";
}

LogicalResult simt::forWholeWarpgroup(
    Operation *op, Machine &machine,
    llvm::function_ref<LogicalResult(ProductQueue &)> body) {
  if (machine.isHost() || !machine.isStrand())
    return op->emitError() << "'" << op->getName()
                           << "' outside of a gpu.launch";
  int first = machine.active().front() / kWarpgroup * kWarpgroup;
  if (machine.active().size() != kWarpgroup)
    return machine.error(op)
           << "divergent: expected the 128 threads of warpgroup "
           << first / kWarpgroup << ", got " << machine.active().size();
  return body(machine.concurrency().products[first / kWarpgroup]);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

LogicalResult Cluster::arriveAndWait(Operation *op, Machine &machine) {
  WorkgroupClocks &own = machine.concurrency().clocks;
  int64_t all = clocks.numThreads();
  for (int thread : machine.active()) {
    arriving.join(own.of(thread));
    own.advance(thread);
    waiting.push_back(own.getAgent(thread));
  }
  arrived += static_cast<int64_t>(machine.active().size());
  scheduler.noteProgress();
  uint32_t mine = generation;
  if (arrived == all) {
    for (int32_t agent : waiting)
      clocks.of(agent).join(arriving);
    arrived = 0;
    arriving = {};
    waiting.clear();
    ++generation;
    ++machine.statistics->barriers;
  }
  return scheduler.wait(
      op, [this, mine] { return generation > mine; },
      [this, all, active = SmallVector<int>(machine.active()),
       where = machine.workgroup->describe()] {
        return describeThreads(active, where) +
               " at the barrier of the cluster, which misses " +
               std::to_string(all - arrived) + " of " + std::to_string(all) +
               " threads";
      });
}

void Cluster::noteAccess(Operation *op, const Concurrency &by, int64_t target,
                         int32_t agent, uint32_t time) {
  if (target != by.workgroup.member)
    accesses[{target, agent}] = {time, op};
}

LogicalResult Cluster::checkEnd() const {
  int perWorkgroup =
      clocks.numThreads() / static_cast<int>(workgroups.size());
  std::vector<Past> ends(workgroups.size());
  for (int thread = 0; thread < clocks.numThreads(); ++thread)
    ends[thread / perWorkgroup].join(clocks.of(thread));
  for (const auto &[key, last] : accesses)
    if (ends[key.first].accesses[key.second] < last.first)
      return last.second->emitError()
             << "accesses memory of workgroup " << key.first
             << " of the cluster by " << clocks.describe(key.second)
             << ", and that workgroup may have ended";
  return success();
}

FailureOr<int64_t> Concurrency::getBufferOf(Operation *op, Machine &machine,
                                            int thread, int64_t number,
                                            int64_t buffer) const {
  if (number < 0 || number >= static_cast<int64_t>(cluster.workgroups.size()))
    return machine.error(op, thread)
           << "expected a workgroup of a cluster of "
           << cluster.workgroups.size() << ", got " << number;
  std::optional<int64_t> found =
      machine.program.memory.findInGroup(number, buffer);
  if (!found)
    return machine.error(op, thread)
           << "accesses memory that workgroup " << number
           << " of the cluster does not have yet";
  return *found;
}

FailureOr<MBarrier *> Concurrency::getMBarrierOf(Operation *op,
                                                 Machine &machine, int thread,
                                                 int64_t number, int64_t buffer,
                                                 int64_t index) const {
  FailureOr<int64_t> other = getBufferOf(op, machine, thread, number, buffer);
  if (failed(other))
    return failure();
  auto &barriers = cluster.workgroups[number]->mbarriers;
  auto it = barriers.find(*other);
  if (it == barriers.end() ||
      index >= static_cast<int64_t>(it->second.size()))
    return machine.error(op, thread)
           << "uses what is not an mbarrier of workgroup " << number
           << " of the cluster";
  return &it->second[index];
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

std::string MBarrier::describe() const {
  return "phase " + std::to_string(phase) + " of " + name + ", which misses " +
         std::to_string(missing) + " of " + std::to_string(count) +
         " arrivals and " + std::to_string(bytes) + " bytes";
}

LogicalResult Concurrency::checkInitialized(Operation *op, Machine &machine,
                                            int thread, const MBarrier &barrier,
                                            bool byCopy) {
  if (!barrier.isInitialized)
    return machine.error(op, thread)
           << "uses " << barrier.name << ", which is not initialised";
  if (machine.program.options.checkRaces &&
      clocks.of(thread).accesses[barrier.initAgent] < barrier.initTime)
    return machine.error(op, thread)
           << "data race: uses " << barrier.name << ", which "
           << clocks.describe(barrier.initAgent)
           << " initialised, with no barrier in between";
  if (machine.program.options.checkRaces && byCopy &&
      (barrier.fenceTime == 0 ||
       clocks.of(thread).accesses[barrier.initAgent] < barrier.fenceTime))
    return machine.error(op, thread)
           << "a copy uses " << barrier.name << ", which "
           << clocks.describe(barrier.initAgent)
           << " initialised, with no fence of that thread in between";
  return success();
}

void Concurrency::fenceInit(int thread) {
  for (auto &[buffer, group] : mbarriers)
    for (MBarrier &barrier : group)
      if (barrier.isInitialized && barrier.initAgent == clocks.getAgent(thread) &&
          barrier.fenceTime == 0)
        barrier.fenceTime = clocks.now(thread);
  clocks.advance(thread);
}

/// Starts the next phase if nothing is missing.
LogicalResult Concurrency::completePhase(Operation *op, MBarrier &barrier) {
  if (barrier.missing == 0 && barrier.bytes < 0)
    return op->emitError() << "phase " << barrier.phase << " of "
                           << barrier.name << " received " << -barrier.bytes
                           << " bytes more than expected";
  scheduler.noteProgress();
  if (barrier.missing > 0 || barrier.bytes > 0)
    return success();
  ++barrier.phase;
  barrier.missing = barrier.count;
  barrier.arriving.accesses.raise(barrier.agent, barrier.phase);
  barrier.completed = barrier.arriving;
  return success();
}

LogicalResult Concurrency::arrive(Operation *op, Machine &machine, int thread,
                                  MBarrier &barrier, int64_t count,
                                  int64_t bytes) {
  if (failed(checkInitialized(op, machine, thread, barrier)))
    return failure();
  if (count > barrier.missing)
    return machine.error(op, thread)
           << "too many arrivals: expected at most " << barrier.missing
           << " more in phase " << barrier.phase << " of " << barrier.name
           << ", got " << count;
  barrier.arriving.join(clocks.of(thread));
  clocks.advance(thread);
  barrier.missing -= count;
  barrier.bytes += bytes;
  return completePhase(op, barrier);
}

LogicalResult Concurrency::receive(Operation *op, MBarrier &barrier,
                                   uint32_t phase, int64_t bytes) {
  if (barrier.phase != phase)
    return op->emitError() << "a copy that started in phase " << phase << " of "
                           << barrier.name << " completes in phase "
                           << barrier.phase;
  barrier.bytes -= bytes;
  return completePhase(op, barrier);
}

LogicalResult Concurrency::arriveAfterCopies(Operation *op, Machine &machine,
                                             int thread, MBarrier &barrier) {
  if (failed(checkInitialized(op, machine, thread, barrier)))
    return failure();
  Workgroup::CopyQueue &queue = machine.workgroup->copies[thread];
  while (!queue.groups.empty())
    machine.finishCopies(thread);
  std::vector<Workgroup::Copy> copies(queue.open.begin(), queue.open.end());
  queue.open.clear();
  Past past = clocks.of(thread);
  Accessor by = machine.accessor(thread);
  clocks.advance(thread);
  scheduler.addTask([op, this, &barrier, copies = std::move(copies), past, by,
                     phase = barrier.phase,
                     &program = machine.program]() -> LogicalResult {
    for (const Workgroup::Copy &copy : copies)
      finishCopy(program, copy, by);
    if (barrier.phase != phase || barrier.missing < 1)
      return op->emitError()
             << "too many arrivals: copies that arrive in phase " << phase
             << " of " << barrier.name << " are done in phase " << barrier.phase
             << ", which misses " << barrier.missing;
    barrier.arriving.join(past);
    --barrier.missing;
    return completePhase(op, barrier);
  });
  return success();
}

void Concurrency::acquire(int thread, const MBarrier &barrier) {
  clocks.of(thread).join(barrier.completed);
}

//===----------------------------------------------------------------------===//
// Barriers of threads
//===----------------------------------------------------------------------===//

/// The threads of `lanes` arrive at `barrier`. Completes it if they are the
/// last ones.
static LogicalResult arriveSubgroup(Operation *op, Machine &machine,
                                    WorkgroupClocks &clocks, NamedBarrier &barrier,
                                    int64_t id, int subgroup,
                                    ArrayRef<int> lanes, bool waits) {
  if (!barrier.subgroups.insert(subgroup).second)
    return machine.error(op, lanes.front())
           << "subgroup " << subgroup << " arrives twice at barrier " << id;
  barrier.arrived += machine.subgroupSize();
  if (barrier.arrived > barrier.threads)
    return machine.error(op, lanes.front())
           << "expected " << barrier.threads << " threads at barrier " << id
           << ", got " << barrier.arrived;
  for (int lane : lanes) {
    barrier.arriving.join(clocks.of(lane));
    clocks.advance(lane);
  }
  if (waits)
    barrier.waiting.append(lanes.begin(), lanes.end());
  if (barrier.arrived < barrier.threads)
    return success();
  for (int thread : barrier.waiting)
    clocks.of(thread).join(barrier.arriving);
  ++machine.statistics->barriers;
  uint32_t generation = barrier.generation + 1;
  barrier = {};
  barrier.generation = generation;
  return success();
}

LogicalResult Concurrency::arrive(Operation *op, Machine &machine, int64_t id,
                                  int64_t threads, bool waits) {
  if (id < 0 || id >= static_cast<int64_t>(barriers.size()))
    return machine.error(op) << "expected a barrier of 0 to 15, got " << id;
  if (threads <= 0 || threads % machine.subgroupSize() != 0)
    return machine.error(op)
           << "expected a positive multiple of " << machine.subgroupSize()
           << " threads, got " << threads;
  NamedBarrier &barrier = barriers[id];
  uint32_t generation = 0;
  LogicalResult arrived = machine.forEachWholeSubgroup(
      op, /*full=*/false, [&](int subgroup, ArrayRef<int> lanes) {
        if (barrier.threads && barrier.threads != threads)
          return LogicalResult(machine.error(op, lanes.front())
                               << "expected " << barrier.threads
                               << " threads at barrier " << id
                               << " as the others do, got " << threads);
        barrier.threads = threads;
        generation = barrier.generation;
        return arriveSubgroup(op, machine, clocks, barrier, id, subgroup, lanes,
                              waits);
      });
  if (failed(arrived))
    return failure();
  scheduler.noteProgress();
  if (!waits)
    return scheduler.mayHandOver(op);
  return scheduler.wait(
      op, [&barrier, generation] { return barrier.generation > generation; },
      [&barrier, id, active = SmallVector<int>(machine.active()),
       where = workgroup.describe()] {
        return describeThreads(active, where) + " at barrier " + std::to_string(id) +
               ", which misses " +
               std::to_string(barrier.threads - barrier.arrived) + " of " +
               std::to_string(barrier.threads) + " threads";
      });
}

void Concurrency::subgroupBarrier(ArrayRef<int> lanes) {
  Past all;
  for (int lane : lanes)
    all.join(clocks.of(lane));
  for (int lane : lanes) {
    clocks.of(lane) = all;
    clocks.advance(lane);
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult Concurrency::checkRegisters(Operation *op, Machine &machine) {
  int warpgroup = machine.firstThread() / kWarpgroup;
  const ProductQueue &queue = products[warpgroup];
  if (queue.isIdle())
    return success();
  // Products check their operands themselves. Regions, branches and calls only
  // pass registers on.
  if (isa<NVVM::WgmmaMmaAsyncOp, vector_ext::AsyncMmaOp, vector_ext::AwaitOp,
          vector_ext::AwaitEarlierOp, RegionBranchOpInterface,
          RegionBranchTerminatorOpInterface, BranchOpInterface,
          CallOpInterface>(op))
    return success();
  for (Value operand : op->getOperands()) {
    RegisterRef reg = machine.getRef(operand);
    if (reg->product && reg->product->group > queue.finished)
      return machine.error(op)
             << "uses the result of a product of warpgroup " << warpgroup
             << " with no wait for it in between";
    for (const auto &[held, group] : queue.operands)
      if (held == reg)
        return machine.error(op)
               << "uses a register that a product of warpgroup " << warpgroup
               << " reads, with no wait for it in between";
  }
  return success();
}

LogicalResult Concurrency::checkEnd(Operation *op, Machine &machine) {
  for (const auto &[buffer, group] : mbarriers)
    for (const MBarrier &barrier : group)
      if (barrier.missing != barrier.count || barrier.bytes != 0)
        return machine.error(op) << "ends in " << barrier.describe();
  for (auto [id, barrier] : llvm::enumerate(barriers))
    if (barrier.arrived > 0)
      return machine.error(op)
             << "ends with " << barrier.arrived << " of " << barrier.threads
             << " threads at barrier " << id;
  for (auto [warpgroup, queue] : llvm::enumerate(products))
    if (!queue.isIdle())
      return machine.error(op) << "ends with products of warpgroup "
                               << warpgroup << " that nothing has waited for";
  for (auto [thread, queue] : llvm::enumerate(bulk))
    if (queue.open > 0 || queue.readGroups < queue.committed)
      return machine.error(op)
             << "ends with stores of thread " << thread
             << (queue.open > 0 ? " that were not committed"
                                : " that nothing has waited for");
  return success();
}
