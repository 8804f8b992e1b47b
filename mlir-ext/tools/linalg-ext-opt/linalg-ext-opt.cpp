//===- linalg-ext-opt.cpp - mlir-opt with linalg-ext ----------------------===//
//
// Registers upstream's dialects and passes, those of this project and, in
// builds with tests, the test-only ones.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"
#ifdef LINALG_EXT_TEST_LIB
#include "TestOps.h"
#endif

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

/// True if --help is asked for, and not --help-hidden.
static bool isHelpAskedFor(int argc, char **argv) {
  return llvm::any_of(llvm::ArrayRef(argv, argc), [](llvm::StringRef text) {
    return text == "-h" || text == "-help" || text == "--help" ||
           text == "--help-list";
  });
}

int main(int argc, char **argv) {
  // LLVM's own options are there already, those of opt tools are not yet:
  // --help-hidden shows the former, and upstream's passes.
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == llvm::cl::NotHidden)
      entry.second->setHiddenFlag(llvm::cl::Hidden);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For gpu-module-to-binary.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  if (!isHelpAskedFor(argc, argv))
    mlir::registerAllPasses();
  mlir::linalg_ext::registerAll(registry);
  mlir::linalg_ext::registerAllPassesAndPipelines();
#ifdef LINALG_EXT_TEST_LIB
  mlir::linalg_ext::test::registerTestLib(registry);
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv,
                        "linalg-ext optimizer driver\n\n--help-hidden also "
                        "lists the passes of MLIR and the options of LLVM.\n",
                        registry));
}
