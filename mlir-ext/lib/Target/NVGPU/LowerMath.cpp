//===- LowerMath.cpp - Math ops by NVIDIA's instructions ------------------===//
//
// The special function unit computes ex2, lg2, rsqrt and sqrt of f32. All other
// functions are built from these in the same way for all GPUs
// (Target/GPU/LowerMath.h).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPULOWERMATHPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr MathInstructions instructions = {
    /*exp2=*/"llvm.nvvm.ex2.approx.ftz.f",
    // Subnormal numbers count: bf16 has as many as f32.
    /*log2=*/"llvm.nvvm.lg2.approx.f",
    /*rsqrt=*/"llvm.nvvm.rsqrt.approx.f",
    /*sqrt=*/"llvm.nvvm.sqrt.approx.ftz.f",
    /*reciprocal=*/"llvm.nvvm.rcp.approx.ftz.f",
    /*divide=*/"llvm.nvvm.div.full"};

namespace {
struct LinalgExtNVGPULowerMathPass
    : public linalg_ext::impl::LinalgExtNVGPULowerMathPassBase<
          LinalgExtNVGPULowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(
            lowerMath(getOperation(), instructions, contract, exactDivision)))
      signalPassFailure();
  }
};
} // namespace
