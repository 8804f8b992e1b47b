//===- Clocks.cpp - What happens before what ------------------------------===//
//
// See Clocks.h. Also the records of accesses that refer to clocks.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Clocks.h"

#include "SIMT/Memory.h"

#include <algorithm>

using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

void Clock::raise(int32_t agent, uint32_t time) {
  if (agent >= static_cast<int32_t>(times.size()))
    times.resize(agent + 1);
  times[agent] = std::max(times[agent], time);
}

void Clock::join(const Clock &other) {
  if (times.size() < other.times.size())
    times.resize(other.times.size());
  for (size_t i = 0; i < other.times.size(); ++i)
    times[i] = std::max(times[i], other.times[i]);
}

void Clock::meet(const Clock &other) {
  times.resize(std::min(times.size(), other.times.size()));
  for (size_t i = 0; i < times.size(); ++i)
    times[i] = std::min(times[i], other.times[i]);
}

Clocks::Clocks(int numThreads) : pasts(numThreads) {
  for (int thread = 0; thread < numThreads; ++thread)
    advance(thread);
}

int32_t Clocks::addAgent(std::string name) {
  names.push_back(std::move(name));
  return static_cast<int32_t>(pasts.size() + names.size()) - 1;
}

std::string Clocks::describe(int32_t agent) const {
  if (agent < numThreads())
    return "thread " + std::to_string(agent);
  return names[agent - numThreads()];
}

//===----------------------------------------------------------------------===//
// Records of accesses
//===----------------------------------------------------------------------===//

static bool isSame(const ClockedShadow &a, const ClockedShadow &b) {
  return a.writer == b.writer && a.writeTime == b.writeTime &&
         a.readers == b.readers && a.writeGroup == b.writeGroup &&
         a.readGroup == b.readGroup && a.firstReadGroup == b.firstReadGroup &&
         a.inFlight == b.inFlight;
}

static bool isOrdered(const ReadEvent &event, const Accessor &by) {
  return by.past->accesses[event.agent] >= event.time;
}

static std::string describeRace(const char *what, int32_t agent,
                                const Accessor &by) {
  bool isThread = agent < by.clocks->numThreads();
  return std::string("data race: ") + by.subject + what + " by " +
         by.clocks->describe(agent) + ", with no " +
         (isThread ? "barrier" : "wait") + " in between";
}

/// Returns whether `by` accesses memory asynchronously, and no fence of the
/// proxy comes between it and an ordinary access of `agent` at `time`.
static bool lacksFence(const Buffer &buffer, int32_t agent, uint32_t time,
                       const Accessor &by) {
  return by.isAsynchronous && buffer.space == MemorySpace::Workgroup &&
         agent < by.clocks->numThreads() && by.past->fenced[agent] < time;
}

/// Checks the last reads, `events`, against a write.
static std::string checkReads(const Buffer &buffer,
                              const std::vector<ReadEvent> &events,
                              const Accessor &by) {
  for (const ReadEvent &event : events) {
    if (!isOrdered(event, by))
      return describeRace("writes what was read", event.agent, by);
    // A load may end after the barrier that a thread has passed behind it.
    if (lacksFence(buffer, event.agent, event.time, by))
      return std::string(by.subject) + "writes asynchronously what " +
             by.clocks->describe(event.agent) +
             " read, with no fence.proxy in between";
  }
  return {};
}

/// Checks the last write against an access, which is called `verb`.
static std::string checkWrite(const Buffer &buffer, const ClockedShadow &shadow,
                              const Accessor &by, uint32_t firstGroup,
                              const std::string &verb) {
  if (shadow.writer < 0 || shadow.writeGroup < firstGroup)
    return {};
  if (shadow.writeGroup != by.group)
    return std::string("data race: ") + by.subject + verb +
           " what was written by workgroup number " +
           std::to_string(shadow.writeGroup - firstGroup);
  if (shadow.inFlight)
    return by.subject + verb +
           " what an asynchronous copy that is not complete writes, started "
           "by " +
           by.clocks->describe(shadow.writer);
  if (!isOrdered({shadow.writer, shadow.writeTime}, by))
    return describeRace((verb + " what was written").c_str(), shadow.writer,
                        by);
  if (lacksFence(buffer, shadow.writer, shadow.writeTime, by))
    return by.subject + verb + " asynchronously what " +
           by.clocks->describe(shadow.writer) +
           " wrote, with no fence.proxy in between";
  return {};
}

static ClockedShadow *prepareClocked(Buffer &buffer) {
  if (buffer.space == MemorySpace::Private)
    return nullptr;
  if (buffer.clocked.empty())
    buffer.clocked.resize(buffer.data.size());
  return buffer.clocked.data();
}

uint32_t ReadSets::add(uint32_t set, ReadEvent event) {
  uint32_t &result = next[{set, {event.agent, event.time}}];
  if (result)
    return result;
  std::vector<ReadEvent> events = sets[set];
  auto it = std::find_if(events.begin(), events.end(), [&](ReadEvent other) {
    return other.agent == event.agent;
  });
  if (it == events.end())
    events.push_back(event);
  else
    it->time = std::max(it->time, event.time);
  sets.push_back(std::move(events));
  return result = static_cast<uint32_t>(sets.size()) - 1;
}

std::string Memory::recordClockedRead(Buffer &buffer, int64_t begin,
                                      int64_t size, const Accessor &by) {
  ClockedShadow *shadows = prepareClocked(buffer);
  if (!shadows)
    return {};
  // Most bytes have the record of the byte before them.
  ClockedShadow before, after;
  for (int64_t i = begin; i < begin + size; ++i) {
    ClockedShadow &shadow = shadows[i];
    if (i > begin && isSame(shadow, before)) {
      shadow = after;
      continue;
    }
    before = shadow;
    std::string wrong = checkWrite(buffer, shadow, by, firstGroup, "reads");
    if (!wrong.empty())
      return wrong;
    if (shadow.firstReadGroup < firstGroup)
      shadow.firstReadGroup = by.group;
    if (shadow.readGroup != by.group)
      shadow.readers = 0;
    shadow.readGroup = by.group;
    shadow.readers = readSets.add(shadow.readers, {by.agent, by.time});
    after = shadow;
  }
  return {};
}

std::string Memory::recordClockedWrite(Buffer &buffer, int64_t begin,
                                       int64_t size, const Accessor &by,
                                       const uint8_t *bytes) {
  ClockedShadow *shadows = prepareClocked(buffer);
  if (!shadows)
    return {};
  // Writing the same value to global memory twice does no harm.
  bool lenient = buffer.space == MemorySpace::Global && bytes;
  ClockedShadow checked;
  for (int64_t i = begin; i < begin + size; ++i) {
    ClockedShadow &shadow = shadows[i];
    bool same =
        lenient && buffer.initialized[i] && buffer.data[i] == bytes[i - begin];
    if (!same && !(i > begin && isSame(shadow, checked))) {
      std::string wrong = checkWrite(buffer, shadow, by, firstGroup, "writes");
      if (!wrong.empty())
        return wrong;
      if (shadow.readGroup >= firstGroup &&
          (shadow.readGroup != by.group || shadow.firstReadGroup != by.group))
        return std::string("data race: ") + by.subject +
               "writes what another workgroup read";
      if (shadow.readGroup == by.group) {
        std::string wrong =
            checkReads(buffer, readSets.get(shadow.readers), by);
        if (!wrong.empty())
          return wrong;
      }
      checked = shadow;
    }
    shadow.writer = by.agent;
    shadow.writeTime = by.time;
    shadow.writeGroup = by.group;
    // A write of the same value is not ordered after the reads.
    if (!same)
      shadow.readers = 0;
  }
  return {};
}
