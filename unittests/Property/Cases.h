//===- Cases.h - Random cases of tile-and-fuse ------------------*- C++ -*-===//
//
// A case consists of a graph, tiling levels, options and data. Its label (see
// Label) is the expected outcome. The label follows from the rules of the
// algebra and not from the result of a driver.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_PROPERTY_CASES_H
#define LINALG_EXT_UNITTESTS_PROPERTY_CASES_H

#include "Support/Fusion.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// A tiling level with dimensions given by letters; see makeLevel.
struct CaseLevel {
  mlir::linalg_ext::LoopKind kind = mlir::linalg_ext::LoopKind::For;
  std::map<char, int64_t> tiles;
  std::string order;
};

/// The expected outcome of a case. For every label, a fused program must
/// compute right results, and a refusal must have a reason and leave the IR
/// unchanged.
enum class Label {
  Carry,  ///< fuses, with the given numbers of states, repairs and siblings
  Plain,  ///< fuses without tiling a reduction along the keys
  Keep,   ///< fuses without tiling the reductions: they cannot be repaired
  Refuse, ///< is refused
  May,    ///< fuses or is refused
};
constexpr int kNumLabels = static_cast<int>(Label::May) + 1;
const char *getName(Label label);

struct Expectation {
  Label label = Label::Plain;
  /// States and repairs of the root and its producers. Siblings are further
  /// accumulations in the same loops.
  size_t numStates = 0, numRepairs = 0, numSiblings = 0;
  /// One sibling more or fewer is allowed.
  bool mayHaveAnother = false;
  std::string describe() const;
};

/// The ops that compute the weights: a softmax op, a chain of ops that is
/// raised to a softmax, a chain that stays a chain, or a norm.
enum class Family { Op, Raised, Chain, Norm };
constexpr int kNumFamilies = static_cast<int>(Family::Norm) + 1;
const char *getName(Family family);

/// The fault in the levels of a case that must be refused.
enum class Fault {
  None,
  ForallOverKeys, ///< the iterations would race
  BadInterchange, ///< the interchange is not a permutation
  TooManySizes,   ///< more tile sizes than dimensions
  NegativeSize,   ///< a negative tile size
  NothingTiled,   ///< all tile sizes are 0
  NoLevels,       ///< no level
  MappingOnFor,   ///< a device mapping on sequential loops
  MappingCount,   ///< fewer or more mappings than loops
  SoftmaxAsRoot,  ///< tiles of the softmax dimension would use an old state
};
constexpr int kNumFaults = static_cast<int>(Fault::SoftmaxAsRoot) + 1;
const char *getName(Fault fault);

/// Special values in the data.
enum class DataPattern {
  Plain,
  MaskedFirst,  ///< the first keys are masked
  MaskedMiddle, ///< keys in the middle are masked
  MaskedLast,   ///< the last keys are masked
  MaskedRows,   ///< whole rows are masked
  NaN,          ///< one NaN in one input
};

/// One random case.
struct Case {
  int64_t index = 0;
  AttentionSpec spec;
  std::vector<CaseLevel> levels;
  mlir::linalg_ext::NormalizationForm normalization =
      mlir::linalg_ext::NormalizationForm::Delayed;
  mlir::linalg_ext::Exactness exactness = mlir::linalg_ext::Exactness::Rounding;
  bool fuseConsumers = false;
  std::optional<double> rescaleThreshold; ///< for delayed normalisation
  bool raise = false; ///< raise a softmax of upstream ops before the fusion
  Fault fault = Fault::None;
  InputRange range;
  DataPattern pattern = DataPattern::Plain;
  uint64_t dataSeed = 0;
  /// Tighten loops and canonicalise between fusion and decomposition. Loops are
  /// not tightened for DataPattern::NaN, because a skipped tile does not
  /// propagate the NaN.
  bool cleanUp = false;

  Family family() const;
  /// True if the softmax is one op when the driver runs.
  bool isOp() const { return family() <= Family::Raised; }
  Expectation expect() const;
  std::string describe() const;
};

/// Returns case `index` of the sequence `seed`. It does not depend on the other
/// cases.
Case drawCase(uint64_t seed, int64_t index);

/// Returns the tile-and-fuse options of the case, including the fault
/// `c.fault`.
mlir::linalg_ext::TileAndFuseOptions makeOptions(const Case &c,
                                                 const AttentionGraph &graph);

std::vector<oracle::Tensor> makeInputs(const Case &c,
                                       const AttentionGraph &graph);

/// Returns simpler cases with the same label, the simplest first.
std::vector<Case> simplify(const Case &c);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASES_H
