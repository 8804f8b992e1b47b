//===- WorkgroupVersions.h - Versions of a workgroup ------------*- C++ -*-===//
//
// Private to TileToWorkgroups. If sizes are unknown, or if several kernels are
// good for a size, a group is tiled several times, and each launch runs one of
// the versions. This file decides which versions a group has and when each one
// runs: by the length of rows, by the number of rows of a product, or by the
// kernels among which a launch chooses. Builds no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPVERSIONS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPVERSIONS_H

#include "WorkgroupGroup.h"

namespace mlir::linalg_ext {

/// A way to tile a group if a certain loop has at most `most` iterations. With
/// ShapedType::kDynamic, it may have any number.
struct Version {
  int64_t most = 0;
  TileToWorkgroupsOptions options;
  int64_t shortRow = 0;
  /// Workgroups sum chunks, which another kernel merges.
  bool splitsSums = false;
  /// With `splitsSums`: the elements that each of them sums, if that is chosen.
  int64_t chunk = 0;
  /// The number of parts that the subgroups of a workgroup sum.
  int64_t parts = 1;
  /// The version runs only if rows of these tensors have a multiple of this
  /// many elements.
  SmallVector<std::pair<Value, int64_t>> alignedRows;
  /// The version runs only if its kernel is estimated to be at least as fast as
  /// those of the next versions, up to the first one that is not compared.
  bool isCompared = false;
  /// With `splitsSums`: the version runs only if there are at least this many
  /// chunks. 0 does not require chunks; if there is only one, a loop without
  /// chunks runs.
  int64_t leastChunks = 0;
  /// Instead of a number of chunks: the version runs only if a product has at
  /// most `mostRows` rows, and chunks are shorter than the whole sum by at
  /// least `leastSaved` elements. 0 does not require this.
  int64_t mostRows = 0, leastSaved = 0;
};

/// Versions of a group in ascending order of `most`, and the general one. At
/// run time, the first one runs whose conditions are true: the largest size of
/// `dims` is at most `most`, and so on. `dims` are dimensions of tensors that
/// the group reads.
struct Versions {
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<Version, 0> versions;
};

/// Returns the versions of `group` by the length of its rows. If there are
/// none, returns those by the number of its rows.
Versions getVersions(const WorkgroupGroup &group);

/// Returns the number of summed elements in a group, for which an op before
/// `product` has one element, such as a scale. 1 if there are no groups.
int64_t getGroupSize(linalg::LinalgOp product, unsigned k);

/// Returns the size of a tile of sums that has whole groups of `groupSize`
/// elements, and whole matrix instructions: about `reduction`. Returns
/// `reduction` if a tile of that size is in one group or has whole ones, or if
/// there is no such size.
int64_t getWholeGroups(int64_t reduction, int64_t groupSize);

/// Returns whether the threads of a kernel of `group`, whose rows are known and
/// more than those of synchronous products of few rows, convert the right
/// operand from bytes. Then nothing needs to be stored in front of it.
bool convertsManyRows(const WorkgroupGroup &group);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPVERSIONS_H
