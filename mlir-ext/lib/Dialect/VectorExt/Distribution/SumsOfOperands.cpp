//===- SumsOfOperands.cpp - Sums of the operand of a contraction ----------===//
//
// See Contractions.h. Integers of 8 bits that a contraction multiplies are
// summed beside it, for zero points. Threads would extend and add them one by
// one. The instruction of the contraction adds them faster, times ones:
//
//   %p = vector.contract %x, %w, %acc : rows x k, k x columns
//   %s = vector.multi_reduction <add>, broadcast(ext %w), %sums [k]
//
// becomes a second contraction of ones and %w that starts from %sums.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// The number of a dimension along which a vector is broadcast.
static constexpr int64_t kBroadcast = -1;

namespace {
/// A vector of bytes from which another vector is computed by an extension,
/// broadcasts and transpositions; and for each dimension of that vector the
/// dimension of the bytes, or kBroadcast.
struct ExtendedBytes {
  Value bytes;
  bool isUnsigned;
  SmallVector<int64_t> dims;
};

/// A mask of a vector from which others are computed, and for each dimension of
/// the first one that of the masked vector, or kBroadcast.
struct Mask {
  Value mask;
  SmallVector<int64_t> dims;
};
} // namespace

/// Returns the numbers of elements along each dimension that `mask` lets
/// through, or nothing if it has another form.
static std::optional<SmallVector<OpFoldResult>> getMaskedSizes(Value mask) {
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    return getAsIndexOpFoldResult(mask.getContext(),
                                  constant.getMaskDimSizes());
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return getAsOpFoldResult(create.getOperands());
  return std::nullopt;
}

/// Returns whether what `select` hides are elements behind the end of what is
/// read as `found`, which are 0.
static bool hidesZeros(const Mask &select, const ExtendedBytes &found) {
  auto read = found.bytes.getDefiningOp<vector::TransferReadOp>();
  std::optional<SmallVector<OpFoldResult>> sizes = getMaskedSizes(select.mask),
                                           ofRead;
  if (read && read.getMask())
    ofRead = getMaskedSizes(read.getMask());
  if (!sizes || !ofRead || !read.getPermutationMap().isMinorIdentity() ||
      !matchPattern(read.getPadding(), m_Zero()))
    return false;
  ArrayRef<int64_t> shape = cast<VectorType>(select.mask.getType()).getShape();
  for (auto [dim, ofSelect] : llvm::enumerate(select.dims)) {
    if (ofSelect == kBroadcast ||
        getConstantIntValue((*sizes)[ofSelect]) == shape[ofSelect])
      continue;
    if (found.dims[dim] == kBroadcast ||
        !isEqualConstantIntOrValue((*sizes)[ofSelect],
                                   (*ofRead)[found.dims[dim]]))
      return false;
  }
  return true;
}

/// Finds the bytes from which `value` is computed.
static std::optional<ExtendedBytes> findBytes(Value value) {
  auto type = cast<VectorType>(value.getType());
  // The dimension of the current value for each of the first one.
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  SmallVector<Mask> masks;
  while (Operation *op = value.getDefiningOp()) {
    unsigned source = 0;
    if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      for (int64_t &dim : dims)
        if (dim != kBroadcast)
          dim = transpose.getPermutation()[dim];
    } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
      auto source = dyn_cast<VectorType>(broadcast.getSourceType());
      if (!source || !broadcast.computeBroadcastedUnitDims().empty())
        return std::nullopt;
      int64_t added =
          broadcast.getResultVectorType().getRank() - source.getRank();
      for (int64_t &dim : dims)
        if (dim != kBroadcast)
          dim = dim < added ? kBroadcast : dim - added;
    } else if (isa<arith::ExtSIOp, arith::ExtUIOp>(op)) {
      Value bytes = op->getOperand(0);
      if (!cast<VectorType>(bytes.getType()).getElementType().isInteger(8))
        return std::nullopt;
      ExtendedBytes found{bytes, isa<arith::ExtUIOp>(op), std::move(dims)};
      if (!llvm::all_of(masks,
                        [&](const Mask &m) { return hidesZeros(m, found); }))
        return std::nullopt;
      return found;
    } else if (auto select = dyn_cast<arith::SelectOp>(op);
               select && isa<VectorType>(select.getCondition().getType()) &&
               matchPattern(select.getFalseValue(), m_Zero())) {
      masks.push_back({select.getCondition(), dims});
      source = select.getTrueValueMutable().getOperandNumber();
    } else {
      return std::nullopt;
    }
    value = op->getOperand(source);
  }
  return std::nullopt;
}

/// Returns the dimension of `contract` for each dimension of `found`, whose
/// bytes are its right operand. The only one that is broadcast is that of the
/// rows. Returns nothing if there are others.
static std::optional<SmallVector<int64_t>>
getDimsOfContraction(const ExtendedBytes &found, VectorType type,
                     vector::ContractionOp contract) {
  linalg_ext::Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return std::nullopt;
  SmallVector<int64_t> bounds, result;
  contract.getIterationBounds(bounds);
  AffineMap right = contract.getIndexingMapsArray()[1];
  bool hasRows = false;
  for (auto [dim, size] : llvm::zip_equal(found.dims, type.getShape())) {
    if (dim != kBroadcast) {
      result.push_back(right.getDimPosition(dim));
      continue;
    }
    if (hasRows || bounds[dims->m] != size || right.isFunctionOfDim(dims->m))
      return std::nullopt;
    hasRows = true;
    result.push_back(dims->m);
  }
  return result;
}

/// Transposes `value`, whose dimensions are those of `from`, to the order of
/// `to`.
static Value reorder(RewriterBase &rewriter, Location loc, Value value,
                     ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> permutation;
  for (int64_t dim : to)
    permutation.push_back(llvm::find(from, dim) - from.begin());
  if (isIdentityPermutation(permutation))
    return value;
  auto before = value.getDefiningOp<vector::TransposeOp>();
  if (before && isIdentityPermutation(
                    applyPermutation(before.getPermutation(), permutation)))
    return before.getVector();
  return vector::TransposeOp::create(rewriter, loc, value, permutation);
}

bool mlir::vector_ext::sumByContraction(RewriterBase &rewriter,
                                        vector::MultiDimReductionOp sum) {
  auto type = sum.getSourceVectorType();
  if (sum.getKind() != vector::CombiningKind::ADD ||
      !type.getElementType().isInteger(32) ||
      !isa<VectorType>(sum.getDestType()) ||
      llvm::count(sum.getReductionMask(), true) != 1)
    return false;
  std::optional<ExtendedBytes> found = findBytes(sum.getSource());
  if (!found)
    return false;
  for (Operation *user : found->bytes.getUsers()) {
    auto contract = dyn_cast<vector::ContractionOp>(user);
    if (!contract || contract->getBlock() != sum->getBlock() ||
        contract.getRhs() != found->bytes ||
        contract.getLhsType().getElementType() !=
            contract.getRhsType().getElementType() ||
        contract.getKind() != vector::CombiningKind::ADD ||
        !isa<VectorType>(contract.getResultType()))
      continue;
    std::optional<SmallVector<int64_t>> dims =
        getDimsOfContraction(*found, type, contract);
    if (!dims)
      continue;
    // Ones have any sign.
    if (getUnsignedOperands(contract).second != found->isUnsigned)
      continue;
    SmallVector<int64_t> left, all;
    for (auto [dim, isSummed] :
         llvm::zip_equal(*dims, sum.getReductionMask())) {
      bool isReduced = contract.getIteratorTypesArray()[dim] ==
                       vector::IteratorType::reduction;
      if (isReduced != isSummed)
        return false;
      if (!isSummed)
        left.push_back(dim);
    }
    AffineMap resultMap = contract.getIndexingMapsArray()[2];
    for (AffineExpr expr : resultMap.getResults())
      all.push_back(cast<AffineDimExpr>(expr).getPosition());
    if (left.size() != all.size() || !llvm::all_of(all, [&](int64_t dim) {
          return llvm::is_contained(left, dim);
        }))
      continue;
    Location loc = sum.getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(sum);
    VectorType ofOnes = contract.getLhsType();
    Value ones = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(ofOnes, rewriter.getI8IntegerAttr(1)));
    Value acc = reorder(rewriter, loc, sum.getAcc(), left, all);
    // Both operands of a product of rows with each other are one vector.
    auto product = cast<vector::ContractionOp>(rewriter.clone(*contract));
    rewriter.modifyOpInPlace(product, [&] {
      product.getLhsMutable().assign(ones);
      product.getAccMutable().assign(acc);
    });
    Operation *before = sum.getAcc().getDefiningOp();
    SmallVector<Operation *> dead{sum.getSource().getDefiningOp()};
    rewriter.replaceOp(
        sum, reorder(rewriter, loc, product.getResult(), all, left));
    if (before && isOpTriviallyDead(before))
      rewriter.eraseOp(before);
    while (!dead.empty()) {
      Operation *op = dead.pop_back_val();
      if (!op || !isOpTriviallyDead(op))
        continue;
      SmallVector<Value> operands(op->getOperands());
      rewriter.eraseOp(op);
      for (Value operand : operands)
        dead.push_back(operand.getDefiningOp());
    }
    return true;
  }
  return false;
}
