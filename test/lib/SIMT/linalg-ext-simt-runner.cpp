//===- linalg-ext-simt-runner.cpp - Runs distributed IR -------------------===//
//
// The interpreter as a tool, for lit: reads a module, runs a function without
// arguments, and prints what the program prints. See Interpreter.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Interpreter.h"

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Support/Tool.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::OptionCategory category("linalg-ext-simt-runner options");

static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                        llvm::cl::desc("<input file>"),
                                        llvm::cl::init("-"),
                                        llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    entry("entry", llvm::cl::desc("The function to run; it has no arguments"),
          llvm::cl::init("main"), llvm::cl::cat(category));
static llvm::cl::opt<int64_t>
    subgroupSize("subgroup-size", llvm::cl::desc("Threads of a subgroup"),
                 llvm::cl::init(32), llvm::cl::cat(category));
static llvm::cl::opt<bool> stats("kernel-stats",
                                 llvm::cl::desc("Print what each kernel did"),
                                 llvm::cl::cat(category));
static llvm::cl::opt<bool>
    allowRaces("allow-races", llvm::cl::desc("Do not look for data races"),
               llvm::cl::cat(category));
static llvm::cl::opt<bool> allowUninitialized(
    "allow-uninitialized",
    llvm::cl::desc("Memory that was never written holds ones"),
    llvm::cl::cat(category));
using linalg_ext::simt::Options;
static llvm::cl::opt<Options::Order> order(
    "order", llvm::cl::desc("Order of asynchronous copies and strands"),
    llvm::cl::values(clEnumValN(Options::Order::CopiesFirst, "copies-first",
                                "copies happen at once"),
                     clEnumValN(Options::Order::CopiesLast, "copies-last",
                                "copies happen when all strands wait"),
                     clEnumValN(Options::Order::Seeded, "seeded", "by --seed")),
    llvm::cl::init(Options::Order::CopiesLast), llvm::cl::cat(category));
static llvm::cl::opt<uint64_t> seed("seed",
                                    llvm::cl::desc("Seed of --order=seeded"),
                                    llvm::cl::cat(category));
static llvm::cl::opt<bool> verifyDiagnostics(
    "verify-diagnostics",
    llvm::cl::desc("Check that emitted diagnostics match expected-* lines"),
    llvm::cl::cat(category));

int main(int argc, char **argv) {
  llvm::InitLLVM y(argc, argv);
  linalg_ext::setVersionOfTool("linalg-ext-simt-runner");
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "Executes kernels (gpu.launch) without a GPU, and finds races\n\n"
      "  linalg-ext-simt-runner program.mlir --entry=main --kernel-stats\n\n"
      "docs/SIMT.md says how to write such a program. Exit status: 0; 1 with "
      "a\n"
      "diagnostic.\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  linalg_ext::registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(!verifyDiagnostics);

  std::string message;
  auto file = openInputFile(input, &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return 1;
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());

  auto run = [&]() -> LogicalResult {
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
    if (!module)
      return failure();
    linalg_ext::simt::Options options;
    options.subgroupSize = subgroupSize;
    options.checkRaces = !allowRaces;
    options.order = order;
    options.seed = seed;
    options.checkUninitialized = !allowUninitialized;
    linalg_ext::simt::Interpreter interpreter(*module, options);
    FailureOr<SmallVector<linalg_ext::simt::HostValue>> results =
        interpreter.run(entry);
    if (stats)
      interpreter.printStatistics(llvm::outs());
    return success(succeeded(results));
  };
  if (verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
    (void)run();
    return failed(handler.verify());
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  return failed(run());
}
