//===- SplitConcatenations.cpp - Parts of concatenations ------------------===//
//
// The pass linalg-ext-split-concatenations. Its steps are in ReduceParts.cpp,
// SplitGates.cpp, SelectParts.cpp and ReadParts.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSPLITCONCATENATIONSPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtSplitConcatenationsPass
    : public linalg_ext::impl::LinalgExtSplitConcatenationsPassBase<
          LinalgExtSplitConcatenationsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    Operation *scope = getOperation();
    if (Operation *op = findEncodedTensor(scope)) {
      op->emitOpError("expected tensors without encodings, which concatenations "
                      "in parts do not keep");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {{"reduce-parts",
                                [&] {
                                  reduceParts(rewriter, scope);
                                  return success();
                                }},
                               {"split-gates",
                                [&] {
                                  splitGates(rewriter, scope);
                                  return success();
                                }},
                               {"select-parts",
                                [&] {
                                  selectParts(rewriter, scope);
                                  return success();
                                }},
                               {"read-parts", [&] {
                                  readParts(rewriter, scope);
                                  return success();
                                }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
