//===- PipelineOptions.h - Options of pipelines, as text --------*- C++ -*-===//
//
// Parses --options. An option that a pipeline does not have is an error, which
// names the nearest one.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PIPELINEOPTIONS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

/// Parses "name=value ..." into `options`. Fails, with `error` set.
LogicalResult parsePipelineOptions(mlir::detail::PassOptions &options,
                                   StringRef text, std::string &error);

/// Fails, with `error` set, if `isGiven`, since the option of the tool says the
/// same as the option `name` of the pipeline.
LogicalResult refuseGiven(bool isGiven, StringRef name, StringRef option,
                          std::string &error);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PIPELINEOPTIONS_H
