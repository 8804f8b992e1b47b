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
  /// processors of `target` finish first (`chooseProductTile`), and results of
  /// two contractions that leave processors idle share a kernel.
  GPUTarget target;
  bool useProcessors = true;
  /// Step of the reduction if that tile is smaller than narrowRows x
  /// narrowColumns, or if each processor has at most one workgroup. 0 takes
  /// narrowReduction.
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
  /// How kernels with narrow contractions may multiply. If asynchronous
  /// products are among these, and may read the operands (f16 or bf16, rows of
  /// a multiple of 16 bytes), `chooseProductKernel` chooses one of them, with
  /// the tile, unless sums are split. `asyncTile` has the sizes that are given
  /// for it, and `threads` is the least number of threads that compute. The
  /// loop over workgroups is then marked (`vector_ext.kernel`).
  vector_ext::ProductWays ways;
  ProductTile asyncTile;
  int64_t asyncReduction = 0;
  /// Asynchronous products may read operands of 8 bits, f8E4M3FN and f8E5M2.
  bool asyncF8 = false;
  /// Rows of dynamic length that asynchronous products may read have a multiple
  /// of 16 bytes. `getVersions` makes a version for which this is so.
  bool hasAlignedRows = false;
  /// Operands whose rows are not known to have a multiple of 16 bytes are read
  /// as if they had, and dequantized ones as if they were stored: kernels in
  /// front store them. `getVersions` makes such a version.
  bool copiesRows = false;
  /// Whether a product whose sizes are not known gets a kernel for launches of
  /// few tiles, of few whose workgroups are alone, the same with chunks, or of
  /// many (`chooseLaunchedKernels`); `getVersions` makes all.
  enum class Tiles { Any, Few, Lone, Split, Many };
  Tiles tiles = Tiles::Any;
  /// Which of these kernels.
  int64_t numberOfKernel = 0;
  /// The kernel of a narrow contraction of few rows that converts its right
  /// operand, if it is asynchronous.
  std::optional<ProductKernel> converting;
  int64_t threads = 128;
  /// Ops whose results are stored in front of what reads them.
  SmallVector<Operation *> stored;
  /// Say in a remark how each such kernel multiplies, and why.
  bool report = false;

  /// Sets the sizes of tiles, those of narrow contractions and of asynchronous
  /// products included, to what is given. 0 chooses: `useProcessors` if neither
  /// rows nor columns are given.
  void setTile(int64_t givenRows, int64_t givenColumns, int64_t givenReduction);
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

/// Moves `loop` and `otherwise`, which is behind `loop` in the same block, into
/// the regions of a branch in the place of `otherwise`. Each is a loop over
/// workgroups, or a branch that this function has made. `loop` runs if
/// `condition` is true.
/// The branch has a result for each of `results`: that of `otherwise`, and that
/// of `loop` in its place, which then starts from the same tensor. Uses of the
/// former are replaced.
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
/// It runs if the rows of certain buffers start at multiples of `bytes` bytes.
/// These are the buffers from outside of `launch` that have rows of dynamic
/// length, dynamic strides or a dynamic offset, and that `launch` reads or
/// writes by vectors along the rows. If it gathers rows of pages whose number
/// of rows is dynamic, that is to be a multiple of 16 as well; pages of one row
/// have a version of their own. The body of the aligned version has a
/// `vector_ext.assume` of each of these numbers. If `maxBytes` is not 0, it
/// runs only if no row of dynamic length has more bytes. `scf.if` ops launch
/// one of the versions. Fails, with the IR unchanged, if there are no such
/// buffers and pages or if `launch` is asynchronous. What conditions around
/// `launch` say needs no version: if they say all, returns `launch` with the
/// `vector_ext.assume` ops, and fails if they say the contrary.
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
/// whose row i it reads. Applies if a workgroup loads at least `elements`
/// elements of such rows, in loads of 128 bits outside of loops. Returns false,
/// with the IR unchanged, otherwise, or if `distance` rows take more than
/// `maxBytes` bytes and would not stay in a cache.
bool prefetchRows(RewriterBase &rewriter, gpu::LaunchOp launch,
                  int64_t elements, int64_t distance, int64_t maxBytes);

/// Coalesces perfectly nested loops in the launches below `scope` whose
/// innermost loop contracts. All but the outermost have constant bounds. Fails
/// if upstream's coalescing does.
LogicalResult coalesceContractionLoops(RewriterBase &rewriter,
                                       Operation *scope);

/// Puts masked updates of vectors of at least `minElements` elements below
/// `scope` into an `scf.if`, so that a thread whose mask is empty skips them.
void branchOverUpdates(RewriterBase &rewriter, Operation *scope,
                       int64_t minElements);

/// Lets lanes that read the same elements of 16 bits in each iteration of a loop
/// of `launch`, such as scales, read those of several iterations, and exchange
/// them. A subgroup has `lanes` lanes. Leaves loops that do more than read and
/// compute, and those that lanes of a subgroup may leave at different times.
void spreadLoads(RewriterBase &rewriter, gpu::LaunchOp launch, int64_t lanes);

/// Awaits asynchronous products of `launch` behind the loops that only sum them,
/// and in each iteration those of the previous one.
void awaitBehindLoops(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Applies elementwise ops of `launch` to parts of `part` elements of vectors of
/// at least `minElements`, one part after the other, if they call functions and a
/// result has several users.
void computeInParts(RewriterBase &rewriter, gpu::LaunchOp launch,
                    int64_t minElements, int64_t part);

/// Unrolls loops in the launches below `scope` that only read memory and
/// compute by `factor`, which must be positive, and by twice as much if an
/// iteration reads little and computes functions of it. Leaves bodies of more
/// than `maxOps` ops.
void unrollReads(Operation *scope, int64_t factor, int64_t maxOps);

/// Lets loops of `launch` carry the quotients and remainders of positions that
/// grow by the step of the loop, in place of dividing in each iteration. Fails
/// if an analysis of ranges does.
LogicalResult stepDivisions(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Lets loops of `launch` carry the remainders, and the quotients modulo powers of
/// 2, of numbers that grow by one in each iteration, by constants that are no
/// powers of 2.
void stepRounds(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Moves loads from workgroup memory below `scope`, and the ops that extract
/// parts of the loaded vectors, down to their first use.
void sinkLoads(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H
