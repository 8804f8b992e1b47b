//===- linalg-ext-reduce.cpp - Make a failing program small ---------------===//
//
// Upstream's mlir-reduce, which libMLIR.so has, with the dialects and passes of
// this project, and the pass reduce-ops.
//
// Exit codes: 0 on success, 1 otherwise.
//
//===----------------------------------------------------------------------===//

#include "ReduceOps.h"

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Support/Tool.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  mlir::linalg_ext::setVersionOfTool("linalg-ext-reduce");
  mlir::linalg_ext::hideOptionsOfLLVM();
  llvm::cl::extrahelp help(
      "\nThe test is a program that gets the name of a file, and exits with 1 if\n"
      "the program in it still shows what is looked for, otherwise with 0.\n\n"
      "  linalg-ext-reduce big.mlir -o small.mlir "
      "--reduce-ops='test=./test.sh'\n"
      "  linalg-ext-reduce big.mlir -o small.mlir \\\n"
      "      --opt-reduction-pass='opt-pass=canonicalize test=./test.sh' \\\n"
      "      --reduce-ops='test=./test.sh'\n\n"
      "docs/Editors.md has an example. Exit status: 0; 1 with a diagnostic.\n");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::linalg_ext::registerAll(registry);
  if (!mlir::linalg_ext::isHelpAskedFor(argc, argv)) {
    mlir::registerAllPasses();
    mlir::linalg_ext::registerAllPassesAndPipelines();
  }
  mlir::linalg_ext::registerReduceOpsPass();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
