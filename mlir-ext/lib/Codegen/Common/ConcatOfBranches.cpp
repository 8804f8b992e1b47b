//===- ConcatOfBranches.cpp - Branches on the position as parts -----------===//
//
// StableHLO's lowering writes a concatenation as an op without operands. Its
// payload compares the position along a dimension with the sizes of the parts,
// and extracts an element of one part in each branch of an `scf.if`. Rotary
// embeddings, sinks and caches of JAX are such programs.
//
// In an interval between two of the numbers that the position is compared
// with, the same branches are taken in all iterations. So the op is the
// concatenation of an op for each interval:
//
//   1. Find the branches on positions along one dimension, and the numbers at
//      which they change.
//   2. Clone the payload for each interval, with the ops of the branches that
//      are taken there in place of `scf.if`. What is extracted at the position
//      of the iteration, or at a distance from it, becomes an operand: a slice.
//   3. Concatenate the parts.
//
//===----------------------------------------------------------------------===//

#include "ConcatOfBranches.h"

#include "mlir-ext/Codegen/Common/ExtractElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::GenericOp;

/// An op becomes at most so many parts.
static constexpr size_t kMostParts = 64;

namespace {
/// A position of the iteration, and a number added to it.
struct Position {
  unsigned loop;
  int64_t offset;
};

/// An `scf.if` on a comparison of a position with a number.
struct Branch {
  scf::IfOp op;
  arith::CmpIPredicate predicate;
  Position position;
  int64_t bound;

  /// Whether the first region is taken in iteration `i` of the loop.
  bool takesFirst(int64_t i) const {
    return arith::applyCmpPredicate(
        predicate, APInt(64, i + position.offset, /*isSigned=*/true),
        APInt(64, bound, /*isSigned=*/true));
  }
};

/// The branches on positions along one loop.
struct Branches {
  unsigned loop = 0;
  SmallVector<Branch> branches;

  /// The region of `branch` that iteration `i` takes; null if that is not
  /// known.
  Region *getTaken(Operation &branch, int64_t i) const;
  /// Calls `visit` for each op of `block` that iteration `i` executes.
  void walk(Block &block, int64_t i,
            function_ref<void(Operation &)> visit) const;
};

/// Consecutive iterations of a loop that take the same branches.
struct Interval {
  int64_t begin, end;
};

struct ConcatOfBranches : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GenericOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

Region *Branches::getTaken(Operation &branch, int64_t i) const {
  const auto *known = llvm::find_if(
      branches, [&](const Branch &each) { return each.op == &branch; });
  if (known == branches.end())
    return nullptr;
  scf::IfOp op = known->op;
  return known->takesFirst(i) ? &op.getThenRegion() : &op.getElseRegion();
}

void Branches::walk(Block &block, int64_t i,
                    function_ref<void(Operation &)> visit) const {
  for (Operation &nested : block.without_terminator()) {
    if (Region *taken = getTaken(nested, i))
      walk(taken->front(), i, visit);
    else
      visit(nested);
  }
}

static std::optional<Position> getPosition(Value value, GenericOp op) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    if (index->getParentOp() != op.getOperation())
      return std::nullopt;
    return Position{static_cast<unsigned>(index.getDim()), 0};
  }
  Operation *sum = value.getDefiningOp();
  APInt number;
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(sum) ||
      !value.getType().isIndex() ||
      !matchPattern(sum->getOperand(1), m_ConstantInt(&number)))
    return std::nullopt;
  std::optional<Position> position = getPosition(sum->getOperand(0), op);
  if (position)
    position->offset += isa<arith::AddIOp>(sum) ? number.getSExtValue()
                                                : -number.getSExtValue();
  return position;
}

/// Returns the branch that `op` is, if it compares a position of `generic`.
/// Constants are on the right-hand sides of comparisons.
static std::optional<Branch> getBranch(Operation &op, GenericOp generic) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch->getNumResults() == 0)
    return std::nullopt;
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!compare || !compare.getLhs().getType().isIndex() ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return std::nullopt;
  std::optional<Position> position = getPosition(compare.getLhs(), generic);
  if (!position)
    return std::nullopt;
  return Branch{branch, compare.getPredicate(), *position,
                bound.getSExtValue()};
}

/// Adds the branches of `block` on positions along the loop of the first. Parts
/// take the regions of these, so only in these are other branches looked for:
/// those in a branch on something else stay in the parts.
static void addBranches(Block &block, GenericOp op, Branches &found) {
  for (Operation &nested : block.without_terminator()) {
    std::optional<Branch> branch = getBranch(nested, op);
    if (!branch)
      continue;
    if (found.branches.empty())
      found.loop = branch->position.loop;
    if (branch->position.loop != found.loop)
      continue;
    found.branches.push_back(*branch);
    addBranches(*branch->op.thenBlock(), op, found);
    addBranches(*branch->op.elseBlock(), op, found);
  }
}

/// Finds the branches of `op` on positions along one loop.
static Branches findBranches(GenericOp op) {
  Branches found;
  addBranches(*op.getBody(), op, found);
  return found;
}

/// Returns the longest intervals of the `length` iterations of the loop in
/// which all branches are the same.
static SmallVector<Interval> getIntervals(const Branches &branches,
                                          int64_t length) {
  // 1. A comparison may change its result at the number, behind it and, if it
  //    is unsigned, at 0.
  SmallVector<int64_t> seams;
  for (const Branch &branch : branches.branches)
    for (int64_t seam : {branch.bound, branch.bound + 1, int64_t(0)})
      if (int64_t i = seam - branch.position.offset; i > 0 && i < length)
        seams.push_back(i);
  llvm::sort(seams);
  seams.erase(llvm::unique(seams), seams.end());
  seams.push_back(length);
  // 2. Join intervals with the same branches.
  SmallVector<Interval> intervals;
  int64_t begin = 0;
  for (int64_t end : seams) {
    bool isSame = !intervals.empty() &&
                  llvm::all_of(branches.branches, [&](const Branch &branch) {
                    return branch.takesFirst(begin) ==
                           branch.takesFirst(intervals.back().begin);
                  });
    if (isSame)
      intervals.back().end = end;
    else
      intervals.push_back({begin, end});
    begin = end;
  }
  return intervals;
}

/// Returns whether parts of `op` would branch on positions along another loop.
/// They would have parts, too, and each would be a kernel.
static bool partsBranch(GenericOp op, const Branches &branches,
                        ArrayRef<Interval> intervals) {
  bool branchesAgain = false;
  for (Interval interval : intervals)
    branches.walk(*op.getBody(), interval.begin, [&](Operation &nested) {
      std::optional<Branch> branch = getBranch(nested, op);
      branchesAgain |=
          branch &&
          ShapedType::isStatic(op.getStaticLoopRanges()[branch->position.loop]);
    });
  return branchesAgain;
}

bool mlir::linalg_ext::branchesOnPosition(GenericOp op) {
  Branches found = findBranches(op);
  if (found.branches.empty())
    return false;
  int64_t length = op.getStaticLoopRanges()[found.loop];
  return ShapedType::isStatic(length) &&
         !partsBranch(op, found, getIntervals(found, length));
}

namespace {
/// Builds the op of one part.
class PartBuilder {
public:
  PartBuilder(PatternRewriter &rewriter, GenericOp op, const Branches &branches,
              Interval interval)
      : rewriter(rewriter), op(op), branches(branches), interval(interval) {}

  Value build();

private:
  void addOperand(OpOperand *operand);
  void addOperand(tensor::ExtractOp extract);
  void clone(OpBuilder &b, Block &block, IRMapping &mapping);

  PatternRewriter &rewriter;
  GenericOp op;
  const Branches &branches;
  Interval interval;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  /// The number of the operand that has what is extracted.
  llvm::SmallDenseMap<Operation *, unsigned> extracted;
};
} // namespace

/// Adds `operand`, of which the part reads a slice.
void PartBuilder::addOperand(OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  Value value = operand->get();
  Location loc = op.getLoc();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(branches.loop))
      continue;
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
        strides(sizes.size(), rewriter.getIndexAttr(1));
    offsets[dim] = rewriter.getIndexAttr(interval.begin);
    sizes[dim] = rewriter.getIndexAttr(interval.end - interval.begin);
    value = tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes,
                                           strides);
  }
  inputs.push_back(value);
  maps.push_back(map);
}

/// Adds what `extract` reads as an operand, if it is a slice.
void PartBuilder::addOperand(tensor::ExtractOp extract) {
  Value source = extract.getTensor();
  if (op.getRegion().isAncestor(source.getParentRegion()))
    return;
  auto type = cast<RankedTensorType>(source.getType());
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, source);
  SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
      strides(sizes.size(), rewriter.getIndexAttr(1));
  SmallVector<AffineExpr> exprs;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    if (std::optional<int64_t> number = getConstantIntValue(index)) {
      if (type.isDynamicDim(dim) || *number < 0 ||
          *number >= type.getDimSize(dim))
        return;
      offsets[dim] = rewriter.getIndexAttr(*number);
      sizes[dim] = rewriter.getIndexAttr(1);
      exprs.push_back(getExprOfOne(op, extract, dim));
      continue;
    }
    std::optional<Position> position = getPosition(index, op);
    if (!position)
      return;
    AffineExpr expr = rewriter.getAffineDimExpr(position->loop);
    if (llvm::is_contained(exprs, expr))
      return;
    exprs.push_back(expr);
    int64_t range = op.getStaticLoopRanges()[position->loop],
            size = type.getDimSize(dim), offset = position->offset;
    if (position->loop == branches.loop) {
      range = interval.end - interval.begin;
      offset += interval.begin;
    }
    if (offset == 0 && isAsLong(source, dim, op, position->loop) &&
        position->loop != branches.loop)
      continue;
    if (ShapedType::isDynamic(range) || ShapedType::isDynamic(size) ||
        offset < 0 || offset + range > size)
      return;
    offsets[dim] = rewriter.getIndexAttr(offset);
    sizes[dim] = rewriter.getIndexAttr(range);
  }
  extracted[extract] = inputs.size();
  inputs.push_back(tensor::ExtractSliceOp::create(rewriter, loc, source,
                                                  offsets, sizes, strides));
  maps.push_back(
      AffineMap::get(op.getNumLoops(), 0, exprs, rewriter.getContext()));
}

/// Clones the ops of `block` that the part executes.
void PartBuilder::clone(OpBuilder &b, Block &block, IRMapping &mapping) {
  for (Operation &nested : block.without_terminator()) {
    if (Region *taken = branches.getTaken(nested, interval.begin)) {
      clone(b, taken->front(), mapping);
      for (auto [result, yielded] :
           llvm::zip_equal(nested.getResults(),
                           taken->front().getTerminator()->getOperands()))
        mapping.map(result, mapping.lookupOrDefault(yielded));
      continue;
    }
    // Operands were mapped.
    if (extracted.contains(&nested))
      continue;
    Operation *copy = b.clone(nested, mapping);
    auto index = dyn_cast<linalg::IndexOp>(nested);
    if (!index || index.getDim() != branches.loop)
      continue;
    Location loc = index.getLoc();
    Value begin = arith::ConstantIndexOp::create(b, loc, interval.begin);
    mapping.map(
        index.getResult(),
        arith::AddIOp::create(b, loc, copy->getResult(0), begin).getResult());
  }
}

Value PartBuilder::build() {
  Location loc = op.getLoc();
  Value init = op.getDpsInitOperand(0)->get();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  sizes[branches.loop] = rewriter.getIndexAttr(interval.end - interval.begin);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, getElementTypeOrSelf(init));
  for (OpOperand *operand : op.getDpsInputOperands())
    addOperand(operand);
  branches.walk(*op.getBody(), interval.begin, [&](Operation &nested) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(nested))
      addOperand(extract);
  });
  maps.push_back(rewriter.getMultiDimIdentityMap(op.getNumLoops()));
  return GenericOp::create(
             rewriter, loc, empty.getType(), inputs, empty, maps,
             op.getIteratorTypesArray(),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               IRMapping mapping;
               mapping.map(op.getBody()->getArguments().drop_back(),
                           args.take_front(op.getNumDpsInputs()));
               mapping.map(op.getBody()->getArguments().back(), args.back());
               for (auto [extract, number] : extracted)
                 mapping.map(extract->getResult(0), args[number]);
               clone(b, *op.getBody(), mapping);
               linalg::YieldOp::create(
                   b, loc,
                   mapping.lookupOrDefault(
                       op.getBody()->getTerminator()->getOperand(0)));
             })
      .getResult(0);
}

LogicalResult
ConcatOfBranches::matchAndRewrite(GenericOp op,
                                  PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 ||
      cast<RankedTensorType>(op.getResult(0).getType()).getEncoding() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return rewriter.notifyMatchFailure(op, "is no elementwise op");
  if (!branchesOnPosition(op))
    return rewriter.notifyMatchFailure(
        op, "branches on positions along no dimension of known size, or along "
            "several");
  // What is returned is stored by one op rather than by several. Other users,
  // if there are any, read what is stored.
  if (op->use_empty() || llvm::any_of(op->getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      }))
    return rewriter.notifyMatchFailure(op, "is returned");
  Branches branches = findBranches(op);
  int64_t length = op.getStaticLoopRanges()[branches.loop];
  // A branch that computes numbers from positions alone becomes a select.
  bool readsTensors = llvm::any_of(op.getDpsInputs(), [](Value input) {
    return isa<RankedTensorType>(input.getType());
  });
  op.getBody()->walk([&](tensor::ExtractOp) { readsTensors = true; });
  if (!readsTensors)
    return rewriter.notifyMatchFailure(op, "reads no tensors");
  // Operands are sliced where they are read at the loop.
  AffineExpr loop = rewriter.getAffineDimExpr(branches.loop);
  for (OpOperand *operand : op.getDpsInputOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      if (expr != loop && expr.isFunctionOfDim(branches.loop))
        return rewriter.notifyMatchFailure(op, "reads sums of positions");
  SmallVector<Interval> intervals = getIntervals(branches, length);
  if (intervals.size() > kMostParts)
    return rewriter.notifyMatchFailure(op, "has too many parts");
  SmallVector<Value> parts;
  for (Interval interval : intervals)
    parts.push_back(PartBuilder(rewriter, op, branches, interval).build());
  Value result = parts.front();
  if (parts.size() > 1)
    result =
        tensor::ConcatOp::create(rewriter, op.getLoc(), branches.loop, parts);
  if (result.getType() != op.getResult(0).getType())
    result = tensor::CastOp::create(rewriter, op.getLoc(),
                                    op.getResult(0).getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

void mlir::linalg_ext::populateConcatOfBranchesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ConcatOfBranches>(patterns.getContext());
}
