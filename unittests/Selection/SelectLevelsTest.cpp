//===- SelectLevelsTest.cpp - Loops and tile sizes of roots ---------------===//
//
// Properties of the levels that are chosen for attention of many sizes, on
// several machines: loops are over the dimensions that they may be over, tiles
// fit, and what a machine has more of makes nothing worse.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/SelectLevels.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Selection/ProductTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

/// Sizes of attention. The dimensions of the second product, the root, are
/// batches, rows, columns and keys, in this order.
struct Sizes {
  int64_t batches, rows, keys, depth, columns;
};
enum Dim { Batch, Row, Column, Key };

const Sizes kSizes[] = {{16, 4096, 4096, 64, 64},  {8, 1000, 77, 128, 128},
                        {1, 128, 65536, 576, 512}, {32, 1, 32768, 128, 128},
                        {4, 16, 1000, 64, 64},     {2, 5, 3, 8, 40},
                        {3, 512, 2048, 256, 256},  {1, 64, 512, 64, 4096}};

/// A chip of another vendor: subgroups of 64 lanes, and little shared memory.
GPUTarget getWideTarget() {
  GPUTarget target;
  target.lanes = 64;
  target.processors = 304;
  target.sharedBytes = target.processorSharedBytes = 64 << 10;
  target.reservedSharedBytes = 0;
  target.matrixColumns = 16;
  return target;
}

class SelectLevelsTest : public ::testing::Test {
protected:
  SelectLevelsTest() {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                    linalg::LinalgDialect, tensor::TensorDialect,
                    LinalgExtDialect>();
    linalg::registerTilingInterfaceExternalModels(registry);
    registerAllExternalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The second product of attention.
  Operation *build(const Sizes &sizes, StringRef type) {
    return buildFrom(sizes, type, "%p#0");
  }

  /// The second of two contractions, of what the first one computes.
  Operation *buildChained(const Sizes &sizes, StringRef type) {
    return buildFrom(sizes, type, "%0");
  }

  /// The second product of attention whose scores are sums of two products, of
  /// half the depth each, as those of heads in parts.
  Operation *buildInParts(Sizes sizes, StringRef type) {
    sizes.depth /= 2;
    return buildFrom(sizes, type, "%p#0", "%part");
  }

  /// The second product of attention whose values are gathered: from pages of so
  /// many rows.
  Operation *buildPaged(const Sizes &sizes, StringRef rows) {
    std::string pool =
        llvm::formatv("tensor<?x{0}x{1}xf16>", rows, sizes.columns);
    std::string values = llvm::formatv("tensor<{0}x{1}x{2}xf16>", sizes.batches,
                                       sizes.keys, sizes.columns);
    std::string table = llvm::formatv("tensor<{0}x?xi32>", sizes.batches);
    return buildFrom(
        sizes, "f16", "%p#0", "%s",
        ", %pool: " + pool + ", %table: " + table,
        "%paged = linalg_ext.paged_gather sequence(1) batch [0] pool_dims "
        "[-1, 1, 2] pool(%pool : " +
            pool + ") table(%table : " + table + ") outs(%v : " + values +
            ") -> " + values,
        "%paged");
  }

  /// The second product, of the values `weights` and `values`, which `more`
  /// defines from further `parameters`. Scores are added to `init`.
  Operation *buildFrom(const Sizes &sizes, StringRef type, StringRef weights,
                       StringRef init = "%s", const std::string &parameters = "",
                       const std::string &more = "",
                       StringRef values = "%v") {
    constexpr const char *text = R"(
      func.func @f(%q: tensor<{0}x{1}x{3}x{5}>, %k: tensor<{0}x{3}x{2}x{5}>,
                   %v: tensor<{0}x{2}x{4}x{5}>, %s: tensor<{0}x{1}x{2}x{5}>,
                   %e: tensor<{0}x{1}x{2}x{5}>, %m: tensor<{0}x{1}xf32>,
                   %o: tensor<{0}x{1}x{4}xf32>{8}) -> tensor<{0}x{1}x{4}xf32> {{
        {9}
        %part = linalg.batch_matmul
            ins(%q, %k : tensor<{0}x{1}x{3}x{5}>, tensor<{0}x{3}x{2}x{5}>)
            outs(%s : tensor<{0}x{1}x{2}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
        %0 = linalg.batch_matmul
            ins(%q, %k : tensor<{0}x{1}x{3}x{5}>, tensor<{0}x{3}x{2}x{5}>)
            outs({7} : tensor<{0}x{1}x{2}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
        %p:4 = linalg_ext.softmax dimension(2)
            ins(%0 : tensor<{0}x{1}x{2}x{5}>)
            outs(%e, %m, %m, %m : tensor<{0}x{1}x{2}x{5}>, tensor<{0}x{1}xf32>,
                                  tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>)
            -> tensor<{0}x{1}x{2}x{5}>, tensor<{0}x{1}xf32>,
               tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>
        %1 = linalg.batch_matmul {{root}
            ins({6}, {10} : tensor<{0}x{1}x{2}x{5}>, tensor<{0}x{2}x{4}x{5}>)
            outs(%o : tensor<{0}x{1}x{4}xf32>) -> tensor<{0}x{1}x{4}xf32>
        return %1 : tensor<{0}x{1}x{4}xf32>
      })";
    auto formatted =
        llvm::formatv(false, text, sizes.batches, sizes.rows, sizes.keys,
                      sizes.depth, sizes.columns, type, weights, init,
                      parameters, more, values)
            .str();
    module = parseSourceString<ModuleOp>(formatted, &context);
    Operation *root = nullptr;
    if (module)
      module->walk([&](Operation *op) {
        if (op->hasAttr("root"))
          root = op;
      });
    return root;
  }

  /// Calls `check` with the root of each of `kSizes`, in f16 and f32.
  void
  forEachRoot(function_ref<void(Operation *, const Sizes &, int64_t)> check) {
    for (const Sizes &sizes : kSizes)
      for (auto [type, bytes] : {std::pair("f16", 2), {"f32", 4}}) {
        SCOPED_TRACE(llvm::formatv("{0} x {1} x {2}, {3} and {4}, {5}",
                                   sizes.batches, sizes.rows, sizes.keys,
                                   sizes.depth, sizes.columns, type)
                         .str());
        Operation *root = build(sizes, type);
        ASSERT_TRUE(root);
        check(root, sizes, bytes);
      }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

GPUTileSizes choose() {
  GPUTileSizes sizes;
  sizes.rows = sizes.keys = sizes.split = 0;
  return sizes;
}

int64_t getSize(const TilingLevel &level, Dim dim) {
  return static_cast<size_t>(dim) < level.tileSizes.size()
             ? level.tileSizes[dim]
             : 0;
}

bool areEqual(const std::vector<TilingLevel> &a,
              const std::vector<TilingLevel> &b) {
  return llvm::equal(a, b, [](const TilingLevel &x, const TilingLevel &y) {
    return x.kind == y.kind && x.tileSizes == y.tileSizes &&
           x.mapping == y.mapping && x.parts == y.parts;
  });
}

// A loop over workgroups of rows, at most one split of keys, and a loop over
// keys. Tiles of keys and values fit into the shared memory of a workgroup.
TEST_F(SelectLevelsTest, levelsForGPUsFit) {
  for (const GPUTarget &target : {GPUTarget(), getWideTarget()})
    forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
      FailureOr<std::vector<TilingLevel>> levels =
          selectGPULevels(root, choose(), target);
      ASSERT_TRUE(succeeded(levels));
      ASSERT_GE(levels->size(), 2u);
      ASSERT_LE(levels->size(), 3u);
      const TilingLevel &outer = levels->front(), &inner = levels->back();
      EXPECT_EQ(outer.kind, LoopKind::Forall);
      EXPECT_EQ(getSize(outer, Key), 0);
      EXPECT_GE(getSize(outer, Row), sizes.rows == 1 ? 0 : 1);
      EXPECT_LE(getSize(outer, Row), std::min<int64_t>(sizes.rows, 128));
      EXPECT_LE(getSize(outer, Batch), 1);
      EXPECT_EQ(inner.kind, LoopKind::For);
      int64_t keys = getSize(inner, Key);
      EXPECT_GE(keys, 16);
      EXPECT_EQ(keys % 16, 0);
      int64_t columns =
          getSize(outer, Column) > 0 ? getSize(outer, Column) : sizes.columns;
      EXPECT_TRUE(keys == 16 ||
                  keys * (sizes.depth + columns) * bytes <= target.sharedBytes)
          << keys;
      if (levels->size() == 3) {
        EXPECT_EQ((*levels)[1].kind, LoopKind::Split);
        EXPECT_GE(getSize((*levels)[1], Key), keys);
        EXPECT_LT(getSize((*levels)[1], Key), sizes.keys);
      }
    });
}

// Less shared memory gives no larger tile, and more workgroups no longer chunk.
TEST_F(SelectLevelsTest, levelsForGPUsAreMonotone) {
  forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
    int64_t keys = std::numeric_limits<int64_t>::max(), chunk = keys;
    for (int64_t kiB : {512, 227, 128, 96, 64, 32, 16}) {
      GPUTarget target;
      target.sharedBytes = kiB << 10;
      FailureOr<std::vector<TilingLevel>> levels =
          selectGPULevels(root, choose(), target);
      ASSERT_TRUE(succeeded(levels));
      EXPECT_LE(getSize(levels->back(), Key), keys);
      keys = getSize(levels->back(), Key);
    }
    for (int64_t workgroups : {1, 64, 264, 1024, 65536}) {
      GPUTarget target;
      target.keyWorkgroups = workgroups;
      FailureOr<std::vector<TilingLevel>> levels =
          selectGPULevels(root, choose(), target);
      ASSERT_TRUE(succeeded(levels));
      int64_t size =
          levels->size() == 3 ? getSize((*levels)[1], Key) : sizes.keys;
      EXPECT_LE(size, chunk);
      chunk = size;
    }
  });
}

// The same question has the same answer, and given sizes are taken.
TEST_F(SelectLevelsTest, levelsForGPUsAreStable) {
  forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
    FailureOr<std::vector<TilingLevel>> levels =
        selectGPULevels(root, choose());
    ASSERT_TRUE(succeeded(levels));
    EXPECT_TRUE(areEqual(*levels, *selectGPULevels(root, choose())));
    GPUTileSizes given;
    given.rows = 32;
    given.keys = 48;
    levels = selectGPULevels(root, given, getWideTarget());
    ASSERT_TRUE(succeeded(levels));
    EXPECT_EQ(getSize(levels->back(), Key), 48);
    if (sizes.rows > 1)
      EXPECT_EQ(getSize(levels->front(), Row),
                std::min<int64_t>(sizes.rows, 32));
  });
}

// Asynchronous products get the tiles of their model, if their operands can be
// read: not f32, not rows of no multiple of 16 bytes, and not few rows of
// queries.
TEST_F(SelectLevelsTest, levelsForAsyncProductsAreThoseOfTheModel) {
  GPUTarget target;
  forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
    GPUTileSizes given = choose();
    given.ways = {false, true, true};
    std::optional<OnlineKernel> kernel;
    FailureOr<std::vector<TilingLevel>> levels =
        selectGPULevels(root, given, target, nullptr, &kernel);
    ASSERT_TRUE(succeeded(levels));
    ASSERT_TRUE(kernel);
    // The contiguous dimensions of q, k and v.
    bool isRead = bytes == 2 && sizes.depth % 8 == 0 && sizes.keys % 8 == 0 &&
                  sizes.columns % 8 == 0 &&
                  getTileRows(64, sizes.rows, target) == 64;
    EXPECT_EQ(kernel->way != vector_ext::ProductWay::Sync, isRead)
        << kernel->reason;
    if (!isRead) {
      EXPECT_TRUE(areEqual(*levels, *selectGPULevels(root, choose(), target)));
      return;
    }
    OnlineSizes shape;
    shape.depth = sizes.depth;
    shape.columns = sizes.columns;
    EXPECT_EQ(getSize(levels->back(), Key),
              getAsyncKeys(shape, kernel->rows, target).keys);
    if (sizes.rows > 1)
      EXPECT_EQ(getSize(levels->front(), Row),
                std::min(sizes.rows, kernel->rows));
  });
}

// Pages of any number of rows are copied by threads of their own. Such kernels are
// not persistent, unless nothing else is allowed.
TEST_F(SelectLevelsTest, pagesHaveRoles) {
  GPUTarget target;
  for (StringRef rows : {"1", "8", "12", "16", "64", "?"}) {
    SCOPED_TRACE(rows.str());
    Operation *root = buildPaged({16, 4096, 4096, 128, 128}, rows);
    ASSERT_TRUE(root);
    GPUTileSizes given = choose();
    given.ways = {true, true, true};
    std::optional<OnlineKernel> kernel;
    ASSERT_TRUE(
        succeeded(selectGPULevels(root, given, target, nullptr, &kernel)));
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->way, vector_ext::ProductWay::Roles) << kernel->reason;
    given.ways.persistent = true;
    ASSERT_TRUE(
        succeeded(selectGPULevels(root, given, target, nullptr, &kernel)));
    EXPECT_EQ(kernel->persist, 0) << kernel->reason;
    // Without roles there is no other way than the synchronous one.
    given.ways = {true, true, false};
    ASSERT_TRUE(
        succeeded(selectGPULevels(root, given, target, nullptr, &kernel)));
    EXPECT_EQ(kernel->way, vector_ext::ProductWay::Sync);
  }
}

// Few rows of values of 8 bits are shared by the subgroups, each of which has keys of
// its own, if nothing is given. Where copies are not asynchronous, two parts of the
// subgroups share them. Many rows, and values of 16 bits, are not shared.
TEST_F(SelectLevelsTest, fewRowsOfBytesAreShared) {
  GPUTarget target;
  auto buildBytes = [&](int64_t rows) {
    Sizes sizes{512, rows, 8192, 128, 128};
    return buildFrom(
        sizes, "f16", "%p#0", "%s", ", %v8: tensor<512x8192x128xi8>",
        "%wide = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, "
        "c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = "
        "[\"parallel\", \"parallel\", \"parallel\"]} ins(%v8 : "
        "tensor<512x8192x128xi8>) outs(%v : tensor<512x8192x128xf16>) {\n"
        "^bb0(%in: i8, %out: f16):\n%f = arith.sitofp %in : i8 to f16\n"
        "linalg.yield %f : f16\n} -> tensor<512x8192x128xf16>",
        "%wide");
  };
  GPUTileSizes given = choose();
  given.keySubgroups = 0;
  auto getParts = [&](Operation *root) {
    FailureOr<std::vector<TilingLevel>> levels =
        selectGPULevels(root, given, target);
    EXPECT_TRUE(succeeded(levels));
    return std::pair(levels->back().parts, getSize(levels->back(), Key));
  };
  EXPECT_EQ(getParts(buildBytes(4)), std::pair(int64_t(4), int64_t(32)));
  target.asyncCopies = 0;
  EXPECT_EQ(getParts(buildBytes(4)), std::pair(int64_t(2), int64_t(32)));
  target.asyncCopies = 1;
  EXPECT_LE(getParts(buildBytes(256)).first, 1);
  EXPECT_LE(getParts(build({512, 4, 8192, 128, 128}, "f16")).first, 1);
  given.keys = 64;
  EXPECT_LE(getParts(buildBytes(4)).first, 1);
}

// A sum in parts is as deep as its parts together.
TEST_F(SelectLevelsTest, scoresInPartsHaveTheLevelsOfTheirSum) {
  GPUTarget target;
  for (const Sizes &sizes : kSizes)
    for (bool isAsync : {false, true}) {
      SCOPED_TRACE(sizes.depth);
      GPUTileSizes given = choose();
      given.ways = {true, isAsync, isAsync};
      std::optional<OnlineKernel> whole, parts;
      FailureOr<std::vector<TilingLevel>> expected =
          selectGPULevels(build(sizes, "f16"), given, target, nullptr, &whole);
      FailureOr<std::vector<TilingLevel>> levels = selectGPULevels(
          buildInParts(sizes, "f16"), given, target, nullptr, &parts);
      ASSERT_TRUE(succeeded(expected) && succeeded(levels));
      // Rows of half the depth may be no multiple of 16 bytes.
      if (sizes.depth % 16 != 0)
        continue;
      EXPECT_TRUE(areEqual(*levels, *expected));
      ASSERT_EQ(whole.has_value(), parts.has_value());
      if (whole)
        EXPECT_EQ(whole->reason, parts->reason);
    }
}

// A loop over rows, shared by threads, and one over keys, with the tiles of the
// model; as many keys as there are at most.
TEST_F(SelectLevelsTest, levelsForCPUsAreThoseOfTheModel) {
  CPUTarget small;
  small.vectorBits = 128;
  small.l1Bytes = 32 << 10;
  small.l2Bytes = 256 << 10;
  for (const CPUTarget &core : {CPUTarget(), small})
    forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
      FailureOr<std::vector<TilingLevel>> levels = selectCPULevels(root, core);
      ASSERT_TRUE(succeeded(levels));
      CPULoopShape shape;
      shape.rows = sizes.rows;
      shape.batches = sizes.batches;
      shape.keys = sizes.keys;
      shape.columns = sizes.columns;
      shape.depth = sizes.depth;
      shape.elementBytes = bytes;
      CPUTiles tiles = chooseCPUTiles(shape, core);
      const TilingLevel &outer = levels->front(), &inner = levels->back();
      EXPECT_EQ(outer.kind, LoopKind::Forall);
      EXPECT_EQ(getSize(outer, Batch), 1);
      EXPECT_EQ(getSize(outer, Row), std::min(tiles.rows, sizes.rows));
      EXPECT_EQ(getSize(outer, Column), tiles.columns);
      EXPECT_EQ(getSize(outer, Key), 0);
      EXPECT_EQ(inner.kind, LoopKind::For);
      EXPECT_EQ(getSize(inner, Key), tiles.keys);
      EXPECT_EQ(getSize(inner, Row), 0);
      EXPECT_TRUE(areEqual(*levels, *selectCPULevels(root, core)));
    });
}

// Larger caches give no smaller tile of scores.
TEST_F(SelectLevelsTest, levelsForCPUsAreMonotone) {
  forEachRoot([&](Operation *root, const Sizes &sizes, int64_t bytes) {
    int64_t area = 0;
    for (int64_t factor : {1, 2, 4, 8, 16}) {
      CPUTarget core;
      core.l1Bytes = factor * (16 << 10);
      core.l2Bytes = factor * (128 << 10);
      FailureOr<std::vector<TilingLevel>> levels = selectCPULevels(root, core);
      ASSERT_TRUE(succeeded(levels));
      int64_t here =
          getSize(levels->front(), Row) * getSize(levels->back(), Key);
      EXPECT_GE(here, area) << factor;
      area = here;
    }
  });
}

// Two contractions have the loops that they would have with a softmax between
// them, unless they do much work for each element between them, or several
// tiles would compute the same elements.
TEST_F(SelectLevelsTest, chainedContractions) {
  Sizes sizes = kSizes[0];
  sizes.rows = sizes.keys = 1024;
  bool anyLevels = false, anyWithout = false;
  for (int64_t depth : {16, 64, 128, 256, 512})
    for (int64_t columns : {16, 64, 128, 256, 320, 496}) {
      SCOPED_TRACE(llvm::formatv("{0} and {1}", depth, columns).str());
      sizes.depth = depth;
      sizes.columns = columns;
      auto withSoftmax = selectGPULevels(build(sizes, "f16"), choose());
      ASSERT_TRUE(succeeded(withSoftmax));
      Operation *root = buildChained(sizes, "f16");
      ASSERT_TRUE(root);
      Operation *chained = root->getOperand(0).getDefiningOp();
      EXPECT_TRUE(failed(selectGPULevels(root, choose())));
      auto levels = selectGPULevels(root, choose(), GPUTarget(), chained);
      bool isExpected = depth + columns <= 512 && columns <= 256;
      ASSERT_EQ(succeeded(levels), isExpected);
      anyLevels |= isExpected;
      anyWithout |= !isExpected;
      if (isExpected)
        EXPECT_TRUE(areEqual(*levels, *withSoftmax));
      auto onCPU =
          selectCPULevels(root, CPUTarget(), CPUTileOptions(), chained);
      if (depth + columns > 512)
        EXPECT_TRUE(failed(onCPU));
      else if (columns <= 64)
        EXPECT_TRUE(succeeded(onCPU));
    }
  EXPECT_TRUE(anyLevels && anyWithout);
}

// What has no online reduction in front of it is no root.
TEST_F(SelectLevelsTest, otherOpsAreNoRoots) {
  Operation *root = build(kSizes[0], "f16");
  ASSERT_TRUE(root);
  Operation *scores =
      &*cast<func::FuncOp>(root->getParentOp()).getBody().op_begin();
  EXPECT_TRUE(failed(selectGPULevels(scores)));
  EXPECT_TRUE(failed(selectCPULevels(scores)));
}

} // namespace
