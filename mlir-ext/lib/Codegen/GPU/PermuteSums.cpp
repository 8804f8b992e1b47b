//===- PermuteSums.cpp - Stored operands in the order of registers --------===//
//
// Weights of attention that are rounded to 8 bits are the left operand of an
// instruction, and are computed from the result of another one. In a result, a
// thread has two neighbouring columns of each eight. The operand wants four
// neighbouring elements of the sum: lanes would exchange halves.
//
// The sum has the same terms in any order. The other operand, the values, is
// stored by a launch in front, with what is summed last. So this step permutes
// both within each 16 elements of the sum: the values when they are stored, and
// the weights in registers, where it moves nothing. With h, j, t, i the digits
// of a position 16 h + 8 j + 2 t + i, a thread with the lane t has all i and j:
//
//   stored at 16 h + 4 t + 2 j + i
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Divisor.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::ContractConfigAttr;
using vector_ext::MmaIntrinsic;
using vector_ext::VectorExtDialect;

/// Elements of the sum that are permuted with each other, and their digits.
static constexpr int64_t kBlock = 16, kPairs = 2, kLanes = 4, kPair = 2;

namespace {
/// An access to the stored operand, and the dimension of its vector that is
/// summed, which is the last one of the memory.
struct Access {
  Operation *op;
  unsigned dim;
};
} // namespace

/// Returns whether `value` is known to be a multiple of kBlock.
static bool isMultiple(OpFoldResult value) {
  return getDivisor(value) % kBlock == 0;
}

/// Returns the dimension of the vector of `op`, a read or a write, that is the
/// last one of its memory, if whole blocks are accessed. If the memory, a view,
/// may end in a block, the access must not go beyond it.
template <typename Transfer>
static std::optional<Access> matchTransfer(Transfer op, bool endsWithBlock) {
  AffineMap map = op.getPermutationMap();
  std::optional<unsigned> dim = map.getResultPosition(
      getAffineDimExpr(map.getNumDims() - 1, op.getContext()));
  VectorType type = op.getVectorType();
  if (!dim || type.isScalable() || type.getDimSize(*dim) % kBlock != 0 ||
      !isMultiple(op.getIndices().back()) ||
      (!endsWithBlock && !op.isDimInBounds(*dim)))
    return std::nullopt;
  if (Value mask = op.getMask()) {
    // The mask has the dimensions of the memory that the vector has.
    auto bounds = mask.template getDefiningOp<vector::CreateMaskOp>();
    AffineMap ofMask = inversePermutation(compressUnusedDims(map));
    if (!bounds || !ofMask || ofMask.getNumResults() != type.getRank() ||
        !isMultiple(bounds.getOperands().back()))
      return std::nullopt;
  }
  return Access{op, *dim};
}

/// Returns whether elementwise ops compute `weights` from the result of a
/// contraction.
static bool followsContraction(Value weights) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == weights.getParentBlock() &&
           !isa<vector::TransferReadOp>(op);
  };
  (void)getBackwardSlice(weights, &slice, options);
  return llvm::any_of(slice, llvm::IsaPred<vector::ContractionOp>);
}

/// Returns whether the instruction of `op` wants four neighbouring elements of
/// the sum in each lane, and leaves two neighbouring columns of eight.
static bool hasQuads(vector::ContractionOp op) {
  auto config = op->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  const MmaIntrinsic *intrinsic =
      config ? op->getContext()
                   ->getLoadedDialect<VectorExtDialect>()
                   ->lookupIntrinsic(config.getIntrinsic())
             : nullptr;
  if (!intrinsic)
    return false;
  using layout::Axis;
  auto endsIn = [](layout::DimDigits digits, int64_t registers) {
    auto n = digits.size();
    return n >= 2 && digits[n - 1].axis == Axis::Register &&
           digits[n - 1].size == registers &&
           digits[n - 2].axis == Axis::Lane && digits[n - 2].size == kLanes &&
           digits[n - 2].stride == 1;
  };
  return endsIn(intrinsic->lhs.getDims()[1], kPairs * kPair) &&
         endsIn(intrinsic->acc.getDims()[1], kPair);
}

/// Returns whether `read` is the right operand of contractions alone that sum
/// over its dimension `dim`, and whose left operand is in registers.
static bool isMultipliedByWeights(Access read) {
  return !read.op->use_empty() &&
         llvm::all_of(read.op->getUsers(), [&](Operation *user) {
           auto op = dyn_cast<vector::ContractionOp>(user);
           if (!op || op.getRhs() != read.op->getResult(0) ||
               op.getLhs() == op.getRhs() || op.isMasked())
             return false;
           auto sum = dyn_cast<AffineDimExpr>(
               op.getIndexingMapsArray()[1].getResult(read.dim));
           return sum &&
                  op.getIteratorTypesArray()[sum.getPosition()] ==
                      vector::IteratorType::reduction &&
                  op.getIndexingMapsArray()[0].isFunctionOfDim(
                      sum.getPosition()) &&
                  hasQuads(op) && followsContraction(op.getLhs());
         });
}

/// Collects the accesses to `memory`. Fails if there are others than writes and
/// reads of whole blocks. Says in `endsWithBlock` whether the last dimension of
/// `memory` has whole blocks.
static LogicalResult collectAccesses(Value memory, bool endsWithBlock,
                                     SmallVector<Access> &writes,
                                     SmallVector<Access> &reads) {
  for (Operation *user : memory.getUsers()) {
    if (isa<memref::DeallocOp, memref::DimOp>(user))
      continue;
    if (auto view = dyn_cast<memref::SubViewOp>(user)) {
      int64_t rank = view.getSourceType().getRank();
      if (view.getType().getRank() != rank ||
          !isMultiple(view.getMixedOffsets().back()) ||
          getConstantIntValue(view.getMixedStrides().back()) != 1 ||
          failed(collectAccesses(view.getResult(),
                                 isMultiple(view.getMixedSizes().back()),
                                 writes, reads)))
        return failure();
      continue;
    }
    std::optional<Access> access;
    if (auto write = dyn_cast<vector::TransferWriteOp>(user)) {
      access = matchTransfer(write, endsWithBlock);
      if (access)
        writes.push_back(*access);
    } else if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      access = matchTransfer(read, endsWithBlock);
      if (access && !isMultipliedByWeights(*access))
        access.reset();
      if (access)
        reads.push_back(*access);
    }
    if (!access)
      return failure();
  }
  return success();
}

/// Builds `vector` with the blocks along `dim` permuted.
static Value buildPermuted(OpBuilder &b, Location loc, Value vector,
                           unsigned dim) {
  auto type = cast<VectorType>(vector.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t size = shape[dim];
  shape[dim] = size / kBlock;
  shape.insert(shape.begin() + dim + 1, {kPairs, kLanes, kPair});
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  std::swap(order[dim + 1], order[dim + 2]);
  Value split = vector::ShapeCastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), vector);
  Value permuted = vector::TransposeOp::create(b, loc, split, order);
  return vector::ShapeCastOp::create(b, loc, type, permuted);
}

void mlir::linalg_ext::permuteSums(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](memref::AllocOp memory) {
    MemRefType type = memory.getType();
    SmallVector<Access> writes, reads;
    if (type.getRank() == 0 || !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() != 8 ||
        ShapedType::isDynamic(type.getShape().back()) ||
        type.getShape().back() % kBlock != 0 ||
        failed(
            collectAccesses(memory, /*endsWithBlock=*/true, writes, reads)) ||
        writes.empty() || reads.empty())
      return;
    for (Access write : writes) {
      rewriter.setInsertionPoint(write.op);
      auto op = cast<vector::TransferWriteOp>(write.op);
      Value permuted =
          buildPermuted(rewriter, op.getLoc(), op.getVector(), write.dim);
      rewriter.modifyOpInPlace(
          op, [&] { op.getValueToStoreMutable().assign(permuted); });
    }
    // A contraction has one right operand.
    for (Access read : reads)
      for (Operation *user : read.op->getUsers()) {
        auto op = cast<vector::ContractionOp>(user);
        AffineExpr sum = op.getIndexingMapsArray()[1].getResult(read.dim);
        rewriter.setInsertionPoint(op);
        Value permuted =
            buildPermuted(rewriter, op.getLoc(), op.getLhs(),
                          *op.getIndexingMapsArray()[0].getResultPosition(sum));
        rewriter.modifyOpInPlace(op,
                                 [&] { op.getLhsMutable().assign(permuted); });
      }
  });
}
