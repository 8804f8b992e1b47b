//===- OnlineReductionOpInterfaceImpl.cpp - softmax as an online op -------===//
//
// Describes softmax to tile-and-fuse: its state, how to repair what was
// computed from the results of earlier tiles, and how to normalise delayed
// results.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

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
  std::optional<RepairDegree> getReferenceDegree(Operation *,
                                                 unsigned resultNumber) const {
    return resultNumber == kMax ? RepairDegree{RepairKind::Add, 1.0}
                                : RepairDegree{RepairKind::Scale, -1.0};
  }
  LogicalResult setRescaleThreshold(Operation *op, double threshold) const {
    cast<SoftmaxOp>(op).setRescaleThreshold(
        APFloat(static_cast<float>(threshold)));
    return success();
  }
  FailureOr<Value> buildRepair(Operation *op, OpBuilder &, Location) const {
    return Value(op->getResult(kScale));
  }
  FailureOr<Value> buildFinalRepair(Operation *, OpBuilder &b, Location loc,
                                    ValueRange finalState) const {
    // 1 / l, or 0 for a row of which no element was visible.
    return buildRowwise(b, loc, finalState[1], /*numResults=*/1,
                        [](OpBuilder &b, Location loc,
                           ValueRange args) -> SmallVector<Value> {
                          return {buildGuardedReciprocal(b, loc, args[0])};
                        })
        .front();
  }
  FailureOr<Value> buildStateRepair(Operation *op, OpBuilder &b, Location loc,
                                    ValueRange oldState,
                                    ValueRange newState) const {
    // The factor is e^(m - m') if delayed. If eager, it is l e^(m - m') / l',
    // or 0 if l' is 0.
    SmallVector<Value> inputs{oldState[0], newState[0]};
    bool delayed = cast<SoftmaxOp>(op).getDelayed();
    if (!delayed)
      inputs.append({oldState[1], newState[1]});
    return buildRowwise(
               b, loc, inputs, /*numResults=*/1,
               [&](OpBuilder &b, Location loc,
                   ValueRange args) -> SmallVector<Value> {
                 Value rho = buildShiftedExp(b, loc, args[0], args[1]);
                 if (delayed)
                   return {rho};
                 rho = arith::MulFOp::create(b, loc, args[2], rho);
                 Value reciprocal = buildGuardedReciprocal(b, loc, args[3]);
                 return {arith::MulFOp::create(b, loc, rho, reciprocal)};
               })
        .front();
  }
  FailureOr<SmallVector<Value>> buildCombine(Operation *, OpBuilder &b,
                                             Location loc, ValueRange lhs,
                                             ValueRange rhs) const {
    // The merged state: M = max(m, n), and l e^(m - M) + k e^(n - M).
    return buildRowwise(
        b, loc, {lhs[0], lhs[1], rhs[0], rhs[1]}, /*numResults=*/2,
        [](OpBuilder &b, Location loc, ValueRange args) -> SmallVector<Value> {
          Value max = arith::MaximumFOp::create(b, loc, args[0], args[2]);
          auto scaled = [&](Value oldMax, Value sum) {
            Value rho = buildShiftedExp(b, loc, oldMax, max);
            return arith::MulFOp::create(b, loc, sum, rho);
          };
          Value left = scaled(args[0], args[1]);
          Value right = scaled(args[2], args[3]);
          return {max, arith::AddFOp::create(b, loc, left, right)};
        });
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

private:
  using Body =
      function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

  /// Builds an elementwise op on `inputs` with `numResults` results. All have
  /// the type of the first input.
  static SmallVector<Value> buildRowwise(OpBuilder &b, Location loc,
                                         ValueRange inputs, unsigned numResults,
                                         Body body) {
    auto type = cast<RankedTensorType>(inputs.front().getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, loc, inputs.front());
    SmallVector<Value> inits;
    for (unsigned i = 0; i < numResults; ++i)
      inits.push_back(
          tensor::EmptyOp::create(b, loc, sizes, type.getElementType()));
    SmallVector<AffineMap> maps(inputs.size() + numResults,
                                b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, loc, ValueRange(inits).getTypes(), inputs, inits, maps, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(b, loc,
                                  body(b, loc, args.drop_back(numResults)));
        });
    return llvm::to_vector_of<Value>(generic.getResults());
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
