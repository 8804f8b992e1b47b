//===- Transforms.h - Workgroups and launches -------------------*- C++ -*-===//
//
// C++ entry points of the passes and transform ops of this directory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H
#define MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Tile sizes of workgroups for ops that are not fused with an online
/// reduction.
struct TileToWorkgroupsOptions {
  /// Tile of a contraction: rows (dimensions of the left operand alone) and
  /// columns (dimensions of the right operand alone) of the result, and
  /// elements of the reduction in each iteration. Elementwise ops use rows and
  /// columns, too, and reductions use rows.
  int64_t rows = 64;
  int64_t columns = 64;
  int64_t reduction = 64;
  /// The same for *narrow* contractions. Their elements have at most 16 bits,
  /// and they run on tensor cores. If narrowRows or narrowColumns is 0, rows
  /// and columns apply to them. If narrowReduction is 0, reduction applies.
  int64_t narrowRows = 0;
  int64_t narrowColumns = 0;
  int64_t narrowReduction = 0;
  /// The device. With `useProcessors`, a narrow contraction of static sizes
  /// gets the tile of at most narrowRows x narrowColumns with which the
  /// processors of `target` finish first (`chooseProductTile`). Two
  /// contractions whose results leave processors idle then share a kernel.
  GPUTarget target;
  bool useProcessors = true;
  /// Elements of the reduction in each iteration, if that tile is smaller than
  /// narrowRows x narrowColumns or each processor has at most one workgroup. 0
  /// uses narrowReduction.
  int64_t smallReduction = 0;
  /// Longest row, in elements, that one tile reduces and then uses again.
  int64_t maxRow = 1024;
  /// Elements of a longer row that one iteration reduces. At most `maxRow`.
  int64_t rowTile = 256;
  /// Reduce a longer row in the workgroup that reads it again. Each reduction
  /// gets a separate loop, and so does the op that reads the row again. Each
  /// loop recomputes the elementwise ops that it needs.
  bool fuseLongRows = false;
  /// Most elements in all rows of one workgroup that reduces rows. A workgroup
  /// has at least one row. 0 sets no bound.
  int64_t rowElements = 0;
  /// Lengths in ascending order. With `fuseLongRows`, an op on rows of dynamic
  /// length gets one more kernel for each length, for rows of up to this
  /// length. This kernel reads a row once, holds it as one tile, and has
  /// several rows in a workgroup. At run time only one of the kernels has
  /// workgroups. An op on long rows of static length gets the kernel for the
  /// smallest sufficient length only.
  SmallVector<int64_t> versionsByRowLength;
  /// Numbers of rows in ascending order. A narrow contraction with a dynamic
  /// number of rows gets one more kernel for each number, for up to this many
  /// rows. This kernel splits the reduction into chunks, for as many workgroups
  /// as the `memoryWorkgroups` of `target`. A contraction with a
  /// static number of rows gets the kernel for the smallest sufficient number
  /// only.
  SmallVector<int64_t> versionsByM;
  /// Fewest elements in a chunk of a split sum.
  int64_t minSplit = 512;
  /// How kernels with narrow contractions may multiply. Asynchronous products
  /// can read f16 and bf16, in rows of a multiple of 16 bytes. If `ways` has
  /// them and they can read the operands, `chooseProductKernel` chooses the way
  /// and the tile, unless the reduction is split. The loop over workgroups is
  /// then marked (`vector_ext.kernel`). `asyncTile` has the tile sizes that the
  /// user gives, and `threads` is the least number of threads that compute.
  vector_ext::ProductWays ways;
  ProductTile asyncTile;
  int64_t asyncReduction = 0;
  /// Asynchronous products may read operands of 8 bits, f8E4M3FN and f8E5M2.
  bool asyncF8 = false;
  /// Assume that rows of dynamic length have a multiple of 16 bytes, as
  /// asynchronous products require. `getVersions` makes a version for which
  /// this is so.
  bool hasAlignedRows = false;
  /// Store operands before the kernel, so that asynchronous products can read
  /// them: copies of those whose rows are not known to have a multiple of 16
  /// bytes, or the values of those that are dequantized. `getVersions` makes
  /// such a version.
  bool copiesRows = false;
  /// For a product of unknown sizes, the launches that its kernel is for
  /// (`chooseLaunchedKernels`): few tiles; few tiles whose workgroups are alone
  /// on a processor; the same with a split reduction; few rows, of which two
  /// workgroups sum each tile (`isPairFastest`); or many tiles.
  /// `getVersions` makes a version for each.
  enum class Tiles { Any, Few, Lone, Split, Pair, Many };
  Tiles tiles = Tiles::Any;
  /// The number of the kernel among those for such launches.
  int64_t numberOfKernel = 0;
  /// An asynchronous kernel for a narrow contraction of few rows that converts
  /// its right operand itself. Unset if there is none.
  std::optional<ProductKernel> converting;
  int64_t threads = 128;
  /// Threads of a workgroup whose subgroups sum parts, if these are fewer than
  /// `threads`; otherwise 0.
  int64_t threadsOfParts = 0;
  /// Ops whose results are stored before the loops that read them.
  SmallVector<Operation *> stored;
  /// Ops that gather patches of images, which are stored as well.
  SmallVector<Operation *> patches;
  /// Emit a remark for each kernel with a narrow contraction: how it
  /// multiplies, and why.
  bool report = false;

  /// Sets all sizes of tiles, also those of narrow contractions and of
  /// asynchronous products, to the given sizes. 0 chooses a size. Sets
  /// `useProcessors` if neither rows nor columns are given.
  void setTile(int64_t givenRows, int64_t givenColumns, int64_t givenReduction);
  /// Sets the sizes for a kernel that is too large with others (SmallTiles.h).
  void setSmallTile();
};

/// Tiles `root` into an `scf.forall` over workgroups. If `root` has no parallel
/// dimension, there is one workgroup. Fuses producers that only fused ops use:
/// elementwise ops, contractions that end in `root` as their elementwise
/// epilogue, and reductions of rows that fit into a tile. Fails, with
/// `refusal` and the IR unchanged, if this is not possible. If `refusal` has no
/// op, the ops are then new; see `applyCheckedPlan`.
LogicalResult tileToWorkgroup(RewriterBase &rewriter, linalg::LinalgOp root,
                              const TileToWorkgroupsOptions &options,
                              Refusal &refusal);

/// Replaces `forall`, which must be on buffers, by a `gpu.launch` with one
/// block for each iteration and `numThreads` threads in a block. The grid has
/// one dimension. The host computes its size before the launch. Blocks follow
/// the order of the loops, and the last loop varies fastest.
///
/// `band` > 1 changes this order for better cache reuse, if neighbours in each
/// of the last two loops read the same data: the blocks of `band` iterations of
/// the second-to-last loop then follow each other. If the work of a block
/// decreases along the last loop only (`isLongestFirst`), a band consists of
/// iterations of all other loops together, about as many as `target` runs at a
/// time. The blocks with the least work then run at the end.
///
/// Fails, with the reason in `refusal` and the IR unchanged, on tensors.
FailureOr<gpu::LaunchOp> mapForallToLaunch(RewriterBase &rewriter,
                                           scf::ForallOp forall,
                                           int64_t numThreads, Refusal &refusal,
                                           int64_t band = 1,
                                           const GPUTarget &target = {});

/// Makes an `scf.if` that runs `loop` if `condition` is true, and `otherwise`
/// if not. `otherwise` must be behind `loop` in the same block; the branch
/// takes its place. Each of the two is a loop over workgroups, or a branch that
/// this function has made. The branch has a result for each of `results`: a
/// result of `otherwise`, and the result of `loop` that takes its place. `loop`
/// then starts from the same tensor as `otherwise`. Uses of the results of
/// `otherwise` are replaced.
scf::IfOp runIf(RewriterBase &rewriter, Value condition, Operation *loop,
                Operation *otherwise,
                ArrayRef<std::pair<OpResult, OpResult>> results);

/// Calls mapForallToLaunch for each outermost `scf.forall` below `scope`, unless
/// it is mapped to something other than workgroups. Emits a remark for each that
/// is refused.
void mapForallsToLaunches(RewriterBase &rewriter, Operation *scope,
                          int64_t numThreads, int64_t band,
                          const GPUTarget &target);

/// Replaces `op`, which must be on buffers, by a `gpu.launch` with `numThreads`
/// threads in a block. Each thread computes one iteration of the parallel
/// dimensions with scalar code. Fails, with the reason in `refusal`, on tensors
/// or if the op has no scalar implementation.
FailureOr<gpu::LaunchOp> lowerToScalarKernel(RewriterBase &rewriter,
                                             TilingInterface op,
                                             int64_t numThreads,
                                             Refusal &refusal);

/// Calls lowerToScalarKernel for each op on buffers below `scope` that is in no
/// launch, and puts stores of single elements into launches. With `report`,
/// emits a remark for each kernel. Fails, with an error, if a launch has an op
/// that tiles, and, with `requireFusion`, for each kernel that computes.
LogicalResult lowerToScalarKernels(RewriterBase &rewriter, Operation *scope,
                                   int64_t numThreads, bool report,
                                   bool requireFusion);

struct VectorizeTilesOptions {
  /// Most elements of a vector.
  int64_t maxElements = 65536;
  /// Round vector sizes up to a multiple of this, in each dimension of more
  /// than one element. Masks exclude elements beyond the tile.
  int64_t multipleOf = 1;
  /// The same for workgroups without a contraction. A dimension that is smaller
  /// than this is rounded up to a power of two instead. 0 uses multipleOf.
  int64_t rowMultipleOf = 0;
};

/// Rewrites the tensors in the body of `forall` as vectors. Loops and branches
/// then carry vectors. Each vector is as large as its tile can become. If a
/// tile may be smaller than its vector, reads of outside tensors and writes of
/// results have a mask. Returns the number of structured ops that have no
/// vector form. These keep the tensors that they need, and get a remark.
/// Fails, with an error, if an op in a loop over parts of subgroups cannot be
/// rewritten for all parts at once. The loop is then partly rewritten.
FailureOr<unsigned> vectorizeTiles(RewriterBase &rewriter, scf::ForallOp forall,
                        const VectorizeTilesOptions &options);

/// Clones `launch` into a version for aligned rows, and returns this version.
/// `scf.if` ops choose the version at run time. The aligned version runs if the
/// rows of certain buffers start at multiples of `bytes` bytes. These are the
/// buffers from outside of `launch` that `launch` accesses by vectors along the
/// rows, and that have a dynamic row length, dynamic strides or a dynamic
/// offset. If `launch` gathers rows of pages with a dynamic number of rows,
/// that number must also be a multiple of 16; pages of one row get another
/// version. If `maxBytes` is not 0, no row of dynamic length may have more
/// bytes. The body of the aligned version has a `vector_ext.assume` for each of
/// these numbers.
/// Conditions around `launch` may imply the alignment. Then no version is made:
/// the function adds the `vector_ext.assume` ops and returns `launch`. It fails
/// if they imply the contrary. Also fails, with the IR unchanged, if there are
/// no such buffers and pages or if `launch` is asynchronous.
FailureOr<gpu::LaunchOp> versionLaunch(RewriterBase &rewriter,
                                       gpu::LaunchOp launch, int64_t bytes,
                                       int64_t maxBytes = 0);

/// Replaces values in the body of `launch` by a `vector_ext.assume` of what the
/// conditions of the `scf.if` ops around `launch` imply: comparisons of an
/// index with a constant, and conjunctions of them. Returns true if the body
/// has changed.
bool assumeBranches(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Splits each workgroup of `launch` into workgroups of `threads` threads. The
/// workgroup must have one dimension, and its size must be a constant multiple
/// of `threads`, larger than `threads`. The threads must neither communicate
/// nor synchronise. Otherwise returns false and leaves the IR unchanged.
bool splitWorkgroups(RewriterBase &rewriter, gpu::LaunchOp launch,
                     int64_t threads);

/// Lets workgroup i of `launch` prefetch row i + `distance` of each buffer
/// whose row i it reads. Requires that a workgroup loads at least `elements`
/// elements of such rows, in loads of 128 bits outside of loops, and that
/// `distance` rows have at most `maxBytes` bytes, so that they stay in a cache.
/// Otherwise returns false, with the IR unchanged.
bool prefetchRows(RewriterBase &rewriter, gpu::LaunchOp launch,
                  int64_t elements, int64_t distance, int64_t maxBytes);

/// Permutes operands of 8 bits that a launch below `scope` stores and others
/// sum over, so that threads have what they multiply with them. Run it after
/// configs are selected.
void permuteSums(RewriterBase &rewriter, Operation *scope);

/// Coalesces perfectly nested loops in the launches below `scope` if the
/// innermost one contracts. All loops but the outermost must have constant
/// bounds. Fails if upstream's coalescing fails.
LogicalResult coalesceContractionLoops(RewriterBase &rewriter,
                                       Operation *scope);

/// Takes the maxima of elements of products with a number, in vectors of at
/// least `minElements` elements below `scope`, before the products: maxima, or
/// minima if the number is negative.
void branchOverSigns(RewriterBase &rewriter, Operation *scope,
                     int64_t minElements);

/// Puts masked updates of vectors of at least `minElements` elements below
/// `scope` into an `scf.if`, so that a thread whose mask is empty skips them.
void branchOverUpdates(RewriterBase &rewriter, Operation *scope,
                       int64_t minElements);

/// Distributes loads among lanes that read the same elements of 16 bits in each
/// iteration of a loop of `launch`, such as scales. Each lane reads the
/// elements of other iterations, and lanes exchange them. A subgroup has
/// `lanes` lanes. Leaves loops that have effects other than reads, and loops
/// that lanes of a subgroup may leave at different times.
void spreadLoads(RewriterBase &rewriter, gpu::LaunchOp launch, int64_t lanes);

/// Lets loops of `launch` that sum asynchronous products carry these products:
/// an iteration waits only for the products of the previous one. The wait for
/// the last products is behind the loop.
void awaitBehindLoops(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Splits elementwise ops of `launch` on vectors of at least `minElements`
/// elements into parts of `part` elements, computed one after the other.
/// Applies to ops that call functions and whose result has several users,
/// because all registers of such a vector would be live at once.
void computeInParts(RewriterBase &rewriter, gpu::LaunchOp launch,
                    int64_t minElements, int64_t part);

/// Splits elementwise ops of `launch` whose result has at least `minRegisters`
/// registers of 32 bits, and is only read element by element, as by a sum in
/// registers. Parts of `part` elements are each computed in front of the first
/// op that reads one of its elements.
void sumInParts(RewriterBase &rewriter, gpu::LaunchOp launch,
                int64_t minRegisters, int64_t part);

/// Unrolls loops in the launches below `scope` that only read memory and
/// compute. Unrolls by `factor`, which must be positive, or by 2 * `factor` if
/// an iteration reads little and computes functions of it. Leaves loops whose
/// body has more than `maxOps` ops.
void unrollReads(Operation *scope, int64_t factor, int64_t maxOps);

/// Replaces divisions in loops of `launch`. A quotient or remainder of a
/// position that grows by the step of the loop becomes a value that the loop
/// carries. Fails if an analysis of ranges fails.
LogicalResult stepDivisions(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Does the same for numbers that grow by one in each iteration, divided by
/// constants that are no powers of 2. The loop carries the remainders, and the
/// quotients modulo powers of 2.
void stepRounds(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Moves loads from workgroup memory below `scope`, and the ops that extract
/// parts of the loaded vectors, down to their first use.
void sinkLoads(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H
