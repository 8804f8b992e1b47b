//===- StoreOperands.cpp - Operands stored in front -----------------------===//
//
// See StoreOperands.h.
//
//===----------------------------------------------------------------------===//

#include "StoreOperands.h"
#include "GatherOperands.h"
#include "WorkgroupGroup.h"
#include "WorkgroupVersions.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

bool mlir::linalg_ext::mayBeWider(LinalgOp contraction, unsigned number,
                                  Type element) {
  // The instruction multiplies in f32.
  auto isExtended = [&](Operation *op) {
    auto extension = dyn_cast<arith::ExtFOp>(op);
    return extension && extension.getType().isF32();
  };
  return llvm::all_of(contraction.getBlock()->getArgument(number).getUsers(),
                      [&](Operation *user) {
                        return isExtended(user) ||
                               (isa<arith::ExtFOp>(user) &&
                                user->getResult(0).getType() == element &&
                                llvm::all_of(user->getUsers(), isExtended));
                      });
}

void mlir::linalg_ext::readStored(RewriterBase &rewriter, OpOperand &operand,
                                  Value value) {
  Operation *op = operand.getOwner();
  Type element = getElementTypeOrSelf(value);
  BlockArgument argument =
      cast<LinalgOp>(op).getMatchingBlockArgument(&operand);
  bool isWider = argument.getType() != element;
  rewriter.modifyOpInPlace(op, [&] {
    operand.set(value);
    argument.setType(element);
  });
  if (!isWider)
    return;
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
    if (user->getResult(0).getType() == element)
      rewriter.replaceOp(user, argument);
}

StoredOperand mlir::linalg_ext::copyRows(RewriterBase &rewriter,
                                         OpOperand &operand,
                                         const GPUTarget &target) {
  Operation *contraction = operand.getOwner();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  Location loc = contraction->getLoc();
  Value value = operand.get();
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
      strides(rank, rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, loc, value);
  auto type = cast<RankedTensorType>(value.getType());
  bool isConverted = isF8(type.getElementType());
  if (isConverted)
    type = RankedTensorType::get(type.getShape(), rewriter.getF16Type());
  SmallVector<OpFoldResult> stored(sizes);
  AffineExpr size = getAffineSymbolExpr(0, rewriter.getContext());
  int64_t unit = 8 * target.lineBytes / type.getElementTypeBitWidth();
  stored.back() = affine::makeComposedFoldedAffineApply(
      rewriter, loc, size.ceilDiv(unit) * unit, {stored.back()});
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(stored, dynamic, shape);
  Value memory = bufferization::AllocTensorOp::create(
      rewriter, loc, type.clone(shape), dynamic);
  Value rows = tensor::ExtractSliceOp::create(rewriter, loc, type, memory,
                                              offsets, sizes, strides);
  LinalgOp copy;
  if (isConverted) {
    linalg::GenericOp wide =
        convertElements(rewriter, loc, value, rewriter.getF16Type());
    Operation *empty = wide.getDpsInits().front().getDefiningOp();
    rewriter.modifyOpInPlace(wide, [&] { wide.setDpsInitOperand(0, rows); });
    rewriter.eraseOp(empty);
    copy = cast<LinalgOp>(wide.getOperation());
  } else {
    copy = cast<LinalgOp>(
        linalg::CopyOp::create(rewriter, loc, value, rows).getOperation());
  }
  readStored(rewriter, operand, copy->getResult(0));
  return {copy->getResult(0), memory};
}

StoredOperand mlir::linalg_ext::storeComputed(RewriterBase &rewriter,
                                              OpOperand &operand) {
  Value computed = operand.get();
  if (auto merge = computed.getDefiningOp<tensor::CollapseShapeOp>())
    computed = merge.getSrc();
  auto op = cast<LinalgOp>(computed.getDefiningOp());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value memory = bufferization::AllocTensorOp::create(
      rewriter, op.getLoc(), cast<RankedTensorType>(computed.getType()),
      ValueRange());
  rewriter.modifyOpInPlace(op, [&] { op.setDpsInitOperand(0, memory); });
  return {operand.get(), memory};
}

LinalgOp mlir::linalg_ext::convertInFront(RewriterBase &rewriter, LinalgOp root,
                                          TileToWorkgroupsOptions &options) {
  options.stored.clear();
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return root;
  WorkgroupGroup group(root, options);
  group.grow();
  SmallVector<OpOperand *> operands = group.getOperandsToConvert();
  if (operands.empty() || convertsManyRows(group))
    return root;
  LinalgOp contraction = group.contractions.front();
  SmallVector<unsigned> extended;
  bool hasBF16 = false;
  for (OpOperand *operand : contraction.getDpsInputOperands())
    hasBF16 |= getElementTypeOrSelf(operand->get()).isBF16();
  for (OpOperand *operand : operands) {
    if (isF8(getElementTypeOrSelf(operand->get())))
      extended.push_back(operand->getOperandNumber());
    else
      options.stored.push_back(operand->get().getDefiningOp());
  }
  Type element = hasBF16 ? Type(rewriter.getBF16Type()) : rewriter.getF16Type();
  if (!llvm::all_of(extended, [&](unsigned number) {
        return mayBeWider(contraction, number, element);
      })) {
    options.stored.clear();
    return root;
  }
  if (extended.empty())
    return root;
  bool isRoot = contraction == root;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  auto generic = dyn_cast<linalg::GenericOp>(contraction.getOperation());
  if (!generic)
    generic = *linalg::generalizeNamedOp(rewriter, contraction);
  rewriter.setInsertionPoint(generic);
  Location loc = generic.getLoc();
  for (unsigned number : extended) {
    Value value = generic->getOperand(number);
    linalg::GenericOp wide = convertElements(rewriter, loc, value, element);
    readStored(rewriter, generic->getOpOperand(number), wide.getResult(0));
    options.stored.push_back(wide);
  }
  return isRoot ? cast<LinalgOp>(generic.getOperation()) : root;
}

LinalgOp
mlir::linalg_ext::transposeBytes(RewriterBase &rewriter, LinalgOp root,
                                 const TileToWorkgroupsOptions &options) {
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return root;
  WorkgroupGroup group(root, options);
  group.grow();
  SmallVector<OpOperand *> operands = group.getOperandsToTranspose();
  if (operands.empty())
    return root;
  SmallVector<unsigned> numbers = llvm::map_to_vector(
      operands, [](OpOperand *operand) { return operand->getOperandNumber(); });
  LinalgOp contraction = group.contractions.front();
  bool isRoot = contraction == root;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  unsigned k = linalg::inferContractionDims(contraction)->k.front();
  auto generic = dyn_cast<linalg::GenericOp>(contraction.getOperation());
  if (!generic)
    generic = *linalg::generalizeNamedOp(rewriter, contraction);
  rewriter.setInsertionPoint(generic);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (unsigned number : numbers) {
    Value moved = moveToEnd(rewriter, generic.getLoc(),
                            generic->getOperand(number), maps[number], k);
    rewriter.modifyOpInPlace(generic,
                             [&] { generic->setOperand(number, moved); });
  }
  rewriter.modifyOpInPlace(generic, [&] {
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  return isRoot ? cast<LinalgOp>(generic.getOperation()) : root;
}

void mlir::linalg_ext::copyInFront(RewriterBase &rewriter, LinalgOp root,
                                   TileToWorkgroupsOptions &options) {
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return;
  WorkgroupGroup group(root, options);
  group.grow();
  for (OpOperand *operand : group.getOperandsToCopy())
    options.stored.push_back(
        copyRows(rewriter, *operand, options.target).value.getDefiningOp());
}

void mlir::linalg_ext::storeFunctions(LinalgOp root,
                                      TileToWorkgroupsOptions &options) {
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return;
  WorkgroupGroup group(root, options);
  group.grow();
  llvm::append_range(options.stored, group.getFunctionsToStore());
}
