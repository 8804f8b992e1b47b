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
             vector_ext::AwaitEarlierOp>(op);
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

Concurrency::Concurrency(Program &program, Workgroup &workgroup)
    : workgroup(workgroup),
      clocks(static_cast<int>(workgroup.geometry.numThreads())),
      scheduler(program.options.order, program.options.seed) {
  int64_t numThreads = workgroup.geometry.numThreads();
  int64_t numSubgroups = static_cast<int64_t>(workgroup.subgroupTimes.size());
  int64_t size = program.options.subgroupSize;
  int64_t each =
      std::min(kMaxRegisters, kRegisters / (numSubgroups * size) / 8 * 8);
  registers.assign(numSubgroups, {each, false});
  products.resize(llvm::divideCeil(numThreads, kWarpgroup));
  for (auto [i, queue] : llvm::enumerate(products))
    queue.agent =
        clocks.addAgent("the products of warpgroup " + std::to_string(i));
  bulk.resize(numThreads);
}

Accessor Concurrency::accessor(int thread) const {
  Accessor by;
  by.group = workgroup.number;
  by.thread = by.agent = thread;
  by.clocks = &clocks;
  by.past = &clocks.of(thread);
  by.time = clocks.now(thread);
  by.isEarly = workgroup.isThreadEarly(thread);
  return by;
}

LogicalResult simt::runStrands(Operation *op, Machine &root, Region &body,
                               ArrayRef<RegisterRef> arguments) {
  std::vector<std::unique_ptr<Machine>> machines;
  LogicalResult result = success();
  {
    Concurrency concurrency(root.program, *root.workgroup);
    root.workgroup->concurrency = &concurrency;
    for (int first = 0; first < root.numThreads(); first += kWarpgroup) {
      int count = std::min(kWarpgroup, root.numThreads() - first);
      SmallVector<int> active(count);
      std::iota(active.begin(), active.end(), first);
      machines.push_back(std::make_unique<Machine>(root, first, count, active));
      concurrency.scheduler.addStrand(
          [machine = machines.back().get(), &body, arguments] {
            SmallVector<RegisterRef> results;
            return machine->runRegion(body, arguments, results);
          });
    }
    result = concurrency.scheduler.run();
    if (succeeded(result))
      result = concurrency.checkEnd(op, root);
  }
  root.workgroup->concurrency = nullptr;
  return result;
}

std::string simt::describeThreads(ArrayRef<int> threads) {
  if (threads.size() == 1)
    return "thread " + std::to_string(threads.front()) + " waits";
  return "threads " + std::to_string(threads.front()) + " to " +
         std::to_string(threads.back()) + " wait";
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
      clocks.of(thread).accesses[barrier.initThread] < barrier.initTime)
    return machine.error(op, thread)
           << "data race: uses " << barrier.name << ", which thread "
           << barrier.initThread << " initialised, with no barrier in between";
  if (machine.program.options.checkRaces && byCopy &&
      (barrier.fenceTime == 0 ||
       clocks.of(thread).accesses[barrier.initThread] < barrier.fenceTime))
    return machine.error(op, thread)
           << "a copy uses " << barrier.name << ", which thread "
           << barrier.initThread
           << " initialised, with no fence of that thread in between";
  return success();
}

void Concurrency::fenceInit(int thread) {
  for (auto &[buffer, group] : mbarriers)
    for (MBarrier &barrier : group)
      if (barrier.isInitialized && barrier.initThread == thread &&
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
                                    Clocks &clocks, NamedBarrier &barrier,
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
      [&barrier, id, active = SmallVector<int>(machine.active())] {
        return describeThreads(active) + " at barrier " + std::to_string(id) +
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
