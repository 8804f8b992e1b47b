//===- ReshapedRowsTest.cpp - Repairs along rows that are reshaped --------===//
//
// Between an online producer and the accumulator reshapes merge, split and
// transpose rows. What a repair acts along is first told for itself, against an
// enumeration of coordinates; then graphs are fused and executed.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Interfaces/RepairRows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

using Ints = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Groups of dimensions
//===----------------------------------------------------------------------===//

static std::string print(const RowGroups &groups) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(groups, os);
  return text;
}

// The example of the header, with sizes 2, 3, 4.
TEST(RepairRowsTest, Example) {
  Refusal refusal;
  RowGroups rows = makeRowGroups({0, 1, 2}, {2, 3, 4, 7});
  EXPECT_EQ(print(rows), "[0, 1, 2]");
  renameDims(rows, [](int64_t dim) { return dim < 2 ? 1 - dim : dim; });
  EXPECT_EQ(print(rows), "[1, 0, 2]");
  ASSERT_TRUE(succeeded(mergeDims(rows, {0, 1}, 10, refusal)));
  renameDims(rows, [](int64_t dim) { return dim == 10 ? 0 : dim - 1; });
  simplify(rows, {6, 4, 7});
  EXPECT_EQ(print(rows), "[1 x 0 -> 0, 2 -> 1]");
  RowGroups same = rows;
  splitDim(rows, 0, {10, 11});
  renameDims(rows, [](int64_t dim) { return dim >= 10 ? dim - 10 : dim + 1; });
  RowGroups other = rows;
  simplify(rows, {2, 3, 4, 7});
  EXPECT_EQ(print(rows), "[1 x 0 -> 0 x 1, 2 -> 2]");
  simplify(other, {3, 2, 4, 7});
  EXPECT_EQ(print(other), "[1, 0, 2]");
}

TEST(RepairRowsTest, SizesOnOneSideTell) {
  constexpr int64_t kDynamic = ShapedType::kDynamic;
  Refusal refusal;
  auto mergeAndSplit = [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    RowGroups rows = makeRowGroups(from);
    Ints all = llvm::to_vector(llvm::seq<int64_t>(0, from.size())), into;
    EXPECT_TRUE(succeeded(mergeDims(rows, all, 10, refusal)));
    for (size_t i = 0; i < to.size(); ++i)
      into.push_back(i);
    splitDim(rows, 10, into);
    simplify(rows, to);
    return print(rows);
  };
  EXPECT_EQ(mergeAndSplit({kDynamic, 4}, {kDynamic, 4}), "[0, 1]");
  EXPECT_EQ(mergeAndSplit({4, kDynamic}, {4, kDynamic}), "[0, 1]");
  EXPECT_EQ(mergeAndSplit({4, kDynamic, 3}, {4, kDynamic, 3}), "[0, 1, 2]");
  EXPECT_EQ(mergeAndSplit({kDynamic, kDynamic}, {kDynamic, kDynamic}),
            "[0 x 1 -> 0 x 1]");
  EXPECT_EQ(mergeAndSplit({2, 3, 5}, {6, 5}), "[0 x 1 -> 0, 2 -> 1]");
  EXPECT_EQ(mergeAndSplit({2, 6}, {4, 3}), "[0 x 1 -> 0 x 1]");
  EXPECT_EQ(mergeAndSplit({12}, {4, 3}), "[0 -> 0 x 1]");
}

TEST(RepairRowsTest, OtherOrdersAreRefused) {
  Refusal refusal;
  // [12] to [4, 3], transposed, and merged again.
  RowGroups rows = makeRowGroups(ArrayRef<int64_t>(12));
  splitDim(rows, 0, {0, 1});
  EXPECT_TRUE(failed(mergeDims(rows, {1, 0}, 2, refusal)));
  EXPECT_EQ(refusal.kind, RefusalKind::NotRepairable);
  EXPECT_EQ(refusal.text,
            "rows that the repair tells apart are merged in another "
            "order than they have been split in");
  // The same with the outer part merged with other rows alone.
  rows = makeRowGroups({5, 12});
  splitDim(rows, 1, {1, 2});
  EXPECT_TRUE(failed(mergeDims(rows, {0, 2}, 3, refusal)));
  EXPECT_TRUE(failed(mergeDims(rows, {1, 0}, 3, refusal)));
  EXPECT_TRUE(succeeded(mergeDims(rows, {0, 1}, 3, refusal)));
  EXPECT_EQ(print(rows), "[0 x 1 -> 3 x 2]");
  // Repeated rows on both sides: how many on which is not told.
  rows = makeRowGroups({5});
  EXPECT_TRUE(failed(mergeDims(rows, {7, 0, 8}, 3, refusal)));
}

// Random reshapes and transpositions of a value, against the rows of the state
// that the elements of it come from.
TEST(RepairRowsTest, AgreesWithCoordinates) {
  oracle::Random random(11);
  int numMerged = 0, numRefused = 0;
  for (int iteration = 0; iteration < 3000; ++iteration) {
    // 1. A value some of whose dimensions are the state's.
    Ints shape, dims, stateShape;
    for (int64_t i = 0, n = random.integer(1, 4); i < n; ++i) {
      shape.push_back(random.integer(1, 8));
      if (random.chance(0.7)) {
        dims.push_back(i);
        stateShape.push_back(shape.back());
      }
    }
    RowGroups rows = makeRowGroups(dims, shape);
    // The row of the state for each element.
    std::vector<int64_t> rowOf;
    auto forEach = [](ArrayRef<int64_t> shape, auto body) {
      oracle::forEachIndex(oracle::Shape(shape.begin(), shape.end()), body);
    };
    forEach(shape, [&](const oracle::Index &index) {
      int64_t row = 0;
      for (int64_t dim : dims)
        row = row * shape[dim] + index[dim];
      rowOf.push_back(row);
    });

    // 2. What happens to it.
    Refusal refusal;
    bool refused = false;
    for (int64_t i = 0, n = random.integer(1, 7); i < n && !refused; ++i) {
      int64_t rank = shape.size(), at = random.integer(0, rank - 1);
      switch (random.integer(0, 2)) {
      case 0: { // Merge.
        int64_t end = random.integer(at, rank - 1);
        Ints large;
        for (int64_t dim = at; dim <= end; ++dim)
          if (shape[dim] != 1)
            large.push_back(dim);
        renameDims(rows,
                   [&](int64_t dim) { return shape[dim] == 1 ? -1 : dim; });
        refused = failed(mergeDims(rows, large, 100, refusal));
        renameDims(rows, [&](int64_t dim) {
          return dim == 100 ? at : dim < at ? dim : dim - (end - at);
        });
        for (int64_t dim = at; dim < end; ++dim) {
          shape[at] *= shape[at + 1];
          shape.erase(shape.begin() + at + 1);
        }
        break;
      }
      case 1: { // Split.
        int64_t outer = 1;
        for (int64_t factor = 2; factor <= 6; ++factor)
          if (shape[at] % factor == 0 && random.chance(0.6))
            outer = factor;
        int64_t inner = shape[at] / outer;
        Ints into;
        if (outer != 1)
          into.push_back(100);
        if (inner != 1)
          into.push_back(101);
        splitDim(rows, at, into);
        renameDims(rows, [&](int64_t dim) {
          return dim >= 100 ? at + dim - 100 : dim <= at ? dim : dim + 1;
        });
        shape[at] = outer;
        shape.insert(shape.begin() + at + 1, inner);
        break;
      }
      default: { // Swap two dimensions.
        int64_t other = random.integer(0, rank - 1);
        auto swapped = [&](int64_t dim) {
          return dim == at ? other : dim == other ? at : dim;
        };
        renameDims(rows, swapped);
        std::vector<int64_t> before = rowOf, weights(rank, 1);
        for (int64_t dim = rank - 1; dim-- > 0;)
          weights[dim] = weights[dim + 1] * shape[dim + 1];
        std::swap(shape[at], shape[other]);
        rowOf.clear();
        forEach(shape, [&](const oracle::Index &index) {
          int64_t from = 0;
          for (int64_t dim = 0; dim < rank; ++dim)
            from += index[dim] * weights[swapped(dim)];
          rowOf.push_back(before[from]);
        });
      }
      }
      simplify(rows, shape);
    }
    if (refused) {
      ++numRefused;
      EXPECT_TRUE(refusal.isSet());
      continue;
    }

    // 3. The digits of a group count the same rows.
    for (const RowGroup &group : rows)
      numMerged += !group.isPlain();
    size_t element = 0;
    bool agrees = true;
    forEach(shape, [&](const oracle::Index &index) {
      std::vector<int64_t> state(stateShape.size(), 0);
      for (const RowGroup &group : rows) {
        int64_t number = 0, size = 1;
        for (int64_t dim : group.valueDims) {
          number = number * shape[dim] + index[dim];
          size *= shape[dim];
        }
        int64_t known = 1;
        for (int64_t dim : group.stateDims)
          known *= dim == kRepeated ? 1 : stateShape[dim];
        for (int64_t dim : llvm::reverse(group.stateDims)) {
          int64_t digits = dim == kRepeated ? size / known : stateShape[dim];
          if (dim != kRepeated)
            state[dim] = number % digits;
          number /= digits;
        }
      }
      int64_t row = 0;
      for (size_t dim = 0; dim < state.size(); ++dim)
        row = row * stateShape[dim] + state[dim];
      agrees &= row == rowOf[element++];
    });
    EXPECT_TRUE(agrees) << "iteration " << iteration << ": " << print(rows);
  }
  EXPECT_GT(numMerged, 300);
  EXPECT_GT(numRefused, 30);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
class ReshapedRowsTest : public FusionTest {
protected:
  /// softmax of [b, h, m, n], reshaped, times v.
  static AttentionSpec make(std::vector<std::string> reshapes, std::string v,
                            std::string out) {
    AttentionSpec spec = makeBatched("bh");
    spec.k = "bhnd";
    spec.reshapes = std::move(reshapes);
    spec.v = std::move(v);
    spec.out = std::move(out);
    spec.sizes = {{'b', 2}, {'h', 3}, {'m', 4}, {'n', 13}, {'d', 5}, {'e', 6},
                  {'x', 6}, {'y', 8}, {'z', 3}, {'u', 2},  {'w', 24}};
    return spec;
  }

  /// Runs `spec`, static and with each of `dynamic` (letters) dynamic.
  static void expectRight(AttentionSpec spec,
                          const std::vector<std::map<char, int64_t>> &levels,
                          const std::vector<std::string> &dynamic = {""},
                          LoopKind rowLoops = LoopKind::Forall,
                          LoopKind keyLoop = LoopKind::For) {
    for (const std::string &letters : dynamic) {
      spec.dynamic = letters;
      FusionTest::expectRight(spec, [&](const AttentionGraph &graph) {
        Levels all;
        for (const auto &tiles : levels)
          all.push_back(makeLevel(graph, tiles,
                                  tiles.count(spec.keys) ? keyLoop : rowLoops));
        return all;
      });
    }
  }
};
} // namespace

TEST_F(ReshapedRowsTest, ThePlanSaysWhichRows) {
  AttentionGraph graph = build(make({"bh>x"}, "xne", "xme"));
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 4}})});
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(::print(p.repairs[0].factors[0].value.rows),
            "[0 x 1 -> 0, 2 -> 1]");
}

TEST_F(ReshapedRowsTest, MergedHeads) {
  AttentionSpec spec = make({"bh>x"}, "xne", "xme");
  std::vector<std::string> dynamic = {"",   "bhmnxd", "n",  "m",
                                      "bx", "hx",     "bhx"};
  expectRight(spec, {{{'n', 4}}}, dynamic);
  expectRight(spec, {{{'x', 1}, {'m', 3}}, {{'n', 4}}}, dynamic);
  expectRight(spec, {{{'x', 3}}, {{'n', 4}}}, {"", "n", "m", "bx"});
  expectRight(spec, {{{'x', 1}}, {{'n', 5}}}, dynamic, LoopKind::For,
              LoopKind::Split);
  expectRight(spec, {{{'n', 6}}, {{'n', 4}}}, dynamic);
}

TEST_F(ReshapedRowsTest, MergedRowsOfAMatmul) {
  AttentionSpec spec = make({"bhm>w"}, "ne", "we");
  spec.pvForm = ContractionForm::Named;
  std::vector<std::string> dynamic = {"", "bhmnwd", "bw"};
  expectRight(spec, {{{'n', 4}}}, dynamic);
  expectRight(spec, {{{'w', 1}}, {{'n', 4}}}, dynamic);
  expectRight(spec, {{{'w', 2}}, {{'n', 4}}}, {"", "bw"});
  expectRight(spec, {{{'w', 2}}, {{'n', 5}}}, {"", "bw"}, LoopKind::Forall,
              LoopKind::Split);
}

TEST_F(ReshapedRowsTest, SplitRows) {
  AttentionSpec spec = make({"m>uz"}, "bhne", "bhuze");
  spec.sizes['m'] = 6;
  std::vector<std::string> dynamic = {"", "mu", "mz", "bhnmu"};
  expectRight(spec, {{{'n', 4}}}, dynamic);
  expectRight(spec, {{{'u', 1}, {'b', 1}}, {{'n', 4}}}, dynamic);
  expectRight(spec, {{{'u', 1}, {'z', 2}}, {{'n', 4}}}, dynamic);
  expectRight(spec, {{{'u', 1}, {'z', 2}}, {{'n', 4}}}, dynamic, LoopKind::For,
              LoopKind::Split);
}

TEST_F(ReshapedRowsTest, MergedAndSplitElsewhere) {
  // 2 x 3 heads as 6, and as 3 x 2.
  AttentionSpec spec = make({"bh>x", "x>zu"}, "zne", "zume");
  std::vector<std::string> dynamic = {"", "bx", "bhxz", "bhxu"};
  expectRight(spec, {{{'n', 4}}}, dynamic);
  expectRight(spec, {{{'z', 1}, {'u', 1}}, {{'n', 4}}}, dynamic);
  // Part of one dimension and the whole of the one outside.
  spec = make({"m>uz", "hu>y"}, "bne", "byze");
  spec.sizes['m'] = 6;
  spec.sizes['y'] = 6;
  expectRight(spec, {{{'n', 4}}}, {"", "muy", "hy"});
  expectRight(spec, {{{'y', 1}}, {{'n', 4}}}, {"", "muy", "hy"});
}

TEST_F(ReshapedRowsTest, TransposedBetween) {
  AttentionSpec spec = make({"bhmn>nhbm", "hb>x"}, "ne", "mxe");
  expectRight(spec, {{{'n', 4}}}, {"", "bhx", "mn"});
  expectRight(spec, {{{'x', 2}, {'m', 3}}, {{'n', 4}}}, {"", "mn"});
}

TEST_F(ReshapedRowsTest, OtherOrdersAreRefused) {
  AttentionSpec spec = make({"m>uz", "bhuzn>bhzun", "zu>x"}, "bhne", "bhxe");
  spec.sizes['m'] = 6;
  AttentionGraph graph = build(spec);
  Refusal refusal = refuse(graph.root, {makeLevel(graph, {{'n', 4}})});
  EXPECT_EQ(refusal.kind, RefusalKind::NotRepairable);
  EXPECT_NE(
      refusal.text.find("are merged in another order than they have been split "
                        "in"),
      std::string::npos)
      << refusal.text;
}

// Tiles of merged rows that straddle the dims they are made of are cut out of
// tiles that cover them, and so is the repair.
TEST_F(ReshapedRowsTest, TilesThatStraddle) {
  // 4 of 2 x 3 heads.
  AttentionSpec spec = make({"bh>x"}, "xne", "xme");
  std::vector<std::string> dynamic = {"", "bx", "mn", "bmnxd"};
  for (int64_t tile : {4, 5})
    expectRight(spec, {{{'x', tile}}, {{'n', 4}}}, dynamic);
  expectRight(spec, {{{'x', 4}, {'m', 3}}, {{'n', 6}}, {{'n', 4}}}, dynamic,
              LoopKind::For);
  expectRight(spec, {{{'x', 4}}, {{'n', 5}}}, dynamic, LoopKind::Forall,
              LoopKind::Split);
  // Rows of a matmul: 13 of 2 x 12, of which 12 are 3 x 4.
  spec = make({"bhm>w"}, "ne", "we");
  spec.pvForm = ContractionForm::Named;
  for (int64_t tile : {8, 13})
    expectRight(spec, {{{'w', tile}}, {{'n', 4}}}, {"", "bw", "n"});
}

TEST_F(ReshapedRowsTest, TilesThatStraddleWhatIsSplit) {
  // 2 of each 3 rows that are one; in two steps, in one, and with 2 of 2.
  AttentionSpec spec = make({"m>uz"}, "bhne", "bhuze");
  spec.sizes['m'] = 12;
  spec.sizes['u'] = 4;
  for (const std::vector<std::map<char, int64_t>> &rows :
       {std::vector<std::map<char, int64_t>>{{{'u', 2}, {'z', 2}}},
        {{{'z', 2}}},
        {{{'z', 2}}, {{'u', 3}}}}) {
    std::vector<std::map<char, int64_t>> levels = rows;
    levels.push_back({{'n', 4}});
    expectRight(spec, levels, {"", "mu", "bhn"});
    expectRight(spec, levels, {"", "mu"}, LoopKind::For, LoopKind::Split);
  }
}

TEST_F(ReshapedRowsTest, TilesThatStraddleTwoReshapes) {
  // 2 x 3 heads as 6, and those as 3 x 2: parts of parts.
  AttentionSpec spec = make({"bh>x", "x>zu"}, "zne", "zume");
  expectRight(spec, {{{'z', 1}}, {{'n', 4}}}, {"", "bxzn"});
  expectRight(spec, {{{'z', 2}}, {{'n', 4}}}, {"", "bxzn"});
  // Merged with what a dim is split into.
  spec = make({"m>uz", "hu>y"}, "bne", "byze");
  spec.sizes['m'] = 6;
  spec.sizes['y'] = 6;
  expectRight(spec, {{{'y', 3}}, {{'n', 4}}}, {"", "n"});
  expectRight(spec, {{{'y', 4}, {'z', 2}}, {{'n', 4}}}, {"", "n"});
  // Transposed before.
  spec = make({"bhmn>nhbm", "hb>x"}, "ne", "mxe");
  expectRight(spec, {{{'x', 3}, {'m', 3}}, {{'n', 4}}}, {"", "mn"});
  expectRight(spec, {{{'x', 5}}, {{'n', 4}}}, {"", "h"}, LoopKind::Forall,
              LoopKind::Split);
}

TEST_F(ReshapedRowsTest, TilesThatStraddleForEveryKindOfRepair) {
  for (SoftmaxForm form :
       {SoftmaxForm::Chain, SoftmaxForm::Guarded, SoftmaxForm::Rms,
        SoftmaxForm::L1, SoftmaxForm::MaxAbs, SoftmaxForm::Center,
        SoftmaxForm::LayerNorm, SoftmaxForm::LayerNormBias,
        SoftmaxForm::LayerNormQuotient}) {
    AttentionSpec spec = make({"bhm>w"}, "ne", "we");
    spec.softmaxForm = form;
    expectRight(spec, {{{'w', 13}}, {{'n', 4}}}, {"", "bw", "n"});
    expectRight(spec, {{{'w', 13}}, {{'n', 4}}}, {""}, LoopKind::For,
                LoopKind::Split);
    spec = make({"bh>x"}, "xne", "xme");
    spec.softmaxForm = form;
    expectRight(spec, {{{'x', 4}}, {{'n', 6}}, {{'n', 4}}}, {"", "bx"});
  }
  for (RootForm form :
       {RootForm::Max, RootForm::Square, RootForm::Twice, RootForm::Reduce}) {
    AttentionSpec spec = make({"bh>x"}, "xne", "xme");
    if (form == RootForm::Reduce) {
      spec.v = "n";
      spec.out = "xm";
    }
    spec.rootForm = form;
    expectRight(spec, {{{'x', 4}}, {{'n', 4}}}, {"", "bxm"});
  }
}

// The state is reshaped by itself, and tiles meet it behind that.
TEST_F(ReshapedRowsTest, StatesThatAreReshaped) {
  for (bool isDynamic : {false, true}) {
    std::string b = isDynamic ? "?" : "2", x = isDynamic ? "?" : "6";
    std::string full = "tensor<" + b + "x3x4x13xf32>",
                rows = "tensor<" + b + "x3x4xf32>",
                flat = "tensor<" + x + "x4x13xf32>",
                flatRows = "tensor<" + x + "x4xf32>",
                out = "tensor<" + x + "x4x5xf32>";
    std::string size = isDynamic ? "%b" : "", flatSize = isDynamic ? "%x" : "";
    std::string text = R"(
      #x = affine_map<(b, h, m, n) -> (b, h, m, n)>
      #r = affine_map<(b, h, m, n) -> (b, h, m)>
      #fx = affine_map<(x, m, n) -> (x, m, n)>
      #fr = affine_map<(x, m, n) -> (x, m)>
      func.func @main(%s: )" +
                       full + R"(, %v: tensor<13x5xf32>) -> )" + out + R"( {
        %zero = arith.constant 0.0 : f32
        %ninf = arith.constant 0xFF800000 : f32
        %c0 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %b = tensor.dim %s, %c0 : )" +
                       full + R"(
        %x = arith.muli %b, %c3 : index
        %re = tensor.empty()" +
                       size + R"() : )" + rows + R"(
        %mf = linalg.fill ins(%ninf : f32) outs(%re : )" +
                       rows + ") -> " + rows + R"(
        %max = linalg.generic {indexing_maps = [#x, #r],
            iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
            ins(%s : )" +
                       full + ") outs(%mf : " + rows + R"() {
        ^bb0(%a: f32, %o: f32):
          %y = arith.maximumf %a, %o : f32
          linalg.yield %y : f32
        } -> )" + rows +
                       R"(
        %fs = tensor.collapse_shape %s [[0, 1], [2], [3]] : )" +
                       full + " into " + flat + R"(
        %fm = tensor.collapse_shape %max [[0, 1], [2]] : )" +
                       rows + " into " + flatRows + R"(
        %ee = tensor.empty()" +
                       flatSize + ") : " + flat + R"(
        %e = linalg.generic {indexing_maps = [#fx, #fr, #fx],
            iterator_types = ["parallel", "parallel", "parallel"]}
            ins(%fs, %fm : )" +
                       flat + ", " + flatRows + ") outs(%ee : " + flat + R"() {
        ^bb0(%a: f32, %m: f32, %o: f32):
          %d = arith.subf %a, %m : f32
          %y = math.exp %d : f32
          linalg.yield %y : f32
        } -> )" + flat +
                       R"(
        %se = tensor.empty()" +
                       flatSize + ") : " + flatRows + R"(
        %sf = linalg.fill ins(%zero : f32) outs(%se : )" +
                       flatRows + ") -> " + flatRows + R"(
        %sum = linalg.generic {indexing_maps = [#fx, #fr],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%e : )" +
                       flat + ") outs(%sf : " + flatRows + R"() {
        ^bb0(%a: f32, %o: f32):
          %y = arith.addf %a, %o : f32
          linalg.yield %y : f32
        } -> )" + flatRows +
                       R"(
        %p = linalg.generic {indexing_maps = [#fx, #fr, #fx],
            iterator_types = ["parallel", "parallel", "parallel"]}
            ins(%e, %sum : )" +
                       flat + ", " + flatRows + ") outs(%ee : " + flat + R"() {
        ^bb0(%a: f32, %m: f32, %o: f32):
          %y = arith.divf %a, %m : f32
          linalg.yield %y : f32
        } -> )" + flat +
                       R"(
        %oe = tensor.empty()" +
                       flatSize + ") : " + out + R"(
        %of = linalg.fill ins(%zero : f32) outs(%oe : )" +
                       out + ") -> " + out + R"(
        %o = linalg.generic {indexing_maps = [
              affine_map<(x, m, e, n) -> (x, m, n)>,
              affine_map<(x, m, e, n) -> (n, e)>,
              affine_map<(x, m, e, n) -> (x, m, e)>],
            iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
            ins(%p, %v : )" +
                       flat + ", tensor<13x5xf32>) outs(%of : " + out +
                       R"() attrs = {linalg_ext.root} {
        ^bb0(%a: f32, %w: f32, %c: f32):
          %t = arith.mulf %a, %w : f32
          %y = arith.addf %c, %t : f32
          linalg.yield %y : f32
        } -> )" + out + R"(
        return %o : )" +
                       out + R"(
      })";
    for (int64_t tile : {1, 3, 4, 5})
      for (LoopKind keys : {LoopKind::For, LoopKind::Split}) {
        OwningOpRef<ModuleOp> module =
            parseSourceString<ModuleOp>(text, context);
        ASSERT_TRUE(module) << text;
        Operation *root = nullptr;
        module->walk([&](linalg::GenericOp op) {
          if (op->hasAttr("linalg_ext.root"))
            root = op;
        });
        TilingLevel rowLevel, keyLevel;
        rowLevel.kind = LoopKind::Forall;
        rowLevel.tileSizes = {tile, 3};
        keyLevel.kind = keys;
        keyLevel.tileSizes = {0, 0, 0, 4};
        oracle::Random random(1);
        std::vector<Tensor> inputs = {
            oracle::random(random, {2, 3, 4, 13}, -30, 30, DType::F32),
            oracle::random(random, {13, 5}, -1, 1, DType::F32)};
        TileAndFuseOptions options = makeOptions({rowLevel, keyLevel});
        Refusal refusal;
        FailureOr<FusionPlan> p = planTileAndFuse(root, options, refusal);
        ASSERT_TRUE(succeeded(p)) << refusal.text;
        EXPECT_EQ(p->states.size(), 2u);
        FusionOutcome outcome = fuseAndRun(
            *module, root, options, inputs,
            [&]() -> std::vector<Bounded> {
              Bounded weights =
                  oracle::softmax(Bounded(inputs[0]), 3, DType::F32, DType::F32,
                                  /*steps=*/4);
              weights.value.shape = weights.error.shape = {6, 4, 13};
              return {oracle::contract("xmn,ne->xme", weights,
                                       Bounded(inputs[1]), DType::F32, 8)};
            },
            *executor);
        EXPECT_TRUE(outcome.isRight())
            << tile << " " << getName(outcome.stage) << ": " << outcome.reason
            << outcome.plan << outcome.fused;
      }
  }
}

// Where rows are of no known size, or of one that a tile is a small part of,
// tiles that cross from one to the next are cut out of both.
TEST_F(ReshapedRowsTest, TilesThatMayCrossRows) {
  for (SoftmaxForm form :
       {SoftmaxForm::Ext, SoftmaxForm::Chain, SoftmaxForm::LayerNormBias}) {
    for (const char *reshape : {"bhm>w", "bh>x", "hm>y"}) {
      std::string text = reshape;
      char merged = text.back();
      AttentionSpec spec = text == "bhm>w"  ? make({"bhm>w"}, "ne", "we")
                           : text == "bh>x" ? make({"bh>x"}, "xne", "xme")
                                            : make({"hm>y"}, "bne", "bye");
      spec.softmaxForm = form;
      if (merged == 'y')
        spec.sizes['y'] = 12;
      std::string all = text.substr(0, text.find('>')) + merged;
      for (int64_t tile : {2, 5}) {
        expectRight(spec, {{{merged, tile}}, {{'n', 4}}},
                    {form == SoftmaxForm::Ext ? "" : "n", all});
        expectRight(spec, {{{merged, tile}}, {{'n', 6}}, {{merged, 2}}}, {all},
                    LoopKind::Forall);
      }
      expectRight(spec, {{{merged, 5}}, {{'n', 5}}}, {all}, LoopKind::Forall,
                  LoopKind::Split);
    }
  }
  for (RootForm form : {RootForm::Max, RootForm::Twice, RootForm::Square}) {
    AttentionSpec spec = make({"bhm>w"}, "ne", "we");
    spec.rootForm = form;
    expectRight(spec, {{{'w', 5}}, {{'n', 4}}}, {"", "hw", "bhmw"});
  }
  // Masks, all of the first tiles of some rows, and rows that are hidden.
  for (DType type : {DType::F32, DType::F16}) {
    AttentionSpec spec = make({"bh>x"}, "xne", "xme");
    spec.type = spec.scoreType = spec.probType = spec.outType = type;
    spec.mask = MaskForm::Boolean;
    spec.maskDims = "bmn";
    spec.dynamic = "bhxm";
    AttentionGraph graph = build(spec);
    Tensor keep = makeKeep(spec);
    for (int64_t n = 0; n < 13; ++n) {
      keep.at({0, 1, n}) = 0;
      keep.at({1, 2, n}) = n >= 8;
      keep.at({1, 3, n}) = n < 4;
    }
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    inputs[spec.maskInput()] = makeMaskInput(spec, keep);
    for (int64_t tile : {2, 4}) {
      AttentionGraph copy = build(spec);
      FusionTest::expectRight(copy,
                              {makeLevel(copy, {{'x', tile}, {'m', 3}}),
                               makeLevel(copy, {{'n', 4}})},
                              Form::Delayed, inputs);
    }
  }
}

// What would have to be computed many times over is not, and the reason says
// how often.
TEST_F(ReshapedRowsTest, TilesThatStraddleTooMuchAreRefused) {
  auto getReason = [&](const AttentionSpec &spec,
                       const std::map<char, int64_t> &tiles) {
    AttentionGraph graph = build(spec);
    std::string before = linalg_ext_test::print(*graph.module);
    oracle::Random random(1);
    FusionOutcome outcome = fuseAndRun(
        graph,
        makeOptions({makeLevel(graph, tiles), makeLevel(graph, {{'n', 4}})}),
        graph.randomInputs(random), *executor);
    EXPECT_EQ(outcome.stage, FusionOutcome::Stage::Failed);
    EXPECT_EQ(linalg_ext_test::print(*graph.module), before);
    StringRef reason = outcome.reason;
    EXPECT_TRUE(reason.consume_front(
        "the levels around the loop that carries the state do not compute "))
        << outcome.reason;
    return reason.rtrim().str();
  };
  // 1 of each 4.
  AttentionSpec spec = make({"m>uz"}, "bhne", "bhuze");
  spec.sizes['m'] = 12;
  spec.sizes['u'] = 3;
  spec.sizes['z'] = 4;
  EXPECT_EQ(getReason(spec, {{'z', 1}}),
            "'tensor.expand_shape' tile by tile: tiles of (3, 1) of the "
            "dimensions (3, 4) that dimension 2 is split into are not "
            "contiguous, and a tile that covers one computes up to 4 elements "
            "for each 1");
}

// A tile that is cut out of what covers it is read twice.
TEST_F(ReshapedRowsTest, ACoveringTileThatIsReadTwice) {
  AttentionSpec spec = make({"bh>x"}, "xne", "xme");
  spec.rootForm = RootForm::Twice;
  expectRight(spec, {{{'x', 4}}}, {"", "bx"});
}

// A dimension of size 1 that rows are split into is cut by a loop of its own.
TEST_F(ReshapedRowsTest, SizeOne) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Center,
                           SoftmaxForm::LayerNormQuotient}) {
    AttentionSpec spec = make({"m>uz"}, "ne", "bhuze");
    spec.sizes['u'] = 4;
    spec.sizes['z'] = 1;
    spec.softmaxForm = form;
    expectRight(spec, {{{'n', 4}}});
    expectRight(spec, {{{'n', 1}}});
    // Nothing is cut of the keys either.
    expectRight(spec, {{{'n', 13}}, {{'n', 20}}});
    expectRight(spec, {{{'z', 1}}, {{'n', 4}}});
  }
}

// A loop over a dimension of size 1 that derivatives lack: what they are
// accumulated from is then outside of the loops, of the end.
TEST_F(ReshapedRowsTest, SizeOneAndDerivatives) {
  for (SoftmaxForm form : {SoftmaxForm::Center, SoftmaxForm::LayerNorm,
                           SoftmaxForm::LayerNormBias}) {
    AttentionSpec spec = make({"m>uz"}, "zne", "bhuze");
    spec.sizes['u'] = 1;
    spec.sizes['z'] = 4;
    spec.softmaxForm = form;
    for (LoopKind keys : {LoopKind::For, LoopKind::Split}) {
      expectRight(spec, {{{'u', 1}}, {{'n', 5}}}, {""}, LoopKind::Forall, keys);
      expectRight(spec, {{{'u', 1}}, {{'n', 5}}, {{'u', 1}}}, {""},
                  LoopKind::For, keys);
    }
  }
}

// Chains, ratios, polynomials and affine norms; other accumulators.
TEST_F(ReshapedRowsTest, EveryKindOfRepair) {
  for (SoftmaxForm form :
       {SoftmaxForm::Chain, SoftmaxForm::Guarded, SoftmaxForm::Rms,
        SoftmaxForm::L1, SoftmaxForm::MaxAbs, SoftmaxForm::Center,
        SoftmaxForm::LayerNorm, SoftmaxForm::LayerNormBias,
        SoftmaxForm::LayerNormQuotient}) {
    AttentionSpec spec = make({"bhm>w"}, "ne", "we");
    spec.softmaxForm = form;
    expectRight(spec, {{{'w', 2}}, {{'n', 4}}}, {"", "bw", "n"});
    expectRight(spec, {{{'n', 4}}}, {"", "bhmnw"}, LoopKind::For,
                LoopKind::Split);
    spec = make({"m>uz"}, "ne", "bhuze");
    spec.sizes['m'] = 6;
    spec.softmaxForm = form;
    expectRight(spec, {{{'b', 1}, {'u', 1}}, {{'n', 4}}}, {"", "mu"});
  }
  for (RootForm form :
       {RootForm::Max, RootForm::Square, RootForm::Twice, RootForm::Reduce}) {
    AttentionSpec spec = make({"bh>x"}, "xne", "xme");
    if (form == RootForm::Reduce) {
      spec.v = "n";
      spec.out = "xm";
    }
    spec.rootForm = form;
    expectRight(spec, {{{'x', 1}}, {{'n', 4}}}, {"", "bhxm"});
  }
}

TEST_F(ReshapedRowsTest, NarrowTypesAndMasks) {
  for (DType type : {DType::F16, DType::BF16}) {
    AttentionSpec spec = make({"bh>x"}, "xne", "xme");
    spec.type = spec.scoreType = spec.probType = spec.outType = type;
    spec.mask = MaskForm::Boolean;
    spec.maskDims = "bmn";
    spec.initIsInput = true;
    AttentionGraph graph = build(spec);
    // Whole rows are masked, and whole tiles of others.
    Tensor keep = makeKeep(spec);
    for (int64_t n = 0; n < 13; ++n) {
      keep.at({0, 1, n}) = 0;
      keep.at({1, 2, n}) = n >= 8;
      keep.at({1, 3, n}) = n < 4;
    }
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    inputs[spec.maskInput()] = makeMaskInput(spec, keep);
    FusionTest::expectRight(
        graph,
        {makeLevel(graph, {{'x', 1}, {'m', 3}}), makeLevel(graph, {{'n', 4}})},
        Form::Delayed, inputs);
  }
}

TEST_F(ReshapedRowsTest, LazilyRescaledMaxima) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Chain}) {
    AttentionSpec spec = make({"bh>x"}, "xne", "xme");
    spec.softmaxForm = form;
    AttentionGraph graph = build(spec);
    TileAndFuseOptions options = makeOptions(
        {makeLevel(graph, {{'x', 3}}), makeLevel(graph, {{'n', 4}})});
    options.rescaleThreshold = 2;
    Refusal refusal;
    FailureOr<FusionPlan> p = planTileAndFuse(graph.root, options, refusal);
    ASSERT_TRUE(succeeded(p)) << refusal.text;
    EXPECT_TRUE(p->repairs.back().factors.front().conditional);
    oracle::Random random(1);
    FusionOutcome outcome = fuseAndRun(
        graph, options, graph.randomInputs(random, {/*score=*/8}), *executor);
    EXPECT_TRUE(outcome.isRight()) << outcome.reason << outcome.plan;
  }
}

// Rows of the state stand for several rows of the accumulator: those of
// [g, m] for each of k in [g, k, m] or, merged, in [g k, m] and [g, k m].
TEST_F(ReshapedRowsTest, RepeatedRows) {
  struct Case {
    const char *dims, *groups;
    std::vector<int64_t> tiles;
  };
  const char *first = "[[0, 1], [2], [3]]", *second = "[[0], [1, 2], [3]]";
  for (const Case &c :
       {Case{"(g, k, m, n)", first, {2, 3}}, Case{"(g, k, m, n)", first, {1}},
        Case{"(k, g, m, n)", first, {0, 3}}, Case{"(k, g, m, n)", first, {1}},
        Case{"(g, k, m, n)", second, {1}}, Case{"(g, m, k, n)", second, {0, 4}},
        Case{"(g, m, k, n)", second, {2, 2}}}) {
    std::string dims = c.dims, groups = c.groups, order;
    for (char letter : dims)
      if (isalpha(letter))
        order += letter;
    std::string full = "tensor<", empties;
    for (char letter : order) {
      full += letter == 'k' ? "2x" : "?x";
      if (letter != 'k')
        empties += (empties.empty() ? "%" : ", %") + std::string(1, letter);
    }
    full += "f32>";
    std::string text = R"(
      #r = affine_map<(g, m, n) -> (g, m)>
      #x = affine_map<(g, m, n) -> (g, m, n)>
      #s = affine_map<)" +
                       dims + R"( -> (g, m, n)>
      #f = affine_map<)" +
                       dims + " -> " + dims + R"(>
      func.func @main(%x: tensor<?x?x?xf32>, %v: tensor<?x5xf32>)
          -> tensor<?x?x5xf32> {
        %zero = arith.constant 0.0 : f32
        %ninf = arith.constant 0xFF800000 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %g = tensor.dim %x, %c0 : tensor<?x?x?xf32>
        %m = tensor.dim %x, %c1 : tensor<?x?x?xf32>
        %n = tensor.dim %x, %c2 : tensor<?x?x?xf32>
        %re = tensor.empty(%g, %m) : tensor<?x?xf32>
        %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<?x?xf32>)
          -> tensor<?x?xf32>
        %mf = linalg.fill ins(%ninf : f32) outs(%re : tensor<?x?xf32>)
          -> tensor<?x?xf32>
        %max = linalg.generic {indexing_maps = [#x, #r],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%x : tensor<?x?x?xf32>) outs(%mf : tensor<?x?xf32>) {
        ^bb0(%a: f32, %b: f32):
          %o = arith.maximumf %a, %b : f32
          linalg.yield %o : f32
        } -> tensor<?x?xf32>
        %ee = tensor.empty(%g, %m, %n) : tensor<?x?x?xf32>
        %e = linalg.generic {indexing_maps = [#x, #r, #x],
            iterator_types = ["parallel", "parallel", "parallel"]}
            ins(%x, %max : tensor<?x?x?xf32>, tensor<?x?xf32>)
            outs(%ee : tensor<?x?x?xf32>) {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %d = arith.subf %a, %b : f32
          %o = math.exp %d : f32
          linalg.yield %o : f32
        } -> tensor<?x?x?xf32>
        %sum = linalg.generic {indexing_maps = [#x, #r],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%e : tensor<?x?x?xf32>) outs(%rf : tensor<?x?xf32>) {
        ^bb0(%a: f32, %b: f32):
          %o = arith.addf %a, %b : f32
          linalg.yield %o : f32
        } -> tensor<?x?xf32>
        %p = linalg.generic {indexing_maps = [#x, #r, #x],
            iterator_types = ["parallel", "parallel", "parallel"]}
            ins(%e, %sum : tensor<?x?x?xf32>, tensor<?x?xf32>)
            outs(%ee : tensor<?x?x?xf32>) {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %o = arith.divf %a, %b : f32
          linalg.yield %o : f32
        } -> tensor<?x?x?xf32>
        %be = tensor.empty()" +
                       empties + ") : " + full + R"(
        %b = linalg.generic {indexing_maps = [#s, #f],
            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
            ins(%p : tensor<?x?x?xf32>) outs(%be : )" +
                       full + R"() {
        ^bb0(%a: f32, %c: f32):
          linalg.yield %a : f32
        } -> )" + full +
                       R"(
        %q = tensor.collapse_shape %b )" +
                       groups + " : " + full + R"(
          into tensor<?x?x?xf32>
        %d0 = tensor.dim %q, %c0 : tensor<?x?x?xf32>
        %d1 = tensor.dim %q, %c1 : tensor<?x?x?xf32>
        %oe = tensor.empty(%d0, %d1) : tensor<?x?x5xf32>
        %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x5xf32>)
          -> tensor<?x?x5xf32>
        %o = linalg.generic {indexing_maps = [
              affine_map<(a, b, e, n) -> (a, b, n)>,
              affine_map<(a, b, e, n) -> (n, e)>,
              affine_map<(a, b, e, n) -> (a, b, e)>],
            iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
            ins(%q, %v : tensor<?x?x?xf32>, tensor<?x5xf32>)
            outs(%of : tensor<?x?x5xf32>) attrs = {linalg_ext.root} {
        ^bb0(%a: f32, %b2: f32, %c: f32):
          %t = arith.mulf %a, %b2 : f32
          %o2 = arith.addf %c, %t : f32
          linalg.yield %o2 : f32
        } -> tensor<?x?x5xf32>
        return %o : tensor<?x?x5xf32>
      })";
    for (Form form : {Form::Delayed, Form::Eager}) {
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
      ASSERT_TRUE(module) << text;
      Operation *root = nullptr;
      module->walk([&](linalg::GenericOp op) {
        if (op->hasAttr("linalg_ext.root"))
          root = op;
      });
      TilingLevel rowLevel, keyLevel;
      rowLevel.kind = LoopKind::Forall;
      rowLevel.tileSizes.assign(c.tiles.begin(), c.tiles.end());
      keyLevel.tileSizes = {0, 0, 0, 4};
      oracle::Random random(1);
      std::vector<Tensor> inputs = {
          oracle::random(random, {3, 4, 13}, -4, 4, DType::F32),
          oracle::random(random, {13, 5}, -1, 1, DType::F32)};
      TileAndFuseOptions options = makeOptions({rowLevel, keyLevel}, form);
      Refusal refusal;
      FailureOr<FusionPlan> p = planTileAndFuse(root, options, refusal);
      ASSERT_TRUE(succeeded(p)) << refusal.text;
      EXPECT_EQ(p->repairs.size(), 2u) << dims;
      EXPECT_NE(::print(p->repairs.back().factors.front().value.rows).find('_'),
                std::string::npos);
      FusionOutcome outcome = fuseAndRun(
          *module, root, options, inputs,
          [&]() -> std::vector<Bounded> {
            Bounded weights =
                oracle::softmax(Bounded(inputs[0]), 2, DType::F32, DType::F32,
                                /*steps=*/4);
            oracle::Shape shape;
            for (char letter : order)
              shape.push_back(letter == 'g'   ? 3
                              : letter == 'k' ? 2
                              : letter == 'm' ? 4
                                              : 13);
            Bounded repeated =
                oracle::contract("gmn,k->" + order, weights,
                                 Bounded(Tensor({2}, 1.0)), DType::F32, 0);
            bool isFirst = StringRef(groups).starts_with("[[0, 1]");
            oracle::Shape merged =
                isFirst ? oracle::Shape{shape[0] * shape[1], shape[2], 13}
                        : oracle::Shape{shape[0], shape[1] * shape[2], 13};
            repeated.value.shape = repeated.error.shape = merged;
            return {oracle::contract("abn,ne->abe", repeated,
                                     Bounded(inputs[1]), DType::F32, 8)};
          },
          *executor);
      EXPECT_TRUE(outcome.isRight())
          << dims << " " << groups << " " << getName(outcome.stage) << ": "
          << outcome.reason << outcome.plan;
    }
  }
}
