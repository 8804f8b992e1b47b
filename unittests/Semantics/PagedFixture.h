//===- PagedFixture.h - Fixture of the tests of paged attention -*- C++ -*-===//
//
// Runs a program as it is written, through linalg-ext-to-llvm, and as GPU
// kernels in the interpreter, which reports accesses outside of a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SEMANTICS_PAGEDFIXTURE_H
#define LINALG_EXT_UNITTESTS_SEMANTICS_PAGEDFIXTURE_H

#include "Support/FusionTest.h"
#include "Support/RecordCase.h"
#include "Support/Simulate.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Pipelines/ToLLVM.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

class PagedFixture : public FusionTest {
protected:
  static mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  static void expectNear(const Execution &run,
                         const std::vector<oracle::Bounded> &want) {
    ASSERT_TRUE(run.ok()) << run.error;
    ASSERT_EQ(run.outputs.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison c = oracle::compare(run.outputs[i], want[i]);
      EXPECT_TRUE(c.ok) << "result " << i << ", " << c.message;
      EXPECT_LT(c.looseness, 1) << "the bounds accept any result";
    }
  }

  /// The program as it is written.
  static Execution runUntiled(const std::string &text,
                              const std::vector<oracle::Tensor> &inputs) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    EXPECT_TRUE(succeeded(mlir::linalg_ext::decomposeLinalgExtOps(*module)));
    return executor->run(*module, "main", inputs);
  }

  static Execution runToLLVM(const std::string &text,
                             const std::vector<oracle::Tensor> &inputs,
                             bool mustFuse = false) {
    mlir::linalg_ext::ToLLVMPipelineOptions options;
    options.requireFusion = mustFuse;
    options.forceFusion = mustFuse;
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    mlir::SmallVector<mlir::Type> inputTypes(function.getArgumentTypes());
    mlir::SmallVector<mlir::Type> outputTypes(function.getResultTypes());
    mlir::PassManager passes(context);
    mlir::linalg_ext::buildToLLVMPipeline(passes, options);
    EXPECT_TRUE(succeeded(runAndVerify(passes, *module)));
    Execution run;
    std::unique_ptr<Kernel> kernel =
        executor->load(*module, "main", inputTypes, outputTypes, run.error);
    return kernel ? kernel->run(inputs) : run;
  }

  /// Kernels for a GPU, which must have no op that is not vectorized. Calls
  /// `checkArguments` with the arguments as they are after the run. No buffer
  /// that the program allocates may be larger than `maxTemporary` bytes. `chip` may
  /// be empty for NVIDIA's default. With `copiesTiles`, an AMD chip copies tiles to
  /// LDS without registers, and reads them transposed. Kernels of AMD run twice: as
  /// launches, and as the last IR before ROCDL. Adds the counts of all kernels, the
  /// latter if there are such, to `sum`.
  static void expectOnGPU(const std::string &text,
                          const std::vector<oracle::Tensor> &inputs,
                          const std::vector<oracle::Bounded> &want,
                          llvm::function_ref<void(const std::vector<oracle::Tensor> &)>
                              checkArguments = nullptr,
                          std::optional<int64_t> maxTemporary = std::nullopt,
                          const std::string &chip = "",
                          mlir::linalg_ext::simt::KernelStatistics *sum = nullptr,
                          bool copiesTiles = false) {
    if (isRecording() && !want.empty() &&
        !mlir::linalg_ext::lookupAMDChip(chip))
      recordCase(getTestName(), text, /*options=*/"", inputs, want);
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    std::string remarks;
    mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
      remarks += diagnostic.str() + "\n";
      return mlir::success();
    });
    mlir::PassManager passes(context), kernels(context);
    SimulationOptions options;
    if (const mlir::linalg_ext::AMDChip *amd = mlir::linalg_ext::lookupAMDChip(chip)) {
      mlir::linalg_ext::ToROCDLPipelineOptions pipeline;
      pipeline.chip = chip;
      pipeline.transposeLoads = pipeline.laneCopies = copiesTiles;
      mlir::linalg_ext::buildLinalgToLaunchesPipeline(passes, pipeline);
      mlir::linalg_ext::buildGPUKernelsPipeline(kernels, pipeline);
      kernels.addPass(mlir::linalg_ext::createLinalgExtGPUManifestPass());
      mlir::linalg_ext::buildDeviceKernelsPipeline(kernels, pipeline);
      options.interpreter.subgroupSize = amd->target.lanes;
    } else {
      mlir::linalg_ext::ToNVVMPipelineOptions pipeline;
      if (!chip.empty())
        pipeline.chip = chip;
      mlir::linalg_ext::buildLinalgToLaunchesPipeline(passes, pipeline);
    }
    ASSERT_TRUE(succeeded(runAndVerify(passes, *module))) << remarks;
    EXPECT_EQ(remarks.find("not vectorized"), std::string::npos) << remarks;
    // Results are arguments behind the others.
    std::vector<oracle::Tensor> arguments = inputs;
    for (const oracle::Bounded &result : want) {
      options.uninitialized.push_back(arguments.size());
      arguments.emplace_back(result.value.shape);
    }
    Simulation run = simulate(*module, "main", arguments, options);
    ASSERT_TRUE(run.ok()) << run.error;
    if (!chip.empty()) {
      // The buffers of the program are those of the launches.
      int64_t temporary = run.largestTemporary;
      ASSERT_TRUE(succeeded(runAndVerify(kernels, *module))) << remarks;
      run = simulate(*module, "main", arguments, options);
      ASSERT_TRUE(run.ok()) << run.error;
      run.largestTemporary = temporary;
    }
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison c =
          oracle::compare(run.arguments[inputs.size() + i], want[i]);
      EXPECT_TRUE(c.ok) << "result " << i << ", " << c.message;
      EXPECT_LT(c.looseness, 1) << "the bounds accept any result";
    }
    if (checkArguments)
      checkArguments(run.arguments);
    if (maxTemporary)
      EXPECT_LE(run.largestTemporary, *maxTemporary);
    for (const auto &entry : run.statistics)
      if (sum) {
        sum->launches += entry.getValue().launches;
        sum->workgroups += entry.getValue().workgroups;
        sum->mmas += entry.getValue().mmas;
        sum->bufferLoads += entry.getValue().bufferLoads;
        sum->bufferZeros += entry.getValue().bufferZeros;
        sum->asyncCopies += entry.getValue().asyncCopies;
        sum->wgmmas += entry.getValue().wgmmas;
        sum->boxCopies += entry.getValue().boxCopies;
      }
  }
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SEMANTICS_PAGEDFIXTURE_H
