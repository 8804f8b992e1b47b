//===- BooleanMasksTest.cpp - Booleans in words ---------------------------===//
//
// Masks that threads load as bytes, packed into words, and skipped where they
// hide nothing. Each is interpreted as it is lowered. The reference selects
// element by element.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include "mlir-ext/Target/GPU/BooleanMasks.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace linalg_ext_test;
using namespace mlir;
using oracle::Random;
using oracle::Tensor;

namespace {
class BooleanMasksTest : public SIMTTest {
protected:
  /// A thread selects `order.size()` elements by booleans that it loads
  /// `bytesOfLoad` at a time: element i by byte `order[i]` of its `bytes`. With
  /// `isCombined`, another condition must hold as well: that the element of x
  /// is positive.
  struct Case {
    int64_t bytesOfLoad, bytes;
    std::vector<int64_t> order;
    bool isCombined = false;
    /// Two rows have the same booleans: elements are twice as many.
    bool isRepeated = false;
    /// Whether only every other thread does that.
    bool isDivergent = false;
  };

  static std::string getBody(const Case &c) {
    int64_t count = c.order.size(), repeats = c.isRepeated ? 2 : 1;
    std::string ofMask = std::to_string(count);
    std::string n = std::to_string(repeats * count);
    std::string type = "vector<" + std::to_string(c.bytesOfLoad) + "xi8>";
    std::string all = std::to_string(32 * c.bytes);
    std::string size = std::to_string(32 * repeats * count);
    std::string body =
        "%n = arith.constant " + n + " : index\n%bytes = arith.constant " +
        std::to_string(c.bytes) +
        " : index\n%at = arith.muli %tx, %n : index\n%first = arith.muli %tx, "
        "%bytes : index\n%hidden = arith.constant dense<-7.0> : vector<" +
        n + "xf32>\n%zeros = arith.constant dense<0.0> : vector<" + n +
        "xf32>\n%v = vector.load %x[%at] : memref<" + size + "xf32>, vector<" +
        n + "xf32>\n";
    for (int64_t load = 0; load < c.bytes / c.bytesOfLoad; ++load) {
      std::string i = std::to_string(load);
      body += "%o" + i + " = arith.constant " +
              std::to_string(load * c.bytesOfLoad) + " : index\n%p" + i +
              " = arith.addi %first, %o" + i + " : index\n%l" + i +
              " = vector.load %mask[%p" + i + "] : memref<" + all + "xi8>, " +
              type + "\n";
    }
    std::string elements;
    for (auto [i, byte] : llvm::enumerate(c.order)) {
      std::string name = "%e" + std::to_string(i);
      body += name + " = vector.extract %l" +
              std::to_string(byte / c.bytesOfLoad) + "[" +
              std::to_string(byte % c.bytesOfLoad) + "] : i8 from " + type +
              "\n";
      elements += (i == 0 ? "" : ", ") + name;
    }
    body += "%b = vector.from_elements " + elements + " : vector<" + ofMask +
            "xi8>\n%t = arith.trunci %b overflow<nuw> : vector<" + ofMask +
            "xi8> to vector<" + ofMask + "xi1>\n";
    std::string condition = "%t";
    if (c.isRepeated) {
      std::string places;
      for (int64_t i = 0; i < 2 * count; ++i)
        places += (i == 0 ? "" : ", ") + std::to_string(i / 2);
      body += "%r = vector.shuffle %t, %t [" + places + "] : vector<" + ofMask +
              "xi1>, vector<" + ofMask + "xi1>\n";
      condition = "%r";
    }
    if (c.isCombined) {
      body += "%positive = arith.cmpf ogt, %v, %zeros : vector<" + n +
              "xf32>\n%both = arith.andi " + condition +
              ", %positive : vector<" + n + "xi1>\n";
      condition = "%both";
    }
    body += "%s = arith.select " + condition + ", %v, %hidden : vector<" + n +
            "xi1>, vector<" + n + "xf32>\nvector.store %s, %out[%at] : memref<" +
            size + "xf32>, vector<" + n + "xf32>\n";
    if (!c.isDivergent)
      return "gpu.barrier\n" + body;
    return "gpu.barrier\n%two = arith.constant 2 : index\n%one = "
           "arith.constant 1 : index\n%rest = arith.remui %tx, %two : index\n"
           "%isOdd = arith.cmpi eq, %rest, %one : index\nscf.if %isOdd {\n" +
           body + "}\n";
  }

  /// Checks `c` with a mask in which each boolean is false with probability
  /// `hidden`, and only in lane `lane` if that is not negative.
  void expectSelected(const Case &c, double hidden, int64_t lane = -1) {
    SCOPED_TRACE(std::to_string(c.bytesOfLoad) + " bytes, " +
                 std::to_string(c.order.size()) + " elements, hidden " +
                 std::to_string(hidden) + " lane " + std::to_string(lane));
    int64_t repeats = c.isRepeated ? 2 : 1;
    int64_t n = repeats * static_cast<int64_t>(c.order.size());
    Random random(n + c.bytes);
    Tensor x({32 * n}), mask({32 * c.bytes}), out({32 * n});
    for (double &value : x.data)
      value = static_cast<float>(random.uniform(-1, 1));
    for (auto [i, value] : llvm::enumerate(mask.data))
      value = (lane >= 0 && static_cast<int64_t>(i) / c.bytes != lane) ||
              random.uniform(0, 1) >= hidden;
    // Bytes that are not used are no booleans.
    for (int64_t i = 0; i < static_cast<int64_t>(mask.data.size()); ++i)
      if (!llvm::is_contained(c.order, i % c.bytes))
        mask.data[i] = std::floor(random.uniform(0, 128));
    std::string parameters =
        "%x: memref<" + std::to_string(32 * n) + "xf32>, %mask: memref<" +
        std::to_string(32 * c.bytes) + "xi8>, %out: memref<" +
        std::to_string(32 * n) + "xf32>";
    context->loadDialect<NVVM::NVVMDialect, scf::SCFDialect>();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kernel(parameters, getBody(c)), context);
    ASSERT_TRUE(module);
    PassManager passes(context);
    passes.addPass(createGpuKernelOutliningPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    IRRewriter rewriter(context);
    linalg_ext::lowerBooleanMasks(rewriter, *module,
                                  nvgpu_ext::getMathInstructions());
    int64_t votes = 0, truncations = 0;
    module->walk([&](NVVM::VoteSyncOp) { ++votes; });
    module->walk([&](arith::TruncIOp) { ++truncations; });
    EXPECT_EQ(truncations, 0);
    EXPECT_EQ(votes, c.isCombined || c.isDivergent ? 0 : 1);
    SimulationOptions options;
    options.uninitialized = {2};
    Simulation result = simulate(*module, "main", {x, mask, out}, options);
    ASSERT_TRUE(result.ok()) << result.error;
    for (int64_t thread = c.isDivergent; thread < 32;
         thread += c.isDivergent ? 2 : 1)
      for (int64_t i = 0; i < n; ++i) {
        double value = x.data[thread * n + i];
        bool isTrue = mask.data[thread * c.bytes + c.order[i / repeats]] != 0 &&
                      (!c.isCombined || value > 0);
        ASSERT_EQ(result.arguments.back().data[thread * n + i],
                  isTrue ? value : -7)
            << thread << " " << i;
      }
  }

  static std::vector<int64_t> inOrder(int64_t count) {
    std::vector<int64_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
};
} // namespace

// Words that are full, one that is not, and several.
TEST_F(BooleanMasksTest, Words) {
  for (int64_t bytesOfLoad : {2, 4})
    for (int64_t count : {4, 16, 32, 36, 64, 72})
      for (bool isCombined : {false, true})
        expectSelected({bytesOfLoad, count, inOrder(count), isCombined}, 0.5);
}

// All true; and false in one lane alone, in few places, which the others must
// notice.
TEST_F(BooleanMasksTest, Votes) {
  Case c{2, 64, inOrder(64)};
  expectSelected(c, 0);
  expectSelected(c, 1);
  for (int64_t lane : {0, 13, 31})
    expectSelected(c, 0.02, lane);
}

// Booleans of two rows, all of which are true or not.
TEST_F(BooleanMasksTest, Rows) {
  for (int64_t bytesOfLoad : {2, 4})
    for (double hidden : {0.0, 0.02, 0.5})
      for (bool isCombined : {false, true})
        expectSelected({bytesOfLoad, 32, inOrder(32), isCombined, true},
                       hidden);
}

// Threads whose neighbours do not select ask them nothing.
TEST_F(BooleanMasksTest, DivergentThreads) {
  Case c{2, 32, inOrder(32)};
  c.isDivergent = true;
  for (double hidden : {0.0, 0.5})
    expectSelected(c, hidden);
}

// Bytes in another order, and bytes of loads that are not used: what they are
// does not matter.
TEST_F(BooleanMasksTest, Orders) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < 32; ++i)
    order.push_back((i * 11 + 5) % 64);
  for (double hidden : {0.0, 0.03, 0.5}) {
    expectSelected({2, 64, order}, hidden);
    expectSelected({4, 64, order}, hidden);
    expectSelected({4, 64, order, /*isCombined=*/true}, hidden);
  }
}

namespace {
class BitsOfWordsTest : public SIMTTest {
protected:
  /// A thread selects elements by bits of its `count` words: element i by bit
  /// `order[i]`. Words are shifted, and become bytes first if `areBytes`.
  void expectSelected(int64_t count, ArrayRef<int32_t> order, bool areBytes,
                      double hidden) {
    auto n = static_cast<int64_t>(order.size());
    SCOPED_TRACE(std::to_string(count) + " words, " + std::to_string(n) +
                 " elements, hidden " + std::to_string(hidden));
    std::string size = std::to_string(n), words, shifts;
    for (auto [i, bit] : llvm::enumerate(order)) {
      words += (i == 0 ? "%w" : ", %w") + std::to_string(bit / 32);
      shifts += (i == 0 ? "" : ", ") + std::to_string(bit % 32);
    }
    std::string ofX = "memref<" + std::to_string(32 * n) + "xf32>",
                ofWords = "memref<" + std::to_string(32 * count) + "xi32>",
                vector = "vector<" + size + "x";
    std::string body = "gpu.barrier\n%n = arith.constant " + size +
                       " : index\n%count = arith.constant " +
                       std::to_string(count) +
                       " : index\n%at = arith.muli %tx, %n : index\n%first = "
                       "arith.muli %tx, %count : index\n%v = vector.load "
                       "%x[%at] : " +
                       ofX + ", " + vector + "f32>\n";
    for (int64_t i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      body += "%o" + number + " = arith.constant " + number + " : index\n%p" +
              number + " = arith.addi %first, %o" + number + " : index\n%w" +
              number + " = memref.load %words[%p" + number + "] : " + ofWords +
              "\n";
    }
    body +=
        "%each = vector.from_elements " + words + " : " + vector +
        "i32>\n%places = arith.constant dense<[" + shifts + "]> : " + vector +
        "i32>\n%shifted = arith.shrui %each, %places : " + vector + "i32>\n";
    if (areBytes)
      body += "%one = arith.constant dense<1> : " + vector +
              "i32>\n%bit = arith.andi %shifted, %one : " + vector +
              "i32>\n%byte = arith.trunci %bit : " + vector + "i32> to " +
              vector +
              "i8>\n%t = arith.trunci %byte overflow<nuw> : " + vector +
              "i8> to " + vector + "i1>\n";
    else
      body += "%t = arith.trunci %shifted : " + vector + "i32> to " + vector +
              "i1>\n";
    body += "%hidden = arith.constant dense<-7.0> : " + vector +
            "f32>\n%s = arith.select %t, %v, %hidden : " + vector + "i1>, " +
            vector + "f32>\nvector.store %s, %out[%at] : " + ofX + ", " +
            vector + "f32>\n";
    Random random(n + count);
    Tensor x({32 * n}), mask({32 * count}), out({32 * n});
    for (double &value : x.data)
      value = static_cast<float>(random.uniform(-1, 1));
    for (double &word : mask.data) {
      uint32_t bits = 0;
      for (int bit = 0; bit < 32; ++bit)
        bits |= uint32_t(random.uniform(0, 1) >= hidden) << bit;
      word = static_cast<int32_t>(bits);
    }
    context->loadDialect<NVVM::NVVMDialect, scf::SCFDialect>();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        kernel("%x: " + ofX + ", %words: " + ofWords + ", %out: " + ofX, body),
        context);
    ASSERT_TRUE(module);
    PassManager passes(context);
    passes.addPass(createGpuKernelOutliningPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    IRRewriter rewriter(context);
    linalg_ext::lowerBooleanMasks(rewriter, *module,
                                  nvgpu_ext::getMathInstructions());
    int64_t votes = 0;
    module->walk([&](NVVM::VoteSyncOp) { ++votes; });
    // Elements with a bit of their own are selected without a vote.
    std::set<int32_t> bits(order.begin(), order.end());
    EXPECT_EQ(votes, bits.size() < order.size() ? 1 : 0);
    Simulation result = simulate(*module, "main", {x, mask, out});
    ASSERT_TRUE(result.ok()) << result.error;
    for (int64_t i = 0; i < 32 * n; ++i) {
      int64_t bit = order[i % n];
      auto word = static_cast<int32_t>(mask.data[i / n * count + bit / 32]);
      ASSERT_EQ(result.arguments.back().data[i],
                uint32_t(word) >> bit % 32 & 1 ? x.data[i] : -7)
          << i;
    }
  }
};
} // namespace

// All bits of two words in another order; a few of one word; and one bit that
// all elements share.
TEST_F(BitsOfWordsTest, Orders) {
  SmallVector<int32_t> all, some{31, 3, 8}, same(4, 30);
  for (int32_t i = 0; i < 64; ++i)
    all.push_back((i * 11 + 5) % 64);
  for (bool areBytes : {false, true})
    for (double hidden : {0.0, 0.02, 0.5, 1.0}) {
      expectSelected(2, all, areBytes, hidden);
      expectSelected(1, some, areBytes, hidden);
      expectSelected(1, same, areBytes, hidden);
    }
}
