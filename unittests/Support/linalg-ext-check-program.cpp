//===- linalg-ext-check-program.cpp - Is a program right, and fused? ------===//
//
// A tool for lit, see CheckProgram.h: reads functions as importers write them,
// draws inputs, and checks what the pipelines make of them, and that their
// normal form is one. Prints a line a target. The exit code is 0 if each is
// right and fused, or what `--expect` says instead: a program that starts to
// fuse fails its mark.
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "Execute.h"
#include "Fusion.h"

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Support/Tool.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace linalg_ext_test;
namespace cl = llvm::cl;

static cl::OptionCategory category("linalg-ext-check-program options");

static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                                  cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    entry("entry",
          cl::desc("The function; all that are public unless it is given"),
          cl::cat(category));
static cl::list<std::string>
    sizes("sizes",
          cl::desc("The shape of each argument, for those that have dynamic "
                   "sizes: 2x37x8,-,..."),
          cl::value_desc("shape,..."), cl::CommaSeparated, cl::cat(category));
static cl::list<std::string> layouts(
    "layouts",
    cl::desc("The strides and the offset of each argument, in elements, for "
             "those that have dynamic ones: 40x1+8,-,..."),
    cl::value_desc("strides+offset,..."), cl::CommaSeparated,
    cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of the inputs"), cl::init(1),
                              cl::cat(category));
static cl::list<std::string>
    targets("targets", cl::desc("cpu, gpu; both unless they are given"),
            cl::CommaSeparated, cl::cat(category));
static cl::list<std::string>
    expected("expect",
             cl::desc("What falls short, and how: cpu:unfused, gpu:error, ...; "
                      "an error if it does not"),
             cl::value_desc("target:state,..."), cl::CommaSeparated,
             cl::cat(category));
static cl::opt<std::string>
    because("because",
            cl::desc("What the reasons of all that falls short contain"),
            cl::cat(category));
static cl::opt<int64_t> maxBufferBytes(
    "max-buffer-bytes",
    cl::desc("Of a temporary buffer; a quarter of the scores in f32 tells "
             "whether anything has their size"),
    cl::init(-1), cl::cat(category));
static cl::opt<int64_t> maxKernels("max-kernels",
                                   cl::desc("That a run launches"),
                                   cl::init(-1), cl::cat(category));
static cl::opt<int64_t>
    maxScalarKernels("max-scalar-kernels",
                     cl::desc("Kernels in which a thread does a scalar"),
                     cl::init(0), cl::cat(category));
static cl::opt<std::string> mayFallBack(
    "may-fall-back",
    cl::desc("Part of the reason for which another pipeline than the first may "
             "compile a function; none may by default"),
    cl::cat(category));
static cl::opt<std::string> cpuOptions("cpu-options",
                                       cl::desc("Of linalg-ext-to-llvm"),
                                       cl::cat(category));
static cl::opt<std::string> gpuOptions("gpu-options",
                                       cl::desc("Of linalg-ext-to-nvvm, or of "
                                                "linalg-ext-to-rocdl with the "
                                                "chip of an AMD GPU"),
                                       cl::init("chip=sm_90a"),
                                       cl::cat(category));
static cl::opt<int64_t> keys(
    "keys",
    cl::desc("Of a tile of what is reduced online, in both pipelines: few, "
             "for there to be several tiles"),
    cl::init(0), cl::cat(category));
static cl::opt<bool> sharesMemory(
    "share-memory",
    cl::desc("Run kernels of GPUs as a launcher gets them: buffers that are "
             "never live together share workgroup memory"),
    cl::cat(category));
static cl::opt<unsigned> timeout("timeout", cl::desc("Seconds of a target"),
                                 cl::init(120), cl::cat(category));
static cl::opt<double> minInformative(
    "min-informative",
    cl::desc("The part of the elements that the bound of the error must say "
             "something of"),
    cl::init(0.5), cl::cat(category));
static cl::opt<bool> verbose("verbose",
                             cl::desc("Print what the pipelines say"),
                             cl::cat(category));

/// Parses numbers with an x between them; none of "-".
static bool parseNumbers(StringRef text, std::vector<int64_t> &numbers) {
  if (text == "-")
    return true;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  return llvm::none_of(parts, [&](StringRef part) {
    return part.getAsInteger(10, numbers.emplace_back());
  });
}

static bool parseShapes(std::vector<std::vector<int64_t>> &shapes) {
  for (StringRef text : sizes)
    if (!parseNumbers(text, shapes.emplace_back())) {
      llvm::errs() << "expected a shape like 2x37x8, got '" << text << "'\n";
      return false;
    }
  return true;
}

static bool parseLayouts(std::vector<BufferLayout> &parsed) {
  for (StringRef text : layouts) {
    BufferLayout &layout = parsed.emplace_back();
    auto [strides, offset] = text.split('+');
    if (!parseNumbers(strides, layout.strides) ||
        (!offset.empty() && offset.getAsInteger(10, layout.offset))) {
      llvm::errs() << "expected strides and an offset like 40x1+8, got '"
                   << text << "'\n";
      return false;
    }
  }
  return true;
}

static bool parseExpected(std::map<std::string, CheckState> &states) {
  for (StringRef text : expected) {
    auto [target, name] = text.split(':');
    std::optional<CheckState> state = lookUpCheckState(name);
    if ((target != "cpu" && target != "gpu") || !state) {
      llvm::errs() << "expected a target and a state like cpu:unfused, got '"
                   << text << "'\n";
      return false;
    }
    states[target.str()] = *state;
  }
  return true;
}

/// Checks one function on one target; prints a line. Returns false if that is
/// not what is expected.
static bool check(ModuleOp module, StringRef name, StringRef target,
                  CheckState wanted, const CheckOptions &options,
                  ArrayRef<oracle::Tensor> inputs, const Reference &reference) {
  CheckOutcome outcome = checkProgram(
      module, name, target == "cpu" ? CheckTarget::CPU : CheckTarget::GPU,
      options, inputs, reference);
  llvm::outs() << name << ": " << target << ": " << getName(outcome.state);
  if (!outcome.reason.empty())
    llvm::outs() << " (" << outcome.reason << ")";
  if (outcome.state <= CheckState::Wrong) {
    llvm::outs() << "; largest temporary " << outcome.largestTemporary
                 << " bytes";
    if (target == "gpu")
      llvm::outs() << "; kernels " << outcome.numKernels << ", scalar "
                   << outcome.numScalarKernels;
    llvm::outs() << llvm::formatv("; error {0:f3} of its bound",
                                  outcome.worstRatio);
  }
  llvm::outs() << "\n";
  bool isExpected = outcome.state == wanted;
  if (!isExpected)
    llvm::outs() << "  expected " << getName(wanted)
                 << (outcome.state < wanted
                         ? ": better than its mark, which can be removed"
                         : "")
                 << "\n";
  if (isExpected && wanted != CheckState::Fused &&
      !StringRef(outcome.reason).contains(because)) {
    llvm::outs() << "  expected the reason to contain '" << because << "'\n";
    isExpected = false;
  }
  if (verbose || (!isExpected && outcome.state != CheckState::Fused))
    llvm::outs() << outcome.remarks;
  return isExpected;
}

/// Checks that the normal form of `program` stays as it is if it is normalised
/// again. Prints the first line that changes, and returns false, if it does
/// not.
static bool checkNormalForm(ModuleOp program) {
  OwningOpRef<ModuleOp> module = program.clone();
  removeDrawAttributes(*module);
  PassManager passes(module->getContext());
  passes.addPass(mlir::linalg_ext::createLinalgExtNormalizePass());
  std::string texts[2];
  for (std::string &text : texts) {
    if (failed(runAndVerify(passes, *module))) {
      llvm::outs() << "no normal form\n";
      return false;
    }
    llvm::raw_string_ostream os(text);
    module->print(os);
  }
  if (texts[0] == texts[1])
    return true;
  StringRef before = texts[0], after = texts[1];
  while (before.split('\n').first == after.split('\n').first) {
    before = before.split('\n').second;
    after = after.split('\n').second;
  }
  llvm::outs() << "the normal form changes when it is normalised again:\n  "
               << before.split('\n').first << "\nbecomes\n  "
               << after.split('\n').first << "\n";
  return false;
}

int main(int argc, char **argv) {
  llvm::InitLLVM y(argc, argv);
  mlir::linalg_ext::setVersionOfTool("linalg-ext-check-program");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Is a program right, and is it fused?\n\n"
                              "  linalg-ext-check-program program.mlir "
                              "--sizes=2x37x8,- --expect=gpu:unfused"
                              "\n\n"
                              "Exit status: 0 if each function is right and "
                              "fused, or as bad as --expect\n"
                              "says; 1 otherwise.\n");
  std::vector<std::vector<int64_t>> shapes;
  std::map<std::string, CheckState> states;
  if (!parseShapes(shapes) || !parseExpected(states))
    return 1;
  if (targets.empty())
    for (const char *target : {"cpu", "gpu"})
      targets.push_back(target);
  for (StringRef target : targets)
    if (target != "cpu" && target != "gpu") {
      llvm::errs() << "expected the targets cpu and gpu, got '" << target
                   << "'\n";
      return 1;
    }

  std::unique_ptr<MLIRContext> context = makeFusionContext();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(input, ParserConfig(context.get()));
  if (!module)
    return 1;
  // The script of a stock tool in front of this one.
  for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
    if (op.getName().getDialectNamespace() == "transform")
      op.erase();
  CheckOptions options;
  options.maxBufferBytes = maxBufferBytes;
  options.maxKernels = maxKernels;
  options.maxScalarKernels = maxScalarKernels;
  options.sharesMemory = sharesMemory;
  options.mayFallBack = mayFallBack;
  options.cpuOptions = cpuOptions;
  options.gpuOptions = gpuOptions;
  options.timeout = timeout;
  if (!parseLayouts(options.layouts))
    return 1;
  if (keys > 0)
    for (std::string *target : {&options.cpuOptions, &options.gpuOptions})
      *target += " keys=" + std::to_string(keys);

  bool ok = checkNormalForm(*module), found = false;
  std::vector<func::FuncOp> functions;
  for (auto function : module->getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (entry.empty() ? function.isPublic() : function.getName() == entry))
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    found = true;
    StringRef name = function.getName();
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      if (!isa<ShapedType>(type)) {
        function.emitError("result ")
            << i << ": expected a tensor or a memref, got " << type;
        return 1;
      }
    auto inputs = drawInputs(function, shapes, seed);
    if (failed(inputs))
      return 1;
    OwningOpRef<ModuleOp> program = module->clone();
    removeDrawAttributes(*program);
    Reference reference = computeReference(*program, name, *inputs);
    if (!reference.error.empty()) {
      llvm::outs() << name << ": " << reference.error << "\n";
      ok = false;
      continue;
    }
    if (reference.informative < minInformative) {
      llvm::outs() << llvm::formatv(
          "{0}: the bound says something of {1:f3} of a result's elements, "
          "expected {2:f3}: smaller inputs, or other sizes\n",
          name, reference.informative, minInformative.getValue());
      ok = false;
    }
    for (const std::string &target : targets) {
      auto state = states.find(target);
      ok &= check(*program, name, target,
                  state == states.end() ? CheckState::Fused : state->second,
                  options, *inputs, reference);
    }
  }
  if (!found) {
    llvm::errs() << "no function to check\n";
    return 1;
  }
  return ok ? 0 : 1;
}
