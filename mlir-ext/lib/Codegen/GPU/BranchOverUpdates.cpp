//===- BranchOverUpdates.cpp - Branches around masked updates -------------===//
//
// A loop-carried value may have an update that applies only where a condition
// is true (arith.select). In the code of a thread this step puts the update
// into an scf.if, which is skipped if the condition is false for all elements
// of the thread.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Builds elements of vectors as scalars. Equal scalars are built once, because
/// many registers of a thread belong to one row.
class ElementBuilder {
public:
  ElementBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value build(Value vector, int64_t index) {
    DenseElementsAttr constant;
    if (matchPattern(vector, m_Constant(&constant)))
      return unique(
          nullptr, {},
          [&] {
            return arith::ConstantOp::create(
                b, loc,
                cast<TypedAttr>(constant.getValues<Attribute>()[index]));
          },
          constant.getValues<Attribute>()[index]);
    Operation *op = vector.getDefiningOp();
    if (auto elements = dyn_cast_or_null<vector::FromElementsOp>(op))
      return elements.getElements()[index];
    if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op);
        broadcast && !isa<VectorType>(broadcast.getSourceType()))
      return broadcast.getSource();
    if (op && OpTrait::hasElementwiseMappableTraits(op) && isPure(op)) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(isa<VectorType>(operand.getType())
                               ? build(operand, index)
                               : operand);
      return unique(op, operands, [&] {
        OperationState state(loc, op->getName(), operands,
                             {getElementTypeOrSelf(vector.getType())},
                             op->getAttrs());
        return b.create(state)->getResult(0);
      });
    }
    return unique(
        nullptr, {vector},
        [&] {
          return vector::ExtractOp::create(b, loc, vector, index).getResult();
        },
        b.getIndexAttr(index));
  }

private:
  Value unique(Operation *op, ArrayRef<Value> operands,
               llvm::function_ref<Value()> create, Attribute attr = {}) {
    for (const Built &one : built)
      if (one.op == op && one.attr == attr &&
          ArrayRef(one.operands) == operands)
        return one.value;
    Value value = create();
    built.push_back({op, llvm::to_vector(operands), attr, value});
    return value;
  }

  struct Built {
    Operation *op;
    SmallVector<Value> operands;
    Attribute attr;
    Value value;
  };
  OpBuilder &b;
  Location loc;
  SmallVector<Built> built;
};
} // namespace

/// If `op` selects between a value that a loop carries and an update of it,
/// returns the op that computes the update. The update must have no other use.
static Operation *getUpdate(arith::SelectOp op) {
  Operation *update = op.getTrueValue().getDefiningOp();
  auto carried = dyn_cast<BlockArgument>(op.getFalseValue());
  if (!carried ||
      !isa<LoopLikeOpInterface>(carried.getOwner()->getParentOp()) ||
      !isa<VectorType>(op.getCondition().getType()) || !update ||
      !OpTrait::hasElementwiseMappableTraits(update) || !isPure(update) ||
      !update->hasOneUse() || update->getBlock() != op->getBlock() ||
      !llvm::is_contained(update->getOperands(), op.getFalseValue()))
    return nullptr;
  return update;
}

static void branchOver(RewriterBase &rewriter, arith::SelectOp op,
                       Operation *update) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  ElementBuilder elements(rewriter, loc);
  auto type = cast<VectorType>(op.getType());
  llvm::SetVector<Value> conditions;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    conditions.insert(elements.build(op.getCondition(), i));
  Value any = conditions.front();
  for (Value condition : llvm::drop_begin(conditions))
    any = arith::OrIOp::create(rewriter, loc, any, condition);
  auto branch = scf::IfOp::create(
      rewriter, loc, any,
      [&](OpBuilder &b, Location loc) {
        Operation *updated = b.clone(*update);
        Value value =
            arith::SelectOp::create(b, loc, op.getCondition(),
                                    updated->getResult(0), op.getFalseValue());
        scf::YieldOp::create(b, loc, value);
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, op.getFalseValue());
      });
  rewriter.replaceOp(op, branch.getResults());
  rewriter.eraseOp(update);
}

/// Limits the time to build a condition, because each element is compared with
/// all earlier ones. No thread has registers for this many elements.
static constexpr int64_t kMaxElements = 4096;

void mlir::linalg_ext::branchOverUpdates(RewriterBase &rewriter,
                                         Operation *scope,
                                         int64_t minElements) {
  SmallVector<std::pair<arith::SelectOp, Operation *>> updates;
  scope->walk([&](arith::SelectOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || type.isScalable() ||
        type.getNumElements() < minElements ||
        type.getNumElements() > kMaxElements)
      return;
    if (Operation *update = getUpdate(op))
      updates.push_back({op, update});
  });
  for (auto [op, update] : updates)
    branchOver(rewriter, op, update);
}
