//===- Interpreter.h - Executes distributed IR ------------------*- C++ -*-===//
//
// Runs host code and the GPU kernels that it launches, as they are before their
// conversion to a vendor's dialect: func, gpu, nvgpu, vector, memref, arith,
// math, scf, cf, affine, index, ub and a few ops of nvvm. No GPU takes part.
//
// Workgroups run one after the other. The threads of one run in lockstep: an op
// is executed for all threads that are active, both sides of a branch with the
// threads that take them. What is wrong with a program is reported at the op,
// as a diagnostic with workgroup and thread: accesses outside of a memref or of
// its allocation, reads of what was never written, data races (Memory.h),
// barriers and other collective ops that only a part of the threads reaches,
// addresses that are less aligned than promised, and ops that the interpreter
// does not know. Nothing is skipped. Other threads that
// a message names are numbered in their workgroup, x fastest.
//
// Values that are not specified (ub.poison, a shuffle from beyond the width)
// are all ones, which is a NaN in every floating-point format.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_SIMT_INTERPRETER_H
#define TEST_LIB_SIMT_INTERPRETER_H

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

struct Options {
  int64_t subgroupSize = 32;
  bool checkRaces = true;
  bool checkUninitialized = true;
  /// memref.subview must stay within what it is taken of.
  bool checkSubviews = true;
  /// Of a workgroup: static, dynamic and allocated memory.
  int64_t maxWorkgroupBytes = 232448;
  /// Ops executed (once for all threads) after which a program is given up.
  uint64_t maxOps = 100000000;
  /// Where printing ops print; null for standard output.
  llvm::raw_ostream *output = nullptr;
};

/// What the launches of one kernel did.
struct KernelStatistics {
  int64_t launches = 0;
  int64_t workgroups = 0;
  int64_t threads = 0; ///< Of a workgroup.
  /// Barriers of workgroups; the others count subgroups.
  int64_t barriers = 0, subgroupBarriers = 0;
  int64_t shuffles = 0, mmas = 0, ldmatrices = 0;
  /// Asynchronous copies of a thread.
  int64_t asyncCopies = 0;
  /// The most that a workgroup had.
  int64_t workgroupBytes = 0;
  /// Of the accesses to workgroup memory.
  Wavefronts wavefronts;

  int64_t bankConflicts() const { return wavefronts.actual - wavefronts.ideal; }
  void print(llvm::raw_ostream &os, llvm::StringRef name) const;
};

/// A scalar, vector or memref of the host.
struct HostValue {
  std::vector<uint64_t> words;
};

struct Program;

class Interpreter {
public:
  /// The module is to outlive the interpreter.
  explicit Interpreter(ModuleOp module, Options options = {});
  ~Interpreter();

  /// A buffer of global memory as an argument of type `type`, which must be a
  /// memref of identity or strided layout, of sizes `shape`. Memory that
  /// `contents` is empty for is not initialised; otherwise it has the elements
  /// in row-major order, as the words of Numerics.h.
  FailureOr<HostValue> makeBuffer(MemRefType type, ArrayRef<int64_t> shape,
                                  ArrayRef<uint64_t> contents);
  /// What a memref of the host holds; bytes that were not written are ones.
  std::vector<uint64_t> readBuffer(MemRefType type, const HostValue &value,
                                   SmallVectorImpl<int64_t> &shape);

  /// Runs a function. Failure has been reported as a diagnostic.
  FailureOr<SmallVector<HostValue>> run(StringRef entry,
                                        ArrayRef<HostValue> arguments = {});

  /// Prints them by name.
  void printStatistics(llvm::raw_ostream &os) const;
  /// By the kernel: its symbol, or that of the function with the gpu.launch.
  const llvm::StringMap<KernelStatistics> &getStatistics() const;
  /// The bytes of the largest buffer that the host allocated in global memory.
  int64_t getLargestAllocation() const;

private:
  ModuleOp module;
  std::unique_ptr<Program> program;
};

} // namespace mlir::linalg_ext::simt

#endif // TEST_LIB_SIMT_INTERPRETER_H
