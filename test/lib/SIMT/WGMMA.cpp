//===- WGMMA.cpp - Asynchronous products of a warpgroup -------------------===//
//
// Written from the PTX ISA's description of wgmma.mma_async: the matrix
// descriptors, the layouts of operands in workgroup memory, and the fragments
// of A and D. It shares no code with the layouts that it checks. The operands
// of vector_ext.async_mma are read as its description says, not by a
// descriptor.
//
// A product is computed when it starts. Until something waits for its group,
// its reads of workgroup memory and its registers are open.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Concurrency.h"
#include "SIMT/Elementwise.h"
#include "SIMT/TMA.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <algorithm>
#include <limits>

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

/// What memory holds that was never written: an integer is as good as another.
static double getUndefined(ScalarFormat::Kind kind) {
  return kind == ScalarFormat::Int ? -86
                                   : std::numeric_limits<double>::quiet_NaN();
}

namespace {
/// Reads an operand of a product.
class OperandReader {
public:
  OperandReader(Operation *op, Machine &machine, const Accessor &by)
      : op(op), machine(machine), by(by) {}

  /// Reads the matrix (mn, k) of a descriptor, in row-major order.
  FailureOr<std::vector<double>> read(uint64_t bits, int64_t mn, int64_t k,
                                      ScalarFormat::Kind kind, bool isKMajor,
                                      const char *name);
  /// Reads the matrix (rows, columns) from (row, column) on of a tile at
  /// `address`, in row-major order.
  FailureOr<std::vector<double>> read(int64_t address,
                                      vector_ext::SharedAttr layout,
                                      int64_t row, int64_t column, int64_t rows,
                                      int64_t columns, ScalarFormat::Kind kind,
                                      bool isUnsigned, const char *name);

private:
  /// Returns the bytes at `address`; null if operand A has none there. Rows of
  /// it that were never written make the same rows of the result undefined, and
  /// no others.
  FailureOr<const uint8_t *> readBytes(int64_t address, int64_t size,
                                       const char *name);

  Operation *op;
  Machine &machine;
  Accessor by;
  int64_t found = -1; ///< The last buffer.
};
} // namespace

FailureOr<const uint8_t *>
OperandReader::readBytes(int64_t address, int64_t size, const char *name) {
  Memory &memory = machine.program.memory;
  auto isInside = [&](int64_t id) {
    const Buffer &buffer = memory.get(id);
    return buffer.space == MemorySpace::Workgroup && !buffer.freed &&
           address >= buffer.address &&
           address + size <= buffer.address + buffer.size();
  };
  // Other workgroups of the cluster have memory at the same addresses.
  auto isOwn = [&](int64_t id) {
    return memory.findInGroup(machine.workgroup->member, id) == id;
  };
  if (found < 0 || !isInside(found))
    for (found = memory.numBuffers() - 1; found >= 0; --found)
      if (isInside(found) && isOwn(found))
        break;
  if (found < 0)
    return machine.error(op)
           << "out of bounds: operand " << name << " reads bytes " << address
           << " to " << address + size << ", where nothing is allocated";
  Buffer &buffer = memory.get(found);
  int64_t begin = address - buffer.address;
  if (machine.program.options.checkRaces) {
    std::string subject = std::string("operand ") + name + " ";
    by.subject = subject.c_str();
    std::string wrong = memory.recordRead(buffer, begin, size, by);
    if (!wrong.empty())
      return machine.error(op) << wrong;
  }
  if (!machine.program.options.checkUninitialized)
    return buffer.data.data() + begin;
  const uint8_t *first = buffer.initialized.data() + begin;
  int64_t written = size - std::count(first, first + size, 0);
  if (written == 0 && *name == 'A')
    return nullptr;
  if (written != size)
    return machine.error(op)
           << "operand " << name
           << " reads memory that was never written: byte "
           << std::find(first, first + size, 0) - first + begin
           << " of an allocation of " << buffer.size();
  return buffer.data.data() + begin;
}

static int64_t getBytes(ScalarFormat::Kind kind) {
  return isF8(kind) || kind == ScalarFormat::Int ? 1
         : kind == ScalarFormat::F32             ? 4
                                                 : 2;
}

/// Decodes an element; tf32 has 10 bits of mantissa, the others are not looked
/// at.
static double decodeElement(const uint8_t *bytes, ScalarFormat::Kind kind,
                            bool isUnsigned = false) {
  if (kind == ScalarFormat::Int)
    return isUnsigned ? double(*bytes) : double(static_cast<int8_t>(*bytes));
  if (isF8(kind))
    return decode(*bytes, kind);
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
  int64_t bytes = getBytes(kind), perChunk = 16 / bytes;
  int64_t fastSize = isKMajor ? k : mn, slowSize = isKMajor ? mn : k;
  std::vector<double> matrix(mn * k);
  for (int64_t slow = 0; slow < slowSize; ++slow)
    for (int64_t fast = 0; fast < fastSize; fast += perChunk) {
      int64_t address =
          swizzleAddress(descriptor.getAddress(fast, slow, perChunk, isKMajor),
                         descriptor.swizzle);
      FailureOr<const uint8_t *> chunk = readBytes(address, 16, name);
      if (failed(chunk))
        return failure();
      for (int64_t i = 0; i < perChunk; ++i) {
        int64_t row = isKMajor ? slow : fast + i;
        int64_t column = isKMajor ? fast + i : slow;
        matrix[row * k + column] = *chunk
                                       ? decodeElement(*chunk + i * bytes, kind)
                                       : getUndefined(kind);
      }
    }
  return matrix;
}

/// Returns the place of an element as the attribute describes it: rows of
/// `panel` columns, the panels one after the other, and bits XORed.
static int64_t getPlace(vector_ext::SharedAttr layout, int64_t i, int64_t j) {
  int64_t index[2] = {i, j}, bytes = layout.getBits() / 8;
  unsigned slow = layout.getOrder()[0], fast = layout.getOrder()[1];
  int64_t panel =
      layout.getPanel() ? layout.getPanel() : layout.getShape()[fast];
  int64_t pitch = panel * bytes + layout.getPadding();
  int64_t offset = index[fast] / panel * pitch * layout.getShape()[slow] +
                   index[slow] * pitch + index[fast] % panel * bytes;
  ArrayRef<int64_t> swizzle = layout.getSwizzle();
  int64_t mask = ((1ll << swizzle[0]) - 1) << swizzle[1];
  return offset ^ (offset >> swizzle[2] & mask);
}

FailureOr<std::vector<double>>
OperandReader::read(int64_t address, vector_ext::SharedAttr layout, int64_t row,
                    int64_t column, int64_t rows, int64_t columns,
                    ScalarFormat::Kind kind, bool isUnsigned,
                    const char *name) {
  std::vector<double> matrix;
  for (int64_t i = row; i < row + rows; ++i)
    for (int64_t j = column; j < column + columns; ++j) {
      FailureOr<const uint8_t *> bytes = readBytes(
          address + getPlace(layout, i, j), layout.getBits() / 8, name);
      if (failed(bytes))
        return failure();
      matrix.push_back(*bytes ? decodeElement(*bytes, kind, isUnsigned)
                              : getUndefined(kind));
    }
  return matrix;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Row and column of element `i` of a thread's fragment of D, by the table "D
/// fragment layout for wgmma.mma_async.m64nNk".
static std::pair<int64_t, int64_t> getFragment(int64_t thread, int64_t i) {
  int64_t warp = thread / 32, lane = thread % 32;
  return {warp * 16 + lane / 4 + i / 2 % 2 * 8,
          i / 4 * 8 + lane % 4 * 2 + i % 2};
}

/// Row and column of element `i` of a thread's fragment of A, by the tables "A
/// fragment layout for wgmma.mma_async.m64nNk16", "... m64nNk8" and "...
/// m64nNk32".
static std::pair<int64_t, int64_t> getFragmentOfA(int64_t thread, int64_t i,
                                                  int64_t k) {
  int64_t row = thread / 32 * 16 + thread % 32 / 4, lane = thread % 4;
  if (k == 8)
    return {row + i % 2 * 8, lane + i / 2 * 4};
  if (k == 32)
    return {row + i / 4 % 2 * 8, lane * 4 + i % 4 + i / 8 * 16};
  return {row + i / 2 % 2 * 8, lane * 2 + i % 2 + i / 4 * 8};
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
  case NVVM::WGMMATypes::e4m3:
    return ScalarFormat::F8E4M3FN;
  case NVVM::WGMMATypes::e5m2:
    return ScalarFormat::F8E5M2;
  case NVVM::WGMMATypes::tf32:
  case NVVM::WGMMATypes::f32:
    return ScalarFormat::F32;
  default:
    return std::nullopt;
  }
}

/// D = A B + D, for A (m, k) and B (n, k). Sums are exact in double, and are
/// rounded once: the order of the hardware is not specified. (It sums products
/// of 8 bits with fewer bits than f32 has, which is not modelled.)
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

namespace {
/// What a product reads and writes.
struct Product {
  ProductQueue &queue;
  std::array<int64_t, 3> shape;
  /// The format of D.
  ScalarFormat::Kind to;
  bool packs = false; ///< Two f16 of D share a word.
  bool accumulates = true;
};
} // namespace

/// Accesses after all that all active threads know of, in the group that is not
/// committed.
static Accessor getAccessor(Machine &machine, const ProductQueue &queue,
                            Past &past) {
  const WorkgroupClocks &clocks = machine.concurrency().clocks;
  int first = machine.active().front();
  past = clocks.of(first);
  for (int thread : machine.active())
    past.meet(clocks.of(thread));
  Accessor by = machine.concurrency().accessor(first);
  by.past = &past;
  by.agent = queue.agent;
  by.time = queue.committed + 1;
  by.isAsynchronous = true;
  return by;
}

/// Computes D = A B + `acc` into open registers.
static RegisterRef compute(Machine &machine, const Product &product,
                           ArrayRef<double> a, ArrayRef<double> b,
                           const Register &acc, double sign) {
  auto [m, n, k] = product.shape;
  int first = machine.active().front();
  std::vector<double> sums(m * n);
  if (product.accumulates)
    for (int i = 0; i < 128; ++i)
      forEachElement(
          i, n, product.packs, [&](int64_t at, int64_t word, unsigned bit) {
            uint64_t bits = acc.at(first + i)[word] >> bit;
            sums[at] =
                product.to == ScalarFormat::Int
                    ? static_cast<double>(signExtend(bits, 32))
                    : decode(product.packs ? bits & 0xffff : bits, product.to);
          });
  multiply(a, b, sums, n, k, sign);
  auto result = machine.make(acc.width, /*uniform=*/false);
  for (int i = 0; i < 128; ++i)
    forEachElement(
        i, n, product.packs, [&](int64_t at, int64_t word, unsigned bit) {
          // Sums of integers wrap around.
          result->at(first + i)[word] |=
              product.to == ScalarFormat::Int
                  ? static_cast<uint32_t>(static_cast<int64_t>(sums[at]))
                  : encode(sums[at], product.to) << bit;
        });
  result->product = std::make_shared<OpenProduct>(
      OpenProduct{first / 128, product.queue.committed + 1, product.shape});
  product.queue.hasOpen = true;
  ++machine.statistics->wgmmas;
  return result;
}

static LogicalResult runProduct(NVVM::WgmmaMmaAsyncOp op, Machine &machine,
                                ProductQueue &queue) {
  int64_t n = op.getShape().getN(), k = op.getShape().getK();
  std::optional<ScalarFormat::Kind> kind = getKind(op.getTypeA());
  std::optional<ScalarFormat::Kind> kindB = getKind(op.getTypeB());
  std::optional<ScalarFormat::Kind> kindD = getKind(op.getTypeD());
  // Types of 8 bits may differ.
  bool isSame = kind == kindB || (kind && kindB && isF8(*kind) && isF8(*kindB));
  if (!isSame || !kind || !kindD)
    return op.emitError() << "wgmma of these types is not supported by the "
                             "SIMT interpreter";
  if (!queue.fence)
    return machine.error(op) << "expected a wgmma.fence before the first "
                                "product of a warpgroup";
  Product product{queue, {64, n, k}, *kindD};
  product.packs = *kindD == ScalarFormat::F16;
  product.accumulates = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  RegisterRef acc = machine.getRef(op.getInouts());
  if (product.accumulates &&
      failed(checkAccumulator(op, machine, *acc, queue, product.shape)))
    return failure();
  FailureOr<int64_t> a =
      machine.getUniform(op, op.getDescriptorA(), "descriptor A");
  if (failed(a))
    return failure();
  FailureOr<int64_t> b =
      machine.getUniform(op, op.getDescriptorB(), "descriptor B");
  if (failed(b))
    return failure();
  Past past;
  OperandReader reader(op, machine, getAccessor(machine, queue, past));
  FailureOr<std::vector<double>> lhs = reader.read(
      *a, 64, k, *kind, op.getLayoutA() == NVVM::MMALayout::row, "A");
  if (failed(lhs))
    return failure();
  FailureOr<std::vector<double>> rhs = reader.read(
      *b, n, k, *kindB, op.getLayoutB() == NVVM::MMALayout::col, "B");
  if (failed(rhs))
    return failure();
  bool negates = (op.getScaleA() == NVVM::WGMMAScaleIn::neg) !=
                 (op.getScaleB() == NVVM::WGMMAScaleIn::neg);
  machine.set(op,
              compute(machine, product, *lhs, *rhs, *acc, negates ? -1 : 1));
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

/// The active threads know that the groups up to `finished` are complete.
static void finishProducts(Machine &machine, ProductQueue &queue) {
  for (int thread : machine.active())
    machine.concurrency().clocks.of(thread).accesses.raise(queue.agent,
                                                           queue.finished);
  llvm::erase_if(queue.operands, [&](const auto &operand) {
    return operand.second <= queue.finished;
  });
}

/// Waits until at most `group` groups are pending.
static LogicalResult runWait(NVVM::WgmmaWaitGroupSyncOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    int64_t finished = static_cast<int64_t>(queue.committed) -
                       static_cast<int64_t>(op.getGroup());
    if (finished > queue.finished)
      queue.finished = static_cast<uint32_t>(finished);
    finishProducts(machine, queue);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Ops of vector_ext
//===----------------------------------------------------------------------===//

/// Reads an operand of async_mma in workgroup memory, as (rows, columns).
static FailureOr<std::vector<double>>
readTile(vector_ext::AsyncMmaOp op, Machine &machine, OperandReader &reader,
         Value memory, ValueRange indices, vector_ext::SharedAttr layout,
         int64_t rows, int64_t columns, ScalarFormat::Kind kind,
         bool isUnsigned, const char *name) {
  int first = machine.active().front();
  FailureOr<int64_t> row =
      machine.getUniform(op, indices[0], "the index of a tile");
  if (failed(row))
    return failure();
  FailureOr<int64_t> column =
      machine.getUniform(op, indices[1], "the index of a tile");
  if (failed(column))
    return failure();
  if (*row < 0 || *column < 0 || *row + rows > layout.getShape()[0] ||
      *column + columns > layout.getShape()[1])
    return machine.error(op)
           << "out of bounds: operand " << name << " reads elements (" << *row
           << ", " << *column << ") to (" << *row + rows << ", "
           << *column + columns << ") of a tile of " << layout.getShape()[0]
           << "x" << layout.getShape()[1];
  const Register &memref = machine.get(memory);
  View view(memref.at(first), memref.width);
  if (!machine.program.memory.isValid(view.buffer()))
    return machine.error(op) << "reads a memref that is not specified";
  int64_t address = machine.program.memory.get(view.buffer()).address +
                    view.base() + view.offset() * layout.getBits() / 8;
  // The hardware swizzles addresses, not places in the tile.
  ArrayRef<int64_t> swizzle = layout.getSwizzle();
  int64_t period =
      swizzle[0] ? 1ll << (swizzle[0] + swizzle[1] + swizzle[2]) : 16;
  if (address % period)
    return machine.error(op)
           << "misaligned: expected the tile of operand " << name
           << " to be at a multiple of " << period
           << " bytes, got a remainder of " << address % period;
  return reader.read(address, layout, *row, *column, rows, columns, kind,
                     isUnsigned, name);
}

static std::vector<double> transpose(ArrayRef<double> matrix, int64_t rows,
                                     int64_t columns) {
  std::vector<double> result;
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      result.push_back(matrix[row * columns + column]);
  return result;
}

/// A group of its own, which `await` waits for.
static LogicalResult runAsyncProduct(vector_ext::AsyncMmaOp op,
                                     Machine &machine, ProductQueue &queue) {
  int64_t n = 0, k = 0;
  StringRef rest = op.getIntrinsic();
  std::optional<ScalarFormat> fromA = getFormat(op.getLhs());
  std::optional<ScalarFormat> fromB = getFormat(op.getRhs());
  std::optional<ScalarFormat> to = getFormat(op.getAcc());
  // wgmma.m64n<N>k<K>.<type of D>.<type of A and B, or both>
  if (!rest.consume_front("wgmma.m64n") || rest.consumeInteger(10, n) ||
      !rest.consume_front("k") || rest.consumeInteger(10, k) || !fromA ||
      !fromB || !to)
    return op.emitError() << "'" << op.getIntrinsic()
                          << "' is not supported by the SIMT interpreter";
  Product product{queue, {64, n, k}, to->kind};
  RegisterRef acc = machine.getRef(op.getAcc());
  if (acc->product && acc->product->shape != product.shape)
    return machine.error(op) << "accumulates on an open product of another "
                                "shape";
  // ".s8" and ".u8", of A and then of B.
  bool isUnsignedA = rest.consume_front(".s32") && rest.starts_with(".u8"),
       isUnsignedB = rest.ends_with(".u8");
  // The hardware transposes no bytes.
  bool hasBytes = isF8(fromB->kind) || fromB->kind == ScalarFormat::Int;
  if ((hasBytes && op.getRhsLayout().getOrder()[1] != 0) ||
      (hasBytes && op.getLhsLayout() && op.getLhsLayout()->getOrder()[1] != 1))
    return op.emitError() << "expected operands of 8 bits in which k is "
                             "contiguous";
  Past past;
  OperandReader reader(op, machine, getAccessor(machine, queue, past));
  std::vector<double> lhs(64 * k);
  if (op.getLhsLayout()) {
    FailureOr<std::vector<double>> tile =
        readTile(op, machine, reader, op.getLhs(), op.getLhsIndices(),
                 *op.getLhsLayout(), 64, k, fromA->kind, isUnsignedA, "A");
    if (failed(tile))
      return failure();
    lhs = *tile;
  } else {
    RegisterRef fragment = machine.getRef(op.getLhs());
    int first = machine.active().front();
    for (int thread = 0; thread < 128; ++thread)
      for (int64_t i = 0; i < fragment->width; ++i) {
        auto [row, column] = getFragmentOfA(thread, i, k);
        uint64_t word = fragment->at(first + thread)[i];
        lhs[row * k + column] =
            fromA->kind == ScalarFormat::Int
                ? (isUnsignedA ? double(word & 0xff)
                               : double(signExtend(word & 0xff, 8)))
                : decode(fromA->kind == ScalarFormat::F32 ? word & ~0x1fffull
                                                          : word,
                         fromA->kind);
      }
    queue.operands.push_back({fragment, queue.committed + 1});
  }
  FailureOr<std::vector<double>> rhs =
      readTile(op, machine, reader, op.getRhs(), op.getRhsIndices(),
               op.getRhsLayout(), k, n, fromB->kind, isUnsignedB, "B");
  if (failed(rhs))
    return failure();
  machine.set(op, compute(machine, product, lhs, transpose(*rhs, k, n), *acc,
                          /*sign=*/1));
  ++queue.committed;
  queue.hasOpen = false;
  return success();
}

static LogicalResult runAsyncMma(vector_ext::AsyncMmaOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    return runAsyncProduct(op, machine, queue);
  });
}

/// Products finish in order.
static LogicalResult runAwait(vector_ext::AwaitOp op, Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    for (auto [input, result] :
         llvm::zip_equal(op.getInputs(), op.getResults())) {
      RegisterRef open = machine.getRef(input);
      // A loop of no iteration carries what it starts from.
      if (!open->product && input.getDefiningOp<vector_ext::AsyncMmaOp>())
        return LogicalResult(machine.error(op)
                             << "waits for what is no open product");
      if (open->product)
        queue.finished = std::max(queue.finished, open->product->group);
      auto closed = machine.make(open->width, /*uniform=*/false);
      closed->words = open->words;
      machine.set(result, closed);
    }
    finishProducts(machine, queue);
    return success();
  });
}

/// All before the first product of each chain is finished.
static LogicalResult runAwaitEarlier(vector_ext::AwaitEarlierOp op,
                                     Machine &machine) {
  return forWholeWarpgroup(op, machine, [&](ProductQueue &queue) {
    uint32_t first = queue.committed + 1;
    for (Value input : op.getInputs()) {
      auto start = input.getDefiningOp<vector_ext::AsyncMmaOp>();
      while (auto before =
                 start.getAcc().getDefiningOp<vector_ext::AsyncMmaOp>())
        start = before;
      RegisterRef open = machine.getRef(start.getResult());
      if (!open->product)
        return LogicalResult(machine.error(op)
                             << "waits for what is before no open product");
      first = std::min(first, open->product->group);
    }
    queue.finished = std::max(queue.finished, first - 1);
    finishProducts(machine, queue);
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
  handlers.add<vector_ext::AsyncMmaOp>(runAsyncMma);
  handlers.add<vector_ext::AwaitOp>(runAwait);
  handlers.add<vector_ext::AwaitEarlierOp>(runAwaitEarlier);
  handlers.add<LLVM::UndefOp>(runUndefined<LLVM::UndefOp>);
  handlers.add<LLVM::PoisonOp>(runUndefined<LLVM::PoisonOp>);
  handlers.add<LLVM::ExtractValueOp>(runExtract);
  handlers.add<LLVM::InsertValueOp>(runInsert);
}
