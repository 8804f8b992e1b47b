//===- Machine.cpp - The threads of a workgroup ---------------------------===//
//
// See Machine.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Machine.h"

#include "SIMT/Concurrency.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool simt::isRawBuffer(MemRefType type) {
  auto space =
      dyn_cast_or_null<amdgpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == amdgpu::AddressSpace::FatRawBuffer;
}

int64_t simt::getWidth(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  // A buffer with a descriptor has its valid bytes as the last word.
  if (auto memref = dyn_cast<MemRefType>(type))
    return View::kHeader + 2 * memref.getRank() + (isRawBuffer(memref) ? 1 : 0);
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return static_cast<int64_t>(structure.getBody().size());
  return 1;
}

std::optional<ElementFormat> simt::getElementFormat(Type type) {
  ElementFormat format;
  if (auto vector = dyn_cast<VectorType>(type)) {
    format.count = vector.getNumElements();
    type = vector.getElementType();
  }
  std::optional<ScalarFormat> scalar = getScalarFormat(type);
  if (!scalar)
    return std::nullopt;
  format.scalar = *scalar;
  return format;
}

std::optional<MemorySpace> simt::getMemorySpace(MemRefType type) {
  Attribute attribute = type.getMemorySpace();
  if (!attribute)
    return MemorySpace::Global;
  if (auto space = dyn_cast<gpu::AddressSpaceAttr>(attribute)) {
    switch (space.getValue()) {
    case gpu::AddressSpace::Global:
      return MemorySpace::Global;
    case gpu::AddressSpace::Workgroup:
      return MemorySpace::Workgroup;
    case gpu::AddressSpace::Private:
      return MemorySpace::Private;
    }
  }
  // The numbers of NVIDIA's and AMD's address spaces.
  if (auto space = dyn_cast<IntegerAttr>(attribute)) {
    switch (space.getInt()) {
    case 0:
    case 1:
      return MemorySpace::Global;
    case 3:
      return MemorySpace::Workgroup;
    case 5:
      return MemorySpace::Private;
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Workgroup::Workgroup(Program &program, const Geometry &geometry,
                     KernelStatistics *statistics, int64_t member)
    : geometry(geometry), statistics(statistics), member(member),
      number(member == 0 ? ++program.numGroups : program.numGroups),
      subgroupTimes(llvm::divideCeil(geometry.numThreads(),
                                     program.options.subgroupSize)),
      copies(geometry.numThreads()) {}

std::string Workgroup::describe() const {
  return geometry.numInCluster() == 1
             ? std::string()
             : " of workgroup " + std::to_string(member) + " of the cluster";
}

Machine::Machine(Program &program) : program(program), activeThreads({0}) {}

Machine::Machine(const Machine &host, Workgroup &workgroup)
    : program(host.program), workgroup(&workgroup),
      geometry(workgroup.geometry), statistics(workgroup.statistics),
      outer(&host), threads(static_cast<int>(geometry.numThreads())) {
  activeThreads.resize(threads);
  std::iota(activeThreads.begin(), activeThreads.end(), 0);
}

Machine::Machine(const Machine &outer, int first, int count,
                 ArrayRef<int> active)
    : program(outer.program), workgroup(outer.workgroup),
      geometry(outer.geometry), statistics(outer.statistics), outer(&outer),
      first(first), threads(count), activeThreads(active) {}

LogicalResult Machine::forEachSubgroup(
    llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body) {
  ArrayRef<int> set = active();
  for (size_t begin = 0; begin < set.size();) {
    int subgroup = set[begin] / subgroupSize();
    size_t end = begin;
    while (end < set.size() && set[end] / subgroupSize() == subgroup)
      ++end;
    if (failed(body(subgroup, set.slice(begin, end - begin))))
      return failure();
    begin = end;
  }
  return success();
}

LogicalResult Machine::forEachWholeSubgroup(
    Operation *op, bool full,
    llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body) {
  return forEachSubgroup([&](int subgroup, ArrayRef<int> lanes) {
    int begin = subgroup * subgroupSize();
    int end = std::min(begin + subgroupSize(), numThreads());
    if (static_cast<int>(lanes.size()) != end - begin) {
      int missing = begin;
      for (int lane : lanes)
        missing += lane == missing;
      return LogicalResult(error(op, lanes.front())
                           << "divergent: reached by " << lanes.size()
                           << " of the " << end - begin
                           << " threads of subgroup " << subgroup
                           << ", not by thread " << missing);
    }
    if (full && end - begin != subgroupSize())
      return LogicalResult(error(op, lanes.front())
                           << "expected a subgroup of " << subgroupSize()
                           << " threads, got " << end - begin);
    return body(subgroup, lanes);
  });
}

LogicalResult Machine::checkConverged(Operation *op) {
  if (static_cast<int>(activeThreads.size()) == numThreads())
    return success();
  int missing = 0;
  for (int thread : active())
    missing += thread == missing;
  return error(op) << "divergent: reached by " << active().size() << " of the "
                   << numThreads()
                   << " threads of the workgroup, not by thread " << missing;
}

InFlightDiagnostic Machine::error(Operation *op, int thread) {
  InFlightDiagnostic diagnostic = error(op);
  if (isHost())
    return diagnostic;
  const std::array<int64_t, 3> &block = geometry.block;
  diagnostic << "thread (" << thread % block[0] << ", "
             << thread / block[0] % block[1] << ", "
             << thread / (block[0] * block[1]) << "): ";
  return diagnostic;
}

InFlightDiagnostic Machine::error(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitError();
  if (!isHost())
    diagnostic << "workgroup (" << geometry.id[0] << ", " << geometry.id[1]
               << ", " << geometry.id[2] << "), ";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const RegisterRef &Machine::getRef(Value value) const {
  const Machine *machine = this;
  auto it = values.find(value);
  while (it == machine->values.end()) {
    machine = machine->outer;
    assert(machine && "a value of no op that was executed");
    it = machine->values.find(value);
  }
  return it->second;
}

std::shared_ptr<Register> Machine::make(int64_t width, bool uniform) const {
  auto result = std::make_shared<Register>();
  result->width = width;
  result->uniform = uniform || threads == 1;
  result->first = first;
  result->time = program.numOps;
  result->words.resize(result->uniform ? width : width * threads);
  return result;
}

RegisterRef Machine::constant(ArrayRef<uint64_t> words) const {
  auto result = make(static_cast<int64_t>(words.size()), /*uniform=*/true);
  llvm::copy(words, result->words.begin());
  return result;
}

RegisterRef Machine::merge(RegisterRef older, RegisterRef newer,
                           ArrayRef<int> set) const {
  if (older == newer || static_cast<int>(set.size()) == threads)
    return newer;
  if (set.empty())
    return older;
  assert(older->width == newer->width && "merge of different types");
  auto result = make(older->width, /*uniform=*/false);
  for (int thread = first; thread < first + threads; ++thread)
    std::copy_n(older->at(thread), older->width, result->at(thread));
  for (int thread : set)
    std::copy_n(newer->at(thread), newer->width, result->at(thread));
  return result;
}

FailureOr<int64_t> Machine::getUniform(Operation *op, Value value,
                                       const char *what) {
  const Register &reg = get(value);
  int64_t first = reg.signedAt(active().front());
  for (int thread : active())
    if (reg.signedAt(thread) != first)
      return error(op, thread)
             << "expected " << what << " to be the same for all threads, got "
             << first << " and " << reg.signedAt(thread);
  std::optional<ScalarFormat> format = getScalarFormat(value.getType());
  return format ? signExtend(first, format->bits) : first;
}

LogicalResult
Machine::compute(Value result, ValueRange operands, int64_t width,
                 llvm::function_ref<LogicalResult(int, uint64_t *)> body) {
  bool uniform =
      llvm::all_of(operands, [&](Value v) { return get(v).uniform; });
  auto reg = make(width, uniform);
  if (reg->uniform) {
    if (failed(body(active().front(), reg->words.data())))
      return failure();
  } else {
    for (int thread : active())
      if (failed(body(thread, reg->at(thread))))
        return failure();
  }
  set(result, std::move(reg));
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Accessor Machine::accessor(int thread) const {
  if (isHost())
    return {};
  if (isStrand())
    return concurrency().accessor(thread);
  int subgroup = thread / subgroupSize();
  Accessor by{workgroup->number, thread, subgroup, workgroup->time,
              workgroup->subgroupTimes[subgroup]};
  by.isEarly = workgroup->isThreadEarly(thread);
  return by;
}

FailureOr<int64_t> Machine::getOffset(Operation *op, int thread,
                                      const View &view,
                                      ArrayRef<int64_t> indices) {
  assert(static_cast<int64_t>(indices.size()) == view.rank);
  int64_t offset = view.offset();
  for (int64_t dim = 0; dim < view.rank; ++dim) {
    if (indices[dim] < 0 || indices[dim] >= view.size(dim))
      return error(op, thread) << "out of bounds: expected index " << dim
                               << " to be at least 0 and less than "
                               << view.size(dim) << ", got " << indices[dim];
    offset += indices[dim] * view.stride(dim);
  }
  return offset;
}

void simt::finishCopy(Program &program, const Workgroup::Copy &copy,
                      const Accessor &by) {
  Memory &memory = program.memory;
  Buffer &buffer = memory.get(copy.targetBuffer);
  std::copy(copy.data.begin(), copy.data.end(),
            buffer.data.begin() + copy.target);
  std::copy(copy.initialized.begin(), copy.initialized.end(),
            buffer.initialized.begin() + copy.target);
  if (program.options.checkRaces)
    memory.finishCopy(buffer, copy.target,
                      static_cast<int64_t>(copy.data.size()), by);
}

void Machine::finishCopies(int thread) {
  Workgroup::CopyQueue &queue = workgroup->copies[thread];
  for (const Workgroup::Copy &copy : queue.groups.front())
    finishCopy(program, copy, accessor(thread));
  queue.groups.pop_front();
  ++queue.numFinished;
}

FailureOr<int64_t> Machine::getByte(Operation *op, int thread, const View &view,
                                    int64_t offset, const ElementFormat &format,
                                    int64_t count, const char *verb) {
  if (!program.memory.isValid(view.buffer()))
    return error(op, thread) << verb << " a memref that is not specified";
  const Buffer &buffer = program.memory.get(view.buffer());
  if (buffer.freed)
    return error(op, thread) << verb << " a buffer that was deallocated";
  int64_t byte = view.base() + offset * format.bytes();
  int64_t size = count * format.bytes();
  if (byte < 0 || byte + size > buffer.size())
    return error(op, thread)
           << "out of bounds: " << verb << " bytes " << byte << " to "
           << byte + size << " of an allocation of " << buffer.size();
  return byte;
}

LogicalResult Machine::checkAlignment(Operation *op, int thread,
                                      const View &view, int64_t offset,
                                      const ElementFormat &format,
                                      int64_t alignment) {
  if (!program.memory.isValid(view.buffer()))
    return error(op, thread) << "accesses a memref that is not specified";
  int64_t address = program.memory.get(view.buffer()).address + view.base() +
                    offset * format.bytes();
  if (address % alignment)
    return error(op, thread)
           << "misaligned: expected the address to be a multiple of "
           << alignment << " bytes, got a remainder of " << address % alignment;
  return success();
}

LogicalResult Machine::load(Operation *op, int thread, const View &view,
                            int64_t offset, const ElementFormat &format,
                            int64_t count, uint64_t *result) {
  FailureOr<int64_t> byte =
      getByte(op, thread, view, offset, format, count, "reads");
  if (failed(byte))
    return failure();
  Buffer &buffer = program.memory.get(view.buffer());
  int64_t size = count * format.bytes();
  if (!isHost() && program.options.checkRaces) {
    std::string wrong =
        program.memory.recordRead(buffer, *byte, size, accessor(thread));
    if (!wrong.empty())
      return error(op, thread) << wrong;
  }
  if (program.options.checkUninitialized) {
    const uint8_t *first = buffer.initialized.data() + *byte;
    if (const void *missing = std::memchr(first, 0, size))
      return error(op, thread) << "reads memory that was never written: byte "
                               << static_cast<const uint8_t *>(missing) -
                                      buffer.initialized.data()
                               << " of an allocation of " << buffer.size();
  }
  const uint8_t *from = buffer.data.data() + *byte;
  uint64_t mask = format.scalar.mask();
  auto copy = [&](auto number) {
    for (int64_t i = 0; i < count * format.count; ++i) {
      std::memcpy(&number, from + i * sizeof(number), sizeof(number));
      result[i] = number & mask;
    }
  };
  switch (format.scalar.bytes) {
  case 1:
    copy(uint8_t());
    break;
  case 2:
    copy(uint16_t());
    break;
  case 4:
    copy(uint32_t());
    break;
  default:
    copy(uint64_t());
  }
  trace(buffer, thread, *byte, size);
  return success();
}

LogicalResult Machine::loadFromRawBuffer(Operation *op, int thread,
                                         const Register &memref,
                                         ArrayRef<int64_t> indices,
                                         const ElementFormat &format,
                                         int64_t count,
                                         std::optional<uint64_t> alignment,
                                         uint64_t *result) {
  const uint64_t *words = memref.at(thread);
  View view(words, memref.width);
  int64_t element = view.offset();
  for (int64_t dim = 0; dim < view.rank; ++dim)
    element += indices[dim] * view.stride(dim);
  // Offsets are unsigned, of 32 bits.
  constexpr uint64_t kMask = 0xffffffff;
  uint64_t begin = static_cast<uint64_t>(element * format.bytes()) & kMask;
  uint64_t size = count * format.bytes();
  uint64_t valid = words[memref.width - 1];
  ++statistics->bufferLoads;
  if (begin + size <= valid) {
    auto offset = static_cast<int64_t>(begin / format.bytes());
    if (alignment && *alignment > 0 &&
        failed(checkAlignment(op, thread, view, offset, format,
                              static_cast<int64_t>(*alignment))))
      return failure();
    return load(op, thread, view, offset, format, count, result);
  }
  if (begin < valid)
    return error(op, thread)
           << "expected a buffer to have all or none of the bytes " << begin
           << " to " << begin + size << ", got " << valid << " valid bytes";
  ++statistics->bufferZeros;
  std::fill_n(result, count * format.count, 0);
  return success();
}

LogicalResult Machine::store(Operation *op, int thread, const View &view,
                             int64_t offset, const ElementFormat &format,
                             int64_t count, const uint64_t *source) {
  FailureOr<int64_t> byte =
      getByte(op, thread, view, offset, format, count, "writes");
  if (failed(byte))
    return failure();
  Buffer &buffer = program.memory.get(view.buffer());
  if (buffer.constant)
    return error(op, thread) << "writes a constant global";
  int64_t size = count * format.bytes();
  unsigned bytes = format.scalar.bytes;
  SmallVector<uint8_t, 64> data(size);
  for (int64_t i = 0; i < count * format.count; ++i)
    std::memcpy(data.data() + i * bytes, &source[i], bytes);
  if (!isHost() && program.options.checkRaces) {
    std::string wrong = program.memory.recordWrite(
        buffer, *byte, size, accessor(thread), data.data());
    if (!wrong.empty())
      return error(op, thread) << wrong;
  }
  std::copy(data.begin(), data.end(), buffer.data.begin() + *byte);
  std::fill_n(buffer.initialized.begin() + *byte, size, 1);
  trace(buffer, thread, *byte, size);
  return success();
}

void Machine::trace(const Buffer &buffer, int thread, int64_t byte,
                    int64_t size) {
  if (buffer.space != MemorySpace::Workgroup || isHost())
    return;
  int64_t address = buffer.address + byte;
  if (!traced.empty() && traced.back().thread == thread &&
      traced.back().address + traced.back().size == address)
    traced.back().size += size;
  else
    traced.push_back({thread, address, size});
}

void Machine::finishAccess() {
  // The accesses of a thread one after the other; the n-th ones of the threads
  // of a subgroup happen together.
  for (size_t begin = 0; begin < traced.size();) {
    int subgroup = traced[begin].thread / subgroupSize();
    std::vector<std::vector<LaneAccess>> instructions;
    size_t nth = 0, i = begin;
    for (; i < traced.size() && traced[i].thread / subgroupSize() == subgroup;
         ++i) {
      nth = i > begin && traced[i - 1].thread == traced[i].thread ? nth + 1 : 0;
      if (nth >= instructions.size())
        instructions.emplace_back();
      instructions[nth].push_back(traced[i]);
    }
    for (const std::vector<LaneAccess> &accesses : instructions) {
      Wavefronts wavefronts = countWavefronts(accesses, subgroupSize());
      statistics->wavefronts.actual += wavefronts.actual;
      statistics->wavefronts.ideal += wavefronts.ideal;
    }
    begin = i;
  }
  traced.clear();
}

std::vector<uint64_t> Machine::makeView(int64_t buffer,
                                        ArrayRef<int64_t> sizes) {
  int64_t rank = static_cast<int64_t>(sizes.size());
  std::vector<uint64_t> words(View::kHeader + 2 * rank);
  words[0] = buffer;
  int64_t stride = 1;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    words[View::kHeader + dim] = sizes[dim];
    words[View::kHeader + rank + dim] = stride;
    stride *= sizes[dim];
  }
  return words;
}

FailureOr<RegisterRef> Machine::allocate(Operation *op, MemRefType type,
                                         ValueRange dynamicSizes,
                                         int64_t alignment,
                                         bool inKernelDefault) {
  std::optional<MemorySpace> space = getMemorySpace(type);
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  if (!space || !format || !type.getLayout().isIdentity())
    return error(op) << "allocation of " << type << " is not supported";
  if (!isHost() && *space == MemorySpace::Global && inKernelDefault)
    space = MemorySpace::Private;
  int64_t member = workgroup ? workgroup->member : 0;
  bool perThread = !isHost() && *space == MemorySpace::Private;
  // Strands allocate once for all.
  RegisterRef *shared = nullptr;
  if (isStrand() && *space == MemorySpace::Workgroup) {
    auto &made = concurrency().allocations[op];
    size_t number = numAllocations[op]++;
    made.resize(std::max(made.size(), number + 1));
    shared = &made[number];
    if (*shared)
      return *shared;
  }
  auto allocateFor = [&](int thread,
                         std::vector<uint64_t> &words) -> LogicalResult {
    SmallVector<int64_t> sizes(type.getShape());
    auto dynamic = dynamicSizes.begin();
    int64_t bytes = format->bytes();
    for (int64_t &size : sizes) {
      if (ShapedType::isDynamic(size))
        size = get(*dynamic++).signedAt(thread);
      if (size < 0)
        return error(op, thread) << "allocates a negative size, " << size;
      bytes *= size;
    }
    int64_t id = program.memory.allocate(*space, bytes, alignment,
                                         /*initialized=*/false, member);
    if (isHost() && *space == MemorySpace::Global)
      program.largestAllocation = std::max(program.largestAllocation, bytes);
    words = makeView(id, sizes);
    return success();
  };
  std::vector<uint64_t> words;
  if (!perThread) {
    for (Value size : dynamicSizes)
      if (failed(getUniform(op, size, "the size")))
        return failure();
    if (failed(allocateFor(active().front(), words)))
      return failure();
    if (program.memory.getWorkgroupBytes(member) >
        program.options.maxWorkgroupBytes)
      return error(op) << "expected at most "
                       << program.options.maxWorkgroupBytes
                       << " bytes of workgroup memory, got "
                       << program.memory.getWorkgroupBytes(member);
    RegisterRef result = constant(words);
    if (shared)
      *shared = result;
    return result;
  }
  auto result = make(getWidth(type), /*uniform=*/false);
  for (int thread : active()) {
    if (failed(allocateFor(thread, words)))
      return failure();
    std::copy(words.begin(), words.end(), result->at(thread));
  }
  return RegisterRef(result);
}

//===----------------------------------------------------------------------===//
// Synchronisation
//===----------------------------------------------------------------------===//

void Machine::workgroupBarrier() {
  ++workgroup->time;
  ++statistics->barriers;
}

void Machine::subgroupBarrier(int subgroup, ArrayRef<int> lanes) {
  if (isStrand())
    concurrency().subgroupBarrier(lanes);
  ++workgroup->subgroupTimes[subgroup];
  ++statistics->subgroupBarriers;
}
