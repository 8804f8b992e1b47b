//===- WorkgroupGroup.h - The ops of one workgroup --------------*- C++ -*-===//
//
// Private to TileToWorkgroups. Chooses the producers that a root is fused with
// and the tile sizes (WorkgroupGroup.cpp), and how products are computed
// (WorkgroupProducts.cpp). Builds no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H
#define MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Fusion/Plan/PlanForall.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns whether `op` has the form of a contraction, and uses elements of an
/// operand more than once. A sum of products of two rows does not.
bool isContraction(linalg::LinalgOp op);

/// Returns whether all inputs of `op`, a contraction, have elements of at most
/// 16 bits.
bool isNarrow(linalg::LinalgOp op);

/// Returns whether a static loop range of `op` is 0. Upstream's tiling (22.1.8)
/// takes a tile size of zero for "not tiled".
bool isEmpty(linalg::LinalgOp op);

/// Whether elements of `value` have 8 bits.
bool hasBytes(Value value);

/// Returns whether the reduction dimensions of `op` are static and have at most
/// `maxRow` elements together, so that one tile holds them.
bool reducesWholeRows(linalg::LinalgOp op, int64_t maxRow);

/// Tile of the contractions of a group: rows, columns of each contraction, and
/// elements of the reduction dimension in one iteration.
struct ContractionTile {
  int64_t rows = 0, columns = 0, reduction = 0;
  /// How the kernel multiplies, if that was chosen.
  std::optional<ProductKernel> kernel;
};

/// A root, and the producers that its workgroups compute too.
struct WorkgroupGroup : public ForallGroup {
  WorkgroupGroup(linalg::LinalgOp root, const TileToWorkgroupsOptions &options);

  /// Adds all producers that can be fused, transitively.
  void grow();
  /// Returns the tile size of each loop of the root. 0 does not tile the loop.
  /// Chooses `tile`, if there are contractions.
  SmallVector<int64_t> getTileSizes();

  linalg::LinalgOp root;
  /// Contractions with a common iteration space. The first one decides the tile
  /// sizes.
  SmallVector<linalg::LinalgOp, 1> contractions;
  /// Producers that others read, too: reductions of rows, and what follows
  /// them.
  SmallVector<linalg::LinalgOp> yields;
  bool hasReduction = false;
  /// True if rows are too long for one tile, so that loops compute them in
  /// pieces.
  bool isLong = false;
  /// With `isLong`: an upper bound of the row length in elements, 0 if there is
  /// none.
  int64_t shortRow = 0;
  /// Length of the chunks that the reduction of contractions is split into.
  /// Null does not split it.
  OpFoldResult chunk;
  /// The most rows of a contraction in a launch of its loop, 0 if that is not
  /// known: they are all of one dimension, and the others have one element.
  int64_t mostRows = 0;
  /// Parts of the reduction of contractions, of which each has subgroups of its
  /// own.
  int64_t parts = 1;
  /// The number that the kernel gets if it is marked.
  int64_t number = 0;
  TileToWorkgroupsOptions options;
  /// The tile of the contractions, once it is chosen (`getTileSizes`).
  ContractionTile tile;

  /// Returns the operands of 8 bits of the contraction that are to be
  /// transposed in front, so that what is summed is contiguous: then
  /// asynchronous products read them, which is estimated to take less time in
  /// all.
  SmallVector<OpOperand *> getOperandsToTranspose() const;

  /// Returns the operands of the contraction that are to be converted in front,
  /// of bytes, or of f8 that the contraction extends: then asynchronous
  /// products read them in 16 bits, which is estimated to take less time in
  /// all.
  SmallVector<OpOperand *> getOperandsToConvert() const;

  /// Returns the operands of the contraction that are to be copied in front, to
  /// rows of a multiple of 128 bytes: then asynchronous products read them,
  /// which is estimated to take less time in all.
  SmallVector<OpOperand *> getOperandsToCopy() const;

  /// Returns the operands of which the types do not say that rows have a
  /// multiple of 16 bytes, if these are all that keeps asynchronous products
  /// from reading the contraction's, and a copy of them can be read; or both
  /// operands, of two formats of f8, whose copies are f16.
  SmallVector<OpOperand *> getOperandsOfOtherRows() const;

  /// Returns the operands that launches may store in front of asynchronous
  /// products, where not all sizes are known: those that are dequantized, if
  /// there are such, or those of other rows.
  SmallVector<OpOperand *> getOperandsInFront() const;

  /// Whether `operands` of the contraction have its right one, and workgroups
  /// compute it.
  bool dequantizes(ArrayRef<OpOperand *> operands) const;

  /// Bytes that are read and written for an element that is converted in front,
  /// and elements that synchronous products of a processor dequantize in a
  /// cycle (docs/Decisions/0133).
  static constexpr int64_t kBytesOfConverted = 3, kDequantizedPerCycle = 4;

  /// The tile of synchronous products.
  ContractionTile getSyncTile() const;

  /// Returns the kernels of a product of unknown sizes of which a launch takes
  /// one, if there are two.
  std::optional<LaunchedKernels> getLaunchedKernels() const;

private:
  /// Returns the operands of `getOperandsToConvert`, whether or not that is
  /// faster.
  SmallVector<OpOperand *> getConvertibleOperands() const;
  /// Whether asynchronous products of the contraction with `limits` take less
  /// time than synchronous ones, which take `percent` of their estimate, or
  /// that and what `dequantizes` tiles of the right operand, if `launches` in
  /// front of the former read and write `bytes`.
  bool paysInFront(const ProductLimits &limits, int64_t percent,
                   size_t launches, double bytes, double bytesPerCycle,
                   bool dequantizes = false) const;
  /// What may be chosen for `contraction`.
  ProductLimits getLimits(linalg::LinalgOp contraction) const;
  /// Chooses `tile`, for the options. There must be a contraction.
  void chooseContractionTile();
  /// Removes all ops but the root.
  void reset();
  /// Adds producers, of which others may read the results that `yields` has.
  void growOnce(bool mayYield);
  /// Whether each workgroup computes its own elements of what it yields, and
  /// there is one version of the group.
  bool canYield() const;
  /// Adds a producer to the group if it belongs there. Returns whether it was
  /// added.
  bool accept(const PlannedProducer &producer, bool mayYield);
  /// Returns the number of rows of a workgroup that reduces rows.
  int64_t getNumRows();
};

/// Whether asynchronous products of `contraction` read operands of 8 bits, all
/// of one format.
bool readsTilesOf8Bits(linalg::LinalgOp contraction,
                       const WorkgroupGroup &group);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H
