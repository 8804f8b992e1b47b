//===- PagedTest.cpp - Paged attention, executed --------------------------===//
//
// Gathers of paged and packed sequences, and attention to them: as written,
// fused in random tiles, through linalg-ext-to-llvm, and as GPU kernels in the
// interpreter, which reports reads outside of a buffer. The reference is dense
// and in f64 (Support/Paged.h).
//
// LINALG_EXT_PAGED_CASES asks for more cases, LINALG_EXT_PAGED_SEED for others.
//
//===----------------------------------------------------------------------===//

#include "PagedFixture.h"
#include "Support/Paged.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class PagedTest : public PagedFixture {
protected:
  /// Levels with random tiles of all dimensions of the root but the columns.
  static Levels drawLevels(const PagedSpec &spec, oracle::Random &random) {
    Levels levels(2);
    levels[0].kind = random.pick<LoopKind>({LoopKind::For, LoopKind::Forall});
    auto &rows = levels[0].tileSizes, &keys = levels[1].tileSizes;
    for (int64_t size :
         {spec.batch(), spec.kvHeads, spec.group, spec.queries, spec.columns})
      rows.push_back(random.integer(0, size));
    rows[0] = 1;
    keys.assign(5, 0);
    keys.push_back(random.pick<int64_t>({1, 3, spec.pageSize, spec.pageSize + 1,
                                         2 * spec.pageSize,
                                         random.integer(1, spec.keys)}));
    return levels;
  }

  static void expectFused(const PagedSpec &spec, const PagedProgram &program,
                          oracle::Random &random) {
    OwningOpRef<ModuleOp> module = parse(program.getAttention());
    Operation *root = nullptr;
    module->walk([&](Operation *op) {
      if (op->hasAttr(LinalgExtDialect::getRootAttrName()))
        root = op;
    });
    ASSERT_TRUE(root);
    Levels levels = drawLevels(spec, random);
    Form form = random.pick<Form>({Form::Eager, Form::Delayed});
    FusionOutcome outcome = fuseAndRun(
        *module, root, makeOptions(levels, form), program.getInputs(),
        [&] {
          return std::vector<Bounded>{program.evaluateAttention(
              countSteps(spec.keys, /*loop=*/5, levels))};
        },
        *executor, /*cleanUp=*/random.chance(0.5),
        /*tighten=*/random.chance(0.5));
    EXPECT_TRUE(outcome.isRight())
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
    EXPECT_LT(outcome.looseness, 1) << "the bounds accept any result";
  }

  static void expectGathers(const PagedProgram &program) {
    std::string text = program.getGathers();
    std::vector<Bounded> want = {program.getKeys(), program.getValues()};
    expectNear(runUntiled(text, program.getInputs()), want);
    expectNear(runToLLVM(text, program.getInputs()), want);
  }

  static void expectAttention(const PagedSpec &spec,
                              const PagedProgram &program,
                              oracle::Random &random) {
    std::string text = program.getAttention();
    std::vector<Tensor> inputs = program.getInputs();
    expectNear(runUntiled(text, inputs), {program.evaluateAttention(1)});
    expectFused(spec, program, random);
    // The pipeline chooses the tiles: at most one for each key.
    expectNear(runToLLVM(text, inputs), {program.evaluateAttention(spec.keys)});
  }
};
} // namespace

TEST_F(PagedTest, Random) {
  int64_t seed = oracle::getEnvironmentNumber("LINALG_EXT_PAGED_SEED", 1);
  int64_t cases = oracle::getEnvironmentNumber("LINALG_EXT_PAGED_CASES", 40);
  for (int64_t i = 0; i < cases && !HasFailure(); ++i) {
    oracle::Random random(seed * 1000003 + i);
    PagedSpec spec = drawPagedSpec(random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + spec.describe());
    PagedProgram program(spec, random);
    expectGathers(program);
    expectAttention(spec, program, random);
  }
}

// Lengths at the ends of pages, for every form.

TEST_F(PagedTest, LengthsAroundPages) {
  for (PagedForm form :
       {PagedForm::Pages, PagedForm::FlatTable, PagedForm::Packed})
    for (int64_t size : {1, 2, 3, 16, 64, 128}) {
      PagedSpec spec;
      spec.form = form;
      spec.pageSize = size;
      spec.keys = 2 * size + 3;
      spec.entries = (spec.keys + size - 1) / size;
      spec.lengths = {0, 1, size - 1, size, size + 1, 2 * size + 1};
      spec.isDynamic = size % 2 != 0;
      SCOPED_TRACE(spec.describe());
      oracle::Random random(size);
      PagedProgram program(spec, random);
      expectGathers(program);
      expectAttention(spec, program, random);
    }
}

// In decode, heads that are neighbours in a page read a tile of keys in turn: 6 and 5
// of 11. Tiles of keys are whole ones and parts.
TEST_F(PagedTest, HeadsInTurn) {
  for (int64_t size : {1, 3, 4, 16})
    for (bool isHalf : {false, true}) {
      PagedSpec spec;
      spec.type = isHalf ? oracle::DType::F16 : oracle::DType::F32;
      spec.kvHeads = 11;
      spec.queries = 1;
      spec.dim = spec.columns = 32;
      spec.pageSize = size;
      spec.keys = 600;
      spec.entries = (spec.keys + size - 1) / size;
      spec.lengths = {600, 513, 0, 256, 17};
      spec.headsFirst = size == 4;
      spec.isDynamic = spec.hasStaticRows = size != 3;
      spec.narrowsWeights = isHalf;
      SCOPED_TRACE(spec.describe());
      oracle::Random random(size);
      PagedProgram program(spec, random);
      expectAttention(spec, program, random);
    }
}

// Decode from small pages reads the rows of a tile in place, by a list, where
// all of them exist, and copies them where a page is missing or the sequence
// ends. Rows are odd numbers of elements.
TEST_F(PagedTest, ListedRows) {
  struct Case {
    PagedForm form;
    int64_t size, heads, group, dim;
    bool isHalf, headsFirst;
    double nullChance;
  };
  const Case cases[] = {{PagedForm::Pages, 1, 3, 4, 40, false, true, 0},
                        {PagedForm::Pages, 1, 5, 1, 32, true, false, 0},
                        {PagedForm::Pages, 2, 1, 4, 33, true, false, 0},
                        {PagedForm::FlatTable, 3, 3, 4, 48, true, true, 0},
                        {PagedForm::Pages, 5, 2, 3, 64, false, false, 0.001},
                        {PagedForm::FlatTable, 7, 4, 2, 24, true, true, 0.002}};
  for (const Case &c : cases) {
    PagedSpec spec;
    spec.form = c.form;
    spec.type = c.isHalf ? oracle::DType::F16 : oracle::DType::F32;
    spec.kvHeads = c.heads;
    spec.group = c.group;
    spec.queries = 1;
    spec.dim = spec.columns = c.dim;
    spec.pageSize = c.size;
    spec.keys = 1100;
    spec.entries = (spec.keys + c.size - 1) / c.size;
    spec.lengths = {1100, 1024, 513, 0, 3};
    spec.headsFirst = c.headsFirst;
    spec.narrowsWeights = c.isHalf;
    spec.nullChance = c.nullChance;
    SCOPED_TRACE(spec.describe());
    oracle::Random random(c.size);
    PagedProgram program(spec, random);
    expectNear(runToLLVM(program.getAttention(), program.getInputs()),
               {program.evaluateAttention(spec.keys)});
  }
}

TEST_F(PagedTest, OnGPU) {
  for (int64_t i = 0; i < 8 && !HasFailure(); ++i) {
    oracle::Random random(i);
    PagedSpec spec = drawPagedSpec(random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + spec.describe());
    PagedProgram program(spec, random);
    std::vector<Tensor> inputs = program.getInputs();
    expectOnGPU(program.getGathers(), inputs,
                {program.getKeys(), program.getValues()});
    expectOnGPU(program.getAttention(), inputs,
                {program.evaluateAttention(spec.keys)});
  }
}

// Workgroups behind the ends of all sequences multiply nothing, and those in
// front of them as many tiles as the lengths have: one query, and many, whose
// last one is the last key.

TEST_F(PagedTest, WorkEndsWithLengths) {
  using mlir::linalg_ext::simt::KernelStatistics;
  for (int64_t queries : {1, 64}) {
    auto run = [&](std::vector<int64_t> lengths) {
      PagedSpec spec;
      spec.type = oracle::DType::F16;
      spec.pageSize = 16;
      spec.kvHeads = 1;
      spec.group = 1;
      spec.keys = 320;
      spec.entries = spec.keys / spec.pageSize;
      spec.lengths = std::move(lengths);
      spec.queries = queries;
      spec.dim = spec.columns = 64;
      spec.isDynamic = spec.hasStaticRows = true;
      spec.nullChance = spec.sharedChance = 0;
      spec.narrowsWeights = true;
      SCOPED_TRACE(spec.describe());
      oracle::Random random(queries);
      PagedProgram program(spec, random);
      KernelStatistics statistics;
      expectOnGPU(program.getAttention(), program.getInputs(),
                  {program.evaluateAttention(spec.keys)}, nullptr, std::nullopt,
                  queries == 1 ? "" : "sm_90a", &statistics);
      return statistics;
    };
    KernelStatistics none = run({0, 0, 0}), one = run({64, 0, 0}),
                     several = run({256, 0, 65});
    // Those of 64 keys, or of 128: 4 + 2, or 2 + 1.
    int64_t tiles = queries == 1 ? 6 : 3;
    EXPECT_EQ(none.mmas + none.wgmmas, 0);
    EXPECT_GT(one.mmas + one.wgmmas, 0);
    EXPECT_EQ(several.mmas, tiles * one.mmas);
    EXPECT_EQ(several.wgmmas, tiles * one.wgmmas);
    // Queries are copied in any case.
    EXPECT_EQ(several.boxCopies - none.boxCopies,
              tiles * (one.boxCopies - none.boxCopies));
  }
}

// Every page size, with rows that are copied 16 bytes at a time.

TEST_F(PagedTest, PageSizesOnGPU) {
  for (PagedForm form :
       {PagedForm::Pages, PagedForm::FlatTable, PagedForm::Packed})
    for (int64_t size : {1, 2, 3, 16, 64, 128}) {
      if ((form == PagedForm::FlatTable && size % 3 != 0) ||
          (form == PagedForm::Packed && size != 16))
        continue;
      PagedSpec spec;
      spec.form = form;
      spec.type = oracle::DType::F16;
      spec.pageSize = size;
      spec.keys = 150;
      spec.entries = (spec.keys + size - 1) / size;
      spec.lengths = {150, size + 1, 0};
      spec.group = 4;
      spec.queries = size == 16 ? 20 : 1;
      spec.dim = 16;
      spec.columns = 32;
      spec.headsFirst = size == 2 || size == 64;
      spec.isDynamic = size == 3 && form == PagedForm::Pages;
      SCOPED_TRACE(spec.describe());
      oracle::Random random(size);
      PagedProgram program(spec, random);
      expectOnGPU(program.getAttention(), program.getInputs(),
                  {program.evaluateAttention(spec.keys)});
    }
}

namespace {
/// A cache of pages of 16 rows of 2 heads of 64, for examples/paged. The last
/// row of each sequence is not in it yet.
struct DecodeCache {
  static constexpr int64_t kEntries = 3, kRows = 16, kHeads = 2, kDim = 64;

  DecodeCache(const std::vector<int64_t> &lengths, oracle::Random &random)
      : batch(static_cast<int64_t>(lengths.size())),
        pool({batch * kEntries, kRows, kHeads, kDim},
             std::numeric_limits<double>::quiet_NaN()),
        table({batch, kEntries}, -1), rows({batch, kHeads, kDim}),
        dense({batch, kHeads, kEntries * kRows, kDim}) {
    std::vector<int64_t> free(batch * kEntries);
    std::iota(free.begin(), free.end(), 0);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t s = 0; s < lengths[b]; ++s) {
        if (s % kRows == 0) {
          std::swap(free.back(), free[random.integer(0, free.size() - 1)]);
          table.at({b, s / kRows}) = static_cast<double>(free.back());
          free.pop_back();
        }
        for (int64_t h = 0; h < kHeads; ++h)
          for (int64_t d = 0; d < kDim; ++d) {
            double x =
                oracle::roundTo(random.uniform(-1, 1), oracle::DType::F32);
            dense.at({b, h, s, d}) = x;
            if (s + 1 < lengths[b])
              at(pool, b, h, s, d) = x;
            else
              rows.at({b, h, d}) = x;
          }
      }
  }

  double &at(Tensor &from, int64_t b, int64_t h, int64_t s, int64_t d) const {
    int64_t page = static_cast<int64_t>(table.at({b, s / kRows}));
    return from.at({page, s % kRows, h, d});
  }

  /// The pool with the last rows.
  Tensor getAppended(const std::vector<int64_t> &lengths) const {
    Tensor result = pool;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < kHeads && lengths[b] > 0; ++h)
        for (int64_t d = 0; d < kDim; ++d)
          at(result, b, h, lengths[b] - 1, d) = rows.at({b, h, d});
    return result;
  }

  int64_t batch;
  Tensor pool, table, rows, dense;
};
} // namespace

// Pages through descriptors of buffers. Entries are looked up once for each
// subgroup, which the interpreter checks (rocdl.readfirstlane), or for each
// lane, where pages are too small. Lengths, pages that do not exist and entries
// that are poison read zeros, and no address.

TEST_F(PagedTest, PagesOnAMD) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200"})
    for (PagedForm form :
         {PagedForm::Pages, PagedForm::FlatTable, PagedForm::Packed})
      for (int64_t size : {1, 16, 64, 128}) {
        // One chip of 64 lanes has all; the others have what differs.
        bool isFirst = chip == std::string("gfx942");
        if ((form != PagedForm::Pages && (size != 16 || !isFirst)) ||
            (size != 16 && !isFirst))
          continue;
        PagedSpec spec;
        spec.form = form;
        spec.type = oracle::DType::F16;
        spec.pageSize = size;
        spec.keys = 150;
        spec.entries = (spec.keys + size - 1) / size;
        spec.lengths = {150, size + 1, 0};
        spec.group = 4;
        spec.queries = 5;
        spec.dim = 64;
        spec.columns = 64;
        spec.headsFirst = size == 64;
        SCOPED_TRACE(std::string(chip) + " " + spec.describe());
        oracle::Random random(size);
        PagedProgram program(spec, random);
        simt::KernelStatistics statistics;
        expectOnGPU(program.getAttention(), program.getInputs(),
                    {program.evaluateAttention(spec.keys)}, nullptr,
                    std::nullopt, chip, &statistics);
        EXPECT_GT(statistics.mmas, 0);
        if (size > 1)
          EXPECT_GT(statistics.bufferLoads, 0);
      }
}

// Tiles of pages that gfx950 copies to LDS without registers, each page with a
// descriptor of its own, and reads transposed where that is needed: with pages
// that do not exist, that are partly used, and in an order that nobody expects.
// So are those of the last keys, of sizes that no tile divides.

TEST_F(PagedTest, PagesCopiedByLanes) {
  struct Case {
    int64_t pageSize, dim, keys, queries;
    bool headsFirst;
  };
  for (const Case &each : std::vector<Case>{{16, 64, 128, 1, false},
                                            {16, 128, 128, 20, true},
                                            {64, 128, 128, 20, true},
                                            {64, 128, 72, 20, true},
                                            {16, 128, 72, 1, true}}) {
    PagedSpec spec;
    spec.type = oracle::DType::F16;
    spec.pageSize = each.pageSize;
    spec.keys = each.keys;
    spec.entries = (spec.keys + spec.pageSize - 1) / spec.pageSize;
    spec.lengths = {spec.keys, spec.pageSize + 1, 0};
    spec.group = 4;
    spec.queries = each.queries;
    spec.dim = spec.columns = each.dim;
    spec.headsFirst = each.headsFirst;
    SCOPED_TRACE(spec.describe());
    oracle::Random random(each.pageSize + each.dim);
    PagedProgram program(spec, random);
    simt::KernelStatistics statistics;
    expectOnGPU(program.getAttention(), program.getInputs(),
                {program.evaluateAttention(spec.keys)}, nullptr, std::nullopt,
                "gfx950", &statistics, /*copiesTiles=*/true);
    EXPECT_GT(statistics.mmas, 0);
    EXPECT_GT(statistics.asyncCopies, 0);
  }
}

/// The elements of `got` that are not those of `want`, of which some are NaN.
static int64_t countDifferences(const Tensor &got, const Tensor &want) {
  return llvm::count_if(llvm::zip_equal(got.data, want.data), [](auto pair) {
    auto [lhs, rhs] = pair;
    return lhs != rhs && !(std::isnan(lhs) && std::isnan(rhs));
  });
}

// The example appends a row to each sequence, in place, and attends to it; on
// CPUs and GPUs. A sequence of length 0 has no row, and no page.

TEST_F(PagedTest, AppendAndAttend) {
  std::ifstream file(LINALG_EXT_EXAMPLES "/paged/decode.mlir");
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  size_t name = text.find("@decode(");
  ASSERT_NE(name, std::string::npos);
  text.replace(name, 8, "@main(");
  const std::vector<int64_t> lengths = {1, 16, 0, 17, 48};
  oracle::Random random(1);
  DecodeCache keys(lengths, random), values(lengths, random);
  int64_t batch = keys.batch, numKeys = keys.dense.shape[2];
  Tensor query =
      oracle::random(random, {batch, 2, 4, 64}, -2, 2, oracle::DType::F32);
  Tensor scaled = query, counts({batch}), exists({batch, numKeys});
  for (double &x : scaled.data)
    x *= 0.125;
  for (int64_t b = 0; b < batch; ++b) {
    counts.at({b}) = static_cast<double>(lengths[b]);
    for (int64_t s = 0; s < lengths[b]; ++s)
      exists.at({b, s}) = 1;
  }
  Bounded scores =
      oracle::maskOut(oracle::contract("bhgd,bhnd->bhgn", scaled, keys.dense,
                                       oracle::DType::F32),
                      "bhgn", exists, "bn");
  Bounded want =
      oracle::contract("bhgn,bhnd->bhgd",
                       oracle::softmax(scores, /*dim=*/3, oracle::DType::F32,
                                       oracle::DType::F32, numKeys),
                       values.dense, oracle::DType::F32, /*repairs=*/numKeys);
  std::vector<Tensor> inputs = {query,        keys.rows,  values.rows,
                                keys.pool,    keys.table, values.pool,
                                values.table, counts};
  auto expectAppended = [&](const std::vector<Tensor> &after) {
    EXPECT_EQ(countDifferences(after[3], keys.getAppended(lengths)), 0);
    EXPECT_EQ(countDifferences(after[5], values.getAppended(lengths)), 0);
  };
  Execution run = runToLLVM(text, inputs);
  expectNear(run, {want});
  ASSERT_TRUE(run.ok());
  {
    SCOPED_TRACE("CPU");
    expectAppended(run.inputs);
  }
  expectOnGPU(text, inputs, {want}, expectAppended);
}

// Sizes with which contractions read pages in place: decode and prefill, tiles
// of keys below, at and above the size of a page, ends in a page, missing
// pages.

TEST_F(PagedTest, PagesInPlace) {
  for (PagedForm form :
       {PagedForm::Pages, PagedForm::FlatTable, PagedForm::Packed})
    for (int64_t size : {8, 16, 24, 256})
      for (auto [group, queries] :
           std::vector<std::pair<int64_t, int64_t>>{{4, 1}, {1, 24}}) {
        PagedSpec spec;
        spec.form = form;
        spec.type = size == 16 ? oracle::DType::F16 : oracle::DType::F32;
        spec.pageSize = size;
        spec.kvHeads = 1;
        spec.keys = 160;
        spec.entries = (spec.keys + size - 1) / size;
        spec.lengths = {160, 75, 3 * size};
        spec.group = group;
        spec.queries = queries;
        spec.dim = 16;
        spec.columns = 8;
        spec.headsFirst = size == 24;
        spec.nullChance = 0.2;
        SCOPED_TRACE(spec.describe());
        oracle::Random random(size);
        PagedProgram program(spec, random);
        expectNear(runToLLVM(program.getAttention(), program.getInputs()),
                   {program.evaluateAttention(spec.keys)});
      }
}

// Tiles that begin in the middle of a page end in the next one.

TEST_F(PagedTest, TilesAcrossPages) {
  for (int64_t offset : {0, 5, 16, 31}) {
    std::string text = R"(
func.func @main(%pool: tensor<6x16x8xf32>, %table: tensor<6xi32>, %w: tensor<8x64xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %at = arith.constant )" +
                       std::to_string(offset) + R"( : index
  %e = tensor.empty() : tensor<64x8xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<6x16x8xf32>) table(%table : tensor<6xi32>) offset(%at)
      outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %oe = tensor.empty() : tensor<8x8xf32>
  %o = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<8x64xf32>, tensor<64x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
})";
    oracle::Random random(offset);
    Tensor pool = oracle::random(random, {6, 16, 8}, -1, 1, oracle::DType::F32);
    Tensor w = oracle::random(random, {8, 64}, -1, 1, oracle::DType::F32);
    Tensor table({6}, std::vector<double>{4, 0, 5, -1, 2, 1}), rows({64, 8});
    for (int64_t i = 0; i < 64; ++i)
      for (int64_t d = 0; d < 8; ++d)
        if (double page = table.data[(offset + i) / 16]; page >= 0)
          rows.at({i, d}) =
              pool.at({static_cast<int64_t>(page), (offset + i) % 16, d});
    Bounded want =
        oracle::contract("mn,nd->md", w, rows, oracle::DType::F32, 64);
    expectNear(runUntiled(text, {pool, table, w}), {want});
    expectNear(runToLLVM(text, {pool, table, w}), {want});
  }
}

// Nothing exists: no page, no entry, or pages without rows. Nothing is read,
// and all is 0.

TEST_F(PagedTest, NothingExists) {
  const std::string text = R"(
func.func @main(%pool: tensor<?x?x2xf32>, %table: tensor<1x?xi32>) -> tensor<1x5x2xf32> {
  %e = tensor.empty() : tensor<1x5x2xf32>
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x?x2xf32>) table(%table : tensor<1x?xi32>)
      outs(%e : tensor<1x5x2xf32>) -> tensor<1x5x2xf32>
  return %0 : tensor<1x5x2xf32>
})";
  const std::vector<Bounded> zeros = {Tensor({1, 5, 2})};
  for (oracle::Shape pool : {oracle::Shape{0, 4, 2}, {3, 0, 2}, {3, 4, 2}})
    for (int64_t entries : {0, 2}) {
      if (pool[0] * pool[1] * entries != 0)
        continue;
      std::vector<Tensor> inputs = {Tensor(pool, 1), Tensor({1, entries})};
      expectNear(runUntiled(text, inputs), zeros);
      expectNear(runToLLVM(text, inputs), zeros);
      expectOnGPU(text, inputs, zeros);
    }
}

// Tables of i64 and index, and positions that begin in a page or before the
// sequence.

TEST_F(PagedTest, Offsets) {
  for (std::string type : {"i32", "i64"})
    for (int64_t offset : {-3, 0, 1, 4, 5, 11}) {
      std::string text = "func.func @main(%pool: tensor<3x4xf32>, %table: "
                         "tensor<2x" +
                         type + R"(>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %at = arith.constant )" +
                         std::to_string(offset) + R"( : index
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0]
      pool(%pool : tensor<3x4xf32>) table(%table : tensor<2x)" +
                         type +
                         R"(>) offset(%at)
      outs(%e : tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
})";
      Tensor pool({3, 4});
      for (int64_t i = 0; i < pool.size(); ++i)
        pool.data[i] = static_cast<double>(i + 1);
      Tensor table({2}, std::vector<double>{2, 0}), want({6});
      for (int64_t i = 0; i < 6; ++i)
        if (int64_t s = offset + i; s >= 0 && s < 8)
          want.data[i] = pool.at({s < 4 ? 2 : 0, s % 4});
      expectNear(runUntiled(text, {pool, table}), {want});
      expectNear(runToLLVM(text, {pool, table}), {want});
    }
}
