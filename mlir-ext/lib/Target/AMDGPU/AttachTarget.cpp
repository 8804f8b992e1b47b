//===- AttachTarget.cpp - The chip to compile for -------------------------===//
//
// Attaches the description of the chip to the module, and the chip to each
// gpu.module. For an unknown chip LLVM would silently use a default, so this
// pass reports an error.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Passes.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTAMDGPUATTACHTARGETPASS
#include "mlir-ext/Target/AMDGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtAMDGPUAttachTargetPass
    : public linalg_ext::impl::LinalgExtAMDGPUAttachTargetPassBase<
          LinalgExtAMDGPUAttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    const AMDChip *known = lookupAMDChip(chip);
    if (!known) {
      getOperation().emitError("unknown chip: ") << explainUnknownAMDChip(chip);
      return signalPassFailure();
    }
    setGPUTarget(getOperation(), known->target);
    auto target = ROCDL::ROCDLTargetAttr::get(&getContext(), /*optLevel=*/3,
                                              "amdgcn-amd-amdhsa", known->name);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      module.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
  }
};
} // namespace
