//===- Plugin.cpp - linalg-ext for a stock mlir-opt -----------------------===//
//
// The entry points of the dialect plugin and of the pass plugin. Each of them
// alone registers the passes. Only the dialect plugin can also register
// dialects, external models and transform ops.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// Both hooks may run in one process, but a pass may be registered only once.
static void registerPassesOnce() {
  static bool done = (mlir::linalg_ext::registerAllPassesAndPipelines(), true);
  (void)done;
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LinalgExt", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlir::linalg_ext::registerAll(*registry);
            registerPassesOnce();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LinalgExt", LLVM_VERSION_STRING,
          [] { registerPassesOnce(); }};
}
