//===- SplitResults.cpp - Elements and their reductions as two ops --------===//
//
// Upstream's fusion of elementwise ops, and some programmers, write
// exponentials and their sum as one op with two results. Neither the rules for
// elementwise ops nor those for reductions apply to such an op. As two ops,
// each has its own rules, and loops over tiles fuse them again. If no such loop
// is expected, one op is better, because it reads its operands once.
//
//===----------------------------------------------------------------------===//

#include "SplitResults.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The ops of a payload that compute some of the yielded values, and the
/// arguments that they use.
struct Slice {
  llvm::SetVector<Operation *> ops;
  llvm::SmallPtrSet<Value, 8> arguments;

  void add(Value value, Block *body) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == body)
        arguments.insert(argument);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != body || !ops.insert(op))
      return;
    for (Value operand : op->getOperands())
      add(operand, body);
  }
};

/// A result that is written once in each iteration.
struct Elements {
  OpOperand *init = nullptr;
  /// The value before `rounding`, or the yielded value if there is no rounding.
  Value value;
  /// The op that rounds `value` to the yielded value. The reductions read
  /// `value`.
  Operation *rounding = nullptr;
};
} // namespace

/// Returns whether a reduction, at most `depth` ops before it, computes
/// `value`.
static bool isOfReduction(Value value, unsigned depth = 4) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && structured.getNumReductionLoops() > 0)
    return true;
  return (structured ||
          isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isOfReduction(operand, depth - 1);
         });
}

/// Returns whether `op` reduces values that depend on an earlier reduction of
/// the same rows, such as exponentials of differences from a maximum.
static bool reducesAgain(linalg::GenericOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return llvm::none_of(
               reduced,
               [&](unsigned dim) { return map.isFunctionOfDim(dim); }) &&
           isOfReduction(operand->get());
  });
}

/// Returns whether only reductions read `value`, at most `depth` ops behind it.
/// Loops over tiles may then compute it, and need not store it.
static bool isOnlyReduced(Value value, unsigned depth = 4) {
  return depth > 0 && !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           auto structured = dyn_cast<linalg::LinalgOp>(user);
           if (structured && structured.getNumReductionLoops() > 0)
             return true;
           return (structured ||
                   isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user)) &&
                  llvm::all_of(user->getResults(), [&](Value result) {
                    return isOnlyReduced(result, depth - 1);
                  });
         });
}

namespace {
/// Moves the elementwise results of a `linalg.generic` that also reduces to a
/// separate op. The reductions read its results. Nothing is computed twice.
struct SplitElementwiseResults : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op->getNumResults() < 2)
      return rewriter.notifyMatchFailure(op, "has no reduction beside others");
    if (!reducesAgain(op))
      return rewriter.notifyMatchFailure(op, "no operand is of reduced rows");
    Block *body = op.getBody();
    if (llvm::any_of(body->without_terminator(), [](Operation &inner) {
          return inner.getNumRegions() > 0 || !isMemoryEffectFree(&inner);
        }))
      return rewriter.notifyMatchFailure(op,
                                         "has an op with regions or effects");
    SmallVector<Elements> elements;
    SmallVector<OpOperand *> reduced;
    Slice ofElements, ofReductions;
    for (auto [init, yielded] : llvm::zip_equal(
             op.getDpsInitsMutable(), body->getTerminator()->getOperands())) {
      bool isElementwise = op.getMatchingIndexingMap(&init).isPermutation() &&
                           !op.payloadUsesValueFromOperand(&init);
      (isElementwise ? ofElements : ofReductions).add(yielded, body);
      if (isElementwise)
        elements.push_back({&init, yielded});
      else
        reduced.push_back(&init);
    }
    if (elements.empty() || reduced.empty())
      return rewriter.notifyMatchFailure(op, "has one kind of results");
    if (!llvm::all_of(elements, [&](const Elements &each) {
          return isOnlyReduced(op.getTiedOpResult(each.init));
        }))
      return rewriter.notifyMatchFailure(op, "its elements are stored");
    if (llvm::any_of(op.getRegionOutputArgs(), [&](Value argument) {
          return ofElements.arguments.contains(argument);
        }))
      return rewriter.notifyMatchFailure(op, "elements are of what is reduced");
    llvm::SetVector<Value> shared =
        getSharedValues(op, ofElements, ofReductions, reduced);
    for (Value value : shared)
      if (!provide(value, elements))
        return rewriter.notifyMatchFailure(op,
                                           "reduces what it does not yield");

    SmallVector<Value> values =
        buildElements(rewriter, op, elements, ofElements);
    linalg::GenericOp reduction =
        buildReductions(rewriter, op, elements, values, ofReductions, reduced);
    for (auto [init, result] :
         llvm::zip_equal(reduced, reduction->getResults()))
      rewriter.replaceAllUsesWith(op.getTiedOpResult(init), result);
    for (auto [each, value] : llvm::zip_equal(elements, values))
      rewriter.replaceAllUsesWith(op.getTiedOpResult(each.init),
                                  round(rewriter, op, each, value));
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns the values that the reductions use and the elements compute.
  /// Constants and positions are not included, because both ops can have them.
  static llvm::SetVector<Value> getSharedValues(linalg::GenericOp op,
                                                const Slice &ofElements,
                                                const Slice &ofReductions,
                                                ArrayRef<OpOperand *> reduced) {
    llvm::SetVector<Value> shared;
    auto use = [&](Value value) {
      Operation *inner = value.getDefiningOp();
      if (inner && ofElements.ops.contains(inner) &&
          !matchPattern(inner, m_Constant()) && !isa<linalg::IndexOp>(inner))
        shared.insert(value);
    };
    for (Operation *inner : ofReductions.ops)
      if (!ofElements.ops.contains(inner))
        llvm::for_each(inner->getOperands(), use);
    for (OpOperand *init : reduced)
      use(op.getMatchingYieldValue(init)->get());
    return shared;
  }

  /// Makes one of `elements` provide `value`, before its rounding if necessary.
  static bool provide(Value value, MutableArrayRef<Elements> elements) {
    for (Elements &each : elements)
      if (each.value == value)
        return true;
    for (Elements &each : elements) {
      Operation *last = each.value.getDefiningOp();
      if (each.rounding || !last || last->getNumOperands() != 1 ||
          last->getNumResults() != 1 || last->getOperand(0) != value)
        continue;
      each.rounding = last;
      each.value = value;
      return true;
    }
    return false;
  }

  static SmallVector<Value> buildElements(PatternRewriter &rewriter,
                                          linalg::GenericOp op,
                                          ArrayRef<Elements> elements,
                                          const Slice &slice) {
    SmallVector<Value> inits;
    SmallVector<AffineMap> maps = getInputMaps(op);
    for (const Elements &each : elements) {
      Value init = each.init->get();
      if (each.rounding)
        init = tensor::EmptyOp::create(
            rewriter, op.getLoc(),
            tensor::getMixedSizes(rewriter, op.getLoc(), init),
            each.value.getType());
      inits.push_back(init);
      maps.push_back(op.getMatchingIndexingMap(each.init));
    }
    SmallVector<utils::IteratorType> parallel(op.getNumLoops(),
                                              utils::IteratorType::parallel);
    auto built = linalg::GenericOp::create(
        rewriter, op.getLoc(), ValueRange(inits).getTypes(), op.getInputs(),
        inits, maps, parallel,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getRegionInputArgs(),
                      args.take_front(op.getNumDpsInputs()));
          cloneSlice(b, op, slice, mapping);
          SmallVector<Value> yielded;
          for (const Elements &each : elements)
            yielded.push_back(mapping.lookupOrDefault(each.value));
          linalg::YieldOp::create(b, loc, yielded);
        });
    return built->getResults();
  }

  static linalg::GenericOp
  buildReductions(PatternRewriter &rewriter, linalg::GenericOp op,
                  ArrayRef<Elements> elements, ValueRange values,
                  const Slice &slice, ArrayRef<OpOperand *> reduced) {
    SmallVector<Value> inputs(op.getInputs()), inits;
    SmallVector<AffineMap> maps = getInputMaps(op);
    for (auto [each, value] : llvm::zip_equal(elements, values)) {
      inputs.push_back(value);
      maps.push_back(op.getMatchingIndexingMap(each.init));
    }
    for (OpOperand *init : reduced) {
      inits.push_back(init->get());
      maps.push_back(op.getMatchingIndexingMap(init));
    }
    return linalg::GenericOp::create(
        rewriter, op.getLoc(), ValueRange(inits).getTypes(), inputs, inits,
        maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getRegionInputArgs(),
                      args.take_front(op.getNumDpsInputs()));
          args = args.drop_front(op.getNumDpsInputs());
          for (auto [each, arg] : llvm::zip(elements, args))
            if (each.value.getDefiningOp())
              mapping.map(each.value, arg);
          args = args.drop_front(elements.size());
          for (auto [init, arg] : llvm::zip_equal(reduced, args))
            mapping.map(op.getMatchingBlockArgument(init), arg);
          cloneSlice(b, op, slice, mapping);
          SmallVector<Value> yielded;
          for (OpOperand *init : reduced)
            yielded.push_back(
                mapping.lookupOrDefault(op.getMatchingYieldValue(init)->get()));
          linalg::YieldOp::create(b, loc, yielded);
        },
        linalg::getPrunedAttributeList(op));
  }

  /// Rounds `value` as `each` says.
  static Value round(PatternRewriter &rewriter, linalg::GenericOp op,
                     const Elements &each, Value value) {
    if (!each.rounding)
      return value;
    SmallVector<AffineMap> maps(2, op.getMatchingIndexingMap(each.init));
    SmallVector<utils::IteratorType> parallel(op.getNumLoops(),
                                              utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               rewriter, op.getLoc(), each.init->get().getType(), value,
               each.init->get(), maps, parallel,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 IRMapping mapping;
                 mapping.map(each.value, args.front());
                 Operation *copy = b.clone(*each.rounding, mapping);
                 linalg::YieldOp::create(b, loc, copy->getResult(0));
               })
        ->getResult(0);
  }

  static SmallVector<AffineMap> getInputMaps(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.truncate(op.getNumDpsInputs());
    return maps;
  }

  /// Clones the ops of `slice` whose results `mapping` does not have, in order.
  static void cloneSlice(OpBuilder &b, linalg::GenericOp op, const Slice &slice,
                         IRMapping &mapping) {
    for (Operation &inner : op.getBody()->without_terminator())
      if (slice.ops.contains(&inner) &&
          !llvm::all_of(inner.getResults(),
                        [&](Value result) { return mapping.contains(result); }))
        b.clone(inner, mapping);
  }
};
} // namespace

void mlir::linalg_ext::populateSplitResultsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitElementwiseResults>(patterns.getContext());
}
