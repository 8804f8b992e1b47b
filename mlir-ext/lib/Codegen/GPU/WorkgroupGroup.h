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

/// Returns whether `op`, a contraction, multiplies integers of 8 bits as they
/// are. Tiles of such products sum twice as many elements in an iteration.
bool multipliesBytes(linalg::LinalgOp op);

/// Returns whether a static loop range of `op` is 0. Upstream's tiling (22.1.8)
/// takes a tile size of zero for "not tiled".
bool isEmpty(linalg::LinalgOp op);

/// Returns whether elements of `value` have 8 bits.
bool hasBytes(Value value);

/// Returns whether the reduction dimensions of `op` are static and have at most
/// `maxRow` elements together, so that one tile holds them.
bool reducesWholeRows(linalg::LinalgOp op, int64_t maxRow);

/// Tile of the contractions of a group: rows, columns of each contraction, and
/// elements of the reduction dimension in one iteration.
struct ContractionTile {
  int64_t rows = 0, columns = 0, reduction = 0;
  /// How the kernel multiplies, if that has been chosen.
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
  /// Producers that other ops read as well: reductions of rows, and ops that
  /// depend on them.
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
  /// The largest number of rows of the contraction in a launch, if all rows are
  /// of one dimension. 0 if it is not known.
  int64_t mostRows = 0;
  /// The number of parts of the reduction of contractions. Each part is summed
  /// by subgroups of its own.
  int64_t parts = 1;
  /// The rows of a piece, where a workgroup sums columns: inputs are contiguous
  /// along them, and not along what is summed (`getTileSizes`). Otherwise 0.
  int64_t sumRows = 0;
  /// The number of the kernel, if it is marked.
  int64_t number = 0;
  TileToWorkgroupsOptions options;
  /// The tile of the contractions, once it is chosen (`getTileSizes`).
  ContractionTile tile;

  /// Returns the operands of 8 bits of the contraction to transpose before the
  /// kernel, so that they are contiguous along the reduction. Asynchronous
  /// products can then read them, and the total time is estimated to be less.
  SmallVector<OpOperand *> getOperandsToTranspose() const;

  /// Returns the operands of the contraction to convert before the kernel:
  /// operands of 8 bits, or of f8 that the contraction extends. Asynchronous
  /// products then read them in 16 bits, and the total time is estimated to be
  /// less.
  SmallVector<OpOperand *> getOperandsToConvert() const;

  /// Returns the ops with functions, such as an activation of what is in
  /// memory, that compute an operand of a contraction, and that a kernel in
  /// front is estimated to compute in less time: each workgroup for other
  /// columns (or rows) computes the operand again.
  SmallVector<Operation *> getFunctionsToStore() const;

  /// Returns the operands of the contraction to copy before the kernel, to rows
  /// of a multiple of 128 bytes. Asynchronous products then read the copies,
  /// and the total time is estimated to be less.
  SmallVector<OpOperand *> getOperandsToCopy() const;

  /// Returns the operands whose types do not say that rows have a multiple of
  /// 16 bytes. Nothing else may keep asynchronous products from reading the
  /// operands, and copies must be readable. Also returns both operands if they
  /// have different f8 formats, because their copies are f16.
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

  /// Returns the same by the sizes of the contraction alone: a tile may cut
  /// groups of elements that share a scale.
  ContractionTile getSyncTileOfSizes() const;

  /// Returns the kernels among which a launch chooses, for a product of unknown
  /// sizes. Returns std::nullopt if there are not at least two.
  std::optional<LaunchedKernels> getLaunchedKernels() const;

  /// Returns the columns of the first contraction, if these are known and it is
  /// one product, not a batch of them.
  std::optional<int64_t> getKnownColumns() const;

private:
  /// Returns the operands that `getOperandsToConvert` considers.
  SmallVector<OpOperand *> getConvertibleOperands() const;
  /// Returns whether asynchronous products of the contraction, with `limits`,
  /// take less time than synchronous ones. Synchronous ones take `percent` of
  /// their estimate, or, if they dequantize the right operand (`dequantizes`),
  /// their estimate and the time for that. Before the asynchronous ones,
  /// `launches` kernels read and write `bytes` bytes.
  bool paysInFront(const ProductLimits &limits, int64_t percent,
                   size_t launches, double bytes, double bytesPerCycle,
                   bool dequantizes = false) const;
  /// Returns what ops behind the contractions read for each element of a
  /// result.
  ProductEpilogue getEpilogue() const;
  /// Returns the kernels that may be chosen for `contraction`.
  ProductLimits getLimits(linalg::LinalgOp contraction) const;
  /// Chooses `tile`, for the options. There must be a contraction.
  void chooseContractionTile();
  /// Removes all ops but the root.
  void reset();
  /// Adds producers once. If `mayYield`, also those that other ops read; they
  /// are added to `yields`.
  void growOnce(bool mayYield);
  /// Returns whether all rows have a known length, and the only version by the
  /// length of rows holds them whole.
  bool holdsLongRows() const;
  /// Returns whether each workgroup computes separate elements of the yielded
  /// tensors, and the group has only one version.
  bool canYield() const;
  /// Returns whether a workgroup, which reduces columns of results of `op`,
  /// would hold more rows of `op` than it can. `mapping` says which loops of
  /// the root its loops are.
  bool holdsTooMuch(linalg::LinalgOp op, ArrayRef<int64_t> mapping);
  /// Returns whether few workgroups would be left if these computed `op`, a
  /// reduction, for the root: those of its loops `left`. The root repeats each
  /// result of `op` for many elements.
  bool leavesFewWorkgroups(linalg::LinalgOp op,
                           const llvm::SmallBitVector &left);
  /// Returns how many parallel loops of `op` no loop over workgroups cuts, of
  /// more than one iteration. `mapping` says which loops of the root they are.
  unsigned countKeptLoops(linalg::LinalgOp op, ArrayRef<int64_t> mapping);
  /// Returns whether workgroups that compute `op`, a reduction, for the root
  /// would have both whole rows and whole columns, because others reduce along
  /// other loops of the root than `op`, and whether these are too many elements
  /// or an unknown number. `left` are the loops of the root that `op` has.
  bool holdsRowsAndColumns(linalg::LinalgOp op, ArrayRef<int64_t> mapping,
                           const llvm::SmallBitVector &left);
  /// Returns whether workgroups may compute `op`, a reduction, for the root.
  /// `mapping` says which loops of the root its loops are.
  bool mayReduceFor(linalg::LinalgOp op, ArrayRef<int64_t> mapping);
  /// Adds a producer to the group if it belongs there. Returns whether it was
  /// added.
  bool accept(const PlannedProducer &producer, bool mayYield);
  /// Returns the loop of the columns, and how many a workgroup has, if the root
  /// sums columns. Chooses `sumRows`.
  std::optional<std::pair<unsigned, int64_t>> chooseColumnsOfSums();
  /// Returns the number of rows of a workgroup that reduces rows.
  int64_t getNumRows();
};

/// Returns whether asynchronous products of `contraction` read operands of 8
/// bits, all of the same format.
bool readsTilesOf8Bits(linalg::LinalgOp contraction,
                       const WorkgroupGroup &group);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_WORKGROUPGROUP_H
