//===- TMA.cpp - Tensor maps and copies of boxes --------------------------===//
//
// Written from the documentation of cuTensorMapEncodeTiled and from the PTX
// ISA's description of cp.async.bulk.tensor. A box is dense in workgroup
// memory, the innermost dimension first. A swizzle permutes the 16 bytes that
// an absolute address selects.
//
//===----------------------------------------------------------------------===//

#include "SIMT/TMA.h"

#include "SIMT/Elementwise.h"
#include "SIMT/MBarrier.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

int64_t simt::swizzleAddress(int64_t address, int64_t width) {
  int64_t mask = width / 16 - 1;
  return width == 0 ? address : address ^ ((address >> 7 & mask) << 4);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static int64_t getSwizzleBytes(nvgpu::TensorMapSwizzleKind kind) {
  switch (kind) {
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE:
    return 0;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_32B:
    return 32;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_64B:
    return 64;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_128B:
    return 128;
  }
  llvm_unreachable("unknown swizzle");
}

/// Checks the rules of cuTensorMapEncodeTiled. A launcher encodes the maps of
/// kernels that have workgroups, so a stride is an error only where a box is
/// copied.
static LogicalResult checkMap(Operation *op, TensorMap &map,
                              const Buffer &buffer) {
  int64_t bytes = map.format.bytes;
  uint64_t end = static_cast<uint64_t>(map.base + bytes);
  if ((buffer.address + map.base) % 16)
    return op->emitError()
           << "misaligned: expected the address of a tensor map to be a "
              "multiple of 16 bytes, got a remainder of "
           << (buffer.address + map.base) % 16;
  for (auto [dim, size] : llvm::enumerate(map.sizes)) {
    // A launcher passes 1 for 0: nothing is copied then.
    if (size < 0 || size > 1ll << 32)
      return op->emitError() << "expected sizes of 0 to 4294967296, got "
                             << size << " of dimension " << dim;
    int64_t stride = map.strides[dim];
    if (dim == 0 && stride != bytes)
      return op->emitError() << "expected a stride of one element, got "
                             << stride << " bytes of dimension " << dim;
    if (stride < 0 || (dim > 0 && stride % 16)) {
      map.invalid =
          llvm::formatv("expected a stride of a multiple of 16 bytes, "
                        "got {0} bytes of dimension {1}",
                        stride, dim);
      return success();
    }
    if (map.box[dim] < 1 || map.box[dim] > 256)
      return op->emitError() << "expected a box of 1 to 256, got "
                             << map.box[dim] << " of dimension " << dim;
    if (size > 0)
      end = llvm::SaturatingMultiplyAdd<uint64_t>(size - 1, stride, end);
  }
  int64_t row = map.box.front() * bytes;
  if (row % 16)
    return op->emitError()
           << "expected the rows of a box to be a multiple of 16 bytes, got "
           << row;
  if (map.swizzle && row > map.swizzle)
    return op->emitError() << "expected the rows of a box to be at most the "
                           << map.swizzle << " bytes of the swizzle, got "
                           << row;
  if (!llvm::is_contained(map.sizes, 0) &&
      (map.base < 0 || end > static_cast<uint64_t>(buffer.size())))
    return op->emitError() << "out of bounds: a tensor map of bytes "
                           << map.base << " to " << end
                           << " of an allocation of " << buffer.size();
  return success();
}

static LogicalResult runCreateDescriptor(nvgpu::TmaCreateDescriptorOp op,
                                         Machine &machine) {
  const Register &memref = machine.get(op.getTensor());
  nvgpu::TensorMapDescriptorType type = op.getTensorMap().getType();
  Memory &memory = machine.program.memory;
  View view(memref.at(0), memref.width);
  std::optional<ScalarFormat> format =
      getScalarFormat(op.getTensor().getType().getElementType());
  if (!machine.isHost() || !format ||
      type.getInterleave() != nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE)
    return op.emitError() << "a tensor map of type " << type
                          << " is not supported by the SIMT interpreter";
  int64_t rank = view.rank;
  if (rank < 1 || rank > 5)
    return op.emitError() << "expected a rank of 1 to 5, got " << rank;
  if (rank != static_cast<int64_t>(op.getBoxDimensions().size()))
    return op.emitError() << "expected a box of " << rank << " dimensions, got "
                          << op.getBoxDimensions().size();
  if (!memory.isValid(view.buffer()) || memory.get(view.buffer()).freed)
    return op.emitError() << "a tensor map of a buffer that was deallocated";
  TensorMap map;
  map.buffer = view.buffer();
  map.format = *format;
  map.base = view.base() + view.offset() * format->bytes;
  map.swizzle = getSwizzleBytes(type.getSwizzle());
  if (type.getOob() == nvgpu::TensorMapOOBKind::OOB_NAN)
    map.filler = format->mask();
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    map.sizes.push_back(view.size(dim));
    map.strides.push_back(view.stride(dim) * format->bytes);
    map.box.push_back(machine.get(op.getBoxDimensions()[dim]).signedAt(0));
  }
  ArrayRef<int64_t> shape = type.getTensor().getShape();
  if (!llvm::all_of(
          llvm::zip_equal(llvm::reverse(map.box), shape),
          [](auto sizes) { return std::get<0>(sizes) <= std::get<1>(sizes); }))
    return op.emitError() << "expected at most the box of " << type.getTensor();
  if (failed(checkMap(op, map, memory.get(map.buffer))))
    return failure();
  machine.set(op, machine.constant({machine.program.tensorMaps.size()}));
  machine.program.tensorMaps.push_back(std::move(map));
  return success();
}

static LogicalResult runPrefetch(nvgpu::TmaPrefetchOp op, Machine &machine) {
  return requireKernel(op, machine);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// A box at a place in a tensor, and in workgroup memory.
struct Box {
  const TensorMap *map;
  SmallVector<int64_t> coordinates;
  int64_t buffer; ///< In workgroup memory.
  int64_t begin, size;

  /// Calls `body` with each row: the byte in workgroup memory before the
  /// swizzle, the first element along dimension 0, and the byte of element 0 of
  /// the row in global memory, or -1 if the row does not exist.
  void forEachRow(llvm::function_ref<void(int64_t, int64_t)> body) const;
  /// Returns the byte of an element of a row in workgroup memory.
  int64_t getByte(int64_t row, int64_t i, int64_t address) const {
    return swizzleAddress(address + row + i * map->format.bytes, map->swizzle) -
           address;
  }
  /// Whether element `i` of a row exists.
  bool exists(int64_t i) const {
    int64_t at = coordinates.front() + i;
    return at >= 0 && at < map->sizes.front();
  }
};
} // namespace

void Box::forEachRow(llvm::function_ref<void(int64_t, int64_t)> body) const {
  size_t rank = map->box.size();
  SmallVector<int64_t> index(rank, 0);
  int64_t row = begin, rowBytes = map->box.front() * map->format.bytes;
  while (true) {
    int64_t byte = map->base;
    bool exists = true;
    for (size_t dim = 1; dim < rank; ++dim) {
      int64_t at = coordinates[dim] + index[dim];
      exists &= at >= 0 && at < map->sizes[dim];
      byte += at * map->strides[dim];
    }
    body(row, exists ? byte : -1);
    row += rowBytes;
    size_t dim = 1;
    while (dim < rank && ++index[dim] == map->box[dim])
      index[dim++] = 0;
    if (dim >= rank)
      return;
  }
}

/// The box that a thread copies. Fails if the memref is not a place for it.
static FailureOr<Box> getBox(Operation *op, Machine &machine, int thread,
                             Value descriptor, ValueRange coordinates,
                             Value tile) {
  uint64_t number = *machine.get(descriptor).at(thread);
  if (number >= machine.program.tensorMaps.size())
    return machine.error(op, thread) << "uses what is not a tensor map";
  const Register &memref = machine.get(tile);
  View view(memref.at(thread), memref.width);
  Box box;
  box.map = &machine.program.tensorMaps[number];
  if (!box.map->invalid.empty())
    return machine.error(op, thread) << box.map->invalid;
  for (Value coordinate : coordinates)
    // The hardware takes 32 bits.
    box.coordinates.push_back(
        signExtend(*machine.get(coordinate).at(thread), 32));
  if (box.coordinates.size() != box.map->box.size())
    return machine.error(op, thread)
           << "expected " << box.map->box.size() << " coordinates, got "
           << box.coordinates.size();
  ElementFormat format{box.map->format};
  int64_t count = 1;
  for (int64_t size : box.map->box)
    count *= size;
  FailureOr<int64_t> begin = machine.getByte(op, thread, view, view.offset(),
                                             format, count, "accesses");
  if (failed(begin))
    return failure();
  const Buffer &buffer = machine.program.memory.get(view.buffer());
  if (buffer.space != MemorySpace::Workgroup)
    return machine.error(op, thread) << "accesses what is not workgroup memory";
  if (failed(machine.checkAlignment(op, thread, view, view.offset(), format,
                                    /*alignment=*/128)))
    return failure();
  if (machine.program.memory.get(box.map->buffer).freed)
    return machine.error(op, thread)
           << "accesses a buffer that was deallocated";
  box.buffer = view.buffer();
  box.begin = *begin;
  box.size = count * format.bytes();
  return box;
}

/// Records the accesses of a box, by `shared` to workgroup memory and by
/// `global` to global memory.
static LogicalResult recordBox(Operation *op, Machine &machine, int thread,
                               const Box &box, bool isLoad,
                               const Accessor &shared, const Accessor &global) {
  if (!machine.program.options.checkRaces)
    return success();
  Memory &memory = machine.program.memory;
  auto record = [&](int64_t id, int64_t begin, int64_t size, bool writes,
                    const Accessor &by) {
    Buffer &buffer = memory.get(id);
    return writes ? memory.recordWrite(buffer, begin, size, by, nullptr)
                  : memory.recordRead(buffer, begin, size, by);
  };
  std::string wrong = record(box.buffer, box.begin, box.size, isLoad, shared);
  int64_t bytes = box.map->format.bytes;
  int64_t first = std::max<int64_t>(0, -box.coordinates.front());
  int64_t end = std::min(box.map->box.front(),
                         box.map->sizes.front() - box.coordinates.front());
  box.forEachRow([&](int64_t, int64_t from) {
    if (from < 0 || first >= end || !wrong.empty())
      return;
    wrong = record(box.map->buffer,
                   from + (box.coordinates.front() + first) * bytes,
                   (end - first) * bytes, !isLoad, global);
  });
  if (!wrong.empty())
    return machine.error(op, thread) << wrong;
  return success();
}

/// Moves the data. What does not exist reads as the filler, and is not written.
/// Returns whether everything that was written was initialised.
static bool moveBox(Memory &memory, const Box &box, bool isLoad) {
  Buffer &shared = memory.get(box.buffer),
         &global = memory.get(box.map->buffer);
  int64_t bytes = box.map->format.bytes;
  bool isInitialized = true;
  box.forEachRow([&](int64_t row, int64_t from) {
    for (int64_t i = 0; i < box.map->box.front(); ++i) {
      int64_t to = box.getByte(row, i, shared.address);
      int64_t at = from + (box.coordinates.front() + i) * bytes;
      bool exists = from >= 0 && box.exists(i);
      if (!exists && isLoad) {
        std::memcpy(shared.data.data() + to, &box.map->filler, bytes);
        std::fill_n(shared.initialized.begin() + to, bytes, 1);
      } else if (exists) {
        Buffer &source = isLoad ? global : shared;
        Buffer &target = isLoad ? shared : global;
        int64_t read = isLoad ? at : to, write = isLoad ? to : at;
        std::copy_n(source.data.begin() + read, bytes,
                    target.data.begin() + write);
        std::copy_n(source.initialized.begin() + read, bytes,
                    target.initialized.begin() + write);
        for (int64_t byte = 0; byte < bytes; ++byte)
          isInitialized &= source.initialized[read + byte] != 0;
      }
    }
  });
  return isInitialized;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Starts a copy of `box` that completes at `barrier`, both of workgroup
/// `number` of the cluster.
static LogicalResult startLoad(nvgpu::TmaAsyncLoadOp op, Machine &machine,
                               int thread, const Box &box, MBarrier *barrier,
                               int64_t number) {
  Concurrency &concurrency = machine.concurrency();
  if (failed(concurrency.checkInitialized(op, machine, thread, *barrier,
                                          /*byCopy=*/true)))
    return failure();
  uint32_t phase = barrier->phase;
  Accessor by = concurrency.accessor(thread);
  by.agent = barrier->agent;
  by.time = phase + 1;
  by.isAsynchronous = true;
  by.subject = "a copy ";
  if (failed(recordBox(op, machine, thread, box, /*isLoad=*/true, by, by)))
    return failure();
  concurrency.cluster.noteAccess(op, concurrency, number, by.agent, by.time);
  concurrency.scheduler.addTask(
      [op, box, barrier, phase, &concurrency,
       &memory = machine.program.memory]() -> LogicalResult {
        (void)moveBox(memory, box, /*isLoad=*/true);
        return concurrency.receive(op, *barrier, phase, box.size);
      });
  return success();
}

/// Starts the copies of `thread`: one, or one for each workgroup of the mask.
static LogicalResult startLoads(nvgpu::TmaAsyncLoadOp op, Machine &machine,
                                int thread) {
  Concurrency &concurrency = machine.concurrency();
  FailureOr<MBarrier *> found =
      getMBarrier(op, machine, thread, op.getBarriers(), op.getMbarId());
  if (failed(found))
    return failure();
  FailureOr<Box> box = getBox(op, machine, thread, op.getTensorMapDescriptor(),
                              op.getCoordinates(), op.getDst());
  if (failed(box))
    return failure();
  ++machine.statistics->boxCopies;
  int64_t own = machine.workgroup->member;
  if (!op.getMulticastMask())
    return startLoad(op, machine, thread, *box, *found, own);
  uint64_t mask = *machine.get(op.getMulticastMask()).at(thread) & 0xffff;
  if (mask == 0)
    return machine.error(op, thread) << "expected a workgroup in the mask";
  int64_t buffer = box->buffer;
  for (int64_t number = 0; mask >> number != 0; ++number) {
    if (!(mask >> number & 1))
      continue;
    FailureOr<int64_t> other =
        concurrency.getBufferOf(op, machine, thread, number, buffer);
    FailureOr<MBarrier *> barrier = concurrency.getMBarrierOf(
        op, machine, thread, number,
        machine.get(op.getBarriers()).signedAt(thread),
        machine.get(op.getMbarId()).signedAt(thread));
    if (failed(other) || failed(barrier))
      return failure();
    box->buffer = *other;
    if (failed(startLoad(op, machine, thread, *box, *barrier, number)))
      return failure();
  }
  return success();
}

static LogicalResult runLoad(nvgpu::TmaAsyncLoadOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  for (int thread : machine.active())
    if (isPredicated(machine, op.getPredicate(), thread) &&
        failed(startLoads(op, machine, thread)))
      return failure();
  return machine.concurrency().scheduler.mayHandOver(op);
}

static LogicalResult startStore(nvgpu::TmaAsyncStoreOp op, Machine &machine,
                                int thread) {
  Concurrency &concurrency = machine.concurrency();
  FailureOr<Box> box = getBox(op, machine, thread, op.getTensorMapDescriptor(),
                              op.getCoordinates(), op.getSrc());
  if (failed(box))
    return failure();
  BulkQueue &queue = concurrency.bulk[thread];
  if (queue.reads < 0) {
    std::string name = "the stores of thread " + std::to_string(thread);
    queue.reads = concurrency.clocks.addAgent(name);
    queue.writes = concurrency.clocks.addAgent(name);
  }
  Accessor reads = concurrency.accessor(thread);
  reads.agent = queue.reads;
  reads.time = queue.committed + 1;
  reads.isAsynchronous = true;
  reads.subject = "a copy ";
  Accessor writes = reads;
  writes.agent = queue.writes;
  if (failed(recordBox(op, machine, thread, *box, /*isLoad=*/false, reads,
                       writes)))
    return failure();
  ++machine.statistics->boxCopies;
  ++queue.open;
  ++queue.pending.back();
  bool check = machine.program.options.checkUninitialized;
  concurrency.scheduler.addTask(
      [op, box = *box, &queue, group = queue.committed, check,
       &memory = machine.program.memory]() mutable -> LogicalResult {
        if (!moveBox(memory, box, /*isLoad=*/false) && check)
          return op.emitError() << "reads memory that was never written";
        --queue.pending[group];
        return success();
      });
  return success();
}

static LogicalResult runStore(nvgpu::TmaAsyncStoreOp op, Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  for (int thread : machine.active())
    if (isPredicated(machine, op.getPredicate(), thread) &&
        failed(startStore(op, machine, thread)))
      return failure();
  return machine.concurrency().scheduler.mayHandOver(op);
}

static LogicalResult runCommit(NVVM::CpAsyncBulkCommitGroupOp op,
                               Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  for (int thread : machine.active()) {
    BulkQueue &queue = machine.concurrency().bulk[thread];
    queue.open = 0;
    ++queue.committed;
    queue.pending.push_back(0);
  }
  return success();
}

/// Waits until at most `group` groups of each thread are pending.
static LogicalResult runWait(NVVM::CpAsyncBulkWaitGroupOp op,
                             Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  int64_t allowed = op.getGroup();
  auto getTarget = [&](const BulkQueue &queue) -> int64_t {
    return std::max<int64_t>(0, queue.committed - allowed);
  };
  auto isReady = [&] {
    return llvm::all_of(machine.active(), [&](int thread) {
      const BulkQueue &queue = concurrency.bulk[thread];
      auto begin = queue.pending.begin();
      return std::all_of(begin, begin + getTarget(queue),
                         [](int64_t pending) { return pending == 0; });
    });
  };
  auto describe = [&] {
    return describeThreads(machine.active()) + " for stores";
  };
  if (failed(concurrency.scheduler.wait(op, isReady, describe)))
    return failure();
  for (int thread : machine.active()) {
    BulkQueue &queue = concurrency.bulk[thread];
    uint32_t target = static_cast<uint32_t>(getTarget(queue));
    queue.readGroups = std::max(queue.readGroups, target);
    if (queue.reads < 0)
      continue;
    Clock &accesses = concurrency.clocks.of(thread).accesses;
    accesses.raise(queue.reads, target);
    if (!op.getRead())
      accesses.raise(queue.writes, target);
  }
  return success();
}

void simt::populateTMA(Handlers &handlers) {
  handlers.add<nvgpu::TmaCreateDescriptorOp>(runCreateDescriptor);
  handlers.add<nvgpu::TmaPrefetchOp>(runPrefetch);
  handlers.add<nvgpu::TmaAsyncLoadOp>(runLoad);
  handlers.add<nvgpu::TmaAsyncStoreOp>(runStore);
  handlers.add<NVVM::CpAsyncBulkCommitGroupOp>(runCommit);
  handlers.add<NVVM::CpAsyncBulkWaitGroupOp>(runWait);
}
