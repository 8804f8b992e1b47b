//===- Tool.cpp - What all tools have in common ---------------------------===//
//
// See Tool.h. CMake defines LINALG_EXT_VERSION for this file alone.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/Tool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

llvm::StringRef mlir::linalg_ext::getVersion() { return LINALG_EXT_VERSION; }

void mlir::linalg_ext::setVersionOfTool(llvm::StringRef tool) {
  llvm::cl::SetVersionPrinter([name = tool.str()](llvm::raw_ostream &os) {
    os << name << " " << getVersion() << "\nLLVM " << LLVM_VERSION_STRING
       << "\n";
  });
}

void mlir::linalg_ext::hideOptionsOfLLVM() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == llvm::cl::NotHidden)
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

bool mlir::linalg_ext::isHelpAskedFor(int argc, char **argv) {
  return llvm::any_of(llvm::ArrayRef(argv, argc), [](llvm::StringRef text) {
    return text == "-h" || text == "-help" || text == "--help" ||
           text == "--help-list";
  });
}
