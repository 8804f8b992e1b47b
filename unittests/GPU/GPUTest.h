//===- GPUTest.h - From linalg to kernels to results ------------*- C++ -*-===//
//
// Takes a function on tensors through the pipeline that makes launches of it,
// and then kernels for a device, runs both in the SIMT interpreter, and
// compares with the oracle.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_GPU_GPUTEST_H
#define LINALG_EXT_UNITTESTS_GPU_GPUTEST_H

#include "Support/Fusion.h"
#include "Support/Simulate.h"

#include "gtest/gtest.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// The options of the pipeline that the tests vary.
struct GPUOptions {
  int64_t rows = 64, columns = 64, keys = 64, reduction = 32, threads = 128;
  int64_t stages = 0, split = 0, keySubgroups = 1;
  bool eager = false;
  std::string asyncProducts = "auto", roles = "auto";
  std::string persistentKernels = "auto", rotateLoops = "auto";
  std::string clusters = "auto", exchangeOperands = "auto";
  std::string f8Products = "f8";
  /// 0: those of the chip.
  int64_t processors = 0;
  /// Options of AMD's pipeline.
  bool transposeLoads = false, laneCopies = false;
  std::string rescaleThreshold, levels;
  std::string f32Products = "fma";
  /// Canonicalises and runs CSE before each pass.
  bool cleanUp = false;
  /// Runs only what is made of the launches for a device. The launches run, too,
  /// if the result is wrong, to say whose fault it is.
  bool onlyDevice = false;
  /// The number of the input in whose buffer the first result is.
  std::optional<unsigned> resultIn;
  /// When the interpreter copies asynchronously.
  mlir::linalg_ext::simt::Options::Order order =
      mlir::linalg_ext::simt::Options::Order::CopiesLast;
  /// The chip, of NVIDIA or AMD: that of the environment's
  /// LINALG_EXT_GPU_CHIP. Empty is the default of NVIDIA's pipeline.
  std::string chip = getChipOfEnvironment();
  static std::string getChipOfEnvironment();
  /// The lanes of a subgroup of the chip.
  int64_t getLanes() const;
  bool isAMD() const;
  /// Whether the chip has matrix instructions of f32 that round as f32 does.
  bool hasMatrixProductsOfF32() const;
  /// The products that a matrix instruction of f16 or bf16 computes.
  int64_t getMatrixProducts() const;
  std::string describe() const;
};

GPUOptions drawGPUOptions(oracle::Random &random);

/// The result of compiling and running a function.
struct GPUOutcome {
  std::string error; ///< Empty if all results are right.
  std::string remarks;
  std::string kernels; ///< The IR that ran first.
  /// What became of it, the last that still runs.
  mlir::OwningOpRef<mlir::ModuleOp> device;
  Simulation simulation, deviceSimulation;
  double worstRatio = 0, looseness = 0;

  bool ok() const { return error.empty(); }
  /// Not all is done as asked for.
  bool fellBack() const {
    return remarks.find("falls back") != std::string::npos ||
           remarks.find("multiplies in another way") != std::string::npos;
  }
  /// Some of it is done by threads on their own.
  bool isScalar() const {
    return remarks.find("one scalar at a time") != std::string::npos;
  }
  /// The sum over all kernels.
  mlir::linalg_ext::simt::KernelStatistics total() const {
    return getTotal(simulation);
  }
  mlir::linalg_ext::simt::KernelStatistics deviceTotal() const {
    return getTotal(deviceSimulation);
  }
  static mlir::linalg_ext::simt::KernelStatistics
  getTotal(const Simulation &simulation);
};

/// Takes @main of `module`, a function on tensors, through the pipeline, and
/// runs it. `destination` is the input that the first result may be written to,
/// if any.
GPUOutcome runOnGPU(mlir::ModuleOp module, const GPUOptions &options,
                    const std::vector<oracle::Tensor> &inputs,
                    const std::vector<oracle::Bounded> &want,
                    std::optional<size_t> destination = std::nullopt);

/// The same for an attention graph; `steps` follow from the options.
GPUOutcome runOnGPU(AttentionGraph &graph, const GPUOptions &options,
                    const std::vector<oracle::Tensor> &inputs);

/// Calls `body` in a separate process, which may crash or hang. Returns the
/// result of `body`, or what happened to the process.
std::string runIsolated(const std::function<std::string()> &body,
                        unsigned seconds = 60);

/// A value of a program as text.
struct TypedName {
  std::string name, type;
};

/// The text of an op that adds products of `left` and `right` to `sums`, which
/// is f32. `dims` names the dimensions, as in "mk,nk->mn". Loops have the order
/// of the result, then that of the sums.
std::string makeProduct(const std::string &dims, const std::string &result,
                        const TypedName &left, const TypedName &right,
                        const TypedName &sums);

class GPUTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    if (!context)
      context = makeFusionContext().release();
  }

  /// One head, whose queries are "md", keys "nd" and values "ne".
  static AttentionSpec makeSpec(int64_t queries, int64_t keys, int64_t depth,
                                oracle::DType type = oracle::DType::F16);
  /// The same with dimensions `batch` of size 2 in front of those of queries,
  /// and `ofKeys`, some of them, in front of those of keys and values.
  static AttentionSpec addBatch(AttentionSpec spec, const std::string &batch,
                                const std::string &ofKeys);

  /// Random inputs, and a check; failures print the case.
  static GPUOutcome check(const AttentionSpec &spec,
                          const GPUOptions &options = {}, uint64_t seed = 1,
                          InputRange range = {});
  /// The same for a program as text.
  static GPUOutcome check(const std::string &text, const GPUOptions &options,
                          const std::vector<oracle::Tensor> &inputs,
                          const std::vector<oracle::Bounded> &want);

  /// `text` with [A], [B], .. replaced by the sizes `a`, `b`, ..; or by ? where
  /// they are dynamic, except for those in `fixed`.
  static std::string fill(std::string text, const std::string &letters,
                          const std::vector<int64_t> &sizes, bool isDynamic,
                          const std::string &fixed = "") {
    for (size_t i = 0; i < letters.size(); ++i) {
      std::string name = std::string("[") + letters[i] + "]";
      bool keep = !isDynamic || fixed.find(letters[i]) != std::string::npos;
      std::string size = keep ? std::to_string(sizes[i]) : "?";
      for (size_t at; (at = text.find(name)) != std::string::npos;)
        text.replace(at, name.size(), size);
    }
    return text;
  }

  static inline mlir::MLIRContext *context = nullptr;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_GPU_GPUTEST_H
