//===- Transforms.h - Workgroups and launches -------------------*- C++ -*-===//
//
// The C++ entry points behind the passes and transform ops of this directory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H
#define MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

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
  /// The same for contractions of elements of at most 16 bits, which run on
  /// tensor cores. If narrowRows or narrowColumns is 0, rows and columns apply
  /// to them. If narrowReduction is 0, reduction applies.
  int64_t narrowRows = 0;
  int64_t narrowColumns = 0;
  int64_t narrowReduction = 0;
  /// Number of processors of the device. Such contractions of static sizes have
  /// the tile, of at most narrowRows x narrowColumns, with which so many
  /// processors are done first (`chooseProductTile`). 0 takes narrowRows and
  /// narrowColumns as they are.
  int64_t processors = 132;
  /// Step of the reduction where that tile is smaller, or where processors have
  /// one workgroup each. 0 takes narrowReduction.
  int64_t smallReduction = 0;
  /// Longest row, in elements, that one tile reduces and uses again.
  int64_t maxRow = 1024;
  /// Elements of a longer row that one iteration reduces; at most `maxRow`.
  int64_t rowTile = 256;
  /// Reduce a longer row in the workgroup that reads it again. Each reduction,
  /// and the op that reads the row again, has a loop of its own, which
  /// recomputes elementwise ops.
  bool fuseLongRows = false;
  /// Most elements in the rows of one workgroup that reduces rows, but at least
  /// one row. 0 sets no bound.
  int64_t rowElements = 0;
  /// Lengths in ascending order. With `fuseLongRows`, rows of dynamic length
  /// get one more kernel for each length, for rows up to this length. It reads
  /// a row once, holds it as one tile, and has several rows in a workgroup. At
  /// run time only one of the kernels has workgroups.
  SmallVector<int64_t> shortRows;
  /// Numbers of rows in ascending order. Contractions of elements of at most 16
  /// bits that may have so few rows get one more kernel for each number. This
  /// kernel splits the sums into chunks.
  SmallVector<int64_t> fewRows;
  /// Fewest elements in a chunk of a split sum.
  int64_t minSplit = 512;
};

/// Tiles `root` into an `scf.forall` over workgroups. If `root` has no parallel
/// dimension, there is one workgroup. Fuses producers of `root` that have no
/// other user: elementwise ops, contractions of which `root` is an elementwise
/// epilogue, and reductions of rows that fit into a tile. Fails, with the
/// reason in `reason` and the IR unchanged, if this is not possible.
LogicalResult tileToWorkgroup(RewriterBase &rewriter, linalg::LinalgOp root,
                              const TileToWorkgroupsOptions &options,
                              std::string &reason);

/// Replaces `forall`, which must be on buffers, by a `gpu.launch` with one
/// block for each iteration and `numThreads` threads in a block. The grid has
/// one dimension; its size is computed in front of the launch. Blocks follow
/// the order of the loops, and the last loop varies fastest. If `band` is more
/// than 1, and neighbours in each of the last two loops read the same data, the
/// blocks of `band` iterations of the second-to-last loop follow each other for
/// better cache reuse. If blocks become shorter along the last loop alone
/// (`isLongestFirst`), bands consist of iterations of all other loops together,
/// about as many as run at a time, so that short blocks run at the end. Fails,
/// with the reason in `reason` and the IR unchanged, on tensors.
FailureOr<gpu::LaunchOp>
mapForallToLaunch(RewriterBase &rewriter, scf::ForallOp forall,
                  int64_t numThreads, std::string &reason, int64_t band = 1);

/// Replaces `op`, which must be on buffers, by a `gpu.launch` with `numThreads`
/// threads in a block. Each thread computes one iteration of the parallel
/// dimensions with scalar code. Fails, with the reason in `reason`, on tensors,
/// or if the op has no scalar implementation.
FailureOr<gpu::LaunchOp> mapOpToLaunch(RewriterBase &rewriter,
                                       TilingInterface op, int64_t numThreads,
                                       std::string &reason);

struct VectorizeTilesOptions {
  /// Most elements of a vector.
  int64_t maxElements = 65536;
  /// Round vector sizes up to a multiple of this, in each dimension of more
  /// than one element. Masks exclude elements beyond the tile.
  int64_t multipleOf = 1;
  /// The same for workgroups without a contraction. Dimensions that are smaller
  /// than this become a power of two. 0 uses multipleOf.
  int64_t rowMultipleOf = 0;
};

/// Rewrites the tensors in the body of `forall` as vectors, which loops and
/// branches carry. Each vector is as large as its tile can become. Tensors from
/// outside are read, and results are written, with a mask if a tile may be
/// smaller than its vector. Returns the number of structured ops that have no
/// vector form. These keep the tensors that they need, and get a remark.
unsigned vectorizeTiles(RewriterBase &rewriter, scf::ForallOp forall,
                        const VectorizeTilesOptions &options);

/// Makes `launch` two, of which the first, which is returned, is for rows whose
/// length is a multiple of `bytes` bytes: those of the buffers from outside
/// whose rows, of dynamic length, it reads or writes vectors of. There it is
/// known: by the products that are the sizes and strides of these buffers in
/// the body. Whichever is not wanted has a grid of 0. Fails, with the IR as it
/// was, if there are no such buffers.
FailureOr<gpu::LaunchOp> versionLaunch(RewriterBase &rewriter,
                                       gpu::LaunchOp launch, int64_t bytes);

/// In the body of `launch`, writes down what its grid says of the sizes of
/// masks, there being a workgroup: at least how many elements exist. True if
/// anything is known.
bool boundMasks(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Gives `launch` workgroups of `threads` threads, and as many times more of
/// them, if its threads have nothing to do with each other and it has a
/// multiple of that many, in one dimension. False, with the IR as it was,
/// otherwise.
bool splitWorkgroups(RewriterBase &rewriter, gpu::LaunchOp launch,
                     int64_t threads);

/// If the workgroups of `launch` read `elements` or more of a row each, the one
/// of their own number, lets them prefetch the row `distance` further, if so
/// many rows stay in a cache. False, with the IR as it was, otherwise.
bool prefetchRows(RewriterBase &rewriter, gpu::LaunchOp launch,
                  int64_t elements, int64_t distance);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_GPU_TRANSFORMS_H
