//===- PrintLayout.cpp - The pass that draws a layout ---------------------===//
//
// Makes the layout library usable from a command line. The library itself does
// not depend on passes.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Print.h"
#include "mlir-ext/Pipelines/Passes.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPRINTLAYOUTPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtPrintLayoutPass
    : public linalg_ext::impl::LinalgExtPrintLayoutPassBase<
          LinalgExtPrintLayoutPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    Location loc = getOperation().getLoc();
    std::string error;
    std::optional<layout::Layout> parsed =
        layout::Layout::parse(layout, lanes, subgroups, &error);
    if (!parsed) {
      emitError(loc) << "invalid option 'layout': " << error;
      return signalPassFailure();
    }
    if (format == "table") {
      layout::printOwnerTable(*parsed, llvm::errs());
    } else if (format == "svg") {
      layout::printSVG(*parsed, llvm::errs());
    } else {
      emitError(loc) << "invalid option 'format': expected 'table' or 'svg', "
                        "got '"
                     << format << "'";
      return signalPassFailure();
    }
  }
};
} // namespace
