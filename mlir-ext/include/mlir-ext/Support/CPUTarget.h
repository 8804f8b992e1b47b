//===- CPUTarget.h - What is known about a CPU ------------------*- C++ -*-===//
//
// One description of a CPU, of any architecture. The tables of vector units
// (Target/X86, Target/AArch64) and LLVM fill it in (Pipelines/Processor.h), a module
// carries it as an attribute of upstream's DLTI dialect, and passes and cost models
// read it with `getCPUTarget`:
//
//   module attributes {dlti.target_system_spec = #dlti.target_system_spec<
//     "CPU" = #dlti.target_device_spec<
//       "vector_bits" = 256, "vector_registers" = 16, ...,
//       "name" = "x86-64-v3", "features" = ["+avx2", ...]>>} {...}
//
// The keys are the names of the fields with underscores.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_CPUTARGET_H
#define MLIR_EXT_SUPPORT_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

/// The properties of a core that passes and cost models use. The defaults apply if
/// a module has no description, or if the description lacks a key.
struct CPUTarget {
  /// Width of a vector register in bits (a power of 2, at least 64), and number of
  /// vector registers.
  int64_t vectorBits = 512;
  int64_t vectorRegisters = 32;
  /// The part of a vector, in bits, in which one instruction interleaves the lanes
  /// of two vectors: 128 (SSE to AVX-512, NEON), or the whole vector (SVE).
  int64_t shuffleBits = 128;
  /// Features, each 0 or 1. `convertsF16`: instructions that convert f16 to
  /// f32. `avx512`: x86's AVX-512F and AVX-512DQ. `dotBF16`: x86's `vdpbf16ps`.
  /// `sve`: AArch64's SVE; LLVM must be told the width of its registers.
  int64_t convertsF16 = 0;
  /// Whether an f16 is broadcast to a vector before it is extended, 0 or 1. x86
  /// can load one f16 into all lanes. A load into one lane alone inserts it
  /// into a register, and waits for the previous value of that register.
  int64_t broadcastsF16 = 0;
  int64_t avx512 = 0;
  int64_t dotBF16 = 0;
  /// The instruction that multiplies integers of 8 bits and adds the products
  /// of neighbours: none (0), x86's `pmaddwd` (1) or `vpdpbusd` (2), or
  /// AArch64's `sdot` (3).
  int64_t byteDot = 0;
  int64_t sve = 0;
  /// Sizes of the L1 data cache and of the L2 cache of a core, in bytes.
  int64_t l1Bytes = 48 << 10;
  int64_t l2Bytes = 1 << 20;

  /// Numbers that are the same for all CPUs of the tables, so they have no
  /// keys. In bytes: a line of the caches; the distance of two addresses that
  /// have the same set of the L1 cache (a way); and how far ahead data is
  /// prefetched, which is 1.5 times what memory delivers during its latency (35
  /// GB/s, 150 ns).
  static constexpr int64_t kLineBytes = 64;
  static constexpr int64_t kWayBytes = 4096;
  static constexpr int64_t kBytesAhead = 8192;
  /// The number of streams that the hardware prefetches. A stream is a page or
  /// a part of a page. With four streams, pages of 4 KiB are as fast as dense
  /// memory (docs/Decisions/0062).
  static constexpr int64_t kStreams = 4;
  /// The most bytes of a panel of a packed operand, so that it stays in the
  /// nearest cache. Panels of integers may be larger, because more products
  /// follow each load.
  static constexpr int64_t kPanelBytes = 64 * 1024;
  static constexpr int64_t kPanelBytesOfIntegers = 128 * 1024;

  /// The LLVM name of the processor. Empty if the code is for any processor.
  std::string name;
  /// LLVM features to add to those of `name` or to remove from them, such as
  /// "+avx2" or "-avx512f".
  SmallVector<std::string> features;

  /// Elements of `bits` bits in a vector, at least one.
  int64_t getLanes(int64_t bits) const {
    return vectorBits > bits ? vectorBits / bits : 1;
  }
  /// Whether a register has all values of an integer of 4 bits, and an
  /// instruction looks them up.
  bool looksUp() const { return avx512 && getLanes(32) == 16; }
};

/// The number of a CPUTarget that has the key `key` in IR.
struct CPUTargetKey {
  StringLiteral key;
  int64_t CPUTarget::*number;
  /// The least value that is valid.
  int64_t least;
};

/// Returns all keys with a number, in the order of the fields.
ArrayRef<CPUTargetKey> getCPUTargetKeys();

/// Describes the device "CPU" in the DLTI specification of `module` as `target`.
/// Leaves other devices as they are. The DLTI dialect must be loaded.
void setCPUTarget(ModuleOp module, const CPUTarget &target);

/// Removes the description of the device "CPU" from `module`.
void removeCPUTarget(ModuleOp module);

/// Returns the description of the device "CPU" that is closest to `op`: of the
/// innermost op around it with a DLTI specification, or of `op` itself. Keys that
/// are missing have the defaults of CPUTarget. Other keys are ignored. Fails, with
/// an error, if a value is invalid.
FailureOr<CPUTarget> getCPUTarget(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_CPUTARGET_H
