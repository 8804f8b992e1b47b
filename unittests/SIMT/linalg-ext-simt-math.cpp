//===- linalg-ext-simt-math.cpp - Math of kernels, interpreted ------------===//
//
//   linalg-ext-simt-math math.mlir DIR CHIP ERROR...
//
// Takes the functions of a module as linalg-ext-to-nvvm does (linalg-ext-to-rocdl
// for an AMD chip), up to the instructions of the GPU, and runs each in the
// interpreter, once for each ERROR. A function NAME_TYPE reads DIR/TYPE.0, .1 and
// .2 and writes DIR/ERROR/NAME_TYPE.out: arrays of its type. Functions that are
// not lowered are named.
//
// The interpreter rounds what an approximate instruction computes correctly.
// Here its result is moved by ERROR, from -1 to 1, times the largest error that
// the PTX ISA and AMD's ISA documents allow it: what holds for -1, 0 and 1 is what
// to expect of devices.
//
//===----------------------------------------------------------------------===//

#include "Support/Simulate.h"

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;

//===----------------------------------------------------------------------===//
// Errors of instructions
//===----------------------------------------------------------------------===//

/// The largest relative error of an approximate instruction, from the PTX ISA
/// and AMD's ISA documents (1 ulp of v_exp_f32, v_log_f32, v_rcp_f32, v_rsq_f32 and
/// v_sqrt_f32; the quotient is the product with a reciprocal). Of lg2 it is
/// absolute where the result is less than 1. 0 for others.
static double getLargestError(StringRef intrinsic) {
  const double ulp = std::ldexp(1, -23);
  return llvm::StringSwitch<double>(intrinsic)
      .StartsWith("llvm.nvvm.ex2.approx", 2 * ulp)
      .StartsWith("llvm.nvvm.lg2.approx", std::ldexp(1, -22))
      .StartsWith("llvm.nvvm.rcp.approx", ulp)
      .StartsWith("llvm.nvvm.rsqrt.approx", std::exp2(-22.9))
      .StartsWith("llvm.nvvm.sqrt.approx", ulp)
      .StartsWith("llvm.nvvm.div.full", 2 * ulp)
      .StartsWith("llvm.amdgcn.exp2", ulp)
      .StartsWith("llvm.log2", ulp)
      .StartsWith("llvm.amdgcn.rcp", ulp)
      .StartsWith("llvm.amdgcn.rsq", ulp)
      .StartsWith("llvm.amdgcn.sqrt", ulp)
      .StartsWith("llvm.amdgcn.fdiv.fast", 2.5 * ulp)
      .Default(0);
}

/// Moves what approximate instructions return by `part` of their error.
static void addErrors(ModuleOp module, double part) {
  module.walk([&](LLVM::CallIntrinsicOp op) {
    double error = part * getLargestError(op.getIntrin());
    if (error == 0)
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op->getContext());
    b.setInsertionPointAfter(op);
    Value exact = op->getResult(0);
    auto c = [&](double value) -> Value {
      return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
    };
    Value size = math::AbsFOp::create(b, exact);
    Value unit = size;
    // lg2(1) is 0.
    if (op.getIntrin().starts_with("llvm.nvvm.lg2"))
      unit = arith::SelectOp::create(
          b, arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, size, c(0)),
          size, arith::MaximumFOp::create(b, size, c(1)));
    // Away from 0, or towards it.
    Value moved = math::FmaOp::create(
        b, math::CopySignOp::create(b, unit, exact), c(error), exact);
    // Zeros keep their sign, and what is infinite or no number is.
    Value isNumber =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                              arith::MulFOp::create(b, size, c(0)), c(0));
    Value isNonzero =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, size, c(0));
    Value isMoved = arith::AndIOp::create(b, isNumber, isNonzero);
    Value result = arith::SelectOp::create(b, isMoved, moved, exact);
    llvm::SmallPtrSet<Operation *, 8> own;
    for (Operation *user = op->getNextNode();
         user && user != result.getDefiningOp()->getNextNode();
         user = user->getNextNode())
      own.insert(user);
    exact.replaceAllUsesExcept(result, own);
  });
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static double decode(const char *data, DType type) {
  if (type == DType::F64) {
    double number;
    std::memcpy(&number, data, sizeof(number));
    return number;
  }
  if (type == DType::F32) {
    float number;
    std::memcpy(&number, data, sizeof(number));
    return number;
  }
  uint16_t word;
  std::memcpy(&word, data, sizeof(word));
  return oracle::decode16(word, type);
}

static void encode(double value, DType type, std::string &data) {
  auto append = [&](auto word) {
    data.append(reinterpret_cast<const char *>(&word), sizeof(word));
  };
  if (type == DType::F64)
    append(value);
  else if (type == DType::F32)
    append(static_cast<float>(value));
  else
    append(oracle::encode16(value, type));
}

static std::optional<oracle::Tensor> read(const std::string &name, DType type) {
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef data = (*file)->getBuffer();
  int64_t bytes = oracle::getByteWidth(type);
  oracle::Tensor tensor({static_cast<int64_t>(data.size()) / bytes});
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data[i] = decode(data.data() + i * bytes, type);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool run(ModuleOp module, func::FuncOp function,
                const std::string &directory, const std::string &output) {
  auto [name, suffix] = function.getName().rsplit('_');
  auto type = llvm::StringSwitch<std::optional<DType>>(suffix)
                  .Case("f16", DType::F16)
                  .Case("bf16", DType::BF16)
                  .Case("f32", DType::F32)
                  .Case("f64", DType::F64)
                  .Default(std::nullopt);
  // Three inputs and what is written; others are no function of the table.
  if (!type || function.isExternal() || function.getNumArguments() < 4)
    return true;
  std::vector<oracle::Tensor> arguments;
  for (int i = 0; i < 3; ++i) {
    std::optional<oracle::Tensor> input =
        read(directory + "/" + suffix.str() + "." + std::to_string(i), *type);
    if (!input)
      return true; // not asked for
    arguments.push_back(std::move(*input));
  }
  SimulationOptions options;
  options.interpreter.checkRaces = false;
  options.interpreter.maxOps = std::numeric_limits<uint64_t>::max();
  while (arguments.size() < function.getNumArguments()) {
    options.uninitialized.push_back(arguments.size());
    arguments.emplace_back(arguments.front().shape);
  }
  Simulation result = simulate(module, function.getName(), arguments, options);
  if (!result.ok()) {
    std::fprintf(stderr, "%s: %s", function.getName().str().c_str(),
                 result.error.c_str());
    return false;
  }
  std::string data;
  for (double value : result.arguments.back().data)
    encode(value, *type, data);
  std::ofstream(output + "/" + function.getName().str() + ".out",
                std::ios::binary)
      << data;
  return true;
}

/// As linalg-ext-to-nvvm does, up to the instructions of a device.
template <typename OptionsT>
static bool lower(ModuleOp module, StringRef chip) {
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OptionsT options;
  options.chip = chip.str();
  PassManager passes(module.getContext());
  buildLinalgToLaunchesPipeline(passes, options);
  buildGPUKernelsPipeline(passes, options);
  buildDeviceKernelsPipeline(passes, options);
  // The lit tests of passes verify after each.
  passes.enableVerifier(false);
  return succeeded(passes.run(module)) && succeeded(verify(module));
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s math.mlir DIR CHIP ERROR...\n", argv[0]);
    return 2;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(argv[1], ParserConfig(&context));
  if (!module)
    return 1;
  StringRef chip = argv[3];
  auto lowerFor = chip.starts_with("gfx") ? lower<ToROCDLPipelineOptions>
                                          : lower<ToNVVMPipelineOptions>;
  bool ok = true;
  for (auto function : module->getOps<func::FuncOp>()) {
    OwningOpRef<ModuleOp> own = ModuleOp::create(function.getLoc());
    own->push_back(function.clone());
    if (!lowerFor(*own, chip)) {
      std::printf("not lowered: %s\n", function.getName().str().c_str());
      continue;
    }
    for (const char *error : ArrayRef<char *>(argv + 4, argv + argc)) {
      OwningOpRef<ModuleOp> moved = own->clone();
      addErrors(*moved, std::atof(error));
      ok &= run(*moved, moved->lookupSymbol<func::FuncOp>(function.getName()),
                argv[2], std::string(argv[2]) + "/" + error);
    }
  }
  return ok ? 0 : 1;
}
