//===- RepairRows.h - Along which dimensions a repair acts ------*- C++ -*-===//
//
// A repair rho has a number for each row of a state. Which rows of another
// value these are is said by groups of dimensions: those of rho and those of
// the value, each taken in its order as the digits of one number, count the
// same rows. Mostly a group has one dimension on each side; a reshape between
// the two merges or splits what a group has of the value.
//
//   softmax of [B, H, S, T]        rho is [B, H, S]
//     the weights [B, H, S, T]     0 -> 0, 1 -> 1, 2 -> 2
//   transposed to [H, B, S, T]     0 -> 1, 1 -> 0, 2 -> 2
//   collapsed to [H B, S, T]       1 x 0 -> 0, 2 -> 1
//   expanded to [X, Y, S, T]       1 x 0 -> 0 x 1, 2 -> 2
//
// So rho transposed to [H, B, S], collapsed to [H B, S] and expanded to
// [X, Y, S] runs along dimensions 0, 1 and 2 of the last value. (If X is known
// to be H the groups are 1 -> 0 and 0 -> 1.)
//
// A value may have rows that rho does not tell apart (`kRepeated`), as where a
// dimension that a state lacks is merged with one that it has.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIRROWS_H
#define MLIR_EXT_INTERFACES_REPAIRROWS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

/// Stands in for a dimension of the state: rows that it does not tell apart.
constexpr int64_t kRepeated = -1;

struct RowGroup {
  /// Outermost first, each of which has sizes[i] indices in the whole program,
  /// ShapedType::kDynamic if that is not known.
  SmallVector<int64_t, 1> stateDims, sizes;
  SmallVector<int64_t, 1> valueDims;

  /// One dimension runs along another one.
  bool isPlain() const {
    return stateDims.size() == 1 && valueDims.size() == 1;
  }
  bool operator==(const RowGroup &other) const {
    return stateDims == other.stateDims && valueDims == other.valueDims;
  }
};

/// Groups that differ on both sides, ordered by their dimensions of the state.
/// Dimensions of the state that no group has are of size 1.
using RowGroups = std::vector<RowGroup>;

/// Dimension i of the state runs along dimension `dims[i]` of a value of shape
/// `shape`. Dimensions of size 1 are left out.
RowGroups makeRowGroups(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape);

/// The same for a value that is the state.
RowGroups makeRowGroups(ArrayRef<int64_t> shape);

/// Dimension d of the value is dimension `map(d)` of another one, which lacks
/// it where that is negative (it is of size 1).
void renameDims(RowGroups &groups, function_ref<int64_t(int64_t)> map);

/// Dimensions `dims` of the value, outermost first, become dimension `into`.
/// Fails, with the reason, where the rows of that are not counted as the state
/// counts them.
LogicalResult mergeDims(RowGroups &groups, ArrayRef<int64_t> dims, int64_t into,
                        std::string &reason);

/// Dimension `dim` of the value becomes dimensions `into`, outermost first.
void splitDim(RowGroups &groups, int64_t dim, ArrayRef<int64_t> into);

/// Takes groups apart where the sizes say that dimensions of the state are
/// dimensions of the value, which is of shape `shape`, and orders them.
void simplify(RowGroups &groups, ArrayRef<int64_t> shape);

/// Prints `[0, 1]`, the dimensions of the value for those of the state, or the
/// groups where a reshape has made other ones.
void print(const RowGroups &groups, raw_ostream &os);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_INTERFACES_REPAIRROWS_H
