//===- Memory.h - The memory of an interpreted program ----------*- C++ -*-===//
//
// Buffers of bytes that know which bytes were written, and who touched each of
// them last. From the latter follow data races: two accesses of a byte by two
// threads, one of them a write, that nothing orders. What orders accesses:
//
//   a barrier of the workgroup   all accesses of its threads before it come
//                                before all after it
//   a barrier of the subgroup    the same for the threads of the subgroup
//   the end of a launch          everything in it comes before what follows
//
// so that a race is found by when it *may* happen, not because the order in
// which the interpreter happens to run threads brings it about.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_SIMT_MEMORY_H
#define TEST_LIB_SIMT_MEMORY_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::linalg_ext::simt {

enum class MemorySpace { Global, Workgroup, Private };

/// Who accesses memory and when. `group` counts workgroups over the whole run,
/// from 1; 0 is the host. The times count barriers.
struct Accessor {
  uint32_t group = 0;
  int32_t thread = 0;
  int32_t subgroup = 0;
  uint32_t groupTime = 0;
  uint32_t subgroupTime = 0;
};

/// The last accesses of a byte.
struct Shadow {
  struct Event {
    uint32_t group = 0, groupTime = 0, subgroupTime = 0;
    /// kNone, a thread, kSeveralSubgroups, or several threads of subgroup
    /// kSeveralThreads - thread.
    int32_t thread = kNone;
  };
  static constexpr int32_t kNone = -1, kSeveralSubgroups = -2,
                           kSeveralThreads = -3;
  Event write, read;
  /// The workgroup that read the byte first in this launch.
  uint32_t firstReadGroup = 0;
  /// The thread of `write` has started an asynchronous copy to this byte that
  /// it has not waited for.
  bool inFlight = false;
};

struct Buffer {
  MemorySpace space = MemorySpace::Global;
  /// Of the first byte; in workgroup memory it decides the bank.
  int64_t address = 0;
  bool freed = false;
  bool constant = false;
  std::vector<uint8_t> data;
  std::vector<uint8_t> initialized;
  /// Empty for private memory, and as long as no kernel accessed the buffer.
  std::vector<Shadow> shadow;

  int64_t size() const { return static_cast<int64_t>(data.size()); }
};

class Memory {
public:
  explicit Memory(int32_t subgroupSize) : subgroupSize(subgroupSize) {}

  /// Allocates; memory of a workgroup gets the next address after what it has,
  /// all other its own range. `alignment` is in bytes.
  int64_t allocate(MemorySpace space, int64_t bytes, int64_t alignment,
                   bool initialized = false);
  Buffer &get(int64_t id) { return *buffers[id]; }
  bool isValid(int64_t id) const {
    return id >= 0 && id < static_cast<int64_t>(buffers.size());
  }
  void release(int64_t id);
  int64_t numBuffers() const { return static_cast<int64_t>(buffers.size()); }
  /// Releases all buffers from `id` on that are not global.
  void releaseFrom(int64_t id);

  /// The next workgroup starts with no workgroup memory.
  void startGroup() { workgroupBytes = 0; }
  int64_t getWorkgroupBytes() const { return workgroupBytes; }
  /// Everything up to now comes before what follows.
  void startLaunch(uint32_t firstGroup) { this->firstGroup = firstGroup; }

  /// Bytes [begin, begin + size) of a buffer are read. Returns what is wrong
  /// with that, or an empty string.
  std::string recordRead(Buffer &buffer, int64_t begin, int64_t size,
                         const Accessor &by);
  /// The bytes are written; `bytes` are the new values, or null where they are
  /// not known yet.
  std::string recordWrite(Buffer &buffer, int64_t begin, int64_t size,
                          const Accessor &by, const uint8_t *bytes);
  /// An asynchronous copy to the bytes starts, or is complete.
  std::string startCopy(Buffer &buffer, int64_t begin, int64_t size,
                        const Accessor &by);
  void finishCopy(Buffer &buffer, int64_t begin, int64_t size,
                  const Accessor &by);

private:
  std::vector<std::unique_ptr<Buffer>> buffers;
  int64_t workgroupBytes = 0;
  int64_t nextAddress = 1 << 20;
  uint32_t firstGroup = 1;
  int32_t subgroupSize;
};

/// One thread's part of an access of a subgroup.
struct LaneAccess {
  int32_t thread;
  int64_t address;
  int64_t size;
};

/// The wavefronts of the accesses of one subgroup to workgroup memory of 32
/// banks of 4 bytes, and how many there would be without bank conflicts.
/// Accesses of 8 (16) bytes a thread are served by halves (quarters) of 32
/// threads; longer ones count as several of 16.
struct Wavefronts {
  int64_t actual = 0, ideal = 0;
};
Wavefronts countWavefronts(llvm::ArrayRef<LaneAccess> accesses,
                           int64_t subgroupSize);

} // namespace mlir::linalg_ext::simt

#endif // TEST_LIB_SIMT_MEMORY_H
