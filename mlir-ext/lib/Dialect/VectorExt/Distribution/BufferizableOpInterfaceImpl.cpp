//===- BufferizableOpInterfaceImpl.cpp - Bufferization of VectorExt ops ---===//
//
// A gather of rows from a tensor becomes the same gather from its buffer.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::vector_ext;

namespace {
struct BufferizeTransferGather
    : BufferizableOpInterface::ExternalModel<BufferizeTransferGather,
                                             TransferGatherOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }

  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto gather = cast<TransferGatherOp>(op);
    FailureOr<Value> buffer =
        getBuffer(rewriter, gather.getBase(), options, state);
    if (failed(buffer))
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { gather.getBaseMutable().assign(*buffer); });
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerBufferizableOpInterfaceModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    TransferGatherOp::attachInterface<BufferizeTransferGather>(*context);
  });
}
