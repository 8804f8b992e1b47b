//===- ProductTiles.h - Tiles of products on a GPU --------------*- C++ -*-===//
//
// Chooses the tile of a matrix product that one workgroup computes. The
// functions take and return numbers only, no IR.
// docs/Rationale/WorkgroupTiles.md describes the model, docs/Decisions/0031 and
// 0041 have the measurements that it is fitted to.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_PRODUCTTILES_H
#define MLIR_EXT_SELECTION_PRODUCTTILES_H

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/GPUTarget.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Sizes of `products` matrix products that share their left operand. Each has
/// a result of `batch` x `rows` x `columns` elements.
struct ProductSizes {
  int64_t batch = 1, rows = 0, columns = 0;
  int64_t products = 1;
  /// Whether rows of operands have a multiple of 128 bytes, a line of the
  /// cache.
  bool hasLines = true;
  /// Whether rows of an operand have a multiple of 32 bytes, a part of a line
  /// that the cache moves.
  bool hasSectors = true;
};

/// The tile of one workgroup: its rows, and its columns in each product.
struct ProductTile {
  int64_t rows = 0, columns = 0;
  /// True if each processor has at most one workgroup.
  bool isAlone = false;
};

/// Threads of a workgroup that computes a product.
constexpr int64_t kProductThreads = 128;

/// The default tile of a workgroup, in elements. Its sums take 32 registers of
/// each of `kProductThreads` threads.
constexpr ProductTile kTile{64, 64};
/// The largest tile that tensor cores compute without asynchronous products.
/// Its sums take 128 registers of each of these threads.
constexpr ProductTile kNarrowTile{128, 128};
/// Elements of the reduction in each iteration, and the same if tiles are
/// small.
constexpr int64_t kReduction = 32, kSmallReduction = 64;

/// Estimates the cycles that a processor of `target` takes for 64 steps of the
/// reduction dimension of a tile with `rows` x `columns` elements in each of
/// `products` products. Elements have 16 bits, and workgroups have
/// `kProductThreads` threads. Returns 0 if the subgroups cannot share the tile.
/// Source of the formula: docs/Rationale/WorkgroupTiles.md.
int64_t getProductTileCycles(int64_t rows, int64_t columns, int64_t products,
                             const GPUTarget &target = {});

/// Chooses the tile with which the last processor finishes first. The time of a
/// processor is getProductTileCycles times the tiles of each processor of
/// `target`, rounded up. A tile has at most `largest.rows` rows and, in all
/// products together, at most `largest.columns` columns. Among equal times the
/// tile that gives the fewest workgroups wins. Returns a tile of 0 rows if none
/// is possible.
ProductTile chooseProductTile(const ProductSizes &sizes,
                              const ProductTile &largest,
                              const GPUTarget &target = {});

/// What ops behind a product do for each element of its result: the bits that
/// they read, such as those of a residual, and their instructions. Reads of
/// vectors, such as a bias, do not count.
struct ProductEpilogue {
  /// Of tensors with the rows of the result: a kernel with roles copies their
  /// tiles to shared memory, if there is room beside those of the operands.
  int64_t copiedBits = 0;
  /// Of others, such as transposed ones. Threads read them.
  int64_t readBits = 0;
  /// Instructions of a thread, about.
  int64_t instructions = 0;
};

/// How a kernel multiplies, and the tile of a workgroup. A tile has `rows` x
/// `columns` elements of each product. An iteration sums `reduction` elements.
/// `threads` threads compute.
struct ProductKernel {
  vector_ext::ProductWay way = vector_ext::ProductWay::Sync;
  int64_t rows = 0, columns = 0, reduction = 0, threads = 0;
  /// Bits of an element that asynchronous products read.
  int64_t bits = 16;
  /// Whether a workgroup computes several tiles.
  bool persist = false;
  /// Groups of `threads` threads that have tiles of their own, and take turns.
  int64_t groups = 1;
  /// Workgroups of a cluster, with tiles below each other, which copy the right
  /// operand once for all of them, or beside each other.
  int64_t cluster = 1;
  /// Whether operands are exchanged: columns of a tile are rows of
  /// instructions, and its rows are their columns, any multiple of 8.
  bool isExchanged = false;
  /// Whether threads load both operands from shared memory, for synchronous
  /// products.
  bool isLoaded = false;
  /// Whether sums are short: threads add the sums of each iteration to an
  /// accumulator.
  bool hasShortSums = false;
  /// Whether a workgroup is alone on its processor, with slots that take all
  /// shared memory. Iterations are then long.
  bool isAlone = false;
  /// Elements of the sums of a workgroup, if several sum parts that another
  /// kernel merges. 0 if one sums all.
  int64_t chunk = 0;
  /// With `chunk`: whether each processor has an equal share of all sums. Some
  /// sum a chunk of a tile, and the others share what is left of all tiles.
  bool hasShares = false;
  /// What is computed behind the product.
  ProductEpilogue epilogue;
  /// Why this kernel was chosen, and which sizes were assumed.
  std::string reason;
};

/// The kernels that may be chosen.
struct ProductLimits {
  vector_ext::ProductWays ways;
  /// Sizes of the tile that the user gives, for all products together. 0
  /// chooses.
  int64_t rows = 0, columns = 0, reduction = 0;
  /// The least number of threads that compute.
  int64_t threads = 0;
  /// The columns of large tiles are a multiple of this. If the right operand is
  /// not contiguous along the sum, 64 columns are a row of a box, and fewer
  /// take as long.
  int64_t columnStep = 64;
  /// Bits of an element that asynchronous products read.
  int64_t bits = 16;
  /// Whether sums are short. The accumulator then takes as many registers
  /// again.
  bool hasShortSums = false;
  /// Whether a tile may be padded to the rows of an asynchronous instruction,
  /// if it has fewer rows than that but more than a synchronous one has.
  bool fillsRows = false;
  /// Whether operands may be exchanged: both are tiles in memory, and the left
  /// one is contiguous along the sum.
  bool mayExchange = false;
  /// What is computed behind the product. Threads that hold a tile need
  /// registers for what it reads, or shared memory needs room.
  ProductEpilogue epilogue;
};

/// Returns the number of rows of a tile that may have at most `rows`: a
/// multiple of `matrixRows`, and no more than needed for `allRows`, if these
/// are known.
int64_t getTileRows(int64_t rows, std::optional<int64_t> allRows,
                    const GPUTarget &target = {});

/// Estimates the time, in cycles of `target`, in which `kernel` computes
/// products with sums of `depth` elements of 16 bits.
int64_t estimateProductKernel(const ProductSizes &sizes, int64_t depth,
                              const ProductKernel &kernel,
                              const GPUTarget &target = {});

/// Chooses the kernel with the least estimated time. Kernels with asynchronous
/// products compete with `sync`, which is chosen unless one of them takes less
/// than 95 % of its time. If `limits` exclude synchronous products, the time of
/// `sync` does not count, but `sync` is returned if nothing else is possible.
///
/// Tiles of asynchronous kernels, for all products together:
///   - 64 x 64, 64 x 128, 128 x 64, 128 x 128 and 128 x 256;
///   - of persistent kernels also 192 x 128 and 192 x 192, and 128 x 192 if
///     sums are short;
///   - up to 128 x 128, a persistent kernel may have two groups of threads with
///     tiles of their own that take turns, if `limits` allow groups;
///   - the same two groups may have tiles of 128 columns and a multiple of 8
///     rows, 64 to 192, whose operands are exchanged;
///   - workgroups with 64 rows and 64, 128, or 144 to 192 columns may be alone
///     on a processor;
///   - two workgroups of a cluster may share an operand, with tiles of
///     64 x 128 (alone on a processor), 192 x 176 and 192 x 192 (persistent).
///
/// A persistent kernel is not taken if its threads would read so much for each
/// result that registers do not suffice.
///
/// A kernel of one product has roles only if `limits` allow nothing else. A
/// kernel of several products has roles if these are allowed, and then a tile
/// of 128 x 256. The others were slower (docs/Decisions/0041).
///
/// If sizes are not known (`sizes` or `depth` is unset), the tile is that of
/// `sync`, but at most 128 x 128. If sums are short, 4096 rows, columns and
/// summed elements are assumed.
ProductKernel chooseProductKernel(const std::optional<ProductSizes> &sizes,
                                  std::optional<int64_t> depth,
                                  int64_t products, const ProductKernel &sync,
                                  const ProductLimits &limits,
                                  const GPUTarget &target = {});

/// The kernels for one product of unknown sizes. Each launch uses one of them.
struct LaunchedKernels {
  /// For few tiles: small tiles, of workgroups that share a processor.
  ProductKernel few;
  /// For few tiles: workgroups that are alone on a processor, with tiles of 64
  /// x 128 and of 64 x 64. If the columns are known, maybe a wider tile.
  SmallVector<ProductKernel> lone;
  /// For launches whose rows fit one tile: each workgroup sums a chunk of the
  /// reduction, and another kernel merges the sums. Tiles of 64 x 128 and of
  /// 128 x 64.
  SmallVector<ProductKernel> split;
  /// The same with two chunks, and tiles of 64 x 64.
  std::optional<ProductKernel> pair;
  /// For many tiles: persistent kernels, the one with the largest tile first,
  /// and maybe a tile of 128 rows and more columns last.
  /// (With large tiles, the last round may have few tiles.) Empty if all rows
  /// are in one tile, or their number is known.
  SmallVector<ProductKernel> many;
};

/// Chooses kernels for a product with an unknown number of rows, columns or
/// summed elements. The `async` kernels have tiles of 64 x 128, with others for
/// workgroups that are alone. The `persistent` kernels have tiles of 128 x 256,
/// 192 x 128 and 128 x 128. If sums are short, there is only one persistent
/// kernel, with tiles of 128 x 192, and no kernel whose workgroups are alone.
/// If the number of columns is known, it is `allColumns`: one more `async`
/// kernel then has more columns than 128, if the tiles of some numbers of rows
/// are in one round only so. If `depth` is known, too, the number of summed
/// elements, so may one more `persistent` kernel. Returns std::nullopt if the
/// user gives a size of the tile, or if `limits` do not allow both kinds.
std::optional<LaunchedKernels>
chooseLaunchedKernels(std::optional<int64_t> allRows,
                      const ProductLimits &limits, const GPUTarget &target = {},
                      std::optional<int64_t> allColumns = std::nullopt,
                      std::optional<int64_t> depth = std::nullopt);

/// Returns whether `pair` is the fastest one for launches whose rows fit its
/// tile and that have `tiles` tiles with sums of `depth` elements: most
/// processors have a workgroup, and none has two (docs/Decisions/0143).
bool isPairFastest(int64_t tiles, int64_t depth, const GPUTarget &target = {});

/// Returns whether workgroups of products of few rows, whose right operand is
/// of packed integers, have 32 columns and not 16, although there are fewer
/// than two such tiles for each processor: almost each processor has a tile,
/// and each subgroup sums the same number of elements, 4 to 16 times
/// `reduction`. With more scales, registers are scarce (docs/Decisions/0166).
bool hasWideSumTiles(int64_t columns, int64_t depth, int64_t reduction,
                     const GPUTarget &target = {});

/// Returns the number of subgroups that sum parts of a tile, if `tiles` tiles
/// of 32 columns share those that load at the same time: a power of 2.
int64_t getPartsOfTiles(int64_t tiles, const GPUTarget &target = {});

/// A product of few rows, all in one tile, with a right operand of words of 8
/// bits that threads convert for asynchronous products: its columns are rows of
/// the instructions. A tile sums `group` elements, and each `scaled` elements
/// of a sum have scales of their own.
struct ConvertedProduct {
  int64_t rows = 0, columns = 0, depth = 0, group = 128, scaled = 128;
  /// The number of rows, if it is known. The tile has `rows`.
  std::optional<int64_t> allRows;
  /// The number of such products in a launch, such as those of a batch.
  int64_t products = 1;
  /// Whether a word has several elements.
  bool isPacked = false;
  /// Whether processors may have equal shares of all sums.
  bool mayShare = true;
  /// Whether rows are of f16, so that differences of integers are one `fma`.
  bool isF16 = false;
};

/// Chooses the kernel of least estimated time for `product`: tiles of 256
/// columns, if elements are packed, or of 128, whose sums are whole, or chunks
/// that another kernel merges. If there are more than half as many tiles as
/// processors, each processor may have an equal share of all sums: most sum a
/// chunk of a tile, and the others what is left of several. 6 to 8 rows of f16
/// may have tiles of 128 columns, whose threads load both operands of
/// synchronous products. Unset if products without roles, whose subgroups sum
/// parts, are estimated to take less time.
std::optional<ProductKernel>
chooseConvertingKernel(const ConvertedProduct &product,
                       const GPUTarget &target = {});

/// The same for more rows than a tile of `chooseConvertingKernel` has, of which
/// a launch in front stores a permutation: tiles of 128 columns and up to 128
/// rows, or of 256 columns and up to 64 rows. Unset if there are too few tiles
/// for the processors, or if it is estimated to take less time to store the
/// converted operand in front.
std::optional<ProductKernel>
chooseConvertingKernelOfManyRows(const ConvertedProduct &product,
                                 const GPUTarget &target = {});

/// The estimate of a kernel, as a formula of the sizes of a launch. With n
/// tiles on the processor that has the most, of `tiles` on p processors, and
/// sums of k elements, it takes
///
///     fixed + n * ofTile
///     + k * max(alone, n * beside, tiles * copies / p) / steps
///
/// cycles. If the rows of operands are not a multiple of 128 bytes, `split`
/// replaces `beside` if it is larger. If operands have more than `farBytes`
/// bytes, `far` does.
constexpr int64_t kStepsOfTime = 64;
struct ProductTime {
  int64_t fixed = 0, ofTile = 0, alone = 0, beside = 0, copies = 0;
  int64_t split = 0, far = 0, farBytes = 0;
  /// The elements of the reduction that `alone` and `beside` count. Elements of
  /// 8 bits are summed twice as fast, so it is doubled for them.
  int64_t steps = kStepsOfTime;
};
/// If the number of columns is known, it is `columns`.
ProductTime getProductTime(const ProductKernel &kernel,
                           const GPUTarget &target = {},
                           std::optional<int64_t> columns = std::nullopt);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_PRODUCTTILES_H
