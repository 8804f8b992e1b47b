//===- KeepReferences.cpp - Votes about references of rows ----------------===//
//
// With a `rescale-threshold`, a row keeps its reference until its maximum
// exceeds it by more than the threshold. In most iterations no row moves its
// reference. Then nobody needs the maxima of rows:
//
//   1. Each lane compares the maximum of its own elements with the references
//      of their rows, and the lanes of a subgroup vote.
//   2. If no lane has a larger one, all rows keep their references. Otherwise
//      lanes exchange maxima, and compute the references and the factors of
//      what has been accumulated, as before.
//   3. Accumulators are multiplied in a branch of the same condition, where
//      they have been awaited.
//
// Floats that are not negative are ordered as their bits. So the vote takes the
// maximum of 0 and of the elements as integers, three at a time. Where all
// elements are negative, it may ask for new references that do not differ.
//
//===----------------------------------------------------------------------===//

#include "KeepReferences.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool isConstant(Value value, double number) {
  APFloat found(0.0f);
  return matchPattern(value, m_ConstantFloat(&found)) &&
         found.isExactlyValue(number);
}

namespace {
/// What a loop computes from the maxima of rows.
struct References {
  /// The references of the previous iteration, the maxima, and the references
  /// of this iteration, which are one or the other.
  Value old, maxima, kept;
  /// By how much a maximum may exceed a reference.
  Value threshold;
  /// The factors of what was accumulated, and what they are where a row keeps
  /// its reference: 1.
  Value factors, ones;
  /// Updates of accumulators: selected where factors are not 1.
  SmallVector<arith::SelectOp> updates;

  static std::optional<References> get(arith::SelectOp op);

private:
  bool findFactors();
};
} // namespace

/// Returns whether `condition` is that `factors` are not 1, in any order.
static bool comparesFactors(Value condition, Value factors) {
  if (auto shuffle = condition.getDefiningOp<vector::ShuffleOp>())
    return shuffle.getV1() == shuffle.getV2() &&
           comparesFactors(shuffle.getV1(), factors);
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == arith::CmpFPredicate::UNE &&
         compare.getLhs() == factors && isConstant(compare.getRhs(), 1);
}

/// Finds the factors, which are selected where references stay.
bool References::findFactors() {
  for (Operation *user : kept.getUsers()) {
    auto compare = dyn_cast<arith::CmpFOp>(user);
    if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ ||
        compare.getLhs() != kept || compare.getRhs() != old)
      continue;
    for (Operation *selecting : compare->getUsers()) {
      auto select = dyn_cast<arith::SelectOp>(selecting);
      if (!select || select->getBlock() != kept.getParentBlock() ||
          select.getCondition() != compare ||
          !isConstant(select.getTrueValue(), 1))
        continue;
      factors = select;
      ones = select.getTrueValue();
      return true;
    }
  }
  return false;
}

/// Returns what belongs to `op`, if it selects references.
std::optional<References> References::get(arith::SelectOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  auto old = dyn_cast<BlockArgument>(op.getTrueValue());
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !type.getElementType().isF32() || !old ||
      old.getOwner() != op->getBlock() ||
      !isa<scf::ForOp>(op->getBlock()->getParentOp()) || !compare ||
      compare.getPredicate() != arith::CmpFPredicate::OLE ||
      !matchPattern(compare.getRhs(), m_Constant()))
    return std::nullopt;
  auto distance = compare.getLhs().getDefiningOp<arith::SubFOp>();
  if (!distance || distance.getLhs() != op.getFalseValue() ||
      distance.getRhs() != old)
    return std::nullopt;
  References found;
  found.old = old;
  found.maxima = op.getFalseValue();
  found.kept = op;
  found.threshold = compare.getRhs();
  if (!found.findFactors())
    return std::nullopt;
  for (auto select : op->getBlock()->getOps<arith::SelectOp>())
    if (comparesFactors(select.getCondition(), found.factors))
      found.updates.push_back(select);
  return found;
}

namespace {
/// Builds, in front of the exchange of maxima, what replaces the maximum of a
/// row by that of the elements of a lane.
class LaneMaxima {
public:
  LaneMaxima(ImplicitLocOpBuilder &b, const References &references,
             bool ofIntegers)
      : b(b), old(references.old), block(b.getInsertionBlock()),
        ofIntegers(ofIntegers) {}

  /// Returns what is at least `value` would be if a row had the elements of
  /// this lane alone. Null if that is not known.
  Value build(Value value);

private:
  Value buildMaximum(arith::MaximumFOp op);
  Value ofElements(arith::MaximumFOp op);

  ImplicitLocOpBuilder &b;
  Value old;
  Block *block;
  bool ofIntegers;
};
} // namespace

/// Returns whether `value` is what another lane has of `of`.
static bool isExchanged(Value value, Value of) {
  auto shuffle = value.getDefiningOp<gpu::ShuffleOp>();
  return shuffle && value == shuffle.getShuffleResult() &&
         shuffle.getValue() == of && shuffle.getValid().use_empty();
}

/// Builds the maximum of 0 and of the elements of a vector of which `op` is the
/// maximum. Null if it is that of something else.
Value LaneMaxima::ofElements(arith::MaximumFOp op) {
  llvm::SetVector<int64_t> positions;
  SmallVector<Value> open{op.getResult()};
  Value vector;
  while (!open.empty()) {
    Operation *next = open.pop_back_val().getDefiningOp();
    if (auto max = dyn_cast_or_null<arith::MaximumFOp>(next)) {
      llvm::append_range(open, max->getOperands());
      continue;
    }
    auto extract = dyn_cast_or_null<vector::ExtractOp>(next);
    if (!extract || extract.hasDynamicPosition() ||
        extract.getStaticPosition().size() != 1 ||
        (vector && vector != extract.getSource()))
      return {};
    vector = extract.getSource();
    positions.insert(extract.getStaticPosition().front());
  }
  // Masks and functions of scores leave no registers for two more paths.
  auto type = cast<VectorType>(vector.getType());
  if (!vector.getDefiningOp<vector_ext::AwaitOp>() ||
      !type.getElementType().isF32())
    return {};
  Value bits = arith::BitcastOp::create(b, type.clone(b.getI32Type()), vector);
  SmallVector<int64_t> order = positions.takeVector();
  llvm::sort(order);
  // Two chains do not wait for each other.
  Value zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  Value chains[] = {zero, {}};
  for (auto [i, position] : llvm::enumerate(order)) {
    Value element = vector::ExtractOp::create(b, bits, position);
    Value &chain = chains[i % 2];
    chain =
        chain ? arith::MaxSIOp::create(b, chain, element).getResult() : element;
  }
  Value most = chains[0];
  if (chains[1])
    most = arith::MaxSIOp::create(b, most, chains[1]);
  return arith::BitcastOp::create(b, b.getF32Type(), most);
}

Value LaneMaxima::buildMaximum(arith::MaximumFOp op) {
  for (unsigned i : {0, 1}) {
    if (op->getOperand(i) == old)
      return build(op->getOperand(1 - i));
    if (isExchanged(op->getOperand(i), op->getOperand(1 - i)))
      return build(op->getOperand(1 - i));
  }
  if (isa<VectorType>(op.getType()))
    return {};
  return ofIntegers ? ofElements(op) : op.getResult();
}

Value LaneMaxima::build(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return {};
  if (auto max = dyn_cast<arith::MaximumFOp>(op))
    return buildMaximum(max);
  if (auto multiply = dyn_cast<arith::MulFOp>(op)) {
    APFloat factor(0.0f);
    if (!matchPattern(multiply.getRhs(), m_ConstantFloat(&factor)) ||
        !factor.isFiniteNonZero() || factor.isNegative())
      return {};
    Value of = build(multiply.getLhs());
    return of ? arith::MulFOp::create(b, of, multiply.getRhs()).getResult()
              : Value();
  }
  auto elements = dyn_cast<vector::FromElementsOp>(op);
  if (!elements)
    return {};
  SmallVector<Value> built;
  for (Value element : elements.getElements())
    if (Value of = build(element))
      built.push_back(of);
    else
      return {};
  return vector::FromElementsOp::create(b, cast<VectorType>(elements.getType()),
                                        built);
}

/// Returns the ops of a block from which `values` are computed, in their order.
/// Does not look behind `known`.
static SmallVector<Operation *> getSlice(ArrayRef<Value> values,
                                         ArrayRef<Value> known) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> open(values);
  Block *block = open.front().getParentBlock();
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || llvm::is_contained(known, value) || op->getBlock() != block ||
        !isPure(op) || op->getNumRegions() != 0 || !slice.insert(op))
      continue;
    llvm::append_range(open, op->getOperands());
  }
  SmallVector<Operation *> ops = slice.takeVector();
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return ops;
}

/// Erases the ops of `slice` that nobody uses, from the last one on.
static void eraseUnused(RewriterBase &rewriter, ArrayRef<Operation *> slice) {
  for (Operation *op : llvm::reverse(slice))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// Builds whether all rows keep their references, in all lanes. Null if that
/// does not follow from the maxima of lanes.
static Value buildVote(ImplicitLocOpBuilder &b, const References &references,
                       const MathInstructions &instructions) {
  Value maxima = LaneMaxima(b, references, instructions.hasMaxOfThreeIntegers)
                     .build(references.maxima);
  if (!maxima)
    return {};
  Value distance = arith::SubFOp::create(b, maxima, references.old);
  Value holds = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, distance,
                                      references.threshold);
  Value all;
  auto type = cast<VectorType>(references.old.getType());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value one = vector::ExtractOp::create(b, holds, i);
    all = all ? arith::AndIOp::create(b, all, one).getResult() : one;
  }
  return instructions.all(b, b.getLoc(), all);
}

/// Replaces `values` by `others` where `condition` holds, and computes them in
/// a branch elsewhere, at the insertion point of `b`. Computes nothing again
/// behind which are `known`.
static void branch(RewriterBase &rewriter, ImplicitLocOpBuilder &b,
                   Value condition, ArrayRef<Value> values,
                   ArrayRef<Value> others, ArrayRef<Value> known) {
  SmallVector<Operation *> slice = getSlice(values, known);
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(value.getType());
  auto branch = scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, others);
  b.setInsertionPointToStart(branch.elseBlock());
  IRMapping mapping;
  for (Operation *op : slice)
    b.clone(*op, mapping);
  SmallVector<Value> computed;
  for (Value value : values)
    computed.push_back(mapping.lookup(value));
  scf::YieldOp::create(b, computed);
  for (auto [value, result] : llvm::zip_equal(values, branch.getResults()))
    rewriter.replaceAllUsesWith(value, result);
  eraseUnused(rewriter, slice);
}

/// Returns whether all lanes of a subgroup execute `block`, because it has an
/// op that they execute together.
static bool isOfAllLanes(Block &block) {
  return llvm::any_of(block, llvm::IsaPred<vector_ext::AsyncMmaOp>);
}

/// Returns whether the factors follow from what is computed in front of the
/// references.
static bool areFactorsKnown(const References &references) {
  Operation *kept = Value(references.kept).getDefiningOp();
  SmallVector<Operation *> slice =
      getSlice({references.kept, references.factors}, {});
  auto isInFront = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return !op || op->getBlock() != kept->getBlock() ||
           llvm::is_contained(slice, op) || op->isBeforeInBlock(kept);
  };
  return llvm::all_of(slice, [&](Operation *op) {
    return llvm::all_of(op->getOperands(), isInFront);
  });
}

static void keepReferences(RewriterBase &rewriter, References references,
                           const MathInstructions &instructions) {
  if (!areFactorsKnown(references))
    return;
  ImplicitLocOpBuilder b(references.kept.getLoc(), rewriter);
  b.setInsertionPoint(references.kept.getDefiningOp());
  Value vote = buildVote(b, references, instructions);
  if (!vote)
    return;
  // First what reads the factors.
  for (arith::SelectOp update : references.updates) {
    b.setInsertionPointAfter(update);
    Value old = update.getFalseValue();
    branch(rewriter, b, vote, update.getResult(), old,
           {old, references.factors});
  }
  b.setInsertionPointAfter(references.kept.getDefiningOp());
  branch(rewriter, b, vote, {references.kept, references.factors},
         {references.old, references.ones}, {});
}

void mlir::linalg_ext::keepReferences(RewriterBase &rewriter,
                                      gpu::GPUModuleOp module,
                                      const MathInstructions &instructions) {
  if (!instructions.all)
    return;
  SmallVector<References> all;
  module.walk([&](arith::SelectOp op) {
    if (isOfAllLanes(*op->getBlock()))
      if (std::optional<References> found = References::get(op))
        all.push_back(std::move(*found));
  });
  for (const References &references : all)
    ::keepReferences(rewriter, references, instructions);
}
