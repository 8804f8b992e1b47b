//===- NarrowBlockIds.cpp - Block ids in 32 bits --------------------------===//
//
// A grid has fewer than 2^31 workgroups. Still, delinearizing a block id
// divides 64-bit indices by dynamic numbers. Such a division is a call on the
// device, and the values that are live across the call cost registers. This
// pass delinearizes in 32 bits.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Delinearizes the number of a workgroup in integers of 32 bits.
static void narrow(RewriterBase &rewriter,
                   affine::AffineDelinearizeIndexOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Type index = rewriter.getIndexType(), narrow = rewriter.getI32Type();
  Value rest =
      arith::IndexCastUIOp::create(rewriter, loc, narrow, op.getLinearIndex());
  // A count that no number of a workgroup reaches divides it as 2^31 - 1 does.
  Value most = arith::ConstantIndexOp::create(
      rewriter, loc, std::numeric_limits<int32_t>::max());
  SmallVector<Value> results;
  // The first coordinate is what is left: it needs no bound.
  for (OpFoldResult count : llvm::reverse(op.getEffectiveBasis())) {
    Value divisor = getValueOrCreateConstantIndexOp(rewriter, loc, count);
    divisor = arith::MinUIOp::create(rewriter, loc, divisor, most);
    divisor = arith::IndexCastUIOp::create(rewriter, loc, narrow, divisor);
    Value here = arith::RemUIOp::create(rewriter, loc, rest, divisor);
    rest = arith::DivUIOp::create(rewriter, loc, rest, divisor);
    results.push_back(arith::IndexCastUIOp::create(rewriter, loc, index, here));
  }
  results.push_back(arith::IndexCastUIOp::create(rewriter, loc, index, rest));
  rewriter.replaceOp(op, llvm::to_vector(llvm::reverse(results)));
}

void mlir::linalg_ext::narrowBlockIds(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<affine::AffineDelinearizeIndexOp> ops;
  scope->walk([&](affine::AffineDelinearizeIndexOp op) {
    if (op.getLinearIndex().getDefiningOp<gpu::BlockIdOp>())
      ops.push_back(op);
  });
  for (affine::AffineDelinearizeIndexOp op : ops)
    narrow(rewriter, op);
}
