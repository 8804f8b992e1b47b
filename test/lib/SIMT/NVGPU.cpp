//===- NVGPU.cpp - mma.sync, ldmatrix and cp.async ------------------------===//
//
// Written from the PTX ISA's descriptions of mma, ldmatrix and cp.async, and
// from nothing else: whoever computes layouts is judged by this.
//
//===----------------------------------------------------------------------===//

#include "SIMT/NVGPU.h"
#include "SIMT/Elementwise.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {
struct Coordinate {
  int64_t row, column;
};

/// Where the elements of a lane's fragments lie in A (m x k), B (k x n) and C
/// (m x n), by the PTX ISA's tables "Matrix Fragments for mma.m16n8k..". There,
/// groupID is lane / 4, and threadID_in_group is lane % 4.
struct FragmentTable {
  int64_t m, n, k;
  unsigned elementBits;
  Coordinate (*a)(int64_t lane, int64_t i);
  Coordinate (*b)(int64_t lane, int64_t i);
  Coordinate (*c)(int64_t lane, int64_t i);
};
} // namespace

/// C and D of all m16n8: c0, c1 in row groupID, c2, c3 in row groupID + 8.
static Coordinate getC16x8(int64_t lane, int64_t i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

static const FragmentTable tables[] = {
    // m16n8k8, .f16 and .bf16
    {16, 8, 8, 16,
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
     },
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane % 4 * 2 + i, lane / 4};
     },
     getC16x8},
    // m16n8k16, .f16 and .bf16
    {16, 8, 16, 16,
     [](int64_t lane, int64_t i) -> Coordinate {
       bool upper = i < 2 || (i >= 4 && i < 6);
       return {lane / 4 + (upper ? 0 : 8),
               lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4};
     },
     getC16x8},
    // m16n8k4, .tf32
    {16, 8, 4, 32,
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane / 4 + (i == 0 ? 0 : 8), lane % 4};
     },
     [](int64_t lane, int64_t) -> Coordinate {
       return {lane % 4, lane / 4};
     },
     getC16x8},
    // m16n8k8, .tf32
    {16, 8, 8, 32,
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane / 4 + (i == 0 || i == 2 ? 0 : 8),
               lane % 4 + (i < 2 ? 0 : 4)};
     },
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane % 4 + (i == 0 ? 0 : 4), lane / 4};
     },
     getC16x8},
    // m8n8k4, .f64
    {8, 8, 4, 64,
     [](int64_t lane, int64_t) -> Coordinate {
       return {lane / 4, lane % 4};
     },
     [](int64_t lane, int64_t) -> Coordinate {
       return {lane % 4, lane / 4};
     },
     [](int64_t lane, int64_t i) -> Coordinate {
       return {lane / 4, lane % 4 * 2 + i};
     }},
};

/// Gathers a fragmented matrix of `columns` columns.
static void gatherMatrix(const Register &fragments, ArrayRef<int> lanes,
                         Coordinate (*where)(int64_t, int64_t), int64_t columns,
                         ScalarFormat::Kind kind, bool isTF32,
                         std::vector<double> &matrix) {
  for (auto [lane, thread] : llvm::enumerate(lanes))
    for (int64_t i = 0; i < fragments.width; ++i) {
      Coordinate at = where(static_cast<int64_t>(lane), i);
      uint64_t word = fragments.at(thread)[i];
      // tf32 has 10 bits of mantissa; the others are not looked at.
      matrix[at.row * columns + at.column] =
          decode(isTF32 ? word & ~0x1fffull : word, kind);
    }
}

/// Reads an element of 8 bits of the type `name` in PTX.
static double decodeByte(uint64_t bits, StringRef name) {
  bits &= 0xff;
  if (name == "s8")
    return static_cast<double>(signExtend(bits, 8));
  if (name == "u8")
    return static_cast<double>(bits);
  return decode(bits,
                name == "e4m3" ? ScalarFormat::F8E4M3FN : ScalarFormat::F8E5M2);
}

/// mma.sync.m16n8k32 of elements of 8 bits, as assembly: words have four of
/// them of A and B each. By the table "Matrix Fragments for mma.m16n8k32". Sums
/// of integers wrap around: in double they are exact before.
LogicalResult simt::runMmaAssembly(LLVM::InlineAsmOp op, Machine &machine) {
  StringRef text = op.getAsmString(), ofA, ofB;
  bool isInteger = false;
  auto matches = [&](StringRef a, StringRef b, StringRef c) {
    if (text != ("mma.sync.aligned.m16n8k32.row.col." + c + "." + a + "." + b +
                 "." + c +
                 " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                 "{$10, $11, $12, $13};")
                    .str())
      return;
    ofA = a;
    ofB = b;
    isInteger = c == "s32";
  };
  for (StringRef a : {"e4m3", "e5m2"})
    matches(a, a, "f32");
  for (StringRef a : {"s8", "u8"})
    for (StringRef b : {"s8", "u8"})
      matches(a, b, "s32");
  if (ofA.empty() || op->getNumOperands() != 10 || machine.isHost() ||
      op.getConstraints() !=
          (isInteger ? StringRef("=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r")
                     : StringRef("=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f")))
    return op.emitError() << "assembly '" << text
                          << "' is not supported by the SIMT interpreter";
  auto result = machine.make(/*width=*/4, /*uniform=*/false);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        if (lanes.size() != 32)
          return op.emitError() << "expected subgroups of 32 threads";
        ++machine.statistics->mmas;
        double a[16][32], b[32][8], c[16][8];
        auto read = [&](unsigned operand, int thread) {
          return machine.get(op->getOperand(operand)).at(thread)[0];
        };
        for (auto [lane, thread] : llvm::enumerate(lanes)) {
          int64_t group = lane / 4, inGroup = lane % 4;
          for (int64_t i = 0; i < 16; ++i)
            a[group + (i / 4 % 2 ? 8 : 0)]
             [inGroup * 4 + i % 4 + (i < 8 ? 0 : 16)] =
                 decodeByte(read(i / 4, thread) >> (8 * (i % 4)), ofA);
          for (int64_t i = 0; i < 8; ++i)
            b[inGroup * 4 + i % 4 + (i < 4 ? 0 : 16)][group] =
                decodeByte(read(4 + i / 4, thread) >> (8 * (i % 4)), ofB);
          for (int64_t i = 0; i < 4; ++i)
            c[group + (i < 2 ? 0 : 8)][inGroup * 2 + i % 2] =
                isInteger
                    ? static_cast<double>(signExtend(read(6 + i, thread), 32))
                    : decode(read(6 + i, thread), ScalarFormat::F32);
        }
        for (auto [lane, thread] : llvm::enumerate(lanes))
          for (int64_t i = 0; i < 4; ++i) {
            int64_t row = lane / 4 + (i < 2 ? 0 : 8),
                    column = lane % 4 * 2 + i % 2;
            double sum = c[row][column];
            for (int64_t k = 0; k < 32; ++k)
              sum += a[row][k] * b[k][column];
            result->at(thread)[i] =
                isInteger ? static_cast<uint32_t>(static_cast<int64_t>(sum))
                          : encode(sum, ScalarFormat::F32);
          }
        return success();
      });
  machine.set(op->getResult(0), result);
  return done;
}

/// Products are exact, and summed up in double; the sum is rounded once to the
/// type of C. The hardware's order and rounding are not specified.
static LogicalResult runMma(nvgpu::MmaSyncOp op, Machine &machine) {
  std::optional<ScalarFormat> from = getFormat(op.getMatrixA());
  std::optional<ScalarFormat> to = getFormat(op.getMatrixC());
  std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
  int64_t m = shape[0], n = shape[1], k = shape[2];
  const FragmentTable *table = nullptr;
  for (const FragmentTable &candidate : tables)
    if (from && from->isFloat() && candidate.elementBits == from->bits &&
        candidate.m == m && candidate.n == n && candidate.k == k)
      table = &candidate;
  if (!table || !to || !to->isFloat() || machine.isHost())
    return op.emitError() << "mma.sync of shape " << m << "x" << n << "x" << k
                          << " of " << op.getMatrixA().getType()
                          << " is not supported by the SIMT interpreter";
  const Register &a = machine.get(op.getMatrixA());
  const Register &b = machine.get(op.getMatrixB());
  const Register &c = machine.get(op.getMatrixC());
  bool isTF32 = from->kind == ScalarFormat::F32;
  auto result = machine.make(c.width, /*uniform=*/false);
  std::vector<double> lhs(m * k), rhs(k * n), acc(m * n);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        if (lanes.size() != 32)
          return op.emitError() << "expected subgroups of 32 threads";
        ++machine.statistics->mmas;
        gatherMatrix(a, lanes, table->a, k, from->kind, isTF32, lhs);
        gatherMatrix(b, lanes, table->b, n, from->kind, isTF32, rhs);
        gatherMatrix(c, lanes, table->c, n, to->kind, false, acc);
        for (int64_t row = 0; row < m; ++row)
          for (int64_t i = 0; i < k; ++i)
            for (int64_t column = 0; column < n; ++column)
              acc[row * n + column] += lhs[row * k + i] * rhs[i * n + column];
        for (auto [lane, thread] : llvm::enumerate(lanes))
          for (int64_t i = 0; i < c.width; ++i) {
            Coordinate at = table->c(static_cast<int64_t>(lane), i);
            result->at(thread)[i] =
                encode(acc[at.row * n + at.column], to->kind);
          }
        return success();
      });
  machine.set(op, result);
  return done;
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Reads the 16 bytes of the row whose address lane `provider` gives.
static LogicalResult readRow(nvgpu::LdMatrixOp op, Machine &machine,
                             int provider, ArrayRef<int> lanes, int64_t row,
                             const ElementFormat &format, uint64_t *words) {
  const Register &memref = machine.get(op.getSrcMemref());
  View view(memref.at(provider), memref.width);
  int64_t count = 16 / format.bytes();
  SmallVector<int64_t> indices = getValues(machine, op.getIndices(), provider);
  FailureOr<int64_t> offset = machine.getOffset(op, provider, view, indices);
  if (failed(offset))
    return failure();
  // All of the row must be within the memref, and adjacent.
  indices.back() += count - 1;
  FailureOr<int64_t> last = machine.getOffset(op, provider, view, indices);
  if (failed(last))
    return failure();
  if (*last != *offset + count - 1)
    return machine.error(op, provider)
           << "expected the elements of a row to be adjacent, got a stride of "
           << view.stride(view.rank - 1);
  Memory &memory = machine.program.memory;
  if (!memory.isValid(view.buffer()) ||
      memory.get(view.buffer()).space != MemorySpace::Workgroup)
    return machine.error(op, provider) << "reads what is not workgroup memory";
  if (failed(machine.checkAlignment(op, provider, view, *offset, format, 16)) ||
      failed(machine.load(op, provider, view, *offset, format, count, words)))
    return failure();
  // The row is read by those who get it too, so that what one lane wrote is not
  // ordered before the read of another by the address alone.
  if (machine.program.options.checkRaces)
    for (int64_t i = 0; i < 4; ++i) {
      int reader = lanes[row * 4 + i];
      std::string wrong = memory.recordRead(
          memory.get(view.buffer()), view.base() + *offset * format.bytes(), 16,
          machine.accessor(reader));
      if (!wrong.empty())
        return machine.error(op, reader) << wrong;
    }
  return success();
}

/// Lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i, of eight
/// rows of 16 bytes. Lane l gets, of each matrix, bytes 4 (l % 4) to
/// 4 (l % 4) + 3 of row l / 4; transposed, the elements of 16 bits of rows
/// 2 (l % 4) and 2 (l % 4) + 1 in column l / 4.
static LogicalResult runLdMatrix(nvgpu::LdMatrixOp op, Machine &machine) {
  std::optional<ElementFormat> format = getElementFormat(
      cast<MemRefType>(op.getSrcMemref().getType()).getElementType());
  int64_t matrices = op.getNumTiles(), width = getWidth(op.getType());
  bool transpose = op.getTranspose();
  if (!format || 4 % format->bytes() || machine.isHost() ||
      width * format->bytes() != matrices * 4 ||
      (transpose && format->bytes() != 2) || op.getIndices().empty())
    return op.emitError() << "ldmatrix of type " << op.getType()
                          << " is not supported by the SIMT interpreter";
  int64_t perLane = 4 / format->bytes(), perRow = 16 / format->bytes();
  auto result = machine.make(width, /*uniform=*/false);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        if (lanes.size() != 32)
          return op.emitError() << "expected subgroups of 32 threads";
        ++machine.statistics->ldmatrices;
        for (int64_t matrix = 0; matrix < matrices; ++matrix) {
          std::vector<uint64_t> rows(8 * perRow);
          for (int64_t row = 0; row < 8; ++row)
            if (failed(readRow(op, machine, lanes[matrix * 8 + row], lanes, row,
                               *format, rows.data() + row * perRow)))
              return failure();
          for (int64_t lane = 0; lane < 32; ++lane)
            for (int64_t i = 0; i < perLane; ++i) {
              int64_t row = transpose ? lane % 4 * 2 + i : lane / 4;
              int64_t column = transpose ? lane / 4 : lane % 4 * perLane + i;
              result->at(lanes[lane])[matrix * perLane + i] =
                  rows[row * perRow + column];
            }
        }
        return success();
      });
  machine.set(op, result);
  return done;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// The first byte of `count` elements at the indices, which must be adjacent
/// and within the memref.
static FailureOr<int64_t> getRange(Operation *op, Machine &machine, int thread,
                                   const View &view, ValueRange indices,
                                   const ElementFormat &format, int64_t count,
                                   int64_t bytes, const char *verb) {
  SmallVector<int64_t> at = getValues(machine, indices, thread);
  FailureOr<int64_t> offset = machine.getOffset(op, thread, view, at);
  if (failed(offset))
    return failure();
  if (count > 1 && !at.empty()) {
    at.back() += count - 1;
    FailureOr<int64_t> last = machine.getOffset(op, thread, view, at);
    if (failed(last))
      return failure();
    if (*last != *offset + count - 1)
      return machine.error(op, thread)
             << "expected adjacent elements, got a stride of "
             << view.stride(view.rank - 1);
  }
  if (failed(machine.checkAlignment(op, thread, view, *offset, format, bytes)))
    return failure();
  return machine.getByte(op, thread, view, *offset, format, count, verb);
}

static LogicalResult startCopy(nvgpu::DeviceAsyncCopyOp op, Machine &machine,
                               int thread, const ElementFormat &format) {
  Memory &memory = machine.program.memory;
  const Register &from = machine.get(op.getSrc()),
                 &to = machine.get(op.getDst());
  View source(from.at(thread), from.width), target(to.at(thread), to.width);
  int64_t count = op.getDstElements().getSExtValue(), read = count;
  if (op.getSrcElements())
    read = machine.get(op.getSrcElements()).signedAt(thread);
  int64_t bytes = count * format.bytes();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return machine.error(op, thread)
           << "expected a copy of 4, 8 or 16 bytes, got " << bytes;
  if (read < 0 || read > count)
    return machine.error(op, thread)
           << "expected 0 to " << count << " elements to be read, got " << read;
  FailureOr<int64_t> targetByte =
      getRange(op, machine, thread, target, op.getDstIndices(), format, count,
               bytes, "writes");
  if (failed(targetByte))
    return failure();
  Buffer &buffer = memory.get(target.buffer());
  if (buffer.space != MemorySpace::Workgroup)
    return machine.error(op, thread) << "copies to other than workgroup memory";
  Workgroup::Copy copy;
  copy.target = *targetByte;
  copy.targetBuffer = target.buffer();
  copy.data.assign(bytes, 0);
  copy.initialized.assign(bytes, 1);
  if (read > 0) {
    FailureOr<int64_t> sourceByte =
        getRange(op, machine, thread, source, op.getSrcIndices(), format, read,
                 bytes, "reads");
    if (failed(sourceByte))
      return failure();
    Buffer &data = memory.get(source.buffer());
    int64_t size = read * format.bytes();
    if (machine.program.options.checkRaces) {
      std::string wrong =
          memory.recordRead(data, *sourceByte, size, machine.accessor(thread));
      if (!wrong.empty())
        return machine.error(op, thread) << wrong;
    }
    std::copy_n(data.data.begin() + *sourceByte, size, copy.data.begin());
    std::copy_n(data.initialized.begin() + *sourceByte, size,
                copy.initialized.begin());
  }
  if (machine.program.options.checkRaces) {
    std::string wrong =
        memory.startCopy(buffer, *targetByte, bytes, machine.accessor(thread));
    if (!wrong.empty())
      return machine.error(op, thread) << wrong;
  }
  machine.trace(buffer, thread, *targetByte, bytes);
  machine.workgroup->copies[thread].open.push_back(std::move(copy));
  ++machine.statistics->asyncCopies;
  return success();
}

static LogicalResult runAsyncCopy(nvgpu::DeviceAsyncCopyOp op,
                                  Machine &machine) {
  std::optional<ElementFormat> format = getElementFormat(
      cast<MemRefType>(op.getDst().getType()).getElementType());
  if (!format || machine.isHost())
    return op.emitError() << "copies to " << op.getDst().getType()
                          << " are not supported by the SIMT interpreter";
  for (int thread : machine.active())
    if (failed(startCopy(op, machine, thread, *format)))
      return failure();
  machine.set(op, machine.constant({0}));
  return success();
}

/// All copies of a thread that are in no group yet, as cp.async.commit_group. A
/// token is the number of groups of the thread up to now.
static LogicalResult runCreateGroup(nvgpu::DeviceAsyncCreateGroupOp op,
                                    Machine &machine) {
  if (machine.isHost())
    return op.emitError() << "outside of a gpu.launch";
  auto token = machine.make(1, /*uniform=*/false);
  for (int thread : machine.active()) {
    Workgroup::CopyQueue &queue = machine.workgroup->copies[thread];
    queue.groups.push_back(std::move(queue.open));
    queue.open.clear();
    *token->at(thread) = queue.numFinished + queue.groups.size();
  }
  machine.set(op, token);
  return success();
}

/// Waits until at most numGroups groups of the thread are pending; without that
/// attribute, until the group of the token is complete.
static LogicalResult runAsyncWait(nvgpu::DeviceAsyncWaitOp op,
                                  Machine &machine) {
  if (machine.isHost())
    return op.emitError() << "outside of a gpu.launch";
  const Register &token = machine.get(op.getAsyncDependencies());
  for (int thread : machine.active()) {
    Workgroup::CopyQueue &queue = machine.workgroup->copies[thread];
    if (std::optional<uint32_t> pending = op.getNumGroups()) {
      while (queue.groups.size() > *pending)
        machine.finishCopies(thread);
    } else {
      while (queue.numFinished < token.signedAt(thread))
        machine.finishCopies(thread);
    }
  }
  return success();
}

void simt::populateNVGPU(Handlers &handlers) {
  handlers.add<nvgpu::MmaSyncOp>(runMma);
  handlers.add<nvgpu::LdMatrixOp>(runLdMatrix);
  handlers.add<nvgpu::DeviceAsyncCopyOp>(runAsyncCopy);
  handlers.add<nvgpu::DeviceAsyncCreateGroupOp>(runCreateGroup);
  handlers.add<nvgpu::DeviceAsyncWaitOp>(runAsyncWait);
}
