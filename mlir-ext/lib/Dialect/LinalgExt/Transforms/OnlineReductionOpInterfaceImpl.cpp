//===- OnlineReductionOpInterfaceImpl.cpp - softmax as an online op -------===//
//
// What tile-and-fuse needs to know of softmax: its state, how the results of
// earlier tiles are repaired, and how delayed results are finished.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Results of softmax.
enum : unsigned { kResult = 0, kMax = 1, kSum = 2, kScale = 3 };

namespace {
struct SoftmaxOnlineReduction
    : public OnlineReductionOpInterface::ExternalModel<SoftmaxOnlineReduction,
                                                       SoftmaxOp> {
  SmallVector<unsigned> getOnlineDims(Operation *op) const {
    return {static_cast<unsigned>(cast<SoftmaxOp>(op).getDimension())};
  }
  SmallVector<unsigned> getStateResults(Operation *) const {
    return {kMax, kSum};
  }
  TypedAttr getStateIdentity(Operation *op, unsigned resultNumber) const {
    auto type = cast<FloatType>(
        getElementTypeOrSelf(cast<SoftmaxOp>(op).getOutputs()[resultNumber]));
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    return FloatAttr::get(type, resultNumber == kMax
                                    ? APFloat::getInf(semantics, true)
                                    : APFloat::getZero(semantics));
  }
  SmallVector<unsigned> getPartialResults(Operation *) const {
    return {kResult};
  }
  RepairKind getRepairKind(Operation *) const { return RepairKind::Scale; }
  SmallVector<int64_t> getRepairDims(Operation *op, unsigned) const {
    auto softmax = cast<SoftmaxOp>(op);
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < softmax.getNumLoops(); ++dim)
      if (dim != static_cast<int64_t>(softmax.getDimension()))
        dims.push_back(dim);
    return dims;
  }
  bool isOnline(Operation *op) const { return cast<SoftmaxOp>(op).getOnline(); }
  void setOnline(Operation *op, bool online) const {
    cast<SoftmaxOp>(op).setOnline(online);
  }
  bool supportsNormalization(Operation *, NormalizationForm) const {
    return true;
  }
  LogicalResult setNormalization(Operation *op, NormalizationForm form) const {
    cast<SoftmaxOp>(op).setDelayed(form == NormalizationForm::Delayed);
    return success();
  }
  FailureOr<Value> buildRepair(Operation *op, OpBuilder &, Location) const {
    return Value(op->getResult(kScale));
  }
  FailureOr<Value> buildFinalRepair(Operation *, OpBuilder &b, Location loc,
                                    ValueRange finalState) const {
    // 1 / l, and 0 for a row of which nothing was visible.
    Value sum = finalState[1];
    auto type = cast<RankedTensorType>(sum.getType());
    Value empty = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, sum), type.getElementType());
    AffineMap map = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, empty.getType(), sum, empty,
               ArrayRef<AffineMap>{map, map}, iterators,
               [](OpBuilder &b, Location loc, ValueRange args) {
                 linalg::YieldOp::create(
                     b, loc, buildGuardedReciprocal(b, loc, args[0]));
               })
        .getResult(0);
  }
  TypedAttr getNeutralInput(Operation *op) const {
    auto type = dyn_cast<FloatType>(
        getElementTypeOrSelf(cast<SoftmaxOp>(op).getInput()));
    if (!type)
      return {};
    return FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  }
  TypedAttr getNeutralResult(Operation *op, unsigned resultNumber) const {
    auto type = cast<FloatType>(
        getElementTypeOrSelf(cast<SoftmaxOp>(op).getOutputs()[resultNumber]));
    return FloatAttr::get(type, resultNumber == kScale ? 1.0 : 0.0);
  }
};

struct SoftmaxAggregate
    : public linalg::AggregatedOpInterface::ExternalModel<SoftmaxAggregate,
                                                          SoftmaxOp> {
  FailureOr<SmallVector<Value>> decomposeOperation(Operation *op,
                                                   OpBuilder &b) const {
    return decomposeSoftmax(b, cast<SoftmaxOp>(op));
  }
};
} // namespace

void mlir::linalg_ext::registerOnlineReductionExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    SoftmaxOp::attachInterface<SoftmaxOnlineReduction, SoftmaxAggregate>(
        *context);
  });
}
