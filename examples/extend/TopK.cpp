//===- TopK.cpp - An accumulation of two results --------------------------===//
//
// Upstream has no op for it: it holds k values of a row, and where they were. A
// factor that is positive keeps the order of the values. So the repair of a
// softmax multiplies the values, and leaves the positions alone. README.md
// explains each method.
//
//===----------------------------------------------------------------------===//

#include "Extend.h"

#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::extend;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

enum : unsigned { kValues, kPositions };

LogicalResult TopKOp::verify() {
  int64_t rank = getInputType().getRank(), dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError() << "expected dimension to be in [0, " << rank
                         << "), got " << dimension;
  if (!isa<FloatType>(getInputType().getElementType()))
    return emitOpError() << "expected an input of floats, got "
                         << getInputType();
  auto rankOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  if (rankOf(getPositions()) != rank && rankOf(getPositions()) != 1)
    return emitOpError() << "expected positions of rank " << rank
                         << " or 1, got " << getPositions().getType();
  if (getOutputs().size() != 2 || rankOf(getOutputs()[kValues]) != rank ||
      rankOf(getOutputs()[kPositions]) != rank)
    return emitOpError() << "expected two outputs of rank " << rank << ", got "
                         << getOutputs().getTypes();
  return success();
}

SmallVector<utils::IteratorType> TopKOp::getIteratorTypesArray() {
  SmallVector<utils::IteratorType> types(getInputType().getRank() + 1,
                                         utils::IteratorType::parallel);
  types[getDimension()] = utils::IteratorType::reduction;
  return types;
}

ArrayAttr TopKOp::getIndexingMaps() {
  int64_t rank = getInputType().getRank();
  AffineMap domain = AffineMap::getMultiDimIdentityMap(rank + 1, getContext());
  AffineMap input = domain.dropResult(rank);
  AffineMap output = domain.dropResult(getDimension());
  auto positionsType = cast<RankedTensorType>(getPositions().getType());
  AffineMap positions =
      positionsType.getRank() == rank
          ? input
          : domain.getSubMap(static_cast<unsigned>(getDimension()));
  return Builder(getContext())
      .getAffineMapArrayAttr({input, positions, output, output});
}

LogicalResult TopKOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(b, getLoc(), output));
  return success();
}

static FloatAttr getMinusInfinity(Type type) {
  return FloatAttr::get(
      type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                            /*Negative=*/true));
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Inserts one value and its position into the list of row `row`: from the
/// first place on where the value is larger, all others move up by one.
static SmallVector<Value> buildInsertion(OpBuilder &b, Location loc, Value k,
                                         ArrayRef<Value> row, Value value,
                                         Value position, ValueRange lists) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isPlaced = arith::ConstantIntOp::create(b, loc, 0, /*width=*/1);
  auto loop = scf::ForOp::create(
      b, loc, zero, k, one,
      ValueRange{lists[kValues], lists[kPositions], value, position, isPlaced},
      [&](OpBuilder &b, Location loc, Value place, ValueRange args) {
        SmallVector<Value> at(row);
        at.push_back(place);
        Value oldValue = tensor::ExtractOp::create(b, loc, args[kValues], at);
        Value oldPosition =
            tensor::ExtractOp::create(b, loc, args[kPositions], at);
        Value isLarger = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::OGT, args[2], oldValue);
        Value moves = arith::OrIOp::create(b, loc, args[4], isLarger);
        auto select = [&](Value ifMoves, Value ifNot) -> Value {
          return arith::SelectOp::create(b, loc, moves, ifMoves, ifNot);
        };
        Value values = tensor::InsertOp::create(
            b, loc, select(args[2], oldValue), args[kValues], at);
        Value positions = tensor::InsertOp::create(
            b, loc, select(args[3], oldPosition), args[kPositions], at);
        scf::YieldOp::create(b, loc,
                             ValueRange{values, positions,
                                        select(oldValue, args[2]),
                                        select(oldPosition, args[3]), moves});
      });
  return llvm::to_vector_of<Value>(loop.getResults().take_front(2));
}

void mlir::extend::lower(RewriterBase &rewriter, TopKOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  int64_t rank = op.getInputType().getRank(), dimension = op.getDimension();
  auto sizeOf = [&](Value value, int64_t dim) {
    return tensor::DimOp::create(rewriter, loc, value, dim).getResult();
  };
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value k = sizeOf(op.getOutputs()[kValues], rank - 1);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(sizeOf(op.getInput(), dim));
  bool isShared =
      cast<RankedTensorType>(op.getPositions().getType()).getRank() != rank;
  Type type = getElementTypeOrSelf(op.getOutputs()[kValues]);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, SmallVector<Value>(rank, zero), sizes,
      SmallVector<Value>(rank, one), op.getOutputs(),
      [&](OpBuilder &b, Location loc, ValueRange ivs, ValueRange lists) {
        auto at = llvm::to_vector_of<Value>(ivs);
        Value value = tensor::ExtractOp::create(b, loc, op.getInput(), at);
        Value position = tensor::ExtractOp::create(
            b, loc, op.getPositions(),
            isShared ? ArrayRef<Value>(at[dimension]) : at);
        at.erase(at.begin() + dimension);
        return buildInsertion(b, loc, k, at,
                              convertScalarToDtype(b, loc, value, type,
                                                   /*isUnsignedCast=*/false),
                              position, lists);
      });
  rewriter.replaceOp(op, nest.results);
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {
struct TopKTiling : public StructuredTiling<TopKTiling, TopKOp> {
  std::optional<StringRef> getUncuttableReason(TopKOp op, unsigned dim) const {
    if (dim == op.getInputType().getRank())
      return StringRef("the best are chosen together");
    return std::nullopt;
  }
};

struct TopKRepairable
    : public RepairableOpInterface::ExternalModel<TopKRepairable, TopKOp> {
  bool isNonNegative(Operation *, ArrayRef<unsigned>) const { return false; }

  FailureOr<Accumulation> getAccumulation(Operation *op) const {
    auto topK = cast<TopKOp>(op);
    Builder b(op->getContext());
    TypedAttr position =
        b.getZeroAttr(getElementTypeOrSelf(topK.getOutputs()[kPositions]));
    return Accumulation{
        AccumulationKind::Max,
        kValues,
        getMinusInfinity(getElementTypeOrSelf(topK.getOutputs()[kValues])),
        {static_cast<unsigned>(topK.getDimension())},
        {{kPositions, position}}};
  }

  FailureOr<AccumulatorRepair>
  getAccumulatorRepair(Operation *op,
                       ArrayRef<StateDependentOperand> stateDependent,
                       Refusal &refusal) const {
    if (stateDependent.size() != 1 || stateDependent.front().number != 0)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "expected the values alone to depend on the state");
    StateDependentValue value = stateDependent.front().value;
    bool keepsOrder =
        value.degree.kind == RepairKind::Add ||
        (value.degree.kind == RepairKind::Scale && !value.isSigned);
    if (!keepsOrder)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "the repair need not keep the order of the values");
    int64_t dimension = cast<TopKOp>(op).getDimension();
    bool isReduced = false;
    renameDims(value.rows, [&](int64_t dim) {
      isReduced |= dim == dimension;
      return dim > dimension ? dim - 1 : dim;
    });
    if (isReduced)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "the repair acts along the dimension that is reduced");
    return AccumulatorRepair{kValues, value, getAccumulation(op)->neutral};
  }

  FailureOr<StateDependentValue>
  propagateRepair(Operation *op, ArrayRef<StateDependentOperand>,
                  Refusal &refusal) const {
    return refusal.set(RefusalKind::NotRepairable, op, "it accumulates");
  }

  /// -inf, of which nothing was chosen yet, stays.
  Value applyRepair(Operation *, OpBuilder &b, Location loc, RepairKind kind,
                    Value acc, Value rho, ArrayRef<int64_t> accDims) const {
    int64_t rank = cast<RankedTensorType>(acc.getType()).getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : accDims)
      exprs.push_back(b.getAffineDimExpr(dim));
    SmallVector<AffineMap> maps{AffineMap::get(rank, 0, exprs, b.getContext()),
                                b.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, acc.getType(), rho, acc, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Type type = args[1].getType();
                 Value by = convertScalarToDtype(b, loc, args[0], type, false);
                 Value repaired =
                     kind == RepairKind::Scale
                         ? Value(arith::MulFOp::create(b, loc, args[1], by))
                         : Value(arith::AddFOp::create(b, loc, args[1], by));
                 Value none =
                     arith::ConstantOp::create(b, loc, getMinusInfinity(type));
                 Value isNone = arith::CmpFOp::create(
                     b, loc, arith::CmpFPredicate::OEQ, args[1], none);
                 Value value =
                     arith::SelectOp::create(b, loc, isNone, args[1], repaired);
                 linalg::YieldOp::create(b, loc, value);
               })
        .getResult(0);
  }

  Operation *accumulateInto(Operation *op, OpBuilder &b, Location loc,
                            ValueRange inits) const {
    auto topK = cast<TopKOp>(op);
    return TopKOp::create(b, loc, inits.getTypes(), topK.getInput(),
                          topK.getPositions(), inits, topK.getDimension());
  }

  /// What one list holds is put into the other.
  SmallVector<Value> combineAccumulators(Operation *, OpBuilder &b,
                                         Location loc, ValueRange lhs,
                                         ValueRange rhs) const {
    int64_t rank = cast<RankedTensorType>(lhs[kValues].getType()).getRank();
    return TopKOp::create(b, loc, lhs.getTypes(), rhs[kValues], rhs[kPositions],
                          lhs, rank - 1)
        ->getResults();
  }
};
} // namespace

void mlir::extend::attachTopKInterfaces(MLIRContext *context) {
  TopKOp::attachInterface<TopKTiling, TopKRepairable>(*context);
}
