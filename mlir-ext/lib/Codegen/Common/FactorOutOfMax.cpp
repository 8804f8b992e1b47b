//===- FactorOutOfMax.cpp - max(c x) as c max(x) --------------------------===//
//
// Attention scales the scores before it takes their maximum. Scaling the
// maximum instead leaves one user of the scaled tile, and elementwise fusion
// merges the scaling into this user. This saves one pass over the tile.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// An op that only multiplies `tensor` by a constant.
struct ScaledTensor {
  OpOperand *tensor = nullptr;
  Value factor;
};
} // namespace

/// Returns the operand of `op` that is the tensor of which `value` is an
/// element. Null if there is none.
static OpOperand *getInputTensor(linalg::LinalgOp op, Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(arg);
  return op.isDpsInput(operand) &&
                 isa<RankedTensorType>(operand->get().getType())
             ? operand
             : nullptr;
}

/// Multiplication by c > 0 is monotonic even with rounding. It keeps NaN,
/// infinities and signs of zeros.
static bool isPositive(Value value) {
  APFloat factor(0.0f);
  return matchPattern(value, m_ConstantFloat(&factor)) && factor.isFinite() &&
         !factor.isNegative() && !factor.isZero();
}

static std::optional<ScaledTensor> matchScaling(linalg::LinalgOp op) {
  if (!op || op.getNumReductionLoops() != 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  auto product = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != op.getBlock())
    return std::nullopt;
  for (auto [tensor, factor] :
       {std::make_pair(product.getLhs(), product.getRhs()),
        std::make_pair(product.getRhs(), product.getLhs())}) {
    OpOperand *operand = getInputTensor(op, tensor);
    if (operand && isPositive(factor) &&
        op.getMatchingIndexingMap(operand).isPermutation() &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
      return ScaledTensor{operand, factor};
  }
  return std::nullopt;
}

/// Returns the maximum or minimum if `op` computes nothing else from its only
/// input.
static Operation *getExtremum(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() != 1 || !op.hasPureTensorSemantics() ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 ||
      !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
           arith::MinNumFOp>(combiners.front()))
    return nullptr;
  Value input = op.getRegionInputArgs().front();
  return llvm::is_contained(combiners.front()->getOperands(), input)
             ? combiners.front()
             : nullptr;
}

/// Returns whether `value` is filled with infinity, which a factor does not
/// change.
static bool isFilledWithInfinity(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  APFloat filled(0.0f);
  return fill && matchPattern(fill.value(), m_ConstantFloat(&filled)) &&
         filled.isInfinity();
}

namespace {
/// Rewrites max(c x_i) as c max(x_i), for c > 0, if c x_i then has only one
/// user, which can compute it itself.
struct FactorOutOfMax : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Operation *extremum = getExtremum(op);
    if (!extremum)
      return rewriter.notifyMatchFailure(op, "not a maximum or minimum");
    OpOperand *input = op.getDpsInputOperand(0);
    auto scaling = input->get().getDefiningOp<linalg::LinalgOp>();
    std::optional<ScaledTensor> scaled = matchScaling(scaling);
    if (!scaled)
      return rewriter.notifyMatchFailure(op, "not of a positive multiple");
    if (!isFilledWithInfinity(op.getDpsInits().front()))
      return rewriter.notifyMatchFailure(op, "does not start from infinity");
    auto isElementwise = [&](OpOperand &use) {
      auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
      return user && user->getBlock() == op->getBlock() &&
             user.getNumReductionLoops() == 0;
    };
    if (!input->get().hasNUses(2) ||
        llvm::count_if(scaling->getUses(), isElementwise) != 1)
      return rewriter.notifyMatchFailure(op, "the multiple stays a tensor");

    Location loc = op.getLoc();
    // Maps dimensions of the reduction to dimensions of the tensor.
    AffineMap toTensor =
        scaling.getMatchingIndexingMap(scaled->tensor)
            .compose(inversePermutation(
                scaling.getMatchingIndexingMap(scaling.getDpsInitOperand(0))));
    OpOperand *output = op.getDpsInitOperand(0);
    AffineMap outputMap = op.getMatchingIndexingMap(output);
    auto reduced = linalg::GenericOp::create(
        rewriter, loc, output->get().getType(), scaled->tensor->get(),
        output->get(),
        ArrayRef<AffineMap>{toTensor.compose(op.getMatchingIndexingMap(input)),
                            outputMap},
        op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Operation *combined = b.clone(*extremum);
          combined->setOperands(args);
          linalg::YieldOp::create(b, loc, combined->getResults());
        });
    Attribute factor;
    matchPattern(scaled->factor, m_Constant(&factor));
    auto type = cast<RankedTensorType>(output->get().getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, loc,
        tensor::getMixedSizes(rewriter, loc, reduced.getResult(0)),
        type.getElementType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> parallel(type.getRank(),
                                              utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, reduced.getResult(0), empty,
        ArrayRef<AffineMap>{identity, identity}, parallel,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value constant =
              arith::ConstantOp::create(b, loc, cast<TypedAttr>(factor));
          Value product = arith::MulFOp::create(b, loc, args[0], constant);
          linalg::YieldOp::create(b, loc, product);
        });
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFactorOutOfMaxPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FactorOutOfMax>(patterns.getContext());
}
