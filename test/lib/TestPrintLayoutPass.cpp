//===- TestPrintLayoutPass.cpp - Pictures of layouts ----------------------===//
//
// Makes the printer of layouts usable from a command line: for tests, and for
// the pictures in docs/Rationale.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Print.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
struct TestPrintLayoutPass
    : public PassWrapper<TestPrintLayoutPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrintLayoutPass)
  TestPrintLayoutPass() = default;
  TestPrintLayoutPass(const TestPrintLayoutPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-linalg-ext-print-layout"; }
  StringRef getDescription() const final {
    return "Print, on stderr, which register of which thread holds each "
           "element "
           "of a tile. The module stays as it is, and may be empty";
  }

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

  Option<std::string> layout{
      *this, "layout",
      llvm::cl::desc(
          "Digits of each dimension of the layout, slowest first, as "
          "in [register 2:2, lane 8:4] x [lane 4:1, register 2:1]")};
  Option<int64_t> lanes{*this, "lanes", llvm::cl::init(32),
                        llvm::cl::desc("Lanes (threads) of a subgroup")};
  Option<int64_t> subgroups{*this, "subgroups", llvm::cl::init(1),
                            llvm::cl::desc("Number of subgroups")};
  Option<std::string> format{*this, "format", llvm::cl::init("table"),
                             llvm::cl::desc("Output format: table or svg")};
};
} // namespace

namespace mlir::linalg_ext::test {
void registerTestPrintLayoutPass() { PassRegistration<TestPrintLayoutPass>(); }
} // namespace mlir::linalg_ext::test
