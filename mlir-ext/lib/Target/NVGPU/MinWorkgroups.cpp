//===- MinWorkgroups.cpp - Workgroups on a processor ----------------------===//
//
// The assembler does not know how much dynamic shared memory a launch uses. It
// limits the registers of a thread such that more workgroups fit on a processor
// than shared memory allows, and may spill. This pass computes the number of
// workgroups that shared memory allows, and states it (nvvm.minctasm), if the
// registers that the largest loop needs fit.
//
//===----------------------------------------------------------------------===//

#include "CarriedWords.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUMINWORKGROUPSPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Registers that addresses and operands of products take beside what a loop
/// carries (docs/Decisions/0016).
static constexpr int64_t kOtherRegisters = 80;

namespace {
struct LinalgExtNVGPUMinWorkgroupsPass
    : public linalg_ext::impl::LinalgExtNVGPUMinWorkgroupsPassBase<
          LinalgExtNVGPUMinWorkgroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      auto bytes = kernel->getAttrOfType<IntegerAttr>("workgroup_bytes");
      std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
      if (!bytes || !block || kernel->hasAttr(name))
        return;
      int64_t threads = 1, carried = 0;
      for (int32_t size : *block)
        threads *= size;
      kernel->walk([&](scf::ForOp loop) {
        carried = std::max(carried, getCarriedWords(loop));
      });
      int64_t workgroups = target->getWorkgroupsOfShared(bytes.getInt());
      if (workgroups > 0 && threads > 0 &&
          carried + kOtherRegisters <=
              target->processorRegisters / (workgroups * threads))
        kernel->setAttr(name, Builder(kernel).getI32IntegerAttr(workgroups));
    });
  }
};
} // namespace
