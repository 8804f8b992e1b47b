//===- BroadcastBranches.cpp - Branches on tensors without a branch -------===//
//
// No op is fused across a branch. Two kinds of branches are rewritten without
// one:
//
//   - In TOSA, the operands of an elementwise op have equal sizes, or a size is
//     1. If sizes are dynamic, tosa-to-linalg tests for each one whether it is
//     1, and broadcasts the operand in a branch if it is. Mostly both sizes are
//     those of one tensor, so that the operand is never broadcast.
//   - A flag may say whether a mask is added. If the branches compute little,
//     both are computed, and each element is selected.
//
//===----------------------------------------------------------------------===//

#include "BroadcastBranches.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// If `condition` says that a size is 1, returns this size. Null otherwise.
static Value getSizeOfOne(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  if (isOneInteger(compare.getRhs()))
    return compare.getLhs();
  return isOneInteger(compare.getLhs()) ? compare.getRhs() : Value();
}

namespace {
struct FoldBroadcastBranch : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || !op.elseBlock())
      return rewriter.notifyMatchFailure(op, "has no two branches");
    // 1. The tensor that is broadcast in one branch and yielded in the other.
    Value source = op.elseYield().getOperand(0);
    auto repeat =
        op.thenYield().getOperand(0).getDefiningOp<linalg::GenericOp>();
    if (!repeat || repeat.getNumDpsInputs() != 1 ||
        repeat.getInputs().front() != source ||
        source.getType() != op.getType(0) ||
        repeat.getNumReductionLoops() > 0 ||
        repeat.getBlock()->getTerminator()->getOperand(0) !=
            repeat.getBlock()->getArgument(0) ||
        !repeat.getIndexingMapsArray().back().isIdentity())
      return rewriter.notifyMatchFailure(op, "repeats no tensor");
    // 2. The broadcast dimension has one element in this branch. The result has
    //    the same size as the tensor, so both are the same.
    Value one = getSizeOfOne(op.getCondition());
    auto empty = repeat.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
    if (!one || !empty)
      return rewriter.notifyMatchFailure(op, "asks for no size of 1");
    IndexAnalysis analysis;
    std::optional<unsigned> repeated;
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    for (auto [dim, expr] :
         llvm::enumerate(repeat.getIndexingMapsArray().front().getResults())) {
      auto position = dyn_cast<AffineDimExpr>(expr);
      if (position ? position.getPosition() != dim
                   : !isa<AffineConstantExpr>(expr) || repeated)
        return rewriter.notifyMatchFailure(op, "moves elements");
      if (!position)
        repeated = dim;
      if (!(analysis.get(sizes[dim]) == analysis.getSize(source, dim)))
        return rewriter.notifyMatchFailure(op, "the size may change");
    }
    if (!repeated ||
        !(analysis.get(one) == analysis.getSize(source, *repeated)))
      return rewriter.notifyMatchFailure(op, "asks for another size");
    rewriter.replaceOp(op, source);
    return success();
  }
};

struct SelectOfBranches : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The most ops for one element in both branches together.
static constexpr unsigned kMostOpsOfBranches = 12;

/// Returns whether dimension `dim` of `value` is known to have the size of
/// dimension `other` of `of`.
static bool haveSameSize(Value value, int64_t dim, Value of, int64_t other) {
  using Variable = ValueBoundsConstraintSet::Variable;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      Variable(value, dim), Variable(of, other));
  return succeeded(equal) && *equal;
}

/// Returns whether each operand of `op` has the sizes of the result. An operand
/// that is only read in the branch may have other sizes when the branch is not
/// taken.
static bool hasSizesOfResult(linalg::LinalgOp op) {
  Value init = op.getDpsInits().front();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(input).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || !haveSameSize(input->get(), dim, init, loop.getPosition()))
        return false;
    }
  }
  return true;
}

/// Returns whether the element that `op` reads exists in every case. An element
/// that is only read in the branch may not exist when the branch is not taken.
static bool isInTensor(tensor::ExtractOp op) {
  return llvm::all_of(
      llvm::zip_equal(op.getIndices(), op.getTensor().getType().getShape()),
      [](auto pair) {
        auto [index, size] = pair;
        std::optional<int64_t> position = getConstantIntValue(index);
        return position && *position >= 0 && ShapedType::isStatic(size) &&
               *position < size;
      });
}

/// Returns whether `op`, in a branch, computes each element from the elements
/// at the same position by arithmetic, or computes no tensor. Adds the number
/// of its ops for an element to `numOps`.
static bool isCheapInBranch(Operation &op, unsigned &numOps) {
  if (!isMemoryEffectFree(&op) || !isSpeculatable(&op))
    return false;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isInTensor(extract);
  if (isa<tensor::EmptyOp, tensor::DimOp, linalg::FillOp>(op) ||
      llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>))
    return op.getNumRegions() == 0 || isa<linalg::FillOp>(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.isAllParallelLoops() ||
      op.getNumResults() != 1 || op.getNumRegions() != 1 ||
      !structured.getMatchingIndexingMap(structured.getDpsInitOperand(0))
           .isIdentity() ||
      !hasSizesOfResult(structured))
    return false;
  for (Operation &nested : structured.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect>(nested.getDialect()) &&
        !isa<linalg::IndexOp>(nested))
      return false;
    ++numOps;
  }
  return numOps <= kMostOpsOfBranches;
}

LogicalResult
SelectOfBranches::matchAndRewrite(scf::IfOp op,
                                  PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0 || !op.elseBlock() ||
      !llvm::all_of(op->getResultTypes(), [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.getElementType().isIntOrIndexOrFloat();
      }))
    return rewriter.notifyMatchFailure(op, "yields no tensors");
  // 1. All users read the results element by element.
  if (!llvm::all_of(op->getResults(), [](Value result) {
        return llvm::any_of(result.getUsers(), [](Operation *user) {
          return isa<linalg::LinalgOp, SoftmaxOp, linalg::SoftmaxOp,
                     tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user);
        });
      }))
    return rewriter.notifyMatchFailure(op, "nobody reads its elements");
  // 2. The branches compute little, on tensors of the same sizes.
  unsigned numOps = 0;
  for (Block *block : {op.thenBlock(), op.elseBlock()})
    for (Operation &nested : block->without_terminator())
      if (!isCheapInBranch(nested, numOps))
        return rewriter.notifyMatchFailure(
            op, "a branch does more than select elements");
  for (auto [first, second] : llvm::zip_equal(op.thenYield().getOperands(),
                                              op.elseYield().getOperands()))
    for (int64_t dim = 0, e = cast<RankedTensorType>(first.getType()).getRank();
         dim < e; ++dim)
      if (!haveSameSize(first, dim, second, dim))
        return rewriter.notifyMatchFailure(op, "sizes may differ");
  // 3. Compute both branches, and select each element.
  SmallVector<Value> taken(op.thenYield().getOperands()),
      otherwise(op.elseYield().getOperands()), results;
  for (Block *block : {op.thenBlock(), op.elseBlock()})
    for (Operation &nested :
         llvm::make_early_inc_range(block->without_terminator()))
      rewriter.moveOpBefore(&nested, op);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  for (auto [first, second] : llvm::zip_equal(taken, otherwise)) {
    if (first == second) {
      results.push_back(first);
      continue;
    }
    auto type = cast<RankedTensorType>(first.getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, first),
        type.getElementType());
    if (empty.getType() != type)
      empty = tensor::CastOp::create(rewriter, loc, type, empty);
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    results.push_back(linalg::GenericOp::create(
                          rewriter, loc, type, ValueRange{first, second}, empty,
                          ArrayRef<AffineMap>{map, map, map},
                          SmallVector<utils::IteratorType>(
                              type.getRank(), utils::IteratorType::parallel),
                          [&](OpBuilder &b, Location loc, ValueRange args) {
                            Value chosen = arith::SelectOp::create(
                                b, loc, op.getCondition(), args[0], args[1]);
                            linalg::YieldOp::create(b, loc, chosen);
                          })
                          .getResult(0));
  }
  rewriter.replaceOp(op, results);
  return success();
}

void mlir::linalg_ext::populateBroadcastBranchesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldBroadcastBranch, SelectOfBranches>(patterns.getContext());
}
