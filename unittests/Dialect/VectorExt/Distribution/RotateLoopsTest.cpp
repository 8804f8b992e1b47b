//===- RotateLoopsTest.cpp - Rotated loops, executed ----------------------===//
//
// Rotation moves ops between iterations; what they compute stays the same. So a
// program and its rotated form, both executed as plain vectors on this machine,
// give the same bits. Programs are drawn at random: what they carry, how many
// products depend on each other, chains of loops, alike or not, and the numbers
// of iterations, 0 included. One program is compared with its meaning in f64.
//
//===----------------------------------------------------------------------===//

#include "DistributionTest.h"

#include "mlir-ext/Dialect/VectorExt/Distribution/RotateLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace linalg_ext_test;
using namespace mlir;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;
using vector_ext::AwaitOp;

namespace {
/// The text of a function of which tiles are 4 x 4, and of a chain of loops over
/// rows of its arguments.
class ProgramWriter {
public:
  explicit ProgramWriter(Random &random) : random(random) {}

  std::string write();

private:
  struct Step {
    enum Kind { Read, Product, Binary, Exp, Rows, Mask } kind;
    /// Numbers of operands in the pool, and what the kind chooses from.
    int a = 0, b = 0, c = 0, choice = 0;
  };
  Step draw(int poolSize);
  std::string getBody(const std::vector<Step> &steps, const std::string &name);

  Random &random;
  int numCarried = 1;
  std::vector<int> yields;
};

class RotateLoopsTest : public DistributionTest {
protected:
  RotateLoopsTest() : executor(context) {}

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, context);
  }
  /// Rotates, checks that products are awaited as the op says, and removes all
  /// that only GPUs know. Returns how many loops have been rewritten.
  int64_t rotate(ModuleOp module);
  static void makePlain(ModuleOp module);

  Executor executor;
};
} // namespace

static const char *const tileType = "vector<4x4xf32>";
static const char *const config =
    "vector_ext.config = #vector_ext.contract_config<intrinsic = "
    "\"wgmma.m64n8k16.f32.f16\", subgroups = [1, 1]>";

ProgramWriter::Step ProgramWriter::draw(int poolSize) {
  auto pick = [&] {
    // What is new is used more often.
    return random.chance(0.5)
               ? static_cast<int>(random.integer(std::max(0, poolSize - 3),
                                                 poolSize - 1))
               : static_cast<int>(random.integer(0, poolSize - 1));
  };
  Step step;
  step.kind = random.pick<Step::Kind>(
      {Step::Read, Step::Product, Step::Product, Step::Binary, Step::Binary,
       Step::Exp, Step::Rows});
  step.a = pick();
  step.b = pick();
  // Negative: zeros.
  step.c = random.chance(0.5) ? -1 : pick();
  step.choice = static_cast<int>(random.integer(0, 2));
  return step;
}

/// The body of a loop over %i. The pool has what the loop carries, an argument,
/// and the result of each step.
std::string ProgramWriter::getBody(const std::vector<Step> &steps,
                                   const std::string &name) {
  std::string text;
  std::vector<std::string> pool;
  for (int i = 0; i < numCarried; ++i)
    pool.push_back("%" + name + "c" + std::to_string(i));
  pool.push_back("%fixed");
  for (auto [number, step] : llvm::enumerate(steps)) {
    std::string result = "%" + name + "v" + std::to_string(number),
                a = pool[step.a], b = pool[step.b],
                c = step.c < 0 ? "%zero" : pool[step.c];
    auto add = [&](const std::string &line) { text += "    " + line + "\n"; };
    switch (step.kind) {
    case Step::Read:
      add(result + " = vector.transfer_read %" + (step.choice ? "x" : "y") + "[%" +
          name + "i, %c0], %pad {in_bounds = [true, true]} : tensor<64x4xf32>, " +
          tileType);
      break;
    case Step::Product:
      add(result +
          " = vector.contract {indexing_maps = [#ik, #" +
          (step.choice ? "kj" : "jk") +
          ", #ij], iterator_types = [\"parallel\", \"parallel\", "
          "\"reduction\"], kind = #vector.kind<add>, " +
          config + "} " + a + ", " + b + ", " + c + " : " + tileType + ", " + tileType +
          " into " + tileType);
      break;
    case Step::Binary:
      add(result + " = arith." +
          std::vector<std::string>{"addf", "subf", "maximumf"}[step.choice] +
          " " + a + ", " + b + " : " + tileType);
      break;
    case Step::Exp:
      add(result + "x = math.absf " + a + " : " + tileType);
      add(result + "y = arith.addf " + result + "x, %ones : " + tileType);
      add(result + " = arith.divf " + a + ", " + result + "y : " + tileType);
      break;
    case Step::Rows:
      add(result + "r = vector.multi_reduction <maximumf>, " + a +
          ", %low [1] : " + tileType + " to vector<4xf32>");
      add(result + "b = vector.broadcast " + result +
          "r : vector<4xf32> to " + tileType);
      add(result + " = arith.subf " + b + ", " + result + "b : " + tileType);
      break;
    case Step::Mask:
      add(result + "s = arith.subi %n2, %" + name + "i : index");
      add(result + "i = arith.index_cast " + result + "s : index to i32");
      add(result + "f = arith.sitofp " + result + "i : i32 to f32");
      add(result + "b = vector.broadcast " + result + "f : f32 to " + tileType);
      add(result + " = arith.minimumf " + a + ", " + result + "b : " + tileType);
      break;
    }
    pool.push_back(result);
  }
  text += "    scf.yield ";
  for (int i = 0; i < numCarried; ++i)
    text += (i ? ", " : "") + pool[yields[i]];
  text += " : ";
  for (int i = 0; i < numCarried; ++i)
    text += std::string(i ? ", " : "") + tileType;
  return text + "\n";
}

std::string ProgramWriter::write() {
  numCarried = static_cast<int>(random.integer(1, 3));
  int numLoops = static_cast<int>(random.integer(1, 3));
  std::vector<Step> steps;
  int numSteps = static_cast<int>(random.integer(3, 14)), numProducts = 0;
  for (int i = 0; i < numSteps || numProducts == 0; ++i) {
    Step step = draw(numCarried + 1 + i);
    if (numProducts == 5 && step.kind == Step::Product)
      step.kind = Step::Binary;
    numProducts += step.kind == Step::Product;
    steps.push_back(step);
  }
  for (int i = 0; i < numCarried; ++i)
    yields.push_back(static_cast<int>(
        random.integer(numCarried + 1, numCarried + steps.size())));
  std::string types, inits;
  for (int i = 0; i < numCarried; ++i) {
    types += std::string(i ? ", " : "") + tileType;
    inits += (i ? ", " : "") + std::string(i % 2 ? "%zero" : "%fixed");
  }
  std::string text = R"(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @main(%x: tensor<64x4xf32>, %y: tensor<64x4xf32>, %bounds: tensor<3xi64>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m0 = tensor.extract %bounds[%c0] : tensor<3xi64>
  %m1 = tensor.extract %bounds[%c1] : tensor<3xi64>
  %m2 = tensor.extract %bounds[%c2] : tensor<3xi64>
  %n0 = arith.index_cast %m0 : i64 to index
  %n1 = arith.index_cast %m1 : i64 to index
  %n2 = arith.index_cast %m2 : i64 to index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<4x4xf32>
  %ones = arith.constant dense<1.0> : vector<4x4xf32>
  %low = arith.constant dense<0xFF800000> : vector<4xf32>
  %fixed = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<64x4xf32>, vector<4x4xf32>
)";
  std::string from = "%c0", carried = inits;
  for (int loop = 0; loop < numLoops; ++loop) {
    std::string name = std::string(1, static_cast<char>('a' + loop)),
                to = loop + 1 == numLoops ? "%n2" : "%n" + std::to_string(loop);
    std::vector<Step> own = steps;
    // A loop differs from the others in what masks do, or in more.
    for (Step &step : own)
      if (loop > 0 && (step.kind == Step::Binary || step.kind == Step::Exp) &&
          random.chance(0.3))
        step.kind = Step::Mask;
    if (loop > 0 && random.chance(0.2))
      for (Step &step : own)
        step.choice = step.choice == 0 ? 1 : step.choice;
    text += "  %" + name + ":" + std::to_string(numCarried) + " = scf.for %" +
            name + "i = " + from + " to " + to + " step %c4 iter_args(";
    SmallVector<StringRef> values;
    StringRef(carried).split(values, ", ");
    for (int i = 0; i < numCarried; ++i)
      text += (i ? ", " : "") + ("%" + name + "c" + std::to_string(i)) + " = " +
              values[i].str();
    text += ") -> (" + types + ") {\n" + getBody(own, name) + "  }\n";
    from = to;
    carried.clear();
    for (int i = 0; i < numCarried; ++i)
      carried += (i ? ", " : "") + ("%" + name + "#" + std::to_string(i));
  }
  SmallVector<StringRef> values;
  StringRef(carried).split(values, ", ");
  for (int i = 0; i < 3; ++i) {
    std::string number = std::to_string(i),
                value = values[i % numCarried].str();
    text += "  %e" + number + " = tensor.empty() : tensor<4x4xf32>\n  %r" +
            number + " = vector.transfer_write " + value + ", %e" + number +
            "[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, "
            "tensor<4x4xf32>\n";
  }
  return text + "  return %r0, %r1, %r2 : tensor<4x4xf32>, tensor<4x4xf32>, "
                "tensor<4x4xf32>\n}\n";
}

int64_t RotateLoopsTest::rotate(ModuleOp module) {
  IRRewriter rewriter(context);
  linalg_ext::Refusal refusal;
  // Registers are those of tiles of other sizes.
  vector_ext::RotateOptions options;
  options.registers = 1000;
  FailureOr<int64_t> count =
      vector_ext::rotateLoops(rewriter, module, options, refusal);
  EXPECT_TRUE(succeeded(count));
  EXPECT_TRUE(succeeded(verify(module)));
  module.walk([&](AwaitOp await) {
    Operation *product = await.getInputs().front().getDefiningOp();
    EXPECT_TRUE(product->hasOneUse());
    EXPECT_EQ(product->getBlock(), await->getBlock());
  });
  makePlain(module);
  return *count;
}

void RotateLoopsTest::makePlain(ModuleOp module) {
  SmallVector<AwaitOp> awaits;
  module.walk([&](Operation *op) {
    op->removeAttr(vector_ext::VectorExtDialect::getConfigAttrName());
    if (auto await = dyn_cast<AwaitOp>(op))
      awaits.push_back(await);
  });
  for (AwaitOp await : awaits) {
    await->replaceAllUsesWith(await.getInputs());
    await->erase();
  }
}

TEST_F(RotateLoopsTest, RandomPrograms) {
  Random random(oracle::getEnvironmentNumber("LINALG_EXT_ROTATE_SEED", 5));
  int64_t numCases =
      oracle::getEnvironmentNumber("LINALG_EXT_ROTATE_CASES", 40);
  int64_t numRewritten = 0, numChains = 0;
  for (int64_t i = 0; i < numCases; ++i) {
    std::string text = ProgramWriter(random).write();
    SCOPED_TRACE("case " + std::to_string(i) + ":\n" + text);
    OwningOpRef<ModuleOp> plain = parse(text);
    ASSERT_TRUE(plain);
    OwningOpRef<ModuleOp> rotated(plain->clone());
    int64_t count = rotate(*rotated);
    numRewritten += count > 0;
    numChains += count > 1;
    if (count == 0)
      continue;
    makePlain(*plain);
    std::string error;
    std::unique_ptr<Kernel> want = executor.compile(*plain, "main", error),
                            got = executor.compile(*rotated, "main", error);
    ASSERT_TRUE(want && got) << error;
    Tensor x = oracle::random(random, {64, 4}, -1, 1, DType::F32),
           y = oracle::random(random, {64, 4}, -1, 1, DType::F32);
    for (int64_t run = 0; run < 8; ++run) {
      // Bounds that the step does not divide, loops without iterations.
      int64_t n0 = random.integer(0, 12), n1 = n0 + random.integer(-4, 12),
              n2 = n1 + random.integer(-4, 12);
      Tensor bounds({3}, {static_cast<double>(n0), static_cast<double>(n1),
                          static_cast<double>(n2)});
      std::vector<Tensor> inputs = {x, y, bounds};
      Execution a = want->run(inputs), b = got->run(inputs);
      ASSERT_TRUE(a.ok() && b.ok()) << a.error << b.error;
      for (size_t out = 0; out < a.outputs.size(); ++out)
        for (int64_t at = 0; at < a.outputs[out].size(); ++at) {
          double u = a.outputs[out].data[at], v = b.outputs[out].data[at];
          ASSERT_TRUE(u == v || (std::isnan(u) && std::isnan(v)))
              << "with bounds " << n0 << ", " << n1 << ", " << n2 << ": " << u
              << " became " << v << " at " << at << " of result " << out;
        }
    }
  }
  // The test would say nothing if little were rotated.
  EXPECT_GT(numRewritten, numCases / 3);
  EXPECT_GT(numChains, numCases / 12);
}

// Attention of four queries in tiles of four keys, the last of which a second
// loop masks, beside its formula in f64.
TEST_F(RotateLoopsTest, Attention) {
  auto getLoop = [](const std::string &name, const std::string &bounds,
                    const std::string &inits, bool masks) {
    std::string contract =
        "iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = "
        "#vector.kind<add>, " +
        std::string(config) + "} ";
    std::string types = ": vector<4x4xf32>, vector<4x4xf32> into "
                        "vector<4x4xf32>\n",
                text = "  %" + name + ":3 = scf.for %i = " + bounds +
                       " step %c4 iter_args(" + inits +
                       ") -> (vector<4x4xf32>, vector<4xf32>, vector<4xf32>) {\n"
                       "    %k = vector.transfer_read %keys[%i, %c0], %pad "
                       "{in_bounds = [true, true]} : tensor<64x4xf32>, "
                       "vector<4x4xf32>\n"
                       "    %s = vector.contract {indexing_maps = [#ik, #jk, "
                       "#ij], " +
                       contract + "%q, %k, %zero " + types;
    if (masks)
      text += R"(    %rest = arith.subi %n, %i : index
    %mask = vector.create_mask %c4, %rest : vector<4x4xi1>
    %t = arith.select %mask, %s, %hidden : vector<4x4xi1>, vector<4x4xf32>
)";
    return text + "    %m = vector.multi_reduction <maximumf>, " +
           (masks ? "%t" : "%s") +
           R"(, %max [1] : vector<4x4xf32> to vector<4xf32>
    %d = arith.subf %max, %m : vector<4xf32>
    %f = math.exp %d : vector<4xf32>
    %mb = vector.broadcast %m : vector<4xf32> to vector<4x4xf32>
    %mt = vector.transpose %mb, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    %y = arith.subf )" +
           (masks ? "%t" : "%s") + R"(, %mt : vector<4x4xf32>
    %p = math.exp %y : vector<4x4xf32>
    %sf = arith.mulf %sum, %f : vector<4xf32>
    %sum1 = vector.multi_reduction <add>, %p, %sf [1] : vector<4x4xf32> to vector<4xf32>
    %fb = vector.broadcast %f : vector<4xf32> to vector<4x4xf32>
    %ft = vector.transpose %fb, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    %acc1 = arith.mulf %ft, %acc : vector<4x4xf32>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : tensor<64x4xf32>, vector<4x4xf32>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], )" +
           contract + "%p, %v, %acc1 " + types +
           "    scf.yield %o, %m, %sum1 : vector<4x4xf32>, vector<4xf32>, "
           "vector<4xf32>\n  }\n";
  };
  std::string text = R"(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @main(%queries: tensor<4x4xf32>, %keys: tensor<64x4xf32>, %values: tensor<64x4xf32>, %length: tensor<1xi64>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<4x4xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x4xf32>
  %low = arith.constant dense<-1.0e30> : vector<4xf32>
  %none = arith.constant dense<0.0> : vector<4xf32>
  %l = tensor.extract %length[%c0] : tensor<1xi64>
  %n = arith.index_cast %l : i64 to index
  %tiles = arith.divui %n, %c4 : index
  %whole = arith.muli %tiles, %c4 : index
  %q = vector.transfer_read %queries[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x4xf32>
)" + getLoop("a", "%c0 to %whole", "%acc = %zero, %max = %low, %sum = %none", false) +
                     getLoop("b", "%whole to %n",
                             "%acc = %a#0, %max = %a#1, %sum = %a#2", true) +
                     R"(
  %sb = vector.broadcast %b#2 : vector<4xf32> to vector<4x4xf32>
  %st = vector.transpose %sb, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  %r = arith.divf %b#0, %st : vector<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %out = vector.transfer_write %r, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x4xf32>
  return %out : tensor<4x4xf32>
}
)";
  OwningOpRef<ModuleOp> module = parse(text);
  ASSERT_TRUE(module) << text;
  EXPECT_EQ(rotate(*module), 2);
  std::string error;
  std::unique_ptr<Kernel> kernel = executor.compile(*module, "main", error);
  ASSERT_TRUE(kernel) << error;
  Random random(3);
  // Large scores, too: only one key of a row then counts.
  for (double range : {1.0, 20.0})
    for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 30, 64}) {
      Tensor q = oracle::random(random, {4, 4}, -range, range, DType::F32),
             k = oracle::random(random, {64, 4}, -range, range, DType::F32),
             v = oracle::random(random, {64, 4}, -1, 1, DType::F32);
      Execution execution =
          kernel->run({q, k, v, Tensor({1}, {static_cast<double>(n)})});
      ASSERT_TRUE(execution.ok()) << execution.error;
      for (int64_t i = 0; i < 4; ++i) {
        std::vector<double> scores(n);
        double max = -1e300, sum = 0;
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t d = 0; d < 4; ++d)
            scores[j] += q.data[i * 4 + d] * k.data[j * 4 + d];
          max = std::max(max, scores[j]);
        }
        for (double &score : scores)
          sum += score = std::exp(score - max);
        for (int64_t d = 0; d < 4; ++d) {
          double want = 0;
          for (int64_t j = 0; j < n; ++j)
            want += scores[j] / sum * v.data[j * 4 + d];
          // A score has an error of some 2^-22 of range^2, which its
          // exponential multiplies by.
          EXPECT_NEAR(execution.outputs[0].data[i * 4 + d], want,
                      2e-6 * range * range + 2e-6)
              << n << " keys, row " << i;
        }
      }
    }
}
