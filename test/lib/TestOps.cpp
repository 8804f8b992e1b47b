//===- TestOps.cpp - Test-only dialect ------------------------------------===//
//
// See TestOps.td.
//
//===----------------------------------------------------------------------===//

#include "TestOps.h"

#include "Extend.h"

#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::test;

#include "TestOpsDialect.cpp.inc"

#define GET_OP_CLASSES
#include "TestOps.cpp.inc"

void TestDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TestOps.cpp.inc"
      >();
}

namespace {
/// The tiling of log-softmax, with a refusal that depends on the module around
/// the op: a copy of the op alone accepts tiles that the op itself refuses.
struct RefusingTiling
    : public StructuredTiling<RefusingTiling, extend::LogSoftmaxOp> {
  std::optional<StringRef> getUncuttableReason(extend::LogSoftmaxOp op,
                                               unsigned dim) const {
    if (dim == op.getDimension() && !op.getOnline())
      return StringRef("not online");
    auto module = op->getParentOfType<ModuleOp>();
    if (module && module->hasAttr("linalg_ext_test.no_tiles"))
      return StringRef("the module wants no tiles");
    return std::nullopt;
  }
};
} // namespace

namespace mlir::linalg_ext::test {
void registerTestPlanPass();
void registerTestPrintLayoutPass();
void registerTestRepairPass();
void registerTestSliceProducersPass();
} // namespace mlir::linalg_ext::test

void mlir::linalg_ext::test::registerTestLib(DialectRegistry &registry) {
  registry.insert<TestDialect>();
  // Of two models of an interface, the one that is attached first stays.
  registry.addExtension(+[](MLIRContext *context, extend::ExtendDialect *) {
    extend::LogSoftmaxOp::attachInterface<RefusingTiling>(*context);
  });
  extend::registerExtend(registry);
  extend::registerExtendPasses();
  registerTestPlanPass();
  registerTestPrintLayoutPass();
  registerTestRepairPass();
  registerTestSliceProducersPass();
}
