//===- Execute.h - Runs a function on the host ------------------*- C++ -*-===//
//
// Lowers a clone of a function on ranked tensors to the LLVM dialect, and runs
// it, compiled by LLVM. The lowering uses upstream passes, and one
// pass of this project, which prevents a crash of an upstream pass. This
// project's ops must be decomposed before.
//
// The program allocates its memory from the harness. The harness fills each
// allocation with NaN patterns, so that a read of uninitialised memory makes
// the result wrong. Red zones around it detect writes outside of a buffer,
// which are errors. The harness counts the allocations, and frees them at the
// end of the run.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H

#include "Oracle.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace linalg_ext_test {

/// Creates a single-threaded context with all upstream dialects and interface
/// models, the translations for execution, and what `extend` registers. The
/// caller must load the dialects of `extend`.
std::unique_ptr<mlir::MLIRContext>
makeContext(llvm::function_ref<void(mlir::DialectRegistry &)> extend = {});

/// Runs `passes` on `module`, and verifies the result. A verifier between any two
/// passes takes as long as all of them do; the lit tests of passes have one.
llvm::LogicalResult runAndVerify(mlir::PassManager &passes,
                                 mlir::ModuleOp module);

struct ExecutionOptions {
  /// Optimisation level of LLVM, for IR passes and code generation: 0 to 3.
  unsigned optLevel = 0;
  /// Verify the IR between the passes of the lowering.
  bool verifyEach = false;
  /// Use all features of this processor. Otherwise use only the baseline
  /// features of its architecture, so that a test computes the same on every
  /// machine.
  bool forHost = false;
};

/// How a buffer that is an argument lies in memory, in elements. Without strides
/// it is dense and row-major.
struct BufferLayout {
  std::vector<int64_t> strides;
  int64_t offset = 0;
};

/// The results and the statistics of one run. `error` is empty on success.
struct Execution {
  std::string error;
  std::vector<oracle::Tensor> outputs;
  /// The inputs after the run. The function may have written to buffers.
  std::vector<oracle::Tensor> inputs;
  int64_t numAllocations = 0;
  int64_t allocatedBytes = 0;
  /// Bytes of the largest allocation that holds no output.
  int64_t largestTemporary = 0;

  bool ok() const { return error.empty(); }
};

/// A compiled function, which can run many times. It may outlive the module
/// that it was compiled from, but not the context of the executor.
class Kernel {
public:
  ~Kernel();

  /// Runs the function on `inputs`. Their shapes must match the arguments, and
  /// their values must be representable in the element types. A scalar is a
  /// tensor of rank 0. `layouts` has the layouts of inputs whose types leave
  /// strides or offsets open; those behind the last one are dense.
  Execution run(llvm::ArrayRef<oracle::Tensor> inputs,
                llvm::ArrayRef<BufferLayout> layouts = {});

  struct Argument {
    enum class Kind { Ranked, Unranked, Scalar } kind = Kind::Ranked;
    oracle::DType type;
    llvm::SmallVector<int64_t> shape; ///< kDynamic where it is dynamic.
    /// Of a buffer with a layout, kDynamic where they are dynamic; else none.
    llvm::SmallVector<int64_t> strides;
    int64_t offset = 0;
  };
  llvm::ArrayRef<Argument> getInputs() const { return inputs; }
  llvm::ArrayRef<Argument> getOutputs() const { return outputs; }

private:
  friend class Executor;
  Kernel();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(void **) = nullptr;
  llvm::SmallVector<Argument> inputs, outputs;
};

/// Compiles functions. Use one executor for each context, because it stores the
/// pass pipeline.
class Executor {
public:
  explicit Executor(mlir::MLIRContext *context, ExecutionOptions options = {});

  /// Compiles function `name` of `module`. Leaves `module` unchanged. Returns
  /// null on failure, with the reason and the diagnostics in `error`.
  std::unique_ptr<Kernel> compile(mlir::ModuleOp module, llvm::StringRef name,
                                  std::string &error);

  /// Compiles function `name` of `lowered`, which must be in the LLVM dialect
  /// and have a C interface. `inputs` and `outputs` are the types before the
  /// lowering, tensors or buffers.
  std::unique_ptr<Kernel> load(mlir::ModuleOp lowered, llvm::StringRef name,
                               mlir::TypeRange inputs, mlir::TypeRange outputs,
                               std::string &error);

  /// Compiles and runs once. Runs the kernel of an earlier call if the module
  /// is the same as one of the last, and has no memory that outlives a run.
  Execution run(mlir::ModuleOp module, llvm::StringRef name,
                llvm::ArrayRef<oracle::Tensor> inputs);

private:
  mlir::MLIRContext *context;
  ExecutionOptions options;
  mlir::PassManager passes;
  /// The last kernels that `run` compiled, by function and module.
  std::deque<std::pair<std::string, std::unique_ptr<Kernel>>> kernels;
};

/// Converts an MLIR element type to the oracle's. Returns false if there is
/// none.
bool convertElementType(mlir::Type type, oracle::DType &result);
mlir::Type convertElementType(mlir::MLIRContext *context, oracle::DType type);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H
