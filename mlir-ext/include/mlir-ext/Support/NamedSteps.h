//===- NamedSteps.h - Steps of a pass by name -------------------*- C++ -*-===//
//
// Passes that consist of steps, and an option that names those to run.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_NAMEDSTEPS_H
#define MLIR_EXT_SUPPORT_NAMEDSTEPS_H

#include "mlir/IR/Operation.h"

#include <functional>
#include <string>

namespace mlir::linalg_ext {

struct NamedStep {
  StringLiteral name;
  std::function<LogicalResult()> run;
};

/// Fails, with an error at `scope` that names `option`, if `names` has one that
/// `known` has not.
LogicalResult checkNames(Operation *scope, StringRef option,
                         ArrayRef<StringRef> known,
                         ArrayRef<std::string> names);

/// Runs those of `steps` that `names` has, or all if `names` is empty, in the
/// order of `steps`. Fails if a name is unknown, with an error at `scope` that
/// names `option` and with the IR unchanged, and if a step fails.
LogicalResult runNamedSteps(Operation *scope, StringRef option,
                            ArrayRef<NamedStep> steps,
                            ArrayRef<std::string> names);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_NAMEDSTEPS_H
