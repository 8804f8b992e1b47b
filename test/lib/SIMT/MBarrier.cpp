//===- MBarrier.cpp - The mbarriers of nvgpu ------------------------------===//
//
// Written from the PTX ISA's description of mbarrier objects. The phases of a
// barrier are numbered from 0. A phase is complete when all its arrivals and
// bytes are there. Waiting for a parity is waiting until the phase that is not
// complete has the other one.
//
//===----------------------------------------------------------------------===//

#include "SIMT/MBarrier.h"

#include "SIMT/Elementwise.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// Makes the barriers when the first strand gets here.
static LogicalResult runCreate(nvgpu::MBarrierCreateOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  auto [it, isNew] = machine.workgroup->globals.try_emplace(op, 0);
  Concurrency &concurrency = machine.concurrency();
  if (isNew) {
    Memory &memory = machine.program.memory;
    int64_t count = op.getType().getNumBarriers();
    int64_t member = machine.workgroup->member;
    it->second = memory.allocate(MemorySpace::Workgroup, 8 * count,
                                 /*alignment=*/8, /*initialized=*/false,
                                 member);
    if (memory.getWorkgroupBytes(member) > machine.program.options.maxWorkgroupBytes)
      return machine.error(op)
             << "expected at most " << machine.program.options.maxWorkgroupBytes
             << " bytes of workgroup memory, got "
             << memory.getWorkgroupBytes(member);
    size_t group = concurrency.mbarriers.size();
    std::vector<MBarrier> &barriers = concurrency.mbarriers[it->second];
    barriers.resize(count);
    for (auto [i, barrier] : llvm::enumerate(barriers)) {
      barrier.name = "mbarrier " + std::to_string(i) + " of group " +
                     std::to_string(group) + machine.workgroup->describe();
      barrier.agent =
          concurrency.clocks.addAgent("the copies of " + barrier.name);
    }
  }
  machine.set(op, machine.constant({static_cast<uint64_t>(it->second)}));
  return success();
}

FailureOr<MBarrier *> simt::getMBarrier(Operation *op, Machine &machine,
                                        int thread, Value barriers,
                                        Value index) {
  auto it = machine.concurrency().mbarriers.find(
      machine.get(barriers).signedAt(thread));
  if (it == machine.concurrency().mbarriers.end())
    return machine.error(op, thread) << "uses what is not an mbarrier";
  int64_t at = machine.get(index).signedAt(thread);
  int64_t size = static_cast<int64_t>(it->second.size());
  if (at < 0 || at >= size)
    return machine.error(op, thread)
           << "out of bounds: expected an mbarrier of at least 0 and less than "
           << size << ", got " << at;
  return &it->second[at];
}

bool simt::isPredicated(Machine &machine, Value predicate, int thread) {
  return !predicate || *machine.get(predicate).at(thread);
}

static LogicalResult runGet(nvgpu::MBarrierGetOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  auto address = machine.make(1, /*uniform=*/false);
  for (int thread : machine.active()) {
    if (failed(
            getMBarrier(op, machine, thread, op.getBarriers(), op.getMbarId())))
      return failure();
    *address->at(thread) =
        machine.program.memory
            .get(machine.get(op.getBarriers()).signedAt(thread))
            .address +
        8 * machine.get(op.getMbarId()).signedAt(thread);
  }
  machine.set(op, address);
  return success();
}

static LogicalResult runInit(nvgpu::MBarrierInitOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  WorkgroupClocks &clocks = machine.concurrency().clocks;
  for (int thread : machine.active()) {
    if (!isPredicated(machine, op.getPredicate(), thread))
      continue;
    FailureOr<MBarrier *> barrier =
        getMBarrier(op, machine, thread, op.getBarriers(), op.getMbarId());
    if (failed(barrier))
      return failure();
    int64_t count = machine.get(op.getCount()).signedAt(thread);
    if ((*barrier)->isInitialized)
      return machine.error(op, thread)
             << "initialises " << (*barrier)->name << " twice";
    if (count < 1 || count >= 1 << 20)
      return machine.error(op, thread)
             << "expected a count of 1 to 1048575, got " << count;
    (*barrier)->isInitialized = true;
    (*barrier)->count = (*barrier)->missing = count;
    (*barrier)->initAgent = clocks.getAgent(thread);
    (*barrier)->initTime = clocks.now(thread);
    clocks.advance(thread);
  }
  return machine.concurrency().scheduler.mayHandOver(op);
}

/// Each active thread arrives. A token is the number of the phase.
static LogicalResult arriveAll(Operation *op, Machine &machine, Value barriers,
                               Value index, Value count, Value bytes,
                               Value predicate) {
  if (failed(requireKernel(op, machine)))
    return failure();
  auto token = machine.make(1, /*uniform=*/false);
  for (int thread : machine.active()) {
    if (!isPredicated(machine, predicate, thread))
      continue;
    FailureOr<MBarrier *> barrier =
        getMBarrier(op, machine, thread, barriers, index);
    if (failed(barrier))
      return failure();
    *token->at(thread) = (*barrier)->phase;
    int64_t number = count ? machine.get(count).signedAt(thread) : 1;
    int64_t expected = bytes ? machine.get(bytes).signedAt(thread) : 0;
    if (number < 1)
      return machine.error(op, thread)
             << "expected a count of at least 1, got " << number;
    if (expected < 0 || expected >= 1 << 20)
      return machine.error(op, thread)
             << "expected 0 to 1048575 bytes, got " << expected;
    if (count && number >= (*barrier)->missing)
      return machine.error(op, thread)
             << "expected less than the " << (*barrier)->missing
             << " arrivals that phase " << (*barrier)->phase << " of "
             << (*barrier)->name << " misses, got " << number;
    if (failed(machine.concurrency().arrive(op, machine, thread, **barrier,
                                            number, expected)))
      return failure();
  }
  if (op->getNumResults())
    machine.set(op->getResult(0), token);
  return machine.concurrency().scheduler.mayHandOver(op);
}

/// Each thread with the condition arrives at a barrier of a workgroup of the
/// cluster.
static LogicalResult runClusterArrive(vector_ext::ClusterArriveOp op,
                                      Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  for (int thread : machine.active()) {
    if (!isPredicated(machine, op.getCondition(), thread))
      continue;
    // The barrier exists here, too.
    FailureOr<MBarrier *> own =
        getMBarrier(op, machine, thread, op.getBarriers(), op.getIndex());
    if (failed(own))
      return failure();
    int64_t number = machine.get(op.getWorkgroup()).signedAt(thread);
    FailureOr<MBarrier *> barrier = concurrency.getMBarrierOf(
        op, machine, thread, number,
        machine.get(op.getBarriers()).signedAt(thread),
        machine.get(op.getIndex()).signedAt(thread));
    if (failed(barrier))
      return failure();
    concurrency.cluster.noteAccess(op, concurrency, number,
                                   concurrency.clocks.getAgent(thread),
                                   concurrency.clocks.now(thread));
    if (failed(concurrency.arrive(op, machine, thread, **barrier, /*count=*/1,
                                  /*bytes=*/0)))
      return failure();
  }
  return concurrency.scheduler.mayHandOver(op);
}

static LogicalResult runClusterBarrier(vector_ext::ClusterBarrierOp op,
                                       Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  return machine.concurrency().cluster.arriveAndWait(op, machine);
}

static LogicalResult runArrive(nvgpu::MBarrierArriveOp op, Machine &machine) {
  return arriveAll(op, machine, op.getBarriers(), op.getMbarId(), {}, {}, {});
}

static LogicalResult runArriveNoComplete(nvgpu::MBarrierArriveNoCompleteOp op,
                                         Machine &machine) {
  return arriveAll(op, machine, op.getBarriers(), op.getMbarId(), op.getCount(),
                   {}, {});
}

static LogicalResult runExpect(nvgpu::MBarrierArriveExpectTxOp op,
                               Machine &machine) {
  return arriveAll(op, machine, op.getBarriers(), op.getMbarId(), {},
                   op.getTxcount(), op.getPredicate());
}

/// Waits until all active threads see the phase of their parity complete.
static LogicalResult runTryWait(nvgpu::MBarrierTryWaitParityOp op,
                                Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  SmallVector<std::tuple<int, const MBarrier *, uint64_t>> waits;
  const Register &parity = machine.get(op.getPhaseParity());
  for (int thread : machine.active()) {
    FailureOr<MBarrier *> barrier =
        getMBarrier(op, machine, thread, op.getBarriers(), op.getMbarId());
    if (failed(barrier) ||
        failed(concurrency.checkInitialized(op, machine, thread, **barrier)))
      return failure();
    waits.push_back({thread, *barrier, *parity.at(thread) & 1});
  }
  auto isComplete = [](const MBarrier &barrier, uint64_t parity) {
    return (barrier.phase & 1) != parity;
  };
  auto isReady = [&] {
    return llvm::all_of(waits, [&](const auto &wait) {
      return isComplete(*std::get<1>(wait), std::get<2>(wait));
    });
  };
  auto describe = [&] {
    std::string text =
        describeThreads(machine.active(), machine.workgroup->describe()) +
        " for a phase of parity ";
    for (auto [thread, barrier, wanted] : waits)
      if (!isComplete(*barrier, wanted))
        return text + std::to_string(wanted) + " in " + barrier->describe();
    return text;
  };
  if (failed(concurrency.scheduler.wait(op, isReady, describe)))
    return failure();
  for (auto [thread, barrier, wanted] : waits)
    concurrency.acquire(thread, *barrier);
  return success();
}

/// Says whether the phase of the token is complete.
static LogicalResult runTestWait(nvgpu::MBarrierTestWaitOp op,
                                 Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  auto result = machine.make(1, /*uniform=*/false);
  const MBarrier *open = nullptr;
  for (int thread : machine.active()) {
    FailureOr<MBarrier *> barrier =
        getMBarrier(op, machine, thread, op.getBarriers(), op.getMbarId());
    if (failed(barrier) ||
        failed(concurrency.checkInitialized(op, machine, thread, **barrier)))
      return failure();
    bool isComplete =
        *machine.get(op.getToken()).at(thread) < (*barrier)->phase;
    *result->at(thread) = isComplete;
    if (isComplete)
      concurrency.acquire(thread, **barrier);
    else
      open = *barrier;
  }
  machine.set(op, result);
  if (!open)
    return success();
  return concurrency.scheduler.poll(op, [&machine, open] {
    return describeThreads(machine.active()) + " in a loop for " +
           open->describe();
  });
}

/// The mbarrier at an address.
static FailureOr<MBarrier *> getMBarrierAt(Operation *op, Machine &machine,
                                           int thread, Value address) {
  int64_t at = machine.get(address).signedAt(thread);
  for (auto &[buffer, group] : machine.concurrency().mbarriers) {
    int64_t offset = at - machine.program.memory.get(buffer).address;
    if (offset >= 0 && offset % 8 == 0 &&
        offset / 8 < static_cast<int64_t>(group.size()))
      return &group[offset / 8];
  }
  return machine.error(op, thread) << "uses what is not an mbarrier";
}

/// With noinc, the count of the mbarrier has these arrivals. Each thread arrives once
/// all cp.async that it has started before are done.
static LogicalResult runArriveAfterCopies(NVVM::CpAsyncMBarrierArriveOp op,
                                          Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (!op.getNoinc())
    return op.emitError() << "without noinc is not supported";
  for (int thread : machine.active()) {
    FailureOr<MBarrier *> barrier =
        getMBarrierAt(op, machine, thread, op.getAddr());
    if (failed(barrier) || failed(machine.concurrency().arriveAfterCopies(
                               op, machine, thread, **barrier)))
      return failure();
  }
  return machine.concurrency().scheduler.mayHandOver(op);
}

static LogicalResult runIntToPtr(LLVM::IntToPtrOp op, Machine &machine) {
  machine.set(op, machine.getRef(op.getArg()));
  return success();
}

void simt::populateMBarriers(Handlers &handlers) {
  handlers.add<NVVM::CpAsyncMBarrierArriveOp>(runArriveAfterCopies);
  handlers.add<LLVM::IntToPtrOp>(runIntToPtr);
  handlers.add<vector_ext::ClusterArriveOp>(runClusterArrive);
  handlers.add<vector_ext::ClusterBarrierOp>(runClusterBarrier);
  handlers.add<nvgpu::MBarrierCreateOp>(runCreate);
  handlers.add<nvgpu::MBarrierGetOp>(runGet);
  handlers.add<nvgpu::MBarrierInitOp>(runInit);
  handlers.add<nvgpu::MBarrierArriveOp>(runArrive);
  handlers.add<nvgpu::MBarrierArriveNoCompleteOp>(runArriveNoComplete);
  handlers.add<nvgpu::MBarrierArriveExpectTxOp>(runExpect);
  handlers.add<nvgpu::MBarrierTryWaitParityOp>(runTryWait);
  handlers.add<nvgpu::MBarrierTestWaitOp>(runTestWait);
}
