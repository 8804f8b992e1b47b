//===- AttachTarget.cpp - The chip to compile for -------------------------===//
//
// Attaches the description of the chip to the module, and the chip with its PTX
// version to each gpu.module.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::attachNVIDIAChip(ModuleOp module,
                                        const NVIDIAChip &chip) {
  setGPUTarget(module, chip.target);
  MLIRContext *context = module.getContext();
  auto target = NVVM::NVVMTargetAttr::get(
      context, /*optLevel=*/3, "nvptx64-nvidia-cuda", chip.name, chip.ptx);
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    kernels.setTargetsAttr(ArrayAttr::get(context, {target}));
}
