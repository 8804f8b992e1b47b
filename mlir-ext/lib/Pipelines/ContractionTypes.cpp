//===- ContractionTypes.cpp - Narrow floats of contractions ---------------===//
//
// See ContractionTypes.h.
//
//===----------------------------------------------------------------------===//

#include "ContractionTypes.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::MmaIntrinsic;
using vector_ext::VectorExtDialect;

/// Returns the 16-bit type to which an operand of `type`, a float of up to 8
/// bits, is extended without rounding if the other operand has type `other`.
/// Returns null for other types.
static FloatType getExtendedType(Type type, Type other) {
  if (!isNarrowFloat(type))
    return nullptr;
  // The largest exponent of f16 is only 15.
  if (other.isBF16() || isa<Float8E8M0FNUType>(type) ||
      isa<Float8E8M0FNUType>(other))
    return BFloat16Type::get(type.getContext());
  if (other.isF16() || isNarrowFloat(other))
    return Float16Type::get(type.getContext());
  return nullptr;
}

void mlir::linalg_ext::narrowExtensions(RewriterBase &rewriter,
                                        vector::ContractionOp contract) {
  auto lhs = contract.getLhs().getDefiningOp<arith::ExtFOp>();
  auto rhs = contract.getRhs().getDefiningOp<arith::ExtFOp>();
  if (!lhs || !rhs)
    return;
  Type types[] = {getElementTypeOrSelf(lhs.getIn().getType()),
                  getElementTypeOrSelf(rhs.getIn().getType())};
  FloatType element = getExtendedType(types[0], types[1]);
  if (types[0] == types[1] || !element ||
      getExtendedType(types[1], types[0]) != element ||
      getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth() <= 16)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  for (unsigned i : {0, 1}) {
    arith::ExtFOp extension = i == 0 ? lhs : rhs;
    auto type = cast<VectorType>(extension.getType()).clone(element);
    Value narrow = arith::ExtFOp::create(rewriter, contract.getLoc(), type,
                                         extension.getIn());
    rewriter.modifyOpInPlace(contract,
                             [&] { contract->setOperand(i, narrow); });
  }
}

/// Returns whether an instruction of `names` multiplies elements of the types
/// `lhs` and `rhs`. With `isAsynchronous`, it has to be asynchronous.
static bool isMultiplied(Type lhs, Type rhs, ArrayRef<StringRef> names,
                         bool isAsynchronous = false) {
  MLIRContext *context = lhs.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  return llvm::any_of(names, [&](StringRef name) {
    const MmaIntrinsic *intrinsic = dialect->lookupIntrinsic(name);
    return intrinsic->lhsType(context) == lhs &&
           intrinsic->rhsType(context) == rhs &&
           (intrinsic->isAsynchronous || !isAsynchronous);
  });
}

void mlir::linalg_ext::foldF8(RewriterBase &rewriter,
                              vector::ContractionOp contract,
                              ArrayRef<StringRef> names) {
  auto strip = [](Value value) {
    while (auto extension = value.getDefiningOp<arith::ExtFOp>())
      value = extension.getIn();
    return value;
  };
  Value operands[] = {contract.getLhs(), contract.getRhs()};
  Value lhs = strip(operands[0]), rhs = strip(operands[1]);
  Type type = getElementTypeOrSelf(lhs.getType());
  Type other = getElementTypeOrSelf(rhs.getType());
  // The vectors of a contraction have one type. Tiles that instructions read in
  // place may have another one than their bits.
  bool isMixed = type != other;
  if (lhs == operands[0] || rhs == operands[1] || !isF8(type) || !isF8(other) ||
      !isMultiplied(type, other, names, /*isAsynchronous=*/isMixed))
    return;
  if (isMixed) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(rhs);
    rhs = arith::BitcastOp::create(rewriter, contract.getLoc(),
                                   cast<VectorType>(rhs.getType()).clone(type),
                                   rhs);
  }
  rewriter.modifyOpInPlace(contract, [&] {
    contract.getLhsMutable().assign(lhs);
    contract.getRhsMutable().assign(rhs);
    if (isMixed)
      contract->setAttr(vector_ext::getFormatsAttrName(),
                        rewriter.getTypeArrayAttr({type, other}));
  });
  // Tiles are read in place only if they have no other users.
  llvm::SmallSetVector<Operation *, 4> extensions;
  for (Value operand : operands)
    for (auto op = operand.getDefiningOp<arith::ExtFOp>(); op;
         op = op.getIn().getDefiningOp<arith::ExtFOp>())
      extensions.insert(op);
  for (Operation *op : extensions)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

void mlir::linalg_ext::extendF8(RewriterBase &rewriter,
                                vector::ContractionOp contract,
                                ArrayRef<StringRef> names) {
  auto [lhsType, rhsType] = vector_ext::getOperandTypes(contract);
  if (isMultiplied(lhsType, rhsType, names))
    return;
  Type types[] = {lhsType, rhsType};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  for (unsigned i : {0, 1}) {
    FloatType element = getExtendedType(types[i], types[1 - i]);
    if (!element)
      continue;
    Value operand = contract->getOperand(i);
    auto type = cast<VectorType>(operand.getType()).clone(element);
    Value extended =
        arith::ExtFOp::create(rewriter, contract.getLoc(), type, operand);
    rewriter.modifyOpInPlace(contract,
                             [&] { contract->setOperand(i, extended); });
  }
}

void mlir::linalg_ext::clampRounded(RewriterBase &rewriter,
                                    vector::ContractionOp contract) {
  auto round = contract.getLhs().getDefiningOp<arith::TruncFOp>();
  if (!round || !isF8(round.getType()))
    return;
  auto type = cast<FloatType>(getElementTypeOrSelf(round.getType()));
  auto from = cast<VectorType>(round.getIn().getType());
  if (isClampedTo(round.getIn(), type))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(round);
  auto getLimit = [&](bool isNegative) -> Value {
    double limit = APFloat::getLargest(type.getFloatSemantics(), isNegative)
                       .convertToDouble();
    auto number = FloatAttr::get(from.getElementType(), limit);
    return arith::ConstantOp::create(rewriter, round.getLoc(),
                                     DenseElementsAttr::get(from, number));
  };
  Value x = arith::MinimumFOp::create(rewriter, round.getLoc(), round.getIn(),
                                      getLimit(/*isNegative=*/false));
  x = arith::MaximumFOp::create(rewriter, round.getLoc(), x,
                                getLimit(/*isNegative=*/true));
  rewriter.modifyOpInPlace(round, [&] { round.getInMutable().assign(x); });
}
