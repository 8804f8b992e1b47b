//===- LinalgExtDialect.cpp - The linalg_ext dialect ----------------------===//
//
// Registers the ops, and promises the interfaces that are implemented in
// Dialect/LinalgExt/Transforms.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExtOpsDialect.cpp.inc"

namespace {
/// Every op of the dialect may be inlined anywhere.
struct LinalgExtInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  void handleTerminator(Operation *, ValueRange) const final {}
};
} // namespace

void LinalgExtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExtOps.cpp.inc"
      >();
  addInterfaces<LinalgExtInlinerInterface>();
  declarePromisedInterfaces<TilingInterface, SoftmaxOp, DiagOp, BatchMatmulOp,
                            PagedGatherOp>();
  declarePromisedInterfaces<bufferization::BufferizableOpInterface, SoftmaxOp,
                            DiagOp, BatchMatmulOp, PagedGatherOp, StoreRowsOp,
                            ViewRowsOp>();
  declarePromisedInterfaces<linalg::AggregatedOpInterface, SoftmaxOp>();
  declarePromisedInterface<PartialReductionOpInterface, BatchMatmulOp>();
  declarePromisedInterface<OnlineReductionOpInterface, SoftmaxOp>();
  declarePromisedInterface<RepairableOpInterface, BatchMatmulOp>();
}

LogicalResult
LinalgExtDialect::verifyOperationAttribute(Operation *op,
                                           NamedAttribute attribute) {
  if (attribute.getName() != getRootAttrName())
    return op->emitError() << "unknown discardable attribute '"
                           << attribute.getName().getValue()
                           << "' of dialect 'linalg_ext', expected '"
                           << getRootAttrName() << "'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitError() << "expected '" << getRootAttrName()
                           << "' to be a unit attribute, got "
                           << attribute.getValue();
  return success();
}
