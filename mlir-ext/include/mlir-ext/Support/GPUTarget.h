//===- GPUTarget.h - What is known about a GPU ------------------*- C++ -*-===//
//
// One description of a GPU, of any vendor. Chip tables (Target/NVGPU/Chips.cpp)
// fill it in, a module carries it as an attribute of upstream's DLTI dialect,
// and passes and cost models read it with `getGPUTarget`:
//
//   module attributes {dlti.target_system_spec = #dlti.target_system_spec<
//     "GPU" = #dlti.target_device_spec<
//       "lanes" = 32, "processors" = 132, ...,
//       "intrinsics" = ["mma.sync.m16n8k16.f32.f16", ...]>>} {...}
//
// The keys are the names of the fields with underscores, such as
// "max_threads".
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_GPUTARGET_H
#define MLIR_EXT_SUPPORT_GPUTARGET_H

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <string>

namespace mlir::linalg_ext {

/// The properties of a GPU that passes and cost models use. A *processor* is
/// the unit that runs workgroups (an SM, a CU). Registers have 32 bits. The
/// defaults are those of an H200. They apply if a module has no description, or
/// if the description lacks a key.
struct GPUTarget {
  //===--------------------------------------------------------------------===//
  // Facts, from the vendor's documents
  //===--------------------------------------------------------------------===//

  /// Threads of a subgroup (a warp, a wavefront).
  int64_t lanes = 32;
  /// Largest number of threads of a workgroup.
  int64_t maxThreads = 1024;
  /// Number of processors of the device.
  int64_t processors = 132;
  /// Threads that a processor runs at a time.
  int64_t processorThreads = 2048;
  /// Largest number of registers of a thread, and registers of a processor.
  int64_t threadRegisters = 255;
  int64_t processorRegisters = 65536;
  /// Largest shared memory of a workgroup, shared memory of a processor, and
  /// the part of it that is reserved for each workgroup in addition. In bytes.
  int64_t sharedBytes = 227 * 1024;
  int64_t processorSharedBytes = 228 * 1024;
  int64_t reservedSharedBytes = 1024;
  /// Bytes of shared memory that a processor reads or writes in a cycle.
  int64_t sharedBytesPerCycle = 128;
  /// Rows and columns of the smallest result of a matrix instruction.
  int64_t matrixRows = 16;
  int64_t matrixColumns = 8;
  /// Whether a subgroup can load matrices from shared memory
  /// (`vector_ext.load_matrix`), and whether threads can copy to shared memory
  /// asynchronously. 0 or 1.
  int64_t matrixLoads = 1;
  int64_t asyncCopies = 1;
  /// Rows of an asynchronous matrix instruction, which reads tiles in shared
  /// memory. 0 if there is none.
  int64_t asyncRows = 64;
  /// Threads of a group. A group performs such an instruction together. It also
  /// changes the number of its registers together: by multiples of
  /// `registerStep`, to at most `groupRegisters` for each thread.
  int64_t groupThreads = 128;
  int64_t registerStep = 8;
  int64_t groupRegisters = 240;
  /// Results of special functions, such as exp2, that the units of a processor
  /// compute in a cycle.
  int64_t specialResults = 16;
  /// Bytes of the cache that all processors share, and of a line of it.
  int64_t cacheBytes = 50 << 20;
  int64_t lineBytes = 128;

  //===--------------------------------------------------------------------===//
  // Measurements, and fits to them
  //===--------------------------------------------------------------------===//

  /// Multiply-adds that a processor computes in a cycle: matrix instructions
  /// with elements of 16 bits, asynchronous matrix instructions, and threads in
  /// f32.
  int64_t matrixProducts = 1024;
  int64_t asyncProducts = 2048;
  int64_t threadProducts = 128;
  /// Registers of a thread that are not available for results of contractions,
  /// because addresses, fragments of operands and statistics of rows need them
  /// (bench/gpu/attention). With more results, threads spill.
  int64_t otherRegisters = 63;
  /// The same for asynchronous products, whose left operands may be in
  /// registers, too.
  int64_t asyncOtherRegisters = 30;
  /// Registers that the assembler needs in addition to what a loop carries. A
  /// kernel with loops that carry more must not state how many workgroups run
  /// at a time (docs/Decisions/0016). Loops with asynchronous products have no
  /// right operands in registers, so they need only `asyncLoopRegisters`.
  int64_t loopRegisters = 80;
  int64_t asyncLoopRegisters = 60;
  /// Threads of a processor that suffice to hide each other's waits for
  /// asynchronous products, and threads that suffice if they also compute
  /// between the products (docs/Hopper.md).
  int64_t waitingThreads = 256;
  int64_t computingThreads = 384;
  /// Registers of a result above which a second buffer for each tile does not
  /// pay (docs/Decisions/0014).
  int64_t bufferedResults = 96;
  /// Cycles of a read from memory under load, and cycles of each iteration in
  /// which threads wait for results of the same iteration and for barriers.
  int64_t memoryLatency = 1600;
  int64_t iterationLatency = 700;
  /// Cycles from the issue of an asynchronous product to its first result, from
  /// its last result to the end of the wait for it, and for a reduction across
  /// lanes.
  int64_t productLatency = 60;
  int64_t awaitLatency = 30;
  int64_t reductionLatency = 60;
  /// An operand may be rewritten by a kernel before the one that reads it.
  /// Cycles of the launch of that kernel, and bytes that the device reads and
  /// writes in a cycle: if the kernel converts elements, if it transposes bytes
  /// (docs/Decisions/0085), and if it copies rows (docs/Decisions/0102).
  int64_t launchCycles = 4000;
  int64_t convertedBytesPerCycle = 1500;
  int64_t transposedBytesPerCycle = 1900;
  int64_t copiedBytesPerCycle = 1500;
  /// Time of synchronous products without such a kernel, in percent of the
  /// estimate for operands of 16 bits: if threads load rows in pieces of less
  /// than 16 bytes (docs/Decisions/0102), if operands of 8 bits are not
  /// contiguous along the reduction, and if operands of 8 bits are converted
  /// (docs/Decisions/0097), in products and in attention.
  int64_t unalignedPercent = 180;
  int64_t stridedPercent = 140;
  int64_t convertingPercent = 150;
  int64_t convertingOnlinePercent = 170;
  /// Rows that do not start at a line of the cache: each piece of a row is in
  /// two lines. Bytes that a processor then copies asynchronously in a cycle,
  /// and the time of synchronous products in percent (docs/Decisions/0102).
  int64_t splitBytesPerCycle = 30;
  int64_t splitPercent = 200;
  /// Subgroups of a processor that compute products of few rows, with the
  /// reduction split among them: the number that suffices to read memory at its
  /// full rate, with 32 columns each (docs/Decisions/0065), and the number for
  /// which there are registers (docs/Decisions/0105).
  int64_t loadingSubgroups = 16;
  int64_t summingSubgroups = 20;
  /// Bytes of asynchronous copies in flight, for each of two workgroups of a
  /// processor. More bytes do not increase the rate (docs/Decisions/0017).
  int64_t copyBytes = 48 * 1024;
  /// Number of workgroups that suffices to read memory at its full rate, two
  /// for each processor (docs/Decisions/0017).
  int64_t memoryWorkgroups = 264;
  /// Workgroups that run at the same time if attention with few rows divides
  /// the keys among workgroups (docs/Decisions/0055).
  int64_t keyWorkgroups = 264;
  /// A workgroup that keeps `longRow` elements of a row in registers leaves no
  /// room for another one. It prefetches the row that comes `prefetchRows` rows
  /// later, if the prefetched rows of all workgroups have at most
  /// `prefetchBytes` bytes (docs/Decisions/0013).
  int64_t longRow = 20480;
  int64_t prefetchRows = 144;
  int64_t prefetchBytes = 12 << 20;
  /// If products and accesses of shared memory overlap, the estimate is the sum
  /// of these percentages of the cycles of each (docs/Decisions/0031).
  int64_t productPercent = 80;
  int64_t sharedPercent = 57;

  //===--------------------------------------------------------------------===//

  /// The names of the matrix instructions that contractions may use
  /// (`MmaIntrinsic`). Empty if all instructions with a lowering may be used.
  SmallVector<std::string> intrinsics;

  /// Describes a part of the device that has `number` processors. The numbers
  /// of workgroups that suffice shrink in the same proportion.
  void setProcessors(int64_t number);

  /// Registers of a thread for the results of contractions.
  int64_t getResultRegisters() const {
    return threadRegisters - otherRegisters;
  }
  /// Registers that a thread of a workgroup of `threads` threads starts with,
  /// if the workgroup has those of a processor.
  int64_t getLaunchedRegisters(int64_t threads) const {
    int64_t registers = processorRegisters / threads;
    return std::min(registers - registers % registerStep, threadRegisters + 1);
  }
  /// Workgroups with `bytes` of shared memory each that run on a processor at a
  /// time, as far as shared memory limits them. 0 if a workgroup has more than
  /// it may have.
  int64_t getWorkgroupsOfShared(int64_t bytes) const;
  /// Workgroups of `threads` threads with `registers` registers each that run
  /// on a processor at a time, as far as these limit them.
  int64_t getWorkgroupsOfRegisters(int64_t threads, int64_t registers) const;
};

/// The number of a GPUTarget that has the key `key` in IR.
struct GPUTargetKey {
  StringLiteral key;
  int64_t GPUTarget::*number;
  /// The least value that is valid.
  int64_t least = 1;
};

/// Returns all keys with a number, in the order of the fields.
ArrayRef<GPUTargetKey> getGPUTargetKeys();

/// Describes the device "GPU" in the DLTI specification of `module` as
/// `target`. Leaves other devices as they are. The DLTI dialect must be loaded.
void setGPUTarget(ModuleOp module, const GPUTarget &target);

/// Returns the description of the device "GPU" that is closest to `op`: of the
/// innermost op around it with a DLTI specification, or of `op` itself. Keys
/// that are missing have the defaults of GPUTarget. Other keys are ignored.
/// Fails, with an error, if a value is invalid.
FailureOr<GPUTarget> getGPUTarget(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_GPUTARGET_H
