//===- PagesByPosition.cpp - Gathers of pages at a position ---------------===//
//
// See PagesByPosition.h.
//
//===----------------------------------------------------------------------===//

#include "PagesByPosition.h"

#include "mlir-ext/Support/Comparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

Value mlir::linalg_ext::skipIndexCasts(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

static std::optional<int64_t> getLoopDim(Value index) {
  if (auto op = skipIndexCasts(index).getDefiningOp<linalg::IndexOp>())
    return op.getDim();
  return std::nullopt;
}

namespace {
/// The index of loop `dim` divided by `rows`: the quotient or the remainder.
struct Division {
  int64_t dim;
  Value rows;
};
} // namespace

static std::optional<Division> getDivision(Operation *op) {
  std::optional<int64_t> dim = getLoopDim(op->getOperand(0));
  if (!dim)
    return std::nullopt;
  return Division{*dim, skipIndexCasts(op->getOperand(1))};
}

static std::optional<Division> matchQuotient(Value value) {
  Operation *op = skipIndexCasts(value).getDefiningOp();
  // Positions are not negative.
  if (!isa_and_nonnull<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op))
    return std::nullopt;
  return getDivision(op);
}

/// Returns whether `lhs` and `rhs` are known to be equal: the same value, the
/// same constant, or the size of the same dimension.
static bool isSame(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  std::optional<int64_t> constant = getConstantIntValue(lhs);
  if (constant || getConstantIntValue(rhs))
    return constant == getConstantIntValue(rhs);
  auto ofLhs = lhs.getDefiningOp<tensor::DimOp>(),
       ofRhs = rhs.getDefiningOp<tensor::DimOp>();
  return ofLhs && ofRhs && ofLhs.getSource() == ofRhs.getSource() &&
         ofLhs.getConstantIndex() &&
         ofLhs.getConstantIndex() == ofRhs.getConstantIndex();
}

static std::optional<Division> matchRemainder(Value value) {
  Operation *op = skipIndexCasts(value).getDefiningOp();
  if (isa_and_nonnull<arith::RemUIOp, arith::RemSIOp>(op))
    return getDivision(op);
  // s - s / n * n
  auto difference = dyn_cast_or_null<arith::SubIOp>(op);
  auto product = difference ? difference.getRhs().getDefiningOp<arith::MulIOp>()
                            : arith::MulIOp();
  if (!product)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    std::optional<Division> quotient = matchQuotient(product->getOperand(side));
    if (quotient && getLoopDim(difference.getLhs()) == quotient->dim &&
        isSame(skipIndexCasts(product->getOperand(1 - side)), quotient->rows))
      return quotient;
  }
  return std::nullopt;
}

/// Returns whether `size` is the size of dimension `dim` of `tensor`.
static bool isSizeOf(Value size, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getConstantIntValue(size) == type.getDimSize(dim);
  auto op = size.getDefiningOp<tensor::DimOp>();
  return op && op.getSource() == tensor && op.getConstantIndex() == dim;
}

static bool isInPayload(LinalgOp op, Value value) {
  return op->getRegion(0).isAncestor(value.getParentRegion());
}

/// Returns `index` as a value from outside of the payload, if it is the same
/// for all elements. Null otherwise.
static Value getFixed(LinalgOp op, Value index) {
  if (getConstantIntValue(index) || !isInPayload(op, index))
    return index;
  Value source = skipIndexCasts(index);
  return isInPayload(op, source) ? Value() : source;
}

/// If `value`, in the payload of `op`, is an element of a tensor, returns the
/// tensor, and appends the loops that index it to `dims`. Null otherwise.
static Value matchElement(LinalgOp op, Value value,
                          SmallVector<int64_t> &dims) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (!isInPayload(op, arg) || op.isDpsInit(op.getMatchingOpOperand(arg)))
      return {};
    OpOperand *operand = op.getMatchingOpOperand(arg);
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return {};
      dims.push_back(dim.getPosition());
    }
    return operand->get();
  }
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  if (!extract || isInPayload(op, extract.getTensor()))
    return {};
  for (Value index : extract.getIndices()) {
    std::optional<int64_t> dim = getLoopDim(index);
    if (!dim)
      return {};
    dims.push_back(*dim);
  }
  return extract.getTensor();
}

/// Matches select(s < length, x, 0). Returns x, and sets `length` and `dim`,
/// the loop whose index is s. A length is not negative, so the comparison may
/// be unsigned.
static Value matchEnd(arith::SelectOp select, Value &length, int64_t &dim) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return {};
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value position = compare.getLhs(), end = compare.getRhs();
  if (!getLoopDim(position)) {
    std::swap(position, end);
    predicate = swapOperands(predicate);
  }
  std::optional<int64_t> loop = getLoopDim(position);
  bool isInside = predicate == arith::CmpIPredicate::slt ||
                  predicate == arith::CmpIPredicate::ult,
       isOutside = predicate == arith::CmpIPredicate::sge ||
                   predicate == arith::CmpIPredicate::uge;
  if (!loop || (!isInside && !isOutside))
    return {};
  Value there = isInside ? select.getTrueValue() : select.getFalseValue(),
        behind = isInside ? select.getFalseValue() : select.getTrueValue();
  if (!matchPattern(behind, m_PosZeroFloat()) &&
      !matchPattern(behind, m_Zero()))
    return {};
  length = skipIndexCasts(end);
  dim = *loop;
  return there;
}

/// Returns whether the slice of `tensor` at the positions `at` is valid:
/// constant positions are inside, and no dimension is empty, since not even
/// offset 0 is valid there. (An extracted element may be outside if no
/// iteration reads it, but a slice may not.)
static bool canBeSliced(Value tensor, ArrayRef<Value> at) {
  if (llvm::all_of(at, [](Value index) { return !index; }))
    return true;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  return llvm::all_of(llvm::zip_equal(shape, at), [](auto pair) {
    auto [size, index] = pair;
    int64_t offset = index ? getConstantIntValue(index).value_or(0) : 0;
    return offset >= 0 && (ShapedType::isDynamic(size) || offset < size);
  });
}

std::optional<PagesByPosition>
mlir::linalg_ext::matchPagesByPosition(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !llvm::all_of(*op.getBlock(), [](Operation &nested) {
        return isMemoryEffectFree(&nested) && nested.getNumRegions() == 0;
      }))
    return std::nullopt;
  PagesByPosition pages;
  Value element = op.getBlock()->getTerminator()->getOperand(0), length;
  int64_t ofLength = 0;
  if (auto select = element.getDefiningOp<arith::SelectOp>();
      select && isInPayload(op, element))
    element = matchEnd(select, length, ofLength);
  auto extract = element ? element.getDefiningOp<tensor::ExtractOp>()
                         : tensor::ExtractOp();
  if (!extract || !isInPayload(op, element) ||
      isInPayload(op, extract.getTensor()) || !extract.getType().isIntOrFloat())
    return std::nullopt;

  // 1. The pool. Its dimensions are the page, the row, and dimensions of the
  //    result.
  pages.pool = extract.getTensor();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType())
                                .getShape(),
                    poolShape = extract.getTensor().getType().getShape();
  tensor::ExtractOp entry;
  std::optional<Division> row;
  llvm::SetVector<int64_t> seen;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    pages.poolAt.push_back(getFixed(op, index));
    if (pages.poolAt.back())
      continue;
    if (std::optional<int64_t> loop = getLoopDim(index)) {
      if (!seen.insert(*loop) ||
          failed(verifyCompatibleDims({shape[*loop], poolShape[dim]})))
        return std::nullopt;
      pages.poolDims.push_back(*loop);
      continue;
    }
    std::optional<Division> remainder = matchRemainder(index);
    if (remainder) {
      if (row || !isSizeOf(remainder->rows, pages.pool, dim))
        return std::nullopt;
      row = remainder;
      pages.poolDims.push_back(remainder->dim);
      continue;
    }
    if (entry)
      return std::nullopt;
    entry = skipIndexCasts(index).getDefiningOp<tensor::ExtractOp>();
    if (!entry || isInPayload(op, entry.getTensor()))
      return std::nullopt;
    pages.poolDims.push_back(PagedGatherOp::kPageDim);
  }
  if (!entry || !row || !seen.insert(row->dim))
    return std::nullopt;
  pages.sequenceDim = row->dim;

  // 2. The table. Its dimensions are the sequences, and the number of the page
  //    in the sequence.
  pages.table = entry.getTensor();
  Type number = entry.getType();
  if (!number.isIndex() && !number.isInteger(32) && !number.isInteger(64))
    return std::nullopt;
  for (auto [dim, index] : llvm::enumerate(entry.getIndices())) {
    pages.tableAt.push_back(getFixed(op, index));
    if (pages.tableAt.back())
      continue;
    if (dim + 1 == entry.getIndices().size()) {
      std::optional<Division> quotient = matchQuotient(index);
      if (!quotient || quotient->dim != row->dim ||
          !isSame(quotient->rows, row->rows))
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> loop = getLoopDim(index);
    if (!loop || !seen.insert(*loop))
      return std::nullopt;
    pages.batchDims.push_back(*loop);
  }
  if (pages.tableAt.empty() || pages.tableAt.back() ||
      seen.size() != op.getNumLoops() ||
      !canBeSliced(pages.pool, pages.poolAt) ||
      !canBeSliced(pages.table, pages.tableAt))
    return std::nullopt;

  // 3. The lengths.
  if (!length)
    return pages;
  SmallVector<int64_t> dims;
  pages.lengths = matchElement(op, length, dims);
  if (!pages.lengths || ofLength != row->dim || dims != pages.batchDims)
    return std::nullopt;
  Type type = getElementTypeOrSelf(pages.lengths);
  if (!type.isIndex() && !type.isInteger(32) && !type.isInteger(64))
    return std::nullopt;
  return pages;
}

/// Slices `tensor` at the positions in `at`, and drops the dimensions that have
/// a position.
static Value sliceAt(OpBuilder &b, Location loc, Value tensor,
                     ArrayRef<Value> at) {
  if (llvm::all_of(at, [](Value index) { return !index; }))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets(at.size(), b.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(b, loc, tensor),
      strides(at.size(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (auto [dim, index] : llvm::enumerate(at)) {
    if (!index) {
      shape.push_back(type.getDimSize(dim));
      continue;
    }
    sizes[dim] = b.getIndexAttr(1);
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      offsets[dim] = b.getIndexAttr(*constant);
    else
      offsets[dim] =
          getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), index);
  }
  return tensor::ExtractSliceOp::create(b, loc, type.clone(shape), tensor,
                                        offsets, sizes, strides);
}

PagedGatherOp
mlir::linalg_ext::buildPagesByPosition(RewriterBase &rewriter, LinalgOp op,
                                       const PagesByPosition &pages) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  return PagedGatherOp::create(
      rewriter, loc, op->getResultTypes(),
      sliceAt(rewriter, loc, pages.pool, pages.poolAt),
      sliceAt(rewriter, loc, pages.table, pages.tableAt), /*starts=*/Value(),
      pages.lengths, /*offset=*/Value(), op.getDpsInits().front(),
      pages.sequenceDim, pages.batchDims, pages.poolDims);
}
