//===- ShapeTest.cpp - Distributed ops that move elements, executed -----===//
//
// Ops that compute nothing, on random shapes, layouts and data.
//
//===----------------------------------------------------------------------===//

#include "RandomOps.h"

#include <numeric>
#include <tuple>

using namespace linalg_ext_test;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;

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

TEST_F(DistributedOpsTest, ExtractStridedSlice) {
  Random random(23);
  int numParts = 0;
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random);
    // Trailing dimensions that are not named are whole.
    int64_t rank = random.integer(1, shape.size());
    Sizes offsets, sizes, strides(rank, 1), result = shape;
    for (int64_t dim = 0; dim < rank; ++dim) {
      // One of equal parts, any slice, or all.
      Sizes divisors;
      for (int64_t size = 1; size <= shape[dim]; ++size)
        if (shape[dim] % size == 0)
          divisors.push_back(size);
      bool isPart = random.chance(0.5);
      int64_t size =
          isPart ? random.pick(divisors) : random.integer(1, shape[dim]);
      offsets.push_back(isPart ? size * random.integer(0, shape[dim] / size - 1)
                               : random.integer(0, shape[dim] - size));
      sizes.push_back(size);
      result[dim] = size;
    }
    numParts += result != shape;
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape), y((Shape(result)));
    oracle::forEachIndex(y.shape, [&](const Index &at) {
      Index from = at;
      for (int64_t dim = 0; dim < rank; ++dim)
        from[dim] += offsets[dim];
      y.at(at) = x.at(from);
    });
    ASSERT_EQ(check(threads,
                    {{"in", memrefType(shape, type), x},
                     {"out", memrefType(result, type), y, true}},
                    getUnaryBody(random, threads, shape, result, type,
                                 "%y = vector.extract_strided_slice %x "
                                 "{offsets = " +
                                     getList(offsets) +
                                     ", sizes = " + getList(sizes) +
                                     ", strides = " + getList(strides) +
                                     "} : " + vectorType(shape, type) + " to " +
                                     vectorType(result, type))),
              "")
        << "case " << i;
  }
  EXPECT_GT(numParts, kCases / 2);
}

TEST_F(DistributedOpsTest, Shuffle) {
  Random random(24);
  for (int i = 0; i < kCases; ++i) {
    Threads threads = getRandomThreads(random);
    Sizes shape = getRandomShape(random), second = shape, result = shape;
    second[0] = random.integer(1, 8);
    result[0] = random.integer(1, 8);
    Sizes mask;
    for (int64_t j = 0; j < result[0]; ++j)
      mask.push_back(random.integer(0, shape[0] + second[0] - 1));
    std::string type = getRandomType(random);
    Tensor x = getRandomValues(random, shape),
           y = getRandomValues(random, second), z((Shape(result)));
    oracle::forEachIndex(z.shape, [&](const Index &at) {
      Index from = at;
      from[0] = mask[at[0]];
      bool isSecond = from[0] >= shape[0];
      if (isSecond)
        from[0] -= shape[0];
      z.at(at) = isSecond ? y.at(from) : x.at(from);
    });
    std::string body =
        read("x0", "x", shape, type) + read("y0", "y", second, type) +
        maybeToLayout(random, threads, "x1", "x0", shape, type) +
        maybeToLayout(random, threads, "y1", "y0", second, type) +
        "%z0 = vector.shuffle %x1, %y1 " + getList(mask) + " : " +
        vectorType(shape, type) + ", " + vectorType(second, type) + "\n" +
        maybeToLayout(random, threads, "z1", "z0", result, type) +
        write("z1", "z", result, type);
    ASSERT_EQ(check(threads,
                    {{"x", memrefType(shape, type), x},
                     {"y", memrefType(second, type), y},
                     {"z", memrefType(result, type), z, true}},
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
