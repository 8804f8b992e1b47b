//===- ProductsOfThreads.cpp - One product at a time ----------------------===//
//
// Contractions without an instruction, and outer products, in which no thread
// needs a sum of others.
//
//===----------------------------------------------------------------------===//

#include "ProductsOfThreads.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

/// Builds one product, and adds it in the type of the accumulator.
static Value buildProduct(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                          Value lhs, Value rhs, Value acc) {
  Type type = acc.getType();
  auto extend = [&](Value value, bool isUnsigned) -> Value {
    if (value.getType() == type)
      return value;
    if (isa<FloatType>(type))
      return arith::ExtFOp::create(b, type, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(b, type, value);
    return arith::ExtSIOp::create(b, type, value);
  };
  auto [lhsType, rhsType] = getOperandTypes(op);
  lhs = b.createOrFold<arith::BitcastOp>(lhsType, lhs);
  rhs = b.createOrFold<arith::BitcastOp>(rhsType, rhs);
  auto [isLhsUnsigned, isRhsUnsigned] = getUnsignedOperands(op);
  lhs = extend(lhs, isLhsUnsigned);
  rhs = extend(rhs, isRhsUnsigned);
  if (isa<FloatType>(type) && op.getKind() == vector::CombiningKind::ADD)
    return math::FmaOp::create(b, lhs, rhs, acc);
  Value product = isa<FloatType>(type)
                      ? arith::MulFOp::create(b, lhs, rhs).getResult()
                      : arith::MulIOp::create(b, lhs, rhs).getResult();
  return vector::makeArithReduction(b, b.getLoc(), op.getKind(), product, acc);
}

FailureOr<Value>
mlir::vector_ext::distributeByProducts(vector::ContractionOp op,
                                       Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  auto accType = dyn_cast<VectorType>(op.getResultType());
  if (!accType)
    return op.emitOpError() << "to a scalar cannot be distributed";
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  const Layout &accLayout = distributor.getLayout(op.getAcc());
  const Layout &lhsLayout = distributor.getLayout(op.getLhs());
  const Layout &rhsLayout = distributor.getLayout(op.getRhs());
  Value lhs = distributor.getDistributed(op.getLhs());
  Value rhs = distributor.getDistributed(op.getRhs());
  Value acc = distributor.getDistributed(op.getAcc());
  SmallVector<unsigned> reduced;
  int64_t products = 1;
  for (auto [dim, bound] : llvm::enumerate(bounds))
    if (!maps[2].getResultPosition(getAffineDimExpr(dim, op.getContext()))) {
      reduced.push_back(dim);
      products *= bound;
    }
  // This is the coordinate of an iteration of thread 0. Those of other threads
  // differ from it by the same offset in operands and result.
  SmallVector<int64_t> iteration(bounds.size(), 0);
  auto getRegister = [&](const Layout &layout, AffineMap map) {
    SmallVector<int64_t> at;
    for (AffineExpr expr : map.getResults())
      at.push_back(iteration[cast<AffineDimExpr>(expr).getPosition()]);
    return layout.getOwner(at).reg;
  };
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < accLayout.getNumRegisters(); ++reg) {
    for (auto [expr, at] : llvm::zip_equal(
             maps[2].getResults(), accLayout.getCoordinate({0, 0, reg})))
      iteration[cast<AffineDimExpr>(expr).getPosition()] = at;
    Value sum = extractRegister(b, acc, reg);
    for (int64_t i = 0; i < products; ++i) {
      int64_t rest = i;
      for (unsigned dim : llvm::reverse(reduced)) {
        iteration[dim] = rest % bounds[dim];
        rest /= bounds[dim];
      }
      sum = buildProduct(
          b, op, extractRegister(b, lhs, getRegister(lhsLayout, maps[0])),
          extractRegister(b, rhs, getRegister(rhsLayout, maps[1])), sum);
    }
    registers.push_back(sum);
  }
  return vector::FromElementsOp::create(
             b, distributor.getDistributedType(op.getResult()), registers)
      .getResult();
}

namespace {
/// The model of result[i, j] = acc[i, j] + lhs[i] * rhs[j], or of another
/// reduction than the sum. Each thread has the elements of `lhs` and `rhs` that
/// its registers need.
struct OuterProductModel
    : LayoutOpInterface::ExternalModel<OuterProductModel,
                                       vector::OuterProductOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &operand,
                                         const Layout &deciding) const {
    return deciding.project(getMissingDims(operand));
  }

  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &operand,
                                          const Layout &layout) const {
    if (llvm::is_contained(getMissingDims(operand), true))
      return std::nullopt;
    return layout;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto outer = cast<vector::OuterProductOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    const Layout &layout = distributor.getLayout(outer.getResult());
    auto getRegisters = [&](OpOperand &operand) -> Value {
      Value value = distributor.getDistributed(operand.get());
      if (!isa<VectorType>(value.getType()))
        return vector::BroadcastOp::create(
            b, distributor.getDistributedType(outer.getResult()), value);
      SmallVector<bool> missing = getMissingDims(operand);
      SmallVector<int64_t> registers;
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
        registers.push_back(layout.getProjectedRegister(reg, missing));
      return extractRegisters(b, value, registers);
    };
    Value lhs = getRegisters(outer.getLhsMutable()),
          rhs = getRegisters(outer.getRhsMutable());
    Value acc =
        outer.getAcc() ? distributor.getDistributed(outer.getAcc()) : Value();
    bool isFloat = isa<FloatType>(outer.getResultVectorType().getElementType());
    Value result;
    if (isFloat && acc && outer.getKind() == vector::CombiningKind::ADD) {
      result = vector::FMAOp::create(b, lhs, rhs, acc);
    } else {
      result = isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                       : arith::MulIOp::create(b, lhs, rhs).getResult();
      if (acc)
        result = vector::makeArithReduction(b, op->getLoc(), outer.getKind(),
                                            result, acc);
    }
    distributor.replace(op, result);
    return success();
  }

private:
  /// Marks the dimensions of the result that `operand` does not have. A vector
  /// times a scalar has one dimension.
  static SmallVector<bool> getMissingDims(OpOperand &operand) {
    auto outer = cast<vector::OuterProductOp>(operand.getOwner());
    if (outer.getResultVectorType().getRank() == 1 ||
        operand.get() == outer.getAcc())
      return SmallVector<bool>(outer.getResultVectorType().getRank(), false);
    return {operand.getOperandNumber() == 1, operand.getOperandNumber() == 0};
  }
};
} // namespace

void mlir::vector_ext::registerOuterProductModel(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::OuterProductOp::attachInterface<OuterProductModel>(*context);
  });
}
