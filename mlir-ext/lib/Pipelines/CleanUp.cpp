//===- CleanUp.cpp - Canonicalisation between passes ----------------------===//
//
// See CleanUp.h.
//
//===----------------------------------------------------------------------===//

#include "CleanUp.h"

#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::linalg_ext::addCanonicalizer(OpPassManager &pm) {
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  // This is the default of upstream's canonicalize pass.
  config.setUseTopDownTraversal();
  pm.addPass(createCanonicalizerPass(config));
}

void mlir::linalg_ext::addCleanUp(OpPassManager &pm) {
  addCanonicalizer(pm);
  pm.addPass(createCSEPass());
}
