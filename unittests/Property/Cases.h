//===- Cases.h - Random cases of tile-and-fuse ------------------*- C++ -*-===//
//
// A case is a graph, levels, options and data, with a label that holds by
// construction (see Label). The label is derived from the rules of the algebra,
// not from what a driver does.
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

/// What must become of a case. Whatever is fused must be right; a refusal comes
/// with a reason and leaves the IR as it was.
enum class Label {
  Carry,  ///< fuses, with so many states, repairs and siblings
  Plain,  ///< fuses, nothing that is reduced along the keys being cut
  Keep,   ///< fuses without cutting the reductions: they cannot be repaired
  Refuse, ///< is refused
  May,    ///< either
};
constexpr int kNumLabels = static_cast<int>(Label::May) + 1;
const char *getName(Label label);

struct Expectation {
  Label label = Label::Plain;
  /// Of the root and what it needs, and what is accumulated beside it.
  size_t numStates = 0, numRepairs = 0, numSiblings = 0;
  /// One sibling more, or fewer.
  bool mayHaveAnother = false;
  std::string describe() const;
};

/// By what the weights come about.
enum class Family { Op, Raised, Chain, Norm };
constexpr int kNumFamilies = static_cast<int>(Family::Norm) + 1;
const char *getName(Family family);

/// What is wrong with the levels of a case.
enum class Refusal {
  None,
  ForallOverKeys, ///< its tiles would race
  BadInterchange, ///< not a permutation
  TooManySizes,   ///< more tile sizes than dimensions
  NegativeSize,   ///< of a tile
  NothingTiled,   ///< all sizes 0
  NoLevels,       ///< no level at all
  MappingOnFor,   ///< a device mapping on sequential loops
  MappingCount,   ///< not one mapping for each loop
  SoftmaxAsRoot,  ///< cut along its own dimension, results would be out of date
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
  mlir::linalg_ext::Exactness exactness = mlir::linalg_ext::Exactness::Rounding;
  bool fuseConsumers = false;
  std::optional<double> rescaleThreshold; ///< of delayed normalisation
  bool raise = false; ///< the softmax, written with upstream's ops, before
  Refusal refusal = Refusal::None;
  InputRange range;
  DataPattern pattern = DataPattern::Plain;
  uint64_t dataSeed = 0;
  /// Between fusion and decomposition: tighten loops (not with NaN, which a
  /// tile that is left out does not show) and canonicalise.
  bool cleanUp = false;

  Family family() const;
  /// The softmax is one op when it meets the driver.
  bool isOp() const { return family() <= Family::Raised; }
  Expectation expect() const;
  std::string describe() const;
};

/// Case `index` of the sequence `seed`; each is drawn on its own.
Case drawCase(uint64_t seed, int64_t index);

/// The options of the case, with the fault that makes it a must-refuse.
mlir::linalg_ext::TileAndFuseOptions makeOptions(const Case &c,
                                                 const AttentionGraph &graph);

std::vector<oracle::Tensor> makeInputs(const Case &c,
                                       const AttentionGraph &graph);

/// Simpler cases with the same label, simplest first.
std::vector<Case> simplify(const Case &c);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASES_H
