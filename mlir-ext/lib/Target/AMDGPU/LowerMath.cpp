//===- LowerMath.cpp - Math ops by AMD's instructions ---------------------===//
//
// The transcendental unit computes exp2, log2, rsqrt, sqrt and reciprocals of
// f32. All other functions are built from these in the same way for all GPUs
// (Target/GPU/LowerMath.h).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir-ext/Target/AMDGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTAMDGPULOWERMATHPASS
#include "mlir-ext/Target/AMDGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr MathInstructions instructions = {
    /*exp2=*/"llvm.amdgcn.exp2.f32",
    // LLVM scales subnormal numbers for v_log_f32.
    /*log2=*/"llvm.log2.f32",
    /*rsqrt=*/"llvm.amdgcn.rsq.f32",
    /*sqrt=*/"llvm.amdgcn.sqrt.f32",
    /*reciprocal=*/"llvm.amdgcn.rcp.f32",
    /*divide=*/"llvm.amdgcn.fdiv.fast"};

namespace {
struct LinalgExtAMDGPULowerMathPass
    : public linalg_ext::impl::LinalgExtAMDGPULowerMathPassBase<
          LinalgExtAMDGPULowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(
            lowerMath(getOperation(), instructions, contract, exactDivision)))
      signalPassFailure();
  }
};
} // namespace
