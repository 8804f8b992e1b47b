//===- ExpandF8Test.cpp - Conversions of floats of 8 bits -----------------===//
//
// Every conversion from and to every float of 8, 6 and 4 bits, against LLVM's
// APFloat: all codes, all numbers of f16 and bf16, and those of f32 and f64 that are
// in the middle between two codes, next to these, large, small, infinite and
// NaN. On each way: the interpreter's own, the expansions with and without f16,
// the instructions of NVIDIA and AMD, interpreted, and linalg-ext-to-llvm on
// this machine.
//
//===----------------------------------------------------------------------===//

#include "Support/Execute.h"
#include "Support/Simulate.h"

#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Pipelines/ToLLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using llvm::APFloat;
using llvm::APInt;
using llvm::fltSemantics;

namespace {
struct Format {
  const char *name;
  const fltSemantics &semantics;
  unsigned bits;
};
} // namespace

static const Format kF8[] = {
    {"f8E4M3FN", APFloat::Float8E4M3FN(), 8},
    {"f8E5M2", APFloat::Float8E5M2(), 8},
    {"f8E4M3FNUZ", APFloat::Float8E4M3FNUZ(), 8},
    {"f8E5M2FNUZ", APFloat::Float8E5M2FNUZ(), 8},
    {"f8E8M0FNU", APFloat::Float8E8M0FNU(), 8},
    {"f4E2M1FN", APFloat::Float4E2M1FN(), 4},
};
/// Which the interpreter does not know: on the CPU only.
static const Format kOtherF8[] = {
    {"f8E4M3", APFloat::Float8E4M3(), 8},
    {"f8E3M4", APFloat::Float8E3M4(), 8},
    {"f8E4M3B11FNUZ", APFloat::Float8E4M3B11FNUZ(), 8},
    {"f6E2M3FN", APFloat::Float6E2M3FN(), 6},
    {"f6E3M2FN", APFloat::Float6E3M2FN(), 6},
};
static const Format kWide[] = {
    {"f16", APFloat::IEEEhalf(), 16},
    {"bf16", APFloat::BFloat(), 16},
    {"f32", APFloat::IEEEsingle(), 32},
    {"f64", APFloat::IEEEdouble(), 64},
};

//===----------------------------------------------------------------------===//
// What is expected
//===----------------------------------------------------------------------===//

static bool isNaN(const Format &format, uint64_t bits) {
  // Some versions of APFloat convert the NaN of f8E8M0FNU to infinity.
  if (StringRef(format.name) == "f8E8M0FNU")
    return bits == 0xff;
  return APFloat(format.semantics, APInt(format.bits, bits)).isNaN();
}

/// The bits of `bits` in the format `to`; none for NaN.
static std::optional<uint64_t> convert(const Format &from, const Format &to,
                                       uint64_t bits) {
  if (isNaN(from, bits))
    return std::nullopt;
  APFloat number(from.semantics, APInt(from.bits, bits));
  // No format of 8 bits with powers of two only has a sign.
  if (StringRef(to.name) == "f8E8M0FNU")
    number.clearSign();
  // APFloat, 22.1, makes 0 of infinity where there is neither it nor NaN.
  if (number.isInfinity() && !APFloat::semanticsHasInf(to.semantics) &&
      !APFloat::semanticsHasNaN(to.semantics))
    return APFloat::getLargest(to.semantics, number.isNegative())
        .bitcastToAPInt()
        .getZExtValue();
  bool isInexact;
  number.convert(to.semantics, APFloat::rmNearestTiesToEven, &isInexact);
  uint64_t result = number.bitcastToAPInt().getZExtValue();
  if (isNaN(to, result))
    return std::nullopt;
  return result;
}

/// How tensors of the oracle have numbers of `format`: as they are, but those of
/// 8 and 32 bits, whose NaNs are to differ, as integers.
static bool isOfIntegers(const Format &format) {
  return format.bits <= 8 || format.bits == 32;
}
/// Those of less than 8 bits have a byte each.
static unsigned getWordBits(const Format &format) {
  return std::max(format.bits, 8u);
}
static std::string getWord(const Format &format) {
  return isOfIntegers(format) ? "i" + std::to_string(getWordBits(format))
                              : std::string(format.name);
}

/// Ops that make a number `result` of a word, or a word of a number: `inBits` and
/// `inWord` are integers, or vectors of them.
static std::string makeFromWord(const Format &format, const char *word,
                                const char *result, const std::string &inWord,
                                const std::string &inBits,
                                const std::string &type) {
  std::string text, bits = word;
  if (format.bits < 8) {
    bits = "%bits";
    text = bits + " = arith.trunci " + word + " : " + inWord + " to " + inBits +
           "\n";
  }
  return text + result + " = arith.bitcast " + bits + " : " +
         (format.bits < 8 ? inBits : inWord) + " to " + type + "\n";
}
static std::string makeToWord(const Format &format, const char *number,
                              const char *result, const std::string &inWord,
                              const std::string &inBits,
                              const std::string &type) {
  if (format.bits >= 8)
    return std::string(result) + " = arith.bitcast " + number + " : " + type +
           " to " + inWord + "\n";
  return std::string("%code = arith.bitcast ") + number + " : " + type + " to " +
         inBits + "\n" + result + " = arith.extui %code : " + inBits + " to " +
         inWord + "\n";
}
static double toTensor(const Format &format, uint64_t bits) {
  if (isOfIntegers(format)) {
    unsigned shift = 64 - format.bits;
    return static_cast<double>(static_cast<int64_t>(bits << shift) >> shift);
  }
  APFloat number(format.semantics, APInt(format.bits, bits));
  bool isInexact;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
  return number.convertToDouble();
}
static uint64_t fromTensor(const Format &format, double value) {
  if (isOfIntegers(format))
    return static_cast<uint64_t>(static_cast<int64_t>(value)) &
           ((1ull << format.bits) - 1);
  APFloat number(value);
  bool isInexact;
  number.convert(format.semantics, APFloat::rmNearestTiesToEven, &isInexact);
  return number.bitcastToAPInt().getZExtValue();
}

/// Numbers of `format` that are hard to round to `narrow`, as bits.
static std::vector<uint64_t> getNumbers(const Format &format,
                                        const Format &narrow) {
  std::set<uint64_t> numbers;
  if (format.bits == 16) {
    for (uint64_t bits = 0; bits < 1 << 16; ++bits)
      numbers.insert(bits);
    return {numbers.begin(), numbers.end()};
  }
  auto addBits = [&](APFloat number) {
    for (int sign = 0; sign < 2; ++sign) {
      APFloat below = number, above = number;
      numbers.insert(number.bitcastToAPInt().getZExtValue());
      below.next(/*nextDown=*/true);
      above.next(/*nextDown=*/false);
      numbers.insert(below.bitcastToAPInt().getZExtValue());
      numbers.insert(above.bitcastToAPInt().getZExtValue());
      number.changeSign();
    }
  };
  auto add = [&](double value) {
    APFloat number(value);
    bool isInexact;
    number.convert(format.semantics, APFloat::rmNearestTiesToEven, &isInexact);
    addBits(number);
  };
  std::vector<double> values;
  for (uint64_t code = 0; code < 1ull << narrow.bits; ++code) {
    APFloat number(narrow.semantics, APInt(narrow.bits, code));
    if (!isNaN(narrow, code) && !number.isInfinity() && !number.isNegative()) {
      bool isInexact;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &isInexact);
      values.push_back(number.convertToDouble());
    }
  }
  llvm::sort(values);
  for (size_t i = 0; i < values.size(); ++i) {
    double next = i + 1 < values.size() ? values[i + 1]
                                        : 2 * values[i] - values[i - 1];
    add(values[i]);
    add(values[i] + (next - values[i]) / 2);
    add(values[i] + (next - values[i]) / 4);
    // Nearer to the middle than f32 can say.
    add(values[i] + (next - values[i]) * (0.5 + std::ldexp(1, -40)));
    add(values[i] + (next - values[i]) * (0.5 - std::ldexp(1, -40)));
  }
  // In the middle behind the last one, and where powers of two would go on.
  add(values.back() + (values.back() - values[values.size() - 2]) / 2);
  add(1.5 * values.back());
  for (double value : {2 * values.back(), 1e9, 1e30, 1e38, 1e300, 1e-9, 1e-30,
                       1e-38, 1e-40, 1e-45, 1e-300, 0.0})
    add(value);
  addBits(APFloat::getInf(format.semantics));
  addBits(APFloat::getLargest(format.semantics));
  addBits(APFloat::getSmallest(format.semantics));
  for (bool isNegative : {false, true}) {
    APFloat quiet = APFloat::getQNaN(format.semantics, isNegative);
    APInt payload(64, 1);
    APFloat other = APFloat::getSNaN(format.semantics, isNegative, &payload);
    numbers.insert(quiet.bitcastToAPInt().getZExtValue());
    numbers.insert(other.bitcastToAPInt().getZExtValue());
  }
  return {numbers.begin(), numbers.end()};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A kernel of one thread that converts `count` numbers, whose bits it reads
/// and writes, `width` at a time; 0: scalars.
static std::string makeKernel(const Format &from, const Format &to,
                              int64_t count, int64_t width,
                              const std::string &target) {
  std::string text = R"(
module attributes {gpu.container_module} {
gpu.module @kernels [TARGET] {
  gpu.func @convert(%x: memref<COUNTxiIN>, %y: memref<COUNTxiOUT>) kernel {
    %c0 = arith.constant 0 : index
    %step = arith.constant STEP : index
    %count = arith.constant COUNT : index
    scf.for %i = %c0 to %count step %step {
      %a = LOAD
      FROMWORD
      %c = arith.CONVERT %b : IN to OUT
      TOWORD
      STORE
    }
    gpu.return
  }
}
func.func @main(%x: memref<COUNTxiIN>, %y: memref<COUNTxiOUT>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@convert blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<COUNTxiIN>, %y : memref<COUNTxiOUT>)
  return
}
}
)";
  std::string in = "i" + std::to_string(getWordBits(from));
  std::string out = "i" + std::to_string(getWordBits(to));
  std::string shape = width ? "vector<" + std::to_string(width) + "x" : "";
  std::string end = width ? ">" : "";
  std::string memrefs[] = {"memref<COUNTx" + in + ">",
                           "memref<COUNTx" + out + ">"};
  std::string load = width ? "vector.load %x[%i] : " + memrefs[0] + ", INBITS"
                           : "memref.load %x[%i] : " + memrefs[0];
  std::string store =
      width ? "vector.store %d, %y[%i] : " + memrefs[1] + ", OUTBITS"
            : "memref.store %d, %y[%i] : " + memrefs[1];
  auto shaped = [&](const std::string &type) { return shape + type + end; };
  auto bitsOf = [&](const Format &format) {
    return shaped("i" + std::to_string(format.bits));
  };
  std::pair<std::string, std::string> words[] = {
      {"LOAD", load},
      {"STORE", store},
      {"FROMWORD", makeFromWord(from, "%a", "%b", shaped(in), bitsOf(from),
                                shaped(from.name))},
      {"TOWORD", makeToWord(to, "%c", "%d", shaped(out), bitsOf(to),
                            shaped(to.name))},
      {"INBITS", shape + in + end},
      {"OUTBITS", shape + out + end},
      {"memref<COUNTxiIN>", memrefs[0]},
      {"memref<COUNTxiOUT>", memrefs[1]},
      {"CONVERT", from.bits < to.bits ? "extf" : "truncf"},
      {" : IN to OUT", " : " + shape + from.name + end + " to " + shape +
                           to.name + end},
      {"COUNT", std::to_string(count)},
      {"STEP", std::to_string(std::max<int64_t>(width, 1))},
      {"[TARGET]", target.empty() ? "" : "[" + target + "]"},
  };
  for (auto &[word, by] : words)
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;
         at += by.size())
      text.replace(at, word.size(), by);
  return text;
}

namespace {
class ExpandF8Test : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = makeContext([](DialectRegistry &registry) {
                registerAll(registry);
              }).release();
    context->loadAllAvailableDialects();
    registerAllPassesAndPipelines();
  }
  static void TearDownTestSuite() { delete context; }

  /// Compares what `got` has for `numbers` with what APFloat makes of them.
  static void compare(const Format &from, const Format &to,
                      const std::vector<uint64_t> &numbers,
                      llvm::function_ref<uint64_t(size_t)> getResult,
                      const std::string &what) {
    int64_t wrong = 0;
    for (auto [i, bits] : llvm::enumerate(numbers)) {
      uint64_t result = getResult(i);
      std::optional<uint64_t> want = convert(from, to, bits);
      bool isRight = want ? result == *want : isNaN(to, result);
      // Formats without NaN have their largest number for it.
      uint64_t sign = 1ull << (to.bits - 1);
      if (!want && !APFloat::semanticsHasNaN(to.semantics))
        isRight = (result | sign) == 2 * sign - 1;
      if (!isRight && ++wrong <= 3)
        ADD_FAILURE() << what << ", " << from.name << " 0x" << std::hex << bits
                      << " to " << to.name << ": 0x" << result
                      << ", expected 0x" << want.value_or(-1);
    }
    EXPECT_EQ(wrong, 0) << what << ", " << from.name << " to " << to.name;
  }

  /// Runs a kernel that `pipeline` compiled in the interpreter.
  static void interpret(const Format &from, const Format &to,
                        std::vector<uint64_t> numbers, int64_t width,
                        const std::string &pipeline,
                        const std::string &target = "") {
    int64_t step = std::max<int64_t>(width, 1);
    while (numbers.size() % step != 0)
      numbers.push_back(numbers.front());
    std::string text = makeKernel(
        from, to, static_cast<int64_t>(numbers.size()), width, target);
    auto module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module) << text;
    std::string what =
        pipeline + " " + target + " width " + std::to_string(width);
    if (!pipeline.empty()) {
      PassManager pm(context, ModuleOp::getOperationName());
      ASSERT_TRUE(succeeded(parsePassPipeline(pipeline, pm)));
      ASSERT_TRUE(succeeded(runAndVerify(pm, *module))) << what << text;
      // No conversion of 8 bits is left to the interpreter.
      module->walk([&](Operation *op) {
        auto isF8 = [](Type type) {
          auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
          return element && element.getWidth() <= 8;
        };
        bool converts = isa<arith::ExtFOp, arith::TruncFOp>(op) &&
                        (isF8(op->getOperand(0).getType()) ||
                         isF8(op->getResult(0).getType()));
        EXPECT_FALSE(converts) << what;
      });
    }
    oracle::Tensor x({static_cast<int64_t>(numbers.size())}), y(x.shape);
    for (auto [i, bits] : llvm::enumerate(numbers)) {
      unsigned shift = 64 - from.bits;
      x.data[i] = static_cast<double>(
          static_cast<int64_t>(bits << shift) >> shift);
    }
    SimulationOptions options;
    options.interpreter.maxOps = 100000000;
    Simulation run = simulate(*module, "main", {x, y}, options);
    ASSERT_TRUE(run.ok()) << what << run.error;
    uint64_t mask = (1ull << to.bits) - 1;
    compare(
        from, to, numbers,
        [&](size_t i) {
          return static_cast<uint64_t>(
                     static_cast<int64_t>(run.arguments[1].data[i])) &
                 mask;
        },
        what);
  }

  static MLIRContext *context;
};
} // namespace

MLIRContext *ExpandF8Test::context = nullptr;

static std::vector<uint64_t> getCodes(const Format &format) {
  std::vector<uint64_t> codes;
  for (uint64_t code = 0; code < 1ull << format.bits; ++code)
    codes.push_back(code);
  return codes;
}

// Integers of 64 bits are no doubles: f64 is tested on the CPU only.
static bool isInterpreted(const Format &format) { return format.bits < 64; }

TEST_F(ExpandF8Test, Interpreter) {
  for (const Format &narrow : kF8)
    for (const Format &wide : kWide) {
      if (!isInterpreted(wide))
        continue;
      interpret(narrow, wide, getCodes(narrow), /*width=*/4, "");
      interpret(wide, narrow, getNumbers(wide, narrow), /*width=*/4, "");
    }
}

TEST_F(ExpandF8Test, Expansions) {
  // Only the first one converts f16.
  for (const char *chip : {"avx2", "generic"}) {
    std::string pipeline =
        "linalg-ext-attach-target{chip=" + std::string(chip) +
        "},linalg-ext-lower-math{steps=expand-f8}";
    for (const Format &narrow : kF8)
      for (const Format &wide : kWide) {
        if (!isInterpreted(wide))
          continue;
        interpret(narrow, wide, getCodes(narrow), /*width=*/4, pipeline);
        interpret(wide, narrow, getNumbers(wide, narrow), /*width=*/4,
                  pipeline);
      }
    interpret(kF8[0], kWide[2], getCodes(kF8[0]), /*width=*/0, pipeline);
    interpret(kWide[2], kF8[0], getNumbers(kWide[2], kF8[0]), /*width=*/0,
              pipeline);
  }
}

TEST_F(ExpandF8Test, Instructions) {
  std::string pipeline = "gpu.module(linalg-ext-gpu-lower-math)";
  for (const char *target :
       {"#nvvm.target<chip = \"sm_90a\">", "#nvvm.target<chip = \"sm_80\">",
        "#nvvm.target<chip = \"sm_89\">", "#nvvm.target<chip = \"sm_120\">",
        "#rocdl.target<chip = \"gfx942\">", "#rocdl.target<chip = \"gfx950\">",
        "#rocdl.target<chip = \"gfx1100\">",
        "#rocdl.target<chip = \"gfx1200\">"})
    for (const Format &narrow : kF8)
      for (const Format &wide : kWide) {
        if (!isInterpreted(wide))
          continue;
        // Odd numbers of elements, too.
        for (int64_t width : {0, 3, 8})
          interpret(narrow, wide, getCodes(narrow), width, pipeline, target);
        interpret(wide, narrow, getNumbers(wide, narrow), /*width=*/8, pipeline,
                  target);
        if (wide.bits == 32)
          for (int64_t width : {0, 3})
            interpret(wide, narrow, getNumbers(wide, narrow), width, pipeline,
                      target);
      }
}

/// A function on tensors that converts numbers by their bits, as `toTensor` has
/// them.
static std::string makeFunction(const Format &from, const Format &to) {
  std::string source = getWord(from), word = getWord(to);
  std::string in = "tensor<?x" + source + ">", out = "tensor<?x" + word + ">";
  return "func.func @main(%x: " + in + ", %y: " + out + ") -> " + out +
         " {\n  %r = linalg.generic {indexing_maps = ["
         "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
         "iterator_types = [\"parallel\"]} ins(%x : " +
         in + ") outs(%y : " + out + ") {\n  ^bb0(%a: " + source +
         ", %o: " + word + "):\n" +
         makeFromWord(from, "%a", "%b", source,
                      "i" + std::to_string(from.bits), from.name) +
         "    %c = arith." + (from.bits < to.bits ? "extf" : "truncf") +
         " %b : " + from.name + " to " + to.name + "\n" +
         makeToWord(to, "%c", "%d", word, "i" + std::to_string(to.bits),
                    to.name) +
         "    linalg.yield %d : " + word + "\n  } -> " + out +
         "\n  return %r : " + out + "\n}\n";
}

TEST_F(ExpandF8Test, ThisMachine) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> units = {"generic"};
  if (features["avx2"] && features["fma"] && features["f16c"])
    units.push_back("avx2");
  if (features["avx512f"] && features["avx512bw"] && features["avx512vl"] &&
      features["avx512dq"])
    units.push_back("avx512");
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    units = {"host"};
  auto run = [&](const Format &from, const Format &to,
                 const std::vector<uint64_t> &numbers, const std::string &unit) {
    std::string text = makeFunction(from, to), error;
    auto module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module) << text;
    auto function = module->lookupSymbol<func::FuncOp>("main");
    SmallVector<Type> inputs(function.getArgumentTypes());
    SmallVector<Type> outputs(function.getResultTypes());
    auto options = ToLLVMPipelineOptions::createFromString("cpu=" + unit);
    PassManager pm(context);
    buildToBuffersPipeline(pm, *options);
    buildBuffersToLLVMPipeline(pm, *options);
    ASSERT_TRUE(succeeded(runAndVerify(pm, *module))) << text;
    ExecutionOptions execution;
    execution.forHost = unit != "generic";
    std::unique_ptr<Kernel> kernel = Executor(context, execution)
                                         .load(*module, "main", inputs, outputs,
                                               error);
    ASSERT_TRUE(kernel) << error;
    oracle::Tensor x({static_cast<int64_t>(numbers.size())}), y(x.shape);
    for (auto [i, bits] : llvm::enumerate(numbers))
      x.data[i] = toTensor(from, bits);
    Execution result = kernel->run({x, y});
    ASSERT_TRUE(result.ok()) << result.error;
    compare(
        from, to, numbers,
        [&](size_t i) { return fromTensor(to, result.outputs[0].data[i]); },
        "cpu=" + unit);
  };
  for (ArrayRef<Format> formats : {ArrayRef(kF8), ArrayRef(kOtherF8)})
    for (const Format &narrow : formats)
      for (const Format &wide : kWide)
        for (const std::string &unit : units) {
          run(narrow, wide, getCodes(narrow), unit);
          run(wide, narrow, getNumbers(wide, narrow), unit);
        }
}
