//===- Registration.cpp - Everything linalg-ext registers -----------------===//
//
// One list for the opt tool, the plugin, the compiler and the tests.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/ToGPUTiles.h"
#include "mlir-ext/Pipelines/ToLLVM.h"

void mlir::linalg_ext::registerAll(DialectRegistry &registry) {
  registry.insert<LinalgExtDialect>();
  registerAllExternalModels(registry);
  registerTransformDialectExtension(registry);
}

void mlir::linalg_ext::registerAllPassesAndPipelines() {
  registerLinalgExtPasses();
  registerLinalgExtPipelinesPasses();
  registerToGPUTilesPipelines();
  registerToLLVMPipelines();
}
