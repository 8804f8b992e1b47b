//===- RandomTest.cpp - Random programs as kernels ------------------------===//
//
// Draws graphs, data and options of the pipeline; all of them must compile, run
// without races and the like, and be right. In the environment,
// LINALG_EXT_GPU_CASES asks for more cases, LINALG_EXT_GPU_FROM for those from
// one on, LINALG_EXT_GPU_SEED for others, LINALG_EXT_GPU_CASE for one of them,
// with its IR, LINALG_EXT_GPU_VERBOSE for the reasons of fallbacks, and
// LINALG_EXT_GPU_CHIP for another chip, of AMD for example.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "Property/Cases.h"

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;

namespace {
struct RandomCase {
  std::string description;
  std::function<std::string(bool withIR)> run;
};
} // namespace

/// Runs cases of `draw`, each in a process of its own. What falls back must be
/// right, too, but is counted: of many cases, at most a third may.
static void
runCases(const std::function<RandomCase(uint64_t seed, int64_t index)> &draw,
         int64_t numCases) {
  int64_t seed = oracle::getEnvironmentNumber("LINALG_EXT_GPU_SEED", 1);
  int64_t only = oracle::getEnvironmentNumber("LINALG_EXT_GPU_CASE", -1);
  numCases = oracle::getEnvironmentNumber("LINALG_EXT_GPU_CASES", numCases);
  int64_t from = only < 0
                     ? oracle::getEnvironmentNumber("LINALG_EXT_GPU_FROM", 0)
                     : only;
  int64_t to = only < 0 ? from + numCases : only + 1;
  int64_t numFailures = 0, numFellBack = 0;
  for (int64_t index = from; index < to; ++index) {
    RandomCase c = draw(seed, index);
    std::string error = runIsolated([&] { return c.run(only >= 0); });
    if (llvm::StringRef(error).starts_with("fell back")) {
      ++numFellBack;
      if (oracle::getEnvironmentNumber("LINALG_EXT_GPU_VERBOSE", 0))
        std::printf("case %lld: %s\n", static_cast<long long>(index),
                    error.c_str());
      continue;
    }
    if (error.empty())
      continue;
    ++numFailures;
    ADD_FAILURE() << "case " << index << " of seed " << seed << ": "
                  << c.description << "\n"
                  << error;
  }
  if (to - from > 1)
    std::printf(
        "seed %lld: %lld of %lld cases failed, %lld fell back\n",
        static_cast<long long>(seed), static_cast<long long>(numFailures),
        static_cast<long long>(to - from), static_cast<long long>(numFellBack));
  // A case that falls back tests no kernel of tiles.
  if (to - from >= 40)
    EXPECT_LE(3 * numFellBack, to - from);
}

static std::string finish(const GPUOutcome &outcome, bool withIR) {
  // A located error by design: functions of f64.
  if (outcome.error.find("has no lowering without a library: expected f16, "
                         "bf16 or f32, got") != std::string::npos)
    return "fell back: " + outcome.error;
  if (withIR && !outcome.ok())
    return outcome.error + outcome.remarks + outcome.kernels;
  if (outcome.ok() && outcome.fellBack())
    return "fell back: " + outcome.remarks;
  return outcome.error;
}

namespace {
class RandomTest : public GPUTest {
protected:
  /// Each case has a process of its own, which finds dialects loaded and symbols
  /// bound if a program has been compiled and run before.
  static void SetUpTestSuite() {
    GPUTest::SetUpTestSuite();
    (void)check(makeSpec(16, 32, 16));
  }
};
} // namespace

/// Everything that tile-and-fuse is tested with: small sizes, all kinds of
/// graphs.
TEST_F(RandomTest, Graphs) {
  runCases(
      [](uint64_t seed, int64_t index) {
        Case c = drawCase(seed, index);
        Random random(seed * 7919 + index);
        GPUOptions options = drawGPUOptions(random);
        options.onlyDevice = true;
        return RandomCase{
            c.spec.describe() + "\n" + options.describe(),
            [c, options](bool withIR) -> std::string {
              // A result that is an input is no argument of its own.
              if (c.spec.scoresAreInput && c.spec.returnScores)
                return "fell back: a result is an input";
              AttentionGraph graph = buildAttention(context, c.spec);
              if (withIR)
                std::fputs(print(*graph.module).c_str(), stderr);
              return finish(runOnGPU(graph, options, makeInputs(c, graph)),
                            withIR);
            }};
      },
      120);
}

/// Attention as models have it: head dimensions, sequences and types.
static AttentionSpec drawModel(Random &random, GPUOptions &options) {
  AttentionSpec spec;
  std::string batch = random.pick<std::string>({"", "b", "bh", "bhg"});
  spec.q = batch + "md";
  spec.k = batch + "nd";
  spec.v = batch + "ne";
  spec.scores = batch + "mn";
  spec.out = batch + "me";
  if (batch == "bhg") {
    spec.k = "bhnd";
    spec.v = "bhne";
  }
  for (char letter : batch)
    spec.sizes[letter] = random.integer(1, 2);
  if (batch == "bhg" && random.chance(0.5))
    spec.sizes['g'] = random.pick<int64_t>({4, 8});
  const std::vector<int64_t> lengths = {1, 2, 15, 16, 17, 33, 63, 64, 65, 130};
  spec.sizes['m'] = random.pick(lengths);
  spec.sizes['n'] = random.chance(0.5) ? spec.sizes['m'] : random.pick(lengths);
  const std::vector<int64_t> dims = {1,  2,  3,  16,  32,  64,
                                     72, 80, 96, 128, 160, 256};
  spec.sizes['d'] = random.pick(dims);
  spec.sizes['e'] = random.chance(0.7) ? spec.sizes['d'] : random.pick(dims);
  switch (random.integer(0, 5)) {
  case 0:
    break; // f32
  case 1:
  case 2:
    spec.type = spec.probType = spec.outType = DType::BF16;
    break;
  default:
    spec.type = spec.probType = spec.outType = DType::F16;
  }
  if (spec.type != DType::F32 && random.chance(0.2))
    spec.outType = DType::F32;
  for (char letter : std::string("bhmn"))
    if (spec.sizes.count(letter) && random.chance(0.3))
      spec.dynamic += letter;
  spec.scale = random.chance(0.7) ? std::optional<double>(0.125) : std::nullopt;
  spec.mask = random.pick<MaskForm>(
      {MaskForm::None, MaskForm::Causal, MaskForm::Causal, MaskForm::Window,
       MaskForm::Additive, MaskForm::Boolean, MaskForm::Lengths});
  spec.maskWidth = random.pick<int64_t>({1, 5, 40});
  // Lengths are of eight bits.
  if (spec.mask == MaskForm::Lengths)
    spec.sizes['n'] = std::min<int64_t>(spec.sizes['n'], 127);
  if (spec.hasMaskInput()) {
    spec.maskDims = spec.mask == MaskForm::Lengths ? "m" : "mn";
    if (batch.find('b') != std::string::npos && random.chance(0.5))
      spec.maskDims = "b" + spec.maskDims;
  }
  if (random.chance(0.1))
    spec.softcap = 8;
  if (random.chance(0.1))
    spec.alibi = -0.25;
  spec.softmaxForm = random.pick<SoftmaxForm>(
      {SoftmaxForm::Ext, SoftmaxForm::Ext, SoftmaxForm::Named,
       SoftmaxForm::Chain, SoftmaxForm::Guarded});
  if (spec.sizes['n'] == 1 || spec.isChain())
    spec.softmaxForm = spec.softmaxForm == SoftmaxForm::Guarded
                           ? SoftmaxForm::Guarded
                           : SoftmaxForm::Ext;
  options = drawGPUOptions(random);
  // Caches of 8 and 4 bits; few rows load them as runs of each thread.
  if (random.chance(0.3)) {
    spec.stored = random.pick<DType>(
        {DType::I8, DType::I8, DType::F8E4M3FN, DType::F8E5M2});
    if (random.chance(0.5))
      spec.sizes['m'] = random.pick<int64_t>({2, 4, 8, 16});
    spec.packed = spec.stored == DType::I8 && spec.sizes['d'] % 2 == 0 &&
                  spec.sizes['e'] % 2 == 0 && random.chance(0.5);
  }
  // Interpreting takes time.
  if (spec.sizes['m'] * spec.sizes['n'] > 5000)
    for (char letter : batch)
      spec.sizes[letter] = 1;
  return spec;
}

TEST_F(RandomTest, Attention) {
  runCases(
      [](uint64_t seed, int64_t index) {
        Random random(seed * 1000003 + index);
        GPUOptions options;
        AttentionSpec spec = drawModel(random, options);
        options.onlyDevice = true;
        InputRange range;
        range.score = random.pick<double>({0.5, 2, 2, 30});
        range.masked = random.pick<double>({0.0, 0.3, 0.9, 1.0});
        uint64_t dataSeed = random.next();
        return RandomCase{
            spec.describe() + "\n" + options.describe(),
            [=](bool withIR) -> std::string {
              AttentionGraph graph = buildAttention(context, spec);
              if (withIR)
                std::fputs(print(*graph.module).c_str(), stderr);
              Random data(dataSeed);
              return finish(
                  runOnGPU(graph, options, graph.randomInputs(data, range)),
                  withIR);
            }};
      },
      40);
}
