//===- GPU.cpp - Launches, ids and shuffles -------------------------------===//
//
// Ops of gpu, but its barrier.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Combine.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static gpu::KernelDim3 getClusterSize(gpu::LaunchOp op) {
  return *op.getClusterSizeOperandValues();
}
static gpu::KernelDim3 getClusterSize(gpu::LaunchFuncOp op) {
  return op.getClusterSizeOperandValues();
}

template <typename OpT>
static FailureOr<Geometry> getGeometry(OpT op, Machine &host) {
  Geometry geometry;
  gpu::KernelDim3 grid = op.getGridSizeOperandValues();
  gpu::KernelDim3 block = op.getBlockSizeOperandValues();
  auto size = [&](Value value) { return host.get(value).signedAt(0); };
  geometry.grid = {size(grid.x), size(grid.y), size(grid.z)};
  geometry.block = {size(block.x), size(block.y), size(block.z)};
  if (op.hasClusterSize()) {
    gpu::KernelDim3 cluster = getClusterSize(op);
    geometry.cluster = {size(cluster.x), size(cluster.y), size(cluster.z)};
  }
  return geometry;
}

template <typename OpT>
static int64_t getDynamicBytes(OpT op, Machine &host) {
  Value size = op.getDynamicSharedMemorySize();
  return size ? host.get(size).signedAt(0) : 0;
}

/// Launches happen at once, so that a token means nothing.
static void setTokens(Operation *op, Machine &machine) {
  for (Value result : op->getResults())
    machine.set(result, machine.constant({0}));
}

std::shared_ptr<Register> simt::makeThreadId(Machine &machine, int dim) {
  auto id = machine.make(1, /*uniform=*/false);
  const std::array<int64_t, 3> &block = machine.geometry.block;
  int64_t divisor = dim == 0 ? 1 : dim == 1 ? block[0] : block[0] * block[1];
  int begin = machine.firstThread(), end = begin + machine.numValues();
  for (int thread = begin; thread < end; ++thread)
    *id->at(thread) = thread / divisor % block[dim];
  return id;
}

static RegisterRef constant(Machine &machine, int64_t value) {
  return machine.constant({static_cast<uint64_t>(value)});
}

/// Memory of a workgroup's or a thread's own, as block arguments.
static LogicalResult
addAttributions(Operation *op, Machine &machine,
                ArrayRef<BlockArgument> attributions,
                llvm::function_ref<int64_t(unsigned)> alignment,
                SmallVectorImpl<RegisterRef> &arguments) {
  for (auto [i, argument] : llvm::enumerate(attributions)) {
    FailureOr<RegisterRef> memref =
        machine.allocate(op, cast<MemRefType>(argument.getType()), {},
                         alignment(i), /*inKernelDefault=*/true);
    if (failed(memref))
      return failure();
    arguments.push_back(*memref);
  }
  return success();
}

static LogicalResult runLaunch(gpu::LaunchOp op, Machine &host) {
  if (!host.isHost())
    return op.emitError() << "a launch within a kernel is not supported";
  FailureOr<Geometry> geometry = getGeometry(op, host);
  if (failed(geometry))
    return failure();
  std::string name;
  if (std::optional<StringRef> function = op.getFunction())
    name = function->str();
  else
    name = op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()
               ->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName())
               .str();
  setTokens(op, host);
  return launch(
      op, host, name, *geometry, getDynamicBytes(op, host), op.getBody(),
      [&](Machine &machine) -> FailureOr<SmallVector<RegisterRef>> {
        SmallVector<RegisterRef> arguments;
        for (int64_t id : machine.geometry.id)
          arguments.push_back(constant(machine, id));
        for (int dim : {0, 1, 2})
          arguments.push_back(makeThreadId(machine, dim));
        for (int64_t size : machine.geometry.grid)
          arguments.push_back(constant(machine, size));
        for (int64_t size : machine.geometry.block)
          arguments.push_back(constant(machine, size));
        // The numbers of the cluster and of all clusters, as outlining has it.
        if (op.hasClusterSize()) {
          for (auto [id, size] :
               llvm::zip_equal(machine.geometry.id, machine.geometry.cluster))
            arguments.push_back(constant(machine, id / size));
          for (auto [grid, size] :
               llvm::zip_equal(machine.geometry.grid, machine.geometry.cluster))
            arguments.push_back(constant(machine, grid / size));
        }
        auto alignment = [](unsigned) { return 16; };
        if (failed(addAttributions(op, machine, op.getWorkgroupAttributions(),
                                   alignment, arguments)) ||
            failed(addAttributions(op, machine, op.getPrivateAttributions(),
                                   alignment, arguments)))
          return failure();
        return arguments;
      });
}

static LogicalResult runLaunchFunc(gpu::LaunchFuncOp op, Machine &host) {
  if (!host.isHost())
    return op.emitError() << "a launch within a kernel is not supported";
  FailureOr<Geometry> geometry = getGeometry(op, host);
  if (failed(geometry))
    return failure();
  auto kernel = host.program.symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      op, op.getKernelAttr());
  if (!kernel || kernel.getBody().empty())
    return op.emitError() << "no gpu.func " << op.getKernelAttr();
  ArrayRef<int32_t> known =
      kernel.getKnownBlockSize().value_or(ArrayRef<int32_t>());
  for (auto [dim, size] : llvm::enumerate(known))
    if (size != geometry->block[dim])
      return op.emitError()
             << "expected a workgroup of size " << size << " along dimension "
             << dim << ", got " << geometry->block[dim];
  setTokens(op, host);
  return launch(op, host, kernel.getName(), *geometry,
                getDynamicBytes(op, host), kernel.getBody(),
                [&](Machine &machine) -> FailureOr<SmallVector<RegisterRef>> {
                  SmallVector<RegisterRef> arguments;
                  for (unsigned i = 0; i < op.getNumKernelOperands(); ++i)
                    arguments.push_back(host.getRef(op.getKernelOperand(i)));
                  auto alignment = [&](unsigned i) -> int64_t {
                    auto attribute = dyn_cast_or_null<IntegerAttr>(
                        kernel.getWorkgroupAttributionAttr(i, "llvm.align"));
                    return attribute ? attribute.getInt() : 16;
                  };
                  if (failed(addAttributions(op, machine,
                                             kernel.getWorkgroupAttributions(),
                                             alignment, arguments)) ||
                      failed(addAttributions(
                          op, machine, kernel.getPrivateAttributions(),
                          [](unsigned) { return 16; }, arguments)))
                    return failure();
                  return arguments;
                });
}

static LogicalResult runWait(gpu::WaitOp op, Machine &machine) {
  setTokens(op, machine);
  return success();
}

static LogicalResult runAlloc(gpu::AllocOp op, Machine &machine) {
  FailureOr<RegisterRef> memref =
      machine.allocate(op, op.getType(), op.getDynamicSizes(),
                       /*alignment=*/256, /*inKernelDefault=*/false);
  if (failed(memref))
    return failure();
  setTokens(op, machine);
  machine.set(op.getMemref(), *memref);
  return success();
}

static LogicalResult runDealloc(gpu::DeallocOp op, Machine &machine) {
  const Register &memref = machine.get(op.getMemref());
  View view(memref.at(0), memref.width);
  if (machine.program.memory.get(view.buffer()).freed)
    return op.emitError() << "deallocates twice";
  machine.program.memory.release(view.buffer());
  setTokens(op, machine);
  return success();
}

static LogicalResult runMemcpy(gpu::MemcpyOp op, Machine &machine) {
  setTokens(op, machine);
  return copyMemRef(op, machine, op.getSrc(), op.getDst());
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

static LogicalResult runThreadId(gpu::ThreadIdOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  machine.set(op, makeThreadId(machine, static_cast<int>(op.getDimension())));
  return success();
}

static LogicalResult runGlobalId(gpu::GlobalIdOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  int dim = static_cast<int>(op.getDimension());
  auto id = makeThreadId(machine, dim);
  for (uint64_t &word : id->words)
    word += machine.geometry.id[dim] * machine.geometry.block[dim];
  machine.set(op, id);
  return success();
}

/// A size or an id that is the same for all threads.
template <typename OpT>
static void addUniform(Handlers &handlers,
                       int64_t (*value)(OpT, Machine &machine)) {
  handlers.add(TypeID::get<OpT>(),
               [value](Operation *op, Machine &machine) -> LogicalResult {
                 if (failed(requireKernel(op, machine)))
                   return failure();
                 machine.set(op->getResult(0),
                             constant(machine, value(cast<OpT>(op), machine)));
                 return success();
               });
}

/// An id computed from the number of a thread in its workgroup.
template <typename OpT>
static void addPerThread(Handlers &handlers, int64_t (*value)(int, int)) {
  handlers.add(TypeID::get<OpT>(),
               [value](Operation *op, Machine &machine) -> LogicalResult {
                 if (failed(requireKernel(op, machine)))
                   return failure();
                 auto id = machine.make(1, /*uniform=*/false);
                 int begin = machine.firstThread();
                 for (int i = 0; i < machine.numValues(); ++i)
                   *id->at(begin + i) =
                       value(begin + i, machine.subgroupSize());
                 machine.set(op->getResult(0), id);
                 return success();
               });
}

static void populateIds(Handlers &handlers) {
  handlers.add<gpu::ThreadIdOp>(runThreadId);
  handlers.add<gpu::GlobalIdOp>(runGlobalId);
  addUniform<gpu::BlockIdOp>(handlers, [](gpu::BlockIdOp op, Machine &m) {
    return m.geometry.id[static_cast<int>(op.getDimension())];
  });
  addUniform<gpu::BlockDimOp>(handlers, [](gpu::BlockDimOp op, Machine &m) {
    return m.geometry.block[static_cast<int>(op.getDimension())];
  });
  addUniform<gpu::GridDimOp>(handlers, [](gpu::GridDimOp op, Machine &m) {
    return m.geometry.grid[static_cast<int>(op.getDimension())];
  });
  addUniform<gpu::ClusterIdOp>(handlers, [](gpu::ClusterIdOp op, Machine &m) {
    int dim = static_cast<int>(op.getDimension());
    return m.geometry.id[dim] / m.geometry.cluster[dim];
  });
  addUniform<gpu::ClusterDimOp>(handlers, [](gpu::ClusterDimOp op, Machine &m) {
    int dim = static_cast<int>(op.getDimension());
    return m.geometry.grid[dim] / m.geometry.cluster[dim];
  });
  addUniform<gpu::ClusterBlockIdOp>(
      handlers, [](gpu::ClusterBlockIdOp op, Machine &m) {
        int dim = static_cast<int>(op.getDimension());
        return m.geometry.id[dim] % m.geometry.cluster[dim];
      });
  addUniform<gpu::ClusterDimBlocksOp>(
      handlers, [](gpu::ClusterDimBlocksOp op, Machine &m) {
        return m.geometry.cluster[static_cast<int>(op.getDimension())];
      });
  addUniform<gpu::SubgroupSizeOp>(
      handlers, [](gpu::SubgroupSizeOp, Machine &m) -> int64_t {
        return m.subgroupSize();
      });
  addUniform<gpu::NumSubgroupsOp>(
      handlers, [](gpu::NumSubgroupsOp, Machine &m) -> int64_t {
        return llvm::divideCeil(m.numThreads(), m.subgroupSize());
      });
  addPerThread<gpu::LaneIdOp>(
      handlers, [](int thread, int size) -> int64_t { return thread % size; });
  addPerThread<gpu::SubgroupIdOp>(
      handlers, [](int thread, int size) -> int64_t { return thread / size; });
}

//===----------------------------------------------------------------------===//
// Values of other threads
//===----------------------------------------------------------------------===//

/// The lane that a lane reads, which may lie outside of [0, width).
static int64_t getSourceLane(gpu::ShuffleMode mode, int64_t lane,
                             int64_t offset) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return lane ^ offset;
  case gpu::ShuffleMode::UP:
    return lane - offset;
  case gpu::ShuffleMode::DOWN:
    return lane + offset;
  case gpu::ShuffleMode::IDX:
    return offset;
  }
  llvm_unreachable("unknown mode");
}

/// The first `width` lanes of a subgroup must be active.
static LogicalResult checkShuffle(Operation *op, Machine &machine, int subgroup,
                                  ArrayRef<int> lanes, int64_t width) {
  if (width <= 0 || width > machine.subgroupSize() || (width & (width - 1)))
    return machine.error(op, lanes.front())
           << "expected a width that is a power of two and at most "
           << machine.subgroupSize() << ", got " << width;
  int64_t begin = subgroup * machine.subgroupSize(), count = 0;
  for (int lane : lanes)
    count += lane < begin + width;
  if (count != width)
    return machine.error(op, lanes.front())
           << "divergent: reached by " << count << " of the first " << width
           << " threads of subgroup " << subgroup;
  ++machine.statistics->shuffles;
  return success();
}

/// Shuffles with source(lane), relative to the subgroup.
static LogicalResult
shuffle(Operation *op, Machine &machine,
        llvm::function_ref<FailureOr<int64_t>(ArrayRef<int>)> getWidth,
        llvm::function_ref<int64_t(int, int64_t)> source) {
  if (failed(requireKernel(op, machine)))
    return failure();
  const Register &value = machine.get(op->getOperand(0));
  std::optional<ScalarFormat> format = getFormat(op->getOperand(0));
  if (!format)
    return reportType(op);
  auto result = machine.make(value.width, /*uniform=*/false);
  auto valid = machine.make(1, /*uniform=*/false);
  LogicalResult done = machine.forEachSubgroup(
      [&](int subgroup, ArrayRef<int> lanes) -> LogicalResult {
        FailureOr<int64_t> width = getWidth(lanes);
        if (failed(width) ||
            failed(checkShuffle(op, machine, subgroup, lanes, *width)))
          return failure();
        int begin = subgroup * machine.subgroupSize();
        for (int thread : lanes) {
          int64_t from = source(thread, thread - begin);
          bool inside = from >= 0 && from < *width && thread - begin < *width;
          *valid->at(thread) = inside;
          if (inside)
            std::copy_n(value.at(static_cast<int>(begin + from)), value.width,
                        result->at(thread));
          else
            std::fill_n(result->at(thread), value.width, format->mask());
        }
        return success();
      });
  machine.set(op->getResult(0), result);
  machine.set(op->getResult(1), valid);
  return done;
}

static LogicalResult runShuffle(gpu::ShuffleOp op, Machine &machine) {
  const Register &offset = machine.get(op.getOffset());
  const Register &width = machine.get(op.getWidth());
  return shuffle(
      op, machine,
      [&](ArrayRef<int> lanes) -> FailureOr<int64_t> {
        int64_t first = signExtend(*width.at(lanes.front()), 32);
        for (int lane : lanes)
          if (signExtend(*width.at(lane), 32) != first)
            return machine.error(op, lane)
                   << "expected the width to be the same for all lanes, got "
                   << first << " and " << signExtend(*width.at(lane), 32);
        return first;
      },
      [&](int thread, int64_t lane) {
        return getSourceLane(op.getMode(), lane,
                             signExtend(*offset.at(thread), 32));
      });
}

static LogicalResult runRotate(gpu::RotateOp op, Machine &machine) {
  int64_t width = op.getWidth(), offset = op.getOffset();
  return shuffle(
      op, machine, [&](ArrayRef<int>) -> FailureOr<int64_t> { return width; },
      [&](int, int64_t lane) { return (lane + offset) & (width - 1); });
}

/// Combines the values of `lanes` in their order for each of them.
static void reduceLanes(const Register &value, Register &result,
                        gpu::AllReduceOperation kind, ArrayRef<int> lanes,
                        const ScalarFormat &format) {
  vector::CombiningKind combining = gpu::convertReductionKind(kind);
  for (int64_t i = 0; i < value.width; ++i) {
    uint64_t total = value.at(lanes.front())[i];
    for (int lane : lanes.drop_front())
      total = combine(combining, total, value.at(lane)[i], format);
    for (int lane : lanes)
      result.at(lane)[i] = total;
  }
}

static LogicalResult runSubgroupReduce(gpu::SubgroupReduceOp op,
                                       Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  const Register &value = machine.get(op.getValue());
  auto result = machine.make(value.width, /*uniform=*/false);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/false, [&](int subgroup, ArrayRef<int> lanes) {
        ++machine.statistics->shuffles;
        int begin = subgroup * machine.subgroupSize();
        int64_t size = op.getClusterSize().value_or(machine.subgroupSize());
        int64_t stride = op.getClusterStride();
        // The clusters of a run of size * stride lanes interleave.
        std::map<int64_t, SmallVector<int>> clusters;
        for (int lane : lanes) {
          int64_t at = lane - begin;
          clusters[at / (size * stride) * stride + at % stride].push_back(lane);
        }
        for (auto &[number, cluster] : clusters)
          reduceLanes(value, *result, op.getOp(), cluster, *format);
        return success();
      });
  machine.set(op, result);
  return done;
}

static LogicalResult runAllReduce(gpu::AllReduceOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)) || failed(machine.checkConverged(op)))
    return failure();
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format || !op.getOp())
    return op.emitError() << "is only supported with a kind of reduction";
  const Register &value = machine.get(op.getValue());
  auto result = machine.make(value.width, /*uniform=*/false);
  reduceLanes(value, *result, *op.getOp(), machine.active(), *format);
  machine.set(op, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult runDynamicMemory(gpu::DynamicSharedMemoryOp op,
                                      Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (machine.workgroup->dynamicBuffer < 0)
    return machine.error(op) << "launched without dynamic workgroup memory";
  Buffer &buffer = machine.program.memory.get(machine.workgroup->dynamicBuffer);
  machine.set(op, machine.constant(Machine::makeView(
                      machine.workgroup->dynamicBuffer, {buffer.size()})));
  return success();
}

void simt::populateGPU(Handlers &handlers) {
  populateIds(handlers);
  handlers.add<gpu::LaunchOp>(runLaunch);
  handlers.add<gpu::LaunchFuncOp>(runLaunchFunc);
  handlers.add<gpu::WaitOp>(runWait);
  handlers.add<gpu::AllocOp>(runAlloc);
  handlers.add<gpu::DeallocOp>(runDealloc);
  handlers.add<gpu::MemcpyOp>(runMemcpy);
  handlers.add<gpu::ShuffleOp>(runShuffle);
  handlers.add<gpu::RotateOp>(runRotate);
  handlers.add<gpu::SubgroupReduceOp>(runSubgroupReduce);
  handlers.add<gpu::AllReduceOp>(runAllReduce);
  handlers.add<gpu::DynamicSharedMemoryOp>(runDynamicMemory);
}
