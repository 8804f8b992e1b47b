//===- SIMTTest.h - Running kernels in a test -------------------*- C++ -*-===//
//
// The test fixture for the SIMT interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SIMT_SIMTTEST_H
#define LINALG_EXT_UNITTESTS_SIMT_SIMTTEST_H

#include "Support/Execute.h"
#include "Support/Simulate.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <string>

namespace linalg_ext_test {

class SIMTTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    if (!context)
      context = makeContext().release();
  }

  /// Parses `text` and runs its function @main.
  Simulation run(const std::string &text,
                 llvm::ArrayRef<oracle::Tensor> inputs = {},
                 const SimulationOptions &options = {}) {
    Simulation result;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, context);
    if (!module) {
      result.error = "cannot be parsed";
      return result;
    }
    return simulate(*module, "main", inputs, options);
  }

  /// Returns a function @main with `arguments` that launches the kernel `body`
  /// with one workgroup of `threads` threads. The constants %c0, %c1, %c2, %c4,
  /// ... %c64 are defined.
  static std::string kernel(const std::string &arguments,
                            const std::string &body, int threads = 32,
                            const std::string &workgroup = "") {
    std::string text = "func.func @main(" + arguments + ") {\n";
    for (int i : {0, 1, 2, 4, 8, 16, 32, 64})
      text += "%c" + std::to_string(i) + " = arith.constant " +
              std::to_string(i) + " : index\n";
    text += "%threads = arith.constant " + std::to_string(threads) +
            " : index\n"
            "gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = "
            "%c1) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = "
            "%c1) " +
            (workgroup.empty() ? "" : "workgroup(" + workgroup + ")") + "{\n" +
            body + "\ngpu.terminator\n}\nreturn\n}";
    return text;
  }

  static inline mlir::MLIRContext *context = nullptr;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SIMT_SIMTTEST_H
