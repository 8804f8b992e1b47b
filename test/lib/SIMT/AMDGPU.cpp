//===- AMDGPU.cpp - MFMA and WMMA -----------------------------------------===//
//
// Written from AMD's ISA manuals (CDNA3 and CDNA4, "Matrix Arithmetic
// Instructions"; RDNA3 and RDNA4, "WMMA"), and from nothing else: whoever
// computes layouts is judged by this.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"

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
} // namespace

static ScalarFormat::Kind getKind(Value value) {
  return getScalarFormat(getElementTypeOrSelf(value.getType()))->kind;
}

/// Gathers a matrix of `columns` columns. Fails where copies of an element
/// differ.
static LogicalResult
gather(Operation *op, const Register &fragments, ArrayRef<int> threads,
       llvm::function_ref<Coordinate(int64_t, int64_t)> where, int64_t rows,
       int64_t columns, ScalarFormat::Kind kind, std::vector<double> &matrix) {
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
      matrix[index] = decode(word, kind);
    }
  return success();
}

/// Products are exact, and summed up in double; the sum is rounded once to the
/// type of C. The hardware's order and rounding are not specified.
template <typename OpTy>
static LogicalResult multiply(OpTy op, Machine &machine,
                              const Fragments &fragments) {
  int64_t m = fragments.m, n = fragments.n, k = fragments.k;
  const Register &a = machine.get(op.getSourceA());
  const Register &b = machine.get(op.getSourceB());
  const Register &c = machine.get(op.getDestC());
  ScalarFormat::Kind from = getKind(op.getSourceA()),
                     to = getKind(op.getDestC());
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
        if (failed(gather(op, a, threads, fragments.a, m, k, from, lhs)) ||
            failed(gather(op, b, threads, whereB, k, n, from, rhs)) ||
            failed(gather(op, c, threads, fragments.c, m, n, to, acc)))
          return failure();
        for (int64_t row = 0; row < m; ++row)
          for (int64_t column = 0; column < n; ++column)
            for (int64_t i = 0; i < k; ++i)
              acc[row * n + column] += lhs[row * k + i] * rhs[i * n + column];
        for (auto [lane, thread] : llvm::enumerate(threads))
          for (int64_t i = 0; i < c.width; ++i) {
            Coordinate at = fragments.c(static_cast<int64_t>(lane), i);
            result->at(thread)[i] = encode(acc[at.row * n + at.column], to);
          }
        return success();
      });
  machine.set(op, result);
  return done;
}

/// True if the operands are of 16-bit floats or f32, and the result is of f32.
template <typename OpTy>
static bool isSupported(OpTy op, Machine &machine) {
  Type from = getElementTypeOrSelf(op.getSourceA().getType());
  return !machine.isHost() &&
         from == getElementTypeOrSelf(op.getSourceB().getType()) &&
         (from.isF16() || from.isBF16() || from.isF32()) &&
         getElementTypeOrSelf(op.getDestC().getType()).isF32();
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
                   }});
}

void simt::populateAMDGPU(Handlers &handlers) {
  handlers.add<amdgpu::MFMAOp>(runMfma);
  handlers.add<amdgpu::WMMAOp>(runWmma);
}
