//===- DistributionTest.h - Distributed programs, executed ------*- C++ -*-===//
//
// What the tests of the distribution share: random layouts of a given shape,
// the text of a kernel that reads, computes and writes vectors, and its
// execution by the SIMT interpreter, which also looks for races. What a kernel
// should write is computed by loops in the tests.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTIONTEST_H
#define LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTIONTEST_H

#include "EmulateMma.h"
#include "Support/Execute.h"
#include "Support/Simulate.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// The threads of a kernel.
struct Threads {
  int64_t lanes = 32;
  int64_t subgroups = 1;
};

inline Threads getRandomThreads(oracle::Random &random) {
  Threads threads;
  threads.lanes = random.pick<int64_t>({32, 32, 32, 64});
  threads.subgroups = random.pick<int64_t>({1, 1, 2, 3, 4});
  return threads;
}

/// A random layout of `shape`: every dimension is cut into prime factors, in
/// random order; each becomes a digit of an axis that has room for it, and the
/// digits of an axis are put in random order. Some of the lanes and subgroups
/// may be left out between them. `maxRegisters` is only a wish.
inline mlir::layout::Layout
getRandomLayout(oracle::Random &random, llvm::ArrayRef<int64_t> shape,
                const Threads &threads, int64_t maxRegisters = 64) {
  using namespace mlir::layout;
  auto shuffle = [&](auto &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[random.integer(0, i - 1)]);
  };
  std::vector<DimDigits> dims(shape.size());
  std::array<int64_t, kNumAxes> room = {1 << 30, threads.lanes,
                                        threads.subgroups};
  std::array<std::vector<std::pair<size_t, size_t>>, kNumAxes> digits;
  std::vector<std::pair<size_t, int64_t>> factors;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t rest = shape[dim];
    for (int64_t prime = 2; rest > 1; ++prime)
      for (; rest % prime == 0; rest /= prime)
        factors.emplace_back(dim, prime);
  }
  shuffle(factors);
  // Those that like registers leave elements to threads only if they must.
  double likesThreads = random.pick<double>({0.3, 0.8, 1.0});
  int64_t registers = 1;
  for (auto [dim, prime] : factors) {
    std::vector<Axis> axes;
    for (Axis axis : {Axis::Lane, Axis::Subgroup})
      if (room[static_cast<int>(axis)] % prime == 0)
        axes.push_back(axis);
    Axis axis = Axis::Register;
    if (!axes.empty() && (random.chance(likesThreads) ||
                          registers * prime > maxRegisters))
      axis = random.pick(axes);
    if (axis == Axis::Register)
      registers *= prime;
    room[static_cast<int>(axis)] /= prime;
    digits[static_cast<int>(axis)].emplace_back(dim, dims[dim].size());
    dims[dim].push_back({axis, prime, 1});
  }
  for (Axis axis : {Axis::Register, Axis::Lane, Axis::Subgroup}) {
    auto &list = digits[static_cast<int>(axis)];
    shuffle(list);
    int64_t unread = axis == Axis::Register ? 1 : room[static_cast<int>(axis)];
    int64_t stride = 1;
    for (auto [dim, i] : list) {
      if (unread > 1 && random.chance(0.3)) {
        int64_t skipped = unread % 2 == 0 ? 2 : unread;
        stride *= skipped;
        unread /= skipped;
      }
      dims[dim][i].stride = stride;
      stride *= dims[dim][i].size;
    }
  }
  std::string error;
  std::optional<Layout> layout =
      Layout::get(dims, threads.lanes, threads.subgroups, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(Layout());
}

inline std::string getShapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text;
}

inline std::string vectorType(llvm::ArrayRef<int64_t> shape,
                              const std::string &type) {
  return "vector<" + getShapeText(shape) + type + ">";
}

inline std::string memrefType(llvm::ArrayRef<int64_t> shape,
                              const std::string &type) {
  return "memref<" + getShapeText(shape) + type + ">";
}

/// Text that asks for %`name` in `layout`, as %`result`.
inline std::string toLayout(const std::string &result, const std::string &name,
                            const mlir::layout::Layout &layout,
                            const std::string &vector,
                            bool sharedMemory = false) {
  return "%" + result + " = vector_ext.to_layout %" + name + " to <" +
         layout.str() + ", lanes = " + std::to_string(layout.getNumLanes()) +
         ", subgroups = " + std::to_string(layout.getNumSubgroups()) + ">" +
         (sharedMemory ? " shared_memory" : "") + " : " + vector + "\n";
}

/// Text that reads all of memref %`memory` as %`name`.
inline std::string read(const std::string &name, const std::string &memory,
                        llvm::ArrayRef<int64_t> shape,
                        const std::string &type) {
  std::string at, bounds;
  for (size_t i = 0; i < shape.size(); ++i) {
    at += i ? ", %c0" : "%c0";
    bounds += i ? ", true" : "true";
  }
  return "%" + name + "_pad = ub.poison : " + type + "\n%" + name +
         " = vector.transfer_read %" + memory + "[" + at + "], %" + name +
         "_pad {in_bounds = [" + bounds + "]} : " + memrefType(shape, type) +
         ", " + vectorType(shape, type) + "\n";
}

inline std::string write(const std::string &name, const std::string &memory,
                         llvm::ArrayRef<int64_t> shape,
                         const std::string &type) {
  std::string at, bounds;
  for (size_t i = 0; i < shape.size(); ++i) {
    at += i ? ", %c0" : "%c0";
    bounds += i ? ", true" : "true";
  }
  return "vector.transfer_write %" + name + ", %" + memory + "[" + at +
         "] {in_bounds = [" + bounds + "]} : " + vectorType(shape, type) +
         ", " + memrefType(shape, type) + "\n";
}

/// A kernel's argument: written by the kernel if `isOutput`, and then compared
/// with `values`. The body calls it %`name`, so no other value may have that name.
struct KernelArgument {
  std::string name;
  std::string type;
  oracle::Tensor values;
  bool isOutput = false;
  /// Relative, or absolute below one.
  double tolerance = 0;
  /// What the memory has before; nothing if it is only written.
  std::optional<oracle::Tensor> before = std::nullopt;
};

class DistributionTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    if (context)
      return;
    context = makeContext(mlir::linalg_ext::registerAll).release();
    context->loadAllAvailableDialects();
  }

  /// The text of a program of one workgroup.
  static std::string getProgram(const Threads &threads,
                                llvm::ArrayRef<KernelArgument> arguments,
                                const std::string &body) {
    std::string text =
        "module attributes {dlti.target_system_spec = "
        "#dlti.target_system_spec<\"GPU\" = "
        "#dlti.target_device_spec<\"lanes\" = " +
        std::to_string(threads.lanes) + " : i64>>} {\nfunc.func @main(";
    for (const KernelArgument &argument : arguments) {
      if (&argument != arguments.begin())
        text += ", ";
      text += "%" + argument.name + ": " + argument.type;
    }
    return text + ") {\n%c0 = arith.constant 0 : index\n"
                  "%c1 = arith.constant 1 : index\n"
                  "%threads = arith.constant " +
           std::to_string(threads.lanes * threads.subgroups) +
           " : index\n"
           "gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = "
           "%c1) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = "
           "%c1) {\n" +
           body + "gpu.terminator\n}\nreturn\n}\n}\n";
  }

  /// Distributes and runs a program, and compares what it has written. Returns
  /// what failed; empty if nothing did.
  std::string check(const Threads &threads,
                    llvm::ArrayRef<KernelArgument> arguments,
                    const std::string &body, bool matrixLoads = false) {
    std::string text = getProgram(threads, arguments, body);
    std::string error;
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &diagnostic) {
          error += diagnostic.str() + "\n";
          return mlir::success();
        });
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, context);
    if (!module)
      return "cannot be parsed: " + error + text;
    // Random layouts may have more registers than the pass allows.
    mlir::IRRewriter rewriter(context);
    mlir::vector_ext::Workgroup workgroup;
    workgroup.numLanes = threads.lanes;
    workgroup.hasMatrixLoads = matrixLoads;
    mlir::WalkResult walked = module->walk([&](mlir::gpu::LaunchOp launch) {
      return mlir::failed(mlir::vector_ext::distributeKernel(rewriter, launch,
                                                             workgroup))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::skip();
    });
    if (walked.wasInterrupted() || mlir::failed(mlir::verify(*module)))
      return "cannot be distributed: " + error + text;

    // The instructions of tensor cores, as the interpreter knows them.
    mlir::RewritePatternSet patterns(context);
    mlir::nvgpu_ext::populateLowerMmaPatterns(patterns);
    mlir::linalg_ext::populateLowerThreadProductsPatterns(patterns);
    mlir::walkAndApplyPatterns(*module, std::move(patterns));
    emulateMma(*module);

    SimulationOptions simulation;
    simulation.interpreter.subgroupSize = threads.lanes;
    std::vector<oracle::Tensor> inputs;
    for (const KernelArgument &argument : arguments) {
      inputs.push_back(argument.before ? *argument.before : argument.values);
      if (argument.isOutput && !argument.before)
        simulation.uninitialized.push_back(&argument - arguments.begin());
    }
    Simulation result = simulate(*module, "main", inputs, simulation);
    if (!result.ok())
      return "cannot be run: " + result.error + text;
    statistics = result.statistics.lookup("main");
    for (const KernelArgument &argument : arguments) {
      if (!argument.isOutput)
        continue;
      const oracle::Tensor &actual =
          result.arguments[&argument - arguments.begin()];
      for (int64_t i = 0; i < actual.size(); ++i) {
        double expected = argument.values.data[i], got = actual.data[i];
        double allowed = argument.tolerance * std::max(1.0, std::abs(expected));
        if (got == expected ||
            std::abs(got - expected) <= allowed)
          continue;
        return "element " + std::to_string(i) + " of %" + argument.name +
               ": expected " + std::to_string(expected) + ", got " +
               std::to_string(got) + "\n" + text;
      }
    }
    return "";
  }

  /// Of the last run.
  mlir::linalg_ext::simt::KernelStatistics statistics;
  static inline mlir::MLIRContext *context = nullptr;
};

/// Small integers, which every type of the tests has.
inline oracle::Tensor getRandomValues(oracle::Random &random,
                                      llvm::ArrayRef<int64_t> shape,
                                      int64_t low = -8, int64_t high = 8) {
  oracle::Tensor tensor(oracle::Shape(shape.begin(), shape.end()));
  for (double &value : tensor.data)
    value = random.integer(low, high);
  return tensor;
}

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTIONTEST_H
