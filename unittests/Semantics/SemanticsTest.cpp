//===- SemanticsTest.cpp - Fixture of the families of attention -----------===//
//
// See SemanticsTest.h.
//
//===----------------------------------------------------------------------===//

#include "SemanticsTest.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

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

void SemanticsTest::forEachCase(
    llvm::function_ref<void(oracle::Random &, int64_t)> body) {
  // Of a test's own, but the same in every order and selection of tests.
  uint64_t seed = oracle::getEnvironmentNumber("LINALG_EXT_SEMANTICS_SEED", 1);
  for (const char *c =
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
       *c; ++c)
    seed = seed * 31 + static_cast<unsigned char>(*c);
  uint64_t numCases =
      oracle::getEnvironmentNumber("LINALG_EXT_SEMANTICS_CASES", 30);
  for (uint64_t i = 0; i < numCases && !HasFailure(); ++i) {
    oracle::Random random(seed * 1000003 + i);
    body(random, static_cast<int64_t>(i));
  }
}

//===----------------------------------------------------------------------===//
// Random choices
//===----------------------------------------------------------------------===//

SemanticsTest::Levels
SemanticsTest::drawLevels(const std::string &loops,
                          llvm::function_ref<int64_t(char)> size,
                          oracle::Random &random) {
  Levels levels;
  auto makeLevel = [&](LoopKind kind) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(loops.size(), 0);
    return level;
  };
  auto drawTile = [&](char letter) { return random.integer(1, size(letter)); };
  // What the scores do not have.
  auto isColumn = [](char letter) { return letter == 'e' || letter == 'r'; };
  // Blocks of batches, heads and queries; now and then of columns, too.
  TilingLevel blocks = makeLevel(LoopKind::Forall);
  bool hasBlocks = false;
  for (auto [i, letter] : llvm::enumerate(loops))
    if (letter != 'n' && random.chance(!isColumn(letter) ? 0.6
                                       : hasBlocks       ? 0.1
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
  spelling.maskType = random.pick<DType>(
      {DType::I1, DType::I1, DType::I1, DType::I8, DType::I32, DType::I64});
  spelling.maskUse = random.pick<Spelling::MaskUse>(
      {Spelling::MaskUse::Compare, Spelling::MaskUse::CompareInline});
  spelling.lengthType = random.pick<DType>({DType::I8, DType::I32, DType::I64});
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

/// The number of contractions in the innermost key loop, but for the root.
static unsigned countFusedScores(const FusionPlan &plan) {
  return llvm::count_if(plan.levels[plan.lastLevel].producers,
                        [](const PlannedProducer &p) {
                          auto linalgOp = dyn_cast<linalg::LinalgOp>(p.op);
                          return p.fused && linalgOp &&
                                 linalg::isaContractionOpInterface(linalgOp);
                        });
}

void SemanticsTest::check(Specification specification,
                          const AttentionCall &call, const Spelling &spelling,
                          const AttentionInputs &inputs,
                          oracle::Random &random) {
  ImportedAttention imported = importAttention(call, spelling);
  SCOPED_TRACE(call.describe() + "\n" + spelling.describe());
  Program program;
  program.text = imported.text;
  program.rootLoops = imported.rootLoops;
  program.size = [&](char letter) { return call.size(letter); };
  program.foldReshapes =
      spelling.heads == Spelling::Heads::Batched && spelling.foldReshapes;
  // The driver takes a chain with a guard inside as it is, too.
  program.raise =
      spelling.guard != Spelling::Guard::InChain || random.chance(0.5);
  program.inputs = inputs.list(call);
  program.want = specification(call, inputs);
  if (oracle::getByteWidth(call.type) >= 4)
    program.loosest = 0.01;
  program.evaluate = [&](int64_t steps) {
    return linalg_ext_test::evaluate(call, spelling, inputs, steps);
  };
  check(program, random);
}

void SemanticsTest::checkNormalForm(const Program &program) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program.text, context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(normalizeProgram(*module)));
  ASSERT_TRUE(succeeded(verify(*module)));
  // 1. It is one form: nothing is left to do, and online ops are found.
  std::string once = print(*module);
  ASSERT_TRUE(succeeded(normalizeProgram(*module)));
  EXPECT_EQ(once, print(*module));
  unsigned numOnline = 0;
  module->walk([&](OnlineReductionOpInterface op) {
    numOnline += isa<SoftmaxOp>(op.getOperation());
  });
  if (program.raise)
    EXPECT_EQ(numOnline, 1u) << once;
  // 2. It means the same.
  ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
  Execution execution = executor->run(*module, "main", program.inputs);
  ASSERT_TRUE(execution.ok()) << execution.error << once;
  std::vector<oracle::Bounded> want = program.evaluate(/*steps=*/1);
  ASSERT_EQ(execution.outputs.size(), want.size());
  for (auto [output, bounded] : llvm::zip_equal(execution.outputs, want)) {
    oracle::Comparison c = oracle::compare(output, bounded);
    EXPECT_TRUE(c.ok) << c.message << once;
  }
}

void SemanticsTest::check(const Program &program, oracle::Random &random) {
  SCOPED_TRACE(program.text);
  if (random.chance(0.5))
    checkNormalForm(program);
  if (HasFatalFailure())
    return;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program.text, context);
  ASSERT_TRUE(module);
  if (program.foldReshapes)
    ASSERT_TRUE(succeeded(foldReshapes(*module)));

  IRRewriter rewriter(context);
  if (program.raise)
    ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
  SmallVector<Operation *> roots = findFusionRoots(*module, "linalg_ext.root");
  ASSERT_EQ(roots.size(), 1u);
  Operation *root = roots.front();

  TileAndFuseOptions options;
  options.levels = drawLevels(program.rootLoops, program.size, random);
  options.normalization = random.chance(0.5) ? NormalizationForm::Eager
                                             : NormalizationForm::Delayed;
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  ASSERT_TRUE(succeeded(plan)) << refusal.text << print(*module);
  std::string planText;
  llvm::raw_string_ostream os(planText);
  plan->print(os);
  SCOPED_TRACE(planText);
  if (program.raise)
    ASSERT_EQ(plan->repairs.size(), 1u);
  else
    ASSERT_GE(plan->repairs.size(), 1u);
  EXPECT_EQ(countFusedScores(*plan), program.numScores) << print(*module);

  // The bounds are about the values of the specification.
  auto evaluateSpecification = [&] {
    int64_t steps = countSteps(program.size('n'), program.rootLoops.find('n'),
                               options.levels);
    std::vector<oracle::Bounded> bounded = program.evaluate(steps);
    EXPECT_EQ(bounded.size(), program.want.size());
    for (size_t i = 0; i < program.want.size(); ++i) {
      const oracle::Tensor &want = program.want[i];
      EXPECT_EQ(bounded[i].value.shape, want.shape);
      oracle::Bounded tight(bounded[i].value, oracle::Tensor(want.shape, 1e-9));
      oracle::Comparison c = oracle::compare(want, tight);
      EXPECT_TRUE(c.ok) << "the analysis is not that of the specification, "
                        << "result " << i << ", " << c.message;
      bounded[i].value = want;
    }
    return bounded;
  };
  FusionOutcome outcome =
      fuseAndRun(*module, root, options, program.inputs, evaluateSpecification,
                 *executor, random.chance(0.3));
  EXPECT_TRUE(outcome.isRight())
      << getName(outcome.stage) << ": " << outcome.reason << outcome.fused;
  EXPECT_LT(outcome.looseness, program.loosest)
      << "the bounds accept nearly any result";
}
