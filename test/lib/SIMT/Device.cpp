//===- Device.cpp - What a device computes in an instruction --------------===//
//
// The intrinsics that kernels call in place of functions of math, and the
// assembly that reads the number of a thread. Written from the PTX ISA and
// AMD's ISA manuals: the functions are computed in double and rounded, which is
// at least as accurate as the instructions are. .ftz, and those of AMD except
// for log2, take subnormal numbers for 0.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"
#include "SIMT/NVGPU.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

static double flush(double x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.0, x)
             : x;
}

static double divide(double a, double b) { return a / b; }
static double ex2(double a, double) { return std::exp2(a); }
static double lg2(double a, double) { return std::log2(a); }
static double rcp(double a, double) { return 1 / a; }
static double rsqrt(double a, double) { return 1 / std::sqrt(a); }
static double squareRoot(double a, double) { return std::sqrt(a); }

static LogicalResult runIntrinsic(LLVM::CallIntrinsicOp op, Machine &machine) {
  using Function = double (*)(double, double);
  StringRef name = op.getIntrin();
  // To TF32, of which 10 bits of the fraction are left, ties away from zero.
  if (name == "llvm.nvvm.f2tf32.rna" && !machine.isHost() &&
      op->getNumOperands() == 1 && op->getOperand(0).getType().isF32())
    return mapElements(machine, op, [&](const uint64_t *x) {
      bool isNaN = std::isnan(decode(x[0], ScalarFormat::F32));
      return isNaN ? x[0] : (x[0] + 0x1000) & 0xffffe000;
    });
  // Two codes in an i16, the first one in the lower byte.
  auto codes = llvm::StringSwitch<std::optional<ScalarFormat::Kind>>(name)
                   .Case("llvm.nvvm.e4m3x2.to.f16x2.rn", ScalarFormat::F8E4M3FN)
                   .Case("llvm.nvvm.e5m2x2.to.f16x2.rn", ScalarFormat::F8E5M2)
                   .Default(std::nullopt);
  if (codes && !machine.isHost() && op->getNumOperands() == 1 &&
      op->getOperand(0).getType().isInteger(16)) {
    const Register &word = machine.get(op->getOperand(0));
    return machine.compute(
        op->getResult(0), op->getOperands(), /*width=*/2,
        [&](int thread, uint64_t *result) {
          for (int i : {0, 1}) {
            uint64_t code = word.at(thread)[0] >> (8 * i) & 0xff;
            result[i] = encode(decode(code, *codes), ScalarFormat::F16);
          }
          return success();
        });
  }
  auto function = llvm::StringSwitch<Function>(name)
                      .Case("llvm.amdgcn.exp2.f32", ex2)
                      .Case("llvm.amdgcn.fdiv.fast", divide)
                      .Case("llvm.amdgcn.rcp.f32", rcp)
                      .Case("llvm.amdgcn.rsq.f32", rsqrt)
                      .Case("llvm.amdgcn.sqrt.f32", squareRoot)
                      .Case("llvm.log2.f32", lg2)
                      .Case("llvm.nvvm.div.full", divide)
                      .Case("llvm.nvvm.ex2.approx.ftz.f", ex2)
                      .Case("llvm.nvvm.lg2.approx.f", lg2)
                      .Case("llvm.nvvm.lg2.approx.ftz.f", lg2)
                      .Case("llvm.nvvm.rcp.approx.ftz.f", rcp)
                      .Case("llvm.nvvm.rsqrt.approx.f", rsqrt)
                      .Case("llvm.nvvm.rsqrt.approx.ftz.f", rsqrt)
                      .Case("llvm.nvvm.sqrt.approx.ftz.f", squareRoot)
                      .Default(nullptr);
  unsigned count = function == divide ? 2 : 1;
  if (!function || machine.isHost() || op->getNumResults() != 1 ||
      op->getNumOperands() != count ||
      !llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isF32(); }))
    return op.emitError() << "intrinsic '" << name
                          << "' is not supported by the SIMT interpreter";
  bool isFTZ = name.contains(".ftz") || name.starts_with("llvm.amdgcn.");
  return mapElements(machine, op, [&](const uint64_t *x) {
    double in[2] = {0, 0};
    for (unsigned i = 0; i < count; ++i) {
      in[i] = decode(x[i], ScalarFormat::F32);
      in[i] = isFTZ ? flush(in[i]) : in[i];
    }
    double result = function(in[0], in[1]);
    return encode(isFTZ ? flush(result) : result, ScalarFormat::F32);
  });
}

static LogicalResult runAssembly(LLVM::InlineAsmOp op, Machine &machine) {
  if (op.getAsmString().starts_with("mma.sync."))
    return runMmaAssembly(op, machine);
  if (op.getAsmString() == "mov.b64 $0, $1;" && op.getConstraints() == "=l,l" &&
      op->getNumResults() == 1) {
    machine.set(op->getResult(0), machine.getRef(op->getOperand(0)));
    return success();
  }
  // Nothing.
  if (op.getAsmString().empty() && op.getConstraints().empty() &&
      op->getNumOperands() == 0 && op->getNumResults() == 0)
    return success();
  // Registers that stay as they are: "=r,=r,0,1".
  if (op.getAsmString().empty() && op->getNumResults() == 1) {
    int64_t width = op->getNumOperands();
    std::string constraints;
    for (int64_t i = 0; i < width; ++i)
      constraints += "=r,";
    for (int64_t i = 0; i < width; ++i)
      constraints += std::to_string(i) + (i + 1 < width ? "," : "");
    if (op.getConstraints() == constraints)
      return machine.compute(op->getResult(0), op->getOperands(), width,
                             [&](int thread, uint64_t *result) {
                               for (Value operand : op->getOperands())
                                 *result++ = *machine.get(operand).at(thread);
                               return success();
                             });
  }
  // Bit 31 of the number of workgroups.
  if (op.getAsmString() ==
          "{ .reg .b32 n; mov.u32 n, %nctaid.x; shr.u32 $0, n, 31; }" &&
      op.getConstraints() == "=r" && op->getNumResults() == 1)
    return machine.compute(op->getResult(0), op->getOperands(), /*width=*/1,
                           [](int, uint64_t *result) {
                             result[0] = 0;
                             return success();
                           });
  // Any function of three bits, as the table of its results.
  StringRef table = op.getAsmString();
  uint64_t bits = 0;
  if (table.consume_front("lop3.b32 $0, $1, $2, $3, 0x") &&
      table.consume_back(";") && !table.getAsInteger(16, bits) && bits < 256 &&
      op.getConstraints() == "=r,r,r,r" && op->getNumResults() == 1)
    return mapElements(machine, op, [bits](const uint64_t *x) {
      uint64_t result = 0;
      for (int i = 0; i < 32; ++i) {
        uint64_t at =
            (x[0] >> i & 1) << 2 | (x[1] >> i & 1) << 1 | (x[2] >> i & 1);
        result |= (bits >> at & 1) << i;
      }
      return result;
    });
  std::optional<gpu::Dimension> dimension =
      llvm::StringSwitch<std::optional<gpu::Dimension>>(op.getAsmString())
          .Case("mov.u32 $0, %tid.x;", gpu::Dimension::x)
          .Case("mov.u32 $0, %tid.y;", gpu::Dimension::y)
          .Case("mov.u32 $0, %tid.z;", gpu::Dimension::z)
          .Default(std::nullopt);
  if (!dimension || op.getConstraints() != "=r" || op->getNumResults() != 1 ||
      machine.isHost())
    return op.emitError() << "assembly '" << op.getAsmString()
                          << "' is not supported by the SIMT interpreter";
  machine.set(op->getResult(0),
              makeThreadId(machine, static_cast<int>(*dimension)));
  return success();
}

/// cvt.rn.satfinite: the first operand becomes the upper byte. Numbers that are
/// too large become the largest one; infinity, too.
static LogicalResult runConvertToF8(NVVM::ConvertF32x2ToF8x2Op op,
                                    Machine &machine) {
  std::optional<ScalarFormat> format = getScalarFormat(op.getDstTy());
  if (failed(requireKernel(op, machine)))
    return failure();
  if (!format || !op.getDst().getType().isInteger(16) ||
      op.getRnd() != NVVM::FPRoundingMode::RN ||
      op.getSat() != NVVM::SaturationMode::SATFINITE || op.getRelu())
    return reportType(op);
  uint64_t last = format->kind == ScalarFormat::F8E4M3FN ? 0x7e : 0x7b;
  double largest = decode(last, format->kind);
  return mapElements(machine, op, [&](const uint64_t *x) {
    uint64_t word = 0;
    for (int i : {0, 1}) {
      double value = decode(x[i], ScalarFormat::F32);
      if (std::fabs(value) > largest)
        value = std::copysign(largest, value);
      // NaN has one code.
      uint64_t code = std::isnan(value) ? 0x7f : encode(value, format->kind);
      word = word << 8 | code;
    }
    return word;
  });
}

void simt::populateDevice(Handlers &handlers) {
  handlers.add<NVVM::ConvertF32x2ToF8x2Op>(runConvertToF8);
  handlers.add<LLVM::CallIntrinsicOp>(runIntrinsic);
  handlers.add<LLVM::InlineAsmOp>(runAssembly);
  // Threads execute in the order of the program, and a fence lets none of them
  // know what another one has done.
  handlers.add<LLVM::FenceOp>(
      [](LLVM::FenceOp, Machine &) { return success(); });
}
