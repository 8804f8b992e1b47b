//===- SemanticsTest.cpp - Fixture of the families of attention -----------===//
//
// See SemanticsTest.h.
//
//===----------------------------------------------------------------------===//

#include "SemanticsTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;

MLIRContext *SemanticsTest::context = nullptr;
Executor *SemanticsTest::executor = nullptr;

void SemanticsTest::SetUpTestSuite() {
  context = makeFusionContext().release();
  executor = new Executor(context);
}

void SemanticsTest::TearDownTestSuite() {
  delete executor;
  delete context;
}

static uint64_t getNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

void SemanticsTest::forEachCase(
    llvm::function_ref<void(oracle::Random &, int64_t)> body) {
  // Of a test's own, but the same in every order and selection of tests.
  uint64_t seed = getNumber("LINALG_EXT_SEMANTICS_SEED", 1);
  for (const char *c =
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
       *c; ++c)
    seed = seed * 31 + static_cast<unsigned char>(*c);
  uint64_t numCases = getNumber("LINALG_EXT_SEMANTICS_CASES", 30);
  for (uint64_t i = 0; i < numCases && !HasFailure(); ++i) {
    oracle::Random random(seed * 1000003 + i);
    body(random, static_cast<int64_t>(i));
  }
}

//===----------------------------------------------------------------------===//
// Random choices
//===----------------------------------------------------------------------===//

SemanticsTest::Levels SemanticsTest::drawLevels(const AttentionCall &call,
                                                const std::string &loops,
                                                oracle::Random &random) {
  Levels levels;
  auto makeLevel = [&](LoopKind kind) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(loops.size(), 0);
    return level;
  };
  auto drawTile = [&](char letter) {
    return random.integer(1, call.size(letter));
  };
  // Blocks of batches, heads and queries; now and then of columns, too.
  TilingLevel blocks = makeLevel(LoopKind::Forall);
  bool hasBlocks = false;
  for (auto [i, letter] : llvm::enumerate(loops))
    if (letter != 'n' && random.chance(letter != 'e' ? 0.6
                                       : hasBlocks   ? 0.1
                                                     : 0.0)) {
      blocks.tileSizes[i] = drawTile(letter);
      hasBlocks = true;
    }
  if (hasBlocks)
    levels.push_back(blocks);
  // Keys, once or twice, with queries around, inside or not at all.
  size_t keys = loops.find('n'), queries = loops.find('m');
  TilingLevel outer = makeLevel(LoopKind::For);
  int64_t tile = outer.tileSizes[keys] = drawTile('n');
  if (random.chance(0.3)) {
    outer.tileSizes[queries] = drawTile('m');
    if (random.chance(0.5)) {
      outer.interchange.push_back(keys);
      for (size_t i = 0; i < loops.size(); ++i)
        if (i != keys)
          outer.interchange.push_back(i);
    }
  }
  levels.push_back(outer);
  if (random.chance(0.3)) {
    TilingLevel inner = makeLevel(LoopKind::For);
    inner.tileSizes[keys] = random.integer(1, tile);
    levels.push_back(inner);
  }
  if (random.chance(0.2)) {
    TilingLevel inner = makeLevel(LoopKind::Forall);
    inner.tileSizes[queries] = drawTile('m');
    levels.push_back(inner);
  }
  return levels;
}

Spelling SemanticsTest::drawSpelling(const AttentionCall &call,
                                     oracle::Random &random) {
  Spelling spelling;
  using Heads = Spelling::Heads;
  using Softmax = Spelling::Softmax;
  spelling.heads = random.pick<Heads>({Heads::Grouped, Heads::Repeated});
  spelling.softmax =
      random.pick<Softmax>({Softmax::Named, Softmax::Chain, Softmax::KeepDims});
  spelling.scaleOperands = random.chance(0.4);
  spelling.transposeKeys = random.chance(0.4);
  spelling.biasTensor = random.chance(0.5);
  spelling.concatByInsertSlice = random.chance(0.5);
  spelling.softcapIsOneOp = random.chance(0.8);
  DType wide = oracle::getStateType(call.type);
  spelling.scoreType = random.chance(0.8) ? wide : call.type;
  spelling.softmaxType = random.chance(0.8) ? wide : call.type;
  return spelling;
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

/// Moves reshapes between generics out of the way, as upstream's patterns do.
static LogicalResult foldReshapes(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  WalkResult result = module.walk([&](linalg::BatchMatmulOp op) {
    rewriter.setInsertionPoint(op);
    return failed(linalg::generalizeNamedOp(rewriter, op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  RewritePatternSet patterns(module.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [](OpOperand *) { return true; });
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Whether the contraction of queries and keys is in the innermost key loop.
static bool fusesScores(const FusionPlan &plan) {
  for (const PlannedProducer &producer :
       plan.levels[plan.lastLevel].producers) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(producer.op);
    if (linalgOp && linalg::isaContractionOpInterface(linalgOp))
      return producer.fused;
  }
  return false;
}

void SemanticsTest::check(Specification specification,
                          const AttentionCall &call, const Spelling &spelling,
                          const AttentionInputs &inputs,
                          oracle::Random &random) {
  ImportedAttention imported = importAttention(call, spelling);
  SCOPED_TRACE(call.describe() + "\n" + spelling.describe() + "\n" +
               imported.text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(imported.text, context);
  ASSERT_TRUE(module);
  if (spelling.heads == Spelling::Heads::Batched && spelling.foldReshapes)
    ASSERT_TRUE(succeeded(foldReshapes(*module)));

  IRRewriter rewriter(context);
  // A chain with a guard inside stays one; the driver takes it as it is.
  bool isChain = spelling.guard == Spelling::Guard::InChain;
  ASSERT_EQ(raiseOnlineReductions(rewriter, *module), isChain ? 0u : 1u);
  FailureOr<SmallVector<Operation *>> roots =
      findFusionRoots(*module, "linalg_ext.root");
  ASSERT_TRUE(succeeded(roots));
  ASSERT_EQ(roots->size(), 1u);
  Operation *root = roots->front();

  TileAndFuseOptions options;
  options.levels = drawLevels(call, imported.rootLoops, random);
  options.normalization = random.chance(0.5) ? NormalizationForm::Eager
                                             : NormalizationForm::Delayed;
  std::string reason;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, reason);
  ASSERT_TRUE(succeeded(plan)) << reason << print(*module);
  std::string planText;
  llvm::raw_string_ostream os(planText);
  plan->print(os);
  SCOPED_TRACE(planText);
  if (isChain)
    ASSERT_GE(plan->repairs.size(), 1u);
  else
    ASSERT_EQ(plan->repairs.size(), 1u);
  EXPECT_TRUE(fusesScores(*plan)) << print(*module);

  // The bounds are about the values of the specification.
  std::vector<oracle::Tensor> want = specification(call, inputs);
  auto evaluateSpecification = [&] {
    int64_t steps = countSteps(call.size('n'), imported.rootLoops.find('n'),
                               options.levels);
    std::vector<oracle::Bounded> bounded =
        evaluate(call, spelling, inputs, steps);
    EXPECT_EQ(bounded.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(bounded[i].value.shape, want[i].shape);
      oracle::Bounded tight(bounded[i].value,
                            oracle::Tensor(want[i].shape, 1e-9));
      oracle::Comparison c = oracle::compare(want[i], tight);
      EXPECT_TRUE(c.ok) << "the analysis is not that of the specification, "
                        << "result " << i << ", " << c.message;
      bounded[i].value = want[i];
    }
    return bounded;
  };
  FusionOutcome outcome =
      fuseAndRun(*module, root, options, inputs.list(call),
                 evaluateSpecification, *executor, random.chance(0.3));
  EXPECT_TRUE(outcome.isRight())
      << getName(outcome.stage) << ": " << outcome.reason << outcome.fused;
}
