//===- RecomputeWeights.cpp - Weights from the final state ----------------===//
//
// See RecomputeWeights.h.
//
// 1. Follow the weights through elementwise ops and reshapes, with the
// dimension
//    that the softmax reduces, to contractions.
// 2. Build the weights once more, and clone what lies in between.
// 3. Find what is reduced in front of these contractions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/RecomputeWeights.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Fusion/Plan/UnfusedChains.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns whether each element of the only result of `op` is computed from one
/// element of each input.
static bool isElementwiseOp(LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumReductionLoops() == 0 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

static bool reduces(Operation *op) {
  auto tiling = dyn_cast<TilingInterface>(op);
  return tiling && llvm::is_contained(tiling.getLoopIteratorTypes(),
                                      utils::IteratorType::reduction);
}

/// Returns the contraction from which elementwise ops and reshapes compute
/// `value`. Null if there is none.
static Operation *findContraction(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    auto structured = dyn_cast<LinalgOp>(op);
    if (structured && linalg::isaContractionOpInterface(structured))
      return op;
    if (structured && isElementwiseOp(structured))
      llvm::append_range(worklist, structured.getDpsInputs());
    else if (isReshapeOrSlice(op))
      worklist.push_back(op->getOperand(0));
  }
  return nullptr;
}

/// Returns whether `value` is filled with a number for which `matches` is true.
static bool isFilledWith(Value value,
                         function_ref<bool(const APFloat &)> matches) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  APFloat number(0.0);
  return fill && matchPattern(fill.getInputs()[0], m_ConstantFloat(&number)) &&
         matches(number);
}

static bool startsFromIdentity(SoftmaxOp op) {
  return isFilledWith(op.getOutputs()[1],
                      [](const APFloat &number) {
                        return number.isInfinity() && number.isNegative();
                      }) &&
         isFilledWith(op.getOutputs()[2],
                      [](const APFloat &number) { return number.isZero(); });
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

namespace {
/// The users of the weights.
struct WeightUsers {
  /// The weights, and the values that are computed from them elementwise, each
  /// with its dimension that the softmax reduces.
  llvm::MapVector<Value, int64_t> values;
  /// The operands of contractions that keep this dimension and reduce another
  /// one, and of contractions that reduce it.
  SmallVector<OpOperand *> kept, reduced;
  /// An op other than a structured one uses one of the values.
  bool escapes = false;
};
} // namespace

/// Returns the loop of the owner of `operand` that indexes its dimension `dim`.
/// Returns -1 if that is not a single loop.
static int64_t getLoop(OpOperand &operand, int64_t dim) {
  auto op = cast<LinalgOp>(operand.getOwner());
  auto loop = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(&operand).getResult(dim));
  return loop ? static_cast<int64_t>(loop.getPosition()) : -1;
}

static WeightUsers followWeights(SoftmaxOp softmax) {
  WeightUsers users;
  users.values.insert(
      {softmax->getResult(0), static_cast<int64_t>(softmax.getDimension())});
  for (unsigned i = 0; i < users.values.size(); ++i) {
    auto [value, dim] = users.values.begin()[i];
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (op->getBlock() != softmax->getBlock()) {
        users.escapes = true;
        continue;
      }
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
        FailureOr<SmallVector<int64_t>> mapped = mapDimsThroughReshape(op, dim);
        if (succeeded(mapped) && mapped->size() == 1)
          users.values.insert({op->getResult(0), mapped->front()});
        continue;
      }
      auto structured = dyn_cast<LinalgOp>(op);
      if (!structured) {
        users.escapes |= !isa<tensor::DimOp>(op);
        continue;
      }
      int64_t loop = structured.isDpsInput(&use) ? getLoop(use, dim) : -1;
      if (loop < 0)
        continue;
      if (isElementwiseOp(structured)) {
        AffineMap result =
            structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
        users.values.insert(
            {op->getResult(0), *result.getResultPosition(
                                   getAffineDimExpr(loop, op->getContext()))});
        continue;
      }
      SmallVector<utils::IteratorType> iterators =
          structured.getIteratorTypesArray();
      AffineMap map = structured.getMatchingIndexingMap(&use);
      bool reducesRows = llvm::any_of(
          llvm::seq<unsigned>(0, iterators.size()), [&](unsigned other) {
            return iterators[other] == utils::IteratorType::reduction &&
                   map.isFunctionOfDim(other);
          });
      if (!linalg::isaContractionOpInterface(structured))
        continue;
      if (iterators[loop] == utils::IteratorType::reduction)
        users.reduced.push_back(&use);
      else if (reducesRows)
        users.kept.push_back(&use);
    }
  }
  return users;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Builds the weights of `softmax` from `input`, which is its input or a copy
/// of it, and from its final state.
static Value buildWeights(RewriterBase &b, SoftmaxOp softmax, Value input,
                          SmallVectorImpl<Operation *> &built) {
  Location loc = softmax.getLoc();
  Value max = softmax->getResult(1), sum = softmax->getResult(2);
  auto type = cast<RankedTensorType>(softmax->getResult(0).getType());
  AffineMap full = b.getMultiDimIdentityMap(type.getRank());
  AffineMap state = full.dropResult(softmax.getDimension());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, input), type.getElementType());
  auto op = linalg::GenericOp::create(
      b, loc, type, ValueRange{input, max, sum}, empty,
      ArrayRef<AffineMap>{full, state, state, full}, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        auto convert = [&](Value value, Type to) {
          return convertScalarToDtype(b, loc, value, to,
                                      /*isUnsignedCast=*/false);
        };
        Value x = convert(args[0], args[1].getType());
        Value weight =
            arith::MulFOp::create(b, loc, buildShiftedExp(b, loc, x, args[1]),
                                  buildGuardedReciprocal(b, loc, args[2]));
        linalg::YieldOp::create(b, loc, convert(weight, type.getElementType()));
      });
  built.push_back(op);
  return op->getResult(0);
}

/// Returns whether there are more weights than other elements that
/// `contraction` reads, and more than it computes. Few weights, such as those
/// of slots, are better stored.
static bool areMany(SoftmaxOp softmax, LinalgOp contraction) {
  auto count = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? countElements(type) : 0;
  };
  uint64_t weights = count(softmax->getResult(0)), most = 0;
  for (OpOperand &operand : contraction->getOpOperands())
    if (count(operand.get()) != weights)
      most = std::max(most, count(operand.get()));
  return weights > most;
}

/// Returns whether `op` uses a result of one of `ops`.
static bool usesAny(Operation *op,
                    const llvm::SmallPtrSetImpl<Operation *> &ops) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return ops.contains(operand.getDefiningOp());
  });
}

WeightContractions mlir::linalg_ext::findWeightContractions(SoftmaxOp softmax) {
  WeightContractions found;
  if (softmax.getOnline() || softmax->getNumResults() == 0 ||
      !startsFromIdentity(softmax) || !findContraction(softmax.getInput()))
    return found;
  WeightUsers users = followWeights(softmax);
  if (users.escapes)
    return found;
  auto reads = [](ArrayRef<OpOperand *> operands, Operation *op) {
    return llvm::any_of(operands, [&](OpOperand *operand) {
      return operand->getOwner() == op;
    });
  };
  // Ops that depend on the softmax, and ops that depend on a reduction behind
  // it.
  llvm::SmallPtrSet<Operation *, 16> dependent{softmax}, behind;
  for (Operation *op = softmax->getNextNode(); op; op = op->getNextNode()) {
    bool isBehind = usesAny(op, behind);
    bool isKept = reads(users.kept, op);
    if ((isKept || (reads(users.reduced, op) && isBehind)) &&
        areMany(softmax, cast<LinalgOp>(op)))
      (isKept ? found.keeping : found.second).push_back(op);
    if (!isBehind && !usesAny(op, dependent))
      continue;
    dependent.insert(op);
    if (isBehind || reduces(op))
      behind.insert(op);
  }
  return found;
}

RecomputedWeights
mlir::linalg_ext::recomputeWeights(RewriterBase &rewriter, SoftmaxOp softmax,
                                   ArrayRef<Operation *> contractions) {
  RecomputedWeights weights;
  weights.softmax = softmax;
  weights.scores = findContraction(softmax.getInput());
  WeightUsers users = followWeights(softmax);
  SmallVector<OpOperand *> read;
  for (OpOperand *operand :
       llvm::concat<OpOperand *>(users.kept, users.reduced))
    if (llvm::is_contained(contractions, operand->getOwner()))
      read.push_back(operand);

  // The ops between the weights and the contractions, in program order.
  llvm::SetVector<Operation *> between;
  for (OpOperand *operand : read)
    if (Operation *op = operand->get().getDefiningOp(); op != softmax)
      between.insert(op);
  for (unsigned i = 0; i < between.size(); ++i)
    for (Value operand : between[i]->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && source != softmax && users.values.contains(operand))
        between.insert(source);
  SmallVector<Operation *> ops = between.takeVector();
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });

  // An op with other users is cloned.
  llvm::SmallPtrSet<Operation *, 8> isOwn;
  for (Operation *op : llvm::reverse(ops))
    if (llvm::all_of(op->getUses(), [&](OpOperand &use) {
          return isOwn.contains(use.getOwner()) ||
                 llvm::is_contained(read, &use);
        }))
      isOwn.insert(op);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(softmax);
  IRMapping mapping;
  mapping.map(softmax->getResult(0),
              buildWeights(rewriter, softmax, softmax.getInput(),
                           weights.built));
  auto replace = [&](OpOperand &operand) {
    Value old = operand.get();
    if (!mapping.contains(old))
      return;
    weights.replaced.push_back({&operand, old});
    rewriter.modifyOpInPlace(operand.getOwner(),
                             [&] { operand.set(mapping.lookup(old)); });
  };
  for (Operation *op : ops) {
    if (isOwn.contains(op)) {
      for (OpOperand &operand : op->getOpOperands())
        replace(operand);
      continue;
    }
    rewriter.setInsertionPointAfter(op);
    weights.built.push_back(rewriter.clone(*op, mapping));
  }
  for (OpOperand *operand : read)
    replace(*operand);

  // The reductions that the contractions depend on, and that depend on the
  // softmax.
  weights.reductions.insert(softmax);
  llvm::SmallPtrSet<Operation *, 16> dependent{softmax};
  for (Operation *op = softmax->getNextNode(); op; op = op->getNextNode()) {
    if (!usesAny(op, dependent))
      continue;
    dependent.insert(op);
    if (reduces(op) && !llvm::is_contained(contractions, op))
      weights.reductions.insert(op);
  }
  return weights;
}

/// Returns the uses of the weights of `softmax`, and of values computed from
/// them elementwise, other than by such elementwise ops and by contractions
/// along the reduced dimension.
static SmallVector<OpOperand *> findReturned(SoftmaxOp softmax,
                                             const WeightUsers &users) {
  SmallVector<OpOperand *> returned;
  for (auto [value, dim] : users.values)
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (isa<tensor::DimOp>(op) || llvm::is_contained(users.reduced, &use) ||
          (op->getNumResults() == 1 && users.values.contains(op->getResult(0))))
        continue;
      returned.push_back(&use);
    }
  return returned;
}

/// Copies the contractions and elementwise ops that compute `value`.
static Value cloneComputation(RewriterBase &rewriter, Value value,
                              IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (!op || mapping.contains(value) ||
      !(isa<LinalgOp, tensor::EmptyOp>(op) || isReshapeOrSlice(op)))
    return mapping.lookupOrDefault(value);
  if (auto structured = dyn_cast<LinalgOp>(op);
      structured && structured.getNumReductionLoops() > 0 &&
      !linalg::isaContractionOpInterface(structured))
    return value;
  for (Value operand : op->getOperands())
    cloneComputation(rewriter, operand, mapping);
  rewriter.clone(*op, mapping);
  return mapping.lookup(value);
}

unsigned mlir::linalg_ext::recomputeReturnedWeights(RewriterBase &rewriter,
                                                    Operation *scope,
                                                    int64_t mostHeld) {
  SmallVector<SoftmaxOp> softmaxes;
  scope->walk([&](SoftmaxOp op) { softmaxes.push_back(op); });
  OpBuilder::InsertionGuard guard(rewriter);
  unsigned number = 0;
  for (SoftmaxOp softmax : softmaxes) {
    if (softmax.getOnline() || softmax->getNumResults() == 0 ||
        !startsFromIdentity(softmax) || !findContraction(softmax.getInput()))
      continue;
    int64_t row = cast<ShapedType>(softmax.getInput().getType())
                      .getDimSize(softmax.getDimension());
    if (!ShapedType::isDynamic(row) && row <= mostHeld)
      continue;
    WeightUsers users = followWeights(softmax);
    if (users.reduced.empty() || !users.kept.empty())
      continue;
    SmallVector<OpOperand *> returned = findReturned(softmax, users);
    if (returned.empty())
      continue;
    // Insert before each user, in program order; all values that the copies
    // read are defined there. Copies behind the contraction get loops behind
    // those of the contraction.
    Block *block = softmax->getBlock();
    auto getUser = [&](OpOperand *use) {
      return block->findAncestorOpInBlock(*use->getOwner());
    };
    llvm::stable_sort(returned, [&](OpOperand *a, OpOperand *b) {
      Operation *first = getUser(a), *second = getUser(b);
      return first != second && first->isBeforeInBlock(second);
    });
    IRMapping mapping;
    SmallVector<Operation *> built;
    for (OpOperand *use : returned) {
      rewriter.setInsertionPoint(getUser(use));
      if (!mapping.contains(softmax->getResult(0))) {
        Value scores = cloneComputation(rewriter, softmax.getInput(), mapping);
        mapping.map(softmax->getResult(0),
                    buildWeights(rewriter, softmax, scores, built));
      }
      Value own = cloneComputation(rewriter, use->get(), mapping);
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(own); });
    }
    ++number;
  }
  return number;
}

void mlir::linalg_ext::undoRecomputedWeights(RewriterBase &rewriter,
                                             const RecomputedWeights &weights) {
  for (auto [operand, old] : weights.replaced)
    rewriter.modifyOpInPlace(
        operand->getOwner(),
        [&, operand = operand, old = old] { operand->set(old); });
  for (Operation *op : llvm::reverse(weights.built))
    rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// Erases the ops that are computed from `value` and that have no users.
static void eraseUnused(RewriterBase &rewriter, Value value) {
  llvm::SetVector<Operation *> found;
  auto add = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (user->getBlock() == value.getParentBlock() &&
          (isReshapeOrSlice(user) || isa<LinalgOp>(user)))
        found.insert(user);
  };
  add(value);
  for (unsigned i = 0; i < found.size(); ++i)
    for (Value result : found[i]->getResults())
      add(result);
  SmallVector<Operation *> ops = found.takeVector();
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && rhs->isBeforeInBlock(lhs);
  });
  for (Operation *op : ops)
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

void mlir::linalg_ext::simplifySoftmaxOfState(RewriterBase &rewriter,
                                              SoftmaxOp softmax) {
  eraseUnused(rewriter, softmax->getResult(0));
  if (!softmax->getResult(0).use_empty() || !softmax->getResult(3).use_empty())
    return;
  if (softmax->use_empty())
    return rewriter.eraseOp(softmax);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(softmax);
  Location loc = softmax.getLoc();
  Value input = softmax.getInput();
  auto type = cast<RankedTensorType>(input.getType());
  auto stateType = cast<RankedTensorType>(softmax->getResult(1).getType());
  AffineMap full = rewriter.getMultiDimIdentityMap(type.getRank());
  AffineMap state = full.dropResult(softmax.getDimension());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  iterators[softmax.getDimension()] = utils::IteratorType::reduction;
  auto convert = [&](OpBuilder &b, Location loc, Value x) {
    return convertScalarToDtype(b, loc, x, stateType.getElementType(),
                                /*isUnsignedCast=*/false);
  };
  Value max =
      linalg::GenericOp::create(
          rewriter, loc, stateType, input, softmax.getOutputs()[1],
          ArrayRef<AffineMap>{full, state}, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value x = convert(b, loc, args[0]);
            linalg::YieldOp::create(
                b, loc,
                arith::MaximumFOp::create(b, loc, x, args[1]).getResult());
          })
          ->getResult(0);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, input),
      stateType.getElementType());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  Value powers =
      linalg::GenericOp::create(
          rewriter, loc, empty.getType(), ValueRange{input, max}, empty,
          ArrayRef<AffineMap>{full, state, full}, parallel,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value x = convert(b, loc, args[0]);
            linalg::YieldOp::create(
                b, loc,
                math::ExpOp::create(b, loc,
                                    arith::SubFOp::create(b, loc, x, args[1]))
                    .getResult());
          })
          ->getResult(0);
  Value sum =
      linalg::GenericOp::create(
          rewriter, loc, stateType, powers, softmax.getOutputs()[2],
          ArrayRef<AffineMap>{full, state}, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(
                b, loc,
                arith::AddFOp::create(b, loc, args[1], args[0]).getResult());
          })
          ->getResult(0);
  // A row of -inf has the sum 0. The differences are not guarded one by one,
  // because the maximum could then not be the state of a loop that sums them.
  AffineMap row = rewriter.getMultiDimIdentityMap(stateType.getRank());
  SmallVector<utils::IteratorType> rows(stateType.getRank(),
                                        utils::IteratorType::parallel);
  Value guardedEmpty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, sum),
      stateType.getElementType());
  sum = linalg::GenericOp::create(
            rewriter, loc, stateType, ValueRange{max, sum}, guardedEmpty,
            ArrayRef<AffineMap>{row, row, row}, rows,
            [&](OpBuilder &b, Location loc, ValueRange args) {
              auto type = cast<FloatType>(args[0].getType());
              Value low = arith::ConstantOp::create(
                  b, loc,
                  FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(),
                                                       /*Negative=*/true)));
              Value zero =
                  arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
              Value isLow = arith::CmpFOp::create(
                  b, loc, arith::CmpFPredicate::OEQ, args[0], low);
              linalg::YieldOp::create(
                  b, loc,
                  arith::SelectOp::create(b, loc, isLow, zero, args[1])
                      .getResult());
            })
            ->getResult(0);
  rewriter.replaceAllUsesWith(softmax->getResult(1), max);
  rewriter.replaceAllUsesWith(softmax->getResult(2), sum);
  rewriter.eraseOp(softmax);
}
