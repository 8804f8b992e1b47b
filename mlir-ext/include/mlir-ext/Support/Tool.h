//===- Tool.h - What all tools have in common -------------------*- C++ -*-===//
//
// The version, and options that --help shows. The version is the text of the file
// VERSION at the root of the source tree. Nothing else has it: CMake, --version of
// the tools, the package for Python and the packages for Debian read this file.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_TOOL_H
#define MLIR_EXT_SUPPORT_TOOL_H

#include "llvm/ADT/StringRef.h"

namespace mlir::linalg_ext {

/// Returns the version: "1.0.0", or "1.0.0-dev" before it is released.
llvm::StringRef getVersion();

/// Makes --version of this program print the name `tool` and getVersion() in a
/// line, and the version of LLVM in the next. Call it before the command line is
/// parsed.
void setVersionOfTool(llvm::StringRef tool);

/// Hides the options that are registered so far, which are those of LLVM's code
/// generators: only --help-hidden shows them. Call it before other options are
/// registered.
void hideOptionsOfLLVM();

/// Returns true if --help is given, but not --help-hidden. A tool then need not
/// register upstream's passes, whose options would fill the screen.
bool isHelpAskedFor(int argc, char **argv);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_TOOL_H
