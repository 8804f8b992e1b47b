//===- InvariantFactor.cpp - Factors of all terms of a sum ----------------===//
//
// See InvariantFactor.h.
//
//===----------------------------------------------------------------------===//

#include "InvariantFactor.h"

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Whether `value`, of the payload of `op`, is the same in all iterations of
/// `dims`. Sets `reads` if it reads an operand that `isRead` accepts.
static bool isInvariant(linalg::LinalgOp op, Value value,
                        ArrayRef<unsigned> dims,
                        function_ref<bool(OpOperand &)> isRead, bool &reads) {
  llvm::SmallSetVector<Value, 8> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (auto arg = dyn_cast<BlockArgument>(needed[i]);
        arg && arg.getOwner() == op.getBlock()) {
      OpOperand &operand = op->getOpOperand(arg.getArgNumber());
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!op.isDpsInput(&operand) || llvm::any_of(dims, [&](unsigned dim) {
            return map.isFunctionOfDim(dim);
          }))
        return false;
      reads |= isRead(operand);
      continue;
    }
    Operation *inner = needed[i].getDefiningOp();
    if (!inner || inner->getBlock() != op.getBlock())
      continue;
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!isPure(inner) || inner->getNumRegions() != 0 ||
        (index && llvm::is_contained(dims, index.getDim())))
      return false;
    needed.insert_range(inner->getOperands());
  }
  return true;
}

Value mlir::linalg_ext::getInvariantFactor(
    linalg::LinalgOp op, unsigned number, ArrayRef<unsigned> dims,
    function_ref<bool(OpOperand &)> reads) {
  std::optional<CombinedReduction> reduction = getReduction(op, number);
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner))
    return {};
  SmallVector<Value> products{reduction->term};
  while (!products.empty()) {
    auto product = products.pop_back_val().getDefiningOp<arith::MulFOp>();
    if (!product || product->getBlock() != op.getBlock() ||
        !product->hasOneUse())
      continue;
    for (Value factor : product->getOperands()) {
      bool isRead = false;
      if (factor.hasOneUse() && isInvariant(op, factor, dims, reads, isRead) &&
          isRead)
        return factor;
      products.push_back(factor);
    }
  }
  return {};
}
