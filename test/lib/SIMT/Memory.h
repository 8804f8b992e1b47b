//===- Memory.h - The memory of an interpreted program ----------*- C++ -*-===//
//
// Each buffer records which of its bytes are initialised, and the last accesses
// of each byte. From these accesses it detects data races. A data race is two
// unordered accesses of a byte by two threads, at least one of them a write.
// Accesses are ordered by:
//
//   a barrier of the workgroup   accesses of its threads before the barrier
//                                precede those after it
//   a barrier of the subgroup    the same for the threads of the subgroup
//   the end of a launch          accesses in the launch precede all later ones;
//                                where a kernel waits for that itself, those
//                                behind its wait
//
// In a workgroup that runs as several strands, vector clocks (Clocks.h) say
// which accesses are ordered.
//
// The detector thus finds a race whenever the program permits one, in whatever
// order the interpreter runs the threads. One exception: a write of the value
// that a byte of global memory already has is never a race.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_MEMORY_H
#define LINALG_EXT_TEST_LIB_SIMT_MEMORY_H

#include "SIMT/Clocks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext::simt {

enum class MemorySpace { Global, Workgroup, Private };

/// The thread and the time of an access. `group` numbers the workgroups of the
/// whole run from 1; 0 is the host. The times are numbers of barriers.
struct Accessor {
  uint32_t group = 0;
  int32_t thread = 0;
  int32_t subgroup = 0;
  uint32_t groupTime = 0;
  uint32_t subgroupTime = 0;

  /// The clocks of a workgroup with several strands, or null. Then `agent`
  /// accesses at its time `time`, after `past`.
  const Clocks *clocks = nullptr;
  const Past *past = nullptr;
  int32_t agent = 0;
  uint32_t time = 0;
  /// By the asynchronous proxy.
  bool isAsynchronous = false;
  /// In front of a wait for earlier launches, which may still run.
  bool isEarly = false;
  /// Who accesses, in messages, such as "a copy ".
  const char *subject = "";
};

/// The last accesses of a byte.
struct Shadow {
  struct Event {
    uint32_t group = 0, groupTime = 0, subgroupTime = 0;
    /// The number of a thread, kNone, kSeveralSubgroups (threads of several
    /// subgroups), or kSeveralThreads - s (several threads of subgroup s).
    int32_t thread = kNone;
  };
  static constexpr int32_t kNone = -1, kSeveralSubgroups = -2,
                           kSeveralThreads = -3;
  Event write, read;
  /// The first workgroup of this launch that read the byte.
  uint32_t firstReadGroup = 0;
  /// True if the thread of `write` has started an asynchronous copy to this
  /// byte and has not waited for it yet.
  bool inFlight = false;
};

/// A read by an agent.
struct ReadEvent {
  int32_t agent;
  uint32_t time;
};

/// Sets of reads, by number. Set 0 is empty.
class ReadSets {
public:
  ReadSets() : sets(1) {}
  /// Returns the number of `set` with `event`.
  uint32_t add(uint32_t set, ReadEvent event);
  const std::vector<ReadEvent> &get(uint32_t set) const { return sets[set]; }

private:
  std::vector<std::vector<ReadEvent>> sets;
  llvm::DenseMap<std::pair<uint32_t, std::pair<int32_t, uint32_t>>, uint32_t>
      next;
};

/// The last accesses of a byte, by clocks. The groups are the workgroups of the
/// write, of the reads, and the first one of this launch that read.
struct ClockedShadow {
  int32_t writer = -1;
  uint32_t writeTime = 0, writeGroup = 0;
  uint32_t readers = 0, readGroup = 0, firstReadGroup = 0;
  bool inFlight = false;
};

/// An allocation.
struct Buffer {
  MemorySpace space = MemorySpace::Global;
  /// Address of the first byte. In workgroup memory it determines the bank.
  int64_t address = 0;
  bool freed = false;
  bool constant = false;
  std::vector<uint8_t> data;
  std::vector<uint8_t> initialized;
  /// One entry for each byte. Empty for private memory, and until a kernel
  /// accesses the buffer.
  std::vector<Shadow> shadow;
  /// The same for workgroups with several strands.
  std::vector<ClockedShadow> clocked;

  int64_t size() const { return static_cast<int64_t>(data.size()); }
};

/// All buffers of a run.
class Memory {
public:
  explicit Memory(int32_t subgroupSize) : subgroupSize(subgroupSize) {}

  /// Allocates a buffer and returns its id. `bytes` and `alignment` are in
  /// bytes. A buffer in workgroup memory gets the next free address of the
  /// workgroup, which is number `member` of its cluster. Other buffers share
  /// one address range.
  int64_t allocate(MemorySpace space, int64_t bytes, int64_t alignment,
                   bool initialized = false, int64_t member = 0);
  Buffer &get(int64_t id) { return *buffers[id]; }
  bool isValid(int64_t id) const {
    return id >= 0 && id < static_cast<int64_t>(buffers.size());
  }
  void release(int64_t id);
  int64_t numBuffers() const { return static_cast<int64_t>(buffers.size()); }
  /// Releases all buffers with an id of at least `id` that are not in global
  /// memory.
  void releaseFrom(int64_t id);

  /// The buffer of workgroup `member` at the address of `buffer`, with the same
  /// size, in workgroup memory. Returns none if there is none.
  std::optional<int64_t> findInGroup(int64_t member, int64_t buffer) const;

  /// Starts `members` workgroups, those of a cluster. They have no workgroup
  /// memory yet.
  /// If `isExact`, no address in its memory is aligned better than asked for,
  /// up to 1024 bytes.
  void startGroup(bool isExact = false, int64_t members = 1) {
    groups.assign(members, {});
    isExactlyAligned = isExact;
    readSets = {};
  }
  int64_t getWorkgroupBytes(int64_t member = 0) const {
    return groups[member].bytes;
  }
  /// Starts a launch. Orders all previous accesses before it.
  void startLaunch(uint32_t firstGroup) { this->firstGroup = firstGroup; }

  /// Records a read of the bytes [begin, begin + size) of `buffer`. Returns an
  /// error message, or an empty string.
  std::string recordRead(Buffer &buffer, int64_t begin, int64_t size,
                         const Accessor &by);
  /// Records a write. `bytes` are the new values, or null if they are not known
  /// yet. Returns an error message, or an empty string.
  std::string recordWrite(Buffer &buffer, int64_t begin, int64_t size,
                          const Accessor &by, const uint8_t *bytes);
  /// Records the start and the completion of an asynchronous copy to the bytes.
  std::string startCopy(Buffer &buffer, int64_t begin, int64_t size,
                        const Accessor &by);
  void finishCopy(Buffer &buffer, int64_t begin, int64_t size,
                  const Accessor &by);

private:
  std::string recordClockedRead(Buffer &buffer, int64_t begin, int64_t size,
                                const Accessor &by);
  std::string recordClockedWrite(Buffer &buffer, int64_t begin, int64_t size,
                                 const Accessor &by, const uint8_t *bytes);

  std::vector<std::unique_ptr<Buffer>> buffers;
  ReadSets readSets;
  /// The memory of a workgroup.
  struct GroupMemory {
    int64_t bytes = 0, nextAddress = 0;
    std::map<int64_t, int64_t> bufferAt;
  };
  std::vector<GroupMemory> groups = std::vector<GroupMemory>(1);
  bool isExactlyAligned = false;
  int64_t nextAddress = 1 << 20;
  uint32_t firstGroup = 1;
  int32_t subgroupSize;
};

/// The part of one thread in an access of a subgroup. Address and size are in
/// bytes.
struct LaneAccess {
  int32_t thread;
  int64_t address;
  int64_t size;
};

/// Number of wavefronts of accesses to workgroup memory, and the number without
/// bank conflicts. There are 32 banks of 4 bytes. A wavefront serves 32 threads
/// with accesses of up to 4 bytes, 16 threads with 8 bytes, or 8 threads with
/// 16 bytes. A longer access counts as several accesses of 16 bytes.
struct Wavefronts {
  int64_t actual = 0, ideal = 0;
};
Wavefronts countWavefronts(llvm::ArrayRef<LaneAccess> accesses,
                           int64_t subgroupSize);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_MEMORY_H
