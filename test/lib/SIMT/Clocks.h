//===- Clocks.h - What happens before what ----------------------*- C++ -*-===//
//
// Vector clocks of a workgroup that runs as several strands (Concurrency.h). An
// agent is whatever accesses memory: a thread, or a part of the hardware that
// works for it, such as the copies that complete on one mbarrier. Each agent
// has a time. An access comes before a point in the execution if the past of
// that point has the agent at the time of the access or later.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_CLOCKS_H
#define LINALG_EXT_TEST_LIB_SIMT_CLOCKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::linalg_ext::simt {

/// The time of each agent. It is 0 for those without an entry.
class Clock {
public:
  uint32_t operator[](int32_t agent) const {
    return agent < static_cast<int32_t>(times.size()) ? times[agent] : 0;
  }
  void raise(int32_t agent, uint32_t time);
  /// Takes the later time of each agent.
  void join(const Clock &other);
  /// Takes the earlier time of each agent.
  void meet(const Clock &other);

private:
  std::vector<uint32_t> times;
};

/// What comes before a point in the execution.
struct Past {
  Clock accesses;
  /// Of each thread, up to when its ordinary writes to workgroup memory are
  /// visible to the asynchronous proxy, and its ordinary reads come before what
  /// this proxy writes.
  Clock fenced;

  void join(const Past &other) {
    accesses.join(other.accesses);
    fenced.join(other.fenced);
  }
  void meet(const Past &other) {
    accesses.meet(other.accesses);
    fenced.meet(other.fenced);
  }
};

/// The clocks of the threads of a workgroup, and the names of its agents. The
/// first agents are the threads.
class Clocks {
public:
  explicit Clocks(int numThreads);

  Past &of(int thread) { return pasts[thread]; }
  const Past &of(int thread) const { return pasts[thread]; }
  uint32_t now(int thread) const { return pasts[thread].accesses[thread]; }
  /// What `thread` does from now on is not part of what others know of it.
  void advance(int thread) {
    pasts[thread].accesses.raise(thread, now(thread) + 1);
  }
  /// Makes the writes of `thread` up to now, and those that come before, visible to
  /// the asynchronous proxy, and orders such reads before its writes.
  void fence(int thread) {
    pasts[thread].fenced.join(pasts[thread].accesses);
    advance(thread);
  }

  int numThreads() const { return static_cast<int>(pasts.size()); }
  int32_t addAgent(std::string name);
  /// Returns "thread 3", or the name of another agent.
  std::string describe(int32_t agent) const;

private:
  std::vector<Past> pasts;
  std::vector<std::string> names;
};

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_CLOCKS_H
