//===- Cases.h - Random cases of tile-and-fuse ------------------*- C++ -*-===//
//
// A case is a graph, levels, a form of normalisation and data, with a label
// that holds by construction: *must fuse* (then the result must be right) or
// *must refuse* (then with a reason, and the IR stays as it was). The label is
// derived from the rules of the algebra, not from what a driver does.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_PROPERTY_CASES_H
#define LINALG_EXT_UNITTESTS_PROPERTY_CASES_H

#include "Support/Fusion.h"

#include <map>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// A level by letters; see makeLevel.
struct CaseLevel {
  mlir::linalg_ext::LoopKind kind = mlir::linalg_ext::LoopKind::For;
  std::map<char, int64_t> tiles;
  std::string order;
};

/// Why a case must be refused.
enum class Refusal {
  None,
  ForallOverKeys,   ///< its tiles would race
  BadInterchange,   ///< not a permutation
  TooManySizes,     ///< more tile sizes than dimensions
  NegativeSize,     ///< of a tile
  NothingTiled,     ///< all sizes 0
  NoLevels,         ///< no level at all
  MappingOnFor,     ///< a device mapping on sequential loops
  MappingCount,     ///< not one mapping for each loop
  ContractedRepair, ///< the root sums over a row dimension of the softmax
  NonlinearRoot,    ///< see RootForm
  SoftmaxAsRoot,    ///< cut along its own dimension, results would be stale
};
constexpr int kNumRefusals = static_cast<int>(Refusal::SoftmaxAsRoot) + 1;
const char *getName(Refusal refusal);

/// What is special about the data.
enum class DataPattern {
  Plain,
  MaskedFirst,  ///< masked: the first keys,
  MaskedMiddle, ///< those in the middle,
  MaskedLast,   ///< the last,
  MaskedRows,   ///< whole rows
  NaN,          ///< one NaN in one input
};

struct Case {
  int64_t index = 0;
  AttentionSpec spec;
  std::vector<CaseLevel> levels;
  mlir::linalg_ext::NormalizationForm normalization =
      mlir::linalg_ext::NormalizationForm::Delayed;
  Refusal refusal = Refusal::None;
  InputRange range;
  DataPattern pattern = DataPattern::Plain;
  uint64_t dataSeed = 0;
  /// Between fusion and decomposition: tighten loops (not with NaN, which a tile
  /// that is left out does not show) and canonicalise.
  bool cleanUp = false;

  bool mustFuse() const { return refusal == Refusal::None; }
  std::string describe() const;
};

/// Case `index` of the sequence `seed`; each is drawn on its own.
Case drawCase(uint64_t seed, int64_t index);

/// Whether the softmax is cut along the keys inside the loops, so that its
/// state is carried and the root repaired. Otherwise a loop over dimensions
/// that the softmax lacks encloses the loop over the keys, and the softmax
/// stays outside of both rather than be computed again; or the keys are not
/// tiled at all.
bool expectsRepair(const AttentionGraph &graph,
                   const std::vector<CaseLevel> &levels);

/// The options of the case, with the fault that makes it a must-refuse.
mlir::linalg_ext::TileAndFuseOptions makeOptions(const Case &c,
                                                 const AttentionGraph &graph);

std::vector<oracle::Tensor> makeInputs(const Case &c,
                                       const AttentionGraph &graph);

/// Simpler cases with the same label, simplest first.
std::vector<Case> simplify(const Case &c);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASES_H
