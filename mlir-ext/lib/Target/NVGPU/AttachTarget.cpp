//===- AttachTarget.cpp - The chip to compile for -------------------------===//
//
// Attaches the description of the chip to the module, and the chip with its PTX
// version to each gpu.module. For an unknown chip LLVM would silently use a
// default, so this pass reports an error.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUATTACHTARGETPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtNVGPUAttachTargetPass
    : public linalg_ext::impl::LinalgExtNVGPUAttachTargetPassBase<
          LinalgExtNVGPUAttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    const NVIDIAChip *known = lookupNVIDIAChip(chip);
    if (!known) {
      getOperation().emitError("unknown chip: ")
          << explainUnknownNVIDIAChip(chip);
      return signalPassFailure();
    }
    setGPUTarget(getOperation(), known->target);
    auto target = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/3,
                                            "nvptx64-nvidia-cuda", known->name,
                                            known->ptx);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      module.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
  }
};
} // namespace
