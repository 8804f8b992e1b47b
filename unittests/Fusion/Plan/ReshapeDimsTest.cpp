//===- ReshapeDimsTest.cpp - Dimensions across reshapes and slices --------===//
//
// What is said of tiles across a reshape, on the examples of the header, and
// for random reshapes and tiles against an enumeration of coordinates.
//
//===----------------------------------------------------------------------===//

#include "Support/Oracle.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

namespace {

using Ints = SmallVector<int64_t>;

class ReshapeDimsTest : public ::testing::Test {
protected:
  ReshapeDimsTest() {
    context.loadDialect<func::FuncDialect, tensor::TensorDialect>();
  }

  /// The last op but the return of a function with %a and the index %n.
  Operation *parse(const std::string &type, const std::string &body) {
    module = parseSourceString<ModuleOp>("func.func @main(%a: " + type +
                                             ", %n: index) {\n" + body +
                                             "\nreturn\n}",
                                         &context);
    auto func = cast<func::FuncOp>(module->getBody()->front());
    return func.getBody().front().getTerminator()->getPrevNode();
  }

  static SmallBitVector bits(int64_t size, ArrayRef<int64_t> set) {
    SmallBitVector result(size);
    for (int64_t bit : set)
      result.set(bit);
    return result;
  }
  static std::vector<std::vector<int64_t>> getCutBy(const ReshapedDims &dims) {
    std::vector<std::vector<int64_t>> result;
    for (const SmallBitVector &set : dims.cutBy) {
      auto bits = set.set_bits();
      result.emplace_back(bits.begin(), bits.end());
    }
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Sets = std::vector<std::vector<int64_t>>;

TEST_F(ReshapeDimsTest, expand) {
  Operation *op = parse("tensor<12x7xf32>",
                        "%r = tensor.expand_shape %a [[0, 1], [2]] "
                        "output_shape [3, 4, 7] : tensor<12x7xf32> into "
                        "tensor<3x4x7xf32>");
  ReshapedDims dims = getSourceDims(op, bits(3, {0, 1}), {1, 2, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getCutBy(dims), (Sets{{0, 1}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{2, 0}));

  dims = getSourceDims(op, bits(3, {0}));
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {}}));

  // 2 of 4 in two rows: two of four are computed in vain.
  dims = getSourceDims(op, bits(3, {0, 1}), {2, 2, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Covering);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{0, 0}));
  // 1 of 4: that would be three.
  dims = getSourceDims(op, bits(3, {0, 1}), {2, 1, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Unknown);
  // All of the rows is no part of them.
  dims = getSourceDims(op, bits(3, {0, 1}), {2, 4, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(dims.tileSizes, (Ints{8, 0}));
  dims = getSourceDims(op, bits(3, {1}), {0, 2, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Covering);
  EXPECT_EQ(getCutBy(dims), (Sets{{}, {}}));
  EXPECT_EQ(getSourceDims(op, bits(3, {1})).tiles, ReshapedTiles::Unknown);

  dims = getResultDims(op, bits(2, {0, 1}), {8, 3});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {}, {1}}));
  EXPECT_EQ(dims.tileSizes, (Ints{2, 0, 3}));
}

TEST_F(ReshapeDimsTest, collapse) {
  Operation *op = parse("tensor<3x4x7xf32>",
                        "%r = tensor.collapse_shape %a [[0, 1], [2]] : "
                        "tensor<3x4x7xf32> into tensor<12x7xf32>");
  ReshapedDims dims = getSourceDims(op, bits(2, {0}), {2, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {0}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{1, 2, 0}));

  dims = getSourceDims(op, bits(2, {0}), {6, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Covering);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{0, 0, 0}));

  // At most two rows of 4 for 3.
  dims = getSourceDims(op, bits(2, {0}), {3, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Covering);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {}, {}}));
  EXPECT_EQ(getSourceDims(op, bits(2, {0})).tiles, ReshapedTiles::Covering);
  // Two rows of 5 for 3 are too many: where it stays within one, part of it.
  op = parse("tensor<3x5x7xf32>",
             "%r = tensor.collapse_shape %a [[0, 1], [2]] : "
             "tensor<3x5x7xf32> into tensor<15x7xf32>");
  dims = getSourceDims(op, bits(2, {0}), {3, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Covering);
  EXPECT_EQ(getCutBy(dims), (Sets{{0}, {0}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{0, 0, 0}));
}

TEST_F(ReshapeDimsTest, dynamic) {
  Operation *op =
      parse("tensor<?x?xf32>", "%r = tensor.collapse_shape %a [[0, 1]] : "
                               "tensor<?x?xf32> into tensor<?xf32>");
  EXPECT_EQ(getSourceDims(op, bits(1, {0}), {4}).tiles,
            ReshapedTiles::Covering);
  EXPECT_EQ(getSourceDims(op, bits(1, {0}), {1}).tiles, ReshapedTiles::Slices);
  op = parse("tensor<?x4xf32>",
             "%r = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into "
             "tensor<?xf32>");
  EXPECT_EQ(getSourceDims(op, bits(1, {0}), {4}).tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getSourceDims(op, bits(1, {0}), {6}).tiles,
            ReshapedTiles::Covering);
  op = parse("tensor<?xf32>",
             "%r = tensor.expand_shape %a [[0, 1, 2]] output_shape [%n, %n, 1] "
             ": tensor<?xf32> into tensor<?x?x1xf32>");
  ReshapedDims dims = getSourceDims(op, bits(3, {0, 2}), {});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getSourceDims(op, bits(3, {1}), {}).tiles, ReshapedTiles::Unknown);
  EXPECT_EQ(getSourceDims(op, bits(3, {0, 1}), {1, 1, 0}).tileSizes, Ints{1});
  // A remainder in each row: slices, but not at multiples of 5.
  dims = getSourceDims(op, bits(3, {0, 1}), {1, 5, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(dims.tileSizes, Ints{0});
}

TEST_F(ReshapeDimsTest, slices) {
  Operation *op = parse("tensor<6x?x8xf32>",
                        "%r = tensor.extract_slice %a[2, 0, 4][1, %n, 2]"
                        "[1, 1, 2] : tensor<6x?x8xf32> to tensor<?x2xf32>");
  ReshapedDims dims = getSourceDims(op, bits(2, {0}), {3, 0});
  EXPECT_EQ(dims.tiles, ReshapedTiles::Slices);
  EXPECT_EQ(getCutBy(dims), (Sets{{}, {0}, {}}));
  EXPECT_EQ(dims.tileSizes, (Ints{0, 3, 0}));
  EXPECT_EQ(getSourceDims(op, bits(2, {1})).tiles, ReshapedTiles::Unknown);
  EXPECT_EQ(getResultDims(op, bits(3, {1})).tiles, ReshapedTiles::Unknown);
  EXPECT_TRUE(failed(mapDimsThroughReshape(op, {1})));
  EXPECT_TRUE(failed(mapDimsThroughReshape(op, {0})));
}

TEST_F(ReshapeDimsTest, mapDims) {
  auto map = [](Operation *op, Ints dims) {
    FailureOr<Ints> mapped = mapDimsThroughReshape(op, dims);
    return succeeded(mapped) ? *mapped : Ints{-1};
  };
  Operation *op =
      parse("tensor<5x12x?x1xf32>",
            "%r = tensor.expand_shape %a [[0, 1], [2, 3], [4, 5], [6]] "
            "output_shape [5, 1, 3, 4, 1, %n, 1] : tensor<5x12x?x1xf32> into "
            "tensor<5x1x3x4x1x?x1xf32>");
  EXPECT_EQ(map(op, {0}), Ints{0});
  EXPECT_EQ(map(op, {2, 0}), (Ints{5, 0}));
  EXPECT_EQ(map(op, {3}), Ints{6});
  EXPECT_EQ(map(op, {1}), Ints{-1});
  EXPECT_EQ(map(op, {0, 1}), Ints{-1});

  op = parse("tensor<1x5x3x4x?x1xf32>",
             "%r = tensor.collapse_shape %a [[0, 1], [2, 3], [4, 5]] : "
             "tensor<1x5x3x4x?x1xf32> into tensor<5x12x?xf32>");
  EXPECT_EQ(map(op, {1, 4}), (Ints{0, 2}));
  EXPECT_EQ(map(op, {0}), Ints{-1});
  EXPECT_EQ(map(op, {2}), Ints{-1});

  op = parse("tensor<6x5x8xf32>",
             "%r = tensor.extract_slice %a[2, 0, 0][1, 5, 4][1, 1, 1] : "
             "tensor<6x5x8xf32> to tensor<5x4xf32>");
  EXPECT_EQ(map(op, {1}), Ints{0});
  EXPECT_EQ(map(op, {2}), Ints{-1});
  EXPECT_EQ(map(op, {0}), Ints{-1});
}

//===----------------------------------------------------------------------===//
// Against coordinates
//===----------------------------------------------------------------------===//

int64_t count(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

Ints delinearize(int64_t number, ArrayRef<int64_t> shape) {
  Ints index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    index[dim] = number % shape[dim];
  return index;
}

TEST_F(ReshapeDimsTest, tilesAreWhatTheyAreSaidToBe) {
  oracle::Random random(5);
  int64_t numOf[3] = {0, 0, 0};
  for (int i = 0; i < 6000; ++i) {
    // 1. A reshape and tiles of one side.
    SmallVector<ReassociationIndices> groups;
    Ints split, flat;
    for (int64_t g = random.integer(1, 2); g > 0; --g) {
      groups.emplace_back();
      flat.push_back(1);
      for (int64_t n = random.integer(1, 3); n > 0; --n) {
        groups.back().push_back(split.size());
        split.push_back(random.chance(0.2) ? 1 : random.integer(2, 6));
        flat.back() *= split.back();
      }
    }
    OpBuilder b(&context);
    auto splitType = RankedTensorType::get(split, b.getF32Type());
    auto flatType = RankedTensorType::get(flat, b.getF32Type());
    bool isExpand = random.chance(0.5), toSource = random.chance(0.5);
    module = ModuleOp::create(b.getUnknownLoc());
    b.setInsertionPointToEnd(module->getBody());
    auto empty = tensor::EmptyOp::create(
        b, b.getUnknownLoc(), isExpand ? flat : split, b.getF32Type());
    Operation *op =
        isExpand ? tensor::ExpandShapeOp::create(b, b.getUnknownLoc(),
                                                 splitType, empty, groups)
                       .getOperation()
                 : tensor::CollapseShapeOp::create(b, b.getUnknownLoc(),
                                                   flatType, empty, groups);
    ArrayRef<int64_t> from = isExpand == toSource ? split : flat;
    ArrayRef<int64_t> to = isExpand == toSource ? flat : split;
    SmallBitVector cut(from.size());
    Ints tiles(from.size(), 0), trips;
    for (size_t dim = 0; dim < from.size(); ++dim) {
      if (random.chance(0.7)) {
        cut.set(dim);
        tiles[dim] = random.chance(0.4) ? 1 : random.integer(1, from[dim]);
      }
      int64_t size = cut.test(dim) ? tiles[dim] : from[dim];
      trips.push_back((from[dim] + size - 1) / size);
    }
    ReshapedDims dims = toSource ? getSourceDims(op, cut, tiles)
                                 : getResultDims(op, cut, tiles);
    numOf[int(dims.tiles)]++;

    // 2. What each tile touches on the other side: its box and its elements.
    std::vector<Ints> low(count(trips), Ints(to.size(), INT64_MAX)),
        high(count(trips), Ints(to.size(), -1));
    std::vector<int64_t> elements(count(trips), 0);
    for (int64_t number = 0; number < count(from); ++number) {
      Ints index = delinearize(number, from), other = delinearize(number, to);
      int64_t tile = 0;
      for (size_t dim = 0; dim < from.size(); ++dim)
        tile =
            tile * trips[dim] + (cut.test(dim) ? index[dim] / tiles[dim] : 0);
      ++elements[tile];
      for (size_t dim = 0; dim < to.size(); ++dim) {
        low[tile][dim] = std::min(low[tile][dim], other[dim]);
        high[tile][dim] = std::max(high[tile][dim], other[dim]);
      }
    }

    // 3. Compare.
    std::string text;
    llvm::raw_string_ostream(text) << *op << " toSource " << toSource;
    for (size_t dim = 0; dim < from.size(); ++dim)
      text += " " + std::to_string(tiles[dim]);
    for (int64_t tile = 0; tile < count(trips); ++tile) {
      int64_t box = 1;
      for (size_t dim = 0; dim < to.size(); ++dim) {
        int64_t size = high[tile][dim] - low[tile][dim] + 1;
        box *= size;
        if (dims.tiles == ReshapedTiles::Unknown)
          continue;
        // What covers a tile is whole where the tile itself is not.
        if (dims.cutBy[dim].none() && dims.tiles == ReshapedTiles::Slices)
          EXPECT_EQ(size, to[dim]) << text;
        else if (dims.tileSizes[dim] != 0)
          EXPECT_TRUE(
              low[tile][dim] % dims.tileSizes[dim] == 0 &&
              (size == dims.tileSizes[dim] || high[tile][dim] + 1 == to[dim]))
              << text;
      }
      if (dims.tiles == ReshapedTiles::Slices)
        EXPECT_EQ(box, elements[tile]) << text;
    }
    // What is not said to be cut by a dimension is not moved by it.
    for (int64_t tile = 0; tile < count(trips); ++tile) {
      Ints at = delinearize(tile, trips);
      for (size_t dim = 0; dim < from.size(); ++dim) {
        if (at[dim] == 0 || dims.tiles != ReshapedTiles::Slices)
          continue;
        int64_t before = tile - count(ArrayRef(trips).drop_front(dim + 1));
        for (size_t other = 0; other < to.size(); ++other)
          if (!dims.cutBy[other].test(dim)) {
            EXPECT_EQ(low[tile][other], low[before][other]) << text;
            EXPECT_EQ(high[tile][other], high[before][other]) << text;
          }
      }
    }
    if (HasFailure())
      FAIL() << text;
  }
  EXPECT_GT(numOf[int(ReshapedTiles::Slices)], 1000);
  EXPECT_GT(numOf[int(ReshapedTiles::Covering)], 100);
  EXPECT_GT(numOf[int(ReshapedTiles::Unknown)], 300);
}

} // namespace
