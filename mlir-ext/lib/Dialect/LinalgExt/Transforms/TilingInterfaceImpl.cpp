//===- TilingInterfaceImpl.cpp - TilingInterface of LinalgExt ops ---------===//
//
// All ops of the dialect use StructuredTiling (StructuredTiling.h). They differ
// in the dimensions that tiles may cut.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// TilingInterface
//===----------------------------------------------------------------------===//

static SmallVector<Value> getIndices(OpBuilder &b, Location loc, AffineMap map,
                                     ValueRange ivs) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
    return ivs[cast<AffineDimExpr>(expr).getPosition()];
  });
}

namespace {
struct SoftmaxTiling : public StructuredTiling<SoftmaxTiling, SoftmaxOp> {
  std::optional<StringRef> getUncuttableReason(SoftmaxOp op,
                                               unsigned dim) const {
    if (dim == op.getDimension() && !op.getOnline())
      return StringRef("a softmax that is not 'online' has no state to carry "
                       "from tile to tile");
    return std::nullopt;
  }
  // A softmax has no scalar form, because it is not a function of one point.
};

struct DiagTiling : public StructuredTiling<DiagTiling, DiagOp> {
  std::optional<StringRef> getUncuttableReason(DiagOp op, unsigned dim) const {
    if (dim + 2 >= op.getNumLoops())
      return StringRef("only the batch dimensions of a diagonal matrix tile");
    return std::nullopt;
  }

  /// The matrix is square. Use the size of the input, since the init may be an
  /// iter_arg, whose size would have to be traced.
  void unifyDomain(DiagOp, MutableArrayRef<Range> domain) const {
    domain.back() = domain[domain.size() - 2];
  }

  LogicalResult generateScalar(DiagOp op, OpBuilder &b, Location loc,
                               ValueRange ivs) const {
    if (!op.hasPureBufferSemantics())
      return failure();
    auto type = cast<ShapedType>(op.getOutput().getType());
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    Value element = memref::LoadOp::create(b, loc, op.getInput(),
                                           ivs.drop_back());
    Value onDiagonal = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, ivs[ivs.size() - 2], ivs.back());
    Value value = arith::SelectOp::create(b, loc, onDiagonal, element, zero);
    memref::StoreOp::create(b, loc, value, op.getOutput(), ivs);
    return success();
  }
};

struct BatchMatmulTiling
    : public StructuredTiling<BatchMatmulTiling, BatchMatmulOp> {
  LogicalResult generateScalar(BatchMatmulOp op, OpBuilder &b, Location loc,
                               ValueRange ivs) const {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!linalgOp.hasPureBufferSemantics())
      return failure();
    IRMapping mapping;
    Block *body = linalgOp.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      SmallVector<Value> indices =
          getIndices(b, loc, linalgOp.getMatchingIndexingMap(&operand), ivs);
      mapping.map(body->getArgument(operand.getOperandNumber()),
                  memref::LoadOp::create(b, loc, operand.get(), indices)
                      .getResult());
    }
    for (Operation &nested : body->without_terminator())
      b.clone(nested, mapping);
    OpOperand *init = linalgOp.getDpsInitOperand(0);
    memref::StoreOp::create(
        b, loc, mapping.lookup(body->getTerminator()->getOperand(0)),
        init->get(),
        getIndices(b, loc, linalgOp.getMatchingIndexingMap(init), ivs));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// PartialReductionOpInterface
//===----------------------------------------------------------------------===//

/// A batch_matmul reduces exactly like a `linalg.contract` with the same maps.
/// This model calls the implementation of that op on a temporary op. Listeners
/// are not notified of the temporary op, which is erased before they could use
/// it.
struct BatchMatmulPartialReduction
    : public PartialReductionOpInterface::ExternalModel<
          BatchMatmulPartialReduction, BatchMatmulOp> {
  template <typename Fn>
  auto onContract(Operation *op, Fn &&fn) const {
    auto matmul = cast<BatchMatmulOp>(op);
    OpBuilder silent(op);
    auto contract = linalg::ContractOp::create(
        silent, op->getLoc(), op->getResultTypes(), matmul.getInputs(),
        matmul.getOutputs(), matmul.getIndexingMaps());
    auto result =
        fn(cast<PartialReductionOpInterface>(contract.getOperation()));
    contract->erase();
    return result;
  }

  FailureOr<SmallVector<Value>> generateInitialTensorForPartialReduction(
      Operation *op, OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
      const SetVector<unsigned> &reductionDims) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.generateInitialTensorForPartialReduction(
          b, loc, sizes, reductionDims);
    });
  }

  FailureOr<TilingResult>
  tileToPartialReduction(Operation *op, OpBuilder &b, Location loc,
                         ReductionTilingStrategy strategy, ValueRange init,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes,
                         const SetVector<unsigned> &reductionDims,
                         ArrayRef<OpFoldResult> splitReductionIvs) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.tileToPartialReduction(b, loc, strategy, init, offsets,
                                             sizes, reductionDims,
                                             splitReductionIvs);
    });
  }

  FailureOr<MergeResult>
  mergeReductions(Operation *op, OpBuilder &b, Location loc,
                  ValueRange partialReduce,
                  const SetVector<unsigned> &reductionDims) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.mergeReductions(b, loc, partialReduce, reductionDims);
    });
  }

  LogicalResult getPartialResultTilePosition(
      Operation *op, OpBuilder &b, unsigned resultNumber,
      ReductionTilingStrategy strategy, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &reductionDims,
      ArrayRef<OpFoldResult> splitReductionIvs,
      SmallVector<OpFoldResult> &resultOffsets,
      SmallVector<OpFoldResult> &resultSizes) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.getPartialResultTilePosition(
          b, resultNumber, strategy, offsets, sizes, reductionDims,
          splitReductionIvs, resultOffsets, resultSizes);
    });
  }
};
} // namespace

void mlir::linalg_ext::registerTilingInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    SoftmaxOp::attachInterface<SoftmaxTiling>(*context);
    DiagOp::attachInterface<DiagTiling>(*context);
    BatchMatmulOp::attachInterface<BatchMatmulTiling,
                                   BatchMatmulPartialReduction>(*context);
  });
}
