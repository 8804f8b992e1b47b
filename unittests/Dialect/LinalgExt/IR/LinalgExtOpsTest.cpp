//===- LinalgExtOpsTest.cpp - What the ops say through their C++ API ------===//
//
// Parsing, printing and verification are in test/Dialect/LinalgExt.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

TEST(SoftmaxOp, StateIsTheWiderOfF32AndTheValueType) {
  MLIRContext context;
  Builder b(&context);
  EXPECT_EQ(SoftmaxOp::getStateType(b.getF16Type()), b.getF32Type());
  EXPECT_EQ(SoftmaxOp::getStateType(b.getBF16Type()), b.getF32Type());
  EXPECT_EQ(SoftmaxOp::getStateType(b.getF32Type()), b.getF32Type());
  EXPECT_EQ(SoftmaxOp::getStateType(b.getF64Type()), b.getF64Type());
}

/// The default maps over (b..., m, n, k), for any number of batch dimensions.
TEST(BatchMatmulOp, DefaultMapsAreThoseOfABatchedMatrixProduct) {
  MLIRContext context;
  for (int64_t rank = 2; rank <= 5; ++rank) {
    SmallVector<AffineMap> maps =
        BatchMatmulOp::getDefaultIndexingMaps(rank, &context);
    ASSERT_EQ(maps.size(), 3u) << "rank " << rank;
    unsigned m = rank - 2, n = rank - 1, k = rank;
    const unsigned lastTwo[3][2] = {{m, k}, {k, n}, {m, n}};
    for (int operand = 0; operand < 3; ++operand) {
      AffineMap map = maps[operand];
      EXPECT_EQ(map.getNumDims(), rank + 1) << "rank " << rank;
      ASSERT_EQ(map.getNumResults(), rank) << "rank " << rank;
      for (int64_t batch = 0; batch < rank - 2; ++batch)
        EXPECT_EQ(map.getDimPosition(batch), batch) << "rank " << rank;
      EXPECT_EQ(map.getDimPosition(rank - 2), lastTwo[operand][0]);
      EXPECT_EQ(map.getDimPosition(rank - 1), lastTwo[operand][1]);
    }
  }
}

} // namespace
