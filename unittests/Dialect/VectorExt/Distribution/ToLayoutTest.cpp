//===- ToLayoutTest.cpp - Changes of layout, executed ---------------------===//
//
// Values go from one random layout to another: by registers, by shuffles,
// through shared memory.
//
//===----------------------------------------------------------------------===//

#include "DistributionTest.h"

#include "mlir-ext/Layout/Conversion.h"

using namespace linalg_ext_test;
using mlir::layout::Layout;
using oracle::Random;
using oracle::Tensor;

namespace {
class ToLayoutTest : public DistributionTest {};
} // namespace

static std::vector<int64_t> getRandomShape(Random &random) {
  static const std::vector<std::vector<int64_t>> shapes = {
      {1},      {2},     {6},       {32},     {64},       {80},    {96},
      {8, 8},   {16, 8}, {12, 20},  {32, 16}, {64, 24},   {1, 48}, {7, 32},
      {2, 4, 8}, {3, 8, 2}, {4, 1, 16}, {2, 2, 3, 8}, {16, 16}, {128}};
  return random.pick(shapes);
}

/// `layout` with its registers numbered otherwise.
static Layout renumberRegisters(Random &random, const Layout &layout) {
  using namespace mlir::layout;
  std::vector<DimDigits> dims(layout.getDims().begin(), layout.getDims().end());
  std::vector<Digit *> digits;
  for (DimDigits &dim : dims)
    for (Digit &digit : dim)
      if (digit.axis == Axis::Register)
        digits.push_back(&digit);
  for (size_t i = digits.size(); i > 1; --i)
    std::swap(digits[i - 1], digits[random.integer(0, i - 1)]);
  int64_t stride = 1;
  for (Digit *digit : digits) {
    digit->stride = stride;
    stride *= digit->size;
  }
  return *Layout::get(dims, layout.getNumLanes(), layout.getNumSubgroups());
}

TEST_F(ToLayoutTest, RandomPairs) {
  Random random(1);
  int64_t kinds[4] = {0, 0, 0, 0};
  for (int i = 0; i < 1500; ++i) {
    Threads threads = getRandomThreads(random);
    std::vector<int64_t> shape = getRandomShape(random);
    Layout from = getRandomLayout(random, shape, threads);
    Layout to = getRandomLayout(random, shape, threads);
    if (random.chance(0.2))
      to = renumberRegisters(random, from);
    bool sharedMemory = random.chance(0.2);
    ++kinds[static_cast<int>(classifyConversion(from, to).kind)];
    std::string type = random.pick<std::string>(
        {"f32", "f16", "f16", "bf16", "f64", "i1", "i8", "i32", "i64"});
    Tensor values = type == "i1" ? getRandomValues(random, shape, 0, 1)
                                 : getRandomValues(random, shape);
    std::string vector = vectorType(shape, type);
    std::string memory = memrefType(shape, type);
    std::string failure =
        check(threads,
              {{"in", memory, values}, {"out", memory, values, true}},
              read("x", "in", shape, type) + toLayout("y", "x", from, vector) +
                  toLayout("z", "y", to, vector, sharedMemory) +
                  write("z", "out", shape, type),
              /*matrixLoads=*/threads.lanes == 32 && random.chance(0.5));
    ASSERT_EQ(failure, "") << "case " << i;
  }
  // All kinds are met.
  for (int64_t count : kinds)
    EXPECT_GT(count, 20);
}
