//===- Fusion.h - Fuse, run, compare ----------------------------*- C++ -*-===//
//
// The steps that every test of tile-and-fuse goes through: plan, apply,
// decompose, run, compare with the oracle.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H
#define LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H

#include "Execute.h"
#include "Graphs.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include <map>
#include <string>

namespace linalg_ext_test {

/// A context with this project's dialects and models, and what `extend`
/// registers.
std::unique_ptr<mlir::MLIRContext> makeFusionContext(
    llvm::function_ref<void(mlir::DialectRegistry &)> extend = {});

/// A level that tiles the root's dims by letter. `order` gives the loops from
/// the outside in, by letter; by default they are in the order of the root's.
mlir::linalg_ext::TilingLevel
makeLevel(const AttentionGraph &graph, const std::map<char, int64_t> &tiles,
          mlir::linalg_ext::LoopKind kind = mlir::linalg_ext::LoopKind::For,
          const std::string &order = "");

/// The number of tiles along the keys that the levels make, one after another,
/// and of chunks that are merged.
int64_t countSteps(const AttentionGraph &graph,
                   llvm::ArrayRef<mlir::linalg_ext::TilingLevel> levels);

/// Where a fusion ended.
struct FusionOutcome {
  enum class Stage {
    Refused, ///< no plan; `reason` says why
    Failed,  ///< a plan that could not be applied
    Invalid, ///< applied, but the IR does not verify or is not decomposed
    NotRun,  ///< the result could not be lowered or executed
    Wrong,   ///< ran, with a result out of bounds
    Right,
  } stage = Stage::Refused;
  std::string reason;
  /// The plan as it prints, and the fused IR before it was decomposed.
  std::string plan, fused;
  Execution execution;
  /// Of the result that was furthest from the oracle.
  double worstRatio = 0, looseness = 0;

  bool isRight() const { return stage == Stage::Right; }
};

const char *getName(FusionOutcome::Stage stage);

/// The number of tiles that the levels, one after another, cut `size` into by
/// the root's iteration dimension `loop`.
int64_t countSteps(int64_t size, size_t loop,
                   llvm::ArrayRef<mlir::linalg_ext::TilingLevel> levels);

/// The tiles by which a softmax must seem to have more for `oracle::softmax` to
/// bound one whose maxima are held as `options` say. With r the max that x met
/// and R the last one, the roundings of x - r, ..., - R are at most u (|x - r|
/// + R - r). Where x > r, which is by threshold t at most, that is u (2 t + R -
/// x): 2 t roundings more for each of numerator and sum. A further tile
/// allows 22.
int64_t countHeldSteps(const mlir::linalg_ext::TileAndFuseOptions &options);

/// Takes the function `main` of `module` through all steps with `root`; the
/// module is fused afterwards, or as it was if that was refused. `evaluate`
/// gives the results that are right. With `cleanUp` canonicalisation and CSE
/// run between fusion and decomposition, as in a pipeline; with `tighten` loops
/// are bounded to what masks leave before that.
FusionOutcome
fuseAndRun(mlir::ModuleOp module, mlir::Operation *root,
           const mlir::linalg_ext::TileAndFuseOptions &options,
           const std::vector<oracle::Tensor> &inputs,
           llvm::function_ref<std::vector<oracle::Bounded>()> evaluate,
           Executor &executor, bool cleanUp = false, bool tighten = false);

/// The same for `graph`, which says what is right.
FusionOutcome fuseAndRun(AttentionGraph &graph,
                         const mlir::linalg_ext::TileAndFuseOptions &options,
                         const std::vector<oracle::Tensor> &inputs,
                         Executor &executor, bool cleanUp = false,
                         bool tighten = false);

/// The IR as text.
std::string print(mlir::Operation *op);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_FUSION_H
