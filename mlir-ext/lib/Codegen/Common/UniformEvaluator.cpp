//===- UniformEvaluator.cpp - Propagation of uniform tiles ----------------===//
//
// See UniformEvaluator.h. Evaluates the payload of each structured op on facts.
// It first applies rules that hold for finite numbers, and then the folders of
// the ops.
//
//===----------------------------------------------------------------------===//

#include "UniformEvaluator.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using Fact = UniformEvaluator::Fact;

static Fact factOf(TypedAttr constant) { return {constant, nullptr}; }
static Fact factOf(Value same) { return {nullptr, same}; }

UniformEvaluator::UniformEvaluator(Value scalar, bool value)
    : assumedScalar(scalar), assumedValue(value) {}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static bool isZero(const Fact &fact) {
  if (auto value = dyn_cast_if_present<FloatAttr>(fact.constant))
    return value.getValue().isZero();
  auto value = dyn_cast_if_present<IntegerAttr>(fact.constant);
  return value && value.getValue().isZero();
}

static bool isOne(const Fact &fact) {
  if (auto value = dyn_cast_if_present<FloatAttr>(fact.constant))
    return value.getValue().isExactlyValue(1.0);
  auto value = dyn_cast_if_present<IntegerAttr>(fact.constant);
  return value && value.getValue().isOne();
}

static bool isInfinity(const Fact &fact, bool negative) {
  auto value = dyn_cast_if_present<FloatAttr>(fact.constant);
  return value && value.getValue().isInfinity() &&
         value.getValue().isNegative() == negative;
}

static Fact factOfZero(Type type) {
  return factOf(cast<TypedAttr>(Builder(type.getContext()).getZeroAttr(type)));
}

/// Rules that the folders of the ops do not have, because they hold for finite
/// numbers only or regard zeros of either sign as one.
static Fact computeByRule(Operation *op, ArrayRef<Fact> operands) {
  Type type = op->getResult(0).getType();
  auto oneOfTwo = [&](auto predicate) -> std::optional<unsigned> {
    for (unsigned side : {0, 1})
      if (predicate(operands[side]))
        return side;
    return std::nullopt;
  };
  auto isMinusInfinity = [](const Fact &f) { return isInfinity(f, true); };
  auto isPlusInfinity = [](const Fact &f) { return isInfinity(f, false); };

  if (isa<arith::AddFOp, arith::AddIOp>(op)) {
    if (std::optional<unsigned> side = oneOfTwo(isZero))
      return operands[1 - *side];
    std::optional<unsigned> side = oneOfTwo(isMinusInfinity);
    if (side && !isPlusInfinity(operands[1 - *side]))
      return operands[*side];
  } else if (isa<arith::SubFOp, arith::SubIOp>(op)) {
    if (isZero(operands[1]))
      return operands[0];
    if (operands[0].same && operands[0] == operands[1])
      return factOfZero(type);
    if (isMinusInfinity(operands[0]) && !operands[1].constant)
      return operands[0];
  } else if (isa<arith::MulFOp, arith::MulIOp>(op)) {
    std::optional<unsigned> zero = oneOfTwo(isZero);
    if (zero && !isPlusInfinity(operands[1 - *zero]) &&
        !isMinusInfinity(operands[1 - *zero]))
      return operands[*zero];
    if (std::optional<unsigned> one = oneOfTwo(isOne))
      return operands[1 - *one];
  } else if (isa<arith::DivFOp>(op)) {
    if (isZero(operands[0]) && !isZero(operands[1]))
      return operands[0];
  } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    if (compare.getPredicate() == arith::CmpFPredicate::OEQ &&
        operands[0].same && operands[0] == operands[1])
      return factOf(cast<TypedAttr>(BoolAttr::get(op->getContext(), true)));
  } else if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    if (std::optional<unsigned> side = oneOfTwo(isMinusInfinity))
      return operands[1 - *side];
  } else if (isa<arith::MinimumFOp, arith::MinNumFOp>(op)) {
    if (std::optional<unsigned> side = oneOfTwo(isPlusInfinity))
      return operands[1 - *side];
  } else if (isa<math::ExpOp, math::Exp2Op>(op)) {
    if (isMinusInfinity(operands[0]))
      return factOfZero(type);
  } else if (isa<arith::SelectOp>(op)) {
    if (operands[0].constant)
      return operands[isZero(operands[0]) ? 2 : 1];
    if (operands[1] == operands[2])
      return operands[1];
  }
  return {};
}

SmallVector<Fact> UniformEvaluator::computeScalars(Operation *op,
                                                   ArrayRef<Fact> operands) {
  SmallVector<Fact> results;
  if (op->getNumResults() == 1 && op->getResult(0) == assumedScalar) {
    Builder b(op->getContext());
    return {factOf(b.getIntegerAttr(b.getI1Type(), assumedValue))};
  }
  for (Value result : op->getResults())
    results.push_back(factOf(result));
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return results;
  if (Fact fact = computeByRule(op, operands); fact.constant || fact.same)
    return {fact};

  // Folders may change the op that they look at.
  SmallVector<Attribute> constants;
  for (const Fact &operand : operands)
    constants.push_back(operand.constant);
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  if (succeeded(copy->fold(constants, folded)) && folded.size() == 1) {
    if (auto attr = dyn_cast<Attribute>(folded.front())) {
      if (auto constant = dyn_cast<TypedAttr>(attr))
        results.front() = factOf(constant);
    } else {
      Value value = cast<Value>(folded.front());
      for (auto [operand, fact] : llvm::zip_equal(op->getOperands(), operands))
        if (operand == value)
          results.front() = fact;
    }
  }
  copy->erase();
  return results;
}

Fact UniformEvaluator::computeYield(linalg::LinalgOp op, unsigned resultNumber,
                                    TypedAttr init) {
  Block *block = op.getBlock();
  llvm::DenseMap<Value, Fact> scalars;
  OpOperand *initOperand = op.getDpsInitOperand(resultNumber);
  // The same elements of the same values are the same.
  SmallVector<std::tuple<Value, AffineMap, Value>> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(&operand);
    if (init && &operand == initOperand) {
      scalars[arg] = factOf(init);
      continue;
    }
    Fact fact = evaluate(operand.get());
    if (op.isDpsInput(&operand) && fact.constant) {
      scalars[arg] = fact;
      continue;
    }
    scalars[arg] = factOf(Value(arg));
    if (!fact.same)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [value, otherMap, otherArg] : seen)
      if (value == fact.same && otherMap == map)
        scalars[arg] = factOf(otherArg);
    seen.emplace_back(fact.same, map, arg);
  }

  auto lookup = [&](Value value) -> Fact {
    if (auto it = scalars.find(value); it != scalars.end())
      return it->second;
    TypedAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return factOf(constant);
    return factOf(value);
  };
  // A mask that another op computed may be an element of an input.
  if (assumedScalar && assumedScalar.getParentBlock() == block &&
      isa<BlockArgument>(assumedScalar)) {
    Builder b(op->getContext());
    scalars[assumedScalar] =
        factOf(b.getIntegerAttr(b.getI1Type(), assumedValue));
  }
  // The same ops on the same operands compute the same.
  SmallVector<std::pair<Operation *, SmallVector<Fact>>> computed;
  for (Operation &scalar : block->without_terminator()) {
    SmallVector<Fact> operands = llvm::map_to_vector(
        scalar.getOperands(), [&](Value value) { return lookup(value); });
    if (scalar.getNumRegions() == 0 && isPure(&scalar) &&
        !llvm::is_contained(scalar.getResults(), assumedScalar)) {
      auto *same = llvm::find_if(computed, [&](const auto &other) {
        return other.first->getName() == scalar.getName() &&
               other.first->getAttrDictionary() == scalar.getAttrDictionary() &&
               other.first->getResultTypes() == scalar.getResultTypes() &&
               other.second == operands;
      });
      if (same != computed.end()) {
        for (auto [result, other] :
             llvm::zip_equal(scalar.getResults(), same->first->getResults()))
          scalars[result] = Fact(scalars[other]);
        continue;
      }
      computed.emplace_back(&scalar, operands);
    }
    for (auto [result, fact] : llvm::zip_equal(
             scalar.getResults(), computeScalars(&scalar, operands)))
      scalars[result] = fact;
  }
  return lookup(block->getTerminator()->getOperand(resultNumber));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Fact UniformEvaluator::computeStructured(linalg::LinalgOp op,
                                         unsigned resultNumber) {
  Value result = op->getResult(resultNumber);
  OpOperand *initOperand = op.getDpsInitOperand(resultNumber);
  Fact init = evaluate(initOperand->get());
  bool reduces = op.getNumReductionLoops() != 0;

  Fact yielded = computeYield(op, resultNumber, /*init=*/{});
  if (yielded.constant)
    return yielded;
  BlockArgument initArg = op.getMatchingBlockArgument(initOperand);
  if (yielded.same == initArg)
    return init;
  if (auto arg = dyn_cast<BlockArgument>(yielded.same);
      arg && arg.getOwner() == op.getBlock() && !reduces) {
    OpOperand &operand = op->getOpOperand(arg.getArgNumber());
    if (op.getMatchingIndexingMap(&operand) ==
        op.getMatchingIndexingMap(initOperand))
      return evaluate(operand.get());
  }
  if (init.constant) {
    yielded = computeYield(op, resultNumber, init.constant);
    if (yielded.constant && (!reduces || yielded.constant == init.constant))
      return yielded;
  }
  return factOf(result);
}

/// diag(1) * x, added to 0, is x.
Fact UniformEvaluator::computeProductWithDiag(BatchMatmulOp op) {
  Fact unknown = factOf(op->getResult(0));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned side : {0, 1}) {
    Value matrix = op.getInputs()[side];
    while (auto cast = matrix.getDefiningOp<tensor::CastOp>())
      matrix = cast.getSource();
    auto diag = matrix.getDefiningOp<DiagOp>();
    if (!diag || !isOne(evaluate(diag.getInput())) ||
        !isZero(evaluate(op.getOutputs()[0])))
      continue;
    // With one dimension of the matrix renamed to the other, result and other
    // operand have the same layout.
    AffineMap diagMap = maps[side], otherMap = maps[1 - side], outMap = maps[2];
    unsigned rank = diagMap.getNumResults();
    AffineExpr row = diagMap.getResult(rank - 2);
    AffineExpr column = diagMap.getResult(rank - 1);
    bool rowKept = outMap.getResultPosition(row).has_value();
    bool columnKept = outMap.getResultPosition(column).has_value();
    if (rowKept == columnKept ||
        getElementTypeOrSelf(op.getInputs()[1 - side]) !=
            getElementTypeOrSelf(op.getOutputs()[0]))
      return unknown;
    AffineExpr gone = rowKept ? column : row, kept = rowKept ? row : column;
    AffineMap renamed = otherMap.replace(gone, kept, otherMap.getNumDims(), 0);
    return renamed == outMap ? evaluate(op.getInputs()[1 - side]) : unknown;
  }
  return computeStructured(cast<linalg::LinalgOp>(op.getOperation()), 0);
}

Fact UniformEvaluator::compute(OpResult result) {
  Operation *op = result.getOwner();
  Fact unknown = factOf(Value(result));

  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    if (auto dense = dyn_cast<DenseElementsAttr>(constant))
      return dense.isSplat() ? factOf(dense.getSplatValue<TypedAttr>())
                             : unknown;
    auto typed = dyn_cast<TypedAttr>(constant);
    return typed ? factOf(typed) : unknown;
  }
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op)) {
    TypedAttr neutral = online.getNeutralInput();
    auto dps = cast<DestinationStyleOpInterface>(op);
    if (!neutral || llvm::any_of(dps.getDpsInputs(), [&](Value input) {
          return evaluate(input).constant != neutral;
        }))
      return unknown;
    unsigned number = result.getResultNumber();
    if (llvm::is_contained(online.getStateResults(), number))
      return evaluate(dps.getTiedOpOperand(result)->get());
    TypedAttr element = online.getNeutralResult(number);
    return element ? factOf(element) : unknown;
  }
  if (auto product = dyn_cast<BatchMatmulOp>(op))
    return computeProductWithDiag(product);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return computeStructured(structured, result.getResultNumber());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Fact source = evaluate(slice.getSource());
    return source.constant ? source : unknown;
  }
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return evaluate(store.getSource());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Fact source = evaluate(insert.getSource());
    Fact dest = evaluate(insert.getDest());
    if (source.constant)
      return source == dest ? source : unknown;
    // What was taken out is put back where it was.
    auto slice = source.same.getDefiningOp<tensor::ExtractSliceOp>();
    bool isSame = slice && evaluate(slice.getSource()) == dest &&
                  slice.isSameAs(insert, isEqualConstantIntOrValue);
    return isSame ? dest : unknown;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return evaluate(cast.getSource());
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Fact source = evaluate(op->getOperand(0));
    return source.constant ? source : unknown;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = result.getResultNumber();
    Fact taken = evaluate(branch.thenYield().getOperand(number));
    bool isSame = evaluate(branch.elseYield().getOperand(number)) == taken;
    return isSame ? taken : unknown;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned number = result.getResultNumber();
    Value arg = loop.getRegionIterArg(number);
    bool unchanged = evaluate(loop.getYieldedValues()[number]) == factOf(arg);
    return unchanged ? evaluate(loop.getInitArgs()[number]) : unknown;
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    // Each iteration puts back what it has taken out.
    BlockArgument arg =
        forall.getTiedBlockArgument(forall.getTiedOpOperand(result));
    bool unchanged = llvm::all_of(
        forall.getTerminator().getYieldingOps(), [&](Operation &yielding) {
          auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(&yielding);
          if (!insert || insert.getDest() != arg)
            return bool(insert);
          Fact source = evaluate(insert.getSource());
          auto slice = source.same
                           ? source.same.getDefiningOp<tensor::ExtractSliceOp>()
                           : tensor::ExtractSliceOp();
          return slice && slice.getSource() == arg &&
                 slice.isSameAs(insert, isEqualConstantIntOrValue);
        });
    return unchanged ? evaluate(forall.getTiedOpOperand(result)->get())
                     : unknown;
  }
  return unknown;
}

Fact UniformEvaluator::evaluate(Value value) {
  if (auto it = facts.find(value); it != facts.end())
    return it->second;
  // Where it depends on itself, by way of a loop, it is only itself.
  facts[value] = factOf(value);
  Fact fact = factOf(value);
  if (auto result = dyn_cast<OpResult>(value))
    fact = compute(result);
  return facts[value] = fact;
}

bool UniformEvaluator::leavesUnchanged(scf::ForOp loop) {
  return llvm::all_of(
      llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()),
      [&](auto pair) {
        auto [yielded, arg] = pair;
        return evaluate(yielded) == factOf(Value(arg));
      });
}
