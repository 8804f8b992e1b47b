//===- ConvertedOperands.cpp - Operands that threads convert --------------===//
//
// Asynchronous instructions read their left operand from registers, too, and
// the right one from shared memory only. So what threads compute becomes the
// left operand. What is summed may have any order that is the same in both
// operands: that of the left one is such that each thread has consecutive
// elements, as it loads bytes in words.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

vector::ContractionOp
mlir::vector_ext::exchangeOperands(RewriterBase &rewriter,
                                   vector::ContractionOp contract) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  std::swap(maps[0], maps[1]);
  auto exchanged = vector::ContractionOp::create(
      rewriter, contract.getLoc(), contract.getRhs(), contract.getLhs(),
      contract.getAcc(), rewriter.getAffineMapArrayAttr(maps),
      contract.getIteratorTypes(), contract.getKind());
  exchanged->setDiscardableAttrs(contract->getDiscardableAttrDictionary());
  rewriter.replaceOp(contract, exchanged);
  return exchanged;
}

/// Puts the elements of `value` along `dim` into `order`.
static Value reorder(RewriterBase &rewriter, Location loc, Value value,
                     unsigned dim, const ElementOrder &order) {
  auto type = cast<VectorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  unsigned numDigits = order.sizes.size();
  // The digits of an element, and where those of its place are among them.
  SmallVector<int64_t> split(shape.take_front(dim)),
      permutation = llvm::to_vector(
          llvm::seq<int64_t>(0, shape.size() + numDigits - 1));
  for (auto [i, digit] : llvm::enumerate(order.order)) {
    split.push_back(order.sizes[digit]);
    permutation[dim + digit] = static_cast<int64_t>(dim + i);
  }
  llvm::append_range(split, shape.drop_front(dim + 1));
  Value digits = vector::ShapeCastOp::create(
      rewriter, loc, VectorType::get(split, type.getElementType()), value);
  Value places =
      vector::TransposeOp::create(rewriter, loc, digits, permutation);
  return vector::ShapeCastOp::create(rewriter, loc, type, places);
}

LogicalResult mlir::vector_ext::readInRuns(RewriterBase &rewriter,
                                           vector::ContractionOp contract,
                                           unsigned k, const Layout &left,
                                           int64_t apart) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  unsigned dim = *maps[0].getResultPosition(
      getAffineDimExpr(k, contract.getContext()));
  std::optional<ElementOrder> found = getOrderOfRuns(left, dim, apart);
  std::optional<Layout> runs =
      found ? found->apply(left, dim) : std::nullopt;
  if (!runs)
    return failure();
  const ElementOrder &order = *found;
  // Registers that the thread converts together are side by side.
  Value converted = ToLayoutOp::create(
      rewriter, contract.getLoc(), contract.getLhs(),
      LayoutAttr::get(contract.getContext(), putRegistersFirst(*runs, dim)));
  rewriter.modifyOpInPlace(contract,
                           [&] { contract.getLhsMutable().set(converted); });
  for (OpOperand *operand :
       {&contract.getLhsMutable(), &contract.getRhsMutable()}) {
    unsigned dim = *maps[operand->getOperandNumber()].getResultPosition(
        getAffineDimExpr(k, contract.getContext()));
    Value value =
        reorder(rewriter, contract.getLoc(), operand->get(), dim, order);
    rewriter.modifyOpInPlace(contract, [&] { operand->set(value); });
  }
  return success();
}
