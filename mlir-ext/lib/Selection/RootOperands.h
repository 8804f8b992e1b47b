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
/// on and for which `isSought` is true. Returns -1 if there is none.
int64_t getDistance(Value value, function_ref<bool(Operation *)> isSought);

/// Returns the nearest contraction from which `value` is computed, or null.
linalg::LinalgOp getContraction(Value value);

/// Returns the size of the sums from which `value` is computed. Returns 0 if
/// there are none, and none if the size is unknown. Several contractions may
/// compute parts of a sum, such as the halves of rotated heads. Parts have
/// results of the same shape as the nearest contraction, and are added.
std::optional<int64_t> getDepth(Value value);

/// Returns whether an operand of `root` other than the online one is gathered.
bool readsGathered(Operation *root, const RootDims &dims);

/// Heads that are next to each other in the pages of a cache. Stores a
/// dimension of the root, and the number of contiguous bytes that a page has
/// for one head.
struct HeadsOfPages {
  unsigned dim = 0;
  int64_t bytes = 0;
};
/// Returns the innermost such dimension of an operand of `root` other than the
/// online one, if this operand is gathered from pages or converted from such a
/// value. Unset if there is none, or if the size of a row is unknown.
std::optional<HeadsOfPages> getHeadsOfPages(Operation *root,
                                            const RootDims &dims);

/// Returns whether an operand of `root` other than the online one, such as the
/// values, is converted from elements of 8 bits.
bool readsBytes(Operation *root, const RootDims &dims);

/// Returns whether rows of such an operand are unpacked from fewer bytes than
/// they have elements, as integers of 4 bits are.
bool readsPackedIntegers(Operation *root, const RootDims &dims);

/// Returns the ops from which `root` is computed that reduce windows, such as a
/// moving average of what is added to the scores: they read an operand at sums
/// of loops. The program of a workgroup computes vectors, which these are not.
SmallVector<Operation *> findReducedWindows(Operation *root);

/// The computations on the scores before they are reduced.
struct ScoreMasks {
  /// The comparisons of positions: 1 for a causal mask, 2 for a window.
  int64_t positions = 0;
  /// Whether positions of keys are also compared with an end.
  bool hasEnd = false;
  /// The number of keys between two bounds, as in a window: the sum of the
  /// largest constants of the comparisons of positions. 0 if unknown.
  int64_t window = 0;
  /// Whether positions are compared with a multiple, as the start of a chunk.
  bool hasChunks = false;
  /// Whether numbers that follow from positions are added, as in ALiBi.
  bool isBiasedByPosition = false;
  /// Whether these are products of a sum of multiples of positions, which an
  /// instruction may compute.
  bool isBiasOfProducts = false;
  /// The bytes of an element of a tensor in memory of rank 2 or more that is
  /// combined with the scores, such as a mask or a bias. If there are several,
  /// those of the widest; 0 if there is none.
  int64_t elementBytes = 0;
  /// Whether tiles of this tensor can be copied by boxes if its rows are
  /// aligned.
  bool isCopied = false;
  /// Whether this tensor is f16 and is added to the scores, so that their
  /// product may start from it.
  bool isAdded = false;
  /// Whether the scores pass through a function, as for a soft cap.
  bool hasFunction = false;
};
ScoreMasks getScoreMasks(const RootDims &dims);

/// How asynchronous products read the operands of a root and those of the
/// scores, as far as it is known here. The weights are in registers.
struct RootTiles {
  /// Why they cannot read them. Empty if they can.
  std::string reason;
  /// Whether an operand is gathered.
  bool isGathered = false;
  /// Whether the scores are products of f8, so that rows and keys are read as
  /// they are.
  bool hasF8Scores = false;
  /// The ops that convert operands from elements of 8 bits. Their results must
  /// be stored before the loops, where the products can read them.
  SmallVector<Operation *> stored;
  /// The ops that compute wide rows. Threads hold computed rows in registers,
  /// and wide results leave too few of these, so the rows are stored, too.
  SmallVector<Operation *> rows;
};

/// Returns how asynchronous products read the operands of `root`. Products of
/// f8 are considered if `hasF8Products` is true.
RootTiles getRootTiles(Operation *root, const RootDims &dims,
                       bool hasF8Products);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SELECTION_ROOTOPERANDS_H
