//===- OpsTest.cpp - Distributed ops, executed ----------------------------===//
//
// Every op that can be distributed, on random shapes, layouts and data: the
// layouts of its operands and of its result are asked for independently.
//
//===----------------------------------------------------------------------===//

#include "DistributionTest.h"

#include <cmath>
#include <numeric>
#include <tuple>

using namespace linalg_ext_test;
using mlir::layout::Layout;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;
using Sizes = std::vector<int64_t>;

namespace {
class DistributedOpsTest : public DistributionTest {
protected:
  /// One op, for which `check` is called often.
  static constexpr int kCases = 250;
};
} // namespace

static Sizes getRandomShape(Random &random, int64_t minRank = 1,
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
static std::string maybeToLayout(Random &random, const Threads &threads,
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

static std::string getRandomType(Random &random) {
  return random.pick<std::string>({"f32", "f32", "f16", "i32", "f64", "i8"});
}

/// %y = `op`(%x), from %in to %out, both in random layouts.
static std::string getUnaryBody(Random &random, const Threads &threads,
                                const Sizes &from, const Sizes &to,
                                const std::string &type,
                                const std::string &op) {
  return read("x0", "in", from, type) +
         maybeToLayout(random, threads, "x", "x0", from, type) + op + "\n" +
         maybeToLayout(random, threads, "y1", "y", to, type) +
         write("y1", "out", to, type);
}

static std::string getList(const Sizes &list) {
  std::string text;
  for (int64_t i : list)
    text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

TEST_F(DistributedOpsTest, Transpose) {
  Random random(2);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random), perm(shape.size()), result;
    std::iota(perm.begin(), perm.end(), 0);
    for (size_t j = perm.size(); j > 1; --j)
      std::swap(perm[j - 1], perm[random.integer(0, j - 1)]);
    for (int64_t dim : perm)
      result.push_back(shape[dim]);
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape), y((Shape(result)));
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      Index from(at.size());
      for (size_t j = 0; j < at.size(); ++j)
        from[perm[j]] = at[j];
      y.at(at) = x.at(from);
    });
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(result, type), y, true}},
                    getUnaryBody(random, threads, shape, result, type,
                                 "%y = vector.transpose %x, " + getList(perm) +
                                     " : " + vectorType(shape, type) + " to " +
                                     vectorType(result, type))),
              "")
        << "case " << i;
  }
}

/// A shape of as many elements as `shape`.
static Sizes getRandomReshape(Random &random, const Sizes &shape) {
  int64_t rest = 1;
  for (int64_t size : shape)
    rest *= size;
  Sizes result;
  while (rest > 1 && result.size() < 3) {
    Sizes divisors;
    for (int64_t i = 1; i <= rest; ++i)
      if (rest % i == 0)
        divisors.push_back(i);
    result.push_back(random.pick(divisors));
    rest /= result.back();
  }
  result.push_back(rest);
  return result;
}

TEST_F(DistributedOpsTest, ShapeCast) {
  Random random(3);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random);
    Sizes result = getRandomReshape(random, shape);
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape);
    Tensor y(Shape(result), x.data);
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(result, type), y, true}},
                    getUnaryBody(random, threads, shape, result, type,
                                 "%y = vector.shape_cast %x : " +
                                     vectorType(shape, type) + " to " +
                                     vectorType(result, type))),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Interleave) {
  Random random(20);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random), pairs = shape;
    pairs.back() *= 2;
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape),
           y = getRandomValues(random, shape);
    Tensor xy((Shape(pairs)));
    oracle::forEachIndex(xy.shape, [&](const Index &at) {
      Index from = at;
      from.back() = at.back() / 2;
      xy.at(at) = at.back() % 2 ? y.at(from) : x.at(from);
    });
    std::string body =
        read("x0", "x", shape, type) + read("y0", "y", shape, type) +
        maybeToLayout(random, threads, "x1", "x0", shape, type) +
        maybeToLayout(random, threads, "y1", "y0", shape, type) +
        "%xy0 = vector.interleave %x1, %y1 : " + vectorType(shape, type) +
        " -> " + vectorType(pairs, type) + "\n" +
        maybeToLayout(random, threads, "xy1", "xy0", pairs, type) +
        write("xy1", "xy", pairs, type);
    ASSERT_EQ(check(threads,
                    {{"x", memrefType(shape, type), x},
                     {"y", memrefType(shape, type), y},
                     {"xy", memrefType(pairs, type), xy, true}},
                    body),
              "")
        << "case " << i;
  }
}

/// The bits of elements of `wide` bits as several elements of `narrow` bits, the
/// lowest first, or the other way round.
TEST_F(DistributedOpsTest, BitCast) {
  Random random(22);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    int64_t wide = 0, narrow = 0;
    std::tie(wide, narrow) = random.pick<std::pair<int64_t, int64_t>>(
        {{32, 32}, {16, 8}, {32, 8}, {32, 16}, {64, 16}});
    int64_t count = wide / narrow;
    Sizes shape = getRandomShape(random), groups = shape;
    groups.back() *= count;
    Tensor x((Shape(shape))), parts((Shape(groups)));
    oracle::forEachIndex(parts.shape, [&](const Index &at) {
      parts.at(at) = random.integer(0, 100);
    });
    oracle::forEachIndex(x.shape, [&](const Index &at) {
      double value = 0;
      // Few bits, which a double has exactly.
      for (int64_t part = std::min<int64_t>(count, 3); part-- > 0;) {
        Index from = at;
        from.back() = count * at.back() + part;
        value = value * std::ldexp(1, narrow) + parts.at(from);
      }
      for (int64_t part = 3; part < count; ++part) {
        Index from = at;
        from.back() = count * at.back() + part;
        parts.at(from) = 0;
      }
      x.at(at) = value;
    });
    std::string wideType = "i" + std::to_string(wide),
                narrowType = "i" + std::to_string(narrow);
    bool narrows = random.chance(0.5);
    std::string fromType = narrows ? wideType : narrowType,
                toType = narrows ? narrowType : wideType;
    const Sizes &from = narrows ? shape : groups, &to = narrows ? groups : shape;
    const Tensor &input = narrows ? x : parts, &output = narrows ? parts : x;
    std::string body =
        read("a0", "a", from, fromType) +
        maybeToLayout(random, threads, "a1", "a0", from, fromType) +
        "%b0 = vector.bitcast %a1 : " + vectorType(from, fromType) + " to " +
        vectorType(to, toType) + "\n" +
        maybeToLayout(random, threads, "b1", "b0", to, toType) +
        write("b1", "b", to, toType);
    ASSERT_EQ(check(threads,
                    {{"a", memrefType(from, fromType), input},
                     {"b", memrefType(to, toType), output, true}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Deinterleave) {
  Random random(21);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random), pairs = shape;
    pairs.back() *= 2;
    std::string type = getRandomType(random);
    Tensor xy = getRandomValues(random, pairs), x((Shape(shape))), y = x;
    oracle::forEachIndex(x.shape, [&](const Index &at) {
      Index from = at;
      from.back() = 2 * at.back();
      x.at(at) = xy.at(from);
      ++from.back();
      y.at(at) = xy.at(from);
    });
    std::string body =
        read("xy0", "xy", pairs, type) +
        maybeToLayout(random, threads, "xy1", "xy0", pairs, type) +
        "%x0, %y0 = vector.deinterleave %xy1 : " + vectorType(pairs, type) +
        " -> " + vectorType(shape, type) + "\n" +
        maybeToLayout(random, threads, "x1", "x0", shape, type) +
        maybeToLayout(random, threads, "y1", "y0", shape, type) +
        write("x1", "x", shape, type) + write("y1", "y", shape, type);
    ASSERT_EQ(check(threads,
                    {{"xy", memrefType(pairs, type), xy},
                     {"x", memrefType(shape, type), x, true},
                     {"y", memrefType(shape, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

/// An elementwise op with two results: what is lost above 2^32, too.
TEST_F(DistributedOpsTest, MulUIExtended) {
  Random random(22);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random);
    Tensor x((Shape(shape))), y = x, low = x, high = x;
    oracle::forEachIndex(x.shape, [&](const Index &at) {
      uint64_t a = random.integer(0, UINT32_MAX),
               b = random.integer(0, UINT32_MAX);
      x.at(at) = int32_t(a);
      y.at(at) = int32_t(b);
      low.at(at) = int32_t(a * b);
      high.at(at) = int32_t(a * b >> 32);
    });
    std::string body =
        read("x0", "x", shape, "i32") + read("y0", "y", shape, "i32") +
        maybeToLayout(random, threads, "x1", "x0", shape, "i32") +
        maybeToLayout(random, threads, "y1", "y0", shape, "i32") +
        "%low0, %high0 = arith.mului_extended %x1, %y1 : " +
        vectorType(shape, "i32") + "\n" +
        maybeToLayout(random, threads, "low1", "low0", shape, "i32") +
        maybeToLayout(random, threads, "high1", "high0", shape, "i32") +
        write("low1", "low", shape, "i32") +
        write("high1", "high", shape, "i32");
    ASSERT_EQ(check(threads,
                    {{"x", memrefType(shape, "i32"), x},
                     {"y", memrefType(shape, "i32"), y},
                     {"low", memrefType(shape, "i32"), low, true},
                     {"high", memrefType(shape, "i32"), high, true}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Broadcast) {
  Random random(4);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes result = getRandomShape(random);
    // The last dimensions, some of them of size one.
    int64_t leading = random.integer(0, result.size() - 1);
    Sizes shape(result.begin() + leading, result.end());
    for (int64_t &size : shape)
      if (random.chance(0.3))
        size = 1;
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape), y((Shape(result)));
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      Index from(at.begin() + leading, at.end());
      for (size_t j = 0; j < from.size(); ++j)
        from[j] = shape[j] == 1 ? 0 : from[j];
      y.at(at) = x.at(from);
    });
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(result, type), y, true}},
                    getUnaryBody(random, threads, shape, result, type,
                                 "%y = vector.broadcast %x : " +
                                     vectorType(shape, type) + " to " +
                                     vectorType(result, type))),
              "")
        << "case " << i;
  }
}

/// `vector.outerproduct` with and without an accumulator, and times a scalar.
/// The layouts of the operands are independent of that of the result.
TEST_F(DistributedOpsTest, OuterProduct) {
  Random random(23);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 2, 2);
    bool isScalar = random.chance(0.2), accumulates = random.chance(0.6);
    if (isScalar)
      shape.pop_back();
    std::string type = random.pick<std::string>({"f32", "f16", "i32", "f64"});
    std::string kind =
        !accumulates ? "add"
        : type[0] == 'f'
            ? random.pick<std::string>({"add", "mul", "minimumf", "maxnumf"})
            : random.pick<std::string>({"add", "mul", "minsi", "maxsi"});
    Sizes rows = {shape[0]}, columns = {isScalar ? 1 : shape[1]};
    Tensor x = getRandomValues(random, rows),
           y = getRandomValues(random, columns),
           z = getRandomValues(random, shape), expected((Shape(shape)));
    oracle::forEachIndex(expected.shape, [&](const Index &at) {
      double product = x.at({at[0]}) * y.at({isScalar ? 0 : at[1]});
      double old = z.at(at);
      expected.at(at) = !accumulates     ? product
                        : kind == "add"  ? old + product
                        : kind == "mul"  ? old * product
                        : kind[1] == 'i' ? std::min(old, product)
                                         : std::max(old, product);
    });
    std::string result = vectorType(shape, type);
    std::string body =
        read("x0", "x", rows, type) + read("y0", "y", columns, type) +
        read("z0", "z", shape, type) +
        maybeToLayout(random, threads, "x1", "x0", rows, type) +
        maybeToLayout(random, threads, "y1", "y0", columns, type) +
        maybeToLayout(random, threads, "z1", "z0", shape, type);
    if (isScalar)
      body += "%y2 = memref.load %y[%c0] : " + memrefType(columns, type) + "\n";
    body += "%r = vector.outerproduct %x1, %y" +
            std::string(isScalar ? "2" : "1") + (accumulates ? ", %z1" : "") +
            " {kind = #vector.kind<" + kind + ">} : " + vectorType(rows, type) +
            ", " + (isScalar ? type : vectorType(columns, type)) + "\n" +
            maybeToLayout(random, threads, "r1", "r", shape, type) +
            write("r1", "out", shape, type);
    ASSERT_EQ(check(threads,
                    {{"x", memrefType(rows, type), x},
                     {"y", memrefType(columns, type), y},
                     {"z", memrefType(shape, type), z},
                     {"out", memrefType(shape, type), expected, true}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, MultiReduction) {
  Random random(5);
  for (int i = 0; i < 2 * kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random), result, reduced;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (random.chance(0.5))
        reduced.push_back(dim);
      else
        result.push_back(shape[dim]);
    }
    std::string type = random.pick<std::string>({"f32", "f16", "i32", "f64"});
    bool isFloat = type[0] == 'f';
    std::string kind = random.pick<std::string>(
        {"add", isFloat ? "maximumf" : "maxsi", isFloat ? "minnumf" : "minsi"});
    auto combine = [&](double lhs, double rhs) {
      return kind == "add"        ? lhs + rhs
             : kind[1] == 'a' ? std::max(lhs, rhs)
                              : std::min(lhs, rhs);
    };
    // Sums of up to 1024 values stay exact in f16.
    Tensor x = getRandomValues(random, shape, -1, 1);
    Tensor acc = getRandomValues(random, result, -1, 1), y = acc;
    oracle::forEachIndex(x.shape, [&](const Index &at) {
      Index to;
      for (size_t dim = 0; dim < at.size(); ++dim)
        if (std::find(reduced.begin(), reduced.end(), dim) == reduced.end())
          to.push_back(at[dim]);
      y.at(to) = combine(y.at(to), x.at(at));
    });
    std::string from = vectorType(shape, type);
    std::string to = result.empty() ? type : vectorType(result, type);
    std::string body =
        read("x0", "in", shape, type) +
        maybeToLayout(random, threads, "x", "x0", shape, type);
    if (result.empty())
      body += "%acc = memref.load %init[] : memref<" + type + ">\n";
    else
      body += read("acc0", "init", result, type) +
              maybeToLayout(random, threads, "acc", "acc0", result, type);
    body += "%y = vector.multi_reduction <" + kind + ">, %x, %acc " +
            getList(reduced) + " : " + from + " to " + to + "\n";
    if (result.empty())
      body += "memref.store %y, %out[] : memref<" + type + ">\n";
    else
      body += maybeToLayout(random, threads, "z", "y", result, type) +
              write("z", "out", result, type);
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"init", memrefType(result, type), acc},
                     {"out", memrefType(result, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Extract) {
  Random random(6);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 2), position;
    int64_t rank = random.integer(1, shape.size() - 1);
    for (int64_t dim = 0; dim < rank; ++dim)
      position.push_back(random.integer(0, shape[dim] - 1));
    Sizes result(shape.begin() + rank, shape.end());
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape), y((Shape(result)));
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      Index from(position.begin(), position.end());
      from.insert(from.end(), at.begin(), at.end());
      y.at(at) = x.at(from);
    });
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(result, type), y, true}},
                    getUnaryBody(random, threads, shape, result, type,
                                 "%y = vector.extract %x" + getList(position) +
                                     " : " + vectorType(result, type) +
                                     " from " + vectorType(shape, type))),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Insert) {
  Random random(13);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random);
    int64_t rank = random.integer(1, shape.size());
    std::string constants, position;
    Sizes at;
    for (int64_t dim = 0; dim < rank; ++dim) {
      at.push_back(random.integer(0, shape[dim] - 1));
      std::string name = "%p" + std::to_string(dim);
      constants += name + " = arith.constant " + std::to_string(at.back()) +
                   " : index\n";
      position += (position.empty() ? "" : ", ") +
                  (random.chance(0.5) ? name : std::to_string(at.back()));
    }
    Sizes inner(shape.begin() + rank, shape.end());
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape), y = x;
    Tensor part = getRandomValues(random, inner);
    oracle::forEachIndex(part.shape, [&](const Index &from) {
      Index to(at.begin(), at.end());
      to.insert(to.end(), from.begin(), from.end());
      y.at(to) = part.at(from);
    });
    std::string body =
        constants + read("x0", "in", shape, type) +
        maybeToLayout(random, threads, "x", "x0", shape, type);
    if (inner.empty())
      body += "%v = memref.load %part[] : memref<" + type + ">\n";
    else
      body += read("v0", "part", inner, type) +
              maybeToLayout(random, threads, "v", "v0", inner, type);
    body += "%y = vector.insert %v, %x [" + position + "] : " +
            (inner.empty() ? type : vectorType(inner, type)) + " into " +
            vectorType(shape, type) + "\n" +
            maybeToLayout(random, threads, "z", "y", shape, type) +
            write("z", "out", shape, type);
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"part", memrefType(inner, type), part},
                     {"out", memrefType(shape, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, FromElements) {
  Random random(14);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = random.pick<Sizes>({{1}, {4}, {2, 3}, {8}, {2, 2, 2}});
    Tensor x = getRandomValues(random, shape);
    std::string body, list;
    for (int64_t j = 0; j < x.size(); ++j) {
      std::string name = "%e" + std::to_string(j);
      body += name + "_at = arith.constant " + std::to_string(j) +
              " : index\n" + name + " = memref.load %in[" + name +
              "_at] : memref<" + std::to_string(x.size()) + "xf32>\n";
      list += (j ? ", " : "") + name;
    }
    ASSERT_EQ(
        check(threads,
              {{"in", "memref<" + std::to_string(x.size()) + "xf32>",
                Tensor({x.size()}, x.data)},
               {"out", memrefType(shape, "f32"), x, true}},
              body + "%x = vector.from_elements " + list + " : " +
                  vectorType(shape, "f32") + "\n" +
                  maybeToLayout(random, threads, "y", "x", shape, "f32") +
                  write("y", "out", shape, "f32")),
        "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Constants) {
  Random random(7);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = random.pick<Sizes>({{4}, {12}, {2, 3}, {8, 4}, {2, 2, 5}});
    Tensor x = getRandomValues(random, shape);
    std::string list;
    // Nested lists of one number a line are what a parser takes as well: the
    // shape is given by a shape_cast.
    for (double value : x.data)
      list += (list.empty() ? "" : ", ") + std::to_string((int)value);
    Sizes flat = {x.size()};
    ASSERT_EQ(check(threads, {{"out", memrefType(shape, "i32"), x, true}},
                    "%x0 = arith.constant dense<[" + list +
                        "]> : " + vectorType(flat, "i32") + "\n" +
                        maybeToLayout(random, threads, "x", "x0", flat, "i32") +
                        "%y = vector.shape_cast %x : " +
                        vectorType(flat, "i32") + " to " +
                        vectorType(shape, "i32") + "\n" +
                        maybeToLayout(random, threads, "z", "y", shape, "i32") +
                        write("z", "out", shape, "i32")),
              "")
        << "case " << i;
  }
}

/// Positions and masks: out[i, j] = i < m and j < n ? 100 i + j : -1.
TEST_F(DistributedOpsTest, StepMaskSelect) {
  Random random(8);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 2, 2);
    int64_t m = random.integer(-1, shape[0] + 1);
    int64_t n = random.integer(-1, shape[1] + 1);
    Tensor y((Shape(shape)));
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      y.at(at) = at[0] < m && at[1] < n ? 100 * at[0] + at[1] : -1;
    });
    Sizes transposed = {shape[1], shape[0]};
    std::string index = vectorType(shape, "index");
    std::string rows = vectorType({shape[0]}, "index");
    std::string columns = vectorType({shape[1]}, "index");
    std::string number = vectorType(shape, "i64");
    std::string body = "%m = arith.constant " + std::to_string(m) +
                       " : index\n%n = arith.constant " + std::to_string(n) +
                       " : index\n%hundred = arith.constant dense<100> : " +
                       rows + "\n%r = vector.step : " + rows +
                       "\n%r100 = arith.muli %r, %hundred : " + rows +
                       "\n%rt = vector.broadcast %r100 : " + rows + " to " +
                       vectorType(transposed, "index") +
                       "\n%ri = vector.transpose %rt, [1, 0] : " +
                       vectorType(transposed, "index") + " to " + index +
                       "\n%c = vector.step : " + columns +
                       "\n%ci = vector.broadcast %c : " + columns + " to " +
                       index + "\n%sum = arith.addi %ri, %ci : " + index +
                       "\n%x = arith.index_cast %sum : " + index + " to " +
                       number + "\n" +
                       maybeToLayout(random, threads, "x1", "x", shape, "i64");
    body += "%mask0 = vector.create_mask %m, %n : " + vectorType(shape, "i1") +
            "\n" + maybeToLayout(random, threads, "mask", "mask0", shape, "i1");
    body += "%none = arith.constant dense<-1> : " + number +
            "\n%y = arith.select %mask, %x1, %none : " +
            vectorType(shape, "i1") + ", " + number + "\n" +
            maybeToLayout(random, threads, "z", "y", shape, "i64") +
            write("z", "out", shape, "i64");
    ASSERT_EQ(check(threads, {{"out", memrefType(shape, "i64"), y, true}}, body),
              "")
        << "case " << i;
  }
}

/// Transfers with masks, bounds, permutations and broadcasts.
TEST_F(DistributedOpsTest, Transfers) {
  Random random(9);
  for (int i = 0; i < 2 * kCases; ++i) {
    Threads threads = getRandomThreads(random);
    // The memory has the tile at an offset, and need not have all of it.
    Sizes tile = getRandomShape(random, 2, 2);
    bool isTransposed = random.chance(0.3);
    int broadcastDim = random.chance(0.25) ? random.integer(0, 1) : -1;
    Sizes inMemory = tile;
    if (isTransposed)
      std::swap(inMemory[0], inMemory[1]);
    Sizes size(2), offset(2), bound(2);
    std::string bounds[2];
    for (int dim = 0; dim < 2; ++dim) {
      offset[dim] = random.pick<int64_t>({0, 0, 1, 4, 8});
      bool isInside = random.chance(0.5);
      size[dim] = offset[dim] + (isInside ? inMemory[dim] + random.integer(0, 5)
                                          : random.integer(1, inMemory[dim]));
      bounds[dim] = isInside ? "true" : "false";
      bound[dim] = random.integer(0, inMemory[dim] + 1);
    }
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, size), y(Shape(tile), -7);
    int maskKind = random.integer(0, 3);
    Tensor bits = getRandomValues(random, inMemory, 0, 1);
    // The dimension of the memory that dimension `dim` of the tile is.
    auto getDim = [&](int dim) { return isTransposed ? 1 - dim : dim; };
    // A dimension of the memory that is broadcast is read at the offset.
    int removed = broadcastDim < 0 ? -1 : getDim(broadcastDim);
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      Index tileAt(2), from(2);
      bool isHere = true;
      for (int dim = 0; dim < 2; ++dim) {
        int to = getDim(dim);
        tileAt[to] = dim == broadcastDim ? 0 : at[dim];
        from[to] = offset[to] + tileAt[to];
        isHere &= from[to] < size[to];
        if (maskKind == 1 && dim != broadcastDim)
          isHere &= at[dim] < bound[to];
      }
      if (maskKind == 2)
        isHere &= bits.at(tileAt) != 0;
      if (isHere)
        y.at(at) = x.at(from);
    });
    Sizes maskShape;
    std::string maskBounds;
    for (int dim = 0; dim < 2; ++dim)
      if (dim != removed) {
        maskShape.push_back(inMemory[dim]);
        maskBounds += (maskBounds.empty() ? "%b" : ", %b") + std::to_string(dim);
      }
    std::string body;
    for (int dim = 0; dim < 2; ++dim)
      body += "%o" + std::to_string(dim) + " = arith.constant " +
              std::to_string(offset[dim]) + " : index\n%b" +
              std::to_string(dim) + " = arith.constant " +
              std::to_string(bound[dim]) + " : index\n";
    std::string mask, maskType = vectorType(maskShape, "i1");
    if (maskKind == 1) {
      mask = ", %mask";
      body += "%mask = vector.create_mask " + maskBounds + " : " + maskType +
              "\n";
    } else if (maskKind == 2) {
      mask = ", %mask";
      body += read("bits_all", "bits", inMemory, "i1") +
              "%bits_in = vector_ext.to_layout %bits_all to <" +
              getRandomLayout(random, inMemory, threads).str() +
              ", lanes = " + std::to_string(threads.lanes) +
              ", subgroups = " + std::to_string(threads.subgroups) +
              "> : " + vectorType(inMemory, "i1") + "\n";
      if (removed == 0)
        body += "%mask0 = vector.extract %bits_in[0] : " + maskType + " from " +
                vectorType(inMemory, "i1") + "\n";
      else if (removed == 1)
        body += "%bits_t = vector.transpose %bits_in, [1, 0] : " +
                vectorType(inMemory, "i1") + " to " +
                vectorType({inMemory[1], inMemory[0]}, "i1") +
                "\n%mask0 = vector.extract %bits_t[0] : " + maskType +
                " from " + vectorType({inMemory[1], inMemory[0]}, "i1") + "\n";
      else
        body += "%k = arith.constant true\n%mask0 = arith.select %k, %bits_in, "
                "%bits_in : " +
                maskType + "\n";
      body += maybeToLayout(random, threads, "mask", "mask0", maskShape, "i1");
    }
    std::string results[2];
    for (int dim = 0; dim < 2; ++dim)
      results[dim] = dim == broadcastDim ? "0" : getDim(dim) ? "d1" : "d0";
    std::string inBounds[2];
    for (int dim = 0; dim < 2; ++dim)
      inBounds[dim] = dim == broadcastDim ? "true" : bounds[getDim(dim)];
    std::string padding = type[0] == 'f' ? "-7.0" : "-7";
    body += "%pad = arith.constant " + padding + " : " + type +
            "\n%x0 = vector.transfer_read %in[%o0, %o1], %pad" + mask +
            " {in_bounds = [" + inBounds[0] + ", " + inBounds[1] +
            "], permutation_map = affine_map<(d0, d1) -> (" + results[0] +
            ", " + results[1] + ")>} : " +
            (random.chance(0.5) ? memrefType(size, type)
                                : "memref<?x?x" + type + ">") +
            ", " + vectorType(tile, type) + "\n" +
            maybeToLayout(random, threads, "y", "x0", tile, type) +
            write("y", "out", tile, type);
    bool isDynamic = body.find("memref<?x?x") != std::string::npos;
    ASSERT_EQ(check(threads,
                    {{"in",
                      isDynamic ? "memref<?x?x" + type + ">"
                                : memrefType(size, type),
                      x},
                     {"bits", memrefType(inMemory, "i1"), bits},
                     {"out", memrefType(tile, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

/// Writes of a part of a memory that is left as it was elsewhere.
TEST_F(DistributedOpsTest, Writes) {
  Random random(10);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes tile = getRandomShape(random, 2, 2);
    bool isTransposed = random.chance(0.3);
    Sizes inMemory = tile, size(2), offset(2), bound(2);
    if (isTransposed)
      std::swap(inMemory[0], inMemory[1]);
    std::string constants, bounds[2];
    for (int dim = 0; dim < 2; ++dim) {
      offset[dim] = random.pick<int64_t>({0, 0, 1, 4, 8});
      bool isInside = random.chance(0.5);
      size[dim] = offset[dim] + (isInside ? inMemory[dim] + random.integer(0, 5)
                                          : random.integer(1, inMemory[dim]));
      bounds[dim] = isInside ? "true" : "false";
      bound[dim] = random.integer(0, inMemory[dim]);
      constants += "%o" + std::to_string(dim) + " = arith.constant " +
                   std::to_string(offset[dim]) + " : index\n";
    }
    std::string type = getRandomType(random);
    int maskKind = random.integer(0, 2);
    Tensor x = getRandomValues(random, tile);
    Tensor before = getRandomValues(random, size), after = before;
    oracle::forEachIndex(x.shape, [&](const Index &at) {
      Index to = {offset[0] + at[isTransposed], offset[1] + at[!isTransposed]};
      bool isHere = to[0] < size[0] && to[1] < size[1];
      if (maskKind == 1)
        isHere &= to[0] - offset[0] < bound[0] && to[1] - offset[1] < bound[1];
      if (isHere)
        after.at(to) = x.at(at);
    });
    std::string mask;
    std::string body = constants + read("x0", "in", tile, type) +
                       maybeToLayout(random, threads, "x", "x0", tile, type);
    if (maskKind == 1) {
      mask = ", %mask";
      body += "%mask = vector.constant_mask " + getList(bound) + " : " +
              vectorType(inMemory, "i1") + "\n";
      if (bound[0] == 0 || bound[1] == 0)
        continue; // Both or none are zero in a constant_mask.
    }
    std::string memory = memrefType(size, type);
    body += "vector.transfer_write %x, %copy[%o0, %o1]" + mask +
            " {in_bounds = [" + bounds[isTransposed] + ", " +
            bounds[!isTransposed] + "], permutation_map = affine_map<(d0, d1) "
            "-> " +
            (isTransposed ? "(d1, d0)" : "(d0, d1)") +
            ">} : " + vectorType(tile, type) + ", " + memory + "\n";
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(tile, type), x},
                     {"copy", memory, after, true, 0, before}},
                    body),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedOpsTest, Gather) {
  Random random(11);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 1, 2);
    std::string type = getRandomType(random);
    std::string index = random.pick<std::string>({"i32", "i64"});
    Tensor table = getRandomValues(random, {50});
    Tensor at = getRandomValues(random, shape, 0, 39);
    Tensor bits = getRandomValues(random, shape, 0, 1);
    Tensor other = getRandomValues(random, shape), y = other;
    int64_t offset = random.integer(0, 10);
    for (int64_t j = 0; j < y.size(); ++j)
      if (bits.data[j])
        y.data[j] = table.data[offset + static_cast<int64_t>(at.data[j])];
    std::string body =
        "%o = arith.constant " + std::to_string(offset) + " : index\n" +
        read("i0", "at", shape, index) +
        maybeToLayout(random, threads, "i", "i0", shape, index) +
        read("m0", "bits", shape, "i1") +
        maybeToLayout(random, threads, "m", "m0", shape, "i1") +
        read("p0", "other", shape, type) +
        maybeToLayout(random, threads, "p", "p0", shape, type) +
        "%y = vector.gather %table[%o] [%i], %m, %p : memref<50x" + type +
        ">, " + vectorType(shape, index) + ", " + vectorType(shape, "i1") +
        ", " + vectorType(shape, type) + " into " + vectorType(shape, type) +
        "\n" + maybeToLayout(random, threads, "z", "y", shape, type) +
        write("z", "out", shape, type);
    ASSERT_EQ(check(threads,
                    {{"table", "memref<50x" + type + ">", table},
                     {"at", memrefType(shape, index), at},
                     {"bits", memrefType(shape, "i1"), bits},
                     {"other", memrefType(shape, type), other},
                     {"out", memrefType(shape, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

namespace {
/// A random `transfer_gather` of a tile from pages of rows: result[at] =
/// pool[pages[row], rows[..], column], with the dimensions of the pool in any
/// order.
struct RandomGather {
  static constexpr int64_t kPages = 5, kRows = 4;

  RandomGather(Random &random, const Sizes &shape) : shape(shape) {
    rowDim = random.integer(0, 1);
    std::vector<Sizes> lists = {{rowDim}, {1 - rowDim}, {0, 1}, {1, 0}};
    rowsDims = random.pick(lists);
    maskDims = random.pick(lists);
    for (size_t i = 2; i > 0; --i)
      std::swap(order[i], order[random.integer(0, i)]);
    for (int64_t &offset : offsets)
      offset = random.integer(0, 2);
    pages = getRandomValues(random, getSizes({rowDim}), 0, kPages - 1);
    rows = getRandomValues(random, getSizes(rowsDims), 0, kRows - 1);
    Sizes poolSizes(3), inner = {kPages, kRows, shape[1 - rowDim]};
    for (int i = 0; i < 3; ++i)
      poolSizes[i] = inner[order[i]] + offsets[i];
    pool = getRandomValues(random, poolSizes);
    mask = getRandomValues(random, getSizes(maskDims), 0, 1);
  }

  Sizes getSizes(const Sizes &dims) const {
    Sizes sizes;
    for (int64_t dim : dims)
      sizes.push_back(shape[dim]);
    return sizes;
  }

  static oracle::Index getAt(const Sizes &dims, const Sizes &at) {
    oracle::Index result;
    for (int64_t dim : dims)
      result.push_back(at[dim]);
    return result;
  }

  Tensor getResult() const {
    Tensor y((Shape(shape)));
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) {
        Sizes at = {i, j};
        if (isMasked && !mask.at(getAt(maskDims, at)))
          continue;
        Sizes inner = {static_cast<int64_t>(pages.at({at[rowDim]})),
                       static_cast<int64_t>(rows.at(getAt(rowsDims, at))),
                       at[1 - rowDim]};
        oracle::Index from;
        for (int k = 0; k < 3; ++k)
          from.push_back(inner[order[k]] + offsets[k]);
        y.at({i, j}) = pool.at(from);
      }
    return y;
  }

  /// The attribute `indexing_maps`.
  std::string getMaps() const {
    auto map = [&](const Sizes &dims) {
      std::string text;
      for (int64_t dim : dims)
        text += std::string(text.empty() ? "" : ", ") + (dim ? "j" : "i");
      return "affine_map<(i, j) -> (" + text + ")>";
    };
    std::string names[3] = {"p", "r", rowDim ? "i" : "j"};
    return "affine_map<(i, j)[p, r] -> (" + names[order[0]] + ", " +
           names[order[1]] + ", " + names[order[2]] + ")>, " + map({rowDim}) +
           ", " + map(rowsDims) + (isMasked ? ", " + map(maskDims) : "");
  }

  Sizes shape, rowsDims, maskDims;
  int64_t rowDim;
  bool isMasked = true;
  std::array<int, 3> order = {0, 1, 2};
  std::array<int64_t, 3> offsets;
  Tensor pages{Shape{}}, rows{Shape{}}, pool{Shape{}}, mask{Shape{}};
};
} // namespace

TEST_F(DistributedOpsTest, TransferGather) {
  Random random(13);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 2, 2);
    std::string type = getRandomType(random);
    std::string index = random.pick<std::string>({"i32", "i64"});
    RandomGather gather(random, shape);
    gather.isMasked = random.chance(0.7);
    // A mask of the first elements, which `vector.create_mask` makes.
    bool isBound = random.chance(0.5);
    int64_t bound = random.integer(0, shape[gather.maskDims[0]]);
    if (isBound) {
      gather.maskDims.resize(1);
      gather.mask = Tensor(Shape(gather.getSizes(gather.maskDims)));
      for (int64_t j = 0; j < bound; ++j)
        gather.mask.at({j}) = 1;
    }
    Tensor y = gather.getResult();
    // What the mask leaves out is not read.
    if (gather.isMasked && gather.maskDims == Sizes{gather.rowDim})
      for (int64_t j = 0; j < gather.pages.size(); ++j)
        if (!gather.mask.data[j])
          gather.pages.data[j] = 1000;
    Sizes pages = gather.getSizes({gather.rowDim}),
          rows = gather.getSizes(gather.rowsDims),
          bits = gather.getSizes(gather.maskDims),
          pool(gather.pool.shape.begin(), gather.pool.shape.end());
    std::string body = read("p0", "pages", pages, index) +
                       maybeToLayout(random, threads, "p", "p0", pages, index) +
                       read("r0", "rows", rows, index) +
                       maybeToLayout(random, threads, "r", "r0", rows, index);
    if (isBound)
      body +=
          "%n = arith.constant " + std::to_string(bound) +
          " : index\n%m = vector.create_mask %n : " + vectorType(bits, "i1") +
          "\n";
    else
      body += read("m0", "bits", bits, "i1") +
              maybeToLayout(random, threads, "m", "m0", bits, "i1");
    for (int k = 0; k < 3; ++k)
      body += "%o" + std::to_string(k) + " = arith.constant " +
              std::to_string(gather.offsets[k]) + " : index\n";
    body += "%y = vector_ext.transfer_gather %pool[%o0, %o1, %o2] indices(%p, "
            "%r : " +
            vectorType(pages, index) + ", " + vectorType(rows, index) + ")";
    if (gather.isMasked)
      body += " mask(%m : " + vectorType(bits, "i1") + ")";
    body += " {indexing_maps = [" + gather.getMaps() +
            "]} : " + memrefType(pool, type) + ", " + vectorType(shape, type) +
            "\n" + maybeToLayout(random, threads, "z", "y", shape, type) +
            write("z", "out", shape, type);
    ASSERT_EQ(check(threads,
                    {{"pool", memrefType(pool, type), gather.pool},
                     {"pages", memrefType(pages, index), gather.pages},
                     {"rows", memrefType(rows, index), gather.rows},
                     {"bits", memrefType(bits, "i1"), gather.mask},
                     {"out", memrefType(shape, type), y, true}},
                    body),
              "")
        << "case " << i;
  }
}

/// A loop that carries a tile and a row statistic, with a branch in it: every
/// value of the body may have another layout.
TEST_F(DistributedOpsTest, Loops) {
  Random random(12);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random, 2, 2), rows = {shape[0]};
    Sizes transposed = {shape[1], shape[0]};
    int64_t trips = random.integer(0, 3);
    std::string type = random.pick<std::string>({"f32", "f64"});
    Tensor x = getRandomValues(random, shape, -2, 2);
    Tensor sum((Shape(shape))), top(Shape(rows), -9);
    for (int64_t trip = 0; trip < trips; ++trip) {
      for (int64_t r = 0; r < shape[0]; ++r)
        for (int64_t c = 0; c < shape[1]; ++c)
          top.at({r}) = std::max(top.at({r}), x.at({r, c}) + sum.at({r, c}));
      for (int64_t r = 0; r < shape[0]; ++r)
        for (int64_t c = 0; c < shape[1]; ++c)
          sum.at({r, c}) += trip == 1 ? -x.at({r, c}) : top.at({r});
    }
    std::string tileType = vectorType(shape, type);
    std::string rowType = vectorType(rows, type);
    std::string body =
        "%n = arith.constant " + std::to_string(trips) +
        " : index\n%zero = arith.constant dense<0.0> : " + tileType +
        "\n%low = arith.constant dense<-9.0> : " + rowType + "\n" +
        read("x0", "in", shape, type) +
        maybeToLayout(random, threads, "x", "x0", shape, type) +
        "%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = "
        "%low) -> (" +
        tileType + ", " + rowType + ") {\n%a = arith.addf %x, %s : " +
        tileType + "\n" +
        maybeToLayout(random, threads, "a1", "a", shape, type) +
        "%t0 = vector.multi_reduction <maximumf>, %a1, %t [1] : " + tileType +
        " to " + rowType + "\n" +
        maybeToLayout(random, threads, "t1", "t0", rows, type) +
        "%second = arith.cmpi eq, %i, %c1 : index\n%d = scf.if %second -> (" +
        tileType + ") {\n%neg = arith.negf %x : " + tileType + "\n" +
        maybeToLayout(random, threads, "neg1", "neg", shape, type) +
        "scf.yield %neg1 : " + tileType +
        "\n} else {\n%b = vector.broadcast %t1 : " + rowType + " to " +
        vectorType(transposed, type) +
        "\n%bt = vector.transpose %b, [1, 0] : " +
        vectorType(transposed, type) + " to " + tileType +
        "\nscf.yield %bt : " + tileType +
        "\n}\n%s1 = arith.addf %s, %d : " + tileType +
        "\nscf.yield %s1, %t1 : " + tileType + ", " + rowType + "\n}\n";
    body += maybeToLayout(random, threads, "y", "r#0", shape, type) +
            write("y", "out", shape, type) + write("r#1", "top", rows, type);
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(shape, type), sum, true},
                     {"top", memrefType(rows, type), top, true}},
                    body),
              "")
        << "case " << i;
  }
}
