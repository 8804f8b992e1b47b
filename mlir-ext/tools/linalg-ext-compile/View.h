//===- View.h - A page about a compilation ----------------------*- C++ -*-===//
//
// --view: collects what the passes say about a program while it is compiled,
// and writes one HTML page about it, which needs no network and no scripts.
//
//   plans     remarks `data: {"plan": ...}` of linalg-ext-fuse
//   kernels   remarks `data: {"kernel": ...}` of vector-ext-distribute
//   remarks   all others: what is not fused, and why
//   memory    the block of temporaries, after the pass that places them
//   launches  the manifest, with sizes
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_VIEW_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_VIEW_H

#include "Summary.h"

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

/// A buffer of a function, and when it is used.
struct ViewedBuffer {
  std::string type;
  int64_t bytes = 0;
  /// In the block of temporaries. Unset if the offset depends on sizes, or if
  /// the buffer is no part of a block.
  std::optional<int64_t> offset;
  /// The first and the last step that uses it.
  size_t first = 0, last = 0;
};

/// The temporaries of a function over time.
struct ViewedMemory {
  std::string function;
  /// What accesses memory, in order: "kernel attention_kernel", "scf.for".
  std::vector<std::string> steps;
  std::vector<ViewedBuffer> buffers;
  /// The size of the block; 0 if there is none, or if it depends on sizes.
  int64_t blockBytes = 0;
  bool assumesSizes = false;
};

/// A remark or a warning for people.
struct ViewedRemark {
  std::string severity, text;
  /// The line in the input; 0 if it is about no line of it.
  unsigned line = 0;
};

/// All that a page shows.
struct ViewData {
  /// The name and the text of the input, the target, the options of the
  /// pipeline.
  std::string input, source, target, options;
  std::vector<llvm::json::Object> plans, kernels;
  std::vector<ViewedRemark> remarks;
  std::vector<ViewedMemory> memory;
  std::vector<FunctionSummary> functions;
  /// What the assembler says about each kernel, as in the manifest.
  llvm::json::Object usage;
  std::optional<GPUTarget> gpu;
};

/// Collects what a page shows, while it lives.
class View {
public:
  /// Diagnostics that are not data go on to the handlers that were there
  /// before, except for remarks if `printsRemarks` is not set.
  View(MLIRContext *context, bool printsRemarks);

  /// Looks at `op` after `pass`: where temporaries are placed.
  void afterPass(Pass *pass, Operation *op);

  ViewData &getData() { return data; }

private:
  ViewData data;
  ScopedDiagnosticHandler handler;
};

/// Describes the temporaries of each function of `module`, on buffers.
std::vector<ViewedMemory> describeMemory(ModuleOp module);

/// Writes the page.
void writeView(const ViewData &data, raw_ostream &os);

/// Write pictures, as SVG: the loops of a plan, each cut in tiles; temporaries
/// over time; bars of numbers with labels.
void drawLoops(const llvm::json::Object &plan, raw_ostream &os);
void drawMemory(const ViewedMemory &memory, raw_ostream &os);
struct Bar {
  std::string label, text;
  double value = 0;
  StringRef colour;
};
void drawBars(ArrayRef<Bar> bars, raw_ostream &os);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_VIEW_H
