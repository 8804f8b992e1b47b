//===- Chips.cpp - NVIDIA chips -------------------------------------------===//
//
// The table of chips, with one line for each. Shared memory per block is from
// the table of technical specifications per compute capability in NVIDIA's CUDA
// C++ Programming Guide. Numbers of processors are from the data sheets of
// A100, A40, Jetson AGX Orin, L40, H100, B200, B300 and RTX PRO 6000.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Chips.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::linalg_ext;
using llvm::StringRef;

static const NVIDIAChip chips[] = {
    {"sm_80", "+ptx80", 163 * 1024, 108},
    {"sm_86", "+ptx80", 99 * 1024, 84},
    {"sm_87", "+ptx80", 163 * 1024, 16},
    {"sm_89", "+ptx80", 99 * 1024, 142},
    {"sm_90", "+ptx80", 227 * 1024, 132},
    {"sm_90a", "+ptx80", 227 * 1024, 132},
    {"sm_100", "+ptx86", 227 * 1024, 148},
    {"sm_100a", "+ptx86", 227 * 1024, 148},
    {"sm_103", "+ptx88", 227 * 1024, 148},
    {"sm_103a", "+ptx88", 227 * 1024, 148},
    {"sm_120", "+ptx87", 99 * 1024, 188},
    {"sm_120a", "+ptx87", 99 * 1024, 188},
};

llvm::ArrayRef<NVIDIAChip> mlir::linalg_ext::getNVIDIAChips() { return chips; }

const NVIDIAChip *mlir::linalg_ext::lookupNVIDIAChip(StringRef name) {
  const NVIDIAChip *chip =
      llvm::find_if(chips, [&](const NVIDIAChip &c) { return c.name == name; });
  return chip == std::end(chips) ? nullptr : chip;
}

std::string mlir::linalg_ext::explainUnknownNVIDIAChip(StringRef name) {
  std::string text = "expected one of ";
  for (const NVIDIAChip &chip : chips) {
    if (&chip != chips)
      text += ", ";
    text += chip.name;
  }
  return text + ", got '" + name.str() + "'";
}
