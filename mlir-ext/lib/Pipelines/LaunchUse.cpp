//===- LaunchUse.cpp - What a launch has in registers and memory ----------===//
//
// See LaunchUse.h.
//
//===----------------------------------------------------------------------===//

#include "LaunchUse.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::vector_ext;

bool mlir::linalg_ext::readsTile(Operation *op) {
  return isa_and_nonnull<vector::TransferReadOp, TransferGatherOp>(op);
}

bool mlir::linalg_ext::isComputedByContraction(Value value,
                                               Operation *contract) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != contract->getBlock() ||
        !seen.insert(op).second)
      continue;
    if (isa<vector::ContractionOp>(op))
      return true;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

int64_t mlir::linalg_ext::getNumWords(VectorType type) {
  return llvm::divideCeil(type.getNumElements() * getElementBits(type), 32);
}

RegisterUse mlir::linalg_ext::getRegisterUse(gpu::LaunchOp launch,
                                             bool countsComputed) {
  llvm::MapVector<Block *, RegisterUse> blocks;
  llvm::DenseSet<std::pair<Block *, Value>> seen;
  int64_t largest = 0, rows = 0;
  launch.walk([&](vector::ContractionOp contract) {
    auto type = dyn_cast<VectorType>(contract.getResultType());
    if (!type || type.getRank() < 2)
      return;
    Block *block = contract->getBlock();
    RegisterUse &use = blocks[block];
    // A contraction that continues the result of another one uses the same
    // registers.
    auto first = contract.getAcc().getDefiningOp<vector::ContractionOp>();
    if (!first || first->getBlock() != block)
      use.results += getNumWords(type);
    if (countsComputed && isComputedByContraction(contract.getLhs(), contract))
      use.results += getNumWords(contract.getLhsType());
    for (Value operand : {contract.getLhs(), contract.getRhs()})
      if (operand.getParentBlock() != block &&
          seen.insert({block, operand}).second) {
        use.held += getNumWords(cast<VectorType>(operand.getType()));
        int64_t columns = type.getDimSize(type.getRank() - 1);
        use.columns =
            use.columns == 0 ? columns : std::min(use.columns, columns);
      }
    if (type.getNumElements() > largest) {
      largest = type.getNumElements();
      rows = type.getNumElements() / type.getShape().back();
    }
  });
  // Only the largest such vector counts, because one is used before the next
  // one is read.
  launch.walk([&](Operation *read) {
    if (!readsTile(read))
      return;
    auto it = blocks.find(read->getBlock());
    bool isOperand = llvm::any_of(read->getUsers(), [](Operation *user) {
      return isa<vector::ContractionOp>(user);
    });
    if (it != blocks.end() && !isOperand &&
        isa<LoopLikeOpInterface>(read->getParentOp()))
      it->second.read =
          std::max(it->second.read,
                   getNumWords(cast<VectorType>(read->getResult(0).getType())));
  });
  RegisterUse most;
  for (auto &[block, use] : blocks)
    if (use.results + use.held + use.read >
        most.results + most.held + most.read)
      most = use;
  most.rows = rows;
  return most;
}

llvm::MapVector<Operation *, SharedUse>
mlir::linalg_ext::getSharedUse(ArrayRef<vector::ContractionOp> contracts) {
  llvm::MapVector<Operation *, SharedUse> loops;
  llvm::DenseSet<std::pair<Operation *, Value>> seen;
  for (vector::ContractionOp contract : contracts) {
    auto config = contract->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
    auto loop = contract->getParentOfType<scf::ForOp>();
    if (!config || !loop || config.getPromote().empty())
      continue;
    SharedUse &use = loops[loop];
    Value operands[] = {contract.getLhs(), contract.getRhs()};
    for (auto [operand, isPromoted] :
         llvm::zip_equal(operands, config.getPromote())) {
      if (!isPromoted || !seen.insert({loop, operand}).second)
        continue;
      bool isCopied = operand.getParentRegion() == &loop.getRegion();
      (isCopied ? use.copied : use.held) +=
          4 * getNumWords(cast<VectorType>(operand.getType()));
    }
  }
  return loops;
}

/// Returns whether a value that is computed from `value` is reduced.
static bool isReducedFrom(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<vector::MultiDimReductionOp, vector::ReductionOp>(user))
        return true;
      if (seen.insert(user).second)
        llvm::append_range(worklist, user->getResults());
    }
  return false;
}

ReadUse mlir::linalg_ext::getReadUse(gpu::LaunchOp launch) {
  ReadUse use;
  int64_t reduced = 0;
  bool reduces = false, hasRows = false;
  WalkResult walk = launch.walk([&](Operation *op) {
    if (isa<vector::ContractionOp>(op))
      return WalkResult::interrupt();
    bool isInLoop = bool(op->getParentOfType<LoopLikeOpInterface>());
    reduces |= isInLoop && isa<vector::MultiDimReductionOp>(op);
    auto read = dyn_cast<vector::TransferReadOp>(op);
    if (!read)
      return WalkResult::advance();
    bool isRow = read.getVectorType().getRank() == 1;
    int64_t elements = read.getVectorType().getNumElements();
    hasRows |= isInLoop && !isRow;
    if (isInLoop)
      use.piece = std::max(use.piece, elements);
    else if (isRow) {
      use.held += elements;
      reduced += isReducedFrom(read.getResult()) ? elements : 0;
    }
    return WalkResult::advance();
  });
  if (reduced > 0)
    use.held = reduced;
  return walk.wasInterrupted() || (reduces && hasRows) ? ReadUse() : use;
}
