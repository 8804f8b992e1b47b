//===- Memory.cpp - The memory of an interpreted program ------------------===//
//
// See Memory.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>

using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

int64_t Memory::allocate(MemorySpace space, int64_t bytes, int64_t alignment,
                         bool initialized, int64_t member) {
  auto buffer = std::make_unique<Buffer>();
  buffer->space = space;
  buffer->data.assign(bytes, 0xff);
  buffer->initialized.assign(bytes, initialized);
  bool isWorkgroup = space == MemorySpace::Workgroup;
  GroupMemory &group = groups[member];
  int64_t &next = isWorkgroup ? group.nextAddress : nextAddress;
  next = llvm::alignTo(next, alignment);
  if (isWorkgroup && isExactlyAligned && alignment < 1024 &&
      next % (2 * alignment) == 0)
    next += alignment;
  buffer->address = next;
  next += bytes;
  if (isWorkgroup) {
    group.bytes = llvm::alignTo(group.bytes, alignment) + bytes;
    group.bufferAt[buffer->address] = numBuffers();
  }
  buffers.push_back(std::move(buffer));
  return static_cast<int64_t>(buffers.size()) - 1;
}

std::optional<int64_t> Memory::findInGroup(int64_t member,
                                           int64_t buffer) const {
  const Buffer &own = *buffers[buffer];
  const std::map<int64_t, int64_t> &bufferAt = groups[member].bufferAt;
  auto it = bufferAt.find(own.address);
  if (own.space != MemorySpace::Workgroup || it == bufferAt.end() ||
      buffers[it->second]->size() != own.size())
    return std::nullopt;
  return it->second;
}

void Memory::release(int64_t id) {
  Buffer &buffer = get(id);
  buffer.freed = true;
  buffer.data = {};
  buffer.initialized = {};
  buffer.shadow = {};
  buffer.clocked = {};
}

void Memory::releaseFrom(int64_t id) {
  for (int64_t i = id; i < numBuffers(); ++i)
    if (get(i).space != MemorySpace::Global)
      release(i);
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// True if the event, of the same workgroup, comes before the access for sure
/// or is the thread's own.
static bool isOrdered(const Shadow::Event &event, const Accessor &by,
                      int32_t subgroupSize) {
  if (event.thread == by.thread || event.groupTime < by.groupTime)
    return true;
  if (event.thread == Shadow::kSeveralSubgroups)
    return false;
  int32_t subgroup = event.thread >= 0 ? event.thread / subgroupSize
                                       : Shadow::kSeveralThreads - event.thread;
  return subgroup == by.subgroup && event.subgroupTime < by.subgroupTime;
}

static std::string describe(const char *what, const Shadow::Event &event,
                            const Accessor &by, uint32_t firstGroup) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what;
  if (event.thread >= 0)
    os << " by thread " << event.thread;
  else if (event.thread != Shadow::kNone)
    os << " by several threads";
  if (event.group != by.group)
    os << " of workgroup number " << event.group - firstGroup;
  return text;
}

static bool isSame(const Shadow &a, const Shadow &b) {
  auto isSameEvent = [](const Shadow::Event &x, const Shadow::Event &y) {
    return x.thread == y.thread && x.groupTime == y.groupTime &&
           x.subgroupTime == y.subgroupTime && x.group == y.group;
  };
  return isSameEvent(a.read, b.read) && isSameEvent(a.write, b.write) &&
         a.firstReadGroup == b.firstReadGroup && a.inFlight == b.inFlight;
}

/// False for memory that no other thread can see. The shadow is made when the
/// first kernel gets to the buffer.
static bool prepareShadow(Buffer &buffer) {
  if (buffer.space == MemorySpace::Private)
    return false;
  if (buffer.shadow.empty())
    buffer.shadow.resize(buffer.data.size());
  return true;
}

/// What another launch may still access.
static bool isTooEarly(const Buffer &buffer, const Accessor &by) {
  return by.isEarly && buffer.space == MemorySpace::Global;
}
static constexpr const char *kTooEarly =
    "data race: accesses global memory in front of the wait for earlier "
    "launches";

std::string Memory::recordRead(Buffer &buffer, int64_t begin, int64_t size,
                               const Accessor &by) {
  if (isTooEarly(buffer, by))
    return kTooEarly;
  if (by.clocks)
    return recordClockedRead(buffer, begin, size, by);
  if (!prepareShadow(buffer))
    return {};
  // Most bytes have the record of the byte before them.
  Shadow before, after;
  for (int64_t i = begin; i < begin + size; ++i) {
    Shadow &shadow = buffer.shadow[i];
    if (i > begin && isSame(shadow, before)) {
      shadow = after;
      continue;
    }
    before = shadow;
    const Shadow::Event &write = shadow.write;
    if (shadow.inFlight)
      return describe("reads what an asynchronous copy that is not complete "
                      "writes, started",
                      write, by, firstGroup);
    if (write.thread != Shadow::kNone && write.group >= firstGroup) {
      if (write.group != by.group)
        return describe("data race: reads what was written", write, by,
                        firstGroup);
      if (!isOrdered(write, by, subgroupSize))
        return describe("data race: reads what was written", write, by,
                        firstGroup) +
               ", with no barrier in between";
    }
    // Remember the read.
    if (shadow.firstReadGroup < firstGroup)
      shadow.firstReadGroup = by.group;
    Shadow::Event &read = shadow.read;
    int32_t thread = by.thread;
    bool sameTime = read.thread != Shadow::kNone && read.group == by.group &&
                    read.groupTime == by.groupTime;
    if (sameTime && read.thread != by.thread) {
      int32_t lanes = Shadow::kSeveralThreads - by.subgroup;
      bool sameSubgroup = read.thread >= 0
                              ? read.thread / subgroupSize == by.subgroup
                              : read.thread == lanes;
      if (!sameSubgroup)
        thread = Shadow::kSeveralSubgroups;
      else if (read.subgroupTime == by.subgroupTime)
        thread = lanes;
    }
    read = {by.group, by.groupTime, by.subgroupTime, thread};
    after = shadow;
  }
  return {};
}

std::string Memory::recordWrite(Buffer &buffer, int64_t begin, int64_t size,
                                const Accessor &by, const uint8_t *bytes) {
  if (isTooEarly(buffer, by))
    return kTooEarly;
  if (by.clocks)
    return recordClockedWrite(buffer, begin, size, by, bytes);
  if (!prepareShadow(buffer))
    return {};
  // Writing the same value to global memory twice does no harm.
  bool lenient = buffer.space == MemorySpace::Global && bytes;
  Shadow checked;
  for (int64_t i = begin; i < begin + size; ++i) {
    Shadow &shadow = buffer.shadow[i];
    const Shadow::Event &write = shadow.write, &read = shadow.read;
    bool isChecked = i > begin && isSame(shadow, checked);
    bool same = isChecked || (lenient && buffer.initialized[i] &&
                              buffer.data[i] == bytes[i - begin]);
    if (shadow.inFlight)
      return describe("writes what an asynchronous copy that is not complete "
                      "writes, started",
                      write, by, firstGroup);
    if (!same && write.thread != Shadow::kNone && write.group >= firstGroup) {
      if (write.group != by.group)
        return describe("data race: writes what was written", write, by,
                        firstGroup);
      if (!isOrdered(write, by, subgroupSize))
        return describe("data race: writes what was written", write, by,
                        firstGroup) +
               ", with no barrier in between";
    }
    if (!same && read.thread != Shadow::kNone && read.group >= firstGroup) {
      if (shadow.firstReadGroup != by.group || read.group != by.group)
        return "data race: writes what another workgroup read";
      if (!isOrdered(read, by, subgroupSize))
        return describe("data race: writes what was read", read, by,
                        firstGroup) +
               ", with no barrier in between";
    }
    if (!same)
      checked = shadow;
    shadow.write = {by.group, by.groupTime, by.subgroupTime, by.thread};
  }
  return {};
}

std::string Memory::startCopy(Buffer &buffer, int64_t begin, int64_t size,
                              const Accessor &by) {
  std::string error = recordWrite(buffer, begin, size, by, nullptr);
  if (error.empty() && !buffer.clocked.empty())
    for (int64_t i = begin; i < begin + size; ++i)
      buffer.clocked[i].inFlight = true;
  if (error.empty() && !buffer.shadow.empty())
    for (int64_t i = begin; i < begin + size; ++i)
      buffer.shadow[i].inFlight = true;
  return error;
}

void Memory::finishCopy(Buffer &buffer, int64_t begin, int64_t size,
                        const Accessor &by) {
  for (int64_t i = begin; i < begin + size && !buffer.clocked.empty(); ++i) {
    buffer.clocked[i].inFlight = false;
    buffer.clocked[i].writeTime = by.time;
  }
  if (buffer.shadow.empty())
    return;
  for (int64_t i = begin; i < begin + size; ++i) {
    buffer.shadow[i].inFlight = false;
    buffer.shadow[i].write = {by.group, by.groupTime, by.subgroupTime,
                              by.thread};
  }
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// The wavefronts of accesses that are served together, to distinct words: each
/// bank gives one of its words at a time, to all that ask for it.
static int64_t countPhase(llvm::ArrayRef<int64_t> words) {
  std::array<int64_t, 32> perBank = {};
  for (int64_t word : words)
    ++perBank[word % 32];
  return *std::max_element(perBank.begin(), perBank.end());
}

Wavefronts simt::countWavefronts(llvm::ArrayRef<LaneAccess> accesses,
                                 int64_t subgroupSize) {
  Wavefronts result;
  int64_t longest = 0;
  for (const LaneAccess &access : accesses)
    longest = std::max(longest, access.size);
  // One instruction for each 16 bytes of a thread.
  for (int64_t part = 0; part < longest; part += 16) {
    int64_t size = std::min<int64_t>(longest - part, 16);
    int64_t lanesPerPhase = size > 8 ? 8 : size > 4 ? 16 : subgroupSize;
    int64_t phases = llvm::divideCeil(subgroupSize, lanesPerPhase);
    llvm::SmallVector<llvm::SmallVector<int64_t, 64>, 4> words(phases);
    for (const LaneAccess &access : accesses) {
      int64_t begin = access.address + part;
      int64_t end = access.address + std::min(access.size, part + 16);
      auto &phase = words[access.thread % subgroupSize / lanesPerPhase];
      for (int64_t word = begin / 4; word * 4 < end; ++word)
        phase.push_back(word);
    }
    for (auto &phase : words) {
      if (phase.empty())
        continue;
      if (!llvm::is_sorted(phase))
        llvm::sort(phase);
      phase.erase(std::unique(phase.begin(), phase.end()), phase.end());
      result.actual += countPhase(phase);
      result.ideal += llvm::divideCeil(phase.size(), 32);
    }
  }
  return result;
}
