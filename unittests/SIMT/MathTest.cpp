//===- MathTest.cpp - The largest errors of functions on NVIDIA GPUs ------===//
//
// What linalg-ext-nvgpu-lower-math makes of each op of `math`, run by the
// interpreter on many arguments, against the C library in more bits. The
// largest error found is at most what docs/Math.md says.
//
// LINALG_EXT_MATH_SAMPLES says how many arguments of f32 and f64 there are
// (16384 by default); LINALG_EXT_MATH_TABLE is a file to write the table to.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
using Reference = long double (*)(long double, long double);

/// A function: what it is called, and where its arguments are interesting.
struct Function {
  const char *name;
  Reference reference;
  double low, high;
  /// How many operands it has; an exponent that is an integer.
  int arity = 1;
  bool isIntegerPower = false;
  /// There is a lowering for f64.
  bool hasF64 = true;
  /// Subnormal results of f32 are 0, as the instruction's.
  bool flushes = false;
};

long double reciprocalRoot(long double x) { return 1 / std::sqrt(x); }
#define UNARY(expression)                                                      \
  [](long double x, long double) -> long double { return expression; }
#define BINARY(expression)                                                     \
  [](long double x, long double y) -> long double { return expression; }

const Function functions[] = {
    {"acos", UNARY(std::acos(x)), -1, 1, 1, false, false},
    {"acosh", UNARY(std::acosh(x)), 1, 10},
    {"asin", UNARY(std::asin(x)), -1, 1, 1, false, false},
    {"asinh", UNARY(std::asinh(x)), -10, 10},
    {"atan", UNARY(std::atan(x)), -10, 10, 1, false, false},
    {"atan2", BINARY(std::atan2(x, y)), -4, 4, 2, false, false},
    {"atanh", UNARY(std::atanh(x)), -1, 1},
    {"cbrt", UNARY(std::cbrt(x)), -100, 100},
    {"ceil", UNARY(std::ceil(x)), -100, 100},
    {"cos", UNARY(std::cos(x)), -131072, 131072, 1, false, false},
    {"cosh", UNARY(std::cosh(x)), -20, 20},
    {"erf", UNARY(std::erf(x)), -4, 4, 1, false, false},
    {"erfc", UNARY(std::erfc(x)), -4, 9, 1, false, false},
    {"exp", UNARY(std::exp(x)), -100, 90},
    {"exp2", UNARY(std::exp2(x)), -130, 128, 1, false, true, true},
    {"expm1", UNARY(std::expm1(x)), -20, 20},
    {"floor", UNARY(std::floor(x)), -100, 100},
    {"fpowi", BINARY(std::pow(x, y)), -9, 9, 2, true, false},
    {"log", UNARY(std::log(x)), 0, 4},
    {"log10", UNARY(std::log10(x)), 0, 4},
    {"log1p", UNARY(std::log1p(x)), -1, 4},
    {"log2", UNARY(std::log2(x)), 0, 4},
    {"powf", BINARY(std::pow(x, y)), -9, 9, 2, false, false},
    {"round", UNARY(std::round(x)), -100, 100},
    {"roundeven", UNARY(std::nearbyint(x)), -100, 100},
    {"rsqrt", UNARY(reciprocalRoot(x)), 0, 100},
    {"sin", UNARY(std::sin(x)), -131072, 131072, 1, false, false},
    {"sinh", UNARY(std::sinh(x)), -20, 20},
    {"sqrt", UNARY(std::sqrt(x)), 0, 100},
    {"tan", UNARY(std::tan(x)), -131072, 131072, 1, false, false},
    {"tanh", UNARY(std::tanh(x)), -10, 10},
    {"trunc", UNARY(std::trunc(x)), -100, 100},
};

struct Format {
  DType type;
  const char *name;
  int precision, minExponent;
  double largest;
};

const Format formats[] = {
    {DType::F16, "f16", 11, -14, 65504},
    {DType::BF16, "bf16", 8, -126, 0x1.fep127},
    {DType::F32, "f32", 24, -126, 0x1.fffffep127},
    {DType::F64, "f64", 53, -1022, std::numeric_limits<double>::max()},
};

/// The distance of numbers of `format` around `value`.
long double getUnit(long double value, const Format &format) {
  int exponent = format.minExponent;
  if (value != 0)
    exponent = std::max(std::ilogb(value), exponent);
  return std::ldexp(1.0L, exponent - format.precision + 1);
}

int64_t getNumSamples() {
  const char *text = std::getenv("LINALG_EXT_MATH_SAMPLES");
  return text ? std::atoll(text) : 16384;
}

/// All numbers of 16 bits. Of others half are of bits that are evenly spaced,
/// so that all exponents are there, the other half are between `low` and
/// `high`; and those where something changes.
std::vector<double> getArguments(const Function &function,
                                 const Format &format) {
  std::vector<double> arguments;
  bool is16 = format.type == DType::F16 || format.type == DType::BF16;
  if (is16 && function.arity == 1) {
    for (int64_t bits = 0; bits < 65536; ++bits)
      arguments.push_back(oracle::decode16(bits, format.type));
    return arguments;
  }
  auto add = [&](double value) {
    arguments.push_back(oracle::roundTo(value, format.type));
  };
  const double infinity = std::numeric_limits<double>::infinity();
  for (double sign : {1.0, -1.0})
    for (double value :
         {0.0,          1.0,           0.5,          2.0,
          3.0,          1e-8,          1e-3,         0x1p-149,
          0x1p-126,     1e4,           1e5,          1e6,
          1e7,          131071.0,      0x1p18,       0x1.921fb6p0,
          0x1.921fb6p1, 88.7,          89.4,         103.9,
          710.4,        0x1.fffffep-1, 0x1.000002p0, format.largest,
          infinity,     std::nan("")})
      add(sign * value);
  int64_t count = is16 ? 16384 : getNumSamples();
  oracle::Random random(7);
  for (int64_t i = 0; i < count / 2; ++i) {
    double part = (i + random.uniform(0, 1)) / (count / 2);
    add(function.low + (function.high - function.low) * part);
    if (format.type == DType::F64) {
      uint64_t bits = static_cast<uint64_t>(part * 0x1p63) * 2;
      double value;
      std::memcpy(&value, &bits, sizeof(value));
      add(value);
      continue;
    }
    uint32_t bits = static_cast<uint32_t>(part * 0x1p32);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    add(value);
  }
  return arguments;
}

class MathTest : public SIMTTest {
protected:
  /// Lowers a kernel that computes `function`, and runs it.
  static Simulation compute(const Function &function, const Format &format,
                            const std::vector<Tensor> &operands) {
    int64_t count = operands.front().size();
    std::string exponent = function.isIntegerPower ? "i32" : format.name;
    bool isUnary = function.arity == 1;
    std::string type = llvm::formatv("memref<{0}x{1}>", count, format.name);
    std::string second = llvm::formatv("memref<{0}x{1}>", count, exponent);
    std::string op = llvm::formatv("math.{0} %a{1} : {2}{3}", function.name,
                                   isUnary ? "" : ", %b", format.name,
                                   function.isIntegerPower ? ", i32" : "");
    std::string text =
        llvm::formatv(R"(
gpu.module @kernels {{
  gpu.func @compute(%x: {0}, %y: {1}, %out: {0}) kernel {{
    %c256 = arith.constant 256 : index
    %n = arith.constant {2} : index
    %b0 = gpu.block_id x
    %t = gpu.thread_id x
    %s = arith.muli %b0, %c256 : index
    %i = arith.addi %s, %t : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {{
      %a = memref.load %x[%i] : {0}
      %b = memref.load %y[%i] : {1}
      %r = {3}
      memref.store %r, %out[%i] : {0}
    }
    gpu.return
  }
}
func.func @main(%x: {0}, %y: {1}, %out: {0}) {{
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %blocks = arith.constant {4} : index
  gpu.launch_func @kernels::@compute blocks in (%blocks, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%x : {0}, %y : {1}, %out : {0})
  return
})",
                      type, second, count, op, (count + 255) / 256);
    Simulation result;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, context);
    if (!module) {
      result.error = "cannot be parsed";
      return result;
    }
    mlir::PassManager passes(context);
    passes.nest<mlir::gpu::GPUModuleOp>().addPass(
        mlir::linalg_ext::createLinalgExtNVGPULowerMathPass());
    if (failed(passes.run(*module))) {
      result.error = "cannot be lowered";
      return result;
    }
    SimulationOptions options;
    options.uninitialized = {2};
    Tensor out(Shape{count});
    std::vector<Tensor> inputs = {operands[0], operands[1], out};
    return simulate(*module, "main", inputs, options);
  }

  /// The largest error in units of the last place; infinite if a result is of
  /// another kind.
  static double getLargestError(const Function &function, const Format &format,
                                std::string &where) {
    Tensor x, y;
    std::vector<double> arguments = getArguments(function, format);
    x = Tensor(Shape{static_cast<int64_t>(arguments.size())});
    y = x;
    oracle::Random random(3);
    for (size_t i = 0; i < arguments.size(); ++i) {
      x.data[i] = arguments[i];
      y.data[i] = arguments[random.integer(0, arguments.size() - 1)];
      // Others would overflow, mostly.
      if (i % 2 || function.isIntegerPower)
        y.data[i] = random.uniform(-9, 9);
      y.data[i] =
          function.isIntegerPower
              ? std::trunc(y.data[i])
              : oracle::roundTo(i % 4 == 1 ? std::trunc(y.data[i]) : y.data[i],
                                format.type);
    }
    Simulation result = compute(function, format, {x, y});
    if (!result.ok()) {
      where = result.error;
      return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      double got = result.arguments[2].data[i];
      long double want = function.reference(x.data[i], y.data[i]);
      double error = getError(got, want, format, function.flushes);
      if (error <= largest)
        continue;
      largest = error;
      where = llvm::formatv("{0}({1}, {2}) = {3}, want {4}", function.name,
                            x.data[i], y.data[i], got, double(want));
    }
    return largest;
  }

  static double getError(double got, long double want, const Format &format,
                         bool flushes) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (std::isnan(want) || std::isnan(got))
      return std::isnan(want) == std::isnan(got) ? 0 : infinity;
    if (got == 0 && want == 0)
      return std::signbit(got) == std::signbit(want) ? 0 : infinity;
    if (std::isinf(got) && std::isinf(want))
      return got == want ? 0 : infinity;
    // What is larger than all numbers, as far as half a unit.
    long double beyond = format.largest + getUnit(format.largest, format) / 2;
    if (std::isinf(got))
      return std::fabs(want) >= beyond && (got > 0) == (want > 0)
                 ? 0
                 : std::fabs(std::copysign(beyond, got) - want) /
                       getUnit(format.largest, format);
    if (std::isinf(want))
      return infinity;
    if (flushes && got == 0 && std::fabs(want) < 0x1p-126)
      return 0;
    return std::fabs(got - want) / getUnit(want, format);
  }
};

/// The rows of the table of docs/Math.md under `heading`, by their first cell.
std::map<std::string, std::vector<std::string>>
readTable(const std::string &heading) {
  std::ifstream file(LINALG_EXT_MATH_DOC);
  std::map<std::string, std::vector<std::string>> rows;
  bool isHere = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0)
      isHere = line == "## " + heading;
    if (!isHere || line.rfind("| `", 0) != 0)
      continue;
    std::vector<std::string> cells;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(line).trim('|').split(parts, '|');
    for (llvm::StringRef part : parts)
      cells.push_back(part.trim(" `").str());
    rows[cells.front()] = {cells.begin() + 1, cells.end()};
  }
  return rows;
}
} // namespace

TEST_F(MathTest, LargestErrors) {
  auto table = readTable("NVIDIA GPUs");
  EXPECT_EQ(table.size(), std::size(functions));
  std::string written =
      "| op | f16 | bf16 | f32 | f64 |\n|---|---|---|---|---|\n";
  for (const Function &function : functions) {
    written += llvm::formatv("| `{0}` |", function.name);
    std::vector<std::string> cells = table[function.name];
    for (auto [index, format] : llvm::enumerate(formats)) {
      if (format.type == DType::F64 && !function.hasF64) {
        written += " - |";
        continue;
      }
      std::string where;
      double error = getLargestError(function, format, where);
      written += llvm::formatv(" {0:f2} |", std::ceil(error * 100) / 100);
      ASSERT_LT(error, 1e9)
          << function.name << " " << format.name << ": " << where;
      double bound = 0;
      bool isNumber = index < cells.size() &&
                      !llvm::StringRef(cells[index]).getAsDouble(bound);
      EXPECT_TRUE(isNumber)
          << function.name << " has no bound for " << format.name;
      EXPECT_LE(error, bound + 1e-9)
          << function.name << " " << format.name << ": " << where;
    }
    written += "\n";
  }
  if (const char *path = std::getenv("LINALG_EXT_MATH_TABLE"))
    std::ofstream(path) << written;
}

/// Positions of a long text times the frequencies of rotary embeddings.
TEST_F(MathTest, RotaryPositions) {
  const Format &f32 = formats[2];
  std::vector<double> angles;
  for (int64_t position = 0; position <= 131072; position += 61)
    for (int64_t i : {0, 1, 7, 31, 63})
      angles.push_back(
          oracle::roundTo(position * std::pow(10000.0, -i / 64.0), DType::F32));
  Tensor x(Shape{static_cast<int64_t>(angles.size())});
  x.data = angles;
  for (const Function &function : functions) {
    if (function.name != std::string("sin") &&
        function.name != std::string("cos"))
      continue;
    Simulation result = compute(function, f32, {x, x});
    ASSERT_TRUE(result.ok()) << result.error;
    for (size_t i = 0; i < angles.size(); ++i)
      ASSERT_LE(getError(result.arguments[2].data[i],
                         function.reference(angles[i], 0), f32, false),
                2)
          << function.name << " of " << angles[i];
  }
}
