//===- AttachTarget.cpp - The chip to compile for -------------------------===//
//
// Attaches the description of the chip to the module, and the chip to each
// gpu.module.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AMDGPU/Chips.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::attachAMDChip(ModuleOp module, const AMDChip &chip) {
  setGPUTarget(module, chip.target);
  MLIRContext *context = module.getContext();
  auto target = ROCDL::ROCDLTargetAttr::get(context, /*optLevel=*/3,
                                            "amdgcn-amd-amdhsa", chip.name);
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    kernels.setTargetsAttr(ArrayAttr::get(context, {target}));
}
