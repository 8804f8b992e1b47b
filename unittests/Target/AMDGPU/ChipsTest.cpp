//===- ChipsTest.cpp - The table of chips ---------------------------------===//
//
// Properties that every chip has.
//
//===----------------------------------------------------------------------===//

#include "Target/ChipsTest.h"

#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"

#include <iterator>

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

class ChipsTest : public linalg_ext_test::ChipsTestBase {
protected:
  ChipsTest() : ChipsTestBase(amdgpu_ext::registerIntrinsics) {}
};

TEST_F(ChipsTest, linesOfTheTable) {
  expectTable(getAMDChips(), lookupAMDChip);
  EXPECT_EQ(lookupAMDChip("sm_80"), nullptr);
}

/// What the data sheets say: the peak clock in MHz, and the peak TFLOPS of
/// matrices of f16 (dense) and of vectors of f32.
struct DataSheet {
  const char *name;
  double clock, matrix, vector;
};

// A product is two operations. MI250X has two dies.
TEST_F(ChipsTest, ratesAreThoseOfDataSheets) {
  const DataSheet sheets[] = {
      {"gfx90a", 1700, 383.0 / 2, 47.9 / 2}, // MI250X
      {"gfx942", 2100, 1307.4, 163.4},       // MI300X
      {"gfx950", 2400, 2516.6, 157.3},       // MI355X
      {"gfx1100", 2500, 122.8, 61.4},        // RX 7900 XTX
      {"gfx1101", 2430, 74.65, 37.32},       // RX 7800 XT
      {"gfx1102", 2655, 43.5, 21.75},        // RX 7600
      // Ryzen 7 7840U: 12 CUs of gfx1151 at another clock.
      {"gfx1103", 2700, 59.4 * 12 / 40 * 2.7 / 2.9,
       29.7 * 12 / 40 * 2.7 / 2.9},
      // Ryzen AI 9 HX 370, whose data sheet has 16 CUs and a clock, but no TFLOPS:
      // what 16 CUs of gfx1151 compute.
      {"gfx1150", 2900, 59.4 * 16 / 40, 29.7 * 16 / 40},
      {"gfx1151", 2900, 59.4, 29.7},         // Ryzen AI Max+ 395
      {"gfx1152", 3000, 59.4 * 8 / 40 * 3.0 / 2.9,
       29.7 * 8 / 40 * 3.0 / 2.9}, // Ryzen AI 7 350: 8 CUs
      {"gfx1200", 3130, 102.6, 25.6},        // RX 9060 XT
      {"gfx1201", 2970, 194.6, 48.7},        // RX 9070 XT
  };
  for (const AMDChip &chip : getAMDChips())
    EXPECT_TRUE(llvm::any_of(sheets, [&](const DataSheet &sheet) {
      return chip.name == sheet.name;
    })) << chip.name.str()
        << " has no data sheet here (docs/AMD.md)";
  for (const DataSheet &sheet : sheets) {
    SCOPED_TRACE(sheet.name);
    const AMDChip *chip = lookupAMDChip(sheet.name);
    ASSERT_TRUE(chip);
    auto getTFLOPS = [&](int64_t products) {
      return 2e-6 * products * chip->target.processors * sheet.clock;
    };
    EXPECT_NEAR(getTFLOPS(chip->target.matrixProducts), sheet.matrix,
                0.01 * sheet.matrix);
    EXPECT_NEAR(getTFLOPS(chip->target.threadProducts), sheet.vector,
                0.01 * sheet.vector);
  }
}

// Published measurements, in cycles of an idle chip: of a load from memory and from
// LDS, and of a Hopper chip by the same program. Under load, all are longer by as
// much as a Hopper chip's.
TEST_F(ChipsTest, latenciesAreInTheRatioOfMeasurements) {
  const struct {
    const char *name;
    double memory, shared, hopperMemory, hopperShared;
  } measurements[] = {
      {"gfx90a", 741, 50, 834, 30},  // MT4G: MI210, H100
      {"gfx942", 900, 51, 834, 30},  // MT4G: MI300X
      {"gfx950", 768, 48, 834, 30},  // MT4G: MI350P
      {"gfx1100", 551, 33, 673, 23}, // ChipBenchmarker: RX 7900 XT, H800
      {"gfx1200", 551, 33, 673, 23}, // Not measured.
  };
  for (const auto &each : measurements) {
    SCOPED_TRACE(each.name);
    const GPUTarget &target = lookupAMDChip(each.name)->target;
    EXPECT_NEAR(target.memoryLatency,
                GPUTarget().memoryLatency * each.memory / each.hopperMemory, 1);
    EXPECT_NEAR(target.iterationLatency,
                GPUTarget().iterationLatency * each.shared / each.hopperShared,
                1);
    // A loaded chip is never faster than an idle one.
    EXPECT_GT(target.memoryLatency, each.memory);
    EXPECT_GT(target.iterationLatency, each.shared);
  }
  // A chip whose LDS takes longer needs more beside an iteration.
  EXPECT_GT(lookupAMDChip("gfx942")->target.iterationLatency,
            lookupAMDChip("gfx950")->target.iterationLatency);
}

// What counts threads that share keys is a number of threads on each processor.
TEST_F(ChipsTest, keysAreSharedByAllProcessors) {
  for (const AMDChip &chip : getAMDChips()) {
    const GPUTarget &target = chip.target;
    EXPECT_EQ(target.keyWorkgroups * 4 * target.lanes,
              1024 * target.processors)
        << chip.name.str();
  }
}

// The choice of tiles follows from these numbers.
TEST_F(ChipsTest, tilesFollowFromRates) {
  const GPUTarget cdna2 = lookupAMDChip("gfx90a")->target,
                  cdna3 = lookupAMDChip("gfx942")->target,
                  cdna4 = lookupAMDChip("gfx950")->target;
  // CDNA4 does all in half of the cycles that CDNA3 takes for a tile.
  for (int64_t size : {32, 64, 128})
    EXPECT_NEAR(getProductTileCycles(size, size, 1, cdna3),
                2 * getProductTileCycles(size, size, 1, cdna4), 2)
        << size;
  // CDNA2 multiplies at half of the rate, and LDS is as fast.
  int64_t products = 64 * 64 * 64 / cdna3.matrixProducts;
  EXPECT_NEAR(getProductTileCycles(64, 64, 1, cdna2),
              getProductTileCycles(64, 64, 1, cdna3) +
                  products * cdna3.productPercent / 100,
              2);
  GPUTarget slowLDS = cdna4;
  slowLDS.sharedBytesPerCycle = cdna3.sharedBytesPerCycle;
  EXPECT_GT(getProductTileCycles(64, 64, 1, slowLDS),
            getProductTileCycles(64, 64, 1, cdna4));
  // With more processors, tiles are smaller: there is one for each.
  auto getElements = [](StringRef chip) {
    ProductTile tile = chooseProductTile({1, 1024, 1024, 1}, {128, 128},
                                         lookupAMDChip(chip)->target);
    return tile.rows * tile.columns;
  };
  EXPECT_LT(getElements("gfx942"), getElements("gfx90a"));
  EXPECT_LE(getElements("gfx90a"), getElements("gfx1200"));
}

} // namespace
