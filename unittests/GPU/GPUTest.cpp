//===- GPUTest.cpp - From linalg to kernels to results --------------------===//
//
// See GPUTest.h.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"
#include "Support/Child.h"
#include "Support/RecordCase.h"

#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>
#include <deque>
#include <limits>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

std::string GPUOptions::getChipOfEnvironment() {
  const char *chip = std::getenv("LINALG_EXT_GPU_CHIP");
  return chip ? chip : "";
}

int64_t GPUOptions::getLanes() const {
  const AMDChip *amd = lookupAMDChip(chip);
  return amd ? amd->target.lanes : 32;
}

bool GPUOptions::isAMD() const { return lookupAMDChip(chip) != nullptr; }

bool GPUOptions::hasMatrixProductsOfF32() const {
  const AMDChip *amd = lookupAMDChip(chip);
  return amd && llvm::any_of(amd->target.intrinsics, [](StringRef name) {
           return name.contains(".f32.f32");
         });
}

int64_t GPUOptions::getMatrixProducts() const {
  if (!isAMD())
    return 16 * 8 * 16;
  return 16 * 16 * (chip == "gfx950" ? 32 : 16);
}

std::string GPUOptions::describe() const {
  return llvm::formatv(
      "rows={0} columns={1} keys={2} reduction={3} "
      "threads={4} stages={5} split={6} key-subgroups={7} "
      "normalization={8} rescale-threshold={9} "
      "f32-products={10}{11} async-products={12} roles={13} "
      "persistent-kernels={14} rotate-loops={15} "
      "processors={16}{17}{18}{19}{20}",
      rows, columns, keys, reduction, threads, stages, split, keySubgroups,
      eager ? "eager" : "delayed", rescaleThreshold, f32Products,
      levels.empty() ? "" : " levels=\"" + levels + "\"", asyncProducts, roles,
      persistentKernels, rotateLoops, processors,
      transposeLoads ? " transpose-loads=true" : "",
      laneCopies ? " lane-copies=true" : "",
      f8Products == "f8" ? "" : " f8-products=" + f8Products,
      (clusters == "auto" ? "" : " clusters=" + clusters) +
          (exchangeOperands == "auto"
               ? ""
               : " exchange-operands=" + exchangeOperands));
}

GPUOptions linalg_ext_test::drawGPUOptions(oracle::Random &random) {
  GPUOptions options;
  options.rows = random.pick<int64_t>({0, 16, 32, 64, 128});
  options.columns = random.pick<int64_t>({16, 32, 64});
  options.keys = random.pick<int64_t>({0, 16, 32, 64});
  options.reduction = random.pick<int64_t>({16, 32});
  options.threads = std::max<int64_t>(random.pick<int64_t>({32, 64, 128, 256}),
                                      options.getLanes());
  options.eager = random.chance(0.3);
  options.stages = random.integer(0, 4);
  options.split = random.pick<int64_t>({-1, -1, 0, 16, 32, 48});
  if (!options.eager)
    options.rescaleThreshold =
        random.pick<std::string>({"", "", "0", "2", "8"});
  // They divide the subgroups.
  options.keySubgroups = std::min<int64_t>(options.threads / options.getLanes(),
                                           random.pick<int64_t>({1, 1, 2, 4}));
  if (options.chip.empty() && random.chance(0.5)) {
    options.chip = "sm_90a";
    options.asyncProducts = random.pick<std::string>({"auto", "true", "true"});
    options.roles = random.pick<std::string>({"auto", "true", "false"});
    options.persistentKernels =
        random.pick<std::string>({"auto", "true", "false"});
    options.rotateLoops = random.pick<std::string>({"auto", "true", "false"});
    options.processors = random.pick<int64_t>({0, 2, 3});
    options.clusters = random.pick<std::string>({"auto", "true", "false"});
    options.exchangeOperands =
        random.pick<std::string>({"auto", "true", "false"});
  }
  if (const AMDChip *amd = lookupAMDChip(options.chip)) {
    options.transposeLoads = amd->hasTransposeLoads && random.chance(0.5);
    options.laneCopies = amd->hasLaneCopies && random.chance(0.5);
  }
  return options;
}

simt::KernelStatistics GPUOutcome::getTotal(const Simulation &simulation) {
  simt::KernelStatistics sum;
  for (const auto &entry : simulation.statistics) {
    const simt::KernelStatistics &one = entry.getValue();
    sum.launches += one.launches;
    sum.workgroups += one.workgroups;
    sum.barriers += one.barriers;
    sum.shuffles += one.shuffles;
    sum.mmas += one.mmas;
    sum.ldmatrices += one.ldmatrices;
    sum.asyncCopies += one.asyncCopies;
    sum.bufferLoads += one.bufferLoads;
    sum.bufferZeros += one.bufferZeros;
    sum.boxCopies += one.boxCopies;
    sum.workgroupBytes = std::max(sum.workgroupBytes, one.workgroupBytes);
    sum.wavefronts.actual += one.wavefronts.actual;
    sum.wavefronts.ideal += one.wavefronts.ideal;
  }
  return sum;
}

/// Runs @main of `module`, whose results are arguments that follow the inputs
/// or `destination`, and compares. Returns what is wrong, or nothing.
static std::string runAndCompare(ModuleOp module,
                                 const std::vector<oracle::Tensor> &inputs,
                                 const std::vector<oracle::Bounded> &want,
                                 std::optional<size_t> destination,
                                 Simulation &result, GPUOutcome &outcome,
                                 const GPUOptions &options, bool sharesMemory) {
  std::vector<oracle::Tensor> arguments = inputs;
  SimulationOptions simulation;
  simulation.interpreter.order = options.order;
  if (const AMDChip *amd = lookupAMDChip(options.chip)) {
    simulation.interpreter.subgroupSize = amd->target.lanes;
    simulation.interpreter.maxWorkgroupBytes = amd->target.sharedBytes;
  }
  // Buffers that are never live together share memory only in a later pass,
  // which checks the sum.
  if (!sharesMemory)
    simulation.interpreter.maxWorkgroupBytes =
        std::numeric_limits<int64_t>::max();
  auto function = module.lookupSymbol<func::FuncOp>("main");
  size_t numOutputs = function.getNumArguments() - inputs.size();
  bool isInPlace = destination && numOutputs + 1 == want.size();
  if (!isInPlace && numOutputs != want.size())
    return llvm::formatv("expected {0} results, got {1} arguments", want.size(),
                         numOutputs);
  // The argument that is result `i`.
  auto getArgument = [&](size_t i) {
    return isInPlace && i == 0 ? *destination : inputs.size() + i - isInPlace;
  };
  for (size_t i = isInPlace; i < want.size(); ++i) {
    simulation.uninitialized.push_back(arguments.size());
    arguments.emplace_back(want[i].value.shape);
  }
  if (options.resultIn)
    simulation.sameBuffers.emplace_back(getArgument(0), *options.resultIn);
  result = simulate(module, "main", arguments, simulation);
  if (!result.ok())
    return "cannot be run: " + result.error;
  std::string error;
  for (size_t i = 0; i < want.size(); ++i) {
    oracle::Comparison c =
        oracle::compare(result.arguments[getArgument(i)], want[i]);
    if (!c.ok)
      error += llvm::formatv("wrong result {0}: {1}\n", i, c.message).str();
    outcome.worstRatio = std::max(outcome.worstRatio, c.worstRatio);
    outcome.looseness = std::max(outcome.looseness, c.looseness);
  }
  return error;
}

namespace {
/// Canonicalises and runs CSE before each pass that does neither itself.
class CleanUpBeforePasses : public PassInstrumentation {
public:
  explicit CleanUpBeforePasses(MLIRContext *context) {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    // Analyses of CSE are kept for another one behind it. Outlining is a step
    // of a pass that has moved ops into launches just before.
    if (llvm::is_contained({"canonicalize", "cse", "gpu-kernel-outlining"},
                           pass->getArgument()))
      return;
    (void)applyPatternsGreedily(op, patterns);
    IRRewriter rewriter(op->getContext());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, op);
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace

static void buildLastPipeline(OpPassManager &passes,
                              const ToNVVMPipelineOptions &pipeline) {
  buildDeviceKernelsToNVVMPipeline(passes, pipeline);
}

static void buildLastPipeline(OpPassManager &passes,
                              const ToROCDLPipelineOptions &pipeline) {
  buildDeviceKernelsToROCDLPipeline(passes, pipeline);
}

/// Compiles `module` to launches, and a copy of it, `device`, to kernels for a
/// device in `format`. Returns what is wrong, or nothing.
template <typename PipelineT>
static std::string compile(ModuleOp module, const GPUOptions &options,
                           llvm::StringRef format,
                           OwningOpRef<ModuleOp> &device) {
  PassManager passes(module.getContext());
  PipelineT pipeline;
  pipeline.rows = options.rows;
  pipeline.columns = options.columns;
  pipeline.keys = options.keys;
  pipeline.reduction = options.reduction;
  pipeline.threads = options.threads;
  pipeline.stages = options.stages;
  pipeline.split = options.split;
  pipeline.keySubgroups = options.keySubgroups;
  pipeline.normalization = options.eager ? "eager" : "delayed";
  pipeline.rescaleThreshold = options.rescaleThreshold;
  if (!options.chip.empty())
    pipeline.chip = options.chip;
  pipeline.levels = options.levels;
  pipeline.f32Products = options.f32Products;
  pipeline.processors = options.processors;
  if constexpr (std::is_same_v<PipelineT, ToNVVMPipelineOptions>) {
    pipeline.asyncProducts = options.asyncProducts;
    pipeline.roles = options.roles;
    pipeline.persistentKernels = options.persistentKernels;
    pipeline.clusters = options.clusters;
    pipeline.exchangeOperands = options.exchangeOperands;
    pipeline.rotateLoops = options.rotateLoops;
    pipeline.f8Products = options.f8Products;
  }
  if constexpr (std::is_same_v<PipelineT, ToROCDLPipelineOptions>) {
    pipeline.transposeLoads = options.transposeLoads;
    pipeline.laneCopies = options.laneCopies;
  }
  buildLinalgToLaunchesPipeline(passes, pipeline);
  if (options.cleanUp)
    passes.addInstrumentation(
        std::make_unique<CleanUpBeforePasses>(module.getContext()));
  if (failed(runAndVerify(passes, module)))
    return "cannot be compiled: ";
  // Kernels for a device: workgroup memory in one block, its intrinsics.
  device = module.clone();
  PassManager kernels(module.getContext()), rest(module.getContext());
  pipeline.format = format.str();
  buildGPUKernelsPipeline(kernels, pipeline);
  kernels.addPass(createLinalgExtGPUManifestPass());
  buildDeviceKernelsPipeline(kernels, pipeline);
  if (options.cleanUp)
    kernels.addInstrumentation(
        std::make_unique<CleanUpBeforePasses>(module.getContext()));
  // What is interpreted is what the rest of the pipeline has to take, too.
  buildLastPipeline(rest, pipeline);
  OwningOpRef<ModuleOp> copy;
  if (succeeded(runAndVerify(kernels, *device)))
    copy = device->clone();
  if (!copy || failed(runAndVerify(rest, *copy)))
    return "cannot be compiled to " + format.upper() + ": ";
  return "";
}

namespace {
/// What `compile` made of a program. Tests run many programs of dynamic sizes
/// with several sizes, orders of copies, or data.
struct CompiledProgram {
  /// The program and what it was compiled for.
  std::string key;
  OwningOpRef<ModuleOp> launches, device;
  std::string remarks;
};
} // namespace

/// Compiles as `compile` does, and writes all diagnostics to `remarks`. Takes
/// one of the last programs if it is the same.
static std::string compileOnce(ModuleOp module, const GPUOptions &options,
                               OwningOpRef<ModuleOp> &device,
                               std::string &remarks) {
  // Tests alternate between two or three programs.
  constexpr size_t maxPrograms = 6;
  static std::deque<CompiledProgram> programs;
  std::string key =
      llvm::formatv("{0}{1} {2} {3}", print(module), options.describe(),
                    options.chip, options.cleanUp);
  for (CompiledProgram &program : programs) {
    if (program.key != key ||
        program.launches->getContext() != module.getContext())
      continue;
    OwningOpRef<ModuleOp> copy = program.launches->clone();
    module->setAttrs(copy.get()->getAttrDictionary());
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    device = program.device->clone();
    remarks = program.remarks;
    return "";
  }
  llvm::raw_string_ostream os(remarks);
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        return success();
      });
  std::string error =
      lookupAMDChip(options.chip)
          ? compile<ToROCDLPipelineOptions>(module, options, "rocdl", device)
          : compile<ToNVVMPipelineOptions>(module, options, "nvvm", device);
  if (!error.empty())
    return error + os.str();
  programs.push_back({key, module.clone(), device->clone(), os.str()});
  if (programs.size() > maxPrograms)
    programs.pop_front();
  return "";
}

GPUOutcome linalg_ext_test::runOnGPU(ModuleOp module, const GPUOptions &options,
                                     const std::vector<oracle::Tensor> &inputs,
                                     const std::vector<oracle::Bounded> &want,
                                     std::optional<size_t> destination) {
  GPUOutcome outcome;
  if (isRecording())
    recordCase(getTestName(), print(module), options.describe(), inputs, want,
               destination);
  // 1. Compile.
  OwningOpRef<ModuleOp> &device = outcome.device;
  outcome.error = compileOnce(module, options, device, outcome.remarks);
  if (!outcome.ok())
    return outcome;

  // 2. Run.
  auto runLaunches = [&] {
    outcome.kernels = print(module);
    outcome.error = runAndCompare(module, inputs, want, destination,
                                  outcome.simulation, outcome, options,
                                  /*sharesMemory=*/false);
    return outcome.ok();
  };
  if (!options.onlyDevice && !runLaunches())
    return outcome;
  std::string error = runAndCompare(*device, inputs, want, destination,
                                    outcome.deviceSimulation, outcome, options,
                                    /*sharesMemory=*/true);
  bool isWrongBefore = options.onlyDevice && !error.empty() && !runLaunches();
  if (!error.empty() && !isWrongBefore)
    outcome.error = "kernels for a device: " + error;
  return outcome;
}

GPUOutcome
linalg_ext_test::runOnGPU(AttentionGraph &graph, const GPUOptions &options,
                          const std::vector<oracle::Tensor> &inputs) {
  // Loops over blocks that a mask leaves whole and over others count once.
  int64_t keys = graph.spec.size(graph.spec.keys);
  // Of those that are chosen, the smallest.
  int64_t tile = options.keys > 0 ? options.keys : 32;
  int64_t steps = (keys + tile - 1) / tile;
  // Lazily rescaled maxima, at most those of 8.
  if (!options.rescaleThreshold.empty())
    steps += 2;
  // Chunks end with a tile of their own, and are merged one by one.
  if (options.split > 0)
    steps += 2 * ((keys + options.split - 1) / options.split);
  // Parts are merged one by one.
  if (options.keySubgroups > 1)
    steps += 2 * options.keySubgroups;
  std::optional<size_t> destination;
  if (graph.spec.initIsInput)
    destination = inputs.size() - 1;
  return runOnGPU(*graph.module, options, inputs,
                  graph.evaluate(inputs, std::max<int64_t>(steps, 1),
                                 oracle::ExpForm::ScaledOperands),
                  destination);
}

std::string
linalg_ext_test::runIsolated(const std::function<std::string()> &body,
                             unsigned seconds) {
  auto [text, status] = runInChild([&] {
    // Of processor time: other processes may be running.
    itimerval limit = {{0, 0}, {static_cast<time_t>(seconds), 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    return "." + body();
  });
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGPROF
               ? "takes longer than " + std::to_string(seconds) + " s"
               : "crashes with signal " + std::to_string(WTERMSIG(status));
  return text.empty() ? "exits" : text.substr(1);
}

/// "m, n" for "mn".
static std::string list(llvm::StringRef dims) {
  std::string text;
  for (char dim : dims)
    text += (text.empty() ? std::string() : ", ") + dim;
  return text;
}

std::string linalg_ext_test::makeProduct(const std::string &dims,
                                         const std::string &result,
                                         const TypedName &left,
                                         const TypedName &right,
                                         const TypedName &sums) {
  auto [operands, ofResult] = llvm::StringRef(dims).split("->");
  auto [ofLeft, ofRight] = operands.split(",");
  std::string loops = ofResult.str(), iterators;
  for (char dim : (ofLeft + ofRight).str())
    if (!llvm::is_contained(loops, dim))
      loops += dim;
  for (size_t i = 0; i < loops.size(); ++i)
    iterators += std::string(i == 0 ? "" : ", ") +
                 (i < ofResult.size() ? "\"parallel\"" : "\"reduction\"");
  auto getMap = [&, loops = llvm::StringRef(loops)](llvm::StringRef dims) {
    return "affine_map<(" + list(loops) + ") -> (" + list(dims) + ")>";
  };
  auto getElement = [](llvm::StringRef type) {
    return type.rsplit('x').second.drop_back();
  };
  return llvm::formatv(
      R"(  {0} = linalg.generic {{
      indexing_maps = [{1}, {2}, {3}], iterator_types = [{4}]}
      ins({5}, {6} : {7}, {8}) outs({9} : {10}) {{
  ^bb0(%left: {11}, %right: {12}, %sum: f32):
    %0 = arith.extf %left : {11} to f32
    %1 = arith.extf %right : {12} to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> {10})",
      result, getMap(ofLeft), getMap(ofRight), getMap(ofResult), iterators,
      left.name, right.name, left.type, right.type, sums.name, sums.type,
      getElement(left.type), getElement(right.type));
}

AttentionSpec GPUTest::makeSpec(int64_t queries, int64_t keys, int64_t depth,
                                oracle::DType type) {
  AttentionSpec spec;
  spec.sizes = {{'m', queries}, {'n', keys}, {'d', depth}, {'e', depth}};
  spec.type = spec.probType = spec.outType = type;
  spec.scale = 0.125;
  return spec;
}

AttentionSpec GPUTest::addBatch(AttentionSpec spec, const std::string &batch,
                                const std::string &ofKeys) {
  spec.q = batch + spec.q;
  spec.scores = batch + spec.scores;
  spec.out = batch + spec.out;
  spec.k = ofKeys + spec.k;
  spec.v = ofKeys + spec.v;
  for (char letter : batch)
    spec.sizes[letter] = 2;
  return spec;
}

GPUOutcome GPUTest::check(const AttentionSpec &spec, const GPUOptions &options,
                          uint64_t seed, InputRange range) {
  AttentionGraph graph = buildAttention(context, spec);
  std::string before = print(*graph.module);
  oracle::Random random(seed);
  GPUOutcome outcome =
      runOnGPU(graph, options, graph.randomInputs(random, range));
  EXPECT_TRUE(outcome.ok()) << spec.describe() << "\n"
                            << options.describe() << "\n"
                            << outcome.error << outcome.remarks << before;
  return outcome;
}

GPUOutcome GPUTest::check(const std::string &text, const GPUOptions &options,
                          const std::vector<oracle::Tensor> &inputs,
                          const std::vector<oracle::Bounded> &want) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(context));
  GPUOutcome outcome;
  if (!module) {
    outcome.error = "cannot be parsed";
  } else {
    outcome = runOnGPU(*module, options, inputs, want);
  }
  EXPECT_TRUE(outcome.ok()) << options.describe() << "\n"
                            << outcome.error << outcome.remarks << text;
  return outcome;
}
