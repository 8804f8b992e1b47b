//===- SharedOperand.cpp - Operands in shared memory ----------------------===//
//
// Chooses the arrangement of an operand in shared memory, and stores the
// operand there: in front of its instructions, or once for all of them.
//
//===----------------------------------------------------------------------===//

#include "SharedOperand.h"
#include "ContractSums.h"
#include "SharedTile.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::Refusal;

/// Returns how to store a tile of `from`, with elements of `bits` bits, in
/// shared memory for instructions that read it there. Of the arrangements that
/// descriptors support, this is the one that is stored at the least cost. Among
/// equals, it is the one with the widest swizzle, and then the one in which K
/// is contiguous. An instruction has `nSize` elements of `nDim` (the dimension
/// of the rows for the left operand). Fails with the reason if there is none.
static std::optional<SharedOperand>
chooseSharedOperand(const Layout &from, int64_t bits, unsigned kDim,
                    unsigned nDim, int64_t nSize, int64_t kSize,
                    std::string &reason) {
  SmallVector<int64_t> shape = from.getShape();
  std::optional<SharedOperand> best;
  int64_t bestCost = 0;
  reason = "no arrangement fits";
  for (unsigned contiguous : {kDim, nDim})
    for (int64_t bytes : {128, 64, 32, 16}) {
      SmallVector<unsigned> order;
      for (unsigned dim = 0; dim < from.getRank(); ++dim)
        if (dim != contiguous)
          order.push_back(dim);
      order.push_back(contiguous);
      std::optional<layout::SharedLayout> shared =
          bytes == 16 ? layout::SharedLayout::get(shape, order, bits,
                                                  /*panelColumns=*/128 / bits,
                                                  /*padding=*/0, {}, &reason)
                      : layout::SharedLayout::getSwizzledPanels(
                            shape, order, bits, bytes, &reason);
      if (!shared)
        continue;
      std::optional<layout::WgmmaOperand> access =
          getWgmmaOperand(*shared, nDim, kDim, nSize, &reason);
      if (!access || access->kSize != kSize)
        continue;
      int64_t cost =
          getCost(getVectorAccesses(from, *shared), from, *shared).getTotal();
      if (best && cost >= bestCost)
        continue;
      best = SharedOperand{Value(), *shared, *access, kDim, nDim};
      bestCost = cost;
    }
  return best;
}

FailureOr<SharedOperand> mlir::vector_ext::storeSharedOperand(
    ImplicitLocOpBuilder &b, vector::ContractionOp op, Distributor &distributor,
    Value registers, const Layout &from, unsigned kDim, unsigned nDim,
    const MmaIntrinsic &intrinsic) {
  int64_t bits = cast<VectorType>(registers.getType()).getElementTypeBitWidth();
  std::string reason;
  std::optional<SharedOperand> best = chooseSharedOperand(
      from, bits, kDim, nDim, intrinsic.n, intrinsic.k, reason);
  if (best)
    best->buffer =
        storeInSharedMemory(b, distributor, registers, from, best->layout);
  if (best && !best->buffer)
    reason = "its addresses have no formula in the index of the thread";
  if (!best || !best->buffer)
    return op.emitOpError() << "cannot have its right operand in shared memory "
                               "as '"
                            << intrinsic.name << "' reads it: " << reason;
  return *best;
}

//===----------------------------------------------------------------------===//
// Left operands that are stored once
//===----------------------------------------------------------------------===//

/// Returns whether `value` is the left operand of a contraction that is not in
/// `block`, but in a loop, for example.
static bool isLeftElsewhere(Value value, Block *block) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (auto same = dyn_cast<ToLayoutOp>(use.getOwner()))
      return isLeftElsewhere(same.getResult(), block);
    auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
    return contract && &use == &contract.getLhsMutable() &&
           contract->getBlock() != block;
  });
}

bool mlir::vector_ext::canStoreLeftOnce(vector::ContractionOp contract) {
  Value left = contract.getLhs();
  // A conversion to the layout of the instruction does not matter.
  while (auto same = left.getDefiningOp<ToLayoutOp>())
    left = same.getInput();
  VectorType type = contract.getLhsType();
  return getAsyncIntrinsic(contract) && type.getRank() == 2 &&
         type.getElementTypeBitWidth() % 8 == 0 && left.getDefiningOp() &&
         !left.getDefiningOp<SharedTileOp>() &&
         contract.getRhs().getDefiningOp<SharedTileOp>() &&
         (left.getParentBlock() != contract->getBlock() ||
          isLeftElsewhere(left, contract->getBlock()));
}

bool mlir::vector_ext::storeLeftOnce(ToLayoutOp op, Distributor &distributor) {
  if (!op.getSharedMemory() || op->use_empty() ||
      !llvm::all_of(op->getUses(), [&](OpOperand &use) {
        auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
        return contract && &use == &contract.getLhsMutable() &&
               canStoreLeftOnce(contract);
      }))
    return false;
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  auto contract = cast<vector::ContractionOp>(*op->user_begin());
  const MmaIntrinsic &intrinsic = *getAsyncIntrinsic(contract);
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return false;
  AffineMap map = contract.getIndexingMapsArray()[0];
  const Layout &from = distributor.getLayout(op.getInput());
  std::string reason;
  std::optional<SharedOperand> best = chooseSharedOperand(
      from, op.getType().getElementTypeBitWidth(),
      getResultPosition(map, dims->k), getResultPosition(map, dims->m),
      intrinsic.m, intrinsic.k, reason);
  if (!best)
    return false;
  Value buffer = storeInSharedMemory(b, distributor,
                                     distributor.getDistributed(op.getInput()),
                                     from, best->layout, /*fence=*/true);
  if (!buffer)
    return false;
  // This is the layout as a matrix of rows.
  SharedAttr layout = SharedAttr::get(op.getContext(), best->layout);
  if (getResultPosition(map, dims->m) == 1) {
    SmallVector<unsigned> order;
    for (unsigned dim : best->layout.getOrder())
      order.push_back(1 - dim);
    layout = SharedAttr::get(
        op.getContext(),
        *layout::SharedLayout::get(
            {best->layout.getShape()[1], best->layout.getShape()[0]}, order,
            best->layout.getBitWidth(), best->layout.getPanelColumns(),
            best->layout.getPadding(), best->layout.getSwizzle()));
  }
  distributor.setStored(op.getResult(), buffer, layout);
  // The value is not used.
  distributor.replace(
      op, arith::ConstantOp::create(
              b, b.getZeroAttr(distributor.getDistributedType(op.getResult())))
              .getResult());
  return true;
}
