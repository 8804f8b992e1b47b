//===- DistributeControlFlow.cpp - Loops and branches ---------------------===//
//
// Control flow is the same in all threads: a loop or a branch carries registers
// instead of vectors. The analysis follows upstream's interfaces for control
// flow, so there is no relation here. Reductions that an iteration only adds to
// are combined once, after the loop.
//
//===----------------------------------------------------------------------===//

#include "DeferredReductions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

namespace {
/// A reduction that is combined over the threads after the loop.
struct Deferred {
  unsigned result;
  Layout layout;
  SmallVector<bool> reduced;
  vector::CombiningKind kind;
};

struct ForModel : LayoutOpInterface::ExternalModel<ForModel, scf::ForOp> {
  /// A loop without vectors may carry the scalar of a deferred reduction.
  bool needsDistribution(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    SmallVector<Deferred> deferred;
    for (OpResult result : op->getResults())
      if (vector::MultiDimReductionOp reduction =
              distributor.getCombined(result))
        deferred.push_back({result.getResultNumber(),
                            distributor.getLayout(reduction.getSource()),
                            reduction.getReductionMask(),
                            reduction.getKind()});
    if (!hasVectors(op) && deferred.empty())
      return distributor.distributeRegions(op);
    Operation *loop = distributor.moveToRegisters(op);
    if (failed(distributor.distributeRegions(loop)))
      return failure();
    RewriterBase &rewriter = distributor.getRewriter();
    rewriter.setInsertionPointAfter(loop);
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    for (const Deferred &one : deferred) {
      Value ofThread = loop->getResult(one.result);
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : ofThread.getUses())
        uses.push_back(&use);
      Value whole = buildDeferredReduction(b, distributor, one.layout,
                                           one.reduced, one.kind, ofThread);
      // A scalar is already used as it is. A vector is used when its users are
      // distributed.
      if (isa<VectorType>(ofThread.getType()))
        distributor.setDistributed(op->getResult(one.result), whole);
      else
        for (OpOperand *use : uses)
          use->set(whole);
    }
    return success();
  }
};

struct IfModel : LayoutOpInterface::ExternalModel<IfModel, scf::IfOp> {
  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    return distributor.distributeRegions(distributor.moveToRegisters(op));
  }
};
} // namespace

void mlir::vector_ext::registerControlFlowLayoutModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ForOp::attachInterface<ForModel>(*context);
    scf::IfOp::attachInterface<IfModel>(*context);
  });
}
