//===- BlockedLayoutTest.cpp - Layouts of what nothing is known of --------===//

#include "DistributionTest.h"

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::layout;
using namespace mlir::vector_ext;

namespace linalg_ext_test {
namespace {

/// The elements in a row, from the first register on, that a thread has at each
/// of its registers' multiples of them.
int64_t getRun(const Layout &layout) {
  unsigned last = layout.getRank() - 1;
  for (int64_t run = 8;; run /= 2) {
    bool isRun = layout.getNumRegisters() % run == 0;
    for (int64_t reg = 0; isRun && reg < layout.getNumRegisters(); ++reg) {
      SmallVector<int64_t> start =
          layout.getCoordinate({0, 0, reg / run * run});
      SmallVector<int64_t> here = layout.getCoordinate({0, 0, reg});
      start[last] += reg % run;
      isRun = here == start;
    }
    if (isRun)
      return run;
  }
}

TEST(BlockedLayoutTest, RunsAreShorterWhereThatSharesThemEvenly) {
  Workgroup workgroup{32, 4};
  struct Case {
    SmallVector<int64_t> shape;
    int64_t run, replication;
  };
  for (const Case &test :
       std::initializer_list<Case>{{{32, 128}, 8, 1},
                                   // 448 runs of eight for 128 threads.
                                   {{32, 112}, 4, 1},
                                   {{64, 80}, 8, 1},
                                   // Not a run of eight for each thread.
                                   {{8, 64}, 8, 2},
                                   // Runs of two cannot be shared either.
                                   {{33, 224}, 8, 32}}) {
    Layout layout = getBlockedLayout(test.shape, /*elementBytes=*/2, workgroup);
    EXPECT_EQ(getRun(layout), test.run)
        << test.shape[0] << " x " << test.shape[1];
    EXPECT_EQ(layout.getReplication(), test.replication)
        << test.shape[0] << " x " << test.shape[1];
  }
}

TEST(BlockedLayoutTest, EveryElementHasAsManyOwners) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    oracle::Random random(seed);
    Workgroup workgroup{32, random.pick<int64_t>({1, 2, 4, 8})};
    int64_t bytes = random.pick<int64_t>({1, 2, 4, 8});
    SmallVector<int64_t> shape;
    int64_t elements = 1;
    for (int64_t i = 0, rank = random.pick<int64_t>({1, 2, 3}); i < rank; ++i) {
      shape.push_back(
          random.pick<int64_t>({1, 2, 3, 4, 7, 8, 14, 16, 20, 32, 48}));
      elements *= shape.back();
    }
    Layout layout = getBlockedLayout(shape, bytes, workgroup);
    ASSERT_EQ(layout.getShape(), shape);
    std::map<std::vector<int64_t>, int64_t> owners;
    for (int64_t subgroup = 0; subgroup < workgroup.numSubgroups; ++subgroup)
      for (int64_t lane = 0; lane < workgroup.numLanes; ++lane)
        for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
          SmallVector<int64_t> at = layout.getCoordinate({subgroup, lane, reg});
          ++owners[std::vector<int64_t>(at.begin(), at.end())];
        }
    ASSERT_EQ(static_cast<int64_t>(owners.size()), elements) << "seed " << seed;
    for (auto &[at, count] : owners)
      ASSERT_EQ(count, layout.getReplication()) << "seed " << seed;
    // Threads are a power of two: runs of at least four bytes with that factor
    // can be shared evenly.
    int64_t threads = workgroup.numLanes * workgroup.numSubgroups;
    int64_t shortest = std::max<int64_t>(4 / bytes, 1);
    if (elements >= std::max<int64_t>(16 / bytes, 1) * threads &&
        shape.back() % shortest == 0 && elements / shortest % threads == 0) {
      EXPECT_EQ(layout.getReplication(), 1) << "seed " << seed;
    }
  }
}

} // namespace
} // namespace linalg_ext_test
