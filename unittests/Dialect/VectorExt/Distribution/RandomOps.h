//===- RandomOps.h - Random operands of distributed ops --------*- C++ -*-===//
//
// Shapes, types and layouts of the operands and results of an op that is
// distributed. The layouts of operands and results are independent.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_RANDOMOPS_H
#define LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_RANDOMOPS_H

#include "DistributionTest.h"

#include <string>
#include <vector>

namespace linalg_ext_test {

using Sizes = std::vector<int64_t>;

class DistributedOpsTest : public DistributionTest {
protected:
  /// One op, for which `check` is called often.
  static constexpr int kCases = 250;
};

inline Sizes getRandomShape(oracle::Random &random, int64_t minRank = 1,
                            int64_t maxRank = 3) {
  int64_t rank = random.integer(minRank, maxRank);
  Sizes shape;
  int64_t elements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = random.pick<int64_t>({1, 2, 3, 4, 6, 8, 16, 20, 32});
    if (elements * size > 1024)
      size = 2;
    elements *= size;
    shape.push_back(size);
  }
  return shape;
}

/// A random layout for %`name`, most of the time; else what the analysis finds.
inline std::string maybeToLayout(oracle::Random &random, const Threads &threads,
                                 const std::string &result,
                                 const std::string &name, const Sizes &shape,
                                 const std::string &type) {
  std::string vector = vectorType(shape, type);
  if (shape.empty() || random.chance(0.25))
    return "%" + result + "_bit = arith.constant true\n%" + result +
           " = arith.select %" + result + "_bit, %" + name + ", %" + name +
           " : " + vector + "\n";
  return toLayout(result, name, getRandomLayout(random, shape, threads, 32),
                  vector);
}

inline std::string getRandomType(oracle::Random &random) {
  return random.pick<std::string>({"f32", "f32", "f16", "i32", "f64", "i8"});
}

/// %y = `op`(%x), from %in to %out, both in random layouts.
inline std::string getUnaryBody(oracle::Random &random, const Threads &threads,
                                const Sizes &from, const Sizes &to,
                                const std::string &type,
                                const std::string &op) {
  return read("x0", "in", from, type) +
         maybeToLayout(random, threads, "x", "x0", from, type) + op + "\n" +
         maybeToLayout(random, threads, "y1", "y", to, type) +
         write("y1", "out", to, type);
}

inline std::string getList(const Sizes &list) {
  std::string text;
  for (int64_t i : list)
    text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_RANDOMOPS_H
