//===- NamedSteps.h - Steps of a pass by name -------------------*- C++ -*-===//
//
// For passes that consist of named steps, with an option that names the steps
// to run.
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

/// Fails if `known` lacks one of `names`, with an error at `scope` that names
/// `option`.
LogicalResult checkNames(Operation *scope, StringRef option,
                         ArrayRef<StringRef> known,
                         ArrayRef<std::string> names);

/// Runs the steps in `names`, or all steps if `names` is empty, in the order of
/// `steps`. Fails if a name is unknown, with an error at `scope` that names
/// `option`; then the IR is unchanged. Also fails if a step fails.
LogicalResult runNamedSteps(Operation *scope, StringRef option,
                            ArrayRef<NamedStep> steps,
                            ArrayRef<std::string> names);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_NAMEDSTEPS_H
