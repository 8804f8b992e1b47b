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
};

/// The tile of one workgroup: its rows, and its columns in each product.
struct ProductTile {
  int64_t rows = 0, columns = 0;
  /// True if each processor has at most one workgroup.
  bool isAlone = false;
};

/// Threads of a workgroup that computes a product.
constexpr int64_t kProductThreads = 128;

/// The tile of a workgroup, in elements, where nothing chooses one: its sums
/// are 32 registers of each of `kProductThreads` threads.
constexpr ProductTile kTile{64, 64};
/// The largest tile that tensor cores compute without asynchronous products:
/// its sums are 128 registers of each of these threads.
constexpr ProductTile kNarrowTile{128, 128};
/// Elements that an iteration sums, and where tiles are small.
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

/// How a kernel multiplies, and the tile of a workgroup: `rows` x `columns` of
/// each product, `reduction` elements of their sums in each iteration, by
/// `threads` threads that compute.
struct ProductKernel {
  vector_ext::ProductWay way = vector_ext::ProductWay::Sync;
  int64_t rows = 0, columns = 0, reduction = 0, threads = 0;
  /// Bits of an element, as asynchronous products read it.
  int64_t bits = 16;
  /// Whether a workgroup computes several tiles.
  bool persist = false;
  /// Groups of `threads` threads that have tiles of their own, and take turns.
  int64_t groups = 1;
  /// Whether threads add the sums of each iteration to others.
  bool hasShortSums = false;
  /// Whether a workgroup is alone on its processor, as tiles in its slots take
  /// all shared memory: iterations are long.
  bool isAlone = false;
  /// Elements of the sums of a workgroup, if several sum parts that another
  /// kernel merges. 0 if one sums all.
  int64_t chunk = 0;
  /// With `chunk`: whether each processor has an equal share of all sums. Some
  /// sum a chunk of a tile, and the others share what is left of all tiles.
  bool hasShares = false;
  /// Why, and what was assumed.
  std::string reason;
};

/// What may be chosen.
struct ProductLimits {
  vector_ext::ProductWays ways;
  /// Sizes of the tile that are given, of all products together. 0 chooses.
  int64_t rows = 0, columns = 0, reduction = 0;
  /// The least number of threads that compute.
  int64_t threads = 0;
  /// Bits of an element, as asynchronous products read it.
  int64_t bits = 16;
  /// Whether threads add the sums of each iteration to others, which takes as
  /// many registers again.
  bool hasShortSums = false;
  /// Whether a tile with fewer rows than an instruction has, but more than
  /// synchronous ones have, may be filled up.
  bool fillsRows = false;
};

/// Returns the rows that a tile of at most `rows` rows has, of all rows if their
/// number is known: a multiple of `matrixRows`.
int64_t getTileRows(int64_t rows, std::optional<int64_t> allRows,
                    const GPUTarget &target = {});

/// Estimates the time of products with sums of `depth` elements of 16 bits by
/// `kernel`, in cycles of `target`.
int64_t estimateProductKernel(const ProductSizes &sizes, int64_t depth,
                              const ProductKernel &kernel,
                              const GPUTarget &target = {});

/// Chooses the kernel of least estimated time: `sync`, or one with asynchronous
/// products that takes less than 95 % of its time. Its tile is one of 64 x 64,
/// 64 x 128, 128 x 64, 128 x 128 and 128 x 256, for all products together, or,
/// of persistent kernels, 192 x 128 and 192 x 192, and 128 x 192 if sums are
/// short. With at most 128 x 128, two groups of threads of a persistent kernel
/// take turns with tiles of their own, if `limits` allow that. Workgroups with
/// 64 x 64 or 64 x 128 may be alone on a processor. If `limits` do not allow
/// synchronous products, the time of `sync` does not count, but it is taken
/// where nothing else is possible. One product has roles if nothing else is
/// allowed only, and several have roles if they are allowed, and a tile of 128
/// x 256 then: the others were slower (docs/Decisions/0041). If sizes are not
/// known (`sizes` or `depth` is null), the tile is that of `sync`, or 128 x 128
/// at most; with short sums, that of 4096 rows, columns and elements of sums.
ProductKernel chooseProductKernel(const std::optional<ProductSizes> &sizes,
                                  std::optional<int64_t> depth,
                                  int64_t products, const ProductKernel &sync,
                                  const ProductLimits &limits,
                                  const GPUTarget &target = {});

/// Kernels of one product, of which a launch takes one.
struct LaunchedKernels {
  /// With small tiles, for few: of workgroups that share a processor.
  ProductKernel few;
  /// The same of workgroups that are alone, with 64 x 128 and with 64 x 64.
  SmallVector<ProductKernel> lone;
  /// The same of workgroups that sum chunks, which another kernel merges: for
  /// launches with the rows of one tile, 64 x 128 and 128 x 64.
  SmallVector<ProductKernel> split;
  /// Persistent, the largest first: of large tiles, the last round may have few.
  /// None if all rows are in one tile, or known.
  SmallVector<ProductKernel> many;
};

/// Chooses kernels for a product whose rows, columns or sums are not known:
/// `async` ones with 64 x 128, and others of workgroups that are alone, and
/// `persistent` ones with 128 x 256, 192 x 128 and 128 x 128. If sums are
/// short, there is one of these, with 128 x 192, and nobody is alone. Unset if
/// a size of the tile is given, or `limits` do not allow both.
std::optional<LaunchedKernels>
chooseLaunchedKernels(std::optional<int64_t> allRows,
                      const ProductLimits &limits,
                      const GPUTarget &target = {});

/// A product of few rows, all in one tile, with a right operand of words of 8
/// bits that threads convert for asynchronous products: its columns are rows of
/// the instructions. Each `group` elements of a sum have scales of their own.
struct ConvertedProduct {
  int64_t rows = 0, columns = 0, depth = 0, group = 128;
  /// The number of rows, if it is known. The tile has `rows`.
  std::optional<int64_t> allRows;
  /// Whether a word has several elements.
  bool isPacked = false;
};

/// Chooses the kernel of least estimated time for `product`: tiles of 256
/// columns, if elements are packed, or of 128, whose sums are whole, or chunks
/// that another kernel merges. If there are more than half as many tiles as
/// processors, each processor may have an equal share of all sums: most sum a
/// chunk of a tile, and the others what is left of several. Unset if products
/// without asynchronous instructions, whose subgroups sum parts, are estimated
/// to take less time.
std::optional<ProductKernel>
chooseConvertingKernel(const ConvertedProduct &product,
                       const GPUTarget &target = {});

/// The estimate of a kernel that a launch computes: with n tiles on the
/// processor that has most of them, and sums of k elements,
///
///     fixed + n * ofTile + k * max(alone, n * beside) / steps
///
/// cycles; `split` in place of `beside`, if that is larger and rows of operands
/// are no multiple of 128 bytes, and `far`, if operands have more than
/// `farBytes` bytes.
constexpr int64_t kStepsOfTime = 64;
struct ProductTime {
  int64_t fixed = 0, ofTile = 0, alone = 0, beside = 0;
  int64_t split = 0, far = 0, farBytes = 0;
  /// Twice as many elements of 8 bits are summed in the same time.
  int64_t steps = kStepsOfTime;
};
ProductTime getProductTime(const ProductKernel &kernel,
                           const GPUTarget &target = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_PRODUCTTILES_H
