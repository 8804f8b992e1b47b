//===- OnlineOpTest.cpp - An online op the driver does not know -----------===//
//
// log-softmax feeding a max-plus product, A[i, n] = max_j (y[i, j] + w[j, n]):
// the state is a log-sum-exp, the accumulation a maximum, the repair adds. The
// test-only op goes through the same driver as softmax, and is executed.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "Extend.h"
#include "TestOps.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();

static const char *const kMaxPlus = R"(
  #y = affine_map<(i, j, n) -> (i, j)>
  #w = affine_map<(i, j, n) -> (j, n)>
  #o = affine_map<(i, j, n) -> (i, n)>
  func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = tensor.dim %x, %c0 : tensor<?x?xf32>
    %N = tensor.dim %x, %c1 : tensor<?x?xf32>
    %ey = tensor.empty(%M, %N) : tensor<?x?xf32>
    %el = tensor.empty(%M) : tensor<?xf32>
    %l0 = linalg.fill ins(%ninf : f32) outs(%el : tensor<?xf32>)
      -> tensor<?xf32>
    %y, %lse = extend.log_softmax dimension(1)
      ins(%x : tensor<?x?xf32>) outs(%ey, %l0 : tensor<?x?xf32>, tensor<?xf32>)
      -> tensor<?x?xf32>, tensor<?xf32>
    %eo = tensor.empty(%M) : tensor<?x3xf32>
    %fo = linalg.fill ins(%ninf : f32) outs(%eo : tensor<?x3xf32>)
      -> tensor<?x3xf32>
    %o = linalg.generic {indexing_maps = [#y, #w, #o],
                         iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%y, %w : tensor<?x?xf32>, tensor<?x3xf32>)
        outs(%fo : tensor<?x3xf32>) attrs = {linalg_ext.root} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      %m = arith.maximumf %c, %s : f32
      linalg.yield %m : f32
    } -> tensor<?x3xf32>
    return %o, %lse : tensor<?x3xf32>, tensor<?xf32>
  })";

/// The same with rows that are merged after the log-softmax: x is [I, 2, N],
/// and the product [2 I, 3].
static std::string getMergedMaxPlus() {
  std::string text = kMaxPlus;
  auto replace = [&](StringRef from, StringRef to) {
    size_t at = text.find(from.str());
    ASSERT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
  };
  replace("%x: tensor<?x?xf32>", "%x: tensor<?x2x?xf32>");
  replace("tensor<?xf32>) {", "tensor<?x2xf32>) {");
  replace("%c1 = arith.constant 1 : index", "%c2 = arith.constant 2 : index");
  replace("%M = tensor.dim %x, %c0 : tensor<?x?xf32>",
          "%I = tensor.dim %x, %c0 : tensor<?x2x?xf32>\n"
          "%M = arith.muli %I, %c2 : index");
  replace("%x, %c1 : tensor<?x?xf32>", "%x, %c2 : tensor<?x2x?xf32>");
  replace("tensor.empty(%M, %N) : tensor<?x?xf32>",
          "tensor.empty(%I, %N) : tensor<?x2x?xf32>");
  size_t softmax = text.find("%el ="), end = text.find("%eo =");
  std::string head = text.substr(softmax, end - softmax);
  for (auto [from, to] : {std::pair("(%M)", "(%I)"),
                          std::pair("tensor<?xf32>", "tensor<?x2xf32>"),
                          std::pair("tensor<?x?xf32>", "tensor<?x2x?xf32>"),
                          std::pair("dimension(1)", "dimension(2)"),
                          std::pair("%y, %lse", "%y3, %lse")})
    for (size_t at = 0; (at = head.find(from, at)) != std::string::npos;
         at += StringRef(to).size())
      head.replace(at, StringRef(from).size(), to);
  head += "%y = tensor.collapse_shape %y3 [[0, 1], [2]] : tensor<?x2x?xf32> "
          "into tensor<?x?xf32>\n";
  text.replace(softmax, end - softmax, head);
  replace("return %o, %lse : tensor<?x3xf32>, tensor<?xf32>",
          "return %o, %lse : tensor<?x3xf32>, tensor<?x2xf32>");
  return text;
}

namespace {
class OnlineOpTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = makeFusionContext([](DialectRegistry &registry) {
                mlir::linalg_ext::test::registerTestLib(registry);
              }).release();
    context->loadDialect<mlir::extend::ExtendDialect>();
  }
  static void TearDownTestSuite() { delete context; }

  /// The product and the log-sum-exp. Every element errs by the roundings of
  /// the n exponentials and additions, of a logarithm, and of the two additions
  /// of each repair, all of numbers that are at most `largest`.
  static std::vector<Bounded> evaluate(const Tensor &x, const Tensor &w,
                                       int64_t steps) {
    const Tensor y = oracle::logSoftmax(x, 1);
    Bounded product(Tensor({x.shape[0], w.shape[1]}, -kInf), Tensor());
    double largest = 1;
    for (const Tensor *t : {&x, &w, &y})
      for (double value : t->data)
        if (std::isfinite(value))
          largest = std::max(largest, std::fabs(value));
    oracle::forEachIndex(product.value.shape, [&](const oracle::Index &at) {
      for (int64_t j = 0; j < x.shape[1]; ++j)
        product.value.at(at) =
            std::max(product.value.at(at), y.at({at[0], j}) + w.at({j, at[1]}));
    });
    double n = static_cast<double>(x.shape[1]);
    double operations =
        n + 2 * oracle::kExpUlps + 4 + (oracle::kExpUlps + 6) * steps;
    double bound =
        2 * largest *
        oracle::gamma(operations, oracle::getFormat(DType::F32).unitRoundoff);
    product.error = Tensor(product.value.shape, bound);
    Tensor lse = oracle::logSumExp(x, 1);
    return {product, Bounded(lse, Tensor(lse.shape, bound))};
  }

  /// Tiles, fuses and runs. If `isFused`, loops have a log-softmax; another
  /// one, outside of them, may compute the log-sum-exp of rows that are merged.
  static void expectRight(std::vector<TilingLevel> levels, int64_t steps,
                          bool merged = false, bool isFused = true) {
    int64_t numRows = merged ? 8 : 7;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        merged ? getMergedMaxPlus() : kMaxPlus, context);
    ASSERT_TRUE(module);
    TileAndFuseOptions options;
    options.levels = std::move(levels);
    options.rootAttrName = "linalg_ext.root";
    IRRewriter rewriter(context);
    ASSERT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
    ASSERT_TRUE(succeeded(verify(*module)));
    unsigned numInLoops = 0;
    module->walk([&](mlir::extend::LogSoftmaxOp op) {
      numInLoops += op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    });
    EXPECT_EQ(numInLoops, isFused ? 1u : 0u) << print(*module);
    PassManager passes(context);
    ASSERT_TRUE(succeeded(parsePassPipeline("extend-lower", passes)));
    ASSERT_TRUE(succeeded(passes.run(*module)));

    oracle::Random random(1);
    std::vector<Tensor> inputs = {
        oracle::random(random, {numRows, 20}, -6, 6, DType::F32),
        oracle::random(random, {20, 3}, -2, 2, DType::F32)};
    for (int64_t j = 0; j < 20; ++j) {
      inputs[0].at({2, j}) = -kInf; // Masked throughout,
      if (j < 6)
        inputs[0].at({3, j}) = -kInf; // at first,
      if (j >= 12)
        inputs[0].at({4, j}) = -kInf;                       // and at last.
      inputs[0].at({5, j}) = 50.0 * static_cast<double>(j); // Rising.
    }
    std::vector<Bounded> want = evaluate(inputs[0], inputs[1], steps);
    if (merged) {
      inputs[0].shape = {numRows / 2, 2, 20};
      want[1].value.shape = want[1].error.shape = {numRows / 2, 2};
    }
    Execution result = Executor(context).run(*module, "main", inputs);
    ASSERT_TRUE(result.ok()) << result.error;
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison c = oracle::compare(result.outputs[i], want[i]);
      EXPECT_TRUE(c.ok) << "result " << i << ": " << c.message;
      EXPECT_LT(c.looseness, 5e-2);
    }
  }

  static TilingLevel level(ArrayRef<int64_t> sizes,
                           LoopKind kind = LoopKind::For) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(sizes.begin(), sizes.end());
    return level;
  }

  static MLIRContext *context;
};
MLIRContext *OnlineOpTest::context = nullptr;
} // namespace

TEST_F(OnlineOpTest, EveryTile) {
  for (int64_t tile : {1, 3, 6, 20, 25})
    expectRight({level({0, tile})}, (20 + tile - 1) / tile);
}

TEST_F(OnlineOpTest, Levels) {
  expectRight({level({2}, LoopKind::Forall), level({0, 6})}, 4);
  expectRight({level({3, 8}), level({0, 3})}, 8);
  expectRight({level({0, 6}), level({2, 0, 2})}, 4);
  // Columns around: the whole op stays outside.
  expectRight({level({0, 0, 2}), level({0, 6})}, 1, /*merged=*/false,
              /*isFused=*/false);
}

TEST_F(OnlineOpTest, MergedRows) {
  expectRight({level({0, 6})}, 4, /*merged=*/true);
  expectRight({level({2}, LoopKind::Forall), level({0, 6})}, 4, true);
  expectRight({level({1}), level({0, 7}, LoopKind::Split)}, 6, true);
}

TEST_F(OnlineOpTest, Split) {
  for (int64_t chunk : {1, 7, 20, 25}) {
    int64_t chunks = (20 + chunk - 1) / chunk;
    expectRight({level({0, chunk}, LoopKind::Split)}, 2 * chunks);
    expectRight({level({0, chunk}, LoopKind::Split), level({0, 3})},
                9 + 2 * chunks);
  }
  expectRight({level({2}, LoopKind::Forall), level({0, 6}, LoopKind::Split),
               level({0, 0, 2}), level({0, 4})},
              12);
}
