//===- ComputeForEachUse.cpp - One producer for rows, another for keys ----===//
//
// One vector may give rows and keys their gates: scores are added to the
// difference of its elements at two places. Loops over rows and over keys then
// cut the two uses in two ways, so no tile of the vector serves both, and it
// would be computed whole in each workgroup. With an elementwise op for each
// use, each is fused with the loop that cuts it. If none is, CSE merges the ops
// again.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the elementwise op that computes `value`, or null. What an op reads
/// of its operand must be the element at the same place, so that chains are
/// cheap to compute again.
static linalg::LinalgOp getElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 || op->getNumRegions() != 1 ||
      isa<linalg::FillOp>(op) || op.getNumDpsInputs() == 0)
    return {};
  return op;
}

/// Gives `copy`, a copy of an op with the operands of `original`, operands of
/// its own, as far as elementwise ops compute them for these two alone.
static void computeOperands(RewriterBase &rewriter, linalg::LinalgOp original,
                            linalg::LinalgOp copy) {
  // An operand that is read twice is computed once.
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
      // The first use keeps it.
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
