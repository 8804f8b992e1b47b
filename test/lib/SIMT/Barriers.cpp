//===- Barriers.cpp - Barriers of threads, fences and registers -----------===//
//
// The barrier of gpu, and the barriers, fences and setmaxregister of nvvm. In a
// workgroup in lockstep, barriers only count. In one of several strands, they
// wait.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Concurrency.h"
#include "SIMT/Elementwise.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// The threads of the workgroup, in whole subgroups.
static int64_t getAllThreads(Machine &machine) {
  return llvm::alignTo(machine.numThreads(), machine.subgroupSize());
}

/// A barrier of the whole workgroup; on hardware, barrier 0.
template <typename OpT>
static LogicalResult runBarrier(OpT op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (machine.isStrand())
    return machine.concurrency().arrive(op, machine, /*id=*/0,
                                        getAllThreads(machine),
                                        /*waits=*/true);
  if (failed(machine.checkConverged(op)))
    return failure();
  machine.workgroupBarrier();
  return success();
}

/// Runs a barrier with an id and a number of threads, which may both be null.
static LogicalResult runNamedBarrier(Operation *op, Machine &machine, Value id,
                                     Value threads, bool waits) {
  if (failed(requireKernel(op, machine)))
    return failure();
  FailureOr<int64_t> number = 0, count = getAllThreads(machine);
  if (id)
    number = machine.getUniform(op, id, "the barrier");
  if (threads && succeeded(number))
    count = machine.getUniform(op, threads, "the number of threads");
  if (failed(number) || failed(count))
    return failure();
  return machine.concurrency().arrive(op, machine, *number, *count, waits);
}

static LogicalResult runNVVMBarrier(NVVM::BarrierOp op, Machine &machine) {
  if (op.getReductionOp())
    return op.emitError() << "reductions in a barrier are not supported";
  if (!op.getBarrierId() && !op.getNumberOfThreads())
    return runBarrier(op, machine);
  return runNamedBarrier(op, machine, op.getBarrierId(),
                         op.getNumberOfThreads(), /*waits=*/true);
}

static LogicalResult runBarrierArrive(NVVM::BarrierArriveOp op,
                                      Machine &machine) {
  return runNamedBarrier(op, machine, op.getBarrierId(),
                         op.getNumberOfThreads(), /*waits=*/false);
}

/// Fails if the mask does not have all threads of the subgroup.
static LogicalResult checkMask(Operation *op, Machine &machine,
                               const Register &mask, ArrayRef<int> lanes) {
  for (int lane : lanes) {
    uint64_t word = *mask.at(lane) & 0xffffffff;
    uint64_t all = (1ull << lanes.size()) - 1;
    if ((word & all) != all)
      return machine.error(op, lane)
             << "expected a mask of all " << lanes.size()
             << " threads of the subgroup, got " << word;
  }
  return success();
}

static LogicalResult runSyncWarp(NVVM::SyncWarpOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  const Register &mask = machine.get(op.getMask());
  return machine.forEachWholeSubgroup(
      op, /*full=*/false,
      [&](int subgroup, ArrayRef<int> lanes) -> LogicalResult {
        if (failed(checkMask(op, machine, mask, lanes)))
          return failure();
        machine.subgroupBarrier(subgroup, lanes);
        return success();
      });
}

/// Elects the first thread of each subgroup.
static LogicalResult runElect(NVVM::ElectSyncOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  auto elected = machine.make(1, /*uniform=*/false);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/false, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        if (Value mask = op.getMembermask())
          if (failed(checkMask(op, machine, machine.get(mask), lanes)))
            return failure();
        *elected->at(lanes.front()) = 1;
        return success();
      });
  machine.set(op, elected);
  return done;
}

/// Whether the operand is true in all threads of a subgroup.
static LogicalResult runVote(NVVM::VoteSyncOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (op.getKind() != NVVM::VoteSyncKind::all)
    return op.emitError() << "a vote of this kind is not supported";
  auto votes = machine.make(1, /*uniform=*/false);
  const Register &condition = machine.get(op.getPred());
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/false, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        if (failed(checkMask(op, machine, machine.get(op.getMask()), lanes)))
          return failure();
        bool all = llvm::all_of(
            lanes, [&](int lane) { return (*condition.at(lane) & 1) != 0; });
        for (int lane : lanes)
          *votes->at(lane) = all;
        return success();
      });
  machine.set(op, votes);
  return done;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

static LogicalResult runFenceProxy(NVVM::FenceProxyOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  // Ordinary writes to global memory are not followed.
  if (op.getKind() != NVVM::ProxyKind::async &&
      op.getKind() != NVVM::ProxyKind::async_shared &&
      op.getKind() != NVVM::ProxyKind::async_global)
    return op.emitError() << "a fence of this proxy is not supported";
  if (op.getKind() == NVVM::ProxyKind::async_global)
    return success();
  Concurrency &concurrency = machine.concurrency();
  for (int thread : machine.active())
    concurrency.fence(thread);
  return success();
}

static LogicalResult runFenceInit(NVVM::FenceMbarrierInitOp op,
                                  Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  for (int thread : machine.active())
    machine.concurrency().fenceInit(thread);
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Launches run one after the other here; that accesses are behind the wait is
/// checked where they happen.
static LogicalResult runGridControl(NVVM::GriddepcontrolOp op,
                                    Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (op.getKind() == NVVM::GridDepActionKind::wait)
    for (int thread : machine.active())
      machine.workgroup->isEarly[thread] = false;
  return success();
}

/// What one thread says of later launches.
static LogicalResult runPtx(NVVM::InlinePtxOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (op.getPtxCode() == "griddepcontrol.launch_dependents;")
    return success();
  return machine.error(op) << "unknown PTX: '" << op.getPtxCode() << "'";
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// All subgroups of a warpgroup change the number of registers of their
/// threads. An increase waits until others have given back enough.
static LogicalResult runSetMaxRegister(NVVM::SetMaxRegisterOp op,
                                       Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  if (static_cast<int>(machine.active().size()) != machine.numValues())
    return machine.error(op)
           << "divergent: expected the " << machine.numValues()
           << " threads of the warpgroup, got " << machine.active().size();
  int64_t size = machine.subgroupSize(), count = op.getRegCount();
  int64_t begin = machine.firstThread() / size;
  int64_t end = begin + llvm::divideCeil(machine.numValues(), size);
  auto [current, isKnown] = concurrency.registers[begin];
  bool increases = op.getAction() == NVVM::SetMaxRegisterAction::increase;
  if (increases ? isKnown && count < current : count > current)
    return machine.error(op)
           << "expected " << (increases ? "at least" : "at most") << " the "
           << current << " registers that a thread has, got " << count;
  int64_t wanted = (count - current) * size * (end - begin);
  LogicalResult result = concurrency.scheduler.wait(
      op, [&] { return concurrency.freeRegisters >= wanted; },
      [&] {
        return describeThreads(machine.active()) + " at '" +
               op->getName().getStringRef().str() + "' for " +
               std::to_string(wanted) + " registers, of which " +
               std::to_string(concurrency.freeRegisters) + " are free";
      });
  if (failed(result))
    return failure();
  concurrency.freeRegisters -= wanted;
  concurrency.scheduler.noteProgress();
  for (int64_t i = begin; i < end; ++i)
    concurrency.registers[i] = {count, true};
  return success();
}

void simt::populateBarriers(Handlers &handlers) {
  handlers.add<gpu::BarrierOp>(runBarrier<gpu::BarrierOp>);
  // Orders only LDS on hardware: races in global memory are not found here.
  handlers.add<amdgpu::LDSBarrierOp>(runBarrier<amdgpu::LDSBarrierOp>);
  handlers.add<NVVM::Barrier0Op>(runBarrier<NVVM::Barrier0Op>);
  handlers.add<NVVM::BarrierOp>(runNVVMBarrier);
  handlers.add<NVVM::BarrierArriveOp>(runBarrierArrive);
  handlers.add<NVVM::SyncWarpOp>(runSyncWarp);
  handlers.add<NVVM::ElectSyncOp>(runElect);
  handlers.add<NVVM::VoteSyncOp>(runVote);
  handlers.add<NVVM::FenceProxyOp>(runFenceProxy);
  handlers.add<NVVM::FenceMbarrierInitOp>(runFenceInit);
  handlers.add<NVVM::SetMaxRegisterOp>(runSetMaxRegister);
  handlers.add<NVVM::GriddepcontrolOp>(runGridControl);
  handlers.add<NVVM::InlinePtxOp>(runPtx);
}
