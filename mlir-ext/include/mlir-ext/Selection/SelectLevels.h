//===- SelectLevels.h - Tile sizes for a root -------------------*- C++ -*-===//
//
// Chooses the loops and the tile sizes of a root if the user gives none. A root
// is the op that tile-and-fuse starts from.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_SELECTLEVELS_H
#define MLIR_EXT_SELECTION_SELECTLEVELS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Selection/CPUTileSizes.h"
#include "mlir-ext/Selection/OnlineKernels.h"
#include "mlir-ext/Support/GPUTarget.h"

#include <optional>
#include <vector>

namespace mlir::linalg_ext {

/// Chooses the tiling levels of `root` for a CPU, for three forms of roots.
///
/// In the first form, `root` is an accumulation that reads the result of an
/// online reduction, or of a max or min that an online reduction consists of.
/// The *online operand* is the operand of `root` that depends on the nearest
/// such op. The sizes are those of `chooseCPUTiles`:
///   - an outer `forall` over the parallel dimensions of the online operand.
///     The tile is 1 in dimensions that other operands have too (batches). It
///     is `rows` in the innermost of the others. If that dimension is shorter,
///     the tile extends over the next outer ones;
///   - the same `forall` also over the innermost column dimension of the
///     accumulator, if `columns` is not 0;
///   - a `split` of the innermost reduction dimension, if `split` is not 0;
///   - an inner `for` over the innermost reduction dimension, by `keys`;
///   - if few rows read pages in which heads are neighbours, a `for` over these
///     heads inside of it, by 1: the `forall` has up to 8 of them in a tile.
///
/// In the second form, `root` reads a value that depends on a reduction of rows
/// that is not online (a norm, the log-sum-exp in a loss). The sizes are those
/// of `chooseCPURowTiles`. If `wholeRows` is false, the levels are as above.
/// Otherwise they are:
///   - an outer `forall` over rows;
///   - if the product after the reduction is tiled, a `for` over its columns
///     and a `for` over its reduction dimension. The reductions of rows stay
///     outside these loops.
///
/// In the third form, `root` and `chained` are contractions, and `root` reads
/// what is computed elementwise from the result of `chained`: attention whose
/// weights are not normalised. It applies if `chained` is not null. The operand
/// that depends on `chained` takes the place of the online operand, and the
/// levels are those of the first form. There are no levels in two cases: if
/// both contractions do so much work for each element between them that they
/// are faster one after the other, or if the accumulator has so many columns
/// that several tiles would compute the same elements.
///
/// Fails if `root` has none of these forms, or if there is no loop to create.
FailureOr<std::vector<TilingLevel>>
selectCPULevels(Operation *root, const CPUTarget &core = {},
                const CPUTileOptions &options = {},
                Operation *chained = nullptr);

/// Tile sizes of one workgroup of a GPU, in elements.
struct GPUTileSizes {
  /// Rows of the tile. 0 chooses by the columns of the accumulator (a dynamic
  /// dimension counts as 512):
  ///   - if all inputs of the root are f32, and there are more than `fewRows`
  ///     rows or a dynamic number: 64 if the columns and the depth of the
  ///     scores are at most 512 together, else 32;
  ///   - otherwise 128 for at most 128 columns, else 64.
  /// A root without columns that reduces a contraction (the log-sum-exp of a
  /// product) has the tiles of products: 128 rows and 128 keys, or 64 and 64 if
  /// all inputs of that contraction are f32.
  int64_t rows = 64;
  /// Keys of the tile. 0 chooses 32, 64 or 128 by the columns and the rows. For
  /// inputs of f32 as above it chooses 16, 32 or 64, so that the code of a
  /// thread stays small. It chooses fewer, but at least 16, if a tile of keys
  /// and one of values would not fit into the shared memory of a workgroup.
  int64_t keys = 64;
  /// How the kernel may multiply. If asynchronous products are among these, and
  /// may read the operands (16 bits, rows of a static multiple of 16 bytes,
  /// nothing gathered, `keySubgroups` is 0 or 1), `chooseOnlineKernel` chooses
  /// one of them, with `rows` and `keys`. If `keySubgroups` is 0 and shared
  /// keys are estimated to be much faster, these are taken.
  vector_ext::ProductWays ways;
  /// Whether asynchronous products may read f8. Then scores of two operands of
  /// f8 are products of f8.
  bool asyncF8 = false;
  /// Whether weights may be rounded to f8, for products with values of f8.
  bool roundWeights = false;
  /// Threads of a workgroup, and whether loops may order asynchronous products
  /// across iterations.
  int64_t threads = 128;
  std::optional<bool> rotate;
  /// Number of keys of one workgroup. If there are more, several workgroups
  /// compute partial results of the same row, and a merge follows. -1 does not
  /// split the keys. 0 splits them only if a batch has at most `fewRows` rows,
  /// as `chooseKeyChunk` says (KeyChunks.h). If sizes are dynamic, the level
  /// that splits has the size kDynamic and no `dynamicSizes`: the caller adds
  /// it. A root without columns that reduces a contraction is split for any
  /// number of rows, into chunks for two workgroups on each processor, or of
  /// 4096 keys.
  int64_t split = -1;
  int64_t fewRows = 16;
  /// Number of parts of the subgroups of a workgroup. Each part has `keys` of
  /// its own in an iteration, and states of its own, which are merged after the
  /// loop. 0 chooses it with `chooseKeySharing`, together with `rows`, `keys`
  /// and `split`, if these are to be chosen (`split` also if it is -1), all
  /// sizes are known, and there is an input of less than 32 bits. A workgroup
  /// has `kProductThreads` threads then. Otherwise 0 means 1.
  int64_t keySubgroups = 1;
  /// Tile of a column dimension: `columns` if its size is dynamic, `maxColumns`
  /// if it has more than `maxColumns` elements. Smaller ones are not tiled,
  /// because each workgroup of a row repeats the computation of its scores.
  int64_t columns = 64;
  int64_t maxColumns = 256;
  /// Whether a launch may choose between two kernels if the number of rows is
  /// not known: one that converts operands of 8 bits as it reads them, and one
  /// that reads operands that were converted before. If false, the kernel
  /// converts as it reads.
  bool mayChooseStored = true;
};

/// Alternative levels of a root that are faster for few elements of dimension
/// `keys` of the root. Also says how the kernel with these levels multiplies,
/// and how the kernel with the normal levels does.
struct FewKeys {
  std::vector<TilingLevel> levels;
  unsigned keys = 0;
  OnlineVersion few, many;
};

/// Alternative levels of a root with which its kernel converts operands of 8
/// bits as it reads them. With the normal levels, and with those for few keys,
/// the results of `stored` are stored before the kernel. With few rows, storing
/// takes longer (`convertsAsItReads`).
struct ConvertingLevels {
  std::vector<TilingLevel> levels;
  unsigned keys = 0;
  OnlineVersion version, ofStored;
  SmallVector<Operation *> stored;
};

/// Chooses the tiling levels of `root` for a GPU. `root` must have the first or
/// the third form that `selectCPULevels` describes. The levels are:
///   - an outer `forall` over workgroups (`#gpu.block<linear_dim_i>`), over the
///     parallel dimensions of the online operand. The tile is `rows` in the
///     innermost dimension that has more than one element and is not a batch,
///     and 1 in the others, so that the tiles of all operands are matrices;
///   - the same `forall` also over column dimensions whose size is dynamic or
///     more than `maxColumns`;
///   - a `split` of the innermost reduction dimension, if `split` says so;
///   - an inner `for` over the innermost reduction dimension, by `keys`, and
///     over further reduction dimensions by 1.
/// `kernel`, if it is not null, is set to how the kernel multiplies, if that
/// was chosen. `few`, if it is not null, is set if the number of keys is not
/// known and other levels are faster for few keys. `converting`, if it is not
/// null, is set if operands are to be stored in front, but the number of rows
/// is not known. `stored`, if it is not null, is set to the ops whose results
/// must be stored in front of the loops: conversions from 8 bits of what
/// asynchronous products read in 16, and ops that reduce windows. Fails if
/// `root` does not have this form, or if a dimension has size 0.
FailureOr<std::vector<TilingLevel>>
selectGPULevels(Operation *root, const GPUTileSizes &given = {},
                const GPUTarget &target = {}, Operation *chained = nullptr,
                std::optional<OnlineKernel> *kernel = nullptr,
                std::optional<FewKeys> *few = nullptr,
                std::optional<ConvertingLevels> *converting = nullptr,
                SmallVectorImpl<Operation *> *stored = nullptr);

/// Returns whether `root` only reduces rows of tensors that no contraction
/// computes, and has no other dimension. An online reduction must feed `root`.
/// Several such reductions are faster on whole rows than online, if a row fits
/// into the memory of a workgroup.
bool reducesRowsInMemory(Operation *root);

/// Chooses the tiling levels of `root`, a sum over blocks of elementwise
/// results of a contraction. The blocks are a batch dimension of the
/// contraction, or further rows or columns of it. The levels are a `forall`
/// over tiles of rows and columns of the result, and a `for` over blocks by 1,
/// into which the contraction is fused. Sets `kernel`, if it is not null, if
/// asynchronous products are estimated to take less time. Fails if `root` is no
/// such sum, if the number of summed products is not known, or if it is so
/// small that storing the results would cost less.
FailureOr<std::vector<TilingLevel>>
selectGPULevelsOfSum(Operation *root, const GPUTileSizes &sizes = {},
                     const GPUTarget &target = {},
                     std::optional<OnlineKernel> *kernel = nullptr);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_SELECTLEVELS_H
