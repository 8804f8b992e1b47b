//===- Scheduler.h - Which strand of a workgroup runs -----------*- C++ -*-===//
//
// A strand is a part of the threads of a workgroup that runs in lockstep. Each
// strand has a thread of the operating system, but only one of them runs at a
// time: until its strand waits or ends. Tasks are what the hardware does on its
// own, such as a copy. The scheduler decides when they happen.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_SCHEDULER_H
#define LINALG_EXT_TEST_LIB_SIMT_SCHEDULER_H

#include "SIMT/Interpreter.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace mlir::linalg_ext::simt {

class Scheduler {
public:
  using Body = std::function<LogicalResult()>;

  Scheduler(Options::Order order, uint64_t seed) : order(order), random(seed) {}
  Scheduler(const Scheduler &) = delete;
  ~Scheduler();

  /// Adds a strand and returns its number.
  unsigned addStrand(Body body);
  bool hasEnded(unsigned strand) const { return strands[strand]->hasEnded; }
  /// Adds something that happens at some time from now on. The scheduler
  /// prefers the strand that adds tasks, or that one comes last, by the order.
  void addTask(Body task);
  /// Runs all strands to their ends, and all tasks. Fails if one of them fails,
  /// or if all strands that have not ended wait.
  LogicalResult run();

  // For the strand that runs.

  /// Hands over until `isReady`. `describe` says what the strand waits for; an
  /// empty text means other strands. Fails, without a diagnostic, if the run
  /// has failed elsewhere.
  LogicalResult wait(Operation *op, std::function<bool()> isReady,
                     std::function<std::string()> describe);
  /// Lets other strands and tasks run, if there are any. Fails as `wait` does,
  /// and if nothing else can happen although the strand has polled often.
  LogicalResult poll(Operation *op, std::function<std::string()> describe);
  /// Hands over or does not, if the order is seeded.
  LogicalResult mayHandOver(Operation *op);
  /// Something happened that others may wait for.
  void noteProgress() { ++progress; }

private:
  struct Strand {
    Body body;
    std::thread thread;
    std::condition_variable wake;
    bool isRunning = false, hasEnded = false, hasTasks = false;
    bool polls = false;
    LogicalResult result = success();
    // While it waits.
    Operation *op = nullptr;
    std::function<bool()> isReady;
    std::function<std::string()> describe;
    // While it polls.
    uint64_t polledAt = 0;
    int numPolls = 0;
  };

  LogicalResult block(Operation *op, std::function<bool()> isReady,
                      std::function<std::string()> describe);
  void resume(Strand &strand);
  void handOver(Strand &strand);
  Strand *chooseStrand();
  bool prefersTask(bool hasStrand);
  LogicalResult runTask();
  LogicalResult reportDeadlock();

  Options::Order order;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<Strand>> strands;
  std::deque<Body> tasks;
  std::mutex mutex;
  std::condition_variable control;
  Strand *running = nullptr;
  bool aborted = false;
  uint64_t progress = 0;
};

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_SCHEDULER_H
