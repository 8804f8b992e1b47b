//===- Stage.h - A part of a pipeline ---------------------------*- C++ -*-===//
//
// Pipelines run in parts, between which the tool looks at the program.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_STAGE_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_STAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"

#include <functional>

namespace mlir::linalg_ext {

struct StageOptions {
  /// Whether to verify the program after each pass. After the stage it always
  /// is. The verifier takes as much time as all passes.
  bool verifyEach = false;
  /// Called after each pass that succeeds, if it is set.
  std::function<void(Pass *, Operation *)> afterPass = nullptr;
  /// Where the time of passes and other programs counts, if anywhere.
  TimingScope *timing = nullptr;

  /// Counts the time of what `name` says up to the end of the result.
  TimingScope time(StringRef name) const {
    return timing ? timing->nest(name) : TimingScope();
  }
};

/// Runs the passes that `build` adds on `module`, with the options of
/// registerPassManagerCLOptions.
LogicalResult runStage(ModuleOp module, const StageOptions &options,
                       llvm::function_ref<void(OpPassManager &)> build);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_STAGE_H
