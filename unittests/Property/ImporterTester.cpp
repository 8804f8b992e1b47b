//===- ImporterTester.cpp - Random spellings through the pipelines --------===//
//
// Draws calls of attention and ways in which importers write them, some taken
// through upstream's own passes first, and takes each through the CPU and the
// GPU pipeline: all must be right (Support/Enclosure.h), and all must fuse, as
// no call here has a result of the size of the scores. What does not is counted
// by what it is spelled with.
//
//   linalg-ext-importer-tester [--cases=N] [--seed=S] [--from=I] [--case=I]
//                              [--targets=T] [--jobs=J] [--seconds=L]
//                              [--require-fused] [--verbose]
//
// Cases from --from on run in J processes, a batch each. A case that ends its
// process is run again by itself, each target in a process of its own, and the
// batch goes on behind it. --seconds=L begins none after L seconds, and says
// with which to go on. --case=I runs one and prints it.
//
// CPU code is for the least processor of the target's architecture, or for one
// with wider vectors that this machine can run.
//
// A case is weak if its error bounds say little: they are informative for less
// than half of the elements of a result. Cases in bf16 may be.
//
// The exit code is 1 if a case is wrong, refused, crashes, cannot be judged,
// takes too long or is lost; with --require-fused also if one is not fused.
//
//===----------------------------------------------------------------------===//

#include "Semantics/Attention.h"
#include "Support/CheckProgram.h"
#include "Support/Fusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Signals.h"
#include "llvm/TargetParser/Host.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

namespace {
/// What a user's own tools make of a program before it gets here.
enum class StockPasses {
  None,
  Generalize,
  FuseElementwise,
  FoldUnitDims,
  Specialize,
  DecomposeSoftmax
};
constexpr const char *kStockNames[] = {
    "none",           "generalize", "fuse-elementwise",
    "fold-unit-dims", "specialize", "decompose-softmax"};

struct ImporterCase {
  AttentionCall call;
  Spelling spelling;
  StockPasses stock = StockPasses::None;
  AttentionInputs inputs;
  /// Of a tile of the keys; few, for there to be several.
  int64_t keys = 16;
  /// What the CPU code is for.
  std::string cpu = "generic";

  std::string describe() const {
    return llvm::formatv("{0}\n  {1} stock={2} keys={3} cpu={4}",
                         call.describe(), spelling.describe(),
                         kStockNames[static_cast<int>(stock)], keys, cpu);
  }
  /// What it is counted by.
  std::vector<std::string> features() const;
  /// The least size of anything like the scores, less one: they are of f16 at
  /// least. A head's tile of scores, keys, values and results are smaller.
  int64_t maxBufferBytes() const {
    int64_t scores = 2 * call.size('m') * call.size('n');
    for (char dim : call.batch + call.queryHeads())
      scores *= call.size(dim);
    return scores - 1;
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
  static const char *const starts[] = {"", "maximum from lowest",
                                       "maximum from nan"};
  static const char *const layouts[] = {"", "sequence first", "depth first"};
  add(spelling.maxInit != Spelling::MaxInit::Infinity,
      starts[static_cast<int>(spelling.maxInit)]);
  add(call.layout != AttentionCall::Layout::Heads,
      layouts[static_cast<int>(call.layout)]);
  add(spelling.argMax, "argmax");
  add(spelling.negativeSum, "sum from -0");
  add(spelling.spreadRows, "spread rows");
  add(spelling.splatScale, "splat scale");
  add(spelling.narrowScores, "narrow scores");
  add(spelling.softmaxType != DType::F32, "narrow softmax");
  add(call.batch != "b", "batch '" + call.batch + "'");
  add(!call.hasHeads, "no heads");
  add(call.size('m') < 17, "few queries");
  add(call.size('d') > 8, "deep heads");
  add(call.hasRotary, "rotary");
  add(call.hasSlopes, "slopes");
  add(call.isOneInput, "one input");
  add(call.dropout != 0, "dropout");
  add(call.mask == AttentionCall::Mask::Boolean &&
          spelling.maskUse == Spelling::MaskUse::Convert,
      "finite mask");
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
  if (call.stored)
    add(true, std::string("stored ") + oracle::getName(*call.stored));
  add(!call.dynamic.empty(), "dynamic");
  return list;
}

/// The processors that the code may be for: those that this machine can run.
static const std::vector<std::string> &getProcessors() {
  static const std::vector<std::string> processors = [] {
    std::vector<std::string> names = {"generic"};
    llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
    auto hasAll = [&](ArrayRef<StringRef> features) {
      return llvm::all_of(features, [&](StringRef f) { return has.lookup(f); });
    };
    if (hasAll({"avx2", "fma", "f16c", "bmi2"}))
      names.push_back("x86-64-v3");
    if (names.size() > 1 && hasAll({"avx512f", "avx512bw", "avx512cd",
                                    "avx512dq", "avx512vl"}))
      names.push_back("x86-64-v4");
    return names;
  }();
  return processors;
}

/// The call: what is computed.
static void drawCall(AttentionCall &call, Random &random) {
  auto size = [&](char letter, int64_t low, int64_t high) {
    call.sizes[letter] = random.integer(low, high);
  };
  // Three heads or more, and fewer columns than rows: scores are larger than
  // anything that a fused program has to have.
  call.batch = random.pick<std::string>({"b", "b", "b", "b", "ab", ""});
  size('a', 1, 2);
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
  if (random.chance(0.06)) {
    // What tensor cores have fragments for. Rows of scores are longer than
    // those of sums in f32.
    call.sizes['d'] = random.pick<int64_t>({16, 24, 32});
    call.sizes['e'] = random.pick<int64_t>({16, 24, 32});
    size('m', 68, 90);
    size('n', 68, 100);
  } else if (random.chance(0.1)) {
    // Decoding: for each key there are more scores than elements.
    size('m', 1, 4);
    size('n', 80, 150);
    call.sizes['h'] = 1;
    call.sizes['g'] = 9;
    size('d', 3, 4);
    size('e', 3, 4);
  }
  call.dynamic = random.pick<std::string>({"", "", "n", "m", "mn", "bmn", "b"});
  // Without heads there are fewer scores of few queries than there are keys.
  call.hasHeads =
      call.batch == "ab" || !random.chance(0.04) || call.size('m') < 17;
  if (!call.hasHeads)
    call.batch = "b";
  call.packedHeads = call.batch == "b" && call.hasHeads && random.chance(0.25);
  call.isCausal = random.chance(0.3);
  if (random.chance(0.15))
    call.leftWindow = random.integer(1, 12);
  if (call.leftWindow >= 0) {
    call.isCausal = true;
    // Every query sees a key: what it is without any only guards say.
    call.sizes['n'] = std::max(call.sizes['n'], call.sizes['m']);
  }
  if (random.chance(0.2))
    call.softcap = random.uniform(5, 30);
  if (random.chance(0.2)) {
    call.hasPast = true;
    size('p', 3, 30);
    bool isDecoding = call.size('m') < 17;
    bool isDeep = call.size('d') > 8;
    size('c',
         isDecoding ? 1
         : isDeep   ? 68
                    : 17,
         isDecoding ? 4
         : isDeep   ? 80
                    : 40);
    if (isDecoding)
      size('p', 80, 150);
    call.sizes['n'] = call.sizes['p'] + call.sizes['c'];
    call.sizes['m'] = call.sizes['c'];
    if (random.chance(0.5))
      call.dynamic = random.pick<std::string>({"pn", "cmn", "pcmn", "bpn"});
  }
  if (random.chance(0.1) && !call.hasPast && call.batch == "b") {
    call.hasLengths = true;
    call.sizes['n'] = std::max(call.sizes['n'], call.sizes['m']);
  }
  if (random.chance(0.4)) {
    call.mask = random.pick<AttentionCall::Mask>(
        {AttentionCall::Mask::Boolean, AttentionCall::Mask::Float});
    call.maskDims = random.pick<std::string>({"mn", "b1mn", "b11n", "bHmn"});
    if (call.batch != "b" || !call.hasHeads)
      call.maskDims = "mn";
  }
  if (!call.packedHeads && !call.hasPast && random.chance(0.25))
    call.layout = random.pick<AttentionCall::Layout>(
        {AttentionCall::Layout::Sequence, AttentionCall::Layout::DepthFirst});
  if (call.packedHeads && !call.hasPast && call.size('m') >= 17 &&
      random.chance(0.4)) {
    call.isOneInput = true;
    call.sizes['n'] = call.sizes['m'];
    bool isDynamic = call.dynamic.find('m') != std::string::npos;
    call.dynamic = isDynamic ? "mn" : "";
  }
  if (call.layout != AttentionCall::Layout::DepthFirst && random.chance(0.2)) {
    call.hasRotary = true;
    call.sizes['d'] += call.sizes['d'] % 2;
  }
  call.hasSlopes = call.hasHeads && random.chance(0.1);
  if (random.chance(0.05))
    call.dropout = 0.25;
}

static ImporterCase drawCase(uint64_t seed, int64_t index) {
  Random random(seed * 1000003 + static_cast<uint64_t>(index));
  ImporterCase c;
  AttentionCall &call = c.call;
  drawCall(call, random);

  Spelling &s = c.spelling;
  using Heads = Spelling::Heads;
  using Softmax = Spelling::Softmax;
  using Normalize = Spelling::Normalize;
  s.heads = random.pick<Heads>(
      {Heads::Grouped, Heads::Repeated, Heads::Repeated, Heads::Batched});
  if (s.heads == Heads::Batched && call.layout != AttentionCall::Layout::Heads)
    s.heads = Heads::Repeated;
  s.foldReshapes = false;
  s.repeatByExpand = s.heads != Heads::Grouped && random.chance(0.5);
  s.softmax =
      random.pick<Softmax>({Softmax::Named, Softmax::Chain, Softmax::KeepDims,
                            Softmax::Expanded, Softmax::Expanded});
  bool isChain = s.softmax != Softmax::Named;
  if (isChain && random.chance(0.3))
    s.normalize =
        random.pick<Normalize>({Normalize::Reciprocal, Normalize::LogSumExp});
  s.genericFills = random.chance(0.25);
  s.scaleOperands = random.chance(0.3);
  s.splatScale = random.chance(0.15);
  s.transposeKeys = random.chance(0.4);
  s.biasTensor = random.chance(0.5);
  s.concatByInsertSlice = random.chance(0.3);
  s.softcapIsOneOp = random.chance(0.5);
  s.maskUse = random.pick<Spelling::MaskUse>(
      {Spelling::MaskUse::Compare, Spelling::MaskUse::CompareInline});
  s.maskType = random.pick<DType>({DType::I1, DType::I1, DType::I8});
  s.lengthType = random.pick<DType>({DType::I32, DType::I64});
  s.spreadRows = isChain && random.chance(0.15);
  s.negativeSum = isChain && random.chance(0.15);
  s.argMax = (s.softmax == Softmax::Chain || s.softmax == Softmax::Expanded) &&
             random.chance(0.2);
  if (call.type != DType::F32 && random.chance(0.3)) {
    s.narrowScores = true;
    s.softmaxType = random.pick<DType>({DType::F32, call.type});
  }
  bool hasMasks = call.isCausal || call.mask != AttentionCall::Mask::None ||
                  call.hasLengths;
  if (hasMasks && s.normalize == Normalize::Divide && random.chance(0.4)) {
    s.guard = s.biasTensor && random.chance(0.5) ? Spelling::Guard::ByBias
                                                 : Spelling::Guard::ByScores;
    if (isChain && random.chance(0.3))
      s.guard = Spelling::Guard::InChain;
  }
  if (isChain && s.guard != Spelling::Guard::InChain && random.chance(0.2))
    s.maxInit = random.pick<Spelling::MaxInit>(
        {Spelling::MaxInit::Lowest, Spelling::MaxInit::NaN});
  if (s.maxInit == Spelling::MaxInit::NaN)
    s.argMax = false;
  if (call.mask == AttentionCall::Mask::Boolean &&
      s.guard == Spelling::Guard::None && random.chance(0.3))
    s.maskUse = Spelling::MaskUse::Convert;
  c.stock = random.pick<StockPasses>(
      {StockPasses::None, StockPasses::None, StockPasses::Generalize,
       StockPasses::FuseElementwise, StockPasses::FoldUnitDims,
       StockPasses::Specialize, StockPasses::DecomposeSoftmax});
  c.keys = random.pick<int64_t>({16, 32});
  // Of its own, for calls not to depend on the machine.
  const std::vector<std::string> &processors = getProcessors();
  c.cpu = processors[static_cast<uint64_t>(index) % processors.size()];

  // Drawn apart, so that all else of a case stays as it was.
  Random apart(seed * 7919 + static_cast<uint64_t>(index));
  apart.next();
  if (call.hasHeads && !call.isOneInput && apart.chance(0.15))
    call.stored = apart.pick<DType>(
        {DType::I8, DType::I8, DType::F8E4M3FN, DType::F8E5M2});

  // A row that is hidden as a whole means something where a guard says what:
  // else a chain is NaN, and softmax 0 (docs/Rationale/Raise.md).
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
  case StockPasses::Specialize: {
    // Not contractions, of which upstream's specialization (22.1.8) makes
    // invalid IR: where they are transposed, or have two batch dims.
    SmallVector<linalg::GenericOp> ops;
    module.walk([&](linalg::GenericOp op) {
      if (op.isAllParallelLoops())
        ops.push_back(op);
    });
    IRRewriter rewriter(module.getContext());
    for (linalg::GenericOp op : ops) {
      rewriter.setInsertionPoint(op);
      (void)linalg::specializeGenericOp(rewriter, op);
    }
    break;
  }
  case StockPasses::DecomposeSoftmax: {
    SmallVector<linalg::SoftmaxOp> ops;
    module.walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
    IRRewriter rewriter(module.getContext());
    for (linalg::SoftmaxOp op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
      if (failed(parts))
        return failure();
      rewriter.replaceOp(op, *parts);
    }
    break;
  }
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
  bool isWeak = false;
};
} // namespace

static Verdict run(MLIRContext *context, const ImporterCase &c,
                   ArrayRef<std::string> targets, bool isolate) {
  Verdict verdict;
  verdict.text = importAttention(c.call, c.spelling).text;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(verdict.text, ParserConfig(context));
  if (module && failed(applyStockPasses(*module, c.stock)))
    module = nullptr;
  if (!module) {
    verdict.error = "cannot be parsed, or stock passes fail";
    return verdict;
  }
  verdict.text = print(*module);
  std::vector<oracle::Tensor> inputs = c.inputs.list(c.call);
  Reference reference = computeReference(*module, "main", inputs);
  verdict.error = reference.error;
  verdict.isWeak = reference.informative < 0.5;
  if (!verdict.error.empty())
    return verdict;
  CheckOptions options;
  options.maxBufferBytes = c.maxBufferBytes();
  // These are too small for it to pay.
  options.cpuOptions =
      llvm::formatv("keys={0} force-fusion=true cpu={1}", c.keys, c.cpu);
  // A tile for wide vectors would have all rows of a program as small as these.
  if (c.cpu != "generic")
    options.cpuOptions += " rows=16";
  options.gpuOptions = llvm::formatv("chip=sm_90a keys={0}", c.keys);
  options.timeout = 60;
  options.isolate = isolate;
  for (const std::string &target : targets)
    verdict.outcomes[target] = checkProgram(
        *module, "main", target == "cpu" ? CheckTarget::CPU : CheckTarget::GPU,
        options, inputs, reference);
  return verdict;
}

namespace {
struct Arguments {
  int64_t numCases = 20, seed = 1, from = 0, only = -1, numJobs = 1,
          seconds = -1;
  bool requireFused = false, verbose = false;
  std::vector<std::string> targets = {"cpu", "gpu"};

  bool parse(int argc, char **argv);
};

/// What a worker says of a case: a line of JSON, after one with its index only.
struct Result {
  int64_t index = -1;
  /// Empty if the case could be judged.
  std::string error;
  std::map<std::string, CheckState> states;
  bool isWeak = false;
  /// What is printed of it.
  std::string text;
};

struct Totals {
  /// Of each target: cases by state, and by feature how many are fused of all.
  std::map<std::string, std::map<CheckState, int64_t>> states;
  std::map<std::string, std::map<std::string, std::pair<int64_t, int64_t>>>
      features;
  int64_t numCases = 0, numUnjudged = 0, numUnfused = 0, numBad = 0,
          numWeak = 0;

  void add(const Result &result, uint64_t seed);
  void print(const Arguments &arguments) const;
};

/// Cases from ... to - 1.
struct Batch {
  int64_t from, to;
  /// Each target runs in a process of its own.
  bool isIsolated = false;
};

struct Worker {
  pid_t pid;
  int fd;
  Batch batch;
  /// What it wrote and is no whole line yet.
  std::string partial;
  /// The case that it is at.
  int64_t begun = -1;
};
} // namespace

bool Arguments::parse(int argc, char **argv) {
  auto number = [](const char *argument, const char *name, int64_t &value) {
    size_t length = std::strlen(name);
    if (std::strncmp(argument, name, length) != 0)
      return false;
    return !StringRef(argument + length).getAsInteger(10, value);
  };
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--require-fused"))
      requireFused = true;
    else if (!std::strcmp(argv[i], "--verbose"))
      verbose = true;
    else if (!std::strcmp(argv[i], "--targets=cpu") ||
             !std::strcmp(argv[i], "--targets=gpu"))
      targets = {argv[i] + std::strlen("--targets=")};
    else if (!number(argv[i], "--cases=", numCases) &&
             !number(argv[i], "--seed=", seed) &&
             !number(argv[i], "--from=", from) &&
             !number(argv[i], "--case=", only) &&
             !number(argv[i], "--jobs=", numJobs) &&
             !number(argv[i], "--seconds=", seconds))
      return false;
  }
  return numCases > 0 && numJobs > 0;
}

/// Runs one case; `all` prints it whatever it is.
static Result judge(MLIRContext *context, const Arguments &arguments,
                    int64_t index, bool all, bool isolate) {
  ImporterCase c = drawCase(arguments.seed, index);
  Verdict verdict = run(context, c, arguments.targets, isolate);
  Result result;
  result.index = index;
  result.error = verdict.error;
  result.isWeak = verdict.isWeak;
  llvm::raw_string_ostream os(result.text);
  if (!verdict.error.empty())
    os << llvm::formatv("case {0}: not judged: {1}\n  {2}\n", index,
                        verdict.error, c.describe());
  if (all)
    os << c.describe() << "\n" << verdict.text << "\n";
  for (const auto &[target, outcome] : verdict.outcomes) {
    result.states[target] = outcome.state;
    if (outcome.state > CheckState::Unfused || all ||
        ((arguments.verbose || arguments.requireFused) &&
         outcome.state == CheckState::Unfused))
      os << llvm::formatv("case {0}: {1}: {2} ({3})\n  {4}\n", index, target,
                          getName(outcome.state), outcome.reason, c.describe());
    if (all)
      os << outcome.remarks;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

/// Of one case, its reference and its targets together, in seconds.
static constexpr unsigned kTimeout = 240;

static void writeLine(int fd, llvm::json::Object object) {
  std::string text =
      llvm::formatv("{0}\n", llvm::json::Value(std::move(object)));
  for (size_t at = 0; at < text.size();) {
    ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written <= 0)
      _exit(2);
    at += written;
  }
}

static void runWorker(const Arguments &arguments, Batch batch, int fd) {
  // It lives as long as the process: to free it takes time.
  MLIRContext *context = makeFusionContext().release();
  for (int64_t index = batch.from; index < batch.to; ++index) {
    writeLine(fd, llvm::json::Object{{"index", index}});
    limitTime(kTimeout);
    Result result = judge(context, arguments, index, /*all=*/false,
                          batch.isIsolated);
    limitTime(0);
    llvm::json::Object states;
    for (const auto &[target, state] : result.states)
      states[target] = getName(state);
    writeLine(fd,
              llvm::json::Object{{"index", index},
                                 {"error", llvm::json::fixUTF8(result.error)},
                                 {"states", std::move(states)},
                                 {"weak", result.isWeak},
                                 {"text", llvm::json::fixUTF8(result.text)}});
  }
}

static Worker spawn(const Arguments &arguments, Batch batch,
                    ArrayRef<Worker> others) {
  int ends[2];
  if (pipe(ends) != 0) {
    std::perror("pipe");
    std::exit(2);
  }
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    for (const Worker &other : others)
      close(other.fd);
    close(ends[0]);
    runWorker(arguments, batch, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  return {child, ends[0], batch, "", -1};
}

/// Takes in what a worker wrote of a case.
static void readLine(StringRef line, Worker &worker, Totals &totals,
                     uint64_t seed) {
  auto value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return;
  }
  const llvm::json::Object &object = *value->getAsObject();
  worker.begun = *object.getInteger("index");
  const llvm::json::Object *states = object.getObject("states");
  if (!states)
    return;
  Result result;
  result.index = worker.begun;
  result.error = object.getString("error")->str();
  result.text = object.getString("text")->str();
  result.isWeak = *object.getBoolean("weak");
  for (const auto &[target, state] : *states)
    result.states[target.str()] = *lookUpCheckState(*state.getAsString());
  totals.add(result, seed);
  worker.batch.from = worker.begun + 1;
  worker.begun = -1;
}

/// Of a worker that has ended: what is left of its batch. A case that ended it
/// is left too, by itself, unless it was.
static SmallVector<Batch> finish(Worker &worker, Totals &totals,
                                 uint64_t seed) {
  close(worker.fd);
  int status = 0;
  waitpid(worker.pid, &status, 0);
  const Batch &batch = worker.batch;
  Batch next{batch.from, batch.from + 1, /*isIsolated=*/true};
  Batch rest{batch.from + 1, batch.to, batch.isIsolated};
  if (worker.begun < 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return {};
  if (!batch.isIsolated)
    return {next, rest};
  Result result;
  result.index = worker.batch.from;
  bool isLate = WIFSIGNALED(status) && isTimeLimit(WTERMSIG(status));
  result.error = isLate ? "takes too long" : "the tester itself ends";
  result.text = llvm::formatv("case {0}: not judged: {1}, status {2}\n  {3}\n",
                              result.index, result.error, status,
                              drawCase(seed, result.index).describe());
  totals.add(result, seed);
  return {rest};
}

/// Runs all cases; the first that was not begun in time.
static int64_t runAll(const Arguments &arguments, Totals &totals) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto isLate = [&] {
    return arguments.seconds >= 0 &&
           Clock::now() - start >= std::chrono::seconds(arguments.seconds);
  };
  // Small enough for the last ones to be shared out.
  const int64_t size = 32;
  int64_t next = arguments.from, to = arguments.from + arguments.numCases;
  std::deque<Batch> left;
  std::vector<Worker> workers;
  while (true) {
    while (static_cast<int64_t>(workers.size()) < arguments.numJobs) {
      if (left.empty() && next < to && !isLate()) {
        left.push_back({next, std::min(next + size, to)});
        next = left.back().to;
      }
      if (left.empty())
        break;
      workers.push_back(spawn(arguments, left.front(), workers));
      left.pop_front();
    }
    if (workers.empty())
      return next;
    std::vector<pollfd> polled;
    for (const Worker &worker : workers)
      polled.push_back({worker.fd, POLLIN, 0});
    poll(polled.data(), polled.size(), -1);
    for (size_t i = workers.size(); i-- > 0;) {
      if (!polled[i].revents)
        continue;
      Worker &worker = workers[i];
      char buffer[4096];
      ssize_t got = read(worker.fd, buffer, sizeof(buffer));
      if (got > 0) {
        worker.partial.append(buffer, got);
        size_t end;
        while ((end = worker.partial.find('\n')) != std::string::npos) {
          readLine(StringRef(worker.partial).take_front(end), worker, totals,
                   arguments.seed);
          worker.partial.erase(0, end + 1);
        }
        continue;
      }
      for (Batch rest : finish(worker, totals, arguments.seed))
        if (rest.from < rest.to)
          left.push_back(rest);
      workers.erase(workers.begin() + i);
    }
  }
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

void Totals::add(const Result &result, uint64_t seed) {
  ++numCases;
  numUnjudged += !result.error.empty();
  numWeak += result.isWeak;
  numBad += !result.error.empty();
  std::vector<std::string> names = drawCase(seed, result.index).features();
  for (const auto &[target, state] : result.states) {
    ++states[target][state];
    bool isFused = state == CheckState::Fused;
    for (const std::string &feature : names) {
      auto &[fused, all] = features[feature][target];
      fused += isFused;
      ++all;
    }
    numUnfused += state == CheckState::Unfused;
    numBad += state > CheckState::Unfused;
  }
  std::printf("%s", result.text.c_str());
  std::fflush(stdout);
}

void Totals::print(const Arguments &arguments) const {
  std::printf("%-26s", "fused of all");
  for (const std::string &target : arguments.targets)
    std::printf("%12s", target.c_str());
  std::printf("\n");
  for (const auto &[feature, counts] : features) {
    std::printf("%-26s", feature.c_str());
    for (const std::string &target : arguments.targets) {
      auto it = counts.find(target);
      auto [fused, all] =
          it == counts.end() ? std::pair<int64_t, int64_t>() : it->second;
      std::printf("%12s", llvm::formatv("{0}/{1}", fused, all).str().c_str());
    }
    std::printf("\n");
  }
  for (const std::string &target : arguments.targets) {
    auto it = states.find(target);
    std::printf("%s:", target.c_str());
    if (it != states.end())
      for (auto [state, count] : it->second)
        std::printf(" %s %lld", getName(state), static_cast<long long>(count));
    std::printf("\n");
  }
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  Arguments arguments;
  if (!arguments.parse(argc, argv)) {
    std::fprintf(stderr,
                 "usage: %s [--cases=N] [--seed=S] [--from=I] [--case=I] "
                 "[--targets=cpu|gpu] [--jobs=J] [--seconds=L] "
                 "[--require-fused] [--verbose]\n",
                 argv[0]);
    return 2;
  }
  auto start = std::chrono::steady_clock::now();
  Totals totals;
  bool isOne = arguments.only >= 0;
  std::printf("seed %lld, %lld cases\n", static_cast<long long>(arguments.seed),
              static_cast<long long>(isOne ? 1 : arguments.numCases));
  int64_t to = arguments.from + arguments.numCases, next = to;
  if (isOne)
    totals.add(judge(makeFusionContext().get(), arguments, arguments.only,
                     /*all=*/true, /*isolate=*/true),
               arguments.seed);
  else
    next = runAll(arguments, totals);
  totals.print(arguments);
  if (next < to)
    std::printf("stopped; go on with --from=%lld --cases=%lld\n",
                static_cast<long long>(next),
                static_cast<long long>(to - next));
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::printf(
      "%lld cases, all of which must fuse, in %.0f s: must fuse and do not: "
      "%lld; not judged: %lld; weak: %lld; failures: %lld\n",
      static_cast<long long>(totals.numCases), seconds,
      static_cast<long long>(totals.numUnfused),
      static_cast<long long>(totals.numUnjudged),
      static_cast<long long>(totals.numWeak),
      static_cast<long long>(totals.numBad));
  // Lines of workers that cannot be read, for example.
  int64_t numLost = (isOne ? 1 : next - arguments.from) - totals.numCases;
  if (numLost != 0)
    std::printf("lost: %lld cases\n", static_cast<long long>(numLost));
  bool isBad = totals.numBad > 0 || numLost != 0 ||
               (arguments.requireFused && totals.numUnfused > 0);
  return isBad ? 1 : 0;
}
