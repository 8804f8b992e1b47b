//===- Extend.cpp - The dialect of the example ----------------------------===//
//
// Registers the dialect, the interfaces of its ops, and a pass that lowers
// them.
//
//===----------------------------------------------------------------------===//

#include "Extend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::extend;

#include "ExtendDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ExtendOps.cpp.inc"

void ExtendDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ExtendOps.cpp.inc"
      >();
}

namespace {
/// The ops that `lower` and the repairs build are in these dialects.
void insertDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                  linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
}

struct ExtendLowerPass : public PassWrapper<ExtendLowerPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExtendLowerPass)
  StringRef getArgument() const final { return "extend-lower"; }
  StringRef getDescription() const final {
    return "Rewrite the ops of the dialect 'extend' as ops of upstream";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    insertDialects(registry);
  }
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<LogSoftmaxOp, TopKOp>(
          [&](auto extendOp) { lower(rewriter, extendOp); });
    });
  }
};
} // namespace

void mlir::extend::registerExtend(DialectRegistry &registry) {
  registry.insert<ExtendDialect>();
  insertDialects(registry);
  registry.addExtension(+[](MLIRContext *context, ExtendDialect *) {
    // Repairs may be built before any pass that names these dialects has run.
    context->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                         math::MathDialect, tensor::TensorDialect>();
    attachLogSoftmaxInterfaces(context);
    attachTopKInterfaces(context);
  });
}

void mlir::extend::registerExtendPasses() {
  PassRegistration<ExtendLowerPass>();
}
