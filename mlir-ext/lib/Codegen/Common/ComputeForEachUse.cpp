//===- ComputeForEachUse.cpp - One producer for rows, another for keys ----===//
//
// Scores may be added to the difference of two elements of one vector: one for
// the row, one for the key. Loops over rows and over keys cut the two uses
// differently. So no tile of the vector serves both, and each workgroup would
// compute all of it. With one elementwise op for each use, each op is fused
// with the loop that cuts it. If none is fused, CSE merges the ops again.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the elementwise op that computes `value`, or null. It must read each
/// operand at the same position, so that it is cheap to compute again.
static linalg::LinalgOp getElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 || op->getNumRegions() != 1 ||
      isa<linalg::FillOp>(op) || op.getNumDpsInputs() == 0)
    return {};
  return op;
}

/// Copies the elementwise ops that compute operands of `original` for its copy,
/// `copy`, if only these two ops use them.
static void computeOperands(RewriterBase &rewriter, linalg::LinalgOp original,
                            linalg::LinalgOp copy) {
  // If an op reads an operand twice, the operand is copied once.
  IRMapping copies;
  for (OpOperand *operand : copy.getDpsInputOperands()) {
    if (Value own = copies.lookupOrNull(operand->get())) {
      rewriter.modifyOpInPlace(copy, [&] { operand->set(own); });
      continue;
    }
    linalg::LinalgOp producer = getElementwise(operand->get());
    if (!producer || producer.getNumLoops() > copy.getNumLoops() ||
        !llvm::all_of(producer->getUsers(), [&](Operation *user) {
          return user == original || user == copy || isa<tensor::DimOp>(user);
        }))
      continue;
    rewriter.setInsertionPoint(producer);
    auto own = cast<linalg::LinalgOp>(rewriter.clone(*producer));
    copies.map(operand->get(), own->getResult(0));
    rewriter.modifyOpInPlace(copy, [&] { operand->set(own->getResult(0)); });
    computeOperands(rewriter, producer, own);
  }
}

unsigned mlir::linalg_ext::computeForEachUse(RewriterBase &rewriter,
                                             Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<linalg::LinalgOp> readers;
  scope->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.isAllParallelLoops())
      readers.push_back(op);
  });
  unsigned numCopies = 0;
  for (linalg::LinalgOp reader : readers)
    for (OpOperand *operand : reader.getDpsInputOperands()) {
      linalg::LinalgOp producer = getElementwise(operand->get());
      if (!producer || producer.getNumLoops() >= reader.getNumLoops())
        continue;
      // The first use keeps the original op.
      bool isReadElsewhere =
          llvm::any_of(reader.getDpsInputOperands(), [&](OpOperand *earlier) {
            return earlier->getOperandNumber() < operand->getOperandNumber() &&
                   earlier->get() == operand->get() &&
                   reader.getMatchingIndexingMap(earlier) !=
                       reader.getMatchingIndexingMap(operand);
          });
      if (!isReadElsewhere)
        continue;
      rewriter.setInsertionPoint(producer);
      auto copy = cast<linalg::LinalgOp>(rewriter.clone(*producer));
      rewriter.modifyOpInPlace(reader,
                               [&] { operand->set(copy->getResult(0)); });
      computeOperands(rewriter, producer, copy);
      ++numCopies;
    }
  return numCopies;
}
