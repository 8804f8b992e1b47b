//===- ImporterTester.cpp - Random spellings through the pipelines --------===//
//
// Draws calls of attention and ways in which importers write them, some taken
// through upstream's own passes first, and takes each through the CPU and the
// GPU pipeline: all must be right (Support/Enclosure.h), and all must fuse, as
// no call here has a result of the size of the scores. What does not is counted
// by what it is spelled with.
//
//   linalg-ext-importer-tester [--cases=N] [--seed=S] [--case=I] [--targets=T]
//                              [--require-fused] [--verbose]
//
//===----------------------------------------------------------------------===//

#include "Semantics/Attention.h"
#include "Support/CheckProgram.h"
#include "Support/Fusion.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"

#include <cstdio>
#include <cstring>
#include <map>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

namespace {
/// What a user's own tools make of a program before it gets here.
enum class StockPasses { None, Generalize, FuseElementwise, FoldUnitDims };
constexpr const char *kStockNames[] = {"none", "generalize", "fuse-elementwise",
                                       "fold-unit-dims"};

struct ImporterCase {
  AttentionCall call;
  Spelling spelling;
  StockPasses stock = StockPasses::None;
  AttentionInputs inputs;
  /// Of a tile of the keys; few, for there to be several.
  int64_t keys = 16;

  std::string describe() const {
    return llvm::formatv("{0}\n  {1} stock={2} keys={3}", call.describe(),
                         spelling.describe(),
                         kStockNames[static_cast<int>(stock)], keys);
  }
  /// What it is counted by.
  std::vector<std::string> features() const;
  /// The least size of anything like the scores, less one: they are of f16 at
  /// least. A head's tile of scores, keys, values and results are smaller.
  int64_t maxBufferBytes() const {
    return 2 * call.size('b') * call.size('H') * call.size('m') *
               call.size('n') -
           1;
  }
};
} // namespace

std::vector<std::string> ImporterCase::features() const {
  static const char *const heads[] = {"grouped", "repeated", "batched"};
  static const char *const softmax[] = {"named", "chain", "keep-dims",
                                        "expanded"};
  static const char *const guards[] = {"", "guard in-chain", "guard by-bias",
                                       "guard by-scores"};
  static const char *const normalize[] = {"", "reciprocal", "log-sum-exp"};
  std::vector<std::string> list = {
      std::string("type ") + oracle::getName(call.type),
      std::string("heads ") + heads[static_cast<int>(spelling.heads)] +
          (spelling.repeatByExpand ? "-by-expand" : ""),
      std::string("softmax ") + softmax[static_cast<int>(spelling.softmax)],
      std::string("stock ") + kStockNames[static_cast<int>(stock)]};
  auto add = [&](bool has, const std::string &name) {
    if (has)
      list.push_back(name);
  };
  add(spelling.guard != Spelling::Guard::None,
      guards[static_cast<int>(spelling.guard)]);
  add(spelling.normalize != Spelling::Normalize::Divide,
      normalize[static_cast<int>(spelling.normalize)]);
  add(spelling.genericFills, "generic fills");
  add(spelling.scaleOperands, "scaled operands");
  add(spelling.transposeKeys, "transposed keys");
  add(spelling.biasTensor, "masks as a tensor");
  add(call.isCausal, "causal");
  add(call.leftWindow >= 0, "window");
  add(call.mask == AttentionCall::Mask::Boolean, "boolean mask");
  add(call.mask == AttentionCall::Mask::Float, "float mask");
  add(call.softcap != 0, "softcap");
  add(call.hasPast,
      spelling.concatByInsertSlice ? "past by insert_slice" : "past by concat");
  add(call.packedHeads, "packed heads");
  add(call.hasLengths, "lengths");
  add(!call.dynamic.empty(), "dynamic");
  return list;
}

static ImporterCase drawCase(uint64_t seed, int64_t index) {
  Random random(seed * 1000003 + static_cast<uint64_t>(index));
  ImporterCase c;
  AttentionCall &call = c.call;
  auto size = [&](char letter, int64_t low, int64_t high) {
    call.sizes[letter] = random.integer(low, high);
  };
  // Three heads or more, and fewer columns than rows: scores are larger than
  // anything that a fused program has to have.
  size('b', 1, 2);
  size('h', 1, 3);
  size('g', 1, 3);
  if (call.sizes['b'] * call.sizes['h'] * call.sizes['g'] < 3)
    call.sizes['g'] = 3;
  size('m', 17, 40);
  size('n', 20, 70);
  size('d', 3, 8);
  size('e', 3, 8);
  call.type = random.pick<DType>({DType::F32, DType::F16, DType::BF16});
  call.dynamic = random.pick<std::string>({"", "", "n", "m", "mn"});
  call.packedHeads = random.chance(0.2);
  call.isCausal = random.chance(0.3);
  if (random.chance(0.15))
    call.leftWindow = random.integer(1, 12);
  if (call.leftWindow >= 0)
    call.isCausal = true;
  if (random.chance(0.2))
    call.softcap = random.uniform(5, 30);
  if (random.chance(0.2)) {
    call.hasPast = true;
    size('p', 3, 30);
    size('c', 17, 40);
    call.sizes['n'] = call.sizes['p'] + call.sizes['c'];
    call.sizes['m'] = call.sizes['c'];
  }
  if (random.chance(0.1) && !call.hasPast) {
    call.hasLengths = true;
    call.sizes['n'] = std::max(call.sizes['n'], call.sizes['m']);
  }
  if (random.chance(0.4)) {
    call.mask = random.pick<AttentionCall::Mask>(
        {AttentionCall::Mask::Boolean, AttentionCall::Mask::Float});
    call.maskDims = random.pick<std::string>({"mn", "b1mn", "b11n", "bHmn"});
  }

  Spelling &s = c.spelling;
  using Heads = Spelling::Heads;
  using Softmax = Spelling::Softmax;
  using Normalize = Spelling::Normalize;
  s.heads = random.pick<Heads>(
      {Heads::Grouped, Heads::Repeated, Heads::Repeated, Heads::Batched});
  s.foldReshapes = false;
  s.repeatByExpand = s.heads != Heads::Grouped && random.chance(0.5);
  s.softmax =
      random.pick<Softmax>({Softmax::Named, Softmax::Chain, Softmax::KeepDims,
                            Softmax::Expanded, Softmax::Expanded});
  if (s.softmax != Softmax::Named && random.chance(0.3))
    s.normalize =
        random.pick<Normalize>({Normalize::Reciprocal, Normalize::LogSumExp});
  s.genericFills = random.chance(0.25);
  s.scaleOperands = random.chance(0.3);
  s.transposeKeys = random.chance(0.4);
  s.biasTensor = random.chance(0.5);
  s.concatByInsertSlice = random.chance(0.3);
  s.softcapIsOneOp = random.chance(0.5);
  s.maskUse = random.pick<Spelling::MaskUse>(
      {Spelling::MaskUse::Compare, Spelling::MaskUse::CompareInline});
  s.lengthType = random.pick<DType>({DType::I32, DType::I64});
  bool hasMasks = call.isCausal || call.mask != AttentionCall::Mask::None ||
                  call.hasLengths;
  if (hasMasks && s.normalize == Normalize::Divide && random.chance(0.4)) {
    s.guard = s.biasTensor && random.chance(0.5) ? Spelling::Guard::ByBias
                                                 : Spelling::Guard::ByScores;
    if (s.softmax != Softmax::Named && random.chance(0.3))
      s.guard = Spelling::Guard::InChain;
  }
  c.stock = random.pick<StockPasses>(
      {StockPasses::None, StockPasses::None, StockPasses::Generalize,
       StockPasses::FuseElementwise, StockPasses::FoldUnitDims});
  c.keys = random.pick<int64_t>({16, 32});

  // A row that is hidden as a whole means something where a guard says what.
  bool isGuarded = s.guard != Spelling::Guard::None;
  bool byPosition = call.isCausal || call.hasLengths;
  c.inputs = makeInputs(call, random, isGuarded || !byPosition ? 0.3 : 0.0,
                        /*maskRows=*/isGuarded && random.chance(0.5));
  return c;
}

static LogicalResult applyStockPasses(ModuleOp module, StockPasses stock) {
  PassManager passes(module.getContext());
  switch (stock) {
  case StockPasses::None:
    return success();
  case StockPasses::FuseElementwise:
    passes.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
    passes.addPass(createLinalgElementwiseOpFusionPass());
    break;
  case StockPasses::Generalize:
    passes.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
    break;
  case StockPasses::FoldUnitDims:
    passes.addPass(createLinalgFoldUnitExtentDimsPass());
    break;
  }
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  return passes.run(module);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
struct Verdict {
  /// Of the case; empty if it can be judged.
  std::string error;
  std::map<std::string, CheckOutcome> outcomes;
  std::string text;
};
} // namespace

static Verdict run(MLIRContext *context, const ImporterCase &c,
                   ArrayRef<std::string> targets) {
  Verdict verdict;
  verdict.text = importAttention(c.call, c.spelling).text;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(verdict.text, ParserConfig(context));
  if (!module || failed(applyStockPasses(*module, c.stock))) {
    verdict.error = "cannot be parsed, or stock passes fail";
    return verdict;
  }
  verdict.text = print(*module);
  std::vector<oracle::Tensor> inputs = c.inputs.list(c.call);
  Reference reference = computeReference(*module, "main", inputs);
  verdict.error = reference.error;
  if (!verdict.error.empty())
    return verdict;
  CheckOptions options;
  options.maxBufferBytes = c.maxBufferBytes();
  options.cpuOptions = llvm::formatv("keys={0}", c.keys);
  options.gpuOptions = llvm::formatv("chip=sm_90a keys={0}", c.keys);
  options.timeout = 60;
  for (const std::string &target : targets)
    verdict.outcomes[target] = checkProgram(
        *module, "main", target == "cpu" ? CheckTarget::CPU : CheckTarget::GPU,
        options, inputs, reference);
  return verdict;
}

static bool parse(const char *argument, const char *name, int64_t &value) {
  size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0)
    return false;
  value = std::atoll(argument + length);
  return true;
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  int64_t numCases = 20, seed = 1, only = -1;
  bool requireFused = false, verbose = false;
  std::vector<std::string> targets = {"cpu", "gpu"};
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--require-fused")) {
      requireFused = true;
    } else if (!std::strcmp(argv[i], "--verbose")) {
      verbose = true;
    } else if (!std::strcmp(argv[i], "--targets=cpu") ||
               !std::strcmp(argv[i], "--targets=gpu")) {
      targets = {argv[i] + std::strlen("--targets=")};
    } else if (!parse(argv[i], "--cases=", numCases) &&
               !parse(argv[i], "--seed=", seed) &&
               !parse(argv[i], "--case=", only)) {
      std::fprintf(stderr,
                   "usage: %s [--cases=N] [--seed=S] [--case=I] "
                   "[--targets=cpu|gpu] [--require-fused] [--verbose]\n",
                   argv[0]);
      return 2;
    }
  }

  std::unique_ptr<MLIRContext> context = makeFusionContext();
  int64_t from = only < 0 ? 0 : only, to = only < 0 ? numCases : only + 1;
  // Of each target: cases by state, and by feature how many are fused of all.
  std::map<std::string, std::map<CheckState, int64_t>> states;
  std::map<std::string, std::map<std::string, std::pair<int64_t, int64_t>>>
      features;
  int64_t numBad = 0, numUnfused = 0;
  std::printf("seed %lld, %lld cases\n", static_cast<long long>(seed),
              static_cast<long long>(to - from));
  for (int64_t index = from; index < to; ++index) {
    ImporterCase c = drawCase(seed, index);
    Verdict verdict = run(context.get(), c, targets);
    if (!verdict.error.empty()) {
      ++numBad;
      std::printf("case %lld: not judged: %s\n  %s\n",
                  static_cast<long long>(index), verdict.error.c_str(),
                  c.describe().c_str());
    }
    if (only >= 0)
      std::printf("%s\n%s\n", c.describe().c_str(), verdict.text.c_str());
    for (const auto &[target, outcome] : verdict.outcomes) {
      ++states[target][outcome.state];
      bool isFused = outcome.state == CheckState::Fused;
      for (const std::string &feature : c.features()) {
        auto &[fused, all] = features[feature][target];
        fused += isFused;
        ++all;
      }
      numUnfused += outcome.state == CheckState::Unfused;
      bool isBad = outcome.state > CheckState::Unfused;
      numBad += isBad;
      if (isBad || (verbose && !isFused) || only >= 0)
        std::printf("case %lld: %s: %s (%s)\n  %s\n",
                    static_cast<long long>(index), target.c_str(),
                    getName(outcome.state), outcome.reason.c_str(),
                    c.describe().c_str());
      if (only >= 0)
        std::printf("%s", outcome.remarks.c_str());
    }
    std::fflush(stdout);
  }

  std::printf("%-26s", "fused of all");
  for (const std::string &target : targets)
    std::printf("%12s", target.c_str());
  std::printf("\n");
  for (const auto &[feature, counts] : features) {
    std::printf("%-26s", feature.c_str());
    for (const std::string &target : targets) {
      auto it = counts.find(target);
      auto [fused, all] =
          it == counts.end() ? std::pair<int64_t, int64_t>() : it->second;
      std::printf("%12s", llvm::formatv("{0}/{1}", fused, all).str().c_str());
    }
    std::printf("\n");
  }
  for (const std::string &target : targets) {
    std::printf("%s:", target.c_str());
    for (auto [state, count] : states[target])
      std::printf(" %s %lld", getName(state), static_cast<long long>(count));
    std::printf("\n");
  }
  std::printf("must fuse and do not: %lld; failures: %lld\n",
              static_cast<long long>(numUnfused),
              static_cast<long long>(numBad));
  return numBad > 0 || (requireFused && numUnfused > 0) ? 1 : 0;
}
