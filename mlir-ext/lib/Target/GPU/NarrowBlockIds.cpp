//===- NarrowBlockIds.cpp - Block ids in 32 bits --------------------------===//
//
// A grid has fewer than 2^31 workgroups. Still, delinearizing a block id
// divides 64-bit indices by dynamic numbers. Such a division is a call on the
// device, and the values that are live across the call cost registers. This
// pass delinearizes in 32 bits: block ids, numbers that `vector_ext.assume`
// bounds, such as those of the tiles of a persistent kernel, and coordinates of
// either.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

constexpr static int64_t kMost = std::numeric_limits<int32_t>::max();

/// Returns whether `value` is known to be from 0 to 2^31 - 1. `narrowed` are
/// coordinates of such values.
static bool isNarrow(Value value, const llvm::DenseSet<Value> &narrowed) {
  if (narrowed.contains(value) || value.getDefiningOp<gpu::BlockIdOp>())
    return true;
  auto assume = value.getDefiningOp<vector_ext::AssumeOp>();
  if (!assume || !assume.getAtLeast() || !assume.getAtMost())
    return false;
  auto least = static_cast<int64_t>(*assume.getAtLeast()),
       most = static_cast<int64_t>(*assume.getAtMost());
  return least >= 0 && most <= kMost;
}

/// Delinearizes a number below 2^31 in integers of 32 bits.
static SmallVector<Value> narrow(RewriterBase &rewriter,
                                 affine::AffineDelinearizeIndexOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Type index = rewriter.getIndexType(), narrow = rewriter.getI32Type();
  Value rest =
      arith::IndexCastUIOp::create(rewriter, loc, narrow, op.getLinearIndex());
  // No workgroup has a number as large as 2^31 - 1, so larger divisors can be
  // replaced by it.
  Value most = arith::ConstantIndexOp::create(rewriter, loc, kMost);
  SmallVector<Value> results;
  // The first coordinate is the last quotient, so it needs no bound.
  SmallVector<OpFoldResult> basis = op.getEffectiveBasis();
  for (OpFoldResult count : llvm::reverse(basis)) {
    Value divisor = getValueOrCreateConstantIndexOp(rewriter, loc, count);
    divisor = arith::MinUIOp::create(rewriter, loc, divisor, most);
    divisor = arith::IndexCastUIOp::create(rewriter, loc, narrow, divisor);
    Value here = arith::RemUIOp::create(rewriter, loc, rest, divisor);
    rest = arith::DivUIOp::create(rewriter, loc, rest, divisor);
    results.push_back(arith::IndexCastUIOp::create(rewriter, loc, index, here));
  }
  results.push_back(arith::IndexCastUIOp::create(rewriter, loc, index, rest));
  std::reverse(results.begin(), results.end());
  rewriter.replaceOp(op, results);
  return results;
}

void mlir::linalg_ext::narrowBlockIds(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<affine::AffineDelinearizeIndexOp> ops;
  scope->walk([&](affine::AffineDelinearizeIndexOp op) { ops.push_back(op); });
  llvm::DenseSet<Value> narrowed;
  for (affine::AffineDelinearizeIndexOp op : ops)
    if (isNarrow(op.getLinearIndex(), narrowed))
      narrowed.insert_range(narrow(rewriter, op));
}
