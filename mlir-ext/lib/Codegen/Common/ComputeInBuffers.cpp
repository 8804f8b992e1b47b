//===- ComputeInBuffers.cpp - Values computed where they are written ------===//
//
// If a function writes a tensor to a buffer, bufferization would compute the
// tensor in other memory and copy it. This file lets ops compute in that
// buffer. If the program also reads the buffer, one tile at a time, the loop
// over tiles overwrites the tiles that it has read.
//
//===----------------------------------------------------------------------===//

#include "TiedDestination.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Destinations that are buffers
//===----------------------------------------------------------------------===//

/// If a value is materialized in a buffer that nothing else accesses, lets ops
/// compute the value in that buffer, without a copy. (The old contents may be
/// read before. Bufferization takes care of this.)
void mlir::linalg_ext::computeInBuffers(RewriterBase &rewriter,
                                        Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  DominanceInfo dominance;
  scope->walk([&](bufferization::MaterializeInDestinationOp op) {
    Value value = op.getSource(), buffer = op.getDest();
    bool isAccessed = llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      return user != op && !isa<memref::DimOp>(user);
    });
    if (!isa<BaseMemRefType>(buffer.getType()) || !op.getRestrict() ||
        !op.getWritable() || isAccessed)
      return;
    OpOperand *destination = getTiedDestination(value);
    while (destination && !destination->get().getDefiningOp<tensor::EmptyOp>())
      destination = getTiedDestination(destination->get());
    if (!destination || destination->get().getType() != value.getType())
      return;
    auto empty = destination->get().getDefiningOp<tensor::EmptyOp>();
    // In a branch or loop, the buffer may not be written at all.
    if (empty->getBlock() != op->getBlock() ||
        !dominance.properlyDominates(buffer, empty) ||
        memref::getTensorTypeFromMemRefType(buffer.getType()) !=
            value.getType())
      return;
    rewriter.setInsertionPoint(empty);
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        empty, value.getType(), buffer, /*restrict=*/true, /*writable=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Buffers that are overwritten
//===----------------------------------------------------------------------===//

/// Returns whether `op` reads from its operand only elements that `insert`
/// writes, or elements that no other iteration writes. The insertions of the
/// loop are disjoint.
static bool readsInserted(Operation *op, tensor::ParallelInsertSliceOp insert) {
  auto loop = cast<scf::ForallOp>(insert->getParentOfType<scf::ForallOp>());
  // Returns the step of the loop whose index is the offset of the insertion
  // along `dim`, or 0.
  auto getStep = [&](unsigned dim) -> int64_t {
    auto offset = dyn_cast<Value>(insert.getMixedOffsets()[dim]);
    for (auto [iv, step] :
         llvm::zip_equal(loop.getInductionVars(), loop.getMixedStep()))
      if (offset == iv)
        return getConstantIntValue(step).value_or(0);
    return 0;
  };
  IndexAnalysis analysis;
  auto isWhole = [&](unsigned dim) {
    return isZeroInteger(insert.getMixedOffsets()[dim]) &&
           analysis.getSize(insert.getDest(), dim) ==
               analysis.get(insert.getMixedSizes()[dim]);
  };
  unsigned rank = insert.getDestType().getRank();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    for (unsigned dim = 0; dim < rank; ++dim)
      if (!isWhole(dim) &&
          (!isEqualConstantIntOrValue(slice.getMixedOffsets()[dim],
                                      insert.getMixedOffsets()[dim]) ||
           !isEqualConstantIntOrValue(slice.getMixedSizes()[dim],
                                      insert.getMixedSizes()[dim])))
        return false;
    return slice.hasUnitStride();
  }
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read)
    return false;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (isWhole(dim))
      continue;
    int64_t extent = 1;
    if (std::optional<unsigned> at = read.getPermutationMap().getResultPosition(
            getAffineDimExpr(dim, op->getContext())))
      extent = read.getVectorType().getDimSize(*at);
    if (!isEqualConstantIntOrValue(OpFoldResult(read.getIndices()[dim]),
                                   insert.getMixedOffsets()[dim]) ||
        extent > getStep(dim))
      return false;
  }
  return true;
}

/// Lets loops overwrite a buffer that they read, as in a softmax in place. The
/// loop reads a tensor of the buffer tile by tile, computes a result from each
/// tile, and writes it to the same tile of the buffer.
void mlir::linalg_ext::overwriteBuffers(RewriterBase &rewriter,
                                        Operation *scope) {
  scope->walk([&](bufferization::MaterializeInDestinationOp op) {
    Value buffer = op.getDest();
    if (!isa<BaseMemRefType>(buffer.getType()) || !op.getWritable())
      return;
    bufferization::ToTensorOp source;
    for (Operation *user : buffer.getUsers()) {
      if (user == op || isa<memref::DimOp>(user))
        continue;
      auto tensor = dyn_cast<bufferization::ToTensorOp>(user);
      if (!tensor || source || !tensor.getRestrict())
        return;
      source = tensor;
    }
    // A tensor that is taken from the buffer after the write has the new
    // contents.
    if (!source || source.getType() != op.getSource().getType() ||
        (source->getBlock() == op->getBlock() && op->isBeforeInBlock(source)))
      return;
    // After the rewrite there is another tensor of this buffer, so it is not
    // restricted.
    if (op.getRestrict())
      rewriter.modifyOpInPlace(op, [&] { op.setRestrict(false); });
    auto result = dyn_cast<OpResult>(op.getSource());
    auto loop =
        result ? dyn_cast<scf::ForallOp>(result.getOwner()) : scf::ForallOp();
    if (!loop || loop->getBlock() != source->getBlock() ||
        !source->isBeforeInBlock(loop))
      return;
    // 1. The tiles. No tile may be the result of an inner loop, which could
    //    read elements of the tile after it has written them.
    OpOperand *init = loop.getTiedOpOperand(result);
    BlockArgument out = loop.getTiedBlockArgument(init);
    SmallVector<Operation *> combining = loop.getCombiningOps(out);
    auto insert = combining.size() == 1
                      ? dyn_cast<tensor::ParallelInsertSliceOp>(combining[0])
                      : tensor::ParallelInsertSliceOp();
    if (!insert || !insert.hasUnitStride() || insert.getDroppedDims().any() ||
        (!init->get().getDefiningOp<tensor::EmptyOp>() &&
         init->get() != source.getResult()) ||
        isa_and_nonnull<LoopLikeOpInterface>(
            insert.getSource().getDefiningOp()))
      return;
    // 2. All reads of the tensor are before the loop, or read a tile.
    SmallVector<OpOperand *> reads;
    for (OpOperand &use : source.getResult().getUses()) {
      Operation *user = use.getOwner();
      if (isa<tensor::DimOp>(user) || &use == init)
        continue;
      Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
      if (!here || (here != loop && !here->isBeforeInBlock(loop)) ||
          (here == loop && (user == loop || !readsInserted(user, insert))))
        return;
      if (here == loop)
        reads.push_back(&use);
    }
    rewriter.modifyOpInPlace(source, [&] { source.setWritable(true); });
    rewriter.modifyOpInPlace(loop, [&] { init->set(source.getResult()); });
    for (OpOperand *read : reads)
      rewriter.modifyOpInPlace(read->getOwner(), [&] { read->set(out); });
  });
}
