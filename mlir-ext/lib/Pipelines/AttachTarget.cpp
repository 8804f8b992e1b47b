//===- AttachTarget.cpp - The chip that passes compile for ----------------===//
//
// The pass linalg-ext-attach-target, and linalg-ext-finish-llvm, which sets the
// chip of a CPU on functions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/Processor.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/NegativeStrides.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Chips.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTATTACHTARGETPASS
#define GEN_PASS_DEF_LINALGEXTFINISHLLVMPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtAttachTargetPass
    : public linalg_ext::impl::LinalgExtAttachTargetPassBase<
          LinalgExtAttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const NVIDIAChip *nvidia = lookupNVIDIAChip(chip);
    const AMDChip *amd = lookupAMDChip(chip);
    if (nvidia || amd) {
      if (l1Bytes != 0 || l2Bytes != 0) {
        module.emitError(
            "expected 'l1-bytes' and 'l2-bytes' only of a CPU, got "
            "the chip ")
            << chip;
        return signalPassFailure();
      }
      if (processors < 0) {
        module.emitError("expected 'processors' not to be negative, got ")
            << processors.getValue();
        return signalPassFailure();
      }
      auto attach = [&](auto known, auto attachChip) {
        if (processors != 0)
          known.target.setProcessors(processors);
        attachChip(module, known);
      };
      return nvidia ? attach(*nvidia, attachNVIDIAChip)
                    : attach(*amd, attachAMDChip);
    }
    if (processors != 0) {
      module.emitError("expected 'processors' only of a GPU, got the chip ")
          << chip;
      return signalPassFailure();
    }
    if (l1Bytes < 0 || l2Bytes < 0) {
      module.emitError("expected 'l1-bytes' and 'l2-bytes' not to be negative, "
                       "got ")
          << l1Bytes.getValue() << " and " << l2Bytes.getValue();
      return signalPassFailure();
    }
    std::string error;
    FailureOr<Processor> processor = lookupProcessor(chip, error);
    if (failed(processor)) {
      InFlightDiagnostic diagnostic =
          module.emitError("unknown chip: expected one of ");
      for (const NVIDIAChip &known : getNVIDIAChips())
        diagnostic << known.name << ", ";
      for (const AMDChip &known : getAMDChips())
        diagnostic << known.name << ", ";
      diagnostic << StringRef(error).drop_front(StringRef("expected ").size());
      return signalPassFailure();
    }
    setCPUTarget(module, getCPUTargetOf(*processor, l1Bytes, l2Bytes));
    if (failed(getCPUTarget(module)))
      signalPassFailure();
  }
};
} // namespace

/// Sets the name and the features of `target` on functions that have none.
static void setProcessor(ModuleOp module, const CPUTarget &target) {
  if (target.name.empty())
    return;
  SmallVector<StringRef> names(target.features.begin(), target.features.end());
  Builder builder(module.getContext());
  auto features = LLVM::TargetFeaturesAttr::get(module.getContext(), names);
  // SVE vectors are a multiple of 128 bits. Only this attribute states the
  // factor.
  IntegerAttr multiple = builder.getI32IntegerAttr(target.vectorBits / 128);
  auto range =
      LLVM::VScaleRangeAttr::get(module.getContext(), multiple, multiple);
  module.walk([&](LLVM::LLVMFuncOp func) {
    if (func.isExternal() || func.getTargetCpu())
      return;
    func.setTargetCpu(target.name);
    if (!names.empty() && !func.getTargetFeatures())
      func.setTargetFeaturesAttr(features);
    if (target.sve && !func.getVscaleRange())
      func.setVscaleRangeAttr(range);
  });
}

namespace {
struct LinalgExtFinishLLVMPass
    : public linalg_ext::impl::LinalgExtFinishLLVMPassBase<
          LinalgExtFinishLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<CPUTarget> target = getCPUTarget(module);
    if (failed(target))
      return signalPassFailure();
    if (!target->dotBF16)
      storeBF16AsBits(module);
    allowNegativeStrides(module);
    setProcessor(module, *target);
    removeCPUTarget(module);
  }
};
} // namespace
