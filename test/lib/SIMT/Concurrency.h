//===- Concurrency.h - Workgroups of several strands ------------*- C++ -*-===//
//
// A kernel with mbarriers, barriers of a part of its threads, TMA, wgmma or
// clusters runs as several strands, one for each warpgroup. Those of all
// workgroups of a cluster run together. A branch that warps take in
// different ways splits a strand until its end, if there are barriers in it.
// Within a strand, threads run in lockstep. Here is what strands share: clocks,
// barriers, products and registers.
//
// An asynchronous copy is recorded as an access when it starts. Whoever
// accesses its bytes has to have waited for its barrier. Its data and its bytes
// arrive when the scheduler wants it.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_CONCURRENCY_H
#define LINALG_EXT_TEST_LIB_SIMT_CONCURRENCY_H

#include "SIMT/Clocks.h"
#include "SIMT/Machine.h"
#include "SIMT/Scheduler.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext::simt {

/// An mbarrier.
struct MBarrier {
  std::string name;
  bool isInitialized = false;
  int64_t count = 0;   ///< Arrivals of a phase.
  int64_t missing = 0; ///< Arrivals that the phase misses.
  int64_t bytes = 0;   ///< Bytes that the phase expects and has not received.
  uint32_t phase = 0;  ///< The phase that is not complete.
  Past arriving, completed;
  /// The copies that complete here, as an agent whose time is the phase + 1.
  int32_t agent = -1;
  /// When which agent initialised it, and made that visible to copies.
  int32_t initAgent = 0;
  uint32_t initTime = 0, fenceTime = 0;

  /// Says what the phase misses.
  std::string describe() const;
};

/// A barrier of nvvm.barrier.
struct NamedBarrier {
  int64_t threads = 0; ///< 0 if nobody has arrived.
  int64_t arrived = 0;
  uint32_t generation = 0;
  Past arriving;
  SmallVector<int> waiting;
  llvm::SmallDenseSet<int> subgroups;
};

/// The asynchronous products of a warpgroup.
struct ProductQueue {
  /// The products, as an agent whose time is the number of the group + 1.
  int32_t agent = -1;
  /// Groups that were committed, and that were waited for.
  uint32_t committed = 0, finished = 0;
  bool hasOpen = false; ///< Products that are in no group yet.
  /// The number of executed ops at the last wgmma.fence.
  std::optional<uint64_t> fence;
  /// The register operands of the products, with their groups.
  SmallVector<std::pair<RegisterRef, uint32_t>> operands;

  bool isIdle() const { return !hasOpen && finished == committed; }
};

/// The stores of boxes by a thread.
struct BulkQueue {
  /// The reads of workgroup memory and the writes of global memory, as agents
  /// whose time is the number of the group + 1.
  int32_t reads = -1, writes = -1;
  int64_t open = 0;
  /// Groups that were committed, and whose reads were waited for.
  uint32_t committed = 0, readGroups = 0;
  /// Stores of each group that have not happened.
  std::vector<int64_t> pending = {0};
};

struct Concurrency;

/// The workgroups of a cluster, or one that is in none. Their numbers in it are
/// along x first.
struct Cluster {
  Cluster(Program &program, const Geometry &geometry, int64_t count)
      : clocks(static_cast<int>(geometry.numThreads()),
               static_cast<int>(count)),
        scheduler(program.options.order, program.options.seed) {}

  /// The active threads of `machine` arrive at the barrier of all threads of
  /// the cluster, and wait.
  LogicalResult arriveAndWait(Operation *op, Machine &machine);
  /// Notes that `agent`, at its time `time`, accesses the memory of workgroup
  /// `target` for `by`. That workgroup must not end before.
  void noteAccess(Operation *op, const Concurrency &by, int64_t target,
                  int32_t agent, uint32_t time);
  /// Fails if a workgroup may have ended before another one has accessed its
  /// memory.
  LogicalResult checkEnd() const;

  SmallVector<Concurrency *> workgroups;
  Clocks clocks;
  /// The last member: its end ends the strands.
  Scheduler scheduler;

private:
  // The barrier.
  int64_t arrived = 0;
  uint32_t generation = 0;
  Past arriving;
  SmallVector<int32_t> waiting;
  /// The last access of each agent to the memory of each workgroup.
  std::map<std::pair<int64_t, int32_t>, std::pair<uint32_t, Operation *>>
      accesses;
};

struct Concurrency {
  Concurrency(Program &program, Workgroup &workgroup, Cluster &cluster);

  Accessor accessor(int thread) const;

  // mbarriers. The key is the number of the buffer.
  llvm::DenseMap<int64_t, std::vector<MBarrier>> mbarriers;
  /// Arrives `count` times, and expects `bytes` more bytes.
  LogicalResult arrive(Operation *op, Machine &machine, int thread,
                       MBarrier &barrier, int64_t count, int64_t bytes);
  /// Bytes of a copy, which started in phase `phase`, arrive.
  LogicalResult receive(Operation *op, MBarrier &barrier, uint32_t phase,
                        int64_t bytes);
  /// Arrives once the copies that `thread` has started (cp.async) are done.
  LogicalResult arriveAfterCopies(Operation *op, Machine &machine, int thread,
                                  MBarrier &barrier);
  /// `thread` has seen that a phase is complete.
  void acquire(int thread, const MBarrier &barrier);
  /// Fails if the thread, or a copy that it starts, may not see that the
  /// barrier is initialised.
  LogicalResult checkInitialized(Operation *op, Machine &machine, int thread,
                                 const MBarrier &barrier, bool byCopy = false);
  /// Makes the mbarriers that `thread` has initialised visible to copies.
  void fenceInit(int thread);
  /// Makes them and the writes of `thread` visible to the asynchronous proxy.
  void fence(int thread) {
    fenceInit(thread);
    clocks.fence(thread);
  }

  // Barriers of nvvm.barrier.
  std::array<NamedBarrier, 16> barriers;
  /// Whole subgroups arrive, and wait if `waits`.
  LogicalResult arrive(Operation *op, Machine &machine, int64_t barrier,
                       int64_t threads, bool waits);
  void subgroupBarrier(ArrayRef<int> lanes);

  // Products and stores.
  std::vector<ProductQueue> products;
  std::vector<BulkQueue> bulk;
  /// Fails if the op uses the result or an operand of an open product.
  LogicalResult checkRegisters(Operation *op, Machine &machine);

  // Registers of a thread, by subgroup, and those that no thread has. A launch
  // gives each thread at most its share, so that the number is only a bound
  // before the first setmaxregister (false).
  std::vector<std::pair<int64_t, bool>> registers;
  int64_t freeRegisters = 0;

  /// Fails if something is not complete at the end of the kernel.
  LogicalResult checkEnd(Operation *op, Machine &machine);

  /// What the strands have allocated in workgroup memory, by op and by the
  /// number of times that a strand has executed it.
  llvm::DenseMap<Operation *, std::vector<RegisterRef>> allocations;

  /// The number of the buffer that workgroup `number` of the cluster has where
  /// this one has `buffer`, in workgroup memory. Fails, with an error, if it has
  /// none yet.
  FailureOr<int64_t> getBufferOf(Operation *op, Machine &machine, int thread,
                                 int64_t number, int64_t buffer) const;
  /// The barrier that workgroup `number` of the cluster has where this one has
  /// barrier `index` of the group `buffer`.
  FailureOr<MBarrier *> getMBarrierOf(Operation *op, Machine &machine,
                                      int thread, int64_t number,
                                      int64_t buffer, int64_t index) const;

  Workgroup &workgroup;
  Cluster &cluster;
  WorkgroupClocks clocks;
  Scheduler &scheduler;

private:
  LogicalResult completePhase(Operation *op, MBarrier &barrier);
};

/// Whether `region`, or a function called there, has ops that need strands, or,
/// if `withBarriers`, any barrier.
bool hasConcurrentOps(Region &region, SymbolTableCollection &symbols,
                      bool withBarriers = false);

/// Runs the body of a kernel as several strands, for all workgroups of a
/// cluster, or for one. `roots` are their machines.
LogicalResult runStrands(Operation *op,
                         ArrayRef<std::unique_ptr<Machine>> roots, Region &body,
                         ArrayRef<SmallVector<RegisterRef>> arguments);

/// Calls `body` for the warpgroup of the active threads, which must be whole.
LogicalResult
forWholeWarpgroup(Operation *op, Machine &machine,
                  llvm::function_ref<LogicalResult(ProductQueue &)> body);

/// "threads 0 to 127", and `where`.
std::string describeThreads(ArrayRef<int> threads,
                            const std::string &where = "");

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_CONCURRENCY_H
