//===- Interpreter.h - SIMT interpreter of GPU programs ---------*- C++ -*-===//
//
// Runs host code and the GPU kernels that it launches, on the CPU. The program
// is in the form before its conversion to a vendor's dialect: func, gpu, nvgpu,
// amdgpu, vector, memref, arith, math, scf, cf, affine, index, ub and a few ops
// of nvvm.
//
// Workgroups run one after another. The threads of a workgroup run in lockstep:
// each op is executed for all active threads. The interpreter runs both sides
// of a branch, each with the threads that take it. A kernel with mbarriers or
// the like runs as several strands instead (Concurrency.h), each in lockstep.
// The interpreter reports these errors as diagnostics at the op, with the
// workgroup and the thread:
//   - accesses outside of a memref or of its allocation;
//   - reads of uninitialised memory;
//   - data races (Memory.h);
//   - barriers and other collective ops that only some threads reach;
//   - addresses that are less aligned than the op states;
//   - ops that the interpreter does not support.
// It never skips an op. Messages number the threads of a workgroup linearly,
// and x varies fastest.
//
// Unspecified values (ub.poison, a shuffle from beyond the width) have all bits
// set, which is a NaN in every floating-point format.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_INTERPRETER_H
#define LINALG_EXT_TEST_LIB_SIMT_INTERPRETER_H

#include "SIMT/Memory.h"
#include "SIMT/Numerics.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::linalg_ext::simt {

/// Options of the interpreter.
struct Options {
  int64_t subgroupSize = 32;
  bool checkRaces = true;
  bool checkUninitialized = true;
  /// Report a memref.subview that is not within its source.
  bool checkSubviews = true;
  /// Largest workgroup memory of a workgroup in bytes: static, dynamic and
  /// allocated memory together.
  int64_t maxWorkgroupBytes = 232448;
  /// Largest number of executed ops. An op counts once for all threads. The run
  /// fails beyond this number.
  uint64_t maxOps = 100000000;
  /// When asynchronous copies happen, and which strand of a workgroup runs
  /// first (Concurrency.h): copies as early as possible and the strands that
  /// start them first, both last, or at random.
  enum class Order { CopiesFirst, CopiesLast, Seeded };
  Order order = Order::CopiesLast;
  uint64_t seed = 0;
  /// The stream for printing ops. Null is standard output.
  llvm::raw_ostream *output = nullptr;
};

/// Statistics of all launches of one kernel.
struct KernelStatistics {
  int64_t launches = 0;
  int64_t workgroups = 0;
  int64_t threads = 0; ///< Threads of a workgroup.
  /// Barriers of a workgroup count once for the workgroup. Those of a subgroup,
  /// and the ops of the next line, count once for each subgroup.
  int64_t barriers = 0, subgroupBarriers = 0;
  int64_t shuffles = 0, mmas = 0, ldmatrices = 0;
  /// Asynchronous copies, counted for each thread.
  int64_t asyncCopies = 0;
  /// Loads through descriptors of buffers, and those that got zeros because
  /// they were beyond the buffer. Counted for each thread.
  int64_t bufferLoads = 0, bufferZeros = 0;
  /// Copies of boxes, and matrix products of warpgroups.
  int64_t boxCopies = 0, wgmmas = 0;
  /// Largest workgroup memory of a workgroup, in bytes.
  int64_t workgroupBytes = 0;
  /// Wavefronts of the accesses to workgroup memory.
  Wavefronts wavefronts;

  int64_t bankConflicts() const { return wavefronts.actual - wavefronts.ideal; }
  void print(llvm::raw_ostream &os, llvm::StringRef name) const;
};

/// A scalar, vector or memref of the host, as words (Numerics.h, View).
struct HostValue {
  std::vector<uint64_t> words;
};

struct Program;

/// Runs functions of a module.
class Interpreter {
public:
  /// The module must outlive the interpreter.
  explicit Interpreter(ModuleOp module, Options options = {});
  ~Interpreter();

  /// Allocates a buffer in global memory, as an argument of type `type` with
  /// the sizes `shape`. The layout must be the identity or strided. `contents`
  /// has one word (Numerics.h) for each element in row-major order. If it is
  /// empty, the buffer is uninitialised. `strides` and `offset`, in elements, are
  /// those that the type leaves open; without `strides`, they are those of
  /// row-major order and 0.
  FailureOr<HostValue> makeBuffer(MemRefType type, ArrayRef<int64_t> shape,
                                  ArrayRef<uint64_t> contents,
                                  ArrayRef<int64_t> strides = {},
                                  int64_t offset = 0);
  /// Returns the number of bytes of the memory of `value`, a memref of the host,
  /// that have been written, between its elements as well.
  int64_t countWrittenBytes(const HostValue &value);
  /// Returns the elements of a memref of the host, and its sizes in `shape`.
  /// All bits of an uninitialised byte are set.
  std::vector<uint64_t> readBuffer(MemRefType type, const HostValue &value,
                                   SmallVectorImpl<int64_t> &shape);

  /// Runs the function `entry`. Fails, with a diagnostic, on any error.
  FailureOr<SmallVector<HostValue>> run(StringRef entry,
                                        ArrayRef<HostValue> arguments = {});

  /// Prints the statistics of all kernels, sorted by name.
  void printStatistics(llvm::raw_ostream &os) const;
  /// Returns the statistics by kernel. The key is the symbol of the kernel, or
  /// that of the function around a gpu.launch.
  const llvm::StringMap<KernelStatistics> &getStatistics() const;
  /// Returns the size in bytes of the largest buffer that the host allocated in
  /// global memory.
  int64_t getLargestAllocation() const;

private:
  ModuleOp module;
  std::unique_ptr<Program> program;
};

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_INTERPRETER_H
