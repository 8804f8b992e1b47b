//===- WorkgroupGroup.h - What is computed in one workgroup -----*- C++ -*-===//
//
// TileToWorkgroups asks here which ops share the workgroups of a root, and in
// what tiles: numbers and maps, no IR is built.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H
#define MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

bool isContraction(linalg::LinalgOp op);

/// Whether `op`, a contraction, is of elements of at most 16 bits.
bool isNarrow(linalg::LinalgOp op);

/// Whether `op` has no iteration, as its type says: upstream (22.1.8) takes a
/// size of zero for no tile.
bool isEmpty(linalg::LinalgOp op);

/// Whether what `op` reduces fits into one tile.
bool reducesWholeRows(linalg::LinalgOp op, int64_t maxRow);

/// Of contractions: rows, columns of each, and elements of the sums in an
/// iteration.
struct ContractionTile {
  int64_t rows = 0, columns = 0, reduction = 0;
};

/// A root and the producers that are computed in its workgroups.
struct WorkgroupGroup {
  WorkgroupGroup(linalg::LinalgOp root, const TileToWorkgroupsOptions &options);

  bool contains(Operation *op) const { return loops.contains(op); }
  /// Takes the producers along that may be, and theirs.
  void grow();
  /// The tile of each of the root's loops; 0 where it is whole.
  SmallVector<int64_t> getTileSizes();
  /// The tile of the contractions, of which there must be one.
  ContractionTile getContractionTile() const;

  linalg::LinalgOp root;
  /// Those of one iteration space, the one that sizes are chosen by first.
  SmallVector<linalg::LinalgOp, 1> contractions;
  bool hasReduction = false;
  /// There are rows that are computed piece by piece.
  bool isLong = false;
  /// If they are: the most that they have, if that is known; 0 otherwise.
  int64_t shortRow = 0;
  /// Chunks that the sums of contractions are split into; none if it is null.
  OpFoldResult chunk;
  TileToWorkgroupsOptions options;
  /// For each loop of an op the loop of the root that it is; -1 if it is none.
  llvm::MapVector<Operation *, SmallVector<int64_t>> loops;
  /// The loops of the root that may be cut.
  llvm::SmallBitVector cut;

private:
  /// Takes `op` along if it may be.
  bool accept(linalg::LinalgOp op);
  /// The rows of a workgroup that reduces them.
  int64_t getNumRows();
};

/// A way to tile a group, for at most `most` iterations of a loop.
struct Version {
  int64_t most = 0;
  TileToWorkgroupsOptions options;
  int64_t shortRow = 0;
  bool splitsSums = false;
};

/// Ways to tile a group, ascending, beside the one for everything else: by the
/// largest of the sizes of `dims`, dimensions of tensors in front of the group.
/// Where there are none the size is known, and there is one way.
struct Versions {
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<Version> versions;
};

/// The ways to tile `group` by the length of its rows or by their number.
Versions getVersions(const WorkgroupGroup &group);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H
