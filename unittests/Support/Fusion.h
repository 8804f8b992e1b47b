//===- Fusion.h - Fuse, run, compare ----------------------------*- C++ -*-===//
//
// The steps of a tile-and-fuse test: plan, apply, decompose, run, and compare
// with the oracle.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H
#define LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H

#include "Execute.h"
#include "Graphs.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// Creates a context with this project's dialects and interface models, and
/// with what `extend` registers.
std::unique_ptr<mlir::MLIRContext> makeFusionContext(
    llvm::function_ref<void(mlir::DialectRegistry &)> extend = {});

/// Returns a level that tiles the root's dims, which are given by letter.
/// `order` has the letters of the loops, outermost first. The default is the
/// order of the root's loops.
mlir::linalg_ext::TilingLevel
makeLevel(const AttentionGraph &graph, const std::map<char, int64_t> &tiles,
          mlir::linalg_ext::LoopKind kind = mlir::linalg_ext::LoopKind::For,
          const std::string &order = "");

/// Returns the number of tiles along the keys that `levels` create, plus the
/// number of merges of chunks.
int64_t countSteps(const AttentionGraph &graph,
                   llvm::ArrayRef<mlir::linalg_ext::TilingLevel> levels);

/// The outcome of a test.
struct FusionOutcome {
  enum class Stage {
    Refused, ///< there is no plan; `reason` has the reason
    Failed,  ///< the plan could not be applied
    Invalid, ///< the IR after it is invalid, or cannot be decomposed
    NotRun,  ///< the IR could not be lowered or executed
    Wrong,   ///< a result is outside of its bounds
    Right,
  } stage = Stage::Refused;
  std::string reason;
  /// The printed plan, and the fused IR before the decomposition.
  std::string plan, fused;
  Execution execution;
  /// The worst values of all results (see oracle::Comparison).
  double worstRatio = 0, looseness = 0;

  bool isRight() const { return stage == Stage::Right; }
};

const char *getName(FusionOutcome::Stage stage);

/// Returns the number of tiles along a dimension of size `size`, the root's
/// iteration dimension `loop`, after all `levels`.
int64_t countSteps(int64_t size, size_t loop,
                   llvm::ArrayRef<mlir::linalg_ext::TilingLevel> levels);

/// Returns the number of steps to add for `oracle::softmax` if `options` has a
/// rescale threshold t. With a threshold the program keeps an old max r as long
/// as x - r <= t. Let R be the last max. The roundings of x - r, ..., - R are
/// at most u (|x - r| + R - r). If x > r this is at most u (2 t + R - x), which
/// is 2 t roundings more, for the numerator and for the sum. One step of
/// `oracle::softmax` allows 22 roundings, so the result is ceil(4 t / 22).
int64_t countHeldSteps(const mlir::linalg_ext::TileAndFuseOptions &options);

/// Runs all steps on the function `main` of `module`, with the root `root`.
/// `module` is fused afterwards, or unchanged if the fusion is refused.
/// `evaluate` returns the expected results. `tighten` tightens loop bounds
/// after the fusion. `cleanUp` then runs canonicalisation and CSE before the
/// decomposition, as a pipeline does.
FusionOutcome
fuseAndRun(mlir::ModuleOp module, mlir::Operation *root,
           const mlir::linalg_ext::TileAndFuseOptions &options,
           const std::vector<oracle::Tensor> &inputs,
           llvm::function_ref<std::vector<oracle::Bounded>()> evaluate,
           Executor &executor, bool cleanUp = false, bool tighten = false);

/// The same for `graph`, which provides the expected results.
FusionOutcome fuseAndRun(AttentionGraph &graph,
                         const mlir::linalg_ext::TileAndFuseOptions &options,
                         const std::vector<oracle::Tensor> &inputs,
                         Executor &executor, bool cleanUp = false,
                         bool tighten = false);

/// Prints the IR of `op`.
std::string print(mlir::Operation *op);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H
