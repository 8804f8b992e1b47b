//===- PagedVariantsTest.cpp - What is done with paged sequences ----------===//
//
// Attention to pages in the forms that serving systems have: windows, prompts
// behind a prefix, shared prefixes, one cache for keys and values, scaled
// integers, blocks that a table lists, packed queries and results. None of them
// has code of its own, so each has to fuse. Then the stores: linalg_ext.store_rows
// in all forms. The references are dense and in f64.
//
//===----------------------------------------------------------------------===//

#include "PagedFixture.h"
#include "Support/Paged.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

namespace {
class PagedVariantsTest : public PagedFixture {};

/// The spec of a cache of f16 for `text`, in pages of `rows`, all of which exist.
PagedSpec makeSpec(const AttentionText &text,
                   const std::vector<int64_t> &lengths, int64_t entries,
                   int64_t rows) {
  PagedSpec spec;
  spec.type = DType::F16;
  spec.kvHeads = text.heads;
  spec.lengths = lengths;
  spec.entries = entries;
  spec.pageSize = rows;
  spec.keys = entries * rows;
  spec.nullChance = spec.sharedChance = 0;
  return spec;
}

/// The text of a gather of %`name`, [b, heads, n, columns], from pages of
/// %`name`_pool, [pages, rows, heads, columns], and its parameters.
struct PagesText {
  std::string name;
  int64_t heads, rows, columns;
  std::string element = "f16";

  std::string getPool() const {
    return "tensor<?x" + std::to_string(rows) + "x" + std::to_string(heads) +
           "x" + std::to_string(columns) + "x" + element + ">";
  }
  std::string getParameters() const {
    return "%" + name + "_pool: " + getPool() + ", %" + name +
           "_table: tensor<?x?xi32>";
  }
  std::string get() const {
    AttentionText types;
    types.heads = heads;
    types.element = element;
    GatherText gather{name, getPool(), "-1, 2, 1, 3", types.getCache(columns),
                      "%b, %" + name + "_n",
                      " table(%" + name + "_table : tensor<?x?xi32>)"};
    return "%" + name + "_rows = arith.constant " + std::to_string(rows) +
           " : index\n%" + name + "_entries = tensor.dim %" + name +
           "_table, %c1 : tensor<?x?xi32>\n%" + name + "_n = arith.muli %" +
           name + "_entries, %" + name + "_rows : index\n" + gather.get();
  }
};
} // namespace

/// Attention in f64, and how far a program in f16 may be from it.
static Bounded attend(const Tensor &q, const Bounded &k, const Bounded &v,
                      const Visible &isVisible) {
  return linalg_ext_test::attend(q, k, v, isVisible, DType::F16,
                                 /*steps=*/k.value.shape[2]);
}

static Tensor drawQuery(const AttentionText &text, int64_t batch,
                        int64_t queries, oracle::Random &random) {
  return oracle::random(random,
                        {batch, text.heads, text.group, queries, text.depth},
                        -2, 2, DType::F16);
}

static Tensor toTensor(const std::vector<int64_t> &values) {
  Tensor tensor({static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.data[i] = static_cast<double>(values[i]);
  return tensor;
}

/// Queries are the last ones of their sequence, or see a window.

TEST_F(PagedVariantsTest, MasksOnPages) {
  const char *prefix = R"(
%first = arith.subi %end, %m : index
%at = arith.addi %i, %first : index
%below = arith.cmpi sle, %j, %at : index
%inside = arith.cmpi slt, %j, %end : index
%ofprefix = arith.andi %below, %inside : i1
)";
  const std::string masks[] = {
      std::string(prefix) + "%visible = arith.andi %ofprefix, %inside : i1\n",
      std::string(prefix) + R"(
%seven = arith.constant 7 : index
%start = arith.subi %at, %seven : index
%near = arith.cmpi sgt, %j, %start : index
%visible = arith.andi %ofprefix, %near : i1
)"};
  const std::vector<int64_t> lengths = {70, 33, 0};
  for (auto [rows, queries] :
       std::vector<std::pair<int64_t, int64_t>>{{3, 21}, {16, 1}})
    for (auto [number, mask] : llvm::enumerate(masks)) {
      SCOPED_TRACE("rows " + std::to_string(rows) + ", mask " +
                   std::to_string(number) + ", queries " +
                   std::to_string(queries));
      AttentionText text;
      text.heads = 1;
      text.mask = mask;
      for (std::string name : {"k", "v"}) {
        PagesText pages{name, text.heads, rows, 16};
        text.parameters += (name == "k" ? "" : ", ") + pages.getParameters();
        text.body += pages.get();
      }
      oracle::Random random(rows + queries);
      int64_t entries = (70 + rows - 1) / rows;
      PagedSpec spec = makeSpec(text, lengths, entries, rows);
      PagedCache keys = drawPagedCache(spec, 16, random),
                 values = drawPagedCache(spec, 16, random);
      Tensor q = drawQuery(text, 3, queries, random);
      bool isWindow = number == 1;
      Bounded want = attend(
          q, keys.dense, values.dense,
          [&, queries = queries](int64_t b, int64_t i, int64_t j) {
            int64_t at = i + lengths[b] - queries;
            return j <= at && j < lengths[b] && (!isWindow || j > at - 7);
          });
      std::vector<Tensor> inputs = {q,          toTensor(lengths),
                                    keys.pool,  keys.table,
                                    values.pool, values.table};
      expectNear(runToLLVM(text.get(), inputs, /*mustFuse=*/true), {want});
      expectOnGPU(text.get(), inputs, {want}, nullptr,
                  /*maxTemporary=*/0);
    }
}

/// The text of %`name`_pool, a view of all of %`name`_memory, and of %`name`_table,
/// which has the number of the page at each address of %`name`_pages.
static std::string readMemory(const std::string &name,
                              const std::string &poolType, int64_t rows) {
  std::string text = R"(
%@_size = memref.dim %@_memory, %c0 : memref<?xf16>
%@_unit = arith.constant 8 : index
%@_count = arith.divui %@_size, %@_unit : index
%@_view = memref.reinterpret_cast %@_memory to offset: [0], sizes: [%@_count, ROWS, 2, 16], strides: [8, 32, 16, 1] : memref<?xf16> to memref<?xROWSx2x16xf16, strided<[8, 32, 16, 1]>>
%@_pool = bufferization.to_tensor %@_view restrict : memref<?xROWSx2x16xf16, strided<[8, 32, 16, 1]>> to POOL
%@_entries = tensor.dim %@_pages, %c1 : tensor<?x?xi64>
%@_empty = tensor.empty(%b, %@_entries) : tensor<?x?xi64>
%@_table = linalg.generic {indexing_maps = [affine_map<(b, p) -> (b, p)>, affine_map<(b, p) -> (b, p)>], iterator_types = ["parallel", "parallel"]} ins(%@_pages : tensor<?x?xi64>) outs(%@_empty : tensor<?x?xi64>) {
^bb0(%pointer: i64, %out: i64):
%unit = arith.constant 16 : i64
%null = arith.constant 0 : i64
%one = arith.constant 1 : i64
%none = arith.constant -1 : i64
%rest = arith.remui %pointer, %unit : i64
%aligned = arith.cmpi eq, %rest, %null : i64
%number = arith.divui %pointer, %unit : i64
%page = arith.subi %number, %one : i64
%r = arith.select %aligned, %page, %none : i64
linalg.yield %r : i64
} -> tensor<?x?xi64>
)";
  for (auto [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"@", name}, {"ROWS", std::to_string(rows)}, {"POOL", poolType}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

/// Where page `number` is in memory, in elements, and what there is around pages.
static int64_t getPlace(int64_t number, int64_t size) {
  return 8 * (1 + number % 3) + number * (size + 24);
}

/// One cache as pages, with a flat table, by pointer and packed. The results of the
/// tables are the same, bit by bit, and with pages of one row those of packed rows,
/// too. Other pages are loops of their own on CPUs, which sum in another order.
///
/// Pointers: pages of memory begin at any multiple of 16 bytes, and the table has
/// addresses. The memory begins at address 16.

TEST_F(PagedVariantsTest, FormsAgree) {
  const std::vector<int64_t> lengths = {64, 37, 0, 5};
  for (int64_t rows : {1, 16}) {
    int64_t entries = 64 / rows;
    SCOPED_TRACE("rows " + std::to_string(rows));
    oracle::Random random(rows);
    PagedSpec spec = makeSpec(AttentionText(), lengths, entries, rows);
    PagedCache caches[] = {drawPagedCache(spec, 16, random),
                           drawPagedCache(spec, 16, random)};
    Tensor q = drawQuery(AttentionText(), 4, 2, random);
    std::vector<double> first;
    for (const char *form : {"pages", "flat", "pointers", "packed"}) {
      SCOPED_TRACE(form);
      bool isPointer = form == std::string("pointers");
      bool isPacked = form == std::string("packed"),
           isFlat = form == std::string("flat");
      AttentionText text;
      std::vector<Tensor> inputs = {q, toTensor(lengths)};
      for (int i : {0, 1}) {
        const PagedCache &cache = caches[i];
        std::string name = i == 0 ? "k" : "v", lists;
        Tensor starts({4}), pool = cache.pool, table = cache.table;
        std::string poolType =
            "tensor<?x" + std::to_string(rows) + "x2x16xf16>";
        if (isFlat) {
          for (int64_t b = 0; b < 4; ++b)
            starts.data[b] = static_cast<double>(b * entries);
          table = Tensor({4 * entries}, table.data);
        }
        if (isPacked) {
          poolType = "tensor<?x2x16xf16>";
          pool = Tensor({4 * 64, 2, 16},
                        std::numeric_limits<double>::quiet_NaN());
          for (int64_t b = 0; b < 4; ++b) {
            starts.data[b] = static_cast<double>((3 - b) * 64);
            for (int64_t s = 0; s < lengths[b]; ++s)
              for (int64_t h = 0; h < 2; ++h)
                for (int64_t d = 0; d < 16; ++d)
                  pool.at({(3 - b) * 64 + s, h, d}) =
                      cache.dense.at({b, h, s, d});
          }
        }
        if (isPointer) {
          int64_t size = rows * 2 * 16, numPages = cache.pool.shape[0];
          pool = Tensor({getPlace(numPages, size)},
                        std::numeric_limits<double>::quiet_NaN());
          for (int64_t page = 0; page < numPages; ++page)
            for (int64_t j = 0; j < size; ++j)
              pool.data[getPlace(page, size) + j] =
                  cache.pool.data[page * size + j];
          for (double &entry : table.data)
            entry = entry < 0          ? 16 * (entry + 1) // null, and negative
                    : entry < numPages ? 16 + 2 * getPlace(entry, size)
                                       : 24; // no multiple of 16
        }
        inputs.push_back(pool);
        text.parameters += (i == 0 ? "%" : ", %") + name + "_" +
                           (isPointer ? "memory: memref<?xf16>"
                                      : "pool: " + poolType);
        if (isPointer)
          text.body += readMemory(name, poolType, rows);
        auto add = [&](const char *list, const Tensor &tensor,
                       const std::string &type) {
          inputs.push_back(tensor);
          text.parameters += ", %" + name + "_" + list + ": " + type;
          lists += std::string(" ") + list + "(%" + name + "_" + list + " : " +
                   type + ")";
        };
        if (isPointer) {
          inputs.push_back(table);
          text.parameters += ", %" + name + "_pages: tensor<?x?xi64>";
          lists = " table(%" + name + "_table : tensor<?x?xi64>)";
        } else if (!isPacked) {
          add("table", table, isFlat ? "tensor<?xi32>" : "tensor<?x?xi32>");
        }
        if (isFlat || isPacked)
          add("starts", starts, "tensor<?xi32>");
        std::string dense = text.getCache(16);
        GatherText gather{name, poolType, isPacked ? "2, 1, 3" : "-1, 2, 1, 3",
                          dense, "%b, %" + name + "_n", lists};
        text.body += "%" + name + "_n = arith.constant 64 : index\n" +
                     gather.get();
      }
      // What makes a table of pointers is a loop of its own.
      Execution run = runToLLVM(text.get(), inputs, /*mustFuse=*/!isPointer);
      ASSERT_TRUE(run.ok()) << run.error;
      if (first.empty())
        first = run.outputs[0].data;
      if (!isPacked || rows == 1)
        EXPECT_EQ(run.outputs[0].data, first);
      Bounded want = attend(
          q, caches[0].dense, caches[1].dense,
          [&](int64_t b, int64_t, int64_t j) { return j < lengths[b]; });
      expectNear(run, {want});
      if (isPointer)
        for (const char *chip : {"", "sm_90a", "gfx942"})
          expectOnGPU(text.get(), inputs, {want}, nullptr, std::nullopt, chip);
    }
  }
}

/// All sequences begin with the pages of the first.

TEST_F(PagedVariantsTest, SharedPrefix) {
  AttentionText text;
  const std::vector<int64_t> lengths = {64, 50, 33};
  oracle::Random random(3);
  for (std::string name : {"k", "v"}) {
    PagesText pages{name, text.heads, 16, 16};
    text.parameters += (name == "k" ? "" : ", ") + pages.getParameters();
    text.body += pages.get();
  }
  PagedSpec spec = makeSpec(text, lengths, 4, 16);
  spec.sharedEntries = 2;
  PagedCache keys = drawPagedCache(spec, 16, random),
             values = drawPagedCache(spec, 16, random);
  Tensor q = drawQuery(text, 3, 2, random);
  Bounded want =
      attend(q, keys.dense, values.dense,
             [&](int64_t b, int64_t, int64_t j) { return j < lengths[b]; });
  std::vector<Tensor> inputs = {q,          toTensor(lengths), keys.pool,
                                keys.table, values.pool,       values.table};
  expectNear(runToLLVM(text.get(), inputs, /*mustFuse=*/true), {want});
  expectOnGPU(text.get(), inputs, {want}, nullptr, /*maxTemporary=*/0);
}

/// Values are the first columns of the keys: one cache, which is gathered once,
/// or twice.

TEST_F(PagedVariantsTest, LatentCache) {
  const std::vector<int64_t> lengths = {64, 50, 0};
  for (bool isSliced : {false, true}) {
    SCOPED_TRACE(isSliced ? "slice of the keys" : "slice of the pool");
    AttentionText text;
    text.heads = 1;
    text.group = 4;
    text.depth = 48;
    text.columns = 32;
    PagesText pages{"k", 1, 16, 48};
    text.parameters = pages.getParameters();
    text.body = pages.get();
    if (isSliced)
      text.body += "%v = tensor.extract_slice %k[0, 0, 0, 0] [%b, 1, %k_n, 32] "
                   "[1, 1, 1, 1] : " +
                   text.getCache(48) + " to " + text.getCache(32) + "\n";
    else
      text.body +=
          std::string(
              "%pages = tensor.dim %k_pool, %c0 : tensor<?x16x1x48xf16>\n") +
          "%v_pool = tensor.extract_slice %k_pool[0, 0, 0, 0] [%pages, 16, 1, "
          "32] [1, 1, 1, 1] : tensor<?x16x1x48xf16> to "
          "tensor<?x16x1x32xf16>\n" +
          "%v_table = tensor.cast %k_table : tensor<?x?xi32> to "
          "tensor<?x?xi32>\n" +
          PagesText{"v", 1, 16, 32}.get();
    oracle::Random random(5);
    PagedCache cache =
        drawPagedCache(makeSpec(text, lengths, 4, 16), 48, random);
    Tensor q = drawQuery(text, 3, 2, random), values({3, 1, 64, 32});
    oracle::forEachIndex(values.shape, [&](const oracle::Index &index) {
      values.at(index) = cache.dense.at(index);
    });
    Bounded want =
        attend(q, cache.dense, values,
               [&](int64_t b, int64_t, int64_t j) { return j < lengths[b]; });
    std::vector<Tensor> inputs = {q, toTensor(lengths), cache.pool,
                                  cache.table};
    expectNear(runToLLVM(text.get(), inputs, /*mustFuse=*/true), {want});
    expectOnGPU(text.get(), inputs, {want}, nullptr, /*maxTemporary=*/0);
  }
}

/// A cache of i8, with a scale for each head.

TEST_F(PagedVariantsTest, ScaledIntegers) {
  const std::vector<int64_t> lengths = {64, 50, 3};
  AttentionText text;
  oracle::Random random(7);
  std::vector<PagedCache> caches;
  std::vector<Tensor> scales;
  std::vector<Bounded> scaled;
  for (std::string name : {"k", "v"}) {
    PagesText pages{name + "q", text.heads, 16, 16, "i8"};
    text.parameters += (name == "k" ? "" : ", ") + pages.getParameters() +
                       ", %" + name + "_scale: tensor<2xf16>";
    text.body += pages.get() + "%" + name +
                 "_e = tensor.empty(%b, %" + name + "q_n) : " +
                 text.getCache(16) + "\n%" + name + R"( = linalg.generic {
indexing_maps = [affine_map<(b, h, n, d) -> (b, h, n, d)>,
  affine_map<(b, h, n, d) -> (h)>, affine_map<(b, h, n, d) -> (b, h, n, d)>],
iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
ins(%)" + name + "q, %" + name + "_scale : tensor<?x2x?x16xi8>, tensor<2xf16>) "
                 "outs(%" + name + "_e : " + text.getCache(16) + R"() {
^bb0(%x: i8, %by: f16, %out: f16):
%y = arith.sitofp %x : i8 to f16
%z = arith.mulf %y, %by : f16
linalg.yield %z : f16
} -> )" + text.getCache(16) + "\n";
    PagedSpec spec = makeSpec(text, lengths, 4, 16);
    spec.isInt = true;
    caches.push_back(drawPagedCache(spec, 16, random));
    // Exact in f16.
    scales.push_back(Tensor({2}, std::vector<double>{1.0 / 64, 1.0 / 32}));
    Tensor dense = caches.back().dense;
    oracle::forEachIndex(dense.shape, [&](const oracle::Index &index) {
      dense.at(index) *= scales.back().data[index[1]];
    });
    scaled.emplace_back(dense);
  }
  Tensor q = drawQuery(text, 3, 2, random);
  Bounded want =
      attend(q, scaled[0], scaled[1],
             [&](int64_t b, int64_t, int64_t j) { return j < lengths[b]; });
  std::vector<Tensor> inputs = {q,
                                toTensor(lengths),
                                caches[0].pool,
                                caches[0].table,
                                scales[0],
                                caches[1].pool,
                                caches[1].table,
                                scales[1]};
  expectNear(runToLLVM(text.get(), inputs, /*mustFuse=*/true), {want});
  expectOnGPU(text.get(), inputs, {want}, nullptr, /*maxTemporary=*/0);
}

/// The example: each block of queries lists the blocks of keys that it sees.

TEST_F(PagedVariantsTest, BlockSparse) {
  std::ifstream file(LINALG_EXT_EXAMPLES "/paged/block-sparse.mlir");
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  size_t name = text.find("@attention(");
  ASSERT_NE(name, std::string::npos);
  text.replace(name, 11, "@main(");
  // 4 blocks of 64 queries, 5 of 64 keys; a block of queries may see none.
  const std::vector<std::vector<int64_t>> lists = {{0, 4}, {1}, {}, {3, 0, 2}};
  constexpr int64_t kBlock = 64, kHeads = 4, kDepth = 64, kMost = 3;
  oracle::Random random(11);
  Tensor q = oracle::random(random, {kHeads, 4 * kBlock, kDepth}, -2, 2,
                            DType::F16),
         k = oracle::random(random, {kHeads, 5 * kBlock, kDepth}, -1, 1,
                            DType::F16),
         v = oracle::random(random, {kHeads, 5 * kBlock, kDepth}, -1, 1,
                            DType::F16),
         table({4, kMost}, -1), counts({4}),
         visible({4 * kBlock, 5 * kBlock});
  for (int64_t block = 0; block < 4; ++block) {
    counts.data[block] = static_cast<double>(lists[block].size());
    for (auto [entry, listed] : llvm::enumerate(lists[block])) {
      table.at({block, static_cast<int64_t>(entry)}) =
          static_cast<double>(listed);
      for (int64_t i = 0; i < kBlock; ++i)
        for (int64_t j = 0; j < kBlock; ++j)
          visible.at({block * kBlock + i, listed * kBlock + j}) = 1;
    }
  }
  Tensor scaled = q;
  for (double &x : scaled.data)
    x *= 0.125;
  Bounded scores = oracle::maskOut(
      oracle::contract("hmd,hnd->hmn", scaled, k, DType::F32), "hmn", visible,
      "mn");
  Bounded weights =
      oracle::cast(oracle::softmax(scores, /*dim=*/2, DType::F32, DType::F32,
                                   kMost * kBlock),
                   DType::F16);
  Bounded want =
      oracle::cast(oracle::contract("hmn,hnd->hmd", weights, v, DType::F32,
                                    /*repairs=*/kMost * kBlock),
                   DType::F16);
  std::vector<Tensor> inputs = {q, k, v, table, counts};
  expectNear(runToLLVM(text, inputs, /*mustFuse=*/true), {want});
  expectOnGPU(text, inputs, {want}, nullptr, /*maxTemporary=*/0);
}

//===----------------------------------------------------------------------===//
// Packed queries and results
//===----------------------------------------------------------------------===//

/// Kernels write to the last argument, in place, and return nothing.
static void expectStored(const Tensor &got, const Bounded &want) {
  oracle::Comparison c = oracle::compare(got, want);
  EXPECT_TRUE(c.ok) << c.message;
}

/// Causal attention of packed sequences to themselves. The result is packed,
/// too: rows between the sequences stay as they were.

TEST_F(PagedVariantsTest, PackedResults) {
  const std::vector<std::pair<bool, std::vector<int64_t>>> cases = {
      {true, {70, 0, 33, 1}}, {true, {0, 0}}, {false, {1, 66}}};
  for (const auto &[isF16, lengths] : cases) {
    const std::vector<int64_t> &n = lengths;
    int64_t batch = static_cast<int64_t>(lengths.size()), longest = 0,
            numRows = 2;
    SCOPED_TRACE("batch " + std::to_string(batch) + ", first length " +
                 std::to_string(lengths[0]) + (isF16 ? ", f16" : ", f32"));
    // Gaps of one row, the last sequence first.
    std::vector<int64_t> starts(batch);
    for (int64_t b = batch; b-- > 0;) {
      starts[b] = numRows;
      numRows += lengths[b] + 1;
      longest = std::max(longest, lengths[b]);
    }
    longest = std::max<int64_t>(longest, 1) + 3;
    AttentionText text;
    text.definesQuery = true;
    text.mask = R"(
%inside = arith.cmpi slt, %j, %end : index
%below = arith.cmpi sle, %j, %i : index
%visible = arith.andi %inside, %below : i1
)";
    text.parameters = "%starts: tensor<?xi32>, %like: tensor<?xi8>, "
                      "%q_pool: tensor<?x2x2x16xf16>, %k_pool: "
                      "tensor<?x2x16xf16>, %v_pool: tensor<?x2x16xf16>, "
                      "%packed_out: tensor<?x2x2x16x" +
                      std::string(isF16 ? "f16" : "f32") + ">";
    auto gather = [](const std::string &name, const std::string &dims,
                     int sequence, const std::string &poolDims) {
      std::string dense = "tensor<?x" + dims + "x?x16xf16>";
      GatherText text{name, "tensor<?x" + dims + "x16xf16>", poolDims, dense,
                      "%b, %longest", " starts(%starts : tensor<?xi32>)"};
      text.sequence = sequence;
      return text.get();
    };
    text.body = "%longest = tensor.dim %like, %c0 : tensor<?xi8>\n" +
                gather("q", "2x2", 3, "3, 1, 2, 4") +
                gather("k", "2", 2, "2, 1, 3") +
                gather("v", "2", 2, "2, 1, 3");
    std::string rows = "tensor<?x2x2x?x16xf32>";
    text.resultType =
        "tensor<?x2x2x16x" + std::string(isF16 ? "f16" : "f32") + ">";
    std::string result = "%r";
    if (isF16) {
      result = "%rt";
      text.tail = "%te = tensor.empty(%b, %m) : tensor<?x2x2x?x16xf16>\n"
                  "%rt = linalg.generic {indexing_maps = [#all, #all], "
                  "iterator_types = [\"parallel\", \"parallel\", "
                  "\"parallel\", \"parallel\", \"parallel\"]} ins(%r : " +
                  rows + ") outs(%te : tensor<?x2x2x?x16xf16>) {\n"
                         "^bb0(%x: f32, %o: f16):\n%y = arith.truncf %x : "
                         "f32 to f16\nlinalg.yield %y : f16\n} -> "
                         "tensor<?x2x2x?x16xf16>\n";
      rows = "tensor<?x2x2x?x16xf16>";
    }
    text.tail += "%stored = linalg_ext.store_rows sequence(3) batch [0] "
                 "pool_dims [3, 1, 2, 4] rows(" +
                 result + " : " + rows +
                 ") starts(%starts : tensor<?xi32>) lengths(%lengths : "
                 "tensor<?xi32>) outs(%packed_out : " +
                 text.resultType + ") -> " + text.resultType +
                 "\nreturn %stored : " + text.resultType + "\n";
    oracle::Random random(longest);
    Tensor q = oracle::random(random, {numRows, 2, 2, 16}, -2, 2, DType::F16),
           k = oracle::random(random, {numRows, 2, 16}, -1, 1, DType::F16),
           v = oracle::random(random, {numRows, 2, 16}, -1, 1, DType::F16),
           out({numRows, 2, 2, 16}, -7);
    Tensor denseQ({batch, 2, 2, longest, 16}), denseK({batch, 2, longest, 16}),
        denseV = denseK;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t s = 0; s < lengths[b]; ++s)
        for (int64_t h = 0; h < 2; ++h)
          for (int64_t d = 0; d < 16; ++d) {
            for (int64_t g = 0; g < 2; ++g)
              denseQ.at({b, h, g, s, d}) = q.at({starts[b] + s, h, g, d});
            denseK.at({b, h, s, d}) = k.at({starts[b] + s, h, d});
            denseV.at({b, h, s, d}) = v.at({starts[b] + s, h, d});
          }
    Bounded dense =
        attend(denseQ, denseK, denseV, [&](int64_t b, int64_t i, int64_t j) {
          return j <= i && j < n[b];
        });
    if (isF16)
      dense = oracle::cast(dense, DType::F16);
    Bounded want(out);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t s = 0; s < lengths[b]; ++s)
        for (int64_t h = 0; h < 2; ++h)
          for (int64_t g = 0; g < 2; ++g)
            for (int64_t d = 0; d < 16; ++d) {
              want.value.at({starts[b] + s, h, g, d}) =
                  dense.value.at({b, h, g, s, d});
              want.error.at({starts[b] + s, h, g, d}) =
                  dense.error.at({b, h, g, s, d});
            }
    std::vector<Tensor> inputs = {
        toTensor(lengths), toTensor(starts), Tensor({longest}), q, k, v, out};
    expectNear(runUntiled(text.get(), inputs), {want});
    expectNear(runToLLVM(text.get(), inputs, /*mustFuse=*/true), {want});
    // One kernel, which needs no memory beside what it stores to. A workgroup
    // of which no row is stored runs no tile of keys: rows beyond all lengths
    // add workgroups, and no product.
    simt::KernelStatistics few, many;
    auto expectStoredOnGPU = [&](simt::KernelStatistics &sum) {
      expectOnGPU(
          text.get(), inputs, {},
          [&](const std::vector<Tensor> &after) {
            expectStored(after.back(), want);
          },
          /*maxTemporary=*/0, /*chip=*/"", &sum);
    };
    expectStoredOnGPU(few);
    inputs[2] = Tensor({longest + 1000});
    expectStoredOnGPU(many);
    EXPECT_GT(many.workgroups, few.workgroups);
    EXPECT_EQ(many.mmas, few.mmas);
    if (longest == 4)
      EXPECT_EQ(few.mmas, 0);
    else
      EXPECT_GT(few.mmas, 0);
  }
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

/// The example: a step of decoding of a block of LLaMA. examples/paged/block.c
/// compares it with f64 on CPUs; here kernels for GPUs are compared with what
/// upstream's lowerings make of the program as it is written.

TEST_F(PagedVariantsTest, Block) {
  std::ifstream file(LINALG_EXT_EXAMPLES "/paged/block.mlir");
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  size_t name = text.find("@block(");
  ASSERT_NE(name, std::string::npos);
  text.replace(name, 7, "@main(");
  const std::vector<int64_t> lengths = {17, 5, 1, 16};
  AttentionText sizes;
  oracle::Random random(13);
  auto draw = [&](const oracle::Shape &shape, double scale) {
    return oracle::random(random, shape, -scale, scale, DType::F32);
  };
  std::vector<Tensor> inputs = {
      draw({4, 128}, 1),     draw({128}, 1),        draw({128, 128}, 0.3),
      draw({128, 64}, 0.3),  draw({128, 64}, 0.3),  draw({128, 128}, 0.1),
      draw({128}, 1),        draw({128, 256}, 0.2), draw({128, 256}, 0.2),
      draw({256, 128}, 0.1), draw({40, 32}, 1),     draw({40, 32}, 1)};
  unsigned firstPool = inputs.size();
  std::vector<int64_t> positions;
  for (int64_t length : lengths)
    positions.push_back(length - 1);
  for (int i = 0; i < 2; ++i) {
    PagedCache cache =
        drawPagedCache(makeSpec(sizes, lengths, 3, 16), 32, random);
    inputs.push_back(cache.pool);
    inputs.push_back(cache.table);
  }
  inputs.push_back(toTensor(positions));
  inputs.push_back(toTensor(lengths));
  Execution run = runUntiled(text, inputs);
  ASSERT_TRUE(run.ok()) << run.error;
  auto within = [](const Tensor &value) {
    return Bounded(value, Tensor(value.shape, 2e-5));
  };
  auto expectAppended = [&](const std::vector<Tensor> &after) {
    for (unsigned pool : {firstPool, firstPool + 2}) {
      const Tensor &got = after[pool], &want = run.inputs[pool];
      for (int64_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(std::isnan(want.data[i])
                        ? std::isnan(got.data[i])
                        : std::abs(got.data[i] - want.data[i]) <= 2e-5)
            << "element " << i << " of a pool";
    }
  };
  Execution compiled = runToLLVM(text, inputs);
  expectNear(compiled, {within(run.outputs[0])});
  expectAppended(compiled.inputs);
  expectOnGPU(text, inputs, {within(run.outputs[0])}, expectAppended);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

namespace {
/// Stores of `count` rows of 2 heads of 3 columns for each sequence.
struct StoreSpec {
  enum Form { Pages, FlatTable, Packed } form = Pages;
  int64_t batch = 3, count = 4, pageSize = 4, entries = 3, pages = 14;
  bool headsFirst = false, poolHeadsFirst = false, hasLengths = true,
       hasOffsets = true, isDynamic = true;
};
} // namespace

static StoreSpec drawStoreSpec(oracle::Random &random) {
  StoreSpec spec;
  spec.form = random.pick<StoreSpec::Form>(
      {StoreSpec::Pages, StoreSpec::FlatTable, StoreSpec::Packed});
  spec.batch = random.integer(1, 4);
  spec.count = random.integer(1, 6);
  spec.pageSize = random.pick<int64_t>({1, 2, 3, 4, 16});
  spec.entries = random.integer(1, 4);
  spec.pages = spec.batch * spec.entries + 2;
  spec.headsFirst = random.chance(0.5);
  spec.poolHeadsFirst = random.chance(0.5);
  spec.hasLengths = spec.form == StoreSpec::Packed || random.chance(0.7);
  spec.hasOffsets = random.chance(0.7);
  spec.isDynamic = random.chance(0.7);
  return spec;
}

TEST_F(PagedVariantsTest, StoreRows) {
  int64_t seed = oracle::getEnvironmentNumber("LINALG_EXT_PAGED_SEED", 1);
  int64_t cases = oracle::getEnvironmentNumber("LINALG_EXT_PAGED_CASES", 40);
  for (int64_t number = 0; number < cases && !HasFailure(); ++number) {
    oracle::Random random(seed * 7919 + number);
    StoreSpec spec = drawStoreSpec(random);
    // One row is in no loop: only the device knows whether it is stored.
    if (number % 8 == 0) {
      spec.batch = spec.count = 1;
      spec.isDynamic = false;
    }
    SCOPED_TRACE("case " + std::to_string(number));
    bool isPaged = spec.form != StoreSpec::Packed;

    // 1. Data. Pages are distinct; what lists nothing lies.
    oracle::Shape rowsShape = {spec.batch, spec.count, 2, 3}, poolShape;
    if (spec.headsFirst)
      std::swap(rowsShape[1], rowsShape[2]);
    int64_t poolRows = isPaged ? spec.pageSize : spec.batch * spec.count + 3;
    if (isPaged)
      poolShape.push_back(spec.pages);
    poolShape.push_back(spec.poolHeadsFirst ? 2 : poolRows);
    poolShape.push_back(spec.poolHeadsFirst ? poolRows : 2);
    poolShape.push_back(3);
    Tensor rows = oracle::random(random, rowsShape, -1, 1, DType::F32),
           pool = oracle::random(random, poolShape, 2, 3, DType::F32);
    std::vector<int64_t> pages(spec.pages);
    for (int64_t i = 0; i < spec.pages; ++i)
      std::swap(pages[i] = i, pages[random.integer(0, i)]);
    std::vector<int64_t> offsets, lengths, starts;
    Tensor table({spec.batch, spec.entries});
    for (int64_t b = 0; b < spec.batch; ++b) {
      offsets.push_back(random.pick<int64_t>(
          {-1, 0, 1, spec.pageSize, 2 * spec.pageSize - 1}));
      lengths.push_back(random.integer(0, spec.count + 2 * spec.pageSize));
      for (int64_t p = 0; p < spec.entries; ++p)
        table.at({b, p}) =
            random.chance(0.2)
                ? random.pick<double>({-1, 1 << 30, -2147483648.0,
                                       static_cast<double>(spec.pages)})
                : static_cast<double>(pages[b * spec.entries + p]);
      // Sequences that do not meet: rows of them, or entries. Positions from
      // the offset on are rows from the start on.
      if (spec.form == StoreSpec::Packed)
        offsets[b] = spec.hasOffsets ? std::min<int64_t>(offsets[b], 1) : 0;
      int64_t distance = isPaged ? spec.entries : spec.count + 1;
      starts.push_back(random.chance(0.15) ? -1 : b * distance);
    }

    if (spec.form == StoreSpec::FlatTable) {
      // Sequences do not go on in the entries of the next one.
      spec.hasLengths = true;
      for (int64_t &length : lengths)
        length = std::min(length, spec.entries * spec.pageSize);
    }

    // 2. Meaning.
    Tensor want = pool;
    for (int64_t b = 0; b < spec.batch; ++b)
      for (int64_t i = 0; i < spec.count; ++i) {
        int64_t offset = spec.hasOffsets ? offsets[b] : 0, s = offset + i;
        bool hasStart = spec.form != StoreSpec::Pages;
        if (offset < 0 || (hasStart && starts[b] < 0) ||
            (spec.hasLengths && s >= lengths[b]))
          continue;
        int64_t page = 0, row = 0;
        if (isPaged) {
          int64_t entry = s / spec.pageSize;
          row = s % spec.pageSize;
          if (spec.form == StoreSpec::FlatTable)
            entry += starts[b];
          int64_t size = spec.form == StoreSpec::FlatTable ? table.size()
                                                           : spec.entries;
          if (entry >= size)
            continue;
          double named = spec.form == StoreSpec::FlatTable
                             ? table.data[entry]
                             : table.at({b, entry});
          if (named < 0 || named >= static_cast<double>(spec.pages))
            continue;
          page = static_cast<int64_t>(named);
        } else {
          row = starts[b] + s;
          if (row >= poolRows)
            continue;
        }
        for (int64_t h = 0; h < 2; ++h)
          for (int64_t d = 0; d < 3; ++d) {
            oracle::Index to;
            if (isPaged)
              to.push_back(page);
            to.push_back(spec.poolHeadsFirst ? h : row);
            to.push_back(spec.poolHeadsFirst ? row : h);
            to.push_back(d);
            want.at(to) = rows.at(spec.headsFirst ? oracle::Index{b, h, i, d}
                                                  : oracle::Index{b, i, h, d});
          }
      }
    // 3. Text.
    auto type = [&](const oracle::Shape &shape, const std::string &element) {
      std::string text = "tensor<";
      for (int64_t size : shape)
        text += (spec.isDynamic ? "?" : std::to_string(size)) + "x";
      return text + element + ">";
    };
    std::string list = type({spec.batch}, "i32"), poolType = type(poolShape, "f32");
    Tensor listed = table;
    if (spec.form == StoreSpec::FlatTable)
      listed = Tensor({table.size()}, table.data);
    std::vector<Tensor> inputs = {rows};
    std::string parameters = "%rows: " + type(rowsShape, "f32"), operands;
    auto add = [&](const std::string &name, const Tensor &tensor,
                   const std::string &type) {
      inputs.push_back(tensor);
      parameters += ", %" + name + ": " + type;
      operands += " " + name + "(%" + name + " : " + type + ")";
    };
    if (isPaged)
      add("table", listed, type(listed.shape, "i32"));
    if (spec.form != StoreSpec::Pages)
      add("starts", toTensor(starts), list);
    if (spec.hasLengths)
      add("lengths", toTensor(lengths), list);
    if (spec.hasOffsets)
      add("offsets", toTensor(offsets), list);
    inputs.push_back(pool);
    std::string sequence = spec.headsFirst ? "2" : "1",
                head = spec.headsFirst ? "1" : "2";
    std::string text =
        "func.func @main(" + parameters + ", %pool: " + poolType + ") -> " +
        poolType + " {\n%0 = linalg_ext.store_rows sequence(" + sequence +
        ") batch [0] pool_dims [" + (isPaged ? "-1, " : "") +
        (spec.poolHeadsFirst ? head + ", " + sequence
                             : sequence + ", " + head) +
        ", 3] rows(%rows : " + type(rowsShape, "f32") + ")" + operands +
        " outs(%pool : " + poolType + ") -> " + poolType +
        "\nreturn %0 : " + poolType + "\n}\n";
    expectNear(runUntiled(text, inputs), {want});
    expectNear(runToLLVM(text, inputs), {want});
    if (number % 4 == 0)
      expectOnGPU(text, inputs, {}, [&](const std::vector<Tensor> &after) {
        expectStored(after.back(), want);
      });
  }
}
