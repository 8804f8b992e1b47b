//===- PropertyTester.cpp - Random tests of tile-and-fuse -----------------===//
//
//   linalg-ext-property-tester [--cases=N] [--seed=S] [--case=I] [--jobs=J]
//                              [--shrink=K] [--report=FILE] [--verbose]
//
// Draws N cases (Cases.h), takes each through plan, application, decomposition
// and execution, and compares with the oracle. Cases run in child processes, a
// batch at a time, so that a crash is a finding like any other: it is put down
// to its case, and the batch goes on behind it. Failing cases are simplified as
// long as they keep failing in the same way, and printed with their IR.
//
// --case=I runs one case in this process and prints everything; with --shrink=1
// it is simplified instead. --shrink=K simplifies at most K cases that fail in
// the same way.
// --report=FILE writes the counts to a file too.
// The exit code is 1 if any case failed, or if fewer than 80% had to fuse.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Support/Child.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

namespace {
enum class Verdict : char {
  Fused = 'f',   ///< right
  Kept = 'k',    ///< right, the reductions along the keys being outside
  Refused = 'r', ///< and had to be
  Left = 'l',    ///< refused, and could be
  WronglyRefused = 'R',
  WronglyFused = 'F',
  NotRaised = 'U', ///< upstream's softmax was not recognised
  NoReason = 'N',  ///< refused without one
  Changed = 'C',   ///< refused, but the IR is not what it was
  Unplanned = 'P', ///< a repair too many or missing
  Failed = 'A',    ///< planned but not applied
  Invalid = 'I',   ///< applied, invalid IR
  NotRun = 'E',    ///< could not be executed
  Mismatch = 'M',  ///< ran, wrong result
  Crash = 'X',
  Timeout = 'T',
};

const char *describe(Verdict verdict) {
  switch (verdict) {
  case Verdict::Fused:
    return "fused";
  case Verdict::Refused:
    return "refused, as it must be";
  case Verdict::Kept:
    return "kept outside, as it must be";
  case Verdict::Left:
    return "refused, as it may be";
  case Verdict::WronglyRefused:
    return "refused, but must fuse";
  case Verdict::WronglyFused:
    return "cut and repaired, but must not be";
  case Verdict::NotRaised:
    return "not raised";
  case Verdict::NoReason:
    return "refused without a reason";
  case Verdict::Changed:
    return "refused, but the IR has changed";
  case Verdict::Unplanned:
    return "the plan has other states or repairs than it must";
  case Verdict::Failed:
    return "planned, but not applied";
  case Verdict::Invalid:
    return "invalid IR";
  case Verdict::NotRun:
    return "cannot be executed";
  case Verdict::Mismatch:
    return "wrong result";
  case Verdict::Crash:
    return "crash";
  case Verdict::Timeout:
    return "timeout";
  }
  return "?";
}

bool isGood(Verdict verdict) {
  return verdict == Verdict::Fused || verdict == Verdict::Kept ||
         verdict == Verdict::Refused || verdict == Verdict::Left;
}

struct Report {
  Verdict verdict = Verdict::Fused;
  bool hasRepair = false;
  double looseness = 0, worstRatio = 0;
  std::string text;
};
} // namespace

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

namespace {
/// What cases of one process share.
struct Session {
  std::unique_ptr<MLIRContext> context = makeFusionContext();
  Executor executor{context.get()};
};
} // namespace

static Report runMustRefuse(const Case &c, AttentionGraph &graph,
                            const TileAndFuseOptions &options) {
  Report report;
  Operation *root =
      c.fault == Fault::SoftmaxAsRoot ? graph.softmax : graph.root;
  std::string before = print(*graph.module);
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  report.verdict = succeeded(plan)                  ? Verdict::WronglyFused
                   : !refusal.isSet()               ? Verdict::NoReason
                   : print(*graph.module) != before ? Verdict::Changed
                                                    : Verdict::Refused;
  report.text = "reason: " + refusal.text + "\nIR:\n" + before;
  return report;
}

static Report runCase(Session &session, const Case &c) {
  AttentionGraph graph = buildAttention(session.context.get(), c.spec);
  std::string before = print(*graph.module);
  Report report;
  if (failed(verify(*graph.module))) {
    report.verdict = Verdict::Invalid;
    report.text = "the unfused graph:\n" + before;
    return report;
  }
  if (c.raise) {
    IRRewriter rewriter(session.context.get());
    report.text = before;
    report.verdict = Verdict::NotRaised;
    if (raiseOnlineReductions(rewriter, *graph.module) != 1)
      return report;
    graph.func.walk([&](SoftmaxOp op) { graph.softmax = op; });
    before = print(*graph.module);
  }
  TileAndFuseOptions options = makeOptions(c, graph);
  Expectation expected = c.expect();
  if (expected.label == Label::Refuse)
    return runMustRefuse(c, graph, options);

  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(graph.root, options, refusal);
  // Which siblings behind reshapes fuse is known once that has been tried.
  if (succeeded(plan) && c.spec.returnWeightSums && !plan->needsDerivatives)
    if (FailureOr<FusionPlan> dryRun = dryRunFusionPlan(*plan, refusal);
        succeeded(dryRun))
      plan = dryRun;
  size_t numStates = 0, numRepairs = 0, numSiblings = 0;
  if (succeeded(plan)) {
    for (const PlannedState &state : plan->states)
      numStates += !plan->lookupSibling(state.producer);
    for (const PlannedRepair &repair : plan->repairs)
      numRepairs += !plan->lookupSibling(repair.accumulator);
    for (const PlannedSibling &sibling : plan->siblings)
      numSiblings += sibling.isFused();
  }
  report.hasRepair = numRepairs > 0;
  FusionOutcome outcome = fuseAndRun(
      graph, options, makeInputs(c, graph), session.executor, c.cleanUp,
      /*tighten=*/c.cleanUp && c.pattern != DataPattern::NaN);
  report.looseness = outcome.looseness;
  report.worstRatio = outcome.worstRatio;
  switch (outcome.stage) {
  case FusionOutcome::Stage::Refused:
    report.verdict = expected.label != Label::May     ? Verdict::WronglyRefused
                     : print(*graph.module) != before ? Verdict::Changed
                     : !refusal.isSet()               ? Verdict::NoReason
                                                      : Verdict::Left;
    break;
  case FusionOutcome::Stage::Failed:
    report.verdict = print(*graph.module) != before ? Verdict::Changed
                     : expected.label == Label::May && !outcome.reason.empty()
                         ? Verdict::Left
                         : Verdict::Failed;
    break;
  case FusionOutcome::Stage::Invalid:
    report.verdict = Verdict::Invalid;
    break;
  case FusionOutcome::Stage::NotRun:
    report.verdict = Verdict::NotRun;
    break;
  case FusionOutcome::Stage::Wrong:
    report.verdict = Verdict::Mismatch;
    break;
  case FusionOutcome::Stage::Right:
    report.verdict = Verdict::Fused;
    if (expected.label == Label::Keep)
      report.verdict = numStates ? Verdict::WronglyFused : Verdict::Kept;
    else if (expected.label != Label::May &&
             (numStates != expected.numStates ||
              numRepairs != expected.numRepairs ||
              (expected.label == Label::Carry &&
               numSiblings != expected.numSiblings &&
               !(expected.mayHaveAnother &&
                 numSiblings <= expected.numSiblings + 1))))
      report.verdict = Verdict::Unplanned;
    break;
  }
  report.text = outcome.reason + "\nplan:\n" + outcome.plan + "\nIR before:\n" +
                before + "\nIR fused:\n" + outcome.fused;
  return report;
}

//===----------------------------------------------------------------------===//
// Cases in child processes
//===----------------------------------------------------------------------===//

/// The seconds a case may take.
static constexpr unsigned kTimeout = 20;

namespace {
/// One line of a child's pipe for each case.
struct Result {
  int64_t index;
  Verdict verdict;
  Family family;
  Label label;
  bool hasRepair;
  double looseness, worstRatio;
};
} // namespace

static Verdict verdictOfDeath(int status) {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? Verdict::Timeout
                                                            : Verdict::Crash;
}

/// The verdict on one case, run in a child of its own.
static Verdict runIsolated(const Case &c) {
  int fd;
  pid_t child = spawn(
      [&](int out) {
        std::freopen("/dev/null", "w", stderr);
        alarm(kTimeout);
        Session session;
        Verdict verdict = runCase(session, c).verdict;
        writeAll(out, &verdict, sizeof(verdict));
      },
      fd);
  Verdict verdict;
  bool answered = read(fd, &verdict, sizeof(verdict)) == sizeof(verdict);
  close(fd);
  int status = 0;
  waitpid(child, &status, 0);
  return answered ? verdict : verdictOfDeath(status);
}

/// The simplest case that can be found to end like `c`.
static Case shrink(Case c, Verdict verdict) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Case &candidate : simplify(c))
      if (runIsolated(candidate) == verdict) {
        c = candidate;
        progress = true;
        break;
      }
  }
  return c;
}

static void runChild(uint64_t seed, int64_t from, int64_t to, int64_t stride,
                     int out) {
  Session session;
  for (int64_t index = from; index < to; index += stride) {
    // What begins is told first, so that a crash has an address.
    writeAll(out, &index, sizeof(index));
    alarm(kTimeout);
    Case c = drawCase(seed, index);
    Report report = runCase(session, c);
    Result result{index,
                  report.verdict,
                  c.family(),
                  c.expect().label,
                  report.hasRepair,
                  report.looseness,
                  report.worstRatio};
    writeAll(out, &result, sizeof(result));
  }
}

namespace {
struct Totals {
  /// How many there were, and how many ended well.
  std::map<std::pair<Family, Label>, std::pair<int64_t, int64_t>> counts;
  int64_t mustFuse = 0, repaired = 0, left = 0, weak = 0;
  double worstRatio = 0;
  std::map<Verdict, std::vector<int64_t>> failures;

  void add(const Result &result) {
    auto &[number, good] = counts[{result.family, result.label}];
    ++number;
    mustFuse += result.label == Label::Carry || result.label == Label::Plain;
    if (!isGood(result.verdict)) {
      failures[result.verdict].push_back(result.index);
      return;
    }
    ++good;
    repaired += result.hasRepair;
    left += result.verdict == Verdict::Left;
    weak += result.looseness > 0.5;
    worstRatio = std::max(worstRatio, result.worstRatio);
  }
  /// A case that came to no verdict of its own.
  void addDead(const Case &c, Verdict verdict) {
    add({c.index, verdict, c.family(), c.expect().label, false, 0, 0});
  }
};
} // namespace

static bool readAll(int fd, void *data, size_t size) {
  for (auto *at = static_cast<char *>(data); size > 0;) {
    ssize_t got = read(fd, at, size);
    if (got <= 0)
      return false;
    at += got;
    size -= got;
  }
  return true;
}

/// Runs the cases from, from + stride, ... below `to`, going on behind crashes.
static void runRange(uint64_t seed, int64_t from, int64_t to, int64_t stride,
                     Totals &totals) {
  while (from < to) {
    int fd;
    pid_t child =
        spawn([&](int out) { runChild(seed, from, to, stride, out); }, fd);
    int64_t begun = -1;
    Result result;
    while (readAll(fd, &begun, sizeof(begun)) &&
           readAll(fd, &result, sizeof(result))) {
      totals.add(result);
      begun = -1;
      from = result.index + stride;
    }
    close(fd);
    int status = 0;
    waitpid(child, &status, 0);
    if (begun < 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
      continue;
    if (begun < 0)
      begun = from;
    totals.addDead(drawCase(seed, begun), verdictOfDeath(status));
    from = begun + stride;
  }
}

//===----------------------------------------------------------------------===//
// Main
//===----------------------------------------------------------------------===//

static bool parse(const char *argument, const char *name, int64_t &value) {
  size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0)
    return false;
  value = std::atoll(argument + length);
  return true;
}

static void printCase(uint64_t seed, const Case &c) {
  std::printf("case %lld of seed %llu: %s\n", static_cast<long long>(c.index),
              static_cast<unsigned long long>(seed), c.describe().c_str());
}

/// Simplifies a failing case and prints what is left of it, with its IR.
static void reportSimplified(uint64_t seed, const Case &c, Verdict verdict) {
  printCase(seed, c);
  Case small = shrink(c, verdict);
  std::printf("simplified: %s\n", small.describe().c_str());
  // Its IR; in a child, as it may crash.
  int fd;
  pid_t child = spawn(
      [&](int) {
        alarm(kTimeout);
        Session session;
        AttentionGraph graph =
            buildAttention(session.context.get(), small.spec);
        std::printf("%s\n", print(*graph.module).c_str());
        std::fflush(stdout);
        std::printf("%s\n", runCase(session, small).text.c_str());
      },
      fd);
  close(fd);
  waitpid(child, nullptr, 0);
}

int main(int argc, char **argv) {
  int64_t numCases = 500, seed = 1, only = -1, numJobs = 1, numShrunk = -1;
  bool verbose = false;
  std::string reportFile;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--verbose"))
      verbose = true;
    else if (!std::strncmp(argv[i], "--report=", 9))
      reportFile = argv[i] + 9;
    else if (!parse(argv[i], "--cases=", numCases) &&
             !parse(argv[i], "--seed=", seed) &&
             !parse(argv[i], "--case=", only) &&
             !parse(argv[i], "--jobs=", numJobs) &&
             !parse(argv[i], "--shrink=", numShrunk)) {
      std::fprintf(stderr,
                   "usage: %s [--cases=N] [--seed=S] [--case=I] [--jobs=J] "
                   "[--shrink=K] [--report=FILE] [--verbose]\n",
                   argv[0]);
      return 2;
    }
  }

  if (numCases < 1 || numJobs < 1) {
    std::fprintf(stderr, "expected at least 1 case and 1 job, got %lld, %lld\n",
                 static_cast<long long>(numCases),
                 static_cast<long long>(numJobs));
    return 2;
  }
  if (only >= 0) {
    llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
    Case c = drawCase(seed, only);
    if (numShrunk > 0) {
      Verdict verdict = runIsolated(c);
      std::printf("%s\n", describe(verdict));
      if (!isGood(verdict))
        reportSimplified(seed, c, verdict);
      return isGood(verdict) ? 0 : 1;
    }
    printCase(seed, c);
    std::fflush(stdout);
    Session session;
    Report report = runCase(session, c);
    std::printf("%s\n%s\n", describe(report.verdict), report.text.c_str());
    return isGood(report.verdict) ? 0 : 1;
  }

  if (numShrunk < 0)
    numShrunk = 5;
  std::printf("seed %lld, %lld cases\n", static_cast<long long>(seed),
              static_cast<long long>(numCases));
  auto start = std::chrono::steady_clock::now();
  Totals totals;
  const int64_t batch = 100;
  for (int64_t from = 0; from < numCases; from += batch * numJobs) {
    int64_t to = std::min(from + batch * numJobs, numCases);
    // Job j takes every J-th case of the batch.
    std::vector<std::pair<pid_t, int>> jobs;
    for (int64_t job = 1; job < numJobs; ++job) {
      int fd;
      pid_t child = spawn(
          [&](int out) { runChild(seed, from + job, to, numJobs, out); }, fd);
      jobs.emplace_back(child, fd);
    }
    runRange(seed, from, to, numJobs, totals);
    for (size_t job = 0; job < jobs.size(); ++job) {
      auto [child, fd] = jobs[job];
      int64_t begun = -1, next = from + static_cast<int64_t>(job) + 1;
      Result result;
      while (readAll(fd, &begun, sizeof(begun)) &&
             readAll(fd, &result, sizeof(result))) {
        totals.add(result);
        next = result.index + numJobs;
        begun = -1;
      }
      close(fd);
      int status = 0;
      waitpid(child, &status, 0);
      if (begun >= 0) {
        totals.addDead(drawCase(seed, begun), verdictOfDeath(status));
        next = begun + numJobs;
      }
      runRange(seed, next, to, numJobs, totals);
    }
    if (verbose)
      std::fprintf(stderr, "%lld...\n", static_cast<long long>(to));
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();

  // Failing cases, simplified.
  int64_t numFailures = 0;
  for (auto &[verdict, cases] : totals.failures) {
    numFailures += cases.size();
    std::printf("\n%s: %zu cases:", describe(verdict), cases.size());
    for (size_t i = 0; i < std::min<size_t>(cases.size(), 20); ++i)
      std::printf(" %lld", static_cast<long long>(cases[i]));
    std::printf("%s\n", cases.size() > 20 ? " ..." : "");
    if (verbose)
      for (int64_t index : cases)
        printCase(seed, drawCase(seed, index));
    for (size_t i = 0;
         i < std::min<size_t>(cases.size(), static_cast<size_t>(numShrunk));
         ++i)
      reportSimplified(seed, drawCase(seed, cases[i]), verdict);
  }

  double share = 100.0 * totals.mustFuse / numCases;
  std::string summary;
  llvm::raw_string_ostream os(summary);
  os << llvm::formatv("seed {0}: {1} cases in {2:f1} s ({3:f1} ms a case)\n",
                      seed, numCases, seconds, 1e3 * seconds / numCases);
  // Good ones of all, by label and family.
  os << llvm::formatv("{0,-14}", "");
  for (int family = 0; family < kNumFamilies; ++family)
    os << llvm::formatv("{0,12}", getName(static_cast<Family>(family)));
  os << llvm::formatv("{0,12}\n", "all");
  for (int label = 0; label < kNumLabels; ++label) {
    int64_t allNumber = 0, allGood = 0;
    os << llvm::formatv("{0,-14}",
                        getName(static_cast<Label>(label)) + std::string(":"));
    for (int family = 0; family < kNumFamilies; ++family) {
      auto [number, good] =
          totals
              .counts[{static_cast<Family>(family), static_cast<Label>(label)}];
      allNumber += number;
      allGood += good;
      os << llvm::formatv("{0,12}",
                          llvm::formatv("{0}/{1}", good, number).str());
    }
    os << llvm::formatv("{0,12}\n",
                        llvm::formatv("{0}/{1}", allGood, allNumber).str());
  }
  os << llvm::formatv(
      "must fuse in all: {0:f1}%; with repair: {1}; refused that may be: {2}\n"
      "failures: {3}\n"
      "error bounds: worst ratio {4:f3}; {5} cases with a bound above half of "
      "the largest value\n",
      share, totals.repaired, totals.left, numFailures, totals.worstRatio,
      totals.weak);
  std::printf("\n%s", summary.c_str());
  if (!reportFile.empty()) {
    std::error_code error;
    llvm::raw_fd_ostream file(reportFile, error);
    if (error) {
      std::fprintf(stderr, "cannot write %s: %s\n", reportFile.c_str(),
                   error.message().c_str());
      return 2;
    }
    file << summary;
  }
  return numFailures == 0 && share >= 80 ? 0 : 1;
}
