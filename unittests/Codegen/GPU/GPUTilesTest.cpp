//===- GPUTilesTest.cpp - Programs of workgroups, run on the CPU ----------===//
//
// What the front of the GPU pipeline makes of a function is ordinary IR: its
// workgroups run one after another here, their vectors lowered by upstream. The
// results must be right, whatever the sizes; and no tensor may be left but
// those that are read from and written to.
//
//===----------------------------------------------------------------------===//

#include "Support/Fusion.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/ToGPUTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

namespace {
/// Tile sizes that few of the sizes below are multiples of.
struct Tiles {
  int64_t rows = 4, columns = 8, keys = 8, reduction = 8, maxRow = 64,
          multipleOf = 1;
  bool peel = false;
};

class GPUTilesTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = makeFusionContext().release();
    executor = new Executor(context);
  }
  static void TearDownTestSuite() {
    delete executor;
    delete context;
  }

  /// As far as vectors.
  static void vectorize(ModuleOp module, const Tiles &tiles) {
    ToGPUTilesPipelineOptions options;
    options.rows = tiles.rows;
    options.columns = tiles.columns;
    options.keys = tiles.keys;
    options.reduction = tiles.reduction;
    GPUTileSettings settings;
    settings.maxRow = tiles.maxRow;
    settings.multipleOf = tiles.multipleOf;
    settings.peel = tiles.peel;
    PassManager passes(context);
    buildWorkgroupPipeline(passes, options, settings);
    buildTileVectorPipeline(passes, settings);
    ASSERT_TRUE(succeeded(runAndVerify(passes, module)));
  }

  /// No structured op is left, loops carry vectors, and only reads and writes
  /// have masks.
  static void expectVectors(ModuleOp module) {
    bool hasVectors = false;
    module.walk([&](Operation *op) {
      hasVectors |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
      EXPECT_FALSE(isa<linalg::LinalgOp>(op)) << print(op);
      EXPECT_FALSE(isa<vector::MaskOp>(op)) << print(op);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        for (Type type : loop.getResultTypes())
          EXPECT_FALSE(isa<TensorType>(type)) << print(op);
      if (auto contract = dyn_cast<vector::ContractionOp>(op))
        EXPECT_LE(contract.getIteratorTypes().size(), 3u) << print(op);
    });
    EXPECT_TRUE(hasVectors) << print(module);
  }

  /// Upstream's lowering of vector.contract wants equal element types.
  static void widenFactors(ModuleOp module) {
    module.walk([](vector::ContractionOp op) {
      Type type = getElementTypeOrSelf(op.getAccType());
      OpBuilder b(op);
      for (unsigned number : {0, 1}) {
        auto from = cast<VectorType>(op->getOperand(number).getType());
        if (from.getElementType() != type)
          op->setOperand(number,
                         arith::ExtFOp::create(b, op.getLoc(), from.clone(type),
                                               op->getOperand(number)));
      }
    });
  }

  /// Elements that gathers read, one by one: upstream has no op for them.
  static void unrollGathers(ModuleOp module) {
    module.walk([](vector_ext::TransferGatherOp op) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      auto type = cast<VectorType>(op.getType());
      auto extract = [&](Value vector, AffineMap map,
                         ArrayRef<int64_t> at) -> Value {
        return vector::ExtractOp::create(b, vector, map.compose(at));
      };
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
      Value none = vector::ExtractOp::create(
          b, zero, SmallVector<int64_t>(type.getRank(), 0));
      Value result = zero;
      for (int64_t number = 0; number < type.getNumElements(); ++number) {
        SmallVector<int64_t> at =
            delinearize(number, computeStrides(type.getShape()));
        SmallVector<Value> position;
        for (auto [offset, expr] :
             llvm::zip_equal(op.getOffsets(), op.getBaseMap().getResults())) {
          Value index = arith::ConstantIndexOp::create(b, 0);
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            index = arith::ConstantIndexOp::create(b, at[dim.getPosition()]);
          else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
            index = extract(op.getIndices()[symbol.getPosition()],
                            op.getIndexMap(symbol.getPosition()), at);
          if (!index.getType().isIndex())
            index = arith::IndexCastOp::create(b, b.getIndexType(), index);
          position.push_back(arith::AddIOp::create(b, offset, index));
        }
        Value exists =
            op.getMask()
                ? extract(op.getMask(), op.getMaskMap(), at)
                : arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult();
        auto read = scf::IfOp::create(
            b, op.getLoc(), exists,
            [&](OpBuilder &b, Location loc) {
              Value element =
                  tensor::ExtractOp::create(b, loc, op.getBase(), position);
              scf::YieldOp::create(b, loc, element);
            },
            [&](OpBuilder &b, Location loc) {
              scf::YieldOp::create(b, loc, none);
            });
        result = vector::InsertOp::create(b, read.getResult(0), result, at);
      }
      op.replaceAllUsesWith(result);
      op.erase();
    });
  }

  static void expectRight(ModuleOp module, const std::vector<Tensor> &inputs,
                          const std::vector<Bounded> &want, Tiles tiles,
                          const std::string &what) {
    vectorize(module, tiles);
    if (HasFatalFailure())
      return;
    expectVectors(module);
    widenFactors(module);
    unrollGathers(module);
    std::string text = print(module);
    Execution execution = executor->run(module, "main", inputs);
    ASSERT_TRUE(execution.ok()) << what << execution.error << text;
    ASSERT_EQ(execution.outputs.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison comparison =
          oracle::compare(execution.outputs[i], want[i]);
      EXPECT_TRUE(comparison.ok)
          << what << ": result " << i << ", " << comparison.message << text;
      EXPECT_LT(comparison.looseness, 1) << what << ": any result is accepted";
    }
  }

  /// The same of a graph, whose keys are cut into tiles.
  static void expectRight(const AttentionSpec &spec, Tiles tiles = {},
                          InputRange range = {}) {
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random, range);
    int64_t steps = llvm::divideCeil(spec.size(spec.keys), tiles.keys);
    expectRight(*graph.module, inputs, graph.evaluate(inputs, steps), tiles,
                spec.describe());
  }

  /// A function @main of `text`, in which each $ is an element type.
  static OwningOpRef<ModuleOp> parse(std::string text, StringRef type = "f32") {
    for (size_t at; (at = text.find('$')) != std::string::npos;)
      text.replace(at, 1, type.str());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// Sizes that differ from one another, and divide by nothing.
  static AttentionSpec makeSpec(const std::string &batch = "b") {
    AttentionSpec spec;
    spec.sizes = {{'b', 2},  {'h', 3}, {'g', 2}, {'m', 7},
                  {'n', 19}, {'d', 5}, {'e', 6}};
    spec.q = batch + "md";
    spec.k = batch + "nd";
    spec.v = batch + "ne";
    spec.scores = batch + "mn";
    spec.out = batch + "me";
    return spec;
  }

  static MLIRContext *context;
  static Executor *executor;
};
MLIRContext *GPUTilesTest::context = nullptr;
Executor *GPUTilesTest::executor = nullptr;
} // namespace

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

TEST_F(GPUTilesTest, Attention) {
  for (const char *batch : {"", "b", "bh"})
    for (const char *dynamic : {"", "n", "mn", "bmn"}) {
      AttentionSpec spec = makeSpec(batch);
      spec.dynamic = dynamic;
      expectRight(spec);
    }
}

TEST_F(GPUTilesTest, AttentionInNarrowTypes) {
  for (DType type : {DType::F16, DType::BF16}) {
    AttentionSpec spec = makeSpec();
    spec.type = spec.probType = spec.outType = type;
    InputRange range;
    range.score = 1;
    expectRight(spec, {}, range);
    spec.dynamic = "mn";
    expectRight(spec, {}, range);
  }
}

TEST_F(GPUTilesTest, AttentionOfSizesThatDivide) {
  AttentionSpec spec = makeSpec();
  spec.sizes['m'] = 8;
  spec.sizes['n'] = 16;
  expectRight(spec);
}

TEST_F(GPUTilesTest, AttentionInEveryForm) {
  for (ContractionForm form :
       {ContractionForm::Generic, ContractionForm::Named,
        ContractionForm::Contract, ContractionForm::BatchMatmul})
    for (SoftmaxForm softmax :
         {SoftmaxForm::Ext, SoftmaxForm::Named, SoftmaxForm::Chain}) {
      AttentionSpec spec = makeSpec();
      spec.qkForm = spec.pvForm = form;
      spec.softmaxForm = softmax;
      expectRight(spec);
    }
}

TEST_F(GPUTilesTest, Masks) {
  for (MaskForm mask : {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal,
                        MaskForm::Window, MaskForm::Prefix, MaskForm::Lengths})
    for (const char *dynamic : {"", "mn"}) {
      AttentionSpec spec = makeSpec();
      spec.mask = mask;
      spec.maskDims = mask == MaskForm::Lengths ? "b" : "bmn";
      spec.scale = 0.5;
      spec.dynamic = dynamic;
      expectRight(spec);
      if (mask == MaskForm::Additive || mask == MaskForm::Boolean) {
        InputRange range;
        range.masked = 0.9;
        spec.maskDims = "n";
        expectRight(spec, {}, range);
      }
    }
}

TEST_F(GPUTilesTest, GroupedQueries) {
  for (int64_t rows : {7, 1}) {
    AttentionSpec spec = makeSpec();
    spec.sizes['m'] = rows;
    spec.q = "bhgmd";
    spec.k = "bhnd";
    spec.v = "bhne";
    spec.scores = "bhgmn";
    spec.out = "bhgme";
    spec.qkForm = spec.pvForm = ContractionForm::BatchMatmul;
    expectRight(spec);
    spec.mask = MaskForm::Causal;
    expectRight(spec);
  }
}

TEST_F(GPUTilesTest, SequenceBeforeHeads) {
  AttentionSpec spec = makeSpec();
  spec.q = "bmhd";
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.out = "bmhe";
  // Whole tiles of rows: of a masked write around a dimension of one element
  // upstream's lowering for CPUs (22.1.8) makes invalid LLVM IR.
  spec.sizes['m'] = 8;
  expectRight(spec);
}

TEST_F(GPUTilesTest, SoftmaxAsRightOperand) {
  AttentionSpec spec = makeSpec();
  spec.pvSwapped = true;
  spec.v = "ben";
  spec.out = "bem";
  expectRight(spec);
}

TEST_F(GPUTilesTest, VectorsOfAMultiple) {
  Tiles tiles;
  tiles.multipleOf = 8;
  for (MaskForm mask : {MaskForm::None, MaskForm::Causal}) {
    AttentionSpec spec = makeSpec();
    spec.mask = mask;
    expectRight(spec, tiles);
    spec.dynamic = "mn";
    expectRight(spec, tiles);
  }
}

TEST_F(GPUTilesTest, PeeledLoops) {
  Tiles tiles;
  tiles.peel = true;
  for (MaskForm mask : {MaskForm::None, MaskForm::Causal})
    for (const char *dynamic : {"", "mn"}) {
      AttentionSpec spec = makeSpec();
      spec.mask = mask;
      spec.dynamic = dynamic;
      expectRight(spec, tiles);
    }
}

TEST_F(GPUTilesTest, WhatIsBeyondATileDoesNotCount) {
  // The rest of a tile holds scores of 0: they must not be the maximum.
  AttentionSpec spec = makeSpec();
  spec.scoresAreInput = true;
  AttentionGraph graph = buildAttention(context, spec);
  oracle::Random random(2);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  for (double &score : inputs[0].data)
    score = oracle::roundTo(score - 200, DType::F32);
  expectRight(*graph.module, inputs, graph.evaluate(inputs, 3), {},
              spec.describe());
}

TEST_F(GPUTilesTest, NaNStaysInItsRow) {
  for (int64_t row : {0, 6}) {
    AttentionGraph graph = buildAttention(context, makeSpec());
    oracle::Random random(3);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    inputs[0].at({1, row, 2}) = std::numeric_limits<double>::quiet_NaN();
    expectRight(*graph.module, inputs, graph.evaluate(inputs, 3), {},
                "NaN in row " + std::to_string(row));
  }
}

TEST_F(GPUTilesTest, NormsBeforeAMatmul) {
  for (SoftmaxForm form :
       {SoftmaxForm::Rms, SoftmaxForm::RmsInline, SoftmaxForm::LayerNorm}) {
    AttentionSpec spec = makeSpec();
    spec.softmaxForm = form;
    spec.scoresAreInput = true;
    expectRight(spec);
    spec.dynamic = "m";
    expectRight(spec);
  }
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static const char *const kMatmul = R"mlir(
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<?x21x$>, %b: tensor<21x13x$>, %bias: tensor<13xf32>)
    -> tensor<?x13xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x21x$>
  %empty = tensor.empty(%m) : tensor<?x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x13xf32>)
      -> tensor<?x13xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x21x$>, tensor<21x13x$>)
      outs(%zeros : tensor<?x13xf32>) -> tensor<?x13xf32>
  %r = linalg.generic {indexing_maps = [#id, #column, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<?x13xf32>, tensor<13xf32>)
      outs(%empty : tensor<?x13xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<?x13xf32>
  return %r : tensor<?x13xf32>
}
)mlir";

TEST_F(GPUTilesTest, MatmulWithEpilogue) {
  for (DType type : {DType::F32, DType::F16})
    for (int64_t rows : {1, 5, 8, 9}) {
      oracle::Random random(rows);
      Tensor a = oracle::random(random, {rows, 21}, -1, 1, type);
      Tensor b = oracle::random(random, {21, 13}, -1, 1, type);
      Tensor bias = oracle::random(random, {13}, -1, 1, DType::F32);
      Bounded sum = oracle::add(oracle::contract("mk,kn->mn", a, b, DType::F32),
                                "mn", bias, "n", DType::F32);
      Bounded want = oracle::apply(
          sum, DType::F32, 0, [](double x) { return std::max(x, 0.0); },
          [](double, double e) { return e; });
      OwningOpRef<ModuleOp> module =
          parse(kMatmul, type == DType::F32 ? "f32" : "f16");
      expectRight(*module, {a, b, bias}, {want}, {}, "matmul");
    }
}

static const char *const kTransposed = R"mlir(
func.func @main(%a: tensor<3x21x?xf32>, %b: tensor<3x13x21xf32>)
    -> tensor<3x?x13xf32> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c2 : tensor<3x21x?xf32>
  %at_empty = tensor.empty(%m) : tensor<3x?x21xf32>
  %at = linalg.transpose ins(%a : tensor<3x21x?xf32>)
      outs(%at_empty : tensor<3x?x21xf32>) permutation = [0, 2, 1]
  %bt_empty = tensor.empty() : tensor<3x21x13xf32>
  %bt = linalg.transpose ins(%b : tensor<3x13x21xf32>)
      outs(%bt_empty : tensor<3x21x13xf32>) permutation = [0, 2, 1]
  %empty = tensor.empty(%m) : tensor<3x?x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x?x13xf32>)
      -> tensor<3x?x13xf32>
  %c = linalg.batch_matmul ins(%at, %bt : tensor<3x?x21xf32>, tensor<3x21x13xf32>)
      outs(%zeros : tensor<3x?x13xf32>) -> tensor<3x?x13xf32>
  return %c : tensor<3x?x13xf32>
}
)mlir";

TEST_F(GPUTilesTest, BatchMatmulOfTransposedOperands) {
  oracle::Random random(4);
  Tensor a = oracle::random(random, {3, 21, 6}, -1, 1, DType::F32);
  Tensor b = oracle::random(random, {3, 13, 21}, -1, 1, DType::F32);
  OwningOpRef<ModuleOp> module = parse(kTransposed);
  expectRight(*module, {a, b},
              {oracle::contract("bkm,bnk->bmn", a, b, DType::F32)}, {},
              "transposed");
}

static const char *const kChain = R"mlir(
func.func @main(%a: tensor<?x21xf32>, %b: tensor<21x13xf32>,
                %c: tensor<13x17xf32>, %init: tensor<?x17xf32>)
    -> tensor<?x17xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x21xf32>
  %empty = tensor.empty(%m) : tensor<?x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x13xf32>)
      -> tensor<?x13xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<?x21xf32>, tensor<21x13xf32>)
      outs(%zeros : tensor<?x13xf32>) -> tensor<?x13xf32>
  %r = linalg.matmul ins(%ab, %c : tensor<?x13xf32>, tensor<13x17xf32>)
      outs(%init : tensor<?x17xf32>) -> tensor<?x17xf32>
  return %r : tensor<?x17xf32>
}
)mlir";

TEST_F(GPUTilesTest, TwoMatmuls) {
  oracle::Random random(5);
  Tensor a = oracle::random(random, {6, 21}, -1, 1, DType::F32);
  Tensor b = oracle::random(random, {21, 13}, -1, 1, DType::F32);
  Tensor c = oracle::random(random, {13, 17}, -1, 1, DType::F32);
  Tensor init = oracle::random(random, {6, 17}, -1, 1, DType::F32);
  Bounded ab = oracle::contract("mk,kn->mn", a, b, DType::F32);
  Bounded abc = oracle::contract("mk,kn->mn", ab, c, DType::F32);
  OwningOpRef<ModuleOp> module = parse(kChain);
  expectRight(*module, {a, b, c, init},
              {oracle::addInit(abc, init, DType::F32, 13)}, {}, "chain");
}

static const char *const kSoftmax = R"mlir(
func.func @main(%x: tensor<?x19xf32>) -> tensor<?x19xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x19xf32>
  %empty = tensor.empty(%m) : tensor<?x19xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<?x19xf32>)
      outs(%empty : tensor<?x19xf32>) -> tensor<?x19xf32>
  return %y : tensor<?x19xf32>
}
)mlir";

TEST_F(GPUTilesTest, SoftmaxOfRows) {
  // Whole rows, and rows that are too long for a tile.
  for (int64_t maxRow : {64, 8})
    for (int64_t rows : {1, 4, 6}) {
      oracle::Random random(6);
      Tensor x = oracle::random(random, {rows, 19}, -300, -100, DType::F32);
      Tiles tiles;
      tiles.maxRow = maxRow;
      OwningOpRef<ModuleOp> module = parse(kSoftmax);
      expectRight(*module, {x},
                  {oracle::softmax(x, 1, DType::F32, DType::F32, 3)}, tiles,
                  "softmax");
    }
}

static const char *const kSum = R"mlir(
func.func @main(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>)
      outs(%zeros : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}
)mlir";

TEST_F(GPUTilesTest, SumOfEverything) {
  for (int64_t size : {1, 64, 100}) {
    oracle::Random random(7);
    Tensor x = oracle::random(random, {size}, -1, 1, DType::F32);
    Tensor one({size}, 1.0);
    OwningOpRef<ModuleOp> module = parse(kSum);
    expectRight(*module, {x}, {oracle::contract("n,n->", x, one, DType::F32)},
                {}, "sum");
  }
}

// A table looked up by indices that are data; some rows of a tile do not exist.
static const char *const kEmbedding = R"mlir(
func.func @main(%table: tensor<11x?xf32>, %rows: tensor<?xi32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %rows, %c0 : tensor<?xi32>
  %n = tensor.dim %table, %c1 : tensor<11x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<?xi32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%row: i32, %o: f32):
    %i = arith.index_cast %row : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<11x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
)mlir";

TEST_F(GPUTilesTest, RowsOfATable) {
  oracle::Random random(8);
  Tensor table = oracle::random(random, {11, 13}, -1, 1, DType::F32);
  Tensor rows({6}, std::vector<double>{10, 0, 3, 3, 9, 1});
  Tensor want({6, 13});
  oracle::forEachIndex(want.shape, [&](const oracle::Index &index) {
    want.at(index) =
        table.at({static_cast<int64_t>(rows.data[index[0]]), index[1]});
  });
  OwningOpRef<ModuleOp> module = parse(kEmbedding);
  expectRight(*module, {table, rows}, {want}, {}, "embedding");
}

TEST_F(GPUTilesTest, NothingIsAllocatedOrCopiedInAWorkgroup) {
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (const char *text :
       {kMatmul, kTransposed, kChain, kSoftmax, kSum, kEmbedding})
    modules.push_back(parse(text));
  for (MaskForm mask : {MaskForm::None, MaskForm::Causal, MaskForm::Lengths})
    for (const char *dynamic : {"", "mn"}) {
      AttentionSpec spec = makeSpec();
      spec.mask = mask;
      spec.maskDims = "b";
      spec.dynamic = dynamic;
      modules.push_back(std::move(buildAttention(context, spec).module));
    }
  for (OwningOpRef<ModuleOp> &module : modules) {
    ToGPUTilesPipelineOptions options;
    options.rows = options.keys = options.columns = options.reduction = 8;
    PassManager passes(context);
    buildToGPUTilesPipeline(passes, options);
    ASSERT_TRUE(succeeded(runAndVerify(passes, *module)));
    unsigned numWorkgroups = 0;
    module->walk([&](scf::ForallOp forall) {
      ++numWorkgroups;
      EXPECT_EQ(forall->getNumResults(), 0u);
      forall->walk([&](Operation *op) {
        EXPECT_FALSE((isa<memref::AllocOp, memref::AllocaOp, memref::CopyOp,
                          linalg::LinalgOp>(op)))
            << print(*module);
      });
    });
    EXPECT_GT(numWorkgroups, 0u) << print(*module);
    // Nor is what a result is computed into.
    module->walk([&](memref::CopyOp op) { ADD_FAILURE() << print(*module); });
  }
}
