//===- Registration.cpp - Registration of linalg-ext ----------------------===//
//
// See Registration.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Target/GPU/Passes.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/TransformOps/VectorExtTransformOps.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Pipelines/Shard.h"
#include "mlir-ext/Pipelines/ToGPUTiles.h"
#include "mlir-ext/Pipelines/ToLLVM.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"

void mlir::linalg_ext::registerIntrinsics(DialectRegistry &registry) {
  nvgpu_ext::registerIntrinsics(registry);
  amdgpu_ext::registerIntrinsics(registry);
}

/// Registers upstream's interfaces, with which convert-to-llvm in
/// linalg-ext-to-llvm converts each dialect.
static void registerConversionsToLLVM(mlir::DialectRegistry &registry) {
  mlir::arith::registerConvertArithToLLVMInterface(registry);
  mlir::cf::registerConvertControlFlowToLLVMInterface(registry);
  mlir::registerConvertFuncToLLVMInterface(registry);
  mlir::index::registerConvertIndexToLLVMInterface(registry);
  mlir::registerConvertMemRefToLLVMInterface(registry);
  mlir::registerConvertOpenMPToLLVMInterface(registry);
  mlir::ub::registerConvertUBToLLVMInterface(registry);
}

void mlir::linalg_ext::registerAll(DialectRegistry &registry) {
  registry.insert<LinalgExtDialect, vector_ext::VectorExtDialect>();
  registerIntrinsics(registry);
  registerConversionsToLLVM(registry);
  registerAllExternalModels(registry);
  vector_ext::registerLayoutOpInterfaceExternalModels(registry);
  vector_ext::registerBufferizableOpInterfaceModels(registry);
  registerShardingExternalModels(registry);
  registerTransformDialectExtension(registry);
  vector_ext::registerTransformDialectExtension(registry);
}

void mlir::linalg_ext::registerAllPassesAndPipelines() {
  registerLinalgExtPasses();
  registerLinalgExtCodegenPasses();
  registerLinalgExtCodegenCPUPasses();
  registerLinalgExtCodegenGPUPasses();
  vector_ext::registerVectorExtPasses();
  registerLinalgExtPipelinesPasses();
  registerLinalgExtGPUPasses();
  registerLinalgExtNVGPUPasses();
  registerLinalgExtShardingPasses();
  registerShardPipelines();
  registerToGPUTilesPipelines();
  registerToLLVMPipelines();
  registerToNVVMPipelines();
  registerToROCDLPipelines();
}
