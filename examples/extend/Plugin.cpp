//===- Plugin.cpp - The example as a plugin of mlir-opt -------------------===//
//
// The entry point that --load-dialect-plugin looks for.
//
//===----------------------------------------------------------------------===//

#include "Extend.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Extend", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlir::extend::registerExtend(*registry);
            mlir::extend::registerExtendPasses();
          }};
}
