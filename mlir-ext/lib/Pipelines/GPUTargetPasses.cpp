//===- GPUTargetPasses.cpp - Passes that ask which GPU it is --------------===//
//
// Passes that each vendor implements in its own directory (Target/NVGPU,
// Target/AMDGPU). A pass finds the vendor in its option `chip`, in the
// description of the GPU, in the target of a gpu.module, or in the names of
// instructions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"
#include "mlir-ext/Target/AMDGPU/Transforms.h"
#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"
#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUATTACHTARGETPASS
#define GEN_PASS_DEF_LINALGEXTGPULOWERMATHPASS
#define GEN_PASS_DEF_LINALGEXTGPULOWERMMAPASS
#define GEN_PASS_DEF_LINALGEXTGPUPIPELINELOOPSPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtGPUAttachTargetPass
    : public linalg_ext::impl::LinalgExtGPUAttachTargetPassBase<
          LinalgExtGPUAttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    if (processors < 0) {
      getOperation().emitError("expected 'processors' not to be negative, got ")
          << Twine(processors.getValue());
      return signalPassFailure();
    }
    auto attach = [&](auto chip, auto attachChip) {
      if (processors != 0)
        chip.target.processors = processors;
      attachChip(getOperation(), chip);
    };
    if (const NVIDIAChip *known = lookupNVIDIAChip(chip))
      return attach(*known, attachNVIDIAChip);
    if (const AMDChip *known = lookupAMDChip(chip))
      return attach(*known, attachAMDChip);
    InFlightDiagnostic error =
        getOperation().emitError("unknown chip: expected one of ");
    llvm::interleaveComma(getNVIDIAChips(), error,
                          [&](const NVIDIAChip &known) { error << known.name; });
    for (const AMDChip &known : getAMDChips())
      error << ", " << known.name;
    error << ", got '" << chip << "'";
    signalPassFailure();
  }
};

struct LinalgExtGPULowerMmaPass
    : public linalg_ext::impl::LinalgExtGPULowerMmaPassBase<
          LinalgExtGPULowerMmaPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    nvgpu_ext::registerIntrinsics(registry);
    amdgpu_ext::registerIntrinsics(registry);
  }

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    // Without a description, those of all vendors.
    ArrayRef<std::string> known = target->intrinsics;
    if (!known.empty() && failed(checkMma([&](StringRef intrinsic) {
          return llvm::is_contained(known, intrinsic);
        })))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    nvgpu_ext::populateLowerMmaPatterns(patterns);
    amdgpu_ext::populateLowerMmaPatterns(patterns);
    populateLowerThreadProductsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failed(checkMma([](StringRef) { return false; })))
      signalPassFailure();
  }

private:
  /// Fails, with an error, if there is an instruction that is not accepted.
  LogicalResult checkMma(llvm::function_ref<bool(StringRef)> isAccepted) {
    WalkResult walk = getOperation()->walk([&](vector_ext::MmaOp op) {
      if (isAccepted(op.getIntrinsic()))
        return WalkResult::advance();
      op.emitOpError() << "of '" << op.getIntrinsic()
                       << "' is not an instruction of this target";
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }
};

struct LinalgExtGPUPipelineLoopsPass
    : public linalg_ext::impl::LinalgExtGPUPipelineLoopsPassBase<
          LinalgExtGPUPipelineLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    // Three of 16 registers.
    int64_t maxBytes = 4 * (target->threadRegisters * 3 / 16);
    if (failed(target->asyncCopies
                   ? nvgpu_ext::pipelineCopies(getOperation())
                   : amdgpu_ext::pipelineLoads(getOperation(), maxBytes)))
      signalPassFailure();
  }
};

struct LinalgExtGPULowerMathPass
    : public linalg_ext::impl::LinalgExtGPULowerMathPassBase<
          LinalgExtGPULowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    ArrayAttr targets = getOperation().getTargetsAttr();
    bool isAMD = targets && llvm::any_of(targets, llvm::IsaPred<ROCDL::ROCDLTargetAttr>);
    const MathInstructions &instructions =
        isAMD ? amdgpu_ext::getMathInstructions()
              : nvgpu_ext::getMathInstructions();
    if (failed(lowerMath(getOperation(), instructions, contract, exactDivision)))
      signalPassFailure();
  }
};
} // namespace
