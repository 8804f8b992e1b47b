//===- AMDGPU.cpp - MFMA, WMMA, buffers and LDS ---------------------------===//
//
// Written from AMD's ISA manuals (CDNA3 and CDNA4, "Matrix Arithmetic
// Instructions", "Buffer Addressing", "LDS Instruction Details"; RDNA3 and
// RDNA4, "WMMA"), and from nothing else: whoever computes layouts is judged by
// this.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

namespace {
struct Coordinate {
  int64_t row, column;
};

/// Where the elements of a lane lie in A (m x k) and in C (m x n). B lies like
/// A, with rows and columns exchanged.
struct Fragments {
  int64_t m, n, k, lanes;
  llvm::function_ref<Coordinate(int64_t lane, int64_t i)> a, c;
};

/// How the elements of a matrix are read.
struct Elements {
  ScalarFormat format;
  bool isUnsigned = false;

  double decode(uint64_t word) const {
    if (format.isFloat())
      return simt::decode(word, format.kind);
    word &= format.mask();
    return isUnsigned ? static_cast<double>(word)
                      : static_cast<double>(signExtend(word, format.bits));
  }
  /// Integers wrap around: in double they are exact before.
  uint64_t encode(double value) const {
    return format.isFloat()
               ? simt::encode(value, format.kind)
               : static_cast<uint64_t>(static_cast<int64_t>(value)) &
                     format.mask();
  }
};
} // namespace

static Elements getElements(Value value, bool isUnsigned = false) {
  return {*getScalarFormat(getElementTypeOrSelf(value.getType())), isUnsigned};
}

/// Gathers a matrix of `columns` columns. Fails where copies of an element
/// differ.
static LogicalResult
gather(Operation *op, const Register &fragments, ArrayRef<int> threads,
       llvm::function_ref<Coordinate(int64_t, int64_t)> where, int64_t rows,
       int64_t columns, const Elements &elements, std::vector<double> &matrix) {
  std::vector<bool> isSet(rows * columns);
  std::vector<uint64_t> words(rows * columns);
  matrix.assign(rows * columns, 0);
  for (auto [lane, thread] : llvm::enumerate(threads))
    for (int64_t i = 0; i < fragments.width; ++i) {
      Coordinate at = where(static_cast<int64_t>(lane), i);
      int64_t index = at.row * columns + at.column;
      uint64_t word = fragments.at(thread)[i];
      if (isSet[index] && words[index] != word)
        return op->emitError()
               << "expected lanes to have equal copies of the element in row "
               << at.row << " and column " << at.column;
      isSet[index] = true;
      words[index] = word;
      matrix[index] = elements.decode(word);
    }
  return success();
}

/// Products are exact, and summed up in double; the sum is rounded once to the
/// type of C. The hardware's order and rounding are not specified.
template <typename OpTy>
static LogicalResult
multiply(OpTy op, Machine &machine, const Fragments &fragments,
         bool isUnsignedA = false, bool isUnsignedB = false) {
  int64_t m = fragments.m, n = fragments.n, k = fragments.k;
  const Register &a = machine.get(op.getSourceA());
  const Register &b = machine.get(op.getSourceB());
  const Register &c = machine.get(op.getDestC());
  Elements ofA = getElements(op.getSourceA(), isUnsignedA),
           ofB = getElements(op.getSourceB(), isUnsignedB),
           to = getElements(op.getDestC());
  auto whereB = [&](int64_t lane, int64_t i) {
    Coordinate at = fragments.a(lane, i);
    return Coordinate{at.column, at.row};
  };
  auto result = machine.make(c.width, /*uniform=*/false);
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> threads) -> LogicalResult {
        if (static_cast<int64_t>(threads.size()) != fragments.lanes)
          return op.emitError()
                 << "expected subgroups of " << fragments.lanes << " threads";
        ++machine.statistics->mmas;
        std::vector<double> lhs, rhs, acc;
        if (failed(gather(op, a, threads, fragments.a, m, k, ofA, lhs)) ||
            failed(gather(op, b, threads, whereB, k, n, ofB, rhs)) ||
            failed(gather(op, c, threads, fragments.c, m, n, to, acc)))
          return failure();
        for (int64_t row = 0; row < m; ++row)
          for (int64_t column = 0; column < n; ++column)
            for (int64_t i = 0; i < k; ++i)
              acc[row * n + column] += lhs[row * k + i] * rhs[i * n + column];
        for (auto [lane, thread] : llvm::enumerate(threads))
          for (int64_t i = 0; i < c.width; ++i) {
            Coordinate at = fragments.c(static_cast<int64_t>(lane), i);
            result->at(thread)[i] = to.encode(acc[at.row * n + at.column]);
          }
        return success();
      });
  machine.set(op, result);
  return done;
}

/// True if the operands are of floats of 8 or 16 bits or f32, and the result is
/// of f32; or if the operands are of i8, and the result is of i32.
template <typename OpTy>
static bool isSupported(OpTy op, Machine &machine) {
  Type from = getElementTypeOrSelf(op.getSourceA().getType());
  Type to = getElementTypeOrSelf(op.getDestC().getType());
  if (from.isInteger(8) && to.isInteger(32))
    return !machine.isHost() &&
           from == getElementTypeOrSelf(op.getSourceB().getType());
  return !machine.isHost() &&
         from == getElementTypeOrSelf(op.getSourceB().getType()) &&
         (from.isF16() || from.isBF16() || from.isF32() ||
          isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType,
              Float8E5M2FNUZType>(from)) &&
         to.isF32();
}

/// Of 64 lanes, 64 / m groups of m have k m / 64 elements of a row of A each.
/// C's rows are in groups of four, one for each of these groups of lanes.
static LogicalResult runMfma(amdgpu::MFMAOp op, Machine &machine) {
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  bool isPlain = op.getBlocks() == 1 && op.getCbsz() == 0 &&
                 op.getAbid() == 0 && op.getBlgp() == amdgpu::MFMAPermB::none &&
                 !op.getReducePrecision() && !op.getNegateA() &&
                 !op.getNegateB() && !op.getNegateC();
  if (m != n || (m != 16 && m != 32) || !isPlain || !isSupported(op, machine))
    return op.emitError() << "mfma of shape " << m << "x" << n << "x" << k
                          << " of " << op.getSourceA().getType()
                          << " is not supported by the SIMT interpreter";
  int64_t groups = 64 / m, perLane = k / groups;
  return multiply(op, machine,
                  {m, n, k, 64,
                   [&](int64_t lane, int64_t i) {
                     return Coordinate{lane % m, perLane * (lane / m) + i};
                   },
                   [&](int64_t lane, int64_t i) {
                     return Coordinate{4 * groups * (i / 4) + 4 * (lane / m) +
                                           i % 4,
                                       lane % m};
                   }});
}

/// With 16 elements a lane, as on gfx11, lanes 16 to 31 have copies of A and B,
/// and the rows of C alternate between the halves. With 8, as on gfx12, each
/// half has half of the elements of a row of A, and half of the rows of C.
static LogicalResult runWmma(amdgpu::WMMAOp op, Machine &machine) {
  int64_t width = getWidth(op.getSourceA().getType());
  if (op.getM() != 16 || op.getN() != 16 || op.getK() != 16 ||
      (width != 8 && width != 16) || op.getSubwordOffset() != 0 ||
      op.getClamp() || !isSupported(op, machine))
    return op.emitError() << "wmma of shape " << op.getM() << "x" << op.getN()
                          << "x" << op.getK() << " of "
                          << op.getSourceA().getType()
                          << " is not supported by the SIMT interpreter";
  bool hasCopies = width == 16;
  return multiply(op, machine,
                  {16, 16, 16, 32,
                   [&](int64_t lane, int64_t i) {
                     int64_t k = hasCopies ? i : 8 * (lane / 16) + i;
                     return Coordinate{lane % 16, k};
                   },
                   [&](int64_t lane, int64_t i) {
                     int64_t row =
                         hasCopies ? 2 * i + lane / 16 : 8 * (lane / 16) + i;
                     return Coordinate{row, lane % 16};
                   }},
                  op.getUnsignedA(), op.getUnsignedB());
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A descriptor has a base address and a number of bytes.
static LogicalResult runRawBufferCast(amdgpu::FatRawBufferCastOp op,
                                      Machine &machine) {
  auto type = cast<MemRefType>(op.getSource().getType());
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  if (!format || op.getCacheSwizzleStride() || machine.isHost())
    return op.emitError() << "this cast of " << type
                          << " is not supported by the SIMT interpreter";
  const Register &source = machine.get(op.getSource());
  const Register *bytes =
      op.getValidBytes() ? &machine.get(op.getValidBytes()) : nullptr;
  return machine.compute(
      op.getResult(), op->getOperands(), source.width + 1,
      [&](int thread, uint64_t *result) -> LogicalResult {
        View view(source.at(thread), source.width);
        std::copy_n(source.at(thread), source.width, result);
        if (op.getResetOffset()) {
          result[1] = view.base() + view.offset() * format->bytes();
          result[2] = 0;
        }
        int64_t valid = 0;
        if (bytes)
          valid = bytes->signedAt(thread);
        else
          for (int64_t dim = 0; dim < view.rank; ++dim)
            valid = std::max(valid, view.size(dim) * view.stride(dim) *
                                        format->bytes());
        // The descriptor has 32 bits for them. What is cut off is lost without
        // a word on hardware.
        if (valid < 0 || valid > int64_t(0xffffffff))
          return machine.error(op, thread)
                 << "expected 0 to 4294967295 bytes of a buffer, got " << valid;
        result[source.width] = valid;
        return success();
      });
}

/// All lanes get the value of the first one that is active. Here it has to be
/// the same for all: it is used for what is uniform.
static LogicalResult runReadFirstLane(ROCDL::ReadfirstlaneOp op,
                                      Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  RegisterRef value = machine.getRef(op.getSrc());
  LogicalResult done = machine.forEachSubgroup(
      [&](int, ArrayRef<int> lanes) -> LogicalResult {
        for (int lane : lanes)
          for (int64_t i = 0; i < value->width; ++i)
            if (value->at(lane)[i] != value->at(lanes.front())[i])
              return machine.error(op, lane)
                     << "expected the same value in all lanes, got "
                     << value->at(lanes.front())[i] << " in thread "
                     << lanes.front() << " and " << value->at(lane)[i];
        return success();
      });
  machine.set(op.getRes(), value);
  return done;
}

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

static LogicalResult checkIsLDS(Operation *op, Machine &machine, int thread,
                                const View &view) {
  Memory &memory = machine.program.memory;
  if (memory.isValid(view.buffer()) &&
      memory.get(view.buffer()).space == MemorySpace::Workgroup)
    return success();
  return machine.error(op, thread) << "expected workgroup memory";
}

/// ds_read_b64_tr_b16 of CDNA4. Each lane gives the address of 8 bytes: four
/// elements of 16 bits. Of each 16 lanes, lane l thus reads columns
/// 4 (l mod 4) to 4 (l mod 4) + 3 of row l / 4 of a matrix of 4 x 16, and gets
/// column l.
static LogicalResult runTransposeLoad(amdgpu::TransposeLoadOp op,
                                      Machine &machine) {
  auto type = cast<MemRefType>(op.getSrc().getType());
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  int64_t width = getWidth(op.getType());
  if (!format || format->bytes() != 2 || width != 4 || machine.isHost())
    return op.emitError() << "transpose_load of " << op.getType()
                          << " is not supported by the SIMT interpreter";
  const Register &memref = machine.get(op.getSrc());
  auto result = machine.make(width, /*uniform=*/false);
  constexpr int64_t kGroup = 16, kRows = 4;
  LogicalResult done = machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        std::vector<std::array<uint64_t, 4>> read(lanes.size());
        for (auto [lane, thread] : llvm::enumerate(lanes)) {
          View view(memref.at(thread), memref.width);
          SmallVector<int64_t> indices =
              getValues(machine, op.getSrcIndices(), thread);
          FailureOr<int64_t> offset =
              machine.getOffset(op, thread, view, indices);
          indices.back() += width - 1;
          if (failed(offset) ||
              failed(machine.getOffset(op, thread, view, indices)) ||
              failed(checkIsLDS(op, machine, thread, view)) ||
              failed(machine.checkAlignment(op, thread, view, *offset, *format,
                                            width * format->bytes())) ||
              failed(machine.load(op, thread, view, *offset, *format, width,
                                  read[lane].data())))
            return failure();
        }
        for (auto [lane, thread] : llvm::enumerate(lanes)) {
          int64_t first = lane / kGroup * kGroup, column = lane % kGroup;
          for (int64_t row = 0; row < kRows; ++row)
            result->at(thread)[row] =
                read[first + 4 * row + column / 4][column % 4];
        }
        return success();
      });
  machine.set(op.getResult(), result);
  return done;
}

/// buffer_load_lds and global_load_lds: what the lanes read goes to LDS, one
/// lane behind the other from the address of the first lane on. It arrives when
/// the thread waits for it: until then nobody may access it.
static LogicalResult runGatherToLDS(amdgpu::GatherToLDSOp op,
                                    Machine &machine) {
  auto from = cast<MemRefType>(op.getSrc().getType());
  std::optional<ElementFormat> format = getElementFormat(from.getElementType());
  int64_t count = getWidth(op.getTransferType());
  int64_t bytes = format ? count * format->bytes() : 0;
  // 12 bytes are padded on hardware.
  if ((bytes != 4 && bytes != 16) || machine.isHost() ||
      from.getElementType() != getElementTypeOrSelf(op.getTransferType()))
    return op.emitError() << "gather_to_lds of " << op.getTransferType()
                          << " is not supported by the SIMT interpreter";
  const Register &source = machine.get(op.getSrc()),
                 &target = machine.get(op.getDst());
  bool isRaw = isRawBuffer(from);
  Memory &memory = machine.program.memory;
  return machine.forEachWholeSubgroup(
      op, /*full=*/true, [&](int, ArrayRef<int> lanes) -> LogicalResult {
        int first = lanes.front();
        View to(target.at(first), target.width);
        FailureOr<int64_t> begin = machine.getOffset(
            op, first, to, getValues(machine, op.getDstIndices(), first));
        if (failed(begin) || failed(checkIsLDS(op, machine, first, to)) ||
            failed(machine.checkAlignment(op, first, to, *begin, *format, 4)))
          return failure();
        Buffer &buffer = memory.get(to.buffer());
        for (auto [lane, thread] : llvm::enumerate(lanes)) {
          SmallVector<uint64_t> words(count * format->count);
          SmallVector<int64_t> indices =
              getValues(machine, op.getSrcIndices(), thread);
          if (isRaw) {
            if (failed(machine.loadFromRawBuffer(op, thread, source, indices,
                                                 *format, count,
                                                 /*alignment=*/4,
                                                 words.data())))
              return failure();
          } else {
            View view(source.at(thread), source.width);
            FailureOr<int64_t> offset =
                machine.getOffset(op, thread, view, indices);
            if (failed(offset) ||
                failed(machine.checkAlignment(op, thread, view, *offset,
                                              *format, 4)) ||
                failed(machine.load(op, thread, view, *offset, *format, count,
                                    words.data())))
              return failure();
          }
          int64_t at = *begin + static_cast<int64_t>(lane) * count;
          FailureOr<int64_t> byte =
              machine.getByte(op, thread, to, at, *format, count, "writes");
          if (failed(byte))
            return failure();
          Workgroup::Copy copy;
          copy.targetBuffer = to.buffer();
          copy.target = *byte;
          copy.initialized.assign(bytes, 1);
          int64_t wordBytes = format->bytes() / format->count;
          for (uint64_t word : words)
            for (int64_t i = 0; i < wordBytes; ++i)
              copy.data.push_back(word >> (8 * i) & 0xff);
          if (machine.program.options.checkRaces) {
            std::string wrong = memory.startCopy(buffer, *byte, bytes,
                                                 machine.accessor(thread));
            if (!wrong.empty())
              return machine.error(op, thread) << wrong;
          }
          machine.trace(buffer, thread, *byte, bytes);
          machine.workgroup->copies[thread].groups.push_back({std::move(copy)});
          ++machine.statistics->asyncCopies;
        }
        return success();
      });
}

/// s_waitcnt. Of what it waits for, only copies to LDS are not there at once.
static LogicalResult runMemoryCounterWait(amdgpu::MemoryCounterWaitOp op,
                                          Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  if (!op.getLoad())
    return success();
  // Other loads count, too.
  if (*op.getLoad() != 0)
    return op.emitError() << "a wait for some of the loads is not supported by "
                             "the SIMT interpreter";
  for (int thread : machine.active())
    while (!machine.workgroup->copies[thread].groups.empty())
      machine.finishCopies(thread);
  return success();
}

/// v_cvt_f32_fp8, v_cvt_pk_f32_fp8 and those of bf8: a byte of a word, or two.
/// A source of fewer than 4 elements is the lower bytes.
static LogicalResult runExtPackedFp8(amdgpu::ExtPackedFp8Op op,
                                     Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  std::optional<ScalarFormat> format = getFormat(op.getSource());
  const Register &source = machine.get(op.getSource());
  int64_t width = getWidth(op.getRes().getType());
  int64_t first = width * static_cast<int64_t>(op.getIndex());
  if (!format || first + width > source.width)
    return reportType(op);
  return machine.compute(op.getRes(), op->getOperands(), width,
                         [&](int thread, uint64_t *result) {
                           for (int64_t i = 0; i < width; ++i)
                             result[i] = encode(
                                 decode(source.at(thread)[first + i],
                                        format->kind),
                                 ScalarFormat::F32);
                           return success();
                         });
}

/// v_cvt_pk_fp8_f32 and v_cvt_pk_bf8_f32: two bytes of a word, the others from
/// the existing one. Without clamping (FP16_OVFL), what is too large becomes
/// infinity or NaN.
static LogicalResult runPackedTrunc(amdgpu::PackedTrunc2xFp8Op op,
                                    Machine &machine) {
  if (failed(requireKernel(op, machine)))
    return failure();
  std::optional<ScalarFormat> format = getFormat(op.getRes());
  if (!format)
    return reportType(op);
  int64_t width = getWidth(op.getRes().getType());
  int64_t first = 2 * static_cast<int64_t>(op.getWordIndex());
  const Register *sources[] = {&machine.get(op.getSourceA()),
                               op.getSourceB() ? &machine.get(op.getSourceB())
                                               : nullptr};
  const Register *existing =
      op.getExisting() ? &machine.get(op.getExisting()) : nullptr;
  return machine.compute(
      op.getRes(), op->getOperands(), width,
      [&](int thread, uint64_t *result) {
        for (int64_t i = 0; i < width; ++i)
          result[i] = existing ? existing->at(thread)[i] : 0xff;
        for (int64_t i : {0, 1})
          if (sources[i])
            result[first + i] =
                encode(decode(sources[i]->at(thread)[0], ScalarFormat::F32),
                       format->kind);
        return success();
      });
}

void simt::populateAMDGPU(Handlers &handlers) {
  handlers.add<amdgpu::ExtPackedFp8Op>(runExtPackedFp8);
  handlers.add<amdgpu::PackedTrunc2xFp8Op>(runPackedTrunc);
  handlers.add<amdgpu::FatRawBufferCastOp>(runRawBufferCast);
  handlers.add<ROCDL::ReadfirstlaneOp>(runReadFirstLane);
  handlers.add<amdgpu::TransposeLoadOp>(runTransposeLoad);
  handlers.add<amdgpu::GatherToLDSOp>(runGatherToLDS);
  handlers.add<amdgpu::MemoryCounterWaitOp>(runMemoryCounterWait);
  handlers.add<amdgpu::MFMAOp>(runMfma);
  handlers.add<amdgpu::WMMAOp>(runWmma);
}
