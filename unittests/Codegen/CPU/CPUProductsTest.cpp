//===- CPUProductsTest.cpp - Products in tiles, executed ------------------===//
//
// Products that no root takes into its loops, through linalg-ext-to-llvm:
// operands in either order, sizes that divide by no tile, destinations that are
// filled, broadcast or given, and ops behind them. The caches that tiles are
// chosen for are small, so that all dimensions are cut.
//
// LINALG_EXT_PRODUCT_CASES asks for more cases, LINALG_EXT_PRODUCT_SEED for
// others.
//
//===----------------------------------------------------------------------===//

#include "Support/CheckProgram.h"
#include "Support/Fusion.h"
#include "Support/Oracle.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace linalg_ext_test;

namespace {
struct Spec {
  /// 0: no dimension of batches.
  int64_t batch = 0, rows = 1, columns = 1, depth = 1;
  bool leftByColumns = false, rightByColumns = false, dynamic = false;
  /// Of the operands: f16, bf16, f32 or f64; results are f32 of halves.
  std::string type = "f32";
  enum Init { Zero, Bias, Given } init = Zero;
  enum Tail { None, Relu, Residual, Gated } tail = None;
  std::string options;
};

/// Text with the types and maps of a spec.
class Writer {
public:
  explicit Writer(const Spec &spec) : spec(spec) {}

  std::string write() {
    result = spec.type == "f64" ? "f64" : "f32";
    std::string a = getType(spec.leftByColumns ? "km" : "mk", spec.type);
    std::string b = getType(spec.rightByColumns ? "nk" : "kn", spec.type);
    std::string c = getType("mn", result);
    std::string row = getType("n", result, /*batched=*/false);
    os << "#c = " << getMap("mn") << "\n#row = " << getMap("n", false) << "\n";
    os << "func.func @main(%a: " << a << ", %b: " << b << ", %b2: " << b
       << ", %row: " << row << ", %given: " << c << ") -> " << c << " {\n"
       << "%zero = arith.constant 0.0 : " << result << "\n";
    std::string init = "%given";
    if (spec.init == Spec::Zero) {
      os << "%init = linalg.fill ins(%zero : " << result
         << ") outs(%given : " << c << ") -> " << c << "\n";
      init = "%init";
    } else if (spec.init == Spec::Bias) {
      writeElementwise("%init", "%row", row, "#row", "", "", "", "%x");
      init = "%init";
    }
    writeProduct("%r", "%b", init, a, b, c);
    std::string value = "%r";
    if (spec.tail == Spec::Relu) {
      writeElementwise("%s", "%r", c, "#c", "%row", row, "#row",
                       "arith.addf %x, %y");
      writeElementwise("%t", "%s", c, "#c", "", "", "",
                       "arith.maximumf %x, %zero");
      value = "%t";
    } else if (spec.tail == Spec::Residual) {
      writeElementwise("%t", "%given", c, "#c", "%r", c, "#c",
                       "arith.addf %x, %y");
      value = "%t";
    } else if (spec.tail == Spec::Gated) {
      writeProduct("%r2", "%b2", init, a, b, c);
      writeElementwise("%s", "%r", c, "#c", "", "", "",
                       "arith.maximumf %x, %zero");
      writeElementwise("%t", "%s", c, "#c", "%r2", c, "#c",
                       "arith.mulf %x, %y");
      value = "%t";
    }
    os << "return " << value << " : " << c << "\n}\n";
    return text;
  }

private:
  int64_t getSize(char dim) {
    return dim == 'm' ? spec.rows : dim == 'n' ? spec.columns : spec.depth;
  }
  std::string getType(StringRef dims, StringRef element, bool batched = true) {
    std::string type = "tensor<";
    if (batched && spec.batch > 0)
      type += std::to_string(spec.batch) + "x";
    for (char dim : dims)
      type += (spec.dynamic ? "?" : std::to_string(getSize(dim))) + "x";
    return type + element.str() + ">";
  }
  std::string getMap(StringRef dims, bool batched = true,
                     StringRef loops = "mn") {
    std::string map = "affine_map<(";
    bool hasBatch = spec.batch > 0;
    map += hasBatch ? "h" : "";
    for (char loop : loops)
      map += (map.back() == '(' ? "" : ", ") + std::string(1, loop);
    map += ") -> (";
    map += hasBatch && batched ? "h" : "";
    for (char dim : dims)
      map += (map.back() == '(' ? "" : ", ") + std::string(1, dim);
    return map + ")>";
  }
  std::string getIterators(StringRef last) {
    std::string text = "[";
    for (int i = spec.batch > 0 ? 0 : 1; i < 3; ++i)
      text += (i == (spec.batch > 0 ? 0 : 1) ? "" : ", ") +
              std::string("\"parallel\"");
    return text + last.str() + "]";
  }
  void writeProduct(StringRef name, StringRef right, StringRef init,
                    StringRef a, StringRef b, StringRef c) {
    os << name << " = linalg.generic {indexing_maps = ["
       << getMap(spec.leftByColumns ? "km" : "mk", true, "mnk") << ", "
       << getMap(spec.rightByColumns ? "nk" : "kn", true, "mnk") << ", "
       << getMap("mn", true, "mnk")
       << "], iterator_types = " << getIterators(", \"reduction\"")
       << "} ins(%a, " << right << " : " << a << ", " << b << ") outs(" << init
       << " : " << c << ") {\n^bb0(%x: " << spec.type << ", %y: " << spec.type
       << ", %o: " << result << "):\n";
    std::string x = "%x", y = "%y";
    if (spec.type != result) {
      os << "%wx = arith.extf %x : " << spec.type << " to " << result
         << "\n%wy = arith.extf %y : " << spec.type << " to " << result << "\n";
      x = "%wx";
      y = "%wy";
    }
    os << "%p = arith.mulf " << x << ", " << y << " : " << result
       << "\n%s = arith.addf %o, %p : " << result
       << "\nlinalg.yield %s : " << result << "\n} -> " << c << "\n";
  }
  /// `name` = `body` of elements %x of `first` and %y of `second`, if there is
  /// one.
  void writeElementwise(StringRef name, StringRef first, StringRef firstType,
                        StringRef firstMap, StringRef second,
                        StringRef secondType, StringRef secondMap,
                        StringRef body) {
    std::string c = getType("mn", result);
    bool two = !second.empty();
    os << name << " = linalg.generic {indexing_maps = [" << firstMap
       << (two ? ", " : "") << secondMap
       << ", #c], iterator_types = " << getIterators("") << "} ins(" << first
       << (two ? ", " : "") << second << " : " << firstType << (two ? ", " : "")
       << secondType << ") outs(%given : " << c << ") {\n^bb0(%x: " << result
       << (two ? ", %y: " + result : "") << ", %o: " << result << "):\n";
    if (body == "%x")
      os << "linalg.yield %x : " << result;
    else
      os << "%v = " << body << " : " << result
         << "\nlinalg.yield %v : " << result;
    os << "\n} -> " << c << "\n";
  }

  const Spec &spec;
  std::string result, text;
  llvm::raw_string_ostream os{text};
};

class CPUProductsTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    owned = makeFusionContext();
    context = owned.get();
  }
  static void TearDownTestSuite() { owned.reset(); }

  static void check(const Spec &spec, uint64_t seed) {
    std::string text = Writer(spec).write();
    SCOPED_TRACE(spec.options + "\n" + text);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module);
    auto batched = [&](std::vector<int64_t> shape) {
      if (spec.batch > 0)
        shape.insert(shape.begin(), spec.batch);
      return shape;
    };
    auto swapped = [](int64_t a, int64_t b, bool swap) {
      return swap ? std::vector<int64_t>{b, a} : std::vector<int64_t>{a, b};
    };
    std::vector<int64_t> b =
        batched(swapped(spec.depth, spec.columns, spec.rightByColumns));
    FailureOr<std::vector<oracle::Tensor>> inputs =
        drawInputs(*module->getOps<func::FuncOp>().begin(),
                   {batched(swapped(spec.rows, spec.depth, spec.leftByColumns)),
                    b,
                    b,
                    {spec.columns},
                    batched({spec.rows, spec.columns})},
                   seed);
    ASSERT_TRUE(succeeded(inputs));
    Reference reference = computeReference(*module, "main", *inputs);
    ASSERT_EQ(reference.error, "");
    CheckOptions options;
    options.cpuOptions = spec.options;
    CheckOutcome outcome = checkProgram(*module, "main", CheckTarget::CPU,
                                        options, *inputs, reference);
    EXPECT_EQ(outcome.state, CheckState::Fused)
        << getName(outcome.state) << ": " << outcome.reason;
  }

  static inline std::unique_ptr<MLIRContext> owned;
  static inline MLIRContext *context = nullptr;
};
} // namespace

TEST_F(CPUProductsTest, Random) {
  std::vector<std::string> processors{"generic", "host"};
  if (llvm::sys::getHostCPUFeatures().lookup("avx2"))
    processors.push_back("x86-64-v3");
  uint64_t seed = oracle::getEnvironmentNumber("LINALG_EXT_PRODUCT_SEED", 1);
  int64_t numCases =
      oracle::getEnvironmentNumber("LINALG_EXT_PRODUCT_CASES", 48);
  oracle::Random random(seed);
  for (int64_t i = 0; i < numCases; ++i) {
    Spec spec;
    spec.batch = random.pick<int64_t>({0, 0, 1, 2});
    spec.rows = random.pick<int64_t>({1, 3, 8, 9, 17, 40, 65, 70});
    spec.columns = random.pick<int64_t>({1, 5, 16, 33, 64, 129, 150, 512, 530});
    spec.depth = random.pick<int64_t>({0, 1, 7, 32, 64, 100, 131});
    spec.leftByColumns = random.integer(0, 4) == 0;
    spec.rightByColumns = random.integer(0, 2) != 0;
    spec.dynamic = random.integer(0, 2) == 0;
    spec.type =
        random.pick<std::string>({"f32", "f32", "f32", "f16", "bf16", "f64"});
    spec.init = random.pick<Spec::Init>({Spec::Zero, Spec::Bias, Spec::Given});
    spec.tail = random.pick<Spec::Tail>(
        {Spec::None, Spec::Relu, Spec::Residual, Spec::Gated});
    spec.options = "cpu=" + random.pick(processors);
    if (random.integer(0, 3) != 0)
      spec.options += " l1-bytes=4096 l2-bytes=32768";
    check(spec, seed + i);
    if (HasFatalFailure() || HasNonfatalFailure())
      return;
  }
}
