//===- LogSoftmax.cpp - An online op whose repair adds --------------------===//
//
// The op is not softmax: its state is one number, and its repair adds where
// that of softmax multiplies. README.md explains each method.
//
//===----------------------------------------------------------------------===//

#include "Extend.h"

#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::extend;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

LogicalResult LogSoftmaxOp::verify() {
  RankedTensorType type = getInputType();
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= type.getRank())
    return emitOpError() << "expected dimension to be in [0, " << type.getRank()
                         << "), got " << dimension;
  if (!isa<FloatType>(type.getElementType()))
    return emitOpError() << "expected an input of floats, got " << type;
  Type state = RankedTensorType::Builder(type).dropDim(dimension);
  TypeRange outputs = getOutputs().getTypes();
  bool haveElementType = llvm::all_of(outputs, [&](Type output) {
    return getElementTypeOrSelf(output) == type.getElementType();
  });
  if (!haveElementType ||
      failed(verifyCompatibleShapes({type, state}, outputs)))
    return emitOpError() << "expected outputs of types " << type << ", "
                         << state << ", got " << outputs;
  return success();
}

SmallVector<utils::IteratorType> LogSoftmaxOp::getIteratorTypesArray() {
  SmallVector<utils::IteratorType> types(getInputType().getRank(),
                                         utils::IteratorType::parallel);
  types[getDimension()] = utils::IteratorType::reduction;
  return types;
}

ArrayAttr LogSoftmaxOp::getIndexingMaps() {
  AffineMap full =
      AffineMap::getMultiDimIdentityMap(getInputType().getRank(), getContext());
  return Builder(getContext())
      .getAffineMapArrayAttr({full, full, full.dropResult(getDimension())});
}

LogicalResult
LogSoftmaxOp::reifyResultShapes(OpBuilder &b,
                                ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(b, getLoc(), output));
  return success();
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static Value minusInfinity(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(type,
                     APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                     /*Negative=*/true)));
}

/// `value`, or `other` where `test` is -inf.
static Value unlessMinusInfinity(OpBuilder &b, Location loc, Value test,
                                 Value value, Value other) {
  Value isMinusInf =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, test,
                            minusInfinity(b, loc, test.getType()));
  return arith::SelectOp::create(b, loc, isMinusInf, other, value);
}

using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;

static Value buildGeneric(OpBuilder &b, Location loc, ValueRange inputs,
                          Value init, ArrayRef<AffineMap> maps,
                          ArrayRef<utils::IteratorType> iterators, Body body) {
  return linalg::GenericOp::create(
             b, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc, body(nested, loc, args));
             })
      .getResult(0);
}

void mlir::extend::lower(RewriterBase &rewriter, LogSoftmaxOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  OpBuilder &b = rewriter;
  int64_t rank = op.getInputType().getRank();
  Value x = op.getInput(), lse = op.getOutputs()[1];
  Type type = getElementTypeOrSelf(x);
  AffineMap full = b.getMultiDimIdentityMap(rank);
  AffineMap state = full.dropResult(op.getDimension());
  AffineMap rows = b.getMultiDimIdentityMap(rank - 1);
  SmallVector<utils::IteratorType> reduce = op.getIteratorTypesArray();
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  ArrayRef<utils::IteratorType> rowLoops = ArrayRef(parallel).drop_back();
  auto rowTensor = [&] {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, lse),
                                   type);
  };
  // A repair reads the old state after this op has overwritten it: it gets a
  // copy, without which the loop could not be bufferized in place.
  if (!lse.hasOneUse()) {
    Value copy = bufferization::AllocTensorOp::create(
        b, loc, cast<RankedTensorType>(lse.getType()), /*dynamicSizes=*/{},
        /*copy=*/lse);
    lse.replaceUsesWithIf(copy, [&](OpOperand &use) {
      Operation *owner = use.getOwner();
      return owner->getBlock() == op->getBlock() && op->isBeforeInBlock(owner);
    });
  }
  // M = max(lse, max_d x); sum = e^(lse - M) + sum_d e^(x - M)
  Value max = buildGeneric(
      b, loc, lse, rowTensor(), {rows, rows}, rowLoops,
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  max =
      buildGeneric(b, loc, x, max, {full, state}, reduce,
                   [](OpBuilder &b, Location loc, ValueRange args) {
                     return arith::MaximumFOp::create(b, loc, args[0], args[1]);
                   });
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto shiftedExp = [&](OpBuilder &b, Location loc, Value v, Value m) {
    Value guarded = unlessMinusInfinity(b, loc, m, m, zero);
    Value shifted = arith::SubFOp::create(b, loc, v, guarded);
    return math::ExpOp::create(b, loc, shifted);
  };
  Value sum =
      buildGeneric(b, loc, {lse, max}, rowTensor(), {rows, rows, rows},
                   rowLoops, [&](OpBuilder &b, Location loc, ValueRange args) {
                     return shiftedExp(b, loc, args[0], args[1]);
                   });
  sum = buildGeneric(b, loc, {x, max}, sum, {full, state, state}, reduce,
                     [&](OpBuilder &b, Location loc, ValueRange args) {
                       Value e = shiftedExp(b, loc, args[0], args[1]);
                       return arith::AddFOp::create(b, loc, args[2], e);
                     });
  lse = buildGeneric(b, loc, {max, sum}, lse, {rows, rows, rows}, rowLoops,
                     [&](OpBuilder &b, Location loc, ValueRange args) {
                       Value log = math::LogOp::create(b, loc, args[1]);
                       Value v = arith::AddFOp::create(b, loc, args[0], log);
                       return unlessMinusInfinity(b, loc, args[0], v, args[0]);
                     });
  Value y =
      buildGeneric(b, loc, {x, lse}, op.getOutputs()[0], {full, state, full},
                   parallel, [&](OpBuilder &b, Location loc, ValueRange args) {
                     Value v = arith::SubFOp::create(b, loc, args[0], args[1]);
                     return unlessMinusInfinity(b, loc, args[1], v, args[1]);
                   });
  rewriter.replaceOp(op, {y, lse});
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {
struct LogSoftmaxTiling
    : public StructuredTiling<LogSoftmaxTiling, LogSoftmaxOp> {
  std::optional<StringRef> getUncuttableReason(LogSoftmaxOp op,
                                               unsigned dim) const {
    if (dim == op.getDimension() && !op.getOnline())
      return StringRef("not online");
    return std::nullopt;
  }
};

struct LogSoftmaxOnline
    : public OnlineReductionOpInterface::ExternalModel<LogSoftmaxOnline,
                                                       LogSoftmaxOp> {
  SmallVector<unsigned> getOnlineDims(Operation *op) const {
    return {static_cast<unsigned>(cast<LogSoftmaxOp>(op).getDimension())};
  }
  SmallVector<unsigned> getStateResults(Operation *) const { return {1}; }
  TypedAttr getStateIdentity(Operation *op, unsigned) const {
    auto type = cast<FloatType>(
        getElementTypeOrSelf(cast<LogSoftmaxOp>(op).getInput()));
    return FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  }
  SmallVector<unsigned> getPartialResults(Operation *) const { return {0}; }
  RepairKind getRepairKind(Operation *) const { return RepairKind::Add; }
  SmallVector<int64_t> getRepairDims(Operation *op, unsigned) const {
    auto logSoftmax = cast<LogSoftmaxOp>(op);
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < logSoftmax.getInputType().getRank(); ++dim)
      if (dim != static_cast<int64_t>(logSoftmax.getDimension()))
        dims.push_back(dim);
    return dims;
  }
  bool isOnline(Operation *op) const {
    return cast<LogSoftmaxOp>(op).getOnline();
  }
  void setOnline(Operation *op, bool online) const {
    cast<LogSoftmaxOp>(op).setOnline(online);
  }
  bool supportsNormalization(Operation *, NormalizationForm form) const {
    return form == NormalizationForm::Eager;
  }
  LogicalResult setNormalization(Operation *, NormalizationForm form) const {
    return success(form == NormalizationForm::Eager);
  }
  FailureOr<Value> buildRepair(Operation *op, OpBuilder &b,
                               Location loc) const {
    return buildStateRepair(op, b, loc, cast<LogSoftmaxOp>(op).getOutputs()[1],
                            op->getResult(1));
  }
  /// lse - lse', and 0 while the accumulator still is -inf.
  FailureOr<Value> buildStateRepair(Operation *, OpBuilder &b, Location loc,
                                    ValueRange oldState,
                                    ValueRange newState) const {
    return buildRowwise(
        b, loc, {oldState[0], newState[0]},
        [](OpBuilder &b, Location loc, ValueRange args) {
          Value zero = arith::ConstantOp::create(
              b, loc, b.getZeroAttr(args[0].getType()));
          Value offset = arith::SubFOp::create(b, loc, args[0], args[1]);
          return unlessMinusInfinity(b, loc, args[0], offset, zero);
        });
  }
  /// M + log(e^(a - M) + e^(b - M)), M being max(a, b).
  FailureOr<SmallVector<Value>> buildCombine(Operation *, OpBuilder &b,
                                             Location loc, ValueRange lhs,
                                             ValueRange rhs) const {
    return SmallVector<Value>{buildRowwise(
        b, loc, {lhs[0], rhs[0]},
        [](OpBuilder &b, Location loc, ValueRange args) {
          Value max = arith::MaximumFOp::create(b, loc, args[0], args[1]);
          auto term = [&](Value lse) {
            Value shifted = arith::SubFOp::create(b, loc, lse, max);
            return math::ExpOp::create(b, loc, shifted);
          };
          Value sum =
              arith::AddFOp::create(b, loc, term(args[0]), term(args[1]));
          Value log = math::LogOp::create(b, loc, sum);
          Value lse = arith::AddFOp::create(b, loc, max, log);
          return unlessMinusInfinity(b, loc, max, lse, max);
        })};
  }
  FailureOr<Value> buildFinalRepair(Operation *, OpBuilder &, Location,
                                    ValueRange) const {
    return failure();
  }
  TypedAttr getNeutralInput(Operation *op) const {
    return getStateIdentity(op, 1);
  }
  TypedAttr getNeutralResult(Operation *op, unsigned) const {
    return getStateIdentity(op, 1);
  }

private:
  static Value buildRowwise(OpBuilder &b, Location loc, ValueRange inputs,
                            Body body) {
    auto type = cast<RankedTensorType>(inputs.front().getType());
    SmallVector<AffineMap> maps(inputs.size() + 1,
                                b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    Value empty = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, inputs.front()),
        type.getElementType());
    return buildGeneric(b, loc, inputs, empty, maps, iterators, body);
  }
};
} // namespace

void mlir::extend::attachLogSoftmaxInterfaces(MLIRContext *context) {
  LogSoftmaxOp::attachInterface<LogSoftmaxTiling, LogSoftmaxOnline>(*context);
}
