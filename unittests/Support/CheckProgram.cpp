//===- CheckProgram.cpp - Is a program right, and is it fused? ------------===//
//
// See CheckProgram.h.
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "Child.h"
#include "PlannedLaunches.h"
#include "PromoteToF64.h"
#include "Simulate.h"

#include "mlir-ext/Pipelines/ToLLVM.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <csignal>
#include <limits>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;

static constexpr const char *kStateNames[] = {"fused", "unfused", "wrong",
                                              "error", "crash",   "timeout"};

const char *linalg_ext_test::getName(CheckState state) {
  return kStateNames[static_cast<int>(state)];
}

std::optional<CheckState> linalg_ext_test::lookUpCheckState(StringRef name) {
  for (auto [i, candidate] : llvm::enumerate(kStateNames))
    if (name == candidate)
      return static_cast<CheckState>(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static constexpr const char *kDraw = "check.draw";

static bool parseNumber(StringRef text, double &number) {
  if (text == "inf" || text == "-inf") {
    number =
        std::numeric_limits<double>::infinity() * (text[0] == '-' ? -1 : 1);
    return true;
  }
  return !text.getAsDouble(number);
}

/// Draws one tensor as `words` say.
static bool draw(oracle::Random &random, ArrayRef<StringRef> words, DType type,
                 oracle::Tensor &tensor) {
  std::vector<double> numbers;
  for (StringRef word : words.drop_front()) {
    double number;
    if (!parseNumber(word, number))
      return false;
    numbers.push_back(number);
  }
  int64_t rowLength = tensor.shape.empty() ? 1 : tensor.shape.back();
  auto fill = [&](auto next) {
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.data[i] = oracle::roundTo(next(i % rowLength), type);
    return true;
  };
  StringRef kind = words.front();
  size_t count = numbers.size();
  double inf = std::numeric_limits<double>::infinity();
  if (kind == "uniform" && count == 2)
    return fill([&](int64_t) {
      return oracle::isFloat(type) ? random.uniform(numbers[0], numbers[1])
                                   : static_cast<double>(random.integer(
                                         static_cast<int64_t>(numbers[0]),
                                         static_cast<int64_t>(numbers[1])));
    });
  if (kind == "choose" && count > 0)
    return fill([&](int64_t) { return random.pick(numbers); });
  if (kind == "mask" && (count == 1 || count == 2))
    return fill([&](int64_t i) {
      bool hides = random.chance(numbers[0]);
      return hides && i > 0 ? (count == 2 ? numbers[1] : -inf) : 0.0;
    });
  if (kind == "keep" && count == 1)
    return fill([&](int64_t i) {
      bool keeps = random.chance(numbers[0]);
      return keeps || i == 0 ? 1.0 : 0.0;
    });
  if (kind == "count" && count == 0)
    return fill([&](int64_t i) { return static_cast<double>(i); });
  return false;
}

FailureOr<std::vector<oracle::Tensor>>
linalg_ext_test::drawInputs(func::FuncOp function,
                            ArrayRef<std::vector<int64_t>> shapes,
                            uint64_t seed) {
  oracle::Random random(seed);
  std::vector<oracle::Tensor> inputs;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    DType format;
    auto shaped = dyn_cast<ShapedType>(type);
    if (!convertElementType(getElementTypeOrSelf(type), format))
      return function.emitError("argument ")
             << i << " of type " << type << " cannot be drawn";
    oracle::Shape shape;
    if (shaped && shaped.hasRank() && shaped.hasStaticShape())
      shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    else if (shaped && i >= shapes.size())
      return function.emitError("argument ")
             << i << ": expected a shape for " << type;
    else if (shaped)
      shape = shapes[i];
    if (shaped && shaped.hasRank()) {
      bool fits = static_cast<int64_t>(shape.size()) == shaped.getRank();
      for (auto [size, wanted] : llvm::zip(shape, shaped.getShape()))
        fits &= ShapedType::isDynamic(wanted) || size == wanted;
      if (!fits)
        return function.emitError("argument ")
               << i << ": expected a shape of " << type;
    }
    std::string how = oracle::isFloat(format) ? "uniform -1 1" : "uniform 0 1";
    if (auto attr = function.getArgAttrOfType<StringAttr>(i, kDraw))
      how = attr.getValue().str();
    SmallVector<StringRef> words;
    llvm::SplitString(how, words);
    oracle::Tensor tensor(shape);
    if (words.empty() || !draw(random, words, format, tensor))
      return function.emitError("argument ")
             << i << ": expected 'uniform LOW HIGH', 'choose A ...', 'mask P', "
             << "'mask P VALUE', 'keep P' or 'count', got '" << how << "'";
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

void linalg_ext_test::removeDrawAttributes(ModuleOp module) {
  module.walk([](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, kDraw);
  });
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

namespace {
/// Collects diagnostics as lines.
class Collector {
public:
  explicit Collector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          std::string message = diagnostic.str();
          if (fallback.empty() && StringRef(message).starts_with("falls back"))
            fallback = message;
          llvm::raw_string_ostream os(text);
          os << diagnostic.getLocation() << ": " << message << "\n";
          return success();
        }) {}
  std::string text;
  /// What is said of the first function that did not take the first pipeline.
  std::string fallback;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Computes a padded tensor element by element. Upstream, 22.1.8, folds and
/// lowers negative padding wrongly.
static void padByElements(ModuleOp module) {
  SmallVector<tensor::PadOp> pads;
  module.walk([&](tensor::PadOp op) { pads.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (tensor::PadOp op : pads) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    SmallVector<Value> low, high, sizes, dynamic;
    for (auto [dim, before, after] :
         llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
      low.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, before));
      high.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, after));
      sizes.push_back(
          rewriter.createOrFold<tensor::DimOp>(loc, op.getSource(), dim));
      if (!op.getResultType().isDynamicDim(dim))
        continue;
      Value size =
          arith::AddIOp::create(rewriter, loc, low.back(), sizes.back());
      dynamic.push_back(
          arith::AddIOp::create(rewriter, loc, size, high.back()));
    }
    Region &padding = op.getRegion();
    auto generate = [&](OpBuilder &b, Location loc, ValueRange at) {
      Value isInside = arith::ConstantIntOp::create(b, loc, 1, 1);
      SmallVector<Value> from;
      for (auto [i, before, size] : llvm::zip_equal(at, low, sizes)) {
        from.push_back(arith::SubIOp::create(b, loc, i, before));
        // A negative index is a large unsigned one.
        isInside = arith::AndIOp::create(
            b, loc, isInside,
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                  from.back(), size));
      }
      auto choose = scf::IfOp::create(
          b, loc, isInside,
          [&](OpBuilder &b, Location loc) {
            Value element =
                tensor::ExtractOp::create(b, loc, op.getSource(), from);
            scf::YieldOp::create(b, loc, element);
          },
          [&](OpBuilder &b, Location loc) {
            IRMapping mapping;
            mapping.map(padding.getArguments(), at);
            for (Operation &nested : padding.front().without_terminator())
              b.clone(nested, mapping);
            Value element = padding.front().getTerminator()->getOperand(0);
            scf::YieldOp::create(b, loc, mapping.lookupOrDefault(element));
          });
      tensor::YieldOp::create(b, loc, choose.getResult(0));
    };
    rewriter.replaceOpWithNewOp<tensor::GenerateOp>(op, op.getResultType(),
                                                    dynamic, generate);
  }
}

/// Compares the values of `evaluation` with those of the program in f64.
static std::string confirm(ModuleOp prepared, StringRef name,
                           ArrayRef<oracle::Tensor> inputs,
                           const Evaluation &evaluation) {
  Collector collector(prepared.getContext());
  OwningOpRef<ModuleOp> promoted = promoteToF64(prepared);
  if (!promoted)
    return "reference: " + collector.text;
  padByElements(*promoted);
  Execution execution =
      Executor(prepared.getContext()).run(*promoted, name, inputs);
  if (!execution.ok())
    return "reference in f64 cannot be run: " + execution.error;
  for (auto [i, got, want] :
       llvm::enumerate(execution.outputs, evaluation.results)) {
    double largest = 0;
    for (double value : want.value.data)
      if (std::isfinite(value))
        largest = std::max(largest, std::fabs(value));
    for (auto [a, b, low, high] : llvm::zip_equal(
             got.data, want.value.data, want.low.data, want.high.data)) {
      bool isSame = a == b || (std::isnan(a) && std::isnan(b)) ||
                    std::fabs(a - b) <= 1e-9 * largest;
      // What is not decided may be either.
      bool isUnknown = low == -std::numeric_limits<double>::infinity() &&
                       high == std::numeric_limits<double>::infinity();
      if (!isSame && !isUnknown)
        return llvm::formatv("the two references differ in result {0}: {1} and "
                             "{2}",
                             i, a, b);
    }
  }
  return "";
}

Reference linalg_ext_test::computeReference(ModuleOp module, StringRef name,
                                            ArrayRef<oracle::Tensor> inputs) {
  Reference reference;
  OwningOpRef<ModuleOp> prepared = module.clone();
  {
    Collector collector(module.getContext());
    if (failed(prepareForEvaluation(*prepared))) {
      reference.error = "cannot be prepared: " + collector.text;
      return reference;
    }
  }
  auto function = prepared->lookupSymbol<func::FuncOp>(name);
  reference.evaluation = evaluate(function, inputs);
  if (!reference.evaluation.ok()) {
    reference.error = reference.evaluation.error;
    return reference;
  }
  bool isOnTensors =
      llvm::all_of(llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()),
                   llvm::IsaPred<RankedTensorType>);
  // Bits of a number in f64 are others.
  bool usesBits = prepared
                      ->walk([](Operation *op) {
                        return isComputedFromBits(op) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (isOnTensors && !usesBits) {
    reference.error = confirm(*prepared, name, inputs, reference.evaluation);
    reference.isConfirmed = reference.error.empty();
  }
  // Arguments, too: a function on buffers writes its results there.
  for (const auto *tensors :
       {&reference.evaluation.results, &reference.evaluation.arguments})
    for (const EnclosedTensor &tensor : *tensors)
      reference.informative = std::min(
          reference.informative, compare(tensor.value, tensor).informative);
  return reference;
}

//===----------------------------------------------------------------------===//
// The targets
//===----------------------------------------------------------------------===//

namespace {
/// Counts the kernels that are made of what is left, and names the first pass
/// that fails.
struct PassWatcher : public PassInstrumentation {
  struct Notes {
    std::string failed;
    int64_t numScalarKernels = 0;
  };
  explicit PassWatcher(Notes &notes) : notes(notes) {}

  static bool makesScalars(Pass *pass) {
    if (pass->getArgument() != "linalg-ext-map-to-launches")
      return false;
    std::string text;
    llvm::raw_string_ostream os(text);
    pass->printAsTextualPipeline(os);
    return StringRef(text).contains("steps=scalars");
  }
  static int64_t countLaunches(Operation *op) {
    int64_t count = 0;
    op->walk([&](gpu::LaunchOp) { ++count; });
    return count;
  }
  void runBeforePass(Pass *pass, Operation *op) override {
    if (makesScalars(pass))
      before = countLaunches(op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // Of several attempts the last one counts.
    if (makesScalars(pass))
      notes.numScalarKernels = countLaunches(op) - before;
  }
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (notes.failed.empty())
      notes.failed = pass->getArgument().str();
  }

  Notes &notes;
  int64_t before = 0;
};
} // namespace

/// Only `name` and what it calls.
static void dropOthers(ModuleOp module, StringRef name) {
  SymbolTable symbols(module);
  SmallVector<func::FuncOp> worklist = {symbols.lookup<func::FuncOp>(name)};
  llvm::SmallPtrSet<Operation *, 4> needed;
  while (!worklist.empty()) {
    func::FuncOp function = worklist.pop_back_val();
    if (!needed.insert(function).second)
      continue;
    function.walk([&](func::CallOp call) {
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        worklist.push_back(callee);
    });
  }
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!needed.contains(function))
      function.erase();
}

/// The caller's tensors are not written to: results have memory of their own.
static void keepInputs(func::FuncOp function) {
  Builder b(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isa<TensorType>(function.getArgumentTypes()[i]))
      function.setArgAttr(
          i, bufferization::BufferizationDialect::kWritableAttrName,
          b.getBoolAttr(false));
}

static std::string firstLine(StringRef text) {
  return text.split('\n').first.str();
}

using BuildStage = llvm::function_ref<void(PassManager &)>;

/// Runs the parts of a pipeline in order, and verifies the program after each.
static bool runPasses(ModuleOp module, ArrayRef<BuildStage> stages,
                      CheckOutcome &outcome) {
  PassWatcher::Notes notes;
  Collector collector(module.getContext());
  bool ok = true;
  for (BuildStage build : stages) {
    PassManager passes(module.getContext());
    passes.enableVerifier(false);
    passes.addInstrumentation(std::make_unique<PassWatcher>(notes));
    build(passes);
    ok = succeeded(passes.run(module)) && succeeded(verify(module));
    if (!ok)
      break;
  }
  outcome.numScalarKernels += notes.numScalarKernels;
  outcome.remarks += collector.text;
  if (!collector.fallback.empty())
    outcome.fallback = collector.fallback;
  if (!ok) {
    outcome.state = CheckState::Error;
    // The pipelines are nested in a pass: the first that fails is innermost.
    outcome.reason =
        "not compiled: " +
        (notes.failed.empty() ? std::string("invalid IR") : notes.failed) +
        ": " + firstLine(collector.text);
  }
  return ok;
}

/// Compares what was returned.
static bool judge(ArrayRef<oracle::Tensor> got, ArrayRef<EnclosedTensor> want,
                  const char *what, CheckOutcome &outcome) {
  if (got.size() != want.size()) {
    outcome.state = CheckState::Wrong;
    outcome.reason = llvm::formatv("expected {0} {1}s, got {2}", want.size(),
                                   what, got.size());
    return false;
  }
  for (auto [i, a, b] : llvm::enumerate(got, want)) {
    EnclosureComparison c = compare(a, b);
    outcome.worstRatio = std::max(outcome.worstRatio, c.worstRatio);
    if (c.ok)
      continue;
    outcome.state = CheckState::Wrong;
    outcome.reason = llvm::formatv("{0} {1} {2}", what, i, c.message);
    return false;
  }
  return true;
}

/// Compiles and runs `module`. Where temporaries share an allocation, the
/// largest temporary is that.
static void runOnCPUWith(const ToLLVMPipelineOptions &pipeline, ModuleOp module,
                         StringRef name, ArrayRef<oracle::Tensor> inputs,
                         const CheckOptions &options,
                         const Reference &reference, CheckOutcome &outcome) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  SmallVector<Type> inputTypes(function.getArgumentTypes());
  SmallVector<Type> outputTypes(function.getResultTypes());
  auto toBuffers = [&](PassManager &pm) {
    buildToBuffersPipeline(pm, pipeline);
  };
  auto toLLVM = [&](PassManager &pm) {
    buildBuffersToLLVMPipeline(pm, pipeline);
  };
  if (!runPasses(module, {toBuffers, toLLVM}, outcome))
    return;
  ExecutionOptions execution;
  execution.forHost = true;
  outcome.state = CheckState::Error;
  std::unique_ptr<Kernel> kernel =
      Executor(module.getContext(), execution)
          .load(module, name, inputTypes, outputTypes, outcome.reason);
  if (!kernel)
    return;
  Execution run = kernel->run(inputs, options.layouts);
  outcome.reason = run.error;
  if (!run.ok())
    return;
  outcome.largestTemporary = run.largestTemporary;
  outcome.state = CheckState::Fused;
  if (judge(run.outputs, reference.evaluation.results, "result", outcome))
    judge(run.inputs, reference.evaluation.arguments, "argument", outcome);
}

static void runOnCPU(ModuleOp module, StringRef name,
                     const CheckOptions &options,
                     ArrayRef<oracle::Tensor> inputs,
                     const Reference &reference, CheckOutcome &outcome) {
  auto pipeline = ToLLVMPipelineOptions::createFromString(options.cpuOptions);
  if (!pipeline) {
    outcome.state = CheckState::Error;
    outcome.reason = "not options of the pipeline: " + options.cpuOptions;
    return;
  }
  OwningOpRef<ModuleOp> copy = module.clone();
  runOnCPUWith(*pipeline, module, name, inputs, options, reference, outcome);
  bool isTooLarge = options.maxBufferBytes >= 0 &&
                    outcome.largestTemporary > options.maxBufferBytes;
  if (outcome.state != CheckState::Fused || !isTooLarge ||
      !pipeline->shareTemporaries)
    return;
  // One of the temporaries alone may be small enough.
  pipeline->shareTemporaries = false;
  outcome = {};
  runOnCPUWith(*pipeline, *copy, name, inputs, options, reference, outcome);
}

/// Whether a loop of the host is around a launch.
static bool hasLoopsOfLaunches(ModuleOp module) {
  return module
      .walk([](gpu::LaunchOp launch) {
        return launch->getParentOfType<LoopLikeOpInterface>()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Compiles to launches with the pipeline of a vendor; to kernels, as a launcher
/// gets them, if the options say so or there are loops around launches. Returns
/// false, with `outcome` set, if that fails. `chip` is set to the one that the
/// options name.
template <typename PipelineT>
static bool compileForGPU(ModuleOp module, const CheckOptions &options,
                          CheckOutcome &outcome, std::string &chip) {
  auto parsed = PipelineT::createFromString(options.gpuOptions);
  if (!parsed) {
    outcome.state = CheckState::Error;
    outcome.reason = "not options of the pipeline: " + options.gpuOptions;
    return false;
  }
  chip = parsed->chip;
  auto toLaunches = [&](PassManager &pm) {
    buildLinalgToLaunchesPipeline(pm, *parsed);
  };
  if (!runPasses(module, {toLaunches}, outcome))
    return false;
  if (!options.sharesMemory && !hasLoopsOfLaunches(module))
    return true;
  auto toKernels = [&](PassManager &pm) {
    buildGPUKernelsPipeline(pm, *parsed);
  };
  return runPasses(module, {toKernels}, outcome);
}

/// The results that kernels write, of which there are `count`. A result that is
/// an argument has no buffer of its own, and equals it.
static std::vector<EnclosedTensor> getWritten(const Evaluation &reference,
                                              size_t count) {
  size_t surplus = reference.results.size() - count;
  std::vector<EnclosedTensor> written;
  for (const EnclosedTensor &result : reference.results) {
    bool isArgument =
        llvm::any_of(reference.arguments, [&](const EnclosedTensor &argument) {
          return argument.value.shape == result.value.shape &&
                 argument.value.data == result.value.data;
        });
    if (surplus > 0 && isArgument)
      --surplus;
    else
      written.push_back(result);
  }
  return written;
}

static void runOnGPU(ModuleOp module, StringRef name,
                     const CheckOptions &options,
                     ArrayRef<oracle::Tensor> inputs,
                     const Reference &reference, CheckOutcome &outcome) {
  SimulationOptions simulation;
  std::string chip;
  bool isAMD = StringRef(options.gpuOptions).contains("chip=gfx");
  if (!(isAMD ? compileForGPU<ToROCDLPipelineOptions>(module, options, outcome,
                                                      chip)
              : compileForGPU<ToNVVMPipelineOptions>(module, options, outcome,
                                                     chip)))
    return;
  if (const AMDChip *amd = lookupAMDChip(chip))
    simulation.interpreter.subgroupSize = amd->target.lanes;
  // Results are arguments behind the others.
  std::vector<oracle::Tensor> arguments(inputs.begin(), inputs.end());
  // The pipeline has checked the limit of the chip. Buffers that are never live
  // together share memory only in a later pass.
  simulation.interpreter.maxWorkgroupBytes =
      std::numeric_limits<int64_t>::max();
  std::vector<EnclosedTensor> results = reference.evaluation.results;
  auto function = module.lookupSymbol<func::FuncOp>(name);
  size_t numWritten =
      function ? function.getNumArguments() - inputs.size() : results.size();
  if (numWritten < results.size())
    results = getWritten(reference.evaluation, numWritten);
  for (const EnclosedTensor &result : results) {
    simulation.uninitialized.push_back(arguments.size());
    arguments.emplace_back(result.value.shape);
  }
  simulation.layouts = options.layouts;
  if (function && module.walk([](gpu::LaunchFuncOp) {
        return WalkResult::interrupt();
      }).wasInterrupted()) {
    std::string error = launchAsPlanned(function, arguments);
    if (!error.empty()) {
      outcome.state = CheckState::Error;
      outcome.reason = error;
      return;
    }
  }
  Simulation run = simulate(module, name, arguments, simulation);
  if (!run.ok()) {
    outcome.state = CheckState::Error;
    outcome.reason = "not run: " + firstLine(run.error);
    return;
  }
  outcome.largestTemporary = run.largestTemporary;
  for (const auto &entry : run.statistics)
    outcome.numKernels += entry.getValue().launches;
  outcome.state = CheckState::Fused;
  ArrayRef<oracle::Tensor> after(run.arguments);
  if (judge(after.drop_front(inputs.size()), results, "result", outcome))
    judge(after.take_front(inputs.size()), reference.evaluation.arguments,
          "argument", outcome);
}

/// What of `outcome` is more than allowed.
static void bound(CheckOutcome &outcome, const CheckOptions &options) {
  if (outcome.state != CheckState::Fused)
    return;
  std::vector<std::string> reasons;
  if (options.maxBufferBytes >= 0 &&
      outcome.largestTemporary > options.maxBufferBytes)
    reasons.push_back(llvm::formatv("a temporary of {0} bytes, at most {1}",
                                    outcome.largestTemporary,
                                    options.maxBufferBytes));
  if (options.maxKernels >= 0 && outcome.numKernels > options.maxKernels)
    reasons.push_back(llvm::formatv("{0} kernels, at most {1}",
                                    outcome.numKernels, options.maxKernels));
  if (outcome.numScalarKernels > options.maxScalarKernels)
    reasons.push_back(llvm::formatv("{0} scalar kernels, at most {1}",
                                    outcome.numScalarKernels,
                                    options.maxScalarKernels));
  // With other pipelines, products are slower, or ops are kernels of their own.
  if (!outcome.fallback.empty() &&
      (options.mayFallBack.empty() ||
       !StringRef(outcome.fallback).contains(options.mayFallBack)))
    reasons.push_back(outcome.fallback);
  if (reasons.empty())
    return;
  outcome.state = CheckState::Unfused;
  outcome.reason = llvm::join(reasons, "; ");
}

//===----------------------------------------------------------------------===//
// In a process of its own
//===----------------------------------------------------------------------===//

static std::string serialize(const CheckOutcome &outcome) {
  llvm::json::Object object{{"state", getName(outcome.state)},
                            {"reason", llvm::json::fixUTF8(outcome.reason)},
                            {"remarks", llvm::json::fixUTF8(outcome.remarks)},
                            {"fallback", llvm::json::fixUTF8(outcome.fallback)},
                            {"temporary", outcome.largestTemporary},
                            {"kernels", outcome.numKernels},
                            {"scalars", outcome.numScalarKernels},
                            {"ratio", outcome.worstRatio}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

static bool deserialize(StringRef text, CheckOutcome &outcome) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return false;
  outcome.state = *lookUpCheckState(*object->getString("state"));
  outcome.reason = object->getString("reason")->str();
  outcome.remarks = object->getString("remarks")->str();
  outcome.fallback = object->getString("fallback")->str();
  outcome.largestTemporary = *object->getInteger("temporary");
  outcome.numKernels = *object->getInteger("kernels");
  outcome.numScalarKernels = *object->getInteger("scalars");
  outcome.worstRatio = *object->getNumber("ratio");
  return true;
}

void linalg_ext_test::limitTime(unsigned seconds) {
  // The clock on the wall is for what waits; other work may have the processor.
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(20 * seconds);
}

bool linalg_ext_test::isTimeLimit(int signal) {
  return signal == SIGPROF || signal == SIGALRM;
}

/// In this process.
static CheckOutcome check(ModuleOp module, StringRef name, CheckTarget target,
                          const CheckOptions &options,
                          ArrayRef<oracle::Tensor> inputs,
                          const Reference &reference) {
  CheckOutcome outcome;
  auto run = target == CheckTarget::CPU ? runOnCPU : runOnGPU;
  OwningOpRef<ModuleOp> clone = module.clone();
  dropOthers(*clone, name);
  keepInputs(clone->lookupSymbol<func::FuncOp>(name));
  run(*clone, name, options, inputs, reference, outcome);
  bound(outcome, options);
  return outcome;
}

CheckOutcome linalg_ext_test::checkProgram(ModuleOp module, StringRef name,
                                           CheckTarget target,
                                           const CheckOptions &options,
                                           ArrayRef<oracle::Tensor> inputs,
                                           const Reference &reference) {
  if (!options.isolate)
    return check(module, name, target, options, inputs, reference);
  CheckOutcome outcome;
  llvm::outs().flush();
  auto [text, status] = runInChild([&] {
    limitTime(options.timeout);
    return serialize(check(module, name, target, options, inputs, reference));
  });
  if (deserialize(text, outcome))
    return outcome;
  outcome.state = CheckState::Crash;
  outcome.reason = "the process ended";
  if (WIFSIGNALED(status) && isTimeLimit(WTERMSIG(status))) {
    outcome.state = CheckState::Timeout;
    outcome.reason =
        llvm::formatv("takes longer than {0} s", options.timeout).str();
  } else if (WIFSIGNALED(status)) {
    outcome.reason = llvm::formatv("signal {0}", WTERMSIG(status)).str();
  }
  return outcome;
}
