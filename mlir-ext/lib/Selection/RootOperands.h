//===- RootOperands.h - What the operands of a root are computed from -----===//
//
// Questions about the ops in front of a root: how far a reduction is, which
// contraction computes the scores, what is gathered, masked or converted.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SELECTION_ROOTOPERANDS_H
#define MLIR_EXT_LIB_SELECTION_ROOTOPERANDS_H

#include "RootDims.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns how many ops lie between `value` and the nearest op that it depends
/// on and `isSought`, or -1 if there is none.
int64_t getDistance(Value value, function_ref<bool(Operation *)> isSought);

/// Returns the nearest contraction that `value` is computed from; null if there
/// is none.
linalg::LinalgOp getContraction(Value value);

/// Returns the size of the sums that `value` is computed from: 0 if there are
/// none, unset if it is not known. A sum may have parts in several
/// contractions, such as the halves of rotated heads. Parts have results of the
/// same shape as the nearest contraction, and are added.
std::optional<int64_t> getDepth(Value value);

/// Returns whether an operand of `root` other than the online one is gathered.
bool readsGathered(Operation *root, const RootDims &dims);

/// Heads that are next to each other in the pages of a cache: a dimension of
/// the root, and the bytes of a page that follow each other in memory for one
/// of them.
struct HeadsOfPages {
  unsigned dim = 0;
  int64_t bytes = 0;
};
/// Returns the innermost such dimension of an operand of `root` other than the
/// online one, if this is gathered from pages, or converted from what is. Unset
/// if there is none, or if rows have an unknown size.
std::optional<HeadsOfPages> getHeadsOfPages(Operation *root,
                                            const RootDims &dims);

/// Returns whether an operand of `root` other than the online one, such as
/// values, is converted from elements of 8 bits.
bool readsBytes(Operation *root, const RootDims &dims);

/// What is done to the scores before they are reduced.
struct ScoreMasks {
  /// Comparisons of positions: 1 for a causal mask, 2 for a window.
  int64_t positions = 0;
  /// Whether positions of keys are compared with an end, too.
  bool hasEnd = false;
  /// The keys between two bounds, as those of a window: the largest constant in
  /// what computes them. 0 if there is none.
  int64_t window = 0;
  /// Whether numbers that follow from positions are added, as by ALiBi.
  bool isBiasedByPosition = false;
  /// Bytes of an element of the tensor of rank 2 or more in memory, such as a
  /// mask or a bias, that is combined with them: of the widest. 0 if there is
  /// none.
  int64_t elementBytes = 0;
  /// Whether tiles of it can be copied by boxes, if its rows are aligned.
  bool isCopied = false;
  /// Whether it is f16 and is added to the scores, whose product may start from
  /// it.
  bool isAdded = false;
  /// Whether they pass through a function, as for a soft cap.
  bool hasFunction = false;
};
ScoreMasks getScoreMasks(const RootDims &dims);

/// How asynchronous products read the operands of a root and those of the
/// scores, as far as this can be seen. The weights are in registers.
struct RootTiles {
  /// Why they cannot. Empty if they can.
  std::string reason;
  /// Whether an operand is gathered.
  bool isGathered = false;
  /// Whether the scores are products of f8: rows and keys are read as they are.
  bool hasF8Scores = false;
  /// Ops that convert operands from elements of 8 bits. Their results must be
  /// stored in front of the loops, for products to read these.
  SmallVector<Operation *> stored;
  /// Ops that compute wide rows. Threads hold what they compute of rows in
  /// registers, of which wide results leave too few: these are stored, too.
  SmallVector<Operation *> rows;
};

/// Returns how asynchronous products read the operands of `root`. Those of f8
/// are possible if `hasF8Products`.
RootTiles getRootTiles(Operation *root, const RootDims &dims,
                       bool hasF8Products);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SELECTION_ROOTOPERANDS_H
