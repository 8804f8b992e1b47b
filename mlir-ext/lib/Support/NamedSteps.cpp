//===- NamedSteps.cpp - Steps of a pass by name ---------------------------===//
//
// See NamedSteps.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult mlir::linalg_ext::checkNames(Operation *scope, StringRef option,
                                           ArrayRef<StringRef> known,
                                           ArrayRef<std::string> names) {
  for (StringRef name : names)
    if (!llvm::is_contained(known, name))
      return emitError(scope->getLoc())
             << "invalid option '" << option << "': expected "
             << llvm::join(known, ", ") << ", got '" << name << "'";
  return success();
}

LogicalResult mlir::linalg_ext::runNamedSteps(Operation *scope,
                                              StringRef option,
                                              ArrayRef<NamedStep> steps,
                                              ArrayRef<std::string> names) {
  SmallVector<StringRef> known;
  for (const NamedStep &step : steps)
    known.push_back(step.name);
  if (failed(checkNames(scope, option, known, names)))
    return failure();
  for (const NamedStep &step : steps)
    if (names.empty() || llvm::is_contained(names, step.name))
      if (failed(step.run()))
        return failure();
  return success();
}
