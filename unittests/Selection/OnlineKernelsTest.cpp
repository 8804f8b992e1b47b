//===- OnlineKernelsTest.cpp - How a GPU reduces online -------------------===//

#include "mlir-ext/Selection/OnlineKernels.h"
#include "mlir-ext/Selection/KeyChunks.h"

#include "gtest/gtest.h"

#include <cmath>
#include <iterator>

using namespace mlir::linalg_ext;
using mlir::vector_ext::ProductWay;

namespace {

/// Microseconds of attention of f16 on an H100 (docs/Decisions/0041): with
/// synchronous products, without roles, and with roles and 128 rows or 192,
/// where that was timed. No loop is rotated: what was timed of these took no
/// turns.
struct Timed {
  int64_t width;
  bool isCausal;
  int64_t length, batches;
  double sync, async, roles, wide;
};

const Timed kTimed[] = {
    {128, true, 49, 4096, 112.68, 72.54, 176.44, 0},
    {128, true, 128, 4096, 229.31, 179.25, 206.69, 0},
    {128, true, 197, 768, 90.35, 69.33, 88.74, 0},
    {128, true, 197, 12, 9.98, 6.94, 8.58, 0},
    {128, true, 256, 1024, 135.14, 102.93, 119.58, 0},
    {128, true, 512, 12, 18.77, 11.62, 12.46, 0},
    {128, true, 512, 512, 177.71, 129.57, 149.69, 0},
    {128, true, 1024, 12, 33.45, 22.8, 19.77, 0},
    {128, true, 1024, 256, 271.98, 193.48, 200.58, 0},
    {128, true, 4096, 64, 809.83, 578.95, 533.74, 0},
    {128, true, 16384, 16, 3447.75, 2224.42, 2158.51, 0},
    {128, false, 49, 4096, 111.08, 73.51, 159.21, 0},
    {128, false, 128, 4096, 218.68, 200.7, 187.32, 0},
    {128, false, 197, 768, 100.45, 98.32, 93.89, 0},
    {128, false, 197, 12, 9.66, 6.95, 8.64, 0},
    {128, false, 256, 1024, 148.63, 140.78, 122.08, 0},
    {128, false, 512, 12, 16.86, 11.19, 11.97, 0},
    {128, false, 512, 512, 233.79, 216.18, 174.19, 0},
    {128, false, 1024, 12, 30.81, 21.96, 18.83, 0},
    {128, false, 1024, 256, 427.19, 371.36, 291.01, 0},
    {128, false, 4096, 64, 1775.52, 1265.2, 1057.51, 0},
    {128, false, 16384, 16, 7085.97, 5127.17, 3867.98, 0},
    {256, true, 49, 4096, 143.37, 141.69, 203.44, 0},
    {256, true, 128, 4096, 354.58, 357.68, 355.57, 0},
    {256, true, 197, 768, 148.38, 141.34, 131.99, 0},
    {256, true, 197, 12, 10.59, 10.08, 11.66, 0},
    {256, true, 256, 512, 109.9, 110.18, 106.28, 0},
    {256, true, 512, 12, 18.64, 17.01, 18.54, 0},
    {256, true, 512, 256, 158.03, 141.44, 125.58, 0},
    {256, true, 1024, 12, 55.46, 35.2, 30.38, 0},
    {256, true, 1024, 128, 263.18, 211.24, 172.87, 0},
    {256, true, 4096, 32, 854.33, 621.85, 463.95, 0},
    {256, true, 16384, 8, 3873.75, 2509.85, 1739.87, 0},
    {256, false, 49, 4096, 141.06, 139.56, 183.62, 0},
    {256, false, 128, 4096, 373.43, 386.71, 354.9, 0},
    {256, false, 197, 768, 214.92, 188.38, 134.93, 0},
    {256, false, 197, 12, 11.6, 10.57, 11.39, 0},
    {256, false, 256, 512, 144.81, 135.22, 115.84, 0},
    {256, false, 512, 12, 18.39, 15.92, 18.27, 0},
    {256, false, 512, 256, 244.83, 208.51, 157.53, 0},
    {256, false, 1024, 12, 57.17, 34.52, 31.31, 0},
    {256, false, 1024, 128, 471.84, 362.27, 256.69, 0},
    {256, false, 4096, 32, 1656.06, 1180.05, 859.2, 0},
    {256, false, 16384, 8, 7698.56, 5477.11, 3386.95, 0},
    {32, true, 49, 4096, 60.06, 56.85, 128.02, 163.84},
    {32, true, 128, 4096, 87.42, 110.0, 132.05, 167.82},
    {32, true, 197, 768, 42.76, 49.28, 56.72, 86.97},
    {32, true, 197, 12, 6.27, 5.35, 5.73, 8.25},
    {32, true, 256, 4096, 207.86, 248.06, 287.37, 441.88},
    {32, true, 512, 12, 9.95, 7.33, 8.16, 10.75},
    {32, true, 512, 2048, 281.29, 304.2, 351.13, 404.79},
    {32, true, 1024, 12, 16.98, 13.03, 12.28, 16.88},
    {32, true, 1024, 1024, 434.4, 419.24, 480.22, 555.56},
    {32, true, 4096, 256, 1357.84, 1098.87, 1274.15, 1216.7},
    {32, true, 16384, 64, 4978.58, 3767.29, 4317.86, 3743.3},
    {32, false, 49, 4096, 53.72, 47.63, 108.36, 128.9},
    {32, false, 128, 4096, 66.3, 83.76, 103.57, 129.17},
    {32, false, 197, 768, 40.36, 48.7, 57.42, 73.25},
    {32, false, 197, 12, 5.28, 4.64, 5.4, 6.87},
    {32, false, 256, 4096, 180.55, 217.27, 267.0, 355.3},
    {32, false, 512, 12, 7.67, 6.1, 7.28, 9.85},
    {32, false, 512, 2048, 315.84, 331.43, 403.33, 407.03},
    {32, false, 1024, 12, 13.4, 12.07, 12.27, 16.14},
    {32, false, 1024, 1024, 592.05, 561.41, 681.82, 669.02},
    {32, false, 4096, 256, 2262.3, 1914.36, 2323.76, 1982.08},
    {32, false, 16384, 64, 8961.33, 7491.72, 8826.36, 7752.45},
    {64, true, 49, 4096, 74.08, 61.77, 145.14, 181.96},
    {64, true, 128, 4096, 115.84, 129.34, 174.11, 210.29},
    {64, true, 197, 768, 54.9, 55.65, 72.41, 103.71},
    {64, true, 197, 12, 7.38, 5.88, 6.83, 9.69},
    {64, true, 256, 2048, 138.24, 150.11, 190.64, 269.46},
    {64, true, 512, 12, 11.8, 8.37, 9.97, 12.66},
    {64, true, 512, 1024, 188.79, 179.38, 226.7, 256.98},
    {64, true, 1024, 12, 18.51, 14.45, 14.44, 19.15},
    {64, true, 1024, 512, 289.45, 250.79, 298.75, 344.25},
    {64, true, 4096, 128, 910.46, 678.22, 768.02, 723.33},
    {64, true, 16384, 32, 3511.18, 2443.32, 2563.2, 2370.6},
    {64, false, 49, 4096, 67.96, 55.24, 126.2, 152.94},
    {64, false, 128, 4096, 100.17, 111.93, 146.76, 172.45},
    {64, false, 197, 768, 57.94, 59.55, 72.84, 89.52},
    {64, false, 197, 12, 6.95, 5.25, 6.8, 8.87},
    {64, false, 256, 2048, 136.61, 145.47, 172.37, 222.79},
    {64, false, 512, 12, 10.04, 7.12, 9.13, 12.17},
    {64, false, 512, 1024, 234.49, 207.71, 251.16, 253.41},
    {64, false, 1024, 12, 17.77, 13.82, 15.16, 19.91},
    {64, false, 1024, 512, 441.14, 342.11, 413.04, 408.62},
    {64, false, 4096, 128, 1745.04, 1214.85, 1458.14, 1269.44},
    {64, false, 16384, 32, 7003.42, 4709.55, 5582.8, 4642.2},
};

OnlineSizes getSizes(const Timed &timed) {
  OnlineSizes sizes;
  sizes.batches = timed.batches;
  sizes.rows = sizes.keys = timed.length;
  sizes.depth = sizes.columns = timed.width;
  sizes.isMaskedByPosition = timed.isCausal;
  return sizes;
}

OnlineKernel getSync(int64_t width) {
  OnlineKernel sync;
  sync.rows = width <= 128 ? 128 : 64;
  sync.keys = width > 96 && width <= 128 ? 32 : 64;
  sync.threads = 128;
  return sync;
}

OnlineKernel choose(const OnlineSizes &sizes, OnlineLimits limits,
                    const GPUTarget &target = {}) {
  return chooseOnlineKernel(sizes, getSync(sizes.columns), limits, target);
}

OnlineLimits allowAll() {
  OnlineLimits limits;
  limits.ways = {true, true, true};
  return limits;
}

double getTime(const Timed &timed, const OnlineKernel &kernel) {
  switch (kernel.way) {
  case ProductWay::Sync:
    return timed.sync;
  case ProductWay::Async:
    return timed.async;
  case ProductWay::Roles:
    return kernel.rows == 192 ? timed.wide : timed.roles;
  }
  return 0;
}

// What is chosen is not slower than synchronous products, and on average takes
// at most 3 % more time than the fastest.
TEST(OnlineKernelsTest, asTimed) {
  double excess = 0;
  int64_t number = 0;
  for (const Timed &timed : kTimed) {
    // Sizes were not known to the compiler: synchronous products had tiles of
    // 128 rows also where there are fewer.
    if (timed.length < 64)
      continue;
    OnlineLimits limits = allowAll();
    limits.rotate = false;
    OnlineKernel chosen = choose(getSizes(timed), limits);
    double time = getTime(timed, chosen);
    ASSERT_GT(time, 0) << chosen.reason;
    EXPECT_LT(time, 1.02 * timed.sync)
        << timed.width << " " << timed.length << ": " << chosen.reason;
    double best = std::min({timed.sync, timed.async, timed.roles,
                            timed.wide > 0 ? timed.wide : timed.sync});
    excess += std::log(time / best);
    ++number;
  }
  EXPECT_LT(excess / number, 0.03);
}

/// Rates of attention of f16 on an H100, divided by cuDNN's in the same run
/// (docs/Decisions/0046): what is chosen without persistent kernels, and a
/// persistent one of 128 rows.
struct Persistent {
  int64_t width;
  bool isCausal;
  int64_t length, batches;
  double other, persistent;
};

const Persistent kPersistent[] = {
    {64, false, 512, 1024, 0.86, 0.98}, {64, false, 1024, 512, 0.95, 0.97},
    {64, false, 4096, 128, 1.00, 0.95}, {64, false, 16384, 32, 1.01, 0.96},
    {64, true, 512, 1024, 0.70, 0.87},  {64, true, 1024, 512, 0.81, 0.91},
    {64, true, 4096, 128, 0.97, 0.96},  {64, true, 16384, 32, 1.01, 0.96},
    {128, false, 512, 512, 0.65, 0.98}, {128, false, 1024, 256, 0.74, 0.99},
    {128, false, 4096, 64, 0.88, 0.98}, {128, false, 16384, 16, 0.93, 0.99},
    {128, true, 512, 512, 0.65, 0.95},  {128, true, 1024, 256, 0.76, 0.99},
    {128, true, 4096, 64, 0.91, 0.98},  {128, true, 16384, 16, 0.95, 0.95},
    {256, false, 512, 256, 0.87, 0.91}, {256, false, 1024, 128, 0.90, 0.94},
    {256, false, 4096, 32, 0.92, 0.92}, {256, false, 16384, 8, 0.95, 0.94},
    {256, true, 512, 256, 0.85, 0.83},  {256, true, 1024, 128, 0.87, 0.93},
    {256, true, 4096, 32, 1.03, 1.04},  {256, true, 16384, 8, 1.10, 1.06},
};

// What is chosen has at least 0.93 of the faster one's rate, and on average
// 0.985.
TEST(OnlineKernelsTest, persistentWhereFaster) {
  double lost = 0;
  for (const Persistent &timed : kPersistent) {
    OnlineSizes sizes;
    sizes.batches = timed.batches;
    sizes.rows = sizes.keys = timed.length;
    sizes.depth = sizes.columns = timed.width;
    sizes.isMaskedByPosition = timed.isCausal;
    OnlineLimits limits = allowAll();
    limits.ways.persistent = true;
    limits.rotate = false;
    OnlineKernel chosen = choose(sizes, limits);
    // A workgroup then takes a long tile and a short one in turn.
    if (chosen.persist != 0)
      EXPECT_EQ(chosen.persist, timed.isCausal ? 2 : 1);
    double rate = chosen.persist != 0 ? timed.persistent : timed.other;
    double best = std::max(timed.persistent, timed.other);
    EXPECT_GE(rate, 0.93 * best) << timed.width << " " << timed.isCausal << " "
                                 << timed.length << ": " << chosen.reason;
    lost += std::log(best / rate);
  }
  EXPECT_LT(lost / std::size(kPersistent), 0.015);
}

/// Rates of attention of f16 on an H100, divided by cuDNN's in the same run
/// (docs/Decisions/0053 and 0061), where that was timed: without roles; with
/// roles and 128 rows, rotated, persistent, or both; with 192 rows, rotated or
/// persistent; with 128 rows and 64 keys, both. With 192 rows, both, on an H200
/// (docs/Decisions/0130). With a diagonal and 64 columns, both, on an H200, of
/// the kernel that was chosen before (docs/Decisions/0149).
struct Rotated {
  int64_t width;
  bool isCausal;
  int64_t length, batches;
  double async, roles, rotated, persistent, both, wideRotated, widePersistent,
      fewKeys, wideBoth = 0;

  double getBest() const {
    return std::max({async, roles, rotated, persistent, both, wideRotated,
                     widePersistent, fewKeys, wideBoth});
  }

  double getRate(const OnlineKernel &kernel) const {
    if (kernel.way != ProductWay::Roles)
      return kernel.way == ProductWay::Async ? async : 0;
    if (kernel.rows == 192 && kernel.rotate)
      return kernel.persist != 0 ? wideBoth : wideRotated;
    if (kernel.rows == 192)
      return kernel.persist != 0 ? widePersistent : 0;
    if (width == 256 && kernel.keys == 64)
      return kernel.rotate && kernel.persist != 0 ? fewKeys : 0;
    if (kernel.persist != 0)
      return kernel.rotate ? both : persistent;
    return kernel.rotate ? rotated : roles;
  }
};

const Rotated kRotated[] = {
    {64, false, 512, 1024, 0.86, 0, 0, 1.01, 0, 0.75, 0.96, 0, 1.08},
    {64, false, 1024, 512, 0.96, 0, 0, 1.02, 0, 0.83, 0.96, 0, 1.07},
    {64, false, 2048, 256, 1.00, 0, 0, 0.99, 0, 0.96, 1.04, 0, 1.14},
    {64, false, 4096, 128, 1.02, 0, 0, 0.99, 0, 1.04, 1.06, 0, 1.14},
    {64, false, 8192, 64, 1.02, 0, 0, 1.00, 0, 1.12, 1.14, 0, 1.18},
    {64, false, 16384, 32, 1.03, 0, 0, 0.99, 0, 1.13, 1.12, 0, 1.19},
    {64, true, 512, 1024, 0.74, 0, 0, 0.88, 0.92, 0.53, 0.70, 0, 0.71},
    {64, true, 1024, 512, 0.81, 0, 0, 0.90, 0.89, 0.59, 0.73, 0, 0.73},
    {64, true, 2048, 256, 0.89, 0, 0, 0.93, 0.89, 0.77, 0.89, 0, 0.92},
    {64, true, 4096, 128, 0.97, 0, 0, 0.97, 0.90, 0.91, 0.99, 0, 1.05},
    {64, true, 8192, 64, 1.02, 0, 0, 1.01, 0, 1.02, 1.05, 0, 1.08},
    {64, true, 16384, 32, 1.04, 0, 0, 0.97, 0.85, 1.08, 1.12, 0, 1.10},
    {128, false, 512, 512, 0, 0, 0.78, 1.00, 0.99, 0, 0, 0},
    {128, false, 1024, 256, 0, 0, 0.86, 0.96, 1.05, 0, 0, 0},
    {128, false, 2048, 128, 0, 0, 0.91, 0.95, 1.05, 0, 0, 0},
    {128, false, 4096, 64, 0, 0, 0.98, 0.92, 1.05, 0, 0, 0},
    {128, false, 8192, 32, 0, 0, 1.01, 1.02, 1.06, 0, 0, 0},
    {128, false, 16384, 16, 0, 0, 1.04, 0.95, 1.06, 0, 0, 0},
    {128, true, 512, 512, 0, 0, 0.69, 0.97, 0.98, 0, 0, 0},
    {128, true, 1024, 256, 0, 0, 0.83, 1.00, 1.07, 0, 0, 0},
    {128, true, 2048, 128, 0, 0, 0.97, 1.00, 1.13, 0, 0, 0},
    {128, true, 4096, 64, 0, 0, 1.08, 1.00, 1.07, 0, 0, 0},
    {128, true, 8192, 32, 0, 0, 1.14, 1.00, 1.18, 0, 0, 0},
    {128, true, 16384, 16, 0, 0, 1.13, 0.97, 1.15, 0, 0, 0},
    {256, false, 512, 256, 0, 0.84, 0.90, 0.89, 0, 0, 0, 0.98},
    {256, false, 1024, 128, 0, 0.90, 1.01, 0.92, 0, 0, 0, 1.01},
    {256, false, 2048, 64, 0, 0.91, 1.06, 0.93, 0, 0, 0, 1.03},
    {256, false, 4096, 32, 0, 0.92, 1.08, 0.93, 0, 0, 0, 1.04},
    {256, false, 8192, 16, 0, 0.93, 1.11, 0.94, 0, 0, 0, 1.03},
    {256, false, 16384, 8, 0, 0.92, 1.12, 0.94, 0, 0, 0, 1.06},
    {256, true, 512, 256, 0, 0.82, 0.84, 0.84, 0, 0, 0, 0.88},
    {256, true, 1024, 128, 0, 0.86, 0.92, 0.93, 0, 0, 0, 1.03},
    {256, true, 2048, 64, 0, 0.99, 1.09, 1.01, 0, 0, 0, 1.12},
    {256, true, 4096, 32, 0, 1.07, 1.20, 1.06, 0, 0, 0, 1.18},
    {256, true, 8192, 16, 0, 1.09, 1.27, 1.06, 0, 0, 0, 1.19},
    {256, true, 16384, 8, 0, 1.11, 1.29, 1.07, 0, 0, 0, 1.20},
};

// What is chosen was timed. It has at least 0.9 of the rate of the fastest, and
// on average 0.98.
TEST(OnlineKernelsTest, rotatedWhereFaster) {
  double lost = 0;
  for (const Rotated &timed : kRotated) {
    OnlineSizes sizes;
    sizes.batches = timed.batches;
    sizes.rows = sizes.keys = timed.length;
    sizes.depth = sizes.columns = timed.width;
    sizes.isMaskedByPosition = timed.isCausal;
    OnlineLimits limits = allowAll();
    limits.ways.persistent = true;
    OnlineKernel chosen = choose(sizes, limits);
    double rate = timed.getRate(chosen);
    double best = timed.getBest();
    EXPECT_GE(rate, 0.9 * best) << timed.width << " " << timed.isCausal << " "
                                << timed.length << ": " << chosen.reason;
    lost += std::log(best / rate);
  }
  EXPECT_LT(lost / std::size(kRotated), 0.02);
}

OnlineKernel makeSync() {
  OnlineKernel sync;
  sync.rows = 64;
  sync.keys = 64;
  sync.threads = 128;
  return sync;
}

// Of a number of keys that is not known, a kernel for few and one for many.
// Each was timed at each length that it is for, and they lose less than one
// kernel for all lengths.
TEST(OnlineKernelsTest, versionsByKeys) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  double lost = 0, lostByOne = 0;
  for (const Rotated &timed : kRotated) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = timed.width;
    sizes.isMaskedByPosition = timed.isCausal;
    llvm::SmallVector<OnlineVersion> versions =
        chooseOnlineVersions(sizes, makeSync(), limits);
    ASSERT_LE(versions.size(), 2u);
    EXPECT_FALSE(versions.back().most);
    const OnlineKernel &chosen =
        versions.size() == 2 && timed.length <= *versions.front().most
            ? versions.front().kernel
            : versions.back().kernel;
    double best = timed.getBest();
    EXPECT_GE(timed.getRate(chosen), 0.9 * best)
        << timed.width << " " << timed.isCausal << " " << timed.length << ": "
        << chosen.reason;
    lost += std::log(best / timed.getRate(chosen));
    lostByOne += std::log(best / timed.getRate(choose(sizes, limits)));
  }
  EXPECT_LT(lost / std::size(kRotated), 0.02);
  EXPECT_LT(lost, lostByOne);
}

/// Rates of attention of f16 with 20 heads of 64 on an H100, divided by cuDNN's
/// in the same run (docs/Decisions/0075): with 128 rows, persistent, and with
/// 192, rotated.
struct FewTiles {
  bool isCausal;
  int64_t length;
  double few, many;
};

const FewTiles kFewTiles[] = {
    {false, 1024, 0.94, 1.39}, {false, 2048, 0.94, 1.11},
    {false, 4096, 0.96, 0.95}, {true, 1024, 1.07, 0.96},
    {true, 2048, 0.90, 0.90},  {true, 4096, 1.00, 1.00},
};

/// Rates of attention of f16 on an H200 in TFLOP/s (docs/Decisions/0080), where that
/// was timed: with 128 rows and 128 keys, rotated, persistent, or both; with 64 keys,
/// persistent.
struct Balanced {
  int64_t width;
  bool isCausal;
  int64_t length;
  double rotated, persistent, both, fewKeys;

  double getRate(const OnlineKernel &kernel) const {
    if (kernel.way != ProductWay::Roles || kernel.rows != 128)
      return 0;
    if (kernel.keys == 64)
      return kernel.persist != 0 && !kernel.rotate ? fewKeys : 0;
    return kernel.persist == 0 ? (kernel.rotate ? rotated : 0)
           : kernel.rotate     ? both
                               : persistent;
  }
};

const Balanced kBalanced[] = {
    {80, false, 512, 0, 385.4, 369.8, 0},  {80, false, 1024, 0, 440.7, 426.6, 0},
    {80, false, 2048, 0, 493.2, 449.0, 0}, {80, false, 8192, 0, 474.4, 503.4, 0},
    {80, true, 512, 0, 230.1, 228.6, 0},   {80, true, 1024, 0, 326.8, 315.3, 0},
    {80, true, 2048, 0, 396.4, 386.0, 0},  {80, true, 8192, 0, 433.3, 431.7, 0},
    {96, false, 512, 0, 414.8, 404.9, 0},  {96, false, 2048, 0, 521.5, 524.5, 0},
    {96, false, 8192, 0, 513.4, 517.7, 0}, {96, true, 512, 0, 262.4, 248.8, 0},
    {96, true, 2048, 0, 421.0, 414.6, 0},  {160, false, 512, 458.8, 0, 0, 480.4},
    {160, false, 2048, 661.6, 0, 0, 570.4}, {160, false, 8192, 718.5, 0, 0, 544.9},
    {160, true, 512, 283.0, 0, 0, 324.9},  {160, true, 1024, 403.2, 0, 0, 415.1},
};

// Of sizes that are not known, what is launched was timed, and has at least 0.94 of
// the rate of the fastest, and on average 0.99.
TEST(OnlineKernelsTest, rotatedWhereProductsTakeLonger) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  double lost = 0;
  for (const Balanced &timed : kBalanced) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = timed.width;
    sizes.isMaskedByPosition = timed.isCausal;
    llvm::SmallVector<OnlineVersion> versions =
        chooseOnlineVersions(sizes, makeSync(), limits);
    const OnlineKernel &chosen =
        versions.size() == 2 && timed.length <= *versions.front().most
            ? versions.front().kernel
            : versions.back().kernel;
    double best = std::max(
        {timed.rotated, timed.persistent, timed.both, timed.fewKeys});
    EXPECT_GE(timed.getRate(chosen), 0.94 * best)
        << timed.width << " " << timed.isCausal << " " << timed.length << ": "
        << chosen.reason;
    lost += std::log(best / timed.getRate(chosen));
  }
  EXPECT_LT(lost / std::size(kBalanced), 0.01);
}

// With few tiles, rounds of all processors decide: what is launched has at
// least 0.98 of the faster one's rate.
TEST(OnlineKernelsTest, launchesCountRounds) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  for (const FewTiles &timed : kFewTiles) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = 64;
    sizes.isMaskedByPosition = timed.isCausal;
    llvm::SmallVector<OnlineVersion> versions =
        chooseOnlineVersions(sizes, makeSync(), limits);
    ASSERT_EQ(versions.size(), 2u);
    ASSERT_EQ(versions[0].kernel.rows, 128);
    ASSERT_EQ(versions[1].kernel.rows, 192);
    KnownNumbers n;
    bool isFew = isForFewKeys(n, 20 * n.ceilDiv(timed.length, 128),
                              20 * n.ceilDiv(timed.length, 192), timed.length,
                              versions[0], versions[1]);
    EXPECT_GE(isFew ? timed.few : timed.many,
              0.98 * std::max(timed.few, timed.many))
        << timed.isCausal << " " << timed.length;
  }
}

// With few tiles of 192 rows, those of 128 rows are faster: 16 heads of 300 and
// 1000 rows have 1.18 and 1.11 times the rate (docs/Decisions/0130).
TEST(OnlineKernelsTest, fewTilesAreSmall) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 64;
  llvm::SmallVector<OnlineVersion> versions =
      chooseOnlineVersions(sizes, makeSync(), limits);
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[0].most, 0);
  KnownNumbers n;
  for (auto [batches, length, isFew] :
       {std::tuple(16, 300, true), std::tuple(16, 1000, true),
        std::tuple(1024, 512, false), std::tuple(32, 16384, false)})
    EXPECT_EQ(isForFewKeys(n, batches * n.ceilDiv(length, 128),
                           batches * n.ceilDiv(length, 192), length,
                           versions[0], versions[1]),
              isFew)
        << batches << " " << length;
}

// With many tiles, the number of keys decides, and the formula for launches
// estimates what the compiler does.
TEST(OnlineKernelsTest, launchesAsEstimated) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  int64_t numWithTwo = 0;
  for (const Rotated &timed : kRotated) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = timed.width;
    sizes.isMaskedByPosition = timed.isCausal;
    llvm::SmallVector<OnlineVersion> versions =
        chooseOnlineVersions(sizes, makeSync(), limits);
    if (versions.size() < 2)
      continue;
    ++numWithTwo;
    sizes.batches = timed.batches;
    sizes.rows = sizes.keys = timed.length;
    KnownNumbers n;
    int64_t tiles[2];
    for (int i : {0, 1}) {
      tiles[i] =
          timed.batches * n.ceilDiv(timed.length, versions[i].kernel.rows);
      double estimated = estimateOnlineKernel(sizes, versions[i].kernel),
             ofLaunch = estimateOnlineLaunch(n, tiles[i], timed.length,
                                             versions[i].cost);
      EXPECT_NEAR(ofLaunch / estimated, 1, 0.02)
          << timed.width << " " << timed.isCausal << " " << timed.length;
    }
    EXPECT_EQ(isForFewKeys(n, tiles[0], tiles[1], timed.length, versions[0],
                           versions[1]),
              timed.length <= *versions[0].most)
        << timed.width << " " << timed.isCausal << " " << timed.length;
  }
  EXPECT_GE(numWithTwo, 10);
}

TEST(OnlineKernelsTest, oneVersionWhereKeysAreKnown) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 64;
  ASSERT_EQ(chooseOnlineVersions(sizes, makeSync(), limits).size(), 2u);
  for (int64_t keys : {512, 16384}) {
    sizes.keys = keys;
    llvm::SmallVector<OnlineVersion> versions =
        chooseOnlineVersions(sizes, makeSync(), limits);
    ASSERT_EQ(versions.size(), 1u);
    EXPECT_FALSE(versions.front().most);
    OnlineKernel chosen = choose(sizes, limits);
    EXPECT_EQ(versions.front().kernel.rows, chosen.rows);
    EXPECT_EQ(versions.front().kernel.rotate, chosen.rotate);
    EXPECT_EQ(versions.front().kernel.persist, chosen.persist);
  }
  // Synchronous products have none.
  sizes.keys.reset();
  limits.ways = {true, false, false, false};
  EXPECT_EQ(chooseOnlineVersions(sizes, makeSync(), limits).size(), 1u);
}

/// Rates of windows of 128 keys, f16 on an H200, divided by those of tiles of 32 keys (64
/// at 128 columns) with four slots in three loops (docs/Decisions/0172): without roles in one
/// loop, with 128 keys an iteration, 64 and 32; and with roles, the fastest that was timed.
/// With 64 columns, two slots are the fastest.
struct Windowed {
  int64_t width, length, batches;
  double keys128, keys64, keys32, roles;
  int64_t slots;
};

const Windowed kWindows[] = {
    {64, 512, 1024, 1.22, 1.40, 1.35, 1.01, 2},
    {64, 4096, 128, 1.19, 1.38, 1.33, 1.06, 2},
    {128, 512, 512, 0, 1.156, 1.150, 1.06, 0},
    {128, 4096, 64, 0, 1.173, 1.155, 1.11, 0},
};

// A window needs few keys beside its own, whatever their number: there is one kernel, the
// fastest that was timed.
TEST(OnlineKernelsTest, windowsOfFewKeys) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  for (const Windowed &timed : kWindows)
    for (bool isKnown : {false, true}) {
      OnlineSizes sizes;
      if (isKnown) {
        sizes.batches = timed.batches;
        sizes.rows = sizes.keys = timed.length;
      }
      sizes.depth = sizes.columns = timed.width;
      sizes.isMaskedByPosition = sizes.isWindow = true;
      sizes.window = 128;
      llvm::SmallVector<OnlineVersion> versions =
          chooseOnlineVersions(sizes, makeSync(), limits);
      ASSERT_EQ(versions.size(), 1u);
      const OnlineKernel &chosen = versions.front().kernel;
      ASSERT_EQ(chosen.way, ProductWay::Async) << chosen.reason;
      double rate = chosen.keys == 128  ? timed.keys128
                    : chosen.keys == 64 ? timed.keys64
                    : chosen.keys == 32 ? timed.keys32
                                        : 0;
      EXPECT_EQ(rate, std::max({timed.keys128, timed.keys64, timed.keys32,
                                timed.roles}))
          << timed.width << " " << timed.length << ": " << chosen.reason;
      EXPECT_EQ(chosen.slots, timed.slots) << chosen.reason;
      if (timed.width != 64)
        continue;
      // With few columns, longer windows have the same tiles.
      sizes.window = 512;
      OnlineKernel longer = chooseOnlineVersions(sizes, makeSync(), limits).front().kernel;
      EXPECT_EQ(longer.way, ProductWay::Async) << longer.reason;
      EXPECT_EQ(longer.keys, 64) << longer.reason;
      EXPECT_EQ(longer.slots, 2) << longer.reason;
    }
}

// Two groups with 128 columns rotate the loops of long windows. With less than
// 2048 keys, they are persistent. Nothing else may be beside the window.
TEST(OnlineKernelsTest, longWindowsAreRotated) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 128;
  sizes.isMaskedByPosition = sizes.isWindow = true;
  auto choose = [&](int64_t window) {
    sizes.window = window;
    return chooseOnlineKernel(sizes, makeSync(), limits);
  };
  for (int64_t window : {1024, 2048, 4096}) {
    OnlineKernel chosen = choose(window);
    EXPECT_EQ(chosen.way, ProductWay::Roles) << chosen.reason;
    EXPECT_TRUE(chosen.rotate) << chosen.reason;
    EXPECT_EQ(chosen.persist != 0, window < 2048) << chosen.reason;
    EXPECT_EQ(chosen.rows, 128) << chosen.reason;
  }
  for (int64_t window : {256, 512})
    EXPECT_EQ(choose(window).way, ProductWay::Async) << choose(window).reason;
  sizes.hasEnd = true;
  EXPECT_FALSE(choose(2048).rotate) << choose(2048).reason;
  sizes.hasEnd = false;
  sizes.depth = sizes.columns = 64;
  EXPECT_EQ(choose(2048).way, ProductWay::Async) << choose(2048).reason;
}

// The time of a window does not grow with the number of keys behind it.
TEST(OnlineKernelsTest, windowsBoundTime) {
  OnlineSizes sizes;
  sizes.batches = 64;
  sizes.rows = 4096;
  sizes.depth = sizes.columns = 128;
  sizes.isMaskedByPosition = sizes.isWindow = true;
  OnlineKernel kernel;
  kernel.way = ProductWay::Async;
  kernel.rows = kernel.keys = 64;
  kernel.threads = 128;
  auto getTime = [&](int64_t keys, std::optional<int64_t> window) {
    sizes.keys = keys;
    sizes.window = window;
    return estimateOnlineKernel(sizes, kernel);
  };
  EXPECT_EQ(getTime(4096, 512), getTime(65536, 512));
  EXPECT_LT(getTime(4096, 512), getTime(4096, std::nullopt));
  EXPECT_LT(getTime(4096, 128), getTime(4096, 512));
  EXPECT_EQ(getTime(4096, 65536), getTime(4096, std::nullopt));
}

// Three groups of a soft cap are persistent, but not rotated.
TEST(OnlineKernelsTest, functionsTakeTime) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  for (int64_t columns : {64, 128})
    for (bool hasFunction : {false, true}) {
      OnlineSizes sizes;
      sizes.batches = 1024;
      sizes.rows = sizes.keys = 4096;
      sizes.depth = sizes.columns = columns;
      sizes.hasFunction = hasFunction;
      OnlineKernel chosen = choose(sizes, limits);
      EXPECT_EQ(chosen.way, ProductWay::Roles) << chosen.reason;
      EXPECT_EQ(chosen.rows == 192, columns == 64) << chosen.reason;
      EXPECT_EQ(chosen.rotate && chosen.persist != 0,
                columns == 128 || !hasFunction)
          << chosen.reason;
    }
}

// One tile for each processor: nothing overlaps.
TEST(OnlineKernelsTest, notPersistentWithoutNextTile) {
  OnlineSizes sizes;
  sizes.batches = 4;
  sizes.rows = sizes.keys = 4096;
  sizes.depth = sizes.columns = 128;
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  EXPECT_EQ(choose(sizes, limits).persist, 0);
  sizes.batches = 64;
  EXPECT_EQ(choose(sizes, limits).persist, 1);
}

// What is not known has no one length.
// Rates without a mask, at 128 columns, of tiles of 160 keys on an H200, divided
// by those of 128 keys in the same run (docs/Decisions/0170).
struct ManyKeys {
  int64_t length;
  double rate;
};

const ManyKeys kManyKeys[] = {
    {2048, 0.90}, {4096, 0.93}, {8192, 0.99}, {16384, 1.026}};

// Long rows have tiles of more keys, if these are faster, where sizes are known
// and where they are not. Other kernels stay as they are.
TEST(OnlineKernelsTest, longRowsHaveMoreKeys) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 128;
  llvm::SmallVector<OnlineVersion> versions =
      chooseOnlineVersions(sizes, makeSync(), limits);
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[0].kernel.keys, 128);
  EXPECT_EQ(versions[0].kernel.persist, 1);
  EXPECT_EQ(versions[1].kernel.keys, 160);
  EXPECT_EQ(versions[1].kernel.persist, 0);
  EXPECT_TRUE(versions[1].kernel.rotate);
  KnownNumbers n;
  for (const ManyKeys &timed : kManyKeys) {
    int64_t tiles = 16384 / timed.length * 16 * n.ceilDiv(timed.length, 128);
    bool isFew = isForFewKeys(n, tiles, tiles, timed.length, versions[0],
                              versions[1]);
    EXPECT_EQ(isFew, timed.rate < 1) << timed.length;
    OnlineSizes known = sizes;
    known.batches = 16384 / timed.length * 16;
    known.rows = known.keys = timed.length;
    OnlineKernel kernel = choose(known, limits);
    if (timed.length != 8192)
      EXPECT_EQ(kernel.keys, timed.rate < 1 ? 128 : 160) << timed.length;
  }
  // With a mask, of other widths, and where keys are given, they were slower, or
  // were not measured.
  auto expectNone = [&](const OnlineSizes &others) {
    for (const OnlineVersion &version :
         chooseOnlineVersions(others, makeSync(), limits))
      EXPECT_LE(version.kernel.keys, 128) << version.kernel.reason;
  };
  for (int64_t width : {64, 80, 96, 160, 192, 256}) {
    OnlineSizes others;
    others.depth = others.columns = width;
    expectNone(others);
  }
  OnlineSizes masked = sizes;
  masked.isMaskedByPosition = true;
  expectNone(masked);
  masked = sizes;
  masked.hasEnd = true;
  expectNone(masked);
  masked = sizes;
  masked.maskBytes = 2;
  expectNone(masked);
  limits.keys = 128;
  expectNone(sizes);
  limits.keys = 0;
  limits.rotate = false;
  expectNone(sizes);
}

// Long causal rows are held in registers, if that is faster, where sizes are
// known and where they are not (docs/Decisions/0178). Other kernels read them
// from shared memory.
TEST(OnlineKernelsTest, longCausalRowsAreHeld) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 128;
  sizes.isMaskedByPosition = true;
  llvm::SmallVector<OnlineVersion> versions =
      chooseOnlineVersions(sizes, makeSync(), limits);
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_FALSE(versions[0].kernel.holdsRows);
  EXPECT_TRUE(versions[1].kernel.holdsRows);
  KnownNumbers n;
  for (int64_t length : {512, 1024, 2048, 4096, 8192, 16384}) {
    int64_t tiles = 16384 / length * 16 * n.ceilDiv(length, 128);
    EXPECT_EQ(isForFewKeys(n, tiles, tiles, length, versions[0], versions[1]),
              length < 4096)
        << length;
    OnlineSizes known = sizes;
    known.batches = 16384 / length * 16;
    known.rows = known.keys = length;
    EXPECT_EQ(choose(known, limits).holdsRows, length >= 4096) << length;
  }
  auto expectNone = [&](const OnlineSizes &others) {
    for (const OnlineVersion &version :
         chooseOnlineVersions(others, makeSync(), limits))
      EXPECT_FALSE(version.kernel.holdsRows) << version.kernel.reason;
  };
  for (int64_t width : {64, 112, 160, 192, 256}) {
    OnlineSizes others = sizes;
    others.depth = others.columns = width;
    expectNone(others);
  }
  OnlineSizes others = sizes;
  others.isMaskedByPosition = false;
  expectNone(others);
  others = sizes;
  others.hasFunction = true;
  expectNone(others);
  others = sizes;
  others.isBiasedByPosition = true;
  expectNone(others);
  others = sizes;
  others.hasGroups = true;
  expectNone(others);
  others = sizes;
  others.hasEnd = true;
  expectNone(others);
}

TEST(OnlineKernelsTest, unknownSizes) {
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 128;
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  EXPECT_EQ(choose(sizes, limits).persist, 1);
  OnlineKernel kernel = choose(sizes, limits);
  int64_t all = estimateOnlineKernel(sizes, kernel);
  sizes.rows = sizes.keys = 512;
  EXPECT_LT(estimateOnlineKernel(sizes, kernel), all);
  sizes.rows = sizes.keys = 16384;
  EXPECT_GT(estimateOnlineKernel(sizes, kernel), all);
}

// The estimates are right within a factor of 1.8, and within 20 % on average.
TEST(OnlineKernelsTest, estimatesTimes) {
  double error = 0;
  int64_t number = 0;
  for (const Timed &timed : kTimed) {
    OnlineSizes sizes = getSizes(timed);
    auto check = [&](OnlineKernel kernel) {
      double time = getTime(timed, kernel);
      if (time == 0)
        return;
      // Of a clock of 1.7 GHz.
      double ratio = estimateOnlineKernel(sizes, kernel) / 1700.0 / time;
      EXPECT_GT(ratio, 0.55) << timed.width << " " << timed.length;
      EXPECT_LT(ratio, 1.8) << timed.width << " " << timed.length;
      error += std::abs(std::log(ratio));
      ++number;
    };
    check(getSync(timed.width));
    for (auto [way, rows] : {std::pair(ProductWay::Async, 64),
                             std::pair(ProductWay::Roles, 128)}) {
      OnlineKernel kernel;
      kernel.way = way;
      kernel.rows = rows;
      kernel.keys = getAsyncKeys(sizes, rows).keys;
      check(kernel);
    }
  }
  EXPECT_LT(error / number, 0.2);
}

// Scores, weights and the accumulator fit into the registers of a thread, tiles
// into shared memory.
TEST(OnlineKernelsTest, tilesFit) {
  GPUTarget target;
  for (int64_t depth : {16, 40, 64, 128, 192, 256})
    for (int64_t columns : {8, 64, 128, 256})
      for (int64_t rows : {64, 128, 192}) {
        OnlineSizes sizes;
        sizes.depth = depth;
        sizes.columns = columns;
        auto [keys, workgroups] = getAsyncKeys(sizes, rows, target);
        EXPECT_EQ(keys % 16, 0);
        EXPECT_GE(keys, 16);
        EXPECT_LE(keys, 128);
        if (keys == 16) // the least has no bound
          continue;
        int64_t words = rows * (columns + keys + keys / 2), threads = 2 * rows;
        EXPECT_LE(words / threads + target.asyncOtherRegisters,
                  std::min(target.processorRegisters / (workgroups * threads),
                           target.threadRegisters));
        int64_t slots = rows == 64 ? 1 : 2;
        EXPECT_LE(workgroups *
                      (2 * (rows * depth + slots * keys * (depth + columns)) +
                       target.reservedSharedBytes),
                  target.processorSharedBytes);
      }
}

// What ptxas of CUDA 13 spills of persistent kernels of bench/gpu/attention, of
// 128 rows x 128 keys: bytes, by columns and by bytes of an element of a mask.
TEST(OnlineKernelsTest, persistentKernelsThatSpill) {
  struct Spilled {
    int64_t columns, maskBytes;
    bool isWindow;
    int64_t bytes;
  };
  const Spilled kSpilled[] = {
      {64, 0, false, 0},  {80, 0, false, 0},  {128, 0, false, 0},
      {64, 0, true, 0},   {32, 0, true, 0},   {80, 0, true, 0},
      {96, 0, true, 0},   {128, 0, true, 0},  {96, 4, false, 0},
      {104, 4, false, 0}, {112, 4, false, 0}, {120, 4, false, 0},
      {128, 4, false, 0}, {96, 2, false, 0},  {104, 2, false, 0},
      {112, 2, false, 0}, {120, 2, false, 0}, {128, 2, false, 0},
      {96, 1, false, 0},  {128, 1, false, 0}};
  for (const Spilled &spilled : kSpilled) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = spilled.columns;
    sizes.maskBytes = spilled.maskBytes;
    sizes.isMaskedByPosition = sizes.isWindow = spilled.isWindow;
    EXPECT_EQ(
        hasRoleRegisters(sizes, 128, 128, /*persist=*/true, /*rotate=*/false),
        spilled.bytes == 0)
        << spilled.columns << " columns, mask of " << spilled.maskBytes
        << " bytes";
  }
}

// Fewer registers make no kernel persistent that was not.
TEST(OnlineKernelsTest, persistentKernelsNeedRegisters) {
  for (int64_t columns : {16, 64, 128, 256})
    for (int64_t maskBytes : {0, 1, 2, 4}) {
      OnlineSizes sizes;
      sizes.depth = sizes.columns = columns;
      sizes.maskBytes = maskBytes;
      bool fits = true;
      for (int64_t registers : {65536, 49152, 32768, 16384}) {
        GPUTarget target;
        target.processorRegisters = registers;
        bool stillFits = hasRoleRegisters(sizes, 128, 128, /*persist=*/true,
                                          /*rotate=*/false, target);
        EXPECT_LE(stillFits, fits);
        fits = stillFits;
      }
      EXPECT_FALSE(fits);
    }
}

// A mask of 16 bits that is copied to shared memory takes no registers for
// addresses: its loop may be rotated. ptxas spills nothing of such kernels, and
// 144 bytes if threads read the mask. One of 32 bits has no room there with 128
// keys.
TEST(OnlineKernelsTest, masksThatAreCopied) {
  OnlineSizes sizes;
  sizes.batches = 16;
  sizes.rows = sizes.keys = 4096;
  sizes.depth = sizes.columns = 128;
  OnlineLimits limits;
  limits.ways = {true, true, true, true};
  for (int64_t maskBytes : {2, 4})
    for (bool isCopied : {false, true}) {
      sizes.maskBytes = maskBytes;
      sizes.isMaskCopied = isCopied;
      OnlineKernel kernel = choose(sizes, limits);
      EXPECT_EQ(kernel.way, ProductWay::Roles);
      EXPECT_EQ(kernel.keys, isCopied && maskBytes == 4 ? 80 : 128);
      if (maskBytes == 2) {
        EXPECT_EQ(kernel.rotate, isCopied);
        EXPECT_EQ(kernel.copied, kernel.rotate);
      }
    }
  EXPECT_TRUE(hasRoleRegisters(sizes, 128, 128, /*persist=*/true,
                               /*rotate=*/false));
  sizes.maskBytes = 2;
  EXPECT_FALSE(
      hasRoleRegisters(sizes, 128, 128, /*persist=*/true, /*rotate=*/true));
  EXPECT_TRUE(hasRoleRegisters(sizes, 128, 128, /*persist=*/true,
                               /*rotate=*/true, {}, /*copied=*/true));
}

// A workgroup that begins tiles early from a bias of f16 starts a product behind
// its last one, too. Where each has one tile, another kernel does not
// (docs/Decisions/0195).
TEST(OnlineKernelsTest, biasedTilesAreAloneInFewWorkgroups) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  OnlineSizes sizes;
  auto isForOneTile = [&] {
    return chooseOnlineVersions(sizes, makeSync(), limits).front().isForOneTile;
  };
  KnownNumbers n;
  for (auto [columns, rows] : {std::pair(64, 192), {112, 128}, {128, 128}}) {
    sizes = {};
    sizes.depth = sizes.columns = columns;
    sizes.maskBytes = 2;
    sizes.isMaskCopied = sizes.isMaskAdded = true;
    auto versions = chooseOnlineVersions(sizes, makeSync(), limits);
    ASSERT_EQ(versions.size(), 2u) << columns;
    const OnlineKernel &few = versions[0].kernel;
    EXPECT_TRUE(isForOneTile() && few.rotate && few.persist == 0);
    EXPECT_EQ(few.rows, 128);
    EXPECT_EQ(versions[1].kernel.persist, 1);
    EXPECT_EQ(versions[1].kernel.rows, rows);
    for (int64_t tiles : {1, 132, 133, 1024})
      EXPECT_EQ(isForFewKeys(n, tiles, tiles, 4096, versions[0], versions[1]),
                tiles <= 132);
    // A bias that threads read, and one of 32 bits, are not converted for the
    // next tile. Rows may be given.
    sizes.isMaskCopied = false;
    EXPECT_FALSE(isForOneTile()) << columns;
    sizes.isMaskCopied = true;
    sizes.maskBytes = 4;
    EXPECT_FALSE(isForOneTile()) << columns;
    sizes.maskBytes = 2;
    limits.rows = 192;
    EXPECT_FALSE(isForOneTile()) << columns;
    limits.rows = 0;
  }
  // Memory has room for the rows of two tiles, or there are many columns.
  for (int64_t columns : {96, 256}) {
    sizes.depth = sizes.columns = columns;
    EXPECT_FALSE(isForOneTile()) << columns;
  }
}

// Booleans that are copied are bits of a few words. ptxas spills nothing of these
// kernels in loops, in three groups either (docs/Decisions/0171). At 160 and 192
// columns, tiles of fewer keys have room.
TEST(OnlineKernelsTest, booleansAreBits) {
  struct Chosen {
    int64_t columns, rows, keys;
    bool rotates;
  };
  const Chosen kChosen[] = {{64, 192, 128, true},
                            {128, 128, 128, true},
                            {160, 128, 96, true},
                            {192, 128, 96, true},
                            {256, 128, 64, true}};
  for (const Chosen &chosen : kChosen) {
    OnlineSizes sizes;
    sizes.batches = 256;
    sizes.rows = sizes.keys = 4096;
    sizes.depth = sizes.columns = chosen.columns;
    sizes.maskBytes = 1;
    sizes.isMaskCopied = true;
    OnlineLimits limits;
    limits.ways = {true, true, true, true};
    OnlineKernel kernel = choose(sizes, limits);
    EXPECT_EQ(kernel.way, ProductWay::Roles) << chosen.columns;
    EXPECT_EQ(kernel.rows, chosen.rows) << chosen.columns;
    EXPECT_EQ(kernel.keys, chosen.keys) << chosen.columns;
    EXPECT_EQ(kernel.rotate, chosen.rotates) << chosen.columns;
    // Bytes that threads read themselves take registers.
    sizes.isMaskCopied = false;
    EXPECT_LE(choose(sizes, limits).rows, 128) << chosen.columns;
  }
}

// Products that start from a bias of f16 keep it in the registers of scores: ptxas
// spills nothing of these kernels of bench/gpu/attention, whether the bias is copied
// or read, which is then not in a rotated loop.
TEST(OnlineKernelsTest, biasesThatProductsStartFrom) {
  struct Chosen {
    int64_t columns, rows, keys;
    bool persists, rotates;
  };
  const Chosen kChosen[] = {{64, 192, 128, true, true},
                            {80, 128, 128, true, true},
                            {96, 128, 128, true, true},
                            {128, 128, 128, true, true},
                            {160, 128, 128, false, false},
                            {192, 128, 112, false, false},
                            {256, 128, 64, true, true}};
  for (const Chosen &chosen : kChosen) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = chosen.columns;
    sizes.maskBytes = 2;
    sizes.isMaskCopied = sizes.isMaskAdded = true;
    OnlineLimits limits;
    limits.ways = {true, true, true, true};
    OnlineKernel kernel = choose(sizes, limits);
    EXPECT_EQ(kernel.way, ProductWay::Roles) << chosen.columns;
    EXPECT_EQ(kernel.rows, chosen.rows) << chosen.columns;
    EXPECT_EQ(kernel.keys, chosen.keys) << chosen.columns;
    EXPECT_EQ(kernel.persist != 0, chosen.persists) << chosen.columns;
    EXPECT_EQ(kernel.rotate, chosen.rotates) << chosen.columns;
    EXPECT_EQ(kernel.copied, chosen.rotates && (chosen.rows == 192 ||
                                                chosen.columns >= 128))
        << chosen.columns;
  }
}

// A copied mask that is added behind the product: its loads are hidden by a
// rotated loop from 64 columns on. A version that does not copy it is not rotated.
TEST(OnlineKernelsTest, loadsOfMasksAreHidden) {
  OnlineLimits limits;
  limits.ways = {true, true, true, true};
  for (int64_t bytes : {2, 4})
    for (int64_t columns : {32, 48, 64}) {
      OnlineSizes sizes;
      sizes.depth = sizes.columns = columns;
      sizes.maskBytes = bytes;
      sizes.isMaskCopied = true;
      OnlineKernel kernel = choose(sizes, limits);
      EXPECT_EQ(kernel.way, ProductWay::Roles) << columns;
      EXPECT_EQ(kernel.rows, 128) << columns;
      EXPECT_NE(kernel.persist, 0) << columns;
      EXPECT_EQ(kernel.rotate, columns == 64) << columns;
      EXPECT_EQ(kernel.copied, columns == 64) << columns;
      sizes.isMaskCopied = false;
      EXPECT_FALSE(choose(sizes, limits).rotate) << columns;
      sizes.isMaskCopied = sizes.hasFunction = true;
      EXPECT_FALSE(choose(sizes, limits).rotate) << columns;
      sizes.hasFunction = false;
      sizes.isMaskedByPosition = true;
      EXPECT_FALSE(choose(sizes, limits).rotate) << columns;
    }
}

TEST(OnlineKernelsTest, onlyWhatIsAllowed) {
  OnlineSizes sizes;
  sizes.batches = 16;
  sizes.rows = sizes.keys = 4096;
  sizes.depth = sizes.columns = 128;
  OnlineLimits limits;
  EXPECT_EQ(choose(sizes, limits).way, ProductWay::Sync);
  limits.ways = {true, true, false};
  EXPECT_EQ(choose(sizes, limits).way, ProductWay::Async);
  limits.ways = {true, false, true};
  EXPECT_EQ(choose(sizes, limits).way, ProductWay::Roles);
  EXPECT_TRUE(choose(sizes, limits).rotate);
  limits.rotate = false;
  EXPECT_FALSE(choose(sizes, limits).rotate);
  // A device without such instructions.
  GPUTarget other;
  other.asyncRows = 0;
  limits.ways = {false, true, true};
  EXPECT_EQ(choose(sizes, limits, other).way, ProductWay::Sync);
  // Few rows: only if nothing else is allowed.
  sizes.rows = 49;
  EXPECT_EQ(choose(sizes, allowAll()).way, ProductWay::Sync);
  EXPECT_EQ(choose(sizes, limits).way, ProductWay::Async);
}

TEST(OnlineKernelsTest, givenSizesAreTaken) {
  OnlineSizes sizes;
  sizes.depth = sizes.columns = 64;
  OnlineLimits limits = allowAll();
  limits.rows = 192;
  limits.keys = 96;
  limits.ways.sync = false;
  OnlineKernel chosen = choose(sizes, limits);
  EXPECT_EQ(chosen.way, ProductWay::Roles);
  EXPECT_EQ(chosen.rows, 192);
  EXPECT_EQ(chosen.keys, 96);
  EXPECT_EQ(chosen.threads, 384);
  EXPECT_NE(chosen.reason.find("not known"), std::string::npos);
  // No group of rows.
  limits.rows = 32;
  EXPECT_EQ(choose(sizes, limits).way, ProductWay::Sync);
}

// In front of a diagonal and of an end, as it was timed (docs/Decisions/0104):
// the faster way of a length, and no loop over tiles.

TEST(OnlineKernelsTest, lengthsBelowADiagonal) {
  struct Case {
    int64_t columns, length, batches;
    ProductWay way;
  };
  for (const Case &each : {Case{64, 512, 1024, ProductWay::Async},
                           Case{64, 2048, 256, ProductWay::Async},
                           Case{64, 4096, 128, ProductWay::Async},
                           Case{64, 16384, 64, ProductWay::Roles},
                           Case{128, 512, 1024, ProductWay::Async},
                           Case{128, 1024, 512, ProductWay::Roles},
                           Case{128, 4096, 128, ProductWay::Roles},
                           Case{256, 1024, 512, ProductWay::Roles},
                           Case{256, 4096, 128, ProductWay::Roles}}) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = each.columns;
    sizes.rows = sizes.keys = each.length;
    sizes.batches = each.batches;
    sizes.isMaskedByPosition = sizes.hasEnd = true;
    OnlineLimits limits = allowAll();
    limits.ways.sync = false;
    OnlineKernel chosen = choose(sizes, limits);
    EXPECT_EQ(chosen.way, each.way)
        << each.columns << ", " << each.length << ": " << chosen.reason;
    EXPECT_EQ(chosen.rotate, each.way == ProductWay::Roles);
    EXPECT_EQ(chosen.persist, 0);
  }
}

// A bias by position that instructions compute in rotated loops leaves the kernel
// of a diagonal alone: another one at 64 columns, for few keys and for many.
TEST(OnlineKernelsTest, biasesOfProducts) {
  OnlineLimits limits = allowAll();
  limits.ways.persistent = true;
  for (int64_t length : {512, 4096, 16384}) {
    OnlineSizes sizes;
    sizes.depth = sizes.columns = 64;
    sizes.rows = sizes.keys = length;
    sizes.batches = 16384 / length * 32;
    sizes.isMaskedByPosition = true;
    OnlineKernel plain = choose(sizes, limits);
    sizes.isBiasedByPosition = true;
    OnlineKernel biased = choose(sizes, limits);
    sizes.isBiasOfProducts = true;
    OnlineKernel ofProducts = choose(sizes, limits);
    EXPECT_TRUE(plain.rotate && plain.persist != 0) << plain.reason;
    EXPECT_FALSE(biased.rotate && biased.persist != 0) << biased.reason;
    EXPECT_EQ(ofProducts.rotate, plain.rotate) << ofProducts.reason;
    EXPECT_EQ(ofProducts.persist, plain.persist);
    EXPECT_EQ(ofProducts.rows, plain.rows);
    EXPECT_EQ(ofProducts.keys, plain.keys);
  }
}

} // namespace
