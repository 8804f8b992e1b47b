//===- Execute.h - Runs a function on the host ------------------*- C++ -*-===//
//
// Lowers a clone of a function on ranked tensors to the LLVM dialect, through
// upstream passes and one that keeps one of them from crashing, and runs it with
// MLIR's ExecutionEngine. Nothing else of this project's lowering takes part:
// ops of ours must have been decomposed before.
//
// The program runs on memory that the harness owns. Every allocation is filled
// with NaN patterns and surrounded by red zones, so that reading what was never
// written spoils the result instead of passing by luck, and writing outside a
// buffer is an error. What the program allocates is counted, and freed when the
// run ends.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H

#include "Oracle.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace linalg_ext_test {

/// A context with all of upstream's dialects and models, what executing them
/// needs, and what `extend` registers; one thread. Dialects of `extend` are to
/// be loaded by the caller.
std::unique_ptr<mlir::MLIRContext>
makeContext(llvm::function_ref<void(mlir::DialectRegistry &)> extend = {});

struct ExecutionOptions {
  /// Of LLVM, IR passes and code generation: 0 (quick) to 3.
  unsigned optLevel = 0;
  /// Verify the IR between the passes of the lowering.
  bool verifyEach = false;
  /// Compile for all that this processor has; else for the least that its
  /// architecture does, so that a test computes the same on every machine.
  bool forHost = false;
};

/// What one run returned and used; `error` is empty on success.
struct Execution {
  std::string error;
  std::vector<oracle::Tensor> outputs;
  /// The inputs after the run: buffers may have been written to.
  std::vector<oracle::Tensor> inputs;
  int64_t numAllocations = 0;
  int64_t allocatedBytes = 0;
  /// Of the largest allocation that no output is in.
  int64_t largestTemporary = 0;

  bool ok() const { return error.empty(); }
};

/// A compiled function; it may be run many times and outlives the module it was
/// made from, but not the executor's context.
class Kernel {
public:
  ~Kernel();

  /// Runs on `inputs`, whose values must be representable in the element types
  /// of the arguments and whose shapes must agree with them. A scalar is a
  /// tensor of rank 0.
  Execution run(llvm::ArrayRef<oracle::Tensor> inputs);

  struct Argument {
    enum class Kind { Ranked, Unranked, Scalar } kind = Kind::Ranked;
    oracle::DType type;
    llvm::SmallVector<int64_t> shape; ///< kDynamic where it is dynamic.
  };
  llvm::ArrayRef<Argument> getInputs() const { return inputs; }
  llvm::ArrayRef<Argument> getOutputs() const { return outputs; }

private:
  friend class Executor;
  Kernel();

  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
  llvm::SmallVector<Argument> inputs, outputs;
};

/// Compiles functions. One executor a context; it keeps the pass pipeline.
class Executor {
public:
  explicit Executor(mlir::MLIRContext *context, ExecutionOptions options = {});

  /// Compiles function `name` of `module`, which is left as it is. Returns null
  /// and the reason in `error` on failure; diagnostics of the lowering are part
  /// of the reason.
  std::unique_ptr<Kernel> compile(mlir::ModuleOp module, llvm::StringRef name,
                                  std::string &error);

  /// Compiles function `name` of `lowered`, which is in the LLVM dialect and
  /// has a C interface; `inputs` and `outputs` are the types that it had
  /// before, tensors or buffers.
  std::unique_ptr<Kernel> load(mlir::ModuleOp lowered, llvm::StringRef name,
                               mlir::TypeRange inputs, mlir::TypeRange outputs,
                               std::string &error);

  /// Compiles and runs once.
  Execution run(mlir::ModuleOp module, llvm::StringRef name,
                llvm::ArrayRef<oracle::Tensor> inputs);

private:
  mlir::MLIRContext *context;
  ExecutionOptions options;
  mlir::PassManager passes;
};

/// The element type of the oracle for an MLIR one; false if there is none.
bool convertElementType(mlir::Type type, oracle::DType &result);
mlir::Type convertElementType(mlir::MLIRContext *context, oracle::DType type);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_EXECUTE_H
