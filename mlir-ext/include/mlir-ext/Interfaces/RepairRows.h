//===- RepairRows.h - Rows of a state in a value ----------------*- C++ -*-===//
//
// A repair rho has one number for each row of a state. This file maps rows of
// the state to rows of a value that depends on it. The mapping is a list of
// groups. Each group has dimensions of the state and dimensions of the value.
// Linearised in the order that the group gives, both count the same rows.
// Mostly a group has one dimension on each side. A reshape merges or splits the
// dimensions of the value in a group.
//
//   softmax of [B, H, S, T]        rho is [B, H, S]
//     the weights [B, H, S, T]     0 -> 0, 1 -> 1, 2 -> 2
//   transposed to [H, B, S, T]     0 -> 1, 1 -> 0, 2 -> 2
//   collapsed to [H B, S, T]       1 x 0 -> 0, 2 -> 1
//   expanded to [X, Y, S, T]       1 x 0 -> 0 x 1, 2 -> 2
//
// Read the last line as follows: transpose rho to [H, B, S], collapse it to
// [H B, S] and expand it to [X, Y, S]. The result runs along dimensions 0, 1
// and 2 of the value. (If X is known to be H, the groups are 1 -> 0, 0 -> 1 and
// 2 -> 2.)
//
// Several rows of a value may share one number of rho. This happens when a
// reshape merges a dimension that the state lacks with one that it has.
// `kRepeated` stands for the dimension that the state lacks.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIRROWS_H
#define MLIR_EXT_INTERFACES_REPAIRROWS_H

#include "mlir-ext/Support/Refusal.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

/// Stands for a dimension that the state lacks: all rows along it have the same
/// number of rho.
constexpr int64_t kRepeated = -1;

struct RowGroup {
  /// Dimensions of the state, outermost first. Dimension stateDims[i] has
  /// sizes[i] indices in the untiled program, ShapedType::kDynamic if the size
  /// is not known.
  SmallVector<int64_t, 1> stateDims, sizes;
  SmallVector<int64_t, 1> valueDims;

  /// Returns whether one dimension of the state is one dimension of the value.
  bool isPlain() const {
    return stateDims.size() == 1 && valueDims.size() == 1;
  }
  bool operator==(const RowGroup &other) const {
    return stateDims == other.stateDims && valueDims == other.valueDims;
  }
};

/// Groups that share no dimension on either side, ordered by their dimensions
/// of the state. A dimension of the state that is in no group has size 1.
using RowGroups = std::vector<RowGroup>;

/// Returns the groups for a value of shape `shape` in which dimension i of the
/// state is dimension `dims[i]`. Leaves out dimensions of size 1 and those
/// whose `dims[i]` is negative.
RowGroups makeRowGroups(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape);

/// Returns the groups for a value that is the state itself.
RowGroups makeRowGroups(ArrayRef<int64_t> shape);

/// Renumbers the dimensions of the value: dimension d becomes `map(d)`. Drops d
/// if `map(d)` is negative; it must have size 1.
void renameDims(RowGroups &groups, function_ref<int64_t(int64_t)> map);

/// Merges dimensions `dims` of the value, outermost first, into dimension
/// `into`. Fails, with `refusal`, if the merged dimension does not
/// count its rows in the order in which the state counts them.
LogicalResult mergeDims(RowGroups &groups, ArrayRef<int64_t> dims, int64_t into,
                        Refusal &refusal);

/// Splits dimension `dim` of the value into dimensions `into`, outermost first.
void splitDim(RowGroups &groups, int64_t dim, ArrayRef<int64_t> into);

/// Splits groups where the sizes show that leading or trailing dimensions on
/// both sides count the same rows, then orders the groups. `shape` is the shape
/// of the value.
void simplify(RowGroups &groups, ArrayRef<int64_t> shape);

/// Prints the dimensions of the value in the order of the state, for example
/// `[0, 1]`. If a group has several dimensions on a side, prints the groups,
/// for example `[1 x 0 -> 0, 2 -> 1]`.
void print(const RowGroups &groups, raw_ostream &os);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_INTERFACES_REPAIRROWS_H
