//===- Scheduler.cpp - Which strand of a workgroup runs -------------------===//
//
// See Scheduler.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Scheduler.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

static constexpr int kMaxPolls = 1000;

Scheduler::~Scheduler() {
  aborted = true;
  // Strands that others have added end before them.
  for (const std::unique_ptr<Strand> &strand : llvm::reverse(strands)) {
    if (!strand->thread.joinable())
      continue;
    if (!strand->hasEnded)
      resume(*strand);
    strand->thread.join();
  }
}

unsigned Scheduler::addStrand(Body body) {
  strands.push_back(std::make_unique<Strand>());
  strands.back()->body = std::move(body);
  return static_cast<unsigned>(strands.size()) - 1;
}

void Scheduler::addTask(Body task) {
  running->hasTasks = true;
  tasks.push_back(std::move(task));
}

//===----------------------------------------------------------------------===//
// Handing over
//===----------------------------------------------------------------------===//

/// Runs `strand` until it hands over or ends.
void Scheduler::resume(Strand &strand) {
  std::unique_lock<std::mutex> lock(mutex);
  running = &strand;
  strand.isRunning = true;
  if (!strand.thread.joinable())
    strand.thread = std::thread([this, &strand] {
      std::unique_lock<std::mutex> lock(mutex);
      lock.unlock();
      strand.result = strand.body();
      lock.lock();
      strand.hasEnded = true;
      strand.isRunning = false;
      ++progress;
      control.notify_one();
    });
  else
    strand.wake.notify_one();
  control.wait(lock, [&] { return !strand.isRunning; });
  running = nullptr;
}

void Scheduler::handOver(Strand &strand) {
  std::unique_lock<std::mutex> lock(mutex);
  strand.isRunning = false;
  control.notify_one();
  strand.wake.wait(lock, [&] { return strand.isRunning; });
}

LogicalResult Scheduler::wait(Operation *op, std::function<bool()> isReady,
                              std::function<std::string()> describe) {
  if (!aborted && order != Options::Order::Seeded && isReady())
    return success();
  return block(op, std::move(isReady), std::move(describe));
}

LogicalResult Scheduler::block(Operation *op, std::function<bool()> isReady,
                               std::function<std::string()> describe) {
  if (aborted)
    return failure();
  Strand &strand = *running;
  strand.op = op;
  strand.isReady = std::move(isReady);
  strand.describe = std::move(describe);
  handOver(strand);
  strand.isReady = nullptr;
  return failure(aborted);
}

LogicalResult Scheduler::poll(Operation *op,
                              std::function<std::string()> describe) {
  Strand &strand = *running;
  strand.numPolls = strand.polledAt == progress ? strand.numPolls + 1 : 0;
  strand.polledAt = progress;
  strand.polls = true;
  bool isStuck = strand.numPolls >= kMaxPolls;
  LogicalResult result = block(
      op, [this, isStuck, at = progress] { return !isStuck || progress != at; },
      std::move(describe));
  strand.polls = false;
  return result;
}

LogicalResult Scheduler::mayHandOver(Operation *op) {
  if (order != Options::Order::Seeded || random() % 2)
    return failure(aborted);
  return block(
      op, [] { return true; }, [] { return std::string(); });
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// The strand to run next, or null if all wait.
Scheduler::Strand *Scheduler::chooseStrand() {
  SmallVector<Strand *> ready, polling;
  for (const std::unique_ptr<Strand> &strand : strands)
    if (!strand->hasEnded && (!strand->isReady || strand->isReady()))
      (strand->polls ? polling : ready).push_back(strand.get());
  if (ready.empty())
    ready = tasks.empty() ? polling : SmallVector<Strand *>();
  if (ready.empty())
    return nullptr;
  if (order == Options::Order::Seeded)
    return ready[random() % ready.size()];
  bool wanted = order == Options::Order::CopiesFirst;
  for (Strand *strand : ready)
    if (strand->hasTasks == wanted)
      return strand;
  return ready.front();
}

bool Scheduler::prefersTask(bool hasStrand) {
  if (tasks.empty() || !hasStrand)
    return !tasks.empty();
  if (order == Options::Order::Seeded)
    return random() % 2;
  return order == Options::Order::CopiesFirst;
}

LogicalResult Scheduler::runTask() {
  size_t at =
      order == Options::Order::Seeded ? random() % tasks.size() : size_t(0);
  Body task = std::move(tasks[at]);
  tasks.erase(tasks.begin() + at);
  ++progress;
  return task();
}

LogicalResult Scheduler::reportDeadlock() {
  Operation *first = nullptr;
  std::string text;
  for (const std::unique_ptr<Strand> &strand : strands) {
    if (strand->hasEnded)
      continue;
    std::string waits = strand->describe();
    if (waits.empty())
      continue;
    if (!first)
      first = strand->op;
    else
      text += "; ";
    text += waits;
  }
  return first->emitError() << "deadlock: " << text;
}

LogicalResult Scheduler::run() {
  while (true) {
    Strand *strand = chooseStrand();
    if (prefersTask(strand)) {
      if (failed(runTask()))
        return failure();
      continue;
    }
    if (!strand) {
      if (llvm::all_of(strands,
                       [](const auto &strand) { return strand->hasEnded; }))
        return success();
      return reportDeadlock();
    }
    resume(*strand);
    if (strand->hasEnded && failed(strand->result))
      return failure();
  }
}
