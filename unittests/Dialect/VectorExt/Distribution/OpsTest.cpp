//===- OpsTest.cpp - Distributed ops that compute, executed -------------===//
//
// Ops that compute, and loops, on random shapes, layouts and data.
//
//===----------------------------------------------------------------------===//

#include "RandomOps.h"

using namespace linalg_ext_test;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;

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
