//===- TileShapes.cpp - The sizes of tiles and of their vectors -----------===//
//
// A vector has a constant size, the largest that its tile can have, rounded up.
// It follows from the op that creates the tile, or from bounds of values. The
// size of the tile itself is kept, too: masks of reads and writes need it.
//
//===----------------------------------------------------------------------===//

#include "TileVectorizer.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the sizes after a collapse of a tensor with sizes `sizes`. Each
/// group must have at most one size other than 1, or only constants.
static std::optional<SmallVector<OpFoldResult>>
collapseSizes(tensor::CollapseShapeOp op, ArrayRef<OpFoldResult> sizes) {
  Builder b(op.getContext());
  SmallVector<OpFoldResult> collapsed;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t product = 1;
    Value unknown;
    for (int64_t dim : group) {
      if (std::optional<int64_t> constant = getConstantIntValue(sizes[dim]))
        product *= *constant;
      else if (!unknown)
        unknown = cast<Value>(sizes[dim]);
      else
        return std::nullopt;
    }
    if (unknown && product != 1)
      return std::nullopt;
    collapsed.push_back(unknown ? OpFoldResult(unknown)
                                : OpFoldResult(b.getIndexAttr(product)));
  }
  return collapsed;
}

/// Returns the sizes of `tensor` as the op that creates it states them.
std::optional<SmallVector<OpFoldResult>>
TileVectorizer::getKnownSizes(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(def))
    return getOutputShape(expand);
  if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(def)) {
    FailureOr<TileShape> shape = getShape(collapse.getSrc());
    if (failed(shape))
      return std::nullopt;
    return collapseSizes(collapse, shape->sizes);
  }
  if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(def))
    return empty.getMixedSizes();
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(def)) {
    SmallVector<OpFoldResult> sizes;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(dim))
        sizes.push_back(size);
    return sizes;
  }
  Value like;
  if (auto dps = dyn_cast_if_present<DestinationStyleOpInterface>(def))
    like = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
  if (auto cast = dyn_cast_if_present<tensor::CastOp>(def);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    like = cast.getSource();
  if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(def))
    like = insert.getDest();
  if (auto alloc = dyn_cast_if_present<bufferization::AllocTensorOp>(def))
    like = alloc.getCopy();
  if (!like)
    return std::nullopt;
  FailureOr<TileShape> shape = getShape(like);
  if (failed(shape))
    return std::nullopt;
  return shape->sizes;
}

/// Returns whether a reshape merges dimension `dim` of `tensor`, or of a tensor
/// computed from it elementwise, with other dimensions of more than one
/// element. Only considers values that are unpacked or in groups: the position
/// in a word or group is not a dimension of an instruction.
static bool isMerged(Value tensor, int64_t dim, unsigned depth = 8) {
  if (depth == 0)
    return false;
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user)) {
      if (!mergesParts(collapse))
        continue;
      for (const ReassociationIndices &group :
           collapse.getReassociationIndices())
        if (llvm::is_contained(group, dim) &&
            llvm::count_if(group, [&](int64_t at) {
              return collapse.getSrcType().getDimSize(at) != 1;
            }) > 1)
          return true;
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !op.isAllParallelLoops() || op->getNumResults() != 1)
      continue;
    auto loop =
        dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&use).getResult(dim));
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    std::optional<unsigned> result =
        loop ? written.getResultPosition(loop) : std::nullopt;
    if (result && isMerged(op->getResult(0), *result, depth - 1))
      return true;
  }
  return false;
}

/// The number of elements that matrix instructions for 8 bits sum at a time.
static constexpr int64_t kSummedBytes = 32;

/// Returns whether a product of elements of 8 bits sums along dimension `dim`
/// of `tensor`, or of a tensor that other ops compute from it.
static bool isSummedInBytes(Value tensor, int64_t dim, unsigned depth = 12) {
  return depth > 0 && llvm::any_of(tensor.getUses(), [&](OpOperand &use) {
           auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
           if (!op || op->getNumResults() != 1)
             return false;
           auto loop = dyn_cast<AffineDimExpr>(
               op.getMatchingIndexingMap(&use).getResult(dim));
           if (!loop)
             return false;
           if (linalg::isReductionIterator(
                   op.getIteratorTypesArray()[loop.getPosition()]))
             return linalg::isaContractionOpInterface(op) &&
                    llvm::all_of(op.getDpsInputs(), [](Value input) {
                      Type type = getElementTypeOrSelf(input.getType());
                      return isF8(type) || type.isInteger(8);
                    });
           std::optional<unsigned> result =
               op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                   .getResultPosition(loop);
           return result &&
                  isSummedInBytes(op->getResult(0), *result, depth - 1);
         });
}

/// Returns whether dimension `dim` of `tensor` is a dimension of a product, or
/// of a tensor computed elementwise from one, so that the instruction has it.
static bool isOfProduct(Value tensor, int64_t dim, unsigned depth);

/// Returns whether an operand of `op` has `loop` as a dimension of a product.
static bool readsProduct(linalg::LinalgOp op, AffineDimExpr loop,
                         unsigned depth = 8) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    std::optional<unsigned> source =
        op.getMatchingIndexingMap(operand).getResultPosition(loop);
    return source && isOfProduct(operand->get(), *source, depth);
  });
}

static bool isOfProduct(Value tensor, int64_t dim, unsigned depth) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1 || depth == 0)
    return false;
  if (linalg::isaContractionOpInterface(op))
    return true;
  auto loop = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResult(dim));
  return loop && op.isAllParallelLoops() && readsProduct(op, loop, depth - 1);
}

/// Returns whether dimension `dim` of `tensor` is only reduced, by ops that are
/// no products, like the coordinates of a distance. No instruction has this
/// dimension.
static bool isReducedApart(Value tensor, int64_t dim, unsigned depth = 8) {
  return depth > 0 && !tensor.use_empty() &&
         llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
           auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
           if (!op || op->getNumResults() != 1 ||
               linalg::isaContractionOpInterface(op))
             return false;
           auto loop = dyn_cast<AffineDimExpr>(
               op.getMatchingIndexingMap(&use).getResult(dim));
           if (!loop || readsProduct(op, loop))
             return false;
           if (linalg::isReductionIterator(
                   op.getIteratorTypesArray()[loop.getPosition()]))
             return true;
           std::optional<unsigned> result =
               op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                   .getResultPosition(loop);
           return result &&
                  isReducedApart(op->getResult(0), *result, depth - 1);
         });
}

int64_t TileVectorizer::pad(int64_t size) const {
  if (size <= fewRows)
    return fewRows;
  if (size == filledRows.first)
    return filledRows.second;
  // Instructions have a multiple of 8 columns, and more suit what is summed.
  constexpr int64_t kColumnsOfInstructions = 8;
  if (exchangedRows > 0 &&
      int64_t(llvm::alignTo(size, kColumnsOfInstructions)) == exchangedRows)
    return exchangedRows;
  if (contracts || options.rowMultipleOf == 0)
    return llvm::alignTo(size, options.multipleOf);
  if (size < options.rowMultipleOf)
    return llvm::bit_ceil(uint64_t(size));
  // Many threads can divide a long row evenly.
  int64_t quarter = llvm::bit_floor(uint64_t(size)) / 4;
  return llvm::alignTo(size, std::max<int64_t>(options.rowMultipleOf, quarter));
}

FailureOr<TileShape> TileVectorizer::computeShape(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.getElementType().isIntOrIndexOrFloat())
    return failure();
  std::optional<SmallVector<OpFoldResult>> known = getKnownSizes(tensor);
  TileShape shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t bound = type.getDimSize(dim);
    OpFoldResult size;
    if (!ShapedType::isDynamic(bound))
      size = rewriter.getIndexAttr(bound);
    else if (known)
      size = (*known)[dim];
    if (std::optional<int64_t> constant =
            size ? getConstantIntValue(size) : std::nullopt) {
      bound = *constant;
    } else {
      ValueBoundsConstraintSet::Variable variable =
          size ? ValueBoundsConstraintSet::Variable(size)
               : ValueBoundsConstraintSet::Variable(tensor, dim);
      FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, variable, /*stopCondition=*/nullptr,
          kClosedUpperBound);
      if (failed(upper) || *upper > options.maxElements)
        return failure();
      bound = std::max<int64_t>(*upper, 1);
      if (!size) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointAfterValue(tensor);
        size = tensor::getMixedSize(rewriter, tensor.getLoc(), tensor, dim);
      }
    }
    // A dimension of one element stays as it is. Others get a size that suits
    // the target, with two exceptions: parts belong to different threads, and
    // merged dimensions are padded after they are merged.
    if (bound != 1 && !(dim == 0 && slots.contains(tensor)) &&
        !isMerged(tensor, dim))
      bound = contracts && isSummedInBytes(tensor, dim)
                  ? llvm::alignTo(bound, kSummedBytes)
              : contracts && !type.isDynamicDim(dim) &&
                      bound < options.multipleOf &&
                      isReducedApart(tensor, dim) &&
                      !isOfProduct(tensor, dim, /*depth=*/8)
                  ? llvm::bit_ceil(uint64_t(bound))
                  : pad(std::max<int64_t>(bound, 1));
    shape.bounds.push_back(bound);
    shape.sizes.push_back(size);
  }
  return shape;
}

FailureOr<TileShape> TileVectorizer::getShape(Value tensor) {
  auto it = shapes.find(tensor);
  if (it != shapes.end())
    return it->second;
  FailureOr<TileShape> shape = computeShape(tensor);
  if (succeeded(shape))
    shapes[tensor] = *shape;
  return shape;
}

bool TileVectorizer::isWhole(ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             const TileShape &shape) {
  for (auto [offset, size, whole] :
       llvm::zip_equal(offsets, sizes, shape.sizes)) {
    if (getConstantIntValue(offset) != 0)
      return false;
    if (isEqualConstantIntOrValue(size, whole))
      continue;
    FailureOr<bool> areEqual = ValueBoundsConstraintSet::areEqual(size, whole);
    if (failed(areEqual) || !*areEqual)
      return false;
  }
  return true;
}
