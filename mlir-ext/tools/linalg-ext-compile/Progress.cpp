//===- Progress.cpp - How far long work is --------------------------------===//
//
// See Progress.h.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir::linalg_ext;

void Progress::begin(unsigned number, const llvm::Twine &what) {
  clear();
  std::string text = what.str();
  llvm::errs() << "linalg-ext-compile: " << work << " " << number << " of "
               << count << (text.empty() ? "" : ": ");
  if (llvm::errs().is_displayed()) {
    // It must not go on in the next line, where it could not be removed.
    llvm::errs() << llvm::StringRef(text).take_front(40);
    llvm::errs().flush();
    isShown = true;
  } else {
    llvm::errs() << text << "\n";
  }
}

void Progress::clear() {
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}
