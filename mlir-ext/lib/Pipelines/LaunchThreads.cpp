//===- LaunchThreads.cpp - Threads and buffers of a launch ----------------===//
//
// See LaunchThreads.h.
//
//===----------------------------------------------------------------------===//

#include "LaunchThreads.h"
#include "LaunchUse.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::getKernelMark;
using vector_ext::isMarkedAsync;
using vector_ext::VectorExtDialect;

SmallVector<vector::ContractionOp, 2>
mlir::linalg_ext::getOnlyContractions(vector::ContractionOp contract) {
  auto loop = dyn_cast<scf::ForOp>(contract->getParentOp());
  if (!loop)
    return {};
  SmallVector<vector::ContractionOp, 2> contractions;
  for (Operation &op : *loop.getBody()) {
    auto other = dyn_cast<vector::ContractionOp>(op);
    if (!other) {
      bool computes = llvm::any_of(op.getResultTypes(), [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return vector && !vector.getElementType().isInteger(1);
      });
      if (computes && !readsTile(&op))
        return {};
      continue;
    }
    auto carried = dyn_cast<BlockArgument>(other.getAcc());
    if (!carried || carried.getOwner() != loop.getBody() ||
        carried == loop.getInductionVar() || !other->hasOneUse() ||
        loop.getTiedLoopYieldedValue(carried)->get() != other.getResult() ||
        other.getLhs().getParentBlock() != loop.getBody() ||
        other.getRhs().getParentBlock() != loop.getBody())
      return {};
    contractions.push_back(other);
  }
  return contractions;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The registers of a thread that results and operands must leave free: for
/// masks and similar values with their addresses, and for the computations of
/// the loop.
constexpr static int64_t kReadRegisters = 16;

/// The largest number of parts, each of which has a subgroup. Contractions with
/// more batches are not divided into parts.
constexpr static int64_t kMaxParts = 16;

/// Returns the number of batches of `contract`: the product of the sizes of the
/// dimensions that both operands and the result have.
static int64_t getNumParts(vector::ContractionOp contract) {
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  int64_t parts = 1;
  for (size_t dim = 0; dim < bounds.size(); ++dim)
    if (llvm::all_of(contract.getIndexingMapsArray(),
                     [&](AffineMap map) { return map.isFunctionOfDim(dim); }))
      parts *= bounds[dim];
  return parts;
}

/// Returns true if loading operands from outside of the loop again in each
/// iteration costs no time, because products hide the loads from shared memory:
/// at most five loads of 16 x 16 for each eight products of 16 x 8 x 16
/// (docs/Decisions/0010).
static bool canReload(const RegisterUse &use, int64_t numSubgroups) {
  constexpr int64_t kLoaded = 16;
  int64_t rows = use.rows / (kLoaded * numSubgroups),
          columns = use.columns / kLoaded;
  return rows > 0 && columns > 0 &&
         8 * (rows + columns) <= 5 * (2 * rows * columns);
}

/// Returns the number of threads for a launch that has `threads`: doubled while
/// registers would be spilled, as the pass's description says.
static int64_t selectThreads(const RegisterUse &use, int64_t threads,
                             int64_t registers, int64_t maxThreads,
                             const GPUTarget &target) {
  // The other registers are for addresses, the states of rows, and operands.
  auto spills = [&] {
    return use.results > registers * threads ||
           (use.read > 0 &&
            use.results + use.read > (registers - kReadRegisters) * threads);
  };
  while (spills() && 2 * threads <= maxThreads &&
         use.rows % (target.matrixRows * (2 * threads / target.lanes)) == 0)
    threads *= 2;
  return threads;
}

bool mlir::linalg_ext::setThreads(gpu::LaunchOp launch, int64_t &threads,
                                  const GPUTarget &target) {
  bool isAsync = isMarkedAsync(launch);
  RegisterUse use = getRegisterUse(launch, /*countsComputed=*/isAsync);
  if (isAsync && use.results > 0)
    threads = getKernelMark(launch)->threads;
  // Small workgroups, whose subgroups sum parts.
  else if (std::optional<vector_ext::KernelMark> mark = getKernelMark(launch);
           mark && !isAsync && mark->threads > 0)
    threads = std::min(threads, mark->threads);
  const int64_t registers = target.getResultRegisters();
  // This many threads can each have the most registers that a thread can have.
  int64_t maxThreads = llvm::bit_floor<uint64_t>(target.processorRegisters /
                                                 target.threadRegisters);
  threads = selectThreads(use, threads, registers, maxThreads, target);
  // Each part needs a subgroup.
  launch.walk([&](vector::ContractionOp contract) {
    if (int64_t parts = getNumParts(contract); parts <= kMaxParts)
      threads = std::max(threads, target.lanes * parts);
  });
  // With more threads for each row, fewer rows are computed at a time. A cache
  // holds these more easily, and more loads are in flight. A row that is kept
  // in registers takes at most kRowRegisters of a thread.
  constexpr int64_t kRowRegisters = 32;
  ReadUse row = getReadUse(launch);
  while (
      2 * threads <= std::min<int64_t>(target.maxThreads, row.piece / 8) ||
      (2 * threads <= target.maxThreads && row.held > kRowRegisters * threads))
    threads *= 2;
  OpBuilder b(launch);
  launch.getBlockSizeXMutable().set(
      arith::ConstantIndexOp::create(b, launch.getLoc(), threads));
  // Addresses, and computations of the loop, need registers as well.
  return use.results + use.held > (registers - kReadRegisters) * threads &&
         canReload(use, threads / target.lanes);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns true if one buffer for each tile is better than two. This needs
/// loops of several contractions: while one reads its tile, the tile of another
/// one is copied. With many registers for a result, the choice between two
/// buffers costs more registers than the second buffer is worth.
static bool isOneBufferEnough(ArrayRef<vector::ContractionOp> contracts,
                              int64_t threads, const GPUTarget &target) {
  llvm::SmallDenseMap<Operation *, int64_t> numInLoop;
  int64_t most = 0;
  for (vector::ContractionOp contract : contracts) {
    auto type = dyn_cast<VectorType>(contract.getResultType());
    if (auto loop = contract->getParentOfType<scf::ForOp>(); loop && type) {
      most = std::max(most, getNumWords(type));
      ++numInLoop[loop];
    }
  }
  return most > target.bufferedResults * threads &&
         llvm::all_of(numInLoop,
                      [](const auto &entry) { return entry.second > 1; });
}

/// Returns the number of buffers, one or two, for each tile that `contracts`,
/// which have configs, copy in a loop. It is two, unless one is enough, or
/// unless a second buffer would reduce the number of workgroups that run on a
/// processor at a time: registers allow more of them than shared memory would.
static int64_t
selectBuffersBesideOthers(ArrayRef<vector::ContractionOp> contracts,
                          int64_t threads, const GPUTarget &target) {
  if (isOneBufferEnough(contracts, threads, target))
    return 1;
  // Assume that a thread uses all registers that it may have.
  int64_t workgroups = std::max<int64_t>(
      target.processorRegisters / (target.threadRegisters * threads), 1);
  int64_t one = 0, two = 0;
  for (auto &[loop, use] : getSharedUse(contracts)) {
    one = std::max(one, use.held + use.copied);
    two = std::max(two, use.held + 2 * use.copied);
  }
  return workgroups * two > target.sharedBytes &&
                 workgroups * one <= target.sharedBytes
             ? 1
             : 2;
}

int64_t
mlir::linalg_ext::selectBuffers(ArrayRef<vector::ContractionOp> contracts,
                                int64_t threads, int64_t maxBuffers,
                                bool isFull, const GPUTarget &target) {
  int64_t beside = selectBuffersBesideOthers(contracts, threads, target);
  int64_t buffers = 0;
  for (vector::ContractionOp contract : contracts) {
    if (!contract->hasAttr(VectorExtDialect::getConfigAttrName()) ||
        !contract->getParentOfType<scf::ForOp>())
      continue;
    int64_t here = beside;
    int64_t products = 0, bytes = 0, results = 0;
    llvm::SmallDenseSet<Value> operands;
    for (vector::ContractionOp other : getOnlyContractions(contract)) {
      SmallVector<int64_t> bounds;
      other.getIterationBounds(bounds);
      int64_t all = 1;
      for (int64_t bound : bounds)
        all *= bound;
      products += all;
      results += getNumWords(cast<VectorType>(other.getResultType()));
      for (Value operand : {other.getLhs(), other.getRhs()})
        if (operands.insert(operand).second)
          bytes += 4 * getNumWords(cast<VectorType>(operand.getType()));
    }
    if (products > 0) {
      int64_t cycles = std::max<int64_t>(products / target.matrixProducts, 1);
      here = 1 + llvm::divideCeil(target.memoryLatency, cycles);
      // A workgroup that has half of the registers of a processor runs there
      // alone.
      bool isBesideOthers = results < target.processorRegisters / 2;
      if (isBesideOthers && isFull)
        here =
            std::min(here, std::max<int64_t>(1 + target.copyBytes / bytes, 2));
      int64_t shared =
          isBesideOthers ? target.sharedBytes / 2 : target.sharedBytes;
      here = std::min(here, std::max<int64_t>(shared / bytes, 2));
    }
    buffers = buffers == 0 ? here : std::min(buffers, here);
  }
  buffers = std::clamp<int64_t>(buffers, 1, maxBuffers);
  for (auto &[loop, use] : getSharedUse(contracts))
    while (buffers > 1 && use.held + buffers * use.copied > target.sharedBytes)
      --buffers;
  return buffers;
}
