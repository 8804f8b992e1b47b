//===- DistributeElementwise.cpp - Elementwise ops ------------------------===//
//
// All vectors of an elementwise op have one layout, and a thread applies the op
// to its registers. One model serves the ops of all dialects: it is attached to
// every op that has the traits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

namespace {
struct ElementwiseModel
    : LayoutOpInterface::ExternalModel<ElementwiseModel, LayoutOpInterface> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return deciding;
  }
  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &,
                                          const Layout &layout) const {
    return layout;
  }
  std::optional<Layout> getResultLayout(Operation *, OpResult,
                                        const Layout &deciding) const {
    return deciding;
  }
  bool isRematerializable(Operation *op) const {
    return op->getNumResults() == 1;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    distributor.moveToRegisters(op);
    return success();
  }
};

bool isElementwise(RegisteredOperationName name) {
  return name.hasTrait<OpTrait::Elementwise>() &&
         name.hasTrait<OpTrait::Scalarizable>() &&
         name.hasTrait<OpTrait::Vectorizable>() &&
         name.hasTrait<OpTrait::Tensorizable>() &&
         !name.hasTrait<OpTrait::ZeroResults>();
}

/// Attaches the model to the elementwise ops of each loaded dialect.
struct ElementwiseExtension : DialectExtensionBase {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ElementwiseExtension)

  ElementwiseExtension() : DialectExtensionBase(/*dialectNames=*/{}) {}

  void apply(MLIRContext *context,
             MutableArrayRef<Dialect *> dialects) const override {
    // `getRegisteredOperationsByDialect` does not find all of them.
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (llvm::is_contained(dialects, &name.getDialect()) &&
          isElementwise(name) && !name.hasInterface<LayoutOpInterface>())
        name.attachInterface<ElementwiseModel>();
  }

  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<ElementwiseExtension>(*this);
  }
};
} // namespace

void mlir::vector_ext::registerElementwiseLayoutModels(
    DialectRegistry &registry) {
  registry.addExtension(TypeID::get<ElementwiseExtension>(),
                        std::make_unique<ElementwiseExtension>());
}
