//===- linalg-ext-opt.cpp - mlir-opt with linalg-ext ----------------------===//
//
// Registers upstream's dialects and passes, those of this project and, in
// builds with tests, the test-only ones.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Support/Tool.h"
#ifdef LINALG_EXT_TEST_LIB
#include "TestOps.h"
#endif

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // Options of opt tools are not registered yet.
  mlir::linalg_ext::hideOptionsOfLLVM();
  mlir::linalg_ext::setVersionOfTool("linalg-ext-opt");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For gpu-module-to-binary.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  if (!mlir::linalg_ext::isHelpAskedFor(argc, argv))
    mlir::registerAllPasses();
  mlir::linalg_ext::registerAll(registry);
  mlir::linalg_ext::registerAllPassesAndPipelines();
#ifdef LINALG_EXT_TEST_LIB
  mlir::linalg_ext::test::registerTestLib(registry);
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv,
                        "linalg-ext optimizer driver: mlir-opt with the dialects "
                        "and the passes of linalg-ext\n\n"
                        "  linalg-ext-opt attention.mlir --linalg-ext-normalize "
                        "\\\n"
                        "      --linalg-ext-tile-and-fuse='levels=\"forall(1,64) "
                        "for(0,0,0,128)\"'\n"
                        "  linalg-ext-opt attention.mlir --pass-pipeline="
                        "'builtin.module(linalg-ext-to-llvm)'\n"
                        "  linalg-ext-opt attention.mlir --linalg-ext-normalize "
                        "\\\n"
                        "      --linalg-ext-tile-and-fuse='levels=\"for(1)\" "
                        "explain=text'\n\n"
                        "--help-hidden also lists the passes of MLIR and the "
                        "options of LLVM.\n"
                        "Exit status: 0; 1 with a diagnostic.\n",
                        registry));
}
