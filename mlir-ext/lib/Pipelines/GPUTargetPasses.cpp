//===- GPUTargetPasses.cpp - Passes that ask which GPU it is --------------===//
//
// Passes whose work depends on the vendor of the GPU. Each vendor implements it
// in its own directory (Target/NVGPU, Target/AMDGPU). A pass finds the vendor
// by the description of the GPU, by the target of a gpu.module, or by the names
// of instructions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/RewriteConfig.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"
#include "mlir-ext/Target/AMDGPU/Transforms.h"
#include "mlir-ext/Target/GPU/BooleanMasks.h"
#include "mlir-ext/Target/GPU/ConvertI4.h"
#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"
#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUCONVERTKERNELSPASS
#define GEN_PASS_DEF_LINALGEXTGPULOWERMATHPASS
#define GEN_PASS_DEF_LINALGEXTGPULOWERVECTOREXTPASS
#define GEN_PASS_DEF_LINALGEXTGPUPIPELINELOOPSPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtGPULowerVectorExtPass
    : public linalg_ext::impl::LinalgExtGPULowerVectorExtPassBase<
          LinalgExtGPULowerVectorExtPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    nvgpu_ext::registerIntrinsics(registry);
    amdgpu_ext::registerIntrinsics(registry);
  }

  void runOnOperation() override {
    Operation *scope = getOperation();
    const NamedStep known[] = {
        {"mma", [&] { return lowerMma(); }},
        // Only threads of NVIDIA GPUs can give registers away.
        {"roles", [&] { return nvgpu_ext::lowerRoles(scope); }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }

private:
  LogicalResult lowerMma() {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return failure();
    // Without a description, the instructions of all vendors are known.
    ArrayRef<std::string> known = target->intrinsics;
    if (!known.empty() && failed(checkMma([&](StringRef intrinsic) {
          return llvm::is_contained(known, intrinsic);
        })))
      return failure();
    RewritePatternSet patterns(&getContext());
    nvgpu_ext::populateLowerMmaPatterns(patterns);
    amdgpu_ext::populateLowerMmaPatterns(patterns);
    populateLowerThreadProductsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    return checkMma([](StringRef) { return false; });
  }

  /// Fails, with an error, if there is an instruction for which `isAccepted` is
  /// false.
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
    // This is three sixteenths of the registers.
    int64_t maxBytes = 4 * (target->threadRegisters * 3 / 16);
    LogicalResult pipelined =
        target->asyncCopies
            ? nvgpu_ext::pipelineCopies(getOperation())
            : amdgpu_ext::pipelineLoads(getOperation(), maxBytes);
    if (failed(pipelined))
      return signalPassFailure();
    if (target->asyncCopies) {
      // This is a quarter of the registers, counting the one that no thread can
      // use.
      nvgpu_ext::loadBytesAhead(getOperation(), target->threadRegisters + 1);
      nvgpu_ext::lookUpAhead(getOperation());
    }
  }
};

struct LinalgExtGPULowerMathPass
    : public linalg_ext::impl::LinalgExtGPULowerMathPassBase<
          LinalgExtGPULowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    const MathInstructions &instructions =
        amdgpu_ext::getROCDLTarget(getOperation())
            ? amdgpu_ext::getMathInstructions()
            : nvgpu_ext::getMathInstructions();
    IRRewriter rewriter(&getContext());
    lowerBooleanMasks(rewriter, getOperation(), instructions);
    if (failed(
            lowerMath(getOperation(), instructions, contract, exactDivision)) ||
        failed(convertF8()) || failed(tabulate()) || failed(convertI8()))
      signalPassFailure();
  }

private:
  /// Converts integers of 8 bits to f16 on NVIDIA GPUs, and unpacked integers
  /// of 4 bits, of bytes or words, to f16 without conversion instructions.
  LogicalResult convertI8() {
    WalkResult found = getOperation()->walk([](Operation *op) {
      bool converts = false;
      if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
        Type from = op->getOperand(0).getType();
        converts =
            getElementTypeOrSelf(from).isInteger(8) ||
            (isa<VectorType>(from) && getElementTypeOrSelf(from).isInteger(32));
      }
      return converts ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return success();
    RewritePatternSet shuffles(&getContext()), patterns(&getContext());
    populateShuffleOperandsPatterns(shuffles);
    if (failed(applyPatternsGreedily(getOperation(), std::move(shuffles),
                                     getStructuredRewriteConfig())))
      return failure();
    bool isNVIDIA = !amdgpu_ext::getROCDLTarget(getOperation());
    populateConvertI4Patterns(patterns, /*hasBF16=*/isNVIDIA);
    if (isNVIDIA)
      nvgpu_ext::populateConvertI8Patterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns),
                                 getStructuredRewriteConfig());
  }

  /// Replaces functions of unpacked integers of 4 bits by tables in shared
  /// memory or in lanes, on NVIDIA GPUs.
  LogicalResult tabulate() {
    WalkResult found = getOperation()->walk([](arith::ShRUIOp op) {
      bool unpacks = isa<VectorType>(op.getType()) &&
                     getElementTypeOrSelf(op.getType()).isInteger(8);
      return unpacks ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted() || amdgpu_ext::getROCDLTarget(getOperation()))
      return success();
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return failure();
    RewritePatternSet shuffles(&getContext());
    populateShuffleOperandsPatterns(shuffles);
    if (failed(applyPatternsGreedily(getOperation(), std::move(shuffles),
                                     getStructuredRewriteConfig())))
      return failure();
    IRRewriter rewriter(&getContext());
    nvgpu_ext::tabulateCodes(rewriter, getOperation(), *target);
    // Fold what is built, and erase the functions.
    return applyPatternsGreedily(getOperation(),
                                 RewritePatternSet(&getContext()),
                                 getStructuredRewriteConfig());
  }

  /// Converts floats of 8 bits by the target's instructions. Conversions that
  /// these do not cover become other ops.
  LogicalResult convertF8() {
    RewritePatternSet patterns(&getContext());
    gpu::GPUModuleOp module = getOperation();
    if (ROCDL::ROCDLTargetAttr rocdl = amdgpu_ext::getROCDLTarget(module)) {
      FailureOr<amdgpu::Chipset> chip = amdgpu::Chipset::parse(rocdl.getChip());
      if (succeeded(chip))
        arith::populateArithToAMDGPUConversionPatterns(
            patterns, /*convertFP8Arithmetic=*/true,
            /*saturateFP8Truncf=*/false, /*allowPackedF16Rtz=*/false,
            /*supportsScaledExtTrunc=*/false, *chip);
      return expandF8(module, {}, std::move(patterns));
    }
    ArrayAttr targets = module.getTargetsAttr();
    auto nvvm = targets && targets.size() == 1
                    ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                    : NVVM::NVVMTargetAttr();
    const NVIDIAChip *chip = nvvm ? lookupNVIDIAChip(nvvm.getChip()) : nullptr;
    if (chip && chip->hasF8Conversions)
      nvgpu_ext::populateConvertF8Patterns(patterns);
    return expandF8(getOperation(), {}, std::move(patterns));
  }
};

struct LinalgExtGPUConvertKernelsPass
    : public linalg_ext::impl::LinalgExtGPUConvertKernelsPassBase<
          LinalgExtGPUConvertKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (indexBitwidth != 32 && indexBitwidth != 64) {
      module.emitError("expected an index-bitwidth of 32 or 64, got ")
          << unsigned(indexBitwidth);
      return signalPassFailure();
    }
    ROCDL::ROCDLTargetAttr rocdl = amdgpu_ext::getROCDLTarget(module);
    if (failed(rocdl ? amdgpu_ext::convertToROCDL(module, rocdl, indexBitwidth)
                     : nvgpu_ext::convertToNVVM(module, indexBitwidth)))
      signalPassFailure();
  }
};
} // namespace
