//===- WGMMA.cpp - Asynchronous products of a warpgroup -------------------===//
//
// Written from the PTX ISA's description of wgmma.mma_async: the matrix
// descriptors, the layouts of operands in workgroup memory, and the fragments
// of the accumulator. It shares no code with the layouts that it checks.
//
// A product is computed when it starts. Until something waits for its group,
// its reads of workgroup memory and its registers are open.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Concurrency.h"
#include "SIMT/Elementwise.h"
#include "SIMT/TMA.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Operands in workgroup memory
//===----------------------------------------------------------------------===//

namespace {
/// A decoded matrix descriptor.
struct Descriptor {
  int64_t start, leading, stride;
  /// The bytes of the swizzle; 0 for none.
  int64_t swizzle;
  uint64_t baseOffset;

  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4),
        swizzle(std::array<int64_t, 4>{0, 128, 64, 32}[bits >> 62]),
        baseOffset(bits >> 49 & 7) {}

  /// Returns the address, before the swizzle, of the 16 bytes that begin at
  /// element `fast` along the contiguous dimension and element `slow` along
  /// the other one. 16 bytes have `perChunk` elements.
  int64_t getAddress(int64_t fast, int64_t slow, int64_t perChunk,
                     bool isKMajor) const;
};
} // namespace

/// Core matrices have eight rows of 16 bytes, or of the swizzle's bytes, one
/// behind the other. The offsets lead from one to the next along both
/// dimensions.
int64_t Descriptor::getAddress(int64_t fast, int64_t slow, int64_t perChunk,
                               bool isKMajor) const {
  if (swizzle == 0) {
    // Along k by the leading offset and along m or n by the stride offset.
    int64_t alongFast = isKMajor ? leading : stride;
    int64_t alongSlow = isKMajor ? stride : leading;
    return start + fast / perChunk * alongFast + slow / 8 * alongSlow +
           slow % 8 * 16;
  }
  int64_t perRow = swizzle / 16 * perChunk;
  return start + fast / perRow * leading + fast % perRow / perChunk * 16 +
         slow / 8 * stride + slow % 8 * swizzle;
}

namespace {
/// Reads an operand of a product.
class OperandReader {
public:
  OperandReader(Operation *op, Machine &machine, const Accessor &by)
      : op(op), machine(machine), by(by) {}

  /// Reads the matrix (mn, k) in row-major order.
  FailureOr<std::vector<double>> read(uint64_t bits, int64_t mn, int64_t k,
                                      ScalarFormat::Kind kind, bool isKMajor,
                                      const char *name);

private:
  FailureOr<const uint8_t *> readChunk(int64_t address, const char *name);

  Operation *op;
  Machine &machine;
  Accessor by;
  int64_t found = -1; ///< The last buffer.
};
} // namespace

FailureOr<const uint8_t *> OperandReader::readChunk(int64_t address,
                                                    const char *name) {
  Memory &memory = machine.program.memory;
  auto isInside = [&](int64_t id) {
    const Buffer &buffer = memory.get(id);
    return buffer.space == MemorySpace::Workgroup && !buffer.freed &&
           address >= buffer.address &&
           address + 16 <= buffer.address + buffer.size();
  };
  if (found < 0 || !isInside(found))
    for (found = memory.numBuffers() - 1; found >= 0; --found)
      if (isInside(found))
        break;
  if (found < 0)
    return machine.error(op)
           << "out of bounds: operand " << name << " reads bytes " << address
           << " to " << address + 16 << ", where nothing is allocated";
  Buffer &buffer = memory.get(found);
  int64_t begin = address - buffer.address;
  if (machine.program.options.checkRaces) {
    std::string wrong = memory.recordRead(buffer, begin, 16, by);
    if (!wrong.empty())
      return machine.error(op) << "operand " << name << " " << wrong;
  }
  if (machine.program.options.checkUninitialized)
    for (int64_t i = begin; i < begin + 16; ++i)
      if (!buffer.initialized[i])
        return machine.error(op)
               << "operand " << name
               << " reads memory that was never written: byte " << i
               << " of an allocation of " << buffer.size();
  return buffer.data.data() + begin;
}

/// Decodes an element; tf32 has 10 bits of mantissa, the others are not looked
/// at.
static double decodeElement(const uint8_t *bytes, ScalarFormat::Kind kind) {
  if (kind == ScalarFormat::F32) {
    uint32_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return decode(word & ~0x1fffu, kind);
  }
  uint16_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return decode(word, kind);
}

FailureOr<std::vector<double>>
OperandReader::read(uint64_t bits, int64_t mn, int64_t k,
                    ScalarFormat::Kind kind, bool isKMajor, const char *name) {
  Descriptor descriptor(bits);
  if (descriptor.baseOffset)
    return machine.error(op)
           << "expected the descriptor of operand " << name
           << " to have a base offset of 0, got " << descriptor.baseOffset;
  int64_t bytes = kind == ScalarFormat::F32 ? 4 : 2, perChunk = 16 / bytes;
  int64_t fastSize = isKMajor ? k : mn, slowSize = isKMajor ? mn : k;
  std::vector<double> matrix(mn * k);
  for (int64_t slow = 0; slow < slowSize; ++slow)
    for (int64_t fast = 0; fast < fastSize; fast += perChunk) {
      int64_t address = swizzleAddress(
          descriptor.getAddress(fast, slow, perChunk, isKMajor),
          descriptor.swizzle);
      FailureOr<const uint8_t *> chunk = readChunk(address, name);
      if (failed(chunk))
        return failure();
      for (int64_t i = 0; i < perChunk; ++i) {
        int64_t row = isKMajor ? slow : fast + i;
        int64_t column = isKMajor ? fast + i : slow;
        matrix[row * k + column] = decodeElement(*chunk + i * bytes, kind);
      }
    }
  return matrix;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Row and column of element `i` of a thread's fragment of D, by the table "D
/// fragment layout for wgmma.mma_async.m64nNk".
static std::pair<int64_t, int64_t> getFragment(int64_t thread, int64_t i) {
  int64_t warp = thread / 32, lane = thread % 32;
  return {warp * 16 + lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

/// Calls body(element of D, word, first bit in it) for the elements of a
/// thread. Two f16 share a word.
static void
forEachElement(int64_t thread, int64_t n, bool isF16,
               llvm::function_ref<void(int64_t, int64_t, unsigned)> body) {
  for (int64_t i = 0; i < n / 2; ++i) {
    auto [row, column] = getFragment(thread, i);
    body(row * n + column, isF16 ? i / 2 : i, isF16 ? i % 2 * 16 : 0);
  }
}

/// The accumulator must have been written by a product of this shape, or before
/// the last fence.
static LogicalResult checkAccumulator(Operation *op, Machine &machine,
                                      const Register &acc,
                                      const ProductQueue &queue,
                                      ArrayRef<int64_t> shape) {
  if (acc.product) {
    if (acc.product->group > queue.finished &&
        ArrayRef<int64_t>(acc.product->shape) != shape)
      return machine.error(op)
             << "accumulates on an open product of another shape";
    return success();
  }
  if (acc.time > *queue.fence)
    return machine.error(op) << "accumulates on a register that was written "
                                "after the last wgmma.fence";
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The format of an operand, and whether it is supported.
static std::optional<ScalarFormat::Kind> getKind(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return ScalarFormat::F16;
  case NVVM::WGMMATypes::bf16:
    return ScalarFormat::BF16;
  case NVVM::WGMMATypes::tf32:
  case NVVM::WGMMATypes::f32:
    return ScalarFormat::F32;
  default:
    return std::nullopt;
  }
}

/// D = A B + D, for A (m, k) and B (n, k). Sums are exact in double, and are
/// rounded once: the order of the hardware is not specified.
static void multiply(ArrayRef<double> a, ArrayRef<double> b,
                     MutableArrayRef<double> d, int64_t n, int64_t k,
                     double sign) {
  std::vector<double> columns(n * k);
  for (int64_t column = 0; column < n; ++column)
    for (int64_t i = 0; i < k; ++i)
      columns[i * n + column] = b[column * k + i] * sign;
  for (int64_t row = 0; row < 64; ++row)
    for (int64_t i = 0; i < k; ++i) {
      double factor = a[row * k + i];
      const double *from = columns.data() + i * n;
      double *to = d.data() + row * n;
      for (int64_t column = 0; column < n; ++column)
        to[column] += factor * from[column];
    }
}

static LogicalResult runProduct(NVVM::WgmmaMmaAsyncOp op, Machine &machine,
                                ProductQueue &queue) {
  int64_t n = op.getShape().getN(), k = op.getShape().getK();
  std::array<int64_t, 3> shape = {64, n, k};
  std::optional<ScalarFormat::Kind> kind = getKind(op.getTypeA());
  std::optional<ScalarFormat::Kind> kindB = getKind(op.getTypeB());
  std::optional<ScalarFormat::Kind> kindD = getKind(op.getTypeD());
  if (!kind || kind != kindB || !kindD)
    return op.emitError() << "wgmma of these types is not supported by the "
                             "SIMT interpreter";
  if (!queue.fence)
    return machine.error(op) << "expected a wgmma.fence before the first "
                                "product of a warpgroup";
  RegisterRef acc = machine.getRef(op.getInouts());
  bool accumulates = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  if (accumulates &&
      failed(checkAccumulator(op, machine, *acc, queue, shape)))
    return failure();
  FailureOr<int64_t> a =
      machine.getUniform(op, op.getDescriptorA(), "descriptor A");
  if (failed(a))
    return failure();
  FailureOr<int64_t> b =
      machine.getUniform(op, op.getDescriptorB(), "descriptor B");
  if (failed(b))
    return failure();
  Concurrency &concurrency = machine.concurrency();
  // What all threads know of.
  int first = machine.active().front();
  Past past = concurrency.clocks.of(first);
  for (int thread : machine.active())
    past.meet(concurrency.clocks.of(thread));
  Accessor by = concurrency.accessor(first);
  by.past = &past;
  by.agent = queue.agent;
  by.time = queue.committed + 1;
  by.isAsynchronous = true;
  OperandReader reader(op, machine, by);
  bool isKMajorA = op.getLayoutA() == NVVM::MMALayout::row;
  bool isKMajorB = op.getLayoutB() == NVVM::MMALayout::col;
  FailureOr<std::vector<double>> lhs =
      reader.read(*a, 64, k, *kind, isKMajorA, "A");
  if (failed(lhs))
    return failure();
  FailureOr<std::vector<double>> rhs =
      reader.read(*b, n, k, *kind, isKMajorB, "B");
  if (failed(rhs))
    return failure();
  bool isF16 = *kindD == ScalarFormat::F16;
  std::vector<double> sums(64 * n);
  if (accumulates)
    for (int64_t i = 0; i < 128; ++i)
      forEachElement(i, n, isF16, [&](int64_t at, int64_t word, unsigned bit) {
        uint64_t bits = acc->at(first + static_cast<int>(i))[word] >> bit;
        sums[at] = decode(isF16 ? bits & 0xffff : bits, *kindD);
      });
  double sign = (op.getScaleA() == NVVM::WGMMAScaleIn::neg) !=
                        (op.getScaleB() == NVVM::WGMMAScaleIn::neg)
                    ? -1
                    : 1;
  multiply(*lhs, *rhs, sums, n, k, sign);
  auto result = machine.make(getWidth(op.getType()), /*uniform=*/false);
  for (int64_t i = 0; i < 128; ++i)
    forEachElement(i, n, isF16, [&](int64_t at, int64_t word, unsigned bit) {
      result->at(first + static_cast<int>(i))[word] |=
          encode(sums[at], *kindD) << bit;
    });
  result->product = std::make_shared<OpenProduct>(
      OpenProduct{first / 128, queue.committed + 1, shape});
  queue.hasOpen = true;
  ++machine.statistics->wgmmas;
  machine.set(op, result);
  return success();
}

static LogicalResult runMma(NVVM::WgmmaMmaAsyncOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    return runProduct(op, machine, queue);
  });
}

static LogicalResult runFence(NVVM::WgmmaFenceAlignedOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    queue.fence = machine.program.numOps;
    return success();
  });
}

static LogicalResult runCommit(NVVM::WgmmaGroupSyncAlignedOp op,
                               Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    ++queue.committed;
    queue.hasOpen = false;
    return success();
  });
}

/// Waits until at most `group` groups are pending.
static LogicalResult runWait(NVVM::WgmmaWaitGroupSyncOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    int64_t finished = static_cast<int64_t>(queue.committed) -
                       static_cast<int64_t>(op.getGroup());
    if (finished > queue.finished)
      queue.finished = static_cast<uint32_t>(finished);
    for (int thread : machine.active())
      machine.concurrency().clocks.of(thread).accesses.raise(queue.agent,
                                                             queue.finished);
    llvm::erase_if(queue.operands, [&](const auto &operand) {
      return operand.second <= queue.finished;
    });
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult runUndefined(OpT op, Machine &machine) {
  auto reg = machine.make(getWidth(op.getType()), /*uniform=*/true);
  llvm::fill(reg->words, ~0ull);
  machine.set(op, reg);
  return success();
}

static LogicalResult runExtract(LLVM::ExtractValueOp op, Machine &machine) {
  if (op.getPosition().size() != 1)
    return op.emitError() << "nested structs are not supported";
  const Register &container = machine.get(op.getContainer());
  int64_t position = op.getPosition().front();
  return machine.compute(op, op->getOperands(), /*width=*/1,
                         [&](int thread, uint64_t *result) {
                           *result = container.at(thread)[position];
                           return success();
                         });
}

static LogicalResult runInsert(LLVM::InsertValueOp op, Machine &machine) {
  if (op.getPosition().size() != 1)
    return op.emitError() << "nested structs are not supported";
  const Register &container = machine.get(op.getContainer());
  const Register &value = machine.get(op.getValue());
  int64_t position = op.getPosition().front();
  return machine.compute(op, op->getOperands(), container.width,
                         [&](int thread, uint64_t *result) {
                           std::copy_n(container.at(thread), container.width,
                                       result);
                           result[position] = *value.at(thread);
                           return success();
                         });
}

void simt::populateWGMMA(Handlers &handlers) {
  handlers.add<NVVM::WgmmaMmaAsyncOp>(runMma);
  handlers.add<NVVM::WgmmaFenceAlignedOp>(runFence);
  handlers.add<NVVM::WgmmaGroupSyncAlignedOp>(runCommit);
  handlers.add<NVVM::WgmmaWaitGroupSyncOp>(runWait);
  handlers.add<LLVM::UndefOp>(runUndefined<LLVM::UndefOp>);
  handlers.add<LLVM::PoisonOp>(runUndefined<LLVM::PoisonOp>);
  handlers.add<LLVM::ExtractValueOp>(runExtract);
  handlers.add<LLVM::InsertValueOp>(runInsert);
}
