//===- MemoryTest.cpp - Distributed transfers and gathers, executed -----===//
//
// Reads and writes of memory on random shapes, layouts and data: parts of
// buffers, masks, permutations, and tables of rows.
//
//===----------------------------------------------------------------------===//

#include "RandomOps.h"

using namespace linalg_ext_test;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;

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
