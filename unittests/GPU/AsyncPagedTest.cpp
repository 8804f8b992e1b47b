//===- AsyncPagedTest.cpp - Pages that are copied as boxes ----------------===//
//
// Attention to keys and values in pages, or packed, whose products are
// asynchronous: threads of their own look the pages up and copy each as boxes,
// and threads that compute write zeros behind the end of a sequence. If pages have
// other than a multiple of 4 rows, all threads of the role copy 16 bytes at a time.
// Rows that no sequence has are NaN, and entries behind lengths, and some before,
// name no page.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"
#include "Mutations.h"
#include "Support/Paged.h"

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class AsyncPagedTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t rows = 0, int64_t keys = 0) {
    GPUOptions options;
    options.rows = rows;
    options.columns = options.reduction = 0;
    options.keys = keys;
    options.threads = 128;
    options.chip = "sm_90a";
    options.asyncProducts = options.roles = "true";
    return options;
  }

  /// Prefill of `queries` rows for each of two query heads, of one key head.
  static PagedSpec makeSpec(int64_t pageSize, int64_t keys) {
    PagedSpec spec;
    spec.type = DType::F16;
    spec.kvHeads = 1;
    spec.queries = 70;
    spec.pageSize = pageSize;
    spec.keys = keys;
    spec.entries = (keys + pageSize - 1) / pageSize;
    spec.lengths = {keys, pageSize + 1, 0};
    spec.dim = spec.columns = 64;
    spec.isDynamic = spec.hasStaticRows = spec.narrowsWeights = true;
    return spec;
  }

  static bool has(const GPUOutcome &outcome, const char *text) {
    return outcome.kernels.find(text) != std::string::npos;
  }

  static bool isAsynchronous(const GPUOutcome &outcome) {
    return has(outcome, "vector_ext.async_mma") &&
           has(outcome, "nvgpu.tma.async.load") &&
           has(outcome, "nvvm.setmaxregister") &&
           !has(outcome, "nvgpu.mma.sync");
  }

  static GPUOutcome check(const PagedSpec &spec,
                          const GPUOptions &options = makeOptions(),
                          bool mustBeAsync = true) {
    SCOPED_TRACE(spec.describe());
    Random random(spec.pageSize);
    PagedProgram program(spec, random);
    GPUOutcome outcome =
        GPUTest::check(program.getAttention(), options, program.getInputs(),
                       {program.evaluateAttention(spec.keys)});
    EXPECT_EQ(isAsynchronous(outcome), mustBeAsync) << outcome.remarks;
    return outcome;
  }
};
} // namespace

// Tiles of keys are several pages, one, or a part of one.
TEST_F(AsyncPagedTest, PageSizes) {
  for (int64_t size : {1, 2, 3, 4, 8, 12, 16, 24, 48, 64, 128, 256}) {
    PagedSpec spec = makeSpec(size, size <= 64 ? 150 : 2 * size + 10);
    spec.headsFirst = size % 16 != 0 || size == 64;
    spec.kvHeads = size == 16 ? 2 : 1;
    GPUOutcome outcome = check(spec);
    EXPECT_EQ(has(outcome, "nvgpu.device_async_copy"), size % 2 != 0);
    EXPECT_EQ(has(outcome, "cp.async.mbarrier.arrive"), size % 2 != 0);
  }
}

// Pages of which only the program knows the number of rows. If it is a multiple of
// 16, a version of the kernel copies boxes; another one is for pages of one row.
TEST_F(AsyncPagedTest, UnknownPageSize) {
  for (int64_t size : {1, 5, 16, 48}) {
    PagedSpec spec = makeSpec(size, 150);
    spec.hasStaticRows = false;
    check(spec, makeOptions(), /*mustBeAsync=*/false);
  }
}

// Loops of whole tiles, and of tiles with masks: the last query is the last key.
TEST_F(AsyncPagedTest, Causal) {
  for (int64_t size : {1, 16, 64, 128}) {
    PagedSpec spec = makeSpec(size, 400);
    spec.isCausal = true;
    spec.queries = 130;
    spec.group = 1;
    spec.lengths = {400, 131, size, 0};
    spec.headsFirst = size == 128;
    check(spec);
  }
}

// Workgroups that compute several tiles: rings go on counting.
TEST_F(AsyncPagedTest, Persistent) {
  for (int64_t size : {2, 16}) {
    PagedSpec spec = makeSpec(size, 200);
    spec.isCausal = true;
    spec.lengths = {200, 75, 0};
    GPUOptions options = makeOptions();
    options.persistentKernels = "true";
    options.processors = 1;
    EXPECT_TRUE(has(check(spec, options), "persist = "));
  }
}

// Lengths at the ends of pages, and tables that are too short.
TEST_F(AsyncPagedTest, LengthsAroundPages) {
  for (int64_t size : {4, 32}) {
    PagedSpec spec = makeSpec(size, 200);
    spec.group = 1;
    spec.lengths = {31, 32, 33, 64, 95, 0, 200};
    spec.entries = 160 / size;
    spec.nullChance = 0.3;
    check(spec);
    spec.hasLengths = false;
    check(spec);
  }
}

// One list of the pages of all sequences, and sequences behind each other.
TEST_F(AsyncPagedTest, OtherForms) {
  for (PagedForm form : {PagedForm::FlatTable, PagedForm::Packed})
    for (bool headsFirst : {false, true}) {
      PagedSpec spec = makeSpec(16, 150);
      spec.form = form;
      spec.headsFirst = headsFirst;
      check(spec);
    }
}

// Entries of 64 bits of which the lower 32 name a page.
TEST_F(AsyncPagedTest, WideEntries) {
  PagedSpec spec = makeSpec(16, 150);
  spec.nullChance = 0.4;
  Random random(1);
  PagedProgram program(spec, random);
  std::string text = program.getAttention();
  for (std::string from : {"_table: tensor<?x?xi32>", "_table : tensor<?x?xi32>"})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at + from.size() - 4, 3, "i64");
  std::vector<Tensor> inputs = program.getInputs();
  for (size_t i : {4, 6})
    for (double &entry : inputs[i].data)
      if (entry < 0)
        entry = 4294967296.0;
  GPUOutcome outcome = GPUTest::check(
      text, makeOptions(), inputs, {program.evaluateAttention(spec.keys)});
  EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
}

// Every barrier, copy, wait, arrival and fence does something: where one thread
// copies, where two share the pages of a tile, and where all threads of the role do.
TEST_F(AsyncPagedTest, MutationsAreFound) {
  for (int64_t size : {16, 8, 1}) {
    // All threads of the role copy: 16 bytes each are a tile of 64 keys.
    int64_t tile = size == 1 ? 64 : 16;
    // The loop of whole tiles and that of others have more tiles than slots.
    PagedSpec spec = makeSpec(size, 13 * tile);
    spec.isCausal = true;
    spec.group = 1;
    spec.queries = 8 * tile;
    spec.dim = spec.columns = 16;
    spec.lengths = {13 * tile - 7};
    spec.nullChance = spec.sharedChance = 0;
    GPUOptions options = makeOptions(128, tile);
    options.stages = 2;
    // A workgroup of one tile would not fill all slots.
    options.persistentKernels = "false";
    Random random(3);
    PagedProgram program(spec, random);
    std::vector<Tensor> inputs = program.getInputs();
    oracle::Bounded want = program.evaluateAttention(spec.keys);
    GPUOutcome outcome =
        GPUTest::check(program.getAttention(), options, inputs, {want});
    ASSERT_TRUE(outcome.ok());
    ASSERT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    EXPECT_EQ(has(outcome, "cp.async.mbarrier.arrive"), size == 1)
        << outcome.kernels;
    EXPECT_GE(checkMutations(*outcome.device, inputs, want.value, 0.02), 30);
  }
}
