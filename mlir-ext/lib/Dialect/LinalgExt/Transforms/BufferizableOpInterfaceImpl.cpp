//===- BufferizableOpInterfaceImpl.cpp - Bufferization of LinalgExt ops ---===//
//
// Every op of the dialect bufferizes to the same op on buffers. All but
// view_rows write to their inits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::linalg_ext;

/// Returns whether the op reads the init with this number.
static bool readsInit(SoftmaxOp, unsigned number) {
  return number == 1 || number == 2; // max and sum: the incoming state
}
static bool readsInit(DiagOp, unsigned) { return false; }
static bool readsInit(BatchMatmulOp, unsigned) { return true; }
static bool readsInit(PagedGatherOp, unsigned) { return false; }
static bool readsInit(StoreRowsOp, unsigned) { return true; }

namespace {
template <typename OpTy>
struct BufferizeDestinationStyle
    : public DstBufferizableOpInterfaceExternalModel<
          BufferizeDestinationStyle<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    if (!dpsOp.isDpsInit(&operand))
      return true;
    unsigned number = operand.getOperandNumber() -
                      dpsOp.getDpsInitOperand(0)->getOperandNumber();
    return readsInit(cast<OpTy>(op), number);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    if (dpsOp.hasPureBufferSemantics())
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    mlir::clone(rewriter, op, /*newResultTypes=*/TypeRange(), buffers);
    replaceOpWithBufferizedValues(
        rewriter, op, ArrayRef(buffers).take_back(op->getNumResults()));
    return success();
  }
};

/// The result aliases the source. A reader of the result reads both operands.
struct BufferizeViewRows
    : public BufferizableOpInterface::ExternalModel<BufferizeViewRows,
                                                    ViewRowsOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Unknown}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto view = cast<ViewRowsOp>(op);
    if (isa<MemRefType>(view.getSource().getType()))
      return success();
    FailureOr<Value> source =
        getBuffer(rewriter, view.getSource(), options, state);
    FailureOr<Value> list = getBuffer(rewriter, view.getList(), options, state);
    if (failed(source) || failed(list))
      return failure();
    replaceOpWithNewBufferizedOp<ViewRowsOp>(rewriter, op, *source, *list,
                                             view.getDims());
    return success();
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto view = cast<ViewRowsOp>(op);
    auto source = bufferization::getBufferType(view.getSource(), options, state,
                                               invocationStack);
    if (failed(source))
      return failure();
    auto type = cast<MemRefType>(*source);
    FailureOr<StridedLayoutAttr> layout =
        ViewRowsOp::getLayout(type, view.getDims());
    if (failed(layout))
      return failure();
    auto tensor = cast<RankedTensorType>(view.getResult().getType());
    return cast<BufferLikeType>(
        MemRefType::get(tensor.getShape(), tensor.getElementType(), *layout,
                        type.getMemorySpace()));
  }
};
} // namespace

void mlir::linalg_ext::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    SoftmaxOp::attachInterface<BufferizeDestinationStyle<SoftmaxOp>>(*context);
    DiagOp::attachInterface<BufferizeDestinationStyle<DiagOp>>(*context);
    BatchMatmulOp::attachInterface<BufferizeDestinationStyle<BatchMatmulOp>>(
        *context);
    PagedGatherOp::attachInterface<BufferizeDestinationStyle<PagedGatherOp>>(
        *context);
    StoreRowsOp::attachInterface<BufferizeDestinationStyle<StoreRowsOp>>(
        *context);
    ViewRowsOp::attachInterface<BufferizeViewRows>(*context);
  });
}
