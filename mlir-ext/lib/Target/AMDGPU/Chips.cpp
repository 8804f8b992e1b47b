//===- Chips.cpp - AMD chips ----------------------------------------------===//
//
// The table of chips, with one line for each. The facts are from AMD's ISA
// manuals of CDNA2, CDNA3, CDNA4, RDNA3 and RDNA4. Numbers of processors, and
// products in a cycle of matrix cores and of threads, are from the data sheets of
// MI250X (one of its two dies), MI300X, MI355X, RX 7900 XTX, RX 7800 XT, RX 7600,
// Ryzen 7 7840U, Ryzen AI 9 HX 370, Ryzen AI 7 350, Ryzen AI Max+ 395, RX 9060 XT and
// RX 9070 XT (`ChipsTest` compares them with the TFLOPS there). Bytes of LDS in a cycle
// are from the white papers of CDNA3 (128 of a CU), CDNA4 (256) and RDNA (128 of each CU
// of a WGP).
//
// We measured no chip. Latencies follow from measurements that others published
// (`Measured`): chains of loads on an idle chip, of memory and of LDS, beside those
// of a Hopper chip by the same program. What the model needs is latency under load,
// which is known of the H200 (the default): ours is that times the ratio. Only the
// choice of buffers and the ranking of `--tune` read latencies. `productPercent` and
// `sharedPercent`, what products and LDS take beside each other, are the H200's.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AMDGPU/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The registers of a thread for the results of contractions. With these
/// numbers LLVM spills nothing of attention and products. WMMA needs more
/// registers for operands; on gfx11 both halves of the lanes have copies of
/// them.
static constexpr int64_t kResultsOfMfma = 192, kResultsOfWmma = 62,
                         kResultsOfWmmaGfx12 = 80;

static AMDChip makeChip(StringRef name, int64_t processors,
                        ArrayRef<StringRef> intrinsics) {
  AMDChip chip{name, GPUTarget()};
  GPUTarget &target = chip.target;
  target.maxThreads = 1024;
  target.processors = processors;
  target.processorThreads = 2048;
  target.reservedSharedBytes = 0;
  target.sharedBytes = 64 * 1024;
  target.matrixRows = target.matrixColumns = 16;
  target.matrixLoads = target.asyncCopies = target.asyncRows = 0;
  target.memoryWorkgroups = 2 * processors;
  target.prefetchRows = processors + 12;
  for (StringRef intrinsic : intrinsics)
    target.intrinsics.push_back(intrinsic.str());
  return chip;
}

namespace {
/// The cycles of a load from memory and of one from LDS, on this chip and on a
/// Hopper chip.
struct Measured {
  int64_t memory, shared, hopperMemory, hopperShared;
};
} // namespace

// Means of the sample results of MT4G (github.com/caps-tum/mt4g, 1.2.1) for
// MI210, MI300X and MI350P, compared with H100 80GB HBM3. MI350P has half of
// the dies of MI355X.
static constexpr Measured kMI210 = {741, 50, 834, 30},
                          kMI300X = {900, 51, 834, 30},
                          kMI350P = {768, 48, 834, 30};
// From ChipBenchmarker (github.com/chanzhennan/ChipBenchmarker, README): RX
// 7900 XT, compared with H800. It also lists MI210, with 669 cycles for memory.
// We know of no such numbers for RDNA4, which uses those of RDNA3.
static constexpr Measured kRX7900XT = {551, 33, 673, 23};

/// Scales the default latencies by the ratio in `measured`. An iteration waits
/// for LDS and for a chain of dependent products.
static void setLatencies(GPUTarget &target, const Measured &measured) {
  GPUTarget hopper;
  target.memoryLatency =
      hopper.memoryLatency * measured.memory / measured.hopperMemory;
  target.iterationLatency =
      hopper.iterationLatency * measured.shared / measured.hopperShared;
}

/// Makes a CDNA chip. A processor is a compute unit (CU) with `sharedKiB` of
/// LDS. In a cycle its matrix cores compute `products` products of 16-bit
/// elements, and its threads `threadProducts` products of f32. Half of a
/// thread's registers are accumulation registers.
static AMDChip makeCDNA(StringRef name, int64_t processors, int64_t sharedKiB,
                        int64_t products, int64_t threadProducts,
                        ArrayRef<StringRef> intrinsics,
                        const Measured &measured, bool isCDNA4 = false) {
  AMDChip chip = makeChip(name, processors, intrinsics);
  setLatencies(chip.target, measured);
  chip.hasTransposeLoads = chip.hasLaneCopies = isCDNA4;
  GPUTarget &target = chip.target;
  target.lanes = 64;
  // Each processor runs as many threads as one of the default target, 1024, in
  // workgroups of four subgroups. The same holds for RDNA below.
  target.keyWorkgroups = 4 * processors;
  target.threadProducts = threadProducts;
  target.sharedBytesPerCycle = isCDNA4 ? 256 : 128;
  target.threadRegisters = 512;
  target.otherRegisters = target.threadRegisters - kResultsOfMfma;
  target.processorRegisters = 128 * 1024;
  target.sharedBytes = target.processorSharedBytes = sharedKiB * 1024;
  target.matrixProducts = products;
  return chip;
}

/// Makes an RDNA chip. A processor is a workgroup processor (WGP) of two CUs
/// with `registersKi` Ki registers (LLVM calls 192 the feature "1_5xvgprs"). A
/// thread has `results` registers for results.
static AMDChip makeRDNA(StringRef name, int64_t processors, int64_t products,
                        ArrayRef<StringRef> intrinsics,
                        int64_t results = kResultsOfWmma,
                        int64_t registersKi = 192) {
  AMDChip chip = makeChip(name, processors, intrinsics);
  setLatencies(chip.target, kRX7900XT);
  GPUTarget &target = chip.target;
  target.lanes = 32;
  target.keyWorkgroups = 8 * processors;
  target.threadRegisters = 256;
  target.otherRegisters = target.threadRegisters - results;
  target.processorRegisters = registersKi * 1024;
  target.processorSharedBytes = 128 * 1024;
  target.sharedBytesPerCycle = 256;
  target.matrixProducts = products;
  target.threadProducts = 256;
  return chip;
}

// These are the transposed forms, whose result can be an operand of the next
// product.
static constexpr StringRef kMfma[] = {
    "mfma.m16n16k16.f32.f16.transposed", "mfma.m16n16k16.f32.bf16.transposed",
    "mfma.m16n16k16.f32.f32.transposed", "mfma.m16n16k16.i32.i8.transposed"};
// CDNA3 has f8 formats of its own. CDNA4 and RDNA4 have the OCP formats.
static constexpr StringRef kMfmaF8[] = {
    "mfma.m16n16k16.f32.f16.transposed",
    "mfma.m16n16k16.f32.bf16.transposed",
    "mfma.m16n16k16.f32.f32.transposed",
    "mfma.m16n16k32.f32.f8E4M3FNUZ.transposed",
    "mfma.m16n16k32.f32.f8E5M2FNUZ.transposed",
    "mfma.m16n16k32.i32.i8.transposed"};
static constexpr StringRef kWideMfma[] = {
    "mfma.m16n16k32.f32.f8E4M3FN.transposed",
    "mfma.m16n16k32.f32.f8E5M2.transposed",
    "mfma.m16n16k64.i32.i8.transposed",
    "mfma.m16n16k32.i32.i8.transposed",
    "mfma.m16n16k32.f32.f16.interleaved.transposed",
    "mfma.m16n16k32.f32.bf16.interleaved.transposed",
    "mfma.m16n16k16.f32.f16.transposed",
    "mfma.m16n16k16.f32.bf16.transposed",
    "mfma.m16n16k16.f32.f32.transposed"};
static constexpr StringRef kWmma[] = {"wmma.m16n16k16.f32.f16.transposed",
                                      "wmma.m16n16k16.f32.bf16.transposed",
                                      "wmma.m16n16k16.i32.s8.s8.transposed",
                                      "wmma.m16n16k16.i32.s8.u8.transposed",
                                      "wmma.m16n16k16.i32.u8.s8.transposed",
                                      "wmma.m16n16k16.i32.u8.u8.transposed",
                                      "fma.m4n32k4.f32",
                                      "fma.m4n16k4.f32",
                                      "fma.m4n8k4.f32"};
static constexpr StringRef kWmmaGfx12[] = {
    "wmma.gfx12.m16n16k16.f32.f8E4M3FN.transposed",
    "wmma.gfx12.m16n16k16.f32.f8E5M2.transposed",
    "wmma.gfx12.m16n16k16.f32.f16.transposed",
    "wmma.gfx12.m16n16k16.f32.bf16.transposed",
    "wmma.gfx12.m16n16k16.i32.s8.s8.transposed",
    "wmma.gfx12.m16n16k16.i32.s8.u8.transposed",
    "wmma.gfx12.m16n16k16.i32.u8.s8.transposed",
    "wmma.gfx12.m16n16k16.i32.u8.u8.transposed",
    "fma.m4n32k4.f32",
    "fma.m4n16k4.f32",
    "fma.m4n8k4.f32"};

ArrayRef<AMDChip> mlir::linalg_ext::getAMDChips() {
  static const AMDChip chips[] = {
      makeCDNA("gfx90a", 110, 64, 512, 64, kMfma, kMI210),
      makeCDNA("gfx942", 304, 64, 1024, 128, kMfmaF8, kMI300X),
      makeCDNA("gfx950", 256, 160, 2048, 128, kWideMfma, kMI350P,
               /*isCDNA4=*/true),
      makeRDNA("gfx1100", 48, 512, kWmma),
      makeRDNA("gfx1101", 30, 512, kWmma),
      makeRDNA("gfx1102", 16, 512, kWmma, kResultsOfWmma, /*registersKi=*/128),
      makeRDNA("gfx1103", 6, 512, kWmma, kResultsOfWmma, /*registersKi=*/128),
      makeRDNA("gfx1150", 8, 512, kWmma, kResultsOfWmma, /*registersKi=*/128),
      makeRDNA("gfx1151", 20, 512, kWmma),
      makeRDNA("gfx1152", 4, 512, kWmma, kResultsOfWmma, /*registersKi=*/128),
      makeRDNA("gfx1200", 16, 1024, kWmmaGfx12, kResultsOfWmmaGfx12),
      makeRDNA("gfx1201", 32, 1024, kWmmaGfx12, kResultsOfWmmaGfx12),
  };
  return chips;
}

const AMDChip *mlir::linalg_ext::lookupAMDChip(StringRef name) {
  ArrayRef<AMDChip> chips = getAMDChips();
  const AMDChip *chip =
      llvm::find_if(chips, [&](const AMDChip &c) { return c.name == name; });
  return chip == chips.end() ? nullptr : chip;
}

std::string mlir::linalg_ext::explainUnknownAMDChip(StringRef name) {
  auto getName = [](const AMDChip &chip) { return chip.name; };
  return "expected one of " +
         llvm::join(llvm::map_range(getAMDChips(), getName), ", ") + ", got '" +
         name.str() + "'";
}
