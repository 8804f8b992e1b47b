//===- RepairableOpInterfaceImpl.cpp - Repairing linalg accumulations -----===//
//
// Reads the payload of a LinalgOp to decide whether a repair of an operand
// commutes with its accumulation, and builds the repair. One model serves
// upstream's LinalgOps and this project's.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// How a payload depends on the repaired operand
//===----------------------------------------------------------------------===//

namespace {
/// How a scalar of the payload reacts to the repair of an operand: not at all,
/// exactly like the operand, in either way (a zero, which scales to itself), or
/// in some other way.
enum class Degree { Invariant, One, Any, Other };
} // namespace

/// The degree of a sum or a choice of two values of which neither may be
/// mistaken for the other.
static Degree joinDegrees(Degree lhs, Degree rhs) {
  if (lhs == rhs || rhs == Degree::Any)
    return lhs;
  return lhs == Degree::Any ? rhs : Degree::Other;
}

/// Computes the degree of the result of `op` from those of its operands.
static Degree getDegree(Operation *op, RepairKind kind,
                        function_ref<Degree(Value)> of) {
  bool scale = kind == RepairKind::Scale;
  auto isInvariant = [&](Value value) {
    return of(value) == Degree::Invariant || of(value) == Degree::Any;
  };
  bool invariant = llvm::all_of(op->getOperands(), isInvariant);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      invariant &= llvm::all_of(nested->getOperands(), isInvariant);
    });
  if (invariant)
    return isMemoryEffectFree(op) ? Degree::Invariant : Degree::Other;
  return TypeSwitch<Operation *, Degree>(op)
      // A factor that does not depend on the state keeps a scaling.
      .Case<arith::MulFOp>([&](arith::MulFOp mul) {
        if (!scale)
          return Degree::Other;
        if (isInvariant(mul.getLhs()))
          return of(mul.getRhs());
        return isInvariant(mul.getRhs()) ? of(mul.getLhs()) : Degree::Other;
      })
      .Case<arith::DivFOp>([&](arith::DivFOp div) {
        return scale && isInvariant(div.getRhs()) ? of(div.getLhs())
                                                  : Degree::Other;
      })
      // Two scaled values scale their sum; an offset survives a summand that
      // does not depend on the state.
      .Case<arith::AddFOp>([&](arith::AddFOp add) {
        Degree lhs = of(add.getLhs()), rhs = of(add.getRhs());
        if (scale)
          return joinDegrees(lhs, rhs);
        if (isInvariant(add.getLhs()))
          return rhs;
        return isInvariant(add.getRhs()) ? lhs : Degree::Other;
      })
      .Case<arith::SubFOp>([&](arith::SubFOp sub) {
        Degree lhs = of(sub.getLhs()), rhs = of(sub.getRhs());
        if (scale)
          return joinDegrees(lhs, rhs);
        return isInvariant(sub.getRhs()) ? lhs : Degree::Other;
      })
      .Case<arith::NegFOp>([&](arith::NegFOp neg) {
        return scale ? of(neg.getOperand()) : Degree::Other;
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) {
        return isInvariant(select.getCondition())
                   ? joinDegrees(of(select.getTrueValue()),
                                 of(select.getFalseValue()))
                   : Degree::Other;
      })
      // Rounding commutes with the repair up to rounding.
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *cast) { return of(cast->getOperand(0)); })
      .Default([](Operation *) { return Degree::Other; });
}

/// The degree of `value` in the payload of `op` when operand `operandNumber` is
/// repaired. The op `skipped` is not looked into.
static Degree getPayloadDegree(LinalgOp op, unsigned operandNumber,
                               RepairKind kind, Value value,
                               Operation *skipped = nullptr) {
  DenseMap<Value, Degree> degrees;
  auto of = [&](Value v) {
    auto it = degrees.find(v);
    if (it != degrees.end())
      return it->second;
    // Not of the payload, or a constant of it.
    bool isZero =
        kind == RepairKind::Scale && matchPattern(v, m_AnyZeroFloat());
    return isZero ? Degree::Any : Degree::Invariant;
  };
  Block *body = op.getBlock();
  degrees[body->getArgument(operandNumber)] = Degree::One;
  for (Operation &nested : body->without_terminator()) {
    if (&nested == skipped || nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    Degree degree = getDegree(&nested, kind, of);
    for (Value result : nested.getResults())
      degrees[result] = degree;
  }
  return of(value);
}

/// The dimensions of `target` that `dims` of operand `operandNumber` are.
static FailureOr<SmallVector<int64_t>>
mapDims(LinalgOp op, unsigned operandNumber, ArrayRef<int64_t> dims,
        OpOperand *target, std::string &reason) {
  AffineMap from = op.getMatchingIndexingMap(&op->getOpOperand(operandNumber));
  AffineMap to = op.getMatchingIndexingMap(target);
  if (!from.isProjectedPermutation() || !to.isProjectedPermutation()) {
    reason += "expected indexing maps that are projected permutations";
    return failure();
  }
  SmallVector<int64_t> mapped;
  for (int64_t dim : dims) {
    std::optional<unsigned> position =
        to.getResultPosition(from.getResult(dim));
    if (!position) {
      reason += "dimension " + std::to_string(dim) +
                " of the operand, along which the repair acts, is contracted";
      return failure();
    }
    mapped.push_back(*position);
  }
  return mapped;
}

/// Returns the op by which the payload of `op` accumulates result `number`:
/// yield(combiner(acc, f(inputs))) with no other use of acc. Null otherwise.
static Operation *getCombiner(LinalgOp op, unsigned number) {
  BlockArgument acc = op.getRegionOutputArgs()[number];
  if (!acc.hasOneUse())
    return nullptr;
  Operation *combiner = *acc.getUsers().begin();
  Operation *yield = op.getBlock()->getTerminator();
  if (combiner->getNumResults() != 1 || combiner->getNumOperands() != 2 ||
      yield->getOperand(number) != combiner->getResult(0))
    return nullptr;
  return combiner;
}

/// Returns whether `op` sums the products of its two inputs, up to widening, as
/// a `linalg.contract` does: over dimensions that both of them have.
static bool isProductOfInputs(LinalgOp op, Operation *combiner) {
  if (op.getNumDpsInputs() != 2 || !isa<arith::AddFOp>(combiner) ||
      !op.hasOnlyProjectedPermutations())
    return false;
  SmallVector<unsigned> reductionDims;
  op.getReductionDims(reductionDims);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (reductionDims.empty() || llvm::any_of(reductionDims, [&](unsigned dim) {
        return !maps[0].isFunctionOfDim(dim) || !maps[1].isFunctionOfDim(dim);
      }))
    return false;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  auto product = combiner->getOperand(combiner->getOperand(0) == acc)
                     .getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto inputOf = [](Value value) {
    if (auto extend = value.getDefiningOp<arith::ExtFOp>())
      value = extend.getIn();
    auto arg = dyn_cast<BlockArgument>(value);
    return arg ? static_cast<int>(arg.getArgNumber()) : -1;
  };
  int lhs = inputOf(product.getLhs()), rhs = inputOf(product.getRhs());
  return lhs + rhs == 1 && lhs >= 0 && rhs >= 0;
}

/// Builds `combiner` on other operands, in their type.
static Value buildCombiner(OpBuilder &b, Location loc, Operation *combiner,
                           Value lhs, Value rhs) {
  OperationState state(loc, combiner->getName(), {lhs, rhs}, lhs.getType(),
                       combiner->getAttrs());
  return b.create(state)->getResult(0);
}

static bool isCombinerOf(Operation *combiner, RepairKind kind) {
  if (kind == RepairKind::Scale)
    return isa<arith::AddFOp>(combiner);
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(combiner);
}

/// The neutral element of `combiner`. (Upstream's arith::getNeutralElement
/// gives NaN-dropping combiners a NaN, which no fill in practice uses.)
static TypedAttr getNeutral(Operation *combiner) {
  auto type = cast<FloatType>(combiner->getResult(0).getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (isa<arith::AddFOp>(combiner))
    return FloatAttr::get(type, APFloat::getZero(semantics));
  bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner);
  return FloatAttr::get(type, APFloat::getInf(semantics, /*Negative=*/isMax));
}

//===----------------------------------------------------------------------===//
// RepairableOpInterface
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct LinalgRepairable
    : public RepairableOpInterface::ExternalModel<LinalgRepairable<OpTy>,
                                                  OpTy> {
  FailureOr<AccumulatorRepair>
  getAccumulatorRepair(Operation *operation, unsigned operandNumber,
                       RepairKind kind, ArrayRef<int64_t> repairDims,
                       std::string &reason) const {
    auto op = cast<LinalgOp>(operation);
    if (op.getNumDpsInits() != 1) {
      reason +=
          "expected 1 accumulator, got " + std::to_string(op.getNumDpsInits());
      return failure();
    }
    OpOperand &operand = op->getOpOperand(operandNumber);
    OpOperand *init = op.getDpsInitOperand(0);
    if (op.isDpsInit(&operand)) {
      reason += "the stale value is the accumulator's own initial value";
      return failure();
    }
    Operation *combiner = getCombiner(op, 0);
    if (!combiner || !isCombinerOf(combiner, kind)) {
      reason +=
          ("expected the accumulation to be " +
           StringRef(kind == RepairKind::Scale ? "a sum" : "a max or min") +
           " for a repair that " +
           (kind == RepairKind::Scale ? "scales" : "adds"))
              .str();
      return failure();
    }

    BlockArgument acc = op.getRegionOutputArgs()[0];
    Value term = combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0);
    if (getPayloadDegree(op, operandNumber, kind, term, combiner) !=
        Degree::One) {
      reason += "the accumulated term does not depend on the operand to the "
                "first degree";
      return failure();
    }
    FailureOr<SmallVector<int64_t>> accDims =
        mapDims(op, operandNumber, repairDims, init, reason);
    if (failed(accDims))
      return failure();
    return AccumulatorRepair{/*resultNumber=*/0, *accDims,
                             getNeutral(combiner)};
  }

  FailureOr<SmallVector<int64_t>>
  propagateRepair(Operation *operation, unsigned operandNumber, RepairKind kind,
                  ArrayRef<int64_t> repairDims, std::string &reason) const {
    auto op = cast<LinalgOp>(operation);
    if (op.getNumDpsInits() != 1 || !op.isAllParallelLoops()) {
      reason += "expected an elementwise op with 1 result";
      return failure();
    }
    OpOperand *init = op.getDpsInitOperand(0);
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    if (getPayloadDegree(op, operandNumber, kind, yielded) != Degree::One) {
      reason += "the result does not depend on the operand to the first degree";
      return failure();
    }
    return mapDims(op, operandNumber, repairDims, init, reason);
  }

  Value applyRepair(Operation *, OpBuilder &b, Location loc, RepairKind kind,
                    Value acc, Value rho, ArrayRef<int64_t> accDims) const {
    auto accType = cast<RankedTensorType>(acc.getType());
    if (kind == RepairKind::Scale && !accDims.empty())
      return buildDiagProduct(b, loc, acc, rho, accDims);

    // acc + rho, or acc * rho for a rho of rank 0, in place.
    int64_t rank = accType.getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : accDims)
      exprs.push_back(b.getAffineDimExpr(dim));
    SmallVector<AffineMap> maps{AffineMap::get(rank, 0, exprs, b.getContext()),
                                b.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, accType, rho, acc, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Value factor = convertScalarToDtype(b, loc, args[0],
                                                     args[1].getType(), false);
                 Value value =
                     kind == RepairKind::Scale
                         ? Value(arith::MulFOp::create(b, loc, args[1], factor))
                         : Value(
                               arith::AddFOp::create(b, loc, args[1], factor));
                 linalg::YieldOp::create(b, loc, value);
               })
        .getResult(0);
  }

  Operation *accumulateInto(Operation *operation, OpBuilder &b, Location loc,
                            Value init) const {
    if (auto matmul = dyn_cast<BatchMatmulOp>(operation))
      return BatchMatmulOp::create(b, loc, matmul.getInputs()[0],
                                   matmul.getInputs()[1], init,
                                   matmul.getIndexingMapsArray());
    auto op = cast<LinalgOp>(operation);
    Operation *combiner = getCombiner(op, 0);
    Type type = getElementTypeOrSelf(init);
    SmallVector<Value> inputs = op.getDpsInputs();
    if (isProductOfInputs(op, combiner))
      return linalg::ContractOp::create(b, loc, init.getType(), inputs, init,
                                        op.getIndexingMaps());
    BlockArgument acc = op.getRegionOutputArgs()[0];
    return linalg::GenericOp::create(
        b, loc, init.getType(), inputs, init, op.getIndexingMapsArray(),
        op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getBlock()->getArguments(), args);
          Value term = combiner->getOperand(combiner->getOperand(0) == acc);
          SetVector<Operation *> slice;
          BackwardSliceOptions options;
          options.omitBlockArguments = true;
          options.omitUsesFromAbove = false;
          options.inclusive = true;
          options.filter = [&](Operation *nested) {
            return nested->getBlock() == op.getBlock();
          };
          (void)getBackwardSlice(term, &slice, options);
          for (Operation &nested : op.getBlock()->without_terminator())
            if (slice.contains(&nested))
              b.clone(nested, mapping);
          term = convertScalarToDtype(b, loc, mapping.lookupOrDefault(term),
                                      type, /*isUnsignedCast=*/false);
          linalg::YieldOp::create(
              b, loc, buildCombiner(b, loc, combiner, args.back(), term));
        });
  }

  Value combineAccumulators(Operation *operation, OpBuilder &b, Location loc,
                            Value lhs, Value rhs) const {
    Operation *combiner = getCombiner(cast<LinalgOp>(operation), 0);
    int64_t rank = cast<RankedTensorType>(lhs.getType()).getRank();
    AffineMap map = b.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, lhs.getType(), rhs, lhs, ArrayRef<AffineMap>{map, map},
               iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Type lhsType = args[1].getType(), rhsType = args[0].getType();
                 Type wide = rhsType.getIntOrFloatBitWidth() >
                                     lhsType.getIntOrFloatBitWidth()
                                 ? rhsType
                                 : lhsType;
                 auto convert = [&](Value value, Type type) {
                   return convertScalarToDtype(b, loc, value, type, false);
                 };
                 Value sum =
                     buildCombiner(b, loc, combiner, convert(args[1], wide),
                                   convert(args[0], wide));
                 linalg::YieldOp::create(b, loc, convert(sum, lhsType));
               })
        .getResult(0);
  }

private:
  /// Builds diag(rho) * acc. The last dimension of rho becomes the rows of the
  /// diagonal matrix, the others are batch dimensions.
  static Value buildDiagProduct(OpBuilder &b, Location loc, Value acc,
                                Value rho, ArrayRef<int64_t> accDims) {
    auto accType = cast<RankedTensorType>(acc.getType());
    auto rhoType = cast<RankedTensorType>(rho.getType());
    int64_t rank = accType.getRank();
    SmallVector<OpFoldResult> diagSizes = tensor::getMixedSizes(b, loc, rho);
    diagSizes.push_back(diagSizes.back());
    Value diagInit =
        tensor::EmptyOp::create(b, loc, diagSizes, rhoType.getElementType());
    Value diag = DiagOp::create(b, loc, rho, diagInit)->getResult(0);

    // Iteration domain: the dimensions of acc, then the contracted one.
    SmallVector<AffineExpr> diagExprs, accExprs, outExprs;
    for (int64_t dim : accDims)
      diagExprs.push_back(b.getAffineDimExpr(dim));
    diagExprs.push_back(b.getAffineDimExpr(rank));
    for (int64_t dim = 0; dim < rank; ++dim) {
      outExprs.push_back(b.getAffineDimExpr(dim));
      accExprs.push_back(
          b.getAffineDimExpr(dim == accDims.back() ? rank : dim));
    }
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, diagExprs, context),
                                AffineMap::get(rank + 1, 0, accExprs, context),
                                AffineMap::get(rank + 1, 0, outExprs, context)};
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(accType.getElementType()));
    Value init = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, acc), accType.getElementType());
    init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
    return BatchMatmulOp::create(b, loc, diag, acc, init, maps)->getResult(0);
  }
};

template <typename... Ops>
void attachToAll(MLIRContext *context) {
  (Ops::template attachInterface<LinalgRepairable<Ops>>(*context), ...);
}
} // namespace

void mlir::linalg_ext::registerRepairableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    BatchMatmulOp::attachInterface<LinalgRepairable<BatchMatmulOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachToAll<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
    // The models build ops of these dialects.
    context->loadDialect<LinalgExtDialect>();
  });
}
