//===- PromoteToF64.cpp - The same program in f64 -------------------------===//
//
// See PromoteToF64.h.
//
//===----------------------------------------------------------------------===//

#include "PromoteToF64.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

static APFloat toDouble(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

bool linalg_ext_test::isComputedFromBits(Operation *op) {
  auto isRounded = [](Value scale) {
    return !isa<Float8E8M0FNUType>(getElementTypeOrSelf(scale));
  };
  if (auto scaling = dyn_cast<arith::ScalingExtFOp>(op))
    return isRounded(scaling.getScale());
  if (auto scaling = dyn_cast<arith::ScalingTruncFOp>(op))
    return isRounded(scaling.getScale());
  // What rounds to a power of two takes the exponent.
  if (isa<arith::TruncFOp>(op))
    return !isRounded(op->getResult(0));
  return isa<arith::BitcastOp>(op);
}

OwningOpRef<ModuleOp> linalg_ext_test::promoteToF64(ModuleOp module) {
  MLIRContext *context = module.getContext();
  Type f64 = Float64Type::get(context);
  OwningOpRef<ModuleOp> clone = module.clone();

  // 1. Types and constants, also those that attributes and types refer to.
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType) { return f64; });
  replacer.addReplacement([&](FloatAttr attr) -> Attribute {
    return FloatAttr::get(f64, toDouble(attr.getValue()));
  });
  replacer.addReplacement(
      [&](DenseElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isa<FloatType>(attr.getElementType()))
          return std::nullopt;
        auto type = attr.getType().clone(f64);
        if (attr.isSplat())
          return {{DenseElementsAttr::get(
                       type, toDouble(attr.getSplatValue<APFloat>())),
                   WalkResult::skip()}};
        SmallVector<APFloat> numbers;
        for (APFloat number : attr.getValues<APFloat>())
          numbers.push_back(toDouble(number));
        return {{DenseElementsAttr::get(type, numbers), WalkResult::skip()}};
      });
  WalkResult refused = clone->walk([&](Operation *op) {
    bool isOpaque = isComputedFromBits(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      isOpaque |= isa<DenseResourceElementsAttr>(constant.getValue());
    if (!isOpaque)
      return WalkResult::advance();
    op->emitError("has no counterpart in f64");
    return WalkResult::interrupt();
  });
  if (refused.wasInterrupted())
    return {};
  replacer.recursivelyReplaceElementsIn(clone->getOperation(),
                                        /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // 2. Conversions that there are none of any more.
  SmallVector<Operation *> conversions;
  clone->walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp, arith::ScalingExtFOp,
            arith::ScalingTruncFOp>(op))
      conversions.push_back(op);
  });
  for (Operation *op : conversions) {
    OpBuilder b(op);
    Value x = op->getOperand(0);
    if (isa<arith::ScalingExtFOp>(op))
      x = arith::MulFOp::create(b, op->getLoc(), x, op->getOperand(1));
    else if (isa<arith::ScalingTruncFOp>(op))
      x = arith::DivFOp::create(b, op->getLoc(), x, op->getOperand(1));
    op->getResult(0).replaceAllUsesWith(x);
    op->erase();
  }
  return clone;
}
