//===- WidenContraction.cpp - Widens vector-matrix products ---------------===//
//
// Matrix instructions multiply matrices. If one operand is a vector, most of
// their products are wasted. But such a contraction takes as long as reading
// the matrix, and the instructions keep up with memory. Threads that compute
// one product at a time do not.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Returns the roles of the dimensions of `contract` that have more than one
/// element. As in getContractDims, a dimension before the others may count
/// parts.
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
  if (!accType || failed(dims) || !accType.getElementType().isIntOrFloat() ||
      contract.getKind() != vector::CombiningKind::ADD)
    return refusal.set(linalg_ext::RefusalKind::Other, contract,
                       "expected the product of a vector and a matrix");
  // 1. Determine the number of rows.
  bool isRow = dims->m == unsigned(-1);
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  int64_t size = 0;
  SmallVector<StringRef> all = dialect->getIntrinsicNames();
  // Threads multiply if no matrix instruction takes these types.
  for (bool isByThreads : {false, true})
    for (StringRef name : names.value_or(all)) {
      const MmaIntrinsic &intrinsic = *dialect->lookupIntrinsic(name);
      // Instructions with exchanged operands are for operands of bytes. Callers
      // that name them know that.
      bool isExchanged = intrinsic.m < intrinsic.n && !isByThreads &&
                         !intrinsic.isAsynchronous;
      if ((isExchanged && (!names || !isRow)) ||
          intrinsic.isByThreads != isByThreads ||
          (isByThreads && (!names || size != 0)) ||
          (!names && !intrinsic.hasLowering) || intrinsic.isApproximate ||
          getOperandTypes(contract) != std::pair(intrinsic.lhsType(context),
                                                 intrinsic.rhsType(context)) ||
          accType.getElementType() != intrinsic.accType(context) ||
          getUnsignedOperands(contract) !=
              std::pair(intrinsic.isLhsUnsigned, intrinsic.isRhsUnsigned) ||
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

  // 2. Add a leading dimension to the vector and the result.
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

  // 3. Take one of the rows, which are all equal: every thread has some of
  //    them.
  auto floats = dyn_cast<FloatType>(accType.getElementType());
  auto least =
      floats ? DenseElementsAttr::get(
                   accType, APFloat::getInf(floats.getFloatSemantics(),
                                            /*Negative=*/true))
             : DenseElementsAttr::get(
                   accType,
                   APInt::getSignedMinValue(accType.getElementTypeBitWidth()));
  Value low = arith::ConstantOp::create(rewriter, loc, least);
  SmallVector<bool> reduced(accType.getRank() + 1, false);
  reduced[0] = true;
  rewriter.replaceOpWithNewOp<vector::MultiDimReductionOp>(
      contract, wide.getResult(), low, reduced,
      floats ? vector::CombiningKind::MAXIMUMF : vector::CombiningKind::MAXSI);
  return wide;
}

/// Returns the elementwise ops that compute what `loop` yields from `value`,
/// each from the result of the previous one. Returns no ops and no operand if
/// there are other users.
static OpOperand *findYield(scf::ForOp loop, Value value,
                            SmallVectorImpl<Operation *> &chain) {
  auto type = cast<VectorType>(value.getType());
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (user == loop.getBody()->getTerminator())
      return &use;
    if (user->getBlock() != loop.getBody() || user->getNumResults() != 1 ||
        !OpTrait::hasElementwiseMappableTraits(user) || !isPure(user))
      return nullptr;
    auto result = dyn_cast<VectorType>(user->getResult(0).getType());
    if (!result || result.getShape() != type.getShape())
      return nullptr;
    chain.push_back(user);
    value = user->getResult(0);
  }
  return nullptr;
}

bool mlir::vector_ext::carryRows(RewriterBase &rewriter,
                                 vector::ContractionOp wide) {
  // 1. Only these ops use the value that the loop carries.
  auto loop = dyn_cast<scf::ForOp>(wide->getParentOp());
  auto rows = dyn_cast<VectorType>(wide.getResultType());
  if (!loop || !rows || !wide->hasOneUse())
    return false;
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(*wide->user_begin());
  if (!reduction || reduction->getBlock() != loop.getBody() ||
      reduction.getReductionDims() != ArrayRef<int64_t>{0} ||
      !reduction.getAcc().getDefiningOp<arith::ConstantOp>())
    return false;
  SmallVector<Operation *> chain;
  OpOperand *yielded = findYield(loop, reduction.getResult(), chain);
  if (!yielded)
    return false;
  unsigned number = yielded->getOperandNumber();
  BlockArgument carried = loop.getRegionIterArg(number);
  if (carried.getType() != reduction.getResult().getType())
    return false;
  auto acc = wide.getAcc().getDefiningOp<vector::BroadcastOp>();
  for (Operation *user : carried.getUsers())
    if (!llvm::is_contained(chain, user) &&
        !(user == acc && acc->hasOneUse()))
      return false;

  // 2. Build a loop that carries all rows.
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = loop.getLoc();
  auto widen = [&](Value value) -> Value {
    auto type = cast<VectorType>(value.getType());
    return vector::BroadcastOp::create(
        rewriter, loc,
        VectorType::get(rows.getShape(), type.getElementType()), value);
  };
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInitArgs());
  inits[number] = widen(inits[number]);
  auto built = scf::ForOp::create(
      rewriter, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
      inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  built->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  rewriter.eraseBlock(built.getBody());
  rewriter.inlineRegionBefore(loop.getRegion(), built.getRegion(),
                              built.getRegion().end());
  rewriter.modifyOpInPlace(built, [&] { carried.setType(inits[number].getType()); });
  if (acc && acc.getSource() == carried)
    rewriter.replaceOp(acc, carried);

  // 3. Apply the ops on a row to each row.
  auto low = cast<arith::ConstantOp>(reduction.getAcc().getDefiningOp());
  vector::CombiningKind kind = reduction.getKind();
  rewriter.replaceOp(reduction, wide.getResult());
  for (Operation *op : chain) {
    rewriter.setInsertionPoint(op);
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<VectorType>(operand.get().getType());
        if (type && type.getShape() != rows.getShape())
          operand.set(widen(operand.get()));
      }
      auto type = cast<VectorType>(op->getResult(0).getType());
      op->getResult(0).setType(
          VectorType::get(rows.getShape(), type.getElementType()));
    });
  }

  // 4. Take one row at the end.
  rewriter.setInsertionPointAfter(built);
  SmallVector<bool> reduced(rows.getRank(), false);
  reduced[0] = true;
  SmallVector<Value> results(built.getResults());
  results[number] = vector::MultiDimReductionOp::create(
      rewriter, loc, results[number],
      arith::ConstantOp::create(rewriter, loc, low.getValue()), reduced, kind);
  rewriter.replaceOp(loop, results);
  return true;
}

/// Turns those operands of `contract` in `narrow` that are unsigned bytes into
/// signed bytes, which are smaller by 128. The accumulator makes up for it by
/// 128 times the sums of the other operand, as two products with bytes of 64.
static void makeSigned(RewriterBase &rewriter, vector::ContractionOp contract,
                       Value (&narrow)[2], const bool (&isUnsigned)[2]) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  Location loc = contract.getLoc();
  auto getBytes = [&](Value like, int64_t value) -> Value {
    return arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(cast<VectorType>(like.getType()),
                               APInt(8, value, /*isSigned=*/true)));
  };
  for (unsigned i : {0, 1})
    if (isUnsigned[i])
      narrow[i] = arith::XOrIOp::create(rewriter, loc, narrow[i],
                                        getBytes(narrow[i], -128));
  Value acc = contract.getAcc();
  for (unsigned i : {0, 1}) {
    if (!isUnsigned[i])
      continue;
    Value operands[] = {narrow[0], narrow[1]};
    operands[i] = getBytes(narrow[i], 64);
    for (int turn = 0; turn < 2; ++turn)
      acc = vector::ContractionOp::create(
          rewriter, loc, operands[0], operands[1], acc,
          contract.getIndexingMaps(), contract.getIteratorTypes(),
          contract.getKind());
  }
  if (isUnsigned[0] && isUnsigned[1]) {
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    int64_t products = 1;
    for (auto [bound, iterator] :
         llvm::zip_equal(bounds, contract.getIteratorTypesArray()))
      if (iterator == vector::IteratorType::reduction)
        products *= bound;
    auto type = cast<ShapedType>(acc.getType());
    APInt all(32, static_cast<uint64_t>(products) * 128 * 128,
              /*isSigned=*/false, /*implicitTrunc=*/true);
    acc = arith::AddIOp::create(
        rewriter, loc, acc,
        arith::ConstantOp::create(rewriter, loc,
                                  DenseElementsAttr::get(type, all)));
  }
  rewriter.modifyOpInPlace(contract,
                           [&] { contract.getAccMutable().assign(acc); });
}

bool mlir::vector_ext::foldIntegerExtensions(RewriterBase &rewriter,
                                             vector::ContractionOp contract,
                                             ArrayRef<StringRef> names) {
  MLIRContext *context = contract.getContext();
  Value operands[] = {contract.getLhs(), contract.getRhs()};
  Value narrow[2];
  bool isUnsigned[2];
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Operation *extension = operand.getDefiningOp();
    // There are zeros beyond the tile.
    if (auto select = operand.getDefiningOp<arith::SelectOp>();
        select && matchPattern(select.getFalseValue(), m_Zero()))
      extension = select.getTrueValue().getDefiningOp();
    if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
      return false;
    narrow[i] = extension->getOperand(0);
    isUnsigned[i] = isa<arith::ExtUIOp>(extension);
  }
  Type type = getElementTypeOrSelf(narrow[0].getType());
  if (!type.isInteger(8) || contract.getKind() != vector::CombiningKind::ADD ||
      getElementTypeOrSelf(narrow[1].getType()) != type ||
      !isa<VectorType>(contract.getAccType()))
    return false;
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  auto isKnown = [&](bool isLhsUnsigned, bool isRhsUnsigned) {
    return llvm::any_of(names, [&](StringRef name) {
      const MmaIntrinsic &intrinsic = *dialect->lookupIntrinsic(name);
      return intrinsic.lhsType(context) == type &&
             intrinsic.rhsType(context) == type &&
             intrinsic.isLhsUnsigned == isLhsUnsigned &&
             intrinsic.isRhsUnsigned == isRhsUnsigned &&
             intrinsic.accType(context) ==
                 getElementTypeOrSelf(contract.getResultType());
    });
  };
  bool isDirect = isKnown(isUnsigned[0], isUnsigned[1]);
  if (!isDirect && !isKnown(false, false))
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  for (unsigned i : {0, 1})
    if (auto select = operands[i].getDefiningOp<arith::SelectOp>()) {
      Value zeros =
          arith::ConstantOp::create(rewriter, contract.getLoc(),
                                    rewriter.getZeroAttr(narrow[i].getType()));
      narrow[i] = arith::SelectOp::create(
          rewriter, contract.getLoc(), select.getCondition(), narrow[i], zeros);
    }
  if (!isDirect) {
    makeSigned(rewriter, contract, narrow, isUnsigned);
    isUnsigned[0] = isUnsigned[1] = false;
  }
  rewriter.modifyOpInPlace(contract, [&] {
    contract.getLhsMutable().assign(narrow[0]);
    contract.getRhsMutable().assign(narrow[1]);
    if (isUnsigned[0] || isUnsigned[1])
      contract->setAttr(getUnsignedAttrName(),
                        DenseBoolArrayAttr::get(context, isUnsigned));
  });
  // Tiles are read in place only if nothing else reads them. Both operands may
  // be the same value.
  llvm::SmallSetVector<Operation *, 4> replaced;
  for (Value operand : operands) {
    Operation *op = operand.getDefiningOp();
    replaced.insert(op);
    if (auto select = dyn_cast<arith::SelectOp>(op))
      replaced.insert(select.getTrueValue().getDefiningOp());
  }
  for (Operation *op : replaced)
    if (op->use_empty())
      rewriter.eraseOp(op);
  return true;
}

// Upstream's populateFoldArithExtensionPatterns folds extensions whatever is
// summed.
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
