//===- RepairContractTest.cpp - What a repair must satisfy ----------------===//
//
// Executes what `-test-linalg-ext-repair` emits on thousands of random states
// and tiles, the identity, fully masked tiles and NaN among them, and checks
// the contract of OnlineReductionOpInterface: the combine is a commutative
// monoid, the repair a cocycle, partial results are equivariant. Then whole
// loops, which must not depend on how the keys are cut.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "Extend.h"
#include "TestOps.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr int64_t kRows = 4096, kTile = 5;

/// e^(value - max) where a max of -inf is 0.
static double shiftedExp(double value, double max) {
  return std::exp(value - (max == -kInf ? 0.0 : max));
}

/// In f32: the relative error of a product of a few exponentials e^-d and a few
/// other operations. e^-d errs by d u for the rounding of d, and d is at most
/// 104 or e^-d is 0.
static double relativeError() {
  return 3 * (oracle::kExpUlps + 104 + 8) *
         oracle::getFormat(DType::F32).unitRoundoff;
}

/// A sum with what is at most `largest` in between.
static double sumError(double largest) {
  return 8 * (largest + oracle::kExpUlps) *
         oracle::getFormat(DType::F32).unitRoundoff;
}

static bool isNear(double got, double want, double error) {
  if (std::isnan(want) || std::isinf(want))
    return std::isnan(want) ? std::isnan(got) : got == want;
  return std::fabs(got - want) <= error;
}

namespace {
/// The states of kRows rows, in the order of the state results.
using State = std::vector<Tensor>;

/// What the tests need to know of an op.
struct Contract {
  virtual ~Contract() = default;
  virtual std::string getIR() const = 0;
  virtual NormalizationForm getForm() const = 0;
  /// How rho acts.
  virtual RepairKind getKind() const = 0;
  virtual State drawState(Random &random) const = 0;
  virtual State getIdentity() const = 0;
  /// In f64.
  virtual State combine(const State &lhs, const State &rhs) const = 0;
  virtual double repair(const State &oldState, const State &newState,
                        int64_t row) const = 0;
  /// What state number `i` may be off by.
  virtual double getStateError(size_t i, double want) const = 0;
  /// The operands of a step, from a tile and a state.
  virtual std::vector<Tensor> makeOperands(const Tensor &tile,
                                           const State &state) const = 0;
  /// From the results of a step.
  virtual State getState(const std::vector<Tensor> &results) const = 0;

  bool isIdentity(const State &state, int64_t row) const {
    return state[0].data[row] == -kInf;
  }
  bool isNaN(const State &state, int64_t row) const {
    return std::isnan(state[0].data[row]);
  }
  /// rho applied, as f32 programs do.
  double apply(double rho, double value) const {
    return getKind() == RepairKind::Scale ? rho * value : rho + value;
  }
  /// What `apply` may be off by, `want` being right.
  double getError(double want, double largest) const {
    if (getKind() == RepairKind::Add)
      return sumError(largest);
    return relativeError() * std::fabs(want) +
           4 * oracle::getUnderflow(DType::F32);
  }
};

double drawFinite(Random &random, double low, double high) {
  return oracle::roundTo(random.uniform(low, high), DType::F32);
}

/// -inf, NaN, or a number of one of several magnitudes.
double drawMax(Random &random) {
  if (random.chance(0.15))
    return -kInf;
  if (random.chance(0.02))
    return kNaN;
  double magnitude = random.pick<double>({1, 30, 1e2, 1e4});
  return drawFinite(random, -magnitude, magnitude);
}

struct SoftmaxContract : public Contract {
  explicit SoftmaxContract(NormalizationForm form) : form(form) {}
  NormalizationForm form;

  std::string getIR() const override {
    return R"(
      func.func @main(%x: tensor<4096x5xf32>, %y: tensor<4096x5xf32>,
          %m: tensor<4096xf32>, %l: tensor<4096xf32>, %r: tensor<4096xf32>) {
        %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4096x5xf32>)
          outs(%y, %m, %l, %r : tensor<4096x5xf32>, tensor<4096xf32>,
               tensor<4096xf32>, tensor<4096xf32>)
          -> tensor<4096x5xf32>, tensor<4096xf32>, tensor<4096xf32>,
             tensor<4096xf32>
        return
      })";
  }
  NormalizationForm getForm() const override { return form; }
  RepairKind getKind() const override { return RepairKind::Scale; }
  State drawState(Random &random) const override {
    State state = getIdentity();
    for (int64_t row = 0; row < kRows; ++row) {
      double max = state[0].data[row] = drawMax(random);
      state[1].data[row] = std::isnan(max) ? kNaN
                           : max == -kInf  ? 0
                                           : drawFinite(random, 1, 100);
    }
    return state;
  }
  State getIdentity() const override {
    return {Tensor({kRows}, -kInf), Tensor({kRows}, 0.0)};
  }
  State combine(const State &lhs, const State &rhs) const override {
    State state = getIdentity();
    for (int64_t row = 0; row < kRows; ++row) {
      double l = lhs[0].data[row], r = rhs[0].data[row];
      double max = std::isnan(l) || std::isnan(r) ? kNaN : std::max(l, r);
      state[0].data[row] = max;
      state[1].data[row] = lhs[1].data[row] * shiftedExp(l, max) +
                           rhs[1].data[row] * shiftedExp(r, max);
    }
    return state;
  }
  double repair(const State &oldState, const State &newState,
                int64_t row) const override {
    double rho = shiftedExp(oldState[0].data[row], newState[0].data[row]);
    if (form == NormalizationForm::Delayed)
      return rho;
    double sum = newState[1].data[row];
    return sum == 0 ? 0 : rho * oldState[1].data[row] / sum;
  }
  double getStateError(size_t i, double want) const override {
    return i == 0 ? 0
                  : relativeError() * want +
                        1e3 * oracle::getUnderflow(DType::F32);
  }
  std::vector<Tensor> makeOperands(const Tensor &tile,
                                   const State &state) const override {
    return {tile, Tensor(tile.shape, kNaN), state[0], state[1],
            Tensor({kRows}, kNaN)};
  }
  State getState(const std::vector<Tensor> &results) const override {
    return {results[1], results[2]};
  }
};

struct LogSoftmaxContract : public Contract {
  std::string getIR() const override {
    return R"(
      func.func @main(%x: tensor<4096x5xf32>, %y: tensor<4096x5xf32>,
                      %s: tensor<4096xf32>) {
        %p:2 = extend.log_softmax dimension(1)
          ins(%x : tensor<4096x5xf32>)
          outs(%y, %s : tensor<4096x5xf32>, tensor<4096xf32>)
          -> tensor<4096x5xf32>, tensor<4096xf32>
        return
      })";
  }
  NormalizationForm getForm() const override {
    return NormalizationForm::Eager;
  }
  RepairKind getKind() const override { return RepairKind::Add; }
  State drawState(Random &random) const override {
    State state = getIdentity();
    for (double &value : state[0].data)
      value = drawMax(random);
    return state;
  }
  State getIdentity() const override { return {Tensor({kRows}, -kInf)}; }
  State combine(const State &lhs, const State &rhs) const override {
    State state = getIdentity();
    for (int64_t row = 0; row < kRows; ++row) {
      double l = lhs[0].data[row], r = rhs[0].data[row];
      double max = std::isnan(l) || std::isnan(r) ? kNaN : std::max(l, r);
      state[0].data[row] =
          max == -kInf
              ? max
              : max + std::log(shiftedExp(l, max) + shiftedExp(r, max));
    }
    return state;
  }
  double repair(const State &oldState, const State &newState,
                int64_t row) const override {
    double before = oldState[0].data[row];
    return before == -kInf ? 0 : before - newState[0].data[row];
  }
  double getStateError(size_t, double want) const override {
    return sumError(std::fabs(want));
  }
  std::vector<Tensor> makeOperands(const Tensor &tile,
                                   const State &state) const override {
    return {tile, Tensor(tile.shape, kNaN), state[0]};
  }
  State getState(const std::vector<Tensor> &results) const override {
    return {results[1]};
  }
};

class RepairContractTest : public FusionTest {
protected:
  static void SetUpTestSuite() {
    context = makeFusionContext([](DialectRegistry &registry) {
                mlir::linalg_ext::test::registerTestLib(registry);
              }).release();
    context->loadDialect<mlir::extend::ExtendDialect>();
    executor = new Executor(context);
  }

  /// `module` with the functions that the pass adds to it, ready to run.
  static void emitFunctions(ModuleOp module, const std::string &options) {
    PassManager passes(context);
    ASSERT_TRUE(succeeded(parsePassPipeline(
        "test-linalg-ext-repair{" + options + "},extend-lower", passes)));
    ASSERT_TRUE(succeeded(passes.run(module)));
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(module)));
    ASSERT_TRUE(succeeded(verify(module)));
  }

  /// The functions of an op.
  class Functions {
  public:
    explicit Functions(const Contract &contract)
        : module(parseSourceString<ModuleOp>(contract.getIR(), context)) {
      emitFunctions(*module,
                    "normalization=" + stringify(contract.getForm()).str());
      module->lookupSymbol("main")->erase();
    }
    std::vector<Tensor> call(const std::string &name,
                             const std::vector<Tensor> &inputs) {
      std::unique_ptr<Kernel> &kernel = kernels[name];
      std::string error;
      if (!kernel)
        kernel = executor->compile(*module, name, error);
      if (!kernel) {
        ADD_FAILURE() << name << ": " << error;
        return {};
      }
      Execution result = kernel->run(inputs);
      EXPECT_TRUE(result.ok()) << result.error;
      return result.outputs;
    }
    State combine(const State &lhs, const State &rhs) {
      return call("combine_0", concat(lhs, rhs));
    }
    Tensor repair(const State &oldState, const State &newState) {
      return call("repair_0", concat(oldState, newState)).front();
    }

  private:
    static std::vector<Tensor> concat(State lhs, const State &rhs) {
      lhs.insert(lhs.end(), rhs.begin(), rhs.end());
      return lhs;
    }
    OwningOpRef<ModuleOp> module;
    std::map<std::string, std::unique_ptr<Kernel>> kernels;
  };

  static std::vector<std::unique_ptr<Contract>> makeContracts() {
    std::vector<std::unique_ptr<Contract>> contracts;
    contracts.push_back(std::make_unique<SoftmaxContract>(Form::Delayed));
    contracts.push_back(std::make_unique<SoftmaxContract>(Form::Eager));
    contracts.push_back(std::make_unique<LogSoftmaxContract>());
    return contracts;
  }

  static void expectSame(const Contract &contract, const State &got,
                         const State &want) {
    for (size_t i = 0; i < want.size(); ++i)
      for (int64_t row = 0; row < kRows; ++row) {
        double value = want[i].data[row];
        ASSERT_TRUE(
            isNear(got[i].data[row], value, contract.getStateError(i, value)))
            << "state " << i << ", row " << row << ": expected " << value
            << ", got " << got[i].data[row];
      }
  }
  static void expectEqual(const State &got, const State &want) {
    for (size_t i = 0; i < want.size(); ++i)
      for (int64_t row = 0; row < kRows; ++row)
        ASSERT_TRUE(isNear(got[i].data[row], want[i].data[row], 0))
            << "state " << i << ", row " << row << ": expected "
            << want[i].data[row] << ", got " << got[i].data[row];
  }
  /// Rows of tiles: unmasked, with -inf in places, and masked throughout.
  static Tensor drawTile(Random &random) {
    Tensor tile({kRows, kTile});
    for (int64_t row = 0; row < kRows; ++row) {
      double magnitude = random.pick<double>({1, 30, 1e2, 1e4});
      double masked = random.pick<double>({0, 0, 0.5, 1});
      for (int64_t j = 0; j < kTile; ++j)
        tile.at({row, j}) = random.chance(masked) ? -kInf
                            : random.chance(0.002)
                                ? kNaN
                                : drawFinite(random, -magnitude, magnitude);
    }
    return tile;
  }
};
} // namespace

TEST_F(RepairContractTest, TheCombineIsACommutativeMonoid) {
  for (const auto &contract : makeContracts()) {
    Functions functions(*contract);
    Random random(1);
    State a = contract->drawState(random), b = contract->drawState(random),
          c = contract->drawState(random), e = contract->getIdentity();
    State ab = functions.combine(a, b), bc = functions.combine(b, c);
    expectSame(*contract, ab, contract->combine(a, b));
    expectEqual(functions.combine(b, a), ab);
    expectSame(*contract, functions.combine(ab, c), functions.combine(a, bc));
    expectEqual(functions.combine(a, e), a);
    expectEqual(functions.combine(e, a), a);
    expectEqual(functions.combine(e, e), e);
    // NaN is not forgotten.
    int64_t numNaNs = 0;
    for (int64_t row = 0; row < kRows; ++row)
      if (contract->isNaN(a, row)) {
        ++numNaNs;
        for (const Tensor &state : ab)
          EXPECT_TRUE(std::isnan(state.data[row]));
      }
    EXPECT_GT(numNaNs, 0);
  }
}

TEST_F(RepairContractTest, TheRepairIsACocycle) {
  for (const auto &contract : makeContracts()) {
    Functions functions(*contract);
    Random random(2);
    State first = contract->drawState(random);
    State second = functions.combine(first, contract->drawState(random));
    State third = functions.combine(second, contract->drawState(random));
    Tensor r01 = functions.repair(first, second),
           r12 = functions.repair(second, third),
           r02 = functions.repair(first, third),
           r00 = functions.repair(first, first);
    bool scales = contract->getKind() == RepairKind::Scale;
    int64_t numIdentities = 0;
    for (int64_t row = 0; row < kRows; ++row) {
      if (contract->isIdentity(first, row) && !contract->isNaN(third, row)) {
        // What has been accumulated is neutral, and stays so.
        double neutral = scales ? 0 : -kInf;
        for (double rho : {r00.data[row], r01.data[row], r02.data[row]}) {
          ASSERT_TRUE(std::isfinite(rho)) << "row " << row;
          EXPECT_EQ(contract->apply(rho, neutral), neutral);
        }
        ++numIdentities;
        continue;
      }
      if (contract->isNaN(third, row)) {
        if (!contract->isIdentity(first, row))
          EXPECT_TRUE(std::isnan(r02.data[row])) << "row " << row;
        continue;
      }
      double want = contract->repair(first, third, row);
      double largest = 4e4;
      if (!scales) {
        largest = 0;
        for (const State *state : {&first, &second, &third})
          largest = std::max(largest, std::fabs((*state)[0].data[row]));
      }
      double error = contract->getError(want, largest);
      ASSERT_TRUE(isNear(r02.data[row], want, error))
          << "row " << row << ": expected " << want << ", got "
          << r02.data[row];
      ASSERT_TRUE(isNear(contract->apply(r12.data[row], r01.data[row]),
                         r02.data[row], error))
          << "row " << row;
      ASSERT_TRUE(
          isNear(r00.data[row], scales ? 1 : 0, contract->getError(1, 0)))
          << "row " << row;
    }
    EXPECT_GT(numIdentities, 100);
  }
}

TEST_F(RepairContractTest, PartialResultsAreEquivariant) {
  // E(x, s + t) = rho(s -> s + t) E(x, s), where s has seen x.
  for (const auto &contract : makeContracts()) {
    Functions functions(*contract);
    Random random(3);
    Tensor x = drawTile(random);
    State before = contract->drawState(random),
          other = contract->drawState(random);
    auto early = functions.call("step_0", contract->makeOperands(x, before));
    auto late = functions.call(
        "step_0", contract->makeOperands(x, functions.combine(before, other)));
    State s = contract->getState(early), next = contract->getState(late);
    expectSame(*contract, next, functions.combine(s, other));
    Tensor rho = functions.repair(s, next);
    for (int64_t row = 0; row < kRows; ++row) {
      // From the identity a neutral accumulator may stay neutral: the NaN comes
      // with what the other tile adds.
      if (contract->isIdentity(s, row) && contract->isNaN(next, row))
        continue;
      double largest =
          std::fabs(next[0].data[row]) +
          (contract->isIdentity(s, row) ? 0 : std::fabs(s[0].data[row]));
      for (int64_t j = 0; j < kTile; ++j) {
        double want = late[0].at({row, j});
        double got = contract->apply(rho.data[row], early[0].at({row, j}));
        double score = std::isinf(x.at({row, j})) ? 0 : x.at({row, j});
        ASSERT_TRUE(isNear(
            got, want, contract->getError(want, largest + std::fabs(score))))
            << "row " << row << ", element " << j << ": expected " << want
            << ", got " << got;
      }
    }
  }
}

TEST_F(RepairContractTest, StepsCombineLikeTiles) {
  // Two tiles, one after the other or apart.
  for (const auto &contract : makeContracts()) {
    Functions functions(*contract);
    Random random(4);
    Tensor x = drawTile(random), y = drawTile(random);
    auto step = [&](const Tensor &tile, const State &state) {
      return contract->getState(
          functions.call("step_0", contract->makeOperands(tile, state)));
    };
    State e = contract->getIdentity();
    expectSame(*contract, functions.combine(step(x, e), step(y, e)),
               step(y, step(x, e)));
  }
}

TEST_F(RepairContractTest, DelayedResultsAreFinishedToEagerOnes) {
  SoftmaxContract delayed(Form::Delayed), eager(Form::Eager);
  Functions ofDelayed(delayed), ofEager(eager);
  Random random(5);
  Tensor x = drawTile(random);
  State before = delayed.drawState(random);
  std::vector<Tensor> operands = delayed.makeOperands(x, before);
  auto results = ofDelayed.call("step_0", operands);
  Tensor finish = ofDelayed.call("finish_0", delayed.getState(results)).front();
  Tensor want = ofEager.call("step_0", operands).front();
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t j = 0; j < kTile; ++j)
      ASSERT_TRUE(isNear(finish.data[row] * results[0].at({row, j}),
                         want.at({row, j}),
                         delayed.getError(want.at({row, j}), 0)))
          << "row " << row;
}

TEST_F(RepairContractTest, FactorsOfChains) {
  // max, exp(x - max), sum, division: the sum follows the max, the root both.
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Chain;
  spec.sizes['m'] = kRows;
  AttentionGraph graph = build(spec);
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})}, Form::Eager);
  std::vector<std::pair<std::string, Measure>> factors;
  for (auto [i, repair] : llvm::enumerate(p.repairs))
    for (auto [j, factor] : llvm::enumerate(repair.factors))
      factors.push_back(
          {"factor_" + std::to_string(i) + "_" + std::to_string(j),
           factor.measure});
  ASSERT_EQ(factors.size(), 3u);
  emitFunctions(*graph.module, "levels=for(0,0,8) normalization=eager");

  for (auto &[name, measure] : factors) {
    Random random(6);
    // A state that grows, from one that has seen nothing in places.
    bool isMax = measure == Measure::Difference;
    double nothing = isMax ? -kInf : 0;
    std::vector<Tensor> states(3, Tensor({kRows}));
    for (int64_t row = 0; row < kRows; ++row) {
      double value = nothing;
      for (Tensor &state : states) {
        double grown = isMax ? drawMax(random) : drawFinite(random, 1, 1e4);
        if (std::isnan(grown) || random.chance(0.2))
          grown = nothing;
        value = std::max(value, grown);
        state.data[row] = value;
      }
    }
    std::string error;
    std::unique_ptr<Kernel> kernel =
        executor->compile(*graph.module, name, error);
    ASSERT_TRUE(kernel) << error;
    auto rho = [&](size_t from, size_t to) {
      return kernel->run({states[from], states[to]}).outputs.front();
    };
    Tensor r01 = rho(0, 1), r12 = rho(1, 2), r02 = rho(0, 2), r00 = rho(0, 0);
    int64_t numFromNothing = 0;
    for (int64_t row = 0; row < kRows; ++row) {
      for (const Tensor *r : {&r00, &r01, &r12, &r02})
        ASSERT_TRUE(std::isfinite(r->data[row])) << name << ", row " << row;
      double before = states[0].data[row], after = states[2].data[row];
      if (before == nothing) {
        ++numFromNothing; // 0 times what is finite.
        continue;
      }
      double want = isMax ? std::exp(before - after) : before / after;
      double bound =
          relativeError() * want + 4 * oracle::getUnderflow(DType::F32);
      ASSERT_TRUE(isNear(r02.data[row], want, bound)) << name << " " << row;
      ASSERT_TRUE(isNear(r01.data[row] * r12.data[row], want, bound))
          << name << " " << row;
      ASSERT_EQ(r00.data[row], 1) << name << " " << row;
    }
    EXPECT_GT(numFromNothing, 10);
  }
}

TEST_F(RepairContractTest, ResultsDoNotDependOnHowKeysAreCut) {
  // One tile, single keys, tiles that do not divide, the loop and the split;
  // and with the first, a middle or the last tile masked throughout.
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Guarded})
    for (auto [first, last] : {std::pair(0, 0), {0, 7}, {7, 14}, {14, 20}})
      for (Form normalization : {Form::Eager, Form::Delayed}) {
        AttentionSpec spec = makeSingle();
        spec.softmaxForm = form;
        spec.mask = MaskForm::Boolean;
        spec.maskDims = "n";
        Tensor keep = makeKeep(spec);
        for (int64_t n = first; n < last; ++n)
          keep.data[n] = 0;
        Tensor reference;
        for (LoopKind kind : {LoopKind::For, LoopKind::Split})
          for (int64_t tile : {20, 1, 7}) {
            AttentionGraph graph = build(spec);
            Random random(7);
            InputRange range;
            range.score = 30;
            std::vector<Tensor> inputs = graph.randomInputs(random, range);
            inputs[spec.maskInput()] = makeMaskInput(spec, keep);
            FusionOutcome outcome =
                expectRight(graph, {makeLevel(graph, {{'n', tile}}, kind)},
                            normalization, inputs);
            ASSERT_TRUE(outcome.isRight());
            const Tensor &got = outcome.execution.outputs.front();
            if (reference.data.empty())
              reference = got;
            for (int64_t i = 0; i < got.size(); ++i)
              ASSERT_NEAR(got.data[i], reference.data[i], relativeError());
          }
      }
}
