//===- Raise.cpp - Recognising online reductions in upstream ops ----------===//
//
// Replaces linalg.softmax by linalg_ext.softmax. Does the same for the chains
// of linalg ops that importers write for it (SoftmaxChain.h).
//
//===----------------------------------------------------------------------===//

#include "SoftmaxChain.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-raise"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTRAISEPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Building the op
//===----------------------------------------------------------------------===//

/// Returns whether linalg_ext.softmax supports elements of `type`.
static bool isSoftmaxType(Type type) {
  return isa_and_nonnull<Float16Type, BFloat16Type, Float32Type, Float64Type>(
      type);
}

/// Builds the softmax of `input` along `dimension`, starting from the identity
/// state. The result is written to `output`.
static SoftmaxOp buildSoftmax(OpBuilder &b, Location loc, Value input,
                              Value output, int64_t dimension) {
  Type stateType = SoftmaxOp::getStateType(getElementTypeOrSelf(input));
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, e = cast<RankedTensorType>(input.getType()).getRank();
       dim < e; ++dim)
    if (dim != dimension)
      sizes.push_back(tensor::getMixedSize(b, loc, input, dim));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, stateType);
  Value minusInf = arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(
          stateType,
          APFloat::getInf(cast<FloatType>(stateType).getFloatSemantics(),
                          /*Negative=*/true)));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(stateType));
  Value max = linalg::FillOp::create(b, loc, minusInf, empty).getResult(0);
  Value sum = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  return SoftmaxOp::create(b, loc, input, ValueRange{output, max, sum, empty},
                           dimension);
}

//===----------------------------------------------------------------------===//
// linalg.softmax
//===----------------------------------------------------------------------===//

static bool raiseNamedSoftmax(RewriterBase &rewriter, linalg::SoftmaxOp op) {
  if (op->getNumResults() != 1 ||
      !isSoftmaxType(getElementTypeOrSelf(op.getInput()))) {
    LDBG() << "not raised, on buffers or of an unsupported type: " << *op;
    return false;
  }
  rewriter.setInsertionPoint(op);
  SoftmaxOp softmax = buildSoftmax(rewriter, op.getLoc(), op.getInput(),
                                   op.getOutput(), op.getDimension());
  rewriter.replaceOp(op, softmax->getResult(0));
  return true;
}

//===----------------------------------------------------------------------===//
// Chains: the input
//===----------------------------------------------------------------------===//

/// Returns whether the tensor that `term` reads can stand for it: each
/// dimension of the domain alone indexes one dimension of the tensor, and all
/// others have size 1.
static bool isWholeTensor(const Term &term, ArrayRef<int64_t> domain) {
  if (!term.isTensorElement())
    return false;
  int64_t numReads = 0;
  auto type = cast<RankedTensorType>(term.value.getType());
  for (auto [expr, size] :
       llvm::zip_equal(term.index.getResults(), type.getShape())) {
    if (isa<AffineDimExpr>(expr))
      ++numReads;
    else if (size != 1)
      return false;
  }
  int64_t numDims = 0;
  for (auto [dim, size] : llvm::enumerate(domain)) {
    if (size == 1)
      continue;
    if (term.findDim(dim) < 0)
      return false;
    ++numDims;
  }
  return numReads == numDims;
}

/// Returns the existing tensor that is the input of `chain`, if there is one.
static std::optional<Term> findInputTensor(const SoftmaxChain &chain) {
  if (chain.scale != 1.0)
    return std::nullopt;
  for (const Term &input : chain.inputs)
    for (std::optional<Term> term = input; term; term = unfoldOnce(*term))
      if (isWholeTensor(*term, chain.domain))
        return term;
  return std::nullopt;
}

/// Returns whether the input of `chain` can be computed as a tensor.
static bool canBuildInputTensor(const SoftmaxChain &chain) {
  TermBuilder builder(chain.domain);
  return succeeded(builder.add(chain.inputs.front())) && builder.knowsSizes();
}

/// Computes the input of `chain` over its domain. A scale is applied in the
/// type of the state, because f16 would round the result.
static Term buildInputTensor(OpBuilder &b, Location loc,
                             const SoftmaxChain &chain) {
  const Term &input = chain.inputs.front();
  TermBuilder builder(chain.domain);
  (void)builder.add(input);
  Type type = input.getType();
  if (chain.scale != 1.0)
    type = SoftmaxOp::getStateType(type);
  Value empty = tensor::EmptyOp::create(b, loc, builder.getSizes(b, loc), type);
  AffineMap identity = b.getMultiDimIdentityMap(chain.domain.size());
  linalg::GenericOp generic =
      builder.build(b, loc, empty, identity,
                    [&](OpBuilder &nested, Location loc,
                        ArrayRef<Value> values) -> SmallVector<Value> {
                      Value value =
                          convertScalarToDtype(nested, loc, values[0], type,
                                               /*isUnsignedCast=*/false);
                      if (chain.scale == 1.0)
                        return {value};
                      Value scale = arith::ConstantOp::create(
                          nested, loc, nested.getFloatAttr(type, chain.scale));
                      return {arith::MulFOp::create(nested, loc, value, scale)};
                    });
  return getTensorTerm(generic.getResult(0), identity);
}

/// Returns the sink of `chain` as a term over the states of the softmax of
/// `input`.
static Term getSinkOfStates(const SoftmaxChain &chain, const Term &input) {
  int64_t dimension = input.findDim(chain.dim);
  MLIRContext *context = input.value.getContext();
  SmallVector<AffineExpr> dims;
  for (int64_t dim = 0, e = chain.domain.size(); dim < e; ++dim) {
    int64_t position = dim == chain.dim ? -1 : input.findDim(dim);
    dims.push_back(
        position < 0
            ? getAffineConstantExpr(0, context)
            : getAffineDimExpr(position - (position > dimension), context));
  }
  const Term &sink = chain.sink->term;
  return {sink.value, sink.index.replaceDimsAndSymbols(
                          dims, {}, input.index.getNumResults() - 1, 0)};
}

/// Returns the static sizes of the states of the softmax of `input`.
static SmallVector<int64_t> getShapeOfStates(const SoftmaxChain &chain,
                                             const Term &input) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(input.value.getType()).getShape());
  shape.erase(shape.begin() + input.findDim(chain.dim));
  return shape;
}

/// Returns whether the sink of `chain` can be computed as a tensor.
static bool canBuildSink(const SoftmaxChain &chain) {
  TermBuilder builder(chain.domain);
  return succeeded(builder.add(chain.sink->term));
}

/// Lets `softmax` start from the sink of `chain`: the maximum is the sink, and
/// the sum is its exponential, 1.
static void startFromSink(RewriterBase &rewriter, SoftmaxOp softmax,
                          const SoftmaxChain &chain, const Term &input) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(softmax);
  Location loc = softmax.getLoc();
  TermBuilder builder(getShapeOfStates(chain, input));
  (void)builder.add(getSinkOfStates(chain, input));
  Value state = softmax.getOutputs()[1];
  auto type = cast<RankedTensorType>(state.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, state),
      type.getElementType());
  auto max = builder.build(
      rewriter, loc, empty, rewriter.getMultiDimIdentityMap(type.getRank()),
      [&](OpBuilder &b, Location loc,
          ArrayRef<Value> values) -> SmallVector<Value> {
        Value sink = convertScalarToDtype(
            b, loc, values[0], type.getElementType(), /*isUnsignedCast=*/false);
        if (chain.sink->scale != 1.0) {
          Value scale = arith::ConstantOp::create(
              b, loc, b.getFloatAttr(type.getElementType(), chain.sink->scale));
          sink = arith::MulFOp::create(b, loc, sink, scale);
        }
        if (chain.sink->isInMax)
          return {sink};
        // If the maximum of the program excludes the sink, an infinite sink
        // makes the sum infinite, and all elements 0. If it were the maximum
        // here, it would make them NaN.
        auto elementType = cast<FloatType>(type.getElementType());
        Value largest = arith::ConstantOp::create(
            b, loc,
            b.getFloatAttr(elementType, APFloat::getLargest(
                                            elementType.getFloatSemantics())));
        return {arith::MinimumFOp::create(b, loc, sink, largest)};
      });
  Value one = arith::ConstantOp::create(
      rewriter, loc, rewriter.getFloatAttr(type.getElementType(), 1.0));
  Value sum = linalg::FillOp::create(rewriter, loc, one, empty).getResult(0);
  rewriter.modifyOpInPlace(softmax, [&] {
    softmax.getOutputsMutable()[1].set(max.getResult(0));
    softmax.getOutputsMutable()[2].set(sum);
  });
}

//===----------------------------------------------------------------------===//
// Chains: the results
//===----------------------------------------------------------------------===//

/// Returns the only result of the anchor, if it is the softmax itself, and each
/// of its elements belongs to the same element of `input`. Null otherwise.
static Value findPlainResult(const SoftmaxChain &chain, const Term &input) {
  LinalgOp anchor = chain.anchor;
  if (anchor->getNumResults() != 1)
    return Value();
  OpOperand *init = anchor.getDpsInitOperand(0);
  Value result = anchor->getResult(0);
  Term written = getTensorTerm(
      result, anchor.getMatchingIndexingMap(init).compose(chain.root.index));
  if (anchor.getMatchingYieldValue(init)->get() != chain.root.value ||
      written.index != input.index || written.getType() != input.getType() ||
      !isWholeTensor(written, chain.domain))
    return Value();
  return result;
}

/// Registers the values that the anchor of `chain` yields, with `softmax` in
/// place of the chain's softmax.
static LogicalResult addYields(TermBuilder &builder, const SoftmaxChain &chain,
                               const Term &softmax) {
  LinalgOp anchor = chain.anchor;
  builder.replace(chain.root, softmax);
  for (OpOperand &init : anchor.getDpsInitsMutable()) {
    Value yielded = anchor.getMatchingYieldValue(&init)->get();
    if (failed(builder.add(getPayloadTerm(anchor, yielded))))
      return failure();
  }
  return success();
}

/// Returns whether the anchor of `chain` can be rebuilt around another softmax.
static bool canRebuildAnchor(const SoftmaxChain &chain) {
  LinalgOp anchor = chain.anchor;
  TermBuilder builder(chain.domain);
  return llvm::all_of(anchor.getBlock()->without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); }) &&
         succeeded(addYields(builder, chain, /*any tensor*/ chain.max.init));
}

/// Replaces the anchor of `chain` by an op that reads the softmax from
/// `softmax`.
static linalg::GenericOp rebuildAnchor(RewriterBase &rewriter,
                                       const SoftmaxChain &chain,
                                       const Term &softmax) {
  LinalgOp anchor = chain.anchor;
  TermBuilder builder(chain.domain);
  (void)addYields(builder, chain, softmax);
  SmallVector<AffineMap> initMaps;
  for (OpOperand &init : anchor.getDpsInitsMutable())
    initMaps.push_back(anchor.getMatchingIndexingMap(&init));
  rewriter.setInsertionPoint(anchor);
  linalg::GenericOp generic =
      builder.build(rewriter, anchor.getLoc(), anchor.getDpsInits(), initMaps,
                    [](OpBuilder &, Location, ArrayRef<Value> values) {
                      return llvm::to_vector(values);
                    });
  generic->setDiscardableAttrs(anchor->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(anchor->getResults(), generic.getResults());
  return generic;
}

/// Builds `value` with a dimension of size 1 added at `dimension`.
static Value buildUnitDimension(OpBuilder &b, Location loc, Value value,
                                int64_t dimension) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dimension, 1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  sizes.insert(sizes.begin() + dimension, b.getIndexAttr(1));
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
    groups.push_back({dim + (dim >= dimension)});
  if (!groups.empty()) {
    ReassociationIndices &group = groups[std::max<int64_t>(dimension - 1, 0)];
    group.insert(dimension == 0 ? group.begin() : group.end(), dimension);
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups, sizes);
}

/// Replaces uses of `reduction` by result `number` of `softmax` if the tensors
/// are the same, or differ only by a dimension of size 1 in place of the
/// reduced one. Users that the result does not dominate keep the reduction.
/// `input` is the term whose softmax is taken.
static void serveState(RewriterBase &rewriter, const Reduction &reduction,
                       SoftmaxOp softmax, unsigned number, const Term &input) {
  DominanceInfo dominance;
  auto isServed = [&](OpOperand &use) {
    return dominance.properlyDominates(softmax, use.getOwner());
  };
  Value state = softmax->getResult(number);
  int64_t dimension = softmax.getDimension();
  auto stateType = cast<RankedTensorType>(state.getType());
  SmallVector<int64_t> shape(stateType.getShape());
  AffineMap index = input.index.dropResult(dimension);
  bool keepsDim = reduction.index.getNumResults() > index.getNumResults();
  if (keepsDim) {
    index = index.insertResult(rewriter.getAffineConstantExpr(0), dimension);
    shape.insert(shape.begin() + dimension, 1);
  }
  if (reduction.index != index ||
      reduction.result.getType() !=
          RankedTensorType::get(shape, stateType.getElementType()) ||
      llvm::none_of(reduction.result.getUses(), isServed))
    return;
  rewriter.setInsertionPointAfter(softmax);
  if (keepsDim)
    state = buildUnitDimension(rewriter, softmax.getLoc(), state, dimension);
  rewriter.replaceUsesWithIf(reduction.result, state, isServed);
}

/// Returns the tensor to which the anchor writes its only result. Null if it is
/// only a placeholder, which costs nothing to replace.
static Value findDestination(const SoftmaxChain &chain) {
  LinalgOp anchor = chain.anchor;
  Value output = anchor.getDpsInitOperand(0)->get();
  Operation *producer = output.getDefiningOp();
  return producer && (isa<tensor::EmptyOp, arith::ConstantOp>(producer) ||
                      isa<LinalgOp>(producer))
             ? Value()
             : output;
}

//===----------------------------------------------------------------------===//
// Chains: the rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Raises the chains below a scope.
class ChainRaiser {
public:
  explicit ChainRaiser(RewriterBase &rewriter) : rewriter(rewriter) {}

  /// Raises the chains that end in an op of kind `RootOps`.
  template <typename... RootOps>
  unsigned raiseAll(Operation *scope);

private:
  bool raise(const SoftmaxChain &chain);
  void eraseIfDead(Operation *op);

  RewriterBase &rewriter;
  /// Ops in which a chain may end. Null for ops that were erased.
  SmallVector<Operation *> worklist;
  /// Ops that were erased with the current chain.
  DenseSet<Operation *> erased;
};
} // namespace

/// Erases `op` if it is dead, and then the ops that only it used.
void ChainRaiser::eraseIfDead(Operation *op) {
  SmallVector<Operation *> candidates{op};
  while (!candidates.empty()) {
    Operation *next = candidates.pop_back_val();
    if (erased.contains(next) || !isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        candidates.push_back(producer);
    llvm::replace(worklist, next, static_cast<Operation *>(nullptr));
    erased.insert(next);
    rewriter.eraseOp(next);
  }
}

/// Returns the earliest of the maximum, the sum and the anchor that `input` and
/// `output` dominate. The earlier the softmax is, the more users its state can
/// replace.
static Operation *chooseInsertionPoint(const SoftmaxChain &chain, Value input,
                                       Value output) {
  DominanceInfo dominance;
  for (Operation *op :
       {chain.max.result.getOwner(), chain.sum.result.getOwner()})
    if (dominance.properlyDominates(input, op) &&
        (!output || dominance.properlyDominates(output, op)))
      return op;
  return chain.anchor;
}

// Steps:
//   1. Find or build the tensor whose softmax is taken.
//   2. Build the softmax. It writes to the destination of the anchor.
//   3. Let the anchor read the result, and erase dead ops.
//   4. Let other users of the maximum and the sum use the state.
bool ChainRaiser::raise(const SoftmaxChain &chain) {
  LinalgOp anchor = chain.anchor;
  Location loc = anchor.getLoc();
  erased.clear();

  // 1.
  std::optional<Term> input = findInputTensor(chain);
  Value plain = input ? findPlainResult(chain, *input) : Value();
  Type type = input ? input->getType() : chain.inputs.front().getType();
  if (!isSoftmaxType(type) || (!input && !canBuildInputTensor(chain)) ||
      (!plain && !canRebuildAnchor(chain)) ||
      (chain.sink && !canBuildSink(chain))) {
    LDBG() << "not raised, no tensor of the scores can be built, or none that "
              "linalg_ext.softmax takes: "
           << *anchor;
    return false;
  }
  if (!input) {
    rewriter.setInsertionPoint(chain.firstUser);
    input = buildInputTensor(rewriter, loc, chain);
    plain = findPlainResult(chain, *input);
  }

  // 2.
  Value tensor = input->value, output;
  if (plain && plain.getType() == tensor.getType())
    output = findDestination(chain);
  rewriter.setInsertionPoint(chain.sink
                                 ? anchor.getOperation()
                                 : chooseInsertionPoint(chain, tensor, output));
  if (!output)
    output = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor),
        input->getType());
  int64_t dimension = input->findDim(chain.dim);
  SoftmaxOp softmax = buildSoftmax(rewriter, loc, tensor, output, dimension);
  if (chain.sink)
    startFromSink(rewriter, softmax, chain, *input);
  LDBG() << "raised: " << *softmax;

  // 3.
  Value result = softmax->getResult(0);
  if (plain) {
    if (result.getType() != plain.getType())
      result = tensor::CastOp::create(rewriter, loc, plain.getType(), result);
    rewriter.replaceAllUsesWith(plain, result);
  } else {
    worklist.push_back(
        rebuildAnchor(rewriter, chain, getTensorTerm(result, input->index)));
  }
  Operation *max = chain.max.result.getOwner(),
            *sum = chain.sum.result.getOwner();
  eraseIfDead(anchor);

  // 4.
  if (!erased.contains(sum) && chain.sumIsState) {
    serveState(rewriter, chain.sum, softmax, 2, *input);
    eraseIfDead(sum);
  }
  if (!erased.contains(max) && chain.maxIsState) {
    serveState(rewriter, chain.max, softmax, 1, *input);
    eraseIfDead(max);
  }
  return true;
}

template <typename... RootOps>
unsigned ChainRaiser::raiseAll(Operation *scope) {
  unsigned numRaised = 0;
  scope->walk([&](LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.isAllParallelLoops())
      worklist.push_back(op);
  });
  for (unsigned i = 0; i < worklist.size(); ++i) {
    if (!worklist[i])
      continue;
    auto anchor = cast<LinalgOp>(worklist[i]);
    for (Operation &op : *anchor.getBlock()) {
      if (!isa<RootOps...>(op))
        continue;
      std::optional<SoftmaxChain> chain =
          matchSoftmaxChain(anchor, op.getResult(0));
      if (!chain || !raise(*chain))
        continue;
      ++numRaised;
      break;
    }
  }
  worklist.clear();
  return numRaised;
}

//===----------------------------------------------------------------------===//
// Guards of empty rows behind the op
//===----------------------------------------------------------------------===//

/// Removes selects that replace rows whose scores are all -inf by 0. The op
/// returns 0 for such rows anyway.
static void dropEmptyRowGuards(RewriterBase &rewriter, Operation *scope) {
  auto findGuarded = [](LinalgOp op, arith::SelectOp select) -> Value {
    SmallVector<int64_t> domain = op.getStaticLoopRanges();
    for (bool zeroIfTrue : {true, false}) {
      Value zero = zeroIfTrue ? select.getTrueValue() : select.getFalseValue(),
            value = zeroIfTrue ? select.getFalseValue() : select.getTrueValue();
      std::optional<APFloat> constant = matchConstant(getPayloadTerm(op, zero));
      if (!constant || !constant->isZero())
        continue;
      Term term = unfold(getPayloadTerm(op, value));
      auto softmax = term.value.getDefiningOp<SoftmaxOp>();
      if (!softmax || term.value != softmax->getResult(0))
        continue;
      auto dim =
          dyn_cast<AffineDimExpr>(term.index.getResult(softmax.getDimension()));
      bool isNegated;
      if (dim &&
          isTrueForEmptyRows(getPayloadTerm(op, select.getCondition()), domain,
                             getTensorTerm(softmax.getInput(), term.index),
                             dim.getPosition(), isNegated) &&
          zeroIfTrue != isNegated)
        return value;
    }
    return Value();
  };
  SmallVector<std::pair<arith::SelectOp, Value>> guards;
  scope->walk([&](LinalgOp op) {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
      return;
    for (auto select : op.getBlock()->getOps<arith::SelectOp>())
      if (Value value = findGuarded(op, select))
        guards.push_back({select, value});
  });
  for (auto [select, value] : guards)
    rewriter.replaceOp(select, value);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Erases `op` if it is dead, and then the ops that only it used.
static void eraseDeadProducers(RewriterBase &rewriter, Operation *op) {
  SetVector<Operation *> candidates;
  candidates.insert(op);
  while (!candidates.empty()) {
    Operation *next = candidates.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        candidates.insert(producer);
    rewriter.eraseOp(next);
  }
}

/// Returns whether `op` starts from a maximum of -inf and a sum of 0.
static bool isFromIdentity(SoftmaxOp op) {
  auto max = op.getOutputs()[1].getDefiningOp<linalg::FillOp>(),
       sum = op.getOutputs()[2].getDefiningOp<linalg::FillOp>();
  APFloat start(0.0), zero(1.0);
  return max && sum &&
         matchPattern(max.getInputs().front(), m_ConstantFloat(&start)) &&
         matchPattern(sum.getInputs().front(), m_ConstantFloat(&zero)) &&
         start.isInfinity() && start.isNegative() && zero.isZero();
}

/// The softmax of x - max x is that of x, because exponents are relative to the
/// maximum anyway. Only the maximum differs.
static void dropShift(RewriterBase &rewriter, SoftmaxOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !op->getResult(1).use_empty() || !isFromIdentity(op))
    return;
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  std::optional<Term> input =
      matchShiftByMax(getTensorTerm(op.getInput(), identity), type.getShape(),
                      op.getDimension());
  if (!input)
    return;
  rewriter.setInsertionPoint(op);
  Value tensor;
  for (std::optional<Term> term = input; term && !tensor;
       term = unfoldOnce(*term))
    if (term->value.getType() == type &&
        term->index == getTensorTerm(term->value, identity).index)
      tensor = term->value;
  if (!tensor) {
    TermBuilder builder(type.getShape());
    if (failed(builder.add(*input)) || !builder.knowsSizes())
      return;
    Location loc = op.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, builder.getSizes(rewriter, loc), type.getElementType());
    linalg::GenericOp generic =
        builder.build(rewriter, loc, empty, identity,
                      [&](OpBuilder &nested, Location loc,
                          ArrayRef<Value> values) -> SmallVector<Value> {
                        return {convertScalarToDtype(nested, loc, values[0],
                                                     type.getElementType(),
                                                     /*isUnsignedCast=*/false)};
                      });
    tensor = generic.getResult(0);
    if (tensor.getType() != type)
      tensor = tensor::CastOp::create(rewriter, loc, type, tensor);
  }
  Operation *shift = op.getInput().getDefiningOp();
  rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(tensor); });
  eraseDeadProducers(rewriter, shift);
}

//===----------------------------------------------------------------------===//
// Other reductions of the same scores
//===----------------------------------------------------------------------===//

namespace {
/// Lets other ops use the state of a softmax that was raised: maxima of the
/// same scores, and sums of their exponentials, as in a log-sum-exp that the
/// program computes beside the softmax.
class StateServer {
public:
  StateServer(RewriterBase &rewriter, SoftmaxOp softmax)
      : rewriter(rewriter), softmax(softmax) {
    auto type = cast<RankedTensorType>(softmax.getInput().getType());
    shape.assign(type.getShape().begin(), type.getShape().end());
    dimension = softmax.getDimension();
    identity = rewriter.getMultiDimIdentityMap(type.getRank());
  }

  void run();

private:
  std::optional<Reduction> match(Value result);
  bool isMaximum(const Reduction &reduction);
  bool isMaximum(const Term &term);
  bool moveBefore(Operation *op);
  bool hasTypeOfState(Value value) {
    return value.getType() == softmax->getResult(1).getType();
  }

  RewriterBase &rewriter;
  SoftmaxOp softmax;
  SmallVector<int64_t> shape;
  int64_t dimension;
  AffineMap identity;
};
} // namespace

/// Matches `result` as a reduction of the domain of the scores along the same
/// dimension.
std::optional<Reduction> StateServer::match(Value result) {
  std::optional<Reduction> reduction = matchReduction(
      getTensorTerm(result, identity.dropResult(dimension)), shape);
  return reduction && reduction->dim == dimension &&
                 reduction->result == result
             ? reduction
             : std::nullopt;
}

/// Returns whether `reduction` is the maximum of the scores, including NaN.
bool StateServer::isMaximum(const Reduction &reduction) {
  std::optional<APFloat> init = matchConstant(reduction.init);
  return reduction.combiner == Combiner::Maximum && init &&
         init->isInfinity() && init->isNegative() &&
         areSameTerms(reduction.element,
                      getTensorTerm(softmax.getInput(), identity));
}

bool StateServer::isMaximum(const Term &term) {
  Term whole = unfold(term);
  if (whole.value == softmax->getResult(1))
    return whole.index == identity.dropResult(dimension);
  std::optional<Reduction> reduction = matchReduction(term, shape);
  return reduction && reduction->dim == dimension && isMaximum(*reduction);
}

/// Moves the softmax before `op`, if its operands are defined there.
bool StateServer::moveBefore(Operation *op) {
  if (softmax->isBeforeInBlock(op))
    return true;
  if (failed(moveValueDefinitions(rewriter, softmax->getOperands(), op)))
    return false;
  rewriter.moveOpBefore(softmax, op);
  return true;
}

void StateServer::run() {
  SmallVector<LinalgOp> ops;
  for (auto op : softmax->getBlock()->getOps<LinalgOp>())
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() == 1 &&
        !linalg::isaContractionOpInterface(op))
      ops.push_back(op);
  // Visit maxima first, because the sums subtract them.
  for (LinalgOp op : ops)
    for (OpResult result : op->getResults()) {
      std::optional<Reduction> reduction =
          hasTypeOfState(result) && !result.use_empty() ? match(result)
                                                        : std::nullopt;
      if (reduction && isMaximum(*reduction) && moveBefore(op))
        rewriter.replaceAllUsesWith(result, softmax->getResult(1));
    }
  Term scores = getTensorTerm(softmax.getInput(), identity);
  for (LinalgOp op : ops)
    for (OpResult result : op->getResults()) {
      std::optional<Reduction> reduction =
          hasTypeOfState(result) && !result.use_empty() ? match(result)
                                                        : std::nullopt;
      std::optional<ShiftedSum> sum =
          reduction ? matchShiftedSum(*reduction, scores) : std::nullopt;
      if (!sum || !isMaximum(sum->max) || !moveBefore(op))
        continue;
      Value served = softmax->getResult(2);
      if (sum->guardsInfinity) {
        // e^(inf - 0) is in the sum.
        rewriter.setInsertionPoint(op);
        Location loc = op.getLoc();
        auto type = cast<RankedTensorType>(served.getType());
        Value empty = tensor::EmptyOp::create(
            rewriter, loc, tensor::getMixedSizes(rewriter, loc, served),
            type.getElementType());
        AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
        SmallVector<utils::IteratorType> loops(type.getRank(),
                                               utils::IteratorType::parallel);
        served =
            linalg::GenericOp::create(
                rewriter, loc, type,
                ValueRange{softmax->getResult(1), served}, empty,
                ArrayRef<AffineMap>{map, map, map}, loops,
                [&](OpBuilder &b, Location loc, ValueRange args) {
                  Value infinity = arith::ConstantOp::create(
                      b, loc,
                      b.getFloatAttr(args[0].getType(),
                                     std::numeric_limits<double>::infinity()));
                  Value isInfinite = arith::CmpFOp::create(
                      b, loc, arith::CmpFPredicate::OEQ, args[0], infinity);
                  linalg::YieldOp::create(
                      b, loc,
                      arith::SelectOp::create(b, loc, isInfinite, infinity,
                                              args[1])
                          .getResult());
                })
                .getResult(0);
      }
      rewriter.replaceAllUsesWith(result, served);
    }
}

unsigned mlir::linalg_ext::raiseOnlineReductions(RewriterBase &rewriter,
                                                 Operation *scope) {
  SmallVector<linalg::SoftmaxOp> named;
  scope->walk([&](linalg::SoftmaxOp op) { named.push_back(op); });
  unsigned numRaised = llvm::count_if(named, [&](linalg::SoftmaxOp op) {
    return raiseNamedSoftmax(rewriter, op);
  });
  // Chains that end in a rounding of the result come first: the rounding is
  // part of the op.
  ChainRaiser chains(rewriter);
  numRaised += chains.raiseAll<arith::TruncFOp>(scope);
  // Next, chains that end in a mask, which is also part of the op.
  numRaised += chains.raiseAll<arith::SelectOp>(scope);
  numRaised += chains.raiseAll<arith::DivFOp, arith::MulFOp>(scope);
  // Chains that divide in the exponent.
  numRaised += chains.raiseAll<math::ExpOp, math::Exp2Op>(scope);
  dropEmptyRowGuards(rewriter, scope);
  SmallVector<SoftmaxOp> raised;
  scope->walk([&](SoftmaxOp op) { raised.push_back(op); });
  for (SoftmaxOp op : raised)
    dropShift(rewriter, op);
  for (SoftmaxOp op : raised)
    if (op->getNumResults() > 0 && !op.getOnline() && isFromIdentity(op))
      StateServer(rewriter, op).run();
  return numRaised;
}

namespace {
struct LinalgExtRaisePass
    : public linalg_ext::impl::LinalgExtRaisePassBase<LinalgExtRaisePass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    LinalgExtRaisePassBase::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    // A function does not have its callers.
    if (returnLogSumExp && !getOperation()->hasTrait<OpTrait::SymbolTable>()) {
      getOperation()->emitError()
          << "expected a module with 'return-log-sum-exp', got '"
          << getOperation()->getName() << "'";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    raisePagedGathers(rewriter, getOperation());
    raiseOnlineReductions(rewriter, getOperation());
    if (returnLogSumExp && failed(returnLogSumExps(rewriter, getOperation())))
      signalPassFailure();
  }
};
} // namespace
