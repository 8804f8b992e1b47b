//===- linalg-ext-opt.cpp - mlir-opt with linalg-ext in it ----------------===//
//
// Upstream's dialects and passes plus this project's, and the test-only ones.
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

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For gpu-module-to-binary.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::registerAllPasses();
  mlir::linalg_ext::registerAll(registry);
  mlir::linalg_ext::registerAllPassesAndPipelines();
#ifdef LINALG_EXT_TEST_LIB
  mlir::linalg_ext::test::registerTestLib(registry);
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "linalg-ext optimizer driver\n", registry));
}
