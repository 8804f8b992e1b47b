//===- Chips.cpp - NVIDIA chips -------------------------------------------===//
//
// The table of chips, with one line for each. The facts are from the table of
// technical specifications per compute capability in NVIDIA's CUDA C++
// Programming Guide. Numbers of processors are from the data sheets of A100,
// A40, Jetson AGX Orin, L40, H100, B200, B300, Jetson AGX Thor, RTX PRO 6000
// and DGX Spark.
//
// All measurements are of an H200. The other chips use them, until they are
// measured. Numbers of workgroups follow the number of processors.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Makes a chip with `processors` processors, each of which has `sharedKiB` KiB
/// of shared memory and runs `threads` threads at a time.
static NVIDIAChip makeChip(StringRef name, StringRef ptx, int64_t processors,
                           int64_t sharedKiB, int64_t threads) {
  NVIDIAChip chip{name, ptx, {}};
  chip.hasF8Conversions = !name.starts_with("sm_8") || name == "sm_89";
  GPUTarget &target = chip.target;
  target.lanes = 32;
  target.maxThreads = 1024;
  target.processors = processors;
  target.processorThreads = threads;
  target.threadRegisters = 255;
  target.processorRegisters = 64 * 1024;
  // Each workgroup takes 1 KiB besides its own memory.
  target.reservedSharedBytes = 1024;
  target.processorSharedBytes = sharedKiB * 1024;
  target.sharedBytes = target.processorSharedBytes - target.reservedSharedBytes;
  target.memoryWorkgroups = target.keyWorkgroups = 2 * processors;
  // If a processor runs one workgroup at a time, its next row is as many rows
  // later as there are processors. A few are added, since processors do not
  // start their rows in order.
  target.prefetchRows = processors + 12;
  // The chip has ldmatrix and cp.async.
  target.matrixLoads = target.asyncCopies = 1;
  // wgmma exists only with the features of sm_90a.
  target.asyncRows = name == "sm_90a" ? 64 : 0;
  for (const vector_ext::MmaIntrinsic &intrinsic :
       nvgpu_ext::getMmaSyncIntrinsics())
    target.intrinsics.push_back(intrinsic.name);
  for (const vector_ext::MmaIntrinsic &intrinsic :
       nvgpu_ext::getMmaSyncI8Intrinsics())
    target.intrinsics.push_back(intrinsic.name);
  if (name == "sm_89" || name.starts_with("sm_12"))
    for (const vector_ext::MmaIntrinsic &intrinsic :
         nvgpu_ext::getMmaSyncF8Intrinsics())
      target.intrinsics.push_back(intrinsic.name);
  for (const vector_ext::MmaIntrinsic &intrinsic : getFmaIntrinsics())
    target.intrinsics.push_back(intrinsic.name);
  return chip;
}

ArrayRef<NVIDIAChip> mlir::linalg_ext::getNVIDIAChips() {
  static const NVIDIAChip chips[] = {
      makeChip("sm_80", "+ptx80", 108, 164, 2048),
      makeChip("sm_86", "+ptx80", 84, 100, 1536),
      makeChip("sm_87", "+ptx80", 16, 164, 1536),
      // PTX knows the chip since 8.1, and its products of f8 since 8.4.
      makeChip("sm_89", "+ptx84", 142, 100, 1536),
      makeChip("sm_90", "+ptx81", 132, 228, 2048),
      makeChip("sm_90a", "+ptx81", 132, 228, 2048),
      makeChip("sm_100", "+ptx86", 148, 228, 2048),
      makeChip("sm_100a", "+ptx86", 148, 228, 2048),
      makeChip("sm_103", "+ptx88", 148, 228, 2048),
      makeChip("sm_103a", "+ptx88", 148, 228, 2048),
      makeChip("sm_110", "+ptx90", 20, 228, 1536),
      makeChip("sm_110a", "+ptx90", 20, 228, 1536),
      makeChip("sm_120", "+ptx87", 188, 100, 1536),
      makeChip("sm_120a", "+ptx87", 188, 100, 1536),
      makeChip("sm_121", "+ptx88", 48, 100, 1536),
      makeChip("sm_121a", "+ptx88", 48, 100, 1536),
  };
  return chips;
}

const NVIDIAChip *mlir::linalg_ext::lookupNVIDIAChip(StringRef name) {
  ArrayRef<NVIDIAChip> chips = getNVIDIAChips();
  const NVIDIAChip *chip =
      llvm::find_if(chips, [&](const NVIDIAChip &c) { return c.name == name; });
  return chip == chips.end() ? nullptr : chip;
}

std::string mlir::linalg_ext::explainUnknownNVIDIAChip(StringRef name) {
  auto getName = [](const NVIDIAChip &chip) { return chip.name; };
  return "expected one of " +
         llvm::join(llvm::map_range(getNVIDIAChips(), getName), ", ") +
         ", got '" + name.str() + "'";
}
