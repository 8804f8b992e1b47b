//===- ScalarLoops.cpp - Loops that count in scalars ----------------------===//
//
// `lax.scan` and `fori_loop` of JAX are loops whose counter is a tensor without
// dimensions. No pass sees how often such a loop runs.
//
//   1. Hand on the scalar. The tensor is built where it is used.
//   2. Read of an element of a tensor without dimensions: compute the element.
//   3. A loop that counts is an scf.for: upstream's pattern.
//
// A GPU has no form for a loop around kernels. Loops over layers are unrolled.
//
//===----------------------------------------------------------------------===//

#include "ScalarLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The type of the element, if `type` is a tensor without dimensions, whose
/// elements are numbers.
static Type getOnlyElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && !tensor.getEncoding() &&
                 tensor.getElementType().isIntOrIndexOrFloat()
             ? tensor.getElementType()
             : Type();
}

/// `type`, or its element.
static Type getScalarType(Type type) {
  Type element = getOnlyElement(type);
  return element ? element : type;
}

/// `value`, or its element.
static Value getScalar(OpBuilder &b, Value value) {
  if (!getOnlyElement(value.getType()))
    return value;
  return tensor::ExtractOp::create(b, value.getLoc(), value, ValueRange());
}

/// `value`, as a tensor if `type` is one.
static Value getAs(OpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::FromElementsOp::create(b, value.getLoc(),
                                        cast<RankedTensorType>(type), value);
}

namespace {
struct HandOnScalars : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op,
                                PatternRewriter &rewriter) const override {
    if (llvm::none_of(op->getOperandTypes(), getOnlyElement) &&
        llvm::none_of(op->getResultTypes(), getOnlyElement))
      return rewriter.notifyMatchFailure(op, "hands on no such tensor");
    Location loc = op.getLoc();
    SmallVector<Value> inits;
    for (Value init : op.getInits())
      inits.push_back(getScalar(rewriter, init));
    SmallVector<Type> types =
        llvm::map_to_vector(op->getResultTypes(), getScalarType);
    auto loop = scf::WhileOp::create(rewriter, loc, types, inits,
                                     /*beforeBuilder=*/nullptr,
                                     /*afterBuilder=*/nullptr);
    // The bodies, whose arguments are scalars now.
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), loop->getRegions())) {
      Block *before = &from.front(), *after = &to.front();
      rewriter.setInsertionPointToStart(after);
      SmallVector<Value> arguments;
      for (auto [argument, scalar] :
           llvm::zip_equal(before->getArguments(), after->getArguments()))
        arguments.push_back(getAs(rewriter, scalar, argument.getType()));
      rewriter.mergeBlocks(before, after, arguments);
      Operation *terminator = after->getTerminator();
      rewriter.setInsertionPoint(terminator);
      rewriter.modifyOpInPlace(terminator, [&] {
        for (OpOperand &operand : terminator->getOpOperands())
          operand.set(getScalar(rewriter, operand.get()));
      });
    }
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip_equal(loop.getResults(), op->getResultTypes()))
      results.push_back(getAs(rewriter, result, type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ComputeOnlyElement : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getTensor());
    auto source = result ? dyn_cast<linalg::LinalgOp>(result.getOwner())
                         : linalg::LinalgOp();
    if (!source || source.getNumLoops() != 0 ||
        !source.hasPureTensorSemantics() ||
        source->getBlock() != op->getBlock() ||
        !getOnlyElement(result.getType()))
      return rewriter.notifyMatchFailure(op, "is of no op without loops");
    IRMapping mapping;
    Block *payload = source.getBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(payload->getArguments(), source->getOperands())) {
      if (argument.use_empty())
        continue;
      if (isa<TensorType>(operand.getType()) &&
          !getOnlyElement(operand.getType()))
        return rewriter.notifyMatchFailure(op, "reads an element of a row");
      mapping.map(argument, getScalar(rewriter, operand));
    }
    for (Operation &nested : payload->without_terminator())
      rewriter.clone(nested, mapping);
    rewriter.replaceOp(
        op, mapping.lookupOrDefault(payload->getTerminator()->getOperand(
                result.getResultNumber())));
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateScalarLoopsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<HandOnScalars, ComputeOnlyElement>(patterns.getContext());
  scf::populateUpliftWhileToForPatterns(patterns);
}

unsigned mlir::linalg_ext::unrollTensorLoops(Operation *scope, int64_t most) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) {
    if (!loop->getParentOfType<scf::ForallOp>() &&
        llvm::any_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      loops.push_back(loop);
  });
  unsigned number = 0;
  for (scf::ForOp loop : loops) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->getActiveBits() > 32 ||
        trips->getZExtValue() > static_cast<uint64_t>(most))
      continue;
    int64_t numOps = 0;
    loop->walk([&](Operation *) { ++numOps; });
    if (numOps * static_cast<int64_t>(trips->getZExtValue()) > kMostUnrolledOps)
      continue;
    number += succeeded(loopUnrollFull(loop));
  }
  return number;
}
