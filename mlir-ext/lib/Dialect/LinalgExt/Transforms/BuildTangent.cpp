//===- BuildTangent.cpp - Derivatives of linalg ops -----------------------===//
//
// 1. Differentiate the payload, or split it into parts (PayloadDerivative).
// 2. Find the operands and iteration dimensions that the derivative needs.
// 3. Build a linalg.generic with these. Its payload has the derivative, and the
//    ops of the original payload that the derivative reads.
//
// Only the last step changes the program.
//
//===----------------------------------------------------------------------===//

#include "BuildTangent.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The op that computes it
//===----------------------------------------------------------------------===//

namespace {
/// An operand of the new op. Its elements replace `scalar` of the payload.
struct Read {
  Value value;
  AffineMap map;
  Value scalar;
};

/// The operands, dimensions and ops that the new op keeps.
struct Kept {
  SmallVector<Read> reads;
  llvm::SmallBitVector dims;

  void add(const Read &read) {
    reads.push_back(read);
    for (unsigned dim = 0; dim < dims.size(); ++dim)
      if (read.map.isFunctionOfDim(dim))
        dims.set(dim);
  }
};
} // namespace

/// Returns the ops of the payload and of `block` that compute `value`, in
/// order.
static SmallVector<Operation *> getPayloadSlice(LinalgOp op, Block &block,
                                                Value value) {
  if (isa<BlockArgument>(value))
    return {};
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *nested) {
    return nested->getBlock() == op.getBlock() || nested->getBlock() == &block;
  };
  (void)getBackwardSlice(value, &slice, options);
  SmallVector<Operation *> ops;
  for (Block *part : {op.getBlock(), &block})
    for (Operation &nested : *part)
      if (slice.contains(&nested))
        ops.push_back(&nested);
  return ops;
}

/// Returns an input that has iteration dimension `dim`, only for its size.
/// Among these, returns the one that needs the fewest additional dimensions.
/// Null if there is none.
static OpOperand *findShapeOf(LinalgOp op, unsigned dim, const Kept &kept) {
  OpOperand *best = nullptr;
  unsigned fewest = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.getResultPosition(getAffineDimExpr(dim, op.getContext())))
      continue;
    Kept with = kept;
    with.add({{}, map, {}});
    if (!best || with.dims.count() < fewest) {
      best = input;
      fewest = with.dims.count();
    }
  }
  return best;
}

/// Decides what to keep for `ops`, which compute the derivative.
static FailureOr<Kept> findKept(LinalgOp op, bool isElementwise,
                                ArrayRef<Operation *> ops, Value yielded,
                                PayloadDerivative &derivative,
                                ArrayRef<OperandTangent> operands,
                                bool keepsDims, Refusal &refusal) {
  llvm::SmallDenseSet<Value> used{yielded};
  Kept kept{{}, llvm::SmallBitVector(op.getNumLoops(), keepsDims)};
  for (Operation *part : ops)
    part->walk([&](Operation *nested) {
      used.insert(nested->operand_begin(), nested->operand_end());
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        kept.dims.set(index.getDim());
    });
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument scalar = op.getMatchingBlockArgument(&operand);
    if (used.contains(scalar))
      kept.add({operand.get(), op.getMatchingIndexingMap(&operand), scalar});
  }
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value scalar = derivative.getArgument(i);
    if (!scalar || !used.contains(scalar))
      continue;
    AffineMap map =
        op.getMatchingIndexingMap(&op->getOpOperand(operand.number));
    SmallVector<unsigned> dims(operand.tangent.dims.begin(),
                               operand.tangent.dims.end());
    kept.add({operand.tangent.value, map.getSubMap(dims), scalar});
  }
  if (isElementwise)
    return kept;

  SmallVector<unsigned> reductionDims;
  op.getReductionDims(reductionDims);
  for (unsigned dim : reductionDims) {
    kept.dims.set(dim);
    AffineExpr expr = getAffineDimExpr(dim, op.getContext());
    if (llvm::any_of(kept.reads, [&](const Read &read) {
          return read.map.getResultPosition(expr).has_value();
        }))
      continue;
    OpOperand *input = findShapeOf(op, dim, kept);
    if (!input)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "no input runs along reduction dimension " +
                             std::to_string(dim) + " alone");
    kept.add({input->get(), op.getMatchingIndexingMap(input),
              op.getMatchingBlockArgument(input)});
  }
  return kept;
}

/// Builds the size of iteration dimension `dim`, which is dimension `resultDim`
/// of the result.
static OpFoldResult buildSize(OpBuilder &b, Location loc, LinalgOp op,
                              unsigned dim, int64_t resultDim,
                              const Kept &kept) {
  Value init = op.getDpsInitOperand(0)->get();
  auto type = cast<RankedTensorType>(init.getType());
  if (!type.isDynamicDim(resultDim))
    return b.getIndexAttr(type.getDimSize(resultDim));
  AffineExpr expr = b.getAffineDimExpr(dim);
  for (const Read &read : kept.reads)
    if (std::optional<unsigned> position = read.map.getResultPosition(expr))
      return tensor::DimOp::create(b, loc, read.value, *position).getResult();
  return tensor::DimOp::create(b, loc, init, resultDim).getResult();
}

/// Builds the new op. Its payload has `ops`, and `yielded` is the derivative.
/// It accumulates into `init`, or into zeros if `init` is null.
static Tangent buildOp(LinalgOp op, Operation *combiner, OpBuilder &b,
                       Location loc, ArrayRef<Operation *> ops, Value yielded,
                       const Kept &kept, Value init) {
  // Maps each iteration dimension of `op` to one of the new op.
  SmallVector<AffineExpr> left(op.getNumLoops(), b.getAffineConstantExpr(0));
  SmallVector<unsigned> numberOf(op.getNumLoops());
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim : kept.dims.set_bits()) {
    numberOf[dim] = iterators.size();
    left[dim] = b.getAffineDimExpr(iterators.size());
    iterators.push_back(op.getIteratorTypesArray()[dim]);
  }
  unsigned rank = iterators.size();
  auto restrict = [&](AffineMap map) {
    return map.replaceDimsAndSymbols(left, {}, rank, 0);
  };

  Tangent tangent;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Read &read : kept.reads) {
    inputs.push_back(read.value);
    maps.push_back(restrict(read.map));
  }
  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> sizes;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [resultDim, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !kept.dims.test(dim.getPosition()))
      continue;
    tangent.dims.push_back(resultDim);
    exprs.push_back(left[dim.getPosition()]);
    sizes.push_back(buildSize(b, loc, op, dim.getPosition(), resultDim, kept));
  }
  maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));

  Type type = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  bool isNew = !init;
  if (isNew)
    init = tensor::EmptyOp::create(b, loc, sizes, type);
  if (isNew && combiner) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
  }
  tangent.value =
      linalg::GenericOp::create(
          b, loc, init.getType(), inputs, init, maps, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            IRMapping mapping;
            for (auto [read, arg] : llvm::zip(kept.reads, args))
              mapping.map(read.scalar, arg);
            for (Operation *part : ops)
              b.clone(*part, mapping)->walk([&](linalg::IndexOp index) {
                index.setDim(numberOf[index.getDim()]);
              });
            Value result = mapping.lookupOrDefault(yielded);
            if (combiner)
              result = arith::AddFOp::create(
                  b, loc, args.back(), result,
                  cast<arith::AddFOp>(combiner).getFastmath());
            linalg::YieldOp::create(b, loc, result);
          })
          .getResult(0);
  return tangent;
}

/// Returns whether derivatives and parts of the result of `op` can be built.
static LogicalResult checkResult(LinalgOp op, Refusal &refusal) {
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = dyn_cast<RankedTensorType>(init->get().getType());
  if (type && isa<FloatType>(type.getElementType()) &&
      op.getMatchingIndexingMap(init).isProjectedPermutation(
          /*allowZeroInResults=*/true))
    return success();
  return refusal.set(
      RefusalKind::NotRepairable, op,
      "expected a result of floating-point numbers whose indexing map is "
      "a projected permutation");
}

/// Returns the value that `op` yields or, if `combiner` is not null,
/// accumulates.
static Value getTerm(LinalgOp op, Operation *combiner) {
  if (!combiner)
    return op.getBlock()->getTerminator()->getOperand(0);
  BlockArgument acc = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  return combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0);
}

FailureOr<std::optional<Tangent>> mlir::linalg_ext::buildLinalgTangent(
    LinalgOp op, Operation *combiner, bool isSum, OpBuilder &b, Location loc,
    ArrayRef<OperandTangent> operands, Refusal &refusal) {
  if (failed(checkResult(op, refusal)))
    return failure();
  OpOperand *init = op.getDpsInitOperand(0);
  if (combiner && llvm::any_of(operands, [&](const OperandTangent &operand) {
        return operand.number == init->getOperandNumber();
      })) {
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "the state-dependent value is the accumulator's own initial value");
  }
  Value term = getTerm(op, combiner);
  PayloadDerivative payload(op, combiner, operands);
  Degree degree = payload.getDegree(term);
  if (degree.form == Degree::Other || degree.isMultiplied())
    return refusal.set(RefusalKind::NotRepairable, op,
                       "expected a polynomial in the state" + degree.explain());
  if (combiner && !isSum && degree.isPolynomial()) {
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "expected a sum of polynomials in the state, got another "
        "accumulation");
  }

  Derivative derivative = payload.get(term);
  if (derivative.isZero())
    return std::optional<Tangent>();
  // If all terms change by the same constant, so does their maximum or minimum.
  Type elementType = getElementTypeOrSelf(init->get());
  if (!derivative.value && (!combiner || !isSum))
    return std::optional<Tangent>(
        {b.getFloatAttr(elementType, derivative.constant), {}, {}});
  Value yielded = payload.materialize(derivative, term.getType());
  SmallVector<Operation *> ops =
      getPayloadSlice(op, payload.getBlock(), yielded);
  FailureOr<Kept> kept =
      findKept(op, /*isElementwise=*/!combiner, ops, yielded, payload, operands,
               /*keepsDims=*/false, refusal);
  if (failed(kept))
    return failure();
  return std::optional<Tangent>(
      buildOp(op, combiner, b, loc, ops, yielded, *kept, /*init=*/{}));
}

/// Returns the tensor whose element `yielded` is, if `op` is elementwise and
/// needs no arithmetic for it: an operand, or the derivative of one.
static std::optional<Tangent> findYielded(LinalgOp op, const Kept &kept,
                                          Value yielded) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (const Read &read : kept.reads) {
    if (read.scalar != yielded || kept.reads.size() != 1 ||
        !isa<RankedTensorType>(read.value.getType()) ||
        !read.map.isProjectedPermutation())
      continue;
    Tangent tangent{{}, read.value, {}};
    for (AffineExpr expr : read.map.getResults()) {
      std::optional<unsigned> position = map.getResultPosition(expr);
      if (!position)
        return std::nullopt;
      tangent.dims.push_back(*position);
    }
    return tangent;
  }
  return std::nullopt;
}

FailureOr<std::optional<Tangent>> mlir::linalg_ext::buildLinalgPart(
    LinalgOp op, Operation *combiner, AffinePart part, OpBuilder &b,
    Location loc, ArrayRef<OperandPart> operands, Refusal &refusal) {
  if (failed(checkResult(op, refusal)))
    return failure();
  OpOperand *init = op.getDpsInitOperand(0);
  if (llvm::any_of(operands, [&](const OperandPart &operand) {
        return operand.operand.number == init->getOperandNumber();
      })) {
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "the state-dependent value is the op's own initial value");
  }
  Value term = getTerm(op, combiner);
  PayloadDerivative payload(op, combiner, part, operands);
  if (Degree degree = payload.getDegree(term); !degree.isAffine())
    return refusal.set(RefusalKind::NotRepairable, op,
                       "expected a value of which the repair scales a part" +
                           degree.explain());
  Derivative derivative = payload.get(term);
  bool isScaled = part == AffinePart::Scaled;
  if (derivative.isZero() && !isScaled)
    return std::optional<Tangent>();
  Type elementType = getElementTypeOrSelf(init->get());
  if (!derivative.value && !combiner && !isScaled)
    return std::optional<Tangent>(
        {b.getFloatAttr(elementType, derivative.constant), {}, {}});

  Value yielded = payload.materialize(derivative, term.getType());
  SmallVector<Operation *> ops =
      getPayloadSlice(op, payload.getBlock(), yielded);
  SmallVector<OperandTangent> parts;
  for (const OperandPart &operand : operands)
    parts.push_back({operand.operand.number, operand.part.value_or(Tangent())});
  FailureOr<Kept> kept =
      findKept(op, /*isElementwise=*/!combiner, ops, yielded, payload, parts,
               /*keepsDims=*/isScaled, refusal);
  if (failed(kept))
    return failure();
  if (std::optional<Tangent> tangent = findYielded(op, *kept, yielded);
      tangent && !combiner &&
      (!isScaled || tangent->value.getType() == init->get().getType()))
    return tangent;
  return std::optional<Tangent>(buildOp(op, combiner, b, loc, ops, yielded,
                                        *kept,
                                        isScaled ? init->get() : Value()));
}

FailureOr<std::optional<Tangent>>
mlir::linalg_ext::buildReshapeTangent(Operation *op, OpBuilder &b, Location loc,
                                      ArrayRef<OperandTangent> operands,
                                      Refusal &refusal) {
  if (operands.empty())
    return std::optional<Tangent>();
  Tangent tangent = operands.front().tangent;
  if (tangent.constant)
    return std::optional<Tangent>(tangent);
  FailureOr<SmallVector<int64_t>> dims =
      mapDimsThroughReshape(op, tangent.dims);
  if (succeeded(dims)) {
    tangent.dims = *dims;
    return std::optional<Tangent>(tangent);
  }
  // Reshape the dimensions that the derivative has in the same way. Of the
  // dimensions of a group, it must have all or none.
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<OpFoldResult> sizes =
      expand ? getOutputShape(expand) : SmallVector<OpFoldResult>();
  SmallVector<ReassociationIndices> groups;
  SmallVector<OpFoldResult> outputShape;
  Tangent reshaped;
  size_t next = 0, numFound = 0;
  bool hasAll = true;
  for (auto [flat, group] :
       llvm::enumerate(expand ? expand.getReassociationIndices()
                              : collapse.getReassociationIndices())) {
    SmallVector<int64_t> ofSource =
        expand ? SmallVector<int64_t>{static_cast<int64_t>(flat)}
               : SmallVector<int64_t>(ArrayRef<int64_t>(group));
    ReassociationIndices indices;
    bool lacksOne = false;
    for (int64_t dim : ofSource) {
      if (numFound < tangent.dims.size() && tangent.dims[numFound] == dim) {
        ++numFound;
        indices.push_back(next++);
      } else {
        lacksOne |= source.getDimSize(dim) != 1;
      }
    }
    if (indices.empty())
      continue;
    hasAll &= !lacksOne;
    if (expand) {
      next += group.size() - 1;
      indices = llvm::to_vector_of<int64_t>(
          llvm::seq<int64_t>(next - group.size(), next));
      reshaped.dims.append(group.begin(), group.end());
      for (int64_t dim : group)
        outputShape.push_back(sizes[dim]);
    } else {
      reshaped.dims.push_back(flat);
    }
    groups.push_back(indices);
  }
  // (numFound only counts dimensions in ascending order.)
  if (!hasAll || numFound != tangent.dims.size())
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "a dimension along which the derivative varies is merged with "
        "one along which it does not");
  if (expand) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> shape = llvm::map_to_vector(
        reshaped.dims, [&](int64_t dim) { return type.getDimSize(dim); });
    reshaped.value = tensor::ExpandShapeOp::create(
        b, loc,
        RankedTensorType::get(shape, getElementTypeOrSelf(tangent.value)),
        tangent.value, groups, outputShape);
  } else {
    reshaped.value =
        tensor::CollapseShapeOp::create(b, loc, tangent.value, groups);
  }
  return std::optional<Tangent>(reshaped);
}
