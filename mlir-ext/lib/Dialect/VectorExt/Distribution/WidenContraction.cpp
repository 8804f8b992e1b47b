//===- WidenContraction.cpp - Widens vector-matrix products ---------------===//
//
// Matrix instructions multiply matrices. If one operand is a vector, most of
// their products are wasted. But the time is that of reading the matrix, and
// the instructions keep up with memory. Threads that compute one product at a
// time do not.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// The roles of the dimensions of `contract` that have more than one element.
/// As in getContractDims, one before the others may count parts.
static FailureOr<ContractDims> getPresentDims(vector::ContractionOp contract,
                                              SmallVector<int64_t> &bounds) {
  constexpr unsigned none = -1;
  ContractDims dims{none, none, none, std::nullopt};
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  contract.getIterationBounds(bounds);
  for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(bounds.size()))) {
    if (bounds[dim] == 1)
      continue;
    bool inLhs = maps[0].isFunctionOfDim(dim),
         inRhs = maps[1].isFunctionOfDim(dim),
         inAcc = maps[2].isFunctionOfDim(dim);
    unsigned *role = inLhs && inRhs && !inAcc   ? &dims.k
                     : inLhs && !inRhs && inAcc ? &dims.m
                     : !inLhs && inRhs && inAcc ? &dims.n
                                                : nullptr;
    if (role && *role == none) {
      *role = dim;
    } else if (inAcc && !dims.parts) {
      dims.parts = dim;
    } else {
      return failure();
    }
  }
  if (dims.k == none || (dims.m == none) == (dims.n == none))
    return failure();
  return dims;
}

FailureOr<vector::ContractionOp> mlir::vector_ext::widenContraction(
    RewriterBase &rewriter, vector::ContractionOp contract,
    linalg_ext::Refusal &refusal, std::optional<ArrayRef<StringRef>> names) {
  MLIRContext *context = contract.getContext();
  auto accType = dyn_cast<VectorType>(contract.getAccType());
  SmallVector<int64_t> bounds;
  FailureOr<ContractDims> dims = getPresentDims(contract, bounds);
  if (!accType || failed(dims) || !isa<FloatType>(accType.getElementType()) ||
      contract.getKind() != vector::CombiningKind::ADD)
    return refusal.set(linalg_ext::RefusalKind::Other, contract,
                       "expected the product of a vector and a matrix");
  // 1. How many rows there are to be.
  bool isRow = dims->m == unsigned(-1);
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  int64_t size = 0;
  SmallVector<StringRef> all = dialect->getIntrinsicNames();
  // Threads multiply where no matrix instruction takes these types.
  for (bool isByThreads : {false, true})
    for (StringRef name : names.value_or(all)) {
      const MmaIntrinsic &intrinsic = *dialect->lookupIntrinsic(name);
      // Those with exchanged operands are for operands of bytes: who names them
      // knows that.
      bool isExchanged = intrinsic.m < intrinsic.n && !isByThreads &&
                         !intrinsic.isAsynchronous;
      if ((isExchanged && (!names || !isRow)) ||
          intrinsic.isByThreads != isByThreads ||
          (isByThreads && (!names || size != 0)) ||
          (!names && !intrinsic.hasLowering) || intrinsic.isApproximate ||
          contract.getLhsType().getElementType() !=
              intrinsic.lhsType(context) ||
          contract.getRhsType().getElementType() !=
              intrinsic.rhsType(context) ||
          accType.getElementType() != intrinsic.accType(context) ||
          bounds[dims->k] % intrinsic.k != 0 ||
          (isRow ? bounds[dims->n] % intrinsic.n
                 : bounds[dims->m] % intrinsic.m) != 0)
        continue;
      int64_t needed = isRow ? intrinsic.m : intrinsic.n;
      size = size == 0 ? needed : std::min(size, needed);
    }
  if (size == 0)
    return refusal.set(linalg_ext::RefusalKind::Other, contract,
                       "no instruction fits");

  // 2. The vector and the result get a dimension in front.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  Location loc = contract.getLoc();
  unsigned added = bounds.size();
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  SmallVector<Value> operands{contract.getLhs(), contract.getRhs(),
                              contract.getAcc()};
  for (auto [index, value] : llvm::enumerate(operands)) {
    SmallVector<AffineExpr> exprs(maps[index].getResults());
    if (index != (isRow ? 1 : 0)) {
      auto type = cast<VectorType>(value.getType());
      SmallVector<int64_t> shape{size};
      llvm::append_range(shape, type.getShape());
      value = vector::BroadcastOp::create(
          rewriter, loc, VectorType::get(shape, type.getElementType()), value);
      exprs.insert(exprs.begin(), rewriter.getAffineDimExpr(added));
    }
    maps[index] = AffineMap::get(added + 1, 0, exprs, context);
  }
  SmallVector<Attribute> iterators(contract.getIteratorTypes().begin(),
                                   contract.getIteratorTypes().end());
  iterators.push_back(
      vector::IteratorTypeAttr::get(context, vector::IteratorType::parallel));
  auto wide = vector::ContractionOp::create(
      rewriter, loc, operands[0], operands[1], operands[2],
      rewriter.getAffineMapArrayAttr(maps), rewriter.getArrayAttr(iterators),
      contract.getKind());
  wide->setDiscardableAttrs(contract->getDiscardableAttrDictionary());

  // 3. One of what are all the same: every thread has some of them.
  const llvm::fltSemantics &semantics =
      cast<FloatType>(accType.getElementType()).getFloatSemantics();
  Value low = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(accType,
                             APFloat::getInf(semantics, /*Negative=*/true)));
  SmallVector<bool> reduced(accType.getRank() + 1, false);
  reduced[0] = true;
  rewriter.replaceOpWithNewOp<vector::MultiDimReductionOp>(
      contract, wide.getResult(), low, reduced,
      vector::CombiningKind::MAXIMUMF);
  return wide;
}

// Upstream's populateFoldArithExtensionPatterns folds whatever the sum is of.
bool mlir::vector_ext::foldExtensions(RewriterBase &rewriter,
                                      vector::ContractionOp contract) {
  auto lhs = contract.getLhs().getDefiningOp<arith::ExtFOp>();
  auto rhs = contract.getRhs().getDefiningOp<arith::ExtFOp>();
  Type sum = getElementTypeOrSelf(contract.getResultType());
  if (!lhs || !rhs || getElementTypeOrSelf(lhs.getType()) != sum ||
      getElementTypeOrSelf(rhs.getType()) != sum ||
      getElementTypeOrSelf(lhs.getIn().getType()) !=
          getElementTypeOrSelf(rhs.getIn().getType()))
    return false;
  rewriter.modifyOpInPlace(contract, [&] {
    contract.getLhsMutable().assign(lhs.getIn());
    contract.getRhsMutable().assign(rhs.getIn());
  });
  return true;
}

namespace {
struct WidenContraction : public OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    linalg_ext::Refusal refusal;
    if (failed(widenContraction(rewriter, op, refusal)))
      return rewriter.notifyMatchFailure(op, refusal.text);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateWidenContractionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<WidenContraction>(patterns.getContext());
}
