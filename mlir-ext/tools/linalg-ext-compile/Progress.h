//===- Progress.h - How far long work is ------------------------*- C++ -*-===//
//
// On a terminal, one line that changes. Elsewhere, a line for each step.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PROGRESS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PROGRESS_H

#include "llvm/ADT/Twine.h"

#include <string>

namespace mlir::linalg_ext {

/// Prints which of `count` steps is being done, on the standard error output.
class Progress {
public:
  /// `work` is what a step is: "compiling".
  Progress(llvm::StringRef work, unsigned count) : work(work), count(count) {}
  ~Progress() { clear(); }

  /// Begins step `number`, from 1 on, with `what`.
  void begin(unsigned number, const llvm::Twine &what);
  /// Removes the line of a terminal, in front of other output.
  void clear();

private:
  std::string work;
  unsigned count;
  bool isShown = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_PROGRESS_H
