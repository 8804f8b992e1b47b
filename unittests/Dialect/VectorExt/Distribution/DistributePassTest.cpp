//===- DistributePassTest.cpp - Distribution without a target -------------===//
//
// What vector-ext-distribute says of options that need what a target registers,
// if there is no target. Tools register all targets, so lit cannot test it.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::vector_ext;

/// Runs the pass on an empty module; returns its diagnostics.
static std::string run(const VectorExtDistributePassOptions &options) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, VectorExtDialect>();
  MLIRContext context(registry);
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("module {}", &context);
  PassManager pm(&context);
  pm.addPass(createVectorExtDistributePass(options));
  EXPECT_TRUE(succeeded(pm.run(*module)));
  return text;
}

TEST(DistributePassTest, AsyncCopies) {
  VectorExtDistributePassOptions options;
  options.asyncCopies = true;
  EXPECT_EQ(run(options),
            "'async-copies' has no effect: no target has registered "
            "asynchronous copies\n");
}

TEST(DistributePassTest, BufferLoads) {
  VectorExtDistributePassOptions options;
  options.bufferLoads = true;
  EXPECT_EQ(run(options),
            "'buffer-loads' has no effect: no target has registered loads "
            "through descriptors of buffers\n");
}

TEST(DistributePassTest, Neither) { EXPECT_EQ(run({}), ""); }
