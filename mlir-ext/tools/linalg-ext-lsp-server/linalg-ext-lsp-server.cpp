//===- linalg-ext-lsp-server.cpp - Language server for .mlir files --------===//
//
// Upstream's language server, which libMLIR.so has, with the dialects of this
// project beside those of upstream. Editors start it (docs/Editors.md).
//
// Exit codes: 0 on success, 1 otherwise.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Support/Tool.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  mlir::linalg_ext::setVersionOfTool("linalg-ext-lsp-server");
  mlir::linalg_ext::hideOptionsOfLLVM();
  llvm::cl::extrahelp help(
      "\nEditors start this server, and talk to it on its standard input and\n"
      "output (docs/Editors.md). To try it without one:\n\n"
      "  linalg-ext-lsp-server --lit-test < session.test\n\n"
      "Exit status: 0; 1 if the client ends without the request to shut down.\n");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::linalg_ext::registerAll(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
